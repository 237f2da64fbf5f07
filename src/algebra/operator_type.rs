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
                sum Sum "sum" [f32 f64 f16 bf16 i8 u8 i16 u16 i32 u32 i64 u64]
                    "The [`Sum`]: of integers of less than 64 bits modulo 2^32, which [`SumWide`] is not."
                product Product "product" [f32 f64 f16 bf16 i8 u8 i16 u16 i32 u32 i64 u64]
                    "The [`Product`]: of integers of less than 64 bits modulo 2^32, which [`ProductWide`] is not."
                sum_wide SumWide "sum-wide" [i8 u8 i16 u16 i32 u32 i64 u64] "The [`SumWide`], in 64 bits."
                product_wide ProductWide "product-wide" [i8 u8 i16 u16 i32 u32 i64 u64] "The [`ProductWide`], in 64 bits."
                min Min "min" [f32 f64 f16 bf16 i8 u8 i16 u16 i32 u32 i64 u64 Bool]
                    "The smallest element ([`Min`]), or `None` if there are no elements."
                max Max "max" [f32 f64 f16 bf16 i8 u8 i16 u16 i32 u32 i64 u64 Bool]
                    "The largest element ([`Max`]), or `None` if there are no elements."
                min_max MinMax "min-max" [f32 f64 f16 bf16 i8 u8 i16 u16 i32 u32 i64 u64 Bool]
                    "The smallest and the largest element ([`MinMax`]), or `None` if there are no elements."
                arg_min ArgMin "arg-min" [f32 f64 f16 bf16 i8 u8 i16 u16 i32 u32 i64 u64 Bool]
                    "The smallest element, and where it is ([`ArgMin`]): of several the first. Or `None` if there are no elements."
                arg_max ArgMax "arg-max" [f32 f64 f16 bf16 i8 u8 i16 u16 i32 u32 i64 u64 Bool]
                    "The largest element, and where it is ([`ArgMax`]): of several the first. Or `None` if there are no elements."
                arg_min_max ArgMinMax "arg-min-max" [f32 f64 f16 bf16 i8 u8 i16 u16 i32 u32 i64 u64 Bool]
                    "The smallest and the largest element, and where they are ([`ArgMinMax`]): of several the first. Or `None` if there are no elements."
                arg_min_last ArgMinLast "arg-min-last" [f32 f64 f16 bf16 i8 u8 i16 u16 i32 u32 i64 u64 Bool]
                    "The smallest element, and where it is ([`ArgMinLast`]): of several the last. Or `None` if there are no elements."
                arg_max_last ArgMaxLast "arg-max-last" [f32 f64 f16 bf16 i8 u8 i16 u16 i32 u32 i64 u64 Bool]
                    "The largest element, and where it is ([`ArgMaxLast`]): of several the last. Or `None` if there are no elements."
                arg_min_max_last ArgMinMaxLast "arg-min-max-last" [f32 f64 f16 bf16 i8 u8 i16 u16 i32 u32 i64 u64 Bool]
                    "The smallest and the largest element, and where they are ([`ArgMinMaxLast`]): of several the last. Or `None` if there are no elements."
                bit_and BitAnd "bit-and" [i8 u8 i16 u16 i32 u32 i64 u64] "The bits that every element has ([`BitAnd`])."
                bit_or BitOr "bit-or" [i8 u8 i16 u16 i32 u32 i64 u64] "The bits that some element has ([`BitOr`])."
                bit_xor BitXor "bit-xor" [i8 u8 i16 u16 i32 u32 i64 u64]
                    "The bits that an odd number of elements have ([`BitXor`])."
                max_abs MaxAbs "max-abs" [f32 f64 f16 bf16 i8 u8 i16 u16 i32 u32 i64 u64]
                    "The largest magnitude ([`MaxAbs`]): of integers an unsigned one."
                count Count "count" [f32 f64 f16 bf16 i8 u8 i16 u16 i32 u32 i64 u64 Bool] "How many elements are not 0 ([`Count`])."
                count_nan CountNan "count-nan" [f32 f64 f16 bf16] "How many elements are NaN ([`CountNan`])."
                any Any "any" [f32 f64 f16 bf16 i8 u8 i16 u16 i32 u32 i64 u64 Bool] "Whether some element is not 0 ([`Any`])."
                all All "all" [f32 f64 f16 bf16 i8 u8 i16 u16 i32 u32 i64 u64 Bool] "Whether no element is 0 ([`All`])."
                nan_min NanMin "nan-min" [f32 f64 f16 bf16]
                    "The smallest element, without NaNs ([`NanMin`]), or `None` if there are no elements."
                total_min TotalMin "total-min" [f32 f64 f16 bf16]
                    "The smallest element, in the total order ([`TotalMin`]), or `None` if there are no elements."
                nan_max NanMax "nan-max" [f32 f64 f16 bf16]
                    "The largest element, without NaNs ([`NanMax`]), or `None` if there are no elements."
                total_max TotalMax "total-max" [f32 f64 f16 bf16]
                    "The largest element, in the total order ([`TotalMax`]), or `None` if there are no elements."
                nan_min_max NanMinMax "nan-min-max" [f32 f64 f16 bf16]
                    "The smallest and the largest element, without NaNs ([`NanMinMax`]), or `None` if there are no elements."
                total_min_max TotalMinMax "total-min-max" [f32 f64 f16 bf16]
                    "The smallest and the largest element, in the total order ([`TotalMinMax`]), or `None` if there are no elements."
                nan_arg_min NanArgMin "nan-arg-min" [f32 f64 f16 bf16]
                    "The smallest element, and where it is, without NaNs ([`NanArgMin`]), or `None` if there are no elements."
                total_arg_min TotalArgMin "total-arg-min" [f32 f64 f16 bf16]
                    "The smallest element, and where it is, in the total order ([`TotalArgMin`]), or `None` if there are no elements."
                nan_arg_max NanArgMax "nan-arg-max" [f32 f64 f16 bf16]
                    "The largest element, and where it is, without NaNs ([`NanArgMax`]), or `None` if there are no elements."
                total_arg_max TotalArgMax "total-arg-max" [f32 f64 f16 bf16]
                    "The largest element, and where it is, in the total order ([`TotalArgMax`]), or `None` if there are no elements."
                nan_arg_min_max NanArgMinMax "nan-arg-min-max" [f32 f64 f16 bf16]
                    "The smallest and the largest element, and where they are, without NaNs ([`NanArgMinMax`]), or `None` if there are no elements."
                total_arg_min_max TotalArgMinMax "total-arg-min-max" [f32 f64 f16 bf16]
                    "The smallest and the largest element, and where they are, in the total order ([`TotalArgMinMax`]), or `None` if there are no elements."
                nan_arg_min_last NanArgMinLast "nan-arg-min-last" [f32 f64 f16 bf16]
                    "The smallest element, and where it is, without NaNs ([`NanArgMinLast`]): of several the last. Or `None` if there are no elements."
                total_arg_min_last TotalArgMinLast "total-arg-min-last" [f32 f64 f16 bf16]
                    "The smallest element, and where it is, in the total order ([`TotalArgMinLast`]): of several the last. Or `None` if there are no elements."
                nan_arg_max_last NanArgMaxLast "nan-arg-max-last" [f32 f64 f16 bf16]
                    "The largest element, and where it is, without NaNs ([`NanArgMaxLast`]): of several the last. Or `None` if there are no elements."
                total_arg_max_last TotalArgMaxLast "total-arg-max-last" [f32 f64 f16 bf16]
                    "The largest element, and where it is, in the total order ([`TotalArgMaxLast`]): of several the last. Or `None` if there are no elements."
                nan_arg_min_max_last NanArgMinMaxLast "nan-arg-min-max-last" [f32 f64 f16 bf16]
                    "The smallest and the largest element, and where they are, without NaNs ([`NanArgMinMaxLast`]): of several the last. Or `None` if there are no elements."
                total_arg_min_max_last TotalArgMinMaxLast "total-arg-min-max-last" [f32 f64 f16 bf16]
                    "The smallest and the largest element, and where they are, in the total order ([`TotalArgMinMaxLast`]): of several the last. Or `None` if there are no elements."
                nan_sum NanSum "nan-sum" [f32 f64 f16 bf16] "The sum without NaNs ([`NanSum`])."
                nan_mean NanMean "nan-mean" [f32 f64 f16 bf16] "The mean without NaNs ([`NanMean`])."
                nan_variance NanVariance "nan-variance" [f32 f64 f16 bf16] "The true variance without NaNs ([`NanVariance`])."
                nan_sample_variance NanSampleVariance "nan-sample-variance" [f32 f64 f16 bf16]
                    "The true variance without NaNs, of a sample ([`NanSampleVariance`])."
                mean Mean "mean" [f32 f64 f16 bf16] "The arithmetic [`Mean`]."
                sum_of_squares SumOfSquares "sum-of-squares" [f32 f64 f16 bf16] "The [`SumOfSquares`]."
                norm Norm "norm" [f32 f64 f16 bf16] "The Euclidean [`Norm`]."
                l1_norm L1Norm "l1-norm" [f32 f64 f16 bf16] "The sum of magnitudes ([`L1Norm`])."
                variance Variance "variance" [f32 f64 f16 bf16] "The [`Variance`]."
                sample_variance SampleVariance "sample-variance" [f32 f64 f16 bf16]
                    "The [`SampleVariance`]."
                moments Moments "moments" [f32 f64 f16 bf16]
                    "Mean, variances, skewness, kurtosis, extrema and NaNs ([`Moments`]): a [`Summary`] of one read."
                brief_moments BriefMoments "brief-moments" [f32 f64 f16 bf16]
                    "Mean, variances, extrema and NaNs ([`BriefMoments`]): a [`BriefSummary`] of one read."
                bounds Bounds "bounds" []
                    "The bounding box and the centroid of points ([`Bounds`]), or `None` if there are no elements."
            }
            two inputs {
                dot Dot "dot" [f32 f64 f16 bf16] "The [`Dot`] product."
            }
        }
    };
}

