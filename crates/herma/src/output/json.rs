//! Version 1 of what programs read. Every object begins with `"v":1`; what is not known is `null`.

use herma_rules::{Decision, Finding, Floor, Severity, Verdict};
use herma_shell::syntax::RedirectOp;
use herma_shell::{
    Analysis, Execution, Fact, FactKind, Reach, Redirection, ScriptPlace, Span, Status, Uncertain,
    Why,
};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::value::RawValue;

use crate::place::Place;

/// The version of the shapes.
const VERSION: u8 = 1;

/// A decision's name.
pub(crate) fn decision(decision: Decision) -> &'static str {
    match decision {
        Decision::Allow => "allow",
        Decision::Ask => "ask",
        Decision::Deny => "deny",
    }
}

/// A floor's name.
pub(crate) fn floor(floor: Floor) -> &'static str {
    match floor {
        Floor::Hardline => "hardline",
        Floor::SudoStdin => "sudo-stdin",
        Floor::UserDeny => "user-deny",
    }
}

/// A severity's name.
pub(crate) fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Low => "low",
        Severity::Medium => "medium",
        Severity::High => "high",
        Severity::Floor => "floor",
    }
}

/// The rules of a verdict, each once.
pub(crate) fn rules(verdict: &Verdict) -> Vec<&str> {
    let mut rules: Vec<&str> = Vec::new();
    for finding in &verdict.findings {
        if !rules.contains(&finding.rule.as_ref()) {
            rules.push(&finding.rule);
        }
    }
    rules
}

/// The answer to a check.
#[derive(serde::Serialize)]
pub(crate) struct Checked<'a> {
    v: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a RawValue>,
    decision: &'static str,
    floor: Option<&'static str>,
    rules: Vec<&'a str>,
    findings: Vec<Found<'a>>,
    allowed_by: Vec<&'a str>,
    reason: &'a str,
}

impl<'a> Checked<'a> {
    /// A verdict, under the row's id.
    pub(crate) fn new(id: Option<&'a RawValue>, verdict: &'a Verdict) -> Self {
        Self {
            v: VERSION,
            id,
            decision: decision(verdict.decision),
            floor: verdict.floor.map(floor),
            rules: rules(verdict),
            findings: verdict.findings.iter().map(Found::new).collect(),
            allowed_by: verdict.allowed_by.iter().map(|it| &*it.rule).collect(),
            reason: &verdict.reason,
        }
    }

    /// A denial because nothing can be judged.
    pub(crate) fn refused(id: Option<&'a RawValue>, reason: &'a str) -> Self {
        Self {
            v: VERSION,
            id,
            decision: decision(Decision::Deny),
            floor: None,
            rules: Vec::new(),
            findings: Vec::new(),
            allowed_by: Vec::new(),
            reason,
        }
    }
}

/// The answer about a path.
#[derive(serde::Serialize)]
pub(crate) struct Placed<'a> {
    v: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a RawValue>,
    verdict: &'static str,
    code: Option<&'static str>,
    protected: Option<Protected>,
    path: Option<Word<'a>>,
    links: Option<u64>,
}

#[derive(serde::Serialize)]
struct Protected {
    class: &'static str,
    action: &'static str,
}

impl<'a> Placed<'a> {
    /// What was found, under the row's id.
    pub(crate) fn new(id: Option<&'a RawValue>, place: &'a Place) -> Self {
        Self {
            v: VERSION,
            id,
            verdict: place.verdict().name(),
            code: place.refusal.map(herma_paths::Refusal::code),
            protected: place.protection.map(|protection| Protected {
                class: protection.class.name(),
                action: protection.action.name(),
            }),
            path: place.path.as_deref().map(|path| Word(path.into())),
            links: place.links,
        }
    }
}

/// A row that could not be read.
#[derive(serde::Serialize)]
pub(crate) struct Malformed<'a> {
    v: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a RawValue>,
    error: &'a str,
}

