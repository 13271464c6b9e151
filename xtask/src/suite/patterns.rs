//! Random files of rules, globs and expressions in this process: no panic, bounded time.

use std::panic::catch_unwind;
use std::path::Path;
use std::time::{Duration, Instant};

use herma_config::Config;
use herma_patterns::{Expression, glob};

use crate::oracle::random::Random;

/// An unoptimised run of one input must end well before this.
const LIMIT: Duration = Duration::from_secs(2);

/// Pieces that lead into every construct of a file of rules.
const PIECES: &[&str] = &[
    "[[rule]]\n",
    "id = \"a.b\"\n",
    "id = \"",
    "\"\n",
    "action = \"deny\"\n",
    "action = \"allow\"\n",
    "argv = [\"git\", \"**\"]\n",
    "argv = [",
    "]\n",
    "\"x*\", ",
    "\"**\", ",
    "cwd = \"~/x/**\"\n",
    "regex = '",
    "'\n",
    "(prod|live)",
    "[a-z]+",
    ".*",
    "{1,9}",
    "(?i)",
    "\\w",
    "blocks = [\"ls\"]\n",
    "passes = [",
    "aliases = [\"c\"]\n",
    "mode = \"strict\"\n",
    "contexts.",
    "= \"deny\"\n",
    "#",
    "\"\"\"",
    "\\u0000",
    "ü",
    "\u{202e}",
    "\n",
    "*",
    "**",
    "a",
    "-",
    "[",
    "{",
];

/// Faults found in that many inputs.
pub(super) fn run(seed: u64, inputs: usize) -> Vec<String> {
    std::panic::set_hook(Box::new(|_| {}));
    let mut faults = Vec::new();
    let mut random = Random::new(seed);
    for _ in 0..inputs {
        let text = text(&mut random);
        let started = Instant::now();
        let fault = catch_unwind(|| fault(&text)).unwrap_or(Some("panics"));
        let fault = fault.or((started.elapsed() > LIMIT).then_some("takes too long"));
        if let Some(fault) = fault {
            faults.push(format!("{fault}: {text:?}"));
            if faults.len() >= 20 {
                break;
            }
        }
    }
    faults.extend(hostile());
    let _ = std::panic::take_hook();
    faults
}

fn text(random: &mut Random) -> String {
    let pieces = 1 + random.below(30);
    (0..pieces)
        .filter_map(|_| PIECES.get(random.below(PIECES.len())))
        .copied()
        .collect()
}

fn fault(text: &str) -> Option<&'static str> {
    if let Err(faults) = Config::of_text(Path::new("f"), text)
        && (faults.is_empty() || faults.iter().any(|fault| fault.to_string().contains('\n')))
    {
        return Some("a fault is not one line");
    }
    let (pattern, word) = text.split_at(text.floor_char_boundary(text.len() / 2));
    if glob::matches(pattern.as_bytes(), word.as_bytes(), false)
        && !glob::matches(pattern.as_bytes(), word.as_bytes(), true)
    {
        return Some("case decides where it must not");
    }
    if let Ok(expression) = Expression::new(pattern)
        && expression.matches(word.as_bytes()) == Some(true)
        && !expression.seen(word.as_bytes())
    {
        return Some("matches without its literal");
    }
    None
}

/// Inputs that cost much where something is not linear.
fn hostile() -> Vec<String> {
    let rules: String = (0..20_000)
        .map(|number| format!("[[rule]]\nid=\"r{number}\"\naction=\"ask\"\nargv=[\"a\"]\n"))
        .collect();
    let faults = "[[rule]]\nid=\"A\"\n".repeat(50_000);
    let text = "a".repeat(100_000);
    let (glob, backtracking) = ("*a".repeat(500), "(aa*)*(a|aa)+ab$");
    let mut slow = Vec::new();
    let mut timed = |what: &str, run: &dyn Fn() -> bool| {
        let started = Instant::now();
        let expected = run();
        let took = started.elapsed();
        if took > 5 * LIMIT || !expected {
            slow.push(format!("{what}: {expected}, {:.1} s", took.as_secs_f64()));
        }
    };
    timed("a file of very many rules is refused", &|| {
        Config::of_text(Path::new("f"), &rules).is_err()
    });
    timed("a file of very many faults is refused", &|| {
        Config::of_text(Path::new("f"), &faults).is_err()
    });
    timed("a glob of many stars does not match", &|| {
        !glob::matches(glob.as_bytes(), format!("{text}b").as_bytes(), false)
    });
    timed("an expression that would backtrack does not match", &|| {
        Expression::new(backtracking)
            .is_ok_and(|it| it.matches(format!("ab{text}").as_bytes()) == Some(false))
    });
    slow
}
