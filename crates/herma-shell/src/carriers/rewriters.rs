//! Programs that change files which are there: what of their words names these files.
//!
//! What a program puts in a file that the line wrote is mostly not known; so what the file holds is
//! not, either. Copies, downloads and what compilers make are followed elsewhere.

use crate::execution::Arg;
use crate::value::Value;

use super::options::{Scan, Spec, scan};
use super::program;

/// The files that a command changes.
#[derive(Default)]
pub(crate) struct Rewritten {
    /// Files, or directories with all that is in them.
    pub(crate) paths: Vec<Value>,
    /// What arrives on standard input, or what these words name, says which files below the working
    /// directory change; no words for standard input.
    pub(crate) by_content: Option<Vec<Value>>,
    /// The command that prints what one file of `paths` holds from here on, without its name.
    pub(crate) printed: Option<Vec<Arg>>,
    /// It makes files that are not there.
    pub(crate) makes: bool,
}

/// Which operands a program changes.
#[derive(Clone, Copy)]
enum Operands {
    None,
    All,
    /// All, where one of these options is given.
    With(&'static [&'static str]),
    Last,
    /// The second and those behind it.
    Later,
}

struct Rewriter {
    names: &'static [&'static str],
    spec: Spec,
    operands: Operands,
    /// Options whose operands name files.
    files: &'static [&'static str],
    /// What it makes is no program that was compiled.
    makes: bool,
}

const fn rewriter(
    names: &'static [&'static str],
    spec: Spec,
    operands: Operands,
    files: &'static [&'static str],
) -> Rewriter {
    Rewriter {
        names,
        spec,
        operands,
        files,
        makes: true,
    }
}

const fn compiler(rewriter: Rewriter) -> Rewriter {
    Rewriter {
        makes: false,
        ..rewriter
    }
}

static SED: Spec = Spec::anywhere(
    "nbe:f:Ei::l:rsuzI::a",
    "quiet silent debug expression= file= follow-symlinks in-place? line-length= null-data zero-terminated posix \
     regexp-extended separate sandbox unbuffered help version",
);
static PERL: Spec = Spec::new("0::acC::d::D::e:E:fF:hi::I:l::m:M:npsStTuUvV::wWx::X", "");
static AWK: Spec = Spec::new(
    "F:v:f:bcCd::D::e:E:gGhi:I:lL::nM:No::Op::PrsStV",
    "field-separator= assign= file= include= source= exec= load= help version",
);
static PATCH: Spec = Spec::anywhere(
    "B:bcCd:D:eEfF:g:hi:lnNo:p:r:RstTuvV:x:Y:z:Z",
    "dry-run output= directory= input= strip= reject-file= backup prefix= suffix= reverse forward force help version",
);
static TAR: Spec = Spec::anywhere(
    "xctruAdf:C:zjJvpkmOPT:X:b:H:I:aSsWhlo",
    "extract get create list append update delete file= directory= files-from= exclude= strip-components= gzip \
     bzip2 xz zstd use-compress-program= verbose one-top-level? transform= keep-old-files to-stdout",
);
static UNZIP: Spec = Spec::anywhere("olvqjnuatzd:x:P:CLXp", "");

