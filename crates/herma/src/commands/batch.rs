//! `herma check --batch`: a verdict for every row.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::Path;
use std::time::Instant;

use crate::commands::check::notes;
use crate::configured::{ConfiguredGuard, Unready};
use crate::exit::Exit;
use crate::output::json::{Checked, Malformed};
use crate::record;
use crate::rows;
use crate::terms::Terms;
use crate::world::Machine;

/// Working directories whose configuration is kept.
const KEPT: usize = 256;

/// Judges every row by the configuration of its own directory.
pub(crate) fn run(file: &Path, cwd: &[u8], terms: &Terms<'_>) -> anyhow::Result<Exit> {
    let mut guards: HashMap<Vec<u8>, Result<ConfiguredGuard, Unready>> = HashMap::new();
    let mut noted = false;
    rows::each(file, cwd, |id, row| {
        let row = match row {
            Ok(row) => row,
            Err(error) => return Ok(serde_json::to_string(&Malformed::new(id, &error))?),
        };
        if guards.len() >= KEPT && !guards.contains_key(&row.cwd) {
            guards.clear();
        }
        let configured = match guards.entry(row.cwd.clone()) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(ConfiguredGuard::load(&terms.home, &row.cwd)),
        };
        let configured = match configured {
            Ok(configured) => configured,
            Err(why) => {
                let reason = why.to_string();
                return Ok(serde_json::to_string(&Checked::refused(id, &reason))?);
            }
        };
        if !noted {
            notes(configured, terms.mode)?;
            noted = true;
        }
        let started = Instant::now();
        let machine = Machine::of_row(row.env.clone(), &row.cwd);
        let verdict = configured.guard.check(&terms.request(&row), &machine);
        if terms.record {
            record::check(terms, configured, &row, &verdict, started.elapsed())?;
        }
        Ok(serde_json::to_string(&Checked::new(id, &verdict))?)
    })
}
