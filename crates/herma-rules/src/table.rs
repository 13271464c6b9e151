//! Tables without pointers. The packs hold some ten thousand texts and lists; as slices, each would
//! be an address that the loader writes before anything runs, and the hook starts for every command
//! of an agent. As places in a few arrays they are ready in the file.

use std::marker::PhantomData;
use std::ops::Deref;

use crate::pack;

/// A text of the packs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text {
    at: u32,
    length: u16,
}

impl Text {
    /// The `length` bytes of the packs' text from `at` on.
    pub(crate) const fn at(at: u32, length: u16) -> Self {
        Self { at, length }
    }

    pub(crate) fn text(self) -> &'static str {
        let start = self.at as usize;
        pack::TEXT
            .get(start..start + usize::from(self.length))
            .unwrap_or_default()
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        self.text()
    }
}

/// What lists are made of.
pub(crate) trait Listed: Sized + 'static {
    /// All elements of all lists.
    fn all() -> &'static [Self];
}

/// A list of the packs.
#[derive(Debug)]
pub(crate) struct List<T> {
    at: u16,
    length: u16,
    of: PhantomData<T>,
}

impl<T> List<T> {
    /// A list of nothing.
    pub(crate) const EMPTY: Self = Self::at(0, 0);

    /// The `length` elements from `at` on.
    pub(crate) const fn at(at: u16, length: u16) -> Self {
        let of = PhantomData;
        Self { at, length, of }
    }
}

impl<T> Clone for List<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for List<T> {}

impl<T: Listed> List<T> {
    pub(crate) fn elements(self) -> &'static [T] {
        let start = usize::from(self.at);
        T::all()
            .get(start..start + usize::from(self.length))
            .unwrap_or_default()
    }
}

impl<T: Listed> Deref for List<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.elements()
    }
}

#[cfg(test)]
mod tests;
