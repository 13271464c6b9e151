//! Cmdlets as the programs that have the same effect.

mod bind;
mod files;
mod others;
mod paths;

use crate::carriers::{Command, Payload, Step};
use crate::execution::{Arg, Host, Via};
use crate::source::Span;
use crate::value::Value;

pub(crate) use bind::Bound;

/// What a cmdlet does, as programs; `None` for a word that is no such cmdlet.
pub(crate) fn carry(name: &str, command: &Command<'_>) -> Option<Vec<Step>> {
    let lower = name.to_ascii_lowercase();
    if !lower.contains('-') && lower != "iex" {
        return None;
    }
    let spec = bind::spec(&lower)?;
    let bound = Bound::new(command.argv, spec);
    if bound.has("whatif") || bound.has("?") {
        return Some(Vec::new());
    }
    let call = Call {
        name,
        command: *command,
        bound,
    };
    files::carry(&lower, &call).or_else(|| others::carry(&lower, &call))
}

/// A cmdlet with its parameters.
struct Call<'a> {
    name: &'a str,
    command: Command<'a>,
    bound: Bound,
}

impl Call<'_> {
    fn span(&self) -> Span {
        self.command
            .argv
            .first()
            .map_or_else(Span::default, |arg| arg.span)
    }

    fn word(&self, text: &str) -> Arg {
        Arg {
            value: Value::computed(text.as_bytes()),
            span: self.span(),
        }
    }

    fn step(&self, payload: Payload) -> Step {
        self.step_as(self.name, payload)
    }

    fn step_as(&self, name: &str, payload: Payload) -> Step {
        let host = if self.bound.has("computername") || self.bound.has("cimsession") {
            Host::Remote
        } else {
            Host::Local
        };
        Step {
            via: Via {
                name: name.to_owned(),
                host,
            },
            payload,
            prints: true,
        }
    }

    /// A program with these words in front of others.
    fn runs(&self, words: &[&str], rest: Vec<Arg>) -> Step {
        self.step(self.argv(words, rest))
    }

    fn argv(&self, words: &[&str], rest: Vec<Arg>) -> Payload {
        let mut all: Vec<Arg> = words.iter().map(|word| self.word(word)).collect();
        all.extend(rest);
        Payload::Argv {
            words: all,
            environment: Vec::new(),
            cwd: None,
            input_taken: false,
        }
    }
}
