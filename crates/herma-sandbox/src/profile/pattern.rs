//! Paths of a profile.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use herma_patterns::{MAX_PATTERN, glob};

/// Where a pattern begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Anchor {
    /// `/…`
    Top,
    /// `~`, `~/…`
    Home,
    /// `.`, `./…`: the working directory.
    Workspace,
    /// A name or several: in every directory of the working directory.
    Anywhere,
}

/// A path in which `*` stands for any part of one name. What lies below counts too.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pattern {
    anchor: Anchor,
    names: Vec<String>,
}

impl Pattern {
    /// Reads a pattern; `None` when it is none that a profile may name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if text.is_empty() || text.len() > MAX_PATTERN || text.bytes().any(|it| it < 0x20) {
            return None;
        }
        let (anchor, rest) = match text {
            "~" => (Anchor::Home, ""),
            "." => (Anchor::Workspace, ""),
            _ => {
                if let Some(rest) = text.strip_prefix('/') {
                    (Anchor::Top, rest)
                } else if let Some(rest) = text.strip_prefix("~/") {
                    (Anchor::Home, rest)
                } else if let Some(rest) = text.strip_prefix("./") {
                    (Anchor::Workspace, rest)
                } else {
                    // `~name` is another user's home.
                    (!text.starts_with('~')).then_some((Anchor::Anywhere, text))?
                }
            }
        };
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        let names: Vec<String> = rest
            .split('/')
            .filter(|_| !rest.is_empty())
            .map(str::to_owned)
            .collect();
        let plain =
            |name: &String| !matches!(name.as_str(), "" | "." | "..") && !name.contains("**");
        if !names.iter().all(plain) || anchor == Anchor::Anywhere && names.is_empty() {
            return None;
        }
        Some(Self { anchor, names })
    }

    /// Where it begins.
    #[must_use]
    pub fn anchor(&self) -> Anchor {
        self.anchor
    }

    /// Its names below the anchor.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The path, when it has no `*` and begins at a directory; [`Anchor::Anywhere`] does not.
    #[must_use]
    pub fn path(&self, home: &Path, workspace: &Path) -> Option<PathBuf> {
        if self.names.iter().any(|name| name.contains('*')) {
            return None;
        }
        let mut path = self.base(home, workspace)?.to_owned();
        path.extend(&self.names);
        Some(path)
    }

    /// The directory at which it begins.
    #[must_use]
    pub fn base<'a>(&self, home: &'a Path, workspace: &'a Path) -> Option<&'a Path> {
        match self.anchor {
            Anchor::Top => Some(Path::new("/")),
            Anchor::Home => Some(home),
            Anchor::Workspace => Some(workspace),
            Anchor::Anywhere => None,
        }
    }

    /// Whether the path is what the pattern names, or lies below it.
    #[must_use]
    pub fn covers(&self, path: &Path, home: &Path, workspace: &Path) -> bool {
        match self.base(home, workspace) {
            Some(base) => path
                .strip_prefix(base)
                .is_ok_and(|inside| begins(&self.names, &names(inside))),
            None => {
                let Ok(inside) = path.strip_prefix(workspace) else {
                    return false;
                };
                let all = names(inside);
                (0..all.len()).any(|from| begins(&self.names, all.get(from..).unwrap_or_default()))
            }
        }
    }
}

impl std::fmt::Display for Pattern {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (alone, before) = match self.anchor {
            Anchor::Top => ("/", "/"),
            Anchor::Home => ("~", "~/"),
            Anchor::Workspace => (".", "./"),
            Anchor::Anywhere => ("", ""),
        };
        if self.names.is_empty() {
            return out.write_str(alone);
        }
        write!(out, "{before}{}", self.names.join("/"))
    }
}

/// The names of a path without links or dots.
fn names(path: &Path) -> Vec<&OsStr> {
    path.iter().collect()
}

/// Whether `names` begin as the pattern says.
fn begins(pattern: &[String], names: &[&OsStr]) -> bool {
    pattern.len() <= names.len()
        && pattern
            .iter()
            .zip(names)
            .all(|(want, name)| glob::matches(want.as_bytes(), name.as_bytes(), false))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covers(pattern: &str, path: &str) -> bool {
        let home = Path::new("/home/dev");
        let workspace = Path::new("/home/dev/proj");
        Pattern::parse(pattern)
            .unwrap()
            .covers(Path::new(path), home, workspace)
    }

    #[test]
    fn patterns_name_what_lies_below_too() {
        assert!(covers("/usr", "/usr/bin/ls"));
        assert!(covers("/usr/", "/usr"));
        assert!(!covers("/usr", "/usrlocal"));
        assert!(covers("~/.cargo", "/home/dev/.cargo/bin"));
        assert!(!covers("~/.cargo", "/root/.cargo"));
        assert!(covers("~", "/home/dev/x"));
        assert!(covers("/", "/anything"));
    }

    #[test]
    fn names_stand_for_themselves_in_every_directory_of_the_workspace() {
        assert!(covers("*.pem", "/home/dev/proj/a/b/x.pem"));
        assert!(covers(
            ".github/workflows",
            "/home/dev/proj/.github/workflows/ci.yml"
        ));
        assert!(covers(
            ".github/workflows",
            "/home/dev/proj/sub/.github/workflows"
        ));
        assert!(!covers(".github/workflows", "/home/dev/proj/.github"));
        assert!(!covers("*.pem", "/home/dev/x.pem"));
        assert!(covers("./x", "/home/dev/proj/x"));
        assert!(!covers("./x", "/home/dev/proj/a/x"));
        assert!(covers(".", "/home/dev/proj/a"));
    }

    #[test]
    fn a_star_stays_within_one_name() {
        assert!(covers("/opt/*/bin", "/opt/a/bin"));
        assert!(!covers("/opt/*/bin", "/opt/a/b/bin"));
    }

    #[test]
    fn odd_paths_are_none() {
        for wrong in [
            "", "..", "a/../b", "/a//b", "~dev/x", "/a/**", "./", "a\n", "/./x", "x/.",
        ] {
            let read = Pattern::parse(wrong);
            assert!(read.is_none() || wrong == "./", "{wrong:?}");
        }
        assert_eq!(Pattern::parse("./").unwrap().to_string(), ".");
        assert_eq!(Pattern::parse("~/a/").unwrap().to_string(), "~/a");
    }
}
