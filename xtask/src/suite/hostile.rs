//! Hostile command lines through the real binary: always an answer, in time, and never `allow`
//! for what was not understood.

use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use serde_json::{Value, json};

use super::process::{Finished, bare_herma, finish, fresh_folder, herma};
use super::{Context, Outcome};

/// When an answer counts as hanging: the binary is not optimised, and machines are busy.
const LIMIT: Duration = Duration::from_secs(30);

/// What takes longer is named.
const SLOW: Duration = Duration::from_secs(1);

/// What the answer must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    /// Any decision, but no `allow` when the text was not understood.
    Answer,
    /// Something dangerous is certain or the text is broken: anything but `allow`.
    NotAllow,
}

struct Input {
    name: &'static str,
    text: Vec<u8>,
    wanted: Wanted,
}

/// The size of most inputs, in bytes.
const SIZE: usize = 128 * 1024;

fn repeated(part: &str, bytes: usize) -> String {
    part.repeat(bytes.div_ceil(part.len()))
}

fn nested(open: &str, core: &str, close: &str, depth: usize) -> String {
    format!("{}{core}{}", open.repeat(depth), close.repeat(depth))
}

fn inputs() -> Vec<Input> {
    let mut all = Vec::new();
    let mut add = |name, text: String, wanted| {
        all.push(Input {
            name,
            text: text.into_bytes(),
            wanted,
        })
    };
    add("one word", repeated("a", SIZE), Wanted::Answer);
    add(
        "50,000 words",
        format!("echo {}", "ab ".repeat(50_000)),
        Wanted::Answer,
    );
    add(
        "danger behind 50,000 words",
        format!("echo {}; rm -rf /", "ab ".repeat(50_000)),
        Wanted::NotAllow,
    );
    add("semicolons", repeated(";", SIZE), Wanted::NotAllow);
    add("open substitutions", repeated("$(", SIZE), Wanted::NotAllow);
    add("backticks", repeated("`", SIZE), Wanted::Answer);
    add(
        "escaped backticks",
        format!("`{}`", repeated("\\`", SIZE)),
        Wanted::Answer,
    );
    add(
        "open double quotes and substitutions",
        repeated("\"$(", SIZE),
        Wanted::NotAllow,
    );
    add("open parameters", repeated("${x:-", SIZE), Wanted::NotAllow);
    add("open arithmetic", repeated("$((", SIZE), Wanted::NotAllow);
    add("open parentheses", repeated("(", SIZE), Wanted::NotAllow);
    add("open braces", repeated("{ ", SIZE), Wanted::NotAllow);
    add("open conditionals", repeated("[[ ", SIZE), Wanted::NotAllow);
    add(
        "open process substitutions",
        repeated("<(", SIZE),
        Wanted::NotAllow,
    );
    add("input redirections", repeated("<", SIZE), Wanted::NotAllow);
    add(
        "doubling variable",
        format!("a=x; {} $a rm -rf /", "a=$a$a; ".repeat(10_000)),
        Wanted::NotAllow,
    );
    add(
        "doubling by eval",
        format!("a=reboot; {}eval $a", "a=\"eval $a; $a\"; ".repeat(200)),
        Wanted::NotAllow,
    );
    add(
        "doubling array",
        format!("a=(x); {}\"${{a[@]}}\"", "a+=(\"${a[@]}\"); ".repeat(1_000)),
        Wanted::Answer,
    );
    add(
        "deep braces",
        format!("echo {}", nested("{a,", "b", "}", 40_000)),
        Wanted::Answer,
    );
    add(
        "multiplied braces",
        format!("echo {}", "{a,b}".repeat(5_000)),
        Wanted::Answer,
    );
    add(
        "endless range",
        "echo {1..1000000000}".to_owned(),
        Wanted::Answer,
    );
    add(
        "multiplied ranges",
        format!("echo {}", "{1..9999999}".repeat(1_000)),
        Wanted::Answer,
    );
    add(
        "range with steps",
        "echo {1..1000000000..1} {a..z}{a..z}{a..z}{a..z}{a..z}{a..z}".to_owned(),
        Wanted::Answer,
    );
    add(
        "hidden behind a range",
        "{1..1000000000}; rm -rf /".to_owned(),
        Wanted::NotAllow,
    );
    let functions: String = (0..100_000).map(|n| format!("f{n}(){{ :;}}\n")).collect();
    add("100,000 functions", functions, Wanted::Answer);
    let calls: String = (1..2_000)
        .map(|n| format!("f{n}(){{ f{}; f{}; }}\n", n - 1, n - 1))
        .collect();
    add(
        "doubling functions",
        format!("f0(){{ rm -rf /; }}\n{calls}f1999"),
        Wanted::NotAllow,
    );
    add(
        "endless recursion",
        "f(){ f; f; }; f".to_owned(),
        Wanted::Answer,
    );
    add(
        "mutual recursion",
        "f(){ g; }; g(){ f; }; f; reboot".to_owned(),
        Wanted::NotAllow,
    );
    add(
        "alias loop",
        "shopt -s expand_aliases\nalias a=b\nalias b=a\na\nb\nreboot".to_owned(),
        Wanted::NotAllow,
    );
    add(
        "doubling aliases",
        {
            let lines: String = (1..60)
                .map(|n| format!("alias a{n}='a{0}; a{0}'\n", n - 1))
                .collect();
            format!("shopt -s expand_aliases\nalias a0=reboot\n{lines}a59\n")
        },
        Wanted::NotAllow,
    );
    add(
        "while nest",
        format!(
            "{}:{}",
            "while :; do ".repeat(8_000),
            "; done".repeat(8_000)
        ),
        Wanted::Answer,
    );
    add(
        "if nest",
        format!("{}:{}", "if :; then ".repeat(8_000), "; fi".repeat(8_000)),
        Wanted::Answer,
    );
    add(
        "case nest",
        format!(
            "{}:{}",
            "case x in x) ".repeat(8_000),
            ";; esac".repeat(8_000)
        ),
        Wanted::Answer,
    );
    add(
        "open loops",
        repeated("for i in a; do ", SIZE),
        Wanted::NotAllow,
    );
    let many = 2_000;
    let heads: String = (0..many).map(|n| format!(" <<E{n}")).collect();
    let bodies: String = (0..many).map(|n| format!("text\nE{n}\n")).collect();
    add(
        "2,000 here-documents on a line",
        format!("cat{heads}\n{bodies}reboot\n"),
        Wanted::NotAllow,
    );
    add(
        "here-document without end",
        format!("cat <<E\n{}", repeated("text\n", 1 << 20)),
        Wanted::Answer,
    );
    add(
        "1 MB here-document",
        format!(
            "cat <<'E'\n{}\nE\n",
            repeated("some text of a line\n", 1 << 20)
        ),
        Wanted::Answer,
    );
    add(
        "1 MB expanding here-document",
        format!("cat <<E\n{}\nE\n", repeated("a $x ${y} `z` b\n", 1 << 20)),
        Wanted::Answer,
    );
    add(
        "10,000 nested substitutions",
        nested("$(", "rm -rf /", ")", 10_000),
        Wanted::NotAllow,
    );
    add(
        "100 nested substitutions",
        nested("echo $(", "rm -rf /", ")", 100),
        Wanted::NotAllow,
    );
    add(
        "60 nested quoted substitutions",
        nested("\"$(echo ", "$(rm -rf /)", ")\"", 60),
        Wanted::NotAllow,
    );
    add(
        "pipeline",
        format!("cat{}", " | cat".repeat(20_000)),
        Wanted::Answer,
    );
    add(
        "pipeline into a shell",
        format!("echo reboot{} | sh", " | cat".repeat(20_000)),
        Wanted::NotAllow,
    );
    add(
        "and-or list",
        format!("true{}", " && true || false".repeat(7_000)),
        Wanted::Answer,
    );
    add(
        "assignments",
        format!("{}reboot", "a=1 ".repeat(30_000)),
        Wanted::NotAllow,
    );
    add(
        "redirections",
        format!("reboot{}", " >f".repeat(40_000)),
        Wanted::NotAllow,
    );
    add(
        "backslash newlines",
        format!("re{}boot", "\\\n".repeat(60_000)),
        Wanted::NotAllow,
    );
    add(
        "line continuation in here-document",
        format!("cat <<E\n{}E\nreboot\n", "a\\\n".repeat(40_000)),
        Wanted::Answer,
    );
    add(
        "nested shells",
        {
            let mut text = "reboot".to_owned();
            for _ in 0..12 {
                text = format!("sh -c '{}'", text.replace('\'', "'\\''"));
            }
            text
        },
        Wanted::NotAllow,
    );
    add(
        "chain of shells",
        format!("{}reboot", "sh -c \"eval ".repeat(300)),
        Wanted::Answer,
    );
    add(
        "chain of carriers",
        format!("{}reboot", "env nice nohup ".repeat(3_000)),
        Wanted::NotAllow,
    );
    add(
        "loops in loops",
        format!(
            "{}reboot{}",
            "for i in 1 2 3 4 5 6 7 8 9; do ".repeat(100),
            "; done".repeat(100)
        ),
        Wanted::NotAllow,
    );
    add(
        "words times words",
        format!(
            "x='{}'; {}",
            "a ".repeat(1_000),
            "echo $x$x$x$x; ".repeat(1_000)
        ),
        Wanted::Answer,
    );
    add(
        "replacements",
        format!("x={}; {}", "a".repeat(1_000), "x=${x//a/aa}; ".repeat(100)),
        Wanted::Answer,
    );
    add(
        "suffix patterns",
        format!(
            "x={}; y=${{x%%{}b}}; $y",
            "a".repeat(20_000),
            "*a".repeat(2_000)
        ),
        Wanted::Answer,
    );
    add(
        "globs",
        format!("{} -rf /", "*".repeat(60_000)),
        Wanted::Answer,
    );
    add(
        "extended globs",
        format!(
            "shopt -s extglob\necho {}",
            nested("+(a|", "b", ")", 10_000)
        ),
        Wanted::Answer,
    );
    add(
        "arithmetic",
        format!(": $(({}1{}))", "(".repeat(20_000), ")".repeat(20_000)),
        Wanted::Answer,
    );
    add(
        "subscripts",
        format!(": $(({}0{}))", "a[".repeat(20_000), "]".repeat(20_000)),
        Wanted::Answer,
    );
    add(
        "indirection loop",
        "a=b; b=a; ${!a} ${!b}; declare -n c=d; declare -n d=c; $c; reboot".to_owned(),
        Wanted::NotAllow,
    );
    add(
        "inline code",
        format!("python3 -c '{}'", "(".repeat(100_000)),
        Wanted::Answer,
    );
    add(
        "inline strings",
        format!(
            "python3 -c \"import os; os.system({}'reboot')\"",
            "'' + ".repeat(20_000)
        ),
        Wanted::Answer,
    );
    add(
        "layers of base64",
        {
            let mut text = "reboot".to_owned();
            for _ in 0..12 {
                text = format!("echo {} | base64 -d | sh", encoded(text.as_bytes()));
            }
            text
        },
        Wanted::NotAllow,
    );
    add("NUL inside a name", "re\0boot".to_owned(), Wanted::Answer);
    add("NULs", "\0".repeat(SIZE), Wanted::Answer);
    add(
        "danger behind a NUL",
        "echo a\0; reboot".to_owned(),
        Wanted::NotAllow,
    );
    all.push(Input {
        name: "invalid UTF-8",
        text: [b"echo ".as_slice(), &[0xff, 0xfe, 0xc3], b"; reboot"].concat(),
        wanted: Wanted::NotAllow,
    });
    all.push(Input {
        name: "bytes from 128 on",
        text: (0..SIZE).map(|n| 128 | (n % 128) as u8).collect(),
        wanted: Wanted::Answer,
    });
    all.push(Input {
        name: "every byte",
        text: (0..=255).cycle().take(SIZE).collect(),
        wanted: Wanted::Answer,
    });
    all.push(Input {
        name: "empty",
        text: Vec::new(),
        wanted: Wanted::Answer,
    });
    all.push(Input {
        name: "4 MB",
        text: vec![b'a'; 4 << 20],
        wanted: Wanted::Answer,
    });
    all
}

