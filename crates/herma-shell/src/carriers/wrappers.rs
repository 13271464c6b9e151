//! Programs that start the program named by their first operand and do little else.

use crate::execution::Arg;

use super::options::{Scan, Spec, scan};
use super::words::{assignments, behind};
use super::{Command, Payload, Step};

/// A program whose operands are another program and its arguments.
pub(super) struct Wrapper {
    names: &'static [&'static str],
    spec: Spec,
    /// Operands in front of the program.
    positionals: usize,
    /// `NAME=value` words may stand in front of the program.
    assigns: bool,
    /// Options that make it run nothing.
    queries: &'static [&'static str],
    /// Options whose operand is shell text, run in place of a program.
    text: &'static [&'static str],
    /// Options whose operand is the working directory.
    cwd: &'static [&'static str],
    /// The program must stand behind a word such as `run`.
    verb: &'static [&'static str],
    /// The program must stand behind `--`.
    separated: bool,
    /// Options may follow the operands in front of the program.
    rescans: bool,
}

const fn wrapper(
    names: &'static [&'static str],
    short: &'static str,
    long: &'static str,
) -> Wrapper {
    Wrapper {
        names,
        spec: Spec::new(short, long),
        positionals: 0,
        assigns: false,
        queries: &[],
        text: &[],
        cwd: &[],
        verb: &[],
        separated: false,
        rescans: false,
    }
}

impl Wrapper {
    const fn skip(self, positionals: usize) -> Self {
        Self {
            positionals,
            ..self
        }
    }
    const fn assigns(self) -> Self {
        Self {
            assigns: true,
            ..self
        }
    }
    const fn queries(self, queries: &'static [&'static str]) -> Self {
        Self { queries, ..self }
    }
    const fn text(self, text: &'static [&'static str]) -> Self {
        Self { text, ..self }
    }
    const fn cwd(self, cwd: &'static [&'static str]) -> Self {
        Self { cwd, ..self }
    }
    const fn verb(self, verb: &'static [&'static str]) -> Self {
        Self { verb, ..self }
    }
    const fn separated(self) -> Self {
        Self {
            separated: true,
            ..self
        }
    }
    const fn rescans(self) -> Self {
        Self {
            rescans: true,
            ..self
        }
    }
    const fn single_dash(self) -> Self {
        Self {
            spec: self.spec.single_dash(),
            ..self
        }
    }
}

const HELP: &[&str] = &["help", "version", "h", "V"];

