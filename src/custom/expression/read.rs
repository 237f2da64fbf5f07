//! From WGSL to a [`Graph`], by way of naga.

use super::{
    convert,
    graph::{Binary, Graph, NAMES, Operation, Type, Unary, Value},
    operands::{self, Operand},
};
use crate::{
    custom::source::{Place, Source, WIDE_NUMBERS},
    error::WgslError,
    wgsl::{foreign, text},
};
use naga::{
    BinaryOperator, Block, Expression, Function, Handle, Literal, LocalVariable, MathFunction,
    Module, ScalarKind, Statement, TypeInner, UnaryOperator,
};
use std::collections::HashMap;

/// Values of an expression at most.
const MAX_NODES: usize = 1000;
/// Signs of its text at most. naga reads a chain of operations by recursion, which takes up to a kilobyte of the stack for each.
const MAX_SIGNS: usize = 500;
/// The name of its value.
const RESULT: &str = "result_of_all";

/// What may be called. naga computes others of literals, such as `sin(1.0)`, as the machine has them that it runs on.
const CALLED: [&str; 16] = [
    "abs",
    "bool",
    "clamp",
    "countLeadingZeros",
    "countOneBits",
    "countTrailingZeros",
    "f32",
    "f64",
    "i32",
    "i64",
    "max",
    "min",
    "reverseBits",
    "select",
    "u32",
    "u64",
];

/// What an expression is over: `x`, `y` if there are two inputs, and `z` if there are three, the index `i`, and parameters.
#[derive(Clone, Copy)]
pub(super) struct Over<'a> {
    /// The type of numbers.
    pub(super) ty: Type,
    /// Of how many an element is, if it has several.
    pub(super) components: Option<u32>,
    pub(super) inputs: u32,
    pub(super) parameters: &'a [String],
}

/// Adds an expression to a graph.
pub(super) fn read(graph: &mut Graph, text: &str, over: Over<'_>) -> Result<Value, WgslError> {
    let Over { ty, components, inputs, parameters } = over;
    let name = ty.name();
    let element = components.map_or(name.to_owned(), |number| format!("vec{number}<{name}>"));
    let elements: String =
        NAMES.iter().take(inputs as usize).map(|it| format!("{it}: {element}, ")).collect();
    // The text begins with the second line, and nothing of the first can be part of it.
    let parameters: String = parameters.iter().map(|it| format!(", {it}: {name}")).collect();
    let head = format!("fn expression({elements}i: u32{parameters}) {{ let {RESULT} = (\n");
    let whole = format!("{head}{text}\n); }}");
    let source = Source { text, begin: head.len() };
    if text.bytes().filter(u8::is_ascii_punctuation).count() > MAX_SIGNS {
        return Err(WgslError::TooLong { most: MAX_SIGNS, what: "signs" });
    }
    if let Some(byte) = foreign::endless_comment(text) {
        let Place { line, column } = Place::of(text, byte);
        let message = "the comment does not end".to_owned();
        return Err(WgslError::Invalid { line, column, message });
    }
    if let Some(byte) = text::unopened(text) {
        let Place { line, column } = Place::of(text, byte);
        return Err(WgslError::Unsupported {
            line,
            column,
            what: "more than an expression".to_owned(),
        });
    }
    let names = over.parameters;
    let foreign =
        foreign::foreign(text).filter(|(_, found, _)| !names.iter().any(|it| it == found));
    if let Some((byte, found, instead)) = foreign {
        let Place { line, column } = Place::of(text, byte);
        return Err(WgslError::Foreign { line, column, found, instead });
    }
    for (byte, name) in text::calls(text) {
        if !CALLED.contains(&name) {
            let Place { line, column } = Place::of(text, byte);
            return Err(WgslError::Unsupported { line, column, what: name.to_owned() });
        }
    }
    let module = source.parse_or(&whole, |error| {
        operands::of_parsing(source, &whole, error)
            .or_else(|| operands::of_unknown_name(source, inputs, error))
    })?;
    let mut functions = module.functions.iter();
    let (Some((_, function)), None) = (functions.next(), functions.next()) else {
        return Err(source.unsupported(None, "more than an expression"));
    };
    let others = module.global_variables.len() + module.entry_points.len() + module.overrides.len();
    // The arguments have names, too.
    let is_argument = |handle: Handle<Expression>| {
        matches!(function.expressions[handle], Expression::FunctionArgument(_))
    };
    let mut names = function.named_expressions.iter();
    let mut results = names.clone().filter(|(_, name)| *name == RESULT);
    let (Some((&result, _)), None) = (results.next(), results.next()) else {
        return Err(source.unsupported(None, "more than an expression"));
    };
    if others > 0 || names.any(|(&handle, name)| name != RESULT && !is_argument(handle)) {
        return Err(source.unsupported(None, "more than an expression"));
    }
    let mut reader = Reader {
        source,
        module: &module,
        function,
        inputs,
        graph,
        values: HashMap::new(),
        locals: HashMap::new(),
        at: None,
    };
    reader.block(&function.body)?;
    reader.at = None;
    let value = reader.value(result)?;
    // What else is wrong, such as types, which naga finds only now.
    source.validate(&module, WIDE_NUMBERS)?;
    Ok(value)
}

