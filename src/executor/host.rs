//! Where slices of host memory are reduced, with the measurements that say so.

use crate::{
    algebra::{
        element::ElementType,
        operator::{ExactTerms, OperatorSpec},
        operator_type::OperatorType,
        precision::Precision,
    },
    device::context::Context,
    way::Strategy,
};

/// Where an executor with a GPU reduces slices of host memory. Results name the place
/// ([`crate::Reduction::adapter`]), and have the same bits, unless they are [`crate::Precision::Unordered`]. Arrays are
/// reduced where they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HostSlices {
    /// Where it is expected to be faster. A reduction reads each element once, and so does the copy that brings it to a
    /// device: the device can be faster only where the CPU takes much longer than a copy. That is so for 32 MiB and more
    /// of f32 products if the CPU has up to 2 threads, and of exact variances, sums of squares, norms and dot products if it has
    /// one. The CPU does all else, but for operators of your own: the device takes these. (These numbers may change; bits do not.)
    Auto,
    /// On the CPU.
    OnCpu,
    /// On the device, to which they come in chunks. Scans and selections upload them as a whole, and go in two passes. What the CPU alone can give is given
    /// by the CPU: exact sums of squares, norms, variances and dot products of `f64`s, their variances without NaNs, and variances and exact means of the
    /// elements for which a predicate is true.
    #[default]
    OnDevice,
}

/// How a device scans elements that come from host memory for one call, and how it selects from them: in two passes, unless it avoids a kernel. The copy to the
/// device takes longer than a pass, and drivers compile the kernels of two passes sooner.
///
/// On an NVIDIA H200, with empty driver caches, `gridfold scan` and `gridfold select` of files of 2^24 elements took so many seconds:
///
/// | | scan u32 | scan f32 | select f32 |
/// |---|---|---|---|
/// | a single pass first | 3.0 | 4.6 | 1.4 |
/// | two passes | 1.1 | 1.6 | 0.7 |
pub(super) fn for_one_call(context: &Context) -> Strategy {
    match context.capabilities().avoided.is_empty() {
        true => Strategy::TwoPass,
        false => Strategy::Auto,
    }
}

/// What [`HostSlices::Auto`] expects.
///
/// The host's memory is read once either way: by the CPU's reduction, or by the copy into staging memory, which one
/// thread makes. So a device is no faster than that copy, however fast its link is. And where the CPU is as fast as its
/// memory, which it is as long as it only folds elements, no device is faster.
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
    doubles_ps: u64,
}

/// What a reduction on the CPU does with elements, as far as its time depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HostWork {
    /// It combines them in their order, or in any.
    Fold,
    /// It multiplies floats, whose exponents it carries apart.
    FloatProducts,
    /// It adds them without rounding.
    Exact(ExactTerms),
}

impl HostWork {
    pub(crate) fn of(spec: &OperatorSpec, precision: Precision) -> Self {
        let is_exact = precision.kept_of(spec) == Some(Precision::Exact);
        let exact = spec.exact_kernels().filter(|_| is_exact);
        match (spec.operator, spec.element) {
            _ if let Some(exact) = exact => Self::Exact(exact.terms),
            (OperatorType::Product, ElementType::F32) => Self::FloatProducts,
            _ => Self::Fold,
        }
    }
}

impl HostPolicy {
    /// 2^24 elements: products and the copy on two shared cores of an AMD EPYC by `cargo bench --bench host_slices`
    /// (benches/records/two-cores-host-slices.txt), all else on one of four shared cores of an Intel Xeon by `cargo bench --bench
    /// exact` (four-cores-exact.txt), of normally distributed elements:
    ///
    /// | | GB/s of a thread | ps for a byte |
    /// |---|---|---|
    /// | copy | 11 | 90 to 100 |
    /// | products of floats | 1.8 | 550 |
    /// | exact sums, means | 5.1 | 195 |
    /// | exact sums of squares, norms | 3.1 | 330 |
    /// | exact dot products | 4.4 | 230 |
    /// | exact variances | 2.7 | 365 |
    ///
    /// (Products: on 16 threads of the machine of an NVIDIA H200, benches/records/nvidia-h200-host-slices.txt.) So products of
    /// floats go to a device if the CPU has up to 2 threads, exact variances, norms and exact dot products with one; all else never
    /// does. The margin, and the least number of bytes, which is that of a few chunks, stand for what a device may lose to
    /// its link and its start: that H200 reduced 12 to 13 GB/s over its link, and the CPU beside it all operators faster but
    /// exact variances, which took the GPU 0.94 times as long.
    pub(crate) const DEFAULT: Self = Self {
        min_device_bytes: 32 << 20,
        margin: 2,
        copy_ps: 100,
        float_products_ps: 550,
        elements_ps: 195,
        squares_ps: 330,
        products_ps: 230,
        moments_ps: 365,
        doubles_ps: 300,
    };

    /// Whether a device is expected to be faster than so many threads of the CPU.
    pub(crate) fn prefers_device(self, work: HostWork, bytes: u64, threads: usize) -> bool {
        let cpu_ps = match work {
            HostWork::Fold => return false,
            HostWork::FloatProducts => self.float_products_ps,
            HostWork::Exact(ExactTerms::Elements) => self.elements_ps,
            HostWork::Exact(ExactTerms::Squares) => self.squares_ps,
            HostWork::Exact(ExactTerms::Products) => self.products_ps,
            HostWork::Exact(ExactTerms::Moments | ExactTerms::NumberMoments) => self.moments_ps,
            HostWork::Exact(ExactTerms::Doubles) => self.doubles_ps,
        };
        bytes >= self.min_device_bytes && cpu_ps > self.margin * self.copy_ps * threads as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prefers_device(
        operator: OperatorType,
        element: ElementType,
        precision: Precision,
        threads: usize,
    ) -> bool {
        let spec = operator.spec(element).expect("it is defined");
        let work = HostWork::of(spec, precision);
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
        for spec in OperatorType::specs() {
            let (operator, element) = (spec.operator, spec.element);
            let is_product = (operator, element) == (OperatorType::Product, ElementType::F32);
            // Exact, whatever is asked for.
            let is_heavy = is_product || (spec.is_exact_alone() && spec.exact_kernels().is_some());
            for precision in [Precision::Unordered, Precision::Reproducible] {
                assert_eq!(prefers_device(operator, element, precision, 1), is_heavy, "{spec:?}");
            }
        }
        for operator in [OperatorType::Sum, OperatorType::Mean] {
            assert!(!prefers_device(operator, ElementType::F32, Precision::Exact, 1));
        }
    }

    #[test]
    fn the_documented_numbers_of_threads() {
        assert_eq!(most_threads(OperatorType::Product, Precision::Reproducible), 2);
        for operator in [OperatorType::Variance, OperatorType::Variance.sample()] {
            assert_eq!(most_threads(operator, Precision::Exact), 1);
        }
        for operator in [OperatorType::SumOfSquares, OperatorType::Norm] {
            assert_eq!(most_threads(operator, Precision::Exact), 1);
        }
        assert_eq!(most_threads(OperatorType::Dot, Precision::Exact), 1);
    }

    #[test]
    fn short_slices_stay_on_the_cpu() {
        let policy = HostPolicy::DEFAULT;
        let work = HostWork::FloatProducts;
        assert!(policy.prefers_device(work, policy.min_device_bytes, 1));
        assert!(!policy.prefers_device(work, policy.min_device_bytes - 1, 1));
    }
}
