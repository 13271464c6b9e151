//! Options that a program does not have: it complains, and prints nothing.

use crate::execution::Arg;

/// A program's options: letters, and long names behind two dashes. Of GNU's and BSD's programs alike.
struct Known {
    names: &'static [&'static [u8]],
    letters: &'static [u8],
    /// Letters that take what follows as their value.
    valued: &'static [u8],
    long: &'static [&'static str],
}

const KNOWN: &[Known] = &[
    Known {
        names: &[b"cat"],
        letters: b"AbBeEnstTuvl",
        valued: b"",
        long: &[
            "show-all",
            "number-nonblank",
            "show-ends",
            "number",
            "squeeze-blank",
            "show-tabs",
            "show-nonprinting",
        ],
    },
    Known {
        names: &[b"tac"],
        letters: b"brs",
        valued: b"s",
        long: &["before", "regex", "separator"],
    },
    Known {
        names: &[b"head"],
        letters: b"cnqvz0123456789",
        valued: b"cn",
        long: &[
            "bytes",
            "lines",
            "quiet",
            "silent",
            "verbose",
            "zero-terminated",
        ],
    },
    Known {
        names: &[b"tail"],
        letters: b"cfFnqrsvzbk0123456789",
        valued: b"cnsb",
        long: &[
            "bytes",
            "follow",
            "lines",
            "max-unchanged-stats",
            "pid",
            "quiet",
            "silent",
            "retry",
            "sleep-interval",
            "verbose",
            "zero-terminated",
        ],
    },
    Known {
        names: &[b"sort"],
        letters: b"bcCdfghikmMnoRrsStTuVz",
        valued: b"koStT",
        long: &[
            "ignore-leading-blanks",
            "dictionary-order",
            "ignore-case",
            "general-numeric-sort",
            "ignore-nonprinting",
            "month-sort",
            "human-numeric-sort",
            "numeric-sort",
            "random-sort",
            "random-source",
            "reverse",
            "sort",
            "version-sort",
            "batch-size",
            "check",
            "compress-program",
            "debug",
            "files0-from",
            "key",
            "merge",
            "output",
            "stable",
            "buffer-size",
            "field-separator",
            "temporary-directory",
            "parallel",
            "unique",
            "zero-terminated",
        ],
    },
    Known {
        names: &[b"uniq"],
        letters: b"cdDfiswuz0123456789",
        valued: b"fsw",
        long: &[
            "count",
            "repeated",
            "all-repeated",
            "skip-fields",
            "group",
            "ignore-case",
            "skip-chars",
            "unique",
            "zero-terminated",
            "check-chars",
        ],
    },
    Known {
        names: &[b"cut"],
        letters: b"bcdfnsz",
        valued: b"bcdf",
        long: &[
            "bytes",
            "characters",
            "complement",
            "delimiter",
            "fields",
            "only-delimited",
            "output-delimiter",
            "zero-terminated",
        ],
    },
    Known {
        names: &[b"paste"],
        letters: b"dsz",
        valued: b"d",
        long: &["delimiters", "serial", "zero-terminated"],
    },
    Known {
        names: &[b"fold"],
        letters: b"bcsw0123456789",
        valued: b"w",
        long: &["bytes", "spaces", "width", "characters"],
    },
    Known {
        names: &[b"nl"],
        letters: b"bdfhilnpsvw",
        valued: b"bdfhilnsvw",
        long: &[
            "body-numbering",
            "section-delimiter",
            "footer-numbering",
            "header-numbering",
            "line-increment",
            "join-blank-lines",
            "number-format",
            "no-renumber",
            "number-separator",
            "starting-line-number",
            "number-width",
        ],
    },
    Known {
        names: &[b"tr"],
        letters: b"cCdstu",
        valued: b"",
        long: &["complement", "delete", "squeeze-repeats", "truncate-set1"],
    },
    Known {
        names: &[b"rev"],
        letters: b"0hV",
        valued: b"",
        long: &["zero"],
    },
    Known {
        names: &[b"base64", b"gbase64", b"base32"],
        letters: b"diwDob",
        valued: b"wob",
        long: &[
            "decode",
            "ignore-garbage",
            "wrap",
            "input",
            "output",
            "break",
        ],
    },
    Known {
        names: &[b"basename"],
        letters: b"asz",
        valued: b"s",
        long: &["multiple", "suffix", "zero"],
    },
    Known {
        names: &[b"dirname"],
        letters: b"z",
        valued: b"",
        long: &["zero"],
    },
];

/// Whether the words hold an option that the program does not have.
pub(super) fn refuses(name: &[u8], words: &[Arg]) -> bool {
    let Some(known) = KNOWN.iter().find(|known| known.names.contains(&name)) else {
        return false;
    };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let text = word.value.known_prefix();
        if word.value.is(b"--") {
            return false;
        }
        if let Some(long) = text.strip_prefix(b"--") {
            let name: Vec<u8> = long
                .iter()
                .copied()
                .take_while(|byte| *byte != b'=')
                .collect();
            if !known
                .long
                .iter()
                .any(|known| known.as_bytes().starts_with(&name))
            {
                return true;
            }
        } else if let Some(bundle) = text.strip_prefix(b"-") {
            for (index, letter) in bundle.iter().enumerate() {
                if !known.letters.contains(letter) {
                    return true;
                }
                if known.valued.contains(letter) {
                    if index + 1 == bundle.len() && word.value.is_known() {
                        words.next();
                    }
                    break;
                }
            }
        }
    }
    false
}
