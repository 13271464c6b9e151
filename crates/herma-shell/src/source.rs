//! Text to parse, with a map from its bytes to the text that the user saw.

/// A range of byte offsets `start..end` in the original text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset behind the last byte.
    pub end: u32,
}

impl Span {
    /// A span from `start` up to but not including `end`.
    #[must_use]
    pub fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// The smallest span that holds both.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        Self {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }
}

/// One run of the map: bytes from `at` on (in the source) were written from `origin` on.
#[derive(Clone, Copy, Debug)]
struct Run {
    at: u32,
    origin: u32,
    /// A fixed run maps every byte to `origin` (decoded or computed text).
    fixed: bool,
}

/// Bytes to parse and, for each, where it stands in the original text.
///
/// The text of the request maps to itself. Bodies of backticks and here-documents, values given to
/// `eval` or `sh -c`, and decoded data map to the bytes that they were written as, or, when there
/// are none, to the place of the word that yielded them.
#[derive(Clone, Debug)]
pub struct Source {
    bytes: Vec<u8>,
    runs: Vec<Run>,
    end: u32,
}

impl Source {
    /// The original text: every byte maps to itself.
    #[must_use]
    pub fn original(bytes: Vec<u8>) -> Self {
        let end = offset(bytes.len());
        Self {
            bytes,
            runs: vec![Run {
                at: 0,
                origin: 0,
                fixed: false,
            }],
            end,
        }
    }

    /// An empty source to which mapped runs are appended.
    #[must_use]
    pub fn builder() -> Self {
        Self {
            bytes: Vec::new(),
            runs: Vec::new(),
            end: 0,
        }
    }

    /// Appends bytes that were written contiguously from `origin` on.
    pub fn push(&mut self, bytes: &[u8], origin: u32) {
        if bytes.is_empty() {
            return;
        }
        let at = offset(self.bytes.len());
        let continues = self.runs.last().is_some_and(|run| {
            !run.fixed
                && at
                    .checked_sub(run.at)
                    .and_then(|d| run.origin.checked_add(d))
                    == Some(origin)
        });
        if !continues {
            self.runs.push(Run {
                at,
                origin,
                fixed: false,
            });
        }
        self.bytes.extend_from_slice(bytes);
        self.end = origin.saturating_add(offset(bytes.len()));
    }

    /// Appends computed bytes, all of which map to `span`'s start.
    pub fn push_fixed(&mut self, bytes: &[u8], span: Span) {
        if bytes.is_empty() {
            return;
        }
        let at = offset(self.bytes.len());
        self.runs.push(Run {
            at,
            origin: span.start,
            fixed: true,
        });
        self.bytes.extend_from_slice(bytes);
        self.end = span.end;
    }

    /// The bytes to parse.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Where the byte at `position` of this source stands in the original text. The position behind
    /// the last byte maps behind the last original byte.
    #[must_use]
    pub fn origin(&self, position: usize) -> u32 {
        if position >= self.bytes.len() {
            return self.end;
        }
        let position = offset(position);
        let index = self.runs.partition_point(|run| run.at <= position);
        match index.checked_sub(1).and_then(|i| self.runs.get(i)) {
            Some(run) if run.fixed => run.origin,
            Some(run) => run.origin + (position - run.at),
            None => 0,
        }
    }

    /// The bytes, each with where it stands in the original text.
    pub(crate) fn mapped(&self) -> impl Iterator<Item = (u8, u32)> {
        let starts = self.runs.iter().map(|run| run.at as usize);
        let ends = starts.skip(1).chain([self.bytes.len()]);
        self.runs.iter().zip(ends).flat_map(|(run, end)| {
            let bytes = self.bytes.get(run.at as usize..end).unwrap_or_default();
            let step = u32::from(!run.fixed);
            let origins = (0..).map(move |distance| run.origin + distance * step);
            bytes.iter().copied().zip(origins)
        })
    }

    /// The original span of the bytes `start..end` of this source.
    #[must_use]
    pub fn span(&self, start: usize, end: usize) -> Span {
        let first = self.origin(start);
        let last = if end > start {
            self.origin(end - 1).saturating_add(1)
        } else {
            first
        };
        Span {
            start: first,
            end: last.max(first),
        }
    }

    /// The part `start..end` of this source as a source of its own, with the same map.
    #[must_use]
    pub fn slice(&self, start: usize, end: usize) -> Self {
        let end = end.min(self.bytes.len());
        let start = start.min(end);
        let mut out = Self::builder();
        let mut position = start;
        while position < end {
            let at = offset(position);
            let index = self.runs.partition_point(|run| run.at <= at);
            let next = self
                .runs
                .get(index)
                .map_or(end, |run| (run.at as usize).min(end));
            let Some(bytes) = self.bytes.get(position..next) else {
                break;
            };
            match index.checked_sub(1).and_then(|i| self.runs.get(i)) {
                Some(run) if run.fixed => {
                    out.push_fixed(bytes, Span::new(run.origin, run.origin));
                }
                Some(run) => out.push(bytes, run.origin + (at - run.at)),
                None => out.push_fixed(bytes, Span::default()),
            }
            position = next;
        }
        out.end = self.origin(end);
        out
    }
}

/// Offsets are 32 bits wide; longer texts are refused before they come here.
fn offset(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
