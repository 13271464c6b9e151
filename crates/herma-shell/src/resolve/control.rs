//! Which commands run, in which order and how often: lists, pipelines, conditions and loops
//! (`compound`), one command with its redirections (`command`), each combination of values
//! (`readings`), and what runs at a time that is not known (`deferred`).

pub(super) mod command;
pub(super) mod compound;
pub(super) mod deferred;
pub(super) mod readings;
