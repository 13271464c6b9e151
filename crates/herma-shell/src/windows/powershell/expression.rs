//! Expressions to words.

use super::machine::Machine;
use super::token::{Lowered, Open, Spot, Token};
use super::types::{Known, instance_member, static_member};
use super::variable::Variable;
use crate::source::Span;
use crate::syntax::{Part, Text, Word};
use crate::windows::tree;

/// How much text is put in more than once, in bytes.
const MAX_COPIED: usize = 64;

/// Operands joined by commas, behind an operator.
struct Term {
    operator: Option<Vec<u8>>,
    words: Vec<Word>,
    number: bool,
}

impl Machine<'_> {
    /// The elements that an expression gives.
    pub(super) fn values(&mut self, spots: Vec<Spot>) -> Vec<Word> {
        let Some(span) = self.extent(&spots) else {
            return Vec::new();
        };
        let mut spots = spots.into_iter().peekable();
        let mut terms: Vec<Term> = Vec::new();
        let mut cast: Option<Vec<u8>> = None;
        let mut inside: Vec<Part> = Vec::new();
        let mut open = false;
        let mut computed = false;
        while let Some(spot) = spots.next() {
            let mut number = false;
            let words = match spot.token {
                Token::Operator(operator) => {
                    terms.push(Term {
                        operator: Some(operator),
                        words: Vec::new(),
                        number: false,
                    });
                    open = true;
                    continue;
                }
                Token::Comma => {
                    open = true;
                    continue;
                }
                Token::Group(Open::Index, lowered) => {
                    // An attribute: what its arguments run.
                    inside.extend(parts_of(words_of(lowered, span)));
                    continue;
                }
                Token::Type(name) => {
                    let is_static = spots.peek().is_some_and(|next| {
                        matches!(next.token, Token::Member { of_type: true, .. })
                    });
                    if is_static {
                        let mut own = Vec::new();
                        while let Some(next) = spots.next_if(|next| next.glued && is_postfix(next))
                        {
                            own.push(next);
                        }
                        self.static_value(&name, (spot.start, spot.end), own)
                    } else if spots.peek().is_some_and(|next| {
                        !matches!(next.token, Token::Operator(_) | Token::Comma)
                    }) {
                        cast = Some(name);
                        continue;
                    } else {
                        vec![tree::opaque(Vec::new(), span)]
                    }
                }
                Token::Number(text) => {
                    number = true;
                    let span = self.span(spot.start, spot.end);
                    vec![tree::word(vec![Part::Quoted(text)], span)]
                }
                Token::Keyword(_)
                | Token::Assign(_)
                | Token::Call
                | Token::Redirect { .. }
                | Token::Newline
                | Token::Semicolon
                | Token::Pipe
                | Token::And
                | Token::Or
                | Token::Background => {
                    computed = true;
                    continue;
                }
                token => {
                    let mut own = vec![Spot { token, ..spot }];
                    while let Some(next) = spots.next_if(|next| next.glued && is_postfix(next)) {
                        own.push(next);
                    }
                    self.primary(own)
                }
            };
            let words = match cast.take() {
                Some(name) => cast_to(&name, words, span),
                None => words,
            };
            match terms.last_mut() {
                Some(term) if open => {
                    term.words.extend(words);
                    term.number |= number;
                }
                _ => {
                    // Two operands in a row are an error in PowerShell.
                    computed |= !terms.is_empty();
                    terms.push(Term {
                        operator: None,
                        words,
                        number,
                    });
                }
            }
            open = false;
        }
        let mut words = fold(terms, span);
        if computed {
            words = vec![tree::opaque(parts_of(words), span)];
        }
        if !inside.is_empty() {
            // Evaluated in front of the value, without being part of it.
            inside.extend(parts_of(words));
            words = vec![tree::opaque(inside, span)];
        }
        words
    }

    /// An operand with what stands behind it without a blank.
    pub(super) fn primary(&mut self, spots: Vec<Spot>) -> Vec<Word> {
        let Some(span) = self.extent(&spots) else {
            return Vec::new();
        };
        let mut spots = spots.into_iter();
        let Some(first) = spots.next() else {
            return Vec::new();
        };
        let is_block = match &first.token {
            Token::Group(Open::Block, _) => true,
            Token::Variable(variable) => self.blocks.contains(&variable.key()),
            _ => false,
        };
        let mut words = self.operand_words(first);
        let mut rest = spots.peekable();
        while let Some(next) = rest.next() {
            let place = (next.start, next.end);
            words = match next.token {
                Token::Member { name, .. } => {
                    let call = rest.next_if(|next| {
                        next.glued && matches!(next.token, Token::Group(Open::Arguments, _))
                    });
                    let arguments = call.map(|spot| match spot.token {
                        Token::Group(_, lowered) => words_of(lowered, span),
                        _ => Vec::new(),
                    });
                    if name.is_empty() {
                        self.unread(place.0, place.1);
                    }
                    match instance_member(&name, words, arguments, is_block, span) {
                        Known::Words(words) => words,
                        Known::Unread(words) => {
                            self.unread(place.0, place.1);
                            words
                        }
                    }
                }
                Token::Group(Open::Index, lowered) => {
                    let mut parts = parts_of(words);
                    parts.extend(parts_of(words_of(lowered, span)));
                    vec![tree::opaque(parts, span)]
                }
                token => {
                    let mut parts = parts_of(words);
                    let spot = Spot {
                        token,
                        start: place.0,
                        end: place.1,
                        glued: true,
                    };
                    parts.extend(parts_of(self.operand_words(spot)));
                    vec![tree::opaque(parts, span)]
                }
            };
        }
        words
    }

    fn static_value(&mut self, name: &[u8], place: (usize, usize), spots: Vec<Spot>) -> Vec<Word> {
        let end = spots.last().map_or(place.1, |spot| spot.end);
        let span = self.span(place.0, end);
        let mut spots = spots.into_iter().peekable();
        let Some(Spot {
            token: Token::Member { name: member, .. },
            ..
        }) = spots.next()
        else {
            return vec![tree::opaque(Vec::new(), span)];
        };
        let call = spots
            .next_if(|next| matches!(next.token, Token::Group(Open::Arguments, _)))
            .map(|spot| match spot.token {
                Token::Group(_, lowered) => words_of(lowered, span),
                _ => Vec::new(),
            });
        let words = match static_member(name, &member, call, span) {
            Known::Words(words) => words,
            Known::Unread(words) => {
                self.unread(place.0, end);
                words
            }
        };
        let mut words = words;
        while let Some(next) = spots.next() {
            let arguments = match &next.token {
                Token::Member { .. } => spots
                    .next_if(|next| matches!(next.token, Token::Group(Open::Arguments, _)))
                    .map(|spot| match spot.token {
                        Token::Group(_, lowered) => words_of(lowered, span),
                        _ => Vec::new(),
                    }),
                _ => None,
            };
            words = match next.token {
                Token::Member { name: inner, .. } => {
                    // `[Text.Encoding]::UTF8.GetString(…)`
                    let known = if inner == b"getstring" && member == b"unicode" {
                        Known::Words(vec![super::types::without_zeros(
                            arguments.unwrap_or_default(),
                            span,
                        )])
                    } else {
                        instance_member(&inner, words, arguments, false, span)
                    };
                    match known {
                        Known::Words(words) => words,
                        Known::Unread(words) => {
                            self.unread(next.start, next.end);
                            words
                        }
                    }
                }
                Token::Group(_, lowered) => {
                    let mut parts = parts_of(words);
                    parts.extend(parts_of(words_of(lowered, span)));
                    vec![tree::opaque(parts, span)]
                }
                _ => words,
            };
        }
        words
    }

    /// One token as words.
    fn operand_words(&mut self, spot: Spot) -> Vec<Word> {
        let span = self.span(spot.start, spot.end);
        match spot.token {
            Token::Bare(text) => vec![bare(text, span)],
            Token::Number(text) => vec![tree::word(vec![Part::Quoted(text)], span)],
            Token::Quoted(parts) => vec![tree::word(vec![Part::Double(parts)], span)],
            Token::Variable(variable) => self.variable(&variable, span),
            Token::Splat(variable) => {
                let part = tree::elements(&variable.key(), b'@', span);
                vec![tree::word(vec![Part::Double(vec![part])], span)]
            }
            Token::Group(Open::Block, lowered) => {
                let list = self.listed(lowered, span);
                // A block may run wherever it is given.
                vec![tree::opaque(vec![tree::printed(list, span)], span)]
            }
            Token::Group(_, lowered) => words_of(lowered, span),
            _ => Vec::new(),
        }
    }

    fn variable(&mut self, variable: &Variable, span: Span) -> Vec<Word> {
        if variable.is(b"null") {
            return vec![tree::text(b"", span)];
        }
        if variable.is_elsewhere() && !matches!(variable.scope.as_slice(), b"function" | b"alias") {
            // The provider reads what it names.
            let path = [variable.scope.as_slice(), b":", &variable.name].concat();
            let words = vec![tree::text(b"Get-Content", span), tree::text(&path, span)];
            let list = tree::list(vec![tree::simple(words, Vec::new(), span)]);
            return vec![tree::word(vec![tree::printed(list, span)], span)];
        }
        let part = variable.part(&self.arrays, true, span);
        vec![tree::word(vec![Part::Double(vec![part])], span)]
    }
}

