//! Long expressions as a loop: each operation that there is stands in it once, however often the expression has it.
//!
//! Compilers write out every call of a function, and a kernel has an expression some hundred times. So Mesa's llvmpipe (22.3) takes 0.4 s of a core and
//! 50 MB for each addition of f32s that is written out, and 1 s and 130 MB of f64s. 500 of them, which a text may have, would take more memory
//! than most machines have.

use super::{Arguments, By, expression, float_function, of_bits};
use crate::custom::expression::graph::{Binary, Graph, Node, Operation, Type, Unary, Value};
use std::fmt::Write;

/// The weight up to which an expression is written out. lavapipe compiles a heavier one sooner as a loop.
const MAX_WEIGHT: u32 = 430;

/// Whether it would take too long to compile if it were written out.
pub(super) fn is_long(graph: &Graph) -> bool {
    graph.nodes().iter().map(|node| weight(graph, node)).sum::<u32>() > MAX_WEIGHT
}

/// In hundredths of a second of one core.
fn weight(graph: &Graph, node: &Node) -> u32 {
    match node.operation {
        Operation::Binary(op, a, _) => match (op, graph.ty(a)) {
            (Binary::Add | Binary::Subtract | Binary::Multiply, Type::F32) => 40,
            (Binary::Divide, Type::F32) => 120,
            (Binary::Add | Binary::Subtract | Binary::Multiply, Type::F64) => 100,
            (Binary::Divide, Type::F64) => 130,
            (Binary::Divide | Binary::Remainder, Type::I64 | Type::U64) => 30,
            (_, Type::F32 | Type::F64) => 10,
            _ => 2,
        },
        Operation::Unary(Unary::Convert, a) if node.ty.is_float() || graph.ty(a).is_float() => 10,
        Operation::Unary(..) | Operation::Select { .. } => 2,
        _ => 0,
    }
}

/// What compilers need not write out: the declarations, and the lines that compute all values, and name the result, and whether it counts.
pub(super) fn write(
    graph: &Graph,
    (result, kept): (Value, Option<Value>),
    arguments: &Arguments,
    has_quick: bool,
) -> [String; 2] {
    let nodes = graph.nodes();
    let (leaves, operations): (Vec<Value>, Vec<Value>) =
        (0..nodes.len()).partition(|&value| operands(nodes[value].operation).is_empty());
    // Where the values are: an operation's behind those of the operations before.
    let order = [&leaves[..], &operations].concat();
    let place = |value: Value| order.iter().position(|&it| it == value).unwrap_or_default();
    let has_wide = nodes.iter().any(|node| node.ty.is_wide());
    let word = if has_wide { "vec2<u32>" } else { "u32" };
    let mut kinds: Vec<(Graph, Node)> = Vec::new();
    let mut steps = Vec::new();
    for &value in &operations {
        let kind = kind(graph, &nodes[value]);
        let known = kinds.iter().position(|known| *known == kind);
        let number = known.unwrap_or(kinds.len());
        if known.is_none() {
            kinds.push(kind);
        }
        let mut places = operands(nodes[value].operation).into_iter().map(place);
        let mut next = || places.next().unwrap_or_default();
        // Two numbers in a word: there are some thousand values at most.
        let words = [number + (next() << 16), next() + (next() << 16)];
        steps.push(format!("vec2<u32>({}u, {}u)", words[0], words[1]));
    }
    let count = steps.len();
    // One for the module, as functions' own would be written out with them.
    let table = format!(
        "var<private> expression_steps: array<vec2<u32>, {count}> = array<vec2<u32>, {count}>({});\n\n",
        steps.join(", ")
    );
    let mut text = format!("    var values: array<{word}, {}>;\n", order.len());
    // A string takes all that is written.
    for (at, &value) in leaves.iter().enumerate() {
        let node = &nodes[value];
        let value = to_bits(&expression(graph, node, arguments, By::Any), node.ty, has_wide);
        _ = writeln!(text, "    values[{at}] = {value};");
    }
    // Compilers do not know that it goes no further.
    _ = writeln!(text, "    for (var at = 0u; at < {count}u + nothing_of(params); at++) {{");
    text += "        let step = expression_steps[at];\n        var made = values[0];\n        switch step.x & 0xffffu {\n";
    for (number, (types, node)) in kinds.iter().enumerate() {
        _ = writeln!(text, "            case {number}u: {{");
        for (value, operand) in types.nodes().iter().enumerate() {
            let index = ["step.x >> 16u", "step.y & 0xffffu", "step.y >> 16u"][value];
            let of = from_bits(&format!("values[{index}]"), operand.ty, has_wide);
            _ = writeln!(text, "                let v{value} = {of};");
        }
        let by = |by: By| to_bits(&expression(types, node, arguments, by), node.ty, has_wide);
        match node.operation {
            Operation::Binary(op, ..) if has_quick && node.is_float_arithmetic() => {
                let (function, b) = float_function(op, 1);
                let quick = expression(types, node, arguments, By::Quick);
                _ = writeln!(text, "                let quick = {quick};");
                _ = writeln!(
                    text,
                    "                made = {};",
                    to_bits("quick", node.ty, has_wide)
                );
                _ = writeln!(text, "                if !{function}_is_right(v0, {b}, quick) {{");
                _ = writeln!(
                    text,
                    "                    made = {};\n                }}",
                    by(By::Any)
                );
            }
            _ => _ = writeln!(text, "                made = {};", by(By::Any)),
        }
        text += "            }\n";
    }
    text += "            default: {}\n        }\n";
    _ = writeln!(text, "        values[{}u + at] = made;\n    }}", leaves.len());
    for value in [Some(result), kept.filter(|&kept| kept != result)].into_iter().flatten() {
        let of = from_bits(&format!("values[{}]", place(value)), graph.ty(value), has_wide);
        _ = writeln!(text, "    let v{value} = {of};");
    }
    [table, text]
}

fn operands(operation: Operation) -> Vec<Value> {
    match operation {
        Operation::Unary(_, a) => vec![a],
        Operation::Binary(_, a, b) => vec![a, b],
        Operation::Select { condition, accept, reject } => vec![condition, accept, reject],
        _ => Vec::new(),
    }
}

/// An operation of its own first operands, and these, of which only the types matter.
fn kind(graph: &Graph, node: &Node) -> (Graph, Node) {
    let mut types = Graph::default();
    for (number, &value) in operands(node.operation).iter().enumerate() {
        types.add(Operation::Argument(number), graph.ty(value));
    }
    let operation = match node.operation {
        Operation::Unary(op, _) => Operation::Unary(op, 0),
        Operation::Binary(op, ..) => Operation::Binary(op, 0, 1),
        Operation::Select { .. } => Operation::Select { condition: 0, accept: 1, reject: 2 },
        other => other,
    };
    (types, Node { operation, ty: node.ty })
}

fn to_bits(value: &str, ty: Type, has_wide: bool) -> String {
    let word = match ty {
        Type::F64 | Type::I64 | Type::U64 => return value.to_owned(),
        Type::F32 | Type::U32 => value.to_owned(),
        Type::I32 => format!("bitcast<u32>({value})"),
        Type::Bool => format!("select(0u, 1u, {value})"),
    };
    if has_wide { format!("vec2<u32>({word}, 0u)") } else { word }
}

fn from_bits(bits: &str, ty: Type, has_wide: bool) -> String {
    match has_wide && !ty.is_wide() {
        true => of_bits(&format!("{bits}.x"), ty),
        false => of_bits(bits, ty),
    }
}
