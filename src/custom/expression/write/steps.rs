//! Long expressions as a loop: each kind of operation stands in it once, however often the expression has it.
//!
//! Compilers write out every call of a function, and a kernel has an expression some hundred times. So Mesa's llvmpipe (22.3) takes 0.6 s of a core and
//! 50 MB for each addition of f32s that is written out, and NVIDIA's driver (580) 0.7 s and more. A loop compiles in the time of two additions.

use super::{By, expression, float_function, of_bits};
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

/// The kind of steps that copy their first operand, before those of operations.
const COPY: usize = 0;
const FIRST_KIND: usize = 1;

/// The place of literals, which stand behind the steps, in the order of their uses. No step has two of them.
const LITERAL: usize = 0xff;

/// The declarations, and the lines that compute all values, and name the result, and whether it counts.
///
/// A step is a word of four bytes: its kind, where its value goes, and where its first and its second operand are. None if a number does not fit:
/// the limit of signs holds for each text, and a map and its predicates share the graph.
///
/// Mesa's llvmpipe takes the square of the arrays' entries as time, so places are used again, and four words are one entry. The arrays belong to the
/// module, because it writes out a function's own with each call.
pub(super) fn write(
    graph: &Graph,
    (result, kept): (Value, Option<Value>),
    has_quick: bool,
) -> Option<[String; 2]> {
    let nodes = graph.nodes();
    let has_wide = nodes.iter().any(|node| node.ty.is_wide());
    let mut text = String::new();
    let mut kinds: Vec<(Graph, Node)> = Vec::new();
    let (mut words, mut literals) = (Vec::new(), Vec::new());
    let mut is_fit = true;
    let mut places = Places::new(graph, [Some(result), kept]);
    // All are there before the loop begins, so that no place of theirs is another value's first.
    for (value, node) in nodes.iter().enumerate().filter(|(_, node)| node.operation.is_input()) {
        let place = places.take(value);
        let bits = to_bits(&expression(graph, node, By::Any), node.ty, has_wide);
        // A string takes all that is written.
        _ = writeln!(text, "    expression_values[{place}] = {bits};");
    }
    let mut step = |kind: usize, made: usize, operands: &[Value], places: &Places| {
        let [first, second] =
            [0, 1].map(|number| operands.get(number).map_or(0, |&it| places.of[it]));
        let numbers = [kind, made, first, second];
        is_fit &= numbers.iter().all(|&number| number <= 0xff) && places.most <= LITERAL;
        words.push(numbers.iter().rev().fold(0, |word, &it| word << 8 | it as u64));
        for &operand in operands {
            if let Operation::Literal(bits) = nodes[operand].operation {
                literals.push(bits & 0xffff_ffff);
                literals.extend(has_wide.then_some(bits >> 32));
            }
        }
    };
    for (value, node) in nodes.iter().enumerate() {
        let operands = node.operation.operands();
        if operands.is_empty() {
            continue;
        }
        let made = places.take(value);
        let own = kind(graph, node);
        let known = kinds.iter().position(|known| *known == own);
        let kind = FIRST_KIND + known.unwrap_or(kinds.len());
        if known.is_none() {
            kinds.push(own);
        }
        let (operands, third) = operands.split_at(operands.len().min(2));
        // The third operand is the value that was made before.
        if !third.is_empty() {
            step(COPY, made, third, &places);
        }
        step(kind, made, operands, &places);
        for operand in BTreeSet::from_iter(operands.iter().chain(third)) {
            if places.last_uses[*operand] == value && places.of[*operand] != LITERAL {
                places.free.push(places.of[*operand]);
            }
        }
    }
    let kept = kept.filter(|&kept| kept != result);
    if !is_fit {
        return None;
    }
    let count = words.len();
    words.extend(literals);
    // Each step reads the next literal, and there may be none.
    words.resize((words.len() + 2).next_multiple_of(4), 0);
    let entries: Vec<String> = words
        .chunks(4)
        .map(|words| {
            let words: Vec<String> = words.iter().map(|word| format!("{word}u")).collect();
            format!("vec4<u32>({})", words.join(", "))
        })
        .collect();
    let length = entries.len();
    let entries = entries.join(", ");
    let (word, literal, literal_words) = match has_wide {
        true => ("vec2<u32>", "vec2<u32>(expression_word(next), expression_word(next + 1u))", 2),
        false => ("u32", "expression_word(next)", 1),
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
    // The place of literals is none, and OpenGL checks no bounds.
    let last = places.most - 1;
    // Compilers do not know that the loop goes no further. And `vec2<u32>()` naga (30) writes twice in HLSL.
    let zero = if has_wide { "vec2<u32>(0u, 0u)" } else { "0u" };
    _ = write!(
        text,
        "    var made = {zero};
    var next = {count}u;
    let end = {count}u + nothing_of(params);
    for (var at = 0u; at < end; at++) {{
        let step = expression_word(at);
        let places = vec2<u32>(extractBits(step, 16u, 8u), step >> 24u);
        let are_literals = places == vec2<u32>({LITERAL}u, {LITERAL}u);
        let literal = {literal};
        let first = select(expression_values[min(places.x, {last}u)], literal, are_literals.x);
        let second = select(expression_values[min(places.y, {last}u)], literal, are_literals.y);
        let third = made;
        next += select(0u, {literal_words}u, any(are_literals));
        switch step & 0xffu {{
"
    );
    for (number, (types, node)) in kinds.iter().enumerate() {
        _ = writeln!(text, "            case {}u: {{", FIRST_KIND + number);
        for (value, operand) in types.nodes().iter().enumerate() {
            let of = from_bits(["first", "second", "third"][value], operand.ty, has_wide);
            _ = writeln!(text, "                let v{value} = {of};");
        }
        let by = |by: By| to_bits(&expression(types, node, by), node.ty, has_wide);
        match node.operation {
            Operation::Binary(op, ..) if has_quick && node.is_float_arithmetic() => {
                let (function, b) = float_function(op, 1);
                let quick = expression(types, node, By::Quick);
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
        let of = match nodes[value].operation {
            Operation::Literal(_) => expression(graph, &nodes[value], By::Any),
            _ => {
                let made = format!("expression_values[{}]", places.of[value]);
                from_bits(&made, graph.ty(value), has_wide)
            }
        };
        _ = writeln!(text, "    let v{value} = {of};");
    }
    Some([table, text])
}

/// Where values are, other than literals: a place is free again behind the last operation that reads its value.
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
            node.operation.operands().into_iter().for_each(|it| last_uses[it] = value);
        }
        results.into_iter().flatten().for_each(|result| last_uses[result] = nodes.len());
        Self { of: vec![LITERAL; nodes.len()], last_uses, free: Vec::new(), most: 0 }
    }

    /// For a value that is made while its operands are still there.
    fn take(&mut self, value: Value) -> usize {
        let place = self.free.pop().unwrap_or(self.most);
        self.most = self.most.max(place + 1);
        self.of[value] = place;
        place
    }
}

/// An operation of arguments, and the arguments' types: equal for operations that differ in their operands alone.
fn kind(graph: &Graph, node: &Node) -> (Graph, Node) {
    let mut types = Graph::default();
    for (number, &value) in node.operation.operands().iter().enumerate() {
        types.insert(Operation::Argument(number), graph.ty(value));
    }
    (types, Node { operation: node.operation.of_first_values(), ty: node.ty })
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
