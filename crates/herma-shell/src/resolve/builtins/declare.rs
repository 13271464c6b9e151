//! `declare`, `export` and their kind: attributes and values.

use std::collections::{BTreeMap, VecDeque};

use crate::execution::Arg;
use crate::resolve::calls::simple::is_assignment;
use crate::resolve::machine::state::{Fixed, Fold, Slot, State, Variable};
use crate::resolve::machine::{Io, Machine};
use crate::resolve::values::assign::array_literal;
use crate::resolve::values::braces;
use crate::resolve::values::parameter::array;
use crate::source::Span;
use crate::syntax::{Dialect, Part, Word};
use crate::value::Value;

/// What the name and the options of a declaring builtin say.
struct Declaration {
    export: bool,
    readonly: bool,
    local: bool,
    /// `-g` in a function: the variable outside of all functions.
    global: bool,
    flags: Vec<u8>,
    /// The shell is no zsh, whose arrays are read otherwise.
    bash: bool,
    /// Attributes that it takes away.
    without: Vec<u8>,
    /// It has an option that the builtin does not have: it sets nothing.
    refused: bool,
}

impl Declaration {
    fn new(args: &[Arg], in_function: bool, bash: bool) -> Self {
        let builtin = args.first().and_then(|arg| arg.value.bytes());
        let builtin = builtin.unwrap_or_default();
        let export = *builtin == *b"export";
        let readonly = *builtin == *b"readonly";
        let has: &[u8] = if export || readonly {
            b"aAfnp"
        } else {
            b"aAfFgiIlnprtux"
        };
        let mut flags = Vec::new();
        let mut without = Vec::new();
        let mut refused = false;
        for arg in args.iter().skip(1) {
            let Some(word) = arg.value.bytes().filter(|word| **word != *b"--") else {
                break;
            };
            let (sign, letters) = word.split_first().unwrap_or((&0, &[]));
            match sign {
                b'-' if !letters.is_empty() => flags.extend_from_slice(letters),
                b'+' if !letters.is_empty() && !export && !readonly => {
                    without.extend_from_slice(letters);
                }
                _ => break,
            }
            refused |= letters.iter().any(|letter| !has.contains(letter));
        }
        if export || readonly {
            // With operands it is ignored.
            flags.retain(|flag| *flag != b'p');
        }
        Self {
            export,
            refused: refused && bash,
            readonly: readonly || !export && flags.contains(&b'r'),
            local: in_function && !export && !readonly && !flags.contains(&b'g'),
            global: in_function && !export && !readonly && flags.contains(&b'g'),
            flags,
            bash,
            without,
        }
    }

    fn has(&self, flag: u8) -> bool {
        self.flags.contains(&flag)
    }

    /// Whether it lists or concerns functions, and sets nothing.
    fn sets_nothing(&self) -> bool {
        self.refused || self.has(b'f') || self.has(b'F') || self.has(b'p')
    }

    /// Whether an attribute changes what an assigned value becomes.
    fn changes_values(&self) -> bool {
        let letters = self.flags.iter().chain(&self.without);
        letters.into_iter().any(|flag| b"iulA".contains(flag))
    }

    /// Gives a variable the attributes that change what is assigned to it.
    fn mark_first(&self, name: &[u8], state: &mut State) {
        if self.changes_values() {
            let known = state.variables.get(name).cloned();
            let mut variable = known.unwrap_or_else(|| Variable::new(Slot::Unset));
            self.mark(&mut variable);
            state.variables.insert(name, variable);
        }
    }

    /// Gives a variable the attributes.
    fn mark(&self, variable: &mut Variable) {
        if self.export && self.has(b'n') {
            variable.set_exported(false);
        } else if self.export || self.has(b'x') {
            variable.set_exported(true);
        }
        variable.reference |= self.has(b'n') && !self.export;
        variable.integer |= self.has(b'i');
        variable.associative |= self.has(b'A') && !self.export && self.bash;
        if self.readonly {
            variable.fixed = Fixed::Yes;
        }
        if self.has(b'u') {
            variable.fold = Some(Fold::Upper);
        } else if self.has(b'l') {
            variable.fold = Some(Fold::Lower);
        }
        for letter in &self.without {
            match letter {
                b'i' => variable.integer = false,
                b'n' => variable.reference = false,
                b'x' => variable.set_exported(false),
                b'u' | b'l' => variable.fold = None,
                _ => {}
            }
        }
    }
}

