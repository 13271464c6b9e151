//! Tokens, and the parts of lexing that the languages share.

use super::Language;
use super::text::Code;
use crate::value::Value;

/// How deep strings with code in them may nest.
const MAX_NESTING: usize = 16;

/// A part of a string.
#[derive(Clone, Debug)]
pub(super) enum Part {
    /// Known text (and holes).
    Text(Value),
    /// An expression in the string.
    Code(Vec<Token>),
}

/// What a token is.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// A name; with its sigil where the language has them.
    Name,
    /// A number as written.
    Number,
    /// A string.
    Text(Vec<Part>),
    /// A string that a shell runs.
    Command(Vec<Part>),
    /// A list of words.
    Words(Vec<Value>),
    /// A file name pattern.
    Glob(Vec<Part>),
    /// A regular expression.
    Regex,
    /// An operator or bracket.
    Punct,
    /// The end of a line outside of brackets.
    Newline,
}

/// A token.
#[derive(Clone, Debug)]
pub(super) struct Token {
    /// What it is.
    pub(super) kind: Kind,
    /// Its first byte in the code.
    pub(super) start: usize,
    /// Behind its last byte.
    pub(super) end: usize,
    /// For an opening bracket: the index of the closing one (the number of tokens if there is
    /// none).
    pub(super) close: usize,
    /// For a closing bracket: the index of the opening one.
    open: usize,
}

/// What a backslash means in a string.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Escapes {
    /// Nothing at all.
    None,
    /// It keeps the next byte from closing the string, and stays.
    Raw,
    /// It quotes itself and the delimiters.
    Quote,
    /// The usual escapes.
    Full,
}

/// Which expressions stand in a string.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Interpolation {
    /// None.
    None,
    /// `{x}`
    Braces,
    /// `${x}`
    Template,
    /// `#{x}`
    Hash,
    /// `$x`, `@x`
    Perl,
    /// `$x`, `{$x}`
    Php,
}

/// A string's form.
#[derive(Clone, Copy)]
pub(super) struct Form<'a> {
    /// What nests in it (`q{a{b}c}`).
    pub(super) open: Option<u8>,
    /// What ends it.
    pub(super) close: &'a [u8],
    /// What a backslash means.
    pub(super) escapes: Escapes,
    /// What is evaluated in it.
    pub(super) interpolation: Interpolation,
}

/// A here-document whose body has not come yet.
pub(super) struct Pending {
    /// Index of the token that gets it.
    token: usize,
    delimiter: Vec<u8>,
    indented: bool,
    escapes: Escapes,
    interpolation: Interpolation,
}

