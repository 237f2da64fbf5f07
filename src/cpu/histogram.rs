//! Histograms on the CPU.

use crate::{
    bins::{BinKeys, Binned, Bins},
    error::PrepareError,
    room::reserve,
};

/// How many elements each bin has.
///
/// # Errors
///
/// [`PrepareError::OutOfMemory`] if there is no room for the counts.
pub(crate) fn histogram<T: Binned>(elements: &[T], bins: &Bins) -> Result<Vec<u64>, PrepareError> {
    let mut counts = zeros(usize::try_from(bins.len()).unwrap_or(usize::MAX))?;
    let Some(keys) = bins.keys(T::TYPE) else { return Ok(counts) };
    #[cfg(feature = "parallel")]
    if super::is_worth_threads(elements.len()) {
        // A thread's counts are few next to its elements.
        let part_items = super::PART_ITEMS.max(8 * counts.len());
        let part = |number: usize| {
            let begin = number * part_items;
            let mut own = zeros(keys.firsts.len())?;
            count(&elements[begin..elements.len().min(begin + part_items)], &keys, &mut own);
            Ok(own)
        };
        let mut failed = None;
        super::share(elements.len().div_ceil(part_items), &part, &mut |_, own| match own {
            Ok(own) => {
                for (count, own) in counts.iter_mut().zip(own) {
                    *count += own;
                }
            }
            Err(error) => failed = Some(error),
        });
        return failed.map_or(Ok(counts), Err);
    }
    count(elements, &keys, &mut counts);
    Ok(counts)
}

/// Which bin each element is in: `u32::MAX` of none.
///
/// # Errors
///
/// [`PrepareError::OutOfMemory`] if there is no room for the numbers.
pub(crate) fn bin_numbers<T: Binned>(
    elements: &[T],
    bins: &Bins,
) -> Result<Vec<u32>, PrepareError> {
    let keys = bins.keys(T::TYPE);
    let number = |&element: &T| {
        let bin = keys.as_ref().and_then(|keys| keys.bin_of(element.key().into()));
        bin.map_or(u32::MAX, |bin| u32::try_from(bin).expect("bins are few"))
    };
    let mut numbers = Vec::new();
    reserve(&mut numbers, elements.len(), "the numbers of bins")?;
    numbers.extend(elements.iter().map(number));
    Ok(numbers)
}

fn zeros(bins: usize) -> Result<Vec<u64>, PrepareError> {
    let mut counts = Vec::new();
    reserve(&mut counts, bins, "the counts of bins")?;
    counts.resize(bins, 0);
    Ok(counts)
}

fn count<T: Binned>(elements: &[T], keys: &BinKeys, counts: &mut [u64]) {
    for &element in elements {
        if let Some(bin) = keys.bin_of(element.key().into()) {
            counts[bin] += 1;
        }
    }
}
