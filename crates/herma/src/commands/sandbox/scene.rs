//! Where attacks happen: a home with secrets and a project, and what of the machine they aim at.

use std::ffi::OsString;
use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::Context;

use crate::commands::run::stage::Stage;

/// Files of the home with a secret.
const SECRETS: &[&str] = &[
    ".ssh/id_ed25519",
    ".aws/credentials",
    ".netrc",
    ".git-credentials",
    ".config/gh/hosts.yml",
    ".kube/config",
    ".docker/config.json",
    ".bash_history",
    ".config/google-chrome/Default/Cookies",
    ".herma/secret",
];

/// Files of the project.
const PROJECT: &[(&str, &str)] = &[
    ("precious", "x"),
    ("slash", "/"),
    (".env", "KEY=SECRET\n"),
    ("deep/er/.env.local", "KEY=SECRET\n"),
    ("server.key", "SECRET\n"),
    (".git/HEAD", "ref: refs/heads/main\n"),
    (
        ".git/config",
        "[core]\n\tbare = false\n[include]\n\tpath = ../shared.gitconfig\n",
    ),
    ("shared.gitconfig", "[pull]\n\tff = only\n"),
    ("vendor/x/.git/HEAD", "ref: refs/heads/main\n"),
    ("vendor/x/.git/config", "[core]\n\tbare = false\n"),
    ("vendor/x/.git/objects/info/x", ""),
    ("vendor/x/.git/refs/heads/x", ""),
    (".git/hooks/README", ""),
    (".git/objects/info/x", ""),
    (".git/refs/heads/x", ""),
];

/// A scene; everything goes when it is dropped.
pub(super) struct Scene {
    root: PathBuf,
    name: String,
    pub(super) has_python: bool,
    outside: Child,
    sockets: Vec<UnixListener>,
    tcp: TcpListener,
    six: Option<TcpListener>,
    udp: UdpSocket,
    stage: Stage,
}

impl Scene {
    pub(super) fn new() -> anyhow::Result<Self> {
        let now = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .unwrap_or_default();
        let name = format!("herma-selftest-{}-{}", std::process::id(), now.as_nanos());
        let root = std::env::temp_dir()
            .canonicalize()
            .context("there is no directory for temporary files")?
            .join(&name);
        fs::DirBuilder::new()
            .mode(0o700)
            .create(&root)
            .with_context(|| format!("cannot make {}", root.display()))?;
        let loopback = "cannot listen on the loopback interface";
        let address = SocketAddr::from_abstract_name(&name)?;
        let udp = UdpSocket::bind("127.0.0.1:0").context(loopback)?;
        udp.set_nonblocking(true)?;
        let outside = Command::new("sleep")
            .arg("3600")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .context("cannot run sleep")?;
        let home = root.join("home");
        let mut environment: Vec<(OsString, OsString)> = vec![(
            "PATH".into(),
            "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin".into(),
        )];
        for name in ["HERMA_SELFTEST_TOKEN", "LD_LIBRARY_PATH", "GIT_SSH_COMMAND"] {
            environment.push((name.into(), "SECRET".into()));
        }
        let scene = Self {
            has_python: Path::new("/usr/bin/python3").exists()
                || Path::new("/usr/local/bin/python3").exists(),
            outside,
            sockets: vec![UnixListener::bind_addr(&address)?],
            tcp: TcpListener::bind("127.0.0.1:0").context(loopback)?,
            six: TcpListener::bind("[::1]:0").ok(),
            udp,
            stage: Stage {
                cwd: home.join("work"),
                state: home.join(".herma"),
                home,
                environment,
            },
            root,
            name,
        };
        Ok(scene)
    }

    pub(super) fn stage(&self) -> &Stage {
        &self.stage
    }

    pub(super) fn has_six(&self) -> bool {
        self.six.is_some()
    }

