//! What is written down: audit lines, copies, and the commands that read them.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests"
)]

mod support;

use std::path::PathBuf;

use support::{Stage, mode};

const FLOOR: &str = "sudo -S id";
const ASK: &str = "git reset --hard";

fn files(directory: PathBuf, suffix: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(directory)
        .into_iter()
        .flatten()
        .map(|entry| entry.expect("entry").path())
        .filter(|path| path.display().to_string().ends_with(suffix))
        .collect();
    files.sort();
    files
}

fn lines(stage: &Stage) -> Vec<serde_json::Value> {
    files(stage.state().join("audit"), ".jsonl")
        .iter()
        .flat_map(|file| {
            let text = stage.read(file);
            let lines: Vec<serde_json::Value> = text
                .lines()
                .map(|line| serde_json::from_str(line).expect("JSON"))
                .collect();
            lines
        })
        .collect()
}

fn copies(stage: &Stage) -> Vec<PathBuf> {
    files(stage.state().join("blocked"), ".json")
}

#[test]
fn every_answer_of_the_hook_is_one_line() {
    let stage = Stage::patient();
    stage.hook("ls", "default");
    stage.hook(ASK, "default");
    stage.hook(ASK, "unheard-of");
    stage.hook(FLOOR, "default");
    let lines = lines(&stage);
    let column = |key: &str| lines.iter().map(|it| it[key].clone()).collect::<Vec<_>>();
    assert_eq!(column("decision"), ["allow", "ask", "deny", "deny"]);
    assert_eq!(column("seq"), [1, 2, 3, 4]);
    let line = &lines[3];
    for (key, value) in [
        ("kind", "check"),
        ("host", "claude-code"),
        ("session", "8ead"),
        ("turn", "97bf"),
        ("tool_use_id", "toolu_1"),
        ("floor", "sudo-stdin"),
        ("mode", "manual"),
    ] {
        assert_eq!(line[key], value, "{key}");
    }
    assert_eq!(line["v"], 1);
    assert_eq!(line["rules"], serde_json::json!(["sudo.stdin"]));
    assert_eq!(line["argv_redacted"], serde_json::json!([FLOOR]));
    assert_eq!(line["cwd"], stage.project().display().to_string());
    assert!(line["us"].is_u64());
}

