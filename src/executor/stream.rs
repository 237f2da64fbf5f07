//! Slices of host memory on their way through a device: in chunks, of which it reduces one while the host brings
//! the next.
//!
//! One plan is made for the whole length, with a slice for each chunk, so chunks change no order and no bits. They
//! take turns in a ring of buffers, which is nearly all the memory of the device that a slice of any length needs: the
//! state or the accumulator waits in a buffer of its own from one submission to the next, in any strategy.

use crate::{
    algebra::{
        element::ElementType,
        operator::{Items, Operator},
    },
    cpu::fold::Raw,
    device::{
        buffer::{self, AnySlice, whole_words},
        context::Context,
        error_scope::{self, Refusal},
        extent::WORD_BYTES,
        mapping::Mapping,
        pool::Memory,
        timer::DeviceTimer,
    },
    error::{Error, PrepareError, ReadError},
    executor::source::{Fill, Filled, OfSlices, Source, StreamError, check_len, fill_bytes},
    reduce::{
        any_reducer::AnyReducer, inputs::AnyInput, plan::ReductionPlan, prepared::Timed,
        reducer::Reducer, reduction::Reduction,
    },
};
use std::{mem, ops::Range};

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
/// What mappings begin at multiples of.
const MAP_BYTES: usize = 8;
const LABEL: &str = "gridfold stream";

impl<I: Items, Op: Operator<I>> Reducer<I, Op> {
    /// Reduces elements that come chunk by chunk, and tells how. Waits for the result.
    ///
    /// Each input has `len` elements. The library calls `fill` with the number of an input, from 0 on, and with the next elements of it to
    /// fill. It asks for a chunk of each input, then for the next chunk of each. The bits are those of one piece, and inputs may be longer than
    /// any memory. A single chunk has a device time.
    ///
    /// The device has room for two chunks, of 8 to 64 MiB.
    ///
    /// # Errors
    ///
    /// [`StreamError::Source`] is what `fill` returned; it is not called again then. [`StreamError::Reduce`] as of
    /// [`Reducer::measure_blocking`].
    pub fn stream_blocking<E>(
        &self,
        len: u64,
        mut fill: impl FnMut(usize, &mut [I::Element]) -> Result<(), E>,
    ) -> Result<Reduction<Op::Value>, StreamError<E>> {
        let fill = &mut fill_bytes(&mut fill);
        Ok(self.any().measure_fill(len, None, fill)?.of_types::<I, Op>())
    }
}

impl AnyReducer {
    /// [`Reducer::stream_blocking`], in chunks of at most `chunk_bytes`, or, without, of the usual size.
    pub(super) fn measure_fill<E>(
        &self,
        len: u64,
        chunk_bytes: Option<u64>,
        fill: &mut Fill<'_, E>,
    ) -> Result<Reduction<Raw>, StreamError<E>> {
        check_len(len)?;
        let inputs = self.of_type().inputs as usize;
        let mut source = Filled::new(inputs, len, self.element().size_bytes(), fill);
        let result = self.measure_source(&mut source, chunk_bytes);
        source.outcome(result)
    }

    /// Reduces slices of host memory, one for each input of the operator, in chunks of at most `chunk_bytes`, or, without,
    /// of the usual size. Waits for the result.
    pub(super) fn stream(&self, slices: &[&[u8]], chunk_bytes: Option<u64>) -> Result<Raw, Error> {
        let mut source = OfSlices(slices, self.element().size_bytes());
        let result = self.stream_timed(&mut source, chunk_bytes, None)?;
        let (timed, _) = result.expect("slices have all their elements");
        Ok(timed.value)
    }

    /// [`AnyReducer::stream`], telling how. A single chunk has a device time.
    pub(super) fn measure_stream(
        &self,
        slices: &[&[u8]],
        chunk_bytes: Option<u64>,
    ) -> Result<Reduction<Raw>, Error> {
        let mut source = OfSlices(slices, self.element().size_bytes());
        let result = self.measure_source(&mut source, chunk_bytes)?;
        Ok(result.expect("slices have all their elements"))
    }

