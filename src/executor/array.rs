//! Arrays on an executor's device.

use crate::{
    algebra::{
        element::Element,
        operator::Operator,
        operators::{Dot, DotValue},
        precision::Precision,
    },
    cpu::{
        self,
        fold::{Fold, Raw},
    },
    custom::any_operator::AnyOperator,
    device::{
        buffer::{self, AnySlice, GpuSlice},
        capabilities::AdapterName,
        context::Context,
        extent::WORD_BYTES,
        readback::submit_copy,
        upload::{overwrite, upload},
    },
    error::{Error, PrepareError, SliceError},
    exact::LengthMismatch,
    reduce::{
        any_reducer::AnyReducer,
        inputs::{AnyInput, parts},
        reduction::Reduction,
    },
    room::reserve,
    way::Strategy,
};
use bytemuck::Pod;
use std::{
    borrow::Cow,
    ops::Range,
    sync::{Arc, PoisonError, RwLock},
};

/// Elements on an executor's device, or a part of such an array. A cheap clone; clones and slices see
/// the same elements.
///
/// ```
/// let executor = gridfold::Executor::cpu();
/// let array = executor.upload(&[3u32, 1, 4, 1, 5])?;
/// assert_eq!(array.max()?, Some(5));
/// array.slice(0..2)?.write(0, &[10, 20])?;
/// assert_eq!(array.download()?, [10, 20, 4, 1, 5]);
/// assert_eq!(array.sum()?, 40);
/// # Ok::<(), gridfold::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Array<T> {
    storage: Storage<T>,
    len: u64,
    precision: Precision,
    /// How scans and selections go.
    pub(super) strategy: Strategy,
}

#[derive(Clone, Debug)]
enum Storage<T> {
    /// Reductions clone the inner `Arc` and hold no lock.
    Cpu {
        elements: Arc<RwLock<Arc<Vec<T>>>>,
        offset: usize,
    },
    Gpu {
        context: Context,
        slices: Vec<GpuSlice<T>>,
    },
}

/// Bytes of a buffer at most, where a device would allow more: large enough to lose nothing, small
/// enough to be had where memory is in pieces.
const UPLOAD_BYTES: u64 = 1 << 30;
/// Bytes that one readback of a download brings at most.
const DOWNLOAD_BYTES: u64 = 64 << 20;

impl<T: Element> Array<T> {
    /// To the device of `context`, or to the CPU executor's copy.
    pub(crate) fn upload(
        context: Option<&Context>,
        precision: Precision,
        values: &[T],
    ) -> Result<Self, Error> {
        let len = values.len() as u64;
        let Some(context) = context else {
            return Ok(Self::on_host(values.to_vec(), precision));
        };
        let bytes = bytemuck::cast_slice(values);
        let slices = upload_items(context, bytes, T::TYPE.size_bytes())?;
        let slices = slices.into_iter().map(GpuSlice::of).collect();
        Ok(Self::new(Storage::Gpu { context: context.clone(), slices }, len, precision))
    }

    fn new(storage: Storage<T>, len: u64, precision: Precision) -> Self {
        Self { storage, len, precision, strategy: Strategy::Auto }
    }

    /// Of the CPU executor.
    pub(super) fn on_host(elements: Vec<T>, precision: Precision) -> Self {
        let len = elements.len() as u64;
        let elements = Arc::new(RwLock::new(Arc::new(elements)));
        Self::new(Storage::Cpu { elements, offset: 0 }, len, precision)
    }

    /// Of elements that nothing has written yet, on the device of `context`.
    pub(super) fn unwritten(
        context: &Context,
        len: u64,
        precision: Precision,
    ) -> Result<Self, Error> {
        let slices = unwritten(context, len)?;
        Ok(Self::new(Storage::Gpu { context: context.clone(), slices }, len, precision))
    }

    /// Sets the promise of results. At first it is the executor's at the upload. (A [`Reducer`](crate::Reducer) of
    /// [`Array::gpu_slices`] has a precision of its own.)
    #[must_use]
    pub fn precision(self, precision: Precision) -> Self {
        Self { precision, ..self }
    }

