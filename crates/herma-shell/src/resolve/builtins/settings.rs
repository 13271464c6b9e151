//! Builtins that set how the shell reads and finds commands: aliases, options, positional parameters.

use std::rc::Rc;

use crate::execution::Arg;
use crate::resolve::calls::simple::unknown_output;
use crate::resolve::machine::map::Map;
use crate::resolve::machine::state::{Parameters, State};
use crate::resolve::machine::{Io, Machine};
use crate::value::{Origin, Piece, Value};

/// How many aliases are kept.
pub(crate) const MAX_ALIASES: usize = 1024;

/// `alias name=text …`
pub(super) fn define_aliases(machine: &mut Machine<'_>, args: &[Arg], state: &mut State) {
    for arg in args.iter().skip(1) {
        // What cannot be known in front of a name may be nothing.
        let known = arg
            .value
            .pieces
            .iter()
            .position(|piece| !matches!(piece, Piece::Unknown(_)));
        let mut given = arg.value.clone();
        given.pieces.drain(..known.unwrap_or_default());
        let shown = given.known_prefix();
        let Some(equals) = shown.iter().position(|byte| *byte == b'=') else {
            continue;
        };
        let name = shown.get(..equals).unwrap_or_default().to_vec();
        let mut value = Value {
            pieces: Vec::new(),
            decoded: arg.value.decoded,
        };
        let mut skip = equals + 1;
        for piece in &given.pieces {
            match piece {
                Piece::Text { bytes, at } | Piece::Glob { pattern: bytes, at } => {
                    let from = skip.min(bytes.len());
                    skip -= from;
                    let at = at.and_then(|at| at.checked_add(u32::try_from(from).ok()?));
                    value.push_text(bytes.get(from..).unwrap_or_default(), at);
                }
                other => value.pieces.push(other.clone()),
            }
        }
        if state.aliases.len() < MAX_ALIASES {
            state.aliases.insert(&name, vec![value]);
        } else {
            machine.beyond(arg.span);
        }
    }
}

/// `unalias name …`, `unalias -a`
pub(super) fn remove_aliases(args: &[Arg], state: &mut State) {
    if args.iter().any(|arg| arg.value.is(b"-a")) {
        state.aliases = Map::default();
    }
    for arg in args.iter().skip(1) {
        if let Some(name) = arg.value.bytes() {
            state.aliases.remove(&name);
        }
    }
}

/// `hash -p path name …`, `hash -d name …`, `hash -r`
pub(super) fn hash(args: &[Arg], state: &mut State) {
    let mut words = args.iter().skip(1).map(|arg| &arg.value).peekable();
    let mut path = None;
    let mut forgets = false;
    while let Some(word) = words.next_if(|word| word.known_prefix().starts_with(b"-")) {
        let letters = word.known_prefix();
        let letters = letters.get(1..).unwrap_or_default();
        if letters == b"-" {
            break;
        }
        for (index, letter) in letters.iter().enumerate() {
            match letter {
                b'r' => state.hashed = Map::default(),
                b'd' => forgets = true,
                b'p' => {
                    let attached = letters.get(index + 1..).unwrap_or_default();
                    path = if !word.is_known() {
                        Some(Value::unknown_words(Origin::Other))
                    } else if attached.is_empty() {
                        words.next().cloned()
                    } else {
                        Some(Value::computed(attached))
                    };
                    break;
                }
                _ => {}
            }
        }
    }
    for name in words.filter_map(Value::bytes) {
        match &path {
            Some(path) => state.hashed.insert(&name, path.clone()),
            None if forgets => state.hashed.remove(&name),
            None => {}
        }
    }
}

/// `shopt -s option …`: the options that change what is read.
pub(super) fn shopt(args: &[Arg], state: &mut State) {
    let on = |option: &[u8]| args.iter().any(|arg| arg.value.is(option));
    if on(b"-s") {
        state.last_pipe |= on(b"lastpipe");
        state.null_glob |= on(b"nullglob");
        state.any_depth |= on(b"globstar");
    }
}

/// `set -- a b`, `set a b`
pub(super) fn set(args: &[Arg], state: &mut State, io: &mut Io) {
    if args.len() == 1 {
        io.print(&unknown_output(b"set"));
    }
    let mut start = 1;
    let mut explicit = false;
    while let Some(bytes) = args.get(start).and_then(|arg| arg.value.bytes()) {
        match &*bytes {
            b"--" => {
                explicit = true;
                start += 1;
                break;
            }
            b"-" => {
                start += 1;
                break;
            }
            [b'-' | b'+', flags @ ..] if !flags.is_empty() => {
                if !flags
                    .iter()
                    .all(|flag| b"abefhkmnprtuvxBCEHPTo".contains(flag))
                {
                    // An error: nothing is set.
                    return;
                }
                start += 1;
                let on = bytes.starts_with(b"-");
                if flags.contains(&b'a') {
                    (state.all_exported, state.maybe_all_exported) = (on, false);
                }
                if flags.contains(&b'C') {
                    state.no_clobber = on;
                }
                if flags.contains(&b'u') {
                    state.no_unset = on;
                }
                // Each `o` takes the name of an option; without one it shows them.
                for _ in flags.iter().filter(|flag| **flag == b'o') {
                    let name = args.get(start).map(|arg| arg.value.known_prefix());
                    let is_name = |name: &Vec<u8>| !matches!(name.first(), Some(b'-' | b'+'));
                    if let Some(name) = name.filter(is_name) {
                        match name.as_slice() {
                            b"allexport" => {
                                (state.all_exported, state.maybe_all_exported) = (on, false);
                            }
                            b"noclobber" => state.no_clobber = on,
                            b"nounset" => state.no_unset = on,
                            b"posix" => state.posix = on,
                            _ => {}
                        }
                        start += 1;
                    }
                }
            }
            _ => break,
        }
    }
    let values: Vec<Value> = args
        .iter()
        .skip(start)
        .map(|arg| arg.value.clone())
        .collect();
    if explicit || !values.is_empty() {
        let open = values.iter().any(|value| !value.is_known());
        let zero = state.parameters.zero.clone();
        state.parameters = Rc::new(Parameters { zero, values, open });
    }
}

/// `shift`, `shift n`
pub(super) fn shift(machine: &mut Machine<'_>, args: &[Arg], state: &mut State) {
    let count = match args.get(1).map(|arg| arg.value.bytes()) {
        None => Some(1),
        Some(bytes) => bytes.and_then(|b| std::str::from_utf8(&b).ok()?.parse().ok()),
    };
    // Other states share the parameters: what stays is copied.
    if !machine.spend(10 * state.parameters.values.len() as u64) {
        return;
    }
    let parameters = Rc::make_mut(&mut state.parameters);
    match count {
        Some(count) if count <= parameters.values.len() => {
            parameters.values.drain(..count);
        }
        Some(_) => {}
        None => {
            parameters.values.clear();
            parameters.open = true;
        }
    }
}
