//! Follows a module from its entry point, call by call, and tells of every value whether it may differ
//! between the lanes of a workgroup, and of every statement whether all lanes reach it together.
//!
//! naga has an analysis of its own, which treats calls, loops and local variables as if they were
//! uniform. This one is as strict as WGSL's, and stricter in two ways: a local variable is taken for
//! varying from the start if it ever is, and so is memory that a dispatch can write. It joins lanes
//! again where WGSL does: after an `if`, a loop, a `switch`, and a call.
//!
//! [`uses`](crate::uses) refuses the expressions and statements that reductions do not have.

use crate::uses::{blocks, operands};
use naga::{
    AddressSpace, Binding, Block, BuiltIn, Expression, Function, FunctionArgument, GlobalVariable,
    Handle, LocalVariable, MathFunction, Module, Span, Statement, StorageAccess, TypeInner,
};
use std::collections::{HashMap, HashSet};

/// What is known of a value without running the shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fact {
    /// It may differ between the invocations of a workgroup.
    pub varies: bool,
    /// It is the subgroup size, or that within bounds.
    pub is_subgroup_size: bool,
}

impl Fact {
    const UNIFORM: Self = Self { varies: false, is_subgroup_size: false };
    const VARYING: Self = Self { varies: true, is_subgroup_size: false };

    fn builtin(builtin: BuiltIn) -> Self {
        let is_subgroup_size = builtin == BuiltIn::SubgroupSize;
        let is_uniform = matches!(
            builtin,
            BuiltIn::WorkGroupId
                | BuiltIn::WorkGroupSize
                | BuiltIn::NumWorkGroups
                | BuiltIn::NumSubgroups
                | BuiltIn::SubgroupSize
        );
        Self { varies: !is_uniform, is_subgroup_size }
    }

    /// What holds of a value that may be either, or is made of both.
    fn join(self, other: Self) -> Self {
        Self {
            varies: self.varies | other.varies,
            is_subgroup_size: self.is_subgroup_size & other.is_subgroup_size,
        }
    }

    /// The same value, where some lanes may have another.
    fn varying_if(self, varies: bool) -> Self {
        Self { varies: self.varies | varies, ..self }
    }
}

/// What is known of a value; of a struct that is an argument, member by member.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Value {
    Whole(Fact),
    Members(Vec<Fact>),
}

impl Value {
    /// What holds of all of it.
    fn whole(&self) -> Fact {
        match self {
            Self::Whole(fact) => *fact,
            Self::Members(facts) => {
                facts.iter().copied().reduce(Fact::join).unwrap_or(Fact::UNIFORM)
            }
        }
    }

    /// Of member or component `index`.
    fn member(&self, index: u32) -> Fact {
        match self {
            Self::Whole(fact) => *fact,
            Self::Members(facts) => facts[index as usize],
        }
    }
}

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
}

/// Which function with which arguments, and whether lanes may come alone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Call {
    function: Handle<Function>,
    arguments: Vec<Value>,
    diverges: bool,
}

/// Everything that the entry points of a module, which is valid, reach.
pub fn follow(module: &Module) -> Vec<Activation<'_>> {
    follow_taking(module, &HashSet::new())
}

/// The same, if these functions' results are taken for varying, whatever they are made of.
pub fn follow_taking<'m>(
    module: &'m Module,
    varying: &HashSet<Handle<Function>>,
) -> Vec<Activation<'m>> {
    let mut follower = Follower { module, varying, results: HashMap::new(), done: Vec::new() };
    for entry_point in &module.entry_points {
        let arguments = entry_point.function.arguments.iter();
        let arguments = arguments.map(|argument| entry_argument(module, argument)).collect();
        follower.function(&entry_point.function, &entry_point.name, arguments, false);
    }
    follower.done
}

fn entry_argument(module: &Module, argument: &FunctionArgument) -> Value {
    let fact = |binding: &Option<Binding>| match binding {
        Some(Binding::BuiltIn(builtin)) => Fact::builtin(*builtin),
        Some(Binding::Location { .. }) | None => Fact::VARYING,
    };
    match &module.types[argument.ty].inner {
        TypeInner::Struct { members, .. } => {
            Value::Members(members.iter().map(|member| fact(&member.binding)).collect())
        }
        _ => Value::Whole(fact(&argument.binding)),
    }
}

