//! What a sandboxed program prints: how fast, how much, and which escapes.
