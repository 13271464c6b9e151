//! The command at hand, changed so that it does less harm.
//!
//! A rule holds one way a line, `PATTERN => WORDS`; the first whose pattern names the command is
//! taken. A pattern is a program and its subcommand words, alternatives with `|`. The words stand in
//! place of the subcommand; the program, what carries it and the options in front of the subcommand
//! stay as they were typed. Among the words can be
//!
//! - `{rest -f|--force}`: every word behind the subcommand, without these options;
//! - `{options -f|--force}`: the same, and there are no operands;
//! - `{operands}`: the operands, of which there is at least one;
//! - `{closed}`: every word, of which the first operand is an octal mode, here without writing for
//!   group and others;
//! - `{example}`: every word, each name of a `.env` file with `.example` behind it.
//!
//! There is no suggestion when a word cannot be known, or when something between the typed line
//! and the program reads the words anew. The guard keeps those that pass.

use herma_shell::path::base_name;
use herma_shell::spelling::quoted;
use herma_shell::{Execution, Reach, Value};

use crate::arguments::Arguments;

/// Carriers that hand their words on as they are.
const DIRECT: &[&str] = &[
    "chrt", "command", "doas", "env", "exec", "ionice", "nice", "nohup", "setsid", "stdbuf",
    "sudo", "taskset", "time", "timeout",
];

/// The suggestion for one of the executions of a text.
pub(crate) fn fitted(
    ways: &str,
    text: &[u8],
    executions: &[Execution],
    index: usize,
) -> Option<String> {
    let execution = executions.get(index)?;
    let typed = typed(executions, execution).filter(|typed| is_whole(text, typed))?;
    let program = execution.program()?;
    let program = std::str::from_utf8(&program).ok()?;
    let arguments = Arguments::read(program, &execution.argv);
    let mut found = None;
    for way in ways.lines() {
        let (pattern, words) = way.split_once(" => ")?;
        if let Some(command) = Command::matching(pattern, program, execution, &arguments) {
            found = Some((command, words));
            break;
        }
    }
    let (command, words) = found?;
    let carried = typed
        .argv
        .len()
        .checked_sub(execution.argv.len())
        .and_then(|carriers| typed.argv.get(..carriers))?;
    let mut out: Vec<Vec<u8>> = Vec::new();
    for word in carried.iter().map(|arg| &arg.value) {
        out.push(plain(word)?);
    }
    for at in 0..command.behind {
        if !command.taken.contains(&at) {
            out.push(command.word(at)?);
        }
    }
    command.write(words, &mut out)?;
    String::from_utf8(out.join(&b' ')).ok()
}

/// The execution as the line's own shell starts it: the command itself, or the outermost carrier
/// in front of it.
fn typed<'a>(executions: &'a [Execution], execution: &'a Execution) -> Option<&'a Execution> {
    let whole = if execution.via.is_empty() {
        execution
    } else if execution
        .via
        .iter()
        .all(|via| via.host.is_local() && DIRECT.contains(&via.name.as_str()))
    {
        executions
            .iter()
            .find(|outer| outer.via.is_empty() && outer.argv.ends_with(&execution.argv))?
    } else {
        return None;
    };
    // What stands in front of the program belongs to what the user typed: an assignment, say.
    let bare = whole.span.start == whole.at;
    (bare && whole.reach != Reach::Script).then_some(whole)
}

/// Whether every word that was typed is in the argv: one that is empty when it runs now may be one
/// then.
fn is_whole(text: &[u8], execution: &Execution) -> bool {
    let mut end = execution.at as usize;
    for arg in &execution.argv {
        let (start, next) = (arg.span.start as usize, arg.span.end as usize);
        let between = text.get(end..start).unwrap_or_default();
        if !between.iter().all(|byte| b" \t\\\n".contains(byte)) {
            return false;
        }
        end = end.max(next);
    }
    let behind = text.get(end..execution.span.end as usize);
    !behind
        .unwrap_or_default()
        .iter()
        .any(|byte| b"$`".contains(byte))
}

/// A word that is known, as one would write it.
fn plain(value: &Value) -> Option<Vec<u8>> {
    if value.has_unset() {
        return None;
    }
    value.spelled()
}

/// A command that a pattern names.
struct Command<'a> {
    execution: &'a Execution,
    arguments: &'a Arguments<'a>,
    /// Indices of the subcommand's words.
    taken: Vec<usize>,
    /// Index of the first word behind the subcommand, or behind the program.
    behind: usize,
}