struct Follower<'m, 'v> {
    module: &'m Module,
    /// Whose results are taken for varying.
    varying: &'v HashSet<Handle<Function>>,
    /// What calls return that were followed. Some were made with less than is known of their arguments in the end: what
    /// is wrong in them is wrong in the others, too.
    results: HashMap<Call, Value>,
    done: Vec<Activation<'m>>,
}

/// A call while it is followed.
struct Frame<'m> {
    function: &'m Function,
    arguments: Vec<Value>,
    values: Vec<Option<Value>>,
    locals: Vec<Fact>,
    result: Option<Fact>,
    /// Nothing returns but its last statement, so all lanes that came return there, however few.
    returns_at_end: bool,
    steps: Vec<Step<'m>>,
    /// Whether some lanes may have left: the function, the innermost loop or `switch`, this round.
    returned: bool,
    broke: bool,
    continued: bool,
}

/// Whether a function's last statement is its only one that returns.
fn returns_at_end(body: &Block) -> bool {
    let is_return = |statement: &Statement| matches!(statement, Statement::Return { .. });
    fn returns(statement: &Statement) -> bool {
        matches!(statement, Statement::Return { .. })
            || blocks(statement).into_iter().any(|block| block.iter().any(returns))
    }
    body.last().is_some_and(is_return) && body.iter().filter(|one| returns(one)).count() == 1
}

impl Frame<'_> {
    /// All that grows while a function or a loop is followed until nothing changes.
    fn progress(&self) -> (Vec<Fact>, Option<Fact>, [bool; 2]) {
        (self.locals.clone(), self.result, [self.returned, self.broke])
    }
}

