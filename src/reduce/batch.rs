//! Many reductions at once: [`Batch`].

use crate::{
    algebra::element::Element,
    device::{
        buffer::{self, GpuSlice},
        context::Context,
        error_scope,
        pool::Memory,
        readback::{Readback, Source, Staging},
    },
    dispatch::{
        plan::Dispatch,
        recording::{Part, Recording, Resources},
        windows::View,
    },
    error::{Error, PrepareError, ReadError},
    reduce::{
        inputs::{AnyOperator, Inputs},
        plan::Plan,
        reducer::Reducer,
        work::{Destination, Work},
    },
    wgsl::{
        kernel::{ExactOutput, Kernel},
        params::Params,
        shader::{Constants, ShaderKey},
    },
};
use std::{
    borrow::Cow,
    collections::HashMap,
    fmt,
    sync::atomic::{AtomicU64, Ordering},
};

/// Many reductions, of different inputs, operators and lengths, in one pass, one submission and one readback, as a frame of a
/// game or a step of a training needs them.
///
/// Those of one operator, type and alignment whose inputs lie in one buffer share two dispatches, so that hundreds of small
/// ones cost little more than one. (Exact results, inputs of several slices, and what a single binding of the buffer can't
/// span have dispatches of their own, and inputs of a single block share others than longer ones.) Partials
/// are folded by the second dispatch, also if a reducer asks for a single pass. The bits of the results are those of the
/// reductions one by one.
///
/// ```
/// # use gridfold::{Executor, Max, Reducer, Sum};
/// # let executor = Executor::auto();
/// # let Some(context) = executor.context() else { return Ok(()) };
/// let samples = executor.upload(&(0..1000).map(|i| i as f32).collect::<Vec<_>>())?;
/// let input = &samples.gpu_slices().expect("on a GPU")[0];
///
/// let mut batch = gridfold::Batch::new(context);
/// let sum = batch.add(&Reducer::<f32, Sum>::new(context), input)?;
/// let largest = batch.add(&Reducer::<f32, Max>::new(context), &input.slice(0..100)?)?;
/// let results = batch.reduce_blocking()?;
/// assert_eq!(results.get(sum)?, 499_500.0);
/// assert_eq!(results.get(largest)?, Some(99.0));
/// # Ok::<(), gridfold::Error>(())
/// ```
#[derive(Debug)]
pub struct Batch {
    context: Context,
    label: Cow<'static, str>,
    id: u64,
    groups: Vec<Group>,
    group_of: HashMap<GroupKey, usize>,
    /// Those that share no dispatch.
    singles: Vec<Single>,
    len: u32,
    /// Of all results together.
    words: u32,
}

/// What is to be found where in a batch's [`Results`]: a result `Out` on the device, which is a value `V` on the host.
#[derive(Debug)]
pub struct Ticket<Out, V> {
    batch: u64,
    index: u32,
    len: u64,
    value: fn(Out, u64) -> V,
}

impl<Out, V> Clone for Ticket<Out, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Out, V> Copy for Ticket<Out, V> {}

impl<Out, V> Ticket<Out, V> {
    /// The first word of [`PreparedBatch::results`] that the result is written to. Results follow one another in the order in
    /// which their tickets were given out, each with as many words of 32 bits as `Out` has.
    pub fn index(&self) -> u32 {
        self.index
    }
}

/// The values of a batch, on the host.
#[derive(Clone, Debug)]
pub struct Results {
    batch: u64,
    words: Vec<u32>,
}

impl Results {
    /// All results' words.
    pub(crate) fn words(&self) -> &[u32] {
        &self.words
    }

    /// A value.
    ///
    /// # Errors
    ///
    /// [`ReadError::ForeignTicket`] if another batch has given out the ticket.
    pub fn get<Out: bytemuck::Pod, V>(&self, ticket: Ticket<Out, V>) -> Result<V, ReadError> {
        let rest = usize::try_from(ticket.index).ok().and_then(|first| self.words.get(first..));
        let words = rest.and_then(|words| words.get(..size_of::<Out>() / 4));
        match words.map(bytemuck::cast_slice) {
            Some(bytes) if ticket.batch == self.batch => {
                Ok((ticket.value)(bytemuck::pod_read_unaligned(bytes), ticket.len))
            }
            _ => Err(ReadError::ForeignTicket),
        }
    }
}

/// What jobs of one dispatch have in common.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct GroupKey {
    buffer: wgpu::Buffer,
    shader: ShaderKey,
    constants: Constants,
}

/// Reductions that share their dispatches.
#[derive(Debug)]
struct Group {
    key: GroupKey,
    /// For each workgroup of the first dispatch.
    reduce: Vec<Params>,
    /// For each workgroup of the second, if there is one.
    fold: Vec<Params>,
    /// Accumulators in scratch memory.
    accs: u32,
}

