//! What a float operation rounds goes through a fence, at once.
//!
//! WGSL lets compilers reorder, contract and simplify float operations, and real ones do. They can't see
//! through a *fence*: `bitcast<u32>(x) + params.zero`, where `zero` is 0, but is loaded from a uniform. (Of f64s:
//! `bitcast<u64>(x) ^ u64(params.zero)`.)
//! So, in kernels that promise bits:
//!
//! - Floats are added, subtracted and multiplied, and nothing else. Division, `fma`, `sqrt`, conversions
//!   from integers and matrices round as the device likes. Comparisons, `-x`, `abs`, `min` and the like
//!   are exact, but WGSL lets a device flush subnormals, ignore a zero's sign, and take it that there are
//!   no NaNs: integers do them, on the bits.
//! - The result of such an operation goes nowhere but through a fence. Either it is bitcast to integers
//!   right where it was computed, and all that uses these adds `zero` to them, or combines them with it by an exclusive or. Or
//!   it is the argument of a function that does so with it, and nothing else.
//! - So all other floats, operands among them, are constants, or bitcast from integers, or chosen from or
//!   made of such; also if they come as a parameter or from a call, which has them of the same kinds.
//! - No float is in memory, in a variable, or given to other lanes: all of these may flush it. Its bits
//!   can be.
//!
//! Bits without a fence are refused even if only integers meet them: if code bitcasts them back, however
//! far away, the compiler sees that operation together with the first.
//!
//! Atomics on floats are exempt: strategies that add with them do not promise bits.
//!
//! [`spirv`] and [`text`] check the second of these of what naga makes of a module.

pub mod spirv;
pub mod text;

use crate::{
    finding::Finding,
    uses::{Use, Uses, blocks, functions, operands, types},
};
use naga::{
    AddressSpace, BinaryOperator, Block, Expression, Function, Handle, Module, ScalarKind, Span,
    Statement, Type, TypeInner, front::Typifier,
};
use std::collections::HashSet;

/// The member of the uniform that is 0, and no compiler knows it.
const ZERO: &str = "zero";

const UNFENCED: &str = "a float operation's result goes somewhere else than through a fence, so that \
                        compilers may reorder, contract or drop the operation: hand it to `fence` at \
                        once, and keep the bits";
const OTHER: &str = "devices differ in what this does with floats: do it in integers, on the bits";
const IN_MEMORY: &str =
    "a float in memory, in a variable, or on its way to other lanes may be flushed: keep its bits";

/// What is wrong in a module.
pub fn check(module: &Module, source: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for function in floats(module) {
        for (span, problem) in function.problems() {
            findings.push(Finding::new(source, function.name, span, problem));
        }
    }
    findings
}

/// How many float additions, subtractions and multiplications a module has, all of which need a fence.
pub fn operations(module: &Module) -> usize {
    let count = |function: Floats<'_>| {
        function.ir.expressions.iter().filter(|&(handle, _)| function.is_rounded(handle)).count()
    };
    floats(module).into_iter().map(count).sum()
}

/// A parameter that its function only fences.
type Parameter = (Handle<Function>, usize);

/// A function, and what is needed to judge its floats.
struct Floats<'m> {
    module: &'m Module,
    name: &'m str,
    ir: &'m Function,
    types: Typifier,
    uses: Uses,
    /// Of the functions that it may call.
    fencing: HashSet<Parameter>,
}

fn floats(module: &Module) -> Vec<Floats<'_>> {
    let mut fencing = HashSet::new();
    let mut all = Vec::new();
    for (handle, name, ir) in functions(module) {
        let (types, uses) = (types(module, ir), Uses::of(ir));
        let function = Floats { module, name, ir, types, uses, fencing: fencing.clone() };
        if let Some(handle) = handle {
            fencing.extend(function.fencing_parameters().map(|index| (handle, index)));
        }
        all.push(function);
    }
    all
}

