//! The system call filter: what is refused whatever a program says.
//!
//! The table is short and names what no other layer holds: doors into the kernel with a history,
//! descriptors that reach beyond the namespaces, and what would undo the other layers. Calls are
//! refused with `EPERM`; those that a C library tries first and replaces get `ENOSYS`.

use std::collections::BTreeMap;
use std::io;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen as Length, SeccompCmpOp as Op, SeccompCondition,
    SeccompFilter, SeccompRule, sock_filter,
};

use crate::profile::Filter;

/// Compiled filters, in the order in which they are installed.
#[derive(Clone, Debug)]
pub(crate) struct Filters(Vec<BpfProgram>);

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Whether the sandbox has a network of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sockets {
    /// It has: what happens there reaches nobody.
    Own,
    /// It shares the machine's, and may not use it.
    Refused,
}

/// Compiles the filters of a profile.
pub(crate) fn compile(filter: Filter, sockets: Sockets) -> io::Result<Filters> {
    let mut refused = refused(filter)?;
    conditional(&mut refused, filter, sockets)?;
    // Its mode is in memory, too; programs open files without it then.
    let mut unknown: Rules = Rules::from([(libc::SYS_openat2, Vec::new())]);
    if !filter.nested {
        // Its flags are in memory, where no filter sees them.
        unknown.insert(libc::SYS_clone3, Vec::new());
    }
    let mut programs = vec![entry()];
    for (rules, errno) in [(refused, libc::EPERM), (unknown, libc::ENOSYS)] {
        if rules.is_empty() {
            continue;
        }
        let action = SeccompAction::Errno(u32::try_from(errno).unwrap_or(1));
        let arch = std::env::consts::ARCH.try_into().map_err(fault)?;
        let filter =
            SeccompFilter::new(rules, SeccompAction::Allow, action, arch).map_err(fault)?;
        programs.push(filter.try_into().map_err(fault)?);
    }
    Ok(Filters(programs))
}

impl Filters {
    /// Installs them, for this process and all that it starts. It gains no privileges any more
    /// from then on.
    pub(crate) fn install(&self) -> io::Result<()> {
        for program in &self.0 {
            seccompiler::apply_filter(program).map_err(|why| match why {
                seccompiler::Error::Prctl(why) | seccompiler::Error::Seccomp(why) => why,
                other => fault(other),
            })?;
        }
        Ok(())
    }
}

fn fault(why: impl std::error::Error + Send + Sync + 'static) -> io::Error {
    io::Error::other(why)
}

/// What is refused whatever its arguments are.
fn refused(filter: Filter) -> io::Result<Rules> {
    let mut calls = vec![
        // Other ways to make calls, past this filter.
        libc::SYS_io_uring_setup,
        libc::SYS_io_uring_enter,
        libc::SYS_io_uring_register,
        // Large and old surfaces of the kernel.
        libc::SYS_userfaultfd,
        libc::SYS_bpf,
        libc::SYS_perf_event_open,
        libc::SYS_kexec_load,
        libc::SYS_kexec_file_load,
        libc::SYS_init_module,
        libc::SYS_finit_module,
        libc::SYS_delete_module,
        libc::SYS_acct,
        libc::SYS_swapon,
        libc::SYS_swapoff,
        libc::SYS_reboot,
        libc::SYS_quotactl,
        libc::SYS_quotactl_fd,
        libc::SYS_syslog,
        libc::SYS_lookup_dcookie,
        libc::SYS_nfsservctl,
        // Key rings are the user's, not the namespace's.
        libc::SYS_keyctl,
        libc::SYS_add_key,
        libc::SYS_request_key,
        // Files and descriptors past every path.
        libc::SYS_open_by_handle_at,
        libc::SYS_pidfd_getfd,
        libc::SYS_fanotify_init,
    ];
    #[cfg(target_arch = "x86_64")]
    calls.extend([
        libc::SYS_iopl,
        libc::SYS_ioperm,
        libc::SYS_uselib,
        libc::SYS__sysctl,
        libc::SYS_modify_ldt,
    ]);
    if filter.strict {
        calls.extend([
            libc::SYS_ptrace,
            libc::SYS_process_vm_readv,
            libc::SYS_process_vm_writev,
            libc::SYS_kcmp,
            libc::SYS_process_madvise,
            libc::SYS_inotify_init1,
            libc::SYS_inotify_add_watch,
            libc::SYS_shmget,
            libc::SYS_shmat,
            libc::SYS_shmctl,
            libc::SYS_msgget,
            libc::SYS_semget,
            libc::SYS_mq_open,
            libc::SYS_name_to_handle_at,
        ]);
        #[cfg(target_arch = "x86_64")]
        calls.push(libc::SYS_inotify_init);
    }
    if filter.strict || !filter.nested {
        calls.extend([
            libc::SYS_setns,
            libc::SYS_unshare,
            libc::SYS_mount,
            libc::SYS_umount2,
            libc::SYS_move_mount,
            libc::SYS_open_tree,
            libc::SYS_mount_setattr,
            libc::SYS_fsopen,
            libc::SYS_fsconfig,
            libc::SYS_fsmount,
            libc::SYS_fspick,
            libc::SYS_pivot_root,
            libc::SYS_chroot,
        ]);
    }
    Ok(calls.into_iter().map(|call| (call, Vec::new())).collect())
}

