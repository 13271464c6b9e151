//! Programs that write files which their words name.

use herma_shell::{Piece, Value};

use super::Act;
use super::options::{Spec, behind, scan, spec};
use crate::effect::Verb;
use crate::place::Place;

/// Programs whose options name files that they write: names, options, which of them.
struct Output {
    names: &'static [&'static str],
    spec: Spec,
    files: &'static [&'static str],
    /// The program also prints or copies what its operands hold.
    reads: bool,
}

const fn output(
    names: &'static [&'static str],
    short: &'static str,
    long: &'static str,
    files: &'static [&'static str],
) -> Output {
    Output {
        names,
        spec: spec(short, long),
        files,
        reads: false,
    }
}

const fn reading(output: Output) -> Output {
    Output {
        reads: true,
        ..output
    }
}

const fn single_dash(output: Output) -> Output {
    Output {
        spec: Spec {
            single_dash: true,
            ..output.spec
        },
        ..output
    }
}

static OUTPUTS: &[Output] = &[
    reading(output(
        &["sort", "gsort"],
        "bdfghiMnRrVcCmo:sk:t:S:T:uz",
        "output= key= field-separator= buffer-size= temporary-directory= files0-from= \
         compress-program= batch-size= parallel= random-source= sort= check? reverse unique numeric-sort",
        &["o", "output"],
    )),
    reading(output(
        &["shuf", "gshuf"],
        "ei:n:o:rz",
        "output= head-count= input-range= echo repeat",
        &["o", "output"],
    )),
    reading(output(&["uniq"], "cdDf:is:uw:z", "", &[])),
    output(
        &[
            "gcc", "g++", "cc", "c++", "clang", "clang++", "ld", "as", "rustc", "tcc",
        ],
        "o:I:L:l:D:U:x:",
        "out-dir=",
        &["o", "out-dir"],
    ),
    single_dash(output(
        &["openssl"],
        "",
        "out= in= keyout= inkey= passin= passout= subj= days= newkey= CA= CAkey= config= extfile= signkey= \
         key= cert= pass= k= K= iv= S= md= writerand= rand=",
        &["out", "keyout", "writerand"],
    )),
    output(&["objcopy", "strip"], "o:R:N:K:j:", "output=", &["o"]),
    output(
        &[
            "pandoc",
            "pdftotext",
            "dot",
            "nasm",
            "yacc",
            "bison",
            "flex",
            "protoc",
        ],
        "o:f:t:T:",
        "output= from= to= output-file=",
        &["o", "output", "output-file"],
    ),
    output(
        &["gpg", "gpg2", "age"],
        "o:r:u:aedscbi:R:p",
        "output= recipient= local-user= homedir= passphrase= passphrase-file=",
        &["o", "output"],
    ),
    reading(output(
        &["base64", "gbase64", "base32"],
        "dDi:o:w:b:",
        "decode input= output= wrap= break= ignore-garbage",
        &["o", "output"],
    )),
    output(
        &["strace", "ltrace"],
        "o:e:p:s:u:E:a:O:S:",
        "output=",
        &["o", "output"],
    ),
    output(
        &["pg_dump", "pg_dumpall", "mysqldump", "mariadb-dump"],
        "f:r:h:p:U:u:d:F:t:n:",
        "file= result-file= host= port= username= user= dbname= format=",
        &["f", "file", "r", "result-file"],
    ),
    output(
        &["script"],
        "aqfeO:I:B:T:c:E:m:",
        "log-out= log-io= log-in= log-timing= command=",
        &[
            "O",
            "B",
            "I",
            "T",
            "log-out",
            "log-io",
            "log-in",
            "log-timing",
        ],
    ),
];

