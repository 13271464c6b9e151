//! Questions about paths and their answers.

use std::fmt;

use herma_paths::{Action, Operation, Protected, Protection, Refusal, Root, Verdict, lexical};
use serde::de::{Deserialize, Deserializer, Error, Visitor};

use crate::exit::Exit;

/// A path, what shall be done with it, and where it must stay.
#[derive(Debug)]
pub(crate) struct Question {
    /// Absolute.
    pub(crate) root: Vec<u8>,
    pub(crate) path: Vec<u8>,
    pub(crate) operation: Operation,
    /// The user's home, if it is known.
    pub(crate) home: Option<Vec<u8>>,
    /// Root and path are in another file system.
    pub(crate) lexical: bool,
}

/// Where a path leads and what is there.
#[derive(Debug)]
pub(crate) struct Place {
    /// Why it is not used; `None` when it is inside.
    pub(crate) refusal: Option<Refusal>,
    pub(crate) protection: Option<Protection>,
    /// The canonical path, when there is one.
    pub(crate) path: Option<Vec<u8>>,
    /// How many names the file has; `None` for directories and what is not there.
    pub(crate) links: Option<u64>,
}

impl Place {
    /// The verdict.
    pub(crate) fn verdict(&self) -> Verdict {
        self.refusal.map_or(Verdict::Inside, Refusal::verdict)
    }

    /// The exit code: a protected file inside is asked for or denied.
    pub(crate) fn exit(&self) -> Exit {
        match (self.verdict(), self.protection.map(|found| found.action)) {
            (Verdict::Inside, None) => Exit::Success,
            (Verdict::Inside, Some(Action::Ask)) => Exit::Ask,
            _ => Exit::Deny,
        }
    }

    fn refused(why: Refusal) -> Self {
        Self {
            refusal: Some(why),
            protection: None,
            path: None,
            links: None,
        }
    }
}

/// Answers a question; `state` is herma's own directory.
pub(crate) fn find(question: &Question, state: &[u8]) -> Place {
    // HOME may be anything; the password database knows the account's real home.
    let account = crate::accounts::account_home();
    let homes: Vec<&[u8]> = [&question.home, &account]
        .into_iter()
        .filter_map(Option::as_deref)
        .collect();
    let protected = Protected::new(&homes, state);
    let found = if question.lexical {
        by_name(question, &protected)
    } else {
        here(question, &protected)
    };
    found.unwrap_or_else(Place::refused)
}

fn here(question: &Question, protected: &Protected) -> Result<Place, Refusal> {
    let operation = question.operation;
    let root = Root::open(&question.root)?;
    let located = root.locate(&question.path, operation, question.home.as_deref())?;
    let mut place = Place {
        refusal: None,
        protection: protected.find(&root, &located, operation),
        path: Some(located.canonical()),
        links: located.link_count(),
    };
    place.refusal = root.admit(located, operation).err();
    Ok(place)
}

fn by_name(question: &Question, protected: &Protected) -> Result<Place, Refusal> {
    let path = lexical::locate(&question.root, &question.path, question.home.as_deref())?;
    Ok(Place {
        refusal: None,
        protection: protected.find_by_name(&question.root, &path, question.operation),
        path: Some(path),
        links: None,
    })
}

/// A JSON string as the bytes that it stands for. A byte that is no UTF-8 may stand as a lone
/// surrogate U+DC80 to U+DCFF, as Python writes it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Text(pub(crate) Vec<u8>);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bytes;
        impl Visitor<'_> for Bytes {
            type Value = Text;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a string")
            }

            fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Text, E> {
                unescaped(bytes)
                    .map(Text)
                    .ok_or_else(|| E::custom("lone surrogate"))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Text, E> {
                Ok(Text(text.as_bytes().to_vec()))
            }
        }
        deserializer.deserialize_bytes(Bytes)
    }
}

/// The bytes with surrogates that stand for one replaced by it; `None` when others are there.
fn unescaped(mut bytes: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(bytes.len());
    loop {
        bytes = match bytes {
            [] => return Some(out),
            [0xed, high @ 0xb2..=0xb3, low @ 0x80..=0xbf, rest @ ..] => {
                out.push((high & 0x03) << 6 | (low & 0x3f));
                rest
            }
            [0xed, 0xa0..=0xbf, ..] => return None,
            [byte, rest @ ..] => {
                out.push(*byte);
                rest
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::Text;

    #[test]
    fn a_string_stands_for_its_bytes() {
        let text = |json: &str| serde_json::from_str::<Text>(json).map(|text| text.0);
        assert_eq!(text(r#""a\u0000ü""#).expect("text"), "a\0ü".as_bytes());
        assert_eq!(text(r#""\ud83d\ude00""#).expect("text"), "😀".as_bytes());
        assert_eq!(
            text(r#""a\udc80\udcc3\udcff""#).expect("text"),
            b"a\x80\xc3\xff"
        );
        assert!(text(r#""\ud800""#).is_err());
        assert!(text(r#""\udc00""#).is_err());
        assert!(text("7").is_err());
        assert!(text("[1]").is_err());
    }
}
