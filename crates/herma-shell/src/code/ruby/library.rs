//! What Ruby's methods do: those of its core and standard library, and of paths.

use crate::code::effects;
use crate::code::library::{Call, Meaning, Table, meaning};
use crate::code::scan::Scanner;
use crate::code::text_values::cut;
use crate::code::val::{Args, Val};
use crate::value::Value;

/// Methods that run programs or code.
static RUNNING: &Table = &[
    (
        &[
            "system",
            "exec",
            "spawn",
            "Kernel.system",
            "Kernel.exec",
            "Kernel.spawn",
            "Process.spawn",
            "Process.exec",
            "Open3.capture2",
            "Open3.capture2e",
            "Open3.capture3",
            "Open3.popen2",
            "Open3.popen3",
            "Open3.popen2e",
            "PTY.spawn",
        ],
        Meaning::Own(|scan, call| {
            let directory = call.args.named("chdir");
            let start = |scan: &mut Scanner<'_>| match call.args.words().as_slice() {
                [Val::List(words)] => scan.program(words, call.args),
                [text] => scan.shell(Some(text), call.args),
                words => scan.program(words, call.args),
            };
            Some(scan.within(directory, call.args, start))
        }),
    ),
    (
        &["Dir.chdir", "FileUtils.cd", "FileUtils.chdir"],
        Meaning::Directory,
    ),
    (
        &["IO.popen"],
        Meaning::Own(|scan, call| match call.args.words().as_slice() {
            [Val::List(words)] => Some(scan.program(words, call.args)),
            // A mode may follow.
            [text, ..] => Some(scan.shell(Some(text), call.args)),
            [] => Some(scan.program(&[], call.args)),
        }),
    ),
    (
        &["eval", "instance_eval", "class_eval", "Kernel.eval"],
        Meaning::Code,
    ),
];

/// Methods that change or read files, and that signal processes.
static FILES: &Table = &[
    (
        &["File.delete", "File.unlink"],
        Meaning::Own(|scan, call| {
            let all = Val::List(call.args.positional());
            let (name, args) = (call.name, call.args);
            Some(effects::on_path(scan, name, &["rm"], Some(&all), args))
        }),
    ),
    (
        &["Dir.rmdir", "Dir.delete", "Dir.unlink"],
        Meaning::OnPath(&["rmdir"]),
    ),
    (
        &["File.write", "IO.write", "File.binwrite"],
        Meaning::OnPath(&["tee"]),
    ),
    (
        &[
            "File.read",
            "IO.read",
            "File.readlines",
            "File.binread",
            "File.foreach",
        ],
        Meaning::Read,
    ),
    (&["File.open", "File.new"], Meaning::Open),
    (&["open", "Kernel.open"], Meaning::Own(open)),
    (&["File.rename"], Meaning::Pair(&["mv"])),
    (&["File.symlink"], Meaning::Pair(&["ln", "-s"])),
    (
        &["File.truncate"],
        Meaning::OnPath(&["truncate", "-s", "0"]),
    ),
    (
        &["File.chmod"],
        Meaning::Own(|scan, call| Some(effects::mode_first(scan, call.name, call.args))),
    ),
    (
        &["Process.kill"],
        Meaning::Own(|scan, call| Some(effects::signal_first(scan, call.name, call.args))),
    ),
];

/// Methods of `FileUtils`, which programs call without their module as well.
static FILE_UTILITIES: &Table = &[
    (
        &[
            "rm_rf",
            "rmtree",
            "rm_r",
            "remove_dir",
            "remove_entry",
            "remove_entry_secure",
            "safe_unlink",
        ],
        Meaning::OnPath(&["rm", "-rf"]),
    ),
    (&["rm", "rm_f", "remove"], Meaning::OnPath(&["rm"])),
    (&["mv", "move"], Meaning::Pair(&["mv"])),
    (
        &["cp", "copy", "copy_file", "install"],
        Meaning::Pair(&["cp"]),
    ),
    (&["cp_r"], Meaning::Pair(&["cp", "-r"])),
    (&["ln_s", "ln_sf"], Meaning::Pair(&["ln", "-s"])),
    (
        &["chmod"],
        Meaning::Own(|scan, call| {
            let path = call.args.get(1, &[]).cloned().unwrap_or_else(Val::other);
            let (name, mode) = (call.name, call.argument());
            Some(effects::mode_of(scan, name, &path, &mode, call.args))
        }),
    ),
    (
        &["chmod_R"],
        Meaning::Own(|scan, call| {
            let path = call.args.get(1, &[]).cloned().unwrap_or_else(Val::other);
            let mut operands = vec![scan.value(&call.argument())];
            operands.extend(scan.values(&path));
            scan.call(call.name, &["chmod", "-R"], operands, call.args);
            Some(Val::other())
        }),
    ),
];

/// Methods that reach the network, and those that give standard input to it.
static NETWORK: &Table = &[
    (
        &[
            "URI.open",
            "Net::HTTP.get",
            "Net.HTTP.get",
            "Net.HTTP.get_response",
            "Net.HTTP.get_print",
            "Net.HTTP.post",
            "Net.HTTP.post_form",
            "OpenURI.open_uri",
            "HTTParty.get",
            "HTTParty.post",
            "Faraday.get",
            "Faraday.post",
            "RestClient.get",
            "RestClient.post",
            "Excon.get",
            "Excon.post",
        ],
        Meaning::Request,
    ),
    (
        &["TCPSocket.new", "TCPSocket.open"],
        Meaning::Own(|scan, call| {
            if let (Some(host), Some(port)) = (call.first, call.args.get(1, &[])) {
                let (host, port) = (scan.value(host), scan.value(port));
                scan.connects_to(host, port);
            }
            Some(Val::symbol(b"socket"))
        }),
    ),
    (
        &[
            "STDIN.reopen",
            "STDOUT.reopen",
            "$stdin.reopen",
            "stdin.reopen",
        ],
        Meaning::RedirectsInput,
    ),
];

