//! Lists: pipelines and and-or lists up to the token that ends them.

use super::Outcome;
use super::command::{Place, command};
use super::frame::{Product, Step};
use super::input::Input;
use crate::syntax::{AndOr, Junction, List, Pipeline};

/// Which tokens end a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ends {
    Eof,
    Paren,
    Brace,
    /// `}` in `${ …; }`, whatever follows it.
    Current,
    Then,
    Branch,
    Fi,
    Do,
    Done,
    Arm,
}

/// The token that ended a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Eof,
    Paren,
    Brace,
    Then,
    Elif,
    Else,
    Fi,
    Do,
    Done,
    Esac,
    /// `;;`
    Break,
    /// `;&`, `;;&`
    FallThrough,
    /// zsh: a body without a reserved word begins.
    Short,
    /// An error.
    Broken,
}

impl Ends {
    fn take(self, end: End) -> bool {
        match self {
            Self::Eof => end == End::Eof,
            Self::Paren => end == End::Paren,
            Self::Brace | Self::Current => end == End::Brace,
            Self::Then => matches!(end, End::Then | End::Short),
            Self::Branch => matches!(end, End::Elif | End::Else | End::Fi),
            Self::Fi => end == End::Fi,
            Self::Do => matches!(end, End::Do | End::Short),
            Self::Done => end == End::Done,
            Self::Arm => matches!(end, End::Esac | End::Break | End::FallThrough),
        }
    }
}

/// What may come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expect {
    /// A command or the end.
    Start,
    /// A command, behind `&&` or `||`.
    Joined,
    /// A command, behind `|`.
    Piped,
    /// A command or the end of the pipeline, behind `!` or `time`.
    Prefixed,
    /// What follows a command.
    After,
}

#[derive(Debug)]
pub(super) struct ListFrame {
    ends: Ends,
    may_be_empty: bool,
    list: List,
    and_or: Option<AndOr>,
    junction: Option<Junction>,
    pipeline: Option<Pipeline>,
    start: usize,
    /// Whether the current and-or list stands first on its line.
    begins_line: bool,
    expect: Expect,
    /// The last command ended with a reserved word or operator, so that one may follow.
    closed: bool,
}

impl ListFrame {
    pub(super) fn new(ends: Ends, may_be_empty: bool) -> Self {
        Self {
            ends,
            may_be_empty,
            list: List::default(),
            and_or: None,
            junction: None,
            pipeline: None,
            start: 0,
            begins_line: true,
            expect: Expect::Start,
            closed: false,
        }
    }

    /// Begins anew behind an error, keeping what was read.
    pub(super) fn restart(&mut self) {
        self.finish_item(false);
        self.expect = Expect::Start;
    }

    fn open_pipeline(&mut self, input: &Input) -> &mut Pipeline {
        if self.pipeline.is_none() {
            self.start = input.pos;
            if self.and_or.is_none() {
                self.begins_line = input.begins_line();
            }
        }
        self.pipeline.get_or_insert_with(|| Pipeline {
            // Most have one.
            stages: Vec::with_capacity(1),
            with_stderr: Vec::new(),
            negated: false,
            span: input.span(input.pos, input.pos),
        })
    }

    fn finish_pipeline(&mut self) {
        let Some(pipeline) = self.pipeline.take() else {
            return;
        };
        match (&mut self.and_or, self.junction.take()) {
            (Some(and_or), Some(junction)) => and_or.rest.push((junction, pipeline)),
            (Some(and_or), None) => and_or.rest.push((Junction::And, pipeline)),
            (none, _) => {
                *none = Some(AndOr {
                    first: pipeline,
                    rest: Vec::new(),
                    background: false,
                    begins_line: self.begins_line,
                });
            }
        }
    }

    fn finish_item(&mut self, background: bool) {
        self.finish_pipeline();
        self.junction = None;
        if let Some(mut and_or) = self.and_or.take() {
            and_or.background = background;
            self.list.items.push(and_or);
        }
        self.expect = Expect::Start;
    }

    fn end(&mut self, end: End, input: &Input) -> Outcome {
        let ready = match self.expect {
            Expect::Start => self.may_be_empty || !self.list.items.is_empty(),
            Expect::After => true,
            Expect::Joined | Expect::Piped | Expect::Prefixed => false,
        };
        if !ready || !self.ends.take(end) {
            return Err(input.fault());
        }
        self.finish_item(false);
        Ok(Step::Pop(Product::List(
            std::mem::take(&mut self.list),
            end,
        )))
    }

