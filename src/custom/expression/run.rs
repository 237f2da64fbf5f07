//! Expressions on the CPU: each operation on some hundred elements at a time, with the bits of devices.

mod wide;

use super::{
    element::{Lanes, LanesMut, low_word},
    graph::{Binary, Graph, Node, Operation, Type, Unary, Value},
};
use crate::algebra::float_environment;

/// Elements that an operation takes at a time: few enough that those of some operations stay in the nearest cache.
const LANES: usize = 512;

/// Of words, and of bools: all bits of a lane, or none, as comparisons of vectors give them.
pub(super) type Words = [u32; LANES];
/// Of numbers of 64 bits.
pub(super) type Wides = [u64; LANES];

const SIGN: u32 = 1 << 31;
const INFINITY: u32 = 0x7f80_0000;
const CANONICAL_NAN: u32 = 0x7fc0_0000;

/// Fills lanes with the elements of an input, of which `x` are those of the first, or with a component of them, from a place on.
pub(super) type Load<'a> = dyn Fn((usize, usize), usize, LanesMut<'_>) + 'a;

/// What an expression is of.
pub(super) struct Given<'a> {
    pub(super) load: &'a Load<'a>,
    /// The elements of each input, where they are in memory as lanes have them.
    pub(super) inputs: [Option<Lanes<'a>>; 3],
    pub(super) arguments: &'a [u32],
    /// The user's function, where there is one.
    pub(super) own: &'a dyn Fn([u64; 3], u32) -> u64,
}

/// The values of lanes before that of a node.
struct Before<'a> {
    nodes: &'a [Node],
    words: &'a [Words],
    wides: &'a [Wides],
    /// Elements of each input that operations take from memory.
    inputs: [Option<Lanes<'a>>; 3],
}

impl<'a> Before<'a> {
    /// The input whose elements a value is, where lanes of it are in memory.
    fn input(&self, value: Value) -> Option<Lanes<'a>> {
        match self.nodes[value].operation {
            operation @ (Operation::X(_) | Operation::Y(_) | Operation::Z(_)) => {
                self.inputs[input_of(operation)]
            }
            _ => None,
        }
    }

    fn words(&self, value: Value) -> &'a Words {
        match self.input(value) {
            Some(Lanes::Words(elements)) => elements.first_chunk().expect("as many as lanes"),
            _ => &self.words[value],
        }
    }

    fn wides(&self, value: Value) -> &'a Wides {
        match self.input(value) {
            Some(Lanes::Wides(elements)) => elements.first_chunk().expect("as many as lanes"),
            _ => &self.wides[value],
        }
    }
}

/// Which lanes' turn it is: their first place, how many they are, and the first one's index.
#[derive(Clone, Copy)]
struct Turn {
    begin: usize,
    len: usize,
    index: u32,
}

