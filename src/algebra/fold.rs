//! Folds of whole slices on the CPU, as loops that compilers make vector instructions of: without `unsafe`, and without
//! features that not every processor has.
//!
//! Where the order is free, several accumulators are under way at a time. Sums and products of floats keep to
//! [`crate::order`]: neighbours combine, then the neighbouring pairs, and so on.

use crate::algebra::{float::Float, float_environment};
use std::marker::PhantomData;

/// Accumulators of a fold in any order: four vectors of the narrowest instructions.
const WIDTH: usize = 16;

/// Folds `elements` in any order.
#[inline]
pub(crate) fn in_any_order<T: Copy>(
    elements: &[T],
    identity: T,
    combine: impl Fn(T, T) -> T + Copy,
) -> T {
    let (groups, rest) = elements.as_chunks::<WIDTH>();
    let rest = rest.iter().fold(identity, |acc, &element| combine(acc, element));
    let Some((&first, groups)) = groups.split_first() else {
        return rest;
    };
    let mut accumulators = first;
    for group in groups {
        for (acc, &element) in accumulators.iter_mut().zip(group) {
            *acc = combine(*acc, element);
        }
    }
    accumulators.into_iter().fold(rest, combine)
}

/// Folds `elements` in any order, one by one: compilers know better how many products of integers to have under way.
#[inline]
pub(crate) fn one_by_one<T: Copy>(
    elements: &[T],
    identity: T,
    combine: impl Fn(T, T) -> T + Copy,
) -> T {
    elements.iter().fold(identity, |acc, &element| combine(acc, element))
}

/// Floats that are searched at a time: they stay in the nearest cache.
const SEARCHED: usize = 4096;

/// Looks for the extremum of `elements`, a part at a time, and folds what `key` makes of each part's. It is called with
/// NaN where there is one. `None` if comparisons can't be trusted, or there are too few elements for all this.
#[inline]
pub(crate) fn extremum<F: Float>(
    elements: &[F],
    worst: F,
    is_better: impl Fn(F, F) -> bool + Copy,
    merge_bits: impl Fn(F::Bits, F::Bits) -> F::Bits + Copy,
    key: impl Fn(F) -> F::Bits,
    combine: impl Fn(F::Bits, F::Bits) -> F::Bits,
) -> Option<F::Bits> {
    // Flushed subnormals compare as zeros.
    if elements.len() < 2 * WIDTH || !float_environment::is_default() {
        return None;
    }
    let key_of = |part: &[F]| {
        let (value, has_nan) = extremum_of_part(part, worst, is_better);
        if has_nan {
            return key(F::NAN);
        }
        if value != F::default() {
            return key(value);
        }
        // Comparisons take either zero. No element beats a zero here, so the signs of all elements tell which zeros there are.
        let bits = part.iter().fold(worst.to_bits(), |bits, x| merge_bits(bits, x.to_bits()));
        key(F::zero_like(bits))
    };
    elements.chunks(SEARCHED).map(key_of).reduce(combine)
}

/// An element that none is better than, of those that are not NaN, and whether there is a NaN.
#[inline]
fn extremum_of_part<F: Float>(
    elements: &[F],
    worst: F,
    is_better: impl Fn(F, F) -> bool,
) -> (F, bool) {
    // Compilers know an instruction for just this.
    let better = |a, b| if is_better(a, b) { a } else { b };
    let (groups, rest) = elements.as_chunks::<{ 2 * WIDTH }>();
    let mut values = [worst; WIDTH];
    // All bits or none, as comparisons of vectors give them.
    let mut nans = [F::Bits::default(); WIDTH];
    for group in groups {
        let (left, right) = group.split_at(WIDTH);
        for i in 0..WIDTH {
            let (a, b) = (left[i], right[i]);
            values[i] = better(b, better(a, values[i]));
            // One comparison finds a NaN on either side.
            let is_nan = a.is_nan() | b.is_nan();
            nans[i] = nans[i] | if is_nan { F::ALL_BITS } else { F::Bits::default() };
        }
    }
    let nothing = F::Bits::default();
    let has_nan = nans.into_iter().fold(nothing, |all, nan| all | nan) != nothing;
    let mut count = WIDTH;
    while count > 1 {
        count /= 2;
        for i in 0..count {
            values[i] = better(values[i], values[i + count]);
        }
    }
    rest.iter().fold((values[0], has_nan), |(value, has_nan), &element| {
        (better(element, value), has_nan | element.is_nan())
    })
}

