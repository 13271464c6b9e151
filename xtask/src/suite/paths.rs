//! Labelled paths on real trees, through the real binary and, where somebody changes the tree
//! between check and use, through the library.

mod alike;
mod ordinary;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use herma_paths::{Operation, Root};
use serde_json::{Value, json};

use super::process::{bare_herma, cargo_command, exists, finish, herma};
use super::{Context, Outcome};

/// Cases that came from elsewhere, and our own; ours also say what protects a file.
const FILES: [&str; 2] = ["paths.jsonl", "paths-own.jsonl"];

/// How many wrong answers are printed.
const SHOWN: usize = 60;

/// Openings in the race test with `--long`.
const LONG: &str = "1000000";

/// An ordinary user and group that own nothing.
const NOBODY: &str = "65534";

/// One row on its tree.
struct Case {
    id: String,
    expect: String,
    /// What protects it; `None` when the row does not say.
    protected: Option<Value>,
    operation: String,
    root: String,
    path: String,
    home: Option<String>,
    /// A directory or file outside that is mounted on one inside.
    bind: Option<(PathBuf, PathBuf)>,
    /// What is replaced between check and use, and the link that comes there.
    race: Option<(PathBuf, String)>,
}

/// The rows through `herma path check`; as root also for an ordinary user.
pub(super) fn run(context: &Context) -> Result<Outcome> {
    let mut content = String::new();
    for name in FILES {
        let file = context.repository.join("corpus").join(name);
        content += &fs::read_to_string(&file).with_context(|| file.display().to_string())?;
    }
    // Names of sockets are short, and an ordinary user must get there.
    let base = std::env::temp_dir().join(format!("herma-paths-{}", std::process::id()));
    fs::create_dir(&base).with_context(|| base.display().to_string())?;
    let done = judge(context, &content, &base);
    fs::remove_dir_all(&base)?;
    done
}

fn judge(context: &Context, content: &str, base: &Path) -> Result<Outcome> {
    fs::set_permissions(base, fs::Permissions::from_mode(0o755))?;
    let binary = base.join("herma");
    fs::copy(herma(context)?, &binary)?;
    let base = base.canonicalize()?;
    let mut cases = Vec::new();
    for line in content.lines().filter(|line| !line.is_empty()) {
        let row: Value = serde_json::from_str(line)?;
        cases.push(stage(&row, &base.join(text(&row, "id")))?);
    }
    let mut users: Vec<&[&str]> = vec![&[]];
    if is_root()? && exists("setpriv") {
        users.push(&[
            "setpriv",
            "--reuid",
            NOBODY,
            "--regid",
            NOBODY,
            "--clear-groups",
        ]);
    }
    let (mut faults, mut checked, mut compared, mut skipped) = (Vec::new(), 0, 0, 0);
    for user in &users {
        let plain: Vec<&Case> = cases.iter().filter(|case| is_plain(case)).collect();
        let answers = ask(words(user, &binary), &base, &plain)?;
        let state = base.join(format!("state-{}", user.len()));
        let hook = hook_words(user, &binary, &state)?;
        for (case, answer) in plain.iter().zip(&answers) {
            checked += 1;
            compare(case, answer, user, &mut faults);
            match alike::difference(case, answer, &hook, &base)? {
                Some(Ok(())) => compared += 1,
                Some(Err(fault)) => faults.push(fault),
                None => {}
            }
        }
        for case in &cases {
            let Some(bind) = &case.bind else { continue };
            match mounted(bind, words(user, &binary), &base, case)? {
                Some(answer) => {
                    checked += 1;
                    compare(case, &answer, user, &mut faults);
                }
                None => skipped += 1,
            }
        }
    }
    for case in &cases {
        if let Some((place, target)) = &case.race {
            checked += 1;
            if let Err(fault) = raced(case, place, target) {
                faults.push(format!("{} {fault:#}", case.id));
            }
        }
    }
    for user in users.iter().filter(|user| !user.is_empty()) {
        faults.extend(ordinary::faults(context, user, &base)?);
    }
    for fault in faults.iter().take(SHOWN) {
        println!("  {fault}");
    }
    if !faults.is_empty() {
        return Ok(Outcome::Failed(format!(
            "{} of {checked} answers are wrong",
            faults.len()
        )));
    }
    if context.long && !race_test(context)? {
        return Ok(Outcome::Failed(format!("the race test, {LONG} tries")));
    }
    let mut said = format!(
        "{} cases, {checked} answers, {compared} as in the hook",
        cases.len()
    );
    if users.len() == 1 {
        said.push_str(", one user");
    }
    if skipped > 0 {
        said.push_str(&format!(", {skipped} without the right to mount"));
    }
    Ok(Outcome::Passed(said))
}

