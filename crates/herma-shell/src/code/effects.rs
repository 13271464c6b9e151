//! Library calls as the argv with the same effect.

use super::scan::Scanner;
use super::val::{Args, Val};
use crate::value::{Origin, Value};

/// `words -- operands`
fn emit(
    scan: &mut Scanner<'_>,
    name: &[u8],
    words: &[&str],
    operands: Vec<Value>,
    args: &Args,
) -> Val {
    scan.call(name, words, operands, args);
    Val::other()
}

/// The operands that an argument names; unknown when it is missing.
fn operands(scan: &Scanner<'_>, value: Option<&Val>) -> Vec<Value> {
    match value {
        Some(value) => scan.values(value),
        None => vec![Value::unknown(Origin::Other)],
    }
}

/// A command on one path (or on each of a list).
pub(super) fn on_path(
    scan: &mut Scanner<'_>,
    name: &[u8],
    words: &[&str],
    path: Option<&Val>,
    args: &Args,
) -> Val {
    let operands = operands(scan, path);
    emit(scan, name, words, operands, args)
}

/// A command from one path to another: the first two arguments.
pub(super) fn pair(scan: &mut Scanner<'_>, name: &[u8], words: &[&str], args: &Args) -> Val {
    let from = args.get(0, &["src", "source"]).cloned();
    let to = args.get(1, &["dst", "target"]).cloned();
    two(
        scan,
        name,
        words,
        &from.unwrap_or_else(Val::other),
        &to.unwrap_or_else(Val::other),
        args,
    )
}

/// A command from one path to another.
pub(super) fn two(
    scan: &mut Scanner<'_>,
    name: &[u8],
    words: &[&str],
    from: &Val,
    to: &Val,
    args: &Args,
) -> Val {
    let mut operands = scan.values(from);
    operands.extend(scan.values(to));
    emit(scan, name, words, operands, args)
}

/// Opens a file: `cat`, `tee` or `tee -a` by the mode.
pub(super) fn open(
    scan: &mut Scanner<'_>,
    name: &[u8],
    path: Option<&Val>,
    mode: Option<&Val>,
    args: &Args,
) -> Val {
    let mode = mode.map(|mode| scan.value(mode));
    let mode = mode.as_ref().map_or_else(Vec::new, Value::known_prefix);
    let words: &[&str] = if mode.contains(&b'a') {
        &["tee", "-a"]
    } else if mode.iter().any(|byte| b"wxc+".contains(byte)) {
        &["tee"]
    } else {
        &["cat"]
    };
    let operands = operands(scan, path);
    let origin = match operands.first().and_then(Value::bytes) {
        Some(path) => Origin::File(path.into_owned()),
        None => Origin::File(Vec::new()),
    };
    emit(scan, name, words, operands, args);
    Val::Text(Value::unknown(origin))
}

/// `chmod`: path, then mode.
pub(super) fn mode(scan: &mut Scanner<'_>, name: &[u8], args: &Args) -> Val {
    let path = args.get(0, &["path"]).cloned().unwrap_or_else(Val::other);
    let mode = args.get(1, &["mode"]).cloned().unwrap_or_else(Val::other);
    mode_of(scan, name, &path, &mode, args)
}

/// `chmod` with its two arguments.
pub(super) fn mode_of(
    scan: &mut Scanner<'_>,
    name: &[u8],
    path: &Val,
    mode: &Val,
    args: &Args,
) -> Val {
    let mode = scan.value(mode);
    let octal = mode.bytes().and_then(|bytes| {
        let digits = bytes
            .strip_prefix(b"0o")
            .or_else(|| bytes.strip_prefix(b"0O"))
            .or_else(|| bytes.strip_prefix(b"0"))
            .unwrap_or(&bytes);
        (!digits.is_empty() && digits.iter().all(|byte| (b'0'..=b'7').contains(byte)))
            .then(|| Value::computed(digits))
    });
    let mut operands = vec![octal.unwrap_or(mode)];
    operands.extend(scan.values(path));
    emit(scan, name, &["chmod"], operands, args)
}

/// `chmod`: mode, then any number of paths.
pub(super) fn mode_first(scan: &mut Scanner<'_>, name: &[u8], args: &Args) -> Val {
    let mode = args.get(0, &[]).cloned().unwrap_or_else(Val::other);
    let paths = Val::List(args.positional().into_iter().skip(1).collect());
    mode_of(scan, name, &paths, &mode, args)
}

/// `chown`: path, user, group.
pub(super) fn owner(scan: &mut Scanner<'_>, name: &[u8], args: &Args) -> Val {
    let path = args.get(0, &["path"]).cloned().unwrap_or_else(Val::other);
    let user = args.get(1, &["user", "uid"]).cloned();
    let mut operands = vec![scan.value(&user.unwrap_or_else(Val::other))];
    operands.extend(scan.values(&path));
    emit(scan, name, &["chown"], operands, args)
}

/// `kill`: process, then signal. A group is a negative process.
pub(super) fn kill(scan: &mut Scanner<'_>, name: &[u8], args: &Args, group: bool) -> Val {
    let process = args.get(0, &["pid"]).cloned().unwrap_or_else(Val::other);
    let signal = args.get(1, &["sig", "signal"]).cloned();
    let mut target = scan.value(&process);
    if group {
        let mut negative = Value::computed(*b"-");
        negative.append(&target);
        target = negative;
    }
    signalled(scan, name, signal.as_ref(), vec![target], args)
}

/// `kill`: signal, then any number of processes.
pub(super) fn signal_first(scan: &mut Scanner<'_>, name: &[u8], args: &Args) -> Val {
    // `KILL => -1` is two words.
    let mut words = Vec::new();
    for (key, value) in &args.list {
        words.extend(key.as_deref().map(Val::text));
        words.push(value.clone());
    }
    let processes = words.iter().skip(1);
    let processes = processes.flat_map(|value| scan.values(value)).collect();
    signalled(scan, name, words.first(), processes, args)
}

/// `kill -SIGNAL -- processes`.
fn signalled(
    scan: &mut Scanner<'_>,
    name: &[u8],
    signal: Option<&Val>,
    processes: Vec<Value>,
    args: &Args,
) -> Val {
    let number = match signal {
        Some(Val::Symbol(symbol)) => {
            let short = symbol.rsplit(|byte| *byte == b'.').next().unwrap_or(symbol);
            short.to_vec()
        }
        Some(value) => scan.value(value).known_prefix(),
        None => b"TERM".to_vec(),
    };
    let number = number.strip_prefix(b"SIG").unwrap_or(&number);
    let number = number.strip_prefix(b"-").unwrap_or(number);
    let option = format!("-{}", String::from_utf8_lossy(number));
    emit(scan, name, &["kill", &option], processes, args)
}

/// A download to a file.
pub(super) fn download(
    scan: &mut Scanner<'_>,
    name: &[u8],
    url: Option<&Val>,
    file: Option<&Val>,
    args: &Args,
) -> Val {
    let url = url.map_or_else(|| Value::unknown(Origin::Other), |url| scan.value(url));
    match file {
        Some(file) => {
            let file = scan.value(file);
            scan.call_words(
                name,
                vec![
                    Value::computed(*b"curl"),
                    Value::computed(*b"-o"),
                    file,
                    Value::computed(*b"--"),
                    url,
                ],
                args,
            );
        }
        None => scan.call(name, &["curl", "-O"], vec![url], args),
    }
    Val::Text(Value::unknown(Origin::Fetched))
}
