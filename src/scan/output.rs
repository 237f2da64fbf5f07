//! Where results go, of which there is one for each element.

use crate::{
    algebra::element::Element, device::buffer::GpuSlice, error::PrepareError, reduce::inputs::Input,
};
use std::ops::Range;

/// What is written of an output, and whether each result takes its element's place.
///
/// # Errors
///
/// [`PrepareError::Usage`](crate::PrepareError) and the like of either; [`PrepareError::StridedOutput`], [`PrepareError::ShortOutput`],
/// [`PrepareError::ScanAliasing`].
pub(crate) fn check<T: Element, Out: bytemuck::Pod>(
    input: &Input<T>,
    output: &Input<Out>,
) -> Result<(Input<Out>, bool), PrepareError> {
    for slice in &input.0 {
        slice.require_usage("input", wgpu::BufferUsages::STORAGE)?;
    }
    for slice in &output.0 {
        slice.require_usage("output", wgpu::BufferUsages::STORAGE)?;
        if slice.is_strided() {
            return Err(PrepareError::StridedOutput);
        }
    }
    let output = first_items(output, input.len())?;
    let in_place = is_in_place(input, &output);
    if !in_place {
        check_aliasing(input, &output)?;
    }
    Ok((output, in_place))
}

/// So many items of the slices, from the first one on.
fn first_items<Out: bytemuck::Pod>(
    output: &Input<Out>,
    needed: u64,
) -> Result<Input<Out>, PrepareError> {
    let mut rest = needed;
    let mut slices = Vec::new();
    for slice in &output.0 {
        let items = slice.len().min(rest);
        slices.push(slice.slice(0..items)?);
        rest -= items;
    }
    match rest {
        0 => Ok(Input(slices)),
        _ => Err(PrepareError::ShortOutput { len: output.len(), needed }),
    }
}

/// Whether each result takes its element's place.
fn is_in_place<T: Element, Out: bytemuck::Pod>(input: &Input<T>, output: &Input<Out>) -> bool {
    let places = |buffer: &wgpu::Buffer, bytes: Range<u64>| (buffer.clone(), bytes);
    let inputs = input.0.iter().filter(|slice| !slice.is_empty());
    let inputs = inputs.map(|slice| (places(slice.buffer(), slice.bytes()), slice.is_strided()));
    let outputs = output.0.iter().filter(|slice| !slice.is_empty());
    let outputs = outputs.map(|slice| (places(slice.buffer(), slice.bytes()), false));
    size_of::<T>() == size_of::<Out>() && inputs.eq(outputs)
}

fn check_aliasing<T: Element, Out: bytemuck::Pod>(
    input: &Input<T>,
    output: &Input<Out>,
) -> Result<(), PrepareError> {
    let written = |slice: &&GpuSlice<Out>| !slice.is_empty();
    for (number, slice) in output.0.iter().enumerate().filter(|(_, slice)| written(slice)) {
        let is_read = input.0.iter().any(|read| read.buffer() == slice.buffer());
        let bytes = slice.bytes();
        let overlaps = output.0[..number].iter().filter(written).any(|other| {
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
