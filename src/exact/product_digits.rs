//! A sum of products in a few digits.

use super::{
    f32_bits::{INFINITY, SIGN, finite_parts},
    wide::Wide,
};

/// Products at most: a digit takes up to 2^111 of each.
pub(super) const MAX_ITEMS: usize = 1 << 16;

/// Products added at once.
pub(super) const GROUP_ITEMS: usize = 128;

/// Digits of radix 2^64 that overlap: so nothing is carried. The last begins at bit 448, where the products of
/// the largest f32s have shifts up to 506.
#[derive(Default)]
pub(super) struct ProductDigits([i128; 8]);

impl ProductDigits {
    /// Adds `product · 2^shift`. The product is one of two significands.
    pub(super) fn add(&mut self, product: i64, shift: usize) {
        self.0[shift / 64] += i128::from(product) << (shift % 64);
    }

    /// Adds the products of elements, given as bits, and says so, if all are finite. Otherwise adds nothing.
    pub(super) fn add_group(
        &mut self,
        left: &[u32; GROUP_ITEMS],
        right: &[u32; GROUP_ITEMS],
    ) -> bool {
        // Multiplications and digits have no vector instructions. What does have them comes first.
        let (mut significands, mut shifts) = ([(0, 0); GROUP_ITEMS], [0; GROUP_ITEMS]);
        let mut are_finite = true;
        for i in 0..GROUP_ITEMS {
            let (x, x_shift) = finite_parts(left[i]);
            let (y, y_shift) = finite_parts(right[i]);
            (significands[i], shifts[i]) = ((x, y), x_shift + y_shift);
            are_finite &= left[i] & !SIGN < INFINITY && right[i] & !SIGN < INFINITY;
        }
        if are_finite {
            for ((x, y), shift) in significands.into_iter().zip(shifts) {
                self.add(i64::from(x) * i64::from(y), shift as usize);
            }
        }
        are_finite
    }

    pub(super) fn add_to(&self, sum: &mut Wide<10>) {
        for (index, &digit) in self.0.iter().enumerate() {
            sum.add_to_word(index, digit);
        }
    }
}
