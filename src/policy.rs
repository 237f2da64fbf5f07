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
    /// The bounds of the fixed order, for every device so far.
    ///
    /// On an NVIDIA H200 nothing else was better throughout (`cargo bench --bench lengths`, u32 sums, device
    /// time in µs, benches/records/nvidia-h200-lengths.txt):
    ///
    /// | `min_rows`, `max_workgroups` | 2^20 | 2^22 | 2^24 | 2^25 | 2^26 | 2^28 |
    /// |---|---|---|---|---|---|---|
    /// | 4, 2048 | 9.5 | 13.3 | 26.7 | 40.9 | 69.5 | 242.8 |
    /// | 4, 1024 | 9.4 | 13.3 | 26.9 | 41.8 | 71.1 | 268.4 |
    /// | 4, 512 | 9.4 | 13.6 | 27.6 | 40.8 | 70.9 | 254.7 |
    /// | 4, 256 | 9.4 | 12.6 | 25.1 | 39.2 | 68.5 | 242.9 |
    /// | 8, 2048 | 9.9 | 13.6 | 26.5 | 40.9 | 69.7 | 243.0 |
    /// | 16, 2048 | 10.2 | 12.6 | 26.8 | 41.1 | 69.5 | 243.0 |
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
