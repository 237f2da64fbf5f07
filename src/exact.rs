//! Exact sums of f32: the true sum of all elements, rounded once.
//!
//! [`struct@crate::Sum`] fixes the order in which it rounds. An [`ExactSum`] does not round until the end, so no order
//! can matter: not how the elements are cut into parts, nor which thread, process or machine adds which
//! part, nor in which order the parts are merged. Nothing overflows or is lost midway.
//!
//! ```
//! use gridfold::{ExactSum, exact};
//!
//! let elements = [1e30f32, 1.0, f32::MAX, -1e30, f32::MAX, -f32::MAX, -f32::MAX];
//! assert_eq!(exact::sum(&elements).to_f32(), 1.0);
//!
//! // The same in two parts, one of them from elsewhere.
//! let mut sum = ExactSum::default();
//! sum.extend(&elements[..3]);
//! let bytes = exact::sum(&elements[3..]).to_bytes();
//! sum.merge(&ExactSum::from_bytes(&bytes)?);
//! assert_eq!(sum.to_f32(), 1.0);
//! # Ok::<(), gridfold::exact::DecodeError>(())
//! ```
//!
//! # Relatives of the sum
//!
//! An [`ExactDot`] is the sum of products, of which none is rounded, and its square root; [`ExactMoments`] are the sum
//! and that of squares, and make a mean and variances. They too round once, at the end, merge, and have bytes.
//!
//! ```
//! use gridfold::exact;
//!
//! // In f32 the first and the last product are infinite.
//! let (left, right) = ([1e30f32, 3.0, 1e-20, -1e30], [1e30f32, 1.0, 1e-20, 1e30]);
//! assert_eq!(exact::dot(&left, &right)?.to_f32(), 3.0);
//! // Nor are squares too large or too small.
//! assert_eq!(exact::squares(&[3e30, 4e30]).norm_f32(), 5e30);
//!
//! let moments = exact::moments(&[16_777_215.0, 16_777_216.0]);
//! assert_eq!(moments.variance_f32(), 0.25);
//! assert_eq!(moments.sample_variance_f32(), 0.5);
//! # Ok::<(), gridfold::exact::LengthMismatch>(())
//! ```
//!
//! # How
//!
//! Every finite f32 is an integer times 2^-149, the smallest subnormal number. So the sum is an integer, too,
//! and 320 bits hold that of 2^40 elements of any size. This is the long accumulator of U. Kulisch (Kulisch
//! and Miranker, "The arithmetic of the digital computer: a new approach", SIAM Review 28, 1986). Products
//! are integers times 2^-298, and 640 bits hold their sums. To add a single element or product is to add its
//! significand where its exponent says.
//!
//! What adds many elements does so less often. Where those of a group are of similar sizes, f64s add them, or their
//! products, without rounding anything, and the long integer sees the group's sum. Where they are not, significands are added up by
//! exponent first, as in R. M. Neal's ["Fast exact summation using small and large
//! superaccumulators"](https://arxiv.org/abs/1505.05571) (2015), and the long integer sees each exponent once per 2^20 elements, or
//! 2^15 products. For few, digits that overlap serve.
//!
//! A variance is that of integers, (n·Σx² − (Σx)²) / n²: so nothing is lost where elements are close to one another and
//! far from 0.
//!
//! The rounding mode of the thread, and whether it flushes subnormal numbers, can't matter: where additions of floats are not
//! IEEE-754's by default, all of it is integer arithmetic.
//!
//! # Speed
//!
//! Times of other ways on one core, as multiples of [`ExactSum::extend`]'s: of the crate `xsum` 0.1.6 (Neal's
//! algorithms for f64; the faster of its two types) and of a plain loop that rounds each addition. The
//! command is `cargo bench --bench exact`, on an Intel Xeon (Sapphire Rapids).
//!
//! | elements | uniform: `xsum`, loop | normal: `xsum`, loop | exponents from −40 to 40: `xsum`, loop |
//! |---|---|---|---|
//! | 2^6 | 1.27, 0.08 | 1.22, 0.08 | 1.46, 0.09 |
//! | 2^10 | 6.73, 1.54 | 6.83, 1.54 | 1.43, 0.32 |
//! | 2^16 | 6.39, 2.02 | 6.37, 2.02 | 4.37, 1.19 |
//! | 2^24 | 4.48, 1.26 | 4.29, 1.27 | 2.81, 0.77 |
//!
//! For dot products of 2^10 pairs and more a plain loop takes 0.51 to 0.76 times as long as [`ExactDot::extend`], and 0.19 to
//! 0.64 where exponents are from −40 to 40.
//!
//! # Special values
//!
//! A NaN, or infinities of both signs, make the sum the NaN 0x7fc00000. One infinity makes it that infinity,
//! also against finite elements whose own sum is too large for an f32. A sum of 0 is +0, also that of
//! elements that are all −0. These are the rules of JavaScript's `Math.sumPrecise`, except for the sign of
//! zero.
//!
//! Sums of products have the same rules; the product of a NaN is NaN, and so is that of 0 and an infinity. The root of
//! a sum below 0 is NaN. Variances are NaN with any element that is not finite.

