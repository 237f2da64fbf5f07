//! Batches of many short inputs, which become segments, beside the same with a workgroup for each, by the wall clock, in ms.
//!
//! `cargo bench --bench batches -- [ADAPTER]`, where ADAPTER is as for `gridfold --adapter` (the default is the best GPU). A row is a number of
//! inputs, next to each other in a buffer, and their length. Of both ways it has the time to add and prepare them, which the host takes, and that of a
//! submission, until it is done. An exact sum with a workgroup for itself is no segment, and has dispatches of its own. Each number is the best of 3, or of
//! 9 submissions. First results are compared.

#[expect(dead_code, reason = "other benches use the rest")]
mod common;

use common::{uniform, upload};
use gridfold::{Batch, Context, Executor, GpuSlice, Precision, Reducer, Sum, Variant, wgpu};
use std::{
    error::Error,
    time::{Duration, Instant},
};

type Outcome<R = ()> = Result<R, Box<dyn Error>>;

/// Inputs, and elements of each.
const SHAPES: [(u64, u64); 11] = [
    (64, 4),
    (64, 64),
    (64, 1024),
    (256, 1024),
    (1024, 16),
    (1024, 256),
    (1024, 1024),
    (4096, 4),
    (4096, 64),
    (4096, 1024),
    (20_000, 4),
];
/// Of exact ones elements at most: their dispatches take long to prepare.
const MAX_EXACT: u64 = 1 << 18;
const MAX_EXACT_INPUTS: u64 = 1024;

fn main() -> Outcome {
    // cargo passes `--bench`.
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let executor = Executor::with_adapter(arguments.next().as_deref().unwrap_or("auto"))?;
    let Some(context) = executor.context() else {
        return Err("no GPU found: name a software driver, for example vulkan/llvmpipe".into());
    };
    println!("{}; f32 sums, in ms", context.adapter());
    println!("{:26} {:>10} {:>10} {:>10} {:>10}", "", "segments", "", "one by one", "");
    println!("{:26} {:>10} {:>10} {:>10} {:>10}", "inputs", "prepared", "run", "prepared", "run");
    let longest = SHAPES.iter().map(|(inputs, len)| inputs * len).max().unwrap_or(0);
    let data = upload(context, longest, uniform)?;
    let whole = GpuSlice::<f32>::whole(&data[0]);
    for precision in [Precision::Reproducible, Precision::Exact] {
        for (inputs, len) in SHAPES {
            let is_long = inputs * len > MAX_EXACT || inputs > MAX_EXACT_INPUTS;
            if precision == Precision::Exact && is_long {
                continue;
            }
            let reducer = Reducer::<f32, _>::new(context, Sum).precision(precision);
            // What is asked for by name has a workgroup for each.
            let by_name = reducer.clone().variant(match context.capabilities().subgroups {
                Some(_) if precision == Precision::Reproducible => Variant::Subgroup,
                _ => Variant::WorkgroupMemory,
            });
            let segments = timed(context, &reducer, &whole, inputs, len)?;
            let one_by_one = timed(context, &by_name, &whole, inputs, len)?;
            if segments.results != one_by_one.results {
                return Err(format!("{inputs} of {len}: results differ").into());
            }
            println!(
                "{:26} {:>10.2} {:>10.3} {:>10.2} {:>10.3}",
                format!("{inputs} x {len} {precision}"),
                milliseconds(segments.prepared),
                milliseconds(segments.run),
                milliseconds(one_by_one.prepared),
                milliseconds(one_by_one.run)
            );
        }
    }
    Ok(())
}

/// What a batch takes, and the bits of its results.
struct Timed {
    prepared: Duration,
    run: Duration,
    results: Vec<u32>,
}

fn timed(
    context: &Context,
    reducer: &Reducer<f32, Sum>,
    whole: &GpuSlice<f32>,
    inputs: u64,
    len: u64,
) -> Outcome<Timed> {
    let make = || -> Outcome<_> {
        let mut batch = Batch::new(context);
        let mut tickets = Vec::new();
        for number in 0..inputs {
            tickets.push(batch.add(reducer, whole.slice(number * len..(number + 1) * len)?)?);
        }
        Ok((batch, tickets))
    };
    let (batch, tickets) = make()?;
    let found = batch.reduce_blocking()?;
    let bits = tickets.into_iter().map(|ticket| Ok(found.get(ticket)?.to_bits()));
    let results = bits.collect::<Outcome<Vec<u32>>>()?;
    let (mut prepared, mut run) = (Duration::MAX, Duration::MAX);
    for _ in 0..3 {
        let begin = Instant::now();
        let batch = make()?.0.prepare()?;
        prepared = prepared.min(begin.elapsed());
        for _ in 0..3 {
            let begin = Instant::now();
            let mut encoder = context.device().create_command_encoder(&Default::default());
            batch.record(&mut encoder);
            let index = context.queue().submit([encoder.finish()]);
            let until = wgpu::PollType::Wait { submission_index: Some(index), timeout: None };
            context.device().poll(until)?;
            run = run.min(begin.elapsed());
        }
    }
    Ok(Timed { prepared, run, results })
}

fn milliseconds(time: Duration) -> f64 {
    1000.0 * time.as_secs_f64()
}
