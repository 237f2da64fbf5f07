//! The operators: a file for each, or for each few that are alike. [`crate::algebra::operator_type`] has the list of them all.

use crate::{
    algebra::{
        element::{Bool, Element, ElementType},
        operator::{AtomicSpec, Combining, Operator, OperatorSpec, Part, part, sealed::Sealed},
        operator_type::{OperatorKind, OperatorType, choice},
        options::{NanRule, Options},
    },
    exact::f64_bits::{CANONICAL_NAN as F64_CANONICAL_NAN_BITS, SIGN as F64_SIGN_BIT},
};
use half::{bf16, f16};

macro_rules! specifications {
    (
        one input { $($verb:ident $one:ident $name:literal [$($element:ident)*] $doc:literal)* }
        two inputs {
            $($two_verb:ident $two:ident $two_name:literal [$($two_element:ident)*] $two_doc:literal)*
        }
        options { $($of:ident $choice:tt [$($of_element:ident)*])* }
    ) => {
        impl OperatorType {
            /// The operator's description for elements of a type. `None` where the operator is not defined.
            #[inline]
            pub const fn spec(self, element: ElementType) -> Option<&'static OperatorSpec> {
                match (self.kind(), self.options(), element) {
                    $($((
                        OperatorKind::$one,
                        Options::DEFAULT,
                        <$element as Element>::TYPE,
                    ) => Some(const { &<$one as Operator<$element>>::SPEC }),)*)*
                    $($((
                        OperatorKind::$two,
                        Options::DEFAULT,
                        <$two_element as Element>::TYPE,
                    ) => Some(const { &<$two as Operator<($two_element, $two_element)>>::SPEC }),)*)*
                    $($((OperatorKind::$of, choice!($choice), <$of_element as Element>::TYPE) => {
                        Some(const { &spec!($of_element $of $choice) })
                    })*)*
                    (_, Options::DEFAULT, ElementType::Bits) => masks::spec(self),
                    (_, Options::DEFAULT, _) => match vectors::spec(self, element) {
                        None => bounds::spec(self, element),
                        spec => spec,
                    },
                    _ => None,
                }
            }
        }

        $(sealed!($one);)*
        $(sealed!($two);)*
    };
}

/// An operator with options: its type, its value without any, and a method for each.
macro_rules! with_options {
    ($(#[$doc:meta])* $operator:ident: $($method:ident)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
        pub struct $operator {
            options: Options,
        }

        /// Without options.
        #[allow(non_upper_case_globals, reason = "a value is named as its type, as a unit is")]
        pub const $operator: $operator =
            $operator { options: Options::DEFAULT };

        impl $operator {
            $(option!($method);)*
        }

        impl $crate::algebra::operator::sealed::Sealed for $operator {
            fn options(&self) -> Options {
                self.options
            }
        }

        /// As `ArgMin.nan(Nan::Ignore).last()`.
        impl std::fmt::Debug for $operator {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let operator = OperatorType::$operator;
                std::fmt::Debug::fmt(&operator.with(self.options), f)
            }
        }
    };
}

macro_rules! option {
    (nan) => {
        /// Sets how NaNs are taken. With [`Nan::Ignore`](crate::Nan::Ignore) they are no elements. On integers it changes nothing.
        #[must_use]
        pub fn nan(self, nan: Nan) -> Self {
            let options = Options { nan: nan.into(), ..self.options };
            Self { options }
        }
    };
    (nan_rule) => {
        /// Sets how NaNs are taken: by a [`Nan`](crate::Nan), or [`Nan::Total`](crate::Nan::Total). Where NaNs are ignored, and there is nothing else, the result is a
        /// NaN. On integers it changes nothing.
        #[must_use]
        pub fn nan(self, nan: impl Into<NanRule>) -> Self {
            let options = Options { nan: nan.into(), ..self.options };
            Self { options }
        }
    };
    (last) => {
        /// Finds the last one of several equal ones.
        #[must_use]
        pub fn last(self) -> Self {
            Self { options: Options { last: true, ..self.options } }
        }
    };
    (sample) => {
        /// The variance estimated from a sample: it is divided by one less than the number of elements, and NaN of less than two.
        #[must_use]
        pub fn sample(self) -> Self {
            Self { options: Options { sample: true, ..self.options } }
        }
    };
}

