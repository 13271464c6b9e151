//! Processes and services.

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
            _ if signal_seen && is_everyone(word) => return true,
            b"--" => return words.flatten().any(|word| is_everyone(word)),
            b"-s" | b"-n" | b"--signal" | b"-q" | b"--queue" => {
                signal_seen = true;
                words.next();
            }
            b"-l" | b"-L" | b"--list" | b"--table" => return false,
            [b'-', rest @ ..] if !rest.is_empty() => signal_seen = true,
            _ if is_everyone(word) => return true,
            // The first operand: `-1` behind it is a target even without a signal.
            _ => signal_seen = true,
        }
    }
    false
}

/// A number that `kill` takes for the target `-1`: with blanks in front, zeros in it, or as what is
/// left of it in 32 bits.
fn is_everyone(word: &[u8]) -> bool {
    let number = std::str::from_utf8(word.trim_ascii()).ok();
    let number = number.and_then(|text| text.parse::<i64>().ok());
    number.is_some_and(|number| number.rem_euclid(1 << 32) == 0xffff_ffff)
}

/// More than the holders of one port: a path, or several.
pub(crate) fn beyond_a_port(subject: &Subject<'_>) -> bool {
    let is_port = |word: &[u8]| {
        let (number, rest) = match word.iter().position(|byte| *byte == b'/') {
            Some(at) => word.split_at(at),
            None => (word, b"/tcp".as_slice()),
        };
        !number.is_empty()
            && number.iter().all(u8::is_ascii_digit)
            && matches!(rest, b"/tcp" | b"/udp")
    };
    let mut operands = subject
        .arguments
        .operands_from(0)
        .filter(|operand| !matches!(*operand, b"tcp" | b"udp"));
    !(operands.next().is_some_and(is_port) && operands.next().is_none())
}

/// Its input comes from the line.
pub(crate) fn has_input(subject: &Subject<'_>) -> bool {
    subject.execution.stdin.is_some()
}

/// Its input is the terminal's.
pub(crate) fn no_input(subject: &Subject<'_>) -> bool {
    subject.execution.stdin.is_none()
}

/// A redirection overwrites what is there.
pub(crate) fn overwritten(subject: &Subject<'_>) -> bool {
    use herma_shell::syntax::RedirectOp::{Both, Clobber, Write};
    subject
        .execution
        .redirections
        .iter()
        .any(|redirection| matches!(redirection.op, Write | Clobber | Both))
}

/// `/proc/sysrq-trigger` is written: by a redirection, or as an operand.
pub(crate) fn sysrq(subject: &Subject<'_>) -> bool {
    const TRIGGER: &[u8] = b"/proc/sysrq-trigger";
    subject.execution.redirections.iter().any(|redirection| {
        redirection.target.is(TRIGGER) || leads_to_sysrq(&redirection.target, subject)
    }) || subject
        .arguments
        .operands_from(0)
        .any(|operand| operand == TRIGGER || operand == b"of=/proc/sysrq-trigger")
}

/// Whether the path is that of the trigger once `..` is taken into account.
fn leads_to_sysrq(target: &herma_shell::Value, subject: &Subject<'_>) -> bool {
    use crate::place::path::{Base, Parsed, Path};
    let Parsed::Path(path) = Path::parse(target, &subject.execution.cwd) else {
        return false;
    };
    matches!(path.parts.as_slice(), [proc, trigger]
        if path.base == Base::Root && proc.is(b"proc") && trigger.is(b"sysrq-trigger"))
}

/// The program is not the one that only lists.
pub(crate) fn not_searching(subject: &Subject<'_>) -> bool {
    subject
        .execution
        .program()
        .is_none_or(|name| name != b"pgrep")
}

/// The subcommand changes herma's own state.
pub(crate) fn herma_changes(subject: &Subject<'_>) -> bool {
    const READING: &[&[u8]] = &[
        b"list",
        b"show",
        b"status",
        b"log",
        b"why",
        b"doctor",
        b"check",
        b"docker-args",
        b"watch",
    ];
    subject
        .arguments
        .operands_from(1)
        .next()
        .is_none_or(|word| !READING.contains(&word))
}

/// The variable makes a program load code, not only tune itself.
pub(crate) fn loads_code(subject: &Subject<'_>) -> bool {
    subject.execution.environment.iter().any(|binding| {
        let value = binding.value.bytes().unwrap_or_default();
        let holds = |signs: &[&str]| {
            signs
                .iter()
                .any(|sign| crate::glob::contains(&value, sign.as_bytes()))
        };
        match binding.name.as_slice() {
            b"LD_PRELOAD"
            | b"LD_AUDIT"
            | b"DYLD_INSERT_LIBRARIES"
            | b"BASH_ENV"
            | b"PROMPT_COMMAND"
            | b"PYTHONSTARTUP"
            | b"GCONV_PATH"
            | b"GIT_EXEC_PATH"
            | b"GIT_TEMPLATE_DIR"
            | b"PERL5DB" => !value.is_empty(),
            b"NODE_OPTIONS" => holds(&[
                "--require",
                "-r ",
                "--import",
                "--loader",
                "--experimental-loader",
            ]),
            // The dash is optional.
            b"PERL5OPT" => {
                matches!(value.first(), Some(b'M' | b'm' | b'I'))
                    || holds(&["-M", "-m", "-I", "-d", " M", " m", " I"])
            }
            b"RUBYOPT" => holds(&["-r"]),
            b"JAVA_TOOL_OPTIONS" | b"_JAVA_OPTIONS" => holds(&[
                "-javaagent",
                "-agentpath",
                "-agentlib",
                "OnOutOfMemoryError",
            ]),
            // The usual program with other options is no stranger.
            b"GIT_SSH_COMMAND" | b"GIT_SSH" | b"RSYNC_RSH" => !value.starts_with(b"ssh"),
            b"GIT_PROXY_COMMAND" | b"GIT_EXTERNAL_DIFF" | b"LESSOPEN" => !value.is_empty(),
            b"ENV" => value.starts_with(b"/") || value.starts_with(b"./"),
            _ => false,
        }
    })
}
