//! From a [`Graph`] to WGSL in which every bit is decided: floats are words, and their operations the library's own.

mod steps;
mod wide;

use super::{
    graph::{Binary, Graph, NAMES, Node, Operation, Type, Unary, Value},
    own::FUNCTION,
};
use crate::wgsl::{params::Params, text::PREFIX};
use std::fmt::Write;

/// Where the words are that come with each call.
const ARGUMENTS: [&str; Params::ARGUMENTS] =
    ["params.argument_0", "params.argument_1", "params.argument_2", "params.argument_3"];

/// How floats are added and multiplied.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    /// By the device. Results are tested.
    Quick,
    /// By the device. Results are tested with their operands.
    Checked,
    /// By integers, where the device may be wrong.
    Any,
}

/// `map_quick`, `map_checked` and `map_any`, of the bits of `x`, `y` and, where there are three inputs, `z`, and the index: what the device makes of floats, and whether
/// results show by themselves that they are right; the same, and whether a test of operands, too, says so; and what is right in any case. With it
/// comes whether an element counts, where that is a value of its own.
pub(super) fn write(
    graph: &Graph,
    (result, kept): (Value, Option<Value>),
    (element, inputs): (Type, u32),
    has_quick: bool,
) -> String {
    let body = |by: By| {
        let mut text = String::new();
        for (value, node) in graph.nodes().iter().enumerate() {
            // A string takes all that is written.
            _ = writeln!(text, "    let v{value} = {};", expression(graph, node, by));
            let Operation::Binary(binary, a, b) = node.operation else { continue };
            if !node.is_float_arithmetic() {
                continue;
            }
            let (function, b) = float_function(binary, b);
            _ = match by {
                By::Quick => writeln!(text, "    is_right &= float_is_plain(v{value});"),
                By::Checked => {
                    writeln!(text, "    is_right &= {function}_is_right(v{a}, {b}, v{value});")
                }
                By::Any => Ok(()),
            };
        }
        text
    };
    let value = format!("v{result}");
    let made = match graph.ty(result) {
        Type::I32 => format!("bitcast<u32>({value})"),
        Type::Bool => format!("select(0u, 1u, {value})"),
        Type::F32 | Type::U32 | Type::F64 | Type::I64 | Type::U64 => value,
    };
    let given = if element.is_wide() { "vec2<u32>" } else { "u32" };
    // Kernels give the second one in any case.
    let given: String =
        NAMES.iter().take(inputs.max(2) as usize).map(|it| format!("{it}: {given}, ")).collect();
    let counts = kept.map_or("true".to_owned(), |kept| format!("v{kept}"));
    let function = |by: By| {
        let lines = body(if has_quick { by } else { By::Any });
        format!("    var is_right = true;\n{lines}    return Mapped({made}, is_right, {counts});\n")
    };
    let steps =
        steps::is_long(graph).then(|| steps::write(graph, (result, kept), has_quick)).flatten();
    let ([quick, checked], [table, any]) = if let Some(steps) = steps {
        let nothing = if graph.ty(result).is_wide() { "vec2<u32>(0u, 0u)" } else { "0u" };
        // What is right in any case stands in one place.
        let none = format!("    return Mapped({nothing}, false, false);\n");
        ([none.clone(), none], steps)
    } else {
        ([function(By::Quick), function(By::Checked)], [String::new(), body(By::Any)])
    };
    format!(
        "\
{table}fn map_quick({given}index: u32) -> Mapped {{
{quick}}}

fn map_checked({given}index: u32) -> Mapped {{
{checked}}}

fn map_any({given}index: u32) -> Mapped {{
{any}    return Mapped({made}, true, {counts});
}}
"
    )
}

/// The function for two floats, and its second operand.
fn float_function(binary: Binary, b: Value) -> (&'static str, String) {
    match binary {
        Binary::Add => ("float_add", format!("v{b}")),
        Binary::Subtract => ("float_add", format!("(v{b} ^ F32_SIGN_BIT)")),
        Binary::Multiply => ("float_multiply", format!("v{b}")),
        _ => unreachable!("no other is arithmetic"),
    }
}

