#![allow(clippy::expect_used, reason = "tests")]

use std::path::Path;

use herma_config::{ConfigError, Layer};

use super::*;

fn shelf(files: &[(Layer, &str)]) -> Result<Shelf, Vec<ConfigError>> {
    let mut shelf = Shelf::builtin().unwrap();
    for (layer, text) in files {
        let file = match layer {
            Layer::System => "system",
            Layer::User => "user",
            Layer::Project => "project",
        };
        shelf.add(*layer, Path::new(file), text)?;
    }
    Ok(shelf)
}

fn faults(files: &[(Layer, &str)]) -> Vec<String> {
    let faults = shelf(files).expect_err("refused");
    faults.iter().map(ToString::to_string).collect()
}

fn profile(files: &[(Layer, &str)], name: &str) -> Profile {
    shelf(files).unwrap().profile(name).unwrap().expect("known")
}

fn shown(patterns: &[Pattern]) -> Vec<String> {
    patterns.iter().map(ToString::to_string).collect()
}

#[test]
fn the_builtin_profiles_have_the_limits_they_promise() {
    let default = profile(&[], "default");
    assert_eq!(default.limits.memory, Some(4 << 30));
    assert_eq!(default.limits.file, Some(16 << 30));
    assert_eq!(default.limits.tasks, Some(4096));
    assert_eq!(default.network, Network::Exit);
    assert_eq!(default.workspace, Workspace::Write);
    assert!(!default.filter.strict && default.filter.unix_sockets);
    let locked = profile(&[], "locked");
    assert_eq!(locked.limits.memory, Some(512 << 20));
    assert_eq!(locked.limits.file, Some(256 << 20));
    assert_eq!(locked.limits.tasks, Some(256));
    assert_eq!(locked.network, Network::None);
    assert_eq!(
        locked.filter,
        Filter {
            strict: true,
            nested: false,
            unix_sockets: false,
            run_from_memory: false
        }
    );
    assert_eq!(profile(&[], "read-only").workspace, Workspace::Read);
    assert!(profile(&[], "generic").private.is_empty());
    assert!(shown(&default.private).contains(&"~/.npm".to_owned()));
    assert!(shown(&default.read).contains(&"/usr".to_owned()));
    let names: Vec<String> = Shelf::builtin()
        .unwrap()
        .names()
        .map(str::to_owned)
        .collect();
    assert_eq!(names, ["default", "generic", "locked", "read-only"]);
}

#[test]
fn builtin_profiles_name_no_variable_that_loads_code_or_holds_a_secret() {
    for name in ["default", "generic", "locked", "read-only"] {
        for variable in profile(&[], name).environment {
            for wrong in [
                "LD_",
                "TOKEN",
                "KEY",
                "SECRET",
                "PASS",
                "OPT",
                "BASH_ENV",
                "PYTHONPATH",
                "GIT_",
                "SSH",
                "DBUS",
            ] {
                let fine = variable == "GOPATH" || variable == "LDFLAGS";
                assert!(fine || !variable.contains(wrong), "{variable}");
            }
            assert!(variable != "ENV" && variable != "*");
        }
    }
}

#[test]
fn a_profile_extends_default_or_what_it_says() {
    let text = "[profiles.mine]\nread = [\"/srv\"]\nlimits.memory = \"1 GiB\"\n\
                [profiles.tight]\nextends = \"locked\"\nlimits = { tasks = 9 }";
    let mine = profile(&[(Layer::User, text)], "mine");
    assert!(shown(&mine.read).contains(&"/srv".to_owned()));
    assert!(shown(&mine.read).contains(&"/usr".to_owned()));
    assert_eq!(mine.limits.memory, Some(1 << 30));
    assert_eq!(mine.limits.tasks, Some(4096));
    let tight = profile(&[(Layer::User, text)], "tight");
    assert_eq!(
        (tight.limits.tasks, tight.limits.cpu),
        (Some(9), Some(3600))
    );
    assert_eq!(tight.network, Network::None);
}

#[test]
fn what_default_gains_its_children_gain_and_locked_does_not() {
    let text = "profiles.default.write = [\"/data\"]";
    let has =
        |name| shown(&profile(&[(Layer::User, text)], name).write).contains(&"/data".to_owned());
    assert!(has("default") && has("read-only"));
    assert!(!has("locked") && !has("generic"));
}

#[test]
fn unknown_keys_are_faults_with_their_place_and_a_suggestion() {
    assert_eq!(
        faults(&[(
            Layer::User,
            "[profiles.x]\nred = []\nlimits.memroy = 1\ntasks = 3\nfilter = \"strct\""
        )]),
        [
            "user:2:1: unknown key `red`; did you mean `read`?",
            "user:3:8: unknown key `limits.memroy`; did you mean `limits.memory`?",
            "user:4:1: unknown key `tasks`; did you mean `limits.tasks`?",
            "user:5:10: `filter` is one of default, strict, not \"strct\"; did you mean `strict`?",
        ]
    );
}

