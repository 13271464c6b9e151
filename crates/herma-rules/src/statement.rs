//! Statements for a database server that lose data.

use crate::matching::Subject;

/// What a statement does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Statement {
    /// `DROP TABLE|DATABASE|SCHEMA|…`
    Drop,
    /// `TRUNCATE`
    Truncate,
    /// `DELETE FROM x` without `WHERE`.
    DeleteAll,
    /// `UPDATE x SET …` without `WHERE`.
    UpdateAll,
    /// `ALTER TABLE x DROP …`
    AlterDrop,
    /// `GRANT`, `REVOKE`, changes of users and passwords.
    Privilege,
    /// Reads or runs something on the server's machine.
    Server,
}

/// Whether a text for the client holds such a statement: values of its options, operands, and
/// standard input.
pub(crate) fn any(subject: &Subject<'_>, taken: usize, wanted: &[Statement]) -> bool {
    let holds = |text: &[u8]| statements(text).any(|found| wanted.contains(&found));
    subject.arguments.statements().any(holds)
        || subject.arguments.operands_from(taken).any(holds)
        || subject
            .execution
            .stdin
            .as_ref()
            .and_then(|stdin| stdin.bytes())
            .is_some_and(|text| holds(&text))
}

/// The kinds of statements in a text.
pub(crate) fn statements(text: &[u8]) -> impl Iterator<Item = Statement> {
    split(text).into_iter().filter_map(|words| classify(&words))
}

fn classify(words: &[&[u8]]) -> Option<Statement> {
    let at = |index: usize, word: &str| {
        words
            .get(index)
            .is_some_and(|own| own.eq_ignore_ascii_case(word.as_bytes()))
    };
    let any = |word: &str| {
        words
            .iter()
            .any(|own| own.eq_ignore_ascii_case(word.as_bytes()))
    };
    const OBJECTS: &[&str] = &[
        "table",
        "database",
        "schema",
        "view",
        "index",
        "keyspace",
        "user",
        "role",
        "tablespace",
        "materialized",
        "sequence",
        "column",
        "collection",
        "stream",
        "topic",
        "owned",
        "function",
        "trigger",
        "type",
        "extension",
        "bucket",
        "measurement",
        "series",
        "shard",
        "dictionary",
    ];
    if at(0, "drop")
        && OBJECTS
            .iter()
            .any(|object| at(1, object) || (at(1, "temporary") && at(2, object)))
    {
        return Some(Statement::Drop);
    }
    if at(0, "truncate") && words.len() > 1 {
        return Some(Statement::Truncate);
    }
    // A statement behind WITH or EXPLAIN counts as well: look for the verb anywhere.
    if any("delete") && any("from") && (at(0, "delete") || at(0, "with")) && !any("where") {
        return Some(Statement::DeleteAll);
    }
    if at(0, "update") && any("set") && !any("where") {
        return Some(Statement::UpdateAll);
    }
    if at(0, "alter") && at(1, "table") && any("drop") {
        return Some(Statement::AlterDrop);
    }
    if at(0, "grant") || at(0, "revoke") || (at(0, "alter") && (at(1, "user") || at(1, "role"))) {
        return Some(Statement::Privilege);
    }
    if (at(0, "copy") && any("program")) || (at(0, "select") && any("outfile")) {
        return Some(Statement::Server);
    }
    None
}

/// Statements as words; comments and the insides of quotes are left out.
fn split(text: &[u8]) -> Vec<Vec<&[u8]>> {
    let mut out = Vec::new();
    let mut words: Vec<&[u8]> = Vec::new();
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        let rest = text.get(at..).unwrap_or_default();
        match byte {
            b';' => {
                out.push(std::mem::take(&mut words));
                at += 1;
            }
            b'\'' | b'"' | b'`' => {
                let inner = rest.get(1..).unwrap_or_default();
                let length = inner.iter().position(|b| b == byte).unwrap_or(inner.len());
                words.push(b"?");
                at += length + 2;
            }
            b'-' if rest.starts_with(b"--") => at += line_length(rest),
            b'#' => at += line_length(rest),
            b'/' if rest.starts_with(b"/*") => {
                at += rest
                    .windows(2)
                    .skip(2)
                    .position(|pair| pair == b"*/")
                    .map_or(rest.len(), |length| length + 4);
            }
            _ if is_word(*byte) => {
                let length = rest.iter().position(|b| !is_word(*b)).unwrap_or(rest.len());
                words.push(rest.get(..length).unwrap_or_default());
                at += length;
            }
            _ => at += 1,
        }
    }
    out.push(words);
    out
}

fn line_length(text: &[u8]) -> usize {
    text.iter()
        .position(|byte| *byte == b'\n')
        .map_or(text.len(), |length| length + 1)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::{Statement, statements};

    fn kinds(text: &str) -> Vec<Statement> {
        statements(text.as_bytes()).collect()
    }

    #[test]
    fn losing_statements_are_found_in_any_case_and_position() {
        assert_eq!(
            kinds("BEGIN; drop table x CASCADE; COMMIT;"),
            [Statement::Drop]
        );
        assert_eq!(kinds("TRUNCATE audit"), [Statement::Truncate]);
        assert_eq!(kinds("delete /* all */ from carts"), [Statement::DeleteAll]);
        assert_eq!(kinds("UPDATE a SET b = 0"), [Statement::UpdateAll]);
    }

    #[test]
    fn conditions_names_strings_and_comments_are_no_loss() {
        assert_eq!(kinds("delete from carts where id = 4"), []);
        assert_eq!(kinds("select * from dropped_items"), []);
        assert_eq!(kinds("select 'drop table x; drop table y'"), []);
        assert_eq!(kinds("-- drop table x\nselect 1"), []);
    }
}
