//! `herma doctor`: is the guard there, and does it answer?
//!
//! A guard that is not running must be visible. So the installed command is run as the agent
//! program would run it, once with a command that is harmless and once with one that a floor
//! denies.

use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use herma_audit::Log;
use herma_config::{Config, Home, Sources};
use herma_hosts::{Host, claude_code};
use herma_sandbox::local;
use serde::Serialize;

use crate::commands::init::{Settings, hook_command};
use crate::exit::Exit;
use crate::input;
use crate::output::visible;
use crate::rehearsal::{ALLOWED, DENIED, NO_PATH, SESSION};
use crate::remedy::{self, Remedy};

/// How long the hook may take, as the settings say.
const PATIENCE: Duration = Duration::from_secs(10);

/// One thing that was looked at.
#[derive(Serialize)]
struct Check {
    name: String,
    ok: bool,
    detail: String,
}

#[derive(Serialize)]
struct Report {
    v: u8,
    ok: bool,
    checks: Vec<Check>,
}

/// Looks at everything and says what is wrong.
pub(crate) fn run(home: &Home, json: bool) -> anyhow::Result<Exit> {
    let cwd = input::directory(None)?;
    let mut checks = vec![state(home), configuration(home, &cwd), trail(home)];
    checks.extend(sandbox());
    for host in Host::ALL {
        checks.extend(installed(*host, home, &cwd));
    }
    let ok = checks.iter().all(|check| check.ok);
    let mut out = anstream::stdout().lock();
    if json {
        let report = Report { v: 1, ok, checks };
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
    } else {
        for check in &checks {
            let mark = if check.ok { "ok   " } else { "WRONG" };
            writeln!(out, "{mark} {}: {}", check.name, check.detail)?;
        }
    }
    Ok(if ok { Exit::Success } else { Exit::Failure })
}

fn check(name: impl Into<String>, result: Result<String, String>) -> Check {
    let ok = result.is_ok();
    let (Ok(detail) | Err(detail)) = result;
    Check {
        name: name.into(),
        ok,
        detail: visible::line(detail.as_bytes()),
    }
}

fn state(home: &Home) -> Check {
    let result = home
        .open()
        .and_then(|_| home.check_version())
        .map(|()| {
            let root = home.root().display();
            if home.root().is_dir() {
                root.to_string()
            } else {
                format!("{root}, not there yet")
            }
        })
        .map_err(|error| error.to_string());
    check("state directory", result)
}

fn configuration(home: &Home, cwd: &[u8]) -> Check {
    let cwd = input::path(cwd);
    let result = match Config::load(&Sources::new(home, Some(&cwd))) {
        Ok(config) => Ok(format!("mode {}, valid", config.mode.name())),
        Err(faults) => Err(faults.first().map_or_else(String::new, ToString::to_string)),
    };
    check("configuration", result)
}

/// Whether the trail holds and can go on. Every command is denied when it cannot.
fn trail(home: &Home) -> Check {
    let directory = home.audit();
    let result = match Log::at(&directory).verify() {
        Err(error) => Err(error.to_string()),
        Ok(found) if !found.holds() => {
            Err("the chain does not hold; `herma audit verify` shows where".to_owned())
        }
        Ok(_) if !directory.exists() => Ok("nothing recorded yet".to_owned()),
        Ok(found) => {
            let writable = rustix::fs::access(&directory, rustix::fs::Access::WRITE_OK);
            match writable {
                Ok(()) => Ok(format!("the chain holds, {} lines", found.lines)),
                Err(error) => Err(format!(
                    "{} cannot be written: {error}",
                    directory.display()
                )),
            }
        }
    };
    check("audit trail", result)
}

/// What a sandbox is made of here. This is the only thread of the process.
fn sandbox() -> Vec<Check> {
    let support = match local::probe() {
        Ok(support) => support,
        Err(why) => return vec![check("sandbox", Err(why.to_string()))],
    };
    let namespaces = match &support.namespaces {
        Ok(()) => Ok("namespaces with a view of their own can be made".to_owned()),
        Err(why) => {
            let Remedy { cause, help } = remedy::namespaces(why);
            Err(format!("{why}: {cause}; {help}"))
        }
    };
    let landlock = match support.landlock {
        Some(version) if version >= 6 => Ok(format!("version {version}")),
        Some(version) => Ok(format!(
            "version {version}; from version 6 (Linux 6.12) on it holds abstract sockets and \
             signals, too"
        )),
        None => Err(
            "the kernel has none, or it is switched off; add landlock to the kernel's lsm= option"
                .to_owned(),
        ),
    };
    let filter = match &support.filter {
        Ok(()) => Ok("filters of system calls can be installed".to_owned()),
        Err(why) => Err(why.to_string()),
    };
    vec![
        check("sandbox: namespaces", namespaces),
        check("sandbox: Landlock", landlock),
        check("sandbox: filter", filter),
    ]
}

