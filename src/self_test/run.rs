//! Asks a device, and keeps the tally.

use super::{
    KernelReport, SelfTest, SelfTestReport, WrongResult, battery,
    questions::{Asked, Device, Input, Question, Subject, Wanted},
};
use crate::{
    batch::Batch,
    buffer,
    capabilities::Capabilities,
    context::Context,
    element::ElementType,
    error::{Error, PrepareError, ReadError},
    operator::{Arithmetic, OperatorType},
    pass::Pass,
    plan::{Mechanism, Strategy},
    precision::Precision,
    readback::{Readback, Source, Staging},
    shader::{ExactOutput, Kernel, ShaderKey},
};
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, HashMap},
    ops::Range,
};

const LABEL: &str = "gridfold self-test";

/// Bytes of a binding at most, where an input shall take several.
const SMALL_BINDING_BYTES: u64 = 1 << 16;
/// Workgroups of a dispatch at most, where an input shall take several dispatches.
const FEW_WORKGROUPS: u32 = 3;

/// Results of one submission at most.
const SLOTS: usize = 96;
/// The same where the first wrong one ends it.
const FEW_SLOTS: usize = 8;
/// Words of the longest result: the accumulator of moments.
const SLOT_WORDS: u64 = 33;
/// From one slot to the next: so results begin at every place in a vector.
const SLOT_STRIDE_WORDS: u64 = SLOT_WORDS + 2;
/// What no result is: where nothing was written, this is there.
const UNTOUCHED: u32 = 0x5ca1_ab1e;
/// Bytes of inputs that one submission keeps alive at most, about.
const MAX_INPUT_BYTES: u64 = 96 << 20;

/// Where a result goes.
pub(super) struct Slot {
    results: wgpu::Buffer,
    index: usize,
}

impl Slot {
    pub(super) fn buffer(&self) -> &wgpu::Buffer {
        &self.results
    }

    pub(super) fn offset_bytes(&self) -> u64 {
        self.index as u64 * SLOT_STRIDE_WORDS * 4
    }

    pub(super) fn words(&self) -> u64 {
        SLOT_WORDS
    }
}

/// What a result is compared with, and whose it is.
#[derive(Clone)]
struct Claim {
    question: Question,
    input: String,
    plan: String,
    keys: Vec<ShaderKey>,
    expected: Vec<u32>,
}

/// A kernel in a mechanism.
#[derive(Default)]
struct Row {
    strategies: Vec<Strategy>,
    operators: Vec<(OperatorType, ElementType)>,
    results: usize,
    wrong: usize,
}

/// To be submitted together.
#[derive(Default)]
struct Pending {
    asked: Vec<(Asked, Claim)>,
    input_bytes: u64,
}

/// A self-test under way.
pub(super) struct Run {
    options: SelfTest,
    contexts: [(Device, Context); 3],
    mechanisms: Vec<Mechanism>,
    pending: Pending,
    rows: BTreeMap<(Kernel, Mechanism), Row>,
    keys: BTreeSet<ShaderKey>,
    wrong: Vec<WrongResult>,
    results: usize,
    unfinished: Option<String>,
}

impl Run {
    /// Runs all of it.
    pub(super) async fn of(options: SelfTest) -> SelfTestReport {
        let context = options.context.clone();
        let contexts = match contexts(&context) {
            Ok(contexts) => contexts,
            Err(error) => {
                let reason = Some(Error::from(error).to_string());
                return report(&context, &BTreeMap::new(), Vec::new(), 0, reason);
            }
        };
        let subgroups = context.capabilities().subgroups.map(|_| Mechanism::Subgroup);
        let mut run = Self {
            options,
            contexts,
            mechanisms: subgroups.into_iter().chain([Mechanism::WorkgroupMemory]).collect(),
            pending: Pending::default(),
            rows: BTreeMap::new(),
            keys: BTreeSet::new(),
            wrong: Vec::new(),
            results: 0,
            unfinished: None,
        };
        battery::run(&mut run).await;
        run.flush().await;
        let Self { rows, keys, wrong, results, unfinished, .. } = run;
        SelfTestReport { keys, ..report(&context, &rows, wrong, results, unfinished) }
    }

    /// Whether every operator shall go through every kernel.
    pub(super) fn wants_everything(&self) -> bool {
        self.options.everything
    }

