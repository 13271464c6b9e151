//! What the name of a path means.

use super::Place;
use super::path::{Base, Path};
use super::pattern::Part;
use crate::scene::Scene;

/// Directories that a build makes again.
const REGENERABLE: &[&str] = &[
    "node_modules",
    "target",
    "dist",
    "build",
    ".next",
    ".nuxt",
    ".turbo",
    ".parcel-cache",
    ".gradle",
    "coverage",
    "__pycache__",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".venv",
    "venv",
    ".tox",
];

/// Lock files that a package manager makes again.
const LOCK_FILES: &[&str] = &[
    "package-lock.json",
    "npm-shrinkwrap.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "bun.lock",
    "bun.lockb",
    "Cargo.lock",
    "poetry.lock",
    "Pipfile.lock",
    "pdm.lock",
    "uv.lock",
    "composer.lock",
    "Gemfile.lock",
    "mix.lock",
    "pubspec.lock",
];

/// Object, class and byte-code files.
const OBJECT_SUFFIXES: &[&str] = &[".o", ".obj", ".lo", ".class", ".pyc", ".pyo"];

/// Database files.
const DATABASE_SUFFIXES: &[&str] = &[".db", ".sqlite", ".sqlite3", ".mdb"];

/// Components below a home directory; what starts with them is of the class.
const BELOW_A_HOME: &[(&[&str], Place)] = &[
    (&[".ssh"], Place::SshDirectory),
    (&[".aws"], Place::Credential),
    (&[".azure"], Place::Credential),
    (&[".kube"], Place::Credential),
    (&[".gnupg"], Place::Credential),
    (&[".docker", "config.json"], Place::Credential),
    (&[".config", "gh"], Place::Credential),
    (&[".config", "hub"], Place::Credential),
    (&[".config", "glab-cli"], Place::Credential),
    (&[".config", "gcloud"], Place::Credential),
    (&[".config", "doctl"], Place::Credential),
    (&[".config", "op"], Place::Credential),
    (&[".config", "rclone"], Place::Credential),
    (&[".config", "sops"], Place::Credential),
    (&[".config", "git", "credentials"], Place::Credential),
    (&[".config", "containers", "auth.json"], Place::Credential),
    (&[".netrc"], Place::Credential),
    (&["_netrc"], Place::Credential),
    (&[".pgpass"], Place::Credential),
    (&[".my.cnf"], Place::Credential),
    (&[".mylogin.cnf"], Place::Credential),
    (&[".npmrc"], Place::Credential),
    (&[".yarnrc.yml"], Place::Credential),
    (&[".pypirc"], Place::Credential),
    (&[".git-credentials"], Place::Credential),
    (&[".vault-token"], Place::Credential),
    (&[".terraformrc"], Place::Credential),
    (
        &[".terraform.d", "credentials.tfrc.json"],
        Place::Credential,
    ),
    (&[".cargo", "credentials"], Place::Credential),
    (&[".cargo", "credentials.toml"], Place::Credential),
    (&[".gem", "credentials"], Place::Credential),
    (&[".m2", "settings.xml"], Place::Credential),
    (&[".gradle", "gradle.properties"], Place::Credential),
    (&[".boto"], Place::Credential),
    (&[".s3cfg"], Place::Credential),
    (&[".passwd-s3fs"], Place::Credential),
    (&[".databrickscfg"], Place::Credential),
    (&[".snowsql", "config"], Place::Credential),
    (&[".password-store"], Place::Credential),
    (&[".local", "share", "keyrings"], Place::Credential),
    (&[".config", "Bitwarden CLI"], Place::Credential),
    (&["Library", "Keychains"], Place::Credential),
    (&[".claude", ".credentials.json"], Place::Credential),
    (&[".codex", "auth.json"], Place::Credential),
    (&[".gemini", "oauth_creds.json"], Place::Credential),
    (&[".bashrc"], Place::ShellStartup),
    (&[".bashrc.d"], Place::ShellStartup),
    (&[".bash_profile"], Place::ShellStartup),
    (&[".bash_login"], Place::ShellStartup),
    (&[".bash_logout"], Place::ShellStartup),
    (&[".bash_aliases"], Place::ShellStartup),
    (&[".profile"], Place::ShellStartup),
    (&[".profile.d"], Place::ShellStartup),
    (&[".zshrc"], Place::ShellStartup),
    (&[".zshrc.d"], Place::ShellStartup),
    (&[".zprofile"], Place::ShellStartup),
    (&[".zshenv"], Place::ShellStartup),
    (&[".zlogin"], Place::ShellStartup),
    (&[".zlogout"], Place::ShellStartup),
    (&[".oh-my-zsh"], Place::ShellStartup),
    (&[".kshrc"], Place::ShellStartup),
    (&[".mkshrc"], Place::ShellStartup),
    (&[".cshrc"], Place::ShellStartup),
    (&[".tcshrc"], Place::ShellStartup),
    (&[".login"], Place::ShellStartup),
    (&[".xprofile"], Place::ShellStartup),
    (&[".xinitrc"], Place::ShellStartup),
    (&[".xsession"], Place::ShellStartup),
    (&[".xsessionrc"], Place::ShellStartup),
    (&[".pam_environment"], Place::ShellStartup),
    (&[".config", "fish"], Place::ShellStartup),
    (&[".config", "nushell"], Place::ShellStartup),
    (&[".config", "powershell"], Place::ShellStartup),
    (&[".config", "environment.d"], Place::ShellStartup),
    (&[".config", "systemd"], Place::RunsLater),
    (&[".local", "share", "systemd"], Place::RunsLater),
    (&[".config", "autostart"], Place::RunsLater),
    (&[".config", "direnv"], Place::RunsLater),
    (&[".config", "git", "config"], Place::RunsLater),
    (&[".config", "git", "hooks"], Place::RunsLater),
    (&[".gitconfig"], Place::RunsLater),
    (&[".config", "pip"], Place::RunsLater),
    (&[".pip"], Place::RunsLater),
    (&[".pydistutils.cfg"], Place::RunsLater),
    (&[".cargo", "config"], Place::RunsLater),
    (&[".cargo", "config.toml"], Place::RunsLater),
    (&[".yarnrc"], Place::RunsLater),
    (&[".gemrc"], Place::RunsLater),
    (&["Library", "LaunchAgents"], Place::RunsLater),
    (&[".hermes"], Place::AgentSettings),
    (&[".claude"], Place::AgentSettings),
    (&[".claude.json"], Place::AgentSettings),
    (&[".codex"], Place::AgentSettings),
    (&[".gemini"], Place::AgentSettings),
    (&[".cursor"], Place::AgentSettings),
    (&[".cline"], Place::AgentSettings),
    (&[".copilot"], Place::AgentSettings),
    (&[".continue"], Place::AgentSettings),
    (&[".windsurf"], Place::AgentSettings),
    (&[".codeium"], Place::AgentSettings),
    (&[".opencode"], Place::AgentSettings),
    (&[".config", "opencode"], Place::AgentSettings),
    (&[".config", "goose"], Place::AgentSettings),
    (&[".aider.conf.yml"], Place::AgentSettings),
    (&[".config", "dcg"], Place::AgentSettings),
    (&[".config", "tirith"], Place::AgentSettings),
    (&[".herma"], Place::HermaFiles),
    (&[".bash_history"], Place::Log),
    (&[".zsh_history"], Place::Log),
    (&[".zsh_sessions"], Place::Log),
    (&[".bash_sessions"], Place::Log),
    (&[".histfile"], Place::Log),
    (&[".history"], Place::Log),
    (&[".sh_history"], Place::Log),
    (&[".python_history"], Place::Log),
    (&[".node_repl_history"], Place::Log),
    (&[".psql_history"], Place::Log),
    (&[".mysql_history"], Place::Log),
    (&[".sqlite_history"], Place::Log),
    (&[".rediscli_history"], Place::Log),
    (&[".lesshst"], Place::Log),
    (&[".viminfo"], Place::Log),
    (&[".local", "share", "fish", "fish_history"], Place::Log),
];

