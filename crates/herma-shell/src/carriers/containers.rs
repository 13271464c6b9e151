//! Programs that run something in a container or a cluster.

use crate::execution::{Arg, Host};
use crate::syntax::Dialect;
use crate::value::Value;

use super::options::{Scan, Spec, scan};
use super::words::{behind, cells, collect, split_quoted};
use super::{Command, Step, shells};

static GLOBAL: Spec = Spec::new(
    "c:DH:l:vn:a:r",
    "config= context= debug host= log-level= tls tlscacert= tlscert= tlskey= \
         tlsverify version help namespace= address= connection= url= identity= \
         remote root= runroot= storage-driver= storage-opt= cgroup-manager= conmon= \
         events-backend= hooks-dir= module= network-cmd-path= network-config-dir= \
         out= runtime= runtime-flag= ssh= syslog tmpdir= transient-store \
         volumepath= imagestore= noout snapshotter= cni-path= data-root= \
         host-gateway-ip= hosts-dir= insecure-registry",
);
static RUN: Spec = Spec::new(
    "a:c:de:h:il:m:p:Pqtu:v:w:",
    "add-host= annotation= attach= blkio-weight= blkio-weight-device= cap-add= \
         cap-drop= cgroup-parent= cgroupns= cidfile= cpu-count= cpu-percent= \
         cpu-period= cpu-quota= cpu-rt-period= cpu-rt-runtime= cpu-shares= cpus= \
         cpuset-cpus= cpuset-mems= detach detach-keys= device= device-cgroup-rule= \
         device-read-bps= device-read-iops= device-write-bps= device-write-iops= \
         disable-content-trust? dns= dns-option= dns-opt= dns-search= domainname= \
         entrypoint= env= env-file= expose= gpus= group-add= health-cmd= \
         health-interval= health-retries= health-start-period= \
         health-start-interval= health-timeout= help hostname= init interactive \
         io-maxbandwidth= io-maxiops= ip= ip6= ipc= isolation= kernel-memory= \
         label= label-file= link= link-local-ip= log-driver= log-opt= mac-address= \
         memory= memory-reservation= memory-swap= memory-swappiness= mount= name= \
         network= net= network-alias= net-alias= no-healthcheck oom-kill-disable \
         oom-score-adj= pid= pids-limit= platform= privileged publish= publish-all \
         pull= quiet read-only? restart= rm runtime= security-opt= shm-size= \
         sig-proxy? stop-signal= stop-timeout= storage-opt= sysctl= tmpfs= tty \
         ulimit= use-api-socket user= userns= uts= volume= volume-driver= \
         volumes-from= workdir= arch= authfile= cgroup-conf= cgroups= chrootdirs= \
         conmon-pidfile= creds= cert-dir= decryption-key= env-host env-merge= \
         gidmap= group-entry= hostuser= http-proxy? image-volume= infra-name= \
         init-ctr= init-path= init-volume= no-hosts no-hostname os= passwd \
         passwd-entry= personality= pidfile= pod= pod-id-file= preserve-fd= \
         preserve-fds= read-only-tmpfs? replace requires= retry= retry-delay= rmi \
         rootfs sdnotify= seccomp-policy= secret= shm-size-systemd= subgidname= \
         subuidname= systemd= timeout= tls-verify? tz= uidmap= umask= unsetenv= \
         unsetenv-all variant=",
);
static EXEC: Spec = Spec::new(
    "de:itu:w:lc:",
    "detach detach-keys= env= env-file= interactive privileged tty user= \
         workdir= latest cidfile= preserve-fds= preserve-fd= no-session wait= help \
         index= no-TTY?",
);
static COMPOSE_GLOBAL: Spec = Spec::new(
    "f:p:vH:",
    "file= project-name= profile= env-file= project-directory= ansi= progress= \
         parallel= compatibility dry-run all-resources verbose host= context=",
);
static COMPOSE_RUN: Spec = Spec::new(
    "de:l:p:Pqtiv:w:u:T",
    "build cap-add= cap-drop= detach entrypoint= env= env-from-file= \
         interactive? label= name= no-TTY? no-deps publish= pull= quiet quiet-build \
         quiet-pull remove-orphans rm service-ports use-aliases user= volume= \
         workdir=",
);
static COMPOSE_EXEC: Spec = Spec::new(
    "de:itu:w:T",
    "detach env= index= interactive? no-TTY? no-tty? privileged user= workdir= \
         tty",
);
static KUBE: Spec = Spec::anywhere(
    "c:f:n:itqs:l:R:k:o:v:p:",
    "container= filename= namespace= stdin tty quiet server= selector= context= \
         cluster= kubeconfig= user= as= as-group= token= pod-running-timeout= \
         request-timeout= image= command restart= env= labels= overrides= rm? \
         dry-run= port= target= copy-to= profile= image-pull-policy= override-type= \
         share-processes attach= leave-stdin-open expose generator= limits= \
         requests= serviceaccount= annotations= certificate-authority= \
         client-certificate= client-key= insecure-skip-tls-verify tls-server-name= \
         set-image= same-node replace output= field-manager= timeout= as-uid= \
         cache-dir= password= username= v= vmodule= to-namespace= node-name= \
         as-root as-user= one-container keep-annotations keep-labels keep-liveness \
         keep-readiness keep-startup keep-init-containers no-stdin no-tty",
);
static LXC: Spec = Spec::new(
    "n:P:u:g:v:R:e:s:a:f:tTt:",
    "name= lxcpath= cwd= env= user= group= mode= project= force-interactive \
         force-noninteractive disable-stdin uid= gid= clear-env keep-env keep-var= \
         set-var= rcfile= arch= namespaces= remount-sys-proc elevated-privileges?",
);
static CRI: Spec = Spec::new(
    "c:r:i:t:sD",
    "config= runtime-endpoint= image-endpoint= timeout= debug sync tty \
         interactive",
);
static APPTAINER: Spec = Spec::new(
    "B:H:W:S:cCfpiuwe o:s",
    "bind= home= workdir= scratch= pwd= cwd= env= env-file= overlay= security= \
         network= network-args= app= hostname= dns= mount= add-caps= drop-caps= \
         apply-cgroups= pem-path= fusemount= nv rocm contain containall cleanenv \
         writable writable-tmpfs fakeroot no-home pid ipc net uts userns unsquash \
         shell= debug quiet silent verbose",
);

