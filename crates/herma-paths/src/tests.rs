//! What the parts do together, on real files.

mod contained;
mod guarded;
mod properties;
mod race;
mod stage;
