//! Variables whose value some program runs.

use crate::execution::{Arg, Binding};
use crate::syntax::Dialect;
use crate::value::Value;

use super::interpreters::loaded;
use super::shells::{dialect, family};
use super::words::{behind, cells, computed, split_quoted, word};
use super::{Command, Payload, Step};

/// How a variable's value is used.
#[derive(Clone, Copy)]
enum Use {
    /// Shell text.
    Text,
    /// Shell text behind a `|`, in front of which stand option letters (`LESSOPEN`).
    Pipe,
    /// Options, as if they stood behind the program's name.
    Options,
}

/// Programs, and the variables that they run.
const TABLE: &[(&[&str], &[&str], Use)] = &[
    (
        &["git", "hub", "yadm", "tig"],
        &[
            "GIT_SSH_COMMAND",
            "GIT_SSH",
            "GIT_PAGER",
            "PAGER",
            "GIT_EDITOR",
            "VISUAL",
            "EDITOR",
            "GIT_EXTERNAL_DIFF",
            "GIT_SEQUENCE_EDITOR",
            "GIT_ASKPASS",
            "SSH_ASKPASS",
            "GIT_PROXY_COMMAND",
        ],
        Use::Text,
    ),
    (&["man"], &["MANPAGER", "PAGER", "BROWSER"], Use::Text),
    (
        &["less", "more", "zless", "bat", "batcat"],
        &["LESSOPEN", "LESSCLOSE"],
        Use::Pipe,
    ),
    (&["less"], &["LESSEDIT", "VISUAL", "EDITOR"], Use::Text),
    (&["bat", "batcat"], &["BAT_PAGER", "PAGER"], Use::Text),
    (&["delta"], &["DELTA_PAGER", "PAGER"], Use::Text),
    (
        &[
            "crontab",
            "visudo",
            "vipw",
            "vigr",
            "chsh",
            "edquota",
            "fc",
            "dpkg-source",
            "mutt",
            "rvim",
        ],
        &["VISUAL", "EDITOR"],
        Use::Text,
    ),
    (&["sudoedit", "sudo"], &["SUDO_ASKPASS"], Use::Text),
    (
        &["sudoedit"],
        &["SUDO_EDITOR", "VISUAL", "EDITOR"],
        Use::Text,
    ),
    (
        &[
            "systemctl",
            "journalctl",
            "loginctl",
            "machinectl",
            "coredumpctl",
            "resolvectl",
        ],
        &["SYSTEMD_PAGER", "SYSTEMD_EDITOR", "PAGER"],
        Use::Text,
    ),
    (&["kubectl", "oc"], &["KUBE_EDITOR", "EDITOR"], Use::Text),
    (
        &["svn", "svnadmin"],
        &["SVN_EDITOR", "SVN_SSH", "VISUAL", "EDITOR"],
        Use::Text,
    ),
    (
        &["hg"],
        &["HGEDITOR", "HGMERGE", "VISUAL", "EDITOR", "PAGER"],
        Use::Text,
    ),
    (&["cvs"], &["CVS_RSH", "CVSEDITOR", "EDITOR"], Use::Text),
    (&["rsync"], &["RSYNC_RSH"], Use::Text),
    (
        &["psql"],
        &["PSQL_PAGER", "PAGER", "PSQL_EDITOR"],
        Use::Text,
    ),
    (&["mysql", "mariadb"], &["PAGER"], Use::Text),
    (
        &["gh"],
        &[
            "GH_PAGER",
            "GH_EDITOR",
            "PAGER",
            "GIT_EDITOR",
            "EDITOR",
            "VISUAL",
            "GH_BROWSER",
            "BROWSER",
        ],
        Use::Text,
    ),
    (&["aws"], &["AWS_PAGER", "PAGER"], Use::Text),
    (
        &["ssh", "scp", "sftp", "ssh-add"],
        &["SSH_ASKPASS"],
        Use::Text,
    ),
    (
        &["fzf", "sk"],
        &["FZF_DEFAULT_COMMAND", "SKIM_DEFAULT_COMMAND"],
        Use::Text,
    ),
    (
        &["xdg-open", "sensible-browser", "python", "python3"],
        &["BROWSER"],
        Use::Text,
    ),
    (&["sensible-editor"], &["VISUAL", "EDITOR"], Use::Text),
    (&["sensible-pager"], &["PAGER"], Use::Text),
    (&["tar", "gtar"], &["TAR_OPTIONS"], Use::Options),
    (
        &["make", "gmake"],
        &["MAKEFLAGS", "GNUMAKEFLAGS"],
        Use::Options,
    ),
    (
        &["node", "nodejs", "npm", "npx", "tsx"],
        &["NODE_OPTIONS"],
        Use::Options,
    ),
    (&["ruby"], &["RUBYOPT"], Use::Options),
    (
        &["cargo", "rustc"],
        &[
            "RUSTC_WRAPPER",
            "RUSTC_WORKSPACE_WRAPPER",
            "RUSTC",
            "RUSTDOC",
        ],
        Use::Text,
    ),
    (&["fzf"], &["FZF_DEFAULT_OPTS"], Use::Options),
];