/// Methods whose result can be said.
static VALUES: &Table = &[
    (
        &["Dir.glob", "Dir.[]"],
        Meaning::Own(|scan, call| match call.first {
            Some(Val::List(values)) => {
                let names = values.iter().map(|value| scan.glob(Some(value)));
                Some(Val::List(names.collect()))
            }
            _ => Some(scan.glob(call.first)),
        }),
    ),
    (&["URI", "URI.parse"], Meaning::Argument),
    (&["Dir.home"], Meaning::Home),
    (&["Dir.pwd"], Meaning::WorkingDirectory),
    (&["Dir.mktmpdir"], Meaning::Temporary),
    (&["Dir.tmpdir"], Meaning::TemporaryDirectory),
    (&["Dir.children", "Dir.entries"], Meaning::Names),
    (&["ENV.fetch"], Meaning::Variable),
    (&["File.join"], Meaning::JoinedPath),
    (&["File.expand_path"], Meaning::HomeExpanded),
    (
        &["Pathname", "Pathname.new"],
        Meaning::Own(|scan, call| Some(Val::Path(scan.value(call.first?)))),
    ),
    (
        &["Base64.decode64", "Base64.strict_decode64"],
        Meaning::Base64,
    ),
    (&["Shellwords.split"], Meaning::Words),
];

/// A call of a name.
pub(in crate::code) fn call(scan: &mut Scanner<'_>, name: &[u8], args: &Args) -> Val {
    if let Some(value) = indirect(scan, name, args) {
        return value;
    }
    known(scan, name, args).unwrap_or_else(|| scan.result(name, args))
}

/// `send(:system, x)`, `method(:system).call(x)`: a function by its name.
fn indirect(scan: &mut Scanner<'_>, name: &[u8], args: &Args) -> Option<Val> {
    let (of, own) = match name.iter().rposition(|byte| *byte == b'.') {
        Some(at) => (name.get(..at)?, name.get(at + 1..)?),
        None => (&b""[..], name),
    };
    match own {
        b"send" | b"public_send" | b"__send__" => {
            let function = scan.value(args.get(0, &[])?);
            let function = function.bytes()?;
            let function = match of {
                b"" | b"self" | b"Object" => function.into_owned(),
                of => [of, b".", &*function].concat(),
            };
            let args = Args {
                list: args.list.iter().skip(1).cloned().collect(),
                span: args.span,
                emit: args.emit,
            };
            Some(scan.dispatch(&function, &args))
        }
        b"method" => {
            let function = scan.value(args.get(0, &[])?);
            Some(Val::Symbol(function.bytes()?.into_owned()))
        }
        b"call" | b"()" | b"===" | b"yield" if !of.is_empty() => Some(scan.dispatch(of, args)),
        _ => None,
    }
}

fn known(scan: &mut Scanner<'_>, name: &[u8], args: &Args) -> Option<Val> {
    let utility = name.strip_prefix(b"FileUtils.").unwrap_or(name);
    let meaning = [RUNNING, FILES, NETWORK, VALUES]
        .iter()
        .find_map(|table| meaning(table, name))
        .or_else(|| meaning(FILE_UTILITIES, utility))?;
    meaning.apply(scan, &Call::new(name, args))
}

/// `open`: a file, an address, or a pipe.
fn open(scan: &mut Scanner<'_>, call: &Call<'_>) -> Option<Val> {
    let path = call.first.map(|value| scan.value(value));
    let prefix = path.as_ref().map(Value::known_prefix).unwrap_or_default();
    if prefix.starts_with(b"|") {
        let text = path.map(|path| Val::Text(cut(&path, 1, 0)));
        return Some(scan.shell(text.as_ref(), call.args));
    }
    if prefix.starts_with(b"http://") || prefix.starts_with(b"https://") {
        return Some(scan.request(call.name, call.first, call.args));
    }
    Meaning::Open.apply(scan, call)
}

/// A method of a path; `None` when it is none.
pub(in crate::code) fn method(
    scan: &mut Scanner<'_>,
    path: &Value,
    name: &[u8],
    args: &Args,
) -> Option<Val> {
    let own = Val::Path(path.clone());
    let (label, words): (&[u8], &[&str]) = match name {
        b"rmtree" => (b"Pathname#rmtree", &["rm", "-rf"]),
        b"delete" | b"unlink" => (b"Pathname#delete", &["rm"]),
        b"rmdir" => (b"Pathname#rmdir", &["rmdir"]),
        b"write" => (b"Pathname#write", &["tee"]),
        b"read" => {
            let label = b"Pathname#read";
            return Some(effects::open(scan, label, Some(&own), None, args));
        }
        b"join" => {
            let mut parts = vec![own];
            parts.extend(args.positional());
            return Some(Val::Path(scan.joined_path(&parts)));
        }
        b"expand_path" | b"to_s" | b"realpath" => return Some(own),
        _ => return None,
    };
    Some(effects::on_path(scan, label, words, Some(&own), args))
}
