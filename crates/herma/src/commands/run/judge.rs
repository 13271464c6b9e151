//! Who judges the programs of a run: the rules that judge command lines.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;

use herma_rules::{Guard, Mode, Request};
use herma_sandbox::guard::{Judge, Program, Ruling, Stopped};
use herma_shell::spelling::quoted;

use super::identity::Identities;
use crate::output::visible;
use crate::world::Machine;

/// Most bytes of arguments that are judged at once.
const MAX_PART: usize = 96 << 10;

/// Floors stop programs; a person has been asked about anything else by the hook.
pub(crate) struct Floors<'g> {
    guard: &'g Guard,
    /// The command's variables; this process's own are wiped by the time that it judges.
    environment: &'g [(OsString, OsString)],
    identities: Identities,
}

impl<'g> Floors<'g> {
    pub(crate) fn new(guard: &'g Guard, environment: &'g [(OsString, OsString)]) -> Self {
        Self {
            guard,
            environment,
            identities: Identities::default(),
        }
    }
}

impl Judge for Floors<'_> {
    fn judge(&mut self, program: &Program) -> Ruling {
        let Some(arguments) = program.arguments() else {
            return Ruling::Kill {
                rule: "shell.not-understood".to_owned(),
                why: "its arguments cannot be read".to_owned(),
            };
        };
        let cwd = program.cwd().unwrap_or_else(|| "/".into());
        let cwd = cwd.as_os_str().as_bytes();
        let claimed = arguments.first().map(Vec::as_slice).unwrap_or_default();
        let executable = program.executable();
        let loaded = executable.as_ref().map(|it| (it.device, it.inode));
        let others = self
            .identities
            .others(claimed, program, executable.as_ref());
        for mut part in parts(arguments) {
            for name in [claimed]
                .into_iter()
                .chain(others.iter().map(Vec::as_slice))
            {
                if let Some(first) = part.first_mut() {
                    *first = name;
                }
                if let Some(ruling) = self.floor(&part, cwd, loaded) {
                    return ruling;
                }
            }
        }
        Ruling::Run
    }
}

impl<'g> Floors<'g> {
    fn floor(&self, arguments: &[&[u8]], cwd: &[u8], loaded: Option<(u64, u64)>) -> Option<Ruling> {
        let words: Vec<Vec<u8>> = arguments.iter().map(|it| quoted(it)).collect();
        let text = words.join(&b' ');
        let mut request = Request::new(&text, cwd);
        request.mode = Some(Mode::Off);
        // What the kernel has loaded is no script: its whole text would be read at every start.
        let world = Machine::of_run(self.environment, cwd).with_loaded(loaded);
        let verdict = self.guard.check(&request, &world);
        verdict.floor?;
        Some(match verdict.findings.first() {
            Some(found) => Ruling::Kill {
                rule: found.rule.clone().into_owned(),
                why: format!("{}: {}", found.title, found.why),
            },
            None => Ruling::Kill {
                rule: "floor".to_owned(),
                why: verdict.reason,
            },
        })
    }
}

/// Arguments in parts that the rules read: all of them, or as `xargs` would hand them on, the options
/// in each.
fn parts(arguments: &[Vec<u8>]) -> Vec<Vec<&[u8]>> {
    let size = |list: &[Vec<u8>]| list.iter().map(|it| it.len() + 3).sum::<usize>();
    let all = || arguments.iter().map(Vec::as_slice);
    if size(arguments) <= MAX_PART {
        return vec![all().collect()];
    }
    let mut left = MAX_PART / 2;
    let options: Vec<&[u8]> = all()
        .enumerate()
        .filter(|(index, it)| *index == 0 || it.starts_with(b"-"))
        .map(|(_, it)| it.get(..it.len().min(MAX_PART / 4)).unwrap_or_default())
        .take_while(|it| {
            let fits = it.len() + 3 <= left;
            left = left.saturating_sub(it.len() + 3);
            fits
        })
        .collect();
    let mut parts = Vec::new();
    let (mut part, mut room) = (options.clone(), MAX_PART / 2);
    for word in all().skip(1).filter(|it| !it.starts_with(b"-")) {
        // A word that is longer is text for an interpreter, whose beginning counts.
        let word = word
            .get(..word.len().min(MAX_PART / 2 - 3))
            .unwrap_or_default();
        if word.len() + 3 > room {
            parts.push(std::mem::replace(&mut part, options.clone()));
            room = MAX_PART / 2;
        }
        room -= word.len() + 3;
        part.push(word);
    }
    parts.push(part);
    parts
}

/// What the caller of a stopped program reads.
pub(crate) fn announce(stopped: &Stopped) -> Vec<u8> {
    let Stopped { rule, why, .. } = stopped;
    let command = spelled(stopped);
    format!("herma: stopped {command} ({rule}): {why}\n").into_bytes()
}

/// The command as one would write it, in one line.
pub(crate) fn spelled(stopped: &Stopped) -> String {
    let words: Vec<Vec<u8>> = stopped.arguments.iter().map(|it| quoted(it)).collect();
    visible::short(&words.join(&b' '))
}