/// Parts of agents' homes that hold no settings.
const AGENT_DATA: &[(&str, &[&str])] = &[
    (
        ".claude",
        &[
            "projects",
            "todos",
            "plans",
            "tasks",
            "shell-snapshots",
            "statsig",
            "debug",
        ],
    ),
    (".codex", &["sessions", "log"]),
    (
        ".hermes",
        &["cache", "logs", "sessions", "tmp", "workspace"],
    ),
];

/// Components from the root on.
const BELOW_THE_ROOT: &[(&[&str], Place)] = &[
    (&["etc"], Place::Etc),
    (&["etc", "shadow"], Place::Credential),
    (&["etc", "shadow-"], Place::Credential),
    (&["etc", "gshadow"], Place::Credential),
    (&["etc", "krb5.keytab"], Place::Credential),
    (&["etc", "sudoers"], Place::Credential),
    (&["etc", "ssl", "private"], Place::PrivateKey),
    (&["etc", "kubernetes", "admin.conf"], Place::Credential),
    (&["etc", "kubernetes", "pki"], Place::PrivateKey),
    (&["etc", "rancher", "k3s", "k3s.yaml"], Place::Credential),
    (&["run", "secrets"], Place::Credential),
    (&["var", "run", "secrets"], Place::Credential),
    (&["etc", "profile"], Place::ShellStartup),
    (&["etc", "profile.d"], Place::ShellStartup),
    (&["etc", "bash.bashrc"], Place::ShellStartup),
    (&["etc", "bashrc"], Place::ShellStartup),
    (&["etc", "zsh"], Place::ShellStartup),
    (&["etc", "zshrc"], Place::ShellStartup),
    (&["etc", "zshenv"], Place::ShellStartup),
    (&["etc", "environment"], Place::ShellStartup),
    (&["etc", "crontab"], Place::RunsLater),
    (&["etc", "cron.d"], Place::RunsLater),
    (&["etc", "cron.hourly"], Place::RunsLater),
    (&["etc", "cron.daily"], Place::RunsLater),
    (&["etc", "cron.weekly"], Place::RunsLater),
    (&["etc", "cron.monthly"], Place::RunsLater),
    (&["etc", "anacrontab"], Place::RunsLater),
    (&["etc", "systemd"], Place::RunsLater),
    (&["etc", "init.d"], Place::RunsLater),
    (&["etc", "rc.local"], Place::RunsLater),
    (&["etc", "ld.so.preload"], Place::RunsLater),
    (&["etc", "gitconfig"], Place::RunsLater),
    (&["etc", "pip.conf"], Place::RunsLater),
    (&["lib", "systemd"], Place::RunsLater),
    (&["usr", "lib", "systemd"], Place::RunsLater),
    (&["usr", "local", "lib", "systemd"], Place::RunsLater),
    (&["run", "systemd"], Place::RunsLater),
    (&["var", "spool", "cron"], Place::RunsLater),
    (&["var", "spool", "at"], Place::RunsLater),
    (&["var", "spool", "atjobs"], Place::RunsLater),
    (&["usr", "lib", "cron"], Place::RunsLater),
    (&["Library", "LaunchAgents"], Place::RunsLater),
    (&["Library", "LaunchDaemons"], Place::RunsLater),
    (&["System", "Library", "LaunchDaemons"], Place::RunsLater),
    (&["Library", "Keychains"], Place::Credential),
    (&["etc", "claude-code"], Place::AgentSettings),
    (&["etc", "codex"], Place::AgentSettings),
    (&["etc", "herma"], Place::HermaFiles),
    (&["var", "log"], Place::Log),
    (&["run", "log"], Place::Log),
    (&["var", "run", "utmp"], Place::Log),
    (&["run", "utmp"], Place::Log),
];

