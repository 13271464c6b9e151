//! Hostile words: the work stays about linear and nothing panics.

use super::words;
use crate::carriers::{Command, carry};
use crate::execution::Arg;
use crate::source::Span;
use crate::value::{Origin, Value};

/// Bytes in everything that is handed on.
fn handed_on(argv: &[Arg], stdin: Option<&Value>) -> usize {
    let steps = carry(&Command {
        argv,
        stdin,
        environment: &[],
    });
    steps.iter().map(|step| super::render(step).len()).sum()
}

fn repeated(first: &str, part: &str, count: usize) -> Vec<Arg> {
    words(&format!("{first} {}", format!("{part} ").repeat(count)))
}

#[test]
fn many_unknown_words_do_not_multiply() {
    for program in [
        "sudo",
        "bash",
        "env",
        "docker run",
        "lxc exec",
        "kubectl exec",
        "ssh",
        "git",
        "xargs",
    ] {
        let argv = repeated(program, "$X", 2000);
        assert!(handed_on(&argv, None) < 2000 * 10 * 70, "{program}");
    }
}

#[test]
fn many_roots_runs_and_items_do_not_multiply() {
    let argv = words(&format!(
        "find {} {}",
        "/ ".repeat(2000),
        "-exec a {} ; ".repeat(2000)
    ));
    assert!(handed_on(&argv, None) < 400_000);
    let argv = words(&format!(
        "parallel {} {{}} ::: {}",
        "a ".repeat(2000),
        "b ".repeat(2000)
    ));
    assert!(handed_on(&argv, None) < 1_000_000);
    let argv = words(&format!("xargs -I{{}} {} {{}}", "a ".repeat(2000)));
    let input = Value::computed("x\n".repeat(2000));
    assert!(handed_on(&argv, Some(&input)) < 1_000_000);
}

#[test]
fn words_of_every_shape_are_read_by_every_program() {
    let programs = "sudo doas su runuser sg capsh systemd-run run0 machinectl env nice timeout chroot unshare setarch strace perf \
         npx npm uv poetry direnv nix-shell nix sh bash busybox fish pwsh cmd python3 perl node php lua bun deno awk xargs \
         parallel find fd ssh scp rsync mosh ansible gcloud heroku vagrant docker podman docker-compose kubectl lxc crictl \
         apptainer wsl git sort rg man tar zip go hg apt vim ed sed emacs less psql mysql gdb osascript Rscript expect watch \
         entr watchexec hyperfine script flock screen tmux xterm cargo ip at crontab make start-stop-daemon socat nc";
    let shapes = [
        "",
        "-",
        "--",
        "-c",
        "-e",
        "-S",
        "-x",
        "-I",
        "-exec",
        "-o",
        "--command",
        "--command=",
        "-X",
        "run",
        "exec",
        ":::",
        ";",
        "+",
        "{}",
        "\"",
        "'",
        "\\",
        "$",
        "=",
        "a=",
        "!",
        "s",
        "s/",
        "alias.x=!",
        "EXEC:",
        "-C",
        "\u{e9}",
        "-v",
        ":",
        "a:b:c",
        "%",
        "@x",
    ];
    let as_arg = |text: &str| Arg {
        value: Value::written(text.as_bytes(), 0),
        span: Span::new(0, u32::try_from(text.len()).unwrap()),
    };
    let unknown = Arg {
        value: Value::unknown_words(Origin::Names),
        span: Span::default(),
    };
    for program in programs.split_whitespace() {
        for (index, first) in shapes.iter().enumerate() {
            // A different part of the pairs for each first word.
            for second in shapes.iter().skip(index % 9).step_by(9) {
                let stdin = Value::computed(format!("{first}\n{second}"));
                let mut argv = vec![as_arg(program), as_arg(first), as_arg(second)];
                handed_on(&argv, Some(&stdin));
                argv.push(unknown.clone());
                handed_on(&argv, None);
                argv.swap(1, 3);
                handed_on(&argv, None);
            }
        }
    }
}
