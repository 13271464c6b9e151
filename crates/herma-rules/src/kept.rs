//! Secrets that become values of the line, and where such values go: a program that needs one may
//! have it, but nobody sees it.

use herma_shell::syntax::RedirectOp;
use herma_shell::{Arg, Execution, Kind, Origin, Piece, Value};

use crate::effect::{Effect, Verb};
use crate::model;
use crate::place::{self, Place};
use crate::scene::Scene;

/// Programs whose output is made of the files that they read, and of nothing that they do.
const FILTERS: &[&[u8]] = &[
    b"cat", b"grep", b"fgrep", b"cut", b"sed", b"awk", b"gawk", b"mawk", b"head", b"tail", b"sort",
    b"uniq", b"tr",
];

/// Of so many files it is known which values are made of them.
const MAX_WORDS: usize = 16;

/// Programs that send their arguments.
const SENDERS: &[&[u8]] = &[
    b"curl",
    b"wget",
    b"wget2",
    b"http",
    b"https",
    b"xh",
    b"nc",
    b"ncat",
    b"netcat",
    b"socat",
    b"telnet",
    b"ftp",
    b"sftp",
    b"scp",
    b"rsync",
    b"ssh",
    b"ping",
    b"ping6",
    b"dig",
    b"host",
    b"nslookup",
    b"drill",
    b"mail",
    b"mailx",
    b"sendmail",
    b"aria2c",
    b"lynx",
    b"gh",
    b"glab",
    b"websocat",
    b"grpcurl",
    b"openssl",
];

/// Interpreters, whose code may print what stands in it.
const INTERPRETERS: &[&[u8]] = &[
    b"python", b"python3", b"node", b"perl", b"ruby", b"php", b"deno", b"bun",
];

/// Whether what the execution prints is seen by nobody: it becomes a value of the line.
pub(crate) fn unseen(execution: &Execution) -> bool {
    let redirected = execution.redirections.iter().any(|redirection| {
        let output = redirection.fd.is_none_or(|number| number == 1);
        match redirection.op {
            RedirectOp::Write
            | RedirectOp::Append
            | RedirectOp::Clobber
            | RedirectOp::Both
            | RedirectOp::BothAppend => output && !redirection.target.is(b"/dev/null"),
            RedirectOp::DupOut => output && !redirection.target.is(b"1"),
            _ => false,
        }
    });
    execution.captured && !redirected
}

/// Whether a filter makes a value of what it reads, and does nothing else.
pub(crate) fn becomes_value(execution: &Execution, effects: &[Effect]) -> bool {
    let named = |arg: &Arg| arg.value.is_known() && !arg.value.has_glob();
    unseen(execution)
        && execution.kind == Kind::Program
        && execution.argv.len() <= MAX_WORDS
        && execution.argv.iter().all(named)
        && effects.iter().all(|effect| effect.verb == Verb::Read)
        && execution.program().is_some_and(|name| {
            // Without a command `xargs` only joins lines.
            let joins = name == b"xargs" && execution.argv.len() == 1;
            joins || FILTERS.contains(&name.as_slice())
        })
}

/// Whether the execution makes a value of a file with the project's secrets.
pub(crate) fn takes(execution: &Execution, scene: &Scene) -> bool {
    if !unseen(execution) {
        return false;
    }
    let effects = model::effects(execution, scene);
    let secret = |effect: &Effect| effect.places.contains(&Place::EnvFile);
    becomes_value(execution, &effects) && effects.iter().any(secret)
}

/// Where a value with such secrets goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    Shown,
    Sent,
}

/// What the execution does with values that are made of such a file.
pub(crate) fn fate(base: &[u8], execution: &Execution, scene: &Scene) -> Option<Fate> {
    let secret = |value: &Value| {
        value.made_from().any(|path| {
            let path = Value::computed(path);
            place::places(&path, &execution.cwd, scene).contains(&Place::EnvFile)
        })
    };
    let words = execution.argv.get(1..).unwrap_or_default();
    let given = words.iter().any(|arg| secret(&arg.value));
    let fed = execution.stdin.as_ref().is_some_and(secret);
    let mut environment = execution.environment.iter();
    let bound = environment.any(|binding| secret(&binding.value));
    if !given && !fed && !bound {
        return None;
    }
    let verb = words.first().and_then(|arg| arg.value.bytes());
    let talks = matches!(
        verb.as_deref(),
        Some(b"push" | b"clone" | b"fetch" | b"pull" | b"ls-remote")
    );
    if SENDERS.contains(&base) && (given || fed) || base == b"git" && given && talks {
        return Some(Fate::Sent);
    }
    let code = || {
        let options = [b"-c".as_slice(), b"-e", b"-p", b"-r", b"--eval", b"--print"];
        words
            .first()
            .is_some_and(|first| options.iter().any(|option| first.value.is(option)))
    };
    let shown = match base {
        b"echo" | b"printf" => given && !unseen(execution),
        // What it writes to files beside.
        b"tee" => fed && (!unseen(execution) || !words.is_empty()),
        b"logger" | b"wall" | b"write" | b"notify-send" | b"zenity" => given || fed,
        // What is in the file is known where its lines are told apart, and no longer as a secret.
        b"read" | b"mapfile" | b"readarray" | b"xargs" => {
            let file = |value: &Value| value.any_unknown(|own| matches!(own, Origin::File(_)));
            let parts = base != b"xargs" || words.iter().any(|arg| !is_option(&arg.value));
            fed && parts && execution.stdin.as_ref().is_some_and(file)
        }
        b"eval" | b"sh" | b"bash" | b"dash" | b"zsh" | b"ksh" => {
            given && !words.iter().all(|arg| only_declares(&arg.value))
        }
        base if INTERPRETERS.contains(&base) => (given || bound) && code(),
        base => fed && !unseen(execution) && model::prints_input(base),
    };
    shown.then_some(Fate::Shown)
}

fn is_option(word: &Value) -> bool {
    word.known_prefix().first() == Some(&b'-')
}

/// Whether a text does nothing with what cannot be known in it but make variables of it.
fn only_declares(text: &Value) -> bool {
    const DECLARING: &[&[u8]] = &[
        b"-c", b"export", b"declare", b"-x", b"set", b"-a", b"+a", b";",
    ];
    let known = text.pieces.iter().filter_map(|piece| match piece {
        Piece::Text { bytes, .. } => Some(bytes.as_slice()),
        _ => None,
    });
    known
        .flat_map(|bytes| bytes.split(u8::is_ascii_whitespace))
        .filter(|word| !word.is_empty())
        .all(|word| DECLARING.contains(&word.strip_suffix(b";").unwrap_or(word)) || word == b";")
}
