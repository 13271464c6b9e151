//! The real-shell oracle: whatever bash executes, the analyser must have said.
//!
//! Scripts are generated or made from labelled cases, run by real bash in throw-away namespaces
//! where dangerous programs are stubs that log their argv, and analysed by `herma_shell`. Each
//! logged argv must be among the reported executions, or the analysis must say that it cannot know.
//!
//! Stubs stand in for programs, so builtins (`kill`, `echo`, `read`, `exec`, `test`, …) leave no
//! trace and are not confirmed here; what they hand on (`eval`, `trap`, `exec`, `command`) is.

mod bash;
mod confirm;
mod generate;
mod house;
mod mutate;
pub(crate) mod random;
mod shrink;
pub(crate) mod smoke;
mod world;

use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use herma_shell::syntax::Dialect;
use herma_shell::{Analysis, Request, Status, analyse};

use bash::{Argv, Bash};
use confirm::{Outcome, outcome, says_so};
pub(crate) use generate::base64;
use house::House;
use mutate::Corpus;
use random::Random;
use world::{CWD, HouseWorld};

/// How many misses of a run are made small; behind them something general is broken.
const SHRUNK_MISSES: usize = 60;

/// Runs spent on looking behind a doubt.
const DOUBT_BUDGET: usize = 30;

/// So many characters of an argv are shown.
const LONGEST_SHOWN: usize = 300;

const PANIC: &str = "the analyser panicked";

/// What to run.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// How many scripts.
    pub(crate) scripts: usize,
    /// Start of the sequence of scripts.
    pub(crate) seed: u64,
    /// Print scripts for which the analysis was less than sure.
    pub(crate) show_said_so: bool,
    /// Print the scripts only.
    pub(crate) print_only: bool,
}

/// Runs given scripts and says what came of each program that they executed. True when none missed.
pub(crate) fn judge_files(repository: &Path, target: &Path, files: &[PathBuf]) -> Result<bool> {
    let house = House::prepare(&repository.join("xtask/oracle"), target)?;
    let mut bash = Bash::start(&house)?;
    let world = HouseWorld::new(&house.root);
    let mut fine = true;
    for file in files {
        let script = fs::read(file)?;
        let ran = bash.run(&script)?;
        let Some(analysis) = analysed(&script, &world) else {
            println!("PANIC    {}", file.display());
            fine = false;
            continue;
        };
        if ran.argvs.is_empty() {
            println!("nothing  {}", file.display());
        }
        for argv in &ran.argvs {
            let outcome = outcome(argv, &analysis);
            fine &= outcome != Outcome::Missed;
            println!(
                "{:<8} {}: {}",
                format!("{outcome:?}"),
                file.display(),
                shown(argv)
            );
        }
    }
    Ok(fine)
}

/// The rows of a file of cases.
fn rows(path: &Path) -> Result<Vec<serde_json::Value>> {
    let text = fs::read_to_string(path)?;
    let rows = text
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>();
    Ok(rows?)
}

/// Runs the cases of `corpus/shell/executed.jsonl`, faults that were found and mended; gives those
/// that are wrong again, and their number.
pub(crate) fn judge_cases(repository: &Path, target: &Path) -> Result<(usize, Vec<String>)> {
    let house = House::prepare(&repository.join("xtask/oracle"), target)?;
    let mut bash = Bash::start(&house)?;
    let world = HouseWorld::new(&house.root);
    let rows = rows(&repository.join("corpus/shell/executed.jsonl"))?;
    let mut wrong = Vec::new();
    for row in &rows {
        let script = row["src"].as_str().unwrap_or_default();
        for fault in faults(&mut bash, &world, script.as_bytes()) {
            wrong.push(format!("{}: {fault}\n{script}", row["id"]));
        }
    }
    Ok((rows.len(), wrong))
}

