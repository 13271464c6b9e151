//! Programs that run something later, as a service, or from a recipe.

mod makefile;

use crate::execution::Arg;
use crate::syntax::Dialect;

use super::options::{Spec, scan};
use super::privilege::argv_span;
use super::shells::{self, is_stdin};
use super::words::{Cell, cells, lines, word};
use super::{Command, Payload, Step};

static AT: Spec = Spec::anywhere("q:f:t:mMkldrcbvVu:", "");
static CRONTAB: Spec = Spec::anywhere("u:c:T:lreisn:V", "");
static MAKE: Spec = Spec::anywhere(
    "bmBC:def:hiI:j::kl::nNo:OpqrRsStvwW:E:",
    "file= makefile= eval= directory= always-make debug? environment-overrides \
         help ignore-errors include-dir= jobs? keep-going load-average? max-load? \
         check-symlink-times just-print dry-run recon old-file= assume-old= \
         output-sync? print-data-base question no-builtin-rules \
         no-builtin-variables silent quiet no-silent no-keep-going stop shuffle? \
         touch trace version print-directory no-print-directory what-if= new-file= \
         assume-new= warn-undefined-variables",
);
static DAEMON: Spec = Spec::anywhere(
    "SKTHVtqvo c:g:s:R:p:n:a:x:u:d:r:N:P:I:k:bmC O:",
    "start stop status help version test quiet verbose oknodo chuid= group= \
         signal= retry= pidfile= name= startas= exec= user= chdir= chroot= \
         nicelevel= procsched= iosched= umask= background no-close make-pidfile \
         remove-pidfile notify-await notify-timeout= output= pid= ppid=",
);

pub(super) fn carry(name: &str, command: &Command<'_>) -> Option<Vec<Step>> {
    let argv = command.argv;
    Some(match name {
        "at" | "batch" => at(name, argv),
        "crontab" => crontab(name, command),
        "make" | "gmake" | "bmake" | "remake" => make(name, command),
        "start-stop-daemon" => daemon(name, argv),
        "socat" => socat(name, argv),
        "nc" | "ncat" | "netcat" | "nc.traditional" | "nc.openbsd" => netcat(name, argv),
        _ => return None,
    })
}

/// `/etc/init.d/NAME verb` is `service NAME verb`.
pub(super) fn start_script(argv: &[Arg]) -> Option<Step> {
    const DIRECTORIES: &[&[u8]] = &[
        b"/etc/init.d/",
        b"/etc/rc.d/",
        b"/etc/rc.d/init.d/",
        b"/usr/local/etc/rc.d/",
    ];
    let (first, rest) = argv.split_first()?;
    let path = first.value.bytes()?;
    let slash = path.iter().rposition(|byte| *byte == b'/')?;
    let (directory, name) = path.split_at(slash + 1);
    if name.is_empty() || !DIRECTORIES.contains(&directory) {
        return None;
    }
    let mut words = vec![
        super::words::computed(b"service", first.span),
        super::words::computed(name, first.span),
    ];
    words.extend(rest.iter().cloned());
    Step::argv("init.d", &words)
}

fn at(name: &str, argv: &[Arg]) -> Vec<Step> {
    let read = scan(argv, 1, &AT);
    if read.has(&["l", "d", "r", "c", "V"]) {
        return Vec::new();
    }
    match read.last(&["f"]) {
        Some(path) if !is_stdin(path) && !path.value.is(b"-") => vec![Step::local(
            name,
            Payload::ShellFile {
                path: path.value.clone(),
                span: path.span,
                parameters: Vec::new(),
                dialect: Dialect::Posix,
            },
        )],
        _ => vec![shells::input(name, argv_span(argv), Dialect::Posix)],
    }
}

