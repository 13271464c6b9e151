//! Files by which a program is told what to run and that no word of its argv names: `npm run` reads
//! `package.json`, `just` a justfile, `pytest` a `conftest.py`.
//!
//! They count where the line itself writes them.

mod compose;
mod json;
mod just;
mod reader;
mod sources;
mod suites;
mod task;
#[cfg(test)]
mod tests;
mod words;
mod yaml;

use crate::code::Language;
use crate::execution::Arg;
use crate::source::Span;
use crate::value::{Piece, Value};

use self::words::{installed, modules, packed, plain, scripts};
use super::options::{Spec, scan};
use super::program;

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
    /// Values of these names in a file of settings, each line of them a command.
    Settings(&'static [&'static [u8]]),
    /// Hooks of `pre-commit` that are written in the file.
    Entries,
    /// Tests in the shell's language.
    Bats,
    /// What `go generate` runs.
    Directives,
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
        "bun" | "deno" | "node" if suites::runs_tests(argv) => suites::files(&name, argv)
            .into_iter()
            .map(|file| recipe(file, Reader::Code(Language::JavaScript)))
            .collect(),
        "bats" => suites::files(&name, argv)
            .into_iter()
            .map(|file| recipe(file, Reader::Bats))
            .collect(),
        "cargo" | "go" | "gorun" | "java" | "tcc" | "rust-script" => sources::files(&name, argv)
            .into_iter()
            .map(|(file, language)| recipe(file, Reader::Code(language)))
            .chain(
                sources::directives(&name, argv)
                    .into_iter()
                    .map(|file| recipe(file, Reader::Directives)),
            )
            .collect(),
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
        name if super::shells::family(name) == "python" => packed(argv)
            .into_iter()
            .map(|directory| {
                recipe(
                    inside(Some(&directory), "__main__.py"),
                    Reader::Code(Language::Python),
                )
            })
            .chain(
                modules(argv)
                    .iter()
                    .flat_map(|module| {
                        let path = module.replace('.', "/");
                        [
                            format!("{path}.py"),
                            format!("{path}/__init__.py"),
                            format!("{path}/__main__.py"),
                        ]
                    })
                    .map(|file| recipe(inside(None, &file), Reader::Code(Language::Python))),
            )
            .collect(),
        "pyproject-build" => named(&["setup.py"], None, &Reader::Code(Language::Python)),
        "tox" => named(
            &["tox.ini"],
            None,
            &Reader::Settings(&[b"commands", b"commands_pre", b"commands_post"]),
        ),
        "pre-commit" | "prek" => named(&[".pre-commit-config.yaml"], None, &Reader::Entries),
        "node" => {
            let script = argv.iter().skip(1).find_map(|arg| {
                let word = arg.value.bytes()?;
                Some(word.strip_prefix(b"--run=")?.to_vec())
            });
            let next = argv.windows(2).find_map(|pair| match pair {
                [option, name] if option.value.is(b"--run") => {
                    Some(name.value.bytes()?.into_owned())
                }
                _ => None,
            });
            match script.or(next) {
                Some(script) => named(
                    &["package.json"],
                    None,
                    &Reader::Scripts("scripts", vec![script]),
                ),
                None => Vec::new(),
            }
        }
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
        _ if sources::is_built(argv) => sources::built(argv)
            .into_iter()
            .map(|file| recipe(file, Reader::Code(Language::Rust)))
            .collect(),
        name => {
            let Some((_, files, language)) =
                FIXED.iter().find(|(names, _, _)| names.contains(&name))
            else {
                return Vec::new();
            };
            let mut out = named(files, None, &Reader::Code(*language));
            // What is named runs as well, and in a directory what would run here.
            for operand in argv
                .iter()
                .skip(1)
                .filter(|arg| !arg.value.known_prefix().starts_with(b"-"))
            {
                let file = suites::without_case(&operand.value);
                let word = file.known_suffix();
                let is_code = [".py", ".rb", ".js", ".ts", ".mjs", ".cjs", ".tsx", ".jsx"]
                    .iter()
                    .any(|end| word.ends_with(end.as_bytes()));
                if is_code {
                    out.push(recipe(file, Reader::Code(*language)));
                } else if suites::is_directory(&file) {
                    out.extend(named(files, Some(&file), &Reader::Code(*language)));
                }
            }
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

/// A file's path in a directory; a name with `*` is a pattern.
pub(super) fn inside(directory: Option<&Value>, file: &str) -> Value {
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
