//! Terminals, multiplexers and programs that repeat a command.

use crate::execution::Arg;
use crate::syntax::Dialect;

use super::options::{Spec, scan};
use super::privilege::argv_span;
use super::words::{Cell, behind, cells, computed, join, word};
use super::{Command, Step, shells};

static WATCH: Spec = Spec::new(
    "n:d::gbcCepqtxwfhvrs:",
    "interval= differences? chgexit beep color no-color errexit precise \
         equexit= no-title exec no-wrap no-linewrap no-rerun shotsdir= help version",
);
static SCRIPT: Spec = Spec::new(
    "c:aefqO:I:B:T:m:E:o:t::hVkdrpF",
    "command= append return flush force quiet log-out= log-in= log-io= \
         log-timing= logging-format= echo= output-limit= timing? help version",
);
static FLOCK: Spec = Spec::new(
    "eE:nosuxw:FvhV",
    "exclusive conflict-exit-code= nb nonblock no-fork close shared unlock \
         timeout= wait= verbose help version",
);
static SCREEN: Spec = Spec::new("aAc:dDe:f::h:ilLmOp:qrRs:S:t:T:UvwxX", "version help");
static TMUX: Spec = Spec::new("2CDluvVNc:f:L:S:T:h", "");
static TERMINAL: Spec = Spec::new(
    "T:t:g:d:u:p:e",
    "title= geometry= working-directory= display= command= profile= class= hold \
         config-file= option= workdir= role= window tab maximize full-screen wait \
         font= fn= fg= bg= bd= xrm= name= nofork separate",
)
.single_dash();
static HYPERFINE: Spec = Spec::anywhere(
    "w:m:M:r:s:p:c:C:P:D:L:S:n:iNu:",
    "warmup= min-runs= max-runs= runs= setup= prepare= cleanup= conclude= \
         parameter-scan= parameter-step-size= parameter-list= shell= \
         ignore-failure? style= sort= time-unit= export-asciidoc= export-csv= \
         export-json= export-markdown= export-orgmode= show-output output= input= \
         command-name= reference= reference-name=",
);

static WATCHEXEC: Spec = Spec::new(
    "w:W:e:f:i:rs:d:po:q c::E:nN1hv",
    "watch= watch-non-recursive= watch-file= exts= filter= filter-file= ignore= \
         ignore-file= on-busy-update= debounce= stop-signal= stop-timeout= poll? \
         shell= emit-events-to= env= project-origin= workdir= restart postpone \
         clear? no-shell signal= delay-run= fs-events= notify? color= timings quiet \
         bell no-vcs-ignore no-global-ignore no-default-ignore no-discover-ignore \
         no-project-ignore wrap-process= map-signal= help version",
);

static CONCURRENTLY: Spec = Spec::anywhere(
    "n:k s c:p:m:r",
    "names= prefix= prefix-colors= kill-others success= max-processes= \
         restart-tries= raw",
);

pub(super) fn carry(name: &str, command: &Command<'_>) -> Option<Vec<Step>> {
    let argv = command.argv;
    Some(match name {
        "watch" => joined(
            name,
            argv,
            &WATCH,
            &["x", "exec"],
            &["help", "version", "h", "v"],
        ),
        "entr" => {
            let read = scan(argv, 1, &Spec::new("acdnprszx", ""));
            starts(name, argv, &read.starts, read.has(&["s"]))
        }
        "watchexec" => {
            let read = scan(argv, 1, &WATCHEXEC);
            let direct = read.has(&["n", "no-shell"])
                || read
                    .last(&["shell"])
                    .is_some_and(|arg| arg.value.is(b"none"));
            starts(name, argv, &read.starts, !direct)
        }
        "hyperfine" => {
            let read = scan(argv, 1, &HYPERFINE);
            let mut texts: Vec<&Arg> = read
                .all(&[
                    "s",
                    "setup",
                    "p",
                    "prepare",
                    "c",
                    "cleanup",
                    "C",
                    "conclude",
                    "reference",
                ])
                .collect();
            texts.extend(read.operands.iter().filter_map(|at| argv.get(*at)));
            texts.iter().map(|text| Step::text(name, text)).collect()
        }
        "concurrently" => {
            let read = scan(argv, 1, &CONCURRENTLY);
            read.operands
                .iter()
                .filter_map(|at| argv.get(*at))
                .map(|text| Step::text(name, text))
                .collect()
        }
        "onchange" | "dtach" | "abduco" | "ttyd" | "gotty" => behind_separator(name, argv),
        "script" => script(name, argv),
        "flock" => flock(name, argv),
        "screen" => screen(name, argv),
        "tmux" | "byobu" | "tmate" => tmux(name, argv),
        "xterm"
        | "uxterm"
        | "lxterm"
        | "rxvt"
        | "urxvt"
        | "st"
        | "konsole"
        | "alacritty"
        | "kitty"
        | "foot"
        | "terminator"
        | "xfce4-terminal"
        | "gnome-terminal"
        | "mate-terminal"
        | "lxterminal"
        | "wezterm"
        | "x-terminal-emulator" => terminal(name, argv),
        "cargo-watch" => cargo_watch(name, argv.get(1..).unwrap_or_default()),
        "cargo" if argv.get(1).is_some_and(|arg| arg.value.is(b"watch")) => {
            cargo_watch("cargo watch", argv.get(2..).unwrap_or_default())
        }
        "ip" => netns(argv),
        "nix" => nix(argv),
        _ => return None,
    })
}

