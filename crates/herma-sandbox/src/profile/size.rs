//! Sizes as people write them.

const UNITS: &[(&str, u32)] = &[("KiB", 10), ("MiB", 20), ("GiB", 30), ("TiB", 40), ("B", 0)];

/// The number of bytes of `4 GiB`, `512MiB` or `100`; `None` for anything else, or when it does
/// not fit.
#[must_use]
pub fn size(text: &str) -> Option<u64> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at_checked(digits)?;
    let number: u64 = number.parse().ok()?;
    let unit = unit.strip_prefix(' ').unwrap_or(unit);
    if unit.is_empty() {
        return (digits == text.len()).then_some(number);
    }
    let (_, shift) = UNITS.iter().find(|(name, _)| *name == unit)?;
    number.checked_mul(1 << shift)
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_have_binary_units_or_none() {
        assert_eq!(size("0"), Some(0));
        assert_eq!(size("100"), Some(100));
        assert_eq!(size("4 GiB"), Some(4 << 30));
        assert_eq!(size("512MiB"), Some(512 << 20));
        assert_eq!(size("7 B"), Some(7));
        for wrong in [
            "",
            " ",
            "4 ",
            "GiB",
            "4 gib",
            "4GB",
            "-1",
            "4  GiB",
            "1.5 GiB",
            "99999999999 TiB",
            "４",
        ] {
            assert_eq!(size(wrong), None, "{wrong:?}");
        }
    }
}