/// Makes what an expression is of as many elements as there is room for, from the index `first` on, and tells which of them count, where that is a value.
pub(super) fn run(
    graph: &Graph,
    (result, kept): (Value, Option<Value>),
    given: &Given<'_>,
    first: u32,
    mut made: LanesMut<'_>,
    are_kept: &mut [u32],
) {
    let adds_as_ieee = float_environment::is_default();
    let nodes = graph.nodes();
    let has_wides = nodes.iter().any(|node| node.ty.is_wide());
    let mut words: Vec<Words> = vec![[0; LANES]; nodes.len()];
    let mut wides: Vec<Wides> = vec![[0; LANES]; if has_wides { nodes.len() } else { 0 }];
    // Nothing reads a result that comes last, so it need not be among the lanes.
    let goes_out = result + 1 == nodes.len()
        && !is_constant(&nodes[result])
        && graph.ty(result) != Type::Bool
        && kept != Some(result);
    let items = made.len();
    for (chunk, begin) in (0..items).step_by(LANES).enumerate() {
        let len = LANES.min(items - begin);
        #[expect(clippy::cast_possible_truncation, reason = "indices are modulo 2^32")]
        let index = first.wrapping_add((chunk * LANES) as u32);
        let turn = Turn { begin, len, index };
        let inputs = given.inputs.map(|input| input?.get(begin..begin + LANES));
        for (value, node) in nodes.iter().enumerate() {
            let (words, to_words) = words.split_at_mut(value);
            let wides_before = if has_wides { value } else { 0 };
            let (wides, to_wides) = wides.split_at_mut(wides_before);
            let before = Before { nodes, words, wides, inputs };
            if (chunk > 0 && is_constant(node)) || before.input(value).is_some() {
                continue;
            }
            let is_out = goes_out && value == result;
            if node.ty.is_wide() {
                let out = made.wides_at(begin).filter(|_| is_out);
                let to = out.unwrap_or(&mut to_wides[0]);
                make_wides(graph, node, &before, given, turn, adds_as_ieee, to);
            } else {
                let out = made.words_at(begin).filter(|_| is_out);
                let to = out.unwrap_or(&mut to_words[0]);
                make_words(graph, node, &before, given, turn, adds_as_ieee, to);
            }
        }
        let before = Before { nodes, words: &words, wides: &wides, inputs };
        if let Some(kept) = kept {
            put_ones(before.words(kept), &mut are_kept[begin..begin + len]);
        }
        if goes_out && len == LANES && before.input(result).is_none() {
            continue;
        }
        match &mut made {
            LanesMut::Words(made) if graph.ty(result) == Type::Bool => {
                put_ones(before.words(result), &mut made[begin..begin + len]);
            }
            LanesMut::Words(made) => {
                made[begin..begin + len].copy_from_slice(&before.words(result)[..len]);
            }
            LanesMut::Wides(made) => {
                made[begin..begin + len].copy_from_slice(&before.wides(result)[..len]);
            }
        }
    }
}

/// Whether all lanes have it, once and for all.
fn is_constant(node: &Node) -> bool {
    matches!(node.operation, Operation::Literal(_) | Operation::Argument(_))
}

/// Which input an element is of.
fn input_of(operation: Operation) -> usize {
    match operation {
        Operation::Y(_) => 1,
        Operation::Z(_) => 2,
        _ => 0,
    }
}

fn make_words(
    graph: &Graph,
    node: &Node,
    before: &Before<'_>,
    given: &Given<'_>,
    Turn { begin, len, index }: Turn,
    adds_as_ieee: bool,
    to: &mut Words,
) {
    match node.operation {
        Operation::X(component) | Operation::Y(component) | Operation::Z(component) => {
            let of = (input_of(node.operation), component.unwrap_or(0));
            (given.load)(of, begin, LanesMut::Words(&mut to[..len]));
        }
        Operation::Index => {
            for (to, lane) in to.iter_mut().zip(0..) {
                *to = index.wrapping_add(lane);
            }
        }
        Operation::Argument(word) => to.fill(given.arguments[word]),
        Operation::Own { inputs, .. } => {
            let mut elements: [Words; 3] = [[0; LANES]; 3];
            for (input, elements) in elements.iter_mut().take(inputs as usize).enumerate() {
                (given.load)((input, 0), begin, LanesMut::Words(&mut elements[..len]));
            }
            let [x, y, z] = &elements;
            for (lane, to) in (0..).zip(&mut to[..len]) {
                let at = lane as usize;
                let of_lane = [x[at], y[at], z[at]].map(u64::from);
                *to = low_word((given.own)(of_lane, index.wrapping_add(lane)));
            }
        }
        Operation::Literal(bits) if node.ty == Type::Bool => to.fill(mask(bits != 0)),
        Operation::Literal(bits) => to.fill(low_word(bits)),
        Operation::Unary(op, a) if graph.ty(a).is_wide() => {
            wide::narrow(op, graph.ty(a), node.ty, before.wides(a), to);
        }
        Operation::Unary(op, a) => unary(op, graph.ty(a), node.ty, before.words(a), to),
        Operation::Binary(op, a, b) => match graph.ty(a) {
            Type::F32 => of_floats(op, before.words(a), before.words(b), to, adds_as_ieee),
            Type::I32 => of_signed(op, before.words(a), before.words(b), to),
            Type::U32 | Type::Bool => of_unsigned(op, before.words(a), before.words(b), to),
            ty @ (Type::F64 | Type::I64 | Type::U64) => {
                wide::compare(op, ty, before.wides(a), before.wides(b), to, adds_as_ieee);
            }
        },
        Operation::Select { condition, accept, reject } => {
            let are_constant = [accept, reject].map(|value| is_constant(&before.nodes[value]));
            let (condition, accept, reject) =
                (before.words(condition), before.words(accept), before.words(reject));
            if are_constant == [true; 2] {
                let (reject, difference) = (reject[0], accept[0] ^ reject[0]);
                return each(condition, to, |condition| condition & difference ^ reject);
            }
            for i in 0..LANES {
                to[i] = condition[i] & accept[i] | !condition[i] & reject[i];
            }
        }
    }
}

