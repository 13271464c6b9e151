//! Programs that print what their operands hold.

use herma_shell::{Piece, Value};

use super::Act;
use super::options::{Spec, scan, spec};
use crate::effect::Verb;

/// A program that prints files.
struct Printer {
    names: &'static [&'static str],
    spec: Spec,
    /// How many operands stand in front of the files (`grep PATTERN`).
    leading: usize,
    /// Options that give what the leading operands are.
    instead: &'static [&'static str],
    /// Options with which nothing of the content is printed.
    quiet: &'static [&'static str],
}

const fn printer(
    names: &'static [&'static str],
    short: &'static str,
    long: &'static str,
) -> Printer {
    Printer {
        names,
        spec: spec(short, long),
        leading: 0,
        instead: &[],
        quiet: &[],
    }
}

const GREP: Printer = Printer {
    names: &["grep", "egrep", "fgrep", "ggrep", "zgrep", "rgrep"],
    spec: spec(
        "A:B:C:D:EFGHILPTUVZabcd:e:f:hilm:noqrsuvwxyz",
        "regexp= file= ignore-case invert-match word-regexp line-regexp count color? colour? files-without-match \
         files-with-matches max-count= only-matching quiet silent no-messages byte-offset with-filename \
         no-filename label= line-number after-context= before-context= context= text binary-files= devices= \
         directories= exclude= exclude-from= exclude-dir= include= recursive dereference-recursive \
         extended-regexp fixed-strings basic-regexp perl-regexp help version null",
    ),
    leading: 1,
    instead: &["e", "f", "regexp", "file"],
    quiet: &[
        "q",
        "quiet",
        "silent",
        "l",
        "L",
        "c",
        "count",
        "files-with-matches",
        "files-without-match",
        "help",
        "version",
    ],
};

const RIPGREP: Printer = Printer {
    names: &["rg", "ag", "ack", "ugrep"],
    spec: spec(
        "A:B:C:E:FHILM:NPSTUVabcd:e:f:g:hij:lm:nopqr:st:uvwxz.0",
        "regexp= file= glob= iglob= type= type-not= after-context= before-context= context= max-count= max-depth= \
         max-columns= replace= color= colors= sort= sortr= threads= encoding= engine= pre= pre-glob= count \
         count-matches files files-with-matches files-without-match quiet hidden no-ignore only-matching \
         line-number ignore-case smart-case json type-list help version",
    ),
    leading: 1,
    instead: &["e", "f", "regexp", "file", "files"],
    quiet: &[
        "q",
        "quiet",
        "l",
        "c",
        "count",
        "count-matches",
        "files",
        "files-with-matches",
        "files-without-match",
    ],
};

static PRINTERS: &[Printer] = &[
    GREP,
    RIPGREP,
    printer(
        &[
            "cat", "gcat", "tac", "nl", "rev", "more", "most", "pr", "expand", "unexpand", "fold",
            "fmt", "paste", "strings", "ul", "vis",
        ],
        "AbeEnstTuvb:d:f:h:i:l:n:s:v:w:",
        "",
    ),
    printer(
        &["bat", "batcat"],
        "AdfhH:l:m:nN:Ppr:suV",
        "language= line-range= highlight-line= theme= style= paging= color= tabs= wrap= file-name= map-syntax= \
         terminal-width= diff-context= decorations= pager=",
    ),
    printer(
        &["less"],
        "b:h:j:k:o:O:p:P:t:T:x:y:z:D:aeEfFgGiIJKLmMnNqQrRsSuUVwWX",
        "pattern= prompt= tag=",
    ),
    printer(
        &["head", "tail", "ghead", "gtail"],
        "c:n:fFqvzs:",
        "bytes= lines= follow? pid= quiet silent verbose retry sleep-interval= zero-terminated help version",
    ),
    printer(
        &["xxd", "hexdump", "hd", "od"],
        "bCcdoxve:f:n:s:A:j:N:S:t:w::aiOl",
        "format= address-radix= skip-bytes= read-bytes=",
    ),
    printer(
        &["cut", "column", "comm", "join", "csvcut"],
        "b:c:d:f:ns:zto:t:123iN:",
        "bytes= characters= delimiter= fields= complement output-delimiter= only-delimited separator= table",
    ),
    printer(
        &[
            "diff",
            "colordiff",
            "sdiff",
            "gdiff",
            "icdiff",
            "wdiff",
            "vimdiff",
            "delta",
        ],
        "abBcC:dD:eE:fF:GhHiI:lL:nNpPqrsS:tTuU:vwW:x:X:yZ",
        "unified? context? brief label= exclude= width= color? help version",
    ),
    printer(
        &["cmp"],
        "bi:ln:sv",
        "bytes= ignore-initial= print-bytes silent verbose",
    ),
    printer(
        &[
            "source-highlight",
            "pygmentize",
            "iconv",
            "uuencode",
            "base64url",
            "basenc",
            "uniq",
            "look",
            "ccat",
            "lolcat",
            "glow",
            "mdcat",
            "envsubst",
            "dotenv-linter",
            "pbcopy",
            "xclip",
            "wl-copy",
            "lpr",
            "lp",
        ],
        "f:t:l:o:O:i:",
        "from-code= to-code= wrap=",
    ),
    Printer {
        names: &["jq", "gojq", "jaq", "dasel", "xmllint", "xmlstarlet"],
        spec: spec(
            "cCMrjaSseL:f:nR",
            "arg= argjson= slurpfile= rawfile= from-file= indent= tab raw-output compact-output slurp null-input",
        ),
        leading: 1,
        instead: &["f", "from-file"],
        quiet: &["n", "null-input"],
    },
];

