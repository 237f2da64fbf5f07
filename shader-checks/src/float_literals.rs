//! Floats in the shaders are of moderate size: 0, or from 2^-100 to 2^100.
//!
//! Compilers on the way to a device print and parse them again, in decimal and as 32-bit or 64-bit
//! numbers: what is close to the largest or smallest float, an infinity or a NaN may come out as
//! something else, or be refused. Such values are made of bits at run time.
//!
//! This looks at literals, and at constant bits where `bitcast` makes floats of them, also of vectors.
//! It does not see bits that come by a variable, an argument or an operator.

use crate::{finding::Finding, uses::functions};
use naga::{Arena, Expression, Handle, Literal, Module, ScalarKind};

/// What is wrong in a module.
pub fn check(module: &Module, source: &str) -> Vec<Finding> {
    let globals = ("module scope", &module.global_expressions);
    let functions = functions(module).map(|(_, name, function)| (name, &function.expressions));
    let mut findings = Vec::new();
    for (name, expressions) in [globals].into_iter().chain(functions) {
        for (handle, expression) in expressions.iter() {
            if !floats(module, expressions, expression).into_iter().all(is_moderate) {
                let span = expressions.get_span(handle);
                let problem = "a float constant is not 0 and not from 2^-100 to 2^100: make it of \
                               bits at run time";
                findings.push(Finding::new(source, name, span, problem));
            }
        }
    }
    findings
}

fn is_moderate(value: f64) -> bool {
    value == 0.0 || (2f64.powi(-100)..=2f64.powi(100)).contains(&value.abs())
}

/// The value of a float literal, or of constant bits that are taken for floats.
fn floats(module: &Module, arena: &Arena<Expression>, expression: &Expression) -> Vec<f64> {
    match *expression {
        Expression::Literal(literal) => match literal {
            Literal::F64(value) | Literal::AbstractFloat(value) => vec![value],
            Literal::F32(value) => vec![f64::from(value)],
            Literal::F16(value) => vec![f64::from(value)],
            _ => Vec::new(),
        },
        Expression::As { expr, kind: ScalarKind::Float, convert: None } => {
            let words = words(module, arena, expr);
            words.into_iter().map(|word| f64::from(f32::from_bits(word))).collect()
        }
        _ => Vec::new(),
    }
}

/// The words of a constant number or vector, as far as they are known.
fn words(module: &Module, arena: &Arena<Expression>, expression: Handle<Expression>) -> Vec<u32> {
    match arena[expression] {
        Expression::Literal(Literal::U32(word)) => vec![word],
        Expression::Literal(Literal::I32(word)) => vec![word.cast_unsigned()],
        Expression::Constant(constant) => {
            words(module, &module.global_expressions, module.constants[constant].init)
        }
        Expression::Splat { value, .. } => words(module, arena, value),
        Expression::Compose { ref components, .. } => {
            components.iter().flat_map(|&component| words(module, arena, component)).collect()
        }
        _ => Vec::new(),
    }
}
