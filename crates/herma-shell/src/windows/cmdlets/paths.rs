//! Paths as cmdlets read them.

use crate::execution::Arg;
use crate::value::{Piece, Value};

/// What kind of thing a path names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Drive {
    /// Files.
    Files,
    /// `HKLM:\…`, `Registry::…`
    Registry,
    /// `Env:`, `Function:`, `Variable:`, `Alias:`: of this shell.
    Shell,
    /// `Cert:`, `WSMan:` and what modules add.
    Other,
}

pub(super) fn drive(arg: &Arg) -> Drive {
    let head = arg.value.known_prefix().to_ascii_lowercase();
    let Some(colon) = head.iter().position(|byte| *byte == b':') else {
        return Drive::Files;
    };
    match head.get(..colon).unwrap_or_default() {
        b"hklm"
        | b"hkcu"
        | b"hkcr"
        | b"hku"
        | b"hkcc"
        | b"registry"
        | b"microsoft.powershell.core\\registry" => Drive::Registry,
        b"env" | b"function" | b"variable" | b"alias" | b"temp" => Drive::Shell,
        b"cert" | b"wsman" | b"iis" | b"ad" => Drive::Other,
        _ => Drive::Files,
    }
}

/// A path with slashes, and with live patterns unless it is literal.
pub(super) fn path(arg: &Arg, literal: bool) -> Arg {
    let mut value = Value::empty();
    value.decoded = arg.value.decoded;
    let mut first = true;
    for piece in &arg.value.pieces {
        let (Piece::Text { bytes, at } | Piece::Glob { pattern: bytes, at }) = piece else {
            match piece {
                Piece::Unknown(unknown) => value.push_unknown(unknown),
                piece => value.pieces.push(piece.clone()),
            }
            first = false;
            continue;
        };
        let mut at = *at;
        let mut text = bytes.as_slice();
        if std::mem::take(&mut first) {
            for prefix in [
                b"Microsoft.PowerShell.Core\\FileSystem::".as_slice(),
                b"FileSystem::",
                b"\\\\?\\",
                b"\\\\.\\",
            ] {
                let has = text
                    .get(..prefix.len())
                    .is_some_and(|head| head.eq_ignore_ascii_case(prefix));
                if has {
                    text = text.get(prefix.len()..).unwrap_or_default();
                    at = None;
                }
            }
        }
        let text: Vec<u8> = text
            .iter()
            .map(|byte| if *byte == b'\\' { b'/' } else { *byte })
            .collect();
        if literal || !text.iter().any(|byte| b"*?[".contains(byte)) {
            value.push_text(&text, at);
        } else {
            value.pieces.push(Piece::Glob { pattern: text, at });
        }
    }
    Arg {
        value,
        span: arg.span,
    }
}

/// A path and a name below it.
pub(super) fn below(path: &Arg, name: &Arg) -> Arg {
    let mut value = path.value.clone();
    if !value.known_suffix().ends_with(b"/") {
        value.push_text(b"/", None);
    }
    value.append(&name.value);
    Arg {
        value,
        span: path.span,
    }
}