#[test]
fn what_is_written_is_for_the_user_alone() {
    let stage = Stage::patient();
    stage.hook(FLOOR, "default");
    let state = stage.state();
    for directory in [state.clone(), state.join("audit"), state.join("blocked")] {
        assert_eq!(mode(&directory), 0o700, "{}", directory.display());
    }
    let mut written = files(state.join("audit"), "");
    written.extend(files(state.join("blocked"), ""));
    assert!(written.len() >= 3);
    for file in written {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
}

#[test]
fn copies_are_kept_of_denials_only() {
    let stage = Stage::patient();
    stage.hook("ls", "default");
    stage.hook(ASK, "default");
    assert!(copies(&stage).is_empty());
    stage.hook(ASK, "unheard-of");
    assert_eq!(copies(&stage).len(), 1);
    stage.hook(FLOOR, "default");
    assert_eq!(copies(&stage).len(), 2);
}

#[test]
fn a_trail_that_cannot_be_written_denies_even_what_is_harmless() {
    let stage = Stage::new();
    stage.configure("");
    stage.write(&stage.state().join("audit"), "a file in its place");
    let ran = stage.hook("ls", "default");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{ran:?}");
    assert!(ran.stderr.contains("audit") && ran.stderr.matches('\n').count() == 1);
}

#[test]
fn state_of_a_newer_herma_denies() {
    let stage = Stage::new();
    stage.configure("");
    stage.write(&stage.state().join("VERSION"), "99999\n");
    let ran = stage.hook("ls", "default");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{ran:?}");
}

#[test]
fn a_held_trail_is_a_denial_at_the_deadline() {
    let stage = Stage::new();
    stage.hook("ls", "default");
    let head = std::fs::File::options()
        .read(true)
        .write(true)
        .open(stage.state().join("audit/head"))
        .expect("head");
    head.lock().expect("lock");
    let started = std::time::Instant::now();
    let ran = stage.hook("ls", "default");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{ran:?}");
    assert!(ran.stderr.contains("200 ms"), "{ran:?}");
    assert!(started.elapsed() < std::time::Duration::from_secs(5));
}

#[test]
fn eight_hooks_at_once_leave_a_chain_that_holds() {
    let stage = Stage::new();
    // Eight processes on a busy machine may take longer than the usual deadline.
    stage.configure("deadline_ms = 10000\n");
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..3 {
                    let ran = stage.hook("ls", "default");
                    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
                }
            });
        }
    });
    let seqs: Vec<u64> = lines(&stage)
        .iter()
        .filter_map(|it| it["seq"].as_u64())
        .collect();
    assert_eq!(seqs, (1..=24).collect::<Vec<u64>>());
    let ran = stage.run(&["audit", "verify", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let json = ran.json();
    assert_eq!((&json["v"], &json["holds"]), (&1.into(), &true.into()));
    assert_eq!(json["lines"], 24);
    assert_eq!(json["gaps"], serde_json::json!([]));
}

#[test]
fn a_changed_line_is_found() {
    let stage = Stage::patient();
    for command in ["ls", FLOOR, "id"] {
        stage.hook(command, "default");
    }
    assert_eq!(stage.run(&["audit", "verify"]).code, Some(0));
    let file = files(stage.state().join("audit"), ".jsonl").remove(0);
    let text = stage.read(&file).replace("\"deny\"", "\"allow\"");
    std::fs::write(&file, text).expect("written");
    let ran = stage.run(&["audit", "verify"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stdout.contains(":2"), "{}", ran.stdout);
    assert_eq!(
        stage.run(&["audit", "verify", "--json"]).json()["broken"]["line"],
        2
    );
}

#[test]
fn without_a_trail_there_is_nothing_to_show_and_nothing_broken() {
    let stage = Stage::new();
    let ran = stage.run(&["audit", "tail"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""));
    assert_eq!(stage.run(&["audit", "verify"]).code, Some(0));
    assert_eq!(stage.run(&["blocked", "list"]).stdout, "");
    assert!(!stage.state().exists());
}

#[test]
fn the_tail_is_the_newest_lines_in_order() {
    let stage = Stage::patient();
    for command in ["echo 1", "echo 2", ASK] {
        stage.hook(command, "default");
    }
    let ran = stage.run(&["audit", "tail", "-n", "2"]);
    let shown: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(shown.len(), 2);
    assert!(
        shown[0].contains("allow") && shown[0].ends_with("echo 2"),
        "{}",
        shown[0]
    );
    assert!(
        shown[1].contains("ask") && shown[1].contains("[git.reset-hard]"),
        "{}",
        shown[1]
    );
    let json = stage.run(&["audit", "tail", "-n", "1", "--json"]);
    assert_eq!(json.json()["seq"], 3);
}

#[test]
fn a_follower_sees_what_comes() {
    use std::io::{BufRead, BufReader};
    let stage = Stage::patient();
    stage.hook("echo 1", "default");
    let mut child = stage
        .command(&["audit", "tail", "-n", "1", "-f", "--json"])
        .spawn()
        .expect("started");
    let mut output = BufReader::new(child.stdout.take().expect("output"));
    let mut next = || {
        let mut line = String::new();
        output.read_line(&mut line).expect("a line");
        let value: serde_json::Value = serde_json::from_str(&line).expect("JSON");
        value["seq"].clone()
    };
    assert_eq!(next(), 1);
    stage.hook("echo 2", "default");
    assert_eq!(next(), 2);
    child.kill().expect("ended");
    child.wait().expect("ended");
}

#[test]
fn hostile_text_in_the_trail_is_shown_as_escapes() {
    let stage = Stage::patient();
    stage.hook("echo '\u{1b}[2J\u{202e}'", "default");
    let shown = stage.run(&["audit", "tail"]).stdout;
    assert!(
        !shown.contains('\u{1b}') && !shown.contains('\u{202e}'),
        "{shown:?}"
    );
}

#[test]
fn a_copy_is_listed_shown_and_reported() {
    let stage = Stage::patient();
    stage.hook(FLOOR, "default");
    let list = stage.run(&["blocked", "list"]).stdout;
    let id = list.split_whitespace().next().expect("an id");
    assert!(
        list.contains("sudo.stdin") && list.contains(FLOOR),
        "{list}"
    );
    let shown = stage.run(&["blocked", "show", id]);
    assert_eq!(shown.code, Some(0));
    for part in [
        "deny (sudo-stdin)",
        "claude-code",
        "sudo.stdin at line 1",
        "  | sudo -S id",
    ] {
        assert!(shown.stdout.contains(part), "{part}: {}", shown.stdout);
    }
    let json = stage.run(&["blocked", "show", "--json", id]).json();
    assert_eq!((&json["v"], &json["command"]), (&1.into(), &FLOOR.into()));
    assert_eq!(json["rules"][0]["rule"], "sudo.stdin");
    let report = stage
        .run(&["blocked", "report", id, "--note", "wrong"])
        .json();
    assert_eq!(
        (&report["cmd"], &report["expect"]),
        (&FLOOR.into(), &"allow".into())
    );
    let missing = stage.run(&["blocked", "show", "../../x"]);
    assert_eq!(missing.code, Some(1));
    assert!(missing.stderr.starts_with("error: "), "{}", missing.stderr);
}

#[test]
fn check_records_when_it_is_told_to() {
    let stage = Stage::new();
    stage.run(&["check", "--record", "--context", "cron", ASK]);
    stage.run_with(&["check", "--record", "--batch", "-"], "{\"cmd\":\"ls\"}\n");
    let lines = lines(&stage);
    assert_eq!(lines.len(), 2);
    assert_eq!(
        (&lines[0]["decision"], &lines[0]["context"]),
        (&"deny".into(), &"cron".into())
    );
    assert!(lines[0].get("host").is_none() || lines[0]["host"].is_null());
    assert_eq!(lines[1]["decision"], "allow");
    assert_eq!(copies(&stage).len(), 1);
}

#[test]
fn secrets_do_not_reach_the_trail() {
    let stage = Stage::new();
    let secret = ["ghp", "_", "16C7e42F292c6912E7710c838347Ae178B4a"].concat();
    stage.hook(
        &format!("git clone https://x:{secret}@github.com/a/b"),
        "default",
    );
    let file = files(stage.state().join("audit"), ".jsonl").remove(0);
    assert!(!stage.read(&file).contains(&secret));
}

#[test]
fn a_gap_is_told_in_words() {
    let stage = Stage::new();
    stage.run(&["check", "--record", "ls"]);
    let trail = files(stage.state().join("audit"), ".jsonl");
    let [trail] = trail.as_slice() else {
        panic!("{trail:?}");
    };
    let text = stage.read(trail);
    stage.write(trail, text.get(..text.len() - 5).expect("a long line"));
    stage.run(&["check", "--record", "pwd"]);
    let shown = stage.run(&["audit", "tail"]).stdout;
    assert!(shown.contains("gap: lines-lost"), "{shown}");
}

#[test]
fn input_that_cannot_be_read_is_recorded_as_denied() {
    let stage = Stage::patient();
    let ran = stage.run_with(&["hook", "claude-code"], "not JSON");
    assert_eq!(ran.code, Some(2));
    let lines = lines(&stage);
    assert_eq!(lines.len(), 1);
    assert_eq!(
        (&lines[0]["decision"], &lines[0]["rules"][0]),
        (&"deny".into(), &"hook.input".into())
    );
}

#[test]
fn copies_are_listed_without_secrets_and_control_characters() {
    let stage = Stage::patient();
    let token = format!("ghp_{}", "a1B2".repeat(9));
    stage.hook(&format!("echo '\u{1b}[2J' {token}; sudo -S id"), "default");
    let list = stage.run(&["blocked", "list"]).stdout;
    let id = list.split_whitespace().next().expect("an id").to_owned();
    for shown in [
        list,
        stage.run(&["blocked", "list", "--json"]).stdout,
        stage.run(&["blocked", "show", &id]).stdout,
        stage.run(&["blocked", "show", "--json", &id]).stdout,
    ] {
        assert!(!shown.contains('\u{1b}'), "{shown:?}");
        assert!(!shown.contains(&token), "{shown}");
    }
}

#[test]
fn the_trail_names_the_own_rule_that_allowed() {
    let stage = Stage::patient();
    stage.configure(
        "deadline_ms = 10000\n[[rule]]\nid = \"me.reset\"\naction = \"allow\"\nargv = [\"git\", \"reset\", \"--hard\"]\n",
    );
    stage.hook("git reset --hard", "default");
    stage.run(&["check", "--record", "git reset --hard"]);
    for line in lines(&stage) {
        assert_eq!(line["decision"], "allow");
        assert_eq!(line["rules"], serde_json::json!(["me.reset"]));
    }
}

#[test]
fn a_copy_is_named_by_what_only_its_id_begins_with() {
    let stage = Stage::patient();
    stage.hook(FLOOR, "default");
    stage.hook("sudo -S whoami", "default");
    let list = stage.run(&["blocked", "list"]).stdout;
    let ids: Vec<&str> = list
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    let [first, second] = ids.as_slice() else {
        panic!("{list}");
    };
    for (prefix, id) in [
        (&first[16..20], first),
        (&second[16..24], second),
        (&first[..20], first),
    ] {
        let shown = stage.run(&["blocked", "show", prefix]);
        assert!(shown.stdout.contains(id), "{prefix}: {shown:?}");
        assert_eq!(stage.run(&["blocked", "report", prefix]).json()["id"], **id);
    }
    let both = stage.run(&["blocked", "show", "20"]);
    assert_eq!(both.code, Some(1));
    assert!(both.stderr.contains(first) && both.stderr.contains(second));
    for none in ["", "x", "/", "..", "."] {
        let ran = stage.run(&["blocked", "show", none]);
        assert_eq!(ran.code, Some(1), "{none}: {ran:?}");
    }
}

#[test]
fn a_secret_hides_itself_and_nothing_else() {
    let stage = Stage::patient();
    let token = format!("ghp_{}", "a1B2".repeat(9));
    stage.hook(&format!("echo {token}; sudo -S id"), "default");
    let list = stage.run(&["blocked", "list"]).stdout;
    let id = list.split_whitespace().next().expect("an id").to_owned();
    let shown = stage.run(&["blocked", "show", &id]).stdout;
    assert!(
        shown.contains("sudo.stdin at line 1: sudo -S id"),
        "{shown}"
    );
    let json = stage.run(&["blocked", "show", "--json", &id]).json();
    let place = |at: usize| {
        let offset = json["rules"][0]["span"][at].as_u64();
        usize::try_from(offset.expect("an offset")).expect("an offset")
    };
    let command = json["command"].as_str().expect("a text");
    assert_eq!(&command[place(0)..place(1)], "sudo -S id");
}