static REWRITERS: &[Rewriter] = &[
    rewriter(
        &["ed", "red"],
        Spec::anywhere("sEvrlGp:", "help version quiet silent prompt="),
        Operands::All,
        &[],
    ),
    rewriter(
        &[
            "ex", "vi", "vim", "nvim", "gvim", "nano", "pico", "emacs", "micro", "joe", "mcedit",
            "helix", "hx", "kak", "sudoedit", "sponge", "shred", "setfattr", "recode",
        ],
        Spec::anywhere("c:S:p:RnEesau", "help version cmd="),
        Operands::All,
        &[],
    ),
    rewriter(
        &["sort", "gsort"],
        Spec::anywhere(
            "bdfghiMnRrVcCmo:sk:t:S:T:uz",
            "output= key= field-separator= buffer-size= temporary-directory= files0-from= compress-program= \
             batch-size= parallel= random-source= sort= check? reverse unique numeric-sort",
        ),
        Operands::None,
        &["o", "output"],
    ),
    rewriter(
        &["shuf", "gshuf"],
        Spec::anywhere(
            "ei:n:o:rz",
            "output= head-count= input-range= echo repeat random-source=",
        ),
        Operands::None,
        &["o", "output"],
    ),
    rewriter(
        &["uniq", "guniq"],
        Spec::anywhere("cdDf:is:uw:z", ""),
        Operands::Later,
        &[],
    ),
    rewriter(
        &["xxd"],
        Spec::anywhere("abBc:Cdeg:hil:o:n:prs:uR:", ""),
        Operands::Later,
        &[],
    ),
    rewriter(
        &["truncate", "gtruncate"],
        Spec::anywhere("cor:s:", "no-create io-blocks reference= size="),
        Operands::All,
        &[],
    ),
    rewriter(
        &["scp", "rcp", "rclone"],
        Spec::anywhere("i:P:po:F:J:c:l:S:rqvC", "exclude= include= filter="),
        Operands::Last,
        &[],
    ),
    rewriter(
        &["yq", "jq", "sd", "rpl", "replace", "sqlite-utils", "crudini", "ansible-vault", "sops"],
        Spec::anywhere("iPernp:I:", "inplace in-place output-format= input-format= arg=="),
        Operands::With(&["i", "inplace", "in-place"]),
        &[],
    ),
    rewriter(
        &["gpg", "gpg2", "age"],
        Spec::anywhere(
            "o:r:u:aedscbi:R:p",
            "output= recipient= local-user= homedir= passphrase= passphrase-file= decrypt encrypt yes batch",
        ),
        Operands::None,
        &["o", "output"],
    ),
    rewriter(
        &["openssl"],
        Spec::anywhere(
            "",
            "out= in= keyout= inkey= passin= passout= subj= days= newkey= config= key= cert= pass= k= K= iv= S= md= \
             writerand= rand=",
        )
        .single_dash(),
        Operands::None,
        &["out", "keyout", "writerand"],
    ),
    rewriter(
        &[
            "base64", "gbase64", "base32", "iconv", "pandoc", "pdftotext", "strace", "ltrace", "m4", "xmllint",
            "xsltproc", "uconv", "tidy",
        ],
        Spec::anywhere(
            "o:f:t:T:w:b:i:e:c:p:",
            "output= from= to= from-code= to-code=",
        ),
        Operands::None,
        &["o", "output"],
    ),
    compiler(rewriter(
        &[
            "gcc", "cc", "clang", "g++", "c++", "clang++", "tcc", "ld", "as", "nasm", "rustc", "go", "objcopy",
            "strip", "yacc", "bison", "flex", "dot", "terser", "esbuild",
        ],
        Spec::anywhere(
            "o:f:t:I:L:l:D:U:x:m::W::O::g::",
            "output= outfile= output-file= out-dir=",
        ),
        Operands::None,
        &["o", "output", "outfile", "output-file"],
    )),
    rewriter(
        &["script"],
        Spec::anywhere("aqfeO:I:B:T:c:E:m:", "log-out= log-io= log-in= log-timing= command="),
        Operands::All,
        &["O", "B", "I", "T", "log-out", "log-io", "log-in", "log-timing"],
    ),
    rewriter(
        &["gunzip", "gzip", "unpigz", "pigz", "bunzip2", "bzip2", "unxz", "xz", "unlzma", "lzma", "unzstd", "zstd", "unlz4", "brotli", "uncompress"],
        Spec::anywhere("dfkcqvto:S:T:", "decompress force keep stdout output= suffix="),
        Operands::All,
        &["o", "output"],
    ),
];