/// Components at any depth; what starts with them is of the class.
const ANYWHERE: &[(&[&str], Place)] = &[
    (&[".git"], Place::GitDirectory),
    (&[".git", "hooks"], Place::GitHook),
    (&[".git", "config"], Place::RunsLater),
    (&[".githooks"], Place::GitHook),
    (&[".husky"], Place::GitHook),
    (&[".envrc"], Place::RunsLater),
    (&["sitecustomize.py"], Place::RunsLater),
    (&["usercustomize.py"], Place::RunsLater),
    (&[".netrc"], Place::Credential),
    (&[".pgpass"], Place::Credential),
    (&[".git-credentials"], Place::Credential),
    (&[".htpasswd"], Place::Credential),
    (&["application_default_credentials.json"], Place::Credential),
    (&[".aws", "credentials"], Place::Credential),
    (&[".claude", "settings.json"], Place::AgentSettings),
    (&[".claude", "settings.local.json"], Place::AgentSettings),
    (&[".claude", "hooks"], Place::AgentSettings),
    (&[".codex", "config.toml"], Place::AgentSettings),
    (&[".codex", "hooks.json"], Place::AgentSettings),
    (&[".gemini", "settings.json"], Place::AgentSettings),
    (&[".cursor", "mcp.json"], Place::AgentSettings),
    (&[".cursor", "hooks.json"], Place::AgentSettings),
    (&[".cursor", "hooks"], Place::AgentSettings),
    (&[".clinerules", "hooks"], Place::AgentSettings),
    (&[".opencode", "plugin"], Place::AgentSettings),
    (&[".opencode", "plugins"], Place::AgentSettings),
    (&["opencode.json"], Place::AgentSettings),
    (&["opencode.jsonc"], Place::AgentSettings),
    (&[".mcp.json"], Place::AgentSettings),
    (&[".herma.toml"], Place::HermaFiles),
];

