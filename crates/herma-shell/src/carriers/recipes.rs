//! Files by which a program is told what to run and that no word of its argv names: `npm run` reads
//! `package.json`, `just` a justfile, `pytest` a `conftest.py`.
//!
//! They count where the line itself writes them.

mod compose;
mod json;
mod just;
mod task;
#[cfg(test)]
mod tests;
mod yaml;

use crate::code::Language;
use crate::execution::Arg;
use crate::source::Span;
use crate::value::{Piece, Value};

use super::literals::behind_names;
use super::options::{Spec, scan};
use super::words::{computed, lines};
use super::{Payload, Step, consoles, program};

/// A file that a program reads.
pub(crate) struct Recipe {
    /// Its path, relative to the program's working directory; a pattern where any such file counts.
    pub(crate) file: Value,
    reader: Reader,
    /// The program's name.
    name: String,
    /// Where the program was written.
    span: Span,
}

/// How a file says what runs.
#[derive(Clone)]
enum Reader {
    Code(Language),
    /// Entries of an object: its key, and the names of the entries.
    Scripts(&'static str, Vec<Vec<u8>>),
    Just,
    Task,
    Compose,
    /// `name: text` in each line.
    Processes,
    /// A console's own language.
    Console,
}

/// Programs that run code out of a file of a fixed name.
const FIXED: &[(&[&str], &[&str], Language)] = &[
    (
        &["pytest", "py.test"],
        &[
            "conftest.py",
            "test_*.py",
            "*_test.py",
            "tests/conftest.py",
            "tests/test_*.py",
        ],
        Language::Python,
    ),
    (&["nox"], &["noxfile.py"], Language::Python),
    (&["invoke", "inv"], &["tasks.py"], Language::Python),
    (&["fab"], &["fabfile.py"], Language::Python),
    (&["scons"], &["SConstruct"], Language::Python),
    (&["doit"], &["dodo.py"], Language::Python),
    (
        &["rake"],
        &["Rakefile", "rakefile", "Rakefile.rb"],
        Language::Ruby,
    ),
    (&["bundle", "bundler"], &["Gemfile"], Language::Ruby),
    (
        &["rspec"],
        &["spec/spec_helper.rb", "spec/*_spec.rb", ".rspec.rb"],
        Language::Ruby,
    ),
    (&["vagrant"], &["Vagrantfile"], Language::Ruby),
    (&["pod"], &["Podfile"], Language::Ruby),
    (
        &["gulp"],
        &["gulpfile.js", "gulpfile.mjs"],
        Language::JavaScript,
    ),
    (&["grunt"], &["Gruntfile.js"], Language::JavaScript),
    (&["webpack"], &["webpack.config.js"], Language::JavaScript),
    (
        &["vite", "vitest"],
        &[
            "vite.config.js",
            "vite.config.ts",
            "vitest.config.js",
            "*.test.js",
            "*.test.ts",
        ],
        Language::JavaScript,
    ),
    (
        &["jest"],
        &["jest.config.js", "*.test.js", "*.test.ts"],
        Language::JavaScript,
    ),
    (
        &["eslint"],
        &["eslint.config.js", ".eslintrc.js"],
        Language::JavaScript,
    ),
    (
        &["next"],
        &["next.config.js", "next.config.mjs"],
        Language::JavaScript,
    ),
];

/// Consoles that take a script as their first operand.
const CONSOLES: &[&str] = &[
    "expect", "tclsh", "wish", "Rscript", "julia", "groovy", "octave", "elixir", "guile", "racket",
    "sbcl",
];

/// The files that may tell this command what to run.
pub(crate) fn recipes(argv: &[Arg]) -> Vec<Recipe> {
    let Some(name) = argv.first().and_then(program) else {
        return Vec::new();
    };
    let Ok(name) = String::from_utf8(name) else {
        return Vec::new();
    };
    let span = argv.first().map(|arg| arg.span).unwrap_or_default();
    let recipe = |file: Value, reader: Reader| Recipe {
        file,
        reader,
        name: name.clone(),
        span,
    };
    let named = |files: &[&str], directory: Option<&Value>, reader: &Reader| -> Vec<Recipe> {
        files
            .iter()
            .map(|file| recipe(inside(directory, file), reader.clone()))
            .collect()
    };
    match name.as_str() {
        "npm" | "pnpm" | "yarn" | "bun" => {
            let (directory, scripts) = scripts(&name, argv);
            named(
                &["package.json"],
                directory.as_ref(),
                &Reader::Scripts("scripts", scripts),
            )
        }
        "deno" | "composer" => {
            let (file, key, verbs): (_, _, &[&str]) = match name.as_str() {
                "deno" => ("deno.json", "tasks", &["task"]),
                _ => ("composer.json", "scripts", &["run", "run-script", "exec"]),
            };
            let mut words = plain(argv);
            words.retain(|word| !verbs.iter().any(|verb| verb.as_bytes() == word.as_slice()));
            named(&[file], None, &Reader::Scripts(key, words))
        }
        "just" => {
            let read = scan(argv, 1, &JUST);
            match read.last(&["f", "justfile"]) {
                Some(file) => vec![recipe(file.value.clone(), Reader::Just)],
                None => named(&["justfile", "Justfile", ".justfile"], None, &Reader::Just),
            }
        }
        "task" | "go-task" => {
            let read = scan(argv, 1, &TASK);
            match read.last(&["t", "taskfile"]) {
                Some(file) => vec![recipe(file.value.clone(), Reader::Task)],
                None => {
                    let directory = read.last(&["d", "dir"]).map(|arg| &arg.value);
                    let files = [
                        "Taskfile.yml",
                        "Taskfile.yaml",
                        "taskfile.yml",
                        "Taskfile.dist.yml",
                    ];
                    named(&files, directory, &Reader::Task)
                }
            }
        }
        "docker" | "podman" | "docker-compose" | "podman-compose" | "nerdctl" => {
            let words = plain(argv);
            let starts =
                |word: &Vec<u8>| matches!(word.as_slice(), b"up" | b"run" | b"create" | b"start");
            let composes = name.ends_with("compose") || words.iter().any(|word| word == b"compose");
            if !composes || !words.iter().any(starts) {
                return Vec::new();
            }
            let files: Vec<Recipe> = argv
                .windows(2)
                .filter(|pair| {
                    pair.first()
                        .is_some_and(|arg| arg.value.is(b"-f") || arg.value.is(b"--file"))
                })
                .filter_map(|pair| pair.get(1))
                .map(|file| recipe(file.value.clone(), Reader::Compose))
                .collect();
            if files.is_empty() {
                let files = [
                    "compose.yaml",
                    "compose.yml",
                    "docker-compose.yml",
                    "docker-compose.yaml",
                    "compose.override.yaml",
                    "docker-compose.override.yml",
                ];
                named(&files, None, &Reader::Compose)
            } else {
                files
            }
        }
        "foreman" | "honcho" | "overmind" | "hivemind" => {
            named(&["Procfile"], None, &Reader::Processes)
        }
        "pip" | "pip3" | "pipx" | "uv" | "easy_install" => installed(argv)
            .iter()
            .map(|directory| {
                recipe(
                    inside(Some(directory), "setup.py"),
                    Reader::Code(Language::Python),
                )
            })
            .collect(),
        name if super::shells::family(name) == "python" => modules(argv)
            .iter()
            .flat_map(|module| {
                let path = module.replace('.', "/");
                ["{}.py", "{}/__init__.py", "{}/__main__.py"].map(|form| form.replace("{}", &path))
            })
            .map(|file| recipe(inside(None, &file), Reader::Code(Language::Python)))
            .collect(),
        name if CONSOLES.contains(&name) => {
            let first = argv
                .iter()
                .skip(1)
                .find(|arg| !arg.value.known_prefix().starts_with(b"-"));
            first
                .map(|file| recipe(file.value.clone(), Reader::Console))
                .into_iter()
                .collect()
        }
        "gdb" | "lldb" => argv
            .windows(2)
            .filter(|pair| {
                let option = pair.first().and_then(|arg| arg.value.bytes());
                matches!(
                    option.as_deref(),
                    Some(b"-x" | b"--command" | b"-command" | b"-s" | b"--source")
                )
            })
            .filter_map(|pair| pair.get(1))
            .map(|file| recipe(file.value.clone(), Reader::Console))
            .collect(),
        name => {
            let Some((_, files, language)) =
                FIXED.iter().find(|(names, _, _)| names.contains(&name))
            else {
                return Vec::new();
            };
            let mut out = named(files, None, &Reader::Code(*language));
            // What is named runs as well.
            let code = argv.iter().skip(1).filter(|arg| {
                let word = arg.value.known_suffix();
                word.ends_with(b".py") || word.ends_with(b".rb") || word.ends_with(b".js")
            });
            out.extend(code.map(|arg| recipe(arg.value.clone(), Reader::Code(*language))));
            out
        }
    }
}

static JUST: Spec = Spec::anywhere(
    "f:d:nqvluc:s:E:",
    "justfile= working-directory= dry-run quiet verbose list summary unstable command= show= \
     dotenv-path= set= shell= dump choose",
);
static TASK: Spec = Spec::anywhere(
    "t:d:lasnvfpwo:C:x",
    "taskfile= dir= list list-all silent dry verbose force parallel watch output= concurrency= \
     exit-code status summary",
);

impl Recipe {
    /// What the program runs when the file holds this text.
    pub(crate) fn steps(&self, text: &Value) -> Vec<Step> {
        let whole = Arg {
            value: text.clone(),
            span: self.span,
        };
        match &self.reader {
            Reader::Code(language) => {
                let mut steps = vec![Step::local(
                    self.name.clone(),
                    Payload::Code {
                        language: *language,
                        text: text.clone(),
                        span: self.span,
                    },
                )];
                if self.name == "rake" {
                    let shell = behind_names(&whole, &["sh"]);
                    steps.extend(shell.iter().map(|text| Step::text("rake sh", text)));
                }
                steps
            }
            Reader::Console => consoles::script(&self.name, &whole),
            Reader::Scripts(key, names) => {
                let Some(bytes) = text.bytes() else {
                    return Vec::new();
                };
                let found = json::entries(&bytes, key.as_bytes());
                found
                    .into_iter()
                    .filter(|(name, _)| names.contains(name))
                    .map(|(_, text)| self.text(text))
                    .collect()
            }
            Reader::Just => just::recipes(&whole)
                .into_iter()
                .map(|text| Step::text(&self.name, &text))
                .collect(),
            Reader::Task => {
                let found = text.bytes().map(|bytes| task::commands(&bytes));
                found
                    .unwrap_or_default()
                    .into_iter()
                    .map(|text| self.text(text))
                    .collect()
            }
            Reader::Compose => {
                let found = text.bytes().map(|bytes| compose::runs(&bytes));
                let run = |words: Vec<Vec<u8>>| {
                    let words: Vec<Arg> = words
                        .into_iter()
                        .map(|word| computed(word, self.span))
                        .collect();
                    Step::argv(&self.name, &words)
                };
                found
                    .unwrap_or_default()
                    .into_iter()
                    .filter_map(run)
                    .collect()
            }
            Reader::Processes => lines(&whole)
                .iter()
                .filter_map(|line| {
                    let text = line.value.bytes()?;
                    let colon = text.iter().position(|byte| *byte == b':')?;
                    Some(self.text(text.get(colon + 1..)?.to_vec()))
                })
                .collect(),
        }
    }

