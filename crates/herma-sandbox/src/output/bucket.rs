//! A token bucket: much at once, little for long.

use std::time::Duration;

/// Bytes that may come at once.
pub const BURST: u64 = 8 << 20;

/// Bytes a second behind that.
pub const RATE: u64 = 512 << 10;

/// Bytes for which it is worth waking up.
const PORTION: u64 = 16 << 10;

const SECOND: u128 = 1_000_000_000;

/// Bytes that may pass. Times are of any clock that does not go back.
#[derive(Clone, Debug)]
pub struct Bucket {
    burst: u64,
    rate: u64,
    level: u64,
    /// Until when the level was filled.
    filled: Duration,
}

impl Bucket {
    /// A full one with the usual sizes.
    #[must_use]
    pub fn new(now: Duration) -> Self {
        Self::with(BURST, RATE, now)
    }

    /// A full one of `burst` bytes into which `rate` bytes flow a second; both are at least 1.
    #[must_use]
    pub fn with(burst: u64, rate: u64, now: Duration) -> Self {
        Self {
            burst: burst.max(1),
            rate: rate.max(1),
            level: burst.max(1),
            filled: now,
        }
    }

    /// Takes up to `want` bytes; how many it were.
    pub fn take(&mut self, want: usize, now: Duration) -> usize {
        self.fill(now);
        let taken = self.level.min(want as u64);
        self.level -= taken;
        usize::try_from(taken).unwrap_or(want)
    }

    /// Gives back what was taken and not used.
    pub fn put_back(&mut self, unused: usize) {
        self.level = self.level.saturating_add(unused as u64).min(self.burst);
    }

    /// How long to wait until it is worth taking again; zero when it is now.
    #[must_use]
    pub fn wait(&self, now: Duration) -> Duration {
        let mut then = self.clone();
        then.fill(now);
        let missing = PORTION.min(self.burst).saturating_sub(then.level);
        let nanoseconds = (u128::from(missing) * SECOND).div_ceil(u128::from(self.rate));
        Duration::from_nanos(u64::try_from(nanoseconds).unwrap_or(u64::MAX))
            .saturating_sub(now.saturating_sub(then.filled))
    }

    fn fill(&mut self, now: Duration) {
        let elapsed = now.saturating_sub(self.filled).as_nanos();
        let earned = elapsed.saturating_mul(u128::from(self.rate)) / SECOND;
        if u128::from(self.level) + earned >= u128::from(self.burst) {
            self.level = self.burst;
            self.filled = self.filled.max(now);
            return;
        }
        let earned = u64::try_from(earned).unwrap_or(u64::MAX);
        self.level += earned;
        // The time of a part of a byte counts on.
        let used = u128::from(earned) * SECOND / u128::from(self.rate);
        self.filled += Duration::from_nanos(u64::try_from(used).unwrap_or(u64::MAX));
    }
}

/// Bytes that may pass in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cap {
    left: u64,
    dropped: u64,
}

impl Cap {
    /// At most so many bytes.
    #[must_use]
    pub fn new(most: u64) -> Self {
        Self {
            left: most,
            dropped: 0,
        }
    }

    /// The part of `bytes` that may still pass.
    pub fn pass<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        let length = usize::try_from(self.left)
            .unwrap_or(usize::MAX)
            .min(bytes.len());
        let (kept, dropped) = bytes.split_at_checked(length).unwrap_or((bytes, &[]));
        self.left -= kept.len() as u64;
        self.dropped = self.dropped.saturating_add(dropped.len() as u64);
        kept
    }

    /// How many bytes did not pass.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.dropped
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const fn at(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn eight_mebibytes_come_at_once_and_half_a_mebibyte_a_second_behind_them() {
        let mut bucket = Bucket::new(at(5));
        assert_eq!(bucket.take(30_000_000, at(5)), 8 << 20);
        assert_eq!(bucket.take(30_000_000, at(5)), 0);
        assert_eq!(bucket.wait(at(5)), Duration::from_micros(31_250));
        assert_eq!(bucket.take(30_000_000, at(1005)), 512 << 10);
        assert_eq!(bucket.take(30_000_000, at(11_005)), 5 << 20);
    }

    #[test]
    fn a_pause_fills_it_again_and_no_further() {
        let mut bucket = Bucket::with(100, 10, at(0));
        assert_eq!(bucket.take(1000, at(0)), 100);
        assert_eq!(bucket.take(1000, at(100_000)), 100);
        bucket.put_back(1000);
        assert_eq!(bucket.take(1000, at(100_000)), 100);
    }

    #[test]
    fn a_clock_that_stands_still_or_goes_back_gives_nothing() {
        let mut bucket = Bucket::with(100, 10, at(1000));
        assert_eq!(bucket.take(100, at(1000)), 100);
        assert_eq!(bucket.take(1, at(0)), 0);
        assert_eq!(bucket.take(1, at(1000)), 0);
        assert_eq!(bucket.take(2, at(1100)), 1);
    }

    #[test]
    fn a_cap_ends_output_and_counts_the_rest() {
        let mut cap = Cap::new(5);
        assert_eq!(cap.pass(b"abc"), b"abc");
        assert_eq!(cap.pass(b"defg"), b"de");
        assert_eq!(cap.pass(b"h"), b"");
        assert_eq!(cap.dropped(), 3);
    }

    proptest! {
        #[test]
        fn no_more_passes_than_burst_and_rate_allow(
            burst in 1_u64..10_000, rate in 1_u64..5_000,
            steps in prop::collection::vec((0_u64..3_000, 0_usize..20_000), 1..60),
        ) {
            let mut bucket = Bucket::with(burst, rate, at(0));
            let (mut now, mut passed) = (0, 0_u64);
            for (pause, want) in steps {
                now += pause;
                passed += bucket.take(want, at(now)) as u64;
                prop_assert!(passed <= burst + rate * now / 1000);
            }
        }

        #[test]
        fn who_waits_as_told_gets_something(burst in 1_u64..100_000, rate in 1_u64..5_000_000, taken in 0_usize..200_000) {
            let mut bucket = Bucket::with(burst, rate, at(0));
            bucket.take(taken, at(0));
            let later = bucket.wait(at(0));
            prop_assert!(bucket.take(1, later) == 1);
        }

        #[test]
        fn many_small_takes_pass_what_one_large_does(times in prop::collection::vec(1_u64..50, 1..200)) {
            let mut small = Bucket::with(1, 777, at(0));
            let mut large = Bucket::with(100_000, 777, at(0));
            large.take(100_000, at(0));
            small.take(1, at(0));
            let mut now = 0;
            for pause in &times {
                now += pause;
                large.take(0, at(now));
            }
            let got = large.take(100_000, at(now)) as u64;
            prop_assert_eq!(got, 777 * now / 1000);
        }
    }
}
