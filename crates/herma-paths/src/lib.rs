//! Path safety: is this path inside the root it must stay in, is it a protected one, and opening
//! it without asking twice.
//!
//! A path is a byte string. It is walked in the kernel's order, links component by component, to a
//! canonical place; nothing is decoded, folded or collapsed. [`Root::locate`] finds the place,
//! [`Root::admit`] says whether an operation may happen there, and [`Checked::open`] opens that
//! very object below the root's descriptor: what changed in between is refused as
//! [`Refusal::Raced`]. [`Protected`] knows files that matter wherever a root lies.
//!
//! Paths of containers and other machines have no place in this file system: [`lexical`] compares
//! their names only.

#![forbid(unsafe_code)]

mod kernel;
pub mod lexical;
mod open;
mod protected;
mod refusal;
mod root;
mod secure;
mod text;
mod walk;

pub use kernel::Identity;
pub use open::Opened;
pub use protected::{Action, Class, Protected, Protection};
pub use refusal::{Refusal, Verdict};
pub use root::{Checked, Operation, Root};
pub use secure::{secure_dir, secure_file};
pub use text::{MAX_NAME, MAX_PATH, check_text, has_traversal};
pub use walk::{Located, MAX_LINKS, locate};

/// Opens `path` for `operation` if it lies in the directory `root`.
///
/// A relative path starts at the root; `~` and `~/…` start at `home`, which must then be absolute.
/// See [`Checked::open`] for what is opened how.
///
/// ```
/// use herma_paths::{Operation, Refusal, open_within};
///
/// let escaped = open_within(b"/usr", b"../etc/passwd", Operation::Read, None);
/// assert_eq!(escaped.err(), Some(Refusal::Outside));
/// let listed = open_within(b"/usr", b"bin/../lib", Operation::List, None)?;
/// assert_eq!(listed.path, b"/usr/lib");
/// # Ok::<(), Refusal>(())
/// ```
///
/// # Errors
/// Why it is not opened; [`Refusal::Outside`] when it lies elsewhere.
pub fn open_within(
    root: &[u8],
    path: &[u8],
    operation: Operation,
    home: Option<&[u8]>,
) -> Result<Opened, Refusal> {
    Root::open(root)?.check(path, operation, home)?.open()
}

#[cfg(test)]
mod tests;
