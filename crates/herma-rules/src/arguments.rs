//! An argv as options and operands, by the program's own way of writing them.

use std::borrow::Cow;

use herma_shell::Arg;

use crate::glob;
use crate::matching::Flag;
use crate::pack;
use crate::table::{List, Text};

/// How options look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// `-a`, `-ab`, `-avalue`, `--long`, `--long=value`.
    Gnu,
    /// `-long`, `--long`, with `=value` or the next word.
    Single,
    /// `/a`, `-Long`.
    Windows,
}

/// How a program's arguments are read.
#[derive(Debug)]
pub(crate) struct Syntax {
    /// Options with an operand.
    pub(crate) value: List<Text>,
    pub(crate) style: Style,
    /// Long options may be cut short.
    pub(crate) abbreviates: bool,
    /// Options end at the first operand that is no assignment.
    pub(crate) stops: bool,
    /// The subcommand's options are its own.
    pub(crate) separate: bool,
    /// Words and options compare without case.
    pub(crate) caseless: bool,
    /// Options whose operands are statements for a server.
    pub(crate) text: List<Text>,
}

static PLAIN: Syntax = Syntax {
    value: List::EMPTY,
    style: Style::Gnu,
    abbreviates: false,
    stops: false,
    separate: false,
    caseless: false,
    text: List::EMPTY,
};

/// An option as written.
#[derive(Debug)]
struct Opt {
    /// Index of its word.
    word: usize,
    /// Its name without dashes, in that word.
    name: (usize, usize),
    /// A letter of a bundle.
    short: bool,
    /// Where its value stands: word and offset.
    value: Option<(usize, usize)>,
}

/// An option as it is written.
pub(crate) struct Spelled<'a> {
    /// Index of its word.
    pub(crate) word: usize,
    /// A letter of a bundle.
    pub(crate) short: bool,
    /// Without dashes.
    pub(crate) name: &'a [u8],
    pub(crate) value: Given<'a>,
    option: &'a Opt,
}

/// The value that an option is given.
#[derive(Clone, Copy)]
pub(crate) enum Given<'a> {
    /// It takes none, or there is none.
    None,
    /// There is one, and it is not known.
    Unknown,
    Known(&'a [u8]),
}

/// An argv, read.
#[derive(Debug)]
pub(crate) struct Arguments<'a> {
    /// Every word's bytes, when known.
    pub(crate) words: Vec<Option<Cow<'a, [u8]>>>,
    /// Indices of the operands.
    pub(crate) operands: Vec<usize>,
    /// Index of `--`.
    marker: Option<usize>,
    options: Vec<Opt>,
    /// The program's syntax.
    pub(crate) syntax: &'static Syntax,
    /// Options of the innermost subcommand whose operands are statements for a server.
    text: List<Text>,
}

impl<'a> Arguments<'a> {
    /// Reads the argv of the program with this name.
    pub(crate) fn read(name: &str, argv: &'a [Arg]) -> Self {
        Self::of_words(name, argv.iter().map(|arg| arg.value.bytes()).collect())
    }

    /// Reads words, the program's own first; `None` for one that is not known.
    pub(crate) fn of_words(name: &str, words: Vec<Option<Cow<'a, [u8]>>>) -> Self {
        let syntax = pack::syntax(name).unwrap_or(&PLAIN);
        let mut out = Self {
            words,
            operands: Vec::new(),
            marker: None,
            options: Vec::new(),
            syntax,
            text: List::EMPTY,
        };
        let mut levels = Levels {
            outer: syntax,
            inner: None,
            depth: 0,
            below: false,
            key: name.to_owned(),
        };
        let mut index = 1;
        let mut ended = false;
        while let Some(word) = out.words.get(index) {
            let known = word.as_deref().unwrap_or_default();
            if ended || !is_option(known, syntax.style) {
                out.operands.push(index);
                if (syntax.stops && !known.contains(&b'='))
                    || levels.stops_behind(out.operands.len())
                {
                    ended = true;
                }
                if out.operands.len() <= 2 {
                    levels.descend(known);
                }
                index += 1;
            } else if known == b"--" {
                out.marker = Some(index);
                ended = true;
                index += 1;
            } else {
                let before = out.options.len();
                read_option(known, index, &levels, &mut out.options);
                let needs = out
                    .options
                    .get(before..)
                    .unwrap_or_default()
                    .last()
                    .is_some_and(|last| last.value == Some((index + 1, 0)));
                if needs
                    && index + 1 >= out.words.len()
                    && let Some(last) = out.options.last_mut()
                {
                    last.value = None;
                }
                index += if needs { 2 } else { 1 };
            }
        }
        out.text = levels.inner.unwrap_or(syntax).text;
        out
    }

    /// Whether the program is only asked how it is used: behind so many words of a command stands
    /// nothing but that.
    pub(crate) fn only_explain(&self, words: usize) -> bool {
        let [_, between @ .., Some(last)] = self.words.as_slice() else {
            return false;
        };
        let asks: &[&[u8]] = if between.is_empty() {
            &[b"--help", b"-h", b"-?", b"/?", b"--version", b"-V"]
        } else {
            &[b"--help", b"-h", b"-?", b"/?"]
        };
        between.len() == words && asks.iter().any(|ask| **ask == **last)
    }

