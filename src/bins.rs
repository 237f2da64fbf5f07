//! Bins of numbers: between which edges each is, and what that is for elements of a type.
//!
//! It may depend on `algebra` and on errors.

use crate::{
    algebra::{
        element::{Element, ElementType},
        keys::Keyed,
        narrow::loaded_words,
    },
    error::HistogramError,
};
use std::ops::RangeInclusive;

/// Elements that can be counted in bins: numbers of any type, and [`Bool`](struct@crate::Bool), which is 0 or 1. What has several components can't.
pub trait Binned: Keyed {}

impl<T: Keyed> Binned for T {}

/// The type of a bin's count in a buffer: `u32` or `u64`. Sealed.
pub trait BinCount: Element {
    #[doc(hidden)]
    const WORDS: u32;
}

impl BinCount for u32 {
    const WORDS: u32 = 1;
}

impl BinCount for u64 {
    const WORDS: u32 = 2;
}

/// Between which numbers elements are counted. NumPy's rules: bin i has the elements that are not below edge i, and below edge i + 1. The last
/// bin has those that equal the last edge, too. Elements outside of all bins, and NaNs, are in none.
///
/// ```
/// use gridfold::{Bins, Executor};
///
/// let values = [0.0f32, 0.5, 1.0, 1.0, 2.0, 3.5, 4.0, 4.5, f32::NAN];
/// let executor = Executor::auto();
/// assert_eq!(executor.histogram(&values, &Bins::even(4, 0.0..=4.0)?)?, [2, 2, 1, 2]);
/// assert_eq!(executor.histogram(&values, &Bins::edges(&[0.0, 0.5, 4.5])?)?, [1, 7]);
/// # Ok::<(), gridfold::Error>(())
/// ```
///
/// **Elements and edges are compared as the numbers that they are**, not rounded to each other's type: an edge of 0.7 is the `f64`
/// 0.7, and the `f32` nearest to it, which is less, belongs below. So counts are those of `numpy.histogram` for elements converted to
/// `float64`. For that, edges are made keys of elements: that of the least element that is not below the edge, and of the last edge that of
/// the largest that is not above. Elements are then compared as integers, on every device and on the CPU. −0 equals 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Bins {
    edges: Vec<Edge>,
}

/// An edge, to the bit.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Edge {
    /// Not NaN.
    Float(f64),
    Integer(i128),
}

/// Bins for elements of a type, which are compared by their keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BinKeys {
    /// The key of the least element that lies in a bin or in a later one, for each bin that can have elements. The bins behind these have none.
    pub(crate) firsts: Vec<u64>,
    /// The key of the largest element of any bin.
    pub(crate) last: u64,
}

impl BinKeys {
    /// The bin of an element with this key.
    #[inline]
    pub(crate) fn bin_of(&self, key: u64) -> Option<usize> {
        if key > self.last {
            return None;
        }
        self.firsts.partition_point(|&first| first <= key).checked_sub(1)
    }
}

impl Bins {
    /// Bins at most: 2^20.
    pub const MAX: u64 = 1 << 20;

    /// `count` bins of equal width. The last one has its upper end, too. Edges are `f64`s, as those of `numpy.linspace`: edge i is
    /// `low + i * ((high - low) / count)`, each operation rounded, and the last one is `high`. If both ends are equal, they are moved apart by a half
    /// each, as NumPy does it.
    ///
    /// # Errors
    ///
    /// [`HistogramError::NoBins`], [`HistogramError::TooManyBins`], [`HistogramError::Range`] if an end is not finite, the low one above the
    /// high one, or their difference beyond `f64`, and [`HistogramError::NarrowBins`] if two neighbouring edges are the same `f64`.
    pub fn even(count: u64, range: RangeInclusive<f64>) -> Result<Self, HistogramError> {
        let (low, high) = range.into_inner();
        let refused = HistogramError::Range { low, high };
        check_count(count)?;
        let (low, high) = if low == high { (low - 0.5, high + 0.5) } else { (low, high) };
        let width = high - low;
        if !width.is_finite() || low > high {
            return Err(refused);
        }
        let step = width / count as f64;
        let edge = |number: u64| match number {
            _ if number == count => high,
            // Where ends are so near that the step has no bits, NumPy divides first.
            _ if step == 0.0 => low + number as f64 / count as f64 * width,
            // A step that was rounded up may lead beyond the end.
            _ => (low + number as f64 * step).min(high),
        };
        let edges: Vec<f64> = (0..=count).map(edge).collect();
        if !edges.is_sorted_by(|before, edge| before < edge) {
            return Err(HistogramError::NarrowBins { bins: count, low, high });
        }
        Ok(Self { edges: edges.into_iter().map(Edge::Float).collect() })
    }