/// `crontab -` and `crontab file`: the commands behind the time fields.
fn crontab(name: &str, command: &Command<'_>) -> Vec<Step> {
    let argv = command.argv;
    let read = scan(argv, 1, &CRONTAB);
    if read.has(&["l", "r", "e", "V", "T", "n", "c"]) {
        return Vec::new();
    }
    let file = read.operands.first().and_then(|at| argv.get(*at));
    let input = file.is_none_or(|file| file.value.is(b"-") || is_stdin(file));
    let span = file.map_or_else(|| argv_span(argv), |file| file.span);
    let known = command.stdin.filter(|_| input);
    let Some(value) = known.filter(|value| value.is_known()) else {
        return vec![Step::local(name, Payload::Unresolved { span })];
    };
    let table = Arg {
        value: value.clone(),
        span,
    };
    lines(&table)
        .iter()
        .filter_map(cron_command)
        .map(|text| Step::text(name, &text))
        .collect()
}

fn cron_command(line: &Arg) -> Option<Arg> {
    let all = cells(&line.value);
    let byte = |at: usize| all.get(at).and_then(|cell| cell.byte());
    let mut index = all
        .iter()
        .take_while(|cell| matches!(cell.byte(), Some(b' ' | b'\t')))
        .count();
    if matches!(byte(index), None | Some(b'#')) {
        return None;
    }
    let fields = if byte(index) == Some(b'@') { 1 } else { 5 };
    let first = byte(index)?;
    // `NAME=value` sets a variable.
    if first.is_ascii_alphabetic() || first == b'_' || first == b'"' {
        return None;
    }
    for _ in 0..fields {
        while byte(index).is_some_and(|byte| !matches!(byte, b' ' | b'\t')) {
            index += 1;
        }
        while matches!(byte(index), Some(b' ' | b'\t')) {
            index += 1;
        }
    }
    // An unescaped percent sign ends the command; what follows is its input.
    let mut text = Vec::new();
    while let Some(cell) = all.get(index).copied() {
        match (cell.byte(), byte(index + 1)) {
            (Some(b'%'), _) => break,
            (Some(b'\\'), Some(b'%')) => {
                text.extend(all.get(index + 1).copied());
                index += 2;
            }
            _ => {
                text.push(cell);
                index += 1;
            }
        }
    }
    (!text.is_empty()).then(|| word(&text, line.span))
}

/// `make -f -` and `make --eval`: the recipes, and what `$(shell …)` runs.
fn make(name: &str, command: &Command<'_>) -> Vec<Step> {
    let argv = command.argv;
    let read = scan(argv, 1, &MAKE);
    if read.has(&["help", "h"]) {
        return Vec::new();
    }
    let mut steps = Vec::new();
    let mut evals: Vec<Arg> = read.all(&["eval", "E"]).cloned().collect();
    for at in &read.operands {
        let Some(operand) = argv.get(*at) else {
            continue;
        };
        // Variables given on the command line are expanded when they are used.
        if operand.value.known_prefix().contains(&b'=') {
            if let Some(program) = super::wrappers::setting(operand, "SHELL") {
                steps.extend(Step::argv(
                    &format!("{name} SHELL"),
                    std::slice::from_ref(&program),
                ));
            }
            evals.push(operand.clone());
        }
    }
    for path in read.all(&["f", "file", "makefile"]) {
        if !(path.value.is(b"-") || is_stdin(path)) {
            // What a process substitution prints is no file of the project.
            if path.value.known_prefix().starts_with(b"/dev/fd/") {
                steps.push(Step::local(name, Payload::Unresolved { span: path.span }));
            }
            continue;
        }
        let input = command.stdin.map(|value| Arg {
            value: value.clone(),
            span: path.span,
        });
        match input {
            // Text of which nothing is known says by its origin what it is.
            Some(text) if text.value.known_prefix().is_empty() && !text.value.is_known() => {
                steps.push(Step::text(name, &text));
            }
            Some(text) => evals.push(text),
            None => steps.push(Step::local(name, Payload::Unresolved { span: path.span })),
        }
    }
    let dry = read.has(&["n", "just-print", "dry-run", "recon"]);
    let variables = makefile::variables(&evals);
    for text in &evals {
        steps.extend(
            makefile::shell_functions(text, &variables)
                .iter()
                .map(|text| Step::text(name, text)),
        );
        if !dry {
            let recipes = makefile::recipes(text, &variables);
            steps.extend(recipes.iter().map(|text| Step::text(name, text)));
        }
    }
    steps
}

