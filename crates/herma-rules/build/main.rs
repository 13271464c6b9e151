//! Compiles `rules/*.toml` into static tables, so that a check parses nothing.

mod emit;
mod pack;
mod pools;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use pack::{Names, Packs, Programs};

fn main() -> ExitCode {
    match compile() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tell("error", error.to_string().lines());
            ExitCode::FAILURE
        }
    }
}

fn compile() -> Result<(), Box<dyn Error>> {
    let crate_root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let rules = crate_root.join("../../rules");
    tell("rerun-if-changed", ["build", "../../rules"]);

    let names = names(&crate_root)?;
    let mut files: Vec<PathBuf> = fs::read_dir(&rules)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    files.retain(|path| path.extension().is_some_and(|ext| ext == "toml"));
    files.sort();

    let mut packs = Packs::default();
    let mut programs = Programs::default();
    for path in &files {
        let text = fs::read_to_string(path)?;
        let shown = shown(path);
        let outcome = match stem(path) {
            "programs" => programs.read(&text),
            "known" => packs.read_known(&text),
            name => packs.read(name, &text, &names),
        };
        outcome.map_err(|message| format!("rules/{shown}: {message}"))?;
    }
    let out = PathBuf::from(env::var("OUT_DIR")?).join("packs.rs");
    fs::write(out, emit::tables(&packs, &programs))?;
    Ok(())
}

/// What packs may name, from the sources that define it. A source without any is a fault.
fn names(crate_root: &Path) -> Result<Names, Box<dyn Error>> {
    let read = |path: &str| {
        tell("rerun-if-changed", [path]);
        fs::read_to_string(crate_root.join(path)).map_err(|error| format!("{path}: {error}"))
    };
    let variants = |path: &str, name: &str| match pack::variants(&read(path)?, name) {
        none if none.is_empty() => Err(format!("{path} has no variants of {name}")),
        some => Ok(some),
    };
    let mut predicates = Vec::new();
    for entry in fs::read_dir(crate_root.join("src/predicate"))? {
        let path = format!("src/predicate/{}", shown(&entry?.path()));
        predicates.extend(pack::functions(&read(&path)?));
    }
    Ok(Names {
        verbs: variants("src/effect.rs", "Verb")?,
        places: variants("src/place.rs", "Place")?,
        facts: variants("../herma-shell/src/execution.rs", "FactKind")?,
        statements: variants("src/statement.rs", "Statement")?,
        predicates,
    })
}

fn stem(path: &Path) -> &str {
    path.file_stem()
        .and_then(|stem| stem.to_str())
        .unwrap_or_default()
}

fn shown(path: &Path) -> String {
    path.file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}

#[expect(
    clippy::print_stdout,
    reason = "cargo reads what a build script prints"
)]
fn tell<'a>(what: &str, values: impl IntoIterator<Item = &'a str>) {
    for value in values {
        println!("cargo::{what}={value}");
    }
}
