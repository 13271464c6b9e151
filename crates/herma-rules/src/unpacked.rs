//! Directories that the line fetched: what runs out of them was fetched too.

use std::borrow::Cow;

use herma_shell::path::base_name;
use herma_shell::{Arg, Execution, Value};

/// More say nothing new.
const MOST: usize = 32;

/// What the line fetched so far.
#[derive(Default)]
pub(crate) struct Unpacked {
    /// Names of archives, without directories and endings.
    archives: Vec<Vec<u8>>,
    /// Absolute directories whose whole content was fetched.
    directories: Vec<Vec<u8>>,
    /// Absolute directories into which archives were unpacked beside what was there before.
    beside: Vec<Vec<u8>>,
}

impl Unpacked {
    /// Takes in what an execution fetches or unpacks.
    pub(crate) fn follow(&mut self, base: &[u8], execution: &Execution) {
        if self.archives.len() + self.directories.len() >= MOST {
            return;
        }
        let words: Vec<Cow<'_, [u8]>> = execution
            .argv
            .iter()
            .skip(1)
            .filter_map(|arg| arg.value.bytes())
            .collect();
        match base {
            b"curl" | b"wget" | b"wget2" | b"aria2c" => {
                self.archives.extend(
                    words
                        .iter()
                        .filter_map(|word| stem(last(word)))
                        .map(<[u8]>::to_vec),
                );
            }
            b"git" => self.clone_of(&words, execution),
            b"tar" | b"bsdtar" | b"gtar" | b"unzip" | b"7z" => {
                self.unpack(base, &words, execution);
            }
            _ => {}
        }
    }

    /// Whether the program, or the script that an interpreter is given, lies in what was fetched.
    pub(crate) fn holds(&self, execution: &Execution) -> bool {
        if self.directories.is_empty() && self.beside.is_empty() {
            return false;
        }
        let mut words = execution.argv.iter().map(|arg| &arg.value);
        let Some(program) = words.next().and_then(Value::bytes) else {
            return false;
        };
        if self.installs(base_name(&program), execution) {
            return true;
        }
        let direct = program.contains(&b'/');
        let named = if direct {
            Some(program)
        } else if matches!(
            &*program,
            b"sh" | b"bash" | b"zsh" | b"dash" | b"python" | b"python3" | b"perl" | b"ruby"
        ) {
            words
                .filter_map(Value::bytes)
                .find(|word| !word.starts_with(b"-"))
        } else {
            None
        };
        named
            .and_then(|path| absolute(&path, execution))
            .is_some_and(|path| {
                self.is_fetched(&path)
                    || self.beside.iter().any(|directory| {
                        let Some(rest) = below(&path, directory) else {
                            return false;
                        };
                        // A file beside those of the project may well be the project's.
                        rest.contains(&b'/') || direct && !matches!(rest, b"gradlew" | b"mvnw")
                    })
            })
    }

    fn is_fetched(&self, path: &[u8]) -> bool {
        self.directories
            .iter()
            .any(|directory| below(path, directory).is_some())
    }

    /// `make install` with the makefile of what was fetched.
    fn installs(&self, base: &[u8], execution: &Execution) -> bool {
        if !matches!(base, b"make" | b"gmake" | b"ninja") {
            return false;
        }
        let words = execution.argv.get(1..).unwrap_or_default();
        let target = |arg: &Arg| arg.value.known_prefix().starts_with(b"install");
        let mut directories = words.iter().enumerate().filter_map(|(index, arg)| {
            let word = arg.value.bytes()?;
            match &*word {
                b"-C" | b"--directory" => words.get(index + 1)?.value.bytes(),
                _ => word
                    .strip_prefix(b"-C")
                    .or_else(|| word.strip_prefix(b"--directory="))
                    .map(|directory| directory.to_vec().into()),
            }
        });
        let directory = directories.next().unwrap_or(Cow::Borrowed(b"."));
        words.iter().any(target)
            && absolute(&directory, execution).is_some_and(|directory| {
                let inside = [directory.as_slice(), b"/makefile"].concat();
                let in_own = |beside: &Vec<u8>| {
                    below(&inside, beside).is_some_and(|rest| rest.contains(&b'/'))
                };
                self.is_fetched(&inside) || self.beside.iter().any(in_own)
            })
    }

