//! Selections on the CPU.

use crate::{
    algebra::{element::Element, flag::Flag},
    error::PrepareError,
    room::reserve,
};

/// The elements whose flags are set.
///
/// # Errors
///
/// [`PrepareError::MaskLength`], and [`PrepareError::OutOfMemory`] if there is no room for the results.
pub(crate) fn select<T: Element, M: Flag>(
    elements: &[T],
    mask: &[M],
) -> Result<Vec<T>, PrepareError> {
    check_mask(elements.len(), mask)?;
    collect(|| flagged(elements.len(), mask, true).map(|i| elements[i]))
}

/// Those first, and behind them the others; and how many the first are.
pub(crate) fn partition<T: Element, M: Flag>(
    elements: &[T],
    mask: &[M],
) -> Result<(Vec<T>, u64), PrepareError> {
    check_mask(elements.len(), mask)?;
    let of = |is_set| flagged(elements.len(), mask, is_set).map(|i| elements[i]);
    let parted = collect(|| of(true).chain(of(false)))?;
    Ok((parted, of(true).count() as u64))
}

/// The positions of the flags that are set. Words of bits are whole.
pub(crate) fn positions<M: Flag>(mask: &[M]) -> Result<Vec<u64>, PrepareError> {
    let (_, flags) = M::flags(mask);
    let flags = usize::try_from(flags).map_err(|_| PrepareError::TooLong { len: flags })?;
    collect(|| flagged(flags, mask, true).map(|i| i as u64))
}

/// The first element of each run of equal ones.
pub(crate) fn unique<T: Element>(elements: &[T]) -> Result<Vec<T>, PrepareError> {
    collect(|| heads(elements).map(|i| elements[i]))
}

/// The first element of each run of equal ones, and how long the runs are.
pub(crate) fn run_lengths<T: Element>(elements: &[T]) -> Result<(Vec<T>, Vec<u64>), PrepareError> {
    let ends = || heads(elements).skip(1).chain([elements.len()]);
    let lengths = collect(|| heads(elements).zip(ends()).map(|(head, end)| (end - head) as u64))?;
    Ok((unique(elements)?, lengths))
}

/// The first element of each run of equal ones, and its position.
pub(crate) fn run_begins<T: Element>(elements: &[T]) -> Result<(Vec<T>, Vec<u64>), PrepareError> {
    let begins = collect(|| heads(elements).map(|head| head as u64))?;
    Ok((unique(elements)?, begins))
}

/// The positions of the flags that are set, of as many as there are elements.
pub(crate) fn flagged_begins<M: Flag>(len: usize, mask: &[M]) -> Result<Vec<u64>, PrepareError> {
    check_mask(len, mask)?;
    collect(|| flagged(len, mask, true).map(|i| i as u64))
}

/// The different keys, the least one first, and of each key which one of these it is.
pub(crate) fn group_numbers<K: Element + Ord>(
    keys: &[K],
) -> Result<(Vec<K>, Vec<u32>), PrepareError> {
    let mut unique = collect(|| keys.iter().copied())?;
    unique.sort_unstable();
    unique.dedup();
    unique.shrink_to_fit();
    if u32::try_from(unique.len()).is_err() {
        return Err(PrepareError::TooLong { len: unique.len() as u64 });
    }
    // Each is there.
    let number = |key: &K| unique.partition_point(|other| other < key);
    let numbers = collect(|| keys.iter().map(|key| u32::try_from(number(key)).unwrap_or(u32::MAX)));
    Ok((unique, numbers?))
}

fn check_mask<M: Flag>(len: usize, mask: &[M]) -> Result<(), PrepareError> {
    let (least, most) = M::flags(mask);
    let len = len as u64;
    match least <= len && len <= most {
        true => Ok(()),
        false => Err(PrepareError::MaskLength { flags: most, len }),
    }
}

fn flagged<M: Flag>(len: usize, mask: &[M], is_set: bool) -> impl Iterator<Item = usize> {
    (0..len).filter(move |&i| M::is_set(mask, i) == is_set)
}

/// Where runs of equal elements begin. Elements are equal if their bits are.
fn heads<T: Element>(elements: &[T]) -> impl Iterator<Item = usize> {
    (0..elements.len()).filter(|&i| {
        i == 0 || bytemuck::bytes_of(&elements[i]) != bytemuck::bytes_of(&elements[i - 1])
    })
}

