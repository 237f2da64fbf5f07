//! No barrier depends on the result of a function that returns early, in shaders that FXC may compile.
//!
//! FXC compiles for DX12 below shader model 6.0. If a function has another `return` than its last statement, FXC takes what it
//! returns for "potentially uninitialized", and so for different between lanes. It refuses the barriers that depend on it: "thread
//! sync operation found in varying flow control" (X3663). Where a constant decides which `return` it is, FXC sees one alone.
//!
//! To depend on a result is what it is for [`uniformity`]: by conditions, variables, arguments and results of other functions.

use crate::{finding::Finding, flow::follow_taking, uniformity, uses::blocks};
use naga::{Block, Expression, Function, Handle, Module, Statement};
use std::collections::HashSet;

/// The functions that return early, and whose results decide about barriers. Of a module that keeps [`uniformity`].
pub fn check(module: &Module, source: &str) -> Vec<Finding> {
    let early: HashSet<Handle<Function>> = module
        .functions
        .iter()
        .filter(|(_, function)| {
            function.result.is_some() && !returns_last(function, &function.body)
        })
        .map(|(handle, _)| handle)
        .collect();
    // Most modules have no such function, so each is asked about alone only where there is one.
    if early.is_empty() || !decide_about_a_barrier(module, &early) {
        return Vec::new();
    }
    let mut guilty: Vec<Handle<Function>> = early
        .into_iter()
        .filter(|&function| decide_about_a_barrier(module, &HashSet::from([function])))
        .collect();
    guilty.sort();
    guilty
        .into_iter()
        .map(|handle| {
            let name = module.functions[handle].name.as_deref().unwrap_or_default();
            let span = module.functions.get_span(handle);
            let problem = "a barrier depends on the result of this function, which returns early: FXC refuses that. Let its \
                           last statement be the only `return`";
            Finding::new(source, name, span, problem)
        })
        .collect()
}

/// Whether nothing but the last statement of a block returns, whatever the constants are that decide about others.
fn returns_last(function: &Function, block: &Block) -> bool {
    let is_last = |statement: &Statement| matches!(statement, Statement::Return { .. });
    let is_decided = |statement: &Statement| match *statement {
        Statement::If { condition, .. } => matches!(
            function.expressions[condition],
            Expression::Literal(_) | Expression::Constant(_) | Expression::Override(_)
        ),
        _ => false,
    };
    let mut others = block.iter();
    others.next_back().is_some_and(is_last)
        && others.filter(|other| returns(other)).all(|other| {
            let mut inner = blocks(other).into_iter().filter(|inner| inner.iter().any(returns));
            is_decided(other) && inner.all(|inner| returns_last(function, inner))
        })
}

fn returns(statement: &Statement) -> bool {
    matches!(statement, Statement::Return { .. })
        || blocks(statement).into_iter().any(|block| block.iter().any(returns))
}

fn decide_about_a_barrier(module: &Module, functions: &HashSet<Handle<Function>>) -> bool {
    follow_taking(module, functions).iter().any(|activation| {
        let mut steps = activation.steps.iter();
        steps.any(|step| step.diverges && uniformity::collective(step.statement).is_some())
    })
}
