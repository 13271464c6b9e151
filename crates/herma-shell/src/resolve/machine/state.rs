//! What the shell knows at one point: variables, functions, aliases, directory, files written so far.
//!
//! A name may have several possible values (branches, loops). Joining two states keeps both, up to
//! a bound; beyond it the value is unknown.

use std::rc::Rc;

use super::map::Map;
pub(crate) use super::place::{Place, Stayed};
use crate::resolve::files::contents::{Contents, join_file};
use crate::resolve::files::descriptors::MAX_DESCRIPTORS;
use crate::resolve::files::links::{Targets, join_targets};
use crate::source::Span;
use crate::syntax::Command;
use crate::value::{Origin, Value};

/// How many possible values of one name are kept apart.
pub(crate) const MAX_ALTERNATIVES: usize = 8;
/// How many elements of an array are kept apart.
pub(crate) const MAX_ELEMENTS: usize = 4096;

/// How many working directories are kept apart.
const MAX_PLACES: usize = 4;

/// How many exported variables are reported with each execution.
const MAX_EXPORTED: usize = 256;

/// One possible value of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    Unset,
    /// What the environment that the shell started with says.
    Inherited,
    Scalar(Value),
    /// Elements with their subscripts, in order.
    Array(Rc<Vec<(Vec<u8>, Value)>>),
}

impl Slot {
    /// An array of which no element is known.
    pub(crate) fn any_array(name: &[u8]) -> Self {
        let any = Value::unknown_words(Origin::Variable(name.to_vec()));
        Self::Array(Rc::new(vec![(b"0".to_vec(), any)]))
    }

    /// What `$name` gives.
    pub(crate) fn scalar(&self, name: &[u8]) -> Value {
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
pub(crate) fn unset(name: &[u8]) -> Value {
    Value {
        pieces: vec![crate::value::Piece::Unset(name.to_vec())],
        decoded: false,
    }
}

/// A variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Variable {
    /// Its possible values; never empty.
    pub(crate) slots: Vec<Slot>,
    /// In the environment of programs.
    pub(crate) exported: bool,
    /// Whether it is exported is not certain.
    pub(crate) maybe_exported: bool,
    /// `declare -n`: the value is another variable's name.
    pub(crate) reference: bool,
    /// `declare -A`: subscripts are text.
    pub(crate) associative: bool,
    /// `declare -i`: values are arithmetic.
    pub(crate) integer: bool,
    /// `declare -u`, `-l`: letters are folded to this case.
    pub(crate) fold: Option<Fold>,
    /// Whether it has these attributes is not certain.
    pub(crate) doubtful: bool,
    /// Set by the line, not by the world.
    pub(crate) own: bool,
    /// `readonly`: assignments change nothing.
    pub(crate) fixed: Fixed,
}

/// Whether a variable is `readonly`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fixed {
    No,
    Maybe,
    Yes,
}

impl Fixed {
    fn join(self, other: Self) -> Self {
        if self == other { self } else { Self::Maybe }
    }
}

impl Variable {
    pub(crate) fn new(slot: Slot) -> Self {
        Self {
            slots: vec![slot],
            exported: false,
            maybe_exported: false,
            reference: false,
            associative: false,
            integer: false,
            fold: None,
            doubtful: false,
            own: true,
            fixed: Fixed::No,
        }
    }

    /// In the environment of programs from here on, or no longer.
    pub(crate) fn set_exported(&mut self, exported: bool) {
        self.exported = exported;
        self.maybe_exported = false;
    }

    /// Whether joining the other would change nothing.
    pub(super) fn covers(&self, other: &Self) -> bool {
        (self.maybe_exported || self.exported == other.exported && !other.maybe_exported)
            && (self.reference || !other.reference)
            && (self.doubtful || (!other.doubtful && self.changes_alike(other)))
            && (self.own || !other.own)
            && self.fixed.join(other.fixed) == self.fixed
            && self.slots.len() <= MAX_ALTERNATIVES
            && other.slots.iter().all(|slot| self.slots.contains(slot))
    }

    /// Whether an attribute changes what is assigned.
    fn changes_values(&self) -> bool {
        self.integer || self.fold.is_some() || self.associative || self.reference
    }

    /// Whether the attributes change what is assigned in the same way.
    fn changes_alike(&self, other: &Self) -> bool {
        let changing = |v: &Self| (v.integer, v.fold, v.associative, v.reference);
        changing(self) == changing(other)
    }

