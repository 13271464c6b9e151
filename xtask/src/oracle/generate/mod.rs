//! Random bash scripts that run marked programs in every way that the analyser claims to follow.
//!
//! A script is a list of statements. What a statement needs first (assignments, functions, files)
//! is its prelude, put in front of it in the same shell.

mod builtins;
mod carriers;
mod changes;
mod commands;
mod places;
mod quoting;
mod spellings;
mod stored;
mod words;
mod wrappers;

use super::random::Random;
pub(crate) use quoting::base64;
use quoting::single;

/// Names of programs whose execution is logged.
pub(super) const NAMES: &[&str] = &[
    "zz9",
    "zz9",
    "zz9",
    "zz9",
    "zz8",
    "rm",
    "reboot",
    "dd",
    "mkfs.ext4",
    "shutdown",
    "git",
    "shred",
];

/// Writes one script from a seed.
pub(crate) fn script(seed: u64) -> Vec<u8> {
    let mut generator = Generator {
        random: Random::new(seed),
        serial: 0,
        posix: false,
        prelude: Vec::new(),
    };
    let depth = 1 + generator.random.below(3);
    let mut text = String::new();
    if generator.random.chance(25) {
        text.push_str("shopt -s expand_aliases\n");
        text.push_str(&generator.aliased());
    }
    text.push_str(&generator.list(depth));
    text.into_bytes()
}

struct Generator {
    random: Random,
    serial: usize,
    /// Only what dash understands too.
    posix: bool,
    prelude: Vec<String>,
}

impl Generator {
    /// A name or number that occurs nowhere else in the script.
    fn fresh(&mut self) -> usize {
        self.serial += 1;
        self.serial
    }

    fn variable(&mut self) -> String {
        let number = self.fresh();
        let stem = self.random.pick(&["v", "x", "_a", "CMD", "Foo"]);
        format!("{stem}{number}")
    }

    /// Statements with their preludes, complete in themselves.
    fn list(&mut self, depth: usize) -> String {
        let outer = std::mem::take(&mut self.prelude);
        let count = 1 + self.random.below(if depth > 1 { 3 } else { 2 });
        let mut text = String::new();
        for index in 0..count {
            let statement = self.statement(depth);
            for line in std::mem::take(&mut self.prelude) {
                text.push_str(&line);
                text.push_str(if line.contains('\n') || self.random.chance(50) {
                    "\n"
                } else {
                    "; "
                });
            }
            text.push_str(&statement);
            if index + 1 < count {
                let joiner = if statement.contains('\n') || statement.contains('#') {
                    "\n"
                } else {
                    self.random.pick(&[
                        "; ", "\n", " && ", " || ", ";", " & ", " | ", " ;\n\n", "\t;\t",
                    ])
                };
                text.push_str(joiner);
            }
        }
        self.prelude = outer;
        text
    }

    /// A list ready to stand in front of a closing word.
    fn body(&mut self, depth: usize) -> String {
        let mut list = self.list(depth.saturating_sub(1));
        if list.contains('\n') || list.contains('#') {
            list.push('\n');
        } else {
            list.push_str(self.random.pick(&["; ", "\n", ";"]));
        }
        list
    }

    fn statement(&mut self, depth: usize) -> String {
        if self.random.chance(12) {
            return self.noise();
        }
        if depth <= 1 || self.random.chance(40) {
            return match self.random.below(14) {
                0..=2 if !self.posix => self.by_builtin(),
                3 | 4 => self.placed(),
                5 if !self.posix => self.stored(),
                6 if !self.posix => self.wrapped(),
                7 if !self.posix => self.searched(),
                8 | 9 if !self.posix => self.changed(),
                _ => self.marked(),
            };
        }
        if self.random.chance(50) {
            self.compound(depth)
        } else {
            self.carried(depth)
        }
    }

    /// Text that runs nothing, however it looks.
    fn noise(&mut self) -> String {
        let number = self.fresh();
        match self.random.below(10) {
            0 => format!(": 'zz9 data {number}'"),
            1 => format!(": \"; zz9 data {number}\""),
            2 => format!(": # it's zz9 data {number}\n:"),
            3 => format!(": <<'E'\n$(zz9 data {number})\n`zz9 data`\nE\n:"),
            4 => format!("echo 'a) ;; esac }} done' \\; zz9 {number}"),
            5 => format!("[ zz9 = data{number} ]"),
            6 if !self.posix => format!("[[ zz9 == data{number} && -n ';' ]]"),
            7 => format!("case zz9 in zz8) :;; data{number}) :;; esac"),
            8 if !self.posix => format!("(( {number} << 1 ))"),
            _ => format!("unused{number}='$(zz9 data)'"),
        }
    }

    /// An alias, used on a later line as bash requires.
    fn aliased(&mut self) -> String {
        let number = self.fresh();
        let name = self.random.pick(NAMES);
        match self.random.below(7) {
            0 => format!("alias al{number}='{name} aliased {number}'\nal{number} more\n"),
            1 => format!("alias al{number}={name}\nal{number} {number}\n"),
            2 => format!(
                "alias al{number}='{name} '\nalias be{number}='x {number}'\nal{number} be{number} be{number}\n"
            ),
            3 => format!("alias echo='{name} instead {number}'\necho hello\nunalias echo\n"),
            4 => format!("alias al{number}='{{ {name} {number}; '\nal{number} }}\n"),
            5 => format!("alias al{number}='true; {name} {number}'\nif al{number}; then :; fi\n"),
            _ => format!("alias al{number}='{name} {number} #'\nal{number} | x y\n"),
        }
    }
}

/// `text` as one single-quoted word.
fn quoted(text: &str) -> String {
    single(text)
}
