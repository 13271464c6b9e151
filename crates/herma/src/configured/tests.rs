//! A lower layer only tightens: random policies, with and without a further layer, are asked about
//! the same commands.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use herma_config::Sources;
use herma_rules::{Decision, Request};
use herma_shell::EmptyWorld;
use proptest::prelude::*;

use super::*;

/// Commands of all decisions, some of which rules below name.
const COMMANDS: &[&str] = &[
    "git status",
    "git push origin main",
    "git push --force",
    "sudo git push",
    "git reset --hard",
    "make deploy",
    "sh -c 'make deploy'",
    "make deploy > /etc/x",
    "rm -rf build",
    "rm -rf src",
    "rm -rf /",
    "mytool -x a b",
];

/// Words of rules.
const PATTERNS: &[&str] = &[
    r#"["git", "push", "**"]"#,
    r#"["git", "**"]"#,
    r#"["git", "push", "--force"]"#,
    r#"["git", "reset", "--hard", "**"]"#,
    r#"["make", "*"]"#,
    r#"["m*", "**"]"#,
    r#"["rm", "-rf", "**"]"#,
    r#"["*", "**"]"#,
];

const CONTEXTS: &[Option<&str>] = &[None, Some("cli"), Some("cron"), Some("x")];

/// One line of a file or one rule, by numbers; most are valid in some layer only.
type Piece = (usize, usize, usize);

fn file(layer: &str, pieces: &[Piece]) -> String {
    let (mut keys, mut rules) = (String::new(), String::new());
    let mut used = Vec::new();
    for (index, (kind, a, b)) in pieces.iter().enumerate() {
        let pick = |words: &[&str]| words.get(a % words.len()).copied().unwrap_or("").to_owned();
        let line = match kind % 10 {
            0 => format!("mode = \"{}\"", pick(&["off", "smart", "manual", "strict"])),
            1 => format!(
                "contexts.{} = \"{}\"",
                pick(&["cron", "cli", "x"]),
                ["ask", "deny"][b % 2]
            ),
            2 => format!(
                "packs.disable = {}",
                pick(&["[]", "[\"git\"]", "[\"fs\", \"git\"]"])
            ),
            3 => format!("deadline_ms = {}", 1 + a * 37 % 400),
            _ => {
                let action = ["allow", "ask", "deny"][b % 3];
                let argv = PATTERNS[a % PATTERNS.len()];
                // The same id in two layers is a fault, and a fault refuses everything.
                let id = if a % 11 == 0 {
                    "same".to_owned()
                } else {
                    format!("{layer}.{index}")
                };
                let cwd = if kind % 4 == 0 { "cwd = \"/**\"\n" } else { "" };
                rules.push_str(&format!(
                    "[[rule]]\nid = \"{id}\"\naction = \"{action}\"\nargv = {argv}\n{cwd}"
                ));
                continue;
            }
        };
        let key = line.split(" = ").next().unwrap_or_default().to_owned();
        if !used.contains(&key) {
            used.push(key);
            keys.push_str(&line);
            keys.push('\n');
        }
    }
    keys + &rules
}

fn write(path: &Path, text: &str) {
    let directory = path.parent().unwrap();
    fs::create_dir_all(directory).unwrap();
    fs::set_permissions(directory, fs::Permissions::from_mode(0o700)).unwrap();
    fs::write(path, text).unwrap();
}

/// The decision about each command in some contexts; with a file that is not valid, a denial.
fn decisions(root: &Path, contexts: &[Option<&str>], mode: Option<Mode>) -> Vec<Decision> {
    let (home, project) = (root.join("home"), root.join("project"));
    let home = Home::locate(Some(&home)).unwrap();
    let system = root.join("etc");
    let sources = Sources::new(&home, Some(&project)).system(&system);
    let guard = match Config::load(&sources) {
        Ok(config) => Some(Guard::new(policy(&config))),
        Err(_) => None,
    };
    let mut decisions = Vec::new();
    for text in COMMANDS {
        for context in contexts {
            let mut request = Request::new(text.as_bytes(), b"/home/dev/proj");
            request.context = *context;
            request.mode = mode;
            let decision = guard
                .as_ref()
                .map(|it| it.check(&request, &EmptyWorld).decision);
            decisions.push(decision.unwrap_or(Decision::Deny));
        }
    }
    decisions
}

fn rank(decision: &Decision) -> u8 {
    match decision {
        Decision::Allow => 0,
        Decision::Ask => 1,
        Decision::Deny => 2,
    }
}

fn pieces() -> impl Strategy<Value = Vec<Piece>> {
    prop::collection::vec((0..40usize, 0..50usize, 0..6usize), 0..5)
}

/// Such as a project may write, mostly: another line is a fault, and a fault refuses everything.
fn project_pieces() -> impl Strategy<Value = Vec<Piece>> {
    let kind = prop::sample::select(vec![0, 1, 1, 3, 4, 5, 6, 7, 8, 9, 14, 15]);
    prop::collection::vec((kind, 0..50usize, 1..6usize), 0..4)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_project_file_never_loosens(
        system in pieces(), user in pieces(), outer in project_pieces(), inner in project_pieces()
    ) {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        write(&root.join("etc/config.toml"), &file("system", &system));
        write(&root.join("home/config.toml"), &file("user", &user));
        let mut before = decisions(root, CONTEXTS, None);
        // A repository inside of another: each adds to what is above it.
        for (path, name, pieces) in [
            (".herma.toml", "outer", &outer),
            ("project/.herma.toml", "inner", &inner),
        ] {
            write(&root.join(path), &file(name, pieces));
            let after = decisions(root, CONTEXTS, None);
            for (before, after) in before.iter().zip(&after) {
                prop_assert!(rank(after) >= rank(before), "{before:?} became {after:?}");
            }
            before = after;
        }
    }

    #[test]
    fn a_user_never_loosens_what_a_rule_of_the_machine_decides(
        system in pieces(), user in pieces()
    ) {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        // What is stricter with these rules than without them is theirs.
        let rules: Vec<Piece> = system.iter().filter(|(kind, ..)| kind % 10 > 3).copied().collect();
        write(&root.join("etc/config.toml"), &file("system", &rules));
        // Contexts and the mode are the user's.
        let judge = |root: &Path| decisions(root, &[None], Some(Mode::Manual));
        let plain = judge(&root.join("nothing"));
        let before = judge(root);
        write(&root.join("home/config.toml"), &file("user", &user));
        let after = judge(root);
        for ((plain, before), after) in plain.iter().zip(&before).zip(&after) {
            if rank(before) > rank(plain) {
                prop_assert!(rank(after) >= rank(before), "{before:?} became {after:?}");
            }
        }
    }
}
