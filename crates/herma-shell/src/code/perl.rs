//! Perl: tokens, and the calls that matter.

use super::effects;
use super::lexer::Lexer;
use super::scan::Scanner;
use super::text_values::{self, fetched};
use super::tokens::{Escapes, Form, Interpolation, Kind};
use super::val::{Args, Val};
use crate::value::{Piece, Value};

/// The delimiter that closes what `open` opens.
pub(super) fn closing(open: u8) -> u8 {
    match open {
        b'(' => b')',
        b'[' => b']',
        b'{' => b'}',
        b'<' => b'>',
        other => other,
    }
}

/// Reads one token that is Perl's own; `false` for what all languages share.
pub(super) fn token(lexer: &mut Lexer<'_>) -> bool {
    let start = lexer.at;
    match lexer.peek(0) {
        Some(b'#') => lexer.skip_line(),
        Some(b'=')
            if lexer.at_line_start() && lexer.peek(1).is_some_and(|b| b.is_ascii_alphabetic()) =>
        {
            lexer.skip_past(b"\n=cut");
            lexer.skip_line();
        }
        Some(quote @ (b'"' | b'\'' | b'`')) => {
            lexer.at += 1;
            let parts = lexer.string(Form {
                open: None,
                close: &[quote],
                escapes: if quote == b'\'' {
                    Escapes::Quote
                } else {
                    Escapes::Full
                },
                interpolation: if quote == b'\'' {
                    Interpolation::None
                } else {
                    Interpolation::Perl
                },
            });
            lexer.push(
                if quote == b'`' {
                    Kind::Command(parts)
                } else {
                    Kind::Text(parts)
                },
                start,
            );
        }
        Some(b'$' | b'@' | b'%' | b'&')
            if lexer.is_name(start + 1)
                && (lexer.peek(0) == Some(b'$')
                    || lexer.peek(0) == Some(b'@')
                    || !lexer.behind_operand()) =>
        {
            lexer.at += 1;
            lexer.name();
            lexer.push(Kind::Name, start);
        }
        Some(b'$')
            if lexer
                .peek(1)
                .is_some_and(|byte| b"!@/\\,;.&_0".contains(&byte)) =>
        {
            lexer.at += 2;
            lexer.push(Kind::Name, start);
        }
        Some(b'/') if !lexer.behind_operand() => {
            lexer.at += 1;
            lexer.regex(start);
        }
        Some(b'<') if lexer.peek(1) == Some(b'<') => return document(lexer, start),
        Some(b'<') if !lexer.behind_operand() => return angle(lexer, start),
        Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => return word(lexer, start),
        _ => return false,
    }
    true
}

/// `<<"EOT"`, `<<EOT`, `<<~'EOT'`
pub(super) fn document(lexer: &mut Lexer<'_>, start: usize) -> bool {
    let mut at = 2;
    let indented = matches!(lexer.peek(at), Some(b'~' | b'-'));
    at += usize::from(indented);
    let quote = match lexer.peek(at) {
        Some(quote @ (b'"' | b'\'' | b'`')) => Some(quote),
        Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => None,
        _ => return false,
    };
    if quote.is_none() && !indented && lexer.behind_operand() {
        return false;
    }
    at += usize::from(quote.is_some());
    let from = at;
    while let Some(byte) = lexer.peek(at) {
        let more = match quote {
            Some(quote) => byte != quote && byte != b'\n',
            None => byte.is_ascii_alphanumeric() || byte == b'_',
        };
        if !more {
            break;
        }
        at += 1;
    }
    let delimiter = lexer.code.slice(start + from, start + at).to_vec();
    lexer.at = start + at + usize::from(quote.is_some());
    let kind = if quote == Some(b'`') {
        Kind::Command(Vec::new())
    } else {
        Kind::Text(Vec::new())
    };
    lexer.await_document(start, kind, delimiter, indented, quote == Some(b'\''));
    true
}

