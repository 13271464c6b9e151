//! Words that name packages of a registry, not programs of this machine.

use herma_shell::{Execution, Host};

/// Runners whose first word names a package. `pnpm exec` and `uv run` start programs of the path,
/// and `npx -c` gives its text to a shell.
const RUNNERS: &[&str] = &[
    "npx",
    "bunx",
    "pnpx",
    "npm exec",
    "npm x",
    "pnpm dlx",
    "yarn dlx",
    "bun x",
    "uvx",
    "uv tool run",
    "pipx run",
];

/// Packages whose effects are those of a model by their own name.
const MODELLED: &[&str] = &["rimraf", "del-cli", "trash-empty", "shx"];

/// Fields of rules that speak of the system's own programs.
const OF_THE_SYSTEM: &[&str] = &[
    "power",
    "device",
    "process",
    "permissions",
    "system",
    "sudo",
];

/// Whether the execution's program is a package.
pub(crate) fn runs_package(execution: &Execution) -> bool {
    execution
        .via
        .last()
        .is_some_and(|via| via.host == Host::Local && RUNNERS.contains(&via.name.as_str()))
}

/// Whether a rule of this field says nothing about a package of the same name.
pub(crate) fn is_of_the_system(field: &str) -> bool {
    OF_THE_SYSTEM.contains(&field)
}

/// Whether the package does certainly what the model of its name says. Others only share their name
/// with a system program, which some runners start when there is no such package.
pub(crate) fn is_modelled(name: &str) -> bool {
    MODELLED.contains(&name)
}