/// What is refused for some arguments.
fn conditional(rules: &mut Rules, filter: Filter, sockets: Sockets) -> io::Result<()> {
    let mut refuse = |call: i64, conditions: Vec<SeccompCondition>| -> io::Result<()> {
        let rule = SeccompRule::new(conditions).map_err(fault)?;
        rules.entry(call).or_default().push(rule);
        Ok(())
    };
    // What is typed into a terminal is somebody else's.
    for request in [libc::TIOCSTI, libc::TIOCLINUX] {
        let is = condition(1, Length::Dword, Op::Eq, request)?;
        refuse(libc::SYS_ioctl, vec![is])?;
    }
    // Nobody inside sets the supervisor's limits: without descriptors it reads no scripts.
    let supervisor = condition(0, Length::Dword, Op::Eq, 1)?;
    refuse(libc::SYS_prlimit64, vec![supervisor])?;
    families(&mut refuse, filter, sockets)?;
    privileged(&mut refuse, filter)?;
    if !filter.nested {
        for flag in [
            libc::CLONE_NEWUSER,
            libc::CLONE_NEWNS,
            libc::CLONE_NEWPID,
            libc::CLONE_NEWNET,
            libc::CLONE_NEWIPC,
            libc::CLONE_NEWUTS,
            libc::CLONE_NEWCGROUP,
        ] {
            let flag = flag as u32;
            let set = condition(0, Length::Dword, Op::MaskedEq(flag.into()), flag.into())?;
            refuse(libc::SYS_clone, vec![set])?;
        }
    }
    if !filter.run_from_memory {
        const SEALED: u64 = libc::MFD_NOEXEC_SEAL as u64;
        let open = condition(1, Length::Dword, Op::MaskedEq(SEALED), 0)?;
        refuse(libc::SYS_memfd_create, vec![open])?;
    }
    if sockets == Sockets::Refused {
        // It connects without `connect`.
        const FAST_OPEN: u64 = libc::MSG_FASTOPEN as u64;
        for (call, argument) in [
            (libc::SYS_sendto, 3),
            (libc::SYS_sendmsg, 2),
            (libc::SYS_sendmmsg, 3),
        ] {
            let set = condition(argument, Length::Dword, Op::MaskedEq(FAST_OPEN), FAST_OPEN)?;
            refuse(call, vec![set])?;
        }
    }
    Ok(())
}