/// A reduction that shares no dispatch: prepared when the buffer of the results is there.
struct Single {
    index: u32,
    words: u32,
    prepare: PrepareSingle,
}

#[cfg(not(target_arch = "wasm32"))]
type PrepareSingle = Box<dyn FnOnce(Destination<'_>) -> Result<Work, PrepareError> + Send>;
/// On the web wgpu's objects stay in their thread.
#[cfg(target_arch = "wasm32")]
type PrepareSingle = Box<dyn FnOnce(Destination<'_>) -> Result<Work, PrepareError>>;

impl fmt::Debug for Single {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Single").field("index", &self.index).finish_non_exhaustive()
    }
}

impl Batch {
    /// A batch without reductions.
    pub fn new(context: &Context) -> Self {
        static NEXT_ID: AtomicU64 = AtomicU64::new(0);
        Self {
            context: context.clone(),
            label: Cow::Borrowed("gridfold batch"),
            id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
            groups: Vec::new(),
            group_of: HashMap::new(),
            singles: Vec::new(),
            len: 0,
            words: 0,
        }
    }

    /// The label of passes and buffers, for debuggers.
    #[must_use]
    pub fn label(self, label: impl Into<Cow<'static, str>>) -> Self {
        Self { label: label.into(), ..self }
    }

    /// Whether the reduction whose result is there shares dispatches.
    pub(crate) fn is_shared(&self, index: u32) -> bool {
        self.singles.iter().all(|single| single.index != index)
    }

    /// How many reductions there are.
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds a reduction. Allocates nothing on the device.
    ///
    /// # Errors
    ///
    /// As [`Reducer::prepare`], and [`PrepareError::DifferentExecutors`] if the reducer is another context's; the batch is as
    /// before then.
    pub fn add<T: Element, Op: AnyOperator<T>>(
        &mut self,
        reducer: &Reducer<T, Op>,
        inputs: impl Into<Op::Inputs>,
    ) -> Result<Ticket<Op::Out, Op::Value>, PrepareError> {
        let inputs: Inputs<T> = inputs.into().into();
        if !reducer.context().is(&self.context) {
            return Err(PrepareError::DifferentExecutors {
                left: self.context.adapter().to_string(),
                right: reducer.context().adapter().to_string(),
            });
        }
        for slice in inputs.slices() {
            slice.require_usage("input", wgpu::BufferUsages::STORAGE)?;
        }
        let (index, words) = (self.words, Op::SPEC.out_words);
        let end = index.checked_add(words).ok_or(PrepareError::TooLong { len: u64::MAX })?;
        let output = (u64::from(index) * 4, false);
        // A single pass would have to count its workgroups in memory of its own.
        let plan = reducer.plan_jobs(&inputs, output)?;
        let len = plan.len;
        if let Some(key) = self.group_key(&plan, &inputs) {
            self.add_job(key, &plan, index);
        } else {
            let plan = reducer.plan_inputs(&inputs, output, ExactOutput::Value)?;
            let reducer = reducer.clone();
            let prepare = Box::new(move |destination: Destination<'_>| {
                reducer.prepare_work(plan, &inputs, destination, Memory::Own)
            });
            self.singles.push(Single { index, words, prepare });
        }
        // Each result has a word.
        self.len += 1;
        self.words = end;
        Ok(Ticket { batch: self.id, index, len, value: Op::value })
    }

    /// What the plan may share dispatches by, if it may.
    fn group_key<T: Element>(&self, plan: &Plan, inputs: &Inputs<T>) -> Option<GroupKey> {
        let (first, rest) = plan.dispatches.split_first()?;
        let (view, kernel) = (first.left?, first.shader.kernel.of_jobs()?);
        // A second launch goes on from the first, which jobs of one dispatch can't.
        if rest.iter().any(|dispatch| dispatch.shader.kernel != Kernel::Fold) {
            return None;
        }
        let buffer = inputs.left.0[view.slice].buffer();
        let is_spanned =
            (16..=self.context.capabilities().max_binding_bytes).contains(&buffer.size());
        let avoids = |kernel| self.context.capabilities().avoids(kernel, plan.mechanism).is_some();
        if !is_spanned || avoids(kernel) || avoids(Kernel::FoldJobs) {
            return None;
        }
        let shader = ShaderKey { kernel, ..first.shader };
        Some(GroupKey { buffer: buffer.clone(), shader, constants: first.constants })
    }

    fn add_job(&mut self, key: GroupKey, plan: &Plan, index: u32) {
        let first = &plan.dispatches[0];
        let Params { blocks, partials, .. } = first.params;
        let accs = partials + blocks;
        let has_room = |group: &Group| {
            let capabilities = self.context.capabilities();
            let reduce = group.reduce.len() as u64 + u64::from(blocks);
            let accs = u64::from(group.accs) + u64::from(accs);
            let acc_bytes = u64::from(plan.spec.acc_words()) * 4;
            reduce <= u64::from(capabilities.max_workgroups)
                && reduce * JOB_BYTES <= capabilities.max_binding_bytes
                && accs * acc_bytes + 16 <= capabilities.max_binding_bytes
        };
        let last = self.group_of.get(&key).copied().filter(|&group| has_room(&self.groups[group]));
        let group = last.unwrap_or_else(|| {
            let group = self.groups.len();
            self.groups.push(Group {
                key: key.clone(),
                reduce: Vec::new(),
                fold: Vec::new(),
                accs: 0,
            });
            self.group_of.insert(key, group);
            group
        });
        let group = &mut self.groups[group];
        // The whole buffer is bound, and all scratch memory and results.
        let element_bytes = plan.spec.element.size_bytes();
        let elements_before = first.left.map_or(0, |view| view.offset_bytes / element_bytes);
        let elements_before = u32::try_from(elements_before).expect("a binding has 2^31 bytes");
        let job = |dispatch: &Dispatch| Params {
            base: dispatch.params.base.wrapping_add(elements_before),
            partials: group.accs + partials,
            state_before: group.accs,
            state_after: group.accs,
            result_index: index,
            ..dispatch.params
        };
        group.reduce.extend((0..blocks).map(|block| Params { block, ..job(first) }));
        group.fold.extend(plan.dispatches[1..].iter().map(job));
        if !group.fold.is_empty() {
            group.accs += accs;
        }
    }

    /// Allocates everything that the batch takes. Submits nothing, waits for nothing.
    ///
    /// # Errors
    ///
    /// [`PrepareError`]; nothing of the caller's is changed then.
    pub fn prepare(self) -> Result<PreparedBatch, PrepareError> {
        let Self { context, label, id, groups, group_of: _, singles, len: _, words } = self;
        let device = context.device();
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
        let results = buffer::create(device, &label, u64::from(words.max(1)) * 4, usage)?;
        let recording = record_groups(&context, label.clone(), &groups, &results)?;
        let singles = singles
            .into_iter()
            .map(|Single { index, words, prepare }| {
                prepare(Destination {
                    buffer: &results,
                    offset_bytes: u64::from(index) * 4,
                    size_bytes: u64::from(words) * 4,
                })
            })
            .collect::<Result<_, _>>()?;
        error_scope::ensure_not_lost(device, &label)?;
        Ok(PreparedBatch { context, label, id, words, results, recording, singles })
    }

    /// Reduces to values on the host: allocates, submits once, and completes when the device is done, under any executor.
    ///
    /// # Errors
    ///
    /// [`Error::Prepare`] before anything is submitted, [`Error::Read`] after.
    pub async fn reduce(self) -> Result<Results, Error> {
        let (readback, _) = self.submit()?;
        Ok(readback.await?)
    }

    /// [`Batch::reduce`], blocking.
    ///
    /// # Errors
    ///
    /// As [`Batch::reduce`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn reduce_blocking(self) -> Result<Results, Error> {
        let (readback, submission) = self.submit()?;
        Ok(readback.wait_submitted(submission)?)
    }

    fn submit(self) -> Result<(Readback<Results>, wgpu::SubmissionIndex), PrepareError> {
        let prepared = self.prepare()?;
        let mut encoder = prepared.context.create_encoder(&prepared.label)?;
        let readback = prepared.record_readback(&mut encoder)?;
        Ok((readback, prepared.context.submit(encoder)?))
    }
}

