//! A pattern over a whole command line, as words of a rule.

use herma_rules::{Action, Expression};

/// The words of a rule, and what must match besides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Words {
    pub(super) argv: Vec<String>,
    pub(super) regex: Option<Expression>,
}

/// What stands for more than one program, or for what a program is given.
const OPERATORS: &[char] = &['|', '&', ';', '<', '>', '(', ')', '`', '$', '\n', '\r', '#'];

/// What a pattern has that is no letter of a command.
const PATTERN: &[char] = &['*', '?', '['];

/// Reads a text or a pattern in which `*` is any text, `?` one letter and `[…]` a class.
///
/// # Errors
/// Why no rule says the same, in words.
pub(super) fn read(action: Action, text: &str) -> Result<Words, String> {
    if text.contains(OPERATORS) {
        return Err(
            "it is more than one program with its words, and a rule is about one".to_owned(),
        );
    }
    let mut text = text.trim();
    if action != Action::Allow
        && let Some(rest) = text.strip_prefix('*')
        && rest
            .trim_start()
            .starts_with(|c: char| c.is_ascii_alphanumeric() || c == '/')
    {
        // Such a rule holds wherever the program runs.
        text = rest.trim_start();
    }
    let words = split(text)?;
    let Some((program, rest)) = words.split_first() else {
        return Err("it is empty".to_owned());
    };
    if let Some(stem) = program.strip_suffix('*')
        && action != Action::Allow
        && rest.is_empty()
        && !stem.is_empty()
        && !stem.contains(PATTERN)
    {
        return Ok(plain(&[program, "**"]));
    }
    if program.contains(PATTERN) {
        return Err("its program is a pattern".to_owned());
    }
    let Some((last, middle)) = rest.split_last() else {
        return Ok(plain(&[program]));
    };
    let stem = last.strip_suffix('*').unwrap_or(last);
    if middle.iter().any(|word| word.contains(PATTERN)) || stem.contains(PATTERN) {
        return expression(action, text, program);
    }
    let mut argv: Vec<&str> = words.iter().map(String::as_str).collect();
    if last.ends_with('*') {
        argv.pop();
        if stem.starts_with('-') && action != Action::Allow {
            // The option wherever it stands, alone or with others.
            argv.push(stem);
        } else if !stem.is_empty() {
            argv.push(last);
        }
        argv.push("**");
    }
    Ok(plain(&argv))
}

fn plain(words: &[&str]) -> Words {
    Words {
        argv: words.iter().map(|word| (*word).to_owned()).collect(),
        regex: None,
    }
}

/// The words with their quotes removed.
fn split(text: &str) -> Result<Vec<String>, String> {
    let quoted = text.contains(['\'', '"', '\\']);
    if quoted && (text.contains(PATTERN) || text.contains('\\')) {
        return Err("its quotes and what stands for any text cannot be told apart".to_owned());
    }
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for char in text.chars() {
        match quote {
            Some(open) if char == open => quote = None,
            Some(_) => word.get_or_insert_default().push(char),
            None if char == '\'' || char == '"' => {
                quote = Some(char);
                word.get_or_insert_default();
            }
            None if char.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(char),
        }
    }
    if quote.is_some() {
        return Err("a quote is not closed".to_owned());
    }
    words.extend(word);
    Ok(words)
}

/// A pattern that no words say, over the words with a blank between them.
fn expression(action: Action, text: &str, program: &str) -> Result<Words, String> {
    let mut regex = String::from(if action == Action::Allow {
        "^"
    } else {
        r"^(\S*/)?"
    });
    let mut chars = text.chars();
    let mut blank = false;
    while let Some(char) = chars.next() {
        if char.is_whitespace() {
            if !std::mem::replace(&mut blank, true) {
                regex.push(' ');
            }
            continue;
        }
        blank = false;
        match char {
            '*' => regex.push_str(".*"),
            '?' => regex.push('.'),
            '[' => regex.push_str(&class(&mut chars)?),
            '\\' | '.' | '+' | '(' | ')' | '|' | ']' | '{' | '}' | '^' | '$' => {
                regex.extend(['\\', char]);
            }
            char => regex.push(char),
        }
    }
    regex.push('$');
    let regex = Expression::new(&regex).map_err(|why| why.to_string())?;
    Ok(Words {
        argv: vec![program.to_owned(), "**".to_owned()],
        regex: Some(regex),
    })
}

/// The rest of a class of letters.
fn class(chars: &mut std::str::Chars<'_>) -> Result<String, String> {
    let class: String = chars.by_ref().take_while(|char| *char != ']').collect();
    let letters = class.strip_prefix('!').unwrap_or(&class);
    let simple = |char: char| char.is_ascii_alphanumeric() || matches!(char, '-' | '_' | '.');
    if letters.is_empty() || !letters.chars().all(simple) {
        return Err("its classes of letters are not understood".to_owned());
    }
    let not = if letters.len() < class.len() { "^" } else { "" };
    Ok(format!("[{not}{letters}]"))
}

#[cfg(test)]
mod tests {
    use herma_rules::Action;

    use super::read;

    fn denied(text: &str) -> String {
        said(Action::Deny, text)
    }

    fn allowed(text: &str) -> String {
        said(Action::Allow, text)
    }

    fn said(action: Action, text: &str) -> String {
        match read(action, text) {
            Ok(words) => {
                let regex = words.regex.map(|it| format!(" {}", it.source()));
                format!("{:?}{}", words.argv, regex.unwrap_or_default())
            }
            Err(why) => why,
        }
    }

    #[test]
    fn a_star_at_the_end_stands_for_further_words() {
        assert_eq!(denied("git push*"), r#"["git", "push*", "**"]"#);
        assert_eq!(denied("git push *"), r#"["git", "push", "**"]"#);
        assert_eq!(denied("  git   push  "), r#"["git", "push"]"#);
        assert_eq!(denied("*rm -rf*"), r#"["rm", "-rf", "**"]"#);
        assert_eq!(denied("reboot*"), r#"["reboot*", "**"]"#);
        assert_eq!(allowed("npm run te*"), r#"["npm", "run", "te*", "**"]"#);
        assert_eq!(allowed("rm -f*"), r#"["rm", "-f*", "**"]"#);
        assert_eq!(
            allowed("git commit -m 'a b'"),
            r#"["git", "commit", "-m", "a b"]"#
        );
    }

    #[test]
    fn other_patterns_become_expressions() {
        assert_eq!(
            denied("docker * prune"),
            r#"["docker", "**"] ^(\S*/)?docker .* prune$"#
        );
        assert_eq!(
            allowed("make x-[ab] y?z"),
            r#"["make", "**"] ^make x-[ab] y.z$"#
        );
    }

    #[test]
    fn what_no_rule_says_is_refused() {
        for text in [
            "",
            "   ",
            "a | b",
            "a && b",
            "echo $X",
            "x > y",
            "a 'b",
            "a 'b' *",
            "git [;] x",
        ] {
            assert!(read(Action::Deny, text).is_err(), "{text}");
        }
        for text in ["*", "g* push", "*git push", "?it x"] {
            assert!(read(Action::Allow, text).is_err(), "{text}");
        }
    }
}