static WRAPPERS: &[Wrapper] = &[
    // Privilege and isolation.
    wrapper(&["pkexec"], "u:", "user= disable-internal-agent keep-cwd version help"),
    wrapper(&["gosu", "su-exec"], "", "").skip(1),
    wrapper(&["setuidgid", "envuidgid"], "", "").skip(1),
    wrapper(&["chroot"], "", "groups= userspec= skip-chdir help version").skip(1),
    wrapper(&["fakeroot"], "l:s:i:u b:hv", "lib= faked= unknown-is-real fd-base= help version"),
    wrapper(&["fakechroot"], "sd:l:e:c:b:hv", "use-system-libs elfloader= lib= environment= config-dir= bindir= help version"),
    wrapper(
        &["unshare"],
        "m::u::i::n::p::U::C::T::frcS:G:R:w:l:hV",
        "mount? uts? ipc? net? pid? user? cgroup? time? fork map-user= map-group= map-users= \
         map-groups= map-root-user map-current-user map-auto kill-child? mount-proc? propagation= \
         setgroups= keep-caps root= wd= setuid= setgid= monotonic= boottime= mount-binfmt? \
         load-interp= help version",
    )
    .queries(HELP)
    .cwd(&["w", "wd"]),
    wrapper(
        &["nsenter"],
        "at:m::u::i::n::p::C::U::T::N:S:G:r::w::W:eFcZhV",
        "all target= mount? uts? ipc? net? pid? cgroup? user? user-parent time? net-socket= setuid= setgid= \
         preserve-credentials keep-caps root? wd? wdns= env no-fork join-cgroup follow-context help version",
    )
    .queries(HELP),
    wrapper(
        &["setpriv"],
        "dhV",
        "dump no-new-privs ambient-caps= inh-caps= bounding-set= ruid= euid= rgid= egid= reuid= regid= \
         clear-groups keep-groups init-groups groups= list-caps securebits= pdeathsig= ptracer= \
         selinux-label= apparmor-profile= landlock-access= landlock-rule= seccomp-filter= reset-env help version",
    )
    .queries(&["dump", "d", "list-caps", "help", "version", "h", "V"]),
    wrapper(&["firejail"], "c", "help version list tree top quiet noprofile net= name= profile= private? bind= whitelist= blacklist= join= shell="),
    wrapper(
        &["bwrap"],
        "",
        "args= argv0= level-prefix userns= userns2= pidns= uid= gid= hostname= chdir= setenv== unsetenv= lock-file= sync-fd= \
         bind== bind-try== dev-bind== dev-bind-try== ro-bind== ro-bind-try== remount-ro= proc= dev= tmpfs= mqueue= dir= file== \
         bind-data== ro-bind-data== symlink== seccomp= add-seccomp-fd= block-fd= userns-block-fd= info-fd= json-status-fd= \
         exec-label= file-label= perms= size= chmod== cap-add= cap-drop= overlay-src= overlay= tmp-overlay= ro-overlay= \
         unshare-all share-net unshare-user unshare-user-try unshare-ipc unshare-pid unshare-net unshare-uts \
         unshare-cgroup unshare-cgroup-try clearenv new-session die-with-parent as-pid-1 disable-userns \
         assert-userns-disabled help version",
    ),
    wrapper(&["proot"], "r:b:q:w:m:v:k:0i:R:S:Vh", "rootfs= bind= qemu= pwd= cwd= verbose= kernel-release= root-id change-id= help version"),
    wrapper(&["setarch"], "hVvRFZLXBIST3", "help version verbose addr-no-randomize fdpic-funcptrs mmap-page-zero addr-compat-layout read-implies-exec 32bit short-inode whole-seconds sticky-timeouts 3gb 4gb uname-2.6 list show?").skip(1).rescans().queries(&["list", "show"]),
    wrapper(&["linux32", "linux64", "i386", "x86_64", "i686", "personality"], "hVvRFZLXBIST3", "help version verbose addr-no-randomize uname-2.6 32bit 3gb 4gb"),
    // Scheduling, limits and surroundings.
    wrapper(&["nice"], "n:0123456789", "adjustment= help version").queries(&["help", "version"]),
    wrapper(&["nohup"], "", "help version").queries(&["help", "version"]),
    wrapper(&["setsid"], "cfwhV", "ctty fork wait help version").queries(HELP),
    wrapper(&["timeout", "gtimeout"], "fpk:s:v", "foreground preserve-status kill-after= signal= verbose help version")
        .skip(1)
        .queries(&["help", "version"]),
    wrapper(&["timelimit"], "pqt:T:s:S:", ""),
    wrapper(&["stdbuf"], "i:o:e:", "input= output= error= help version").queries(&["help", "version"]),
    wrapper(&["ionice"], "c:n:p:P:u:thV", "class= classdata= pid= pgid= uid= ignore help version")
        .queries(&["p", "pid", "P", "pgid", "u", "uid", "h", "help", "V", "version"]),
    wrapper(
        &["chrt"],
        "abefiodpmrRGvT:P:D:hV",
        "all-tasks batch deadline ext fifo idle other pid max rr reset-on-fork verbose sched-runtime= sched-period= \
         sched-deadline= help version",
    )
    .skip(1)
    .queries(&["p", "pid", "m", "max", "h", "help", "V", "version"]),
    wrapper(&["taskset"], "apchV", "all-tasks pid cpu-list help version")
        .skip(1)
        .queries(&["p", "pid", "h", "help", "V", "version"]),
    wrapper(&["time", "gtime"], "apqvVf:o:h", "append portability quiet verbose format= output= help version")
        .queries(&["help", "version", "V"]),
    wrapper(&["cpulimit"], "p:e:P:l:c:ivqzbfhm", "pid= exe= path= limit= cpu= include-children verbose quiet lazy background foreground help monitor-forks"),
    wrapper(&["cgexec"], "g:bsh", "sticky"),
    wrapper(&["numactl"], "i:p:P:w:N:C:m:lHsbh", "interleave= preferred= preferred-many= weighted-interleave= cpunodebind= physcpubind= membind= localalloc hardware show all cpubind= nodebind=")
        .queries(&["H", "hardware", "s", "show"]),
    wrapper(
        &["prlimit"],
        "p:o:c::d::e::f::i::l::m::n::q::r::s::t::u::v::x::y::hV",
        "pid= output= noheadings raw verbose core? data? nice? fsize? sigpending? memlock? rss? nofile? msgqueue? rtprio? \
         stack? cpu? nproc? as? locks? rttime? help version",
    )
    .queries(&["p", "pid", "h", "help", "V", "version"]),
    wrapper(&["chpst"], "u:U:b:e:m:d:o:p:f:c:t:r:/:n:l:L:vP012V", ""),
    wrapper(&["softlimit"], "a:c:d:f:l:m:o:p:r:s:t:", ""),
    wrapper(&["setlock"], "nNxX", "").skip(1),
    wrapper(&["envdir"], "", "").skip(1),
    wrapper(&["pgrphack", "fghack", "eatmydata", "catchsegv", "torify", "torsocks", "tsocks", "usewithtor", "unbuffer", "rlwrap", "stdoutisatty", "primusrun", "optirun", "prime-run", "gamemoderun", "mangohud", "chronic", "ifne", "caffeinate", "choom", "with-contenv", "tini", "dumb-init", "catatonit", "nocache", "sem", "pv-wrap", "errno-run", "cset"], "p:n:i:f:g:s:w:dt:c:", ""),
    wrapper(&["daemonize"], "ac:e:o:p:l:u:E:v", ""),
    wrapper(&["daemon"], "n:X:u:l:e:o:D:L:A:M:B:rfa:", "name= command= user= chroot= chdir= umask= env= inherit config= foreground output= stdout= stderr= respawn pidfile= pidfiles= running stop restart").text(&["X", "command"]).queries(&["running", "stop", "restart"]),
    wrapper(&["trickle"], "hVvsd:u:w:t:l:n:", ""),
    wrapper(&["proxychains", "proxychains4"], "qf:", ""),
    wrapper(&["faketime"], "mpf:", "help version").skip(1),
    wrapper(&["datefudge"], "s", "").skip(1),
    wrapper(&["logsave"], "asv", "").skip(1),
    wrapper(&["xvfb-run"], "ae:f:hln:p:s:w:", "auto-servernum error-file= auth-file= help listen-tcp server-num= xauth-protocol= server-args= wait="),
    wrapper(&["dbus-run-session"], "", "config-file= dbus-daemon= help version"),
    wrapper(&["dbus-launch"], "", "auto-syntax binary-syntax close-stderr exit-with-session sh-syntax csh-syntax autolaunch= config-file="),
    wrapper(&["ssh-agent"], "a:E:O:P:t:cdDks", "").queries(&["k"]),
    wrapper(&["systemd-inhibit"], "h", "what= who= why= mode= list no-pager no-legend no-ask-password help version").queries(&["list"]),
    wrapper(&["systemd-cat"], "t:p:h", "identifier= priority= stderr-priority= level-prefix= namespace= help version"),
    wrapper(&["coreutils"], "", "coreutils-prog= help version"),
    // Tracing and measuring.
    wrapper(
        &["strace"],
        "a:b:e:E:I:o:O:p:P:s:S:u:U:X:cCdDfFhiknNqrtTvVwxyYzZA",
        "attach= argv0= columns= daemonize? decode-fds? decode-pids= env= output= output-append-mode output-separately \
         trace= trace-path= abbrev= const-print-style= follow-forks help instruction-pointer interruptible= inject= fault= \
         quiet? raw= read= write= signal= stack-traces status= string-limit= strings-in-hex? summary summary-only \
         summary-sort-by= summary-columns= summary-wall-clock summary-syscall-overhead= syscall-number \
         syscall-times? timestamps? relative-timestamps? absolute-timestamps? tips? user= verbose= version \
         detach-on= kill-on-exit kvm? seccomp-bpf successful-only failed-only no-abbrev debug",
    )
    .queries(&["h", "help", "V", "version"]),
    wrapper(&["ltrace"], "a:A:D:e:F:l:n:o:p:s:u:w:x:bcCfhiLrStTV", "align= config= debug= demangle help indent= library= output= version where= no-signals"),
    wrapper(&["dtruss", "ktrace", "truss"], "a:b:f:g:n:p:t:o:s:cdefilLsS", ""),
    wrapper(
        &["valgrind"],
        "hqvd",
        "tool= help version quiet verbose trace-children= log-file= log-fd= xml= xml-file= leak-check= suppressions= num-callers=",
    ),
    wrapper(&["heaptrack"], "o:p:d:ra:h", "output= pid= debug raw analyze="),
    wrapper(
        &["perf"],
        "p:e:o:F:c:g:C:t:I:r:x:D:m:u:a S:T:d:nvsiABG:",
        "pid= event= output= freq= count= call-graph= cpu= tid= interval-print= repeat= field-separator= delay= \
         mmap-pages= uid= all-cpus post= pre= detailed no-inherit filter= switch-events timeout= per-thread cgroup=",
    )
    .verb(&["stat", "record", "trace", "mem", "sched", "lock", "kvm", "c2c", "timechart"])
    .text(&["pre", "post"]),
    wrapper(&["rr"], "nwu", "").verb(&["record"]),
    wrapper(&["uftrace"], "", "").verb(&["record", "live"]),
    wrapper(&["gdbserver"], "", "once multi attach wrapper= debug remote-debug disable-packet=").skip(1),
    wrapper(&["samply"], "r:o:s:", "rate= output= save-only").verb(&["record"]),
    wrapper(&["poop"], "d:", "duration="),
    wrapper(&["kcov"], "", "").skip(1),
    wrapper(&["bear"], "", "output= append config= force-preload force-wrapper verbose"),
    wrapper(&["scan-build"], "o:hkv", "use-cc= use-c++= status-bugs").single_dash(),
    // Tool chains.
    wrapper(&["npx", "bunx", "pnpx"], "p:c:yqn", "package= call= yes no no-install quiet ignore-existing shell-auto-fallback? workspace= workspaces prefix= bun verbose")
        .text(&["c", "call"]),
    wrapper(&["npm"], "p:c:yw:", "package= call= yes no workspace= workspaces prefix=")
        .verb(&["exec", "x"])
        .text(&["c", "call"]),
    wrapper(&["pnpm"], "C:crF:w", "dir= package= shell-mode recursive filter= workspace-root parallel").verb(&["dlx", "exec"]).cwd(&["C", "dir"]),
    wrapper(&["yarn"], "p:q", "package= quiet cwd=").verb(&["dlx", "exec"]),
    wrapper(&["bun"], "", "bun silent cwd= package=").verb(&["x"]),
    wrapper(&["uvx"], "p:w:cqnvi:f:C:P:", "from= with= with-editable= with-requirements= python= index= default-index= index-url= extra-index-url= find-links= env-file= directory= project= cache-dir= config-file= isolated refresh no-cache offline quiet verbose native-tls constraints= overrides="),
    wrapper(&["pipx"], "", "spec= python= pip-args= no-cache pypackages system-site-packages index-url= verbose quiet").verb(&["run"]),
    wrapper(
        &["uv"],
        "p:w:qvnmi:f:C:P:",
        "with= with-editable= with-requirements= python= extra= group= only-group= no-group= no-extra= package= directory= project= \
         env-file= index= default-index= index-url= extra-index-url= find-links= cache-dir= config-file= from= all-extras \
         no-dev only-dev all-groups isolated active no-sync locked frozen exact no-project no-config offline quiet verbose \
         no-cache refresh module script gui-script no-env-file no-editable all-packages native-tls",
    )
    .verb(&["run"]),
    wrapper(&["poetry", "pipenv", "pdm", "hatch", "rye", "pixi"], "C:P:e:p:qvns", "directory= project= python= manifest-path= environment= env= site-packages verbose quiet").verb(&["run"]),
    wrapper(&["bundle", "bundler"], "", "keep-file-descriptors gemfile= verbose").verb(&["exec", "exe", "e"]),
    wrapper(&["rbenv", "pyenv", "nodenv", "goenv", "jenv", "plenv", "phpenv", "opam"], "", "switch= root=").verb(&["exec"]),
    wrapper(&["asdf"], "", "").verb(&["exec"]),
    wrapper(&["mise", "rtx"], "C:E:c:j:qvy", "cd= env= command= jobs= raw quiet verbose yes").verb(&["exec", "x"]).text(&["c", "command"]).separated(),
    wrapper(&["rustup"], "", "install").verb(&["run"]).skip(1),
    wrapper(&["volta"], "", "node= npm= yarn= pnpm= bundled-npm no-yarn no-pnpm").verb(&["run"]),
    wrapper(&["fnm"], "", "using= log-level= fnm-dir=").verb(&["exec"]),
    wrapper(&["conda", "mamba", "micromamba"], "n:p:v", "name= prefix= cwd= no-capture-output live-stream verbose dev debug-wrapper-scripts").verb(&["run"]),
    wrapper(&["direnv"], "", "").verb(&["exec"]).skip(1),
    wrapper(&["aws-vault"], "d:njst", "duration= region= no-session server ecs-server stdout lazy mfa-token= prompt= debug backend= keychain=").verb(&["exec"]).skip(1).rescans(),
    wrapper(&["aws-okta", "saml2aws", "chamber", "granted"], "a:d:p:", "").verb(&["exec"]).separated(),
    wrapper(&["op"], "", "env-file= no-masking account= config=").verb(&["run"]),
    wrapper(&["doppler"], "p:c:t:", "project= config= token= command= preserve-env fallback= mount= name-transformer= scope=").verb(&["run"]).text(&["command"]),
    wrapper(&["infisical"], "", "env= path= command= token= projectId= watch").verb(&["run"]).text(&["command"]),
    wrapper(&["dotenv", "dotenvx"], "e:c::p:v:o f:q", "env-file= overload file= quiet").verb(&["run", "--"]),
    wrapper(&["env-cmd"], "f:r:e:", "file= rc-file= environments= fallback no-override silent use-shell verbose expand-envs"),
    wrapper(&["cross-env", "cross-env-shell"], "", "").assigns(),
    wrapper(&["dotenv-cli"], "e:", ""),
    wrapper(&["teller", "envchain", "berglas", "summon", "sops", "vaultenv", "secrethub"], "f:p:D:e:", "").verb(&["run", "exec", "exec-env"]),
    wrapper(&["nix-shell"], "p:A:I:E:j:Q", "run= command= packages attr= include= expr= pure arg= argstr= keep= option=").text(&["run", "command"]),
    wrapper(&["guix"], "D:f:m:e:NCPF", "pure container network").verb(&["shell", "environment"]).separated(),
    wrapper(&["flatpak-spawn"], "v", "forward-fd= clear-env watch-bus env= latest-version sandbox no-network directory= host"),
    wrapper(&["distrobox", "toolbox"], "n:c:r:e", "name= container= release= distro=").verb(&["enter", "run"]).separated(),
    wrapper(&["reflex"], "r:R:g:G:s d:e vS", "regex= inverse-regex= glob= inverse-glob= start-service decoration= substitute= sequential verbose"),
    wrapper(&["with-env", "withenv", "with-secrets", "with-lock", "with-retry", "retry"], "d:n:t:m:i:", "delay= times= min= max= until= while="),
    wrapper(&["xargo-wrapper", "sccache", "ccache", "distcc", "icecc"], "", "").queries(&[]),
    wrapper(&["wine", "wine64", "box64", "box86"], "", ""),
    wrapper(&["winpty"], "X:", "mouse show-key"),
    wrapper(&["start-cgi", "cgi-fcgi"], "", ""),
];