/// Programs that run as whoever owns them: what is left in a working directory would be one for
/// everybody on the machine, and root's when root runs the sandbox.
fn privileged(
    refuse: &mut impl FnMut(i64, Vec<SeccompCondition>) -> io::Result<()>,
    filter: Filter,
) -> io::Result<()> {
    const FCHMODAT2: i64 = 452;
    // It does not come with `O_CREAT`.
    const UNNAMED: u64 = (libc::O_TMPFILE & !libc::O_DIRECTORY) as u64;
    const CREATE: u64 = libc::O_CREAT as u64;
    let set = |argument, bits: u64| condition(argument, Length::Dword, Op::MaskedEq(bits), bits);
    let mut modes = vec![u64::from(libc::S_ISUID)];
    if filter.strict {
        // Ordinary programs set it for directories.
        modes.push(u64::from(libc::S_ISGID));
    }
    for mode in modes {
        let mut calls = vec![
            (libc::SYS_fchmod, 1),
            (libc::SYS_fchmodat, 2),
            (FCHMODAT2, 2),
            (libc::SYS_mknodat, 2),
        ];
        #[cfg(target_arch = "x86_64")]
        calls.extend([
            (libc::SYS_chmod, 1),
            (libc::SYS_creat, 1),
            (libc::SYS_mknod, 1),
        ]);
        for (call, argument) in calls {
            refuse(call, vec![set(argument, mode)?])?;
        }
        for flag in [CREATE, UNNAMED] {
            refuse(libc::SYS_openat, vec![set(2, flag)?, set(3, mode)?])?;
            #[cfg(target_arch = "x86_64")]
            refuse(libc::SYS_open, vec![set(1, flag)?, set(2, mode)?])?;
        }
    }
    Ok(())
}

/// Families of sockets: everything but those that are listed here.
fn families(
    refuse: &mut impl FnMut(i64, Vec<SeccompCondition>) -> io::Result<()>,
    filter: Filter,
    sockets: Sockets,
) -> io::Result<()> {
    let mut allowed = vec![libc::AF_NETLINK];
    if filter.unix_sockets {
        allowed.push(libc::AF_UNIX);
    }
    if sockets == Sockets::Own {
        allowed.extend([libc::AF_INET, libc::AF_INET6]);
    }
    let mut other = Vec::new();
    for family in allowed {
        other.push(condition(0, Length::Dword, Op::Ne, family as u64)?);
    }
    refuse(libc::SYS_socket, other)?;
    // Of netlink, what lists interfaces.
    refuse(
        libc::SYS_socket,
        vec![
            condition(0, Length::Dword, Op::Eq, libc::AF_NETLINK as u64)?,
            condition(2, Length::Dword, Op::Ne, libc::NETLINK_ROUTE as u64)?,
        ],
    )?;
    // A pair reaches nobody but its makers; other families have no business there.
    refuse(
        libc::SYS_socketpair,
        vec![condition(0, Length::Dword, Op::Ne, libc::AF_UNIX as u64)?],
    )
}

fn condition(argument: u8, length: Length, op: Op, value: u64) -> io::Result<SeccompCondition> {
    SeccompCondition::new(argument, length, op, value).map_err(fault)
}

/// Calls by another entry: of another architecture they end the process, by the numbers of x32 they
/// do not exist. Neither is in the other filters' tables.
fn entry() -> BpfProgram {
    const LOAD: u16 = 0x20;
    const EQUAL: u16 = 0x15;
    const AT_LEAST: u16 = 0x35;
    const RETURN: u16 = 0x06;
    const NUMBER: u32 = 0;
    const ARCHITECTURE: u32 = 4;
    const X32: u32 = 0x4000_0000;
    let step = |code, jt, jf, k| sock_filter { code, jt, jf, k };
    #[cfg(target_arch = "x86_64")]
    let architecture = 0xc000_003e;
    #[cfg(target_arch = "aarch64")]
    let architecture = 0xc000_00b7;
    vec![
        step(LOAD, 0, 0, ARCHITECTURE),
        step(EQUAL, 1, 0, architecture),
        step(RETURN, 0, 0, libc::SECCOMP_RET_KILL_PROCESS),
        step(LOAD, 0, 0, NUMBER),
        step(AT_LEAST, 0, 1, X32),
        step(RETURN, 0, 0, libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32),
        step(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW),
    ]
}
