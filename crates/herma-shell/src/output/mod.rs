//! What a program would print, where its arguments and input determine it: `echo`, `printf`, `cat`
//! of known text, decoders.
//!
//! Everything is linear in its input and bounded by [`LIMIT`]. What cannot be computed is unknown;
//! it stays [`Origin::Fetched`] when something fetched went in, and decoded when a decoder ran.

mod calculate;
pub(crate) mod codec;
mod decode;
mod echo;
pub(crate) mod escape;
mod fetch;
mod filter;
mod inflate;
mod interpret;
mod names;
mod options;
mod printf;
mod record;
mod refused;
mod sed;
mod settings;
mod silent;
mod stream;
mod tr;

use crate::execution::Arg;
use crate::path::base_name;
use crate::syntax::Dialect;
use crate::value::{Origin, Value};
use crate::world::FileKind;

pub(crate) use fetch::downloads;
use options::Options;

/// The most bytes that a computed output may have.
const LIMIT: usize = 1 << 20;

/// Contents of files as far as the line or the machine determines them.
pub(crate) trait Files {
    /// The content of the file that a word names; `None` when it cannot be known or is missing.
    fn content(&mut self, path: &Value) -> Option<Value>;
    /// What the word names, when it is known to be there.
    fn kind(&self, path: &Value) -> Option<FileKind>;
    /// The absolute path of the file that a word names; `None` when it cannot be known.
    fn absolute(&self, path: &Value) -> Option<Vec<u8>>;
    /// The descriptor that a word names as a path (`/dev/stdout`).
    fn descriptor(&self, path: &Value) -> Option<u32>;
}

/// A program with what it reads.
struct Run<'a> {
    /// The program's name without directories.
    name: &'a [u8],
    /// The words behind the name.
    words: &'a [Arg],
    /// Standard input when the line determines it.
    stdin: Option<&'a Value>,
    /// Files by name.
    files: &'a mut dyn Files,
}

impl Run<'_> {
    /// What the program reads: the files that the operands name, else standard input.
    fn input(&mut self, operands: &[Value]) -> Value {
        if operands.is_empty() {
            return self.standard_input();
        }
        let mut all = Value::empty();
        for operand in operands {
            let part = self.file(operand);
            all.append(&part);
        }
        stream::bound(all)
    }

    fn standard_input(&self) -> Value {
        self.stdin.map_or_else(|| self.unknown(), Value::clone)
    }

    fn file(&mut self, path: &Value) -> Value {
        if path.is(b"-") || self.files.descriptor(path) == Some(0) {
            return self.standard_input();
        }
        self.files.content(path).unwrap_or_else(|| {
            let origin = match path.bytes() {
                Some(name) => Origin::File(name.into_owned()),
                None => Origin::File(path.known_prefix()),
            };
            Value::unknown_words(origin)
        })
    }

    /// An output that cannot be known.
    fn unknown(&self) -> Value {
        Value::unknown_words(Origin::Output(self.name.to_vec()))
    }

    /// An output that cannot be known but is made from `input`.
    fn derived(&self, input: &Value) -> Value {
        let mut value = if input.is_fetched() {
            Value::unknown_words(Origin::Fetched)
        } else {
            self.unknown()
        };
        value.decoded = input.decoded;
        value.made_as(input)
    }

    /// The same, out of a decoder.
    fn decoded(&self, input: &Value) -> Value {
        let mut value = self.derived(input);
        value.decoded = true;
        value
    }

    fn options(&self, short: &[u8], long: &[&str]) -> Options {
        Options::read(self.words, short, long)
    }
}

