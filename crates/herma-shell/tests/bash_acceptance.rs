//! Acceptance against `bash -n`.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "what fails here fails the test"
)]
#![expect(clippy::print_stdout, reason = "the seed and the differences of a run")]

mod bash;
mod texts;
mod tree;

use bash::Patterns;
use herma_shell::Source;
use herma_shell::syntax::{Dialect, parse};

fn accepted(text: &[u8]) -> bool {
    parse(&Source::original(text.to_vec()), Dialect::Bash)
        .errors
        .is_empty()
}

/// How we and bash differ over the text. Pattern lists are always known to us: there bash with
/// `extglob` may be the judge.
fn difference(text: &[u8]) -> Option<String> {
    let ours = accepted(text);
    let theirs =
        bash::accepts(text, Patterns::Plain) || (ours && bash::accepts(text, Patterns::Extended));
    let which = match (ours, theirs) {
        (true, false) => "lax",
        (false, true) => "strict",
        _ => return None,
    };
    Some(format!("{which:6} {:?}", String::from_utf8_lossy(text)))
}

/// Texts over which we and bash differ, with the reason.
const DIFFERENCES: [(&str, &str); 14] = [
    // bash reads `$((` as bytes up to its parenthesis, and as commands when it runs it.
    ("echo $((if) )", "strict"),
    // So it does with backticks …
    ("echo `if`", "strict"),
    ("echo `a \"b`", "strict"),
    ("echo `a $(b`", "strict"),
    ("echo `a ${b`", "strict"),
    ("echo `a \\`b`", "strict"),
    // … and with bodies of here-documents.
    ("cat <<A $(cat <<B\nx\nB\n)\nbody $(x\nA\nb", "strict"),
    ("cat <<E\n${x\nE\n", "strict"),
    ("cat <<E\n$(if\nE\n", "strict"),
    ("cat <<E\n`if\nE\n", "strict"),
    ("cat <<E\n$(a\nE\nb", "strict"),
    ("cat <<E\n$((1\nE\n", "strict"),
    // A command substitution since bash 5.3, an error at run time before.
    ("echo ${ a}", "strict"),
    // bash has read the line as an expression when it finds that it is none, and stumbles over the
    // newline.
    ("((1)\n)", "lax"),
];

#[test]
fn the_texts_are_accepted_as_bash_accepts_them() {
    if !bash::present() {
        return;
    }
    let found: Vec<String> = texts::all()
        .filter_map(|text| difference(text.as_bytes()))
        .collect();
    let mut expected: Vec<String> = DIFFERENCES
        .iter()
        .map(|(text, which)| format!("{which:6} {text:?}"))
        .collect();
    for difference in &found {
        let known = expected.iter().position(|text| text == difference);
        assert!(known.is_some(), "new difference: {difference}");
        known.map(|index| expected.remove(index));
    }
    assert!(expected.is_empty(), "no difference any more: {expected:?}");
}

/// A small generator, so that a run can be repeated from its seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % (bound.max(1) as u64)).expect("small")
    }
}

const TOKENS: [&str; 44] = [
    "'", "\"", "`", "\\", "$", "(", ")", "{", "}", ";", "&", "|", "<", ">", "<<", "<<E", "\n", " ",
    "#", "=", "[", "]", "[[", "]]", "((", "))", "$(", "${", "!", "if ", "then ", "fi ", "do ",
    "done ", "case ", "esac", ";;", "for ", "in ", "zz9 ", "{ ", " }", "\\\n", "E\n",
];

fn mutated(corpus: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut text = corpus[random.below(corpus.len())].clone();
    for _ in 0..=random.below(2) {
        let at = random.below(text.len() + 1);
        match random.below(4) {
            0 => {
                let other = &corpus[random.below(corpus.len())];
                text.truncate(at);
                text.extend_from_slice(&other[random.below(other.len() + 1)..]);
            }
            1 => {
                let end = (at + 1 + random.below(3)).min(text.len());
                text.drain(at..end);
            }
            2 => {
                let other = &corpus[random.below(corpus.len())];
                let from = random.below(other.len() + 1);
                let to = (from + random.below(12)).min(other.len());
                text.splice(at..at, other[from..to].iter().copied());
            }
            _ => {
                let token = TOKENS[random.below(TOKENS.len())];
                text.splice(at..at, token.bytes());
            }
        }
    }
    text.retain(|byte| *byte != 0);
    text
}

fn corpus() -> Vec<Vec<u8>> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../corpus/shell/parse.jsonl"
    );
    let rows = std::fs::read_to_string(path).expect("the corpus");
    let mut texts: Vec<Vec<u8>> = rows
        .lines()
        .map(|line| {
            let row: serde_json::Value = serde_json::from_str(line).expect("a row");
            row["src"]
                .as_str()
                .expect("src")
                .replace('\0', "")
                .into_bytes()
        })
        .collect();
    texts.extend(texts::all().map(|text| text.as_bytes().to_vec()));
    texts
}