impl<'m> Follower<'m, '_> {
    /// What a call returns, after following it if it is new.
    fn call(&mut self, call: Call) -> Value {
        if let Some(result) = self.results.get(&call) {
            return result.clone();
        }
        let function = &self.module.functions[call.function];
        let name = function.name.as_deref().unwrap_or("a function without a name");
        let mut result = self.function(function, name, call.arguments.clone(), call.diverges);
        if self.varying.contains(&call.function) {
            result = Value::Whole(Fact::VARYING);
        }
        self.results.insert(call, result.clone());
        result
    }

    /// Follows a function, and returns what it returns.
    fn function(
        &mut self,
        function: &'m Function,
        name: &'m str,
        arguments: Vec<Value>,
        diverges: bool,
    ) -> Value {
        let mut frame = Frame {
            function,
            arguments,
            values: vec![None; function.expressions.len()],
            // Before anything is stored: constants.
            locals: vec![Fact::UNIFORM; function.local_variables.len()],
            result: None,
            returns_at_end: returns_at_end(&function.body),
            steps: Vec::new(),
            returned: false,
            broke: false,
            continued: false,
        };
        // A local variable is one fact for the whole function: until it stays as it is.
        loop {
            let before = frame.progress();
            frame.steps.clear();
            frame.returned = false;
            self.block(&mut frame, &function.body, diverges);
            if frame.progress() == before {
                break;
            }
        }
        // Literals, arguments and the like are not emitted.
        for (handle, expression) in function.expressions.iter() {
            if expression.needs_pre_emit() {
                frame.values[handle.index()] = Some(self.value(&frame, handle));
            }
        }
        let Frame { values, steps, result, .. } = frame;
        self.done.push(Activation { function, name, steps, values });
        Value::Whole(result.unwrap_or(Fact::UNIFORM))
    }

    fn block(&mut self, frame: &mut Frame<'m>, block: &'m Block, diverges: bool) {
        for (statement, &span) in block.span_iter() {
            let diverges = diverges || frame.returned || frame.broke || frame.continued;
            frame.steps.push(Step { statement, span, diverges });
            self.statement(frame, statement, diverges);
        }
    }

    fn statement(&mut self, frame: &mut Frame<'m>, statement: &'m Statement, diverges: bool) {
        match statement {
            Statement::Emit(range) => {
                for handle in range.clone() {
                    frame.values[handle.index()] = Some(self.evaluate(frame, handle));
                }
            }
            Statement::Block(block) => self.block(frame, block, diverges),
            Statement::If { condition, accept, reject } => {
                let diverges = diverges || self.value(frame, *condition).whole().varies;
                let before = [frame.broke, frame.continued, frame.returned];
                self.block(frame, accept, diverges);
                // What leaves one branch does not matter in the other.
                let after = [frame.broke, frame.continued, frame.returned];
                [frame.broke, frame.continued, frame.returned] = before;
                self.block(frame, reject, diverges);
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
                (frame.broke, frame.continued) = outside;
            }
            Statement::Break => frame.broke |= diverges,
            Statement::Continue => frame.continued |= diverges,
            Statement::Kill => frame.returned |= diverges,
            Statement::Return { value } => {
                if let Some(value) = *value {
                    let varies = diverges && !frame.returns_at_end;
                    let fact = self.value(frame, value).whole().varying_if(varies);
                    frame.result = Some(frame.result.map_or(fact, |result| result.join(fact)));
                }
                frame.returned |= diverges;
            }
            Statement::Store { pointer, value } => {
                // What else is stored to is varying anyway, or an argument, which `uniformity` refuses.
                if let Root::Local(local) = root(frame.function, *pointer) {
                    // Where it lands decides what the variable holds.
                    let elsewhere = self.place_varies(frame, *pointer);
                    let fact = self.value(frame, *value).whole().varying_if(diverges || elsewhere);
                    frame.locals[local.index()] = frame.locals[local.index()].join(fact);
                }
            }
            Statement::WorkGroupUniformLoad { result, .. } => {
                frame.values[result.index()] = Some(Value::Whole(Fact::UNIFORM));
            }
            Statement::Call { function, arguments, result } => {
                let arguments =
                    arguments.iter().map(|&argument| self.value(frame, argument)).collect();
                let value = self.call(Call { function: *function, arguments, diverges });
                if let Some(result) = *result {
                    frame.values[result.index()] = Some(value);
                }
            }
            Statement::Atomic { result: Some(result), .. }
            | Statement::SubgroupBallot { result, .. }
            | Statement::SubgroupGather { result, .. }
            | Statement::SubgroupCollectiveOperation { result, .. } => {
                frame.values[result.index()] = Some(Value::Whole(Fact::VARYING));
            }
            _ => {}
        }
    }

    /// Whether a pointer leads to different places in different lanes.
    fn place_varies(&self, frame: &Frame<'m>, pointer: Handle<Expression>) -> bool {
        match frame.function.expressions[pointer] {
            Expression::Access { base, index } => {
                self.value(frame, index).whole().varies || self.place_varies(frame, base)
            }
            Expression::AccessIndex { base, .. } => self.place_varies(frame, base),
            _ => false,
        }
    }

    /// What is known of an expression; constants and the like are never emitted, and a variable's fact changes.
    fn value(&self, frame: &Frame<'m>, handle: Handle<Expression>) -> Value {
        match &frame.values[handle.index()] {
            Some(value) if !frame.function.expressions[handle].needs_pre_emit() => value.clone(),
            _ => self.evaluate(frame, handle),
        }
    }

    /// Of a pointer, what is known of the value behind it.
    fn evaluate(&self, frame: &Frame<'m>, handle: Handle<Expression>) -> Value {
        let expression = &frame.function.expressions[handle];
        let whole = |operand: Handle<Expression>| self.value(frame, operand).whole();
        Value::Whole(match *expression {
            Expression::FunctionArgument(index) => return frame.arguments[index as usize].clone(),
            Expression::Load { pointer } => return self.value(frame, pointer),
            Expression::Compose { ty, ref components }
                if matches!(self.module.types[ty].inner, TypeInner::Struct { .. }) =>
            {
                return Value::Members(components.iter().map(|&part| whole(part)).collect());
            }
            Expression::AccessIndex { base, index } => self.value(frame, base).member(index),
            Expression::LocalVariable(local) => frame.locals[local.index()],
            Expression::GlobalVariable(variable) => global(&self.module.global_variables[variable]),
            Expression::ArrayLength(_) => Fact::UNIFORM,
            Expression::CallResult(_)
            | Expression::AtomicResult { .. }
            | Expression::WorkGroupUniformLoadResult { .. }
            | Expression::SubgroupBallotResult
            | Expression::SubgroupOperationResult { .. } => {
                unreachable!("the statement comes first, and sets it")
            }
            Expression::Math { fun: MathFunction::Clamp, arg, arg1, arg2, .. } => {
                let mut bounds = [arg1, arg2].into_iter().flatten();
                whole(arg).varying_if(bounds.any(|bound| whole(bound).varies))
            }
            _ => {
                let mut operands = operands(expression).into_iter();
                Fact::UNIFORM.varying_if(operands.any(|operand| whole(operand).varies))
            }
        })
    }
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
