//! From a request to a verdict.

use herma_shell::syntax::Dialect;
use herma_shell::{Analysis, Span, Status, Uncertain, Why, World, analyse};

use crate::access::Access;
use crate::judge::{Found, Judge};
use crate::pack::{self, Rule};
use crate::policy::{ContextPolicy, Mode, Policy};
use crate::scene::Scene;
use crate::verdict::{Allowed, Decision, Floor, Verdict};
use crate::views;

/// Longer texts are not analysed: what they do is not understood.
const LONGEST: usize = 1024 * 1024;

/// Judges command lines by the packs and one policy.
#[derive(Debug)]
pub struct Guard {
    policy: Policy,
    /// By index of the rule.
    disabled: Vec<bool>,
}

/// A command line to judge.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The command line.
    pub text: &'a [u8],
    /// The shell that will read it.
    pub shell: Dialect,
    /// The working directory, absolute.
    pub cwd: &'a [u8],
    /// Who could answer an ask; `None` gives the rules' own decision.
    pub context: Option<&'a str>,
    /// The mode; `None` for the policy's.
    pub mode: Option<Mode>,
    /// The session's key, for what is granted to one session.
    pub session: Option<&'a str>,
}

impl<'a> Request<'a> {
    /// A request for bash without context, mode or session.
    #[must_use]
    pub fn new(text: &'a [u8], cwd: &'a [u8]) -> Self {
        Self {
            text,
            shell: Dialect::Bash,
            cwd,
            context: None,
            mode: None,
            session: None,
        }
    }
}

impl Guard {
    /// A guard for this policy.
    #[must_use]
    pub fn new(policy: Policy) -> Self {
        let off = |rule: &Rule| {
            rule.floor.is_none()
                && policy.disabled.iter().any(|name| {
                    name == rule.pack || name == rule.id || rule.aliases.contains(&name.as_str())
                })
        };
        let disabled = pack::RULES.iter().map(off).collect();
        Self { policy, disabled }
    }

