//! Files that programs make out of others: compilers, archivers, and the words of `npm pkg set`.
//!
//! What is compiled is kept as its source behind the line of a program that runs such sources; an
//! archive is kept as a directory of the files in it.

use crate::execution::Arg;
use crate::path::base_name;
use crate::value::Value;

use super::options::{Spec, scan};
use super::program;

/// A file that a program makes.
pub(crate) enum Product {
    /// A program from sources.
    Compiled {
        /// The program's path.
        path: Value,
        /// What runs such sources, as a first line.
        head: &'static [u8],
        /// The sources; `-` is standard input.
        sources: Vec<Value>,
    },
    /// An archive with files, or with directories and all that is in them.
    Archive {
        /// The archive's path.
        path: Value,
        /// What goes in.
        sources: Vec<Value>,
        /// A directory's files stand in the archive without the directory's name.
        flat: bool,
    },
    /// Text that stands in a file from here on, besides what it held.
    Addition {
        /// The file.
        path: Value,
        /// The text.
        text: Vec<u8>,
    },
}

static CC: Spec = Spec::anywhere(
    "o:I:L:l:D:U:x:O::W::f::m::g::cESv",
    "std= shared static nostdlib nostartfiles nodefaultlibs pthread pedantic isystem= include= \
     MF= MT= MQ= MD MMD pie no-pie rdynamic ansi dynamiclib framework= arch= target= run fsyntax-only",
)
.single_dash();
static RUSTC: Spec = Spec::anywhere(
    "o:L:l:C:A:W:D:F:OgvV",
    "edition= crate-type= crate-name= emit= out-dir= cfg= extern= target= codegen= test print=",
);
static GO: Spec = Spec::anywhere(
    "o:p:C:anvxi",
    "o= tags= ldflags= gcflags= asmflags= mod= race trimpath buildmode= buildvcs= overlay= pkgdir= \
     toolexec= work cover",
)
.single_dash();
static JAVAC: Spec = Spec::anywhere(
    "d:g::X::J::s:h:",
    "d= cp= classpath= class-path= sourcepath= source= target= release= encoding= proc= \
     processor= processorpath= nowarn verbose parameters deprecation Werror",
)
.single_dash();
static MAKE: Spec = Spec::anywhere("C:f:j::I:BkinqsS", "file= directory= jobs?");
static ZIP: Spec = Spec::anywhere("b:n:t:x:i:P:rqjmuv0123456789DXyoTe@", "exclude= include=");
static ZIPAPP: Spec = Spec::anywhere("o:p:m:ch", "output= python= main= compress info help");

/// What this command makes, in the directory `here`.
pub(crate) fn products(argv: &[Arg], here: Option<&[u8]>) -> Vec<Product> {
    let Some(name) = argv.first().and_then(program) else {
        return Vec::new();
    };
    let name = String::from_utf8_lossy(&name);
    match &*name {
        "rustc" => rust(argv),
        "go" => go(argv, here),
        "javac" => java(argv),
        "make" | "gmake" => implicit(argv),
        "zip" => zip(argv),
        "npm" | "pnpm" | "yarn" | "bun" => scripts(argv),
        name if super::shells::family(name) == "python" => python(argv),
        name if is_c(name) => c(argv),
        _ => Vec::new(),
    }
}

/// `gcc`, `x86_64-linux-gnu-gcc`, `clang++-18`
pub(super) fn is_c(name: &str) -> bool {
    let end = |byte: char| byte.is_ascii_digit() || matches!(byte, '-' | '.');
    let stem = name.trim_end_matches(end);
    let last = stem.rsplit('-').next().unwrap_or(stem);
    matches!(
        last,
        "cc" | "gcc" | "g++" | "c++" | "clang" | "clang++" | "tcc" | "c99" | "c89" | "c17"
    )
}

fn operands<'a>(argv: &'a [Arg], at: &[usize]) -> Vec<&'a Value> {
    at.iter()
        .filter_map(|at| argv.get(*at))
        .map(|arg| &arg.value)
        .collect()
}

fn ends(value: &Value, ends: &[&str]) -> bool {
    let tail = value.known_suffix();
    ends.iter().any(|end| tail.ends_with(end.as_bytes()))
}

/// The path without its last ending, and with another one.
fn renamed(path: &Value, end: &str) -> Option<Value> {
    let bytes = path.bytes()?;
    let dot = bytes.iter().rposition(|byte| *byte == b'.')?;
    let stem = bytes.get(..dot)?;
    Some(Value::computed([stem, end.as_bytes()].concat()))
}

