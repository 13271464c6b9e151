//! Programs whose documented interface is to print settings for a shell to evaluate.

use crate::execution::Arg;
use crate::path::PROGRAM_DIRECTORIES;

/// Where Homebrew is installed on Linux: a user may write there, so it counts for settings alone.
const LINUXBREW: &[u8] = b"/home/linuxbrew/.linuxbrew/bin";

/// Programs with the words that make them print settings; no words at all where the program does
/// nothing else. A word that ends in `*` stands for all that begin so.
const PRINTERS: &[(&[&str], &[&[&str]])] = &[
    (
        &[
            "ssh-agent",
            "dircolors",
            "lesspipe",
            "lesspipe.sh",
            "keychain",
            "resize",
            "locale",
            "register-python-argcomplete",
            "register-python-argcomplete3",
        ],
        &[],
    ),
    (&["direnv"], &[&["hook"], &["export"]]),
    (&["brew"], &[&["shellenv"]]),
    (
        &[
            "pyenv", "rbenv", "nodenv", "goenv", "jenv", "plenv", "phpenv", "luaenv", "swiftenv",
            "scalaenv", "crenv",
        ],
        &[&["init"], &["virtualenv-init"], &["completions"]],
    ),
    (&["fnm"], &[&["env"], &["completions"]]),
    (
        &["mise", "rtx"],
        &[
            &["activate"],
            &["env"],
            &["hook-env"],
            &["completion"],
            &["completions"],
        ],
    ),
    (&["vfox", "proto"], &[&["activate"], &["completions"]]),
    (&["asdf"], &[&["completion"]]),
    (
        &["conda", "mamba", "micromamba"],
        &[&["shell.*"], &["shell", "hook"], &["shell", "activate"]],
    ),
    (&["pixi"], &[&["shell-hook"], &["completion"]]),
    (&["opam"], &[&["env"], &["config", "env"]]),
    (&["luarocks"], &[&["path"]]),
    (&["poetry"], &[&["env", "activate"], &["completions"]]),
    (&["pdm"], &[&["venv", "activate"], &["completion"]]),
    (&["pipenv"], &[&["--completion"]]),
    (
        &[
            "starship",
            "zoxide",
            "atuin",
            "mcfly",
            "oh-my-posh",
            "scmpuff",
            "rtm",
        ],
        &[
            &["init"],
            &["completions"],
            &["gen-completions"],
            &["completion"],
        ],
    ),
    (&["navi"], &[&["widget"]]),
    (&["sheldon"], &[&["source"], &["completions"]]),
    (&["antibody"], &[&["init"]]),
    (&["antidote"], &[&["init"]]),
    (&["carapace"], &[&["_carapace"]]),
    (&["thefuck"], &[&["--alias"]]),
    (&["hub"], &[&["alias"]]),
    (&["fzf"], &[&["--bash"], &["--zsh"], &["--fish"]]),
    (&["just"], &[&["--completions"]]),
    (&["rg"], &[&["--generate"]]),
    (&["docker-machine"], &[&["env"], &["completion"]]),
    (
        &["minikube"],
        &[&["docker-env"], &["podman-env"], &["completion"]],
    ),
    (&["dbus-launch"], &[&["--sh-syntax"]]),
    (
        &["uv", "uvx"],
        &[
            &["generate-shell-completion"],
            &["--generate-shell-completion"],
        ],
    ),
    (&["yq"], &[&["shell-completion"], &["completion"]]),
    (&["heroku"], &[&["autocomplete:script"]]),
    (
        &[
            "kubectl",
            "helm",
            "gh",
            "glab",
            "npm",
            "pnpm",
            "yarn",
            "pip",
            "pip3",
            "docker",
            "podman",
            "nerdctl",
            "kind",
            "k3d",
            "k3s",
            "oc",
            "argocd",
            "flux",
            "istioctl",
            "cilium",
            "kustomize",
            "stern",
            "eksctl",
            "doctl",
            "hcloud",
            "flyctl",
            "fly",
            "op",
            "ng",
            "hugo",
            "chezmoi",
            "tailscale",
            "rclone",
            "restic",
            "golangci-lint",
            "goreleaser",
            "buf",
            "task",
            "skaffold",
            "tilt",
            "velero",
            "crictl",
            "limactl",
            "colima",
            "k9s",
            "kubebuilder",
            "operator-sdk",
            "rustup",
            "deno",
            "bun",
            "nx",
            "volta",
            "gitlab-runner",
            "trivy",
            "syft",
            "grype",
            "cosign",
            "terraform-docs",
            "linkerd",
            "kompose",
            "krew",
            "talosctl",
            "clusterctl",
            "kubeadm",
            "helmfile",
            "vcluster",
        ],
        &[&["completion"], &["completions"]],
    ),
];

/// Whether the program prints settings that are meant to be evaluated.
pub(super) fn prints_settings(path: &[u8], name: &[u8], words: &[Arg]) -> bool {
    let directory = path.get(..path.len().saturating_sub(name.len()));
    let trusted = directory.is_some_and(|own| match own.strip_suffix(b"/") {
        Some(own) => PROGRAM_DIRECTORIES.contains(&own) || own == LINUXBREW,
        None => own.is_empty(),
    });
    if !trusted {
        return false;
    }
    PRINTERS
        .iter()
        .filter(|(names, _)| names.iter().any(|own| own.as_bytes() == name))
        .any(|(_, forms)| forms.is_empty() || forms.iter().any(|form| begins(words, form)))
}

/// Whether the words begin with the form, behind options and their values.
fn begins(words: &[Arg], form: &[&str]) -> bool {
    let mut rest = words;
    let mut behind_option = false;
    loop {
        if form
            .iter()
            .enumerate()
            .all(|(at, own)| rest.get(at).is_some_and(|arg| is_word(arg, own)))
        {
            return true;
        }
        let Some((first, more)) = rest.split_first() else {
            return false;
        };
        let option = first.value.known_prefix().first() == Some(&b'-');
        if !option && !behind_option {
            return false;
        }
        behind_option = option;
        rest = more;
    }
}

fn is_word(arg: &Arg, own: &str) -> bool {
    match own.strip_suffix('*') {
        Some(head) => arg
            .value
            .bytes()
            .is_some_and(|word| word.starts_with(head.as_bytes())),
        None => arg.value.is(own.as_bytes()),
    }
}
