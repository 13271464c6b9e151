//! Named policies.
