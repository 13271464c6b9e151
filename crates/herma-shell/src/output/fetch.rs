//! Downloads: what they print, and the files that they write.

use super::Run;
use super::options::{Opt, Options};
use super::stream;
use crate::execution::Arg;
use crate::path::base_name;
use crate::value::{Origin, Value};

const CURL_SHORT: &[u8] = b"AbcCdDeEFHKmoPQrtTuUwxXyYz";
const CURL_LONG: &[&str] = &[
    "output",
    "output-dir",
    "url",
    "header",
    "data",
    "data-raw",
    "data-binary",
    "data-urlencode",
    "form",
    "request",
    "user",
    "user-agent",
    "referer",
    "proxy",
    "max-time",
    "connect-timeout",
    "retry",
    "retry-delay",
    "cookie",
    "cookie-jar",
    "cert",
    "key",
    "cacert",
    "resolve",
    "interface",
    "write-out",
    "range",
    "config",
    "dump-header",
    "trace",
    "trace-ascii",
    "stderr",
    "upload-file",
    "limit-rate",
    "max-redirs",
];
/// Options whose file gets something of what is fetched.
const CURL_SHOWN: [&str; 8] = [
    "o",
    "output",
    "D",
    "dump-header",
    "c",
    "cookie-jar",
    "trace",
    "trace-ascii",
];
const WGET_SHORT: &[u8] = b"aoeiBtOTwQPUlARDIX";
const WGET_LONG: &[&str] = &[
    "output-document",
    "directory-prefix",
    "output-file",
    "header",
    "user-agent",
    "post-data",
    "tries",
    "timeout",
    "input-file",
];

/// Whether the program downloads (and prints nothing that matters unless told to).
pub(super) fn is_download(name: &[u8]) -> bool {
    matches!(
        name,
        b"curl"
            | b"wget"
            | b"wget2"
            | b"aria2c"
            | b"axel"
            | b"fetch"
            | b"http"
            | b"https"
            | b"xh"
            | b"scp"
            | b"sftp"
            | b"rsync"
    )
}

/// Whether the program prints what it fetches.
pub(super) fn prints_fetched(run: &Run<'_>, argv: &[Arg]) -> bool {
    let (name, words) = (run.name, run.words);
    let is_output = |file: &Value| run.files.descriptor(file).is_some();
    if downloads(argv).is_some_and(|files| files.iter().any(is_output)) {
        return true;
    }
    let to_output =
        |value: Option<&Value>| value.is_some_and(|value| value.is(b"-") || is_output(value));
    match name {
        b"curl" => {
            let options = Options::read(words, CURL_SHORT, CURL_LONG);
            let shown = options.options.iter().any(|option| {
                to_output(option.value.as_ref())
                    && CURL_SHOWN.iter().any(|shown| option.is(shown.as_bytes()))
            });
            let all = options
                .options
                .iter()
                .any(|o| o.is_long(b"remote-name-all"));
            let is = |option: &Opt, names: &[&[u8]]| names.iter().any(|name| option.is(name));
            let count = |names: &[&[u8]]| options.options.iter().filter(|o| is(o, names)).count();
            let files = count(&[b"o", b"output", b"O", b"remote-name"]);
            // An address without a file of its own is printed.
            let urls = count(&[b"url"]) + options.operands.len();
            shown || !all && (files == 0 || files < urls)
        }
        b"wget" | b"wget2" => {
            let options = Options::read(words, WGET_SHORT, WGET_LONG);
            to_output(options.value(b'O', "output-document"))
        }
        b"fetch" => to_output(Options::read(words, b"o", &["output"]).value(b'o', "output")),
        b"aria2c" => to_output(Options::read(words, b"od", &["out", "dir"]).value(b'o', "out")),
        b"http" | b"https" | b"xh" | b"xhs" => {
            let options = Options::read(words, b"oaAs", &["output", "auth", "auth-type"]);
            !options.has(b'd', "download")
                && options
                    .value(b'o', "output")
                    .is_none_or(|value| to_output(Some(value)))
        }
        b"lwp-request" | b"lwp-download" | b"GET" | b"lynx" | b"w3m" | b"links" | b"elinks"
        | b"curlie" | b"hurl" | b"nc" | b"ncat" | b"netcat" | b"dig" | b"nslookup" | b"host"
        | b"iwr" | b"irm" | b"gopher" => true,
        b"gh" if words.first().is_some_and(|word| word.value.is(b"release")) => {
            downloads(argv).is_some_and(|files| files.iter().any(|file| file.is(b"-")))
        }
        b"gh" | b"glab" => words.first().is_some_and(|word| word.value.is(b"api")),
        b"aws" | b"gsutil" | b"gcloud" => {
            // `aws s3 cp s3://… -`, `gsutil cat gs://…`
            to_output(words.last().map(|word| &word.value))
                || words.first().is_some_and(|word| word.value.is(b"cat"))
        }
        _ => {
            name.eq_ignore_ascii_case(b"invoke-webrequest")
                || name.eq_ignore_ascii_case(b"invoke-restmethod")
        }
    }
}

