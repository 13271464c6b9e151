//! `herma completions`.

mod support;

use support::Stage;

#[test]
fn every_shell_gets_every_command() {
    let stage = Stage::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = stage.run(&["completions", shell]);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{shell}");
        for command in [
            "check", "shell", "rules", "hook", "init", "audit", "blocked", "config",
        ] {
            assert!(ran.stdout.contains(command), "{shell}: {command}");
        }
    }
}