impl<'a> Malformed<'a> {
    /// An error in place of an answer.
    pub(crate) fn new(id: Option<&'a RawValue>, error: &'a str) -> Self {
        Self {
            v: VERSION,
            id,
            error,
        }
    }
}

#[derive(serde::Serialize)]
struct Found<'a> {
    rule: &'a str,
    severity: &'static str,
    title: &'a str,
    why: &'a str,
    span: [u32; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    script: Option<InScript<'a>>,
    argv: Vec<Option<Word<'a>>>,
    via: &'a [String],
    suggest: Option<&'a str>,
}

impl<'a> Found<'a> {
    fn new(finding: &'a Finding) -> Self {
        Self {
            rule: &finding.rule,
            severity: severity(finding.severity),
            title: &finding.title,
            why: &finding.why,
            span: span(finding.span),
            script: finding.script.as_ref().map(InScript::new),
            argv: finding
                .argv
                .iter()
                .map(|word| word.as_deref().map(|word| Word(word.into())))
                .collect(),
            via: &finding.via,
            suggest: finding.suggest.as_deref(),
        }
    }
}

/// Where something stands in a script file.
#[derive(serde::Serialize)]
struct InScript<'a> {
    path: Word<'a>,
    line: u32,
    span: [u32; 2],
}

impl<'a> InScript<'a> {
    fn new(place: &'a ScriptPlace) -> Self {
        Self {
            path: Word(place.path.as_slice().into()),
            line: place.line,
            span: span(place.span),
        }
    }
}

/// What the analyser sees.
#[derive(serde::Serialize)]
pub(crate) struct Parsed<'a> {
    v: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a RawValue>,
    status: &'static str,
    executions: Vec<Executed<'a>>,
    facts: Vec<Seen<'a>>,
    uncertain: Vec<Unsure>,
}

impl<'a> Parsed<'a> {
    /// An analysis, under the row's id.
    pub(crate) fn new(id: Option<&'a RawValue>, analysis: &'a Analysis) -> Self {
        Self {
            v: VERSION,
            id,
            status: status(analysis.status),
            executions: analysis.executions.iter().map(Executed::new).collect(),
            facts: analysis.facts.iter().map(Seen::new).collect(),
            uncertain: analysis.uncertain.iter().map(Unsure::new).collect(),
        }
    }
}

#[derive(serde::Serialize)]
struct Executed<'a> {
    argv: Vec<Option<Word<'a>>>,
    at: u32,
    span: [u32; 2],
    via: Vec<&'a str>,
    reach: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    redirections: Vec<Redirected<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    script: Option<InScript<'a>>,
}

#[derive(serde::Serialize)]
struct Redirected<'a> {
    op: &'static str,
    fd: Option<u32>,
    target: Option<Word<'a>>,
    span: [u32; 2],
}

impl<'a> Redirected<'a> {
    fn new(redirection: &'a Redirection) -> Self {
        Self {
            op: redirect_op(redirection.op),
            fd: redirection.fd,
            target: redirection.target.bytes().map(Word),
            span: span(redirection.span),
        }
    }
}

impl<'a> Executed<'a> {
    fn new(execution: &'a Execution) -> Self {
        Self {
            argv: execution
                .argv
                .iter()
                .map(|arg| arg.value.bytes().map(Word))
                .collect(),
            at: execution.at,
            span: span(execution.span),
            via: execution.via.iter().map(|via| via.name.as_str()).collect(),
            reach: reach(execution.reach),
            redirections: execution.redirections.iter().map(Redirected::new).collect(),
            script: execution.script.as_ref().map(InScript::new),
        }
    }
}

#[derive(serde::Serialize)]
struct Seen<'a> {
    kind: &'static str,
    span: [u32; 2],
    via: Vec<&'a str>,
    reach: &'static str,
    program: Option<Word<'a>>,
}