    /// Adds the other's possible values; says whether anything is new.
    pub(crate) fn join(&mut self, other: &Self, name: &[u8]) -> bool {
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
        self.maybe_exported |= other.maybe_exported || self.exported != other.exported;
        self.exported |= other.exported;
        self.reference |= other.reference;
        self.doubtful |= other.doubtful || !self.changes_alike(other);
        self.integer |= other.integer;
        self.associative |= other.associative;
        self.fold = self.fold.or(other.fold);
        self.own |= other.own;
        self.fixed = self.fixed.join(other.fixed);
        changed
    }
}

/// Case attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fold {
    Upper,
    Lower,
}

/// Variables by name.
pub(crate) type Variables = Map<Variable>;

/// Positional parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parameters {
    /// `$0`
    pub(crate) zero: Option<Value>,
    /// `$1` and on.
    pub(crate) values: Vec<Value>,
    /// Further ones may follow, and these may be others.
    pub(crate) open: bool,
}

/// What taking in another possible state came to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Joined {
    /// Something was new.
    pub(crate) changed: bool,
    /// How many entries were looked at.
    pub(crate) work: usize,
    /// Nothing that is possible was left out.
    pub(crate) complete: bool,
}

/// What a descriptor is open on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Descriptor {
    /// Text to read.
    Input(Rc<Value>),
    /// A file to write, absolute path.
    Output(Vec<u8>),
    /// Nothing, in some reading of the line.
    Closed,
}

/// What a name may call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Function {
    /// Its possible bodies.
    pub(crate) bodies: Vec<Rc<Command>>,
    /// In some reading the name is no function.
    pub(crate) maybe: bool,
    /// There are more bodies than are kept.
    pub(crate) more: bool,
}

/// The state.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) variables: Variables,
    pub(crate) functions: Map<Function>,
    pub(crate) aliases: Map<Vec<Value>>,
    /// Names that programs get in their environment and that the line sets.
    pub(crate) exported: Rc<Vec<Vec<u8>>>,
    /// There are more of these names than are kept.
    pub(crate) more_exported: bool,
    /// `hash -p path name`
    pub(crate) hashed: Map<Value>,
    /// Symbolic links that the line made: absolute paths and what they lead to.
    pub(crate) links: Map<Targets>,
    /// Contents of files that the line wrote, by absolute path.
    pub(crate) files: Map<Contents>,
    pub(crate) parameters: Rc<Parameters>,
    /// Descriptors that `exec` opened.
    pub(crate) descriptors: Rc<Vec<(u32, Descriptor)>>,
    pub(crate) place: Rc<Place>,
    /// Other directories that the shell may be in instead; a command runs in one of them.
    pub(crate) elsewhere: Vec<Rc<Place>>,
    /// `$_`
    pub(crate) last_argument: Rc<Value>,
    /// How many letters of the current word `getopts` has read.
    pub(crate) option_letters: usize,
    /// The shell has left this path (`exit`, `return`, `break`, …).
    pub(crate) left: bool,
    /// What may run in front of each command (`trap text DEBUG`, `trap text ERR`).
    pub(crate) before_each: Option<Rc<(Value, Span)>>,
    /// `shopt -s nullglob`: a pattern that matches nothing is no word.
    pub(crate) null_glob: bool,
    /// `set -a`: what is assigned is in the environment of programs.
    pub(crate) all_exported: bool,
    /// `set -C`: what is there is not written over.
    pub(crate) no_clobber: bool,
    /// `set -u`, in some reading: a command with a name that is unset does not run.
    pub(crate) no_unset: bool,
    /// `set -o posix`
    pub(crate) posix: bool,
    /// Whether they are is not certain.
    pub(crate) maybe_all_exported: bool,
    /// `shopt -s globstar`: `**/` stands for any number of directories.
    pub(crate) any_depth: bool,
    /// zsh with `SH_WORD_SPLIT`: parameters are split as in other shells.
    pub(crate) splits_words: bool,
    /// zsh with `EXTENDED_GLOB`: `^`, `~` and `#` are patterns.
    pub(crate) extended_glob: bool,
    /// `shopt -s lastpipe`: the last command of a pipeline runs in the current shell.
    pub(crate) last_pipe: bool,
}

impl State {
    pub(crate) fn new(cwd: Value) -> Self {
        Self {
            variables: Map::default(),
            functions: Map::default(),
            aliases: Map::default(),
            exported: Rc::default(),
            more_exported: false,
            hashed: Map::default(),
            links: Map::default(),
            files: Map::default(),
            parameters: Rc::default(),
            descriptors: Rc::default(),
            place: Rc::new(Place {
                cwd,
                stayed: Vec::new(),
                previous: None,
                stack: Vec::new(),
            }),
            elsewhere: Vec::new(),
            // As whoever started the shell has called it.
            last_argument: Rc::new(Value::unknown(Origin::Variable(b"_".to_vec()))),
            option_letters: 0,
            left: false,
            before_each: None,
            null_glob: false,
            all_exported: false,
            no_clobber: false,
            no_unset: false,
            posix: false,
            maybe_all_exported: false,
            any_depth: false,
            splits_words: false,
            extended_glob: false,
            last_pipe: false,
        }
    }

