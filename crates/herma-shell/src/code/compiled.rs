//! Languages that are compiled: C and C++, Go, Rust, Java.
//!
//! Their sources count where the line wrote them, and only what they say in so many words: what a
//! source computes is as unknown as a program is.

mod library;

pub(super) use self::library::{call, method};
use super::lexer::Lexer;
use super::scan::Scanner;
use super::tokens::{Escapes, Form, Interpolation, Kind, Token};
use super::val::{Args, Val};
use super::{Action, Language};
use crate::execution::Arg;
use crate::value::Value;

/// Whether it is one of these languages.
pub(super) fn is_compiled(language: Language) -> bool {
    matches!(
        language,
        Language::C | Language::Go | Language::Rust | Language::Java
    )
}

/// Reads one token of these languages; `false` for what all languages share.
pub(super) fn token(lexer: &mut Lexer<'_>) -> bool {
    let start = lexer.at;
    let language = lexer.language;
    match (lexer.peek(0), lexer.peek(1)) {
        (Some(b'/'), Some(b'/')) => lexer.skip_line(),
        (Some(b'/'), Some(b'*')) => {
            lexer.at += 2;
            lexer.skip_past(b"*/");
        }
        (Some(b'"'), _) if language == Language::Java && lexer.sees(b"\"\"\"") => {
            string(lexer, start, 3, b"\"\"\"", Escapes::Full);
        }
        (Some(b'"'), _) => string(lexer, start, 1, b"\"", Escapes::Full),
        (Some(b'`'), _) if language == Language::Go => {
            string(lexer, start, 1, b"`", Escapes::None);
        }
        (Some(b'\''), _) => {
            // A lifetime of Rust closes nothing.
            let length = match (lexer.peek(1), lexer.peek(2)) {
                (Some(b'\\'), _) => (3..12).find(|at| lexer.peek(*at) == Some(b'\'')),
                (_, Some(b'\'')) => Some(2),
                _ if language == Language::Rust => None,
                _ => (2..8).find(|at| lexer.peek(*at) == Some(b'\'')),
            };
            lexer.at += length.map_or(1, |at| at + 1);
            if length.is_some() {
                lexer.push(Kind::Number, start);
            }
        }
        (Some(b'R'), Some(b'"')) if language == Language::C => {
            let name: Vec<u8> = (2..20)
                .map_while(|at| lexer.peek(at).filter(|byte| *byte != b'('))
                .collect();
            let close = [b")".as_slice(), &name, b"\""].concat();
            string(lexer, start, name.len() + 3, &close, Escapes::None);
        }
        (Some(b'r' | b'b'), _) if language == Language::Rust => return raw(lexer, start),
        _ => return false,
    }
    true
}

/// `r"…"`, `r#"…"#`, `b"…"`
fn raw(lexer: &mut Lexer<'_>, start: usize) -> bool {
    let mut at = 1;
    if lexer.peek(0) == Some(b'b') && lexer.peek(1) == Some(b'r') {
        at = 2;
    }
    let is_raw = at == 2 || lexer.peek(0) == Some(b'r');
    let mut marks = 0;
    while is_raw && marks < 16 && lexer.peek(at + marks) == Some(b'#') {
        marks += 1;
    }
    if lexer.peek(at + marks) != Some(b'"') {
        return false;
    }
    let mut close = vec![b'"'];
    close.resize(marks + 1, b'#');
    let escapes = if is_raw { Escapes::None } else { Escapes::Full };
    string(lexer, start, at + marks + 1, &close, escapes);
    true
}

fn string(lexer: &mut Lexer<'_>, start: usize, open: usize, close: &[u8], escapes: Escapes) {
    lexer.at += open;
    let parts = lexer.string(Form {
        open: None,
        close,
        escapes,
        interpolation: Interpolation::None,
    });
    lexer.push(Kind::Text(parts), start);
}

/// The last of these that do not only stand for what the program computes.
pub(super) fn said(actions: Vec<Action>) -> Vec<Action> {
    let says = |value: &Value| {
        value
            .known_prefix()
            .iter()
            .any(|byte| !byte.is_ascii_whitespace())
    };
    let operands = |argv: &[Arg]| {
        let behind = argv.iter().position(|arg| arg.value.is(b"--"));
        let operands = argv.get(behind.map_or(1, |at| at + 1)..);
        operands
            .unwrap_or_default()
            .iter()
            .all(|arg| says(&arg.value))
    };
    let keeps = |action: &Action| match action {
        Action::Shell { text, .. } => says(text),
        Action::Program(argv) => argv.first().is_some_and(|arg| says(&arg.value)),
        Action::Call { argv, .. } => operands(argv),
        Action::ForkBomb { .. } => true,
        // What it computes counts as little as what a program that was there computes.
        Action::Directory { .. } | Action::Code { .. } => false,
    };
    actions.into_iter().filter(keeps).collect()
}