/// The same in the directory in which the compiler runs.
fn here(path: &Value) -> Option<Value> {
    Some(Value::computed(base_name(&path.bytes()?)))
}

fn c(argv: &[Arg]) -> Vec<Product> {
    let read = scan(argv, 1, &CC);
    if read.has(&["E", "S", "fsyntax-only", "run"]) {
        return Vec::new();
    }
    let sources: Vec<Value> = operands(argv, &read.operands)
        .into_iter()
        .filter(|value| {
            value.is(b"-")
                || ends(
                    value,
                    &[".c", ".cc", ".cpp", ".cxx", ".C", ".o", ".a", ".m"],
                )
        })
        .cloned()
        .collect();
    let head = b"#!/usr/bin/tcc -run\n".as_slice();
    let named = read.last(&["o"]).map(|arg| arg.value.clone());
    if read.has(&["c"]) && named.is_none() {
        return sources
            .into_iter()
            .filter_map(|source| {
                Some(Product::Compiled {
                    path: here(&renamed(&source, ".o")?)?,
                    head,
                    sources: vec![source],
                })
            })
            .collect();
    }
    vec![Product::Compiled {
        path: named.unwrap_or_else(|| Value::computed(*b"a.out")),
        head,
        sources,
    }]
}

fn rust(argv: &[Arg]) -> Vec<Product> {
    let read = scan(argv, 1, &RUSTC);
    let Some(source) = operands(argv, &read.operands)
        .first()
        .map(|value| (*value).clone())
    else {
        return Vec::new();
    };
    let path = match (read.last(&["o"]), read.last(&["out-dir"])) {
        (Some(named), _) => Some(named.value.clone()),
        (None, directory) => renamed(&source, "")
            .and_then(|path| here(&path))
            .map(|path| {
                let mut out = directory.map(|arg| arg.value.clone()).unwrap_or_default();
                if directory.is_some() {
                    out.push_text(b"/", None);
                }
                out.append(&path);
                out
            }),
    };
    path.map(|path| Product::Compiled {
        path,
        head: b"#!/usr/bin/rust-script\n",
        sources: vec![source],
    })
    .into_iter()
    .collect()
}

fn go(argv: &[Arg], here: Option<&[u8]>) -> Vec<Product> {
    if !argv.get(1).is_some_and(|verb| verb.value.is(b"build")) {
        return Vec::new();
    }
    let read = scan(argv, 2, &GO);
    let given = operands(argv, &read.operands);
    let files: Vec<Value> = given
        .iter()
        .filter(|value| ends(value, &[".go"]))
        .map(|value| (*value).clone())
        .collect();
    let directory = given.first().filter(|_| files.is_empty());
    let path = match (read.last(&["o"]), files.first(), directory) {
        (Some(named), ..) => Some(named.value.clone()),
        (None, Some(file), _) => renamed(file, ""),
        (None, None, Some(directory)) if !directory.is(b".") => directory
            .bytes()
            .map(|path| Value::computed(base_name(&path))),
        _ => here.map(|path| Value::computed(base_name(path))),
    };
    let sources = if files.is_empty() {
        let directory = directory.map(|value| (*value).clone());
        vec![super::recipes::inside(directory.as_ref(), "*.go")]
    } else {
        files
    };
    path.map(|path| Product::Compiled {
        path,
        head: b"#!/usr/bin/gorun\n",
        sources,
    })
    .into_iter()
    .collect()
}

fn java(argv: &[Arg]) -> Vec<Product> {
    let read = scan(argv, 1, &JAVAC);
    let directory = read.last(&["d"]).map(|arg| &arg.value);
    operands(argv, &read.operands)
        .into_iter()
        .filter(|value| ends(value, &[".java"]))
        .filter_map(|source| {
            let class = renamed(source, ".class")?;
            let path = match directory {
                Some(directory) => {
                    let name = base_name(&class.bytes()?).to_vec();
                    super::recipes::inside(Some(directory), &String::from_utf8_lossy(&name))
                }
                None => class,
            };
            Some(Product::Compiled {
                path,
                head: b"",
                sources: vec![source.clone()],
            })
        })
        .collect()
}

