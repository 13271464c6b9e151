//! What calls of these languages' libraries do. Names are taken by their ends: how a source came to
//! know a module says nothing about what its function does.

use crate::code::Language;
use crate::code::effects;
use crate::code::library::{Call, Meaning, Table, meaning};
use crate::code::scan::Scanner;
use crate::code::text_values;
use crate::code::val::{Args, Val};
use crate::value::Value;

static C: &Table = &[
    (&["system", "std.system", "popen"], Meaning::Shell),
    (
        &["execl", "execlp", "execle"],
        Meaning::Own(|scan, call| replaced(scan, call.args, 0)),
    ),
    (
        &["execv", "execvp", "execve", "execvpe"],
        Meaning::Own(|scan, call| replaced(scan, call.args, 0)),
    ),
    (
        &["posix_spawn", "posix_spawnp"],
        Meaning::Own(|scan, call| {
            let words = [
                call.args.get(1, &[]).cloned(),
                call.args.get(4, &[]).cloned(),
            ];
            let list = words
                .into_iter()
                .flatten()
                .map(|value| (None, value))
                .collect();
            let args = Args { list, ..*call.args };
            replaced(scan, &args, 0)
        }),
    ),
    (
        &["remove", "unlink", "std.remove"],
        Meaning::OnPath(&["rm"]),
    ),
    (&["rmdir"], Meaning::OnPath(&["rmdir"])),
    (
        &["filesystem.remove_all", "fs.remove_all", "remove_all"],
        Meaning::OnPath(&["rm", "-rf"]),
    ),
    (
        &["filesystem.remove", "fs.remove"],
        Meaning::OnPath(&["rm"]),
    ),
    (
        &["rename", "filesystem.rename", "fs.rename"],
        Meaning::Pair(&["mv"]),
    ),
    (&["creat"], Meaning::OnPath(&["tee"])),
    (&["fopen", "freopen"], Meaning::Open),
    (&["chmod"], Meaning::Chmod),
    (&["chown", "lchown"], Meaning::Chown),
    (&["kill"], Meaning::Kill),
    (&["killpg"], Meaning::KillGroup),
    (
        &["sprintf"],
        Meaning::Own(|scan, call| printed(scan, call.args, 1)),
    ),
    (
        &["snprintf"],
        Meaning::Own(|scan, call| printed(scan, call.args, 2)),
    ),
    (
        &["strcpy", "strncpy"],
        Meaning::Own(|scan, call| {
            let text = call.args.get(1, &[]).cloned();
            bound(scan, call.args, text)
        }),
    ),
    (
        &["string", "std.string", "path", "fs.path", "filesystem.path"],
        Meaning::Argument,
    ),
];

static GO: &Table = &[
    (
        &["exec.Command"],
        Meaning::Own(|_, call| Some(Val::Program(call.args.positional()))),
    ),
    (
        &["exec.CommandContext"],
        Meaning::Own(|_, call| Some(Val::Program(rest(call.args, 1)))),
    ),
    (
        &["syscall.Exec", "unix.Exec", "os.StartProcess"],
        Meaning::Own(|scan, call| replaced(scan, call.args, 0)),
    ),
    (&["os.RemoveAll"], Meaning::OnPath(&["rm", "-rf"])),
    (
        &["os.Remove", "syscall.Unlink", "unix.Unlink"],
        Meaning::OnPath(&["rm"]),
    ),
    (&["os.Rename"], Meaning::Pair(&["mv"])),
    (
        &[
            "os.WriteFile",
            "ioutil.WriteFile",
            "os.Create",
            "os.Truncate",
        ],
        Meaning::OnPath(&["tee"]),
    ),
    (&["os.Chmod"], Meaning::Chmod),
    (&["os.Chown"], Meaning::Chown),
    (&["syscall.Kill", "unix.Kill"], Meaning::Kill),
    (
        &["fmt.Sprintf"],
        Meaning::Own(|scan, call| Some(percent(scan, call.args, 0))),
    ),
    (&["filepath.Join", "path.Join"], Meaning::JoinedPath),
    (&["os.Getenv"], Meaning::Variable),
    (&["os.TempDir"], Meaning::TemporaryDirectory),
    (&["strings.Fields"], Meaning::Words),
];

