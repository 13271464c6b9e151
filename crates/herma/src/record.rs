//! What is written down about a decision.

use std::time::Duration;

use herma_config::Home;
use herma_hosts::{Call, Host};
use herma_rules::{Decision, Finding, Floor, Mode, Verdict};

use crate::commands::check::Terms;
use crate::judge::Judge;
use crate::rows::Row;

/// What a hook answers, and why.
pub(crate) struct Outcome {
    pub(crate) decision: Decision,
    pub(crate) reason: String,
    pub(crate) mode: Mode,
    pub(crate) floor: Option<Floor>,
    pub(crate) findings: Vec<Finding>,
    /// Stands for a rule when nothing was judged.
    pub(crate) refused: Option<&'static str>,
}

impl Outcome {
    /// A denial without a verdict.
    pub(crate) fn refused(rule: &'static str, reason: &str) -> Self {
        Self {
            decision: Decision::Deny,
            reason: reason.to_owned(),
            mode: Mode::Manual,
            floor: None,
            findings: Vec::new(),
            refused: Some(rule),
        }
    }
}

pub(crate) fn hook(
    _home: &Home,
    _host: Host,
    _call: &Call,
    _outcome: &Outcome,
    _took: Duration,
) -> anyhow::Result<()> {
    Ok(())
}

pub(crate) fn check(
    _terms: &Terms<'_>,
    _judge: &Judge,
    _row: &Row,
    _verdict: &Verdict,
    _took: Duration,
) -> anyhow::Result<()> {
    Ok(())
}