/// `<*.db>` is a file name pattern, `<FH>` and `<$fh>` read.
fn angle(lexer: &mut Lexer<'_>, start: usize) -> bool {
    let inner = (1..256).find_map(|at| match lexer.peek(at) {
        Some(b'>') => Some(Some(at)),
        None | Some(b'\n' | b';') => Some(None),
        _ => None,
    });
    let Some(Some(length)) = inner else {
        return false;
    };
    let pattern = lexer.code.slice(start + 1, start + length);
    let is_pattern = pattern.iter().any(|byte| b"*?[.".contains(byte));
    if !is_pattern {
        lexer.at = start + length + 1;
        lexer.push(Kind::Regex, start);
        return true;
    }
    lexer.at += 1;
    let parts = lexer.string(Form {
        open: None,
        close: b">",
        escapes: Escapes::Quote,
        interpolation: Interpolation::Perl,
    });
    lexer.push(Kind::Glob(parts), start);
    true
}

/// Names with `::`, and quoting operators.
fn word(lexer: &mut Lexer<'_>, start: usize) -> bool {
    lexer.name();
    while lexer.sees(b"::") && lexer.is_name(lexer.at + 2) {
        lexer.at += 2;
        lexer.name();
    }
    let word = lexer.code.slice(start, lexer.at);
    if matches!(word, b"__END__" | b"__DATA__") {
        lexer.skip_past(b"\0\0\0never");
        return true;
    }
    let quoting = matches!(
        word,
        b"q" | b"qq" | b"qw" | b"qx" | b"m" | b"s" | b"tr" | b"y" | b"qr"
    );
    let after_arrow = lexer
        .last()
        .is_some_and(|last| matches!(lexer.text_of(last), b"->" | b"{"));
    let mut skip = 0;
    while matches!(lexer.peek(skip), Some(b' ' | b'\t')) {
        skip += 1;
    }
    let delimiter = lexer.peek(skip);
    let delimits = match delimiter {
        None | Some(b',' | b';' | b')' | b'=' | b'#') => delimiter == Some(b'#') && skip == 0,
        Some(byte) => !byte.is_ascii_alphanumeric() && !byte.is_ascii_whitespace() && byte != b'_',
    };
    let (true, true, Some(open)) = (quoting && !after_arrow, delimits, delimiter) else {
        lexer.push(Kind::Name, start);
        return true;
    };
    lexer.at += skip + 1;
    let close = closing(open);
    let raw = matches!(word, b"q" | b"qw") || (word == b"qx" && open == b'\'');
    let form = Form {
        open: (close != open).then_some(open),
        close: &[close],
        escapes: if raw { Escapes::Quote } else { Escapes::Full },
        interpolation: if raw {
            Interpolation::None
        } else {
            Interpolation::Perl
        },
    };
    match word {
        b"q" | b"qq" => {
            let parts = lexer.string(form);
            lexer.push(Kind::Text(parts), start);
        }
        b"qx" => {
            let parts = lexer.string(form);
            lexer.push(Kind::Command(parts), start);
        }
        b"qw" => {
            let from = lexer.at;
            lexer.string(form);
            let to = lexer.at.saturating_sub(1);
            words(lexer, start, from, to);
        }
        _ => {
            let plain = Form {
                escapes: Escapes::Raw,
                interpolation: Interpolation::None,
                ..form
            };
            lexer.string(plain);
            if matches!(word, b"s" | b"tr" | b"y") {
                if close != open {
                    while matches!(lexer.peek(0), Some(b' ' | b'\n' | b'\t')) {
                        lexer.at += 1;
                    }
                    lexer.at += 1;
                }
                lexer.string(plain);
            }
            lexer.name();
            lexer.push(Kind::Regex, start);
        }
    }
    true
}

/// The words that stand in `from..to`.
pub(super) fn words(lexer: &mut Lexer<'_>, start: usize, from: usize, to: usize) {
    let mut words = Vec::new();
    let mut at = from;
    while at < to {
        let space = |at: usize| lexer.code.byte(at).is_none_or(|b| b.is_ascii_whitespace());
        if space(at) {
            at += 1;
            continue;
        }
        let begin = at;
        while at < to && !space(at) {
            at += 1;
        }
        let mut word = Value::empty();
        lexer.code.append(begin, at, &mut word);
        words.push(word);
    }
    lexer.push(Kind::Words(words), start);
}

/// Functions that take their arguments without parentheses.
pub(super) fn takes_words(name: &[u8]) -> bool {
    matches!(
        base(name),
        b"system"
            | b"exec"
            | b"unlink"
            | b"glob"
            | b"rmtree"
            | b"remove_tree"
            | b"rmdir"
            | b"open"
            | b"rename"
            | b"move"
            | b"copy"
            | b"chmod"
            | b"chown"
            | b"kill"
            | b"eval"
            | b"truncate"
            | b"symlink"
            | b"get"
            | b"getstore"
            | b"decode_base64"
            | b"connect"
            | b"map"
            | b"join"
            | b"chr"
            | b"pack"
    )
}