/// Runs the cases of `corpus/shell/executed-zsh.jsonl` in real zsh. Every program that ran must have
/// been reported, and nothing be said not to be known unless the row says so; `None` where zsh is
/// missing.
pub(crate) fn judge_zsh(repository: &Path, target: &Path) -> Result<Option<(usize, Vec<String>)>> {
    let house = House::prepare(&repository.join("xtask/oracle"), target)?;
    if !house.root.join("usr/bin/zsh").exists() {
        return Ok(None);
    }
    let mut zsh = Bash::start_shell(&house, "/usr/bin/zsh")?;
    let world = HouseWorld::new(&house.root);
    let rows = rows(&repository.join("corpus/shell/executed-zsh.jsonl"))?;
    let mut wrong = Vec::new();
    for row in &rows {
        let script = row["src"].as_str().unwrap_or_default();
        let Some(analysis) = analysed_as(script.as_bytes(), Dialect::Zsh, &world) else {
            wrong.push(format!("{}: {PANIC}\n{script}", row["id"]));
            continue;
        };
        let argvs = zsh.run(script.as_bytes())?.argvs;
        if argvs.is_empty() && row["nothing"] != true {
            wrong.push(format!("{}: nothing ran\n{script}", row["id"]));
        }
        if says_so(&analysis) != (row["unsure"] == true) {
            let why = reasons(&analysis).join(", ");
            wrong.push(format!(
                "{}: says that it does not know: {why}\n{script}",
                row["id"]
            ));
        }
        for argv in &argvs {
            let as_bash: Argv = argv.iter().map(|word| descriptor(word)).collect();
            if outcome(&as_bash, &analysis) == Outcome::Missed {
                wrong.push(format!("{}: missed {}\n{script}", row["id"], shown(argv)));
            }
        }
    }
    Ok(Some((rows.len(), wrong)))
}

/// The name that bash gives to a file behind which a process stands.
fn descriptor(word: &[u8]) -> Vec<u8> {
    if let Some(number) = word.strip_prefix(b"/proc/self/fd/") {
        return [b"/dev/fd/", number].concat();
    }
    match word.strip_prefix(b"/tmp/zsh") {
        Some(name) if name.len() == 6 => b"/dev/fd/0".to_vec(),
        _ => word.to_vec(),
    }
}

/// A script whose execution the analysis did not report.
#[derive(Clone, Debug)]
pub(crate) struct Miss {
    /// The shortest script found.
    pub(crate) script: Vec<u8>,
    /// What ran unreported, or why the analyser failed.
    pub(crate) what: String,
}

/// Sums over all scripts.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) scripts: usize,
    pub(crate) ran_nothing: usize,
    pub(crate) stopped: usize,
    pub(crate) resolved: usize,
    pub(crate) said_so: usize,
    pub(crate) not_understood: usize,
    pub(crate) why: BTreeMap<String, usize>,
    pub(crate) misses: Vec<Miss>,
    pub(crate) slowest: Duration,
}

impl Report {
    /// One line of figures.
    pub(crate) fn summary(&self) -> String {
        let executed = self.resolved + self.said_so + self.misses.len();
        format!(
            "{} scripts, {executed} executed programs: {} resolved, {} said so, {} MISSED \
             ({} scripts ran nothing, {} stopped at the limit, {} not understood; slowest analysis {:.1} ms)",
            self.scripts,
            self.resolved,
            self.said_so,
            self.misses.len(),
            self.ran_nothing,
            self.stopped,
            self.not_understood,
            self.slowest.as_secs_f64() * 1e3,
        )
    }
}

