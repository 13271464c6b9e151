//! Parameters: any unambiguous beginning of a name will do, in any case, anywhere.

use crate::execution::Arg;

/// Parameters of every cmdlet; a colon marks those with a value.
const COMMON: &str = "confirm whatif verbose debug erroraction: errorvariable: outvariable: \
    warningaction: warningvariable: informationaction: informationvariable: outbuffer: \
    pipelinevariable: progressaction: ea: ev: ov: wa: wv: infa: iv: ob: pv: wi cf vb db ?";

const ITEM: &str = "path: literalpath: pspath: filter: include: exclude: credential: force recurse \
    stream: ";

/// What the cmdlets take, by their names in lower case.
const SPECS: &[(&str, &str)] = &[
    ("remove-item", ""),
    ("clear-content", ""),
    ("clear-item", ""),
    ("get-item", ""),
    (
        "get-childitem",
        "depth: name file directory hidden readonly system attributes: followsymlink ad af ah ar as s",
    ),
    (
        "get-content",
        "raw tail: last: totalcount: head: first: readcount: delimiter: wait encoding: asbytestream",
    ),
    (
        "set-content",
        "value: nonewline encoding: asbytestream passthru noclobber",
    ),
    (
        "add-content",
        "value: nonewline encoding: asbytestream passthru",
    ),
    (
        "copy-item",
        "destination: container passthru fromsession: tosession:",
    ),
    ("move-item", "destination: passthru"),
    ("rename-item", "newname: passthru"),
    ("new-item", "itemtype: type: name: value: target:"),
    ("set-item", "value: passthru"),
    ("set-itemproperty", "name: value: passthru inputobject:"),
    ("new-itemproperty", "name: value: propertytype: type:"),
    ("remove-itemproperty", "name:"),
    ("set-acl", "aclobject: passthru"),
    (
        "out-file",
        "filepath: append encoding: nonewline noclobber width: inputobject:",
    ),
    (
        "tee-object",
        "filepath: append variable: inputobject: encoding:",
    ),
    (
        "export-csv",
        "append delimiter: encoding: notypeinformation nti noclobber useculture inputobject: useqoutes: quotefields:",
    ),
    ("export-clixml", "depth: encoding: noclobber inputobject:"),
    (
        "select-string",
        "pattern: casesensitive simplematch notmatch quiet list allmatches context: encoding: raw inputobject: culture: noemphasis",
    ),
    ("expand-archive", "destinationpath: passthru"),
    (
        "compress-archive",
        "destinationpath: compressionlevel: update passthru",
    ),
    (
        "invoke-webrequest",
        "uri: outfile: method: body: headers: infile: usebasicparsing useragent: contenttype: websession: sessionvariable: timeoutsec: maximumredirection: proxy: custommethod: form: token: authentication: skipcertificatecheck usedefaultcredentials passthru resume certificate: retryintervalsec: maximumretrycount: skiphttperrorcheck",
    ),
    (
        "start-bitstransfer",
        "source: destination: displayname: priority: asynchronous description: transfertype:",
    ),
    (
        "start-process",
        "filepath: argumentlist: args: verb: workingdirectory: windowstyle: wait nonewwindow passthru redirectstandardoutput: redirectstandarderror: redirectstandardinput: loaduserprofile usenewenvironment environment:",
    ),
    ("invoke-expression", "command:"),
    (
        "invoke-command",
        "scriptblock: computername: cn: session: filepath: argumentlist: args: asjob inputobject: hostname: username: keyfilepath: vmname: containerid: jobname: throttlelimit: authentication: port: usessl nonewscope",
    ),
    ("invoke-item", ""),
    (
        "stop-process",
        "id: name: processname: inputobject: passthru",
    ),
    (
        "stop-computer",
        "computername: cn: asjob wsmanauthentication: protocol:",
    ),
    (
        "restart-computer",
        "computername: cn: wait for: timeout: delay: protocol: wsmanauthentication: asjob",
    ),
    (
        "import-module",
        "name: prefix: function: cmdlet: variable: alias: global passthru minimumversion: requiredversion: maximumversion: disablenamechecking noclobber scope: assembly: usewindowspowershell skipeditioncheck argumentlist: pssession: ascustomobject moduleinfo:",
    ),
    (
        "add-type",
        "typedefinition: memberdefinition: name: namespace: assemblyname: an: language: referencedassemblies: usingnamespace: outputassembly: outputtype: passthru ignorewarnings compileroptions:",
    ),
    (
        "set-alias",
        "name: value: description: option: passthru scope:",
    ),
    (
        "new-alias",
        "name: value: description: option: passthru scope:",
    ),
    (
        "new-object",
        "typename: argumentlist: args: comobject: strict property:",
    ),
    (
        "set-variable",
        "name: value: description: option: visibility: passthru scope:",
    ),
    (
        "new-variable",
        "name: value: description: option: visibility: passthru scope:",
    ),
    ("write-output", "inputobject: noenumerate"),
    ("set-location", "passthru stackname:"),
    ("push-location", "passthru stackname:"),
];

/// The parameters of a cmdlet.
pub(super) fn spec(name: &str) -> Option<&'static str> {
    let name = match name {
        "iex" => "invoke-expression",
        "invoke-restmethod" => "invoke-webrequest",
        name => name,
    };
    SPECS
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, spec)| *spec)
}

