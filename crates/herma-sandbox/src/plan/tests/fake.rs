//! A tree in memory.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use crate::plan::{Kind, Stamp, Tree};

enum Node {
    File(Vec<u8>, i64),
    Directory,
    Link(PathBuf),
}

pub(super) struct Fake {
    nodes: BTreeMap<PathBuf, Node>,
}

impl Fake {
    pub(super) fn new() -> Self {
        Self {
            nodes: BTreeMap::from([("/".into(), Node::Directory)]),
        }
    }

    fn put(&mut self, path: &Path, node: Node) {
        for above in path.ancestors().skip(1) {
            self.nodes
                .entry(above.to_owned())
                .or_insert(Node::Directory);
        }
        self.nodes.insert(path.to_owned(), node);
    }

    pub(super) fn directories(&mut self, paths: &[&str]) {
        for path in paths {
            self.put(Path::new(path), Node::Directory);
        }
    }

    pub(super) fn files(&mut self, files: &[(&str, &str)]) {
        for (path, text) in files {
            self.bytes(path, text.as_bytes().to_vec());
        }
    }

    pub(super) fn bytes(&mut self, path: &str, bytes: Vec<u8>) {
        self.put(Path::new(path), Node::File(bytes, 0));
    }

    pub(super) fn changed(&mut self, path: &str, at: i64) {
        if let Some(Node::File(_, seconds)) = self.nodes.get_mut(Path::new(path)) {
            *seconds = at;
        }
    }

    pub(super) fn links(&mut self, links: &[(&str, &str)]) {
        for (path, target) in links {
            self.put(Path::new(path), Node::Link(target.into()));
        }
    }

    /// The path in which links are followed, the last one if `last`.
    fn resolved(&self, path: &Path, last: bool) -> Option<PathBuf> {
        let mut todo: Vec<OsString> = path.iter().rev().map(Into::into).collect();
        let mut at = PathBuf::from("/");
        let mut hops = 0;
        while let Some(name) = todo.pop() {
            match Path::new(&name).components().next() {
                Some(Component::RootDir) => at = "/".into(),
                Some(Component::ParentDir) => {
                    at.pop();
                }
                Some(Component::CurDir) | None => {}
                _ => {
                    at.push(&name);
                    if let Some(Node::Link(target)) = self.nodes.get(&at)
                        && (last || !todo.is_empty())
                    {
                        hops += 1;
                        if hops > 40 {
                            return None;
                        }
                        at.pop();
                        todo.extend(target.iter().rev().map(OsString::from));
                    }
                }
            }
        }
        Some(at)
    }

    fn node(&self, path: &Path) -> Option<&Node> {
        self.nodes.get(&self.resolved(path, false)?)
    }
}

impl Tree for Fake {
    fn kind(&self, path: &Path) -> Option<Kind> {
        Some(match self.node(path)? {
            Node::File(..) => Kind::File,
            Node::Directory => Kind::Directory,
            Node::Link(_) => Kind::Link,
        })
    }

    fn list(&self, path: &Path, most: usize) -> Option<Vec<(OsString, Kind)>> {
        let path = self.resolved(path, true)?;
        matches!(self.nodes.get(&path)?, Node::Directory).then_some(())?;
        let names = self.nodes.keys().filter(|it| it.parent() == Some(&path));
        Some(
            names
                .filter_map(|it| Some((it.file_name()?.to_owned(), self.kind(it)?)))
                .take(most)
                .collect(),
        )
    }

    fn target(&self, path: &Path) -> Option<PathBuf> {
        match self.node(path)? {
            Node::Link(target) => Some(target.clone()),
            _ => None,
        }
    }

    fn read(&self, path: &Path, most: u64) -> Option<Vec<u8>> {
        match self.node(path)? {
            Node::File(bytes, _) if bytes.len() as u64 <= most => Some(bytes.clone()),
            _ => None,
        }
    }

    fn real(&self, path: &Path) -> Option<PathBuf> {
        let path = self.resolved(path, true)?;
        self.nodes.contains_key(&path).then_some(path)
    }

    fn stamp(&self, path: &Path) -> Option<Stamp> {
        match self.node(path)? {
            Node::File(bytes, seconds) => Some(Stamp {
                seconds: *seconds,
                size: bytes.len() as u64,
            }),
            _ => None,
        }
    }
}
