//! The shell's own reading and writing of files.

use herma_shell::syntax::RedirectOp;
use herma_shell::{Execution, Piece, Redirection, Value};

use super::{Act, reading, sending};
use crate::effect::Verb;

pub(super) fn redirections(name: &[u8], act: &mut Act<'_>) {
    let execution = act.execution;
    let quiet = is_quiet(act);
    for redirection in &execution.redirections {
        let Some(verb) = verb(name, redirection, quiet) else {
            continue;
        };
        if is_own_port(&redirection.target) {
            continue;
        }
        let places = act.places(&redirection.target);
        act.on_span(verb, redirection.span, places);
    }
}

/// A connection to this machine that the shell opens: no file.
fn is_own_port(target: &Value) -> bool {
    let prefix = target.known_prefix();
    [b"/dev/tcp/".as_slice(), b"/dev/udp/"]
        .iter()
        .find_map(|device| prefix.strip_prefix(*device))
        .and_then(|rest| rest.split(|byte| *byte == b'/').next())
        .is_some_and(|host| {
            host == b"localhost"
                || host == b"::1"
                || host == b"0.0.0.0"
                || host.starts_with(b"127.")
        })
}

fn verb(name: &[u8], redirection: &Redirection, quiet: bool) -> Option<Verb> {
    let output = matches!(redirection.fd, None | Some(1));
    match redirection.op {
        RedirectOp::Write | RedirectOp::Clobber => Some(if quiet && output {
            Verb::Empty
        } else {
            Verb::Write
        }),
        RedirectOp::Both => Some(Verb::Write),
        RedirectOp::Append | RedirectOp::BothAppend => Some(Verb::Append),
        RedirectOp::ReadWrite => Some(Verb::Edit),
        RedirectOp::DupOut => (!is_descriptor(&redirection.target)).then_some(Verb::Write),
        RedirectOp::Read if matches!(redirection.fd, None | Some(0)) => {
            if sending::takes_input(name) {
                Some(Verb::Send)
            } else if reading::prints_input(name) {
                Some(Verb::Read)
            } else {
                None
            }
        }
        _ => None,
    }
}

/// `1`, `-`, `3-`; text that cannot be known may be one.
fn is_descriptor(target: &Value) -> bool {
    target.pieces.iter().all(|piece| match piece {
        Piece::Text { bytes, .. } => {
            let digits = bytes.strip_suffix(b"-").unwrap_or(bytes);
            digits.iter().all(u8::is_ascii_digit)
        }
        Piece::Glob { .. } => false,
        Piece::Unset(_) | Piece::Unknown(_) => true,
    })
}

/// Whether standard input is `/dev/null`.
pub(super) fn is_fed_nothing(execution: &Execution) -> bool {
    execution.redirections.iter().any(|own| {
        own.op == RedirectOp::Read
            && matches!(own.fd, None | Some(0))
            && own.target.is(b"/dev/null")
    })
}

/// Whether nothing is printed: what the output goes to is emptied.
fn is_quiet(act: &Act<'_>) -> bool {
    let [program, words @ ..] = act.argv() else {
        return true;
    };
    let Some(name) = program.value.bytes() else {
        return false;
    };
    match &*name {
        b"" | b":" | b"true" | b"false" | b"exec" => true,
        b"cat" => {
            let from_null = |value: &Value| value.is(b"/dev/null");
            let by_input = is_fed_nothing(act.execution);
            match words {
                [] => by_input,
                [only] => from_null(&only.value),
                _ => false,
            }
        }
        b"echo" => {
            matches!(words, [only] if only.value.is(b"-n"))
                || matches!(words, [flag, text] if flag.value.is(b"-n") && text.value.is(b""))
        }
        b"printf" => matches!(words, [only] if only.value.is(b"")),
        _ => false,
    }
}