    /// Length in elements.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The buffers' slices that hold the elements, in order: an [`crate::Input`] for a [`Reducer`](crate::Reducer). `None`
    /// on the CPU.
    pub fn gpu_slices(&self) -> Option<&[GpuSlice<T>]> {
        match &self.storage {
            Storage::Cpu { .. } => None,
            Storage::Gpu { slices, .. } => Some(slices),
        }
    }

    fn check(&self, range: Range<u64>) -> Result<(), SliceError> {
        if range.start > range.end || range.end > self.len {
            return Err(SliceError::PastSlice { range, len: self.len });
        }
        Ok(())
    }

    /// The elements `range` of this array, without copying.
    ///
    /// # Errors
    ///
    /// [`SliceError::PastSlice`] if the range is not within the array.
    pub fn slice(&self, range: Range<u64>) -> Result<Self, SliceError> {
        self.check(range.clone())?;
        let storage = match &self.storage {
            Storage::Cpu { elements, offset } => Storage::Cpu {
                elements: Arc::clone(elements),
                offset: offset + in_memory(range.start),
            },
            Storage::Gpu { context, slices } => {
                let parts = parts(slices, range.clone())
                    .map(|(slice, part)| slice.slice(part))
                    .collect::<Result<_, _>>()?;
                Storage::Gpu { context: context.clone(), slices: parts }
            }
        };
        let Self { precision, strategy, .. } = *self;
        Ok(Self { storage, len: range.end - range.start, precision, strategy })
    }

    /// Overwrites the elements from `offset` on. On a GPU the write comes before any work submitted later.
    ///
    /// Elements of less than a word that share one with the first or the last of `values` are read, and written again: so this waits for
    /// the device then, and nothing else must write them meanwhile.
    ///
    /// All of `values` or nothing: so on a GPU there must be staging memory for all of them at once. Where
    /// that is too much, write in parts.
    ///
    /// # Errors
    ///
    /// [`Error::Slice`] if the array ends before `values` do, [`Error::Prepare`] if there is no staging memory
    /// or the device is lost. Nothing is written then.
    pub fn write(&self, offset: u64, values: &[T]) -> Result<(), Error> {
        let range = offset..offset.saturating_add(values.len() as u64);
        self.check(range.clone())?;
        match &self.storage {
            Storage::Cpu { elements, offset: begin } => {
                let begin = begin + in_memory(offset);
                let mut elements = elements.write().unwrap_or_else(PoisonError::into_inner);
                Arc::make_mut(&mut elements)[begin..begin + values.len()].copy_from_slice(values);
            }
            Storage::Gpu { context, slices } => {
                let mut rest = values;
                let pieces = parts(slices, range)
                    .map(|(slice, part)| {
                        let (now, later) = rest.split_at(in_memory(part.end - part.start));
                        rest = later;
                        let offset_bytes = slice.offset_bytes() + part.start * T::TYPE.size_bytes();
                        let bytes: &[u8] = bytemuck::cast_slice(now);
                        let (begin, bytes) = words_around(context, slice, offset_bytes, bytes)?;
                        Ok((slice.buffer(), begin, bytes))
                    })
                    .collect::<Result<Vec<_>, Error>>()?;
                let pieces =
                    pieces.iter().map(|(buffer, begin, bytes)| (*buffer, *begin, &**bytes));
                overwrite(context, pieces)?;
            }
        }
        Ok(())
    }

    /// Copies the elements to the host.
    ///
    /// # Errors
    ///
    /// [`Error::Prepare`] or [`Error::Read`]. Never on the CPU.
    pub fn download(&self) -> Result<Vec<T>, Error> {
        let (context, slices) = match &self.storage {
            Storage::Cpu { .. } => return Ok(self.on_cpu(<[T]>::to_vec)),
            Storage::Gpu { context, slices } => (context, slices),
        };
        download(context, slices)
    }

