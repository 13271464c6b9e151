//! Builtins that set variables from input: `read`, `mapfile`.

use std::rc::Rc;

use super::read_fields::{distributed, fields, pieces};
use crate::execution::Arg;
use crate::resolve::calls::simple::literal;
use crate::resolve::machine::state::{MAX_ALTERNATIVES, MAX_ELEMENTS, Slot, State, Variable};
use crate::resolve::machine::{Io, Machine};
use crate::resolve::values::lookup::is_name;
use crate::resolve::values::parameter::array;
use crate::source::Span;
use crate::syntax::{CommandKind, List};
use crate::value::{Origin, Piece, Unknown, Value};

/// How many commands that take lines of an input are noted.
const MAX_TAKEN: usize = 256;

/// What the words of `read` ask for.
#[derive(Clone, Default)]
struct Read {
    names: Vec<Vec<u8>>,
    /// How many of them stand before the first that is none: an error ends the reading there.
    valid: usize,
    /// `-a`
    array: Option<Vec<u8>>,
    /// `-d`; NUL when its operand is empty or not known.
    delimiter: Option<u8>,
    /// `-n`, `-N`, in bytes.
    count: Option<usize>,
    /// `-N`: neither lines nor separators end what is read.
    exact: bool,
    /// `-u`
    descriptor: Option<u32>,
    /// `-r`: a backslash is text.
    raw: bool,
}

impl Read {
    /// `None` when `read` refuses the words: nothing is read then.
    fn parse(args: &[Arg]) -> Option<Self> {
        let mut read = Self::default();
        let mut words = args.iter().skip(1);
        while let Some(arg) = words.next() {
            let Some(bytes) = arg.value.bytes() else {
                continue;
            };
            let [b'-', flags @ ..] = &*bytes else {
                // Options end in front of the first name.
                read.names.push(bytes.into_owned());
                for name in words.by_ref().filter_map(|arg| arg.value.bytes()) {
                    read.names.push(name.into_owned());
                }
                break;
            };
            if flags.is_empty() {
                read.names.push(b"-".to_vec());
            }
            for (index, flag) in flags.iter().enumerate() {
                if !b"adeinNprstuE".contains(flag) {
                    return None;
                }
                read.raw |= *flag == b'r';
                if b"adinNptu".contains(flag) {
                    let attached = flags.get(index + 1..).unwrap_or_default();
                    let operand = if attached.is_empty() {
                        words
                            .next()
                            .and_then(|arg| arg.value.bytes().map(|b| b.into_owned()))
                    } else {
                        Some(attached.to_vec())
                    };
                    read.option(*flag, operand)?;
                    break;
                }
            }
        }
        read.valid = read.names.iter().take_while(|name| is_target(name)).count();
        // The array is filled before the other names are looked at.
        (read.valid > 0 || read.names.is_empty() || read.array.is_some()).then_some(read)
    }

    /// `None` when the operand is not what the option takes.
    fn option(&mut self, flag: u8, operand: Option<Vec<u8>>) -> Option<()> {
        let text = operand.as_deref().and_then(|n| std::str::from_utf8(n).ok());
        match flag {
            b'd' => self.delimiter = Some(operand.and_then(|d| d.first().copied()).unwrap_or(0)),
            b'n' | b'N' => {
                self.count = number(text)?;
                self.exact = flag == b'N';
            }
            b't' => drop(number::<f64>(text)?),
            b'u' => self.descriptor = number(text)?,
            b'a' => self.array = operand,
            _ => {}
        }
        Some(())
    }

    /// The texts that one call may take from the input.
    fn lines(&self, input: &Value) -> Vec<Value> {
        let mut lines = match self.delimiter {
            // Up to the delimiter; what was read before is not known here.
            Some(delimiter) => {
                let mut parts = split(input, delimiter);
                parts.push(input.clone());
                parts
            }
            None => lines(input),
        };
        if self.exact {
            lines = vec![input.clone()];
        }
        match self.count {
            Some(count) => lines.iter().flat_map(|line| pieces(line, count)).collect(),
            None => lines,
        }
    }
}

/// A number, if it is known; `None` when the text is none.
fn number<N: std::str::FromStr>(text: Option<&str>) -> Option<Option<N>> {
    match text {
        Some(text) => text.trim().parse().ok().map(Some),
        None => Some(None),
    }
}

/// A name, perhaps with a subscript.
fn is_target(text: &[u8]) -> bool {
    match text.iter().position(|byte| *byte == b'[') {
        Some(open) => text.ends_with(b"]") && is_name(text.get(..open).unwrap_or_default()),
        None => is_name(text),
    }
}