/// Runs the oracle and writes each distinct miss below `target/oracle-misses`.
pub(crate) fn run(repository: &Path, target: &Path, options: &Options) -> Result<Report> {
    let corpus = Corpus::load(&repository.join("corpus"))?;
    if options.print_only {
        for index in 0..options.scripts {
            let script = corpus.script(script_seed(options.seed, index));
            println!("--- {index}\n{}", String::from_utf8_lossy(&script));
        }
        return Ok(Report::default());
    }
    let house = House::prepare(&repository.join("xtask/oracle"), target)?;
    let next = AtomicUsize::new(0);
    let report = Mutex::new(Report::default());
    let workers = thread::available_parallelism()
        .map_or(2, usize::from)
        .min(8);
    thread::scope(|scope| -> Result<()> {
        let handles: Vec<_> = (0..workers)
            .map(|_| {
                thread::Builder::new()
                    .stack_size(herma_shell::STACK)
                    .spawn_scoped(scope, || work(&corpus, &house, options, &next, &report))
            })
            .collect::<Result<_, _>>()?;
        for handle in handles {
            handle
                .join()
                .map_err(|_| anyhow!("an oracle thread panicked"))??;
        }
        Ok(())
    })?;
    let report = report
        .into_inner()
        .map_err(|_| anyhow!("an oracle thread panicked"))?;
    keep(&target.join("oracle-misses"), &report.misses)?;
    Ok(report)
}

/// All labelled texts, and `count` random ones.
pub(crate) fn texts(repository: &Path, seed: u64, count: usize) -> Result<Vec<Vec<u8>>> {
    let corpus = Corpus::load(&repository.join("corpus"))?;
    let mut texts = corpus.texts().to_vec();
    texts.extend((0..count).map(|index| corpus.script(script_seed(seed, index))));
    Ok(texts)
}

fn script_seed(seed: u64, index: usize) -> u64 {
    Random::new(seed.wrapping_mul(0x1_0000_0001).wrapping_add(index as u64)).next()
}

fn work(
    corpus: &Corpus,
    house: &House,
    options: &Options,
    next: &AtomicUsize,
    report: &Mutex<Report>,
) -> Result<()> {
    let mut bash = Bash::start(house)?;
    let world = HouseWorld::new(&house.root);
    loop {
        let index = next.fetch_add(1, Ordering::Relaxed);
        if index >= options.scripts {
            return Ok(());
        }
        let script = corpus.script(script_seed(options.seed, index));
        if script.contains(&0) || script.is_empty() {
            continue;
        }
        let ran = bash.run(&script)?;
        let started = Instant::now();
        let analysis = analysed(&script, &world);
        let took = started.elapsed();
        let mut unreported = Vec::new();
        let mut doubted = None;
        {
            let mut sums = report
                .lock()
                .map_err(|_| anyhow!("an oracle thread panicked"))?;
            sums.scripts += 1;
            sums.stopped += usize::from(ran.stopped);
            sums.ran_nothing += usize::from(ran.argvs.is_empty());
            sums.slowest = sums.slowest.max(took);
            match &analysis {
                None => unreported.push(PANIC.to_owned()),
                Some(analysis) => {
                    sums.not_understood += usize::from(analysis.status == Status::NotUnderstood);
                    for argv in &ran.argvs {
                        match outcome(argv, analysis) {
                            Outcome::Resolved => sums.resolved += 1,
                            Outcome::SaidSo => {
                                sums.said_so += 1;
                                for why in reasons(analysis) {
                                    *sums.why.entry(why).or_default() += 1;
                                }
                                if options.show_said_so {
                                    show_doubt(&script, argv, analysis);
                                }
                                doubted = doubted.or(Some(argv));
                            }
                            Outcome::Missed => unreported.push(shown(argv)),
                        }
                    }
                }
            }
        }
        let mut script = script;
        if unreported.is_empty()
            && let Some(argv) = doubted
            && let Some(part) = hidden_miss(&mut bash, &world, &script, argv)
        {
            script = part;
            unreported.push(shown(argv));
        }
        if let Some(what) = unreported.into_iter().next() {
            let known = report.lock().map_or(0, |sums| sums.misses.len());
            let budget = if known < SHRUNK_MISSES { 400 } else { 0 };
            let small = shrink::shrink(&script, budget, |candidate| {
                !candidate.is_empty() && faults(&mut bash, &world, candidate).contains(&what)
            });
            println!(
                "\nMISS seed {} script {index}: {what}\n{}\n",
                options.seed,
                String::from_utf8_lossy(&small)
            );
            let mut sums = report
                .lock()
                .map_err(|_| anyhow!("an oracle thread panicked"))?;
            sums.misses.push(Miss {
                script: small,
                what,
            });
        }
    }
}

