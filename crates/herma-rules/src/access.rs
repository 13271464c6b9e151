//! A file that an agent program's own tool uses, without a shell.
//!
//! It is judged as the command with the same effect would be: `Read` as `cat`, `Write` as `>`. The
//! rules are the same and have the same ids; only the user's rules for tools are others.

use std::sync::Arc;

use herma_shell::syntax::RedirectOp;
use herma_shell::{Arg, Execution, Kind, Piece, Reach, Redirection, Span, Value};

use crate::effect::{Effect, Verb};
use crate::place;
use crate::policy::Mode;
use crate::scene::Scene;

/// The program whose rules hold for what a tool shows.
pub(crate) const READER: &str = "cat";

/// A use of one object by a tool.
#[derive(Clone, Copy, Debug)]
pub struct Access<'a> {
    /// The tool, as its program names it.
    pub tool: &'a str,
    /// What is done; `None` when only names are shown.
    pub verb: Option<Verb>,
    /// The path as the tool was given it. Spans count its bytes.
    pub written: &'a [u8],
    /// Every name of the object that is known: as given, canonical, of links that lead to it. A
    /// finding under any of them counts, and a rule that allows has to cover them all.
    pub names: &'a [KnownAs<'a>],
    /// Patterns for names below it that are looked into as well.
    pub globs: &'a [String],
    /// Who could answer an ask; `None` gives the rules' own decision.
    pub context: Option<&'a str>,
    /// The mode; `None` for the policy's.
    pub mode: Option<Mode>,
}

/// A name of an object.
#[derive(Clone, Copy, Debug)]
pub struct KnownAs<'a> {
    /// The path, absolute.
    pub path: &'a [u8],
    /// Directories that this name is compared with: canonical ones for a canonical name.
    pub scene: &'a Scene,
}

impl Access<'_> {
    pub(crate) fn span(&self) -> Span {
        Span::new(0, u32::try_from(self.written.len()).unwrap_or(u32::MAX))
    }

    /// The use under one name as what a command would do, for each path that it stands for.
    pub(crate) fn executions(&self, name: &KnownAs<'_>) -> Vec<(Execution, Vec<Effect>)> {
        let Some(verb) = self.verb else {
            return Vec::new();
        };
        let mut targets = vec![Value::computed(name.path)];
        for glob in self.globs {
            let mut below = Value::computed([name.path, b"/"].concat());
            below.pieces.push(Piece::Glob {
                pattern: glob.clone().into_bytes(),
                at: None,
            });
            targets.push(below);
        }
        let effect = |target: &Value| Effect {
            verb,
            places: place::places(target, &Value::computed(*b"/"), name.scene),
            span: self.span(),
            argument: None,
        };
        targets
            .into_iter()
            .map(|target| {
                let effects = vec![effect(&target)];
                (self.execution(verb, target), effects)
            })
            .collect()
    }

    /// The words of the command that shows what the tool shows.
    pub(crate) fn command(&self, name: &KnownAs<'_>) -> Option<Vec<Arg>> {
        (self.verb? == Verb::Read).then(|| {
            vec![
                self.word(READER.as_bytes().to_vec()),
                self.word(name.path.to_vec()),
            ]
        })
    }

    fn word(&self, bytes: Vec<u8>) -> Arg {
        Arg {
            value: Value::computed(bytes),
            span: self.span(),
        }
    }

    fn execution(&self, verb: Verb, target: Value) -> Execution {
        let span = self.span();
        Execution {
            argv: vec![
                self.word(self.tool.as_bytes().to_vec()),
                self.word(self.written.to_vec()),
            ],
            at: 0,
            span,
            environment: Vec::new().into(),
            redirections: vec![Redirection {
                op: match verb {
                    Verb::Write | Verb::Empty => RedirectOp::Write,
                    Verb::Edit => RedirectOp::ReadWrite,
                    _ => RedirectOp::Read,
                },
                fd: None,
                target,
                span,
            }],
            stdin: None,
            cwd: Arc::new(Value::computed(*b"/")),
            via: Vec::new(),
            kind: Kind::Call,
            reach: Reach::Line,
            captured: false,
            script: None,
        }
    }
}