    /// The rules of the packs, by pack.
    #[must_use]
    pub fn rules() -> &'static [Rule] {
        pack::RULES
    }

    /// The rule with this id, or with this former id.
    #[must_use]
    pub fn rule(id: &str) -> Option<&'static Rule> {
        pack::RULES
            .iter()
            .find(|rule| rule.id == id || rule.aliases.contains(&id))
    }

    /// Judges a command line. Total: it never fails and never panics.
    #[must_use]
    pub fn check(&self, request: &Request<'_>, world: &dyn World) -> Verdict {
        let mode = request.mode.unwrap_or(self.policy.mode);
        let mut scene = Scene::of_world(request.cwd, world);
        for directory in &self.policy.state {
            scene = scene.with_herma_home(directory);
        }
        let mut judge = Judge::new(&self.policy, &self.disabled, mode, &scene);
        let analysis = if request.text.len() > LONGEST {
            too_long(request.text)
        } else {
            let analysis = run(request, request.text, world);
            judge.analysis(request.text, &analysis, None);
            if let Some(view) = views::normalised(request.text) {
                let analysis = run(request, view.bytes(), world);
                judge.analysis(view.bytes(), &analysis, Some(&view));
            }
            analysis
        };
        if analysis.status == Status::NotUnderstood {
            let first = analysis.uncertain.first();
            let span = first.map_or_else(|| whole(request.text), |it| it.span);
            let rule = match first {
                Some(it) if it.why == Why::TooLong => "shell.too-long",
                _ => "shell.not-understood",
            };
            judge.line(rule, span);
        }
        // What is not understood may do anything.
        let changes_files = judge.changes_files() || analysis.status == Status::NotUnderstood;
        let (mut found, allowed_by) = judge.finish();
        for found in &mut found {
            let suggest = found.finding.suggest.take();
            // What is said to be safer is itself a command that passes.
            found.finding.suggest =
                suggest.filter(|suggest| self.passes(suggest.as_bytes(), request, world, &scene));
        }
        let mut verdict = self.verdict(request.context, found, allowed_by, analysis);
        verdict.changes_files = changes_files;
        verdict
    }

    /// Judges a file tool's use of a file. Total: it never fails and never panics.
    #[must_use]
    pub fn check_access(&self, access: &Access<'_>) -> Verdict {
        let mode = access.mode.unwrap_or(self.policy.mode);
        let nowhere = Scene::default();
        let mut judge = Judge::new(&self.policy, &self.disabled, mode, &nowhere);
        judge.access(access);
        let understood = Analysis {
            status: Status::Clean,
            executions: Vec::new(),
            facts: Vec::new(),
            uncertain: Vec::new(),
            work: 0,
        };
        let changes_files = judge.changes_files();
        let (found, allowed_by) = judge.finish();
        let mut verdict = self.verdict(access.context, found, allowed_by, understood);
        verdict.changes_files = changes_files;
        verdict
    }

    /// Whether nothing is found in this text.
    fn passes(&self, text: &[u8], request: &Request<'_>, world: &dyn World, scene: &Scene) -> bool {
        let mut judge = Judge::new(&self.policy, &self.disabled, Mode::Manual, scene);
        let analysis = run(request, text, world);
        judge.analysis(text, &analysis, None);
        analysis.status == Status::Clean && judge.finish().0.is_empty()
    }

    fn verdict(
        &self,
        context: Option<&str>,
        found: Vec<Found>,
        allowed_by: Vec<Allowed>,
        analysis: Analysis,
    ) -> Verdict {
        let floor = found.iter().filter_map(|found| found.floor).min();
        let decision = match (floor, found.is_empty(), context) {
            (Some(_), ..) => Decision::Deny,
            (None, true, _) => Decision::Allow,
            (None, false, None) => Decision::Ask,
            (None, false, Some(context)) => match self.policy.context(context) {
                ContextPolicy::Ask => Decision::Ask,
                ContextPolicy::Deny => Decision::Deny,
            },
        };
        let reason = reason(&found, floor, decision, context);
        Verdict {
            decision,
            floor,
            findings: found.into_iter().map(|found| found.finding).collect(),
            allowed_by,
            status: analysis.status,
            uncertain: analysis.uncertain,
            reason,
            changes_files: false,
        }
    }
}

fn run(request: &Request<'_>, text: &[u8], world: &dyn World) -> Analysis {
    let request = herma_shell::Request {
        text,
        dialect: request.shell,
        cwd: request.cwd,
    };
    analyse(&request, world)
}

fn whole(text: &[u8]) -> Span {
    Span::new(0, u32::try_from(text.len()).unwrap_or(u32::MAX))
}

fn too_long(text: &[u8]) -> Analysis {
    Analysis {
        status: Status::NotUnderstood,
        executions: Vec::new(),
        facts: Vec::new(),
        uncertain: vec![Uncertain {
            why: Why::TooLong,
            span: whole(text),
        }],
        work: 0,
    }
}

/// One sentence for people and for the model.
fn reason(
    found: &[Found],
    floor: Option<Floor>,
    decision: Decision,
    context: Option<&str>,
) -> String {
    let first = match floor {
        Some(_) => found.iter().find(|found| found.floor == floor),
        None => found.first(),
    };
    let Some(first) = first else {
        return String::new();
    };
    let finding = &first.finding;
    let mut reason = format!("{} ({}", finding.title, finding.rule);
    if let Some(script) = &finding.script {
        let file = String::from_utf8_lossy(&script.path);
        reason.push_str(&format!(", in {file}:{}", script.line));
    }
    reason.push_str(&format!("): {}", finding.why));
    match found.len() {
        0 | 1 => {}
        more => reason.push_str(&format!("; {} more", more - 1)),
    }
    if floor.is_none() && decision == Decision::Deny {
        let context = context.unwrap_or_default();
        reason.push_str(&format!("; nobody can be asked in the context {context:?}"));
    }
    reason
}
