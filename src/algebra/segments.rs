//! What devices can do with segments by an operator, and exact results of segments: an accumulator for each run, which rounds nothing.

use crate::algebra::{
    operator::{Combining, ExactTerms, OperatorSpec, part},
    operator_type::OperatorType,
    precision::Precision,
};

/// Sums that round nothing: so many words, and shader files of their own before those that all have.
macro_rules! exact_sums {
    ($words:literal: $($own:literal)*) => {
        Combining {
            identity: &[0; $words],
            parts: &[
                $(part!($own),)*
                part!("exact/element_sums.wgsl@parts"),
                part!("exact/specials.wgsl"),
                part!("exact/specials.wgsl@f32"),
                part!("exact/limbs.wgsl@two_complement"),
                part!("operator/range.wgsl@any"),
                part!("operator/range.wgsl@none"),
            ],
            ..Combining::NONE
        }
    };
}

/// How such sums combine: numbers of 320 bits, and flags for what is not finite.
const EXACT_SUMS: Combining = exact_sums!(11: "segments/exact_sum.wgsl" "exact/units.wgsl@sum");

/// How sums of squares combine: numbers of 640 bits.
const EXACT_SQUARES: Combining = exact_sums!(
    21: "segments/exact_squares.wgsl" "segments/exact_limbs.wgsl" "exact/units.wgsl@squares"
        "exact/product.wgsl"
);

/// How sums of both combine.
const EXACT_MOMENTS: Combining = exact_sums!(
    31: "segments/exact_moments.wgsl" "segments/exact_limbs.wgsl" "exact/units.wgsl@moments"
        "exact/product.wgsl"
);

/// How sums of `f64`s combine: numbers of 2144 bits, and a word that tells of them. Kernels have one at a time.
const EXACT_DOUBLES: Combining = Combining {
    identity: &[0; 68],
    parts: &[
        part!("segments/exact_f64_sum.wgsl"),
        part!("exact/units.wgsl@sum_f64"),
        part!("exact/specials.wgsl"),
        part!("exact/specials.wgsl@f64"),
        part!("exact/limbs.wgsl@two_complement"),
    ],
    ..Combining::NONE
};

impl ExactTerms {
    /// How devices combine such sums of segments. `None` where no accumulator has been made for runs.
    pub(crate) const fn of_segments(self) -> Option<&'static Combining> {
        match self {
            Self::Elements => Some(&EXACT_SUMS),
            Self::Squares => Some(&EXACT_SQUARES),
            Self::Moments => Some(&EXACT_MOMENTS),
            Self::Doubles => Some(&EXACT_DOUBLES),
            Self::NumberMoments | Self::Products => None,
        }
    }

    /// The shader file that makes limbs of a segment's total.
    pub(crate) const fn segments_finish(self) -> Option<&'static str> {
        match self {
            Self::Elements => Some("segments/exact_sum.wgsl@finish"),
            Self::Squares => Some("segments/exact_squares.wgsl@finish"),
            Self::Moments => Some("segments/exact_moments.wgsl@finish"),
            Self::Doubles => Some("segments/exact_f64.wgsl@finish"),
            Self::NumberMoments | Self::Products => None,
        }
    }
}

impl OperatorSpec {
    /// Whether devices reduce segments by this operator of these elements, to results that keep such a promise.
    pub fn has_segments_at(&self, precision: Precision) -> bool {
        self.has_segments()
            && (precision != Precision::Exact || self.order_free || self.has_exact_segments())
    }

    /// Whether devices make exact results of segments by the operator, which rounds otherwise.
    pub(crate) fn has_exact_segments(&self) -> bool {
        self.has_segments() && self.exact_segments().is_some()
    }

    /// How their runs combine.
    pub(crate) fn exact_segments(&self) -> Option<&'static Combining> {
        self.exact_kernels()?.terms.of_segments()
    }

    /// Whether devices reduce groups in one pass: in any order, by atomics of memory, and not by the number of elements.
    pub(crate) fn has_group_totals(&self) -> bool {
        self.has_segments()
            && self.order_free
            && self.operator != OperatorType::All
            && self.atomic().is_some()
    }
}
