//! Findings and a decision for the executions of a command line.
//!
//! Data flows one way: executions → [`effect`]s (what each does to which [`place`]) → findings of
//! the rules in the packs → a decision.
//!
//! The packs are the files of `rules/`, compiled into tables by the build. A rule matches an
//! execution by its words, by what it does to which place, or by a fact of the line. A rule that is a
//! [`Floor`] denies in every [`Mode`]; any other finding asks, unless an allow rule of the
//! [`Policy`] covers this very execution.
//!
//! ```
//! use herma_rules::{Decision, Guard, Policy, Request};
//! use herma_shell::EmptyWorld;
//!
//! let guard = Guard::new(Policy::manual());
//! let verdict = guard.check(&Request::new(b"ls -la", b"/home/dev/proj"), &EmptyWorld);
//! assert_eq!(verdict.decision, Decision::Allow);
//! ```

#![forbid(unsafe_code)]

mod access;
mod arguments;
pub mod effect;
mod guard;
mod handed;
mod judge;
mod kept;
mod matching;
mod model;
mod mount;
mod naming;
mod pack;
mod packages;
mod pipeline;
pub mod place;
mod policy;
mod predicate;
mod refuge;
pub mod scene;
mod sequence;
mod statement;
mod suggestion;
mod table;
mod unpacked;
mod user;
mod verdict;
mod views;

use herma_patterns::glob;

pub use access::{Access, KnownAs};
pub use guard::{Guard, Request};
pub use herma_patterns::{Expression, ExpressionError};
pub use model::effects;
pub use pack::Rule;
pub use policy::{Action, ContextPolicy, Mode, Policy, UserRule};
pub use scene::Scene;
pub use verdict::{Allowed, Decision, Finding, Floor, Severity, Verdict};
