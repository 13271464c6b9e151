//! What only several executions of one line say together.

use std::borrow::Cow;
use std::collections::BTreeSet;

use herma_shell::path::base_name;
use herma_shell::{Execution, Origin, Reach};

use crate::effect::Verb;
use crate::kept::{self, Fate};
use crate::model;
use crate::pipeline;
use crate::place::{self, Place};
use crate::refuge::Refuge;
use crate::scene::Scene;
use crate::unpacked::Unpacked;

/// A rule of the packs and the execution at which it is complete.
pub(crate) type Hit<'a> = (&'static str, &'a Execution);

/// A file is made executable and then run.
const CHMOD_RUN: &str = "remote-code.chmod-run";
/// A shell and a connection in one line.
const SHELL_AND_NETWORK: &str = "network.reverse-shell";
/// What the line fetched as an archive or a repository runs.
const FETCHED_RUN: &str = "remote-code.run";
/// The environment goes through filters into a connection.
const ENVIRONMENT_SENT: &str = "secrets.environment-sent";
/// A file with secrets goes through filters into a connection.
const SECRETS_SENT: &str = "secrets.send";
/// A file with secrets is printed, as the environment or by a name that a listing gives.
const ENV_FILE: &str = "secrets.env-file";
/// What was moved to where things can be made again is deleted there.
const MOVED_DELETED: &str = "fs.delete-tree";
/// What a search for processes prints is killed.
const KILLED: &str = "process.kill-by-name";
/// The agent or its guard is stopped.
const AGENT_STOPPED: &str = "agents.stop";

/// The rules that the executions of a line meet together.
pub(crate) fn scan<'a>(executions: &'a [Execution], scene: &Scene) -> Vec<Hit<'a>> {
    let mut hits = Vec::new();
    if executions.len() < 2 {
        return hits;
    }
    let mut executable: BTreeSet<Vec<u8>> = BTreeSet::new();
    let mut shell = false;
    let mut connection = None;
    let mut unpacked = Unpacked::default();
    let mut refuge = Refuge::default();
    let mut sourced = false;
    for (index, execution) in executions
        .iter()
        .enumerate()
        .filter(|(_, execution)| execution.reach == Reach::Line)
    {
        let Some(name) = execution.argv.first().and_then(|arg| arg.value.bytes()) else {
            continue;
        };
        if name.contains(&b'/') && executable.contains(plain(&name)) {
            hits.push((CHMOD_RUN, execution));
        }
        if unpacked.holds(execution) {
            hits.push((FETCHED_RUN, execution));
        }
        let base = base_name(&name);
        unpacked.follow(base, execution);
        if refuge.loses(base, execution, scene) {
            hits.push((MOVED_DELETED, execution));
        }
        refuge.follow(base, execution, scene);
        if sourced && prints_environment(base, execution) {
            hits.push((ENV_FILE, execution));
        }
        if model::prints_input(base) && prints_listed(executions, index, scene) {
            hits.push((ENV_FILE, execution));
        }
        match kept::fate(base, execution, scene) {
            Some(Fate::Shown) => hits.push((ENV_FILE, execution)),
            Some(Fate::Sent) => hits.push((SECRETS_SENT, execution)),
            None => {}
        }
        sourced |= sources_secrets(base, execution, scene) || kept::takes(execution, scene);
        match base {
            b"kill" => hits.extend(kills_search(executions, index).map(|rule| (rule, execution))),
            _ if SENDERS.contains(&base) && sends_environment(executions, index) => {
                hits.push((ENVIRONMENT_SENT, execution));
            }
            _ => {}
        }
        if model::takes_input(base) && sends_secrets(executions, index, scene) {
            hits.push((SECRETS_SENT, execution));
        }
        match base {
            b"chmod" => executable.extend(made_executable(execution)),
            b"sh" | b"bash" | b"zsh" | b"ksh" | b"dash" => shell |= is_interactive(execution),
            b"nc" | b"ncat" | b"netcat" | b"telnet" | b"socat" => connection = Some(execution),
            b"openssl" if second(execution) == Some(b"s_client".into()) => {
                connection = Some(execution);
            }
            _ => {}
        }
    }
    if let (true, Some(execution)) = (shell, connection) {
        hits.push((SHELL_AND_NETWORK, execution));
    }
    hits
}

/// `source .env`
fn sources_secrets(base: &[u8], execution: &Execution, scene: &Scene) -> bool {
    matches!(base, b"source" | b".")
        && execution.argv.get(1).is_some_and(|file| {
            place::places(&file.value, &execution.cwd, scene).contains(&Place::EnvFile)
        })
}

/// `cat $(ls .env)`: the file's name comes out of a listing of it.
fn prints_listed(executions: &[Execution], index: usize, scene: &Scene) -> bool {
    let is_listing = |origin: &Origin| match origin {
        Origin::Output(name) => name == b"ls",
        origin => *origin == Origin::Names,
    };
    let listed = executions
        .get(index)
        .and_then(|execution| execution.argv.get(1..))
        .unwrap_or_default()
        .iter()
        .any(|arg| arg.value.any_unknown(is_listing));
    listed
        && pipeline::feeders(executions, index)
            .into_iter()
            .filter(|feeder| feeder.program().is_some_and(|name| name == b"ls"))
            .flat_map(|feeder| feeder.argv.iter().skip(1).map(move |arg| (feeder, arg)))
            .any(|(feeder, arg)| {
                place::places(&arg.value, &feeder.cwd, scene).contains(&Place::EnvFile)
            })
}

