//! Generated documents are what the code would generate now.

use std::fs;
use std::path::Path;

use anyhow::Result;
use serde_json::Value;

use super::process::{bare_herma, finish, fresh_folder, herma};
use super::{Context, Outcome};

/// Every rule is documented, and no document names a rule or a file that is not there.
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
    let reference = context.repository.join("docs/rules.md");
    if reference.exists() {
        let content = fs::read_to_string(&reference)?;
        let binary = herma(context)?;
        let home = fresh_folder(context, "documents")?;
        let mut command = bare_herma(&binary, &home);
        let done = finish(
            command.args(["rules", "list", "--json"]),
            b"",
            std::time::Duration::from_secs(10),
        )?;
        let list: Value = serde_json::from_slice(&done.output)?;
        for id in ids(&list) {
            checked += 1;
            if !content.contains(&format!("`{id}`")) {
                faults.push(format!("docs/rules.md does not name {id}"));
            }
        }
    }
    for fault in &faults {
        println!("  {fault}");
    }
    Ok(if faults.is_empty() {
        Outcome::Passed(format!(
            "{} documents, {checked} references",
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

fn ids(value: &Value) -> Vec<String> {
    match value {
        Value::Array(items) => items.iter().flat_map(ids).collect(),
        Value::Object(map) => match map.get("id").and_then(Value::as_str) {
            Some(id) => vec![id.to_owned()],
            None => map.values().flat_map(ids).collect(),
        },
        _ => Vec::new(),
    }
}