/// The error about an expression whose value has another type, where it begins.
pub(super) fn wrong_type(text: &str, found: Type, wanted: Type) -> WgslError {
    let Place { line, column } = Place::of(text, text.len() - text.trim_start().len());
    WgslError::Value { line, column, found: found.name(), wanted: wanted.name() }
}

struct Reader<'a> {
    source: Source<'a>,
    module: &'a Module,
    function: &'a Function,
    inputs: u32,
    graph: &'a mut Graph,
    values: HashMap<Handle<Expression>, Value>,
    /// naga makes variables and branches of `&&` and `||`.
    locals: HashMap<Handle<LocalVariable>, Value>,
    /// What is read: `None` for the whole.
    at: Option<Handle<Expression>>,
}

impl<'a> Reader<'a> {
    fn block(&mut self, block: &Block) -> Result<(), WgslError> {
        for (statement, &span) in block.span_iter() {
            match *statement {
                Statement::Emit(ref range) => {
                    for handle in range.clone() {
                        self.emit(handle)?;
                    }
                }
                Statement::Block(ref block) => self.block(block)?,
                Statement::Store { pointer, value } => {
                    let Expression::LocalVariable(local) = self.function.expressions[pointer]
                    else {
                        return Err(self.source.unsupported(Some(span), "a store"));
                    };
                    let written = value;
                    let value = self.value(value)?;
                    operands::check_behind(self.source, span, self.operand(written, value))?;
                    self.locals.insert(local, value);
                }
                Statement::If { condition, ref accept, ref reject } => {
                    let condition = self.value(condition)?;
                    let before = self.locals.clone();
                    self.block(accept)?;
                    let accepted = std::mem::replace(&mut self.locals, before);
                    self.block(reject)?;
                    for (local, accept) in accepted {
                        // What one of them does not set is not read.
                        let reject = *self.locals.entry(local).or_insert(accept);
                        let ty = self.graph.ty(accept);
                        let either = Operation::Select { condition, accept, reject };
                        let value =
                            if accept == reject { accept } else { self.graph.add(either, ty) };
                        self.locals.insert(local, value);
                    }
                }
                Statement::Return { value: None } => {}
                _ => return Err(self.source.unsupported(Some(span), "more than an expression")),
            }
        }
        Ok(())
    }

    fn emit(&mut self, handle: Handle<Expression>) -> Result<(), WgslError> {
        // Of pointers only what they lead to is a value.
        if !matches!(self.function.expressions[handle], Expression::LocalVariable(_)) {
            self.values.remove(&handle);
            self.at = Some(handle);
            self.value(handle)?;
        }
        Ok(())
    }

    fn value(&mut self, handle: Handle<Expression>) -> Result<Value, WgslError> {
        if let Some(&value) = self.values.get(&handle) {
            return Ok(value);
        }
        let value = self.make(handle)?;
        if self.graph.nodes().len() > MAX_NODES {
            return Err(WgslError::TooLong { most: MAX_NODES, what: "operations" });
        }
        self.values.insert(handle, value);
        Ok(value)
    }

