//! The one list of all operators, and their names.

use crate::algebra::{
    element::ElementType,
    options::{NanRule, Options},
};
use std::fmt;

/// Calls a macro with the list of all operators, behind what is given to it: for each its method, its type, its name, the
/// element types that it is for, and what its method is for. Rows of `options` are operators with options. It is for this crate's own programs and tests: no promise of stability.
#[doc(hidden)]
#[macro_export]
macro_rules! operators {
    ($with:ident!($($given:tt)*)) => {
        $with! {
            $($given)*
            one input {
                sum Sum "sum" [f32 f64 f16 bf16 i8 u8 i16 u16 i32 u32 i64 u64]
                    "The [`struct@Sum`]: of integers of less than 64 bits modulo 2^32, which [`SumWide`] is not."
                product Product "product" [f32 f64 f16 bf16 i8 u8 i16 u16 i32 u32 i64 u64]
                    "The [`Product`]: of integers of less than 64 bits modulo 2^32, which [`ProductWide`] is not."
                sum_wide SumWide "sum-wide" [i8 u8 i16 u16 i32 u32 i64 u64] "The [`SumWide`], in 64 bits."
                product_wide ProductWide "product-wide" [i8 u8 i16 u16 i32 u32 i64 u64] "The [`ProductWide`], in 64 bits."
                min Min "min" [f32 f64 f16 bf16 i8 u8 i16 u16 i32 u32 i64 u64 Bool]
                    "The smallest element ([`struct@Min`]), or `None` if there are no elements."
                max Max "max" [f32 f64 f16 bf16 i8 u8 i16 u16 i32 u32 i64 u64 Bool]
                    "The largest element ([`struct@Max`]), or `None` if there are no elements."
                min_max MinMax "min-max" [f32 f64 f16 bf16 i8 u8 i16 u16 i32 u32 i64 u64 Bool]
                    "The smallest and the largest element ([`struct@MinMax`]), or `None` if there are no elements."
                arg_min ArgMin "arg-min" [f32 f64 f16 bf16 i8 u8 i16 u16 i32 u32 i64 u64 Bool]
                    "The smallest element, and where it is ([`struct@ArgMin`]): of several the first. Or `None` if there are no elements."
                arg_max ArgMax "arg-max" [f32 f64 f16 bf16 i8 u8 i16 u16 i32 u32 i64 u64 Bool]
                    "The largest element, and where it is ([`struct@ArgMax`]): of several the first. Or `None` if there are no elements."
                arg_min_max ArgMinMax "arg-min-max" [f32 f64 f16 bf16 i8 u8 i16 u16 i32 u32 i64 u64 Bool]
                    "The smallest and the largest element, and where they are ([`struct@ArgMinMax`]): of several the first. Or `None` if there are no elements."
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
                mean Mean "mean" [f32 f64 f16 bf16] "The arithmetic [`struct@Mean`]."
                sum_of_squares SumOfSquares "sum-of-squares" [f32 f64 f16 bf16] "The [`SumOfSquares`]."
                norm Norm "norm" [f32 f64 f16 bf16] "The Euclidean [`Norm`]."
                l1_norm L1Norm "l1-norm" [f32 f64 f16 bf16] "The sum of magnitudes ([`L1Norm`])."
                variance Variance "variance" [f32 f64 f16 bf16] "The [`struct@Variance`]."
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
            options {
                Min [Ignore] [f32 f64 f16 bf16]
                Max [Ignore] [f32 f64 f16 bf16]
                MinMax [Ignore] [f32 f64 f16 bf16]
                ArgMin [Ignore] [f32 f64 f16 bf16]
                ArgMax [Ignore] [f32 f64 f16 bf16]
                ArgMinMax [Ignore] [f32 f64 f16 bf16]
                Min [Total] [f32 f64 f16 bf16]
                Max [Total] [f32 f64 f16 bf16]
                MinMax [Total] [f32 f64 f16 bf16]
                ArgMin [Total] [f32 f64 f16 bf16]
                ArgMax [Total] [f32 f64 f16 bf16]
                ArgMinMax [Total] [f32 f64 f16 bf16]
                ArgMin [last] [f32 f64 f16 bf16 i8 u8 i16 u16 i32 u32 i64 u64 Bool]
                ArgMax [last] [f32 f64 f16 bf16 i8 u8 i16 u16 i32 u32 i64 u64 Bool]
                ArgMinMax [last] [f32 f64 f16 bf16 i8 u8 i16 u16 i32 u32 i64 u64 Bool]
                ArgMin [Ignore last] [f32 f64 f16 bf16]
                ArgMax [Ignore last] [f32 f64 f16 bf16]
                ArgMinMax [Ignore last] [f32 f64 f16 bf16]
                ArgMin [Total last] [f32 f64 f16 bf16]
                ArgMax [Total last] [f32 f64 f16 bf16]
                ArgMinMax [Total last] [f32 f64 f16 bf16]
                Sum [Ignore] [f32 f64 f16 bf16]
                Mean [Ignore] [f32 f64 f16 bf16]
                Variance [Ignore] [f32 f64 f16 bf16]
                Variance [sample] [f32 f64 f16 bf16]
                Variance [Ignore sample] [f32 f64 f16 bf16]
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
        options { $($of:ident $choice:tt [$($of_element:ident)*])* }
    ) => {
        /// An operator without its options.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub(crate) enum OperatorKind {
            $($one,)*
            $($two,)*
            Custom,
        }

        /// The operators, without options.
        #[allow(non_upper_case_globals, reason = "they are named as the operators are")]
        impl OperatorType {
            $(#[doc = concat!("[`", stringify!($one), "`](struct@crate::", stringify!($one), ")")]
            pub const $one: Self = Self::of(OperatorKind::$one);)*
            $(#[doc = concat!("[`", stringify!($two), "`](crate::", stringify!($two), ")")]
            pub const $two: Self = Self::of(OperatorKind::$two);)*
            /// A user's own: a [`CustomOperator`](crate::CustomOperator).
            pub const Custom: Self = Self::of(OperatorKind::Custom);
        }

        impl OperatorType {
            /// Every operator of the library, with all of its options.
            pub const ALL: &[Self] = &[
                $(Self::$one,)*
                $(Self::$two,)*
                $(Self::$of.with(choice!($choice)),)*
            ];

            /// The operator's name in lower case, words joined by `-`: options are words of it, too.
            pub const fn name(self) -> &'static str {
                match self.kind {
                    $(OperatorKind::$one => name_of!(self.options, $name),)*
                    $(OperatorKind::$two => name_of!(self.options, $two_name),)*
                    OperatorKind::Custom => "custom",
                }
            }
        }
    };
}

/// The options of a row of the list.
macro_rules! choice {
    ([]) => {
        Options { nan: NanRule::Propagate, last: false, sample: false }
    };
    ([last]) => {
        Options { nan: NanRule::Propagate, last: true, sample: false }
    };
    ([sample]) => {
        Options { nan: NanRule::Propagate, last: false, sample: true }
    };
    ([$nan:ident]) => {
        Options { nan: NanRule::$nan, last: false, sample: false }
    };
    ([$nan:ident last]) => {
        Options { nan: NanRule::$nan, last: true, sample: false }
    };
    ([$nan:ident sample]) => {
        Options { nan: NanRule::$nan, last: false, sample: true }
    };
}
pub(crate) use choice;

/// A name with the words of options.
macro_rules! name_of {
    ($options:expr, $name:literal) => {
        match $options {
            Options { nan: NanRule::Propagate, last: false, sample: false } => $name,
            Options { nan: NanRule::Propagate, last: true, .. } => concat!($name, "-last"),
            Options { nan: NanRule::Propagate, sample: true, .. } => concat!("sample-", $name),
            Options { nan: NanRule::Ignore, last: false, sample: false } => concat!("nan-", $name),
            Options { nan: NanRule::Ignore, last: true, .. } => concat!("nan-", $name, "-last"),
            Options { nan: NanRule::Ignore, sample: true, .. } => concat!("nan-sample-", $name),
            Options { nan: NanRule::Total, last: false, .. } => concat!("total-", $name),
            Options { nan: NanRule::Total, last: true, .. } => concat!("total-", $name, "-last"),
        }
    };
}

/// An operator of the library and its options, for plans, shader keys and reports.
///
/// ```
/// use gridfold::{NanRule, OperatorType};
///
/// let operator = OperatorType::ArgMin.nan(NanRule::Ignore).last();
/// assert_eq!(operator.name(), "nan-arg-min-last");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OperatorType {
    kind: OperatorKind,
    options: Options,
}

