//! A foreign YAML file as a tree with places. Nothing is followed or run: aliases, tags and
//! several documents are faults, and depth and number of nodes are bounded.

use saphyr_parser::{Event, Marker, Parser, ScalarStyle};

/// Deepest nesting.
const MAX_DEPTH: usize = 32;

/// Most nodes.
const MAX_NODES: usize = 20_000;

/// A value with the line that it begins on, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) line: usize,
    pub(super) content: Content,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// A text; plain ones may be meant as numbers or truth values.
    Scalar {
        text: String,
        plain: bool,
    },
    List(Vec<Node>),
    /// Keys that are texts, in the order of the file.
    Map(Vec<(String, Node)>),
}

/// Why a text is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct YamlError {
    pub(super) line: usize,
    /// In characters, from 1.
    pub(super) column: usize,
    pub(super) what: String,
}

impl Node {
    /// The value under a key.
    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        match &self.content {
            Content::Map(entries) => entries
                .iter()
                .find(|(name, _)| name == key)
                .map(|(_, node)| node),
            _ => None,
        }
    }

    /// The text of a scalar.
    pub(super) fn text(&self) -> Option<&str> {
        match &self.content {
            Content::Scalar { text, .. } => Some(text),
            _ => None,
        }
    }

    /// A truth value, in the words of YAML 1.1.
    pub(super) fn truth(&self) -> Option<bool> {
        match &self.content {
            Content::Scalar { text, plain: true } => match text.to_ascii_lowercase().as_str() {
                "true" | "yes" | "on" => Some(true),
                "false" | "no" | "off" => Some(false),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Reads one document; `None` when there is none.
pub(super) fn parse(text: &str) -> Result<Option<Node>, YamlError> {
    let mut parser = Parser::new_from_str(text);
    let mut open: Vec<Open> = Vec::new();
    let mut root = None;
    let mut nodes = 0;
    while let Some(next) = parser.next_event() {
        let (event, span) = next.map_err(|error| fault(error.marker(), error.info()))?;
        let at = span.start;
        let node = match event {
            Event::Nothing | Event::StreamStart | Event::DocumentStart(_) | Event::DocumentEnd => {
                continue;
            }
            Event::StreamEnd => break,
            Event::Alias(_) => return Err(fault(&at, "an alias is not followed")),
            Event::Scalar(_, _, _, Some(_))
            | Event::SequenceStart(_, Some(_))
            | Event::MappingStart(_, Some(_)) => return Err(fault(&at, "a tag is not followed")),
            Event::Scalar(text, style, _, None) => Node {
                line: at.line(),
                content: Content::Scalar {
                    text: text.into_owned(),
                    plain: style == ScalarStyle::Plain,
                },
            },
            Event::SequenceStart(_, None) => {
                open.push(Open::new(&at, Content::List(Vec::new())));
                within(open.len(), &at)?;
                continue;
            }
            Event::MappingStart(_, None) => {
                open.push(Open::new(&at, Content::Map(Vec::new())));
                within(open.len(), &at)?;
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some(done) => done.node,
                None => return Err(fault(&at, "an end without a start")),
            },
        };
        nodes += 1;
        if nodes > MAX_NODES {
            return Err(fault(&at, "there are too many values"));
        }
        match open.last_mut() {
            Some(parent) => parent.add(node, &at)?,
            None if root.is_some() => return Err(fault(&at, "there are several documents")),
            None => root = Some(node),
        }
    }
    Ok(root)
}

/// A list or map that is being read.
struct Open {
    node: Node,
    /// The key whose value comes next.
    key: Option<String>,
}

impl Open {
    fn new(at: &Marker, content: Content) -> Self {
        let line = at.line();
        Self {
            node: Node { line, content },
            key: None,
        }
    }

    fn add(&mut self, node: Node, at: &Marker) -> Result<(), YamlError> {
        match &mut self.node.content {
            Content::Scalar { .. } => {}
            Content::List(items) => items.push(node),
            Content::Map(entries) => match self.key.take() {
                Some(key) if entries.iter().any(|(name, _)| *name == key) => {
                    return Err(fault(at, &format!("the key {key:?} is given twice")));
                }
                Some(key) => entries.push((key, node)),
                None => match node.content {
                    Content::Scalar { text, .. } => self.key = Some(text),
                    _ => return Err(fault(at, "a key is no text")),
                },
            },
        }
        Ok(())
    }
}

fn within(depth: usize, at: &Marker) -> Result<(), YamlError> {
    if depth > MAX_DEPTH {
        return Err(fault(at, "it is nested too deeply"));
    }
    Ok(())
}

fn fault(at: &Marker, what: &str) -> YamlError {
    YamlError {
        line: at.line(),
        column: at.col() + 1,
        what: what.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Content, parse};

    fn fault(text: &str) -> (usize, String) {
        let error = parse(text).expect_err("refused");
        (error.line, error.what)
    }

    #[test]
    fn values_keep_their_lines() {
        let root = parse("a:\n  b: off\n  c:\n    - 'x'\n    - y z\n")
            .unwrap()
            .unwrap();
        let a = root.get("a").unwrap();
        assert_eq!(a.get("b").unwrap().truth(), Some(false));
        let Content::List(items) = &a.get("c").unwrap().content else {
            panic!("no list");
        };
        let lines: Vec<(usize, &str)> = items
            .iter()
            .map(|it| (it.line, it.text().unwrap()))
            .collect();
        assert_eq!(lines, [(4, "x"), (5, "y z")]);
        assert_eq!(
            parse("a: 'off'")
                .unwrap()
                .unwrap()
                .get("a")
                .unwrap()
                .truth(),
            None
        );
        assert_eq!(parse("").unwrap(), None);
    }

    #[test]
    fn what_is_followed_or_grows_is_refused() {
        assert_eq!(fault("a: &x [1]\nb: *x").0, 2);
        assert_eq!(
            fault("a: !!python/object:os.system x").1,
            "a tag is not followed"
        );
        assert_eq!(fault("a: 1\n---\nb: 2").1, "there are several documents");
        assert_eq!(fault("a: 1\na: 2").1, "the key \"a\" is given twice");
        assert_eq!(fault(&"[".repeat(40)).1, "it is nested too deeply");
        assert_eq!(fault("? [a]\n: b").1, "a key is no text");
        let many = "- x\n".repeat(20_001);
        assert_eq!(fault(&many).1, "there are too many values");
        assert_eq!(fault("a: [1\n").0, 2);
    }
}
