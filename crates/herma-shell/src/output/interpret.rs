//! Interpreters whose code says what it prints.

use super::Run;
use crate::carriers::{Command, Payload, carry};
use crate::code::{self, Language};
use crate::execution::Arg;
use crate::value::{Origin, Value};

/// What the interpreter prints, as far as its code says; `None` when it says nothing.
pub(super) fn interpret(run: &mut Run<'_>, argv: &[Arg]) -> Option<Value> {
    let mut steps = carry(&Command {
        argv,
        stdin: run.stdin,
        environment: &[],
    });
    let step = steps.pop().filter(|_| steps.is_empty())?;
    let (language, text, span) = match step.payload {
        Payload::Code {
            language,
            text,
            span,
            ..
        } => (language, text, span),
        Payload::CodeFile {
            language,
            path,
            span,
            ..
        } => (language, run.files.content(&path)?, span),
        Payload::CodeInput { language, span, .. } => (language, run.stdin?.clone(), span),
        _ => return None,
    };
    let out = code::printed(language, &text, span, prints_value(argv, language))?;
    let out = super::stream::bound(out);
    Some(if loops(argv, language) {
        over_input(out)
    } else {
        out
    })
}

/// `node -p`: the value of the code is printed.
fn prints_value(argv: &[Arg], language: Language) -> bool {
    language == Language::JavaScript
        && argv.iter().skip(1).any(|arg| {
            [&b"-p"[..], b"-pe", b"--print"]
                .iter()
                .any(|option| arg.value.is(option))
        })
}

/// `perl -n`, `ruby -p`: the code runs for every line of the input.
fn loops(argv: &[Arg], language: Language) -> bool {
    matches!(language, Language::Perl | Language::Ruby)
        && argv.iter().skip(1).any(|arg| {
            let word = arg.value.known_prefix();
            let Some([first, rest @ ..]) = word.strip_prefix(b"-") else {
                return false;
            };
            !matches!(first, b'-' | b'M' | b'm' | b'I' | b'C' | b'F')
                && std::iter::once(first)
                    .chain(rest)
                    .take_while(|byte| byte.is_ascii_alphanumeric())
                    .take_while(|byte| !matches!(byte, b'e' | b'E'))
                    .any(|byte| matches!(byte, b'n' | b'p'))
        })
}

/// What is printed for the other lines cannot be known.
fn over_input(mut out: Value) -> Value {
    out.push_text(b"\n", None);
    out.append(&Value::unknown_words(Origin::Other));
    out
}
