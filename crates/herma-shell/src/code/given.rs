//! What an interpreter gives its code: the command line's own words, and its own path.

use super::Language;
use super::scan::Scanner;
use super::val::{Val, elements};
use crate::path::base_name;
use crate::value::{Origin, Piece, Value};

/// The words that the code finds as its arguments.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arguments {
    /// The code's own name, as the language counts it among the arguments (`-c`, a file).
    pub(crate) name: Option<Value>,
    /// The words behind it.
    pub(crate) words: Vec<Value>,
}

/// Interpreters that name themselves in their own code.
const INTERPRETERS: &[(Language, &[&str], &str)] = &[
    (Language::Python, &["python", "pypy"], "python3"),
    (Language::JavaScript, &["node", "bun", "deno"], "node"),
    (Language::Ruby, &["ruby", "jruby"], "ruby"),
    (Language::Perl, &["perl"], "perl"),
    (Language::Php, &["php"], "php"),
];

/// Names of the interpreter's own path.
const OWN: &[&str] = &[
    "sys.executable",
    "sys._base_executable",
    "process.execPath",
    "process.argv0",
    "RbConfig.ruby",
    "Gem.ruby",
    "^X",
    "EXECUTABLE_NAME",
    "PHP_BINARY",
];

/// The interpreter that runs the code of this program.
fn interpreter(language: Language, program: &[u8]) -> Option<Val> {
    let (_, families, usual) = INTERPRETERS.iter().find(|(own, ..)| *own == language)?;
    let base = base_name(program);
    let is_own = families
        .iter()
        .any(|family| base.starts_with(family.as_bytes()));
    let name = if is_own { program } else { usual.as_bytes() };
    Some(Val::text(name))
}

/// Whether the word is one word whatever it holds.
fn is_single(word: &Value) -> bool {
    word.pieces.iter().all(|piece| match piece {
        Piece::Text { .. } => true,
        Piece::Unknown(unknown) => !unknown.many,
        Piece::Glob { .. } | Piece::Unset(_) => false,
    })
}

impl Scanner<'_> {
    /// Notes what the interpreter gives the code.
    pub(super) fn give(&mut self, program: &[u8], arguments: Option<&Arguments>) {
        let own = interpreter(self.language, program);
        for name in OWN {
            if let Some(own) = &own {
                self.given.insert(name.as_bytes().to_vec(), own.clone());
            }
        }
        let Some(arguments) = arguments else {
            return;
        };
        let mut words: Vec<Val> = Vec::new();
        for word in &arguments.words {
            if !is_single(word) {
                // How many words stand here is not known.
                words.push(Val::many());
                break;
            }
            words.push(Val::Text(word.clone()));
        }
        let name = arguments.name.clone().map(Val::Text);
        let named = |front: Vec<Val>| Val::List(front.into_iter().chain(words.clone()).collect());
        let given: Vec<(&str, Val)> = match self.language {
            Language::Python => vec![("sys.argv", named(name.into_iter().collect()))],
            Language::JavaScript => {
                let interpreter = own.unwrap_or_else(|| Val::text(b"node"));
                let all = named(std::iter::once(interpreter).chain(name).collect());
                vec![
                    ("process.argv", all.clone()),
                    ("Bun.argv", all),
                    ("Deno.args", named(Vec::new())),
                ]
            }
            Language::Perl | Language::Ruby => vec![("ARGV", named(Vec::new()))],
            Language::Php => vec![("argv", named(name.into_iter().collect()))],
            Language::Lua => vec![("arg", named(name.into_iter().collect()))],
            _ => Vec::new(),
        };
        for (name, value) in given {
            self.given.insert(name.as_bytes().to_vec(), value);
        }
    }

    /// What the interpreter gives under this name.
    pub(super) fn given(&mut self, name: &[u8]) -> Option<Val> {
        // `shift` takes one of the arguments; which one depends on those before.
        let is_taken = self.language == Language::Perl && matches!(name, b"shift" | b"pop");
        if is_taken && !self.defines_functions {
            let Some(Val::List(words)) = self.given.get(b"ARGV".as_slice()) else {
                return None;
            };
            return (!words.is_empty()).then(|| elements(Val::List(words.clone())));
        }
        let value = self.given.get(name)?.clone();
        let cost = match &value {
            Val::List(values) => 4 * values.len(),
            _ => 1,
        };
        if self.pay(cost) {
            Some(value)
        } else {
            Some(Val::Text(Value::unknown_words(Origin::Other)))
        }
    }
}
