//! Ruby: tokens, and the calls that matter.

use super::effects::{self, mode_text};
use super::lexer::Lexer;
use super::perl::{closing, document, words};
use super::scan::Scanner;
use super::text_values::{self, fetched};
use super::tokens::{Escapes, Form, Interpolation, Kind};
use super::val::{Args, Val};
use crate::value::{Origin, Value};

/// Reads one token that is Ruby's own; `false` for what all languages share.
pub(super) fn token(lexer: &mut Lexer<'_>) -> bool {
    let start = lexer.at;
    match lexer.peek(0) {
        Some(b'#') => lexer.skip_line(),
        Some(b'=') if lexer.at_line_start() && lexer.sees(b"=begin") => {
            lexer.skip_past(b"\n=end");
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
                    Interpolation::Hash
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
        Some(b'$' | b'@') if lexer.is_name(start + 1) || lexer.peek(1) == Some(b'@') => {
            lexer.at += 1 + usize::from(lexer.peek(1) == Some(b'@'));
            lexer.name();
            lexer.push(Kind::Name, start);
        }
        Some(b':') if lexer.is_name(start + 1) && !adjacent_name(lexer, start) => {
            // A symbol is text.
            lexer.at += 1;
            lexer.name();
            let mut text = Value::empty();
            lexer.code.append(start + 1, lexer.at, &mut text);
            lexer.push(Kind::Text(vec![super::tokens::Part::Text(text)]), start);
        }
        Some(b'/') if !lexer.behind_operand() => {
            lexer.at += 1;
            lexer.regex(start);
        }
        Some(b'%') => return percent(lexer, start),
        Some(b'<')
            if lexer.peek(1) == Some(b'<')
                && matches!(
                    lexer.peek(2),
                    Some(b'~' | b'-' | b'"' | b'\'' | b'A'..=b'Z')
                ) =>
        {
            return document(lexer, start);
        }
        Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => {
            lexer.name();
            if lexer.code.slice(start, lexer.at) == b"__END__" {
                lexer.skip_past(b"\0\0\0never");
                return true;
            }
            // `name?` and `name!`
            if matches!(lexer.peek(0), Some(b'?' | b'!')) && lexer.peek(1) != Some(b'=') {
                lexer.at += 1;
            }
            lexer.push(Kind::Name, start);
        }
        _ => return false,
    }
    true
}

/// Whether a name ends where the colon stands (`name:`, `A::b`).
fn adjacent_name(lexer: &Lexer<'_>, start: usize) -> bool {
    start.checked_sub(1).is_some_and(|before| {
        lexer.is_name(before) || matches!(lexer.code.byte(before), Some(b':' | b'"' | b'\''))
    })
}

/// `%q(…)`, `%Q`, `%w`, `%i`, `%x`, `%r`, `%(…)`
fn percent(lexer: &mut Lexer<'_>, start: usize) -> bool {
    let (letter, open, length) = match (lexer.peek(1), lexer.peek(2)) {
        (
            Some(letter @ (b'q' | b'Q' | b'w' | b'W' | b'i' | b'I' | b'x' | b'r' | b's')),
            Some(open),
        ) if open.is_ascii_punctuation() => (letter, open, 3),
        (Some(open @ (b'(' | b'[' | b'{' | b'<' | b'|')), _) if !lexer.behind_operand() => {
            (b'Q', open, 2)
        }
        _ => return false,
    };
    if lexer.behind_operand() && lexer.peek(length) == Some(b' ') {
        return false;
    }
    lexer.at += length;
    let close = closing(open);
    let raw = matches!(letter, b'q' | b'w' | b'i' | b's');
    let from = lexer.at;
    let parts = lexer.string(Form {
        open: (close != open).then_some(open),
        close: &[close],
        escapes: if raw { Escapes::Quote } else { Escapes::Full },
        interpolation: if raw {
            Interpolation::None
        } else {
            Interpolation::Hash
        },
    });
    match letter {
        b'w' | b'W' | b'i' | b'I' => {
            let to = lexer.at.saturating_sub(1);
            words(lexer, start, from, to);
        }
        b'x' => lexer.push(Kind::Command(parts), start),
        b'r' => {
            lexer.name();
            lexer.push(Kind::Regex, start);
        }
        _ => lexer.push(Kind::Text(parts), start),
    }
    true
}

/// Functions that take their arguments without parentheses.
pub(super) fn takes_words(name: &[u8]) -> bool {
    name.starts_with(b"FileUtils.")
        || name.starts_with(b"File.")
        || name.starts_with(b"Dir.")
        || name.starts_with(b"Process.")
        || name.starts_with(b"IO.")
        || name.starts_with(b"Open3.")
        || matches!(
            name,
            b"system"
                | b"exec"
                | b"spawn"
                | b"eval"
                | b"instance_eval"
                | b"open"
                | b"rm_rf"
                | b"rm_r"
                | b"rm"
                | b"rm_f"
                | b"mv"
                | b"cp"
                | b"Kernel.system"
                | b"Kernel.exec"
                | b"Pathname"
                | b"URI.open"
        )
}

/// Names that are values by themselves.
pub(super) fn is_value(name: &[u8]) -> bool {
    matches!(
        name,
        b"Dir.home" | b"Dir.pwd" | b"Dir.tmpdir" | b"Dir.mktmpdir" | b"Dir.children"
    )
}

/// A call of a name.
pub(super) fn call(scan: &mut Scanner<'_>, name: &[u8], args: &Args) -> Val {
    known(scan, name, args).unwrap_or_else(|| scan.result(name, args))
}

fn all(args: &Args) -> Val {
    Val::List(args.positional())
}

fn known(scan: &mut Scanner<'_>, name: &[u8], args: &Args) -> Option<Val> {
    let first = args.get(0, &[]);
    let short = name.strip_prefix(b"FileUtils.").unwrap_or(name);
    let utility = short.len() < name.len() || !name.contains(&b'.');
    Some(match name {
        b"system" | b"exec" | b"spawn" | b"Kernel.system" | b"Kernel.exec" | b"Kernel.spawn"
        | b"Process.spawn" | b"Process.exec" | b"IO.popen" | b"Open3.capture2"
        | b"Open3.capture2e" | b"Open3.capture3" | b"Open3.popen2" | b"Open3.popen3"
        | b"Open3.popen2e" | b"PTY.spawn" => {
            let words: Vec<Val> = args
                .positional()
                .into_iter()
                .filter(|value| !matches!(value, Val::Map(_)))
                .collect();
            match (name, words.as_slice()) {
                (_, [Val::List(list)]) => {
                    let list = list.clone();
                    scan.program(&list, args)
                }
                (b"IO.popen", [one, ..]) | (_, [one]) => scan.shell(Some(one), args),
                _ => scan.program(&words, args),
            }
        }
        b"File.delete" | b"File.unlink" => {
            effects::on_path(scan, name, &["rm"], Some(&all(args)), args)
        }
        b"Dir.rmdir" | b"Dir.delete" | b"Dir.unlink" => {
            effects::on_path(scan, name, &["rmdir"], first, args)
        }
        b"File.write" | b"IO.write" | b"File.binwrite" => {
            effects::on_path(scan, name, &["tee"], first, args)
        }
        b"File.read" | b"IO.read" | b"File.readlines" | b"File.binread" | b"File.foreach" => {
            effects::open(scan, name, first, None, args)
        }
        b"File.open" | b"File.new" | b"open" | b"Kernel.open" => {
            let path = first.map(|value| scan.value(value));
            let prefix = path.as_ref().map(Value::known_prefix).unwrap_or_default();
            if name != b"File.open" && name != b"File.new" {
                if prefix.starts_with(b"|") {
                    let text = path.map(|path| super::perl::cut(&path, 1, 0));
                    return Some(scan.shell(text.map(Val::Text).as_ref(), args));
                }
                if prefix.starts_with(b"http://") || prefix.starts_with(b"https://") {
                    return Some(fetched());
                }
            }
            let mode = args.get(1, &["mode"]).map(mode_text);
            effects::open(scan, name, first, mode.as_ref(), args)
        }
        b"URI.open" | b"Net::HTTP.get" | b"Net.HTTP.get" | b"OpenURI.open_uri"
        | b"HTTParty.get" => fetched(),
        b"File.rename" => effects::pair(scan, name, &["mv"], args),
        b"File.symlink" => effects::pair(scan, name, &["ln", "-s"], args),
        b"File.truncate" => effects::on_path(scan, name, &["truncate", "-s", "0"], first, args),
        b"File.chmod" => {
            let mode = first.cloned().unwrap_or_else(Val::other);
            let paths = Val::List(args.positional().into_iter().skip(1).collect());
            effects::mode_of(scan, name, &paths, &mode, args)
        }
        b"Process.kill" => {
            let signal = first.cloned();
            let processes: Vec<Value> = args
                .positional()
                .iter()
                .skip(1)
                .flat_map(|value| scan.values(value))
                .collect();
            effects::signalled(scan, name, signal.as_ref(), processes, args)
        }
        b"eval" | b"instance_eval" | b"class_eval" | b"Kernel.eval" => scan.run_code(first, args),
        b"Dir.glob" | b"Dir.[]" => match first {
            Some(Val::List(values)) => {
                let values = values.clone();
                Val::List(values.iter().map(|value| scan.glob(Some(value))).collect())
            }
            _ => scan.glob(first),
        },
        b"Dir.home" => Val::Text(Value::unknown(Origin::Variable(b"HOME".to_vec()))),
        b"Dir.pwd" => Val::text(b"."),
        b"Dir.tmpdir" | b"Dir.mktmpdir" => Val::Text(Value::unknown(Origin::Temporary)),
        b"Dir.children" | b"Dir.entries" => Val::Text(Value::unknown_words(Origin::Names)),
        b"ENV.fetch" => scan.variable(first),
        b"File.join" => scan.join_paths(&args.positional()),
        b"File.expand_path" => Val::Text(scan.home_expanded(first)),
        b"Pathname" | b"Pathname.new" => match first {
            Some(value) => Val::Path(scan.value(value)),
            None => return None,
        },
        b"Base64.decode64" | b"Base64.strict_decode64" => text_values::base64(scan, first),
        b"Shellwords.split" => text_values::words(scan, first),
        b"TCPSocket.new" | b"TCPSocket.open" => {
            if let (Some(host), Some(port)) = (first, args.get(1, &[])) {
                let (host, port) = (scan.value(host), scan.value(port));
                scan.connects_to(host, port);
            }
            Val::symbol(b"socket")
        }
        b"STDIN.reopen" | b"STDOUT.reopen" | b"$stdin.reopen" | b"stdin.reopen" => {
            scan.redirects_input = true;
            Val::other()
        }
        _ if utility => match short {
            b"rm_rf"
            | b"rmtree"
            | b"rm_r"
            | b"remove_dir"
            | b"remove_entry"
            | b"remove_entry_secure"
            | b"safe_unlink" => effects::delete_tree(scan, name, first, args),
            b"rm" | b"rm_f" | b"remove" => effects::delete(scan, name, first, args),
            b"mv" | b"move" => effects::pair(scan, name, &["mv"], args),
            b"cp" | b"copy" | b"copy_file" | b"install" => effects::pair(scan, name, &["cp"], args),
            b"cp_r" => effects::pair(scan, name, &["cp", "-r"], args),
            b"ln_s" | b"ln_sf" => effects::pair(scan, name, &["ln", "-s"], args),
            b"chmod" | b"chmod_R" => {
                let mode = first.cloned().unwrap_or_else(Val::other);
                let path = args.get(1, &[]).cloned().unwrap_or_else(Val::other);
                if short == b"chmod_R" {
                    let mut operands = vec![scan.value(&mode)];
                    operands.extend(scan.values(&path));
                    scan.call(name, &["chmod", "-R"], operands, args);
                    Val::other()
                } else {
                    effects::mode_of(scan, name, &path, &mode, args)
                }
            }
            _ => return None,
        },
        _ => return None,
    })
}

/// A method of a path; `None` when it is none.
pub(super) fn method(
    scan: &mut Scanner<'_>,
    path: &Value,
    name: &[u8],
    args: &Args,
) -> Option<Val> {
    let own = Val::Path(path.clone());
    Some(match name {
        b"rmtree" => effects::delete_tree(scan, b"Pathname#rmtree", Some(&own), args),
        b"delete" | b"unlink" => effects::delete(scan, b"Pathname#delete", Some(&own), args),
        b"rmdir" => effects::on_path(scan, b"Pathname#rmdir", &["rmdir"], Some(&own), args),
        b"write" => effects::on_path(scan, b"Pathname#write", &["tee"], Some(&own), args),
        b"read" => effects::open(scan, b"Pathname#read", Some(&own), None, args),
        b"join" => {
            let mut parts = vec![own];
            parts.extend(args.positional());
            match scan.join_paths(&parts) {
                Val::Text(text) => Val::Path(text),
                other => other,
            }
        }
        b"expand_path" | b"to_s" | b"realpath" => own,
        _ => return None,
    })
}
