//! Wrappers of tool chains and secret managers: a verb such as `run`, then the program.

use super::{Wrapper, wrapper};

pub(super) static TABLE: &[Wrapper] = &[
    wrapper(
        &["npx", "bunx", "pnpx"],
        "p:c:yqn",
        "package= call= yes no no-install quiet ignore-existing \
         shell-auto-fallback? workspace= workspaces prefix= bun verbose",
    )
    .text(&["c", "call"]),
    wrapper(
        &["npm"],
        "p:c:yw:",
        "package= call= yes no workspace= workspaces prefix=",
    )
    .verb(&["exec", "x"])
    .text(&["c", "call"]),
    wrapper(
        &["pnpm"],
        "C:crF:w",
        "dir= package= shell-mode recursive filter= workspace-root parallel",
    )
    .verb(&["dlx", "exec"])
    .cwd(&["C", "dir"]),
    wrapper(&["yarn"], "p:q", "package= quiet cwd=").verb(&["dlx", "exec"]),
    wrapper(&["bun"], "", "bun silent cwd= package=").verb(&["x"]),
    wrapper(
        &["uvx"],
        "p:w:cqnvi:f:C:P:",
        "from= with= with-editable= with-requirements= python= index= \
         default-index= index-url= extra-index-url= find-links= env-file= \
         directory= project= cache-dir= config-file= isolated refresh no-cache \
         offline quiet verbose native-tls constraints= overrides=",
    ),
    wrapper(
        &["pipx"],
        "",
        "spec= python= pip-args= no-cache pypackages system-site-packages \
         index-url= verbose quiet",
    )
    .verb(&["run"]),
    wrapper(
        &["uv"],
        "p:w:qvnmi:f:C:P:",
        "with= with-editable= with-requirements= python= extra= group= only-group= \
         no-group= no-extra= package= directory= project= env-file= index= \
         default-index= index-url= extra-index-url= find-links= cache-dir= \
         config-file= from= all-extras no-dev only-dev all-groups isolated active \
         no-sync locked frozen exact no-project no-config offline quiet verbose \
         no-cache refresh module script gui-script no-env-file no-editable \
         all-packages native-tls",
    )
    .verb(&["run"]),
    wrapper(
        &["poetry", "pipenv", "pdm", "hatch", "rye", "pixi"],
        "C:P:e:p:qvns",
        "directory= project= python= manifest-path= environment= env= site-packages \
         verbose quiet",
    )
    .verb(&["run"]),
    wrapper(
        &["bundle", "bundler"],
        "",
        "keep-file-descriptors gemfile= verbose",
    )
    .verb(&["exec", "exe", "e"]),
    wrapper(
        &[
            "rbenv", "pyenv", "nodenv", "goenv", "jenv", "plenv", "phpenv", "opam",
        ],
        "",
        "switch= root=",
    )
    .verb(&["exec"]),
    wrapper(&["asdf"], "", "").verb(&["exec"]),
    wrapper(
        &["mise", "rtx"],
        "C:E:c:j:qvy",
        "cd= env= command= jobs= raw quiet verbose yes",
    )
    .verb(&["exec", "x"])
    .text(&["c", "command"])
    .separated(),
    wrapper(&["rustup"], "", "install").verb(&["run"]).skip(1),
    wrapper(
        &["volta"],
        "",
        "node= npm= yarn= pnpm= bundled-npm no-yarn no-pnpm",
    )
    .verb(&["run"]),
    wrapper(&["fnm"], "", "using= log-level= fnm-dir=").verb(&["exec"]),
    wrapper(
        &["conda", "mamba", "micromamba"],
        "n:p:v",
        "name= prefix= cwd= no-capture-output live-stream verbose dev \
         debug-wrapper-scripts",
    )
    .verb(&["run"]),
    wrapper(&["direnv"], "", "").verb(&["exec"]).skip(1),
    wrapper(
        &["aws-vault"],
        "d:njst",
        "duration= region= no-session server ecs-server stdout lazy mfa-token= \
         prompt= debug backend= keychain=",
    )
    .verb(&["exec"])
    .skip(1)
    .rescans(),
    wrapper(
        &["aws-okta", "saml2aws", "chamber", "granted"],
        "a:d:p:",
        "",
    )
    .verb(&["exec"])
    .separated(),
    wrapper(&["op"], "", "env-file= no-masking account= config=").verb(&["run"]),
    wrapper(
        &["doppler"],
        "p:c:t:",
        "project= config= token= command= preserve-env fallback= mount= \
         name-transformer= scope=",
    )
    .verb(&["run"])
    .text(&["command"]),
    wrapper(
        &["infisical"],
        "",
        "env= path= command= token= projectId= watch",
    )
    .verb(&["run"])
    .text(&["command"]),
    wrapper(
        &["dotenv", "dotenvx"],
        "e:c::p:v:o f:q",
        "env-file= overload file= quiet",
    )
    .verb(&["run", "--"]),
    wrapper(
        &["env-cmd"],
        "f:r:e:",
        "file= rc-file= environments= fallback no-override silent use-shell verbose \
         expand-envs",
    ),
    wrapper(&["cross-env", "cross-env-shell"], "", "").assigns(),
    wrapper(&["dotenv-cli"], "e:", ""),
    wrapper(
        &[
            "teller",
            "envchain",
            "berglas",
            "summon",
            "sops",
            "vaultenv",
            "secrethub",
        ],
        "f:p:D:e:",
        "",
    )
    .verb(&["run", "exec", "exec-env"]),
    wrapper(
        &["nix-shell"],
        "p:A:I:E:j:Q",
        "run= command= packages attr= include= expr= pure arg= argstr= keep= \
         option=",
    )
    .text(&["run", "command"]),
    wrapper(&["guix"], "D:f:m:e:NCPF", "pure container network")
        .verb(&["shell", "environment"])
        .separated(),
    wrapper(
        &["flatpak-spawn"],
        "v",
        "forward-fd= clear-env watch-bus env= latest-version sandbox no-network \
         directory= host",
    ),
    wrapper(
        &["distrobox", "toolbox"],
        "n:c:r:e",
        "name= container= release= distro=",
    )
    .verb(&["enter", "run"])
    .separated(),
    wrapper(
        &["reflex"],
        "r:R:g:G:s d:e vS",
        "regex= inverse-regex= glob= inverse-glob= start-service decoration= \
         substitute= sequential verbose",
    ),
    wrapper(
        &[
            "with-env",
            "withenv",
            "with-secrets",
            "with-lock",
            "with-retry",
            "retry",
        ],
        "d:n:t:m:i:",
        "delay= times= min= max= until= while=",
    ),
    wrapper(&["sccache", "ccache", "distcc", "icecc"], "", ""),
    wrapper(&["wine", "wine64", "box64", "box86"], "", ""),
    wrapper(&["winpty"], "X:", "mouse show-key"),
];
