//! git's configuration files: reading, and changing single keys.

use std::ops::Range;

/// Largest file that is understood, in bytes.
pub const MAX_BYTES: u64 = 1 << 20;

/// The full name of a key: section and key compare without case and are kept in lower case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name {
    /// `remote` of `[remote "origin"]`.
    pub section: String,
    /// `origin` of `[remote "origin"]`.
    pub subsection: Option<Vec<u8>>,
    /// `url`.
    pub key: String,
}

impl std::fmt::Display for Name {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.subsection {
            Some(inner) => {
                write!(
                    out,
                    "{}.{}.{}",
                    self.section,
                    inner.escape_ascii(),
                    self.key
                )
            }
            None => write!(out, "{}.{}", self.section, self.key),
        }
    }
}

/// A key with its value; `None` is a key without `=`, which means true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name.
    pub name: Name,
    /// Its value, unquoted.
    pub value: Option<Vec<u8>>,
    /// The bytes from the key to the end of its line, line feed included.
    span: Range<usize>,
    /// Which head it stands under.
    head: usize,
}

/// A section's head.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Head {
    section: String,
    subsection: Option<Vec<u8>>,
    /// The whole line when nothing else stands there, else the head alone.
    span: Range<usize>,
    /// The end of the section's last entry, or of the head.
    end: usize,
    entries: usize,
}

/// The bytes are no configuration; git would refuse them, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no configuration of git, from byte {at}")]
pub struct Malformed {
    /// Where it went wrong.
    pub at: usize,
}

/// A configuration.
#[derive(Clone, Debug)]
pub struct Config {
    text: Vec<u8>,
    heads: Vec<Head>,
    entries: Vec<Entry>,
}

impl Config {
    /// Reads a file's bytes.
    ///
    /// # Errors
    /// [`Malformed`].
    pub fn parse(text: &[u8]) -> Result<Self, Malformed> {
        let mut reader = Reader {
            text,
            at: if text.starts_with(b"\xef\xbb\xbf") {
                3
            } else {
                0
            },
            heads: Vec::new(),
            entries: Vec::new(),
        };
        reader.file()?;
        Ok(Self {
            text: text.to_vec(),
            heads: reader.heads,
            entries: reader.entries,
        })
    }

    /// The bytes.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Every key in its order.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// All values of a key.
    #[must_use]
    pub fn values(&self, name: &Name) -> Vec<Option<&[u8]>> {
        self.entries
            .iter()
            .filter(|entry| entry.name == *name)
            .map(|entry| entry.value.as_deref())
            .collect()
    }

    /// The last value of a key without subsection, which is the one that counts.
    #[must_use]
    pub fn last(&self, section: &str, key: &str) -> Option<&[u8]> {
        self.entries
            .iter()
            .rev()
            .find(|it| {
                it.name.section == section && it.name.subsection.is_none() && it.name.key == key
            })
            .and_then(|entry| entry.value.as_deref())
    }

    /// The same configuration in which the key has these values and no others.
    ///
    /// # Errors
    /// [`Malformed`] when a value cannot be written.
    pub fn with(&self, name: &Name, values: &[Option<Vec<u8>>]) -> Result<Self, Malformed> {
        let mut lines = Vec::new();
        for value in values {
            lines.extend_from_slice(&line(&name.key, value.as_deref()).ok_or(Malformed { at: 0 })?);
        }
        let mut cuts: Vec<Range<usize>> = Vec::new();
        let mut gone = vec![0; self.heads.len()];
        for entry in self.entries.iter().filter(|entry| entry.name == *name) {
            cuts.push(self.whole_line(&entry.span));
            if let Some(gone) = gone.get_mut(entry.head) {
                *gone += 1;
            }
        }
        let home = self
            .heads
            .iter()
            .rposition(|head| head.section == name.section && head.subsection == name.subsection);
        // A section that holds nothing more goes with its last key.
        for (index, (head, gone)) in self.heads.iter().zip(&gone).enumerate() {
            if *gone > 0 && head.entries == *gone && (lines.is_empty() || Some(index) != home) {
                cuts.push(head.span.clone());
            }
        }
        let mut insert = None;
        if !lines.is_empty() {
            insert = match home.and_then(|home| self.heads.get(home)) {
                Some(head) => Some((head.end, lines)),
                None => {
                    let mut text = head_line(name).ok_or(Malformed { at: 0 })?;
                    text.extend_from_slice(&lines);
                    Some((self.text.len(), text))
                }
            };
        }
        Self::parse(&self.edited(cuts, insert))
    }

