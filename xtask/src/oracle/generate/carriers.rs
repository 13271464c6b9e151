//! Programs and builtins that run other text or argv.

use super::quoting::{ansi, base64, double, hex, single};
use super::{Generator, quoted};

impl Generator {
    /// A list for another shell: nothing of this shell's state is visible there.
    fn foreign(&mut self, depth: usize, posix: bool) -> String {
        let was = std::mem::replace(&mut self.posix, posix);
        let list = self.list(depth.saturating_sub(1));
        self.posix = was;
        list
    }

    /// One word that yields `code`.
    fn code_word(&mut self, code: &str) -> String {
        match self.random.below(if self.posix { 3 } else { 6 }) {
            0 => double(code),
            1 => {
                let name = self.variable();
                self.prelude.push(format!("{name}={}", single(code)));
                format!("\"${name}\"")
            }
            2 | 3 => single(code),
            4 => ansi(code, &mut self.random),
            _ => format!("\"$(cat <<'END'\n{code}\nEND\n)\""),
        }
    }

    /// A statement that has something else run commands.
    pub(super) fn carried(&mut self, depth: usize) -> String {
        match self.random.below(4) {
            0 => self.given_argv(),
            1 => self.own_text(depth),
            _ => self.other_shell(depth),
        }
    }

    /// The same shell runs text.
    fn own_text(&mut self, depth: usize) -> String {
        let posix = self.posix;
        let code = self.foreign(depth, posix);
        let word = self.code_word(&code);
        let number = self.fresh();
        match self.random.below(if posix { 5 } else { 15 }) {
            0 => format!("eval {word}"),
            1 => format!("eval eval {}", quoted(&word)).replace("eval eval '\"$", "eval '\"$"),
            2 => format!("trap {word} EXIT"),
            3 => format!("printf '%s\\n' {word} > /tmp/s{number}; . /tmp/s{number}"),
            4 => format!("trap {word} 0"),
            5 => format!("source <(printf '%s\\n' {word})"),
            6 => format!("source /dev/stdin <<<{word}"),
            7 => format!(". /dev/stdin <<'EOS'\n{code}\nEOS\n:"),
            8 => format!("trap {word} DEBUG; :; trap - DEBUG"),
            9 => format!("trap {word} ERR; false"),
            10 => format!("x{number}={word}; eval \"$x{number}\""),
            11 => format!("eval \"$(echo {})\"", single(&code)),
            12 => format!("f{number}() {{ eval \"$@\"; }}; f{number} {word}"),
            13 => format!(
                "mapfile -C {} -c 1 m{number} <<<x",
                quoted(&format!("eval {}; :", single(&code)))
            ),
            _ => format!("eval -- {word}"),
        }
    }

    /// Another shell runs text.
    fn other_shell(&mut self, depth: usize) -> String {
        let bash = !self.posix && self.random.chance(65);
        let code = self.foreign(depth, !bash);
        let shell = if bash {
            self.random
                .pick(&["bash", "/bin/bash", "bash --norc", "bash -e"])
        } else {
            self.random.pick(&["sh", "/bin/sh", "dash", "sh -u"])
        };
        let word = self.code_word(&code);
        let number = self.fresh();
        let (name, _) = shell.split_once(' ').unwrap_or((shell, ""));
        match self.random.below(if self.posix { 12 } else { 26 }) {
            0 | 1 => format!("{shell} -c {word}"),
            2 => format!("printf '%s\\n' {word} | {shell}"),
            3 => format!("{shell} <<'EOS'\n{code}\nEOS\n:"),
            4 => format!("{shell} -s a b <<'EOS'\n{code}\nEOS\n:"),
            5 => {
                format!("printf '%s\\n' {word} > /tmp/s{number}.sh; {shell} /tmp/s{number}.sh x y")
            }
            6 => format!("cat > s{number}.sh <<'EOS'\n{code}\nEOS\n{shell} s{number}.sh"),
            7 => format!(
                "printf '#!/bin/{}\\n%s\\n' {word} > s{number}; chmod +x s{number}; ./s{number}",
                if bash { "bash" } else { "sh" }
            ),
            8 => format!("echo {} | base64 -d | {shell}", base64(&code)),
            9 => format!("{shell} -c \"$(echo {} | base64 -d)\"", base64(&code)),
            10 => format!("cat <<'EOS' | {shell}\n{code}\nEOS\n:"),
            11 => format!("env A=1 {shell} -c {word}"),
            12 => format!("{shell} <<<{word}"),
            13 => format!("{shell} < <(printf '%s\\n' {word})"),
            14 => format!("{shell} <(printf '%s\\n' {word})"),
            15 => format!("xxd -r -p <<<{} | {shell}", hex(&code)),
            16 => format!("{name} -xc {word}"),
            17 => format!("{shell} -c 'eval \"$1\"' _ {word}"),
            18 => format!("export C{number}={word}; {shell} -c 'eval \"$C{number}\"'"),
            19 => format!("C{number}={word} {shell} -c 'eval \"$C{number}\"'"),
            20 => format!("exec 7<<<{word}; {shell} <&7"),
            21 => format!("{name} /dev/stdin <<<{word}"),
            22 => format!("timeout 5 {shell} -c {word}"),
            23 => format!("xargs -0 {shell} -c < <(printf '%s\\0' {word})"),
            24 => format!("find names -exec {shell} -c {word} \\;"),
            _ => format!("{{ echo :; printf '%s\\n' {word}; }} | {shell}"),
        }
    }

