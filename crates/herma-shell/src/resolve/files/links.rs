//! Symbolic links and mounts that the line makes.

use crate::resolve::machine::Machine;
use crate::resolve::machine::state::State;
use crate::value::{Origin, Piece, Value};

/// How many links of a path are followed.
const MAX_HOPS: usize = 8;

/// How many targets of one link are kept; one that cannot be known stands for the others.
const MAX_TARGETS: usize = 4;

/// Where a link may lead: absolute paths, with a slash at the end for mounts. An empty one cannot
/// be known.
pub(crate) type Targets = Vec<Vec<u8>>;

/// Takes in the targets of another way to here; says whether any is new.
pub(crate) fn join_targets(own: &mut Targets, other: &Targets) -> bool {
    let before = own.len();
    for target in other {
        if own.contains(target) || own.len() > MAX_TARGETS {
            continue;
        }
        if own.len() == MAX_TARGETS {
            own.push(Vec::new());
        } else {
            own.push(target.clone());
        }
    }
    own.len() > before
}

impl Machine<'_> {
    /// A path that goes through links of the line; one that ends with a link only where that is
    /// `followed`.
    pub(crate) fn through_link(
        &mut self,
        path: &Value,
        followed: bool,
        state: &State,
    ) -> Option<Value> {
        let mut led = self.one_link(path, followed, state)?;
        for _ in 1..MAX_HOPS {
            match self.one_link(&led, followed, state) {
                Some(next) if next != led => led = next,
                _ => break,
            }
        }
        Some(led)
    }

    fn one_link(&mut self, path: &Value, followed: bool, state: &State) -> Option<Value> {
        if state.links.is_empty() {
            return None;
        }
        let path = super::names::pinned(path);
        let is_text = |piece: &&Piece| matches!(piece, Piece::Text { .. });
        let count = path.pieces.iter().take_while(is_text).count();
        let (head, rest) = path.pieces.split_at(count);
        let Some(Piece::Text { at, .. }) = head.first() else {
            return None;
        };
        let head = Value {
            pieces: head.to_vec(),
            decoded: false,
        };
        let bytes = head.bytes()?;
        let ends = rest.is_empty().then_some(bytes.len());
        let slashes = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        let positions = slashes.map(|(position, _)| position).take(64).chain(ends);
        for position in positions {
            if !self.spend(2 + position as u64 / 16) {
                return None;
            }
            let link = Value::computed(bytes.get(..position)?);
            let Some(link) = self.absolute(&link, state) else {
                continue;
            };
            let inside = position < bytes.len() || followed;
            let targets: Vec<&Vec<u8>> = state
                .links
                .get(&link)
                .into_iter()
                .flatten()
                .filter(|target| inside || is_mount(target))
                .collect();
            if targets.is_empty() {
                continue;
            }
            let key = [b"link ", link.as_slice()].concat();
            let picked = self.pick(&key, targets.len());
            let mut value = match picked.and_then(|index| targets.get(index)) {
                Some(target) if !target.is_empty() => Value::computed(target.as_slice()),
                _ => Value::unknown(Origin::Other),
            };
            let at = at
                .filter(|_| count == 1)
                .and_then(|at| at.checked_add(u32::try_from(position).ok()?));
            value.push_text(bytes.get(position..)?, at);
            value.pieces.extend_from_slice(rest);
            return super::names::unpinned(&value);
        }
        None
    }

    /// The path that the kernel comes to by links, in the reading that the current command takes; `None`
    /// where none is on the way.
    pub(super) fn led(&mut self, path: &[u8], state: &State) -> Option<Vec<u8>> {
        if state.links.is_empty() {
            return None;
        }
        let led = self.through_link(&Value::computed(path), true, state)?;
        if self.one_link(&led, true, state).is_some() {
            // More links than are followed, or links in a circle.
            return None;
        }
        Some(crate::path::normal(&led.bytes()?))
    }
}

/// What a mount leads to is told from a link's target by its end.
pub(super) fn is_mount(target: &[u8]) -> bool {
    target.len() > 1 && target.ends_with(b"/")
}
