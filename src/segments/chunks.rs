//! Chunks: as many neighbours of a segment as one lane takes.

/// The logarithm of the shader's `CHUNK_ITEMS`.
pub(super) const LOG2_CHUNK_ITEMS: u32 = 4;

/// Whether the first level's chunks are all in chunks themselves, of segments of so many elements. Their totals are then joined in the memory of
/// workgroups, and nothing else needs them.
pub(super) fn joins_chunks(items: u64) -> bool {
    items > 0 && items.is_multiple_of(1 << (2 * LOG2_CHUNK_ITEMS))
}
