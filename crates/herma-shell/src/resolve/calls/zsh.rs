//! What the words of a command of zsh run: modifiers in front of it, builtins of its modules, options.

use crate::execution::{Arg, FactKind};
use crate::resolve::machine::Machine;
use crate::resolve::machine::state::{Slot, State};
use crate::syntax::{Assignment, Part};
use crate::value::{Origin, Value};

/// Options that change nothing about what is run, or that are followed.
const HARMLESS: &[&str] = &[
    "aliases",
    "allexport",
    "appendhistory",
    "appendcreate",
    "autocd",
    "autolist",
    "automenu",
    "autopushd",
    "autoremoveslash",
    "baregloqual",
    "bareglobqual",
    "beep",
    "bgnice",
    "braceccl",
    "cbases",
    "cdablevars",
    "cdsilent",
    "checkjobs",
    "clobber",
    "combiningchars",
    "completealiases",
    "completeinword",
    "correct",
    "correctall",
    "cprecedences",
    "debugbeforecmd",
    "dotglob",
    "emacs",
    "equals",
    "errexit",
    "errreturn",
    "evallineno",
    "extendedglob",
    "extendedhistory",
    "flowcontrol",
    "functionargzero",
    "glob",
    "globcomplete",
    "globdots",
    "globstarshort",
    "hashall",
    "hashcmds",
    "hashdirs",
    "hashlistall",
    "histallowclobber",
    "histbeep",
    "histexpiredupsfirst",
    "histfcntllock",
    "histfindnodups",
    "histignorealldups",
    "histignoredups",
    "histignorespace",
    "histlexwords",
    "histnofunctions",
    "histnostore",
    "histreduceblanks",
    "histsavebycopy",
    "histsavenodups",
    "histverify",
    "hup",
    "incappendhistory",
    "incappendhistorytime",
    "interactivecomments",
    "ksharrays",
    "listambiguous",
    "listbeep",
    "listpacked",
    "listrowsfirst",
    "listtypes",
    "localoptions",
    "localpatterns",
    "localtraps",
    "login",
    "longlistjobs",
    "mailwarning",
    "markdirs",
    "menucomplete",
    "monitor",
    "multibyte",
    "multifuncdef",
    "nomatch",
    "notify",
    "nullglob",
    "numericglobsort",
    "octalzeroes",
    "overstrike",
    "pathdirs",
    "pipefail",
    "posixargzero",
    "posixcd",
    "promptbang",
    "promptcr",
    "promptpercent",
    "promptsp",
    "promptsubst",
    "pushdignoredups",
    "pushdminus",
    "pushdsilent",
    "pushdtohome",
    "rmstarsilent",
    "rmstarwait",
    "sharehistory",
    "shnullcmd",
    "shwordsplit",
    "singlelinezle",
    "sourcetrace",
    "sunkeyboardhack",
    "transientrprompt",
    "trapsasync",
    "typesetsilent",
    "typesettounset",
    "unset",
    "verbose",
    "vi",
    "warncreateglobal",
    "warnnestedvar",
    "xtrace",
    "zle",
];

/// Modules that only say or show something, or whose builtins are known here.
const MODULES: &[&str] = &[
    "zsh/files",
    "zsh/datetime",
    "zsh/mathfunc",
    "zsh/stat",
    "zsh/parameter",
    "zsh/regex",
    "zsh/pcre",
    "zsh/complete",
    "zsh/complist",
    "zsh/compctl",
    "zsh/computil",
    "zsh/zle",
    "zsh/zleparameter",
    "zsh/zutil",
    "zsh/terminfo",
    "zsh/termcap",
    "zsh/langinfo",
    "zsh/zprof",
    "zsh/main",
    "zsh/rlimits",
    "zsh/param/private",
    "zsh/zpty",
    "zsh/sched",
    "zsh/zselect",
];

/// Arrays behind which the shell's own tables stand.
const TABLES: &[&[u8]] = &[
    b"aliases",
    b"galiases",
    b"saliases",
    b"dis_aliases",
    b"dis_galiases",
    b"dis_saliases",
    b"functions",
    b"dis_functions",
    b"commands",
    b"options",
    b"nameddirs",
    b"builtins",
    b"mapfile",
    b"fpath",
    b"FPATH",
    b"argv",
    b"NULLCMD",
    b"READNULLCMD",
    b"functions_source",
    b"jobtexts",
    b"chpwd_functions",
    b"precmd_functions",
    b"preexec_functions",
    b"periodic_functions",
    b"zshexit_functions",
    b"zshaddhistory_functions",
];

