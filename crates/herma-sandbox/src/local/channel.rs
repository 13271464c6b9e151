//! What the processes of one run tell each other.
//!
//! The launcher has one end of a socket with messages; the supervisor and, until it becomes
//! another program, the command have the other. The kernel adds the sender's number as the
//! launcher sees it.

use std::io::{IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::PathBuf;

use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, SocketFlags, SocketType, recvmsg, sendmsg, socketpair,
};
use rustix::process::Pid;

use crate::Error;
use crate::guard::Stopped;

/// Longest message, in bytes.
const MAX_BYTES: usize = 16 << 10;

/// What the launcher is told.
#[derive(Debug)]
pub(super) enum Message {
    /// The terminal inside: the end that a person looks at.
    Terminal(OwnedFd),
    /// The command is about to become its program; its number as the launcher sees it.
    Ready(Pid),
    /// A step failed.
    Failed(Failure),
    /// The program cannot be run.
    NotRun(i32),
    /// The supervisor is there: asked by the launcher, with the same.
    Alive,
    /// The guard has stopped a program.
    Stopped(Stopped),
    /// The command has ended, with what `wait` says, and so many programs were started.
    Ended(i32, Option<u64>),
}

/// A step that failed inside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) step: String,
    pub(super) path: Option<PathBuf>,
    pub(super) errno: i32,
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        if failure.step.is_empty()
            && let Some(path) = failure.path
        {
            return Self::Changed(path);
        }
        Self::Inside {
            step: failure.step,
            path: failure.path,
            source: std::io::Error::from_raw_os_error(failure.errno),
        }
    }
}

/// Both ends of a channel; the first is the launcher's.
pub(super) fn pair() -> Result<(OwnedFd, OwnedFd), Errno> {
    let (mine, theirs) = socketpair(
        AddressFamily::UNIX,
        SocketType::SEQPACKET,
        SocketFlags::CLOEXEC,
        None,
    )?;
    rustix::net::sockopt::set_socket_passcred(&mine, true)?;
    Ok((mine, theirs))
}

/// Tells the launcher.
pub(super) fn send(channel: BorrowedFd<'_>, message: &Message) -> Result<(), Errno> {
    let number = |tag: u8, number: i32| {
        let mut bytes = vec![tag];
        bytes.extend_from_slice(&number.to_le_bytes());
        bytes
    };
    let mut descriptor = None;
    let bytes = match message {
        Message::Terminal(terminal) => {
            descriptor = Some(terminal.as_fd());
            vec![b'T']
        }
        Message::Ready(_) => vec![b'R'],
        Message::Alive => vec![b'A'],
        Message::NotRun(errno) => number(b'N', *errno),
        Message::Ended(status, started) => {
            let mut bytes = number(b'E', *status);
            bytes.extend(started.iter().flat_map(|it| it.to_le_bytes()));
            bytes
        }
        Message::Stopped(stopped) => {
            let mut bytes = vec![b'S'];
            for part in [stopped.rule.as_bytes(), stopped.why.as_bytes()] {
                bytes.extend_from_slice(part);
                bytes.push(0);
            }
            bytes.extend_from_slice(&stopped.arguments.join(&0));
            bytes.truncate(MAX_BYTES);
            bytes
        }
        Message::Failed(failure) => {
            let mut bytes = number(b'F', failure.errno);
            bytes.extend_from_slice(failure.step.as_bytes());
            if let Some(path) = &failure.path {
                bytes.push(0);
                bytes.extend_from_slice(path.as_os_str().as_encoded_bytes());
            }
            bytes.truncate(MAX_BYTES);
            bytes
        }
    };
    pass(channel, &bytes, descriptor)
}

/// Sends bytes, and a descriptor with them.
pub(super) fn pass(
    channel: BorrowedFd<'_>,
    bytes: &[u8],
    descriptor: Option<BorrowedFd<'_>>,
) -> Result<(), Errno> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    let descriptors: Vec<BorrowedFd<'_>> = descriptor.into_iter().collect();
    if !descriptors.is_empty() {
        ancillary.push(SendAncillaryMessage::ScmRights(&descriptors));
    }
    let flags = SendFlags::NOSIGNAL;
    sendmsg(channel, &[IoSlice::new(bytes)], &mut ancillary, flags)?;
    Ok(())
}

