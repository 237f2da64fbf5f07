//! No number in a shader stands for a subgroup size, or for how many subgroups there are.
//!
//! Values that come of `subgroup_size`, `subgroup_id`, `subgroup_invocation_id`, `num_subgroups`, a
//! ballot or a sum over ones are *of the subgroups*, and so is what is computed or loaded from them.
//! Constants other than 0 and 1 (which any subgroup has) must not meet them:
//!
//! - a number without a name: in no operator, no built-in function, and no `switch`. It has none also
//!   if it is computed from constants, or comes through a variable or an argument;
//! - a named constant: the same, but it may be divided or shifted right by one (`LANES / size`: what is
//!   divided among the subgroups), and may be a bound in `min`, `max` and `clamp`;
//! - either of them: not as the mask, delta or index of a shuffle, or as a broadcast's lane.
//!
//! `subgroup_id * subgroup_size + subgroup_invocation_id` is a lane of the workgroup and no longer of
//! the subgroups. What `select` chooses is not of the subgroups because its condition is.

use crate::{
    fact::{Fact, Number},
    finding::Finding,
    flow::Activation,
};
use naga::{BinaryOperator, Expression, GatherMode, Handle, MathFunction, Statement, SwitchValue};

/// What is wrong in one function, as it is called.
pub fn check(source: &str, activation: &Activation<'_>) -> Vec<Finding> {
    let expressions = activation.function.expressions.iter();
    let in_expressions = expressions
        .filter(|(_, expression)| refused(activation, expression))
        .map(|(handle, _)| activation.function.expressions.get_span(handle));
    let in_statements = activation
        .steps
        .iter()
        .filter(|step| refused_statement(activation, step.statement))
        .map(|step| step.span);
    in_expressions
        .chain(in_statements)
        .map(|span| {
            let problem = "a constant meets a value of the subgroups, of which any number and size \
                           must do";
            Finding::within(source, activation, span, problem)
        })
        .collect()
}

fn refused(activation: &Activation<'_>, expression: &Expression) -> bool {
    let fact = |operand: Handle<Expression>| activation.fact(operand);
    match *expression {
        Expression::Binary { op, left, right } => {
            let (Some(left), Some(right)) = (fact(left), fact(right)) else { return false };
            let divides = matches!(op, BinaryOperator::Divide | BinaryOperator::ShiftRight);
            let dividend = if divides { Number::Named } else { Number::ZeroOrOne };
            meets(right, left, dividend) || meets(left, right, Number::ZeroOrOne)
        }
        Expression::Math { fun, arg, arg1, arg2, arg3 } => {
            let bounds = matches!(fun, MathFunction::Min | MathFunction::Max | MathFunction::Clamp);
            let allowed = if bounds { Number::Named } else { Number::ZeroOrOne };
            let arguments = [Some(arg), arg1, arg2, arg3].into_iter().flatten();
            let facts: Vec<Fact> = arguments.filter_map(fact).collect();
            facts.iter().any(|&value| facts.iter().any(|&other| meets(value, other, allowed)))
        }
        _ => false,
    }
}

/// Whether `value` is of the subgroups, and `other` a constant beyond what is allowed.
fn meets(value: Fact, other: Fact, allowed: Number) -> bool {
    value.is_of_subgroups() && is_constant(other) && other.number > allowed
}

fn is_constant(fact: Fact) -> bool {
    fact.number < Number::Computed
}

fn refused_statement(activation: &Activation<'_>, statement: &Statement) -> bool {
    match *statement {
        Statement::SubgroupGather { ref mode, .. } => match *mode {
            GatherMode::Broadcast(lane)
            | GatherMode::Shuffle(lane)
            | GatherMode::ShuffleDown(lane)
            | GatherMode::ShuffleUp(lane)
            | GatherMode::ShuffleXor(lane) => activation
                .fact(lane)
                .is_some_and(|fact| is_constant(fact) && fact.number > Number::ZeroOrOne),
            // A quad has four lanes, whatever the subgroup's size.
            GatherMode::BroadcastFirst | GatherMode::QuadBroadcast(_) | GatherMode::QuadSwap(_) => {
                false
            }
        },
        Statement::Switch { selector, ref cases } => {
            activation.fact(selector).is_some_and(Fact::is_of_subgroups)
                && cases.iter().any(|case| {
                    !matches!(
                        case.value,
                        SwitchValue::Default | SwitchValue::U32(0 | 1) | SwitchValue::I32(0 | 1)
                    )
                })
        }
        _ => false,
    }
}
