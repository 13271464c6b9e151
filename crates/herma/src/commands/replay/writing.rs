//! Adding rules to the user's configuration.

use std::fs;
use std::io::{self, BufRead, IsTerminal, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use anyhow::{Context, bail};
use herma_config::guarded::{self, Trust};
use herma_config::{Config, Home, atomic};
use herma_rules::UserRule;

use crate::allowance;
use crate::configured;
use crate::output::difference;

/// The user's file with rules added.
pub(crate) struct Addition {
    file: PathBuf,
    before: Option<Vec<u8>>,
    old: String,
    new: String,
}

impl Addition {
    /// Prepares it. Everything that the file holds stays, with its comments; the rules come behind.
    ///
    /// # Errors
    /// The file cannot be read, or would not be valid.
    pub(crate) fn new(home: &Home, rules: &[&UserRule]) -> anyhow::Result<Self> {
        let tables: Vec<String> = rules
            .iter()
            .map(|rule| allowance::as_toml(rule, "\n"))
            .collect();
        Self::of_text(home, "", &tables, rules)
    }

    /// The same with keys that come in front of everything, and the text of each rule.
    ///
    /// # Errors
    /// As above.
    pub(crate) fn of_text(
        home: &Home,
        keys: &str,
        tables: &[String],
        rules: &[&UserRule],
    ) -> anyhow::Result<Self> {
        let file = home.config();
        let before = read(&file)?;
        let old = String::from_utf8(before.clone().unwrap_or_default())
            .with_context(|| format!("{} is not UTF-8", file.display()))?;
        let mut new = format!("{keys}{old}");
        if !new.is_empty() && !new.ends_with('\n') {
            new.push('\n');
        }
        for table in tables {
            if !new.is_empty() {
                new.push('\n');
            }
            new.push_str(table);
            new.push('\n');
        }
        if new.len() > guarded::MAX_BYTES {
            bail!("{} would be larger than is read", file.display());
        }
        let config = match Config::of_text(&file, &new) {
            Ok(config) => config,
            Err(faults) => {
                let why = faults.first().map_or_else(String::new, ToString::to_string);
                bail!("the rules cannot be added: {why}");
            }
        };
        let stands = |rule: &&UserRule| {
            let mut own = config.rules.iter().map(configured::verbatim);
            own.any(|own| own == **rule)
        };
        if !rules.iter().all(stands) {
            bail!("the rules cannot be written as they were judged");
        }
        Ok(Self {
            file,
            before,
            old,
            new,
        })
    }

    /// Shows what would change.
    pub(crate) fn show(&self, out: &mut impl Write) -> io::Result<()> {
        difference::print(out, &self.file, &self.old, &self.new)
    }

    /// Writes the file so that a reader sees the old or the new one. Returns its path.
    ///
    /// # Errors
    /// It cannot be written, or changed since it was shown.
    pub(crate) fn write(self, home: &Home) -> anyhow::Result<PathBuf> {
        home.prepare()?;
        if read(&self.file)? != self.before {
            bail!(
                "{} changed in the meantime and is left as it is; run this again",
                self.file.display()
            );
        }
        let mode = fs::symlink_metadata(&self.file)
            .map_or(0o600, |metadata| metadata.permissions().mode() & 0o777);
        atomic::replace(&self.file, self.new.as_bytes(), mode)
            .with_context(|| format!("cannot write {}", self.file.display()))?;
        Ok(self.file)
    }
}

fn read(file: &std::path::Path) -> anyhow::Result<Option<Vec<u8>>> {
    guarded::read(file, guarded::MAX_BYTES, Trust::Owner)
        .map_err(|why| anyhow::anyhow!("{} {why}", file.display()))
}

/// Asks the person at the terminal. Only a yes is one.
///
/// # Errors
/// There is no terminal.
pub(crate) fn confirmed(question: &str) -> anyhow::Result<bool> {
    let input = io::stdin();
    if !input.is_terminal() {
        bail!("nothing was written: there is no terminal to ask on; --yes writes without asking");
    }
    write!(io::stderr().lock(), "{question} [y/N] ")?;
    let mut answer = String::new();
    input.lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}