/// Where the host's hook is installed, and what it answers.
fn installed(host: Host, home: &Home, cwd: &[u8]) -> Vec<Check> {
    let mut checks = Vec::new();
    let mut found = 0;
    let mut unseen: Vec<&str> = claude_code::settings::tools().collect();
    let mut unread = false;
    // What a project's settings name is run only when it is what this program would write there.
    let own = hook_command(host, home).ok();
    for project in [false, true] {
        let read = Settings::locate(host, project).and_then(|settings| {
            let text = settings.read()?.unwrap_or_default();
            let parsed = claude_code::settings::installed(&text).and_then(|commands| {
                Ok((commands, claude_code::settings::all_hooks_disabled(&text)?))
            });
            let (commands, off) =
                parsed.with_context(|| format!("cannot use {}", settings.shown.display()))?;
            Ok((settings.shown, commands, off))
        });
        let (file, commands, off) = match read {
            Ok(read) => read,
            Err(error) => {
                checks.push(check(host.name(), Err(format!("{error:#}"))));
                unread = true;
                continue;
            }
        };
        let file = file.display();
        found += commands.len();
        for hook in &commands {
            if project && own.as_ref() != Some(&hook.command) {
                continue;
            }
            unseen.retain(|tool| hook.unseen.contains(tool));
        }
        if off {
            let what = format!("{file} sets disableAllHooks");
            checks.push(check(host.name(), Err(what)));
        }
        for command in commands.into_iter().map(|hook| hook.command) {
            let what = format!("{} in {file}", host.name());
            let result = if project && own.as_ref() != Some(&command) {
                Err("names another herma or state directory; it was not run".to_owned())
            } else {
                fires(&command, cwd)
            };
            checks.push(check(what, result));
        }
    }
    if found > 0 {
        let result = if unseen.is_empty() {
            Ok("the hook is asked about commands and about every file tool".to_owned())
        } else {
            Err(format!(
                "the hook is not asked about {}; run herma init {}",
                unseen.join(", "),
                host.name()
            ))
        };
        checks.push(check(format!("{} tools", host.name()), result));
    }
    // `init` cannot help where a file cannot be read.
    if found == 0 && !unread {
        let what = format!("no hook; run herma init {}", host.name());
        checks.push(check(host.name(), Err(what)));
    }
    checks
}

/// Runs the hook's command as the host does.
fn fires(command: &str, cwd: &[u8]) -> Result<String, String> {
    let started = Instant::now();
    let shell = |command: &str| ("Bash", serde_json::json!({"command": command}));
    match answer(command, shell(ALLOWED), cwd)? {
        0 => {}
        code => {
            return Err(format!(
                "a harmless command was answered with exit code {code}"
            ));
        }
    }
    let took = started.elapsed();
    let read = ("Read", serde_json::json!({"file_path": NO_PATH}));
    for (what, asked) in [("a command", shell(DENIED)), ("a path", read)] {
        match answer(command, asked, cwd)? {
            2 => {}
            code => {
                return Err(format!(
                    "{what} that must be denied was answered with exit code {code}"
                ));
            }
        }
    }
    Ok(format!("answers in {} ms", took.as_millis()))
}

fn answer(
    command: &str,
    (tool, input): (&str, serde_json::Value),
    cwd: &[u8],
) -> Result<i32, String> {
    let event = serde_json::json!({
        "session_id": SESSION,
        "cwd": String::from_utf8_lossy(cwd),
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": tool,
        "tool_input": input,
    });
    let mut child = Command::new("sh")
        .args(["-c", command])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("cannot run it: {error}"))?;
    if let Some(mut stdin) = child.stdin.take() {
        let _ = stdin.write_all(event.to_string().as_bytes());
    }
    wait(&mut child)
}

fn wait(child: &mut Child) -> Result<i32, String> {
    let deadline = Instant::now() + PATIENCE;
    while Instant::now() < deadline {
        match child.try_wait() {
            Ok(Some(status)) => {
                return status.code().ok_or_else(|| format!("it ended by {status}"));
            }
            Ok(None) => std::thread::sleep(Duration::from_millis(1)),
            Err(error) => return Err(error.to_string()),
        }
    }
    let _ = child.kill();
    let _ = child.wait();
    Err(format!("no answer within {} s", PATIENCE.as_secs()))
}
