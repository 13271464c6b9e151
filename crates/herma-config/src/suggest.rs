//! What a misspelt name was meant to be.

/// The candidate nearest to `name`, when it is near enough to be a slip of the hand: at most one
/// edit for every three characters. The first of equals wins.
#[must_use]
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Longer names are no slips of the hand, and the distance costs the product of the lengths.
    if name.len() > 64 {
        return None;
    }
    let limit = (name.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Insertions, deletions, replacements and swaps of neighbours between two words.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    let mut previous = None;
    for (i, a) in left.chars().enumerate() {
        let mut next = Vec::with_capacity(row.len());
        next.push(i + 1);
        for (j, b) in right.iter().enumerate() {
            let at =
                |row: &[usize], index: usize| row.get(index).copied().unwrap_or(usize::MAX / 2);
            let mut cost = (at(&row, j) + usize::from(a != *b))
                .min(at(&row, j + 1) + 1)
                .min(at(&next, j) + 1);
            let swapped = j > 0 && right.get(j - 1) == Some(&a) && previous == Some(*b);
            if swapped {
                cost = cost.min(at(&before, j - 1) + 1);
            }
            next.push(cost);
        }
        before = std::mem::replace(&mut row, next);
        previous = Some(a);
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_slip_of_the_hand_finds_its_name() {
        let names = ["mode", "deadline_ms", "blocked_days", "audit_days"];
        assert_eq!(nearest("mdoe", names), Some("mode"));
        assert_eq!(nearest("deadline", names), None);
        assert_eq!(nearest("deadlinems", names), Some("deadline_ms"));
        assert_eq!(nearest("block_days", names), Some("blocked_days"));
    }

    #[test]
    fn another_word_finds_nothing() {
        assert_eq!(nearest("colour", ["mode", "packs"]), None);
        assert_eq!(nearest(&"x".repeat(1000), ["mode"]), None);
    }
}
