//! What Python's library functions do, and the methods of its paths.

use crate::code::effects;
use crate::code::library::{Call, Meaning, Table, meaning};
use crate::code::scan::Scanner;
use crate::code::starters;
use crate::code::text_values::{self, fetched};
use crate::code::val::{Args, Val};
use crate::value::{Origin, Value};

/// Names that the first argument has.
const FIRST: &[&str] = &["path", "args", "cmd", "command", "name", "filename", "src"];

/// Functions that run programs or code.
static RUNNING: &Table = &[
    (
        &[
            "os.system",
            "os.popen",
            "subprocess.getoutput",
            "subprocess.getstatusoutput",
            "commands.getoutput",
            "commands.getstatusoutput",
            "asyncio.create_subprocess_shell",
            "popen2.popen2",
            "os.popen2",
            "os.popen3",
            "pexpect.run",
            "pexpect.spawn",
        ],
        Meaning::Shell,
    ),
    (&["pty.spawn"], Meaning::Start),
    (
        &[
            "subprocess.run",
            "subprocess.call",
            "subprocess.check_call",
            "subprocess.check_output",
            "subprocess.Popen",
        ],
        Meaning::Own(|scan, call| {
            let directory = call.args.named("cwd");
            let start = |scan: &mut Scanner<'_>| subprocess(scan, call);
            Some(scan.within(directory, call.args, start))
        }),
    ),
    (&["os.chdir", "contextlib.chdir"], Meaning::Directory),
    (&["vars"], Meaning::Own(names_of)),
    (
        &["functools.partial", "partial"],
        Meaning::Own(|scan, call| match call.first {
            Some(Val::Symbol(name)) => {
                let list: Vec<_> = call.args.list.iter().skip(1).cloned().collect();
                if starters::is_starter(scan.language, name) {
                    scan.hand_on(call.args);
                }
                Some(Val::Partial(name.clone(), list))
            }
            _ => Some(Val::other()),
        }),
    ),
    (
        &["sh.Command", "plumbum.local.get"],
        Meaning::Own(|_, call| Some(Val::Program(call.args.words()))),
    ),
    (
        &["operator.methodcaller", "methodcaller"],
        Meaning::Own(called_later),
    ),
    (
        &["asyncio.create_subprocess_exec"],
        Meaning::Own(|scan, call| Some(scan.program(&call.args.positional(), call.args))),
    ),
    (
        &[
            "os.execv",
            "os.execvp",
            "os.execve",
            "os.execvpe",
            "os.posix_spawn",
            "os.posix_spawnp",
        ],
        Meaning::Own(|scan, call| replaced(scan, call.args, 0, Argv::List)),
    ),
    (
        &["os.execl", "os.execlp", "os.execle", "os.execlpe"],
        Meaning::Own(|scan, call| replaced(scan, call.args, 0, Argv::Arguments)),
    ),
    (
        &["os.spawnv", "os.spawnvp", "os.spawnve", "os.spawnvpe"],
        Meaning::Own(|scan, call| replaced(scan, call.args, 1, Argv::List)),
    ),
    (
        &["os.spawnl", "os.spawnlp", "os.spawnle", "os.spawnlpe"],
        Meaning::Own(|scan, call| replaced(scan, call.args, 1, Argv::Arguments)),
    ),
    (
        &[
            "exec",
            "eval",
            "compile",
            "builtins.exec",
            "builtins.eval",
            "__builtins__.exec",
            "__builtins__.eval",
        ],
        Meaning::Code,
    ),
    (
        &[
            "__import__",
            "importlib.import_module",
            "builtins.__import__",
        ],
        Meaning::Own(import),
    ),
    (&["getattr"], Meaning::Own(attribute)),
    (&["map", "list.map"], Meaning::Own(map)),
];

