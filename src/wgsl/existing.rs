//! Which kernels there are of which operators.

use crate::{
    algebra::{
        element::ElementType,
        operator::{Arithmetic, ExactKernels},
        operator_type::OperatorType,
    },
    way::{AtomicScope, Mechanism},
    wgsl::{
        kernel::{Kernel, Stored},
        lanes::Lanes,
    },
};

impl Kernel {
    /// Whether there is such a kernel.
    pub(super) fn exists(
        self,
        operator: OperatorType,
        element: ElementType,
        mechanism: Mechanism,
        arithmetic: Arithmetic,
    ) -> bool {
        let Some(spec) = operator.spec(element) else { return false };
        match self {
            // Programs alone have three inputs.
            Self::ReduceTriplesToPartials => false,
            _ if self.reads() && self.reads_pairs() != (spec.inputs == 2) => false,
            _ if spec.is_exact_alone() && !self.is_exact() => false,
            // No values combine, and where the device is trusted with nothing integers do all.
            Self::ExactReduce | Self::ExactPairs | Self::ExactFinish { .. } => {
                let leaves_accumulator = self == Self::ExactFinish { output: Stored::Accumulator };
                spec.exact_kernels().is_some_and(|ExactKernels { terms, .. }| {
                    !leaves_accumulator || terms.store_files().is_some()
                }) && mechanism == Mechanism::WorkgroupMemory
                    && arithmetic != Arithmetic::Unchecked
            }
            // Results that promise no bits have those of others, too.
            Self::ScanCarries | Self::ScanRows => {
                spec.scans()
                    && mechanism == Mechanism::WorkgroupMemory
                    && (!spec.computes_floats || arithmetic != Arithmetic::Unchecked)
            }
            Self::ScanRounds => {
                spec.scans()
                    && arithmetic != Arithmetic::Unchecked
                    && spec.scans_by_rounds(arithmetic)
            }
            Self::ScanSinglePass => {
                spec.scans()
                    && arithmetic != Arithmetic::Unchecked
                    && spec.scans_in_single_pass(arithmetic)
            }
            Self::SegmentChunks | Self::SegmentResults => {
                spec.has_segments()
                    && mechanism == Mechanism::WorkgroupMemory
                    && (!spec.computes_floats || arithmetic != Arithmetic::Unchecked)
            }
            Self::ExactSegmentChunks | Self::ExactSegmentResults => {
                spec.has_exact_segments()
                    && mechanism == Mechanism::WorkgroupMemory
                    && arithmetic == Arithmetic::Hardware
            }
            Self::GroupTotals => {
                spec.has_group_totals()
                    && mechanism == Mechanism::WorkgroupMemory
                    && arithmetic == Arithmetic::Hardware
            }
            _ if self.is_by_predicate() => false,
            _ if self.is_selection() || self.is_of_numbers() => {
                operator == OperatorType::Count
                    && (element == ElementType::U32
                        || (matches!(element, ElementType::U8 | ElementType::U32x4)
                            && self.copies_items()))
                    && (mechanism == Mechanism::WorkgroupMemory || self.scatters())
                    && arithmetic == Arithmetic::Hardware
            }
            // Integers with a sign have the modules of those without, and what copies elements has no floats.
            Self::BlockEnds | Self::Differences => {
                let is_copied = matches!(element, ElementType::U32 | ElementType::U64);
                let is_float = matches!(element, ElementType::F32 | ElementType::F64);
                operator == OperatorType::Sum
                    && mechanism == Mechanism::WorkgroupMemory
                    && arithmetic != Arithmetic::Unchecked
                    && (is_copied || (is_float && self == Self::Differences))
            }
            Self::Histogram { pass } => pass.exists(operator, element, mechanism, arithmetic),
            Self::FoldToPartials => {
                arithmetic != Arithmetic::Unchecked && Lanes::folds_to_partials(spec)
            }
            Self::Finish => spec.ends_by_atomics(),
            // Rounding sums lose their order.
            Self::ReduceToAccumulator { scope, float_add } => {
                (scope == AtomicScope::Workgroup || mechanism == Mechanism::Subgroup)
                    && spec.ends_by_atomics()
                    && (!float_add || spec.adds_floats())
                    && (!spec.computes_floats || arithmetic == Arithmetic::Unchecked)
            }
            _ => true,
        }
    }
}
