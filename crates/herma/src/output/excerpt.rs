//! The part of a command line around a span, in printable form.

use std::ops::Range;

use super::visible::Visible;

/// How many bytes are shown in front of a span and behind it.
const AROUND: usize = 60;

/// How many bytes of a span are shown.
const WITHIN: usize = 160;

/// One line of the text, cut to what matters.
#[derive(Debug)]
pub(crate) struct Excerpt {
    /// The line in printable form.
    pub(crate) text: String,
    /// Its number in the given text, from 1.
    pub(crate) number: usize,
    /// The span within `text`.
    pub(crate) span: Range<usize>,
}

impl Excerpt {
    /// The line on which the span begins. A span over several lines is shown up to the end of the
    /// first.
    pub(crate) fn new(text: &[u8], span: Range<usize>) -> Self {
        let start = span.start.min(text.len());
        let head = text.get(..start).unwrap_or_default();
        let first = head
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |at| at + 1);
        let rest = text.get(start..).unwrap_or_default();
        let last = rest
            .iter()
            .position(|byte| *byte == b'\n')
            .map_or(text.len(), |at| start + at);
        let end = span.end.clamp(start, last);
        let from = boundary(text, start.saturating_sub(AROUND).max(first), first);
        let marked = end.min(start.saturating_add(WITHIN));
        let to = boundary(text, marked.saturating_add(AROUND).min(last), from);
        let shown = Visible::new(text.get(from..to).unwrap_or_default());
        let marks = shown.at(start - from)..shown.end(marked.min(to) - from);
        let lead = if from > first { "…" } else { "" };
        let tail = if to < last { "…" } else { "" };
        Self {
            text: format!("{lead}{}{tail}", shown.text),
            number: head.iter().filter(|byte| **byte == b'\n').count() + 1,
            span: marks.start + lead.len()..marks.end + lead.len(),
        }
    }
}

/// The nearest offset at or before `at`, not below `least`, that is not inside a character.
fn boundary(text: &[u8], at: usize, least: usize) -> usize {
    let inside = |at: usize| text.get(at).is_some_and(|byte| byte & 0xc0 == 0x80);
    (at.saturating_sub(3).max(least)..=at)
        .rev()
        .find(|at| !inside(*at))
        .unwrap_or(at)
}

#[cfg(test)]
mod tests {
    use super::Excerpt;

    fn marked(excerpt: &Excerpt) -> &str {
        &excerpt.text[excerpt.span.clone()]
    }

    #[test]
    fn a_short_line_is_shown_whole() {
        let excerpt = Excerpt::new(b"echo a; rm -rf /", 8..16);
        assert_eq!(excerpt.text, "echo a; rm -rf /");
        assert_eq!(marked(&excerpt), "rm -rf /");
        assert_eq!(excerpt.number, 1);
    }

    #[test]
    fn only_the_line_of_the_span_is_shown() {
        let excerpt = Excerpt::new(b"a\nbb\nrm -rf /\nc", 5..15);
        assert_eq!(excerpt.text, "rm -rf /");
        assert_eq!(marked(&excerpt), "rm -rf /");
        assert_eq!(excerpt.number, 3);
    }

    #[test]
    fn a_long_line_is_cut_around_the_span() {
        let text = format!(
            "echo {}; reboot; echo {}",
            "ü".repeat(500),
            "猫".repeat(500)
        );
        let at = text.find("reboot").expect("there");
        let excerpt = Excerpt::new(text.as_bytes(), at..at + 6);
        assert_eq!(marked(&excerpt), "reboot");
        assert!(excerpt.text.starts_with('…') && excerpt.text.ends_with('…'));
        assert!(excerpt.text.len() < 200 && !excerpt.text.contains("\\x"));
    }

    #[test]
    fn a_long_span_is_cut() {
        let text = "x".repeat(10_000);
        let excerpt = Excerpt::new(text.as_bytes(), 0..10_000);
        assert!(excerpt.text.len() < 300);
        assert!(excerpt.span.end <= excerpt.text.len());
    }

    #[test]
    fn a_span_outside_of_the_text_is_its_end() {
        let excerpt = Excerpt::new(b"ls", 90..95);
        assert_eq!(marked(&excerpt), "");
        let excerpt = Excerpt::new(b"", 0..0);
        assert_eq!(excerpt.text, "");
    }
}
