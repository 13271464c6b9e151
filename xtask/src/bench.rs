//! What is promised to be fast, next to the promise. Figures, never a test.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use serde_json::json;

use crate::suite::Context;
use crate::suite::process::{cargo, exists, fresh_folder};

/// Runs of each program for the means.
const RUNS: usize = 400;

pub(crate) fn run(context: &Context) -> Result<bool> {
    if !cargo(
        context,
        &["build", "--quiet", "--release", "--package", "herma"],
    )? {
        bail!("herma does not build");
    }
    let binary = context.target.join("release/herma");
    let home = fresh_folder(context, "bench")?;
    let event = json!({
        "session_id": "bench", "cwd": home, "permission_mode": "default", "hook_event_name": "PreToolUse",
        "tool_name": "Bash", "tool_input": {"command": "ls -la src && git status"}, "tool_use_id": "t",
    })
    .to_string();
    let input = home.join("event.json");
    fs::write(&input, event)?;
    let hook = |program: &Path, arguments: &[&str]| -> Result<Command> {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", &home)
            .current_dir(&home)
            .stdin(fs::File::open(&input)?)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        Ok(command)
    };
    println!("{:<52} {:>14}   target", "what", "measured");
    let (hook_cpu, hook_walls) = measure(|| hook(&binary, &["hook", "claude-code"]))?;
    let (true_cpu, _) = measure(|| hook(Path::new("/bin/true"), &[]))?;
    row(
        "hook, CPU above /bin/true",
        &milliseconds(hook_cpu.saturating_sub(true_cpu)),
        "at most 1 ms",
    );
    row(
        "hook, wall, median",
        &milliseconds(percentile(&hook_walls, 50)),
        "",
    );
    row(
        "hook, wall, 99th percentile",
        &milliseconds(percentile(&hook_walls, 99)),
        "at most 5 ms, idle machine",
    );
    row(
        "binary",
        &format!("{:.1} MiB", fs::metadata(&binary)?.len() as f64 / 1048576.0),
        "at most 25 MiB",
    );
    if exists("valgrind") {
        let hook = instructions(&home, || hook(&binary, &["hook", "claude-code"]))?;
        row(
            "hook, instructions",
            &format!("{:.2} M", hook as f64 / 1e6),
            "",
        );
    } else {
        println!("instructions: valgrind is missing");
    }
    let cases = cargo(
        context,
        &[
            "bench",
            "--quiet",
            "--package",
            "herma-rules",
            "--bench",
            "check",
        ],
    )?;
    Ok(cases)
}

fn row(what: &str, measured: &str, target: &str) {
    println!("{what:<52} {measured:>14}   {target}");
}

fn milliseconds(duration: Duration) -> String {
    format!("{:.3} ms", duration.as_secs_f64() * 1e3)
}

fn percentile(sorted: &[Duration], percent: usize) -> Duration {
    let index = (sorted.len() * percent / 100).min(sorted.len().saturating_sub(1));
    sorted.get(index).copied().unwrap_or_default()
}

/// Mean CPU time of a run, and the sorted wall times.
fn measure(command: impl Fn() -> Result<Command>) -> Result<(Duration, Vec<Duration>)> {
    for _ in 0..10 {
        command()?.status()?;
    }
    let before = children_cpu()?;
    let mut walls = Vec::with_capacity(RUNS);
    for _ in 0..RUNS {
        let mut command = command()?;
        let started = Instant::now();
        command.status()?;
        walls.push(started.elapsed());
    }
    let cpu = children_cpu()?.saturating_sub(before) / u32::try_from(RUNS)?;
    walls.sort();
    Ok((cpu, walls))
}

/// CPU time of all children that were waited for.
fn children_cpu() -> Result<Duration> {
    // Fields 16 and 17 of /proc/self/stat are the children's user and system time in ticks of 10 ms:
    // too coarse for one run, not for hundreds.
    let stat = fs::read_to_string("/proc/self/stat")?;
    let (_, rest) = stat.rsplit_once(") ").context("/proc/self/stat")?;
    let fields: Vec<&str> = rest.split(' ').collect();
    let ticks: u64 = fields
        .get(13..15)
        .context("/proc/self/stat")?
        .iter()
        .filter_map(|field| field.parse::<u64>().ok())
        .sum();
    Ok(Duration::from_millis(ticks * 10))
}

fn instructions(folder: &Path, command: impl Fn() -> Result<Command>) -> Result<u64> {
    let plain = command()?;
    let out = folder.join("callgrind.out");
    let mut valgrind = Command::new("valgrind");
    valgrind
        .args(["--tool=callgrind", "--quiet"])
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(plain.get_program())
        .args(plain.get_args())
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("HOME", folder)
        .current_dir(folder)
        .stdin(fs::File::open(folder.join("event.json"))?)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    valgrind.status()?;
    let content = fs::read_to_string(&out)?;
    content
        .lines()
        .find_map(|line| {
            line.strip_prefix("summary: ")
                .or_else(|| line.strip_prefix("totals: "))
        })
        .and_then(|count| count.trim().parse().ok())
        .context("callgrind wrote no sum")
}
