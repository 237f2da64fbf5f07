//! Asks a device.

use super::{
    buffers::Buffers,
    cover::{Extent, Pipeline, Selection, Survey},
    input::Input,
    progress::{Listener, Progress},
    questions::{Asked, Question, Restriction, Subject, Wanted},
    slot::{self, LABEL, Slot},
    tally::{Claim, Tally},
};
use crate::{
    device::{
        capabilities::Capabilities,
        context::Context,
        readback::{Readback, Source, Staging},
    },
    error::{CreateError, Error, PrepareError, ReadError},
    reduce::{
        plan::{Ending, ReductionPlan},
        work::Work,
    },
    way::{Mechanism, Strategy},
    wgsl::{kernel::Stored, shader::ShaderKey},
};
use std::{collections::HashMap, sync::Arc};

/// Bytes of a binding at most, where an input shall take several.
const SMALL_BINDING_BYTES: u64 = 1 << 16;
/// Workgroups of a dispatch at most, where an input shall take several dispatches.
const FEW_WORKGROUPS: u32 = 3;

/// Results of one submission at most.
const SLOTS: usize = 96;
/// The same where the first wrong one ends it.
const FEW_SLOTS: usize = 8;
/// Bytes of inputs that one submission keeps alive at most, about.
const MAX_INPUT_BYTES: u64 = 96 << 20;

/// To be submitted together.
#[derive(Default)]
struct Pending {
    asked: Vec<(Asked, Claim)>,
    input_bytes: u64,
}

/// The scope of a self-test.
#[derive(Clone, Debug)]
pub(super) struct Options {
    pub(super) context: Context,
    pub(super) extent: Extent,
    pub(super) only_files: Option<Vec<String>>,
    pub(super) stops_at_first_wrong: bool,
    pub(super) listener: Option<Listener>,
    /// Other devices of the same adapter.
    pub(super) beside: Vec<Context>,
}

impl Options {
    pub(super) fn new(context: &Context) -> Self {
        Self {
            context: context.clone(),
            extent: Extent::Brief,
            only_files: None,
            stops_at_first_wrong: false,
            listener: None,
            beside: Vec::new(),
        }
    }
}

/// A self-test under way.
pub(super) struct Run {
    pub(super) options: Options,
    restricted: [(Restriction, Context); 2],
    pending: Pending,
    pub(super) tally: Tally,
    unfinished: Option<String>,
    selection: Selection,
}

impl Run {
    /// A self-test that has asked nothing so far.
    pub(super) fn of(
        options: Options,
        selection: Selection,
        progress: Arc<Progress>,
    ) -> Result<Self, CreateError> {
        let restricted = restricted(&options.context)?;
        let (pending, tally) = (Pending::default(), Tally::new(progress));
        Ok(Self { options, restricted, pending, tally, unfinished: None, selection })
    }

    /// The questions so far are usual ones.
    pub(super) fn ends_usual(&mut self) {
        if let Selection::Survey(survey) = &mut self.selection {
            survey.ends_usual();
        }
    }

    /// The pipelines of all questions, where none was asked; or why there are not all.
    pub(super) fn surveyed(self) -> Result<Survey, String> {
        match (self.unfinished, self.selection) {
            (Some(reason), _) => Err(reason),
            (None, Selection::Survey(survey)) => Ok(survey),
            (None, Selection::All | Selection::Chosen { .. }) => Ok(Survey::default()),
        }
    }

    /// All answers, and the reason if there are no more.
    pub(super) async fn found(mut self) -> (Tally, Option<String>) {
        self.flush().await;
        (self.tally, self.unfinished)
    }

    /// Whether every operator shall go through every kernel.
    pub(super) fn wants_everything(&self) -> bool {
        self.options.extent == Extent::Everything
    }

    /// The limits and abilities of the device.
    pub(super) fn capabilities(&self) -> &Capabilities {
        self.options.context.capabilities()
    }

    /// Whether nothing more is to be asked.
    pub(super) fn is_over(&self) -> bool {
        let has_found = self.options.stops_at_first_wrong && !self.tally.wrong.is_empty();
        self.unfinished.is_some() || has_found
    }

