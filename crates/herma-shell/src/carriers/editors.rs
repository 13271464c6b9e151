//! Editors and pagers with commands that run shell text.

use crate::execution::Arg;
use crate::value::{Origin, Value};

use super::literals::{behind_names, escaped_lines};
use super::options::{Spec, scan};
use super::words::{Cell, behind, cells, lines, word};
use super::{Command, Payload, Step, interpreters};

static VIM: Spec = Spec::anywhere(
    "c:S:su:U:w:W:i:T:r::t:q:L:N eEvdyRZmMbnAHFlDfgxXoOpP-h",
    "cmd= servername= remote remote-send= remote-expr= startuptime= literal noplugin not-a-term clean headless embed listen= server= version help",
);
static ED: Spec = Spec::anywhere(
    "Gsp:rvElhV",
    "prompt= quiet silent traditional restricted loose-exit-status help version",
);
static SED: Spec = Spec::anywhere(
    "nEre:f:i::l:suzbV",
    "expression= file= in-place? line-length= quiet silent posix regexp-extended separate unbuffered null-data \
     zero-terminated debug sandbox follow-symlinks binary help version",
);
static EMACS: Spec = Spec::anywhere(
    "qQe:f:l:u:t:d:nwT:L:a:s:",
    "eval= execute= funcall= load= batch script= quick no-init-file daemon? fg-daemon? chdir= user= terminal= display= \
     directory= insert= kill tramp version help alternate-editor= socket-name= server-file= tty no-wait create-frame",
)
.single_dash();

const SYSTEM: &[&str] = &[
    "system",
    "systemlist",
    "termopen",
    "job_start",
    "jobstart",
    "os.execute",
    "io.popen",
    "vim.fn.system",
];

pub(super) fn carry(name: &str, command: &Command<'_>) -> Option<Vec<Step>> {
    let argv = command.argv;
    let base = name.split('.').next().unwrap_or(name);
    Some(match base {
        "vim" | "vi" | "nvim" | "ex" | "view" | "gvim" | "rvim" | "nvi" | "elvis" | "vimdiff"
        | "mvim" | "gview" => vim(name, command, base == "ex"),
        "ed" | "red" => ed(name, command),
        "sed" | "gsed" => sed(name, argv),
        "emacs" | "emacsclient" => {
            let read = scan(argv, 1, &EMACS);
            let mut names: Vec<&Arg> = read.all(&["eval", "execute"]).collect();
            if name == "emacsclient" && read.has(&["e", "eval"]) {
                names.extend(read.operands.iter().filter_map(|at| argv.get(*at)));
            }
            names.extend(read.all(&["e"]));
            names
                .into_iter()
                .flat_map(|text| {
                    behind_names(
                        text,
                        &[
                            "shell-command",
                            "shell-command-to-string",
                            "async-shell-command",
                            "call-process-shell-command",
                            "start-process-shell-command",
                            "compile",
                        ],
                    )
                })
                .map(|text| Step::text(&format!("{name} --eval"), &text))
                .collect()
        }
        "less" | "more" | "most" => argv
            .iter()
            .skip(1)
            .filter_map(|arg| {
                let head = arg.value.known_prefix();
                let marks = head.iter().take_while(|byte| **byte == b'+').count();
                let runs = marks > 0 && head.get(marks) == Some(&b'!');
                runs.then(|| Step::text(&format!("{name} +!"), &behind(arg, marks + 1)))
            })
            .collect(),
        _ => return None,
    })
}

fn vim(name: &str, command: &Command<'_>, ex: bool) -> Vec<Step> {
    let argv = command.argv;
    let read = scan(argv, 1, &VIM);
    let mut texts: Vec<Arg> = read.all(&["c", "cmd"]).cloned().collect();
    texts.extend(
        argv.iter()
            .skip(1)
            .filter(|arg| arg.value.known_prefix().starts_with(b"+"))
            .map(|arg| behind(arg, 1)),
    );
    if ex || read.has(&["e", "E", "s"]) {
        texts.extend(command.stdin.map(|value| Arg {
            value: value.clone(),
            span: super::privilege::argv_span(argv),
        }));
    }
    let mut steps = Vec::new();
    for text in &texts {
        for line in lines(text) {
            steps.extend(ex_command(&line).map(|text| Step::text(&format!("{name} -c"), &text)));
            steps.extend(
                behind_names(&line, SYSTEM)
                    .iter()
                    .map(|text| Step::text(&format!("{name} -c"), text)),
            );
        }
    }
    steps
}

