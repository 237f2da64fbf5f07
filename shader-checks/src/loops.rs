//! Every loop ends, after a number of rounds that has a bound which all lanes know before.
//!
//! A loop does so if, in every round and before anything else can leave it out,
//!
//! - it leaves when a comparison by `<`, `<=`, `>` or `>=` fails (or holds) between a variable and a
//!   bound, which is the same for all lanes and does not change in the loop;
//! - the variable changes once, at the end or without a `continue` that could skip it, towards the
//!   bound: by adding or subtracting a constant above 0 or the subgroup size; or, by a shift of a
//!   constant above 0 or of the subgroup size's logarithm, to the right while an unsigned variable is
//!   above the bound, or to the left from a constant above 0.
//!
//! Where the variable begins does not matter, and may differ between lanes, which then take different
//! numbers of rounds: [`uniformity`](crate::uniformity) sees to it that no round of such a loop waits for
//! other lanes.
//!
//! These are the shapes of `for` and `while`. Two things remain for the reader: that a shader which
//! clamps the subgroup size leaves it at least 2, and that the variable does not wrap around before it
//! reaches the bound.
//!
//! One other shape is let through and reported: a compare-exchange loop, which leaves when the exchange
//! succeeded, and compares with what it found in memory in the same or the last round. In each round of
//! it some lane of the device succeeds, but no bound is known of the rounds that one lane takes.

use crate::{
    finding::Finding,
    flow::{Activation, Root, root},
    uses::{blocks, operands},
};
use naga::{
    AtomicFunction, BinaryOperator, Block, Expression, Function, Handle, Literal, LocalVariable,
    MathFunction, Module, ScalarKind, Statement, TypeInner, UnaryOperator,
};
use std::collections::HashSet;

/// What the check says of the loops of one function, as it is called.
#[derive(Debug, Default)]
pub struct Loops {
    /// Loops that may not end.
    pub findings: Vec<Finding>,
    /// Loops that end when a compare-exchange succeeded.
    pub compare_exchange: Vec<Finding>,
}

/// Looks at every loop of a function.
pub fn check(module: &Module, source: &str, activation: &Activation<'_>) -> Loops {
    let mut loops = Loops::default();
    for step in &activation.steps {
        let Statement::Loop { body, continuing, break_if } = step.statement else { continue };
        let this = Loop::new(module, activation, body, continuing, *break_if);
        if this.is_bounded() {
            continue;
        }
        let at = |problem| Finding::new(source, activation.name, step.span, problem);
        if this.is_compare_exchange() {
            loops.compare_exchange.push(at("a compare-exchange loop"));
        } else {
            loops.findings.push(at("no uniform bound and step end this loop"));
        }
    }
    loops
}

/// A loop, and what happens in it.
struct Loop<'m> {
    module: &'m Module,
    activation: &'m Activation<'m>,
    body: &'m Block,
    continuing: &'m Block,
    break_if: Option<Handle<Expression>>,
    /// Expressions that each round evaluates anew.
    emitted: HashSet<Handle<Expression>>,
    /// The variables that are stored to, as often as they are.
    stored: Vec<Root>,
    /// Whether a round may skip the rest of the body.
    continues: bool,
}

impl<'m> Loop<'m> {
    fn new(
        module: &'m Module,
        activation: &'m Activation<'m>,
        body: &'m Block,
        continuing: &'m Block,
        break_if: Option<Handle<Expression>>,
    ) -> Self {
        let mut this = Self {
            module,
            activation,
            body,
            continuing,
            break_if,
            emitted: HashSet::new(),
            stored: Vec::new(),
            continues: false,
        };
        this.survey(body, true);
        this.survey(continuing, true);
        this
    }

