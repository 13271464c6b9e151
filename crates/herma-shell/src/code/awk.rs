//! awk: `system`, pipes and files.

use super::lexer::Lexer;
use super::scan::Scanner;
use super::tokens::{Escapes, Form, Interpolation, Kind, Token};
use super::val::{Args, Val, bare};
use crate::value::{Origin, Value};

/// Reads one token that is awk's own; `false` for what all languages share.
pub(super) fn token(lexer: &mut Lexer<'_>) -> bool {
    let start = lexer.at;
    match lexer.peek(0) {
        Some(b'#') => lexer.skip_line(),
        Some(b'"') => {
            lexer.at += 1;
            let parts = lexer.string(Form {
                open: None,
                close: b"\"",
                escapes: Escapes::Full,
                interpolation: Interpolation::None,
            });
            lexer.push(Kind::Text(parts), start);
        }
        Some(b'/') if !lexer.behind_operand() => {
            lexer.at += 1;
            lexer.regex(start);
        }
        _ => return false,
    }
    true
}

/// Visits the program's tokens.
pub(super) fn walk(scan: &mut Scanner<'_>, tokens: &[Token]) {
    // Where the statement begins: what a pipe joins.
    let mut from = 0;
    let mut prints = false;
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Newline => {
                from = at + 1;
                prints = false;
            }
            Kind::Name => match scan.text(token) {
                b"print" | b"printf" => {
                    prints = true;
                    from = at;
                }
                b"system" if scan.is(tokens, at + 1, b"(") => {
                    let close = tokens.get(at + 1).map_or(at, |open| open.close);
                    let text = concatenation(scan, tokens, at + 2, close);
                    let args = scan.whole(tokens, at, close);
                    scan.shell(Some(&text), &args);
                }
                name if scan.is(tokens, at + 1, b"=") => {
                    let value = concatenation(scan, tokens, at + 2, tokens.len());
                    scan.bind(name, value);
                }
                _ => {}
            },
            Kind::Punct => match scan.text(token) {
                b";" | b"{" | b"}" => {
                    from = at + 1;
                    prints = false;
                }
                b"(" if !prints => from = at + 1,
                b"|" | b"|&" => {
                    if scan.is(tokens, at + 1, b"getline") {
                        let text = concatenation(scan, tokens, from, at);
                        let args = scan.whole(tokens, from, at);
                        scan.shell(Some(&text), &args);
                        // Some read the last of its parts alone.
                        if let Some(last) = at.checked_sub(1)
                            && last > from
                            && matches!(tokens.get(last).map(|it| &it.kind), Some(Kind::Text(_)))
                        {
                            let text = concatenation(scan, tokens, last, at);
                            scan.shell(Some(&text), &args);
                        }
                    } else if prints {
                        let command = concatenation(scan, tokens, at + 1, tokens.len());
                        let printed = concatenation(scan, tokens, from + 1, at);
                        let args = scan.whole(tokens, at, at + 1);
                        scan.shell(Some(&command), &args);
                        scan.shell_input(&[command], &printed, &args);
                    }
                }
                operator @ (b">" | b">>") if prints => {
                    let path = concatenation(scan, tokens, at + 1, tokens.len());
                    let args = scan.whole(tokens, at, at + 1);
                    let words: &[&str] = if operator == b">" {
                        &["tee"]
                    } else {
                        &["tee", "-a"]
                    };
                    let path = scan.value(&path);
                    scan.call(b"print >", words, vec![path], &args);
                }
                b"<" if (1..=2).any(|back| {
                    at.checked_sub(back)
                        .is_some_and(|at| scan.is(tokens, at, b"getline"))
                }) =>
                {
                    let path = concatenation(scan, tokens, at + 1, tokens.len());
                    let args = scan.whole(tokens, at, at + 1);
                    let path = scan.value(&path);
                    scan.call(b"getline", &["cat"], vec![path], &args);
                }
                _ => {}
            },
            _ => {}
        }
    }
}

/// Strings, names and fields that stand side by side.
pub(super) fn concatenation(
    scan: &mut Scanner<'_>,
    tokens: &[Token],
    from: usize,
    to: usize,
) -> Val {
    let mut out = Value::empty();
    let mut at = from;
    while at < to && at < from + 256 {
        let Some(token) = tokens.get(at) else {
            break;
        };
        match &token.kind {
            Kind::Text(_) | Kind::Number => {
                let (value, _) = scan.evaluate(tokens, at, at + 1, 0);
                out.append(&scan.value(&value));
            }
            Kind::Name => {
                if scan.is(tokens, at, b"getline") || scan.is(tokens, at, b"close") {
                    break;
                }
                if scan.is(tokens, at + 1, b"(") {
                    let close = tokens.get(at + 1).map_or(to, |open| open.close);
                    out.append(&Value::unknown(Origin::Output(scan.text(token).to_vec())));
                    at = close;
                } else {
                    let (value, _) = scan.evaluate(tokens, at, at + 1, 0);
                    out.append(&scan.value(&value));
                    if scan.is(tokens, at, b"ENVIRON") {
                        break;
                    }
                }
            }
            Kind::Punct => match scan.text(token) {
                b"$" => {
                    out.append(&Value::unknown(Origin::Variable(
                        [
                            &b"$"[..],
                            tokens
                                .get(at + 1)
                                .map_or(&b""[..], |next| bare(scan.text(next))),
                        ]
                        .concat(),
                    )));
                    at += 1;
                }
                b"(" | b")" => {}
                _ => break,
            },
            _ => break,
        }
        at += 1;
    }
    Val::Text(scan.bounded(out))
}

impl Scanner<'_> {
    /// A call over the tokens `from..=to`.
    pub(super) fn whole(&self, tokens: &[Token], from: usize, to: usize) -> Args {
        let start = tokens.get(from).map_or(0, |token| token.start);
        let end = tokens
            .get(to)
            .or_else(|| tokens.last())
            .map_or(start, |token| token.end);
        self.reported(start, end)
    }
}