/// Functions that change or read files, and that signal processes.
static FILES: &Table = &[
    (&["shutil.rmtree"], Meaning::OnPath(&["rm", "-rf"])),
    (
        &["os.remove", "os.unlink", "send2trash.send2trash"],
        Meaning::OnPath(&["rm"]),
    ),
    (&["os.rmdir", "os.removedirs"], Meaning::OnPath(&["rmdir"])),
    (&["os.truncate"], Meaning::OnPath(&["truncate", "-s", "0"])),
    (
        &["os.rename", "os.replace", "os.renames", "shutil.move"],
        Meaning::Pair(&["mv"]),
    ),
    (
        &["shutil.copy", "shutil.copy2", "shutil.copyfile"],
        Meaning::Pair(&["cp"]),
    ),
    (&["shutil.copytree"], Meaning::Pair(&["cp", "-r"])),
    (&["os.symlink"], Meaning::Pair(&["ln", "-s"])),
    (&["os.link"], Meaning::Pair(&["ln"])),
    (&["os.chmod"], Meaning::Chmod),
    (&["os.chown", "shutil.chown"], Meaning::Chown),
    (&["os.kill"], Meaning::Kill),
    (&["os.killpg"], Meaning::KillGroup),
    (
        &["open", "io.open", "codecs.open", "builtins.open", "os.open"],
        Meaning::Open,
    ),
];

/// Functions that reach the network, and those that give standard input to it.
static NETWORK: &Table = &[
    (&["os.dup2"], Meaning::RedirectsInput),
    (&["socket.socket"], Meaning::Own(|_, _| Some(socket()))),
    (
        &["socket.create_connection"],
        Meaning::Own(|scan, call| {
            scan.connects(call.first);
            Some(socket())
        }),
    ),
    (
        &["socket.socket().connect", "socket.socket().connect_ex"],
        Meaning::Own(|scan, call| {
            scan.connects(call.first);
            Some(Val::other())
        }),
    ),
    (
        &[
            "urllib.request.urlretrieve",
            "urllib.urlretrieve",
            "wget.download",
        ],
        Meaning::Own(|scan, call| {
            let file = call.args.get(1, &["filename", "out"]);
            let (name, url) = (call.name, call.first);
            Some(effects::download(scan, name, url, file, call.args))
        }),
    ),
    (
        &[
            "urllib.request.urlopen",
            "urllib.request.Request",
            "urllib.urlopen",
            "urllib2.urlopen",
            "requests.get",
            "requests.post",
            "requests.put",
            "requests.patch",
            "requests.head",
            "httpx.get",
            "httpx.post",
            "httpx.put",
            "urlopen",
        ],
        Meaning::Request,
    ),
    (&["requests.request", "httpx.request"], Meaning::RequestOf),
    (
        &["requests.delete", "httpx.delete"],
        Meaning::Own(|scan, call| {
            let url = scan.value(&call.argument());
            let words = ["curl", "-X", "DELETE"];
            scan.call(call.name, &words, vec![url], call.args);
            Some(fetched())
        }),
    ),
];

/// Databases and settings in files.
static STORES: &Table = &[
    (
        &["sqlite3.connect", "sqlite3.connect().cursor"],
        Meaning::Own(|_, _| Some(database())),
    ),
    (
        &[
            "sqlite3.connect().execute",
            "sqlite3.connect().executemany",
            "sqlite3.connect().executescript",
        ],
        Meaning::Own(|scan, call| {
            let statement = scan.value(&call.argument());
            let operands = vec![Value::unknown(Origin::Other), statement];
            scan.call(call.name, &["sqlite3"], operands, call.args);
            Some(database())
        }),
    ),
    (
        &["dotenv.dotenv_values"],
        Meaning::Own(|scan, call| {
            let usual = Val::text(b".env");
            let path = call.first.or(call.args.named("dotenv_path"));
            let path = path.unwrap_or(&usual);
            Some(effects::open(scan, call.name, Some(path), None, call.args))
        }),
    ),
];

