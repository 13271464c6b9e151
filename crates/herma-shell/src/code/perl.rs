//! Perl: tokens, and which functions stand without parentheses.

mod library;

pub(super) use self::library::call;
use super::lexer::Lexer;
use super::quoting::{closing, document, quoted, words};
use super::tokens::{Escapes, Form, Interpolation, Kind};

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
        Some(quote @ (b'"' | b'\'' | b'`')) => quoted(lexer, quote, Interpolation::Perl),
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
        Some(b'$') if lexer.peek(1) == Some(b'^') && lexer.is_name(start + 2) => {
            lexer.at += 3;
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
            | b"reverse"
            | b"sort"
            | b"split"
            | b"sprintf"
            | b"lc"
            | b"uc"
            | b"ucfirst"
            | b"lcfirst"
            | b"chdir"
    )
}

fn base(name: &[u8]) -> &[u8] {
    name.rsplit(|byte| *byte == b':' || *byte == b'.')
        .next()
        .unwrap_or(name)
}
