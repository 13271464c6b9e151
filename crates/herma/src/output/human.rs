//! What people read.

use std::io::{self, Write};

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use anstyle::{AnsiColor, Style};
use herma_config::{ConfigError, Home};
use herma_rules::{Allowed, Decision, Finding, Mode, Request, Severity, Verdict};
use herma_shell::{Read, ScriptPlace, Span, World};

use super::excerpt::Excerpt;
use super::{json, visible};
use crate::allowance::{self, Allowance};
use crate::configured::ConfiguredGuard;
use crate::world::Machine;

/// How many findings are explained.
const SHOWN: usize = 8;

/// Columns that a rendered line may have; excerpts are cut before.
const WIDTH: usize = 320;

/// Bytes in which the words of a command are looked for.
const WRITTEN: usize = 4096;

/// Bytes of a script that are read again to show a line of it; more are not analysed.
const SCRIPT: usize = 1 << 20;

const RED: Style = AnsiColor::Red.on_default().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default().bold();
const GREEN: Style = AnsiColor::Green.on_default().bold();
const CYAN: Style = AnsiColor::Cyan.on_default().bold();

/// A verdict with the places, the reasons, and the way out.
pub(crate) fn verdict(
    out: &mut impl Write,
    request: &Request<'_>,
    machine: &Machine,
    verdict: &Verdict,
    allowance: &Allowance,
    configured: &ConfiguredGuard,
    home: &Home,
) -> io::Result<()> {
    let mode = request.mode.unwrap_or(configured.policy.mode);
    let name = json::decision(verdict.decision);
    // The decision first; the findings, which would only ask, say why.
    if verdict.decision == Decision::Deny && verdict.floor.is_none() {
        let reason = visible::line(verdict.reason.as_bytes());
        writeln!(out, "{RED}deny{RED:#}: {reason}\n")?;
    }
    if verdict.findings.is_empty() && verdict.allowed_by.is_empty() {
        let said = if verdict.reason.is_empty() && mode == Mode::Off {
            "no floor names what this runs, and mode off looks for nothing else"
        } else if verdict.reason.is_empty() {
            "no rule names what this runs"
        } else {
            &verdict.reason
        };
        let style = style(verdict.decision);
        writeln!(
            out,
            "{style}{name}{style:#}: {}",
            visible::line(said.as_bytes())
        )?;
    }
    for found in verdict.findings.iter().take(SHOWN) {
        writeln!(
            out,
            "{}\n",
            finding(request, machine, found, verdict.decision)
        )?;
    }
    if verdict.findings.len() > SHOWN {
        writeln!(
            out,
            "and {} more findings\n",
            verdict.findings.len() - SHOWN
        )?;
    }
    for allowed in &verdict.allowed_by {
        writeln!(out, "{}", own_allowance(allowed, configured))?;
    }
    if !verdict.allowed_by.is_empty() && !verdict.findings.is_empty() {
        writeln!(out)?;
    }
    way_out(out, allowance, configured, home)
}

/// What a rule of the user's own allows, and where it stands.
fn own_allowance(allowed: &Allowed, configured: &ConfiguredGuard) -> String {
    let place = place(configured, &allowed.rule);
    let silenced = allowed.silenced.join(", ");
    format!(
        "{GREEN}allow[{}]{GREEN:#}: your rule{place} allows what {silenced} would ask about",
        visible::line(allowed.rule.as_bytes())
    )
}

/// Where a rule of the user's own stands, in parentheses; empty when that is not known.
fn place(configured: &ConfiguredGuard, id: &str) -> String {
    let rule = configured.config.rules.iter().find(|rule| rule.id == id);
    rule.map_or_else(String::new, |rule| {
        let file = visible::line(rule.file.as_os_str().as_encoded_bytes());
        format!(" ({file}:{})", rule.line)
    })
}

fn style(decision: Decision) -> Style {
    match decision {
        Decision::Allow => GREEN,
        Decision::Ask => YELLOW,
        Decision::Deny => RED,
    }
}

fn finding(
    request: &Request<'_>,
    machine: &Machine,
    finding: &Finding,
    decision: Decision,
) -> String {
    let text = request.text;
    let excerpt = Excerpt::new(text, place_in(finding.span));
    let level = match (finding.severity, decision) {
        (Severity::Floor, _) => Level::ERROR.with_name("deny"),
        (_, Decision::Allow) => Level::NOTE.with_name("allow"),
        _ => Level::WARNING.with_name("ask"),
    };
    let title = visible::line(finding.title.as_bytes());
    let in_script = finding.script.as_ref().map(|place| {
        let path = visible::line(&shown_path(&place.path, request.cwd));
        (path, script(machine, place))
    });
    let kind = match in_script {
        Some(_) => AnnotationKind::Context,
        None => AnnotationKind::Primary,
    };
    let mut group = Group::with_title(
        level
            .primary_title(title)
            .id(visible::line(finding.rule.as_bytes())),
    );
    if let Some((path, Some((_, excerpt)))) = &in_script {
        group = group.element(
            Snippet::source(excerpt.text.as_str())
                .path(path.as_str())
                .line_start(excerpt.number)
                .annotation(AnnotationKind::Primary.span(excerpt.span.clone())),
        );
    }
    let annotation = kind.span(excerpt.span.clone());
    group = group.element(
        Snippet::source(excerpt.text.as_str())
            .path(in_script.as_ref().map(|_| "the command line"))
            .line_start(excerpt.number)
            .annotation(match in_script {
                Some(_) => annotation.label("runs it"),
                None => annotation,
            }),
    );
    let mut notes = Vec::new();
    if !finding.why.is_empty() {
        notes.push((Level::NOTE.with_name("why"), finding.why.to_string()));
    }
    if !finding.via.is_empty() {
        notes.push((Level::NOTE.with_name("through"), finding.via.join(" > ")));
    }
    if let Some((place, (path, None))) = finding.script.as_ref().zip(in_script.as_ref()) {
        notes.push((
            Level::NOTE.with_name("in"),
            format!("{path}:{}", place.line),
        ));
    }
    let written = match (&finding.script, &in_script) {
        (Some(place), Some((_, Some((content, _))))) => written(content, place.span, finding),
        _ => written(text, finding.span, finding),
    };
    if !finding.argv.is_empty() && !written {
        notes.push((Level::NOTE.with_name("runs"), argv(finding)));
    }
    if let Some(suggest) = &finding.suggest {
        notes.push((Level::HELP.with_name("safer"), suggest.to_string()));
    }
    for (level, note) in notes {
        group = group.element(level.message(visible::line(note.as_bytes())));
    }
    Renderer::styled().term_width(WIDTH).render(&[group])
}

