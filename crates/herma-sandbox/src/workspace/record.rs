//! Lines of a journal.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

/// What was put somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum What {
    Directory,
    Node,
    File,
}

/// One line.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Record {
    /// Something is about to be made under a name that nobody else uses.
    Begun { path: PathBuf },
    /// Something was made and is about to get its name.
    Made {
        path: PathBuf,
        what: What,
        device: u64,
        inode: u64,
        /// What a file holds.
        content: Vec<u8>,
    },
}

impl Record {
    /// The line, its end included.
    pub(super) fn line(&self) -> String {
        match self {
            Self::Begun { path } => format!("begun {}\n", hex(path.as_os_str().as_bytes())),
            Self::Made {
                path,
                what,
                device,
                inode,
                content,
            } => {
                let what = match what {
                    What::Directory => "directory",
                    What::Node => "node",
                    What::File => "file",
                };
                let path = hex(path.as_os_str().as_bytes());
                format!("made {what} {device} {inode} {path} x{}\n", hex(content))
            }
        }
    }

    /// Reads a line without its end; `None` for what is none, such as a torn one.
    fn parse(line: &str) -> Option<Self> {
        let mut words = line.split(' ');
        let record = match words.next()? {
            "begun" => Self::Begun {
                path: path(words.next()?)?,
            },
            "made" => Self::Made {
                what: match words.next()? {
                    "directory" => What::Directory,
                    "node" => What::Node,
                    "file" => What::File,
                    _ => return None,
                },
                device: words.next()?.parse().ok()?,
                inode: words.next()?.parse().ok()?,
                path: path(words.next()?)?,
                content: bytes(words.next()?.strip_prefix('x')?)?,
            },
            _ => return None,
        };
        words.next().is_none().then_some(record)
    }
}

/// The records of a journal; a torn last line was never acted upon.
pub(super) fn records(text: &str) -> Vec<Record> {
    text.split_inclusive('\n')
        .filter_map(|line| Record::parse(line.strip_suffix('\n')?))
        .collect()
}

fn path(text: &str) -> Option<PathBuf> {
    let path = PathBuf::from(OsString::from_vec(bytes(text)?));
    path.is_absolute().then_some(path)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(text: &str) -> Option<Vec<u8>> {
    if !text.is_ascii() || !text.len().is_multiple_of(2) {
        return None;
    }
    (0..text.len() / 2)
        .map(|at| u8::from_str_radix(text.get(2 * at..2 * at + 2)?, 16).ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_they_were_written() {
        let all = [
            Record::Begun {
                path: "/a b\n/ü".into(),
            },
            Record::Made {
                path: OsString::from_vec(b"/\xff".to_vec()).into(),
                what: What::File,
                device: u64::MAX,
                inode: 7,
                content: b".\n".to_vec(),
            },
            Record::Made {
                path: "/d".into(),
                what: What::Directory,
                device: 0,
                inode: 1,
                content: Vec::new(),
            },
        ];
        let text: String = all.iter().map(Record::line).collect();
        assert_eq!(records(&text), all);
        assert_eq!(records(&text[..text.len() - 1]).len(), 2);
        for wrong in [
            "made node 1 2 2f\n",
            "made x 1 2 2f x\n",
            "begun 2\n",
            "begun 6161\n",
            "made node -1 2 2f x\n",
            "begun 2f x\n",
            "begun é0\n",
        ] {
            assert_eq!(records(wrong), [], "{wrong}");
        }
    }
}