static XARGS: Spec = spec(
    "0a:d:e::E:i::I:J:l::L:n:oP:prR:S:s:tx",
    "null arg-file= delimiter= eof? replace? max-lines? max-args= max-procs= interactive no-run-if-empty max-chars= \
     verbose exit",
);

/// Programs that print what they read from standard input.
pub(crate) fn prints_input(name: &[u8]) -> bool {
    PRINTERS
        .iter()
        .any(|printer| printer.names.iter().any(|own| own.as_bytes() == name))
        || matches!(
            name,
            // `$(<file)`, and a loop that reads lines.
            b":" | b"exec"
                | b"read"
                | b"mapfile"
                | b"readarray"
                | b"sed"
                | b"awk"
                | b"gawk"
                | b"tr"
                | b"sort"
                | b"base64"
                | b"base32"
                | b"tee"
                | b"gzip"
                | b"xz"
                | b"bzip2"
                | b"zstd"
                | b"openssl"
                | b"gpg"
                | b"perl"
                | b"python3"
                | b"python"
        )
}

/// `git show REVISION:PATH` prints the file as a commit holds it.
pub(super) fn committed(act: &mut Act<'_>) {
    let argv = act.argv();
    let position = |verbs: &[&[u8]]| {
        argv.iter()
            .position(|arg| verbs.iter().any(|verb| arg.value.is(verb)))
    };
    // `git diff FILE`: a word that is no file has a name that says nothing.
    let quiet = [
        b"--stat".as_slice(),
        b"--name-only",
        b"--name-status",
        b"--quiet",
        b"--numstat",
        b"--shortstat",
    ];
    if let Some(verb) = position(&[b"diff", b"blame", b"annotate"])
        && position(&quiet).is_none()
    {
        for (at, arg) in argv.iter().enumerate().skip(verb + 1) {
            if arg.value.known_prefix().first() != Some(&b'-') {
                act.on(Verb::Read, at, &arg.value);
            }
        }
        return;
    }
    let Some(verb) = position(&[b"show", b"cat-file"]) else {
        return;
    };
    for (at, arg) in argv.iter().enumerate().skip(verb + 1) {
        let Some(word) = arg.value.bytes() else {
            continue;
        };
        if word.starts_with(b"-") {
            continue;
        }
        let colon = word.iter().position(|byte| *byte == b':');
        if let Some(path) = colon.and_then(|colon| word.get(colon + 1..))
            && !path.is_empty()
        {
            act.on(Verb::Read, at, &Value::computed(path.to_vec()));
        }
    }
}

pub(super) fn effects(name: &[u8], act: &mut Act<'_>) -> bool {
    match name {
        b"xargs" | b"gxargs" => {
            let scan = scan(act.argv(), 1, &XARGS);
            for (at, value) in scan.all(&["a", "arg-file"]) {
                act.on(Verb::Read, *at, value);
            }
            return true;
        }
        b"python" | b"python3" => {
            // `python3 -m json.tool FILE`
            let argv = act.argv();
            let tool = argv.iter().position(|arg| {
                arg.value.is(b"json.tool") || arg.value.is(b"base64") || arg.value.is(b"tokenize")
            });
            let module = tool
                .and_then(|at| at.checked_sub(1))
                .and_then(|at| argv.get(at))
                .is_some_and(|arg| arg.value.is(b"-m"));
            if module {
                for (at, arg) in argv.iter().enumerate().skip(tool.unwrap_or_default() + 1) {
                    act.on(Verb::Read, at, &arg.value);
                }
            }
            return true;
        }
        _ => {}
    }
    let Some(printer) = PRINTERS
        .iter()
        .find(|printer| printer.names.iter().any(|own| own.as_bytes() == name))
    else {
        return false;
    };
    let scan = act.scan(&printer.spec);
    if scan.has(printer.quiet) {
        return true;
    }
    let leading = if scan.has(printer.instead) {
        0
    } else {
        printer.leading
    };
    for (at, value) in scan.operands().skip(leading) {
        act.on(Verb::Read, at, value);
    }
    if printer.leading == 1 {
        // `grep -r KEY . --include='.env*'`: files below, by name.
        for (at, value) in scan.all(&["include", "g", "glob", "iglob"]) {
            if let Some(pattern) = value.bytes().filter(|text| !text.starts_with(b"!")) {
                let mut name = Value::empty();
                name.pieces.push(Piece::Glob {
                    pattern: pattern.into_owned(),
                    at: None,
                });
                act.on(Verb::Read, *at, &name);
            }
        }
    }
    true
}
