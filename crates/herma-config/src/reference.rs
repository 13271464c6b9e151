//! The reference page of all keys.

use std::fmt::Write as _;

use crate::key::{Default, KEYS, Key, RULE_KEYS, Shape, Tighter};

/// The reference as Markdown, made from the table that parsing uses.
#[must_use]
pub fn reference() -> String {
    let mut page = String::from(HEAD);
    for key in KEYS {
        entry(&mut page, key, true);
    }
    page.push_str(RULES);
    for key in RULE_KEYS {
        entry(&mut page, key, false);
    }
    page
}

const HEAD: &str = "\
# Configuration

<!-- Made by `herma_config::reference()`; edit the table in crates/herma-config/src/key.rs. -->

herma reads, in this order:

1. `/etc/herma/config.toml` and `/etc/herma/rules.d/*.toml`, the machine's policy,
2. `config.toml` and `rules.d/*.toml` in the state directory (`~/.herma`, `$HERMA_HOME`, `--home`),
3. `.herma.toml` in the working directory and in every directory above it, the outermost first.

A later file may only tighten what an earlier one wrote; a project file (3) may only tighten, also
against the defaults, and may set only the keys that say so below. Files of 1 and 2 must belong to
you or root and be writable by nobody else; links are not followed; a file has at most 1 MiB.
`rules.d` holds `[[rule]]` only. An unknown key, a wrong type or a looser value is an error, and with
an error every command is refused.

## Keys
";

const RULES: &str = "
## Keys of `[[rule]]`

```toml
[[rule]]
id = \"team.no-push\"
action = \"deny\"
argv = [\"git\", \"push\", \"**\"]
cwd = \"~/work/**\"
why = \"releases go through the build server\"

[[rule]]
id = \"me.private-notes\"
action = \"deny\"
tool = [\"Read\", \"Grep\"]
path = [\"~/notes/**\"]
```
";

fn entry(page: &mut String, key: &Key, layers: bool) {
    // Writing to a String cannot fail.
    let _ = write!(page, "\n### `{}`\n\n{}\n\n", key.path, key.doc);
    let _ = writeln!(page, "- Value: {}", shape(key.shape));
    if let Some(default) = default(key.default) {
        let _ = writeln!(page, "- Default: {default}");
    }
    if layers {
        let _ = writeln!(
            page,
            "- Lower layers: {}; project files: {}",
            tighter(key.tighter),
            if key.project { "yes" } else { "no" }
        );
        if !key.effect {
            page.push_str("- Accepted, without effect so far\n");
        }
    }
}

fn shape(shape: Shape) -> String {
    match shape {
        Shape::Choice(choices) => {
            let quoted: Vec<String> = choices.iter().map(|word| format!("`\"{word}\"`")).collect();
            format!("one of {}", quoted.join(", "))
        }
        Shape::Integer { min, max } => format!("a whole number from {min} to {max}"),
        Shape::Boolean => "`true` or `false`".to_owned(),
        other => other.expected().to_owned(),
    }
}

fn default(default: Default) -> Option<String> {
    match default {
        Default::Unset => None,
        Default::Text(text) => Some(format!("`\"{text}\"`")),
        Default::Integer(number) => Some(format!("`{number}`")),
        Default::Boolean(truth) => Some(format!("`{truth}`")),
        Default::Empty => Some("`[]`".to_owned()),
        Default::ByName => Some("by name, as above".to_owned()),
    }
}

fn tighter(tighter: Tighter) -> &'static str {
    match tighter {
        Tighter::None => "the same value only",
        Tighter::Later => "a later word of the list",
        Tighter::Lower => "a lower number",
        Tighter::Higher => "a higher number",
        Tighter::True => "`true`",
        Tighter::False => "`false`",
        Tighter::Subset => "fewer entries",
        Tighter::Adds => "add their own",
    }
}

#[cfg(test)]
mod tests;
