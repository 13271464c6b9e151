//! Real scripts from packages: understood as a whole, and never asked about for what only cannot
//! be resolved.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use super::process::{bare_herma, exists, finish, fresh_folder, herma};
use super::{Context, Outcome};

/// How many scripts are judged at least.
const WANTED: usize = 200;
/// How many of all that were found are judged without `--long`, evenly spread.
const JUDGED: usize = 300;
/// Larger files than this are not read by the analyser.
const LARGEST: u64 = 1 << 20;

/// Debian packages with shell scripts in `bin`, `lib`, `share` and their maintainer scripts.
const DEBIAN: &[&str] = &[
    "git",
    "git-extras",
    "devscripts",
    "xdg-utils",
    "bash-completion",
    "autoconf",
    "automake",
    "libtool",
    "libtool-bin",
    "autotools-dev",
    "dkms",
    "ifupdown",
    "byobu",
    "postgresql-common",
    "openssh-server",
    "apache2",
    "nginx-common",
    "docker.io",
    "debhelper",
    "initscripts",
    "neofetch",
    "tmux",
    "grub-common",
    "initramfs-tools-core",
    "cryptsetup",
    "mdadm",
    "lvm2",
    "ca-certificates",
    "udev",
];
/// npm packages: installers, version managers, test runners, a Gradle wrapper.
const NPM: &[&str] = &[
    "n",
    "bats",
    "@react-native-community/template",
    "npm",
    "husky",
];
/// PyPI wheels (activate scripts) and source packages (configure scripts).
const WHEELS: &[&str] = &["virtualenv", "nodeenv"];
const SOURCES: &[&str] = &["PyNaCl"];

pub(super) fn run(context: &Context) -> Result<Outcome> {
    let folder = context.target.join("scripts");
    if !folder.join("complete").exists() {
        if !context.install {
            return Ok(Outcome::Skipped(
                "the script packages are missing (--install brings them from Debian, npm and PyPI)"
                    .to_owned(),
            ));
        }
        fetch(&folder)?;
    }
    let mut scripts = Vec::new();
    collect(&folder.join("unpacked"), &mut scripts)?;
    scripts.sort();
    let mut seen = std::collections::BTreeSet::new();
    scripts.retain(|path| {
        fs::read(path)
            .is_ok_and(|content| std::str::from_utf8(&content).is_ok() && seen.insert(content))
    });
    if !context.long && scripts.len() > JUDGED {
        let all = scripts.len();
        let mut index = 0;
        scripts.retain(|_| {
            index += 1;
            index * JUDGED / all != (index - 1) * JUDGED / all
        });
    }
    if scripts.len() < WANTED {
        return Ok(Outcome::Failed(format!(
            "only {} scripts were found",
            scripts.len()
        )));
    }
    judge(context, &folder.join("unpacked"), &scripts)
}

fn judge(context: &Context, base: &Path, scripts: &[PathBuf]) -> Result<Outcome> {
    let batches = Batches {
        binary: herma(context)?,
        home: fresh_folder(context, "scripts")?,
        count: scripts.len(),
    };
    let (as_files, as_text) = rows(scripts)?;
    let files = batches.answers(&["check", "--batch", "-"], &as_files)?;
    let texts = batches.answers(&["check", "--batch", "-"], &as_text)?;
    let parsed = batches.answers(&["shell", "parse", "--json", "--batch", "-"], &as_files)?;
    let mut findings = Findings::default();
    for ((script, answer), parse) in scripts.iter().zip(&files).zip(&parsed) {
        let name = script.strip_prefix(base).unwrap_or(script).display();
        findings.add(&name.to_string(), answer, parse);
    }
    for (rule, count) in &findings.by_rule {
        println!("  {count:>4} × {rule}");
    }
    let faults = findings.faults;
    for fault in faults.iter().take(60) {
        println!("  FAULT {fault}");
    }
    let _ = fs::write(
        context.target.join("suites/scripts-faults.txt"),
        faults.join("\n"),
    );
    let summary = format!(
        "{} scripts: {} would ask as files, {} as text",
        scripts.len(),
        findings.asked,
        texts.iter().filter(|answer| !is_allowed(answer)).count()
    );
    Ok(if faults.is_empty() {
        Outcome::Passed(summary)
    } else {
        Outcome::Failed(format!("{} faults; {summary}", faults.len()))
    })
}

