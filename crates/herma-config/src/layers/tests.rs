use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;
use crate::config::{Config, Mode};
use crate::tests::Scratch;

/// Loads with the layers of the scratch directory and this working directory below it.
fn load(scratch: &Scratch, cwd: Option<&str>) -> Result<Config, Vec<ConfigError>> {
    let (home, system) = (scratch.home(), scratch.path("etc"));
    let cwd = cwd.map(|cwd| scratch.path(cwd));
    Config::load(&Sources::new(&home, cwd.as_deref()).system(&system))
}

fn rule(id: &str) -> String {
    format!("[[rule]]\nid = \"{id}\"\naction = \"deny\"\nargv = [\"x\"]\n")
}

fn ids(config: &Config) -> Vec<&str> {
    config.rules.iter().map(|rule| rule.id.as_str()).collect()
}

#[test]
fn without_any_file_the_defaults_hold() {
    let scratch = Scratch::new();
    assert_eq!(load(&scratch, Some("p")).unwrap(), Config::defaults());
    scratch.write("home/sessions/x", "");
    scratch.write("etc/other", "");
    assert_eq!(load(&scratch, None).unwrap(), Config::defaults());
}

#[test]
fn layers_are_read_from_the_machine_down_to_the_working_directory() {
    let scratch = Scratch::new();
    scratch.write(
        "etc/config.toml",
        format!("deadline_ms = 100\n{}", rule("etc")),
    );
    scratch.write("etc/rules.d/z.toml", rule("etc.z"));
    scratch.write(
        "home/config.toml",
        format!("mode = \"strict\"\n{}", rule("home")),
    );
    scratch.write("home/rules.d/b.toml", rule("home.b"));
    scratch.write("home/rules.d/a.toml", rule("home.a"));
    scratch.write("home/rules.d/notes.txt", "not read");
    scratch.write(
        "p/.herma.toml",
        format!("deadline_ms = 50\n{}", rule("outer")),
    );
    scratch.write("p/q/r/.herma.toml", rule("inner"));
    let config = load(&scratch, Some("p/q/r")).unwrap();
    assert_eq!(config.mode, Mode::Strict);
    assert_eq!(config.deadline_ms, 50);
    let expected = ["etc", "etc.z", "home", "home.a", "home.b", "outer", "inner"];
    assert_eq!(ids(&config), expected);
}

#[test]
fn a_directory_inside_the_project_does_not_leave_its_policy() {
    let scratch = Scratch::new();
    scratch.write("p/.herma.toml", rule("outer"));
    scratch.write("p/new/.herma.toml", "");
    scratch.write("p/new/.git/HEAD", "");
    let config = load(&scratch, Some("p/new/deeper/not/there")).unwrap();
    assert_eq!(ids(&config), ["outer"]);
    assert!(ids(&load(&scratch, None).unwrap()).is_empty());
}

#[test]
fn an_id_is_used_once_over_all_layers() {
    let scratch = Scratch::new();
    scratch.write("home/config.toml", rule("a"));
    scratch.write("home/rules.d/a.toml", rule("a"));
    let errors = load(&scratch, None).unwrap_err();
    let fault = RuleFault::IdTaken {
        id: "a".into(),
        file: scratch.path("home/config.toml"),
        line: 2,
    };
    assert_eq!(errors[0].what, Kind::Rule(fault));
    assert_eq!(errors[0].file, scratch.path("home/rules.d/a.toml"));
}

#[test]
fn files_that_decide_must_be_ones_own() {
    let scratch = Scratch::new();
    let file = scratch.write("home/config.toml", "");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o666)).unwrap();
    let error = load(&scratch, None).unwrap_err().remove(0);
    assert_eq!(error.what, Kind::Refused(Refusal::Writable { mode: 0o666 }));
    let line = error.to_string();
    assert!(
        line.contains("home/config.toml: can be written by others (mode 0666)"),
        "{line}"
    );
    // A project file may be anybody's: it only tightens.
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    let file = scratch.write("p/.herma.toml", rule("p"));
    fs::set_permissions(&file, fs::Permissions::from_mode(0o666)).unwrap();
    assert_eq!(ids(&load(&scratch, Some("p")).unwrap()), ["p"]);
}

#[test]
fn links_and_large_files_are_errors_never_absent() {
    let scratch = Scratch::new();
    let real = scratch.write("real", "mode = \"strict\"");
    scratch.write("home/x", "");
    symlink(&real, scratch.path("home/config.toml")).unwrap();
    let what = |cwd| load(&scratch, cwd).unwrap_err().remove(0).what;
    assert_eq!(what(None), Kind::Refused(Refusal::Link));
    fs::remove_file(scratch.path("home/config.toml")).unwrap();
    scratch.write("p/.herma.toml", " ".repeat(guarded::MAX_BYTES + 1));
    assert_eq!(
        what(Some("p")),
        Kind::Refused(Refusal::TooLarge(guarded::MAX_BYTES))
    );
    scratch.write("p/.herma.toml", b"\xff");
    assert_eq!(what(Some("p")), Kind::NotUtf8);
    fs::remove_file(scratch.path("p/.herma.toml")).unwrap();
    fs::create_dir(scratch.path("p/.herma.toml")).unwrap();
    assert_eq!(what(Some("p")), Kind::Refused(Refusal::WrongType));
}

#[test]
fn a_broken_link_in_place_of_rules_is_an_error() {
    let scratch = Scratch::new();
    scratch.write("home/x", "");
    symlink("/nowhere", scratch.path("home/rules.d")).unwrap();
    assert!(load(&scratch, None).is_err());
}