pub(super) fn carry(name: &str, command: &Command<'_>) -> Option<Vec<Step>> {
    let argv = command.argv;
    Some(match name {
        "docker" | "podman" | "nerdctl" | "docker.io" | "finch" | "podman-remote" => {
            docker(name, argv)
        }
        "docker-compose" | "podman-compose" => compose(name, argv, 1),
        "kubectl" | "oc" | "k3s" | "microk8s" | "microk8s.kubectl" | "kubecolor" | "k" => {
            kubectl(name, argv)
        }
        "lxc" | "incus" => second(name, argv, &["exec"], &LXC),
        "lxc-attach" | "lxc-execute" => {
            let read = scan(argv, 1, &LXC);
            programs(name, argv, &read, 0, &Host::Container(Vec::new()))
        }
        "crictl" => second(name, argv, &["exec"], &CRI),
        "ctr" => Vec::new(),
        "apptainer" | "singularity" => apptainer(name, argv),
        "multipass" | "limactl" | "lima" | "colima" | "orb" | "devcontainer" => machine(name, argv),
        "wsl" => wsl(name, argv),
        _ => return None,
    })
}

fn programs(via: &str, argv: &[Arg], read: &Scan, skip: usize, host: &Host) -> Vec<Step> {
    read.starts
        .iter()
        .filter_map(|start| {
            let mut words = argv.get(start + skip..)?;
            if words.first().is_some_and(|first| first.value.is(b"--")) {
                words = words.get(1..)?;
            }
            Step::argv(via, words).map(|step| step.on(host))
        })
        .collect()
}

