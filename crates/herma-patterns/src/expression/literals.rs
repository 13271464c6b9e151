//! Text that every match of an expression holds.

use regex_syntax::hir::{Class, Hir, HirKind};

/// Shorter literals are in every command.
const SHORTEST: usize = 2;

/// Most alternatives of which one must be there.
const MOST: usize = 32;

/// Literals in lower case, of which each text that matches holds one, whatever its case; none when
/// there are no such.
pub(super) fn required(tree: &Hir) -> Vec<Vec<u8>> {
    let found = of(tree).unwrap_or_default();
    if found.iter().all(|literal| literal.len() >= SHORTEST) {
        found
    } else {
        Vec::new()
    }
}

/// Alternatives of which one must be there; `None` when nothing must. The depth is that of the
/// expression, which the parser bounds.
fn of(tree: &Hir) -> Option<Vec<Vec<u8>>> {
    match tree.kind() {
        HirKind::Literal(_) | HirKind::Class(_) => Some(vec![exact(tree)?]),
        HirKind::Repetition(repetition) if repetition.min > 0 => of(&repetition.sub),
        HirKind::Empty | HirKind::Look(_) | HirKind::Repetition(_) => None,
        HirKind::Capture(capture) => of(&capture.sub),
        HirKind::Concat(parts) => sequence(parts),
        HirKind::Alternation(parts) => {
            let mut all = Vec::new();
            for part in parts {
                all.extend(of(part)?);
                if all.len() > MOST {
                    return None;
                }
            }
            Some(all)
        }
    }
}

/// The best of the parts, neighbours with one spelling taken together.
fn sequence(parts: &[Hir]) -> Option<Vec<Vec<u8>>> {
    let mut best: Option<Vec<Vec<u8>>> = None;
    let mut offer = |found: Vec<Vec<u8>>| {
        let shortest = |of: &Vec<Vec<u8>>| of.iter().map(Vec::len).min().unwrap_or(0);
        if best
            .as_ref()
            .is_none_or(|best| shortest(&found) > shortest(best))
        {
            best = Some(found);
        }
    };
    let mut run = Vec::new();
    for part in parts {
        if let Some(text) = exact(part) {
            run.extend(text);
            continue;
        }
        if !run.is_empty() {
            offer(vec![std::mem::take(&mut run)]);
        }
        if let Some(found) = of(part) {
            offer(found);
        }
    }
    if !run.is_empty() {
        offer(vec![run]);
    }
    best
}

/// The one text that this stands for but for its case, in lower case.
fn exact(tree: &Hir) -> Option<Vec<u8>> {
    match tree.kind() {
        HirKind::Literal(literal) => Some(literal.0.to_ascii_lowercase()),
        HirKind::Capture(capture) => exact(&capture.sub),
        HirKind::Class(Class::Bytes(class)) => {
            let mut letter = None;
            for range in class.ranges() {
                let low = range.start().to_ascii_lowercase();
                if range.start() != range.end() || letter.is_some_and(|letter| letter != low) {
                    return None;
                }
                letter = Some(low);
            }
            letter.map(|letter| vec![letter])
        }
        _ => None,
    }
}
