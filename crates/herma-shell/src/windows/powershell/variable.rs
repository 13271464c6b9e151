//! Names of variables.

use std::collections::BTreeSet;

use crate::source::Span;
use crate::syntax::{Part, Text};
use crate::windows::tree;

/// A variable as it is written, in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Variable {
    /// `env`, `function`, a scope; empty for none.
    pub(super) scope: Vec<u8>,
    pub(super) name: Vec<u8>,
    /// As written, for text that has been put in for what cannot be known.
    placeholder: bool,
}

/// Text that stands for a value in code that was put together.
const PLACEHOLDER: &[u8] = b"_herma_unknown_";

/// Variables that PowerShell itself sets.
const AUTOMATIC: &[&[u8]] = &[
    b"args",
    b"input",
    b"matches",
    b"error",
    b"psscriptroot",
    b"pscommandpath",
    b"myinvocation",
    b"host",
    b"pid",
    b"lastexitcode",
    b"pshome",
    b"psversiontable",
    b"psboundparameters",
    b"pscmdlet",
    b"executioncontext",
    b"this",
    b"foreach",
    b"switch",
    b"event",
    b"sender",
    b"stacktrace",
    b"shellid",
    b"psculture",
    b"psuiculture",
    b"psedition",
    b"?",
    b"$",
    b"^",
];

/// Variables that say how PowerShell behaves, or which system it runs on.
const HARMLESS: &[(&[u8], &[u8])] = &[
    (b"true", b"True"),
    (b"false", b"False"),
    (b"iswindows", b"True"),
    (b"islinux", b"False"),
    (b"ismacos", b"False"),
    (b"iscoreclr", b"True"),
];

/// Variables of the environment with the same meaning everywhere on Windows.
const WINDOWS: &[(&[u8], &[u8])] = &[
    (b"temp", b"/tmp"),
    (b"tmp", b"/tmp"),
    (b"systemdrive", b"C:"),
    (b"homedrive", b"C:"),
    (b"systemroot", b"C:/Windows"),
    (b"windir", b"C:/Windows"),
    (b"programfiles", b"C:/Program Files"),
    (b"programfiles(x86)", b"C:/Program Files (x86)"),
    (b"programw6432", b"C:/Program Files"),
    (b"programdata", b"C:/ProgramData"),
    (b"allusersprofile", b"C:/ProgramData"),
    (b"public", b"C:/Users/Public"),
    (b"comspec", b"cmd.exe"),
];

impl Variable {
    /// From the text behind the dollar.
    pub(super) fn new(text: &[u8]) -> Self {
        if text.starts_with(PLACEHOLDER) {
            return Self {
                scope: Vec::new(),
                name: text.to_vec(),
                placeholder: true,
            };
        }
        let lower = text.to_ascii_lowercase();
        let (scope, name) = match lower.iter().position(|byte| *byte == b':') {
            Some(colon) => (
                lower.get(..colon).unwrap_or_default().to_vec(),
                lower.get(colon + 1..).unwrap_or_default().to_vec(),
            ),
            None => (Vec::new(), lower),
        };
        let scope = match scope.as_slice() {
            b"script" | b"global" | b"local" | b"private" | b"using" | b"variable" => Vec::new(),
            _ => scope,
        };
        Self {
            scope,
            name,
            placeholder: false,
        }
    }

    /// Whether it is `$name` of the shell.
    pub(super) fn is(&self, name: &[u8]) -> bool {
        self.scope.is_empty() && self.name == name
    }

    /// Whether it is a variable of the environment.
    pub(super) fn is_environment(&self) -> bool {
        self.scope == b"env"
    }

    /// Whether it stands for something else than a variable (`${C:\file}`, `$function:x`).
    pub(super) fn is_elsewhere(&self) -> bool {
        !self.scope.is_empty() && !self.is_environment()
    }

    /// The name under which the evaluation knows it.
    pub(super) fn key(&self) -> Vec<u8> {
        if self.placeholder {
            return self.name.clone();
        }
        if self.is_environment() {
            return match self.name.as_slice() {
                b"userprofile" | b"homepath" | b"home" => b"HOME".to_vec(),
                name => name.to_ascii_uppercase(),
            };
        }
        own(match self.name.as_slice() {
            b"psitem" => b"_",
            name => name,
        })
    }

    /// What it is in a word; `many` where every element is a word of its own.
    pub(super) fn part(&self, arrays: &BTreeSet<Vec<u8>>, many: bool, span: Span) -> Part {
        let written = |bytes: &[u8]| {
            Part::Quoted(Text {
                bytes: bytes.to_vec(),
                at: span.start,
            })
        };
        if self.placeholder {
            return tree::parameter(&self.name, span);
        }
        let find = |list: &[(&[u8], &'static [u8])]| {
            list.iter()
                .find(|(name, _)| *name == self.name)
                .map(|(_, value)| *value)
        };
        if self.is_environment() {
            return match find(WINDOWS) {
                Some(value) => written(value),
                None => match self.name.as_slice() {
                    b"appdata" => home(b"/AppData/Roaming", span),
                    b"localappdata" => home(b"/AppData/Local", span),
                    _ => tree::parameter(&self.key(), span),
                },
            };
        }
        if self.is_elsewhere() {
            return Part::Opaque(Vec::new());
        }
        if let Some(value) = find(HARMLESS) {
            return written(value);
        }
        match self.name.as_slice() {
            b"null" => return written(b""),
            b"home" => return tree::parameter(b"HOME", span),
            b"pwd" => return tree::parameter(b"PWD", span),
            b"profile" => {
                return home(
                    b"/.config/powershell/Microsoft.PowerShell_profile.ps1",
                    span,
                );
            }
            name if AUTOMATIC.contains(&name) => return Part::Opaque(Vec::new()),
            _ => {}
        }
        let key = self.key();
        match (arrays.contains(&key), many) {
            (true, true) => tree::elements(&key, b'@', span),
            (true, false) => tree::elements(&key, b'*', span),
            _ => tree::parameter(&key, span),
        }
    }
}

fn home(below: &[u8], span: Span) -> Part {
    Part::Double(vec![
        tree::parameter(b"HOME", span),
        Part::Quoted(Text {
            bytes: below.to_vec(),
            at: span.start,
        }),
    ])
}

/// The name of a shell variable in the evaluation.
pub(super) fn own(name: &[u8]) -> Vec<u8> {
    let mut key = b"_ps_".to_vec();
    for byte in name {
        if byte.is_ascii_alphanumeric() || *byte == b'_' {
            key.push(*byte);
        } else {
            key.extend_from_slice(format!("_{byte:02x}").as_bytes());
        }
    }
    key
}
