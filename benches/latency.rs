//! Time until values are on the host, by the wall clock, in µs: of one reduction, of batches, and of a context's first.
//!
//! First uses wait for compilers, so say with them whether the driver's cache was warm (`MESA_SHADER_CACHE_DISABLE=true` and
//! `__GL_SHADER_DISK_CACHE=0` turn Mesa's and NVIDIA's off).
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
/// Of a context's first batch.
const TENSORS: u32 = 300;

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
    Reducer::<f32, _>::new(&fresh, Sum).reduce_blocking(input::<f32>(&data, 1 << 10, 0))?;
    row("a context", made);
    row("a context and its first f32 sum, of 2^10", begin.elapsed());
    let begin = Instant::now();
    Reducer::<f32, _>::new(&fresh, Sum).reduce_blocking(input::<f32>(&data, 1 << 20, 0))?;
    row("then the first of 2^20", begin.elapsed());
    let begin = Instant::now();
    Reducer::<f32, _>::new(&fresh, Sum).warm_up_blocking()?;
    row("then a warm-up, of all alignments and batches", begin.elapsed());
    let fresh = Context::new_blocking(device, queue)?;
    let begin = Instant::now();
    let mut batch = Batch::new(&fresh);
    let (whole, mut end) = (GpuSlice::<f32>::whole(&data[0]), 0);
    for tensor in 0..TENSORS {
        // Of 100 to 40 000 elements, and of all alignments.
        let len = 100 + u64::from(common::mix(tensor)) % 40_000;
        batch.add(&Reducer::<f32, _>::new(&fresh, Sum), whole.slice(end..end + len)?)?;
        end += len;
    }
    batch.reduce_blocking()?;
    row(&format!("a context's first batch, of {TENSORS} tensors"), begin.elapsed());
    drop(fresh);

    let nothing = buffer(context, wgpu::BufferUsages::COPY_SRC);
    for spins in [false, true] {
        let how = if spins { "polled for" } else { "waited for" };
        let bare = |_| bare_copy(context, &nothing, spins);
        row(&format!("a copy of 4 bytes, mapped, {how}"), time(samples, bare)?);
    }
    let sum = Reducer::<f32, _>::new(context, Sum);
    one_by_each_way(context, &data, samples)?;
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
        let added = time(samples, |_| batch())?;
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
        row(&format!("to add {JOBS} {what} to a batch"), added);
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

/// The ways of a value to the host: by a wait or by polling first, by a copy or without one.
fn one_by_each_way(
    context: &Context,
    data: &[wgpu::Buffer],
    samples: u64,
) -> Result<(), Box<dyn Error>> {
    let mappable = wgpu::Features::MAPPABLE_PRIMARY_BUFFERS;
    let (device, queue) = (context.device(), context.queue());
    let maps = device.features().contains(mappable);
    let is_gpu = device.adapter_info().device_type != wgpu::DeviceType::Cpu;
    for copies in [true, false].into_iter().filter(|copies| *copies || maps) {
        let own = Context::new_blocking(device, queue)?;
        own.set_copies(copies);
        let sum = Reducer::<f32, _>::new(&own, Sum);
        for spins in [false, true] {
            own.set_spins(spins);
            let how = if spins { "polled for" } else { "waited for" };
            let by = if copies { "by a copy" } else { "mapped" };
            let one = |index| Ok(sum.reduce_blocking(input::<f32>(data, 1 << 10, index))?);
            let used = copies != maps && spins == is_gpu;
            let mark = if used { " (in use)" } else { "" };
            row(&format!("a f32 sum of 2^10, {by}, {how}{mark}"), time(samples, one)?);
        }
    }
    Ok(())
}

/// What any value's way to the host takes.
fn bare_copy(context: &Context, source: &wgpu::Buffer, spins: bool) -> Result<(), Box<dyn Error>> {
    let staging = buffer(context, wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST);
    let mut encoder = encoder(context);
    encoder.copy_buffer_to_buffer(source, 0, &staging, 0, 4);
    let (done, is_done) = std::sync::mpsc::channel();
    encoder.map_buffer_on_submit(&staging, wgpu::MapMode::Read, .., move |mapped| {
        // Where wgpu waits, the receiver is gone.
        _ = done.send(mapped);
    });
    context.queue().submit([encoder.finish()]);
    if spins {
        while is_done.try_recv().is_err() {
            context.device().poll(wgpu::PollType::Poll)?;
        }
    } else {
        context.device().poll(wgpu::PollType::wait_indefinitely())?;
    }
    let word: GpuSlice<u32> = GpuSlice::whole(&staging);
    std::hint::black_box((word, staging.get_mapped_range(..)?.to_vec()));
    Ok(())
}
