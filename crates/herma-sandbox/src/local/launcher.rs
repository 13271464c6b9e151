//! The launcher: outside, and everything that the caller sees of a run.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::pipe::PipeFlags;
use rustix::process::{Pid, Resource, Rlimit, Signal, WaitOptions};
use rustix::termios::{LocalModes, OptionalActions, Termios, Winsize};

use super::channel::{self, Message};
use super::command::Command;
use super::streams::{Input, Output, Target};
use super::supervisor::{self, Supervisor};
use super::{Ending, Outcome, Request, Rung};
use crate::Error;
use crate::guard::{Judge, Stopped};
use crate::output::{Bucket, Cap};
use crate::sys::clone::{self, Namespaces, Side};
use crate::sys::filter::{self, Sockets};
use crate::sys::signals::{self, Mask};

/// Signals that mean the command.
const SIGNALS: &[i32] = &[
    libc::SIGINT,
    libc::SIGQUIT,
    libc::SIGTERM,
    libc::SIGHUP,
    libc::SIGUSR1,
    libc::SIGUSR2,
    libc::SIGTSTP,
    libc::SIGCONT,
    libc::SIGWINCH,
];

/// What a judge may need of the stack, in bytes: the analyser's own bound, and some.
const STACK: u64 = 80 << 20;

/// How often the supervisor is asked whether it is there.
const INTERVAL: Duration = Duration::from_secs(5);

/// How long it may take to answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// Most stopped programs that are told of.
const MAX_STOPPED: usize = 100;

/// How long a program may take to end by itself when its time is up.
const GRACE: Duration = Duration::from_secs(1);

/// Runs a command in a sandbox of its own, until it ends. This process has one thread.
///
/// # Errors
/// [`Error`], when the sandbox cannot be made; the command has not run then.
pub fn run<'j>(
    request: Request<'_>,
    judge: Option<&'j mut (dyn Judge + 'j)>,
) -> Result<Outcome, Error> {
    let (sockets, namespaces) = match request.rung {
        Rung::Namespaces => (Sockets::Own, Namespaces::All),
        Rung::Confined { .. } => (Sockets::Refused, Namespaces::None),
    };
    let mut wanted = request.plan.filter;
    // Without namespaces of one's own, a socket of the machine's is a way out.
    wanted.unix_sockets &= sockets == Sockets::Own;
    wanted.nested &= sockets == Sockets::Own;
    let filters =
        filter::compile(wanted, sockets).map_err(|why| Error::system("compile the filter", why))?;
    let mask = signals::block(SIGNALS).map_err(|why| Error::system("block signals", why))?;
    let unblock = Unblock(mask);
    // The judge works in the supervisor, in the thread that this is.
    let stack = rustix::process::getrlimit(Resource::Stack);
    if judge.is_some() {
        let current = stack.maximum.map_or(STACK, |most| most.min(STACK));
        let current = stack.current.map(|it| it.max(current));
        let _ = rustix::process::setrlimit(Resource::Stack, Rlimit { current, ..stack });
    }
    let result = within(&request, judge, namespaces, &filters, (&unblock.0, stack));
    let _ = rustix::process::setrlimit(Resource::Stack, stack);
    drop(unblock);
    result
}

/// Unblocks signals again.
struct Unblock(Mask);

impl Drop for Unblock {
    fn drop(&mut self) {
        let _ = signals::restore(&self.0);
    }
}

