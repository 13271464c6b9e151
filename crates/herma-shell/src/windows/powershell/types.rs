//! Members of .NET's types: what has the effect of a command, and what only computes.

use super::expression::{format, joined, parts_of, text_of};
use super::statement::printing;
use crate::source::Span;
use crate::syntax::{AndOr, List, Word};
use crate::windows::tree;

/// What a member gives.
pub(super) enum Known {
    /// These words.
    Words(Vec<Word>),
    /// These words, and what else happens is not known.
    Unread(Vec<Word>),
}

/// What a program prints that does the same.
fn runs(words: &[&str], arguments: Vec<Word>, span: Span) -> Known {
    let mut all: Vec<Word> = words
        .iter()
        .map(|word| tree::text(word.as_bytes(), span))
        .collect();
    all.extend(arguments);
    let list = tree::list(vec![tree::simple(all, Vec::new(), span)]);
    Known::Words(vec![tree::word(vec![tree::printed(list, span)], span)])
}

/// Words through a program.
fn through(words: Vec<Word>, program: &[&str], span: Span) -> Word {
    let program = program
        .iter()
        .map(|word| tree::text(word.as_bytes(), span))
        .collect();
    let stages = vec![
        printing(words, span),
        tree::simple(program, Vec::new(), span),
    ];
    let item: AndOr = tree::joined(tree::pipeline(stages, span), Vec::new(), false);
    tree::word(vec![tree::printed(List { items: vec![item] }, span)], span)
}

/// UTF-16 text of ASCII letters without its zero bytes.
pub(super) fn without_zeros(words: Vec<Word>, span: Span) -> Word {
    through(words, &["tr", "-d", "\\000"], span)
}

fn computed(words: Vec<Word>, span: Span) -> Known {
    Known::Words(vec![tree::opaque(parts_of(words), span)])
}

/// `[type]::member` and `[type]::member(arguments)`.
pub(super) fn static_member(
    name: &[u8],
    member: &[u8],
    arguments: Option<Vec<Word>>,
    span: Span,
) -> Known {
    let name = name.strip_prefix(b"system.").unwrap_or(name);
    let Some(mut words) = arguments else {
        // A property, or the member itself.
        return computed(Vec::new(), span);
    };
    let only = |words: Vec<Word>, count: usize| words.into_iter().take(count).collect::<Vec<_>>();
    match (name, member) {
        (b"io.directory", b"delete") => {
            let tree = words.len() > 1;
            let words = only(words, 1);
            if tree {
                runs(&["Remove-Item", "-Recurse", "-LiteralPath"], words, span)
            } else {
                runs(&["Remove-Item", "-LiteralPath"], words, span)
            }
        }
        (b"microsoft.visualbasic.fileio.filesystem", b"deletedirectory") => runs(
            &["Remove-Item", "-Recurse", "-LiteralPath"],
            only(words, 1),
            span,
        ),
        (b"io.file" | b"microsoft.visualbasic.fileio.filesystem", b"delete" | b"deletefile") => {
            runs(&["Remove-Item", "-LiteralPath"], only(words, 1), span)
        }
        (b"io.directory" | b"io.file", b"move") => runs(&["Move-Item"], only(words, 2), span),
        (b"io.file", b"copy" | b"replace") => runs(&["Copy-Item"], only(words, 2), span),
        (b"io.directory", b"createdirectory") => runs(&["mkdir", "-p", "--"], words, span),
        (
            b"io.file" | b"io.streamwriter",
            b"writealltext" | b"writealllines" | b"writeallbytes" | b"create" | b"createtext"
            | b"openwrite" | b"new",
        ) => {
            let rest = words.split_off(words.len().min(1));
            let path = words;
            let stages = vec![
                printing(rest, span),
                tree::simple(
                    [tree::text(b"Out-File", span)]
                        .into_iter()
                        .chain(path)
                        .collect(),
                    Vec::new(),
                    span,
                ),
            ];
            let item = tree::joined(tree::pipeline(stages, span), Vec::new(), false);
            let list = List { items: vec![item] };
            computed(
                vec![tree::word(vec![tree::printed(list, span)], span)],
                span,
            )
        }
        (b"io.file", b"appendalltext" | b"appendalllines" | b"appendtext") => {
            runs(&["Out-File", "-Append"], only(words, 1), span)
        }
        (
            b"io.file" | b"io.streamreader",
            b"readalltext" | b"readalllines" | b"readallbytes" | b"openread" | b"opentext"
            | b"readlines" | b"new",
        ) => runs(&["Get-Content"], only(words, 1), span),
        (b"diagnostics.process", b"start") => runs(&["Start-Process"], words, span),
        (b"convert", b"frombase64string") => {
            Known::Words(vec![through(words, &["base64", "-d"], span)])
        }
        (b"string", b"join") => {
            let rest = words.split_off(words.len().min(1));
            let separator = words.pop().map(|word| word.parts).unwrap_or_default();
            Known::Words(vec![joined(rest, &separator, span)])
        }
        (b"string", b"concat") => Known::Words(vec![joined(words, &[], span)]),
        (b"string", b"format") => {
            let rest = words.split_off(words.len().min(1));
            let text = words.pop();
            match text.as_ref().and_then(|text| format(text, &rest, span)) {
                Some(word) => Known::Words(vec![word]),
                None => computed(text.into_iter().chain(rest).collect(), span),
            }
        }
        (b"scriptblock" | b"management.automation.scriptblock", b"create") => {
            runs(&["Invoke-Expression"], words, span)
        }
        (b"io.compression.zipfile", b"extracttodirectory") => {
            let rest = words.split_off(words.len().min(1));
            let mut all = words;
            all.push(tree::text(b"-d", span));
            all.extend(rest);
            runs(&["unzip"], all, span)
        }
        (b"environment", b"exit" | b"failfast") => computed(words, span),
        (b"environment", b"setenvironmentvariable") if words.len() > 2 => {
            runs(&["setx"], words, span)
        }
        _ if is_harmless_type(name) && !CHANGES.contains(&member) => computed(words, span),
        (_, b"new") if is_harmless_object(name) => computed(words, span),
        _ => Known::Unread(vec![tree::opaque(parts_of(words), span)]),
    }
}