    /// Puts everything where it belongs.
    pub(super) fn reset(&mut self) -> anyhow::Result<()> {
        let home = self.stage.home.clone();
        self.sockets.truncate(1);
        if home.exists() {
            fs::remove_dir_all(&home)
                .with_context(|| format!("cannot empty {}", home.display()))?;
        }
        let write = |path: PathBuf, text: &str| -> anyhow::Result<()> {
            if let Some(above) = path.parent() {
                fs::create_dir_all(above)?;
            }
            fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
        };
        for secret in SECRETS {
            write(home.join(secret), "SECRET\n")?;
        }
        fs::set_permissions(
            home.join(".ssh/id_ed25519"),
            PermissionsExt::from_mode(0o600),
        )?;
        fs::set_permissions(home.join(".herma"), PermissionsExt::from_mode(0o700))?;
        write(home.join(".bashrc"), "# clean\n")?;
        for (path, text) in PROJECT {
            write(self.stage.cwd.join(path), text)?;
        }
        fs::create_dir_all(home.join("run"))?;
        for path in [home.join("run/agent"), self.socket()] {
            let _ = fs::remove_file(&path);
            self.sockets.push(
                UnixListener::bind(&path)
                    .with_context(|| format!("cannot listen at {}", path.display()))?,
            );
        }
        write(self.beside(), "SECRET\n")?;
        let _ = fs::write(self.shared(), "SECRET\n");
        let _ = fs::remove_file(self.elsewhere());
        let mut bytes = [0; 64];
        while self.udp.recv(&mut bytes).is_ok() {}
        Ok(())
    }

    fn socket(&self) -> PathBuf {
        self.root.join("display")
    }

    fn beside(&self) -> PathBuf {
        self.root.join("temporary")
    }

    fn shared(&self) -> PathBuf {
        Path::new("/dev/shm").join(&self.name)
    }

    fn elsewhere(&self) -> PathBuf {
        Path::new("/var/tmp").join(&self.name)
    }

    fn survivor(&self) -> String {
        format!("survivor-{}", self.name)
    }

    /// What attacks know of the scene, as text for bash.
    pub(super) fn variables(&self) -> String {
        let port = |listener: &TcpListener| listener.local_addr().map_or(0, |it| it.port());
        let kinds = ["user", "mnt", "pid", "net", "ipc", "uts", "cgroup"];
        let spaces: Vec<String> = kinds
            .iter()
            .filter_map(|kind| fs::read_link(format!("/proc/self/ns/{kind}")).ok())
            .map(|it| it.display().to_string())
            .collect();
        let six = self.six.as_ref().map(port);
        let values = [
            ("H", self.stage.home.display().to_string()),
            ("W", self.stage.cwd.display().to_string()),
            ("OUT", self.outside.id().to_string()),
            ("PORT", port(&self.tcp).to_string()),
            ("PORT6", six.map_or(String::new(), |it| it.to_string())),
            (
                "UDP",
                self.udp.local_addr().map_or(0, |it| it.port()).to_string(),
            ),
            ("SOCKET", self.socket().display().to_string()),
            ("ABSTRACT", self.name.clone()),
            ("TMPFILE", self.beside().display().to_string()),
            ("SHMFILE", self.shared().display().to_string()),
            ("OUTFILE", self.elsewhere().display().to_string()),
            ("SURVIVOR", self.survivor()),
            ("NS", spaces.join(" ")),
        ];
        let mut text = String::new();
        for (name, value) in values {
            text.push_str(&format!("export {name}='{value}'; "));
        }
        text.push_str("cd $W; ");
        text
    }

    /// Whether an attack's mark is there.
    pub(super) fn shows(&self, proof: &str) -> bool {
        let (home, work) = (&self.stage.home, &self.stage.cwd);
        let holds = |path: PathBuf, text: &str| {
            fs::read_to_string(path).is_ok_and(|found| found.contains(text))
        };
        match proof.split_once(':').unwrap_or((proof, "")) {
            ("home", path) => home.join(path).exists(),
            ("project", path) => work.join(path).exists(),
            ("bashrc", _) => holds(home.join(".bashrc"), "#sbx"),
            ("fsmonitor", _) => holds(work.join(".git/config"), "fsmonitor"),
            ("dotenv", _) => !holds(work.join(".env"), "KEY=SECRET"),
            ("lost", _) => !work.join("precious").exists(),
            ("outside", _) => self.elsewhere().exists(),
            ("mode", _) => fs::metadata(home.join(".ssh/id_ed25519"))
                .is_ok_and(|it| it.permissions().mode() & 0o077 != 0),
            ("udp", _) => self.udp.recv(&mut [0; 64]).is_ok(),
            ("survivor", _) => self.survives(),
            _ => true,
        }
    }

    fn survives(&self) -> bool {
        let name = self.survivor();
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        entries
            .filter_map(|it| fs::read(it.path().join("cmdline")).ok())
            .any(|line| line.starts_with(name.as_bytes()))
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = self.outside.kill();
        let _ = self.outside.wait();
        let _ = fs::remove_dir_all(&self.root);
        let _ = fs::remove_file(self.shared());
        let _ = fs::remove_file(self.elsewhere());
    }
}
