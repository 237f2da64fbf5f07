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
                ("exact/units_sum.wgsl", &["exact/deposit_element.wgsl", "exact/specials_of.wgsl"])
            }
            Self::Doubles => (
                "exact/units_sum_f64.wgsl",
                &["exact/deposit_element_f64.wgsl", "exact/specials_of_f64.wgsl"],
            ),
            Self::Squares => (
                "exact/units_squares.wgsl",
                &[
                    "exact/deposit_squares.wgsl",
                    "exact/deposit_square.wgsl",
                    "exact/element_parts.wgsl",
                    "exact/specials_of.wgsl",
                ],
            ),
            Self::Moments => (
                "exact/units_moments.wgsl",
                &[
                    "exact/deposit_moments.wgsl",
                    "exact/deposit_square.wgsl",
                    "exact/element_parts.wgsl",
                    "exact/specials_of.wgsl",
                ],
            ),
            Self::NumberMoments => (
                "exact/units_number_moments.wgsl",
                &[
                    "exact/deposit_number_moments.wgsl",
                    "exact/deposit_square.wgsl",
                    "exact/element_parts.wgsl",
                    "exact/specials_of.wgsl",
                ],
            ),
            Self::Products => (
                "exact/units_products.wgsl",
                &[
                    "exact/deposit_product.wgsl",
                    "exact/element_parts.wgsl",
                    "exact/specials_of.wgsl",
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
                Some(&["exact/store_accumulator.wgsl"])
            }
            Self::Doubles => None,
            Self::Moments => Some(&["exact/store_moments.wgsl"]),
            Self::NumberMoments => Some(&["exact/store_number_moments.wgsl", "exact/numbers.wgsl"]),
        }
    }

    /// The shader files that round, and write, what the operator makes of the sum.
    pub(crate) fn value_files(self) -> &'static [&'static str] {
        match self {
            Self::Doubles => &[
                "exact/store_value_f64.wgsl",
                "exact/limbs.wgsl",
                "exact/leading.wgsl",
                "exact/round_f64.wgsl",
                "operator/f64_round.wgsl",
                "operator/f64_shift.wgsl",
            ],
            Self::NumberMoments => &[
                "exact/store_value_of_numbers.wgsl",
                "exact/numbers.wgsl",
                "exact/limbs.wgsl",
                "exact/leading.wgsl",
                "exact/round.wgsl",
            ],
            Self::Elements | Self::Squares | Self::Moments | Self::Products => &[
                "exact/store_value.wgsl",
                "exact/limbs.wgsl",
                "exact/leading.wgsl",
                "exact/round.wgsl",
            ],
        }
    }
}
