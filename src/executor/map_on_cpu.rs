//! Reductions of expressions' values on the CPU.

use crate::{
    algebra::{
        acc_words::Words,
        element::{Element, ElementType},
        operator::Operator,
        operator_type::OperatorType,
        operators::Mean,
        options::Nan,
        precision::Precision,
    },
    cpu::{
        self,
        fold::{Fold, Raw},
        table::fold_of,
    },
    custom::expression::{Made, MapElement, Mapping, WideElement},
    device::capabilities::AdapterName,
    error::{Error, PrepareError},
    reduce::reduction::Reduction,
};
use std::sync::atomic::{AtomicBool, Ordering};

/// Calls the function with each part of an expression's inputs, in order. Inputs have one length; missing ones are empty.
pub(super) type InputParts<'a, T> = &'a mut dyn FnMut(&mut dyn FnMut([&[T]; 3]));

/// Reduces slices. Missing inputs are empty.
pub(super) fn on_cpu<T: MapElement>(
    fold: &dyn Fold,
    precision: Precision,
    mapping: &Mapping,
    inputs: [&[T]; 3],
) -> Result<Reduction<Raw>, Error> {
    let len = inputs[0].len() as u64;
    parts_on_cpu(fold, precision, mapping, len, &mut |add| add(inputs))
}

/// Reduces parts that begin at multiples of a power of two.
pub(super) fn parts_on_cpu<T: MapElement>(
    fold: &dyn Fold,
    precision: Precision,
    mapping: &Mapping,
    len: u64,
    parts: InputParts<'_, T>,
) -> Result<Reduction<Raw>, Error> {
    let (value, is_exact) = value_on_cpu(fold, precision, mapping, len, parts)?;
    let (plan, explanation) = match is_exact {
        true => cpu::describe_exact(),
        false => cpu::describe_map(len),
    };
    Ok(Reduction { value, adapter: AdapterName::cpu(), plan, explanation, device_time: None })
}

/// The value, and whether accumulators made it that do not round.
pub(super) fn value_on_cpu<T: MapElement>(
    fold: &dyn Fold,
    precision: Precision,
    mapping: &Mapping,
    len: u64,
    parts: InputParts<'_, T>,
) -> Result<(Raw, bool), Error> {
    let spec = fold.spec();
    let precision = match spec.operator {
        // The elements that count have no runs of equal length.
        operator if operator.is_variance() && mapping.tells_kept() => Precision::Exact,
        // There are no others.
        _ if spec.is_exact_alone() => Precision::Exact,
        _ => precision,
    };
    let is_exact = precision == Precision::Exact && !spec.order_free;
    if is_exact && spec.exact.is_none() {
        let (operator, element) = (spec.operator, T::TYPE);
        return Err(PrepareError::Imprecise { operator, element, precision }.into());
    }
    let value = match (mapping.tells_kept(), spec.operator) {
        (true, _) if is_exact => cpu::raw_of_parts(fold, precision, &mut |add| {
            made_parts(mapping, parts, &mut |made, kept| {
                let counted = made.iter().zip(kept).filter(|&(_, &is_kept)| is_kept != 0);
                let counted: Vec<T::Wide> = counted.map(|(&value, _)| value).collect();
                add(cpu::input(&counted));
            });
        })?,
        (false, _) if cpu::is_exact(spec, precision) => {
            cpu::raw_of_parts(fold, precision, &mut |add| {
                made_parts(mapping, parts, &mut |made, _| add(cpu::input(made)));
            })?
        }
        (false, _) => {
            // After the first element that counts, no other is looked for.
            let is_seen = AtomicBool::new(!mapping.may_be_none());
            let raw = cpu::raw_of_made::<T::Wide>(fold, &mut |add| {
                let mut first = 0u32;
                parts(&mut |inputs| {
                    let len = inputs[0].len();
                    add(len, &|begin, values| {
                        let is_asked = !is_seen.load(Ordering::Relaxed);
                        let mut kept = vec![0; if is_asked { values.len() } else { 0 }];
                        make(mapping, inputs, first, begin, Made { values, kept: &mut kept });
                        if kept.contains(&1) {
                            is_seen.store(true, Ordering::Relaxed);
                        }
                    });
                    first = at(first, len);
                });
            });
            Raw { len: if is_seen.into_inner() { raw.len } else { 0 }, ..raw }
        }
        (true, OperatorType::Mean) => mean_of_kept(precision, mapping, parts)?,
        (true, _) => {
            let (mut total, mut begin, mut is_seen) = (fold.identity(), 0, !mapping.may_be_none());
            made_parts(mapping, parts, &mut |made, kept| {
                is_seen |= kept.contains(&1);
                fold.add_kept(&mut total, begin, bytemuck::cast_slice(made), kept);
                begin += made.len() as u64;
            });
            let mut words = Words::zeros(spec.out_words as usize);
            fold.finish(&total, len, &mut words);
            Raw { words, len: if is_seen { len } else { 0 } }
        }
    };
    Ok((value, is_exact))
}

