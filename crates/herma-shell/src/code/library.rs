//! Library functions by their names: each language has tables that say what its functions mean.

use super::effects;
use super::scan::Scanner;
use super::text_values::{self, fetched};
use super::val::{Args, Val};
use crate::value::{Origin, Piece, Value};

/// A call of a library function.
pub(super) struct Call<'a> {
    /// The function's name, for people.
    pub(super) name: &'a [u8],
    /// The argument that most functions are about.
    pub(super) first: Option<&'a Val>,
    pub(super) args: &'a Args,
}

impl<'a> Call<'a> {
    pub(super) fn new(name: &'a [u8], args: &'a Args) -> Self {
        Self {
            name,
            first: args.get(0, &[]),
            args,
        }
    }

    /// The first argument, or a value that cannot be known.
    pub(super) fn argument(&self) -> Val {
        self.first.cloned().unwrap_or_else(Val::other)
    }
}

/// A function of its own; `None` when the call is not one that matters.
type Own = fn(&mut Scanner<'_>, &Call<'_>) -> Option<Val>;

/// What a library function does or gives.
#[derive(Clone, Copy)]
pub(super) enum Meaning {
    /// Runs the first argument as shell text.
    Shell,
    /// Starts the first argument: argv when it is a list, else shell text.
    Start,
    /// Runs the first argument as code of the same language.
    Code,
    /// Changes the working directory to the first argument.
    Directory,
    /// This command on the path (or each of the paths) of the first argument.
    OnPath(&'static [&'static str]),
    /// This command from the path of the first argument to that of the second.
    Pair(&'static [&'static str]),
    /// Reads the file of the first argument.
    Read,
    /// Opens the file of the first argument as the second says.
    Open,
    /// Path, then mode.
    Chmod,
    /// Path, then user.
    Chown,
    /// Process, then signal.
    Kill,
    /// Process group, then signal.
    KillGroup,
    /// Standard input becomes something else.
    RedirectsInput,
    /// Asks the address of the first argument, sends the others, and gives what comes back.
    Request,
    /// The same with the address behind the method.
    RequestOf,
    /// Gives what comes from the network.
    Fetched,
    /// Gives the first argument.
    Argument,
    /// Gives the arguments joined to a path.
    JoinedPath,
    /// Gives the path with `~` replaced.
    HomeExpanded,
    /// Gives the environment variable that the first argument names.
    Variable,
    /// Gives the working directory.
    WorkingDirectory,
    /// Gives the home directory.
    Home,
    /// Gives a new path for temporary files.
    Temporary,
    /// Gives the directory that fresh paths are made in.
    TemporaryDirectory,
    /// Gives names of files, any number of them.
    Names,
    /// Gives the names of files that match.
    Glob,
    /// Gives what base64 text holds.
    Base64,
    /// Gives what hexadecimal text holds.
    Hexadecimal,
    /// Gives the character with a number.
    Character,
    /// Gives the words of shell text.
    Words,
    /// Something of its own.
    Own(Own),
}

/// Names with what they mean.
pub(super) type Table = [(&'static [&'static str], Meaning)];

/// What a name means; `None` when the table does not know it.
pub(super) fn meaning(table: &Table, name: &[u8]) -> Option<Meaning> {
    let named = |names: &[&str]| names.iter().any(|own| own.as_bytes() == name);
    let (_, meaning) = table.iter().find(|(names, _)| named(names))?;
    Some(*meaning)
}

impl Meaning {
    /// Reports what the call does, and says what it gives.
    pub(super) fn apply(self, scan: &mut Scanner<'_>, call: &Call<'_>) -> Option<Val> {
        let Call { name, first, args } = *call;
        Some(match self {
            Self::Shell => scan.shell(first, args),
            Self::Start => match first {
                Some(Val::List(words)) => scan.program(words, args),
                _ => scan.shell(first, args),
            },
            Self::Code => scan.run_code(first, args),
            Self::Directory => scan.change_directory(first, args),
            Self::OnPath(words) => effects::on_path(scan, name, words, first, args),
            Self::Pair(words) => effects::pair(scan, name, words, args),
            Self::Read => effects::open(scan, name, first, None, args),
            Self::Open => effects::open(scan, name, first, args.get(1, &["mode"]), args),
            Self::Chmod => effects::mode(scan, name, args),
            Self::Chown => effects::owner(scan, name, args),
            Self::Kill => effects::kill(scan, name, args, false),
            Self::KillGroup => effects::kill(scan, name, args, true),
            Self::RedirectsInput => {
                scan.redirects_input = true;
                Val::other()
            }
            Self::Request => {
                let url = args.get(0, &["url", "uri"]);
                scan.request(name, url, args)
            }
            Self::RequestOf => {
                let url = args.get(1, &["url"]);
                scan.request(name, url, args)
            }
            Self::Fetched => fetched(),
            Self::Argument => call.argument(),
            Self::JoinedPath => Val::Text(scan.joined_path(&args.positional())),
            Self::HomeExpanded => Val::Text(scan.home_expanded(first)),
            Self::Variable => scan.variable(first),
            Self::WorkingDirectory => Val::text(b"."),
            Self::Home => Val::Text(Value::unknown(Origin::Variable(b"HOME".to_vec()))),
            Self::Temporary => Val::Text(Value::temporary()),
            Self::TemporaryDirectory => Val::text(b"/tmp"),
            // What the root directory holds is all of it.
            Self::Names if first.is_some_and(|first| scan.value(first).is(b"/")) => {
                Val::Text(Value {
                    pieces: vec![Piece::Glob {
                        pattern: b"*".to_vec(),
                        at: None,
                    }],
                    decoded: false,
                })
            }
            Self::Names => Val::Text(Value::unknown_words(Origin::Names)),
            Self::Glob => scan.glob(first),
            Self::Base64 => text_values::base64(scan, first),
            Self::Hexadecimal => text_values::hexadecimal(scan, first),
            Self::Character => text_values::character(scan, first),
            Self::Words => text_values::words(scan, first),
            Self::Own(own) => return own(scan, call),
        })
    }
}
