//! Regular expressions of the user's own rules.

mod literals;

use std::fmt;
use std::sync::OnceLock;

use regex_automata::nfa::thompson::pikevm::PikeVM;
use regex_automata::nfa::thompson::{self, Compiler};
use regex_syntax::hir::{Hir, HirKind};
use regex_syntax::{Parser, ParserBuilder};

use crate::{MAX_PATTERN, glob};

/// Deepest nesting of groups.
const MAX_NESTING: u32 = 32;

/// Most states, repetitions written out.
const MAX_STATES: u64 = 4096;

/// Most bytes of a compiled expression.
const MAX_COMPILED: usize = 1024 * 1024;

/// Longest text that is looked at in bytes; of a longer one nothing is said.
const MAX_TEXT: usize = 128 * 1024;

/// A regular expression over bytes, ASCII classes, unanchored. It takes time linear in the text,
/// whatever the expression.
#[derive(Clone, Debug)]
pub struct Expression {
    source: String,
    /// In lower case. A text without any of them does not match.
    literals: Vec<Vec<u8>>,
    compiled: OnceLock<Option<PikeVM>>,
}

/// Why a text is no expression that a rule may have.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExpressionError {
    /// It is longer than [`MAX_PATTERN`].
    TooLong,
    /// What is wrong, in the words of the parser.
    Syntax(String),
    /// Its repetitions come to too many states.
    TooLarge,
    /// A text may match without any two letters that must stand there.
    NoLiteral,
}

impl Expression {
    /// Reads an expression. Nothing is compiled yet.
    ///
    /// # Errors
    /// [`ExpressionError`], also for an expression that every text may match.
    pub fn new(source: &str) -> Result<Self, ExpressionError> {
        if source.len() > MAX_PATTERN {
            return Err(ExpressionError::TooLong);
        }
        let tree = parse(source).map_err(|error| ExpressionError::Syntax(said(&error)))?;
        if states(&tree) > MAX_STATES {
            return Err(ExpressionError::TooLarge);
        }
        let literals = literals::required(&tree);
        if literals.is_empty() {
            return Err(ExpressionError::NoLiteral);
        }
        Ok(Self {
            source: source.to_owned(),
            literals,
            compiled: OnceLock::new(),
        })
    }

    /// The expression as it was written.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Whether the text holds a literal without which it cannot match.
    #[must_use]
    pub fn seen(&self, text: &[u8]) -> bool {
        self.literals
            .iter()
            .any(|literal| glob::contains(text, literal))
    }

    /// Whether some part of the text matches; `None` when the text is too long to say.
    #[must_use]
    pub fn matches(&self, text: &[u8]) -> Option<bool> {
        if !self.seen(text) {
            return Some(false);
        }
        if text.len() > MAX_TEXT {
            return None;
        }
        let compiled = self.compiled.get_or_init(|| compile(&self.source));
        let compiled = compiled.as_ref()?;
        Some(compiled.is_match(&mut compiled.create_cache(), text))
    }
}

impl PartialEq for Expression {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

impl Eq for Expression {}

impl fmt::Display for ExpressionError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong => write!(out, "it is longer than {MAX_PATTERN} bytes"),
            Self::Syntax(why) => out.write_str(why),
            Self::TooLarge => out.write_str("its repetitions come to too many states"),
            Self::NoLiteral => out.write_str(
                "a text may match it without any two letters that must stand side by side",
            ),
        }
    }
}

impl std::error::Error for ExpressionError {}

fn parser() -> Parser {
    ParserBuilder::new()
        .unicode(false)
        .utf8(false)
        .nest_limit(MAX_NESTING)
        .build()
}

fn parse(source: &str) -> Result<Hir, Box<regex_syntax::Error>> {
    parser().parse(source).map_err(Box::new)
}

/// The parser's words without its drawing.
fn said(error: &regex_syntax::Error) -> String {
    match error {
        regex_syntax::Error::Parse(error) => error.kind().to_string(),
        regex_syntax::Error::Translate(error) => error.kind().to_string(),
        _ => "it is not understood".to_owned(),
    }
}

/// How many states an expression comes to, about. The depth is bounded by [`MAX_NESTING`].
fn states(tree: &Hir) -> u64 {
    match tree.kind() {
        HirKind::Empty | HirKind::Look(_) | HirKind::Class(_) => 1,
        HirKind::Literal(literal) => literal.0.len() as u64,
        HirKind::Repetition(repetition) => {
            let times = repetition.max.unwrap_or(repetition.min.saturating_add(1));
            states(&repetition.sub).saturating_mul(u64::from(times.max(1)))
        }
        HirKind::Capture(capture) => states(&capture.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts
            .iter()
            .fold(0, |sum, part| states(part).saturating_add(sum)),
    }
}

fn compile(source: &str) -> Option<PikeVM> {
    let tree = parse(source).ok()?;
    let limits = thompson::Config::new()
        .utf8(false)
        .nfa_size_limit(Some(MAX_COMPILED));
    let automaton = Compiler::new()
        .configure(limits)
        .build_from_hir(&tree)
        .ok()?;
    PikeVM::new_from_nfa(automaton).ok()
}

#[cfg(test)]
mod tests;
