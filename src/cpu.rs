//! The same reductions on the CPU, with the same bits.

use crate::{
    algebra::{
        element::Element,
        float_environment,
        operator::Operator,
        order::{Blocks, MIN_ROWS, ROW_ITEMS},
        precision::Precision,
    },
    error::PrepareError,
};
use std::ops::Range;

#[cfg(not(target_arch = "wasm32"))]
use crate::reduce::plan::count;

/// Columns of a block: a lane has four.
const COLUMNS: usize = 1024;
/// Accumulators of a block: row r goes to accumulators `r % 4 * COLUMNS ..`.
const ACCUMULATORS: usize = 4 * COLUMNS;
const _: () = assert!(COLUMNS as u64 == ROW_ITEMS && ACCUMULATORS as u64 == MIN_ROWS * ROW_ITEMS);

/// Reduces `slices` as one sequence, in the order of [`crate::algebra::order`], on every core if the feature
/// `parallel` is on.
#[inline]
pub fn reduce<T: Element, Op: Operator<T>>(slices: &[&[T]]) -> Op::Value {
    Op::value(Op::finish(total::<T, Op>(slices)), len(slices))
}

/// Elements of all slices.
#[inline]
fn len<T>(slices: &[&[T]]) -> u64 {
    slices.iter().map(|slice| slice.len() as u64).sum()
}

/// Reduces `slices` as one sequence, to a result that promises `precision`, or more.
///
/// # Errors
///
/// [`PrepareError::Imprecise`] if the operator has no such results.
#[inline]
pub(crate) fn reduce_at<T: Element, Op: Operator<T>>(
    precision: Precision,
    slices: &[&[T]],
) -> Result<Op::Value, PrepareError> {
    if !is_exact::<T, Op>(precision) {
        return Ok(reduce::<T, Op>(slices));
    }
    exact_at::<T, Op>(precision, slices)
}

/// Apart, so that what needs it not is small.
#[inline(never)]
fn exact_at<T: Element, Op: Operator<T>>(
    precision: Precision,
    slices: &[&[T]],
) -> Result<Op::Value, PrepareError> {
    let (operator, element) = (Op::SPEC.operator, T::TYPE);
    let imprecise = PrepareError::Imprecise { operator, element, precision };
    let result = Op::exact_result(slices).ok_or(imprecise)?;
    Ok(Op::value(result, len(slices)))
}

/// Whether the fixed order is not enough. Order-free operators are exact in any.
#[inline]
fn is_exact<T: Element, Op: Operator<T>>(precision: Precision) -> bool {
    precision.kept_by(Op::SPEC.operator, T::TYPE).is_none_or(|kept| kept == Precision::Exact)
        && (!Op::SPEC.order_free || Op::SPEC.is_always_exact())
}

/// For executors, which are not on the web: how [`reduce_at`] works on `len` elements: in a line, and in sentences.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn describe<T: Element, Op: Operator<T>>(
    precision: Precision,
    len: u64,
) -> (String, String) {
    let blocks = Blocks::of(len);
    if is_exact::<T, Op>(precision) {
        return describe_exact();
    }
    let threads = count(threads() as u64, "thread");
    let line = format!("cpu, {threads}, {} x {}", blocks.count, blocks.block_items());
    let mut sentences = format!(
        "The CPU folds {} of {} elements on up to {threads}, in the same order as a GPU",
        count(blocks.count, "block"),
        blocks.block_items(),
    );
    sentences += if blocks.count > 1 { ", and then their partials." } else { "." };
    (line, sentences)
}

/// How the CPU adds without rounding: in a line, and in a sentence.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn describe_exact() -> (String, String) {
    let threads = count(threads() as u64, "thread");
    let line = format!("cpu, exact, {threads}");
    let sentence =
        format!("The CPU adds without rounding, on up to {threads}, and rounds the result: once.");
    (line, sentence)
}

#[cfg(any(feature = "parallel", not(target_arch = "wasm32")))]
fn threads() -> usize {
    #[cfg(feature = "parallel")]
    {
        rayon::current_num_threads()
    }
    #[cfg(not(feature = "parallel"))]
    {
        1
    }
}

/// Elements that the other threads have to take over before they are woken, which takes as long as folding some hundred
/// thousand, and longer where other programs use the cores.
#[cfg(feature = "parallel")]
const SHARED_ITEMS: usize = 3 << 18;
/// Elements of a thread's part, about.
#[cfg(feature = "parallel")]
const PART_ITEMS: usize = 1 << 16;

#[cfg(feature = "parallel")]
fn is_worth_threads(len: usize) -> bool {
    len - len / threads() >= SHARED_ITEMS
}

