//! Programs that pass their input on, whole or in part.

use super::options::{Options, number};
use super::{Run, stream};
use crate::execution::Arg;
use crate::value::Value;

/// How many bytes `fold` takes apart.
const MAX_FOLDED: usize = 1 << 16;

pub(super) fn filter(run: &mut Run<'_>) -> Value {
    match run.name {
        b"cat" => cat(run),
        b"tee" | b"sponge" | b"buffer" => run.standard_input(),
        b"pv" => {
            let options = run.options(b"LBsNi", &[]);
            run.input(&options.operands)
        }
        b"dd" => dd(run),
        b"head" => head(run),
        b"tail" => tail(run),
        b"cut" => cut(run),
        b"grep" | b"fgrep" => grep(run),
        b"tac" | b"sort" | b"uniq" => reorder(run),
        b"paste" => paste(run),
        b"fold" => fold(run),
        _ => {
            let options = run.options(b"wsnbhiltv", &[]);
            let input = run.input(&options.operands);
            run.derived(&input)
        }
    }
}

fn cat(run: &mut Run<'_>) -> Value {
    let options = run.options(b"", &[]);
    let input = run.input(&options.operands);
    let changes = [
        (b'n', "number"),
        (b'b', "number-nonblank"),
        (b'A', "show-all"),
        (b'E', "show-ends"),
        (b'e', ""),
        (b's', "squeeze-blank"),
    ];
    if changes
        .iter()
        .any(|(letter, long)| options.has(*letter, long))
    {
        return run.derived(&input);
    }
    input
}

fn dd(run: &mut Run<'_>) -> Value {
    let mut file = None;
    let mut prints = true;
    for word in run.words {
        let prefix = word.value.known_prefix();
        if prefix.starts_with(b"of=") {
            let target = stream::slice(&word.value, 3, usize::MAX);
            prints = run.files.descriptor(&target).is_some();
        } else if prefix.starts_with(b"if=") {
            file = Some(stream::slice(&word.value, 3, usize::MAX));
        }
    }
    if !prints {
        return Value::empty();
    }
    let input = run.input(file.as_slice());
    let parts = [&b"skip="[..], b"count=", b"conv=", b"iseek="];
    let changes = run.words.iter().any(|word| {
        let prefix = word.value.known_prefix();
        parts.iter().any(|part| prefix.starts_with(part))
    });
    if changes { run.derived(&input) } else { input }
}

/// Which part `head` and `tail` print.
enum Extent {
    Lines(usize),
    Bytes(usize),
    /// `head -n -N`
    LinesButLast(usize),
    /// `tail -n +N`
    LinesFrom(usize),
    /// `tail -c +N`
    BytesFrom(usize),
}

/// The extent that the options give and the operands; `None` when a number is not understood.
fn extent(run: &Run<'_>) -> Option<(Extent, Vec<Value>)> {
    // `-5` is `-n 5`.
    if let Some((first, rest)) = run.words.split_first() {
        let bytes = first.value.bytes()?;
        if let Some(count) = bytes.strip_prefix(b"-").and_then(number) {
            return Some((
                Extent::Lines(count),
                rest.iter().map(|arg| arg.value.clone()).collect(),
            ));
        }
    }
    let options = run.options(b"ncs", &["lines", "bytes"]);
    let extent = if let Some(value) = options.bytes(b'c', "bytes") {
        match value.split_first() {
            Some((b'+', rest)) => Extent::BytesFrom(number(rest)?),
            Some((b'-', rest)) if run.name == b"tail" => Extent::Bytes(number(rest)?),
            _ => Extent::Bytes(number(&value)?),
        }
    } else if options.has(b'n', "lines") {
        let value = options.bytes(b'n', "lines")?;
        match value.split_first() {
            Some((b'+', rest)) if run.name == b"tail" => Extent::LinesFrom(number(rest)?),
            Some((b'-', rest)) if run.name == b"head" => Extent::LinesButLast(number(rest)?),
            Some((b'-' | b'+', rest)) => Extent::Lines(number(rest)?),
            _ => Extent::Lines(number(&value)?),
        }
    } else {
        Extent::Lines(10)
    };
    Some((extent, options.operands))
}

fn head(run: &mut Run<'_>) -> Value {
    let Some((extent, operands)) = extent(run) else {
        let input = run.standard_input();
        return run.derived(&input);
    };
    let input = run.input(&operands);
    if let Extent::Bytes(count) = extent {
        return stream::slice(&input, 0, count);
    }
    let (lines, ended) = stream::lines(&input);
    let count = match extent {
        Extent::LinesButLast(count) => lines.len().saturating_sub(count),
        Extent::Lines(count) => count,
        _ => lines.len(),
    };
    let cut = count < lines.len();
    stream::unlines(lines.iter().take(count), ended || cut, input.decoded)
}

