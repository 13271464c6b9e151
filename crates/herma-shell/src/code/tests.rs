use super::*;
use crate::value::{Origin, Piece};

mod hostile;
mod javascript;
mod others;
mod perl;
mod php;
mod python;
mod ruby;

/// A value for people: unknown pieces in angle brackets, patterns in braces.
fn shown(value: &Value) -> String {
    let mut out = String::new();
    for piece in &value.pieces {
        match piece {
            Piece::Text { bytes, .. } => out.push_str(&String::from_utf8_lossy(bytes)),
            Piece::Glob { pattern, .. } => {
                out.push('{');
                out.push_str(&String::from_utf8_lossy(pattern));
                out.push('}');
            }
            Piece::Unset(_) => {}
            Piece::Unknown(unknown) => {
                out.push('<');
                match &unknown.origin {
                    Origin::Variable(name) => out.push_str(&String::from_utf8_lossy(name)),
                    Origin::Fetched => out.push_str("fetched"),
                    Origin::Temporary => out.push_str("temporary"),
                    _ => out.push('?'),
                }
                out.push('>');
            }
        }
    }
    out
}

fn line(argv: &[Arg]) -> String {
    argv.iter()
        .map(|arg| shown(&arg.value))
        .collect::<Vec<_>>()
        .join(" ")
}

/// What the code does, one line for each action.
fn does(language: Language, code: &str) -> Vec<String> {
    let text = Value::written(code.as_bytes(), 0);
    let end = u32::try_from(code.len()).unwrap();
    actions(language, &text, Span::new(0, end), b"", None)
        .iter()
        .map(|action| match action {
            Action::Shell { text, .. } => format!("shell: {}", shown(text)),
            Action::Program(argv) => format!("run: {}", line(argv)),
            Action::Call { name, argv } if name == "reverse shell" => {
                format!("reverse: {}", line(argv))
            }
            Action::Call { argv, .. } => format!("call: {}", line(argv)),
            Action::ForkBomb { .. } => "fork bomb".to_owned(),
            Action::Directory { path: Some(path) } => format!("directory: {}", shown(path)),
            Action::Directory { path: None } => "directory before".to_owned(),
            Action::Code { text, .. } => format!("code: {}", shown(text)),
        })
        .collect()
}

fn all(language: Language, cases: &[(&str, &[&str])]) {
    for (code, expected) in cases {
        assert_eq!(does(language, code), *expected, "{code}");
    }
}

fn nothing(language: Language, codes: &[&str]) {
    for code in codes {
        assert_eq!(does(language, code), [""; 0], "{code}");
    }
}