/// Functions whose result can be said.
static VALUES: &Table = &[
    (&["os.path.expanduser"], Meaning::HomeExpanded),
    (
        &[
            "os.path.expandvars",
            "os.path.abspath",
            "os.path.realpath",
            "os.path.normpath",
            "os.fspath",
            "str",
            "os.fsencode",
            "shlex.quote",
        ],
        Meaning::Argument,
    ),
    (&["os.path.join"], Meaning::JoinedPath),
    (&["os.getenv", "os.environ.get"], Meaning::Variable),
    (
        &["os.getcwd", "os.curdir", "pathlib.Path.cwd"],
        Meaning::WorkingDirectory,
    ),
    (
        &["pathlib.Path.home"],
        Meaning::Own(|_, _| {
            let home = Origin::Variable(b"HOME".to_vec());
            Some(Val::Path(Value::unknown(home)))
        }),
    ),
    (
        &[
            "pathlib.Path",
            "Path",
            "pathlib.PosixPath",
            "pathlib.PurePath",
        ],
        Meaning::Own(|scan, call| Some(Val::Path(scan.joined_path(&call.args.positional())))),
    ),
    (
        &[
            "tempfile.mkdtemp",
            "tempfile.mktemp",
            "tempfile.TemporaryDirectory",
        ],
        Meaning::Temporary,
    ),
    (&["tempfile.gettempdir"], Meaning::TemporaryDirectory),
    (&["os.listdir"], Meaning::Names),
    (
        &["os.scandir"],
        Meaning::Own(|scan, call| {
            let names = Meaning::Names.apply(scan, call)?;
            let path = scan.joined_path(&[call.argument(), names.clone()]);
            let entry = vec![
                (b"path".to_vec(), Val::Text(path)),
                (b"name".to_vec(), names),
            ];
            Some(Val::Map(entry))
        }),
    ),
    (&["glob.glob", "glob.iglob"], Meaning::Glob),
    (
        &[
            "base64.b64decode",
            "base64.decodebytes",
            "base64.standard_b64decode",
        ],
        Meaning::Base64,
    ),
    (
        &["bytes.fromhex", "binascii.unhexlify", "bytearray.fromhex"],
        Meaning::Hexadecimal,
    ),
    (
        &["codecs.decode"],
        Meaning::Own(|scan, call| {
            let codec = call.args.get(1, &["encoding"]);
            match codec.map(|value| scan.value(value)) {
                Some(codec) if !codec.is(b"hex") => Some(Val::other()),
                _ => Some(text_values::hexadecimal(scan, call.first)),
            }
        }),
    ),
    (&["chr"], Meaning::Character),
    (&["shlex.split"], Meaning::Words),
    (
        &["list", "tuple", "iter", "set"],
        Meaning::Own(|_, call| match call.first {
            Some(Val::Text(text)) if text.is_known() => Some(text_values::characters(text)),
            other => Some(other.cloned().unwrap_or_else(empty)),
        }),
    ),
    (
        &["sorted"],
        Meaning::Own(|_, call| match call.first {
            Some(Val::List(values)) => Some(text_values::sorted(values)),
            Some(Val::Text(text)) if text.is_known() => Some(Val::many()),
            other => Some(other.cloned().unwrap_or_else(empty)),
        }),
    ),
    (
        &["reversed"],
        Meaning::Own(|_, call| match call.first {
            Some(Val::List(values)) => Some(Val::List(values.iter().rev().cloned().collect())),
            Some(Val::Text(text)) => Some(text_values::characters(&text_values::reversed(text))),
            _ => Some(Val::many()),
        }),
    ),
];

/// Modules whose functions `from module import *` makes known.
const STAR: &[&[u8]] = &[b"os", b"shutil", b"subprocess", b"pathlib"];

/// A call of a name.
pub(in crate::code) fn call(scan: &mut Scanner<'_>, name: &[u8], args: &Args) -> Val {
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
    if is_program(scan.language, name) && meaning(RUNNING, name).is_none() {
        let mut words = program(name);
        words.extend(args.words());
        if let Some(fixed) = name.strip_suffix(b".bake") {
            let mut fixed = program(fixed);
            fixed.extend(args.words());
            return Val::Program(fixed);
        }
        return scan.program(&words, args);
    }
    known(scan, name, args).unwrap_or_else(|| {
        scan.hand_on(args);
        scan.result(name, args)
    })
}

