//! `herma shell parse`: what the analyser sees.

use std::io::Write;
use std::path::Path;

use herma_shell::{Analysis, Request, analyse};

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
    let row = Row::of_process(text, cwd);
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

/// One line for each execution: where, what, through whom.
fn describe(out: &mut impl Write, text: &[u8], analysis: &Analysis) -> std::io::Result<()> {
    writeln!(out, "status: {}", json::status(analysis.status))?;
    for execution in &analysis.executions {
        let words: Vec<String> = execution
            .argv
            .iter()
            .map(|arg| match arg.value.bytes() {
                Some(word) => visible::word(&word),
                None => "‹unknown›".to_owned(),
            })
            .collect();
        write!(out, "{:>6}  {}", execution.at, words.join(" "))?;
        let via: Vec<&str> = execution.via.iter().map(|via| via.name.as_str()).collect();
        if !via.is_empty() {
            write!(out, "   via {}", visible::line(via.join(" > ").as_bytes()))?;
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
