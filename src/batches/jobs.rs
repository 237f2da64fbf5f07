//! Reductions of a batch that share dispatches: what each workgroup of them is told.

use crate::{
    algebra::{element::ElementType, operator_type::OperatorType},
    device::{
        buffer::{self, AnySlice},
        capabilities::Capabilities,
        context::Context,
        pool::{self, Memory},
    },
    dispatch::{
        plan::Dispatch,
        recording::{Part, Recording, Resources},
        windows::View,
    },
    error::PrepareError,
    reduce::{
        any_reducer::{AnyReducer, Settings},
        inputs::AnyInput,
        plan::ReductionPlan,
    },
    wgsl::{
        kernel::Kernel,
        params::{Params, ReductionParams},
        shader::{Constants, ShaderKey},
    },
};
use std::{borrow::Cow, collections::HashMap};

/// Words of a workgroup's entry in the table of jobs.
#[expect(clippy::cast_possible_truncation, reason = "they are few")]
const JOB_WORDS: u32 = Params::WORDS as u32;
/// Reductions that are remembered: a step of a training asks for a few of each tensor, all of few shapes.
const RECENT: usize = 8;

/// Reductions that share dispatches with others of their group.
#[derive(Debug, Default)]
pub(crate) struct Jobs {
    groups: Vec<Group>,
    /// The last of each kind.
    group_of: HashMap<GroupKey, usize>,
    /// The one that was added to last.
    last: usize,
    /// Of those added last, what others like them need not be planned for.
    recent: Vec<Recent>,
    /// Which of these makes room.
    oldest: usize,
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

/// What the workgroups of a reduction are told, wherever in the buffer it begins.
#[derive(Clone, Copy, Debug)]
struct Job {
    reduce: Params,
    fold: Option<Params>,
    element_bytes: u64,
    index_bytes: u64,
    acc_bytes: u64,
}

/// A slice of a buffer, and how it is reduced. Another slice that has all of this has the same plan, but for where it begins.
#[derive(Debug)]
struct Recent {
    operator: OperatorType,
    element: ElementType,
    settings: Settings,
    len: u64,
    /// What the first element's byte leaves over when divided by `alignment`.
    head_bytes: u64,
    alignment: u64,
    /// Of the binding that it would have alone: whole vectors.
    size_bytes: u64,
    job: Job,
    /// Of the same buffer.
    group: usize,
}

impl Recent {
    /// Where the binding of `slice` would begin, if it is reduced in the same way.
    fn offset_bytes(
        &self,
        reducer: &AnyReducer,
        slice: &AnySlice,
        buffer: &wgpu::Buffer,
    ) -> Option<u64> {
        let head_bytes = slice.offset_bytes() & (self.alignment - 1);
        let offset_bytes = slice.offset_bytes() - head_bytes;
        (slice.len() == self.len
            && !slice.is_strided()
            && head_bytes == self.head_bytes
            && reducer.of_type().operator == self.operator
            && reducer.element() == self.element
            && *reducer.settings() == self.settings
            && slice.buffer() == buffer
            && offset_bytes + self.size_bytes <= buffer.size())
        .then_some(offset_bytes)
    }
}

/// The first of the plan's dispatches, what it reads, and the constants that it shares with others: if nothing is in the way.
fn shared<'p>(
    plan: &'p ReductionPlan,
    element: ElementType,
    inputs: &AnyInput,
    capabilities: &Capabilities,
) -> Option<(&'p Dispatch, View, Constants)> {
    let (first, rest) = plan.dispatches.split_first()?;
    let view = first.left?;
    // A job has no stride of its own.
    if first.shader.kernel != Kernel::Reduce || view.stride_bytes.is_some() || !element.has_jobs() {
        return None;
    }
    let constants = first.constants.of_jobs()?;
    // A second launch goes on from the first, which jobs of one dispatch can't.
    if rest.len() > 1 || rest.iter().any(|dispatch| dispatch.shader.kernel != Kernel::Fold) {
        return None;
    }
    let buffer_bytes = inputs.left[view.slice].buffer().size();
    let is_spanned = (16..=capabilities.max_binding_bytes).contains(&buffer_bytes);
    is_spanned.then_some((first, view, constants))
}

/// Whether a batch reduces inputs together with others.
pub(crate) fn are_shared(plan: &ReductionPlan, reducer: &AnyReducer, inputs: &AnyInput) -> bool {
    shared(plan, reducer.element(), inputs, reducer.context().capabilities()).is_some()
}

impl Jobs {
    /// Adds the reduction of inputs like some that were added lately, if they are, without a plan.
    pub(crate) fn add_again(
        &mut self,
        reducer: &AnyReducer,
        inputs: &AnyInput,
        index: u32,
    ) -> bool {
        let ([slice], []) = (&inputs.left[..], &inputs.right[..]) else { return false };
        let like = |recent: &Recent| {
            let group = &self.groups[recent.group];
            let offset_bytes = recent.offset_bytes(reducer, slice, &group.key.buffer)?;
            let has_room = group.has_room(&recent.job, reducer.context().capabilities());
            has_room.then_some((offset_bytes, recent.job, recent.group))
        };
        let Some((offset_bytes, job, group)) = self.recent.iter().find_map(like) else {
            return false;
        };
        self.groups[group].add(&job, offset_bytes, index);
        true
    }

