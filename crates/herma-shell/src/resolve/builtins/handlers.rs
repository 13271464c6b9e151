//! Builtins that leave text for later: `trap`, `bind`, `complete`.

use std::rc::Rc;

use crate::execution::Arg;
use crate::resolve::control::deferred::When;
use crate::resolve::machine::state::State;
use crate::resolve::machine::{Io, Machine};
use crate::resolve::values::expand::join_words;
use crate::value::{Origin, Value};

impl Machine<'_> {
    /// `trap text signal …`
    pub(super) fn trap(&mut self, args: &[Arg], state: &mut State) {
        let mut words = args.iter().skip(1).filter(|arg| !arg.value.is(b"--"));
        let (Some(text), Some(signal)) = (words.next(), words.next()) else {
            return;
        };
        let once = ["EXIT", "0", "exit"]
            .iter()
            .any(|end| signal.value.is(end.as_bytes()))
            && words.next().is_none();
        let query = text
            .value
            .bytes()
            .is_some_and(|b| matches!(&*b, b"-" | b"" | b"-p" | b"-l"));
        let names = |signal: &[u8]| args.iter().skip(2).any(|arg| arg.value.is(signal));
        let each = names(b"DEBUG") || names(b"ERR");
        let when = if once {
            When::AtEnd
        } else if each || names(b"RETURN") {
            When::WithinFunctions
        } else {
            When::AnyTime
        };
        if each {
            state.before_each = (!query).then(|| Rc::new((text.value.clone(), text.span)));
        }
        if !query {
            self.defer_text(text.value.clone(), text.span, when, state);
        }
    }

    /// `bind -x 'key: command'`
    pub(super) fn bind(&mut self, args: &[Arg], state: &State) {
        for pair in args.windows(2) {
            let [flag, text] = pair else { continue };
            if flag.value.is(b"-x") {
                let shown = text.value.known_prefix();
                let command = shown.splitn(2, |b| *b == b':').nth(1).unwrap_or_default();
                self.defer_text(Value::computed(command), text.span, When::AnyTime, state);
            }
        }
    }

    /// `wait -p NAME`: a subscript in the name is evaluated.
    pub(super) fn wait(&mut self, args: &[Arg], state: &mut State) {
        for arg in args.iter().skip(1) {
            if arg.value.known_prefix().contains(&b'[') {
                self.arithmetic_text(&arg.value, arg.span, state);
            }
        }
    }

    /// `history -s`, `-r`, `-n`: what is put into the history may be run again.
    pub(super) fn history(&mut self, args: &[Arg], state: &State) {
        for (index, arg) in args.iter().enumerate().skip(1) {
            let behind = args.get(index + 1..).unwrap_or_default();
            let text = match arg.value.bytes().as_deref() {
                Some(b"-s") => join_words(behind.iter().map(|arg| arg.value.clone()).collect()),
                Some(b"-r" | b"-n") => match behind.first() {
                    Some(file) => self.file_as_input(&file.value, None, state),
                    None => return,
                },
                _ => continue,
            };
            let text = self.loaded(text);
            if text.is_known() {
                self.defer_text(text, arg.span, When::AnyTime, state);
            }
            return;
        }
    }

    /// `fc -e EDITOR`: the editor is a command.
    pub(super) fn fc(&mut self, args: &[Arg], state: &State) {
        let named = |pair: &[Arg]| match pair {
            [flag, editor] if flag.value.is(b"-e") && !editor.value.is(b"-") => {
                Some(editor.clone())
            }
            _ => None,
        };
        if let Some(editor) = args.windows(2).find_map(named) {
            self.defer_text(editor.value, editor.span, When::AnyTime, state);
        }
    }

    /// `compgen`, `complete`: commands and words of a completion.
    pub(super) fn completion(&mut self, args: &[Arg], state: &mut State) {
        for (index, arg) in args.iter().enumerate() {
            let Some(flag) = arg.value.bytes() else {
                continue;
            };
            let (flag, attached) = flag.split_at(flag.len().min(2));
            let text = if attached.is_empty() {
                args.get(index + 1).cloned()
            } else {
                let value = Value::computed(attached);
                Some(Arg { value, ..*arg })
            };
            let Some(text) = text else {
                continue;
            };
            match flag {
                b"-C" | b"-F" => {
                    let mut inner = state.clone();
                    // The command gets the words to complete.
                    let mut call = text.value.clone();
                    call.push_text(b" ", None);
                    call.append(&Value::unknown_words(Origin::Other));
                    self.text_behind("compgen", &call, text.span, &mut inner, &mut Io::default());
                }
                b"-W" => self.substitutions_in(&text.value, text.span, state),
                _ => {}
            }
        }
    }
}
