//! The one list of all operators, and their names.

use std::fmt;

/// Calls a macro with the list of all operators, behind what is given to it: for each its method, its type, its name, the
/// element types that it is for, and what its method is for. Of this crate's own programs and tests: no promise of stability.
#[doc(hidden)]
#[macro_export]
macro_rules! operators {
    ($with:ident!($($given:tt)*)) => {
        $with! {
            $($given)*
            one input {
                sum Sum "sum" [f32 i32 u32 i64 u64] "The [`Sum`]."
                product Product "product" [f32 i32 u32 i64 u64] "The [`Product`]."
                min Min "min" [f32 i32 u32 i64 u64]
                    "The smallest element ([`Min`]), or `None` if there are no elements."
                max Max "max" [f32 i32 u32 i64 u64]
                    "The largest element ([`Max`]), or `None` if there are no elements."
                bit_and BitAnd "bit-and" [i32 u32 i64 u64] "The bits that every element has ([`BitAnd`])."
                bit_or BitOr "bit-or" [i32 u32 i64 u64] "The bits that some element has ([`BitOr`])."
                bit_xor BitXor "bit-xor" [i32 u32 i64 u64]
                    "The bits that an odd number of elements have ([`BitXor`])."
                max_abs MaxAbs "max-abs" [f32 i32 u32 i64 u64]
                    "The largest magnitude ([`MaxAbs`]): of `i32`s a `u32`, of `i64`s a `u64`."
                count Count "count" [f32 i32 u32 i64 u64] "How many elements are not 0 ([`Count`])."
                mean Mean "mean" [f32] "The arithmetic [`Mean`]."
                sum_of_squares SumOfSquares "sum-of-squares" [f32] "The [`SumOfSquares`]."
                norm Norm "norm" [f32] "The Euclidean [`Norm`]."
                variance Variance "variance" [f32] "The [`Variance`], always exact."
                sample_variance SampleVariance "sample-variance" [f32]
                    "The [`SampleVariance`], always exact."
            }
            two inputs {
                dot Dot "dot" [f32] "The [`Dot`] product."
            }
        }
    };
}

macro_rules! names {
    (
        one input { $($verb:ident $one:ident $name:literal [$($element:ident)*] $doc:literal)* }
        two inputs {
            $($two_verb:ident $two:ident $two_name:literal [$($two_element:ident)*] $two_doc:literal)*
        }
    ) => {
        /// An operator's name, for plans, shader keys and reports.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum OperatorType {
            $(#[doc = concat!("[`", stringify!($one), "`](crate::", stringify!($one), ")")] $one,)*
            $(#[doc = concat!("[`", stringify!($two), "`](crate::", stringify!($two), ")")] $two,)*
        }

        impl OperatorType {
            /// Every operator.
            pub const ALL: &[Self] = &[$(Self::$one,)* $(Self::$two,)*];

            /// The operator's name in lower case, words joined by `-`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$one => $name,)*
                    $(Self::$two => $two_name,)*
                }
            }
        }
    };
}

operators!(names!());

impl fmt::Display for OperatorType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