/// Bytes of a workgroup's entry in the table of jobs.
const JOB_BYTES: u64 = size_of::<Params>() as u64;

/// The groups' dispatches: all first ones, which do not wait for each other, then all second ones.
fn record_groups(
    context: &Context,
    label: Cow<'static, str>,
    groups: &[Group],
    results: &wgpu::Buffer,
) -> Result<Recording, PrepareError> {
    let device = context.device();
    let alignment = context.capabilities().binding_alignment_bytes.max(16);
    // Groups use scratch memory one after another, but for what a group's own dispatches hand to each other.
    let scratch_bytes = |group: &Group| {
        (1 + u64::from(group.accs) * u64::from(group.key.shader.acc_words())).next_multiple_of(4)
            * 4
    };
    let mut table = Vec::new();
    let mut steps = Vec::new();
    let firsts = groups.iter().map(|group| (group, &group.reduce, group.key.shader.kernel));
    let seconds = groups.iter().map(|group| (group, &group.fold, Kernel::FoldJobs));
    for (group, jobs, kernel) in firsts.chain(seconds).filter(|(_, jobs, _)| !jobs.is_empty()) {
        let begin = (table.len() as u64).next_multiple_of(alignment);
        table.resize(usize::try_from(begin).expect("what is in memory fits usize"), 0);
        table.extend_from_slice(bytemuck::cast_slice(jobs));
        let reads = kernel != Kernel::FoldJobs;
        // A binding is whole words.
        let size_bytes = group.key.buffer.size() & !3;
        let dispatch = Dispatch {
            shader: ShaderKey { kernel, ..group.key.shader },
            constants: if reads { group.key.constants } else { Constants::None },
            params: Params::default(),
            left: reads.then_some(View { slice: 0, offset_bytes: 0, size_bytes, head_words: 0 }),
            right: None,
            slice: None,
            workgroups: u32::try_from(jobs.len()).expect("as many as a dispatch can have"),
        };
        steps.push((group, dispatch, begin, jobs.len() as u64 * JOB_BYTES));
    }
    table.resize(table.len().next_multiple_of(16).max(16), 0);
    let usage = wgpu::BufferUsages::STORAGE;
    let table = buffer::create_filled(device, &label, table.len() as u64, usage, &table)?;
    let scratches = groups
        .iter()
        .map(|group| buffer::create(device, &label, scratch_bytes(group), usage))
        .collect::<Result<Vec<_>, _>>()?;
    let mut recording = Recording::empty(label);
    for (group, dispatch, offset_bytes, size_bytes) in steps {
        let scratch =
            groups.iter().position(|other| std::ptr::eq(other, group)).map(|i| &scratches[i]);
        let resources = Resources {
            left: &[&group.key.buffer],
            right: &[],
            scratch: scratch.map(Part::whole),
            accumulator: None,
            result: Part::whole(results),
            jobs: Some(Part { buffer: &table, offset_bytes, size_bytes }),
        };
        recording.add(context, &[dispatch], resources, Memory::Pooled)?;
    }
    Ok(recording)
}

