//! Conversions between types: those of 64 bits by way of a few that there are.

use super::graph::{Binary, Graph, Operation, Type, Unary, Value};

/// A value as the nearest one of another type.
pub(super) fn convert(graph: &mut Graph, value: Value, to: Type) -> Value {
    let from = graph.ty(value);
    let mut direct = |value, to| graph.add(Operation::Unary(Unary::Convert, value), to);
    match (from, to) {
        // Whether it is not zero, of floats either zero.
        (Type::F64 | Type::I64 | Type::U64, Type::Bool) => {
            let zero = graph.add(Operation::Literal(0), from);
            let equal = graph.add(Operation::Binary(Binary::Equal, value, zero), Type::Bool);
            graph.add(Operation::Unary(Unary::Not, equal), Type::Bool)
        }
        (Type::I64, Type::U64) | (Type::U64, Type::I64) => {
            graph.add(Operation::Unary(Unary::Bitcast, value), to)
        }
        // f64s have all values of these, so that there is one rounding.
        (Type::F32, Type::I64 | Type::U64) => {
            let double = direct(value, Type::F64);
            direct(double, to)
        }
        (Type::I32, Type::F64) => {
            let wide = direct(value, Type::I64);
            direct(wide, to)
        }
        (Type::U32, Type::F64) => {
            let wide = direct(value, Type::U64);
            direct(wide, to)
        }
        // Saturating.
        (Type::F64, Type::I32) => {
            let wide = direct(value, Type::I64);
            let least = graph.add(literal(i64::from(i32::MIN)), Type::I64);
            let largest = graph.add(literal(i64::from(i32::MAX)), Type::I64);
            let raised = graph.add(Operation::Binary(Binary::Max, wide, least), Type::I64);
            let within = graph.add(Operation::Binary(Binary::Min, raised, largest), Type::I64);
            graph.add(Operation::Unary(Unary::Convert, within), to)
        }
        (Type::F64, Type::U32) => {
            let wide = direct(value, Type::U64);
            let largest = graph.add(Operation::Literal(u32::MAX.into()), Type::U64);
            let within = graph.add(Operation::Binary(Binary::Min, wide, largest), Type::U64);
            graph.add(Operation::Unary(Unary::Convert, within), to)
        }
        _ => direct(value, to),
    }
}

fn literal(value: i64) -> Operation {
    Operation::Literal(value.cast_unsigned())
}
