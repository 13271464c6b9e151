//! What leaves the machine: copies to other machines, uploads, raw connections.

use super::Act;
use super::copying::is_remote;
use super::options::{behind, scan, spec};
use super::{base_name, join};
use crate::effect::Verb;

/// Programs that send what they read from standard input.
pub(crate) fn takes_input(name: &[u8]) -> bool {
    matches!(
        name,
        b"nc"
            | b"ncat"
            | b"netcat"
            | b"socat"
            | b"telnet"
            | b"curl"
            | b"http"
            | b"https"
            | b"xh"
            | b"ssh"
            | b"mail"
            | b"mailx"
            | b"mutt"
            | b"sendmail"
            | b"msmtp"
            | b"ftp"
            | b"tftp"
            | b"s_client"
            | b"websocat"
            | b"wscat"
    )
}

pub(super) fn effects(name: &[u8], act: &mut Act<'_>) -> bool {
    match name {
        b"scp" | b"pscp" => scp(act),
        b"docker" | b"podman" | b"nerdctl" | b"kubectl" | b"oc" => container_copy(name, act),
        b"rclone" => rclone(act),
        b"aws" => cloud(act, b"s3", &[b"cp", b"mv", b"sync"], b"s3://"),
        b"gsutil" => cloud(act, b"", &[b"cp", b"mv", b"rsync"], b"gs://"),
        b"gcloud" => cloud(act, b"storage", &[b"cp", b"mv", b"rsync"], b"gs://"),
        b"s3cmd" | b"s5cmd" | b"mc" => {
            cloud(act, b"", &[b"put", b"cp", b"sync", b"mirror"], b"s3://")
        }
        b"gh" => {
            // `gh gist create FILE`, `gh release upload TAG FILE`
            let argv = act.argv();
            let gist = argv.get(1).is_some_and(|arg| arg.value.is(b"gist"))
                && argv.get(2).is_some_and(|arg| arg.value.is(b"create"));
            let upload = argv.get(1).is_some_and(|arg| arg.value.is(b"release"))
                && argv.get(2).is_some_and(|arg| arg.value.is(b"upload"));
            if gist || upload {
                for (at, arg) in argv.iter().enumerate().skip(3) {
                    if arg.value.known_prefix().first() != Some(&b'-') {
                        act.on(Verb::Send, at, &arg.value);
                    }
                }
            }
        }
        b"croc" | b"transfer" | b"wormhole" | b"ffsend" | b"magic-wormhole" => {
            for (at, arg) in act.argv().iter().enumerate().skip(1) {
                act.on(Verb::Send, at, &arg.value);
            }
        }
        b"socat" => {
            for (at, arg) in act.argv().iter().enumerate().skip(1) {
                let head = arg.value.known_prefix();
                let scheme = head.split(|byte| *byte == b':').next().unwrap_or_default();
                if [b"FILE".as_slice(), b"OPEN", b"GOPEN"]
                    .iter()
                    .any(|own| own.eq_ignore_ascii_case(scheme))
                    && head.len() > scheme.len()
                {
                    act.on(Verb::Send, at, &behind(&arg.value, scheme.len() + 1));
                }
            }
        }
        b"mail" | b"mailx" | b"mutt" => {
            let scan = act.scan(&spec("a:A:s:c:b:r:", "attach= subject="));
            for (at, value) in scan.all(&["a", "A", "attach"]) {
                act.on(Verb::Send, *at, value);
            }
        }
        _ => return false,
    }
    true
}

fn scp(act: &mut Act<'_>) {
    let scan = act.scan(&spec("346ABCpqrRTvOc:D:F:i:J:l:o:P:S:X:s", ""));
    let mut operands = scan.operands.clone();
    let Some((at, target)) = operands.pop() else {
        return;
    };
    let remote = is_remote(target);
    for (at, source) in &operands {
        if !is_remote(source) {
            act.on(if remote { Verb::Send } else { Verb::Read }, *at, source);
        }
    }
    if !remote {
        let directory = target.known_suffix().ends_with(b"/") || operands.len() > 1;
        if directory {
            for (_, source) in &operands {
                act.on(Verb::Write, at, &join(target, &base_name(source)));
            }
        } else {
            act.on(Verb::Write, at, target);
        }
    }
}

/// `docker cp SOURCE CONTAINER:TARGET` and the other way round.
fn container_copy(name: &[u8], act: &mut Act<'_>) {
    let argv = act.argv();
    let Some(verb) = argv.iter().position(|arg| arg.value.is(b"cp")) else {
        return;
    };
    // Options of the program itself, or `docker container cp`: a subcommand's own words are none.
    let leads =
        argv.get(1..verb).unwrap_or_default().iter().all(|arg| {
            arg.value.known_prefix().first() == Some(&b'-') || arg.value.is(b"container")
        });
    if !leads {
        return;
    }
    let scan = scan(
        argv,
        verb + 1,
        &spec("aLqc:n:", "archive follow-link quiet container= namespace="),
    );
    let [(source_at, source), (target_at, target)] = scan.operands.as_slice() else {
        return;
    };
    if is_remote(target) && !is_remote(source) {
        let cluster = matches!(name, b"kubectl" | b"oc");
        act.on(
            if cluster { Verb::Send } else { Verb::Read },
            *source_at,
            source,
        );
    } else if is_remote(source) && !is_remote(target) && !target.is(b"-") {
        act.on(Verb::Write, *target_at, target);
    }
}

fn rclone(act: &mut Act<'_>) {
    let argv = act.argv();
    let copies = argv
        .get(1)
        .and_then(|arg| arg.value.bytes())
        .is_some_and(|verb| {
            matches!(
                &*verb,
                b"copy" | b"copyto" | b"move" | b"moveto" | b"sync" | b"bisync"
            )
        });
    if !copies {
        return;
    }
    let mut paths = argv
        .iter()
        .enumerate()
        .skip(2)
        .filter(|(_, arg)| arg.value.known_prefix().first() != Some(&b'-'));
    if let (Some((at, from)), Some((_, to))) = (paths.next(), paths.next())
        && is_remote(&to.value)
        && !is_remote(&from.value)
    {
        act.on(Verb::Send, at, &from.value);
    }
}

/// `TOOL [GROUP] VERB SOURCE… TARGET` with a target in the cloud.
fn cloud(act: &mut Act<'_>, group: &[u8], verbs: &[&[u8]], scheme: &[u8]) {
    let argv = act.argv();
    let words: Vec<(usize, _)> = argv
        .iter()
        .enumerate()
        .skip(1)
        .filter(|(_, arg)| arg.value.known_prefix().first() != Some(&b'-'))
        .collect();
    let mut words = words.as_slice();
    if !group.is_empty() {
        match words.split_first() {
            Some(((_, first), rest)) if first.value.is(group) => words = rest,
            _ => return,
        }
    }
    let Some(((_, verb), operands)) = words.split_first() else {
        return;
    };
    if !verbs.iter().any(|own| verb.value.is(own)) {
        return;
    }
    let is_cloud = |value: &herma_shell::Value| value.known_prefix().starts_with(scheme);
    let Some(target) = operands.iter().rposition(|(_, arg)| is_cloud(&arg.value)) else {
        return;
    };
    for (at, arg) in operands.get(..target).unwrap_or_default() {
        if !is_cloud(&arg.value) {
            act.on(Verb::Send, *at, &arg.value);
        }
    }
}
