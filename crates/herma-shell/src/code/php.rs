//! PHP: tokens, and the calls that matter.

use super::effects::{self, mode_text};
use super::lexer::Lexer;
use super::scan::Scanner;
use super::text_values::{self, fetched};
use super::tokens::{Escapes, Form, Interpolation, Kind};
use super::val::{Args, Val};
use crate::value::{Origin, Value};

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
        Some(quote @ (b'"' | b'\'' | b'`')) => {
            lexer.at += 1;
            let parts = lexer.string(Form {
                open: None,
                close: &[quote],
                escapes: if quote == b'\'' {
                    Escapes::Quote
                } else {
                    Escapes::Full
                },
                interpolation: if quote == b'\'' {
                    Interpolation::None
                } else {
                    Interpolation::Php
                },
            });
            lexer.push(
                if quote == b'`' {
                    Kind::Command(parts)
                } else {
                    Kind::Text(parts)
                },
                start,
            );
        }
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

/// A call of a name.
pub(super) fn call(scan: &mut Scanner<'_>, name: &[u8], args: &Args) -> Val {
    let name = name.to_ascii_lowercase();
    known(scan, &name, args).unwrap_or_else(|| scan.result(&name, args))
}

fn is_remote(value: &Value) -> bool {
    let prefix = value.known_prefix();
    [&b"http://"[..], b"https://", b"ftp://"]
        .iter()
        .any(|scheme| prefix.starts_with(scheme))
}

fn known(scan: &mut Scanner<'_>, name: &[u8], args: &Args) -> Option<Val> {
    let first = args.get(0, &[]);
    Some(match name {
        b"system" | b"exec" | b"shell_exec" | b"passthru" | b"popen" => scan.shell(first, args),
        b"proc_open" => match first {
            Some(Val::List(words)) => {
                let words = words.clone();
                scan.program(&words, args)
            }
            _ => scan.shell(first, args),
        },
        b"pcntl_exec" => {
            let mut words: Vec<Val> = first.cloned().into_iter().collect();
            if let Some(Val::List(list)) = args.get(1, &[]) {
                words.extend(list.iter().cloned());
            }
            scan.program(&words, args)
        }
        b"unlink" => effects::delete(scan, name, first, args),
        b"rmdir" => effects::on_path(scan, name, &["rmdir"], first, args),
        b"file_put_contents" => {
            let append =
                matches!(args.get(2, &[]), Some(Val::Symbol(flag)) if flag == b"FILE_APPEND");
            let words: &[&str] = if append { &["tee", "-a"] } else { &["tee"] };
            effects::on_path(scan, name, words, first, args)
        }
        b"file_get_contents" | b"readfile" | b"file" | b"fopen" => {
            if first.is_some_and(|value| is_remote(&scan.value(value))) {
                return Some(fetched());
            }
            let mode = args
                .get(1, &["mode"])
                .filter(|_| name == b"fopen")
                .map(mode_text);
            effects::open(scan, name, first, mode.as_ref(), args)
        }
        b"curl_exec" => fetched(),
        b"rename" => effects::pair(scan, name, &["mv"], args),
        b"copy" => {
            let source = first.map(|value| scan.value(value));
            if source.as_ref().is_some_and(is_remote) {
                let file = args.get(1, &[]).cloned();
                return Some(effects::download(scan, name, first, file.as_ref(), args));
            }
            effects::pair(scan, name, &["cp"], args)
        }
        b"symlink" => effects::pair(scan, name, &["ln", "-s"], args),
        b"chmod" => effects::mode(scan, name, args),
        b"chown" => effects::owner(scan, name, args),
        b"posix_kill" => effects::kill(scan, name, args, false),
        b"eval" | b"assert" | b"create_function" => {
            if name == b"assert" && !matches!(first, Some(Val::Text(_))) {
                return None;
            }
            scan.run_code(first, args)
        }
        b"include" | b"require" | b"include_once" | b"require_once" => {
            if first.is_some_and(|value| is_remote(&scan.value(value))) {
                let text = fetched();
                return Some(scan.run_code(Some(&text), args));
            }
            return None;
        }
        b"array_map" | b"call_user_func" | b"call_user_func_array" => {
            let function = match first {
                Some(Val::Text(text)) => text.bytes().map(std::borrow::Cow::into_owned),
                _ => None,
            };
            let list = args.get(1, &[]).cloned();
            match (function, list) {
                (Some(function), Some(list)) => {
                    scan.apply_each(&function.to_ascii_lowercase(), &list, args)
                }
                _ => return None,
            }
        }
        b"array_walk" => {
            let function = args.get(1, &[]).cloned();
            match (function, first.cloned()) {
                (Some(Val::Text(text)), Some(list)) => {
                    let function = text.bytes()?.to_ascii_lowercase();
                    scan.apply_each(&function, &list, args)
                }
                _ => return None,
            }
        }
        b"array_filter" | b"array_values" | b"array_merge" | b"array_reverse" => {
            first.cloned().unwrap_or_else(Val::other)
        }
        b"glob" => scan.glob(first),
        b"scandir" => Val::Text(Value::unknown_words(Origin::Names)),
        b"array" => Val::List(args.positional()),
        b"getenv" => scan.variable(first),
        b"getcwd" => Val::text(b"."),
        b"base64_decode" => text_values::base64(scan, first),
        b"hex2bin" => text_values::hexadecimal(scan, first),
        b"chr" => text_values::character(scan, first),
        b"strrev" => {
            let text = first.map(|value| scan.value(value));
            Val::Text(text_values::reversed(&text.unwrap_or_default()))
        }
        b"escapeshellarg" | b"trim" | b"realpath" | b"strval" => {
            first.cloned().unwrap_or_else(Val::other)
        }
        b"implode" | b"join" => {
            let separator = first.map(|value| scan.value(value)).unwrap_or_default();
            match args.get(1, &[]) {
                Some(Val::List(values)) => {
                    let mut out = Value::empty();
                    for (index, value) in values.iter().enumerate() {
                        if index > 0 {
                            out.append(&separator);
                        }
                        out.append(&scan.value(value));
                    }
                    Val::Text(scan.bounded(out))
                }
                _ => return None,
            }
        }
        b"sys_get_temp_dir" | b"tempnam" => Val::Text(Value::unknown(Origin::Temporary)),
        b"fsockopen" | b"pfsockopen" => {
            if let (Some(host), Some(port)) = (first, args.get(1, &[])) {
                let (host, port) = (scan.value(host), scan.value(port));
                scan.connects_to(host, port);
            }
            Val::other()
        }
        b"stream_socket_client" => {
            let address = first.cloned();
            scan.connects(address.as_ref());
            Val::other()
        }
        _ => return None,
    })
}
