//! Frames of the stack, and what they hand to each other.

use super::Outcome;
use super::arithmetic::{ArithmeticCommand, ArithmeticFor, ArithmeticSub};
use super::array::{ArrayFrame, AssignmentFrame};
use super::clause::{CaseFrame, ForFrame, IfFrame, WhileFrame};
use super::command::{CoprocessFrame, EnclosedFrame, SubFrame, Trailer};
use super::function::FunctionFrame;
use super::input::Input;
use super::list::{End, ListFrame};
use super::parameter::ParameterFrame;
use super::parts::{ExtendedGlobFrame, Parts};
use super::redirect::RedirectFrame;
use super::short::RepeatFrame;
use super::simple::SimpleFrame;
use super::test_command::TestFrame;
use crate::syntax::{Assignment, Command, Element, List, Part, Redirect, Word};

/// What a finished frame hands to the one below.
#[derive(Debug)]
pub(super) enum Product {
    /// A list and the token that ended it.
    List(List, End),
    /// A command, and whether a reserved word may follow it without a separator.
    Command(Command, bool),
    /// A word and the byte that ended it, where that tells something.
    Word(Word, u8),
    Part(Part),
    Redirect(Redirect),
    Assignment(Assignment),
    Elements(Vec<Element>),
}

/// What a frame does next.
#[derive(Debug)]
pub(super) enum Step {
    Stay,
    Push(Frame),
    /// The frame turns out to be another construct.
    Become(Frame),
    Pop(Product),
}

macro_rules! frames {
    ($($variant:ident($kind:ty)),* $(,)?) => {
        #[derive(Debug)]
        pub(super) enum Frame {
            $($variant($kind)),*
        }

        impl Frame {
            /// Reads on.
            pub(super) fn step(&mut self, input: &mut Input) -> Outcome {
                match self { $(Self::$variant(frame) => frame.step(input)),* }
            }

            /// Takes what a frame above handed down. Never checks: the next step does.
            pub(super) fn receive(&mut self, product: Product, input: &Input) {
                match self { $(Self::$variant(frame) => frame.receive(product, input)),* }
            }

            /// Gives what was understood so far.
            pub(super) fn abandon(&mut self, input: &Input) -> Option<Product> {
                match self { $(Self::$variant(frame) => frame.abandon(input)),* }
            }
        }
    };
}

frames! {
    List(ListFrame),
    Simple(SimpleFrame),
    Enclosed(EnclosedFrame),
    If(IfFrame),
    While(WhileFrame),
    For(ForFrame),
    Case(CaseFrame),
    Test(TestFrame),
    Function(FunctionFrame),
    Coprocess(CoprocessFrame),
    Repeat(RepeatFrame),
    Trailer(Trailer),
    ArithmeticCommand(ArithmeticCommand),
    ArithmeticFor(ArithmeticFor),
    ArithmeticSub(ArithmeticSub),
    Sub(SubFrame),
    Redirect(RedirectFrame),
    Assignment(AssignmentFrame),
    Array(ArrayFrame),
    Parts(Parts),
    Parameter(ParameterFrame),
    ExtendedGlob(ExtendedGlobFrame),
}

impl Frame {
    /// Counts towards the depth.
    pub(super) fn nests(&self) -> bool {
        !matches!(
            self,
            Self::List(_)
                | Self::Simple(_)
                | Self::Trailer(_)
                | Self::Redirect(_)
                | Self::Assignment(_)
                | Self::Array(_)
                | Self::Parts(_)
        )
    }

    pub(super) fn has_other_reading(&self) -> bool {
        match self {
            Self::ArithmeticCommand(_) => true,
            Self::ExtendedGlob(frame) => frame.has_other_reading(),
            Self::ArithmeticSub(frame) => frame.has_other_reading(),
            _ => false,
        }
    }

    /// The construct under its other reading, with the input back at its beginning. A pattern list
    /// is then plain text of the word around it.
    pub(super) fn other_reading(self, input: &mut Input) -> Option<Self> {
        match self {
            Self::ArithmeticCommand(frame) => Some(frame.other_reading(input)),
            Self::ArithmeticSub(frame) => frame.other_reading(input),
            Self::ExtendedGlob(frame) => {
                frame.refuse(input);
                None
            }
            _ => None,
        }
    }
}