fn base(name: &[u8]) -> &[u8] {
    name.rsplit(|byte| *byte == b':' || *byte == b'.')
        .next()
        .unwrap_or(name)
}

/// A call of a name.
pub(super) fn call(scan: &mut Scanner<'_>, name: &[u8], args: &Args) -> Val {
    let method = name.contains(&b'.');
    // Methods of objects that are not known do nothing; those of classes are below.
    if method {
        return class_call(scan, name, args);
    }
    known(scan, base(name), args).unwrap_or_else(|| scan.result(name, args))
}

fn class_call(scan: &mut Scanner<'_>, name: &[u8], args: &Args) -> Val {
    match name {
        b"IO::Socket::INET.new" | b"IO::Socket.new" => {
            if let Some(address) = args.named("PeerAddr").or_else(|| args.named("PeerHost")) {
                let port = args.named("PeerPort");
                match port {
                    Some(port) => {
                        let (host, port) = (scan.value(address), scan.value(port));
                        scan.connects_to(host, port);
                    }
                    None => {
                        let address = address.clone();
                        scan.connects(Some(&address));
                    }
                }
            } else {
                let address = args.get(0, &[]).cloned();
                scan.connects(address.as_ref());
            }
            Val::other()
        }
        b"STDIN.fdopen" | b"STDOUT.fdopen" => {
            scan.redirects_input = true;
            Val::other()
        }
        _ if name.ends_with(b".get") && name.to_ascii_lowercase().starts_with(b"lwp") => fetched(),
        _ => scan.result(name, args),
    }
}

fn known(scan: &mut Scanner<'_>, name: &[u8], args: &Args) -> Option<Val> {
    let first = args.get(0, &[]);
    Some(match name {
        b"system" | b"exec" => {
            // `exec {"rm"} "rm", …` names the program twice.
            let words: Vec<Val> = args
                .positional()
                .into_iter()
                .filter(|value| !matches!(value, Val::Map(_)))
                .collect();
            match words.as_slice() {
                [one] => scan.shell(Some(one), args),
                _ => scan.program(&words, args),
            }
        }
        b"unlink" => effects::on_path(scan, name, &["rm"], Some(&all(args)), args),
        b"rmdir" => effects::on_path(scan, name, &["rmdir"], Some(&all(args)), args),
        b"rmtree" | b"remove_tree" => {
            let paths = args
                .positional()
                .into_iter()
                .filter(|value| !matches!(value, Val::Map(_)))
                .collect();
            effects::delete_tree(scan, name, Some(&Val::List(paths)), args)
        }
        b"rename" | b"move" => effects::pair(scan, name, &["mv"], args),
        b"copy" => effects::pair(scan, name, &["cp"], args),
        b"symlink" => effects::pair(scan, name, &["ln", "-s"], args),
        b"truncate" => effects::on_path(scan, name, &["truncate", "-s", "0"], first, args),
        b"chmod" => {
            let mode = first.cloned().unwrap_or_else(Val::other);
            let paths = Val::List(args.positional().into_iter().skip(1).collect());
            effects::mode_of(scan, name, &paths, &mode, args)
        }
        b"kill" => {
            let signal = first.cloned();
            let processes: Vec<Value> = args
                .positional()
                .iter()
                .skip(1)
                .flat_map(|value| scan.values(value))
                .collect();
            effects::signalled(scan, name, signal.as_ref(), processes, args)
        }
        b"open" => open(scan, args),
        b"eval" => match first {
            Some(Val::Map(_)) | None => return None,
            Some(_) => scan.run_code(first, args),
        },
        b"glob" => scan.glob(first),
        b"get" => fetched(),
        b"getstore" => {
            let file = args.get(1, &[]).cloned();
            effects::download(scan, name, first, file.as_ref(), args)
        }
        b"decode_base64" => text_values::base64(scan, first),
        b"pack" => {
            let data = args.get(1, &[]).cloned();
            text_values::hexadecimal(scan, data.as_ref())
        }
        b"chr" => text_values::character(scan, first),
        b"join" => {
            let separator = scan.value(&first.cloned().unwrap_or_else(Val::other));
            let mut out = Value::empty();
            for (index, value) in args.positional().iter().skip(1).enumerate() {
                if index > 0 {
                    out.append(&separator);
                }
                out.append(&scan.value(value));
            }
            Val::Text(scan.bounded(out))
        }
        b"sockaddr_in" | b"pack_sockaddr_in" => {
            let host = args.get(1, &[]).cloned().unwrap_or_else(Val::other);
            let port = first.cloned().unwrap_or_else(Val::other);
            Val::Map(vec![(b"host".to_vec(), host), (b"port".to_vec(), port)])
        }
        b"inet_aton" => first.cloned().unwrap_or_else(Val::other),
        b"connect" => {
            if let Some(address @ Val::Map(_)) = args.get(1, &[]) {
                let host = address.key("host").map(|value| scan.value(value));
                let port = address.key("port").map(|value| scan.value(value));
                if let (Some(host), Some(port)) = (host, port) {
                    scan.connects_to(host, port);
                }
            }
            Val::other()
        }
        _ => return None,
    })
}

