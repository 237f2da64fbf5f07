//! Slices of host memory on their way through a device: in chunks, of which it reduces one while the host brings
//! the next.
//!
//! One plan is made for the whole length, with a slice for each chunk, so chunks change no order and no bits. They
//! take turns in a ring of buffers, which is nearly all the memory of the device that a slice of any length needs: the
//! state or the accumulator waits in a buffer of its own from one submission to the next, in any strategy.

use crate::{
    algebra::element::Element,
    device::{
        buffer::{self, GpuSlice},
        context::Context,
        error_scope::{self, Refusal},
        mapping::Mapping,
        pool::Memory,
        timer::DeviceTimer,
    },
    error::{Error, PrepareError, ReadError},
    reduce::{
        inputs::{AnyOperator, Input, Inputs},
        plan::Plan,
        reducer::{Reducer, Reduction},
    },
};
use std::{mem, time::Duration};

/// Bytes that a chunk, of all inputs together, has at least, unless the device's buffers are smaller: a power of two.
///
/// On lavapipe (two shared cores, `cargo bench --bench host_slices -- vulkan/llvmpipe 24`, f32 sums of 64 MiB,
/// benches/records/two-cores-host-slices.txt) chunks of 2, 4, 8, 16, 32, 64 MiB come to 0.98, 0.91, 0.92, 0.79, 0.49, 0.41
/// GB/s, an upload of all and its reduction to 0.40: fresh memory costs more than the copy into it. 8 MiB rather than less,
/// because a submission to a GPU takes some 50 µs, in which 1 MiB would come over PCIe.
const MIN_CHUNK_BYTES: u64 = 8 << 20;
/// Bytes of a chunk at most: so a ring takes at most 128 MiB of the device, and as much of the host.
const MAX_CHUNK_BYTES: u64 = 64 << 20;
/// Chunks at most, until they have [`MAX_CHUNK_BYTES`]: what each of them binds is made before the first one runs.
const CHUNKS: u64 = 256;
/// Chunks under way at a time: the host fills the staging buffer of one, while the device copies and reduces the other.
const SLOTS: usize = 2;
const LABEL: &str = "gridfold stream";

impl<T: Element, Op: AnyOperator<T>> Reducer<T, Op> {
    /// Reduces slices of host memory, one for each input of the operator, in chunks of at most `chunk_bytes`, or, without,
    /// of the usual size. Waits for the result.
    pub(crate) fn stream(
        &self,
        slices: &[&[T]],
        chunk_bytes: Option<u64>,
    ) -> Result<Op::Value, Error> {
        let ((value, _), _) = self.stream_timed(slices, chunk_bytes, None)?;
        Ok(value)
    }

    /// [`Reducer::stream`], telling how. A single chunk has a device time.
    pub(crate) fn measure_stream(
        &self,
        slices: &[&[T]],
        chunk_bytes: Option<u64>,
    ) -> Result<Reduction<Op::Value>, Error> {
        let timer = DeviceTimer::new(self.context())?;
        let (result, plan) = self.stream_timed(slices, chunk_bytes, timer.as_ref())?;
        Ok(self.reduction(result, &plan))
    }

    fn stream_timed(
        &self,
        slices: &[&[T]],
        chunk_bytes: Option<u64>,
        timer: Option<&DeviceTimer>,
    ) -> Result<(Timed<Op::Value>, Plan), Error> {
        let context = self.context();
        let chunks = Chunks::of(slices, context, chunk_bytes);
        let mut ring = (0..chunks.count.min(SLOTS))
            .map(|_| Slot::new(context, chunks.slot_bytes()))
            .collect::<Result<Vec<_>, _>>()?;
        // What waits from one submission to the next must not be the pool's.
        let memory = if chunks.count > 1 { Memory::Own } else { Memory::Pooled };
        let prepared = self.prepare_own_output(&chunks.inputs(&ring)?, memory)?;
        let plan = prepared.plan();
        let mut steps = 0..0;
        let mut encoder = context.create_encoder(LABEL)?;
        for chunk in 0..chunks.count {
            let slot = &mut ring[chunk % SLOTS];
            slot.bring(context, &mut encoder, &chunks.parts(chunk))?;
            if chunk + 1 < chunks.count {
                steps = steps.end..end_of_chunk(plan, chunk, steps.end);
                prepared.record_steps(&mut encoder, steps.clone());
                let next = context.create_encoder(LABEL)?;
                slot.submit(context, mem::replace(&mut encoder, next))?;
            }
        }
        // The time of one pass of many, between which the device waits, says little.
        let timer = timer.filter(|_| chunks.count <= 1);
        let readback =
            prepared.record_end(&mut encoder, steps.end..plan.dispatches.len(), timer)?;
        let submission = context.submit(encoder)?;
        Ok((readback.wait_submitted(submission)?, prepared.into_plan()))
    }
}

type Timed<V> = (V, Option<Duration>);

/// The first dispatch after those of a chunk, which begin at `step`.
fn end_of_chunk(plan: &Plan, chunk: usize, step: usize) -> usize {
    let of_chunk = plan.dispatches[step..].iter().take_while(|step| step.slice == Some(chunk));
    step + of_chunk.count()
}

/// How slices of host memory are cut.
struct Chunks<'a, T> {
    /// One for each input of the operator.
    slices: &'a [&'a [T]],
    /// Elements of a chunk, of each slice: a power of two, so that a chunk is either whole blocks of the plan or a part
    /// of one.
    items: usize,
    count: usize,
    /// Where each slice's part of a chunk begins, relative to that of the slice before.
    stride_bytes: u64,
}