#[inline]
fn total<T: Element, Op: Operator<T>>(slices: &[&[T]]) -> Op::Acc {
    if Op::SPEC.order_free {
        return match slices {
            [slice] => total_in_any_order::<T, Op>(slice),
            _ => slices
                .iter()
                .map(|slice| total_in_any_order::<T, Op>(slice))
                .fold(Op::identity(), Op::combine),
        };
    }
    if let [slice] = slices
        && slice.len() <= ACCUMULATORS
        && let Some(total) = Op::fold(slice)
    {
        return total;
    }
    total_in_order::<T, Op>(slices)
}

#[inline]
fn total_in_any_order<T: Element, Op: Operator<T>>(elements: &[T]) -> Op::Acc {
    #[cfg(feature = "parallel")]
    if is_worth_threads(elements.len()) {
        return total_by_threads::<T, Op>(elements);
    }
    part_in_any_order::<T, Op>(elements)
}

#[cfg(feature = "parallel")]
fn total_by_threads<T: Element, Op: Operator<T>>(elements: &[T]) -> Op::Acc {
    let mut total = Op::identity();
    share(
        elements.len().div_ceil(PART_ITEMS),
        |part| {
            let rest = &elements[part * PART_ITEMS..];
            part_in_any_order::<T, Op>(&rest[..rest.len().min(PART_ITEMS)])
        },
        |_, part_total| total = Op::combine(total, part_total),
    );
    total
}

/// Calls `fold` for each part, on every core, and `keep` with what it returns, in any order.
///
/// The caller begins at once, and others join in when they have woken up.
#[cfg(feature = "parallel")]
fn share<R>(parts: usize, fold: impl Fn(usize) -> R + Sync, keep: impl FnMut(usize, R) + Send) {
    use std::sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    };
    let next = AtomicUsize::new(0);
    let keep = Mutex::new(keep);
    let work = || {
        loop {
            let part = next.fetch_add(1, Ordering::Relaxed);
            if part >= parts {
                break;
            }
            let folded = fold(part);
            // Where one thread has panicked, the scope panics, and nobody sees what was kept.
            keep.lock().unwrap_or_else(PoisonError::into_inner)(part, folded);
        }
    };
    rayon::in_place_scope(|scope| {
        for _ in 1..threads().min(parts) {
            scope.spawn(|_| work());
        }
        work();
    });
}

#[inline]
fn part_in_any_order<T: Element, Op: Operator<T>>(elements: &[T]) -> Op::Acc {
    Op::fold(elements).unwrap_or_else(|| {
        elements.iter().fold(Op::identity(), |acc, &element| Op::combine(acc, Op::lift(element)))
    })
}

#[inline(never)]
fn total_in_order<T: Element, Op: Operator<T>>(slices: &[&[T]]) -> Op::Acc {
    let len = len(slices);
    let blocks = Blocks::of(len);
    let mut partials = partials::<T, Op>(slices, len, blocks);
    if float_environment::is_default() {
        tree_total::<T, Op>(&mut partials, Op::combine)
    } else {
        tree_total::<T, Op>(&mut partials, Op::combine_in_integers)
    }
}

fn partials<T: Element, Op: Operator<T>>(
    slices: &[&[T]],
    len: u64,
    blocks: Blocks,
) -> Vec<Op::Acc> {
    let partial = |block: u64| {
        let begin = block * blocks.block_items();
        block_total::<T, Op>(slices, begin..len.min(begin + blocks.block_items()))
    };
    #[cfg(feature = "parallel")]
    if usize::try_from(len).is_ok_and(is_worth_threads) {
        let part_blocks = (PART_ITEMS as u64 / blocks.block_items()).max(1);
        let parts = usize::try_from(blocks.count.div_ceil(part_blocks)).expect("few");
        let mut partials = vec![Op::identity(); usize::try_from(blocks.count).expect("few")];
        share(
            parts,
            |part| {
                let begin = part as u64 * part_blocks;
                let end = blocks.count.min(begin + part_blocks);
                (begin..end).map(partial).collect::<Vec<_>>()
            },
            |part, folded| {
                let begin = part * usize::try_from(part_blocks).expect("few");
                partials[begin..begin + folded.len()].copy_from_slice(&folded);
            },
        );
        return partials;
    }
    (0..blocks.count).map(partial).collect()
}

/// Folds the elements of one block, counted over all slices.
fn block_total<T: Element, Op: Operator<T>>(slices: &[&[T]], elements: Range<u64>) -> Op::Acc {
    // A worker's environment may be another than the caller's: each block asks.
    if let Some(elements) = within_one_slice(slices, &elements)
        && let Some(total) = Op::fold(elements)
    {
        total
    } else if float_environment::is_default() {
        block_total_by::<T, Op>(slices, elements, Op::combine)
    } else {
        block_total_by::<T, Op>(slices, elements, Op::combine_in_integers)
    }
}