fn tail(run: &mut Run<'_>) -> Value {
    let Some((extent, operands)) = extent(run) else {
        let input = run.standard_input();
        return run.derived(&input);
    };
    let input = run.input(&operands);
    let follows = |arg: &Arg| {
        let word = arg.value.known_prefix();
        match word.as_slice() {
            [b'-', b'-', long @ ..] => long.starts_with(b"follow"),
            [b'-', flags @ ..] => flags.iter().any(|flag| matches!(flag, b'f' | b'F')),
            _ => false,
        }
    };
    if run.words.iter().any(follows) {
        // Whatever is appended comes, too.
        return input;
    }
    let size = input.known_length();
    match extent {
        Extent::Bytes(count) => {
            return stream::slice(&input, size.saturating_sub(count), usize::MAX);
        }
        Extent::BytesFrom(from) => {
            return stream::slice(&input, from.saturating_sub(1), usize::MAX);
        }
        _ => {}
    }
    let (lines, ended) = stream::lines(&input);
    let skip = match extent {
        Extent::LinesFrom(from) => from.saturating_sub(1),
        Extent::Lines(count) => lines.len().saturating_sub(count),
        _ => 0,
    };
    stream::unlines(lines.iter().skip(skip), ended, input.decoded)
}

/// Lists such as `1,3-5,7-`: pairs of first and last, counted from one.
fn ranges(list: &[u8]) -> Option<Vec<(usize, usize)>> {
    let mut out = Vec::new();
    for part in list.split(|byte| *byte == b',') {
        let range = match part.iter().position(|byte| *byte == b'-') {
            None => {
                let one = number(part)?;
                (one, one)
            }
            Some(dash) => {
                let (first, last) = part.split_at(dash);
                let last = last.get(1..)?;
                (
                    if first.is_empty() { 1 } else { number(first)? },
                    if last.is_empty() {
                        usize::MAX
                    } else {
                        number(last)?
                    },
                )
            }
        };
        out.push(range);
        if out.len() > 64 {
            return None;
        }
    }
    Some(out)
}

fn within(ranges: &[(usize, usize)], position: usize) -> bool {
    ranges
        .iter()
        .any(|(first, last)| (*first..=*last).contains(&position))
}

fn cut(run: &mut Run<'_>) -> Value {
    let options = run.options(
        b"bcdf",
        &[
            "bytes",
            "characters",
            "fields",
            "delimiter",
            "output-delimiter",
        ],
    );
    let input = run.input(&options.operands);
    let by_position = options
        .bytes(b'c', "characters")
        .or_else(|| options.bytes(b'b', "bytes"));
    let list = by_position
        .clone()
        .or_else(|| options.bytes(b'f', "fields"));
    let (Some(ranges), true) = (
        list.and_then(|list| ranges(&list)),
        input.is_known() && !options.has(0, "complement"),
    ) else {
        return run.derived(&input);
    };
    let (lines, ended) = stream::lines(&input);
    let mut out = Vec::with_capacity(lines.len());
    if by_position.is_some() {
        for line in &lines {
            let mut kept = Value::empty();
            let mut position = 0;
            // Runs of kept bytes, so that they stay where they were written.
            let size = line.known_length();
            while position < size {
                let keep = within(&ranges, position + 1);
                let from = position;
                while position < size && within(&ranges, position + 1) == keep {
                    position += 1;
                }
                if keep {
                    kept.append(&stream::slice(line, from, position));
                }
            }
            out.push(kept);
        }
    } else {
        let delimiter = options
            .bytes(b'd', "delimiter")
            .unwrap_or_else(|| b"\t".to_vec());
        let Some(byte) = delimiter.first() else {
            return run.derived(&input);
        };
        let joint = options
            .bytes(0, "output-delimiter")
            .unwrap_or_else(|| delimiter.clone());
        for line in &lines {
            let bytes = line.bytes().unwrap_or_default();
            if !bytes.contains(byte) {
                if !options.has(b's', "only-delimited") {
                    out.push(line.clone());
                }
                continue;
            }
            let mut kept = Value::empty();
            let mut from = 0;
            let mut first = true;
            for (index, field) in bytes.split(|b| b == byte).enumerate() {
                if within(&ranges, index + 1) {
                    if !first {
                        kept.push_text(&joint, None);
                    }
                    first = false;
                    kept.push_text(field, written(line, from));
                }
                from += field.len() + 1;
            }
            out.push(kept);
        }
    }
    stream::unlines(&out, ended, input.decoded)
}

