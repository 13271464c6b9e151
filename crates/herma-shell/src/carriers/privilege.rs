//! Programs that run another as a different user.

use crate::execution::Arg;
use crate::source::Span;
use crate::syntax::Dialect;
use crate::value::Value;

use super::options::{Scan, Spec, scan};
use super::words::{assignments, behind, cells, computed, join, split_quoted};
use super::{Command, Payload, Step, shells};

static SUDO: Spec = Spec::new(
    "Aa:BbC:c:D:Eeg:Hh:iKklNnPp:R:r:SsT:t:U:u:Vv",
    "askpass auth-type= background bell chdir= chroot= close-from= \
         command-timeout= edit group= help host= list login login-class= no-update \
         non-interactive other-user= preserve-env? preserve-groups prompt= \
         remove-timestamp reset-timestamp role= set-home shell stdin type= user= \
         validate version",
);
static DOAS: Spec = Spec::new("a:C:Lnsu:", "");
static SU: Spec = Spec::anywhere(
    "c:C:fg:G:lmpPTs:w:hV",
    "command= session-command= fast login preserve-environment pty no-pty \
         shell= group= supp-group= whitelist-environment= help version",
);
static RUNUSER: Spec = Spec::anywhere(
    "c:C:fg:G:lmpPTs:u:w:hV",
    "command= session-command= fast login preserve-environment pty no-pty \
         shell= group= supp-group= user= whitelist-environment= help version",
);
static RUNUSER_USER: Spec = Spec::new("u:g:G:mpPTs:w:hV", RUNUSER.long);
static SYSTEMD_RUN: Spec = Spec::new(
    "H:M:qtPSdrGu:p:E:h",
    "user system scope unit= property= description= slice= slice-inherit \
         expand-environment= no-block remain-after-exit wait send-sighup \
         service-type= uid= gid= nice= working-directory= same-dir same-root-dir \
         root-directory= setenv= pty pty-late pipe shell quiet collect \
         path-property= socket-property= timer-property= on-active= on-boot= \
         on-startup= on-unit-active= on-unit-inactive= on-calendar= \
         on-timezone-change on-clock-change host= machine= no-ask-password \
         ignore-failure background= job-mode= capsule= help version json= no-pager \
         via-shell area= empower",
);
static RUN0: Spec = Spec::new(
    "u:g:D:M:ih",
    "unit= property= description= slice= slice-inherit user= group= nice= \
         chdir= setenv= background= machine= pty pipe shell-prompt-prefix= \
         no-ask-password via-shell same-root-dir lightweight= area= empower help \
         version",
);
static MACHINECTL: Spec = Spec::new(
    "H:M:qp:alE:n:o:h",
    "host= machine= quiet property= all value full uid= setenv= kill-whom= \
         signal= no-pager no-legend runner= lines= output= verify= force read-only \
         mkdir now user system max-addresses= no-ask-password format= help version",
);
static SG: Spec = Spec::new("c:", "");

pub(super) fn carry(name: &str, command: &Command<'_>) -> Option<Vec<Step>> {
    let argv = command.argv;
    Some(match name {
        "sudo" | "sudo-rs" | "sudo.ws" => sudo(name, argv),
        "doas" => doas(name, argv),
        "su" => su(name, argv, &SU),
        "runuser" => {
            let read = scan(argv, 1, &RUNUSER_USER);
            if read.has(&["u", "user"]) {
                programs(name, argv, &read)
            } else {
                su(name, argv, &RUNUSER)
            }
        }
        "sg" => sg(name, argv),
        "capsh" => capsh(name, argv),
        "systemd-run" => {
            let read = scan(argv, 1, &SYSTEMD_RUN);
            let mut steps = if read.has(&["shell", "S"]) && read.starts.is_empty() {
                vec![shells::input(name, argv_span(argv), Dialect::Posix)]
            } else {
                programs(name, argv, &read)
            };
            steps.extend(unit_commands(name, &read));
            steps
        }
        "run0" => {
            let read = scan(argv, 1, &RUN0);
            let mut steps = if read.starts.is_empty() && !read.has(&["help", "h", "version"]) {
                vec![shells::input(name, argv_span(argv), Dialect::Posix)]
            } else {
                programs(name, argv, &read)
            };
            steps.extend(unit_commands(name, &read));
            steps
        }
        "machinectl" => machinectl(argv),
        _ => return None,
    })
}

/// The span of the program's name.
pub(super) fn argv_span(argv: &[Arg]) -> Span {
    argv.first().map(|arg| arg.span).unwrap_or_default()
}

fn programs(name: &str, argv: &[Arg], read: &Scan) -> Vec<Step> {
    read.starts
        .iter()
        .filter_map(|start| Step::argv(name, argv.get(*start..)?))
        .collect()
}

/// Commands in properties of a unit: `-p ExecStartPre=…`, which the manager runs around the program.
fn unit_commands(name: &str, read: &Scan) -> Vec<Step> {
    let mut steps = Vec::new();
    for property in read.all(&["p", "property"]) {
        let prefix = property.value.known_prefix();
        let Some(equals) = prefix.iter().position(|byte| *byte == b'=') else {
            continue;
        };
        if !prefix.starts_with(b"Exec") {
            continue;
        }
        // Signs in front say how the command is started and judged.
        let command = prefix.get(equals + 1..).unwrap_or_default();
        let signs = command.iter().take_while(|byte| b"-@:+!| ".contains(byte));
        let command = behind(property, equals + 1 + signs.count());
        let words = split_quoted(&command);
        for command in words.split(|word| word.value.is(b";")) {
            steps.extend(Step::argv(name, command));
        }
    }
    steps
}

