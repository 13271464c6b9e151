//! What Perl's functions do, those of its modules in common use as well.

use crate::code::effects;
use crate::code::library::{Call, Meaning, Table, meaning};
use crate::code::scan::Scanner;
use crate::code::text_values::{self, cut};
use crate::code::val::{Args, Val};
use crate::value::Value;

/// Functions by their names without modules.
static FUNCTIONS: &Table = &[
    (
        &["system", "exec"],
        // `exec {"rm"} "rm", …` names the program twice.
        Meaning::Own(|scan, call| match call.args.words().as_slice() {
            [text] => Some(scan.shell(Some(text), call.args)),
            words => Some(scan.program(words, call.args)),
        }),
    ),
    (
        &["eval"],
        Meaning::Own(|scan, call| match call.first {
            Some(Val::Map(_)) | None => None,
            Some(_) => Some(scan.run_code(call.first, call.args)),
        }),
    ),
    (
        &["unlink"],
        Meaning::Own(|scan, call| Some(on_all(scan, call, &["rm"]))),
    ),
    (
        &["rmdir"],
        Meaning::Own(|scan, call| Some(on_all(scan, call, &["rmdir"]))),
    ),
    (
        &["rmtree", "remove_tree"],
        Meaning::Own(|scan, call| {
            let paths = Val::List(call.args.words());
            let (name, words) = (call.name, ["rm", "-rf"]);
            Some(effects::on_path(
                scan,
                name,
                &words,
                Some(&paths),
                call.args,
            ))
        }),
    ),
    (&["rename", "move"], Meaning::Pair(&["mv"])),
    (&["copy"], Meaning::Pair(&["cp"])),
    (&["symlink"], Meaning::Pair(&["ln", "-s"])),
    (&["truncate"], Meaning::OnPath(&["truncate", "-s", "0"])),
    (
        &["chmod"],
        Meaning::Own(|scan, call| Some(effects::mode_first(scan, call.name, call.args))),
    ),
    (
        &["kill"],
        Meaning::Own(|scan, call| Some(effects::signal_first(scan, call.name, call.args))),
    ),
    (
        &["open"],
        Meaning::Own(|scan, call| Some(open(scan, call.args))),
    ),
    (&["glob"], Meaning::Glob),
    (&["get"], Meaning::Request),
    (
        &["getstore"],
        Meaning::Own(|scan, call| {
            let (name, url, file) = (call.name, call.first, call.args.get(1, &[]));
            Some(effects::download(scan, name, url, file, call.args))
        }),
    ),
    (
        &["sockaddr_in", "pack_sockaddr_in"],
        Meaning::Own(|_, call| {
            let host = call.args.get(1, &[]).cloned().unwrap_or_else(Val::other);
            Some(Val::Map(vec![
                (b"host".to_vec(), host),
                (b"port".to_vec(), call.argument()),
            ]))
        }),
    ),
    (&["inet_aton"], Meaning::Argument),
    (&["connect"], Meaning::Own(connect)),
    (&["decode_base64"], Meaning::Base64),
    (
        &["pack"],
        Meaning::Own(|scan, call| {
            let data = call.args.get(1, &[]);
            Some(text_values::hexadecimal(scan, data))
        }),
    ),
    (&["chr"], Meaning::Character),
    (&["chdir"], Meaning::Directory),
    (
        &["reverse"],
        Meaning::Own(|scan, call| Some(reversed(&topic(scan, call.args)))),
    ),
    (
        &["sort"],
        Meaning::Own(|_, call| Some(text_values::sorted(&call.args.positional()))),
    ),
    (
        &["split"],
        Meaning::Own(|scan, call| {
            let text = call.args.get(1, &[]).map(|value| scan.value(value));
            Some(split(call.first, &text.unwrap_or_default()))
        }),
    ),
    (&["sprintf"], Meaning::Own(formatted)),
    (&["lc", "uc", "ucfirst", "lcfirst"], Meaning::Own(cased)),
    (
        &["join"],
        Meaning::Own(|scan, call| {
            let separator = scan.value(&call.argument());
            let values = call.args.positional();
            let values = values.get(1..).unwrap_or_default();
            Some(scan.joined(values, &separator))
        }),
    ),
];

