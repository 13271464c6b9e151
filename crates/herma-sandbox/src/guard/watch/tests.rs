//! The guard against a kernel in which anything that can happen does, in any order.

#![allow(clippy::expect_used, clippy::panic, reason = "tests")]

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;

/// No process has such a number.
const FIRST: i32 = 10_000_000;

/// Few, so that numbers are used again.
const NUMBERS: i32 = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Running,
    /// In a call that is held, taken or not.
    Held(u64),
    /// In a call that goes on.
    Starting,
    /// Stopped for its follower.
    Stopped,
    /// Stopped in a new program, before its first instruction.
    Loaded,
}

#[derive(Clone, Copy, Debug)]
struct Thread {
    process: i32,
    state: State,
    followed: bool,
    /// It stops when it is back in its program.
    asked: bool,
}

/// A kernel that ends the test when it is asked for what would be a hole or a deadlock.
#[derive(Default)]
struct Fake {
    threads: BTreeMap<i32, Thread>,
    /// Calls that are held.
    calls: BTreeMap<u64, i32>,
    untaken: VecDeque<Held>,
    news: VecDeque<Waited>,
    made: u64,
    loaded: u64,
    killed: u64,
    went_on: u64,
}

impl Fake {
    fn siblings(&self, process: i32) -> Vec<i32> {
        let all = self.threads.iter();
        all.filter(|(_, it)| it.process == process)
            .map(|(number, _)| *number)
            .collect()
    }

    fn set(&mut self, thread: i32, state: State) {
        if let Some(it) = self.threads.get_mut(&thread) {
            it.state = state;
        }
    }

    /// Threads in one of some states, one of which is chosen.
    fn one(&self, which: u8, fits: impl Fn(&Thread) -> bool) -> Option<i32> {
        let all: Vec<i32> = self
            .threads
            .iter()
            .filter(|(_, it)| fits(it))
            .map(|(number, _)| *number)
            .collect();
        let index = usize::from(which).checked_rem(all.len())?;
        all.get(index).copied()
    }

    fn end(&mut self, thread: i32) {
        let Some(gone) = self.threads.remove(&thread) else {
            return;
        };
        self.calls.retain(|_, it| *it != thread);
        // Whoever is dead is not reported as stopped.
        self.news.retain(|it| match it {
            Waited::Became(it) | Waited::Stopped(it) | Waited::Signal { thread: it, .. } => {
                *it != thread
            }
            Waited::Ended(..) => true,
        });
        if gone.followed {
            self.news.push_back(Waited::Ended(thread, 9));
        }
    }

    /// A new thread of a process, or of its own.
    fn begin(&mut self, of: Option<i32>) {
        let free = (FIRST..FIRST + NUMBERS).find(|it| {
            let is_known = self.news.iter().any(|news| *news == Waited::Ended(*it, 9));
            // Nor is a number free while a process still has it.
            let is_process = self.threads.values().any(|thread| thread.process == *it);
            !self.threads.contains_key(it) && !is_known && !is_process
        });
        if let Some(number) = free {
            let process = of
                .and_then(|it| self.threads.get(&it))
                .map_or(number, |it| it.process);
            let thread = Thread {
                process,
                state: State::Running,
                followed: false,
                asked: false,
            };
            self.threads.insert(number, thread);
        }
    }

    fn call(&mut self, thread: i32) {
        self.made += 1;
        self.set(thread, State::Held(self.made));
        self.calls.insert(self.made, thread);
        self.untaken.push_back(Held {
            id: self.made,
            thread,
        });
    }

    /// A followed thread stops: it was asked to, or a signal came.
    fn stop(&mut self, thread: i32, by_signal: bool) {
        if let Some(Thread {
            state: State::Held(id),
            ..
        }) = self.threads.get(&thread).copied()
        {
            self.calls.remove(&id);
        }
        if !by_signal && self.threads.get(&thread).is_some_and(|it| !it.asked) {
            // Nobody hears that the call has failed.
            return self.set(thread, State::Running);
        }
        self.set(thread, State::Stopped);
        self.news.push_back(if by_signal {
            Waited::Signal { thread, signal: 10 }
        } else {
            Waited::Stopped(thread)
        });
    }

