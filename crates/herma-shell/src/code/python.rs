//! Python: tokens, imports, and the calls that matter.

use super::effects::{self, mode_text};
use super::lexer::Lexer;
use super::scan::Scanner;
use super::text_values::{self, fetched};
use super::tokens::{Escapes, Form, Interpolation, Kind, Token};
use super::val::{Args, Val};
use crate::value::{Origin, Value};

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
        scan.bind(&bound, Val::Symbol(target));
        if !scan.is(tokens, next, b",") {
            return;
        }
        next += 1;
    }
}

/// Modules whose functions `from module import *` makes known.
const STAR: &[&[u8]] = &[b"os", b"shutil", b"subprocess", b"pathlib"];

/// A call of a name.
pub(super) fn call(scan: &mut Scanner<'_>, name: &[u8], args: &Args) -> Val {
    let stars: Vec<Vec<u8>> = if name.contains(&b'.') {
        Vec::new()
    } else {
        scan.stars
            .iter()
            .filter(|module| STAR.contains(&module.as_slice()))
            .map(|module| [&module[..], b".", name].concat())
            .collect()
    };
    for full in stars {
        if let Some(value) = known(scan, &full, args) {
            return value;
        }
    }
    known(scan, name, args).unwrap_or_else(|| scan.result(name, args))
}

