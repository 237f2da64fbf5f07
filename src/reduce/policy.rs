//! Tuned numbers, as data, with the measurement beside each row.
//!
//! No policy changes bits: the order of f32 sums and products is [`crate::order`]'s in any geometry.

use crate::device::capabilities::DeviceClass;

/// How a first pass is cut into workgroups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Policy {
    /// Rows of 1024 elements that a workgroup folds at least: a power of two from 4 to 2^16.
    pub min_rows: u32,
    /// Workgroups of each launch of the first pass at most, as a rule: 1 to 2048. A few more rather than half as many; and more
    /// where a workgroup would have no room for the totals of its rounds.
    pub max_workgroups: u32,
}

impl Policy {
    /// For devices that nobody has measured.
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

/// What a device is given where the caller asks for nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tuning {
    pub(crate) policy: Policy,
    /// Whether the last workgroup folds the partials, where memory is coherent.
    pub(crate) single_pass: bool,
}

/// The rows there are: no row for devices that nobody has measured. Elements of 32 bits were measured; all kernels have 256
/// invocations.
///
/// NVIDIA H200, sums of f32 and u32, device time in µs (`cargo bench --bench lengths`,
/// benches/records/nvidia-h200-single-pass.txt):
///
/// | strategy, `max_workgroups` | type | 2^16 | 2^20 | 2^22 | 2^24 | 2^25 | 2^26 | 2^28 |
/// |---|---|---|---|---|---|---|---|---|
/// | two passes, 2048 | f32 | 9.5 | 10.5 | 14.2 | 27.5 | 41.8 | 71.5 | 242.0 |
/// | single pass, 2048 | f32 | 8.8 | 9.5 | 14.6 | 29.6 | 44.3 | 73.3 | 242.5 |
/// | single pass, 1024 | f32 | 8.6 | 9.8 | 14.5 | 27.7 | 42.1 | 71.2 | 242.3 |
/// | single pass, 512 | f32 | 8.6 | 9.8 | 13.2 | 26.7 | 41.3 | 70.4 | 243.1 |
/// | single pass, 256 | f32 | 8.6 | 9.8 | 13.2 | 26.9 | 41.2 | 70.6 | 243.4 |
/// | two passes, 2048 | u32 | 9.0 | 9.8 | 13.3 | 26.0 | 40.0 | 69.6 | 243.5 |
/// | single pass, 2048 | u32 | 7.9 | 8.8 | 13.6 | 26.3 | 41.0 | 69.7 | 243.2 |
/// | single pass, 1024 | u32 | 7.7 | 9.0 | 13.4 | 25.1 | 39.3 | 68.1 | 245.5 |
/// | single pass, 512 | u32 | 7.7 | 9.0 | 11.6 | 23.7 | 38.1 | 67.2 | 239.7 |
/// | single pass, 256 | u32 | 7.7 | 9.0 | 11.7 | 24.9 | 39.8 | 69.8 | 251.2 |
///
/// lavapipe (Mesa 22.3.6) on two cores, sums of u32, device time in µs
/// (`cargo run --release --manifest-path benches/peers/Cargo.toml -- vulkan/llvmpipe policies`,
/// benches/records/two-cores-lavapipe-policies.txt):
///
/// | `min_rows`, `max_workgroups` | 2^14 | 2^16 | 2^18 | 2^20 | 2^22 | 2^24 | 2^25 |
/// |---|---|---|---|---|---|---|---|
/// | 4, 2048 | 274 | 438 | 874 | 3086 | 12006 | 32918 | 50290 |
/// | 8, 2048 | 237 | 382 | 650 | 2181 | 8147 | 33264 | 50261 |
/// | 16, 2048 | 145 | 357 | 550 | 1782 | 6527 | 26482 | 50317 |
/// | 32, 2048 | 132 | 414 | 598 | 2031 | 7061 | 36606 | 63066 |
/// | 16, 256 | 132 | 343 | 550 | 1779 | 6498 | 50633 | 98544 |
/// | 16, 2048, single pass | 189 | 366 | 661 | 2170 | 8412 | 33842 | 64931 |
///
/// A dispatch costs it what many elements do, and workgroups of 16 rows are faster than both smaller and larger ones. Other numbers
/// of cores were not measured. Fewer workgroups at most (as with `16, 256`) make long inputs slower.
const ROWS: &[(DeviceClass, Tuning)] = &[
    (
        DeviceClass::Nvidia,
        Tuning { policy: Policy { min_rows: 4, max_workgroups: 512 }, single_pass: true },
    ),
    (
        DeviceClass::Cpu,
        Tuning { policy: Policy { min_rows: 16, max_workgroups: 2048 }, single_pass: false },
    ),
];

impl Tuning {
    pub(crate) fn of(class: DeviceClass, is_exact: bool) -> Self {
        if is_exact {
            return Self { policy: Policy::EXACT, single_pass: false };
        }
        let row = ROWS.iter().find(|(row_class, _)| *row_class == class);
        row.map_or(Self { policy: Policy::DEFAULT, single_pass: false }, |&(_, tuning)| tuning)
    }
}

/// [`Policy::DEFAULT`], also for exact results: these have [`Policy::EXACT`] if no policy is asked for.
impl Default for Policy {
    fn default() -> Self {
        Self::DEFAULT
    }
}