fn word_is(argv: &[Arg], at: usize, words: &[&str]) -> Option<&'static str> {
    const KNOWN: &[&str] = &[
        "run",
        "exec",
        "create",
        "compose",
        "container",
        "debug",
        "shell",
        "ssh",
        "rsh",
        "kubectl",
        "unshare",
    ];
    let value = argv.get(at)?.value.bytes()?;
    let found = words.iter().find(|word| word.as_bytes() == &*value)?;
    KNOWN.iter().find(|known| *known == found).copied()
}

fn docker(name: &str, argv: &[Arg]) -> Vec<Step> {
    let read = scan(argv, 1, &GLOBAL);
    let mut steps = Vec::new();
    for start in read.starts {
        let mut at = start;
        if word_is(argv, at, &["container"]).is_some() {
            at += 1;
        }
        match word_is(argv, at, &["run", "exec", "compose", "unshare"]) {
            // podman unshare runs on this machine, in a user namespace.
            Some("unshare") => {
                let read = scan(argv, at + 1, &Spec::new("", "rootless-netns"));
                steps.extend(programs(
                    &format!("{name} unshare"),
                    argv,
                    &read,
                    0,
                    &Host::Local,
                ));
            }
            Some("run") => steps.extend(run(
                &format!("{name} run"),
                argv,
                &scan(argv, at + 1, &RUN),
                1,
            )),
            Some("exec") => {
                let read = scan(argv, at + 1, &EXEC);
                // `podman exec --latest` names no container.
                let skip = usize::from(!read.has(&["l", "latest"]));
                steps.extend(programs(
                    &format!("{name} exec"),
                    argv,
                    &read,
                    skip,
                    &Host::Container(Vec::new()),
                ));
            }
            Some("compose") => steps.extend(compose(&format!("{name} compose"), argv, at + 1)),
            _ => {}
        }
    }
    steps
}

/// Image (or service) and then the command, with the mounts that the options name.
fn run(via: &str, argv: &[Arg], read: &Scan, skip: usize) -> Vec<Step> {
    let host = Host::Container(shared(read));
    let directory = read.last(&["w", "workdir"]).map(|arg| arg.value.clone());
    let Some(entry) = read.last(&["entrypoint"]) else {
        let steps = programs(via, argv, read, skip, &host);
        return steps
            .into_iter()
            .map(|step| step.within(directory.clone()))
            .collect();
    };
    // An entry point takes the words behind the image as its arguments.
    let entry = if entry.value.known_prefix().first() == Some(&b'[') {
        json_words(entry)
    } else if via.contains("compose") {
        split_quoted(entry)
    } else {
        vec![entry.clone()]
    };
    read.starts
        .iter()
        .filter_map(|start| {
            let rest = argv.get(start + skip..).unwrap_or_default();
            let words = [entry.as_slice(), rest].concat();
            Step::argv(via, &words).map(|step| step.on(&host).within(directory.clone()))
        })
        .collect()
}

/// The strings of a JSON array of plain strings.
fn json_words(arg: &Arg) -> Vec<Arg> {
    let all = cells(&arg.value);
    let mut out = Vec::new();
    let mut parts = all.split(|cell| cell.byte() == Some(b'"'));
    parts.next();
    while let Some(inside) = parts.next() {
        out.push(super::words::word(inside, arg.span));
        parts.next();
    }
    out
}

/// All of the host that the container can change: mounts, devices, and with which privileges.
fn shared(read: &Scan) -> Vec<(Value, Value)> {
    let path = |path: &[u8]| Value::computed(path);
    let mut out = mounts(read);
    for arg in read.all(&["device"]) {
        let cells = cells(&arg.value);
        let mut parts = cells.split(|cell| cell.byte() == Some(b':'));
        let Some(from) = parts.next().map(collect) else {
            continue;
        };
        let to = match parts.next().map(collect) {
            // The second part may be the permissions.
            Some(to) if is_path(&to) => to,
            _ => from.clone(),
        };
        out.push((from, to));
    }
    if read.has(&["privileged"]) {
        out.push((path(b"/dev/"), path(b"/dev/")));
        out.push((path(b"/proc/sysrq-trigger"), path(b"/proc/sysrq-trigger")));
    }
    if read.last(&["pid"]).is_some_and(|pid| pid.value.is(b"host")) {
        out.push((path(b"/"), path(b"/proc/1/root")));
    }
    out
}

