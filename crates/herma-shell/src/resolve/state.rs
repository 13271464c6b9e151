//! What the shell knows at one point: variables, functions, aliases, directory, files written so far.
//!
//! A name may have several possible values (branches, loops). Joining two states keeps both, up to
//! a bound; beyond it the value is unknown.

use std::collections::HashMap;
use std::rc::Rc;

use crate::syntax::Command;
use crate::value::{Origin, Value};

/// How many possible values of one name are kept apart.
pub(super) const MAX_ALTERNATIVES: usize = 8;
/// How many elements of an array are kept apart.
pub(super) const MAX_ELEMENTS: usize = 4096;

/// How many exported variables are reported with each execution.
const MAX_EXPORTED: usize = 64;

/// One possible value of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    Unset,
    /// What the environment that the shell started with says.
    Inherited,
    Scalar(Value),
    /// Elements with their subscripts, in order.
    Array(Rc<Vec<(Vec<u8>, Value)>>),
}

impl Slot {
    /// What `$name` gives.
    pub(super) fn scalar(&self, name: &[u8]) -> Value {
        match self {
            Self::Unset | Self::Inherited => unset(name),
            Self::Scalar(value) => value.clone(),
            Self::Array(elements) => elements
                .iter()
                .find(|(key, _)| key.as_slice() == b"0")
                .map_or_else(|| unset(name), |(_, value)| value.clone()),
        }
    }
}

/// The value of a name that nobody set.
pub(super) fn unset(name: &[u8]) -> Value {
    Value {
        pieces: vec![crate::value::Piece::Unset(name.to_vec())],
        decoded: false,
    }
}

/// A variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Variable {
    /// Its possible values; never empty.
    pub(super) slots: Vec<Slot>,
    /// In the environment of programs.
    pub(super) exported: bool,
    /// `declare -n`: the value is another variable's name.
    pub(super) reference: bool,
    /// `declare -i`: values are arithmetic.
    pub(super) integer: bool,
    /// Set by the line, not by the world.
    pub(super) own: bool,
}

impl Variable {
    pub(super) fn new(slot: Slot) -> Self {
        Self {
            slots: vec![slot],
            exported: false,
            reference: false,
            integer: false,
            own: true,
        }
    }

    /// Adds the other's possible values; says whether anything is new.
    pub(super) fn join(&mut self, other: &Self, name: &[u8]) -> bool {
        let mut changed = false;
        for slot in &other.slots {
            if !self.slots.contains(slot) {
                self.slots.push(slot.clone());
                changed = true;
            }
        }
        if self.slots.len() > MAX_ALTERNATIVES {
            self.widen(name);
        }
        self.exported |= other.exported;
        self.reference |= other.reference;
        self.integer |= other.integer;
        self.own |= other.own;
        changed
    }

    /// Forgets the possible values.
    pub(super) fn widen(&mut self, name: &[u8]) {
        self.slots = vec![Slot::Scalar(Value::unknown_words(Origin::Variable(
            name.to_vec(),
        )))];
    }
}

/// Variables by name.
pub(super) type Variables = HashMap<Vec<u8>, Variable>;

/// Positional parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Parameters {
    /// `$0`
    pub(super) zero: Option<Value>,
    /// `$1` and on.
    pub(super) values: Vec<Value>,
    /// Further ones may follow, and these may be others.
    pub(super) open: bool,
}

/// What a name may call.
#[derive(Clone, Debug, Default)]
pub(super) struct Function {
    /// Its possible bodies.
    pub(super) bodies: Vec<Rc<Command>>,
    /// In some reading the name is no function.
    pub(super) maybe: bool,
}

/// The state.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) variables: Rc<Variables>,
    pub(super) functions: Rc<HashMap<Vec<u8>, Function>>,
    pub(super) aliases: Rc<HashMap<Vec<u8>, Vec<Value>>>,
    /// Names that programs get in their environment and that the line sets.
    pub(super) exported: Rc<Vec<Vec<u8>>>,
    /// `hash -p path name`
    pub(super) hashed: Rc<HashMap<Vec<u8>, Value>>,
    /// Contents of files that the line wrote, by absolute path.
    pub(super) files: Rc<HashMap<Vec<u8>, Value>>,
    pub(super) parameters: Rc<Parameters>,
    pub(super) cwd: Value,
    pub(super) previous_cwd: Option<Value>,
    pub(super) directories: Vec<Value>,
    /// `$_`
    pub(super) last_argument: Value,
    /// The shell has left this path (`exit`, `return`, `break`, …).
    pub(super) left: bool,
    /// `shopt -s lastpipe`: the last command of a pipeline runs in the current shell.
    pub(super) last_pipe: bool,
}

impl State {
    pub(super) fn new(cwd: Value) -> Self {
        Self {
            variables: Rc::default(),
            functions: Rc::default(),
            aliases: Rc::default(),
            exported: Rc::default(),
            hashed: Rc::default(),
            files: Rc::default(),
            parameters: Rc::default(),
            cwd,
            previous_cwd: None,
            directories: Vec::new(),
            last_argument: Value::empty(),
            left: false,
            last_pipe: false,
        }
    }

