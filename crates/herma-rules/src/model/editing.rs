//! Programs that change files in place.

use herma_shell::Value;

use super::Act;
use super::options::{Spec, spec};
use crate::effect::Verb;

static SED: Spec = spec(
    "nbe:f:Ei::l:rsuzI::a",
    "quiet silent debug expression= file= follow-symlinks in-place? line-length= null-data zero-terminated posix \
     regexp-extended separate sandbox unbuffered help version",
);
static PERL: Spec = spec("0::acC::d::D::e:E:fF:hi::I:l::m:M:npsStTuUvV::wWx::X", "");
static RUBY: Spec = spec("0::aC:de:E:F:hi::I:l::K:npr:sST::U::vwW::x::", "");
static AWK: Spec = spec(
    "F:v:f:bcCd::D::e:E:gGhi:I:lL::nM:No::Op::PrsStV",
    "field-separator= assign= file= include= source= exec= load= help version",
);
static PATCH: Spec = spec(
    "B:bcCd:D:eEfF:g:hi:lnNo:p:r:RstTuvV:x:Y:z:Z",
    "dry-run output= directory= input= strip= reject-file= backup prefix= suffix= reverse forward force help version",
);

pub(super) fn effects(name: &[u8], act: &mut Act<'_>) -> bool {
    match name {
        b"sed" | b"gsed" | b"ssed" => sed(act),
        b"perl" | b"ruby" => perl(act, name),
        b"awk" | b"gawk" | b"mawk" | b"nawk" => awk(act),
        b"patch" => patch(act),
        b"ed" | b"ex" | b"vi" | b"vim" | b"nvim" | b"view" | b"nano" | b"pico" | b"emacs"
        | b"micro" | b"joe" | b"mcedit" | b"helix" | b"hx" | b"kak" | b"sudoedit" => {
            // `-s` is a flag of the line editors, and takes a script in the others.
            let line = matches!(name, b"ed" | b"ex");
            let scan = act.scan(&if line {
                spec("sEvc:p:", "help version quiet silent prompt=")
            } else {
                spec("c:s:S:u:p:U:RnEN", "help version cmd=")
            });
            // Without a command of one's own it only shows.
            let shows = name == b"view" && !scan.has(&["c", "s", "S", "cmd"]);
            let verb = if shows { Verb::Read } else { Verb::Edit };
            for (at, value) in scan.operands() {
                // `+42`, `+/pattern`
                if value.known_prefix().first() != Some(&b'+') {
                    act.on(verb, at, value);
                }
            }
        }
        b"dos2unix" | b"unix2dos" | b"chattr" | b"sqlite-utils" => {
            let scan = act.scan(&spec("", "help version"));
            act.on_operands(Verb::Edit, &scan);
        }
        b"setfattr" | b"xattr" => {
            let scan = act.scan(&spec("n:v:x:h", "name= value= remove= no-dereference"));
            act.on_operands(Verb::Edit, &scan);
        }
        b"yq" => {
            let scan = act.scan(&spec("iPerno:p:I:", "inplace output-format= input-format="));
            let verb = if scan.has(&["i", "inplace"]) {
                Verb::Edit
            } else {
                Verb::Read
            };
            for (at, value) in scan.operands().skip(1) {
                act.on(verb, at, value);
            }
        }
        _ => return false,
    }
    true
}

fn sed(act: &mut Act<'_>) {
    let scan = act.scan(&SED);
    if scan.has(&["help", "version"]) {
        return;
    }
    let in_place = scan.has(&["i", "I", "in-place"]);
    let scripted = scan.has(&["e", "f", "expression", "file"]);
    let verb = if in_place { Verb::Edit } else { Verb::Read };
    for (at, value) in scan.operands().skip(usize::from(!scripted)) {
        act.on(verb, at, value);
    }
    let scripts: Vec<(usize, Value)> = if scripted {
        scan.all(&["e", "expression"]).cloned().collect()
    } else {
        scan.operands()
            .take(1)
            .map(|(at, value)| (at, value.clone()))
            .collect()
    };
    for (at, script) in scripts {
        if let Some(file) = written_by_script(&script) {
            act.on(Verb::Write, at, &file);
        }
    }
}

/// The file of a `w` command or flag at the end of a script line (`w /etc/x`, `s/a/b/w out`).
fn written_by_script(script: &Value) -> Option<Value> {
    let text = script.bytes()?;
    text.split(|byte| *byte == b'\n').find_map(|line| {
        let at = line.windows(2).position(|pair| pair == b"w ")?;
        let before = line.get(..at).unwrap_or_default();
        // `w` is a command or a flag, no letter of a word.
        let command = before.last().is_none_or(|byte| {
            matches!(
                byte,
                b'/' | b'|' | b',' | b'#' | b';' | b'{' | b'$' | b' ' | b'g' | b'p'
            ) || byte.is_ascii_digit()
        });
        let file = line.get(at + 2..)?.trim_ascii();
        (command && matches!(file.first(), Some(b'/' | b'.')))
            .then(|| Value::computed(file.to_vec()))
    })
}

fn perl(act: &mut Act<'_>, name: &[u8]) {
    let scan = act.scan(if name == b"perl" { &PERL } else { &RUBY });
    let inline = scan.has(&["e", "E"]);
    if !inline {
        return;
    }
    let verb = if scan.has(&["i"]) {
        Verb::Edit
    } else if scan.has(&["n", "p"]) {
        Verb::Read
    } else {
        return;
    };
    act.on_operands(verb, &scan);
}

fn awk(act: &mut Act<'_>) {
    let scan = act.scan(&AWK);
    let in_place = scan
        .all(&["i", "include"])
        .any(|(_, value)| value.is(b"inplace"));
    let scripted = scan.has(&["f", "file", "e", "source", "E"]);
    let verb = if in_place { Verb::Edit } else { Verb::Read };
    for (at, value) in scan.operands().skip(usize::from(!scripted)) {
        // `name=value` among the files sets a variable.
        let sets = value
            .known_prefix()
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'='))
            .any(|byte| *byte == b'=');
        if !sets {
            act.on(verb, at, value);
        }
    }
}

fn patch(act: &mut Act<'_>) {
    let scan = act.scan(&PATCH);
    if scan.has(&["dry-run", "C", "help", "version"]) {
        return;
    }
    if let Some((at, value)) = scan.last(&["o", "output"]) {
        let (at, value) = (*at, value.clone());
        act.on(Verb::Write, at, &value);
        return;
    }
    if let Some((at, value)) = scan.last(&["d", "directory"]) {
        let (at, value) = (*at, value.clone());
        act.on(Verb::Edit, at, &value);
    }
    if let Some((at, value)) = scan.operands().next() {
        act.on(Verb::Edit, at, value);
    }
}
