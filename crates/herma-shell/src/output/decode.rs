//! Decoders: what they print is marked as decoded.

use super::codec::{self, Alphabet};
use super::inflate::gunzip;
use super::options::{Options, number};
use super::{Run, stream};
use crate::value::{Piece, Value};

/// Decoded bytes of an input that is known, else an unknown value.
fn known(run: &Run<'_>, input: &Value, decode: impl FnOnce(&[u8]) -> Option<Vec<u8>>) -> Value {
    match input.bytes().and_then(|bytes| decode(&bytes)) {
        Some(bytes) => {
            let mut value = stream::bound(Value::computed(bytes));
            value.decoded = true;
            value
        }
        None => run.decoded(input),
    }
}

pub(super) fn decode(run: &mut Run<'_>) -> Value {
    match run.name {
        b"base64" | b"gbase64" => base_n(run, Alphabet::Base64),
        b"base32" => base_n(run, Alphabet::Base32),
        b"basenc" => {
            let options = run.options(b"w", &["wrap"]);
            let alphabet = [
                ("base64url", Alphabet::Base64Url),
                ("base64", Alphabet::Base64),
                ("base32hex", Alphabet::Base32Hex),
                ("base32", Alphabet::Base32),
                ("base16", Alphabet::Base16),
            ];
            let found = alphabet.iter().find(|(name, _)| {
                options
                    .options
                    .iter()
                    .any(|option| option.is_long(name.as_bytes()))
            });
            match found {
                Some((_, alphabet)) => base_n(run, *alphabet),
                None => whole(run, &options),
            }
        }
        b"xxd" => xxd(run),
        b"openssl" => openssl(run),
        b"gunzip" | b"gzip" | b"zcat" | b"gzcat" | b"pigz" | b"unpigz" => gzip(run),
        _ => {
            let options = run.options(b"f", &[]);
            whole(run, &options)
        }
    }
}

/// A decoder that is not computed.
fn whole(run: &mut Run<'_>, options: &Options) -> Value {
    let input = run.input(&options.operands);
    run.decoded(&input)
}

fn base_n(run: &mut Run<'_>, alphabet: Alphabet) -> Value {
    let options = run.options(b"wbo", &["wrap", "break", "output"]);
    let input = run.input(&options.operands);
    if options.has(b'd', "decode") || options.has(b'D', "") {
        let lenient = options.has(b'i', "ignore-garbage");
        return known(run, &input, |bytes| {
            Some(codec::decode(bytes, alphabet, lenient))
        });
    }
    let wrap = match options.bytes(b'w', "wrap") {
        Some(bytes) => number(&bytes),
        None => Some(76),
    };
    match (input.bytes(), wrap) {
        (Some(bytes), Some(wrap)) => {
            let mut value = Value::computed(codec::encode(&bytes, alphabet, wrap));
            value.decoded = input.decoded;
            stream::bound(value)
        }
        _ => run.derived(&input),
    }
}

fn xxd(run: &mut Run<'_>) -> Value {
    // xxd knows its options by their first letters and takes one a word.
    let mut reverse = false;
    let mut plain = false;
    let mut upper = false;
    let mut operands = Vec::new();
    let mut words = run.words.iter();
    while let Some(word) = words.next() {
        let shown = word.value.known_prefix();
        // A second dash changes nothing.
        let option = match shown.strip_prefix(b"-") {
            Some(short) if short.len() > 1 && short.starts_with(b"-") => short,
            _ => &shown,
        };
        match option {
            [b'-', b'r', rest @ ..] => {
                reverse = true;
                plain |= rest == b"p";
            }
            [b'-', b'p', rest @ ..] => {
                plain = true;
                reverse |= rest == b"r";
            }
            [b'-', b'c' | b'g' | b'l' | b'o' | b's' | b'n'] => {
                words.next();
            }
            [b'-', b'u', ..] => upper = true,
            [b'-', _, ..] => {}
            _ => operands.push(word.value.clone()),
        }
    }
    if operands.len() > 1 {
        // The second operand is the file to write.
        return Value::empty();
    }
    let input = run.input(&operands);
    if reverse {
        return known(run, &input, |bytes| {
            Some(if plain {
                codec::unhex(bytes)
            } else {
                codec::undump(bytes)
            })
        });
    }
    match input.bytes() {
        Some(bytes) if plain => {
            let mut text = codec::encode(&bytes, Alphabet::Base16, 60);
            if !upper {
                text.make_ascii_lowercase();
            }
            stream::bound(Value::computed(text))
        }
        _ => run.derived(&input),
    }
}