pub(super) fn carry(name: &str, command: &Command<'_>) -> Option<Vec<Step>> {
    let user_mode = name.starts_with("qemu-")
        && !name.starts_with("qemu-system")
        && name != "qemu-img"
        && name != "qemu-nbd";
    if name.starts_with("with-") || name.starts_with("run-with-") {
        return Some(run(&SURROUNDING, name, command.argv));
    }
    if name.starts_with("ld-linux") || name.starts_with("ld-musl") || name == "ld.so" || user_mode {
        return Some(run(&LOADER, name, command.argv));
    }
    let wrapper = WRAPPERS
        .iter()
        .find(|wrapper| wrapper.names.contains(&name))?;
    if !wrapper.verb.is_empty() && name == "bun" && !second_is(command.argv, wrapper.verb) {
        return None;
    }
    Some(run(wrapper, name, command.argv))
}

/// `with-secrets command…` and other wrappers of that name.
static SURROUNDING: Wrapper = wrapper(&[], "", "");

static LOADER: Wrapper = wrapper(
    &["ld.so"],
    "L:E:g:cpU:s:",
    "list verify inhibit-cache library-path= glibc-hwcaps-prepend= glibc-hwcaps-mask= inhibit-rpath= audit= preload= argv0= \
     list-tunables list-diagnostics help version",
)
.queries(&["list", "verify", "list-tunables", "list-diagnostics", "help", "version"]);

