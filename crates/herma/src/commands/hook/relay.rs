//! The hook inside a run: the process outside judges, and this one hands on.
//!
//! Inside, neither the state directory nor the configuration is there. What is sent is the host's
//! name, a newline and the event; what comes back is the exit code and both streams, each with its
//! length. Whatever else happens is a denial.

use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::mpsc::sync_channel;
use std::time::Duration;

use herma_hosts::{Host, Reply};
use herma_sandbox::post;

use crate::input;

/// How long an answer may take. The process outside has a deadline of its own below this, and the
/// host gives up after ten seconds.
const PATIENCE: Duration = Duration::from_millis(9_000);

/// Most bytes of an answer's stream.
pub(crate) const MAX_STREAM: u32 = 1 << 20;

/// The exit code and the lengths of both streams.
pub(crate) const HEADER: usize = 9;

/// Whether this process is inside a run. No variable says so: a run's first process, or its post.
pub(crate) fn is_inside() -> bool {
    super::super::run::is_inside() || Path::new(post::PLACE).symlink_metadata().is_ok()
}

/// Asks the process outside.
pub(super) fn reply(host: Host) -> Reply {
    let (sender, receiver) = sync_channel(1);
    let spawned = std::thread::Builder::new().spawn(move || {
        let _ = sender.send(ask(host));
    });
    let answer = match spawned {
        Ok(_) => receiver
            .recv_timeout(PATIENCE)
            .unwrap_or(Err("the herma outside this run did not answer in time")),
        Err(_) => Err("cannot start a thread to ask outside this run"),
    };
    answer.unwrap_or_else(|why| host.refusal(&format!("herma: {why}; denied")))
}

fn ask(host: Host) -> Result<Reply, &'static str> {
    let mut event = Vec::new();
    std::io::stdin()
        .lock()
        // One byte too many is for the judge to refuse.
        .take(input::TEXT_LIMIT + 1)
        .read_to_end(&mut event)
        .map_err(|_| "cannot read the hook's input")?;
    let mut socket = UnixStream::connect(post::SOCKET)
        .map_err(|_| "the herma outside this run cannot be reached")?;
    if !post::is_outside(socket.as_fd()) {
        return Err("what answers in the place of the herma outside this run is inside it");
    }
    exchange(&mut socket, host, &event)
        .ok_or("the herma outside this run gave no answer, as when it is asked too much")
}

fn exchange(socket: &mut UnixStream, host: Host, event: &[u8]) -> Option<Reply> {
    socket.set_read_timeout(Some(PATIENCE)).ok()?;
    socket.set_write_timeout(Some(PATIENCE)).ok()?;
    socket.write_all(host.name().as_bytes()).ok()?;
    socket.write_all(b"\n").ok()?;
    socket.write_all(event).ok()?;
    socket.shutdown(Shutdown::Write).ok()?;
    let mut header = [0; HEADER];
    socket.read_exact(&mut header).ok()?;
    let [code, a, b, c, d, e, f, g, h] = header;
    let mut stream = |length: u32| {
        let length = usize::try_from(length.min(MAX_STREAM)).ok()?;
        let mut bytes = vec![0; length];
        socket.read_exact(&mut bytes).ok()?;
        Some(bytes)
    };
    Some(Reply {
        code,
        stdout: stream(u32::from_le_bytes([a, b, c, d]))?,
        stderr: stream(u32::from_le_bytes([e, f, g, h]))?,
    })
}