/// Calls a macro with the list of operators on elements of two, three and four components, and of the components' types.
macro_rules! vector_operators {
    ($with:ident!) => {
        $with! {
            Sum [f32 i32 u32]
            Product [f32 i32 u32]
            Min [f32 i32 u32]
            Max [f32 i32 u32]
            MaxAbs [f32 i32 u32]
            Count [f32 i32 u32]
            Mean [f32]
            SumWide [i32 u32]
            BitAnd [i32 u32]
            BitOr [i32 u32]
            BitXor [i32 u32]
        }
    };
}
pub(crate) use vector_operators;

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
            /// A user's own: a [`CustomOperator`](crate::CustomOperator).
            Custom,
        }

        impl OperatorType {
            /// Every operator of the library.
            pub const ALL: &[Self] = &[$(Self::$one,)* $(Self::$two,)*];

            /// The operator's name in lower case, words joined by `-`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$one => $name,)*
                    $(Self::$two => $two_name,)*
                    Self::Custom => "custom",
                }
            }
        }
    };
}

operators!(names!());

impl OperatorType {
    /// Whether it says where in the sequence an element is.
    pub const fn tells_places(self) -> bool {
        matches!(self.shares_shaders_of(), Self::ArgMin | Self::ArgMinMax)
    }

    /// Whether of two accumulators the left one has to be of the elements before the right one's. Others commute.
    pub const fn keeps_order(self) -> bool {
        matches!(self, Self::Moments | Self::BriefMoments)
    }

