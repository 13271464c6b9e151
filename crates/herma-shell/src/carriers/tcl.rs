//! Tcl, as far as `expect` scripts go: commands, their words, and what they start.

use crate::execution::Arg;

use super::words::{Cell, cells, computed, word};
use super::{Payload, Step};

/// How deep bodies are read.
const MAX_DEPTH: usize = 8;

/// Commands whose words are data.
const PLAIN: &[&[u8]] = &[
    b"send",
    b"send_user",
    b"send_error",
    b"sleep",
    b"set",
    b"puts",
    b"interact",
    b"exit",
    b"wait",
    b"close",
    b"log_user",
    b"log_file",
    b"match_max",
    b"exp_continue",
    b"return",
    b"break",
    b"continue",
    b"incr",
    b"append",
    b"lappend",
    b"global",
    b"package",
    b"stty",
    b"spawn",
    b"exec",
    b"system",
    b"fconfigure",
    b"flush",
    b"after",
];

/// Commands with bodies among their words.
const BODIES: &[&[u8]] = &[
    b"expect",
    b"expect_before",
    b"expect_after",
    b"expect_user",
    b"if",
    b"elseif",
    b"else",
    b"while",
    b"for",
    b"foreach",
    b"catch",
    b"proc",
    b"trap",
    b"timeout",
    b"eof",
    b"default",
    b"full_buffer",
];

/// A word of a command.
struct Word<'a> {
    cells: Vec<Cell<'a>>,
    /// It stood in braces.
    braced: bool,
    /// Brackets, with commands in them, stand in it.
    commands: bool,
}

impl Word<'_> {
    fn is(&self, text: &[u8]) -> bool {
        self.cells.len() == text.len()
            && self
                .cells
                .iter()
                .zip(text)
                .all(|(cell, byte)| cell.byte() == Some(*byte))
    }

    /// Whether a variable stands in it, or it stands for several words.
    fn expands(&self) -> bool {
        !self.braced
            && self
                .cells
                .iter()
                .any(|cell| matches!(cell.byte(), Some(b'$' | b'{')))
    }

    fn is_one_of(&self, names: &[&[u8]]) -> bool {
        names.iter().any(|name| self.is(name))
    }
}

/// What a script starts; and a step that says so where something is hidden, or, in a script of
/// which `all` must be understood, where anything else stands.
pub(super) fn steps(name: &str, text: &Arg, all: bool) -> Vec<Step> {
    let script = cells(&text.value);
    let mut reader = Reader {
        text,
        steps: Vec::new(),
        understood: true,
        hidden: false,
        talks_to_shell: false,
    };
    reader.script(&script, 0);
    if reader.hidden || (all && !reader.understood) {
        let payload = Payload::Foreign { span: text.span };
        reader.steps.push(Step::local(name, payload));
    }
    reader.steps
}

struct Reader<'a> {
    text: &'a Arg,
    steps: Vec<Step>,
    understood: bool,
    /// What it starts is computed.
    hidden: bool,
    /// What is sent goes to a shell.
    talks_to_shell: bool,
}

