//! The report for people.

use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use anstyle::{AnsiColor, Style};
use herma_rules::Decision;

use super::calls::{Calls, Subject};
use super::judging::Stopped;
use super::proposal::{Left, Proposal, Proposals};
use super::tally::{Count, RuleTally, Tally, percent};
use crate::allowance;
use crate::output::excerpt::Excerpt;
use crate::output::visible;

/// Rules in the table, rules with examples, examples of each.
const RULES: usize = 20;
const EXPLAINED: usize = 5;
const EXAMPLES: usize = 3;

/// Floors, proposals, commands of a proposal, and lines that could not be read.
const FLOORS: usize = 20;
const PROPOSALS: usize = 20;
const SILENCED: usize = 20;
const BROKEN: usize = 10;

/// Columns of the longest bar.
const BAR: usize = 24;

const BOLD: Style = Style::new().bold();
const RED: Style = AnsiColor::Red.on_default().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default().bold();
const GREEN: Style = AnsiColor::Green.on_default().bold();
const CYAN: Style = AnsiColor::Cyan.on_default();

/// What is reported about.
pub(crate) struct Report<'a> {
    pub(crate) calls: &'a Calls,
    pub(crate) stopped: &'a [Stopped],
    pub(crate) tally: &'a Tally<'a>,
    pub(crate) proposals: &'a Proposals,
}

