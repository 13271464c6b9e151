//! `if` and `for`.

use super::frame::Open;
use super::machine::Machine;
use super::word::{Ends, read};
use crate::execution::Why;
use crate::syntax::{Part, Text, Word};
use crate::windows::tree;

impl Machine<'_> {
    /// The words of `if` in front of its command.
    pub(super) fn condition(&mut self) {
        let ends = Ends {
            equals: true,
            ..self.ends()
        };
        let next = |machine: &mut Self| {
            machine.blanks();
            let word = machine.read(machine.at, ends);
            let at = std::mem::replace(&mut machine.at, word.end);
            if word.again {
                machine.error(Why::Syntax, at);
            }
            word.text().unwrap_or_default().to_ascii_lowercase()
        };
        loop {
            let word = next(self);
            match word.as_slice() {
                b"/i" | b"not" => {}
                b"exist" | b"defined" | b"errorlevel" | b"cmdextversion" => {
                    next(self);
                    return;
                }
                _ => break,
            }
        }
        self.blanks();
        if self.byte(0) == Some(b'=') {
            while self.byte(0) == Some(b'=') {
                self.at += 1;
            }
            next(self);
            return;
        }
        next(self);
        next(self);
    }

    /// `for … %x in (…) do`
    pub(super) fn for_loop(&mut self, start: usize) {
        let mut letter = None;
        let mut over_text = false;
        let mut computed = false;
        loop {
            self.blanks();
            let at = self.at;
            let word = self.text.get(at..).unwrap_or_default();
            let length = word
                .iter()
                .position(|byte| byte.is_ascii_whitespace() || *byte == b'(')
                .unwrap_or(word.len());
            let word = word.get(..length).unwrap_or_default().to_ascii_lowercase();
            if word.is_empty() {
                self.error(Why::Syntax, start);
                return;
            }
            self.at += length;
            match word.as_slice() {
                b"in" if letter.is_some() => break,
                b"/f" => over_text = true,
                b"/l" | b"/r" | b"/d" => computed = true,
                [b'%', .., _] => letter = self.text.get(at + length - 1).copied(),
                _ => {}
            }
        }
        self.blanks();
        let (Some(letter), Some(b'(')) = (letter, self.byte(0)) else {
            self.error(Why::Syntax, start);
            return;
        };
        let open = self.at + 1;
        let mut end = open;
        let mut quoted = false;
        while let Some(byte) = self.text.get(end) {
            match byte {
                b')' if !quoted => break,
                b'^' if !quoted => end += 1,
                b'"' => quoted = !quoted,
                b'\n' => quoted = false,
                _ => {}
            }
            end += 1;
        }
        let end = end.min(self.text.len());
        let (words, again) = self.loop_words(open, end, over_text, computed);
        if again {
            self.error(Why::Syntax, start);
        }
        if !over_text && words.iter().any(begins_with_slash) {
            self.variables.switches.insert(letter);
        } else {
            self.variables.switches.remove(&letter);
        }
        self.at = (end + 1).min(self.text.len());
        self.blanks();
        let does = self
            .text
            .get(self.at..self.at + 2)
            .is_some_and(|word| word.eq_ignore_ascii_case(b"do"));
        if !does {
            self.error(Why::Syntax, start);
            return;
        }
        self.at += 2;
        self.open(Open::For { letter, words }, start);
    }

    pub(super) fn loop_words(
        &self,
        open: usize,
        end: usize,
        over_text: bool,
        computed: bool,
    ) -> (Vec<Word>, bool) {
        let span = self.source.span(open, end);
        let inside = self.text.get(open..end).unwrap_or_default();
        if over_text {
            let text = inside.trim_ascii();
            let command = match text {
                [b'\'', inner @ .., b'\''] | [b'`', inner @ .., b'`'] => Some(inner),
                _ => None,
            };
            let words = match command {
                Some(command) => {
                    let from = open
                        + inside
                            .iter()
                            .position(|byte| b"'`".contains(byte))
                            .map_or(0, |at| at + 1);
                    let mut parts = Vec::new();
                    let mut run = Vec::new();
                    let mut run_at = from;
                    // The command goes through the caret once more.
                    for (index, byte) in command.iter().enumerate() {
                        if *byte == b'^' {
                            if !run.is_empty() {
                                parts.push(Part::Quoted(Text {
                                    bytes: std::mem::take(&mut run),
                                    at: self.source.origin(run_at),
                                }));
                            }
                            run_at = from + index + 1;
                        } else {
                            run.push(*byte);
                        }
                    }
                    parts.push(Part::Quoted(Text {
                        bytes: run,
                        at: self.source.origin(run_at),
                    }));
                    let words = vec![
                        tree::text(b"cmd", span),
                        tree::text(b"/c", span),
                        tree::word(parts, span),
                    ];
                    let list = tree::list(vec![tree::simple(words, Vec::new(), span)]);
                    vec![tree::word(vec![tree::printed(list, span)], span)]
                }
                None => match text {
                    [b'"', inner @ .., b'"'] => vec![tree::text(inner, span)],
                    _ => vec![tree::opaque(Vec::new(), span)],
                },
            };
            return (words, false);
        }
        if computed {
            return (vec![tree::opaque(Vec::new(), span)], false);
        }
        let source = self.source.slice(open, end);
        let ends = Ends {
            blank: true,
            equals: true,
            ..Ends::default()
        };
        let mut again = false;
        let mut words = Vec::new();
        let mut at = 0;
        while at < source.bytes().len() {
            let word = read(&source, at, ends, &self.variables);
            if word.end == at {
                at += 1;
                continue;
            }
            let span = source.span(at, word.end);
            at = word.end;
            again |= word.again;
            words.push(tree::word(word.parts, span));
        }
        (words, again)
    }
}

fn begins_with_slash(word: &Word) -> bool {
    matches!(word.parts.first(), Some(Part::Quoted(text) | Part::Literal(text)) if text.bytes.starts_with(b"/"))
}