fn encoded(bytes: &[u8]) -> String {
    crate::oracle::base64(&String::from_utf8_lossy(bytes))
}

/// Every input through `check --stdin` and through the hook.
pub(super) fn run(context: &Context) -> Result<Outcome> {
    let binary = herma(context)?;
    let home = fresh_folder(context, "hostile")?;
    let mut faults = 0;
    let mut slowest = (Duration::ZERO, "");
    let inputs = inputs();
    for input in &inputs {
        let (found, took) = judge(&binary, &home, input)?;
        if took > slowest.0 {
            slowest = (took, input.name);
        }
        if took > SLOW {
            println!("  {}: {:.2} s", input.name, took.as_secs_f64());
        }
        for fault in found {
            println!("  {}: {fault}", input.name);
            faults += 1;
        }
    }
    let slow = format!("slowest {:.2} s ({})", slowest.0.as_secs_f64(), slowest.1);
    Ok(if faults == 0 {
        Outcome::Passed(format!("{} inputs, {slow}", inputs.len()))
    } else {
        Outcome::Failed(format!(
            "{faults} faults with {} inputs, {slow}",
            inputs.len()
        ))
    })
}

fn judge(binary: &Path, home: &Path, input: &Input) -> Result<(Vec<String>, Duration)> {
    let mut faults = Vec::new();
    let mut check = bare_herma(binary, home);
    let checked = finish(check.args(["check", "--stdin"]), &input.text, LIMIT)?;
    let mut took = checked.took;
    let code = code(&checked);
    match code {
        Ok(0 | 3 | 4) => {}
        Ok(other) => faults.push(format!("check ends with {other}: {}", short(&checked))),
        Err(why) => faults.push(format!("check {why}: {}", short(&checked))),
    }
    if code == Ok(0) && input.wanted == Wanted::NotAllow {
        faults.push("check allows it".to_owned());
    }
    let mut parse = bare_herma(binary, home);
    let parsed = finish(
        parse.args(["shell", "parse", "--json", "--stdin"]),
        &input.text,
        LIMIT,
    )?;
    took = took.max(parsed.took);
    match parsed.status.map(|status| status.code()) {
        None => faults.push(format!("shell parse takes more than {LIMIT:?}")),
        Some(None) => faults.push(format!("shell parse dies: {}", short(&parsed))),
        Some(Some(_)) => {
            let answer: Value = serde_json::from_slice(&parsed.output).unwrap_or_default();
            if code == Ok(0)
                && answer.get("status").and_then(Value::as_str) == Some("not-understood")
            {
                faults.push("allowed although it was not understood".to_owned());
            }
        }
    }
    let event = json!({
        "session_id": "hostile",
        "cwd": home,
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": String::from_utf8_lossy(&input.text)},
        "tool_use_id": "t1",
    });
    let mut hook = bare_herma(binary, home);
    let hooked = finish(
        hook.args(["hook", "claude-code"]),
        event.to_string().as_bytes(),
        LIMIT,
    )?;
    took = took.max(hooked.took);
    match self::code(&hooked) {
        Ok(0) if !hooked.output.is_empty() => {
            let answer: Value = serde_json::from_slice(&hooked.output).unwrap_or_default();
            if answer
                .pointer("/hookSpecificOutput/permissionDecision")
                .is_none()
            {
                faults.push(format!("the hook prints rubbish: {}", short(&hooked)));
            }
        }
        Ok(0) if input.wanted == Wanted::NotAllow => faults.push("the hook is silent".to_owned()),
        Ok(0) => {}
        Ok(2) if !hooked.errors.is_empty() && hooked.output.is_empty() => {}
        Ok(other) => faults.push(format!("the hook ends with {other}: {}", short(&hooked))),
        Err(why) => faults.push(format!("the hook {why}: {}", short(&hooked))),
    }
    Ok((faults, took))
}

fn code(done: &Finished) -> Result<i32, &'static str> {
    match done.status {
        None => Err("takes too long"),
        Some(status) => status.code().ok_or("dies of a signal"),
    }
}

fn short(done: &Finished) -> String {
    done.text()
        .chars()
        .take(200)
        .collect::<String>()
        .escape_debug()
        .to_string()
}
