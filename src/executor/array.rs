//! Arrays on an executor's device.

use crate::{
    algebra::{element::Element, operator::Operator, operators::Dot, precision::Precision},
    cpu,
    device::upload::{overwrite, upload},
    device::{
        buffer::{self, GpuSlice},
        capabilities::AdapterName,
        context::Context,
        readback::{Readback, Source, Staging},
    },
    error::{Error, PrepareError, SliceError},
    reduce::reducer::{Reducer, Reduction},
};
use std::{
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
            let elements = Arc::new(RwLock::new(Arc::new(values.to_vec())));
            return Ok(Self { storage: Storage::Cpu { elements, offset: 0 }, len, precision });
        };
        let chunk_bytes = context.capabilities().max_buffer_bytes.min(UPLOAD_BYTES) & !15;
        let chunk_items = usize::try_from(chunk_bytes / T::TYPE.size_bytes()).unwrap_or(usize::MAX);
        let slices = values
            .chunks(chunk_items.max(1))
            .map(|chunk| {
                let contents: &[u8] = bytemuck::cast_slice(chunk);
                let buffer = buffer::create(
                    context.device(),
                    "gridfold array",
                    // Whole vectors, so that the last elements can be loaded four at a time too.
                    (contents.len() as u64).next_multiple_of(16),
                    wgpu::BufferUsages::STORAGE
                        | wgpu::BufferUsages::COPY_SRC
                        | wgpu::BufferUsages::COPY_DST,
                )?;
                upload(context, &buffer, contents)?;
                Ok(GpuSlice::new(&buffer, 0, chunk.len() as u64)?)
            })
            .collect::<Result<_, Error>>()?;
        Ok(Self { storage: Storage::Gpu { context: context.clone(), slices }, len, precision })
    }

    /// What results have to promise: at first what the executor's did at the upload. (A [`Reducer`] of
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

    /// The buffers' slices that hold the elements, in order: an [`crate::Input`] for a [`Reducer`]. `None`
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
        Ok(Self { storage, len: range.end - range.start, precision: self.precision })
    }

    /// Overwrites the elements from `offset` on. On a GPU the write comes before any work submitted later.
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
                let pieces = parts(slices, range).map(|(slice, part)| {
                    let (now, later) = rest.split_at(in_memory(part.end - part.start));
                    rest = later;
                    let offset_bytes = slice.offset_bytes() + part.start * T::TYPE.size_bytes();
                    (slice.buffer(), offset_bytes, bytemuck::cast_slice(now))
                });
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
        let mut values = Vec::new();
        let no_memory = |_| PrepareError::OutOfMemory { what: "a downloaded array".to_owned() };
        values.try_reserve_exact(in_memory(self.len)).map_err(no_memory)?;
        // A readback needs some room of its own.
        let part_bytes = DOWNLOAD_BYTES.min((context.capabilities().max_buffer_bytes / 2) & !15);
        for slice in slices {
            let bytes = slice.bytes();
            for begin in bytes.clone().step_by(in_memory(part_bytes)) {
                let size_bytes = part_bytes.min(bytes.end - begin);
                let source = Source { buffer: slice.buffer(), offset_bytes: begin, size_bytes };
                let mut encoder = context.create_encoder("gridfold download")?;
                let staging = Staging::allocate(context, size_bytes)?;
                // Into the memory that is there: another vector might find none.
                let decode = move |bytes: &[u8]| {
                    values.extend(
                        bytes.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned::<T>),
                    );
                    values
                };
                let readback: Readback<Vec<T>> =
                    staging.record(context, &mut encoder, &[source], decode);
                let submission = context.submit(encoder)?;
                values = readback.wait_submitted(submission)?;
            }
        }
        Ok(values)
    }

    /// Reduces the elements, and tells how.
    ///
    /// # Errors
    ///
    /// [`Error::Prepare`] or [`Error::Read`]. On the CPU only [`PrepareError::Imprecise`], if the operator has no
    /// results of the array's precision: an exact f32 product.
    pub fn reduce<Op: Operator<T>>(&self) -> Result<Reduction<Op::Value>, Error> {
        match &self.storage {
            Storage::Cpu { .. } => {
                self.on_cpu(|elements| reduce_on_cpu::<T, Op>(self.precision, &[elements]))
            }
            Storage::Gpu { context, slices } => {
                self.reducer::<Op>(context).measure_blocking(&slices[..])
            }
        }
    }

    pub(crate) fn value<Op: Operator<T>>(&self) -> Result<Op::Value, Error> {
        match &self.storage {
            Storage::Cpu { .. } => {
                Ok(self.on_cpu(|elements| cpu::reduce_at::<T, Op>(self.precision, &[elements]))?)
            }
            Storage::Gpu { context, slices } => {
                self.reducer::<Op>(context).reduce_blocking(&slices[..])
            }
        }
    }

    fn reducer<Op: Operator<T>>(&self, context: &Context) -> Reducer<T, Op> {
        Reducer::new(context).precision(self.precision)
    }

    fn on_cpu<R>(&self, read: impl FnOnce(&[T]) -> R) -> R {
        match &self.storage {
            Storage::Cpu { elements, offset } => {
                let elements = Arc::clone(&elements.read().unwrap_or_else(PoisonError::into_inner));
                read(&elements[*offset..*offset + in_memory(self.len)])
            }
            Storage::Gpu { .. } => read(&[]),
        }
    }
}