fn daemon(name: &str, argv: &[Arg]) -> Vec<Step> {
    let read = scan(argv, 1, &DAEMON);
    if !read.has(&["S", "start"]) || read.has(&["t", "test"]) {
        return Vec::new();
    }
    let Some(program) = read
        .last(&["a", "startas"])
        .or_else(|| read.last(&["x", "exec"]))
    else {
        return Vec::new();
    };
    let mut words = vec![program.clone()];
    words.extend(read.operands.iter().filter_map(|at| argv.get(*at)).cloned());
    Step::argv(name, &words).into_iter().collect()
}

/// Addresses that run something: `EXEC:program`, `SYSTEM:text`, `SHELL:text`.
fn socat(name: &str, argv: &[Arg]) -> Vec<Step> {
    let mut steps = Vec::new();
    for arg in argv.iter().skip(1) {
        let all = cells(&arg.value);
        // Two addresses may be joined by `!!`.
        let mut from = 0;
        let mut index = 0;
        let mut parts = Vec::new();
        while index < all.len() {
            let pair = (
                all.get(index).and_then(|cell| cell.byte()),
                all.get(index + 1).and_then(|cell| cell.byte()),
            );
            if pair == (Some(b'!'), Some(b'!')) {
                parts.push(all.get(from..index).unwrap_or_default());
                index += 2;
                from = index;
            } else {
                index += 1;
            }
        }
        parts.push(all.get(from..).unwrap_or_default());
        for part in parts {
            steps.extend(address(name, part, arg));
        }
    }
    steps
}

fn address(name: &str, part: &[Cell<'_>], arg: &Arg) -> Option<Step> {
    let colon = part.iter().position(|cell| cell.byte() == Some(b':'))?;
    let kind: Vec<u8> = part
        .get(..colon)?
        .iter()
        .map(|cell| cell.byte().unwrap_or(b'?').to_ascii_lowercase())
        .collect();
    // Options follow behind an unquoted comma.
    let mut quote = None;
    let rest = part.get(colon + 1..)?;
    let mut escaped = false;
    let end = rest
        .iter()
        .position(|cell| {
            let byte = cell.byte();
            if std::mem::take(&mut escaped) {
                return false;
            }
            match (byte, quote) {
                (Some(b'\\'), _) => escaped = true,
                (Some(own), Some(close)) if own == close => quote = None,
                (Some(own @ (b'"' | b'\'')), None) => quote = Some(own),
                (Some(b','), None) => return true,
                _ => {}
            }
            false
        })
        .unwrap_or(rest.len());
    let text = word(rest.get(..end)?, arg.span);
    match kind.as_slice() {
        b"exec" => Step::argv(name, &super::words::split_quoted(&text)),
        b"system" | b"shell" => Some(Step::text(name, &text)),
        _ => None,
    }
}

/// `nc -e program`, `ncat -c text`.
fn netcat(name: &str, argv: &[Arg]) -> Vec<Step> {
    let spec = Spec::anywhere(
        "46bCDdhklNnruvzti:I:O:p:P:q:s:T:V:w:X:x:g:G:e:c:m:o:",
        "exec= sh-exec= lua-exec= listen keep-open udp sctp source= source-port= \
         wait= idle-timeout= delay= output= hex-dump= max-conns= proxy= proxy-type= \
         proxy-auth= allow= allowfile= deny= denyfile= broker chat ssl ssl-cert= \
         ssl-key= ssl-verify ssl-trustfile= ssl-alpn= ssl-servername= recv-only \
         send-only no-shutdown verbose nodns telnet unixsock vsock crlf",
    );
    let read = scan(argv, 1, &spec);
    let mut steps: Vec<Step> = read
        .all(&["e", "exec"])
        .filter_map(|text| Step::argv(&format!("{name} -e"), &super::words::split_quoted(text)))
        .collect();
    steps.extend(
        read.all(&["c", "sh-exec"])
            .map(|text| Step::text(&format!("{name} -c"), text)),
    );
    steps
}
