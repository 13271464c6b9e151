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
        (b"process.getBuiltinModule", b"require"),
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

/// Binds the names of an object pattern whose brace opens at `at`.
pub(super) fn destructure(scan: &mut Scanner<'_>, tokens: &[Token], at: usize, from: &Val) {
    let names = pattern(scan, tokens, at);
    for (bound, member) in names {
        if let Some(value) = member_of(scan, from, member) {
            scan.bind(&bound, value);
        }
    }
}

fn member_of(scan: &mut Scanner<'_>, from: &Val, member: Option<Vec<u8>>) -> Option<Val> {
    match (from, member) {
        (value, None) => Some(value.clone()),
        (of @ Val::Symbol(_), Some(member)) => Some(scan.member(of.clone(), &member)),
        (map @ Val::Map(_), Some(member)) => {
            let key = String::from_utf8_lossy(&member).into_owned();
            Some(map.key(&key).cloned().unwrap_or_else(Val::other))
        }
        (_, Some(_)) => None,
    }
}

/// A bound name and the member that it stands for; the value itself when there is none.
type Bound = (Vec<u8>, Option<Vec<u8>>);

/// The names that an object pattern binds.
fn pattern(scan: &mut Scanner<'_>, tokens: &[Token], open: usize) -> Vec<Bound> {
    let mut names = Vec::new();
    let close = tokens.get(open).map_or(open, |token| token.close);
    let mut next = open + 1;
    while next < close.min(tokens.len()) {
        if !scan.pay(1) || names.len() > 256 {
            break;
        }
        let (key, behind) = match tokens.get(next) {
            Some(token) if matches!(token.kind, Kind::Name) => {
                (Some(scan.text(token).to_vec()), next + 1)
            }
            Some(token) if matches!(token.kind, Kind::Text(_)) => {
                let (value, after) = scan.evaluate(tokens, next, next + 1, 0);
                let text = scan.value(&value);
                (text.bytes().map(std::borrow::Cow::into_owned), after)
            }
            // `["exec"]: run`
            Some(token) if scan.text(token) == b"[" && token.close < close => {
                let (value, _) = scan.evaluate(tokens, next + 1, token.close, 0);
                let text = scan.value(&value);
                (
                    text.bytes().map(std::borrow::Cow::into_owned),
                    token.close + 1,
                )
            }
            _ => (None, next + 1),
        };
        next = behind;
        let Some(key) = key else { continue };
        let renamed = scan.is(tokens, next, b"as") || scan.is(tokens, next, b":");
        let bound = tokens
            .get(next + 1)
            .filter(|token| renamed && matches!(token.kind, Kind::Name));
        match bound {
            Some(bound) => {
                names.push((scan.text(bound).to_vec(), Some(key)));
                next += 2;
            }
            None => names.push((key.clone(), Some(key))),
        }
    }
    names
}

fn module(scan: &mut Scanner<'_>, value: Option<&Val>) -> Val {
    let found = match value
        .map(|value| scan.value(value))
        .as_ref()
        .and_then(Value::bytes)
    {
        Some(name) => canonical(name.into_owned()),
        None => Val::other(),
    };
    scan.loads_starters |= matches!(&found, Val::Symbol(name) if name == b"child_process");
    found
}

/// Notes what `import` and destructuring bind.
pub(super) fn statement(scan: &mut Scanner<'_>, tokens: &[Token], at: usize) {
    let import = scan.is(tokens, at, b"import");
    let mut next = at + 1;
    let mut names: Vec<Bound> = Vec::new();
    if !import && scan.is(tokens, next, b"[") {
        return elements_of(scan, tokens, next);
    }
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
            names.extend(pattern(scan, tokens, next));
            next = close.saturating_add(1);
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
        if let Some(value) = member_of(scan, &from, member) {
            scan.bind(&bound, value);
        }
    }
}

/// `const [a, b] = list`
fn elements_of(scan: &mut Scanner<'_>, tokens: &[Token], open: usize) {
    let close = tokens.get(open).map_or(open, |token| token.close);
    if !scan.is(tokens, close.saturating_add(1), b"=") {
        return;
    }
    let (value, _) = scan.evaluate(tokens, close.saturating_add(2), tokens.len(), 0);
    let mut values = match value {
        Val::List(values) => values.into_iter(),
        _ => return,
    };
    let mut next = open + 1;
    while next < close && scan.pay(1) {
        if let Some(token) = tokens
            .get(next)
            .filter(|token| matches!(token.kind, Kind::Name))
        {
            let value = values.next().unwrap_or_else(Val::other);
            scan.bind(scan.text(token), value);
        }
        next += 1;
    }
}
