//! The filter in front of a terminal.
//!
//! Passed on: text, colours, cursor movement, clearing, the alternate screen. Taken out: whatever
//! reaches beyond the screen. Those are strings (OSC: title, clipboard, links; DCS, APC, PM, SOS),
//! sequences that the terminal answers on its own as if somebody typed, and every control of eight
//! bits, also in UTF-8, since terminals differ in what they take it for.
//!
//! A sequence is passed on whole or not at all, and nothing of it is passed on before its end. So
//! text that follows an unfinished sequence is harmless text. Time is linear and the memory bounded
//! whatever comes; how the bytes are divided into portions changes nothing.

use super::sequence::{is_csi_harmless, is_escape_harmless};

/// Longest `CSI` sequence that is passed on, in bytes behind the introducer.
const MAX_CSI: usize = 128;

/// Longest string that is taken out, in bytes; what follows is text again. A terminal that never
/// sees the end of a string would show nothing any more.
pub const MAX_STRING: usize = 1 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Text,
    /// Behind ESC, and intermediate bytes, which are held.
    Escape,
    /// Behind `ESC [`; what came is held.
    Csi,
    /// A CSI sequence that is too long or of eight bits.
    Dropped,
    /// A string; whether BEL ends it, and how many bytes it had.
    String {
        bell: bool,
        length: usize,
    },
    /// ESC in a string.
    End,
}

/// The filter. It keeps what it must know between portions.
#[derive(Clone, Debug)]
pub struct Escapes {
    state: State,
    /// Bytes of an unfinished sequence or character.
    held: Vec<u8>,
    /// Continuation bytes that are missing of a character, in text.
    missing: u8,
}

impl Escapes {
    /// A filter at the beginning of the output.
    #[must_use]
    pub fn new() -> Self {
        Self {
            state: State::Text,
            held: Vec::with_capacity(MAX_CSI),
            missing: 0,
        }
    }

