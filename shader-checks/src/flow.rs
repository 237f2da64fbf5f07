//! Follows a module from its entry point, call by call, and tells of every value whether it may differ
//! between the lanes of a workgroup, and of every statement whether all lanes reach it together.
//!
//! naga has an analysis of its own, which treats calls, loops and local variables as if they were
//! uniform. This one is as strict as WGSL's, and stricter in two ways: a local variable is taken for
//! varying from the start if it ever is, and so is memory that a dispatch can write. It joins lanes
//! again where WGSL does: after an `if`, a loop, a `switch`, and a call.
//!
//! It also tells which values stand in the shader as numbers, and (flow/counters.rs) which come of numbers by
//! counting.

mod counters;

use crate::fact::{Fact, Number, Subgroup, Value};
use counters::{Counter, counter};
use naga::{
    AddressSpace, AtomicFunction, BinaryOperator, Binding, Block, BuiltIn, Expression, Function,
    FunctionArgument, GatherMode, GlobalVariable, Handle, Literal, LocalVariable, MathFunction,
    Module, Span, Statement, StorageAccess, SubgroupOperation, TypeInner, UnaryOperator,
};
use std::collections::{HashMap, HashSet};

/// A function, as it is called with certain values.
#[derive(Debug)]
pub struct Activation<'m> {
    /// The function.
    pub function: &'m Function,
    /// Its name.
    pub name: &'m str,
    /// Its statements, also nested ones, in the order of the text.
    pub steps: Vec<Step<'m>>,
    values: Vec<Option<Value>>,
    result: Value,
    calls: HashSet<Call>,
}

impl Activation<'_> {
    /// What is known of an expression; nothing if no lane evaluates it.
    pub fn fact(&self, expression: Handle<Expression>) -> Option<Fact> {
        self.values[expression.index()].as_ref().map(Value::whole)
    }
}

/// A statement.
#[derive(Clone, Copy, Debug)]
pub struct Step<'m> {
    /// The statement.
    pub statement: &'m Statement,
    /// Where it stands.
    pub span: Span,
    /// Some lanes of a workgroup may reach it without others.
    pub diverges: bool,
    /// What is known, here, of the lane that a broadcast takes, or of a shuffle's lane, delta or mask.
    pub shuffled_by: Option<Fact>,
}

/// Which function, or which entry point, with which arguments, and whether lanes may come alone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Call {
    callee: Callee,
    arguments: Vec<Value>,
    diverges: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Callee {
    EntryPoint(usize),
    Function(Handle<Function>),
}

/// Everything that the entry points of a module, which is valid, reach.
pub fn follow(module: &Module) -> Vec<Activation<'_>> {
    let mut globals = vec![Subgroup::Unrelated; module.global_variables.len()];
    loop {
        let mut follower = Follower { module, globals: globals.clone(), known: HashMap::new() };
        let calls: Vec<Call> = (0..module.entry_points.len())
            .map(|index| {
                let call = follower.entry_call(index);
                follower.result_of(&call);
                call
            })
            .collect();
        // What a variable holds matters also to those who loaded it before.
        if follower.globals == globals {
            return reachable(follower.known, calls);
        }
        globals = follower.globals;
    }
}

/// Leaves out calls that were followed with values that turned out to be others.
fn reachable<'m>(
    mut known: HashMap<Call, Activation<'m>>,
    mut calls: Vec<Call>,
) -> Vec<Activation<'m>> {
    let mut reached = Vec::new();
    while let Some(call) = calls.pop() {
        if let Some(activation) = known.remove(&call) {
            calls.extend(activation.calls.iter().cloned());
            reached.push(activation);
        }
    }
    reached
}

struct Follower<'m> {
    module: &'m Module,
    /// Whether something that comes of the subgroups' layout is stored in each global variable.
    globals: Vec<Subgroup>,
    known: HashMap<Call, Activation<'m>>,
}

