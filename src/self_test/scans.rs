//! What is asked of scans: both mechanisms, wherever input and output lie, results that go over their elements, launches that go on
//! from others, and values that the device is not right for.

use super::{
    material::{mix, ordinary},
    questions::{Question, Subject},
    run::Run,
    slot::LABEL,
    subjects::{
        BRIEF_MOMENTS, EVERY, F32X3_SUM, F64_SUM, F64_SUM_OF_SQUARES, MEAN, PRODUCT, SUM,
        SUM_OF_SQUARES, U8_SUM, U32_ARG_MIN, U32_SUM, U64_SUM, VARIANCE, elements,
    },
    tally::Claim,
};
use crate::{
    algebra::{
        element::Element,
        operator::Operator,
        operators::{All, ArgMin, BriefMoments, Mean, Product, Sum, SumOfSquares, Variance},
        precision::Precision,
        scan::Scan,
    },
    cpu,
    device::{
        buffer::{self, GpuSlice},
        context::Context,
        readback::{Readback, Source, Staging},
    },
    error::Error,
    reduce::inputs::Input,
    scan::{plan::ScanPlan, scanner::Scanner},
    way::{Mechanism, Strategy, Variant, policy::Policy},
};

/// Where a scan's elements and results lie.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// Words before the elements.
    from: u64,
    /// Words before the results, if they do not go over the elements.
    to: Option<u64>,
    /// From one element to the next.
    stride_bytes: Option<u64>,
    /// After so many elements the input has another slice, in the same buffer.
    cut: Option<u64>,
}

const APART: Place = Place { from: 0, to: Some(0), stride_bytes: None, cut: None };
const IN_PLACE: Place = Place { to: None, ..APART };

/// In small blocks: of a round, or, of many elements, of four.
const POLICY: Policy = Policy::DEFAULT;
const MANY_POLICY: Policy = Policy { min_rows: 16, ..Policy::DEFAULT };
const MANY: usize = 100_000;

/// Asks sums of f32s that lie as most do.
pub(super) async fn usual(run: &mut Run) {
    let floats: Vec<u32> = (0..30_000).map(|number| ordinary(mix(number))).collect();
    let mechanism = match run.capabilities().subgroups {
        Some(_) => Mechanism::Subgroup,
        None => Mechanism::WorkgroupMemory,
    };
    ask::<f32, Sum>(run, SUM, &floats, 20_000, APART, mechanism).await;
}

