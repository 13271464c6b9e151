//! Lexing that the languages share: names, numbers, operators, brackets, lines.

use super::Language;
use super::text::Code;
use super::tokens::{Escapes, Interpolation, Kind, Token};

/// A here-document whose body has not come yet.
pub(super) struct Pending {
    /// Index of the token that gets it.
    pub(super) token: usize,
    pub(super) delimiter: Vec<u8>,
    pub(super) indented: bool,
    pub(super) escapes: Escapes,
    pub(super) interpolation: Interpolation,
}

/// Lexer state.
pub(super) struct Lexer<'c> {
    /// The code.
    pub(super) code: &'c Code,
    /// The language.
    pub(super) language: Language,
    /// The position.
    pub(super) at: usize,
    pub(super) end: usize,
    /// The tokens so far.
    pub(super) tokens: Vec<Token>,
    pub(super) open: Vec<usize>,
    pub(super) nesting: usize,
    pub(super) pending: Vec<Pending>,
    /// Something nests too deep to be read.
    pub(super) overflow: bool,
}

/// Operators of more than one byte, longest first.
const OPERATORS: &[&[u8]] = &[
    b"===", b"!==", b"**=", b"||=", b"&&=", b"??=", b"...", b"<=>", b"//=", b"<<=", b">>=", b"==",
    b"!=", b"=>", b"->", b"::", b"+=", b"-=", b".=", b"*=", b"/=", b"|=", b":=", b"||", b"&&",
    b"??", b"?.", b"=~", b"!~", b"<=", b">=", b"**", b"..", b"<<", b">>", b"&.",
];

/// Reads all tokens; the flag says that something nests too deep.
pub(super) fn lex(code: &Code, language: Language) -> (Vec<Token>, bool) {
    let mut lexer = Lexer {
        code,
        language,
        at: 0,
        end: code.len(),
        tokens: Vec::new(),
        open: Vec::new(),
        nesting: 0,
        pending: Vec::new(),
        overflow: false,
    };
    lexer.run(None);
    (lexer.tokens, lexer.overflow)
}

impl<'c> Lexer<'c> {
    /// The byte `by` behind the position.
    pub(super) fn peek(&self, by: usize) -> Option<u8> {
        let at = self.at + by;
        if at < self.end {
            self.code.byte(at)
        } else {
            None
        }
    }

    /// Whether the rest begins so.
    pub(super) fn sees(&self, text: &[u8]) -> bool {
        self.at + text.len() <= self.end && self.code.slice(self.at, self.at + text.len()) == text
    }

    /// Whether the position is at the beginning of a line.
    pub(super) fn at_line_start(&self) -> bool {
        self.at == 0 || self.code.byte(self.at - 1) == Some(b'\n')
    }