fn known(scan: &mut Scanner<'_>, name: &[u8], args: &Args) -> Option<Val> {
    let call = Call {
        name,
        first: args.get(0, FIRST),
        args,
    };
    let meaning = [RUNNING, FILES, NETWORK, STORES, VALUES]
        .iter()
        .find_map(|table| meaning(table, name))?;
    meaning.apply(scan, &call)
}

fn subprocess(scan: &mut Scanner<'_>, call: &Call<'_>) -> Val {
    let args = call.args;
    let shell = args.named("shell").is_some_and(Val::may_be_true);
    let Some(first) = call.first else {
        return Val::other();
    };
    let words = match first {
        Val::List(words) if shell => return scan.shell(words.first(), args),
        text if shell => return scan.shell(Some(text), args),
        Val::List(words) => words.as_slice(),
        text => std::slice::from_ref(text),
    };
    let result = scan.program(words, args);
    if let Some(input) = args.named("input") {
        scan.shell_input(words, input, args);
    }
    result
}

/// How `os.exec*` and `os.spawn*` get argv.
enum Argv {
    /// As one list.
    List,
    /// As arguments of their own.
    Arguments,
}

/// `os.exec*` and `os.spawn*`: the path, then an argv whose first word is only a name. The path is
/// the argument behind the first `skip`.
fn replaced(scan: &mut Scanner<'_>, args: &Args, skip: usize, argv: Argv) -> Option<Val> {
    let positional = args.positional();
    let Some((path, rest)) = positional.get(skip..).and_then(<[Val]>::split_first) else {
        return Some(Val::other());
    };
    let mut words = vec![path.clone()];
    match (argv, rest.first()) {
        (Argv::List, Some(Val::List(argv))) => words.extend(argv.iter().skip(1).cloned()),
        (Argv::List, Some(_)) => words.push(Val::many()),
        (Argv::List, None) => {}
        (Argv::Arguments, _) => words.extend(
            rest.iter()
                .skip(1)
                .filter(|value| !matches!(value, Val::Map(_)))
                .cloned(),
        ),
    }
    Some(scan.program(&words, args))
}

/// `__import__("os")`
fn import(scan: &mut Scanner<'_>, call: &Call<'_>) -> Option<Val> {
    let module = call.first.map(|value| scan.value(value));
    Some(match module.as_ref().and_then(Value::bytes) {
        Some(module) => Val::Symbol(module.into_owned()),
        None => Val::other(),
    })
}

fn empty() -> Val {
    Val::List(Vec::new())
}

/// `vars(os)`
fn names_of(_: &mut Scanner<'_>, call: &Call<'_>) -> Option<Val> {
    match call.first {
        Some(Val::Symbol(of)) => Some(Val::Symbol([&of[..], b".__dict__"].concat())),
        _ => None,
    }
}

/// `getattr(os, "system")`
fn attribute(scan: &mut Scanner<'_>, call: &Call<'_>) -> Option<Val> {
    let attribute = call.args.get(1, &["name"]).map(|value| scan.value(value));
    Some(
        match (call.first, attribute.as_ref().and_then(Value::bytes)) {
            (Some(Val::Symbol(of)), Some(attribute)) => {
                Val::Symbol([&of[..], b".", &attribute].concat())
            }
            (Some(Val::Symbol(of)), None) if matches!(of.as_slice(), b"os" | b"subprocess") => {
                starters::chosen(scan.language, of, None)
            }
            _ => Val::other(),
        },
    )
}

/// `map(os.remove, names)`
fn map(scan: &mut Scanner<'_>, call: &Call<'_>) -> Option<Val> {
    match (call.first, call.args.get(1, &[])) {
        (Some(function @ (Val::Symbol(_) | Val::Partial(..))), Some(list)) => {
            Some(scan.apply_each(function, list, call.args))
        }
        _ => None,
    }
}

