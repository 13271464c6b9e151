//! The supervisor: process 1 inside.
//!
//! It makes the namespaces into a sandbox, starts the command, and reaps. Nothing from inside
//! reaches it: its memory cannot be looked at, and signals do not count. It becomes no other
//! program.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::process::{DumpableBehavior, Pid, Signal, WaitOptions};
use rustix::pty::OpenptFlags;
use rustix::termios::{OptionalActions, Termios, Winsize};
use rustix::thread::{CapabilitySet, CapabilitySets};

use super::channel::{self, Failure, Message};
use super::command::{self, Command, Streams};
use super::{Rung, root};
use crate::Error;
use crate::guard::{Judge, Listener, Stopped, Watch};
use crate::sys::clone::{self, Namespaces, Side, leave};
use crate::sys::{descriptors, loopback, memory, signals};

/// What other processes inside see as this one's command line.
const NAME: &[u8] = b"herma";

/// What the supervisor needs.
pub(super) struct Supervisor<'a, 'j> {
    /// Who judges programs; `None` when they are not watched.
    pub(super) judge: Option<&'j mut (dyn Judge + 'j)>,
    /// How a stopped program's caller is told.
    pub(super) announce: fn(&Stopped) -> Vec<u8>,
    pub(super) command: Command<'a>,
    pub(super) channel: OwnedFd,
    /// Ends of pipes for the streams that get no terminal.
    pub(super) pipes: [Option<OwnedFd>; 3],
    /// How the terminal behaves, when there is one.
    pub(super) terminal: Option<(Termios, Winsize)>,
    /// The user and the group; in the namespace they are nobody until they are mapped.
    pub(super) user: (u32, u32),
}

/// Runs the sandbox from inside. Never returns.
pub(super) fn run(supervisor: Supervisor<'_, '_>) -> ! {
    let channel = match supervisor.channel.try_clone() {
        Ok(channel) => channel,
        Err(_) => leave(125),
    };
    let Err(why) = start(supervisor, channel.as_fd());
    let _ = channel::send(channel.as_fd(), &Message::Failed(failure(&why)));
    leave(125)
}

/// `spare` is where the caller says what went wrong.
fn start(
    supervisor: Supervisor<'_, '_>,
    spare: BorrowedFd<'_>,
) -> Result<std::convert::Infallible, Error> {
    let Supervisor {
        judge,
        announce,
        command,
        channel,
        pipes,
        terminal,
        user,
    } = supervisor;
    let at = |step| move |why: io::Error| Error::system(step, why);
    let of = |step| move |why: Errno| Error::system(step, why);
    let own = matches!(command.rung, Rung::Namespaces);
    if own {
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL))
            .map_err(of("end with the launcher"))?;
        map(user)?;
    } else {
        // Whatever loses its parent becomes this one's, so that nothing is missed at the end.
        rustix::process::set_child_subreaper(Some(rustix::process::getpid()))
            .map_err(of("adopt orphans"))?;
    }
    if !is_open(channel.as_fd()) {
        leave(125);
    }
    quiet(&[channel.as_fd(), spare], &pipes).map_err(at("close descriptors"))?;
    memory::wipe(NAME).map_err(at("wipe the environment"))?;
    if own {
        rustix::system::sethostname(command.plan.hostname.as_bytes())
            .map_err(of("set the name"))?;
        loopback::up().map_err(at("switch the loopback interface on"))?;
        root::enter(command.plan)?;
    }
    let streams = streams(&channel, pipes, terminal)?;
    rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable)
        .map_err(of("hide its memory"))?;
    signals::block(&[libc::SIGCHLD]).map_err(at("watch children"))?;
    let children = signals::descriptor(&[libc::SIGCHLD]).map_err(at("watch children"))?;
    let handover = judge.is_some().then(channel::pair).transpose();
    let handover = handover.map_err(of("make a way for the guard"))?;
    let (mine, theirs) = handover.unzip();
    let child = match clone::fork(Namespaces::None).map_err(at("start the command"))? {
        Side::Child => {
            let guard = theirs.as_ref().map(AsFd::as_fd);
            command::become_program(&command, &streams, channel.as_fd(), guard)
        }
        Side::Parent(child, _) => child,
    };
    drop((streams, theirs));
    if own {
        renounce().map_err(of("give up capabilities"))?;
    }
    // Without a descriptor the command did not get that far, and says so itself.
    let listener = mine.and_then(|it| channel::take(it.as_fd()).ok()?.1);
    let guard = judge
        .zip(listener)
        .map(|(judge, listener)| Watch::new(Listener(listener), judge, announce));
    Inside {
        channel,
        children,
        child,
        own,
        guard,
        held: true,
        ended: None,
    }
    .watch()
}