    fn make(&mut self, handle: Handle<Expression>) -> Result<Value, WgslError> {
        let no = |reader: &Self| reader.unsupported(handle);
        let span = self.function.expressions.get_span(handle);
        match self.function.expressions[handle] {
            Expression::Literal(literal) => self.literal(literal).ok_or_else(|| no(self)),
            Expression::Constant(constant) => {
                let init = self.module.constants[constant].init;
                match self.module.global_expressions[init] {
                    Expression::Literal(literal) => self.literal(literal).ok_or_else(|| no(self)),
                    _ => Err(no(self)),
                }
            }
            Expression::ZeroValue(ty) => match self.module.types[ty].inner {
                TypeInner::Scalar(scalar) => {
                    let ty = type_of(scalar.kind, scalar.width).ok_or_else(|| no(self))?;
                    Ok(self.graph.add(Operation::Literal(0), ty))
                }
                _ => Err(no(self)),
            },
            Expression::FunctionArgument(index) => {
                let argument = &self.function.arguments[index as usize];
                let TypeInner::Scalar(scalar) = self.module.types[argument.ty].inner else {
                    return Err(self.vector(self.at, argument.name.as_deref()));
                };
                let ty = type_of(scalar.kind, scalar.width).ok_or_else(|| no(self))?;
                let operation = match index.checked_sub(self.inputs) {
                    None => element_of(index, None),
                    Some(0) => Operation::Index,
                    Some(after) => {
                        Operation::Argument((after as usize - 1) * if ty.is_wide() { 2 } else { 1 })
                    }
                };
                Ok(self.graph.add(operation, ty))
            }
            Expression::AccessIndex { base, index: component } => {
                let Expression::FunctionArgument(index) = self.function.expressions[base] else {
                    return Err(no(self));
                };
                let argument = &self.function.arguments[index as usize];
                let TypeInner::Vector { scalar, .. } = self.module.types[argument.ty].inner else {
                    return Err(no(self));
                };
                let ty = type_of(scalar.kind, scalar.width).ok_or_else(|| no(self))?;
                let component = Some(component as usize);
                Ok(self.graph.add(element_of(index, component), ty))
            }
            // A number beside a vector is one, too.
            Expression::Swizzle { .. } | Expression::Splat { .. } => {
                let written = self.source.written(self.function.expressions.get_span(handle));
                Err(self.vector(Some(handle), written))
            }
            Expression::Load { pointer } => match self.function.expressions[pointer] {
                Expression::LocalVariable(local) => {
                    self.locals.get(&local).copied().ok_or_else(|| no(self))
                }
                _ => Err(no(self)),
            },
            Expression::Unary { op, expr } => {
                let value = self.value(expr)?;
                operands::check_unary(self.source, op, span, self.operand(expr, value))?;
                let ty = self.graph.ty(value);
                let unary = match op {
                    UnaryOperator::Negate => Unary::Negate,
                    UnaryOperator::LogicalNot | UnaryOperator::BitwiseNot => Unary::Not,
                };
                Ok(self.graph.add(Operation::Unary(unary, value), ty))
            }
            Expression::Binary { op, left, right } => {
                let written = [left, right];
                let (left, right) = (self.value(left)?, self.value(right)?);
                let both = [self.operand(written[0], left), self.operand(written[1], right)];
                let is_chain = match self.function.expressions[written[0]] {
                    Expression::Binary { op, .. } => operands::is_order(op),
                    _ => false,
                };
                operands::check_binary(self.source, op, span, both, is_chain)?;
                self.binary(op, left, right).ok_or_else(|| no(self))
            }
            Expression::Select { condition, accept, reject } => {
                let by = condition;
                let from = [reject, accept];
                let condition = self.value(condition)?;
                let (accept, reject) = (self.value(accept)?, self.value(reject)?);
                let from = [self.operand(from[0], reject), self.operand(from[1], accept)];
                operands::check_select(self.source, span, from, self.operand(by, condition))?;
                let ty = self.graph.ty(accept);
                Ok(self.graph.add(Operation::Select { condition, accept, reject }, ty))
            }
            Expression::Math { fun, arg, arg1, arg2, arg3: None } => {
                let arg = self.value(arg)?;
                let arg1 = arg1.map(|arg| self.value(arg)).transpose()?;
                let arg2 = arg2.map(|arg| self.value(arg)).transpose()?;
                self.math(fun, arg, arg1, arg2).ok_or_else(|| no(self))
            }
            Expression::As { expr, kind, convert } => {
                let value = self.value(expr)?;
                let from = self.graph.ty(value);
                let bytes = convert.unwrap_or(if from.is_wide() { 8 } else { 4 });
                let ty = type_of(kind, bytes).ok_or_else(|| no(self))?;
                Ok(match convert {
                    _ if ty == from => value,
                    Some(_) => convert::convert(self.graph, value, ty),
                    None => self.graph.add(Operation::Unary(Unary::Bitcast, value), ty),
                })
            }
            _ => Err(no(self)),
        }
    }

