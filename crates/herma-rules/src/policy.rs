//! What the user decided.

use herma_patterns::Expression;

/// How much is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Allows what no rule names.
    Manual,
    /// As `Manual`; a reviewer may answer what would be asked.
    Smart,
    /// Asks for every program that is not known to be harmless.
    Strict,
    /// Floors only.
    Off,
}

/// What becomes of an ask in a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContextPolicy {
    /// Somebody is there to answer.
    Ask,
    /// Nobody is: refuse.
    Deny,
}

/// What a user rule does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Refuses; nothing overrides it.
    Deny,
    /// Asks.
    Ask,
    /// Silences what the packs find in this execution, floors excepted.
    Allow,
}

/// A rule that the user wrote.
///
/// `argv` holds the program and its words: `*` inside a word stands for any bytes, the word `**`
/// for the rest. Options match in any order, each with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserRule {
    /// The rule's id.
    pub id: String,
    /// What it does.
    pub action: Action,
    /// Program and words; empty in a rule for tools.
    pub argv: Vec<String>,
    /// Patterns for the file tools that it is about; empty in a rule for commands.
    pub tool: Vec<String>,
    /// Patterns for the paths that the tools use, absolute or beginning with `~` for the home or
    /// with `*`; empty for every path. `dir/**` covers `dir` too.
    pub path: Vec<String>,
    /// A glob over the working directory, absolute; `None` for everywhere.
    pub cwd: Option<String>,
    /// What must match besides, in the words of the execution with a blank between them.
    pub regex: Option<Expression>,
    /// Why, in the user's words.
    pub why: Option<String>,
}

/// Everything that a [`crate::Guard`] is told once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// The mode when a request names none.
    pub mode: Mode,
    /// Contexts with their policy; they come before the built-in ones. What is in neither is
    /// refused.
    pub contexts: Vec<(String, ContextPolicy)>,
    /// Packs, or rules by id, that are switched off. Floors stay.
    pub disabled: Vec<String>,
    /// The user's own rules.
    pub rules: Vec<UserRule>,
    /// Where herma keeps its state, when that is not the usual place; absolute.
    pub state: Vec<Vec<u8>>,
}

impl Policy {
    /// The built-in policy: `manual`, nothing switched off, no own rules.
    #[must_use]
    pub fn manual() -> Self {
        Self {
            mode: Mode::Manual,
            contexts: Vec::new(),
            disabled: Vec::new(),
            rules: Vec::new(),
            state: Vec::new(),
        }
    }

    /// What becomes of an ask in this context. Unknown contexts, and those in which nobody is
    /// present, refuse.
    #[must_use]
    pub fn context(&self, name: &str) -> ContextPolicy {
        if let Some((_, policy)) = self.contexts.iter().find(|(own, _)| own == name) {
            return *policy;
        }
        match name {
            "cli" | "gateway" | "ask" => ContextPolicy::Ask,
            _ => ContextPolicy::Deny,
        }
    }
}
