//! The layers and their merge.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use rustix::fs::FileType;

use crate::document::{Document, Setting, Value};
use crate::error::{ConfigError, Kind, RuleFault};
use crate::guarded::{self, Directory, Refusal, Trust};
use crate::home::Home;
use crate::key::{ASKING_CONTEXTS, Default, Key, Shape, Tighter};
use crate::rule::UserRule;
use crate::source::Source;

/// The directory of the machine's policy.
pub const SYSTEM_DIRECTORY: &str = "/etc/herma";

/// The name of a project's policy.
pub const PROJECT_FILE: &str = ".herma.toml";

/// The key of profiles.
const PROFILES: &str = "profiles.*";

/// Most rule files that a directory may hold.
const MAX_RULE_FILES: usize = 256;

/// Most rules of all files together: each is tried on every command.
pub(crate) const MAX_RULES: usize = 4096;

/// Who wrote a file; a later one may only tighten.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Layer {
    /// The machine's administrator.
    System,
    /// The user.
    User,
    /// Whoever wrote the project: not trusted.
    Project,
}

/// Where the layers are.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Sources<'a> {
    /// The machine's policy.
    pub system: &'a Path,
    /// The user's.
    pub home: &'a Home,
    /// The working directory, absolute; `.herma.toml` of it and of every directory above counts,
    /// so that neither a new directory nor a new repository inside the project leaves its policy.
    pub cwd: Option<&'a Path>,
}

impl<'a> Sources<'a> {
    /// The usual places.
    #[must_use]
    pub fn new(home: &'a Home, cwd: Option<&'a Path>) -> Self {
        Self {
            system: Path::new(SYSTEM_DIRECTORY),
            home,
            cwd,
        }
    }

    /// The same with the machine's policy elsewhere.
    #[must_use]
    pub fn system(self, system: &'a Path) -> Self {
        Self { system, ..self }
    }
}

/// A setting that counts, and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    pub(crate) value: Value,
    pub(crate) file: PathBuf,
    pub(crate) line: u32,
}

/// A file that holds `[profiles.NAME]` tables, which the sandbox reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileFile {
    /// Who wrote it.
    pub layer: Layer,
    /// The file.
    pub file: PathBuf,
    /// Its whole text.
    pub text: String,
}

/// What the layers say together.
#[derive(Debug, Default)]
pub(crate) struct Merge {
    /// Files with profiles, higher layers first.
    pub(crate) profiles: Vec<ProfileFile>,
    pub(crate) settings: BTreeMap<String, Placed>,
    pub(crate) rules: Vec<UserRule>,
    /// The rules by their ids and former ids.
    ids: BTreeMap<String, usize>,
    /// Keys without effect in the order of the files, also those that a lower layer set again.
    pub(crate) without_effect: Vec<(String, PathBuf, u32)>,
    pub(crate) errors: Vec<ConfigError>,
}

/// Whether a socket is there: a sandbox keeps this name from being made by it. It holds nothing,
/// and no repository can bring one.
fn is_mount_point(file: &Path) -> bool {
    let kind = rustix::fs::lstat(file).map(|it| FileType::from_raw_mode(it.st_mode));
    kind == Ok(FileType::Socket)
}

impl Merge {
    /// Reads every layer.
    pub(crate) fn read(sources: &Sources<'_>) -> Self {
        let mut merge = Self::default();
        merge.directory(sources.system, Layer::System);
        merge.directory(sources.home.root(), Layer::User);
        let above: Vec<&Path> = sources
            .cwd
            .map(Path::ancestors)
            .into_iter()
            .flatten()
            .collect();
        for directory in above.into_iter().rev() {
            let file = directory.join(PROJECT_FILE);
            let content = match guarded::read(&file, guarded::MAX_BYTES, Trust::Anybody) {
                Err(_) if is_mount_point(&file) => Ok(None),
                content => content,
            };
            merge.file(&file, Layer::Project, content, false);
        }
        merge
    }

    /// Reads `config.toml` and `rules.d` of a directory.
    fn directory(&mut self, path: &Path, layer: Layer) {
        let directory = match Directory::open(path, Trust::Owner) {
            Ok(Some(directory)) => directory,
            Ok(None) => return,
            Err(why) => return self.refuse(path, why),
        };
        let content = directory.read(OsStr::new("config.toml"), guarded::MAX_BYTES);
        self.file(&path.join("config.toml"), layer, content, false);
        let rules = match directory.directory(OsStr::new("rules.d")) {
            Ok(Some(rules)) => rules,
            Ok(None) => return,
            Err(why) => return self.refuse(&path.join("rules.d"), why),
        };
        let names = match rules.names() {
            Ok(names) => names,
            Err(why) => return self.refuse(rules.path(), why),
        };
        let files = names
            .iter()
            .filter(|name| Path::new(name).extension() == Some(OsStr::new("toml")));
        for (index, name) in files.enumerate() {
            if index == MAX_RULE_FILES {
                return self.refuse(rules.path(), Refusal::TooManyNames);
            }
            let content = rules.read(name, guarded::MAX_BYTES);
            self.file(&rules.path().join(name), layer, content, true);
        }
    }

    fn refuse(&mut self, file: &Path, why: Refusal) {
        self.whole(file, Kind::Refused(why));
    }

