//! What is asked of reductions and selections of as many elements as a number on the device says: none, some, all, more than all; of several launches.

use super::{
    material::{FRACTION, Make, mix, ordinary, power},
    questions::{Question, Subject},
    run::Run,
    slot::LABEL,
    subjects::{SUM, U32_COUNT, U32_SUM},
    tally::Claim,
};
use crate::{
    algebra::{element::Element, operator::Operator, operators::Sum},
    cpu,
    device::{
        buffer::{self, GpuSlice},
        context::Context,
        readback::{Readback, Source, Staging},
    },
    dispatch::plan::Plan,
    error::Error,
    reduce::{
        counted::{CountSlice, Counted},
        inputs::Input,
        reducer::Reducer,
    },
    select::{compaction::Compaction, compactor::Compactor},
    way::{Strategy, policy::Policy},
    wgsl::shader::{Constants, ShaderKey},
};

/// Elements there can be: some blocks of four rows, and a part of a row.
const LEN: usize = 21_001;
/// Where the second slice begins.
const CUT: usize = 9003;
const COUNTS: [u64; 12] =
    [0, 1, 4, 3000, 4096, 8192, 9003, 9004, 16_384, 20_999, 21_001, (7 << 32) + 5];

/// Asks it all.
pub(super) async fn run(run: &mut Run) {
    run.flush().await;
    for cut in [0, CUT] {
        ask::<f32, u64>(run, SUM, cut, ("f32", ordinary)).await;
        ask::<u32, u32>(run, U32_SUM, cut, ("u32", ordinary)).await;
    }
    // A block's total is safe to make of these, but not to add to others.
    let large: Make = |bits| power(127 + 86) | bits & FRACTION;
    ask::<f32, u64>(run, SUM, 0, ("f32 from 2^86 on", large)).await;
    for strategy in [Strategy::TwoPass, Strategy::SinglePass] {
        if strategy == Strategy::TwoPass || run.capabilities().coherent_memory {
            ask_runs(run, strategy).await;
        }
    }
}

/// A count's type.
trait Number: Element {
    fn of(count: u64) -> Self;
    fn slice(buffer: &wgpu::Buffer) -> Result<CountSlice, Error>;
}

impl Number for u32 {
    fn of(count: u64) -> Self {
        Self::try_from(count).unwrap_or(Self::MAX)
    }
    fn slice(buffer: &wgpu::Buffer) -> Result<CountSlice, Error> {
        Ok(CountSlice::from(&GpuSlice::<Self>::new(buffer, 4, 1)?))
    }
}

impl Number for u64 {
    fn of(count: u64) -> Self {
        count
    }
    fn slice(buffer: &wgpu::Buffer) -> Result<CountSlice, Error> {
        Ok(CountSlice::from(&GpuSlice::<Self>::new(buffer, 4, 1)?))
    }
}

async fn ask<T: Element, N: Number>(
    run: &mut Run,
    subject: Subject,
    cut: usize,
    (what, make): (&str, Make),
) where
    Sum: Operator<T>,
{
    if run.is_over() {
        return;
    }
    if 4 * LEN as u64 + 16 > run.capabilities().max_buffer_bytes {
        run.tally.left_out += 1;
        return;
    }
    let context = run.options.context.clone();
    let question = Question { strategy: Strategy::TwoPass, ..Question::as_usual(subject) };
    let input = format!("sums of {COUNTS:?} of {LEN} {what}, cut at {cut}");
    match answer::<T, N>(run, &context, cut, make).await {
        Ok(None) => {}
        Ok(Some((plan, found, expected))) => {
            let claim = Claim {
                plan: plan.to_string(),
                pipelines: pipelines(&plan).collect(),
                expected,
                ..Claim::without_plan(question, input)
            };
            run.tally.compare(claim, Ok(found));
        }
        Err(error) => run.failed([Claim::without_plan(question, input)], &error),
    }
}

fn own() -> (ShaderKey, Constants) {
    (CountSlice::shader(), Constants::None)
}

fn pipelines(plan: &Plan) -> impl Iterator<Item = (ShaderKey, Constants)> + '_ {
    let others =
        plan.dispatches.iter().map(|dispatch| (dispatch.shader.clone(), dispatch.constants));
    [own()].into_iter().chain(others)
}

