//! Somebody changes the tree while paths are checked and opened.

use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, CWD, Mode, OFlags, RenameFlags, renameat_with};

use super::stage::Stage;
use crate::kernel::{Identity, Way};
use crate::{Operation, Refusal};

/// Openings tried; `HERMA_RACE_TRIES` sets another number.
const TRIES: u64 = 100_000;

fn tries() -> u64 {
    std::env::var("HERMA_RACE_TRIES")
        .ok()
        .and_then(|number| number.parse().ok())
        .unwrap_or(TRIES)
}

#[derive(Default)]
struct Tally {
    opened: AtomicU64,
    raced: AtomicU64,
    outside: AtomicU64,
}

/// Exchanges a directory with a link to a directory outside, and a file with a link to a file
/// outside, while others open through both. What they get must never be outside.
#[test]
fn nothing_outside_is_opened_while_directories_and_links_change_places() {
    let stage = Stage::new();
    stage.link("../out", "ws/evil");
    stage.link("../out/m.rs", "ws/evil-file");
    std::fs::write(stage.at("ws/f"), "inside").expect("a file");
    std::fs::write(stage.at("out/m.rs"), "outside").expect("a file");
    let outside = identity(&stage, "out/m.rs");
    let flags = OFlags::PATH | OFlags::DIRECTORY;
    let inside = rustix::fs::open(stage.at("ws/src"), flags, Mode::empty()).expect("there");
    let done = AtomicBool::new(false);
    let tally = Tally::default();
    std::thread::scope(|scope| {
        let swap = |one: &str, other: &str| {
            let (one, other) = (stage.at(one), stage.at(other));
            move || renameat_with(CWD, &one, CWD, &other, RenameFlags::EXCHANGE).expect("exchanged")
        };
        let directories = swap("ws/src", "ws/evil");
        let files = swap("ws/f", "ws/evil-file");
        let done = &done;
        scope.spawn(move || {
            while !done.load(Ordering::Relaxed) {
                directories();
                files();
            }
        });
        let workers: Vec<_> = [Way::Whole, Way::Components]
            .into_iter()
            .map(|way| {
                let (stage, tally, inside) = (&stage, &tally, &inside);
                scope.spawn(move || {
                    for number in 0..tries() / 2 {
                        open(stage, way, number, (inside, outside), tally);
                    }
                })
            })
            .collect();
        for worker in workers {
            // A failed worker must not leave the swapping thread running.
            let ended = worker.join();
            if ended.is_err() {
                done.store(true, Ordering::Relaxed);
            }
            ended.expect("no escape");
        }
        done.store(true, Ordering::Relaxed);
    });
    assert_eq!(
        std::fs::read(stage.at("out/m.rs")).expect("read"),
        b"outside"
    );
    let names = std::fs::read_dir(stage.at("out")).expect("a directory");
    assert_eq!(names.count(), 2, "nothing was made outside");
    // The test means something only when all three answers came.
    let seen =
        [&tally.opened, &tally.raced, &tally.outside].map(|count| count.load(Ordering::Relaxed));
    assert!(seen.iter().all(|count| *count > 0), "{seen:?}");
    println!("opened, raced, outside: {seen:?}");
}

fn identity(stage: &Stage, name: &str) -> Identity {
    Identity::of(&rustix::fs::stat(stage.at(name)).expect("there"))
}

fn open(
    stage: &Stage,
    way: Way,
    number: u64,
    (inside, outside): (&OwnedFd, Identity),
    tally: &Tally,
) {
    let mut root = stage.root();
    root.way = way;
    let made = format!("src/made-{way:?}-{number}");
    let (path, operation) = match number % 5 {
        0 => ("src/m.rs", Operation::Read),
        1 => ("src/m.rs", Operation::Write),
        2 => ("f", Operation::Write),
        3 => ("src/../f", Operation::Read),
        _ => (made.as_str(), Operation::Create),
    };
    let checked = match root.check(path.as_bytes(), operation, None) {
        Ok(checked) => checked,
        Err(Refusal::Outside) => return count(&tally.outside),
        // `..` or a name changed under the walk.
        Err(_) => return count(&tally.raced),
    };
    match checked.open() {
        Ok(mut opened) => {
            assert_ne!(opened.identity, outside, "{path}");
            if operation.changes() {
                opened.file.write_all(b"inside").expect("written");
            }
            if operation == Operation::Create {
                // By descriptor: by name this might take away what was made outside.
                let name = made.trim_start_matches("src/");
                rustix::fs::unlinkat(inside, name, AtFlags::empty()).expect("made inside");
            }
            count(&tally.opened);
        }
        Err(_) => count(&tally.raced),
    }
}

fn count(number: &AtomicU64) {
    number.fetch_add(1, Ordering::Relaxed);
}