    /// What the device can do.
    pub(super) fn capabilities(&self) -> &Capabilities {
        self.options.context.capabilities()
    }

    /// Whether nothing more is to be asked.
    fn is_over(&self) -> bool {
        self.unfinished.is_some() || (self.options.stops_at_first_wrong && !self.wrong.is_empty())
    }

    /// Whether these shaders are to be asked.
    fn is_wanted(&self, keys: &[ShaderKey]) -> bool {
        let Some(only) = &self.options.only_files else { return true };
        keys.iter().any(|key| key.files().iter().any(|file| only.iter().any(|only| only == file)))
    }

    fn context(&self, device: Device) -> &Context {
        let [(_, as_it_is), rest @ ..] = &self.contexts;
        rest.iter().find(|(kind, _)| *kind == device).map_or(as_it_is, |(_, context)| context)
    }

    /// The mechanisms that a question is for.
    fn mechanisms_for(&self, question: Question) -> Vec<Mechanism> {
        if question.is_exact() {
            return vec![Mechanism::WorkgroupMemory];
        }
        let mut mechanisms = self.mechanisms.clone();
        if let Some(number) = question.mechanism {
            mechanisms = vec![mechanisms[number % mechanisms.len()]];
        }
        if question.strategy == Strategy::SubgroupAtomic {
            mechanisms.retain(|&mechanism| mechanism == Mechanism::Subgroup);
        }
        if question.strategy == Strategy::SinglePass && !self.capabilities().coherent_memory {
            mechanisms.clear();
        }
        mechanisms
    }

    /// Asks questions about an input.
    pub(super) async fn ask(&mut self, input: &Input, questions: &[Question]) {
        if self.is_over() {
            return;
        }
        let buffers = match Buffers::of(&self.options.context, input) {
            Ok(buffers) => buffers,
            Err(error) => {
                self.unfinished = Some(error.to_string());
                return;
            }
        };
        let ranges = input.ranges();
        // Questions differ in what the CPU's answer does not depend on.
        let mut expected = HashMap::<_, Vec<u32>>::new();
        for &question in questions {
            for mechanism in self.mechanisms_for(question) {
                let asked = Asked {
                    context: self.context(question.device).clone(),
                    question,
                    mechanism,
                    left: buffers.left.clone(),
                    right: buffers.right.clone(),
                    offsets: input.offsets().map(|offset| offset as u64),
                    ranges: ranges.clone(),
                };
                let Subject { operator, element, .. } = question.subject;
                let is_exact = question.is_exact();
                let expected = || {
                    let key = (operator, element, question.wanted, is_exact);
                    expected.entry(key).or_insert_with(|| question.expected(input)).clone()
                };
                self.ask_one(asked, input, expected).await;
                if self.is_over() {
                    return;
                }
            }
        }
        self.pending.input_bytes += buffers.bytes;
    }

    async fn ask_one(&mut self, asked: Asked, input: &Input, expected: impl FnOnce() -> Vec<u32>) {
        let Question { wanted, repeats, .. } = asked.question;
        let mut claim = Claim {
            question: asked.question,
            input: input.describe(),
            plan: String::new(),
            keys: Vec::new(),
            expected: Vec::new(),
        };
        let output = match wanted {
            Wanted::Value => ExactOutput::Value,
            Wanted::Accumulator => ExactOutput::Accumulator,
        };
        let planned = asked.plan().and_then(|plan| {
            plan.check_avoided(asked.context.capabilities(), output)?;
            Ok(plan)
        });
        match planned {
            Ok(plan) => {
                claim.keys = ShaderKey::of_plan(&plan, output).collect();
                claim.plan = plan.to_string();
            }
            // The report's rows say what is not used.
            Err(PrepareError::Avoided { .. }) => return,
            Err(error) => return self.refused(claim, &error),
        }
        if !self.is_wanted(&claim.keys) {
            return;
        }
        claim.expected = expected();
        let slots = if self.options.stops_at_first_wrong { FEW_SLOTS } else { SLOTS };
        if self.pending.asked.len() + repeats as usize > slots
            || self.pending.input_bytes > MAX_INPUT_BYTES
        {
            self.flush().await;
        }
        for _ in 0..repeats {
            self.pending.asked.push((asked.clone(), claim.clone()));
        }
    }

