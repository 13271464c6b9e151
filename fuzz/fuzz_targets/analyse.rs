//! The analyser never panics, reports only places inside the text, and gives one answer.
#![no_main]

use herma_shell::syntax::Dialect;
use herma_shell::{EmptyWorld, Request, Status, analyse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    // Mostly bash; texts that begin so are for another shell.
    let (dialect, text) = match text {
        [b'\x01', rest @ ..] => (Dialect::Zsh, rest),
        [b'\x02', rest @ ..] => (Dialect::PowerShell, rest),
        [b'\x03', rest @ ..] => (Dialect::Cmd, rest),
        [b'\x04', rest @ ..] => (Dialect::Posix, rest),
        text => (Dialect::Bash, text),
    };
    let request = Request {
        text,
        dialect,
        cwd: b"/w",
    };
    let first = analyse(&request, &EmptyWorld);
    let second = analyse(&request, &EmptyWorld);
    assert_eq!(first.executions, second.executions);
    assert_eq!(first.facts, second.facts);
    assert_eq!(
        first.status == Status::NotUnderstood,
        !first.uncertain.is_empty()
    );
    for execution in &first.executions {
        assert!(!execution.argv.is_empty());
        assert!(execution.at as usize <= text.len());
        assert!(
            execution.span.start <= execution.span.end && execution.span.end as usize <= text.len()
        );
    }
});