/// Members of harmless types that do more than compute.
const CHANGES: &[&[u8]] = &[
    b"delete",
    b"move",
    b"setcurrentdirectory",
    b"setaccesscontrol",
    b"setattributes",
    b"encrypt",
    b"decrypt",
    b"open",
    b"kill",
];

fn is_harmless_type(name: &[u8]) -> bool {
    const TYPES: &[&str] = &[
        "io.file",
        "io.directory",
        "io.path",
        "math",
        "string",
        "char",
        "int",
        "int32",
        "int64",
        "long",
        "double",
        "decimal",
        "single",
        "float",
        "byte",
        "bool",
        "boolean",
        "uint32",
        "uint64",
        "guid",
        "datetime",
        "datetimeoffset",
        "timespan",
        "convert",
        "bitconverter",
        "environment",
        "console",
        "array",
        "enum",
        "uri",
        "version",
        "regex",
        "random",
        "gc",
        "tuple",
        "net.dns",
        "net.ipaddress",
        "net.webutility",
        "web.httputility",
        "net.servicepointmanager",
        "diagnostics.stopwatch",
        "diagnostics.process",
        "diagnostics.fileversioninfo",
        "threading.thread",
        "linq.enumerable",
        "consolecolor",
        "cultureinfo",
        "stringcomparer",
        "numerics.biginteger",
        "bigint",
        "security.principal.windowsidentity",
        "io.compression.zipfile",
        "io.driveinfo",
        "pscustomobject",
        "psobject",
        "hashtable",
        "ordered",
        "xml",
        "mailaddress",
        "ipaddress",
    ];
    const FAMILIES: &[&str] = &[
        "text.",
        "collections.",
        "globalization.",
        "security.cryptography.",
        "runtime.interopservices.runtimeinformation",
        "runtime.interopservices.osplatform",
    ];
    std::str::from_utf8(name).is_ok_and(|name| {
        TYPES.contains(&name) || FAMILIES.iter().any(|family| name.starts_with(family))
    })
}

/// Types of which an object may be made without any effect: what is called on it is looked at.
fn is_harmless_object(name: &[u8]) -> bool {
    const OBJECTS: &[&[u8]] = &[
        b"net.webclient",
        b"net.http.httpclient",
        b"io.memorystream",
        b"io.stringreader",
        b"io.stringwriter",
        b"io.fileinfo",
        b"io.directoryinfo",
        b"xml.xmldocument",
        b"management.automation.pscredential",
        b"exception",
        b"argumentexception",
        b"invalidoperationexception",
        b"object",
        b"net.networkcredential",
        b"windows.forms.form",
        b"data.datatable",
    ];
    OBJECTS.contains(&name) || name.ends_with(b"exception")
}

