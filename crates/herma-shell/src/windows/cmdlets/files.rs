//! Cmdlets for files.

use super::Call;
use super::paths::{Drive, below, drive, path};
use crate::carriers::Step;
use crate::execution::Arg;
use crate::value::{Origin, Value};

pub(super) fn carry(name: &str, call: &Call<'_>) -> Option<Vec<Step>> {
    let bound = &call.bound;
    Some(match name {
        "remove-item" => remove(call),
        "clear-content" => {
            let paths = call.paths(0);
            vec![call.runs(&["truncate", "-s", "0", "--"], paths)]
        }
        "get-childitem" => vec![search(call, call.paths(0), &[])],
        "get-content" => vec![call.runs(&["cat", "--"], call.paths(0))],
        "set-content" => vec![call.runs(&["tee", "--"], call.paths(0))],
        "add-content" => vec![call.runs(&["tee", "-a", "--"], call.paths(0))],
        "out-file" | "tee-object" | "export-csv" | "export-clixml" => {
            let file = bound.value(&["filepath", "path", "literalpath"], 0);
            let file: Vec<Arg> = file.iter().map(|file| path(file, true)).collect();
            if file.is_empty() {
                return Some(Vec::new());
            }
            let words: &[&str] = if bound.has("append") {
                &["tee", "-a", "--"]
            } else {
                &["tee", "--"]
            };
            vec![call.runs(words, file)]
        }
        "copy-item" => {
            let mut words = call.paths(0);
            words.extend(destination(call, "destination"));
            let how: &[&str] = if bound.has("recurse") {
                &["cp", "-r", "--"]
            } else {
                &["cp", "--"]
            };
            vec![call.runs(how, words)]
        }
        "move-item" => {
            let mut words = call.paths(0);
            words.extend(destination(call, "destination"));
            vec![call.runs(&["mv", "--"], words)]
        }
        "rename-item" => {
            let mut words = call.paths(0);
            words.extend(destination(call, "newname"));
            vec![call.runs(&["mv", "--"], words)]
        }
        "new-item" => create(call),
        "set-itemproperty" | "new-itemproperty" | "set-item" => {
            let registry: Vec<Arg> = bound
                .value(&["path", "literalpath"], 0)
                .into_iter()
                .filter(|item| drive(item) == Drive::Registry)
                .collect();
            if registry.is_empty() {
                return Some(Vec::new());
            }
            vec![call.runs(&["reg", "add"], registry)]
        }
        "set-acl" => {
            let mut words = call.paths(0);
            words.push(call.word("/grant"));
            vec![call.runs(&["icacls"], words)]
        }
        "select-string" => {
            let pattern = bound.value(&["pattern"], 0);
            let files = bound.value(&["path", "literalpath"], 1);
            let mut words: Vec<Arg> = pattern.into_iter().take(1).collect();
            words.extend(files.iter().map(|file| path(file, false)));
            vec![call.runs(&["grep", "-e"], words)]
        }
        "expand-archive" => {
            let mut words = call.paths(0);
            words.push(call.word("-d"));
            let to = bound.value(&["destinationpath"], 1);
            words.extend(to.iter().map(|to| path(to, true)));
            vec![call.runs(&["unzip"], words)]
        }
        "compress-archive" => {
            let to = bound.value(&["destinationpath"], 1);
            let mut words: Vec<Arg> = to.iter().map(|to| path(to, true)).collect();
            words.extend(call.paths(0));
            vec![call.runs(&["zip", "-r"], words)]
        }
        _ => return None,
    })
}

impl Call<'_> {
    /// Paths of files, of the parameters or the position; what is piped in when none is given.
    fn paths(&self, position: usize) -> Vec<Arg> {
        let literal = self.bound.has("literalpath") || self.bound.has("pspath");
        let given = self
            .bound
            .value(&["path", "literalpath", "pspath"], position);
        if given.is_empty() && self.command.stdin.is_some() {
            return self.piped();
        }
        given
            .iter()
            .filter(|item| drive(item) == Drive::Files)
            .map(|item| path(item, literal))
            .collect()
    }

    /// What comes through the pipe, as names.
    pub(super) fn piped(&self) -> Vec<Arg> {
        let span = self.span();
        let known = self.command.stdin.and_then(Value::bytes);
        match known {
            Some(text) => text
                .split(|byte| *byte == b'\n')
                .map(|line| line.strip_suffix(b"\r").unwrap_or(line))
                .filter(|line| !line.is_empty())
                .map(|line| {
                    let value = Value::computed(line);
                    path(&Arg { value, span }, true)
                })
                .collect(),
            None => vec![Arg {
                value: Value::unknown_words(Origin::Names),
                span,
            }],
        }
    }
}

fn destination(call: &Call<'_>, name: &str) -> Vec<Arg> {
    let to = call.bound.value(&[name], 1);
    if to.is_empty() {
        return vec![call.word(".")];
    }
    to.iter().take(1).map(|to| path(to, true)).collect()
}