fn second_is(argv: &[Arg], verbs: &[&str]) -> bool {
    argv.get(1)
        .and_then(|arg| arg.value.bytes())
        .is_some_and(|word| verbs.iter().any(|verb| verb.as_bytes() == &*word))
}

fn run(wrapper: &Wrapper, name: &str, argv: &[Arg]) -> Vec<Step> {
    let mut from = 1;
    let mut via = name.to_owned();
    if !wrapper.verb.is_empty() {
        let Some((at, verb)) = find_verb(wrapper, argv) else {
            return Vec::new();
        };
        from = at + 1;
        if verb != "--" {
            via = format!("{name} {verb}");
        }
    }
    let read = scan(argv, from, &wrapper.spec);
    let words = Words {
        wrapper,
        via: &via,
        argv,
        from,
    };
    words.steps(&read)
}

/// The verb that makes the program run something, behind its global options.
fn find_verb(wrapper: &Wrapper, argv: &[Arg]) -> Option<(usize, &'static str)> {
    let read = scan(argv, 1, &wrapper.spec);
    let separated = argv.iter().position(|arg| arg.value.is(b"--"));
    read.starts.iter().find_map(|start| {
        let word = argv.get(*start)?.value.bytes()?;
        let found = wrapper
            .verb
            .iter()
            .find(|verb| verb.as_bytes() == &*word)
            .map(|verb| (*start, *verb));
        found.or_else(|| {
            let at = separated.filter(|at| at + 1 == *start)?;
            wrapper.verb.contains(&"--").then_some((at, "--"))
        })
    })
}

