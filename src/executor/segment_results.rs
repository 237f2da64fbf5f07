//! Results of an array's segments on a device.

use crate::{
    algebra::{
        element::Element,
        offset::Offset,
        operator::{Items, Operator},
        precision::Precision,
    },
    device::{
        buffer::{AnySlice, GpuSlice},
        capabilities::{BINDING_BYTES_CAP, Capabilities},
        context::Context,
        extent::WORD_BYTES,
    },
    error::{Error, PrepareError, SliceError},
    executor::array::{Array, chunk_items_of},
    reduce::inputs::{AnyInput, any_parts, total_len},
    room::reserve,
    segments::{
        any_segmented::AnySegmentedReducer,
        group_room::GroupRoom,
        layout::Segments,
        pieces::{Pieces, check_alone},
    },
    wgsl::kernel::OrderPass,
};
use std::ops::Range;

/// The most that one binding holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Most {
    pub(super) items: u64,
    pub(super) results: u64,
}

impl Most {
    pub(super) fn of(reducer: &AnySegmentedReducer) -> Result<Self, PrepareError> {
        let (context, room) = (reducer.context(), reducer.room()?);
        let Capabilities { max_binding_bytes, binding_alignment_bytes, .. } =
            *context.capabilities();
        // An element may be anywhere between the places at which bindings begin.
        let bytes = (max_binding_bytes.min(BINDING_BYTES_CAP) & !15)
            .saturating_sub(binding_alignment_bytes);
        let item_bytes = reducer.element().size_bytes();
        let items = (bytes / item_bytes).min(room.items).min(chunk_items_of(context, item_bytes));
        let results = room.segments.min(chunk_items_of(context, reducer.out_bytes()));
        Ok(Self { items, results })
    }
}

/// The result of each segment, in words, as the device writes it.
pub(super) fn outs_by(
    reducer: &AnySegmentedReducer,
    elements: &[AnySlice],
    segments: &Segments,
    count: u64,
) -> Result<Vec<u32>, Error> {
    if count == 0 {
        return Ok(Vec::new());
    }
    let (results, output) = room(reducer, count)?;
    reducer.reduce_blocking(elements, segments, &output)?;
    results.download()
}

/// Memory for so many results, as words and as what they are.
fn room(reducer: &AnySegmentedReducer, count: u64) -> Result<(Array<u32>, AnySlice), Error> {
    let (context, out_bytes) = (reducer.context(), reducer.out_bytes());
    let max_binding_bytes = context.capabilities().max_binding_bytes;
    let needed_bytes = count.saturating_mul(out_bytes);
    let too_many = PrepareError::BindingTooSmall { max_binding_bytes, needed_bytes };
    if needed_bytes > max_binding_bytes {
        return Err(too_many.into());
    }
    let words = needed_bytes / WORD_BYTES;
    let results = Array::<u32>::unwritten(context, words, Precision::default())?;
    let [written] = results.gpu_slices().unwrap_or_default() else { return Err(too_many.into()) };
    let output = AnySlice::new(written.buffer(), out_bytes, 0, count)?;
    Ok((results, output))
}

/// Of segments between offsets in host memory, which never fall and end with the elements or before: elements may lie in any slices. What one
/// binding has is reduced at once, and segments that lie in several alone. So are results that one binding has.
pub(super) fn outs_between<O: Copy + Into<u64>>(
    reducer: &AnySegmentedReducer,
    elements: &[AnySlice],
    offsets: &[O],
) -> Result<Vec<u32>, Error> {
    let most = usize::try_from(Most::of(reducer)?.results).unwrap_or(usize::MAX);
    let mut outs = Vec::new();
    for begin in (0..offsets.len().saturating_sub(1)).step_by(most) {
        let end = (offsets.len() - 1).min(begin + most);
        let own: Vec<u64> = offsets[begin..=end].iter().map(|&offset| offset.into()).collect();
        outs.extend(outs_at_once(reducer, elements, &own)?);
    }
    Ok(outs)
}