/// A call while it is followed.
struct Frame<'m> {
    function: &'m Function,
    arguments: Vec<Value>,
    values: Vec<Option<Value>>,
    locals: Vec<Fact>,
    result: Option<Fact>,
    steps: Vec<Step<'m>>,
    calls: HashSet<Call>,
    /// How many loops are around.
    loops: usize,
    /// What is known to be below a value of the subgroups.
    bounded: HashSet<Counter>,
    /// Whether some lanes may have left: the function, the innermost loop or `switch`, this round.
    returned: bool,
    broke: bool,
    continued: bool,
}

impl Frame<'_> {
    /// All that grows, or shrinks, while a function or a loop is followed until nothing changes.
    fn progress(&self) -> (Vec<Fact>, Option<Fact>, [bool; 2], HashSet<Counter>) {
        (self.locals.clone(), self.result, [self.returned, self.broke], self.bounded.clone())
    }
}

impl<'m> Follower<'m> {
    fn entry_call(&self, index: usize) -> Call {
        let arguments = &self.module.entry_points[index].function.arguments;
        Call {
            callee: Callee::EntryPoint(index),
            arguments: arguments.iter().map(|argument| self.entry_argument(argument)).collect(),
            diverges: false,
        }
    }

    fn entry_argument(&self, argument: &FunctionArgument) -> Value {
        let fact = |binding: &Option<Binding>| match binding {
            Some(Binding::BuiltIn(builtin)) => Fact::builtin(*builtin),
            Some(Binding::Location { .. }) | None => Fact::VARYING,
        };
        match &self.module.types[argument.ty].inner {
            TypeInner::Struct { members, .. } => {
                Value::Members(members.iter().map(|member| fact(&member.binding)).collect())
            }
            _ => Value::Whole(fact(&argument.binding)),
        }
    }

    /// What a call returns, after following it if it is new.
    fn result_of(&mut self, call: &Call) -> Value {
        if let Some(activation) = self.known.get(call) {
            return activation.result.clone();
        }
        let module = self.module;
        let (function, name) = match call.callee {
            Callee::EntryPoint(index) => {
                let entry_point = &module.entry_points[index];
                (&entry_point.function, entry_point.name.as_str())
            }
            Callee::Function(handle) => {
                let function = &module.functions[handle];
                (function, function.name.as_deref().unwrap_or("a function without a name"))
            }
        };
        let mut frame = Frame {
            function,
            arguments: call.arguments.clone(),
            values: vec![None; function.expressions.len()],
            locals: vec![Fact::ZERO; function.local_variables.len()],
            result: None,
            steps: Vec::new(),
            calls: HashSet::new(),
            loops: 0,
            bounded: HashSet::new(),
            returned: false,
            broke: false,
            continued: false,
        };
        for (handle, local) in function.local_variables.iter() {
            if let Some(init) = local.init {
                frame.locals[handle.index()] = self.value(&mut frame, init).whole();
            }
        }
        // A local variable is one fact for the whole function: until it stays as it is.
        loop {
            let before = frame.progress();
            frame.steps.clear();
            frame.calls.clear();
            frame.returned = false;
            self.block(&mut frame, &function.body, call.diverges);
            if frame.progress() == before {
                break;
            }
        }
        // Literals, arguments and the like are not emitted.
        for (handle, expression) in function.expressions.iter() {
            if expression.needs_pre_emit() {
                self.value(&mut frame, handle);
            }
        }
        let result = Value::Whole(frame.result.unwrap_or(Fact::UNIFORM));
        let activation = Activation {
            function,
            name,
            steps: frame.steps,
            values: frame.values,
            result: result.clone(),
            calls: frame.calls,
        };
        self.known.insert(call.clone(), activation);
        result
    }

    fn block(&mut self, frame: &mut Frame<'m>, block: &'m Block, diverges: bool) {
        let bounded = frame.bounded.clone();
        for (statement, &span) in block.span_iter() {
            let diverges = diverges || frame.returned || frame.broke || frame.continued;
            let shuffled_by =
                shuffle_operand(statement).map(|operand| self.value(frame, operand).whole());
            frame.steps.push(Step { statement, span, diverges, shuffled_by });
            self.statement(frame, statement, diverges);
        }
        // What was learnt in the block ends with it.
        frame.bounded.retain(|counter| bounded.contains(counter));
    }

