//! Options of programs in the usual form: bundles, attached values, long names.

use super::stream;
use crate::execution::Arg;
use crate::value::Value;

/// One option.
pub(super) struct Opt {
    name: Vec<u8>,
    long: bool,
    /// Its value, when it takes one.
    pub(super) value: Option<Value>,
}

impl Opt {
    /// Whether this is the option of exactly this name, short or long.
    pub(super) fn is(&self, name: &[u8]) -> bool {
        self.name == name && self.long == (name.len() > 1)
    }

    /// Whether this is the long option of exactly this name.
    pub(super) fn is_long(&self, name: &[u8]) -> bool {
        self.long && self.name == name
    }
}

/// Options and operands of a command.
pub(super) struct Options {
    /// The options in order.
    pub(super) options: Vec<Opt>,
    /// Everything else.
    pub(super) operands: Vec<Value>,
}

impl Options {
    /// Splits words; `short` and `long` list the options that take a value. Words that are not
    /// known count as operands.
    pub(super) fn read(words: &[Arg], short: &[u8], long: &[&str]) -> Self {
        let mut out = Self {
            options: Vec::new(),
            operands: Vec::new(),
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let prefix = word.value.known_prefix();
            if word.value.is(b"--") {
                out.operands.extend(words.map(|arg| arg.value.clone()));
                break;
            } else if let Some(name) = prefix.strip_prefix(b"--") {
                let (name, mut value) = match name.iter().position(|byte| *byte == b'=') {
                    Some(at) => (
                        name.get(..at).unwrap_or_default(),
                        Some(stream::slice(&word.value, at + 3, usize::MAX)),
                    ),
                    None => (name, None),
                };
                if value.is_none() && long.iter().any(|known| known.as_bytes() == name) {
                    value = words.next().map(|arg| arg.value.clone());
                }
                out.options.push(Opt {
                    name: name.to_vec(),
                    long: true,
                    value,
                });
            } else if let Some(bundle) = prefix.strip_prefix(b"-").filter(|rest| !rest.is_empty()) {
                for (index, letter) in bundle.iter().enumerate() {
                    let takes = short.contains(letter);
                    let value = if takes {
                        let attached = stream::slice(&word.value, index + 2, usize::MAX);
                        if attached.pieces.is_empty() {
                            words.next().map(|arg| arg.value.clone())
                        } else {
                            Some(attached)
                        }
                    } else {
                        None
                    };
                    out.options.push(Opt {
                        name: vec![*letter],
                        long: false,
                        value,
                    });
                    if takes {
                        break;
                    }
                }
            } else {
                out.operands.push(word.value.clone());
            }
        }
        out
    }

    /// The last option with this letter (0 for none) or long name (or an abbreviation of it).
    pub(super) fn find(&self, letter: u8, long: &str) -> Option<&Opt> {
        self.options.iter().rev().find(|option| {
            if option.long {
                option.name.len() >= 2 && long.as_bytes().starts_with(&option.name)
            } else {
                letter != 0 && option.name == [letter]
            }
        })
    }

    /// Whether the option is given.
    pub(super) fn has(&self, letter: u8, long: &str) -> bool {
        self.find(letter, long).is_some()
    }

    /// The option's value.
    pub(super) fn value(&self, letter: u8, long: &str) -> Option<&Value> {
        self.find(letter, long)?.value.as_ref()
    }

    /// The option's value as bytes, when it is known.
    pub(super) fn bytes(&self, letter: u8, long: &str) -> Option<Vec<u8>> {
        Some(self.value(letter, long)?.bytes()?.into_owned())
    }
}

/// A decimal number, when it is one and fits.
pub(super) fn number(bytes: &[u8]) -> Option<usize> {
    if bytes.is_empty() || !bytes.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(bytes).ok()?.parse().ok()
}
