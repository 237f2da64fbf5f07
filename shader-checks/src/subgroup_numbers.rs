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
//! - a variable that a loop steps by constants, and what is computed from it and constants: the same,
//!   but the two may be compared by order;
//! - each of them: not as the mask, delta or index of a shuffle, or as a broadcast's lane, except what a
//!   loop steps where it was found to be less than a value of the subgroups (`mask < size`).
//!
//! Lanes are not counted off by constants: what a built-in says is the number of an invocation in its
//! workgroup or in the dispatch is not divided, shifted right, masked or taken modulo by a constant
//! other than 0 and 1. `subgroup_id * subgroup_size + subgroup_invocation_id` is such a number, and no
//! longer of the subgroups. In a module that has no subgroup built-ins and no subgroup operations lanes may
//! be counted off: there is nobody to take the parts for subgroups. An array of constant length in workgroup memory that is indexed by a value
//! of the subgroups has elements for as many subgroups as there can be.
//!
//! What `select` chooses is not of the subgroups because its condition is.
//!
//! Some mistakes are out of reach. That a number in memory is a lane's is not known when it is loaded,
//! nor that a total in memory is a subgroup's: a loop over eight totals passes. And a bound may be of
//! the subgroups, but the wrong one. Runs with emulated subgroups of every size (tests/gpu/emulated.rs)
//! are there to find these.

use crate::{
    fact::{Fact, Number},
    finding::Finding,
    flow::Activation,
    uses::blocks,
};
use naga::{
    AddressSpace, ArraySize, BinaryOperator, Binding, Block, Expression, Function, Handle,
    MathFunction, Module, Statement, SwitchValue, Type, TypeInner,
};

const MEETS: &str =
    "a constant meets a value of the subgroups, of which any number and size must do";
const COUNTS_OFF: &str =
    "a constant counts off lanes: ask the built-in values which subgroup a lane is in";
const TOO_SHORT: &str = "this array has no elements for all the subgroups that there can be";

/// In WGSL.
const MIN_SUBGROUP_SIZE: u32 = 4;

/// What is wrong in one function, as it is called.
pub fn check(module: &Module, source: &str, activation: &Activation<'_>) -> Vec<Finding> {
    let has_subgroups = has_subgroups(module);
    let expressions = activation.function.expressions.iter();
    let in_expressions = expressions.filter_map(|(handle, expression)| {
        let problem = problem(module, activation, expression)
            .filter(|&problem| problem != COUNTS_OFF || has_subgroups)?;
        Some((activation.function.expressions.get_span(handle), problem))
    });
    let in_statements = activation
        .steps
        .iter()
        .filter(|step| {
            let is_constant = |fact: Fact| fact.is_constant() && fact.number > Number::ZeroOrOne;
            step.shuffled_by.is_some_and(is_constant) || switches(activation, step.statement)
        })
        .map(|step| (step.span, MEETS));
    in_expressions
        .chain(in_statements)
        .map(|(span, problem)| Finding::within(source, activation, span, problem))
        .collect()
}

/// Whether a module asks for subgroups in any way.
fn has_subgroups(module: &Module) -> bool {
    let is_subgroups = |binding: &Option<Binding>| {
        matches!(*binding, Some(Binding::BuiltIn(builtin))
            if Fact::builtin(builtin).is_of_subgroups())
    };
    let functions = module.functions.iter().map(|(_, function)| function);
    let entry_points = module.entry_points.iter().map(|entry_point| &entry_point.function);
    entry_points.clone().flat_map(|function| &function.arguments).any(|argument| {
        match &module.types[argument.ty].inner {
            TypeInner::Struct { members, .. } => {
                members.iter().any(|member| is_subgroups(&member.binding))
            }
            _ => is_subgroups(&argument.binding),
        }
    }) || functions.chain(entry_points).any(|function| has_operations(&function.body))
}

/// Whether a block has subgroup operations.
fn has_operations(block: &Block) -> bool {
    block.iter().any(|statement| {
        matches!(
            statement,
            Statement::SubgroupBallot { .. }
                | Statement::SubgroupGather { .. }
                | Statement::SubgroupCollectiveOperation { .. }
        ) || blocks(statement).into_iter().any(has_operations)
    })
}