/// The scripts as rows of a batch: run as files, and as the text of a command line.
fn rows(scripts: &[PathBuf]) -> Result<(String, String)> {
    let row = |text: String| {
        json!({"cmd": text, "cwd": "/home/dev/proj", "env": {"HOME": "/home/dev", "USER": "dev"}})
            .to_string()
            + "\n"
    };
    let (mut as_files, mut as_text) = (String::new(), String::new());
    for script in scripts {
        let content = fs::read_to_string(script)?;
        let first = content.lines().next().unwrap_or_default();
        // What is only sourced has no interpreter of its own and is written for bash.
        let shell = if first.starts_with("#!") && !first.contains("bash") {
            "sh"
        } else {
            "bash"
        };
        as_files.push_str(&row(format!("{shell} '{}'", script.display())));
        as_text.push_str(&row(content));
    }
    Ok((as_files, as_text))
}

/// Runs of the binary over all scripts at once.
struct Batches {
    binary: PathBuf,
    home: PathBuf,
    /// How many rows a batch has.
    count: usize,
}

impl Batches {
    /// One answer for each row.
    fn answers(&self, arguments: &[&str], rows: &str) -> Result<Vec<Value>> {
        let mut command = bare_herma(&self.binary, &self.home);
        let done = finish(
            command.args(arguments),
            rows.as_bytes(),
            Duration::from_secs(900),
        )?;
        let answers = String::from_utf8_lossy(&done.output)
            .lines()
            .map(|line| Ok(serde_json::from_str(line)?))
            .collect::<Result<Vec<Value>>>()?;
        if answers.len() != self.count {
            bail!(
                "{} answers for {} scripts, {:?}: {}",
                answers.len(),
                self.count,
                done.status,
                String::from_utf8_lossy(&done.errors)
            );
        }
        Ok(answers)
    }
}

/// What the answers say about all scripts.
#[derive(Default)]
struct Findings {
    faults: Vec<String>,
    /// How many scripts would ask.
    asked: usize,
    /// How many of them ask by each rule.
    by_rule: BTreeMap<String, usize>,
}

impl Findings {
    /// Takes in one script's answers to `check` and `shell parse`.
    fn add(&mut self, name: &str, answer: &Value, parse: &Value) {
        if parse.get("status").and_then(Value::as_str) != Some("clean") {
            self.faults.push(format!(
                "{name}: not understood {}",
                parse.get("uncertain").cloned().unwrap_or_default()
            ));
        }
        if is_allowed(answer) {
            return;
        }
        self.asked += 1;
        let rules = rules(answer);
        for rule in &rules {
            *self.by_rule.entry(rule.clone()).or_default() += 1;
        }
        let shown = rules.join(" ");
        if rules.iter().any(|rule| is_doubt(rule)) {
            self.faults
                .push(format!("{name}: asks only out of doubt: {shown}"));
        }
        println!("  {name}: {} {shown}", decision(answer).unwrap_or("?"));
    }
}

fn decision(answer: &Value) -> Option<&str> {
    answer.get("decision").and_then(Value::as_str)
}

fn is_allowed(answer: &Value) -> bool {
    decision(answer) == Some("allow")
}

fn rules(answer: &Value) -> Vec<String> {
    answer
        .get("rules")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect()
}

/// Rules that fire for what cannot be known.
fn is_doubt(rule: &str) -> bool {
    ["unresolved", "not-understood", "unknown"]
        .iter()
        .any(|word| rule.contains(word))
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        let kind = entry.file_type()?;
        if kind.is_dir() {
            collect(&path, found)?;
        } else if kind.is_file() && entry.metadata()?.len() <= LARGEST && is_shell(&path)? {
            found.push(path);
        }
    }
    Ok(())
}

