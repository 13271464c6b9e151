//! `herma shell parse`: what the analyser sees.

use std::io::Write;
use std::path::Path;

use herma_shell::syntax::RedirectOp;
use herma_shell::{Analysis, Reach, Redirection, Request, Value, analyse};

use crate::arguments::Parse;
use crate::exit::Exit;
use crate::input;
use crate::output::json::{self, Malformed, Parsed};
use crate::output::visible;
use crate::rows::{self, Row};
use crate::world::Machine;

/// Analyses text and prints what it would run.
pub(crate) fn parse(arguments: &Parse) -> anyhow::Result<Exit> {
    let cwd = input::directory(arguments.cwd.as_deref())?;
    if let Some(file) = &arguments.batch {
        return batch(file, &cwd);
    }
    let text = match &arguments.text {
        Some(text) => input::bytes(text),
        None => input::standard_input()?,
    };
    let mut row = Row::of_process(text, cwd);
    row.dialect = arguments.shell.unwrap_or(row.dialect);
    let analysis = analysed(&row, &Machine::of_process(&row.cwd));
    let mut out = anstream::stdout().lock();
    if arguments.json {
        writeln!(
            out,
            "{}",
            serde_json::to_string(&Parsed::new(None, &analysis))?
        )?;
    } else {
        describe(&mut out, &row.text, &analysis)?;
    }
    Ok(Exit::Success)
}

fn analysed(row: &Row, machine: &Machine) -> Analysis {
    let request = Request {
        text: &row.text,
        dialect: row.dialect,
        cwd: &row.cwd,
    };
    analyse(&request, machine)
}

fn batch(file: &Path, cwd: &[u8]) -> anyhow::Result<Exit> {
    rows::each(file, cwd, |id, row| {
        Ok(match row {
            Ok(row) => {
                let analysis = analysed(&row, &Machine::of_row(row.env.clone(), &row.cwd));
                serde_json::to_string(&Parsed::new(id, &analysis))?
            }
            Err(error) => serde_json::to_string(&Malformed::new(id, &error))?,
        })
    })
}

/// A word as one would write it.
fn word(value: &Value) -> String {
    match value.spelled() {
        Some(word) => visible::line(&word),
        None => "‹unknown›".to_owned(),
    }
}

/// A redirection as one would write it. A here-document is shown as the string that it is.
fn redirection(redirection: &Redirection) -> String {
    let fd = redirection.fd.map_or_else(String::new, |fd| fd.to_string());
    let (op, gap) = match redirection.op {
        RedirectOp::HereDoc => ("<<<", " "),
        RedirectOp::DupIn | RedirectOp::DupOut => (json::redirect_op(redirection.op), ""),
        op => (json::redirect_op(op), " "),
    };
    let target = visible::clipped(&word(&redirection.target));
    format!("{fd}{op}{gap}{target}")
}

/// One line for each execution: where, what, through whom.
fn describe(out: &mut impl Write, text: &[u8], analysis: &Analysis) -> std::io::Result<()> {
    writeln!(out, "status: {}", json::status(analysis.status))?;
    for execution in &analysis.executions {
        let words: Vec<String> = execution
            .argv
            .iter()
            .map(|arg| word(&arg.value))
            .chain(execution.redirections.iter().map(redirection))
            .collect();
        write!(out, "{:>6}  {}", execution.at, words.join(" "))?;
        let via: Vec<&str> = execution.via.iter().map(|via| via.name.as_str()).collect();
        if !via.is_empty() {
            write!(out, "   via {}", visible::line(via.join(" > ").as_bytes()))?;
        }
        match (&execution.script, execution.reach) {
            (Some(script), _) => {
                let path = visible::line(&script.path);
                write!(out, "   in {path}:{}", script.line)?;
            }
            (None, Reach::Uncalled) => write!(out, "   in a function that is not called")?,
            (None, Reach::Script) => write!(out, "   in a script")?,
            (None, Reach::Line) => {}
        }
        writeln!(out)?;
    }
    for fact in &analysis.facts {
        let (start, end) = (fact.span.start as usize, fact.span.end as usize);
        let part = text.get(start..end).unwrap_or_default();
        let part = visible::short(part);
        writeln!(out, "{start:>6}  {}: {part}", json::fact_kind(fact.kind))?;
    }
    for place in &analysis.uncertain {
        writeln!(
            out,
            "{:>6}  not understood: {}",
            place.span.start,
            json::why(place.why)
        )?;
    }
    Ok(())
}
