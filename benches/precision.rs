//! What reproducible and exact f32 sums cost: device time beside the same kernel with the device's plain additions,
//! on data that is kind to them and data that is not, in µs; and of exact statistics, beside a copy.
//!
//! `cargo bench --bench precision -- [ADAPTER [LOG2_LENGTH]]`, where ADAPTER is as for `gridfold --adapter` (the
//! default is the best GPU), and LOG2_LENGTH restricts it to one length. Each number is the median of 31
//! passes after 3 to warm up; the contenders take turns, and inputs rotate, so that caches serve no repeats.

#[expect(dead_code, reason = "other benches use the rest")]
mod common;

use common::{
    Batch, SAMPLES, WARM_UPS, device_time, device_time_in_a_batch, input, keep_busy, length,
    median, mix, uniform, upload, warm_up,
};
use gridfold::{
    Context, DeviceTimer, Dot, Executor, GpuSlice, Items, Mean, Norm, Operator, Policy, Precision,
    Reducer, Strategy, Sum, SumOfSquares, Variance, wgpu,
};
use std::time::Duration;

/// Before the first row: a GPU lowers its clocks when it has little to do.
const FIRST_WARM_UP: Duration = Duration::from_secs(5);

/// Makes an element of its number.
type Make = fn(u32) -> f32;

const DATA: [(&str, Make); 11] = [
    ("uniform", uniform),
    ("normal", normal),
    // What a workgroup does over, if it is not sure of the device's arithmetic, is a round of 4096 elements.
    ("one subnormal in 2^12", |number| outlier(number, 12, 1e-40)),
    // A subgroup makes a tile of 512 elements again: this is one in a thousand tiles.
    ("one subnormal in 2^19", |number| outlier(number, 19, 1e-40)),
    ("one subnormal in 2^22", |number| outlier(number, 22, 1e-40)),
    ("one infinity in 2^12", |number| outlier(number, 12, f32::INFINITY)),
    ("one infinity in 2^22", |number| outlier(number, 22, f32::INFINITY)),
    ("80 binades", |number| binades(number, 87, 80)),
    ("200 binades", |number| binades(number, 27, 200)),
    ("random finite bits", |number| f32::from_bits(finite(mix(number)))),
    ("random bits", |number| f32::from_bits(mix(number))),
];

/// With an exponent field from `first` on.
fn binades(number: u32, first: u32, binades: u32) -> f32 {
    let bits = mix(number);
    f32::from_bits((bits & 0x807f_ffff) | ((first + mix(bits) % binades) << 23))
}

/// The same bits, but for infinities and NaNs.
fn finite(bits: u32) -> u32 {
    let is_finite = bits & 0x7f80_0000 != 0x7f80_0000;
    if is_finite { bits } else { bits ^ 0x4000_0000 }
}

/// By Box and Muller.
fn normal(number: u32) -> f32 {
    let radius = (-2.0 * (1.0 - uniform(number)).ln()).sqrt();
    radius * (std::f32::consts::TAU * uniform(!number)).cos()
}

