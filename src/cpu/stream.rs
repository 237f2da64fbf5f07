//! Reductions of what comes part by part: all parts of one length, a power of two, but for the last, which may be shorter.

use super::{
    is_exact,
    ordered::{self, Combining, Pairs, Sequence, Slices},
    runs::{Runs, first_level},
    total_in_any_order,
};
use crate::{
    algebra::{
        element::Element,
        operator::{Operator, PairOperator, PairParts, Parts},
        operator_type::OperatorType,
        operators::{Dot, DotValue},
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
    precision: Precision,
    parts: Parts<'_, T>,
) -> Result<Op::Value, PrepareError> {
    let mut len = 0;
    if is_exact::<T, Op>(precision) {
        let counted = &mut |add: &mut dyn FnMut(&[T])| {
            parts(&mut |part| {
                len += part.len() as u64;
                add(part);
            });
        };
        let (operator, element) = (Op::SPEC.operator, T::TYPE);
        let imprecise = PrepareError::Imprecise { operator, element, precision };
        let result = Op::exact_result(counted).ok_or(imprecise)?;
        return Ok(Op::value(result, len));
    }
    let total = if Op::SPEC.order_free {
        let mut total = Op::identity();
        parts(&mut |part| {
            if !part.is_empty() {
                total = Op::combine(total, Op::moved(total_in_any_order::<T, Op>(part), len));
                len += part.len() as u64;
            }
        });
        total
    } else {
        let mut runs = Runs::new(0, Op::identity());
        parts(&mut |part| push(&mut runs, &Slices::<T, Op>::new(&[part], 0)));
        len = runs.end();
        finish(&runs, Combining::of::<T, Op>())
    };
    Ok(Op::value(Op::finish(total, len), len))
}

/// The dot product of all parts, to a result that promises `precision`, or more.
///
/// # Errors
///
/// [`PrepareError::Imprecise`] as of [`reduce_parts`].
pub(crate) fn dot_parts<T: Element>(
    precision: Precision,
    parts: PairParts<'_, T>,
) -> Result<DotValue<T>, PrepareError>
where
    Dot: PairOperator<T>,
{
    if precision == Precision::Exact {
        let (operator, element) = (OperatorType::Dot, T::TYPE);
        let imprecise = PrepareError::Imprecise { operator, element, precision };
        return <Dot as PairOperator<T>>::exact_result(parts).ok_or(imprecise);
    }
    let combining = Combining::of::<_, <Dot as PairOperator<T>>::Sum>();
    let mut runs = Runs::new(0, combining.identity);
    parts(&mut |left, right| push(&mut runs, &Pairs { left, right }));
    Ok(<Dot as PairOperator<T>>::Sum::finish(finish(&runs, combining), runs.end()))
}

/// Adds a part. Its runs are those of the sequence there, for it begins at a multiple of a power of two that is no less
/// than its length.
pub(super) fn push<A: Copy + Send + Sync>(runs: &mut Runs<A>, part: &dyn Sequence<A>) {
    let positions = part.positions();
    let end = runs.end() + (positions.end - positions.start);
    let of_part = ordered::runs(part);
    let combine = part.combining().here();
    for &total in of_part.totals() {
        runs.push(first_level(runs.end(), end), total, combine);
    }
}

pub(super) fn finish<A: Copy>(runs: &Runs<A>, combining: Combining<A>) -> A {
    runs.finish(combining.here()).unwrap_or(combining.identity)
}
