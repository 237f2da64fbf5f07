//! No struct and no array is copied whole from a variable that is written while the copy may be in use: DXC, Microsoft's compiler of
//! HLSL, may take such a copy for another name of its source.
//!
//! The project's own shaders are followed through all their ways (shader-checks); here it goes by where things stand in the text, so that
//! it is short, and refuses a little more.

use naga::{
    Block, Expression, Function, Handle, LocalVariable, Module, Span, Statement, TypeInner,
    valid::FunctionInfo,
};
use std::collections::{HashMap, HashSet};

/// Where a copy is made that is used too late.
pub(super) fn check(module: &Module, function: &Function, info: &FunctionInfo) -> Option<Span> {
    let mut walk = Walk::new(module, function, info);
    walk.block(&function.body);
    walk.copies.iter().find(|copy| walk.is_late(copy)).map(|copy| copy.span)
}

/// A load of a struct or an array.
struct Copy {
    value: Handle<Expression>,
    source: Handle<LocalVariable>,
    at: usize,
    loops: Vec<usize>,
    /// Of what it is written in: naga does not tell where a variable is read.
    span: Span,
}

/// A store to a variable, or to a part of it.
struct Store {
    to: Handle<LocalVariable>,
    at: usize,
    loops: Vec<usize>,
}

struct Walk<'m> {
    module: &'m Module,
    function: &'m Function,
    info: &'m FunctionInfo,
    /// The number of the statement.
    at: usize,
    /// The loops around it.
    loops: Vec<usize>,
    copies: Vec<Copy>,
    stores: Vec<Store>,
    /// The copies that a value is made of.
    made_of: HashMap<Handle<Expression>, HashSet<Handle<Expression>>>,
    /// The last statement that uses a copy.
    last_use: HashMap<Handle<Expression>, usize>,
    /// Copies that are in some variable, too.
    kept: HashSet<Handle<Expression>>,
}

impl<'m> Walk<'m> {
    fn new(module: &'m Module, function: &'m Function, info: &'m FunctionInfo) -> Self {
        Self {
            module,
            function,
            info,
            at: 0,
            loops: Vec::new(),
            copies: Vec::new(),
            stores: Vec::new(),
            made_of: HashMap::new(),
            last_use: HashMap::new(),
            kept: HashSet::new(),
        }
    }

    /// Whether the source may be written before the last use.
    fn is_late(&self, copy: &Copy) -> bool {
        let last_use = self.last_use.get(&copy.value).copied().unwrap_or(copy.at);
        let is_kept = self.kept.contains(&copy.value);
        self.stores.iter().filter(|store| store.to == copy.source).any(|store| {
            let is_between = copy.at < store.at && (is_kept || store.at < last_use);
            let is_in_next_round = copy.loops.iter().any(|it| store.loops.contains(it)) && is_kept;
            is_between || is_in_next_round
        })
    }

    fn block(&mut self, block: &Block) {
        for (statement, &span) in block.span_iter() {
            self.at += 1;
            let unplaced = self.copies.iter_mut().filter(|copy| !copy.span.is_defined());
            unplaced.for_each(|copy| copy.span = span);
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Emit(range) => range.clone().for_each(|value| self.emit(value)),
            Statement::Block(block) => self.block(block),
            Statement::If { condition, accept, reject } => {
                self.used(*condition);
                self.block(accept);
                self.block(reject);
            }
            Statement::Switch { selector, cases } => {
                self.used(*selector);
                cases.iter().for_each(|case| self.block(&case.body));
            }
            Statement::Loop { body, continuing, break_if } => {
                self.loops.push(self.at);
                self.block(body);
                self.block(continuing);
                if let Some(condition) = *break_if {
                    self.at += 1;
                    self.used(condition);
                }
                self.loops.pop();
            }
            Statement::Return { value: Some(value) } => self.used(*value),
            Statement::Store { pointer, value } => {
                self.used(*pointer);
                self.used(*value);
                let Some(to) = variable(self.function, *pointer) else { return };
                self.stores.push(Store { to, at: self.at, loops: self.loops.clone() });
                if self.is_whole(*value) {
                    let copies = self.made_of.get(value).cloned().unwrap_or_default();
                    // A variable is no other name of itself.
                    let elsewhere = copies.into_iter().filter(|&copy| {
                        self.copies.iter().any(|it| it.value == copy && it.source != to)
                    });
                    self.kept.extend(elsewhere);
                }
            }
            Statement::Call { arguments, result, .. } => {
                let mut copies = HashSet::new();
                for &argument in arguments {
                    self.used(argument);
                    copies.extend(self.made_of.get(&argument).into_iter().flatten());
                }
                // It may return what it was given.
                if let Some(result) = *result {
                    self.made_of.insert(result, copies);
                }
            }
            _ => {}
        }
    }

    fn emit(&mut self, value: Handle<Expression>) {
        let expression = &self.function.expressions[value];
        let mut copies: HashSet<_> = operands(expression)
            .iter()
            .flat_map(|operand| self.made_of.get(operand).into_iter().flatten().copied())
            .collect();
        if let Expression::Load { pointer } = *expression
            && let Some(source) = variable(self.function, pointer)
        {
            // What is in the variable may itself be a copy, which `kept` stands for.
            copies.clear();
            if self.is_whole(value) {
                let loops = self.loops.clone();
                let span = self.function.expressions.get_span(value);
                self.copies.push(Copy { value, source, at: self.at, loops, span });
                copies.insert(value);
            }
        }
        self.made_of.insert(value, copies);
    }

    fn used(&mut self, value: Handle<Expression>) {
        for &copy in self.made_of.get(&value).into_iter().flatten() {
            self.last_use.insert(copy, self.at);
        }
    }

    /// Whether it is a struct or an array.
    fn is_whole(&self, value: Handle<Expression>) -> bool {
        let ty = self.info[value].ty.inner_with(&self.module.types);
        matches!(ty, TypeInner::Struct { .. } | TypeInner::Array { .. })
    }
}

/// The variable of the function that a pointer leads into.
fn variable(function: &Function, pointer: Handle<Expression>) -> Option<Handle<LocalVariable>> {
    match function.expressions[pointer] {
        Expression::LocalVariable(variable) => Some(variable),
        Expression::Access { base, .. } | Expression::AccessIndex { base, .. } => {
            variable(function, base)
        }
        _ => None,
    }
}

/// The values that an expression is made of.
fn operands(expression: &Expression) -> Vec<Handle<Expression>> {
    match *expression {
        Expression::Compose { ref components, .. } => components.clone(),
        Expression::Access { base, index } => vec![base, index],
        Expression::AccessIndex { base, .. } => vec![base],
        Expression::Splat { value, .. } => vec![value],
        Expression::Swizzle { vector, .. } => vec![vector],
        Expression::Load { pointer } => vec![pointer],
        Expression::Unary { expr, .. }
        | Expression::As { expr, .. }
        | Expression::Relational { argument: expr, .. } => vec![expr],
        Expression::Binary { left, right, .. } => vec![left, right],
        Expression::Select { condition, accept, reject } => vec![condition, accept, reject],
        Expression::Math { arg, arg1, arg2, arg3, .. } => {
            [Some(arg), arg1, arg2, arg3].into_iter().flatten().collect()
        }
        // Nothing else is made of values that a function may have.
        _ => Vec::new(),
    }
}
