//! Extrema.

use crate::algebra::{
    element::Element,
    fold,
    operator::{Algebra, AtomicSpec, Combining, Operator, OperatorSpec, part},
    operators::{
        ACC_ELEMENT, ACC_TWO_WORDS, ACC_WORD, ANY_RANGE, CANONICAL_NAN_BITS,
        F64_CANONICAL_NAN_BITS, F64_SIGN_BIT, FINISH_WORDS, LIFT_ELEMENT, NO_RANGE, OperatorType,
        SIGN_BIT,
    },
    options::{NanRule, Options},
};

with_options! {
    /// The smallest element. A NaN anywhere gives 0x7fc00000, of `f64`s 0x7ff8000000000000; −0 < +0. No elements give `None`.
    #[doc(alias("min_element", "minimum", "nanmin"))]
    Min: nan_rule
}

with_options! {
    /// The largest element. A NaN anywhere gives 0x7fc00000, of `f64`s 0x7ff8000000000000; −0 < +0. No elements give `None`.
    #[doc(alias("max_element", "maximum", "nanmax"))]
    Max: nan_rule
}

integer_operator! {
    Min, optional_value, in_any_order, |a, b| a.min(b);
    i32: i32::MAX, u32: u32::MAX => {
        parts: &[ACC_ELEMENT, part!("operator/min.wgsl"), ANY_RANGE, NO_RANGE],
        subgroup: Some(part!("operator/min_subgroup.wgsl")),
        atomic: Some(AtomicSpec::native(part!("operator/min_atomic.wgsl"))),
    }
    i64: i64::MAX, u64: u64::MAX => {
        parts: &[
            ACC_TWO_WORDS,
            FINISH_WORDS,
            LIFT_ELEMENT,
            part!("operator/min_two_words.wgsl"),
            ANY_RANGE, NO_RANGE,
        ],
        subgroup: None,
        atomic: None,
    }
}

integer_operator! {
    Max, optional_value, in_any_order, |a, b| a.max(b);
    i32: i32::MIN, u32: u32::MIN => {
        parts: &[ACC_ELEMENT, part!("operator/max.wgsl"), ANY_RANGE, NO_RANGE],
        subgroup: Some(part!("operator/max_subgroup.wgsl")),
        atomic: Some(AtomicSpec::native(part!("operator/max_atomic.wgsl"))),
    }
    i64: i64::MIN, u64: u64::MIN => {
        parts: &[
            ACC_TWO_WORDS,
            FINISH_WORDS,
            LIFT_ELEMENT,
            part!("operator/max_two_words.wgsl"),
            ANY_RANGE, NO_RANGE,
        ],
        subgroup: None,
        atomic: None,
    }
}

macro_rules! float_extrema {
    ($element:ident $bits:ident $to_key:ident $from_key:ident $nan:ident $sign:ident) => {
        /// A float as an integer in the same order, −0 below +0.
        #[inline]
        const fn $to_key(bits: $bits) -> $bits {
            let negative = (0 as $bits).wrapping_sub(bits / $sign);
            bits ^ (negative | $sign)
        }

        /// The inverse; keys of no number give the canonical NaN.
        fn $from_key(key: $bits) -> $element {
            let value = $element::from_bits(key ^ if key & $sign == 0 { !0 } else { $sign });
            if value.is_nan() { $element::from_bits($nan) } else { value }
        }
    };
}

float_extrema!(f32 u32 f32_to_key f32_from_key CANONICAL_NAN_BITS SIGN_BIT);
float_extrema!(f64 u64 f64_to_key f64_from_key F64_CANONICAL_NAN_BITS F64_SIGN_BIT);

macro_rules! float_extremum {
    (
        $operator:ident of $element:ident as $bits:ident, $to_key:ident, $from_key:ident;
        $identity:expr, $nan_key:expr, $combine:expr, $is_better:expr, $merge:expr;
        identity: $words:expr,
        parts: $parts:expr,
        subgroup: $subgroup:expr,
        atomic: $atomic:expr,
    ) => {
        impl Operator<$element> for $operator {
            const SPEC: OperatorSpec = OperatorSpec {
                out_words: <$element as Element>::TYPE.words(),
                ..OperatorSpec::order_free(
                    OperatorType::$operator,
                    <$element as Element>::TYPE,
                    Combining {
                        identity: $words,
                        parts: $parts,
                        unchecked: None,
                        software: None,
                        subgroup: $subgroup,
                        atomic: $atomic,
                    },
                )
            };
            optional_value!($element);
        }

        impl Algebra<$element> for $operator {
            type Acc = $bits;
            type Out = <Self as Operator<$element>>::Out;
            #[inline]
            fn identity(self) -> $bits {
                $to_key($identity.to_bits())
            }
            #[inline]
            fn lift(self, element: $element) -> $bits {
                if element.is_nan() { $nan_key } else { $to_key(element.to_bits()) }
            }
            #[inline]
            fn combine(self, a: $bits, b: $bits) -> $bits {
                let combine: fn($bits, $bits) -> $bits = $combine;
                combine(a, b)
            }
            #[inline]
            fn fold(self, elements: &[$element]) -> Option<$bits> {
                let key_of = |element: $element| self.lift(element);
                fold::extremum(elements, $identity, $is_better, $merge, key_of, $combine)
            }
            #[inline]
            fn finish(self, total: $bits, _len: u64) -> $element {
                $from_key(total)
            }
        }
    };
}

macro_rules! float_extremum_of_both {
    (
        $operator:ident in $file:literal,
        $identity:ident, $nan_key:expr, $combine:expr, $is_better:expr, $merge:expr
    ) => {
        float_extremum! {
            $operator of f32 as u32, f32_to_key, f32_from_key;
            f32::$identity, $nan_key, $combine, $is_better, $merge;
            identity: &[f32_to_key(f32::$identity.to_bits())],
            parts: &[
                ACC_WORD,
                part!("operator/f32_key.wgsl"),
                part!("operator/" $file "_f32.wgsl"),
                ANY_RANGE, NO_RANGE,
            ],
            subgroup: Some(part!("operator/" $file "_subgroup.wgsl")),
            atomic: Some(AtomicSpec::native(part!("operator/" $file "_atomic.wgsl"))),
        }
        float_extremum! {
            $operator of f64 as u64, f64_to_key, f64_from_key;
            f64::$identity, $nan_key, $combine, $is_better, $merge;
            identity: &bytemuck::must_cast::<u64, [u32; 2]>(f64_to_key(f64::$identity.to_bits())),
            parts: &[
                ACC_TWO_WORDS,
                part!("operator/f64_key.wgsl"),
                part!("operator/" $file "_f64.wgsl"),
                ANY_RANGE, NO_RANGE,
            ],
            subgroup: None,
            atomic: None,
        }
    };
}

// A NaN's key lies beyond every number's, so that one NaN makes the result NaN.
float_extremum_of_both!(Min in "min", INFINITY, 0, |a, b| a.min(b), |a, b| a < b, |a, b| a | b);
float_extremum_of_both!(Max in "max", NEG_INFINITY, !0, |a, b| a.max(b), |a, b| a > b, |a, b| a & b);
