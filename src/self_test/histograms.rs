//! What is asked of histograms: elements of every size, at any place and with strides, few bins and more than workgroup memory has room for, on
//! edges and outside of all bins, counts of either size, and numbers of bins.

use super::{
    material::{mix, ordinary},
    questions::Question,
    run::Run,
    slot::LABEL,
    subjects::subject,
    tally::Claim,
};
use crate::{
    algebra::operator_type::OperatorType,
    bins::{BinCount, Binned, Bins},
    cpu,
    device::{
        buffer::{self, GpuSlice},
        readback::{Readback, Source, Staging},
    },
    dispatch::plan::Plan,
    error::{Error, PrepareError},
    histogram::counter::Histogram,
    reduce::inputs::Input,
    way::Strategy,
};
use half::f16;
use std::ops::Range;

/// Where elements lie: from which word on, and from one to the next in elements.
#[derive(Clone, Copy, Debug)]
struct Place {
    word: usize,
    stride: usize,
}

/// What the output has.
#[derive(Clone, Copy, Debug)]
enum Written {
    Counts,
    /// Of each element the number of its bin.
    Numbers,
}

const DENSE: Place = Place { word: 0, stride: 1 };

/// Words of elements: several blocks of few bins, and part of a row.
const LEN: usize = 34_003;
/// Of these all are equal, so that lanes have several vectors of them.
const EQUAL: Range<u32> = 12_000..19_000;
/// What nothing has written.
const FILLER: u32 = 0x5a5a_5a5a;
/// Words of the output before the counts, and behind them.
const AROUND: usize = 3;

/// Asks it all.
pub(super) async fn run(run: &mut Run) {
    run.flush().await;
    let any: Vec<u32> =
        (0..34_003).map(|i| if EQUAL.contains(&i) { 0x4a4a_4a4a } else { mix(i) }).collect();
    // Runs of equal elements, zeros of both signs, values on edges and just below, infinities and NaNs.
    let floats: Vec<u32> = (0..34_003)
        .map(|i| match i % 37 {
            _ if EQUAL.contains(&i) => 0x4040_0000,
            0..4 => 0x3f80_0000 | (mix(i / 37) & 0x8000_0000),
            4 => mix(i) & 0x8000_0000,
            5 => 0x7f80_0000 | (mix(i) & 0x8000_0000),
            6 => 0x7fc0_0001 | (mix(i) & 0x8000_0000),
            7 => mix(i) & 0x8000_00ff,
            8 => f32::to_bits((mix(i) % 65) as f32 / 4.0),
            9 => f32::to_bits((mix(i) % 64 + 1) as f32 / 4.0) - 1,
            _ => ordinary(mix(i)),
        })
        .collect();
    let Ok(quarters) = Bins::even(100, 0.0..=16.0) else { return };
    let Ok(hostile) = Bins::edges(&[-f32::INFINITY, -2.0, -0.0, 1e-45, 1.0, 1.0, f32::MAX]) else {
        return;
    };
    let (odd, even) = (Place { word: 1, stride: 1 }, Place { word: 2, stride: 1 });
    let strided = Place { word: 1, stride: 3 };
    for place in [DENSE, odd, strided] {
        ask::<f32, u64>(run, &floats, place, &quarters).await;
        ask::<f32, u32>(run, &floats, place, &hostile).await;
    }
    for (place, bins) in [(odd, &hostile), (strided, &hostile), (strided, &quarters)] {
        ask::<f16, u64>(run, &any, place, bins).await;
    }
    let Ok(bytes) = Bins::even(256, 0.0..=256.0) else { return };
    ask::<u8, u32>(run, &any, DENSE, &bytes).await;
    ask::<i8, u64>(run, &any, strided, &bytes).await;
    let Ok(thousand) = Bins::even(1024, 0.0..=1.8e19) else { return };
    ask::<u64, u64>(run, &any, odd, &thousand).await;
    let Ok(many) = Bins::even(5000, -2.1e9..=2e9) else { return };
    ask::<i32, u32>(run, &any, DENSE, &many).await;
    ask::<i16, u32>(run, &any, strided, &many).await;
    let Ok(doubles) = Bins::even(4100, -3.0..=3.0) else { return };
    for place in [DENSE, odd, even, strided] {
        ask::<f64, u64>(run, &floats, place, &doubles).await;
    }
    for place in [DENSE, odd] {
        ask_by::<f32, u32>(run, &floats, place, &hostile, Written::Numbers).await;
    }
    ask_by::<u64, u32>(run, &any, odd, &thousand, Written::Numbers).await;
    ask_by::<u8, u32>(run, &any, strided, &bytes, Written::Numbers).await;
}