    fn function(&self) -> &'m Function {
        self.activation.function
    }

    fn expression(&self, handle: Handle<Expression>) -> &'m Expression {
        &self.function().expressions[handle]
    }

    fn survey(&mut self, block: &Block, own: bool) {
        for statement in block {
            match statement {
                Statement::Emit(range) => self.emitted.extend(range.clone()),
                Statement::Store { pointer, .. } => {
                    self.stored.push(root(self.function(), *pointer));
                }
                Statement::Continue if own => self.continues = true,
                Statement::Call { result: Some(result), .. }
                | Statement::WorkGroupUniformLoad { result, .. }
                | Statement::Atomic { result: Some(result), .. } => {
                    self.emitted.insert(*result);
                }
                _ => {}
            }
            // A `continue` in an inner loop is that loop's.
            let own = own && !matches!(statement, Statement::Loop { .. });
            blocks(statement).into_iter().for_each(|block| self.survey(block, own));
        }
    }

    fn is_bounded(&self) -> bool {
        self.exits().any(|(condition, leaves_if)| {
            let Expression::Binary { op, left, right } = *self.expression(condition) else {
                return false;
            };
            let Some(stays_while) = (if leaves_if { negated(op) } else { Some(op) }) else {
                return false;
            };
            self.is_bound(stays_while, left, right)
                || mirrored(stays_while).is_some_and(|op| self.is_bound(op, right, left))
        })
    }

    /// The conditions that each round comes by, and whether the loop is left if they hold.
    fn exits(&self) -> impl Iterator<Item = (Handle<Expression>, bool)> {
        let mut exits = Vec::new();
        for statement in flat(self.body) {
            if let Statement::If { condition, accept, reject } = statement {
                if leaves(accept) {
                    exits.push((*condition, true));
                } else if leaves(reject) {
                    exits.push((*condition, false));
                }
            }
            // What follows may be left out.
            if continues(statement) {
                break;
            }
        }
        exits.extend(self.break_if.map(|condition| (condition, true)));
        exits.into_iter()
    }

    /// Whether the loop goes on only while `variable op bound`, and so ends.
    fn is_bound(
        &self,
        op: BinaryOperator,
        variable: Handle<Expression>,
        bound: Handle<Expression>,
    ) -> bool {
        // No unsigned number is below 0.
        let always = op == BinaryOperator::GreaterEqual
            && matches!(self.constant(bound), Some(Literal::U32(0) | Literal::U64(0)));
        !always
            && self.is_fixed(bound)
            && self.loaded_local(variable).is_some_and(|local| self.goes(local, op))
    }

    /// The variable of the function that an expression loads anew in each round.
    fn loaded_local(&self, expression: Handle<Expression>) -> Option<Handle<LocalVariable>> {
        let Expression::Load { pointer } = *self.expression(expression) else { return None };
        match *self.expression(pointer) {
            Expression::LocalVariable(local) if self.emitted.contains(&expression) => Some(local),
            _ => None,
        }
    }

    /// Whether each round moves a variable by the same step for all lanes, so that `variable op bound`
    /// fails in the end.
    fn goes(&self, local: Handle<LocalVariable>, op: BinaryOperator) -> bool {
        if self.stored.iter().filter(|&&root| root == Root::Local(local)).count() != 1 {
            return false;
        }
        let body = if self.continues { None } else { Some(self.body) };
        let stores = flat(self.continuing).chain(body.into_iter().flat_map(flat));
        stores.into_iter().any(|statement| match *statement {
            Statement::Store { pointer, value }
                if root(self.function(), pointer) == Root::Local(local) =>
            {
                self.is_step(local, op, value)
            }
            _ => false,
        })
    }

    fn is_step(
        &self,
        local: Handle<LocalVariable>,
        stays_while: BinaryOperator,
        value: Handle<Expression>,
    ) -> bool {
        use BinaryOperator as Op;
        let Expression::Binary { op, left, right } = *self.expression(value) else { return false };
        let step = if self.loaded_local(left) == Some(local) {
            right
        } else if op == Op::Add && self.loaded_local(right) == Some(local) {
            left
        } else {
            return false;
        };
        if !self.is_fixed(step) {
            return false;
        }
        match (op, stays_while) {
            (Op::Add, Op::Less | Op::LessEqual)
            | (Op::Subtract, Op::Greater | Op::GreaterEqual) => {
                self.is_above_zero(step) || self.is_subgroup_size(step)
            }
            (Op::ShiftLeft, Op::Less | Op::LessEqual) => {
                self.is_shift(step) && self.starts_above_zero(local)
            }
            // It ends at 0, or, of a negative number, at -1.
            (Op::ShiftRight, Op::Greater) => self.is_shift(step) && self.is_unsigned(local),
            _ => false,
        }
    }

    fn is_shift(&self, step: Handle<Expression>) -> bool {
        let is_logarithm = match *self.expression(step) {
            Expression::Math {
                fun: MathFunction::FirstLeadingBit | MathFunction::CountTrailingZeros,
                arg,
                ..
            } => self.is_subgroup_size(arg),
            _ => false,
        };
        is_logarithm || self.is_above_zero(step)
    }

    fn is_subgroup_size(&self, expression: Handle<Expression>) -> bool {
        self.activation.fact(expression).is_some_and(|fact| fact.is_subgroup_size)
    }

    /// Whether an expression is a constant above 0.
    fn is_above_zero(&self, expression: Handle<Expression>) -> bool {
        match self.constant(expression) {
            Some(Literal::U32(value)) => value > 0,
            Some(Literal::I32(value)) => value > 0,
            _ => false,
        }
    }

    fn is_unsigned(&self, local: Handle<LocalVariable>) -> bool {
        let ty = self.function().local_variables[local].ty;
        matches!(self.module.types[ty].inner,
            TypeInner::Scalar(scalar) if scalar.kind == ScalarKind::Uint)
    }

    /// Whether a variable has constants above 0 before the loop, and nothing else: no shift changes 0.
    fn starts_above_zero(&self, local: Handle<LocalVariable>) -> bool {
        let stored = self.activation.steps.iter().filter_map(|step| match *step.statement {
            Statement::Store { pointer, value }
                if root(self.function(), pointer) == Root::Local(local) =>
            {
                Some(value)
            }
            _ => None,
        });
        let starts: Vec<_> = stored
            .chain(self.function().local_variables[local].init)
            .filter(|value| !self.emitted.contains(value))
            .collect();
        !starts.is_empty() && starts.into_iter().all(|value| self.is_above_zero(value))
    }

    /// Whether an expression has the same value in all lanes and all rounds.
    fn is_fixed(&self, expression: Handle<Expression>) -> bool {
        self.activation.fact(expression).is_some_and(|fact| !fact.varies) && self.stays(expression)
    }

    /// Whether an expression has the same value in all rounds.
    fn stays(&self, expression: Handle<Expression>) -> bool {
        if !self.emitted.contains(&expression) {
            return match *self.expression(expression) {
                Expression::LocalVariable(local) => !self.stored.contains(&Root::Local(local)),
                _ => true,
            };
        }
        match *self.expression(expression) {
            Expression::Load { .. }
            | Expression::AccessIndex { .. }
            | Expression::Access { .. }
            | Expression::Unary { .. }
            | Expression::As { .. }
            | Expression::Binary { .. }
            | Expression::Select { .. }
            | Expression::Math { .. } => {
                operands(self.expression(expression)).into_iter().all(|operand| self.stays(operand))
            }
            _ => false,
        }
    }

    fn constant(&self, expression: Handle<Expression>) -> Option<Literal> {
        match *self.expression(expression) {
            Expression::Literal(literal) => Some(literal),
            Expression::Constant(constant) => {
                match self.module.global_expressions[self.module.constants[constant].init] {
                    Expression::Literal(literal) => Some(literal),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether the loop leaves when a compare-exchange with what it found has succeeded.
    fn is_compare_exchange(&self) -> bool {
        flat(self.body).into_iter().any(|statement| match *statement {
            Statement::Atomic {
                pointer,
                fun: AtomicFunction::Exchange { compare: Some(compare) },
                result: Some(result),
                ..
            } => {
                let memory = root(self.function(), pointer);
                self.is_found(compare, memory, result) && self.leaves_when_exchanged(result)
            }
            _ => false,
        })
    }

    /// Whether `compare` was loaded from `memory` in this round, or is what the last exchange found there.
    fn is_found(
        &self,
        compare: Handle<Expression>,
        memory: Root,
        result: Handle<Expression>,
    ) -> bool {
        if !self.emitted.contains(&compare) {
            return false;
        }
        let Expression::Load { pointer } = *self.expression(compare) else { return false };
        let from = root(self.function(), pointer);
        let is_found = |value: Handle<Expression>| {
            matches!(*self.expression(value),
                Expression::AccessIndex { base, index: OLD_VALUE } if base == result)
        };
        let mut rounds = flat(self.body).chain(flat(self.continuing));
        from == memory
            || self.stored.iter().filter(|&&root| root == from).count() == 1
                && rounds.any(|statement| {
                    matches!(*statement, Statement::Store { pointer, value }
                        if root(self.function(), pointer) == from && is_found(value))
                })
    }

    fn leaves_when_exchanged(&self, result: Handle<Expression>) -> bool {
        let exchanged = |condition: Handle<Expression>| {
            matches!(*self.expression(condition),
                Expression::AccessIndex { base, index: EXCHANGED } if base == result)
        };
        self.exits().any(|(condition, leaves_if)| match *self.expression(condition) {
            Expression::Unary { op: UnaryOperator::LogicalNot, expr } => {
                !leaves_if && exchanged(expr)
            }
            _ => leaves_if && exchanged(condition),
        })
    }
}

/// The members of what `atomicCompareExchangeWeak` returns.
const OLD_VALUE: u32 = 0;
const EXCHANGED: u32 = 1;

/// The statements that run one after another, also those in `{ }`.
fn flat(block: &Block) -> std::vec::IntoIter<&Statement> {
    let mut statements = Vec::new();
    for statement in block {
        match statement {
            Statement::Block(block) => statements.extend(flat(block)),
            other => statements.push(other),
        }
    }
    statements.into_iter()
}

/// Whether a block leaves the loop at its end, and no other way: nothing before the end may begin the
/// next round.
fn leaves(block: &Block) -> bool {
    for statement in flat(block) {
        if matches!(statement, Statement::Break | Statement::Return { .. }) {
            return true;
        }
        if continues(statement) {
            return false;
        }
    }
    false
}

/// Whether a statement may begin the loop's next round.
fn continues(statement: &Statement) -> bool {
    match statement {
        Statement::Continue => true,
        Statement::Loop { .. } => false,
        _ => blocks(statement).into_iter().flat_map(|block| block.iter()).any(continues),
    }
}

fn negated(op: BinaryOperator) -> Option<BinaryOperator> {
    match op {
        BinaryOperator::Less => Some(BinaryOperator::GreaterEqual),
        BinaryOperator::LessEqual => Some(BinaryOperator::Greater),
        BinaryOperator::Greater => Some(BinaryOperator::LessEqual),
        BinaryOperator::GreaterEqual => Some(BinaryOperator::Less),
        _ => None,
    }
}

fn mirrored(op: BinaryOperator) -> Option<BinaryOperator> {
    match op {
        BinaryOperator::Less => Some(BinaryOperator::Greater),
        BinaryOperator::LessEqual => Some(BinaryOperator::GreaterEqual),
        BinaryOperator::Greater => Some(BinaryOperator::Less),
        BinaryOperator::GreaterEqual => Some(BinaryOperator::LessEqual),
        _ => None,
    }
}
