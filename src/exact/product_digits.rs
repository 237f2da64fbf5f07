//! A sum of products in a few digits: fast for few products.

use super::wide::Wide;

/// Products at most: a digit takes up to 2^111 of each.
pub(super) const MAX_ITEMS: usize = 1 << 16;

/// Digits of radix 2^64 that overlap: so nothing is carried. The last begins at bit 448, where the products of
/// the largest f32s have shifts up to 506.
#[derive(Default)]
pub(super) struct ProductDigits([i128; 8]);

impl ProductDigits {
    /// Adds `product · 2^shift`. The product is one of two significands.
    pub(super) fn add(&mut self, product: i64, shift: usize) {
        self.0[shift / 64] += i128::from(product) << (shift % 64);
    }

    pub(super) fn add_to(&self, sum: &mut Wide<10>) {
        for (index, &digit) in self.0.iter().enumerate() {
            sum.add_to_word(index, digit);
        }
    }
}