    fn statement(&mut self, frame: &mut Frame<'m>, statement: &'m Statement, diverges: bool) {
        match statement {
            Statement::Emit(range) => {
                for handle in range.clone() {
                    let value = self.evaluate(frame, handle);
                    frame.values[handle.index()] = Some(value);
                }
            }
            Statement::Block(block) => self.block(frame, block, diverges),
            Statement::If { condition, accept, reject } => {
                let diverges = diverges || self.value(frame, *condition).whole().varies;
                let before = [frame.broke, frame.continued, frame.returned];
                let bounded = frame.bounded.clone();
                let below = self.below_subgroups(frame, *condition);
                let below_if = |outcome| {
                    below.filter(|&(_, holds)| holds == outcome).map(|(counter, _)| counter)
                };
                frame.bounded.extend(below_if(true));
                self.block(frame, accept, diverges);
                let bounded_by_accept = std::mem::replace(&mut frame.bounded, bounded);
                frame.bounded.extend(below_if(false));
                // What leaves one branch does not matter in the other.
                let after = [frame.broke, frame.continued, frame.returned];
                [frame.broke, frame.continued, frame.returned] = before;
                self.block(frame, reject, diverges);
                // What follows comes from the branches that do not leave.
                if leaves(reject) {
                    frame.bounded = bounded_by_accept;
                } else if !leaves(accept) {
                    frame.bounded.retain(|counter| bounded_by_accept.contains(counter));
                }
                frame.broke |= after[0];
                frame.continued |= after[1];
                frame.returned |= after[2];
            }
            Statement::Switch { selector, cases } => {
                let diverges = diverges || self.value(frame, *selector).whole().varies;
                let broke = std::mem::take(&mut frame.broke);
                for case in cases {
                    self.block(frame, &case.body, diverges);
                }
                frame.broke = broke;
            }
            Statement::Loop { body, continuing, break_if } => {
                let outside = (frame.broke, frame.continued);
                (frame.broke, frame.continued) = (false, false);
                frame.loops += 1;
                let first_step = frame.steps.len();
                loop {
                    let before = frame.progress();
                    frame.steps.truncate(first_step);
                    self.block(frame, body, diverges);
                    frame.continued = false;
                    self.block(frame, continuing, diverges);
                    if let Some(condition) = *break_if {
                        frame.broke |= self.value(frame, condition).whole().varies;
                    }
                    if frame.progress() == before {
                        break;
                    }
                }
                frame.loops -= 1;
                (frame.broke, frame.continued) = outside;
            }
            Statement::Break => frame.broke |= diverges,
            Statement::Continue => frame.continued |= diverges,
            Statement::Kill => frame.returned |= diverges,
            Statement::Return { value } => {
                if let Some(value) = *value {
                    let fact = self.value(frame, value).whole().varying_if(diverges);
                    frame.result = Some(frame.result.map_or(fact, |result| result.join(fact)));
                }
                frame.returned |= diverges;
            }
            Statement::Store { pointer, value } => {
                let mut fact = self.value(frame, *value).whole();
                if self.counts(frame, *pointer, *value) {
                    fact.number = Number::Counted;
                }
                // Where it lands decides what the variable holds.
                let elsewhere = self.place_varies(frame, *pointer);
                self.store(frame, *pointer, fact.varying_if(diverges || elsewhere));
            }
            Statement::Atomic { pointer, fun, value, result } => {
                let mut fact = self.value(frame, *value).whole();
                if let AtomicFunction::Exchange { compare: Some(compare) } = *fun {
                    fact = fact.join(self.value(frame, compare).whole());
                }
                self.store(frame, *pointer, fact.varying_if(true));
                if let Some(result) = *result {
                    let old = self.value(frame, *pointer).whole();
                    self.set(frame, result, old.varying_if(true));
                }
            }
            Statement::WorkGroupUniformLoad { pointer, result } => {
                let fact = self.value(frame, *pointer).whole();
                self.set(frame, *result, Fact { varies: false, ..fact });
            }
            Statement::Call { function, arguments, result } => {
                let arguments =
                    arguments.iter().map(|&argument| self.value(frame, argument)).collect();
                let call = Call { callee: Callee::Function(*function), arguments, diverges };
                let value = self.result_of(&call);
                frame.calls.insert(call);
                if let Some(result) = *result {
                    frame.values[result.index()] = Some(value);
                }
            }
            Statement::SubgroupBallot { result, .. } => {
                let lanes = Fact { subgroup: Subgroup::Derived, ..Fact::VARYING };
                self.set(frame, *result, lanes);
            }
            Statement::SubgroupGather { argument, result, .. } => {
                let subgroup = self.value(frame, *argument).whole().subgroup.computed();
                self.set(frame, *result, Fact { subgroup, ..Fact::VARYING });
            }
            Statement::SubgroupCollectiveOperation { op, argument, result, .. } => {
                let fact = self.value(frame, *argument).whole();
                // The sum of ones is how many lanes there are.
                let counts = matches!(op, SubgroupOperation::Add | SubgroupOperation::Mul)
                    && fact.is_constant();
                let subgroup = if counts { Subgroup::Derived } else { fact.subgroup.computed() };
                self.set(frame, *result, Fact { subgroup, ..Fact::VARYING });
            }
            Statement::ControlBarrier(_) | Statement::MemoryBarrier(_) => {}
            Statement::ImageStore { .. }
            | Statement::ImageAtomic { .. }
            | Statement::RayQuery { .. }
            | Statement::RayPipelineFunction(_)
            | Statement::CooperativeStore { .. } => {
                panic!("reductions have no {statement:?}: teach shader-checks what it does")
            }
        }
    }

