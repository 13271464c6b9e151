//! The table of configuration keys: parsing, defaults, layers and the reference come from it.

/// What a key's value looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shape {
    /// One of these words, from the loosest to the tightest.
    Choice(&'static [&'static str]),
    /// A whole number in this range.
    Integer {
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// `true` or `false`.
    Boolean,
    /// A text.
    Text,
    /// A list of texts.
    Texts,
    /// A text, number or truth value.
    Scalar,
    /// A table that is not looked into.
    Table,
    /// `[[…]]` tables that are not looked into.
    Tables,
    /// `[[rule]]` tables, see [`RULE_KEYS`].
    Rules,
}

/// Which values are tighter. A lower layer may only go that way from what a higher layer wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Tighter {
    /// No value is: what a higher layer wrote stays.
    None,
    /// The choice further to the end.
    Later,
    /// The lower number.
    Lower,
    /// The higher number.
    Higher,
    /// `true`.
    True,
    /// `false`.
    False,
    /// A list without some of the texts.
    Subset,
    /// Values of several layers stand side by side.
    Adds,
}

/// The value of a key that no file sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Default {
    /// There is none.
    Unset,
    /// A text or choice.
    Text(&'static str),
    /// A number.
    Integer(i64),
    /// A truth value.
    Boolean(bool),
    /// The empty list.
    Empty,
    /// Depends on the name in the place of `*`; the documentation says how.
    ByName,
}

/// One key.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// The path with dots; `*` stands for a name that the user chooses.
    pub path: &'static str,
    /// What its value looks like.
    pub shape: Shape,
    /// The value when no file sets it.
    pub default: Default,
    /// Which values are tighter.
    pub tighter: Tighter,
    /// Whether a project file may set it.
    pub project: bool,
    /// Whether it does something.
    pub effect: bool,
    /// What it is for, in one paragraph.
    pub doc: &'static str,
}

/// Contexts in which a person can be asked unless the configuration says otherwise.
pub const ASKING_CONTEXTS: &[&str] = &["cli", "gateway", "ask"];

const DAYS: Shape = Shape::Integer {
    min: 1,
    max: 36_500,
};
const ASK_OR_DENY: Shape = Shape::Choice(&["ask", "deny"]);

/// A key that only the machine and the user set, and that has no effect.
const fn inert(path: &'static str, shape: Shape, default: Default, doc: &'static str) -> Key {
    Key {
        path,
        shape,
        default,
        tighter: Tighter::None,
        project: false,
        effect: false,
        doc,
    }
}

