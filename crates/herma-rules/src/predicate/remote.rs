//! Containers and clouds.

use herma_shell::Origin;

use crate::matching::Subject;

/// The subcommand of a container engine does more than read, or run something in what runs already.
pub(crate) fn docker_changes(subject: &Subject<'_>) -> bool {
    const READING: &[&[u8]] = &[
        b"ps", b"images", b"logs", b"inspect", b"info", b"version", b"top", b"stats", b"events",
        b"diff", b"history", b"port", b"search", b"exec", b"wait", b"ls", b"list", b"help",
        b"attach", b"df",
    ];
    let mut words = subject.arguments.operands_from(0);
    let Some(first) = words.next() else {
        return false;
    };
    let group = matches!(
        first,
        b"container"
            | b"image"
            | b"volume"
            | b"network"
            | b"context"
            | b"system"
            | b"compose"
            | b"node"
            | b"service"
            | b"stack"
            | b"pod"
            | b"manifest"
            | b"buildx"
    );
    let word = if group {
        words.next().unwrap_or(b"ls")
    } else {
        first
    };
    !READING.contains(&word)
}

/// An option in front of the subcommand names another daemon.
pub(crate) fn remote_daemon(subject: &Subject<'_>) -> bool {
    let arguments = subject.arguments;
    let end = arguments
        .operands
        .first()
        .copied()
        .unwrap_or(arguments.words.len());
    let words = arguments.words.get(1..end).unwrap_or_default();
    words.iter().flatten().any(|word| {
        let name = word.split(|byte| *byte == b'=').next().unwrap_or_default();
        matches!(
            name,
            b"--host"
                | b"-c"
                | b"--context"
                | b"--url"
                | b"--connection"
                | b"--remote"
                | b"-r"
                | b"--identity"
        ) || name.starts_with(b"-H")
    })
}

/// The group's verb removes.
pub(crate) fn prunes(subject: &Subject<'_>) -> bool {
    subject
        .arguments
        .operands_from(1)
        .next()
        .is_some_and(|word| word == b"prune")
}

/// Some target is what another command prints.
pub(crate) fn unnamed_operands(subject: &Subject<'_>) -> bool {
    subject.execution.argv.iter().skip(1).any(|arg| {
        arg.value.any_unknown(|origin| {
            matches!(
                origin,
                Origin::Output(_) | Origin::Names | Origin::File(_) | Origin::Fetched
            )
        })
    })
}

/// A volume opens the host's root or the engine's socket.
pub(crate) fn host_mount(subject: &Subject<'_>) -> bool {
    let arguments = subject.arguments;
    let opens = |source: &[u8]| {
        let end = source
            .iter()
            .rposition(|byte| *byte != b'/')
            .map_or(0, |at| at + 1);
        matches!(
            source.get(..end).unwrap_or_default(),
            b"" | b"/etc"
                | b"/root"
                | b"/boot"
                | b"/dev"
                | b"/proc"
                | b"/sys"
                | b"/usr"
                | b"/var"
                | b"/home"
                | b"/var/run"
                | b"/run"
                | b"/var/lib/docker"
        ) && source.starts_with(b"/")
            || [
                b"/.ssh".as_slice(),
                b"/.aws",
                b"/.gnupg",
                b"/.kube",
                b"/.docker",
            ]
            .iter()
            .any(|secret| source.ends_with(secret))
            || source.ends_with(b"/docker.sock")
            || source.ends_with(b"/podman.sock")
            || source.ends_with(b"/containerd.sock")
    };
    let short = |spec: &[u8]| {
        spec.starts_with(b"/")
            && spec.split(|byte| *byte == b':').next().is_some_and(opens)
            && spec.contains(&b':')
    };
    arguments.values(&["-v", "--volume"]).any(short)
        || arguments.operands_from(0).any(short)
        || arguments.values(&["--mount"]).any(|spec| {
            spec.split(|byte| *byte == b',').any(|part| {
                [b"source=".as_slice(), b"src="]
                    .iter()
                    .find_map(|key| part.strip_prefix(*key))
                    .is_some_and(opens)
            })
        })
}

/// Some word says that something is deleted, stopped or opened.
pub(crate) fn cloud_deletes(subject: &Subject<'_>) -> bool {
    const VERBS: &[&[u8]] = &[
        b"delete",
        b"destroy",
        b"purge",
        b"terminate",
        b"remove",
        b"rm",
        b"drop",
        b"reset",
        b"wipe",
        b"unset",
        b"revoke",
        b"disable",
        b"deprovision",
        b"deallocate",
        b"stop",
        b"restart",
        b"failover",
        b"rollback",
        b"delete-instances",
        b"remove-iam-policy-binding",
        b"add-iam-policy-binding",
        b"set-iam-policy",
        b"power-off",
        b"shutdown",
        b"rebuild",
        b"release",
        b"undeploy",
        b"dismiss",
        b"unlink",
        b"clear",
        b"deprecate",
        b"detach",
        b"down",
    ];
    const DRY: &[&[u8]] = &[
        b"--dry-run",
        b"--dryrun",
        b"--help",
        b"-h",
        b"--what-if",
        b"--validate-only",
    ];
    let dry = subject
        .arguments
        .words
        .iter()
        .skip(1)
        .flatten()
        .any(|word| DRY.contains(&word.as_ref()));
    !dry && subject.arguments.operands_from(0).take(6).any(|word| {
        VERBS.contains(&word)
            || word.starts_with(b"delete-")
            || word.starts_with(b"delete:")
            || word.ends_with(b":delete")
    })
}

/// `gsutil` removes objects, or opens them to everybody.
pub(crate) fn storage_deletes(subject: &Subject<'_>) -> bool {
    let first = subject.arguments.operands_from(0).next();
    let word = |wanted: &[u8]| {
        subject
            .arguments
            .words
            .iter()
            .flatten()
            .any(|word| word.as_ref() == wanted)
    };
    match first {
        Some(b"rm" | b"rb") => true,
        Some(b"rsync") => word(b"-d") || word(b"-rd") || word(b"-dr"),
        Some(b"acl" | b"iam" | b"defacl") => word(b"ch") || word(b"set"),
        Some(b"retention" | b"lifecycle" | b"versioning") => word(b"set") || word(b"clear"),
        _ => false,
    }
}
