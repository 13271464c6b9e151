//! Short fingerprints of long answers, to find those that are equal.
//!
//! The keys are new in each process, so that hostile text cannot aim for equal ones, and equal ones
//! are compared anyway. A stronger hash took a tenth of the time of a script.

use std::hash::{BuildHasher, Hash, Hasher, RandomState};

/// The keys.
pub(crate) struct Fingerprints {
    start: u64,
    factor: u64,
}

impl Default for Fingerprints {
    fn default() -> Self {
        let random = RandomState::new();
        Self {
            start: random.hash_one(0),
            factor: random.hash_one(1) | 1,
        }
    }
}

impl Fingerprints {
    pub(crate) fn of(&self, value: &impl Hash) -> u64 {
        let mut hasher = Folding {
            state: self.start,
            factor: self.factor,
        };
        value.hash(&mut hasher);
        hasher.finish()
    }
}

/// Multiplies what it gets and folds both halves of the product together.
struct Folding {
    state: u64,
    factor: u64,
}

impl Hasher for Folding {
    fn finish(&self) -> u64 {
        self.state
    }

    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.write_u64(u64::from_le_bytes(*word));
        }
        let last = rest
            .iter()
            .fold(rest.len() as u64, |word, byte| word << 8 | u64::from(*byte));
        self.write_u64(last);
    }

    fn write_u8(&mut self, value: u8) {
        self.write_u64(value.into());
    }

    fn write_u32(&mut self, value: u32) {
        self.write_u64(value.into());
    }

    fn write_u64(&mut self, value: u64) {
        let product = u128::from(self.state ^ value) * u128::from(self.factor);
        let (low, high) = (product as u64, (product >> 64) as u64);
        self.state = low ^ high;
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::Fingerprints;

    #[test]
    fn what_differs_in_one_byte_or_in_length_has_another_fingerprint() {
        let fingerprints = Fingerprints::default();
        let mut texts: Vec<Vec<u8>> = (0..40).map(|length| vec![0; length]).collect();
        texts.extend((0..40).map(|at| (0..40).map(|n| u8::from(n == at)).collect()));
        let mut seen: Vec<u64> = texts.iter().map(|text| fingerprints.of(text)).collect();
        assert_eq!(
            fingerprints.of(&texts[3]),
            fingerprints.of(&texts[3].clone())
        );
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), texts.len());
    }

    #[test]
    fn keys_are_new_each_time() {
        assert_ne!(
            Fingerprints::default().of(&"a"),
            Fingerprints::default().of(&"a")
        );
    }
}
