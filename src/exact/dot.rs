//! The sum of products.

use super::{
    DecodeError, LengthMismatch,
    accumulator::{Accumulator, HAS_INFINITY, HAS_NAN, HAS_NEGATIVE_INFINITY},
    f32_bits::{CANONICAL_NAN, INFINITY, SIGN, finite, nearest},
    product_digits::{self, ProductDigits},
    wide::Wide,
};

/// The bit of 2^-149 where the unit is that of products, 2^-298.
pub(super) const F32_UNIT: usize = 149;

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
        self.extend_products(elements, elements);
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
        let (left, right): (&[u32], &[u32]) =
            (bytemuck::cast_slice(left), bytemuck::cast_slice(right));
        self.0.count(left.len() as u64);
        let right_parts = right.chunks(product_digits::MAX_ITEMS);
        for (left, right) in left.chunks(product_digits::MAX_ITEMS).zip(right_parts) {
            let mut digits = ProductDigits::default();
            let (left_groups, left_rest) = left.as_chunks();
            let (right_groups, right_rest) = right.as_chunks();
            for (left, right) in left_groups.iter().zip(right_groups) {
                if !digits.add_group(left, right) {
                    self.add_each(&mut digits, left, right);
                }
            }
            self.add_each(&mut digits, left_rest, right_rest);
            digits.add_to(&mut self.0.finite);
        }
    }

    /// Adds products to `digits`, and what is not finite to the flags.
    fn add_each(&mut self, digits: &mut ProductDigits, left: &[u32], right: &[u32]) {
        for (&x, &y) in left.iter().zip(right) {
            match finite_product(x, y) {
                Some((product, shift)) => digits.add(product, shift),
                None => self.0.flags |= special_product(x, y),
            }
        }
    }
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
