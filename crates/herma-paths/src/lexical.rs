//! Paths of another file system, compared by name.
//!
//! Containers and remote machines: their links are not here to be followed, and following ours
//! would answer another question. The mount is the boundary; names are compared.

use crate::Refusal;
use crate::text::check_text;
use crate::walk::collapsed;

/// The place that `path` names below `root` in another file system, both by their text alone. `~`
/// is that system's home: `home` when it is known, else a place of its own that only a root in `~`
/// can hold.
///
/// # Errors
/// The path is malformed, [`Refusal::Outside`], or [`Refusal::NoHome`] when one of the two is in
/// `~`, the other is not, and `home` is not known.
pub fn locate(root: &[u8], path: &[u8], home: Option<&[u8]>) -> Result<Vec<u8>, Refusal> {
    check_text(path)?;
    if root.is_empty() {
        return Err(Refusal::RootRelative);
    }
    let root = Place::of(root, None, home)?;
    let place = Place::of(path, Some(&root), home)?;
    if root.in_home != place.in_home {
        return Err(Refusal::NoHome);
    }
    if !place.names.starts_with(&root.names) {
        return Err(Refusal::Outside);
    }
    Ok(place.text())
}

struct Place {
    /// Below an unknown home, not below the top.
    in_home: bool,
    names: Vec<Vec<u8>>,
}

impl Place {
    fn of(path: &[u8], root: Option<&Self>, home: Option<&[u8]>) -> Result<Self, Refusal> {
        let home = home.filter(|home| home.first() == Some(&b'/'));
        match (path, home, root) {
            ([b'/', ..], _, _) => Ok(Self {
                in_home: false,
                names: collapsed(&[], path),
            }),
            ([b'~'] | [b'~', b'/', ..], Some(home), _) => {
                let path = [home, b"/", path.get(1..).unwrap_or_default()].concat();
                Ok(Self {
                    in_home: false,
                    names: collapsed(&[], &path),
                })
            }
            ([b'~'] | [b'~', b'/', ..], None, _) => {
                let below = path.get(2..).unwrap_or_default();
                within_home(&[], below)
            }
            ([b'~', ..], _, _) => Err(Refusal::TildeUser),
            (_, _, Some(root)) if root.in_home => within_home(&root.names, path),
            (_, _, Some(root)) => Ok(Self {
                in_home: false,
                names: collapsed(&root.names, path),
            }),
            (_, _, None) => Err(Refusal::RootRelative),
        }
    }

    fn text(&self) -> Vec<u8> {
        let mut text = if self.in_home {
            b"~".to_vec()
        } else {
            Vec::new()
        };
        for name in &self.names {
            text.push(b'/');
            text.extend_from_slice(name);
        }
        if text.is_empty() {
            text.push(b'/');
        }
        text
    }
}

/// Names below a home that is not known: climbing above it leads to nobody knows where.
fn within_home(front: &[Vec<u8>], below: &[u8]) -> Result<Place, Refusal> {
    let mut depth = front.len();
    for name in below.split(|byte| *byte == b'/') {
        match name {
            b"" | b"." => {}
            b".." => depth = depth.checked_sub(1).ok_or(Refusal::Outside)?,
            _ => depth += 1,
        }
    }
    // A slash in front would start from the top.
    let start = below.iter().position(|byte| *byte != b'/');
    let below = start.and_then(|start| below.get(start..));
    Ok(Place {
        in_home: true,
        names: collapsed(front, below.unwrap_or_default()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(root: &str, path: &str, home: Option<&str>) -> Result<String, Refusal> {
        locate(root.as_bytes(), path.as_bytes(), home.map(str::as_bytes))
            .map(|place| String::from_utf8(place).expect("text"))
    }

    #[test]
    fn names_are_collapsed_and_compared() {
        assert_eq!(at("/w", "a/./b/../c", None), Ok("/w/a/c".to_owned()));
        assert_eq!(at("/w/", "/w//a", None), Ok("/w/a".to_owned()));
        assert_eq!(at("/", "../x", None), Ok("/x".to_owned()));
        for path in ["..", "../x", "/x", "/w-evil", "a/../../x"] {
            assert_eq!(at("/w", path, None), Err(Refusal::Outside), "{path}");
        }
    }

    #[test]
    fn an_unknown_home_is_a_place_of_its_own() {
        assert_eq!(at("~/p", "a", None), Ok("~/p/a".to_owned()));
        assert_eq!(at("~/p", "~//p/a", None), Ok("~/p/a".to_owned()));
        assert_eq!(at("~", "../x", None), Err(Refusal::Outside));
        assert_eq!(at("~/p", "~/../../p", None), Err(Refusal::Outside));
        assert_eq!(at("~/p", "/home/dev/p", None), Err(Refusal::NoHome));
        assert_eq!(at("/home/dev", "~/p", None), Err(Refusal::NoHome));
        assert_eq!(
            at("/home/dev", "~/p", Some("/home/dev")),
            Ok("/home/dev/p".to_owned())
        );
    }

    #[test]
    fn no_file_of_this_machine_matters() {
        assert_eq!(
            at("/proc", "self/root/etc", None),
            Ok("/proc/self/root/etc".to_owned())
        );
        assert_eq!(at("w", "a", None), Err(Refusal::RootRelative));
        assert_eq!(at("", "a", None), Err(Refusal::RootRelative));
        assert_eq!(at("/w", "~root/a", None), Err(Refusal::TildeUser));
        assert_eq!(at("/w", "a\0", None), Err(Refusal::Control));
    }
}