impl Array<f32> {
    /// The dot product ([`Dot`]) with an array of the same executor, of this array's precision. Submits, and waits for the
    /// result.
    ///
    /// # Errors
    ///
    /// [`PrepareError::LengthMismatch`] if one of them is longer, [`PrepareError::DifferentExecutors`] if one of them is
    /// on another executor's device, or on the CPU and the other on a GPU; on a GPU as [`Array::reduce`].
    pub fn dot(&self, other: &Self) -> Result<f32, Error> {
        match self.beside(other)? {
            Beside::Cpu => self.dot_on_cpu(other).map(|reduction| reduction.value),
            Beside::Gpu { context, left, right } => Reducer::<f32, Dot>::new(context)
                .precision(self.precision)
                .reduce_blocking((left, right)),
        }
    }

    /// [`Array::dot`], telling how.
    ///
    /// # Errors
    ///
    /// As [`Array::dot`].
    pub fn measure_dot(&self, other: &Self) -> Result<Reduction<f32>, Error> {
        match self.beside(other)? {
            Beside::Cpu => self.dot_on_cpu(other),
            Beside::Gpu { context, left, right } => Reducer::<f32, Dot>::new(context)
                .precision(self.precision)
                .measure_blocking((left, right)),
        }
    }

    fn dot_on_cpu(&self, other: &Self) -> Result<Reduction<f32>, Error> {
        let precision = self.precision;
        self.on_cpu(|left| other.on_cpu(|right| dot_on_cpu(precision, left, right)))
    }

    /// Where both arrays are.
    fn beside<'a>(&'a self, other: &'a Self) -> Result<Beside<'a>, PrepareError> {
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

    fn adapter(&self) -> AdapterName {
        match &self.storage {
            Storage::Cpu { .. } => AdapterName::cpu(),
            Storage::Gpu { context, .. } => context.adapter().clone(),
        }
    }
}

/// Where two arrays are.
enum Beside<'a> {
    Cpu,
    Gpu { context: &'a Context, left: &'a [GpuSlice<f32>], right: &'a [GpuSlice<f32>] },
}

pub(crate) fn dot_on_cpu(
    precision: Precision,
    left: &[f32],
    right: &[f32],
) -> Result<Reduction<f32>, Error> {
    let value = cpu::dot_at(precision, left, right).map_err(PrepareError::from)?;
    let (plan, explanation) = match precision {
        Precision::Exact => cpu::describe_exact(),
        _ => cpu::describe_in_order(left.len() as u64),
    };
    Ok(Reduction { value, adapter: AdapterName::cpu(), plan, explanation, device_time: None })
}

pub(crate) fn reduce_on_cpu<T: Element, Op: Operator<T>>(
    precision: Precision,
    slices: &[&[T]],
) -> Result<Reduction<Op::Value>, Error> {
    let value = cpu::reduce_at::<T, Op>(precision, slices)?;
    let len = slices.iter().map(|slice| slice.len() as u64).sum();
    let (plan, explanation) = cpu::describe::<T, Op>(precision, len);
    Ok(Reduction { value, adapter: AdapterName::cpu(), plan, explanation, device_time: None })
}

/// The parts of consecutive slices that `range`, counted over all of them, covers.
fn parts<T: Element>(
    slices: &[GpuSlice<T>],
    range: Range<u64>,
) -> impl Iterator<Item = (&GpuSlice<T>, Range<u64>)> {
    let mut slice_begin = 0;
    slices.iter().filter_map(move |slice| {
        let begin = range.start.saturating_sub(slice_begin).min(slice.len());
        let end = range.end.saturating_sub(slice_begin).min(slice.len());
        slice_begin += slice.len();
        (begin < end).then_some((slice, begin..end))
    })
}

/// A count of elements that are, or were, in host memory.
fn in_memory(len: u64) -> usize {
    usize::try_from(len).expect("what was in host memory fits usize")
}