    /// Whether it is a variance, of all there are or of a sample.
    pub(crate) const fn is_variance(self) -> bool {
        matches!(self, Self::Variance | Self::SampleVariance)
    }

    /// The operator whose shaders it shares: pipeline constants say which of them is meant. As a rule itself.
    pub const fn shares_shaders_of(self) -> Self {
        match self {
            Self::Any | Self::All | Self::CountNan => Self::Count,
            Self::NanSum => Self::L1Norm,
            Self::NanMax | Self::TotalMin | Self::TotalMax => Self::NanMin,
            Self::NanMinMax | Self::TotalMinMax => Self::MinMax,
            Self::ArgMax
            | Self::ArgMinLast
            | Self::ArgMaxLast
            | Self::NanArgMin
            | Self::NanArgMax
            | Self::TotalArgMin
            | Self::TotalArgMax
            | Self::NanArgMinLast
            | Self::NanArgMaxLast
            | Self::TotalArgMinLast
            | Self::TotalArgMaxLast => Self::ArgMin,
            Self::ArgMinMaxLast
            | Self::NanArgMinMax
            | Self::TotalArgMinMax
            | Self::NanArgMinMaxLast
            | Self::TotalArgMinMaxLast => Self::ArgMinMax,
            other => other,
        }
    }

    /// The values of those pipeline constants that are not the shaders' own.
    pub const fn constants(self) -> &'static [(&'static str, f64)] {
        const LEAST: (&str, f64) = ("TAKES_LEAST", 1.0);
        const LAST: (&str, f64) = ("TAKES_LAST", 1.0);
        const LOSE: (&str, f64) = ("NANS", 1.0);
        const ORDERED: (&str, f64) = ("NANS", 2.0);
        match self {
            Self::Any => &[("ANSWER", 1.0)],
            Self::All => &[("ANSWER", 2.0)],
            Self::CountNan => &[("ANSWER", 3.0)],
            Self::NanSum => &[("IGNORES_NANS", 1.0)],
            Self::ArgMin => &[LEAST],
            Self::ArgMinLast => &[LEAST, LAST],
            Self::ArgMaxLast | Self::ArgMinMaxLast => &[LAST],
            Self::NanMin | Self::NanArgMin => &[LEAST, LOSE],
            Self::NanMax | Self::NanArgMax | Self::NanMinMax | Self::NanArgMinMax => &[LOSE],
            Self::NanArgMinLast => &[LEAST, LOSE, LAST],
            Self::NanArgMaxLast | Self::NanArgMinMaxLast => &[LOSE, LAST],
            Self::TotalArgMinLast => &[LEAST, ORDERED, LAST],
            Self::TotalArgMaxLast | Self::TotalArgMinMaxLast => &[ORDERED, LAST],
            Self::TotalMin | Self::TotalArgMin => &[LEAST, ORDERED],
            Self::TotalMax | Self::TotalArgMax | Self::TotalMinMax | Self::TotalArgMinMax => {
                &[ORDERED]
            }
            _ => &[],
        }
    }

    /// Whether integers with a sign and without have the same bits in it.
    pub(crate) const fn ignores_signs(self) -> bool {
        matches!(
            self,
            Self::Sum | Self::Product | Self::Count | Self::BitAnd | Self::BitOr | Self::BitXor
        )
    }

    /// The operator that does the same with integers of 64 bits.
    pub(crate) const fn of_two_words(self) -> Self {
        match self {
            Self::SumWide => Self::Sum,
            Self::ProductWide => Self::Product,
            other => other,
        }
    }
}

impl fmt::Display for OperatorType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
