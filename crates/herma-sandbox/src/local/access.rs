//! Landlock: what may be changed, and which other processes may be reached.

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, Scope,
};

use crate::plan::PathRule;

/// The newest version whose rights are spoken of here. Older kernels hold what they know of.
const VERSION: ABI = ABI::V7;

/// What a program may reach besides files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// Its own network.
    OwnNetwork,
    /// The machine's network is there, and closed.
    NoNetwork,
}

/// Confines this process, and all that it starts, for ever. Everything that is seen may be read and
/// run.
///
/// # Errors
/// The kernel's answer; a kernel without Landlock confines nothing and is no error.
pub(super) fn confine(
    read: &[PathRule],
    rules: &[PathRule],
    reach: Reach,
) -> Result<(), std::io::Error> {
    let fault = |why: landlock::RulesetError| std::io::Error::other(why.to_string());
    let mut ruleset = Ruleset::default()
        .handle_access(AccessFs::from_all(VERSION))
        .and_then(|it| it.scope(Scope::from_all(VERSION)))
        .map_err(fault)?;
    if reach == Reach::NoNetwork {
        ruleset = ruleset
            .handle_access(AccessNet::from_all(VERSION))
            .map_err(fault)?;
    }
    let mut created = ruleset.create().map_err(fault)?;
    for rule in read {
        created = add(created, rule, AccessFs::from_read(VERSION))?;
    }
    for rule in rules {
        let rights = if rule.create {
            AccessFs::from_all(VERSION)
        } else {
            AccessFs::from_read(VERSION)
                | AccessFs::WriteFile
                | AccessFs::Truncate
                | AccessFs::IoctlDev
        };
        created = add(created, rule, rights)?;
    }
    created.restrict_self().map_err(fault)?;
    Ok(())
}

fn add(
    created: landlock::RulesetCreated,
    rule: &PathRule,
    rights: BitFlags<AccessFs>,
) -> Result<landlock::RulesetCreated, std::io::Error> {
    // What is gone needs no rule.
    let Ok(path) = PathFd::new(&rule.path) else {
        return Ok(created);
    };
    let directory = rule.path.is_dir();
    let rights = if directory {
        rights
    } else {
        rights & AccessFs::from_file(VERSION)
    };
    created
        .add_rule(PathBeneath::new(path, rights))
        .map_err(|why| std::io::Error::other(why.to_string()))
}