fn place_in(span: Span) -> std::ops::Range<usize> {
    span.start as usize..span.end as usize
}

/// A script with the line of a place; none when the file is not what it was.
fn script(machine: &Machine, place: &ScriptPlace) -> Option<(Vec<u8>, Excerpt)> {
    let Read::Content(content) = machine.fresh().read(&place.path, SCRIPT) else {
        return None;
    };
    let excerpt = Excerpt::new(&content, place_in(place.span));
    (excerpt.number == place.line as usize).then_some((content, excerpt))
}

/// A path as one would name it from a directory.
fn shown_path(path: &[u8], cwd: &[u8]) -> Vec<u8> {
    let below = path.strip_prefix(cwd).and_then(|it| it.strip_prefix(b"/"));
    match below {
        Some(below) => [b"./", below].concat(),
        None => path.to_vec(),
    }
}

/// Whether the words stand in the text as they will be run.
fn written(text: &[u8], span: Span, finding: &Finding) -> bool {
    let (start, end) = (span.start as usize, span.end as usize);
    let words: Option<Vec<&[u8]>> = finding.argv.iter().map(Option::as_deref).collect();
    let line = words.unwrap_or_default().join(&b' ');
    // The place may be one word of the command: then it stands around the place.
    let around = text
        .get(start.saturating_sub(line.len())..text.len().min(end + line.len()))
        .unwrap_or_default();
    let bounded = !line.is_empty() && around.len() <= WRITTEN;
    if bounded && around.windows(line.len()).any(|part| part == line) {
        return true;
    }
    let part = text.get(start..end).unwrap_or_default();
    let words: Vec<&[u8]> = part
        .split(u8::is_ascii_whitespace)
        .filter(|w| !w.is_empty())
        .collect();
    finding
        .argv
        .iter()
        .all(|word| word.as_deref().is_some_and(|word| words.contains(&word)))
}

fn argv(finding: &Finding) -> String {
    let words: Vec<String> = finding
        .spelled
        .iter()
        .map(|word| match word {
            Some(word) => visible::line(word),
            None => "‹unknown›".to_owned(),
        })
        .collect();
    visible::clipped(&words.join(" "))
}

/// What a person can do so that a command passes.
pub(crate) fn remedy(out: &mut impl Write, what: &str) -> io::Result<()> {
    writeln!(out, "{CYAN}to allow it{CYAN:#}: {what}")
}

/// How a command would pass.
pub(crate) fn way_out(
    out: &mut impl Write,
    allowance: &Allowance,
    configured: &ConfiguredGuard,
    home: &Home,
) -> io::Result<()> {
    match allowance {
        Allowance::Passes => Ok(()),
        Allowance::Own(id) => {
            let place = place(configured, id);
            writeln!(
                out,
                "{CYAN}to allow it{CYAN:#}: your own rule {id}{place} is about this; change it there"
            )
        }
        Allowance::Never => writeln!(
            out,
            "{CYAN}to allow it{CYAN:#}: nothing allows this; a person runs it in their own terminal"
        ),
        Allowance::Unavailable => writeln!(
            out,
            "{CYAN}to allow it{CYAN:#}: no rule covers exactly this; a person answers, or runs it in their own terminal"
        ),
        Allowance::Rules(rules) => {
            let file = home.config();
            writeln!(
                out,
                "{CYAN}to allow it{CYAN:#}: add to {}\n",
                file.display()
            )?;
            for rule in rules {
                for line in allowance::as_toml(rule, "\n").lines() {
                    writeln!(out, "    {line}")?;
                }
                writeln!(out)?;
            }
            Ok(())
        }
    }
}

/// A fault of a configuration file, with the line and a caret.
pub(crate) fn config_error(out: &mut impl Write, error: &ConfigError) -> io::Result<()> {
    writeln!(
        out,
        "{RED}error{RED:#}: {}",
        visible::line(error.to_string().as_bytes())
    )?;
    if let Some(excerpt) = &error.excerpt {
        let number = error.line.to_string();
        let gutter = " ".repeat(number.len());
        let text: String = excerpt.text.chars().map(seen).collect();
        writeln!(out, "{gutter} |\n{number} | {text}")?;
        let blank = " ".repeat(excerpt.start);
        let carets = "^".repeat(excerpt.width.max(1));
        writeln!(out, "{gutter} | {blank}{RED}{carets}{RED:#}")?;
    }
    Ok(())
}

/// One character for one, so that carets stay below their place.
fn seen(char: char) -> char {
    if char == '\t' {
        ' '
    } else if visible::is_invisible(char) {
        '\u{fffd}'
    } else {
        char
    }
}