    fn set(&self, frame: &mut Frame<'m>, expression: Handle<Expression>, fact: Fact) {
        frame.values[expression.index()] = Some(Value::Whole(fact));
    }

    fn store(&mut self, frame: &mut Frame<'m>, pointer: Handle<Expression>, fact: Fact) {
        match root(frame.function, pointer) {
            Root::Local(local) => {
                frame.bounded.remove(&Counter::Variable(local));
                let local = &mut frame.locals[local.index()];
                *local = local.join(fact);
            }
            Root::Global(global) => {
                let global = &mut self.globals[global.index()];
                if fact.is_of_subgroups() {
                    *global = Subgroup::Derived;
                }
            }
            // `uniformity` refuses the function.
            Root::Argument => {}
        }
    }

    /// Whether a pointer leads to different places in different lanes.
    fn place_varies(&mut self, frame: &mut Frame<'m>, pointer: Handle<Expression>) -> bool {
        match frame.function.expressions[pointer] {
            Expression::Access { base, index } => {
                self.value(frame, index).whole().varies || self.place_varies(frame, base)
            }
            Expression::AccessIndex { base, .. } => self.place_varies(frame, base),
            _ => false,
        }
    }

    /// What is known of an expression; constants and the like are never emitted.
    fn value(&mut self, frame: &mut Frame<'m>, handle: Handle<Expression>) -> Value {
        let value = match &frame.values[handle.index()] {
            // A variable's fact may have changed since.
            Some(value) if !is_variable(&frame.function.expressions[handle]) => value.clone(),
            _ => {
                let value = self.evaluate(frame, handle);
                frame.values[handle.index()] = Some(value.clone());
                value
            }
        };
        if frame.bounded.contains(&counter(frame.function, handle)) {
            return Value::Whole(Fact { number: Number::Computed, ..value.whole() });
        }
        value
    }

