//! The command: the last steps before it becomes the program.

use std::ffi::{CString, OsStr, OsString};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rustix::process::{DumpableBehavior, Resource, Rlimit};
use rustix::thread::{CapabilitiesSecureBits, CapabilitySet, CapabilitySets};

use super::access::{self, Reach};
use super::channel::{self, Message};
use super::rung::{self, Rung};
use crate::Error;
use crate::plan::{PathRule, Plan};
use crate::profile::Limits;
use crate::sys::clone::leave;
use crate::sys::descriptors::{close_from, put, put_closing};
use crate::sys::exec::execve;
use crate::sys::filter::Filters;
use crate::sys::signals::{self, Mask};

/// The number of the channel while the command gets ready.
const CHANNEL: i32 = 3;

/// The number of the way to the supervisor, by which the guard's descriptor goes.
const GUARD: i32 = 4;

/// What the command is made from; everything that can be is made before.
pub(super) struct Command<'a> {
    pub(super) arguments: &'a [OsString],
    pub(super) plan: &'a Plan,
    pub(super) rung: &'a Rung,
    pub(super) filters: &'a Filters,
    pub(super) mask: &'a Mask,
    /// The caller's limit of the stack.
    pub(super) stack: Rlimit,
}

/// Standard input, output and error, and the terminal among them.
pub(super) struct Streams {
    pub(super) streams: [OwnedFd; 3],
    pub(super) terminal: Option<OwnedFd>,
}

/// Becomes the program; says why when it cannot.
pub(super) fn become_program(
    command: &Command<'_>,
    streams: &Streams,
    channel: BorrowedFd<'_>,
    guard: Option<BorrowedFd<'_>>,
) -> ! {
    let (channel, guard) = match begin(streams, channel, guard) {
        Ok(both) => both,
        Err(why) => {
            let _ = channel::send(channel, &Message::Failed(super::supervisor::failure(&why)));
            leave(125)
        }
    };
    let Err(why) = prepare(command, channel.as_fd(), guard);
    let message = match why {
        Stop::Failed(why) => Message::Failed(super::supervisor::failure(&why)),
        Stop::NotRun(why) => Message::NotRun(why.raw_os_error().unwrap_or(libc::EIO)),
    };
    let _ = channel::send(channel.as_fd(), &message);
    leave(125)
}

enum Stop {
    Failed(Error),
    NotRun(io::Error),
}

impl From<Error> for Stop {
    fn from(why: Error) -> Self {
        Self::Failed(why)
    }
}

/// Begins a session of its own, with the streams where they belong. Of other descriptors the channel
/// and the way to the supervisor stay, under new numbers.
fn begin(
    streams: &Streams,
    channel: BorrowedFd<'_>,
    guard: Option<BorrowedFd<'_>>,
) -> Result<(OwnedFd, Option<OwnedFd>), Error> {
    let at = |step| move |why: io::Error| Error::system(step, why);
    // As in a fresh process: what may be looked at of it is for its own program to say.
    rustix::process::set_dumpable_behavior(DumpableBehavior::Dumpable)
        .map_err(|why| Error::system("be visible", why))?;
    rustix::process::setsid().map_err(|why| Error::system("begin a session", why))?;
    if let Some(terminal) = &streams.terminal {
        rustix::process::ioctl_tiocsctty(terminal)
            .map_err(|why| Error::system("take the terminal", why))?;
    }
    arrange(streams, channel, guard).map_err(at("arrange descriptors"))?;
    // Nothing else is open but 0 to 2.
    let guard = guard.map(|_| crate::sys::descriptors::owned(GUARD));
    Ok((crate::sys::descriptors::owned(CHANNEL), guard))
}

