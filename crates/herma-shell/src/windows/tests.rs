//! What command lines of Windows run.

mod cmd;
mod hostile;
mod powershell;

use crate::syntax::Dialect;
use crate::{Analysis, EmptyWorld, Request, analyse};

fn analysis(text: &str, dialect: Dialect) -> Analysis {
    let text = text.to_owned();
    let run = move || {
        let request = Request {
            text: text.as_bytes(),
            dialect,
            cwd: b"/home/dev/proj",
        };
        analyse(&request, &EmptyWorld)
    };
    std::thread::Builder::new()
        .stack_size(crate::STACK)
        .spawn(run)
        .expect("a thread")
        .join()
        .expect("an answer")
}

/// Each execution as its words, facts as `!kind`, and `?` for what was not understood.
fn ran(text: &str, dialect: Dialect) -> Vec<String> {
    let analysis = analysis(text, dialect);
    let mut out: Vec<String> = analysis
        .executions
        .iter()
        .map(|execution| {
            let words: Vec<String> = execution
                .argv
                .iter()
                .map(|arg| match arg.value.bytes() {
                    Some(word) => String::from_utf8_lossy(&word).into_owned(),
                    None => "<?>".to_owned(),
                })
                .collect();
            words.join(" ")
        })
        .collect();
    out.extend(
        analysis
            .facts
            .iter()
            .map(|fact| format!("!{:?}", fact.kind)),
    );
    if !analysis.uncertain.is_empty() {
        out.push("?".to_owned());
    }
    out
}

/// Each line runs this among other things; nothing of it is unknown.
fn runs(dialect: Dialect, rows: &[(&str, &str)]) {
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|(line, wanted)| {
            let got = ran(line, dialect);
            let unknown = got.iter().any(|item| item.starts_with('!') || item == "?");
            (unknown || !got.iter().any(|item| item == wanted))
                .then(|| format!("{line}\n     got {got:?}\n  wanted {wanted:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// None of these lines runs this word, and nothing of them is unknown.
fn never_runs(dialect: Dialect, word: &str, lines: &[&str]) {
    for line in lines {
        let got = ran(line, dialect);
        let wrong = got.iter().any(|item| {
            item.starts_with('!') || item == "?" || item.split(' ').next() == Some(word)
        });
        assert!(!wrong, "{line}: {got:?}");
    }
}

/// Each line says that it is not known what it runs.
fn unknown(dialect: Dialect, lines: &[&str]) {
    for line in lines {
        let got = ran(line, dialect);
        assert!(
            got.iter().any(|item| item.starts_with('!') || item == "?"),
            "{line}: {got:?}"
        );
    }
}