    /// Whether these shaders are to be asked.
    pub(super) fn is_wanted(&mut self, pipelines: &[Pipeline]) -> bool {
        if let Some(only) = &self.options.only_files {
            let has_file = |key: &ShaderKey| {
                key.files().iter().any(|&file| only.iter().any(|only| only == file))
            };
            if !pipelines.iter().any(|(key, _)| has_file(key)) {
                return false;
            }
        }
        self.selection.takes(pipelines)
    }

    fn context(&self, restriction: Restriction) -> &Context {
        let found = self.restricted.iter().find(|(kind, _)| *kind == restriction);
        found.map_or(&self.options.context, |(_, context)| context)
    }

    /// The mechanisms that a question is for. Of each list one is enough: the first that the device uses.
    pub(super) fn mechanisms_for(&self, question: Question) -> Vec<Vec<Mechanism>> {
        let has_subgroups = self.capabilities().subgroups.is_some();
        let mut mechanisms: Vec<Mechanism> =
            has_subgroups.then_some(Mechanism::Subgroup).into_iter().collect();
        mechanisms.push(Mechanism::WorkgroupMemory);
        if question.is_exact() {
            mechanisms = vec![Mechanism::WorkgroupMemory];
        }
        if question.strategy == Strategy::SubgroupAtomic {
            mechanisms.retain(|&mechanism| mechanism == Mechanism::Subgroup);
        }
        if question.strategy == Strategy::SinglePass && !self.capabilities().coherent_memory {
            mechanisms.clear();
        }
        match question.mechanism {
            Some(number) if !mechanisms.is_empty() => {
                let count = mechanisms.len();
                mechanisms.rotate_left(number % count);
                vec![mechanisms]
            }
            _ => mechanisms.into_iter().map(|mechanism| vec![mechanism]).collect(),
        }
    }

    /// Whether the device has the way of a question, in some mechanism.
    pub(super) fn has_way(&self, question: Question) -> bool {
        let input = Input::new("", vec![0; 1 << 16]);
        let capabilities = self.capabilities();
        self.mechanisms_for(question)
            .into_iter()
            .flatten()
            .any(|mechanism| question.plan(&input, mechanism, capabilities).is_ok())
    }

    /// Asks questions about an input.
    pub(super) async fn ask(&mut self, input: &Input, questions: &[Question]) {
        let mut buffers = None;
        // Questions differ in what the CPU's answer does not depend on.
        let mut expected = HashMap::<_, Vec<u32>>::new();
        for &question in questions {
            for mechanisms in self.mechanisms_for(question) {
                if self.is_over() {
                    return;
                }
                let Some((mechanism, plan)) = self.plan(input, question, &mechanisms) else {
                    continue;
                };
                let pipelines = pipelines_of(&plan);
                if !self.has_room(input) {
                    return;
                }
                if !self.is_wanted(&pipelines) {
                    continue;
                }
                let needs_spoiler = plan.ending == Ending::LastWorkgroup;
                let Some(buffers) = self.buffers(&mut buffers, input, needs_spoiler) else {
                    return;
                };
                let Subject { operator, element, .. } = question.subject;
                let answer = (operator, element, question.wanted, question.is_exact());
                let claim = Claim {
                    question,
                    input: question.describe(input),
                    strategy: plan.strategy(),
                    plan: plan.to_string(),
                    pipelines,
                    expected: expected
                        .entry(answer)
                        .or_insert_with(|| question.expected(input))
                        .clone(),
                };
                let asked = Asked {
                    context: self.context(question.restriction).clone(),
                    question,
                    mechanism,
                    left: buffers.left.clone(),
                    right: buffers.right.clone(),
                    // Else the last pass over the same elements has left the right partials.
                    spoiler: buffers.spoiler.clone().filter(|_| needs_spoiler),
                    offsets: input.offsets().map(|offset| offset as u64),
                    ranges: input.ranges(element),
                    stride_bytes: input.stride_bytes(),
                    room: question.shares_buffer.then(|| Slot::behind(input.room(), &buffers.left)),
                };
                self.put(asked, claim).await;
            }
        }
    }

