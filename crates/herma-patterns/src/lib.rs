//! The patterns of rules: globs, and regular expressions for the user's own rules.
//!
//! Both take time linear in the text for a pattern of bounded length; [`MAX_PATTERN`] is the bound.
//! An [`Expression`] is compiled at its first use and never before one of its literals was seen, so
//! that a rule costs nothing while no command comes near it.
//!
//! ```
//! use herma_patterns::{Expression, glob};
//!
//! assert!(glob::matches(b"release/*", b"release/1.2", false));
//! let production = Expression::new(r"--context[= ]prod-\w+")?;
//! assert!(production.seen(b"kubectl --context prod-eu get pods"));
//! assert_eq!(production.matches(b"kubectl --context prod-eu get pods"), Some(true));
//! # Ok::<(), herma_patterns::ExpressionError>(())
//! ```

#![forbid(unsafe_code)]

mod expression;
pub mod glob;

pub use expression::{Expression, ExpressionError};

/// Longest pattern in bytes that a rule may have.
pub const MAX_PATTERN: usize = 1024;