/// `methodcaller("system", "x")`: a function of the module that it will be given.
fn called_later(scan: &mut Scanner<'_>, call: &Call<'_>) -> Option<Val> {
    let method = scan.value(call.first?);
    let method = method.bytes()?;
    let args = Args {
        list: call.args.list.iter().skip(1).cloned().collect(),
        ..*call.args
    };
    for module in STAR {
        known(scan, &[module, b".".as_slice(), &method].concat(), &args);
    }
    Some(Val::other())
}

/// Whether the name stands for a program: modules whose names are those of programs.
pub(in crate::code) fn is_program(language: crate::code::Language, name: &[u8]) -> bool {
    language == crate::code::Language::Python
        && ([&b"sh."[..], b"plumbum.cmd."]
            .iter()
            .any(|module| name.starts_with(module))
            || name == b"plumbum.local")
        && !name.starts_with(b"sh.ErrorReturnCode")
        && name != b"sh.Command"
}

/// The words of such a name: `sh.git.status` is `git status`.
pub(in crate::code) fn program(name: &[u8]) -> Vec<Val> {
    let rest = [&b"sh."[..], b"plumbum.cmd."]
        .iter()
        .find_map(|module| name.strip_prefix(*module));
    let parts = rest.unwrap_or_default().split(|byte| *byte == b'.');
    let dashed = |part: &[u8]| -> Vec<u8> {
        let dash = |byte: &u8| if *byte == b'_' { b'-' } else { *byte };
        part.iter().map(dash).collect()
    };
    parts
        .filter(|part| !part.is_empty() && *part != b"bake" && *part != b"run")
        .map(|part| Val::text(&dashed(part)))
        .collect()
}

fn database() -> Val {
    Val::symbol(b"sqlite3.connect()")
}

fn socket() -> Val {
    Val::symbol(b"socket.socket()")
}

/// A method of a path; `None` when it is none.
pub(in crate::code) fn method(
    scan: &mut Scanner<'_>,
    path: &Value,
    name: &[u8],
    args: &Args,
) -> Option<Val> {
    let own = Val::Path(path.clone());
    let label = [b"Path.", name].concat();
    let label = label.as_slice();
    let operand = |name: &str| args.get(0, &[name]).cloned().unwrap_or_else(Val::other);
    Some(match name {
        b"unlink" => effects::on_path(scan, label, &["rm"], Some(&own), args),
        b"rmdir" => effects::on_path(scan, label, &["rmdir"], Some(&own), args),
        b"rmtree" => effects::on_path(scan, label, &["rm", "-rf"], Some(&own), args),
        b"write_text" | b"write_bytes" => effects::on_path(scan, label, &["tee"], Some(&own), args),
        b"read_text" | b"read_bytes" => effects::open(scan, label, Some(&own), None, args),
        b"open" => {
            let mode = args.get(0, &["mode"]);
            effects::open(scan, label, Some(&own), mode, args)
        }
        b"rename" | b"replace" => {
            effects::two(scan, label, &["mv"], &own, &operand("target"), args)
        }
        b"symlink_to" => effects::two(scan, label, &["ln", "-s"], &operand("target"), &own, args),
        b"chmod" => effects::mode_of(scan, label, &own, &operand("mode"), args),
        b"joinpath" => {
            let mut parts = vec![own];
            parts.extend(args.positional());
            Val::Path(scan.joined_path(&parts))
        }
        b"glob" | b"rglob" => {
            let pattern = scan.glob(args.get(0, &[]));
            Val::Path(scan.joined_path(&[own, pattern]))
        }
        b"iterdir" => {
            let list = Args {
                list: vec![(None, Val::Text(path.clone()))],
                ..*args
            };
            let call = Call::new(label, &list);
            match Meaning::Names.apply(scan, &call) {
                // Only of the root it is known what all of it is.
                Some(names) if path.is(b"/") => Val::Path(scan.joined_path(&[own, names])),
                _ => Val::Path(Value::unknown_words(Origin::Names)),
            }
        }
        b"expanduser" => Val::Path(scan.home_expanded(Some(&own))),
        b"resolve" | b"absolute" | b"as_posix" => own,
        _ => return None,
    })
}
