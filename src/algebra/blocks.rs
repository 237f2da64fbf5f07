//! How kernels cut an input into blocks of rows.

/// Lanes of a block: invocations of a workgroup.
pub const LANES: u32 = 256;
/// Elements of a row.
pub const ROW_ITEMS: u64 = 1024;
/// Rows of a block at least: one for each accumulator of a lane.
pub const MIN_ROWS: u64 = 4;
/// Blocks at most: the second level is one block of four rows, and uses half of it.
pub const MAX_BLOCKS: u64 = 2048;
/// Rows of a block at most, reached at [`crate::order::MAX_LEN`] elements.
pub const MAX_ROWS: u64 = 1 << 19;
/// How an input is cut into blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// Rows of a block, a power of two.
    pub rows: u64,
    /// How many blocks there are; the last may be short. 0 for an empty input.
    pub count: u64,
}

impl Blocks {
    /// The blocks for `len` elements.
    pub fn of(len: u64) -> Self {
        Self::with_bounds(len, MIN_ROWS, MAX_BLOCKS)
    }

    /// As few rows as give at most `max_blocks` blocks, but at least `min_rows`, a power of two, and
    /// at most [`MAX_ROWS`].
    /// Only operators with the same result in every order may use other bounds than [`Blocks::of`].
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
    use crate::algebra::order::MAX_LEN;

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