impl Machine<'_> {
    /// `read`: each line of the input is a possible value.
    pub(crate) fn read_builtin(&mut self, args: &[Arg], io: &Io, state: &mut State) {
        let Some(read) = Read::parse(args) else {
            return;
        };
        let span = args.first().map_or_else(Default::default, |arg| arg.span);
        for name in read.names.iter().take(read.valid) {
            if name.contains(&b'[') {
                self.arithmetic_text(&Value::computed(name.as_slice()), span, state);
            }
        }
        let opened = read
            .descriptor
            .and_then(|number| self.descriptor_input(number, state));
        // A descriptor that nobody opened: it reads nothing, and the names keep their values.
        let unknown = read.descriptor.is_some_and(|number| number != 0) && opened.is_none();
        let closed = read
            .descriptor
            .is_some_and(|number| state.may_be_closed(number));
        let closed = (unknown || closed).then(|| state.clone());
        let source = opened.as_ref().or(io.stdin.as_ref());
        let source = source.filter(|_| !unknown);
        let nothing_left = source.is_some_and(|source| self.takes_line(source, span));
        let input = match source {
            Some(input) => self.loaded((**input).clone()),
            None => Value::unknown_words(Origin::Variable(b"REPLY".to_vec())),
        };
        let emptied = nothing_left.then(|| (read.clone(), state.clone()));
        self.read_from(read, input, state);
        if let Some((read, mut before)) = emptied {
            self.read_from(read, Value::empty(), &mut before);
            self.join(state, &before);
        }
        if let Some(before) = closed {
            self.join(state, &before);
        }
    }

    /// Behind a loop that reads line by line: the last `read` has found nothing, if it was what
    /// ended the loop.
    pub(crate) fn behind_last_line(&mut self, condition: &List, state: &mut State) {
        let Some([stage]) = condition
            .items
            .last()
            .map(|item| item.rest.last().map_or(&item.first, |(_, last)| last))
            .map(|pipeline| pipeline.stages.as_slice())
        else {
            return;
        };
        let CommandKind::Simple(simple) = &stage.kind else {
            return;
        };
        if simple.words.first().and_then(literal) != Some(b"read") {
            return;
        }
        let args: Vec<Arg> = simple
            .words
            .iter()
            .map(|word| Arg {
                value: literal(word).map_or_else(|| Value::unknown(Origin::Other), Value::computed),
                span: word.span,
            })
            .collect();
        if let Some(read) = Read::parse(&args) {
            let mut ended = state.clone();
            self.read_from(read, Value::empty(), &mut ended);
            self.join(state, &ended);
        }
    }

    /// Notes that the command that stands there takes a line of its input; says whether other
    /// commands may have taken all of them.
    pub(crate) fn takes_line(&mut self, input: &Rc<Value>, span: Span) -> bool {
        let same = |taken: &&(Rc<Value>, Span)| Rc::ptr_eq(&taken.0, input);
        let others = self.lines_taken.iter().filter(same);
        let others = others.filter(|(_, known)| *known != span).count();
        if self.lines_taken.len() < MAX_TAKEN
            && !self.lines_taken.contains(&(Rc::clone(input), span))
        {
            self.lines_taken.push((Rc::clone(input), span));
        }
        others > 0 && input.is_known() && lines(input).len() <= others
    }

    /// Sets the names to what the lines of the input hold.
    fn read_from(&mut self, mut read: Read, input: Value, state: &mut State) {
        let input = if read.raw { input } else { unescaped(input) };
        let lines = read.lines(&input);
        let separators = self.separators(state);
        if let Some(array) = &read.array {
            let slots = lines.iter().map(|line| fields(line, &separators));
            let mut slots: Vec<Slot> = slots.map(indexed).collect();
            if slots.is_empty() {
                slots.push(indexed(Vec::new()));
            }
            self.assign_any(state, array, slots);
            // The other names are emptied.
            for name in read.names.iter().take(read.valid) {
                self.assign_any(state, name, Vec::new());
            }
            return;
        }
        let reply = read.names.is_empty();
        if reply {
            read.names.push(b"REPLY".to_vec());
            read.valid = 1;
        }
        let whole = read.exact || reply;
        let slots = distributed(&lines, read.names.len(), whole, &separators);
        for (name, slots) in read.names.iter().take(read.valid).zip(slots) {
            self.assign_any(state, name, slots);
        }
    }

    /// Sets a name to one of several values.
    fn assign_any(&mut self, state: &mut State, name: &[u8], slots: Vec<Slot>) {
        let mut distinct: Vec<Slot> = Vec::new();
        for slot in slots {
            let slot = match slot {
                Slot::Scalar(value) => self.as_first_element(name, value, state),
                slot => slot,
            };
            if !distinct.contains(&slot) {
                distinct.push(slot);
            }
            if distinct.len() > MAX_ALTERNATIVES {
                break;
            }
        }
        if distinct.len() > MAX_ALTERNATIVES {
            let unknown = Value::unknown_words(Origin::Variable(name.to_vec()));
            distinct = vec![Slot::Scalar(unknown)];
        }
        let first = distinct
            .first()
            .cloned()
            .unwrap_or(Slot::Scalar(Value::empty()));
        self.assign(state, name, first, false);
        let target = self.target(name, state);
        if distinct.len() > 1 {
            state
                .variables
                .update(&target, |variable| variable.slots = distinct.clone());
        }
        let mut all = Variable::new(Slot::Unset);
        all.slots = if distinct.is_empty() {
            vec![Slot::Unset]
        } else {
            distinct
        };
        self.remember(&target, &all);
    }

    /// `mapfile`, `readarray`
    pub(crate) fn mapfile(&mut self, args: &[Arg], io: &Io, state: &mut State) {
        let Some(mapfile) = Mapfile::parse(args) else {
            return;
        };
        if let Some(callback) = &mapfile.callback {
            let mut text = callback.value.clone();
            text.push_text(b" ", None);
            text.append(&Value::unknown(Origin::Other));
            text.push_text(b" ", None);
            text.append(&Value::unknown(Origin::Other));
            let mut inner = state.clone();
            self.text_behind(
                "mapfile",
                &text,
                callback.span,
                &mut inner,
                &mut Io::default(),
            );
            self.join(state, &inner);
        }
        let opened = mapfile
            .descriptor
            .and_then(|number| self.descriptor_input(number, state));
        let input = match opened.as_ref().or(io.stdin.as_ref()) {
            Some(input) => self.loaded((**input).clone()),
            None => Value::unknown_words(Origin::Names),
        };
        let elements = mapfile.elements(&input);
        let Some(origin) = mapfile.origin else {
            self.assign(state, &mapfile.name, indexed(elements), false);
            return;
        };
        // Elements that were there before stay.
        for (index, element) in elements.into_iter().enumerate() {
            let key = (origin + index).to_string();
            self.assign_element(state, &mapfile.name, Some(key.as_bytes()), element, false);
        }
    }
}

