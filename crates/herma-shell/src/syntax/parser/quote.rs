//! Quotes, backticks and what a dollar sign begins.

use super::Outcome;
use super::arithmetic::ArithmeticSub;
use super::command::{SubFrame, SubKind};
use super::frame::{Frame, Step};
use super::input::{Buffer, Input};
use super::parameter::{ParameterFrame, is_special};
use super::parts::{Mode, Parts};
use crate::syntax::{CommandSub, List, Operation, Parameter, Part, Text};
use crate::utf8;

impl Parts {
    /// `'…'`
    pub(super) fn single_quotes(&mut self, input: &mut Input) -> Outcome<()> {
        let open = input.pos;
        let mut index = open + 1;
        loop {
            match input.raw(index) {
                None => return Err(input.unfinished(open)),
                Some(b'\'') => break,
                Some(byte) => self.text(byte, index, true, input),
            }
            index += 1;
        }
        if index == open + 1 {
            self.part(Part::Quoted(Text {
                bytes: Vec::new(),
                at: input.origin(index),
            }));
        }
        input.pos = index + 1;
        Ok(())
    }

    /// `` `…` ``: the body is a job of its own.
    pub(super) fn backtick(&mut self, input: &mut Input) -> Outcome<()> {
        let open = input.pos;
        let double =
            self.mode == Mode::Double || matches!(self.mode, Mode::Operand { double: true, .. });
        let mut body = Buffer::default();
        let mut index = open + 1;
        loop {
            let Some(byte) = input.raw(index) else {
                return Err(input.unfinished(open));
            };
            match (byte, input.raw(index + 1)) {
                (b'`', _) => break,
                (b'\\', Some(next @ (b'`' | b'\\' | b'$'))) => {
                    body.push(next, input.origin(index + 1));
                    index += 2;
                    continue;
                }
                (b'\\', Some(b'"')) if double => {
                    body.push(b'"', input.origin(index + 1));
                    index += 2;
                    continue;
                }
                (b'\\', Some(next)) => {
                    body.push(byte, input.origin(index));
                    body.push(next, input.origin(index + 1));
                    index += 2;
                    continue;
                }
                _ => body.push(byte, input.origin(index)),
            }
            index += 1;
        }
        input.pos = index + 1;
        let slot = input.plan(body, false, input.span(open, input.pos));
        self.part(Part::Command(CommandSub {
            list: List::default(),
            current_shell: false,
            span: super::graft::mark(slot),
        }));
        Ok(())
    }

