//! The ways to spell one known word that bash expands to it.

use super::Generator;
use super::quoting::{
    ansi, backticks, base64, double, escaped, hex, octal, reversed, rot13, single,
};

/// A way to spell a word (letters, digits and `./-`).
pub(super) type Spelling = fn(&mut Generator, &str) -> String;

/// What every POSIX shell understands.
pub(super) const POSIX: [Spelling; 14] = [
    |_, text| text.to_owned(),
    |_, text| text.to_owned(),
    |_, text| single(text),
    |_, text| double(text),
    |_, text| escaped(text),
    |own, text| {
        let name = own.assigned(text);
        format!("\"${{{name}}}\"")
    },
    |own, text| {
        let name = own.assigned(text);
        format!("${{{name}}}")
    },
    |own, text| {
        let name = own.variable();
        let operator = own.random.pick(&[":-", "-", ":=", "="]);
        format!("${{{name}{operator}{text}}}")
    },
    |own, text| {
        let name = own.assigned("set");
        let operator = own.random.pick(&[":+", "+"]);
        format!("${{{name}{operator}{text}}}")
    },
    |_, text| format!("$(echo {})", single(text)),
    |_, text| backticks(&format!("printf %s {text}")),
    |own, text| {
        let name = own.assigned(&format!("lead:{text}"));
        let pattern = own.random.pick(&["#lead:", "##*:", "#*:"]);
        format!("${{{name}{pattern}}}")
    },
    |own, text| {
        let name = own.assigned(&format!("{text}:tail"));
        let pattern = own.random.pick(&["%:tail", "%%:*", "%:*"]);
        format!("${{{name}{pattern}}}")
    },
    |_, text| format!("$(printf '{}')", octal(text)),
];

/// What bash understands beyond that.
pub(super) const BASH: [Spelling; 28] = [
    |own, text| ansi(text, &mut own.random),
    |own, text| ansi(text, &mut own.random),
    |_, text| format!("$\"{text}\""),
    replaced,
    sliced,
    lowered,
    |own, text| {
        let name = own.assigned(text);
        let pointer = own.assigned(&name);
        format!("${{!{pointer}}}")
    },
    |own, text| {
        let name = own.variable();
        let index = own.random.below(4);
        let array = format!("{name}=(a b c d); {name}[{index}]={text}");
        own.prelude.push(array);
        format!("${{{name}[{index}]}}")
    },
    |own, text| {
        let name = own.set_by(|name| format!("declare -A {name}=([k]=x [key]={text})"));
        format!("${{{name}[key]}}")
    },
    |own, text| {
        let name = own.assigned(text);
        own.value_by(|reference| format!("declare -n {reference}={name}"))
    },
    |own, text| own.value_by(|name| format!("printf -v {name} %s {text}")),
    |own, text| own.value_by(|name| format!("read -r {name} <<<{text}")),
    |_, text| format!("$(rev <<<{})", reversed(text)),
    |_, text| format!("$(base64 -d <<<{})", base64(text)),
    |_, text| format!("$(echo {} | tr a-z n-za-m)", rot13(text)),
    |_, text| format!("$(xxd -r -p <<<{})", hex(text)),
    |_, text| format!("$(cat <<E\n{text}\nE\n)"),
    |_, text| format!("$(<<<{text} cat)"),
    |own, text| {
        let name = own.variable();
        let (left, right) = text.split_at(own.random.below(text.len()));
        own.prelude.push(format!("{name}={left}; {name}+={right}"));
        format!("${{{name}}}")
    },
    |own, text| {
        let name = own.assigned(text);
        format!("${{{name}@E}}")
    },
    |own, text| {
        let name = own.set_by(|name| format!("mapfile -t {name} <<<{text}"));
        format!("${{{name}[0]}}")
    },
    |own, text| own.value_by(|name| format!("IFS=: read -r _ {name} _ <<<a:{text}:b")),
    |own, text| own.value_by(|name| format!("for {name} in {text}; do :; done")),
    |own, text| own.value_by(|name| format!("set -- a {text} b; {name}=$2")),
    |own, text| own.value_by(|name| format!("eval {name}={text}")),
    |own, text| {
        let keywords = ["export", "declare", "typeset", "readonly", "declare -x"];
        let name = own.variable();
        let keyword = own.random.pick(&keywords);
        own.prelude.push(format!("{keyword} {name}={text}"));
        format!("${{{name}}}")
    },
    |_, text| format!("{{{text},}}"),
    element,
];

/// `text` behind a substitution in its value.
fn replaced(own: &mut Generator, text: &str) -> String {
    if text.contains('/') || text.len() < 2 {
        return single(text);
    }
    let cut = 1 + own.random.below(text.len() - 1);
    let (left, right) = text.split_at(cut);
    match own.random.below(4) {
        0 => {
            let name = own.assigned(&format!("{left}@@{right}"));
            format!("${{{name}/@@/}}")
        }
        1 => {
            let name = own.assigned(&format!("{left}=X={right}"));
            format!("${{{name}//=X=}}")
        }
        2 => {
            let name = own.assigned(&format!("X{text}"));
            format!("${{{name}/#X}}")
        }
        _ => {
            let name = own.assigned(&format!("{text}X"));
            format!("${{{name}/%X/}}")
        }
    }
}

/// `text` as a part of a value.
fn sliced(own: &mut Generator, text: &str) -> String {
    let name = own.assigned(&format!("ab{text}cd"));
    let length = text.len();
    match own.random.below(3) {
        0 => format!("${{{name}:2:{length}}}"),
        1 => format!("${{{name}: 2 : -2}}"),
        _ => format!("${{{name}:$((1+1)):{length}}}"),
    }
}

/// `text` from its upper case, where it has no other letters.
fn lowered(own: &mut Generator, text: &str) -> String {
    let lower = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    if !text.chars().all(lower) {
        return element(own, text);
    }
    let name = own.assigned(&text.to_uppercase());
    format!("${{{name},,}}")
}

/// `text` as the only element of an array.
fn element(own: &mut Generator, text: &str) -> String {
    let name = own.assigned(text);
    format!("${{{name}[@]}}")
}

impl Generator {
    /// A fresh variable that holds `text`.
    fn assigned(&mut self, text: &str) -> String {
        let name = self.variable();
        let value = match self.random.below(3) {
            0 => single(text),
            1 => double(text),
            _ => text.to_owned(),
        };
        self.prelude.push(format!("{name}={value}"));
        name
    }

    /// A fresh variable that a statement sets.
    fn set_by(&mut self, statement: impl FnOnce(&str) -> String) -> String {
        let name = self.variable();
        self.prelude.push(statement(&name));
        name
    }

    /// The value of a fresh variable that a statement sets.
    fn value_by(&mut self, statement: impl FnOnce(&str) -> String) -> String {
        let name = self.set_by(statement);
        format!("${{{name}}}")
    }
}