    /// Of a pointer, what is known of the value behind it.
    fn evaluate(&mut self, frame: &mut Frame<'m>, handle: Handle<Expression>) -> Value {
        let module = self.module;
        let fact = match frame.function.expressions[handle] {
            Expression::Literal(literal) => Fact::number(number(literal)),
            Expression::Constant(constant) => {
                let named = constant_number(module, module.constants[constant].init);
                Fact::number(if named == Number::Literal { Number::Named } else { named })
            }
            Expression::Override(_) => Fact::UNIFORM,
            Expression::ZeroValue(_) => Fact::ZERO,
            Expression::Compose { ty, ref components } => {
                let facts: Vec<Fact> =
                    components.iter().map(|&part| self.value(frame, part).whole()).collect();
                return match module.types[ty].inner {
                    TypeInner::Struct { .. } => Value::Members(facts),
                    _ => Value::Whole(Value::Members(facts).whole()),
                };
            }
            Expression::Access { base, index } => {
                let varies = self.value(frame, index).whole().varies;
                self.value(frame, base).whole().varying_if(varies)
            }
            Expression::AccessIndex { base, index } => self.value(frame, base).member(index),
            Expression::Splat { value, .. } => self.value(frame, value).whole(),
            Expression::Swizzle { vector, .. } => self.value(frame, vector).whole(),
            Expression::FunctionArgument(index) => return frame.arguments[index as usize].clone(),
            Expression::GlobalVariable(handle) => {
                let subgroup = self.globals[handle.index()];
                Fact { subgroup, ..global(&module.global_variables[handle]) }
            }
            Expression::LocalVariable(local) => frame.locals[local.index()],
            Expression::Load { pointer } => return self.value(frame, pointer),
            Expression::As { expr, .. } => self.value(frame, expr).whole().converted(),
            Expression::Unary { op, expr } => {
                self.computed(frame, &[expr], op == UnaryOperator::LogicalNot)
            }
            Expression::Binary { op, left, right } => {
                let grows = matches!(
                    op,
                    BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::ShiftLeft
                );
                let fact = self.computed(frame, &[left, right], !grows);
                if self.is_lane_index(frame, op, left, right) {
                    Fact { is_lane: true, subgroup: Subgroup::Unrelated, ..fact }
                } else {
                    fact
                }
            }
            Expression::Select { condition, accept, reject } => {
                // A choice between two values is no value of the subgroups' layout.
                let varies = self.value(frame, condition).whole().varies;
                let [accept, reject] =
                    [accept, reject].map(|operand| self.value(frame, operand).whole());
                accept.join(reject).converted().varying_if(varies)
            }
            Expression::Relational { argument, .. } => self.computed(frame, &[argument], true),
            Expression::Math { fun, arg, arg1, arg2, arg3 } => {
                let arguments: Vec<_> =
                    [Some(arg), arg1, arg2, arg3].into_iter().flatten().collect();
                let chooses =
                    matches!(fun, MathFunction::Min | MathFunction::Max | MathFunction::Clamp);
                let fact = self.computed(frame, &arguments, chooses);
                // A subgroup size stays what it is within bounds.
                match self.value(frame, arg).whole().subgroup {
                    size @ Subgroup::Is(_) if fun == MathFunction::Clamp => {
                        Fact { subgroup: size, ..fact }
                    }
                    _ => fact,
                }
            }
            Expression::ArrayLength(_) => Fact::UNIFORM,
            Expression::CallResult(_)
            | Expression::AtomicResult { .. }
            | Expression::WorkGroupUniformLoadResult { .. }
            | Expression::SubgroupBallotResult
            | Expression::SubgroupOperationResult { .. } => {
                unreachable!("the statement comes first, and sets it")
            }
            ref other => panic!("reductions have no {other:?}: teach shader-checks what it is"),
        };
        Value::Whole(fact)
    }

    /// What is known of an operator's result; whether zeros and ones give no other number.
    fn computed(
        &mut self,
        frame: &mut Frame<'m>,
        operands: &[Handle<Expression>],
        stays_zero_or_one: bool,
    ) -> Fact {
        let facts = operands.iter().map(|&operand| self.value(frame, operand).whole());
        let fact = facts.reduce(Fact::join).expect("operators have operands");
        let number = match fact.number {
            Number::ZeroOrOne if stays_zero_or_one => Number::ZeroOrOne,
            Number::ZeroOrOne | Number::Named | Number::Literal => Number::Literal,
            Number::Counted | Number::Computed => fact.number,
        };
        Fact { is_lane: false, number, ..fact.converted() }
    }