/// Lexer state.
pub(super) struct Lexer<'c> {
    /// The code.
    pub(super) code: &'c Code,
    /// The language.
    pub(super) language: Language,
    /// The position.
    pub(super) at: usize,
    end: usize,
    /// The tokens so far.
    pub(super) tokens: Vec<Token>,
    open: Vec<usize>,
    nesting: usize,
    pending: Vec<Pending>,
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

    fn run(&mut self, close: Option<u8>) {
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

    fn step(&mut self) {
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
                };
                if !done {
                    self.plain();
                }
            }
        }
    }

    /// Whether a line end counts here.
    fn breaks_lines(&self) -> bool {
        let Some(open) = self.open.last().and_then(|index| self.tokens.get(*index)) else {
            return true;
        };
        self.language != Language::Python && self.code.byte(open.start) == Some(b'{')
    }

    /// Names, numbers, operators and brackets, which all languages write alike.
    fn plain(&mut self) {
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

    fn bracket(&mut self, byte: u8) {
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

    /// Tokens up to `close`, which nothing in them opens.
    fn nested(&mut self, close: u8) -> Vec<Token> {
        if self.nesting >= MAX_NESTING {
            self.overflow = true;
            self.at = self.end;
            return Vec::new();
        }
        let tokens = std::mem::take(&mut self.tokens);
        let open = std::mem::take(&mut self.open);
        let pending = std::mem::take(&mut self.pending);
        self.nesting += 1;
        self.run(Some(close));
        self.nesting -= 1;
        self.open = open;
        self.pending = pending;
        std::mem::replace(&mut self.tokens, tokens)
    }

    /// Tokens of `start..end`.
    fn range(&mut self, start: usize, end: usize) -> Vec<Token> {
        let (at, old_end) = (self.at, self.end);
        self.at = start;
        self.end = end;
        let tokens = std::mem::take(&mut self.tokens);
        let open = std::mem::take(&mut self.open);
        self.run(None);
        self.open = open;
        self.at = at;
        self.end = old_end;
        std::mem::replace(&mut self.tokens, tokens)
    }

    /// Reads a string from behind its opening delimiter to behind its closing one.
    pub(super) fn string(&mut self, form: Form<'_>) -> Vec<Part> {
        let mut parts = Vec::new();
        let mut text = Value::empty();
        let mut from = self.at;
        let mut depth = 0_usize;
        let mut finish = self.end;
        while self.at < self.end {
            if depth == 0 && self.sees(form.close) {
                finish = self.at;
                self.at += form.close.len();
                break;
            }
            let byte = self.peek(0);
            if byte == Some(b'\n') && self.ends_at_line(form) {
                finish = self.at;
                break;
            }
            if form.open.is_some() && byte == form.open {
                depth += 1;
            } else if depth > 0 && byte == form.close.first().copied() {
                depth -= 1;
            } else if byte == Some(b'\\') && form.escapes != Escapes::None {
                if form.escapes == Escapes::Raw {
                    self.at += 2;
                    continue;
                }
                self.code.append(from, self.at, &mut text);
                self.escape(form, &mut text);
                from = self.at;
                continue;
            } else if let Some((start, length)) = self.interpolates(form.interpolation) {
                self.code.append(from, self.at, &mut text);
                let tokens = match length {
                    // A whole expression in braces.
                    None => {
                        self.at += start;
                        self.nested(b'}')
                    }
                    Some(length) => {
                        let begin = self.at + start;
                        self.at = begin + length;
                        self.range(begin, begin + length)
                    }
                };
                if !text.pieces.is_empty() {
                    parts.push(Part::Text(std::mem::take(&mut text)));
                }
                parts.push(Part::Code(tokens));
                from = self.at;
                continue;
            } else if form.interpolation == Interpolation::Braces
                && (self.sees(b"{{") || self.sees(b"}}"))
            {
                self.code.append(from, self.at + 1, &mut text);
                self.at += 2;
                from = self.at;
                continue;
            }
            self.at += 1;
        }
        self.at = self.at.min(self.end);
        self.code.append(from, finish, &mut text);
        parts.push(Part::Text(text));
        parts
    }

    /// Whether a line end ends the string too: it is an error there, and what follows is code.
    fn ends_at_line(&self, form: Form<'_>) -> bool {
        matches!(
            self.language,
            Language::Python | Language::JavaScript | Language::Lua | Language::Awk
        ) && matches!(form.close, b"'" | b"\"")
    }

    /// Whether an expression begins here: how many bytes stand in front of it, and its length when
    /// no closing brace ends it.
    fn interpolates(&self, interpolation: Interpolation) -> Option<(usize, Option<usize>)> {
        match interpolation {
            Interpolation::None => None,
            Interpolation::Braces => (self.sees(b"{") && !self.sees(b"{{")).then_some((1, None)),
            Interpolation::Template => self.sees(b"${").then_some((2, None)),
            Interpolation::Hash => self.sees(b"#{").then_some((2, None)),
            Interpolation::Php if self.sees(b"{$") => Some((1, None)),
            Interpolation::Perl if self.sees(b"@{") => Some((2, None)),
            Interpolation::Perl | Interpolation::Php => {
                let sigil = self.peek(0)?;
                if sigil != b'$' && !(sigil == b'@' && interpolation == Interpolation::Perl) {
                    return None;
                }
                let braced = self.peek(1) == Some(b'{');
                let from = self.at + 1 + usize::from(braced);
                let mut to = from;
                while self.is_name(to) {
                    to += 1;
                }
                if to == from {
                    return None;
                }
                if braced {
                    // `${name}` is read as the bare name, which the scanner knows too.
                    return (self.code.byte(to) == Some(b'}')).then_some((2, None));
                }
                // One subscript belongs to it.
                let close = match self.code.byte(to) {
                    Some(b'{') if interpolation == Interpolation::Perl => b'}',
                    Some(b'[') => b']',
                    _ => return Some((0, Some(to - self.at))),
                };
                let end = (to..self.end.min(to + 64)).find(|at| self.code.byte(*at) == Some(close));
                Some((0, Some(end.map_or(to, |end| end + 1) - self.at)))
            }
        }
    }

    fn escape(&mut self, form: Form<'_>, text: &mut Value) {
        let start = self.at;
        self.at += 1;
        let Some(letter) = self.peek(0) else {
            self.code.append(start, self.at, text);
            return;
        };
        self.at += 1;
        if form.escapes == Escapes::Quote {
            let quotes =
                letter == b'\\' || form.close.first() == Some(&letter) || form.open == Some(letter);
            self.code
                .append(if quotes { start + 1 } else { start }, self.at, text);
            return;
        }
        let number = match letter {
            b'n' => Some(10),
            b't' => Some(9),
            b'r' => Some(13),
            b'a' => Some(7),
            b'e' => Some(27),
            b'f' => Some(12),
            b'v' => Some(11),
            b'b' => Some(8),
            b'0'..=b'7' => {
                self.at -= 1;
                self.digits(8, 3)
            }
            b'x' | b'u' if self.peek(0) == Some(b'{') => {
                self.at += 1;
                let number = self.digits(16, 8);
                if self.peek(0) == Some(b'}') {
                    self.at += 1;
                }
                number
            }
            b'x' => self.digits(16, 2),
            b'u' => self.digits(16, 4),
            b'U' => self.digits(16, 8),
            b'\n' => return,
            _ => None,
        };
        match number.and_then(char::from_u32) {
            Some(character) => {
                let mut buffer = [0; 4];
                text.push_text(character.encode_utf8(&mut buffer).as_bytes(), None);
            }
            None => {
                let plain = letter.is_ascii_alphabetic() && self.language == Language::Python;
                self.code
                    .append(if plain { start } else { start + 1 }, self.at, text);
            }
        }
    }

    fn digits(&mut self, base: u32, most: usize) -> Option<u32> {
        let mut number = None;
        for _ in 0..most {
            let Some(digit) = self
                .peek(0)
                .and_then(|byte| char::from(byte).to_digit(base))
            else {
                break;
            };
            number = Some(
                number
                    .unwrap_or(0_u32)
                    .wrapping_mul(base)
                    .wrapping_add(digit),
            );
            self.at += 1;
        }
        number
    }

    /// Notes a here-document; its token stands at `start`.
    pub(super) fn await_document(
        &mut self,
        start: usize,
        kind: Kind,
        delimiter: Vec<u8>,
        indented: bool,
        raw: bool,
    ) {
        let interpolation = match self.language {
            _ if raw => Interpolation::None,
            Language::Ruby => Interpolation::Hash,
            Language::Php => Interpolation::Php,
            _ => Interpolation::Perl,
        };
        self.pending.push(Pending {
            token: self.tokens.len(),
            delimiter,
            indented,
            escapes: if raw { Escapes::None } else { Escapes::Full },
            interpolation,
        });
        self.push(kind, start);
    }

    /// Reads the bodies of the here-documents that the line began.
    fn here_documents(&mut self) {
        for pending in std::mem::take(&mut self.pending) {
            let body = self.at;
            let mut line = body;
            let (mut finish, mut next) = (self.end, self.end);
            while line < self.end {
                let stop = (line..self.end)
                    .find(|at| self.code.byte(*at) == Some(b'\n'))
                    .unwrap_or(self.end);
                let mut from = line;
                while pending.indented
                    && from < stop
                    && matches!(self.code.byte(from), Some(b' ' | b'\t'))
                {
                    from += 1;
                }
                let text = self.code.slice(from, stop);
                let text = text.strip_suffix(b"\r").unwrap_or(text);
                // PHP lets code follow the delimiter.
                let ends = text == pending.delimiter
                    || (self.language == Language::Php
                        && text.starts_with(&pending.delimiter)
                        && !self.is_name(from + pending.delimiter.len()));
                if ends {
                    finish = line;
                    next = if self.language == Language::Php {
                        from + pending.delimiter.len()
                    } else {
                        stop
                    };
                    break;
                }
                line = stop + 1;
            }
            let old_end = std::mem::replace(&mut self.end, finish);
            self.at = body;
            let parts = self.string(Form {
                open: None,
                close: b"\0\0\0never",
                escapes: pending.escapes,
                interpolation: pending.interpolation,
            });
            self.end = old_end;
            self.at = next;
            if let Some(token) = self.tokens.get_mut(pending.token) {
                match &mut token.kind {
                    Kind::Text(own) | Kind::Command(own) => *own = parts,
                    _ => {}
                }
            }
        }
    }
}