fn starts(name: &str, argv: &[Arg], starts: &[usize], shell: bool) -> Vec<Step> {
    starts
        .iter()
        .filter_map(|start| {
            let words = argv.get(*start..)?;
            if shell {
                join(words).map(|text| Step::text(name, &text))
            } else {
                Step::argv(name, words)
            }
        })
        .collect()
}

fn joined(name: &str, argv: &[Arg], spec: &Spec, direct: &[&str], queries: &[&str]) -> Vec<Step> {
    let read = scan(argv, 1, spec);
    if read.has(queries) {
        return Vec::new();
    }
    starts(name, argv, &read.starts, !read.has(direct))
}

fn behind_separator(name: &str, argv: &[Arg]) -> Vec<Step> {
    if let Some(at) = argv.iter().position(|arg| arg.value.is(b"--")) {
        return Step::argv(name, argv.get(at + 1..).unwrap_or_default())
            .into_iter()
            .collect();
    }
    let (spec, skip) = match name {
        // -c, -n, -A, -N take the socket or session, then the command follows.
        "dtach" => (Spec::new("a:A:c:n:N:p:e:Er:z", ""), 0),
        "abduco" => (Spec::new("a:A:c:n:e:frpl", ""), 0),
        "ttyd" | "gotty" => (
            Spec::new(
                "p:i:c:H:u:g:s:w:I:b:t:T:P:f:ORWaoqBd:mS A:C:K:v",
                "port= interface= credential= uid= gid= signal= cwd= index= base-path= \
         client-option= terminal-type= max-clients= ssl ssl-cert= ssl-key=",
            ),
            0,
        ),
        _ => return Vec::new(),
    };
    let read = scan(argv, 1, &spec);
    read.starts
        .iter()
        .filter_map(|start| Step::argv(name, argv.get(start + skip..)?))
        .collect()
}

/// `script [options] [file [command…]]` (BSD) and `script -c text` (util-linux).
fn script(name: &str, argv: &[Arg]) -> Vec<Step> {
    let read = scan(argv, 1, &SCRIPT);
    if read.has(&["help", "h", "version", "V"]) {
        return Vec::new();
    }
    let mut steps: Vec<Step> = read
        .all(&["c", "command"])
        .map(|text| Step::text(&format!("{name} -c"), text))
        .collect();
    // GNU getopt lets -c follow the file.
    let inner = read
        .starts
        .first()
        .map(|start| scan(argv, start + 1, &SCRIPT));
    if let Some(inner) = inner {
        steps.extend(
            inner
                .all(&["c", "command"])
                .map(|text| Step::text(&format!("{name} -c"), text)),
        );
        if steps.is_empty() {
            steps.extend(
                inner
                    .starts
                    .iter()
                    .filter_map(|start| Step::argv(name, argv.get(*start..)?)),
            );
        }
    }
    if steps.is_empty() {
        steps.push(shells::input(name, argv_span(argv), Dialect::Posix));
    }
    steps
}

/// `flock [options] file command…` or `flock [options] file -c text`.
fn flock(name: &str, argv: &[Arg]) -> Vec<Step> {
    let read = scan(argv, 1, &FLOCK);
    let mut steps = Vec::new();
    for start in &read.starts {
        let words = argv.get(start + 1..).unwrap_or_default();
        let Some(first) = words.first() else { continue };
        let head = first.value.known_prefix();
        let flag = head == b"-c" || (head.len() > 2 && b"--command".starts_with(&head));
        if flag && first.value.is_known() {
            steps.extend(words.get(1).map(|text| Step::text(name, text)));
        } else if head.starts_with(b"--command=") {
            steps.push(Step::text(name, &behind(first, 10)));
        } else if head.starts_with(b"-c") {
            steps.push(Step::text(name, &behind(first, 2)));
        } else if head == b"--" {
            steps.extend(Step::argv(name, words.get(1..).unwrap_or_default()));
        } else {
            steps.extend(Step::argv(name, words));
        }
    }
    steps
}