    pub(super) fn measure_source(
        &self,
        source: &mut dyn Source,
        chunk_bytes: Option<u64>,
    ) -> Result<Option<Reduction<Raw>>, Error> {
        let timer = DeviceTimer::new(self.context())?;
        // A stream can't be read twice.
        let any = self.with_place();
        let result = any.stream_timed(source, chunk_bytes, timer.as_ref())?;
        Ok(result.map(|(timed, plan)| any.reduction(timed, &plan)))
    }

    /// `None` if the source has not all of its elements.
    fn stream_timed(
        &self,
        source: &mut dyn Source,
        chunk_bytes: Option<u64>,
        timer: Option<&DeviceTimer>,
    ) -> Result<Option<(Timed, ReductionPlan)>, Error> {
        let context = self.context();
        let chunks = Chunks::of(self.element(), source.lens(), context, chunk_bytes);
        let mut ring = (0..chunks.count.min(SLOTS))
            .map(|_| Slot::new(context, chunks.slot_bytes()))
            .collect::<Result<Vec<_>, _>>()?;
        // What waits from one submission to the next must not be the pool's.
        let memory = if chunks.count > 1 { Memory::Own } else { Memory::Pooled };
        let prepared = self.prepare_own_output(&chunks.inputs(&ring)?, memory)?;
        let plan = &prepared.work.plan;
        let mut steps = 0..0;
        let mut encoder = context.create_encoder(LABEL)?;
        for chunk in 0..chunks.count {
            let slot = &mut ring[chunk % SLOTS];
            slot.wait(context)?;
            for (input, range) in chunks.ranges(chunk) {
                let Some(bytes) = source.bytes(input, range) else { return Ok(None) };
                let offset_bytes = input as u64 * chunks.stride_bytes;
                slot.bring(context, &mut encoder, offset_bytes, bytes)?;
            }
            slot.staging.unmap();
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
        Ok(Some((readback.wait_submitted(submission)?, prepared.work.plan)))
    }
}

/// The first dispatch after those of a chunk, which begin at `step`.
fn end_of_chunk(plan: &ReductionPlan, chunk: usize, step: usize) -> usize {
    let of_chunk = plan.dispatches[step..].iter().take_while(|step| step.slice == Some(chunk));
    step + of_chunk.count()
}

/// How inputs in host memory are cut.
struct Chunks {
    element_bytes: u64,
    /// Elements of each input.
    lens: Vec<u64>,
    /// Elements of a chunk, of each input: a power of two, so that a chunk is either whole blocks of the plan or a part
    /// of one.
    items: u64,
    count: usize,
    /// Where each input's part of a chunk begins, relative to that of the input before.
    stride_bytes: u64,
}

impl Chunks {
    fn of(
        element: ElementType,
        lens: Vec<u64>,
        context: &Context,
        chunk_bytes: Option<u64>,
    ) -> Self {
        let element_bytes = element.size_bytes();
        let bytes: u64 = lens.iter().map(|len| len * element_bytes).sum();
        let usual_bytes = || {
            let of_many = (bytes / CHUNKS).checked_next_power_of_two().unwrap_or(MAX_CHUNK_BYTES);
            of_many.clamp(MIN_CHUNK_BYTES, MAX_CHUNK_BYTES)
        };
        let max_buffer_bytes = context.capabilities().max_buffer_bytes;
        let chunk_bytes = chunk_bytes.unwrap_or_else(usual_bytes).min(max_buffer_bytes);
        let most_items = chunk_bytes / (lens.len() as u64 * element_bytes);
        // Parts begin where a mapping can, and copies have whole words.
        let items = 1 << most_items.max(8 / element_bytes).ilog2();
        let len = lens.iter().copied().max().unwrap_or(0);
        // A single chunk takes no more than it needs. Bindings begin at multiples of 256 bytes on any device.
        let stride_items = len.next_multiple_of(256 / element_bytes).min(items);
        Self {
            element_bytes,
            lens,
            items,
            count: usize::try_from(len.div_ceil(items)).expect("fewer than can be bound"),
            stride_bytes: stride_items * element_bytes,
        }
    }

