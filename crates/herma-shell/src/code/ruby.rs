//! Ruby: tokens, and which methods stand without parentheses.

mod library;

pub(super) use self::library::{call, method};
use super::lexer::Lexer;
use super::quoting::{closing, document, quoted, words};
use super::tokens::{Escapes, Form, Interpolation, Kind};
use crate::value::Value;

/// Reads one token that is Ruby's own; `false` for what all languages share.
pub(super) fn token(lexer: &mut Lexer<'_>) -> bool {
    let start = lexer.at;
    match lexer.peek(0) {
        Some(b'#') => lexer.skip_line(),
        Some(b'=') if lexer.at_line_start() && lexer.sees(b"=begin") => {
            lexer.skip_past(b"\n=end");
            lexer.skip_line();
        }
        Some(quote @ (b'"' | b'\'' | b'`')) => quoted(lexer, quote, Interpolation::Hash),
        Some(b'$' | b'@') if lexer.is_name(start + 1) || lexer.peek(1) == Some(b'@') => {
            lexer.at += 1 + usize::from(lexer.peek(1) == Some(b'@'));
            lexer.name();
            lexer.push(Kind::Name, start);
        }
        Some(b':') if lexer.is_name(start + 1) && !adjacent_name(lexer, start) => {
            // A symbol is text.
            lexer.at += 1;
            lexer.name();
            let mut text = Value::empty();
            lexer.code.append(start + 1, lexer.at, &mut text);
            lexer.push(Kind::Text(vec![super::tokens::Part::Text(text)]), start);
        }
        Some(b'/') if !lexer.behind_operand() => {
            lexer.at += 1;
            lexer.regex(start);
        }
        Some(b'%') => return percent(lexer, start),
        Some(b'<')
            if lexer.peek(1) == Some(b'<')
                && matches!(
                    lexer.peek(2),
                    Some(b'~' | b'-' | b'"' | b'\'' | b'A'..=b'Z')
                ) =>
        {
            return document(lexer, start);
        }
        Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => {
            lexer.name();
            if lexer.code.slice(start, lexer.at) == b"__END__" {
                lexer.skip_past(b"\0\0\0never");
                return true;
            }
            // `name?` and `name!`
            if matches!(lexer.peek(0), Some(b'?' | b'!')) && lexer.peek(1) != Some(b'=') {
                lexer.at += 1;
            }
            lexer.push(Kind::Name, start);
        }
        _ => return false,
    }
    true
}

/// Whether a name ends where the colon stands (`name:`, `A::b`).
fn adjacent_name(lexer: &Lexer<'_>, start: usize) -> bool {
    start.checked_sub(1).is_some_and(|before| {
        lexer.is_name(before) || matches!(lexer.code.byte(before), Some(b':' | b'"' | b'\''))
    })
}

/// `%q(…)`, `%Q`, `%w`, `%i`, `%x`, `%r`, `%(…)`
fn percent(lexer: &mut Lexer<'_>, start: usize) -> bool {
    let (letter, open, length) = match (lexer.peek(1), lexer.peek(2)) {
        (
            Some(letter @ (b'q' | b'Q' | b'w' | b'W' | b'i' | b'I' | b'x' | b'r' | b's')),
            Some(open),
        ) if open.is_ascii_punctuation() => (letter, open, 3),
        (Some(open @ (b'(' | b'[' | b'{' | b'<' | b'|')), _) if !lexer.behind_operand() => {
            (b'Q', open, 2)
        }
        _ => return false,
    };
    if lexer.behind_operand() && lexer.peek(length) == Some(b' ') {
        return false;
    }
    lexer.at += length;
    let close = closing(open);
    let raw = matches!(letter, b'q' | b'w' | b'i' | b's');
    let from = lexer.at;
    let parts = lexer.string(Form {
        open: (close != open).then_some(open),
        close: &[close],
        escapes: if raw { Escapes::Quote } else { Escapes::Full },
        interpolation: if raw {
            Interpolation::None
        } else {
            Interpolation::Hash
        },
    });
    match letter {
        b'w' | b'W' | b'i' | b'I' => {
            let to = lexer.at.saturating_sub(1);
            words(lexer, start, from, to);
        }
        b'x' => lexer.push(Kind::Command(parts), start),
        b'r' => {
            lexer.name();
            lexer.push(Kind::Regex, start);
        }
        _ => lexer.push(Kind::Text(parts), start),
    }
    true
}

/// Functions that take their arguments without parentheses.
pub(super) fn takes_words(name: &[u8]) -> bool {
    name.starts_with(b"FileUtils.")
        || name.starts_with(b"File.")
        || name.starts_with(b"Dir.")
        || name.starts_with(b"Process.")
        || name.starts_with(b"IO.")
        || name.starts_with(b"Open3.")
        || matches!(
            name,
            b"system"
                | b"exec"
                | b"spawn"
                | b"eval"
                | b"instance_eval"
                | b"open"
                | b"rm_rf"
                | b"rm_r"
                | b"rm"
                | b"rm_f"
                | b"mv"
                | b"cp"
                | b"Kernel.system"
                | b"Kernel.exec"
                | b"Pathname"
                | b"URI.open"
                | b"send"
                | b"public_send"
                | b"__send__"
                | b"method"
        )
}

/// Names that are values by themselves.
pub(super) fn is_value(name: &[u8]) -> bool {
    matches!(
        name,
        b"Dir.home" | b"Dir.pwd" | b"Dir.tmpdir" | b"Dir.mktmpdir" | b"Dir.children"
    )
}