/// All of them, in as much memory as they take.
fn collect<T, I: Iterator<Item = T>>(items: impl Fn() -> I) -> Result<Vec<T>, PrepareError> {
    let mut results = Vec::new();
    reserve(&mut results, items().count(), "what was selected")?;
    results.extend(items());
    Ok(results)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bits, Bool};

    #[test]
    fn masks_of_every_kind() {
        let elements: Vec<i64> = (0..70).map(|i| i * i - 40).collect();
        let is_set = |i: usize| (i * 7) % 5 < 2 || i > 60;
        let words: Vec<u32> = (0..70).map(|i| if is_set(i) { 1 << (i % 32) } else { 0 }).collect();
        let flags: Vec<Bool> = (0..70).map(|i| Bool::from(is_set(i))).collect();
        let mut bits = [Bits(0); 3];
        (0..70).filter(|&i| is_set(i)).for_each(|i| bits[i / 32].0 |= 1 << (i % 32));
        let places: Vec<usize> = (0..70).filter(|&i| is_set(i)).collect();
        let chosen: Vec<i64> = places.iter().map(|&i| elements[i]).collect();
        let places: Vec<u64> = places.into_iter().map(|i| i as u64).collect();
        let others = (0..70).filter(|&i| !is_set(i)).map(|i| elements[i]);
        let parted: Vec<i64> = chosen.iter().copied().chain(others).collect();
        assert_eq!(select(&elements, &words).expect("fits"), chosen);
        assert_eq!(select(&elements, &flags).expect("fits"), chosen);
        assert_eq!(select(&elements, &bits).expect("fits"), chosen);
        let wanted = (parted, places.len() as u64);
        assert_eq!(partition(&elements, &words).expect("fits"), wanted);
        assert_eq!(partition(&elements, &bits).expect("fits"), wanted);
        assert_eq!(positions(&words).expect("there is memory"), places);
        assert_eq!(positions(&flags).expect("there is memory"), places);
        assert_eq!(positions(&bits).expect("there is memory"), places);
    }

    #[test]
    fn masks_of_other_lengths() {
        let refused = |result: Result<Vec<u8>, PrepareError>| {
            matches!(result, Err(PrepareError::MaskLength { .. }))
        };
        assert!(refused(select(&[1, 2, 3], &[1u32, 0])));
        assert!(refused(select(&[1, 2], &[1u32, 0, 1])));
        assert!(refused(select(&[1; 33], &[Bits(1)])));
        assert!(refused(select(&[1; 32], &[Bits(1); 2])));
        assert!(refused(select(&[], &[Bits(1)])));
        assert_eq!(select(&[1u8; 32], &[Bits(1)]).expect("fits"), [1]);
        assert!(select::<u8, Bits>(&[], &[]).expect("fits").is_empty());
    }

    #[test]
    fn runs_are_of_equal_bits() {
        let nan = f32::NAN;
        let elements = [nan, nan, 0.0, -0.0, -0.0, 1.0, nan];
        let (values, lengths) = run_lengths(&elements).expect("there is memory");
        let bits = |values: &[f32]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&values), bits(&[nan, 0.0, -0.0, 1.0, nan]));
        assert_eq!(lengths, [2, 1, 2, 1, 1]);
        assert_eq!(bits(&unique(&elements).expect("there is memory")), bits(&values));
        assert_eq!(run_lengths::<u16>(&[]).expect("there is memory"), (vec![], vec![]));
        assert_eq!(run_begins(&elements).expect("there is memory").1, [0, 2, 3, 5, 6]);
    }

    #[test]
    fn keys_have_numbers() {
        let found = group_numbers(&[7i32, -7, 1, 7, 1]).expect("there is memory");
        assert_eq!(found, (vec![-7, 1, 7], vec![2, 0, 1, 2, 1]));
        assert_eq!(group_numbers::<u8>(&[]).expect("there is memory"), (vec![], vec![]));
        let bits = flagged_begins(33, &[Bits(0b101), Bits(u32::MAX)]).expect("there is memory");
        assert_eq!(bits, [0, 2, 32]);
    }
}