impl<'a> Seen<'a> {
    fn new(fact: &'a Fact) -> Self {
        Self {
            kind: fact_kind(fact.kind),
            span: span(fact.span),
            via: fact.via.iter().map(|via| via.name.as_str()).collect(),
            reach: reach(fact.reach),
            program: (!fact.program.is_empty()).then(|| Word(fact.program.as_slice().into())),
        }
    }
}

#[derive(serde::Serialize)]
struct Unsure {
    why: &'static str,
    span: [u32; 2],
}

impl Unsure {
    fn new(uncertain: &Uncertain) -> Self {
        Self {
            why: why(uncertain.why),
            span: span(uncertain.span),
        }
    }
}

/// A status' name.
pub(crate) fn status(status: Status) -> &'static str {
    match status {
        Status::Clean => "clean",
        Status::NotUnderstood => "not-understood",
    }
}

/// A redirection's operator as it is written.
pub(crate) fn redirect_op(op: RedirectOp) -> &'static str {
    match op {
        RedirectOp::Read => "<",
        RedirectOp::Write => ">",
        RedirectOp::Append => ">>",
        RedirectOp::Clobber => ">|",
        RedirectOp::ReadWrite => "<>",
        RedirectOp::DupIn => "<&",
        RedirectOp::DupOut => ">&",
        RedirectOp::Both => "&>",
        RedirectOp::BothAppend => "&>>",
        RedirectOp::HereDoc => "<<",
        RedirectOp::HereString => "<<<",
    }
}

fn reach(reach: Reach) -> &'static str {
    match reach {
        Reach::Line => "line",
        Reach::Uncalled => "uncalled",
        Reach::Script => "script",
    }
}

/// A fact's name.
pub(crate) fn fact_kind(kind: FactKind) -> &'static str {
    match kind {
        FactKind::CommandUnresolved => "command-unresolved",
        FactKind::CodeUnresolved => "code-unresolved",
        FactKind::CodeDecoded => "code-decoded",
        FactKind::CodeFetched => "code-fetched",
        FactKind::ForkBomb => "fork-bomb",
        FactKind::CodeForeign => "code-foreign",
        FactKind::ScriptUnresolved => "script-unresolved",
        FactKind::Interactive => "interactive",
    }
}

/// The name of a reason for not understanding.
pub(crate) fn why(why: Why) -> &'static str {
    match why {
        Why::UnexpectedEnd => "unexpected-end",
        Why::Syntax => "syntax",
        Why::Depth => "depth",
        Why::Fuel => "fuel",
        Why::TooLong => "too-long",
    }
}

fn span(span: Span) -> [u32; 2] {
    [span.start, span.end]
}

/// A word: a string, or `{"b64": …}` when it is not UTF-8.
pub(crate) struct Word<'a>(pub(crate) std::borrow::Cow<'a, [u8]>);

impl Serialize for Word<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Ok(text) = std::str::from_utf8(&self.0) {
            return serializer.serialize_str(text);
        }
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry("b64", &base64(&self.0))?;
        map.end()
    }
}

/// RFC 4648 with padding.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let bits = chunk
            .iter()
            .fold(0u32, |bits, byte| bits << 8 | u32::from(*byte))
            << (8 * (3 - chunk.len()));
        for index in 0..4 {
            let letter = LETTERS.get((bits >> (18 - 6 * index) & 63) as usize);
            out.push(match letter {
                Some(letter) if index <= chunk.len() => char::from(*letter),
                _ => '=',
            });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Word, base64};

    #[test]
    fn base64_as_in_rfc_4648() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        assert_eq!(base64(&[0xff, 0xfe]), "//4=");
    }

    #[test]
    fn a_word_is_a_string_unless_it_is_not_utf8() {
        let json = |bytes: &[u8]| serde_json::to_string(&Word(bytes.into())).expect("json");
        assert_eq!(json("ü".as_bytes()), "\"ü\"");
        assert_eq!(json(b"a\xff"), "{\"b64\":\"Yf8=\"}");
    }
}