impl<'a, T: Element> Chunks<'a, T> {
    fn of(slices: &'a [&'a [T]], context: &Context, chunk_bytes: Option<u64>) -> Self {
        let bytes: u64 = slices.iter().map(|slice| size_of_val(*slice) as u64).sum();
        let usual_bytes = || {
            let of_many = (bytes / CHUNKS).checked_next_power_of_two().unwrap_or(MAX_CHUNK_BYTES);
            of_many.clamp(MIN_CHUNK_BYTES, MAX_CHUNK_BYTES)
        };
        let max_buffer_bytes = context.capabilities().max_buffer_bytes;
        let chunk_bytes = chunk_bytes.unwrap_or_else(usual_bytes).min(max_buffer_bytes);
        let most_items = chunk_bytes / (slices.len() as u64 * T::TYPE.size_bytes());
        let items = 1 << most_items.max(1).ilog2();
        let len = slices.iter().map(|slice| slice.len()).max().unwrap_or(0);
        // A single chunk takes no more than it needs. Bindings begin at multiples of 256 bytes on any device.
        let stride_items = (len as u64).next_multiple_of(64).min(items);
        Self {
            slices,
            items: usize::try_from(items).unwrap_or(usize::MAX),
            count: usize::try_from((len as u64).div_ceil(items)).expect("no more than elements"),
            stride_bytes: stride_items * T::TYPE.size_bytes(),
        }
    }

    fn slot_bytes(&self) -> u64 {
        self.slices.len() as u64 * self.stride_bytes
    }

    /// The elements of a chunk, of each slice, and where they begin in a slot.
    fn parts(&self, chunk: usize) -> Vec<(u64, &'a [u8])> {
        let begin = chunk * self.items;
        let part = |(index, slice): (u64, &&'a [T])| {
            let end = slice.len().min(begin.saturating_add(self.items));
            (index * self.stride_bytes, bytemuck::cast_slice(&slice[begin.min(end)..end]))
        };
        (0..).zip(self.slices).map(part).collect()
    }

    /// What the device reduces: the chunks, where they come to lie.
    fn inputs(&self, ring: &[Slot]) -> Result<Inputs<T>, PrepareError> {
        let mut inputs = self.slices.iter().enumerate().map(|(index, slice)| {
            let offset_bytes = index as u64 * self.stride_bytes;
            let place = |(chunk, part): (usize, &[T])| {
                GpuSlice::new(&ring[chunk % SLOTS].buffer, offset_bytes, part.len() as u64)
            };
            slice.chunks(self.items).enumerate().map(place).collect::<Result<Input<T>, _>>()
        });
        let mut next = || inputs.next().unwrap_or_else(|| Ok(Input(Vec::new())));
        Ok(Inputs { left: next()?, right: next()? })
    }
}

/// A place of the ring.
struct Slot {
    /// On the device.
    buffer: wgpu::Buffer,
    /// The same size, of our own, as in [`crate::device::upload`]: mapped, unless a submission has it.
    staging: wgpu::Buffer,
    /// A submission that reads the staging buffer, and the mapping after it.
    under_way: Option<(wgpu::SubmissionIndex, Mapping)>,
}

impl Slot {
    fn new(context: &Context, size_bytes: u64) -> Result<Self, Refusal> {
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST;
        let buffer = buffer::create(context.device(), LABEL, size_bytes, usage)?;
        let usage = wgpu::BufferUsages::MAP_WRITE | wgpu::BufferUsages::COPY_SRC;
        let staging = buffer::create_mapped(context.device(), LABEL, size_bytes, usage)?;
        Ok(Self { buffer, staging, under_way: None })
    }

    /// Brings a chunk's parts into the staging buffer, once the device has read what was there, and records the copy
    /// from there.
    fn bring(
        &mut self,
        context: &Context,
        encoder: &mut wgpu::CommandEncoder,
        parts: &[(u64, &[u8])],
    ) -> Result<(), ReadError> {
        self.write(context, parts).map_err(|error| {
            // What fails on a lost device fails for many reasons, of which this is the first.
            if error_scope::is_lost(context.device()) { ReadError::DeviceLost } else { error }
        })?;
        for &(offset_bytes, bytes) in parts {
            let size_bytes = bytes.len() as u64;
            encoder.copy_buffer_to_buffer(
                &self.staging,
                offset_bytes,
                &self.buffer,
                offset_bytes,
                size_bytes,
            );
        }
        Ok(())
    }

    fn write(&mut self, context: &Context, parts: &[(u64, &[u8])]) -> Result<(), ReadError> {
        if let Some((submission, mapping)) = self.under_way.take() {
            context.poller().poll_submission(submission)?;
            // Delivered by that poll, or by one of another thread at the same time.
            pollster::block_on(mapping)?;
        }
        for &(offset_bytes, bytes) in parts {
            let range = offset_bytes..offset_bytes + bytes.len() as u64;
            self.staging
                .get_mapped_range_mut(range)
                .map_err(|error| ReadError::Map(error.to_string()))?
                .copy_from_slice(bytes);
        }
        self.staging.unmap();
        Ok(())
    }

    /// Submits what reads the slot's buffers, and has the staging buffer mapped again once that is done.
    fn submit(&mut self, context: &Context, encoder: wgpu::CommandEncoder) -> Result<(), Refusal> {
        let mapping = Mapping::on_submit(&encoder, &self.staging, wgpu::MapMode::Write, ..);
        self.under_way = Some((context.submit(encoder)?, mapping));
        Ok(())
    }
}