    /// Adds the reduction that is planned, if it may share dispatches.
    pub(crate) fn add(
        &mut self,
        plan: &ReductionPlan,
        reducer: &AnyReducer,
        inputs: &AnyInput,
        index: u32,
    ) -> bool {
        let capabilities = reducer.context().capabilities();
        // Dispatches have the parameters of expressions, not workgroups.
        if reducer.has_arguments() {
            return false;
        }
        let element = reducer.element();
        let Some((first, view, constants)) = shared(plan, element, inputs, capabilities) else {
            return false;
        };
        let buffer = inputs.left[view.slice].buffer();
        let shader = first.shader.clone();
        let job = Job {
            reduce: first.params,
            fold: plan.dispatches.get(1).map(|fold| fold.params),
            element_bytes: element.size_bytes(),
            index_bytes: element.index_bytes().into(),
            acc_bytes: u64::from(plan.spec.acc_words()) * 4,
        };
        let is_last = self.groups.get(self.last).is_some_and(|Group { key, .. }| {
            key.buffer == *buffer && key.shader == shader && key.constants == constants
        });
        if !is_last || !self.groups[self.last].has_room(&job, capabilities) {
            let key = GroupKey { buffer: buffer.clone(), shader, constants };
            let known = self.group_of.get(&key).copied();
            let known = known.filter(|&group| self.groups[group].has_room(&job, capabilities));
            self.last = known.unwrap_or_else(|| {
                let group = self.groups.len();
                self.group_of.insert(key.clone(), group);
                self.groups.push(Group { key, reduce: Vec::new(), fold: Vec::new(), accs: 0 });
                group
            });
        }
        self.groups[self.last].add(&job, view.offset_bytes, index);
        self.remember(&job, view, reducer, inputs);
        true
    }

    /// What needs no plan the next time.
    fn remember(&mut self, job: &Job, view: View, reducer: &AnyReducer, inputs: &AnyInput) {
        let ([slice], []) = (&inputs.left[..], &inputs.right[..]) else { return };
        // A binding that ends early, with the buffer, has a plan of its own.
        let alignment = reducer.context().capabilities().binding_alignment_bytes.max(16);
        let head_bytes = slice.offset_bytes() % alignment;
        let needed_bytes = (head_bytes + slice.len() * job.element_bytes).next_multiple_of(16);
        if view.size_bytes != needed_bytes {
            return;
        }
        let recent = Recent {
            operator: reducer.of_type().operator,
            element: reducer.element(),
            settings: reducer.settings().clone(),
            len: slice.len(),
            head_bytes,
            alignment,
            size_bytes: view.size_bytes,
            job: *job,
            group: self.last,
        };
        if self.recent.len() < RECENT {
            self.recent.push(recent);
        } else {
            self.recent[self.oldest] = recent;
            self.oldest = (self.oldest + 1) % RECENT;
        }
    }

    /// Leaves out those whose results begin with a word that is not kept.
    pub(super) fn retain(&mut self, keeps: impl Fn(u32) -> bool) {
        for Group { reduce, fold, .. } in &mut self.groups {
            reduce.retain(|params| keeps(params.result_index));
            fold.retain(|params| keeps(params.result_index));
        }
    }

    /// Whether any of them reads the buffer.
    pub(crate) fn reads(&self, buffer: &wgpu::Buffer) -> bool {
        self.groups.iter().any(|group| group.key.buffer == *buffer)
    }

    /// The dispatches: all first ones, which do not wait for each other, then all second ones. `results` is what is bound for
    /// the results, of which the first is at word `first_result`.
    pub(crate) fn record(
        &self,
        context: &Context,
        label: Cow<'static, str>,
        results: Part<'_>,
        first_result: u32,
    ) -> Result<Recording, PrepareError> {
        let mut recording = Recording::empty(label.clone());
        let mut firsts = Vec::new();
        let mut seconds = Vec::new();
        for group in self.groups.iter().filter(|group| !group.reduce.is_empty()) {
            let memory = group.memory(first_result);
            let (len_bytes, usage) = (memory.len() as u64, wgpu::BufferUsages::STORAGE);
            let size_bytes = pool::with_spare(len_bytes);
            // A buffer for each: dispatches that share none need not wait for each other.
            let memory =
                buffer::create_filled(context.device(), &label, size_bytes, usage, &memory)?;
            firsts.push((group, group.first(), memory.clone(), len_bytes));
            seconds.extend(group.second().map(|second| (group, second, memory, len_bytes)));
        }
        for (group, dispatch, memory, len_bytes) in firsts.into_iter().chain(seconds) {
            let resources = Resources {
                left: &[&group.key.buffer],
                right: &[],
                third: &[],
                scratch: Some(Part::first(&memory, len_bytes)),
                accumulator: None,
                result: Some(results),
            };
            recording.add(context, &[dispatch], resources, Memory::Pooled)?;
        }
        Ok(recording)
    }
}