mod accumulator;
mod buckets;
mod digits;
mod dot;
mod encoding;
pub(crate) mod f32_bits;
pub(crate) mod f64_bits;
mod f64_dot;
mod f64_moments;
mod f64_sum;
pub(crate) mod float_environment;
mod moments;
mod product_buckets;
mod product_digits;
#[cfg(feature = "serde")]
mod serde_parts;
mod sum;
mod wide;
mod windows;

pub use dot::ExactDot;
pub use encoding::DecodeError;
pub(crate) use f64_dot::F64Dot;
pub(crate) use f64_moments::F64Moments;
pub(crate) use f64_sum::F64Sum;
pub use moments::ExactMoments;
pub use sum::ExactSum;

use std::ops::Range;

/// Elements that a thread adds at once: few enough for every core to get some of 2^20.
#[cfg(feature = "parallel")]
const THREAD_ITEMS: usize = 1 << 16;

/// Two slices of different lengths have no products.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "slices of {left} and {right} elements have no dot product: give as many elements on the left as on the right"
)]
pub struct LengthMismatch {
    /// Elements of the first slice.
    pub left: usize,
    /// Elements of the second slice.
    pub right: usize,
}

impl LengthMismatch {
    pub(crate) fn check<T>(left: &[T], right: &[T]) -> Result<(), Self> {
        let (left, right) = (left.len(), right.len());
        if left == right { Ok(()) } else { Err(Self { left, right }) }
    }
}

/// The true sum of f64s, rounded once, to the nearest, ties to even: on the CPU, in integers, on every core if the feature
/// `parallel` is on. It is what [`crate::Precision::Exact`] gives, on a device as well. Special values are those of [`sum`]; every NaN
/// is 0x7ff8000000000000.
///
/// ```
/// assert_eq!(gridfold::exact::sum_f64(&[1e300, 1.0, f64::MAX, -1e300, -f64::MAX]), 1.0);
/// ```
pub fn sum_f64(elements: &[f64]) -> f64 {
    f64_sum(elements).sum()
}

/// The true mean of f64s, rounded once; of nothing: NaN. Below 0 it may round to −0.
pub fn mean_f64(elements: &[f64]) -> f64 {
    f64_sum(elements).mean()
}

/// The sum of f64s that does not round.
pub(crate) fn f64_sum(elements: &[f64]) -> F64Sum {
    in_parts(elements.len(), |part, sum: &mut F64Sum| sum.extend(&elements[part]), F64Sum::merge)
}

/// The sum of products of f64s that does not round, of slices of one length.
pub(crate) fn f64_dot(left: &[f64], right: &[f64]) -> F64Dot {
    let add = |part: Range<usize>, dot: &mut F64Dot| dot.extend(&left[part.clone()], &right[part]);
    in_parts(left.len(), add, F64Dot::merge)
}

/// The sum of squares of f64s that does not round.
pub(crate) fn f64_squares(elements: &[f64]) -> F64Dot {
    f64_dot(elements, elements)
}

/// The sums of f64s and of their squares that do not round.
pub(crate) fn f64_moments(elements: &[f64]) -> F64Moments {
    let add = |part: Range<usize>, moments: &mut F64Moments| moments.extend(&elements[part]);
    in_parts(elements.len(), add, F64Moments::merge)
}

/// The exact sum of `elements`, on every core if the feature `parallel` is on.
pub fn sum(elements: &[f32]) -> ExactSum {
    in_parts(
        elements.len(),
        |part, sum: &mut ExactSum| sum.extend(&elements[part]),
        ExactSum::merge,
    )
}

