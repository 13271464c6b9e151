//! Links the unwinder into the program. The shared one would be loaded before every hook, only for
//! back traces that the release profile does not print.

use std::env;
use std::io::Write;

fn main() -> std::io::Result<()> {
    let target = |key| env::var(key).unwrap_or_default();
    let mut out = std::io::stdout().lock();
    writeln!(out, "cargo::rerun-if-changed=build.rs")?;
    if target("CARGO_CFG_TARGET_OS") == "linux" && target("CARGO_CFG_TARGET_ENV") == "gnu" {
        writeln!(out, "cargo::rustc-link-lib=static:-bundle=gcc_eh")?;
    }
    Ok(())
}
