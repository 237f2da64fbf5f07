//! What is asked of scans: both mechanisms, wherever input and output lie, results that go over their elements, launches that go on
//! from others, and values that the device is not right for.

use super::{
    material::{mix, ordinary},
    questions::{Question, Subject},
    run::Run,
    slot::LABEL,
    subjects::{
        BRIEF_MOMENTS, EVERY, F32X3_SUM, F64_SUM, F64_SUM_OF_SQUARES, MEAN, PRODUCT, SUM,
        SUM_OF_SQUARES, U8_SUM, U32_ARG_MIN, U32_SUM, U64_SUM, VARIANCE,
    },
    tally::Claim,
};
use crate::{
    algebra::{operator::OperatorSpec, precision::Precision},
    cpu::{self, table},
    device::{
        buffer::{self, AnySlice},
        context::Context,
        readback::{Readback, Source, Staging},
    },
    dispatch::plan::Plan,
    error::Error,
    scan::any_scanner::{AnyScanner, Start},
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
    ask(run, SUM, &floats, 20_000, APART, mechanism).await;
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
            ask(run, U32_SUM, &integers, 8101, place, mechanism).await;
            ask(run, SUM, &floats, 8101, place, mechanism).await;
        }
        ask(run, SUM, &hostile, 20_000, APART, mechanism).await;
        ask(run, SUM, &hostile, 20_000, cut(6001), mechanism).await;
        // Of more blocks than a group of a single pass has.
        ask(run, SUM, &many, 540_000, APART, mechanism).await;
        ask(run, SUM, &floats, 3000, APART, mechanism).await;
        for from in 0..4 {
            ask(run, U64_SUM, &integers, 9000, shifted(from), mechanism).await;
        }
        ask(run, U64_SUM, &integers, 9000, IN_PLACE, mechanism).await;
        ask(run, U64_SUM, &integers, 4000, strided(16), mechanism).await;
        ask(run, F64_SUM, &fields, 9000, APART, mechanism).await;
        for place in [APART, shifted(1), strided(3)] {
            ask(run, U8_SUM, &integers, 9000, place, mechanism).await;
        }
        // Results that depend on how many elements there are, and sums that have a range of their own.
        ask(run, EVERY, &floats, 9000, APART, mechanism).await;
        ask(run, SUM_OF_SQUARES, &hostile, 20_000, APART, mechanism).await;
        ask(run, F64_SUM_OF_SQUARES, &fields, 9000, APART, mechanism).await;
    }
    // Row by row, which has one mechanism: results that begin within a vector, and what combines in many steps.
    let odd = |place: Place| Place { to: place.to.map(|_| 1), from: place.from + 1, ..place };
    let mechanism = Mechanism::WorkgroupMemory;
    for place in [APART, shifted(3), IN_PLACE, strided(8), cut(3333)] {
        ask(run, U32_SUM, &integers, 9000, odd(place), mechanism).await;
        ask(run, SUM, &hostile, 9000, odd(place), mechanism).await;
    }
    for from in 0..4 {
        ask(run, U64_SUM, &integers, 9000, odd(shifted(from)), mechanism).await;
        ask(run, U64_SUM, &integers, 5000, Place { from, ..IN_PLACE }, mechanism).await;
    }
    ask(run, U64_SUM, &integers, 4000, odd(strided(16)), mechanism).await;
    ask(run, F64_SUM, &fields, 9000, odd(APART), mechanism).await;
    for place in [APART, shifted(0), strided(3)] {
        ask(run, U8_SUM, &integers, 9000, odd(place), mechanism).await;
    }
    ask(run, U8_SUM, &integers, 9000, Place { to: Some(1), ..APART }, mechanism).await;
    for place in [APART, IN_PLACE, cut(6001)] {
        ask(run, PRODUCT, &floats, 9000, place, mechanism).await;
        ask(run, MEAN, &floats, 9000, place, mechanism).await;
        // Runs that come to something else than a run.
        ask(run, VARIANCE, &floats, 9000, place, mechanism).await;
    }
    ask(run, BRIEF_MOMENTS, &floats, 9000, cut(6001), mechanism).await;
    ask(run, U32_ARG_MIN, &integers, 9000, cut(6001), mechanism).await;
    ask(run, F32X3_SUM, &floats, 9000, APART, mechanism).await;
    ask(run, U32_SUM, &integers, 9000, Place { to: Some(1), ..APART }, mechanism).await;
    ask(run, U64_SUM, &integers, 9000, Place { to: Some(1), ..APART }, mechanism).await;
}

