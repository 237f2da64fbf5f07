//! The same reductions on the CPU, with the same bits.
//!
//! It may depend on `algebra`, on `exact`, on errors, and on nothing of a device.

#[cfg(test)]
mod definition;
mod difference;
pub(crate) mod fold;
mod histogram;
#[cfg(not(target_arch = "wasm32"))]
mod made;
mod ordered;
pub(crate) mod prefixes;
pub(crate) mod runs;
mod scan;
mod segments;
mod select;
#[cfg(not(target_arch = "wasm32"))]
mod stream;
mod threads;
mod twin;

use crate::{
    algebra::{
        acc_words::Words,
        element::Element,
        exact_total::ExactTotal,
        float_environment,
        operator::{Operator, OperatorSpec, PairOperator},
        operators::{Dot, DotValue},
        precision::Precision,
    },
    error::PrepareError,
    exact::LengthMismatch,
};
pub(crate) use difference::adjacent_difference;
use fold::{Fold, InputParts, Inputs, dot_of, fold_of};
pub(crate) use histogram::{bin_numbers, histogram};
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use made::raw_of_made;
use ordered::{Slices, item_bytes, len};
pub(crate) use ordered::{combine_here, finish};
use runs::Runs;
pub(crate) use scan::{Before, scan, scan_after};
pub(crate) use segments::{
    in_groups, in_order_of, reduce_axes, reduce_begins, reduce_groups, reduce_segments,
};
pub(crate) use select::{
    flagged_begins, group_numbers, partition, positions, run_begins, run_lengths, select, unique,
};
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use stream::{raw_of_parts, reduce_parts};
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use threads::make_parts;
#[cfg(any(feature = "parallel", not(target_arch = "wasm32")))]
use threads::threads;
#[cfg(feature = "parallel")]
use threads::{PART_ITEMS, is_worth_threads, share};
pub(crate) use twin::{Twin, TwinFunctions, total_by};

#[cfg(not(target_arch = "wasm32"))]
use crate::plural::count;
#[cfg(not(target_arch = "wasm32"))]
use fold::Raw;
use std::slice;

/// Reduces `slices` as one sequence, in the order of [`crate::order`], on every core if the feature
/// `parallel` is on.
#[inline]
pub fn reduce<T: Element, Op: Operator<T>>(slices: &[&[T]]) -> Op::Value {
    let fixed_order =
        if Op::SPEC.is_exact_alone() { Precision::Exact } else { Precision::Reproducible };
    reduce_at::<T, Op>(fixed_order, slices).expect("every operator has such results")
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
    let (out, len) = out_at::<T, Op>(precision, slices)?;
    Ok(Op::value(out, len))
}

/// The same result as a device writes it, and how many elements there are.
///
/// # Errors
///
/// As [`reduce_at`].
#[inline]
pub(crate) fn out_at<T: Element, Op: Operator<T>>(
    precision: Precision,
    slices: &[&[T]],
) -> Result<(Op::Out, u64), PrepareError> {
    let mut out = bytemuck::Zeroable::zeroed();
    let words = bytemuck::cast_slice_mut(slice::from_mut(&mut out));
    let len = match slices {
        [slice] => reduce_inputs(fold_of::<T, Op>(), precision, &[input(slice)], words)?,
        _ => reduce_inputs(fold_of::<T, Op>(), precision, &inputs(slices), words)?,
    };
    Ok((out, len))
}