/// What a download prints beside what it fetches: what it is told to write, and the names of files.
pub(super) fn said(run: &Run<'_>) -> Value {
    let options = match run.name {
        b"curl" => run.options(CURL_SHORT, CURL_LONG),
        b"rsync" if run.options(b"eiFPSoJcl", &[]).has(b'v', "verbose") => return run.unknown(),
        b"sftp" => return run.unknown(),
        _ => return Value::empty(),
    };
    let mut said = Value::empty();
    for option in &options.options {
        let format = option.value.as_ref();
        let Some(format) = format.filter(|_| option.is(b"w") || option.is(b"write-out")) else {
            continue;
        };
        said = match format.bytes() {
            Some(text) if !text.iter().any(|byte| b"%\\@".contains(byte)) => format.clone(),
            _ => run.unknown(),
        };
    }
    said
}

/// The local files that a download writes; `None` when the command is none. A name that cannot be
/// known is an unknown value.
pub(crate) fn downloads(argv: &[Arg]) -> Option<Vec<Value>> {
    let (first, words) = argv.split_first()?;
    let path = first.value.bytes()?;
    let name = base_name(&path);
    match name {
        b"curl" => Some(curl(words)),
        b"wget" | b"wget2" => Some(wget(words)),
        b"aria2c" | b"axel" => {
            let options = Options::read(words, b"odsxjknU", &["out", "dir", "output", "split"]);
            let named = options
                .value(b'o', "out")
                .or_else(|| options.value(0, "output"));
            Some(placed(
                options.value(b'd', "dir"),
                named,
                &options.operands,
                false,
            ))
        }
        b"fetch" => {
            let options = Options::read(words, b"o", &["output"]);
            Some(placed(
                None,
                options.value(b'o', "output"),
                &options.operands,
                false,
            ))
        }
        b"http" | b"https" | b"xh" | b"xhs" => {
            let options = Options::read(words, b"oaAs", &["output", "auth", "auth-type"]);
            match options.value(b'o', "output") {
                Some(file) => Some(vec![file.clone()]),
                None if options.has(b'd', "download") => {
                    Some(options.operands.iter().map(|url| last(url, true)).collect())
                }
                None => Some(Vec::new()),
            }
        }
        b"scp" | b"rsync" => Some(copied(words)),
        b"gh" => {
            let is =
                |index: usize, word: &[u8]| words.get(index).is_some_and(|arg| arg.value.is(word));
            if !(is(0, b"release") && is(1, b"download") || is(0, b"run") && is(1, b"download")) {
                return None;
            }
            let options = Options::read(words, b"ODpRAn", &["output", "dir", "pattern", "repo"]);
            Some(vec![match options.value(b'O', "output") {
                Some(file) => file.clone(),
                None => match options.value(b'p', "pattern") {
                    Some(pattern) => pattern.clone(),
                    None => Value::unknown(Origin::Fetched),
                },
            }])
        }
        b"aws" | b"gsutil" => {
            let remote = |value: &Value| {
                let prefix = value.known_prefix();
                prefix.starts_with(b"s3://") || prefix.starts_with(b"gs://")
            };
            let operands =
                Options::read(words, b"", &["profile", "region", "endpoint-url"]).operands;
            let at = operands.iter().position(remote)?;
            let target = operands.get(at + 1)?;
            (!remote(target) && !target.is(b"-")).then(|| into(target, operands.get(at)))
        }
        _ => {
            let by_name = [
                &b"iwr"[..],
                b"invoke-webrequest",
                b"irm",
                b"invoke-restmethod",
            ];
            if !by_name.iter().any(|other| name.eq_ignore_ascii_case(other)) {
                return None;
            }
            let at = words.iter().position(|word| {
                word.value.bytes().is_some_and(|bytes| {
                    let bytes = bytes.to_ascii_lowercase();
                    bytes == b"-o" || (bytes.len() > 4 && b"-outfile".starts_with(&bytes[..]))
                })
            });
            Some(
                at.and_then(|at| words.get(at + 1))
                    .map(|arg| vec![arg.value.clone()])
                    .unwrap_or_default(),
            )
        }
    }
}