    /// Bins between neighbours of these edges, one less than they are. They are ascending numbers of any type, also of another than the elements'.
    /// Between equal ones a bin is empty, unless they are the last two. Infinities may be edges.
    ///
    /// # Errors
    ///
    /// [`HistogramError::NoBins`] of fewer than two edges, [`HistogramError::TooManyBins`], and [`HistogramError::Edge`] if one is below
    /// the one before, or NaN.
    pub fn edges<T: Binned>(edges: &[T]) -> Result<Self, HistogramError> {
        check_count((edges.len() as u64).saturating_sub(1))?;
        let edges: Vec<Edge> = edges.iter().map(|&edge| Edge::of(edge)).collect();
        for (index, &edge) in edges.iter().enumerate() {
            let before = edges[index.saturating_sub(1)];
            let is_ascending = match (before, edge) {
                (Edge::Integer(before), Edge::Integer(edge)) => before <= edge,
                // Not so of NaNs.
                (before, edge) => before.to_f64() <= edge.to_f64(),
            };
            if !is_ascending {
                let (edge, before) = (edge.to_f64(), before.to_f64());
                return Err(HistogramError::Edge { index: index as u64, edge, before });
            }
        }
        Ok(Self { edges })
    }

    /// How many bins there are. At least one.
    #[expect(clippy::len_without_is_empty, reason = "there is one at least")]
    pub fn len(&self) -> u64 {
        self.edges.len() as u64 - 1
    }

    /// The edges, one more than there are bins. Integers beyond 2^53 are rounded here, and only here.
    pub fn edge_values(&self) -> Vec<f64> {
        self.edges.iter().map(|edge| edge.to_f64()).collect()
    }

    /// For elements of a type that has keys. `None` if no element of it is in any bin.
    pub(crate) fn keys(&self, element: ElementType) -> Option<BinKeys> {
        let (last, edges) = self.edges.split_last()?;
        let last = Line::of(element).last_key(*last)?;
        let firsts: Vec<u64> =
            edges.iter().map_while(|&edge| Line::of(element).first_key(edge)).collect();
        // The first bin may begin behind the last one's end, between two elements.
        match firsts.first().is_some_and(|&first| first <= last) {
            true => Some(BinKeys { firsts, last }),
            false => None,
        }
    }
}

fn check_count(bins: u64) -> Result<(), HistogramError> {
    match bins {
        0 => Err(HistogramError::NoBins),
        1..=Bins::MAX => Ok(()),
        _ => Err(HistogramError::TooManyBins { bins, most: Bins::MAX }),
    }
}

impl Edge {
    fn of<T: Element>(edge: T) -> Self {
        let [low, high, ..] = loaded_words(T::TYPE, bytemuck::bytes_of(&edge));
        let word = u64::from(high) << 32 | u64::from(low);
        match T::TYPE.wide() {
            ElementType::F32 => Self::Float(f32::from_bits(low).into()),
            ElementType::F64 => Self::Float(f64::from_bits(word)),
            ElementType::I32 => Self::Integer(low.cast_signed().into()),
            ElementType::I64 => Self::Integer(word.cast_signed().into()),
            // What is unsigned has no words above its own.
            _ => Self::Integer(word.into()),
        }
    }

    fn to_f64(self) -> f64 {
        match self {
            Self::Float(edge) => edge,
            Self::Integer(edge) => edge as f64,
        }
    }