static RUST: &Table = &[
    (
        &["Command.new"],
        Meaning::Own(|_, call| Some(Val::Program(call.args.positional()))),
    ),
    (
        &["fs.remove_dir_all", "remove_dir_all"],
        Meaning::OnPath(&["rm", "-rf"]),
    ),
    (&["fs.remove_file", "remove_file"], Meaning::OnPath(&["rm"])),
    (
        &["fs.remove_dir", "remove_dir"],
        Meaning::OnPath(&["rmdir"]),
    ),
    (&["fs.rename"], Meaning::Pair(&["mv"])),
    (&["fs.copy"], Meaning::Pair(&["cp"])),
    (&["fs.write", "File.create"], Meaning::OnPath(&["tee"])),
    (&["libc.kill", "signal.kill"], Meaning::Kill),
    (&["libc.system"], Meaning::Shell),
    (
        &[
            "String.from",
            "Path.new",
            "PathBuf.from",
            "OsStr.new",
            "CString.new",
        ],
        Meaning::Argument,
    ),
    (&["env.temp_dir"], Meaning::TemporaryDirectory),
];

static JAVA: &Table = &[
    (
        &["Runtime.getRuntime"],
        Meaning::Own(|_, _| Some(Val::symbol(b"Runtime"))),
    ),
    (
        &["Runtime.exec"],
        Meaning::Own(|scan, call| {
            let words = match call.first {
                Some(Val::List(words)) => words.clone(),
                first => match text_values::words(scan, first) {
                    Val::List(words) => words,
                    other => vec![other],
                },
            };
            Some(scan.program(&words, call.args))
        }),
    ),
    (
        &["ProcessBuilder"],
        Meaning::Own(|_, call| {
            let words = call.args.positional().into_iter();
            let words = words.flat_map(|word| match word {
                Val::List(words) => words,
                word => vec![word],
            });
            Some(Val::Program(words.collect()))
        }),
    ),
    (
        &["List.of", "Arrays.asList"],
        Meaning::Own(|_, call| Some(Val::List(call.args.positional()))),
    ),
    (
        &["File", "Path.of", "Paths.get"],
        Meaning::Own(|scan, call| Some(Val::Path(scan.joined_path(&call.args.positional())))),
    ),
    (
        &["Files.delete", "Files.deleteIfExists"],
        Meaning::OnPath(&["rm"]),
    ),
    (
        &[
            "FileUtils.deleteDirectory",
            "FileUtils.forceDelete",
            "FileUtils.deleteQuietly",
        ],
        Meaning::OnPath(&["rm", "-rf"]),
    ),
    (
        &[
            "Files.write",
            "Files.writeString",
            "FileWriter",
            "FileOutputStream",
            "PrintWriter",
        ],
        Meaning::OnPath(&["tee"]),
    ),
    (&["Files.move"], Meaning::Pair(&["mv"])),
    (&["Files.copy"], Meaning::Pair(&["cp"])),
    (
        &["String.format"],
        Meaning::Own(|scan, call| Some(percent(scan, call.args, 0))),
    ),
    (&["System.getenv"], Meaning::Variable),
];

/// A call of a name.
pub(in crate::code) fn call(scan: &mut Scanner<'_>, name: &[u8], args: &Args) -> Val {
    let table = match scan.language {
        Language::Go => GO,
        Language::Rust => RUST,
        Language::Java => JAVA,
        _ => C,
    };
    let call = Call::new(name, args);
    let mut dots = name
        .iter()
        .enumerate()
        .rev()
        .filter(|(_, byte)| **byte == b'.')
        .map(|(at, _)| at + 1);
    let (last, pair) = (dots.next(), dots.next());
    // The whole name, then its last two parts.
    let found = meaning(table, name).or_else(|| {
        last?;
        meaning(table, name.get(pair.unwrap_or(0)..)?)
    });
    found
        .and_then(|meaning| meaning.apply(scan, &call))
        .unwrap_or_else(|| scan.result(name, args))
}