struct Words<'a> {
    wrapper: &'a Wrapper,
    via: &'a str,
    argv: &'a [Arg],
    from: usize,
}

impl Words<'_> {
    fn steps(&self, read: &Scan) -> Vec<Step> {
        if read.has(self.wrapper.queries) {
            return Vec::new();
        }
        let mut steps: Vec<Step> = read
            .all(self.wrapper.text)
            .map(|text| Step::text(self.via, text))
            .collect();
        let cwd = read.last(self.wrapper.cwd).map(|arg| arg.value.clone());
        let separator = self
            .argv
            .iter()
            .enumerate()
            .skip(self.from)
            .find(|(_, arg)| arg.value.is(b"--"))
            .map(|(index, _)| index + 1);
        let starts = if self.wrapper.separated {
            separator.into_iter().collect()
        } else {
            read.starts.clone()
        };
        let again: Vec<usize> = if self.wrapper.rescans {
            starts
                .iter()
                .flat_map(|start| {
                    scan(
                        self.argv,
                        start + self.wrapper.positionals,
                        &self.wrapper.spec,
                    )
                    .starts
                })
                .collect()
        } else {
            starts
                .iter()
                .map(|start| start + self.wrapper.positionals)
                .collect()
        };
        for start in again {
            let start = match self.argv.get(start) {
                Some(arg) if self.wrapper.positionals > 0 && arg.value.is(b"--") => start + 1,
                _ => start,
            };
            let (environment, start) = if self.wrapper.assigns {
                assignments(self.argv, start)
            } else {
                (Vec::new(), start)
            };
            let words = self.argv.get(start..).unwrap_or_default();
            if words.is_empty() {
                continue;
            }
            steps.push(Step::local(
                self.via,
                Payload::Argv {
                    words: words.to_vec(),
                    environment,
                    cwd: cwd.clone(),
                    input_taken: false,
                },
            ));
        }
        steps
    }
}

/// The text behind `name=` in a word, when it begins so.
pub(super) fn setting(arg: &Arg, name: &str) -> Option<Arg> {
    let head = arg.value.known_prefix();
    let rest = head.strip_prefix(name.as_bytes())?;
    (rest.first() == Some(&b'=')).then(|| behind(arg, name.len() + 1))
}