/// Asks it all.
pub(super) async fn run(run: &mut Run) {
    run.flush().await;
    let integers: Vec<u32> = (0..30_000).map(mix).collect();
    let floats: Vec<u32> = integers.iter().map(|&bits| ordinary(bits)).collect();
    let many: Vec<u32> = (0..540_000).map(|number| ordinary(mix(number))).collect();
    let mut hostile = floats.clone();
    // A subnormal number, one that overflows together with another, and an infinity.
    hostile[1500] = 3;
    hostile[7000] = 0x7f7f_ffff;
    hostile[7001] = 0x7f7f_ffff;
    hostile[12_289] = 0xff80_0000;
    let fields: Vec<u32> =
        floats.iter().flat_map(|&bits| [mix(bits), (bits >> 3) | 0x3000_0000]).collect();
    let shifted = |from| Place { from, ..APART };
    let strided = |stride_bytes| Place { stride_bytes: Some(stride_bytes), ..APART };
    let cut = |cut| Place { cut: Some(cut), ..APART };
    for mechanism in [Mechanism::Subgroup, Mechanism::WorkgroupMemory] {
        // The last vector has one element, which kernels load as a word.
        for place in [APART, shifted(1), IN_PLACE, strided(8), cut(5), cut(4095)] {
            ask::<u32, Sum>(run, U32_SUM, &integers, 8101, place, mechanism).await;
            ask::<f32, Sum>(run, SUM, &floats, 8101, place, mechanism).await;
        }
        ask::<f32, Sum>(run, SUM, &hostile, 20_000, APART, mechanism).await;
        ask::<f32, Sum>(run, SUM, &hostile, 20_000, cut(6001), mechanism).await;
        // Of more blocks than a group of a single pass has.
        ask::<f32, Sum>(run, SUM, &many, 540_000, APART, mechanism).await;
        ask::<f32, Sum>(run, SUM, &floats, 3000, APART, mechanism).await;
        for from in 0..4 {
            ask::<u64, Sum>(run, U64_SUM, &integers, 9000, shifted(from), mechanism).await;
        }
        ask::<u64, Sum>(run, U64_SUM, &integers, 9000, IN_PLACE, mechanism).await;
        ask::<u64, Sum>(run, U64_SUM, &integers, 4000, strided(16), mechanism).await;
        ask::<f64, Sum>(run, F64_SUM, &fields, 9000, APART, mechanism).await;
        for place in [APART, shifted(1), strided(3)] {
            ask::<u8, Sum>(run, U8_SUM, &integers, 9000, place, mechanism).await;
        }
        // Results that depend on how many elements there are, and sums that have a range of their own.
        ask::<f32, All>(run, EVERY, &floats, 9000, APART, mechanism).await;
        ask::<f32, SumOfSquares>(run, SUM_OF_SQUARES, &hostile, 20_000, APART, mechanism).await;
        ask::<f64, SumOfSquares>(run, F64_SUM_OF_SQUARES, &fields, 9000, APART, mechanism).await;
    }
    // Row by row, which has one mechanism: results that begin within a vector, and what combines in many steps.
    let odd = |place: Place| Place { to: place.to.map(|_| 1), from: place.from + 1, ..place };
    let mechanism = Mechanism::WorkgroupMemory;
    for place in [APART, shifted(3), IN_PLACE, strided(8), cut(3333)] {
        ask::<u32, Sum>(run, U32_SUM, &integers, 9000, odd(place), mechanism).await;
        ask::<f32, Sum>(run, SUM, &hostile, 9000, odd(place), mechanism).await;
    }
    for from in 0..4 {
        ask::<u64, Sum>(run, U64_SUM, &integers, 9000, odd(shifted(from)), mechanism).await;
        ask::<u64, Sum>(run, U64_SUM, &integers, 5000, Place { from, ..IN_PLACE }, mechanism).await;
    }
    ask::<u64, Sum>(run, U64_SUM, &integers, 4000, odd(strided(16)), mechanism).await;
    ask::<f64, Sum>(run, F64_SUM, &fields, 9000, odd(APART), mechanism).await;
    for place in [APART, shifted(0), strided(3)] {
        ask::<u8, Sum>(run, U8_SUM, &integers, 9000, odd(place), mechanism).await;
    }
    ask::<u8, Sum>(run, U8_SUM, &integers, 9000, Place { to: Some(1), ..APART }, mechanism).await;
    for place in [APART, IN_PLACE, cut(6001)] {
        ask::<f32, Product>(run, PRODUCT, &floats, 9000, place, mechanism).await;
        ask::<f32, Mean>(run, MEAN, &floats, 9000, place, mechanism).await;
        // Runs that come to something else than a run.
        ask::<f32, Variance>(run, VARIANCE, &floats, 9000, place, mechanism).await;
    }
    ask::<f32, BriefMoments>(run, BRIEF_MOMENTS, &floats, 9000, cut(6001), mechanism).await;
    ask::<u32, ArgMin>(run, U32_ARG_MIN, &integers, 9000, cut(6001), mechanism).await;
    ask::<[f32; 3], Sum>(run, F32X3_SUM, &floats, 9000, APART, mechanism).await;
    ask::<u32, Sum>(run, U32_SUM, &integers, 9000, Place { to: Some(1), ..APART }, mechanism).await;
    ask::<u64, Sum>(run, U64_SUM, &integers, 9000, Place { to: Some(1), ..APART }, mechanism).await;
}

/// In two passes, and in a single one where it can be: each kind, with an initial value or without.
async fn ask<T: Element, Op: Operator<T>>(
    run: &mut Run,
    subject: Subject,
    words: &[u32],
    len: usize,
    place: Place,
    mechanism: Mechanism,
) {
    if mechanism == Mechanism::Subgroup && run.capabilities().subgroups.is_none() {
        return;
    }
    let all = elements::<T>(words);
    let inclusive = match Op::SPEC.takes_initial() {
        true => Scan::inclusive().initial(all[1]),
        false => Scan::inclusive(),
    };
    let exclusive = Scan::exclusive();
    for (scan, strategy) in [
        (inclusive, Strategy::TwoPass),
        (exclusive, Strategy::TwoPass),
        (inclusive, Strategy::SinglePass),
        (exclusive, Strategy::SinglePass),
    ] {
        if strategy == Strategy::SinglePass && !run.capabilities().coherent_memory {
            continue;
        }
        if run.is_over() {
            return;
        }
        let in_bytes =
            place.from * 8 + len as u64 * place.stride_bytes.unwrap_or(T::TYPE.size_bytes());
        let out_bytes = 4 * place.to.unwrap_or(0) + (len * size_of::<Op::Out>()) as u64;
        if in_bytes.max(out_bytes).next_multiple_of(16) > run.capabilities().max_buffer_bytes {
            run.tally.left_out += 1;
            continue;
        }
        let context = run.options.context.clone();
        let answer =
            answer::<T, Op>(run, &context, words, len, place, scan, (mechanism, strategy)).await;
        match answer {
            Ok(None) => {}
            Ok(Some((plan, found, expected))) => {
                let kind = if scan.is_inclusive() { "inclusive" } else { "exclusive" };
                let input = format!("{kind} scan of {len}, {place:?}");
                let question = Question { strategy, ..Question::as_usual(subject) };
                let claim = Claim {
                    plan: plan.to_string(),
                    pipelines: plan.pipelines().collect(),
                    expected,
                    ..Claim::without_plan(question, input)
                };
                run.tally.compare(claim, Ok(found));
            }
            Err(error) => {
                let question = Question::as_usual(subject);
                let input = format!("scan of {len}, {place:?}");
                run.failed([Claim::without_plan(question, input)], &error);
            }
        }
    }
}

