//! Where results go, of which there is one for each element.

use crate::{device::buffer::AnySlice, error::PrepareError, reduce::inputs::total_len};
use std::ops::Range;

/// What is written of an output, and whether each result takes its element's place.
///
/// # Errors
///
/// [`PrepareError::Usage`](crate::PrepareError) and the like of either; [`PrepareError::StridedOutput`], [`PrepareError::ShortOutput`],
/// [`PrepareError::ScanAliasing`].
pub(crate) fn check(
    input: &[AnySlice],
    output: &[AnySlice],
) -> Result<(Vec<AnySlice>, bool), PrepareError> {
    for slice in input {
        slice.require_usage("input", wgpu::BufferUsages::STORAGE)?;
    }
    for slice in output {
        slice.require_usage("output", wgpu::BufferUsages::STORAGE)?;
        if slice.is_strided() {
            return Err(PrepareError::StridedOutput);
        }
    }
    let output = first_items(output, total_len(input))?;
    let in_place = is_in_place(input, &output);
    if !in_place {
        check_aliasing(input, &output)?;
    }
    Ok((output, in_place))
}

/// So many items of the slices, from the first one on.
fn first_items(output: &[AnySlice], needed: u64) -> Result<Vec<AnySlice>, PrepareError> {
    let mut rest = needed;
    let mut slices = Vec::new();
    for slice in output {
        let items = slice.len().min(rest);
        slices.push(slice.slice(0..items)?);
        rest -= items;
    }
    match rest {
        0 => Ok(slices),
        _ => Err(PrepareError::ShortOutput { len: total_len(output), needed }),
    }
}

/// Whether each result takes its element's place.
fn is_in_place(input: &[AnySlice], output: &[AnySlice]) -> bool {
    let places = |buffer: &wgpu::Buffer, bytes: Range<u64>| (buffer.clone(), bytes);
    let inputs = input.iter().filter(|slice| !slice.is_empty());
    let inputs = inputs.map(|slice| (places(slice.buffer(), slice.bytes()), slice.is_strided()));
    let outputs = output.iter().filter(|slice| !slice.is_empty());
    let outputs = outputs.map(|slice| (places(slice.buffer(), slice.bytes()), false));
    let item_bytes = |slices: &[AnySlice]| slices.first().map(AnySlice::item_bytes);
    item_bytes(input) == item_bytes(output) && inputs.eq(outputs)
}

fn check_aliasing(input: &[AnySlice], output: &[AnySlice]) -> Result<(), PrepareError> {
    let written = |slice: &&AnySlice| !slice.is_empty();
    for (number, slice) in output.iter().enumerate().filter(|(_, slice)| written(slice)) {
        let is_read = input.iter().any(|read| read.buffer() == slice.buffer());
        let bytes = slice.bytes();
        let overlaps = output[..number].iter().filter(written).any(|other| {
            let others = other.bytes();
            other.buffer() == slice.buffer()
                && bytes.start.max(others.start) < bytes.end.min(others.end)
        });
        if is_read || overlaps {
            return Err(PrepareError::ScanAliasing { slice: number });
        }
    }
    Ok(())
}