    /// Where a value is written, and what it is.
    fn operand(&self, written: Handle<Expression>, value: Value) -> Operand<'a> {
        let (function, ty) = (self.function, self.graph.ty(value));
        match function.expressions[written] {
            Expression::FunctionArgument(index) => {
                let name = function.arguments[index as usize].name.as_deref();
                Operand::named(name.unwrap_or("this"), ty)
            }
            _ => Operand::written(self.source, function.expressions.get_span(written), ty),
        }
    }

    fn literal(&mut self, literal: Literal) -> Option<Value> {
        let (bits, ty) = match literal {
            Literal::F32(value) => (value.to_bits().into(), Type::F32),
            Literal::I32(value) => (value.cast_unsigned().into(), Type::I32),
            Literal::U32(value) => (value.into(), Type::U32),
            Literal::F64(value) => (value.to_bits(), Type::F64),
            Literal::I64(value) => (value.cast_unsigned(), Type::I64),
            Literal::U64(value) => (value, Type::U64),
            Literal::Bool(value) => (value.into(), Type::Bool),
            // What stays without a type stands beside what has another, as in `x == 1 || 2`. naga refuses that later, in its own words:
            // the operator that takes both tells of these types.
            Literal::AbstractInt(_) => (0, Type::I32),
            Literal::AbstractFloat(_) => (0, Type::F32),
            _ => return None,
        };
        Some(self.graph.add(Operation::Literal(bits), ty))
    }

    fn binary(&mut self, op: BinaryOperator, left: Value, right: Value) -> Option<Value> {
        let ty = self.graph.ty(left);
        if let (BinaryOperator::Divide, Some(inverse)) = (op, self.inverse(right)) {
            return Some(self.graph.add(Operation::Binary(Binary::Multiply, left, inverse), ty));
        }
        let mut add = |op, left, right, ty| self.graph.add(Operation::Binary(op, left, right), ty);
        let is_float = ty.is_float();
        Some(match op {
            BinaryOperator::Add => add(Binary::Add, left, right, ty),
            BinaryOperator::Subtract => add(Binary::Subtract, left, right, ty),
            BinaryOperator::Multiply => add(Binary::Multiply, left, right, ty),
            BinaryOperator::Divide => add(Binary::Divide, left, right, ty),
            BinaryOperator::Modulo if !is_float => add(Binary::Remainder, left, right, ty),
            // A device makes it of a quotient that it rounds as it likes.
            BinaryOperator::Modulo => return None,
            BinaryOperator::And | BinaryOperator::LogicalAnd => add(Binary::And, left, right, ty),
            BinaryOperator::InclusiveOr | BinaryOperator::LogicalOr => {
                add(Binary::Or, left, right, ty)
            }
            BinaryOperator::ExclusiveOr => add(Binary::Xor, left, right, ty),
            BinaryOperator::ShiftLeft => add(Binary::ShiftLeft, left, right, ty),
            BinaryOperator::ShiftRight => add(Binary::ShiftRight, left, right, ty),
            BinaryOperator::Equal => add(Binary::Equal, left, right, Type::Bool),
            BinaryOperator::NotEqual => {
                let equal = add(Binary::Equal, left, right, Type::Bool);
                self.graph.add(Operation::Unary(Unary::Not, equal), Type::Bool)
            }
            BinaryOperator::Less => add(Binary::Less, left, right, Type::Bool),
            BinaryOperator::LessEqual => add(Binary::LessEqual, left, right, Type::Bool),
            BinaryOperator::Greater => add(Binary::Less, right, left, Type::Bool),
            BinaryOperator::GreaterEqual => add(Binary::LessEqual, right, left, Type::Bool),
        })
    }

    /// What a float is divided by, as what it is multiplied by to the same bits: there is such where both are powers of two.
    fn inverse(&mut self, divisor: Value) -> Option<Value> {
        let ty = self.graph.ty(divisor);
        let Operation::Literal(bits) = self.graph.nodes()[divisor].operation else { return None };
        let inverse = match ty {
            Type::F32 => {
                #[expect(clippy::cast_possible_truncation, reason = "a word")]
                let divisor = f32::from_bits(bits as u32);
                let inverse = 1.0 / divisor;
                let is_power = divisor.to_bits() & 0x007f_ffff == 0;
                let is_right = is_power && divisor.is_normal() && inverse.is_normal();
                is_right.then(|| inverse.to_bits().into())
            }
            Type::F64 => {
                let divisor = f64::from_bits(bits);
                let inverse = 1.0 / divisor;
                let is_power = bits & 0x000f_ffff_ffff_ffff == 0;
                let is_right = is_power && divisor.is_normal() && inverse.is_normal();
                is_right.then(|| inverse.to_bits())
            }
            _ => None,
        };
        inverse.map(|bits| self.graph.add(Operation::Literal(bits), ty))
    }

    fn math(
        &mut self,
        function: MathFunction,
        a: Value,
        b: Option<Value>,
        c: Option<Value>,
    ) -> Option<Value> {
        let ty = self.graph.ty(a);
        let mut unary = |op| Some(self.graph.add(Operation::Unary(op, a), ty));
        match (function, b, c) {
            (MathFunction::Abs, ..) => unary(Unary::Abs),
            (MathFunction::CountOneBits, ..) => unary(Unary::CountOneBits),
            (MathFunction::CountLeadingZeros, ..) => unary(Unary::CountLeadingZeros),
            (MathFunction::CountTrailingZeros, ..) => unary(Unary::CountTrailingZeros),
            (MathFunction::ReverseBits, ..) => unary(Unary::ReverseBits),
            (MathFunction::Min, Some(b), _) => {
                Some(self.graph.add(Operation::Binary(Binary::Min, a, b), ty))
            }
            (MathFunction::Max, Some(b), _) => {
                Some(self.graph.add(Operation::Binary(Binary::Max, a, b), ty))
            }
            (MathFunction::Clamp, Some(low), Some(high)) => {
                let raised = self.graph.add(Operation::Binary(Binary::Max, a, low), ty);
                Some(self.graph.add(Operation::Binary(Binary::Min, raised, high), ty))
            }
            _ => None,
        }
    }

    /// The error about a vector that is computed with, or is the whole.
    fn vector(&self, at: Option<Handle<Expression>>, what: Option<&str>) -> WgslError {
        let span = at.map(|at| self.function.expressions.get_span(at));
        self.source.vector(span, what.unwrap_or("this"))
    }

    /// By its own words.
    fn unsupported(&self, handle: Handle<Expression>) -> WgslError {
        let span = self.function.expressions.get_span(handle);
        self.source.unsupported(Some(span), self.source.written(span).unwrap_or("this"))
    }
}

/// The element of an input, or a component of it.
fn element_of(input: u32, component: Option<usize>) -> Operation {
    match input {
        0 => Operation::X(component),
        1 => Operation::Y(component),
        _ => Operation::Z(component),
    }
}

fn type_of(kind: ScalarKind, width: u8) -> Option<Type> {
    match (kind, width) {
        (ScalarKind::Float, 4) => Some(Type::F32),
        (ScalarKind::Sint, 4) => Some(Type::I32),
        (ScalarKind::Uint, 4) => Some(Type::U32),
        (ScalarKind::Float, 8) => Some(Type::F64),
        (ScalarKind::Sint, 8) => Some(Type::I64),
        (ScalarKind::Uint, 8) => Some(Type::U64),
        (ScalarKind::Bool, _) => Some(Type::Bool),
        _ => None,
    }
}