impl Machine<'_> {
    /// Attributes and values of `declare` and its kind: `words` as they were written (none when the
    /// name of the builtin was not), `args` what they expand to.
    pub(crate) fn apply_declaration(&mut self, words: &[Word], args: &[Arg], state: &mut State) {
        let bash = matches!(self.dialect, Dialect::Bash | Dialect::Posix);
        let in_function = !self.returns.is_empty();
        let declaration = Declaration::new(args, in_function, bash);
        // `local` outside of functions sets nothing.
        let is_local = args.first().is_some_and(|arg| arg.value.is(b"local"));
        let refused = (is_local && !in_function && bash).then(|| state.clone());
        self.apply(&declaration, words, args, state);
        if let Some(refused) = refused {
            self.join(state, &refused);
        }
    }

    fn apply(
        &mut self,
        declaration: &Declaration,
        words: &[Word],
        args: &[Arg],
        state: &mut State,
    ) {
        if declaration.refused {
            self.arrays_first(declaration, words, state);
        }
        if declaration.sets_nothing() {
            return;
        }
        let written: Vec<&Word> = words
            .iter()
            .skip(1)
            .filter(|word| self.is_declared(word))
            .collect();
        let mut assignments: BTreeMap<Span, VecDeque<Target>> = BTreeMap::new();
        for word in &written {
            if let Some(target) = split_assignment(word) {
                let here = assignments.entry(word.span).or_default();
                here.push_back(target);
            }
        }
        // In the order of the operands: an attribute counts for those behind it.
        for arg in args.iter().skip(1) {
            if let Some(targets) = assignments.get_mut(&arg.span)
                && let Some(target) = targets.pop_front()
            {
                self.declare_written(declaration, &target, arg.span, state);
            }
            let Some(text) = arg.value.bytes() else {
                continue;
            };
            // A subscript in an operand that only expansion made an assignment.
            let left = text.split(|byte| *byte == b'=').next().unwrap_or_default();
            if let Some(open) = left.iter().position(|byte| *byte == b'[') {
                let subscript = Value::computed(left.get(open + 1..).unwrap_or_default());
                self.substitutions_in(&subscript, arg.span, state);
            }
            if !assignments.contains_key(&arg.span) && !text.starts_with(b"-") {
                self.declare_expanded(declaration, &text, arg.span, state);
            }
        }
        for (span, targets) in assignments {
            for target in targets {
                self.declare_written(declaration, &target, span, state);
            }
        }
    }

    /// Array literals among the operands: bash assigns them before it looks at the options, which it
    /// may refuse.
    fn arrays_first(&mut self, declaration: &Declaration, words: &[Word], state: &mut State) {
        for target in words.iter().skip(1).filter_map(split_assignment) {
            if let Some(elements) = array_literal(&target.value) {
                declaration.mark_first(&target.name, state);
                let slot = self.array(&target.name, elements, target.append, state);
                self.assign(state, &target.name, slot, target.append);
            }
        }
    }

    /// Whether an operand is an assignment as it is written. One with braces is a word like others.
    pub(crate) fn is_declared(&mut self, word: &Word) -> bool {
        is_assignment(word)
            && (split_assignment(word).is_some_and(|target| array_literal(&target.value).is_some())
                || !braces::has_live(&word.parts, self))
    }

    /// An operand that is an assignment as it is written: its value does not split.
    fn declare_written(
        &mut self,
        declaration: &Declaration,
        target: &Target,
        span: Span,
        state: &mut State,
    ) {
        let name = target.name.as_slice();
        if self.is_fixed(name, state) {
            self.expand_single(&target.value, state);
            return;
        }
        if declaration.global && self.is_local(name) {
            self.declare_outside(declaration, name, state, |machine, inner, outside| {
                machine.declare_written(inner, target, span, outside);
            });
            return;
        }
        let fresh = declaration.local && self.make_local(name, state);
        state
            .variables
            .update(name, |variable| variable.reference = false);
        declaration.mark_first(name, state);
        if let Some(elements) = array_literal(&target.value) {
            let slot = self.array(name, elements, target.append && !fresh, state);
            if fresh {
                hide_outer(name, state);
            }
            self.assign(state, name, slot, target.append);
        } else {
            let value = self.expand_single(&target.value, state);
            if fresh {
                hide_outer(name, state);
            }
            let known = state.variables.get(name);
            let lists = declaration.has(b'a')
                || declaration.has(b'A')
                || known.is_some_and(|it| matches!(it.slots.first(), Some(Slot::Array(_))));
            let head = value.known_prefix();
            match &target.subscript {
                // What it expands to is a list, and expanded as one again.
                None if lists && head.starts_with(b"(") && value.known_suffix().ends_with(b")") => {
                    let operator: &[u8] = if target.append { b"+=" } else { b"=" };
                    let mut text = Value::computed([name, operator].concat());
                    text.append(&value);
                    self.value_as_text(&text, span, state, &mut Io::default());
                }
                Some(subscript) => {
                    let subscript = Value::computed(subscript.as_slice());
                    let key = self.key(name, &subscript, span, state);
                    self.assign_element(state, name, key.as_deref(), value, target.append);
                }
                None => self.assign(state, name, Slot::Scalar(value), target.append),
            }
        }
        state
            .variables
            .update(name, |variable| declaration.mark(variable));
        let exported = |variable: &Variable| variable.exported;
        if state.variables.get(name).is_some_and(exported) {
            state.export(name);
        }
    }

    /// `declare -g` where a function has a local one of that name: what it shadows is declared.
    fn declare_outside(
        &mut self,
        declaration: &Declaration,
        name: &[u8],
        state: &State,
        declare: impl FnOnce(&mut Self, &Declaration, &mut State),
    ) {
        let mut outside = state.clone();
        self.show_global(name, &mut outside);
        let inner = Declaration {
            global: false,
            flags: declaration.flags.clone(),
            without: declaration.without.clone(),
            ..*declaration
        };
        declare(self, &inner, &mut outside);
        self.set_global(name, &outside);
    }

    /// An operand that is a name, or that only expansion made an assignment.
    fn declare_expanded(
        &mut self,
        declaration: &Declaration,
        text: &[u8],
        span: Span,
        state: &mut State,
    ) {
        let (name, value) = match text.iter().position(|byte| *byte == b'=') {
            Some(equals) => {
                let (name, value) = text.split_at(equals);
                (name, Some(value.get(1..).unwrap_or_default()))
            }
            None => (text, None),
        };
        if self.is_fixed(name, state) {
            return;
        }
        if declaration.global && self.is_local(name) {
            self.declare_outside(declaration, name, state, |machine, inner, outside| {
                machine.declare_expanded(inner, text, span, outside);
            });
            return;
        }
        let fresh = declaration.local && self.make_local(name, state);
        if value.is_some() {
            declaration.mark_first(name, state);
        }
        match value {
            // `declare -a 'name=(…)'`: an array literal in a quoted operand.
            Some([b'(', .., b')']) => {
                self.value_as_text(&Value::computed(text), span, state, &mut Io::default());
            }
            Some(value) => {
                if fresh {
                    hide_outer(name, state);
                }
                self.assign(state, name, Slot::Scalar(Value::computed(value)), false);
            }
            None if fresh => self.assign(state, name, Slot::Unset, false),
            None if (declaration.has(b'a') || declaration.has(b'A'))
                && !state.variables.contains(name) =>
            {
                self.assign(state, name, array(Vec::new()), false);
            }
            None => {}
        }
        let known = state.variables.get(name).cloned();
        let mut variable = known.unwrap_or_else(|| {
            let mut variable = Variable::new(Slot::Inherited);
            variable.own = false;
            variable
        });
        declaration.mark(&mut variable);
        if variable.exported && variable.own {
            state.export(name);
        }
        state.variables.insert(name, variable);
    }
}