static TEE: Spec = spec("aip", "append ignore-interrupts output-error? help version");
static TOUCH: Spec = spec(
    "acd:fhmr:t:A:",
    "no-create date= no-dereference reference= time= help version",
);
static MKDIR: Spec = spec("m:pvZ", "mode= parents verbose context? help version");
static SPLIT: Spec = spec(
    "a:b:C:dx:e:l:n:t:uv",
    "suffix-length= additional-suffix= bytes= line-bytes= numeric-suffixes? hex-suffixes? lines= number= filter= \
     separator= unbuffered verbose help version",
);
static XXD: Spec = spec("abBc:Cdeg:hil:o:n:prs:uR:", "");

pub(super) fn effects(name: &[u8], act: &mut Act<'_>) -> bool {
    match name {
        b"tee" | b"gtee" | b"sponge" => {
            let scan = act.scan(&TEE);
            let verb = if scan.has(&["a", "append"]) {
                Verb::Append
            } else if super::redirections::is_fed_nothing(act.execution) {
                Verb::Empty
            } else {
                Verb::Write
            };
            act.on_operands(verb, &scan);
        }
        b"touch" | b"gtouch" => {
            let scan = act.scan(&TOUCH);
            for (at, value) in scan.operands() {
                act.on_name(Verb::Append, at, value);
            }
        }
        b"mkdir" | b"mkfifo" | b"mknod" | b"gmkdir" => {
            let scan = act.scan(&MKDIR);
            // `mknod NAME TYPE MAJOR MINOR`
            let count = if name == b"mknod" { 1 } else { usize::MAX };
            for (at, value) in scan.operands().take(count) {
                act.on_name(Verb::Write, at, value);
            }
            if name.ends_with(b"mkdir") {
                // An empty directory runs nothing.
                for effect in &mut act.effects {
                    effect.places.retain(|place| {
                        !matches!(
                            place,
                            Place::GitHook | Place::GitDirectory | Place::RunsLater
                        )
                    });
                }
            }
            super::permissions::by_option(act, &scan, &["m", "mode"]);
        }
        b"fallocate" => {
            let scan = act.scan(&spec(
                "cdinl:o:pvxz",
                "length= offset= keep-size zero-range",
            ));
            act.on_operands(Verb::Edit, &scan);
        }
        b"split" | b"csplit" => {
            let scan = act.scan(&SPLIT);
            if let Some((at, value)) = scan.operands().next() {
                act.on(Verb::Read, at, value);
            }
            if let Some((at, value)) = scan.operands().nth(1) {
                act.on(Verb::Write, at, value);
            }
        }
        b"xxd" => {
            let scan = act.scan(&XXD);
            let mut operands = scan.operands();
            if let Some((at, value)) = operands.next() {
                act.on(Verb::Read, at, value);
            }
            if let Some((at, value)) = operands.next() {
                act.on(Verb::Write, at, value);
            }
        }
        b"ssh-keygen" => ssh_keygen(act),
        b"crontab" => crontab(act),
        b"git" => {
            git(act);
            super::reading::committed(act);
        }
        _ => return outputs(name, act),
    }
    true
}

fn outputs(name: &[u8], act: &mut Act<'_>) -> bool {
    let Some(output) = OUTPUTS
        .iter()
        .find(|output| output.names.iter().any(|own| own.as_bytes() == name))
    else {
        return false;
    };
    let scan = act.scan(&output.spec);
    if name == b"openssl" && scan.has(&["in"]) {
        // Certificates and requests print no key; the other commands may.
        let public = act.argv().iter().any(|arg| {
            [
                "x509", "req", "crl", "verify", "-pubout", "-noout", "s_client", "dgst",
            ]
            .iter()
            .any(|word| arg.value.is(word.as_bytes()))
        });
        for (at, value) in scan.all(&["in"]).filter(|_| !public) {
            act.on(Verb::Read, *at, value);
        }
    }
    for (at, value) in scan.all(output.files) {
        if !value.is(b"-") {
            act.on(Verb::Write, *at, value);
        }
    }
    if output.reads {
        let mut operands = scan.operands();
        if name == b"uniq" {
            // `uniq INPUT OUTPUT`
            if let Some((at, value)) = operands.next() {
                act.on(Verb::Read, at, value);
            }
            if let Some((at, value)) = operands.next() {
                act.on(Verb::Write, at, value);
            }
        } else {
            for (at, value) in operands {
                act.on(Verb::Read, at, value);
            }
        }
    }
    true
}

