//! Code that a command line gives to an interpreter: lexers that know strings, comments and calls.

mod arguments;
mod awk;
mod bombs;
mod chain;
mod combine;
mod compiled;
mod effects;
mod expression;
mod functions;
mod given;
mod javascript;
mod lexer;
mod library;
mod loads;
mod lua;
mod members;
mod perl;
mod php;
mod printed;
mod python;
mod quoting;
mod report;
mod requests;
mod ruby;
mod scan;
mod starters;
mod strings;
mod text;
mod text_values;
mod tokens;
mod val;

pub(crate) use given::Arguments;
pub(crate) use loads::loads;
pub(crate) use printed::printed;

use crate::execution::Arg;
use crate::source::Span;
use crate::value::Value;

/// A language with a lexer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Language {
    /// Python.
    Python,
    /// JavaScript and TypeScript (`node`, `bun`, `deno`).
    JavaScript,
    /// Perl.
    Perl,
    /// Ruby.
    Ruby,
    /// PHP.
    Php,
    /// awk.
    Awk,
    /// Lua.
    Lua,
    /// C and C++.
    C,
    /// Go.
    Go,
    /// Rust.
    Rust,
    /// Java.
    Java,
}

impl Language {
    /// Whether its sources are compiled into programs.
    pub(crate) fn is_compiled(self) -> bool {
        compiled::is_compiled(self)
    }
}

/// Something that the code does.
pub(crate) enum Action {
    /// Runs shell text (`os.system`).
    Shell {
        /// The text.
        text: Value,
        /// Where it was written.
        span: Span,
    },
    /// Starts a program (`subprocess.run([...])`).
    Program(Vec<Arg>),
    /// A library call, as the argv with the same effect (`shutil.rmtree("/x")` as `rm -r -- /x`),
    /// with the call's own name for people.
    Call {
        /// The name as written.
        name: String,
        /// The equivalent argv.
        argv: Vec<Arg>,
    },
    /// Starts processes in a loop without end.
    ForkBomb {
        /// Where the loop was written.
        span: Span,
    },
    /// Changes the working directory of what follows.
    Directory {
        /// The directory; `None` for the one before.
        path: Option<Value>,
    },
    /// Runs code in the same language (`exec`, `eval`).
    Code {
        /// The code.
        text: Value,
        /// Where it was written.
        span: Span,
    },
}

/// What the code does, as far as its calls say. `text` may hold unknown pieces: they are unknown
/// values wherever they land. Actions come in the order of the code.
/// `program` and `arguments` are what the code sees of its interpreter and its command line.
pub(crate) fn actions(
    language: Language,
    text: &Value,
    span: Span,
    program: &[u8],
    arguments: Option<&Arguments>,
) -> Vec<Action> {
    let code = text::Code::new(text, span);
    let (tokens, overflow) = lexer::lex(&code, language);
    let mut scanner = scan::Scanner::new(&code, language);
    scanner.give(program, arguments);
    if language == Language::Awk {
        awk::walk(&mut scanner, &tokens);
    } else {
        scanner.index(&tokens);
        scanner.walk(&tokens);
        for (from, to) in scanner.fork_bombs(&tokens) {
            let span = code.span(from, to);
            scanner.actions.push(Action::ForkBomb { span });
        }
    }
    let actions = scanner.finish(overflow);
    if compiled::is_compiled(language) {
        return compiled::said(actions);
    }
    actions
}

#[cfg(test)]
mod tests;
