//! The largest magnitude.

use crate::algebra::{
    element::Element,
    operator::{AtomicSpec, Combining, Operator, OperatorSpec, part},
    operators::{ACC_WORD, ANY_RANGE, CANONICAL_NAN_BITS, OperatorType, SIGN_BIT},
};

/// The largest magnitude: the L∞ norm. A NaN anywhere gives 0x7fc00000. That of `i32`s is a `u32`, because that of
/// `i32::MIN` is no `i32`. Of nothing: 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MaxAbs;

macro_rules! max_abs {
    ($($element:ident -> $out:ty: $magnitude:expr, $finish:expr;)*) => {$(
        impl Operator<$element> for MaxAbs {
            const SPEC: OperatorSpec = OperatorSpec::order_free(
                OperatorType::MaxAbs,
                <$element as Element>::TYPE,
                Combining {
                    identity: &[0],
                    parts: &[ACC_WORD, part!("operator/max_abs.wgsl"), ANY_RANGE],
                    unchecked: None,
                    software: None,
                    subgroup: Some(part!("operator/max_subgroup.wgsl")),
                    atomic: Some(AtomicSpec::native(part!("operator/max_atomic.wgsl"))),
                },
            );
            type Acc = u32;
            total_value!($out);
            #[inline]
            fn identity() -> u32 {
                0
            }
            #[inline]
            fn lift(element: $element) -> u32 {
                let magnitude: fn($element) -> u32 = $magnitude;
                magnitude(element)
            }
            #[inline]
            fn combine(a: u32, b: u32) -> u32 {
                a.max(b)
            }
            #[inline]
            fn finish(total: u32) -> $out {
                let finish: fn(u32) -> $out = $finish;
                finish(total)
            }
        }
    )*};
}

max_abs! {
    f32 -> f32: f32_magnitude, f32::from_bits;
    i32 -> u32: i32::unsigned_abs, |total| total;
    u32 -> u32: |element| element, |total| total;
}

/// The bits without the sign, in the order of magnitudes. Every NaN is one, and above all others.
#[inline]
fn f32_magnitude(element: f32) -> u32 {
    if element.is_nan() { CANONICAL_NAN_BITS } else { element.to_bits() & !SIGN_BIT }
}