    /// A call succeeds: the other threads end, and the one that is left gets the process's number.
    fn load(&mut self, thread: i32) {
        let Some(it) = self.threads.get(&thread).copied() else {
            return;
        };
        for sibling in self.siblings(it.process) {
            if sibling != thread {
                let other = self.threads.get(&sibling).expect("a thread");
                assert!(!other.followed, "it waits for a thread that is followed");
                self.end(sibling);
            }
        }
        self.threads.remove(&thread);
        let loaded = Thread {
            state: State::Loaded,
            ..it
        };
        self.threads.insert(it.process, loaded);
        self.loaded += 1;
        self.news.push_back(Waited::Became(it.process));
    }

    fn is_untaken(&self, id: u64) -> bool {
        self.untaken.iter().any(|it| it.id == id)
    }

    fn can_stop(&self, thread: &Thread) -> bool {
        thread.asked
            && match thread.state {
                State::Running => true,
                State::Held(id) => self.is_untaken(id),
                _ => false,
            }
    }

    /// Something happens.
    fn happen(&mut self, what: u8, which: u8) {
        let starting = |it: &Thread| it.state == State::Starting;
        let thread = match what {
            0..=5 => self.one(which, |it| it.state == State::Running),
            6..=8 => self.one(which, starting),
            9 => self.one(which, |it| self.can_stop(it)),
            _ => self.one(which, |_| true),
        };
        match (what, thread) {
            (0..=5, Some(thread)) => self.call(thread),
            (6, Some(thread)) => self.load(thread),
            (7, Some(thread)) => self.stop(thread, false),
            (8, Some(thread)) => self.stop(thread, true),
            (9, Some(thread)) => self.stop(thread, which.is_multiple_of(2)),
            (10, Some(thread)) => {
                let process = self.threads.get(&thread).expect("a thread").process;
                for thread in self.siblings(process) {
                    self.end(thread);
                }
            }
            (11..=13, thread) => self.begin(thread),
            (14, _) => self.begin(None),
            _ => {}
        }
    }
}

impl Kernel for Fake {
    fn take(&mut self) -> io::Result<Held> {
        while let Some(held) = self.untaken.pop_front() {
            if self.calls.contains_key(&held.id) {
                return Ok(held);
            }
        }
        Err(io::Error::from_raw_os_error(libc::ENOENT))
    }

    fn is_held(&self, held: Held) -> bool {
        self.calls.contains_key(&held.id)
    }

    fn go_on(&mut self, held: Held) {
        let Some(thread) = self.calls.remove(&held.id) else {
            return;
        };
        let it = self.threads.get(&thread).expect("a thread");
        assert!(it.followed, "a call goes on that nobody follows");
        self.went_on += 1;
        self.set(thread, State::Starting);
    }

    fn refuse(&mut self, held: Held) {
        if let Some(thread) = self.calls.remove(&held.id) {
            self.set(thread, State::Running);
        }
    }

    fn seize(&mut self, thread: i32) -> io::Result<()> {
        let Some(it) = self.threads.get(&thread).copied() else {
            return Err(io::Error::from_raw_os_error(libc::ESRCH));
        };
        for sibling in self.siblings(it.process) {
            let other = self.threads.get(&sibling).expect("a thread");
            assert!(!other.followed, "two threads of a process are followed");
        }
        self.threads.get_mut(&thread).expect("a thread").followed = true;
        Ok(())
    }

    fn interrupt(&mut self, thread: i32) -> io::Result<()> {
        let it = self.threads.get_mut(&thread).expect("a thread");
        assert!(it.followed);
        it.asked = true;
        Ok(())
    }

    fn release(&mut self, thread: i32, _: i32) {
        let it = self.threads.get_mut(&thread).expect("a thread");
        assert!(it.followed && matches!(it.state, State::Stopped | State::Loaded));
        (it.followed, it.asked) = (false, false);
        it.state = State::Running;
    }

