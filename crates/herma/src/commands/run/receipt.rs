//! The receipt: what a person should know behind a run.

use std::io::Write;
use std::path::PathBuf;

use herma_sandbox::git::settings::Effect;
use herma_sandbox::guard::Stopped;
use herma_sandbox::local::{Ending, Outcome};
use herma_sandbox::plan::Note;
use herma_sandbox::workspace::{Change, Changes, Fate, Setting};
use serde_json::{Value, json};

use super::judge;
use crate::output::json::Word;
use crate::output::visible;

/// Most changed files that are printed.
const LISTED: usize = 12;

/// What there is to say.
pub(crate) struct Receipt {
    /// Files that changed and that git does not track.
    pub(crate) changes: Changes,
    /// Settings of repositories that changed.
    pub(crate) settings: Vec<Setting>,
    /// What the plan had to say.
    pub(crate) notes: Vec<Note>,
    /// Mount points that somebody put something into.
    pub(crate) left: Vec<PathBuf>,
    /// Programs that were stopped.
    pub(crate) stopped: Vec<Stopped>,
    /// Whether output was slowed down.
    pub(crate) slowed: bool,
}

impl Receipt {
    /// For a person, nothing when there is nothing to say.
    pub(crate) fn print(&self, out: &mut impl Write) -> std::io::Result<()> {
        for stopped in &self.stopped {
            writeln!(
                out,
                "herma: stopped {} ({}): {}",
                judge::spelled(stopped),
                stopped.rule,
                stopped.why
            )?;
        }
        self.print_changes(out)?;
        for setting in &self.settings {
            if let Some(fate) = fate(setting.fate) {
                let name = setting
                    .name
                    .as_ref()
                    .map_or_else(|| "its text".to_owned(), ToString::to_string);
                let config = visible::line(setting.config.as_os_str().as_encoded_bytes());
                writeln!(out, "herma: {name} was left out of {config}: {fate}")?;
            }
        }
        for note in &self.notes {
            if let Some(note) = sentence(note) {
                writeln!(out, "herma: {note}")?;
            }
        }
        for path in &self.left {
            let path = visible::line(path.as_os_str().as_encoded_bytes());
            writeln!(out, "herma: {path} stays: something else stands there now")?;
        }
        if self.slowed {
            writeln!(
                out,
                "herma: output came faster than it may, and was slowed down"
            )?;
        }
        Ok(())
    }

    fn print_changes(&self, out: &mut impl Write) -> std::io::Result<()> {
        let Changes { changes, more, .. } = &self.changes;
        let all = changes.len() + more;
        if all == 0 {
            return Ok(());
        }
        let files = if all == 1 { "file" } else { "files" };
        writeln!(out, "herma: {all} {files} changed that git does not track")?;
        let mut shown: Vec<&Change> = changes.iter().collect();
        // What runs or steers something is told of first.
        shown.sort_by_key(|it| (!it.later, !it.executable));
        for change in shown.iter().take(LISTED) {
            let what = match (change.later, change.executable, change.new) {
                (true, ..) => "runs later ",
                (_, true, _) => "new program",
                (_, _, true) => "new        ",
                _ => "changed    ",
            };
            let path = visible::line(change.path.as_os_str().as_encoded_bytes());
            writeln!(out, "  {what} {path}")?;
        }
        if all > LISTED {
            writeln!(out, "  and {} more", all - LISTED.min(changes.len()))?;
        }
        Ok(())
    }
}

/// Why a setting did not go back; `None` when it did.
fn fate(fate: Fate) -> Option<&'static str> {
    match fate {
        Fate::Merged => None,
        Fate::LeftOut(Effect::RunsPrograms) => Some("it can run programs"),
        Fate::LeftOut(_) => Some("what it does is not known"),
        Fate::Conflict => Some("somebody else changed it meanwhile"),
        Fate::Busy => Some("another program holds its lock"),
        Fate::Unreadable => Some("it is no configuration any more"),
        _ => Some("it is not known"),
    }
}

/// A remark as a sentence; `None` for what holds in every run of a project.
fn sentence(note: &Note) -> Option<String> {
    let line = |path: &PathBuf| visible::line(path.as_os_str().as_encoded_bytes());
    Some(match note {
        Note::SearchEnded(path) => format!(
            "{} is too large to be searched: protected names below it are not protected",
            line(path)
        ),
        Note::TooMany(number) => {
            format!("{number} protected files are not protected: a sandbox has room for no more")
        }
        Note::SecretVariable(name) => {
            format!("the variable {name} holds a password and is not handed on")
        }
        Note::RepositoryHidden(path) => {
            format!("the repository {} is not seen inside", line(path))
        }
        Note::RepositoryBroken(path) => format!("{} leads to no repository", line(path)),
        Note::MaskedTracked(path) => {
            format!(
                "{} is masked, and git sees it as changed inside",
                line(path)
            )
        }
        _ => return None,
    })
}

/// For a program.
pub(crate) fn json(code: u8, outcome: &Outcome, receipt: &Receipt) -> serde_json::Result<String> {
    let (ending, signal) = match outcome.ending {
        Ending::Exited(_) => ("exited", None),
        Ending::Signalled(signal) => ("signalled", Some(signal)),
        Ending::TimedOut => ("timed-out", None),
        _ => ("not-run", None),
    };
    let word = |bytes: &[u8]| serde_json::to_value(Word(bytes.to_vec().into()));
    let path = |path: &PathBuf| word(path.as_os_str().as_encoded_bytes());
    let mut changes = Vec::new();
    for change in &receipt.changes.changes {
        changes.push(json!({
            "path": path(&change.path)?,
            "new": change.new,
            "executable": change.executable,
            "later": change.later,
        }));
    }
    let mut left_out = Vec::new();
    for setting in &receipt.settings {
        if let Some(why) = fate(setting.fate) {
            left_out.push(json!({
                "config": path(&setting.config)?,
                "name": setting.name.as_ref().map(ToString::to_string),
                "why": why,
            }));
        }
    }
    let mut stopped = Vec::new();
    for it in &receipt.stopped {
        let words: Result<Vec<Value>, _> = it.arguments.iter().map(|it| word(it)).collect();
        stopped.push(json!({"argv": words?, "rule": it.rule, "why": it.why}));
    }
    let notes: Vec<String> = receipt.notes.iter().filter_map(sentence).collect();
    let value = json!({
        "ending": ending,
        "exit": code,
        "signal": signal,
        "seconds": outcome.took.as_secs_f64(),
        "stdout": word(&outcome.stdout)?,
        "stderr": word(&outcome.stderr)?,
        "dropped": outcome.dropped,
        "slowed": receipt.slowed,
        "programs": outcome.started,
        "stopped": stopped,
        "changes": changes,
        "more_changes": receipt.changes.more,
        "settings_left_out": left_out,
        "notes": notes,
    });
    Ok(first(&value))
}

/// The object's text; every object of herma's begins with its version.
fn first(value: &Value) -> String {
    let text = value.to_string();
    format!("{{\"v\":1,{}", text.strip_prefix('{').unwrap_or(&text))
}
