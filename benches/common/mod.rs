//! What the benches of device time share: data, inputs that rotate, medians.

use gridfold::{Context, DeviceTimer, Element, GpuSlice, Prepared, Reducer, Sum, wgpu};
use std::{
    error::Error,
    ops::Range,
    time::{Duration, Instant},
};

pub const WARM_UPS: usize = 3;
pub const SAMPLES: usize = 31;
/// How long a GPU is busy before something is measured: it lowers its clocks when it has little to do.
const BUSY: Duration = Duration::from_millis(300);
/// Back-to-back reductions in one submit.
const BATCH: u32 = 20;
const BATCH_SAMPLES: usize = 5;

/// As many buffers as the device asks for, of `items` floats that `make` makes of their
/// numbers.
pub fn upload(
    context: &Context,
    items: u64,
    make: impl Fn(u32) -> f32 + Sync,
) -> Result<Vec<wgpu::Buffer>, Box<dyn Error>> {
    let chunk_bytes = context.capabilities().max_buffer_bytes.min(items * 4) & !255;
    let mut next = 0;
    let mut rest_bytes = items * 4;
    let mut buffers = Vec::new();
    while rest_bytes > 0 {
        let size = rest_bytes.min(chunk_bytes);
        let buffer = context.device().create_buffer(&wgpu::BufferDescriptor {
            label: Some("data"),
            size,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let mut offset = 0;
        while offset < size {
            let part_items = u32::try_from((size - offset) / 4)?.min(1 << 24);
            let mut part = vec![0.0; usize::try_from(part_items)?];
            fill(&mut part, next, &make);
            context.queue().write_buffer(&buffer, offset, bytemuck::cast_slice(&part));
            context.queue().submit([]);
            context.device().poll(wgpu::PollType::wait_indefinitely())?;
            next += part_items;
            offset += u64::from(part_items) * 4;
        }
        buffers.push(buffer);
        rest_bytes -= size;
    }
    Ok(buffers)
}

/// The same on the host, in one vector.
pub fn made(items: u32, make: impl Fn(u32) -> f32 + Sync) -> Vec<f32> {
    let mut values = vec![0.0; items as usize];
    fill(&mut values, 0, &make);
    values
}

/// By all cores: a GPU that waits for long clocks down.
fn fill(values: &mut [f32], first: u32, make: &(impl Fn(u32) -> f32 + Sync)) {
    const THREAD_ITEMS: usize = 1 << 20;
    std::thread::scope(|scope| {
        for (part, values) in (0u32..).zip(values.chunks_mut(THREAD_ITEMS)) {
            let first = first + part * (1 << 20);
            scope.spawn(move || {
                for (number, value) in (first..).zip(values) {
                    *value = make(number);
                }
            });
        }
    });
}

/// Keeps the device busy, so that its clocks go up.
pub fn warm_up(
    context: &Context,
    data: &[wgpu::Buffer],
    time: Duration,
) -> Result<(), Box<dyn Error>> {
    let sum = Reducer::<u32, _>::new(context, Sum);
    let whole: Vec<GpuSlice<u32>> = data.iter().map(GpuSlice::whole).collect();
    let output = GpuSlice::whole(&context.device().create_buffer(&wgpu::BufferDescriptor {
        label: Some("results"),
        size: 4,
        usage: wgpu::BufferUsages::STORAGE,
        mapped_at_creation: false,
    }));
    let prepared = sum.prepare(&whole, &output)?;
    let begin = Instant::now();
    while begin.elapsed() < time {
        let mut encoder =
            context.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        for _ in 0..20 {
            prepared.record(&mut encoder);
        }
        context.queue().submit([encoder.finish()]);
        context.device().poll(wgpu::PollType::wait_indefinitely())?;
    }
    Ok(())
}

/// The same, of a GPU, before something that the driver has compiled already: while it compiles, the GPU has nothing to do.
pub fn keep_busy(context: &Context, data: &[wgpu::Buffer]) -> Result<(), Box<dyn Error>> {
    match context.device().adapter_info().device_type {
        wgpu::DeviceType::Cpu => Ok(()),
        _ => warm_up(context, data, BUSY),
    }
}

/// 32 bits without a pattern.
pub fn mix(number: u32) -> u32 {
    let mut bits = number.wrapping_mul(0x9e37_79b1);
    bits = (bits ^ (bits >> 16)).wrapping_mul(0x85eb_ca6b);
    bits = (bits ^ (bits >> 13)).wrapping_mul(0xc2b2_ae35);
    bits ^ (bits >> 16)
}

/// A random float in [0, 1).
pub fn uniform(number: u32) -> f32 {
    (mix(number) >> 8) as f32 / 16_777_216.0
}

/// Input number `index` of a length: they follow one another through the data, and start again. An input
/// longer than a buffer is several slices.
pub fn input<T: Element>(data: &[wgpu::Buffer], len: u64, index: u64) -> Vec<GpuSlice<T>> {
    let buffer_items = data[0].size() / T::TYPE.size_bytes();
    if len > buffer_items {
        let begins = (0..len).step_by(usize::try_from(buffer_items).expect("fits"));
        let parts = data.iter().zip(begins).map(|(buffer, begin)| {
            GpuSlice::whole(buffer).slice(0..(len - begin).min(buffer_items)).expect("within")
        });
        return parts.collect();
    }
    let (buffer, begin) = place::<T>(data, len, index);
    vec![GpuSlice::whole(&data[buffer]).slice(begin..begin + len).expect("within")]
}

/// The buffer where an input begins that is not longer than one, and its first element there.
fn place<T: Element>(data: &[wgpu::Buffer], len: u64, index: u64) -> (usize, u64) {
    // Each begins at the same alignment. The last buffer may be short.
    let stride = len.next_multiple_of(64);
    let per_buffer = data[0].size() / T::TYPE.size_bytes() / stride;
    let buffers = data.iter().filter(|buffer| buffer.size() == data[0].size()).count() as u64;
    let index = index % (per_buffer * buffers);
    (usize::try_from(index / per_buffer).expect("few"), index % per_buffer * stride)
}

/// The numbers of an input's elements.
pub fn input_range<T: Element>(data: &[wgpu::Buffer], len: u64, index: u64) -> Range<usize> {
    let buffer_items = data[0].size() / T::TYPE.size_bytes();
    let first = if len > buffer_items {
        0
    } else {
        let (buffer, begin) = place::<T>(data, len, index);
        buffer as u64 * buffer_items + begin
    };
    let bound = |number| usize::try_from(number).expect("on the host");
    bound(first)..bound(first + len)
}

/// A length as people read it.
pub fn length(len: u64) -> String {
    match len.ilog2() {
        log2 if len == 1 << log2 => format!("2^{log2}"),
        log2 if len == (1 << log2) + 1 => format!("2^{log2} + 1"),
        _ => len.to_string(),
    }
}

pub fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// The median device time of one reduction, of those that are made of an input's number. `data` keeps a GPU busy before.
pub fn device_time<R>(
    context: &Context,
    data: &[wgpu::Buffer],
    prepare: impl Fn(u64) -> Result<Prepared<R>, Box<dyn Error>>,
) -> Result<Duration, Box<dyn Error>> {
    recorded_time(context, data, |index, encoder, timer| {
        prepare(index)?.record_timed(encoder, timer.timestamp_writes());
        Ok(())
    })
}

/// The median device time of what is recorded for an input's number. `data` keeps a GPU busy before.
pub fn recorded_time(
    context: &Context,
    data: &[wgpu::Buffer],
    record: impl Fn(u64, &mut wgpu::CommandEncoder, &DeviceTimer) -> Result<(), Box<dyn Error>>,
) -> Result<Duration, Box<dyn Error>> {
    let timer = DeviceTimer::new(context)?.ok_or("the device has no timestamps")?;
    let sample = |index| -> Result<_, Box<dyn Error>> {
        let mut encoder = encoder(context);
        record(index, &mut encoder, &timer)?;
        let readback = timer.record_readback(&mut encoder)?;
        context.queue().submit([encoder.finish()]);
        Ok(readback.wait_blocking()?)
    };
    // What this compiles comes before: the GPU waits for it.
    sample(0)?;
    keep_busy(context, data)?;
    let mut times = Vec::new();
    for index in 0..(WARM_UPS + SAMPLES) as u64 {
        times.extend(sample(index)?);
    }
    Ok(median(&mut times[WARM_UPS..]))
}

/// A pass that takes what a timer measures.
pub fn timed_pass<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    label: &str,
    timer: &DeviceTimer,
) -> wgpu::ComputePass<'a> {
    encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
        label: Some(label),
        timestamp_writes: Some(timer.timestamp_writes()),
    })
}

