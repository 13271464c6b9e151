//! The parser never panics and reports only places inside the text.
#![no_main]

use herma_shell::Source;
use herma_shell::syntax::{Dialect, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    for dialect in [
        Dialect::Bash,
        Dialect::Posix,
        Dialect::Zsh,
        Dialect::PowerShell,
        Dialect::Cmd,
    ] {
        let parsed = parse(&Source::original(text.to_vec()), dialect);
        for error in parsed.errors {
            assert!(error.span.start <= error.span.end && error.span.end as usize <= text.len());
        }
    }
});
