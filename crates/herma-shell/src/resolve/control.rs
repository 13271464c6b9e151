//! Which commands run, in which order and how often: lists, pipelines, conditions and loops
//! (`compound`), loops whose end is certain (`certain`), one command with its redirections
//! (`command`), values that run as text (`text`), each combination of values (`readings`), what
//! runs at a time that is not known (`deferred`), and what runs beside the shell (`processes`).

pub(super) mod certain;
pub(super) mod command;
pub(super) mod compound;
pub(super) mod deferred;
mod each;
pub(super) mod processes;
pub(super) mod readings;
mod text;
