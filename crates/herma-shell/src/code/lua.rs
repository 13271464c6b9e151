//! Lua: tokens, and the calls that matter.

use super::effects;
use super::lexer::Lexer;
use super::scan::Scanner;
use super::tokens::{Escapes, Form, Interpolation, Kind};
use super::val::{Args, Val};
use crate::value::Value;

/// Reads one token that is Lua's own; `false` for what all languages share.
pub(super) fn token(lexer: &mut Lexer<'_>) -> bool {
    let start = lexer.at;
    match lexer.peek(0) {
        Some(b'-') if lexer.peek(1) == Some(b'-') => {
            lexer.at += 2;
            match long_bracket(lexer) {
                Some(level) => {
                    lexer.at += level + 2;
                    let close = closing(level);
                    lexer.skip_past(&close);
                }
                None => lexer.skip_line(),
            }
        }
        Some(b'[') => {
            let Some(level) = long_bracket(lexer) else {
                return false;
            };
            lexer.at += level + 2;
            if lexer.peek(0) == Some(b'\n') {
                lexer.at += 1;
            }
            let parts = lexer.string(Form {
                open: None,
                close: &closing(level),
                escapes: Escapes::None,
                interpolation: Interpolation::None,
            });
            lexer.push(Kind::Text(parts), start);
        }
        Some(quote @ (b'"' | b'\'')) => {
            lexer.at += 1;
            let parts = lexer.string(Form {
                open: None,
                close: &[quote],
                escapes: Escapes::Full,
                interpolation: Interpolation::None,
            });
            lexer.push(Kind::Text(parts), start);
        }
        _ => return false,
    }
    true
}

/// The level of a long bracket that begins here.
fn long_bracket(lexer: &Lexer<'_>) -> Option<usize> {
    if lexer.peek(0) != Some(b'[') {
        return None;
    }
    let mut level = 0;
    while level < 64 && lexer.peek(level + 1) == Some(b'=') {
        level += 1;
    }
    (lexer.peek(level + 1) == Some(b'[')).then_some(level)
}

fn closing(level: usize) -> Vec<u8> {
    let mut close = vec![b']'];
    close.resize(level + 1, b'=');
    close.push(b']');
    close
}

/// A call of a name.
pub(super) fn call(scan: &mut Scanner<'_>, name: &[u8], args: &Args) -> Val {
    let first = args.get(0, &[]);
    match name {
        b"os.execute" | b"io.popen" | b"vim.fn.system" => scan.shell(first, args),
        b"os.remove" => effects::on_path(scan, name, &["rm"], first, args),
        b"vim.fn.delete" | b"vim.fs.rm" | b"vim.uv.fs_unlink" | b"vim.loop.fs_unlink" => {
            let tree = args.get(1, &[]).is_some();
            let words: &[&str] = if tree { &["rm", "-rf"] } else { &["rm"] };
            effects::on_path(scan, name, words, first, args)
        }
        b"vim.fn.writefile" => {
            let path = args.get(1, &[]);
            effects::on_path(scan, name, &["tee"], path, args)
        }
        b"vim.cmd" | b"vim.api.nvim_command" => match first {
            // The editor's own command for shell text.
            Some(Val::Text(text)) if text.known_prefix().starts_with(b"!") => {
                let text = super::text_values::cut(text, 1, 0);
                scan.shell(Some(&Val::Text(text)), args)
            }
            _ => Val::other(),
        },
        b"os.rename" => effects::pair(scan, name, &["mv"], args),
        b"io.open" | b"io.lines" | b"io.output" => {
            let write = Val::text(b"w");
            let mode = if name == b"io.output" {
                Some(&write)
            } else {
                args.get(1, &[])
            };
            effects::open(scan, name, first, mode, args)
        }
        b"load" | b"loadstring" => scan.run_code(first, args),
        b"os.getenv" => scan.variable(first),
        b"os.tmpname" => Val::Text(Value::temporary()),
        b"ipairs" | b"pairs" | b"tostring" => first.cloned().unwrap_or_else(Val::other),
        b"require" => match first {
            Some(Val::Text(text)) => match text.bytes() {
                Some(name) => Val::Symbol(name.into_owned()),
                None => Val::other(),
            },
            _ => Val::other(),
        },
        _ => scan.result(name, args),
    }
}
