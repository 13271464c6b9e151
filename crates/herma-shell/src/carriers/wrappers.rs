//! Programs that start the program named by their first operand and do little else.

mod isolation;
mod surroundings;
mod toolchains;
mod tracing;
mod versions;

use crate::execution::{Arg, Host};
use crate::value::Value;

use super::options::{Scan, Spec, scan};
use super::words::{assignments, behind};
use super::{Command, Payload, Step};

/// The root that the program gets, out of the words, the options and where the program stands.
type Root = fn(&[Arg], &Scan, usize) -> Option<Value>;

/// A program whose operands are another program and its arguments.
pub(super) struct Wrapper {
    names: &'static [&'static str],
    spec: Spec,
    /// Operands in front of the program.
    positionals: usize,
    /// `NAME=value` words may stand in front of the program.
    assigns: bool,
    /// Options that make it run nothing.
    queries: &'static [&'static str],
    /// Options whose operand is shell text, run in place of a program.
    text: &'static [&'static str],
    /// Options whose operand is the working directory.
    cwd: &'static [&'static str],
    /// The program must stand behind a word such as `run`.
    verb: &'static [&'static str],
    /// The program must stand behind `--`.
    separated: bool,
    /// Options may follow the operands in front of the program.
    rescans: bool,
    /// Another root than the carrier's, as the words say it.
    root: Option<Root>,
}

const fn wrapper(
    names: &'static [&'static str],
    short: &'static str,
    long: &'static str,
) -> Wrapper {
    Wrapper {
        names,
        spec: Spec::new(short, long),
        positionals: 0,
        assigns: false,
        queries: &[],
        text: &[],
        cwd: &[],
        verb: &[],
        separated: false,
        rescans: false,
        root: None,
    }
}

impl Wrapper {
    const fn skip(self, positionals: usize) -> Self {
        Self {
            positionals,
            ..self
        }
    }
    const fn assigns(self) -> Self {
        Self {
            assigns: true,
            ..self
        }
    }
    const fn queries(self, queries: &'static [&'static str]) -> Self {
        Self { queries, ..self }
    }
    const fn text(self, text: &'static [&'static str]) -> Self {
        Self { text, ..self }
    }
    const fn cwd(self, cwd: &'static [&'static str]) -> Self {
        Self { cwd, ..self }
    }
    const fn verb(self, verb: &'static [&'static str]) -> Self {
        Self { verb, ..self }
    }
    const fn separated(self) -> Self {
        Self {
            separated: true,
            ..self
        }
    }
    const fn rescans(self) -> Self {
        Self {
            rescans: true,
            ..self
        }
    }
    const fn root(self, root: Root) -> Self {
        Self {
            root: Some(root),
            ..self
        }
    }
    const fn single_dash(self) -> Self {
        Self {
            spec: self.spec.single_dash(),
            ..self
        }
    }
}

const HELP: &[&str] = &["help", "version", "h", "V"];

const TABLES: [&[Wrapper]; 4] = [
    isolation::TABLE,
    surroundings::TABLE,
    tracing::TABLE,
    toolchains::TABLE,
];

pub(super) fn carry(name: &str, command: &Command<'_>) -> Option<Vec<Step>> {
    let user_mode = name.starts_with("qemu-")
        && !name.starts_with("qemu-system")
        && name != "qemu-img"
        && name != "qemu-nbd";
    if name.starts_with("with-") || name.starts_with("run-with-") {
        return Some(run(&SURROUNDING, name, command.argv));
    }
    if name.starts_with("ld-linux") || name.starts_with("ld-musl") || name == "ld.so" || user_mode {
        return Some(run(&LOADER, name, command.argv));
    }
    match name {
        "nvm" | "n" => return Some(versions::carry(name, command.argv)),
        "npm" | "cnpm" if second_is(command.argv, &["explore"]) => {
            return Some(versions::explore(name, command.argv));
        }
        _ => {}
    }
    if name == "uv"
        && let [_, tool, verb, ..] = command.argv
        && tool.value.is(b"tool")
        && verb.value.is(b"run")
    {
        let argv = command.argv.get(2..).unwrap_or_default();
        return table_entry("uvx").map(|wrapper| run(wrapper, "uv tool run", argv));
    }
    let wrapper = table_entry(name)?;
    if !wrapper.verb.is_empty() && name == "bun" && !second_is(command.argv, wrapper.verb) {
        return None;
    }
    Some(run(wrapper, name, command.argv))
}

