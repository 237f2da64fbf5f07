//! Tuned numbers, as data, with the measurement beside each row.
//!
//! They apply to operators with the same result in every order. The order of f32 sums and products
//! is [`crate::tree`]'s whatever the policy.

use crate::tree::{MAX_BLOCKS, MIN_ROWS};

/// How order-free operators cut their input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Policy {
    /// Rows of 1024 elements that a workgroup folds at least: a power of two from 4 to 2^16.
    pub min_rows: u32,
    /// Workgroups of the first pass at most, and so partials of the second: 1 to 2048. More where a workgroup
    /// would have more than 2^29 elements.
    pub max_workgroups: u32,
}

impl Policy {
    /// For devices that nobody has measured: the bounds of the fixed order.
    pub const DEFAULT: Self = Self { min_rows: 4, max_workgroups: 2048 };

    /// Whether the fields are within the bounds that they document.
    pub fn is_within_bounds(self) -> bool {
        self.min_rows.is_power_of_two()
            && (MIN_ROWS..=1 << 16).contains(&u64::from(self.min_rows))
            && (1..=MAX_BLOCKS).contains(&u64::from(self.max_workgroups))
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self::DEFAULT
    }
}