impl Report<'_> {
    /// Prints all of it.
    pub(crate) fn print(&self, out: &mut impl Write) -> io::Result<()> {
        self.sums(out)?;
        self.rules(out)?;
        self.floors(out)?;
        self.refused(out)?;
        self.proposals(out)?;
        self.left(out)?;
        self.unread(out)
    }

    fn sums(&self, out: &mut impl Write) -> io::Result<()> {
        let tally = self.tally;
        writeln!(
            out,
            "{}, {} different, in {}; judged as of today",
            counted(tally.all.times, "command"),
            number(tally.all.different),
            counted(self.calls.files, "file"),
        )?;
        if tally.all.times == 0 {
            return self.timeless(out);
        }
        writeln!(out, "\n{:8}{:>10}{:>18}", "", "times", "different")?;
        for (style, name, count) in [
            (GREEN, "allow", tally.allow),
            (YELLOW, "ask", tally.ask),
            (RED, "deny", tally.deny),
        ] {
            let share = |part, whole| format!("{:.1}%", percent(part, whole));
            writeln!(
                out,
                "{style}{name:8}{style:#}{:>10}{:>8}{:>10}{:>8}",
                number(count.times),
                share(count.times, tally.all.times),
                number(count.different),
                share(count.different, tally.all.different),
            )?;
        }
        let floors: Vec<String> = tally
            .floors
            .iter()
            .map(|(name, count)| format!("{name} {}", number(count.times)))
            .collect();
        if !floors.is_empty() {
            writeln!(out, "floors: {}", floors.join(", "))?;
        }
        if tally.refused > 0 {
            writeln!(
                out,
                "a person said no to {}",
                counted(tally.refused, "command")
            )?;
        }
        self.timeless(out)
    }

    /// What `--since` cannot place.
    fn timeless(&self, out: &mut impl Write) -> io::Result<()> {
        if self.calls.timeless > 0 {
            writeln!(
                out,
                "{} without a time left out",
                counted(self.calls.timeless, "command")
            )?;
        }
        Ok(())
    }

    fn rules(&self, out: &mut impl Write) -> io::Result<()> {
        let rules = &self.tally.rules;
        let shown = rules.get(..RULES.min(rules.len())).unwrap_or_default();
        let Some(most) = shown.first().map(|rule| rule.count.times) else {
            return Ok(());
        };
        let width = shown.iter().map(|rule| rule.id.chars().count()).max();
        let width = width.unwrap_or_default();
        writeln!(out, "\n{BOLD}rules{BOLD:#}")?;
        for rule in shown {
            let bar = (rule.count.times * BAR).div_ceil(most.max(1));
            writeln!(
                out,
                "{:width$}{:>8}  {CYAN}{:BAR$}{CYAN:#}  {}",
                rule.id,
                number(rule.count.times),
                "█".repeat(bar),
                visible::line(rule.title.as_bytes()),
            )?;
        }
        more(out, rules.len(), shown.len(), "rule")?;
        for rule in rules.iter().take(EXPLAINED) {
            self.examples(out, rule)?;
        }
        Ok(())
    }

    fn examples(&self, out: &mut impl Write, rule: &RuleTally<'_>) -> io::Result<()> {
        writeln!(
            out,
            "\n{BOLD}{}{BOLD:#}: {}",
            rule.id,
            visible::line(rule.title.as_bytes())
        )?;
        for at in rule.stopped.iter().take(EXAMPLES) {
            let Some((stopped, subject)) = self.at(*at) else {
                continue;
            };
            let finding = stopped
                .verdict
                .as_ref()
                .ok()
                .and_then(|verdict| verdict.findings.iter().find(|it| it.rule == rule.id));
            let span = finding.map_or(0..0, |it| it.span.start as usize..it.span.end as usize);
            marked(out, subject, span)?;
        }
        Ok(())
    }

    fn floors(&self, out: &mut impl Write) -> io::Result<()> {
        let floors: Vec<&Stopped> = self
            .stopped
            .iter()
            .filter(|stopped| matches!(&stopped.verdict, Ok(verdict) if verdict.floor.is_some()))
            .collect();
        if floors.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n{BOLD}floors{BOLD:#}")?;
        for stopped in floors.iter().take(FLOORS) {
            if let Some(subject) = self.calls.subjects.get(stopped.subject) {
                let rules = stopped.rules().join(" ");
                let text = shown(&subject.row.text);
                writeln!(out, "{} {text}{}", times(subject), no(subject))?;
                writeln!(
                    out,
                    "{:8}{}, {}:{}",
                    "",
                    visible::line(rules.as_bytes()),
                    name(&subject.file),
                    subject.line
                )?;
            }
        }
        more(out, floors.len(), FLOORS, "command")
    }

    /// What a person did not want and herma would let pass.
    fn refused(&self, out: &mut impl Write) -> io::Result<()> {
        let refused = &self.tally.refused_allowed;
        if refused.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n{BOLD}a person said no, herma would not ask{BOLD:#}")?;
        let subjects = refused.iter().filter_map(|at| self.calls.subjects.get(*at));
        for subject in subjects.take(SILENCED) {
            writeln!(out, "{} {}", times(subject), shown(&subject.row.text))?;
        }
        more(out, refused.len(), SILENCED, "command")
    }

    fn proposals(&self, out: &mut impl Write) -> io::Result<()> {
        let rules = &self.proposals.rules;
        if self.tally.ask.times == 0 {
            return Ok(());
        }
        if rules.is_empty() {
            return writeln!(out, "\nno rule to propose");
        }
        let mut spared: Vec<usize> = rules
            .iter()
            .flat_map(|rule| rule.silences.iter().copied())
            .collect();
        spared.sort_unstable();
        spared.dedup();
        let spared: usize = spared
            .iter()
            .filter_map(|at| self.at(*at))
            .map(|(_, subject)| subject.times)
            .sum();
        writeln!(
            out,
            "\n{BOLD}{} would spare {} of {} questions{BOLD:#}; judged again with them, \
             nothing else changes",
            counted(rules.len(), "rule"),
            number(spared),
            number(self.tally.ask.times),
        )?;
        for proposal in rules.iter().take(PROPOSALS) {
            self.proposal(out, proposal)?;
        }
        more(out, rules.len(), PROPOSALS, "rule")
    }

    fn proposal(&self, out: &mut impl Write, proposal: &Proposal) -> io::Result<()> {
        let finds: Vec<&str> = proposal.finds.iter().map(String::as_str).collect();
        let mut notes = vec![finds.join(", ")];
        if proposal.grave {
            notes.push("grave".to_owned());
        }
        if proposal.wide {
            notes.push("covers more than was seen".to_owned());
        }
        writeln!(out, "\n    # {}", notes.join("; "))?;
        for line in allowance::as_toml(&proposal.rule, "\n").lines() {
            writeln!(out, "    {line}")?;
        }
        writeln!(out, "  silences")?;
        for at in proposal.silences.iter().take(SILENCED) {
            if let Some((_, subject)) = self.at(*at) {
                writeln!(out, "{} {}", times(subject), shown(&subject.row.text))?;
            }
        }
        more(out, proposal.silences.len(), SILENCED, "command")
    }

    fn left(&self, out: &mut impl Write) -> io::Result<()> {
        let mut counts: std::collections::BTreeMap<Left, Count> = std::collections::BTreeMap::new();
        for (at, left) in &self.proposals.left {
            if let Some((stopped, subject)) = self.at(*at)
                && stopped.decision() == Decision::Ask
            {
                counts.entry(*left).or_default().times += subject.times;
            }
        }
        if counts.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n{BOLD}questions that stay{BOLD:#}")?;
        for (left, count) in counts {
            writeln!(out, "{:>7}  {}", number(count.times), left.words())?;
        }
        Ok(())
    }

    fn unread(&self, out: &mut impl Write) -> io::Result<()> {
        let calls = self.calls;
        if calls.broken_lines > 0 {
            let lines = counted(calls.broken_lines, "line");
            writeln!(out, "\n{BOLD}{lines} could not be read{BOLD:#}")?;
            for broken in calls.broken.iter().take(BROKEN) {
                let why = visible::short(&herma_secrets::redact(broken.why.as_bytes()));
                writeln!(out, "  {}:{}: {why}", name(&broken.file), broken.line)?;
            }
            more(out, calls.broken_lines, BROKEN, "line")?;
        }
        if !calls.passed_over.is_empty() {
            writeln!(out, "\n{BOLD}not read{BOLD:#}")?;
            for (path, why) in calls.passed_over.iter().take(BROKEN) {
                writeln!(out, "  {}: {}", name(path), visible::line(why.as_bytes()))?;
            }
            more(out, calls.passed_over.len(), BROKEN, "path")?;
        }
        Ok(())
    }

    fn at(&self, at: usize) -> Option<(&Stopped, &Subject)> {
        let stopped = self.stopped.get(at)?;
        Some((stopped, self.calls.subjects.get(stopped.subject)?))
    }
}

/// A command with its place underlined.
fn marked(out: &mut impl Write, subject: &Subject, span: std::ops::Range<usize>) -> io::Result<()> {
    let mut places = [span];
    let text = herma_secrets::redact_with(&subject.row.text, &mut places);
    let [span] = places;
    let excerpt = Excerpt::new(&text, span);
    let lead = excerpt.text.get(..excerpt.span.start).unwrap_or_default();
    let part = excerpt.text.get(excerpt.span.clone()).unwrap_or_default();
    writeln!(out, "{} {}{}", times(subject), excerpt.text, no(subject))?;
    let carets = part.chars().count();
    if carets == 0 {
        return Ok(());
    }
    writeln!(
        out,
        "{:8}{}{YELLOW}{}{YELLOW:#}",
        "",
        " ".repeat(lead.chars().count()),
        "^".repeat(carets)
    )
}

/// The mark of what a person did not want.
fn no(subject: &Subject) -> &'static str {
    if subject.refused > 0 {
        "   (a person said no)"
    } else {
        ""
    }
}

fn times(subject: &Subject) -> String {
    format!("{:>6}×", number(subject.times))
}

/// A command on one line without its secrets.
fn shown(text: &[u8]) -> String {
    visible::short(&herma_secrets::redact(text))
}

fn name(path: &Path) -> String {
    visible::line(path.as_os_str().as_bytes())
}

fn more(out: &mut impl Write, all: usize, shown: usize, what: &str) -> io::Result<()> {
    match all.saturating_sub(shown) {
        0 => Ok(()),
        rest => writeln!(
            out,
            "  … and {} (--json)",
            counted(rest, &format!("more {what}"))
        ),
    }
}

/// A number with its noun.
fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {what}{plural}", number(count))
}

/// A number in groups of three digits.
fn number(count: usize) -> String {
    let digits = count.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{counted, number};

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(number(0), "0");
        assert_eq!(number(999), "999");
        assert_eq!(number(1_000), "1,000");
        assert_eq!(number(1_234_567), "1,234,567");
        assert_eq!(counted(1, "file"), "1 file");
        assert_eq!(counted(2, "file"), "2 files");
    }
}