/// Whether the component names what can be made again, all that it could match included.
pub(super) fn is_regenerable(part: &Part) -> bool {
    let listed = |name: &&str| part.is(name.as_bytes());
    if REGENERABLE.iter().any(listed) || LOCK_FILES.iter().any(listed) {
        return true;
    }
    let suffix = part.suffix();
    OBJECT_SUFFIXES
        .iter()
        .any(|want| suffix.ends_with(want.as_bytes()))
}

/// Adds the classes that the name of the path says.
pub(super) fn name_classes(path: &Path, scene: &Scene, places: &mut Vec<Place>) {
    let parts = path.parts.as_slice();
    let mut add = |place: Place| {
        if !places.contains(&place) {
            places.push(place);
        }
    };
    if path.base == Base::Root {
        for (prefix, place) in BELOW_THE_ROOT {
            if begins(parts, prefix) {
                add(*place);
            }
        }
        device(parts, &mut add);
        for directory in &scene.herma {
            if starts(parts, directory) {
                add(Place::HermaFiles);
            }
        }
        for directory in &scene.agents {
            if starts(parts, directory) {
                add(Place::AgentSettings);
            }
        }
        if let [first, .., last] = parts
            && first.is(b"proc")
            && last.is(b"environ")
        {
            add(Place::Credential);
        }
        if let [first, second, last] = parts
            && first.is(b"etc")
            && second.is(b"ssh")
            && last.prefix().starts_with(b"ssh_host_")
            && last.names(b"ssh_host_rsa_key")
        {
            add(Place::PrivateKey);
        }
    }
    for below in homes(path, scene) {
        below_a_home(below, &mut add);
    }
    for start in 0..parts.len() {
        let rest = parts.get(start..).unwrap_or_default();
        for (prefix, place) in ANYWHERE {
            if begins(rest, prefix) && !(*place == Place::GitDirectory && is_git_scrap(rest)) {
                add(*place);
            }
        }
    }
    if let Some(last) = parts.last() {
        file_name(last, &mut add);
    }
}

/// What the components start with: known ones and patterns that could match.
fn begins(parts: &[Part], prefix: &[&str]) -> bool {
    parts.len() >= prefix.len()
        && parts
            .iter()
            .zip(prefix)
            .all(|(part, name)| !part.is_bare() && part.names(name.as_bytes()))
}