/// The plan, the results' words, and the CPU's. `None` where they are not asked for, and where a single pass can't be.
async fn answer<T: Element, Op: Operator<T>>(
    run: &mut Run,
    context: &Context,
    words: &[u32],
    len: usize,
    place: Place,
    scan: Scan<T>,
    (mechanism, strategy): (Mechanism, Strategy),
) -> Result<Option<(ScanPlan, Vec<u32>, Vec<u32>)>, Error> {
    let Place { from, to, stride_bytes, cut } = place;
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
    // Behind the elements there is room, as much as before them.
    let before = usize::try_from(from).expect("a few");
    let mut content = vec![0; before];
    let step = usize::try_from(place.stride_bytes.unwrap_or(T::TYPE.size_bytes())).expect("small");
    let words = &words[..(len * step).div_ceil(4)];
    content.extend(words);
    content.resize((content.len() + before).next_multiple_of(4), 0);
    let bytes: &[u8] = bytemuck::cast_slice(&content);
    let input = buffer::create_filled(context.device(), LABEL, bytes.len() as u64, usage, bytes)?;
    let item_bytes = T::TYPE.size_bytes();
    let stride_bytes = stride_bytes.unwrap_or(item_bytes);
    let slice = |begin: u64, end: u64| {
        GpuSlice::<T>::strided(&input, from * 4 + begin * stride_bytes, stride_bytes, end - begin)
    };
    let bounds = [0, cut.unwrap_or(0), len as u64];
    let slices: Input<T> = Input(vec![slice(bounds[0], bounds[1])?, slice(bounds[1], bounds[2])?]);
    let out_bytes = size_of::<Op::Out>() as u64;
    let (output, offset_bytes) = match to {
        None => (input.clone(), from * 4),
        Some(to) => {
            let size_bytes = (to * 4 + len as u64 * out_bytes).next_multiple_of(16);
            (buffer::create(context.device(), LABEL, size_bytes, usage)?, to * 4)
        }
    };
    let results = GpuSlice::<Op::Out>::new(&output, offset_bytes, len as u64)?;
    let variant = match mechanism {
        Mechanism::Subgroup => Variant::Subgroup,
        Mechanism::WorkgroupMemory => Variant::WorkgroupMemory,
    };
    let policy = if len < MANY { POLICY } else { MANY_POLICY };
    let scanner = Scanner::<T, Op>::new(context).kind(scan).variant(variant).policy(policy);
    let scanner = scanner.strategy(strategy);
    let plan = scanner.plan(&slices, &results)?;
    if plan.strategy != strategy {
        return Ok(None);
    }
    if !run.is_wanted(&plan.pipelines().collect::<Vec<_>>()) {
        return Ok(None);
    }
    let mut encoder = context.create_encoder(LABEL)?;
    scanner.record(&mut encoder, &slices, &results)?;
    let size_bytes = len as u64 * out_bytes;
    let staging = Staging::allocate(context, size_bytes)?;
    let source = Source { buffer: &output, offset_bytes, size_bytes };
    let readback: Readback<Vec<u32>> =
        staging.record(context, &mut encoder, &[source], bytemuck::pod_collect_to_vec);
    context.submit(encoder)?;
    let found = readback.await?;
    let all: Vec<u8> = bytemuck::cast_slice(words).to_vec();
    let items: Vec<T> = (0..len)
        .map(|i| bytemuck::pod_read_unaligned(&all[i * step..i * step + size_of::<T>()]))
        .collect();
    let expected = cpu::scan::<T, Op>(Precision::Reproducible, scan, &items)?;
    Ok(Some((plan, found, bytemuck::pod_collect_to_vec(&expected))))
}
