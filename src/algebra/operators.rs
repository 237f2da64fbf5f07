//! The operators: a file for each, or for each few that are alike. [`crate::algebra::operator_type`] has the list of them all.

use crate::algebra::{
    element::{Element, ElementType},
    operator::{Operator, OperatorSpec, PairOperator, Part, part, sealed::Sealed},
    operator_type::OperatorType,
};

macro_rules! specifications {
    (
        one input { $($verb:ident $one:ident $name:literal [$($element:ident)*] $doc:literal)* }
        two inputs {
            $($two_verb:ident $two:ident $two_name:literal [$($two_element:ident)*] $two_doc:literal)*
        }
    ) => {
        impl OperatorType {
            /// What it is for elements of a type. `None` where it is not defined.
            #[inline]
            pub fn spec(self, element: ElementType) -> Option<&'static OperatorSpec> {
                match (self, element) {
                    $($((Self::$one, <$element as Element>::TYPE) => {
                        Some(const { &<$one as Operator<$element>>::SPEC })
                    })*)*
                    $($((Self::$two, <$two_element as Element>::TYPE) => {
                        Some(const { &<$two as PairOperator<$two_element>>::SPEC })
                    })*)*
                    _ => None,
                }
            }
        }

        $(
            impl Sealed for $one {}
        )*
        $(
            impl Sealed for $two {}
        )*
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
const ANY_RANGE: Part = part!("operator/any_range.wgsl");
/// For accumulators of one word.
const ACC_WORD: Part = part!("operator/acc_word.wgsl");

/// An operator of integers, whose accumulator is an element: its files are called as it is.
macro_rules! integer_operator {
    (
        $operator:ident in $file:literal, $atomic:expr, $value:ident, $fold:ident, $combine:expr;
        $($element:ident: $identity:expr),*
    ) => {$(
        impl Operator<$element> for $operator {
            const SPEC: OperatorSpec = OperatorSpec::order_free(
                OperatorType::$operator,
                <$element as Element>::TYPE,
                Combining {
                    identity: &[bytemuck::must_cast::<$element, u32>($identity)],
                    parts: &[
                        part!("operator/acc_element.wgsl"),
                        part!("operator/" $file ".wgsl"),
                        crate::algebra::operators::ANY_RANGE,
                    ],
                    unchecked: None,
                    software: None,
                    subgroup: Some(part!("operator/" $file "_subgroup.wgsl")),
                    atomic: Some($atomic),
                },
            );
            type Acc = $element;
            $value!($element);
            #[inline]
            fn identity() -> $element {
                $identity
            }
            #[inline]
            fn lift(element: $element) -> $element {
                element
            }
            #[inline]
            fn combine(a: $element, b: $element) -> $element {
                let combine: fn($element, $element) -> $element = $combine;
                combine(a, b)
            }
            #[inline]
            fn fold(elements: &[$element]) -> Option<$element> {
                Some(fold::$fold(elements, $identity, $combine))
            }
            #[inline]
            fn finish(total: $element) -> $element {
                total
            }
        }
    )*};
}

mod bits;
mod count;
mod dot;
mod max_abs;
mod min_max;
mod product;
mod statistics;
mod sum;

pub use bits::{BitAnd, BitOr, BitXor};
pub use count::Count;
pub use dot::Dot;
pub use max_abs::MaxAbs;
pub use min_max::{Max, Min};
pub use product::{Product, ProductAcc};
pub use statistics::{Mean, Norm, SampleVariance, SumOfSquares, Variance};
pub use sum::Sum;
