//! Python: tokens and imports.

mod library;

pub(super) use self::library::{call, is_program, method, program};
use super::lexer::Lexer;
use super::scan::Scanner;
use super::tokens::{Escapes, Form, Interpolation, Kind, Token};
use super::val::Val;

/// Reads one token that is Python's own; `false` for what all languages share.
pub(super) fn token(lexer: &mut Lexer<'_>) -> bool {
    let start = lexer.at;
    match lexer.peek(0) {
        Some(b'#') => {
            lexer.skip_line();
            true
        }
        Some(b'"' | b'\'') => {
            string(lexer, start, b"");
            true
        }
        Some(letter) if letter.is_ascii_alphabetic() => {
            let mut length = 1;
            while length < 3 && lexer.peek(length).is_some_and(|b| b.is_ascii_alphabetic()) {
                length += 1;
            }
            let prefix = lexer.code.slice(start, start + length);
            let is_prefix = prefix
                .iter()
                .all(|byte| b"rbuft".contains(&byte.to_ascii_lowercase()));
            if is_prefix && matches!(lexer.peek(length), Some(b'"' | b'\'')) {
                lexer.at += length;
                string(lexer, start, prefix);
                return true;
            }
            false
        }
        _ => false,
    }
}

fn string(lexer: &mut Lexer<'_>, start: usize, prefix: &[u8]) {
    let has = |letter: u8| prefix.iter().any(|byte| byte.eq_ignore_ascii_case(&letter));
    let quote = lexer.peek(0).unwrap_or(b'"');
    let triple = [quote; 3];
    let close: &[u8] = if lexer.sees(&triple) {
        &triple
    } else {
        triple.get(..1).unwrap_or(&triple)
    };
    lexer.at += close.len();
    let parts = lexer.string(Form {
        open: None,
        close,
        escapes: if has(b'r') {
            Escapes::Raw
        } else {
            Escapes::Full
        },
        interpolation: if has(b'f') || has(b't') {
            Interpolation::Braces
        } else {
            Interpolation::None
        },
    });
    lexer.push(Kind::Text(parts), start);
}

/// Notes what `import` and `from` bind.
pub(super) fn statement(scan: &mut Scanner<'_>, tokens: &[Token], at: usize) {
    let mut next = at + 1;
    let dotted = |scan: &Scanner<'_>, next: &mut usize| {
        let mut name = Vec::new();
        while let Some(token) = tokens.get(*next) {
            let text = scan.text(token);
            let part = matches!(token.kind, Kind::Name) && !matches!(text, b"as" | b"import");
            if !part && text != b"." {
                break;
            }
            if part && !name.is_empty() && !name.ends_with(b".") {
                break;
            }
            name.extend_from_slice(text);
            *next += 1;
        }
        name
    };
    let from = if scan.is(tokens, at, b"from") {
        let module = dotted(scan, &mut next);
        if !scan.is(tokens, next, b"import") {
            return;
        }
        next += 1;
        Some(module)
    } else {
        None
    };
    if from.is_some() && scan.is(tokens, next, b"*") {
        scan.stars.push(from.unwrap_or_default());
        return;
    }
    if scan.is(tokens, next, b"(") {
        next += 1;
    }
    loop {
        let name = dotted(scan, &mut next);
        if name.is_empty() {
            return;
        }
        let mut bound = name
            .split(|byte| *byte == b'.')
            .next()
            .unwrap_or(&name)
            .to_vec();
        let mut target = bound.clone();
        if scan.is(tokens, next, b"as") {
            bound = tokens
                .get(next + 1)
                .map(|token| scan.text(token).to_vec())
                .unwrap_or_default();
            target.clone_from(&name);
            next += 2;
        }
        if let Some(module) = &from {
            target = [&module[..], b".", &name].concat();
        }
        let value = scan.given(&target);
        scan.bind(&bound, value.unwrap_or(Val::Symbol(target)));
        if !scan.is(tokens, next, b",") {
            return;
        }
        next += 1;
    }
}

/// `with a as b, c as d`: binds the names before what stands below is visited.
pub(super) fn with(scan: &mut Scanner<'_>, tokens: &[Token], at: usize) {
    let mut next = at + 1;
    if scan.is(tokens, next, b"(") {
        next += 1;
    }
    for _ in 0..8 {
        let (value, end) = scan.evaluate(tokens, next, tokens.len(), 0);
        if !scan.is(tokens, end, b"as") {
            return;
        }
        if let Some(name) = tokens.get(end + 1)
            && matches!(name.kind, Kind::Name)
        {
            scan.bind(scan.code.slice(name.start, name.end), value);
        }
        if !scan.is(tokens, end + 2, b",") {
            return;
        }
        next = end + 3;
    }
}