fn curl(words: &[Arg]) -> Vec<Value> {
    let options = Options::read(words, CURL_SHORT, CURL_LONG);
    let directory = options
        .options
        .iter()
        .find(|option| option.is_long(b"output-dir"))
        .and_then(|option| option.value.as_ref());
    let mut urls: Vec<&Value> = options.operands.iter().collect();
    let mut files = Vec::new();
    let mut remote_names = false;
    for option in &options.options {
        if option.is(b"o") || option.is_long(b"output") {
            if let Some(file) = &option.value
                && !file.is(b"-")
            {
                files.push(under(directory, file));
            }
        } else if option.is(b"O")
            || option.is_long(b"remote-name")
            || option.is_long(b"remote-name-all")
        {
            remote_names = true;
        } else if option.is_long(b"url") {
            urls.extend(&option.value);
        }
    }
    if remote_names {
        let told = options.has(b'J', "remote-header-name");
        for url in urls {
            files.push(under(directory, &last(url, true)));
            if told {
                files.push(Value::unknown(Origin::Fetched));
            }
        }
    }
    files
}

fn wget(words: &[Arg]) -> Vec<Value> {
    let options = Options::read(words, WGET_SHORT, WGET_LONG);
    let named = options.value(b'O', "output-document");
    if named.is_some_and(|file| file.is(b"-")) {
        return Vec::new();
    }
    if named.is_none() && options.has(b'i', "input-file") {
        return vec![Value::unknown_words(Origin::Names)];
    }
    let directory = options.value(b'P', "directory-prefix");
    match named {
        Some(file) => vec![file.clone()],
        None => placed(directory, None, &options.operands, true),
    }
}

/// The file that is named, else the last part of each address, below the directory.
fn placed(
    directory: Option<&Value>,
    named: Option<&Value>,
    urls: &[Value],
    keeps_query: bool,
) -> Vec<Value> {
    match named {
        Some(file) if file.is(b"-") => Vec::new(),
        Some(file) => vec![under(directory, file)],
        None => urls
            .iter()
            .map(|url| under(directory, &last(url, !keeps_query)))
            .collect(),
    }
}

fn under(directory: Option<&Value>, file: &Value) -> Value {
    let Some(directory) = directory else {
        return file.clone();
    };
    let mut path = directory.clone();
    if !directory.known_suffix().ends_with(b"/") {
        path.push_text(b"/", None);
    }
    path.append(file);
    path
}

/// The last part of an address's path.
fn last(url: &Value, cut_query: bool) -> Value {
    let tail = url.known_suffix();
    let mut end = tail.len();
    for (index, byte) in tail.iter().enumerate() {
        if *byte == b'#' || (*byte == b'?' && cut_query) {
            end = index;
            break;
        }
    }
    let tail = tail.get(..end).unwrap_or_default();
    let start = url.known_length() - url.known_suffix().len();
    let Some(slash) = tail.iter().rposition(|byte| *byte == b'/') else {
        return if url.is_known() {
            // A host alone.
            Value::computed(*b"index.html")
        } else {
            Value::unknown(Origin::Fetched)
        };
    };
    let only_host = tail
        .get(..slash + 1)
        .is_some_and(|head| url.is_known() && head.ends_with(b"://"));
    let name = stream::slice(url, start + slash + 1, start + end);
    if only_host || name.known_length() == 0 {
        Value::computed(*b"index.html")
    } else {
        name
    }
}

/// Whether a word names something on another machine (`host:path`, `rsync://…`).
fn is_remote(value: &Value) -> bool {
    let prefix = value.known_prefix();
    let colon = prefix.iter().position(|byte| *byte == b':');
    let slash = prefix.iter().position(|byte| *byte == b'/');
    match (colon, slash) {
        (Some(colon), Some(slash)) => colon < slash,
        (Some(_), None) => true,
        _ => false,
    }
}

fn copied(words: &[Arg]) -> Vec<Value> {
    let options = Options::read(
        words,
        b"eiFPSoJcl",
        &["rsh", "exclude", "include", "files-from"],
    );
    let Some((target, sources)) = options.operands.split_last() else {
        return Vec::new();
    };
    if is_remote(target) {
        return Vec::new();
    }
    sources
        .iter()
        .filter(|source| is_remote(source))
        .flat_map(|source| into(target, Some(source)))
        .collect()
}

/// A copy to `target`, which may be a directory.
pub(super) fn into(target: &Value, source: Option<&Value>) -> Vec<Value> {
    let Some(source) = source else {
        return vec![target.clone()];
    };
    let tail = source.known_suffix();
    let from = tail
        .iter()
        .rposition(|byte| matches!(byte, b'/' | b':'))
        .map_or(0, |at| at + 1);
    let start = source.known_length() - tail.len();
    let name = stream::slice(source, start + from, usize::MAX);
    let inside = under(Some(target), &name);
    if target.is(b".") {
        return vec![name];
    }
    if target.known_suffix().ends_with(b"/") {
        return vec![inside];
    }
    vec![target.clone(), inside]
}
