//! Programs that run something on another machine, and what they run here to get there.

use crate::execution::{Arg, Host};
use crate::syntax::Dialect;

use super::options::{Spec, scan};
use super::privilege::argv_span;
use super::words::{behind, join};
use super::{Command, Step, shells};

static SSH: Spec = Spec::new(
    "1246AaCfGgKkMNnqsTtVvXxYyB:b:c:D:E:e:F:I:i:J:L:l:m:O:o:P:p:Q:R:S:W:w:",
    "",
);
static SCP: Spec = Spec::anywhere("12346ABCc:D:F:i:J:l:No:OP:pqRrS:s:TvX:", "");
static SFTP: Spec = Spec::new("46AaB:b:Cc:D:F:fi:J:l:No:P:pqR:rS:s:vX:", "");
static RSYNC: Spec = Spec::anywhere(
    "vqcarRbuldLkKHpEAXogtUOJDnWxSCzPhimy0e:B:T:f:M:@:F4 6",
    "rsh= rsync-path= exclude= include= exclude-from= include-from= files-from= \
         filter= rsync-option= remote-option= backup-dir= suffix= max-size= \
         min-size= block-size= temp-dir= compare-dest= copy-dest= link-dest= \
         log-file= log-file-format= password-file= port= sockopts= bwlimit= \
         out-format= timeout= contimeout= modify-window= chmod= chown= usermap= \
         groupmap= address= partial-dir= compress-level= info= debug= stop-after= \
         early-input= write-batch= only-write-batch= read-batch= protocol= iconv= \
         checksum-seed= config= dparam= delete delete-before delete-during \
         delete-after delete-delay delete-excluded archive verbose",
);
static MOSH: Spec = Spec::new(
    "46anp:P:",
    "client= server= predict= ssh= port= bind-server= family= no-init local \
         no-ssh-pty predict-overwrite experimental-remote-ip= help version",
);
static VERBS: Spec = Spec::anywhere(
    "a:c:C:s:t:q:p:r:u:",
    "command= app= container= address= region= user= zone= project= ssh-flag= \
         ssh-key-file= tunnel-through-iap account= machine= plain org= config= \
         select pty quiet size= type= process= env= instance-name= ssh-flag=",
);
static ANSIBLE: Spec = Spec::anywhere(
    "m:a:i:l:u:e:f:t:M:B:P:o bkKCDvc:T:",
    "module-name= args= inventory= inventory-file= limit= user= extra-vars= \
         forks= tree= module-path= background= poll= become become-user= \
         become-method= connection= timeout= private-key= key-file= playbook-dir= \
         ask-pass ask-become-pass one-line check diff verbose vault-id= \
         vault-password-file= ssh-common-args= ssh-extra-args= task-timeout=",
);

pub(super) fn carry(name: &str, command: &Command<'_>) -> Option<Vec<Step>> {
    let argv = command.argv;
    Some(match name {
        "ssh" | "slogin" | "autossh" | "rsh" | "remsh" => ssh(name, argv),
        "sshpass" => sshpass(name, argv),
        "scp" | "sftp" => copies(name, argv, if name == "scp" { &SCP } else { &SFTP }),
        "rsync" => rsync(name, argv),
        "mosh" => mosh(name, argv),
        "sshfs" | "ssh-copy-id" | "et" => copies(name, argv, &SCP),
        "vagrant" => verb(name, argv, &["ssh"], &["c", "command"]),
        "heroku" => heroku(name, argv),
        "fly" | "flyctl" => verb(name, argv, &["console"], &["C", "command"]),
        "gcloud" => verb(name, argv, &["ssh"], &["command"]),
        "az" => verb(
            name,
            argv,
            &["run-command", "exec"],
            &["scripts", "exec-command"],
        ),
        "ansible" => ansible(name, argv),
        "adb" | "hdc" => device(name, argv),
        "pdsh" | "pssh" | "parallel-ssh" | "clush" | "dsh" => many(name, argv),
        _ => return None,
    })
}