/// The shell text of an Ex command: `!text`, `:%!text`, `r !text`, `w !text`, `silent !text`.
fn ex_command(line: &Arg) -> Option<Arg> {
    let all = cells(&line.value);
    let mut from = 0;
    for (at, cell) in all.iter().enumerate() {
        match cell.byte() {
            // A bar ends a command, but not one that runs shell text.
            Some(b'|') => from = at + 1,
            Some(b'!') => {
                // What may stand in front is short.
                if at - from > 256 {
                    return None;
                }
                let before: Vec<u8> = all
                    .get(from..at)
                    .unwrap_or_default()
                    .iter()
                    .map(|cell| cell.byte().unwrap_or(b'?'))
                    .collect();
                if runs_shell(&before) {
                    return Some(word(all.get(at + 1..).unwrap_or_default(), line.span));
                }
            }
            _ => {}
        }
    }
    let text: Vec<u8> = line.value.known_prefix();
    let lead = text
        .iter()
        .take_while(|byte| matches!(byte, b':' | b' '))
        .count();
    let terminal = text.get(lead..).is_some_and(|rest| {
        rest.starts_with(b"terminal ") || rest.starts_with(b"term ") || rest.starts_with(b"te ")
    });
    terminal.then(|| {
        let gap = text
            .iter()
            .skip(lead)
            .take_while(|byte| **byte != b' ')
            .count();
        behind(line, lead + gap)
    })
}

/// Whether a `!` behind this begins shell text.
fn runs_shell(before: &[u8]) -> bool {
    let spaced = before.last().is_some_and(u8::is_ascii_whitespace);
    let words: Vec<&[u8]> = before
        .split(|byte| byte.is_ascii_whitespace() || *byte == b':')
        .filter(|word| !word.is_empty())
        .collect();
    let range = |word: &[u8]| {
        word.iter()
            .all(|byte| b"0123456789%,.$+-;'<>?".contains(byte))
    };
    let modifier = |word: &[u8]| {
        matches!(
            word,
            b"silent"
                | b"silent!"
                | b"sil"
                | b"sil!"
                | b"noautocmd"
                | b"noa"
                | b"bufdo"
                | b"argdo"
                | b"windo"
                | b"tabdo"
                | b"exe"
                | b"execute"
                | b"vert"
                | b"vertical"
                | b"confirm"
                | b"verbose"
        )
    };
    let Some((last, rest)) = words.split_last() else {
        return true;
    };
    if !rest.iter().all(|word| range(word) || modifier(word)) {
        return false;
    }
    let verb = last
        .iter()
        .position(|byte| byte.is_ascii_alphabetic())
        .and_then(|at| last.get(at..))
        .unwrap_or_default();
    if range(last) {
        return true;
    }
    if spaced {
        modifier(last) || matches!(verb, b"r" | b"re" | b"read" | b"w" | b"wr" | b"write")
    } else {
        matches!(verb, b"r" | b"re" | b"read")
    }
}

fn ed(name: &str, command: &Command<'_>) -> Vec<Step> {
    let read = scan(command.argv, 1, &ED);
    let mut steps: Vec<Step> = read
        .operands
        .iter()
        .filter_map(|at| command.argv.get(*at))
        .filter(|arg| arg.value.known_prefix().starts_with(b"!"))
        .map(|arg| Step::text(name, &behind(arg, 1)))
        .collect();
    if name == "red" {
        return Vec::new();
    }
    if let Some(value) = command.stdin {
        let text = Arg {
            value: value.clone(),
            span: super::privilege::argv_span(command.argv),
        };
        steps.extend(
            lines(&text)
                .iter()
                .filter_map(ex_command)
                .map(|text| Step::text(name, &text)),
        );
    }
    steps
}

/// GNU sed's `e` command and the `e` flag of `s`.
fn sed(name: &str, argv: &[Arg]) -> Vec<Step> {
    let read = scan(argv, 1, &SED);
    if read.has(&["sandbox", "posix", "help", "version"]) {
        return Vec::new();
    }
    let mut scripts: Vec<&Arg> = read.all(&["e", "expression"]).collect();
    if scripts.is_empty() && !read.has(&["f", "file"]) {
        scripts.extend(read.operands.first().and_then(|at| argv.get(*at)));
    }
    scripts
        .into_iter()
        .flat_map(|script| sed_script(name, script))
        .collect()
}

