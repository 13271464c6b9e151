//! Exit codes.

use std::process::ExitCode;

use herma_rules::Decision;

/// How the process ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done, or allow.
    Success,
    /// Something failed.
    Failure,
    /// Ask.
    Ask,
    /// Deny.
    Deny,
    /// What a host's protocol says.
    Hook(u8),
    /// What a command that was run says, or what is said of it.
    Run(u8),
}

impl From<Decision> for Exit {
    fn from(decision: Decision) -> Self {
        match decision {
            Decision::Allow => Self::Success,
            Decision::Ask => Self::Ask,
            Decision::Deny => Self::Deny,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        // 2 is a usage error.
        Self::from(match exit {
            Exit::Success => 0,
            Exit::Failure => 1,
            Exit::Ask => 3,
            Exit::Deny => 4,
            Exit::Hook(code) | Exit::Run(code) => code,
        })
    }
}