    /// An entry's line from its first byte, when nothing else stands in front of it.
    fn whole_line(&self, span: &Range<usize>) -> Range<usize> {
        let before = self.text.get(..span.start).unwrap_or_default();
        let start = before
            .iter()
            .rposition(|it| *it == b'\n')
            .map_or(0, |at| at + 1);
        let indent = before.get(start..).unwrap_or_default();
        if indent.iter().all(u8::is_ascii_whitespace) {
            start..span.end
        } else {
            span.clone()
        }
    }

    fn edited(&self, mut cuts: Vec<Range<usize>>, insert: Option<(usize, Vec<u8>)>) -> Vec<u8> {
        cuts.sort_by_key(|cut| cut.start);
        let mut out = Vec::with_capacity(self.text.len() + 64);
        let mut at = 0;
        let mut insert = insert;
        let copy =
            |out: &mut Vec<u8>, from: usize, to: usize, insert: &mut Option<(usize, Vec<u8>)>| {
                if let Some((place, text)) = insert.take_if(|(place, _)| *place <= to) {
                    let place = place.max(from);
                    out.extend_from_slice(self.text.get(from..place).unwrap_or_default());
                    if !out.is_empty() && !out.ends_with(b"\n") {
                        out.push(b'\n');
                    }
                    out.extend_from_slice(&text);
                    out.extend_from_slice(self.text.get(place..to).unwrap_or_default());
                } else {
                    out.extend_from_slice(self.text.get(from..to).unwrap_or_default());
                }
            };
        for cut in cuts {
            copy(&mut out, at, cut.start.max(at), &mut insert);
            at = at.max(cut.end);
        }
        copy(&mut out, at, self.text.len(), &mut insert);
        out
    }
}

/// A key's line; `None` when the value cannot be written.
fn line(key: &str, value: Option<&[u8]>) -> Option<Vec<u8>> {
    let mut line = format!("\t{key}").into_bytes();
    if let Some(value) = value {
        line.extend_from_slice(b" = \"");
        for byte in value {
            match byte {
                0 => return None,
                b'"' | b'\\' => line.extend_from_slice(&[b'\\', *byte]),
                b'\n' => line.extend_from_slice(b"\\n"),
                b'\t' => line.extend_from_slice(b"\\t"),
                8 => line.extend_from_slice(b"\\b"),
                _ => line.push(*byte),
            }
        }
        line.push(b'"');
        // As git writes it: quotes only where they are needed.
        let needs = value.first().is_some_and(u8::is_ascii_whitespace)
            || value.last().is_some_and(u8::is_ascii_whitespace)
            || value.iter().any(|it| matches!(it, b'#' | b';' | b'\r'));
        if !needs {
            let open = key.len() + 4;
            line.remove(open);
            line.pop();
        }
    }
    line.push(b'\n');
    Some(line)
}