    fn whole(&mut self, file: &Path, what: Kind) {
        self.errors.push(ConfigError {
            file: file.to_owned(),
            line: 0,
            column: 0,
            what,
            suggestion: None,
            excerpt: None,
        });
    }

    fn file(
        &mut self,
        file: &Path,
        layer: Layer,
        content: Result<Option<Vec<u8>>, Refusal>,
        rules_only: bool,
    ) {
        let content = match content {
            Ok(Some(content)) => content,
            Ok(None) => return,
            Err(why) => return self.refuse(file, why),
        };
        match std::str::from_utf8(&content) {
            Ok(text) => self.absorb(&Source::new(file, layer, text), rules_only),
            Err(_) => self.whole(file, Kind::NotUtf8),
        }
    }

    /// Adds what a text says.
    pub(crate) fn absorb(&mut self, source: &Source<'_>, rules_only: bool) {
        let document = Document::parse(source, rules_only);
        self.errors.extend(document.errors);
        if document.settings.iter().any(|it| it.key.path == PROFILES) {
            self.profiles.push(ProfileFile {
                layer: source.layer,
                file: source.file.to_owned(),
                text: source.text.to_owned(),
            });
        }
        for setting in document.settings {
            self.setting(source, setting);
        }
        for placed in document.rules {
            if let Err(fault) = self.rule(placed.rule) {
                self.errors
                    .push(source.error(placed.span, Kind::Rule(fault)));
                if self.rules.len() == MAX_RULES {
                    return;
                }
            }
        }
    }

    /// Adds a rule under its id and its former ones, none of which another rule may have.
    fn rule(&mut self, rule: UserRule) -> Result<(), RuleFault> {
        if self.rules.len() == MAX_RULES {
            return Err(RuleFault::TooManyRules);
        }
        let names = || rule.aliases.iter().chain([&rule.id]);
        let mut own = BTreeSet::new();
        for id in names() {
            let taken = self.ids.get(id).and_then(|index| self.rules.get(*index));
            let taken = taken.or_else(|| (!own.insert(id)).then_some(&rule));
            if let Some(taken) = taken {
                return Err(RuleFault::IdTaken {
                    id: id.clone(),
                    file: taken.file.clone(),
                    line: taken.line,
                });
            }
        }
        for id in names() {
            self.ids.insert(id.clone(), self.rules.len());
        }
        self.rules.push(rule);
        Ok(())
    }

    fn setting(&mut self, source: &Source<'_>, setting: Setting) {
        let line = source.line(setting.span.start);
        let file = source.file.to_owned();
        let than = match self.settings.get(&setting.path) {
            Some(higher) if !may_follow(setting.key, Some(&higher.value), &setting.value) => {
                Some(Some((higher.file.clone(), higher.line)))
            }
            None if source.layer == Layer::Project => {
                let default = default_of(setting.key, &setting.path);
                (!may_follow(setting.key, default.as_ref(), &setting.value)).then_some(None)
            }
            _ => None,
        };
        if let Some(than) = than {
            let key = setting.path;
            self.errors
                .push(source.error(setting.span, Kind::Looser { key, than }));
            return;
        }
        if !setting.key.effect {
            self.without_effect
                .push((setting.path.clone(), file.clone(), line));
        }
        let placed = Placed {
            value: setting.value,
            file,
            line,
        };
        self.settings.insert(setting.path, placed);
    }
}

/// The value of a key that nobody sets, by its path with names.
pub(crate) fn default_of(key: &Key, path: &str) -> Option<Value> {
    match key.default {
        Default::Unset => None,
        Default::Text(text) => Some(Value::Text(text.to_owned())),
        Default::Integer(number) => Some(Value::Integer(number)),
        Default::Boolean(truth) => Some(Value::Boolean(truth)),
        Default::Empty => Some(Value::Texts(Vec::new())),
        Default::ByName => path.strip_prefix("contexts.").map(|name| {
            let asks = ASKING_CONTEXTS.contains(&name);
            Value::Text(if asks { "ask" } else { "deny" }.to_owned())
        }),
    }
}

/// Whether a lower layer may write `value` where a higher one has `higher`.
fn may_follow(key: &Key, higher: Option<&Value>, value: &Value) -> bool {
    let Some(higher) = higher else {
        return true;
    };
    match (key.tighter, higher, value) {
        (Tighter::Adds, ..) => true,
        (Tighter::Later, Value::Text(higher), Value::Text(value)) => {
            let Shape::Choice(choices) = key.shape else {
                return false;
            };
            let rank = |word: &String| choices.iter().position(|choice| choice == word);
            rank(value) >= rank(higher)
        }
        (Tighter::Lower, Value::Integer(higher), Value::Integer(value)) => value <= higher,
        (Tighter::Higher, Value::Integer(higher), Value::Integer(value)) => value >= higher,
        (Tighter::True, Value::Boolean(higher), Value::Boolean(value)) => *value || !*higher,
        (Tighter::False, Value::Boolean(higher), Value::Boolean(value)) => !*value || *higher,
        (Tighter::Subset, Value::Texts(higher), Value::Texts(value)) => {
            value.iter().all(|text| higher.contains(text))
        }
        // An opaque table is not compared: the higher layer's stays.
        (_, Value::Opaque, _) | (_, _, Value::Opaque) => false,
        (_, higher, value) => higher == value,
    }
}

#[cfg(test)]
mod tests;
