//! Files that code loads: modules and scripts beside it.

use super::Language;

/// More are not looked for.
const MOST: usize = 16;
/// The longest name of a module or file, in bytes.
const LONGEST: usize = 256;

/// Paths, relative to the code's directory, of which the code loads those that are there.
pub(crate) fn loads(language: Language, code: &[u8]) -> Vec<String> {
    let mut out = Vec::new();
    match language {
        Language::Python => {
            for statement in code.split(|byte| matches!(byte, b'\n' | b';')) {
                let statement = String::from_utf8_lossy(
                    statement
                        .get(..LONGEST.min(statement.len()))
                        .unwrap_or_default(),
                );
                for module in imported(&statement) {
                    let path = module.trim_start_matches('.').replace('.', "/");
                    if !path.is_empty() {
                        out.extend([format!("{path}.py"), format!("{path}/__init__.py")]);
                    }
                }
                if out.len() >= MOST {
                    break;
                }
            }
        }
        Language::JavaScript => {
            for name in named(code, &[b"require", b"import", b"from"]) {
                if name.starts_with('.') {
                    let name = name.trim_start_matches("./");
                    out.extend(
                        ["", ".js", ".mjs", ".cjs", ".ts", "/index.js"]
                            .map(|end| format!("{name}{end}")),
                    );
                }
            }
        }
        Language::Ruby => {
            for name in named(code, &[b"require_relative", b"require", b"load"]) {
                out.extend([name.clone(), format!("{name}.rb")]);
            }
        }
        Language::Perl => out.extend(named(code, &[b"require", b"do"])),
        Language::Php => out.extend(named(
            code,
            &[b"require", b"include", b"require_once", b"include_once"],
        )),
        Language::Lua => {
            for name in named(code, &[b"require", b"dofile", b"loadfile"]) {
                out.extend([name.clone(), format!("{}.lua", name.replace('.', "/"))]);
            }
        }
        _ => {}
    }
    out.truncate(MOST * 2);
    out
}

/// Modules behind `import` and `from` in a statement of Python.
fn imported(statement: &str) -> Vec<&str> {
    let mut words = statement
        .trim()
        .split([' ', ','])
        .filter(|word| !word.is_empty());
    match words.next() {
        Some("import") => words.take_while(|word| *word != "#").take(MOST).collect(),
        Some("from") => words.next().into_iter().collect(),
        _ => Vec::new(),
    }
}

/// The literals behind these words, with only blanks and a parenthesis between.
fn named(code: &[u8], words: &[&[u8]]) -> Vec<String> {
    let mut out = Vec::new();
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let mut at = 0;
    while at < code.len() && out.len() < MOST {
        let rest = code.get(at..).unwrap_or_default();
        let length = rest.iter().take_while(|byte| is_name(byte)).count();
        let word = rest.get(..length).unwrap_or_default();
        at += length.max(1);
        if !words.contains(&word) {
            continue;
        }
        let behind = code.get(at..).unwrap_or_default();
        let gap = behind
            .iter()
            .take(8)
            .take_while(|byte| matches!(byte, b' ' | b'('))
            .count();
        let Some(quote @ (b'"' | b'\'' | b'`')) = behind.get(gap) else {
            continue;
        };
        let text: Vec<u8> = behind
            .iter()
            .skip(gap + 1)
            .take(LONGEST)
            .take_while(|byte| *byte != quote)
            .copied()
            .collect();
        out.push(String::from_utf8_lossy(&text).into_owned());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_files_beside_the_code() {
        let found = loads(
            Language::Python,
            b"import os, a.b as c\nfrom .d import e; x = 1",
        );
        for file in ["os.py", "a/b.py", "d.py", "d/__init__.py"] {
            assert!(found.iter().any(|own| own == file), "{file}");
        }
        let found = loads(
            Language::JavaScript,
            b"require('./a'); import x from \"./b.mjs\"; require('fs')",
        );
        for file in ["a.js", "b.mjs"] {
            assert!(found.iter().any(|own| own == file), "{file}");
        }
        assert!(!found.iter().any(|own| own.starts_with("fs")));
        let found = loads(Language::Ruby, b"require_relative 'a'");
        assert!(found.iter().any(|own| own == "a.rb"));
    }
}