/// Every key.
pub const KEYS: &[Key] = &[
    Key {
        path: "mode",
        shape: Shape::Choice(&["off", "smart", "manual", "strict"]),
        default: Default::Text("manual"),
        tighter: Tighter::Later,
        project: false,
        effect: true,
        doc: "How commands without a floor are judged. `manual` allows what no rule names, `smart` \
              lets a reviewer answer first, `strict` asks for every program without a model of what \
              it does, `off` keeps floors only.",
    },
    Key {
        path: "deadline_ms",
        shape: Shape::Integer {
            min: 1,
            max: 10_000,
        },
        default: Default::Integer(200),
        tighter: Tighter::Lower,
        project: true,
        effect: true,
        doc: "Milliseconds that a hook may take to judge a command; then the command is denied. More \
              than 6000 count as 6000. `herma check` waits as long as it takes.",
    },
    Key {
        path: "packs.disable",
        shape: Shape::Texts,
        default: Default::Empty,
        tighter: Tighter::Subset,
        project: false,
        effect: true,
        doc: "Names of rule packs, or ids of rules, that are switched off. Floors stay.",
    },
    Key {
        path: "contexts.*",
        shape: ASK_OR_DENY,
        default: Default::ByName,
        tighter: Tighter::Later,
        project: true,
        effect: true,
        doc: "What becomes of an `ask` in this context: `ask` waits for a person, `deny` refuses. \
              `cli`, `gateway` and `ask` ask; `cron`, `single-query`, `unattended` and any other \
              name deny. The context is what `herma check --context` names; without it, and in \
              hooks, an `ask` stays one.",
    },
    Key {
        path: "retention.blocked_days",
        shape: DAYS,
        default: Default::Integer(30),
        tighter: Tighter::Higher,
        project: false,
        effect: true,
        doc: "Days for which copies of blocked commands are kept.",
    },
    Key {
        path: "retention.audit_days",
        shape: DAYS,
        default: Default::Integer(90),
        tighter: Tighter::Higher,
        project: false,
        effect: true,
        doc: "Days for which audit files are kept. The chain stays verifiable from the oldest file \
              that is left.",
    },
    Key {
        path: "approvals.timeout",
        shape: Shape::Integer {
            min: 1,
            max: 86_400,
        },
        default: Default::Integer(300),
        tighter: Tighter::Lower,
        project: false,
        effect: false,
        doc: "Seconds that a request waits for a person before it is refused.",
    },
    inert(
        "reviewer.provider",
        Shape::Text,
        Default::Unset,
        "The provider of the reviewing model. Without one there is no reviewer.",
    ),
    inert(
        "reviewer.model",
        Shape::Text,
        Default::Unset,
        "The reviewing model's name.",
    ),
    inert(
        "reviewer.policy",
        Shape::Text,
        Default::Unset,
        "A file with instructions for the reviewer.",
    ),
    Key {
        path: "egress.enabled",
        shape: Shape::Boolean,
        default: Default::Boolean(false),
        tighter: Tighter::True,
        project: false,
        effect: false,
        doc: "Whether containers get the egress proxy.",
    },
    Key {
        path: "egress.enforce",
        shape: Shape::Boolean,
        default: Default::Boolean(true),
        tighter: Tighter::True,
        project: false,
        effect: false,
        doc: "Whether a container is refused while the proxy does not run.",
    },
    inert(
        "egress.tunnel_port",
        Shape::Integer {
            min: 1024,
            max: 65_533,
        },
        Default::Integer(9090),
        "The proxy's port.",
    ),
    inert(
        "egress.credential_source",
        Shape::Choice(&["env", "bitwarden"]),
        Default::Text("env"),
        "Where the proxy takes real credentials from.",
    ),
    Key {
        path: "egress.allow_env_fallback",
        shape: Shape::Boolean,
        default: Default::Boolean(false),
        tighter: Tighter::False,
        project: false,
        effect: false,
        doc: "Whether the environment serves when the credential source fails.",
    },
    Key {
        path: "egress.extra_allowed_hosts",
        shape: Shape::Texts,
        default: Default::Empty,
        tighter: Tighter::Subset,
        project: false,
        effect: false,
        doc: "Hosts that are allowed besides the providers'.",
    },
    inert(
        "egress.auto_install",
        Shape::Boolean,
        Default::Boolean(true),
        "Whether `egress setup` may install what it needs.",
    ),
    inert(
        "secrets.bitwarden.*",
        Shape::Scalar,
        Default::Unset,
        "Access to a Bitwarden secrets project: `enabled`, `project_id`, `server_url`, \
         `access_token_env`.",
    ),
    Key {
        path: "hosts.*.ask",
        shape: ASK_OR_DENY,
        default: Default::ByName,
        tighter: Tighter::Later,
        project: false,
        effect: true,
        doc: "What an `ask` becomes for this agent program: `ask` hands it on, `deny` refuses with \
              the reason. The default is what the program was measured to do with an `ask`.",
    },
    Key {
        path: "profiles.*",
        shape: Shape::Table,
        default: Default::Unset,
        tighter: Tighter::Adds,
        project: true,
        effect: true,
        doc: "A sandbox profile; its keys stand in [sandbox.md](sandbox.md). A project file may \
              only tighten one.",
    },
    Key {
        path: "rule",
        shape: Shape::Rules,
        default: Default::Unset,
        tighter: Tighter::Adds,
        project: true,
        effect: true,
        doc: "`[[rule]]`, any number: your own rules, see below. A project file may add `deny` and \
              `ask` rules.",
    },
    Key {
        path: "provider",
        shape: Shape::Tables,
        default: Default::Unset,
        tighter: Tighter::Adds,
        project: false,
        effect: false,
        doc: "`[[provider]]`, any number: a service that takes a credential.",
    },
];