fn variable(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|value| value.parse().ok())
        .unwrap_or(default)
}

/// Mutations of the corpus, repeatable from the seed that is printed.
fn mutations() -> impl Iterator<Item = Vec<u8>> {
    let seed = variable("HERMA_SEED", 7);
    let count = variable("HERMA_MUTATIONS", 5000);
    println!("HERMA_SEED={seed} HERMA_MUTATIONS={count}");
    let corpus = corpus();
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    (0..count).map(move |_| mutated(&corpus, &mut random))
}

/// bash reads these only when it runs them: backticks, `$((`, `${`, bodies of here-documents.
/// There `bash -n` accepts what fails later.
fn read_later(text: &[u8]) -> bool {
    [&b"`"[..], b"$((", b"${", b"<<"]
        .iter()
        .any(|mark| bash::contains(text, mark))
}

#[test]
fn mutations_are_accepted_as_bash_accepts_them() {
    if !bash::present() {
        return;
    }
    let mut count = 0;
    let mut later = Vec::new();
    let mut differences = Vec::new();
    for text in mutations() {
        count += 1;
        if let Some(difference) = difference(&text) {
            if read_later(&text) && difference.starts_with("strict") {
                later.push(difference);
            } else {
                differences.push(difference);
            }
        }
    }
    println!("{} read later by bash\n{}", later.len(), later.join("\n"));
    println!("{} others\n{}", differences.len(), differences.join("\n"));
    assert!(later.len() * 50 <= count, "less than 98 % agree");
    assert!(differences.len() * 200 <= count, "less than 99.5 % agree");
}

/// The simple commands of a text, sorted, each as its words.
fn commands(text: &[u8]) -> Option<Vec<String>> {
    let parsed = parse(&Source::original(text.to_vec()), Dialect::Bash);
    if !parsed.errors.is_empty() {
        return None;
    }
    let [function, print] = parsed.list.items.as_slice() else {
        return None;
    };
    let is_function = |item: &herma_shell::syntax::AndOr| {
        item.rest.is_empty()
            && matches!(
                item.first.stages.as_slice(),
                [herma_shell::syntax::Command {
                    kind: herma_shell::syntax::CommandKind::Function { .. },
                    redirects,
                    ..
                }] if redirects.is_empty()
            )
    };
    if !is_function(function) || print.first.stages.len() != 1 || !print.rest.is_empty() {
        return None;
    }
    let mut shape = tree::walk(&parsed.list, b"zz9").shape;
    shape.sort();
    Some(shape)
}

/// bash puts redirections behind the words and leaves the parenthesis of `(esac)` out, so that some
/// words become reserved words.
fn misprinted(commands: &[String], printed: &[u8]) -> bool {
    let reserved = [
        "!", "{", "}", "[[", "if", "then", "elif", "else", "fi", "for", "select", "while", "until",
        "do", "done", "case", "in", "esac", "function", "time", "coproc",
    ];
    bash::contains(printed, b" esac)")
        || commands.iter().any(|command| {
            let word = command.split(' ').next().unwrap_or_default();
            reserved.contains(&word)
        })
}

/// bash prints a function in its own canonical form, where every command stands on its line. The
/// commands that we find in the text must be those that we find in that form.
#[test]
fn the_commands_are_those_of_the_form_that_bash_prints() {
    if !bash::present() {
        return;
    }
    let mut compared = 0;
    let mut wrong = Vec::new();
    let texts = texts::all().map(|text| text.as_bytes().to_vec());
    for text in texts.chain(corpus()).chain(mutations()) {
        // Only what defines one function and prints it is given to bash.
        let Some(ours) = commands(&bash::as_function(&text)) else {
            continue;
        };
        let Some(printed) = bash::printed(&text) else {
            continue;
        };
        if misprinted(&ours, &printed) {
            continue;
        }
        compared += 1;
        let again = String::from_utf8_lossy(&printed).replace("coproc COPROC ", "coproc ")
            + "\ndeclare -f f\n";
        let theirs = commands(again.as_bytes());
        if theirs.as_ref() != Some(&ours) {
            wrong.push(format!(
                "{:?}\n  printed {:?}\n  ours   {ours:?}\n  theirs {theirs:?}",
                String::from_utf8_lossy(&text),
                String::from_utf8_lossy(&printed)
            ));
        }
    }
    println!(
        "{compared} compared, {} differ\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(compared > 2000, "only {compared} compared");
    assert!(wrong.len() * 200 <= compared, "less than 99.5 % agree");
}
