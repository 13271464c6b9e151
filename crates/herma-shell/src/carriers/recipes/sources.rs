//! Sources that a command compiles and runs.

use super::super::options::{Spec, scan};
use super::{inside, suites};
use crate::code::Language;
use crate::execution::Arg;
use crate::value::Value;

static GO: Spec = Spec::anywhere(
    "o:p:C:anvxi",
    "exec= toolexec= ldflags= gcflags= tags= mod= run= count= timeout= bench= benchtime= cover \
     coverprofile= short failfast race v vet= parallel= json asmflags= pkgdir= args",
)
.single_dash();
static JAVA: Spec = Spec::new(
    "D::X::",
    "cp= classpath= class-path= jar= source= enable-preview ea esa version help p= module-path= m= \
     add-modules=",
)
.single_dash();

/// The sources that this command runs.
pub(super) fn files(name: &str, argv: &[Arg]) -> Vec<(Value, Language)> {
    match name {
        "cargo" => cargo(argv)
            .iter()
            .map(|file| (inside(None, file), Language::Rust))
            .collect(),
        "go" => go(argv),
        "java" => java(argv),
        "gorun" | "rust-script" => {
            let language = if name == "gorun" {
                Language::Go
            } else {
                Language::Rust
            };
            let file = argv.get(1).map(|arg| (arg.value.clone(), language));
            file.into_iter().collect()
        }
        "tcc" => {
            let at = argv.iter().position(|arg| arg.value.is(b"-run"));
            let file = at.and_then(|at| argv.get(at + 1));
            file.map(|arg| (arg.value.clone(), Language::C))
                .into_iter()
                .collect()
        }
        _ => Vec::new(),
    }
}

fn cargo(argv: &[Arg]) -> Vec<&'static str> {
    let words = super::words::plain(argv);
    let verb = words
        .iter()
        .find(|word| !word.starts_with(b"+"))
        .map_or(&b""[..], Vec::as_slice);
    let mut out = match verb {
        b"build" | b"b" | b"check" | b"c" | b"clippy" | b"install" | b"doc" | b"package"
        | b"publish" | b"rustc" => Vec::new(),
        b"run" | b"r" => vec!["src/main.rs", "src/bin/*.rs", "examples/*.rs"],
        b"test" | b"t" | b"nextest" | b"bench" | b"miri" => vec![
            "src/lib.rs",
            "src/main.rs",
            "src/*.rs",
            "tests/*.rs",
            "benches/*.rs",
        ],
        b"xtask" => vec!["xtask/src/main.rs"],
        _ => return Vec::new(),
    };
    out.push("build.rs");
    out
}

/// Packages and files behind `go VERB`.
fn operands(argv: &[Arg]) -> Vec<Value> {
    let read = scan(argv, 2, &GO);
    read.operands
        .iter()
        .filter_map(|at| argv.get(*at))
        .map(|arg| arg.value.clone())
        .collect()
}

fn go(argv: &[Arg]) -> Vec<(Value, Language)> {
    let verb = argv.get(1).and_then(|arg| arg.value.bytes());
    let verb = verb.as_deref().unwrap_or_default();
    let given = operands(argv);
    let mut out: Vec<Value> = Vec::new();
    match verb {
        b"run" => {
            let is_file = |value: &&Value| value.known_suffix().ends_with(b".go");
            let files: Vec<Value> = given.iter().take_while(is_file).cloned().collect();
            match (files.is_empty(), given.first()) {
                (false, _) => out.extend(files),
                (true, Some(package)) if suites::is_directory(package) => {
                    out.push(inside(Some(package), "*.go"));
                }
                _ => out.push(inside(None, "*.go")),
            }
        }
        b"test" => {
            for package in &given {
                match package.bytes() {
                    Some(path) if path.ends_with(b"...") => {
                        let root = path.strip_suffix(b"...").unwrap_or_default();
                        for depth in ["", "*/", "*/*/"] {
                            let root = String::from_utf8_lossy(root);
                            out.push(inside(None, &format!("{root}{depth}*.go")));
                        }
                    }
                    Some(path) if path.ends_with(b".go") => out.push(package.clone()),
                    _ if suites::is_directory(package) => out.push(inside(Some(package), "*.go")),
                    _ => {}
                }
            }
            if given.is_empty() {
                out.push(inside(None, "*.go"));
            }
        }
        _ => {}
    }
    out.into_iter().map(|file| (file, Language::Go)).collect()
}

/// The sources in which `go generate` looks for what it runs.
pub(super) fn directives(name: &str, argv: &[Arg]) -> Vec<Value> {
    let generates = argv.get(1).is_some_and(|verb| verb.value.is(b"generate"));
    if name != "go" || !generates {
        return Vec::new();
    }
    ["*.go", "*/*.go"].map(|file| inside(None, file)).to_vec()
}

fn java(argv: &[Arg]) -> Vec<(Value, Language)> {
    let read = scan(argv, 1, &JAVA);
    let directory = read
        .last(&["cp", "classpath", "class-path"])
        .map(|arg| &arg.value);
    let Some(first) = read.starts.first().and_then(|at| argv.get(*at)) else {
        return Vec::new();
    };
    let Some(word) = first.value.bytes() else {
        return Vec::new();
    };
    let file = if word.ends_with(b".java") || word.contains(&b'/') {
        first.value.clone()
    } else {
        let path = String::from_utf8_lossy(&word).replace('.', "/");
        inside(directory, &format!("{path}.class"))
    };
    vec![(file, Language::Java)]
}

/// Where the program stands in what `cargo build` made: the directory around it, and its name.
fn parts(argv: &[Arg]) -> Option<(Vec<u8>, Vec<u8>)> {
    let path = argv.first()?.value.bytes()?;
    let mark = path
        .windows(7)
        .position(|part| part == b"target/")
        .filter(|at| *at == 0 || path.get(at - 1) == Some(&b'/'))?;
    let rest = path.get(mark + 7..)?;
    let name = rest
        .strip_prefix(b"debug/")
        .or_else(|| rest.strip_prefix(b"release/"))?;
    Some((path.get(..mark)?.to_vec(), name.to_vec()))
}

/// Whether it is a program that `cargo build` made.
pub(super) fn is_built(argv: &[Arg]) -> bool {
    parts(argv).is_some()
}

/// The sources of such a program.
pub(super) fn built(argv: &[Arg]) -> Vec<Value> {
    let Some((root, name)) = parts(argv) else {
        return Vec::new();
    };
    let name = String::from_utf8_lossy(&name).into_owned();
    let root = String::from_utf8_lossy(&root).into_owned();
    [
        "src/main.rs".to_owned(),
        format!("src/bin/{name}.rs"),
        format!("{name}.rs"),
    ]
    .iter()
    .map(|file| inside(None, &format!("{root}{file}")))
    .collect()
}