operators!(names!());

impl OperatorType {
    const fn of(kind: OperatorKind) -> Self {
        Self { kind, options: Options::DEFAULT }
    }

    /// The operator without its options.
    pub(crate) const fn kind(self) -> OperatorKind {
        self.kind
    }

    pub(crate) const fn options(self) -> Options {
        self.options
    }

    /// The operator with other options.
    pub(crate) const fn with(self, options: Options) -> Self {
        Self { options, ..self }
    }

    /// The operator with this rule for NaNs. Where it has no such rule, or elements are integers, it has no [`OperatorType::spec`]: [`OperatorType::on`] leaves
    /// the rule out.
    #[must_use]
    pub const fn nan(self, nan: NanRule) -> Self {
        self.with(Options { nan, ..self.options })
    }

    /// The operator that finds the last of several places. Where it finds none, it is defined for no elements.
    #[must_use]
    pub const fn last(self) -> Self {
        self.with(Options { last: true, ..self.options })
    }

    /// The variance of a sample. Any other operator is then defined for no elements.
    #[must_use]
    pub const fn sample(self) -> Self {
        self.with(Options { sample: true, ..self.options })
    }

    /// How it takes NaNs.
    pub const fn nan_rule(self) -> NanRule {
        self.options.nan
    }

    /// The same operator without its options.
    #[must_use]
    pub const fn without_options(self) -> Self {
        self.with(Options::DEFAULT)
    }

