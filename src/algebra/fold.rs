//! Folds of whole slices on the CPU, as loops that compilers make vector instructions of: without `unsafe`, and without
//! features that not every processor has.
//!
//! Where the order is free, several accumulators are under way at a time. f32 sums and products keep to
//! [`crate::algebra::order`]: after the rows of a block its columns combine as neighbours, then the neighbouring pairs, and so on.

use crate::algebra::float_environment;

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

/// Elements of f32s that are searched at a time: they stay in the nearest cache.
const SEARCHED: usize = 4096;

/// Looks for the extremum of `elements`, a part at a time, and folds what `key` makes of each part's. It is called with
/// NaN where there is one. `None` if comparisons can't be trusted, or there are too few elements for all this.
#[inline]
pub(crate) fn extremum(
    elements: &[f32],
    worst: f32,
    is_better: impl Fn(f32, f32) -> bool + Copy,
    merge_bits: impl Fn(u32, u32) -> u32 + Copy,
    key: impl Fn(f32) -> u32,
    combine: impl Fn(u32, u32) -> u32,
) -> Option<u32> {
    // Flushed subnormals compare as zeros.
    if elements.len() < 2 * WIDTH || !float_environment::is_default() {
        return None;
    }
    let key_of = |part: &[f32]| {
        let (value, has_nan) = extremum_of_part(part, worst, is_better);
        if has_nan {
            return key(f32::NAN);
        }
        if value != 0.0 {
            return key(value);
        }
        // Comparisons take either zero. None is better than a zero here, so the signs of all tell which there are.
        let bits = part.iter().fold(worst.to_bits(), |bits, x| merge_bits(bits, x.to_bits()));
        key(0f32.copysign(f32::from_bits(bits)))
    };
    elements.chunks(SEARCHED).map(key_of).reduce(combine)
}

