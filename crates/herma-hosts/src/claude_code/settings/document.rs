//! JSON text with the places of its values.

use std::fmt;
use std::ops::Range;

use serde::Serialize;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::settings::SettingsError;

/// A value and where it stands in the text.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// The value's own bytes.
    pub(super) span: Range<usize>,
    /// The same, from the key on when it is a member.
    element: Range<usize>,
}

/// The members of an object, in order.
pub(super) struct Object {
    path: String,
    members: Vec<(String, Node)>,
}

impl Object {
    /// The member of that name.
    pub(super) fn member(&self, key: &str) -> Result<Option<Node>, SettingsError> {
        let mut found = self.members.iter().filter(|(name, _)| name == key);
        let first = found.next().map(|(_, node)| node.clone());
        if found.next().is_some() {
            return Err(SettingsError::Twice {
                path: format!("{} > {key}", self.path),
            });
        }
        Ok(first)
    }
}

/// The items of an array, in order.
pub(super) struct Array {
    pub(super) items: Vec<Node>,
}

/// A JSON text that was read as a whole.
pub(super) struct Document<'a> {
    text: &'a str,
    root: Range<usize>,
}

impl<'a> Document<'a> {
    /// Checks that the text is JSON.
    pub(super) fn parse(text: &'a str) -> Result<Self, SettingsError> {
        let root: &RawValue = serde_json::from_str(text).map_err(|error| {
            let sentence = error.to_string();
            let detail = sentence
                .rsplit_once(" at line ")
                .map_or(sentence.as_str(), |(head, _)| head);
            SettingsError::Json {
                detail: detail.to_owned(),
                line: error.line(),
                column: error.column(),
            }
        })?;
        Ok(Self {
            text,
            root: place(text, root.get()),
        })
    }

    /// The outermost value.
    pub(super) fn root(&self) -> Node {
        Node {
            span: self.root.clone(),
            element: self.root.clone(),
        }
    }

