//! Code that starts processes in a loop without end.

use super::Language;
use super::scan::Scanner;
use super::tokens::{Kind, Token};

/// Loops are looked at up to this many; more of them in code that starts processes count as code
/// that was not understood.
const MOST_LOOPS: usize = 512;

/// Tokens of a loop: `from..to`.
type Range = (usize, usize);

impl Scanner<'_> {
    /// Where loops without end start processes and never wait for one, as bytes of the code.
    pub(super) fn fork_bombs(&mut self, tokens: &[Token]) -> Vec<(usize, usize)> {
        let mut found: Vec<(usize, usize)> = Vec::new();
        if !(0..tokens.len()).any(|at| self.forks(tokens, at)) {
            return found;
        }
        let mut heads = MOST_LOOPS;
        for at in 0..tokens.len() {
            if !self.pay(1) {
                break;
            }
            if self.is_loop_word(tokens, at) {
                match heads.checked_sub(1) {
                    Some(left) => heads = left,
                    None => {
                        self.exhausted = true;
                        break;
                    }
                }
            }
            let Some((from, to)) = self.endless(tokens, at) else {
                continue;
            };
            let to = to.min(tokens.len());
            if !self.pay(to.saturating_sub(from)) {
                break;
            }
            let forks = (from..to).any(|at| self.forks(tokens, at));
            let pauses = (from..to).any(|at| self.pauses(tokens, at));
            if !forks || pauses {
                continue;
            }
            let first = tokens.get(from.min(at)).map_or(0, |token| token.start);
            let last = to.checked_sub(1).and_then(|last| tokens.get(last.max(at)));
            let end = last.map_or(first, |token| token.end);
            // Of loops in each other one says it all.
            if !found
                .iter()
                .any(|(start, stop)| *start <= first && end <= *stop)
            {
                found.push((first, end));
            }
        }
        found
    }

    fn is_loop_word(&self, tokens: &[Token], at: usize) -> bool {
        matches!(
            self.text_at(tokens, at),
            b"while"
                | b"until"
                | b"for"
                | b"loop"
                | b"redo"
                | b"setInterval"
                | b"def"
                | b"function"
                | b"sub"
        )
    }

    /// A call that starts a process and goes on.
    fn forks(&self, tokens: &[Token], at: usize) -> bool {
        let Some(token) = tokens
            .get(at)
            .filter(|token| matches!(token.kind, Kind::Name))
        else {
            return false;
        };
        let before = at
            .checked_sub(1)
            .map_or(&b""[..], |before| self.text_at(tokens, before));
        if matches!(
            before,
            b"def" | b"function" | b"sub" | b"import" | b"," | b"{"
        ) && {
            let called = self.is(tokens, at + 1, b"(");
            !called && !matches!(self.language, Language::Perl | Language::Ruby)
        } {
            return false;
        }
        let name = self.text(token);
        let member = matches!(before, b"." | b"->" | b"::");
        match self.language {
            Language::Python => {
                matches!(name, b"fork" | b"forkpty") && self.is(tokens, at + 1, b"(")
                    || name == b"Popen" && self.names_itself(tokens, at)
            }
            Language::Perl => {
                name == b"fork" && !matches!(before, b"->" | b"sub" | b"{")
                    || name == b"fork" && before == b"{" && !self.is(tokens, at + 1, b"}")
                    || name == b"fork" && before == b"{" && self.opens_block(tokens, at)
            }
            Language::Ruby => name == b"fork" && (!member || self.of_processes(tokens, at)),
            Language::Php => name.eq_ignore_ascii_case(b"pcntl_fork"),
            Language::JavaScript => {
                self.loads_starters
                    && matches!(name, b"fork" | b"spawn" | b"exec" | b"execFile")
                    && self.is(tokens, at + 1, b"(")
            }
            Language::C => name == b"fork" && self.is(tokens, at + 1, b"("),
            Language::Awk | Language::Lua | Language::Go | Language::Rust | Language::Java => false,
        }
    }

    /// `{fork}` is a block behind `)`, a loop's word or nothing, else a key of a hash.
    fn opens_block(&self, tokens: &[Token], at: usize) -> bool {
        let Some(before) = at.checked_sub(2).and_then(|at| tokens.get(at)) else {
            return true;
        };
        match before.kind {
            Kind::Punct => matches!(self.text(before), b")" | b";" | b"{" | b"}"),
            Kind::Name => matches!(self.text(before), b"loop" | b"do" | b"else"),
            _ => true,
        }
    }

    fn of_processes(&self, tokens: &[Token], at: usize) -> bool {
        at.checked_sub(2)
            .is_some_and(|at| matches!(self.text_at(tokens, at), b"Process" | b"Kernel"))
    }

    /// The call's words name the code itself.
    fn names_itself(&self, tokens: &[Token], at: usize) -> bool {
        let close = tokens.get(at + 1).map_or(at, |open| open.close);
        (at + 1..close.min(tokens.len())).take(64).any(|at| {
            matches!(
                self.text_at(tokens, at),
                b"__file__" | b"argv" | b"executable"
            )
        })
    }

    /// What ends the child, waits for it, or leaves the loop.
    fn pauses(&self, tokens: &[Token], at: usize) -> bool {
        tokens.get(at).is_some_and(|token| {
            matches!(token.kind, Kind::Name)
                && matches!(
                    self.text(token),
                    b"exit"
                        | b"_exit"
                        | b"exit!"
                        | b"die"
                        | b"abort"
                        | b"wait"
                        | b"waitpid"
                        | b"wait2"
                        | b"waitall"
                        | b"pcntl_wait"
                        | b"pcntl_waitpid"
                        | b"break"
                        | b"last"
                        | b"return"
                        | b"sleep"
                        | b"usleep"
                        | b"join"
                        | b"accept"
                        | b"communicate"
                        | b"await"
                )
        })
    }

    /// The body of the loop that the token begins, when nothing ends it.
    fn endless(&self, tokens: &[Token], at: usize) -> Option<Range> {
        let token = tokens.get(at)?;
        if !matches!(token.kind, Kind::Name) {
            return None;
        }
        let word = self.text(token);
        match (self.language, word) {
            (Language::Python, b"while" | b"for") => self.python_loop(tokens, at, word),
            (_, b"while" | b"until") => self.conditional(tokens, at, word == b"until"),
            (Language::JavaScript | Language::Perl | Language::Php, b"for") => {
                let open = tokens
                    .get(at + 1)
                    .filter(|_| self.is(tokens, at + 1, b"("))?;
                let first =
                    (at + 2..open.close.min(tokens.len())).find(|at| self.is(tokens, *at, b";"))?;
                let second = (first + 1..open.close.min(tokens.len()))
                    .find(|at| self.is(tokens, *at, b";"))?;
                self.holds(tokens, first + 1, second, true)
                    .then(|| self.body(tokens, open.close + 1))
            }
            (Language::Ruby, b"loop") => Some(self.body(tokens, at + 1)),
            (Language::Perl, b"redo") => self.block_around(tokens, at),
            (Language::JavaScript, b"setInterval") => {
                let open = tokens
                    .get(at + 1)
                    .filter(|_| self.is(tokens, at + 1, b"("))?;
                let last = open.close.checked_sub(1)?;
                let delay = self.text_at(tokens, last);
                let quick = matches!(delay, b"0" | b"1" | b"}" | b")");
                quick.then_some((at + 2, open.close))
            }
            (_, b"def" | b"function" | b"sub") => self.recursion(tokens, at),
            _ => None,
        }
    }

    /// `while (…) {…}`, and `… while …` behind a statement.
    fn conditional(&self, tokens: &[Token], at: usize, until: bool) -> Option<Range> {
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        let leads = self.begins_statement(before)
            && !before
                .is_some_and(|token| self.text(token) == b"}" && self.is_do_block(tokens, token));
        if leads {
            let (from, to, next) = if self.is(tokens, at + 1, b"(") {
                let close = tokens.get(at + 1)?.close;
                (at + 2, close, close.saturating_add(1))
            } else {
                let end = (at + 1..tokens.len()).find(|at| {
                    self.is(tokens, *at, b"do")
                        || self.is(tokens, *at, b";")
                        || tokens
                            .get(*at)
                            .is_some_and(|token| matches!(token.kind, Kind::Newline))
                })?;
                (at + 1, end, end)
            };
            if !self.holds(tokens, from, to, !until) {
                return None;
            }
            let (start, end) = self.body(tokens, next);
            // A condition that starts a process is part of it.
            return Some((from.min(start), end));
        }
        let end = self.statement_end(tokens, at);
        if !self.holds(tokens, at + 1, end, !until) {
            return None;
        }
        let mut start = at;
        while let Some(before) = start.checked_sub(1) {
            let token = tokens.get(before)?;
            match token.kind {
                Kind::Newline => break,
                Kind::Punct => match self.text(token) {
                    b";" | b"{" | b"(" => break,
                    b"}" | b")" | b"]" if token.open < before => start = token.open,
                    _ => start = before,
                },
                _ => start = before,
            }
        }
        Some((start, end))
    }

    fn is_do_block(&self, tokens: &[Token], close: &Token) -> bool {
        close
            .open
            .checked_sub(1)
            .is_some_and(|before| self.is(tokens, before, b"do"))
    }

    /// The statement or block at `at`.
    fn body(&self, tokens: &[Token], at: usize) -> Range {
        let mut from = at;
        while tokens
            .get(from)
            .is_some_and(|token| matches!(token.kind, Kind::Newline))
            || self.language == Language::Ruby && self.is(tokens, from, b";")
        {
            from += 1;
        }
        if self.is(tokens, from, b"{") {
            let close = tokens.get(from).map_or(from, |open| open.close);
            return (from + 1, close);
        }
        if self.language == Language::Ruby {
            return (from, self.ruby_end(tokens, from));
        }
        (from, self.statement_end(tokens, from))
    }

    /// The `end` of the block whose `do` or first statement stands at `from`.
    pub(super) fn ruby_end(&self, tokens: &[Token], from: usize) -> usize {
        let mut depth = 0_usize;
        for (at, token) in tokens.iter().enumerate().skip(from) {
            if !matches!(token.kind, Kind::Name) {
                continue;
            }
            let before = at.checked_sub(1).and_then(|before| tokens.get(before));
            match self.text(token) {
                b"do" if at > from => depth += 1,
                b"begin" | b"case" | b"def" => depth += 1,
                b"if" | b"unless" if self.begins_statement(before) => depth += 1,
                b"end" => match depth.checked_sub(1) {
                    Some(less) => depth = less,
                    None => return at,
                },
                _ => {}
            }
        }
        tokens.len()
    }

    /// The separator behind a statement.
    fn statement_end(&self, tokens: &[Token], at: usize) -> usize {
        let mut at = at;
        while let Some(token) = tokens.get(at) {
            match token.kind {
                Kind::Newline => break,
                Kind::Punct => match self.text(token) {
                    b";" | b"}" => break,
                    _ if token.close != usize::MAX => at = token.close.saturating_add(1),
                    _ => at += 1,
                },
                _ => at += 1,
            }
        }
        at.min(tokens.len())
    }

    fn block_around(&self, tokens: &[Token], at: usize) -> Option<Range> {
        let open = (0..at).rev().take(256).find(|open| {
            self.is(tokens, *open, b"{") && tokens.get(*open).is_some_and(|token| token.close > at)
        })?;
        Some((open + 1, tokens.get(open)?.close))
    }

    /// Whether the condition in `from..to` is always so.
    fn holds(&self, tokens: &[Token], from: usize, to: usize, wanted: bool) -> bool {
        let to = to.min(tokens.len());
        let words: Vec<&[u8]> = (from..to)
            .take(8)
            .map(|at| self.text_at(tokens, at))
            .collect();
        let yes = |word: &[u8]| {
            matches!(word, b"true" | b"True" | b"TRUE")
                || word.iter().all(u8::is_ascii_digit) && word.iter().any(|byte| *byte != b'0')
        };
        let no = |word: &[u8]| {
            matches!(
                word,
                b"false" | b"False" | b"FALSE" | b"nil" | b"None" | b"null" | b"0"
            )
        };
        let constant = match words.as_slice() {
            [] => Some(true),
            [word] if yes(word) => Some(true),
            [word] if no(word) => Some(false),
            [b"!" | b"not", word] if no(word) => Some(true),
            [b"!" | b"not", word] if yes(word) => Some(false),
            [b"!", b"!", word] if yes(word) => Some(true),
            [left, b"==" | b"===", right] if left == right => Some(true),
            [b"(", word, b")"] if yes(word) => Some(true),
            _ => None,
        };
        constant == Some(wanted) || (from..to).any(|at| self.forks(tokens, at))
    }

    /// A function that starts a process and calls itself.
    fn recursion(&self, tokens: &[Token], at: usize) -> Option<Range> {
        let name = tokens
            .get(at + 1)
            .filter(|token| matches!(token.kind, Kind::Name))?;
        let name = self.text(name);
        let mut open = at + 2;
        if self.is(tokens, open, b"(") {
            open = tokens.get(open)?.close.saturating_add(1);
        }
        let (from, to) = match self.language {
            Language::Python => self.python_block(tokens, at, open)?,
            _ => self.body(tokens, open),
        };
        (from..to.min(tokens.len()))
            .any(|at| self.text_at(tokens, at) == name)
            .then_some((from, to))
    }

    /// `while True:`, and `for` over what never ends, as a statement or in a comprehension.
    fn python_loop(&self, tokens: &[Token], at: usize, word: &[u8]) -> Option<Range> {
        let mut colon = at + 1;
        while let Some(token) = tokens.get(colon) {
            match token.kind {
                Kind::Newline => break,
                Kind::Punct => match self.text(token) {
                    b":" | b"]" | b")" | b"}" => break,
                    _ if token.close != usize::MAX => colon = token.close.saturating_add(1),
                    _ => colon += 1,
                },
                _ => colon += 1,
            }
        }
        let endless = if word == b"while" {
            self.holds(tokens, at + 1, colon, true)
        } else {
            let mut names = (at + 1..colon).map(|at| self.text_at(tokens, at));
            names.any(|name| matches!(name, b"count" | b"cycle" | b"repeat" | b"iter"))
        };
        if !endless {
            return None;
        }
        if self.is(tokens, colon, b":") {
            return self.python_block(tokens, at, colon);
        }
        // The comprehension's bracket.
        let open = tokens.get(colon)?.open;
        (open < at).then_some((open + 1, colon))
    }

    /// The rest of the line behind the colon, or the lines that are indented more.
    fn python_block(&self, tokens: &[Token], at: usize, colon: usize) -> Option<Range> {
        let column = self.column(tokens.get(at)?.start);
        let from = colon + 1;
        let mut fresh = false;
        let own_line = tokens
            .get(from)
            .is_some_and(|token| matches!(token.kind, Kind::Newline));
        for (index, token) in tokens.iter().enumerate().skip(from) {
            if matches!(token.kind, Kind::Newline) {
                if !own_line {
                    return Some((from, index));
                }
                fresh = true;
            } else if std::mem::take(&mut fresh) && self.column(token.start) <= column {
                return Some((from, index));
            }
        }
        Some((from, tokens.len()))
    }

    /// How far the line of this byte is indented.
    fn column(&self, position: usize) -> usize {
        let line = (0..position)
            .rev()
            .find(|at| self.code.byte(*at) == Some(b'\n'))
            .map_or(0, |at| at + 1);
        (line..position)
            .take_while(|at| matches!(self.code.byte(*at), Some(b' ' | b'\t')))
            .count()
    }
}