/// A doubt excuses everything in its script. Looks for a part that runs the program without a doubt
/// and without a report.
fn hidden_miss(bash: &mut Bash, world: &HouseWorld, script: &[u8], argv: &Argv) -> Option<Vec<u8>> {
    let mut found = None;
    shrink::shrink(script, DOUBT_BUDGET, |candidate| {
        if found.is_some() || candidate.is_empty() || candidate.contains(&0) {
            return false;
        }
        let Ok(ran) = bash.run(candidate) else {
            return false;
        };
        if !ran.argvs.contains(argv) {
            return false;
        }
        match analysed(candidate, world).map(|analysis| outcome(argv, &analysis)) {
            Some(Outcome::SaidSo) => true,
            Some(Outcome::Missed) => {
                found = Some(candidate.to_vec());
                false
            }
            _ => false,
        }
    });
    found
}

fn analysed(script: &[u8], world: &HouseWorld) -> Option<Analysis> {
    analysed_as(script, Dialect::Bash, world)
}

fn analysed_as(script: &[u8], dialect: Dialect, world: &HouseWorld) -> Option<Analysis> {
    let request = Request {
        text: script,
        dialect,
        cwd: CWD,
    };
    catch_unwind(AssertUnwindSafe(|| analyse(&request, world))).ok()
}

/// Everything that goes wrong with this script.
fn faults(bash: &mut Bash, world: &HouseWorld, script: &[u8]) -> Vec<String> {
    let Some(analysis) = analysed(script, world) else {
        return vec![PANIC.to_owned()];
    };
    if script.contains(&0) {
        return Vec::new();
    }
    let argvs = bash.run(script).map(|ran| ran.argvs).unwrap_or_default();
    argvs
        .iter()
        .filter(|argv| outcome(argv, &analysis) == Outcome::Missed)
        .map(shown)
        .collect()
}

fn reasons(analysis: &Analysis) -> Vec<String> {
    let mut reasons: Vec<String> = analysis
        .facts
        .iter()
        .map(|fact| format!("{:?}", fact.kind))
        .collect();
    reasons.extend(
        analysis
            .uncertain
            .iter()
            .map(|place| format!("{:?}", place.why)),
    );
    reasons.sort();
    reasons.dedup();
    reasons
}

fn show_doubt(script: &[u8], argv: &Argv, analysis: &Analysis) {
    println!(
        "\nSAID SO {:?}: {}\n{}",
        reasons(analysis),
        shown(argv),
        String::from_utf8_lossy(script)
    );
}

/// An argv for people: quoted, and cut where it gets long.
fn shown(argv: &Argv) -> String {
    let words = argv
        .iter()
        .map(|word| format!("{:?}", String::from_utf8_lossy(word)));
    let mut text = words.collect::<Vec<_>>().join(" ");
    if let Some((cut, _)) = text.char_indices().nth(LONGEST_SHOWN) {
        text.truncate(cut);
        text.push('…');
    }
    text
}

/// Writes the misses, one file for each that differs in more than its numbers.
fn keep(folder: &Path, misses: &[Miss]) -> Result<()> {
    let mut kept: BTreeMap<Vec<u8>, &Miss> = BTreeMap::new();
    for miss in misses {
        let key: Vec<u8> = miss
            .script
            .iter()
            .copied()
            .filter(|byte| !byte.is_ascii_digit())
            .collect();
        kept.entry(key).or_insert(miss);
    }
    if kept.is_empty() {
        return Ok(());
    }
    fs::create_dir_all(folder)?;
    for (index, miss) in kept.values().enumerate() {
        let path: PathBuf = folder.join(format!("{index:03}.sh"));
        let mut content = format!("# ran: {}\n", miss.what).into_bytes();
        content.extend_from_slice(&miss.script);
        content.push(b'\n');
        fs::write(path, content)?;
    }
    Ok(())
}