    fn slot_bytes(&self) -> u64 {
        self.lens.len() as u64 * self.stride_bytes
    }

    /// The elements of a chunk, of each input.
    fn ranges(&self, chunk: usize) -> Vec<(usize, Range<u64>)> {
        let begin = chunk as u64 * self.items;
        let range = |&len: &u64| begin.min(len)..len.min(begin.saturating_add(self.items));
        self.lens.iter().map(range).enumerate().collect()
    }

    /// What the device reduces: the chunks, where they come to lie.
    fn inputs(&self, ring: &[Slot]) -> Result<AnyInput, PrepareError> {
        let mut inputs = self.lens.iter().enumerate().map(|(index, len)| {
            let offset_bytes = index as u64 * self.stride_bytes;
            let place = |chunk: usize| {
                let begin = chunk as u64 * self.items;
                let part = self.items.min(len - begin);
                let buffer = &ring[chunk % SLOTS].buffer;
                AnySlice::new(buffer, self.element_bytes, offset_bytes, part)
            };
            let count = usize::try_from(len.div_ceil(self.items)).expect("no more than of all");
            (0..count).map(place).collect::<Result<Vec<_>, _>>()
        });
        let mut next = || inputs.next().unwrap_or_else(|| Ok(Vec::new()));
        Ok(AnyInput { left: next()?, right: next()?, third: next()? })
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

    /// Waits until the device has read what was in the staging buffer, which is mapped then.
    fn wait(&mut self, context: &Context) -> Result<(), ReadError> {
        let Some((submission, mapping)) = self.under_way.take() else { return Ok(()) };
        let wait = || {
            context.poller().poll_submission(submission)?;
            // Delivered by that poll, or by one of another thread at the same time.
            pollster::block_on(mapping)
        };
        wait().map_err(|error| first_cause(context, error))
    }

    /// Brings a part of a chunk into the staging buffer, and records the copy from there.
    fn bring(
        &mut self,
        context: &Context,
        encoder: &mut wgpu::CommandEncoder,
        offset_bytes: u64,
        bytes: &[u8],
    ) -> Result<(), ReadError> {
        let (whole, rest) = bytes.split_at(bytes.len() / MAP_BYTES * MAP_BYTES);
        let rest_at = offset_bytes + whole.len() as u64;
        for (begin, bytes) in [(offset_bytes, whole), (rest_at, &whole_words(rest))] {
            if !bytes.is_empty() {
                self.staging
                    .get_mapped_range_mut(begin..begin + bytes.len() as u64)
                    .map_err(|error| first_cause(context, ReadError::Map(error.to_string())))?
                    .copy_from_slice(bytes);
            }
        }
        let size_bytes = (bytes.len() as u64).next_multiple_of(WORD_BYTES);
        let (from, to) = (&self.staging, &self.buffer);
        encoder.copy_buffer_to_buffer(from, offset_bytes, to, offset_bytes, size_bytes);
        Ok(())
    }

    /// Submits what reads the slot's buffers, and has the staging buffer mapped again once that is done.
    fn submit(&mut self, context: &Context, encoder: wgpu::CommandEncoder) -> Result<(), Refusal> {
        let mapping = Mapping::on_submit(&encoder, &self.staging, wgpu::MapMode::Write, ..);
        self.under_way = Some((context.submit(encoder)?, mapping));
        Ok(())
    }
}

/// What fails on a lost device fails for many reasons, of which this is the first.
fn first_cause(context: &Context, error: ReadError) -> ReadError {
    if error_scope::is_lost(context.device()) { ReadError::DeviceLost } else { error }
}