    /// How the device does it, in the first of the mechanisms that it uses.
    fn plan(
        &mut self,
        input: &Input,
        question: Question,
        mechanisms: &[Mechanism],
    ) -> Option<(Mechanism, ReductionPlan)> {
        for &mechanism in mechanisms {
            let capabilities = self.context(question.restriction).capabilities();
            match question.plan(input, mechanism, capabilities) {
                Ok(plan) => return Some((mechanism, plan)),
                // The report's rows say what is not used.
                Err(PrepareError::Avoided { .. }) => {
                    let all = Capabilities { avoided: Vec::new(), ..capabilities.clone() };
                    if let Ok(plan) = question.plan(input, mechanism, &all) {
                        self.tally.excuse(plan.shaders());
                    }
                }
                Err(PrepareError::BindingTooSmall { .. }) => self.tally.left_out += 1,
                Err(error) => {
                    let claim = Claim::without_plan(question, question.describe(input));
                    self.refused(claim, &error);
                }
            }
        }
        None
    }

    /// Whether the device's buffers are large enough for an input.
    pub(super) fn has_room(&mut self, input: &Input) -> bool {
        let max_bytes = self.capabilities().max_buffer_bytes;
        let has_room = input.buffer_bytes().into_iter().all(|bytes| bytes <= max_bytes);
        self.tally.left_out += usize::from(!has_room);
        has_room
    }

    /// An input's buffers, which are made for the first question that needs them; `None` if nothing more is to be asked.
    pub(super) fn buffers<'a>(
        &mut self,
        buffers: &'a mut Option<Buffers>,
        input: &Input,
        with_spoiler: bool,
    ) -> Option<&'a Buffers> {
        let is_made = buffers.as_ref().is_some_and(|made| made.spoiler.is_some() || !with_spoiler);
        if !is_made {
            match Buffers::of(&self.options.context, input, buffers.take(), with_spoiler) {
                Ok((made, new_bytes)) => {
                    self.pending.input_bytes += new_bytes;
                    *buffers = Some(made);
                }
                Err(error) => {
                    self.unfinished = Some(error.to_string());
                    return None;
                }
            }
        }
        buffers.as_ref()
    }

    /// Puts a question to those that are submitted together.
    async fn put(&mut self, asked: Asked, claim: Claim) {
        // Only where workgroups wait for each other can a result be right by chance.
        let repeats = if asked.spoiler.is_some() { asked.question.repeats as usize } else { 1 };
        let slots = if self.options.stops_at_first_wrong { FEW_SLOTS } else { SLOTS };
        if self.pending.asked.len() + repeats > slots || self.pending.input_bytes > MAX_INPUT_BYTES
        {
            self.flush().await;
        }
        for _ in 0..repeats {
            self.pending.asked.push((asked.clone(), claim.clone()));
        }
    }

    /// Submits what is asked, and compares it.
    pub(super) async fn flush(&mut self) {
        let Pending { asked, .. } = std::mem::take(&mut self.pending);
        if asked.is_empty() {
            return;
        }
        let context = self.options.context.clone();
        let results = match slot::results(&context, SLOTS + 1) {
            Ok(results) => results,
            Err(error) => {
                return self.failed(asked.into_iter().map(|(_, claim)| claim), &error.into());
            }
        };
        let mut claims = Vec::new();
        let mut passes = Vec::new();
        let prepared = prepare_all(&asked, &results);
        for ((index, (asked, claim)), prepared) in asked.into_iter().enumerate().zip(prepared) {
            match prepared {
                Ok(works) => {
                    claims.push((index, claim));
                    passes.push(Passes {
                        works,
                        slot: Slot::new(&results, index),
                        room: asked.room,
                    });
                }
                Err(error) => self.refused(claim, &error),
            }
        }
        match submit(&context, &results, &passes).await {
            Ok(words) => {
                for (index, claim) in claims {
                    let found = slot::found(&words, index, claim.expected.len());
                    self.tally.compare(claim, Ok(found.to_vec()));
                }
            }
            Err(error) => self.failed(claims.into_iter().map(|(_, claim)| claim), &error),
        }
    }

    /// Nothing was recorded for a question.
    pub(super) fn refused(&mut self, claim: Claim, error: &PrepareError) {
        self.failed([claim], &error.clone().into());
    }

    /// Nothing came of questions. That the device is lost, or full, is no kernel's fault.
    pub(super) fn failed(&mut self, claims: impl IntoIterator<Item = Claim>, error: &Error) {
        let is_gone = matches!(
            error,
            Error::Read(ReadError::DeviceLost)
                | Error::Create(CreateError::DeviceLost | CreateError::OutOfMemory { .. })
                | Error::Prepare(PrepareError::DeviceLost | PrepareError::OutOfMemory { .. })
        );
        if is_gone || self.unfinished.is_some() {
            self.unfinished.get_or_insert_with(|| error.to_string());
            return;
        }
        // The report says of each avoided kernel that it is not used.
        let is_avoided = matches!(error, Error::Prepare(PrepareError::Avoided { .. }));
        for claim in claims.into_iter().filter(|_| !is_avoided) {
            self.tally.compare(claim, Err(error.to_string()));
        }
    }
}