struct Reader<'a> {
    cells: Vec<Cell<'a>>,
    at: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<u8> {
        self.cells
            .get(self.at)
            .map(|cell| cell.byte().unwrap_or(b'?'))
    }

    fn skip(&mut self, test: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&test) {
            self.at += 1;
        }
    }

    /// Up to an unescaped `end`, which is passed over.
    fn until(&mut self, end: u8) -> Vec<Cell<'a>> {
        let mut out = Vec::new();
        let mut class = false;
        while let Some(cell) = self.cells.get(self.at).copied() {
            self.at += 1;
            match cell.byte() {
                Some(byte) if byte == end && !class => break,
                Some(b'\\') => {
                    out.push(cell);
                    out.extend(self.cells.get(self.at).copied());
                    self.at += 1;
                }
                Some(b'[') if end != b'\n' && !class => {
                    class = true;
                    out.push(cell);
                    // A bracket directly behind the opening one is a member.
                    if self.peek() == Some(b'^') {
                        out.extend(self.cells.get(self.at).copied());
                        self.at += 1;
                    }
                    if self.peek() == Some(b']') {
                        out.extend(self.cells.get(self.at).copied());
                        self.at += 1;
                    }
                    // Without a closing one it is an ordinary byte.
                    let closes = self
                        .cells
                        .get(self.at..)
                        .unwrap_or_default()
                        .iter()
                        .take(64)
                        .any(|cell| cell.byte() == Some(b']'));
                    class = closes;
                }
                Some(b']') if class => {
                    class = false;
                    out.push(cell);
                }
                _ => out.push(cell),
            }
        }
        out
    }

    /// Up to an unescaped `end`, without bracket expressions (a replacement).
    fn plain_until(&mut self, end: u8) -> Vec<Cell<'a>> {
        let mut out = Vec::new();
        while let Some(cell) = self.cells.get(self.at).copied() {
            self.at += 1;
            if cell.byte() == Some(end) {
                break;
            }
            out.push(cell);
            if cell.byte() == Some(b'\\') {
                out.extend(self.cells.get(self.at).copied());
                self.at += 1;
            }
        }
        out
    }

    fn address(&mut self) {
        match self.peek() {
            Some(b'/') => {
                self.at += 1;
                self.until(b'/');
            }
            Some(b'\\') => {
                self.at += 1;
                if let Some(end) = self.peek() {
                    self.at += 1;
                    self.until(end);
                }
            }
            _ => self.skip(|byte| byte.is_ascii_digit() || matches!(byte, b'$' | b'~' | b'+')),
        }
        self.skip(|byte| matches!(byte, b'I' | b'M' | b' ' | b'\t'));
    }
}

fn sed_script(name: &str, script: &Arg) -> Vec<Step> {
    let mut reader = Reader {
        cells: cells(&script.value),
        at: 0,
    };
    let mut steps = Vec::new();
    while reader.at < reader.cells.len() {
        reader.skip(|byte| byte.is_ascii_whitespace() || matches!(byte, b';' | b'{' | b'}'));
        reader.address();
        if reader.peek() == Some(b',') {
            reader.at += 1;
            reader.skip(|byte| byte == b' ');
            reader.address();
        }
        reader.skip(|byte| matches!(byte, b'!' | b' ' | b'\t'));
        let Some(verb) = reader.peek() else { break };
        reader.at += 1;
        match verb {
            b'e' => {
                reader.skip(|byte| byte == b' ');
                let text = reader.plain_until(b'\n');
                let text = word(&text, script.span);
                if text.value.pieces.is_empty() || text.value.known_prefix().starts_with(b";") {
                    steps.push(unknown_lines(name, script));
                } else {
                    steps.push(Step::text(&format!("{name} e"), &text));
                }
            }
            b's' => {
                let Some(end) = reader.peek() else { break };
                reader.at += 1;
                reader.until(end);
                let replacement = reader.plain_until(end);
                let mut executes = false;
                while let Some(flag) = reader.peek() {
                    match flag {
                        b'e' => executes = true,
                        b'w' => {
                            reader.plain_until(b'\n');
                            break;
                        }
                        b'g' | b'p' | b'i' | b'I' | b'm' | b'M' | b'0'..=b'9' => {}
                        _ => break,
                    }
                    reader.at += 1;
                }
                if executes {
                    steps.push(replaced_line(name, script, &replacement));
                }
            }
            b'y' => {
                let Some(end) = reader.peek() else { break };
                reader.at += 1;
                reader.plain_until(end);
                reader.plain_until(end);
            }
            b'a' | b'i' | b'c' | b'r' | b'R' | b'w' | b'W' | b'#' => {
                reader.plain_until(b'\n');
            }
            b':' | b'b' | b't' | b'T' => reader.skip(|byte| byte != b'\n' && byte != b';'),
            _ => {}
        }
    }
    steps
}

/// The text is a line of the input.
fn unknown_lines(name: &str, script: &Arg) -> Step {
    Step::text(
        &format!("{name} e"),
        &Arg {
            value: Value::unknown(Origin::Other),
            span: script.span,
        },
    )
}

