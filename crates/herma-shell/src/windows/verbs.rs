//! Commands of cmd.exe as the programs that have the same effect.