fn known(scan: &mut Scanner<'_>, name: &[u8], args: &Args) -> Option<Val> {
    let first = args.get(
        0,
        &["path", "args", "cmd", "command", "name", "filename", "src"],
    );
    Some(match name {
        b"os.system"
        | b"os.popen"
        | b"subprocess.getoutput"
        | b"subprocess.getstatusoutput"
        | b"commands.getoutput"
        | b"commands.getstatusoutput"
        | b"asyncio.create_subprocess_shell"
        | b"popen2.popen2"
        | b"os.popen2"
        | b"os.popen3"
        | b"pexpect.run"
        | b"pexpect.spawn"
        | b"sh.bash" => scan.shell(first, args),
        b"pty.spawn" => match first {
            Some(Val::List(words)) => {
                let words = words.clone();
                scan.program(&words, args)
            }
            _ => scan.shell(first, args),
        },
        b"subprocess.run"
        | b"subprocess.call"
        | b"subprocess.check_call"
        | b"subprocess.check_output"
        | b"subprocess.Popen" => subprocess(scan, first, args),
        b"asyncio.create_subprocess_exec" => scan.program(&args.positional(), args),
        b"os.execv" | b"os.execvp" | b"os.execve" | b"os.execvpe" | b"os.posix_spawn"
        | b"os.posix_spawnp" => replaced(scan, args, 0, true),
        b"os.execl" | b"os.execlp" => replaced(scan, args, 0, false),
        b"os.execle" | b"os.execlpe" => replaced(scan, args, 0, false),
        b"os.spawnv" | b"os.spawnvp" | b"os.spawnve" | b"os.spawnvpe" => {
            replaced(scan, args, 1, true)
        }
        b"os.spawnl" | b"os.spawnlp" | b"os.spawnle" | b"os.spawnlpe" => {
            replaced(scan, args, 1, false)
        }
        b"shutil.rmtree" => effects::delete_tree(scan, name, first, args),
        b"os.remove" | b"os.unlink" | b"send2trash.send2trash" => {
            effects::delete(scan, name, first, args)
        }
        b"os.rmdir" | b"os.removedirs" => effects::on_path(scan, name, &["rmdir"], first, args),
        b"os.truncate" => effects::on_path(scan, name, &["truncate", "-s", "0"], first, args),
        b"os.rename" | b"os.replace" | b"os.renames" | b"shutil.move" => {
            effects::pair(scan, name, &["mv"], args)
        }
        b"shutil.copy" | b"shutil.copy2" | b"shutil.copyfile" => {
            effects::pair(scan, name, &["cp"], args)
        }
        b"shutil.copytree" => effects::pair(scan, name, &["cp", "-r"], args),
        b"os.symlink" => effects::pair(scan, name, &["ln", "-s"], args),
        b"os.link" => effects::pair(scan, name, &["ln"], args),
        b"os.chmod" => effects::mode(scan, name, args),
        b"os.chown" | b"shutil.chown" => effects::owner(scan, name, args),
        b"os.kill" => effects::kill(scan, name, args, false),
        b"os.killpg" => effects::kill(scan, name, args, true),
        b"open" | b"io.open" | b"codecs.open" | b"builtins.open" | b"os.open" => {
            let mode = args.get(1, &["mode"]).map(mode_text);
            effects::open(scan, name, first, mode.as_ref(), args)
        }
        b"os.dup2" => {
            scan.redirects_input = true;
            Val::other()
        }
        b"socket.socket" => Val::symbol(b"socket.socket()"),
        b"socket.create_connection" => {
            scan.connects(first);
            Val::symbol(b"socket.socket()")
        }
        b"socket.socket().connect" | b"socket.socket().connect_ex" => {
            scan.connects(first);
            Val::other()
        }
        b"exec" | b"eval" | b"compile" | b"builtins.exec" | b"builtins.eval"
        | b"__builtins__.exec" | b"__builtins__.eval" => scan.run_code(first, args),
        b"__import__" | b"importlib.import_module" | b"builtins.__import__" => {
            match first
                .map(|value| scan.value(value))
                .as_ref()
                .and_then(Value::bytes)
            {
                Some(module) => Val::Symbol(module.into_owned()),
                None => Val::other(),
            }
        }
        b"getattr" => {
            let attribute = args.get(1, &["name"]).map(|value| scan.value(value));
            match (first, attribute.as_ref().and_then(Value::bytes)) {
                (Some(Val::Symbol(of)), Some(attribute)) => {
                    Val::Symbol([&of[..], b".", &attribute].concat())
                }
                _ => Val::other(),
            }
        }
        b"urllib.request.urlretrieve" | b"urllib.urlretrieve" | b"wget.download" => {
            let file = args.get(1, &["filename", "out"]).cloned();
            effects::download(scan, name, first, file.as_ref(), args)
        }
        b"urllib.request.urlopen"
        | b"urllib.urlopen"
        | b"urllib2.urlopen"
        | b"requests.get"
        | b"requests.post"
        | b"requests.request"
        | b"httpx.get"
        | b"urlopen" => fetched(),
        b"requests.delete" | b"httpx.delete" => {
            let url = first.map_or_else(|| Value::unknown(Origin::Other), |url| scan.value(url));
            scan.call(name, &["curl", "-X", "DELETE"], vec![url], args);
            fetched()
        }
        b"os.path.expanduser" => Val::Text(scan.home_expanded(first)),
        b"os.path.expandvars"
        | b"os.path.abspath"
        | b"os.path.realpath"
        | b"os.path.normpath"
        | b"os.fspath"
        | b"str"
        | b"os.fsencode"
        | b"os.path.expandvar" => first.cloned().unwrap_or_else(Val::other),
        b"os.path.join" => scan.join_paths(&args.positional()),
        b"os.getenv" | b"os.environ.get" => scan.variable(first),
        b"os.getcwd" | b"os.curdir" | b"pathlib.Path.cwd" => Val::text(b"."),
        b"pathlib.Path.home" => Val::Path(Value::unknown(Origin::Variable(b"HOME".to_vec()))),
        b"pathlib.Path" | b"Path" | b"pathlib.PosixPath" | b"pathlib.PurePath" => {
            match scan.join_paths(&args.positional()) {
                Val::Text(text) => Val::Path(text),
                other => other,
            }
        }
        b"tempfile.mkdtemp" | b"tempfile.mktemp" | b"tempfile.gettempdir" => {
            Val::Text(Value::unknown(Origin::Temporary))
        }
        b"glob.glob" | b"glob.iglob" => scan.glob(first),
        b"base64.b64decode" | b"base64.decodebytes" | b"base64.standard_b64decode" => {
            text_values::base64(scan, first)
        }
        b"bytes.fromhex" | b"binascii.unhexlify" | b"bytearray.fromhex" | b"codecs.decode" => {
            text_values::hexadecimal(scan, first)
        }
        b"chr" => text_values::character(scan, first),
        b"shlex.split" => text_values::words(scan, first),
        b"shlex.quote" => first.cloned().unwrap_or_else(Val::other),
        b"list" | b"tuple" | b"sorted" | b"reversed" | b"iter" | b"set" => {
            first.cloned().unwrap_or_else(|| Val::List(Vec::new()))
        }
        b"map" | b"list.map" => match (first, args.get(1, &[])) {
            (Some(Val::Symbol(function)), Some(list)) => {
                let function = function.clone();
                scan.apply_each(&function, &list.clone(), args)
            }
            _ => return None,
        },
        _ => return None,
    })
}