/// `make x` compiles `x.c` without a makefile.
fn implicit(argv: &[Arg]) -> Vec<Product> {
    let read = scan(argv, 1, &MAKE);
    operands(argv, &read.operands)
        .into_iter()
        .filter_map(Value::bytes)
        .filter(|target| !target.contains(&b'=') && !target.is_empty())
        .take(16)
        .flat_map(|target| {
            ["c", "cc", "cpp", "C"].map(|end| Product::Compiled {
                path: Value::computed(&*target),
                head: b"#!/usr/bin/tcc -run\n",
                sources: vec![Value::computed(
                    [&target, b".".as_slice(), end.as_bytes()].concat(),
                )],
            })
        })
        .collect()
}

fn zip(argv: &[Arg]) -> Vec<Product> {
    let read = scan(argv, 1, &ZIP);
    let given = operands(argv, &read.operands);
    let Some((archive, sources)) = given.split_first() else {
        return Vec::new();
    };
    let mut path = (*archive).clone();
    if path
        .bytes()
        .is_some_and(|path| !base_name(&path).contains(&b'.'))
    {
        path.push_text(b".zip", None);
    }
    vec![Product::Archive {
        path,
        sources: sources.iter().map(|value| (*value).clone()).collect(),
        flat: read.has(&["j"]),
    }]
}

/// `python -m zipapp DIR`, `python -m zipfile -c ARCHIVE FILE…`
fn python(argv: &[Arg]) -> Vec<Product> {
    let Some(at) = argv.iter().position(|arg| arg.value.is(b"-m")) else {
        return Vec::new();
    };
    let is = |word: &[u8]| argv.get(at + 1).is_some_and(|arg| arg.value.is(word));
    if is(b"zipfile") {
        let rest = argv.get(at + 2..).unwrap_or_default();
        return match rest {
            [option, archive, sources @ ..]
                if option.value.is(b"-c") || option.value.is(b"--create") =>
            {
                vec![Product::Archive {
                    path: archive.value.clone(),
                    sources: sources.iter().map(|arg| arg.value.clone()).collect(),
                    flat: false,
                }]
            }
            _ => Vec::new(),
        };
    }
    if !is(b"zipapp") {
        return Vec::new();
    }
    let read = scan(argv, at + 2, &ZIPAPP);
    let Some(source) = read.operands.first().and_then(|at| argv.get(*at)) else {
        return Vec::new();
    };
    let mut path = source.value.clone();
    path.push_text(b".pyz", None);
    let path = read
        .last(&["o", "output"])
        .map_or(path, |arg| arg.value.clone());
    vec![Product::Archive {
        path,
        sources: vec![source.value.clone()],
        flat: true,
    }]
}

/// `npm pkg set scripts.NAME=TEXT`, `npm set-script NAME TEXT`
fn scripts(argv: &[Arg]) -> Vec<Product> {
    let words: Vec<Vec<u8>> = argv
        .iter()
        .skip(1)
        .filter_map(|arg| arg.value.bytes())
        .filter(|word| !word.starts_with(b"-"))
        .map(std::borrow::Cow::into_owned)
        .collect();
    let mut words = words.iter().map(Vec::as_slice);
    let mut set: Vec<(&[u8], &[u8])> = Vec::new();
    match words.next() {
        Some(b"set-script") => set.extend(words.next().zip(words.next())),
        Some(b"pkg") if words.next() == Some(b"set") => {
            for word in words {
                let equals = word
                    .iter()
                    .position(|byte| *byte == b'=')
                    .unwrap_or(word.len());
                let (key, text) = word.split_at(equals);
                let name = key
                    .strip_prefix(b"scripts.")
                    .or_else(|| key.strip_prefix(b"scripts[")?.strip_suffix(b"]"));
                set.extend(name.zip(text.get(1..)));
            }
        }
        _ => {}
    }
    if set.is_empty() {
        return Vec::new();
    }
    let quoted = |text: &[u8]| {
        let mut out = vec![b'"'];
        for byte in text {
            match byte {
                b'"' | b'\\' => out.extend([b'\\', *byte]),
                b'\n' => out.extend(b"\\n"),
                byte => out.push(*byte),
            }
        }
        out.push(b'"');
        out
    };
    let mut text = b"\n".to_vec();
    for (name, command) in set {
        text.extend(b"{\"scripts\":{");
        text.extend(quoted(name));
        text.push(b':');
        text.extend(quoted(command));
        text.extend(b"}}\n");
    }
    vec![Product::Addition {
        path: Value::computed(*b"package.json"),
        text,
    }]
}