/// Words as parameters with their values, and the others.
pub(crate) struct Bound {
    named: Vec<(&'static str, Vec<Arg>)>,
    /// Values by position: elements of one list stand together.
    positional: Vec<Vec<Arg>>,
}

impl Bound {
    /// Reads the words behind the name.
    pub(crate) fn of(name: &str, argv: &[Arg]) -> Self {
        Self::new(argv, spec(name).unwrap_or_default())
    }

    pub(super) fn new(argv: &[Arg], spec: &'static str) -> Self {
        let mut bound = Self {
            named: Vec::new(),
            positional: Vec::new(),
        };
        let mut index = 1;
        while let Some(arg) = argv.get(index) {
            if arg.value.is(b"--") {
                index += 1;
                continue;
            }
            let head = arg.value.known_prefix();
            let option = head.strip_prefix(b"-").filter(|rest| {
                rest.first()
                    .is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'?')
            });
            let Some(option) = option else {
                let list = take_list(argv, index);
                index += list.len();
                bound.positional.push(list);
                continue;
            };
            index += 1;
            let colon = option.iter().position(|byte| *byte == b':');
            let name = option
                .get(..colon.unwrap_or(option.len()))
                .unwrap_or_default();
            let name = String::from_utf8_lossy(name).to_ascii_lowercase();
            if matches!(name.as_str(), "rf" | "fr" | "r" | "rec") && spec.is_empty() {
                // As the program of the same name on Unix takes it.
                bound.named.push(("recurse", Vec::new()));
                if name.contains('f') {
                    bound.named.push(("force", Vec::new()));
                }
                continue;
            }
            let Some((name, takes)) = find(&name, spec) else {
                continue;
            };
            let mut value = Vec::new();
            if let Some(colon) = colon {
                let rest = without_prefix(arg, colon + 2);
                if takes {
                    value.push(rest);
                } else if rest
                    .value
                    .bytes()
                    .is_some_and(|text| text.eq_ignore_ascii_case(b"false") || *text == *b"0")
                {
                    continue;
                }
                if takes && value.iter().all(|arg| arg.value.pieces.is_empty()) {
                    // `-Path: x`
                    value = take_list(argv, index);
                    index += value.len();
                }
            } else if takes {
                value = take_list(argv, index);
                index += value.len();
            }
            bound.named.push((name, value));
        }
        bound
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.named.iter().any(|(known, _)| *known == name)
    }

    /// The values of a parameter.
    pub(crate) fn named(&self, name: &str) -> Vec<Arg> {
        self.named
            .iter()
            .filter(|(known, _)| *known == name)
            .flat_map(|(_, values)| values.iter().cloned())
            .collect()
    }

    /// The values of the first of these parameters that is given, or of the next position.
    pub(crate) fn value(&self, names: &[&str], position: usize) -> Vec<Arg> {
        for name in names {
            if self.has(name) {
                return self.named(name);
            }
        }
        self.positional.get(position).cloned().unwrap_or_default()
    }

    /// All values by position from `from` on.
    pub(crate) fn rest(&self, from: usize) -> Vec<Arg> {
        self.positional
            .iter()
            .skip(from)
            .flatten()
            .cloned()
            .collect()
    }
}

/// The parameter that a name stands for, and whether it takes a value.
fn find(name: &str, spec: &'static str) -> Option<(&'static str, bool)> {
    let all = || {
        spec.split_ascii_whitespace()
            .chain(ITEM.split_ascii_whitespace())
            .chain(COMMON.split_ascii_whitespace())
    };
    let split = |word: &'static str| match word.strip_suffix(':') {
        Some(word) => (word, true),
        None => (word, false),
    };
    all()
        .map(split)
        .find(|(known, _)| *known == name)
        .or_else(|| all().map(split).find(|(known, _)| known.starts_with(name)))
}

fn is_parameter(arg: &Arg) -> bool {
    matches!(arg.value.known_prefix().as_slice(), [b'-', letter, ..] if letter.is_ascii_alphabetic())
}

/// The word at `index` and those that stand in the same list.
fn take_list(argv: &[Arg], index: usize) -> Vec<Arg> {
    let Some(first) = argv.get(index) else {
        return Vec::new();
    };
    argv.get(index..)
        .unwrap_or_default()
        .iter()
        .enumerate()
        .take_while(|(place, arg)| {
            // Behind a table of parameters stand further ones.
            arg.span == first.span && (*place == 0 || !is_parameter(arg))
        })
        .map(|(_, arg)| arg)
        .cloned()
        .collect()
}

/// The word behind its first `count` bytes.
fn without_prefix(arg: &Arg, count: usize) -> Arg {
    use crate::value::Piece;
    let mut left = count;
    let mut value = crate::value::Value::empty();
    value.decoded = arg.value.decoded;
    for piece in &arg.value.pieces {
        match piece {
            Piece::Text { bytes, at } if left > 0 => {
                let cut = left.min(bytes.len());
                left -= cut;
                let offset = u32::try_from(cut).unwrap_or(u32::MAX);
                value.push_text(
                    bytes.get(cut..).unwrap_or_default(),
                    at.map(|at| at.saturating_add(offset)),
                );
            }
            Piece::Unknown(unknown) => value.push_unknown(unknown),
            piece => value.pieces.push(piece.clone()),
        }
    }
    Arg {
        value,
        span: arg.span,
    }
}