fn is_shell(path: &Path) -> Result<bool> {
    use std::io::Read as _;
    let mut head = [0; 64];
    let length = fs::File::open(path)?.read(&mut head)?;
    let head = String::from_utf8_lossy(&head[..length]).into_owned();
    let first = head.lines().next().unwrap_or_default();
    let interpreter = first.strip_prefix("#!").map(str::trim).unwrap_or_default();
    let shebang = [
        "/bin/sh",
        "/bin/bash",
        "/usr/bin/bash",
        "/bin/dash",
        "/usr/bin/env bash",
        "/usr/bin/env sh",
    ]
    .iter()
    .any(|shell| interpreter == *shell || interpreter.starts_with(&format!("{shell} ")));
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let sourced = path
        .to_string_lossy()
        .contains("bash-completion/completions/")
        || name == "activate"
        || name == "activate.sh";
    Ok(shebang || sourced)
}

fn fetch(folder: &Path) -> Result<()> {
    let unpacked = folder.join("unpacked");
    let downloads = folder.join("downloads");
    fs::create_dir_all(&unpacked)?;
    fs::create_dir_all(&downloads)?;
    // A package that this machine's distribution no longer has is left out; the count decides.
    for package in DEBIAN {
        debian(package, &downloads, &unpacked)
            .unwrap_or_else(|error| println!("  {package}: {error:#}"));
    }
    if exists("npm") {
        for package in NPM {
            npm(package, &downloads, &unpacked)
                .unwrap_or_else(|error| println!("  {package}: {error:#}"));
        }
    }
    if exists("python3") {
        for package in WHEELS {
            pip(package, "--only-binary", &downloads, &unpacked)
                .unwrap_or_else(|error| println!("  {package}: {error:#}"));
        }
        for package in SOURCES {
            pip(package, "--no-binary", &downloads, &unpacked)
                .unwrap_or_else(|error| println!("  {package}: {error:#}"));
        }
    }
    fs::write(folder.join("complete"), "")?;
    Ok(())
}

fn succeed(command: &mut Command) -> Result<()> {
    let output = command
        .output()
        .with_context(|| command.get_program().to_string_lossy().into_owned())?;
    if !output.status.success() {
        bail!(
            "{}",
            String::from_utf8_lossy(&output.stderr)
                .lines()
                .last()
                .unwrap_or_default()
        );
    }
    Ok(())
}

/// A new empty folder for one package.
fn place(folder: &Path, package: &str) -> Result<PathBuf> {
    let place = folder.join(package.replace(['/', '@'], "_"));
    fs::create_dir_all(&place)?;
    Ok(place)
}

fn only_file(folder: &Path) -> Result<PathBuf> {
    let entry = fs::read_dir(folder)?
        .next()
        .context("nothing was downloaded")??;
    Ok(entry.path())
}

fn debian(package: &str, downloads: &Path, unpacked: &Path) -> Result<()> {
    let to = place(downloads, package)?;
    succeed(
        Command::new("apt-get")
            .args(["-qq", "-o", "APT::Sandbox::User=root", "download", package])
            .current_dir(&to),
    )?;
    let file = only_file(&to)?;
    let place = place(unpacked, package)?;
    succeed(
        Command::new("dpkg-deb")
            .arg("-x")
            .args([&file, &place.join("files")]),
    )?;
    succeed(
        Command::new("dpkg-deb")
            .arg("-e")
            .args([&file, &place.join("control")]),
    )
}

fn npm(package: &str, downloads: &Path, unpacked: &Path) -> Result<()> {
    let to = place(downloads, package)?;
    succeed(
        Command::new("npm")
            .args(["pack", "--silent", package])
            .current_dir(&to),
    )?;
    let place = place(unpacked, package)?;
    succeed(
        Command::new("tar")
            .arg("-xzf")
            .arg(only_file(&to)?)
            .arg("-C")
            .arg(place),
    )
}

fn pip(package: &str, form: &str, downloads: &Path, unpacked: &Path) -> Result<()> {
    let to = place(downloads, package)?;
    succeed(
        Command::new("python3")
            .args([
                "-m",
                "pip",
                "download",
                "--quiet",
                "--no-deps",
                form,
                package,
                "--dest",
            ])
            .arg(&to)
            .arg(package),
    )?;
    let file = only_file(&to)?;
    let place = place(unpacked, package)?;
    if file.extension().is_some_and(|extension| extension == "gz") {
        return succeed(
            Command::new("tar")
                .arg("-xzf")
                .arg(file)
                .arg("-C")
                .arg(place),
        );
    }
    succeed(
        Command::new("python3")
            .args(["-m", "zipfile", "-e"])
            .arg(file)
            .arg(place),
    )
}