fn is_plain(case: &Case) -> bool {
    case.bind.is_none() && case.race.is_none()
}

/// Makes the tree of a row.
fn stage(row: &Value, base: &Path) -> Result<Case> {
    fs::create_dir(base)?;
    let place = base.to_str().context("a path in UTF-8")?.to_owned();
    let here = |text: &str| text.replace("$B", &place);
    let mut case = Case {
        id: text(row, "id").to_owned(),
        expect: text(row, "expect").to_owned(),
        protected: row.get("protected").cloned(),
        operation: text(row, "op").to_owned(),
        root: here(text(row, "root")),
        path: here(text(row, "path")),
        home: None,
        bind: None,
        race: None,
    };
    let steps = row.get("setup").and_then(Value::as_array);
    for step in steps.into_iter().flatten() {
        let (name, value) = step
            .as_object()
            .and_then(|step| step.iter().next())
            .context("a step of the setup")?;
        let at = |index: usize| {
            let item = value.get(index).and_then(Value::as_str);
            item.context("two names")
        };
        let one = base.join(value.as_str().unwrap_or_default());
        match name.as_str() {
            "mkdir" => fs::create_dir_all(&one)?,
            "file" => {
                fs::create_dir_all(one.parent().context("a parent")?)?;
                fs::write(&one, name)?;
            }
            "symlink" => std::os::unix::fs::symlink(here(at(0)?), base.join(at(1)?))?,
            "hardlink" => fs::hard_link(base.join(at(0)?), base.join(at(1)?))?,
            "fifo" => {
                if !Command::new("mkfifo").arg(&one).status()?.success() {
                    bail!("mkfifo {}", one.display());
                }
            }
            "socket" => drop(UnixListener::bind(&one)?),
            "home" => case.home = Some(one.display().to_string()),
            "bind" => case.bind = Some((base.join(at(0)?), base.join(at(1)?))),
            "race" => {
                let changed = ["replace", "create"];
                let place = changed.iter().find_map(|key| value.get(*key)?.as_str());
                case.race = Some((
                    base.join(place.context("what changes")?),
                    here(text(value, "with_symlink")),
                ));
            }
            other => bail!("{}: setup {other} is not known", case.id),
        }
    }
    Ok(case)
}

fn text<'a>(row: &'a Value, key: &str) -> &'a str {
    row.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn words(user: &[&str], binary: &Path) -> Vec<String> {
    let mut words: Vec<String> = user.iter().map(|word| (*word).to_owned()).collect();
    words.push(binary.display().to_string());
    words.extend(["path", "check", "--batch", "-"].map(str::to_owned));
    words
}

/// The hook with a state directory of its own, which that user has made.
fn hook_words(user: &[&str], binary: &Path, state: &Path) -> Result<Vec<String>> {
    fs::create_dir(state)?;
    let owner = if user.is_empty() {
        None
    } else {
        Some(NOBODY.parse()?)
    };
    // Machines that run suites are busy.
    let config = state.join("config.toml");
    fs::write(&config, "deadline_ms = 10000\n")?;
    for path in [state, &config] {
        std::os::unix::fs::chown(path, owner, owner)?;
    }
    fs::set_permissions(state, fs::Permissions::from_mode(0o700))?;
    let mut words: Vec<String> = user.iter().map(|word| (*word).to_owned()).collect();
    words.push(binary.display().to_string());
    words.extend(["--home", &state.display().to_string()].map(str::to_owned));
    words.extend(["hook", "claude-code"].map(str::to_owned));
    Ok(words)
}

