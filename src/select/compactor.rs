//! Selections on a device: [`Compactor`].

use crate::{
    device::{
        buffer::{self, GpuSlice},
        context::Context,
        error_scope,
        pool::Memory,
        readback::{Readback, Source, Staging},
    },
    dispatch::{
        plan::{Dispatch, Plan},
        prepared::{Output, Prepared},
        recording::{Part, Recording, Resources},
    },
    error::{Error, PrepareError},
    reduce::counted::add_told,
    select::{
        compaction::Compaction,
        plan::{CompactionPlan, CountPlace, Way},
    },
    way::{Strategy, Variant, policy::Policy},
};
use std::borrow::Cow;

/// Selects elements on the device of a [`Context`], as a [`Compaction`] says: by a mask, or one of each run of equal ones.
///
/// The number of selected elements stays on the device, in a buffer of the caller's, unless a call returns it. Results are the same on every
/// device and on the CPU. Options are taken by value. A compactor holds no GPU object of its own.
#[derive(Clone, Debug)]
#[doc(alias("DeviceSelect", "stream_compaction", "copy_if"))]
pub struct Compactor {
    context: Context,
    way: Way,
    label: Cow<'static, str>,
}

const COUNT_BYTES: u64 = 8;

impl Compactor {
    /// For the device of `context`.
    pub fn new(context: &Context) -> Self {
        let label = Cow::Borrowed("gridfold selection");
        Self { context: context.clone(), way: Way::default(), label }
    }

    /// How lanes combine. What is selected does not depend on it.
    #[must_use]
    pub fn variant(self, variant: Variant) -> Self {
        Self { way: Way { variant, ..self.way }, ..self }
    }

    /// How often elements, flags and predicates are read. What is selected does not depend on it.
    ///
    /// * [`Strategy::TwoPass`] counts, then writes: two passes over the elements, and one over blocks' counts in between.
    /// * [`Strategy::SinglePass`]: each workgroup looks back for what is selected before its block, as a
    ///   [scan](crate::Scanner::strategy) does. It takes coherent memory, and no promise of progress. What can't go this way goes in two passes: partitions (on any device),
    ///   whose second part begins where the first one ends, which no workgroup knows before all have counted; inputs of several slices, or more than a
    ///   binding spans, and so of outputs; outputs without room; a count in a buffer of an input or an output; and on devices that bind fewer
    ///   than six storage buffers run lengths and run begins, and fewer than five (`wgpu::Limits::downlevel_defaults()`) masks and unique elements.
    /// * [`Strategy::Auto`], the default, is a single pass on NVIDIA's GPUs without a policy of the caller's, and two
    ///   passes elsewhere.
    #[must_use]
    pub fn strategy(self, strategy: Strategy) -> Self {
        Self { way: Way { strategy, ..self.way }, ..self }
    }

    /// How each of two passes is cut into workgroups; a single one always has the same blocks. Results do not depend on it.
    #[must_use]
    pub fn policy(self, policy: Policy) -> Self {
        Self { way: Way { policy: Some(policy), ..self.way }, ..self }
    }

    /// The label of passes and buffers, for debuggers.
    #[must_use]
    pub fn label(self, label: impl Into<Cow<'static, str>>) -> Self {
        Self { label: label.into(), ..self }
    }

