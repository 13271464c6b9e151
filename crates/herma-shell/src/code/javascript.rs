//! JavaScript and TypeScript: tokens, imports, and the calls that matter.

use super::effects::{self, mode_text};
use super::lexer::Lexer;
use super::scan::Scanner;
use super::text_values::{self, fetched};
use super::tokens::{Escapes, Form, Interpolation, Kind, Token};
use super::val::{Args, Val};
use crate::value::{Origin, Value};

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

fn recursive(args: &Args) -> bool {
    args.named("recursive").is_some_and(Val::may_be_true)
}

/// A call of a name.
pub(super) fn call(scan: &mut Scanner<'_>, name: &[u8], args: &Args) -> Val {
    known(scan, name, args).unwrap_or_else(|| scan.result(name, args))
}

fn known(scan: &mut Scanner<'_>, name: &[u8], args: &Args) -> Option<Val> {
    let Val::Symbol(full) = canonical(name.to_vec()) else {
        return None;
    };
    let shown = full.clone();
    let plain = full.strip_suffix(b"Sync").unwrap_or(&full);
    let first = args.get(0, &[]);
    Some(match plain {
        b"require" | b"import" => module(scan, first),
        b"child_process.exec"
        | b"execa.command"
        | b"execaCommand"
        | b"shelljs.exec"
        | b"shell.exec"
        | b"Bun.$`"
        | b"bun.$`"
        | b"zx.$`"
        | b"execa.$`"
        | b"$`" => scan.shell(first, args),
        b"String.raw`" | b"util.promisify" | b"promisify" => {
            first.cloned().unwrap_or_else(Val::other)
        }
        b"child_process.execFile"
        | b"child_process.spawn"
        | b"child_process.fork"
        | b"execa"
        | b"execa.execa"
        | b"cross-spawn"
        | b"cross-spawn.spawn" => {
            let shell = args.named("shell").is_some_and(Val::may_be_true);
            let mut words: Vec<Val> = first.cloned().into_iter().collect();
            match args.get(1, &[]) {
                Some(Val::List(list)) => words.extend(list.iter().cloned()),
                Some(Val::Map(_)) | None => {}
                Some(_) => words.push(Val::many()),
            }
            if shell {
                let mut text = Value::empty();
                for (index, word) in words.iter().enumerate() {
                    if index > 0 {
                        text.push_text(b" ", None);
                    }
                    text.append(&scan.value(word));
                }
                scan.shell(Some(&Val::Text(text)), args)
            } else {
                scan.program(&words, args)
            }
        }
        b"Deno.Command" | b"Deno.run" => {
            let mut words: Vec<Val> = match args.named("cmd") {
                Some(Val::List(words)) => words.clone(),
                _ => first.cloned().into_iter().collect(),
            };
            if let Some(Val::List(list)) = args.named("args") {
                words.extend(list.iter().cloned());
            }
            scan.program(&words, args)
        }
        b"Bun.spawn" | b"bun.spawn" => match args.named("cmd").or(first) {
            Some(Val::List(words)) => {
                let words = words.clone();
                scan.program(&words, args)
            }
            Some(other) => {
                let words = vec![other.clone()];
                scan.program(&words, args)
            }
            None => return None,
        },
        b"fs.rm" | b"Deno.remove" | b"fs.rmdir" if recursive(args) => {
            effects::delete_tree(scan, &shown, first, args)
        }
        b"rimraf" | b"rimraf.rimraf" | b"rimraf.sync" | b"fs.remove" | b"fs.emptyDir" | b"del"
        | b"del.deleteAsync" | b"del.delete" | b"trash" => {
            let pattern = first.map(|value| match value {
                Val::List(values) => {
                    Val::List(values.iter().map(|value| scan.glob(Some(value))).collect())
                }
                value => scan.glob(Some(value)),
            });
            effects::delete_tree(scan, &shown, pattern.as_ref(), args)
        }
        b"fs.unlink" | b"fs.rm" | b"Deno.remove" => effects::delete(scan, &shown, first, args),
        b"fs.rmdir" => effects::on_path(scan, &shown, &["rmdir"], first, args),
        b"fs.writeFile"
        | b"fs.createWriteStream"
        | b"fs.outputFile"
        | b"fs.writeJson"
        | b"fs.writeJSON"
        | b"Deno.writeTextFile"
        | b"Deno.writeFile"
        | b"Deno.create"
        | b"Bun.write"
        | b"bun.write" => effects::on_path(scan, &shown, &["tee"], first, args),
        b"fs.appendFile" => effects::on_path(scan, &shown, &["tee", "-a"], first, args),
        b"fs.readFile"
        | b"fs.createReadStream"
        | b"fs.readJson"
        | b"fs.readJSON"
        | b"Deno.readTextFile"
        | b"Deno.readFile" => effects::open(scan, &shown, first, None, args),
        b"fs.open" | b"Deno.open" => {
            let mode = args.get(1, &[]).map(mode_text);
            effects::open(scan, &shown, first, mode.as_ref(), args)
        }
        b"fs.truncate" | b"Deno.truncate" => {
            effects::on_path(scan, &shown, &["truncate", "-s", "0"], first, args)
        }
        b"fs.rename" | b"fs.move" | b"Deno.rename" => effects::pair(scan, &shown, &["mv"], args),
        b"fs.copyFile" | b"Deno.copyFile" => effects::pair(scan, &shown, &["cp"], args),
        b"fs.cp" | b"fs.copy" => effects::pair(scan, &shown, &["cp", "-r"], args),
        b"fs.symlink" | b"Deno.symlink" => effects::pair(scan, &shown, &["ln", "-s"], args),
        b"fs.link" => effects::pair(scan, &shown, &["ln"], args),
        b"fs.chmod" | b"Deno.chmod" => effects::mode(scan, &shown, args),
        b"fs.chown" | b"Deno.chown" => effects::owner(scan, &shown, args),
        b"process.kill" | b"Deno.kill" => effects::kill(scan, &shown, args, false),
        b"shelljs.rm" | b"shell.rm" => {
            let mut words = vec![Val::text(b"rm")];
            words.extend(args.positional());
            let words = words.iter().flat_map(|word| scan.values(word)).collect();
            scan.call_words(&shown, words, args);
            Val::other()
        }
        b"eval"
        | b"Function"
        | b"vm.runInNewContext"
        | b"vm.runInThisContext"
        | b"vm.runInContext"
        | b"vm.Script" => {
            let last = args.positional();
            let text = if plain == b"Function" {
                last.last()
            } else {
                first
            };
            let text = text.cloned();
            scan.run_code(text.as_ref(), args)
        }
        b"setTimeout" | b"setInterval" => match first {
            Some(Val::Text(text)) if text.is_known() && !text.pieces.is_empty() => {
                scan.run_code(first, args)
            }
            _ => return None,
        },
        b"fetch" | b"axios" | b"axios.get" | b"axios.post" | b"http.get" | b"https.get"
        | b"http.request" | b"https.request" | b"got" | b"got.get" | b"node-fetch"
        | b"undici.fetch" | b"undici.request" => fetched(),
        b"path.join" | b"path.resolve" => scan.join_paths(&args.positional()),
        b"path.normalize" | b"String" | b"path.toNamespacedPath" | b"fs.realpath" => {
            first.cloned().unwrap_or_else(Val::other)
        }
        b"os.homedir" => Val::Text(Value::unknown(Origin::Variable(b"HOME".to_vec()))),
        b"Deno.env.get" => scan.variable(first),
        b"process.cwd" | b"Deno.cwd" => Val::text(b"."),
        b"os.tmpdir" | b"fs.mkdtemp" | b"Deno.makeTempDir" | b"Deno.makeTempFile" => {
            Val::Text(Value::unknown(Origin::Temporary))
        }
        b"glob" | b"glob.glob" | b"glob.sync" | b"globby" | b"fs.glob" => scan.glob(first),
        b"fs.readdir" => Val::Text(Value::unknown_words(Origin::Names)),
        b"atob" => text_values::base64(scan, first),
        b"Buffer.from" => {
            let codec = args.get(1, &[]).map(|value| scan.value(value));
            match codec {
                Some(codec) if codec.is(b"base64") => text_values::base64(scan, first),
                Some(codec) if codec.is(b"hex") => text_values::hexadecimal(scan, first),
                _ => first.cloned().unwrap_or_else(Val::other),
            }
        }
        b"String.fromCharCode" | b"String.fromCodePoint" => {
            let mut text = Value::empty();
            for value in args.positional() {
                if let Val::Text(character) = text_values::character(scan, Some(&value)) {
                    text.append(&character);
                }
            }
            Val::Text(scan.bounded(text))
        }
        b"net.connect" | b"net.createConnection" | b"Deno.connect" => {
            let port = args.named("port").or(first).cloned();
            let host = args
                .named("host")
                .or_else(|| args.named("hostname"))
                .or_else(|| args.get(1, &[]))
                .cloned();
            connects(scan, host.as_ref(), port.as_ref());
            Val::symbol(b"net.Socket()")
        }
        b"net.Socket" => Val::symbol(b"net.Socket()"),
        b"net.Socket().connect" => {
            let (port, host) = (first.cloned(), args.get(1, &[]).cloned());
            connects(scan, host.as_ref(), port.as_ref());
            Val::symbol(b"net.Socket()")
        }
        _ => return None,
    })
}

fn connects(scan: &mut Scanner<'_>, host: Option<&Val>, port: Option<&Val>) {
    if let (Some(host), Some(port)) = (host, port) {
        let (host, port) = (scan.value(host), scan.value(port));
        if host.is_known() {
            scan.connects_to(host, port);
        }
    }
}