    /// Notes that programs get this variable of the line.
    pub(crate) fn export(&mut self, name: &[u8]) {
        if self.exported.iter().any(|known| known == name) {
            return;
        }
        if self.exported.len() < MAX_EXPORTED {
            Rc::make_mut(&mut self.exported).push(name.to_vec());
        } else {
            self.more_exported = true;
        }
    }

    /// Files and links as a process leaves them that has ended; all else was its own.
    pub(crate) fn keep_files(&mut self, process: &Self) {
        self.files = process.files.clone();
        self.links = process.links.clone();
    }

    /// Takes in the directories of another state; says whether one is new.
    pub(crate) fn join_places(&mut self, other: &Self) -> bool {
        let mut changed = false;
        for place in std::iter::once(&other.place).chain(&other.elsewhere) {
            let mut own = std::iter::once(&mut self.place).chain(&mut self.elsewhere);
            match own.find(|own| own.cwd == place.cwd) {
                Some(own) if Rc::ptr_eq(own, place) => {}
                Some(own) => Rc::make_mut(own).join(place),
                None => {
                    self.elsewhere.push(Rc::clone(place));
                    changed = true;
                }
            }
        }
        if self.elsewhere.len() >= MAX_PLACES {
            self.blur_place();
        }
        changed
    }

    /// Forgets where the shell is.
    pub(crate) fn blur_place(&mut self) {
        let others = std::mem::take(&mut self.elsewhere);
        let place = Rc::make_mut(&mut self.place);
        for other in others {
            place.join(&other);
        }
        place.cwd = Value::unknown(Origin::Variable(b"PWD".to_vec()));
    }

    /// Whether nothing has changed since, as far as what runs next can see.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.variables.is_same(&other.variables)
            && self.functions.is_same(&other.functions)
            && self.aliases.is_same(&other.aliases)
            && self.hashed.is_same(&other.hashed)
            && self.links.is_same(&other.links)
            && self.files.is_same(&other.files)
            && (Rc::ptr_eq(&self.descriptors, &other.descriptors)
                || self.descriptors == other.descriptors)
            && (Rc::ptr_eq(&self.place, &other.place) || self.place == other.place)
            && self.elsewhere == other.elsewhere
    }

    /// Takes in another possible state.
    pub(crate) fn join(&mut self, other: &Self) -> Joined {
        let mut changed = false;
        let mut work = 1;
        let mut complete = true;
        if other.left && !self.left {
            return Joined {
                changed,
                work,
                complete,
            };
        }
        if self.left && !other.left {
            *self = other.clone();
            changed = true;
            return Joined {
                changed,
                work,
                complete,
            };
        }
        for key in self.variables.differing(&other.variables) {
            work += 1;
            changed |= join_variable(&mut self.variables, other.variables.get(&key), &key);
        }
        for key in self.functions.differing(&other.functions) {
            work += 1;
            changed |= join_function(&mut self.functions, other.functions.get(&key), &key);
        }
        for key in self.aliases.differing(&other.aliases) {
            work += 1;
            let mut known = self.aliases.get(&key).cloned().unwrap_or_default();
            for value in other.aliases.get(&key).into_iter().flatten() {
                if known.contains(value) || known.len() > MAX_ALTERNATIVES {
                    continue;
                }
                // One text that cannot be known stands for all that are too many.
                known.push(if known.len() < MAX_ALTERNATIVES {
                    value.clone()
                } else {
                    Value::unknown_words(Origin::Other)
                });
                changed = true;
            }
            self.aliases.insert(&key, known);
        }
        for key in self.links.differing(&other.links) {
            work += 1;
            if let Some(targets) = other.links.get(&key) {
                let mut own = self.links.get(&key).cloned().unwrap_or_default();
                changed |= join_targets(&mut own, targets);
                self.links.insert(&key, own);
            }
        }
        for key in self.hashed.differing(&other.hashed) {
            work += 1;
            match (self.hashed.get(&key), other.hashed.get(&key)) {
                (Some(_), Some(_)) => self
                    .hashed
                    .insert(&key, Value::unknown(Origin::Variable(key.to_vec()))),
                (None, Some(value)) => self.hashed.insert(&key, value.clone()),
                _ => {}
            }
        }
        for key in self.files.differing(&other.files) {
            let (new, bytes) = join_file(&mut self.files, other.files.get(&key), &key);
            work += 1 + bytes / 256;
            changed |= new;
        }
        for name in other.exported.iter() {
            self.export(name);
        }
        self.more_exported |= other.more_exported;
        if !Rc::ptr_eq(&self.parameters, &other.parameters) && self.parameters != other.parameters {
            let own = Rc::make_mut(&mut self.parameters);
            changed |= !own.open;
            let length = own.values.len().max(other.parameters.values.len());
            own.values = (1..=length)
                .map(|index| Value::unknown_words(Origin::Variable(index.to_string().into_bytes())))
                .collect();
            own.open = true;
        }
        changed |= self.join_places(other);
        if self.last_argument != other.last_argument {
            self.last_argument = Rc::new(Value::unknown_words(Origin::Variable(b"_".to_vec())));
        }
        if !Rc::ptr_eq(&self.descriptors, &other.descriptors) {
            work += self.descriptors.len() + other.descriptors.len();
            let only = |here: &Self, there: &Self| -> Vec<(u32, Descriptor)> {
                let numbers = here.descriptors.iter().map(|(number, _)| *number);
                let only = numbers.filter(|number| there.descriptor(*number).is_none());
                only.map(|number| (number, Descriptor::Closed)).collect()
            };
            let mut added: Vec<_> = only(self, other);
            added.extend(only(other, self));
            added.extend(other.descriptors.iter().cloned());
            for (number, descriptor) in added {
                if self.descriptors.contains(&(number, descriptor.clone())) {
                    continue;
                }
                if self.descriptors.len() < 2 * MAX_DESCRIPTORS {
                    Rc::make_mut(&mut self.descriptors).push((number, descriptor));
                } else {
                    complete = false;
                }
            }
        }
        if self.option_letters != other.option_letters {
            // Beyond every word: what the next option is cannot be known.
            self.option_letters = usize::MAX;
        }
        self.last_pipe |= other.last_pipe;
        if self.before_each.is_none() {
            self.before_each.clone_from(&other.before_each);
        }
        self.null_glob |= other.null_glob;
        self.maybe_all_exported |=
            other.maybe_all_exported || self.all_exported != other.all_exported;
        self.all_exported |= other.all_exported;
        self.no_clobber |= other.no_clobber;
        self.no_unset |= other.no_unset;
        self.posix |= other.posix;
        self.any_depth |= other.any_depth;
        self.splits_words |= other.splits_words;
        self.extended_glob |= other.extended_glob;
        Joined {
            changed,
            work,
            complete,
        }
    }
}