    /// Allocates everything that the selection takes. Submits nothing, waits for nothing.
    ///
    /// All slices need `wgpu::BufferUsages::STORAGE`. Of outputs that are longer than what is selected the rest stays as it is. Where they are
    /// shorter they have the first of it; the first number of `count` says how many there are, and others there stay as they are.
    ///
    /// # Errors
    ///
    /// [`PrepareError::NoSelection`] for [`Bits`](crate::Bits) as elements, [`PrepareError::MaskLength`] if elements and flags are not as many,
    /// [`PrepareError::LongNumbers`] of positions or lengths as `u32`s of 2^32 elements or more, [`PrepareError::ShortOutput`] of a partition if it has no room for all elements, [`PrepareError::NoCount`] if `count` is empty, [`PrepareError::OutputAliasing`] if an
    /// output lies in a buffer of an input or of another output, [`PrepareError::StridedOutput`],
    /// [`PrepareError::NoSubgroups`] of a variant that needs them, [`PrepareError::NoCoherentMemory`] and [`PrepareError::StrategyUnfit`] of
    /// a strategy, and others as of a reduction. Nothing of the caller's is changed then.
    pub fn prepare(
        &self,
        compaction: &Compaction,
        count: &GpuSlice<u64>,
    ) -> Result<Prepared<u64>, PrepareError> {
        let (plan, recording, count) = self.prepare_in(compaction, count, Memory::Own)?;
        error_scope::ensure_not_lost(self.context.device(), "a selection")?;
        let mut output = Output::new(&self.context, Vec::new(), bytemuck::pod_read_unaligned);
        output.slices.push(("count", count.any().clone()));
        Ok(Prepared { plan: plan.into(), recording, output })
    }

    /// [`Compactor::prepare`] and [`Prepared::record`] in one: allocates, and appends to the caller's encoder. Submits nothing,
    /// waits for nothing.
    ///
    /// # Errors
    ///
    /// As [`Compactor::prepare`]; nothing was recorded then.
    pub fn record(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        compaction: &Compaction,
        count: &GpuSlice<u64>,
    ) -> Result<(), PrepareError> {
        let (_, recording, _) = self.prepare_in(compaction, count, Memory::Pooled)?;
        error_scope::ensure_not_lost(self.context.device(), &self.label)?;
        recording.record(encoder, None);
        Ok(())
    }

    /// Selects, and tells how many elements there are: allocates, submits, and completes when the device is done, under any executor.
    ///
    /// # Errors
    ///
    /// [`Error::Prepare`] before anything is submitted, [`Error::Read`] after. [`PrepareError::ShortOutput`] if there is no room for all:
    /// then the outputs have the first ones, and its `needed` is their number.
    pub async fn run(&self, compaction: &Compaction) -> Result<u64, Error> {
        let (readback, _, room) = self.submit(compaction)?;
        check_room(readback.await?, room)
    }