fn starts(parts: &[Part], prefix: &[Part]) -> bool {
    parts.len() >= prefix.len()
        && parts
            .iter()
            .zip(prefix)
            .all(|(part, want)| want.literal().is_some_and(|name| part.names(&name)))
}

/// What is below a home directory, for each directory that may be one.
fn homes<'a>(path: &'a Path, scene: &Scene) -> Vec<&'a [Part]> {
    let parts = path.parts.as_slice();
    let mut out = Vec::new();
    if path.base == Base::Root {
        for home in &scene.homes {
            if starts(parts, home) {
                out.push(parts.get(home.len()..).unwrap_or_default());
            }
        }
    }
    let usual = match (path.base, parts) {
        (Base::Root, [first, rest @ ..]) if first.is(b"root") => Some(rest),
        (Base::Root, [first, _, rest @ ..]) if first.is(b"home") || first.is(b"Users") => {
            Some(rest)
        }
        (Base::Root, [first, _, users, _, rest @ ..]) if first.is(b"mnt") && users.is(b"Users") => {
            Some(rest)
        }
        (Base::Drive, [users, _, rest @ ..])
            if users
                .literal()
                .is_some_and(|name| name.eq_ignore_ascii_case(b"users")) =>
        {
            Some(rest)
        }
        // `$DIR/.ssh/id_rsa`: the unknown text may be a home.
        (Base::Unknown(_), parts) => Some(parts),
        _ => None,
    };
    if let Some(below) = usual
        && !out.contains(&below)
    {
        out.push(below);
    }
    out
}

/// Files in `.git` that hold neither history nor settings: locks, messages, excluded names.
fn is_git_scrap(parts: &[Part]) -> bool {
    let [_, inside @ ..] = parts else {
        return false;
    };
    let names: Option<Vec<Vec<u8>>> = inside.iter().map(Part::literal).collect();
    match names.as_deref() {
        Some([directory, name]) if directory == b"info" => name == b"exclude",
        Some([.., name]) => {
            name.ends_with(b".lock") || name.ends_with(b"_EDITMSG") || name.ends_with(b"_MSG")
        }
        _ => false,
    }
}

fn below_a_home(below: &[Part], add: &mut impl FnMut(Place)) {
    for (prefix, place) in BELOW_A_HOME {
        if !begins(below, prefix) {
            continue;
        }
        if *place == Place::AgentSettings && is_agent_data(below) {
            continue;
        }
        add(*place);
        if *place == Place::SshDirectory && holds_private_key(below.get(1..).unwrap_or_default()) {
            add(Place::PrivateKey);
        }
    }
}

fn is_agent_data(below: &[Part]) -> bool {
    let [agent, inner, ..] = below else {
        return false;
    };
    AGENT_DATA.iter().any(|(name, inside)| {
        agent.is(name.as_bytes()) && inside.iter().any(|name| inner.is(name.as_bytes()))
    })
}

/// Whether something in `~/.ssh` is a private key: everything but the files that are known to be
/// none.
fn holds_private_key(inside: &[Part]) -> bool {
    let Some(name) = inside.first() else {
        return true;
    };
    let Some(name) = name.literal() else {
        return !name.suffix().ends_with(b".pub");
    };
    let public = name.ends_with(b".pub")
        || name.starts_with(b"known_hosts")
        || name.starts_with(b"authorized_keys")
        || name.starts_with(b"config")
        || matches!(name.as_slice(), b"environment" | b"rc" | b"allowed_signers");
    !public
}

/// Raw block devices and the devices that lose or echo what is written.
fn device(parts: &[Part], add: &mut impl FnMut(Place)) {
    let [first, rest @ ..] = parts else {
        return;
    };
    if first.is(b"proc") {
        if let [_, directory, ..] = rest
            && directory.is(b"fd")
        {
            add(Place::NullDevice);
        }
        return;
    }
    if !first.is(b"dev") {
        return;
    }
    match rest {
        [name] => {
            let literal = name.literal();
            let quiet = literal.as_deref().is_some_and(|name| {
                matches!(
                    name,
                    b"null"
                        | b"zero"
                        | b"full"
                        | b"random"
                        | b"urandom"
                        | b"tty"
                        | b"stdin"
                        | b"stdout"
                        | b"stderr"
                        | b"fd"
                )
            });
            if quiet {
                add(Place::NullDevice);
            } else if is_raw_device(&name.prefix(), literal.is_some()) {
                add(Place::RawDevice);
            }
        }
        [directory, _, ..] if directory.is(b"fd") => add(Place::NullDevice),
        [directory, _, ..] if directory.is(b"mapper") => add(Place::RawDevice),
        [directory, by, _, ..] if directory.is(b"disk") && by.prefix().starts_with(b"by-") => {
            add(Place::RawDevice);
        }
        _ => {}
    }
}