/// What this command changes.
pub(crate) fn rewritten(argv: &[Arg]) -> Rewritten {
    let Some(name) = argv.first().and_then(program) else {
        return Rewritten::default();
    };
    let name = String::from_utf8_lossy(&name);
    match &*name {
        "sed" | "gsed" | "ssed" => sed(argv),
        "perl" | "ruby" => {
            let read = scan(argv, 1, &PERL);
            in_place(argv, &read, read.has(&["i"]), &["e", "E"])
        }
        "awk" | "gawk" => {
            let read = scan(argv, 1, &AWK);
            let changes = read
                .all(&["i", "include"])
                .any(|library| library.value.is(b"inplace"));
            in_place(
                argv,
                &read,
                changes,
                &["f", "file", "e", "source", "E", "exec"],
            )
        }
        "patch" => patch(argv),
        // From another machine; between directories of this one they copy.
        "rsync" => copied(argv, 1),
        "docker" | "podman" | "kubectl" | "oc"
            if argv.get(1).is_some_and(|arg| arg.value.is(b"cp")) =>
        {
            copied(argv, 2)
        }
        "git" => git(argv),
        "find" | "gfind" | "bfs" => found(argv),
        "tar" | "gtar" | "bsdtar" => tar(argv),
        "unzip" => unzip(argv),
        "cpio" | "pax" | "7z" | "7za" | "7zz" | "bsdcpio" | "ar" | "unrar" => Rewritten {
            paths: words(argv, 1),
            by_content: Some(words(argv, 1)),
            ..Rewritten::default()
        },
        "uudecode" => Rewritten {
            by_content: Some(words(argv, 1)),
            ..Rewritten::default()
        },
        name => by_table(argv, name),
    }
}

fn by_table(argv: &[Arg], name: &str) -> Rewritten {
    let mut out = Rewritten::default();
    let table = REWRITERS.iter().find(|known| known.names.contains(&name));
    let Some(rewriter) = table else { return out };
    let read = scan(argv, 1, &rewriter.spec);
    let operands = operands(argv, &read, 0);
    out.makes = rewriter.makes;
    out.paths = match rewriter.operands {
        Operands::None => Vec::new(),
        Operands::All => operands,
        Operands::With(options) if read.has(options) => operands,
        Operands::With(_) => Vec::new(),
        Operands::Last if operands.len() < 2 => Vec::new(),
        Operands::Last => operands.into_iter().next_back().into_iter().collect(),
        Operands::Later => operands.into_iter().skip(1).collect(),
    };
    // What a packed file holds goes to the name without the last ending.
    let unpacked = out
        .paths
        .iter()
        .filter_map(without_ending)
        .collect::<Vec<_>>();
    if rewriter.names.contains(&"gunzip") {
        out.paths.extend(unpacked);
    }
    out.paths
        .extend(read.all(rewriter.files).map(|file| file.value.clone()));
    out
}

fn without_ending(path: &Value) -> Option<Value> {
    let bytes = path.bytes()?;
    let dot = bytes.iter().rposition(|byte| *byte == b'.')?;
    Some(Value::computed(bytes.get(..dot)?))
}

/// The words from `from` on that are no options.
fn words(argv: &[Arg], from: usize) -> Vec<Value> {
    argv.iter()
        .skip(from)
        .map(|arg| &arg.value)
        .filter(|value| value.known_prefix().first() != Some(&b'-'))
        .cloned()
        .collect()
}

fn operands(argv: &[Arg], read: &Scan, skip: usize) -> Vec<Value> {
    read.operands
        .iter()
        .skip(skip)
        .filter_map(|at| argv.get(*at))
        .map(|arg| arg.value.clone())
        .collect()
}

/// Programs that run a script over files; without one of the `scripts` the first operand is it.
fn in_place(argv: &[Arg], read: &Scan, changes: bool, scripts: &[&str]) -> Rewritten {
    let mut out = Rewritten::default();
    if changes {
        let skip = usize::from(!read.has(scripts));
        out.paths = operands(argv, read, skip);
    }
    out
}

