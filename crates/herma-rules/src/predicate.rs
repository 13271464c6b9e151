//! Conditions that the keys of a clause cannot say. Packs name them under `builtin`.

use crate::matching::Subject;

/// `kill` has the target `-1`: as an operand behind a signal, behind `--`, or with `-s`.
pub(crate) fn kills_everything(subject: &Subject<'_>) -> bool {
    let mut signal_seen = false;
    let mut words = subject.arguments.words.iter().skip(1);
    while let Some(word) = words.next() {
        let Some(word) = word.as_deref() else {
            continue;
        };
        match word {
            b"-1" if signal_seen => return true,
            b"--" => return words.flatten().any(|word| **word == *b"-1"),
            b"-s" | b"-n" | b"--signal" | b"-q" | b"--queue" => {
                signal_seen = true;
                words.next();
            }
            b"-l" | b"-L" | b"--list" | b"--table" => return false,
            [b'-', rest @ ..] if !rest.is_empty() => signal_seen = true,
            // The first operand: `-1` behind it is a target even without a signal.
            _ => signal_seen = true,
        }
    }
    false
}

/// Some operand or URL names a host that is not this machine.
pub(crate) fn remote_url(subject: &Subject<'_>) -> bool {
    subject
        .arguments
        .operands_from(subject.taken)
        .chain(subject.arguments.values(&["--url"]))
        .any(|operand| host(operand).is_some_and(|host| !is_loopback(host)))
}

/// Some URL on this machine names a whole store, not a document of it.
pub(crate) fn whole_store_url(subject: &Subject<'_>) -> bool {
    subject
        .arguments
        .operands_from(subject.taken)
        .any(|operand| {
            let Some(rest) = after_scheme(operand) else {
                return false;
            };
            let path = rest
                .iter()
                .position(|byte| *byte == b'/')
                .map_or(&rest[rest.len()..], |at| &rest[at..]);
            let path = path.split(|byte| *byte == b'?').next().unwrap_or_default();
            let segments = path
                .split(|byte| *byte == b'/')
                .filter(|part| !part.is_empty());
            segments.clone().count() <= 1
                && (path.contains(&b'*')
                    || segments.clone().any(|part| part == b"_all")
                    || segments.count() == 0)
        })
}

/// Some URL's host imitates another: non-ASCII letters or punycode.
pub(crate) fn lookalike_host(subject: &Subject<'_>) -> bool {
    subject.arguments.operands_from(0).any(|operand| {
        host(operand).is_some_and(|host| {
            host.iter().any(|byte| *byte >= 0x80)
                || host
                    .split(|byte| *byte == b'.')
                    .any(|label| label.len() > 4 && label[..4].eq_ignore_ascii_case(b"xn--"))
        })
    })
}

/// Some operand names a machine's metadata service.
pub(crate) fn metadata_host(subject: &Subject<'_>) -> bool {
    const HOSTS: &[&[u8]] = &[
        b"169.254.169.254",
        b"169.254.170.2",
        b"169.254.170.23",
        b"100.100.100.200",
        b"metadata.google.internal",
        b"metadata.google.internal.",
        b"metadata",
        b"[fd00:ec2::254]",
        b"fd00:ec2::254",
        b"[::ffff:169.254.169.254]",
        b"2852039166",
        b"0xa9fea9fe",
        b"0xA9FEA9FE",
        b"instance-data",
    ];
    subject
        .arguments
        .operands_from(0)
        .chain(subject.arguments.values(&["--url"]))
        .any(|operand| host(operand).is_some_and(|host| HOSTS.contains(&host)))
}

/// The operand is a raw address.
pub(crate) fn raw_address(subject: &Subject<'_>) -> bool {
    subject
        .arguments
        .operands_from(subject.taken)
        .any(|operand| host(operand).is_some_and(|host| !is_loopback(host) && is_address(host)))
}

fn is_address(host: &[u8]) -> bool {
    host.starts_with(b"[")
        || (host.split(|byte| *byte == b'.').count() == 4
            && host
                .iter()
                .all(|byte| byte.is_ascii_digit() || *byte == b'.'))
}

/// A machine was named that is not this one (`-h db1`, `--host db1`).
pub(crate) fn remote_host(subject: &Subject<'_>) -> bool {
    subject
        .arguments
        .values(&["-h", "--host", "-H", "--hostname"])
        .any(|host| !host.starts_with(b"/") && !is_loopback(host))
}

fn is_loopback(host: &[u8]) -> bool {
    host.starts_with(b"127.")
        || matches!(
            host,
            b"localhost" | b"[::1]" | b"::1" | b"0.0.0.0" | b"host.docker.internal"
        )
        || host.ends_with(b".localhost")
}

fn after_scheme(url: &[u8]) -> Option<&[u8]> {
    match url.windows(3).position(|window| window == b"://") {
        Some(at) => url.get(at + 3..),
        None => Some(url),
    }
}

/// The host of a URL, or of a bare `host/path`.
fn host(url: &[u8]) -> Option<&[u8]> {
    let rest = after_scheme(url)?;
    let end = rest
        .iter()
        .position(|byte| matches!(byte, b'/' | b'?' | b'#'))
        .unwrap_or(rest.len());
    let authority = rest.get(..end)?;
    let host = match authority.iter().rposition(|byte| *byte == b'@') {
        Some(at) => authority.get(at + 1..)?,
        None => authority,
    };
    if host.starts_with(b"[") {
        let end = host.iter().position(|byte| *byte == b']')?;
        return host.get(..=end);
    }
    let end = host
        .iter()
        .position(|byte| *byte == b':')
        .unwrap_or(host.len());
    host.get(..end).filter(|host| !host.is_empty())
}

/// The working tree is named as a whole (`.`, `./`, `:/`, `*`).
pub(crate) fn pathspec(subject: &Subject<'_>) -> bool {
    subject
        .arguments
        .operands_from(subject.taken)
        .any(|operand| {
            matches!(operand, b"." | b"./" | b":/" | b"..")
                || operand.starts_with(b"./")
                || operand.starts_with(b"../")
                || operand.contains(&b'*')
        })
}

/// A refspec that begins with `+`, or one that deletes (`:branch`).
pub(crate) fn forcing_refspec(subject: &Subject<'_>) -> bool {
    subject
        .arguments
        .operands_from(subject.taken)
        .skip(1)
        .any(|operand| matches!(operand, [b'+', _, ..]))
}

/// A refspec with nothing on the left deletes the ref.
pub(crate) fn deleting_refspec(subject: &Subject<'_>) -> bool {
    subject
        .arguments
        .operands_from(subject.taken)
        .skip(1)
        .any(|operand| matches!(operand, [b':', _, ..] | [b'+', b':', _, ..]))
}
