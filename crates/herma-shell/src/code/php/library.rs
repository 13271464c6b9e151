//! What PHP's functions do.

use crate::code::effects;
use crate::code::library::{Call, Meaning, Table, meaning};
use crate::code::scan::Scanner;
use crate::code::text_values::{self, fetched};
use crate::code::val::{Args, Val};

/// Functions that run programs or code.
static RUNNING: &Table = &[
    (
        &["system", "exec", "shell_exec", "passthru", "popen"],
        Meaning::Shell,
    ),
    (&["chdir"], Meaning::Directory),
    (&["proc_open"], Meaning::Start),
    (&["pcntl_exec"], Meaning::Own(pcntl_exec)),
    (&["eval", "create_function"], Meaning::Code),
    (
        &["assert"],
        Meaning::Own(|scan, call| match call.first {
            Some(Val::Text(_)) => Some(scan.run_code(call.first, call.args)),
            _ => None,
        }),
    ),
    (
        &["include", "require", "include_once", "require_once"],
        Meaning::Own(|scan, call| {
            is_remote(scan, call.first).then(|| scan.run_code(Some(&fetched()), call.args))
        }),
    ),
    (
        &["array_map", "call_user_func", "call_user_func_array"],
        Meaning::Own(|scan, call| each(scan, call, call.first, call.args.get(1, &[]))),
    ),
    (
        &["array_walk"],
        Meaning::Own(|scan, call| each(scan, call, call.args.get(1, &[]), call.first)),
    ),
];

/// Functions that change or read files, that signal processes, and that reach the network.
static FILES: &Table = &[
    (&["unlink"], Meaning::OnPath(&["rm"])),
    (&["rmdir"], Meaning::OnPath(&["rmdir"])),
    (&["file_put_contents"], Meaning::Own(put_contents)),
    (
        &["file_get_contents", "readfile", "file"],
        Meaning::Own(|scan, call| read(scan, call, None)),
    ),
    (
        &["fopen"],
        Meaning::Own(|scan, call| read(scan, call, call.args.get(1, &["mode"]))),
    ),
    (&["rename"], Meaning::Pair(&["mv"])),
    (&["copy"], Meaning::Own(copy)),
    (&["symlink"], Meaning::Pair(&["ln", "-s"])),
    (&["chmod"], Meaning::Chmod),
    (&["chown"], Meaning::Chown),
    (&["posix_kill"], Meaning::Kill),
    (&["curl_exec"], Meaning::Fetched),
    (&["curl_init"], Meaning::Request),
    (
        &["fsockopen", "pfsockopen"],
        Meaning::Own(|scan, call| {
            if let (Some(host), Some(port)) = (call.first, call.args.get(1, &[])) {
                let (host, port) = (scan.value(host), scan.value(port));
                scan.connects_to(host, port);
            }
            Some(Val::other())
        }),
    ),
    (
        &["stream_socket_client"],
        Meaning::Own(|scan, call| {
            scan.connects(call.first);
            Some(Val::other())
        }),
    ),
];

/// Functions whose result can be said.
static VALUES: &Table = &[
    (
        &[
            "array_values",
            "escapeshellarg",
            "trim",
            "realpath",
            "strval",
        ],
        Meaning::Argument,
    ),
    (
        &["array_reverse"],
        Meaning::Own(|_, call| match call.first {
            Some(Val::List(values)) => Some(Val::List(values.iter().rev().cloned().collect())),
            _ => Some(Val::many()),
        }),
    ),
    (
        &["array_filter", "array_merge"],
        // Some of them, or others as well.
        Meaning::Own(|_, call| match call.first {
            Some(Val::List(values)) => {
                let more = std::iter::once(Val::many());
                Some(Val::List(values.iter().cloned().chain(more).collect()))
            }
            other => Some(other.cloned().unwrap_or_else(Val::many)),
        }),
    ),
    (
        &["strtolower"],
        Meaning::Own(|scan, call| text_method(scan, call, b"lower")),
    ),
    (
        &["strtoupper"],
        Meaning::Own(|scan, call| text_method(scan, call, b"upper")),
    ),
    (
        &["str_split"],
        Meaning::Own(|scan, call| text_method(scan, call, b"chars")),
    ),
    (&["glob"], Meaning::Glob),
    (&["scandir"], Meaning::Names),
    (
        &["array"],
        Meaning::Own(|_, call| Some(Val::List(call.args.positional()))),
    ),
    (&["getenv"], Meaning::Variable),
    (&["getcwd"], Meaning::WorkingDirectory),
    (&["base64_decode"], Meaning::Base64),
    (&["hex2bin"], Meaning::Hexadecimal),
    (&["chr"], Meaning::Character),
    (
        &["strrev"],
        Meaning::Own(|scan, call| {
            let text = call.first.map(|value| scan.value(value));
            Some(Val::Text(text_values::reversed(&text.unwrap_or_default())))
        }),
    ),
    (&["implode", "join"], Meaning::Own(implode)),
    (&["tempnam"], Meaning::Temporary),
    (&["sys_get_temp_dir"], Meaning::TemporaryDirectory),
];