/// An element that none is better than, of those that are not NaN, and whether there is a NaN.
#[inline]
fn extremum_of_part(
    elements: &[f32],
    worst: f32,
    is_better: impl Fn(f32, f32) -> bool,
) -> (f32, bool) {
    // Compilers know an instruction for just this.
    let better = |a, b| if is_better(a, b) { a } else { b };
    let (groups, rest) = elements.as_chunks::<{ 2 * WIDTH }>();
    let mut values = [worst; WIDTH];
    // All bits or none, as comparisons of vectors give them.
    let mut nans = [0; WIDTH];
    for group in groups {
        let (left, right) = group.split_at(WIDTH);
        for i in 0..WIDTH {
            let (a, b) = (left[i], right[i]);
            values[i] = better(b, better(a, values[i]));
            // One comparison finds a NaN on either side.
            nans[i] |= if a.is_nan() | b.is_nan() { u32::MAX } else { 0 };
        }
    }
    let has_nan = nans.into_iter().fold(0, |all, nan| all | nan) != 0;
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

/// Elements of a row of a block.
const COLUMNS: usize = 1024;
/// Elements of four rows: longer blocks go around.
const ROUND: usize = 4 * COLUMNS;
/// Columns that are folded at a time, halved two times.
const STRIP: usize = 128;
const STRIP_TOTALS: usize = STRIP / 4;
const AT_MOST_FOUR_ROWS: &str = "a round is of at most four rows";
/// Factors in [1, 2) that can be multiplied safely, with some to spare.
const MAX_FACTORS: usize = 64;

/// An operation on f32s in the order of [`crate::algebra::order`].
trait InOrder {
    /// What missing elements are.
    const MISSING: f32;

    fn combine(a: f32, b: f32) -> f32;

    /// The elements of columns, rows combined: 0 and 2, 1 and 3, then both.
    fn columns<const ROWS: usize, const N: usize>(&mut self, rows: [&[f32; N]; ROWS]) -> [f32; N];

    /// Called with totals of one column or two, and again before [`MAX_FACTORS`] of its results combine.
    fn normalize<const N: usize>(&mut self, _totals: &mut [f32; N]) {}

    /// Combines a round of a block, or its begin, with what came before.
    fn next_round(&mut self, accumulators: &mut [f32], elements: &[f32]);
}

/// The fixed order's result for one block.
#[inline]
fn in_order<Op: InOrder>(op: &mut Op, block: &[f32]) -> f32 {
    if block.len() <= ROUND { round(op, block) } else { rounds(op, block) }
}

#[inline(never)]
fn rounds<Op: InOrder>(op: &mut Op, block: &[f32]) -> f32 {
    let mut accumulators = [Op::MISSING; ROUND];
    for elements in block.chunks(ROUND) {
        op.next_round(&mut accumulators[..elements.len()], elements);
    }
    round(op, &accumulators)
}

#[inline]
fn round<Op: InOrder>(op: &mut Op, elements: &[f32]) -> f32 {
    match elements.len() {
        0 => Op::MISSING,
        1 => few::<_, 1>(op, elements),
        2 => few::<_, 2>(op, elements),
        3..=4 => few::<_, 4>(op, elements),
        5..=8 => few::<_, 8>(op, elements),
        9..=16 => few::<_, 16>(op, elements),
        17..=32 => few::<_, 32>(op, elements),
        33..=64 => few::<_, 64>(op, elements),
        65..=128 => few::<_, 128>(op, elements),
        129..=256 => few::<_, 256>(op, elements),
        257..=COLUMNS => strips::<_, 1>(op, elements),
        1025..=2048 => strips::<_, 2>(op, elements),
        2049..=3072 => strips::<_, 3>(op, elements),
        _ => strips::<_, 4>(op, elements),
    }
}

/// At most `N` columns of one row.
#[inline]
fn few<Op: InOrder, const N: usize>(op: &mut Op, row: &[f32]) -> f32
where
    [f32; N]: Total,
{
    let mut columns = match row.try_into() {
        Ok(row) => op.columns([row]),
        Err(_) => op.columns([&padded::<Op, N>(row)]),
    };
    op.normalize(&mut columns);
    columns.total(op)
}

/// `ROWS` rows of which only the last may be incomplete.
#[inline(never)]
fn strips<Op: InOrder, const ROWS: usize>(op: &mut Op, elements: &[f32]) -> f32 {
    let (whole, last) = elements.split_at((ROWS - 1) * COLUMNS);
    let count = elements.len().min(COLUMNS).div_ceil(STRIP);
    let mut totals = [Op::MISSING; COLUMNS / STRIP * STRIP_TOTALS];
    let (strips, _) = totals.as_chunks_mut::<STRIP_TOTALS>();
    for (strip, totals) in strips.iter_mut().enumerate().take(count) {
        let begin = strip * STRIP;
        let last = &last[begin.min(last.len())..last.len().min(begin + STRIP)];
        let padding;
        let last = match last.try_into() {
            Ok(last) => last,
            Err(_) => {
                padding = padded::<Op, STRIP>(last);
                &padding
            }
        };
        let mut rows = [last; ROWS];
        for (row, elements) in rows.iter_mut().zip(whole.chunks_exact(COLUMNS)) {
            *row = elements[begin..begin + STRIP].try_into().expect("of this length");
        }
        let mut halves: [f32; STRIP / 2] = halved::<Op, _, _>(&op.columns(rows));
        op.normalize(&mut halves);
        *totals = halved::<Op, _, _>(&halves);
    }
    totals.total(op)
}

/// A copy of `elements`, with missing ones.
#[inline]
fn padded<Op: InOrder, const N: usize>(elements: &[f32]) -> [f32; N] {
    let mut padded = [Op::MISSING; N];
    padded[..elements.len()].copy_from_slice(elements);
    padded
}

/// Combines pairs of neighbours: `N` is twice `HALF`.
#[inline]
fn halved<Op: InOrder, const N: usize, const HALF: usize>(values: &[f32; N]) -> [f32; HALF] {
    let mut halved = [0.0; HALF];
    for (half, [left, right]) in halved.iter_mut().zip(values.as_chunks().0) {
        *half = Op::combine(*left, *right);
    }
    halved
}

/// Combines pairs of neighbours until one value is left.
trait Total {
    fn total<Op: InOrder>(&self, op: &mut Op) -> f32;
}

impl Total for [f32; 1] {
    #[inline]
    fn total<Op: InOrder>(&self, _op: &mut Op) -> f32 {
        self[0]
    }
}

// One function for each length: with a length that varies they would be no vector instructions.
macro_rules! total_of_halves {
    ($($n:literal)*) => {$(
        impl Total for [f32; $n] {
            #[inline]
            fn total<Op: InOrder>(&self, op: &mut Op) -> f32 {
                let mut halved: [f32; $n / 2] = halved::<Op, _, _>(self);
                if $n == 2 * MAX_FACTORS {
                    op.normalize(&mut halved);
                }
                halved.total(op)
            }
        }
    )*};
}

total_of_halves!(2 4 8 16 32 64 128 256);

struct Sum;

impl InOrder for Sum {
    const MISSING: f32 = 0.0;

    #[inline]
    fn combine(a: f32, b: f32) -> f32 {
        a + b
    }

    #[inline]
    fn columns<const ROWS: usize, const N: usize>(&mut self, rows: [&[f32; N]; ROWS]) -> [f32; N] {
        let mut columns = [0.0; N];
        for (i, column) in columns.iter_mut().enumerate() {
            *column = match *rows.as_slice() {
                [a, b, c, d] => (a[i] + c[i]) + (b[i] + d[i]),
                [a, b, c] => (a[i] + c[i]) + b[i],
                [a, b] => a[i] + b[i],
                [a] => a[i],
                _ => unreachable!("{AT_MOST_FOUR_ROWS}"),
            };
        }
        columns
    }

    #[inline]
    fn next_round(&mut self, accumulators: &mut [f32], elements: &[f32]) {
        for (acc, &element) in accumulators.iter_mut().zip(elements) {
            *acc += element;
        }
    }
}

/// The sum of a block in the order of [`crate::algebra::order`], or −0 in place of +0. `None` if additions can't be trusted.
#[inline]
pub(crate) fn sum(block: &[f32]) -> Option<f32> {
    match *block {
        [element] => Some(element),
        _ => float_environment::is_default().then(|| in_order(&mut Sum, block)),
    }
}

/// Significands, most of the time in [1, 2), whose exponents and signs are here.
///
/// Multiplications round significands the same at any exponent that is neither subnormal nor infinite. So exponents are
/// taken out only now and then: a column is in [2^-32, 2^32), and 64 factors in [1, 2) are less than 2^64.
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

const ONE_BITS: u32 = 0x3f80_0000;
const FRACTION_MASK: u32 = 0x007f_ffff;
const SIGN_BIT: u32 = 0x8000_0000;
const BIAS: u64 = 127;

impl Product {
    /// Takes out exponent and sign of each value. They are finite, and none is subnormal.
    #[inline]
    fn take_out(&mut self, values: &mut [f32]) {
        let (mut signs, mut fields) = (0, 0);
        for value in &mut *values {
            let bits = value.to_bits();
            signs ^= bits;
            // At most a few thousand of 255.
            fields += bits << 1 >> 24;
            *value = f32::from_bits(bits & FRACTION_MASK | ONE_BITS);
        }
        self.signs ^= signs;
        self.fields += u64::from(fields);
        self.count += values.len() as u64;
    }

    /// Bits that are not 0 if the magnitude is not in [2^-16, 2^16): of exponent fields 111 to 142, less 111, the upper
    /// three bits are 0. Others are zeros, subnormals, infinities and NaNs, or would make such.
    #[inline]
    fn range_bits(value: f32) -> u32 {
        value.to_bits().wrapping_sub(111 << 23) & 0x7000_0000
    }
}

impl InOrder for Product {
    const MISSING: f32 = 1.0;

    #[inline]
    fn combine(a: f32, b: f32) -> f32 {
        a * b
    }

    #[inline]
    fn columns<const ROWS: usize, const N: usize>(&mut self, rows: [&[f32; N]; ROWS]) -> [f32; N] {
        let mut columns = [0.0; N];
        let mut out_of_range = 0;
        for (i, column) in columns.iter_mut().enumerate() {
            // Products of two rows are in range, or found out: of which factors does not matter.
            let mut in_range = |value: f32| {
                out_of_range |= Self::range_bits(value);
                value
            };
            *column = match *rows.as_slice() {
                [a, b, c, d] => in_range(a[i] * c[i]) * in_range(b[i] * d[i]),
                [a, b, c] => in_range(a[i] * c[i]) * in_range(b[i]),
                [a, b] => in_range(a[i] * b[i]),
                [a] => in_range(a[i]),
                _ => unreachable!("{AT_MOST_FOUR_ROWS}"),
            };
        }
        self.out_of_range |= out_of_range;
        columns
    }

    #[inline]
    fn normalize<const N: usize>(&mut self, totals: &mut [f32; N]) {
        self.take_out(totals);
    }

    #[inline]
    fn next_round(&mut self, accumulators: &mut [f32], elements: &[f32]) {
        let mut out_of_range = 0;
        for (acc, &element) in accumulators.iter_mut().zip(elements) {
            out_of_range |= Self::range_bits(element);
            *acc *= element;
        }
        self.out_of_range |= out_of_range;
        self.take_out(accumulators);
    }
}

/// The product of a block in the order of [`crate::algebra::order`]: sign, significand in [1, 2), and exponent. `None` if
/// multiplications can't be trusted, or elements are too large or too small for this.
#[inline]
pub(crate) fn product(block: &[f32]) -> Option<(u32, f32, i64)> {
    if !float_environment::is_default() {
        return None;
    }
    let mut op = Product::default();
    let mut total = [in_order(&mut op, block)];
    op.take_out(&mut total);
    (op.out_of_range == 0).then(|| {
        let exponent = op.fields.cast_signed() - (BIAS * op.count).cast_signed();
        (op.signs & SIGN_BIT, total[0], exponent)
    })
}