impl Floats<'_> {
    fn problems(&self) -> Vec<(Span, &'static str)> {
        let mut problems = Vec::new();
        for (handle, _) in self.ir.expressions.iter() {
            if let Some(problem) = self.problem(handle) {
                problems.push((self.ir.expressions.get_span(handle), problem));
            }
        }
        self.stores(&self.ir.body, &mut problems);
        problems
    }

    fn problem(&self, handle: Handle<Expression>) -> Option<&'static str> {
        let expression = &self.ir.expressions[handle];
        if self.is_rounded(handle) {
            return (!self.is_fenced(handle)).then_some(UNFENCED);
        }
        let is_float = self.is_float(handle);
        match *expression {
            Expression::Load { pointer } => {
                (is_float && !self.is_atomic(pointer)).then_some(IN_MEMORY)
            }
            Expression::WorkGroupUniformLoadResult { .. }
            | Expression::SubgroupOperationResult { .. } => is_float.then_some(IN_MEMORY),
            Expression::As { convert: Some(_), .. }
            | Expression::Unary { .. }
            | Expression::Binary { .. }
            | Expression::Math { .. }
            | Expression::Relational { .. } => {
                let computes = is_float || operands(expression).iter().any(|&of| self.is_float(of));
                computes.then_some(OTHER)
            }
            // Floats that come from elsewhere or are put together, and bitcasts.
            _ => None,
        }
    }

    fn stores(&self, block: &Block, problems: &mut Vec<(Span, &'static str)>) {
        for (statement, &span) in block.span_iter() {
            if let Statement::Store { pointer, value } = *statement
                && self.is_float(value)
                && !self.is_atomic(pointer)
            {
                problems.push((span, IN_MEMORY));
            }
            for inner in blocks(statement) {
                self.stores(inner, problems);
            }
        }
    }

    /// Whether it is the result of an addition, subtraction or multiplication of floats.
    fn is_rounded(&self, handle: Handle<Expression>) -> bool {
        let Expression::Binary { op, left, right } = self.ir.expressions[handle] else {
            return false;
        };
        let rounds_once =
            matches!(op, BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Multiply);
        let is_matrix = |operand| matches!(self.inner(operand), TypeInner::Matrix { .. });
        rounds_once && self.is_float(handle) && !is_matrix(left) && !is_matrix(right)
    }

    /// Whether nothing is done with a float but fence it.
    fn is_fenced(&self, value: Handle<Expression>) -> bool {
        self.uses.get(value).iter().all(|user| match *user {
            Use::Expression(bits) => self.is_bitcast(bits) && self.are_fenced(bits),
            Use::Argument(function, index) => self.fencing.contains(&(function, index)),
            Use::Statement => false,
        })
    }

    /// Whether nothing is done with bits but add `zero` to them, or combine them with it by an exclusive or.
    fn are_fenced(&self, bits: Handle<Expression>) -> bool {
        self.uses.get(bits).iter().all(|user| {
            let Use::Expression(user) = *user else { return false };
            match self.ir.expressions[user] {
                Expression::Binary {
                    op: BinaryOperator::Add | BinaryOperator::ExclusiveOr,
                    left,
                    right,
                } => self.is_zero(left) || self.is_zero(right),
                _ => false,
            }
        })
    }

    fn is_bitcast(&self, handle: Handle<Expression>) -> bool {
        matches!(
            self.ir.expressions[handle],
            Expression::As { kind: ScalarKind::Uint, convert: None, .. }
        )
    }

    /// Whether it is `zero`, fresh from the uniform, or a vector of it, or a wider integer.
    fn is_zero(&self, handle: Handle<Expression>) -> bool {
        let expressions = &self.ir.expressions;
        let pointer = match expressions[handle] {
            Expression::Splat { value, .. } => return self.is_zero(value),
            // Of integers twice as wide it is the low half.
            Expression::As { expr, kind: ScalarKind::Uint, convert: Some(8) } => {
                return self.is_zero(expr);
            }
            Expression::Load { pointer } => pointer,
            _ => return false,
        };
        let Expression::AccessIndex { base, index } = expressions[pointer] else { return false };
        let Expression::GlobalVariable(variable) = expressions[base] else { return false };
        let variable = &self.module.global_variables[variable];
        let TypeInner::Struct { members, .. } = &self.module.types[variable.ty].inner else {
            return false;
        };
        variable.space == AddressSpace::Uniform
            && members[index as usize].name.as_deref() == Some(ZERO)
    }

    /// The parameters that it only fences.
    fn fencing_parameters(&self) -> impl Iterator<Item = usize> {
        self.ir.expressions.iter().filter_map(|(handle, expression)| match *expression {
            Expression::FunctionArgument(index) if self.is_fenced(handle) => Some(index as usize),
            _ => None,
        })
    }

    fn inner(&self, handle: Handle<Expression>) -> &TypeInner {
        self.types[handle].inner_with(&self.module.types)
    }

    fn is_float(&self, handle: Handle<Expression>) -> bool {
        has_floats(self.module, self.inner(handle))
    }

    fn is_atomic(&self, pointer: Handle<Expression>) -> bool {
        self.inner(pointer).is_atomic_pointer(&self.module.types)
    }
}

/// Whether there are floats in values of a type.
fn has_floats(module: &Module, inner: &TypeInner) -> bool {
    let of = |ty: Handle<Type>| has_floats(module, &module.types[ty].inner);
    match *inner {
        TypeInner::Scalar(scalar)
        | TypeInner::Vector { scalar, .. }
        | TypeInner::Matrix { scalar, .. } => scalar.kind == ScalarKind::Float,
        TypeInner::Array { base, .. } => of(base),
        TypeInner::Struct { ref members, .. } => members.iter().any(|member| of(member.ty)),
        _ => false,
    }
}
