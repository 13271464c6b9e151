//! What JavaScript's library functions do: those of Node, Deno, Bun and packages in common use.

use super::{canonical, module};
use crate::code::effects;
use crate::code::library::{Call, Meaning, Table, meaning};
use crate::code::scan::Scanner;
use crate::code::starters;
use crate::code::text_values;
use crate::code::val::{Args, Argument, Val};
use crate::value::Value;

/// Functions that run programs or code.
static RUNNING: &Table = &[
    (
        &["require", "import"],
        Meaning::Own(|scan, call| Some(module(scan, call.first))),
    ),
    (
        &[
            "child_process.exec",
            "execa.command",
            "execaCommand",
            "shelljs.exec",
            "shell.exec",
            "Bun.$`",
            "bun.$`",
            "zx.$`",
            "execa.$`",
            "$`",
        ],
        Meaning::Shell,
    ),
    (
        &[
            "child_process.execFile",
            "child_process.spawn",
            "child_process.fork",
            "execa",
            "execa.execa",
            "cross-spawn",
            "cross-spawn.spawn",
        ],
        Meaning::Own(spawn),
    ),
    (&["Deno.Command", "Deno.run"], Meaning::Own(deno_command)),
    (&["Bun.spawn", "bun.spawn"], Meaning::Own(bun_spawn)),
    (
        &[
            "eval",
            "vm.runInNewContext",
            "vm.runInThisContext",
            "vm.runInContext",
            "vm.Script",
        ],
        Meaning::Code,
    ),
    (
        &["Function"],
        Meaning::Own(|scan, call| {
            // The body stands behind the names of the parameters.
            let body = call.args.positional().pop();
            Some(scan.run_code(body.as_ref(), call.args))
        }),
    ),
    (&["setTimeout", "setInterval"], Meaning::Own(timer)),
    (&["process.chdir", "Deno.chdir"], Meaning::Directory),
    (
        &["process.binding"],
        Meaning::Own(|scan, _| {
            scan.loads_starters = true;
            Some(Val::symbol(b"process.binding()"))
        }),
    ),
    (&["process.binding().spawn"], Meaning::Own(internal_spawn)),
    (&["Reflect.apply"], Meaning::Own(apply)),
];

/// Functions that change or read files, and that signal processes.
static FILES: &Table = &[
    (
        &["fs.rm", "Deno.remove"],
        Meaning::Own(|scan, call| remove(scan, call, &["rm"])),
    ),
    (
        &["fs.rmdir"],
        Meaning::Own(|scan, call| remove(scan, call, &["rmdir"])),
    ),
    (
        &[
            "rimraf",
            "rimraf.rimraf",
            "rimraf.sync",
            "fs.remove",
            "fs.emptyDir",
            "del",
            "del.deleteAsync",
            "del.delete",
            "trash",
        ],
        Meaning::Own(remove_matches),
    ),
    (&["shelljs.rm", "shell.rm"], Meaning::Own(shell_rm)),
    (&["fs.unlink"], Meaning::OnPath(&["rm"])),
    (
        &[
            "fs.writeFile",
            "fs.createWriteStream",
            "fs.outputFile",
            "fs.writeJson",
            "fs.writeJSON",
            "Deno.writeTextFile",
            "Deno.writeFile",
            "Deno.create",
            "Bun.write",
            "bun.write",
        ],
        Meaning::OnPath(&["tee"]),
    ),
    (&["fs.appendFile"], Meaning::OnPath(&["tee", "-a"])),
    (
        &[
            "Bun.file",
            "fs.readFile",
            "fs.createReadStream",
            "fs.readJson",
            "fs.readJSON",
            "Deno.readTextFile",
            "Deno.readFile",
        ],
        Meaning::Read,
    ),
    (
        &["fs.open", "Deno.open"],
        Meaning::Own(|scan, call| {
            let mode = call.args.get(1, &[]);
            Some(effects::open(scan, call.name, call.first, mode, call.args))
        }),
    ),
    (
        &["fs.truncate", "Deno.truncate"],
        Meaning::OnPath(&["truncate", "-s", "0"]),
    ),
    (
        &["fs.rename", "fs.move", "Deno.rename"],
        Meaning::Pair(&["mv"]),
    ),
    (&["fs.copyFile", "Deno.copyFile"], Meaning::Pair(&["cp"])),
    (&["fs.cp", "fs.copy"], Meaning::Pair(&["cp", "-r"])),
    (
        &["fs.symlink", "Deno.symlink"],
        Meaning::Pair(&["ln", "-s"]),
    ),
    (&["fs.link"], Meaning::Pair(&["ln"])),
    (&["fs.chmod", "Deno.chmod"], Meaning::Chmod),
    (&["fs.chown", "Deno.chown"], Meaning::Chown),
    (&["process.kill", "Deno.kill"], Meaning::Kill),
];