/// The elements of a range, counted over all slices, if one slice has them all.
fn within_one_slice<'a, T>(slices: &[&'a [T]], elements: &Range<u64>) -> Option<&'a [T]> {
    let mut slice_begin = 0;
    for &slice in slices {
        let slice_end = slice_begin + slice.len() as u64;
        if elements.start < slice_end {
            let begin = usize::try_from(elements.start - slice_begin).ok()?;
            let end = usize::try_from(elements.end - slice_begin).ok()?;
            return slice.get(begin..end);
        }
        slice_begin = slice_end;
    }
    None
}

/// [`block_total`] one by one, by either way to combine.
fn block_total_by<T: Element, Op: Operator<T>>(
    slices: &[&[T]],
    elements: Range<u64>,
    combine: impl Fn(Op::Acc, Op::Acc) -> Op::Acc,
) -> Op::Acc {
    let mut accumulators = Vec::new();
    let mut slice_begin = 0;
    // Position in the block, modulo the accumulators: four rows take all of them once.
    let mut position = 0;
    for slice in slices {
        let slice_end = slice_begin + slice.len() as u64;
        let begin = elements.start.clamp(slice_begin, slice_end) - slice_begin;
        let end = elements.end.clamp(slice_begin, slice_end) - slice_begin;
        slice_begin = slice_end;
        let within = |offset: u64| usize::try_from(offset).expect("offsets in a slice fit usize");
        let mut rest = &slice[within(begin)..within(end)];
        while !rest.is_empty() {
            let run = rest.len().min(ACCUMULATORS - position);
            let (now, later) = rest.split_at(run);
            if accumulators.len() < position + run {
                accumulators.resize(position + run, Op::identity());
            }
            for (acc, &element) in accumulators[position..position + run].iter_mut().zip(now) {
                *acc = combine(*acc, Op::lift(element));
            }
            position = (position + run) % ACCUMULATORS;
            rest = later;
        }
    }
    tree_total::<T, Op>(&mut accumulators, combine)
}