    /// Asks for reductions of parts of an input, all in one batch.
    pub(super) async fn ask_in_a_batch(
        &mut self,
        input: &Input,
        parts: &[(Subject, Range<usize>)],
    ) {
        for mechanism in self.mechanisms.clone() {
            self.flush().await;
            if self.is_over() {
                return;
            }
            let buffers = match Buffers::of(&self.options.context, input) {
                Ok(buffers) => buffers,
                Err(error) => {
                    self.unfinished = Some(error.to_string());
                    return;
                }
            };
            let context = self.options.context.clone();
            let mut batch = Batch::new(&context).label(LABEL);
            let mut claims = Vec::new();
            for (subject, range) in parts {
                let Some(add) = subject.add else { continue };
                let question = Question::two_pass(*subject);
                let asked = Asked {
                    context: context.clone(),
                    question,
                    mechanism,
                    left: buffers.left.clone(),
                    right: buffers.right.clone(),
                    offsets: input.offsets().map(|offset| offset as u64),
                    ranges: Vec::new(),
                };
                let mut claim = Claim {
                    question,
                    input: format!("elements {range:?} of {}, in a batch", input.describe()),
                    plan: String::new(),
                    keys: Vec::new(),
                    expected: Vec::new(),
                };
                match add(&mut batch, &asked, range.start as u64..range.end as u64) {
                    Ok((index, plan)) => {
                        claim.plan = plan.to_string();
                        claim.keys = if batch.is_shared(index) {
                            let kernels = [Kernel::ReduceJobs, Kernel::FoldJobs];
                            kernels.map(|kernel| ShaderKey::of_kernel(&plan, kernel)).to_vec()
                        } else {
                            ShaderKey::of_plan(&plan, ExactOutput::Value).collect()
                        };
                        let words = &input.left[range.clone()];
                        claim.expected = (subject.expect)(Precision::Reproducible, words, &[]);
                        claims.push((index, claim));
                    }
                    Err(PrepareError::Avoided { .. }) => {}
                    Err(error) => self.refused(claim, &error),
                }
            }
            let is_wanted = claims.iter().any(|(_, claim)| self.is_wanted(&claim.keys));
            if !is_wanted {
                continue;
            }
            match batch.reduce().await {
                Ok(results) => {
                    for (index, claim) in claims {
                        let found = results.words().get(index as usize).copied();
                        self.compare(claim, Ok(found.into_iter().collect()));
                    }
                }
                Err(error) => self.failed(claims.into_iter().map(|(_, claim)| claim), error),
            }
        }
    }

    /// Submits what is asked, and compares it.
    pub(super) async fn flush(&mut self) {
        let Pending { asked, .. } = std::mem::take(&mut self.pending);
        if asked.is_empty() {
            return;
        }
        let context = self.options.context.clone();
        let results = match results_buffer(&context) {
            Ok(results) => results,
            Err(error) => {
                let claims = asked.into_iter().map(|(_, claim)| claim);
                return self.failed(claims, error.into());
            }
        };
        let mut claims = Vec::new();
        let mut passes = Vec::new();
        for ((_, claim), pass) in asked.iter().zip(prepare(&asked, &results)) {
            match pass {
                Ok((slot, pass)) => {
                    claims.push((slot.index, claim.clone()));
                    passes.push(pass);
                }
                Err(error) => self.refused(claim.clone(), &error),
            }
        }
        match submit(&context, &results, &passes).await {
            Ok(words) => {
                let stride = usize::try_from(SLOT_STRIDE_WORDS).expect("a few");
                let slots: Vec<&[u32]> = words.chunks_exact(stride).collect();
                for (index, claim) in claims {
                    let (result, rest) = slots[index].split_at(claim.expected.len());
                    let strays = rest.iter().any(|&word| word != UNTOUCHED);
                    let found = if strays { slots[index] } else { result };
                    self.compare(claim, Ok(found.to_vec()));
                }
            }
            Err(error) => self.failed(claims.into_iter().map(|(_, claim)| claim), error),
        }
    }