fn sed(argv: &[Arg]) -> Rewritten {
    let read = scan(argv, 1, &SED);
    let scripts = ["e", "f", "expression", "file"];
    let mut out = in_place(argv, &read, read.has(&["i", "I", "in-place"]), &scripts);
    // The same without the option, which a word of its own must be, prints what a file then holds.
    let is_own = |arg: &Arg| {
        let word = arg.value.known_prefix();
        arg.value.is_known()
            && (word == b"-i" || word.starts_with(b"-i.") || word.starts_with(b"--in-place"))
    };
    let files = out.paths.len();
    if files > 0 && argv.iter().filter(|arg| is_own(arg)).count() == 1 {
        let kept = argv.iter().filter(|arg| !is_own(arg)).cloned();
        let mut printed: Vec<Arg> = kept.collect();
        printed.truncate(printed.len().saturating_sub(files));
        let trailing = argv
            .iter()
            .rev()
            .zip(out.paths.iter().rev())
            .all(|(arg, path)| arg.value == *path);
        out.printed = trailing.then_some(printed);
    }
    out
}

/// What is copied from elsewhere, written `place:path`, to the last operand.
fn copied(argv: &[Arg], from: usize) -> Rewritten {
    let mut operands = words(argv, from);
    let target = operands.pop();
    let elsewhere = |source: &Value| source.known_prefix().contains(&b':');
    let mut out = Rewritten::default();
    if operands.iter().any(elsewhere) {
        out.paths.extend(target);
    }
    out
}

fn patch(argv: &[Arg]) -> Rewritten {
    let read = scan(argv, 1, &PATCH);
    if read.has(&["dry-run"]) {
        return Rewritten::default();
    }
    let mut operands = operands(argv, &read, 0).into_iter();
    let mut paths: Vec<Value> = operands.next().into_iter().collect();
    let mut sources: Vec<Value> = operands.collect();
    sources.extend(read.all(&["i", "input"]).map(|file| file.value.clone()));
    let by_content = paths.is_empty().then_some(sources);
    paths.extend(
        read.all(&["o", "output", "r", "reject-file"])
            .map(|file| file.value.clone()),
    );
    Rewritten {
        paths,
        by_content,
        ..Rewritten::default()
    }
}

fn git(argv: &[Arg]) -> Rewritten {
    let options = ["-C", "-c", "--git-dir", "--work-tree", "--namespace"];
    let mut at = 1;
    while let Some(arg) = argv.get(at) {
        let word = arg.value.known_prefix();
        if word.first() != Some(&b'-') {
            break;
        }
        let takes = options.iter().any(|option| arg.value.is(option.as_bytes()));
        at += 1 + usize::from(takes);
    }
    let Some(command) = argv.get(at).and_then(|arg| arg.value.bytes()) else {
        return Rewritten::default();
    };
    let mut out = Rewritten::default();
    match &*command {
        b"checkout" | b"restore" | b"checkout-index" | b"mv" | b"stash" | b"reset" => {
            out.paths = words(argv, at + 1);
        }
        b"apply" | b"am" | b"fast-import" => out.by_content = Some(words(argv, at + 1)),
        _ => {}
    }
    out
}

/// `find … -fprintf FILE …`
fn found(argv: &[Arg]) -> Rewritten {
    let names = |arg: &Arg| {
        let word = arg.value.known_prefix();
        matches!(
            word.as_slice(),
            b"-fprint" | b"-fprintf" | b"-fprint0" | b"-fls"
        )
    };
    let behind = argv.iter().zip(argv.iter().skip(1));
    Rewritten {
        paths: behind
            .filter(|(option, _)| names(option))
            .map(|(_, file)| file.value.clone())
            .collect(),
        ..Rewritten::default()
    }
}

