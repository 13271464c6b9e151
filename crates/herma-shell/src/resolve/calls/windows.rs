//! Commands of PowerShell and cmd.exe that the shell itself runs.

use crate::execution::Arg;
use crate::resolve::machine::state::State;
use crate::resolve::machine::{Io, Machine};
use crate::syntax::Dialect;
use crate::value::Value;
use crate::windows::{cmdlets::Bound, names, verbs};

impl Machine<'_> {
    /// The words under the names that the evaluation and the rules know.
    pub(super) fn windows_words(&mut self, args: Vec<Arg>, state: &State, io: &mut Io) -> Vec<Arg> {
        let Some(name) = args.first().and_then(|first| first.value.bytes()) else {
            return args;
        };
        let lower = name.to_ascii_lowercase();
        if state.functions.contains(&lower) {
            return renamed(args, &lower);
        }
        match self.dialect {
            Dialect::PowerShell => {
                let known = names::powershell(&name);
                powershell(&known, args, io)
            }
            _ => {
                let base = names::program(&name);
                if base == b"shutdown"
                    && let Some(known) = verbs::shutdown(&args)
                {
                    return known;
                }
                if let Some(file) = names::batch(&name) {
                    return renamed(args, &file);
                }
                match verbs::read(&lower, &args) {
                    Some(known) => known,
                    None => renamed(args, &base),
                }
            }
        }
    }
}

fn renamed(mut args: Vec<Arg>, name: &[u8]) -> Vec<Arg> {
    if let Some(first) = args.first_mut()
        && !first.value.is(name)
    {
        first.value = Value::computed(name);
    }
    args
}

/// The words with others in front instead of the name.
fn instead(args: &[Arg], words: &[&[u8]], rest: Vec<Arg>) -> Vec<Arg> {
    let span = args.first().map_or_else(Default::default, |arg| arg.span);
    let mut out: Vec<Arg> = words
        .iter()
        .map(|word| Arg {
            value: Value::computed(*word),
            span,
        })
        .collect();
    out.extend(rest);
    out
}

fn slashed(arg: &Arg) -> Arg {
    let mut arg = arg.clone();
    for piece in &mut arg.value.pieces {
        if let crate::value::Piece::Text { bytes, .. } = piece {
            for byte in bytes {
                if *byte == b'\\' {
                    *byte = b'/';
                }
            }
        }
    }
    arg
}

fn powershell(name: &[u8], args: Vec<Arg>, io: &mut Io) -> Vec<Arg> {
    match name {
        b"Write-Output" => {
            let bound = Bound::of("write-output", &args);
            let mut words = bound.named("inputobject");
            words.extend(bound.rest(0));
            let format: &[u8] = if words.is_empty() { b"" } else { b"%s\n" };
            instead(&args, &[b"printf", format], words)
        }
        b"Set-Location" | b"Push-Location" => {
            let bound = Bound::of("set-location", &args);
            let to = bound.value(&["path", "literalpath"], 0);
            let to: Vec<Arg> = to.iter().take(1).map(slashed).collect();
            let verb: &[u8] = if name == b"Set-Location" {
                b"cd"
            } else {
                b"pushd"
            };
            if to.is_empty() {
                return renamed(args, name);
            }
            instead(&args, &[verb], to)
        }
        b"Pop-Location" => instead(&args, &[b"popd"], Vec::new()),
        b"Get-Location" => instead(&args, &[b"pwd"], Vec::new()),
        b"Set-Variable" | b"New-Variable" => {
            let bound = Bound::of("set-variable", &args);
            let names = bound.value(&["name"], 0);
            let at = usize::from(!bound.has("name"));
            let values = bound.value(&["value"], at);
            let Some(variable) = names.first().and_then(|name| name.value.bytes()) else {
                return renamed(args, name);
            };
            let mut value = Value::computed(
                [crate::windows::powershell::key(&variable).as_slice(), b"="].concat(),
            );
            for word in &values {
                value.append(&word.value);
            }
            let span = args.first().map_or_else(Default::default, |arg| arg.span);
            instead(&args, &[b"declare"], vec![Arg { value, span }])
        }
        b"Set-Content" | b"Add-Content" | b"New-Item" => {
            let lower = String::from_utf8_lossy(name).to_ascii_lowercase();
            let bound = Bound::of(&lower, &args);
            let at = if name == b"New-Item" {
                usize::MAX
            } else {
                usize::from(!bound.has("path") && !bound.has("literalpath"))
            };
            let values = bound.value(&["value"], at);
            if !values.is_empty() {
                let mut text = Value::empty();
                for value in &values {
                    text.append(&value.value);
                    text.push_text(b"\n", None);
                }
                io.stdin = Some(text.into());
            }
            renamed(args, name)
        }
        b"shutdown" => match verbs::shutdown(&args) {
            Some(known) => known,
            None => renamed(args, name),
        },
        name => renamed(args, name),
    }
}