/// A name that has just become local does not hold what it holds outside.
fn hide_outer(name: &[u8], state: &mut State) {
    state
        .variables
        .update(name, |variable| variable.slots = vec![Slot::Unset]);
}

/// `name=value` as an operand, split.
struct Target {
    name: Vec<u8>,
    subscript: Option<Vec<u8>>,
    append: bool,
    value: Word,
}

fn split_assignment(word: &Word) -> Option<Target> {
    let (first, rest) = word.parts.split_first()?;
    let Part::Literal(text) = first else {
        return None;
    };
    let equals = text.bytes.iter().position(|byte| *byte == b'=')?;
    let left = text.bytes.get(..equals)?;
    let append = left.last() == Some(&b'+');
    let left = if append {
        left.get(..left.len() - 1)?
    } else {
        left
    };
    let (name, subscript) = match left.iter().position(|byte| *byte == b'[') {
        Some(open) => (
            left.get(..open)?,
            Some(left.get(open + 1..left.len().checked_sub(1)?)?.to_vec()),
        ),
        None => (left, None),
    };
    let mut parts = Vec::new();
    let value = text.bytes.get(equals + 1..)?;
    if !value.is_empty() {
        parts.push(Part::Literal(crate::syntax::Text {
            bytes: value.to_vec(),
            at: text.at.saturating_add(u32::try_from(equals + 1).ok()?),
        }));
    }
    parts.extend(rest.iter().cloned());
    Some(Target {
        name: name.to_vec(),
        subscript,
        append,
        value: Word {
            parts,
            span: word.span,
        },
    })
}