/// The exact sum of the products of the elements at the same places of both slices, on every core if the feature
/// `parallel` is on.
///
/// # Errors
///
/// [`LengthMismatch`].
pub fn dot(left: &[f32], right: &[f32]) -> Result<ExactDot, LengthMismatch> {
    LengthMismatch::check(left, right)?;
    Ok(f32_dot(left, right))
}

/// [`dot`] of slices of one length.
pub(crate) fn f32_dot(left: &[f32], right: &[f32]) -> ExactDot {
    let add = |part: Range<usize>, dot: &mut ExactDot| {
        dot.extend_products(&left[part.clone()], &right[part]);
    };
    in_parts(left.len(), add, ExactDot::merge)
}

/// The exact sum of the squares of `elements`, on every core if the feature `parallel` is on.
pub fn squares(elements: &[f32]) -> ExactDot {
    let add = |part, squares: &mut ExactDot| squares.extend_squares(&elements[part]);
    in_parts(elements.len(), add, ExactDot::merge)
}

/// The exact sums of `elements` and of their squares, on every core if the feature `parallel` is on.
pub fn moments(elements: &[f32]) -> ExactMoments {
    let add = |part, moments: &mut ExactMoments| moments.extend(&elements[part]);
    in_parts(elements.len(), add, ExactMoments::merge)
}

/// The exact sums of the elements that are not NaN, and of their squares. They count these alone.
pub(crate) fn moments_of_numbers(elements: &[f32]) -> ExactMoments {
    let add = |part: Range<usize>, moments: &mut ExactMoments| {
        by_numbers(&elements[part], f32::is_nan, |numbers| moments.extend(numbers));
    };
    in_parts(elements.len(), add, ExactMoments::merge)
}

/// The same of f64s.
pub(crate) fn f64_moments_of_numbers(elements: &[f64]) -> F64Moments {
    let add = |part: Range<usize>, moments: &mut F64Moments| {
        by_numbers(&elements[part], f64::is_nan, |numbers| moments.extend(numbers));
    };
    in_parts(elements.len(), add, F64Moments::merge)
}

/// Calls `add` with the elements that are not NaN, some at a time. Where there are no others they need no copy.
fn by_numbers<F: Copy>(elements: &[F], is_nan: fn(F) -> bool, mut add: impl FnMut(&[F])) {
    /// Elements that are looked at together: they stay in the nearest cache.
    const BLOCK: usize = 4096;
    let mut numbers = Vec::new();
    for block in elements.chunks(BLOCK) {
        // Without a branch for each.
        if block.iter().fold(false, |has_nan, &element| has_nan | is_nan(element)) {
            numbers.clear();
            numbers.extend(block.iter().copied().filter(|&element| !is_nan(element)));
            add(&numbers);
        } else {
            add(block);
        }
    }
}

/// The accumulator to which `add` has added all parts of `0..len`.
fn in_parts<Acc: Default + Send>(
    len: usize,
    add: impl Fn(Range<usize>, &mut Acc) + Sync,
    #[cfg_attr(not(feature = "parallel"), expect(unused_variables, reason = "a single part"))]
    merge: fn(&mut Acc, &Acc),
) -> Acc {
    let of_part = |part| {
        let mut acc = Acc::default();
        add(part, &mut acc);
        acc
    };
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        (0..len.div_ceil(THREAD_ITEMS))
            .into_par_iter()
            .map(|part| part * THREAD_ITEMS..len.min((part + 1) * THREAD_ITEMS))
            .map(of_part)
            .reduce(Acc::default, |mut a, b| {
                merge(&mut a, &b);
                a
            })
    }
    #[cfg(not(feature = "parallel"))]
    {
        of_part(0..len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Limbs of -2, and of 4.
    fn limbs() -> ([u32; 10], [u32; 20]) {
        let (mut sum, mut squares) = ([u32::MAX; 10], [0; 20]);
        (sum[0], squares[0]) = ((-2i32).cast_unsigned(), 4);
        (sum, squares)
    }

    #[test]
    fn accumulators_from_parts() {
        let elements = [f32::from_bits(0x8000_0002), f32::NEG_INFINITY];
        let (sum_limbs, square_limbs) = limbs();
        assert_eq!(ExactSum::from_parts(sum_limbs, 4, 2), sum(&elements));
        assert_eq!(ExactDot::from_parts(square_limbs, 2, 2), squares(&elements));
        let of_parts = ExactMoments::from_parts(sum_limbs, square_limbs, 4, 2);
        assert_eq!(of_parts, moments(&elements));
    }
}