    /// Sign, and magnitude as an integer times a power of two. `None` of infinities.
    fn parts(self) -> (bool, Option<(u128, i32)>) {
        match self {
            Self::Integer(edge) => (edge < 0, Some((edge.unsigned_abs(), 0))),
            Self::Float(edge) => {
                let bits = edge.to_bits();
                let fraction = u128::from(bits & ((1 << 52) - 1));
                let magnitude = match (bits >> 52) & 0x7ff {
                    0 => Some((fraction, -1074)),
                    0x7ff => None,
                    exponent => {
                        let exponent = i32::try_from(exponent).expect("11 bits");
                        Some((fraction | 1 << 52, exponent - 1075))
                    }
                };
                (bits >> 63 == 1, magnitude)
            }
        }
    }
}

/// The numbers of a type in their order, as integers: each is next to the one before. Of floats these are magnitudes' bits, with a sign.
#[derive(Clone, Copy)]
struct Line {
    least: i128,
    largest: i128,
    /// Of floats, bits of the fraction, and the largest exponent.
    float: Option<(u32, i32)>,
}

/// More than any number of a type, where it has no infinity.
const BEYOND: u128 = 1 << 100;

impl Line {
    /// Of what elements are once they are loaded.
    fn of(element: ElementType) -> Self {
        let integers = |least: i128, largest: i128| Self { least, largest, float: None };
        let floats = |infinity: u64, fraction_bits, bias| Self {
            least: -i128::from(infinity),
            largest: infinity.into(),
            float: Some((fraction_bits, bias)),
        };
        match element.wide() {
            ElementType::F32 => floats(f32::INFINITY.to_bits().into(), 23, 127),
            ElementType::F64 => floats(f64::INFINITY.to_bits(), 52, 1023),
            ElementType::I32 => integers(i32::MIN.into(), i32::MAX.into()),
            ElementType::I64 => integers(i64::MIN.into(), i64::MAX.into()),
            ElementType::U64 => integers(0, u64::MAX.into()),
            // All others that have keys.
            _ => integers(0, u32::MAX.into()),
        }
    }

    /// The key of the least number that is not below an edge, if there is one.
    fn first_key(self, edge: Edge) -> Option<u64> {
        let (is_negative, (magnitude, is_exact)) = self.place(edge);
        let place = match is_negative {
            true => -magnitude,
            false => magnitude + i128::from(!is_exact),
        };
        let place = place.max(self.least);
        // Of the zeros the negative one comes first.
        (place <= self.largest).then(|| self.key(place, place <= 0))
    }

    /// The key of the largest number that is not above an edge, if there is one.
    fn last_key(self, edge: Edge) -> Option<u64> {
        let (is_negative, (magnitude, is_exact)) = self.place(edge);
        let place = match is_negative {
            true => -magnitude - i128::from(!is_exact),
            false => magnitude,
        };
        let place = place.min(self.largest);
        (place >= self.least).then(|| self.key(place, place < 0))
    }

    /// As [`Keyed::key`] has it.
    fn key(self, place: i128, is_negative: bool) -> u64 {
        let key = match self.float {
            None => place - self.least,
            Some((fraction_bits, _)) => {
                let zero = if fraction_bits == 23 { 1 << 31 } else { 1 << 63 };
                zero + place - i128::from(is_negative)
            }
        };
        u64::try_from(key).expect("a place of the line")
    }

    /// The place of the number whose magnitude is the edge's, or the largest one below it; and whether it is the edge's.
    fn place(self, edge: Edge) -> (bool, (i128, bool)) {
        let (is_negative, magnitude) = edge.parts();
        let (place, is_exact) = match (magnitude, self.float) {
            (None, None) => (BEYOND, true),
            (None, Some(_)) => (self.largest.unsigned_abs(), true),
            (Some((0, _)), _) => (0, true),
            (Some((significand, exponent)), None) => match exponent {
                // More than any number, and less than what has no bits left.
                0.. if exponent.cast_unsigned() + significand.ilog2() >= 100 => (BEYOND, true),
                0.. => (significand << exponent, true),
                _ => truncated(significand, exponent.unsigned_abs()),
            },
            (Some((significand, exponent)), Some((fraction_bits, bias))) => {
                float_place(significand, exponent, fraction_bits, bias)
            }
        };
        (is_negative, (place.cast_signed(), is_exact))
    }
}

/// Without the lowest bits, and whether these are 0.
fn truncated(number: u128, bits: u32) -> (u128, bool) {
    match number.checked_shr(bits) {
        Some(rest) => (rest, rest << bits == number),
        None => (0, number == 0),
    }
}