    /// A token's bytes.
    pub(super) fn text_of(&self, token: &Token) -> &'c [u8] {
        self.code.slice(token.start, token.end)
    }

    /// The last token that is no line end.
    pub(super) fn last(&self) -> Option<&Token> {
        self.tokens.last()
    }

    /// Appends a token from `start` to the position.
    pub(super) fn push(&mut self, kind: Kind, start: usize) {
        self.tokens.push(Token {
            kind,
            start,
            end: self.at,
            close: usize::MAX,
            open: usize::MAX,
        });
    }

    /// Reads tokens up to the end, or up to a closing bracket.
    pub(super) fn run(&mut self, close: Option<u8>) {
        while self.at < self.end {
            let before = self.at;
            if close.is_some() && self.open.is_empty() && self.peek(0) == close {
                self.at += 1;
                break;
            }
            self.step();
            if self.at <= before {
                self.at = before + 1;
            }
        }
        let count = self.tokens.len();
        for index in std::mem::take(&mut self.open) {
            if let Some(token) = self.tokens.get_mut(index) {
                token.close = count;
            }
        }
    }

    /// Reads one token, or skips what is none.
    pub(super) fn step(&mut self) {
        let start = self.at;
        match self.peek(0) {
            None => {}
            Some(b'\n') => {
                self.at += 1;
                if !self.pending.is_empty() {
                    self.here_documents();
                }
                if self.breaks_lines() {
                    self.push(Kind::Newline, start);
                }
            }
            Some(b' ' | b'\t' | b'\r' | 11 | 12) => self.at += 1,
            Some(b'\\') if self.peek(1) == Some(b'\n') => self.at += 2,
            Some(_) => {
                let done = match self.language {
                    Language::Python => super::python::token(self),
                    Language::JavaScript => super::javascript::token(self),
                    Language::Perl => super::perl::token(self),
                    Language::Ruby => super::ruby::token(self),
                    Language::Php => super::php::token(self),
                    Language::Lua => super::lua::token(self),
                    Language::Awk => super::awk::token(self),
                    Language::C | Language::Go | Language::Rust | Language::Java => {
                        super::compiled::token(self)
                    }
                };
                if !done {
                    self.plain();
                }
            }
        }
    }

    /// Whether a line end counts here.
    pub(super) fn breaks_lines(&self) -> bool {
        let Some(open) = self.open.last().and_then(|index| self.tokens.get(*index)) else {
            return true;
        };
        self.language != Language::Python && self.code.byte(open.start) == Some(b'{')
    }

    /// Names, numbers, operators and brackets, which all languages write alike.
    pub(super) fn plain(&mut self) {
        let start = self.at;
        let Some(byte) = self.peek(0) else {
            return;
        };
        if byte.is_ascii_digit() {
            while let Some(byte) = self.peek(0) {
                let more = byte.is_ascii_alphanumeric()
                    || byte == b'_'
                    || (byte == b'.' && self.peek(1).is_some_and(|next| next.is_ascii_digit()));
                if !more {
                    break;
                }
                self.at += 1;
            }
            self.push(Kind::Number, start);
        } else if self.is_name(self.at) {
            self.name();
            self.push(Kind::Name, start);
        } else {
            let length = OPERATORS
                .iter()
                .find(|operator| self.sees(operator))
                .map_or(1, |operator| operator.len());
            self.at += length;
            self.push(Kind::Punct, start);
            self.bracket(byte);
        }
    }

    /// Notes which brackets belong together.
    pub(super) fn bracket(&mut self, byte: u8) {
        let index = self.tokens.len() - 1;
        match byte {
            b'(' | b'[' | b'{' => self.open.push(index),
            b')' | b']' | b'}' => {
                if let Some(open) = self.open.pop() {
                    if let Some(token) = self.tokens.get_mut(open) {
                        token.close = index;
                    }
                    if let Some(token) = self.tokens.get_mut(index) {
                        token.open = open;
                    }
                }
            }
            _ => {}
        }
    }

    /// Whether the byte can be part of a name.
    pub(super) fn is_name(&self, at: usize) -> bool {
        if at >= self.end {
            return false;
        }
        self.code.byte(at).is_some_and(|byte| {
            byte.is_ascii_alphanumeric()
                || byte == b'_'
                || byte >= 0x80
                || byte == 0
                || (byte == b'$' && self.language == Language::JavaScript)
        })
    }

    /// Goes behind a name.
    pub(super) fn name(&mut self) {
        while self.is_name(self.at) {
            self.at += 1;
        }
    }

    /// Goes behind `text`, or to the end.
    pub(super) fn skip_past(&mut self, text: &[u8]) {
        while self.at < self.end {
            if self.sees(text) {
                self.at += text.len();
                return;
            }
            self.at += 1;
        }
    }

    /// Goes to the end of the line.
    pub(super) fn skip_line(&mut self) {
        while self.peek(0).is_some_and(|byte| byte != b'\n') {
            self.at += 1;
        }
    }

    /// Whether the last token ends an operand, so that `/` divides and `<<` shifts.
    pub(super) fn behind_operand(&self) -> bool {
        let Some(last) = self.last() else {
            return false;
        };
        match last.kind {
            Kind::Name => !matches!(
                self.text_of(last),
                b"return"
                    | b"and"
                    | b"or"
                    | b"not"
                    | b"if"
                    | b"unless"
                    | b"while"
                    | b"until"
                    | b"when"
                    | b"in"
                    | b"typeof"
                    | b"case"
                    | b"do"
                    | b"else"
                    | b"then"
                    | b"split"
                    | b"grep"
                    | b"puts"
                    | b"print"
                    | b"await"
                    | b"system"
                    | b"exec"
                    | b"eval"
                    | b"unlink"
                    | b"echo"
            ),
            Kind::Punct if self.text_of(last) == b")" => {
                // Behind `if (…)` a statement begins.
                let head = last
                    .open
                    .checked_sub(1)
                    .and_then(|before| self.tokens.get(before));
                self.language != Language::JavaScript
                    || !head.is_some_and(|head| {
                        matches!(self.text_of(head), b"if" | b"while" | b"for" | b"with")
                    })
            }
            Kind::Punct => matches!(self.text_of(last), b"]" | b"}"),
            Kind::Newline => false,
            _ => true,
        }
    }

    /// A regular expression behind its opening slash.
    pub(super) fn regex(&mut self, start: usize) {
        let mut class = false;
        while let Some(byte) = self.peek(0) {
            match byte {
                b'\\' => self.at += 1,
                b'[' => class = true,
                b']' => class = false,
                b'/' if !class => {
                    self.at += 1;
                    break;
                }
                b'\n' => break,
                _ => {}
            }
            self.at += 1;
        }
        self.name();
        self.at = self.at.min(self.end);
        self.push(Kind::Regex, start);
    }
}