/// Memory for results.
pub fn results(context: &Context, size: u64) -> wgpu::Buffer {
    context.device().create_buffer(&wgpu::BufferDescriptor {
        label: Some("results"),
        size,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    })
}

/// The elements of a slice, on the host.
pub fn read<T: Element>(context: &Context, slice: &GpuSlice<T>) -> Result<Vec<T>, Box<dyn Error>> {
    let device = context.device();
    let size = slice.len() * T::TYPE.size_bytes();
    let staging = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("staging"),
        size,
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let mut encoder = encoder(context);
    encoder.copy_buffer_to_buffer(slice.buffer(), slice.offset_bytes(), &staging, 0, size);
    context.queue().submit([encoder.finish()]);
    staging.map_async(wgpu::MapMode::Read, .., |result| result.expect("it can be mapped"));
    device.poll(wgpu::PollType::wait_indefinitely())?;
    Ok(bytemuck::pod_collect_to_vec(&staging.get_mapped_range(..)?))
}

/// How 20 reductions of one submit are recorded.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Batch {
    /// Each as a pass of its own.
    Passes,
    /// All in one pass.
    OnePass,
}

/// The median device time of 20 reductions in one submit, for each: from before the first to after the last.
///
/// If they write to one output, wgpu lets each wait for the one before.
pub fn device_time_in_a_batch<R>(
    context: &Context,
    batch: Batch,
    prepare: impl Fn(u64) -> Result<Prepared<R>, Box<dyn Error>>,
) -> Result<Duration, Box<dyn Error>> {
    let timer = DeviceTimer::new(context)?.ok_or("the device has no timestamps")?;
    let all = (0..BATCH).map(|index| prepare(index.into())).collect::<Result<Vec<_>, _>>()?;
    let mut times = Vec::new();
    for _ in 0..BATCH_SAMPLES {
        let mut encoder = encoder(context);
        match batch {
            Batch::Passes => {
                for (index, prepared) in all.iter().enumerate() {
                    let mut writes = timer.timestamp_writes();
                    if index == 0 {
                        writes.end_of_pass_write_index = None;
                    } else {
                        writes.beginning_of_pass_write_index = None;
                    }
                    if index == 0 || index + 1 == all.len() {
                        prepared.record_timed(&mut encoder, writes);
                    } else {
                        prepared.record(&mut encoder);
                    }
                }
            }
            Batch::OnePass => {
                let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                    label: Some("batch"),
                    timestamp_writes: Some(timer.timestamp_writes()),
                });
                for prepared in &all {
                    prepared.record_in(&mut pass);
                }
            }
        }
        let readback = timer.record_readback(&mut encoder)?;
        context.queue().submit([encoder.finish()]);
        times.extend(readback.wait_blocking()?);
    }
    Ok(median(&mut times) / BATCH)
}

fn encoder(context: &Context) -> wgpu::CommandEncoder {
    context.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default())
}