/// Uniform, but for one of 2^`log2_items` elements.
fn outlier(number: u32, log2_items: u32, value: f32) -> f32 {
    let items = 1 << log2_items;
    let is_outlier = number % items == mix(number / items) % items;
    if is_outlier { value } else { uniform(number) }
}

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
    let logs: &[u32] = if is_gpu { &[10, 16, 18, 20, 22, 24, 26, 28] } else { &[10, 16, 20, 22] };
    let data_items = 1 << only_log2_len.unwrap_or(0).max(if is_gpu { 28 } else { 22 });

    let sum = |precision| Reducer::<f32, _>::new(context, Sum).precision(precision);
    let contenders = [
        ("plain", sum(Precision::Unordered).strategy(Strategy::TwoPass)),
        ("reproducible", sum(Precision::Reproducible)),
        ("exact", sum(Precision::Exact)),
    ];
    print!("{:24} {:>8}", "data", "elements");
    for (name, _) in &contenders {
        print!(" {name:>13}");
    }
    println!(" {:>13} {:>13}", "plain / repr.", "repr. / exact");
    let logs: Vec<u32> = logs
        .iter()
        .copied()
        .filter(|&log2| only_log2_len.is_none_or(|only| log2 == only))
        .collect();
    let mut is_first = true;
    for (what, make) in DATA {
        let data = upload(context, data_items, make)?;
        for &log2_len in &logs {
            let len = 1 << log2_len;
            if is_gpu && is_first {
                warm_up(context, &data, FIRST_WARM_UP)?;
            }
            is_first = false;
            let reducers = contenders.each_ref().map(|(_, reducer)| reducer);
            let times = medians(context, &reducers, &data, len)?;
            print!("{what:24} {:>8}", length(len));
            for time in &times {
                print!(" {:>13.2}", microseconds(*time));
            }
            let ratio = |a: Duration, b: Duration| a.as_secs_f64() / b.as_secs_f64();
            println!(" {:>13.3} {:>13.3}", ratio(times[0], times[1]), ratio(times[1], times[2]));
        }
    }
    println!("policies of exact sums, of normal data");
    let data = upload(context, data_items, normal)?;
    for (min_rows, max_workgroups) in [(4, 2048), (8, 1024), (8, 2048), (16, 2048)] {
        let sum = sum(Precision::Exact).policy(Policy { min_rows, max_workgroups });
        print!("{:24} {:>8}", format!("{min_rows}, {max_workgroups}"), "");
        for &log2_len in &logs {
            let time = median_of(&sum, &data, 1 << log2_len)?;
            print!(" {}: {:.2}", length(1 << log2_len), microseconds(time));
        }
        println!();
    }
    drop(data);
    let data = upload(context, data_items, uniform)?;
    println!(
        "sums of uniform data, one by one, and 20 in one submit for each, as passes and in one pass"
    );
    println!("{:16} {:>8} {:>13} {:>13} {:>13}", "", "elements", "us", "passes", "one pass");
    for &log2_len in &logs {
        for (name, reducer) in &contenders[1..] {
            let len = 1 << log2_len;
            let output = output(context);
            let prepare = |index| Ok(reducer.prepare(input::<f32>(&data, len, index), &output)?);
            let single = microseconds(device_time(context, &data, prepare)?);
            let passes = microseconds(device_time_in_a_batch(context, Batch::Passes, prepare)?);
            let one_pass = microseconds(device_time_in_a_batch(context, Batch::OnePass, prepare)?);
            println!("{name:16} {:>8} {single:>13.2} {passes:>13.2} {one_pass:>13.2}", length(len));
        }
    }
    println!("exact statistics, of uniform data; a copy of as many bytes as are read");
    println!("{:16} {:>8} {:>13} {:>10} {:>13}", "", "elements", "us", "GB/s", "of the copy's");
    for &log2_len in logs.iter().filter(|&&log2| log2 >= 20) {
        keep_busy(context, &data)?;
        relatives(context, &data, 1 << log2_len)?;
    }
    Ok(())
}

fn microseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// Rows of exact statistics, and of the copy.
fn relatives(
    context: &Context,
    data: &[wgpu::Buffer],
    len: u64,
) -> Result<(), Box<dyn std::error::Error>> {
    let copy = copy_bandwidth(context, len)?;
    let row = |what: &str, bytes: u64, time: Duration| {
        let bandwidth = bytes as f64 / time.as_secs_f64();
        println!(
            "{what:16} {:>8} {:>13.2} {:>10.1} {:>13.3}",
            length(len),
            microseconds(time),
            bandwidth / 1e9,
            bandwidth / copy
        );
    };
    println!("{:16} {:>8} {:>13} {:>10.1}", "copy", length(len), "", copy / 1e9);
    row("mean", len * 4, median_of(&exactly(context, Mean), data, len)?);
    row("sum_of_squares", len * 4, median_of(&exactly(context, SumOfSquares), data, len)?);
    row("norm", len * 4, median_of(&exactly(context, Norm), data, len)?);
    let other = upload(context, len.max(1 << 20), normal)?;
    let (dot, output) = (exactly::<(f32, f32), _>(context, Dot), output(context));
    let pairs =
        |index| Ok(dot.prepare((input(data, len, index), input(&other, len, index)), &output)?);
    row("dot", len * 8, device_time(context, data, pairs)?);
    drop(other);
    row("variance", len * 4, median_of(&exactly(context, Variance), data, len)?);
    Ok(())
}

