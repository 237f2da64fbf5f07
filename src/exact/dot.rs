//! The sum of products.

use super::{
    DecodeError, LengthMismatch,
    accumulator::{Accumulator, HAS_INFINITY, HAS_NAN, HAS_NEGATIVE_INFINITY},
    f32_bits::{CANONICAL_NAN, INFINITY, SIGN, finite, finite_parts, nearest},
    float_environment,
    product_buckets::{self, ProductBuckets},
    product_digits::{self, ProductDigits},
    wide::Wide,
    windows::{self, GROUP_ITEMS, Range},
};

/// The bit of 2^-149 where the unit is that of products, 2^-298.
pub(super) const F32_UNIT: usize = 149;

/// For fewer products the buckets take longer to empty than they save.
const MIN_BUCKET_ITEMS: usize = 4096;

/// Products whose factors are taken apart at once.
const GROUP_TERMS: usize = 128;
const FEW: usize = 4;

/// An exact sum of products of two f32 under way, such as a dot product or a sum of squares, with the number
/// of products. No product is rounded, nor is any too large or too small. [The module](super#relatives-of-the-sum)
/// has an example.
///
/// Accumulators are equal if their products have the same exact sum, the same number, and NaNs,
/// +∞ and −∞ in both or in neither. A product is NaN if a factor is, and that of 0 and an infinity is, too.
///
/// More than 2^40 products are not a sum any more: [`to_f32`](Self::to_f32) and [`norm_f32`](Self::norm_f32) are
/// NaN from there on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(into = "super::serde_parts::DotParts", try_from = "super::serde_parts::DotParts")
)]
pub struct ExactDot(pub(super) Accumulator<10>);

impl ExactDot {
    /// Adds the product of two elements. For many, [`extend`](Self::extend) is faster.
    pub fn add(&mut self, x: f32, y: f32) {
        self.0.count(1);
        let (x, y) = (x.to_bits(), y.to_bits());
        match finite_product(x, y) {
            Some((product, shift)) => self.0.finite.add_shifted(product, shift),
            None => self.0.flags |= special_product(x, y),
        }
    }

    /// Adds the square of an element. For many, [`extend_squares`](Self::extend_squares) is faster.
    pub fn add_square(&mut self, x: f32) {
        self.add(x, x);
    }

    /// Adds the products of the elements at the same places of both slices, on the calling thread.
    /// [`dot`](super::dot) uses every core.
    ///
    /// # Errors
    ///
    /// [`LengthMismatch`]; nothing is added then.
    pub fn extend(&mut self, left: &[f32], right: &[f32]) -> Result<(), LengthMismatch> {
        LengthMismatch::check(left, right)?;
        self.extend_products(left, right);
        Ok(())
    }

    /// Adds the squares of all elements, on the calling thread. [`squares`](super::squares) uses every core.
    pub fn extend_squares(&mut self, elements: &[f32]) {
        self.0.count(elements.len() as u64);
        if !float_environment::is_default() {
            self.extend_in_integers(elements, elements);
            return;
        }
        let add = |squares: &mut Self, [group]: [&[f32; GROUP_ITEMS]; 1]| {
            windows::add_products([group; 2], [Range::of(group); 2], &mut squares.0.finite)
        };
        let add_others = |squares: &mut Self, [others]: [&[f32]; 1]| {
            squares.extend_in_integers(others, others);
        };
        windows::by_groups(self, [elements], add, add_others);
    }

    /// Adds the products of another accumulator.
    pub fn merge(&mut self, other: &Self) {
        self.0.merge(&other.0);
    }

    /// The true sum, rounded to the nearest f32, ties to even; [the module](super#special-values) says when it
    /// is not finite. 0 without products. A sum below zero that is too small for any other f32 is −0.
    pub fn to_f32(&self) -> f32 {
        self.0.round(|sum| nearest(sum, F32_UNIT, false))
    }

    /// The square root of the true sum, rounded once, to the nearest f32, ties to even: of a sum of squares,
    /// the Euclidean norm. NaN if the sum is below zero, as for [`f32::sqrt`].
    pub fn norm_f32(&self) -> f32 {
        let root = self.0.round(|sum| {
            // In units of 2^-150: the root's of 2^-300.
            let (root, has_remainder) = sum.doubled().doubled().root();
            nearest(&root, 1, has_remainder)
        });
        if root.is_sign_negative() { f32::from_bits(CANONICAL_NAN) } else { root }
    }

    /// Products added.
    pub fn len(&self) -> u64 {
        self.0.len
    }

    /// Whether no product was added.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The accumulator of parts that are known to belong together.
    pub(crate) fn from_parts(limbs: [u32; 20], flags: u32, len: u64) -> Self {
        Self(Accumulator { finite: Wide::from_limbs(limbs), flags, len })
    }

    /// This, if some products have such a sum.
    pub(super) fn checked(self) -> Result<Self, DecodeError> {
        // The largest product.
        self.0.check(0x00ff_ffff * 0x00ff_ffff, 506)?;
        Ok(self)
    }