impl Scanner<'_> {
    /// What only these languages write in front of a value: `[]string{…}`, `new String[]{…}`,
    /// `vec![…]`, `format!(…)`. Its value and the index behind it.
    pub(super) fn literal(
        &mut self,
        tokens: &[Token],
        at: usize,
        end: usize,
        depth: usize,
    ) -> Option<(Val, usize)> {
        let open = match self.language {
            // `[]string{…}`
            Language::Go if self.is(tokens, at, b"[") && self.is(tokens, at + 1, b"]") => at + 3,
            // `String[]{…}`
            Language::Java if self.is(tokens, at + 1, b"[") && self.is(tokens, at + 2, b"]") => {
                at + 3
            }
            Language::Rust if self.is(tokens, at + 1, b"!") => at + 2,
            _ => return None,
        };
        let bracket = tokens.get(open).filter(|_| open < end)?;
        let (opens, close) = (self.text(bracket), bracket.close.min(end));
        if !matches!(opens, b"{" | b"[" | b"(") || close <= open {
            return None;
        }
        let values = self.list(tokens, open + 1, close, depth + 1).0;
        let behind = (close + 1).min(end);
        if self.language != Language::Rust {
            return (opens == b"{").then_some((Val::List(values), behind));
        }
        let value = match self.text_at(tokens, at) {
            b"vec" => Val::List(values),
            b"format" | b"concat" => {
                let args = Args {
                    list: values.into_iter().map(|value| (None, value)).collect(),
                    span: self.code.span(bracket.start, bracket.end),
                    emit: false,
                };
                library::format(self, &args)
            }
            _ => Val::other(),
        };
        Some((value, behind))
    }

    /// `#define NAME text`, `use a::b as c`, `args[] = {…}`, `name: &type = …`
    pub(super) fn declaration(&mut self, tokens: &[Token], at: usize) {
        let name = self.text_at(tokens, at);
        match (self.language, name) {
            (Language::C, b"define") => {
                if let Some(token) = tokens.get(at + 1)
                    && matches!(token.kind, Kind::Name)
                {
                    let line = (at + 2..tokens.len())
                        .find(|next| matches!(tokens.get(*next), Some(t) if matches!(t.kind, Kind::Newline)));
                    let (value, _) = self.evaluate(tokens, at + 2, line.unwrap_or(tokens.len()), 0);
                    self.bind(self.text(token), value);
                }
            }
            (Language::Rust, b"as") => {
                let before = at.checked_sub(1).map(|before| self.text_at(tokens, before));
                if let (Some(before), Some(token)) = (before, tokens.get(at + 1))
                    && before.first().is_some_and(u8::is_ascii_alphabetic)
                    && matches!(self.text(token).first(), Some(b'A'..=b'Z' | b'a'..=b'z'))
                    && !matches!(
                        self.text(token),
                        b"u8" | b"u16" | b"u32" | b"u64" | b"usize" | b"i32" | b"i64" | b"f64"
                    )
                {
                    self.bind(self.text(token), Val::symbol(before));
                }
            }
            _ => {
                // What stands between the name and its value: brackets, or a type.
                let mut next = at + 1;
                let typed = self.language == Language::Rust && self.is(tokens, next, b":");
                let bracket = matches!(self.language, Language::C | Language::Java)
                    && self.is(tokens, next, b"[");
                if !typed && !bracket {
                    return;
                }
                for _ in 0..12 {
                    next = match tokens.get(next) {
                        Some(token) if token.close != usize::MAX => token.close + 1,
                        Some(_) => next + 1,
                        None => return,
                    };
                    if self.is(tokens, next, b"=") {
                        let (value, _) = self.evaluate(tokens, next + 1, tokens.len(), 0);
                        self.bind(name, value);
                        return;
                    }
                    if matches!(self.text_at(tokens, next), b";" | b"," | b")" | b"{")
                        || (bracket && !self.is(tokens, next, b"["))
                    {
                        return;
                    }
                }
            }
        }
    }
}
