//! Time until values are on the host, by the wall clock, in µs: of one reduction, of batches, and of a context's first.
//!
//! `cargo bench --bench latency -- [ADAPTER]`, where ADAPTER is as for `gridfold --adapter` (the default is the best GPU).
//! Medians of 300 calls after 20 to warm up, fewer on software drivers.

#[expect(dead_code, reason = "other benches use the rest")]
mod common;

use common::{input, length, median, uniform, upload};
use gridfold::{Batch, Context, Executor, GpuSlice, Precision, Reducer, Sum, wgpu};
use std::{
    error::Error,
    time::{Duration, Instant},
};

/// Reductions of a batch.
const JOBS: u64 = 256;

fn main() -> Result<(), Box<dyn Error>> {
    // cargo passes `--bench`.
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let executor = Executor::with_adapter(arguments.next().as_deref().unwrap_or("auto"))?;
    let Some(context) = executor.context() else {
        return Err("no GPU found: name a software driver, for example vulkan/llvmpipe".into());
    };
    println!("{}", context.adapter());
    let is_gpu = context.device().adapter_info().device_type != wgpu::DeviceType::Cpu;
    let samples = if is_gpu { 300 } else { 60 };
    // Before anything else is compiled.
    let (device, queue) = (context.device(), context.queue());
    let data = upload(context, 1 << 24, uniform)?;
    let begin = Instant::now();
    let fresh = Context::new_blocking(device, queue)?;
    let made = begin.elapsed();
    Reducer::<f32, Sum>::new(&fresh).reduce_blocking(input::<f32>(&data, 1 << 10, 0))?;
    row("a context", made);
    row("a context and its first f32 sum, of 2^10", begin.elapsed());
    let begin = Instant::now();
    Reducer::<f32, Sum>::new(&fresh).reduce_blocking(input::<f32>(&data, 1 << 20, 0))?;
    row("then the first of 2^20", begin.elapsed());
    drop(fresh);

    let nothing = buffer(context, wgpu::BufferUsages::COPY_SRC);
    row("a copy of 4 bytes, mapped", time(samples, |_| bare_copy(context, &nothing))?);
    let sum = Reducer::<f32, Sum>::new(context);
    for log2_len in [10, 16, 20] {
        let what = format!("a f32 sum of {}", length(1 << log2_len));
        let one = |index| Ok(sum.reduce_blocking(input::<f32>(&data, 1 << log2_len, index))?);
        row(&what, time(samples, one)?);
        let awaited = |index| {
            let input = input::<f32>(&data, 1 << log2_len, index);
            Ok(pollster::block_on(sum.reduce(input))?)
        };
        row(&format!("{what}, awaited"), time(samples, awaited)?);
    }
    let exact = sum.clone().precision(Precision::Exact);
    let one = |index| Ok(exact.reduce_blocking(input::<f32>(&data, 1 << 10, index))?);
    row("an exact f32 sum of 2^10", time(samples, one)?);

    for log2_len in [8, 12, 16] {
        let one = |index| Ok(sum.reduce_blocking(input::<f32>(&data, 1 << log2_len, index))?);
        let one = time(samples, one)?;
        let inputs: Vec<_> =
            (0..JOBS).map(|index| input::<f32>(&data, 1 << log2_len, index).remove(0)).collect();
        let batch = || -> Result<_, Box<dyn Error>> {
            let mut batch = Batch::new(context);
            for input in &inputs {
                batch.add(&sum, input)?;
            }
            Ok(batch)
        };
        let whole = time(samples, |_| Ok(batch()?.reduce_blocking()?))?;
        let prepared = batch()?.prepare()?;
        let recorded = time(samples, |_| {
            let mut encoder = encoder(context);
            let readback = prepared.record_readback(&mut encoder)?;
            context.queue().submit([encoder.finish()]);
            Ok(readback.wait_blocking()?)
        })?;
        let what = format!("f32 sums of {}", length(1 << log2_len));
        row(&format!("one of {JOBS} {what}"), one);
        row(&format!("a batch of {JOBS} {what}"), whole);
        row(&format!("a prepared batch of {JOBS} {what}"), recorded);
        println!(
            "{:54} {:>10.2} {:>10.2}",
            "    times one: batch, prepared batch",
            whole.as_secs_f64() / one.as_secs_f64(),
            recorded.as_secs_f64() / one.as_secs_f64(),
        );
    }
    Ok(())
}

fn row(what: &str, time: Duration) {
    println!("{what:54} {:>10.1}", time.as_secs_f64() * 1e6);
}

fn time<R>(
    samples: u64,
    call: impl Fn(u64) -> Result<R, Box<dyn Error>>,
) -> Result<Duration, Box<dyn Error>> {
    let mut times = Vec::new();
    for index in 0..samples + 20 {
        let begin = Instant::now();
        std::hint::black_box(call(index)?);
        times.push(begin.elapsed());
    }
    Ok(median(&mut times[20..]))
}

fn encoder(context: &Context) -> wgpu::CommandEncoder {
    context.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default())
}

fn buffer(context: &Context, usage: wgpu::BufferUsages) -> wgpu::Buffer {
    context.device().create_buffer(&wgpu::BufferDescriptor {
        label: Some("latency"),
        size: 4,
        usage,
        mapped_at_creation: false,
    })
}

/// What any value's way to the host takes.
fn bare_copy(context: &Context, source: &wgpu::Buffer) -> Result<(), Box<dyn Error>> {
    let staging = buffer(context, wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST);
    let mut encoder = encoder(context);
    encoder.copy_buffer_to_buffer(source, 0, &staging, 0, 4);
    encoder.map_buffer_on_submit(&staging, wgpu::MapMode::Read, .., |_| ());
    context.queue().submit([encoder.finish()]);
    context.device().poll(wgpu::PollType::wait_indefinitely())?;
    let word: GpuSlice<u32> = GpuSlice::whole(&staging);
    std::hint::black_box((word, staging.get_mapped_range(..)?.to_vec()));
    Ok(())
}
