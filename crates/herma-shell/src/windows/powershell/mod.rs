//! PowerShell: a stack machine that reads tokens and lowers each group when it closes.
//!
//! A frame is open for each `(`, `{`, `[` and `"`; nothing recurses. Commands become simple commands,
//! expressions become words: strings, variables and what subexpressions print stay known, everything
//! else is text that cannot be known. Names of variables get a prefix of their own, since they
//! are not those of the environment.

mod command;
mod expression;
mod machine;
mod statement;
mod text;
mod token;
mod types;
mod variable;

use crate::source::Source;
use crate::syntax::Parsed;
use crate::windows::tree;

/// Parses PowerShell text.
pub(crate) fn parse(source: &Source) -> Parsed {
    machine::Machine::new(source).run()
}

/// The name of a variable in the evaluation.
pub(crate) fn key(name: &[u8]) -> Vec<u8> {
    variable::Variable::new(name).key()
}

/// A variable of the environment whose meaning Windows fixes.
pub(crate) fn environment(name: &[u8]) -> Option<fn(crate::source::Span) -> crate::syntax::Part> {
    use variable::Variable;
    fn of(name: &'static [u8], span: crate::source::Span) -> crate::syntax::Part {
        let name = [b"env:", name].concat();
        Variable::new(&name).part(&std::collections::BTreeSet::new(), false, span)
    }
    Some(match name {
        b"USERPROFILE" | b"HOMEPATH" | b"HOME" => |span| of(b"userprofile", span),
        b"TEMP" | b"TMP" => |span| of(b"temp", span),
        b"SYSTEMDRIVE" | b"HOMEDRIVE" => |span| of(b"systemdrive", span),
        b"SYSTEMROOT" | b"WINDIR" => |span| of(b"windir", span),
        b"PROGRAMFILES" => |span| of(b"programfiles", span),
        b"PROGRAMDATA" | b"ALLUSERSPROFILE" => |span| of(b"programdata", span),
        b"PUBLIC" => |span| of(b"public", span),
        b"APPDATA" => |span| of(b"appdata", span),
        b"LOCALAPPDATA" => |span| of(b"localappdata", span),
        b"COMSPEC" => |span| of(b"comspec", span),
        b"CD" => |span| tree::parameter(b"PWD", span),
        _ => return None,
    })
}
