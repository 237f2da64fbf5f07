//! How a first pass is cut into workgroups: numbers, with the measurement beside them.
//!
//! No policy changes bits: the order of f32 sums and products is [`crate::order`]'s in any geometry.

/// How a first pass is cut into workgroups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Policy {
    /// Rows of 1024 elements that a workgroup folds at least: a power of two from 4 to 2^16.
    pub min_rows: u32,
    /// Workgroups of each launch of the first pass at most, as a rule: 1 to 2048. A few more rather than half as many; and more
    /// where a workgroup would have no room for the totals of its rounds. Of large accumulators up to eight times as many, as their workgroups have a quarter of the lanes.
    pub max_workgroups: u32,
}

impl Policy {
    /// For devices that were not measured.
    ///
    /// On an NVIDIA H200 nothing else was better throughout (`cargo bench --bench lengths`, u32 sums, device
    /// time in µs, benches/records/nvidia-h200-lengths-without-loop-counters.txt):
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

    /// For exact results: a workgroup needs some elements to be worth its end.
    ///
    /// On an NVIDIA H200, f32 sums of normal data, device time in µs (`cargo bench --bench precision`,
    /// benches/records/nvidia-h200-exact.txt):
    ///
    /// | `min_rows`, `max_workgroups` | 2^16 | 2^20 | 2^22 | 2^24 | 2^26 | 2^28 |
    /// |---|---|---|---|---|---|---|
    /// | 4, 2048 | 11.5 | 12.6 | 17.7 | 34.5 | 77.1 | 249.0 |
    /// | 8, 1024 | 11.1 | 13.0 | 17.0 | 32.6 | 76.2 | 249.3 |
    /// | 8, 2048 | 11.1 | 13.2 | 16.9 | 34.5 | 77.4 | 248.6 |
    /// | 16, 2048 | 12.2 | 14.1 | 16.1 | 32.5 | 77.2 | 248.8 |
    pub const EXACT: Self = Self { min_rows: 8, max_workgroups: 1024 };

    /// Whether the fields are within the bounds that they document.
    pub fn is_within_bounds(self) -> bool {
        self.min_rows.is_power_of_two()
            && (4..=1 << 16).contains(&self.min_rows)
            && (1..=2048).contains(&self.max_workgroups)
    }
}

/// [`Policy::DEFAULT`], also for exact results: these have [`Policy::EXACT`] if no policy is asked for.
impl Default for Policy {
    fn default() -> Self {
        Self::DEFAULT
    }
}