fn make_wides(
    graph: &Graph,
    node: &Node,
    before: &Before<'_>,
    given: &Given<'_>,
    Turn { begin, len, index }: Turn,
    adds_as_ieee: bool,
    to: &mut Wides,
) {
    match node.operation {
        // A component is a word.
        Operation::X(_) | Operation::Y(_) | Operation::Z(_) => {
            let of = (input_of(node.operation), 0);
            (given.load)(of, begin, LanesMut::Wides(&mut to[..len]));
        }
        Operation::Argument(word) => {
            let [low, high] = [word, word + 1].map(|word| u64::from(given.arguments[word]));
            to.fill(high << 32 | low);
        }
        Operation::Own { inputs, .. } => {
            let mut elements: [Wides; 3] = [[0; LANES]; 3];
            for (input, elements) in elements.iter_mut().take(inputs as usize).enumerate() {
                (given.load)((input, 0), begin, LanesMut::Wides(&mut elements[..len]));
            }
            let [x, y, z] = &elements;
            for (lane, to) in (0..).zip(&mut to[..len]) {
                let at = lane as usize;
                *to = (given.own)([x[at], y[at], z[at]], index.wrapping_add(lane));
            }
        }
        Operation::Literal(bits) => to.fill(bits),
        Operation::Unary(op, a) if graph.ty(a).is_wide() => {
            wide::unary(op, graph.ty(a), node.ty, before.wides(a), to);
        }
        Operation::Unary(_, a) => wide::widen(graph.ty(a), node.ty, before.words(a), to),
        Operation::Binary(op @ (Binary::ShiftLeft | Binary::ShiftRight), a, b) => {
            wide::shift(op, node.ty, before.wides(a), before.words(b), to);
        }
        Operation::Binary(op, a, b) => {
            wide::binary(op, node.ty, before.wides(a), before.wides(b), to, adds_as_ieee);
        }
        Operation::Select { condition, accept, reject } => {
            let (condition, accept, reject) =
                (before.words(condition), before.wides(accept), before.wides(reject));
            for i in 0..LANES {
                let condition = wide::wide_mask(condition[i]);
                to[i] = condition & accept[i] | !condition & reject[i];
            }
        }
        // An index is a word.
        Operation::Index => {}
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
        (Unary::Convert, Type::F32, _) => each(a, to, |a| mask(a << 1 != 0)),
        (Unary::Convert, Type::I32, Type::F32) => {
            each(a, to, |a| a & SIGN | float_of(a.cast_signed().unsigned_abs()));
        }
        (Unary::Convert, Type::U32, Type::F32) => each(a, to, float_of),
        (Unary::Convert, Type::Bool, Type::F32) => each(a, to, |a| a & 0x3f80_0000),
        (Unary::Convert, Type::Bool, _) => each(a, to, |a| a & 1),
        (Unary::Convert, _, Type::Bool) => each(a, to, |a| mask(a != 0)),
        (Unary::Convert | Unary::Bitcast, ..) => *to = *a,
    }
}