/// What the supervisor watches.
struct Inside<'a> {
    channel: OwnedFd,
    children: OwnedFd,
    child: Pid,
    /// Whether the namespaces are the sandbox's own.
    own: bool,
    guard: Option<Watch<'a, Listener>>,
    /// Whether anything can still be held.
    held: bool,
    /// What `wait` says of the command.
    ended: Option<i32>,
}

impl Inside<'_> {
    /// Waits for the command, and for whatever process lost its parent.
    fn watch(mut self) -> Result<std::convert::Infallible, Error> {
        loop {
            self.news();
            if let Some(status) = self.ended {
                let started = self.guard.as_ref().map(Watch::started);
                let _ = channel::send(self.channel.as_fd(), &Message::Ended(status, started));
                end(self.own);
                leave(0);
            }
            let mut fds = vec![
                PollFd::new(&self.children, PollFlags::IN),
                PollFd::new(&self.channel, PollFlags::RDHUP | PollFlags::IN),
            ];
            let guard = self.guard.as_ref().filter(|_| self.held);
            let listener = guard.map(|it| it.kernel().as_fd());
            if let Some(listener) = &listener {
                fds.push(PollFd::new(listener, PollFlags::IN));
            }
            match poll(&mut fds, None) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(why) => return Err(Error::system("wait", why)),
            }
            let came: Vec<PollFlags> = fds.iter().map(PollFd::revents).collect();
            let launcher = came.get(1).copied().unwrap_or(PollFlags::ERR);
            if launcher.intersects(PollFlags::HUP | PollFlags::RDHUP | PollFlags::ERR) {
                end(self.own);
                leave(125);
            }
            if launcher.contains(PollFlags::IN) {
                // Nothing else is asked.
                let _ = channel::take(self.channel.as_fd());
                let _ = channel::send(self.channel.as_fd(), &Message::Alive);
            }
            let held = came.get(2).copied().unwrap_or(PollFlags::empty());
            if let Some(guard) = &mut self.guard
                && held.contains(PollFlags::IN)
            {
                guard.take();
                if let Some(why) = guard.unable() {
                    return Err(Error::system("follow programs", why));
                }
            } else if held.contains(PollFlags::HUP) {
                // The last one that could start anything is gone.
                self.held = false;
            }
            while signals::next(self.children.as_fd()).is_some() {}
        }
    }

    fn news(&mut self) {
        let (child, ended) = (self.child.as_raw_nonzero().get(), &mut self.ended);
        let mut note = |process: i32, status: i32| {
            if process == child {
                *ended = Some(status);
            }
        };
        match &mut self.guard {
            Some(guard) => {
                guard.news(note);
                for stopped in guard.stopped() {
                    let _ = channel::send(self.channel.as_fd(), &Message::Stopped(stopped));
                }
            }
            None => {
                while let Ok(Some((pid, status))) = rustix::process::wait(WaitOptions::NOHANG) {
                    note(pid.as_raw_nonzero().get(), status.as_raw());
                }
            }
        }
    }
}

/// Ends everything inside. With process 1 of a namespace the kernel does.
fn end(own: bool) {
    if own {
        return;
    }
    loop {
        let children = children(rustix::process::getpid());
        if children.is_empty() {
            return;
        }
        for child in children {
            let _ = rustix::process::kill_process(child, Signal::KILL);
        }
        // Their children are this process's from now on.
        let _ = rustix::process::wait(WaitOptions::empty());
    }
}

/// The processes whose parent this is.
fn children(parent: Pid) -> Vec<Pid> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let stats = entries.filter_map(|entry| {
        let pid: i32 = entry.file_name().to_str()?.parse().ok()?;
        let stat = std::fs::read(entry.path().join("stat")).ok()?;
        // The name may hold anything but ends with the last parenthesis.
        let behind = stat.rsplit(|it| *it == b')').next()?;
        let field = std::str::from_utf8(behind)
            .ok()?
            .split_ascii_whitespace()
            .nth(1)?;
        let above: i32 = field.parse().ok()?;
        (above == parent.as_raw_nonzero().get()).then_some(pid)
    });
    stats.filter_map(Pid::from_raw).collect()
}

