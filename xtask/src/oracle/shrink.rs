//! Delta debugging: the smallest script that still shows a fault.

/// Removes parts of `script` as long as `fails` holds, asking at most `budget` times.
pub(crate) fn shrink(
    script: &[u8],
    mut budget: usize,
    mut fails: impl FnMut(&[u8]) -> bool,
) -> Vec<u8> {
    let mut best = script.to_vec();
    let mut parts = 2;
    while best.len() > 1 && budget > 0 {
        let size = best.len().div_ceil(parts).max(1);
        let mut removed = false;
        let mut start = 0;
        while start < best.len() && budget > 0 {
            let end = (start + size).min(best.len());
            let mut candidate = best[..start].to_vec();
            candidate.extend_from_slice(&best[end..]);
            budget -= 1;
            if fails(&candidate) {
                best = candidate;
                removed = true;
            } else {
                start = end;
            }
        }
        if removed && size > 1 {
            continue;
        }
        if size == 1 {
            if !removed {
                break;
            }
        } else {
            parts = (parts * 2).min(best.len());
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::shrink;

    #[test]
    fn what_does_not_matter_is_removed() {
        let small = shrink(b"aaaa bb xyz cc dddd", 500, |text| {
            text.windows(3).any(|w| w == b"xyz")
        });
        assert_eq!(small, b"xyz");
    }

    #[test]
    fn the_budget_holds() {
        let mut asked = 0;
        shrink(&[b'a'; 1000], 10, |_| {
            asked += 1;
            false
        });
        assert_eq!(asked, 10);
    }
}