/// A new key overwrites the file; `-R host` edits `known_hosts`; printing options write nothing.
fn ssh_keygen(act: &mut Act<'_>) {
    let scan = act.scan(&spec(
        "t:b:f:C:N:P:m:a:R:F:D:I:s:n:V:Y:Z:O:w:qyepvBLcGkKQiUlH",
        "",
    ));
    if scan.has(&["l", "y", "F", "e", "i", "B", "L", "Q", "Y"]) {
        return;
    }
    match scan.last(&["f"]) {
        Some((at, value)) => act.on(Verb::Write, *at, value),
        // The usual names in the user's own directory.
        None => act.on_places(
            Verb::Write,
            0,
            vec![Place::BelowHome, Place::SshDirectory, Place::PrivateKey],
        ),
    }
}

/// `crontab FILE`, `crontab -` and `crontab -r` change what runs later; `-l` prints it.
fn crontab(act: &mut Act<'_>) {
    let scan = act.scan(&spec("u:lreisT:", ""));
    if scan.has(&["l", "T"]) && !scan.has(&["r"]) {
        return;
    }
    let table = Value::computed(b"/var/spool/cron/crontabs/user".to_vec());
    let verb = if scan.has(&["r"]) {
        Verb::Delete
    } else {
        Verb::Write
    };
    act.on(verb, 0, &table);
}

/// `git config --file FILE`, `git archive -o FILE`, `git format-patch -o DIR`, `git diff --output`.
fn git(act: &mut Act<'_>) {
    let argv = act.argv();
    let mut at = 1;
    while let Some(arg) = argv.get(at) {
        match arg.value.bytes().as_deref() {
            Some(b"-C" | b"-c" | b"--git-dir" | b"--work-tree" | b"--namespace") => at += 2,
            Some([b'-', ..]) => at += 1,
            _ => break,
        }
    }
    let verb = argv.get(at).and_then(|arg| arg.value.bytes());
    if verb.as_deref() == Some(b"clone") {
        // `git clone ADDRESS DIRECTORY`
        let clone = spec(
            "b:c:o:u:j:lsnqv46",
            "branch= config= origin= upload-pack= jobs= depth= reference= reference-if-able= \
             shallow-since= shallow-exclude= separate-git-dir= template= filter= recurse-submodules? \
             bundle-uri= server-option=",
        );
        let scan = scan(argv, at + 1, &clone);
        if let Some((at, value)) = scan.operands().nth(1) {
            act.on(Verb::Write, at, value);
        }
        return;
    }
    let (spec, files): (Spec, &'static [&'static str]) = match verb.as_deref() {
        Some(b"archive") => (
            spec("o:", "output= format= prefix= remote="),
            &["o", "output"],
        ),
        Some(b"format-patch") => (spec("o:", "output-directory="), &["o", "output-directory"]),
        Some(b"diff" | b"log" | b"show") => (spec("S:G:n:U:", "output= no-index"), &["output"]),
        Some(b"config") => (
            spec("f:l", "file= list get get-all get-regexp type= default="),
            &["f", "file"],
        ),
        _ => return,
    };
    let scan = scan(argv, at + 1, &spec);
    if scan.has(&["list", "l", "get", "get-all", "get-regexp"]) {
        return;
    }
    for (at, value) in scan.all(files) {
        act.on(Verb::Edit, *at, value);
    }
    if scan.has(&["no-index"]) {
        act.on_operands(Verb::Read, &scan);
    }
}

/// The value of `key=value`.
pub(super) fn assigned(value: &Value, key: &[u8]) -> Option<Value> {
    let Some(Piece::Text { bytes, .. }) = value.pieces.first() else {
        return None;
    };
    let rest = bytes.strip_prefix(key)?;
    rest.first()
        .is_some_and(|byte| *byte == b'=')
        .then(|| behind(value, key.len() + 1))
}
