//! Long expressions as a loop: each kind of operation stands in it once, however often the expression has it.
//!
//! Compilers write out every call of a function, and a kernel has an expression some hundred times. So Mesa's llvmpipe (22.3) takes 0.6 s of a core and
//! 50 MB for each addition of f32s that is written out, and NVIDIA's driver (580) 0.7 s and more. A loop compiles in the time of two additions.

use super::{Arguments, By, expression, float_function, of_bits};
use crate::custom::expression::graph::{Binary, Graph, Node, Operation, Type, Unary, Value};
use std::{collections::BTreeSet, fmt::Write};

/// The weight up to which an expression is written out: it compiles in 5 s or so.
const MAX_WEIGHT: u32 = 430;

/// Whether it would take too long to compile if it were written out.
pub(super) fn is_long(graph: &Graph) -> bool {
    graph.nodes().iter().map(|node| weight(graph, node)).sum::<u32>() > MAX_WEIGHT
}

/// In hundredths of a second of one core of lavapipe. Operations of f64s take it 170, but three of them have to be written out: so are the
/// expressions that other compilers are asked about.
fn weight(graph: &Graph, node: &Node) -> u32 {
    match node.operation {
        Operation::Binary(op, a, _) => match (op, graph.ty(a)) {
            (Binary::Add | Binary::Subtract | Binary::Multiply, Type::F32) => 58,
            (Binary::Divide, Type::F32) => 170,
            (Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Divide, Type::F64) => 130,
            (Binary::Divide | Binary::Remainder, Type::I64 | Type::U64) => 30,
            (_, Type::F32 | Type::F64) => 10,
            _ => 4,
        },
        Operation::Unary(Unary::Convert, a) if node.ty.is_float() || graph.ty(a).is_float() => 10,
        Operation::Unary(..) | Operation::Select { .. } => 4,
        _ => 0,
    }
}

/// Kinds of steps before those of operations: the first operand's bits, and a literal's.
const COPY: usize = 0;
const LITERAL: usize = 1;
const FIRST_KIND: usize = 2;

/// The largest number in a step.
const MAX_BYTE: usize = 0xff;