fn subprocess(scan: &mut Scanner<'_>, first: Option<&Val>, args: &Args) -> Val {
    let shell = args.named("shell").is_some_and(Val::may_be_true);
    match first {
        Some(Val::List(words)) if shell => scan.shell(words.first(), args),
        Some(Val::List(words)) => {
            let words = words.clone();
            let result = scan.program(&words, args);
            if let Some(input) = args.named("input") {
                scan.shell_input(&words, input, args);
            }
            result
        }
        Some(text) if shell => scan.shell(Some(text), args),
        Some(text) => {
            let words = vec![text.clone()];
            let result = scan.program(&words, args);
            if let Some(input) = args.named("input") {
                scan.shell_input(&words, input, args);
            }
            result
        }
        None => Val::other(),
    }
}

/// `os.exec*` and `os.spawn*`: the path, then an argv whose first word is only a name.
fn replaced(scan: &mut Scanner<'_>, args: &Args, skip: usize, list: bool) -> Val {
    let positional = args.positional();
    let Some((path, rest)) = positional.get(skip..).and_then(<[Val]>::split_first) else {
        return Val::other();
    };
    let mut words = vec![path.clone()];
    if list {
        match rest.first() {
            Some(Val::List(argv)) => words.extend(argv.iter().skip(1).cloned()),
            Some(_) => words.push(Val::many()),
            None => {}
        }
    } else {
        words.extend(
            rest.iter()
                .skip(1)
                .filter(|value| !matches!(value, Val::Map(_)))
                .cloned(),
        );
    }
    scan.program(&words, args)
}

/// A method of a path; `None` when it is none.
pub(super) fn method(
    scan: &mut Scanner<'_>,
    path: &Value,
    name: &[u8],
    args: &Args,
) -> Option<Val> {
    let own = Val::Path(path.clone());
    let shown = String::from_utf8_lossy(name).into_owned();
    let label = format!("Path.{shown}");
    let label = label.as_bytes();
    Some(match name {
        b"unlink" => effects::delete(scan, label, Some(&own), args),
        b"rmdir" => effects::on_path(scan, label, &["rmdir"], Some(&own), args),
        b"rmtree" => effects::delete_tree(scan, label, Some(&own), args),
        b"write_text" | b"write_bytes" => effects::on_path(scan, label, &["tee"], Some(&own), args),
        b"read_text" | b"read_bytes" => effects::open(scan, label, Some(&own), None, args),
        b"open" => {
            let mode = args.get(0, &["mode"]).map(mode_text);
            effects::open(scan, label, Some(&own), mode.as_ref(), args)
        }
        b"rename" | b"replace" => {
            let target = args.get(0, &["target"]).cloned().unwrap_or_else(Val::other);
            effects::two(scan, label, &["mv"], &own, &target, args)
        }
        b"symlink_to" => {
            let target = args.get(0, &["target"]).cloned().unwrap_or_else(Val::other);
            effects::two(scan, label, &["ln", "-s"], &target, &own, args)
        }
        b"chmod" => {
            let mode = args.get(0, &["mode"]).cloned().unwrap_or_else(Val::other);
            effects::mode_of(scan, label, &own, &mode, args)
        }
        b"joinpath" => {
            let mut parts = vec![own];
            parts.extend(args.positional());
            match scan.join_paths(&parts) {
                Val::Text(text) => Val::Path(text),
                other => other,
            }
        }
        b"glob" | b"rglob" => {
            let pattern = scan.glob(args.get(0, &[]));
            match scan.join_paths(&[own, pattern]) {
                Val::Text(text) => Val::Path(text),
                other => other,
            }
        }
        b"iterdir" => Val::Path(Value::unknown_words(Origin::Names)),
        b"expanduser" => Val::Path(scan.home_expanded(Some(&own))),
        b"resolve" | b"absolute" | b"as_posix" => own,
        _ => return None,
    })
}