/// What the words of `mapfile` ask for.
struct Mapfile {
    name: Vec<u8>,
    /// `-d`; NUL when its operand is empty or not known.
    delimiter: u8,
    /// `-t`: without the delimiter at the end.
    cut: bool,
    /// `-s`
    skip: usize,
    /// `-n`; none for all.
    count: Option<usize>,
    /// `-O`
    origin: Option<usize>,
    /// `-u`
    descriptor: Option<u32>,
    /// `-C`
    callback: Option<Arg>,
}

impl Mapfile {
    /// `None` when `mapfile` refuses the words: nothing is read then.
    fn parse(args: &[Arg]) -> Option<Self> {
        let mut mapfile = Self {
            name: b"MAPFILE".to_vec(),
            delimiter: b'\n',
            cut: false,
            skip: 0,
            count: None,
            origin: None,
            descriptor: None,
            callback: None,
        };
        let mut words = args.iter().skip(1);
        while let Some(arg) = words.next() {
            let Some(bytes) = arg.value.bytes() else {
                continue;
            };
            let flags = match &*bytes {
                b"--" => continue,
                [b'-', flags @ ..] if !flags.is_empty() => flags,
                name => {
                    mapfile.name = name.to_vec();
                    break;
                }
            };
            for (index, flag) in flags.iter().enumerate() {
                if *flag == b't' {
                    mapfile.cut = true;
                    continue;
                }
                if !b"dnOsuCc".contains(flag) {
                    return None;
                }
                let attached = flags.get(index + 1..).unwrap_or_default();
                let operand = if attached.is_empty() {
                    words.next()
                } else {
                    None
                };
                let given = operand.map(|arg| arg.value.bytes().map(|b| b.into_owned()));
                let text = given.unwrap_or_else(|| Some(attached.to_vec()));
                let own = || Arg {
                    value: Value::computed(attached),
                    span: arg.span,
                };
                let operand = operand.cloned().unwrap_or_else(own);
                mapfile.option(*flag, text, operand);
                break;
            }
        }
        let valid = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        mapfile.name.iter().all(valid).then_some(mapfile)
    }

