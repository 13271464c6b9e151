//! Real bash in throw-away namespaces: script in, executed argv out.

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, bail};

use super::house::House;

/// Wall limit of one script, in milliseconds.
pub(crate) const LIMIT_MS: u32 = 500;

/// One program that ran: its name without directories, then its arguments.
pub(crate) type Argv = Vec<Vec<u8>>;

/// What running a script gave.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ran {
    /// Every stub that was executed, in order.
    pub(crate) argvs: Vec<Argv>,
    /// It was stopped at the limit.
    pub(crate) stopped: bool,
}

/// A long-lived runner.
#[derive(Debug)]
pub(crate) struct Bash {
    child: Child,
    input: Option<ChildStdin>,
    output: ChildStdout,
}

impl Bash {
    pub(crate) fn start(house: &House) -> Result<Self> {
        Self::start_shell(house, "/usr/bin/bash")
    }

    /// Another shell in its place.
    pub(crate) fn start_shell(house: &House, shell: &str) -> Result<Self> {
        let mut child = Command::new(&house.runner)
            .arg(&house.root)
            .arg(LIMIT_MS.to_string())
            .arg(shell)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("starting the oracle's runner")?;
        let input = child.stdin.take();
        let output = child.stdout.take().context("runner output")?;
        Ok(Self {
            child,
            input,
            output,
        })
    }

    /// Runs one script. Bash takes no NUL in a script: the caller leaves such scripts out.
    pub(crate) fn run(&mut self, script: &[u8]) -> Result<Ran> {
        let input = self.input.as_mut().context("runner input")?;
        input.write_all(&u32::try_from(script.len())?.to_le_bytes())?;
        input.write_all(script)?;
        input.flush()?;
        let state = self.number().context("the oracle's runner ended")?;
        let length = self.number()? as usize;
        let mut log = vec![0; length];
        self.output.read_exact(&mut log)?;
        if state == 2 {
            bail!("the oracle's runner could not set up namespaces");
        }
        Ok(Ran {
            argvs: records(&log),
            stopped: state == 1,
        })
    }

    fn number(&mut self) -> Result<u32> {
        let mut bytes = [0; 4];
        self.output.read_exact(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }
}

impl Drop for Bash {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.wait();
    }
}

fn records(mut log: &[u8]) -> Vec<Argv> {
    let mut argvs = Vec::new();
    while let Some((head, rest)) = log.split_at_checked(4) {
        let length = u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize;
        let Some((record, rest)) = rest.split_at_checked(length) else {
            break;
        };
        let record = record.strip_suffix(b"\0").unwrap_or(record);
        argvs.push(
            record
                .split(|byte| *byte == 0)
                .map(<[u8]>::to_vec)
                .collect(),
        );
        log = rest;
    }
    argvs
}
