//! The exec guard: every program is held before its first instruction and judged.
