//! Points in time as RFC 3339 in UTC, without a calendar library in the hook's path.

use std::time::{SystemTime, UNIX_EPOCH};

const DAY: u64 = 86_400;

/// A point in time with microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timestamp {
    seconds: u64,
    micros: u32,
}

impl Timestamp {
    /// The present. A clock before 1970 gives 1970.
    #[must_use]
    pub fn now() -> Self {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        Self {
            seconds: since.as_secs(),
            micros: since.subsec_micros(),
        }
    }

    /// A point in seconds and microseconds since 1970.
    #[must_use]
    pub fn new(seconds: u64, micros: u32) -> Self {
        // The last second of the year 9999: four digits hold every year.
        const LAST: u64 = 253_402_300_799;
        Self {
            seconds: seconds.min(LAST),
            micros: micros.min(999_999),
        }
    }

    /// Whole days since 1970.
    #[must_use]
    pub fn days(self) -> u64 {
        self.seconds / DAY
    }

    /// `2026-12-01`.
    #[must_use]
    pub fn date(self) -> String {
        let (year, month, day) = civil(self.days());
        format!("{year:04}-{month:02}-{day:02}")
    }

    /// `2026-12-01T09:30:00.123456Z`.
    #[must_use]
    pub fn rfc3339(self) -> String {
        let second = self.seconds % DAY;
        format!(
            "{}T{:02}:{:02}:{:02}.{:06}Z",
            self.date(),
            second / 3600,
            second / 60 % 60,
            second % 60,
            self.micros
        )
    }

    /// `20261201T093000`, for file names.
    #[must_use]
    pub fn compact(self) -> String {
        let (year, month, day) = civil(self.days());
        let second = self.seconds % DAY;
        format!(
            "{year:04}{month:02}{day:02}T{:02}{:02}{:02}",
            second / 3600,
            second / 60 % 60,
            second % 60
        )
    }
}

/// Year, month and day of a number of days since 1970, by eras of 400 years that begin in March,
/// so that the leap day is the last of its year.
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 {
        from_march + 3
    } else {
        from_march - 9
    };
    (era * 400 + year + u64::from(month <= 2), month, day)
}

/// Days since 1970 of `2026-12-01`; `None` when it is no date.
pub(crate) fn days_of(date: &str) -> Option<u64> {
    let mut parts = date.splitn(3, '-').map(str::parse::<u64>);
    let (year, month, day) = (
        parts.next()?.ok()?,
        parts.next()?.ok()?,
        parts.next()?.ok()?,
    );
    if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let year = year - u64::from(month <= 2);
    let from_march = if month > 2 { month - 3 } else { month + 9 };
    let of_year = (153 * from_march + 2) / 5 + day - 1;
    let of_era = year % 400;
    let days = year / 400 * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year;
    days.checked_sub(719_468)
}

#[cfg(test)]
mod tests {
    use super::{Timestamp, days_of};

    #[test]
    fn known_points_are_written_as_the_calendar_says() {
        let written = |seconds| Timestamp::new(seconds, 7).rfc3339();
        assert_eq!(written(0), "1970-01-01T00:00:00.000007Z");
        assert_eq!(written(951_782_399), "2000-02-28T23:59:59.000007Z");
        assert_eq!(written(951_782_400), "2000-02-29T00:00:00.000007Z");
        assert_eq!(written(1_796_117_400), "2026-12-01T09:30:00.000007Z");
        assert_eq!(written(4_107_542_400), "2100-03-01T00:00:00.000007Z");
        assert_eq!(written(u64::MAX), "9999-12-31T23:59:59.000007Z");
        assert_eq!(
            Timestamp::new(1_796_117_400, 0).compact(),
            "20261201T093000"
        );
    }

    #[test]
    fn every_day_of_two_centuries_is_read_back() {
        for day in 0..73_000 {
            let date = Timestamp::new(day * 86_400, 0).date();
            assert_eq!(days_of(&date), Some(day), "{date}");
        }
    }

    #[test]
    fn other_words_are_no_dates() {
        for word in [
            "",
            "2026",
            "2026-13-01",
            "1969-12-31",
            "a-b-c",
            "2026-00-01",
        ] {
            assert_eq!(days_of(word), None, "{word}");
        }
    }
}
