//! `echo`.

use super::escape::{Escape, Style, escape};
use super::stream::Output;
use crate::execution::Arg;
use crate::syntax::Dialect;
use crate::value::{Piece, Value};

/// What `echo` prints. In bash only bundles of `n`, `e` and `E` are options; in dash only `-n` is,
/// and escapes always count.
pub(super) fn echo(words: &[Arg], dialect: Dialect) -> Value {
    let mut newline = true;
    let mut escapes = matches!(dialect, Dialect::Posix | Dialect::Zsh);
    let mut rest = words;
    while let Some((first, behind)) = rest.split_first() {
        let Some(bytes) = first.value.bytes() else {
            break;
        };
        let Some(letters) = bytes.strip_prefix(b"-").filter(|rest| !rest.is_empty()) else {
            break;
        };
        match dialect {
            Dialect::Posix if letters == b"n" && rest.len() == words.len() => newline = false,
            Dialect::Bash | Dialect::Zsh
                if letters.iter().all(|letter| b"neE".contains(letter)) =>
            {
                for letter in letters {
                    match letter {
                        b'n' => newline = false,
                        b'e' => escapes = true,
                        _ => escapes = false,
                    }
                }
            }
            _ => break,
        }
        rest = behind;
    }
    let mut out = Output::new();
    for (index, word) in rest.iter().enumerate() {
        if index > 0 {
            out.text(b" ", None);
        }
        if escapes {
            if !unescape(&word.value, Style::Echo, &mut out) {
                return out.finish();
            }
        } else {
            out.value(&word.value);
        }
    }
    if newline {
        out.text(b"\n", None);
    }
    out.finish()
}

/// Appends a value with its escapes replaced; `false` when an escape ends the output.
pub(super) fn unescape(value: &Value, style: Style, out: &mut Output) -> bool {
    if value.decoded {
        out.mark_decoded();
    }
    for piece in &value.pieces {
        let (Piece::Text { bytes, at } | Piece::Glob { pattern: bytes, at }) = piece else {
            out.value(&Value {
                pieces: vec![piece.clone()],
                decoded: false,
            });
            continue;
        };
        if !unescape_text(bytes, *at, style, out) {
            return false;
        }
    }
    true
}

/// The same for known bytes.
pub(super) fn unescape_text(bytes: &[u8], at: Option<u32>, style: Style, out: &mut Output) -> bool {
    let offset = |by: usize| at.and_then(|at| at.checked_add(u32::try_from(by).ok()?));
    let mut from = 0;
    let mut position = 0;
    while let Some(byte) = bytes.get(position) {
        let found = (*byte == b'\\')
            .then(|| escape(bytes.get(position + 1..)?, style))
            .flatten();
        let Some((meaning, length)) = found else {
            position += 1;
            continue;
        };
        out.text(bytes.get(from..position).unwrap_or_default(), offset(from));
        match meaning {
            Escape::Bytes { bytes, hides } => {
                out.text(&bytes, None);
                if hides {
                    out.mark_decoded();
                }
            }
            Escape::Stop => return false,
        }
        position += 1 + length;
        from = position;
    }
    out.text(bytes.get(from..).unwrap_or_default(), offset(from));
    true
}
