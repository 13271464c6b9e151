//! `herma import`: what another guard was told, in herma's words.

mod hermes;
mod yaml;

use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use herma_config::{Config, Home, guarded};
use herma_rules::{Guard, UserRule};

use self::hermes::{Found, Origin};
use super::replay::writing::{self, Addition};
use crate::arguments::ImportFile;
use crate::exit::Exit;
use crate::output::visible;
use crate::{accounts, allowance, configured, input};

/// Prints what a file of Hermes Agent comes to, and adds it when that is wanted.
pub(crate) fn hermes(arguments: &ImportFile, home: &Home) -> anyhow::Result<Exit> {
    let file = match &arguments.path {
        Some(path) => path.clone(),
        None => default_file()?,
    };
    let found = hermes::read(&read(&file)?);
    let own = own(home)?;
    let plan = Plan::new(&file, found, &own);
    plan.print(&mut anstream::stdout().lock())?;
    if !arguments.write {
        return Ok(Exit::Success);
    }
    let mut out = anstream::stdout().lock();
    if plan.keys.is_empty() && plan.rules.is_empty() {
        writeln!(out, "\n# there is nothing to add")?;
        return Ok(Exit::Success);
    }
    let rules: Vec<&UserRule> = plan.rules.iter().map(|(_, rule)| rule).collect();
    let addition = Addition::of_text(home, &plan.keys.concat(), &plan.tables(), &rules)?;
    if !arguments.yes {
        writeln!(out)?;
        addition.show(&mut out)?;
        out.flush()?;
        if !writing::confirmed("add this?")? {
            writeln!(out, "# nothing was written")?;
            return Ok(Exit::Success);
        }
    }
    let written = addition.write(home)?;
    writeln!(out, "\n# added to {}", shown(&written))?;
    Ok(Exit::Success)
}

/// What would be added, and what not.
struct Plan {
    /// Lines of the configuration.
    keys: Vec<String>,
    rules: Vec<(String, UserRule)>,
    /// Lines of comment.
    left: Vec<String>,
}

impl Plan {
    fn new(file: &Path, found: Found, own: &Config) -> Self {
        let mut plan = Self {
            keys: Vec::new(),
            rules: Vec::new(),
            left: Vec::new(),
        };
        let said = |origin: &Origin| {
            let text = visible::short(origin.text.as_bytes());
            format!("{}:{} {}: {text}", shown(file), origin.line, origin.key)
        };
        for (origin, key, value) in found.keys {
            let line = format!("{key} = {value}");
            let from = said(&origin);
            if own.sets(key) {
                plan.left
                    .push(format!("{from}\n#   your configuration sets {key} already"));
            } else {
                plan.keys.push(format!("# from {from}\n{line}\n"));
            }
        }
        for (origin, mut rule) in found.rules {
            let from = said(&origin);
            let same = |own: &UserRule| {
                (own.action, &own.argv, &own.cwd, &own.regex)
                    == (rule.action, &rule.argv, &rule.cwd, &rule.regex)
            };
            let taken = own
                .rules
                .iter()
                .map(configured::verbatim)
                .find(|it| same(it));
            if let Some(taken) = taken {
                plan.left.push(format!(
                    "{from}\n#   your rule {} says this already",
                    taken.id
                ));
                continue;
            }
            rule.id = plan.free_id(&rule, own);
            plan.rules.push((format!("# from {from}"), rule));
        }
        for (origin, why) in found.left {
            plan.left.push(format!("{}\n#   {why}", said(&origin)));
        }
        plan
    }

    /// An id that says what the rule is about and that no rule has.
    fn free_id(&self, rule: &UserRule, own: &Config) -> String {
        let words = rule.argv.iter().take(2).map(|word| {
            let name = word.rsplit('/').next().unwrap_or(word);
            let letters = name.chars().map(|char| char.to_ascii_lowercase());
            letters
                .filter(|char| char.is_ascii_alphanumeric() || matches!(char, '-' | '_'))
                .take(16)
                .collect::<String>()
        });
        let words: Vec<String> = words
            .map(|word| word.trim_matches('-').to_owned())
            .collect();
        let words: Vec<&str> = words
            .iter()
            .map(String::as_str)
            .filter(|it| !it.is_empty())
            .collect();
        let base = format!(
            "hermes.{}-{}",
            allowance::action(rule.action),
            words.join("-")
        );
        let base = base.trim_end_matches('-');
        let used = |id: &str| {
            let named = |own: &herma_config::UserRule| {
                own.id == id || own.aliases.iter().any(|it| it == id)
            };
            own.rules.iter().any(named)
                || self.rules.iter().any(|(_, rule)| rule.id == id)
                || Guard::rule(id).is_some()
        };
        let numbered = (2u32..).map(|number| format!("{base}-{number}"));
        std::iter::once(base.to_owned())
            .chain(numbered)
            .find(|id| !used(id))
            .unwrap_or_default()
    }

    /// The text of each rule with where it comes from.
    fn tables(&self) -> Vec<String> {
        self.rules
            .iter()
            .map(|(from, rule)| format!("{from}\n{}", allowance::as_toml(rule, "\n")))
            .collect()
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let keys = self.keys.iter().map(|key| key.trim_end().to_owned());
        let left = self.left.iter().map(|left| format!("# not taken: {left}"));
        for (index, part) in keys.chain(self.tables()).chain(left).enumerate() {
            if index > 0 {
                writeln!(out)?;
            }
            writeln!(out, "{part}")?;
        }
        Ok(())
    }
}

fn default_file() -> anyhow::Result<PathBuf> {
    let home = accounts::own_home().context("there is no home; name the file")?;
    Ok(input::path(&home).join(".hermes/config.yaml"))
}

fn read(file: &Path) -> anyhow::Result<yaml::Node> {
    // Whoever runs this has named the file, so any owner will do.
    let content = std::fs::File::open(file)
        .map_err(anyhow::Error::new)
        .and_then(|open| input::limited(open, guarded::MAX_BYTES as u64))
        .with_context(|| format!("cannot read {}", shown(file)))?;
    let text =
        String::from_utf8(content).with_context(|| format!("{} is not UTF-8", shown(file)))?;
    match yaml::parse(&text) {
        Ok(Some(root)) => Ok(root),
        Ok(None) => bail!("{} is empty", shown(file)),
        Err(error) => bail!(
            "{}:{}:{}: {}",
            shown(file),
            error.line,
            error.column,
            visible::line(error.what.as_bytes())
        ),
    }
}

/// The user's configuration, without any project's.
fn own(home: &Home) -> anyhow::Result<Config> {
    home.check_version()?;
    let sources = herma_config::Sources::new(home, None);
    Config::load(&sources).map_err(|errors| match errors.into_iter().next() {
        Some(error) => anyhow::Error::new(error).context("your configuration is not valid"),
        None => anyhow::anyhow!("your configuration cannot be read"),
    })
}

fn shown(path: &Path) -> String {
    visible::line(path.as_os_str().as_bytes())
}