fn screen(name: &str, argv: &[Arg]) -> Vec<Step> {
    let read = scan(argv, 1, &SCREEN);
    if read.has(&["version", "v", "help"]) {
        return Vec::new();
    }
    let listing = argv.iter().skip(1).any(|arg| {
        matches!(
            arg.value.known_prefix().as_slice(),
            b"-ls" | b"-list" | b"-wipe"
        )
    });
    if listing {
        return Vec::new();
    }
    let attaches = read.has(&["r", "R", "x"]) || (read.has(&["d", "D"]) && !read.has(&["m"]));
    if attaches {
        return Vec::new();
    }
    if read.has(&["X"]) {
        let Some(words) = read.starts.first().and_then(|start| argv.get(*start..)) else {
            return Vec::new();
        };
        let verb = words
            .first()
            .map(|arg| arg.value.known_prefix())
            .unwrap_or_default();
        let rest = words.get(1..).unwrap_or_default();
        return match verb.as_slice() {
            b"stuff" => join(rest)
                .map(|text| Step::text("screen -X stuff", &typed(&text)))
                .into_iter()
                .collect(),
            b"exec" | b"screen" => Step::argv(name, rest).into_iter().collect(),
            _ => Vec::new(),
        };
    }
    starts(name, argv, &read.starts, false)
}

/// Keys as text: `^M`, `\n` and `\015` end a line.
fn typed(arg: &Arg) -> Arg {
    let all = cells(&arg.value);
    let mut out = Vec::new();
    let mut index = 0;
    while let Some(cell) = all.get(index).copied() {
        let next = |step: usize| all.get(index + step).and_then(|cell| cell.byte());
        match (cell.byte(), next(1)) {
            (Some(b'^'), Some(b'M' | b'm' | b'J' | b'j')) | (Some(b'\\'), Some(b'n' | b'r')) => {
                out.push(Cell::Byte(b'\n', None));
                index += 2;
            }
            (Some(b'\\'), Some(b'0'))
                if next(2) == Some(b'1') && matches!(next(3), Some(b'5' | b'2')) =>
            {
                out.push(Cell::Byte(b'\n', None));
                index += 4;
            }
            (Some(b'\r'), _) => {
                out.push(Cell::Byte(b'\n', None));
                index += 1;
            }
            _ => {
                out.push(cell);
                index += 1;
            }
        }
    }
    word(&out, arg.span)
}

/// Commands of tmux that run something, their options, and how.
const TMUX_COMMANDS: &[(&str, &str, &str, Run)] = &[
    (
        "new-session",
        "new",
        "AdDEPXc:e:F:f:n:s:t:x:y:",
        Run::Program,
    ),
    ("new-window", "neww", "abdkPSc:e:F:n:t:", Run::Program),
    (
        "split-window",
        "splitw",
        "bdfhIvPZc:e:F:l:p:t:",
        Run::Program,
    ),
    ("respawn-pane", "respawnp", "kc:e:t:", Run::Program),
    ("respawn-window", "respawnw", "kc:e:t:", Run::Program),
    (
        "display-popup",
        "popup",
        "BCENb:c:d:e:h:s:S:t:T:w:x:y:",
        Run::Program,
    ),
    ("run-shell", "run", "bCEc:d:t:", Run::Text),
    ("if-shell", "if", "bFt:", Run::If),
    ("pipe-pane", "pipep", "IOot:", Run::Text),
    ("send-keys", "send", "FHKlMRXN:c:t:", Run::Keys),
    ("set-hook", "set-hook", "agpRuwt:", Run::Hook),
];

#[derive(Clone, Copy)]
enum Run {
    Program,
    Text,
    If,
    Keys,
    Hook,
}

fn tmux(name: &str, argv: &[Arg]) -> Vec<Step> {
    let read = scan(argv, 1, &TMUX);
    let mut steps: Vec<Step> = read
        .all(&["c"])
        .map(|text| Step::text(name, text))
        .collect();
    let Some(start) = read.starts.first() else {
        return steps;
    };
    let rest = argv.get(*start..).unwrap_or_default();
    for words in rest.split(|arg| arg.value.is(b";")) {
        steps.extend(tmux_command(words));
    }
    steps
}