/// The same of bytes, to a result in words. Returns how many elements there are.
///
/// # Errors
///
/// As [`reduce_at`].
pub(crate) fn reduce_inputs(
    fold: &dyn Fold,
    precision: Precision,
    slices: &[Inputs<'_>],
    out: &mut [u32],
) -> Result<u64, PrepareError> {
    if !is_exact(fold.spec(), precision) {
        return Ok(reduce_in_order(fold, slices, out));
    }
    let parts: InputParts<'_> = &mut |add| slices.iter().for_each(|&slice| add(slice));
    fold.exact_finish(&exact_total(fold, precision, parts)?, out);
    Ok(len(slices, item_bytes(fold)))
}

/// The same in words of its own.
///
/// # Errors
///
/// As [`reduce_at`].
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn raw(
    fold: &dyn Fold,
    precision: Precision,
    slices: &[Inputs<'_>],
) -> Result<Raw, PrepareError> {
    let mut words = Words::zeros(fold.spec().out_words as usize);
    let len = reduce_inputs(fold, precision, slices, &mut words)?;
    Ok(Raw { words, len })
}

fn reduce_in_order(fold: &dyn Fold, slices: &[Inputs<'_>], out: &mut [u32]) -> u64 {
    let len = len(slices, item_bytes(fold));
    match *slices {
        [slice] if !is_shared(len) => {
            let end = usize::try_from(len).expect("a slice's");
            fold.reduce_each(slice, &[0, end], out, float_environment::is_default());
        }
        _ => fold.finish(&total(fold, slices), len, out),
    }
    len
}

/// Whether more than one thread takes part.
fn is_shared(len: u64) -> bool {
    #[cfg(feature = "parallel")]
    return usize::try_from(len).is_ok_and(is_worth_threads);
    #[cfg(not(feature = "parallel"))]
    {
        _ = len;
        false
    }
}

/// The slices' elements as bytes.
pub(crate) fn inputs<'a, T: Element>(slices: &[&'a [T]]) -> Vec<Inputs<'a>> {
    slices.iter().map(|slice| input(slice)).collect()
}

/// A slice of the only input.
#[inline]
pub(crate) fn input<T: Element>(slice: &[T]) -> Inputs<'_> {
    [bytemuck::cast_slice(slice), &[]]
}

/// Elements of all slices.
pub(crate) fn len_of(fold: &dyn Fold, slices: &[Inputs<'_>]) -> u64 {
    len(slices, item_bytes(fold))
}

/// What the parts' elements come to without rounding.
///
/// # Errors
///
/// As [`reduce_at`].
pub(crate) fn exact_total(
    fold: &dyn Fold,
    precision: Precision,
    parts: InputParts<'_>,
) -> Result<ExactTotal, PrepareError> {
    let OperatorSpec { operator, element, .. } = *fold.spec();
    let imprecise = PrepareError::Imprecise { operator, element, precision };
    fold.exact_total(parts).ok_or(imprecise)
}

/// The runs of a part of a sequence, whose first element is at position `begin`.
pub(crate) fn part(fold: &dyn Fold, slices: &[Inputs<'_>], begin: u64) -> Runs<Words> {
    ordered::runs(&Slices { fold, slices, begin })
}

/// Whether the fixed order is not enough. Order-free operators are exact in any.
#[inline]
pub(crate) fn is_exact(spec: &OperatorSpec, precision: Precision) -> bool {
    precision.kept_of(spec).is_none_or(|kept| kept == Precision::Exact) && !spec.order_free
}

/// For executors, which are not on the web: how [`reduce_at`] works on `len` elements: in a line, and in a sentence.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn describe(spec: &OperatorSpec, precision: Precision, len: u64) -> (String, String) {
    match is_exact(spec, precision) {
        true => describe_exact(),
        false => describe_in_order(len),
    }
}

/// The same, where it rounds in a fixed order, or does not round.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn describe_in_order(len: u64) -> (String, String) {
    let threads = count(threads() as u64, "thread");
    let line = format!("cpu, {threads}");
    let sentence = format!(
        "The CPU folds {} on up to {threads}, to the same bits as a GPU.",
        count(len, "element")
    );
    (line, sentence)
}

/// The same of an operator of the user's own.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn describe_by_twin(len: u64) -> (String, String) {
    let sentence = format!("The CPU folds {} by the operator's twin.", count(len, "element"));
    ("cpu, by the operator's twin".to_owned(), sentence)
}

