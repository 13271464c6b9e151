//! The filter that has calls held, and keeps what is held from being changed meanwhile.

use std::io;
use std::os::fd::OwnedFd;

use crate::sys::bpf::{
    ARCHITECTURE, NATIVE, NUMBER, Step, X32, answer, any, argument, at_least, equal, fail, listen,
    load,
};

/// Installs it, in the command, as the last step before its program. The descriptor goes to the
/// supervisor: from now on no program starts unless it says so.
pub(crate) fn install() -> io::Result<OwnedFd> {
    listen(&mut program())
}

const fn number(call: libc::c_long) -> u32 {
    call as u32
}

fn program() -> Vec<Step> {
    let held = answer(libc::SECCOMP_RET_USER_NOTIF);
    vec![
        load(ARCHITECTURE),
        equal(NATIVE, 1, 0),
        answer(libc::SECCOMP_RET_KILL_PROCESS),
        load(NUMBER),
        at_least(X32, 0, 1),
        fail(libc::ENOSYS),
        equal(number(libc::SYS_execve), 0, 1),
        held,
        equal(number(libc::SYS_execveat), 0, 1),
        held,
        // Whoever writes a stopped program's memory changes what was judged.
        equal(number(libc::SYS_ptrace), 0, 1),
        fail(libc::EPERM),
        equal(number(libc::SYS_process_vm_writev), 0, 1),
        fail(libc::EPERM),
        // Its flags are in memory, where no filter sees them; C libraries then use `clone`.
        equal(number(libc::SYS_clone3), 0, 1),
        fail(libc::ENOSYS),
        equal(number(libc::SYS_clone), 1, 0),
        answer(libc::SECCOMP_RET_ALLOW),
        load(argument(0)),
        any(libc::CLONE_UNTRACED.unsigned_abs(), 0, 1),
        fail(libc::EPERM),
        // Two processes with one working directory: one could move the other's after it was judged.
        any(libc::CLONE_FS.unsigned_abs(), 0, 2),
        any(libc::CLONE_THREAD.unsigned_abs(), 1, 0),
        fail(libc::EPERM),
        answer(libc::SECCOMP_RET_ALLOW),
    ]
}