fn problem(
    module: &Module,
    activation: &Activation<'_>,
    expression: &Expression,
) -> Option<&'static str> {
    let fact = |operand: Handle<Expression>| activation.fact(operand);
    match *expression {
        Expression::Binary { op, left, right } => {
            let (left, right) = (fact(left)?, fact(right)?);
            if meet(op, left, right) {
                Some(MEETS)
            } else if counts_off(op, left, right) {
                Some(COUNTS_OFF)
            } else {
                None
            }
        }
        Expression::Math { fun, arg, arg1, arg2, arg3 } => {
            let bounds = matches!(fun, MathFunction::Min | MathFunction::Max | MathFunction::Clamp);
            let allowed = if bounds { Number::Named } else { Number::ZeroOrOne };
            let arguments = [Some(arg), arg1, arg2, arg3].into_iter().flatten();
            let facts: Vec<Fact> = arguments.filter_map(fact).collect();
            if facts.iter().any(|&value| facts.iter().any(|&other| meets(value, other, allowed))) {
                Some(MEETS)
            } else if fun == MathFunction::ExtractBits && facts[0].is_lane {
                Some(COUNTS_OFF)
            } else {
                None
            }
        }
        Expression::Access { base, index } => {
            let length = workgroup_array_length(module, activation.function, base)?;
            let too_short = length < most_subgroups(module) && fact(index)?.is_of_subgroups();
            too_short.then_some(TOO_SHORT)
        }
        _ => None,
    }
}

/// Whether an operator's operands are a value of the subgroups and a constant that it must not meet.
fn meet(op: BinaryOperator, left: Fact, right: Fact) -> bool {
    use BinaryOperator as Op;
    let divides = matches!(op, Op::Divide | Op::ShiftRight);
    let orders = matches!(op, Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual);
    let is_counted = |fact: Fact| fact.number == Number::Counted;
    if orders && (is_counted(left) || is_counted(right)) {
        return false;
    }
    let dividend = if divides { Number::Named } else { Number::ZeroOrOne };
    meets(right, left, dividend) || meets(left, right, Number::ZeroOrOne)
}

/// Whether `value` is of the subgroups, and `other` a constant beyond what is allowed.
fn meets(value: Fact, other: Fact, allowed: Number) -> bool {
    value.is_of_subgroups() && other.is_constant() && other.number > allowed
}

/// Whether an operator takes a lane apart by a constant.
fn counts_off(op: BinaryOperator, left: Fact, right: Fact) -> bool {
    let is_constant = |fact: Fact| matches!(fact.number, Number::Named | Number::Literal);
    match op {
        BinaryOperator::Divide | BinaryOperator::Modulo | BinaryOperator::ShiftRight => {
            left.is_lane && is_constant(right)
        }
        BinaryOperator::And => {
            left.is_lane && is_constant(right) || right.is_lane && is_constant(left)
        }
        _ => false,
    }
}

/// Whether a `switch` has cases for values of the subgroups.
fn switches(activation: &Activation<'_>, statement: &Statement) -> bool {
    let Statement::Switch { selector, ref cases } = *statement else { return false };
    activation.fact(selector).is_some_and(Fact::is_of_subgroups)
        && cases.iter().any(|case| {
            !matches!(
                case.value,
                SwitchValue::Default | SwitchValue::U32(0 | 1) | SwitchValue::I32(0 | 1)
            )
        })
}

/// How many subgroups the largest workgroup of a module can have.
fn most_subgroups(module: &Module) -> u32 {
    let sizes = module.entry_points.iter().map(|entry_point| entry_point.workgroup_size);
    sizes.map(|size| size.iter().product::<u32>().div_ceil(MIN_SUBGROUP_SIZE)).max().unwrap_or(0)
}

/// The length of an array in workgroup memory, if it is constant.
fn workgroup_array_length(
    module: &Module,
    function: &Function,
    pointer: Handle<Expression>,
) -> Option<u32> {
    match module.types[workgroup_type(module, function, pointer)?].inner {
        TypeInner::Array { size: ArraySize::Constant(length), .. } => Some(length.get()),
        _ => None,
    }
}

/// The type of what a pointer leads to, if that is in workgroup memory.
fn workgroup_type(
    module: &Module,
    function: &Function,
    pointer: Handle<Expression>,
) -> Option<Handle<Type>> {
    let (base, member) = match function.expressions[pointer] {
        Expression::GlobalVariable(variable) => {
            let variable = &module.global_variables[variable];
            return (variable.space == AddressSpace::WorkGroup).then_some(variable.ty);
        }
        Expression::Access { base, .. } => (base, None),
        Expression::AccessIndex { base, index } => (base, Some(index)),
        _ => return None,
    };
    match (&module.types[workgroup_type(module, function, base)?].inner, member) {
        (TypeInner::Struct { members, .. }, Some(member)) => Some(members[member as usize].ty),
        (TypeInner::Array { base, .. }, _) => Some(*base),
        _ => None,
    }
}
