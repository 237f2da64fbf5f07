//! Expressions on the CPU: each operation on some hundred elements at a time, with the bits of devices.

use super::graph::{Binary, Graph, Node, Operation, Type, Unary, Value};
use crate::algebra::float_environment;

/// Elements that an operation takes at a time: few enough that those of some operations stay in the nearest cache.
const LANES: usize = 256;

type Words = [u32; LANES];

const SIGN: u32 = 1 << 31;
const INFINITY: u32 = 0x7f80_0000;
const CANONICAL_NAN: u32 = 0x7fc0_0000;

/// What an expression is of.
pub(super) struct Given<'a> {
    /// Of `x` and `y`, which is not looked at, where there is one input.
    pub(super) words: (&'a [u32], &'a [u32]),
    pub(super) arguments: &'a [u32],
    /// The user's function, where there is one.
    pub(super) own: &'a dyn Fn(u32, u32, u32) -> u32,
}

/// What an expression is of some elements, from the index `first` on: as many words.
pub(super) fn run(
    graph: &Graph,
    result: Value,
    &Given { words: (x, y), arguments, own }: &Given<'_>,
    first: u32,
    out: &mut [u32],
) {
    let adds_as_ieee = float_environment::is_default();
    let mut values: Vec<Words> = vec![[0; LANES]; graph.nodes().len()];
    for (chunk, begin) in (0..x.len()).step_by(LANES).enumerate() {
        let len = LANES.min(x.len() - begin);
        #[expect(clippy::cast_possible_truncation, reason = "indices are modulo 2^32")]
        let index = first.wrapping_add((chunk * LANES) as u32);
        for (value, node) in graph.nodes().iter().enumerate() {
            let (before, rest) = values.split_at_mut(value);
            let to = &mut rest[0];
            match node.operation {
                Operation::X => to[..len].copy_from_slice(&x[begin..begin + len]),
                Operation::Y => to[..len].copy_from_slice(&y[begin..begin + len]),
                Operation::Index => {
                    for (to, lane) in to.iter_mut().zip(0..) {
                        *to = index.wrapping_add(lane);
                    }
                }
                Operation::Argument(number) => to.fill(arguments[number]),
                Operation::Own { takes_y, .. } => {
                    for (to, lane) in to[..len].iter_mut().zip(0..) {
                        let at = begin + lane as usize;
                        let y = if takes_y { y[at] } else { 0 };
                        *to = own(x[at], y, index.wrapping_add(lane));
                    }
                }
                _ => make(graph, node, before, to, adds_as_ieee),
            }
        }
        out[begin..begin + len].copy_from_slice(&values[result][..len]);
    }
}

fn make(graph: &Graph, node: &Node, values: &[Words], to: &mut Words, adds_as_ieee: bool) {
    match node.operation {
        Operation::Literal(word) => to.fill(word),
        Operation::Unary(op, a) => unary(op, graph.ty(a), node.ty, &values[a], to),
        Operation::Binary(op, a, b) => {
            let (a, b) = (&values[a], &values[b]);
            match graph.ty(operand(node)) {
                Type::F32 => of_floats(op, a, b, to, adds_as_ieee),
                Type::I32 => of_signed(op, a, b, to),
                Type::U32 | Type::Bool => of_unsigned(op, a, b, to),
            }
        }
        Operation::Select { condition, accept, reject } => {
            let (condition, accept, reject) =
                (&values[condition], &values[accept], &values[reject]);
            for i in 0..LANES {
                to[i] = if condition[i] != 0 { accept[i] } else { reject[i] };
            }
        }
        Operation::X
        | Operation::Y
        | Operation::Index
        | Operation::Argument(_)
        | Operation::Own { .. } => {}
    }
}

fn operand(node: &Node) -> Value {
    match node.operation {
        Operation::Binary(_, a, _) => a,
        _ => 0,
    }
}

fn each(a: &Words, to: &mut Words, of: impl Fn(u32) -> u32) {
    for (to, &a) in to.iter_mut().zip(a) {
        *to = of(a);
    }
}

