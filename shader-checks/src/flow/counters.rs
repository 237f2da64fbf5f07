//! What counts: a variable that a loop steps by numbers takes one number after another, and so does what
//! is computed from it and numbers. Where it was compared, and is below a value of the subgroups, it is
//! taken for a value that is known at run time only.

use super::{Follower, Frame, Root, root};
use crate::fact::{Fact, Number};
use naga::{BinaryOperator, Expression, Function, Handle, LocalVariable};

/// What takes one number after another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Counter {
    /// A variable of the function.
    Variable(Handle<LocalVariable>),
    /// A value.
    Value(Handle<Expression>),
}

/// What a value is bounded as, if it is: a variable that was loaded, or the value itself.
pub fn counter(function: &Function, value: Handle<Expression>) -> Counter {
    match function.expressions[value] {
        Expression::Load { pointer } => match function.expressions[pointer] {
            Expression::LocalVariable(local) => Counter::Variable(local),
            _ => Counter::Value(value),
        },
        _ => Counter::Value(value),
    }
}

impl<'m> Follower<'m> {
    /// Whether a loop steps a variable, which was a number, by a number.
    pub fn counts(
        &mut self,
        frame: &mut Frame<'m>,
        pointer: Handle<Expression>,
        value: Handle<Expression>,
    ) -> bool {
        let function = frame.function;
        let Root::Local(local) = root(function, pointer) else { return false };
        let Expression::Binary { left, right, .. } = function.expressions[value] else {
            return false;
        };
        let operands = [left, right];
        // Also where it is known to be below a value of the subgroups: the next one need not be.
        let is_variable = |operand: Handle<Expression>| match function.expressions[operand] {
            Expression::Load { pointer } => root(function, pointer) == Root::Local(local),
            _ => false,
        };
        frame.loops > 0
            && frame.locals[local.index()].is_constant()
            && operands.into_iter().any(is_variable)
            && operands.into_iter().all(|operand| {
                is_variable(operand) || self.value(frame, operand).whole().is_constant()
            })
    }

    /// The counter that a condition compares with a value of the subgroups, and which outcome says that
    /// it is below.
    pub fn below_subgroups(
        &mut self,
        frame: &mut Frame<'m>,
        condition: Handle<Expression>,
    ) -> Option<(Counter, bool)> {
        let Expression::Binary { op, left, right } = frame.function.expressions[condition] else {
            return None;
        };
        let facts = [left, right].map(|operand| self.value(frame, operand).whole());
        let [counted, of_subgroups] =
            [facts.map(|fact| fact.number == Number::Counted), facts.map(Fact::is_of_subgroups)];
        let (operand, holds) = match op {
            BinaryOperator::Less if counted[0] && of_subgroups[1] => (left, true),
            BinaryOperator::GreaterEqual if counted[0] && of_subgroups[1] => (left, false),
            BinaryOperator::Greater if counted[1] && of_subgroups[0] => (right, true),
            BinaryOperator::LessEqual if counted[1] && of_subgroups[0] => (right, false),
            _ => return None,
        };
        Some((counter(frame.function, operand), holds))
    }
}