/// A batch with everything allocated: record it as often as you like.
#[derive(Debug)]
pub struct PreparedBatch {
    context: Context,
    label: Cow<'static, str>,
    id: u64,
    /// Of all results together.
    words: u32,
    results: wgpu::Buffer,
    /// Of those that share dispatches.
    recording: Recording,
    singles: Vec<Work>,
}

impl PreparedBatch {
    /// Appends all reductions to `encoder`, as one compute pass. Creates no GPU object.
    pub fn record(&self, encoder: &mut wgpu::CommandEncoder) {
        self.record_timed(encoder, None);
    }

    /// [`PreparedBatch::record`], with timestamps around the pass, if any.
    pub fn record_timed(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        timestamp_writes: Option<wgpu::ComputePassTimestampWrites<'_>>,
    ) {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some(&self.label),
            timestamp_writes,
        });
        self.recording.record_in(&mut pass);
        for single in &self.singles {
            single.recording.record_in(&mut pass);
        }
    }

    /// [`PreparedBatch::record`], and the results' way to the host. Allocates a small buffer. The readback resolves
    /// after the caller's submit.
    ///
    /// # Errors
    ///
    /// [`PrepareError`]; nothing was recorded then.
    pub fn record_readback(
        &self,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<Readback<Results>, PrepareError> {
        let size_bytes = u64::from(self.words) * 4;
        let staging = Staging::allocate(&self.context, size_bytes)?;
        self.record(encoder);
        let batch = self.id;
        let decode =
            move |bytes: &[u8]| Results { batch, words: bytemuck::pod_collect_to_vec(bytes) };
        if self.words == 0 {
            return Ok(staging.record(&self.context, encoder, &[], decode));
        }
        let source = Source { buffer: &self.results, offset_bytes: 0, size_bytes };
        Ok(staging.record(&self.context, encoder, &[source], decode))
    }

    /// The results on the device, each where its [`Ticket::index`] says. Its usages are `STORAGE` and `COPY_SRC`.
    pub fn results(&self) -> &wgpu::Buffer {
        &self.results
    }

    /// The result of a reduction on the device.
    ///
    /// # Errors
    ///
    /// [`ReadError::ForeignTicket`] if another batch has given out the ticket.
    pub fn result<Out: bytemuck::Pod, V>(
        &self,
        ticket: Ticket<Out, V>,
    ) -> Result<GpuSlice<Out>, Error> {
        if ticket.batch != self.id {
            return Err(ReadError::ForeignTicket.into());
        }
        Ok(GpuSlice::new(&self.results, u64::from(ticket.index) * 4, 1)?)
    }

    /// Dispatches of a recording.
    pub fn dispatches(&self) -> usize {
        let singles: usize = self.singles.iter().map(|single| single.recording.dispatches()).sum();
        self.recording.dispatches() + singles
    }
}
