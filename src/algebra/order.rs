//! The fixed order of f32 sums and products, `tree-v1`: a function of the length alone.
//!
//! Floating-point addition rounds, so a sum depends on the order of its additions. Here the order
//! is part of the definition of a reproducible result, the same for every device, subgroup size, workgroup
//! variant and binding, and for the CPU:
//!
//! * A *row* is 1024 consecutive elements: four for each of 256 *lanes*. Element `e` of a block has
//!   row `e / 1024`, lane `(e / 4) % 256` and component `e % 4`.
//! * A *block* is [`Blocks::rows`] rows: the smallest power of two of at least 4 that cuts the
//!   input into at most 2048 blocks.
//! * A lane keeps four accumulators of four components, from the identity; row `r` is combined into
//!   accumulator `r % 4`, rows in rising order. Missing elements are the identity.
//! * `v = (acc0 + acc2) + (acc1 + acc3)`, then `s = (v.x + v.y) + (v.z + v.w)`.
//! * Lanes combine by `s[l] = s[l] + s[l ^ d]` for d = 1, 2, 4 … 128; the block's result is
//!   lane 0's.
//! * The blocks' results are one more block, of four rows. A single block needs no second level.
//!
//! Elements are counted from the first one reduced, over all slices, not from a buffer's start.
//! Changing any of this changes users' results: it would be another version.

/// Lanes of a block: invocations of a workgroup.
pub const LANES: u32 = 256;
/// Elements of a row.
pub const ROW_ITEMS: u64 = 1024;
/// Rows of a block at least: one for each accumulator of a lane.
pub const MIN_ROWS: u64 = 4;
/// Blocks at most: the second level is one block of four rows, and uses half of it.
pub const MAX_BLOCKS: u64 = 2048;
/// Rows of a block at most, reached at [`MAX_LEN`] elements.
pub const MAX_ROWS: u64 = 1 << 19;
/// Elements at most.
pub const MAX_LEN: u64 = 1 << 40;

/// How an input is cut into blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// Rows of a block, a power of two.
    pub rows: u64,
    /// How many blocks there are; the last may be short. 0 for an empty input.
    pub count: u64,
}

impl Blocks {
    /// The blocks of `tree-v1` for `len` elements.
    pub fn of(len: u64) -> Self {
        Self::with_bounds(len, MIN_ROWS, MAX_BLOCKS)
    }

    /// As few rows as give at most `max_blocks` blocks, but at least `min_rows`, a power of two, and
    /// at most [`MAX_ROWS`].
    /// Only operators with the same result in every order may use other bounds than `tree-v1`'s.
    pub fn with_bounds(len: u64, min_rows: u64, max_blocks: u64) -> Self {
        let mut rows = min_rows;
        while len.div_ceil(ROW_ITEMS * rows) > max_blocks && rows < MAX_ROWS {
            rows *= 2;
        }
        Self { rows, count: len.div_ceil(ROW_ITEMS * rows) }
    }

    /// Elements of a whole block.
    pub fn block_items(self) -> u64 {
        self.rows * ROW_ITEMS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_at_the_edges() {
        let cases = [
            (0, 4, 0),
            (1, 4, 1),
            (4096, 4, 1),
            (4097, 4, 2),
            (1 << 23, 4, 2048),
            ((1 << 23) + 1, 8, 1025),
            (1 << 28, 128, 2048),
            (MAX_LEN, 1 << 19, 2048),
        ];
        for (len, rows, count) in cases {
            assert_eq!(Blocks::of(len), Blocks { rows, count }, "len {len}");
        }
    }
}