/// `value.member` and `value.member(arguments)`.
pub(super) fn instance_member(
    member: &[u8],
    value: Vec<Word>,
    arguments: Option<Vec<Word>>,
    is_block: bool,
    span: Span,
) -> Known {
    let mut all = value;
    let Some(arguments) = arguments else {
        // What a property holds cannot be known; reading it changes nothing.
        return computed(all, span);
    };
    let effect = |mut all: Vec<Word>, known: Known| {
        let words = match known {
            Known::Words(words) | Known::Unread(words) => words,
        };
        all.extend(words);
        // The receiver runs too, and what comes out is the member's.
        match all.as_slice() {
            [] => computed(all, span),
            _ => Known::Words(vec![tree::opaque(parts_of(all), span)]),
        }
    };
    match member {
        b"downloadstring"
        | b"downloaddata"
        | b"getstringasync"
        | b"getasync"
        | b"getbytearrayasync"
        | b"downloadstringtaskasync" => effect(all, runs(&["Invoke-WebRequest"], arguments, span)),
        b"downloadfile" | b"downloadfiletaskasync" => {
            let mut arguments = arguments.into_iter();
            let from: Vec<Word> = arguments.by_ref().take(1).collect();
            let mut words: Vec<Word> = vec![tree::text(b"-OutFile", span)];
            words.extend(arguments);
            words.extend(from);
            effect(all, runs(&["Invoke-WebRequest"], words, span))
        }
        b"uploadstring" | b"uploaddata" | b"uploadfile" | b"postasync" | b"putasync" => {
            let mut arguments = arguments.into_iter();
            let to: Vec<Word> = arguments.by_ref().take(1).collect();
            let mut words: Vec<Word> = vec![tree::text(b"-Body", span)];
            words.extend(arguments);
            words.extend(to);
            effect(all, runs(&["Invoke-WebRequest"], words, span))
        }
        b"getstring" | b"getbytes" => {
            all.clear();
            all.extend(arguments);
            Known::Words(all)
        }
        b"tostring" | b"trim" | b"clone" if arguments.is_empty() => Known::Words(all),
        b"invoke" | b"invokereturnasis" | b"getnewclosure" if is_block => {
            all.extend(arguments);
            computed(all, span)
        }
        _ => {
            all.extend(arguments);
            if is_harmless_method(member) {
                computed(all, span)
            } else {
                Known::Unread(vec![tree::opaque(parts_of(all), span)])
            }
        }
    }
}

fn is_harmless_method(member: &[u8]) -> bool {
    const METHODS: &[&str] = &[
        "add",
        "addrange",
        "adddays",
        "addhours",
        "addminutes",
        "addseconds",
        "addmonths",
        "addmilliseconds",
        "addyears",
        "append",
        "appendline",
        "appendformat",
        "clear",
        "clone",
        "close",
        "compareto",
        "contains",
        "containskey",
        "containsvalue",
        "copyto",
        "count",
        "dequeue",
        "dispose",
        "elapsed",
        "endswith",
        "enqueue",
        "equals",
        "exists",
        "find",
        "findall",
        "first",
        "flush",
        "foreach",
        "format",
        "getenumerator",
        "gethashcode",
        "getlength",
        "gettype",
        "getvalue",
        "getawaiter",
        "getresult",
        "group",
        "groups",
        "indexof",
        "indexofany",
        "insert",
        "intersectwith",
        "isdaylightsavingtime",
        "ismatch",
        "isnullorempty",
        "join",
        "keys",
        "last",
        "lastindexof",
        "match",
        "matches",
        "max",
        "min",
        "next",
        "normalize",
        "padleft",
        "padright",
        "peek",
        "pop",
        "push",
        "put",
        "read",
        "readline",
        "readtoend",
        "remove",
        "removeat",
        "removerange",
        "replace",
        "reset",
        "restart",
        "reverse",
        "round",
        "select",
        "selectnodes",
        "selectsinglenode",
        "set",
        "setvalue",
        "sort",
        "split",
        "start",
        "startswith",
        "stop",
        "subtract",
        "substring",
        "sum",
        "toarray",
        "tobytearray",
        "tochararray",
        "todatetime",
        "todouble",
        "toint32",
        "tolist",
        "tolocaltime",
        "tolongdatestring",
        "tolower",
        "tolowerinvariant",
        "toshortdatestring",
        "tostring",
        "touniversaltime",
        "tounixtimeseconds",
        "toupper",
        "toupperinvariant",
        "trim",
        "trimend",
        "trimstart",
        "trygetvalue",
        "tryparse",
        "unionwith",
        "union",
        "values",
        "wait",
        "waitforexit",
        "where",
        "write",
        "writeline",
        "tohashset",
        "getfiles",
        "getdirectories",
        "enumeratefiles",
        "getproperty",
        "getproperties",
        "load",
        "loadxml",
        "refresh",
        "computehash",
    ];
    std::str::from_utf8(member).is_ok_and(|member| METHODS.contains(&member))
}

/// Methods by whose bare name `ForEach-Object` changes something.
pub(super) fn calls_by_name(word: &Word) -> bool {
    match text_of(word) {
        Some(name) => {
            let name = name.to_ascii_lowercase();
            const CALLS: &[&[u8]] = &[
                b"delete",
                b"kill",
                b"stop",
                b"invoke",
                b"moveto",
                b"copyto",
                b"close",
                b"terminate",
                b"remove",
                b"encrypt",
                b"create",
                b"pause",
                b"reboot",
                b"shutdown",
                b"win32shutdown",
                b"uninstall",
            ];
            CALLS.contains(&name.as_slice())
        }
        None => true,
    }
}
