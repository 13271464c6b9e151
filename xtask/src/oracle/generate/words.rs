//! One known word, spelled in any way that bash expands to it.

use super::Generator;
use super::quoting::{
    ansi, backticks, base64, double, escaped, hex, octal, reversed, rot13, single,
};

impl Generator {
    /// A spelling of `text` (letters, digits and `./-`), which may need a prelude.
    pub(super) fn spell(&mut self, text: &str) -> String {
        if text.is_empty() {
            return self.random.pick(&["''", "\"\""]).to_owned();
        }
        if text.len() > 1 && self.random.chance(20) {
            let cut = 1 + self.random.below(text.len() - 1);
            let (left, right) = text.split_at(cut);
            let left = self.spell(left);
            let right = self.spell(right);
            let between =
                self.random
                    .pick(&["", "", "", "\\\n", "''", "\"\"", "$unset_name", "$@"]);
            // A bare `$name` would swallow what follows; all ours have braces.
            return format!("{left}{between}{right}");
        }
        match self.random.below(if self.posix { 14 } else { 42 }) {
            0 | 1 => text.to_owned(),
            2 => single(text),
            3 => double(text),
            4 => escaped(text),
            5 => {
                let name = self.assigned(text);
                format!("\"${{{name}}}\"")
            }
            6 => {
                let name = self.assigned(text);
                format!("${{{name}}}")
            }
            7 => {
                let name = self.variable();
                let operator = self.random.pick(&[":-", "-", ":=", "="]);
                format!("${{{name}{operator}{text}}}")
            }
            8 => {
                let name = self.assigned("set");
                let operator = self.random.pick(&[":+", "+"]);
                format!("${{{name}{operator}{text}}}")
            }
            9 => {
                let word = single(text);
                format!("$(echo {word})")
            }
            10 => backticks(&format!("printf %s {text}")),
            11 => {
                let name = self.assigned(&format!("lead:{text}"));
                let pattern = self.random.pick(&["#lead:", "##*:", "#*:"]);
                format!("${{{name}{pattern}}}")
            }
            12 => {
                let name = self.assigned(&format!("{text}:tail"));
                let pattern = self.random.pick(&["%:tail", "%%:*", "%:*"]);
                format!("${{{name}{pattern}}}")
            }
            13 => format!("$(printf '{}')", octal(text)),
            14 | 15 => ansi(text, &mut self.random),
            16 => format!("$\"{text}\""),
            17 => self.rewritten(text),
            18 => {
                let name = self.assigned(&format!("ab{text}cd"));
                let length = text.len();
                match self.random.below(3) {
                    0 => format!("${{{name}:2:{length}}}"),
                    1 => format!("${{{name}: 2 : -2}}"),
                    _ => format!("${{{name}:$((1+1)):{length}}}"),
                }
            }
            19 if text
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()) =>
            {
                let name = self.assigned(&text.to_uppercase());
                format!("${{{name},,}}")
            }
            20 => {
                let name = self.assigned(text);
                let pointer = self.assigned(&name);
                format!("${{!{pointer}}}")
            }
            21 => {
                let name = self.variable();
                let index = self.random.below(4);
                self.prelude
                    .push(format!("{name}=(a b c d); {name}[{index}]={text}"));
                format!("${{{name}[{index}]}}")
            }
            22 => {
                let name = self.variable();
                self.prelude
                    .push(format!("declare -A {name}=([k]=x [key]={text})"));
                format!("${{{name}[key]}}")
            }
            23 => {
                let name = self.assigned(text);
                let reference = self.variable();
                self.prelude.push(format!("declare -n {reference}={name}"));
                format!("${{{reference}}}")
            }
            24 => {
                let name = self.variable();
                self.prelude.push(format!("printf -v {name} %s {text}"));
                format!("${{{name}}}")
            }
            25 => {
                let name = self.variable();
                self.prelude.push(format!("read -r {name} <<<{text}"));
                format!("${{{name}}}")
            }
            26 => format!("$(rev <<<{})", reversed(text)),
            27 => format!("$(base64 -d <<<{})", base64(text)),
            28 => format!("$(echo {} | tr a-z n-za-m)", rot13(text)),
            29 => format!("$(xxd -r -p <<<{})", hex(text)),
            30 => format!("$(cat <<E\n{text}\nE\n)"),
            31 => format!("$(<<<{text} cat)"),
            32 => {
                let name = self.variable();
                let cut = self.random.below(text.len());
                let (left, right) = text.split_at(cut);
                self.prelude.push(format!("{name}={left}; {name}+={right}"));
                format!("${{{name}}}")
            }
            33 => {
                let name = self.assigned(text);
                format!("${{{name}@E}}")
            }
            34 => {
                let name = self.variable();
                self.prelude.push(format!("mapfile -t {name} <<<{text}"));
                format!("${{{name}[0]}}")
            }
            35 => {
                let name = self.variable();
                self.prelude
                    .push(format!("IFS=: read -r _ {name} _ <<<a:{text}:b"));
                format!("${{{name}}}")
            }
            36 => {
                let name = self.variable();
                self.prelude
                    .push(format!("for {name} in {text}; do :; done"));
                format!("${{{name}}}")
            }
            37 => {
                let name = self.variable();
                self.prelude.push(format!("set -- a {text} b; {name}=$2"));
                format!("${{{name}}}")
            }
            38 => {
                let name = self.variable();
                self.prelude.push(format!("eval {name}={text}"));
                format!("${{{name}}}")
            }
            39 => {
                let name = self.variable();
                let keyword =
                    self.random
                        .pick(&["export", "declare", "typeset", "readonly", "declare -x"]);
                self.prelude.push(format!("{keyword} {name}={text}"));
                format!("${{{name}}}")
            }
            40 => format!("{{{text},}}"),
            _ => {
                let name = self.assigned(text);
                format!("${{{name}[@]}}")
            }
        }
    }

    /// `text` behind a substitution in its value.
    fn rewritten(&mut self, text: &str) -> String {
        if text.contains('/') || text.len() < 2 {
            return single(text);
        }
        let cut = 1 + self.random.below(text.len() - 1);
        let (left, right) = text.split_at(cut);
        match self.random.below(4) {
            0 => {
                let name = self.assigned(&format!("{left}@@{right}"));
                format!("${{{name}/@@/}}")
            }
            1 => {
                let name = self.assigned(&format!("{left}=X={right}"));
                format!("${{{name}//=X=}}")
            }
            2 => {
                let name = self.assigned(&format!("X{text}"));
                format!("${{{name}/#X}}")
            }
            _ => {
                let name = self.assigned(&format!("{text}X"));
                format!("${{{name}/%X/}}")
            }
        }
    }

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
}
