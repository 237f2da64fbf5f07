//! Tuned numbers, as data, with the measurement beside each row.
//!
//! They apply to operators with the same result in every order, and to exact results. The order of other f32
//! sums and products is [`crate::tree`]'s whatever the policy.

use crate::{
    capabilities::DeviceClass,
    tree::{MAX_BLOCKS, MIN_ROWS},
};

#[cfg(not(target_arch = "wasm32"))]
use crate::{
    element::ElementType,
    operator::{ExactTerms, OperatorType},
    precision::Precision,
};

/// How a first pass is cut into workgroups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Policy {
    /// Rows of 1024 elements that a workgroup folds at least: a power of two from 4 to 2^16.
    pub min_rows: u32,
    /// Workgroups of each launch of the first pass at most: 1 to 2048. More where a workgroup would have more than 2^29 elements, or more
    /// than 4 blocks of a fixed order.
    pub max_workgroups: u32,
}

impl Policy {
    /// The bounds of the fixed order, for every device so far.
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
            && (MIN_ROWS..=1 << 16).contains(&u64::from(self.min_rows))
            && (1..=MAX_BLOCKS).contains(&u64::from(self.max_workgroups))
    }
}

/// What a device is given where the caller asks for nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tuning {
    pub(crate) policy: Policy,
    /// Whether the last workgroup folds the partials, where memory is coherent.
    pub(crate) single_pass: bool,
}

/// The rows there are: no row for devices that nobody has measured. All elements have 32 bits so far, and all kernels 256
/// invocations that load 16 bytes at a time, eight times ahead.
///
/// NVIDIA H200, sums of f32 and u32, device time in µs (`cargo bench --bench lengths`,
/// benches/records/nvidia-h200-single-pass.txt):
///
/// TABLE
const ROWS: &[(DeviceClass, Tuning)] = &[(
    DeviceClass::Nvidia,
    Tuning { policy: Policy { min_rows: 4, max_workgroups: 512 }, single_pass: true },
)];

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

/// Where an executor with a GPU reduces slices of host memory. Results name who made them
/// ([`crate::Reduction::adapter`]), and have the same bits, unless they are [`crate::Precision::Unordered`]. Arrays are
/// reduced where they are.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HostSlices {
    /// Where it is expected to be faster. A reduction reads each element once, and so does the copy that brings it to a
    /// device: the device can be faster only where the CPU takes longer than a copy.
    Auto,
    /// On the CPU.
    OnCpu,
    /// On the device, to which they come in chunks.
    #[default]
    OnDevice,
}

/// What [`HostSlices::Auto`] expects.
///
/// The host's memory is read once either way: by the CPU's reduction, or by the copy into staging memory, which one
/// thread makes. So a device is no faster than that copy, however fast its link is. And where the CPU is as fast as its
/// memory, which it is as long as it only folds elements, no device is faster.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HostPolicy {
    /// Bytes, of all slices together, from which on a device is considered.
    min_device_bytes: u64,
    /// How many times the CPU's time has to be that of the copy.
    margin: u64,
    /// Picoseconds in which a thread copies a byte.
    copy_ps: u64,
    /// Picoseconds that a thread takes for a byte of elements, in products of floats, and in exact sums of elements, of
    /// squares, of products, and of elements and their squares.
    float_products_ps: u64,
    elements_ps: u64,
    squares_ps: u64,
    products_ps: u64,
    moments_ps: u64,
}

/// What a reduction on the CPU does with elements, as far as its time depends on it.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HostWork {
    /// It combines them in their order, or in any.
    Fold,
    /// It multiplies floats, whose exponents it carries apart.
    FloatProducts,
    /// It adds them without rounding.
    Exact(ExactTerms),
}