fn prepare(
    command: &Command<'_>,
    channel: BorrowedFd<'_>,
    guard: Option<OwnedFd>,
) -> Result<std::convert::Infallible, Stop> {
    let plan = command.plan;
    let at = |step| move |why: io::Error| Error::system(step, why);
    rustix::process::chdir(&plan.cwd).map_err(|why| Error::file("enter", plan.cwd.clone(), why))?;
    rustix::process::setrlimit(Resource::Stack, command.stack)
        .map_err(|why| Error::system("set limits", why))?;
    limit(&plan.limits).map_err(at("set limits"))?;
    renounce().map_err(at("give up capabilities"))?;
    rustix::thread::set_no_new_privs(true)
        .map_err(|why| Error::system("refuse new privileges", why))?;
    let mut environment = plan.environment.clone();
    match command.rung {
        Rung::Namespaces => {
            let everything = [PathRule {
                path: "/".into(),
                create: false,
            }];
            access::confine(&everything, &plan.landlock, Reach::OwnNetwork)
        }
        Rung::Confined { scratch } => {
            let confinement = rung::confinement(plan, scratch);
            environment = confinement.environment;
            access::confine(&confinement.read, &confinement.write, Reach::NoNetwork)
        }
    }
    .map_err(at("confine with Landlock"))?;
    command
        .filters
        .install()
        .map_err(at("filter system calls"))?;
    channel::send(channel, &Message::Ready(rustix::process::getpid()))
        .map_err(|why| Error::system("say that all is ready", why))?;
    signals::default(libc::SIGPIPE).map_err(at("set signals"))?;
    signals::restore(command.mask).map_err(at("set signals"))?;
    if let Some(guard) = guard {
        // Last: its own program is the first that is held.
        let listener = crate::guard::install().map_err(at("be told of programs"))?;
        channel::pass(guard.as_fd(), b"G", Some(listener.as_fd()))
            .map_err(|why| Error::system("hand the guard over", why))?;
    }
    Err(Stop::NotRun(exec(command.arguments, &environment)))
}

/// 0 to 2, the channel, the way to the supervisor, and nothing else.
fn arrange(
    streams: &Streams,
    channel: BorrowedFd<'_>,
    guard: Option<BorrowedFd<'_>>,
) -> io::Result<()> {
    // None of the sources may be in the way of a target.
    let above = |fd: BorrowedFd<'_>| crate::sys::descriptors::above(fd, GUARD + 1);
    let [input, output, error] = &streams.streams;
    let sources = [
        above(input.as_fd())?,
        above(output.as_fd())?,
        above(error.as_fd())?,
    ];
    let channel = above(channel)?;
    let guard = guard.map(above).transpose()?;
    for (number, source) in (0..).zip(&sources) {
        put(source.as_fd(), number)?;
    }
    put_closing(channel.as_fd(), CHANNEL)?;
    if let Some(guard) = &guard {
        put_closing(guard.as_fd(), GUARD)?;
    }
    let free = if guard.is_some() { GUARD + 1 } else { GUARD };
    close_from(free, &[])?;
    // They are closed; their numbers may be somebody else's.
    for gone in sources.into_iter().chain([channel]).chain(guard) {
        debug_assert!(gone.as_raw_fd() > GUARD);
        std::mem::forget(gone);
    }
    Ok(())
}

fn limit(limits: &Limits) -> io::Result<()> {
    for (resource, most) in [
        (Resource::Core, Some(0)),
        (Resource::Data, limits.memory),
        (Resource::Fsize, limits.file),
        (Resource::Nproc, limits.tasks),
        (Resource::Nofile, limits.open_files),
        (Resource::Cpu, limits.cpu),
    ] {
        let Some(most) = most else {
            continue;
        };
        let now = rustix::process::getrlimit(resource);
        let hard = now.maximum.map_or(most, |hard| hard.min(most));
        let soft = match resource {
            // Programs that ask for more raise it themselves; `select` knows no number above 1024.
            Resource::Nofile => now.current.map_or(hard, |soft| soft.min(hard)),
            _ => now.current.map_or(hard, |soft| soft.min(hard)),
        };
        let limit = Rlimit {
            current: Some(soft),
            maximum: Some(hard),
        };
        rustix::process::setrlimit(resource, limit)?;
    }
    Ok(())
}

