//! One check in this process, next to its target. Prints medians; never a test.

#![allow(
    missing_docs,
    clippy::print_stdout,
    reason = "a benchmark prints figures"
)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use herma_rules::{Guard, Policy, Request};
use herma_shell::EmptyWorld;

/// Everyday commands of a coding agent.
const TYPICAL: &[&str] = &[
    "ls -la src",
    "git status --short && git diff --stat",
    "cargo test -p parser -- --nocapture 2>&1 | tail -40",
    "npm run build && npm test",
    "grep -rn 'fn main' --include='*.rs' . | head -20",
    "cd web && rm -rf node_modules dist && npm ci",
    "git commit -m \"Fix the parser's handling of $(date +%F)\"",
    "cat <<'EOF' > notes.md\n# Notes\nrm -rf / is dangerous\nEOF",
    "for f in src/*.py; do python3 -m py_compile \"$f\" || exit 1; done",
    "find . -name '*.pyc' -not -path './.git/*' -delete",
    "docker compose up -d db && sleep 2 && psql -h localhost -c 'select 1'",
    "curl -fsS https://example.com/api/v1/items?limit=10 | jq '.items[].id'",
    "sed -i 's/foo/bar/g' src/lib.rs",
    "FOO=1 BAR=\"a b\" timeout 60 ./scripts/run.sh --fast",
    "python3 -c \"import json,sys; print(json.load(sys.stdin)['version'])\" < package.json",
];

fn median(mut run: impl FnMut(), runs: usize) -> Duration {
    run();
    let mut times: Vec<Duration> = (0..runs)
        .map(|_| {
            let started = Instant::now();
            run();
            started.elapsed()
        })
        .collect();
    times.sort();
    times.get(runs / 2).copied().unwrap_or_default()
}

fn row(what: &str, took: Duration, target: &str) {
    println!(
        "{what:<52} {:>11.1} µs   {target}",
        took.as_secs_f64() * 1e6
    );
}

fn nested(depth: usize) -> String {
    format!("{}true{}", "echo $(".repeat(depth), ")".repeat(depth))
}

fn main() {
    // `cargo test` runs benchmarks too; then once is enough.
    let runs = if std::env::args().any(|argument| argument == "--bench") {
        2_000
    } else {
        1
    };
    let guard = Guard::new(Policy::manual());
    let check = |text: &str| {
        black_box(guard.check(
            &Request::new(black_box(text.as_bytes()), b"/home/dev/proj"),
            &EmptyWorld,
        ));
    };
    let mut typical: Vec<Duration> = TYPICAL
        .iter()
        .map(|text| median(|| check(text), runs))
        .collect();
    typical.sort();
    row(
        "check, typical commands, median",
        typical.get(typical.len() / 2).copied().unwrap_or_default(),
        "at most 10 µs",
    );
    row(
        "check, typical commands, slowest",
        typical.last().copied().unwrap_or_default(),
        "",
    );
    let few = runs.div_ceil(100);
    for (name, text) in [
        ("128 KB, one word", "a".repeat(128 << 10)),
        ("128 KB, words", "ab ".repeat(43 << 10)),
        ("128 KB, commands", "ls -l; ".repeat(18 << 10)),
        ("128 KB, open substitutions", "$(".repeat(64 << 10)),
        ("128 KB, quotes", "\"a'b\" ".repeat(21 << 10)),
        ("128 KB, doubling variable", "a=$a$a; ".repeat(16 << 10)),
        ("128 KB, braces", "{a,b}".repeat(25 << 10)),
    ] {
        row(
            &format!("check, {name}"),
            median(|| check(&text), few),
            "at most 50 ms",
        );
    }
    let flat = "echo ".repeat(60) + "true";
    row(
        "check, 60 nested substitutions",
        median(|| check(&nested(60)), few),
        "as 60 commands in a row",
    );
    row(
        "check, 30 nested substitutions",
        median(|| check(&nested(30)), few),
        "",
    );
    let row_of_commands = "echo true; ".repeat(60);
    row(
        "check, 60 commands in a row",
        median(|| check(&row_of_commands), few),
        "",
    );
    row(
        "check, as long without nesting",
        median(|| check(&flat), few),
        "",
    );
}
