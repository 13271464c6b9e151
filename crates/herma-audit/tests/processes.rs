//! What only several processes or a small disk show. The program starts itself with a task as its
//! first argument and a directory as its second.

#![expect(
    clippy::print_stderr,
    reason = "a test without a harness reports by itself"
)]

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::Duration;

use herma_audit::{AuditError, Event, Log};

type Outcome = Result<(), Box<dyn Error>>;
type Test = fn(&Path) -> Outcome;

const PROCESSES: usize = 8;
const LINES: u64 = 150;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments.as_slice() {
        [task, directory] if task == "append" => append(Path::new(directory), LINES),
        [task, directory] if task == "append-for-ever" => append(Path::new(directory), u64::MAX),
        [task, directory] if task == "full-disk" => full_disk(Path::new(directory)),
        // A harness is asked for its tests with options of its own.
        _ if arguments.iter().any(|argument| argument == "--list") => Ok(()),
        _ => run_all(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn run_all() -> Outcome {
    let tests: [(&str, Test); 3] = [
        ("many processes append one chain", many_processes),
        (
            "killed processes leave a chain that goes on",
            killed_processes,
        ),
        (
            "a full disk records from the reserve, then refuses",
            on_a_full_disk,
        ),
    ];
    for (name, test) in tests {
        let directory = scratch()?;
        let outcome = test(&directory);
        fs::remove_dir_all(&directory)?;
        outcome.map_err(|why| format!("{name}: {why}"))?;
        eprintln!("{name} ... ok");
    }
    Ok(())
}

fn scratch() -> std::io::Result<PathBuf> {
    let name = format!("herma-audit-processes-{}", std::process::id());
    let directory = std::env::temp_dir().join(name);
    fs::create_dir(&directory)?;
    Ok(directory)
}

fn check(holds: bool, what: &str) -> Outcome {
    if holds { Ok(()) } else { Err(what.into()) }
}

fn log(directory: &Path) -> Log {
    // The machine may be busy with other tests.
    Log::at(directory.join("audit")).patience(Duration::from_secs(60))
}

fn event() -> Event<'static> {
    let mut event = Event::new("check");
    event.command = &[b"ls"];
    event.decision = Some("allow");
    event
}

fn append(directory: &Path, lines: u64) -> Outcome {
    let log = log(directory);
    for _ in 0..lines {
        log.append(&event())?;
    }
    Ok(())
}

fn start(task: &str, directory: &Path) -> std::io::Result<Child> {
    Command::new(std::env::current_exe()?)
        .arg(task)
        .arg(directory)
        .stdin(Stdio::null())
        .spawn()
}

fn many_processes(directory: &Path) -> Outcome {
    let children: Vec<Child> = (0..PROCESSES)
        .map(|_| start("append", directory))
        .collect::<Result<_, _>>()?;
    for mut child in children {
        check(child.wait()?.success(), "a process failed")?;
    }
    let found = log(directory).verify()?;
    let expected = LINES * u64::try_from(PROCESSES)?;
    check(
        found.holds() && found.gaps.is_empty() && found.lines == expected,
        &format!("{found:?}"),
    )
}

fn killed_processes(directory: &Path) -> Outcome {
    for _ in 0..6 {
        let mut children = vec![
            start("append-for-ever", directory)?,
            start("append-for-ever", directory)?,
        ];
        std::thread::sleep(Duration::from_millis(40));
        for child in &mut children {
            child.kill()?;
            child.wait()?;
        }
    }
    log(directory).append(&event())?;
    let found = log(directory).verify()?;
    check(found.holds() && !found.torn, &format!("{found:?}"))
}

/// Runs `full_disk` on a file system of one megabyte in a mount namespace of its own.
fn on_a_full_disk(directory: &Path) -> Outcome {
    const MOUNT: &str = "mount -t tmpfs -o size=1m none \"$2\" && exec \"$1\" full-disk \"$2\"";
    for namespaces in [
        ["--user", "--map-root-user", "--mount"].as_slice(),
        &["--mount"],
    ] {
        let possible = Command::new("unshare")
            .args(namespaces)
            .args(["sh", "-c", "mount -t tmpfs none \"$1\"", "sh"])
            .arg(directory)
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success());
        if possible {
            let status = Command::new("unshare")
                .args(namespaces)
                .args(["sh", "-c", MOUNT, "sh"])
                .arg(std::env::current_exe()?)
                .arg(directory)
                .status()?;
            return check(status.success(), "on the small disk");
        }
    }
    eprintln!("skipped: this machine allows no mount namespace");
    Ok(())
}

fn full_disk(directory: &Path) -> Outcome {
    let log = log(directory);
    log.append(&event())?;
    fill(directory)?;
    let mut recorded = 0u64;
    let refused = loop {
        match log.append(&event()) {
            Ok(_) => recorded += 1,
            Err(error) => break error,
        }
        check(recorded < 100_000, "the disk never fills")?;
    };
    check(refused == AuditError::Full, &format!("{refused:?}"))?;
    let written = recorded * u64::try_from(log.tail(1)?.concat().len() + 1)?;
    check(
        written >= herma_audit::RESERVE,
        &format!("only {written} bytes were reserved"),
    )?;
    check(log.append(&event()) == Err(AuditError::Full), "recorded")?;
    let found = log.verify()?;
    check(
        found.holds() && found.gaps.is_empty() && found.lines == recorded + 1,
        &format!("{found:?}"),
    )?;
    fs::remove_file(directory.join("filler"))?;
    let next = log.append(&event())?;
    check(next.seq == recorded + 2, "a number was lost")?;
    check(log.verify()?.holds(), "afterwards")
}

fn fill(directory: &Path) -> Outcome {
    use std::io::Write;
    let mut filler = fs::File::create(directory.join("filler"))?;
    for size in [4096, 1] {
        while filler.write_all(&vec![b'x'; size]).is_ok() {}
    }
    Ok(())
}
