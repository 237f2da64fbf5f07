//! What is asked of differences: every type, in place and apart, launches that go on from others, strides, numbers on the
//! device, and values that the device is not right for.

use super::{
    material::mix,
    questions::{Question, Subject},
    run::Run,
    slot::LABEL,
    subjects::{F64_SUM, SUM, U32_SUM, U64_SUM},
    tally::Claim,
};
use crate::{
    algebra::difference::DifferenceElement,
    cpu,
    device::{
        buffer::{self, GpuSlice},
        context::Context,
        readback::{Readback, Source, Staging},
    },
    difference::differencer::Differencer,
    dispatch::plan::Plan,
    error::Error,
    reduce::{
        counted::{CountSlice, Counted},
        inputs::Input,
    },
    way::{Strategy, policy::Policy},
    wgsl::shader::{Constants, ShaderKey},
};

/// Elements: three blocks of four rows, and a part of a row.
const LEN: usize = 13_001;
/// Where the second slice begins.
const CUT: usize = 5003;
const POLICY: Policy = Policy::DEFAULT;

/// Where elements and differences lie.
#[derive(Clone, Copy, Debug)]
enum Place {
    Apart,
    /// Differences take the elements' places.
    Over,
    /// With as much behind each element.
    Strided,
    /// The same as `Over`, of as many as a number on the device says.
    Counted,
}

/// What that number says: two blocks, and a part of a row.
const COUNT: usize = 9001;

/// Asks it all.
pub(super) async fn run(run: &mut Run) {
    run.flush().await;
    for place in [Place::Apart, Place::Over, Place::Strided, Place::Counted] {
        ask::<u32>(run, U32_SUM, place).await;
        ask::<f32>(run, SUM, place).await;
        ask::<u64>(run, U64_SUM, place).await;
        ask::<f64>(run, F64_SUM, place).await;
    }
}

async fn ask<T: DifferenceElement>(run: &mut Run, subject: Subject, place: Place) {
    // One slice, where blocks have none but each other; and two.
    for cut in [0, CUT] {
        if run.is_over() {
            return;
        }
        if 2 * LEN as u64 * T::TYPE.size_bytes() + 16 > run.capabilities().max_buffer_bytes {
            run.tally.left_out += 1;
            continue;
        }
        let context = run.options.context.clone();
        let question = Question { strategy: Strategy::TwoPass, ..Question::as_usual(subject) };
        let input = format!("differences of {LEN} {} cut at {cut}, {place:?}", T::TYPE);
        match answer::<T>(run, &context, place, cut).await {
            Ok(None) => {}
            Ok(Some((plan, found, expected))) => {
                let claim = Claim {
                    plan: plan.to_string(),
                    pipelines: pipelines(place, &plan),
                    expected,
                    ..Claim::without_plan(question, input)
                };
                run.tally.compare(claim, Ok(found));
            }
            Err(error) => run.failed([Claim::without_plan(question, input)], &error),
        }
    }
}

fn pipelines(place: Place, plan: &Plan) -> Vec<(ShaderKey, Constants)> {
    let is_counted = matches!(place, Place::Counted);
    let counted = is_counted.then_some((CountSlice::shader(), Constants::None));
    counted.into_iter().chain(plan.pipelines()).collect()
}

/// Numbers of all kinds: as floats also equal neighbours, zeros of both signs, subnormal numbers, infinities and NaNs.
fn elements<T: DifferenceElement>() -> Vec<T> {
    let of = |i: u32| {
        let word = mix(i / 2);
        let (high, low) = match mix(i + 11) % 8 {
            0 => ((i & 1) << 31, 0),
            1 => (word & 0x800f_ffff, mix(i)),
            2 => (0x7f80_0000 | (i & 1) << 31, 0),
            3 => (word, mix(i)),
            _ => (word & 0x83ff_ffff | 0x3c00_0000, i / 3),
        };
        let words = if size_of::<T>() == 4 { [high, 0] } else { [low, high] };
        let bytes: &[u8] = bytemuck::cast_slice(&words);
        bytemuck::pod_read_unaligned(&bytes[..size_of::<T>()])
    };
    (0..13_001).map(of).collect()
}

/// The plan, the words of the differences, and the CPU's.
async fn answer<T: DifferenceElement>(
    run: &mut Run,
    context: &Context,
    place: Place,
    cut: usize,
) -> Result<Option<(Plan, Vec<u32>, Vec<u32>)>, Error> {
    let mut all = elements::<T>();
    if matches!(place, Place::Counted) {
        // Memory that is used again has other blocks' ends.
        all.reverse();
    }
    let item_bytes = T::TYPE.size_bytes();
    let stride = if matches!(place, Place::Strided) { 2 } else { 1 };
    // From a word on that is no vector's first.
    let mut bytes = vec![0x5a; 4];
    for item in &all {
        for _ in 0..stride {
            bytes.extend_from_slice(bytemuck::bytes_of(item));
        }
    }
    bytes.resize(bytes.len().next_multiple_of(16), 0);
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
    let create = |bytes: &[u8]| {
        buffer::create_filled(context.device(), LABEL, bytes.len() as u64, usage, bytes)
    };
    let input = create(&bytes)?;
    let stride_bytes = stride * item_bytes;
    let slice = |begin: usize, end: usize| {
        let offset_bytes = 4 + begin as u64 * stride_bytes;
        GpuSlice::<T>::strided(&input, offset_bytes, stride_bytes, (end - begin) as u64)
    };
    let slices = Input::from(vec![slice(0, cut)?, slice(cut, LEN)?]);
    let (output, offset_bytes, results) = match place {
        Place::Over | Place::Counted => (input.clone(), 4, slices.clone()),
        _ => {
            let size = usize::try_from(8 + LEN as u64 * item_bytes).expect("small");
            let output = create(&vec![0; size.next_multiple_of(16)])?;
            let results = GpuSlice::<T>::new(&output, 8, LEN as u64)?;
            (output, 8, Input::from(vec![results]))
        }
    };
    let differencer = Differencer::<T>::new(context).policy(POLICY);
    let plan = differencer.plan(slices.clone(), results.clone())?;
    if !run.is_wanted(&pipelines(place, &plan)) {
        return Ok(None);
    }
    let mut encoder = context.create_encoder(LABEL)?;
    let mut expected = cpu::adjacent_difference(&all)?;
    match place {
        Place::Counted => {
            let count = create(bytemuck::bytes_of(&[0, COUNT as u64]))?;
            let count = GpuSlice::<u64>::new(&count, 8, 1)?;
            differencer.record(&mut encoder, Counted::new(slices, &count), results)?;
            expected[COUNT..].copy_from_slice(&all[COUNT..]);
        }
        _ => differencer.record(&mut encoder, slices, results)?,
    }
    let size_bytes = LEN as u64 * item_bytes;
    let staging = Staging::allocate(context, size_bytes)?;
    let source = Source { buffer: &output, offset_bytes, size_bytes };
    let readback: Readback<Vec<u32>> =
        staging.record(context, &mut encoder, &[source], bytemuck::pod_collect_to_vec);
    context.submit(encoder)?;
    let found = readback.await?;
    Ok(Some((plan, found, bytemuck::pod_collect_to_vec(&expected))))
}
