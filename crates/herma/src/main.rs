//! The herma command line: prints and exit codes, nothing else.

#![forbid(unsafe_code)]

mod accounts;
mod allowance;
mod arguments;
mod commands;
mod configured;
mod exit;
mod input;
mod output;
mod place;
mod record;
mod rehearsal;
mod remedy;
mod rows;
mod sighting;
mod terms;
mod unjudged;
mod world;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use herma_config::Home;

use arguments::{Arguments, Audit, Blocked, Command, Config, Import, Paths, Rules, Sandbox, Shell};
use exit::Exit;

fn main() -> ExitCode {
    // The hook runs before every shell call of an agent: the parser of the command line is not
    // even built for it.
    if let Some(invocation) = commands::hook::Invocation::recognise(std::env::args_os().skip(1)) {
        return commands::hook::run(invocation);
    }
    if let Some(state) = commands::run::post::recognise(std::env::args_os().skip(1)) {
        return commands::run::post::serve(state);
    }
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return misused(&error),
    };
    // A sandbox is made by forking, which wants a process with one thread.
    let forks = matches!(
        arguments.command,
        Command::Run(_) | Command::Sandbox(_) | Command::Doctor { .. }
    );
    if forks {
        return ended(run(arguments));
    }
    // The analyser wants more stack than a main thread has.
    let worker = std::thread::Builder::new()
        .stack_size(herma_shell::STACK)
        .spawn(move || run(arguments));
    let result = match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(result)) => result,
        Ok(Err(_)) => Err(anyhow::anyhow!("internal error")),
        Err(error) => Err(anyhow::Error::new(error).context("cannot start a thread")),
    };
    ended(result)
}

/// The exit code, after the complaint.
fn ended(result: anyhow::Result<Exit>) -> ExitCode {
    match result {
        Ok(exit) => exit.into(),
        Err(error) => {
            // Whoever closed the pipe does not read the complaint either.
            if !is_closed_pipe(&error) {
                let _ = writeln!(anstream::stderr().lock(), "error: {error:#}");
            }
            Exit::Failure.into()
        }
    }
}

/// Says what is wrong with the words, or answers `--help` and `--version`.
fn misused(error: &clap::Error) -> ExitCode {
    let _ = error.print();
    let checks = std::env::args_os().any(|word| word == "check" || word == "parse");
    if error.kind() == clap::error::ErrorKind::UnknownArgument && checks {
        let _ = writeln!(
            anstream::stderr().lock(),
            "\nA command line is one word: put it in quotes, as in herma check 'ls -la'."
        );
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<std::io::Error>()
            .is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
    })
}

/// The state directory. A person means the directory that they are in. The hook does not get this
/// far: its directory is the repository's.
fn locate(home: Option<&std::path::Path>) -> anyhow::Result<Home> {
    let absolute = home.map(std::path::absolute).transpose()?;
    Ok(Home::locate(absolute.as_deref())?)
}

fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    let Arguments { home, command } = arguments;
    let located = || locate(home.as_deref());
    match command {
        Command::Check(check) => commands::check::run(&check, located()?),
        Command::Replay(replay) => commands::replay::run(&replay, &located()?),
        Command::Shell(Shell::Parse(parse)) => commands::shell::parse(&parse),
        Command::Path(Paths::Check(check)) => commands::path::check(&check, &located()?),
        Command::Rules(Rules::List { json }) => commands::rules::list(json),
        Command::Rules(Rules::Show { id, json }) => commands::rules::show(&located()?, &id, json),
        Command::Rules(Rules::Test { file }) => commands::rules::test::run(file.as_deref()),
        // Reached when the options stand in an order that is not recognised above.
        Command::Hook { host } => Ok(commands::hook::answer(host.host(), home)),
        Command::Import(Import::Hermes(import)) => commands::import::hermes(&import, &located()?),
        Command::Init(init) => commands::init::run(&init, &located()?),
        Command::Audit(Audit::Tail {
            lines,
            follow,
            json,
        }) => commands::audit::tail(&located()?, lines, follow, json),
        Command::Audit(Audit::Verify { json }) => commands::audit::verify(&located()?, json),
        Command::Blocked(Blocked::List { json }) => commands::blocked::list(&located()?, json),
        Command::Blocked(Blocked::Show { id, json }) => {
            commands::blocked::show(&located()?, &id, json)
        }
        Command::Blocked(Blocked::Report(report)) => {
            commands::blocked::report(&located()?, &report)
        }
        Command::Run(run) => Ok(commands::run::run(&run, located())),
        Command::Sandbox(Sandbox::Selftest(test)) => commands::sandbox::run(&test, &located()?),
        Command::Doctor { json } => commands::doctor::run(&located()?, json),
        Command::Config(Config::Show) => commands::config::show(&located()?),
        Command::Config(Config::Path) => commands::config::path(&located()?),
        Command::Config(Config::Check) => commands::config::check(&located()?),
        Command::Completions { shell } => commands::completions::run(shell),
    }
}