/// Whether a name in `/dev` is a raw block device; of a name that is not whole only the start is
/// known.
fn is_raw_device(name: &[u8], whole: bool) -> bool {
    let letters = |prefix: &[u8]| {
        name.strip_prefix(prefix).is_some_and(|rest| {
            if whole {
                rest.first().is_some_and(u8::is_ascii_lowercase)
                    && rest
                        .iter()
                        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
            } else {
                true
            }
        })
    };
    let numbered = |prefix: &[u8]| {
        name.strip_prefix(prefix).is_some_and(|rest| {
            if whole {
                rest.first().is_some_and(u8::is_ascii_digit)
            } else {
                true
            }
        })
    };
    [b"sd".as_slice(), b"hd", b"vd", b"xvd"]
        .into_iter()
        .any(letters)
        || [
            b"nvme".as_slice(),
            b"mmcblk",
            b"md",
            b"loop",
            b"nbd",
            b"dm-",
            b"disk",
            b"rdisk",
        ]
        .into_iter()
        .any(numbered)
}

/// Classes that the last component alone says.
fn file_name(last: &Part, add: &mut impl FnMut(Place)) {
    if is_env_file(last) {
        add(Place::EnvFile);
    }
    let suffix = last.suffix();
    let ends = |want: &&str| suffix.ends_with(want.as_bytes());
    if DATABASE_SUFFIXES.iter().any(ends) {
        add(Place::Database);
    }
    if let Some(name) = last.literal() {
        if is_private_key(&name) {
            add(Place::PrivateKey);
        }
        if name.ends_with(b".keytab") || name.ends_with(b".kdbx") {
            add(Place::Credential);
        }
    } else if (last.prefix().starts_with(b"id_") && last.names(b"id_rsa"))
        || (suffix.starts_with(b".") && is_private_key(&[b"x", suffix.as_slice()].concat()))
    {
        add(Place::PrivateKey);
    }
}

/// `.env` and `.env.*`, unless the last part of the name says that it is an example.
fn is_env_file(last: &Part) -> bool {
    let Some(name) = last.literal() else {
        // A pattern that spells out `.env`, or more of a dot name than the dot.
        let prefix = last.prefix();
        return prefix.starts_with(b".e") && !last.has_fog() && last.could_be(b".env")
            || prefix.starts_with(b".env.");
    };
    let Some(rest) = name.strip_prefix(b".env") else {
        return false;
    };
    match rest {
        [] => true,
        [b'.', rest @ ..] => {
            let kind = rest.rsplit(|byte| *byte == b'.').next().unwrap_or(rest);
            !rest.is_empty() && !matches!(kind, b"example" | b"sample" | b"template" | b"dist")
        }
        _ => false,
    }
}

fn is_private_key(name: &[u8]) -> bool {
    if matches!(
        name,
        b"id_rsa" | b"id_dsa" | b"id_ecdsa" | b"id_ed25519" | b"id_ecdsa_sk" | b"id_ed25519_sk"
    ) {
        return true;
    }
    let lower = name.to_ascii_lowercase();
    let has = |part: &[u8]| lower.windows(part.len()).any(|window| window == part);
    [b".key".as_slice(), b".ppk", b".p12", b".pfx"]
        .iter()
        .any(|suffix| lower.ends_with(suffix) && lower.len() > suffix.len())
        || (lower.ends_with(b".pem") && (has(b"key") || has(b"priv")))
}