/// Functions that reach the network.
static NETWORK: &Table = &[
    (
        &[
            "fetch",
            "axios",
            "axios.get",
            "axios.post",
            "axios.put",
            "axios.patch",
            "axios.delete",
            "got.delete",
            "ky.delete",
            "http.get",
            "https.get",
            "http.request",
            "https.request",
            "got",
            "got.get",
            "got.post",
            "node-fetch",
            "undici.fetch",
            "undici.request",
            "navigator.sendBeacon",
        ],
        Meaning::Request,
    ),
    (
        &["net.connect", "net.createConnection", "Deno.connect"],
        Meaning::Own(|scan, call| {
            let args = call.args;
            let port = args.named("port").or(call.first);
            let named = args.named("host").or_else(|| args.named("hostname"));
            connects(scan, named.or_else(|| args.get(1, &[])), port);
            Some(socket())
        }),
    ),
    (&["net.Socket"], Meaning::Own(|_, _| Some(socket()))),
    (
        &["net.Socket().connect"],
        Meaning::Own(|scan, call| {
            connects(scan, call.args.get(1, &[]), call.first);
            Some(socket())
        }),
    ),
];

/// Functions whose result can be said.
static VALUES: &Table = &[
    (
        &[
            "Promise.resolve",
            "String.raw`",
            "util.promisify",
            "promisify",
            "path.normalize",
            "String",
            "path.toNamespacedPath",
            "fs.realpath",
        ],
        Meaning::Argument,
    ),
    (&["path.join", "path.resolve"], Meaning::JoinedPath),
    (&["os.homedir"], Meaning::Home),
    (&["os.tmpdir"], Meaning::TemporaryDirectory),
    (&["Deno.env.get"], Meaning::Variable),
    (&["process.cwd", "Deno.cwd"], Meaning::WorkingDirectory),
    (
        &["fs.mkdtemp", "Deno.makeTempDir", "Deno.makeTempFile"],
        Meaning::Temporary,
    ),
    (
        &["glob", "glob.glob", "glob.sync", "globby", "fs.glob"],
        Meaning::Glob,
    ),
    (&["fs.readdir"], Meaning::Names),
    (&["atob"], Meaning::Base64),
    (&["Buffer.from"], Meaning::Own(buffer)),
    (
        &["String.fromCharCode", "String.fromCodePoint"],
        Meaning::Own(characters),
    ),
];

/// A call of a name.
pub(in crate::code) fn call(scan: &mut Scanner<'_>, name: &[u8], args: &Args) -> Val {
    if let Some(value) = indirect(scan, name, args) {
        return value;
    }
    let directory = args
        .named("cwd")
        .filter(|_| starters::is_starter(scan.language, name))
        .cloned();
    scan.within(directory.as_ref(), args, |scan| {
        known(scan, name, args).unwrap_or_else(|| {
            scan.hand_on(args);
            scan.result(name, args)
        })
    })
}

/// `f.call(this, x)`, `f.apply(this, [x])`, `f.bind(this, x)`, and a promise of a module.
fn indirect(scan: &mut Scanner<'_>, name: &[u8], args: &Args) -> Option<Val> {
    let at = name.iter().rposition(|byte| *byte == b'.')?;
    let (function, method) = name.split_at(at);
    if function == b"Reflect" {
        return None;
    }
    let mut list: Vec<Argument> = args.list.iter().skip(1).cloned().collect();
    match method {
        b".call" => {}
        b".apply" => {
            list = match list.first() {
                Some((_, Val::List(values))) => {
                    values.iter().map(|value| (None, value.clone())).collect()
                }
                _ => vec![(None, Val::many())],
            };
        }
        // What is bound is called sooner or later.
        b".bind" if list.is_empty() || !starters::is_starter(scan.language, function) => {
            return Some(Val::symbol(function));
        }
        b".bind" => {}
        // `import("m").then(m => m.f)` gives the function.
        b".then" => {
            return match args.get(0, &[]) {
                Some(Val::Symbol(result)) if starters::is_starter(scan.language, result) => {
                    Some(Val::Symbol(result.clone()))
                }
                _ => None,
            };
        }
        _ => return None,
    }
    let args = Args {
        list,
        span: args.span,
        emit: args.emit,
    };
    Some(scan.dispatch(function, &args))
}

fn known(scan: &mut Scanner<'_>, name: &[u8], args: &Args) -> Option<Val> {
    let Val::Symbol(full) = canonical(name.to_vec()) else {
        return None;
    };
    let plain = full.strip_suffix(b"Sync").unwrap_or(&full);
    let meaning = [RUNNING, FILES, NETWORK, VALUES]
        .iter()
        .find_map(|table| meaning(table, plain))?;
    meaning.apply(scan, &Call::new(&full, args))
}

/// `spawn("rm", ["-rf", "/x"], {shell: true})`
fn spawn(scan: &mut Scanner<'_>, call: &Call<'_>) -> Option<Val> {
    let args = call.args;
    let mut words: Vec<Val> = call.first.cloned().into_iter().collect();
    match args.get(1, &[]) {
        Some(Val::List(list)) => words.extend(list.iter().cloned()),
        Some(Val::Map(_)) | None => {}
        Some(_) => words.push(Val::many()),
    }
    if !args.named("shell").is_some_and(Val::may_be_true) {
        return Some(scan.program(&words, args));
    }
    let mut text = Value::empty();
    for (index, word) in words.iter().enumerate() {
        if index > 0 {
            text.push_text(b" ", None);
        }
        text.append(&scan.value(word));
    }
    Some(scan.shell(Some(&Val::Text(text)), args))
}

