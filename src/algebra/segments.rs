//! What devices can do with segments by an operator, and exact sums of segments: an accumulator for each run, which rounds nothing.

use crate::algebra::{
    operator::{Combining, ExactTerms, OperatorSpec, part},
    operator_type::OperatorType,
    precision::Precision,
};

/// How such sums combine: numbers of 320 bits, and flags for what is not finite.
pub(crate) const EXACT_SUMS: Combining = Combining {
    identity: &[0; 11],
    parts: &[
        part!("segments/exact_sum.wgsl"),
        part!("exact/units_sum.wgsl"),
        part!("exact/element_parts.wgsl"),
        part!("exact/specials.wgsl"),
        part!("exact/specials_of.wgsl"),
        part!("exact/two_complement.wgsl"),
        part!("operator/any_range.wgsl"),
        part!("operator/no_range.wgsl"),
    ],
    ..Combining::NONE
};

impl OperatorSpec {
    /// Whether devices reduce segments by this operator of these elements, to results that keep such a promise.
    pub fn has_segments_at(&self, precision: Precision) -> bool {
        self.has_segments()
            && (precision != Precision::Exact || self.order_free || self.has_exact_segments())
    }

    /// Whether devices make exact results of segments by the operator, which rounds otherwise: of sums of elements that become `f32`s. Other
    /// accumulators are too large to have one for each run.
    pub(crate) fn has_exact_segments(&self) -> bool {
        self.has_segments()
            && self.exact_kernels().is_some_and(|exact| exact.terms == ExactTerms::Elements)
    }

    /// Whether devices reduce groups in one pass: in any order, by atomics of memory, and not by the number of elements.
    pub(crate) fn has_group_totals(&self) -> bool {
        self.has_segments()
            && self.order_free
            && self.operator != OperatorType::All
            && self.atomic().is_some_and(|atomic| !atomic.exchanges)
    }
}
