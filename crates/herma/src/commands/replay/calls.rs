//! The commands that files hold, each once, with how often it was asked for.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use herma_hosts::claude_code::transcript;
use jiff::Timestamp;

use super::lines::{FILE, Line, Lines};
use super::progress::Progress;
use super::source::Sources;
use crate::arguments::{FormatName, Replay};
use crate::rows::{self, Row};

/// Calls that are kept.
const CALLS: usize = 2_000_000;

/// Different commands that are kept.
const SUBJECTS: usize = 250_000;

/// Bytes of different commands that are kept.
const TEXTS: usize = 256 << 20;

/// Bytes that are read from all files.
const ALL_BYTES: u64 = 16 << 30;

/// Lines that could not be read and are named.
const BROKEN: usize = 1_000;

/// A command in its directory.
#[derive(Debug)]
pub(crate) struct Subject {
    pub(crate) row: Rc<Row>,
    /// Whether it comes from an agent's transcript, and so ran with this user's variables.
    pub(crate) agent: bool,
    /// How often it was asked for.
    pub(crate) times: usize,
    /// To how many of these a person said no.
    pub(crate) refused: usize,
    /// Where it stood first.
    pub(crate) file: Rc<Path>,
    pub(crate) line: u64,
}

/// A line that could not be read.
#[derive(Debug)]
pub(crate) struct Broken {
    pub(crate) file: Rc<Path>,
    pub(crate) line: u64,
    pub(crate) why: String,
}

/// What was read.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    pub(crate) subjects: Vec<Subject>,
    /// Files that were read.
    pub(crate) files: usize,
    /// The first of the broken lines.
    pub(crate) broken: Vec<Broken>,
    /// How many there are.
    pub(crate) broken_lines: usize,
    /// Calls that stand in several transcripts, since a session was continued in another file.
    pub(crate) repeated: usize,
    /// Calls without a time, left out because only younger ones were wanted.
    pub(crate) timeless: usize,
    /// Files and directories that were not read, or not to their end.
    pub(crate) passed_over: Vec<(PathBuf, String)>,
}

/// One call.
struct Call {
    subject: usize,
    /// Milliseconds since 1970.
    time: Option<i64>,
    refused: bool,
}

/// Reads all files.
pub(crate) fn read(mut sources: Sources, arguments: &Replay, cwd: &[u8]) -> anyhow::Result<Calls> {
    let mut reader = Reader::default();
    let mut progress = Progress::new();
    let files = std::mem::take(&mut sources.files);
    let mut bytes = 0u64;
    for (index, source) in files.iter().enumerate() {
        let name: Rc<Path> = source.name().into();
        let opened = source.open();
        let input = match opened {
            Ok(input) => input,
            Err(error) => {
                sources.pass_over(name.to_path_buf(), &error.to_string());
                continue;
            }
        };
        let mut lines = Lines::new(input);
        let read = reader.file(&mut lines, &name, arguments.format, cwd, &mut |calls| {
            progress.show(|| format!("reading {}/{}, {calls} commands", index + 1, files.len()));
        });
        bytes = bytes.saturating_add(lines.bytes);
        reader.calls.files += 1;
        match read {
            Err(error) => sources.pass_over(name.to_path_buf(), &error.to_string()),
            Ok(Stop::Limit(why)) => {
                sources.pass_over(name.to_path_buf(), &format!("not read to its end: {why}"));
            }
            Ok(Stop::End) => {}
        }
        if bytes >= ALL_BYTES || reader.is_full() {
            for source in files.iter().skip(index + 1) {
                sources.pass_over(source.name().to_owned(), "more than is read");
            }
            break;
        }
    }
    progress.end();
    let since = arguments
        .since
        .map(|age| Timestamp::now().as_millisecond() - age.saturating_mul(1_000));
    let mut calls = reader.counted(since, arguments.limit);
    calls.passed_over = sources.passed_over;
    Ok(calls)
}

/// Why a file was left.
enum Stop {
    End,
    Limit(&'static str),
}

#[derive(Default)]
struct Reader {
    calls: Calls,
    every: Vec<Call>,
    index: HashMap<Rc<Row>, usize>,
    texts: usize,
    /// Calls of transcripts by subject, id and time, which copies of a row keep.
    known: HashMap<(usize, String, i64), usize>,
}

impl Reader {
    fn is_full(&self) -> bool {
        self.every.len() >= CALLS || self.calls.subjects.len() >= SUBJECTS || self.texts >= TEXTS
    }