#[test]
fn wrong_values_are_faults() {
    let of = |text: &str| faults(&[(Layer::User, &format!("[profiles.x]\n{text}"))]).join("; ");
    assert_eq!(
        of("read = \"/x\""),
        "user:2:8: `read` takes a list of texts, not a text"
    );
    assert_eq!(
        of("read = [1]"),
        "user:2:9: `read` takes a list of texts, not a whole number"
    );
    assert_eq!(
        of("read = [\"../x\"]"),
        "user:2:9: \"../x\" is no path of a profile: it begins with /, ~ or ./, in `mask`, \
         `protect` and `except` also with a name, and has no `..` or `**`"
    );
    assert!(of("write = [\"src\"]").contains("is no path"));
    assert!(of("network = 1").contains("takes true or false"));
    assert!(of("limits.memory = \"4GB\"").contains("is no size"));
    assert!(of("limits.tasks = 0").contains("is a number from 1"));
    assert!(of("limits.tasks = \"9\"").contains("takes a whole number"));
    assert!(of("limits = 3").contains("`limits` takes a table"));
    assert!(of("environment = [\"A=B\"]").contains("is no variable's name"));
    assert!(of("environment = [\"*\"]").contains("is no variable's name"));
    assert!(of("mask = [\"*.x\", \"**/y\"]").contains("\"**/y\" is no path"));
    assert!(of("x = ").starts_with("user:2:"));
    assert_eq!(
        faults(&[(Layer::User, "profiles = 1")]),
        ["user:1:12: `profiles` takes a table, not a whole number"]
    );
    assert_eq!(
        faults(&[(Layer::User, "profiles.x = 1")]),
        ["user:1:14: `profiles.x` takes a table, not a whole number"]
    );
}

#[test]
fn parents_exist_and_make_no_circle() {
    assert_eq!(
        faults(&[(Layer::User, "[profiles.x]\nextends = \"defualt\"")]),
        ["user:2:11: there is no profile `defualt`; did you mean `default`?"]
    );
    assert_eq!(
        faults(&[(
            Layer::User,
            "profiles.x.extends = \"y\"\nprofiles.y.extends = \"x\""
        )]),
        [
            "user:2:22: the profile extends itself: x → y → x",
            "user:1:22: the profile extends itself: y → x → y",
        ]
    );
    assert_eq!(
        faults(&[(Layer::User, "profiles.locked.extends = \"default\"")]),
        [
            "user:1:27: the profile `locked` is there already; it is changed here, and extends what it did"
        ]
    );
}

#[test]
fn a_user_may_loosen_what_herma_brings() {
    let text =
        "[profiles.locked]\nnetwork = true\nlimits.memory = \"8 GiB\"\nexcept = [\".env.test\"]";
    let locked = profile(&[(Layer::User, text)], "locked");
    assert_eq!(locked.network, Network::Exit);
    assert_eq!(locked.limits.memory, Some(8 << 30));
}

#[test]
fn nobody_below_loosens_what_the_machine_wrote() {
    let machine =
        "[profiles.default]\nnetwork = false\nlimits.memory = \"1 GiB\"\nread = [\"/srv\"]";
    let with = |text| shelf(&[(Layer::System, machine), (Layer::User, text)]);
    assert!(with("profiles.default.limits.memory = \"512 MiB\"").is_ok());
    let looser = with("[profiles.default]\nnetwork = true").expect_err("looser");
    assert_eq!(
        looser[0].to_string(),
        "user:2:11: `network` is looser than system:2"
    );
    // Nor by a new profile that extends it.
    assert!(with("profiles.x.network = true").is_err());
    assert!(with("profiles.x.read = [\"/data\"]").is_err());
    // What the machine did not write is free.
    assert!(with("profiles.default.limits.tasks = 9999").is_ok());
    assert!(with("profiles.x = { extends = \"locked\", network = true }").is_ok());
}

#[test]
fn a_project_only_tightens() {
    let with = |text: &str| shelf(&[(Layer::Project, text)]);
    for tighter in [
        "network = false",
        "limits.memory = \"1 GiB\"",
        "limits.time = 60",
        "hide = [\"~/.cargo\"]",
        "mask = [\"*.sql\"]",
        "protect = [\"./deploy\"]",
        "workspace = \"read\"",
        "filter = \"strict\"",
        "read = [\"/usr\"]",
        "instructions = false",
    ] {
        assert!(
            with(&format!("[profiles.default]\n{tighter}")).is_ok(),
            "{tighter}"
        );
        assert!(
            with(&format!("[profiles.new]\n{tighter}")).is_ok(),
            "{tighter}"
        );
    }
    for looser in [
        "read = [\"/srv\"]",
        "write = [\"/srv\"]",
        "private = [\"/srv\"]",
        "except = [\".env\"]",
        "environment = [\"AWS_SECRET_ACCESS_KEY\"]",
        "limits.memory = \"5 GiB\"",
    ] {
        assert!(
            with(&format!("[profiles.default]\n{looser}")).is_err(),
            "{looser}"
        );
        assert!(
            with(&format!("[profiles.new]\n{looser}")).is_err(),
            "{looser}"
        );
    }
    assert!(with("profiles.locked.network = true").is_err());
    assert!(with("profiles.locked.filter = \"default\"").is_err());
    assert!(with("profiles.read-only.workspace = \"write\"").is_err());
    let error = with("profiles.locked.network = true").expect_err("looser");
    assert_eq!(
        error[0].to_string(),
        "project:1:27: `network` is looser than the default, which a project file may only tighten"
    );
}

#[test]
fn a_refused_text_changes_nothing() {
    let mut shelf = Shelf::builtin().unwrap();
    let text = "profiles.a.network = false\nprofiles.b.netwrk = false";
    assert!(shelf.add(Layer::User, Path::new("user"), text).is_err());
    assert!(shelf.profile("a").unwrap().is_none());
    assert_eq!(shelf.nearest("lockd"), Some("locked"));
}

#[test]
fn every_key_stands_in_the_documentation() {
    let page = include_str!("../../../../docs/sandbox.md");
    let rows: Vec<&str> = page
        .lines()
        .filter(|line| line.starts_with("| `"))
        .collect();
    for key in super::key::KEYS {
        let named = rows
            .iter()
            .any(|row| row.starts_with(&format!("| `{}` |", key.path)) && row.contains(key.doc));
        assert!(named, "docs/sandbox.md says something else of {}", key.path);
    }
}