    /// Whether one of the alternatives is there.
    pub(crate) fn has_any(&self, flags: &[Flag]) -> bool {
        let value = |flag: &Flag| flag.value.map(Text::text);
        flags
            .iter()
            .any(|flag| self.has(flag.name.text(), value(flag)))
    }

    /// Whether this option is there, with a value that the glob matches.
    pub(crate) fn has(&self, name: &str, value: Option<&str>) -> bool {
        let name = name.as_bytes();
        match name {
            b"--" => self.marker.is_some_and(|at| at + 1 < self.words.len()),
            [b'+', ..] => self
                .options_end()
                .iter()
                .flatten()
                .any(|word| **word == *name),
            [b'-', b'-', ..] | [b'-' | b'/', _] => self
                .options
                .iter()
                .any(|option| self.is(option, name) && self.value_matches(option, value)),
            _ if self.syntax.style == Style::Gnu => self
                .options_end()
                .iter()
                .flatten()
                .any(|word| **word == *name),
            _ => self
                .options
                .iter()
                .any(|option| self.is(option, name) && self.value_matches(option, value)),
        }
    }

    /// The words in front of `--`.
    fn options_end(&self) -> &[Option<Cow<'a, [u8]>>] {
        let end = self.marker.unwrap_or(self.words.len());
        self.words.get(..end).unwrap_or_default()
    }

    fn is(&self, option: &Opt, flag: &[u8]) -> bool {
        let dashes = flag
            .iter()
            .take_while(|byte| matches!(byte, b'-' | b'/'))
            .count();
        self.is_named(option, dashes == 1, flag.get(dashes..).unwrap_or_default())
    }

    fn is_named(&self, option: &Opt, short: bool, wanted: &[u8]) -> bool {
        let given = self.name(option);
        let same = |a: &[u8], b: &[u8]| {
            if self.syntax.caseless || self.syntax.style == Style::Windows {
                a.eq_ignore_ascii_case(b)
            } else {
                a == b
            }
        };
        if self.syntax.style == Style::Gnu && option.short != short {
            return false;
        }
        if same(given, wanted) {
            return true;
        }
        self.syntax.abbreviates
            && !option.short
            && !given.is_empty()
            && wanted
                .get(..given.len())
                .is_some_and(|start| same(given, start))
    }

    fn name(&self, option: &Opt) -> &[u8] {
        self.words
            .get(option.word)
            .and_then(|word| word.as_deref())
            .and_then(|word| word.get(option.name.0..option.name.1))
            .unwrap_or_default()
    }

    fn value_matches(&self, option: &Opt, wanted: Option<&str>) -> bool {
        let Some(wanted) = wanted else { return true };
        self.value(option)
            .is_some_and(|value| glob::matches(wanted.as_bytes(), value, self.syntax.caseless))
    }

    fn value(&self, option: &Opt) -> Option<&[u8]> {
        let (word, from) = option.value?;
        self.words.get(word)?.as_deref()?.get(from..)
    }

    /// The word at an index without these options: `Some(None)` when it holds none of them, empty
    /// when nothing else is in it, `None` when one of them has a value and cannot be taken out alone.
    pub(crate) fn given(&self, at: usize, names: &[&str]) -> Option<Option<Vec<u8>>> {
        let own = |option: &&Opt| {
            option.word == at && names.iter().any(|name| self.is(option, name.as_bytes()))
        };
        let mut given: Vec<&Opt> = self.options.iter().filter(own).collect();
        if given.is_empty() {
            return Some(None);
        }
        if given.iter().any(|option| option.value.is_some()) {
            return None;
        }
        if given.iter().any(|option| !option.short) {
            return Some(Some(Vec::new()));
        }
        let mut word = self.words.get(at)?.as_deref()?.to_vec();
        given.sort_by_key(|option| std::cmp::Reverse(option.name));
        for option in given {
            word.drain(option.name.0..option.name.1.min(word.len()));
        }
        Some(Some(if word == b"-" { Vec::new() } else { word }))
    }

