//! How fast output may come, and what of it a terminal gets to see.
//!
//! A [`Bucket`] lets output through as fast as programs usually print, and then slowly: what waits
//! is not read, so that the program waits too. A [`Cap`] ends output that is kept in memory. The
//! [`Escapes`] filter stands in front of a terminal only; what goes to a file or a pipe stays as it
//! is.

mod bucket;
mod escapes;
mod sequence;

pub use bucket::{BURST, Bucket, Cap, RATE};
pub use escapes::{Escapes, MAX_STRING};