fn all(args: &Args) -> Val {
    let values = args.positional();
    if values.is_empty() {
        // `unlink` alone takes the topic.
        return Val::symbol(b"_");
    }
    Val::List(values)
}

/// `open`: with a mode in front of the name or as an argument of its own, or a pipe.
fn open(scan: &mut Scanner<'_>, args: &Args) -> Val {
    let positional = args.positional();
    let handle = positional.first();
    let Some(second) = positional.get(1).map(|value| scan.value(value)) else {
        return Val::other();
    };
    if let Some(Val::Symbol(handle)) = handle
        && matches!(handle.as_slice(), b"STDIN" | b"STDOUT" | b"STDERR")
        && (second.known_prefix().contains(&b'&'))
    {
        scan.redirects_input = true;
        return Val::other();
    }
    let rest = positional.get(2..).unwrap_or_default();
    if !rest.is_empty() {
        let mode = second.known_prefix();
        let mode = mode.trim_ascii();
        if mode.starts_with(b"|-") || mode.starts_with(b"-|") {
            return match rest {
                [one] => scan.shell(Some(one), args),
                words => scan.program(words, args),
            };
        }
        return by_mode(scan, mode, rest.first(), args);
    }
    let prefix = second.known_prefix();
    let suffix = second.known_suffix();
    let trimmed = prefix.trim_ascii_start();
    if trimmed.starts_with(b"|") {
        let skip = prefix.len() - trimmed.len() + 1;
        return scan.shell(Some(&Val::Text(cut(&second, skip, 0))), args);
    }
    if suffix.trim_ascii_end().ends_with(b"|") {
        let skip = suffix.len() - suffix.trim_ascii_end().len() + 1;
        return scan.shell(Some(&Val::Text(cut(&second, 0, skip))), args);
    }
    let length = trimmed
        .iter()
        .take_while(|byte| b"<>+ ".contains(byte))
        .count();
    let mode = trimmed.get(..length).unwrap_or_default().to_vec();
    let path = cut(&second, prefix.len() - trimmed.len() + length, 0);
    by_mode(scan, &mode, Some(&Val::Text(path)), args)
}

fn by_mode(scan: &mut Scanner<'_>, mode: &[u8], path: Option<&Val>, args: &Args) -> Val {
    let mode: &[u8] = if mode.starts_with(b">>") || mode.starts_with(b"+>>") {
        b"a"
    } else if mode.contains(&b'>') {
        b"w"
    } else if mode.contains(&b'+') {
        b"r+"
    } else {
        b"r"
    };
    effects::open(scan, b"open", path, Some(&Val::text(mode)), args)
}

/// A value without bytes at its known ends.
pub(super) fn cut(value: &Value, front: usize, back: usize) -> Value {
    let mut out = value.clone();
    if let Some(Piece::Text { bytes, at }) = out.pieces.first_mut() {
        let front = front.min(bytes.len());
        bytes.drain(..front);
        *at = at.and_then(|at| at.checked_add(u32::try_from(front).ok()?));
    }
    if let Some(Piece::Text { bytes, .. }) = out.pieces.last_mut() {
        bytes.truncate(bytes.len().saturating_sub(back));
    }
    out.pieces
        .retain(|piece| !matches!(piece, Piece::Text { bytes, .. } if bytes.is_empty()));
    out
}
