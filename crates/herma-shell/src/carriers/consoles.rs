//! Consoles of databases, debuggers and languages: lines and calls that run shell text.

use crate::execution::Arg;

use super::literals::{behind_names, escaped_lines};
use super::options::{Spec, scan};
use super::privilege::argv_span;
use super::words::{cells, word};
use super::{Command, Step, interpreters, tcl};

static CONSOLES: &[(&[&str], &[&str])] = &[
    (&["psql"], &["\\!"]),
    (&["mysql", "mariadb"], &["\\!", "system "]),
    (&["sqlite3", "sqlite", "duckdb"], &[".shell ", ".system "]),
    (&["dc", "ftp", "lftp", "tftp", "cdb", "sftp"], &["!"]),
];

static CONSOLE: Spec = Spec::anywhere(
    "c:e:f:h:U:u:p:P:d:D:b:o:v:",
    "command= execute= cmd= file= host= user= username= port= dbname= database= \
         set= variable= expression= init-command= init=",
);

/// Database consoles and the like: lines that begin with a mark are shell text.
pub(super) fn carry(name: &str, command: &Command<'_>) -> Option<Vec<Step>> {
    let argv = command.argv;
    if name == "gdb" || name == "lldb" {
        let mut steps = debugger(name, argv);
        steps.extend(command.stdin.into_iter().flat_map(|value| {
            let span = argv_span(argv);
            let value = value.clone();
            debugged(name, &Arg { value, span })
        }));
        return Some(steps);
    }
    if name == "osascript" {
        return Some(apple_script(name, command));
    }
    let calls = calls(name);
    if !calls.is_empty() {
        let mut steps = calls_in(name, argv, calls);
        steps.extend(command.stdin.into_iter().flat_map(|value| {
            let span = argv_span(argv);
            let value = value.clone();
            called(name, &Arg { value, span }, calls)
        }));
        return Some(steps);
    }
    let (_, marks) = CONSOLES.iter().find(|(names, _)| names.contains(&name))?;
    let read = scan(argv, 1, &CONSOLE);
    let mut texts: Vec<Arg> = read
        .all(&["c", "command", "e", "execute", "cmd", "expression"])
        .cloned()
        .collect();
    texts.extend(read.operands.iter().filter_map(|at| argv.get(*at)).cloned());
    texts.extend(command.stdin.map(|value| Arg {
        value: value.clone(),
        span: argv_span(argv),
    }));
    let mut steps: Vec<Step> = Vec::new();
    for text in &texts {
        // mysql takes several statements in one line.
        let mut found = escaped_lines(text, marks);
        if name == "psql" {
            found.extend(behind_names(text, &["program", "PROGRAM"]));
        }
        if name == "mysql" || name == "mariadb" {
            let all = cells(&text.value);
            found.extend(
                all.split(|cell| cell.byte() == Some(b';'))
                    .skip(1)
                    .flat_map(|part| escaped_lines(&word(part, text.span), marks)),
            );
        }
        steps.extend(found.iter().map(|text| Step::text(name, text)));
    }
    Some(steps)
}

/// Calls of a console's language that run a program or shell text.
fn calls(name: &str) -> &'static [&'static str] {
    match name {
        "Rscript" | "R" | "r" | "littler" => &["system", "system2", "shell"],
        "julia" => &["run"],
        "groovy" | "scala" | "elixir" | "iex" | "erl" | "guile" | "racket" | "octave"
        | "octave-cli" | "sbcl" | "clisp" | "clojure" | "clj" | "bb" | "maxima" | "gp" | "ghc"
        | "swift" | "kotlin" | "jshell" | "tclsh" | "wish" | "expect" => &[
            "system",
            "System.cmd",
            "os:cmd",
            "sh",
            "shell",
            "exec",
            "getRuntime().exec",
            "run-program",
            "run-shell-command",
            "callCommand",
            "spawn",
        ],
        _ => &[],
    }
}