/// Takes numbers, and for each whether it counts.
type AddKept<'a, Wide> = dyn FnMut(&[Wide], &[u32]) + 'a;

/// Computes the values of all parts, and for each whether it counts, if the mapping has such flags.
fn made_parts<T: MapElement>(
    mapping: &Mapping,
    parts: InputParts<'_, T>,
    add: &mut AddKept<'_, T::Wide>,
) {
    let mut first = 0u32;
    parts(&mut |inputs| {
        let len = inputs[0].len();
        if mapping.tells_kept() {
            let most = len.min(KEPT_ITEMS);
            let (mut values, mut kept) =
                (vec![<T::Wide as bytemuck::Zeroable>::zeroed(); most], vec![0; most]);
            for begin in (0..len).step_by(KEPT_ITEMS) {
                let items = KEPT_ITEMS.min(len - begin);
                let made = Made { values: &mut values[..items], kept: &mut kept[..items] };
                make(mapping, inputs, first, begin, made);
                add(&values[..items], &kept[..items]);
            }
        } else {
            let make = |begin: usize, values: &mut [T::Wide]| {
                make(mapping, inputs, first, begin, Made { values, kept: &mut [] });
            };
            cpu::make_parts(len, make, |values| add(values, &[]));
        }
        first = at(first, len);
    });
}

/// The index of an element of a part, whose first one has the index `first`.
#[expect(clippy::cast_possible_truncation, reason = "indices are modulo 2^32")]
fn at(first: u32, place: usize) -> u32 {
    first.wrapping_add(place as u32)
}

/// Computes the values of a part's elements, from a place on: as many as there is room for. The part's first element has the index `first`.
fn make<T: MapElement>(
    mapping: &Mapping,
    inputs: [&[T]; 3],
    first: u32,
    begin: usize,
    made: Made<'_, T::Wide>,
) {
    let end = begin + made.values.len();
    let of_part = inputs.map(|input| input.get(begin..end).unwrap_or_default());
    mapping.run(of_part, at(first, begin), made);
}

/// Values that are computed at a time, where each has a flag.
const KEPT_ITEMS: usize = 1 << 16;

/// The mean of the elements that count.
fn mean_of_kept<T: MapElement>(
    precision: Precision,
    mapping: &Mapping,
    parts: InputParts<'_, T>,
) -> Result<Raw, Error> {
    let mean = match T::Wide::TYPE {
        ElementType::F64 => mean_of::<T, f64>(precision, mapping, parts, f64::NAN)?,
        _ => mean_of::<T, f32>(precision, mapping, parts, f32::NAN)?,
    };
    let mean = T::Wide::of_wide_bits(mean);
    let words: &[u32] = bytemuck::cast_slice(std::slice::from_ref(&mean));
    Ok(Raw { words: words.into(), len: 1 })
}

/// Its bits. NaNs stand for the elements that do not count. So NaNs among the others are found first.
fn mean_of<T: MapElement, F: WideElement>(
    precision: Precision,
    mapping: &Mapping,
    parts: InputParts<'_, T>,
    nan: F,
) -> Result<u64, Error>
where
    Mean: Operator<F, Value = F>,
{
    let mut has_nan = false;
    let mean = cpu::reduce_parts::<F, Mean>(
        fold_of::<F, _>(&Mean.nan(Nan::Ignore))?,
        precision,
        &mut |add| {
            made_parts(mapping, parts, &mut |made, kept| {
                let numbers = made.iter().zip(kept).map(|(&number, &is_kept)| match is_kept {
                    0 => nan,
                    _ => F::of_wide_bits(number.wide_bits()),
                });
                let numbers: Vec<F> = numbers.collect();
                // No NaN equals itself.
                has_nan |= numbers.iter().zip(kept).any(|(x, &is_kept)| is_kept != 0 && !x.eq(x));
                add(&numbers);
            });
        },
    )?;
    Ok(if has_nan { nan } else { mean }.wide_bits())
}