    /// Notes that programs get this variable of the line.
    pub(super) fn export(&mut self, name: &[u8]) {
        if self.exported.len() < MAX_EXPORTED && !self.exported.iter().any(|known| known == name) {
            Rc::make_mut(&mut self.exported).push(name.to_vec());
        }
    }

    /// Takes in another possible state; says whether anything is new, and the work done.
    pub(super) fn join(&mut self, other: &Self) -> (bool, usize) {
        if other.left && !self.left {
            return (false, 1);
        }
        if self.left && !other.left {
            *self = other.clone();
            return (true, 1);
        }
        let mut changed = false;
        let mut work = 1;
        if !Rc::ptr_eq(&self.variables, &other.variables) {
            work += self.variables.len() + other.variables.len();
            changed |= join_variables(&mut self.variables, &other.variables);
        }
        if !Rc::ptr_eq(&self.functions, &other.functions) {
            work += other.functions.len();
            changed |= join_functions(&mut self.functions, &other.functions);
        }
        if !Rc::ptr_eq(&self.aliases, &other.aliases) {
            work += other.aliases.len();
            for (name, values) in other.aliases.iter() {
                for value in values {
                    if !self
                        .aliases
                        .get(name)
                        .is_some_and(|known| known.contains(value))
                    {
                        let known = Rc::make_mut(&mut self.aliases)
                            .entry(name.clone())
                            .or_default();
                        if known.len() < MAX_ALTERNATIVES {
                            known.push(value.clone());
                        }
                        changed = true;
                    }
                }
            }
        }
        for name in other.exported.iter() {
            self.export(name);
        }
        if !Rc::ptr_eq(&self.hashed, &other.hashed) {
            work += other.hashed.len();
            for (name, value) in other.hashed.iter() {
                if self.hashed.get(name) != Some(value) {
                    Rc::make_mut(&mut self.hashed).insert(name.clone(), value.clone());
                }
            }
        }
        if !Rc::ptr_eq(&self.files, &other.files) {
            work += other.files.len();
            for (path, content) in other.files.iter() {
                match self.files.get(path) {
                    Some(own) if own == content => {}
                    Some(own) => {
                        let mut both = own.clone();
                        both.push_text(b"\n", None);
                        both.append(content);
                        if both.pieces.len() < 64 {
                            Rc::make_mut(&mut self.files).insert(path.clone(), both);
                        }
                    }
                    None => {
                        Rc::make_mut(&mut self.files).insert(path.clone(), content.clone());
                        changed = true;
                    }
                }
            }
        }
        if !Rc::ptr_eq(&self.parameters, &other.parameters) && self.parameters != other.parameters {
            let own = Rc::make_mut(&mut self.parameters);
            changed |= !own.open;
            let length = own.values.len().max(other.parameters.values.len());
            own.values = (1..=length)
                .map(|index| Value::unknown_words(Origin::Variable(index.to_string().into_bytes())))
                .collect();
            own.open = true;
        }
        if self.cwd != other.cwd && !self.cwd.any_unknown(|_| true) {
            self.cwd = Value::unknown(Origin::Variable(b"PWD".to_vec()));
            changed = true;
        }
        if self.last_argument != other.last_argument {
            self.last_argument = Value::unknown_words(Origin::Variable(b"_".to_vec()));
        }
        self.last_pipe |= other.last_pipe;
        (changed, work)
    }
}

fn join_functions(
    own: &mut Rc<HashMap<Vec<u8>, Function>>,
    other: &HashMap<Vec<u8>, Function>,
) -> bool {
    let mut changed = false;
    let own = Rc::make_mut(own);
    for (name, function) in own.iter_mut() {
        function.maybe |= !other.contains_key(name);
    }
    for (name, function) in other {
        match own.get_mut(name) {
            None => {
                own.insert(
                    name.clone(),
                    Function {
                        maybe: true,
                        ..function.clone()
                    },
                );
                changed = true;
            }
            Some(known) => {
                known.maybe |= function.maybe;
                for body in &function.bodies {
                    if !known.bodies.iter().any(|own| Rc::ptr_eq(own, body)) {
                        known.bodies.push(Rc::clone(body));
                        changed = true;
                    }
                }
                known.bodies.truncate(MAX_ALTERNATIVES);
            }
        }
    }
    changed
}

fn join_variables(own: &mut Rc<Variables>, other: &Variables) -> bool {
    let mut changed = false;
    for (name, variable) in other {
        match own.get(name) {
            Some(known) if known == variable => {}
            Some(_) => {
                if let Some(known) = Rc::make_mut(own).get_mut(name) {
                    changed |= known.join(variable, name);
                }
            }
            None => {
                let mut variable = variable.clone();
                if !variable.slots.contains(&Slot::Inherited) {
                    variable.slots.push(Slot::Inherited);
                }
                Rc::make_mut(own).insert(name.clone(), variable);
                changed = true;
            }
        }
    }
    let missing: Vec<Vec<u8>> = own
        .iter()
        .filter(|(name, variable)| {
            !other.contains_key(*name) && !variable.slots.contains(&Slot::Inherited)
        })
        .map(|(name, _)| name.clone())
        .collect();
    for name in missing {
        if let Some(variable) = Rc::make_mut(own).get_mut(&name) {
            variable.slots.push(Slot::Inherited);
            changed = true;
        }
    }
    changed
}