/// Text without quotes: `~` is the home, and patterns are live.
pub(super) fn bare(text: Text, span: Span) -> Word {
    let home =
        text.bytes.first() == Some(&b'~') && matches!(text.bytes.get(1), None | Some(b'/' | b'\\'));
    if home {
        return tree::word(
            vec![
                Part::Double(vec![tree::parameter(b"HOME", span)]),
                Part::Quoted(Text {
                    bytes: text.bytes.get(1..).unwrap_or_default().to_vec(),
                    at: text.at.saturating_add(1),
                }),
            ],
            span,
        );
    }
    let pattern = text.bytes.iter().any(|byte| b"*?".contains(byte))
        && !text.bytes.iter().any(|byte| b"{~".contains(byte));
    let part = if pattern {
        Part::Literal(text)
    } else {
        Part::Quoted(text)
    };
    tree::word(vec![part], span)
}

/// Whether a token continues the operand in front of it.
pub(super) fn is_postfix(spot: &Spot) -> bool {
    matches!(
        spot.token,
        Token::Member { .. } | Token::Group(Open::Index | Open::Arguments, _)
    )
}

/// The elements of a group.
pub(super) fn words_of(lowered: Lowered, span: Span) -> Vec<Word> {
    match lowered {
        Lowered::Pure(words) => words,
        Lowered::List(list) if list.items.is_empty() => Vec::new(),
        Lowered::List(list) => vec![tree::word(vec![tree::printed(list, span)], span)],
        Lowered::Hash(pairs) => {
            let mut parts = Vec::new();
            for (key, value) in pairs {
                parts.extend(parts_of(key));
                parts.extend(parts_of(value));
            }
            vec![tree::opaque(parts, span)]
        }
        Lowered::Each(_, words) => words,
    }
}

