//! Entries of an allowlist that stand for a whole kind of danger.

/// A kind of danger.
pub(super) struct Category {
    /// How its entries begin.
    begins: &'static [&'static str],
    /// The rules that ask about such commands here.
    pub(super) rules: &'static [&'static str],
    /// Words that say the same, where it is one verb of one program.
    pub(super) words: Option<&'static [&'static str]>,
}

const fn wide(begins: &'static [&'static str], rules: &'static [&'static str]) -> Category {
    Category {
        begins,
        rules,
        words: None,
    }
}

const fn narrow(
    begins: &'static [&'static str],
    rules: &'static [&'static str],
    words: &'static [&'static str],
) -> Category {
    Category {
        begins,
        rules,
        words: Some(words),
    }
}

/// The first that fits counts.
const CATEGORIES: &[Category] = &[
    wide(
        &[
            "delete in root",
            "recursive delete",
            "delete with",
            "xargs with rm",
            "find -",
        ],
        &["fs.delete-tree", "fs.delete-outside", "fs.delete-unnamed"],
    ),
    wide(
        &["Windows ", "PowerShell "],
        &["windows.delete", "windows.encoded"],
    ),
    wide(
        &[
            "world/other-writable",
            "recursive world/",
            "recursive chown",
        ],
        &["permissions.world-writable", "permissions.owner-root"],
    ),
    wide(
        &[
            "format filesystem",
            "disk copy",
            "write to block",
            "fork bomb",
            "kill all ",
        ],
        &["device.overwrite", "process.fork-bomb", "process.kill-all"],
    ),
    wide(&["SQL "], &["database.drop", "database.change-all"]),
    wide(&["stop/restart system"], &["services.stop"]),
    wide(&["force kill ", "kill process"], &["process.kill-by-name"]),
    wide(
        &["pipe ", "execute remote", "chmod +x followed"],
        &[
            "remote-code.run",
            "remote-code.chmod-run",
            "shell.code-decoded",
        ],
    ),
    // What is handed on is judged here, so these ask about nothing by themselves.
    wide(
        &[
            "shell command via",
            "shell execution via",
            "script execution via",
            "arbitrary program",
        ],
        &[],
    ),
    wide(
        &["overwrite ", "copy/move file into", "in-place edit of"],
        &[
            "system.write-etc",
            "secrets.env-file",
            "persistence.startup",
            "agents.settings",
        ],
    ),
    wide(
        &["docker ", "podman "],
        &["containers.stop-all", "containers.remove"],
    ),
    wide(
        &[
            "stop/restart hermes",
            "hermes update",
            "start gateway",
            "kill hermes",
        ],
        &["agents.stop"],
    ),
    wide(
        &["sudo with"],
        &["sudo.stdin", "sudo.shell", "sudo.askpass"],
    ),
    narrow(
        &["git reset --hard ("],
        &["git.reset-hard"],
        &["git", "reset", "--hard", "**"],
    ),
    narrow(
        &["git force push short flag"],
        &["git.push-force"],
        &["git", "push", "-f", "**"],
    ),
    narrow(
        &["git force push"],
        &["git.push-force"],
        &["git", "push", "--force", "**"],
    ),
    narrow(
        &["git clean with force"],
        &["git.clean"],
        &["git", "clean", "-f", "**"],
    ),
    narrow(
        &["git branch force delete"],
        &["git.branch-delete"],
        &["git", "branch", "-D", "**"],
    ),
];

impl Category {
    /// The category that an entry stands for. Some commands begin as categories do, so there the
    /// rest must look like a description too.
    pub(super) fn of(entry: &str) -> Option<&'static Self> {
        let described = |begin: &str| match begin {
            "docker " | "podman " | "hermes update" => entry.contains(" ("),
            "find -" => entry.contains("-exec/") || entry == "find -delete",
            _ => true,
        };
        CATEGORIES.iter().find(|category| {
            let mut begins = category.begins.iter();
            begins.any(|begin| entry.starts_with(begin) && described(begin))
        })
    }
}

/// Whether an entry is a piece of the reference's own regular expressions, as older versions stored
/// them.
pub(super) fn is_expression(entry: &str) -> bool {
    [r"\s", r"\b", r"\.", r"\w", "(?", "[^", ".*"]
        .iter()
        .any(|piece| entry.contains(piece))
}

#[cfg(test)]
mod tests {
    use herma_rules::{Action, Guard};

    use super::{CATEGORIES, Category, is_expression};

    #[test]
    fn every_rule_that_is_named_is_there_and_may_be_allowed() {
        for category in CATEGORIES {
            for id in category.rules {
                assert!(Guard::rule(id).is_some(), "{id}");
            }
            if let Some(words) = category.words {
                assert!(herma_config::may_be_allowed(words[0]));
                assert!(words.len() > 2, "{words:?}: all that a program does");
                assert!(super::super::words::read(Action::Allow, &words.join(" ")).is_ok());
            }
        }
    }

    #[test]
    fn descriptions_are_told_from_commands() {
        for entry in [
            "recursive delete",
            "find -exec/-execdir rm",
            "find -delete",
            "docker restart/stop/kill (container lifecycle)",
            "SQL DROP",
            "git force push (rewrites remote history)",
        ] {
            assert!(Category::of(entry).is_some(), "{entry}");
        }
        for entry in [
            "find . -name x",
            "docker stop web",
            "podman ps",
            "git push origin main",
            "git reset --hard",
            "npm test",
        ] {
            assert!(Category::of(entry).is_none(), "{entry}");
        }
        assert!(is_expression(r"rm\s+-[^\s]*r") && !is_expression("rm -rf x[ab]*"));
    }
}