/// Host paths and where they appear inside: `-v host:inside[:mode]` and
/// `--mount type=bind,source=host,target=inside`.
fn mounts(read: &Scan) -> Vec<(Value, Value)> {
    let mut out = Vec::new();
    for arg in read.all(&["v", "volume"]) {
        let cells = cells(&arg.value);
        let mut parts = cells.split(|cell| cell.byte() == Some(b':'));
        if let (Some(from), Some(to)) = (parts.next(), parts.next()) {
            let from = collect(from);
            let mode = parts.next().map(collect).unwrap_or_default();
            if is_path(&from) && !read_only(&mode) {
                out.push((from, collect(to)));
            }
        }
    }
    for arg in read.all(&["mount"]) {
        let cells = cells(&arg.value);
        if read_only(&arg.value) {
            continue;
        }
        let mut from = None;
        let mut to = None;
        for part in cells.split(|cell| cell.byte() == Some(b',')) {
            let value = super::words::word(part, arg.span);
            for key in ["source=", "src="] {
                if value.value.known_prefix().starts_with(key.as_bytes()) {
                    from = Some(behind(&value, key.len()).value);
                }
            }
            for key in ["target=", "destination=", "dst="] {
                if value.value.known_prefix().starts_with(key.as_bytes()) {
                    to = Some(behind(&value, key.len()).value);
                }
            }
        }
        if let (Some(from), Some(to)) = (from, to)
            && is_path(&from)
        {
            out.push((from, to));
        }
    }
    out
}

/// Whether a mount's settings, separated by commas, forbid writing.
fn read_only(settings: &Value) -> bool {
    settings
        .known_prefix()
        .split(|byte| *byte == b',')
        .any(|word| matches!(word, b"ro" | b"readonly" | b"readonly=true" | b"ro=true"))
}

/// Whether a mount's source is a path of this machine; a name without a slash is a volume.
fn is_path(from: &Value) -> bool {
    !from.is_known()
        || from
            .known_prefix()
            .first()
            .is_some_and(|byte| matches!(byte, b'/' | b'.' | b'~'))
}

fn compose(via: &str, argv: &[Arg], from: usize) -> Vec<Step> {
    let read = scan(argv, from, &COMPOSE_GLOBAL);
    let mut steps = Vec::new();
    for start in read.starts {
        match word_is(argv, start, &["run", "exec"]) {
            Some("run") => steps.extend(run(
                &format!("{via} run"),
                argv,
                &scan(argv, start + 1, &COMPOSE_RUN),
                1,
            )),
            Some("exec") => steps.extend(programs(
                &format!("{via} exec"),
                argv,
                &scan(argv, start + 1, &COMPOSE_EXEC),
                1,
                &Host::Container(Vec::new()),
            )),
            _ => {}
        }
    }
    steps
}

/// `kubectl exec pod -- command`; without `--` the words behind the pod are the command.
fn kubectl(name: &str, argv: &[Arg]) -> Vec<Step> {
    let read = scan(argv, 1, &KUBE);
    let mut operands = read.operands.iter().copied();
    let Some(mut verb) = operands.next() else {
        return Vec::new();
    };
    if word_is(argv, verb, &["kubectl"]).is_some() {
        match operands.next() {
            Some(next) => verb = next,
            None => return Vec::new(),
        }
    }
    let Some(word) = word_is(argv, verb, &["exec", "run", "debug", "rsh"]) else {
        return Vec::new();
    };
    let host = Host::Container(Vec::new());
    let via = format!("{name} {word}");
    let separator = argv.iter().position(|arg| arg.value.is(b"--"));
    let words: &[Arg] = match separator {
        Some(at) => argv.get(at + 1..).unwrap_or_default(),
        None => {
            let mut spec = KUBE;
            spec.permutes = false;
            let inner = scan(argv, verb + 1, &spec);
            let subject = inner.starts.first().copied().unwrap_or(argv.len());
            argv.get(subject + 1..).unwrap_or_default()
        }
    };
    let words = match words.first() {
        // The pod may be followed by options of kubectl again.
        Some(first) if separator.is_none() && first.value.known_prefix().first() == Some(&b'-') => {
            let rest = scan(words, 0, &Spec::new(KUBE.short, KUBE.long));
            match rest.starts.first() {
                Some(start) => words.get(*start..).unwrap_or_default(),
                None => &[],
            }
        }
        _ => words,
    };
    Step::argv(&via, words)
        .map(|step| step.on(&host))
        .into_iter()
        .collect()
}