/// Answers to the cases, in order, from the program with these words.
fn ask(words: Vec<String>, home: &Path, cases: &[&Case]) -> Result<Vec<Value>> {
    let (program, arguments) = words.split_first().context("a program")?;
    let mut input = String::new();
    for case in cases {
        let mut request = json!({
            "id": case.id,
            "root": case.root,
            "path": case.path,
            "op": case.operation,
        });
        if let (Some(home), Some(fields)) = (&case.home, request.as_object_mut()) {
            fields.insert("env".to_owned(), json!({"HOME": home}));
        }
        input.push_str(&format!("{request}\n"));
    }
    let mut command = bare_herma(Path::new(program), home);
    command.args(arguments);
    let done = finish(&mut command, input.as_bytes(), Duration::from_secs(60))?;
    let output = String::from_utf8(done.output).context("the answers are not UTF-8")?;
    let answers: Vec<Value> = output
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()?;
    if answers.len() != cases.len() {
        bail!(
            "{} rows, {} answers, {:?}: {}",
            cases.len(),
            answers.len(),
            done.status,
            String::from_utf8_lossy(&done.errors)
        );
    }
    Ok(answers)
}

fn compare(case: &Case, answer: &Value, user: &[&str], faults: &mut Vec<String>) {
    let verdict = text(answer, "verdict");
    let protected = answer.get("protected").cloned().unwrap_or_default();
    let is_protected = case
        .protected
        .as_ref()
        .is_none_or(|want| *want == protected);
    if verdict != case.expect || !is_protected || text(answer, "id") != case.id {
        let who = if user.is_empty() {
            ""
        } else {
            " (ordinary user)"
        };
        faults.push(format!(
            "{} {:>8}: {verdict} {} {protected}{who} | {} {}",
            case.id,
            case.expect,
            text(answer, "code"),
            case.operation,
            case.path.escape_debug()
        ));
    }
}

/// The answer where something is mounted, in a mount namespace of its own; `None` without the
/// right to mount.
fn mounted(
    (from, to): &(PathBuf, PathBuf),
    words: Vec<String>,
    home: &Path,
    case: &Case,
) -> Result<Option<Value>> {
    let unshare: &[&str] = if is_root()? {
        &["unshare", "--mount"]
    } else {
        &["unshare", "--mount", "--map-root-user"]
    };
    let script = r#"mount --bind "$1" "$2" && shift 2 && exec "$@""#;
    let mut all: Vec<String> = unshare.iter().map(|word| (*word).to_owned()).collect();
    all.extend(["sh", "-c", script, "sh"].map(str::to_owned));
    all.extend([from, to].map(|path| path.display().to_string()));
    if !Command::new(&all[0])
        .args(&all[1..])
        .arg("true")
        .status()
        .is_ok_and(|status| status.success())
    {
        return Ok(None);
    }
    all.extend(words);
    Ok(ask(all, home, &[case])?.pop())
}

/// Checks, lets the tree change, and opens: that must be refused.
fn raced(case: &Case, place: &Path, target: &str) -> Result<()> {
    let operation = match case.operation.as_str() {
        "read" => Operation::Read,
        "write" => Operation::Write,
        other => bail!("operation {other} is not known"),
    };
    let root = Root::open(case.root.as_bytes())?;
    let checked = root
        .check(case.path.as_bytes(), operation, None)
        .context("before anything changes it is inside")?;
    if place.exists() {
        fs::rename(place, place.with_extension("away"))?;
    }
    std::os::unix::fs::symlink(target, place)?;
    match checked.open() {
        Ok(opened) => bail!("{:?} was opened", opened.identity),
        Err(why) if why.verdict().name() == case.expect => Ok(()),
        Err(why) => bail!("{why}"),
    }
}

fn race_test(context: &Context) -> Result<bool> {
    let status = cargo_command(context)
        .args([
            "test",
            "--quiet",
            "--package",
            "herma-paths",
            "--lib",
            "race",
        ])
        .env("HERMA_RACE_TRIES", LONG)
        .status()?;
    Ok(status.success())
}

fn is_root() -> Result<bool> {
    let own = fs::metadata("/proc/self").context("/proc")?;
    Ok(std::os::unix::fs::MetadataExt::uid(&own) == 0)
}