    fn file(
        &mut self,
        lines: &mut Lines,
        name: &Rc<Path>,
        format: Option<FormatName>,
        cwd: &[u8],
        progress: &mut dyn FnMut(usize),
    ) -> std::io::Result<Stop> {
        let format = match format {
            Some(format) => format,
            None => lines.format(name.extension().is_some_and(|end| end == "jsonl"))?,
        };
        // Results name calls of their own file.
        let mut ids: HashMap<String, usize> = HashMap::new();
        while let Some((number, line)) = lines.next()? {
            if number.is_multiple_of(1024) {
                progress(self.every.len());
            }
            if self.is_full() {
                return Ok(Stop::Limit("more commands than are kept"));
            }
            if lines.bytes > FILE {
                return Ok(Stop::Limit("larger than is read"));
            }
            let read = match line {
                Line::TooLong => Err("too long".to_owned()),
                Line::Text(text) => match format {
                    FormatName::ClaudeCode => self.transcript(&text, name, number, &mut ids),
                    FormatName::Jsonl => {
                        rows::row(&text, cwd).map(|row| self.listed(row, false, name, number))
                    }
                    // A comment of a list, or a time in a shell's history.
                    FormatName::List if text.first() == Some(&b'#') => Ok(()),
                    FormatName::List => {
                        let row = Row::of_process(text, cwd.to_vec());
                        self.listed(row, true, name, number);
                        Ok(())
                    }
                },
            };
            if let Err(why) = read {
                self.broken(name, number, why);
            }
        }
        Ok(Stop::End)
    }

    fn transcript(
        &mut self,
        line: &[u8],
        name: &Rc<Path>,
        number: u64,
        ids: &mut HashMap<String, usize>,
    ) -> Result<(), String> {
        let row = transcript::decode(line).map_err(|error| error.to_string())?;
        for id in &row.refused {
            if let Some(call) = ids.get(id).and_then(|at| self.every.get_mut(*at)) {
                call.refused = true;
            }
        }
        let Some(cwd) = row.cwd else { return Ok(()) };
        let cwd = herma_shell::path::normal(cwd.as_bytes());
        let time = row
            .time
            .and_then(|time| time.parse::<Timestamp>().ok())
            .map(Timestamp::as_millisecond);
        for call in row.calls {
            let row = Row::of_process(call.command.into_bytes(), cwd.clone());
            let subject = self.subject(row, true, name, number);
            let at = self.every.len();
            let known = match time {
                Some(time) => *self
                    .known
                    .entry((subject, call.id.clone(), time))
                    .or_insert(at),
                None => at,
            };
            ids.insert(call.id, known);
            if known == at {
                self.called(subject, time);
            } else {
                self.calls.repeated += 1;
            }
        }
        Ok(())
    }

    /// The subject with this row, a new one when there is none.
    fn subject(&mut self, row: Row, agent: bool, name: &Rc<Path>, line: u64) -> usize {
        if let Some(subject) = self.index.get(&row) {
            return *subject;
        }
        let row = Rc::new(row);
        let subject = self.calls.subjects.len();
        self.texts = self.texts.saturating_add(row.text.len());
        self.calls.subjects.push(Subject {
            row: Rc::clone(&row),
            agent,
            times: 0,
            refused: 0,
            file: Rc::clone(name),
            line,
        });
        self.index.insert(row, subject);
        subject
    }

    fn listed(&mut self, row: Row, agent: bool, name: &Rc<Path>, line: u64) {
        let subject = self.subject(row, agent, name, line);
        self.called(subject, None);
    }

    fn called(&mut self, subject: usize, time: Option<i64>) {
        self.every.push(Call {
            subject,
            time,
            refused: false,
        });
    }

    fn broken(&mut self, file: &Rc<Path>, line: u64, why: String) {
        self.calls.broken_lines += 1;
        if self.calls.broken.len() < BROKEN {
            self.calls.broken.push(Broken {
                file: Rc::clone(file),
                line,
                why,
            });
        }
    }

    /// Counts the calls that are wanted: those since a moment, and of these the latest.
    fn counted(mut self, since: Option<i64>, limit: Option<usize>) -> Calls {
        let mut calls = self.calls;
        if let Some(since) = since {
            calls.timeless = self.every.iter().filter(|call| call.time.is_none()).count();
            self.every
                .retain(|call| call.time.is_some_and(|time| time >= since));
        }
        if let Some(limit) = limit {
            // Without times the order of reading is that of time.
            self.every.sort_by_key(|call| call.time);
            let from = self.every.len().saturating_sub(limit);
            self.every.drain(..from);
        }
        for call in &self.every {
            if let Some(subject) = calls.subjects.get_mut(call.subject) {
                subject.times += 1;
                subject.refused += usize::from(call.refused);
            }
        }
        calls.subjects.retain(|subject| subject.times > 0);
        calls
    }
}