/// Operators with options are sealed by themselves.
macro_rules! sealed {
    (Sum) => {};
    (Min) => {};
    (Max) => {};
    (MinMax) => {};
    (ArgMin) => {};
    (ArgMax) => {};
    (ArgMinMax) => {};
    (Mean) => {};
    (Variance) => {};
    ($operator:ident) => {
        impl Sealed for $operator {}
    };
}

/// The description of an operator with options.
macro_rules! spec {
    (f16 Sum $choice:tt) => {
        OperatorSpec { element: ElementType::F16, ..spec!(f32 Sum $choice) }
    };
    (bf16 Sum $choice:tt) => {
        OperatorSpec { element: ElementType::BF16, ..spec!(f32 Sum $choice) }
    };
    (f16 Variance $choice:tt) => {
        OperatorSpec { element: ElementType::F16, ..spec!(f32 Variance $choice) }
    };
    (bf16 Variance $choice:tt) => {
        OperatorSpec { element: ElementType::BF16, ..spec!(f32 Variance $choice) }
    };
    (f32 Sum $choice:tt) => {
        sums_of::f32_spec(OperatorType::Sum.with(choice!($choice)))
    };
    (f64 Sum $choice:tt) => {
        sums_of::f64_spec(OperatorType::Sum.with(choice!($choice)))
    };
    ($element:ident Mean $choice:tt) => {
        nan_mean::spec(OperatorType::Mean.with(choice!($choice)), <$element as Element>::TYPE)
    };
    (f32 Variance $choice:tt) => {
        variance::with_options(choice!($choice))[0]
    };
    (f64 Variance $choice:tt) => {
        variance::with_options(choice!($choice))[1]
    };
    ($element:ident MinMax $choice:tt) => {
        extremes::both_spec::<$element>(OperatorType::MinMax.with(choice!($choice)))
    };
    ($element:ident ArgMinMax $choice:tt) => {
        places::both_spec::<$element>(OperatorType::ArgMinMax.with(choice!($choice)))
    };
    ($element:ident Min $choice:tt) => {
        extremes::one_spec::<$element>(OperatorType::Min.with(choice!($choice)))
    };
    ($element:ident Max $choice:tt) => {
        extremes::one_spec::<$element>(OperatorType::Max.with(choice!($choice)))
    };
    ($element:ident $place:ident $choice:tt) => {
        places::one_spec::<$element>(OperatorType::$place.with(choice!($choice)))
    };
}

crate::operators!(specifications!());

impl OperatorType {
    /// All specifications.
    pub(crate) fn specs() -> impl Iterator<Item = &'static OperatorSpec> {
        let specs = |&operator: &Self| {
            ElementType::ALL.into_iter().filter_map(move |element| operator.spec(element))
        };
        Self::ALL.iter().flat_map(specs)
    }
}

impl OperatorSpec {
    /// How an operator of squares combines those that are made before it lifts them. `None` for others.
    pub(crate) fn combining_of_squares(&self) -> Option<Combining> {
        match (self.operator, self.element) {
            (OperatorType::SumOfSquares, ElementType::F32) => {
                Some(<Sum as Operator<f32>>::SPEC.combining)
            }
            (OperatorType::SumOfSquares, ElementType::F64) => {
                Some(<Sum as Operator<f64>>::SPEC.combining)
            }
            (OperatorType::Norm, ElementType::F32) => Some(statistics::ROOT_OF_SUM),
            (OperatorType::Norm, ElementType::F64) => Some(f64_sums::ROOT_OF_SUM),
            _ => None,
        }
    }
}

const CANONICAL_NAN_BITS: u32 = 0x7fc0_0000;
const SIGN_BIT: u32 = 0x8000_0000;

/// `value` and `out` for operators that have a result for no elements.
macro_rules! total_value {
    ($out:ty) => {
        type Out = $out;
        type Value = $out;
        fn value(out: $out, _len: u64) -> $out {
            out
        }
        fn out(value: $out) -> Option<$out> {
            Some(value)
        }
    };
}

