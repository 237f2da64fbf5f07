//! What a problem is refused for before it is planned.

use crate::{
    algebra::{
        element::ElementType, operator::OperatorSpec, operator_type::OperatorType,
        precision::Precision,
    },
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
    let slices = || problem.slices.iter().chain(&problem.right_slices);
    for slice in slices() {
        slice.check(element.size_bytes())?;
    }
    check_capabilities(capabilities)?;
    let len = total_len(&problem.slices);
    if len > MAX_LEN {
        return Err(PrepareError::TooLong { len });
    }
    let right_len = total_len(&problem.right_slices);
    if spec.inputs == 2 && right_len != len {
        return Err(PrepareError::LengthMismatch { left: len, right: right_len });
    }
    let kept = match (operator, precision) {
        // What it rounds, if anything, is not known.
        (OperatorType::Custom, Precision::Exact) => None,
        (OperatorType::Custom, _) => Some(Precision::Reproducible),
        // Atomics alone change the order of f64s.
        (_, Precision::Unordered) if !problem.strategy.is_atomic() && exchanges_doubles(spec) => {
            Some(Precision::Reproducible)
        }
        _ => precision.kept_of(spec),
    };
    if precision.is_on_cpu_alone(spec) {
        return Err(PrepareError::NoExactKernel { operator, element });
    }
    Ok((len, kept.ok_or(PrepareError::Imprecise { operator, element, precision })?))
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
    if (is_exact && !matches!(strategy, Strategy::Auto | Strategy::WorkgroupAtomic))
        || (precision == Precision::Reproducible && is_atomic)
        || (!is_exact && is_atomic && spec.atomic().is_none())
    {
        return Err(PrepareError::StrategyUnfit { strategy, precision });
    }
    if is_atomic
        && !is_exact
        && exchanges_doubles(spec)
        && !(capabilities.double_atomics && capabilities.sound_doubles)
    {
        return Err(PrepareError::NoDoubleAtomics);
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

/// Whether totals that meet in memory are f64s, which the device has to add and to exchange.
fn exchanges_doubles(spec: &OperatorSpec) -> bool {
    spec.element == ElementType::F64 && spec.atomic().is_some_and(|atomic| atomic.exchanges)
}