/// `adb [options] shell [options] command…` on an attached device.
fn device(name: &str, argv: &[Arg]) -> Vec<Step> {
    let read = scan(
        argv,
        1,
        &Spec::new("s:t:H:P:L:ade", "one-device= exit-on-write-error"),
    );
    let mut steps = Vec::new();
    for start in read.starts {
        let runs = argv
            .get(start)
            .is_some_and(|verb| verb.value.is(b"shell") || verb.value.is(b"exec-out"));
        if !runs {
            continue;
        }
        let inner = scan(argv, start + 1, &Spec::new("e:ntTx", ""));
        for at in inner.starts {
            steps.extend(remote_text(
                &format!("{name} shell"),
                argv.get(at..).unwrap_or_default(),
            ));
        }
    }
    steps
}

fn remote_text(name: &str, words: &[Arg]) -> Option<Step> {
    join(words).map(|text| Step::text(name, &text).on(&Host::Remote))
}

/// `ssh [options] destination [options] [command…]`.
fn ssh(name: &str, argv: &[Arg]) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut silent = false;
    let mut starts = Vec::new();
    let spec = if name == "autossh" {
        Spec::new(
            "1246AaCfGgKkM:NnqsTtVvXxYyB:b:c:D:E:e:F:I:i:J:L:l:m:O:o:P:p:Q:R:S:W:w:",
            "",
        )
    } else {
        SSH
    };
    let first = scan(argv, 1, &spec);
    let mut local = |read: &super::options::Scan| {
        silent |= read.has(&["N", "G", "V", "Q", "O", "W"]);
        for setting in read.all(&["o"]) {
            steps.extend(configured(name, setting));
        }
    };
    local(&first);
    for start in &first.starts {
        let second = scan(argv, start + 1, &spec);
        local(&second);
        match second.starts.as_slice() {
            [] => starts.push(argv.len()),
            more => starts.extend_from_slice(more),
        }
    }
    if silent {
        return steps;
    }
    for start in starts {
        match remote_text(name, argv.get(start..).unwrap_or_default()) {
            Some(step) => steps.push(step),
            None => {
                let remote = steps.iter().any(|step| step.via.host == Host::Remote);
                if !remote {
                    steps.push(
                        shells::input(name, argv_span(argv), Dialect::Posix).on(&Host::Remote),
                    );
                }
            }
        }
    }
    steps
}

/// What an ssh setting runs: `Key=value` or `Key value`, keys without case.
fn configured(name: &str, setting: &Arg) -> Option<Step> {
    let head = setting.value.known_prefix();
    let lead = head
        .iter()
        .take_while(|byte| byte.is_ascii_whitespace())
        .count();
    let key: Vec<u8> = head
        .iter()
        .skip(lead)
        .take_while(|byte| byte.is_ascii_alphanumeric())
        .map(u8::to_ascii_lowercase)
        .collect();
    let gap = head
        .iter()
        .skip(lead + key.len())
        .take_while(|byte| byte.is_ascii_whitespace() || **byte == b'=')
        .count();
    let text = behind(setting, lead + key.len() + gap);
    let host = match key.as_slice() {
        b"proxycommand" | b"localcommand" | b"knownhostscommand" => Host::Local,
        b"remotecommand" => Host::Remote,
        _ => return None,
    };
    if text.value.is(b"none") || text.value.pieces.is_empty() {
        return None;
    }
    Some(Step::text(&format!("{name} -o"), &text).on(&host))
}

fn sshpass(name: &str, argv: &[Arg]) -> Vec<Step> {
    let read = scan(argv, 1, &Spec::new("p:f:d:eP:vhV", ""));
    read.starts
        .iter()
        .filter_map(|start| Step::argv(name, argv.get(*start..)?))
        .collect()
}

fn copies(name: &str, argv: &[Arg], spec: &Spec) -> Vec<Step> {
    let read = scan(argv, 1, spec);
    let mut steps: Vec<Step> = read
        .all(&["o"])
        .filter_map(|setting| configured(name, setting))
        .collect();
    steps
        .extend(read.all(&["S"]).filter_map(|program| {
            Step::argv(&format!("{name} -S"), std::slice::from_ref(program))
        }));
    steps
}

