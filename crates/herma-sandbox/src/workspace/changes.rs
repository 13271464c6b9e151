//! What is new behind a run: for the receipt.
//!
//! Nothing is read before the run: a file's time of change cannot be set back by those who have no
//! privileges, so that it tells what changed since. Files that git tracks are git's to show.

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use herma_protected::{ANYWHERE, Kind as Matter, is_instructions, is_within};
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, StatxFlags, StatxTimestamp};
use rustix::time::ClockId;

use crate::git::index::Index;
use crate::plan::is_passed;

/// A moment of the clock that the kernel takes for times of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment {
    seconds: i64,
    nanoseconds: u32,
}

impl Moment {
    /// Now.
    #[must_use]
    pub fn now() -> Self {
        let now = rustix::time::clock_gettime(ClockId::RealtimeCoarse);
        Self {
            seconds: now.tv_sec,
            nanoseconds: u32::try_from(now.tv_nsec).unwrap_or(0),
        }
    }

    fn of(stamp: StatxTimestamp) -> Self {
        Self {
            seconds: stamp.tv_sec,
            nanoseconds: stamp.tv_nsec,
        }
    }
}

/// How much is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Names.
    pub names: usize,
    /// Changes that are listed.
    pub listed: usize,
    /// Time.
    pub time: Duration,
}

impl Bounds {
    /// 50,000 names, 200 changes, one second.
    pub const USUAL: Self = Self {
        names: 50_000,
        listed: 200,
        time: Duration::from_secs(1),
    };
}

/// One file that changed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Change {
    /// Its path.
    pub path: PathBuf,
    /// Whether it was made since.
    pub new: bool,
    /// Whether it is a program that was made, or became one.
    pub executable: bool,
    /// Whether it may run or steer something later, by its name.
    pub later: bool,
}

/// What changed in a tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// In alphabetical order; those that run later and programs are listed first of all when there
    /// are too many.
    pub changes: Vec<Change>,
    /// How many changed files are not listed.
    pub more: usize,
    /// The first directory that was not looked at, when a bound was met.
    pub ended: Option<PathBuf>,
    /// Directories with what is made again or is somebody's package that changed; what lies in them
    /// was not looked at.
    pub passed: Vec<PathBuf>,
}

/// What changed below `root` since a moment and is not in `tracked`, whose paths begin at `top`.
#[must_use]
pub fn changes(
    root: &Path,
    since: Moment,
    tracked: Option<(&Path, &Index)>,
    bounds: Bounds,
) -> Changes {
    let until = Instant::now() + bounds.time;
    let mut found = Changes::default();
    let mut left = bounds.names;
    let mut waiting = VecDeque::from([root.to_owned()]);
    while let Some(directory) = waiting.pop_front() {
        if left == 0 || Instant::now() > until {
            found.ended = Some(directory);
            break;
        }
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let Ok(fd) = rustix::fs::open(&directory, flags, Mode::empty()) else {
            continue;
        };
        let Ok(list) = Dir::read_from(&fd) else {
            continue;
        };
        for entry in list.flatten() {
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if name == "." || name == ".." {
                continue;
            }
            if left == 0 {
                found.ended = Some(directory.clone());
                break;
            }
            left -= 1;
            let path = directory.join(name);
            let wanted = StatxFlags::BASIC_STATS | StatxFlags::BTIME;
            let Ok(stat) = rustix::fs::statx(&fd, name, AtFlags::SYMLINK_NOFOLLOW, wanted) else {
                continue;
            };
            let kind = FileType::from_raw_mode(u32::from(stat.stx_mode));
            let is_changed = Moment::of(stat.stx_ctime) >= since;
            let has_birth = stat.stx_mask & StatxFlags::BTIME.bits() != 0;
            let new = has_birth && Moment::of(stat.stx_btime) >= since;
            if kind.is_dir() {
                if name == ".git" {
                    repository(&path, root, since, new, &mut found);
                } else if is_passed(name.as_bytes()) {
                    if is_changed {
                        found.passed.push(path);
                    }
                } else {
                    waiting.push_back(path);
                }
                continue;
            }
            if !is_changed {
                continue;
            }
            let is_tracked = tracked.is_some_and(|(top, index)| {
                path.strip_prefix(top)
                    .is_ok_and(|inside| index.contains_key(inside.as_os_str().as_bytes()))
            });
            let executable = kind.is_file() && stat.stx_mode & 0o111 != 0;
            let later = is_later(&path, root);
            if !is_tracked || later {
                found.changes.push(Change {
                    path,
                    new,
                    executable,
                    later,
                });
            }
        }
    }
    if found.changes.len() > bounds.listed {
        found
            .changes
            .sort_by_key(|it| (!it.later, !it.executable, it.path.clone()));
        found.more = found.changes.len() - bounds.listed;
        found.changes.truncate(bounds.listed);
    }
    found.changes.sort();
    found.passed.sort();
    found
}