/// In two passes, and in a single one where it can be: each kind, with an initial value or without.
async fn ask(
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
    let spec = subject.spec();
    let item_bytes = spec.element.size_bytes();
    let out_bytes = 4 * u64::from(spec.out_words);
    // The second element.
    let size = usize::try_from(item_bytes).expect("a few");
    let initial = &bytemuck::cast_slice(words)[size..2 * size];
    let initial = Some(initial).filter(|_| spec.takes_initial());
    for (initial, strategy, is_inclusive) in [
        (initial, Strategy::TwoPass, true),
        (None, Strategy::TwoPass, false),
        (initial, Strategy::SinglePass, true),
        (None, Strategy::SinglePass, false),
    ] {
        if strategy == Strategy::SinglePass && !run.capabilities().coherent_memory {
            continue;
        }
        if run.is_over() {
            return;
        }
        let in_bytes = place.from * 8 + len as u64 * place.stride_bytes.unwrap_or(item_bytes);
        let written_bytes = 4 * place.to.unwrap_or(0) + len as u64 * out_bytes;
        if in_bytes.max(written_bytes).next_multiple_of(16) > run.capabilities().max_buffer_bytes {
            run.tally.left_out += 1;
            continue;
        }
        let context = run.options.context.clone();
        let scanner = scanner_of(&context, spec, len, (mechanism, strategy));
        let scanner = scanner.kind(is_inclusive, initial);
        let answer = answer(run, scanner, words, len, place, initial).await;
        match answer {
            Ok(None) => {}
            Ok(Some((plan, found, expected))) => {
                let kind = if is_inclusive { "inclusive" } else { "exclusive" };
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

fn scanner_of(
    context: &Context,
    spec: &'static OperatorSpec,
    len: usize,
    (mechanism, strategy): (Mechanism, Strategy),
) -> AnyScanner {
    let variant = match mechanism {
        Mechanism::Subgroup => Variant::Subgroup,
        Mechanism::WorkgroupMemory => Variant::WorkgroupMemory,
    };
    let policy = Some(if len < MANY { POLICY } else { MANY_POLICY });
    AnyScanner { variant, policy, strategy, ..AnyScanner::new(context, *spec) }
}

/// The plan, the results' words, and the CPU's. `None` where they are not asked for, and where a single pass can't be.
async fn answer(
    run: &mut Run,
    scanner: AnyScanner,
    words: &[u32],
    len: usize,
    place: Place,
    initial: Option<&[u8]>,
) -> Result<Option<(Plan, Vec<u32>, Vec<u32>)>, Error> {
    let Place { from, to, stride_bytes, cut } = place;
    let (context, spec) = (scanner.context.clone(), scanner.of_type);
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
    // Behind the elements there is room, as much as before them.
    let before = usize::try_from(from).expect("a few");
    let mut content = vec![0; before];
    let item_bytes = spec.element.size_bytes();
    let stride_bytes = stride_bytes.unwrap_or(item_bytes);
    let [step, size] = [stride_bytes, item_bytes].map(|bytes| usize::try_from(bytes).expect("few"));
    let words = &words[..(len * step).div_ceil(4)];
    content.extend(words);
    content.resize((content.len() + before).next_multiple_of(4), 0);
    let bytes: &[u8] = bytemuck::cast_slice(&content);
    let input = buffer::create_filled(context.device(), LABEL, bytes.len() as u64, usage, bytes)?;
    let slice = |begin: u64, end: u64| {
        let offset_bytes = from * 4 + begin * stride_bytes;
        AnySlice::placed(&input, item_bytes, offset_bytes, end - begin, Some(stride_bytes))
    };
    let bounds = [0, cut.unwrap_or(0), len as u64];
    let slices = [slice(bounds[0], bounds[1])?, slice(bounds[1], bounds[2])?];
    let out_bytes = 4 * u64::from(spec.out_words);
    let (output, offset_bytes) = match to {
        None => (input.clone(), from * 4),
        Some(to) => {
            let size_bytes = (to * 4 + len as u64 * out_bytes).next_multiple_of(16);
            (buffer::create(context.device(), LABEL, size_bytes, usage)?, to * 4)
        }
    };
    let results = [AnySlice::new(&output, out_bytes, offset_bytes, len as u64)?];
    let (plan, _) = scanner.validate(0, &slices, &results)?;
    if plan.strategy != scanner.strategy {
        return Ok(None);
    }
    let plan = Plan::from(plan);
    if !run.is_wanted(&plan.pipelines().collect::<Vec<_>>()) {
        return Ok(None);
    }
    let mut encoder = context.create_encoder(LABEL)?;
    scanner.record(&mut encoder, &slices, Start::First, &results)?;
    let size_bytes = len as u64 * out_bytes;
    let staging = Staging::allocate(&context, size_bytes)?;
    let source = Source { buffer: &output, offset_bytes, size_bytes };
    let readback: Readback<Vec<u32>> =
        staging.record(&context, &mut encoder, &[source], bytemuck::pod_collect_to_vec);
    context.submit(encoder)?;
    let found = readback.await?;
    // As aligned as any element.
    let mut items = vec![0u64; (len * size).div_ceil(8)];
    let items = &mut bytemuck::cast_slice_mut(&mut items)[..len * size];
    let all: &[u8] = bytemuck::cast_slice(words);
    for (item, from) in items.chunks_exact_mut(size).zip(all.chunks(step)) {
        item.copy_from_slice(&from[..size]);
    }
    let fold = table::find(spec.operator, spec.element).expect("it is defined");
    let precision = Precision::Reproducible;
    let expected = cpu::scan_words(fold, precision, scanner.is_inclusive, initial, None, items)?;
    Ok(Some((plan, found, expected.words().to_vec())))
}
