//! Work: what may be spent, and how closely things are followed with what is left.

use super::state::MAX_ALTERNATIVES;
use super::{Machine, SMALL_ONCE};
use crate::execution::{Reach, Why};

/// How closely things are followed: with less, more counts as unknown, and nothing is left out.
#[derive(Clone, Copy)]
pub(crate) struct Care {
    /// Combinations of values that one command is run with.
    pub(crate) readings: usize,
    /// Calls of one function.
    pub(crate) calls: usize,
    /// Rounds of a loop before the names that it changes are forgotten.
    pub(crate) rounds: usize,
}

impl Machine<'_> {
    /// How much work is left.
    pub(crate) fn fuel(&self) -> u64 {
        self.fuel
    }

    /// Whether most of the fuel is left.
    pub(crate) fn has_plenty(&self) -> bool {
        self.fuel >= self.budget / 2
    }

    /// How closely things are followed with the fuel that is left.
    pub(crate) fn care(&self) -> Care {
        let eighths = self.fuel.saturating_mul(8) / self.budget.max(1);
        match eighths {
            6.. => Care {
                readings: 2 * MAX_ALTERNATIVES,
                calls: 24,
                rounds: 4,
            },
            4 | 5 => Care {
                readings: 6,
                calls: 8,
                rounds: 3,
            },
            2 | 3 => Care {
                readings: 2,
                calls: 3,
                rounds: 2,
            },
            _ => Care {
                readings: 1,
                calls: 1,
                rounds: 2,
            },
        }
    }

    /// Takes fuel; says whether there was enough.
    pub(crate) fn spend(&mut self, units: u64) -> bool {
        match self.fuel.checked_sub(units.max(1)) {
            Some(rest) => {
                self.report.work += units.max(1);
                self.fuel = rest;
                true
            }
            None => {
                self.fuel = 0;
                if !self.is_read_again() {
                    self.uncertain(Why::Fuel, self.whole);
                }
                self.exhausted = true;
                false
            }
        }
    }

    /// Whether commands that a bound leaves out here are still read once: those of scripts.
    /// Whether that was enough is said at its end.
    pub(super) fn is_read_again(&self) -> bool {
        self.shallow || !self.scripts.is_empty() || self.reach == Reach::Script
    }

    /// Whether copying what stands around a command is worth these units. Where commands are read
    /// once, most of the work is kept for what is written.
    pub(crate) fn affords(&self, units: u64) -> bool {
        !self.shallow || units <= SMALL_ONCE || self.fuel.saturating_sub(units) > self.budget / 2
    }
}