fn head_line(name: &Name) -> Option<Vec<u8>> {
    let mut line = format!("[{}", name.section).into_bytes();
    if let Some(inner) = &name.subsection {
        line.extend_from_slice(b" \"");
        for byte in inner {
            match byte {
                0 | b'\n' => return None,
                b'"' | b'\\' => line.extend_from_slice(&[b'\\', *byte]),
                _ => line.push(*byte),
            }
        }
        line.push(b'"');
    }
    line.extend_from_slice(b"]\n");
    Some(line)
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    heads: Vec<Head>,
    entries: Vec<Entry>,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        match self.text.get(self.at) {
            Some(b'\r') if self.text.get(self.at + 1) == Some(&b'\n') => Some(b'\n'),
            other => other.copied(),
        }
    }

    /// The next byte; a carriage return with its line feed is a line feed.
    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += if byte == b'\n' && self.text.get(self.at) == Some(&b'\r') {
            2
        } else {
            1
        };
        Some(byte)
    }

    fn fail<T>(&self) -> Result<T, Malformed> {
        Err(Malformed { at: self.at })
    }

    fn file(&mut self) -> Result<(), Malformed> {
        loop {
            let start = self.at;
            match self.next() {
                None => return Ok(()),
                Some(b'\n' | b' ' | b'\t' | b'\r' | 0x0b | 0x0c) => {}
                Some(b'#' | b';') => self.comment(),
                Some(b'[') => self.head(start)?,
                Some(byte) if byte.is_ascii_alphabetic() => self.entry(start)?,
                Some(_) => return self.fail(),
            }
        }
    }

    fn comment(&mut self) {
        while !matches!(self.next(), None | Some(b'\n')) {}
    }

    fn head(&mut self, start: usize) -> Result<(), Malformed> {
        let mut name = Vec::new();
        let subsection = loop {
            match self.next() {
                Some(b']') => break None,
                Some(b' ' | b'\t') => break Some(self.subsection()?),
                Some(byte) if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.') => {
                    name.push(byte.to_ascii_lowercase());
                }
                _ => return self.fail(),
            }
        };
        // `[section.sub]` is the old way to write a subsection.
        let (section, subsection) = match (name.iter().position(|it| *it == b'.'), subsection) {
            (Some(dot), None) => (
                name.get(..dot).unwrap_or_default().to_vec(),
                Some(name.get(dot + 1..).unwrap_or_default().to_vec()),
            ),
            (_, subsection) => (name, subsection),
        };
        let head = self.at;
        let mut end = head;
        let mut alone = head;
        while let Some(b' ' | b'\t') = self.text.get(alone) {
            alone += 1;
        }
        let mut line_start = start;
        if self.text.get(alone) == Some(&b'\n') || alone == self.text.len() {
            end = (alone + 1).min(self.text.len());
            while line_start > 0 && matches!(self.text.get(line_start - 1), Some(b' ' | b'\t')) {
                line_start -= 1;
            }
        }
        self.heads.push(Head {
            section: String::from_utf8(section).or_else(|_| self.fail())?,
            subsection,
            span: line_start..end,
            end,
            entries: 0,
        });
        Ok(())
    }

    fn subsection(&mut self) -> Result<Vec<u8>, Malformed> {
        while let Some(b' ' | b'\t') = self.peek() {
            self.next();
        }
        if self.next() != Some(b'"') {
            return self.fail();
        }
        let mut name = Vec::new();
        loop {
            match self.next() {
                None | Some(b'\n') => return self.fail(),
                Some(b'"') => break,
                Some(b'\\') => match self.next() {
                    None | Some(b'\n') => return self.fail(),
                    Some(byte) => name.push(byte),
                },
                Some(byte) => name.push(byte),
            }
        }
        if self.next() == Some(b']') {
            Ok(name)
        } else {
            self.fail()
        }
    }

    fn entry(&mut self, start: usize) -> Result<(), Malformed> {
        let mut key = Vec::new();
        key.extend(self.text.get(start).map(u8::to_ascii_lowercase));
        while let Some(byte) = self.peek() {
            if !byte.is_ascii_alphanumeric() && byte != b'-' {
                break;
            }
            key.push(byte.to_ascii_lowercase());
            self.next();
        }
        while let Some(b' ' | b'\t') = self.peek() {
            self.next();
        }
        let value = match self.next() {
            None | Some(b'\n') => None,
            Some(b'=') => Some(self.value()?),
            Some(b'#' | b';') => {
                self.comment();
                None
            }
            Some(_) => return self.fail(),
        };
        let span = start..self.at;
        let Some(head) = self.heads.last_mut() else {
            return self.fail();
        };
        head.end = span.end;
        head.entries += 1;
        let name = Name {
            section: head.section.clone(),
            subsection: head.subsection.clone(),
            key: String::from_utf8(key).or_else(|_| self.fail())?,
        };
        self.entries.push(Entry {
            name,
            value,
            span,
            head: self.heads.len() - 1,
        });
        Ok(())
    }

    fn value(&mut self) -> Result<Vec<u8>, Malformed> {
        let mut value = Vec::new();
        let mut quoted = false;
        // Bytes up to here stay though they are blanks.
        let mut kept = 0;
        loop {
            match self.next() {
                None | Some(b'\n') if quoted => return self.fail(),
                None | Some(b'\n') => break,
                Some(b'"') => {
                    quoted = !quoted;
                    kept = value.len();
                }
                Some(b'\\') => {
                    match self.next() {
                        Some(b'\n') => continue,
                        Some(b'n') => value.push(b'\n'),
                        Some(b't') => value.push(b'\t'),
                        Some(b'b') => value.push(8),
                        Some(byte @ (b'\\' | b'"')) => value.push(byte),
                        _ => return self.fail(),
                    }
                    kept = value.len();
                }
                Some(b'#' | b';') if !quoted => {
                    self.comment();
                    break;
                }
                Some(byte) if !quoted && byte.is_ascii_whitespace() => {
                    // Blanks in front of a value are none of it.
                    if !value.is_empty() || kept > 0 {
                        value.push(byte);
                    }
                }
                Some(byte) => {
                    value.push(byte);
                    kept = value.len();
                }
            }
        }
        value.truncate(kept);
        Ok(value)
    }
}

#[cfg(test)]
mod tests;
