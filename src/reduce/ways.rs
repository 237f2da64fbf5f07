//! The ways in which the same can be reduced: what combines lanes, what adds floats, and what else there is where a kernel is avoided.

use crate::{
    algebra::{
        element::ElementType,
        operator::{Arithmetic, OperatorSpec},
        operator_type::OperatorType,
        precision::Precision,
    },
    device::capabilities::Capabilities,
    error::PrepareError,
    reduce::problem::Problem,
    way::{Mechanism, Strategy, Variant},
    wgsl::lanes::Lanes,
};

/// What combines an operator's floats, if a result shall promise `precision`.
pub(crate) fn arithmetic_of(
    spec: &OperatorSpec,
    precision: Precision,
    capabilities: &Capabilities,
) -> Arithmetic {
    match precision {
        _ if !spec.computes_floats => Arithmetic::Hardware,
        Precision::Unordered => Arithmetic::Unchecked,
        // Of moments there are f64s, also of f32s.
        _ if (spec.element == ElementType::F64 || spec.operator == OperatorType::Moments)
            && !capabilities.sound_doubles =>
        {
            Arithmetic::Software
        }
        _ if spec.element == ElementType::F64 || capabilities.sound_floats => Arithmetic::Hardware,
        _ => Arithmetic::Software,
    }
}

/// How the lanes of a workgroup combine.
pub(super) fn mechanism(
    problem: &Problem,
    spec: &OperatorSpec,
    is_exact: bool,
    capabilities: &Capabilities,
) -> Result<Mechanism, PrepareError> {
    let Problem { variant, strategy, .. } = *problem;
    let needs_subgroups = variant == Variant::Subgroup || strategy == Strategy::SubgroupAtomic;
    // A subgroup has to fit its workgroup.
    let lanes = Lanes::of(spec.acc_words(), spec.order_free).count;
    Ok(match (variant, capabilities.subgroups.filter(|sizes| sizes.max <= lanes)) {
        // No values combine: the order is free, and no subgroup is of use.
        _ if is_exact => Mechanism::WorkgroupMemory,
        (Variant::WorkgroupMemory, _) if needs_subgroups => {
            return Err(PrepareError::Contradiction { strategy, variant });
        }
        (_, None) if needs_subgroups => return Err(PrepareError::NoSubgroups),
        (Variant::WorkgroupMemory, _) | (Variant::Auto, None) => Mechanism::WorkgroupMemory,
        (Variant::Subgroup | Variant::Auto, _) => Mechanism::Subgroup,
    })
}

/// Other ways to reduce the same, to bits that keep the same promise, the faster ones first: other mechanisms and strategies where
/// the caller has forced none, an exchange in place of an atomic addition of floats.
pub(super) fn other_ways<'a>(
    problem: &'a Problem,
    capabilities: &'a Capabilities,
) -> impl Iterator<Item = (Problem, Capabilities)> + 'a {
    let variants: &[Variant] = match problem.variant {
        Variant::Auto => &[Variant::Auto, Variant::Subgroup, Variant::WorkgroupMemory],
        _ => std::slice::from_ref(&problem.variant),
    };
    let strategies: &[Strategy] = match problem.strategy {
        Strategy::Auto => &[Strategy::Auto, Strategy::TwoPass, Strategy::SinglePass],
        _ => std::slice::from_ref(&problem.strategy),
    };
    [capabilities.float_atomics, false].into_iter().flat_map(move |float_atomics| {
        variants.iter().flat_map(move |&variant| {
            strategies.iter().map(move |&strategy| {
                let problem = Problem { variant, strategy, ..problem.clone() };
                (problem, Capabilities { float_atomics, ..capabilities.clone() })
            })
        })
    })
}