fn within<'j>(
    request: &Request<'_>,
    judge: Option<&'j mut (dyn Judge + 'j)>,
    namespaces: Namespaces,
    filters: &filter::Filters,
    (mask, stack): (&Mask, Rlimit),
) -> Result<Outcome, Error> {
    let begun = Instant::now();
    let of = |step| move |why: Errno| Error::system(step, why);
    let arrived =
        signals::descriptor(SIGNALS).map_err(|why| Error::system("watch signals", why))?;
    let screen = Screen::of(request);
    let (mine, theirs) = channel::pair().map_err(of("make a channel"))?;
    rustix::io::ioctl_fionbio(&mine, true).map_err(of("make a channel"))?;
    let mut ours: [Option<OwnedFd>; 3] = [None, None, None];
    let mut inside: [Option<OwnedFd>; 3] = [None, None, None];
    for (number, (our, their)) in ours.iter_mut().zip(&mut inside).enumerate() {
        if screen.has(number) {
            continue;
        }
        let (read, write) =
            rustix::pipe::pipe_with(PipeFlags::CLOEXEC).map_err(of("make a pipe"))?;
        let (mine, other) = if number == 0 {
            (write, read)
        } else {
            (read, write)
        };
        (*our, *their) = (Some(mine), Some(other));
    }
    let user = supervisor::user();
    let side = clone::fork(namespaces).map_err(|why| Error::system("make namespaces", why))?;
    let (pid, process) = match side {
        Side::Child => supervisor::run(Supervisor {
            judge,
            announce: request.announce,
            command: Command {
                arguments: request.command,
                plan: request.plan,
                rung: &request.rung,
                filters,
                mask,
                stack,
            },
            channel: theirs,
            pipes: inside,
            terminal: screen.inner(),
            user,
        }),
        Side::Parent(pid, process) => (pid, process),
    };
    drop((theirs, inside));
    let [input, output, error] = ours;
    let mut run = Run {
        told: request.told,
        begun,
        deadline: request.timeout.map(|it| begun + it),
        channel: Some(mine),
        arrived,
        pid,
        process: Some(process),
        screen,
        input: input.map(|to| Input::new(readable(rustix::stdio::stdin()), to, None)),
        outputs: Vec::new(),
        bucket: Bucket::new(Duration::ZERO),
        slowed: false,
        command: None,
        heard: begun,
        asked: false,
        ending: None,
        started: None,
        stopped: Vec::new(),
        failed: None,
        expired: false,
    };
    for (number, from) in [(1, output), (2, error)] {
        if let Some(from) = from {
            run.outputs.push(Output::new(from, target(request, number)));
        }
    }
    let result = run.wait();
    run.end();
    result?;
    run.outcome()
}

fn target(request: &Request<'_>, number: usize) -> Target {
    match request.output {
        super::Output::Keep(most) => Target::Kept(Vec::new(), Cap::new(most)),
        super::Output::Pass if number == 1 => Target::Stream(rustix::stdio::stdout()),
        super::Output::Pass => Target::Stream(rustix::stdio::stderr()),
    }
}

