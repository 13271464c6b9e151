//! The small root directory in which scripts run: real shells and text tools, stubs for the rest.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// Programs that run for real: shells, text tools, and wrappers that start other programs.
const REAL: &[&str] = &[
    "bash", "dash", "cat", "base64", "base32", "tr", "rev", "xxd", "od", "env", "xargs", "find",
    "sed", "awk", "mktemp", "nice", "timeout", "nohup", "setsid", "stdbuf", "echo", "printf",
    "true", "false", "head", "tail", "cut", "sort", "uniq", "tee", "touch", "mkdir", "cp", "ln",
    "ls", "seq", "basename", "dirname", "sleep", "chmod", "wc", "grep", "gzip", "tac", "paste",
    "fold", "test", "[", "expr", "yes", "id", "pwd", "readlink", "realpath", "ionice", "chrt",
    "taskset", "flock", "which", "date", "uname", "split", "nl",
];

/// Programs that only log what they were given.
const STUBS: &[&str] = &[
    "zz9",
    "zz8",
    "rm",
    "rmdir",
    "mv",
    "dd",
    "shred",
    "truncate",
    "mkfs",
    "mkfs.ext4",
    "mke2fs",
    "mkswap",
    "wipefs",
    "blkdiscard",
    "sgdisk",
    "parted",
    "fdisk",
    "cryptsetup",
    "reboot",
    "shutdown",
    "halt",
    "poweroff",
    "init",
    "telinit",
    "systemctl",
    "loginctl",
    "service",
    "kexec",
    "pkill",
    "killall",
    "git",
    "gh",
    "curl",
    "wget",
    "nc",
    "ssh",
    "scp",
    "rsync",
    "sudo",
    "doas",
    "su",
    "chroot",
    "unshare",
    "nsenter",
    "mount",
    "umount",
    "chown",
    "chattr",
    "setfacl",
    "crontab",
    "at",
    "batch",
    "python",
    "python3",
    "node",
    "perl",
    "ruby",
    "php",
    "docker",
    "podman",
    "kubectl",
    "helm",
    "terraform",
    "aws",
    "gcloud",
    "az",
    "npm",
    "npx",
    "pnpm",
    "yarn",
    "pip",
    "pip3",
    "cargo",
    "go",
    "make",
    "psql",
    "mysql",
    "sqlite3",
    "redis-cli",
    "mongosh",
    "openssl",
    "gpg",
    "tar",
    "unzip",
    "zip",
    "iptables",
    "nft",
    "ufw",
    "sysctl",
    "modprobe",
    "useradd",
    "userdel",
    "usermod",
    "passwd",
    "visudo",
    "lvremove",
    "zfs",
    "zpool",
    "tmux",
    "screen",
    "vim",
    "vi",
    "ed",
    "less",
    "man",
    "watch",
    "strace",
    "script",
    "parallel",
    "busybox",
    "doit",
    "dropdb",
    "journalctl",
    "history-clear",
];

/// Files that stand in the working directory before each script.
pub(crate) const SKELETON: &[(&str, &str)] = &[
    ("hello.sh", "echo hello\nzz9 from-file \"$1\"\n"),
    (
        "run.bash",
        "#!/bin/bash\nf() { zz9 in-function \"$@\"; }\nf a b\n",
    ),
    ("names", "one\ntwo\n"),
    ("commands", "zz9 listed 1\nzz9 listed 2\n"),
];

/// A prepared root and the program that runs scripts in it.
#[derive(Debug)]
pub(crate) struct House {
    pub(crate) root: PathBuf,
    pub(crate) runner: PathBuf,
}

impl House {
    /// Builds the root below `target`, unless it is there already and current.
    pub(crate) fn prepare(sources: &Path, target: &Path) -> Result<Self> {
        let base = target.join("oracle");
        fs::create_dir_all(&base)?;
        let runner = compile(&sources.join("runner.c"), &base.join("runner"))?;
        let stub = compile(&sources.join("stub.c"), &base.join("stub"))?;
        let root = base.join("root");
        if root.exists() {
            fs::remove_dir_all(&root)?;
        }
        furnish(&root, &stub)?;
        Ok(Self { root, runner })
    }
}

fn compile(source: &Path, output: &Path) -> Result<PathBuf> {
    let status = Command::new("cc")
        .args(["-O2", "-Wall", "-Wextra", "-Werror", "-static", "-o"])
        .args([output, source])
        .status()
        .context("cc is missing (--install brings gcc and libc6-dev)")?;
    if !status.success() {
        bail!("cc could not compile {}", source.display());
    }
    Ok(output.to_path_buf())
}

