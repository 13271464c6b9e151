//! What a name gives: variables of the line, special parameters, the environment.

use std::rc::Rc;

use super::expand::join_words;
use super::parameter::PLACEHOLDER;
use crate::resolve::machine::Machine;
use crate::resolve::machine::state::{Slot, State, Stayed, unset};
use crate::syntax::Dialect;
use crate::value::{Origin, Piece, Value};

impl Machine<'_> {
    /// The possible value that the current command takes for a name.
    pub(crate) fn slot(&mut self, name: &[u8], state: &State) -> Slot {
        let name = self.target(name, state);
        if let Some(named) = named_commands(&name, state) {
            return named;
        }
        let picked = match state.variables.get(&name) {
            Some(variable) => match self.pick(&name, variable.slots.len()) {
                Some(index) => {
                    let slot = variable
                        .slots
                        .get(index)
                        .cloned()
                        .unwrap_or(Slot::Inherited);
                    // Copies of large values are work.
                    if let Slot::Scalar(value) = &slot
                        && !(self.spend(value.size() as u64 / 8)
                            && self.affords(value.size() as u64 * 4))
                    {
                        return Slot::Scalar(Value::unknown_words(Origin::Variable(name)));
                    }
                    slot
                }
                None => return variable.any(&name),
            },
            None => Slot::Inherited,
        };
        match picked {
            Slot::Inherited => match self.inherited(&name, state) {
                Some(value) => Slot::Scalar(value),
                None => Slot::Unset,
            },
            slot => slot,
        }
    }

    /// Follows `declare -n`.
    pub(crate) fn target(&mut self, name: &[u8], state: &State) -> Vec<u8> {
        let mut name = name.to_vec();
        for _ in 0..8 {
            let Some(variable) = state.variables.get(&name) else {
                break;
            };
            if !variable.reference || variable.doubtful && !self.is_declared_so(&name) {
                break;
            }
            match variable.slots.first() {
                Some(Slot::Scalar(value)) => match value.bytes() {
                    Some(target) if !target.is_empty() => name = target.into_owned(),
                    _ => break,
                },
                _ => break,
            }
        }
        name
    }

    /// Whether a name has the attributes that it may have, in the reading that the current command
    /// takes.
    fn is_declared_so(&mut self, name: &[u8]) -> bool {
        self.pick(&[b"declare ", name].concat(), 2) == Some(0)
    }

    /// What reading a descriptor gives, in the reading that the current command takes.
    pub(crate) fn descriptor_input(&mut self, number: u32, state: &State) -> Option<Rc<Value>> {
        let texts = state.descriptor_inputs(number);
        if let [] | [_] = texts.as_slice() {
            return texts.first().copied().cloned();
        }
        match self.pick(format!("<&{number}").as_bytes(), texts.len()) {
            Some(index) => texts.get(index).copied().cloned(),
            None => Some(Rc::new(Value::unknown_words(Origin::Other))),
        }
    }

    /// What `$name` gives.
    pub(crate) fn scalar(&mut self, name: &[u8], state: &State) -> Value {
        if let Some(value) = self.special(name, state) {
            return value;
        }
        self.slot(name, state).scalar(name)
    }

    /// What `$name` gives, unless the name is unset.
    pub(crate) fn set_scalar(&mut self, name: &[u8], state: &State) -> Option<Value> {
        match self.slot(name, state) {
            Slot::Unset | Slot::Inherited => None,
            slot => Some(slot.scalar(name)),
        }
    }

    /// Positional and special parameters, and placeholders.
    fn special(&mut self, name: &[u8], state: &State) -> Option<Value> {
        let text = std::str::from_utf8(name).ok()?;
        if let Some(index) = text.strip_prefix(PLACEHOLDER) {
            let unknown = self.placeholders.get(index.parse::<usize>().ok()?)?.clone();
            return Some(Value {
                pieces: vec![Piece::Unknown(unknown)],
                decoded: false,
            });
        }
        match text {
            "0" => Some(match &state.parameters.zero {
                Some(value) => value.clone(),
                // As whoever started the shell has called it.
                None => {
                    let by_path = self.pick(b"$0", 2) == Some(1);
                    Value::computed(match (self.dialect, by_path) {
                        (Dialect::Bash, false) => b"bash".as_slice(),
                        (Dialect::Bash, true) => b"/usr/bin/bash",
                        (Dialect::Zsh, false) => b"zsh",
                        (Dialect::Zsh, true) => b"/usr/bin/zsh",
                        (Dialect::PowerShell, _) => b"pwsh",
                        (Dialect::Cmd, _) => b"cmd",
                        (Dialect::Posix, false) => b"sh",
                        (Dialect::Posix, true) => b"/usr/bin/sh",
                    })
                }
            }),
            "#" => Some(if state.parameters.open {
                Value::unknown(Origin::Other)
            } else {
                Value::computed(state.parameters.values.len().to_string())
            }),
            "@" | "*" => Some(join_words(self.all_parameters(state))),
            "_" => Some((*state.last_argument).clone()),
            // Nobody started a job that the line shows.
            "!" if !self.has_started_job && self.pick(name, 2) == Some(1) => Some(unset(name)),
            "$" | "!" => Some(Value::unknown(Origin::Variable(name.to_vec()))),
            "?" | "-" => Some(Value::unknown(Origin::Other)),
            _ => {
                let index: usize = text.parse().ok()?;
                Some(match state.parameters.values.get(index.checked_sub(1)?) {
                    Some(value) => value.clone(),
                    None if state.parameters.open => {
                        Value::unknown_words(Origin::Variable(name.to_vec()))
                    }
                    None => unset(name),
                })
            }
        }
    }

    /// Where the shell is in the reading that the current command takes, if a `cd` failed in it.
    fn stayed_in<'s>(&mut self, state: &'s State) -> Option<&'s Stayed> {
        let stayed = &state.place.stayed;
        if stayed.is_empty() {
            return None;
        }
        let reading = self.pick(b"PWD", stayed.len() + 1)?;
        stayed.get(reading.checked_sub(1)?)
    }

    /// What the environment or the shell itself gives for a name that the line does not set.
    fn inherited(&mut self, name: &[u8], state: &State) -> Option<Value> {
        match name {
            b"PWD" => {
                let stayed = self.stayed_in(state).map(|(cwd, _)| cwd);
                return Some(stayed.unwrap_or(&state.place.cwd).clone());
            }
            b"OLDPWD" => {
                return match self.stayed_in(state) {
                    Some((_, previous)) => previous.clone(),
                    None => state.place.previous.clone(),
                };
            }
            b"HOME" => {
                if let Some(home) = self.world.variable(name).or_else(|| self.world.home(None)) {
                    return Some(Value::computed(home));
                }
            }
            // The shell sets it where nobody has.
            b"SHELL" => {
                let known = self.world.variable(name);
                return Some(Value::computed(
                    known.unwrap_or_else(|| b"/bin/sh".to_vec()),
                ));
            }
            b"BASH" => return Some(Value::computed(b"/bin/bash".as_slice())),
            b"IFS" => return Some(Value::computed(b" \t\n".as_slice())),
            b"OSTYPE" => return Some(Value::computed(b"linux-gnu".as_slice())),
            b"BASH_EXECUTION_STRING"
            | b"BASH_ARGV0"
            | b"BASH_COMPAT"
            | b"HISTCMD"
            | b"PS4"
            | b"OPTERR"
            | b"RANDOM"
            | b"SRANDOM"
            | b"SECONDS"
            | b"LINENO"
            | b"BASHPID"
            | b"EPOCHSECONDS"
            | b"EPOCHREALTIME"
            | b"UID"
            | b"EUID"
            | b"PPID"
            | b"BASH_VERSION"
            | b"HOSTNAME"
            | b"HOSTTYPE"
            | b"MACHTYPE"
            | b"SHLVL"
            | b"BASH_SUBSHELL"
            | b"OPTIND"
            | b"PATH"
            | b"PIPESTATUS"
            | b"FUNCNAME"
            | b"BASH_SOURCE"
            | b"BASH_LINENO"
            | b"BASH_COMMAND"
            | b"DIRSTACK"
            | b"GROUPS"
            | b"SHELLOPTS"
            | b"BASHOPTS" => {
                let known = self.world.variable(name).map(Value::computed);
                return Some(
                    known.unwrap_or_else(|| Value::unknown(Origin::Variable(name.to_vec()))),
                );
            }
            _ => {}
        }
        self.world.variable(name).map(Value::computed)
    }
}