/// A bool of a lane.
fn mask(is_so: bool) -> u32 {
    u32::from(is_so).wrapping_neg()
}

/// 1 for each bool that is true, and 0 for the others.
fn put_ones(bools: &Words, to: &mut [u32]) {
    for (to, bool) in to.iter_mut().zip(bools) {
        *to = bool & 1;
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

// What these are given has a type of its own: a call by way of a pointer, for each lane, would leave no vector instructions.

/// Of floats, where the thread compares them as IEEE-754 says.
fn by_hardware(of: impl Fn(f32, f32) -> bool) -> impl Fn(u32, u32) -> u32 {
    move |a, b| mask(of(f32::from_bits(a), f32::from_bits(b)))
}

/// The same of floats in any thread: one may take subnormals for zeros.
fn by_keys(of: impl Fn(u32, u32) -> bool) -> impl Fn(u32, u32) -> u32 {
    move |a, b| mask(!is_nan(a) && !is_nan(b) && of(number_key(a), number_key(b)))
}

fn extremum(of: impl Fn(u32, u32) -> bool) -> impl Fn(u32, u32) -> u32 {
    move |a, b| match is_nan(a) || is_nan(b) {
        true => CANONICAL_NAN,
        false if of(key(a), key(b)) => a,
        false => b,
    }
}

fn of_floats(op: Binary, a: &Words, b: &Words, to: &mut Words, adds_as_ieee: bool) {
    let one_nan = |value: f32| if value.is_nan() { CANONICAL_NAN } else { value.to_bits() };
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
        (Binary::Equal, true) => both(a, b, to, by_hardware(|a, b| a == b)),
        (Binary::Less, true) => both(a, b, to, by_hardware(|a, b| a < b)),
        (Binary::LessEqual, true) => both(a, b, to, by_hardware(|a, b| a <= b)),
        (Binary::Equal, false) => both(a, b, to, by_keys(|a, b| a == b)),
        (Binary::Less, false) => both(a, b, to, by_keys(|a, b| a < b)),
        (Binary::LessEqual, false) => both(a, b, to, by_keys(|a, b| a <= b)),
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

fn signed(of: impl Fn(i32, i32) -> i32) -> impl Fn(u32, u32) -> u32 {
    move |a, b| of(a.cast_signed(), b.cast_signed()).cast_unsigned()
}

fn of_signed(op: Binary, a: &Words, b: &Words, to: &mut Words) {
    match op {
        // As WGSL has it, nothing traps.
        Binary::Divide => both(a, b, to, signed(|a, b| if b == 0 { a } else { a.wrapping_div(b) })),
        Binary::Remainder => {
            both(a, b, to, signed(|a, b| if b == 0 { 0 } else { a.wrapping_rem(b) }));
        }
        Binary::ShiftRight => {
            both(a, b, to, |a, b| a.cast_signed().wrapping_shr(b).cast_unsigned())
        }
        Binary::Less => both(a, b, to, |a, b| mask(a.cast_signed() < b.cast_signed())),
        Binary::LessEqual => both(a, b, to, |a, b| mask(a.cast_signed() <= b.cast_signed())),
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
        Binary::Equal => both(a, b, to, |a, b| mask(a == b)),
        Binary::Less => both(a, b, to, |a, b| mask(a < b)),
        Binary::LessEqual => both(a, b, to, |a, b| mask(a <= b)),
        Binary::Min => both(a, b, to, u32::min),
        Binary::Max => both(a, b, to, u32::max),
    }
}

#[cfg(test)]
mod tests;
