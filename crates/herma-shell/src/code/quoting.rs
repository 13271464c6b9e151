//! Quoting that several languages share: quotes, delimiters of any kind, here-documents.

use super::lexer::Lexer;
use super::tokens::{Escapes, Form, Interpolation, Kind};
use crate::value::Value;

/// A string in quotes: `'…'` stands for itself, `"…"` has escapes and expressions, and `` `…` `` is
/// run by a shell.
pub(super) fn quoted(lexer: &mut Lexer<'_>, quote: u8, interpolation: Interpolation) {
    let start = lexer.at;
    lexer.at += 1;
    let plain = quote == b'\'';
    let parts = lexer.string(Form {
        open: None,
        close: &[quote],
        escapes: if plain { Escapes::Quote } else { Escapes::Full },
        interpolation: if plain {
            Interpolation::None
        } else {
            interpolation
        },
    });
    let kind = if quote == b'`' {
        Kind::Command(parts)
    } else {
        Kind::Text(parts)
    };
    lexer.push(kind, start);
}

/// The delimiter that closes what `open` opens.
pub(super) fn closing(open: u8) -> u8 {
    match open {
        b'(' => b')',
        b'[' => b']',
        b'{' => b'}',
        b'<' => b'>',
        other => other,
    }
}

/// `<<"EOT"`, `<<EOT`, `<<~'EOT'`
pub(super) fn document(lexer: &mut Lexer<'_>, start: usize) -> bool {
    let mut at = 2;
    let indented = matches!(lexer.peek(at), Some(b'~' | b'-'));
    at += usize::from(indented);
    let quote = match lexer.peek(at) {
        Some(quote @ (b'"' | b'\'' | b'`')) => Some(quote),
        Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => None,
        _ => return false,
    };
    if quote.is_none() && !indented && lexer.behind_operand() {
        return false;
    }
    at += usize::from(quote.is_some());
    let from = at;
    while let Some(byte) = lexer.peek(at) {
        let more = match quote {
            Some(quote) => byte != quote && byte != b'\n',
            None => byte.is_ascii_alphanumeric() || byte == b'_',
        };
        if !more {
            break;
        }
        at += 1;
    }
    let delimiter = lexer.code.slice(start + from, start + at).to_vec();
    lexer.at = start + at + usize::from(quote.is_some());
    let kind = if quote == Some(b'`') {
        Kind::Command(Vec::new())
    } else {
        Kind::Text(Vec::new())
    };
    lexer.await_document(start, kind, delimiter, indented, quote == Some(b'\''));
    true
}

/// The words that stand in `from..to`.
pub(super) fn words(lexer: &mut Lexer<'_>, start: usize, from: usize, to: usize) {
    let mut words = Vec::new();
    let mut at = from;
    while at < to {
        let space = |at: usize| lexer.code.byte(at).is_none_or(|b| b.is_ascii_whitespace());
        if space(at) {
            at += 1;
            continue;
        }
        let begin = at;
        while at < to && !space(at) {
            at += 1;
        }
        let mut word = Value::empty();
        lexer.code.append(begin, at, &mut word);
        words.push(word);
    }
    lexer.push(Kind::Words(words), start);
}
