//! What the code does, as actions; and what calls give.

use super::scan::Scanner;
use super::val::{Args, Val};
use super::{Action, Language};
use crate::execution::Arg;
use crate::path::base_name;
use crate::value::{Origin, Value};

impl Scanner<'_> {
    /// Notes an action of a call that is reported.
    pub(super) fn push(&mut self, action: Action, args: &Args) {
        if args.emit {
            self.actions.push(action);
        }
    }

    /// Runs shell text.
    pub(super) fn shell(&mut self, text: Option<&Val>, args: &Args) -> Val {
        let texts = match text {
            Some(Val::Any(values)) => values.iter().map(|value| self.value(value)).collect(),
            Some(value) => vec![self.value(value)],
            None => vec![Value::unknown(Origin::Other)],
        };
        let mut fetches = false;
        for text in texts {
            let prefix = text.known_prefix();
            self.notice_shell(&prefix, args);
            fetches |= [&b"curl "[..], b"wget ", b"http "]
                .iter()
                .any(|name| prefix.trim_ascii_start().starts_with(name));
            self.push(
                Action::Shell {
                    text,
                    span: args.span,
                },
                args,
            );
        }
        Val::Text(Value::unknown(if fetches {
            Origin::Fetched
        } else {
            Origin::Output(b"sh".to_vec())
        }))
    }

    pub(super) fn notice_shell(&mut self, program: &[u8], args: &Args) {
        let word = program
            .split(u8::is_ascii_whitespace)
            .next()
            .unwrap_or_default();
        let base = base_name(word);
        if args.emit
            && matches!(
                base,
                b"sh" | b"bash" | b"zsh" | b"dash" | b"ksh" | b"cmd.exe"
            )
        {
            self.starts_shell = true;
        }
    }

    /// Starts a program.
    pub(super) fn program(&mut self, words: &[Val], args: &Args) -> Val {
        let words: Vec<Value> = words.iter().flat_map(|word| self.values(word)).collect();
        let Some(first) = words.first() else {
            return Val::other();
        };
        let name = first.known_prefix();
        self.notice_shell(&name, args);
        let base = base_name(&name);
        let origin = if matches!(base, b"curl" | b"wget") {
            Origin::Fetched
        } else {
            Origin::Output(base.to_vec())
        };
        let argv = words
            .into_iter()
            .map(|value| Arg {
                value,
                span: args.span,
            })
            .collect();
        self.push(Action::Program(argv), args);
        Val::Text(Value::unknown(origin))
    }

    /// Changes the working directory of the code.
    pub(super) fn change_directory(&mut self, path: Option<&Val>, args: &Args) -> Val {
        let path = path.map_or_else(|| Value::unknown(Origin::Other), |path| self.value(path));
        self.push(Action::Directory { path: Some(path) }, args);
        Val::other()
    }

    /// Starts something in the directory that the call names, if it names one.
    pub(super) fn within(
        &mut self,
        directory: Option<&Val>,
        args: &Args,
        start: impl FnOnce(&mut Self) -> Val,
    ) -> Val {
        let Some(directory) = directory else {
            return start(self);
        };
        self.change_directory(Some(directory), args);
        let result = start(self);
        self.push(Action::Directory { path: None }, args);
        result
    }

    /// What a shell that was just started gets as input.
    pub(super) fn shell_input(&mut self, words: &[Val], input: &Val, args: &Args) {
        let name = words.first().map(|word| self.value(word).known_prefix());
        let name = name.unwrap_or_default();
        let base = base_name(&name);
        if words.len() == 1 && matches!(base, b"sh" | b"bash" | b"zsh" | b"dash" | b"ksh") {
            let input = input.clone();
            self.shell(Some(&input), args);
        }
    }

    /// A library call as `words -- operands`.
    pub(super) fn call(&mut self, name: &[u8], words: &[&str], operands: Vec<Value>, args: &Args) {
        let mut argv: Vec<Value> = words
            .iter()
            .map(|word| Value::computed(word.as_bytes()))
            .collect();
        argv.push(Value::computed(*b"--"));
        argv.extend(operands);
        self.call_words(name, argv, args);
    }

    /// A library call as an argv.
    pub(super) fn call_words(&mut self, name: &[u8], words: Vec<Value>, args: &Args) {
        let argv = words
            .into_iter()
            .map(|value| Arg {
                value,
                span: args.span,
            })
            .collect();
        let name = String::from_utf8_lossy(name).into_owned();
        self.push(Action::Call { name, argv }, args);
    }

    /// Runs code of the same language.
    pub(super) fn run_code(&mut self, text: Option<&Val>, args: &Args) -> Val {
        let text = text.map_or_else(|| Value::unknown(Origin::Other), |text| self.value(text));
        self.push(
            Action::Code {
                text,
                span: args.span,
            },
            args,
        );
        Val::other()
    }

    /// A call without arguments over these bytes of the code.
    pub(super) fn reported(&self, start: usize, end: usize) -> Args {
        Args {
            list: Vec::new(),
            span: self.code.span(start, end),
            emit: true,
        }
    }

    /// Notes a connection to `(host, port)` or `"host:port"`.
    pub(super) fn connects(&mut self, address: Option<&Val>) {
        match address {
            Some(Val::List(parts)) => {
                if let [host, port, ..] = parts.as_slice() {
                    let (host, port) = (self.value(host), self.value(port));
                    self.connects_to(host, port);
                }
            }
            Some(value) => {
                let value = self.value(value);
                if let Some(bytes) = value.bytes()
                    && let Some(colon) = bytes.iter().rposition(|byte| *byte == b':')
                {
                    let (host, port) = bytes.split_at(colon);
                    let host = host.strip_prefix(b"tcp://").unwrap_or(host);
                    self.connects_to(
                        Value::computed(host),
                        Value::computed(port.get(1..).unwrap_or_default()),
                    );
                }
            }
            None => {}
        }
    }

    /// Notes a connection.
    pub(super) fn connects_to(&mut self, host: Value, port: Value) {
        let local = [&b"localhost"[..], b"127.0.0.1", b"::1", b""];
        if !local.iter().any(|name| host.is(name)) {
            self.remote = Some((host, port));
        }
    }

    /// What an unknown call gives.
    pub(super) fn result(&self, name: &[u8], args: &Args) -> Val {
        let fetched = args.list.iter().take(8).any(|(_, value)| match value {
            Val::Text(text) | Val::Path(text) => text.is_fetched(),
            _ => false,
        });
        if let Some(secrets) = self.secrets_in(name, args) {
            return secrets;
        }
        Val::Text(Value::unknown(if fetched {
            Origin::Fetched
        } else {
            Origin::Output(name.to_vec())
        }))
    }

    /// A call of a name, by the language's rules.
    pub(super) fn dispatch(&mut self, name: &[u8], args: &Args) -> Val {
        match self.language {
            Language::Python => super::python::call(self, name, args),
            Language::JavaScript => super::javascript::call(self, name, args),
            Language::Perl => super::perl::call(self, name, args),
            Language::Ruby => super::ruby::call(self, name, args),
            Language::Php => super::php::call(self, name, args),
            Language::Lua => super::lua::call(self, name, args),
            Language::C | Language::Go | Language::Rust | Language::Java => {
                super::compiled::call(self, name, args)
            }
            Language::Awk => Val::other(),
        }
    }

    /// Calls a function with each element.
    pub(super) fn apply_each(&mut self, function: &Val, list: &Val, args: &Args) -> Val {
        let list = match list {
            Val::List(values) => values.clone(),
            other => vec![other.clone()],
        };
        let mut out = Vec::new();
        for value in list.into_iter().take(1024) {
            if !self.pay(8) {
                break;
            }
            let args = Args {
                list: vec![(None, value)],
                span: args.span,
                emit: args.emit,
            };
            out.push(self.invoke(function.clone(), &args));
        }
        Val::List(out)
    }
}
