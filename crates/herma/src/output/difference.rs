//! The difference between two versions of a text, as `diff -u` writes it.

use std::io::{self, Write};
use std::path::Path;

use anstyle::{AnsiColor, Style};

use super::visible;

const GONE: Style = AnsiColor::Red.on_default();
const COME: Style = AnsiColor::Green.on_default();

/// Lines around a change.
const AROUND: usize = 3;

/// Prints the one part in which the texts differ.
pub(crate) fn print(out: &mut impl Write, path: &Path, old: &str, new: &str) -> io::Result<()> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - head;
    let tail = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take(rest)
        .take_while(|(a, b)| a == b)
        .count();
    let from = head.saturating_sub(AROUND);
    let (old_end, new_end) = (old.len() - tail, new.len() - tail);
    let (old_to, new_to) = (
        (old_end + AROUND).min(old.len()),
        (new_end + AROUND).min(new.len()),
    );
    writeln!(out, "--- {}", path.display())?;
    writeln!(out, "+++ {}", path.display())?;
    writeln!(
        out,
        "@@ -{},{} +{},{} @@",
        (from + 1).min(old.len()),
        old_to - from,
        (from + 1).min(new.len()),
        new_to - from
    )?;
    let part = |lines: &[&str], range: std::ops::Range<usize>| -> Vec<String> {
        let lines = lines.get(range).unwrap_or_default();
        lines
            .iter()
            .map(|line| visible::line(line.as_bytes()))
            .collect()
    };
    for line in part(&old, from..head) {
        writeln!(out, " {line}")?;
    }
    for line in part(&old, head..old_end) {
        writeln!(out, "{GONE}-{line}{GONE:#}")?;
    }
    for line in part(&new, head..new_end) {
        writeln!(out, "{COME}+{line}{COME:#}")?;
    }
    for line in part(&old, old_end..old_to) {
        writeln!(out, " {line}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    fn diff(old: &str, new: &str) -> String {
        let mut out = Vec::new();
        super::print(&mut out, Path::new("/f"), old, new).expect("written");
        anstream::adapter::strip_bytes(&out)
            .into_vec()
            .try_into_string()
    }

    trait IntoText {
        fn try_into_string(self) -> String;
    }

    impl IntoText for Vec<u8> {
        fn try_into_string(self) -> String {
            String::from_utf8(self).expect("UTF-8")
        }
    }

    #[test]
    fn only_the_changed_part_and_three_lines_around() {
        assert_eq!(
            diff("1\n2\n3\n4\n5\n6\n7\n8\n", "1\n2\n3\n4\nx\ny\n5\n6\n7\n8\n"),
            "--- /f\n+++ /f\n@@ -2,6 +2,8 @@\n 2\n 3\n 4\n+x\n+y\n 5\n 6\n 7\n"
        );
        assert_eq!(diff("", "a\n"), "--- /f\n+++ /f\n@@ -0,0 +1,1 @@\n+a\n");
        assert_eq!(
            diff("a\na\n", "a\n"),
            "--- /f\n+++ /f\n@@ -1,2 +1,1 @@\n a\n-a\n"
        );
    }
}
