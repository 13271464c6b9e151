//! Answers, and the bytes that carry them.

/// What was decided about a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer<'a> {
    /// The command may run; the host's own rules still apply.
    Allow,
    /// A person decides.
    Ask {
        /// One sentence for the person.
        reason: &'a str,
        /// The call may make, change or remove a file.
        changes_files: bool,
    },
    /// The command must not run.
    Deny {
        /// One sentence for the agent.
        reason: &'a str,
    },
}

/// What the hook process writes and how it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// Bytes for standard output, empty or one JSON object with its newline.
    pub stdout: Vec<u8>,
    /// Bytes for standard error, empty or one line with its newline.
    pub stderr: Vec<u8>,
    /// The exit code.
    pub code: u8,
}

impl Reply {
    /// Says nothing and succeeds.
    #[must_use]
    pub fn silence() -> Self {
        Self {
            stdout: Vec::new(),
            stderr: Vec::new(),
            code: 0,
        }
    }
}

/// How many bytes of a reason a host gets to see.
const REASON_LIMIT: usize = 2_000;

/// What is said when a reason has no visible character: an empty one lets some hosts run the
/// command.
const NO_REASON: &str = "herma: denied";

/// A reason as one non-empty line without control characters.
pub(crate) fn line(reason: &str) -> String {
    let mut out = String::with_capacity(reason.len().min(REASON_LIMIT));
    let mut blank = true;
    for char in reason.chars() {
        if out.len() + char.len_utf8() > REASON_LIMIT {
            out.push('…');
            break;
        }
        if char.is_control() || matches!(char, '\u{2028}' | '\u{2029}') {
            if !out.is_empty() && !out.ends_with(' ') {
                out.push(' ');
            }
            continue;
        }
        blank &= char.is_whitespace();
        out.push(char);
    }
    if blank {
        return NO_REASON.to_owned();
    }
    out.truncate(out.trim_end().len());
    out
}
