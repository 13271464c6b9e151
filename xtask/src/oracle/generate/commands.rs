//! Commands that run a marked program with a number of its own.

use super::{Generator, NAMES, quoted};

impl Generator {
    /// The words of a marked command, plain.
    pub(super) fn marked_words(&mut self) -> Vec<String> {
        let mut words = vec![self.random.pick(NAMES).to_owned(), self.fresh().to_string()];
        for _ in 0..self.random.below(3) {
            let word = self
                .random
                .pick(&["-rf", "/", "a", "./b", "x.y", "--flag", "/etc", "c0"]);
            words.push(word.to_owned());
        }
        words
    }

    /// Code that runs a marked command, on one line and without quotes.
    pub(super) fn plain(&mut self) -> String {
        self.marked_words().join(" ")
    }

    /// A statement that runs a marked command.
    pub(super) fn marked(&mut self) -> String {
        let words = self.marked_words();
        match self.random.below(if self.posix { 6 } else { 18 }) {
            0..=3 => self.direct(&words),
            4 => {
                let name = self.variable();
                self.prelude.push(format!("{name}='{}'", words.join(" ")));
                format!("${name}")
            }
            5 => {
                self.prelude.push(format!("set -- {}", words.join(" ")));
                self.random
                    .pick(&["\"$@\"", "$@", "$*", "\"$1\" \"$2\""])
                    .to_owned()
            }
            6 => {
                let name = self.variable();
                self.prelude.push(format!("{name}=({})", words.join(" ")));
                let form = self.random.pick(&[
                    "\"${N[@]}\"",
                    "${N[*]}",
                    "\"${N[@]:0}\"",
                    "\"${N[0]}\" \"${N[@]:1}\"",
                    "${N[@]//~/}",
                ]);
                form.replace('N', &name)
            }
            7 => {
                let name = self.variable();
                self.prelude.push(format!(
                    "{name}=(x); {name}=({}); {name}+=(last)",
                    words.join(" ")
                ));
                format!("\"${{{name}[@]}}\"")
            }
            8 => {
                let name = self.variable();
                let separator = self.random.pick(&[":", ",", "_", "%"]);
                self.prelude.push(format!(
                    "IFS={separator}; {name}='{}'",
                    words.join(separator)
                ));
                format!("${name}; IFS=$' \\t\\n'")
            }
            9 => format!("{{{}}}", words.join(",")),
            10 => {
                let name = self.variable();
                self.prelude.push(format!("{name}=({})", words.join(" ")));
                format!("${name} ${{{name}[1]}}")
            }
            11 => {
                let words = words.join(" ");
                format!("f{0}() {{ {words} \"$@\"; }}; f{0} arg", self.fresh())
            }
            12 => {
                let name = self.variable();
                let words = words.join(" ");
                format!(
                    "while read -r {name}; do ${name}; done <<<{}",
                    quoted(&words)
                )
            }
            13 => {
                let name = self.variable();
                let line = words.join(" ");
                format!("read -ra {name} <<<{}; \"${{{name}[@]}}\"", quoted(&line))
            }
            14 => {
                let name = self.variable();
                let (program, rest) = words
                    .split_first()
                    .map_or((String::new(), String::new()), |(a, b)| {
                        (a.clone(), b.join(" "))
                    });
                format!("for {name} in true {program}; do ${name} {rest}; done")
            }
            15 => format!("$(echo {})", words.join(" ")),
            16 => format!("\"$(printf %s {})\" {}", words[0], words[1..].join(" ")),
            _ => {
                let name = self.variable();
                format!("{name}={}; ${{{name}}} {}", words[0], words[1..].join(" "))
            }
        }
    }