    /// [`Compactor::run`], blocking.
    ///
    /// # Errors
    ///
    /// As [`Compactor::run`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn run_blocking(&self, compaction: &Compaction) -> Result<u64, Error> {
        let (readback, submission, room) = self.submit(compaction)?;
        check_room(readback.wait_submitted(submission)?, room)
    }

    fn submit(
        &self,
        compaction: &Compaction,
    ) -> Result<(Readback<u64>, wgpu::SubmissionIndex, u64), Error> {
        let context = &self.context;
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
        let buffer =
            buffer::create(context.device(), &self.label, 16, usage).map_err(PrepareError::from)?;
        let count = GpuSlice::<u64>::new(&buffer, 0, 1)?;
        let (_, recording, _) = self.prepare_in(compaction, &count, Memory::Pooled)?;
        let staging = Staging::allocate(context, COUNT_BYTES).map_err(PrepareError::from)?;
        let mut encoder = context.create_encoder(&self.label).map_err(PrepareError::from)?;
        recording.record(&mut encoder, None);
        let source = Source { buffer: &buffer, offset_bytes: 0, size_bytes: COUNT_BYTES };
        let readback =
            staging.record(context, &mut encoder, &[source], bytemuck::pod_read_unaligned);
        let submission = context.submit(encoder).map_err(PrepareError::from)?;
        Ok((readback, submission, compaction.room()))
    }

    /// The plan of a selection. Allocates nothing, submits nothing.
    ///
    /// # Errors
    ///
    /// As [`Compactor::prepare`].
    pub fn plan(
        &self,
        compaction: &Compaction,
        count: &GpuSlice<u64>,
    ) -> Result<Plan, PrepareError> {
        Ok(self.planned(compaction, &first_of(count)?)?.0.into())
    }

    /// The plan, and what is bound of the buffer of the count, which is one number.
    fn planned<'a>(
        &self,
        compaction: &Compaction,
        count: &'a GpuSlice<u64>,
    ) -> Result<(CompactionPlan, Part<'a>), PrepareError> {
        compaction.check(count)?;
        let capabilities = self.context.capabilities();
        let begin = count.offset_bytes();
        let head_bytes = begin % capabilities.binding_alignment_bytes.max(4);
        let part = Part {
            buffer: count.buffer(),
            offset_bytes: begin - head_bytes,
            size_bytes: head_bytes + COUNT_BYTES,
        };
        let place = CountPlace {
            word: u32::try_from(head_bytes / 4).expect("alignments are small"),
            is_apart: !compaction.uses(count.buffer()),
        };
        let plan = CompactionPlan::new(compaction, place, self.way, capabilities)?;
        Ok((plan, part))
    }

    fn prepare_in(
        &self,
        compaction: &Compaction,
        count: &GpuSlice<u64>,
        memory: Memory,
    ) -> Result<(CompactionPlan, Recording, GpuSlice<u64>), PrepareError> {
        let count = first_of(count)?;
        let (plan, result) = self.planned(compaction, &count)?;
        if let Some(len) = &compaction.counted {
            compaction.check_len(len, &count)?;
        }
        let context = &self.context;
        let is_single = plan.strategy == Strategy::SinglePass;
        let size_bytes = plan.scratch_bytes();
        let scratch = match is_single {
            true => None,
            false => Some(context.pool().scratch(memory, &self.label, size_bytes, false)?),
        };
        let progress_bytes = plan.progress_bytes();
        let progress = match is_single {
            true => Some(context.pool().progress(memory, &self.label, progress_bytes)?),
            false => None,
        };
        let (left, (output, lengths)) = (compaction.input.refs(), compaction.outputs());
        let masks: Vec<_> = compaction.mask.iter().flat_map(|mask| mask.buffers.iter()).collect();
        let resources = Resources {
            left: &left,
            right: &masks,
            // A single pass has the count there.
            third: &[],
            scratch: scratch
                .as_ref()
                .map_or(Some(result), |buffer| Some(Part::first(buffer, size_bytes))),
            accumulator: progress.as_ref().map(|buffer| Part::first(buffer, progress_bytes)),
            result: Some(result),
        };
        let mut recording = Recording::empty(self.label.clone());
        let told = match &compaction.counted {
            None => None,
            Some(len) => {
                let dispatches: Vec<_> = plan.dispatches().cloned().collect();
                Some(add_told(context, &mut recording, &dispatches, plan.len, len, memory)?)
            }
        };
        let mut first = 0;
        let mut add = |dispatches: &[Dispatch], resources: Resources<'_>| {
            let slot = first;
            first += dispatches.len();
            match &told {
                None => recording.add(context, dispatches, resources, memory),
                Some(told) => recording.add_told(context, dispatches, resources, told, slot),
            }
        };
        if !plan.totals.is_empty() {
            add(&plan.totals, resources)?;
        }
        let lengths = lengths.unwrap_or_default();
        let lengths = lengths.refs();
        for part in &plan.parts {
            let result = Some(Part {
                buffer: &output.buffers[part.output.slice],
                offset_bytes: part.output.offset_bytes,
                size_bytes: part.output.size_bytes,
            });
            let right = if lengths.is_empty() { &masks } else { &lengths };
            let resources = Resources { right, result, ..resources };
            add(&part.dispatches, resources)?;
        }
        Ok((plan, recording, count))
    }
}

/// Where the number goes: others of the slice are not written.
fn first_of(count: &GpuSlice<u64>) -> Result<GpuSlice<u64>, PrepareError> {
    count.slice(0..1).map_err(|_| PrepareError::NoCount)
}

/// Refuses a count that the outputs had no room for.
fn check_room(count: u64, room: u64) -> Result<u64, Error> {
    match count > room {
        true => Err(PrepareError::ShortOutput { len: room, needed: count }.into()),
        false => Ok(count),
    }
}