/// The same of what an expression makes of elements.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn describe_map(len: u64) -> (String, String) {
    let threads = count(threads() as u64, "thread");
    let sentence = format!(
        "The CPU maps {} and folds them, on up to {threads}, to the same bits as a GPU.",
        count(len, "element")
    );
    (format!("cpu, mapped, {threads}"), sentence)
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

/// The accumulator of all elements.
pub(crate) fn total(fold: &dyn Fold, slices: &[Inputs<'_>]) -> Words {
    if !fold.spec().order_free {
        return finish(fold, &part(fold, slices, 0));
    }
    let (mut total, mut begin) = (fold.identity(), 0);
    for slice in slices.iter().filter(|[bytes, _]| !bytes.is_empty()) {
        let of_slice = fold.moved(any_order_total(fold, slice[0]), begin);
        total = fold.combine(&total, &of_slice, true);
        begin += (slice[0].len() / item_bytes(fold)) as u64;
    }
    total
}

/// The dot product of two slices of one length, to a result that promises `precision`, or more.
///
/// # Errors
///
/// [`PrepareError::LengthMismatch`], and [`PrepareError::Imprecise`] as of [`reduce_at`].
pub(crate) fn dot_at<T: Element>(
    precision: Precision,
    left: &[T],
    right: &[T],
) -> Result<DotValue<T>, PrepareError>
where
    Dot: PairOperator<T>,
{
    LengthMismatch::check(left, right)?;
    let mut out: DotValue<T> = bytemuck::Zeroable::zeroed();
    let words = bytemuck::cast_slice_mut(slice::from_mut(&mut out));
    let pairs = [bytemuck::cast_slice(left), bytemuck::cast_slice(right)];
    reduce_inputs(dot_of::<T>(), precision, &[pairs], words)?;
    Ok(out)
}

/// Of an operator to which order is nothing.
fn any_order_total(fold: &dyn Fold, elements: &[u8]) -> Words {
    #[cfg(feature = "parallel")]
    if is_worth_threads(elements.len() / item_bytes(fold)) {
        return total_by_threads(fold, elements);
    }
    fold.total([elements, &[]], true)
}

#[cfg(feature = "parallel")]
fn total_by_threads(fold: &dyn Fold, elements: &[u8]) -> Words {
    let mut total = fold.identity();
    let part_bytes = PART_ITEMS * item_bytes(fold);
    share(
        elements.len().div_ceil(part_bytes),
        &|part| {
            let rest = &elements[part * part_bytes..];
            fold.total([&rest[..rest.len().min(part_bytes)], &[]], true)
        },
        &mut |part, of_part| {
            let begin = (part * PART_ITEMS) as u64;
            total = fold.combine(&total, &fold.moved(of_part, begin), true);
        },
    );
    total
}

#[cfg(test)]
mod tests {
    use super::{ordered::Sequence, runs::Runs, *};
    use crate::{Max, Mean, Min, Norm, Product, Sum, SumOfSquares};
    use proptest::prelude::*;

    /// The result by definition, in integers.
    fn by_definition<T: Element, Op: Operator<T>>(values: &[T]) -> Op::Value {
        let lifted: Vec<Op::Acc> =
            values.iter().map(|&value| Op::lift_in_integers(value)).collect();
        let total = definition::total(&lifted, Op::combine_in_integers);
        let len = values.len() as u64;
        Op::value(Op::finish(total.unwrap_or(Op::identity()), len), len)
    }

    fn bits<Op: Operator<f32>>(value: Op::Value) -> Option<Vec<u8>> {
        Op::out(value).map(|out| bytemuck::bytes_of(&out).to_vec())
    }

    fn check<Op: Operator<f32>>(values: &[f32]) {
        let found = bits::<Op>(reduce::<f32, Op>(&[values]));
        let wanted = bits::<Op>(by_definition::<f32, Op>(values));
        assert_eq!(found, wanted, "{} of {}", Op::SPEC.operator, values.len());
    }

    fn check_all(values: &[f32]) {
        check::<Sum>(values);
        check::<Product>(values);
        check::<Min>(values);
        check::<Max>(values);
        check::<Mean>(values);
        check::<SumOfSquares>(values);
        check::<Norm>(values);
        let mut rotated = values.to_vec();
        rotated.rotate_left(values.len().min(1));
        check_dot(values, &rotated);
    }

    fn check_dot(left: &[f32], right: &[f32]) {
        let pairs = left.iter().zip(right);
        let products: Vec<f32> = pairs.map(|(&x, &y)| float_environment::multiply(x, y)).collect();
        let found = dot_at(Precision::Reproducible, left, right).expect("of one length");
        assert_eq!(
            found.to_bits(),
            by_definition::<f32, Sum>(&products).to_bits(),
            "dot of {}",
            left.len()
        );
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
    fn only_siblings_merge() {
        let e = 2f32.powi(-24);
        let sum = |values: &[f32]| reduce::<f32, Sum>(&[values]);
        // The tail's runs come one after another, not as a total.
        assert_eq!(sum(&[1.0, 0.0, 0.0, 0.0, e, 0.0, e]), 1.0);
        // The second and the third are no siblings.
        assert_eq!(sum(&[1.0, e, e]), 1.0);
        // These are.
        assert_eq!(sum(&[1.0, 0.0, e, e]), 1.0 + 2.0 * e);
        // Seven elements are not eight with a zero.
        let seven = [0.0, 0.0, 0.0, 0.0, 1.0, e, e];
        assert_eq!(sum(&seven), 1.0);
        assert_eq!(sum(&[1.0, e, e, 0.0, 0.0, 0.0, 0.0, 0.0]), 1.0);
        assert_eq!(sum(&[0.0, 0.0, 0.0, 0.0, 1.0, 0.0, e, e]), 1.0 + 2.0 * e);
    }

    #[test]
    fn vectors_give_the_bits_of_the_definition() {
        let edges = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3072, 4096, 8192];
        let lens =
            edges.into_iter().flat_map(|len| [len - 1, len, len + 1]).chain([100, 1500, 30_001]);
        for len in lens {
            // All of it in the range of vectors of products, some, and hardly any.
            for exponents in [1, 8, 16, 20, 126] {
                check_all(&spread(len, exponents));
            }
        }
        // In parts for threads.
        for exponents in [8, 17] {
            check_all(&spread((1 << 21) + 12_345, exponents));
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
                        check_all(&values);
                    }
                }
            }
        }
    }

    /// Whether slices, and parts that are appended, give the bits of the whole.
    fn check_cuts<Op: Operator<f32>>(values: &[f32], cuts: &[usize]) {
        let wanted = bits::<Op>(by_definition::<f32, Op>(values));
        let bounds = [&[0], cuts, &[values.len()]].concat();
        let slices: Vec<&[f32]> =
            bounds.windows(2).map(|bounds| &values[bounds[0]..bounds[1]]).collect();
        let found = bits::<Op>(reduce::<f32, Op>(&slices));
        assert_eq!(found, wanted, "{} of {} cut at {cuts:?}", Op::SPEC.operator, values.len());
        let fold = fold_of::<f32, Op>();
        let [by_floats, in_integers] = [true, false]
            .map(|by_floats| move |a: Words, b: Words| fold.combine(&a, &b, by_floats));
        let mut parts = [Runs::new(0), Runs::new(0)];
        for slice in slices {
            let begin = parts[0].end();
            let sequence = Slices { fold, slices: &[input(slice)], begin };
            parts[0].append(&ordered::runs(&sequence), by_floats);
            let mut part = Runs::new(begin);
            sequence.push_to(&mut part, sequence.positions(), false);
            parts[1].append(&part, in_integers);
        }
        for parts in parts {
            let (mut out, len) = (bytemuck::Zeroable::zeroed(), values.len() as u64);
            let words = bytemuck::cast_slice_mut(slice::from_mut(&mut out));
            fold.finish(&finish(fold, &parts), len, words);
            let found = bits::<Op>(Op::value(out, len));
            assert_eq!(
                found,
                wanted,
                "parts of {} of {} cut at {cuts:?}",
                Op::SPEC.operator,
                values.len()
            );
        }
    }

    #[test]
    fn every_cut_of_short_sequences() {
        let values = spread(40, 12);
        let mut orders_differ = 0;
        for len in 0..=values.len() {
            let values = &values[..len];
            let one_by_one = values.iter().fold(0.0, |sum, value| sum + value);
            orders_differ += u32::from(reduce::<f32, Sum>(&[values]) != one_by_one);
            for cut in 0..=len {
                check_cuts::<Sum>(values, &[cut]);
                check_cuts::<Product>(values, &[cut]);
                check_cuts::<Mean>(values, &[cut]);
                check_cuts::<Norm>(values, &[cut]);
                for other in cut..=len {
                    check_cuts::<Sum>(values, &[cut, other]);
                    check_cuts::<Product>(values, &[cut, other]);
                    check_cuts::<Mean>(values, &[cut, other]);
                    check_cuts::<Norm>(values, &[cut, other]);
                }
            }
        }
        assert!(orders_differ > 15, "only {orders_differ} sums depend on the order");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn any_cuts_of_long_sequences(
            len in 0..200_000u32,
            mut places in prop::collection::vec(0.0..=1.0f64, 0..6),
            exponents in 1..60u32,
        ) {
            let values = spread(len, exponents);
            places.sort_by(f64::total_cmp);
            #[expect(clippy::cast_possible_truncation, reason = "rounds down to a place")]
            let cuts: Vec<usize> =
                places.into_iter().map(|place| (place * f64::from(len)) as usize).collect();
            check_cuts::<Sum>(&values, &cuts);
            check_cuts::<Product>(&values, &cuts);
                check_cuts::<Mean>(&values, &cuts);
                check_cuts::<Norm>(&values, &cuts);
        }
    }

    /// Of a million elements, which several threads share, in slices, and with a beginning that is no part's.
    #[cfg(feature = "parallel")]
    #[test]
    fn one_thread_and_many() {
        let values = spread(3_000_001, 15);
        let slices: [&[f32]; 3] = [&values[..77], &values[77..1_234_567], &values[1_234_567..]];
        let in_pool = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.expect("threads start").install(|| {
                let whole = (reduce::<f32, Sum>(&slices), reduce::<f32, Product>(&slices));
                let runs = part(fold_of::<f32, Sum>(), &inputs(&slices), 100_000);
                (whole.0.to_bits(), whole.1.to_bits(), runs.totals().to_vec())
            })
        };
        let one = in_pool(1);
        for threads in [2, 3, 8] {
            assert_eq!(in_pool(threads), one, "{threads} threads");
        }
        assert_eq!(one.0, by_definition::<f32, Sum>(&values).to_bits());
        assert_eq!(one.1, by_definition::<f32, Product>(&values).to_bits());
    }

    #[test]
    fn errors_are_small() {
        for len in [2, 3, 100, 1023, 1024, 65_535, 100_000u32] {
            let values = spread(len, 3);
            let sum = f64::from(reduce::<f32, Sum>(&[&values]));
            let [exact, magnitudes] = [|x: f64| x, f64::abs]
                .map(|of| values.iter().map(|&x| of(f64::from(x))).sum::<f64>());
            let additions = f64::from(len.ilog2() + len.count_ones() - 1);
            assert!((sum - exact).abs() <= additions / 2f64.powi(24) * magnitudes, "{len}");
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