    /// The options as they are written, each with the index of its word.
    pub(crate) fn spelled(&self) -> impl Iterator<Item = Spelled<'_>> {
        self.options.iter().map(|option| Spelled {
            word: option.word,
            short: option.short,
            name: self.name(option),
            value: match option.value {
                None => Given::None,
                Some(_) => self.value(option).map_or(Given::Unknown, Given::Known),
            },
            option,
        })
    }

    /// Whether the option of these arguments is the wanted one of others.
    pub(crate) fn is_same(&self, own: &Spelled<'_>, wanted: &Spelled<'_>) -> bool {
        self.is_named(own.option, wanted.short, wanted.name)
    }

    /// Whether `--` stands there.
    pub(crate) fn has_marker(&self) -> bool {
        self.marker.is_some()
    }

    /// Values of the options whose operands are statements for a server.
    pub(crate) fn statements(&self) -> impl Iterator<Item = &[u8]> {
        self.values_of(move |own| self.text.iter().any(|name| own(name)))
    }

    /// Values of these options.
    pub(crate) fn values(&self, names: &'static [&'static str]) -> impl Iterator<Item = &[u8]> {
        self.values_of(move |own| names.iter().any(|name| own(name)))
    }

    /// Values of the options for whose names this holds.
    fn values_of(
        &self,
        wanted: impl Fn(&dyn Fn(&str) -> bool) -> bool,
    ) -> impl Iterator<Item = &[u8]> {
        self.options
            .iter()
            .filter(move |option| wanted(&|name| self.is(option, name.as_bytes())))
            .filter_map(|option| self.value(option))
    }

    /// The known operands from this one on.
    pub(crate) fn operands_from(&self, from: usize) -> impl Iterator<Item = &[u8]> {
        self.operands
            .get(from..)
            .unwrap_or_default()
            .iter()
            .filter_map(|index| self.words.get(*index)?.as_deref())
    }
}

/// The program's syntax and, once its words are seen, the subcommand's.
struct Levels {
    outer: &'static Syntax,
    inner: Option<&'static Syntax>,
    /// How many words lead to it.
    depth: usize,
    /// A word was seen.
    below: bool,
    key: String,
}

impl Levels {
    fn descend(&mut self, word: &[u8]) {
        self.below = true;
        let Ok(word) = std::str::from_utf8(word) else {
            return;
        };
        if word.len() > 64 {
            return;
        }
        self.key.push(' ');
        self.key.push_str(word);
        if let Some(inner) = pack::syntax(&self.key) {
            self.inner = Some(inner);
            self.depth = self.key.split(' ').count() - 1;
        }
    }

    /// Whether the subcommand's options end with this many operands.
    fn stops_behind(&self, operands: usize) -> bool {
        self.inner.is_some_and(|inner| inner.stops) && operands > self.depth
    }

    /// Whether the rest of the bundle is the letter's value (`-Iseconds`), the next word never.
    fn takes_rest(&self, letter: u8) -> bool {
        let inner = self.inner.map_or(List::EMPTY, |inner| inner.value);
        self.outer
            .value
            .iter()
            .chain(inner.iter())
            .any(|own| own.as_bytes() == [b'-', letter, b'?'])
    }

    fn takes_value(&self, name: &[u8], short: bool) -> bool {
        let outer = if self.below && self.outer.separate {
            List::EMPTY
        } else {
            self.outer.value
        };
        let inner = self.inner.map_or(List::EMPTY, |inner| inner.value);
        outer.iter().chain(inner.iter()).any(|own| {
            let own = own.as_bytes();
            let (dashes, own) = match own {
                [b'-', b'-', rest @ ..] => (2, rest),
                [b'-' | b'/', rest @ ..] => (1, rest),
                _ => (0, own),
            };
            if self.outer.style == Style::Gnu && short != (dashes == 1) {
                return false;
            }
            if self.outer.style == Style::Windows {
                return own.eq_ignore_ascii_case(name);
            }
            own == name
                || (self.outer.abbreviates && !short && name.len() > 2 && own.starts_with(name))
        })
    }
}

fn is_option(word: &[u8], style: Style) -> bool {
    match word {
        [b'-', _, ..] => true,
        [b'/', rest @ ..] => style == Style::Windows && !rest.is_empty() && !rest.contains(&b'/'),
        _ => false,
    }
}

fn read_option(word: &[u8], index: usize, levels: &Levels, out: &mut Vec<Opt>) {
    let next = Some((index + 1, 0));
    let long = word.starts_with(b"--");
    if long || levels.outer.style != Style::Gnu {
        let start = if long { 2 } else { 1 };
        let separators: &[u8] = if levels.outer.style == Style::Windows {
            b"=:"
        } else {
            b"="
        };
        let end = word
            .iter()
            .position(|byte| separators.contains(byte))
            .unwrap_or(word.len());
        let name = word.get(start..end).unwrap_or_default();
        let value = if end < word.len() {
            Some((index, end + 1))
        } else if levels.takes_value(name, false) {
            next
        } else {
            None
        };
        out.push(Opt {
            word: index,
            name: (start, end.max(start)),
            short: false,
            value,
        });
        return;
    }
    for (at, byte) in word.iter().enumerate().skip(1) {
        let takes = levels.takes_value(&[*byte], true);
        if levels.takes_rest(*byte) {
            out.push(Opt {
                word: index,
                name: (at, at + 1),
                short: true,
                value: Some((index, at + 1)),
            });
            return;
        }
        let value = match takes {
            true if at + 1 < word.len() => Some((index, at + 1)),
            true => next,
            false => None,
        };
        out.push(Opt {
            word: index,
            name: (at, at + 1),
            short: true,
            value,
        });
        if takes {
            return;
        }
    }
}

#[cfg(test)]
mod tests;
