//! Why a sandbox cannot be made on a machine, and what helps.

use std::path::Path;

use herma_sandbox::Error;

/// A cause and its remedy, each half a sentence.
pub(crate) struct Remedy {
    pub(crate) cause: &'static str,
    pub(crate) help: &'static str,
}

/// What is known about namespaces that were refused.
pub(crate) fn namespaces(why: &Error) -> Remedy {
    let remedy = |cause, help| Remedy { cause, help };
    let errno = errno(why);
    if setting("kernel/unprivileged_userns_clone").as_deref() == Some("0") {
        return remedy(
            "the kernel's settings let ordinary users make no namespaces",
            "sysctl kernel.unprivileged_userns_clone=1, as root",
        );
    }
    if setting("user/max_user_namespaces").as_deref() == Some("0")
        || matches!(errno, Some(NO_SPACE | TOO_MANY_USERS))
    {
        return remedy(
            "the kernel's settings allow no more user namespaces",
            "sysctl user.max_user_namespaces=15000, as root",
        );
    }
    if setting("kernel/apparmor_restrict_unprivileged_userns").as_deref() == Some("1") {
        return remedy(
            "AppArmor lets only programs with a profile make namespaces",
            "put `abi <abi/4.0>, profile herma /path/to/herma flags=(unconfined) { userns, }` \
             into /etc/apparmor.d/herma and run apparmor_parser -r /etc/apparmor.d/herma, as root",
        );
    }
    let contained = ["/.dockerenv", "/run/.containerenv"];
    if contained.iter().any(|it| Path::new(it).exists())
        || std::env::var_os("KUBERNETES_SERVICE_HOST").is_some()
    {
        return remedy(
            "this is a container whose own filter refuses namespaces or mounts",
            "start it with --security-opt seccomp=unconfined --security-opt apparmor=unconfined \
             --security-opt systempaths=unconfined",
        );
    }
    match errno {
        Some(INVALID | NO_CALL) => remedy(
            "the kernel was built without some namespaces, or is older than 5.12",
            "use a newer kernel",
        ),
        _ => remedy(
            "something around this process refuses namespaces or mounts",
            "run herma outside of chroots, containers and other sandboxes",
        ),
    }
}

/// Why programs cannot be followed.
pub(crate) fn ptrace() -> &'static str {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let tracer = status
        .lines()
        .find_map(|it| it.strip_prefix("TracerPid:"))
        .map(str::trim);
    if setting("kernel/yama/ptrace_scope").as_deref() == Some("3") {
        "the kernel's settings let nobody use ptrace (kernel.yama.ptrace_scope is 3)"
    } else if tracer.is_some_and(|it| it != "0") {
        "another program, such as a debugger, follows this one"
    } else {
        "the kernel or what is around this process, such as a container's filter, refuses ptrace"
    }
}

const INVALID: i32 = 22;
const NO_SPACE: i32 = 28;
const NO_CALL: i32 = 38;
const TOO_MANY_USERS: i32 = 87;

fn errno(why: &Error) -> Option<i32> {
    match why {
        Error::System { source, .. }
        | Error::File { source, .. }
        | Error::Inside { source, .. } => source.raw_os_error(),
        _ => None,
    }
}

fn setting(name: &str) -> Option<String> {
    let text = std::fs::read_to_string(Path::new("/proc/sys").join(name)).ok()?;
    Some(text.trim().to_owned())
}
