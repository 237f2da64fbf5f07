//! Extrema.

use crate::algebra::{
    element::{Element, ElementType},
    fold,
    operator::{AtomicSpec, Combining, Operator, OperatorSpec, part},
    operators::{
        ACC_ELEMENT, ACC_TWO_WORDS, ACC_WORD, ANY_RANGE, CANONICAL_NAN_BITS, LIFT_ELEMENT,
        OperatorType, SIGN_BIT,
    },
};

/// The smallest element. A NaN anywhere gives 0x7fc00000; −0 < +0. Of nothing: `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Min;

/// The largest element. A NaN anywhere gives 0x7fc00000; −0 < +0. Of nothing: `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Max;

integer_operator! {
    Min, optional_value, in_any_order, |a, b| a.min(b);
    i32: i32::MAX, u32: u32::MAX => {
        parts: &[ACC_ELEMENT, part!("operator/min.wgsl"), ANY_RANGE],
        subgroup: Some(part!("operator/min_subgroup.wgsl")),
        atomic: Some(AtomicSpec::native(part!("operator/min_atomic.wgsl"))),
    }
    i64: i64::MAX, u64: u64::MAX => {
        parts: &[ACC_TWO_WORDS, LIFT_ELEMENT, part!("operator/min_two_words.wgsl"), ANY_RANGE],
        subgroup: None,
        atomic: None,
    }
}

integer_operator! {
    Max, optional_value, in_any_order, |a, b| a.max(b);
    i32: i32::MIN, u32: u32::MIN => {
        parts: &[ACC_ELEMENT, part!("operator/max.wgsl"), ANY_RANGE],
        subgroup: Some(part!("operator/max_subgroup.wgsl")),
        atomic: Some(AtomicSpec::native(part!("operator/max_atomic.wgsl"))),
    }
    i64: i64::MIN, u64: u64::MIN => {
        parts: &[ACC_TWO_WORDS, LIFT_ELEMENT, part!("operator/max_two_words.wgsl"), ANY_RANGE],
        subgroup: None,
        atomic: None,
    }
}

/// An f32 as an integer in the same order, −0 below +0.
#[inline]
const fn f32_to_key(bits: u32) -> u32 {
    let negative = 0u32.wrapping_sub(bits >> 31);
    bits ^ (negative | SIGN_BIT)
}

/// The inverse of [`f32_to_key`]; keys of no number give the canonical NaN.
fn f32_from_key(key: u32) -> f32 {
    let value = f32::from_bits(key ^ if key & SIGN_BIT == 0 { !0 } else { SIGN_BIT });
    if value.is_nan() { f32::from_bits(CANONICAL_NAN_BITS) } else { value }
}

macro_rules! f32_extremum {
    (
        $operator:ident in $file:literal,
        $identity:expr, $nan_key:expr, $combine:expr, $is_better:expr, $merge:expr
    ) => {
        impl Operator<f32> for $operator {
            const SPEC: OperatorSpec = OperatorSpec::order_free(
                OperatorType::$operator,
                ElementType::F32,
                Combining {
                    identity: &[f32_to_key($identity.to_bits())],
                    parts: &[
                        ACC_WORD,
                        part!("operator/f32_key.wgsl"),
                        part!("operator/" $file "_f32.wgsl"),
                        ANY_RANGE,
                    ],
                    unchecked: None,
                    software: None,
                    subgroup: Some(part!("operator/" $file "_subgroup.wgsl")),
                    atomic: Some(AtomicSpec::native(part!("operator/" $file "_atomic.wgsl"))),
                },
            );
            type Acc = u32;
            optional_value!(f32);
            #[inline]
            fn identity() -> u32 {
                f32_to_key($identity.to_bits())
            }
            #[inline]
            fn lift(element: f32) -> u32 {
                if element.is_nan() { $nan_key } else { f32_to_key(element.to_bits()) }
            }
            #[inline]
            fn combine(a: u32, b: u32) -> u32 {
                let combine: fn(u32, u32) -> u32 = $combine;
                combine(a, b)
            }
            #[inline]
            fn fold(elements: &[f32]) -> Option<u32> {
                let combine = <Self as Operator<f32>>::combine;
                fold::extremum(elements, $identity, $is_better, $merge, Self::lift, combine)
            }
            #[inline]
            fn finish(total: u32, _len: u64) -> f32 {
                f32_from_key(total)
            }
        }
    };
}

// A NaN's key lies beyond every number's, so that one NaN makes the result NaN.
f32_extremum!(Min in "min", f32::INFINITY, 0, |a, b| a.min(b), |a, b| a < b, |a, b| a | b);
f32_extremum!(Max in "max", f32::NEG_INFINITY, u32::MAX, |a, b| a.max(b), |a, b| a > b, |a, b| a & b);