/// The declarations, and the lines that compute all values, and name the result, and whether it counts.
///
/// A step is a word of four bytes: its kind, where its value goes, and where its first and its second operand are. A literal's last two bytes say
/// where its bits are, behind the steps. None if a number does not fit: the limit of signs holds for each text, and a map and its predicates share
/// the graph.
///
/// Mesa's llvmpipe takes the square of the arrays' entries as time, so places are used again, and four words are one entry. The arrays belong to the
/// module, because it writes out a function's own with each call.
pub(super) fn write(
    graph: &Graph,
    (result, kept): (Value, Option<Value>),
    arguments: &Arguments,
    has_quick: bool,
) -> Option<[String; 2]> {
    let nodes = graph.nodes();
    let has_wide = nodes.iter().any(|node| node.ty.is_wide());
    let mut text = String::new();
    let mut kinds: Vec<(Graph, Node)> = Vec::new();
    let mut steps: Vec<[usize; 4]> = Vec::new();
    let mut literals: Vec<u64> = Vec::new();
    let mut literals_at = vec![None; nodes.len()];
    let mut places = Places::new(graph, [Some(result), kept]);
    // All are there before the loop begins, so that no place of theirs is another value's first.
    for (value, node) in nodes.iter().enumerate().filter(|(_, node)| node.operation.is_input()) {
        let place = places.take(value);
        let bits = to_bits(&expression(graph, node, arguments, By::Any), node.ty, has_wide);
        // A string takes all that is written.
        _ = writeln!(text, "    expression_values[{place}] = {bits};");
    }
    // For each use anew: literals that waited for one would take most places.
    let mut load = |value: Value, steps: &mut Vec<[usize; 4]>, places: &mut Places| {
        let Operation::Literal(bits) = nodes[value].operation else { return };
        let at = *literals_at[value].get_or_insert_with(|| {
            literals.push(bits & 0xffff_ffff);
            literals.extend(has_wide.then_some(bits >> 32));
            literals.len() - if has_wide { 2 } else { 1 }
        });
        steps.push([LITERAL, places.take(value), at & 0xff, at >> 8]);
    };
    for (value, node) in nodes.iter().enumerate() {
        let operands = operands(node.operation);
        if operands.is_empty() {
            continue;
        }
        let distinct = BTreeSet::from_iter(operands.iter().copied());
        for &operand in &distinct {
            load(operand, &mut steps, &mut places);
        }
        let place = |number: usize| operands.get(number).map_or(0, |&it| places.of[it]);
        let [first, second, third] = [0, 1, 2].map(place);
        let made = places.take(value);
        let own = kind(graph, node);
        let known = kinds.iter().position(|known| *known == own);
        let kind = FIRST_KIND + known.unwrap_or(kinds.len());
        if known.is_none() {
            kinds.push(own);
        }
        // The third operand is the value that was made before.
        steps.extend((operands.len() == 3).then_some([COPY, made, third, 0]));
        steps.push([kind, made, first, second]);
        for operand in distinct {
            let is_literal = matches!(nodes[operand].operation, Operation::Literal(_));
            if is_literal || places.last_uses[operand] == value {
                places.free.push(places.of[operand]);
            }
        }
    }
    let kept = kept.filter(|&kept| kept != result);
    for value in [Some(result), kept].into_iter().flatten() {
        load(value, &mut steps, &mut places);
    }
    if steps.iter().flatten().any(|&number| number > MAX_BYTE) || places.most > MAX_BYTE + 1 {
        return None;
    }
    let count = steps.len();
    let words =
        steps.iter().map(|step| step.iter().rev().fold(0, |word, &it| word << 8 | it as u64));
    let words: Vec<u64> = words.chain(literals).collect();
    let entries: Vec<String> = words
        .chunks(4)
        .map(|words| {
            let word = |at: usize| words.get(at).copied().unwrap_or_default();
            format!("vec4<u32>({}u, {}u, {}u, {}u)", word(0), word(1), word(2), word(3))
        })
        .collect();
    let length = entries.len();
    let entries = entries.join(", ");
    let [word, literal] = match has_wide {
        true => ["vec2<u32>", "vec2<u32>(expression_word(literal), expression_word(literal + 1u))"],
        false => ["u32", "expression_word(literal)"],
    };
    let table = format!(
        "\
var<private> expression_words: array<vec4<u32>, {length}> = array<vec4<u32>, {length}>({entries});
var<private> expression_values: array<{word}, {most}>;

fn expression_word(at: u32) -> u32 {{
    return expression_words[at / 4u][at % 4u];
}}

",
        most = places.most,
    );
    // A literal's bytes are no places, and OpenGL checks none.
    let last = places.most - 1;
    // Compilers do not know that the loop goes no further. And `vec2<u32>()` naga (30) writes twice in HLSL.
    let zero = if has_wide { "vec2<u32>(0u, 0u)" } else { "0u" };
    _ = write!(
        text,
        "    var made = {zero};
    let end = {count}u + nothing_of(params);
    for (var at = 0u; at < end; at++) {{
        let step = expression_word(at);
        let first = expression_values[min(extractBits(step, 16u, 8u), {last}u)];
        let second = expression_values[min(step >> 24u, {last}u)];
        let third = made;
        switch step & 0xffu {{
            case {LITERAL}u: {{
                let literal = {count}u + (step >> 16u);
                made = {literal};
            }}
"
    );
    for (number, (types, node)) in kinds.iter().enumerate() {
        _ = writeln!(text, "            case {}u: {{", FIRST_KIND + number);
        for (value, operand) in types.nodes().iter().enumerate() {
            let of = from_bits(["first", "second", "third"][value], operand.ty, has_wide);
            _ = writeln!(text, "                let v{value} = {of};");
        }
        let by = |by: By| to_bits(&expression(types, node, arguments, by), node.ty, has_wide);
        match node.operation {
            Operation::Binary(op, ..) if has_quick && node.is_float_arithmetic() => {
                let (function, b) = float_function(op, 1);
                let quick = expression(types, node, arguments, By::Quick);
                let bits = to_bits("quick", node.ty, has_wide);
                _ = writeln!(text, "                let quick = {quick};");
                _ = writeln!(text, "                made = {bits};");
                _ = writeln!(text, "                if !{function}_is_right(v0, {b}, quick) {{");
                _ = writeln!(text, "                    made = {};", by(By::Any));
                _ = writeln!(text, "                }}");
            }
            _ => _ = writeln!(text, "                made = {};", by(By::Any)),
        }
        text += "            }\n";
    }
    text += "            default: {
                made = first;
            }
        }
        expression_values[extractBits(step, 8u, 8u)] = made;
    }
";
    for value in [Some(result), kept].into_iter().flatten() {
        let made = format!("expression_values[{}]", places.of[value]);
        let of = from_bits(&made, graph.ty(value), has_wide);
        _ = writeln!(text, "    let v{value} = {of};");
    }
    Some([table, text])
}

/// Where values are: a place is free again behind the last operation that reads its value.
struct Places {
    of: Vec<usize>,
    last_uses: Vec<Value>,
    free: Vec<usize>,
    most: usize,
}

impl Places {
    fn new(graph: &Graph, results: [Option<Value>; 2]) -> Self {
        let nodes = graph.nodes();
        let mut last_uses = vec![0; nodes.len()];
        for (value, node) in nodes.iter().enumerate() {
            operands(node.operation).into_iter().for_each(|operand| last_uses[operand] = value);
        }
        results.into_iter().flatten().for_each(|result| last_uses[result] = nodes.len());
        Self { of: vec![0; nodes.len()], last_uses, free: Vec::new(), most: 0 }
    }

    /// For a value that is made while its operands are still there.
    fn take(&mut self, value: Value) -> usize {
        let place = self.free.pop().unwrap_or(self.most);
        self.most = self.most.max(place + 1);
        self.of[value] = place;
        place
    }
}

fn operands(operation: Operation) -> Vec<Value> {
    match operation {
        Operation::Unary(_, a) => vec![a],
        Operation::Binary(_, a, b) => vec![a, b],
        Operation::Select { condition, accept, reject } => vec![condition, accept, reject],
        _ => Vec::new(),
    }
}

/// An operation of arguments, and the arguments' types: equal for operations that differ in their operands alone.
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