/// Elements of a fold in order at most. They stay in the nearest cache.
pub(crate) const MAX_IN_ORDER: usize = 4096;

/// An operation on floats in the order of [`crate::order`].
trait InOrder {
    type Float: Float;

    /// The result for no elements.
    fn of_nothing() -> Self::Float;

    fn combine(a: Self::Float, b: Self::Float) -> Self::Float;

    /// Called with each pair's total, or with an element that is in none.
    fn check(&mut self, _totals: &[Self::Float]) {}

    /// Called with totals of eight elements or fewer, and again before more than [`MAX_FACTORS`] of its results combine.
    fn normalize(&mut self, _totals: &mut [Self::Float]) {}
}

/// The result for at most [`MAX_IN_ORDER`] elements: the left fold of their runs, the longest first.
#[inline]
fn in_order<Op: InOrder>(op: &mut Op, elements: &[Op::Float]) -> Op::Float {
    let (mut total, mut rest) = (None, elements);
    while let Some(level) = rest.len().checked_ilog2() {
        let (run, later) = rest.split_at(1 << level);
        let next = run_total(op, run);
        total = Some(total.map_or(next, |total| Op::combine(total, next)));
        rest = later;
    }
    total.unwrap_or(Op::of_nothing())
}

/// The total of a run, whose length is a power of two.
#[inline]
fn run_total<Op: InOrder>(op: &mut Op, run: &[Op::Float]) -> Op::Float {
    let mut total = match *run {
        [element] => {
            op.check(&[element]);
            [element]
        }
        [a, b] => {
            let pair = halved::<Op, _, 1>(&[a, b]);
            op.check(&pair);
            pair
        }
        [a, b, c, d] => {
            let pairs = halved::<Op, _, 2>(&[a, b, c, d]);
            op.check(&pairs);
            halved::<Op, _, 1>(&pairs)
        }
        _ => match run.len() {
            8 => few::<_, 8, 4, 2, 1>(op, run),
            16 => few::<_, 16, 8, 4, 2>(op, run),
            32 => few::<_, 32, 16, 8, 4>(op, run),
            64 => few::<_, 64, 32, 16, 8>(op, run),
            128 => few::<_, 128, 64, 32, 16>(op, run),
            256 => few::<_, 256, 128, 64, 32>(op, run),
            512 => few::<_, 512, 256, 128, 64>(op, run),
            _ => many(op, run),
        },
    };
    op.normalize(&mut total);
    total[0]
}

/// The total of a run of `N` elements.
#[inline]
fn few<Op: InOrder, const N: usize, const HALF: usize, const QUARTER: usize, const EIGHTH: usize>(
    op: &mut Op,
    run: &[Op::Float],
) -> [Op::Float; 1]
where
    [Op::Float; EIGHTH]: Total<Op>,
{
    let run: &[Op::Float; N] = run.try_into().expect("of this length");
    let pairs: [Op::Float; HALF] = halved::<Op, _, _>(run);
    op.check(&pairs);
    let quads: [Op::Float; QUARTER] = halved::<Op, _, _>(&pairs);
    let mut eights: [Op::Float; EIGHTH] = halved::<Op, _, _>(&quads);
    op.normalize(&mut eights);
    [Total::<Op>::total(&eights)]
}

