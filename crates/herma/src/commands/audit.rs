//! `herma audit`: the trail of decisions.

use std::io::Write;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use herma_audit::{Break, Gap, Log, Verification};
use herma_config::Home;
use serde::Serialize;
use serde_json::Value;

use crate::exit::Exit;
use crate::output::visible;

/// How often a follower looks.
const INTERVAL: Duration = Duration::from_millis(200);

/// Prints the newest lines, and those to come.
pub(crate) fn tail(home: &Home, lines: usize, follow: bool, json: bool) -> anyhow::Result<Exit> {
    let log = Log::at(home.audit());
    // Before the first look, so that nothing falls in between; the overlap is at most a line.
    let follower = follow.then(|| log.follow()).transpose()?;
    let mut out = anstream::stdout().lock();
    for line in log.tail(lines)? {
        show(&mut out, &line, json)?;
    }
    let Some(mut follower) = follower else {
        return Ok(Exit::Success);
    };
    loop {
        for line in follower.poll()? {
            show(&mut out, &line, json)?;
        }
        out.flush()?;
        std::thread::sleep(INTERVAL);
    }
}

fn show(out: &mut impl Write, line: &[u8], json: bool) -> std::io::Result<()> {
    if json {
        out.write_all(line)?;
        return out.write_all(b"\n");
    }
    let Ok(value) = serde_json::from_slice::<Value>(line) else {
        return writeln!(out, "not an audit line: {}", visible::short(line));
    };
    let text = |key: &str| {
        visible::line(
            value
                .get(key)
                .and_then(Value::as_str)
                .unwrap_or("-")
                .as_bytes(),
        )
    };
    if text("kind") == "gap" {
        let what = text("context");
        return writeln!(out, "{}  gap: {what}", text("ts"));
    }
    let decision = text("decision");
    let style = match decision.as_str() {
        "allow" => AnsiColor::Green.on_default(),
        "ask" => AnsiColor::Yellow.on_default(),
        "deny" => AnsiColor::Red.on_default(),
        _ => Style::new(),
    };
    let list = |key: &str| {
        value
            .get(key)
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default()
    };
    let rules: Vec<String> = list("rules").iter().map(word).collect();
    let rules = if rules.is_empty() {
        String::new()
    } else {
        format!("  [{}]", rules.join(" "))
    };
    let words: Vec<String> = list("argv_redacted").iter().map(word).collect();
    writeln!(
        out,
        "{}  {}  {style}{decision:5}{style:#}  {}{rules}",
        text("ts"),
        text("host"),
        visible::clipped(&words.join(" "))
    )
}

/// A word of the trail: text, or bytes in base 64.
fn word(value: &Value) -> String {
    match value {
        Value::String(text) => visible::line(text.as_bytes()),
        other => visible::line(other.to_string().as_bytes()),
    }
}

#[derive(Serialize)]
struct Report<'a> {
    v: u8,
    holds: bool,
    files: usize,
    lines: u64,
    first_seq: Option<u64>,
    last_seq: Option<u64>,
    anchored: bool,
    torn: bool,
    gaps: Vec<Lost<'a>>,
    broken: Option<Broken<'a>>,
}

#[derive(Serialize)]
struct Lost<'a> {
    file: &'a str,
    line: u64,
    seq: u64,
    reason: &'a str,
}

impl<'a> Lost<'a> {
    fn new(gap: &'a Gap) -> Self {
        Self {
            file: &gap.file,
            line: gap.line,
            seq: gap.seq,
            reason: &gap.reason,
        }
    }
}

#[derive(Serialize)]
struct Broken<'a> {
    file: &'a str,
    line: u64,
    seq: Option<u64>,
    what: String,
}

impl<'a> Broken<'a> {
    fn new(place: &'a Break) -> Self {
        Self {
            file: &place.file,
            line: place.line,
            seq: place.seq,
            what: place.to_string(),
        }
    }
}

/// Follows the chain from its start to its head.
pub(crate) fn verify(home: &Home, json: bool) -> anyhow::Result<Exit> {
    let found = Log::at(home.audit()).verify()?;
    let mut out = anstream::stdout().lock();
    if json {
        let report = Report {
            v: 1,
            holds: found.holds(),
            files: found.files,
            lines: found.lines,
            first_seq: found.first_seq,
            last_seq: found.last_seq,
            anchored: found.anchored,
            torn: found.torn,
            gaps: found.gaps.iter().map(Lost::new).collect(),
            broken: found.broken.as_ref().map(Broken::new),
        };
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
    } else {
        describe(&mut out, &found)?;
    }
    Ok(if found.holds() {
        Exit::Success
    } else {
        Exit::Failure
    })
}

fn describe(out: &mut impl Write, found: &Verification) -> std::io::Result<()> {
    for gap in &found.gaps {
        writeln!(
            out,
            "gap: {}:{}: {}",
            gap.file,
            gap.line,
            visible::line(gap.reason.as_bytes())
        )?;
    }
    if found.torn {
        writeln!(out, "the last line is torn; the next one will say so")?;
    }
    match &found.broken {
        None => writeln!(
            out,
            "the chain holds: {} in {}",
            count(found.lines, "line"),
            count(found.files as u64, "file")
        ),
        Some(place) => writeln!(
            out,
            "the chain does not hold after {}: {}",
            count(found.lines, "line"),
            visible::line(place.to_string().as_bytes())
        ),
    }
}

/// A number with its noun.
fn count<N: Into<u128>>(number: N, noun: &str) -> String {
    let number: u128 = number.into();
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}