    /// Reduces the elements, and tells how.
    ///
    /// # Errors
    ///
    /// [`Error::Prepare`] or [`Error::Read`]. On the CPU only [`PrepareError::Imprecise`], if the operator has no
    /// results of the array's precision: an exact f32 product; [`PrepareError::Unsupported`], if it has no such options for the elements; and
    /// [`PrepareError::NoTwin`] of an operator of your own in WGSL alone.
    pub fn reduce<Op: Operator<T>>(&self, op: Op) -> Result<Reduction<Op::Value>, Error> {
        Ok(self.reduction(&AnyOperator::of::<T, Op>(&op)?)?.of_types::<T, Op>())
    }

    fn reduction(&self, operator: &AnyOperator) -> Result<Reduction<Raw>, Error> {
        match &self.storage {
            Storage::Cpu { .. } => {
                let fold = operator.fold(self.precision)?;
                self.on_cpu(|elements| reduce_on_cpu(fold, self.precision, &[cpu::input(elements)]))
            }
            Storage::Gpu { context, slices } => {
                self.any_reducer(context, operator).measure_blocking(&inputs_of([slices]))
            }
        }
    }

    pub(crate) fn value<Op: Operator<T>>(&self, op: Op) -> Result<Op::Value, Error> {
        Ok(self.raw(&AnyOperator::of::<T, Op>(&op)?)?.value::<T, Op>())
    }

    /// The result as devices write it.
    pub(super) fn raw(&self, operator: &AnyOperator) -> Result<Raw, Error> {
        match &self.storage {
            Storage::Cpu { .. } => {
                let fold = operator.fold(self.precision)?;
                Ok(self
                    .on_cpu(|elements| cpu::raw(fold, self.precision, &[cpu::input(elements)]))?)
            }
            Storage::Gpu { context, slices } => {
                self.any_reducer(context, operator).reduce_blocking(&inputs_of([slices]))
            }
        }
    }

    pub(super) fn any_reducer(&self, context: &Context, operator: &AnyOperator) -> AnyReducer {
        AnyReducer::by(context, operator).precision(self.precision)
    }

    /// What results have to promise.
    pub(super) fn result_precision(&self) -> Precision {
        self.precision
    }

    pub(super) fn with_strategy(self, strategy: Strategy) -> Self {
        Self { strategy, ..self }
    }

    /// Where the elements are on a GPU. `None` on the CPU.
    pub(super) fn on_gpu(&self) -> Option<(&Context, &[GpuSlice<T>])> {
        match &self.storage {
            Storage::Cpu { .. } => None,
            Storage::Gpu { context, slices } => Some((context, slices)),
        }
    }

    pub(super) fn on_cpu<R>(&self, read: impl FnOnce(&[T]) -> R) -> R {
        match &self.storage {
            Storage::Cpu { elements, offset } => {
                let elements = Arc::clone(&elements.read().unwrap_or_else(PoisonError::into_inner));
                read(&elements[*offset..*offset + in_memory(self.len)])
            }
            Storage::Gpu { .. } => read(&[]),
        }
    }
}

impl<T: Element> Array<T>
where
    Dot: Operator<(T, T)>,
{
    /// The dot product ([`Dot`]) with an array of the same executor, of this array's precision. Submits, and waits for the
    /// result.
    ///
    /// # Errors
    ///
    /// [`PrepareError::LengthMismatch`] if one of them is longer, [`PrepareError::DifferentExecutors`] if one of them is
    /// on another executor's device, or on the CPU and the other on a GPU; on a GPU as [`Array::reduce`].
    #[doc(alias("inner_product"))]
    pub fn dot(&self, other: &Self) -> Result<DotValue<T>, Error> {
        match self.beside(other)? {
            Beside::Cpu => self.measure_dot(other).map(|reduction| reduction.value),
            Beside::Gpu { context, left, right } => {
                let reducer = self.any_reducer(context, &AnyOperator::of::<(T, T), _>(&Dot)?);
                Ok(reducer.reduce_blocking(&inputs_of([left, right]))?.value::<(T, T), Dot>())
            }
        }
    }

    /// [`Array::dot`], telling how.
    ///
    /// # Errors
    ///
    /// As [`Array::dot`].
    pub fn measure_dot(&self, other: &Self) -> Result<Reduction<DotValue<T>>, Error> {
        let dot = AnyOperator::of::<(T, T), _>(&Dot)?;
        let fold = dot.fold(self.precision)?;
        let reduction = match self.beside(other)? {
            Beside::Cpu => self.on_cpu(|left| {
                other.on_cpu(|right| {
                    LengthMismatch::check(left, right).map_err(PrepareError::from)?;
                    let pair = [left, right].map(bytemuck::cast_slice);
                    reduce_on_cpu(fold, self.precision, &[pair])
                })
            })?,
            Beside::Gpu { context, left, right } => {
                let reducer = self.any_reducer(context, &dot);
                reducer.measure_blocking(&inputs_of([left, right]))?
            }
        };
        Ok(reduction.of_types::<(T, T), Dot>())
    }
}