/// `value` and `out` for operators that have none.
macro_rules! optional_value {
    ($out:ty) => {
        type Out = $out;
        type Value = Option<$out>;
        fn value(out: $out, len: u64) -> Option<$out> {
            (len > 0).then_some(out)
        }
        fn out(value: Option<$out>) -> Option<$out> {
            value
        }
    };
}

/// For every operator to which nothing is out of range.
const ANY_RANGE: Part = part!("operator/range.wgsl@any");
/// Beside it, and wherever a range needs not be known.
const NO_RANGE: Part = part!("operator/range.wgsl@none");
/// It lifts what is loaded, for sums of magnitudes and for those without NaNs.
const LIFT_COUNTED: Part = part!("operator/lift.wgsl@counted");
/// For accumulators of one word.
const ACC_WORD: Part = part!("operator/acc.wgsl@word");
/// For accumulators of two words.
const ACC_TWO_WORDS: Part = part!("operator/acc.wgsl@two_words");
/// For accumulators that are results.
const FINISH_WORDS: Part = part!("operator/acc.wgsl@finish");
/// The high word of a product of two words.
const HIGH_WORD: Part = part!("operator/integer.wgsl@high_word");
/// For accumulators that begin as elements.
const LIFT_ELEMENT: Part = part!("operator/lift.wgsl@element");

/// How sums of f32s combine on a device in the order of [`crate::order`]: of `elements`, or of `products`. Then come the parts
/// that make the result.
macro_rules! f32_sums {
    (elements, $($finish:expr),*) => {
        f32_sums!(
            [
                LIFT_ELEMENT,
                part!("operator/sum_f32.wgsl"),
                F32_NORMAL,
                part!("operator/range.wgsl@f32"),
                part!("operator/range.wgsl@f32_lost"),
                part!("operator/range.wgsl@addends"),
            ],
            [LIFT_ELEMENT, part!("operator/sum_f32.wgsl@software"), ANY_RANGE, NO_RANGE],
            $($finish),*
        )
    };
    (products, $($finish:expr),*) => {
        f32_sums!(
            [
                part!("operator/products.wgsl@f32"),
                part!("operator/f32_product.wgsl"),
                part!("operator/f32_round.wgsl"),
                part!("operator/sum_f32.wgsl"),
                F32_NORMAL,
                part!("operator/range.wgsl@f32"),
                part!("operator/range.wgsl@f32_lost"),
                part!("operator/range.wgsl@factors"),
            ],
            [
                part!("operator/products.wgsl@f32_software"),
                part!("operator/f32_product.wgsl"),
                part!("operator/f32_round.wgsl"),
                part!("operator/sum_f32.wgsl@software"),
                ANY_RANGE, NO_RANGE,
            ],
            $($finish),*
        )
    };
    ([$($hardware:expr),* $(,)?], [$($software:expr),* $(,)?], $($finish:expr),*) => {
        $crate::algebra::operator::Combining {
            identity: &[0],
            parts: &[ACC_WORD, F32_IDENTITY, F32_ADD, $($hardware,)* $($finish),*],
            unchecked: None,
            software: Some(&[ACC_WORD, F32_IDENTITY, F32_ADD, $($software,)* $($finish),*]),
            subgroup: None,
            atomic: None,
        }
    };
}

/// Of sums of f32s.
const F32_IDENTITY: Part = part!("operator/sum_f32.wgsl@identity");
const F32_ADD: Part = part!("operator/f32_add.wgsl");
/// For what the device computes, to see whether it is right.
const F32_NORMAL: Part = part!("operator/f32_round.wgsl@normal");

/// Which fold of integers it is,
const FOLD: Part = part!("operator/integer.wgsl@fold");
/// of one word or of components,
const INTEGER: Part = part!("operator/integer.wgsl");
/// or of two words.
const INTEGER_TWO_WORDS: Part = part!("operator/integer.wgsl@two_words");
const INTEGER_SUBGROUP: Part = part!("operator/integer.wgsl@subgroup");
const INTEGER_ATOMIC: AtomicSpec = AtomicSpec::native(part!("operator/integer.wgsl@atomic"));

