//! Chunks: as many neighbours of a segment as one lane takes.

use crate::wgsl::kernel::Kernel;

/// The logarithm of the shader's `CHUNK_ITEMS`.
pub(super) const LOG2_CHUNK_ITEMS: u32 = 4;

/// Whether the first level's chunks are all in chunks themselves, of segments of so many elements, each so many from the next, and workgroups have
/// memory for such accumulators. Their totals are then joined there, and nothing else needs them.
pub(super) fn joins_chunks(items: u64, step: u64, acc_words: u32) -> bool {
    let most_words = if step == 1 { Kernel::MOST_ROW_WORDS } else { Kernel::MOST_JOINED_WORDS };
    items > 0 && items.is_multiple_of(1 << (2 * LOG2_CHUNK_ITEMS)) && acc_words <= most_words
}
