//! How fast output may come, and what of it a terminal gets to see.
