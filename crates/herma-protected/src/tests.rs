use super::*;

#[test]
fn entries_are_plain_paths_and_stand_once() {
    for list in [HOME, TOP, ANYWHERE] {
        for (index, (path, _)) in list.iter().enumerate() {
            assert!(
                path.split('/').all(|name| !matches!(name, "" | "." | "..")),
                "{path}"
            );
            assert!(
                !list.iter().skip(index + 1).any(|(other, _)| other == path),
                "{path} stands twice"
            );
        }
    }
    for name in INSTRUCTIONS {
        assert_eq!(name.to_ascii_lowercase(), *name);
    }
}

#[test]
fn environment_files_are_told_from_examples() {
    for name in [
        ".env",
        ".ENV",
        ".env.local",
        ".env.example.local",
        ".env.production",
        ".env~",
        ".env-old",
        ".env_backup",
        "prod.env",
        "Staging.env",
    ] {
        assert!(is_environment(name.as_bytes()), "{name}");
    }
    for name in [
        "env",
        ".env.",
        ".env.example",
        ".env.prod.sample",
        ".env-template",
        ".envrc",
        ".environment",
        "app.env",
        "example.env",
        "x.env.js",
    ] {
        assert!(!is_environment(name.as_bytes()), "{name}");
    }
}

#[test]
fn keys_are_told_from_what_lies_beside_them() {
    for name in [
        "id_rsa",
        "ID_ED25519",
        "server.key",
        "a.P12",
        "private.pem",
        "debug.keystore",
    ] {
        assert!(is_private_key(name.as_bytes()), "{name}");
    }
    for name in ["id_rsa.pub", ".key", "cert.pem", "monkey", "keys.ts"] {
        assert!(!is_private_key(name.as_bytes()), "{name}");
    }
    for name in ["work", "id_rsa", "x.old"] {
        assert!(is_key_of_ssh(name.as_bytes()), "{name}");
    }
    for name in ["work.pub", "config", "config.d", "known_hosts.old", "rc"] {
        assert!(!is_key_of_ssh(name.as_bytes()), "{name}");
    }
}

#[test]
fn the_state_directory_holds_secrets_and_settings() {
    let kind = |path: &str| {
        let names: Vec<Vec<u8>> = path.split('/').map(|it| it.as_bytes().to_vec()).collect();
        state(&names)
    };
    assert_eq!(kind("proxy/ca.key"), Kind::HermaSecrets);
    assert_eq!(kind("rules.d/x.toml"), Kind::HermaSettings);
    assert_eq!(kind("audit/head"), Kind::HermaState);
    assert_eq!(state(&[]), Kind::HermaState);
}
