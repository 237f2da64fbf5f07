//! Segments by numbers in host memory: of rows, along an axis, between offsets.
//!
//! It may depend on errors.

use crate::error::SegmentError;
use std::ops::Range;

/// Segments of one length, at regular places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grid {
    /// How many groups of `step` segments there are. Those of a group lie within each other, and groups behind each other.
    pub(crate) groups: u64,
    /// Elements of a segment.
    pub(crate) items: u64,
    /// From one element of a segment to the next.
    pub(crate) step: u64,
}

impl Grid {
    /// Rows of `row_len` elements.
    pub(crate) fn of_rows(len: u64, row_len: u64) -> Result<Self, SegmentError> {
        match len.checked_rem(row_len) {
            Some(0) => Ok(Self { groups: len / row_len, items: row_len, step: 1 }),
            _ => Err(SegmentError::Rows { len, row_len }),
        }
    }

    /// What lies along an axis of an array in row-major order: the last axis varies fastest.
    pub(crate) fn of_axis(len: u64, shape: &[u64], axis: usize) -> Result<Self, SegmentError> {
        let Some(&items) = shape.get(axis) else {
            return Err(SegmentError::Axis { axis, rank: shape.len() });
        };
        let product =
            |sides: &[u64]| sides.iter().try_fold(1, |all: u64, &side| all.checked_mul(side));
        // Where an axis has no elements, others may have more than any array.
        let (Some(groups), Some(step)) = (product(&shape[..axis]), product(&shape[axis + 1..]))
        else {
            return Err(SegmentError::Shape { len, shape: shape.to_vec() });
        };
        let grid = Self { groups, items, step };
        match grid.segments().and_then(|segments| segments.checked_mul(items)) {
            Some(all) if all == len => Ok(grid),
            _ => Err(SegmentError::Shape { len, shape: shape.to_vec() }),
        }
    }

    /// How many segments there are, if 64 bits tell.
    pub(crate) fn segments(self) -> Option<u64> {
        self.groups.checked_mul(self.step)
    }
}

/// Refuses offsets that fall, or lie behind the elements.
pub(crate) fn check_offsets(offsets: &[u32], len: u64) -> Result<(), SegmentError> {
    let mut least = 0;
    for (index, &offset) in offsets.iter().enumerate() {
        let offset = u64::from(offset);
        if offset < least || offset > len {
            return Err(SegmentError::Offset { index: index as u64, offset, least, most: len });
        }
        least = offset;
    }
    Ok(())
}

/// The elements of each segment, as offsets say that were checked.
pub(crate) fn ranges(offsets: &[u32]) -> impl Iterator<Item = Range<usize>> + Clone + '_ {
    offsets.windows(2).map(|pair| pair[0] as usize..pair[1] as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes() {
        let grid = |groups, items, step| Ok(Grid { groups, items, step });
        assert_eq!(Grid::of_axis(24, &[2, 3, 4], 0), grid(1, 2, 12));
        assert_eq!(Grid::of_axis(24, &[2, 3, 4], 1), grid(2, 3, 4));
        assert_eq!(Grid::of_axis(24, &[2, 3, 4], 2), grid(6, 4, 1));
        assert_eq!(Grid::of_axis(0, &[0, 7], 0), grid(1, 0, 7));
        assert_eq!(Grid::of_axis(0, &[0, 7], 1), grid(0, 7, 1));
        assert_eq!(Grid::of_rows(12, 4), grid(3, 4, 1));
        assert_eq!(Grid::of_rows(12, 5), Err(SegmentError::Rows { len: 12, row_len: 5 }));
        assert_eq!(Grid::of_rows(0, 0), Err(SegmentError::Rows { len: 0, row_len: 0 }));
        assert_eq!(Grid::of_axis(6, &[2, 3], 2), Err(SegmentError::Axis { axis: 2, rank: 2 }));
        for shape in [vec![2, 4], vec![1 << 40, 1 << 40], vec![0, 1 << 40, 1 << 40]] {
            let refused = Grid::of_axis(6, &shape, 0);
            assert_eq!(refused, Err(SegmentError::Shape { len: 6, shape }));
        }
    }

    #[test]
    fn offsets() {
        assert_eq!(check_offsets(&[], 0), Ok(()));
        assert_eq!(check_offsets(&[2, 2, 5], 5), Ok(()));
        let refused =
            |index, offset, least| Err(SegmentError::Offset { index, offset, least, most: 5 });
        assert_eq!(check_offsets(&[0, 3, 2], 5), refused(2, 2, 3));
        assert_eq!(check_offsets(&[0, 6], 5), refused(1, 6, 0));
        assert!(ranges(&[1, 1, 4]).eq([1..1, 1..4]));
        assert_eq!(ranges(&[]).count() + ranges(&[3]).count(), 0);
    }
}