/// `BASH_ALIASES` and `BASH_CMDS`: what the line's names call.
fn named_commands(array: &[u8], state: &State) -> Option<Slot> {
    let elements: Vec<(Vec<u8>, Value)> = match array {
        b"BASH_ALIASES" if !state.aliases.is_empty() => {
            let one = |(name, values): (&[u8], &Vec<Value>)| match values.as_slice() {
                [value] => (name.to_vec(), value.clone()),
                _ => (
                    name.to_vec(),
                    Value::unknown_words(Origin::Variable(array.to_vec())),
                ),
            };
            state.aliases.iter().map(one).collect()
        }
        b"BASH_CMDS" if !state.hashed.is_empty() => {
            let one = |(name, path): (&[u8], &Value)| (name.to_vec(), path.clone());
            state.hashed.iter().map(one).collect()
        }
        // Arrays that the shell sets, with elements that cannot be counted.
        b"BASH_REMATCH" | b"BASH_VERSINFO" | b"BASH_ARGV" | b"BASH_ARGC" | b"FUNCNAME"
        | b"BASH_SOURCE" | b"BASH_LINENO" | b"PIPESTATUS" | b"GROUPS"
            if !state.variables.get(array).is_some_and(|known| known.own) =>
        {
            let unknown = Value::unknown_words(Origin::Variable(array.to_vec()));
            vec![(b"0".to_vec(), unknown)]
        }
        b"DIRSTACK" if !state.place.stack.is_empty() => {
            let numbered = state.place.shown().into_iter().enumerate();
            numbered
                .map(|(index, directory)| (index.to_string().into_bytes(), directory))
                .collect()
        }
        _ => return None,
    };
    Some(Slot::Array(elements.into()))
}

/// Whether the text can be the name of a variable.
pub(crate) fn is_name(text: &[u8]) -> bool {
    text.first().is_some_and(|byte| !byte.is_ascii_digit())
        && text
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}