    fn option(&mut self, flag: u8, text: Option<Vec<u8>>, operand: Arg) {
        let shown = text.as_deref().and_then(|n| std::str::from_utf8(n).ok());
        let number = shown.and_then(|text| text.parse().ok());
        match flag {
            b'd' => self.delimiter = text.and_then(|d| d.first().copied()).unwrap_or(0),
            b's' => self.skip = number.unwrap_or(0),
            b'n' => self.count = number.filter(|count| *count > 0),
            b'O' => self.origin = number.filter(|origin| *origin < MAX_ELEMENTS),
            b'u' => self.descriptor = shown.and_then(|text| text.parse().ok()),
            b'C' => self.callback = Some(operand),
            _ => {}
        }
    }

    fn elements(&self, input: &Value) -> Vec<Value> {
        let ended = input.known_suffix().ends_with(&[self.delimiter]);
        let mut elements = split(input, self.delimiter);
        if !self.cut {
            let count = elements.len();
            for (index, element) in elements.iter_mut().enumerate() {
                if ended || index + 1 < count {
                    element.push_text(&[self.delimiter], None);
                }
            }
        }
        let elements = elements.into_iter().skip(self.skip);
        elements.take(self.count.unwrap_or(usize::MAX)).collect()
    }
}

/// An array of these elements.
fn indexed(elements: Vec<Value>) -> Slot {
    let elements = elements.into_iter().enumerate();
    array(
        elements
            .map(|(index, value)| (index.to_string().into_bytes(), value))
            .collect(),
    )
}

/// Behind how many lines what follows counts as unknown.
const MAX_LINES: usize = 1024;

/// The lines of a value; unknown text may be any number of lines.
pub(crate) fn lines(value: &Value) -> Vec<Value> {
    split(value, b'\n')
}

/// The input without the backslashes that `read` takes for quotes; where one keeps a separator from
/// separating, what stands there cannot be known.
fn unescaped(input: Value) -> Value {
    let escapes =
        |piece: &Piece| matches!(piece, Piece::Text { bytes, .. } if bytes.contains(&b'\\'));
    if !input.pieces.iter().any(escapes) {
        return input;
    }
    let mut out = Value {
        pieces: Vec::new(),
        ..input.clone()
    };
    for piece in input.pieces {
        let Piece::Text { bytes, .. } = piece else {
            out.pieces.push(piece);
            continue;
        };
        let mut text = Vec::with_capacity(bytes.len());
        let mut bytes = bytes.into_iter();
        while let Some(byte) = bytes.next() {
            match (byte, byte == b'\\') {
                (_, true) => match bytes.next() {
                    Some(b'\n') | None => {}
                    Some(next)
                        if next.is_ascii_alphanumeric() || b"\\./-$*?'\"".contains(&next) =>
                    {
                        text.push(next);
                    }
                    Some(_) => {
                        out.push_text(&text, None);
                        text.clear();
                        let one = Unknown {
                            origin: Origin::Other,
                            many: true,
                            from: Vec::new(),
                        };
                        out.pieces.push(Piece::Unknown(one));
                    }
                },
                (byte, false) => text.push(byte),
            }
        }
        out.push_text(&text, None);
    }
    out
}

fn split(value: &Value, delimiter: u8) -> Vec<Value> {
    let mut lines = Vec::new();
    let mut line = Value {
        pieces: Vec::new(),
        decoded: value.decoded,
    };
    for piece in &value.pieces {
        let Piece::Text { bytes, at } = piece else {
            line.pieces.push(piece.clone());
            continue;
        };
        let mut start = 0;
        for (index, byte) in bytes.iter().enumerate() {
            if *byte == delimiter {
                let at = at.and_then(|at| at.checked_add(u32::try_from(start).ok()?));
                line.push_text(bytes.get(start..index).unwrap_or_default(), at);
                lines.push(std::mem::replace(
                    &mut line,
                    Value {
                        pieces: Vec::new(),
                        decoded: value.decoded,
                    },
                ));
                start = index + 1;
            }
        }
        let at = at.and_then(|at| at.checked_add(u32::try_from(start).ok()?));
        line.push_text(bytes.get(start..).unwrap_or_default(), at);
        if lines.len() > MAX_LINES {
            line.push_unknown(&Unknown {
                origin: Origin::Other,
                many: true,
                from: value.sources(),
            });
            break;
        }
    }
    if !line.pieces.is_empty() {
        lines.push(line);
    }
    lines
}