/// A group as one word of a string: elements are joined by blanks.
pub(super) fn one_word(lowered: Lowered, span: Span) -> Word {
    tree::word(parts_of(words_of(lowered, span)), span)
}

/// The parts of several words, joined by blanks.
pub(super) fn parts_of(words: Vec<Word>) -> Vec<Part> {
    let mut parts = Vec::new();
    for (index, word) in words.into_iter().enumerate() {
        if index > 0 {
            parts.push(Part::Quoted(Text {
                bytes: b" ".to_vec(),
                at: word.span.start,
            }));
        }
        parts.extend(word.parts);
    }
    parts
}

/// The text of a word that is nothing else.
pub(super) fn text_of(word: &Word) -> Option<Vec<u8>> {
    fn gather(parts: &[Part], out: &mut Vec<u8>) -> Option<()> {
        for part in parts {
            match part {
                Part::Quoted(text) | Part::Literal(text) | Part::AnsiC(text) => {
                    out.extend_from_slice(&text.bytes);
                }
                // Quotes do not nest.
                Part::Double(inner) => {
                    for part in inner {
                        match part {
                            Part::Quoted(text) => out.extend_from_slice(&text.bytes),
                            _ => return None,
                        }
                    }
                }
                _ => return None,
            }
        }
        Some(())
    }
    let mut out = Vec::new();
    gather(&word.parts, &mut out)?;
    Some(out)
}

/// Whether a word is this text.
pub(super) fn is_text(word: &Word, text: &[u8]) -> bool {
    text_of(word).is_some_and(|own| own.eq_ignore_ascii_case(text))
}

/// What a cast makes of words.
fn cast_to(name: &[u8], words: Vec<Word>, span: Span) -> Vec<Word> {
    match name.strip_prefix(b"system.").unwrap_or(name) {
        b"string" | b"string[]" | b"object" | b"object[]" | b"array" | b"void" | b"char[]"
        | b"scriptblock" | b"uri" | b"io.fileinfo" | b"io.directoryinfo" => words,
        b"char" => match words.as_slice() {
            [only] => {
                let letter = text_of(only)
                    .and_then(|digits| String::from_utf8(digits).ok())
                    .and_then(|digits| match digits.strip_prefix("0x") {
                        Some(hex) => u32::from_str_radix(hex, 16).ok(),
                        None => digits.parse().ok(),
                    })
                    .and_then(char::from_u32);
                match letter {
                    Some(letter) => vec![tree::text(letter.to_string().as_bytes(), span)],
                    None => vec![tree::opaque(parts_of(words), span)],
                }
            }
            _ => vec![tree::opaque(parts_of(words), span)],
        },
        _ => vec![tree::opaque(parts_of(words), span)],
    }
}

