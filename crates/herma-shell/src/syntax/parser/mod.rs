//! The stack machine: frames on an explicit stack, input with a position, no recursion.
//!
//! A frame reads until it needs something inside it (a word, a list, a substitution), which becomes
//! a frame of its own, or until it is complete, which hands a product to the frame below. Backtick
//! and here-document bodies become jobs of their own; [`graft`] puts their trees in place.

mod arithmetic;
mod array;
mod clause;
mod command;
mod frame;
mod function;
mod graft;
mod heredoc;
mod input;
mod list;
mod parameter;
mod parts;
mod quote;
mod redirect;
mod short;
mod simple;
mod test_command;

use super::List;
use crate::execution::{Uncertain, Why};
use crate::source::{Source, Span};
use frame::{Frame, Product, Step};
use input::{Buffer, Filled, Input, Job};
use list::{Ends, ListFrame};
use parts::{Mode, Parts};

/// Which shell's grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// bash (5.2, and what 5.3 adds).
    Bash,
    /// POSIX `sh`, dash.
    Posix,
    /// zsh.
    Zsh,
    /// Windows PowerShell and PowerShell 7.
    PowerShell,
    /// cmd.exe.
    Cmd,
}

impl Dialect {
    /// Whether it is a shell of Windows, with a grammar of its own and names without case.
    #[must_use]
    pub const fn is_windows(self) -> bool {
        matches!(self, Self::PowerShell | Self::Cmd)
    }
}

/// A parsed text. With errors, the list holds what was understood before and, where the shell
/// would go on with the next line, behind them.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The commands.
    pub list: List,
    /// Places that were not understood, in order.
    pub errors: Vec<Uncertain>,
    /// Places that the shell reads and this tree does not say (`--%`, classes), in order.
    pub unread: Vec<Span>,
    /// Some of it is a pattern only where `shopt -s extglob` is on; elsewhere bash refuses the text.
    pub extended: bool,
}

/// Why a frame cannot go on, and the bytes of the current buffer that show it.
#[derive(Clone, Copy, Debug)]
struct Fault {
    why: Why,
    start: usize,
    end: usize,
}

type Outcome<T = Step> = Result<T, Fault>;

/// Parses shell text.
#[must_use]
pub fn parse(source: &Source, dialect: Dialect) -> Parsed {
    match dialect {
        Dialect::PowerShell => return crate::windows::powershell::parse(source),
        Dialect::Cmd => return crate::windows::cmd::parse(source),
        Dialect::Bash | Dialect::Posix | Dialect::Zsh => {}
    }
    let mut input = Input::new(Buffer::root(source), dialect);
    let mut list = match run(&mut input, Frame::List(ListFrame::new(Ends::Eof, true)), 0) {
        Some(Product::List(list, _)) => list,
        _ => List::default(),
    };
    while let Some(job) = input.next_job() {
        let Job {
            slot,
            buffer,
            depth,
            heredoc,
        } = job;
        input.open(buffer);
        let root = if heredoc {
            Frame::Parts(Parts::new(Mode::HereDoc, 0))
        } else {
            Frame::List(ListFrame::new(Ends::Eof, true))
        };
        let filled = match run(&mut input, root, depth) {
            Some(Product::List(list, _)) => Filled::List(list),
            Some(Product::Word(word, _)) => Filled::Word(word),
            _ => Filled::Empty,
        };
        input.fill(slot, filled);
    }
    let slots = input.take_slots();
    if !slots.is_empty() {
        graft::graft(&mut list, slots);
    }
    let mut errors = input.take_errors();
    errors.sort_by_key(|error| error.span);
    Parsed {
        list,
        errors,
        unread: Vec::new(),
        extended: input.extended,
    }
}

/// Runs one job from its root frame to the end of the buffer.
fn run(input: &mut Input, root: Frame, depth: usize) -> Option<Product> {
    let mut stack = vec![root];
    input.set_depth(depth);
    loop {
        let step = match stack.last_mut() {
            Some(top) => top.step(input),
            None => return None,
        };
        let fault = match step {
            Ok(Step::Stay) => input.burn(1),
            Ok(Step::Push(frame)) => {
                if frame.nests() {
                    input.deepen();
                }
                stack.push(frame);
                input.check_depth().and_then(|()| input.burn(1))
            }
            Ok(Step::Become(frame)) => {
                if let Some(old) = stack.pop() {
                    if old.nests() && !frame.nests() {
                        input.rise();
                    } else if !old.nests() && frame.nests() {
                        input.deepen();
                    }
                }
                stack.push(frame);
                input.check_depth().and_then(|()| input.burn(1))
            }
            Ok(Step::Pop(product)) => {
                if stack.pop().is_some_and(|frame| frame.nests()) {
                    input.rise();
                }
                match stack.last_mut() {
                    Some(parent) => parent.receive(product, input),
                    None => {
                        input.report_skipped_bodies();
                        return Some(product);
                    }
                }
                Ok(())
            }
            Err(fault) => Err(fault),
        };
        let Err(fault) = fault else { continue };
        if matches!(fault.why, Why::Syntax | Why::UnexpectedEnd)
            && retry(input, &mut stack, fault.why)
        {
            continue;
        }
        let span = input.span(fault.start, fault.end);
        input.report(Uncertain {
            why: fault.why,
            span,
        });
        unwind(input, &mut stack, depth);
        let resumes = matches!(stack.last(), Some(Frame::List(_)));
        if !resumes || fault.why == Why::Fuel || !input.skip_line() {
            return stack.pop().and_then(|mut frame| frame.abandon(input));
        }
    }
}

/// Takes the other reading of the innermost construct that has one.
fn retry(input: &mut Input, stack: &mut Vec<Frame>, why: Why) -> bool {
    let Some(index) = stack.iter().rposition(Frame::has_other_reading) else {
        return false;
    };
    stack.truncate(index + 1);
    let Some(frame) = stack.pop() else {
        return false;
    };
    let frame = frame.other_reading(input);
    if why == Why::UnexpectedEnd {
        input.note_unclosed();
    }
    if let Some(frame) = frame {
        if frame.nests() {
            input.deepen();
        }
        stack.push(frame);
    }
    true
}

/// Closes every open frame above the root with what it holds.
fn unwind(input: &mut Input, stack: &mut Vec<Frame>, depth: usize) {
    while stack.len() > 1 {
        let product = stack.pop().and_then(|mut frame| frame.abandon(input));
        if let (Some(product), Some(parent)) = (product, stack.last_mut()) {
            parent.receive(product, input);
        }
    }
    if let Some(Frame::List(list)) = stack.last_mut() {
        list.restart();
    }
    input.forget_pending();
    input.set_depth(depth);
}
