//! System calls without a safe wrapper.

pub(crate) mod bpf;
pub(crate) mod clone;
pub(crate) mod descriptors;
pub(crate) mod exec;
pub(crate) mod filter;
pub(crate) mod landlock;
pub(crate) mod loopback;
pub(crate) mod memory;
pub(crate) mod mount;
pub(crate) mod notify;
pub(crate) mod peer;
pub(crate) mod ptrace;
pub(crate) mod signals;