fn both(a: &Words, b: &Words, to: &mut Words, of: impl Fn(u32, u32) -> u32) {
    for ((to, &a), &b) in to.iter_mut().zip(a).zip(b) {
        *to = of(a, b);
    }
}

fn unary(op: Unary, from: Type, to_type: Type, a: &Words, to: &mut Words) {
    match (op, from, to_type) {
        (Unary::Negate, Type::F32, _) => each(a, to, |a| a ^ SIGN),
        (Unary::Negate, ..) => each(a, to, u32::wrapping_neg),
        (Unary::Not, Type::Bool, _) => each(a, to, |a| a ^ 1),
        (Unary::Not, ..) => each(a, to, |a| !a),
        (Unary::Abs, Type::F32, _) => each(a, to, |a| a & !SIGN),
        (Unary::Abs, Type::I32, _) => each(a, to, |a| a.cast_signed().unsigned_abs()),
        (Unary::Abs, ..) => *to = *a,
        (Unary::CountOneBits, ..) => each(a, to, u32::count_ones),
        (Unary::CountLeadingZeros, ..) => each(a, to, u32::leading_zeros),
        (Unary::CountTrailingZeros, ..) => each(a, to, u32::trailing_zeros),
        (Unary::ReverseBits, ..) => each(a, to, u32::reverse_bits),
        // They round to zero, whatever the thread does, and saturate.
        (Unary::Convert, Type::F32, Type::I32) => {
            #[expect(clippy::cast_possible_truncation, reason = "it saturates, as it should")]
            each(a, to, |a| (f32::from_bits(a) as i32).cast_unsigned());
        }
        (Unary::Convert, Type::F32, Type::U32) => {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "it saturates, as it should"
            )]
            each(a, to, |a| f32::from_bits(a) as u32);
        }
        (Unary::Convert, Type::F32, _) => each(a, to, |a| u32::from(a << 1 != 0)),
        (Unary::Convert, Type::I32, Type::F32) => {
            each(a, to, |a| a & SIGN | float_of(a.cast_signed().unsigned_abs()));
        }
        (Unary::Convert, Type::U32, Type::F32) => each(a, to, float_of),
        (Unary::Convert, Type::Bool, Type::F32) => each(a, to, |a| a * 0x3f80_0000),
        (Unary::Convert, _, Type::Bool) => each(a, to, |a| u32::from(a != 0)),
        (Unary::Convert | Unary::Bitcast, ..) => *to = *a,
    }
}

/// The bits of the nearest float, ties to even, in integers.
fn float_of(number: u32) -> u32 {
    if number == 0 {
        return 0;
    }
    let zeros = number.leading_zeros();
    let leading = number << zeros;
    let (kept, rest) = (leading >> 8, leading & 0xff);
    let up = rest > 0x80 || (rest == 0x80 && kept & 1 == 1);
    ((157 - zeros) << 23) + kept + u32::from(up)
}

fn is_nan(bits: u32) -> bool {
    bits & !SIGN > INFINITY
}

/// In the order of floats, −0 below +0.
fn key(bits: u32) -> u32 {
    if bits & SIGN == 0 { bits ^ SIGN } else { !bits }
}

/// The same, where both zeros are one.
fn number_key(bits: u32) -> u32 {
    key(if bits == SIGN { 0 } else { bits })
}

