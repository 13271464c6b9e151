//! A real agent: Claude Code with herma's hook, driven by a scripted model. What ran and what did
//! not is read from the file system, the model's side of the conversation, the agent's own
//! transcript and herma's trail.

mod commands;
mod files;
mod stage;

use anyhow::Result;

use super::process::herma;
use super::{Context, Outcome, install};

/// A session that is over.
struct Played {
    calls: usize,
    /// What the agent printed.
    said: String,
    faults: Vec<String>,
}

pub(super) fn run(context: &Context) -> Result<Outcome> {
    let claude = match stage::claude(context)? {
        Ok(claude) => claude,
        Err(why) => return Ok(Outcome::Skipped(why)),
    };
    let binary = herma(context)?;
    let mut sessions = vec![commands::play(context, &binary, &claude)?];
    sessions.extend(files::play(context, &binary, &claude)?);
    let mut faults = 0;
    for session in &sessions {
        for fault in &session.faults {
            println!("  {fault}");
        }
        if !session.faults.is_empty() {
            println!("  the agent said: {}", session.said);
        }
        faults += session.faults.len();
    }
    Ok(if faults == 0 {
        Outcome::Passed(format!(
            "Claude Code {}: {} calls in {} sessions",
            install::CLAUDE_CODE,
            sessions.iter().map(|session| session.calls).sum::<usize>(),
            sessions.len()
        ))
    } else {
        Outcome::Failed(format!(
            "{faults} faults with Claude Code {}",
            install::CLAUDE_CODE
        ))
    })
}
