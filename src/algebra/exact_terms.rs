//! What exact results are made of, and the shader files that make them.

use crate::algebra::{
    exact_total::ExactKind, operator_type::OperatorType, options::NanRule, part::Part,
};

/// What an operator's exact results are made of.
#[derive(Clone, Copy)]
pub(crate) struct ExactSpec {
    /// The accumulator on the host.
    pub(crate) kind: ExactKind,
    /// How devices make them. Without, the CPU alone does.
    pub(crate) kernels: Option<ExactKernels>,
    /// Whether the accumulator counts all elements, and not numbers alone.
    pub(crate) counts_all: bool,
}

impl ExactSpec {
    /// On devices, too.
    pub(crate) const fn everywhere(terms: ExactTerms, value: &'static [Part]) -> Option<Self> {
        let kernels = Some(ExactKernels { terms, value });
        let counts_all = !matches!(terms, ExactTerms::NumberMoments);
        Some(Self { kind: terms.kind(), kernels, counts_all })
    }

    /// On the CPU alone.
    pub(crate) const fn on_cpu(kind: ExactKind) -> Option<Self> {
        Some(Self { kind, kernels: None, counts_all: true })
    }
}

/// How devices make exact results.
#[derive(Clone, Copy)]
pub(crate) struct ExactKernels {
    /// What is added up.
    pub(crate) terms: ExactTerms,
    /// `exact_value`: what the sum of the terms comes to.
    pub(crate) value: &'static [Part],
}

/// What an exact result adds up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExactTerms {
    /// The elements.
    Elements,
    /// The elements, f64s.
    Doubles,
    /// Their squares.
    Squares,
    /// Both.
    Moments,
    /// Both, of the elements that are not NaN, which are counted.
    NumberMoments,
    /// The products of pairs.
    Products,
}

/// The shader's `COPIES`.
pub(crate) const ACCUMULATOR_COPIES: usize = 16;

impl ExactTerms {
    /// Digits of 16 bits in the accumulator: the shader's `DIGITS`.
    pub(crate) fn digits(self) -> usize {
        match self {
            Self::Elements => 20,
            Self::Doubles => 134,
            Self::Squares | Self::Products => 40,
            Self::Moments => 60,
            Self::NumberMoments => 64,
        }
    }

    /// Words of one of the accumulator's copies in memory: the shader's `COPY_WORDS`.
    pub(crate) fn copy_words(self) -> usize {
        /// Of a line of memory.
        const LINE_WORDS: usize = 32;
        (self.digits() + 1).next_multiple_of(LINE_WORDS)
    }

    /// The accumulator on the host.
    pub(crate) const fn kind(self) -> ExactKind {
        match self {
            Self::Elements => ExactKind::Sum,
            Self::Doubles => ExactKind::Doubles,
            Self::Squares | Self::Products => ExactKind::Dot,
            Self::Moments | Self::NumberMoments => ExactKind::Moments,
        }
    }

    /// Words of the accumulator in memory.
    pub(crate) fn accumulator_words(self) -> usize {
        ACCUMULATOR_COPIES * self.copy_words()
    }

    /// The shader files of the units, and of how a term is added.
    pub(crate) fn shader_files(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Self::Elements => {
                ("exact/units.wgsl@sum", &["exact/deposit.wgsl@element", "exact/specials.wgsl@f32"])
            }
            Self::Doubles => (
                "exact/units.wgsl@sum_f64",
                &["exact/deposit.wgsl@element_f64", "exact/specials.wgsl@f64"],
            ),
            Self::Squares => (
                "exact/units.wgsl@squares",
                &[
                    "exact/deposit.wgsl@squares",
                    "exact/deposit.wgsl@square",
                    "exact/element_sums.wgsl@parts",
                    "exact/specials.wgsl@f32",
                ],
            ),
            Self::Moments => (
                "exact/units.wgsl@moments",
                &[
                    "exact/deposit.wgsl@moments",
                    "exact/deposit.wgsl@square",
                    "exact/element_sums.wgsl@parts",
                    "exact/specials.wgsl@f32",
                ],
            ),
            Self::NumberMoments => (
                "exact/units.wgsl@number_moments",
                &[
                    "exact/deposit.wgsl@number_moments",
                    "exact/deposit.wgsl@square",
                    "exact/element_sums.wgsl@parts",
                    "exact/specials.wgsl@f32",
                ],
            ),
            Self::Products => (
                "exact/units.wgsl@products",
                &[
                    "exact/deposit.wgsl@product",
                    "exact/element_sums.wgsl@parts",
                    "exact/specials.wgsl@f32",
                ],
            ),
        }
    }

    /// An operator with such an accumulator, for modules that depend on nothing else of the operator.
    pub(crate) fn operator(self) -> OperatorType {
        match self {
            Self::Elements | Self::Doubles => OperatorType::Sum,
            Self::Squares | Self::Products => OperatorType::SumOfSquares,
            Self::Moments => OperatorType::Variance,
            Self::NumberMoments => OperatorType::Variance.nan(NanRule::Ignore),
        }
    }

    /// The shader files that write the accumulator itself. `None` of f64s: theirs stays where it is.
    pub(crate) fn store_files(self) -> Option<&'static [&'static str]> {
        match self {
            Self::Elements | Self::Squares | Self::Products => {
                Some(&["exact/accumulator.wgsl@store"])
            }
            Self::Doubles => None,
            Self::Moments => Some(&["exact/store.wgsl@moments"]),
            Self::NumberMoments => {
                Some(&["exact/store.wgsl@number_moments", "exact/limbs.wgsl@numbers"])
            }
        }
    }

    /// The shader files that round, and write, what the operator makes of the sum.
    pub(crate) fn value_files(self) -> &'static [&'static str] {
        match self {
            Self::Doubles => &[
                "exact/store.wgsl@value_f64",
                "exact/limbs.wgsl",
                "exact/limbs.wgsl@leading",
                "exact/round.wgsl@f64",
                "operator/f64_round.wgsl",
                "operator/f64_round.wgsl@shift",
            ],
            Self::NumberMoments => &[
                "exact/store.wgsl@value_of_numbers",
                "exact/limbs.wgsl@numbers",
                "exact/limbs.wgsl",
                "exact/limbs.wgsl@leading",
                "exact/round.wgsl",
            ],
            Self::Elements | Self::Squares | Self::Moments | Self::Products => &[
                "exact/store.wgsl@value",
                "exact/limbs.wgsl",
                "exact/limbs.wgsl@leading",
                "exact/round.wgsl",
            ],
        }
    }
}
