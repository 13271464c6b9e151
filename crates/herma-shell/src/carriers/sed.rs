//! GNU sed's scripts, as far as they run shell text.

use crate::execution::Arg;
use crate::value::{Origin, Value};

use super::Step;
use super::options::{Spec, scan};
use super::words::{Cell, cells, word};

static SED: Spec = Spec::anywhere(
    "nEre:f:i::l:suzbV",
    "expression= file= in-place? line-length= quiet silent posix \
         regexp-extended separate unbuffered null-data zero-terminated debug \
         sandbox follow-symlinks binary help version",
);

/// The files that hold the script.
pub(crate) fn files(argv: &[Arg]) -> Vec<Arg> {
    scan(argv, 1, &SED).all(&["f", "file"]).cloned().collect()
}

/// GNU sed's `e` command and the `e` flag of `s`.
pub(super) fn sed(name: &str, argv: &[Arg]) -> Vec<Step> {
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
                    class = self
                        .cells
                        .get(self.at..)
                        .unwrap_or_default()
                        .iter()
                        .take(64)
                        .any(|cell| cell.byte() == Some(b']'));
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
                let mut text = reader.plain_until(b'\n');
                // The backslash in front of a line end is sed's.
                let ends: Vec<bool> = text.iter().map(|it| it.byte() == Some(b'\n')).collect();
                let mut next = ends.into_iter().skip(1).chain([false]);
                text.retain(|it| !(next.next() == Some(true) && it.byte() == Some(b'\\')));
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
                let pattern = reader.until(end);
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
                    steps.push(replaced_line(name, script, &pattern, &replacement));
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
fn replaced_line(name: &str, script: &Arg, pattern: &[Cell<'_>], replacement: &[Cell<'_>]) -> Step {
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
    // Only a pattern for the whole line leaves nothing of it.
    let pattern: Option<Vec<u8>> = pattern.iter().map(|cell| cell.byte()).collect();
    let whole = matches!(pattern.as_deref(), Some(b".*" | b"^.*" | b"^.*$" | b".*$"));
    if refers || !whole {
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
