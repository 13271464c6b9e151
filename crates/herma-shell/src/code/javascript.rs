//! JavaScript and TypeScript: tokens and imports.

mod library;

pub(super) use self::library::call;
use super::lexer::Lexer;
use super::scan::Scanner;
use super::tokens::{Escapes, Form, Interpolation, Kind, Token};
use super::val::Val;
use crate::value::Value;

/// Reads one token that is JavaScript's own; `false` for what all languages share.
pub(super) fn token(lexer: &mut Lexer<'_>) -> bool {
    let start = lexer.at;
    match lexer.peek(0) {
        Some(b'/') if lexer.peek(1) == Some(b'/') => lexer.skip_line(),
        Some(b'/') if lexer.peek(1) == Some(b'*') => lexer.skip_past(b"*/"),
        Some(b'/') if !lexer.behind_operand() => {
            lexer.at += 1;
            lexer.regex(start);
        }
        Some(b'#') if start == 0 && lexer.peek(1) == Some(b'!') => lexer.skip_line(),
        Some(quote @ (b'"' | b'\'' | b'`')) => {
            lexer.at += 1;
            let parts = lexer.string(Form {
                open: None,
                close: &[quote],
                escapes: Escapes::Full,
                interpolation: if quote == b'`' {
                    Interpolation::Template
                } else {
                    Interpolation::None
                },
            });
            lexer.push(Kind::Text(parts), start);
        }
        _ => return false,
    }
    true
}

/// A module's functions by one name, however they are reached.
pub(super) fn canonical(name: Vec<u8>) -> Val {
    let mut name = name;
    for (prefix, short) in [
        (&b"node:"[..], &b""[..]),
        (b"globalThis.", b""),
        (b"global.", b""),
        (b"window.", b""),
        (b"fs/promises", b"fs"),
        (b"fs.promises", b"fs"),
        (b"fs-extra", b"fs"),
        (b"graceful-fs", b"fs"),
        (b"path/posix", b"path"),
        (b"path.posix", b"path"),
        (b"process.mainModule.require", b"require"),
        (b"module.require", b"require"),
    ] {
        if let Some(rest) = name.strip_prefix(prefix) {
            name = [short, rest].concat();
        }
    }
    if let Some(rest) = name.strip_suffix(b".default") {
        name = rest.to_vec();
    }
    Val::Symbol(name)
}

fn module(scan: &Scanner<'_>, value: Option<&Val>) -> Val {
    match value
        .map(|value| scan.value(value))
        .as_ref()
        .and_then(Value::bytes)
    {
        Some(name) => canonical(name.into_owned()),
        None => Val::other(),
    }
}

/// Notes what `import` and destructuring bind.
pub(super) fn statement(scan: &mut Scanner<'_>, tokens: &[Token], at: usize) {
    let import = scan.is(tokens, at, b"import");
    let mut next = at + 1;
    let mut names: Vec<(Vec<u8>, Option<Vec<u8>>)> = Vec::new();
    let name_at = |scan: &Scanner<'_>, at: usize| {
        tokens
            .get(at)
            .filter(|token| matches!(token.kind, Kind::Name))
            .map(|token| scan.text(token).to_vec())
    };
    if import && scan.is(tokens, next, b"type") {
        next += 1;
    }
    loop {
        if scan.is(tokens, next, b"{") {
            let close = tokens.get(next).map_or(next, |token| token.close);
            next += 1;
            while next < close {
                if !scan.pay(1) || names.len() > 256 {
                    return;
                }
                if let Some(name) = name_at(scan, next) {
                    let renamed =
                        scan.is(tokens, next + 1, b"as") || scan.is(tokens, next + 1, b":");
                    match name_at(scan, next + 2).filter(|_| renamed) {
                        Some(bound) => {
                            names.push((bound, Some(name)));
                            next += 3;
                            continue;
                        }
                        None => names.push((name.clone(), Some(name))),
                    }
                }
                next += 1;
            }
            next = close + 1;
        } else if import && scan.is(tokens, next, b"*") && scan.is(tokens, next + 1, b"as") {
            names.extend(name_at(scan, next + 2).map(|name| (name, None)));
            next += 3;
        } else if import && let Some(name) = name_at(scan, next).filter(|name| name != b"from") {
            names.push((name, None));
            next += 1;
        } else {
            break;
        }
        if !scan.is(tokens, next, b",") {
            break;
        }
        next += 1;
    }
    let from = if import && scan.is(tokens, next, b"from") {
        let (value, _) = scan.evaluate(tokens, next + 1, tokens.len().min(next + 2), 0);
        module(scan, Some(&value))
    } else if !import && !names.is_empty() && scan.is(tokens, next, b"=") {
        scan.evaluate(tokens, next + 1, tokens.len(), 0).0
    } else {
        return;
    };
    for (bound, member) in names {
        let value = match (&from, member) {
            (value, None) => value.clone(),
            (Val::Symbol(module), Some(member)) => canonical([&module[..], b".", &member].concat()),
            (map @ Val::Map(_), Some(member)) => {
                let key = String::from_utf8_lossy(&member).into_owned();
                map.key(&key).cloned().unwrap_or_else(Val::other)
            }
            (_, Some(_)) => continue,
        };
        scan.bind(&bound, value);
    }
}
