//! What this machine lets a sandbox be made of: tried, not read from version numbers.

use std::os::fd::{AsFd, OwnedFd};

use rustix::process::{Pid, WaitOptions};

use super::channel::{self, Message};
use super::{root, supervisor};
use crate::Error;
use crate::plan::{Mount, Plan};
use crate::profile::{Filter, Limits, Network};
use crate::sys::clone::{self, Namespaces, Side, leave};
use crate::sys::filter::{self, Sockets};

/// What was found.
#[derive(Debug)]
#[non_exhaustive]
pub struct Support {
    /// Namespaces with a view of the file system of their own; the step that failed.
    pub namespaces: Result<(), Error>,
    /// Landlock's version; `None` when there is none.
    pub landlock: Option<u32>,
    /// Filters of system calls; the kernel's answer.
    pub filter: Result<(), Error>,
}

/// Tries everything. This process has one thread.
///
/// # Errors
/// [`Error::System`], when not even a process can be made.
pub fn probe() -> Result<Support, Error> {
    let user = supervisor::user();
    Ok(Support {
        namespaces: within(Namespaces::All, || {
            supervisor::map(user)?;
            crate::sys::loopback::up()
                .map_err(|why| Error::system("switch the loopback interface on", why))?;
            root::enter(&small())
        })?,
        landlock: crate::sys::landlock::version(),
        filter: within(Namespaces::None, || {
            let strict = Filter {
                strict: true,
                nested: false,
                unix_sockets: false,
                run_from_memory: false,
            };
            filter::compile(strict, Sockets::Refused)
                .and_then(|it| it.install())
                .map_err(|why| Error::system("filter system calls", why))
        })?,
    })
}

/// Does something in a process of its own.
fn within(
    namespaces: Namespaces,
    what: impl FnOnce() -> Result<(), Error>,
) -> Result<Result<(), Error>, Error> {
    let (mine, theirs) = channel::pair().map_err(|why| Error::system("make a channel", why))?;
    let pid = match clone::fork(namespaces) {
        Err(why) if namespaces == Namespaces::None => {
            return Err(Error::system("start a process", why));
        }
        Err(why) => return Ok(Err(Error::system("make namespaces", why))),
        Ok(Side::Parent(pid, _)) => pid,
        Ok(Side::Child) => {
            if let Err(why) = what() {
                let failure = Message::Failed(supervisor::failure(&why));
                let _ = channel::send(theirs.as_fd(), &failure);
            }
            leave(0)
        }
    };
    drop(theirs);
    Ok(answer(&mine, pid))
}

fn answer(channel: &OwnedFd, pid: Pid) -> Result<(), Error> {
    let said = channel::receive(channel.as_fd());
    let ended = rustix::process::waitpid(Some(pid), WaitOptions::empty());
    match said {
        Ok(Some(Message::Failed(failure))) => Err(failure.into()),
        _ if ended.is_ok_and(|it| it.is_some_and(|(_, it)| it.exit_status() == Some(0))) => Ok(()),
        _ => Err(Error::Killed),
    }
}

/// A view with something of every kind.
fn small() -> Plan {
    Plan {
        mounts: vec![
            Mount::Proc { to: "/proc".into() },
            Mount::Dev { to: "/dev".into() },
            Mount::Bind {
                from: "/usr".into(),
                to: "/usr".into(),
                write: false,
            },
        ],
        placeholders: Vec::new(),
        repositories: Vec::new(),
        environment: Vec::new(),
        limits: Limits {
            memory: None,
            file: None,
            temporary: 1 << 20,
            tasks: None,
            open_files: None,
            cpu: None,
            time: None,
        },
        network: Network::None,
        filter: Filter {
            strict: true,
            nested: false,
            unix_sockets: false,
            run_from_memory: false,
        },
        landlock: Vec::new(),
        cwd: "/".into(),
        working_tree: None,
        hostname: String::new(),
        notes: Vec::new(),
    }
}