/// Prepares everything: on every core, because most of it is to compile.
fn prepare_all(
    asked: &[(Asked, Claim)],
    results: &wgpu::Buffer,
) -> Vec<Result<Vec<Work>, PrepareError>> {
    let prepare = |(index, (asked, _)): (usize, &(Asked, Claim))| {
        let slot = |index| Slot::new(results, index);
        // The spoiler's result goes behind all others.
        let spoiler = asked.spoiled().map(|spoiler| spoiler.prepare(&slot(SLOTS)));
        spoiler.into_iter().chain([asked.prepare(&slot(index))]).collect()
    };
    // On the web wgpu's objects stay in their thread.
    #[cfg(all(feature = "parallel", not(target_arch = "wasm32")))]
    {
        use rayon::prelude::*;
        asked.par_iter().enumerate().map(prepare).collect()
    }
    #[cfg(not(all(feature = "parallel", not(target_arch = "wasm32"))))]
    {
        asked.iter().enumerate().map(prepare).collect()
    }
}

pub(super) fn pipelines_of(plan: &ReductionPlan) -> Vec<Pipeline> {
    plan.dispatches.iter().map(|dispatch| (dispatch.shader.clone(), dispatch.constants)).collect()
}

/// The dispatches that answer a question.
struct Passes {
    works: Vec<Work>,
    slot: Slot,
    /// Where the result comes before it goes to the slot.
    room: Option<Slot>,
}

/// The words of all results, when the device is done.
async fn submit(
    context: &Context,
    results: &wgpu::Buffer,
    passes: &[Passes],
) -> Result<Vec<u32>, Error> {
    let mut encoder = context.create_encoder(LABEL)?;
    for Passes { works, slot, room } in passes {
        // The untouched slot goes there first, so that no result of before is taken for this one.
        room.iter().for_each(|room| slot.copy_to(room, &mut encoder));
        works.iter().for_each(|work| work.recording.record(&mut encoder, None));
        room.iter().for_each(|room| room.copy_to(slot, &mut encoder));
    }
    let size_bytes = results.size();
    let staging = Staging::allocate(context, size_bytes)?;
    let source = Source { buffer: results, offset_bytes: 0, size_bytes };
    let readback: Readback<Vec<u32>> =
        staging.record(context, &mut encoder, &[source], bytemuck::pod_collect_to_vec);
    context.submit(encoder)?;
    Ok(readback.await?)
}

/// The device as if it had less.
fn restricted(context: &Context) -> Result<[(Restriction, Context); 2], CreateError> {
    let mut small_bindings = context.capabilities().clone();
    small_bindings.max_binding_bytes = small_bindings.max_binding_bytes.min(SMALL_BINDING_BYTES);
    let mut few_workgroups = context.capabilities().clone();
    few_workgroups.max_workgroups = few_workgroups.max_workgroups.min(FEW_WORKGROUPS);
    Ok([
        (Restriction::SmallBindings, context.with_capabilities(small_bindings)?),
        (Restriction::FewWorkgroups, context.with_capabilities(few_workgroups)?),
    ])
}

impl Question {
    fn stored(self) -> Stored {
        match self.wanted {
            Wanted::Value => Stored::Value,
            Wanted::Accumulator => Stored::Accumulator,
        }
    }

    /// How a device with these capabilities does it.
    fn plan(
        self,
        input: &Input,
        mechanism: Mechanism,
        capabilities: &Capabilities,
    ) -> Result<ReductionPlan, PrepareError> {
        let problem = self.problem(input, mechanism);
        ReductionPlan::for_output(&problem, capabilities, self.policy, self.stored())
    }
}