async fn ask<T: Binned, C: BinCount>(run: &mut Run, words: &[u32], place: Place, bins: &Bins) {
    ask_by::<T, C>(run, words, place, bins, Written::Counts).await;
}

async fn ask_by<T: Binned, C: BinCount>(
    run: &mut Run,
    words: &[u32],
    place: Place,
    bins: &Bins,
    written: Written,
) {
    if run.is_over() {
        return;
    }
    let bytes = 4 * (AROUND + LEN + AROUND) as u64;
    if bytes > run.capabilities().max_buffer_bytes {
        run.tally.left_out += 1;
        return;
    }
    let question = Question {
        strategy: Strategy::TwoPass,
        ..Question::as_usual(subject::<T>(OperatorType::Count))
    };
    let input = format!("{written:?} of {} bins of {}, {place:?}", bins.len(), T::TYPE);
    match answer::<T, C>(run, words, place, bins, written).await {
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

/// The plan, the words of the output, and what they should be. `None` where they are not asked for.
async fn answer<T: Binned, C: BinCount>(
    run: &mut Run,
    words: &[u32],
    place: Place,
    bins: &Bins,
    written: Written,
) -> Result<Option<(Plan, Vec<u32>, Vec<u32>)>, Error> {
    let context = run.options.context.clone();
    let filled = |words: &[u32], usage| {
        let bytes: &[u8] = bytemuck::cast_slice(words);
        let size_bytes = bytes.len().next_multiple_of(16) as u64;
        buffer::create_filled(context.device(), LABEL, size_bytes, usage, bytes)
    };
    let usage = wgpu::BufferUsages::STORAGE;
    let all = &words[..LEN];
    let bytes: &[u8] = bytemuck::cast_slice(&all[place.word..]);
    let items: Vec<T> =
        bytes.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned).collect();
    let elements: Vec<T> = items.iter().step_by(place.stride).copied().collect();
    let content = filled(all, usage)?;
    // In two slices, so that there are two launches.
    let cut = elements.len() / 3;
    let stride_bytes = (place.stride * size_of::<T>()) as u64;
    let slice = |begin: usize, end: usize| {
        let offset_bytes = 4 * place.word as u64 + begin as u64 * stride_bytes;
        GpuSlice::<T>::strided(&content, offset_bytes, stride_bytes, (end - begin) as u64)
    };
    let input = Input::from(vec![slice(0, cut)?, slice(cut, elements.len())?]);
    let own: Vec<u32> = match written {
        Written::Numbers => cpu::bin_numbers(&elements, bins)?,
        Written::Counts => {
            let words = |count: u64| bytemuck::cast::<u64, [u32; 2]>(count).into_iter();
            let counts = cpu::histogram(&elements, bins)?.into_iter();
            counts.flat_map(|count| words(count).take(C::WORDS as usize)).collect()
        }
    };
    let around = [FILLER; AROUND];
    let expected: Vec<u32> = around.into_iter().chain(own).chain(around).collect();
    let output = filled(&vec![FILLER; expected.len()], usage | wgpu::BufferUsages::COPY_SRC)?;
    let counts = GpuSlice::<C>::new(&output, 4 * AROUND as u64, bins.len());
    let numbers = GpuSlice::<u32>::new(&output, 4 * AROUND as u64, elements.len() as u64);
    let histogram = Histogram::<T>::new(&context);
    let plan = match written {
        Written::Counts => histogram.plan(&input, bins, &counts.clone()?)?,
        Written::Numbers => histogram.plan_numbers(&input, bins, &numbers.clone()?)?,
    };
    if !run.is_wanted(&plan.pipelines().collect::<Vec<_>>()) {
        return Ok(None);
    }
    let mut encoder = context.create_encoder(LABEL).map_err(PrepareError::from)?;
    match written {
        Written::Counts => histogram.record(&mut encoder, &input, bins, &counts?)?,
        Written::Numbers => histogram.record_numbers(&mut encoder, &input, bins, &numbers?)?,
    }
    let size_bytes = 4 * expected.len() as u64;
    let staging = Staging::allocate(&context, size_bytes).map_err(PrepareError::from)?;
    let source = Source { buffer: &output, offset_bytes: 0, size_bytes };
    let readback: Readback<Vec<u32>> =
        staging.record(&context, &mut encoder, &[source], bytemuck::pod_collect_to_vec);
    context.submit(encoder).map_err(PrepareError::from)?;
    Ok(Some((plan, readback.await?, expected)))
}