/// The total of a run of at least 1024 elements.
#[inline(never)]
fn many<Op: InOrder>(op: &mut Op, run: &[Op::Float]) -> [Op::Float; 1] {
    if run.len() > STRIPS * STRIP {
        let (left, right) = run.split_at(run.len() / 2);
        let ([left], [right]) = (many(op, left), many(op, right));
        return [Op::combine(left, right)];
    }
    let mut totals = [Op::Float::default(); STRIPS * LANES];
    for (totals, strip) in totals.as_chunks_mut().0.iter_mut().zip(run.as_chunks::<STRIP>().0) {
        *totals =
            in_lanes(op, |begin, vector| vector.copy_from_slice(&strip[begin..begin + LANES]));
    }
    op.normalize(&mut totals);
    let mut total = [Total::<Op>::total(&totals)];
    op.normalize(&mut total);
    total
}

/// The lanes of the narrowest vectors.
const LANES: usize = 4;
/// Elements that each lane folds at a time.
const QUARTER: usize = 32;
/// Elements that all of them do.
const STRIP: usize = LANES * QUARTER;
/// Strips whose totals are folded together.
const STRIPS: usize = 8;

/// The totals of each quarter of a strip, a run as well. Each lane of a vector folds a quarter: only on the first two
/// levels neighbours lie in different lanes, and have to be shuffled. `load` is told where in the strip a vector begins.
#[inline]
fn in_lanes<Op: InOrder>(
    op: &mut Op,
    load: impl Fn(usize, &mut [Op::Float; LANES]),
) -> [Op::Float; LANES] {
    // A vector of each quarter's elements, another of each, ….
    let mut elements = [Op::Float::default(); STRIP];
    for (i, vectors) in elements.as_chunks_mut::<{ LANES * LANES }>().0.iter_mut().enumerate() {
        for (lane, vector) in vectors.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
            load(lane * QUARTER + i * LANES, vector);
        }
    }
    let pairs: [Op::Float; STRIP / 2] = halved::<Op, _, _>(&elements);
    op.check(&pairs);
    let quads: [Op::Float; STRIP / 4] = halved::<Op, _, _>(&pairs);
    let mut eights: [Op::Float; STRIP / 8] = by_lane::<Op, _, _>(&quads);
    op.normalize(&mut eights);
    let halves: [Op::Float; STRIP / 16] = by_lane::<Op, _, _>(&eights);
    by_lane::<Op, _, _>(&halves)
}

/// Combines pairs of neighbouring vectors, lane by lane.
#[inline]
fn by_lane<Op: InOrder, const N: usize, const HALF: usize>(
    values: &[Op::Float; N],
) -> [Op::Float; HALF] {
    let mut combined = [Op::Float::default(); HALF];
    let vectors = values.as_chunks::<LANES>().0.as_chunks().0;
    for (combined, [left, right]) in combined.as_chunks_mut::<LANES>().0.iter_mut().zip(vectors) {
        for lane in 0..LANES {
            combined[lane] = Op::combine(left[lane], right[lane]);
        }
    }
    combined
}

/// Combines pairs of neighbours: `N` is twice `HALF`.
#[inline]
fn halved<Op: InOrder, const N: usize, const HALF: usize>(
    values: &[Op::Float; N],
) -> [Op::Float; HALF] {
    let mut halved = [Op::Float::default(); HALF];
    for (half, [left, right]) in halved.iter_mut().zip(values.as_chunks().0) {
        *half = Op::combine(*left, *right);
    }
    halved
}

/// Combines pairs of neighbours until one value is left.
trait Total<Op: InOrder> {
    fn total(&self) -> Op::Float;
}

impl<Op: InOrder> Total<Op> for [Op::Float; 1] {
    #[inline]
    fn total(&self) -> Op::Float {
        self[0]
    }
}

