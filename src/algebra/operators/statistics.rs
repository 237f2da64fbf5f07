//! What sums of elements, and of their squares, come to: each sum in the order of [`crate::order`], or exact.

use crate::{
    algebra::{
        accumulator::{ExactOperator, over_parts},
        element::ElementType,
        exact_total::{ExactTotal, InTotal},
        float_environment, fold,
        operator::{
            Algebra, Combining, ExactSpec, ExactTerms, Operator, OperatorSpec, Parts, part,
        },
        operator_type::OperatorType,
        operators::{ACC_WORD, ANY_RANGE, F32_ADD, F32_IDENTITY, F32_NORMAL, NO_RANGE, Sum},
    },
    exact::{self, ExactDot, ExactSum},
};

macro_rules! statistics {
    ($(
        $(#[$doc:meta])*
        $operator:ident {
            of: $terms:ident, $of:ident,
            parts: [$($part:literal)*],
            lift: $lift:expr, $lift_in_integers:expr, $fold:expr,
            finish: $finish:expr,
            exact: $accumulator:ident, $all:path, $value:path, [$($exact_part:literal)*],
        }
    )*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $operator;
        impl ExactOperator for $operator {
            type Accumulator = $accumulator;
        }
        impl Operator<f32> for $operator {
            const SPEC: OperatorSpec = OperatorSpec {
                operator: OperatorType::$operator,
                element: ElementType::F32,
                inputs: 1,
                out_words: 1,
                order_free: false,
                computes_floats: true,
                combining: f32_sums!($of, $(part!($part)),*),
                exact: ExactSpec::everywhere(
                    ExactTerms::$terms,
                    &[$(part!($exact_part)),*],
                ),
            };
            total_value!(f32);
        }

        impl Algebra<f32> for $operator {
            type Acc = f32;
            #[inline]
            fn identity() -> f32 {
                0.0
            }
            #[inline]
            fn lift(element: f32) -> f32 {
                let lift: fn(f32) -> f32 = $lift;
                lift(element)
            }
            fn lift_in_integers(element: f32) -> f32 {
                let lift: fn(f32) -> f32 = $lift_in_integers;
                lift(element)
            }
            #[inline]
            fn combine(a: f32, b: f32) -> f32 {
                a + b
            }
            fn combine_in_integers(a: f32, b: f32) -> f32 {
                float_environment::add(a, b)
            }
            #[inline]
            fn fold(elements: &[f32]) -> Option<f32> {
                let fold: fn(&[f32]) -> f32 = $fold;
                Some(fold(elements))
            }
            #[inline]
            fn finish(total: f32, len: u64) -> f32 {
                let finish: fn(f32, u64) -> f32 = $finish;
                finish(total, len)
            }
            fn exact_total(parts: Parts<'_, f32>) -> Option<ExactTotal> {
                Some(over_parts::<f32, $accumulator>(parts, $all))
            }
            fn exact_finish(total: &ExactTotal) -> f32 {
                $value(InTotal::of_total(total))
            }
        }
    )*};
}

statistics! {
    /// The arithmetic mean: the sum in the order of [`crate::order`], divided by the number of elements and rounded; or the true
    /// mean, rounded once, as [`crate::Precision`] says. Every NaN is 0x7fc00000. Of nothing: NaN.
    #[doc(alias("average"))]
    Mean {
        of: Elements, elements,
        parts: ["operator/mean_f32_finish.wgsl" "operator/f32_mean.wgsl" "operator/f32_round.wgsl"],
        lift: |element| element, |element| element, fold::sum,
        finish: mean,
        exact: ExactSum, exact::sum, ExactSum::mean_f32,
            ["exact/value_mean.wgsl" "exact/divide.wgsl"],
    }
    /// The sum of the squares: each of them rounded, and added up in the order of [`crate::order`]; or the true sum, rounded once, as
    /// [`crate::Precision`] says. Every NaN is 0x7fc00000. Of nothing: 0.
    SumOfSquares {
        of: Squares, products,
        parts: ["operator/sum_f32_finish.wgsl"],
        lift: |element| element * element, square_in_integers, |elements| fold::dot(elements, elements),
        finish: <Sum as Algebra<f32>>::finish,
        exact: ExactDot, exact::squares, ExactDot::to_f32, ["exact/value_products.wgsl"],
    }
    /// The Euclidean, or L2 norm: the square root of [`SumOfSquares`], rounded, which is ∞ where that is, and 0; or the root of the true
    /// sum of squares, rounded once, which neither overflows nor underflows midway, as [`crate::Precision`] says. Every NaN
    /// is 0x7fc00000. Of nothing: 0.
    #[doc(alias("l2", "nrm2"))]
    Norm {
        of: Squares, products,
        parts: ["operator/norm_f32_finish.wgsl" "operator/root.wgsl"],
        lift: |element| element * element, square_in_integers, |elements| fold::dot(elements, elements),
        finish: norm,
        exact: ExactDot, exact::squares, ExactDot::norm_f32,
            ["exact/value_norm.wgsl" "operator/root.wgsl"],
    }
}

/// How [`Norm`] combines squares that are there already.
pub(super) const ROOT_OF_SUM: Combining = f32_sums!(
    elements,
    part!("operator/norm_f32_finish.wgsl"),
    part!("operator/root.wgsl"),
    part!("operator/f32_round.wgsl")
);

fn square_in_integers(element: f32) -> f32 {
    float_environment::multiply(element, element)
}

/// `total / len`, rounded.
#[inline]
pub(super) fn mean(total: f32, len: u64) -> f32 {
    // Which are numbers of an f32.
    const LARGEST: u64 = 1 << 24;
    if len <= LARGEST && float_environment::is_default() {
        return <Sum as Algebra<f32>>::finish(total / len as f32, len);
    }
    mean_in_integers(total, len)
}

#[inline(never)]
fn mean_in_integers(total: f32, len: u64) -> f32 {
    let mut sum = ExactSum::default();
    sum.add(total);
    <Sum as Algebra<f32>>::finish(sum.with_len(len).mean_f32(), len)
}

/// The square root of `total`, rounded.
#[inline]
fn norm(total: f32, len: u64) -> f32 {
    if float_environment::is_default() {
        return <Sum as Algebra<f32>>::finish(total.sqrt(), len);
    }
    norm_in_integers(total)
}

#[inline(never)]
fn norm_in_integers(total: f32) -> f32 {
    let mut sum = ExactDot::default();
    sum.add(total, 1.0);
    sum.norm_f32()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(5000))]

        #[test]
        fn means_and_roots_in_integers(bits: u32, len in 0..=1u64 << 24, cleared in 0..24u32) {
            let total = f32::from_bits(bits & (u32::MAX << cleared));
            prop_assert_eq!(mean_in_integers(total, len).to_bits(), mean(total, len).to_bits());
            let total = total.abs();
            prop_assert_eq!(norm_in_integers(total).to_bits(), norm(total, len).to_bits());
        }
    }
}