/// `env`, `printenv`, `set`, `export -p`: without a name the whole environment.
fn prints_environment(base: &[u8], execution: &Execution) -> bool {
    let words = execution.argv.get(1..).unwrap_or_default();
    match base {
        b"env" | b"printenv" | b"set" | b"export" | b"declare" | b"typeset" => {
            words.is_empty()
                || base == b"printenv"
                || matches!(words, [option, ..] if option.value.is(b"-p"))
                || matches!(words, [only] if only.value.is(b"-x") || only.value.is(b"-0"))
        }
        _ => false,
    }
}

/// Programs that send what they are given.
const SENDERS: &[&[u8]] = &[
    b"nc", b"ncat", b"netcat", b"socat", b"telnet", b"curl", b"wget", b"http", b"https", b"xh",
];

fn sends_environment(executions: &[Execution], index: usize) -> bool {
    pipeline::sources(executions, index).iter().any(|name| {
        matches!(
            name.as_slice(),
            b"env" | b"printenv" | b"set" | b"export" | b"declare" | b"typeset"
        )
    })
}

/// What it is fed with comes out of a file with secrets.
fn sends_secrets(executions: &[Execution], index: usize, scene: &Scene) -> bool {
    pipeline::feeders(executions, index)
        .into_iter()
        .any(|feeder| {
            model::effects(feeder, scene).iter().any(|effect| {
                effect.verb == Verb::Read
                    && effect.places.iter().any(|place| {
                        matches!(
                            place,
                            Place::PrivateKey | Place::Credential | Place::EnvFile
                        )
                    })
            })
        })
}

/// The targets come from a search. By name, those of one's own are one's own to end; with force, or
/// by user or group, others' end too. Those of a listing, or from nowhere known, count when they
/// are killed with force. Whoever holds a port or wrote a file of its own is no search.
fn kills_search(executions: &[Execution], index: usize) -> Option<&'static str> {
    let execution = executions.get(index)?;
    let unnamed = execution.argv.iter().skip(1).any(|arg| {
        arg.value
            .any_unknown(|origin| matches!(origin, Origin::Output(_) | Origin::Names))
    });
    if !unnamed {
        return None;
    }
    let forced = is_forced(execution);
    let sources = pipeline::sources(executions, index);
    let from = |names: &[&[u8]]| sources.iter().any(|own| names.contains(&own.as_slice()));
    if from(&[b"pgrep", b"pidof"]) {
        let words: Vec<Cow<'_, [u8]>> = pipeline::feeders(executions, index)
            .into_iter()
            .flat_map(|feeder| feeder.argv.iter().skip(1))
            .filter_map(|arg| arg.value.bytes())
            .collect();
        let guard = |word: &Cow<'_, [u8]>| {
            [b"herma".as_slice(), b"hermes"]
                .iter()
                .any(|name| crate::glob::contains(word, name))
        };
        if words.iter().any(guard) {
            return Some(AGENT_STOPPED);
        }
        let others = |word: &Cow<'_, [u8]>| OTHERS.contains(&&**word);
        return (forced || words.iter().any(others)).then_some(KILLED);
    }
    let piped = execution
        .argv
        .iter()
        .any(|arg| arg.value.any_unknown(|origin| *origin == Origin::Names));
    let counts = forced
        && (from(&[b"ps", b"pstree", b"top"])
            || (piped && !from(&[b"lsof", b"fuser", b"ss", b"netstat", b"cat", b"jobs"])));
    counts.then_some(KILLED)
}

/// Options of a search by user, group or terminal, and the patterns for every process.
const OTHERS: &[&[u8]] = &[
    b"-u",
    b"-U",
    b"-g",
    b"-G",
    b"-t",
    b"--uid",
    b"--euid",
    b"--user",
    b"--group",
    b"--pgroup",
    b"--terminal",
    b".",
    b".*",
    b"",
];

fn is_forced(execution: &Execution) -> bool {
    let mut words = execution.argv.iter().skip(1);
    words.any(|arg| {
        arg.value.bytes().is_some_and(|word| {
            matches!(
                &*word,
                b"-9"
                    | b"-KILL"
                    | b"-SIGKILL"
                    | b"-s9"
                    | b"-n9"
                    | b"-sKILL"
                    | b"-sSIGKILL"
                    | b"KILL"
                    | b"SIGKILL"
                    | b"9"
                    | b"--signal=9"
                    | b"--signal=KILL"
                    | b"--signal=SIGKILL"
            )
        })
    })
}

/// The operands of a `chmod` that lets somebody execute them.
fn made_executable(execution: &Execution) -> Vec<Vec<u8>> {
    let mut words = execution
        .argv
        .iter()
        .skip(1)
        .filter_map(|arg| arg.value.bytes())
        .filter(|word| !word.starts_with(b"-"));
    let gives = words.next().is_some_and(|mode| {
        if mode.iter().all(u8::is_ascii_digit) {
            mode.iter().rev().take(3).any(|digit| digit & 1 == 1)
        } else {
            mode.contains(&b'x') && !mode.contains(&b'-')
        }
    });
    if !gives {
        return Vec::new();
    }
    words.map(|word| plain(&word).to_vec()).collect()
}

fn is_interactive(execution: &Execution) -> bool {
    execution
        .argv
        .iter()
        .skip(1)
        .filter_map(|arg| arg.value.bytes())
        .any(|word| word.starts_with(b"-") && !word.starts_with(b"--") && word.contains(&b'i'))
}

fn second(execution: &Execution) -> Option<Cow<'_, [u8]>> {
    execution.argv.get(1)?.value.bytes()
}

/// The path without a leading `./`.
fn plain(path: &[u8]) -> &[u8] {
    path.strip_prefix(b"./").unwrap_or(path)
}