/// Where byte `position` of a line was written, when the line is one run.
fn written(line: &Value, position: usize) -> Option<u32> {
    match line.pieces.as_slice() {
        [crate::value::Piece::Text { at: Some(at), .. }] => {
            at.checked_add(u32::try_from(position).ok()?)
        }
        _ => None,
    }
}

/// Whether a pattern is literal text.
pub(super) fn literal(pattern: &[u8]) -> bool {
    !pattern.iter().any(|byte| b"\\.*[]^$+?(){}|".contains(byte))
}

fn grep(run: &mut Run<'_>) -> Value {
    let options = run.options(b"emABCf", &["regexp", "max-count", "file"]);
    let mut operands = options.operands.clone();
    let pattern = if options.has(b'e', "regexp") {
        options.bytes(b'e', "regexp")
    } else if operands.is_empty() {
        None
    } else {
        operands.remove(0).bytes().map(std::borrow::Cow::into_owned)
    };
    let input = run.input(&operands);
    let counts = [
        (b'c', "count"),
        (b'q', "quiet"),
        (b'l', "files-with-matches"),
        (b'L', "files-without-match"),
    ];
    if counts.iter().any(|(short, long)| options.has(*short, long)) {
        // Nothing of the content.
        return run.unknown();
    }
    let simple = options.options.iter().all(|option| {
        ["e", "F", "v", "h", "E", "a", "fixed-strings", "regexp"]
            .iter()
            .any(|name| option.is(name.as_bytes()))
    });
    let fixed = run.name == b"fgrep" || options.has(b'F', "fixed-strings");
    match pattern {
        Some(pattern) if simple && (fixed || literal(&pattern)) && operands.len() < 2 => {
            let inverted = options.has(b'v', "invert-match");
            let (lines, _) = stream::lines(&input);
            let kept: Vec<&Value> = lines
                .iter()
                .filter(|line| match line.bytes() {
                    Some(bytes) => find(&bytes, &pattern).is_some() != inverted,
                    None => true,
                })
                .collect();
            stream::unlines(kept, true, input.decoded)
        }
        _ => run.derived(&input),
    }
}

/// Where `needle` begins in `text`: linear for the short needles that a command line holds.
pub(super) fn find(text: &[u8], needle: &[u8]) -> Option<usize> {
    let Some(first) = needle.first() else {
        return Some(0);
    };
    // Work is bounded so that crafted repetitions stay linear; beyond, nothing is found.
    let mut work = 4 * text.len() + 4096;
    let mut from = 0;
    loop {
        let at = from + text.get(from..)?.iter().position(|byte| byte == first)?;
        let rest = text.get(at..)?;
        let same = rest
            .iter()
            .zip(needle)
            .take_while(|(left, right)| left == right)
            .count();
        if same == needle.len() {
            return Some(at);
        }
        work = work.checked_sub(same)?;
        from = at + 1;
    }
}

fn reorder(run: &mut Run<'_>) -> Value {
    let options = match run.name {
        b"sort" => run.options(b"ktoST", &["key", "field-separator", "output"]),
        _ => run.options(b"fsw", &[]),
    };
    let input = run.input(&options.operands);
    if !input.is_known() {
        return run.derived(&input);
    }
    let plain = options
        .options
        .iter()
        .all(|option| [&b"r"[..], b"u", b"n"].iter().any(|name| option.is(name)));
    if !plain {
        return run.derived(&input);
    }
    let (mut lines, _) = stream::lines(&input);
    match run.name {
        b"tac" => lines.reverse(),
        b"uniq" => lines.dedup_by(|a, b| a.bytes() == b.bytes()),
        _ => sort(&mut lines, &options),
    }
    stream::unlines(&lines, true, input.decoded)
}

