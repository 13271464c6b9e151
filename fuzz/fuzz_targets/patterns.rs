//! A glob says what its meaning says, and no expression that is taken loses a match or its bounds.
#![no_main]

use herma_patterns::{Expression, glob};
use libfuzzer_sys::fuzz_target;

/// By the definition, for short inputs.
fn means(pattern: &[u8], text: &[u8]) -> bool {
    match pattern.split_first() {
        None => text.is_empty(),
        Some((b'*', rest)) => (0..=text.len()).any(|at| means(rest, &text[at..])),
        Some((byte, rest)) => {
            text.split_first()
                .is_some_and(|(first, text)| first == byte && means(rest, text))
        }
    }
}

fuzz_target!(|input: (&str, &[u8])| {
    let (pattern, text) = input;
    let stars = pattern.bytes().filter(|byte| *byte == b'*').count();
    if stars <= 4 && text.len() <= 40 {
        let found = glob::matches(pattern.as_bytes(), text, false);
        assert_eq!(found, means(pattern.as_bytes(), text));
    } else {
        let _ = glob::matches(pattern.as_bytes(), text, true);
    }
    if let Ok(expression) = Expression::new(pattern) {
        let found = expression.matches(text);
        assert!(found != Some(true) || expression.seen(text));
    }
});
