//! Documents that are made from what the program says.

mod schema;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::suite::Context;
use crate::suite::process::{bare_herma, cargo_command, finish, fresh_folder, herma};

/// The folder of the rules' pages.
const RULES: &str = "docs/rules";

/// The schema of answers.
const SCHEMA: &str = "docs/schema/verdict.v1.json";

/// The index in it.
const INDEX: &str = "README.md";

const MADE: &str = "<!-- Made by `cargo xtask generate`";

/// Writes every document, and removes pages of rules that are gone.
pub(crate) fn run(context: &Context) -> Result<bool> {
    let reference = cargo_command(context)
        .args(["test", "--quiet", "--package", "herma-config", "reference"])
        .env("HERMA_WRITE_DOCS", "1")
        .status()?;
    let rules = rules(context)?;
    let pages = pages(&rules)?;
    fs::write(context.repository.join(SCHEMA), verdict(&rules)?)?;
    let folder = context.repository.join(RULES);
    fs::create_dir_all(&folder)?;
    for name in present(&folder)? {
        if !pages.contains_key(&name) {
            fs::remove_file(folder.join(&name))?;
        }
    }
    for (name, page) in &pages {
        fs::write(folder.join(name), page)?;
    }
    println!("{RULES}: {} pages", pages.len());
    Ok(reference.success())
}

/// What is wrong with the pages in the repository, and how many there should be.
pub(crate) fn drift(context: &Context) -> Result<(Vec<String>, usize)> {
    let rules = rules(context)?;
    let pages = pages(&rules)?;
    let folder = context.repository.join(RULES);
    let mut faults = Vec::new();
    let kept = fs::read_to_string(context.repository.join(SCHEMA)).unwrap_or_default();
    if kept != verdict(&rules)? {
        faults.push(format!("{SCHEMA} does not name the rules that there are"));
    }
    for (name, page) in &pages {
        match fs::read_to_string(folder.join(name)) {
            Ok(kept) if kept == *page => {}
            Ok(_) => faults.push(format!("{RULES}/{name} is not what the rule says")),
            Err(_) => faults.push(format!("{RULES}/{name} is missing")),
        }
    }
    for name in present(&folder)? {
        if !pages.contains_key(&name) {
            faults.push(format!("{RULES}/{name} belongs to no rule"));
        }
    }
    if !faults.is_empty() {
        faults.push("`cargo xtask generate` makes them anew".to_owned());
    }
    Ok((faults, pages.len()))
}

/// The files that are in the folder.
fn present(folder: &Path) -> Result<Vec<String>> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    fs::read_dir(folder)?
        .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
        .collect()
}

/// The rules that are in the binary.
fn rules(context: &Context) -> Result<Vec<Value>> {
    let binary = herma(context)?;
    let home = fresh_folder(context, "generate")?;
    let mut command = bare_herma(&binary, &home);
    command.args(["rules", "list", "--json"]);
    let done = finish(&mut command, b"", Duration::from_secs(120))?;
    let answer: Value = serde_json::from_slice(&done.output).with_context(|| done.text())?;
    let rules = answer.get("rules").and_then(Value::as_array);
    Ok(rules.context("no rules")?.clone())
}

fn verdict(rules: &[Value]) -> Result<String> {
    let ids: Vec<&str> = rules.iter().map(|rule| text(rule, "id")).collect();
    schema::verdict(&ids)
}

/// The pages by file name.
fn pages(rules: &[Value]) -> Result<BTreeMap<String, String>> {
    let mut pages = BTreeMap::new();
    for rule in rules {
        let name = PathBuf::from(text(rule, "page"));
        let name = name.file_name().context("a page without a name")?;
        let name = name.to_string_lossy().into_owned();
        if pages.insert(name, page(rule)).is_some() {
            bail!("two rules have the page {}", text(rule, "page"));
        }
    }
    pages.insert(INDEX.to_owned(), index(rules));
    Ok(pages)
}

fn text<'a>(rule: &'a Value, key: &str) -> &'a str {
    rule.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn texts<'a>(rule: &'a Value, key: &str) -> Vec<&'a str> {
    let list = rule.get(key).and_then(Value::as_array);
    list.into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

fn decision(rule: &Value) -> String {
    match rule.get("floor").and_then(Value::as_str) {
        Some(floor) => format!("deny, floor `{floor}`"),
        None => "ask".to_owned(),
    }
}

