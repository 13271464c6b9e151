//! Words as one would write them in a shell.

use crate::value::{Piece, Value};

/// A word that the shell reads back as these bytes: bare where that says the same, else in single
/// quotes.
#[must_use]
pub fn quoted(word: &[u8]) -> Vec<u8> {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-./:=@%+,".contains(byte);
    // `A=1` in front would be an assignment.
    if !word.is_empty() && word.iter().all(plain) && !word.contains(&b'=') {
        return word.to_vec();
    }
    let mut out = vec![b'\''];
    for byte in word {
        if *byte == b'\'' {
            out.extend_from_slice(b"'\\''");
        } else {
            out.push(*byte);
        }
    }
    out.push(b'\'');
    out
}

/// A pattern, with a backslash before what would end the word.
fn pattern(pattern: &[u8], out: &mut Vec<u8>) {
    let mut escaped = false;
    for byte in pattern {
        if !escaped && b" \t\n;&<>$`\"'#".contains(byte) {
            out.push(b'\\');
        }
        escaped = !escaped && *byte == b'\\';
        out.push(*byte);
    }
}

impl Value {
    /// The word as one would write it: patterns bare, and what is literal quoted where it needs it.
    /// `None` when it is not known.
    #[must_use]
    pub fn spelled(&self) -> Option<Vec<u8>> {
        if !self.has_glob() {
            return Some(quoted(&self.bytes()?));
        }
        let mut out = Vec::new();
        let mut text: Vec<u8> = Vec::new();
        let flush = |text: &mut Vec<u8>, out: &mut Vec<u8>| {
            if !text.is_empty() {
                out.extend_from_slice(&quoted(text));
                text.clear();
            }
        };
        for piece in &self.pieces {
            match piece {
                Piece::Text { bytes, .. } => text.extend_from_slice(bytes),
                Piece::Glob { pattern: own, .. } => {
                    flush(&mut text, &mut out);
                    pattern(own, &mut out);
                }
                Piece::Unset(_) => {}
                Piece::Unknown(_) => return None,
            }
        }
        flush(&mut text, &mut out);
        Some(out)
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;
    use crate::syntax::Dialect;
    use crate::{EmptyWorld, Request, Value, analyse};

    fn words(text: &str) -> Vec<Value> {
        let request = Request {
            text: text.as_bytes(),
            dialect: Dialect::Bash,
            cwd: b"/home/dev/proj",
        };
        let analysis = analyse(&request, &EmptyWorld);
        let execution = analysis.executions.first().expect("an execution");
        execution.argv.iter().map(|arg| arg.value.clone()).collect()
    }

    fn spelled(text: &str) -> String {
        let words: Vec<Vec<u8>> = words(text)
            .iter()
            .map(|word| word.spelled().expect("known"))
            .collect();
        String::from_utf8(words.join(&b' ')).expect("UTF-8")
    }

    #[test]
    fn patterns_stay_bare_and_literal_text_is_quoted() {
        for (text, shown) in [
            ("rm -rf /x/*", "rm -rf /x/*"),
            ("rm -rf '/x/*'", "rm -rf '/x/*'"),
            ("rm -rf '/x y'/*.o", "rm -rf '/x y/'*.o"),
            ("rm a\\*b* \"it's\"", "rm 'a*b'* 'it'\\''s'"),
            ("ls [a-c]? ''", "ls [a-c]? ''"),
            ("A=1; echo $A b", "echo 1 b"),
        ] {
            assert_eq!(spelled(text), shown, "{text}");
        }
    }

    #[test]
    fn what_is_spelled_is_read_as_the_same_words() {
        for text in [
            "rm -rf '/x y'/*.o a\\*b* \"it's\" ''",
            "ls [a\\ b]* *' '* '~' '$x' '`y`' a=b '{a,b}' '#' '!' \\\\",
            "ls $'a\\nb' x* ? ~user '-n' '(' *\\;*",
        ] {
            let shape = |text: &str| -> Vec<(Vec<u8>, bool)> {
                let of = |word: &Value| {
                    let bytes = word.bytes().expect("known").into_owned();
                    (bytes, word.has_glob())
                };
                words(text).iter().map(of).collect()
            };
            let again = spelled(text);
            assert_eq!(shape(&again), shape(text), "{text} as {again}");
        }
    }

    #[test]
    fn an_assignment_is_no_bare_word() {
        assert_eq!(quoted(b"A=1"), b"'A=1'");
        assert_eq!(quoted(b"a/b-c.d"), b"a/b-c.d");
    }
}
