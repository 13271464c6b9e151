//! A persistent ordered map: copies share their nodes.
//!
//! States are copied at every branch, subshell and pipeline stage, and differ in a few names. What
//! no copy shares is changed in place. A treap whose priorities are hashes of the keys has one shape for one set of keys, so two maps can
//! be compared without walking what they share.

use std::cmp::Ordering;
use std::hash::{BuildHasher, RandomState};
use std::rc::Rc;
use std::sync::LazyLock;

/// Seeded anew for each process, so that hostile names cannot make the tree deep.
static HASHER: LazyLock<RandomState> = LazyLock::new(RandomState::new);

type Link<V> = Option<Rc<Node<V>>>;

#[derive(Debug)]
struct Node<V> {
    key: Rc<[u8]>,
    value: Rc<V>,
    priority: u64,
    left: Link<V>,
    right: Link<V>,
}

impl<V> Node<V> {
    fn with(&self, left: Link<V>, right: Link<V>) -> Rc<Self> {
        Rc::new(Self {
            key: Rc::clone(&self.key),
            value: Rc::clone(&self.value),
            priority: self.priority,
            left,
            right,
        })
    }
}

/// A copy of a node shares everything below it.
impl<V> Clone for Node<V> {
    fn clone(&self) -> Self {
        Self {
            key: Rc::clone(&self.key),
            value: Rc::clone(&self.value),
            priority: self.priority,
            left: self.left.clone(),
            right: self.right.clone(),
        }
    }
}

/// The map.
#[derive(Debug)]
pub(crate) struct Map<V> {
    root: Link<V>,
    length: usize,
}

impl<V> Clone for Map<V> {
    fn clone(&self) -> Self {
        Self {
            root: self.root.clone(),
            length: self.length,
        }
    }
}

impl<V> Default for Map<V> {
    fn default() -> Self {
        Self {
            root: None,
            length: 0,
        }
    }
}

impl<V> Map<V> {
    pub(crate) fn get(&self, key: &[u8]) -> Option<&V> {
        self.shared(key).map(|value| &**value)
    }

    /// The value as the copies of the map share it.
    pub(crate) fn shared(&self, key: &[u8]) -> Option<&Rc<V>> {
        let mut link = &self.root;
        while let Some(node) = link {
            link = match key.cmp(&node.key) {
                Ordering::Less => &node.left,
                Ordering::Greater => &node.right,
                Ordering::Equal => return Some(&node.value),
            };
        }
        None
    }

    pub(crate) fn contains(&self, key: &[u8]) -> bool {
        self.get(key).is_some()
    }

    pub(crate) fn len(&self) -> usize {
        self.length
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Whether both are the same copy.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        same(&self.root, &other.root)
    }

    pub(crate) fn insert(&mut self, key: &[u8], value: V) {
        let value = Rc::new(value);
        if self.contains(key) {
            replace(&mut self.root, key, value);
        } else {
            self.length += 1;
            insert(&mut self.root, key, value, HASHER.hash_one(key));
        }
    }

    pub(crate) fn remove(&mut self, key: &[u8]) {
        if self.contains(key) {
            self.length -= 1;
            self.root = remove(&self.root, key);
        }
    }

    /// The first key that is this one or behind it.
    pub(crate) fn first_from(&self, key: &[u8]) -> Option<&[u8]> {
        let mut found = None;
        let mut link = &self.root;
        while let Some(node) = link {
            link = if *node.key < *key {
                &node.right
            } else {
                found = Some(&*node.key);
                &node.left
            };
        }
        found
    }

    /// Keys and values in the order of the keys.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&[u8], &V)> {
        let mut stack: Vec<&Node<V>> = Vec::new();
        let mut next = self.root.as_deref();
        std::iter::from_fn(move || {
            while let Some(node) = next {
                stack.push(node);
                next = node.left.as_deref();
            }
            let node = stack.pop()?;
            next = node.right.as_deref();
            Some((&*node.key, &*node.value))
        })
    }

    /// The keys for which the maps do not share the value.
    pub(crate) fn differing(&self, other: &Self) -> Vec<Rc<[u8]>> {
        let mut keys = Vec::new();
        let mut pairs = vec![(self.root.clone(), other.root.clone())];
        while let Some(pair) = pairs.pop() {
            match pair {
                (None, None) => {}
                (a, b) if same(&a, &b) => {}
                (Some(node), None) | (None, Some(node)) => {
                    keys.push(Rc::clone(&node.key));
                    pairs.push((node.left.clone(), None));
                    pairs.push((node.right.clone(), None));
                }
                (Some(a), Some(b)) if a.key == b.key => {
                    if !Rc::ptr_eq(&a.value, &b.value) {
                        keys.push(Rc::clone(&a.key));
                    }
                    pairs.push((a.left.clone(), b.left.clone()));
                    pairs.push((a.right.clone(), b.right.clone()));
                }
                (Some(a), Some(b)) => {
                    // The root of higher priority has no partner in the other tree.
                    let (upper, lower) = if above(&a, &b.key, b.priority) {
                        (a, b)
                    } else {
                        (b, a)
                    };
                    keys.push(Rc::clone(&upper.key));
                    let (left, right) = split(&Some(lower), &upper.key);
                    pairs.push((upper.left.clone(), left));
                    pairs.push((upper.right.clone(), right));
                }
            }
        }
        keys
    }
}