    /// [`extend`](Self::extend) by slices of the same length.
    pub(super) fn extend_products(&mut self, left: &[f32], right: &[f32]) {
        self.0.count(left.len() as u64);
        if !float_environment::is_default() {
            self.extend_in_integers(left, right);
            return;
        }
        let add = |dot: &mut Self, [left, right]: [&[f32; GROUP_ITEMS]; 2]| {
            let ranges = [Range::of(left), Range::of(right)];
            windows::add_products([left, right], ranges, &mut dot.0.finite)
        };
        let add_others = |dot: &mut Self, [left, right]: [&[f32]; 2]| {
            dot.extend_in_integers(left, right);
        };
        windows::by_groups(self, [left, right], add, add_others);
    }

    /// Adds the products of the elements of slices of the same length, which have been counted.
    pub(super) fn extend_in_integers(&mut self, left: &[f32], right: &[f32]) {
        let (left, right): (&[u32], &[u32]) =
            (bytemuck::cast_slice(left), bytemuck::cast_slice(right));
        let (most, is_short) = if left.len() < MIN_BUCKET_ITEMS {
            (product_digits::MAX_ITEMS, true)
        } else {
            (product_buckets::MAX_ITEMS, false)
        };
        for (left, right) in left.chunks(most).zip(right.chunks(most)) {
            if is_short {
                let mut digits = ProductDigits::default();
                self.add_terms(left, right, |_, product, shift| digits.add(product, shift));
                digits.add_to(&mut self.0.finite);
            } else {
                let mut buckets = ProductBuckets::new();
                self.add_terms(left, right, |number, product, shift| {
                    buckets.add(number, product, shift);
                });
                buckets.add_to(&mut self.0.finite);
            }
        }
    }

    /// Calls `add` with the numbers, products and shifts of what is finite, and adds the rest to the flags.
    #[inline]
    fn add_terms(&mut self, left: &[u32], right: &[u32], mut add: impl FnMut(usize, i64, usize)) {
        let (left_groups, left_rest) = left.as_chunks();
        let (right_groups, right_rest) = right.as_chunks();
        for (left, right) in left_groups.iter().zip(right_groups) {
            if !add_group(left, right, &mut add) {
                self.add_each(left, right, &mut add);
            }
        }
        self.add_each(left_rest, right_rest, add);
    }

    /// The same, one by one.
    fn add_each(&mut self, left: &[u32], right: &[u32], mut add: impl FnMut(usize, i64, usize)) {
        for (number, (&x, &y)) in left.iter().zip(right).enumerate() {
            match finite_product(x, y) {
                Some((product, shift)) => add(number, product, shift),
                None => self.0.flags |= special_product(x, y),
            }
        }
    }
}

/// Calls `add` with the numbers, products and shifts of elements, given as bits, and says so, if all are finite. Otherwise
/// does nothing.
#[inline]
fn add_group(
    left: &[u32; GROUP_TERMS],
    right: &[u32; GROUP_TERMS],
    mut add: impl FnMut(usize, i64, usize),
) -> bool {
    // Multiplications, and what `add` does, have no vector instructions. What does have them comes first.
    let (mut significands, mut shifts) = ([(0, 0); GROUP_TERMS], [0; GROUP_TERMS]);
    let mut are_finite = true;
    for i in 0..GROUP_TERMS {
        let (x, x_shift) = finite_parts(left[i]);
        let (y, y_shift) = finite_parts(right[i]);
        (significands[i], shifts[i]) = ((x, y), x_shift + y_shift);
        are_finite &= left[i] & !SIGN < INFINITY && right[i] & !SIGN < INFINITY;
    }
    if are_finite {
        // A few at a time: then compilers know their numbers.
        let fews = significands.as_chunks::<FEW>().0.iter().zip(shifts.as_chunks::<FEW>().0);
        for (significands, shifts) in fews {
            for number in 0..FEW {
                let (x, y) = significands[number];
                add(number, i64::from(x) * i64::from(y), shifts[number] as usize);
            }
        }
    }
    are_finite
}

/// The product of two finite elements is `product · 2^shift` units, which are 2^-298: returns these two. `None` if
/// one of them is not finite.
fn finite_product(x: u32, y: u32) -> Option<(i64, usize)> {
    let (x, x_shift) = finite(x)?;
    let (y, y_shift) = finite(y)?;
    Some((x * y, x_shift + y_shift))
}

/// The flag of a product of which a factor is not finite.
fn special_product(x: u32, y: u32) -> u32 {
    let (larger, smaller) = ((x & !SIGN).max(y & !SIGN), (x & !SIGN).min(y & !SIGN));
    if larger > INFINITY || smaller == 0 {
        HAS_NAN
    } else if (x ^ y) & SIGN == 0 {
        HAS_INFINITY
    } else {
        HAS_NEGATIVE_INFINITY
    }
}
