//! Device time of sums by length, variant, strategy and policy, and the time until a value is on the host.
//!
//! `cargo bench --bench lengths -- [ADAPTER [LOG2_LENGTH]]`, where ADAPTER is as for `gridfold --adapter` (the
//! default is the best GPU), and LOG2_LENGTH restricts it to one length. Each row is the median of 21 passes
//! after 3 to warm up; inputs rotate, so that caches serve no repeats.

use gridfold::{
    Context, DeviceTimer, Element, Executor, GpuSlice, Operator, Policy, Product, Reducer,
    Strategy, Sum, Variant, wgpu,
};
use std::time::{Duration, Instant};

const WARM_UPS: usize = 3;
const SAMPLES: usize = 21;
const HOST_SAMPLES: usize = 300;
/// Back-to-back reductions in one submit.
const BATCH: u32 = 20;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // cargo passes `--bench`.
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let executor = Executor::with_adapter(arguments.next().as_deref().unwrap_or("auto"))?;
    let only_log2_len: Option<u32> = arguments.next().map(|text| text.parse()).transpose()?;
    let Some(context) = executor.context() else {
        return Err("no GPU found: name a software driver, for example vulkan/llvmpipe".into());
    };
    println!("{}", context.adapter());
    let is_gpu = context.device().adapter_info().device_type != wgpu::DeviceType::Cpu;
    // Beyond any cache; less where a CPU does the work.
    let data_items: u64 = 1 << only_log2_len.unwrap_or(0).max(if is_gpu { 28 } else { 25 });
    let data = fill(context, data_items, None)?;

    println!(
        "{:>4} {:7} {:>12} {:>6} {:>10} {:>10} {:>9}  plan",
        "type", "op", "elements", "offset", "us", "us in 20", "GB/s"
    );
    let logs: &[u32] =
        if is_gpu { &[10, 16, 20, 22, 24, 25, 26, 28] } else { &[10, 16, 20, 22, 25] };
    let only: Vec<u32> = only_log2_len.into_iter().collect();
    let logs = if only.is_empty() { logs } else { &only };
    for variant in [Variant::Subgroup, Variant::WorkgroupMemory] {
        if variant == Variant::Subgroup && context.capabilities().subgroups.is_none() {
            continue;
        }
        for &log2_len in logs {
            row(&Reducer::<f32, Sum>::new(context).variant(variant), &data, 1 << log2_len, 0)?;
            row(&Reducer::<u32, Sum>::new(context).variant(variant), &data, 1 << log2_len, 0)?;
        }
    }
    if !only.is_empty() {
        return Ok(());
    }
    println!("lengths and offsets that are no multiples of anything, and products");
    for &log2_len in &logs[logs.len() - 3..logs.len() - 1] {
        let len = (1 << log2_len) + 1;
        for offset in [0, 1] {
            row(&Reducer::<f32, Sum>::new(context), &data, len, offset)?;
            row(&Reducer::<u32, Sum>::new(context), &data, len, offset)?;
        }
        row(&Reducer::<f32, Product>::new(context), &data, len - 1, 0)?;
    }
    println!("strategies with atomics");
    for strategy in [Strategy::WorkgroupAtomic, Strategy::SubgroupAtomic] {
        if strategy == Strategy::SubgroupAtomic && context.capabilities().subgroups.is_none() {
            continue;
        }
        for &log2_len in logs {
            let len = 1 << log2_len;
            row(&Reducer::<f32, Sum>::new(context).strategy(strategy), &data, len, 0)?;
            row(&Reducer::<u32, Sum>::new(context).strategy(strategy), &data, len, 0)?;
            row(&Reducer::<u32, Product>::new(context).strategy(strategy), &data, len, 0)?;
            row(&Reducer::<f32, Product>::new(context).strategy(strategy), &data, len, 0)?;
        }
    }
    drop(data);
    for (what, outlier) in [("subnormal", 1e-40), ("infinite", f32::INFINITY)] {
        println!("one {what} element in 4096");
        let data = fill(context, data_items, Some(outlier))?;
        for &log2_len in logs.iter().filter(|&&log2_len| log2_len >= 20) {
            row(&Reducer::<f32, Sum>::new(context), &data, 1 << log2_len, 0)?;
        }
    }
    let data = fill(context, data_items, None)?;
    println!("policies of order-free operators");
    for (min_rows, max_workgroups) in [(4, 256), (4, 512), (4, 1024), (8, 2048), (16, 2048)] {
        for &log2_len in logs.iter().filter(|&&log2_len| log2_len >= 16) {
            let policy = Policy { min_rows, max_workgroups };
            row(&Reducer::<u32, Sum>::new(context).policy(policy), &data, 1 << log2_len, 0)?;
        }
    }
    for log2_len in [10, 20] {
        host_row(context, &data, log2_len)?;
    }
    Ok(())
}