fn join_function(own: &mut Map<Function>, other: Option<&Function>, name: &[u8]) -> bool {
    match (own.get(name).cloned(), other) {
        (Some(mut known), Some(function)) => {
            let before = known.bodies.len();
            known.maybe |= function.maybe;
            for body in &function.bodies {
                if !known.bodies.iter().any(|own| Rc::ptr_eq(own, body)) {
                    known.bodies.push(Rc::clone(body));
                }
            }
            known.more |= function.more || known.bodies.len() > MAX_ALTERNATIVES;
            known.bodies.truncate(MAX_ALTERNATIVES);
            let changed = known.bodies.len() > before;
            own.insert(name, known);
            changed
        }
        (Some(mut known), None) => {
            known.maybe = true;
            own.insert(name, known);
            false
        }
        (None, Some(function)) => {
            own.insert(
                name,
                Function {
                    maybe: true,
                    ..function.clone()
                },
            );
            true
        }
        (None, None) => false,
    }
}

fn join_variable(own: &mut Variables, other: Option<&Variable>, name: &[u8]) -> bool {
    let (known, changed) = match (own.get(name), other) {
        (Some(known), Some(variable)) if known.covers(variable) => return false,
        (Some(known), Some(variable)) => {
            let mut known = known.clone();
            let changed = known.join(variable, name);
            (known, changed)
        }
        // Only one side has set it: on the other it is as it was before the line.
        (Some(known), None)
            if known.slots.contains(&Slot::Inherited)
                && (known.doubtful || !known.changes_values())
                && known.exported == known.maybe_exported
                && known.fixed != Fixed::Yes =>
        {
            return false;
        }
        (Some(variable), None) | (None, Some(variable)) => {
            let mut known = variable.clone();
            known.maybe_exported |= known.exported;
            known.doubtful |= known.changes_values();
            known.fixed = known.fixed.join(Fixed::No);
            if !known.slots.contains(&Slot::Inherited) {
                known.slots.push(Slot::Inherited);
            }
            (known, true)
        }
        (None, None) => return false,
    };
    own.insert(name, known);
    changed
}