/// `process.binding("spawn_sync").spawn({file: "rm", args: ["rm", …]})`
fn internal_spawn(scan: &mut Scanner<'_>, call: &Call<'_>) -> Option<Val> {
    let mut words: Vec<Val> = call.args.named("file").cloned().into_iter().collect();
    if let Some(Val::List(list)) = call.args.named("args") {
        words.extend(list.iter().skip(1).cloned());
    }
    Some(scan.program(&words, call.args))
}

/// `Reflect.apply(exec, null, ["x"])`
fn apply(scan: &mut Scanner<'_>, call: &Call<'_>) -> Option<Val> {
    let list = match call.args.get(2, &[]) {
        Some(Val::List(values)) => values.iter().map(|value| (None, value.clone())).collect(),
        _ => vec![(None, Val::many())],
    };
    let Some(Val::Symbol(function)) = call.first else {
        return None;
    };
    let args = Args {
        list,
        span: call.args.span,
        emit: call.args.emit,
    };
    Some(scan.dispatch(&function.clone(), &args))
}

/// `new Deno.Command("rm", {args: […]})`, `Deno.run({cmd: […]})`
fn deno_command(scan: &mut Scanner<'_>, call: &Call<'_>) -> Option<Val> {
    let mut words: Vec<Val> = match call.args.named("cmd") {
        Some(Val::List(words)) => words.clone(),
        _ => call.first.cloned().into_iter().collect(),
    };
    if let Some(Val::List(list)) = call.args.named("args") {
        words.extend(list.iter().cloned());
    }
    Some(scan.program(&words, call.args))
}

/// `Bun.spawn([…])`, `Bun.spawn({cmd: […]})`
fn bun_spawn(scan: &mut Scanner<'_>, call: &Call<'_>) -> Option<Val> {
    let words = match call.args.named("cmd").or(call.first)? {
        Val::List(words) => words.as_slice(),
        word => std::slice::from_ref(word),
    };
    Some(scan.program(words, call.args))
}

/// `setTimeout("code", …)`
fn timer(scan: &mut Scanner<'_>, call: &Call<'_>) -> Option<Val> {
    match call.first {
        Some(Val::Text(text)) if text.is_known() && !text.pieces.is_empty() => {
            Some(scan.run_code(call.first, call.args))
        }
        _ => None,
    }
}

/// Removes as `words` do, or with all that it holds when that is asked for.
fn remove(scan: &mut Scanner<'_>, call: &Call<'_>, words: &'static [&'static str]) -> Option<Val> {
    let recursive = call.args.named("recursive").is_some_and(Val::may_be_true);
    let words = if recursive { &["rm", "-rf"] } else { words };
    Meaning::OnPath(words).apply(scan, call)
}

/// Removes what matches patterns, with all that it holds.
fn remove_matches(scan: &mut Scanner<'_>, call: &Call<'_>) -> Option<Val> {
    let pattern = call.first.map(|value| match value {
        Val::List(values) => Val::List(values.iter().map(|value| scan.glob(Some(value))).collect()),
        value => scan.glob(Some(value)),
    });
    let (name, args) = (call.name, call.args);
    let words = ["rm", "-rf"];
    Some(effects::on_path(scan, name, &words, pattern.as_ref(), args))
}

/// `shell.rm("-rf", "/x")`
fn shell_rm(scan: &mut Scanner<'_>, call: &Call<'_>) -> Option<Val> {
    let mut words = vec![Val::text(b"rm")];
    words.extend(call.args.positional());
    let words = words.iter().flat_map(|word| scan.values(word)).collect();
    scan.call_words(call.name, words, call.args);
    Some(Val::other())
}

/// `Buffer.from(text, "base64")`
fn buffer(scan: &mut Scanner<'_>, call: &Call<'_>) -> Option<Val> {
    let codec = call.args.get(1, &[]).map(|value| scan.value(value));
    Some(match codec {
        Some(codec) if codec.is(b"base64") => text_values::base64(scan, call.first),
        Some(codec) if codec.is(b"hex") => text_values::hexadecimal(scan, call.first),
        _ => call.argument(),
    })
}

/// `String.fromCharCode(114, 109)`
fn characters(scan: &mut Scanner<'_>, call: &Call<'_>) -> Option<Val> {
    let mut text = Value::empty();
    for value in call.args.positional() {
        if let Val::Text(character) = text_values::character(scan, Some(&value)) {
            text.append(&character);
        }
    }
    Some(Val::Text(scan.bounded(text)))
}

fn socket() -> Val {
    Val::symbol(b"net.Socket()")
}

fn connects(scan: &mut Scanner<'_>, host: Option<&Val>, port: Option<&Val>) {
    if let (Some(host), Some(port)) = (host, port) {
        let (host, port) = (scan.value(host), scan.value(port));
        if host.is_known() {
            scan.connects_to(host, port);
        }
    }
}