/// Gives up every capability, now and for the user 0 later, for ever.
fn renounce() -> io::Result<()> {
    let held = rustix::thread::capabilities(None)?;
    if !held.effective.contains(CapabilitySet::SETPCAP) {
        // Who cannot give them up for ever has none, or is bound by `no_new_privs` soon.
        return drop_all();
    }
    for capability in CapabilitySet::all() {
        match rustix::thread::remove_capability_from_bounding_set(capability) {
            // One that this kernel does not know.
            Ok(()) | Err(rustix::io::Errno::INVAL) => {}
            Err(why) => return Err(why.into()),
        }
    }
    rustix::thread::set_capabilities_secure_bits(
        CapabilitiesSecureBits::NO_ROOT
            | CapabilitiesSecureBits::NO_ROOT_LOCKED
            | CapabilitiesSecureBits::NO_SETUID_FIXUP
            | CapabilitiesSecureBits::NO_SETUID_FIXUP_LOCKED
            | CapabilitiesSecureBits::KEEP_CAPS_LOCKED
            | CapabilitiesSecureBits::NO_CAP_AMBIENT_RAISE
            | CapabilitiesSecureBits::NO_CAP_AMBIENT_RAISE_LOCKED,
    )?;
    drop_all()
}

fn drop_all() -> io::Result<()> {
    rustix::thread::clear_ambient_capability_set()?;
    let none = CapabilitySets {
        effective: CapabilitySet::empty(),
        permitted: CapabilitySet::empty(),
        inheritable: CapabilitySet::empty(),
    };
    rustix::thread::set_capabilities(None, none)?;
    Ok(())
}

/// Runs the program, found as a shell would find it. Comes back only when it cannot.
fn exec(arguments: &[OsString], environment: &[(OsString, OsString)]) -> io::Error {
    let string = |bytes: &[u8]| CString::new(bytes).ok();
    let listed: Option<Vec<CString>> = arguments.iter().map(|it| string(it.as_bytes())).collect();
    let environment: Option<Vec<CString>> = environment
        .iter()
        .map(|(name, value)| string(&[name.as_bytes(), b"=", value.as_bytes()].concat()))
        .collect();
    let (Some(listed), Some(environment), Some(name)) = (listed, environment, arguments.first())
    else {
        return io::Error::from_raw_os_error(libc::EINVAL);
    };
    let mut worst = io::Error::from_raw_os_error(libc::ENOENT);
    for path in candidates(name, &environment) {
        let Some(program) = string(path.as_bytes()) else {
            continue;
        };
        let why = execve(&program, &listed, &environment);
        match why.raw_os_error() {
            Some(libc::ENOEXEC) => {
                // A script without a first line for the kernel.
                let mut script = vec![c"/bin/sh".to_owned(), program];
                script.extend(listed.iter().skip(1).cloned());
                return execve(c"/bin/sh", &script, &environment);
            }
            Some(libc::ENOENT | libc::ENOTDIR) => {}
            Some(libc::EACCES) => worst = why,
            _ => return why,
        }
    }
    worst
}

fn candidates(name: &OsStr, environment: &[CString]) -> Vec<OsString> {
    if name.as_bytes().contains(&b'/') {
        return vec![name.to_owned()];
    }
    if name.is_empty() {
        return Vec::new();
    }
    let set = environment
        .iter()
        .find_map(|it| it.as_bytes().strip_prefix(b"PATH="));
    let list = set.unwrap_or(b"/usr/local/bin:/usr/bin:/bin");
    list.split(|it| *it == b':')
        .map(|directory| Path::new(OsStr::from_bytes(directory)).join(name))
        // Looking is cheaper than a failed start.
        .filter(|path| rustix::fs::stat(path).is_ok())
        .map(Into::into)
        .collect()
}