fn exactly<I: Items, Op: Operator<I>>(context: &Context, op: Op) -> Reducer<I, Op> {
    Reducer::new(context, op).precision(Precision::Exact)
}

fn median_of<Op: Operator<f32, Out = f32>>(
    reducer: &Reducer<f32, Op>,
    data: &[wgpu::Buffer],
    len: u64,
) -> Result<Duration, Box<dyn std::error::Error>> {
    Ok(medians(reducer.context(), &[reducer], data, len)?[0])
}

/// Where results go.
fn output(context: &Context) -> GpuSlice<f32> {
    GpuSlice::whole(&context.device().create_buffer(&wgpu::BufferDescriptor {
        label: Some("results"),
        size: 4,
        usage: wgpu::BufferUsages::STORAGE,
        mapped_at_creation: false,
    }))
}

/// Bytes read and written in a second by a copy of half of `len` words, which moves as many bytes as a reduction of
/// `len` reads.
fn copy_bandwidth(context: &Context, len: u64) -> Result<f64, Box<dyn std::error::Error>> {
    let device = context.device();
    let size = len * 2;
    let buffer = || {
        device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("copy"),
            size,
            usage: wgpu::BufferUsages::STORAGE,
            mapped_at_creation: false,
        })
    };
    let module = device.create_shader_module(wgpu::include_wgsl!("copy.wgsl"));
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some("copy"),
        layout: None,
        module: &module,
        entry_point: None,
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    let (source, target) = (buffer(), buffer());
    let bind_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("copy"),
        layout: &pipeline.get_bind_group_layout(0),
        entries: &[
            wgpu::BindGroupEntry { binding: 0, resource: source.as_entire_binding() },
            wgpu::BindGroupEntry { binding: 1, resource: target.as_entire_binding() },
        ],
    });
    // 256 invocations that copy eight vectors each.
    let workgroups = u32::try_from(size / (256 * 8 * 16))?;
    let timer = DeviceTimer::new(context)?.ok_or("the device has no timestamps")?;
    let mut times = Vec::new();
    for _ in 0..WARM_UPS + SAMPLES {
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: Some("copy"),
                timestamp_writes: Some(timer.timestamp_writes()),
            });
            pass.set_pipeline(&pipeline);
            pass.set_bind_group(0, &bind_group, &[]);
            pass.dispatch_workgroups(workgroups, 1, 1);
        }
        let readback = timer.record_readback(&mut encoder)?;
        context.queue().submit([encoder.finish()]);
        times.extend(readback.wait_blocking()?);
    }
    let time = median(&mut times[WARM_UPS..]);
    Ok((2 * size) as f64 / time.as_secs_f64())
}

/// The median device time of each reducer.
fn medians<Op: Operator<f32, Out = f32>>(
    context: &Context,
    reducers: &[&Reducer<f32, Op>],
    data: &[wgpu::Buffer],
    len: u64,
) -> Result<Vec<Duration>, Box<dyn std::error::Error>> {
    let output = output(context);
    let timer = DeviceTimer::new(context)?.ok_or("the device has no timestamps")?;
    let mut times = vec![Vec::new(); reducers.len()];
    // What this compiles comes before: the GPU waits for it.
    for reducer in reducers {
        reducer.warm_up_blocking()?;
    }
    keep_busy(context, data)?;
    for round in 0..WARM_UPS + SAMPLES {
        for (index, reducer) in reducers.iter().enumerate() {
            let turn = round * reducers.len() + index;
            let prepared = reducer.prepare(input::<f32>(data, len, turn as u64), &output)?;
            let mut encoder =
                context.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            prepared.record_timed(&mut encoder, timer.timestamp_writes());
            let readback = timer.record_readback(&mut encoder)?;
            context.queue().submit([encoder.finish()]);
            times[index].extend(readback.wait_blocking()?);
        }
    }
    Ok(times.iter_mut().map(|times| median(&mut times[WARM_UPS..])).collect())
}
