//! PHP: tokens.

mod library;

pub(super) use self::library::call;
use super::lexer::Lexer;
use super::quoting::quoted;
use super::tokens::{Interpolation, Kind};

/// Reads one token that is PHP's own; `false` for what all languages share.
pub(super) fn token(lexer: &mut Lexer<'_>) -> bool {
    let start = lexer.at;
    match lexer.peek(0) {
        Some(b'<') if start == 0 && !lexer.sees(b"<?") => lexer.skip_past(b"<?"),
        Some(b'<') if lexer.sees(b"<?") => {
            lexer.at += 2;
            for tag in [&b"php"[..], b"="] {
                if lexer.sees(tag) {
                    lexer.at += tag.len();
                }
            }
        }
        Some(b'?') if lexer.sees(b"?>") => {
            // Text up to the next tag is printed.
            lexer.skip_past(b"<?");
            if lexer.sees(b"php") {
                lexer.at += 3;
            }
            lexer.push(Kind::Newline, start);
        }
        Some(b'#') if lexer.peek(1) != Some(b'[') => lexer.skip_line(),
        Some(b'/') if lexer.peek(1) == Some(b'/') => lexer.skip_line(),
        Some(b'/') if lexer.peek(1) == Some(b'*') => lexer.skip_past(b"*/"),
        Some(quote @ (b'"' | b'\'' | b'`')) => quoted(lexer, quote, Interpolation::Php),
        Some(b'$') if lexer.is_name(start + 1) => {
            lexer.at += 1;
            lexer.name();
            lexer.push(Kind::Name, start);
        }
        Some(b'\\') if lexer.is_name(start + 1) => {
            // A name in the global space.
            lexer.at += 1;
            lexer.name();
            lexer.push(Kind::Name, start);
        }
        Some(b'<') if lexer.sees(b"<<<") => {
            let mut at = 3;
            while lexer.peek(at) == Some(b' ') {
                at += 1;
            }
            let quote = lexer.peek(at).filter(|byte| matches!(byte, b'"' | b'\''));
            at += usize::from(quote.is_some());
            let from = start + at;
            let mut to = from;
            while lexer.is_name(to) {
                to += 1;
            }
            if to == from {
                return false;
            }
            lexer.at = to + usize::from(quote.is_some());
            let delimiter = lexer.code.slice(from, to).to_vec();
            lexer.await_document(
                start,
                Kind::Text(Vec::new()),
                delimiter,
                true,
                quote == Some(b'\''),
            );
        }
        _ => return false,
    }
    true
}