fn expression(graph: &Graph, node: &Node, by: By) -> String {
    let Node { operation, ty } = *node;
    match operation {
        Operation::Literal(bits) => match ty {
            Type::F32 | Type::U32 => format!("{bits}u"),
            Type::I32 => format!("bitcast<i32>({bits}u)"),
            Type::F64 | Type::I64 | Type::U64 => {
                format!("vec2<u32>({}u, {}u)", bits & 0xffff_ffff, bits >> 32)
            }
            Type::Bool => (bits != 0).to_string(),
        },
        Operation::X(None) => of_bits("x", ty),
        Operation::Y(None) => of_bits("y", ty),
        Operation::Z(None) => of_bits("z", ty),
        Operation::X(Some(component)) => of_bits(&format!("x_component(x, {component}u)"), ty),
        Operation::Y(Some(component)) => of_bits(&format!("y_component(y, {component}u)"), ty),
        Operation::Z(Some(component)) => of_bits(&format!("z_component(z, {component}u)"), ty),
        Operation::Index => "index".to_owned(),
        Operation::Argument(word) if ty.is_wide() => {
            format!("vec2<u32>({}, {})", ARGUMENTS[word], ARGUMENTS[word + 1])
        }
        Operation::Argument(word) => of_bits(ARGUMENTS[word], ty),
        Operation::Own { inputs, takes_index } => own(ty, inputs, takes_index),
        Operation::Unary(op, a) if graph.ty(a).is_wide() || ty.is_wide() => {
            wide::unary(op, a, graph.ty(a), ty)
        }
        Operation::Unary(op, a) => unary(op, a, graph.ty(a), ty),
        Operation::Binary(op, a, b) if node.is_float_arithmetic() => {
            let (function, b) = float_function(op, b);
            let suffix = if by == By::Any { "any" } else { "quick" };
            format!("{function}_{suffix}(v{a}, {b})")
        }
        Operation::Binary(op, a, b) if graph.ty(a).is_wide() => wide::binary(op, a, b, graph.ty(a)),
        Operation::Binary(op, a, b) => binary(op, a, b, graph.ty(a)),
        Operation::Select { condition, accept, reject } => {
            format!("select(v{reject}, v{accept}, v{condition})")
        }
    }
}

/// A call of the user's function, whose floats are floats.
fn own(ty: Type, inputs: u32, takes_index: bool) -> String {
    let of = |word: &str| match ty {
        Type::F32 => format!("bitcast<f32>({word})"),
        _ => of_bits(word, ty),
    };
    let mut arguments: Vec<_> = NAMES.iter().take(inputs as usize).map(|it| of(it)).collect();
    arguments.extend(takes_index.then(|| "index".to_owned()));
    let call = format!("{PREFIX}{FUNCTION}({})", arguments.join(", "));
    if ty == Type::F32 { format!("bitcast<u32>({call})") } else { call }
}

fn of_bits(bits: &str, ty: Type) -> String {
    match ty {
        Type::F32 | Type::U32 | Type::F64 | Type::I64 | Type::U64 => bits.to_owned(),
        Type::I32 => format!("bitcast<i32>({bits})"),
        Type::Bool => format!("{bits} != 0u"),
    }
}