/// Runs that a selection finds at most, and words from those of one count to those of the next.
const RUNS: u64 = 1100;
const RUNS_STRIDE: u64 = 1152;

/// The lengths of runs, in launches of which each goes on from the one before, or in a single pass.
async fn ask_runs(run: &mut Run, strategy: Strategy) {
    if run.is_over() {
        return;
    }
    if 8 * RUNS_STRIDE * COUNTS.len() as u64 > run.capabilities().max_buffer_bytes {
        run.tally.left_out += 1;
        return;
    }
    let context = run.options.context.clone();
    let question = Question { strategy, ..Question::as_usual(U32_COUNT) };
    let input = format!("run lengths of {COUNTS:?} of {LEN} u32, cut at {CUT}");
    match answer_runs(run, &context, strategy).await {
        Ok(None) => {}
        Ok(Some((plan, found, expected))) => {
            let claim = Claim {
                plan: plan.to_string(),
                pipelines: [own()].into_iter().chain(plan.pipelines()).collect(),
                expected,
                ..Claim::without_plan(question, input)
            };
            run.tally.compare(claim, Ok(found));
        }
        Err(error) => run.failed([Claim::without_plan(question, input)], &error),
    }
}

/// The plan, and of each count the number of runs, their elements and their lengths, and the CPU's.
async fn answer_runs(
    run: &mut Run,
    context: &Context,
    strategy: Strategy,
) -> Result<Option<(Plan, Vec<u32>, Vec<u32>)>, Error> {
    let mut words: Vec<u32> = (0..21_001).map(|i| mix(i / 20)).collect();
    let all = words.clone();
    words.resize(words.len().next_multiple_of(4), 0);
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
    let create = |words: &[u32]| {
        let bytes: &[u8] = bytemuck::cast_slice(words);
        buffer::create_filled(context.device(), LABEL, bytes.len() as u64, usage, bytes)
    };
    let input = create(&words)?;
    let slice = |begin: usize, end: usize| {
        GpuSlice::<u32>::new(&input, 4 * begin as u64, (end - begin) as u64)
    };
    let slices = Input::from(match strategy {
        Strategy::SinglePass => vec![slice(0, LEN)?],
        _ => vec![slice(0, CUT)?, slice(CUT, LEN)?],
    });
    let zeros = |words: u64| vec![0; usize::try_from(words).expect("few") * COUNTS.len()];
    // Of nothing, too, there is a count.
    let (counts, elements, lengths) = (
        create(&[0x5a; 64 * COUNTS.len()])?,
        create(&zeros(RUNS_STRIDE))?,
        create(&zeros(2 * RUNS_STRIDE))?,
    );
    let compactor = Compactor::new(context).policy(Policy { min_rows: 4, max_workgroups: 2048 });
    let compactor = compactor.strategy(strategy);
    let mut encoder = context.create_encoder(LABEL)?;
    let mut plan = None;
    let (mut expected, mut sources) = (Vec::new(), Vec::new());
    for (place, &count) in (0..).zip(&COUNTS) {
        let [low, high] = bytemuck::cast(count);
        let number = GpuSlice::<u64>::new(&create(&[0, low, high, 0])?, 4, 1)?;
        let offset = 4 * RUNS_STRIDE * place;
        let compaction = Compaction::run_lengths::<u32, u64>(
            slices.clone(),
            &GpuSlice::new(&elements, offset, RUNS)?,
            &GpuSlice::new(&lengths, 2 * offset, RUNS)?,
        );
        let found = GpuSlice::new(&counts, 256 * place, 1)?;
        // On devices that bind few buffers it goes in two passes, which were asked.
        let planned = compactor.plan(&compaction, &found)?;
        if planned.strategy != strategy {
            return Ok(None);
        }
        let pipelines = [own()].into_iter().chain(planned.pipelines());
        if !run.is_wanted(&pipelines.collect::<Vec<_>>()) {
            return Ok(None);
        }
        compactor.prepare(&compaction.clone().counted(&number), &found)?.record(&mut encoder);
        plan = Some(planned);
        let part = |buffer, offset_bytes, size_bytes| Source { buffer, offset_bytes, size_bytes };
        sources.push(part(&counts, 256 * place, 8));
        sources.push(part(&elements, offset, 4 * RUNS));
        sources.push(part(&lengths, 2 * offset, 8 * RUNS));
        let len = usize::try_from(count).unwrap_or(usize::MAX).min(LEN);
        let (mut values, mut found) = cpu::run_lengths(&all[..len])?;
        let runs = values.len() as u64;
        let most = usize::try_from(RUNS).expect("few");
        values.resize(most, 0);
        found.resize(most, 0);
        expected.extend(bytemuck::cast::<u64, [u32; 2]>(runs));
        expected.extend(values);
        expected.extend(bytemuck::cast_slice::<u64, u32>(&found));
    }
    let size_bytes = (8 + 12 * RUNS) * COUNTS.len() as u64;
    let staging = Staging::allocate(context, size_bytes)?;
    let readback: Readback<Vec<u32>> =
        staging.record(context, &mut encoder, &sources, bytemuck::pod_collect_to_vec);
    context.submit(encoder)?;
    let found = readback.await?;
    Ok(plan.map(|plan| (plan, found, expected)))
}