fn tar(argv: &[Arg]) -> Rewritten {
    // The first word may be a bundle without a dash.
    let mut bundled = argv.to_vec();
    if let Some(first) = bundled.get_mut(1) {
        let word = first.value.known_prefix();
        if word.first().is_some_and(u8::is_ascii_alphabetic) {
            first.value = Value::computed([b"-".as_slice(), &word].concat());
        }
    }
    let read = scan(&bundled, 1, &TAR);
    let archives = read.all(&["f", "file"]).map(|file| file.value.clone());
    if read.has(&["c", "create", "r", "append", "u", "update"]) {
        return Rewritten {
            paths: archives.collect(),
            makes: true,
            ..Rewritten::default()
        };
    }
    if !read.has(&["x", "extract", "get"]) || read.has(&["O", "to-stdout"]) {
        return Rewritten::default();
    }
    Rewritten {
        by_content: Some(archives.filter(|archive| !archive.is(b"-")).collect()),
        paths: operands(&bundled, &read, 0),
        ..Rewritten::default()
    }
}

fn unzip(argv: &[Arg]) -> Rewritten {
    let read = scan(argv, 1, &UNZIP);
    if read.has(&["l", "v", "t", "p", "z"]) {
        return Rewritten::default();
    }
    let mut operands = operands(argv, &read, 0).into_iter();
    Rewritten {
        by_content: Some(operands.next().into_iter().collect()),
        paths: operands.collect(),
        ..Rewritten::default()
    }
}

static COPY: Spec = Spec::anywhere(
    "abdfiHlLnPpRrsS:t:TuvxZcXhFDC",
    "archive attributes-only backup? copy-contents dereference no-dereference force interactive link no-clobber \
     parents no-preserve= preserve? recursive reflink? remove-destination sparse= strip-trailing-slashes suffix= \
     symbolic-link target-directory= no-target-directory update? verbose one-file-system context? exchange help \
     version logical physical relative symbolic directory",
);
static INSTALL: Spec = Spec::anywhere(
    "bcCdDg:m:o:psS:t:TvZB:f:l:M",
    "backup? compare directory group= mode= owner= preserve-timestamps strip strip-program= suffix= \
     target-directory= no-target-directory verbose preserve-context context? help version",
);
static RSYNC: Spec = Spec::anywhere(
    "vqcarRbuldLkKHpEAXogtUNDOJSnWxB:e:IfT:yzhP46FCim@:M:",
    "backup-dir= suffix= chmod= chown= block-size= rsh= rsync-path= max-delete= max-size= min-size= partial-dir= \
     timeout= contimeout= temp-dir= compare-dest= copy-dest= link-dest= compress-level= skip-compress= filter= \
     exclude= exclude-from= include= include-from= files-from= address= port= sockopts= out-format= log-file= \
     log-file-format= password-file= bwlimit= write-batch= read-batch= protocol= iconv= checksum-seed= info= debug= \
     stop-after= usermap= groupmap=",
);

/// What a program copies, moves or links.
pub(crate) struct Copied {
    /// Files, directories, patterns.
    pub(crate) sources: Vec<Value>,
    /// Where they go.
    pub(crate) target: Value,
    /// The target can only be a directory.
    pub(crate) into: bool,
}

/// The sources and the target of `cp`, `mv`, `ln`, `install` and `rsync`.
pub(crate) fn copies(argv: &[Arg]) -> Option<Copied> {
    let name = argv.first().and_then(program)?;
    let spec = match name.as_slice() {
        b"cp" | b"gcp" | b"mv" | b"gmv" | b"ln" | b"gln" | b"ditto" => &COPY,
        b"install" | b"ginstall" => &INSTALL,
        b"rsync" => &RSYNC,
        _ => return None,
    };
    let read = scan(argv, 1, spec);
    let installs = matches!(name.as_slice(), b"install" | b"ginstall");
    if installs && read.has(&["d", "directory"]) {
        return None;
    }
    let mut sources = operands(argv, &read, 0);
    if let Some(directory) = read.last(&["t", "target-directory"]) {
        let target = directory.value.clone();
        return Some(Copied {
            sources,
            target,
            into: true,
        });
    }
    let target = sources.pop()?;
    Some(match sources.as_slice() {
        // `ln -s PATH`: here.
        [] if matches!(name.as_slice(), b"ln" | b"gln") => Copied {
            sources: vec![target],
            target: Value::computed(b".".as_slice()),
            into: true,
        },
        _ => Copied {
            sources,
            target,
            into: false,
        },
    })
}
