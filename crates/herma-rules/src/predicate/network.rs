//! Hosts and addresses.

use herma_shell::{Execution, Origin, Value};

use crate::glob;
use crate::matching::Subject;

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
                .and_then(|at| rest.get(at..))
                .unwrap_or_default();
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
                    .filter_map(|label| label.split_at_checked(4))
                    .any(|(prefix, name)| prefix.eq_ignore_ascii_case(b"xn--") && !name.is_empty())
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

/// A shell's output goes into it, or its output into a shell.
pub(crate) fn shell_piped(subject: &Subject<'_>) -> bool {
    let shell = |origin: &Origin| match origin {
        Origin::Output(name) => matches!(
            name.as_slice(),
            b"sh" | b"bash" | b"zsh" | b"ksh" | b"dash" | b"fish"
        ),
        _ => false,
    };
    subject
        .execution
        .stdin
        .as_ref()
        .is_some_and(|stdin| stdin.any_unknown(shell))
}

/// A shell's input or output is a network connection.
pub(crate) fn shell_on_network(subject: &Subject<'_>) -> bool {
    subject.execution.redirections.iter().any(|redirection| {
        let target = redirection.target.known_prefix();
        target.starts_with(b"/dev/tcp/") || target.starts_with(b"/dev/udp/")
    })
}

/// Inline code names a shell, or gives its descriptors away.
pub(crate) fn starts_a_shell(subject: &Subject<'_>) -> bool {
    const SIGNS: &[&str] = &[
        "/bin/sh",
        "/bin/bash",
        "/bin/zsh",
        "sh -i",
        "bash -i",
        "dup2",
        "pty.spawn",
        "cmd.exe",
    ];
    texts(subject.execution).any(|text| {
        SIGNS
            .iter()
            .any(|sign| glob::contains(&text, sign.as_bytes()))
    })
}

fn texts(execution: &Execution) -> impl Iterator<Item = Vec<u8>> {
    execution
        .argv
        .iter()
        .skip(1)
        .map(|arg| &arg.value)
        .chain(&execution.stdin)
        .map(Value::known_prefix)
}

/// The environment's listing is among its arguments or comes in by a pipe.
pub(crate) fn environment_in(subject: &Subject<'_>) -> bool {
    let environment = |origin: &Origin| match origin {
        Origin::Output(name) => matches!(
            name.as_slice(),
            b"env" | b"printenv" | b"set" | b"export" | b"declare" | b"history"
        ),
        Origin::File(path) => path.ends_with(b"/environ") && path.starts_with(b"/proc/"),
        _ => false,
    };
    values(subject.execution).any(|value| value.any_unknown(environment))
}

fn values(execution: &Execution) -> impl Iterator<Item = &Value> {
    execution
        .argv
        .iter()
        .skip(1)
        .map(|arg| &arg.value)
        .chain(&execution.stdin)
}

/// The host of a URL begins with what a program prints.
pub(crate) fn computed_authority(subject: &Subject<'_>) -> bool {
    values(subject.execution).any(|value| {
        let prefix = value.known_prefix();
        let bare = after_scheme(&prefix).is_some_and(|rest| !rest.contains(&b'/'));
        bare && value.any_unknown(|origin| matches!(origin, Origin::Output(_) | Origin::File(_)))
            && value.known_suffix().starts_with(b".")
    })
}

/// A host's name is put together from what a program prints.
pub(crate) fn computed_host(subject: &Subject<'_>) -> bool {
    values(subject.execution).any(|value| {
        value.any_unknown(|origin| matches!(origin, Origin::Output(_) | Origin::File(_)))
            && value.known_suffix().contains(&b'.')
    })
}