/// What a script runs that a console is given.
pub(super) fn script(name: &str, text: &Arg) -> Vec<Step> {
    if name == "gdb" || name == "lldb" {
        return debugged(name, text);
    }
    called(name, text, calls(name))
}

static GDB: Spec = Spec::new(
    "x:d:p:c:s:e:q n b:l:o:O:S:K:k:f:Q",
    "ex= eval-command= iex= init-eval-command= eiex= early-init-eval-command= \
         command= init-command= args batch quiet nx nh directory= pid= core= exec= \
         symbols= se= cd= data-directory= one-line= one-line-before-file= one-line-on-crash= source= \
         tui interpreter= return-child-result version help",
)
.single_dash();

fn debugger(name: &str, argv: &[Arg]) -> Vec<Step> {
    let read = scan(argv, 1, &GDB);
    let mut steps = Vec::new();
    let commands = [
        "ex",
        "eval-command",
        "iex",
        "init-eval-command",
        "eiex",
        "early-init-eval-command",
        "o",
        "O",
        "one-line",
        "one-line-before-file",
        "k",
        "K",
        "one-line-on-crash",
    ];
    for text in read.all(&commands) {
        steps.extend(debugged(&format!("{name} -ex"), text));
    }
    let programs = read.has(&["args"]) || name == "lldb";
    if programs {
        for start in &read.starts {
            steps.extend(
                argv.get(*start..)
                    .and_then(|words| Step::argv(&format!("{name} --args"), words)),
            );
        }
    }
    steps
}

/// What a debugger's commands run.
fn debugged(via: &str, text: &Arg) -> Vec<Step> {
    let mut steps = Vec::new();
    for line in escaped_lines(
        text,
        &[
            "shell ",
            "!",
            "make ",
            "platform shell ",
            "plat shell ",
            "pipe ",
        ],
    ) {
        steps.push(Step::text(via, &line));
    }
    for line in escaped_lines(
        text,
        &[
            "python ",
            "py ",
            "pi ",
            "python-interactive ",
            "script ",
            "scri ",
        ],
    ) {
        steps.push(interpreters::code(
            via,
            crate::code::Language::Python,
            &line,
        ));
    }
    steps.extend(
        behind_names(text, &["system"])
            .iter()
            .map(|text| Step::text(via, text)),
    );
    steps
}

fn apple_script(name: &str, command: &Command<'_>) -> Vec<Step> {
    let read = scan(command.argv, 1, &Spec::new("e:l:s:i", ""));
    let mut texts: Vec<Arg> = read.all(&["e"]).cloned().collect();
    if texts.is_empty() {
        texts.extend(command.stdin.map(|value| Arg {
            value: value.clone(),
            span: argv_span(command.argv),
        }));
    }
    texts
        .iter()
        .flat_map(|text| behind_names(text, &["do shell script", "do script", "doShellScript"]))
        .map(|text| Step::text(name, &text))
        .collect()
}

/// Calls with a literal in any argument.
fn calls_in(name: &str, argv: &[Arg], calls: &[&str]) -> Vec<Step> {
    let mut steps: Vec<Step> = argv
        .iter()
        .skip(1)
        .flat_map(|arg| behind_names(arg, calls))
        .map(|text| Step::text(name, &text))
        .collect();
    if is_tcl(name) {
        let read = scan(argv, 1, &Spec::new("c:f:bdDinNv", ""));
        for text in read.all(&["c"]) {
            steps.extend(tcl::steps(name, text, true));
        }
    }
    steps
}

/// Calls in a text that is the console's whole script.
fn called(name: &str, text: &Arg, calls: &[&str]) -> Vec<Step> {
    let mut steps: Vec<Step> = behind_names(text, calls)
        .iter()
        .map(|text| Step::text(name, text))
        .collect();
    if is_tcl(name) {
        steps.extend(tcl::steps(name, text, false));
    }
    steps
}

fn is_tcl(name: &str) -> bool {
    matches!(name, "expect" | "tclsh" | "wish")
}
