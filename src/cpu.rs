//! The same reductions on the CPU, with the same bits.
//!
//! It may depend on `algebra`, on `exact`, on errors, and on nothing of a device.

mod components;
#[cfg(test)]
mod definition;
mod difference;
pub(crate) mod fold;
mod histogram;
#[cfg(test)]
mod laws;
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
pub(crate) mod table;
mod threads;
mod twin;
mod widened;

use crate::{
    algebra::{
        acc_words::Words,
        element::Element,
        exact_total::ExactTotal,
        float_environment,
        operator::{Operator, OperatorSpec},
        operators::{Dot, DotValue},
        precision::Precision,
    },
    error::PrepareError,
    exact::LengthMismatch,
};
pub(crate) use difference::adjacent_difference;
use fold::{Fold, InputParts, Inputs};
pub(crate) use histogram::{bin_numbers, histogram};
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use made::raw_of_made;
use ordered::{Slices, item_bytes, len};
pub(crate) use ordered::{combine_here, finish};
use runs::Runs;
pub(crate) use scan::{Before, OutWords, scan, scan_after, scan_words};
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use segments::outs_of_segments;
pub(crate) use segments::{in_groups, reduce_axes, reduce_begins, reduce_groups, reduce_segments};
pub(crate) use select::{
    flagged_begins, group_numbers, partition, positions, run_begins, run_lengths, select, unique,
};
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use stream::{raw_of_parts, reduce_parts};
use table::fold_of;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use threads::make_parts;
#[cfg(any(feature = "parallel", not(target_arch = "wasm32")))]
use threads::threads;
#[cfg(feature = "parallel")]
use threads::{PART_ITEMS, is_worth_threads, share};
pub(crate) use twin::{Twin, total_by};

#[cfg(not(target_arch = "wasm32"))]
use crate::plural::count;
#[cfg(not(target_arch = "wasm32"))]
use crate::{algebra::element::ElementType, room::reserve};
#[cfg(not(target_arch = "wasm32"))]
use fold::Raw;
use std::slice;

/// Reduces `slices` as one sequence, in the order of [`crate::order`], on every core if the feature
/// `parallel` is on.
///
/// # Errors
///
/// [`PrepareError::Unsupported`] if the operator has no such options for the elements.
#[inline]
pub fn reduce<T: Element, Op: Operator<T>>(
    slices: &[&[T]],
    op: Op,
) -> Result<Op::Value, PrepareError> {
    let fixed_order =
        if op.spec().is_exact_alone() { Precision::Exact } else { Precision::Reproducible };
    reduce_at::<T, Op>(fold_of::<T, Op>(&op)?, fixed_order, slices)
}

/// Reduces `slices` as one sequence, to a result that promises `precision`, or more.
///
/// # Errors
///
/// [`PrepareError::Imprecise`] if the operator has no such results.
#[inline]
pub(crate) fn reduce_at<T: Element, Op: Operator<T>>(
    fold: &dyn Fold,
    precision: Precision,
    slices: &[&[T]],
) -> Result<Op::Value, PrepareError> {
    let (out, len) = out_at::<T, Op>(fold, precision, slices)?;
    Ok(Op::value(out, len))
}

/// The same result as a device writes it, and how many elements there are.
///
/// # Errors
///
/// As [`reduce_at`].
#[inline]
pub(crate) fn out_at<T: Element, Op: Operator<T>>(
    fold: &dyn Fold,
    precision: Precision,
    slices: &[&[T]],
) -> Result<(Op::Out, u64), PrepareError> {
    let mut out = bytemuck::Zeroable::zeroed();
    let words = bytemuck::cast_slice_mut(slice::from_mut(&mut out));
    let len = match slices {
        [slice] => reduce_inputs(fold, precision, &[input(slice)], words)?,
        _ => reduce_inputs(fold, precision, &inputs(slices), words)?,
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

/// Bytes of elements, or a copy of them that is as aligned as elements are.
///
/// # Errors
///
/// [`PrepareError::OutOfMemory`] if there is no room for the copy.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn aligned<'a>(
    element: ElementType,
    bytes: &'a [u8],
    copy: &'a mut Vec<u64>,
) -> Result<&'a [u8], PrepareError> {
    if (bytes.as_ptr().addr() as u64).is_multiple_of(element.component().size_bytes()) {
        return Ok(bytes);
    }
    let words = bytes.len().div_ceil(8);
    reserve(copy, words, "a copy of unaligned elements")?;
    copy.resize(words, 0);
    let copied = &mut bytemuck::cast_slice_mut(copy)[..bytes.len()];
    copied.copy_from_slice(bytes);
    Ok(copied)
}

/// Elements of all slices.
pub(crate) fn len_of(fold: &dyn Fold, slices: &[Inputs<'_>]) -> u64 {
    len(slices, item_bytes(fold))
}

/// The total of the parts' elements, without rounding.
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

/// The same for an expression's values.
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
/// [`PrepareError::LengthMismatch`], and [`PrepareError::Imprecise`] as [`reduce_at`] has it.
pub(crate) fn dot_at<T: Element>(
    precision: Precision,
    left: &[T],
    right: &[T],
) -> Result<DotValue<T>, PrepareError>
where
    Dot: Operator<(T, T)>,
{
    LengthMismatch::check(left, right)?;
    let mut out: <Dot as Operator<(T, T)>>::Out = bytemuck::Zeroable::zeroed();
    let words = bytemuck::cast_slice_mut(slice::from_mut(&mut out));
    let pairs = [bytemuck::cast_slice(left), bytemuck::cast_slice(right)];
    reduce_inputs(fold_of::<(T, T), _>(&Dot)?, precision, &[pairs], words)?;
    Ok(Dot::value(out, left.len() as u64))
}

/// The total by an operator that has no order.
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
mod tests;