/// Wrappers by a hash of their names: a table and a place in it. Every program is looked up here.
static INDEX: [Option<(u8, u8)>; SLOTS] = index();

/// Half of them stay empty.
const SLOTS: usize = 1024;

#[expect(clippy::indexing_slicing, reason = "runs in the compiler only")]
const fn index() -> [Option<(u8, u8)>; SLOTS] {
    let mut slots = [None; SLOTS];
    let mut free = SLOTS / 2;
    let mut table = 0;
    while table < TABLES.len() {
        let mut place = 0;
        while place < TABLES[table].len() {
            let names = TABLES[table][place].names;
            let mut number = 0;
            while number < names.len() {
                let mut slot = slot(names[number]);
                while slots[slot].is_some() {
                    slot = (slot + 1) % SLOTS;
                }
                assert!(table <= 0xff && place <= 0xff && free > 0);
                slots[slot] = Some((table as u8, place as u8));
                free -= 1;
                number += 1;
            }
            place += 1;
        }
        table += 1;
    }
    slots
}

const fn slot(name: &str) -> usize {
    let mut hash = 0_usize;
    let mut rest = name.as_bytes();
    while let [byte, behind @ ..] = rest {
        hash = (hash * 31 + *byte as usize) % (1 << 20);
        rest = behind;
    }
    (hash ^ (hash >> 10)) % SLOTS
}

fn table_entry(name: &str) -> Option<&'static Wrapper> {
    let (before, from) = INDEX.split_at_checked(slot(name))?;
    from.iter()
        .chain(before)
        .map_while(|entry| *entry)
        .filter_map(|(table, place)| TABLES.get(usize::from(table))?.get(usize::from(place)))
        .find(|wrapper| wrapper.names.contains(&name))
}

/// `with-secrets command…` and other wrappers of that name.
static SURROUNDING: Wrapper = wrapper(&[], "", "");

static LOADER: Wrapper = wrapper(
    &["ld.so"],
    "L:E:g:cpU:s:",
    "list verify inhibit-cache library-path= glibc-hwcaps-prepend= \
         glibc-hwcaps-mask= inhibit-rpath= audit= preload= argv0= list-tunables \
         list-diagnostics help version",
)
.queries(&[
    "list",
    "verify",
    "list-tunables",
    "list-diagnostics",
    "help",
    "version",
]);

fn second_is(argv: &[Arg], verbs: &[&str]) -> bool {
    argv.get(1)
        .and_then(|arg| arg.value.bytes())
        .is_some_and(|word| verbs.iter().any(|verb| verb.as_bytes() == &*word))
}

fn run(wrapper: &Wrapper, name: &str, argv: &[Arg]) -> Vec<Step> {
    // The architecture may be left out, but then an option comes first.
    let optional = name == "setarch"
        && argv
            .get(1)
            .is_some_and(|arg| arg.value.known_prefix().first() == Some(&b'-'));
    let wrapper = &Wrapper {
        positionals: if optional { 0 } else { wrapper.positionals },
        ..*wrapper
    };
    let mut from = 1;
    let mut via = name.to_owned();
    if !wrapper.verb.is_empty() {
        let Some((at, verb)) = find_verb(wrapper, argv) else {
            return Vec::new();
        };
        from = at + 1;
        if verb != "--" {
            via = format!("{name} {verb}");
        }
    }
    let read = scan(argv, from, &wrapper.spec);
    let words = Words {
        wrapper,
        via: &via,
        argv,
        from,
    };
    words.steps(&read)
}

