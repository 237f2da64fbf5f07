//! What the device makes of the segments of an array.

use crate::{
    algebra::{element::Element, offset::Offset, precision::Precision},
    device::{
        buffer::GpuSlice,
        capabilities::{BINDING_BYTES_CAP, Capabilities},
        context::Context,
        extent::WORD_BYTES,
    },
    error::{Error, PrepareError, SliceError},
    executor::array::{Array, chunk_items},
    reduce::inputs::{AnyOperator, Input, parts},
    segments::{
        group_room::GroupRoom,
        layout::Segments,
        pieces::{Pieces, check_alone},
        segmented_reducer::SegmentedReducer,
    },
    wgsl::kernel::OrderPass,
};
use std::ops::Range;

/// What one binding has at most.
#[derive(Clone, Copy, Debug)]
pub(super) struct Most {
    pub(super) items: u64,
    pub(super) results: u64,
}

impl Most {
    pub(super) fn of<T: Element, Op: AnyOperator<T, Inputs = Input<T>>>(
        reducer: &SegmentedReducer<T, Op>,
    ) -> Result<Self, PrepareError> {
        let (context, room) = (reducer.context(), reducer.any().room()?);
        let Capabilities { max_binding_bytes, binding_alignment_bytes, .. } =
            *context.capabilities();
        // An element may be anywhere between the places at which bindings begin.
        let bytes = (max_binding_bytes.min(BINDING_BYTES_CAP) & !15)
            .saturating_sub(binding_alignment_bytes);
        let items = (bytes / T::TYPE.size_bytes()).min(room.items).min(chunk_items::<T>(context));
        Ok(Self { items, results: room.segments.min(chunk_items::<Op::Out>(context)) })
    }
}

/// What the device writes for each segment.
pub(super) fn outs_by<T: Element, Op: AnyOperator<T, Inputs = Input<T>>>(
    reducer: &SegmentedReducer<T, Op>,
    elements: &[GpuSlice<T>],
    segments: &Segments,
    count: u64,
) -> Result<Vec<Op::Out>, Error> {
    if count == 0 {
        return Ok(Vec::new());
    }
    let (results, output) = room::<Op::Out>(reducer.context(), count)?;
    reducer.reduce_blocking(elements, segments, &output)?;
    Ok(bytemuck::pod_collect_to_vec(&results.download()?))
}

/// Memory for so many results, as words and as what they are.
fn room<Out: bytemuck::Pod>(
    context: &Context,
    count: u64,
) -> Result<(Array<u32>, GpuSlice<Out>), Error> {
    let words = count.saturating_mul(size_of::<Out>() as u64 / WORD_BYTES);
    let max_binding_bytes = context.capabilities().max_binding_bytes;
    let needed_bytes = words.saturating_mul(WORD_BYTES);
    let too_many = PrepareError::BindingTooSmall { max_binding_bytes, needed_bytes };
    if needed_bytes > max_binding_bytes {
        return Err(too_many.into());
    }
    let results = Array::<u32>::unwritten(context, words, Precision::default())?;
    let [written] = results.gpu_slices().unwrap_or_default() else { return Err(too_many.into()) };
    let output = GpuSlice::new(written.buffer(), 0, count)?;
    Ok((results, output))
}

/// Of segments between offsets in host memory, which never fall and end with the elements or before: elements may lie in any slices. What one
/// binding has is reduced at once, and segments that lie in several alone. So are results that one binding has.
pub(super) fn outs_between<T, Op, O>(
    reducer: &SegmentedReducer<T, Op>,
    elements: &[GpuSlice<T>],
    offsets: &[O],
) -> Result<Vec<Op::Out>, Error>
where
    T: Element,
    Op: AnyOperator<T, Inputs = Input<T>>,
    O: Copy + Into<u64>,
{
    let most = usize::try_from(Most::of(reducer)?.results).unwrap_or(usize::MAX);
    let mut outs = Vec::new();
    for begin in (0..offsets.len().saturating_sub(1)).step_by(most) {
        let end = (offsets.len() - 1).min(begin + most);
        let own: Vec<u64> = offsets[begin..=end].iter().map(|&offset| offset.into()).collect();
        outs.extend(outs_at_once(reducer, elements, &own)?);
    }
    Ok(outs)
}

/// Of as many segments as a binding has results.
fn outs_at_once<T: Element, Op: AnyOperator<T, Inputs = Input<T>>>(
    reducer: &SegmentedReducer<T, Op>,
    elements: &[GpuSlice<T>],
    offsets: &[u64],
) -> Result<Vec<Op::Out>, Error> {
    let count = offsets.len() as u64 - 1;
    let context = reducer.context();
    let mut pieces = Pieces::default();
    let items = offsets[index_of(count)] - offsets[0];
    if reducer.any().known_are_alone(Some([count, items]))? {
        pieces.split = (0..count).collect();
    } else if elements.iter().all(GpuSlice::is_empty) {
        pieces.whole.push((0..count, 0..0));
    } else {
        pieces = pieces_between(reducer, elements, offsets)?;
    }
    let (results, output) = room::<Op::Out>(context, count)?;
    for (segments, items) in pieces.whole {
        let own = &offsets[index_of(segments.start)..=index_of(segments.end)];
        let own = own.iter().map(|&offset| u32::try_from(offset - items.start));
        let own: Vec<u32> = own.collect::<Result<_, _>>().expect("a binding has fewer");
        let on_device = Array::upload(Some(context), Precision::default(), &own)?;
        let slices = on_device.gpu_slices().unwrap_or_default();
        let by_offsets = Segments::offsets(&one_slice(context, slices, own.len() as u64)?);
        let output = output.slice(segments)?;
        reducer.reduce_blocking(Input(part_of(elements, items)?), &by_offsets, &output)?;
    }
    if !pieces.split.is_empty() {
        let alone = reducer.alone();
        let mut encoder = context.create_encoder("gridfold segments")?;
        for segment in pieces.split {
            let at = index_of(segment);
            let own = part_of(elements, offsets[at]..offsets[at + 1])?;
            alone.record(&mut encoder, Input(own), &output.slice(segment..segment + 1)?)?;
        }
        context.submit(encoder)?;
    }
    Ok(bytemuck::pod_collect_to_vec(&results.download()?))
}