/// A stream of the caller's, unless it is closed.
fn readable(stream: BorrowedFd<'static>) -> Option<BorrowedFd<'static>> {
    rustix::io::fcntl_getfd(stream).ok().map(|_| stream)
}

/// The caller's terminal.
struct Screen {
    /// Which streams are it.
    streams: [bool; 3],
    before: Option<Termios>,
    raw: bool,
}

impl Screen {
    fn of(request: &Request<'_>) -> Self {
        let all = [
            rustix::stdio::stdin(),
            rustix::stdio::stdout(),
            rustix::stdio::stderr(),
        ];
        let mut streams = all.map(rustix::termios::isatty);
        if request.output != super::Output::Pass {
            streams = [false; 3];
        }
        let any = all.iter().zip(streams).find(|(_, is)| *is);
        Self {
            streams,
            before: any.and_then(|(it, _)| rustix::termios::tcgetattr(it).ok()),
            raw: false,
        }
    }

    fn has(&self, number: usize) -> bool {
        self.streams.get(number) == Some(&true)
    }

    fn any(&self) -> Option<BorrowedFd<'static>> {
        match self.streams {
            [true, ..] => Some(rustix::stdio::stdin()),
            [_, true, _] => Some(rustix::stdio::stdout()),
            [_, _, true] => Some(rustix::stdio::stderr()),
            _ => None,
        }
    }

    fn size(&self) -> Option<Winsize> {
        rustix::termios::tcgetwinsize(self.any()?).ok()
    }

    /// Whether a person types into the command and sees what it writes.
    fn is_whole(&self) -> bool {
        self.has(0) && self.has(1)
    }

    /// How the terminal inside behaves at first.
    fn inner(&self) -> Option<(Termios, Winsize)> {
        let mut behaviour = self.before.clone()?;
        if !self.is_whole() {
            // The caller's terminal shows what is typed.
            behaviour.local_modes.remove(LocalModes::ECHO);
        }
        Some((behaviour, self.size()?))
    }

    /// Whether this process may use the terminal.
    fn is_ours(&self) -> bool {
        self.any()
            .and_then(|it| rustix::termios::tcgetpgrp(it).ok())
            .is_some_and(|group| group == rustix::process::getpgrp())
    }

    /// Hands every key on.
    fn open(&mut self) {
        if !self.is_whole() || self.raw || !self.is_ours() {
            return;
        }
        if let (Some(terminal), Some(before)) = (self.any(), &self.before) {
            let mut raw = before.clone();
            raw.make_raw();
            self.raw = rustix::termios::tcsetattr(terminal, OptionalActions::Now, &raw).is_ok();
        }
    }

    /// Gives the terminal back as it was.
    fn close(&mut self) {
        if let (true, Some(terminal), Some(before)) = (self.raw, self.any(), &self.before) {
            let _ = rustix::termios::tcsetattr(terminal, OptionalActions::Drain, before);
        }
        self.raw = false;
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.close();
    }
}

/// A run that is under way.
struct Run<'r> {
    told: &'r dyn Fn(&Stopped),
    begun: Instant,
    deadline: Option<Instant>,
    channel: Option<OwnedFd>,
    arrived: OwnedFd,
    pid: Pid,
    /// The supervisor, as long as it lives.
    process: Option<OwnedFd>,
    screen: Screen,
    input: Option<Input>,
    outputs: Vec<Output>,
    bucket: Bucket,
    slowed: bool,
    /// The command's number outside, once it is confined and as long as it runs.
    command: Option<Pid>,
    /// When the supervisor was asked, or answered last.
    heard: Instant,
    asked: bool,
    ending: Option<Ending>,
    started: Option<u64>,
    stopped: Vec<Stopped>,
    failed: Option<Error>,
    expired: bool,
}

/// What became ready.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ready {
    Signals,
    Channel,
    Process,
    Input,
    Output(usize),
}

