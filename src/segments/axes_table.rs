//! Axes that are apart, as a table on the device: [`AxesTable`].

use crate::{
    axes::{Grid, Side},
    reduce::blocks::narrow,
    segments::chunks::LOG2_CHUNK_ITEMS,
};

/// Axes that are apart. The device finds a segment's elements by them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AxesTable {
    /// Pairs of a size and a step: of axes that remain, then of those that segments lie along.
    words: Vec<u32>,
    shape: AxesShape,
}

/// What dispatches are told of such axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AxesShape {
    /// Axes that remain.
    pub(super) kept: u32,
    /// All of them.
    pub(super) all: u32,
    /// Elements of a segment that are neighbours in memory, from a multiple of as many on. 1 if none are.
    pub(super) run: u64,
}

impl AxesTable {
    /// Of rows of an array whose axes come in the order of the sides: those that remain, and those that segments lie along.
    pub(super) fn of(rows: Grid, sides: &[Side]) -> Self {
        let mut segments = 1;
        let is_kept = |side: &&Side| {
            segments *= side.size;
            segments <= rows.groups
        };
        let kept = sides.iter().take_while(is_kept).count() as u64;
        let run = sides.last().filter(|side| side.step == 1).map_or(1, |side| side.size);
        let words = sides.iter().flat_map(|side| [side.size, side.step]).map(narrow).collect();
        let (kept, all) = (narrow(kept), narrow(sides.len() as u64));
        Self { words, shape: AxesShape { kept, all, run } }
    }

    pub(super) fn words(&self) -> &[u32] {
        &self.words
    }

    pub(super) fn shape(&self) -> AxesShape {
        self.shape
    }

    /// The same segments, so that lanes side by side read what is side by side in memory. Where a chunk's elements are neighbours, these are the
    /// chunks of a segment. Else they are chunks of one segment after another, as if segments lay within each other.
    pub(super) fn grid(&self, rows: Grid) -> Grid {
        let Grid { groups, items, .. } = rows;
        match self.shape.run >> LOG2_CHUNK_ITEMS {
            0 => Grid { groups: 1, items, step: groups },
            _ => rows,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axes::Axes;

    fn table(shape: &[u64], axes: &[usize]) -> (AxesTable, Grid) {
        let len = shape.iter().product();
        match Axes::of(len, shape, axes).expect("there are such axes") {
            Axes::Apart { rows, sides } => {
                let table = AxesTable::of(rows, &sides);
                let grid = table.grid(rows);
                (table, grid)
            }
            Axes::Grid(grid) => panic!("{grid:?}"),
        }
    }

    #[test]
    fn axes_are_pairs_of_words() {
        let (table, grid) = table(&[5, 3, 2, 16], &[0, 3, 2]);
        assert_eq!(table.words(), [3, 32, 5, 96, 32, 1]);
        assert_eq!(table.shape(), AxesShape { kept: 1, all: 3, run: 32 });
        assert_eq!(grid, Grid { groups: 3, items: 160, step: 1 });
    }

    #[test]
    fn runs_shorter_than_chunks_are_read_across_segments() {
        let (table, grid) = table(&[5, 3, 15], &[0, 2]);
        assert_eq!(table.shape(), AxesShape { kept: 1, all: 3, run: 15 });
        assert_eq!(grid, Grid { groups: 1, items: 75, step: 3 });
    }

    #[test]
    fn axes_that_remain_may_come_last() {
        let (table, grid) = table(&[4, 5, 6, 7, 8], &[1, 3]);
        assert_eq!(table.words(), [4, 1680, 6, 56, 8, 1, 5, 336, 7, 8]);
        assert_eq!(table.shape(), AxesShape { kept: 3, all: 5, run: 1 });
        assert_eq!(grid, Grid { groups: 1, items: 35, step: 192 });
    }
}