fn rsync(name: &str, argv: &[Arg]) -> Vec<Step> {
    let read = scan(argv, 1, &RSYNC);
    let mut steps: Vec<Step> = read
        .all(&["e", "rsh"])
        .filter_map(|text| {
            // rsync splits the words itself, with quotes.
            Step::argv(&format!("{name} -e"), &super::words::split_quoted(text))
        })
        .collect();
    // The remote side runs the path by its shell; without a remote operand it is not run at all.
    let remote = read
        .operands
        .iter()
        .filter_map(|at| argv.get(*at))
        .any(|arg| {
            let head = arg.value.known_prefix();
            let before = head.split(|byte| *byte == b'/').next().unwrap_or_default();
            before.contains(&b':')
        });
    if remote {
        steps.extend(
            read.all(&["rsync-path"])
                .map(|text| Step::text(&format!("{name} --rsync-path"), text).on(&Host::Remote)),
        );
    }
    steps
}

fn mosh(name: &str, argv: &[Arg]) -> Vec<Step> {
    let read = scan(argv, 1, &MOSH);
    let mut steps: Vec<Step> = read
        .all(&["ssh", "client"])
        .map(|text| Step::text(&format!("{name} --ssh"), text))
        .collect();
    for start in &read.starts {
        let words = argv.get(start + 1..).unwrap_or_default();
        let words = match words.first() {
            Some(first) if first.value.is(b"--") => words.get(1..).unwrap_or_default(),
            _ => words,
        };
        steps.extend(Step::argv(name, words).map(|step| step.on(&Host::Remote)));
    }
    steps
}

/// A verb anywhere among the operands, and an option that holds the remote text.
fn verb(name: &str, argv: &[Arg], verbs: &[&str], options: &[&str]) -> Vec<Step> {
    let read = scan(argv, 1, &VERBS);
    let found = read
        .operands
        .iter()
        .filter_map(|at| argv.get(*at))
        .any(|arg| verbs.iter().any(|verb| arg.value.is(verb.as_bytes())));
    let console = name.starts_with("fly") && argv.iter().any(|arg| arg.value.is(b"ssh"));
    if !found && !console {
        return Vec::new();
    }
    let mut steps: Vec<Step> = read
        .all(options)
        .map(|text| Step::text(name, text).on(&Host::Remote))
        .collect();
    // `gcloud compute ssh vm -- command`
    if let Some(at) = argv.iter().position(|arg| arg.value.is(b"--")) {
        steps.extend(remote_text(name, argv.get(at + 1..).unwrap_or_default()));
    }
    steps
}

fn heroku(name: &str, argv: &[Arg]) -> Vec<Step> {
    let is_run = argv.get(1).is_some_and(|arg| {
        arg.value
            .bytes()
            .is_some_and(|verb| matches!(&*verb, b"run" | b"run:detached" | b"run:inside"))
    });
    if !is_run {
        return Vec::new();
    }
    let read = scan(
        argv,
        2,
        &Spec::new(
            "a:s:r:x",
            "app= size= remote= type= env= exit-code no-tty no-notify no-launcher",
        ),
    );
    read.starts
        .iter()
        .filter_map(|start| remote_text(name, argv.get(*start..)?))
        .collect()
}

fn ansible(name: &str, argv: &[Arg]) -> Vec<Step> {
    let read = scan(argv, 1, &ANSIBLE);
    let module = read.last(&["m", "module-name"]);
    let runs = module.is_none_or(|module| {
        let text = module.value.known_prefix();
        let last = text.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
        !module.value.is_known()
            || matches!(
                last,
                b"shell" | b"command" | b"raw" | b"script" | b"win_shell"
            )
    });
    if !runs {
        return Vec::new();
    }
    read.all(&["a", "args"])
        .map(|text| Step::text(name, text).on(&Host::Remote))
        .collect()
}

/// Programs that give the same text to many machines.
fn many(name: &str, argv: &[Arg]) -> Vec<Step> {
    let spec = Spec::new(
        "w:x:l:t:u:f:g:h:H:p:o:e:O:A vbi:I X:R:m:n:k:aM:r:",
        "hosts= host= user= par= outdir= errdir= timeout= options= inline group= \
         all machine=",
    );
    let mut read = scan(argv, 1, &spec);
    if name == "pssh" || name == "parallel-ssh" {
        read = scan(
            argv,
            1,
            &Spec::new(
                "h:H:l:p:o:e:t:O:x:X:vAiIP",
                "hosts= host= user= par= outdir= errdir= timeout= options= inline \
         inline-stdout print",
            ),
        );
    }
    read.starts
        .iter()
        .filter_map(|start| remote_text(name, argv.get(*start..)?))
        .collect()
}