    /// A result is there, or there is a reason why it is not.
    fn compare(&mut self, claim: Claim, found: Result<Vec<u32>, String>) {
        let Claim { question, input, plan, keys, expected } = claim;
        let Subject { operator, element, .. } = question.subject;
        let is_right = found.as_ref().is_ok_and(|found| *found == expected);
        self.results += 1;
        self.keys.extend(&keys);
        let mut kernels: Vec<(Kernel, Mechanism)> =
            keys.iter().map(|key| (key.kernel, key.mechanism)).collect();
        kernels.dedup();
        for &kernel in &kernels {
            let row = self.rows.entry(kernel).or_default();
            row.results += 1;
            row.wrong += usize::from(!is_right);
            if !row.strategies.contains(&question.strategy) {
                row.strategies.push(question.strategy);
            }
            if !row.operators.contains(&(operator, element)) {
                row.operators.push((operator, element));
            }
        }
        if !is_right {
            self.wrong.push(WrongResult {
                operator,
                element,
                precision: question.precision,
                input,
                plan,
                kernels: kernels.iter().map(|(kernel, _)| kernel.name()).collect(),
                expected,
                found,
            });
        }
    }

    /// Nothing was recorded for a question.
    fn refused(&mut self, claim: Claim, error: &PrepareError) {
        if matches!(error, PrepareError::DeviceLost | PrepareError::OutOfMemory { .. }) {
            self.unfinished.get_or_insert_with(|| error.to_string());
        }
        self.compare(claim, Err(error.to_string()));
    }

    /// Nothing came of a submission.
    fn failed(&mut self, claims: impl IntoIterator<Item = Claim>, error: Error) {
        let gone = matches!(
            error,
            Error::Read(ReadError::DeviceLost)
                | Error::Prepare(PrepareError::DeviceLost | PrepareError::OutOfMemory { .. })
        );
        if gone {
            self.unfinished.get_or_insert_with(|| error.to_string());
        }
        for claim in claims {
            self.compare(claim, Err(error.to_string()));
        }
    }
}