/// Of a repository only what runs something counts; the rest is git's.
fn repository(git: &Path, root: &Path, since: Moment, new: bool, found: &mut Changes) {
    // One that was made since has hooks and settings that nobody looked at.
    if new {
        found.changes.push(Change {
            path: git.to_owned(),
            new: true,
            executable: false,
            later: git.parent() != Some(root) || git.join("hooks").is_dir(),
        });
    }
    let mut files = vec![
        git.join("config"),
        git.join("config.worktree"),
        git.join("commondir"),
    ];
    if let Ok(hooks) = std::fs::read_dir(git.join("hooks")) {
        let all = hooks.flatten().take(256).map(|it| it.path());
        files.extend(all.filter(|it| it.extension() != Some(OsStr::new("sample"))));
    }
    for path in files {
        let wanted = StatxFlags::BASIC_STATS | StatxFlags::BTIME;
        let cwd = rustix::fs::CWD;
        let Ok(stat) = rustix::fs::statx(cwd, &path, AtFlags::SYMLINK_NOFOLLOW, wanted) else {
            continue;
        };
        if Moment::of(stat.stx_ctime) >= since {
            found.changes.push(Change {
                path,
                new: Moment::of(stat.stx_btime) >= since,
                executable: stat.stx_mode & 0o111 != 0,
                later: true,
            });
        }
    }
}

/// Names that the list of protected ones does not hold, since people change such files all day:
/// what runs when a project is built, installed, tested or pushed.
const BUILDS: &[&str] = &[
    "package.json",
    "Makefile",
    "makefile",
    "GNUmakefile",
    "justfile",
    "Justfile",
    "Rakefile",
    "Taskfile.yml",
    "build.rs",
    "conftest.py",
    "setup.py",
    "noxfile.py",
    "tox.ini",
    "Dockerfile",
    "docker-compose.yml",
    "compose.yml",
    "Jenkinsfile",
    ".gitlab-ci.yml",
    ".travis.yml",
    ".gitmodules",
    ".gitattributes",
    ".npmrc",
    ".yarnrc.yml",
    "pnpm-workspace.yaml",
    "gradlew",
    "mvnw",
];

/// Directories of that kind.
const BUILD_DIRECTORIES: &[&str] = &[
    ".github/workflows",
    ".github/actions",
    ".circleci",
    ".forgejo/workflows",
    ".gitea/workflows",
    ".buildkite",
    ".cargo",
    ".idea",
    ".vscode",
];

/// Whether a file may run or steer something later.
fn is_later(path: &Path, root: &Path) -> bool {
    let Ok(inside) = path.strip_prefix(root) else {
        return false;
    };
    let names: Vec<Vec<u8>> = inside.iter().map(|it| it.as_bytes().to_vec()).collect();
    let Some(last) = names.last() else {
        return false;
    };
    if is_instructions(last) || BUILDS.iter().any(|it| it.as_bytes() == last.as_slice()) {
        return true;
    }
    (0..names.len()).any(|from| {
        let rest = names.get(from..).unwrap_or_default();
        let listed = ANYWHERE
            .iter()
            .filter(|(_, matter)| !matches!(matter, Matter::Git | Matter::Credential))
            .any(|(entry, _)| is_within(rest, entry));
        listed || BUILD_DIRECTORIES.iter().any(|it| is_within(rest, it))
    })
}