/// A verb, a container, then the command.
fn second(name: &str, argv: &[Arg], verbs: &[&str], spec: &Spec) -> Vec<Step> {
    let read = scan(argv, 1, spec);
    let host = Host::Container(Vec::new());
    read.starts
        .iter()
        .filter_map(|start| Some((*start, word_is(argv, *start, verbs)?)))
        .flat_map(|(start, verb)| {
            let inner = scan(argv, start + 1, spec);
            let via = format!("{name} {verb}");
            inner
                .starts
                .iter()
                .flat_map(|subject| {
                    // Options may stand between the container and the command.
                    let behind = scan(argv, subject + 1, spec);
                    programs(&via, argv, &behind, 0, &host)
                })
                .collect::<Vec<_>>()
        })
        .collect()
}

fn apptainer(name: &str, argv: &[Arg]) -> Vec<Step> {
    let read = scan(argv, 1, &APPTAINER);
    let Some(start) = read.starts.first().copied() else {
        return Vec::new();
    };
    let Some(verb) = word_is(argv, start, &["exec", "shell"]) else {
        return Vec::new();
    };
    let inner = scan(argv, start + 1, &APPTAINER);
    let via = format!("{name} {verb}");
    let mut shared = Vec::new();
    for arg in inner.all(&["B", "bind"]) {
        let cells = cells(&arg.value);
        for bind in cells.split(|cell| cell.byte() == Some(b',')) {
            let mut parts = bind.split(|cell| cell.byte() == Some(b':'));
            if let Some(from) = parts.next() {
                let to = parts.next().unwrap_or(from);
                shared.push((collect(from), collect(to)));
            }
        }
    }
    programs(&via, argv, &inner, 1, &Host::Container(shared))
}

/// Virtual machines: `multipass exec vm -- command`, `limactl shell vm command`, `orb command`.
fn machine(name: &str, argv: &[Arg]) -> Vec<Step> {
    let spec = Spec::new(
        "d:n:u:w:m:p:",
        "working-directory= workdir= shell= user= machine= workspace-folder= \
         profile= container-id= no-map-working-directory tty?",
    );
    let host = Host::Remote;
    match name {
        "lima" => programs(name, argv, &scan(argv, 1, &spec), 0, &host),
        "orb" => programs(name, argv, &scan(argv, 1, &spec), 0, &host),
        _ => {
            let read = scan(argv, 1, &spec);
            let Some(start) = read.starts.first().copied() else {
                return Vec::new();
            };
            let Some(verb) = word_is(argv, start, &["exec", "shell", "ssh"]) else {
                return Vec::new();
            };
            let inner = scan(argv, start + 1, &spec);
            let skip = usize::from(!matches!(name, "colima" | "devcontainer"));
            programs(&format!("{name} {verb}"), argv, &inner, skip, &host)
        }
    }
}

/// `wsl [options] [-e program | command…]`: the command goes to the distribution's shell.
fn wsl(name: &str, argv: &[Arg]) -> Vec<Step> {
    let spec = Spec::new(
        "d:u:e",
        "distribution= user= cd= exec shell-type= list shutdown status terminate= \
         unregister= install update help version",
    );
    let read = scan(argv, 1, &spec);
    if read.has(&[
        "list",
        "shutdown",
        "status",
        "terminate",
        "unregister",
        "install",
        "update",
        "help",
        "version",
    ]) {
        return Vec::new();
    }
    if read.starts.is_empty() {
        return vec![shells::input(
            name,
            super::privilege::argv_span(argv),
            Dialect::Bash,
        )];
    }
    programs(name, argv, &read, 0, &Host::Local)
}