/// The text is a line of the input after a replacement, which is known when it refers to nothing.
fn replaced_line(name: &str, script: &Arg, replacement: &[Cell<'_>]) -> Step {
    let refers = replacement
        .iter()
        .enumerate()
        .any(|(at, cell)| match cell.byte() {
            Some(b'&') => true,
            Some(b'\\') => replacement
                .get(at + 1)
                .and_then(|next| next.byte())
                .is_some_and(|byte| byte.is_ascii_digit()),
            _ => false,
        });
    if refers {
        return unknown_lines(name, script);
    }
    let mut text = Vec::new();
    let mut rest = replacement.iter().copied();
    while let Some(cell) = rest.next() {
        if cell.byte() == Some(b'\\') {
            text.extend(rest.next());
        } else {
            text.push(cell);
        }
    }
    Step::text(&format!("{name} s///e"), &word(&text, script.span))
}

static CONSOLES: &[(&[&str], &[&str])] = &[
    (&["psql"], &["\\!"]),
    (&["mysql", "mariadb"], &["\\!", "system "]),
    (&["sqlite3", "sqlite", "duckdb"], &[".shell ", ".system "]),
    (&["dc", "ftp", "lftp", "tftp", "cdb", "sftp"], &["!"]),
];

static CONSOLE: Spec = Spec::anywhere(
    "c:e:f:h:U:u:p:P:d:D:b:o:v:",
    "command= execute= cmd= file= host= user= username= port= dbname= database= set= variable= expression= init-command= init=",
);

/// Database consoles and the like: lines that begin with a mark are shell text.
pub(super) fn console(name: &str, command: &Command<'_>) -> Option<Vec<Step>> {
    let argv = command.argv;
    if name == "gdb" || name == "lldb" {
        return Some(debugger(name, argv));
    }
    if name == "osascript" {
        return Some(apple_script(name, command));
    }
    let calls: &[&str] = match name {
        "Rscript" | "R" | "r" | "littler" => &["system", "system2", "shell"],
        "julia" => &["run"],
        "groovy" | "scala" | "elixir" | "iex" | "erl" | "guile" | "racket" | "octave"
        | "octave-cli" | "sbcl" | "clisp" | "clojure" | "clj" | "bb" | "maxima" | "gp" | "ghc"
        | "swift" | "kotlin" | "jshell" | "tclsh" | "expect" => &[
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
    };
    if !calls.is_empty() {
        return Some(calls_in(name, argv, calls));
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
        span: super::privilege::argv_span(argv),
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

static GDB: Spec = Spec::new(
    "x:d:p:c:s:e:q n b:l:o:O:S:K:f:Q",
    "ex= eval-command= iex= init-eval-command= eiex= early-init-eval-command= command= init-command= args batch quiet nx nh \
     directory= pid= core= exec= symbols= se= cd= data-directory= one-line= one-line-before-file= source= tui interpreter= \
     return-child-result version help",
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
    ];
    for text in read.all(&commands) {
        let via = format!("{name} -ex");
        for line in escaped_lines(text, &["shell ", "!", "make ", "platform shell ", "pipe "]) {
            steps.push(Step::text(&via, &line));
        }
        for line in escaped_lines(
            text,
            &["python ", "py ", "pi ", "python-interactive ", "script "],
        ) {
            steps.push(interpreters::code(
                &via,
                crate::code::Language::Python,
                &line,
            ));
        }
        steps.extend(
            behind_names(text, &["system"])
                .iter()
                .map(|text| Step::text(&via, text)),
        );
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

fn apple_script(name: &str, command: &Command<'_>) -> Vec<Step> {
    let read = scan(command.argv, 1, &Spec::new("e:l:s:i", ""));
    let mut texts: Vec<Arg> = read.all(&["e"]).cloned().collect();
    if texts.is_empty() {
        texts.extend(command.stdin.map(|value| Arg {
            value: value.clone(),
            span: super::privilege::argv_span(command.argv),
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
    if name == "expect" || name == "tclsh" {
        let read = scan(argv, 1, &Spec::new("c:f:bdDinNv", ""));
        for text in read.all(&["c"]) {
            let all = cells(&text.value);
            for part in all.split(|cell| matches!(cell.byte(), Some(b';' | b'\n'))) {
                let line = word(part, text.span);
                for rest in escaped_lines(&line, &["spawn ", "exec ", "system "]) {
                    steps.extend(Step::argv(
                        "expect spawn",
                        &super::words::split_quoted(&rest),
                    ));
                }
            }
            steps.push(Step::local(name, Payload::Foreign { span: text.span }));
        }
    }
    steps
}