fn sort(lines: &mut Vec<Value>, options: &Options) {
    let bytes = |line: &Value| line.bytes().unwrap_or_default().into_owned();
    if options.has(b'n', "numeric-sort") {
        lines.sort_by_cached_key(|line| {
            let text = bytes(line);
            let text = text.trim_ascii_start();
            let (sign, digits) = match text.split_first() {
                Some((b'-', rest)) => (-1, rest),
                _ => (1, text),
            };
            let end = digits
                .iter()
                .position(|byte| !byte.is_ascii_digit())
                .unwrap_or(digits.len());
            let number = number(digits.get(..end).unwrap_or_default()).unwrap_or(0);
            (
                i64::try_from(number).unwrap_or(i64::MAX) * sign,
                bytes(line),
            )
        });
    } else {
        lines.sort_by_cached_key(bytes);
    }
    if options.has(b'r', "reverse") {
        lines.reverse();
    }
    if options.has(b'u', "unique") {
        lines.dedup_by(|a, b| a.bytes() == b.bytes());
    }
}

/// `fold -w N`: no line longer than that.
fn fold(run: &mut Run<'_>) -> Value {
    let options = run.options(b"w", &["width"]);
    let input = run.input(&options.operands);
    let width = match options.bytes(b'w', "width") {
        Some(width) => number(&width),
        None => Some(80),
    };
    let simple = |value: &Value| {
        value.pieces.len() <= 16
            && value.known_length() <= MAX_FOLDED
            && value
                .bytes()
                .is_some_and(|text| !text.iter().any(|byte| matches!(byte, 8 | b'\t' | b'\r')))
    };
    let (Some(width), true, false) = (
        width.filter(|width| *width > 0),
        simple(&input),
        options.has(b's', "spaces"),
    ) else {
        return run.derived(&input);
    };
    let (lines, ended) = stream::lines(&input);
    let mut out = Vec::new();
    for line in &lines {
        let size = line.known_length();
        let starts = (0..size.max(1)).step_by(width);
        out.extend(starts.map(|start| stream::slice(line, start, (start + width).min(size))));
    }
    stream::unlines(&out, ended, input.decoded)
}

/// `paste`: lines side by side, or with `-s` those of each file in one.
fn paste(run: &mut Run<'_>) -> Value {
    let options = run.options(b"d", &["delimiters"]);
    let given = options.bytes(b'd', "delimiters");
    let joints = joints(&given.unwrap_or_else(|| b"\t".to_vec()));
    let mut operands = options.operands.clone();
    if operands.is_empty() {
        operands.push(Value::computed(b"-".as_slice()));
    }
    let serial = options.has(b's', "serial");
    let mut columns = Vec::new();
    let mut decoded = false;
    let dashes: Vec<usize> = operands
        .iter()
        .enumerate()
        .filter(|(_, operand)| operand.is(b"-"))
        .map(|(index, _)| index)
        .collect();
    for (index, operand) in operands.iter().enumerate() {
        let input = run.file(operand);
        decoded |= input.decoded;
        // How many lines there are says which stand side by side.
        if joints.is_empty() || (serial || operands.len() > 1) && !input.is_known() {
            return run.derived(&input);
        }
        let (mut lines, _) = stream::lines(&input);
        if !serial
            && dashes.len() > 1
            && let Some(turn) = dashes.iter().position(|dash| *dash == index)
        {
            lines = lines.into_iter().skip(turn).step_by(dashes.len()).collect();
        }
        columns.push(lines);
    }
    let joined = |parts: &[&Value]| {
        let mut out = Value::empty();
        for (index, part) in parts.iter().enumerate() {
            if let Some(before) = index.checked_sub(1) {
                let joint = joints.get(before % joints.len());
                out.push_text(joint.map_or(&[], Vec::as_slice), None);
            }
            out.append(part);
        }
        out
    };
    let none = Value::empty();
    let rows: Vec<Value> = if serial {
        let row = |lines: &Vec<Value>| joined(&lines.iter().collect::<Vec<_>>());
        columns.iter().map(row).collect()
    } else {
        let count = columns.iter().map(Vec::len).max().unwrap_or(0);
        let row = |at: usize| {
            let parts = columns.iter().map(|lines| lines.get(at).unwrap_or(&none));
            joined(&parts.collect::<Vec<_>>())
        };
        (0..count).map(row).collect()
    };
    stream::unlines(&rows, true, decoded)
}

/// What `paste -d` puts between columns, in turn.
fn joints(list: &[u8]) -> Vec<Vec<u8>> {
    let mut joints = Vec::new();
    let mut bytes = list.iter();
    while let Some(byte) = bytes.next() {
        joints.push(match byte {
            b'\\' => match bytes.next() {
                Some(b'0') => Vec::new(),
                Some(b'n') => vec![b'\n'],
                Some(b't') => vec![b'\t'],
                other => other.copied().into_iter().collect(),
            },
            byte => vec![*byte],
        });
    }
    if list.is_empty() {
        joints.push(Vec::new());
    }
    joints
}