impl<T: Element> Array<T> {
    /// Where both arrays are.
    pub(super) fn beside<'a>(&'a self, other: &'a Self) -> Result<Beside<'a, T>, PrepareError> {
        match (&self.storage, &other.storage) {
            (Storage::Cpu { .. }, Storage::Cpu { .. }) => Ok(Beside::Cpu),
            (
                Storage::Gpu { context, slices: left },
                Storage::Gpu { context: other, slices: right },
            ) if context.is(other) => Ok(Beside::Gpu { context, left, right }),
            _ => Err(PrepareError::DifferentExecutors {
                left: self.adapter().to_string(),
                right: other.adapter().to_string(),
            }),
        }
    }

    pub(super) fn adapter(&self) -> AdapterName {
        match &self.storage {
            Storage::Cpu { .. } => AdapterName::cpu(),
            Storage::Gpu { context, .. } => context.adapter().clone(),
        }
    }
}

/// Copies items to buffers of their own on a device.
pub(super) fn upload_items(
    context: &Context,
    bytes: &[u8],
    item_bytes: u64,
) -> Result<Vec<AnySlice>, Error> {
    let chunk_bytes = chunk_items_of(context, item_bytes).saturating_mul(item_bytes);
    let chunks = bytes.chunks(usize::try_from(chunk_bytes).unwrap_or(usize::MAX));
    let upload = |chunk: &[u8]| {
        let len = chunk.len() as u64 / item_bytes;
        let buffer = create(context, len, item_bytes)?;
        upload(context, &buffer, chunk)?;
        Ok(AnySlice::new(&buffer, item_bytes, 0, len)?)
    };
    chunks.map(upload).collect()
}

/// Items of so many bytes.
pub(super) fn chunk_items_of(context: &Context, item_bytes: u64) -> u64 {
    let chunk_bytes = context.capabilities().max_buffer_bytes.min(UPLOAD_BYTES) & !15;
    (chunk_bytes / item_bytes).max(1)
}

/// A buffer for so many elements: of whole vectors, so that the last ones can be loaded four at a time, too.
fn create(context: &Context, items: u64, item_bytes: u64) -> Result<wgpu::Buffer, PrepareError> {
    let usage =
        wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
    let size_bytes = (items * item_bytes).next_multiple_of(16);
    Ok(buffer::create(context.device(), "gridfold array", size_bytes, usage)?)
}

/// Slices of buffers that nothing has written yet.
pub(super) fn unwritten<T: Pod>(context: &Context, len: u64) -> Result<Vec<GpuSlice<T>>, Error> {
    let slices = unwritten_items(context, len, size_of::<T>() as u64)?;
    Ok(slices.into_iter().map(GpuSlice::of).collect())
}

/// The same, by the bytes of an item.
pub(super) fn unwritten_items(
    context: &Context,
    len: u64,
    item_bytes: u64,
) -> Result<Vec<AnySlice>, Error> {
    let chunk_items = chunk_items_of(context, item_bytes);
    let slices = (0..len.div_ceil(chunk_items)).map(|chunk| {
        let items = chunk_items.min(len - chunk * chunk_items);
        Ok(AnySlice::new(&create(context, items, item_bytes)?, item_bytes, 0, items)?)
    });
    slices.collect()
}