/// A method of a value; `None` when it is none of these languages'.
pub(in crate::code) fn method(
    scan: &mut Scanner<'_>,
    of: &Val,
    name: &[u8],
    args: &Args,
) -> Option<Val> {
    match of {
        Val::Program(words) => Some(match name {
            b"arg" | b"args" | b"command" => {
                let mut words = words.clone();
                for word in args.positional() {
                    match word {
                        Val::List(more) => words.extend(more),
                        word => words.push(word),
                    }
                }
                Val::Program(words)
            }
            b"status" | b"spawn" | b"output" | b"exec" | b"Run" | b"Start" | b"Output"
            | b"CombinedOutput" | b"start" => {
                let words = words.clone();
                scan.program(&words, args)
            }
            _ => of.clone(),
        }),
        Val::Path(path) => match name {
            b"delete" | b"deleteOnExit" => Some(effects::on_path(
                scan,
                b"File.delete",
                &["rm"],
                Some(of),
                args,
            )),
            b"toPath" | b"toString" | b"getPath" | b"toFile" => Some(Val::Path(path.clone())),
            _ => None,
        },
        Val::Text(_) => matches!(
            name,
            b"to_string"
                | b"to_owned"
                | b"into"
                | b"as_str"
                | b"clone"
                | b"c_str"
                | b"data"
                | b"as_ref"
                | b"unwrap"
                | b"to_str"
                | b"as_ptr"
        )
        .then(|| of.clone()),
        Val::List(_) => matches!(
            name,
            b"iter" | b"into_iter" | b"as_slice" | b"clone" | b"data"
        )
        .then(|| of.clone()),
        _ => None,
    }
}

fn rest(args: &Args, from: usize) -> Vec<Val> {
    args.positional().into_iter().skip(from).collect()
}

/// A path, then an argv whose first word is only a name: a list, or the arguments up to `NULL`.
fn replaced(scan: &mut Scanner<'_>, args: &Args, from: usize) -> Option<Val> {
    let given = rest(args, from);
    let (path, given) = given.split_first()?;
    let argv = match given.first() {
        Some(Val::List(argv)) => argv.as_slice(),
        _ => given,
    };
    let is_end = |word: &Val| {
        matches!(word, Val::Symbol(name)
            if matches!(name.as_slice(), b"NULL" | b"nullptr" | b"nil" | b"null"))
            || matches!(word, Val::Text(text) if text.is(b"0"))
    };
    let mut words = vec![path.clone()];
    words.extend(
        argv.iter()
            .skip(1)
            .take_while(|word| !is_end(word))
            .cloned(),
    );
    Some(scan.program(&words, args))
}

/// The text of `printf`'s format at an index with the values behind it.
fn percent(scan: &mut Scanner<'_>, args: &Args, at: usize) -> Val {
    let mut given = rest(args, at).into_iter();
    match given.next() {
        Some(Val::Text(format)) => text_values::percent(scan, &format, &Val::List(given.collect())),
        _ => Val::other(),
    }
}

/// `format!("… {} …", values)`
pub(super) fn format(scan: &mut Scanner<'_>, args: &Args) -> Val {
    let mut given = args.positional().into_iter();
    let Some(Val::Text(format)) = given.next() else {
        return Val::other();
    };
    let list = given.map(|value| (None, value)).collect();
    let args = Args { list, ..*args };
    text_values::method(scan, &format, b"format", &args).unwrap_or_else(Val::other)
}

/// `sprintf(text, format, …)`
fn printed(scan: &mut Scanner<'_>, args: &Args, at: usize) -> Option<Val> {
    let text = percent(scan, args, at);
    bound(scan, args, Some(text))
}

/// The name that the first argument is holds this from here on.
fn bound(scan: &mut Scanner<'_>, args: &Args, value: Option<Val>) -> Option<Val> {
    if let (Some(Val::Symbol(name)), Some(value)) = (args.get(0, &[]), value) {
        scan.bind(&name.clone(), value);
    }
    Some(Val::Text(Value::empty()))
}