fn unary(op: Unary, a: Value, from: Type, to: Type) -> String {
    match (op, from, to) {
        (Unary::Negate, Type::F32, _) => format!("v{a} ^ F32_SIGN_BIT"),
        // Of the smallest that is itself.
        (Unary::Negate, ..) => format!("bitcast<i32>(0u - bitcast<u32>(v{a}))"),
        (Unary::Not, Type::Bool, _) => format!("!v{a}"),
        (Unary::Not, ..) => format!("~v{a}"),
        (Unary::Abs, Type::F32, _) => format!("v{a} & ~F32_SIGN_BIT"),
        // For which naga (30) writes GLSL that takes it for a signed number.
        (Unary::Abs, Type::U32, _) => format!("v{a}"),
        (Unary::Abs, ..) => format!("abs(v{a})"),
        (Unary::CountOneBits, ..) => format!("countOneBits(v{a})"),
        (Unary::CountLeadingZeros, ..) => format!("countLeadingZeros(v{a})"),
        (Unary::CountTrailingZeros, ..) => format!("countTrailingZeros(v{a})"),
        (Unary::ReverseBits, ..) => format!("reverseBits(v{a})"),
        (Unary::Convert, Type::F32, Type::I32) => format!("float_to_i32(v{a})"),
        (Unary::Convert, Type::F32, Type::U32) => format!("float_to_u32(v{a})"),
        (Unary::Convert, Type::F32, _) => format!("(v{a} << 1u) != 0u"),
        (Unary::Convert, Type::I32, Type::F32) => format!("float_of_i32(v{a})"),
        (Unary::Convert, Type::U32, Type::F32) => format!("float_of_u32(v{a})"),
        (Unary::Convert, Type::Bool, Type::F32) => format!("select(0u, 0x3f800000u, v{a})"),
        (Unary::Convert, Type::Bool, Type::I32) => format!("select(0i, 1i, v{a})"),
        (Unary::Convert, Type::Bool, _) => format!("select(0u, 1u, v{a})"),
        (Unary::Convert, Type::I32, Type::Bool) => format!("v{a} != 0i"),
        (Unary::Convert, Type::U32, Type::Bool) => format!("v{a} != 0u"),
        (Unary::Convert | Unary::Bitcast, Type::I32, _) => format!("bitcast<u32>(v{a})"),
        (Unary::Convert | Unary::Bitcast, _, Type::I32) => format!("bitcast<i32>(v{a})"),
        // A float is a word.
        (Unary::Convert | Unary::Bitcast, ..) => format!("v{a}"),
    }
}

fn binary(op: Binary, a: Value, b: Value, of: Type) -> String {
    let is_float = of == Type::F32;
    match op {
        Binary::Add => format!("v{a} + v{b}"),
        Binary::Subtract => format!("v{a} - v{b}"),
        Binary::Multiply => format!("v{a} * v{b}"),
        Binary::Divide if is_float => format!("float_divide(v{a}, v{b})"),
        Binary::Divide => format!("v{a} / {}", divisor(a, b, of)),
        // GLSL leaves remainders of negative numbers open.
        Binary::Remainder if of == Type::I32 => {
            let divisor = divisor(a, b, of);
            format!("v{a} - v{a} / {divisor} * {divisor}")
        }
        Binary::Remainder => format!("v{a} % {}", divisor(a, b, of)),
        Binary::And => format!("v{a} & v{b}"),
        Binary::Or => format!("v{a} | v{b}"),
        Binary::Xor => format!("v{a} ^ v{b}"),
        Binary::ShiftLeft => format!("v{a} << (v{b} & 31u)"),
        Binary::ShiftRight => format!("v{a} >> (v{b} & 31u)"),
        Binary::Equal if is_float => format!("float_equal(v{a}, v{b})"),
        Binary::Equal => format!("v{a} == v{b}"),
        Binary::Less if is_float => format!("float_less(v{a}, v{b})"),
        Binary::Less => format!("v{a} < v{b}"),
        Binary::LessEqual if is_float => format!("float_less_equal(v{a}, v{b})"),
        Binary::LessEqual => format!("v{a} <= v{b}"),
        Binary::Min if is_float => format!("float_min(v{a}, v{b})"),
        Binary::Min => format!("min(v{a}, v{b})"),
        Binary::Max if is_float => format!("float_max(v{a}, v{b})"),
        Binary::Max => format!("max(v{a}, v{b})"),
    }
}

/// The divisor, or 1 where the quotient is none: then the quotient is the dividend, and the remainder 0. WGSL says so, too, but not each backend
/// of naga (30) does it.
fn divisor(a: Value, b: Value, of: Type) -> String {
    match of {
        Type::I32 => {
            format!(
                "select(v{b}, 1i, v{b} == 0i || (v{a} == bitcast<i32>(0x80000000u) && v{b} == -1i))"
            )
        }
        _ => format!("max(v{b}, 1u)"),
    }
}