impl Run<'_> {
    fn wait(&mut self) -> Result<(), Error> {
        while self.process.is_some() || self.outputs.iter().any(|it| !it.is_done()) {
            let now = self.begun.elapsed();
            for what in self.ready(now)? {
                let now = self.begun.elapsed();
                match what {
                    Ready::Signals => {
                        while let Some(signal) = signals::next(self.arrived.as_fd()) {
                            self.signal(signal);
                        }
                    }
                    Ready::Channel => self.listen(),
                    Ready::Process => self.reap(),
                    Ready::Input => {
                        if let Some(input) = &mut self.input {
                            input.go();
                        }
                    }
                    Ready::Output(index) => {
                        if let Some(output) = self.outputs.get_mut(index) {
                            output.go(&mut self.bucket, now);
                        }
                    }
                }
            }
            self.watch_the_time();
            self.watch_the_supervisor();
        }
        Ok(())
    }

    /// Waits until something can be done.
    fn ready(&mut self, now: Duration) -> Result<Vec<Ready>, Error> {
        let pause = self.bucket.wait(now);
        let open = pause.is_zero();
        self.slowed |= !open;
        let (mut whats, mut fds) = (Vec::new(), Vec::new());
        // First: what a signal means depends on whether the command runs.
        if let Some(channel) = &self.channel {
            whats.push(Ready::Channel);
            fds.push(PollFd::new(channel, PollFlags::IN));
        }
        whats.push(Ready::Signals);
        fds.push(PollFd::new(&self.arrived, PollFlags::IN));
        if let Some(process) = &self.process {
            whats.push(Ready::Process);
            fds.push(PollFd::new(process, PollFlags::IN));
        }
        if let Some(fd) = self.input.as_ref().and_then(Input::wants) {
            whats.push(Ready::Input);
            fds.push(fd);
        }
        for (index, output) in self.outputs.iter().enumerate() {
            if let Some(fd) = output.wants(open) {
                whats.push(Ready::Output(index));
                fds.push(fd);
            }
        }
        let mut rest = self
            .deadline
            .map(|it| it.saturating_duration_since(Instant::now()));
        if self.command.is_some() {
            let next = self.next_look().saturating_duration_since(Instant::now());
            rest = Some(rest.map_or(next, |rest| rest.min(next)));
        }
        if !open {
            rest = Some(rest.map_or(pause, |rest| rest.min(pause)));
        }
        let rest = rest.and_then(|it| rustix::time::Timespec::try_from(it).ok());
        match poll(&mut fds, rest.as_ref()) {
            Ok(_) => {}
            Err(Errno::INTR) => return Ok(Vec::new()),
            Err(why) => return Err(Error::system("wait", why)),
        }
        let ready = whats.into_iter().zip(&fds);
        Ok(ready
            .filter(|(_, fd)| !fd.revents().is_empty())
            .map(|(what, _)| what)
            .collect())
    }

    /// Takes in everything that has been said.
    fn listen(&mut self) {
        while let Some(channel) = &self.channel {
            let message = channel::receive(channel.as_fd());
            if message.as_ref().err() == Some(&Errno::AGAIN) {
                return;
            }
            self.hear(message);
        }
    }

    fn hear(&mut self, message: Result<Option<Message>, Errno>) {
        match message {
            Ok(Some(Message::Terminal(terminal))) => self.attach(terminal),
            Ok(Some(Message::Ready(pid))) => {
                self.command = Some(pid);
                self.screen.open();
            }
            Ok(Some(Message::NotRun(errno))) => {
                self.ending.get_or_insert(Ending::NotRun(errno));
            }
            Ok(Some(Message::Failed(failure))) => {
                self.failed.get_or_insert(failure.into());
            }
            Ok(Some(Message::Alive)) => {
                self.heard = Instant::now();
                self.asked = false;
            }
            Ok(Some(Message::Stopped(stopped))) => {
                (self.told)(&stopped);
                if self.stopped.len() < MAX_STOPPED {
                    self.stopped.push(stopped);
                }
            }
            Ok(Some(Message::Ended(status, started))) => {
                self.command = None;
                self.started = started;
                self.ending.get_or_insert_with(|| ending(status));
            }
            Ok(None) | Err(_) => self.channel = None,
        }
    }

    /// Joins the caller's terminal with the one inside.
    fn attach(&mut self, terminal: OwnedFd) {
        let copy = || terminal.try_clone().ok();
        if self.screen.has(0)
            && self.screen.is_ours()
            && let Some(to) = copy()
        {
            // A terminal is not closed: a key says that there is no more.
            const END: u8 = 4;
            self.input = Some(Input::new(Some(rustix::stdio::stdin()), to, Some(END)));
        }
        let to = if self.screen.has(1) || !self.screen.has(2) {
            rustix::stdio::stdout()
        } else {
            rustix::stdio::stderr()
        };
        self.outputs.push(Output::new(terminal, Target::Stream(to)));
    }

    fn reap(&mut self) {
        // What it has said before its end counts.
        self.listen();
        let _ = rustix::process::waitpid(Some(self.pid), WaitOptions::empty());
        self.process = None;
        self.input = None;
        self.deadline = None;
    }

    fn signal(&mut self, signal: i32) {
        match signal {
            libc::SIGWINCH => self.resize(),
            libc::SIGTSTP => self.pause(),
            libc::SIGCONT => {}
            _ => match self.command {
                // Keys of a terminal mean everything in front of it.
                Some(_) if matches!(signal, libc::SIGINT | libc::SIGQUIT) => self.all(signal),
                Some(pid) => {
                    if let Some(signal) = Signal::from_named_raw(signal) {
                        let _ = rustix::process::kill_process(pid, signal);
                    }
                }
                None => {
                    self.ending.get_or_insert(Ending::Signalled(signal));
                    self.kill();
                    // What is still to be printed is not wanted any more.
                    if self.process.is_none() {
                        self.outputs.clear();
                    }
                }
            },
        }
    }

    /// A signal for the command and what runs in front with it.
    fn all(&self, signal: i32) {
        if let (Some(pid), Some(signal)) = (self.command, Signal::from_named_raw(signal)) {
            let _ = rustix::process::kill_process_group(pid, signal);
        }
    }

    /// Stops with everything inside until somebody goes on with us.
    fn pause(&mut self) {
        self.all(libc::SIGSTOP);
        self.screen.close();
        let _ = rustix::process::kill_process(rustix::process::getpid(), Signal::STOP);
        self.all(libc::SIGCONT);
        self.heard = Instant::now();
        if self.command.is_some() {
            self.screen.open();
        }
        self.resize();
    }

    fn resize(&self) {
        let Some(size) = self.screen.size() else {
            return;
        };
        for output in &self.outputs {
            if let Some(terminal) = output.from() {
                let _ = rustix::termios::tcsetwinsize(terminal, size);
            }
        }
    }

    fn watch_the_time(&mut self) {
        if self.deadline.is_none_or(|it| it > Instant::now()) {
            return;
        }
        if self.expired || self.command.is_none() {
            self.kill();
            self.deadline = None;
        } else {
            self.all(libc::SIGTERM);
            self.deadline = Some(Instant::now() + GRACE);
        }
        self.expired = true;
    }

    /// When the supervisor is asked next, or has been silent for too long.
    fn next_look(&self) -> Instant {
        self.heard + if self.asked { PATIENCE } else { INTERVAL }
    }

    /// A supervisor that does not answer holds every program that starts, and watches nothing.
    fn watch_the_supervisor(&mut self) {
        if self.command.is_none() || self.next_look() > Instant::now() {
            return;
        }
        if self.asked {
            self.failed.get_or_insert(Error::Silent);
            self.kill();
            self.command = None;
        } else if let Some(channel) = &self.channel {
            let _ = channel::send(channel.as_fd(), &Message::Alive);
            self.heard = Instant::now();
            self.asked = true;
        }
    }

    /// Ends everything inside at once.
    fn kill(&self) {
        if let Some(process) = &self.process {
            let _ = rustix::process::pidfd_send_signal(process, Signal::KILL);
        }
    }

    /// Makes sure that nothing is left, whatever happened.
    fn end(&mut self) {
        if self.process.is_some() {
            self.kill();
            self.reap();
        }
        self.screen.close();
    }

    fn outcome(self) -> Result<Outcome, Error> {
        if let Some(failed) = self.failed {
            return Err(failed);
        }
        let ending = match (self.expired, self.ending) {
            (true, _) => Ending::TimedOut,
            (false, Some(ending)) => ending,
            (false, None) => return Err(Error::Killed),
        };
        let took = self.begun.elapsed();
        let mut kept = self.outputs.into_iter().map(Output::kept);
        let (stdout, first) = kept.next().unwrap_or_default();
        let (stderr, second) = kept.next().unwrap_or_default();
        Ok(Outcome {
            ending,
            took,
            stdout,
            stderr,
            dropped: first + second,
            started: self.started,
            stopped: self.stopped,
            slowed: self.slowed,
        })
    }
}

/// What `wait` says, in words.
fn ending(status: i32) -> Ending {
    if libc::WIFSIGNALED(status) {
        Ending::Signalled(libc::WTERMSIG(status))
    } else {
        Ending::Exited(u8::try_from(libc::WEXITSTATUS(status)).unwrap_or(u8::MAX))
    }
}