    /// `git clone ADDRESS [DIRECTORY]`
    fn clone_of(&mut self, words: &[Cow<'_, [u8]>], execution: &Execution) {
        let Some(at) = words.iter().position(|word| **word == *b"clone") else {
            return;
        };
        let remote = |word: &[u8]| word.contains(&b':') && !word.starts_with(b"-");
        let rest = words.get(at + 1..).unwrap_or_default();
        let Some(address) = rest.iter().position(|word| remote(word)) else {
            return;
        };
        let directory = match rest.get(address + 1) {
            Some(word) if !word.starts_with(b"-") => word.to_vec(),
            _ => {
                let name = rest.get(address).map(|word| last(word)).unwrap_or_default();
                name.strip_suffix(b".git").unwrap_or(name).to_vec()
            }
        };
        self.directories.extend(absolute(&directory, execution));
    }

    /// An archive that was fetched: the directory it is unpacked into, or the one in the working
    /// directory that is called as the archive is.
    fn unpack(&mut self, base: &[u8], words: &[Cow<'_, [u8]>], execution: &Execution) {
        let piped = execution.stdin.as_ref().is_some_and(Value::is_fetched);
        let archive = words
            .iter()
            .filter_map(|word| stem(last(word)))
            .find(|stem| self.archives.iter().any(|own| own == stem))
            .map(<[u8]>::to_vec);
        if archive.is_none() && !piped {
            return;
        }
        let option: &[u8] = if base == b"unzip" { b"-d" } else { b"-C" };
        let target = words
            .iter()
            .position(|word| **word == *option)
            .and_then(|at| words.get(at + 1));
        let directory = match (target, archive) {
            (Some(target), _) => target.to_vec(),
            (None, Some(stem)) => stem,
            // Unless it is only listed.
            (None, None) => {
                let lists = words.first().is_some_and(|word| {
                    let flags = word.strip_prefix(b"-").unwrap_or(word);
                    **word == *b"--list" || !word.starts_with(b"--") && flags.contains(&b't')
                });
                if !lists {
                    self.beside.extend(absolute(b".", execution));
                }
                return;
            }
        };
        self.directories.extend(absolute(&directory, execution));
    }
}

/// What of the path stands behind the directory.
fn below<'a>(path: &'a [u8], directory: &[u8]) -> Option<&'a [u8]> {
    path.strip_prefix(directory)?.strip_prefix(b"/")
}

/// The last component of a path or an address.
fn last(word: &[u8]) -> &[u8] {
    word.rsplit(|byte| matches!(byte, b'/' | b'='))
        .next()
        .unwrap_or_default()
}

/// An archive's name without its ending.
fn stem(name: &[u8]) -> Option<&[u8]> {
    const ENDINGS: &[&[u8]] = &[
        b".tar.gz",
        b".tgz",
        b".tar.xz",
        b".txz",
        b".tar.bz2",
        b".tbz2",
        b".tar.zst",
        b".tar",
        b".zip",
        b".7z",
    ];
    ENDINGS
        .iter()
        .find_map(|ending| name.strip_suffix(*ending))
        .filter(|stem| !stem.is_empty())
}

/// The path from the root on, without `.` components; `..` is not followed.
pub(crate) fn absolute(path: &[u8], execution: &Execution) -> Option<Vec<u8>> {
    let mut out = if path.starts_with(b"/") {
        Vec::new()
    } else {
        execution.cwd.bytes()?.into_owned()
    };
    for part in path.split(|byte| *byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." => return None,
            part => {
                if out.last() != Some(&b'/') {
                    out.push(b'/');
                }
                out.extend_from_slice(part);
            }
        }
    }
    Some(out)
}
