//! `herma init`: the hook in an agent program's settings.

use std::fs::{self, Metadata};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use herma_config::{Home, atomic};
use herma_hosts::{Change, Edited, Host, Warning, claude_code};

use crate::accounts;
use crate::arguments::Init;
use crate::exit::Exit;
use crate::input;
use crate::output::difference;

/// Largest settings file that is edited, in bytes.
const LIMIT: u64 = 4 << 20;

/// How long the agent program may take to say its version.
const PATIENCE: Duration = Duration::from_secs(5);

/// Installs or removes the hook.
pub(crate) fn run(arguments: &Init, home: &Home) -> anyhow::Result<Exit> {
    let host = arguments.host.host();
    let settings = Settings::locate(host, arguments.project)?;
    let before = settings.read()?;
    let text = before.as_deref().unwrap_or_default();
    let edited = if arguments.remove {
        claude_code::settings::remove(text)
    } else {
        let command = hook_command(host, home)?;
        claude_code::settings::install(text, &command, version(host).as_deref())
    };
    let edited = edited.with_context(|| {
        format!(
            "{} cannot be edited and is left as it is",
            settings.shown.display()
        )
    })?;
    let mut out = anstream::stdout().lock();
    if edited.change == Change::Unchanged {
        let state = if arguments.remove {
            "is not"
        } else {
            "is already"
        };
        writeln!(out, "the hook {state} in {}", settings.shown.display())?;
    } else if arguments.dry_run {
        difference::print(&mut out, &settings.shown, text, &edited.text)?;
    } else {
        if !arguments.remove {
            home.prepare()?;
        }
        let backup = settings.replace(before.as_deref(), &edited)?;
        let done = match edited.change {
            Change::Removed => "removed the hook from",
            Change::Updated => "updated the hook in",
            Change::Added | Change::Unchanged => "added the hook to",
        };
        writeln!(out, "{done} {}", settings.shown.display())?;
        if let Some(backup) = backup {
            writeln!(out, "kept the former file as {}", backup.display())?;
        }
    }
    for warning in &edited.warnings {
        if *warning == Warning::AllHooksDisabled {
            writeln!(
                anstream::stderr().lock(),
                "warning: {} sets disableAllHooks, so the hook will not run",
                settings.shown.display()
            )?;
        }
    }
    Ok(Exit::Success)
}

/// The command line for the settings file. It names the state directory, since a repository's
/// settings can set `HERMA_HOME` and `HOME` for hooks.
pub(crate) fn hook_command(host: Host, home: &Home) -> anyhow::Result<String> {
    let program = std::env::current_exe().context("cannot tell where herma is installed")?;
    let word = |path: &Path| {
        String::from_utf8(herma_shell::spelling::quoted(path.as_os_str().as_bytes()))
            .with_context(|| format!("{} is not UTF-8", path.display()))
    };
    let (program, home) = (word(&program)?, word(home.root())?);
    match host {
        Host::ClaudeCode => Ok(claude_code::settings::command(&program, &home)),
        _ => bail!("{} has no settings file that herma knows", host.name()),
    }
}

/// What `claude --version` says, if it says anything in time.
fn version(host: Host) -> Option<String> {
    let Host::ClaudeCode = host else { return None };
    let mut child = Command::new("claude")
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let stdout = child.stdout.take()?;
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let _ = sender.send(input::limited(stdout, 4096));
    });
    let said = receiver.recv_timeout(PATIENCE);
    let deadline = Instant::now() + Duration::from_millis(200);
    while Instant::now() < deadline && matches!(child.try_wait(), Ok(None)) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = child.kill();
    let _ = child.wait();
    String::from_utf8(said.ok()?.ok()?).ok()
}

/// A settings file.
pub(crate) struct Settings {
    /// As the user knows it.
    pub(crate) shown: PathBuf,
    /// Where it is: a link is followed for the user's own file.
    real: PathBuf,
    metadata: Option<Metadata>,
}

