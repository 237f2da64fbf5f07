//! The largest magnitude.

use crate::algebra::{
    operator::{Algebra, Operator, OperatorSpec},
    operators::{
        CANONICAL_NAN_BITS, F64_CANONICAL_NAN_BITS, F64_SIGN_BIT, OperatorType, SIGN_BIT,
        extremes::one_spec,
    },
};

/// The largest magnitude: the L∞ norm. A NaN anywhere gives 0x7fc00000, of `f64`s 0x7ff8000000000000. That of `i32`s is a `u32`, because that of
/// `i32::MIN` is no `i32`; so that of `i64`s is a `u64`. No elements give 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias("amax", "linf", "infinity_norm"))]
pub struct MaxAbs;

macro_rules! max_abs {
    ($($element:ident -> $acc:ident -> $out:ty: $magnitude:expr, $finish:expr;)*) => {$(
        impl Operator<$element> for MaxAbs {
            const SPEC: OperatorSpec = one_spec::<$element>(OperatorType::MaxAbs);
            total_value!($out);
        }

        impl Algebra<$element> for MaxAbs {
            type Acc = $acc;
            type Out = <Self as Operator<$element>>::Out;
            #[inline]
            fn identity(self) -> $acc {
                0
            }
            #[inline]
            fn lift(self, element: $element) -> $acc {
                let magnitude: fn($element) -> $acc = $magnitude;
                magnitude(element)
            }
            #[inline]
            fn combine(self, a: $acc, b: $acc) -> $acc {
                a.max(b)
            }
            #[inline]
            fn finish(self, total: $acc, _len: u64) -> $out {
                let finish: fn($acc) -> $out = $finish;
                finish(total)
            }
        }
    )*};
}

max_abs! {
    f32 -> u32 -> f32: f32_magnitude, f32::from_bits;
    i32 -> u32 -> u32: i32::unsigned_abs, |total| total;
    u32 -> u32 -> u32: |element| element, |total| total;
    f64 -> u64 -> f64: f64_magnitude, f64::from_bits;
    i64 -> u64 -> u64: i64::unsigned_abs, |total| total;
    u64 -> u64 -> u64: |element| element, |total| total;
}

/// The bits without the sign, in the order of magnitudes. Every NaN is one, and above all others.
#[inline]
fn f32_magnitude(element: f32) -> u32 {
    if element.is_nan() { CANONICAL_NAN_BITS } else { element.to_bits() & !SIGN_BIT }
}

#[inline]
fn f64_magnitude(element: f64) -> u64 {
    if element.is_nan() { F64_CANONICAL_NAN_BITS } else { element.to_bits() & !F64_SIGN_BIT }
}
