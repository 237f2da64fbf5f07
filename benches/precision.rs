//! What reproducible and exact f32 sums cost: device time beside the same kernel with the device's plain additions,
//! on data that is kind to them and data that is not.
//!
//! `cargo bench --bench precision -- [ADAPTER [LOG2_LENGTH]]`, where ADAPTER is as for `gridfold --adapter` (the
//! default is the best GPU), and LOG2_LENGTH restricts it to one length. Each number is the median of 31
//! passes after 3 to warm up; the contenders take turns, and inputs rotate, so that caches serve no repeats.

mod common;

use common::{input, length, median, mix, uniform, upload, warm_up};
use gridfold::{Context, DeviceTimer, Executor, GpuSlice, Precision, Reducer, Strategy, Sum, wgpu};
use std::time::Duration;

const FIRST_WARM_UP: Duration = Duration::from_secs(20);
const WARM_UP: Duration = Duration::from_secs(1);
const WARM_UPS: usize = 3;
const SAMPLES: usize = 31;

/// Makes an element of its number.
type Make = fn(u32) -> f32;

const DATA: [(&str, Make); 7] = [
    ("uniform", uniform),
    ("normal", normal),
    ("one subnormal in 4096", |number| outlier(number, 1e-40)),
    ("one infinity in 4096", |number| outlier(number, f32::INFINITY)),
    ("80 binades", |number| {
        let bits = mix(number);
        f32::from_bits((bits & 0x807f_ffff) | ((87 + (bits >> 23 & 0xff) % 80) << 23))
    }),
    ("200 binades", |number| {
        let bits = mix(number);
        f32::from_bits((bits & 0x807f_ffff) | ((27 + (bits >> 23 & 0xff) % 200) << 23))
    }),
    ("random bits", |number| f32::from_bits(mix(number))),
];

/// By Box and Muller.
fn normal(number: u32) -> f32 {
    let radius = (-2.0 * (1.0 - uniform(number)).ln()).sqrt();
    radius * (std::f32::consts::TAU * uniform(!number)).cos()
}

/// Uniform, but for an element in 4096.
fn outlier(number: u32, value: f32) -> f32 {
    if number % 4096 == mix(number / 4096) % 4096 { value } else { uniform(number) }
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

    let sum = |precision| Reducer::<f32, Sum>::new(context).precision(precision);
    let contenders = [
        ("plain", sum(Precision::Unordered).strategy(Strategy::TwoPass)),
        ("reproducible", sum(Precision::Reproducible)),
        ("exact", sum(Precision::Exact)),
    ];
    print!("{:22} {:>8}", "data", "elements");
    for (name, _) in &contenders {
        print!(" {name:>13} us");
    }
    println!(" {:>13} {:>13}", "plain / repr.", "repr. / exact");
    for (index, (what, make)) in DATA.into_iter().enumerate() {
        let data = upload(context, data_items, make)?;
        if is_gpu {
            warm_up(context, &data, if index == 0 { FIRST_WARM_UP } else { WARM_UP })?;
        }
        for &log2_len in logs.iter().filter(|&&log2| only_log2_len.is_none_or(|only| log2 == only))
        {
            let len = 1 << log2_len;
            let reducers = contenders.each_ref().map(|(_, reducer)| reducer);
            let times = medians(context, &reducers, &data, len)?;
            print!("{what:22} {:>8}", length(len));
            for time in &times {
                print!(" {:>16.2}", time.as_secs_f64() * 1e6);
            }
            let ratio = |a: Duration, b: Duration| a.as_secs_f64() / b.as_secs_f64();
            println!(" {:>13.3} {:>13.3}", ratio(times[0], times[1]), ratio(times[1], times[2]));
        }
    }
    Ok(())
}

/// The median device time of each reducer.
fn medians(
    context: &Context,
    reducers: &[&Reducer<f32, Sum>],
    data: &[wgpu::Buffer],
    len: u64,
) -> Result<Vec<Duration>, Box<dyn std::error::Error>> {
    let output = GpuSlice::whole(&context.device().create_buffer(&wgpu::BufferDescriptor {
        label: Some("results"),
        size: 4,
        usage: wgpu::BufferUsages::STORAGE,
        mapped_at_creation: false,
    }));
    let timer = DeviceTimer::new(context)?.ok_or("the device has no timestamps")?;
    let mut times = vec![Vec::new(); reducers.len()];
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