    /// A program runs an argv.
    fn given_argv(&mut self) -> String {
        let plain = self.plain();
        let number = self.fresh();
        match self.random.below(if self.posix { 20 } else { 38 }) {
            0 => format!("env {plain}"),
            1 => format!("env -i PATH=/usr/bin {plain}"),
            2 => format!("env -u HOME A=1 B=2 {plain}"),
            3 => format!("nice {plain}"),
            4 => format!("nice -n 5 {plain}"),
            5 => format!("timeout 5 {plain}"),
            6 => format!("timeout -k 1 -s KILL 5s {plain}"),
            7 => format!("nohup {plain}"),
            8 => format!("setsid -w {plain}"),
            9 => format!("stdbuf -oL -e 0 {plain}"),
            10 => format!("echo {} | xargs {}", number, plain),
            11 => format!("echo {number} | xargs -I% {plain} %"),
            12 => format!("printf '%s\\n' a b | xargs -n 1 {plain}"),
            13 => format!("find names -exec {plain} {{}} \\;"),
            14 => format!("find . -maxdepth 1 -name names -exec {plain} {{}} +"),
            15 => format!("find names -execdir {plain} {{}} ';'"),
            16 => format!("sudo {plain}"),
            17 => format!("sudo -u root -n -- {plain}"),
            18 => format!("echo {plain} | xargs -t env"),
            19 => format!("command env command -p {plain}").replace("command -p ", ""),
            20 => format!("env -S {}", quoted(&plain)),
            21 => format!("env --split-string={}", quoted(&plain)),
            22 => format!("xargs -a names {plain}"),
            23 => format!("echo {plain} | xargs nice"),
            24 => format!("echo {} | xargs -I{{}} sh -c '{{}}'", quoted(&plain)),
            25 => format!("awk 'BEGIN{{system(\"{plain}\")}}'"),
            26 => format!("awk 'BEGIN{{print \"x\" | \"{plain}\"}}'"),
            27 => format!("awk 'BEGIN{{\"{plain}\" | getline x}}'"),
            28 => format!("sed -n '1e {plain}' names"),
            29 => format!("ionice -c 3 {plain}"),
            30 => format!("taskset 1 {plain}"),
            31 => format!("flock /tmp/l {plain}"),
            32 => format!("flock /tmp/l -c {}", quoted(&plain)),
            33 => format!("chrt -b 0 {plain}"),
            34 => format!("sed 's/.*/{plain}/e' names")
                .replace("/e' ", "/e' ")
                .replacen("s/.*/", "s|.*|", 1)
                .replace("/e'", "|e'"),
            35 => format!("command_not_found_handle() {{ {plain}; }}; nosuchprogram{number}"),
            36 => format!("ln -s /usr/bin/zz9 /tmp/l{number}; /tmp/l{number} linked {number}"),
            _ => format!("cd /usr/bin; ./{plain}; cd - >/dev/null"),
        }
    }
}