impl Machine<'_> {
    /// The words under the names that the evaluation and the rules know.
    pub(super) fn zsh_words(&mut self, mut args: Vec<Arg>, state: &mut State) -> Vec<Arg> {
        loop {
            let Some(first) = args.first().cloned() else {
                return args;
            };
            let Some(name) = first.value.bytes() else {
                return args;
            };
            if state.functions.contains(&name) {
                return args;
            }
            match &*name {
                b"noglob" | b"nocorrect" | b"-" if args.len() > 1 => {
                    args.remove(0);
                    continue;
                }
                b"builtin" if args.get(1).is_some_and(|next| is_file_builtin(&next.value)) => {
                    args.remove(0);
                    continue;
                }
                b"integer" | b"float" | b"private" => rename(&mut args, b"typeset"),
                b"print" => self.print_words(&mut args),
                b"setopt" | b"unsetopt" => self.options(&args, &*name == b"setopt", state),
                b"set" => {
                    let mut words = args.iter().skip(1);
                    while let Some(word) = words.next() {
                        let sign = [b"-o".as_slice(), b"+o"]
                            .iter()
                            .position(|sign| word.value.is(sign));
                        if let (Some(sign), Some(option)) = (sign, words.next()) {
                            self.option(option, sign == 0, state);
                        } else if word.value.known_prefix().starts_with(b"-A") {
                            self.fact(FactKind::CommandUnresolved, first.span, b"");
                        }
                    }
                }
                b"emulate" => return self.emulate(args, state),
                b"zpty" | b"sched" => {
                    let own = args.iter().skip(1);
                    let skipped = own
                        .take_while(|arg| {
                            let head = arg.value.known_prefix();
                            head.starts_with(b"-") || head.starts_with(b"+")
                        })
                        .count();
                    let from = 1 + skipped + usize::from(&*name == b"zpty" || skipped == 0);
                    let rest = args.split_off(from.min(args.len()));
                    if rest.is_empty() {
                        return args;
                    }
                    let mut eval = vec![word(b"eval", &first)];
                    eval.extend(rest);
                    return eval;
                }
                b"add-zsh-hook" => {
                    let rest: Vec<Arg> = args.iter().skip(2).cloned().collect();
                    return if rest.is_empty() { args } else { rest };
                }
                b"alias" => {
                    let special = args.iter().skip(1).any(|arg| {
                        let head = arg.value.known_prefix();
                        head.starts_with(b"-") && head.iter().any(|flag| b"gs".contains(flag))
                    });
                    if special {
                        self.fact(FactKind::CommandUnresolved, first.span, b"");
                    }
                }
                b"hash" => {
                    let special = args.iter().skip(1).any(|arg| {
                        arg.value.known_prefix().contains(&b'=') || !arg.value.is_known()
                    });
                    if special {
                        self.fact(FactKind::CommandUnresolved, first.span, b"");
                    }
                }
                b"enable" | b"disable" | b"functions" | b"unfunction" | b"unhash"
                    if args.len() > 1 =>
                {
                    let defines = &*name != b"functions"
                        || args
                            .iter()
                            .any(|arg| arg.value.known_prefix().starts_with(b"-c"));
                    if defines {
                        self.fact(FactKind::CommandUnresolved, first.span, b"");
                    }
                }
                b"zmodload" => {
                    for arg in args.iter().skip(1) {
                        let name = arg.value.bytes().unwrap_or_default();
                        let known = MODULES.iter().any(|module| module.as_bytes() == &*name)
                            || name.starts_with(b"-")
                            || name.contains(&b':');
                        if !known {
                            self.fact(FactKind::CommandUnresolved, arg.span, b"");
                        }
                    }
                }
                b"autoload" => {
                    let path = args.iter().skip(1).any(|arg| {
                        arg.value.known_prefix().contains(&b'/') || !arg.value.is_known()
                    });
                    let moved = [b"fpath".as_slice(), b"FPATH"]
                        .iter()
                        .any(|name| state.variables.get(name).is_some());
                    if path || moved {
                        self.fact(FactKind::CommandUnresolved, first.span, b"");
                    }
                }
                b"cd" | b"chdir" | b"pushd" => {
                    let operands = args
                        .iter()
                        .skip(1)
                        .filter(|arg| !arg.value.known_prefix().starts_with(b"-"))
                        .count();
                    rename(&mut args, if &*name == b"pushd" { b"pushd" } else { b"cd" });
                    if operands > 1 {
                        // The second takes the place of the first in the directory's name.
                        args.truncate(1);
                        args.push(Arg {
                            value: Value::unknown(Origin::Other),
                            span: first.span,
                        });
                    }
                }
                b"shift" => {
                    for arg in args.iter().skip(1) {
                        let name = arg.value.bytes().unwrap_or_default();
                        if name.first().is_some_and(u8::is_ascii_alphabetic) {
                            let value = Value::unknown_words(Origin::Variable(name.to_vec()));
                            self.assign(state, &name, Slot::Scalar(value), false);
                        }
                    }
                }
                b"read" => {
                    for arg in args.iter_mut().skip(1) {
                        let text = arg.value.bytes().map(std::borrow::Cow::into_owned);
                        if let Some(text) = text
                            && let Some(at) = text.iter().position(|byte| *byte == b'?')
                            && at > 0
                        {
                            arg.value = Value::computed(text.get(..at).unwrap_or_default());
                        }
                    }
                }
                name => {
                    if let Some(plain) = name.strip_prefix(b"zf_") {
                        let plain = plain.to_vec();
                        rename(&mut args, &plain);
                    }
                }
            }
            return args;
        }
    }

    /// `print` as `echo`, unless its options make another text of the words.
    fn print_words(&mut self, args: &mut Vec<Arg>) {
        let mut raw = false;
        let mut newline = true;
        while let Some(head) = args.get(1).and_then(|arg| arg.value.bytes()) {
            let Some(flags) = head.strip_prefix(b"-").filter(|flags| !flags.is_empty()) else {
                break;
            };
            if !flags.iter().all(|flag| b"rnR-".contains(flag)) {
                return;
            }
            raw |= flags.contains(&b'r') || flags.contains(&b'R');
            newline &= !flags.contains(&b'n');
            let last = flags == b"-" || flags.contains(&b'R');
            args.remove(1);
            if last {
                break;
            }
        }
        let Some(first) = args.first().cloned() else {
            return;
        };
        let format: &[u8] = match (raw, newline) {
            (true, true) => b"%s\n",
            (true, false) => b"%s",
            (false, true) => b"%b\n",
            (false, false) => b"%b",
        };
        let mut text = Value::empty();
        for (index, arg) in args.iter().skip(1).enumerate() {
            if index > 0 {
                text.push_text(b" ", None);
            }
            text.append(&arg.value);
        }
        *args = vec![
            word(b"printf", &first),
            word(format, &first),
            Arg {
                value: text,
                span: first.span,
            },
        ];
    }

    fn options(&mut self, args: &[Arg], on: bool, state: &mut State) {
        for arg in args.iter().skip(1) {
            self.option(arg, on, state);
        }
    }

    /// One option by its name: case and underscores do not count, `no` turns it round.
    fn option(&mut self, arg: &Arg, on: bool, state: &mut State) {
        let name = arg.value.bytes().unwrap_or_default();
        let name: String = name
            .iter()
            .filter(|byte| **byte != b'_')
            .map(|byte| char::from(byte.to_ascii_lowercase()))
            .collect();
        let known = |name: &str| HARMLESS.contains(&name);
        let (name, on) = match name.strip_prefix("no") {
            Some(rest) if known(rest) => (rest, !on),
            _ => (name.as_str(), on),
        };
        if !known(name) || name == "ksharrays" || name == "equals" && !on {
            // How the text behind it is read is not followed.
            self.fact(FactKind::CodeUnresolved, arg.span, b"");
        }
        match name {
            "shwordsplit" => state.splits_words = on,
            "extendedglob" => state.extended_glob = on,
            "nullglob" => state.null_glob = on,
            _ => {}
        }
    }

    /// `emulate shell -c text`
    fn emulate(&mut self, args: Vec<Arg>, state: &mut State) -> Vec<Arg> {
        let Some(first) = args.first().cloned() else {
            return args;
        };
        let zsh = args.iter().skip(1).any(|arg| arg.value.is(b"zsh"));
        let text = args
            .iter()
            .position(|arg| arg.value.is(b"-c"))
            .and_then(|at| args.get(at + 1))
            .cloned();
        match text {
            Some(text) if zsh => vec![word(b"eval", &first), text],
            Some(text) => vec![word(b"sh", &first), word(b"-c", &first), text],
            None => {
                if !zsh && args.len() > 1 {
                    state.splits_words = true;
                    self.fact(FactKind::CodeUnresolved, first.span, b"");
                }
                args
            }
        }
    }

    /// Assignments to elements and to the shell's own tables; true when nothing else is to be done.
    pub(crate) fn zsh_assignment(&mut self, assignment: &Assignment, state: &mut State) -> bool {
        if TABLES.contains(&assignment.name.as_slice()) {
            self.fact(FactKind::CommandUnresolved, assignment.span, b"");
            return false;
        }
        let Some(subscript) = &assignment.subscript else {
            return false;
        };
        let named = match subscript.parts.as_slice() {
            [Part::Literal(text) | Part::Quoted(text)] => text
                .bytes
                .iter()
                .all(|byte| byte.is_ascii_alphabetic() || b"_-.".contains(byte)),
            _ => false,
        };
        if named {
            return false;
        }
        // Elements count from one, and ranges of them may be set.
        let value = Value::unknown_words(Origin::Variable(assignment.name.clone()));
        self.assign(state, &assignment.name, Slot::Scalar(value), false);
        true
    }
}

fn is_file_builtin(name: &Value) -> bool {
    let names: [&[u8]; 8] = [
        b"rm", b"mv", b"ln", b"mkdir", b"rmdir", b"chmod", b"chown", b"chgrp",
    ];
    names.iter().any(|known| name.is(known)) || name.known_prefix().starts_with(b"zf_")
}

fn word(text: &[u8], like: &Arg) -> Arg {
    Arg {
        value: Value::computed(text),
        span: like.span,
    }
}

fn rename(args: &mut [Arg], name: &[u8]) {
    if let Some(first) = args.first_mut()
        && !first.value.is(name)
    {
        first.value = Value::computed(name);
    }
}