    pub(super) fn step(&mut self, input: &mut Input) -> Outcome {
        match self.expect {
            Expect::After => self.after(input),
            Expect::Prefixed => {
                input.skip_gap();
                match input.peek() {
                    None | Some(b'\n' | b';') => {
                        self.expect = Expect::After;
                        self.closed = false;
                        Ok(Step::Stay)
                    }
                    _ => self.begin(input),
                }
            }
            Expect::Start | Expect::Joined | Expect::Piped => {
                input.skip_newlines()?;
                self.begin(input)
            }
        }
    }

    /// At the place of a command.
    fn begin(&mut self, input: &mut Input) -> Outcome {
        match input.peek() {
            None => return self.end(End::Eof, input),
            Some(b')') => return self.end_at(End::Paren, b")", input),
            Some(b';') => return self.end_arm(input),
            Some(b'}') if self.ends == Ends::Current => {
                return self.end_at(End::Brace, b"}", input);
            }
            _ => {}
        }
        let Some((word, end)) = input.bare_word() else {
            return self.start_command(input);
        };
        if let Some(closer) = closer(&word) {
            let step = self.end(closer, input);
            if step.is_ok() {
                input.pos = end;
            }
            return step;
        }
        match &*word {
            b"!" if self.expect != Expect::Piped => {
                let pipeline = self.open_pipeline(input);
                pipeline.negated = !pipeline.negated;
                input.pos = end;
                self.expect = Expect::Prefixed;
                Ok(Step::Stay)
            }
            b"!" => Err(input.fault()),
            b"time" if self.expect != Expect::Piped && input.bash() => {
                self.open_pipeline(input);
                input.pos = end;
                for option in [&b"-p"[..], b"--"] {
                    input.skip_blanks();
                    match input.bare_word() {
                        Some((word, end)) if &*word == option => input.pos = end,
                        _ => {}
                    }
                }
                self.expect = Expect::Prefixed;
                Ok(Step::Stay)
            }
            _ => self.start_command(input),
        }
    }

    fn start_command(&mut self, input: &mut Input) -> Outcome {
        self.open_pipeline(input);
        // What comes back is a command; after an error nothing may.
        match command(input, Place::List) {
            Ok(frame) => {
                self.expect = Expect::After;
                Ok(Step::Push(frame))
            }
            Err(fault) => {
                if let Some(pipeline) = &self.pipeline
                    && pipeline.stages.is_empty()
                    && !pipeline.negated
                {
                    self.pipeline = None;
                }
                Err(fault)
            }
        }
    }

    fn end_at(&mut self, end: End, text: &[u8], input: &mut Input) -> Outcome {
        let at = input.pos;
        let step = self.end(end, input);
        if step.is_ok() {
            input.pos = at;
            input.eat(text);
        }
        step
    }

    /// At `;;`, `;&` or `;;&`.
    fn end_arm(&mut self, input: &mut Input) -> Outcome {
        if input.at(b";;&") && input.bash() {
            self.end_at(End::FallThrough, b";;&", input)
        } else if input.at(b";;") {
            self.end_at(End::Break, b";;", input)
        } else if input.at(b";|") && input.zsh() {
            self.end_at(End::FallThrough, b";|", input)
        } else if input.at(b";&") && input.bash() {
            self.end_at(End::FallThrough, b";&", input)
        } else {
            Err(input.fault())
        }
    }

