//! Denials without a verdict: what stands for a rule in the trail when nothing was judged.

/// Why the hook denied without judging.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unjudged {
    /// The configuration is not valid.
    Config,
    /// The working directory is not known.
    Directory,
    /// The call holds no command.
    Empty,
    /// The deadline passed.
    Deadline,
    /// The host's input is not understood.
    Input,
    /// A file tool's path is malformed, or cannot be followed.
    Path,
}

impl Unjudged {
    /// All of them.
    pub(crate) const ALL: &[Self] = &[
        Self::Config,
        Self::Directory,
        Self::Empty,
        Self::Deadline,
        Self::Input,
        Self::Path,
    ];

    /// What stands for a rule's id.
    pub(crate) const fn id(self) -> &'static str {
        match self {
            Self::Config => "config.invalid",
            Self::Directory => "hook.cwd",
            Self::Empty => "hook.empty",
            Self::Deadline => "hook.deadline",
            Self::Input => "hook.input",
            Self::Path => "hook.path",
        }
    }

    /// The one with this id.
    pub(crate) fn from_id(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|own| own.id() == id)
    }

    /// What happened, for people.
    pub(crate) const fn what(self) -> &'static str {
        match self {
            Self::Config => "the configuration is not valid, so every command is denied",
            Self::Directory => "the directory in which the command would start is not known",
            Self::Empty => "the agent program sent a call without a command",
            Self::Deadline => "the command was not judged before the deadline",
            Self::Input => "what the agent program sent is not understood",
            Self::Path => "the path is malformed, or cannot be followed",
        }
    }

    /// What a person can do. It is not told to the model, which might do it.
    pub(crate) const fn remedy(self) -> &'static str {
        match self {
            Self::Config => "`herma config check` shows the fault",
            Self::Directory => "start the agent program in a directory that is there",
            Self::Empty | Self::Input => {
                "`herma doctor` says whether the hook answers; the agent program may be newer than herma"
            }
            Self::Path => "`herma path check` says what is wrong with the path",
            Self::Deadline => "raise `deadline_ms` in the configuration, or split the command",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Unjudged;

    #[test]
    fn every_id_leads_back_and_is_no_rule() {
        for own in Unjudged::ALL {
            assert_eq!(Unjudged::from_id(own.id()), Some(*own));
            assert!(herma_rules::Guard::rule(own.id()).is_none());
        }
    }
}
