//! The working directory, homes, and absolute paths.

use std::rc::Rc;

use crate::execution::{Arg, Reach};
use crate::path::normal;
use crate::resolve::machine::Machine;
use crate::resolve::machine::state::{State, Stayed};
use crate::value::{Origin, Piece, Value};
use crate::world::FileKind;

/// How many directories the stack keeps.
const MAX_DIRECTORIES: usize = 64;
/// How many parts a working directory has, known and unknown ones in turn.
const MAX_PARTS: usize = 64;
/// The longest path that the kernel takes, in bytes.
const PATH_MAX: usize = 4096;

impl Machine<'_> {
    /// `~`, `~user`, `~+`, `~-`; `None` when it stays as written.
    pub(crate) fn tilde(&mut self, user: &[u8], state: &State) -> Option<Value> {
        match user {
            b"" => {
                let home = self.scalar(b"HOME", state);
                let is_unset = home
                    .pieces
                    .iter()
                    .all(|piece| matches!(piece, Piece::Unset(_)));
                if !is_unset {
                    return Some(home);
                }
                Some(self.world.home(None).map_or_else(
                    || Value::unknown(Origin::Variable(b"HOME".to_vec())),
                    Value::computed,
                ))
            }
            b"+" => Some(state.place.cwd.clone()),
            b"-" => state.place.previous.clone(),
            number if !number.is_empty() && state.place.numbered(number).is_some() => {
                state.place.numbered(number)
            }
            name if name
                .iter()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.')) =>
            {
                let own = self
                    .scalar(b"HOME", state)
                    .bytes()
                    .map(std::borrow::Cow::into_owned);
                let own = own.filter(|home| home.rsplit(|b| *b == b'/').next() == Some(name));
                let home = self.world.home(Some(name)).or(own);
                home.or_else(|| (name == b"root").then(|| b"/root".to_vec()))
                    .map(Value::computed)
            }
            _ => None,
        }
    }

    /// The absolute, lexically normalised path that a word names; `None` when a part is unknown.
    pub(crate) fn absolute(&self, path: &Value, state: &State) -> Option<Vec<u8>> {
        let path = crate::resolve::files::names::with_temporary(path)?;
        if path.first() == Some(&b'/') {
            return Some(normal(&path));
        }
        let cwd = match state.place.cwd.bytes() {
            Some(cwd) => cwd,
            None => crate::resolve::files::names::with_temporary(&state.place.cwd)
                .filter(|cwd| cwd.first() == Some(&b'/'))?
                .into(),
        };
        let absolute = normal(&[&*cwd, b"/", &*path].concat());
        if state.place.stayed.is_empty() || self.is_file(&absolute, state) {
            return Some(absolute);
        }
        // Where a `cd` may have failed, a file that is there is the one that is meant.
        let stayed = state.place.stayed.iter();
        let stayed = stayed.filter_map(|(cwd, _)| {
            let cwd = cwd.bytes().filter(|cwd| cwd.first() == Some(&b'/'))?;
            Some(normal(&[&*cwd, b"/", &*path].concat()))
        });
        let mut there = stayed.filter(|path| self.is_file(path, state));
        Some(there.next().unwrap_or(absolute))
    }

    /// Whether a file was there before or the line made it.
    fn is_file(&self, path: &[u8], state: &State) -> bool {
        state.files.contains(path) || self.world.stat(path) == Some(FileKind::File)
    }

    /// The name under which the line's own files are kept: the absolute path, or for a relative one
    /// below a directory that cannot be known a name that all such directories share. Parts that
    /// cannot be known are named by where they come from: the same text names the same file.
    pub(crate) fn located(&self, path: &Value, state: &State) -> Option<Vec<u8>> {
        if let Some(absolute) = self.absolute(path, state) {
            return Some(absolute);
        }
        if let Some(path) = path.bytes() {
            return Some(normal(
                &[crate::resolve::files::names::ELSEWHERE, b"/", &*path].concat(),
            ));
        }
        let path = crate::resolve::files::names::named_by_origin(path)?;
        if path.first() == Some(&b'/') {
            return Some(normal(&path));
        }
        let cwd = match state.place.cwd.bytes() {
            Some(cwd) => cwd.into_owned(),
            None => crate::resolve::files::names::ELSEWHERE.to_vec(),
        };
        Some(normal(&[&cwd, b"/".as_slice(), &path].concat()))
    }

    /// `cd` and `pushd`.
    pub(crate) fn change_directory(&mut self, args: &[Arg], push: bool, state: &mut State) {
        let mut operands = args.iter().skip(1).filter(|arg| {
            !arg.value
                .bytes()
                .is_some_and(|b| matches!(&*b, b"-L" | b"-P" | b"-e" | b"-@" | b"--" | b"-n"))
        });
        let target = operands.next();
        if operands.next().is_some() && self.dialect == crate::syntax::Dialect::Bash {
            // Too many words: it fails.
            return;
        }
        let goes_back = target.is_some_and(|arg| arg.value.is(b"-"));
        let target = match target {
            None => self.scalar(b"HOME", state),
            Some(arg) if arg.value.is(b"-") => state
                .place
                .previous
                .clone()
                .unwrap_or_else(|| Value::unknown(Origin::Variable(b"OLDPWD".to_vec()))),
            // `cd $X` goes home when nobody set the name, but nobody means it.
            Some(arg)
                if !arg.value.pieces.is_empty()
                    && arg
                        .value
                        .pieces
                        .iter()
                        .all(|piece| matches!(piece, Piece::Unset(_))) =>
            {
                Value::unknown(Origin::Variable(b"PWD".to_vec()))
            }
            Some(arg) => arg.value.clone(),
        };
        let target = self.on_cdpath(target, state);
        let on_drive = self.dialect.is_windows()
            && matches!(target.known_prefix().as_slice(), [letter, b':', ..] if letter.is_ascii_alphabetic());
        let next = if on_drive {
            target.clone()
        } else {
            self.joined(&target, state)
        };
        let next = self.through_link(&next, true, state).unwrap_or(next);
        let mut stayed = self.led_from_where_it_stayed(&target, goes_back, state);
        let kept: usize = state.place.stack.iter().map(Value::size).sum();
        self.spend(20 + (next.size() + kept) as u64 / 64);
        let stays = self.reach < Reach::Script && !self.is_directory(&next, state);
        let place = Rc::make_mut(&mut state.place);
        let previous = std::mem::replace(&mut place.cwd, next);
        let before = place.previous.replace(previous.clone());
        if stays {
            stayed.insert(0, (previous.clone(), before));
            stayed.append(&mut place.stayed);
        }
        place.stayed.clear();
        place.stay_in(&stayed);
        if push {
            if place.stack.len() >= MAX_DIRECTORIES {
                // What lies below an empty stack is unknown.
                place.stack.clear();
            }
            place.stack.push(previous);
        }
        self.note_place(state);
    }

    /// Where this `cd` leads from where earlier ones left the shell if they failed.
    fn led_from_where_it_stayed(
        &self,
        target: &Value,
        goes_back: bool,
        state: &State,
    ) -> Vec<Stayed> {
        let stayed = state.place.stayed.iter();
        let led = stayed.map(|(cwd, previous)| {
            let mut there = state.clone();
            Rc::make_mut(&mut there.place).cwd = cwd.clone();
            let back = previous.as_ref().filter(|_| goes_back);
            let led = self.joined(back.unwrap_or(target), &there);
            (led, Some(cwd.clone()))
        });
        led.collect()
    }

    /// Whether the directory was there before, or the line has made it or what lies below it.
    fn is_directory(&self, path: &Value, state: &State) -> bool {
        let Some(path) = path.bytes() else {
            return true;
        };
        let below = [&*path, b"/"].concat();
        self.world.stat(&path) == Some(FileKind::Directory)
            || state
                .files
                .first_from(&below)
                .is_some_and(|file| file.starts_with(&below))
    }

    /// A relative directory that a `CDPATH` of the line's own leads elsewhere.
    fn on_cdpath(&mut self, target: Value, state: &State) -> Value {
        let own = state
            .variables
            .get(b"CDPATH")
            .is_some_and(|variable| variable.own);
        let relative = !matches!(target.known_prefix().first(), None | Some(b'/' | b'.'));
        if !own || !relative {
            return target;
        }
        let path = self.scalar(b"CDPATH", state).known_prefix();
        let mut entries: Vec<&[u8]> = path.split(|byte| *byte == b':').collect();
        entries.retain(|entry| !entry.is_empty());
        let Some(entry) = self
            .pick(b"CDPATH[]", entries.len() + 1)
            .map(|index| entries.get(index))
        else {
            return Value::unknown(Origin::Variable(b"PWD".to_vec()));
        };
        let Some(entry) = entry else {
            return target;
        };
        let mut joined = Value::computed(*entry);
        joined.push_text(b"/", None);
        joined.append(&target);
        joined
    }

    /// A path joined to the working directory; one that no system call takes is not known.
    pub(crate) fn joined(&self, path: &Value, state: &State) -> Value {
        let joined = self.joined_at_length(path, state);
        if joined.known_length() > PATH_MAX || joined.pieces.len() > MAX_PARTS {
            return Value::unknown(Origin::Variable(b"PWD".to_vec()));
        }
        joined
    }

    fn joined_at_length(&self, path: &Value, state: &State) -> Value {
        // What only an unset name makes absolute stays marked as that.
        if path.has_unset() && path.known_prefix().first() == Some(&b'/') {
            return path.clone();
        }
        if let Some(path) = self
            .absolute(path, state)
            .filter(|path| !crate::resolve::files::names::is_temporary(path))
        {
            return Value::computed(path);
        }
        if path.known_prefix().first() == Some(&b'/') {
            return path.clone();
        }
        match path.pieces.first() {
            // An unknown start may be absolute.
            Some(Piece::Unknown(_)) | None => path.clone(),
            _ => {
                let mut joined = state.place.cwd.clone();
                joined.push_text(b"/", None);
                joined.append(&path.without_places());
                joined
            }
        }
    }
}