    /// Behind a command.
    fn after(&mut self, input: &mut Input) -> Outcome {
        input.skip_gap();
        let Some(byte) = input.peek() else {
            return self.end(End::Eof, input);
        };
        let bare = self
            .pipeline
            .as_ref()
            .is_some_and(|pipeline| pipeline.stages.is_empty());
        match byte {
            b'\n' => {
                self.finish_item(false);
                input.newline()?;
            }
            b';' if input.at(b";;")
                || (input.bash() && input.at(b";&"))
                || (input.zsh() && input.at(b";|")) =>
            {
                return self.end_arm(input);
            }
            b';' => {
                input.pos += 1;
                self.finish_item(false);
            }
            _ if bare => return Err(input.fault()),
            b'&' if input.eat(b"&&") => {
                self.finish_pipeline();
                self.junction = Some(Junction::And);
                self.expect = Expect::Joined;
            }
            b'|' if input.eat(b"||") => {
                self.finish_pipeline();
                self.junction = Some(Junction::Or);
                self.expect = Expect::Joined;
            }
            b'|' => {
                input.pos += 1;
                let with_stderr = input.bash() && input.eat(b"&");
                if let Some(pipeline) = &mut self.pipeline {
                    pipeline.with_stderr.push(with_stderr);
                }
                self.expect = Expect::Piped;
            }
            b'&' => {
                input.pos += 1;
                // `&|`, `&!`: and the shell forgets it.
                if input.zsh() && !input.eat(b"|") {
                    input.eat(b"!");
                }
                self.finish_item(true);
            }
            b')' => return self.end_at(End::Paren, b")", input),
            b'}' if self.closed && self.ends == Ends::Current => {
                return self.end_at(End::Brace, b"}", input);
            }
            _ => {
                let brace = input.zsh()
                    && self.ends == Ends::Brace
                    && input.bare_word().is_some_and(|(word, _)| &*word == b"}");
                if (self.closed || brace)
                    && let Some((word, end)) = input.bare_word()
                    && let Some(closer) = closer(&word)
                    && self.ends.take(closer)
                {
                    let step = self.end(closer, input);
                    input.pos = end;
                    return step;
                }
                if input.zsh() && self.closed && self.ends.take(End::Short) {
                    return self.end(End::Short, input);
                }
                return Err(input.fault());
            }
        }
        Ok(Step::Stay)
    }

    pub(super) fn receive(&mut self, product: Product, input: &Input) {
        if let Product::Command(command, closed) = product {
            let start = self.start;
            let pipeline = self.open_pipeline(input);
            pipeline.stages.push(command);
            pipeline.span = input.span(start, input.pos);
            self.closed = closed;
            self.expect = Expect::After;
        }
    }

    pub(super) fn abandon(&mut self, _input: &Input) -> Option<Product> {
        if let Some(pipeline) = &self.pipeline
            && pipeline.stages.is_empty()
        {
            self.pipeline = None;
        }
        self.finish_item(false);
        Some(Product::List(std::mem::take(&mut self.list), End::Broken))
    }
}

/// Reserved words that end a list.
fn closer(word: &[u8]) -> Option<End> {
    Some(match word {
        b"then" => End::Then,
        b"elif" => End::Elif,
        b"else" => End::Else,
        b"fi" => End::Fi,
        b"do" => End::Do,
        b"done" => End::Done,
        b"esac" => End::Esac,
        b"}" => End::Brace,
        _ => return None,
    })
}

impl Input {
    /// The word that stands here and where it ends, if it is short and of the bytes of reserved
    /// words only.
    pub(super) fn bare_word(&mut self) -> Option<(ShortWord, usize)> {
        self.peek();
        self.bare_word_at(self.pos)
    }

    pub(super) fn bare_word_at(&self, from: usize) -> Option<(ShortWord, usize)> {
        let mut word = ShortWord::default();
        let mut index = self.joined(from);
        loop {
            match self.raw(index) {
                Some(byte @ (b'a'..=b'z' | b'!' | b'{' | b'}' | b'[' | b']' | b'-')) => {
                    if !word.push(byte) {
                        return None;
                    }
                }
                None
                | Some(b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>') => {
                    break;
                }
                Some(_) => return None,
            }
            index = self.joined(index + 1);
        }
        let goes_on = self.bash()
            && matches!(self.raw(index), Some(b'<' | b'>'))
            && self.raw(self.joined(index + 1)) == Some(b'(');
        (!word.is_empty() && !goes_on).then_some((word, index))
    }
}

/// At most nine bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ShortWord {
    bytes: [u8; 9],
    len: usize,
}

impl ShortWord {
    fn push(&mut self, byte: u8) -> bool {
        match self.bytes.get_mut(self.len) {
            Some(slot) => {
                *slot = byte;
                self.len += 1;
                true
            }
            None => false,
        }
    }
}

impl std::ops::Deref for ShortWord {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or(&[])
    }
}