/// The keys of a `[[rule]]`; paths are relative to it.
pub const RULE_KEYS: &[Key] = &[
    rule_key(
        "id",
        Shape::Text,
        "Required. The rule's name in answers, grants and the audit trail: `a-z 0-9 . - _`, at \
         most 64, no other rule's of yours.",
    ),
    rule_key(
        "action",
        Shape::Choice(&["allow", "ask", "deny"]),
        "Required. `deny` comes before `ask`, `ask` before `allow`. `deny` and `ask` hold behind \
         every carrier; `allow` never covers what a carrier runs, nor a redirection. No `allow` \
         lifts a floor.",
    ),
    rule_key(
        "argv",
        Shape::Texts,
        "Required, unless there is a `tool`. A pattern for each word: `*` is one word, `**` any \
         further words, globs inside words. Options match in any order, each with its value; the short and the long name of \
         one (`-n`, `--namespace`) are two, each for a rule of its own. Behind `**` only options \
         may stand. An `allow` rule begins with a program's name that is no pattern, shell or \
         interpreter.",
    ),
    rule_key(
        "tool",
        Shape::Texts,
        "Instead of `argv`: the agent program's own file tools that the rule is about, by the names \
         that this program gives them (`Read`, `Write`, `Edit`, `MultiEdit`, `NotebookEdit`, `Grep`, \
         `Glob`). `*` stands for any text. An `allow` rule names them in full. Commands are not \
         covered, and the keys that are about commands have no place beside it.",
    ),
    rule_key(
        "path",
        Shape::Texts,
        "Beside `tool`: patterns for the file or directory, each beginning with `/`, `~` or `*`. \
         `*` stands for any text, `/` included, and `~/notes/**` covers `~/notes` too. `deny` and \
         `ask` hold when any name of the file matches, as it was given, canonical, or of another \
         link to it; `allow` holds when all do. An `allow` rule needs one; `deny` and `ask` without \
         cover every path.",
    ),
    rule_key(
        "cwd",
        Shape::Text,
        "A pattern for the working directory, beginning with `/`, `~` or `*`.",
    ),
    rule_key(
        "regex",
        Shape::Text,
        "A regular expression that must match besides, somewhere in the words of the program with \
         a blank between them. Bytes, ASCII classes, no look-around or back references; at most \
         1024 bytes, and two letters must stand side by side in every match. It is compiled when \
         such letters were seen. Where a word cannot be known, that is enough for `deny` and `ask`.",
    ),
    rule_key("why", Shape::Text, "The reason, shown with the finding."),
    rule_key(
        "aliases",
        Shape::Texts,
        "Former ids of the rule, under which it is still found.",
    ),
    rule_key(
        "blocks",
        Shape::Texts,
        "Command lines that the rule finds; for an `allow` rule, such that it does not allow. \
         `herma rules test FILE` and `herma config check` run them.",
    ),
    rule_key(
        "passes",
        Shape::Texts,
        "Command lines that the rule does not find; for an `allow` rule, such that are asked about \
         without it, in mode `strict`, and allowed with it.",
    ),
];

const fn rule_key(path: &'static str, shape: Shape, doc: &'static str) -> Key {
    Key {
        path,
        shape,
        default: Default::Unset,
        tighter: Tighter::None,
        project: true,
        effect: true,
        doc,
    }
}

impl Key {
    /// Whether this key is written as these names.
    #[must_use]
    pub fn matches(&self, names: &[String]) -> bool {
        let mut parts = self.path.split('.');
        names
            .iter()
            .all(|name| parts.next().is_some_and(|part| part == "*" || part == name))
            && parts.next().is_none()
    }
}

/// The key with this path, `*` included.
#[must_use]
pub fn find(path: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.path == path)
}

#[cfg(test)]
mod tests;
