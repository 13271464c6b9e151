use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::*;
use crate::tests::Scratch;

fn choose(flag: Option<&str>, variable: Option<&str>, home: Option<&str>) -> Option<PathBuf> {
    Home::choose(flag.map(Path::new), variable.map(OsStr::new), || {
        home.map(OsString::from)
    })
    .ok()
    .map(|home| home.root().to_owned())
}

#[test]
fn the_flag_wins_over_the_variable_and_both_over_the_default() {
    let path = |text| Some(PathBuf::from(text));
    assert_eq!(choose(Some("/f"), Some("/v"), Some("/h")), path("/f"));
    assert_eq!(choose(None, Some("/v"), Some("/h")), path("/v"));
    assert_eq!(choose(None, None, Some("/h")), path("/h/.herma"));
    assert_eq!(choose(None, Some(""), Some("/h")), path("/h/.herma"));
    assert_eq!(choose(None, None, None), None);
}

#[test]
fn relative_places_are_refused() {
    assert_eq!(choose(Some("f"), None, Some("/h")), None);
    assert_eq!(choose(None, Some("v"), Some("/h")), None);
    assert_eq!(choose(None, None, Some("h")), None);
}

#[test]
fn preparing_makes_the_directory_for_the_owner_with_its_version() {
    let scratch = Scratch::new();
    let home = scratch.home();
    home.check_version().unwrap();
    assert!(home.open().unwrap().is_none());
    home.prepare().unwrap();
    home.prepare().unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(home.root()), 0o700);
    assert_eq!(mode(&home.version()), 0o600);
    assert_eq!(fs::read_to_string(home.version()).unwrap(), "1\n");
}

#[test]
fn a_directory_that_others_may_write_is_refused() {
    let scratch = Scratch::new();
    let home = scratch.home();
    home.prepare().unwrap();
    fs::set_permissions(home.root(), fs::Permissions::from_mode(0o770)).unwrap();
    assert!(matches!(home.prepare(), Err(HomeError::Refused(..))));
    assert!(matches!(home.open(), Err(HomeError::Refused(..))));
}

#[test]
fn session_names_never_leave_their_directory() {
    let home = Home::at("/h").unwrap();
    let session = |host, id| home.session(host, id);
    let path = |name: &str| Some(PathBuf::from("/h/sessions").join(name));
    assert_eq!(
        session("claude-code", "8ead-1"),
        path("claude-code-8ead-1.json")
    );
    assert_eq!(session("x", "../../etc"), path("x-%2E.%2F..%2Fetc.json"));
    assert_eq!(session("x", ".."), path("x-%2E..json"));
    assert_eq!(session("x", "a\0b"), path("x-a%00b.json"));
    assert_ne!(session("x", "a/b"), session("x", "a%2Fb"));
    assert_eq!(session("x", ""), None);
    assert_eq!(session("x", &"a".repeat(300)), None);
    assert_eq!(home.run("../x"), Some("/h/runs/%2E.%2Fx".into()));
}

#[test]
fn every_path_lies_below_the_root() {
    let home = Home::at("/h").unwrap();
    let paths = [
        (home.config(), "/h/config.toml"),
        (home.rules(), "/h/rules.d"),
        (home.providers(), "/h/providers.d"),
        (home.trust(), "/h/trust.toml"),
        (home.grants(), "/h/grants.jsonl"),
        (home.sessions(), "/h/sessions"),
        (home.audit(), "/h/audit"),
        (home.blocked(), "/h/blocked"),
        (home.runs(), "/h/runs"),
        (home.proxy(), "/h/proxy"),
        (home.bin(), "/h/bin"),
        (home.version(), "/h/VERSION"),
    ];
    for (path, expected) in paths {
        assert_eq!(path, Path::new(expected));
    }
}