fn index(rules: &[Value]) -> String {
    let mut page = format!(
        "# Rules\n\n{MADE}. -->\n\n{} rules, by pack. A page says why, what the rule finds and what it lets pass, and how to allow a \
         command narrowly.\nThe same is printed by `herma rules show ID`. A pack, or a rule by its id, is switched off with \
         `packs.disable` in the\n[configuration](../configuration.md), floors excepted.\n",
        rules.len()
    );
    let mut packs: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    for rule in rules {
        packs.entry(text(rule, "pack")).or_default().push(rule);
    }
    for (pack, rules) in packs {
        let _ = write!(
            page,
            "\n## {pack}\n\n| rule | decision | severity | |\n|---|---|---|---|\n"
        );
        for rule in rules {
            let (id, severity) = (text(rule, "id"), text(rule, "severity"));
            let _ = writeln!(
                page,
                "| [{id}]({id}.md) | {} | {severity} | {} |",
                decision(rule),
                plain(text(rule, "title"))
            );
        }
    }
    page
}

fn page(rule: &Value) -> String {
    let (id, pack) = (text(rule, "id"), text(rule, "pack"));
    let floor = rule.get("floor").is_some_and(Value::is_string);
    let mut page = format!(
        "# {id}\n\n{MADE}; edit rules/{pack}.toml. -->\n\n{}: {}.\n\n| | |\n|---|---|\n",
        plain(text(rule, "title")),
        plain(text(rule, "why"))
    );
    let mut row = |what: &str, value: String| {
        let _ = writeln!(page, "| {what} | {value} |");
    };
    row(
        "decision",
        if floor {
            format!(
                "{}, in every mode; ask where it is not certain: on another machine, by another program of the name",
                decision(rule)
            )
        } else {
            "ask; deny in a context in which nobody can be asked".to_owned()
        },
    );
    row("severity", text(rule, "severity").to_owned());
    row("pack", format!("[{pack}](README.md#{pack})"));
    let aliases = texts(rule, "aliases");
    if !aliases.is_empty() {
        row("former ids", aliases.join(", "));
    }
    let related = texts(rule, "related");
    if !related.is_empty() {
        let links: Vec<String> = related
            .iter()
            .map(|id| format!("[{id}]({id}.md)"))
            .collect();
        row("related", links.join(", "));
    }
    for (title, key) in [("What it finds", "blocks"), ("What it lets pass", "passes")] {
        let examples = texts(rule, key);
        if !examples.is_empty() {
            let _ = write!(
                page,
                "\n## {title}\n\n{}",
                fenced("sh", &examples.join("\n"))
            );
        }
    }
    let suggest = text(rule, "suggest");
    if !suggest.is_empty() {
        let _ = write!(page, "\n## A safer way\n\n{}", fenced("sh", suggest));
    }
    page.push_str("\n## Allowing it\n\n");
    page.push_str(&allowing(rule, floor));
    page
}

fn allowing(rule: &Value, floor: bool) -> String {
    if floor {
        return "Nothing allows this. A person runs it in their own terminal.\n".to_owned();
    }
    let off = format!(
        "`packs.disable = [\"{}\"]` switches the rule off altogether.\n",
        text(rule, "id")
    );
    match rule.get("allow").filter(|allow| allow.is_object()) {
        Some(allow) => format!(
            "This allows the following command in one project, and nothing else. Where more is meant, put `*` for a word or a\n\
             part of one, and `**` for the rest.\n\n{}\n{}\n{off}",
            fenced("sh", text(allow, "example")),
            fenced("toml", text(allow, "toml"))
        ),
        None => format!(
            "No own rule allows these examples: an allow rule covers a command whose words are all known, and neither\n\
             redirections nor what other programs are given to run. A person answers each time.\n\n{off}"
        ),
    }
}

/// Prose of a rule in a table or a paragraph.
fn plain(prose: &str) -> String {
    prose.trim_end_matches('.').replace('|', "\\|")
}

/// A block of code, control characters shown as pictures.
fn fenced(language: &str, code: &str) -> String {
    let mut fence = "```".to_owned();
    while code.contains(&fence) {
        fence.push('`');
    }
    let code: String = code
        .chars()
        .map(|char| match char {
            '\n' => char,
            '\0'..='\x1f' => char::from_u32(0x2400 + u32::from(char)).unwrap_or(char),
            '\x7f' => '␡',
            char => char,
        })
        .collect();
    format!("{fence}{language}\n{code}\n{fence}\n")
}