/// What a program runs because its environment says so.
pub(super) fn carry(name: &str, command: &Command<'_>) -> Vec<Step> {
    let mut steps = Vec::new();
    if command.environment.is_empty() {
        return steps;
    }
    for (programs, variables, usage) in TABLE {
        if !programs.contains(&name) && !programs.contains(&family(name)) {
            continue;
        }
        for variable in *variables {
            let binding = binding(command, variable.as_bytes());
            let Some(binding) = binding.filter(|binding| !binding.value.pieces.is_empty()) else {
                continue;
            };
            let text = Arg {
                value: binding.value.clone(),
                span: binding.span,
            };
            match usage {
                Use::Text => steps.push(Step::text(variable, &text)),
                Use::Pipe => {
                    let head = text.value.known_prefix();
                    let marks = head
                        .iter()
                        .take_while(|byte| matches!(byte, b'|' | b'-'))
                        .count();
                    steps.push(Step::text(variable, &behind(&text, marks)));
                }
                Use::Options => steps.extend(with_options(variable, command, &text)),
            }
        }
    }
    if let Some(dialect) = dialect(name) {
        steps.extend(shell(name, command, dialect));
    }
    if name == "perl" {
        steps.extend(perl(command));
    }
    steps
}

fn binding<'a>(command: &Command<'a>, name: &[u8]) -> Option<&'a Binding> {
    command
        .environment
        .iter()
        .rfind(|binding| binding.name == name)
}

/// What the program would carry if the words of a variable stood behind its name.
fn with_options(variable: &str, command: &Command<'_>, text: &Arg) -> Vec<Step> {
    let Some(first) = command.argv.first() else {
        return Vec::new();
    };
    let mut words = vec![first.clone()];
    words.extend(split_quoted(text));
    // Something to do, so that only the options matter.
    words.push(computed(*b"--version", text.span));
    let mut steps = super::carry(&Command {
        argv: &words,
        stdin: None,
        environment: &[],
    });
    for step in &mut steps {
        step.via.name = variable.to_owned();
    }
    steps.retain(|step| {
        !matches!(
            step.payload,
            Payload::CodeInput { .. } | Payload::ShellInput { .. }
        )
    });
    steps
}

/// Start-up files and prompts. Their values are expanded, with command substitutions.
fn shell(name: &str, command: &Command<'_>, dialect: Dialect) -> Vec<Step> {
    let bash = family(name) == "bash";
    let mut steps = Vec::new();
    let names: &[&str] = if bash { &["BASH_ENV", "ENV"] } else { &["ENV"] };
    for variable in names {
        let Some(binding) = binding(command, variable.as_bytes()) else {
            continue;
        };
        if binding.value.pieces.is_empty() {
            continue;
        }
        if expands(&binding.value) {
            steps.push(expanded(variable, binding));
        } else {
            steps.push(Step::local(
                *variable,
                Payload::ShellFile {
                    path: binding.value.clone(),
                    span: binding.span,
                    parameters: Vec::new(),
                    dialect,
                },
            ));
        }
    }
    if dialect == Dialect::Zsh
        && let Some(binding) = binding(command, b"ZDOTDIR")
        && !binding.value.pieces.is_empty()
    {
        let mut path = binding.value.clone();
        path.push_text(b"/.zshenv", None);
        steps.push(Step::local(
            "ZDOTDIR",
            Payload::ShellFile {
                path,
                span: binding.span,
                parameters: Vec::new(),
                dialect,
            },
        ));
    }
    for variable in ["PS1", "PS4", "PS0", "PS2"] {
        steps.extend(
            binding(command, variable.as_bytes())
                .filter(|binding| expands(&binding.value))
                .map(|binding| expanded(variable, binding)),
        );
    }
    if let Some(binding) = binding(command, b"PROMPT_COMMAND") {
        steps.push(Step::text(
            "PROMPT_COMMAND",
            &Arg {
                value: binding.value.clone(),
                span: binding.span,
            },
        ));
    }
    steps
}

fn expands(value: &Value) -> bool {
    cells(value)
        .windows(2)
        .any(|pair| match (pair.first(), pair.get(1)) {
            (Some(first), Some(second)) => {
                first.byte() == Some(b'`')
                    || (first.byte() == Some(b'$') && second.byte() == Some(b'('))
            }
            _ => false,
        })
}

/// The value inside double quotes, as a command that does nothing else.
fn expanded(variable: &str, binding: &Binding) -> Step {
    let mut value = Value::computed(*b": \"");
    value.append(&binding.value);
    value.push_text(b"\"", None);
    Step::text(
        variable,
        &Arg {
            value,
            span: binding.span,
        },
    )
}

/// `PERL5DB` is code for the debugger, `PERL5OPT` options, of which those that load modules run code.
fn perl(command: &Command<'_>) -> Vec<Step> {
    let mut steps = debugged(command);
    let Some(options) = binding(command, b"PERL5OPT") else {
        return steps;
    };
    let cells = cells(&options.value);
    let blank = |byte: u8| byte.is_ascii_whitespace();
    for part in cells.split(|cell| cell.byte().is_some_and(blank)) {
        let option = word(part, options.span);
        let head = option.value.known_prefix();
        // The dash is optional.
        let dash = usize::from(head.first() == Some(&b'-'));
        if matches!(head.get(dash), Some(b'M' | b'm')) {
            steps.extend(loaded("PERL5OPT", &behind(&option, dash + 1)));
        }
    }
    steps
}

fn debugged(command: &Command<'_>) -> Vec<Step> {
    binding(command, b"PERL5DB")
        .map(|binding| {
            Step::local(
                "PERL5DB",
                Payload::Code {
                    language: crate::code::Language::Perl,
                    text: binding.value.clone(),
                    span: binding.span,
                    arguments: None,
                },
            )
        })
        .into_iter()
        .collect()
}