/// The verb that makes the program run something, behind its global options.
fn find_verb(wrapper: &Wrapper, argv: &[Arg]) -> Option<(usize, &'static str)> {
    let read = scan(argv, 1, &wrapper.spec);
    let separated = argv.iter().position(|arg| arg.value.is(b"--"));
    read.starts.iter().find_map(|start| {
        let word = argv.get(*start)?.value.bytes()?;
        let found = wrapper
            .verb
            .iter()
            .find(|verb| verb.as_bytes() == &*word)
            .map(|verb| (*start, *verb));
        found.or_else(|| {
            let at = separated.filter(|at| at + 1 == *start)?;
            wrapper.verb.contains(&"--").then_some((at, "--"))
        })
    })
}

struct Words<'a> {
    wrapper: &'a Wrapper,
    via: &'a str,
    argv: &'a [Arg],
    from: usize,
}

impl Words<'_> {
    fn steps(&self, read: &Scan) -> Vec<Step> {
        if read.has(self.wrapper.queries) {
            return Vec::new();
        }
        // `npx -c` starts a shell; the words of plain `npx` name a package.
        let shell = match self.wrapper.text {
            ["c", "call"] => format!("{} -c", self.via),
            _ => self.via.to_owned(),
        };
        let mut steps: Vec<Step> = read
            .all(self.wrapper.text)
            .map(|text| Step::text(&shell, text))
            .collect();
        let cwd = read.last(self.wrapper.cwd).map(|arg| arg.value.clone());
        let separator = self
            .argv
            .iter()
            .enumerate()
            .skip(self.from)
            .find(|(_, arg)| arg.value.is(b"--"))
            .map(|(index, _)| index + 1);
        let starts = if self.wrapper.separated {
            separator.into_iter().collect()
        } else {
            read.starts.clone()
        };
        let again: Vec<usize> = if self.wrapper.rescans {
            starts
                .iter()
                .flat_map(|start| {
                    scan(
                        self.argv,
                        start + self.wrapper.positionals,
                        &self.wrapper.spec,
                    )
                    .starts
                })
                .collect()
        } else {
            starts
                .iter()
                .map(|start| start + self.wrapper.positionals)
                .collect()
        };
        for start in again {
            let start = match self.argv.get(start) {
                Some(arg) if self.wrapper.positionals > 0 && arg.value.is(b"--") => start + 1,
                _ => start,
            };
            let (environment, start) = if self.wrapper.assigns {
                assignments(self.argv, start)
            } else {
                (Vec::new(), start)
            };
            let words = self.argv.get(start..).unwrap_or_default();
            if words.is_empty() {
                continue;
            }
            let mut step = Step::local(
                self.via,
                Payload::Argv {
                    words: words.to_vec(),
                    environment,
                    cwd: cwd.clone(),
                    input_taken: false,
                },
            );
            let root = self
                .wrapper
                .root
                .and_then(|root| root(self.argv, read, start));
            if let Some(root) = root {
                step = step.on(&Host::Root(root));
            }
            steps.push(step);
        }
        steps
    }
}

/// The text behind `name=` in a word, when it begins so.
pub(super) fn setting(arg: &Arg, name: &str) -> Option<Arg> {
    let head = arg.value.known_prefix();
    let rest = head.strip_prefix(name.as_bytes())?;
    (rest.first() == Some(&b'=')).then(|| behind(arg, name.len() + 1))
}

#[cfg(test)]
mod tests {
    use super::{TABLES, table_entry};

    #[test]
    fn every_name_leads_to_the_first_wrapper_that_has_it() {
        let wrappers = || TABLES.into_iter().flatten();
        for name in wrappers().flat_map(|wrapper| wrapper.names) {
            let first = wrappers().find(|wrapper| wrapper.names.contains(name));
            let names = table_entry(name).map(|found| found.names);
            assert_eq!(names, first.map(|first| first.names), "{name}");
        }
        assert!(table_entry("no-such-wrapper").is_none());
        assert!(table_entry("").is_none());
    }
}
