//! A sum in a few digits: fast for few elements.

use super::wide::Wide;

/// Elements at most: a digit takes up to 2^55 of each.
pub(super) const MAX_ITEMS: usize = 256;

/// Digits of radix 2^32 that overlap: so nothing is carried. The last begins at bit 224, where the largest
/// f32s have shifts up to 253.
#[derive(Default)]
pub(super) struct Digits([i64; 8]);

impl Digits {
    /// Adds `significand · 2^shift`.
    pub(super) fn add(&mut self, significand: i64, shift: usize) {
        self.0[shift / 32] += significand << (shift % 32);
    }

    pub(super) fn add_to(&self, sum: &mut Wide<5>) {
        for (index, &digit) in self.0.iter().enumerate() {
            sum.add_shifted(digit, 32 * index);
        }
    }
}