fn openssl(run: &mut Run<'_>) -> Value {
    let mut base64 = false;
    let mut decode = false;
    let mut cipher = false;
    let mut file = None;
    let mut prints = true;
    let mut words = run.words.iter();
    let Some(command) = words.next().and_then(|arg| arg.value.bytes()) else {
        return run.unknown();
    };
    match &*command {
        b"base64" => base64 = true,
        b"enc" => {}
        b"zlib" | b"smime" | b"cms" | b"pkeyutl" | b"rsautl" => cipher = true,
        // `openssl aes-256-cbc -d`
        other if other.starts_with(b"aes") || other.starts_with(b"des") => cipher = true,
        _ => return run.unknown(),
    }
    while let Some(word) = words.next() {
        match word.value.known_prefix().as_slice() {
            b"-d" => decode = true,
            b"-a" | b"-base64" => base64 = true,
            b"-in" => file = words.next().map(|arg| arg.value.clone()),
            b"-out" => {
                let target = words.next().map(|arg| &arg.value);
                prints = target.is_some_and(|target| run.files.descriptor(target).is_some());
            }
            b"-A" | b"-e" | b"-p" | b"-P" | b"-nosalt" | b"-salt" | b"-pbkdf2" | b"-none" => {}
            b"-k" | b"-pass" | b"-K" | b"-iv" | b"-md" | b"-S" | b"-iter" | b"-bufsize" => {
                words.next();
            }
            _ => cipher = true,
        }
    }
    if !prints {
        return Value::empty();
    }
    let input = run.input(file.as_slice());
    if cipher || !base64 {
        return if !decode && !cipher {
            input
        } else {
            run.decoded(&input)
        };
    }
    if decode {
        return known(run, &input, |bytes| {
            Some(codec::decode(bytes, Alphabet::Base64, false))
        });
    }
    match input.bytes() {
        Some(bytes) => stream::bound(Value::computed(codec::encode(&bytes, Alphabet::Base64, 64))),
        None => run.derived(&input),
    }
}

fn gzip(run: &mut Run<'_>) -> Value {
    let options = run.options(b"SbT", &["suffix"]);
    let by_name = !matches!(run.name, b"gzip" | b"pigz");
    let decompresses = by_name || options.has(b'd', "decompress") || options.has(0, "uncompress");
    let to_output = matches!(run.name, b"zcat" | b"gzcat")
        || options.has(b'c', "stdout")
        || options.has(0, "to-stdout")
        || options.operands.is_empty();
    if !to_output {
        return Value::empty();
    }
    let input = run.input(&options.operands);
    if decompresses {
        known(run, &input, gunzip)
    } else {
        run.derived(&input)
    }
}

/// `rev`: each line backwards.
pub(super) fn rev(run: &mut Run<'_>) -> Value {
    let operands = run.options(b"", &[]).operands;
    let input = run.input(&operands);
    let (lines, ended) = stream::lines(&input);
    let lines: Vec<Value> = lines
        .into_iter()
        .map(|line| {
            let mut out = Value::empty();
            for piece in line.pieces.iter().rev() {
                match piece {
                    Piece::Text { bytes, .. } | Piece::Glob { pattern: bytes, .. } => {
                        let text = match std::str::from_utf8(bytes) {
                            Ok(text) => text.chars().rev().collect::<String>().into_bytes(),
                            Err(_) => bytes.iter().rev().copied().collect(),
                        };
                        out.push_text(&text, None);
                    }
                    other => out.pieces.push(other.clone()),
                }
            }
            out
        })
        .collect();
    stream::unlines(&lines, ended, true)
}