/// Of segments that begin there, none of which is empty. The last one ends with the elements.
pub(super) fn outs_from<T, Op, O>(
    reducer: &SegmentedReducer<T, Op>,
    elements: &[GpuSlice<T>],
    begins: &Array<O>,
) -> Result<Vec<Op::Out>, Error>
where
    T: Element,
    Op: AnyOperator<T, Inputs = Input<T>>,
    O: Offset + Into<u64>,
{
    if begins.is_empty() {
        return Ok(Vec::new());
    }
    let context = reducer.context();
    let items = elements.iter().map(GpuSlice::len).sum();
    let are_alone = reducer.any().known_are_alone(Some([begins.len(), items]))?;
    // Begins have up to two words each.
    let are_many = begins.len() > Most::of(reducer)?.results / 2;
    if are_alone || are_many || !one_binding_has(reducer, elements)? {
        let begins = begins.download()?.into_iter().map(Into::into);
        let offsets: Vec<u64> = begins.chain([items]).collect();
        return outs_between(reducer, elements, &offsets);
    }
    let slice = one_slice(context, begins.gpu_slices().unwrap_or_default(), begins.len())?;
    let count = Array::upload(Some(context), Precision::default(), &[begins.len()])?;
    let count = one_slice(context, count.gpu_slices().unwrap_or_default(), 1)?;
    outs_by(reducer, elements, &Segments::begins(&slice, &count), begins.len())
}

/// How elements are cut at such offsets, if few enough segments are reduced alone.
fn pieces_between<T: Element, Op: AnyOperator<T, Inputs = Input<T>>>(
    reducer: &SegmentedReducer<T, Op>,
    elements: &[GpuSlice<T>],
    offsets: &[u64],
) -> Result<Pieces, PrepareError> {
    let extents: Vec<_> = elements.iter().map(GpuSlice::extent).collect();
    let (room, capabilities) = (reducer.any().room()?, reducer.context().capabilities());
    let pieces = Pieces::between(T::TYPE, &extents, offsets, room, capabilities)?;
    check_alone(pieces.split.len() as u64)?;
    Ok(pieces)
}

/// Whether one binding has all elements.
fn one_binding_has<T: Element, Op: AnyOperator<T, Inputs = Input<T>>>(
    reducer: &SegmentedReducer<T, Op>,
    elements: &[GpuSlice<T>],
) -> Result<bool, PrepareError> {
    let len = elements.iter().map(GpuSlice::len).sum();
    let pieces = pieces_between(reducer, elements, &[0, len])?;
    Ok(pieces.split.is_empty())
}

/// Whether so many groups are reduced at once, or refused at once: whether elements and numbers lie so, and the device has room for a copy of the elements, and
/// for a count of each group's in every block. If there are more groups than a pass takes, each pass has room if one of as many groups as it takes has.
pub(super) fn takes_groups<T: Element, Op: AnyOperator<T, Inputs = Input<T>>>(
    reducer: &SegmentedReducer<T, Op>,
    elements: &Array<T>,
    numbers: &Array<u32>,
    groups: u32,
) -> Result<bool, PrepareError> {
    reducer.any().known_are_alone(None)?;
    if elements.is_empty() || reducer.any().has_groups_anywhere(groups)? {
        return Ok(true);
    }
    let (Some(slices @ [own]), Some([numbers])) = (elements.gpu_slices(), numbers.gpu_slices())
    else {
        return Ok(false);
    };
    let (own, numbers) = (own.extent(), Some(numbers.extent()));
    let groups = groups.min(OrderPass::MAX_GROUPS);
    let capabilities = reducer.context().capabilities();
    match GroupRoom::of(T::TYPE, own, numbers, groups, capabilities) {
        Ok(_) => one_binding_has(reducer, slices),
        Err(PrepareError::BindingTooSmall { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

fn part_of<T: Element>(
    elements: &[GpuSlice<T>],
    range: Range<u64>,
) -> Result<Vec<GpuSlice<T>>, SliceError> {
    parts(elements, range).map(|(slice, part)| slice.slice(part)).collect()
}

fn index_of(segment: u64) -> usize {
    usize::try_from(segment).expect("offsets are in memory")
}

/// What one binding has to span.
pub(super) fn one_slice<T: Element>(
    context: &Context,
    slices: &[GpuSlice<T>],
    len: u64,
) -> Result<GpuSlice<T>, Error> {
    match slices {
        [slice] => Ok(slice.clone()),
        [] => {
            let empty = Array::<T>::upload(Some(context), Precision::default(), &[T::zeroed()])?;
            let slice = empty.gpu_slices().and_then(|slices| slices.first()).cloned();
            Ok(slice.map(|slice| slice.slice(0..0)).expect("it has one element")?)
        }
        _ => {
            let needed_bytes = len.saturating_mul(T::TYPE.size_bytes());
            let max_binding_bytes = context.capabilities().max_binding_bytes;
            Err(PrepareError::BindingTooSmall { max_binding_bytes, needed_bytes }.into())
        }
    }
}