/// The results of as many segments as one binding has room for.
fn outs_at_once(
    reducer: &AnySegmentedReducer,
    elements: &[AnySlice],
    offsets: &[u64],
) -> Result<Vec<u32>, Error> {
    let count = offsets.len() as u64 - 1;
    let context = reducer.context();
    let mut pieces = Pieces::default();
    let items = offsets[index_of(count)] - offsets[0];
    if reducer.known_are_alone(Some([count, items]))? {
        pieces.split = (0..count).collect();
    } else if total_len(elements) == 0 {
        pieces.whole.push((0..count, 0..0));
    } else {
        pieces = pieces_between(reducer, elements, offsets)?;
    }
    let (results, output) = room(reducer, count)?;
    for (segments, items) in pieces.whole {
        let own = &offsets[index_of(segments.start)..=index_of(segments.end)];
        let own = own.iter().map(|&offset| u32::try_from(offset - items.start));
        let own: Vec<u32> = own.collect::<Result<_, _>>().expect("a binding has fewer");
        let on_device = Array::upload(Some(context), Precision::default(), &own)?;
        let slices = on_device.gpu_slices().unwrap_or_default();
        let by_offsets = Segments::offsets(&one_slice(context, slices, own.len() as u64)?);
        let output = output.slice(segments)?;
        reducer.reduce_blocking(&part_of(elements, items)?, &by_offsets, &output)?;
    }
    if !pieces.split.is_empty() {
        let alone = reducer.alone();
        let mut encoder = context.create_encoder("gridfold segments")?;
        for segment in pieces.split {
            let at = index_of(segment);
            let left = part_of(elements, offsets[at]..offsets[at + 1])?;
            let inputs = AnyInput { left, ..AnyInput::default() };
            alone.record(&mut encoder, &inputs, &output.slice(segment..segment + 1)?)?;
        }
        context.submit(encoder)?;
    }
    results.download()
}

/// The results of segments that begin there. None is empty, and the last one ends with the elements.
pub(super) fn outs_from<O: Offset + Into<u64>>(
    reducer: &AnySegmentedReducer,
    elements: &[AnySlice],
    begins: &Array<O>,
) -> Result<Vec<u32>, Error> {
    if begins.is_empty() {
        return Ok(Vec::new());
    }
    let (context, items) = (reducer.context(), total_len(elements));
    let are_alone = reducer.known_are_alone(Some([begins.len(), items]))?;
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
fn pieces_between(
    reducer: &AnySegmentedReducer,
    elements: &[AnySlice],
    offsets: &[u64],
) -> Result<Pieces, PrepareError> {
    let extents: Vec<_> = elements.iter().map(AnySlice::extent).collect();
    let (room, capabilities) = (reducer.room()?, reducer.context().capabilities());
    let pieces = Pieces::between(reducer.element(), &extents, offsets, room, capabilities)?;
    check_alone(pieces.split.len() as u64)?;
    Ok(pieces)
}

/// Whether one binding has all elements.
fn one_binding_has(
    reducer: &AnySegmentedReducer,
    elements: &[AnySlice],
) -> Result<bool, PrepareError> {
    let pieces = pieces_between(reducer, elements, &[0, total_len(elements)])?;
    Ok(pieces.split.is_empty())
}

/// Whether so many groups are reduced at once, or refused at once: whether elements and numbers lie so, and the device has room for a copy of the elements, and
/// for a count of each group's in every block. If there are more groups than a pass takes, each pass has room if one of as many groups as it takes has.
pub(super) fn takes_groups(
    reducer: &AnySegmentedReducer,
    elements: &[AnySlice],
    numbers: &Array<u32>,
    groups: u32,
) -> Result<bool, PrepareError> {
    reducer.known_are_alone(None)?;
    if total_len(elements) == 0 || reducer.has_groups_anywhere(groups)? {
        return Ok(true);
    }
    let ([own], Some([numbers])) = (elements, numbers.gpu_slices()) else {
        return Ok(false);
    };
    let (own, numbers) = (own.extent(), Some(numbers.extent()));
    let groups = groups.min(OrderPass::MAX_GROUPS);
    let capabilities = reducer.context().capabilities();
    match GroupRoom::of(reducer.element(), own, numbers, groups, capabilities) {
        Ok(_) => one_binding_has(reducer, elements),
        Err(PrepareError::BindingTooSmall { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

fn part_of(elements: &[AnySlice], range: Range<u64>) -> Result<Vec<AnySlice>, SliceError> {
    any_parts(elements, range).map(|(slice, part)| slice.slice(part)).collect()
}

fn index_of(segment: u64) -> usize {
    usize::try_from(segment).expect("offsets are in memory")
}

/// The only slice, where one binding has to span all elements.
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

/// Results in words, each of so many elements, as calls that return a value report them.
pub(super) fn values_of<I: Items, Op: Operator<I>>(
    words: &[u32],
    lens: impl IntoIterator<Item = u64>,
) -> Result<Vec<Op::Value>, Error> {
    let mut values = Vec::new();
    let outs = words.chunks_exact(size_of::<Op::Out>() / size_of::<u32>());
    reserve(&mut values, outs.len(), "the values of results")?;
    let read = |out: &[u32]| bytemuck::pod_read_unaligned(bytemuck::cast_slice(out));
    values.extend(outs.zip(lens).map(|(out, len)| Op::value(read(out), len)));
    Ok(values)
}