fn tmux_command(words: &[Arg]) -> Vec<Step> {
    let Some(verb) = words.first().and_then(|arg| arg.value.bytes()) else {
        return Vec::new();
    };
    let found = TMUX_COMMANDS.iter().find(|(long, short, _, _)| {
        short.as_bytes() == &*verb || (verb.len() > 3 && long.as_bytes().starts_with(&verb))
    });
    let Some((long, _, short, run)) = found else {
        return Vec::new();
    };
    let via = format!("tmux {long}");
    let read = scan(words, 1, &Spec::new(short, ""));
    let Some(rest) = read.starts.first().and_then(|start| words.get(*start..)) else {
        return Vec::new();
    };
    match run {
        Run::Program => match rest {
            [text] => vec![Step::text(&via, text)],
            words => Step::argv(&via, words).into_iter().collect(),
        },
        Run::Text => rest
            .first()
            .map(|text| Step::text(&via, text))
            .into_iter()
            .collect(),
        Run::If => {
            let mut steps: Vec<Step> = rest
                .first()
                .map(|text| Step::text(&via, text))
                .into_iter()
                .collect();
            for nested in rest.get(1..).unwrap_or_default() {
                let inner = super::words::split_quoted(nested);
                let is_if = inner
                    .first()
                    .is_some_and(|arg| arg.value.known_prefix().starts_with(b"if"));
                if !is_if {
                    steps.extend(tmux_command(&inner));
                }
            }
            steps
        }
        Run::Keys => {
            let mut text: Option<Arg> = None;
            for key in rest {
                let enters = [&b"Enter"[..], b"C-m", b"C-M", b"KPEnter", b"C-j", b"^M"]
                    .iter()
                    .any(|name| key.value.is(name));
                let piece = if enters {
                    computed(*b"\n", key.span)
                } else if key.value.is(b"Space") {
                    computed(*b" ", key.span)
                } else {
                    typed(key)
                };
                match &mut text {
                    Some(text) => {
                        text.value.append(&piece.value);
                        text.span = text.span.join(piece.span);
                    }
                    None => text = Some(piece),
                }
            }
            text.map(|text| Step::text(&via, &text))
                .into_iter()
                .collect()
        }
        Run::Hook => Vec::new(),
    }
}

fn terminal(name: &str, argv: &[Arg]) -> Vec<Step> {
    // -e takes the rest of the words, or one word of text.
    let at = argv.iter().position(|arg| {
        [&b"-e"[..], b"--", b"-x", b"--execute", b"-ex", b"start"]
            .iter()
            .any(|mark| arg.value.is(mark))
    });
    if let Some(at) = at {
        let mut words = argv.get(at + 1..).unwrap_or_default();
        if words.first().is_some_and(|arg| arg.value.is(b"--")) {
            words = words.get(1..).unwrap_or_default();
        }
        return match words {
            [text] => vec![Step::text(name, text)],
            words => Step::argv(name, words).into_iter().collect(),
        };
    }
    let read = scan(argv, 1, &TERMINAL);
    if let Some(text) = read.last(&["command"]) {
        return vec![Step::text(name, text)];
    }
    if matches!(name, "kitty" | "foot" | "st") {
        return starts(name, argv, &read.starts, false);
    }
    Vec::new()
}

fn cargo_watch(name: &str, words: &[Arg]) -> Vec<Step> {
    let spec = Spec::new(
        "s:x:w:i:d:C:cqB:E:N",
        "shell= exec= watch= ignore= delay= workdir= use-shell= why no-vcs-ignores \
         postpone poll env= features=",
    );
    let read = scan(words, 0, &spec);
    let mut steps: Vec<Step> = read
        .all(&["s", "shell"])
        .map(|text| Step::text(name, text))
        .collect();
    steps.extend(
        read.starts
            .iter()
            .filter_map(|start| Step::argv(name, words.get(*start..)?)),
    );
    steps
}

/// `nix develop|shell … -c command…`: the option takes the rest of the words.
fn nix(argv: &[Arg]) -> Vec<Step> {
    let develops = argv.iter().take(8).any(|arg| {
        [&b"develop"[..], b"shell", b"env"]
            .iter()
            .any(|verb| arg.value.is(verb))
    });
    let at = argv.iter().position(|arg| {
        [&b"-c"[..], b"--command"]
            .iter()
            .any(|option| arg.value.is(option))
    });
    match at {
        Some(at) if develops => Step::argv("nix develop", argv.get(at + 1..).unwrap_or_default())
            .into_iter()
            .collect(),
        _ => Vec::new(),
    }
}

/// `ip netns exec NAME command`, `ip vrf exec NAME command`.
fn netns(argv: &[Arg]) -> Vec<Step> {
    let read = scan(
        argv,
        1,
        &Spec::new("sdhoa4 6 0MBDItbjpnNcr:l:f:V", "").single_dash(),
    );
    let Some(start) = read.starts.first() else {
        return Vec::new();
    };
    match argv.get(*start..).unwrap_or_default() {
        [object, exec, _, words @ ..]
            if exec.value.is(b"exec")
                && [&b"netns"[..], b"net", b"vrf"]
                    .iter()
                    .any(|word| object.value.is(word)) =>
        {
            Step::argv("ip netns exec", words).into_iter().collect()
        }
        _ => Vec::new(),
    }
}