    /// At a dollar sign.
    pub(super) fn dollar(&mut self, input: &mut Input) -> Outcome<Option<Step>> {
        let start = input.pos;
        let second = input.joined(start + 1);
        let bash = input.bash();
        let in_word = !self.mode.double()
            && matches!(
                self.mode,
                Mode::Word { .. } | Mode::Regex | Mode::Alternative | Mode::Operand { .. }
            );
        match input.raw(second) {
            Some(b'(') => {
                let third = input.joined(second + 1);
                if input.raw(third) == Some(b'(') && !input.refused(start) {
                    let checkpoint = input.checkpoint();
                    input.pos = third + 1;
                    return self.open(Frame::ArithmeticSub(ArithmeticSub::new(
                        start,
                        Some(checkpoint),
                    )));
                }
                input.pos = second + 1;
                self.open(Frame::Sub(SubFrame::new(SubKind::Command, start)))
            }
            Some(b'{') => {
                input.pos = second + 1;
                match input.peek() {
                    Some(b' ' | b'\t' | b'\n') if bash => {
                        self.open(Frame::Sub(SubFrame::new(SubKind::Current, start)))
                    }
                    Some(b'|') if bash => {
                        input.pos += 1;
                        self.open(Frame::Sub(SubFrame::new(SubKind::Current, start)))
                    }
                    _ => self.open(Frame::Parameter(ParameterFrame::new(
                        start,
                        self.mode.double(),
                    ))),
                }
            }
            Some(b'[') if bash => {
                input.pos = second + 1;
                self.open(Frame::ArithmeticSub(ArithmeticSub::new(start, None)))
            }
            Some(b'\'') if in_word && bash => {
                let at = input.origin(second + 1);
                let AnsiC { bytes, end } = decode_ansi(input.slice(0, input.len()), second + 1);
                let Some(end) = end else {
                    return Err(input.unfinished(start));
                };
                input.pos = end + 1;
                self.part(Part::AnsiC(Text { bytes, at }));
                Ok(None)
            }
            Some(b'"') if in_word && bash => {
                input.pos = second;
                Ok(None)
            }
            Some(byte @ (b'=' | b'~' | b'^' | b'+' | b'#')) if input.zsh() => {
                self.zsh_sign(byte, start, second, input)
            }
            Some(byte) if byte == b'_' || byte.is_ascii_alphabetic() => {
                let mut end = second;
                while input
                    .raw(end)
                    .is_some_and(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
                {
                    end = input.joined(end + 1);
                }
                if input.zsh() {
                    return self.zsh_parameter(start, second, end, input);
                }
                self.parameter(start, second, end, input);
                Ok(None)
            }
            Some(byte) if byte.is_ascii_digit() || is_special(byte) => {
                if input.zsh() {
                    let mut end = second + 1;
                    while byte.is_ascii_digit()
                        && input.raw(end).is_some_and(|byte| byte.is_ascii_digit())
                    {
                        end += 1;
                    }
                    return self.zsh_parameter(start, second, end, input);
                }
                self.parameter(start, second, second + 1, input);
                Ok(None)
            }
            _ => {
                self.text(b'$', start, false, input);
                input.pos = start + 1;
                Ok(None)
            }
        }
    }

    /// `$=name`, `$~name`, `$^name`, `$+name`, `$#name`
    fn zsh_sign(
        &mut self,
        sign: u8,
        start: usize,
        from: usize,
        input: &mut Input,
    ) -> Outcome<Option<Step>> {
        let name = input.joined(from + 1);
        let mut end = name;
        while input
            .raw(end)
            .is_some_and(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
        {
            end = input.joined(end + 1);
        }
        if end == name
            && matches!(
                input.raw(name),
                Some(b'@' | b'*' | b'{' | b'=' | b'~' | b'^')
            )
            && sign != b'#'
        {
            // More than one sign, or a sign in front of a list or braces.
            return Err(input.fault());
        }
        if end == name {
            if sign == b'#' {
                return self.zsh_parameter(start, from, name, input);
            }
            self.text(b'$', start, false, input);
            input.pos = from;
            return Ok(None);
        }
        let span = input.span(start, end);
        let parameter = Part::Parameter(Box::new(Parameter {
            name: input.joined_slice(name, end),
            subscript: None,
            indirect: false,
            length: sign == b'#',
            operation: if sign == b'=' {
                Operation::Transform(b'=')
            } else {
                Operation::None
            },
            braced: true,
            span,
        }));
        input.pos = end;
        if input.peek() == Some(b'[') {
            while let Some(byte) = input.raw(input.pos)
                && byte != b']'
            {
                if matches!(byte, b'$' | b'`' | b'\n' | b' ') {
                    return Err(input.fault());
                }
                input.pos += 1;
            }
            input.pos += 1;
            self.part(Part::Opaque(vec![parameter]));
            return Ok(None);
        }
        self.part(match sign {
            b'=' | b'~' | b'#' => parameter,
            _ => Part::Opaque(vec![parameter]),
        });
        Ok(None)
    }

    /// `$name`, with the subscripts and modifiers that may follow it in zsh.
    fn zsh_parameter(
        &mut self,
        start: usize,
        from: usize,
        to: usize,
        input: &mut Input,
    ) -> Outcome<Option<Step>> {
        input.pos = to;
        if input.peek() == Some(b'[') {
            input.pos += 1;
            let name = input.joined_slice(from, to);
            let double = self.mode.double();
            return self.open(Frame::Parameter(ParameterFrame::bare(start, name, double)));
        }
        let mut end = to;
        while input.raw(end) == Some(b':')
            && input
                .raw(end + 1)
                .is_some_and(|letter| b"aAcehlPqQrtux".contains(&letter))
            && !matches!(input.raw(end + 2), Some(byte) if byte.is_ascii_alphanumeric() || byte == b'_')
        {
            end += 2;
        }
        let substitutes = input.raw(end) == Some(b':')
            && matches!(input.raw(end + 1), Some(b's' | b'g' | b'&'))
            && !matches!(input.raw(end + 2), Some(byte) if byte.is_ascii_alphanumeric() || byte == b'_');
        if substitutes {
            return Err(input.fault());
        }
        self.parameter(start, from, to, input);
        if end > to {
            input.pos = end;
            if let Some(part) = self.parts.pop() {
                self.part(Part::Opaque(vec![part]));
            }
        }
        Ok(None)
    }

    /// `$name`
    fn parameter(&mut self, start: usize, from: usize, to: usize, input: &mut Input) {
        input.pos = to;
        self.part(Part::Parameter(Box::new(Parameter {
            name: input.joined_slice(from, to),
            subscript: None,
            indirect: false,
            length: false,
            operation: Operation::None,
            braced: false,
            span: input.span(start, to),
        })));
    }
}

/// A decoded `$'…'`.
pub(super) struct AnsiC {
    pub(super) bytes: Vec<u8>,
    /// Where the closing quote stands, if there is one.
    pub(super) end: Option<usize>,
}

/// Decodes the text of `$'…'` from `index`, behind the opening quote, on.
pub(super) fn decode_ansi(raw: &[u8], mut index: usize) -> AnsiC {
    let mut bytes = Vec::new();
    // bash cuts the text at a NUL that an escape yields.
    let mut cut = None;
    loop {
        let Some(byte) = raw.get(index).copied() else {
            bytes.truncate(cut.unwrap_or(bytes.len()));
            return AnsiC { bytes, end: None };
        };
        match byte {
            b'\'' => {
                bytes.truncate(cut.unwrap_or(bytes.len()));
                return AnsiC {
                    bytes,
                    end: Some(index),
                };
            }
            b'\\' => {
                let before = bytes.len();
                index = escape(raw, index + 1, &mut bytes);
                if bytes.get(before..) == Some(&[0]) {
                    cut.get_or_insert(before);
                }
            }
            _ => {
                bytes.push(byte);
                index += 1;
            }
        }
    }
}

/// Decodes one escape whose letter stands at `index`; answers where the text goes on.
fn escape(raw: &[u8], index: usize, out: &mut Vec<u8>) -> usize {
    let Some(letter) = raw.get(index).copied() else {
        out.push(b'\\');
        return index;
    };
    let next = index + 1;
    match letter {
        b'a' => out.push(7),
        b'b' => out.push(8),
        b'e' | b'E' => out.push(27),
        b'f' => out.push(12),
        b'n' => out.push(b'\n'),
        b'r' => out.push(b'\r'),
        b't' => out.push(b'\t'),
        b'v' => out.push(11),
        b'\\' | b'\'' | b'"' | b'?' => out.push(letter),
        b'0'..=b'7' => {
            let (value, end) = digits(raw, index, 3, 8);
            out.push((value & 0xff) as u8);
            return end;
        }
        b'x' => {
            let braced = raw.get(next) == Some(&b'{');
            let from = if braced { next + 1 } else { next };
            let (value, mut end) = digits(raw, from, if braced { 8 } else { 2 }, 16);
            if end == from {
                out.extend([b'\\', b'x']);
                return next;
            }
            out.push((value & 0xff) as u8);
            if braced && raw.get(end) == Some(&b'}') {
                end += 1;
            }
            return end;
        }
        b'u' | b'U' => {
            let (value, end) = digits(raw, next, if letter == b'u' { 4 } else { 8 }, 16);
            if end == next {
                out.extend([b'\\', letter]);
                return next;
            }
            out.extend(utf8::encode(value));
            return end;
        }
        b'c' => {
            let Some(control) = raw.get(next).copied() else {
                out.extend([b'\\', b'c']);
                return next;
            };
            out.push(if control == b'?' {
                0x7f
            } else {
                control.to_ascii_uppercase() & 0x1f
            });
            let doubled = control == b'\\' && raw.get(next + 1) == Some(&b'\\');
            return next + 1 + usize::from(doubled);
        }
        _ => out.extend([b'\\', letter]),
    }
    next
}

/// At most `most` digits from `index` on; answers their value and where they end.
fn digits(raw: &[u8], mut index: usize, most: usize, radix: u32) -> (u32, usize) {
    let mut value = 0u32;
    for _ in 0..most {
        let Some(digit) = raw
            .get(index)
            .and_then(|byte| char::from(*byte).to_digit(radix))
        else {
            break;
        };
        value = value.wrapping_mul(radix).wrapping_add(digit);
        index += 1;
    }
    (value, index)
}
