//! What a problem is refused for before it is planned.

use crate::{
    algebra::{operator::OperatorSpec, operator_type::OperatorType, precision::Precision},
    device::{capabilities::Capabilities, extent::Extent},
    error::PrepareError,
    order::MAX_LEN,
    reduce::problem::Problem,
    way::Strategy,
};

/// The problem's length, and what its result promises.
pub(super) fn check_problem(
    problem: &Problem,
    spec: &OperatorSpec,
    capabilities: &Capabilities,
) -> Result<(u64, Precision), PrepareError> {
    let Problem { element, operator, precision, .. } = *problem;
    let Problem { slices, right_slices, third_slices, .. } = problem;
    for slice in slices.iter().chain(right_slices).chain(third_slices) {
        slice.check(element.size_bytes())?;
    }
    check_capabilities(capabilities)?;
    let len = total_len(&problem.slices);
    if len > MAX_LEN {
        return Err(PrepareError::TooLong { len });
    }
    let (right_len, third_len) = (total_len(right_slices), total_len(third_slices));
    match spec.inputs {
        2 if right_len != len => {
            return Err(PrepareError::LengthMismatch { left: len, right: right_len });
        }
        3 if [right_len, third_len] != [len; 2] => {
            let [x, y, z] = [len, right_len, third_len];
            return Err(PrepareError::LengthMismatchOfThree { x, y, z });
        }
        _ => {}
    }
    let kept = precision.kept_of(spec);
    if precision.is_on_cpu_alone(spec) {
        return Err(PrepareError::NoExactKernel { operator, element });
    }
    Ok((len, kept.ok_or(PrepareError::Imprecise { operator, element, precision })?))
}

/// Whether a kernel that reads the inputs has a binding for the result, beside scratch memory: of three inputs not on every device.
pub(super) const fn binds_result(spec: &OperatorSpec, capabilities: &Capabilities) -> bool {
    spec.inputs < 3 || capabilities.max_storage_buffers > 4
}

impl PrepareError {
    /// The same of the operator that was asked for, where the kernels are another one's: a mean of some elements counts them.
    pub(super) fn of_operator(mut self, asked: OperatorType) -> Self {
        if let Self::Imprecise { operator, .. }
        | Self::StrategyUnfit { operator, .. }
        | Self::NoExactKernel { operator, .. }
        | Self::Unsupported { operator, .. } = &mut self
        {
            *operator = asked;
        }
        self
    }
}

/// Elements of all slices together.
pub(crate) fn total_len(slices: &[Extent]) -> u64 {
    slices.iter().fold(0, |sum, slice| sum.saturating_add(slice.len))
}

/// Refuses a strategy that would lose what the result promises, or that the device can't do.
pub(super) fn check_strategy(
    problem: &Problem,
    spec: &OperatorSpec,
    precision: Precision,
    is_exact: bool,
    capabilities: &Capabilities,
) -> Result<(), PrepareError> {
    let strategy = problem.strategy;
    let is_atomic = strategy.is_atomic();
    // Whether totals meet in this way on any device.
    let fits = match is_exact {
        true => matches!(strategy, Strategy::Auto | Strategy::WorkgroupAtomic),
        false => !is_atomic || (precision != Precision::Reproducible && spec.ends_by_atomics()),
    };
    if !fits {
        let fitting: &[Strategy] = match (is_exact, capabilities.coherent_memory) {
            (true, _) => &[Strategy::Auto, Strategy::WorkgroupAtomic],
            (false, true) => &[Strategy::Auto, Strategy::TwoPass, Strategy::SinglePass],
            (false, false) => &[Strategy::Auto, Strategy::TwoPass],
        };
        let fits_unordered = precision == Precision::Reproducible && spec.ends_by_atomics();
        return Err(PrepareError::StrategyUnfit {
            strategy,
            precision,
            what: "reduction",
            operator: spec.operator,
            element: problem.element,
            fitting,
            looser: fits_unordered.then_some(Precision::Unordered),
        });
    }
    if strategy == Strategy::SinglePass && !capabilities.coherent_memory {
        return Err(PrepareError::NoCoherentMemory);
    }
    Ok(())
}

/// Refuses what no device says of itself, and planning could not go on with.
pub(crate) fn check_capabilities(capabilities: &Capabilities) -> Result<(), PrepareError> {
    let alignment = capabilities.binding_alignment_bytes;
    // A binding begins at an element.
    if !alignment.is_power_of_two() || alignment < 4 {
        let capability = "binding_alignment_bytes";
        return Err(PrepareError::Capability { capability, found: alignment });
    }
    if capabilities.max_workgroups == 0 {
        return Err(PrepareError::Capability { capability: "max_workgroups", found: 0 });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{algebra::element::ElementType, reduce::plan::ReductionPlan, way::Variant};

    /// What an error says of elements on a device with coherent memory.
    fn refused(
        operator: OperatorType,
        element: ElementType,
        precision: Precision,
        strategy: Strategy,
    ) -> String {
        let slice =
            Extent { buffer_bytes: 160, offset_bytes: 0, len: 10, stride_bytes: None, bits: None };
        let problem = Problem {
            element,
            operator,
            program: None,
            slices: vec![slice],
            right_slices: Vec::new(),
            third_slices: Vec::new(),
            output_offset_bytes: 0,
            output_shares_input: false,
            variant: Variant::Auto,
            strategy,
            precision,
            is_counted: false,
        };
        let capabilities = Capabilities { coherent_memory: true, ..Capabilities::default() };
        let plan = ReductionPlan::new(&problem, &capabilities, None);
        plan.expect_err("it does not fit").to_string()
    }

    /// Each says what does not come, and what would.
    #[test]
    fn strategies_that_do_not_fit() {
        use Precision::{Exact, Reproducible, Unordered};
        let atomic = Strategy::WorkgroupAtomic;
        let passes = "use Strategy::Auto, Strategy::TwoPass or Strategy::SinglePass";
        for (operator, element, kept, asked) in [
            (OperatorType::Max, ElementType::F64, Exact, Reproducible),
            (OperatorType::ProductWide, ElementType::U64, Exact, Unordered),
            (OperatorType::ProductWide, ElementType::U8, Exact, Exact),
            (OperatorType::ArgMax, ElementType::U8, Exact, Reproducible),
            // It has no others, whatever is asked for.
            (OperatorType::Variance, ElementType::F32, Reproducible, Unordered),
            (OperatorType::Product, ElementType::F32, Reproducible, Unordered),
            (OperatorType::Sum, ElementType::F64, Reproducible, Reproducible),
            (OperatorType::Count, ElementType::U32, Exact, Reproducible),
        ] {
            let expected = format!(
                "there is no {kept} reduction by {operator} of {element} with the strategy workgroup-atomic: {passes}"
            );
            assert_eq!(refused(operator, element, asked, atomic), expected);
        }
        assert_eq!(
            refused(OperatorType::Sum, ElementType::F32, Reproducible, atomic),
            "there is no reproducible reduction by sum of f32 with the strategy workgroup-atomic: use Strategy::Auto, Strategy::TwoPass, \
             Strategy::SinglePass or Precision::Unordered if the bits may change from run to run"
        );
        assert_eq!(
            refused(OperatorType::Sum, ElementType::F32, Exact, Strategy::TwoPass),
            "there is no exact reduction by sum of f32 with the strategy two-pass: use Strategy::Auto or Strategy::WorkgroupAtomic"
        );
    }
}
