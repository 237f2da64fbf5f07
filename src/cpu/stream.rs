//! Reductions of sequences that arrive part by part: all parts of one length, a power of two, but for the last, which may be shorter.

use super::{
    any_order_total,
    fold::{Fold, InputParts, Raw, elements_as_bytes},
    is_exact,
    ordered::{self, Sequence, Slices, combine_here, finish, item_bytes},
    runs::{Runs, first_level},
};
use crate::{
    algebra::{
        acc_words::Words,
        element::Element,
        operator::{Operator, Parts},
        precision::Precision,
    },
    error::PrepareError,
};

/// Reduces all parts as one sequence, to a result that promises `precision`, or more.
///
/// # Errors
///
/// [`PrepareError::Imprecise`] if the operator has no such results.
pub(crate) fn reduce_parts<T: Element, Op: Operator<T>>(
    fold: &dyn Fold,
    precision: Precision,
    parts: Parts<'_, T>,
) -> Result<Op::Value, PrepareError> {
    let mut out = bytemuck::Zeroable::zeroed();
    let parts: InputParts<'_> = &mut |add| parts(&mut |part| add([elements_as_bytes(part), &[]]));
    let words = bytemuck::cast_slice_mut(std::slice::from_mut(&mut out));
    let len = reduce(fold, precision, parts, words)?;
    Ok(Op::value(out, len))
}

/// The same of bytes, to a result in words.
///
/// # Errors
///
/// As [`reduce_parts`].
pub(crate) fn raw_of_parts(
    fold: &dyn Fold,
    precision: Precision,
    parts: InputParts<'_>,
) -> Result<Raw, PrepareError> {
    let mut words = Words::zeros(fold.spec().out_words as usize);
    let len = reduce(fold, precision, parts, &mut words)?;
    Ok(Raw { words, len })
}

/// The same of any operator. Returns how many elements there were.
fn reduce(
    fold: &dyn Fold,
    precision: Precision,
    parts: InputParts<'_>,
    out: &mut [u32],
) -> Result<u64, PrepareError> {
    let (mut len, item_bytes) = (0, item_bytes(fold) as u64);
    if is_exact(fold.spec(), precision) {
        let counted: InputParts<'_> = &mut |add| {
            parts(&mut |part| {
                len += part[0].len() as u64 / item_bytes;
                add(part);
            });
        };
        let total = super::exact_total(fold, precision, counted)?;
        fold.exact_finish(&total, out);
        return Ok(len);
    }
    let total = if fold.spec().order_free {
        let mut total = fold.identity();
        parts(&mut |part| {
            if !part[0].is_empty() {
                let of_part = fold.moved(any_order_total(fold, part[0]), len);
                total = fold.combine(&total, &of_part, true);
                len += part[0].len() as u64 / item_bytes;
            }
        });
        total
    } else {
        let mut runs = Runs::new(0);
        parts(&mut |part| push(&mut runs, &Slices { fold, slices: &[part], begin: 0 }));
        len = runs.end();
        finish(fold, &runs)
    };
    fold.finish(&total, len, out);
    Ok(len)
}

/// Adds a part. Its runs are those of the sequence there, for it begins at a multiple of a power of two that is no less
/// than its length.
pub(super) fn push(runs: &mut Runs<Words>, part: &dyn Sequence) {
    let positions = part.positions();
    let end = runs.end() + (positions.end - positions.start);
    let combine = combine_here(part.fold());
    for total in ordered::runs(part).totals() {
        runs.push(first_level(runs.end(), end), total.clone(), &combine);
    }
}