#[cfg(not(target_arch = "wasm32"))]
impl HostWork {
    pub(crate) fn of(operator: OperatorType, element: ElementType, precision: Precision) -> Self {
        let is_exact = precision.kept_by(operator, element) == Some(Precision::Exact);
        match (operator, element) {
            _ if is_exact && operator.has_exact_result(element) => {
                Self::Exact(operator.exact_terms())
            }
            (OperatorType::Product, ElementType::F32) => Self::FloatProducts,
            _ => Self::Fold,
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl HostPolicy {
    /// On two shared cores of an AMD EPYC (`cargo bench --bench host_slices`, `cargo bench --bench exact`, one thread,
    /// 2^24 elements; benches/records/two-cores-host-slices.txt and two-cores-exact.txt):
    ///
    /// | | GB/s of a thread | ps for a byte |
    /// |---|---|---|
    /// | copy | 10 | 100 |
    /// | products of floats | 0.5 | 1900 |
    /// | exact sums, means | 6.5 | 155 |
    /// | sums of squares, norms | 1.8 | 550 |
    /// | dot products | 3.6 | 280 |
    /// | variances | 1.4 | 700 |
    ///
    /// So products of floats go to a device if the CPU has up to 9 threads, variances up to 3, norms up to 2, dot
    /// products with one; all else never does. Nobody has measured a device in hardware: the margin, and the least
    /// number of bytes, which is that of a few chunks, stand for what a device may lose to its link and its start.
    pub(crate) const DEFAULT: Self = Self {
        min_device_bytes: 32 << 20,
        margin: 2,
        copy_ps: 100,
        float_products_ps: 1900,
        elements_ps: 155,
        squares_ps: 550,
        products_ps: 280,
        moments_ps: 700,
    };

    /// Whether a device is expected to be faster than so many threads of the CPU.
    pub(crate) fn prefers_device(self, work: HostWork, bytes: u64, threads: usize) -> bool {
        let cpu_ps = match work {
            HostWork::Fold => return false,
            HostWork::FloatProducts => self.float_products_ps,
            HostWork::Exact(ExactTerms::Elements) => self.elements_ps,
            HostWork::Exact(ExactTerms::Squares) => self.squares_ps,
            HostWork::Exact(ExactTerms::Products) => self.products_ps,
            HostWork::Exact(ExactTerms::Moments) => self.moments_ps,
        };
        bytes >= self.min_device_bytes && cpu_ps > self.margin * self.copy_ps * threads as u64
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;

    fn prefers_device(
        operator: OperatorType,
        element: ElementType,
        precision: Precision,
        threads: usize,
    ) -> bool {
        let work = HostWork::of(operator, element, precision);
        HostPolicy::DEFAULT.prefers_device(work, 1 << 40, threads)
    }

    /// The most threads with which a device is preferred, of f32.
    fn most_threads(operator: OperatorType, precision: Precision) -> usize {
        let prefers =
            |&threads: &usize| prefers_device(operator, ElementType::F32, precision, threads);
        (1..100).filter(prefers).max().unwrap_or(0)
    }

    #[test]
    fn what_the_cpu_folds_as_fast_as_its_memory_stays_there() {
        for operator in OperatorType::ALL {
            for element in ElementType::ALL.into_iter().filter(|&e| operator.supports(e)) {
                let is_heavy = element == ElementType::F32
                    && (operator == OperatorType::Product || operator.is_always_exact());
                for precision in [Precision::Unordered, Precision::Reproducible] {
                    let prefers = prefers_device(operator, element, precision, 1);
                    let is_mean = operator == OperatorType::Mean;
                    assert_eq!(prefers, is_heavy && !is_mean, "{operator} {element}");
                }
            }
        }
        assert!(!prefers_device(OperatorType::Sum, ElementType::F32, Precision::Exact, 1));
    }

    #[test]
    fn the_documented_numbers_of_threads() {
        let level = Precision::Reproducible;
        assert_eq!(most_threads(OperatorType::Product, level), 9);
        for operator in [OperatorType::Variance, OperatorType::SampleVariance] {
            assert_eq!(most_threads(operator, level), 3);
        }
        for operator in [OperatorType::SumOfSquares, OperatorType::Norm] {
            assert_eq!(most_threads(operator, level), 2);
        }
        assert_eq!(most_threads(OperatorType::Dot, level), 1);
    }

    #[test]
    fn short_slices_stay_on_the_cpu() {
        let policy = HostPolicy::DEFAULT;
        let work = HostWork::FloatProducts;
        assert!(policy.prefers_device(work, policy.min_device_bytes, 1));
        assert!(!policy.prefers_device(work, policy.min_device_bytes - 1, 1));
    }
}
