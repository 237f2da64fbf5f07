//! Tuned numbers, as data, with the measurement beside each row.

use crate::{
    algebra::element::{ElementType, Packing},
    device::capabilities::DeviceClass,
    way::policy::Policy,
};

/// What a device is given where the caller asks for nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tuning {
    pub(crate) policy: Policy,
    /// Whether the last workgroup folds the partials, where memory is coherent.
    pub(crate) single_pass: bool,
}

/// The rows there are: no row for devices without measurements. Elements of 32 bits were measured; all kernels have 256
/// invocations. [`NVIDIA_TWO_WORDS`] is of elements of 64 bits.
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

/// Of elements of 64 bits on NVIDIA's GPUs.
///
/// NVIDIA H100, sums in a single pass, device time in µs (`cargo bench --bench lengths`, benches/records/nvidia-h100-lengths.txt). 2^24 elements would have fewer:
///
/// | `max_workgroups` | `f64`, 2^24 | `u64`, 2^24 | `f64`, 2^28 | `u64`, 2^28 |
/// |---|---|---|---|---|
/// | 256 | 61.6 | 53.2 | 751.6 | 700.6 |
/// | 512 | 58.1 | 55.0 | 730.5 | 722.5 |
/// | 1024 | 60.1 | 55.0 | 715.5 | 707.2 |
/// | 2048 | 60.5 | 55.5 | 716.9 | 699.0 |
const NVIDIA_TWO_WORDS: Tuning =
    Tuning { policy: Policy { min_rows: 4, max_workgroups: 1024 }, single_pass: true };

impl Tuning {
    pub(crate) fn of(class: DeviceClass, element: ElementType, is_exact: bool) -> Self {
        if is_exact {
            return Self { policy: Policy::EXACT, single_pass: false };
        }
        if class == DeviceClass::Nvidia && element.packing() == Packing::TwoWords {
            return NVIDIA_TWO_WORDS;
        }
        let row = ROWS.iter().find(|(row_class, _)| *row_class == class);
        row.map_or(Self { policy: Policy::DEFAULT, single_pass: false }, |&(_, tuning)| tuning)
    }
}
