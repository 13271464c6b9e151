//! `herma completions`: a completion script.

use std::io::Write;

use clap::CommandFactory;

use crate::arguments::Arguments;
use crate::exit::Exit;

/// Prints the script.
pub(crate) fn run(shell: clap_complete::Shell) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "herma", &mut script);
    std::io::stdout().lock().write_all(&script)?;
    Ok(Exit::Success)
}
