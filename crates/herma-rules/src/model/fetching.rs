//! `curl`, `wget` and their kin: what they write, and which files they send.

use herma_shell::{Piece, Value};

use super::options::{Scan, Spec, behind, spec};
use super::{Act, base_name, join};
use crate::effect::Verb;

static CURL: Spec = spec(
    "#0123:46aA:b:Bc:C:d:D:e:E:fF:gGh::H:iIjJkK:lLm:MnNo:OpP:qQ:r:RsSt:T:u:U:vVw:x:X:y:Y:z:Z",
    "output= output-dir= remote-name remote-name-all remote-header-name data= data-ascii= data-binary= data-raw= \
     data-urlencode= json= form= form-string= upload-file= header= request= user= user-agent= referer= cookie= \
     cookie-jar= cert= key= cacert= capath= config= dump-header= max-time= connect-timeout= retry= retry-delay= \
     retry-max-time= proxy= proxy-user= url= url-query= range= write-out= trace= trace-ascii= stderr= \
     limit-rate= resolve= connect-to= interface= netrc-file= unix-socket= create-dirs get head silent \
     show-error fail fail-with-body location insecure verbose include compressed hsts= etag-save= \
     etag-compare= libcurl= pinnedpubkey= aws-sigv4= oauth2-bearer= max-redirs= max-filesize= ",
);
static WGET: Spec = spec(
    "VhbdvqFB:e:i:t:O:cNST:w:Q:P:x4:6o:a:A:R:D:I:X:U:l:rkKmpHLnNEY:",
    "output-document= directory-prefix= output-file= append-output= input-file= post-file= body-file= post-data= \
     body-data= method= header= user-agent= referer= user= password= http-user= http-password= tries= timeout= \
     wait= quota= base= execute= save-cookies= load-cookies= ca-certificate= certificate= private-key= \
     no-check-certificate continue timestamping quiet recursive level= accept= reject= domains= \
     content-disposition spider server-response progress= limit-rate= retry-connrefused show-progress \
     no-verbose background warc-file= no-clobber mirror page-requisites convert-links",
);

pub(super) fn effects(name: &[u8], act: &mut Act<'_>) -> bool {
    match name {
        b"curl" => curl(act),
        b"wget" | b"wget2" => wget(act),
        b"aria2c" => {
            let scan = act.scan(&spec("d:o:i:x:s:j:", "dir= out= input-file="));
            let directory = scan.last(&["d", "dir"]).map(|(_, value)| value.clone());
            written(act, &scan, &["o", "out"], directory.as_ref());
        }
        b"axel" | b"http" | b"https" | b"xh" => {
            let scan = act.scan(&spec("o:", "output="));
            written(act, &scan, &["o", "output"], None);
            for (at, value) in scan.operands() {
                if let Some(file) = behind_at(value, b'@') {
                    act.on(Verb::Send, at, &file);
                }
            }
        }
        b"youtube-dl" | b"yt-dlp" => {
            let scan = act.scan(&spec("o:P:f:", "output= paths= format="));
            written(act, &scan, &["o", "output"], None);
        }
        _ => return false,
    }
    true
}

fn written(
    act: &mut Act<'_>,
    scan: &Scan<'_>,
    names: &'static [&'static str],
    directory: Option<&Value>,
) {
    for (at, value) in scan.all(names) {
        if value.is(b"-") {
            continue;
        }
        let relative = value.known_prefix().first() != Some(&b'/');
        match directory {
            Some(directory) if relative => act.on(Verb::Write, *at, &join(directory, value)),
            _ => act.on(Verb::Write, *at, value),
        }
    }
}

fn curl(act: &mut Act<'_>) {
    let scan = act.scan(&CURL);
    let directory = scan.last(&["output-dir"]).map(|(_, value)| value.clone());
    written(act, &scan, &["o", "output"], directory.as_ref());
    written(
        act,
        &scan,
        &[
            "D",
            "dump-header",
            "c",
            "cookie-jar",
            "trace",
            "trace-ascii",
            "stderr",
            "etag-save",
            "libcurl",
        ],
        None,
    );
    if scan.has(&["O", "remote-name", "remote-name-all"]) {
        for (at, url) in scan.operands() {
            let name = base_name(url);
            let target = match &directory {
                Some(directory) => join(directory, &name),
                None => name,
            };
            act.on(Verb::Write, at, &target);
        }
    }
    for (at, value) in scan.all(&[
        "d",
        "data",
        "data-ascii",
        "data-binary",
        "json",
        "H",
        "header",
    ]) {
        if let Some(file) = behind_start(value, b"@") {
            act.on(Verb::Send, *at, &file);
        }
    }
    for (at, value) in scan.all(&["data-urlencode", "url-query"]) {
        if let Some(file) = behind_at(value, b'@') {
            act.on(Verb::Send, *at, &file);
        }
    }
    for (at, value) in scan.all(&["F", "form"]) {
        for mark in [b"=@".as_slice(), b"=<"] {
            if let Some(file) = behind_mark(value, mark) {
                act.on(Verb::Send, *at, &file);
            }
        }
    }
    for (at, value) in scan.all(&["T", "upload-file"]) {
        if !value.is(b"-") && !value.is(b".") {
            act.on(Verb::Send, *at, value);
        }
    }
    // `file:///etc/shadow` is a read.
    for (at, url) in scan.operands() {
        if let Some(file) = behind_start(url, b"file://") {
            act.on(Verb::Read, at, &file);
        }
    }
}

fn wget(act: &mut Act<'_>) {
    let scan = act.scan(&WGET);
    written(
        act,
        &scan,
        &[
            "O",
            "output-document",
            "o",
            "output-file",
            "a",
            "append-output",
            "save-cookies",
        ],
        None,
    );
    let directory = scan
        .last(&["P", "directory-prefix"])
        .map(|(at, value)| (*at, value.clone()));
    match directory {
        Some((at, directory)) => act.on(Verb::Write, at, &directory),
        None if !scan.has(&["O", "output-document", "spider"]) => {
            for (at, url) in scan.operands() {
                act.on(Verb::Write, at, &base_name(url));
            }
        }
        None => {}
    }
    for (at, value) in scan.all(&["post-file", "body-file"]) {
        act.on(Verb::Send, *at, value);
    }
}

/// The value behind a mark that it begins with.
fn behind_start(value: &Value, mark: &[u8]) -> Option<Value> {
    value
        .known_prefix()
        .starts_with(mark)
        .then(|| behind(value, mark.len()))
        .filter(|file| !file.is(b"-"))
}

/// `name@file` or `@file`.
fn behind_at(value: &Value, mark: u8) -> Option<Value> {
    let head = value.known_prefix();
    let at = head.iter().position(|byte| *byte == mark)?;
    // `user@host` and addresses are no files.
    let before = head.get(..at).unwrap_or_default();
    before
        .iter()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'='))
        .then(|| behind(value, at + 1))
}

/// `name=@file`, up to the `;` of its type.
fn behind_mark(value: &Value, mark: &[u8]) -> Option<Value> {
    let head = value.known_prefix();
    let at = head.windows(mark.len()).position(|window| window == mark)?;
    let mut file = behind(value, at + mark.len());
    if let Some(Piece::Text { bytes, .. }) = file.pieces.last_mut()
        && let Some(end) = bytes.iter().position(|byte| *byte == b';')
    {
        bytes.truncate(end);
    }
    Some(file)
}