/// Copies what slices have to the host.
pub(super) fn download<T: Pod + Send>(
    context: &Context,
    slices: &[GpuSlice<T>],
) -> Result<Vec<T>, Error> {
    let mut values = Vec::new();
    let len = slices.iter().map(GpuSlice::len).sum();
    reserve(&mut values, in_memory(len), "a downloaded array")?;
    // A readback needs some room of its own. It has whole items.
    let room_bytes = DOWNLOAD_BYTES.min((context.capabilities().max_buffer_bytes / 2) & !15);
    let item_bytes = size_of::<T>() as u64;
    let part_bytes = (room_bytes / item_bytes / WORD_BYTES).max(1) * item_bytes * WORD_BYTES;
    for slice in slices {
        let bytes = slice.bytes();
        let words = bytes.start / WORD_BYTES * WORD_BYTES..bytes.end;
        for begin in words.step_by(in_memory(part_bytes)) {
            let part = begin.max(bytes.start)..bytes.end.min(begin + part_bytes);
            // Into the memory that is there: another vector might find none.
            let decode = move |bytes: &[u8]| {
                values.extend(
                    bytes.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned::<T>),
                );
                values
            };
            values = read_bytes(context, slice.buffer(), part, decode)?;
        }
    }
    Ok(values)
}

/// Where two arrays are.
pub(super) enum Beside<'a, T> {
    Cpu,
    Gpu { context: &'a Context, left: &'a [GpuSlice<T>], right: &'a [GpuSlice<T>] },
}

pub(crate) fn reduce_on_cpu(
    fold: &dyn Fold,
    precision: Precision,
    slices: &[cpu::fold::Inputs<'_>],
) -> Result<Reduction<Raw>, Error> {
    let value = cpu::raw(fold, precision, slices)?;
    let (plan, explanation) = cpu::describe(fold.spec(), precision, value.len);
    Ok(Reduction { value, adapter: AdapterName::cpu(), plan, explanation, device_time: None })
}

/// The slices of a reduction's inputs.
pub(super) fn inputs_of<T: Element, const N: usize>(inputs: [&[GpuSlice<T>]; N]) -> AnyInput {
    let mut inputs = inputs.into_iter().map(any_slices);
    let mut next = || inputs.next().unwrap_or_default();
    AnyInput { left: next(), right: next(), third: next() }
}

/// Without the type of elements.
pub(super) fn any_slices<T: Element>(slices: &[GpuSlice<T>]) -> Vec<AnySlice> {
    slices.iter().map(|slice| slice.any().clone()).collect()
}

/// What `decode` makes of some bytes of a buffer.
fn read_bytes<R: Send + 'static>(
    context: &Context,
    buffer: &wgpu::Buffer,
    bytes: Range<u64>,
    decode: impl FnOnce(&[u8]) -> R + Send + 'static,
) -> Result<R, Error> {
    let (readback, submission) = submit_copy(context, "gridfold download", buffer, bytes, decode)?;
    Ok(readback.wait_submitted(submission)?)
}

/// Bytes that go to a slice's buffer from `offset_bytes` on, as whole words: with what is there in the first and the last of them. And
/// where these begin.
fn words_around<'b, T: Element>(
    context: &Context,
    slice: &GpuSlice<T>,
    offset_bytes: u64,
    bytes: &'b [u8],
) -> Result<(u64, Cow<'b, [u8]>), Error> {
    let end = offset_bytes + bytes.len() as u64;
    let begin = offset_bytes / WORD_BYTES * WORD_BYTES;
    let rest = end..end.next_multiple_of(WORD_BYTES);
    if (begin, rest.start) == (offset_bytes, rest.end) {
        return Ok((begin, Cow::Borrowed(bytes)));
    }
    let read = |range: Range<u64>| match range.is_empty() {
        true => Ok(Vec::new()),
        false => read_bytes(context, slice.buffer(), range, <[u8]>::to_vec),
    };
    Ok((begin, Cow::Owned([&read(begin..offset_bytes)?, bytes, &read(rest)?].concat())))
}

/// A count of elements that are, or were, in host memory.
fn in_memory(len: u64) -> usize {
    usize::try_from(len).expect("what was in host memory fits usize")
}