/// The plan, a word for each count, and the CPU's.
async fn answer<T: Element, N: Number>(
    run: &mut Run,
    context: &Context,
    cut: usize,
    make: Make,
) -> Result<Option<(Plan, Vec<u32>, Vec<u32>)>, Error>
where
    Sum: Operator<T>,
{
    let words: Vec<u32> = (0..21_001).map(|i| make(mix(i))).collect();
    let mut bytes: Vec<u8> = bytemuck::pod_collect_to_vec(&words);
    let all: Vec<T> = bytemuck::pod_collect_to_vec(&words);
    bytes.resize(bytes.len().next_multiple_of(16), 0);
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
    let create = |bytes: &[u8]| {
        buffer::create_filled(context.device(), LABEL, bytes.len() as u64, usage, bytes)
    };
    let input = create(&bytes)?;
    let slice = |begin: usize, end: usize| {
        GpuSlice::<T>::new(&input, 4 * begin as u64, (end - begin) as u64)
    };
    let slices = Input::from(vec![slice(0, cut)?, slice(cut, LEN)?]);
    // Of nothing, too, there is a result.
    let results = create(&[0x5a; 256 * COUNTS.len()])?;
    let reducer = Reducer::<T, _>::new(context, Sum).policy(Policy::DEFAULT);
    let mut encoder = context.create_encoder(LABEL)?;
    let mut plan = None;
    let mut expected = Vec::new();
    let mut sources = Vec::new();
    for (place, &count) in (0..).zip(&COUNTS) {
        let mut bytes = [0; 16];
        let number = N::of(count);
        bytes[4..4 + size_of::<N>()].copy_from_slice(bytemuck::bytes_of(&number));
        let output = GpuSlice::<<Sum as Operator<T>>::Out>::new(&results, 256 * place, 1)?;
        let prepared =
            reducer.prepare(Counted::new(slices.clone(), N::slice(&create(&bytes)?)?), &output)?;
        if !run.is_wanted(&pipelines(prepared.plan()).collect::<Vec<_>>()) {
            return Ok(None);
        }
        prepared.record(&mut encoder);
        plan = Some(prepared.plan().clone());
        sources.push(Source { buffer: &results, offset_bytes: 256 * place, size_bytes: 4 });
        let len = usize::try_from(count).unwrap_or(usize::MAX).min(LEN);
        let sum = cpu::reduce::<T, _>(&[&all[..len]], Sum);
        let sum = sum
            .ok()
            .and_then(<Sum as Operator<T>>::out)
            .map(|out| bytemuck::bytes_of(&out).to_vec());
        expected.extend(bytemuck::pod_collect_to_vec::<u8, u32>(&sum.unwrap_or_default()));
    }
    let staging = Staging::allocate(context, 4 * COUNTS.len() as u64)?;
    let readback: Readback<Vec<u32>> =
        staging.record(context, &mut encoder, &sources, bytemuck::pod_collect_to_vec);
    context.submit(encoder)?;
    let found = readback.await?;
    Ok(plan.map(|plan| (plan, found, expected)))
}