/// The next message; `None` when nobody is left at the other end.
pub(super) fn receive(channel: BorrowedFd<'_>) -> Result<Option<Message>, Errno> {
    let (bytes, descriptor, sender) = take(channel)?;
    let number = |bytes: &[u8]| bytes.first_chunk().map_or(0, |it| i32::from_le_bytes(*it));
    let Some((tag, rest)) = bytes.split_first() else {
        return Ok(None);
    };
    Ok(Some(match (tag, descriptor, sender) {
        (b'T', Some(terminal), _) => Message::Terminal(terminal),
        (b'R', _, Some(sender)) => Message::Ready(sender),
        (b'A', ..) => Message::Alive,
        (b'N', ..) => Message::NotRun(number(rest)),
        (b'E', ..) => {
            let started = rest.get(4..).and_then(<[u8]>::first_chunk);
            Message::Ended(number(rest), started.map(|it| u64::from_le_bytes(*it)))
        }
        (b'S', ..) => {
            let mut parts = rest.split(|it| *it == 0);
            let mut text =
                || String::from_utf8_lossy(parts.next().unwrap_or_default()).into_owned();
            let (rule, why) = (text(), text());
            Message::Stopped(Stopped {
                arguments: parts.map(<[u8]>::to_vec).collect(),
                rule,
                why,
            })
        }
        (b'F', ..) => {
            let mut parts = rest.get(4..).unwrap_or_default().splitn(2, |it| *it == 0);
            let step = parts.next().unwrap_or_default();
            Message::Failed(Failure {
                step: String::from_utf8_lossy(step).into_owned(),
                path: parts.next().map(path),
                errno: number(rest),
            })
        }
        _ => return Err(Errno::BADMSG),
    }))
}

/// Bytes of one message, with the descriptor and the sender that came with them.
pub(super) type Taken = (Vec<u8>, Option<OwnedFd>, Option<Pid>);

/// The next message as it came; without bytes when nobody is left at the other end.
pub(super) fn take(channel: BorrowedFd<'_>) -> Result<Taken, Errno> {
    match take_once(channel) {
        // The other end went before it read everything. What it said before is still there.
        Err(Errno::CONNRESET) => take_once(channel),
        taken => taken,
    }
}

fn take_once(channel: BorrowedFd<'_>) -> Result<Taken, Errno> {
    let mut bytes = vec![0; MAX_BYTES];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1), ScmCredentials(1))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    let got = recvmsg(
        channel,
        &mut [IoSliceMut::new(&mut bytes)],
        &mut ancillary,
        RecvFlags::CMSG_CLOEXEC,
    )?;
    bytes.truncate(got.bytes);
    let (mut descriptor, mut sender) = (None, None);
    for message in ancillary.drain() {
        match message {
            RecvAncillaryMessage::ScmRights(mut descriptors) => descriptor = descriptors.next(),
            RecvAncillaryMessage::ScmCredentials(credentials) => sender = Some(credentials.pid),
            _ => {}
        }
    }
    Ok((bytes, descriptor, sender))
}

fn path(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    std::ffi::OsStr::from_bytes(bytes).into()
}

#[cfg(test)]
#[allow(clippy::expect_used, clippy::panic, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn what_was_said_counts_when_the_other_end_leaves_a_question_unread() {
        let (mine, theirs) = pair().expect("a channel");
        send(mine.as_fd(), &Message::Alive).expect("asked");
        send(theirs.as_fd(), &Message::Ended(9, Some(2))).expect("said");
        drop(theirs);
        let said = receive(mine.as_fd());
        assert!(
            matches!(said, Ok(Some(Message::Ended(9, Some(2))))),
            "{said:?}"
        );
        assert!(matches!(receive(mine.as_fd()), Ok(None)));
    }
}