/// Prepares everything: on every core, because most of it is to compile.
fn prepare(
    asked: &[(Asked, Claim)],
    results: &wgpu::Buffer,
) -> Vec<Result<(Slot, Pass), PrepareError>> {
    let prepare = |(index, (asked, _)): (usize, &(Asked, Claim))| {
        let slot = Slot { results: results.clone(), index };
        let pass = asked.prepare(&slot)?;
        Ok((slot, pass))
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

/// For the results of a submission.
fn results_buffer(context: &Context) -> Result<wgpu::Buffer, PrepareError> {
    let words = vec![UNTOUCHED; SLOTS * usize::try_from(SLOT_STRIDE_WORDS).expect("a few")];
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
    let bytes: &[u8] = bytemuck::cast_slice(&words);
    Ok(buffer::create_filled(context.device(), LABEL, bytes.len() as u64, usage, bytes)?)
}

/// The words of all results, when the device is done.
async fn submit(
    context: &Context,
    results: &wgpu::Buffer,
    passes: &[Pass],
) -> Result<Vec<u32>, Error> {
    let mut encoder = context.create_encoder(LABEL)?;
    for pass in passes {
        pass.record(&mut encoder, None);
    }
    let size_bytes = results.size();
    let staging = Staging::allocate(context, size_bytes)?;
    let source = Source { buffer: results, offset_bytes: 0, size_bytes };
    let readback: Readback<Vec<u32>> =
        staging.record(context, &mut encoder, &[source], bytemuck::pod_collect_to_vec);
    context.submit(encoder)?;
    Ok(readback.await?)
}

/// An input on the device.
struct Buffers {
    left: wgpu::Buffer,
    /// The left one, if there is no other.
    right: wgpu::Buffer,
    bytes: u64,
}

impl Buffers {
    fn of(context: &Context, input: &Input) -> Result<Self, PrepareError> {
        let create = |words: &[u32], offset: usize| {
            // What no kernel may use: as floats they are NaNs.
            let filler = |len: usize| vec![0x7fff_ffff; len];
            let before = filler(offset.max(usize::from(words.is_empty())));
            let contents = [&before, words, &filler(input.rest)].concat();
            let bytes: &[u8] = bytemuck::cast_slice(&contents);
            let usage = wgpu::BufferUsages::STORAGE;
            buffer::create_filled(context.device(), LABEL, bytes.len() as u64, usage, bytes)
        };
        let [left_offset, right_offset] = input.offsets();
        let left = create(&input.left, left_offset)?;
        let right = match &input.right[..] {
            [] if !input.left.is_empty() => left.clone(),
            words => create(words, right_offset)?,
        };
        Ok(Self { bytes: left.size() + right.size(), left, right })
    }
}

/// The device as it is, and as if it had less.
fn contexts(context: &Context) -> Result<[(Device, Context); 3], PrepareError> {
    let mut small_bindings = context.capabilities().clone();
    small_bindings.max_binding_bytes = small_bindings.max_binding_bytes.min(SMALL_BINDING_BYTES);
    let mut few_workgroups = context.capabilities().clone();
    few_workgroups.max_workgroups = few_workgroups.max_workgroups.min(FEW_WORKGROUPS);
    Ok([
        (Device::AsItIs, context.clone()),
        (Device::SmallBindings, context.with_capabilities(small_bindings)?),
        (Device::FewWorkgroups, context.with_capabilities(few_workgroups)?),
    ])
}

fn report(
    context: &Context,
    rows: &BTreeMap<(Kernel, Mechanism), Row>,
    wrong: Vec<WrongResult>,
    results: usize,
    unfinished: Option<String>,
) -> SelfTestReport {
    let capabilities = context.capabilities();
    let mut there_are: Vec<_> = ShaderKey::all().map(|key| (key.kernel, key.mechanism)).collect();
    there_are.sort_unstable();
    there_are.dedup();
    let kernels = there_are
        .into_iter()
        .map(|(kernel, mechanism)| {
            let row = rows.get(&(kernel, mechanism));
            let is_left_out = row.is_none() && !capabilities.avoided.is_empty();
            let with_others = is_left_out.then_some("it goes with a kernel that is avoided");
            KernelReport {
                kernel: kernel.name(),
                mechanism,
                strategies: row.map_or(Vec::new(), |row| row.strategies.clone()),
                operators: row.map_or(Vec::new(), |row| row.operators.clone()),
                results: row.map_or(0, |row| row.results),
                wrong: row.map_or(0, |row| row.wrong),
                unused: why_unused(kernel, mechanism, capabilities)
                    .or(with_others.map(Cow::Borrowed)),
            }
        })
        .collect();
    SelfTestReport {
        adapter: context.adapter().clone(),
        capabilities: capabilities.clone(),
        kernels,
        wrong,
        results,
        unfinished,
        elapsed: None,
        keys: BTreeSet::new(),
    }
}

/// Why no plan for the device has a kernel in a mechanism, if none has.
fn why_unused(
    kernel: Kernel,
    mechanism: Mechanism,
    capabilities: &Capabilities,
) -> Option<Cow<'static, str>> {
    if mechanism == Mechanism::Subgroup && capabilities.subgroups.is_none() {
        return Some(Cow::Borrowed("there are no subgroups that can be used"));
    }
    if kernel == Kernel::ReduceAndFold && !capabilities.coherent_memory {
        return Some(Cow::Borrowed("memory is not coherent"));
    }
    if matches!(kernel, Kernel::ReduceToAccumulator { float_add: true, .. })
        && !capabilities.float_atomics
    {
        return Some(Cow::Borrowed("atomics can't add floats"));
    }
    // As an operator has it that every kernel but the exact ones is for, and those.
    let avoided = [OperatorType::Sum, OperatorType::Dot].map(|operator| {
        ShaderKey::new(kernel, operator, ElementType::F32, mechanism, Arithmetic::Hardware)
    });
    capabilities.avoids(avoided.into_iter()).map(|avoided| avoided.reason.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::AtomicScope;

    /// The text says what kept a kernel from being asked.
    #[test]
    fn reasons() {
        let none = Capabilities::default();
        let kernel = Kernel::ReduceToAccumulator { scope: AtomicScope::Workgroup, float_add: true };
        for kernel in [kernel, Kernel::ReduceAndFold] {
            assert!(why_unused(kernel, Mechanism::WorkgroupMemory, &none).is_some());
        }
        assert!(why_unused(Kernel::Fold, Mechanism::Subgroup, &none).is_some());
        assert!(why_unused(Kernel::Fold, Mechanism::WorkgroupMemory, &none).is_none());
    }
}