    /// The operator as it is on elements of a type: where there are no NaNs, no rule for them changes anything.
    #[must_use]
    pub const fn on(self, element: ElementType) -> Self {
        if element.is_float() { self } else { self.nan(NanRule::Propagate) }
    }

    /// Whether it says where in the sequence an element is.
    pub const fn tells_places(self) -> bool {
        matches!(self.kind, OperatorKind::ArgMin | OperatorKind::ArgMax | OperatorKind::ArgMinMax)
    }

    /// Whether of two accumulators the left one has to be of the elements before the right one's. Others commute.
    pub const fn keeps_order(self) -> bool {
        matches!(self.kind, OperatorKind::Moments | OperatorKind::BriefMoments)
    }

    /// Whether it is a variance of all elements, NaNs too.
    pub(crate) const fn is_variance(self) -> bool {
        matches!(self.kind, OperatorKind::Variance)
            && matches!(self.options.nan, NanRule::Propagate)
    }

    /// The values of the pipeline constants by which operators share shaders. No shader declares all of them.
    pub(crate) fn constants(self, element: ElementType) -> Vec<(&'static str, u32)> {
        let Options { nan, last, sample: _ } = self.options;
        let mut constants = match self.kind {
            // Whether all flags of masks are set, or any.
            OperatorKind::Min if element == ElementType::Bits => vec![("FOLD", 2)],
            OperatorKind::Max if element == ElementType::Bits => vec![("FOLD", 3)],
            OperatorKind::Any => vec![("ANSWER", 1)],
            OperatorKind::All => vec![("ANSWER", 2)],
            OperatorKind::CountNan => vec![("ANSWER", 3)],
            OperatorKind::Sum if nan == NanRule::Ignore => vec![("IGNORES_NANS", 1)],
            OperatorKind::Min | OperatorKind::ArgMin => vec![("TAKES_LEAST", 1)],
            OperatorKind::MaxAbs => vec![("OF_MAGNITUDES", 1)],
            OperatorKind::Product | OperatorKind::ProductWide => vec![("FOLD", 1)],
            OperatorKind::BitAnd => vec![("FOLD", 2)],
            OperatorKind::BitOr => vec![("FOLD", 3)],
            OperatorKind::BitXor => vec![("FOLD", 4)],
            _ => vec![],
        };
        match nan {
            NanRule::Propagate => {}
            NanRule::Ignore => constants.push(("NANS", 1)),
            NanRule::Total => constants.push(("NANS", 2)),
        }
        if last {
            constants.push(("TAKES_LAST", 1));
        }
        constants
    }

    /// The operator that does the same with integers of 64 bits.
    pub(crate) const fn of_two_words(self) -> Self {
        match self.kind {
            OperatorKind::SumWide => Self::Sum,
            OperatorKind::ProductWide => Self::Product,
            _ => self,
        }
    }
}

impl fmt::Display for OperatorType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// As `ArgMin.nan(Nan::Ignore).last()`.
impl fmt::Debug for OperatorType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Options { nan, last, sample } = self.options;
        write!(f, "{:?}", self.kind)?;
        if nan != NanRule::Propagate {
            write!(f, ".nan(Nan::{nan:?})")?;
        }
        f.write_str(if last { ".last()" } else { "" })?;
        f.write_str(if sample { ".sample()" } else { "" })
    }
}

/// An operator's value, from its name and a row's options. It is for this crate's own programs and tests: no promise of stability.
#[doc(hidden)]
#[macro_export]
macro_rules! operator {
    ($operator:ident []) => {
        $crate::$operator
    };
    ($operator:ident [last]) => {
        $crate::$operator.last()
    };
    ($operator:ident [sample]) => {
        $crate::$operator.sample()
    };
    ($operator:ident [$nan:ident $($more:ident)?]) => {
        $crate::$operator.nan($crate::Nan::$nan)$(.$more())?
    };
}
