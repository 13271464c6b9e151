//! Files that a name protects.

use super::*;

#[test]
fn env_files_except_examples() {
    all_hold(
        &[
            ".env",
            "./api/.env",
            ".env.local",
            ".env.bak",
            "/srv/app/.env",
            ".env*",
            ".e*",
        ],
        EnvFile,
    );
    none_hold(
        &[
            ".env.example",
            ".env.local.sample",
            ".env.dist",
            ".envrc",
            ".env#bak",
            "env",
            "tmp.env",
            "*",
        ],
        EnvFile,
    );
}

#[test]
fn what_is_in_a_home_is_known_in_every_home() {
    all_hold(
        &[
            "/home/dev/.ssh",
            "/home/dev/./.ssh/config",
            "/home/dev/x/../.ssh/a",
            "/root/.ssh/authorized_keys",
            "/home/bob/.ssh/x",
            "/Users/ann/.ssh/x",
            "C:\\Users\\ann\\.ssh\\x",
            "/home/*/.ssh/x",
            "../.ssh/x",
        ],
        SshDirectory,
    );
    all_hold(&["$V/.ssh/x", "@U/.ssh/x", "~/.ssh/x"], SshDirectory);
    // Services have homes too.
    all_hold(&["/var/lib/git/.ssh/x", "/srv/.SSH/x"], SshDirectory);
    none_hold(&["ssh/x", "/home/dev/.sshx"], SshDirectory);
    all_hold(
        &[
            "/home/dev/.aws/credentials",
            "/home/dev/.netrc",
            "/home/dev/.kube",
            "/etc/shadow",
        ],
        Credential,
    );
    none_hold(&["/home/dev/.aws-backup/x", "npmrc", ".npmrc"], Credential);
    all_hold(
        &["/home/dev/.bashrc", "/home/dev/.bashrc.d/a", "/root/.zshrc"],
        ShellStartup,
    );
    all_hold(
        &[
            "/home/dev/.hermes/config.yaml",
            ".claude/settings.json",
            "/home/dev/.claude/CLAUDE.md",
        ],
        AgentSettings,
    );
    none_hold(
        &[
            "config.yaml",
            ".claude/commands/x.md",
            "/home/dev/.claude/projects/x",
        ],
        AgentSettings,
    );
    all_hold(
        &[
            "/home/dev/.herma/config.toml",
            ".herma.toml",
            "/etc/herma/x",
        ],
        HermaFiles,
    );
}

#[test]
fn private_keys_are_not_their_public_halves() {
    all_hold(
        &[
            "/home/dev/.ssh/id_ed25519",
            "/home/dev/.ssh",
            "/home/dev/.ssh/*",
            "/home/dev/.ssh/work",
            "id_rsa",
            "server.key",
            "private.pem",
        ],
        PrivateKey,
    );
    none_hold(
        &[
            "/home/dev/.ssh/id_ed25519.pub",
            "/home/dev/.ssh/known_hosts",
            "/home/dev/.ssh/*.pub",
            "cert.pem",
            "key",
        ],
        PrivateKey,
    );
}

#[test]
fn what_runs_later() {
    all_hold(
        &[
            "/etc/cron.d/x",
            "/home/dev/.config/systemd/user/x.service",
            ".envrc",
            ".git/config",
            "/home/dev/.gitconfig",
        ],
        RunsLater,
    );
    all_are(&[".git/hooks/pre-commit"], &[Work, GitDirectory, GitHook]);
    all_hold(&["a.db", "x/y.sqlite3", "*.db"], Database);
    none_hold(&["a.dbx", "db"], Database);
}