impl<'a> Command<'a> {
    fn matching(
        pattern: &str,
        program: &str,
        execution: &'a Execution,
        arguments: &'a Arguments<'a>,
    ) -> Option<Self> {
        let mut words = pattern.split(' ');
        if !words.next()?.split('|').any(|name| name == program) {
            return None;
        }
        let mut taken = Vec::new();
        for (word, at) in words.zip(
            arguments
                .operands
                .iter()
                .copied()
                .chain(std::iter::repeat(0)),
        ) {
            let own = arguments.words.get(at).filter(|_| at > 0)?.as_deref()?;
            if !word.split('|').any(|name| name.as_bytes() == own) {
                return None;
            }
            taken.push(at);
        }
        Some(Self {
            execution,
            arguments,
            behind: taken.first().map_or(1, |first| first + 1),
            taken,
        })
    }

    fn word(&self, at: usize) -> Option<Vec<u8>> {
        plain(&self.execution.argv.get(at)?.value)
    }

    /// Indices of the words behind the subcommand.
    fn rest(&self) -> impl Iterator<Item = usize> {
        (self.behind..self.execution.argv.len()).filter(|at| !self.taken.contains(at))
    }

    /// Indices of the operands behind the subcommand.
    fn operands(&self) -> &[usize] {
        self.arguments
            .operands
            .get(self.taken.len()..)
            .unwrap_or_default()
    }

    /// Writes a way's words.
    fn write(&self, words: &str, out: &mut Vec<Vec<u8>>) -> Option<()> {
        let mut rest = words;
        while !rest.is_empty() {
            let end = match rest.strip_prefix('{') {
                Some(inside) => inside.find('}')? + 2,
                None => rest.find(' ').unwrap_or(rest.len()),
            };
            let (word, tail) = rest.split_at_checked(end)?;
            match word.strip_prefix('{').and_then(|it| it.strip_suffix('}')) {
                Some(place) => self.fill(place, out)?,
                None => out.push(word.as_bytes().to_vec()),
            }
            rest = tail.trim_start();
        }
        Some(())
    }

    fn fill(&self, place: &str, out: &mut Vec<Vec<u8>>) -> Option<()> {
        let (name, options) = place.split_once(' ').unwrap_or((place, ""));
        let options: Vec<&str> = options.split('|').filter(|it| !it.is_empty()).collect();
        match name {
            "rest" => self.without(&options, out),
            "options" if self.operands().is_empty() => self.without(&options, out),
            "operands" if !self.operands().is_empty() => {
                for at in self.operands() {
                    out.push(self.word(*at)?);
                }
                Some(())
            }
            "closed" => self.each(out, |this, at| {
                if this.operands().first() == Some(&at) {
                    return closed(&this.execution.argv.get(at)?.value.bytes()?);
                }
                this.word(at)
            }),
            "example" => self.each(out, |this, at| {
                let mut word = this.word(at)?;
                let value = this.execution.argv.get(at)?.value.bytes()?;
                if this.operands().contains(&at) && names_environment(&value) {
                    if word.last() == Some(&b'\'') {
                        word = quoted(&[&*value, b".example"].concat());
                    } else {
                        word.extend_from_slice(b".example");
                    }
                }
                Some(word)
            }),
            _ => None,
        }
    }

    fn each(
        &self,
        out: &mut Vec<Vec<u8>>,
        word: impl Fn(&Self, usize) -> Option<Vec<u8>>,
    ) -> Option<()> {
        for at in self.rest() {
            out.push(word(self, at)?);
        }
        Some(())
    }

    /// The words behind the subcommand without these options. Their letters leave their bundles.
    fn without(&self, options: &[&str], out: &mut Vec<Vec<u8>>) -> Option<()> {
        for at in self.rest() {
            let Some(given) = self.arguments.given(at, options)? else {
                out.push(self.word(at)?);
                continue;
            };
            if !given.is_empty() {
                out.push(quoted(&given));
            }
        }
        Some(())
    }
}

/// An octal mode without writing for group and others.
fn closed(mode: &[u8]) -> Option<Vec<u8>> {
    let octal = |byte: &u8| (b'0'..=b'7').contains(byte);
    if !(3..=4).contains(&mode.len()) || !mode.iter().all(octal) {
        return None;
    }
    let (head, tail) = mode.split_at_checked(mode.len() - 2)?;
    let mut out = head.to_vec();
    out.extend(tail.iter().map(|digit| digit & !2));
    Some(out)
}

/// Whether a path's last part is `.env` or begins with `.env.`.
fn names_environment(path: &[u8]) -> bool {
    let name = base_name(path);
    name == b".env" || name.starts_with(b".env.")
}

#[cfg(test)]
mod tests;
