//! What documents link to is there, and documents that are made are up to date.

use std::fs;
use std::path::Path;

use anyhow::Result;

use super::{Context, Outcome};
use crate::generate;

/// No document links to a file that is not there, and there are links.
pub(super) fn current(context: &Context) -> Result<Outcome> {
    let mut faults = Vec::new();
    let mut checked = 0;
    let mut documents = Vec::new();
    collect(&context.repository, &mut documents)?;
    for document in &documents {
        let content = fs::read_to_string(document)?;
        for target in links(&content) {
            checked += 1;
            let base = document.parent().unwrap_or(&context.repository);
            if !base.join(&target).exists() {
                faults.push(format!("{}: {target} is not there", document.display()));
            }
        }
    }
    if checked == 0 {
        faults.push("no document links to anything".to_owned());
    }
    let (drift, pages) = generate::drift(context)?;
    faults.extend(drift);
    for fault in &faults {
        println!("  {fault}");
    }
    Ok(if faults.is_empty() {
        Outcome::Passed(format!(
            "{} documents, {checked} references, {pages} pages of rules",
            documents.len()
        ))
    } else {
        Outcome::Failed(format!("{} faults", faults.len()))
    })
}

fn collect(folder: &Path, found: &mut Vec<std::path::PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default();
        if path.is_dir() {
            if !name.starts_with('.') && name != "target" {
                collect(&path, found)?;
            }
        } else if name.ends_with(".md") {
            found.push(path);
        }
    }
    Ok(())
}

/// Relative targets of Markdown links, outside code.
fn links(content: &str) -> Vec<String> {
    let mut targets = Vec::new();
    let mut fenced = false;
    for line in content.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
            continue;
        }
        if fenced {
            continue;
        }
        let mut rest = line;
        while let Some((_, after)) = rest.split_once("](") {
            let Some((target, tail)) = after.split_once(')') else {
                break;
            };
            let path = target.split('#').next().unwrap_or_default();
            if !path.is_empty() && !path.contains(':') {
                targets.push(path.to_owned());
            }
            rest = tail;
        }
    }
    targets
}
