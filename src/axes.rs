//! Segments by numbers in host memory: of rows, along axes, between offsets.
//!
//! It may depend on errors.

use crate::error::SegmentError;

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
        check_shape(len, shape)?;
        // Where an axis has no elements, others may have more than any array.
        let product = |sides: &[u64]| product(sides.iter().copied());
        let grid =
            Self { groups: product(&shape[..axis]), items, step: product(&shape[axis + 1..]) };
        grid.check_results(shape)
    }

    /// Refuses more results than 64 bits tell.
    fn check_results(self, shape: &[u64]) -> Result<Self, SegmentError> {
        match self.segments().filter(|&segments| segments < u64::MAX) {
            Some(_) => Ok(self),
            None => Err(SegmentError::Results { shape: shape.to_vec() }),
        }
    }

    /// How many segments there are, if 64 bits tell.
    pub(crate) fn segments(self) -> Option<u64> {
        self.groups.checked_mul(self.step)
    }
}

/// What lies along some axes of an array in row-major order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Axes {
    /// Axes next to each other are as one.
    Grid(Grid),
    /// Others are between them: a segment's elements lie nowhere at regular places. They do once the axes that remain come first.
    Apart {
        /// Rows of the array whose axes come in that order.
        rows: Grid,
        /// Its axes.
        sides: Vec<Side>,
    },
}

/// An axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Side {
    pub(crate) size: u64,
    /// From one place to the next, in elements.
    pub(crate) step: u64,
}

impl Axes {
    /// What lies along `axes`, in any order.
    pub(crate) fn of(len: u64, shape: &[u64], axes: &[usize]) -> Result<Self, SegmentError> {
        let mut is_reduced = vec![false; shape.len()];
        for &axis in axes {
            match is_reduced.get_mut(axis) {
                None => return Err(SegmentError::Axis { axis, rank: shape.len() }),
                Some(true) => return Err(SegmentError::AxisTwice { axis }),
                Some(it) => *it = true,
            }
        }
        check_shape(len, shape)?;
        let of_kind = |kind| {
            let sizes = shape.iter().zip(&is_reduced).filter(move |&(_, &is)| is == kind);
            product(sizes.map(|(&size, _)| size))
        };
        let rows = Grid { groups: of_kind(false), items: of_kind(true), step: 1 };
        let rows = rows.check_results(shape)?;
        // Axes of one place are nowhere, and neighbours of a kind are as one.
        let mut runs: Vec<(bool, u64)> = Vec::new();
        for (&size, &kind) in shape.iter().zip(&is_reduced).filter(|&(&size, _)| size != 1) {
            match runs.last_mut() {
                Some((last, all)) if *last == kind => *all = all.saturating_mul(size),
                _ => runs.push((kind, size)),
            }
        }
        let reduced = runs.iter().filter(|(is_reduced, _)| *is_reduced).count();
        if len == 0 || reduced == 0 {
            return Ok(Self::Grid(rows));
        }
        if reduced == 1 {
            let behind = runs.iter().rev().take_while(|(is_reduced, _)| !is_reduced);
            let step = behind.map(|(_, size)| size).product();
            return Ok(Self::Grid(Grid { groups: rows.groups / step, items: rows.items, step }));
        }
        let mut step = len;
        let sides = runs.iter().map(|&(kind, size)| {
            step /= size;
            (kind, Side { size, step })
        });
        let sides: Vec<_> = sides.collect();
        let of_kind = |kind| sides.iter().filter(move |side| side.0 == kind).map(|side| side.1);
        Ok(Self::Apart { rows, sides: of_kind(false).chain(of_kind(true)).collect() })
    }

    /// A grid of as many segments and elements.
    pub(crate) fn grid(&self) -> Grid {
        match self {
            Self::Grid(grid) | Self::Apart { rows: grid, .. } => *grid,
        }
    }
}

/// Refuses a shape of other elements.
fn check_shape(len: u64, shape: &[u64]) -> Result<(), SegmentError> {
    match product(shape.iter().copied()) == len {
        true => Ok(()),
        false => Err(SegmentError::Shape { len, shape: shape.to_vec() }),
    }
}

/// 0 if one of them is, and `u64::MAX` of more than that.
fn product(sizes: impl Iterator<Item = u64> + Clone) -> u64 {
    match sizes.clone().any(|size| size == 0) {
        true => 0,
        false => sizes.fold(1, u64::saturating_mul),
    }
}

/// The elements' numbers in the order that sides say.
pub(crate) fn places(sides: &[Side]) -> impl Iterator<Item = u64> + '_ {
    let mut at = vec![0; sides.len()];
    let mut place = 0;
    let len: u64 = sides.iter().map(|side| side.size).product();
    (0..len).map(move |_| {
        let own = place;
        for (at, side) in at.iter_mut().zip(sides).rev() {
            *at += 1;
            place += side.step;
            if *at < side.size {
                break;
            }
            place -= side.size * side.step;
            *at = 0;
        }
        own
    })
}

/// Offsets of segments of these lengths, one after another.
pub(crate) fn offsets_of(lengths: &[u32], len: u64) -> Result<Vec<u32>, SegmentError> {
    let mut end = 0u64;
    let mut offsets = Vec::with_capacity(lengths.len() + 1);
    offsets.push(0);
    let most = len.min(u32::MAX.into());
    for (segment, &length) in lengths.iter().enumerate() {
        let length = u64::from(length);
        end += length;
        match u32::try_from(end).ok().filter(|_| end <= most) {
            Some(offset) => offsets.push(offset),
            None => {
                let segment = segment as u64;
                return Err(SegmentError::Lengths { segment, length, end, most });
            }
        }
    }
    Ok(offsets)
}