impl<'a> Reader<'a> {
    fn script(&mut self, all: &[Cell<'a>], depth: usize) {
        if depth > MAX_DEPTH {
            self.understood = false;
            return;
        }
        for command in commands(all) {
            self.command(&command, depth);
        }
    }

    fn command(&mut self, words: &[Word<'a>], depth: usize) {
        let Some((first, rest)) = words.split_first() else {
            return;
        };
        let arg = |part: &Word<'_>| word(&part.cells, self.text.span);
        if rest.iter().any(|part| part.commands) {
            self.understood = false;
        }
        if first.is_one_of(&[b"eval", b"uplevel", b"subst", b"open", b"source"]) {
            self.hidden = true;
            return;
        }
        if first.is(b"file") {
            let program: &[&[u8]] = match rest.first() {
                Some(verb) if verb.is(b"delete") => &[b"rm", b"-rf", b"--"],
                Some(verb) if verb.is(b"rename") => &[b"mv", b"--"],
                _ => return,
            };
            let program = program.iter().map(|part| computed(*part, self.text.span));
            let operands = rest.iter().skip(1).map(arg);
            let operands = operands.filter(|arg| !arg.value.known_prefix().starts_with(b"-"));
            let argv: Vec<Arg> = program.chain(operands).collect();
            self.steps.extend(Step::argv("file", &argv));
            return;
        }
        if first.is_one_of(&[b"spawn", b"exec", b"system"]) {
            self.hidden |= rest.iter().any(|part| part.commands || part.expands());
            let is_option =
                |part: &&Word<'_>| part.cells.first().and_then(|cell| cell.byte()) == Some(b'-');
            let argv: Vec<Arg> = rest.iter().skip_while(is_option).map(arg).collect();
            let name = argv.first().map(|arg| arg.value.known_prefix());
            let name = name.unwrap_or_default();
            let base = crate::path::base_name(&name);
            let data = [
                &b"npm"[..],
                b"git",
                b"passwd",
                b"sudo",
                b"gh",
                b"npx",
                b"yarn",
                b"pnpm",
            ];
            self.talks_to_shell |= first.is(b"spawn") && argv.len() == 1 && !data.contains(&base);
            self.steps.extend(Step::argv("expect spawn", &argv));
            return;
        }
        if first.is(b"send") {
            if self.talks_to_shell {
                self.sent(rest);
            }
            return;
        }
        if first.is_one_of(PLAIN) {
            return;
        }
        // In a list of patterns the pattern stands first.
        let pattern = first.cells.first().and_then(|cell| cell.byte());
        let patterns = depth > 0 && matches!(pattern, Some(b'"' | b'-' | b'*' | b'?'));
        if !first.is_one_of(BODIES) && !patterns && depth == 0 {
            self.understood = false;
            return;
        }
        for part in words.iter().filter(|part| part.braced) {
            self.script(&part.cells, depth + 1);
        }
    }

    /// Text for a shell that was spawned.
    fn sent(&mut self, words: &[Word<'a>]) {
        let Some(last) = words.last() else {
            return;
        };
        let mut text: Vec<Cell<'_>> = Vec::new();
        let mut rest = last.cells.iter().copied();
        while let Some(cell) = rest.next() {
            if cell.byte() == Some(b'\\') {
                match rest.next().and_then(Cell::byte) {
                    Some(b'r' | b'n') => text.push(Cell::Byte(b'\n', None)),
                    Some(other) => text.push(Cell::Byte(other, None)),
                    None => {}
                }
            } else {
                text.push(cell);
            }
        }
        let text = word(&text, self.text.span);
        self.steps.push(Step::text("expect send", &text));
    }
}

/// The commands of a script, as their words.
fn commands<'a>(all: &[Cell<'a>]) -> Vec<Vec<Word<'a>>> {
    let mut out = Vec::new();
    let mut current = Vec::new();
    let mut at = 0;
    while let Some(cell) = all.get(at) {
        match cell.byte() {
            Some(b'\n' | b';') => {
                out.push(std::mem::take(&mut current));
                at += 1;
            }
            Some(b' ' | b'\t' | b'\r') => at += 1,
            Some(b'\\') if all.get(at + 1).and_then(|cell| cell.byte()) == Some(b'\n') => at += 2,
            Some(b'#') if current.is_empty() => {
                let length = all
                    .iter()
                    .skip(at)
                    .take_while(|cell| cell.byte() != Some(b'\n'))
                    .count();
                at += length;
            }
            _ => {
                let (word, next) = one(all, at);
                current.push(word);
                at = next.max(at + 1);
            }
        }
    }
    out.push(current);
    out
}

/// The word at an index, and the index behind it.
fn one<'a>(all: &[Cell<'a>], from: usize) -> (Word<'a>, usize) {
    let open = all.get(from).and_then(|cell| cell.byte());
    let mut word = Word {
        cells: Vec::new(),
        braced: open == Some(b'{'),
        commands: false,
    };
    let quoted = open == Some(b'"');
    let mut at = from + usize::from(word.braced || quoted);
    let mut depth = 0usize;
    while let Some(cell) = all.get(at).copied() {
        let byte = cell.byte();
        if word.braced {
            match byte {
                Some(b'{') => depth += 1,
                Some(b'}') if depth == 0 => return (word, at + 1),
                Some(b'}') => depth -= 1,
                _ => {}
            }
        } else {
            match byte {
                Some(b'"') if quoted => return (word, at + 1),
                Some(b' ' | b'\t' | b'\n' | b'\r' | b';') if !quoted && depth == 0 => {
                    return (word, at);
                }
                Some(b'[') => {
                    depth += 1;
                    word.commands = true;
                }
                Some(b']') => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        word.cells.push(cell);
        if byte == Some(b'\\') {
            at += 1;
            word.cells.extend(all.get(at).copied());
        }
        at += 1;
    }
    (word, at)
}