/// The bits of the largest float that is not above a number, which is not 0; and whether it is the number.
fn float_place(significand: u128, exponent: i32, fraction_bits: u32, bias: i32) -> (u128, bool) {
    let highest = exponent + significand.ilog2().cast_signed();
    let hidden = 1 << fraction_bits;
    if highest > bias {
        // Below infinity.
        let infinity = u128::from((2 * bias + 1).cast_unsigned()) << fraction_bits;
        return (infinity - 1, false);
    }
    // Of subnormal numbers the last place stays where it is.
    let normal = highest.max(1 - bias);
    let last_place = normal - fraction_bits.cast_signed();
    let (number, is_exact) = match exponent - last_place {
        up @ 0.. => (significand << up, true),
        down => truncated(significand, down.unsigned_abs()),
    };
    // The hidden bit counts as one of the exponent's.
    let exponent = (normal + bias - 1).cast_unsigned();
    debug_assert!(number < 2 * hidden);
    ((u128::from(exponent) << fraction_bits) + number, is_exact)
}

#[cfg(test)]
mod tests {
    use super::*;
    use half::{bf16, f16};

    fn bin_of<T: Binned>(bins: &Bins, element: T) -> Option<usize> {
        bins.keys(T::TYPE).and_then(|keys| keys.bin_of(element.key().into()))
    }

    /// What comparisons of f64s say.
    fn wanted(edges: &[f64], element: f64) -> Option<usize> {
        let last = edges.len() - 2;
        (0..=last).rev().find(|&bin| {
            let is_below =
                if bin == last { element <= edges[bin + 1] } else { element < edges[bin + 1] };
            edges[bin] <= element && is_below
        })
    }

    fn hostile_edges() -> Vec<f64> {
        let floats =
            [0.0, 0.1, 0.7, 1.0, 1.5, 255.0, 65504.0, 65519.9, 1e-7, 1e10, 3.4e38, 3.5e38, 1e300];
        let tiny = [f64::from_bits(1), 1e-310, 1e-46, 1.4e-45, 2.1e-45, 1.17e-38, 1.18e-38, 6e-8];
        let whole =
            [2147483647.0, 2147483648.0, 4294967295.0, 4294967296.0, 9.2e18, 1.9e19, f64::INFINITY];
        let all = floats.into_iter().chain(tiny).chain(whole);
        let mut edges: Vec<f64> = all.flat_map(|x| [x, -x]).collect();
        edges.sort_by(f64::total_cmp);
        edges
    }