    /// Appends what may be shown of `bytes` to `out`.
    pub fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        let mut rest = bytes;
        while let Some((byte, after)) = rest.split_first() {
            if self.state == State::Text && self.missing == 0 {
                // Printable ASCII, the most of all output, at once.
                let plain = rest
                    .iter()
                    .position(|it| !matches!(it, 0x20..=0x7e | b'\n' | b'\r' | b'\t'))
                    .unwrap_or(rest.len());
                if plain > 0 {
                    let (text, behind) = rest.split_at_checked(plain).unwrap_or((rest, &[]));
                    out.extend_from_slice(text);
                    rest = behind;
                    continue;
                }
            }
            self.byte(*byte, out);
            rest = after;
        }
    }

    /// The end of the output: an unfinished character or sequence is left out.
    pub fn finish(&mut self) {
        *self = Self::new();
    }

    fn byte(&mut self, byte: u8, out: &mut Vec<u8>) {
        match self.state {
            State::Text => self.text(byte, out),
            State::Escape => self.escape(byte, out),
            State::Csi => self.csi(byte, out),
            State::Dropped => self.dropped(byte, out),
            State::String { bell, length } => self.string(byte, bell, length),
            State::End => self.end(byte, out),
        }
    }

    fn text(&mut self, byte: u8, out: &mut Vec<u8>) {
        if self.missing > 0 {
            if matches!(byte, 0x80..=0xbf) {
                self.held.push(byte);
                self.missing -= 1;
                if self.missing == 0 {
                    self.character(out);
                }
                return;
            }
            // A torn character.
            self.missing = 0;
            self.held.clear();
            out.extend_from_slice("\u{fffd}".as_bytes());
        }
        match byte {
            0x1b => self.state = State::Escape,
            // The terminal would answer.
            0x05 => {}
            0x00..=0x7f => out.push(byte),
            0x80..=0x9f => self.control(byte),
            0xc2..=0xdf => self.begin(byte, 1),
            0xe0..=0xef => self.begin(byte, 2),
            0xf0..=0xf4 => self.begin(byte, 3),
            0xa0..=0xc1 | 0xf5..=0xff => out.extend_from_slice("\u{fffd}".as_bytes()),
        }
    }

    fn begin(&mut self, byte: u8, missing: u8) {
        self.held.push(byte);
        self.missing = missing;
    }

    /// A whole character of several bytes.
    fn character(&mut self, out: &mut Vec<u8>) {
        match *self.held.as_slice() {
            [0xc2, control @ 0x80..=0x9f] => {
                self.held.clear();
                self.control(control);
            }
            ref held if std::str::from_utf8(held).is_ok() => {
                out.extend_from_slice(held);
                self.held.clear();
            }
            _ => {
                out.extend_from_slice("\u{fffd}".as_bytes());
                self.held.clear();
            }
        }
    }

    /// A control of eight bits.
    fn control(&mut self, byte: u8) {
        self.state = match byte {
            0x9b => State::Dropped,
            0x90 | 0x98 | 0x9e | 0x9f => State::String {
                bell: false,
                length: 0,
            },
            0x9d => State::String {
                bell: true,
                length: 0,
            },
            _ => State::Text,
        };
    }

    fn escape(&mut self, byte: u8, out: &mut Vec<u8>) {
        match byte {
            0x1b => self.held.clear(),
            0x20..=0x2f if self.held.len() < 4 => self.held.push(byte),
            0x20..=0x2f => {}
            0x30..=0x7e => {
                let first = self.held.is_empty();
                match byte {
                    b'[' if first => {
                        self.state = State::Csi;
                        return;
                    }
                    b']' if first => return self.begin_string(true),
                    b'P' | b'X' | b'^' | b'_' if first => return self.begin_string(false),
                    _ => {}
                }
                if is_escape_harmless(&self.held, byte) {
                    out.push(0x1b);
                    out.extend_from_slice(&self.held);
                    out.push(byte);
                }
                self.again();
            }
            _ => {
                self.again();
                self.text(byte, out);
            }
        }
    }

    fn csi(&mut self, byte: u8, out: &mut Vec<u8>) {
        match byte {
            0x20..=0x3f if self.held.len() == MAX_CSI => {
                self.held.clear();
                self.state = State::Dropped;
            }
            0x20..=0x3f => self.held.push(byte),
            0x40..=0x7e => {
                let split = self
                    .held
                    .iter()
                    .position(|it| !matches!(it, 0x30..=0x3f))
                    .unwrap_or(self.held.len());
                let (parameters, intermediates) =
                    self.held.split_at_checked(split).unwrap_or((&[], &[]));
                if is_csi_harmless(parameters, intermediates, byte) {
                    out.extend_from_slice(b"\x1b[");
                    out.extend_from_slice(&self.held);
                    out.push(byte);
                }
                self.again();
            }
            _ => {
                self.again();
                self.text(byte, out);
            }
        }
    }

    /// A sequence that is not passed on ends where a terminal would end it.
    fn dropped(&mut self, byte: u8, out: &mut Vec<u8>) {
        match byte {
            0x20..=0x3f => {}
            0x40..=0x7e => self.again(),
            _ => {
                self.again();
                self.text(byte, out);
            }
        }
    }

    fn begin_string(&mut self, bell: bool) {
        self.again();
        self.state = State::String { bell, length: 0 };
    }

    fn string(&mut self, byte: u8, bell: bool, length: usize) {
        let inside = self.missing > 0 && matches!(byte, 0x80..=0xbf);
        // ST of eight bits counts alone and in UTF-8, not as a part of another character: titles
        // are full of those.
        let encoded = inside && self.held.as_slice() == [0xc2] && byte == 0x9c;
        self.missing = match byte {
            _ if inside => self.missing - 1,
            0xc2..=0xdf => 1,
            0xe0..=0xef => 2,
            0xf0..=0xf4 => 3,
            _ => 0,
        };
        self.held.clear();
        if byte == 0xc2 {
            self.held.push(byte);
        }
        match byte {
            0x07 if bell => self.again(),
            0x18 | 0x1a => self.again(),
            0x1b => self.state = State::End,
            0x9c if encoded || !inside => self.again(),
            _ if length >= MAX_STRING => self.again(),
            _ => {
                self.state = State::String {
                    bell,
                    length: length + 1,
                };
            }
        }
    }

    fn end(&mut self, byte: u8, out: &mut Vec<u8>) {
        self.again();
        if byte != b'\\' {
            // The string is broken off, and another sequence begins.
            self.state = State::Escape;
            self.escape(byte, out);
        }
    }

    fn again(&mut self) {
        self.missing = 0;
        self.held.clear();
        self.state = State::Text;
    }
}

impl Default for Escapes {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests;