fn of_floats(op: Binary, a: &Words, b: &Words, to: &mut Words, adds_as_ieee: bool) {
    let one_nan = |value: f32| if value.is_nan() { CANONICAL_NAN } else { value.to_bits() };
    let compare = |of: fn(u32, u32) -> bool| {
        move |a: u32, b: u32| {
            u32::from(!is_nan(a) && !is_nan(b) && of(number_key(a), number_key(b)))
        }
    };
    let extremum = |of: fn(u32, u32) -> bool| {
        move |a: u32, b: u32| match is_nan(a) || is_nan(b) {
            true => CANONICAL_NAN,
            false if of(key(a), key(b)) => a,
            false => b,
        }
    };
    let float = f32::from_bits;
    match (op, adds_as_ieee) {
        (Binary::Add, true) => both(a, b, to, |a, b| one_nan(float(a) + float(b))),
        (Binary::Subtract, true) => both(a, b, to, |a, b| one_nan(float(a) - float(b))),
        (Binary::Multiply, true) => both(a, b, to, |a, b| one_nan(float(a) * float(b))),
        (Binary::Add, false) => {
            both(a, b, to, |a, b| in_integers(float_environment::add, a, b));
        }
        (Binary::Subtract, false) => {
            both(a, b, to, |a, b| in_integers(float_environment::add, a, b ^ SIGN));
        }
        (Binary::Multiply, false) => {
            both(a, b, to, |a, b| in_integers(float_environment::multiply, a, b));
        }
        (Binary::Divide, true) => both(a, b, to, |a, b| one_nan(float(a) / float(b))),
        (Binary::Divide, false) => {
            both(a, b, to, |a, b| in_integers(float_environment::divide, a, b));
        }
        (Binary::Equal, _) => both(a, b, to, compare(|a, b| a == b)),
        (Binary::Less, _) => both(a, b, to, compare(|a, b| a < b)),
        (Binary::LessEqual, _) => both(a, b, to, compare(|a, b| a <= b)),
        (Binary::Min, _) => both(a, b, to, extremum(|a, b| a <= b)),
        (Binary::Max, _) => both(a, b, to, extremum(|a, b| a >= b)),
        // Nothing else is read of floats.
        _ => *to = *a,
    }
}

fn in_integers(of: fn(f32, f32) -> f32, a: u32, b: u32) -> u32 {
    let bits = of(f32::from_bits(a), f32::from_bits(b)).to_bits();
    if is_nan(bits) { CANONICAL_NAN } else { bits }
}

fn of_signed(op: Binary, a: &Words, b: &Words, to: &mut Words) {
    let signed = |of: fn(i32, i32) -> i32| {
        move |a: u32, b: u32| of(a.cast_signed(), b.cast_signed()).cast_unsigned()
    };
    match op {
        // As WGSL has it, nothing traps.
        Binary::Divide => both(a, b, to, signed(|a, b| if b == 0 { a } else { a.wrapping_div(b) })),
        Binary::Remainder => {
            both(a, b, to, signed(|a, b| if b == 0 { 0 } else { a.wrapping_rem(b) }));
        }
        Binary::ShiftRight => {
            both(a, b, to, |a, b| a.cast_signed().wrapping_shr(b).cast_unsigned())
        }
        Binary::Less => both(a, b, to, signed(|a, b| i32::from(a < b))),
        Binary::LessEqual => both(a, b, to, signed(|a, b| i32::from(a <= b))),
        Binary::Min => both(a, b, to, signed(i32::min)),
        Binary::Max => both(a, b, to, signed(i32::max)),
        _ => of_unsigned(op, a, b, to),
    }
}

fn of_unsigned(op: Binary, a: &Words, b: &Words, to: &mut Words) {
    match op {
        Binary::Add => both(a, b, to, u32::wrapping_add),
        Binary::Subtract => both(a, b, to, u32::wrapping_sub),
        Binary::Multiply => both(a, b, to, u32::wrapping_mul),
        Binary::Divide => both(a, b, to, |a, b| a.checked_div(b).unwrap_or(a)),
        Binary::Remainder => both(a, b, to, |a, b| a.checked_rem(b).unwrap_or(0)),
        Binary::And => both(a, b, to, |a, b| a & b),
        Binary::Or => both(a, b, to, |a, b| a | b),
        Binary::Xor => both(a, b, to, |a, b| a ^ b),
        Binary::ShiftLeft => both(a, b, to, u32::wrapping_shl),
        Binary::ShiftRight => both(a, b, to, u32::wrapping_shr),
        Binary::Equal => both(a, b, to, |a, b| u32::from(a == b)),
        Binary::Less => both(a, b, to, |a, b| u32::from(a < b)),
        Binary::LessEqual => both(a, b, to, |a, b| u32::from(a <= b)),
        Binary::Min => both(a, b, to, u32::min),
        Binary::Max => both(a, b, to, u32::max),
    }
}
