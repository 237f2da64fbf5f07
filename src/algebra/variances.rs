//! Variances: by merging runs of equal length in the order of [`crate::order`], or without rounding.

use crate::{
    algebra::{
        acc_words::AccWords,
        accumulator::over_parts,
        exact_total::{ExactTotal, InTotal},
        operator::{Algebra, Parts},
        run_moments::{Moment, RunMoments},
        sums::Addend,
    },
    exact::{self, ExactMoments, F64Moments},
};
use std::fmt;

/// A variance of all elements.
#[derive(Clone, Copy)]
pub(crate) struct RunVariance {
    /// The divisor is one less than their number.
    pub(crate) is_of_sample: bool,
}

/// A variance of the elements that are not NaN, without rounding: without some elements a sequence has other runs.
#[derive(Clone, Copy)]
pub(crate) struct VarianceOfNumbers {
    /// As of [`RunVariance`].
    pub(crate) is_of_sample: bool,
}

/// A float that has variances.
pub(crate) trait Varying: Addend + Moment {
    /// The sum of elements, and of their squares, without rounding.
    type Exact: InTotal + AccWords + fmt::Debug + PartialEq + Send + Sync;
    fn exact(elements: &[Self]) -> Self::Exact;
    fn exact_of_numbers(elements: &[Self]) -> Self::Exact;
    fn variance(exact: &Self::Exact, is_of_sample: bool) -> Self;
}

impl<F: Varying> Algebra<F> for RunVariance {
    const ORDER_FREE: bool = false;
    type Acc = RunMoments<F>;
    type Out = F;
    fn identity(self) -> RunMoments<F> {
        RunMoments::nothing()
    }
    #[inline]
    fn lift(self, element: F) -> RunMoments<F> {
        RunMoments::of(element)
    }
    #[inline]
    fn combine(self, a: RunMoments<F>, b: RunMoments<F>) -> RunMoments<F> {
        a.combine(b)
    }
    fn combine_in_integers(self, a: RunMoments<F>, b: RunMoments<F>) -> RunMoments<F> {
        a.combine_in_integers(b)
    }
    fn fold(self, elements: &[F]) -> Option<RunMoments<F>> {
        Some(RunMoments::fold(elements))
    }
    fn finish(self, total: RunMoments<F>, len: u64) -> F {
        match len.checked_sub(self.is_of_sample.into()) {
            Some(divisor) => F::mean(total.about_mean(len, F::mean), divisor),
            None => F::NAN.canonical(),
        }
    }
    fn exact_total(self, parts: Parts<'_, F>) -> Option<ExactTotal> {
        Some(over_parts(parts, F::exact))
    }
    fn exact_finish(self, total: &ExactTotal) -> F {
        F::variance(F::Exact::of_total(total), self.is_of_sample)
    }
}

impl<F: Varying> Algebra<F> for VarianceOfNumbers {
    const ORDER_FREE: bool = false;
    type Acc = F::Exact;
    type Out = F;
    fn identity(self) -> F::Exact {
        F::Exact::default()
    }
    fn lift(self, element: F) -> F::Exact {
        F::exact_of_numbers(&[element])
    }
    fn combine(self, mut a: F::Exact, b: F::Exact) -> F::Exact {
        a.merge_in(&b);
        a
    }
    fn fold(self, elements: &[F]) -> Option<F::Exact> {
        Some(F::exact_of_numbers(elements))
    }
    fn finish(self, total: F::Exact, _len: u64) -> F {
        F::variance(&total, self.is_of_sample)
    }
    fn exact_total(self, parts: Parts<'_, F>) -> Option<ExactTotal> {
        Some(over_parts(parts, F::exact_of_numbers))
    }
    fn exact_finish(self, total: &ExactTotal) -> F {
        F::variance(F::Exact::of_total(total), self.is_of_sample)
    }
}

macro_rules! varying {
    ($(
        $float:ident: $exact:ident, $moments:ident, $of_numbers:ident, $variance:ident, $sample:ident;
    )*) => {$(
        impl Varying for $float {
            type Exact = $exact;
            fn exact(elements: &[Self]) -> $exact {
                exact::$moments(elements)
            }
            fn exact_of_numbers(elements: &[Self]) -> $exact {
                exact::$of_numbers(elements)
            }
            fn variance(exact: &$exact, is_of_sample: bool) -> Self {
                if is_of_sample { exact.$sample() } else { exact.$variance() }
            }
        }
    )*};
}

varying! {
    f32: ExactMoments, moments, moments_of_numbers, variance_f32, sample_variance_f32;
    f64: F64Moments, f64_moments, f64_moments_of_numbers, variance, sample_variance;
}