fn sudo(name: &str, argv: &[Arg]) -> Vec<Step> {
    let read = scan(argv, 1, &SUDO);
    let nothing = [
        "l",
        "list",
        "v",
        "validate",
        "V",
        "version",
        "help",
        "K",
        "remove-timestamp",
        "e",
        "edit",
    ];
    let help = read
        .given
        .iter()
        .any(|given| given.name == "h" && given.operand.is_none());
    if read.has(&nothing) || help {
        return Vec::new();
    }
    let by_shell = read.has(&["s", "shell", "i", "login"]);
    let cwd = read.last(&["D", "chdir"]).map(|arg| arg.value.clone());
    let mut steps = Vec::new();
    for start in &read.starts {
        let (environment, start) = assignments(argv, *start);
        let words = argv.get(start..).unwrap_or_default();
        if words.is_empty() {
            continue;
        }
        // With -s and -i the words reach a shell with everything but `$` quoted.
        let expands = by_shell
            && words.iter().any(|word| {
                cells(&word.value)
                    .iter()
                    .any(|cell| cell.byte() == Some(b'$'))
            });
        if expands {
            steps.extend(join(&escaped(words)).map(|text| Step::text(name, &text)));
            continue;
        }
        steps.push(Step::local(
            name,
            Payload::Argv {
                words: words.to_vec(),
                environment,
                cwd: cwd.clone(),
                input_taken: false,
            },
        ));
    }
    if steps.is_empty() && by_shell {
        steps.push(shells::input(name, argv_span(argv), Dialect::Posix));
    }
    steps
}

/// The words as sudo quotes them for the shell that `-s` starts.
fn escaped(words: &[Arg]) -> Vec<Arg> {
    words
        .iter()
        .map(|word| {
            let mut value = Value::empty();
            for cell in cells(&word.value) {
                match cell {
                    super::words::Cell::Byte(byte, at) => {
                        if !byte.is_ascii_alphanumeric() && !matches!(byte, b'_' | b'-' | b'$') {
                            value.push_text(b"\\", None);
                        }
                        value.push_text(&[byte], at);
                    }
                    super::words::Cell::Opaque(piece) => value.pieces.push(piece.clone()),
                }
            }
            Arg {
                value,
                span: word.span,
            }
        })
        .collect()
}

fn doas(name: &str, argv: &[Arg]) -> Vec<Step> {
    let read = scan(argv, 1, &DOAS);
    if read.has(&["L", "C"]) {
        return Vec::new();
    }
    if read.starts.is_empty() && read.has(&["s"]) {
        return vec![shells::input(name, argv_span(argv), Dialect::Posix)];
    }
    programs(name, argv, &read)
}

/// `su [options] [-] [user [argument…]]`: a shell that gets the text of the last `-c` and the
/// arguments behind the user.
fn su(name: &str, argv: &[Arg], spec: &Spec) -> Vec<Step> {
    let read = scan(argv, 1, spec);
    if read.has(&["help", "h", "version", "V"]) {
        return Vec::new();
    }
    let text = read.last(&["c", "command", "session-command", "C"]);
    let mut operands = read
        .operands
        .iter()
        .filter_map(|index| argv.get(*index))
        .peekable();
    if operands.peek().is_some_and(|arg| arg.value.is(b"-")) {
        operands.next();
    }
    operands.next();
    let span = argv_span(argv);
    let shell = read.last(&["s", "shell"]).cloned();
    let mut words = vec![shell.unwrap_or_else(|| computed(*b"bash", span))];
    if let Some(text) = text {
        words.push(computed(*b"-c", span));
        words.push(text.clone());
    }
    words.extend(operands.cloned());
    let known_shell = words.first().is_some_and(|word| {
        super::program(word).is_some_and(|base| {
            std::str::from_utf8(&base).is_ok_and(|base| shells::dialect(base).is_some())
        })
    });
    if known_shell {
        shells::shell(name, &words, Dialect::Bash)
    } else {
        Step::argv(name, &words).into_iter().collect()
    }
}

fn sg(name: &str, argv: &[Arg]) -> Vec<Step> {
    let words = argv.get(1..).unwrap_or_default();
    let words = match words.first() {
        Some(first) if first.value.is(b"-") => words.get(1..).unwrap_or_default(),
        _ => words,
    };
    let read = scan(words, 0, &SG);
    let text = read.last(&["c"]).or_else(|| {
        // `sg group -c text` and `sg group text`.
        let rest = words.get(1..)?;
        match rest {
            [flag, text, ..] if flag.value.is(b"-c") => Some(text),
            [text, ..] => Some(text),
            [] => None,
        }
    });
    text.map(|text| Step::text(name, text))
        .into_iter()
        .collect()
}

/// Everything behind `--` (or `==`) goes to bash.
fn capsh(name: &str, argv: &[Arg]) -> Vec<Step> {
    let Some(at) = argv
        .iter()
        .position(|arg| arg.value.is(b"--") || arg.value.is(b"=="))
    else {
        return Vec::new();
    };
    let mut words = vec![computed(*b"bash", argv_span(argv))];
    words.extend(argv.get(at + 1..).unwrap_or_default().iter().cloned());
    shells::shell(name, &words, Dialect::Bash)
}

fn machinectl(argv: &[Arg]) -> Vec<Step> {
    let read = scan(argv, 1, &MACHINECTL);
    let Some(start) = read.starts.first() else {
        return Vec::new();
    };
    if !argv.get(*start).is_some_and(|verb| verb.value.is(b"shell")) {
        return Vec::new();
    }
    let inner = scan(argv, start + 1, &MACHINECTL);
    let words = inner
        .starts
        .first()
        .and_then(|host| argv.get(host + 1..))
        .unwrap_or_default();
    Step::argv("machinectl shell", words).into_iter().collect()
}