fn furnish(root: &Path, stub: &Path) -> Result<()> {
    for directory in [
        "usr/bin",
        "usr/lib",
        "usr/lib64",
        "usr/sbin",
        "usr/local/bin",
        "etc",
        "dev",
        "proc",
        "tmp",
        "home/dev/proj",
        "root",
        "opt",
        "srv",
        "var/tmp",
        "run",
        ".log",
        ".dev",
        ".skeleton",
    ] {
        fs::create_dir_all(root.join(directory))?;
    }
    for (link, to) in [
        ("bin", "usr/bin"),
        ("sbin", "usr/sbin"),
        ("lib", "usr/lib"),
        ("lib64", "usr/lib64"),
    ] {
        symlink(to, root.join(link))?;
    }
    for node in ["null", "zero", "full", "random", "urandom"] {
        fs::write(root.join(".dev").join(node), "")?;
    }
    fs::write(
        root.join("etc/passwd"),
        "root:x:0:0:root:/root:/bin/bash\ndev:x:1000:1000:dev:/home/dev:/bin/bash\n",
    )?;
    fs::write(root.join("etc/group"), "root:x:0:\ndev:x:1000:\n")?;
    fs::write(root.join("etc/hosts"), "127.0.0.1 localhost\n")?;
    for (name, content) in SKELETON {
        for place in [".skeleton", "home/dev/proj"] {
            let path = root.join(place).join(name);
            fs::write(&path, content)?;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
        }
    }
    for name in REAL {
        match find_program(name) {
            Some(program) => copy_program(&program, root, name)?,
            None if ["rev", "xxd", "which", "flock", "gzip"].contains(name) => {}
            None => bail!("{name} is missing on this machine"),
        }
    }
    // Its cases are left out where it is missing.
    if let Some(zsh) = find_program("zsh") {
        copy_program(&zsh, root, "zsh")?;
        let listing = Command::new(&zsh)
            .args(["-fc", "print $module_path"])
            .output()?;
        for place in String::from_utf8_lossy(&listing.stdout).split_whitespace() {
            let to = root.join(place.trim_start_matches('/'));
            if let (true, Some(parent)) = (Path::new(place).exists(), to.parent()) {
                fs::create_dir_all(parent)?;
                let copied = Command::new("cp")
                    .arg("-r")
                    .args([Path::new(place), &to])
                    .status()?;
                if !copied.success() {
                    bail!("the modules of zsh could not be copied");
                }
            }
        }
    }
    symlink("dash", root.join("usr/bin/sh"))?;
    for library in ["/usr/libexec/coreutils/libstdbuf.so"] {
        if Path::new(library).exists() {
            let to = root.join(library.trim_start_matches('/'));
            if let Some(parent) = to.parent() {
                fs::create_dir_all(parent)?;
            }
            fs::copy(library, to)?;
        }
    }
    // Without a UTF-8 locale bash writes `$'\\u00e9'` as text.
    let locale = Path::new("/usr/lib/locale/C.utf8");
    if locale.exists() {
        let to = root.join("usr/lib/locale");
        fs::create_dir_all(&to)?;
        let copied = Command::new("cp").arg("-r").args([locale, &to]).status()?;
        if !copied.success() {
            bail!("the locale could not be copied");
        }
    }
    let first = root.join("usr/bin/zz9");
    fs::copy(stub, &first)?;
    for name in STUBS.iter().filter(|name| **name != "zz9") {
        let place = root.join("usr/bin").join(name);
        if !place.exists() {
            fs::hard_link(&first, place)?;
        }
    }
    Ok(())
}

fn find_program(name: &str) -> Option<PathBuf> {
    ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin"]
        .iter()
        .map(|directory| Path::new(directory).join(name))
        .find(|path| path.exists())
}

fn copy_program(program: &Path, root: &Path, name: &str) -> Result<()> {
    let real = fs::canonicalize(program)?;
    let to = root.join("usr/bin").join(name);
    fs::copy(&real, &to)?;
    fs::set_permissions(&to, fs::Permissions::from_mode(0o755))?;
    let listing = Command::new("ldd").arg(&real).output().context("ldd")?;
    for word in String::from_utf8_lossy(&listing.stdout).split_whitespace() {
        if !word.starts_with('/') {
            continue;
        }
        let inside = word.strip_prefix("/usr").unwrap_or(word);
        let to = root.join("usr").join(inside.trim_start_matches('/'));
        if to.exists() {
            continue;
        }
        if let Some(parent) = to.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::copy(word, to)?;
    }
    Ok(())
}