// One function for each length: with a length that varies they would be no vector instructions.
macro_rules! total_of_halves {
    ($($n:literal)*) => {$(
        impl<Op: InOrder> Total<Op> for [Op::Float; $n] {
            #[inline]
            fn total(&self) -> Op::Float {
                let halved: [Op::Float; $n / 2] = halved::<Op, _, _>(self);
                Total::<Op>::total(&halved)
            }
        }
    )*};
}

total_of_halves!(2 4 8 16 32 64);

struct Sum<F>(PhantomData<F>);

impl<F: Float> InOrder for Sum<F> {
    type Float = F;

    #[inline]
    fn of_nothing() -> F {
        F::default()
    }

    #[inline]
    fn combine(a: F, b: F) -> F {
        a + b
    }
}

/// The sum of at most [`MAX_IN_ORDER`] elements in the order of [`crate::order`], where the float environment is
/// the default.
#[inline]
pub(crate) fn sum<F: Float>(elements: &[F]) -> F {
    in_order(&mut Sum(PhantomData), elements)
}

/// The sum of the products of elements at the same places, of at most [`MAX_IN_ORDER`] on either side, in the order of
/// [`crate::order`], where the float environment is the default.
#[inline]
pub(crate) fn dot<F: Float>(left: &[F], right: &[F]) -> F {
    let (mut total, mut rest) = (None, (left, right));
    while let Some(level) = rest.0.len().checked_ilog2() {
        let (left, later_left) = rest.0.split_at(1 << level);
        let (right, later_right) = rest.1.split_at(1 << level);
        let next = dot_of_run(left, right);
        total = Some(total.map_or(next, |total| total + next));
        rest = (later_left, later_right);
    }
    total.unwrap_or_default()
}

/// The same of a run.
#[inline]
fn dot_of_run<F: Float>(left: &[F], right: &[F]) -> F {
    match left.len() {
        1 => left[0] * right[0],
        2 => dot_of::<F, 2>(left, right),
        4 => dot_of::<F, 4>(left, right),
        8 => dot_of::<F, 8>(left, right),
        16 => dot_of::<F, 16>(left, right),
        32 => dot_of::<F, 32>(left, right),
        64 => dot_of::<F, 64>(left, right),
        128 => dot_of::<F, 128>(left, right),
        256 => dot_of::<F, 256>(left, right),
        512 => dot_of::<F, 512>(left, right),
        len => dot_of_many(left, right, len),
    }
}

/// The products first: they stay in the nearest cache.
#[inline]
fn dot_of<F: Float, const N: usize>(left: &[F], right: &[F]) -> F {
    let left: &[F; N] = left.try_into().expect("of this length");
    let right: &[F; N] = right.try_into().expect("of the same length");
    let products: [F; N] = std::array::from_fn(|i| left[i] * right[i]);
    run_total(&mut Sum(PhantomData), &products)
}

#[inline(never)]
fn dot_of_many<F: Float>(left: &[F], right: &[F], len: usize) -> F {
    if len > STRIPS * STRIP {
        let (left, later_left) = left.split_at(len / 2);
        let (right, later_right) = right.split_at(len / 2);
        return dot_of_many(left, right, len / 2) + dot_of_many(later_left, later_right, len / 2);
    }
    let mut totals = [F::default(); STRIPS * LANES];
    let strips = left.as_chunks::<STRIP>().0.iter().zip(right.as_chunks::<STRIP>().0);
    for (totals, (left, right)) in totals.as_chunks_mut().0.iter_mut().zip(strips) {
        *totals = in_lanes(&mut Sum(PhantomData), |begin, vector: &mut [F; LANES]| {
            let left = &left[begin..begin + LANES];
            let right = &right[begin..begin + LANES];
            for lane in 0..LANES {
                vector[lane] = left[lane] * right[lane];
            }
        });
    }
    Total::<Sum<F>>::total(&totals)
}

/// Factors in [1, 2) that can be multiplied safely, with some to spare.
const MAX_FACTORS: usize = 64;
const _: () =
    assert!(STRIPS * LANES <= MAX_FACTORS && MAX_IN_ORDER.ilog2() as usize <= MAX_FACTORS);

