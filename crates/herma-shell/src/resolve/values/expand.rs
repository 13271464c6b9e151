//! Words to fields: the shell's expansions in their order.

use super::fields::{Fields, Separators, push_live};
use super::parameter::PLACEHOLDER;
use crate::execution::Arg;
use crate::resolve::control::command::Routes;
use crate::resolve::machine::Machine;
use crate::resolve::machine::state::State;
use crate::syntax::{List, Parameter, Part, Word};
use crate::value::{Origin, Piece, Unknown, Value};

/// How many words more than are written an expansion may yield; further ones become one unknown
/// word, and the text counts as not understood.
const MAX_WORDS: usize = 10_000;

/// Output process substitutions that a word names.
pub(crate) type Pending<'t> = Vec<(Vec<u8>, &'t List)>;

/// How a part is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quoting {
    /// Fields are split and patterns live.
    None,
    /// Neither.
    Double,
    /// Patterns live, no splitting: operands of `case`, `[[ ]]`, `${x#…}`.
    Pattern,
}

impl Machine<'_> {
    /// All words of a command.
    pub(crate) fn expand_words(&mut self, words: &[Word], state: &mut State) -> Vec<Arg> {
        let mut pending = Vec::new();
        let args = self.expand_words_with(words, state, &mut pending);
        self.run_processes(pending, state);
        args
    }

    pub(crate) fn expand_words_with<'t>(
        &mut self,
        words: &'t [Word],
        state: &mut State,
        pending: &mut Pending<'t>,
    ) -> Vec<Arg> {
        let mut args = Vec::with_capacity(words.len());
        for word in words {
            self.expand_word(word, state, pending, &mut args);
            // As many words as are written cost what they cost; what they grow to is bounded.
            if args.len() > words.len().saturating_add(MAX_WORDS) {
                self.uncertain(crate::Why::Fuel, word.span);
                args.truncate(MAX_WORDS);
                args.push(Arg {
                    value: Value::unknown_words(Origin::Other),
                    span: word.span,
                });
                break;
            }
        }
        args
    }

    pub(crate) fn expand_word<'t>(
        &mut self,
        word: &'t Word,
        state: &mut State,
        pending: &mut Pending<'t>,
        args: &mut Vec<Arg>,
    ) {
        if !self.spend(4) {
            return;
        }
        // The common case needs no machinery.
        if let [Part::Literal(text)] = word.parts.as_slice()
            && !text
                .bytes
                .iter()
                .any(|b| matches!(b, b'*' | b'?' | b'[' | b'{' | b'~'))
            && !state.extended_glob
            && !(self.dialect == crate::syntax::Dialect::Zsh && text.bytes.starts_with(b"="))
        {
            args.push(Arg {
                value: self.written(text),
                span: word.span,
            });
            return;
        }
        let separators = self.separators(state);
        let assigned = matches!(
            self.dialect,
            crate::syntax::Dialect::Bash | crate::syntax::Dialect::Zsh
        ) && crate::resolve::calls::simple::is_assignment(word)
            && super::tilde::has_tilde(word)
            && !super::braces::has_live(&word.parts, self);
        // zsh: a group at the end of a pattern says which of the files count.
        let mut parts = word.parts.as_slice();
        while let Some((
            Part::ExtendedGlob {
                operator: b'(',
                alternatives,
                text,
            },
            rest,
        )) = parts.split_last()
            && !rest.is_empty()
            && self.qualifiers(alternatives, text, state)
        {
            parts = rest;
        }
        let words = if assigned {
            vec![super::tilde::assigned_parts(word, false)]
        } else {
            super::braces::expand(parts, self)
        };
        for parts in words {
            let mut fields = Fields::default();
            let parts = self.homes_over_seams(parts, state);
            let live = super::tilde::tilde_is_live(&parts);
            for (index, part) in parts.into_iter().enumerate() {
                self.part(
                    part,
                    index == 0 && live,
                    Quoting::None,
                    &separators,
                    state,
                    pending,
                    &mut fields,
                );
            }
            for value in fields.finish() {
                args.push(Arg {
                    value,
                    span: word.span,
                });
            }
        }
    }

    fn written(&self, text: &crate::syntax::Text) -> Value {
        let mut value = Value::empty();
        if self.placeholders.is_empty() {
            value.push_text(&text.bytes, self.place(text.at));
            return value;
        }
        // What cannot be known stays that between quotes too.
        let mut rest = text.bytes.as_slice();
        let mut at = self.place(text.at);
        while let Some((start, end, unknown)) = self.placeholder_in(rest) {
            value.push_text(rest.get(..start).unwrap_or_default(), at);
            value.push_unknown(unknown);
            rest = rest.get(end..).unwrap_or_default();
            at = None;
        }
        value.push_text(rest, at);
        value
    }

    /// The first placeholder in a text: where it starts and ends, and what it stands for.
    fn placeholder_in(&self, text: &[u8]) -> Option<(usize, usize, &Unknown)> {
        let (start, behind) = text
            .iter()
            .enumerate()
            .filter(|(_, byte)| **byte == b'$')
            .find_map(|(start, _)| {
                let behind = text.get(start..)?.strip_prefix(b"${")?;
                Some((start, behind.strip_prefix(PLACEHOLDER.as_bytes())?))
            })?;
        let length = behind.iter().position(|byte| *byte == b'}')?;
        let index = std::str::from_utf8(behind.get(..length)?).ok()?;
        let unknown = self.placeholders.get(index.parse::<usize>().ok()?)?;
        let end = text.len() - behind.len() + length + 1;
        Some((start, end, unknown))
    }

    /// One word without splitting: assignments, here-strings, operands.
    pub(crate) fn expand_single(&mut self, word: &Word, state: &mut State) -> Value {
        let mut pending = Vec::new();
        let value = self.expand_as(word, Quoting::Double, state, &mut pending);
        self.run_processes(pending, state);
        value
    }

    /// Runs the `>(…)` of words that are no arguments.
    fn run_processes(&mut self, pending: Pending<'_>, state: &mut State) {
        let routes = Routes {
            opened: Vec::new(),
            kept: false,
            redirections: Vec::new(),
            sink: crate::resolve::control::command::Sink::Same,
            copies: Vec::new(),
            pending,
        };
        self.run_pending(&routes, None, state);
    }

    /// The right side of an assignment: tildes are live behind `:` too.
    pub(crate) fn expand_assigned(&mut self, word: &Word, state: &mut State) -> Value {
        if !super::tilde::has_tilde(word) {
            return self.expand_single(word, state);
        }
        let separators = Separators::none();
        let mut fields = Fields::default();
        let mut pending = Vec::new();
        let parts = self.homes_over_seams(super::tilde::assigned_parts(word, true), state);
        let live = super::tilde::tilde_is_live(&parts);
        for (index, part) in parts.into_iter().enumerate() {
            self.part(
                part,
                index == 0 && live,
                Quoting::Double,
                &separators,
                state,
                &mut pending,
                &mut fields,
            );
        }
        self.run_processes(pending, state);
        join_words(fields.finish())
    }

    /// A redirection's target.
    pub(crate) fn expand_target<'t>(
        &mut self,
        word: &'t Word,
        state: &mut State,
        pending: &mut Pending<'t>,
    ) -> Value {
        self.expand_as(word, Quoting::Pattern, state, pending)
    }

    /// A pattern operand: patterns stay live.
    pub(crate) fn expand_pattern(&mut self, word: &Word, state: &mut State) -> Value {
        let mut pending = Vec::new();
        let value = self.expand_as(word, Quoting::Pattern, state, &mut pending);
        self.run_processes(pending, state);
        value
    }

    fn expand_as<'t>(
        &mut self,
        word: &'t Word,
        quoting: Quoting,
        state: &mut State,
        pending: &mut Pending<'t>,
    ) -> Value {
        let separators = Separators::none();
        let mut fields = Fields::default();
        let parts: Vec<PartRef<'t>> = word.parts.iter().map(PartRef::Whole).collect();
        let parts = self.homes_over_seams(parts, state);
        let live = super::tilde::tilde_is_live(&parts);
        for (index, part) in parts.into_iter().enumerate() {
            self.part(
                part,
                index == 0 && live,
                quoting,
                &separators,
                state,
                pending,
                &mut fields,
            );
        }
        join_words(fields.finish())
    }

    /// A here-document's body.
    pub(crate) fn expand_here_document(&mut self, body: &Word, state: &mut State) -> Value {
        let mut pending = Vec::new();
        let value = self.expand_as(body, Quoting::Double, state, &mut pending);
        self.run_processes(pending, state);
        value
    }

    pub(crate) fn separators(&mut self, state: &State) -> Separators {
        if self.dialect == crate::syntax::Dialect::Zsh && !state.splits_words {
            // Parameters are not split.
            return Separators::none();
        }
        self.ifs(state)
    }

    /// What splits where words are split.
    fn ifs(&mut self, state: &State) -> Separators {
        match state.variables.get(b"IFS") {
            None => Separators::default(),
            Some(_) => match self.set_scalar(b"IFS", state) {
                None => Separators::default(),
                Some(value) => match value.bytes() {
                    Some(ifs) => Separators::from_ifs(&ifs),
                    None => Separators::unknown(),
                },
            },
        }
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "the state of one expansion, not a design"
    )]
    fn part<'t>(
        &mut self,
        part: PartRef<'t>,
        first: bool,
        quoting: Quoting,
        separators: &Separators,
        state: &mut State,
        pending: &mut Pending<'t>,
        fields: &mut Fields,
    ) {
        let part = match part {
            PartRef::Slice { bytes, at, start } => {
                self.literal(bytes, at, first || start, quoting, state, fields);
                return;
            }
            PartRef::Computed(value) => {
                fields.quoted(&value);
                return;
            }
            PartRef::Name(parameter) => {
                let values = self.parameter(&parameter, quoting, state);
                self.values(&values, false, quoting, separators, fields);
                return;
            }
            PartRef::Whole(part) => part,
        };
        match part {
            Part::Literal(text) => {
                self.literal(&text.bytes, text.at, first, quoting, state, fields);
            }
            Part::Quoted(text) => fields.quoted(&self.written(text)),
            Part::AnsiC(text) => fields.quoted(&Value::computed(text.bytes.as_slice())),
            Part::Double(parts) => {
                // `"$@"` alone may be no word; everything else is one.
                let lone_list = matches!(parts.as_slice(), [Part::Parameter(p)] if super::parameter::is_list(p));
                if !lone_list {
                    fields.quoted(&Value::empty());
                }
                self.bad_substitution |= super::braces::opens_behind_process_id(parts);
                for part in parts {
                    self.part(
                        PartRef::Whole(part),
                        false,
                        Quoting::Double,
                        separators,
                        state,
                        pending,
                        fields,
                    );
                }
            }
            Part::Parameter(parameter) => {
                if quoting == Quoting::None
                    && let Some(word) = self.quoted_word(parameter, state)
                {
                    for part in &word.parts {
                        match part {
                            Part::Literal(text) => fields.split(&self.written(text), separators),
                            part => {
                                let part = PartRef::Whole(part);
                                self.part(part, false, quoting, separators, state, pending, fields);
                            }
                        }
                    }
                    return;
                }
                let values = self.parameter(parameter, quoting, state);
                let splits = matches!(
                    parameter.operation,
                    crate::syntax::Operation::Transform(b'=')
                );
                let own = (splits && quoting == Quoting::None).then(|| self.ifs(state));
                self.values(
                    &values,
                    super::parameter::is_list(parameter),
                    quoting,
                    own.as_ref().unwrap_or(separators),
                    fields,
                );
            }
            Part::Command(substitution) => {
                let value = self.substitution(substitution, state);
                let own = (self.dialect == crate::syntax::Dialect::Zsh && quoting == Quoting::None)
                    .then(|| self.ifs(state));
                let separators = own.as_ref().unwrap_or(separators);
                self.values(&[value], false, quoting, separators, fields);
            }
            Part::Arithmetic(word) => {
                let value = self.arithmetic_word(word, state);
                self.values(&[value], false, quoting, separators, fields);
            }
            // Without commands there is no file, and no word.
            Part::Process { list, .. } if list.items.is_empty() => {}
            Part::Process { input, list, span } => {
                let value = self.process(*input, list, *span, state, pending);
                fields.quoted(&value);
            }
            Part::ExtendedGlob {
                alternatives, text, ..
            } => {
                for word in alternatives {
                    self.expand_as(word, Quoting::Pattern, state, pending);
                }
                fields.pattern(&text.bytes, self.place(text.at));
            }
            Part::Opaque(parts) => {
                let mut inside = Fields::default();
                for part in parts {
                    let part = PartRef::Whole(part);
                    let quoting = Quoting::Double;
                    self.part(
                        part,
                        false,
                        quoting,
                        separators,
                        state,
                        pending,
                        &mut inside,
                    );
                }
                let mut value = opaque(inside.finish());
                if self.dialect == crate::syntax::Dialect::Zsh && quoting == Quoting::None {
                    // It may come to nothing, and its elements are words.
                    for piece in &mut value.pieces {
                        if let Piece::Unknown(unknown) = piece {
                            unknown.many = true;
                        }
                    }
                }
                fields.quoted(&value);
            }
            Part::Array(elements) => {
                let mut text = self.array_text(elements, state);
                if quoting == Quoting::Double {
                    // With text around it, it is text as it is written.
                    text = Value::unknown_words(Origin::Other);
                }
                fields.quoted(&text);
            }
        }
    }

    /// Places expanded values into the fields.
    fn values(
        &mut self,
        values: &[Value],
        list: bool,
        quoting: Quoting,
        separators: &Separators,
        fields: &mut Fields,
    ) {
        let work: usize = values.iter().map(|value| 128 + value.size()).sum();
        if !self.spend(work as u64 / 8) {
            fields.quoted(&Value::unknown_words(Origin::Other));
            return;
        }
        for (index, value) in values.iter().enumerate() {
            if let Some(before) = index.checked_sub(1).and_then(|before| values.get(before)) {
                match quoting {
                    Quoting::None => fields.next_element(before, Some(separators)),
                    _ if list => fields.next_element(before, None),
                    _ => fields.quoted(&Value::computed(b" ".as_slice())),
                }
            }
            match quoting {
                Quoting::None => fields.split(value, separators),
                Quoting::Double if list => fields.quoted(value),
                Quoting::Double => fields.single(value),
                Quoting::Pattern => fields.split(value, separators),
            }
            if fields.len() > MAX_WORDS {
                return;
            }
        }
        if let [_, .., last] = values
            && (list || quoting == Quoting::None)
        {
            fields.last_element(last);
        }
    }

    fn literal(
        &mut self,
        bytes: &[u8],
        at: u32,
        first: bool,
        quoting: Quoting,
        state: &mut State,
        fields: &mut Fields,
    ) {
        let mut bytes = bytes;
        let mut at = at;
        if first && bytes.first() == Some(&b'~') {
            let end = super::tilde::end_of_name(bytes);
            let user = bytes.get(1..end).unwrap_or_default();
            let named = (self.dialect == crate::syntax::Dialect::Zsh
                && state.variables.get(user).is_some())
            .then(|| self.scalar(user, state));
            if let Some(home) = named.or_else(|| self.tilde(user, state)) {
                fields.quoted(&home);
                bytes = bytes.get(end..).unwrap_or_default();
                at = at.saturating_add(u32::try_from(end).unwrap_or(0));
            }
        }
        let operators = bytes.iter().enumerate().any(|(index, byte)| {
            matches!(byte, b'^' | b'#') || *byte == b'~' && !(first && index == 0)
        });
        if state.extended_glob && quoting != Quoting::Double && operators {
            // What such a pattern leaves out is not followed.
            fields.pattern(b"*", self.place(at));
            return;
        }
        if first
            && quoting == Quoting::None
            && self.dialect == crate::syntax::Dialect::Zsh
            && bytes.len() > 1
            && bytes.first() == Some(&b'=')
        {
            // `=name`: where the program is.
            let name = bytes.get(1..).unwrap_or_default();
            fields.quoted(&Value::computed([b"/usr/bin/", name].concat()));
            return;
        }
        let mut value = Value::empty();
        if quoting == Quoting::Double {
            value.push_text(bytes, self.place(at));
        } else {
            push_live(&mut value, bytes, self.place(at));
        }
        for piece in value.pieces {
            match piece {
                Piece::Glob { pattern, at } => fields.pattern(&pattern, at),
                other => fields.quoted(&Value {
                    pieces: vec![other],
                    decoded: false,
                }),
            }
        }
    }

    /// Which of a name's possible values the current command takes; `None` when there are too many
    /// combinations to try.
    pub(crate) fn pick(&mut self, name: &[u8], count: usize) -> Option<usize> {
        if count > 1 && self.choice.blurred {
            return None;
        }
        Some(self.choice.pick(name, count))
    }
}