/// The user and the group that this process runs as.
pub(super) fn user() -> (u32, u32) {
    (
        rustix::process::geteuid().as_raw(),
        rustix::process::getegid().as_raw(),
    )
}

/// Whether the launcher is still there.
fn is_open(channel: BorrowedFd<'_>) -> bool {
    let mut fds = [PollFd::new(&channel, PollFlags::RDHUP)];
    let now = rustix::time::Timespec::default();
    matches!(poll(&mut fds, Some(&now)), Ok(0))
}

/// The user inside is the user outside; nobody else exists.
pub(super) fn map((user, group): (u32, u32)) -> Result<(), Error> {
    for (file, text) in [
        ("/proc/self/setgroups", "deny".to_owned()),
        ("/proc/self/uid_map", format!("{user} {user} 1\n")),
        ("/proc/self/gid_map", format!("{group} {group} 1\n")),
    ] {
        std::fs::write(file, text).map_err(|why| Error::file("write", file, why))?;
    }
    Ok(())
}

/// Keeps what is needed and closes the rest; what it prints by mistake goes nowhere.
fn quiet(channels: &[BorrowedFd<'_>], pipes: &[Option<OwnedFd>; 3]) -> io::Result<()> {
    let null = rustix::fs::open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?;
    for number in 0..3 {
        descriptors::put_closing(null.as_fd(), number)?;
    }
    let mut kept = channels.to_vec();
    kept.extend(pipes.iter().flatten().map(AsFd::as_fd));
    kept.push(null.as_fd());
    descriptors::close_from(3, &kept)
}

/// Streams of the command: ends of pipes, and a terminal made inside for the others.
fn streams(
    channel: &OwnedFd,
    pipes: [Option<OwnedFd>; 3],
    terminal: Option<(Termios, Winsize)>,
) -> Result<Streams, Error> {
    let of = |step| move |why: Errno| Error::system(step, why);
    let terminal = match terminal {
        None => None,
        Some((behaviour, size)) => {
            let step = "make a terminal";
            let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
            let outer =
                rustix::fs::open(Path::new("/dev/ptmx"), flags, Mode::empty()).map_err(of(step))?;
            rustix::pty::unlockpt(&outer).map_err(of(step))?;
            let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
            let inner = rustix::pty::ioctl_tiocgptpeer(&outer, flags).map_err(of(step))?;
            rustix::termios::tcsetattr(&inner, OptionalActions::Now, &behaviour)
                .map_err(of(step))?;
            rustix::termios::tcsetwinsize(&inner, size).map_err(of(step))?;
            channel::send(channel.as_fd(), &Message::Terminal(outer)).map_err(of(step))?;
            Some(inner)
        }
    };
    let one = |pipe: Option<OwnedFd>| match (pipe, &terminal) {
        (Some(pipe), _) => Ok(pipe),
        (None, Some(terminal)) => terminal
            .try_clone()
            .map_err(|why| Error::system("copy the terminal", why)),
        (None, None) => {
            rustix::fs::open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())
                .map_err(of("open /dev/null"))
        }
    };
    let [input, output, error] = pipes;
    Ok(Streams {
        streams: [one(input)?, one(output)?, one(error)?],
        terminal,
    })
}

/// Of all capabilities, only what the guard needs stays: looking at processes.
fn renounce() -> Result<(), Errno> {
    let kept = CapabilitySet::SYS_PTRACE;
    rustix::thread::set_capabilities(
        None,
        CapabilitySets {
            effective: kept,
            permitted: kept,
            inheritable: CapabilitySet::empty(),
        },
    )
}

/// An error as the launcher is told of it.
pub(super) fn failure(why: &Error) -> Failure {
    let errno = |source: &io::Error| source.raw_os_error().unwrap_or(libc::EIO);
    match why {
        Error::System { step, source } => Failure {
            step: (*step).to_owned(),
            path: None,
            errno: errno(source),
        },
        Error::File { step, path, source } => Failure {
            step: (*step).to_owned(),
            path: Some(path.clone()),
            errno: errno(source),
        },
        Error::Changed(path) => Failure {
            step: String::new(),
            path: Some(path.clone()),
            errno: libc::ENOENT,
        },
        Error::Inside { step, path, source } => Failure {
            step: step.clone(),
            path: path.clone(),
            errno: errno(source),
        },
        other => Failure {
            step: other.to_string(),
            path: None,
            errno: 0,
        },
    }
}
