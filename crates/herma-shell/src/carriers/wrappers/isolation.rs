//! Wrappers that change the user, the root or the namespaces.

use super::{HELP, Wrapper, wrapper};
use crate::carriers::options::Scan;
use crate::execution::Arg;
use crate::value::Value;

/// `chroot DIRECTORY program`
fn in_front(argv: &[Arg], _: &Scan, start: usize) -> Option<Value> {
    let before = argv.get(start.checked_sub(1)?)?;
    Some(before.value.clone())
}

/// `nsenter -t PID -m program`: the root of that process.
fn of_process(_: &[Arg], read: &Scan, _: usize) -> Option<Value> {
    let target = read.last(&["t", "target"])?;
    if !read.has(&["a", "all", "m", "mount", "r", "root"]) {
        return None;
    }
    let mut root = Value::computed(*b"/proc/");
    root.append(&target.value);
    root.push_text(b"/root", None);
    Some(root)
}

pub(super) static TABLE: &[Wrapper] = &[
    wrapper(
        &["pkexec"],
        "u:",
        "user= disable-internal-agent keep-cwd version help",
    ),
    wrapper(&["gosu", "su-exec", "s6-setuidgid"], "", "").skip(1),
    // macOS: `arch -x86_64 program`
    wrapper(&["arch"], "x::a::i::3::6::e:", ""),
    wrapper(
        &[
            "pfexec", "dzdo", "please", "gksudo", "kdesudo", "lxsudo", "beesu",
        ],
        "u:g:P:c:",
        "user= description= message=",
    )
    .text(&["c"]),
    wrapper(&["kdesu", "gksu"], "c:u:n:t", "user= noignorebutton").text(&["c"]),
    wrapper(&["arch-chroot"], "hNu:rS", "")
        .skip(1)
        .root(in_front),
    wrapper(
        &["systemd-nspawn"],
        "D:i:bu:M:S:p:L:Z:xaqUnPE:h",
        "directory= image= root-hash= oci-bundle= boot as-pid2 pivot-root= chdir= \
         user= machine= uuid= slice= property= register= keep-unit private-users? \
         private-network network-interface= network-macvlan= network-ipvlan= \
         network-veth network-bridge= network-zone= port= selinux-context= \
         capability= drop-capability= no-new-privileges? system-call-filter= \
         kill-signal= link-journal= read-only bind= bind-ro= inaccessible= tmpfs= \
         overlay= overlay-ro= setenv= suppress-sync= share-system volatile? \
         settings= notify-ready= console= pipe quiet ephemeral template= hostname= \
         rlimit= oom-score-adjust= cpu-affinity= personality= resolv-conf= \
         timezone= no-pager help version",
    ),
    wrapper(
        &["schroot", "dchroot"],
        "c:u:d:ap:s:n:o:qvrbeflik",
        "chroot= user= directory= all preserve-environment shell= session-name= \
         option= quiet verbose run-session begin-session end-session \
         recover-session list info config location",
    ),
    wrapper(
        &["rootlesskit", "slirp4netns-run"],
        "",
        "net= copy-up= port-driver= disable-host-loopback state-dir= mtu= cidr= \
         ifname= propagation= pidns cgroupns ipcns utsns detach-netns \
         evacuate-cgroup2= subid-source= reaper= copy-up-mode= publish= debug",
    ),
    wrapper(&["pct"], "", "keep-env").verb(&["exec"]).skip(1),
    wrapper(
        &["buildah"],
        "v:e:",
        "volume= env= user= workingdir= isolation= mount= network= cap-add= \
         cap-drop= hostname= runtime= runtime-flag= terminal tty contextdir= root= \
         runroot= storage-driver= storage-opt= log-level=",
    )
    .verb(&["run"])
    .skip(1),
    wrapper(&["setuidgid", "envuidgid"], "", "").skip(1),
    wrapper(&["chroot"], "", "groups= userspec= skip-chdir help version")
        .skip(1)
        .root(in_front),
    wrapper(
        &["fakeroot"],
        "l:s:i:u b:hv",
        "lib= faked= unknown-is-real fd-base= help version",
    ),
    wrapper(
        &["fakechroot"],
        "sd:l:e:c:b:hv",
        "use-system-libs elfloader= lib= environment= config-dir= bindir= help \
         version",
    ),
    wrapper(
        &["unshare"],
        "m::u::i::n::p::U::C::T::frcS:G:R:w:l:hV",
        "mount? uts? ipc? net? pid? user? cgroup? time? fork map-user= map-group= \
         map-users= map-groups= map-root-user map-current-user map-auto kill-child? \
         mount-proc? propagation= setgroups= keep-caps root= wd= setuid= setgid= \
         monotonic= boottime= mount-binfmt? load-interp= help version",
    )
    .queries(HELP)
    .cwd(&["w", "wd"]),
    wrapper(
        &["nsenter"],
        "at:m::u::i::n::p::C::U::T::N:S:G:r::w::W:eFcZhV",
        "all target= mount? uts? ipc? net? pid? cgroup? user? user-parent time? \
         net-socket= setuid= setgid= preserve-credentials keep-caps root? wd? wdns= \
         env no-fork join-cgroup follow-context help version",
    )
    .queries(HELP)
    .root(of_process),
    wrapper(
        &["setpriv"],
        "dhV",
        "dump no-new-privs ambient-caps= inh-caps= bounding-set= ruid= euid= rgid= \
         egid= reuid= regid= clear-groups keep-groups init-groups groups= list-caps \
         securebits= pdeathsig= ptracer= selinux-label= apparmor-profile= \
         landlock-access= landlock-rule= seccomp-filter= reset-env help version",
    )
    .queries(&["dump", "d", "list-caps", "help", "version", "h", "V"]),
    wrapper(
        &["firejail"],
        "c",
        "help version list tree top quiet noprofile net= name= profile= private? \
         bind= whitelist= blacklist= join= shell=",
    ),
    wrapper(
        &["bwrap"],
        "",
        "args= argv0= level-prefix userns= userns2= pidns= uid= gid= hostname= \
         chdir= setenv== unsetenv= lock-file= sync-fd= bind== bind-try== dev-bind== \
         dev-bind-try== ro-bind== ro-bind-try== remount-ro= proc= dev= tmpfs= \
         mqueue= dir= file== bind-data== ro-bind-data== symlink== seccomp= \
         add-seccomp-fd= block-fd= userns-block-fd= info-fd= json-status-fd= \
         exec-label= file-label= perms= size= chmod== cap-add= cap-drop= \
         overlay-src= overlay= tmp-overlay= ro-overlay= unshare-all share-net \
         unshare-user unshare-user-try unshare-ipc unshare-pid unshare-net \
         unshare-uts unshare-cgroup unshare-cgroup-try clearenv new-session \
         die-with-parent as-pid-1 disable-userns assert-userns-disabled help \
         version",
    ),
    wrapper(
        &["proot"],
        "r:b:q:w:m:v:k:0i:R:S:Vh",
        "rootfs= bind= qemu= pwd= cwd= verbose= kernel-release= root-id change-id= \
         help version",
    ),
    wrapper(
        &["setarch"],
        "hVvRFZLXBIST3",
        "help version verbose addr-no-randomize fdpic-funcptrs mmap-page-zero \
         addr-compat-layout read-implies-exec 32bit short-inode whole-seconds \
         sticky-timeouts 3gb 4gb uname-2.6 list show?",
    )
    .skip(1)
    .rescans()
    .queries(&["list", "show"]),
    wrapper(
        &[
            "linux32",
            "linux64",
            "i386",
            "x86_64",
            "i686",
            "personality",
        ],
        "hVvRFZLXBIST3",
        "help version verbose addr-no-randomize uname-2.6 32bit 3gb 4gb",
    ),
];