    /// The command itself: assignments, redirections and spelled words in any order.
    fn direct(&mut self, words: &[String]) -> String {
        let mut out = String::new();
        if self.random.chance(15) {
            out.push_str(self.random.pick(&[
                "A=1 ",
                "A= B='x y' ",
                "A=$(:) ",
                "LC_ALL=C ",
                "A+=x ",
            ]));
        }
        if self.random.chance(12) {
            out.push_str(self.random.pick(&[
                ">/dev/null ",
                "2>&1 ",
                "</dev/null ",
                "2>/dev/null ",
                ">|/tmp/out ",
                "<>/tmp/io ",
                "3>&- ",
            ]));
        }
        if self.random.chance(12) {
            let prefix = if self.posix {
                self.random
                    .pick(&["command ", "exec ", "! ", "command -p "])
            } else {
                self.random.pick(&[
                    "command ",
                    "builtin command ",
                    "! ",
                    "time ",
                    "time -p ",
                    "exec -a other ",
                    "command -- ",
                    "coproc ",
                    "exec ",
                ])
            };
            // Reserved words cannot follow assignments or redirections.
            if out.is_empty()
                || prefix.starts_with("command")
                || prefix.starts_with("exec")
                || prefix.starts_with("builtin")
            {
                out.push_str(prefix);
            }
        }
        for (index, word) in words.iter().enumerate() {
            if index > 0 {
                out.push_str(self.random.pick(&[" ", " ", " ", "  ", "\t", " \\\n "]));
            }
            let path = index == 0 && self.random.chance(10);
            let word = if path {
                format!("/usr/bin/{word}")
            } else {
                word.clone()
            };
            if self.random.chance(if index == 0 { 55 } else { 25 }) {
                let spelled = self.spell(&word);
                out.push_str(&spelled);
            } else {
                out.push_str(&word);
            }
        }
        if self.random.chance(12) {
            out.push_str(self.random.pick(&[
                " >/dev/null",
                " 2>&1",
                " </dev/null",
                " &>/dev/null",
                " <<<x",
                " >>/tmp/log",
            ]));
        }
        if self.random.chance(6) {
            out.push_str(" # it's; \"zz9\" $(");
        }
        out
    }

    /// A compound command around other statements.
    pub(super) fn compound(&mut self, depth: usize) -> String {
        let body = self.body(depth);
        let number = self.fresh();
        let inner = depth.saturating_sub(1);
        match self.random.below(if self.posix { 14 } else { 32 }) {
            0 => format!("{{ {body}}}"),
            1 => format!("( {body})"),
            2 => format!("if true; then {body}fi"),
            3 => format!("if {body}then :; fi"),
            4 => format!("if false; then :; elif true; then {body}else :; fi"),
            5 => format!("if false; then :; else {body}fi"),
            6 => format!("for i{number} in a b; do {body}done"),
            7 => format!("while {body}false; do :; done"),
            8 => format!("until {body}true; do :; done"),
            9 => format!("case x{number} in a|b) :;; (x*) {body};; esac").replace(";;;", ";;"),
            10 => format!("f{number}() {{ {body}}}; f{number}"),
            11 => format!("f{number} () ( {body}); f{number} x"),
            12 => format!("x{number}=$( {body})"),
            13 => format!(": \"$( {body})\""),
            14 => format!("function f{number} {{ {body}}}; f{number}"),
            15 => format!("coproc {{ {body}}}; wait"),
            16 => format!("coproc N{number} {{ {body}}}; wait"),
            17 => format!("cat <( {body}) >/dev/null"),
            18 => format!("echo x > >( {body}); sleep 0.01"),
            19 => format!("[[ -n $( {body}) || 1 ]]"),
            20 => format!("(( x{number} = 1 + $( {body}echo 1) ))"),
            21 => format!(": $(( 1 + $( {body}echo 1) ))"),
            22 => format!("a{number}[$( {body}echo 1)]=2"),
            23 => format!(": ${{unset{number}:-$( {body})}}"),
            24 => format!("cat <<E{number} >/dev/null\ntext $( {body})\nE{number}\n:"),
            25 => format!("for (( i=0; i<2; i++ )); do {body}done"),
            26 => {
                let code = self.plain();
                format!("x{number}='a[$({code})]'; : $(( x{number} ))")
            }
            27 => {
                let code = self.plain();
                let user = self.random.pick(&[
                    "let 'N[$(C)]=1'",
                    "[[ -v 'N[$(C)]' ]]",
                    "printf -v 'N[$(C)]' x",
                    "test -v 'N[$(C)]'",
                    "(( N[$(C)] ))",
                    "unset 'N[$(C)]'",
                    "declare 'N[$(C)]=1'",
                    "[[ 'N[$(C)]' -eq 0 ]]",
                    "read 'N[$(C)]' <<<x",
                ]);
                user.replace('N', &format!("a{number}")).replace('C', &code)
            }
            28 => {
                let code = self.list(inner);
                if code.contains('\n') {
                    format!("( {code}\n)")
                } else {
                    super::quoting::backticks(&format!(": ; {code}"))
                }
            }
            29 => format!("select s{number} in x; do {body}break; done <<<1"),
            30 => format!("{{ {body}}} 2>/dev/null | cat"),
            _ => format!("case x in x) {body};& y) :;; esac").replace(";;&", ";&"),
        }
    }
}
