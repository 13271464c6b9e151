//! `herma path check`: where does this path lead?

use std::collections::BTreeMap;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use anstyle::{AnsiColor, Style};
use herma_config::Home;
use herma_paths::{Action, Operation, Verdict};
use serde::Deserialize;

use crate::accounts;
use crate::arguments::{OperationName, PathCheck};
use crate::exit::Exit;
use crate::input;
use crate::output::json::{Malformed, Placed};
use crate::output::visible;
use crate::place::{self, Place, Question, Text};
use crate::rows;

/// What a row does not say.
struct Terms {
    root: Vec<u8>,
    operation: Operation,
    home: Option<Vec<u8>>,
    lexical: bool,
}

/// The fields of a row; others are ignored.
#[derive(Deserialize)]
struct Input {
    path: Text,
    root: Option<Text>,
    op: Option<String>,
    env: Option<BTreeMap<String, String>>,
    lexical: Option<bool>,
}

/// Answers about one path, or every row of a file.
pub(crate) fn check(arguments: &PathCheck, state: &Home) -> anyhow::Result<Exit> {
    let terms = Terms {
        root: match &arguments.root {
            // A relative root is refused as a row's is: what it is relative to is a guess.
            Some(root) => root.as_os_str().as_bytes().to_vec(),
            None => input::directory(None)?,
        },
        operation: operation(arguments.op),
        home: accounts::own_home(),
        lexical: arguments.lexical,
    };
    let state = state.root().as_os_str().as_bytes();
    if let Some(file) = &arguments.batch {
        return batch(file, &terms, state);
    }
    let question = Question {
        root: terms.root,
        path: arguments
            .path
            .as_deref()
            .map(input::bytes)
            .unwrap_or_default(),
        operation: terms.operation,
        home: terms.home,
        lexical: terms.lexical,
    };
    let place = place::find(&question, state);
    let mut out = anstream::stdout().lock();
    if arguments.json {
        let line = serde_json::to_string(&Placed::new(None, &place))?;
        writeln!(out, "{line}")?;
    } else {
        describe(&mut out, &question, &place)?;
    }
    out.flush()?;
    Ok(place.exit())
}

fn batch(file: &Path, terms: &Terms, state: &[u8]) -> anyhow::Result<Exit> {
    rows::each_as(
        file,
        |line| question(line, terms),
        |id, question| {
            Ok(match question {
                Ok(question) => {
                    let place = place::find(&question, state);
                    serde_json::to_string(&Placed::new(id, &place))?
                }
                Err(error) => serde_json::to_string(&Malformed::new(id, &error))?,
            })
        },
    )
}

fn question(line: &[u8], terms: &Terms) -> Result<Question, String> {
    let input: Input = rows::object(line)?;
    let operation = match input.op.as_deref() {
        None => terms.operation,
        Some("read") => Operation::Read,
        Some("write") => Operation::Write,
        Some("create") => Operation::Create,
        Some("delete") => Operation::Delete,
        Some("list") => Operation::List,
        Some(other) => {
            return Err(format!(
                "op {other:?} is not known; known are read, write, create, delete and list"
            ));
        }
    };
    let home = match input.env.and_then(|mut env| env.remove("HOME")) {
        Some(home) => Some(home.into_bytes()),
        None => terms.home.clone(),
    };
    Ok(Question {
        root: input.root.map_or_else(|| terms.root.clone(), |root| root.0),
        path: input.path.0,
        operation,
        home,
        lexical: input.lexical.unwrap_or(terms.lexical),
    })
}

fn operation(name: OperationName) -> Operation {
    match name {
        OperationName::Read => Operation::Read,
        OperationName::Write => Operation::Write,
        OperationName::Create => Operation::Create,
        OperationName::Delete => Operation::Delete,
        OperationName::List => Operation::List,
    }
}

/// The verdict with the place, the reason, and what protects it.
fn describe(out: &mut impl Write, question: &Question, place: &Place) -> std::io::Result<()> {
    let verdict = place.verdict();
    let style = Style::new().bold().fg_color(Some(
        match verdict {
            Verdict::Inside => AnsiColor::Green,
            _ => AnsiColor::Red,
        }
        .into(),
    ));
    let name = verdict.name();
    let path = visible::line(place.path.as_deref().unwrap_or(&question.path));
    write!(out, "{style}{name}{style:#}: {path}")?;
    if let Some(why) = place.refusal {
        write!(out, ": {why}")?;
        if verdict == Verdict::Refused {
            write!(out, " ({})", why.code())?;
        } else {
            write!(out, " {}", visible::line(&question.root))?;
        }
    }
    writeln!(out)?;
    // Elsewhere nobody is asked.
    if let Some(found) = place.protection.filter(|_| verdict == Verdict::Inside) {
        let (action, color) = match found.action {
            Action::Ask => ("ask", AnsiColor::Yellow),
            Action::Deny => ("deny", AnsiColor::Red),
        };
        let style = color.on_default().bold();
        let title = found.class.title();
        let each = if found.class.asks_each_time() {
            ", each time anew"
        } else {
            ""
        };
        writeln!(
            out,
            "{style}{action}{style:#}{each}: this is {title} ({})",
            found.class.name()
        )?;
    }
    Ok(())
}