    /// The bytes of a span.
    pub(super) fn slice(&self, span: &Range<usize>) -> &'a str {
        self.text.get(span.clone()).unwrap_or_default()
    }

    /// The node's members.
    pub(super) fn object(&self, node: &Node, path: &str) -> Result<Object, SettingsError> {
        let slice = self.slice(&node.span);
        let shape = || SettingsError::Shape {
            path: path.to_owned(),
            expected: "an object",
        };
        if !slice.starts_with('{') {
            return Err(shape());
        }
        let Members(members) = serde_json::from_str(slice).map_err(|_| shape())?;
        let mut before = node.span.start + 1;
        let members = members
            .into_iter()
            .map(|(key, raw)| {
                let span = place(self.text, raw.get());
                let element = self.skip_gap(before)..span.end;
                before = span.end;
                (key, Node { span, element })
            })
            .collect();
        Ok(Object {
            path: path.to_owned(),
            members,
        })
    }

    /// The node's items.
    pub(super) fn array(&self, node: &Node, path: &str) -> Result<Array, SettingsError> {
        let slice = self.slice(&node.span);
        let shape = || SettingsError::Shape {
            path: path.to_owned(),
            expected: "an array",
        };
        if !slice.starts_with('[') {
            return Err(shape());
        }
        let Items(items) = serde_json::from_str(slice).map_err(|_| shape())?;
        let items = items
            .into_iter()
            .map(|raw| {
                let span = place(self.text, raw.get());
                Node {
                    element: span.clone(),
                    span,
                }
            })
            .collect();
        Ok(Array { items })
    }

    /// The node's text, when it is a string.
    pub(super) fn string(&self, node: &Node) -> Option<String> {
        serde_json::from_str(self.slice(&node.span)).ok()
    }

    /// The text with one more element behind all others of `container`. `depth` says how deep the
    /// element stands.
    pub(super) fn append(
        &self,
        container: &Node,
        depth: usize,
        key: Option<&str>,
        value: &impl Serialize,
    ) -> String {
        let style = self.style();
        let mut element = key.map_or_else(String::new, |key| {
            format!("{}:{}", quoted(key), if style.is_some() { " " } else { "" })
        });
        element.push_str(&rendered(value, style, depth));
        let (line, outer) = style.map_or_else(Default::default, |indent| {
            (
                format!("\n{}", indent.repeat(depth)),
                format!("\n{}", indent.repeat(depth.saturating_sub(1))),
            )
        });
        match self.children(container).last() {
            Some(last) => {
                let at = last.element.end;
                self.replaced(at..at, &format!(",{line}{element}"))
            }
            None => {
                let slice = self.slice(&container.span);
                let (open, close) = if slice.starts_with('[') {
                    ("[", "]")
                } else {
                    ("{", "}")
                };
                self.replaced(
                    container.span.clone(),
                    &format!("{open}{line}{element}{outer}{close}"),
                )
            }
        }
    }

    /// The text without the element whose value stands at `span`, and without the containers that
    /// held nothing else. Below an array, an object goes with the array that made it useful.
    pub(super) fn without(&self, span: &Range<usize>) -> Result<String, SettingsError> {
        let mut path = Vec::new();
        let mut at = self.root();
        while at.span != *span {
            let children = self.children(&at);
            let inside = children
                .iter()
                .position(|child| child.span.start <= span.start && span.end <= child.span.end);
            let Some(index) = inside else {
                return Ok(self.text.to_owned());
            };
            let next = children.get(index).cloned();
            path.push((children, index));
            match next {
                Some(next) => at = next,
                None => return Ok(self.text.to_owned()),
            }
        }
        let mut emptied = false;
        while let Some((children, index)) = path.pop() {
            // `{"matcher": …, "hooks": []}` says nothing: the group goes as a whole.
            let is_group = path.len() == GROUP_DEPTH && emptied;
            if children.len() == 1 || is_group {
                emptied = true;
                continue;
            }
            return Ok(self.cut(&children, index));
        }
        Ok(self.replaced(self.root.clone(), "{}"))
    }

    /// The text without one of several elements.
    fn cut(&self, children: &[Node], index: usize) -> String {
        let element = |index: usize| children.get(index).map(|child| child.element.clone());
        let range = match (element(index), element(index + 1)) {
            (Some(this), Some(next)) => this.start..next.start,
            (Some(this), None) => {
                let before = index.checked_sub(1).and_then(element);
                before.map_or(this.start, |before| before.end)..this.end
            }
            (None, _) => return self.text.to_owned(),
        };
        self.replaced(range, "")
    }

    /// Members or items, whatever the node is.
    fn children(&self, node: &Node) -> Vec<Node> {
        if let Ok(array) = self.array(node, "") {
            return array.items;
        }
        self.object(node, "").map_or_else(
            |_| Vec::new(),
            |object| object.members.into_iter().map(|(_, node)| node).collect(),
        )
    }

    fn replaced(&self, range: Range<usize>, with: &str) -> String {
        let head = self.text.get(..range.start).unwrap_or_default();
        let tail = self.text.get(range.end..).unwrap_or_default();
        format!("{head}{with}{tail}")
    }

    /// The first byte of the next element, behind blanks and a comma.
    fn skip_gap(&self, from: usize) -> usize {
        let rest = self.text.get(from..).unwrap_or_default();
        let blank = |c: char| c.is_ascii_whitespace() || c == ',';
        self.text.len() - rest.trim_start_matches(blank).len()
    }

    /// The indentation in use; `None` when the text is written on one line.
    fn style(&self) -> Option<&'a str> {
        let body = self.slice(&self.root).get(1..)?;
        if body.trim() == "}" {
            return Some("  ");
        }
        let line = body
            .trim_start_matches([' ', '\t', '\r'])
            .strip_prefix('\n')?;
        let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        match line.get(..indent) {
            None | Some("") => Some("  "),
            indent => indent,
        }
    }
}

/// How many containers stand around the one that is a group of hooks.
const GROUP_DEPTH: usize = 3;

/// Where a part of the text stands in it.
fn place(text: &str, part: &str) -> Range<usize> {
    let start = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    start..start + part.len()
}

fn quoted(key: &str) -> String {
    serde_json::Value::from(key).to_string()
}

/// A value as it stands at a depth: every line but the first is indented.
fn rendered(value: &impl Serialize, style: Option<&str>, depth: usize) -> String {
    let Some(indent) = style else {
        return serde_json::to_string(value).unwrap_or_default();
    };
    let mut out = Vec::new();
    let formatter = serde_json::ser::PrettyFormatter::with_indent(indent.as_bytes());
    let mut serializer = serde_json::Serializer::with_formatter(&mut out, formatter);
    if value.serialize(&mut serializer).is_err() {
        return String::new();
    }
    String::from_utf8_lossy(&out).replace('\n', &format!("\n{}", indent.repeat(depth)))
}

/// Members in order, repetitions kept.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Members<'de>;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Collect)
    }
}

/// Items in order.
struct Items<'a>(Vec<&'a RawValue>);

impl<'de> Deserialize<'de> for Items<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Items<'de>;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("an array")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = seq.next_element()? {
                    items.push(item);
                }
                Ok(Items(items))
            }
        }
        deserializer.deserialize_seq(Collect)
    }
}