/// Combines the accumulators of a block: rows, then columns. Those that are missing at the end are identities, which
/// change nothing, and none of them is combined.
fn tree_total<T: Element, Op: Operator<T>>(
    accumulators: &mut [Op::Acc],
    combine: impl Fn(Op::Acc, Op::Acc) -> Op::Acc,
) -> Op::Acc {
    // Rows 0 and 2, 1 and 3; then both.
    let mut count = accumulators.len();
    for rows in [2, 1] {
        let half = rows * COLUMNS;
        for i in half..count {
            accumulators[i - half] = combine(accumulators[i - half], accumulators[i]);
        }
        count = count.min(half);
    }
    // Components and lanes alike: neighbours, then neighbouring pairs, and so on. Lane 0 comes to need no others.
    while count > 1 {
        for i in 0..count / 2 {
            accumulators[i] = combine(accumulators[2 * i], accumulators[2 * i + 1]);
        }
        if count % 2 == 1 {
            accumulators[count / 2] = accumulators[count - 1];
        }
        count = count.div_ceil(2);
    }
    accumulators.first().copied().unwrap_or(Op::identity())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Max, Min, Product, Sum};

    /// The definition of `tree-v1`, taken literally: one accumulator per row class, lane, component.
    fn literal_sum(values: &[f32]) -> f32 {
        let blocks = Blocks::of(values.len() as u64);
        let mut totals: Vec<f32> = values
            .chunks(usize::try_from(blocks.block_items()).expect("small"))
            .map(literal_block)
            .collect();
        if totals.len() > 1 {
            totals = vec![literal_block(&totals)];
        }
        totals.first().copied().unwrap_or(0.0)
    }

    fn literal_block(values: &[f32]) -> f32 {
        let mut acc = [[[0.0f32; 4]; 256]; 4];
        for (e, value) in values.iter().enumerate() {
            acc[e / 1024 % 4][e / 4 % 256][e % 4] += value;
        }
        let mut s: Vec<f32> = (0..256)
            .map(|l| {
                let v: Vec<f32> = (0..4)
                    .map(|c| (acc[0][l][c] + acc[2][l][c]) + (acc[1][l][c] + acc[3][l][c]))
                    .collect();
                (v[0] + v[1]) + (v[2] + v[3])
            })
            .collect();
        for d in [1, 2, 4, 8, 16, 32, 64, 128] {
            s = (0..256).map(|l| s[l] + s[l ^ d]).collect();
        }
        s[0]
    }

    fn values(len: usize) -> Vec<f32> {
        (0..len as u64).map(|i| (i * 2_654_435_761 % 1_000_003) as f32 - 3e5).collect()
    }

    #[test]
    fn sums_follow_the_definition() {
        for len in [0, 1, 3, 1023, 1025, 4095, 4096, 4097, 9000, 100_003] {
            let values = values(len);
            let expected = literal_sum(&values).to_bits();
            assert_eq!(reduce::<f32, Sum>(&[&values]).to_bits(), expected, "len {len}");
        }
    }

    #[test]
    fn slices_are_one_sequence() {
        let values = values(20_000);
        let whole = reduce::<f32, Sum>(&[&values]).to_bits();
        for cut in [1, 1000, 4095, 4096, 12_345] {
            let (a, b) = values.split_at(cut);
            assert_eq!(reduce::<f32, Sum>(&[a, &[], b]).to_bits(), whole, "cut at {cut}");
        }
    }

    /// The result by single steps, in integers.
    fn one_by_one<T: Element, Op: Operator<T>>(values: &[T]) -> Op::Value {
        let len = values.len() as u64;
        let blocks = Blocks::of(len);
        let mut partials: Vec<Op::Acc> = (0..blocks.count)
            .map(|block| block * blocks.block_items())
            .map(|begin| begin..len.min(begin + blocks.block_items()))
            .map(|block| block_total_by::<T, Op>(&[values], block, Op::combine_in_integers))
            .collect();
        let total = tree_total::<T, Op>(&mut partials, Op::combine_in_integers);
        Op::value(Op::finish(total), len)
    }

    fn check_one_by_one<Op: Operator<f32>>(values: &[f32]) {
        let bits = |value: Op::Value| Op::out(value).map(|out| bytemuck::bytes_of(&out).to_vec());
        let (found, wanted) = (reduce::<f32, Op>(&[values]), one_by_one::<f32, Op>(values));
        assert_eq!(bits(found), bits(wanted), "{} of {}", Op::SPEC.operator, values.len());
    }

    fn check_all_one_by_one(values: &[f32]) {
        check_one_by_one::<Sum>(values);
        check_one_by_one::<Product>(values);
        check_one_by_one::<Min>(values);
        check_one_by_one::<Max>(values);
    }

    /// Bits without a pattern.
    fn mixed(number: u32) -> u32 {
        let bits = number.wrapping_mul(0x9e37_79b1);
        let bits = (bits ^ (bits >> 15)).wrapping_mul(0x85eb_ca6b);
        bits ^ (bits >> 13)
    }

    /// Both signs, exponents from -`exponents` to below `exponents`.
    fn spread(len: u32, exponents: u32) -> Vec<f32> {
        let of_number = |number| {
            let bits = mixed(number);
            let exponent = 127 - exponents + mixed(bits) % (2 * exponents);
            f32::from_bits((bits & 0x807f_ffff) | (exponent << 23))
        };
        (0..len).map(of_number).collect()
    }

    #[test]
    fn vectors_give_the_bits_of_single_steps() {
        let edges = [1, 2, 4, 8, 16, 31, 32, 64, 128, 256, 384, 512, 1024, 2048, 3072, 4096, 8192];
        for len in edges.into_iter().flat_map(|len| [len - 1, len, len + 1]) {
            // All of it in the range of vectors of products, some, and hardly any.
            for exponents in [1, 8, 16, 20, 126] {
                check_all_one_by_one(&spread(len, exponents));
            }
        }
        // Blocks of eight rows, in parts for threads.
        for exponents in [8, 17] {
            check_all_one_by_one(&spread((1 << 23) + 12_345, exponents));
        }
    }

    #[test]
    fn special_values_anywhere() {
        let specials = [0.0, -0.0, f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e-45];
        for len in [1, 7, 40, 300, 1500, 4096, 9000] {
            // Around the special one: nothing better, nothing worse, zeros of either sign.
            for others in [1.0, -1.0, 0.0, -0.0] {
                for special in specials {
                    for place in [0, len / 3, len / 2, len - 1] {
                        let mut values = vec![others; len];
                        values[place] = special;
                        check_all_one_by_one(&values);
                    }
                }
            }
        }
    }

    #[test]
    fn empty_inputs() {
        assert_eq!(reduce::<f32, Sum>(&[]).to_bits(), 0);
        assert_eq!(reduce::<f32, Product>(&[]), 1.0);
        assert_eq!(reduce::<u32, Min>(&[&[]]), None);
        assert_eq!(reduce::<f32, Max>(&[]), None);
    }
}
