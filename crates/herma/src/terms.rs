//! What the options of `herma check` say about every command line.

use herma_config::Home;
use herma_rules::{Mode, Request};

use crate::rows::Row;

/// The terms under which rows are judged.
pub(crate) struct Terms<'a> {
    pub(crate) home: Home,
    pub(crate) context: Option<&'a str>,
    pub(crate) mode: Option<Mode>,
    pub(crate) record: bool,
}

impl Terms<'_> {
    /// The request for a row.
    pub(crate) fn request<'r>(&'r self, row: &'r Row) -> Request<'r> {
        let mut request = Request::new(&row.text, &row.cwd);
        request.shell = row.dialect;
        request.context = self.context;
        request.mode = self.mode;
        request
    }
}