/// Operators from left to right: text that is put together stays known.
fn fold(terms: Vec<Term>, span: Span) -> Vec<Word> {
    let mut result: Option<(Vec<Word>, bool)> = None;
    for term in terms {
        let Some(operator) = term.operator else {
            result = Some((term.words, term.number));
            continue;
        };
        result = Some(match result.take() {
            None => match operator.as_slice() {
                b"join" => (vec![joined(term.words, &[], span)], false),
                _ => (vec![tree::opaque(parts_of(term.words), span)], true),
            },
            Some((left, number)) => binary(&operator, left, number, term.words, term.number, span),
        });
    }
    result.map(|(words, _)| words).unwrap_or_default()
}

fn binary(
    operator: &[u8],
    mut left: Vec<Word>,
    left_number: bool,
    right: Vec<Word>,
    right_number: bool,
    span: Span,
) -> (Vec<Word>, bool) {
    match operator {
        // A character in front of text is text too.
        b"+" if !(left_number && right_number) => {
            if let ([_], [_]) = (left.as_slice(), right.as_slice()) {
                let mut parts = left.pop().map(|word| word.parts).unwrap_or_default();
                parts.extend(right.into_iter().flat_map(|word| word.parts));
                return (vec![tree::word(parts, span)], left_number || right_number);
            }
            left.extend(right);
            (left, false)
        }
        b"f" => match left.as_slice() {
            [only] => match format(only, &right, span) {
                Some(word) => (vec![word], false),
                None => (all_opaque(left, right, span), false),
            },
            _ => (all_opaque(left, right, span), false),
        },
        b"join" => match right.as_slice() {
            [separator] => (vec![joined(left, &separator.parts, span)], false),
            _ => (all_opaque(left, right, span), false),
        },
        b"as" => (left, left_number),
        _ => (all_opaque(left, right, span), false),
    }
}

fn all_opaque(mut left: Vec<Word>, right: Vec<Word>, span: Span) -> Vec<Word> {
    left.extend(right);
    vec![tree::opaque(parts_of(left), span)]
}

/// Words put together, with a separator between them.
pub(super) fn joined(words: Vec<Word>, separator: &[Part], span: Span) -> Word {
    // The separator is copied for each word.
    let separator = text_of(&tree::word(separator.to_vec(), span))
        .filter(|text| text.len() <= MAX_COPIED || words.len() < 2);
    let Some(separator) = separator else {
        return tree::opaque(parts_of(words), span);
    };
    let mut parts = Vec::new();
    for (index, word) in words.into_iter().enumerate() {
        if index > 0 && !separator.is_empty() {
            parts.push(Part::Quoted(Text {
                bytes: separator.clone(),
                at: span.start,
            }));
        }
        parts.extend(word.parts);
    }
    tree::word(parts, span)
}

/// `'{0}{1}' -f a, b`; `None` where a piece is formatted in a way of its own.
pub(super) fn format(text: &Word, arguments: &[Word], span: Span) -> Option<Word> {
    let text = text_of(text)?;
    let mut used = vec![false; arguments.len()];
    let mut parts = Vec::new();
    let mut run = Vec::new();
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        match (byte, text.get(at + 1)) {
            (b'{', Some(b'{')) | (b'}', Some(b'}')) => {
                run.push(*byte);
                at += 2;
            }
            (b'{', _) => {
                let rest = text.get(at + 1..)?;
                let end = rest.iter().position(|byte| *byte == b'}')?;
                let index: usize = std::str::from_utf8(rest.get(..end)?)
                    .ok()?
                    .trim()
                    .parse()
                    .ok()?;
                parts.push(Part::Quoted(Text {
                    bytes: std::mem::take(&mut run),
                    at: span.start,
                }));
                let argument = arguments.get(index)?;
                // Copies of copies would grow without bound.
                let used = used.get_mut(index)?;
                let short = || text_of(argument).is_some_and(|text| text.len() <= MAX_COPIED);
                if *used && !(argument.parts.len() == 1 && short()) {
                    return None;
                }
                *used = true;
                parts.extend(argument.parts.iter().cloned());
                at += end + 2;
            }
            _ => {
                run.push(*byte);
                at += 1;
            }
        }
    }
    parts.push(Part::Quoted(Text {
        bytes: run,
        at: span.start,
    }));
    Some(tree::word(parts, span))
}
