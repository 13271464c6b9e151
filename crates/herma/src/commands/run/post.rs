//! The process outside that answers the hooks inside a run.
//!
//! It is a process of its own, so that a run's streams never wait for it, and it ends with the run.
//! Each event is judged by the hook as it is outside, in a process of its own: same words, same
//! codes, same trail. What comes from inside chooses nothing but the event and the host's name.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::{UnixListener, UnixStream};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use herma_hosts::Host;
use herma_sandbox::plan::Plan;
use herma_sandbox::post::{self, Post};
use rustix::event::{PollFd, PollFlags, poll};

use crate::commands::hook::relay::MAX_STREAM;
use crate::input;

/// The word that starts it; no command of a person's.
const WORD: &str = "answer-hooks";

/// Most events that are judged at once; more are turned away, which denies them.
const MAX_AT_ONCE: usize = 8;

/// Most events that are taken in a second; more wait.
const MAX_A_SECOND: u32 = 100;

/// How long an event may take to come in.
const READING: Duration = Duration::from_secs(2);

/// Most bytes of a host's name.
const MAX_NAME: usize = 64;

/// The process, for as long as the run lasts.
pub(super) struct Answering {
    child: Child,
    /// Closed by the end of this process, however it ends.
    _alive: OwnedFd,
}

impl Answering {
    /// Begins to answer at a post, and shows it in the plan.
    pub(super) fn begin(run: &Path, state: &Path, plan: &mut Plan) -> anyhow::Result<Self> {
        let program = std::env::current_exe().context("cannot tell where herma is")?;
        let post = Post::make(run).context("cannot make a place for the hook inside")?;
        let listener =
            listen(&post.socket()).context("cannot make a socket for the hook inside")?;
        let (read, alive) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?;
        let child = Command::new(&program)
            .arg("--home")
            .arg(state)
            .arg(WORD)
            .stdin(read)
            .stdout(OwnedFd::from(listener))
            .stderr(Stdio::null())
            // Keys of the terminal are for the command.
            .process_group(0)
            .spawn()
            .context("cannot start the process that answers the hook inside")?;
        post.add(plan, &program);
        Ok(Self {
            child,
            _alive: alive,
        })
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A socket at a path of any length.
fn listen(path: &Path) -> std::io::Result<UnixListener> {
    use std::os::fd::AsRawFd;
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(std::io::ErrorKind::InvalidInput.into());
    };
    let parent = std::fs::File::open(parent)?;
    let short = PathBuf::from(format!("/proc/self/fd/{}", parent.as_raw_fd()));
    UnixListener::bind(short.join(name))
}

/// The state directory, when these words are what [`Answering::begin`] starts.
pub(crate) fn recognise(words: impl Iterator<Item = OsString>) -> Option<PathBuf> {
    let words: Vec<OsString> = words.take(4).collect();
    match words.as_slice() {
        [home, state, word] if *home == "--home" && *word == WORD => Some(PathBuf::from(state)),
        _ => None,
    }
}

/// Answers until the run is over.
pub(crate) fn serve(state: PathBuf) -> ExitCode {
    let listener = rustix::stdio::stdout().try_clone_to_owned();
    let (Ok(listener), Ok(program)) = (listener, std::env::current_exe()) else {
        return ExitCode::FAILURE;
    };
    let listener = UnixListener::from(listener);
    if listener.local_addr().is_err() {
        return ExitCode::FAILURE;
    }
    let judge = Arc::new(Judge {
        program,
        state,
        busy: AtomicUsize::new(0),
    });
    let (mut second, mut taken) = (Instant::now(), 0);
    while waits(&listener) {
        let Ok((socket, _)) = listener.accept() else {
            std::thread::sleep(Duration::from_millis(10));
            continue;
        };
        if second.elapsed() >= Duration::from_secs(1) {
            (second, taken) = (Instant::now(), 0);
        }
        taken += 1;
        if taken > MAX_A_SECOND {
            std::thread::sleep(Duration::from_secs(1).saturating_sub(second.elapsed()));
        }
        if judge.busy.fetch_add(1, Ordering::SeqCst) >= MAX_AT_ONCE {
            judge.busy.fetch_sub(1, Ordering::SeqCst);
            continue;
        }
        let mine = Arc::clone(&judge);
        let spawned = std::thread::Builder::new().spawn(move || {
            let _ = mine.answer(socket);
            mine.busy.fetch_sub(1, Ordering::SeqCst);
        });
        if spawned.is_err() {
            judge.busy.fetch_sub(1, Ordering::SeqCst);
        }
    }
    ExitCode::SUCCESS
}

/// Waits for somebody who asks; false when the run is over.
fn waits(listener: &UnixListener) -> bool {
    let alive = rustix::stdio::stdin();
    loop {
        let mut fds = [
            PollFd::new(&alive, PollFlags::IN),
            PollFd::new(listener, PollFlags::IN),
        ];
        match poll(&mut fds, None) {
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return false,
            Ok(_) => {
                let [alive, _] = fds;
                return alive.revents().is_empty();
            }
        }
    }
}

struct Judge {
    program: PathBuf,
    state: PathBuf,
    busy: AtomicUsize,
}

impl Judge {
    fn answer(&self, mut socket: UnixStream) -> Option<()> {
        if !post::is_own(socket.as_fd()) {
            return None;
        }
        let asked = received(&mut socket)?;
        let end = asked.iter().take(MAX_NAME).position(|it| *it == b'\n')?;
        let (name, event) = asked.split_at_checked(end)?;
        let host = Host::from_name(std::str::from_utf8(name).ok()?)?;
        let mut child = Command::new(&self.program)
            .arg("--home")
            .arg(&self.state)
            .args(["hook", host.name()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .ok()?;
        // What the hook does not want to read it has refused.
        if let Some(mut input) = child.stdin.take() {
            let _ = input.write_all(event.get(1..)?);
        }
        let done = child.wait_with_output().ok()?;
        let code = u8::try_from(done.status.code()?).ok()?;
        let length = |bytes: &[u8]| {
            u32::try_from(bytes.len())
                .ok()
                .filter(|it| *it <= MAX_STREAM)
        };
        let mut reply = vec![code];
        reply.extend(length(&done.stdout)?.to_le_bytes());
        reply.extend(length(&done.stderr)?.to_le_bytes());
        reply.extend(done.stdout);
        reply.extend(done.stderr);
        socket.set_write_timeout(Some(READING)).ok()?;
        socket.write_all(&reply).ok()
    }
}

/// Everything that the other end sends, if it comes in time and is no longer than an event may be.
fn received(socket: &mut UnixStream) -> Option<Vec<u8>> {
    let until = Instant::now() + READING;
    // The hook itself refuses an event that is one byte too long, and says so.
    let most = usize::try_from(input::TEXT_LIMIT).ok()? + 1 + MAX_NAME;
    let (mut all, mut part) = (Vec::new(), vec![0; 1 << 16]);
    loop {
        let left = until.checked_duration_since(Instant::now())?;
        socket
            .set_read_timeout(Some(left.max(Duration::from_millis(1))))
            .ok()?;
        match socket.read(&mut part).ok()? {
            0 => return Some(all),
            read => all.extend_from_slice(part.get(..read)?),
        }
        if all.len() > most {
            return None;
        }
    }
}
