use super::*;

#[test]
fn every_host_is_found_by_its_name() {
    for host in Host::ALL {
        assert_eq!(Host::from_name(host.name()), Some(*host));
    }
    assert_eq!(Host::from_name("Claude-Code"), None);
    assert_eq!(Host::from_name(""), None);
}

#[test]
fn a_reason_is_one_visible_line() {
    for (reason, expected) in [
        ("plain", "plain"),
        ("two\nlines\r\n", "two lines"),
        ("\u{1b}[2Jscreen", "[2Jscreen"),
        ("", "herma: denied"),
        (" \n\t", "herma: denied"),
        ("a\u{2028}b", "a b"),
    ] {
        assert_eq!(answer::line(reason), expected, "{reason:?}");
    }
}

#[test]
fn a_long_reason_is_cut_at_a_character() {
    let cut = answer::line(&"ü".repeat(5_000));
    assert!(cut.len() < 2_100);
    assert!(cut.ends_with('…'));
}