/// Random floats in [0, 1), which as integers are as good as any, and an outlier in each 4096.
fn fill(
    context: &Context,
    items: u64,
    outlier: Option<f32>,
) -> Result<Vec<wgpu::Buffer>, Box<dyn std::error::Error>> {
    // As many buffers as the bindings of the device ask for.
    let chunk_bytes = context.capabilities().max_binding_bytes.min(items * 4) & !255;
    let mut state = 1u32;
    let mut rest_bytes = items * 4;
    let mut buffers = Vec::new();
    while rest_bytes > 0 {
        let size = rest_bytes.min(chunk_bytes);
        let mut values: Vec<f32> = (0..size / 4)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                f32::from(u16::try_from(state >> 16).expect("16 bits")) / 65_536.0
            })
            .collect();
        for block in values.chunks_mut(4096) {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            if let Some(outlier) = outlier {
                block[(state >> 8) as usize % block.len()] = outlier;
            }
        }
        let buffer = context.device().create_buffer(&wgpu::BufferDescriptor {
            label: Some("data"),
            size,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        for (index, part) in values.chunks(1 << 24).enumerate() {
            let offset = index as u64 * (4 << 24);
            context.queue().write_buffer(&buffer, offset, bytemuck::cast_slice(part));
            context.queue().submit([]);
            context.device().poll(wgpu::PollType::wait_indefinitely())?;
        }
        buffers.push(buffer);
        rest_bytes -= size;
    }
    Ok(buffers)
}

/// Input number `index` of a length: they follow one another through the data, and start again. An input
/// longer than a buffer is several slices.
fn input<T: Element>(data: &[wgpu::Buffer], len: u64, index: u64) -> Vec<GpuSlice<T>> {
    let buffer_items = data[0].size() / 4;
    if len > buffer_items {
        let buffers = usize::try_from(len.div_ceil(buffer_items)).expect("few");
        return data[..buffers].iter().map(GpuSlice::whole).collect();
    }
    // Each begins at the same alignment.
    let stride = len.next_multiple_of(64);
    let per_buffer = buffer_items / stride;
    let index = index % (per_buffer * data.len() as u64);
    let buffer = usize::try_from(index / per_buffer).expect("few");
    let begin = index % per_buffer * stride;
    vec![GpuSlice::whole(&data[buffer]).slice(begin..begin + len).expect("within")]
}

fn row<T: Element, Op: Operator<T>>(
    reducer: &Reducer<T, Op>,
    data: &[wgpu::Buffer],
    len: u64,
    offset: u64,
) -> Result<(), Box<dyn std::error::Error>> {
    let context = reducer.context();
    let outputs = GpuSlice::whole(&context.device().create_buffer(&wgpu::BufferDescriptor {
        label: Some("results"),
        size: 4,
        usage: wgpu::BufferUsages::STORAGE,
        mapped_at_creation: false,
    }));
    let prepare = |index| {
        let mut input = input::<T>(data, len + offset, index);
        input[0] = input[0].slice(offset..input[0].len()).expect("within");
        reducer.prepare(input, &outputs)
    };
    let plan = prepare(0)?.plan().to_string();

    let timer = DeviceTimer::new(context)?.ok_or("the device has no timestamps")?;
    let encoder =
        || context.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let mut times = Vec::new();
    for index in 0..(WARM_UPS + SAMPLES) as u64 {
        let prepared = prepare(index)?;
        let mut encoder = encoder();
        prepared.record_timed(&mut encoder, timer.timestamp_writes());
        let readback = timer.record_readback(&mut encoder)?;
        context.queue().submit([encoder.finish()]);
        times.extend(readback.wait_blocking()?);
    }
    let single = median(&mut times[WARM_UPS..]);

    // From before the first of the batch to after the last.
    let prepared_batch =
        (0..BATCH).map(|index| prepare(index.into())).collect::<Result<Vec<_>, _>>()?;
    let mut times = Vec::new();
    for _ in 0..5 {
        let mut encoder = encoder();
        for (index, prepared) in prepared_batch.iter().enumerate() {
            let mut writes = timer.timestamp_writes();
            if index == 0 {
                writes.end_of_pass_write_index = None;
            } else {
                writes.beginning_of_pass_write_index = None;
            }
            if index == 0 || index + 1 == prepared_batch.len() {
                prepared.record_timed(&mut encoder, writes);
            } else {
                prepared.record(&mut encoder);
            }
        }
        let readback = timer.record_readback(&mut encoder)?;
        context.queue().submit([encoder.finish()]);
        times.extend(readback.wait_blocking()?);
    }
    let batch = median(&mut times) / BATCH;
    println!(
        "{:>4} {:7} {:>12} {offset:>6} {:>10.2} {:>10.2} {:>9.1}  {plan}",
        T::TYPE,
        Op::TYPE,
        length(len),
        single.as_secs_f64() * 1e6,
        batch.as_secs_f64() * 1e6,
        (len * T::TYPE.size_bytes()) as f64 / single.as_secs_f64() / 1e9,
    );
    Ok(())
}

/// A length as people read it.
fn length(len: u64) -> String {
    match len.ilog2() {
        log2 if len == 1 << log2 => format!("2^{log2}"),
        log2 if len == (1 << log2) + 1 => format!("2^{log2} + 1"),
        _ => len.to_string(),
    }
}

fn host_row(
    context: &Context,
    data: &[wgpu::Buffer],
    log2_len: u32,
) -> Result<(), Box<dyn std::error::Error>> {
    let reducer = Reducer::<f32, Sum>::new(context);
    let mut times = Vec::new();
    for index in 0..HOST_SAMPLES as u64 {
        let input = input::<f32>(data, 1 << log2_len, index);
        let begin = Instant::now();
        std::hint::black_box(reducer.reduce_blocking(input)?);
        times.push(begin.elapsed());
    }
    let wall = median(&mut times).as_secs_f64() * 1e6;
    println!("f32 sum of 2^{log2_len} to a value on the host: {wall:.1} us");
    Ok(())
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
