//! Commands that people wrote somewhere, judged in the world of the labelled cases: how often would
//! herma ask, about what, and does it refuse anything?

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde_json::{Map, Value, json};

use crate::suite::Context;
use crate::suite::process::{bare_herma, finish, fresh_folder, herma};

/// Time for all of it.
const LIMIT: Duration = Duration::from_secs(1_800);

/// Judges files with one command, or one `{"cmd"}`, a line. True unless more than `max_ask` percent
/// of the commands would be asked about.
pub(crate) fn run(context: &Context, files: &[PathBuf], max_ask: Option<f64>) -> Result<bool> {
    if files.is_empty() {
        bail!("which files?");
    }
    let binary = herma(context)?;
    let home = fresh_folder(context, "wild")?;
    let mut within = true;
    for file in files {
        let content = fs::read(file).with_context(|| file.display().to_string())?;
        let rows = rows(&String::from_utf8_lossy(&content));
        let mut command = bare_herma(&binary, &home);
        command.args(["replay", "--json", "--format", "jsonl", "-"]);
        let done = finish(&mut command, rows.as_bytes(), LIMIT)?;
        let report: Value = serde_json::from_slice(&done.output)
            .with_context(|| format!("{}: {}", file.display(), done.text()))?;
        println!("{}", file.display());
        print(&report);
        let asked = share(&report, "ask");
        if max_ask.is_some_and(|most| asked > most) {
            println!("  asks about more than {}%", max_ask.unwrap_or_default());
            within = false;
        }
    }
    Ok(within)
}

/// Every line as a row; what it does not say is as in the labelled cases.
fn rows(content: &str) -> String {
    let mut rows = String::new();
    for line in content.lines().filter(|line| !line.trim().is_empty()) {
        let mut row = match serde_json::from_str(line) {
            Ok(Value::Object(row)) if row.contains_key("cmd") => row,
            _ => Map::from_iter([("cmd".to_owned(), json!(line))]),
        };
        row.entry("cwd").or_insert(json!("/home/dev/proj"));
        row.entry("env")
            .or_insert(json!({"HOME": "/home/dev", "USER": "dev"}));
        rows.push_str(&Value::Object(row).to_string());
        rows.push('\n');
    }
    rows
}

fn print(report: &Value) {
    let number = |value: &Value, key: &str| value.get(key).and_then(Value::as_u64).unwrap_or(0);
    let text = |value: &Value, key: &str| -> String {
        let text = value.get(key).and_then(Value::as_str).unwrap_or_default();
        text.escape_debug().to_string()
    };
    let list = |key: &str| -> Vec<Value> {
        let list = report.get(key).and_then(Value::as_array);
        list.cloned().unwrap_or_default()
    };
    let commands = report.get("commands").cloned().unwrap_or_default();
    let all = number(&commands, "times");
    println!(
        "  {all} commands, {} different",
        number(&commands, "different")
    );
    for decision in ["allow", "ask", "deny"] {
        println!("  {decision:6} {:>6.2}%", share(report, decision));
    }
    for rule in list("rules") {
        let times = number(&rule, "times");
        let percent = times as f64 * 100.0 / all.max(1) as f64;
        println!("  {:28} {times:>7} {percent:>6.2}%", text(&rule, "rule"));
    }
    for stopped in list("stopped") {
        if !stopped.get("floor").is_none_or(Value::is_null) {
            let rules = stopped.get("rules").cloned().unwrap_or_default();
            println!("  floor {rules} {}", text(&stopped, "cmd"));
        }
    }
    for broken in list("broken") {
        println!(
            "  row {}: {}",
            number(&broken, "line"),
            text(&broken, "why")
        );
    }
}

/// Percent of the commands with this decision.
fn share(report: &Value, decision: &str) -> f64 {
    let pointer = format!("/decisions/{decision}/percent");
    report
        .pointer(&pointer)
        .and_then(Value::as_f64)
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::rows;

    #[test]
    fn a_line_is_a_command_or_a_row() {
        let rows = rows("ls\n\n{\"cmd\":\"a\",\"cwd\":\"/x\"}\n{ echo; }\n");
        let rows: Vec<serde_json::Value> = rows
            .lines()
            .map(|line| serde_json::from_str(line).expect("a row"))
            .collect();
        let commands: Vec<&str> = rows.iter().filter_map(|row| row["cmd"].as_str()).collect();
        assert_eq!(commands, ["ls", "a", "{ echo; }"]);
        assert_eq!(rows[0]["cwd"], "/home/dev/proj");
        assert_eq!(rows[1]["cwd"], "/x");
        assert_eq!(rows[1]["env"]["HOME"], "/home/dev");
    }
}