/// Significands, most of the time in [1, 2), whose exponents and signs are here.
///
/// Multiplications round significands the same at any exponent that is neither subnormal nor infinite. So exponents are
/// taken out only now and then: a product of eight elements is in [2^-64, 2^64), and 64 factors in [1, 2) are less than
/// 2^64.
#[derive(Default)]
struct Product {
    /// Signs of all that was taken out, by exclusive or, in the highest bit.
    signs: u32,
    /// The sum of the exponent fields that were taken out.
    fields: u64,
    /// How many there were.
    count: u64,
    /// Bits of exponents out of range, which make the result worthless.
    out_of_range: u32,
}

const FRACTION_MASK: u32 = 0x007f_ffff;
const ONE_BITS: u32 = 0x3f80_0000;
const SIGN_BIT: u32 = 0x8000_0000;
const BIAS: u64 = 127;

impl InOrder for Product {
    type Float = f32;

    #[inline]
    fn of_nothing() -> f32 {
        1.0
    }

    #[inline]
    fn combine(a: f32, b: f32) -> f32 {
        a * b
    }

    /// Looks for magnitudes out of [2^-16, 2^16), also of zeros, infinities and NaNs. Where a product of two is in range
    /// and normal, it does not matter what its factors are.
    #[inline]
    fn check(&mut self, totals: &[f32]) {
        for total in totals {
            // Of exponent fields 111 to 142, less 111, the upper three bits are 0.
            self.out_of_range |= total.to_bits().wrapping_sub(111 << 23) & 0x7000_0000;
        }
    }

    /// Takes out exponent and sign of each. They are normal, or the result is worthless.
    #[inline]
    fn normalize(&mut self, totals: &mut [f32]) {
        let (mut signs, mut fields) = (0, 0);
        for total in &mut *totals {
            let bits = total.to_bits();
            signs ^= bits;
            // At most a few hundred of 255.
            fields += bits << 1 >> 24;
            *total = f32::from_bits(bits & FRACTION_MASK | ONE_BITS);
        }
        self.signs ^= signs;
        self.fields += u64::from(fields);
        self.count += totals.len() as u64;
    }
}

/// A product's flags, the first of which is the sign, its significand in [1, 2), and its exponent.
type Parts = (u32, f32, i64);

/// The product of at most [`MAX_IN_ORDER`] elements in the order of [`crate::order`], where the float environment
/// is the default. `lift` gives the parts of an element.
#[inline]
pub(crate) fn product(elements: &[f32], lift: impl Fn(f32) -> Parts) -> Parts {
    product_in_range(elements).unwrap_or_else(|| product_of_significands(elements, lift))
}

/// `None` if elements are too large or too small to be multiplied as they are.
#[inline]
fn product_in_range(elements: &[f32]) -> Option<Parts> {
    let mut op = Product::default();
    let mut total = [in_order(&mut op, elements)];
    op.normalize(&mut total);
    (op.out_of_range == 0).then(|| {
        let exponent = op.fields.cast_signed() - (BIAS * op.count).cast_signed();
        (op.signs & SIGN_BIT, total[0], exponent)
    })
}

#[inline(never)]
fn product_of_significands(elements: &[f32], lift: impl Fn(f32) -> Parts) -> Parts {
    let (mut signs, mut specials, mut exponents) = (0, 0, 0);
    let lift_significand = |&element: &f32| {
        let (flags, significand, exponent) = lift(element);
        signs ^= flags;
        specials |= flags;
        exponents += exponent;
        significand
    };
    let significands: Vec<f32> = elements.iter().map(lift_significand).collect();
    let (_, total, exponent) = product_in_range(&significands).expect("all are in [1, 2)");
    (signs & SIGN_BIT | specials & !SIGN_BIT, total, exponents + exponent)
}