    #[test]
    #[expect(clippy::cast_possible_truncation, reason = "what is near an edge is looked for")]
    fn elements_are_compared_as_numbers() {
        let edges = hostile_edges();
        // Of each pair of edges, a bin between them and one on each side.
        for (low, first) in edges.iter().enumerate() {
            for second in &edges[low..] {
                let own = [*first, *second, second.max(1e301)];
                let bins = Bins::edges(&own).expect("ascending");
                let check = |found: Option<usize>, element: f64| {
                    assert_eq!(found, wanted(&own, element), "{element:?} between {own:?}");
                };
                for &near in &edges {
                    for element in [near, near.next_up(), near.next_down()] {
                        check(bin_of(&bins, element), element);
                        let single = element as f32;
                        for single in [single, single.next_up(), single.next_down()] {
                            check(bin_of(&bins, single), single.into());
                        }
                    }
                    let integer = near.clamp(i64::MIN as f64, i64::MAX as f64) as i64;
                    for integer in [integer, integer.saturating_add(1), integer.saturating_sub(1)] {
                        let narrow = i32::try_from(integer).unwrap_or_default();
                        check(bin_of(&bins, narrow), narrow.into());
                        let narrow = u32::try_from(integer).unwrap_or_default();
                        check(bin_of(&bins, narrow), narrow.into());
                        let narrow = u8::try_from(integer).unwrap_or_default();
                        check(bin_of(&bins, narrow), narrow.into());
                        // Those that f64s tell.
                        if integer.unsigned_abs() < 1 << 53 {
                            check(bin_of(&bins, integer), integer as f64);
                            let unsigned = integer.unsigned_abs();
                            check(bin_of(&bins, unsigned), unsigned as f64);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn every_half_is_in_its_bin() {
        let edges =
            [-f64::INFINITY, -7.3, -1e-7, 0.0, 6e-8, 0.1, 0.3333, 1.0, 2049.0, 65504.0, 65536.0];
        let bins = Bins::edges(&edges).expect("ascending");
        for bits in 0..=u16::MAX {
            let half = f16::from_bits(bits);
            assert_eq!(bin_of(&bins, half), wanted(&edges, half.to_f64()), "{half}");
            let half = bf16::from_bits(bits);
            assert_eq!(bin_of(&bins, half), wanted(&edges, half.to_f64()), "{half}");
        }
    }

    #[test]
    fn wide_integers_are_not_rounded() {
        let large = 1u64 << 60;
        let bins = Bins::edges(&[large + 1, large + 2, large + 3]).expect("ascending");
        let found = [large, large + 1, large + 2, large + 3, large + 4].map(|x| bin_of(&bins, x));
        assert_eq!(found, [None, Some(0), Some(1), Some(1), None]);
        assert_eq!(bin_of(&bins, i64::MAX), None);
        // The next f64 is 2^60 + 256.
        assert_eq!(bin_of(&bins, large as f64), None);
        let bins = Bins::edges(&[large - 1, large + 1]).expect("ascending");
        assert_eq!(bin_of(&bins, large as f64), Some(0));
        assert_eq!(bin_of(&bins, large as f32), Some(0));
        let bins = Bins::edges(&[i64::MIN, -1]).expect("ascending");
        assert_eq!([i64::MIN, -1, 0].map(|x| bin_of(&bins, x)), [Some(0), Some(0), None]);
    }

    #[test]
    fn edges_as_numpy_makes_them() {
        let edges = |count, range| Bins::even(count, range).map(|bins| bins.edge_values());
        // numpy.linspace(-1.3, 2.9, 6)
        let numpy = [
            -1.3,
            -0.459_999_999_999_999_96,
            0.380_000_000_000_000_1,
            1.220_000_000_000_000_4,
            2.060_000_000_000_000_5,
            2.9,
        ];
        assert_eq!(edges(5, -1.3..=2.9), Ok(numpy.to_vec()));
        assert_eq!(edges(2, 3.0..=3.0), Ok(vec![2.5, 3.0, 3.5]));
        let tiny = f64::from_bits(16);
        let found = edges(16, 0.0..=tiny).expect("a range");
        assert!(found.is_sorted() && found[1] == f64::from_bits(1), "{found:?}");
    }

    #[test]
    fn what_is_refused() {
        assert_eq!(Bins::even(0, 0.0..=1.0), Err(HistogramError::NoBins));
        let most = Bins::MAX;
        let too_many = HistogramError::TooManyBins { bins: most + 1, most };
        assert_eq!(Bins::even(most + 1, 0.0..=1.0), Err(too_many));
        for (low, high) in [(1.0, 0.0), (0.0, f64::INFINITY), (-f64::MAX, f64::MAX)] {
            assert_eq!(Bins::even(1, low..=high), Err(HistogramError::Range { low, high }));
        }
        // Neighbouring f64s, as near 0 and in the large.
        for (bins, low, high) in
            [(17, 0.0, f64::from_bits(16)), (3, 1.7e18, 1.7e18 + 512.0), (1, 1e300, 1e300)]
        {
            let narrow = HistogramError::NarrowBins { bins, low, high };
            assert_eq!(Bins::even(bins, low..=high), Err(narrow));
        }
        assert!(matches!(Bins::even(1, f64::NAN..=1.0), Err(HistogramError::Range { .. })));
        assert_eq!(Bins::edges(&[1u8]), Err(HistogramError::NoBins));
        assert_eq!(Bins::edges::<f32>(&[]), Err(HistogramError::NoBins));
        let refused = HistogramError::Edge { index: 2, edge: 1.0, before: 2.0 };
        assert_eq!(Bins::edges(&[0i32, 2, 1]), Err(refused));
        for edges in [[f32::NAN, 1.0], [0.0, f32::NAN]] {
            assert!(matches!(Bins::edges(&edges), Err(HistogramError::Edge { .. })));
        }
    }
}
