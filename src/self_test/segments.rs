//! What is asked of segments: between offsets and along axes, of elements at odd words, and of values that the device is not right for.

use super::{
    material::{mix, ordinary},
    questions::{Question, SUM, SUM_OF_SQUARES, Subject, U64_SUM, VARIANCE, elements},
    run::Run,
    slot::LABEL,
    tally::Claim,
};
use crate::{
    algebra::{
        element::Element,
        operator::Operator,
        operators::{Sum, SumOfSquares, Variance},
    },
    axes::Grid,
    cpu,
    device::{
        buffer::{self, GpuSlice},
        readback::{Readback, Source, Staging},
    },
    error::{Error, PrepareError},
    segments::{layout::Segments, plan::SegmentPlan, segmented_reducer::SegmentedReducer},
    way::Strategy,
};

/// Where segments are.
#[derive(Clone, Copy, Debug)]
enum Places<'a> {
    Offsets(&'a [u32]),
    /// Along the middle one of three axes.
    Middle([u64; 3]),
}

/// Asks it all.
pub(super) async fn run(run: &mut Run) {
    run.flush().await;
    let integers: Vec<u32> = (0..12_000).map(mix).collect();
    let floats: Vec<u32> = integers.iter().map(|&bits| ordinary(bits)).collect();
    let mut hostile = floats.clone();
    // Subnormal numbers, in chunks of each level and in none, and two that overflow together.
    for place in [30, 500, 900, 5000, 9990] {
        hostile[place] = 3;
        hostile[place + 1] = 0x8000_0005;
    }
    hostile[7000] = 0x7f7f_ffff;
    hostile[7001] = 0x7f7f_ffff;
    // Short ones, empty ones, two long ones, and elements of none around them.
    let mut offsets = vec![5];
    let lens = (0..70).chain([0, 0, 4500, 1, 16, 255, 0, 1021]).chain((0..40).map(|i| mix(i) % 24));
    for len in lens {
        offsets.push(offsets[offsets.len() - 1] + len);
    }
    let between = Places::Offsets(&offsets);
    let middle = Places::Middle([3, 300, 5]);
    for places in [between, middle, Places::Middle([40, 70, 1]), Places::Middle([1, 7, 600])] {
        ask::<f32, Sum>(run, SUM, &floats, 0, places).await;
        ask::<f32, Sum>(run, SUM, &hostile, 3, places).await;
    }
    for from in 0..4 {
        ask::<u64, Sum>(run, U64_SUM, &integers, from, Places::Offsets(&offsets[..70])).await;
    }
    ask::<u64, Sum>(run, U64_SUM, &integers, 1, middle).await;
    ask::<f32, SumOfSquares>(run, SUM_OF_SQUARES, &hostile, 0, between).await;
    ask::<f32, Variance>(run, VARIANCE, &hostile, 0, between).await;
    ask::<f32, Variance>(run, VARIANCE, &floats, 1, middle).await;
}

async fn ask<T: Element, Op: Operator<T>>(
    run: &mut Run,
    subject: Subject,
    words: &[u32],
    from: usize,
    places: Places<'_>,
) {
    if run.is_over() {
        return;
    }
    let bytes = 4 * (from + words.len()).next_multiple_of(4) as u64;
    if bytes > run.capabilities().max_buffer_bytes {
        run.tally.left_out += 1;
        return;
    }
    let question = Question { strategy: Strategy::TwoPass, ..Question::as_usual(subject) };
    let what = match places {
        Places::Offsets(offsets) => format!("{} offsets", offsets.len()),
        places => format!("{places:?}"),
    };
    let input = format!("segments by {what}, from word {from}");
    match answer::<T, Op>(run, words, from, places).await {
        Ok(None) => {}
        Ok(Some((plan, found, expected))) => {
            let claim = Claim {
                plan: plan.to_string(),
                pipelines: plan.pipelines().collect(),
                expected,
                ..Claim::without_plan(question, input)
            };
            run.tally.compare(claim, Ok(found));
        }
        Err(error) => run.failed([Claim::without_plan(question, input)], &error),
    }
}

/// The plan, the results' words, and the CPU's. `None` where they are not asked for.
async fn answer<T: Element, Op: Operator<T>>(
    run: &Run,
    words: &[u32],
    from: usize,
    places: Places<'_>,
) -> Result<Option<(SegmentPlan, Vec<u32>, Vec<u32>)>, Error> {
    let context = run.options.context.clone();
    let usage = wgpu::BufferUsages::STORAGE;
    let all = elements::<T>(words);
    let filled = |words: &[u32]| {
        let bytes: &[u8] = bytemuck::cast_slice(words);
        let size_bytes = bytes.len().next_multiple_of(16) as u64;
        buffer::create_filled(context.device(), LABEL, size_bytes, usage, bytes)
    };
    let content = [&vec![0; from], words].concat();
    let whole = GpuSlice::<T>::new(&filled(&content)?, 4 * from as u64, all.len() as u64)?;
    let (segments, input, own) = match places {
        Places::Offsets(offsets) => {
            let own: Vec<Vec<T>> = offsets
                .windows(2)
                .map(|pair| all[pair[0] as usize..pair[1] as usize].to_vec())
                .collect();
            (
                Segments::offsets(
                    &GpuSlice::whole(&filled(offsets)?).slice(0..offsets.len() as u64)?,
                ),
                whole,
                own,
            )
        }
        Places::Middle(shape) => {
            let len = shape.iter().product();
            let Grid { groups, items, step } =
                Grid::of_axis(len, &shape, 1).map_err(PrepareError::from)?;
            let column = |group: u64, first: u64| {
                let at = |item: u64| (group * items + item) * step + first;
                (0..items).map(|item| all[usize::try_from(at(item)).expect("small")]).collect()
            };
            let groups = (0..groups).flat_map(|group| (0..step).map(move |first| (group, first)));
            let own = groups.map(|(group, first)| column(group, first)).collect();
            (Segments::axis(&shape, 1), whole.slice(0..len)?, own)
        }
    };
    let out_bytes = (own.len() * size_of::<Op::Out>()) as u64;
    let size_bytes = (4 + out_bytes).next_multiple_of(16);
    let usage = usage | wgpu::BufferUsages::COPY_SRC;
    let output =
        buffer::create(context.device(), LABEL, size_bytes, usage).map_err(PrepareError::from)?;
    let results = GpuSlice::<Op::Out>::new(&output, 4, own.len() as u64)?;
    let reducer = SegmentedReducer::<T, Op>::new(&context);
    let plan = reducer.plan(&input, &segments, &results)?;
    if !run.is_wanted(&plan.pipelines().collect::<Vec<_>>()) {
        return Ok(None);
    }
    let mut encoder = context.create_encoder(LABEL)?;
    reducer.record(&mut encoder, &input, &segments, &results)?;
    let staging = Staging::allocate(&context, out_bytes)?;
    let source = Source { buffer: &output, offset_bytes: 4, size_bytes: out_bytes };
    let readback: Readback<Vec<u32>> =
        staging.record(&context, &mut encoder, &[source], bytemuck::pod_collect_to_vec);
    context.submit(encoder)?;
    let found = readback.await?;
    let out = |own: &Vec<T>| Op::finish(cpu::total::<T, Op>(&[own]), own.len() as u64);
    let expected: Vec<Op::Out> = own.iter().map(out).collect();
    Ok(Some((plan, found, bytemuck::pod_collect_to_vec(&expected))))
}
