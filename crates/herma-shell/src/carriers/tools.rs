//! Programs with an option that names another program or holds shell text.

use super::options::{Scan, Spec, scan};
use super::words::{behind, split_quoted};
use super::{Command, Step};

/// How an option's operand is run.
#[derive(Clone, Copy)]
enum How {
    /// By a shell.
    Text,
    /// As one program's name or path.
    Program,
    /// Split into words, the first being the program.
    Words,
    /// By a shell when it stands behind this.
    Behind(&'static str),
}

struct Tool {
    names: &'static [&'static str],
    spec: Spec,
    runs: &'static [(&'static [&'static str], How)],
}

const fn tool(
    names: &'static [&'static str],
    short: &'static str,
    long: &'static str,
    runs: &'static [(&'static [&'static str], How)],
) -> Tool {
    Tool {
        names,
        spec: Spec::anywhere(short, long),
        runs,
    }
}

const TAR_SHORT: &str = "b:f:F:g:K:L:N:T:V:X:C:I:H:cxtruAdkpPvzjJZahlmnoOsSUwWiBGMR";
const TAR_RUNS: &[(&[&str], How)] = &[
    (&["checkpoint-action"], How::Behind("exec=")),
    (
        &["to-command", "F", "info-script", "new-volume-script"],
        How::Text,
    ),
    (&["I", "use-compress-program"], How::Words),
    (&["rsh-command", "rmt-command"], How::Words),
];

static TOOLS: &[Tool] = &[
    tool(
        &["sort", "gsort"],
        "bdfghiMnRrVcCmszuk:o:S:t:T:",
        "compress-program= batch-size= files0-from= key= output= buffer-size= \
         field-separator= temporary-directory= parallel= random-source= sort= \
         check? ignore-case numeric-sort reverse unique version-sort stable merge \
         debug zero-terminated",
        &[(&["compress-program"], How::Program)],
    ),
    tool(
        &["rg", "ripgrep"],
        "A:B:C:d:e:E:f:g:j:m:M:r:t:T:FisSvwxlcnNopPqzUuHIa.L0hV",
        "pre= hostname-bin= pre-glob= regexp= file= glob= iglob= type= type-not= \
         type-add= type-clear= replace= max-count= max-depth= max-columns= \
         max-filesize= after-context= before-context= context= color= colors= \
         encoding= engine= sort= sortr= threads= path-separator= dfa-size-limit= \
         regex-size-limit= ignore-file= context-separator= field-context-separator= \
         field-match-separator= hyperlink-format= generate= files-with-matches \
         files no-pre",
        &[(&["pre", "hostname-bin"], How::Program)],
    ),
    tool(
        &["ag"],
        "A::B::C::G:m:p:W:g:ilLnoqQsSuUvwz0acdfhHtD",
        "pager= after? before? context? color-line-number= color-match= color-path= \
         file-search-regex= ignore= ignore-dir= max-count= path-to-ignore= width= \
         workers= depth=",
        &[(&["pager"], How::Text)],
    ),
    tool(
        &["ack", "ack-grep"],
        "A:B:C:m:ilLvwcnosxfgHh",
        "pager? match= ignore-dir= ignore-file= type= output= color?",
        &[(&["pager"], How::Text)],
    ),
    tool(
        &["man"],
        "C:R:L:m:M:S:s:e:P:r:E:p:H::X::T::dDfkKlwWciIuatZVh?7",
        "config-file= recode= locale= systems= manpath= sections= extension= pager= \
         prompt= encoding= preprocessor= html? gxditview? troff-device? whatis \
         apropos local-file where path catman all no-subpages update ditroff \
         names-only regex wildcard help version usage",
        &[(&["P", "pager", "H", "html"], How::Text)],
    ),
    tool(
        &["tar", "gtar", "bsdtar"],
        TAR_SHORT,
        "checkpoint-action= checkpoint? to-command= use-compress-program= \
         info-script= new-volume-script= rsh-command= rmt-command= file= directory= \
         exclude= exclude-from= files-from= newer= after-date= newer-mtime= \
         transform= xform= owner= group= mode= mtime= format= label= \
         listed-incremental= level= blocking-factor= record-size= strip-components= \
         suffix= tape-length= starting-file= owner-map= group-map= sort= warning= \
         pax-option= one-top-level? backup? hole-detection= quoting-style= \
         index-file= volno-file= add-file= no-unquote create extract get list \
         append update concatenate diff compare delete gzip bzip2 xz zstd lzma \
         verbose",
        TAR_RUNS,
    ),
    tool(
        &["tcpdump", "tshark", "dumpcap"],
        "B:c:C:E:F:G:i:j:m:M:r:s:T:V:w:W:y:z:Q:Z:AbdDefhHIJKlLnNOpqStuUvxX#",
        "interface= count= snapshot-length=",
        &[(&["z"], How::Program)],
    ),
    tool(
        &["wget"],
        "a:A:B:D:e:i:I:l:nO:o:P:Q:R:t:T:U:w:X:cbdqvxNSkKmpErLHhV4 6",
        "use-askpass= execute= output-document= output-file= header= post-data= \
         post-file= method= body-data= body-file= user-agent= referer= user= \
         password= timeout= tries= wait= directory-prefix= config=",
        &[(&["use-askpass"], How::Program)],
    ),
    tool(
        &["install", "ginstall"],
        "g:m:o:S:t:bcCdDpsTvZ",
        "strip-program= group= mode= owner= suffix= target-directory= backup? \
         context? strip",
        &[(&["strip-program"], How::Program)],
    ),
    tool(
        &["split", "gsplit"],
        "a:b:C:l:n:t:deuxv",
        "filter= suffix-length= bytes= line-bytes= lines= number= separator= \
         additional-suffix= numeric-suffixes? hex-suffixes? elide-empty-files",
        &[(&["filter"], How::Text)],
    ),
    tool(&["zip"], "", "", &[]),
    tool(
        &["yt-dlp", "youtube-dl"],
        "f:o:P:a:r:x",
        "exec= exec-before-download= output= format= paths= external-downloader= \
         downloader= netrc-cmd=",
        &[(&["exec", "exec-before-download", "netrc-cmd"], How::Text)],
    ),
    tool(
        &["aria2c"],
        "d:o:x:s:j:i:",
        "on-download-complete= on-download-error= on-download-start= \
         on-download-stop= on-bt-download-complete= on-download-pause= dir= out=",
        &[(
            &[
                "on-download-complete",
                "on-download-error",
                "on-download-start",
                "on-download-stop",
                "on-bt-download-complete",
                "on-download-pause",
            ],
            How::Program,
        )],
    ),
    tool(
        &["fzf", "sk"],
        "f:q:n:d:m::1 0ie+",
        "preview= bind= query= filter= nth= with-nth= delimiter= height= header= \
         prompt= cmd=",
        &[
            (&["preview", "cmd"], How::Text),
            (&["bind"], How::Behind("execute(")),
        ],
    ),
    tool(
        &["nodemon"],
        "x:e:w:i:d:C L V qh",
        "exec= ext= watch= ignore= delay= signal= cwd= on= config=",
        &[(&["x", "exec"], How::Text)],
    ),
    tool(
        &["chokidar", "chokidar-cli"],
        "c:d:i:t:p",
        "command= debounce= ignore= throttle=",
        &[(&["c", "command"], How::Text)],
    ),
    tool(
        &["svn"],
        "r:m:F:x:c:qvN",
        "diff-cmd= diff3-cmd= editor-cmd= revision= message= file= extensions= \
         username= password= config-dir=",
        &[(&["diff-cmd", "diff3-cmd", "editor-cmd"], How::Text)],
    ),
    tool(
        &["watchman-make"],
        "p:t:",
        "pattern= target= make= run=",
        &[(&["make", "run"], How::Text)],
    ),
    tool(
        &["lftp"],
        "e:c:f:u:p:d",
        "",
        &[(&["e", "c"], How::Behind("!"))],
    ),
    tool(
        &["mutt", "neomutt"],
        "e:a:b:c:f:F:H:i:m:s:",
        "",
        &[(&["e"], How::Behind("!"))],
    ),
];

static GO: Spec = Spec::anywhere(
    "o:p:C:",
    "exec= toolexec= vettool= ldflags= gcflags= tags= mod= run= count= timeout= \
         bench= asmflags= pkgdir=",
)
.single_dash();
static HG: Spec = Spec::anywhere("R:y", "config= cwd= repository= encoding= color=");
static APT: Spec = Spec::anywhere(
    "o:c:t:a:qydfhvs",
    "option= config-file= target-release= default-release=",
);
static APT_NAMES: &[&str] = &["apt", "apt-get", "aptitude", "apt-cache", "apt-config"];

pub(super) fn carry(name: &str, command: &Command<'_>) -> Option<Vec<Step>> {
    if let Some(tool) = TOOLS.iter().find(|tool| tool.names.contains(&name)) {
        if name == "zip" {
            return Some(zip(name, command));
        }
        let read = scan(command.argv, 1, &tool.spec);
        let mut steps = run(name, &read, tool.runs);
        if name.ends_with("tar") {
            steps.extend(tar_bundle(name, command));
        }
        return Some(steps);
    }
    let argv = command.argv;
    Some(match name {
        "go" => run(
            name,
            &scan(argv, 1, &GO),
            &[
                (&["exec", "toolexec"], How::Words),
                (&["vettool"], How::Program),
            ],
        ),
        "hg" => scan(argv, 1, &HG)
            .all(&["config"])
            .filter_map(mercurial)
            .collect(),
        _ if APT_NAMES.contains(&name) => scan(argv, 1, &APT)
            .all(&["o", "option"])
            .filter_map(|setting| {
                let head = setting.value.known_prefix();
                let equals = head.iter().position(|byte| *byte == b'=')?;
                let key = head.get(..equals)?.to_ascii_lowercase();
                let key = String::from_utf8_lossy(&key);
                let hook = [
                    "-invoke",
                    "pre-install-pkgs",
                    "proxy-auto-detect",
                    "proxyautodetect",
                    "dir::bin::",
                ];
                hook.iter()
                    .any(|part| key.contains(part))
                    .then(|| Step::text(&format!("{name} -o"), &behind(setting, equals + 1)))
            })
            .collect(),
        _ => return None,
    })
}

fn run(name: &str, read: &Scan, runs: &[(&[&str], How)]) -> Vec<Step> {
    let mut steps = Vec::new();
    for (options, how) in runs {
        for given in read
            .given
            .iter()
            .filter(|given| options.contains(&given.name))
        {
            let Some(operand) = given
                .operand
                .as_ref()
                .filter(|arg| !arg.value.pieces.is_empty())
            else {
                continue;
            };
            let dashes = if given.name.len() > 1 { "--" } else { "-" };
            let via = format!("{name} {dashes}{}", given.name);
            match how {
                How::Text => steps.push(Step::text(&via, operand)),
                How::Program => steps.extend(Step::argv(&via, std::slice::from_ref(operand))),
                How::Words => steps.extend(Step::argv(&via, &split_quoted(operand))),
                How::Behind(mark) => {
                    let head = operand.value.known_prefix();
                    let at = head
                        .windows(mark.len())
                        .position(|part| part == mark.as_bytes());
                    if let Some(at) = at {
                        let mut text = behind(operand, at + mark.len());
                        if mark.ends_with('(') {
                            text = without_last(&text);
                        }
                        steps.push(Step::text(&via, &text));
                    }
                }
            }
        }
    }
    steps
}

/// The text up to its last closing parenthesis.
fn without_last(arg: &crate::execution::Arg) -> crate::execution::Arg {
    let cells = super::words::cells(&arg.value);
    let end = cells
        .iter()
        .rposition(|cell| cell.byte() == Some(b')'))
        .unwrap_or(cells.len());
    super::words::word(cells.get(..end).unwrap_or_default(), arg.span)
}

/// The letters of tar's first word when it has no dash: operands follow in the order of the letters.
fn tar_bundle(name: &str, command: &Command<'_>) -> Vec<Step> {
    let Some(first) = command.argv.get(1).and_then(|arg| arg.value.bytes()) else {
        return Vec::new();
    };
    if first.starts_with(b"-") {
        return Vec::new();
    }
    let mut index = 2;
    let mut steps = Vec::new();
    for letter in first.iter() {
        let takes = TAR_SHORT
            .as_bytes()
            .windows(2)
            .any(|pair| matches!(pair, [own, b':'] if own == letter));
        if !takes {
            continue;
        }
        if let Some(operand) = command.argv.get(index) {
            match letter {
                b'I' => steps.extend(Step::argv(&format!("{name} -I"), &split_quoted(operand))),
                b'F' => steps.push(Step::text(&format!("{name} -F"), operand)),
                _ => {}
            }
        }
        index += 1;
    }
    steps
}

/// `zip -T -TT 'text'`: its options are words of up to two letters.
fn zip(name: &str, command: &Command<'_>) -> Vec<Step> {
    let via = format!("{name} -TT");
    let mut steps = Vec::new();
    for (at, arg) in command.argv.iter().enumerate().skip(1) {
        let head = arg.value.known_prefix();
        let long: &[u8] = b"--unzip-command";
        if head == b"-TT" || head == long {
            steps.extend(command.argv.get(at + 1).map(|text| Step::text(&via, text)));
        } else if head.starts_with(b"-TT") {
            steps.push(Step::text(&via, &behind(arg, 3)));
        } else if head.starts_with(long) && head.get(long.len()) == Some(&b'=') {
            steps.push(Step::text(&via, &behind(arg, long.len() + 1)));
        }
    }
    steps
}

/// Mercurial's settings: hooks, aliases behind `!`, and programs.
fn mercurial(setting: &crate::execution::Arg) -> Option<Step> {
    let head = setting.value.known_prefix();
    let equals = head.iter().position(|byte| *byte == b'=')?;
    let key = head.get(..equals)?;
    let value = behind(setting, equals + 1);
    let via = "hg --config";
    let text = value.value.known_prefix();
    if key.starts_with(b"alias.") {
        return text
            .starts_with(b"!")
            .then(|| Step::text(via, &behind(&value, 1)));
    }
    let runs = key.starts_with(b"hooks.") && !text.starts_with(b"python:")
        || matches!(
            key,
            b"ui.ssh" | b"ui.editor" | b"ui.merge" | b"pager.pager" | b"ui.askusername"
        )
        || key.starts_with(b"extdiff.cmd.")
        || key.ends_with(b".executable");
    runs.then(|| Step::text(via, &value))
}