impl<V: Clone> Map<V> {
    /// Changes the value of a key that is there.
    pub(crate) fn update(&mut self, key: &[u8], change: impl FnOnce(&mut V)) {
        if let Some(value) = self.get(key) {
            let mut value = value.clone();
            change(&mut value);
            self.insert(key, value);
        }
    }
}

fn same<V>(a: &Link<V>, b: &Link<V>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => Rc::ptr_eq(a, b),
        (None, None) => true,
        _ => false,
    }
}

fn above<V>(node: &Node<V>, key: &[u8], priority: u64) -> bool {
    (node.priority, &*node.key) >= (priority, key)
}

/// Gives a key that is there another value.
fn replace<V>(mut link: &mut Link<V>, key: &[u8], value: Rc<V>) {
    while let Some(node) = link {
        let node = Rc::make_mut(node);
        link = match key.cmp(&node.key) {
            Ordering::Less => &mut node.left,
            Ordering::Greater => &mut node.right,
            Ordering::Equal => {
                node.value = value;
                return;
            }
        };
    }
}

/// Puts in a key that is not there.
fn insert<V>(link: &mut Link<V>, key: &[u8], value: Rc<V>, priority: u64) {
    match link {
        Some(node) if above(node, key, priority) => {
            let node = Rc::make_mut(node);
            let below = if key < &*node.key {
                &mut node.left
            } else {
                &mut node.right
            };
            insert(below, key, value, priority);
        }
        link => {
            let (left, right) = split(link, key);
            *link = Some(Rc::new(Node {
                key: key.into(),
                value,
                priority,
                left,
                right,
            }));
        }
    }
}

/// The parts below and above the key.
fn split<V>(link: &Link<V>, key: &[u8]) -> (Link<V>, Link<V>) {
    let Some(node) = link else {
        return (None, None);
    };
    match key.cmp(&node.key) {
        Ordering::Less => {
            let (left, right) = split(&node.left, key);
            (left, Some(node.with(right, node.right.clone())))
        }
        Ordering::Greater => {
            let (left, right) = split(&node.right, key);
            (Some(node.with(node.left.clone(), left)), right)
        }
        Ordering::Equal => (node.left.clone(), node.right.clone()),
    }
}

fn remove<V>(link: &Link<V>, key: &[u8]) -> Link<V> {
    let node = link.as_ref()?;
    match key.cmp(&node.key) {
        Ordering::Less => Some(node.with(remove(&node.left, key), node.right.clone())),
        Ordering::Greater => Some(node.with(node.left.clone(), remove(&node.right, key))),
        Ordering::Equal => merge(&node.left, &node.right),
    }
}

fn merge<V>(left: &Link<V>, right: &Link<V>) -> Link<V> {
    match (left, right) {
        (None, link) | (link, None) => link.clone(),
        (Some(a), Some(b)) if above(a, &b.key, b.priority) => {
            Some(a.with(a.left.clone(), merge(&a.right, right)))
        }
        (Some(_), Some(b)) => Some(b.with(merge(left, &b.left), b.right.clone())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(names: &[&str]) -> Map<u32> {
        let mut map = Map::default();
        for (index, name) in names.iter().enumerate() {
            map.insert(name.as_bytes(), u32::try_from(index).unwrap());
        }
        map
    }

    #[test]
    fn gives_back_what_was_put_in() {
        let mut map = map(&["a", "b", "c"]);
        map.insert(b"b", 9);
        map.remove(b"a");
        map.remove(b"absent");
        assert_eq!(
            map.iter().collect::<Vec<_>>(),
            [(&b"b"[..], &9), (&b"c"[..], &2)]
        );
        assert_eq!(map.len(), 2);
    }

    #[test]
    fn a_copy_does_not_see_later_changes() {
        let before = map(&["a", "b"]);
        let mut after = before.clone();
        after.insert(b"a", 7);
        assert_eq!(before.get(b"a"), Some(&0));
        assert_eq!(after.get(b"a"), Some(&7));
    }

    #[test]
    fn only_what_differs_is_named() {
        let names: Vec<String> = (0..500).map(|n| format!("n{n}")).collect();
        let before = map(&names.iter().map(String::as_str).collect::<Vec<_>>());
        let mut after = before.clone();
        after.insert(b"n7", 1);
        after.insert(b"new", 1);
        after.remove(b"n400");
        let mut keys: Vec<_> = after
            .differing(&before)
            .iter()
            .map(|key| key.to_vec())
            .collect();
        keys.sort();
        assert_eq!(keys, [b"n400".to_vec(), b"n7".to_vec(), b"new".to_vec()]);
    }
}