impl Settings {
    /// Finds the user's file, or the one of the project in this directory.
    pub(crate) fn locate(host: Host, project: bool) -> anyhow::Result<Self> {
        let Host::ClaudeCode = host else {
            bail!("{} has no settings file that herma knows", host.name());
        };
        let base = if project {
            input::path(&input::directory(None)?)
        } else {
            let own = accounts::own_home().context("cannot tell your home directory; set HOME")?;
            input::path(&own)
        };
        let directory = base.join(".claude");
        let shown = directory.join("settings.json");
        for path in [&directory, &shown] {
            // A repository can plant a link to any file of the user.
            if project && path.is_symlink() {
                bail!(
                    "{} is a symbolic link, which a repository could point anywhere; \
                     edit its target yourself",
                    path.display()
                );
            }
        }
        let real = match shown.canonicalize() {
            Ok(real) => real,
            Err(error) if error.kind() == io::ErrorKind::NotFound && !shown.is_symlink() => {
                shown.clone()
            }
            Err(error) => {
                return Err(error).with_context(|| format!("cannot use {}", shown.display()));
            }
        };
        let metadata = match real.symlink_metadata() {
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => {
                return Err(error).with_context(|| format!("cannot use {}", real.display()));
            }
        };
        if let Some(metadata) = &metadata {
            if !metadata.is_file() {
                bail!("{} is not a regular file", real.display());
            }
            let me = rustix::process::getuid().as_raw();
            if metadata.uid() != me {
                bail!(
                    "{} belongs to user {}, not to you",
                    real.display(),
                    metadata.uid()
                );
            }
        }
        Ok(Self {
            shown,
            real,
            metadata,
        })
    }

    /// The text; `None` when there is no file.
    pub(crate) fn read(&self) -> anyhow::Result<Option<String>> {
        if self.metadata.is_none() {
            return Ok(None);
        }
        let read = || -> anyhow::Result<String> {
            let content = input::limited(fs::File::open(&self.real)?, LIMIT)?;
            Ok(String::from_utf8(content)?)
        };
        read()
            .map(Some)
            .with_context(|| format!("cannot read {}", self.real.display()))
    }

    /// Writes the new text and keeps the old one beside it. Returns the copy's path.
    fn replace(&self, before: Option<&str>, edited: &Edited) -> anyhow::Result<Option<PathBuf>> {
        let directory = self.real.parent().context("the file has no directory")?;
        fs::create_dir_all(directory)
            .with_context(|| format!("cannot create {}", directory.display()))?;
        let mode = self
            .metadata
            .as_ref()
            .map_or(0o600, |metadata| metadata.permissions().mode() & 0o7777);
        let backup = match before {
            Some(text) => Some(self.back_up(text, mode)?),
            None => None,
        };
        if self.read_again()?.as_deref() != before {
            bail!(
                "{} changed in the meantime and is left as it is; run this again",
                self.shown.display()
            );
        }
        atomic::replace(&self.real, edited.text.as_bytes(), mode)
            .and_then(|()| fs::set_permissions(&self.real, fs::Permissions::from_mode(mode)))
            .with_context(|| format!("cannot write {}", self.real.display()))?;
        Ok(backup)
    }

    fn read_again(&self) -> anyhow::Result<Option<String>> {
        match self.real.symlink_metadata() {
            Ok(metadata) if metadata.is_file() => {
                let content = input::limited(fs::File::open(&self.real)?, LIMIT)?;
                Ok(Some(String::from_utf8(content)?))
            }
            Ok(_) => bail!("{} is not a regular file", self.real.display()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// A copy with the same permission bits, under a name that is free.
    fn back_up(&self, text: &str, mode: u32) -> anyhow::Result<PathBuf> {
        let time = jiff::Timestamp::now()
            .strftime("%Y%m%dT%H%M%SZ")
            .to_string();
        for number in 0..100u32 {
            let mut name = self.real.clone().into_os_string();
            name.push(format!(".herma-backup-{time}"));
            if number > 0 {
                name.push(format!("-{number}"));
            }
            let path = PathBuf::from(name);
            let created = fs::OpenOptions::new()
                .write(true)
                .create_new(true)
                .open(&path)
                .and_then(|mut file| {
                    file.set_permissions(fs::Permissions::from_mode(mode))?;
                    file.write_all(text.as_bytes())?;
                    file.sync_all()
                });
            match created {
                Ok(()) => return Ok(path),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => {
                    return Err(error).with_context(|| format!("cannot write {}", path.display()));
                }
            }
        }
        bail!("no free name for a copy of {}", self.real.display())
    }
}
