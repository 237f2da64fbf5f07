//! No barrier and no subgroup operation where some lanes of a workgroup may come without others.
//!
//! That covers `workgroupBarrier`, `storageBarrier`, `workgroupUniformLoad`, `subgroupBarrier` and all
//! subgroup and quad operations. A shuffle's mask or delta must be the same for all lanes, too, and so
//! must be the place of a `workgroupUniformLoad`. [`flow`](crate::flow) says what varies.

use crate::{finding::Finding, flow::Activation};
use naga::{Expression, Function, GatherMode, Handle, Module, Statement, TypeInner};

/// What is wrong in one function, as it is called.
pub fn check(module: &Module, source: &str, activation: &Activation<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for argument in &activation.function.arguments {
        if let TypeInner::Pointer { .. } | TypeInner::ValuePointer { .. } =
            module.types[argument.ty].inner
        {
            let span = module.types.get_span(argument.ty);
            let problem = "a pointer is a parameter, which this check does not follow: pass values";
            findings.push(Finding::new(source, activation.name, span, problem));
        }
    }
    for step in &activation.steps {
        let Some(what) = collective(step.statement) else { continue };
        if step.diverges {
            let problem = format!("{what} may be reached by some lanes of a workgroup only");
            findings.push(Finding::new(source, activation.name, step.span, problem));
        }
        if let Some(same) = must_be_uniform(activation.function, step.statement)
            && activation.fact(same).is_some_and(|fact| fact.varies)
        {
            let problem = format!("{what} goes by a number that may differ between lanes");
            findings.push(Finding::new(source, activation.name, step.span, problem));
        }
    }
    findings
}

/// The name of what all lanes must do together.
pub fn collective(statement: &Statement) -> Option<&'static str> {
    match statement {
        Statement::ControlBarrier(_) => Some("a barrier"),
        Statement::WorkGroupUniformLoad { .. } => Some("a workgroupUniformLoad"),
        Statement::SubgroupBallot { .. }
        | Statement::SubgroupGather { .. }
        | Statement::SubgroupCollectiveOperation { .. } => Some("a subgroup operation"),
        _ => None,
    }
}

/// The operand that must be the same for all lanes.
fn must_be_uniform(function: &Function, statement: &Statement) -> Option<Handle<Expression>> {
    match *statement {
        Statement::WorkGroupUniformLoad { pointer, .. } => match function.expressions[pointer] {
            Expression::Access { index, .. } => Some(index),
            _ => None,
        },
        Statement::SubgroupGather { ref mode, .. } => match *mode {
            GatherMode::ShuffleDown(delta) | GatherMode::ShuffleUp(delta) => Some(delta),
            GatherMode::ShuffleXor(mask) => Some(mask),
            _ => None,
        },
        _ => None,
    }
}