    fn text(&self, text: Vec<u8>) -> Step {
        Step::text(&self.name, &computed(text, self.span))
    }
}

/// What of `scripts` these words run, and the directory in which the file is.
fn scripts(name: &str, argv: &[Arg]) -> (Option<Value>, Vec<Vec<u8>>) {
    static SPEC: Spec = Spec::anywhere(
        "C:w:sgD",
        "prefix= dir= cwd= workspace= filter= silent if-present loglevel= registry= global",
    );
    let read = scan(argv, 1, &SPEC);
    let directory = read
        .last(&["prefix", "dir", "cwd", "C"])
        .map(|arg| arg.value.clone());
    let words: Vec<Vec<u8>> = read
        .operands
        .iter()
        .filter_map(|at| argv.get(*at)?.value.bytes())
        .map(std::borrow::Cow::into_owned)
        .collect();
    let mut words = words.iter().map(Vec::as_slice);
    let verb = words.next().unwrap_or_default();
    let stage = |name: &[u8]| {
        [b"pre".as_slice(), b"", b"post"]
            .map(|when| [when, name].concat())
            .to_vec()
    };
    let names = match verb {
        b"run" | b"run-script" | b"rum" | b"urn" => words.next().map(stage).unwrap_or_default(),
        b"test" | b"t" | b"tst" | b"it" => stage(b"test"),
        b"start" | b"stop" => stage(verb),
        b"restart" => [b"stop".as_slice(), b"restart", b"start"]
            .iter()
            .flat_map(|name| stage(name))
            .collect(),
        b"install" | b"i" | b"ci" | b"add" | b"" | b"install-test" | b"rebuild" => {
            [b"install".as_slice(), b"prepublish", b"prepare", b"test"]
                .iter()
                .flat_map(|name| stage(name))
                .collect()
        }
        b"publish" | b"pack" => [
            b"publish".as_slice(),
            b"prepublishOnly",
            b"pack",
            b"prepare",
        ]
        .iter()
        .flat_map(|name| stage(name))
        .collect(),
        // The others start a script by its name alone.
        other if name != "npm" => stage(other),
        _ => Vec::new(),
    };
    (directory, names)
}

/// The directories that `pip install` is given.
fn installed(argv: &[Arg]) -> Vec<Value> {
    let words = plain(argv);
    if !words
        .iter()
        .any(|word| word == b"install" || word == b"wheel" || word == b"sync")
    {
        return Vec::new();
    }
    let is_path = |arg: &&Arg| {
        let word = arg.value.known_prefix();
        word == b"."
            || word.starts_with(b"./")
            || word.starts_with(b"/")
            || word.starts_with(b"../")
    };
    argv.iter()
        .skip(1)
        .filter(is_path)
        .map(|arg| arg.value.clone())
        .collect()
}

/// The modules that `python -m` runs and `python -c` imports.
fn modules(argv: &[Arg]) -> Vec<String> {
    let mut out = Vec::new();
    for pair in argv.windows(2) {
        let [option, operand] = pair else { continue };
        let (Some(option), Some(operand)) = (option.value.bytes(), operand.value.bytes()) else {
            continue;
        };
        let operand = String::from_utf8_lossy(&operand);
        let flags = option.strip_prefix(b"-").unwrap_or_default();
        if flags.starts_with(b"-") {
            continue;
        }
        match flags.last() {
            Some(b'm') => out.push(operand.into_owned()),
            Some(b'c') => out.extend(imported(&operand)),
            _ => continue,
        }
        break;
    }
    out.retain(|name| !name.is_empty() && name.len() < 256 && !name.contains('*'));
    out
}

/// Modules behind `import` and `from` in a line of Python.
fn imported(code: &str) -> Vec<String> {
    let mut out = Vec::new();
    for statement in code.split(['\n', ';']) {
        let mut words = statement
            .trim()
            .split([' ', ','])
            .filter(|word| !word.is_empty());
        match words.next() {
            Some("import") => out.extend(words.take_while(|word| *word != "#").map(str::to_owned)),
            Some("from") => out.extend(words.next().map(str::to_owned)),
            _ => {}
        }
    }
    out.truncate(8);
    out
}

/// The words that are no options, when known.
fn plain(argv: &[Arg]) -> Vec<Vec<u8>> {
    argv.iter()
        .skip(1)
        .filter_map(|arg| arg.value.bytes())
        .filter(|word| !word.starts_with(b"-"))
        .map(std::borrow::Cow::into_owned)
        .collect()
}

/// A file's path in a directory; a name with `*` is a pattern.
fn inside(directory: Option<&Value>, file: &str) -> Value {
    let mut out = directory.cloned().unwrap_or_default();
    if directory.is_some() {
        out.push_text(b"/", None);
    }
    if file.contains('*') {
        out.pieces.push(Piece::Glob {
            pattern: file.as_bytes().to_vec(),
            at: None,
        });
    } else {
        out.push_text(file.as_bytes(), None);
    }
    out
}
