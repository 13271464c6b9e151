//! Functions that start programs, however they are handed on.

use super::Language;
use super::scan::Scanner;
use super::val::{Args, Val};

/// Whether the function runs what it is given.
pub(super) fn is_starter(language: Language, name: &[u8]) -> bool {
    match language {
        Language::JavaScript => {
            name.starts_with(b"child_process.")
                || matches!(
                    name,
                    b"eval"
                        | b"Function"
                        | b"execa"
                        | b"Bun.spawn"
                        | b"fs.rm"
                        | b"fs.unlink"
                        | b"process.kill"
                )
        }
        Language::Python => {
            name.starts_with(b"subprocess.")
                || [&b"os.exec"[..], b"os.spawn", b"os.posix_spawn"]
                    .iter()
                    .any(|family| name.starts_with(family))
                || matches!(
                    name,
                    b"os.system"
                        | b"os.popen"
                        | b"pty.spawn"
                        | b"exec"
                        | b"eval"
                        | b"shutil.rmtree"
                        | b"os.remove"
                        | b"os.unlink"
                        | b"os.kill"
                        | b"os.killpg"
                )
        }
        Language::Ruby => {
            let name = name.strip_prefix(b"Kernel.").unwrap_or(name);
            matches!(
                name,
                b"system" | b"exec" | b"spawn" | b"eval" | b"Process.spawn" | b"IO.popen"
            )
        }
        Language::Php => matches!(
            name,
            b"system" | b"exec" | b"shell_exec" | b"passthru" | b"popen" | b"eval"
        ),
        _ => false,
    }
}

/// Whether the name is a module, or what holds its names, with functions that start programs.
pub(super) fn is_namespace(language: Language, name: &[u8]) -> bool {
    match language {
        Language::JavaScript => name == b"child_process",
        Language::Python => matches!(
            name,
            b"os.__dict__"
                | b"subprocess.__dict__"
                | b"sys.modules"
                | b"builtins.__dict__"
                | b"__builtins__.__dict__"
        ),
        _ => false,
    }
}

/// A member of a namespace; one whose name is not known counts as the function that runs its text.
pub(super) fn chosen(language: Language, of: &[u8], key: Option<&[u8]>) -> Val {
    let of = of.strip_suffix(b".__dict__").unwrap_or(of);
    match (key, language) {
        (Some(key), Language::Python) if of == b"sys.modules" => Val::symbol(key),
        (Some(key), _) => Val::Symbol([of, b".", key].concat()),
        (None, Language::JavaScript) => Val::symbol(b"child_process.exec"),
        (None, _) if of == b"subprocess" => Val::symbol(b"subprocess.getoutput"),
        (None, _) => Val::symbol(b"os.system"),
    }
}

impl Scanner<'_> {
    /// `Thread(target=os.system, args=("x",))`, `setTimeout(exec, 0, "x")`: somebody else calls the
    /// function that is handed on, with the other arguments.
    pub(super) fn hand_on(&mut self, args: &Args) {
        let language = self.language;
        if args.emit {
            for (_, value) in &args.list {
                if let partial @ Val::Partial(..) = value {
                    let none = Args {
                        list: Vec::new(),
                        ..*args
                    };
                    self.invoke(partial.clone(), &none);
                }
            }
        }
        let handed = args.list.iter().position(
            |(_, value)| matches!(value, Val::Symbol(name) if is_starter(language, name)),
        );
        let Some((at, Val::Symbol(function))) =
            handed.and_then(|at| Some((at, &args.list.get(at)?.1)))
        else {
            return;
        };
        if !args.emit {
            return;
        }
        let function = function.clone();
        let mut list = Vec::new();
        for (name, value) in args.list.iter().skip(at + 1) {
            match (name.as_deref(), value) {
                (None | Some(b"args"), Val::List(values)) => {
                    list.extend(values.iter().map(|value| (None, value.clone())));
                }
                // `setTimeout(exec, 0, "x")`, `call(null, "x")`
                (None, Val::Symbol(word)) if matches!(word.as_slice(), b"null" | b"this") => {}
                (None, Val::Text(text)) if is_number(text.bytes().as_deref()) => {}
                (None | Some(b"args"), value) => list.push((None, value.clone())),
                _ => {}
            }
        }
        if list.is_empty() {
            return;
        }
        let args = Args {
            list,
            span: args.span,
            emit: true,
        };
        self.dispatch(&function, &args);
    }
}

fn is_number(text: Option<&[u8]>) -> bool {
    text.is_some_and(|text| !text.is_empty() && text.iter().all(u8::is_ascii_digit))
}