/// What is computed from these words in a way that is not followed: where it comes from stays known.
fn opaque(words: Vec<Value>) -> Value {
    let words = join_words(words);
    let mut origin = Origin::Other;
    for piece in &words.pieces {
        if let Piece::Unknown(unknown) = piece
            && (origin == Origin::Other || unknown.origin == Origin::Fetched)
        {
            origin = unknown.origin.clone();
        }
    }
    let mut value = Value::unknown(origin);
    value.decoded = words.decoded;
    value.made_as(&words)
}

/// A part, or a piece of one that brace expansion made.
#[derive(Clone)]
pub(crate) enum PartRef<'t> {
    Whole(&'t Part),
    Slice {
        bytes: &'t [u8],
        at: u32,
        /// A tilde at its start is live.
        start: bool,
    },
    Computed(std::rc::Rc<Value>),
    /// A name that only the brace expansion put together.
    Name(std::rc::Rc<Parameter>),
}

/// Several words as one, joined by blanks.
pub(crate) fn join_words(words: Vec<Value>) -> Value {
    join_with(words, b" ")
}

/// Several words as one.
pub(crate) fn join_with(words: Vec<Value>, separator: &[u8]) -> Value {
    let mut words = words.into_iter();
    let mut joined = words.next().unwrap_or_default();
    for word in words {
        joined.push_text(separator, None);
        joined.append(&word);
    }
    joined
}
