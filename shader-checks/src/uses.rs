//! What a module is made of: its functions, their types, and what uses a value, by the expressions that
//! expressions and statements take.

use naga::{
    AtomicFunction, Block, Expression, Function, GatherMode, Handle, Module, Statement,
    front::Typifier, proc::ResolveContext,
};

/// Every function with its name, callees before callers, so the entry points, which have no handle, last.
pub fn functions(
    module: &Module,
) -> impl Iterator<Item = (Option<Handle<Function>>, &str, &Function)> {
    let functions = module.functions.iter().map(|(handle, function)| {
        (Some(handle), function.name.as_deref().unwrap_or("a function without a name"), function)
    });
    let entry_points = module.entry_points.iter();
    functions.chain(entry_points.map(|entry| (None, entry.name.as_str(), &entry.function)))
}

/// The types of a function's expressions.
pub fn types(module: &Module, function: &Function) -> Typifier {
    let context =
        ResolveContext::with_locals(module, &function.local_variables, &function.arguments);
    let mut types = Typifier::new();
    for (handle, _) in function.expressions.iter() {
        types.grow(handle, &function.expressions, &context).expect("the module is valid");
    }
    types
}

/// What uses a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// An expression computes with it, or takes a part of it.
    Expression(Handle<Expression>),
    /// It is this argument of a call.
    Argument(Handle<Function>, usize),
    /// A statement stores it, returns it, decides by it, or gives it to other lanes.
    Statement,
}

/// The uses of every value of a function.
#[derive(Debug)]
pub struct Uses(Vec<Vec<Use>>);

impl Uses {
    /// Of a function.
    pub fn of(function: &Function) -> Self {
        let mut uses = Self(vec![Vec::new(); function.expressions.len()]);
        for (handle, expression) in function.expressions.iter() {
            for operand in operands(expression) {
                uses.add(operand, Use::Expression(handle));
            }
        }
        uses.add_block(&function.body);
        uses
    }

    /// What uses the value of `expression`.
    pub fn get(&self, expression: Handle<Expression>) -> &[Use] {
        &self.0[expression.index()]
    }

    fn add(&mut self, value: Handle<Expression>, by: Use) {
        self.0[value.index()].push(by);
    }

    fn add_block(&mut self, block: &Block) {
        for statement in block {
            if let Statement::Call { function, arguments, .. } = statement {
                for (index, &argument) in arguments.iter().enumerate() {
                    self.add(argument, Use::Argument(*function, index));
                }
            }
            for value in taken(statement) {
                self.add(value, Use::Statement);
            }
            for inner in blocks(statement) {
                self.add_block(inner);
            }
        }
    }
}

/// The values that an expression is made of.
pub fn operands(expression: &Expression) -> Vec<Handle<Expression>> {
    match *expression {
        Expression::Literal(_)
        | Expression::Constant(_)
        | Expression::Override(_)
        | Expression::ZeroValue(_)
        | Expression::FunctionArgument(_)
        | Expression::GlobalVariable(_)
        | Expression::LocalVariable(_)
        | Expression::CallResult(_)
        | Expression::AtomicResult { .. }
        | Expression::WorkGroupUniformLoadResult { .. }
        | Expression::SubgroupBallotResult
        | Expression::SubgroupOperationResult { .. } => Vec::new(),
        Expression::Compose { ref components, .. } => components.clone(),
        Expression::Access { base, index } => vec![base, index],
        Expression::AccessIndex { base, .. } => vec![base],
        Expression::Splat { value, .. } => vec![value],
        Expression::Swizzle { vector, .. } => vec![vector],
        Expression::Load { pointer } => vec![pointer],
        Expression::Unary { expr, .. }
        | Expression::As { expr, .. }
        | Expression::ArrayLength(expr)
        | Expression::Relational { argument: expr, .. } => vec![expr],
        Expression::Binary { left, right, .. } => vec![left, right],
        Expression::Select { condition, accept, reject } => vec![condition, accept, reject],
        Expression::Math { arg, arg1, arg2, arg3, .. } => {
            [Some(arg), arg1, arg2, arg3].into_iter().flatten().collect()
        }
        ref other => panic!("reductions have no {other:?}: teach shader-checks what it is"),
    }
}

/// The values that a statement takes, but for a call's arguments.
pub fn taken(statement: &Statement) -> Vec<Handle<Expression>> {
    match *statement {
        Statement::Emit(_)
        | Statement::Block(_)
        | Statement::Break
        | Statement::Continue
        | Statement::Kill
        | Statement::ControlBarrier(_)
        | Statement::MemoryBarrier(_)
        | Statement::Call { .. } => Vec::new(),
        Statement::If { condition, .. } => vec![condition],
        Statement::Switch { selector, .. } => vec![selector],
        Statement::Loop { break_if, .. } => break_if.into_iter().collect(),
        Statement::Return { value } => value.into_iter().collect(),
        Statement::Store { pointer, value } => vec![pointer, value],
        Statement::Atomic { pointer, fun, value, .. } => {
            let compare = match fun {
                AtomicFunction::Exchange { compare } => compare,
                _ => None,
            };
            [Some(pointer), Some(value), compare].into_iter().flatten().collect()
        }
        Statement::WorkGroupUniformLoad { pointer, .. } => vec![pointer],
        Statement::SubgroupBallot { predicate, .. } => predicate.into_iter().collect(),
        Statement::SubgroupCollectiveOperation { argument, .. } => vec![argument],
        Statement::SubgroupGather { mode, argument, .. } => match mode {
            GatherMode::Broadcast(lane)
            | GatherMode::Shuffle(lane)
            | GatherMode::ShuffleDown(lane)
            | GatherMode::ShuffleUp(lane)
            | GatherMode::ShuffleXor(lane)
            | GatherMode::QuadBroadcast(lane) => vec![argument, lane],
            GatherMode::BroadcastFirst | GatherMode::QuadSwap(_) => vec![argument],
        },
        Statement::ImageStore { .. }
        | Statement::ImageAtomic { .. }
        | Statement::RayQuery { .. }
        | Statement::RayPipelineFunction(_)
        | Statement::CooperativeStore { .. } => {
            panic!("reductions have no {statement:?}: teach shader-checks what it does")
        }
    }
}

/// The blocks within a statement.
pub fn blocks(statement: &Statement) -> Vec<&Block> {
    match statement {
        Statement::Block(block) => vec![block],
        Statement::If { accept, reject, .. } => vec![accept, reject],
        Statement::Switch { cases, .. } => cases.iter().map(|case| &case.body).collect(),
        Statement::Loop { body, continuing, .. } => vec![body, continuing],
        _ => Vec::new(),
    }
}