fn remove(call: &Call<'_>) -> Vec<Step> {
    let bound = &call.bound;
    let given = bound.value(&["path", "literalpath", "pspath"], 0);
    let mut steps = Vec::new();
    let registry: Vec<Arg> = given
        .iter()
        .filter(|item| matches!(drive(item), Drive::Registry | Drive::Other))
        .cloned()
        .collect();
    if !registry.is_empty() {
        steps.push(call.runs(&["reg", "delete"], registry));
    }
    let piped = given.is_empty() && call.command.stdin.is_some();
    let mut paths = call.paths(0);
    // Further words by position are an error, or meant as paths.
    paths.extend(
        bound
            .rest(usize::from(!bound.has("path") && !bound.has("literalpath")))
            .iter()
            .map(|item| path(item, false)),
    );
    if paths.is_empty() {
        return steps;
    }
    let filters = [
        bound.named("include"),
        bound.named("filter"),
        bound.named("exclude"),
    ];
    if filters.iter().any(|filter| !filter.is_empty()) {
        steps.push(search(call, paths, &["-delete"]));
        return steps;
    }
    let mut words = vec!["rm"];
    if bound.has("recurse") {
        words.push("-r");
    }
    if bound.has("force") {
        words.push("-f");
    }
    words.push("--");
    // A recursive removal takes directories, and so does one of nothing but an empty directory.
    let payload = call.argv(&words, paths);
    steps.push(call.step_as(if piped { "xargs" } else { call.name }, payload));
    steps
}

/// `find` with the same filters.
fn search(call: &Call<'_>, mut paths: Vec<Arg>, then: &[&str]) -> Step {
    let bound = &call.bound;
    let piped = bound.value(&["path", "literalpath"], 0).is_empty() && then.is_empty();
    if paths.is_empty() || piped {
        paths = vec![call.word(".")];
    }
    let mut words = paths;
    if !bound.has("recurse") && !bound.has("s") && !bound.has("depth") {
        words.push(call.word("-maxdepth"));
        words.push(call.word("1"));
    }
    if bound.has("directory") || bound.has("ad") {
        words.push(call.word("-type"));
        words.push(call.word("d"));
    }
    if bound.has("file") || bound.has("af") {
        words.push(call.word("-type"));
        words.push(call.word("f"));
    }
    let mut names = bound.named("include");
    names.extend(bound.named("filter"));
    if then.is_empty() {
        names.extend(bound.rest(1));
    }
    for (index, name) in names.into_iter().enumerate() {
        if index > 0 {
            words.push(call.word("-o"));
        }
        words.push(call.word("-name"));
        words.push(name);
    }
    for name in bound.named("exclude") {
        words.push(call.word("!"));
        words.push(call.word("-name"));
        words.push(name);
    }
    words.extend(then.iter().map(|word| call.word(word)));
    call.runs(&["find"], words)
}

fn create(call: &Call<'_>) -> Vec<Step> {
    let bound = &call.bound;
    let paths: Vec<Arg> = {
        let given = bound.value(&["path", "literalpath"], 0);
        let names = bound.named("name");
        let given: Vec<Arg> = given
            .iter()
            .filter(|item| drive(item) == Drive::Files)
            .map(|item| path(item, true))
            .collect();
        match (given.as_slice(), names.first()) {
            (given, None) => given.to_vec(),
            ([], Some(name)) => vec![path(name, true)],
            (given, Some(name)) => given.iter().map(|item| below(item, name)).collect(),
        }
    };
    let registry: Vec<Arg> = bound
        .value(&["path", "literalpath"], 0)
        .into_iter()
        .filter(|item| drive(item) == Drive::Registry)
        .collect();
    if !registry.is_empty() {
        return vec![call.runs(&["reg", "add"], registry)];
    }
    if paths.is_empty() {
        return Vec::new();
    }
    let kind = bound
        .value(&["itemtype", "type"], usize::MAX)
        .first()
        .and_then(|kind| kind.value.bytes().map(|kind| kind.to_ascii_lowercase()))
        .unwrap_or_default();
    match kind.as_slice() {
        b"directory" | b"d" | b"dir" => vec![call.runs(&["mkdir", "-p", "--"], paths)],
        b"symboliclink" | b"junction" | b"hardlink" => {
            let mut words: Vec<Arg> = bound
                .value(&["target", "value"], usize::MAX)
                .iter()
                .map(|target| path(target, true))
                .collect();
            words.extend(paths);
            let how: &[&str] = if kind == b"hardlink" {
                &["ln", "--"]
            } else {
                &["ln", "-s", "--"]
            };
            vec![call.runs(how, words)]
        }
        _ if bound.has("value") || bound.has("force") => vec![call.runs(&["tee", "--"], paths)],
        _ => vec![call.runs(&["touch", "--"], paths)],
    }
}
