//! The sandbox of this machine.
