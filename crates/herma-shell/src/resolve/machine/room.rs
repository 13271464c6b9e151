//! Memory for long texts, asked for at once.

/// Texts from this size on, in bytes.
const LONG: usize = 1 << 14;
/// About what the tree and the states of a text take, for each of its bytes.
const PER_BYTE: usize = 48;
/// More is not asked for; glibc maps larger ones on their own in any case.
const MOST: usize = 30 << 20;

/// Makes the allocator's heap large enough for a text of this length.
///
/// glibc makes the heap of any thread but the first larger by one page at a time, and each page
/// costs a system call. What is freed at once stays with the heap. The first allocation is mapped
/// on its own, and raises the size from which on that happens; only the second is on the heap.
pub(crate) fn make_room(length: usize) {
    if length < LONG {
        return;
    }
    let size = length.saturating_mul(PER_BYTE).min(MOST);
    for size in [size, size - size / 8] {
        let mut room: Vec<u8> = Vec::new();
        // Without it the text still has what there is.
        let _ = room.try_reserve_exact(size);
        drop(std::hint::black_box(room));
    }
}