/// Refuses what is not one for each element.
pub(crate) fn check_length(what: &'static str, given: u64, len: u64) -> Result<(), SegmentError> {
    match given == len {
        true => Ok(()),
        false => Err(SegmentError::Length { what, given, len }),
    }
}

/// Offsets that should never fall, or lie behind the elements: how far they were looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rising {
    index: u64,
    least: u64,
    most: u64,
}

impl Rising {
    /// Of `len` elements.
    pub(crate) const fn new(len: u64) -> Self {
        Self { index: 0, least: 0, most: len }
    }

    /// Looks at the next ones.
    pub(crate) fn then(mut self, offsets: impl Iterator<Item = u64>) -> Result<Self, SegmentError> {
        for offset in offsets {
            let Self { index, least, most } = self;
            if offset < least || offset > most {
                return Err(SegmentError::Offset { index, offset, least, most });
            }
            self = Self { index: index + 1, least: offset, most };
        }
        Ok(self)
    }
}

/// Refuses offsets that fall, or lie behind the elements.
pub(crate) fn check_offsets(offsets: &[u32], len: u64) -> Result<(), SegmentError> {
    Rising::new(len).then(offsets.iter().map(|&offset| offset.into())).map(|_| ())
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
        // Without elements there may be results, though none if they are too many.
        let shape = vec![0, 1 << 32, 1 << 32];
        assert_eq!(Grid::of_axis(0, &shape, 1), grid(0, 1 << 32, 1 << 32));
        assert_eq!(Grid::of_axis(0, &shape, 0), Err(SegmentError::Results { shape }));
    }

    #[test]
    fn several_axes() {
        let grid = |groups, items, step| Ok(Axes::Grid(Grid { groups, items, step }));
        assert_eq!(Axes::of(120, &[2, 3, 4, 5], &[1, 2]), grid(2, 12, 5));
        assert_eq!(Axes::of(120, &[2, 3, 4, 5], &[3, 2]), grid(6, 20, 1));
        assert_eq!(Axes::of(120, &[2, 3, 4, 5], &[]), grid(120, 1, 1));
        assert_eq!(Axes::of(120, &[2, 3, 4, 5], &[0, 1, 2, 3]), grid(1, 120, 1));
        assert_eq!(Axes::of(10, &[2, 1, 5, 1], &[3, 0]), grid(1, 2, 5));
        assert_eq!(Axes::of(0, &[2, 3, 0], &[0, 2]), grid(3, 0, 1));
        assert_eq!(Axes::of(1, &[], &[]), grid(1, 1, 1));
        let apart = Axes::of(24, &[2, 3, 4], &[2, 0]).expect("a shape of as many");
        let side = |size, step| Side { size, step };
        let sides = vec![side(3, 4), side(2, 12), side(4, 1)];
        assert_eq!(places(&sides).take(9).collect::<Vec<_>>(), [0, 1, 2, 3, 12, 13, 14, 15, 4]);
        assert_eq!(places(&sides).count(), 24);
        assert_eq!(apart, Axes::Apart { rows: Grid { groups: 3, items: 8, step: 1 }, sides });
        let refused = |axes: &[usize]| Axes::of(24, &[2, 3, 4], axes).expect_err("refused");
        assert_eq!(refused(&[0, 3]), SegmentError::Axis { axis: 3, rank: 3 });
        assert_eq!(refused(&[1, 0, 1]), SegmentError::AxisTwice { axis: 1 });
        for shape in [vec![2, 4], vec![1 << 40, 1 << 40], vec![0, 1 << 40, 1 << 40]] {
            let refused = Axes::of(6, &shape, &[0]);
            assert_eq!(refused, Err(SegmentError::Shape { len: 6, shape }));
        }
        let shape = vec![0, 1 << 32, 1 << 32];
        assert_eq!(Axes::of(0, &shape, &[0, 2]), grid(1 << 32, 0, 1));
        assert_eq!(Axes::of(0, &shape, &[1, 2]), grid(0, u64::MAX, 1));
        assert_eq!(Axes::of(0, &shape, &[0]), Err(SegmentError::Results { shape }));
    }

    #[test]
    fn lengths() {
        assert_eq!(offsets_of(&[], 0), Ok(vec![0]));
        assert_eq!(offsets_of(&[2, 0, 3], 6), Ok(vec![0, 2, 2, 5]));
        let refused =
            |segment, length, end, most| Err(SegmentError::Lengths { segment, length, end, most });
        assert_eq!(offsets_of(&[2, 5], 6), refused(1, 5, 7, 6));
        assert_eq!(offsets_of(&[7, 0], 6), refused(0, 7, 7, 6));
        assert_eq!(offsets_of(&[u32::MAX, 1], 1 << 40), refused(1, 1, 1 << 32, (1 << 32) - 1));
    }

    #[test]
    fn offsets() {
        assert_eq!(check_offsets(&[], 0), Ok(()));
        assert_eq!(check_offsets(&[2, 2, 5], 5), Ok(()));
        let refused =
            |index, offset, least| Err(SegmentError::Offset { index, offset, least, most: 5 });
        assert_eq!(check_offsets(&[0, 3, 2], 5), refused(2, 2, 3));
        assert_eq!(check_offsets(&[0, 6], 5), refused(1, 6, 0));
    }
}
