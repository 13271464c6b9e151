use super::show;
use crate::syntax::Dialect;
use crate::{EmptyWorld, Request, analyse};

/// The last execution's words.
fn last(line: &str) -> Vec<String> {
    let analysis = analyse(
        &Request {
            text: line.as_bytes(),
            dialect: Dialect::Bash,
            cwd: b"/home/dev/proj",
        },
        &EmptyWorld,
    );
    let last = analysis.executions.last().expect("an execution");
    last.argv.iter().map(|arg| show(&arg.value)).collect()
}

#[test]
fn what_a_wrapped_program_prints_is_what_the_carrier_prints() {
    for line in [
        "echo $(sudo -u x echo hi)",
        "echo $(env A=1 nice echo hi)",
        "echo $(sh -c 'echo hi')",
        "echo $(echo hi | xargs echo)",
    ] {
        assert_eq!(last(line), ["echo", "hi"], "{line}");
    }
}

#[test]
fn what_an_interpreter_or_another_machine_prints_is_not_nothing() {
    for line in [
        "rm -rf \"$(awk x f)/\"",
        "rm -rf \"$(perl -pe 1 f)/\"",
        "rm -rf \"$(python3 -c 'print(input())')/\"",
        "rm -rf \"$(bash x.sh)/\"",
        "rm -rf \"$(ssh h pwd)/\"",
        "rm -rf \"$(EDITOR=true git rev-parse x)/\"",
        "rm -rf \"$(find . -exec echo x ';')/\"",
    ] {
        assert_eq!(last(line)[2], "<?>/", "{line}");
    }
}