/// What the program prints: known text, text derived from its input, or an unknown value that says
/// where it comes from ([`Origin::Fetched`] for downloads, [`Origin::Temporary`] for `mktemp`,
/// else [`Origin::Output`]). Values out of a decoder are marked as decoded.
pub(crate) fn output(
    argv: &[Arg],
    stdin: Option<&Value>,
    files: &mut dyn Files,
    dialect: Dialect,
) -> Value {
    let Some((first, words)) = argv.split_first() else {
        return Value::empty();
    };
    let Some(path) = first.value.bytes() else {
        return Value::unknown_words(Origin::Output(Vec::new()));
    };
    let name = base_name(&path);
    // The program, as opposed to the builtin, reads options as bash does.
    let dialect = if path.contains(&b'/') {
        Dialect::Bash
    } else {
        dialect
    };
    let mut run = Run {
        name,
        words,
        stdin,
        files,
    };
    if fetch::prints_fetched(&run, argv) {
        return Value::unknown_words(Origin::Fetched);
    }
    if settings::prints_settings(&path, name, words) {
        return Value::unknown_words(Origin::Settings(name.to_vec()));
    }
    if refused::refuses(name, words) {
        return run.decoded(&run.of_input());
    }
    match name {
        b"echo" => echo::echo(words, dialect),
        b"printf" => printf::printf(words, dialect),
        b"true" | b"false" | b":" | b"cd" | b"export" | b"unset" | b"set" | b"shift" | b"sleep"
        | b"test" | b"[" => Value::empty(),
        b"rm" | b"mkdir" | b"rmdir" | b"touch" | b"mv" | b"cp" | b"ln" | b"install" | b"chmod"
        | b"chown" => silent::silent(&mut run),
        b"cat" | b"tac" | b"tee" | b"head" | b"tail" | b"sort" | b"uniq" | b"cut" | b"grep"
        | b"fgrep" | b"paste" | b"column" | b"sponge" | b"pv" | b"dd" | b"buffer" | b"shuf"
        | b"fold" | b"nl" => filter::filter(&mut run),
        b"sed" | b"gsed" => sed::sed(&mut run),
        b"awk" | b"gawk" | b"mawk" | b"nawk" => record::awk(&mut run, argv),
        b"tr" => tr::tr(&run),
        b"rev" => decode::rev(&mut run),
        b"base64" | b"gbase64" | b"base32" | b"basenc" | b"xxd" | b"openssl" | b"gunzip"
        | b"gzip" | b"zcat" | b"gzcat" | b"pigz" | b"unpigz" | b"bunzip2" | b"bzcat" | b"bzip2"
        | b"xz" | b"unxz" | b"xzcat" | b"lzma" | b"unlzma" | b"lzcat" | b"zstd" | b"unzstd"
        | b"zstdcat" | b"lz4" | b"lz4cat" | b"unlz4" | b"brotli" | b"uudecode" | b"gpg"
        | b"gpg2" | b"age" | b"base58" | b"b64decode" | b"funzip" | b"unzip" | b"iconv"
        | b"rot13" | b"zlib-flate" => decode::decode(&mut run),
        b"seq" | b"yes" | b"basename" | b"dirname" | b"realpath" | b"grealpath" | b"readlink"
        | b"greadlink" | b"which" | b"whereis" | b"command" | b"type" | b"mktemp" | b"ls"
        | b"gls" => names::names(&run),
        b"expr" | b"gexpr" => calculate::expr(&run),
        b"bc" | b"gbc" => calculate::bc(&mut run),
        b"dc" => calculate::dc(&mut run),
        // Nothing of the content.
        b"wc" => run.unknown(),
        b"jq" => record::jq(&mut run),
        b"find" | b"gfind" | b"bfs" => {
            let printed = crate::carriers::find::printed(argv, |path| run.files.kind(path));
            printed.unwrap_or_else(|| run.unknown())
        }
        _ if fetch::is_download(name) => fetch::said(&run),
        _ => match interpret::interpret(&mut run, argv) {
            Some(text) => text,
            None => run.of_input(),
        },
    }
}

impl Run<'_> {
    /// The output of a program that is not known: it may be made from the input.
    fn of_input(&self) -> Value {
        match self.stdin {
            Some(input) => self.derived(input),
            None => self.unknown(),
        }
    }
}

#[cfg(test)]
mod tests;
