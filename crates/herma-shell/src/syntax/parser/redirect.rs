//! Redirections.

use super::Outcome;
use super::frame::{Frame, Product, Step};
use super::heredoc::{Pending, delimiter};
use super::input::{Filled, Input};
use super::parts::{Mode, Parts};
use crate::source::Span;
use crate::syntax::{Dialect, Part, Redirect, RedirectOp, Text, Word};

/// Operators, the longer before their prefixes; whether POSIX has them.
const OPERATORS: [(&[u8], RedirectOp, bool); 11] = [
    (b"<<<", RedirectOp::HereString, false),
    (b"<<", RedirectOp::HereDoc, true),
    (b"<&", RedirectOp::DupIn, true),
    (b"<>", RedirectOp::ReadWrite, true),
    (b"<", RedirectOp::Read, true),
    (b">>", RedirectOp::Append, true),
    (b">|", RedirectOp::Clobber, true),
    (b">&", RedirectOp::DupOut, true),
    (b">", RedirectOp::Write, true),
    (b"&>>", RedirectOp::BothAppend, false),
    (b"&>", RedirectOp::Both, false),
];

/// A redirection; the input stands behind the operator.
#[derive(Debug)]
pub(super) struct RedirectFrame {
    op: RedirectOp,
    fd: Option<u32>,
    variable: Option<Vec<u8>>,
    start: usize,
    /// `<<-`
    strips_tabs: bool,
    target_start: Option<usize>,
    target: Option<Word>,
}

impl RedirectFrame {
    /// Reads a descriptor and an operator, if they stand here.
    pub(super) fn begin(input: &mut Input) -> Option<Self> {
        let first = input.peek()?;
        let start = input.pos;
        let mut index = start;
        let mut fd = None;
        let mut variable = None;
        match first {
            b'<' | b'>' | b'&' => {}
            b'0'..=b'9' => {
                while matches!(input.raw(index), Some(b'0'..=b'9')) {
                    index = input.joined(index + 1);
                }
                let digits = input.joined_slice(start, index);
                if input.dialect == Dialect::Posix && digits.len() > 1 {
                    // dash reads a word.
                    return None;
                }
                fd = Some(number(&digits)?);
            }
            b'{' if input.bash() => {
                index = name_end(input, start + 1)?;
                variable = Some(input.joined_slice(start + 1, index));
                index = input.ends_at(index, b"}")?;
            }
            _ => return None,
        }
        let index = input.joined(index);
        let prefixed = fd.is_some() || variable.is_some();
        match input.raw(index) {
            Some(b'<' | b'>')
                if input.bash() && input.raw(input.joined(index + 1)) == Some(b'(') =>
            {
                return None;
            }
            Some(b'<' | b'>') => {}
            Some(b'&') if !prefixed => {}
            _ => return None,
        }
        let (op, end) = OPERATORS.iter().find_map(|(text, op, posix)| {
            if !posix && !input.bash() {
                return None;
            }
            Some((*op, input.ends_at(index, text)?))
        })?;
        input.pos = end;
        if input.zsh() {
            // `>!`, `>>|`, `&>|`, `>>&`: the same, even over a file that stands there.
            let op = match op {
                RedirectOp::Append if input.eat(b"&") => RedirectOp::BothAppend,
                op => op,
            };
            let writes = matches!(
                op,
                RedirectOp::Write
                    | RedirectOp::Append
                    | RedirectOp::Both
                    | RedirectOp::BothAppend
                    | RedirectOp::DupOut
            );
            if writes && !input.eat(b"!") {
                input.eat(b"|");
            }
        }
        let strips_tabs = op == RedirectOp::HereDoc && input.eat(b"-");
        Some(Self {
            op,
            fd,
            variable,
            start,
            strips_tabs,
            target_start: None,
            target: None,
        })
    }

    pub(super) fn step(&mut self, input: &mut Input) -> Outcome {
        let Some(target) = self.target.take() else {
            input.skip_blanks();
            if !input.at_word() || self.number_in_place_of_a_file(input) {
                return Err(input.fault());
            }
            self.target_start = Some(input.pos);
            let duplicates = matches!(self.op, RedirectOp::DupIn | RedirectOp::DupOut);
            if duplicates && input.peek() == Some(b'-') {
                // `-` is a token here: what follows it is the next word.
                let at = input.origin(input.pos);
                self.target = Some(Word {
                    parts: vec![Part::Literal(Text {
                        bytes: b"-".to_vec(),
                        at,
                    })],
                    span: input.span(input.pos, input.pos + 1),
                });
                input.pos += 1;
                return Ok(Step::Stay);
            }
            return Ok(Step::Push(Frame::Parts(Parts::new(
                Mode::Word { head: false },
                input.pos,
            ))));
        };
        let span = input.span(self.start, input.pos);
        let (target, body) = if self.op == RedirectOp::HereDoc {
            let (target, slot) = self.here_document(target.span, span, input);
            (target, Some(placeholder(slot)))
        } else {
            (target, None)
        };
        Ok(Step::Pop(Product::Redirect(Redirect {
            op: self.op,
            fd: self.fd,
            variable: self.variable.take(),
            target,
            body,
            span,
        })))
    }

    /// `<2<`: the digits belong to the next redirection.
    fn number_in_place_of_a_file(&self, input: &Input) -> bool {
        let mut index = input.pos;
        while matches!(input.raw(index), Some(b'0'..=b'9')) {
            index = input.joined(index + 1);
        }
        index > input.pos
            && !matches!(self.op, RedirectOp::DupIn | RedirectOp::DupOut)
            && matches!(input.raw(index), Some(b'<' | b'>'))
            && input.raw(input.joined(index + 1)) != Some(b'(')
    }

    /// Plans to read the body behind the next newline.
    fn here_document(&self, at: Span, span: Span, input: &mut Input) -> (Word, usize) {
        let start = self.target_start.unwrap_or(self.start);
        let (bytes, quoted) = delimiter(&input.joined_slice(start, input.pos));
        let slot = input.hold(Filled::Empty, span);
        input.pending.push(Pending {
            slot,
            delimiter: bytes.clone(),
            quoted,
            strips_tabs: self.strips_tabs,
            due: None,
        });
        let text = Text {
            bytes,
            at: at.start,
        };
        let part = if quoted {
            Part::Quoted(text)
        } else {
            Part::Literal(text)
        };
        let word = Word {
            parts: vec![part],
            span: at,
        };
        (word, slot)
    }

    pub(super) fn receive(&mut self, product: Product, _input: &Input) {
        if let Product::Word(word, _) = product {
            self.target = Some(word);
        }
    }

    pub(super) fn abandon(&mut self, input: &Input) -> Option<Product> {
        let target = self.target.take()?;
        let span = input.span(self.start, input.pos);
        Some(Product::Redirect(Redirect {
            op: self.op,
            fd: self.fd,
            variable: self.variable.take(),
            target,
            body: None,
            span,
        }))
    }
}

/// Stands for a body until its slot is filled.
fn placeholder(slot: usize) -> Word {
    Word {
        parts: Vec::new(),
        span: super::graft::mark(slot),
    }
}

fn number(digits: &[u8]) -> Option<u32> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// Where the variable name that begins at `index` ends.
pub(super) fn name_end(input: &Input, index: usize) -> Option<usize> {
    let start = input.joined(index);
    let mut index = start;
    while input
        .raw(index)
        .is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    {
        index = input.joined(index + 1);
    }
    let starts_well = input.raw(start).is_some_and(|byte| !byte.is_ascii_digit());
    (index > start && starts_well).then_some(index)
}