/// The description of a fold of integers, whose accumulator is an element.
const fn integer_spec(
    operator: OperatorType,
    element: ElementType,
    identity: &'static [u32],
    atomic: Option<AtomicSpec>,
) -> OperatorSpec {
    let (parts, subgroup): (&[Part], _) = match identity.len() {
        1 => (
            &[ACC_WORD, FOLD, INTEGER, LIFT_ELEMENT, FINISH_WORDS, ANY_RANGE, NO_RANGE],
            Some(INTEGER_SUBGROUP),
        ),
        _ => (
            &[
                ACC_TWO_WORDS,
                FOLD,
                INTEGER_TWO_WORDS,
                HIGH_WORD,
                LIFT_ELEMENT,
                FINISH_WORDS,
                ANY_RANGE,
                NO_RANGE,
            ],
            None,
        ),
    };
    OperatorSpec {
        out_words: element.words(),
        ..OperatorSpec::order_free(
            operator,
            element,
            Combining { identity, parts, unchecked: None, software: None, subgroup, atomic },
        )
    }
}

/// A fold of integers of whole words.
macro_rules! integer_operator {
    ($operator:ident, $fold:ident, $identity:expr, $combine:expr, $atomic:expr) => {
        integer_operator!($operator, $fold, $identity, $combine, $atomic; i32 u32 i64 u64);
    };
    ($operator:ident, $fold:ident, $identity:expr, $combine:expr, $atomic:expr; $($element:ident)*) => {$(
        impl Operator<$element> for $operator {
            const SPEC: OperatorSpec = $crate::algebra::operators::integer_spec(
                OperatorType::$operator,
                <$element as Element>::TYPE,
                &bytemuck::must_cast::<
                    $element,
                    [u32; <$element as Element>::TYPE.words() as usize],
                >($identity),
                $atomic,
            );
            total_value!($element);
        }

        impl Algebra<$element> for $operator {
            type Acc = $element;
            type Out = <Self as Operator<$element>>::Out;
            #[inline]
            fn identity(self)-> $element {
                $identity
            }
            #[inline]
            fn lift(self, element: $element) -> $element {
                element
            }
            #[inline]
            fn combine(self, a: $element, b: $element) -> $element {
                let combine: fn($element, $element) -> $element = $combine;
                combine(a, b)
            }
            #[inline]
            fn fold(self, elements: &[$element]) -> Option<$element> {
                Some(fold::$fold(elements, $identity, $combine))
            }
            #[inline]
            fn finish(self, total: $element, _len: u64) -> $element {
                total
            }
        }
    )*};
}

mod any_all;
mod bits;
mod bounds;
mod brief_moments;
mod count;
mod dot;
mod extremes;
mod f64_product;
mod f64_sums;
mod masks;
mod max_abs;
mod moments;
mod nan_mean;
mod nan_variance;
mod narrow;
mod places;
mod product;
mod statistics;
mod sum;
mod sums_of;
mod variance;
mod vectors;
mod wide;

pub use any_all::{All, Any};
pub use bits::{BitAnd, BitOr, BitXor};
pub use bounds::{BoundingBox, Bounds};
pub use brief_moments::{BriefMoments, BriefSummary};
pub(crate) use count::{Answer, Counted, Counting};
pub use count::{Count, CountNan};
pub use dot::{Dot, DotValue};
pub(crate) use extremes::{BothExtrema, Extremum};
pub use extremes::{Extremes, Max, Min, MinMax};
pub use max_abs::MaxAbs;
pub use moments::{Moments, Summary};
pub(crate) use nan_mean::MeanOfNumbers;
pub use places::{ArgMax, ArgMin, ArgMinMax, Place};
pub(crate) use places::{ExtremePlaces, ExtremumPlace};
pub use product::Product;
pub use statistics::{Mean, Norm, SumOfSquares};
pub use sum::Sum;
pub use sums_of::L1Norm;
pub use variance::Variance;
pub use wide::{ProductWide, SumWide};