/// A call of a name, in letters of any case.
pub(in crate::code) fn call(scan: &mut Scanner<'_>, name: &[u8], args: &Args) -> Val {
    let name = name.to_ascii_lowercase();
    known(scan, &name, args).unwrap_or_else(|| scan.result(&name, args))
}

fn known(scan: &mut Scanner<'_>, name: &[u8], args: &Args) -> Option<Val> {
    let meaning = [RUNNING, FILES, VALUES]
        .iter()
        .find_map(|table| meaning(table, name))?;
    meaning.apply(scan, &Call::new(name, args))
}

/// Whether a file comes from the network.
fn is_remote(scan: &Scanner<'_>, file: Option<&Val>) -> bool {
    let prefix = file.map(|file| scan.value(file).known_prefix());
    let prefix = prefix.unwrap_or_default();
    [&b"http://"[..], b"https://", b"ftp://"]
        .iter()
        .any(|scheme| prefix.starts_with(scheme))
}

/// `pcntl_exec($path, $args)`
fn pcntl_exec(scan: &mut Scanner<'_>, call: &Call<'_>) -> Option<Val> {
    let mut words: Vec<Val> = call.first.cloned().into_iter().collect();
    if let Some(Val::List(list)) = call.args.get(1, &[]) {
        words.extend(list.iter().cloned());
    }
    Some(scan.program(&words, call.args))
}

/// A function, by its name in a string, called with each element of a list.
fn each(
    scan: &mut Scanner<'_>,
    call: &Call<'_>,
    function: Option<&Val>,
    list: Option<&Val>,
) -> Option<Val> {
    let (Some(Val::Text(function)), Some(list)) = (function, list) else {
        return None;
    };
    let function = function.bytes()?.to_ascii_lowercase();
    Some(scan.apply_each(&Val::Symbol(function), list, call.args))
}

/// A function of a text that others know as its method.
fn text_method(scan: &mut Scanner<'_>, call: &Call<'_>, method: &[u8]) -> Option<Val> {
    let text = scan.value(&call.argument());
    let none = Args {
        list: Vec::new(),
        span: call.args.span,
        emit: false,
    };
    text_values::method(scan, &text, method, &none)
}

fn put_contents(scan: &mut Scanner<'_>, call: &Call<'_>) -> Option<Val> {
    let words: &[&str] = match call.args.get(2, &[]) {
        Some(Val::Symbol(flag)) if flag == b"FILE_APPEND" => &["tee", "-a"],
        _ => &["tee"],
    };
    Meaning::OnPath(words).apply(scan, call)
}

fn read(scan: &mut Scanner<'_>, call: &Call<'_>, mode: Option<&Val>) -> Option<Val> {
    if is_remote(scan, call.first) {
        return Some(scan.request(call.name, call.first, call.args));
    }
    Some(effects::open(scan, call.name, call.first, mode, call.args))
}

fn copy(scan: &mut Scanner<'_>, call: &Call<'_>) -> Option<Val> {
    if !is_remote(scan, call.first) {
        return Meaning::Pair(&["cp"]).apply(scan, call);
    }
    let (name, url, args) = (call.name, call.first, call.args);
    Some(effects::download(scan, name, url, args.get(1, &[]), args))
}

fn implode(scan: &mut Scanner<'_>, call: &Call<'_>) -> Option<Val> {
    let Some(Val::List(values)) = call.args.get(1, &[]) else {
        return None;
    };
    let separator = call.first.map(|value| scan.value(value));
    Some(scan.joined(values, &separator.unwrap_or_default()))
}
