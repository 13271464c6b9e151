//! Random texts through parser and analyser in this process: no panic, spans inside the text, the
//! same answer twice, in bounded time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use herma_shell::syntax::{Dialect, parse};
use herma_shell::{Analysis, EmptyWorld, Request, STACK, Source, Span, Status, analyse};

use super::mutate::Corpus;
use super::random::Random;
use super::{script_seed, shrink};

/// An unoptimised analysis of a short text must end well before this.
const LIMIT: Duration = Duration::from_secs(2);

/// Faults found in that many texts.
pub(crate) fn run(repository: &Path, seed: u64, texts: usize) -> Result<Vec<String>> {
    thread::scope(|scope| {
        let work = thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, || work(repository, seed, texts))?;
        work.join()
            .map_err(|_| anyhow!("the fuzz thread panicked"))?
    })
}

fn work(repository: &Path, seed: u64, texts: usize) -> Result<Vec<String>> {
    let corpus = Corpus::load(&repository.join("corpus"))?;
    std::panic::set_hook(Box::new(|_| {}));
    let mut faults = Vec::new();
    for index in 0..texts {
        let mut random = Random::new(script_seed(seed, index));
        let mut text = corpus.script(random.next());
        if random.chance(30) {
            for _ in 0..=random.below(4) {
                let at = random.below(text.len() + 1);
                text.insert(at, u8::try_from(random.below(256)).unwrap_or(0));
            }
        }
        if random.chance(10) {
            text.truncate(random.below(text.len() + 1));
        }
        if let Some(fault) = fault(&text) {
            let small = shrink::shrink(&text, 300, |text| self::fault(text) == Some(fault));
            faults.push(format!(
                "text {index}: {fault}: {:?}",
                String::from_utf8_lossy(&small)
            ));
            if faults.len() >= 20 {
                break;
            }
        }
    }
    let _ = std::panic::take_hook();
    Ok(faults)
}

fn fault(text: &[u8]) -> Option<&'static str> {
    let started = Instant::now();
    let request = Request {
        text,
        dialect: Dialect::Bash,
        cwd: b"/w",
    };
    let parsed = catch_unwind(|| parse(&Source::original(text.to_vec()), Dialect::Bash));
    if parsed.is_err() {
        return Some("the parser panics");
    }
    let Ok(first) = catch_unwind(AssertUnwindSafe(|| analyse(&request, &EmptyWorld))) else {
        return Some("the analyser panics");
    };
    if started.elapsed() > LIMIT {
        return Some("takes too long");
    }
    if !inside(text, &first) {
        return Some("a span is outside of the text");
    }
    if (first.status == Status::NotUnderstood) == first.uncertain.is_empty() {
        return Some("status and places disagree");
    }
    if first
        .executions
        .iter()
        .any(|execution| execution.argv.is_empty())
    {
        return Some("an execution without a program");
    }
    let second = analyse(&request, &EmptyWorld);
    if first.executions != second.executions || first.facts != second.facts {
        return Some("two runs differ");
    }
    None
}

fn inside(text: &[u8], analysis: &Analysis) -> bool {
    let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
    let fits = |span: Span| span.start <= span.end && span.end <= length;
    analysis.executions.iter().all(|execution| {
        fits(execution.span)
            && execution.at <= length
            && execution.argv.iter().all(|arg| fits(arg.span))
    }) && analysis.facts.iter().all(|fact| fits(fact.span))
        && analysis.uncertain.iter().all(|place| fits(place.span))
}