impl Group {
    /// Whether one dispatch can have this job, too.
    fn has_room(&self, job: &Job, capabilities: &Capabilities) -> bool {
        let (blocks, partials) = (job.reduce.blocks, job.reduce.own.reduction().partials);
        let reduce = self.reduce.len() as u64 + u64::from(blocks);
        let fold = self.fold.len() as u64 + 1;
        let accs = u64::from(self.accs) + u64::from(partials + blocks);
        let table_bytes = (reduce + fold) * u64::from(JOB_WORDS) * 4;
        reduce <= u64::from(capabilities.max_workgroups)
            && accs * job.acc_bytes + table_bytes + 16 <= capabilities.max_binding_bytes
    }

    /// `offset_bytes` is where in the buffer the job's binding would begin, if it had one of its own.
    fn add(&mut self, job: &Job, offset_bytes: u64, index: u32) {
        let (blocks, partials) = (job.reduce.blocks, job.reduce.own.reduction().partials);
        // The whole buffer is bound, and all scratch memory and results.
        let indices_before = u32::try_from(offset_bytes / job.index_bytes);
        let indices_before = indices_before.expect("a binding has 2^31 bytes");
        let accs = self.accs;
        let of = |params: Params| {
            let own = ReductionParams {
                partials: accs + partials,
                state_before: accs,
                state_after: accs,
                ..params.own.reduction()
            };
            let base = params.base.wrapping_add(indices_before);
            Params { base, result_index: index, own: own.into(), ..params }
        };
        let reduce = of(job.reduce);
        self.reduce.extend((0..blocks).map(|block| Params { block, ..reduce }));
        if let Some(fold) = job.fold {
            self.fold.push(of(fold));
            self.accs += partials + blocks;
        }
    }

    /// Words of scratch memory before the table of jobs: accumulators, and one before them.
    fn scratch_words(&self) -> u32 {
        1 + self.accs * self.key.shader.acc_words()
    }

    /// Scratch memory, then the jobs of the first dispatch, then the jobs of the second. Results begin at such a word.
    fn memory(&self, first_result: u32) -> Vec<u8> {
        let mut memory = vec![0; 4 * self.scratch_words() as usize];
        for jobs in [&self.reduce, &self.fold] {
            for job in jobs {
                let job = Params { result_index: job.result_index + first_result, ..*job };
                memory.extend_from_slice(bytemuck::bytes_of(&job.words()));
            }
        }
        memory.resize(memory.len().next_multiple_of(16), 0);
        memory
    }

    /// The dispatch whose workgroups reduce blocks.
    fn first(&self) -> Dispatch {
        let GroupKey { buffer, shader, constants } = &self.key;
        // A binding is whole words.
        let view = View::of_words(0, buffer.size() & !3);
        self.dispatch(shader.clone(), *constants, Some(view), 0, &self.reduce)
    }

    /// The dispatch whose workgroups fold partials, if there are any.
    fn second(&self) -> Option<Dispatch> {
        let shader = self.key.shader.of_kernel(Kernel::Fold);
        let constants = Constants::Jobs { shift: None };
        let before = JOB_WORDS * count_of(&self.reduce);
        let fold = || self.dispatch(shader, constants, None, before, &self.fold);
        (!self.fold.is_empty()).then(fold)
    }

    /// A dispatch of a workgroup for each job, whose entries in the table have so many words before them.
    fn dispatch(
        &self,
        shader: ShaderKey,
        constants: Constants,
        left: Option<View>,
        before: u32,
        jobs: &[Params],
    ) -> Dispatch {
        // Where all leave partials, the dispatch has no results, and groups need not wait for each other.
        let any_alone = jobs.iter().any(|job| job.flags & Params::ALONE != 0);
        // A kernel counts words from the first accumulator on.
        let jobs_begin = self.scratch_words() - 1 + before;
        let own = ReductionParams { jobs: jobs_begin, ..ReductionParams::default() };
        let params = Params {
            flags: if any_alone { Params::ALONE } else { 0 },
            stride_bytes: shader.element.told_stride_bytes(),
            own: own.into(),
            ..Params::default()
        };
        Dispatch {
            shader,
            constants,
            params,
            left,
            right: None,
            third: None,
            slice: None,
            workgroups: count_of(jobs),
        }
    }
}

/// As many as a dispatch can have.
fn count_of(jobs: &[Params]) -> u32 {
    u32::try_from(jobs.len()).expect("a dispatch has less than 2^32 workgroups")
}
