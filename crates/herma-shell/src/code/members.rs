//! Members, subscripts and methods of values.

use super::Language;
use super::scan::Scanner;
use super::text_values;
use super::tokens::{Kind, Token};
use super::val::{Args, MAX_ALTERNATIVES, Val, bare, elements};
use crate::value::{Origin, Value};

impl Scanner<'_> {
    /// Ruby calls methods of values without parentheses.
    pub(super) fn bare_method(
        &mut self,
        tokens: &[Token],
        next: usize,
        value: Val,
        from: &Token,
        emit: bool,
    ) -> Val {
        if self.language != Language::Ruby || self.is(tokens, next, b"(") {
            return value;
        }
        let end = self.end_of(tokens, next);
        let args = Args {
            list: Vec::new(),
            span: self.code.span(from.start, end),
            emit,
        };
        if let Val::Bound(of, method) = &value
            && method.ends_with(b"!")
            && emit
            && self.changes_in_place(self.text(from), of, method)
        {
            return Val::other();
        }
        match value {
            Val::Bound(of, name) => {
                self.block_parameter(tokens, next, &of);
                self.invoke(Val::Bound(of, name), &args)
            }
            Val::Symbol(name) if super::ruby::is_value(&name) => self.dispatch(&name, &args),
            other => other,
        }
    }

    /// `list.append(x)`: the list that a name holds grows.
    pub(super) fn grow(&mut self, name: &[u8], method: &Val, args: &Args) {
        let Val::Bound(of, method) = method else {
            return;
        };
        if self.changes_in_place(name, of, method) {
            return;
        }
        if let Val::Program(_) = &**of
            && matches!(method.as_slice(), b"arg" | b"args" | b"command")
        {
            if let Some(grown) = super::compiled::method(self, of, method, args) {
                self.bind(name, grown);
            }
            return;
        }
        let Val::List(old) = &**of else {
            return;
        };
        if !matches!(
            method.as_slice(),
            b"append" | b"extend" | b"push" | b"concat!" | b"insert"
        ) || !matches!(self.env.get(bare(name)), Some(Val::List(_)))
            || !self.pay(old.len() + 1)
        {
            return;
        }
        let mut all = old.clone();
        match (method.as_slice(), args.get(0, &[])) {
            (b"extend", Some(Val::List(more))) => all.extend(more.iter().cloned()),
            (b"extend", _) => all.push(Val::many()),
            (b"insert", _) => all.extend(args.get(1, &[]).cloned()),
            _ => all.extend(args.positional()),
        }
        self.bind(name, Val::List(all));
    }

    /// `x.reverse!`, `list.reverse()`: the name holds something else behind it.
    fn changes_in_place(&mut self, name: &[u8], of: &Val, method: &[u8]) -> bool {
        let list = matches!(of, Val::List(_));
        if !self.env.contains_key(bare(name)) {
            return false;
        }
        let value = match (method, of) {
            (b"reverse!", Val::Text(text)) => Val::Text(text_values::reversed(text)),
            (b"reverse" | b"reverse!", Val::List(values)) => {
                Val::List(values.iter().rev().cloned().collect())
            }
            (b"sort" | b"sort!", Val::List(values)) => text_values::sorted(values),
            (b"pop" | b"shift" | b"splice" | b"unshift" | b"remove" | b"clear", Val::List(_)) => {
                Val::many()
            }
            (b"concat!" | b"append" | b"push", _) => return false,
            (changing, Val::Text(_) | Val::List(_)) if changing.ends_with(b"!") => {
                if list {
                    Val::many()
                } else {
                    Val::other()
                }
            }
            _ => return false,
        };
        self.bind(name, value);
        true
    }

    /// `list.forEach(x => …)`: what the parameter stands for.
    pub(super) fn arrow_parameter(&mut self, tokens: &[Token], at: usize, list: Val) {
        let first = at;
        let mut at = at;
        while self.is(tokens, at, b"(")
            || self.is(tokens, at, b"async")
            || self.is(tokens, at, b"function")
        {
            at += 1;
        }
        if at == first && !self.is(tokens, at + 1, b"=>") && !self.is(tokens, at, b"{") {
            // A function by its name.
            return;
        }
        if self.is(tokens, at, b"{") {
            // `({exec: run}) => …`
            super::javascript::destructure(self, tokens, at, &elements(list));
            return;
        }
        if let Some(token) = tokens
            .get(at)
            .filter(|token| matches!(token.kind, Kind::Name))
        {
            self.bind(self.text(token), elements(list));
        }
    }

    /// `Dir.chdir(path) { … }`: the directory holds for the block at `at`.
    pub(super) fn left_behind(&mut self, called: &Val, tokens: &[Token], at: usize, emit: bool) {
        let changes = matches!(called, Val::Symbol(name)
            if matches!(name.as_slice(), b"Dir.chdir" | b"FileUtils.cd" | b"FileUtils.chdir"));
        if self.language != Language::Ruby || !emit || !changes {
            return;
        }
        let end = if self.is(tokens, at, b"{") {
            tokens.get(at).map_or(at, |open| open.close)
        } else if self.is(tokens, at, b"do") {
            self.ruby_end(tokens, at)
        } else {
            return;
        };
        self.returns.push(end);
    }

    /// `list.each { |x| … }`: what the parameter stands for.
    pub(super) fn block_parameter(&mut self, tokens: &[Token], at: usize, list: &Val) {
        if self.language != Language::Ruby {
            return;
        }
        let opens = self.is(tokens, at, b"{") || self.is(tokens, at, b"do");
        if opens
            && self.is(tokens, at + 1, b"|")
            && let Some(name) = tokens.get(at + 2)
        {
            let value = elements(list.clone());
            self.bind(self.text(name), value);
        }
    }

    /// `value.name`
    pub(super) fn member(&mut self, of: Val, name: &[u8]) -> Val {
        match of {
            Val::Symbol(symbol) => {
                if symbol == b"process.env" {
                    return Val::Text(Value::unknown(Origin::Variable(name.to_vec())));
                }
                let joint: &[u8] = b".";
                let full = [&symbol[..], joint, name].concat();
                if matches!(full.as_slice(), b"os.sep" | b"os.path.sep" | b"path.sep") {
                    return Val::text(b"/");
                }
                let full = match self.language {
                    Language::JavaScript => super::javascript::canonical(full),
                    _ => Val::Symbol(full),
                };
                match &full {
                    Val::Symbol(name) => self.given(&name.clone()).unwrap_or(full),
                    _ => full,
                }
            }
            Val::Map(entries) => entries
                .into_iter()
                .rev()
                .find(|(key, _)| key == name)
                .map_or_else(Val::other, |(_, value)| value),
            other => Val::Bound(Box::new(other), name.to_vec()),
        }
    }

    /// `value[index]`, with the tokens of the index in `at..end`.
    pub(super) fn subscript(
        &mut self,
        tokens: &[Token],
        at: usize,
        end: usize,
        depth: usize,
        of: Val,
    ) -> Val {
        // `[::-1]`
        let backwards = self.language == Language::Python
            && self.is(tokens, at, b"::")
            && self.is(tokens, at + 1, b"-");
        if let Val::List(values) = &of
            && let Some((from, to)) = self.slice(tokens, at, end)
        {
            if !self.pay(values.len()) {
                return Val::many();
            }
            return sliced(values, from, to);
        }
        let (mut index, _) = self.evaluate(tokens, at, end, depth + 1);
        match of {
            Val::Text(text) if backwards => Val::Text(text_values::reversed(&text)),
            Val::List(mut values) if backwards => {
                values.reverse();
                Val::List(values)
            }
            Val::Program(mut words) => {
                words.push(index);
                Val::Program(words)
            }
            Val::Symbol(name) if super::python::is_program(self.language, &name) => {
                let mut words = super::python::program(&name);
                words.extend(self.list(tokens, at, end, depth + 1).0);
                Val::Program(words)
            }
            Val::Symbol(name) => {
                if let Val::Symbol(key) = &index {
                    // Perl: `$ENV{HOME}`
                    index = Val::text(&key.clone());
                }
                match name.as_slice() {
                    b"Dir" if self.language == Language::Ruby => self.glob(Some(&index)),
                    b"os.environ" | b"process.env" | b"ENV" | b"_ENV" | b"_SERVER" | b"env" => {
                        self.variable(Some(&index))
                    }
                    _ => match self.value(&index).bytes() {
                        // `fs["rmSync"]`, `globalThis['process']`
                        Some(key)
                            if self.language == Language::JavaScript
                                || self.language == Language::Lua =>
                        {
                            self.member(Val::Symbol(name), &key)
                        }
                        key if super::starters::is_namespace(self.language, &name) => {
                            super::starters::chosen(self.language, &name, key.as_deref())
                        }
                        _ => Val::Text(Value::unknown(Origin::Variable(name))),
                    },
                }
            }
            Val::List(values) => {
                let number = self
                    .value(&index)
                    .bytes()
                    .and_then(|bytes| std::str::from_utf8(&bytes).ok()?.parse::<isize>().ok());
                number
                    .and_then(|number| values.get(position(number, values.len())?).cloned())
                    .unwrap_or_else(Val::other)
            }
            Val::Map(entries) => {
                let key = match &index {
                    Val::Symbol(name) => Some(name.clone()),
                    other => self.value(other).bytes().map(std::borrow::Cow::into_owned),
                };
                entries
                    .into_iter()
                    .rev()
                    .find(|(name, _)| Some(name) == key.as_ref())
                    .map_or_else(Val::other, |(_, value)| value)
            }
            Val::Text(text) | Val::Path(text) => text_values::derived(&text),
            _ => Val::other(),
        }
    }

    /// The bounds of `[from:to]` or `[from..to]`; `None` where it is no slice. A bound that cannot be
    /// known takes all.
    fn slice(
        &mut self,
        tokens: &[Token],
        at: usize,
        end: usize,
    ) -> Option<(Option<isize>, Option<isize>)> {
        let mark: &[u8] = match self.language {
            Language::Python => b":",
            Language::Ruby => b"..",
            _ => return None,
        };
        let mut cut = at;
        while cut < end && !self.is(tokens, cut, mark) {
            cut = match tokens.get(cut)? {
                token if token.close != usize::MAX => token.close + 1,
                _ => cut + 1,
            };
            if cut > at + 16 || !self.pay(1) {
                return None;
            }
        }
        if cut >= end {
            return None;
        }
        let mut bound = |from: usize, to: usize| {
            (from < to).then(|| {
                let (value, _) = self.evaluate(tokens, from, to, 1);
                let bytes = self.value(&value).bytes()?.into_owned();
                std::str::from_utf8(&bytes).ok()?.parse::<isize>().ok()
            })?
        };
        let (from, mut to) = (bound(at, cut), bound(cut + 1, end));
        if self.language == Language::Ruby {
            to = to.and_then(|to| to.checked_add(1)).filter(|to| *to != 0);
        }
        Some((from, to))
    }

    /// A call of a value.
    pub(super) fn invoke(&mut self, of: Val, args: &Args) -> Val {
        match of {
            Val::Symbol(name) => self.dispatch(&name, args),
            // PHP calls functions by their names in strings.
            Val::Text(name) if self.language == Language::Php => match name.bytes() {
                Some(name) => self.dispatch(&name, args),
                None => Val::other(),
            },
            Val::Bound(of, name) => self.method(*of, &name, args),
            Val::Program(mut words) => {
                words.extend(args.words());
                self.program(&words, args)
            }
            Val::Partial(name, list) => {
                let list = list.into_iter().chain(args.list.iter().cloned()).collect();
                self.dispatch(&name, &Args { list, ..*args })
            }
            Val::Any(values) if values.len() <= MAX_ALTERNATIVES => {
                let mut out = Vec::new();
                for value in values {
                    if !matches!(value, Val::Any(_)) && self.pay(8) {
                        out.push(self.invoke(value, args));
                    }
                }
                Val::Any(out)
            }
            _ => Val::other(),
        }
    }

    /// A call of a method.
    pub(super) fn method(&mut self, of: Val, name: &[u8], args: &Args) -> Val {
        if (super::compiled::is_compiled(self.language) || matches!(of, Val::Program(_)))
            && let Some(value) = super::compiled::method(self, &of, name, args)
        {
            return value;
        }
        match &of {
            Val::Any(values) if values.len() <= MAX_ALTERNATIVES => {
                let values = values.clone();
                let mut out = Vec::new();
                for value in values {
                    if matches!(value, Val::Any(_)) {
                        out.push(Val::other());
                    } else {
                        out.push(self.method(value, name, args));
                    }
                }
                return Val::Any(out);
            }
            Val::Path(path) => {
                let found = match self.language {
                    Language::Python => super::python::method(self, path, name, args),
                    Language::Ruby => super::ruby::method(self, path, name, args),
                    _ => None,
                };
                if let Some(value) = found {
                    return value;
                }
            }
            Val::List(values) => {
                if matches!(name, b"forEach" | b"map" | b"each" | b"collect")
                    && let Some(function @ Val::Symbol(_)) = args.get(0, &[])
                {
                    // `list.forEach(exec)`
                    let function = function.clone();
                    return self.apply_each(&function, &of.clone(), args);
                }
                let listed = match name {
                    b"join" => {
                        let separator = args.get(0, &[]).cloned();
                        let separator = match separator {
                            Some(value) => self.value(&value),
                            None if self.language == Language::Ruby => Value::empty(),
                            None => Value::computed(*b","),
                        };
                        Some(self.joined(values, &separator))
                    }
                    b"reverse" | b"reversed" => {
                        let mut values = values.clone();
                        values.reverse();
                        Some(Val::List(values))
                    }
                    b"concat" => {
                        let mut all = Val::List(values.clone());
                        for value in args.positional() {
                            all = self.concat(&all, &value);
                        }
                        Some(all)
                    }
                    b"sort" | b"sorted" => Some(text_values::sorted(values)),
                    b"first" => values.first().cloned(),
                    b"last" => values.last().cloned(),
                    b"shift" | b"pop" if !values.is_empty() => {
                        Some(elements(Val::List(values.clone())))
                    }
                    b"slice" if args.get(0, &[]).is_some() => {
                        let bound = |at: usize| {
                            let value = self.value(args.get(at, &[])?).bytes()?.into_owned();
                            std::str::from_utf8(&value).ok()?.parse::<isize>().ok()
                        };
                        match (bound(0), args.get(1, &[])) {
                            (Some(from), None) => Some(sliced(values, Some(from), None)),
                            (Some(from), Some(_)) => {
                                bound(1).map(|to| sliced(values, Some(from), Some(to)))
                            }
                            _ => None,
                        }
                        .or_else(|| Some(Val::many()))
                    }
                    // Some of them, or others made from them.
                    b"slice" | b"filter" | b"map" | b"select" | b"reject" | b"collect"
                    | b"flatMap" | b"flat_map" | b"toSorted" | b"splice" | b"shuffle"
                    | b"rotate" => {
                        let mut values = values.clone();
                        values.push(Val::many());
                        Some(Val::List(values))
                    }
                    b"each" | b"forEach" | b"flat" | b"to_a" | b"uniq" | b"compact"
                    | b"flatten" => Some(of.clone()),
                    _ => None,
                };
                if let Some(value) = listed {
                    return value;
                }
            }
            Val::Text(text) => {
                let text = text.clone();
                self.written(&text, name, args);
                if let Some(value) = text_values::method(self, &text, name, args) {
                    return value;
                }
                if matches!(name, b"each" | b"forEach") {
                    return of;
                }
                // `executor.submit(os.system, "x")`
                self.hand_on(args);
                return text_values::derived(&text);
            }
            _ => {}
        }
        match &of {
            Val::Path(text) => text_values::derived(text),
            _ => Val::other(),
        }
    }
}

/// The index of an element counted from the front, or with a negative number from the end.
fn position(number: isize, count: usize) -> Option<usize> {
    match usize::try_from(number) {
        Ok(index) => Some(index),
        Err(_) => count.checked_sub(number.unsigned_abs()),
    }
}

/// The elements from one index up to another.
fn sliced(values: &[Val], from: Option<isize>, to: Option<isize>) -> Val {
    let count = values.len();
    let from = from.map_or(0, |from| position(from, count).unwrap_or(0));
    let to = to
        .map_or(count, |to| position(to, count).unwrap_or(0))
        .min(count);
    Val::List(values.get(from..to).unwrap_or_default().to_vec())
}