    /// `subgroup_id * subgroup_size + subgroup_invocation_id` is a lane of the workgroup.
    fn is_lane_index(
        &mut self,
        frame: &mut Frame<'m>,
        op: BinaryOperator,
        left: Handle<Expression>,
        right: Handle<Expression>,
    ) -> bool {
        let Expression::Binary { op: BinaryOperator::Multiply, left: a, right: b } =
            frame.function.expressions[left]
        else {
            return false;
        };
        let found = [a, b, right].map(|operand| self.value(frame, operand).whole().subgroup);
        let [id, size, lane] =
            [BuiltIn::SubgroupId, BuiltIn::SubgroupSize, BuiltIn::SubgroupInvocationId]
                .map(Subgroup::Is);
        op == BinaryOperator::Add && (found == [id, size, lane] || found == [size, id, lane])
    }
}

/// The lane, delta or mask that a shuffle or a broadcast goes by.
fn shuffle_operand(statement: &Statement) -> Option<Handle<Expression>> {
    let Statement::SubgroupGather { mode, .. } = statement else { return None };
    match *mode {
        GatherMode::Broadcast(operand)
        | GatherMode::Shuffle(operand)
        | GatherMode::ShuffleDown(operand)
        | GatherMode::ShuffleUp(operand)
        | GatherMode::ShuffleXor(operand) => Some(operand),
        // A quad has four lanes, whatever the subgroup's size.
        GatherMode::BroadcastFirst | GatherMode::QuadBroadcast(_) | GatherMode::QuadSwap(_) => None,
    }
}

/// Whether nothing after a block is reached from it.
fn leaves(block: &Block) -> bool {
    matches!(
        block.last(),
        Some(Statement::Break | Statement::Continue | Statement::Return { .. } | Statement::Kill)
    )
}

/// Whether what is behind the pointer changes while a function is followed.
fn is_variable(expression: &Expression) -> bool {
    matches!(expression, Expression::LocalVariable(_) | Expression::GlobalVariable(_))
}

/// The variable that a pointer leads into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Root {
    /// A variable of the function.
    Local(Handle<LocalVariable>),
    /// A variable of the module.
    Global(Handle<GlobalVariable>),
    /// Whatever the caller says.
    Argument,
}

/// The variable that `pointer`, an expression of `function`, leads into.
pub fn root(function: &Function, pointer: Handle<Expression>) -> Root {
    match function.expressions[pointer] {
        Expression::Access { base, .. } | Expression::AccessIndex { base, .. } => {
            root(function, base)
        }
        Expression::LocalVariable(local) => Root::Local(local),
        Expression::GlobalVariable(global) => Root::Global(global),
        _ => Root::Argument,
    }
}

/// What a load from a variable of the module brings.
fn global(variable: &GlobalVariable) -> Fact {
    match variable.space {
        AddressSpace::Uniform | AddressSpace::Immediate => Fact::UNIFORM,
        AddressSpace::Storage { access } if !access.contains(StorageAccess::STORE) => Fact::UNIFORM,
        _ => Fact::VARYING,
    }
}

fn number(literal: Literal) -> Number {
    let value = match literal {
        Literal::U32(value) => Some(i128::from(value)),
        Literal::I32(value) => Some(i128::from(value)),
        Literal::U64(value) => Some(i128::from(value)),
        Literal::I64(value) | Literal::AbstractInt(value) => Some(i128::from(value)),
        Literal::U16(value) => Some(i128::from(value)),
        Literal::I16(value) => Some(i128::from(value)),
        Literal::Bool(value) => Some(i128::from(value)),
        Literal::F64(_) | Literal::F32(_) | Literal::F16(_) | Literal::AbstractFloat(_) => None,
    };
    match value {
        Some(0 | 1) => Number::ZeroOrOne,
        _ => Number::Literal,
    }
}

/// The number that a constant stands for.
fn constant_number(module: &Module, init: Handle<Expression>) -> Number {
    match &module.global_expressions[init] {
        Expression::Literal(literal) => number(*literal),
        Expression::ZeroValue(_) => Number::ZeroOrOne,
        Expression::Constant(constant) => constant_number(module, module.constants[*constant].init),
        Expression::Splat { value, .. } => constant_number(module, *value),
        Expression::Compose { components, .. } => components
            .iter()
            .map(|&component| constant_number(module, component))
            .max()
            .unwrap_or(Number::ZeroOrOne),
        _ => Number::Literal,
    }
}