/// A call of a name.
pub(in crate::code) fn call(scan: &mut Scanner<'_>, name: &[u8], args: &Args) -> Val {
    let method = name.contains(&b'.');
    // Methods of objects that are not known do nothing; those of classes are below.
    if method {
        return class_call(scan, name, args);
    }
    known(scan, super::base(name), args).unwrap_or_else(|| scan.result(name, args))
}

fn class_call(scan: &mut Scanner<'_>, name: &[u8], args: &Args) -> Val {
    match name {
        b"IO::Socket::INET.new" | b"IO::Socket.new" => {
            if let Some(address) = args.named("PeerAddr").or_else(|| args.named("PeerHost")) {
                let port = args.named("PeerPort");
                match port {
                    Some(port) => {
                        let (host, port) = (scan.value(address), scan.value(port));
                        scan.connects_to(host, port);
                    }
                    None => {
                        let address = address.clone();
                        scan.connects(Some(&address));
                    }
                }
            } else {
                let address = args.get(0, &[]).cloned();
                scan.connects(address.as_ref());
            }
            Val::other()
        }
        b"STDIN.fdopen" | b"STDOUT.fdopen" => {
            scan.redirects_input = true;
            Val::other()
        }
        _ if name.ends_with(b".get") && name.to_ascii_lowercase().starts_with(b"lwp") => {
            scan.request(name, args.get(0, &[]), args)
        }
        _ => scan.result(name, args),
    }
}

fn known(scan: &mut Scanner<'_>, name: &[u8], args: &Args) -> Option<Val> {
    meaning(FUNCTIONS, name)?.apply(scan, &Call::new(name, args))
}

/// The arguments, or the topic when there are none.
fn topic(scan: &Scanner<'_>, args: &Args) -> Vec<Val> {
    let values = args.positional();
    if !values.is_empty() {
        return values;
    }
    let topic = scan.env.get(&b"_"[..]).cloned();
    vec![topic.unwrap_or_else(|| Val::symbol(b"_"))]
}

/// A list backwards; one text is turned around where a single value is wanted, which its place
/// decides, so that it may be either.
fn reversed(values: &[Val]) -> Val {
    match values {
        [Val::Text(text)] => Val::Any(vec![
            Val::Text(text_values::reversed(text)),
            Val::Text(text.clone()),
        ]),
        values => Val::List(values.iter().rev().cloned().collect()),
    }
}

/// `split //, text` and separators without a pattern in them.
fn split(separator: Option<&Val>, text: &Value) -> Val {
    let Some(Val::Symbol(regex)) = separator else {
        return Val::many();
    };
    let inner = regex
        .strip_prefix(b"/")
        .and_then(|rest| rest.strip_suffix(b"/"));
    match (inner, text.bytes()) {
        (Some(b""), Some(_)) => text_values::characters(text),
        (Some(&[byte]), Some(bytes))
            if byte.is_ascii_alphanumeric() || b", :;-_".contains(&byte) =>
        {
            Val::List(
                bytes
                    .split(|own| *own == byte)
                    .map(|part| Val::Text(Value::computed(part)))
                    .collect(),
            )
        }
        _ => Val::many(),
    }
}

fn formatted(scan: &mut Scanner<'_>, call: &Call<'_>) -> Option<Val> {
    let values = call.args.positional();
    let (format, rest) = values.split_first()?;
    let format = scan.value(format);
    Some(
        match text_values::percent(scan, &format, &Val::List(rest.to_vec())) {
            Val::Text(text) => Val::Text(scan.bounded(text)),
            other => other,
        },
    )
}