    fn kill(&mut self, process: i32, _: &[u8]) {
        let it = self.threads.get(&process).expect("a process");
        assert_eq!(it.state, State::Loaded);
        self.killed += 1;
        self.end(process);
    }

    fn wait(&mut self) -> Option<Waited> {
        self.news.pop_front()
    }

    fn process(&self, thread: i32) -> Option<i32> {
        self.threads.get(&thread).map(|it| it.process)
    }
}

/// Kills every third program, and counts.
#[derive(Default)]
struct Third {
    judged: u64,
    processes: BTreeSet<i32>,
}

impl Judge for Third {
    fn judge(&mut self, program: &Program) -> Ruling {
        self.judged += 1;
        self.processes.insert(program.process());
        if self.judged.is_multiple_of(3) {
            Ruling::Kill {
                rule: "rule".to_owned(),
                why: "why".to_owned(),
            }
        } else {
            Ruling::Run
        }
    }
}

fn silence(_: &Stopped) -> Vec<u8> {
    Vec::new()
}

/// Runs it, and lets everything come to rest.
fn play(steps: &[(u8, u8)]) -> (u64, u64) {
    let mut judge = Third::default();
    let mut watch = Watch::new(Fake::default(), &mut judge, silence);
    watch.kernel.begin(None);
    for (what, which) in steps {
        match what {
            15..=19 if !watch.kernel.untaken.is_empty() => watch.take(),
            20..=24 => watch.news(|_, _| {}),
            _ => watch.kernel.happen(*what, *which),
        }
    }
    for round in 0..10_000_u32 {
        let kernel = &mut watch.kernel;
        let busy: Vec<i32> = kernel.threads.keys().copied().collect();
        for thread in busy {
            let Some(it) = kernel.threads.get(&thread).copied() else {
                continue;
            };
            match it.state {
                State::Starting if u32::is_multiple_of(round, 2) => kernel.load(thread),
                State::Starting => kernel.stop(thread, false),
                _ if kernel.can_stop(&it) => kernel.stop(thread, false),
                _ => {}
            }
        }
        if !watch.kernel.untaken.is_empty() {
            watch.take();
        }
        watch.news(|_, _| {});
        let kernel = &watch.kernel;
        if kernel.untaken.is_empty()
            && kernel.news.is_empty()
            && kernel
                .threads
                .values()
                .all(|it| it.state == State::Running && !it.followed)
        {
            break;
        }
    }
    let kernel = &watch.kernel;
    assert!(kernel.calls.is_empty(), "a call is not answered");
    assert!(watch.followed.is_empty(), "{:?}", watch.followed);
    assert!(watch.waiting.is_empty(), "{:?}", watch.waiting);
    for (number, thread) in &kernel.threads {
        assert!(
            thread.state == State::Running && !thread.followed,
            "{number}: {thread:?}"
        );
    }
    let (started, loaded, killed) = (watch.started, kernel.loaded, kernel.killed);
    let (went_on, stopped) = (kernel.went_on, watch.stopped().len());
    drop(watch);
    assert_eq!((judge.judged, killed), (started, stopped as u64));
    // Whoever was killed meanwhile needs no judgement.
    assert!(started <= loaded && loaded <= went_on);
    (started, loaded)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_call_goes_on_unwatched_and_nothing_waits_for_ever(
        steps in proptest::collection::vec((0_u8..25, any::<u8>()), 0..200)
    ) {
        play(&steps);
    }
}

#[test]
fn calls_of_one_process_are_followed_one_after_another() {
    // Three threads of a process, and their calls.
    let mut steps = vec![(11, 0), (11, 0), (0, 0), (0, 0), (0, 0)];
    steps.extend([(15, 0); 3]);
    let (started, loaded) = play(&steps);
    // The first one becomes the program; the others end with it.
    assert_eq!((started, loaded), (1, 1));
    // It fails: the next one does.
    steps.extend([(7, 0), (20, 0)]);
    assert_eq!(play(&steps), (1, 1));
}