/// `lc`, `uc` and their kind.
fn cased(scan: &mut Scanner<'_>, call: &Call<'_>) -> Option<Val> {
    let given = topic(scan, call.args);
    let text = scan.value(given.first()?);
    let Some(mut bytes) = text.bytes().map(std::borrow::Cow::into_owned) else {
        return Some(text_values::derived(&text));
    };
    let first = usize::from(!bytes.is_empty());
    match call.name {
        b"lc" => bytes.make_ascii_lowercase(),
        b"uc" => bytes.make_ascii_uppercase(),
        b"ucfirst" => bytes.get_mut(..first)?.make_ascii_uppercase(),
        _ => bytes.get_mut(..first)?.make_ascii_lowercase(),
    }
    let mut out = Value::computed(bytes);
    out.decoded = text.decoded;
    Some(Val::Text(out))
}

/// A command on the paths of all arguments; without any, on the topic.
fn on_all(scan: &mut Scanner<'_>, call: &Call<'_>, words: &[&str]) -> Val {
    let mut paths = call.args.positional();
    if paths.is_empty() {
        paths.push(Val::symbol(b"_"));
    }
    effects::on_path(scan, call.name, words, Some(&Val::List(paths)), call.args)
}

/// `connect($socket, sockaddr_in($port, inet_aton($host)))`
fn connect(scan: &mut Scanner<'_>, call: &Call<'_>) -> Option<Val> {
    if let Some(address @ Val::Map(_)) = call.args.get(1, &[]) {
        let host = address.key("host").map(|value| scan.value(value));
        let port = address.key("port").map(|value| scan.value(value));
        if let (Some(host), Some(port)) = (host, port) {
            scan.connects_to(host, port);
        }
    }
    Some(Val::other())
}

/// `open`: with a mode in front of the name or as an argument of its own, or a pipe.
fn open(scan: &mut Scanner<'_>, args: &Args) -> Val {
    let positional = args.positional();
    let handle = positional.first();
    let Some(second) = positional.get(1).map(|value| scan.value(value)) else {
        return Val::other();
    };
    if let Some(Val::Symbol(handle)) = handle
        && matches!(handle.as_slice(), b"STDIN" | b"STDOUT" | b"STDERR")
        && (second.known_prefix().contains(&b'&'))
    {
        scan.redirects_input = true;
        return Val::other();
    }
    let rest = positional.get(2..).unwrap_or_default();
    if !rest.is_empty() {
        let mode = second.known_prefix();
        let mode = mode.trim_ascii();
        if mode.starts_with(b"|-") || mode.starts_with(b"-|") {
            return match rest {
                [one] => scan.shell(Some(one), args),
                words => scan.program(words, args),
            };
        }
        return by_mode(scan, mode, rest.first(), args);
    }
    let prefix = second.known_prefix();
    let suffix = second.known_suffix();
    let trimmed = prefix.trim_ascii_start();
    if trimmed.starts_with(b"|") {
        let skip = prefix.len() - trimmed.len() + 1;
        return scan.shell(Some(&Val::Text(cut(&second, skip, 0))), args);
    }
    if suffix.trim_ascii_end().ends_with(b"|") {
        let skip = suffix.len() - suffix.trim_ascii_end().len() + 1;
        return scan.shell(Some(&Val::Text(cut(&second, 0, skip))), args);
    }
    let length = trimmed
        .iter()
        .take_while(|byte| b"<>+ ".contains(byte))
        .count();
    let mode = trimmed.get(..length).unwrap_or_default().to_vec();
    let path = cut(&second, prefix.len() - trimmed.len() + length, 0);
    by_mode(scan, &mode, Some(&Val::Text(path)), args)
}

fn by_mode(scan: &mut Scanner<'_>, mode: &[u8], path: Option<&Val>, args: &Args) -> Val {
    let mode: &[u8] = if mode.starts_with(b">>") || mode.starts_with(b"+>>") {
        b"a"
    } else if mode.contains(&b'>') {
        b"w"
    } else if mode.contains(&b'+') {
        b"r+"
    } else {
        b"r"
    };
    effects::open(scan, b"open", path, Some(&Val::text(mode)), args)
}
