//! Device time of gridfold's reductions, as lines of JSON, for `cargo xtask nvidia`, which sets them beside those of CUB,
//! PyTorch and JAX. README.md beside this file says what is in them and how each time is measured.
//!
//! `cargo bench --bench nvidia -- [ADAPTER [LOG2_LENGTHS]]`, where ADAPTER is as for `gridfold --adapter` (the default is the
//! best GPU), and LOG2_LENGTHS are numbers with commas between them.

#[expect(dead_code, reason = "other benches use the rest")]
#[path = "../common/mod.rs"]
mod common;

use common::{input, keep_busy, median, mix, uniform, upload};
use gridfold::{
    Any, ArgMax, Bool, BriefMoments, Context, Count, CustomOperator, DeviceTimer, Dot, Element,
    ElementType, Executor, GpuSlice, Map, Max, Mean, Min, MinMax, Moments, Norm, Operator,
    Precision, PrepareError, Prepared, Reducer, Sum, SumOfSquares, Variance,
    half::{bf16, f16},
    wgpu,
};
use serde_json::{Value, json};
use std::{
    cell::Cell,
    error::Error,
    time::{Duration, Instant},
};

const LONGEST: u32 = 30;
/// The other input of dot products.
const LONGEST_OF_TWO: u32 = 28;
const WARM_UPS: usize = 3;
const SAMPLES: usize = 21;
const BATCH: u32 = 20;
const BATCH_SAMPLES: usize = 5;
const HOST_LOG2_LENGTHS: [u32; 3] = [10, 20, 24];
/// Of rows that only tell operators and element types apart.
const FEW_LOG2_LENGTHS: [u32; 3] = [20, 24, 28];
const HOST_WARM_UPS: usize = 20;
/// Of a result at most.
const OUTPUT_BYTES: u64 = 128;

fn main() -> Result<(), Box<dyn Error>> {
    // cargo passes `--bench`.
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let executor = Executor::with_adapter(arguments.next().as_deref().unwrap_or("auto"))?;
    let Some(context) = executor.context() else {
        return Err("no GPU found: name a software driver, for example vulkan/llvmpipe".into());
    };
    let info = context.device().adapter_info();
    let is_gpu = info.device_type != wgpu::DeviceType::Cpu;
    let logs = match arguments.next() {
        Some(list) => parse(&list)?,
        None if is_gpu => vec![10, 12, 14, 16, 18, 20, 22, 24, 25, 26, 28, 29, LONGEST],
        None => vec![10, 16, 20, 22],
    };
    line(&json!({
        "program": "gridfold",
        "version": format!("gridfold {}, {}", env!("CARGO_PKG_VERSION"), context.adapter()),
        "device": info.name,
    }));

    // Beyond any cache; less where a CPU does the work.
    let longest = if is_gpu { LONGEST } else { logs.iter().copied().max().unwrap_or(0) };
    let longest_of_two = longest.min(LONGEST_OF_TWO);
    let bench = Bench {
        context,
        is_gpu,
        data: upload(context, 1 << longest, uniform)?,
        other: upload(context, 1 << longest_of_two, |number| uniform((1 << LONGEST) + number))?,
        halves: upload(context, 1 << (longest_of_two - 1), |number| {
            // Of f16s from 1.75 to 1.87, of bf16s from 0.5 to 1.
            f32::from_bits(0x3f00_3f00 | number.wrapping_mul(0x9e37_79b1) >> 9 & 0x007f_007f)
        })?,
        doubles: upload(context, 1 << (longest_of_two + 1), word_of_double)?,
        timer: DeviceTimer::new(context)?.ok_or("the device has no timestamps")?,
    };
    let sum = Reducer::<f32, _>::new(context, Sum);
    for &log2_len in &logs {
        bench.row("sum", "reproducible", log2_len, &sum)?;
        bench.row("sum", "unordered", log2_len, &sum.clone().precision(Precision::Unordered))?;
        bench.row("sum", "exact", log2_len, &sum.clone().precision(Precision::Exact))?;
        bench.row("sum", "", log2_len, &Reducer::<u32, _>::new(context, Sum))?;
        bench.row("max", "", log2_len, &Reducer::<f32, _>::new(context, Max))?;
        bench.row("min", "", log2_len, &Reducer::<i32, _>::new(context, Min))?;
        bench.row("max", "", log2_len, &Reducer::<u32, _>::new(context, Max))?;
        bench.row("arg_max", "", log2_len, &Reducer::<f32, _>::new(context, ArgMax))?;
        bench.row("min_max", "", log2_len, &Reducer::<f32, _>::new(context, MinMax))?;
        let squares = sum.clone().map(&Map::new("x * x")?)?;
        bench.row("sum of x * x, an expression", "reproducible", log2_len, &squares)?;
        for (mode, precision) in
            [("reproducible", Precision::Reproducible), ("exact", Precision::Exact)]
        {
            let mean = Reducer::<f32, _>::new(context, Mean).precision(precision);
            bench.row("mean", mode, log2_len, &mean)?;
            let norm = Reducer::<f32, _>::new(context, Norm).precision(precision);
            bench.row("norm", mode, log2_len, &norm)?;
            let variance = Reducer::<f32, _>::new(context, Variance).precision(precision);
            bench.row("variance", mode, log2_len, &variance)?;
            let dot = Reducer::<(f32, f32), _>::new(context, Dot).precision(precision);
            if log2_len <= longest_of_two {
                let len = 1 << log2_len;
                bench.measure(("dot", ElementType::F32), mode, log2_len, |number, output| {
                    let pair = (input(&bench.data, len, number), input(&bench.other, len, number));
                    dot.prepare(pair, output)
                })?;
                let squares = Reducer::<f32, _>::new(context, SumOfSquares).precision(precision);
                bench.row("sum of squares", mode, log2_len, &squares)?;
            }
        }
    }
    // The same way as a user's operator, in a kernel that keeps wgpu's checks and loop counters.
    let own_sum = CustomOperator::<u32, u32>::commutative(
        "fn identity() -> u32 { return 0u; }
         fn combine(a: u32, b: u32) -> u32 { return a + b; }",
    )?;
    for &log2_len in logs.iter().filter(|log2_len| FEW_LOG2_LENGTHS.contains(log2_len)) {
        bench.row("min", "", log2_len, &Reducer::<f32, _>::new(context, Min))?;
        bench.row("sum", "", log2_len, &Reducer::<i32, _>::new(context, Sum))?;
        bench.row("count", "", log2_len, &Reducer::<f32, _>::new(context, Count))?;
        bench.row("any", "", log2_len, &Reducer::<f32, _>::new(context, Any))?;
        bench.row(
            "moments",
            "reproducible",
            log2_len,
            &Reducer::<f32, _>::new(context, Moments),
        )?;
        let brief = Reducer::<f32, _>::new(context, BriefMoments);
        bench.row("brief moments", "reproducible", log2_len, &brief)?;
        let own = Reducer::new(context, own_sum.clone());
        bench.measure(
            ("sum, an operator of a user's own", ElementType::U32),
            "",
            log2_len,
            |number, output| own.prepare(input(&bench.data, 1 << log2_len, number), output),
        )?;
    }
    // Elements of other sizes.
    for &log2_len in logs.iter().filter(|&&log2_len| log2_len <= LONGEST_OF_TWO) {
        bench.row("sum", "reproducible", log2_len, &Reducer::<f64, _>::new(context, Sum))?;
        let exact = Reducer::<f64, _>::new(context, Sum).precision(Precision::Exact);
        bench.row("sum", "exact", log2_len, &exact)?;
        // Two random f32s are an f64 of any of hundreds of binades. Of numbers as most data has them an exact sum takes less time.
        for (mode, sum) in [("reproducible", &Reducer::new(context, Sum)), ("exact", &exact)] {
            bench.measure(
                ("sum of uniform numbers", ElementType::F64),
                mode,
                log2_len,
                |number, output| sum.prepare(input(&bench.doubles, 1 << log2_len, number), output),
            )?;
        }
        bench.row("sum", "", log2_len, &Reducer::<u64, _>::new(context, Sum))?;
        bench.row("max", "", log2_len, &Reducer::<u8, _>::new(context, Max))?;
        bench.row("sum", "", log2_len, &Reducer::<u8, _>::new(context, Sum))?;
        bench.row("max", "", log2_len, &Reducer::<i16, _>::new(context, Max))?;
        bench.row("sum", "reproducible", log2_len, &Reducer::<f16, _>::new(context, Sum))?;
        bench.row("sum", "reproducible", log2_len, &Reducer::<bf16, _>::new(context, Sum))?;
        bench.row("count", "", log2_len, &Reducer::<Bool, _>::new(context, Count))?;
    }
    for &log2_len in logs.iter().filter(|log2_len| HOST_LOG2_LENGTHS.contains(log2_len)) {
        bench.host_row(log2_len, &sum)?;
    }
    Ok(())
}

fn parse(list: &str) -> Result<Vec<u32>, Box<dyn Error>> {
    let parse = |text: &str| text.parse().ok().filter(|&log2_len| log2_len <= LONGEST);
    list.split(',').map(parse).collect::<Option<_>>().ok_or_else(|| {
        format!("{list}: lengths are powers of two up to 2^{LONGEST}, as `10,20`").into()
    })
}

/// A word of random f64s in [0, 1), the low one first. It is no f32, and only has the room of one.
fn word_of_double(number: u32) -> f32 {
    let bits = u64::from(mix(number | 1)) << 21 ^ u64::from(mix(number & !1));
    let double = bits as f64 / (1u64 << 53) as f64;
    let [low, high] = bytemuck::cast::<u64, [u32; 2]>(double.to_bits().to_le());
    f32::from_bits(if number & 1 == 0 { low } else { high })
}

struct Bench<'a> {
    context: &'a Context,
    is_gpu: bool,
    data: Vec<wgpu::Buffer>,
    other: Vec<wgpu::Buffer>,
    /// Whose halves are floats of 16 bits, too.
    halves: Vec<wgpu::Buffer>,
    /// f64s in [0, 1).
    doubles: Vec<wgpu::Buffer>,
    timer: DeviceTimer,
}

impl Bench<'_> {
    fn row<T: Element, Op: Operator<T>>(
        &self,
        op: &str,
        mode: &str,
        log2_len: u32,
        reducer: &Reducer<T, Op>,
    ) -> Result<(), Box<dyn Error>> {
        self.measure((op, T::TYPE), mode, log2_len, |number, output| {
            let is_half = matches!(T::TYPE, ElementType::F16 | ElementType::BF16);
            let data = if is_half { &self.halves } else { &self.data };
            reducer.prepare(input::<T>(data, 1 << log2_len, number), output)
        })
    }

    /// Of reductions that `prepare` makes of an input's number and an output.
    fn measure<Out: bytemuck::Pod, R>(
        &self,
        (op, element): (&str, ElementType),
        mode: &str,
        log2_len: u32,
        prepare: impl Fn(u64, &GpuSlice<Out>) -> Result<Prepared<R>, PrepareError>,
    ) -> Result<(), Box<dyn Error>> {
        let output = self.buffer(wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC);
        let output_slice = GpuSlice::new(&output, 0, 1)?;
        let number = Cell::new(0);
        let next = || prepare(number.replace(number.get() + 1), &output_slice);
        // What this compiles comes before: the GPU waits for it.
        let value = self.value::<Out, R>(element, &prepare(0, &output_slice)?, &output)?;
        keep_busy(self.context, &self.data)?;

        let mut single = Vec::new();
        for _ in 0..WARM_UPS + SAMPLES {
            let prepared = next()?;
            single.extend(self.time(|pass| prepared.record_in(pass))?);
        }
        let mut batches = Vec::new();
        for _ in 0..BATCH_SAMPLES {
            let batch = (0..BATCH).map(|_| next()).collect::<Result<Vec<_>, _>>()?;
            batches.extend(self.time(|pass| {
                batch.iter().for_each(|prepared| prepared.record_in(pass));
            })?);
        }
        if single.len() < WARM_UPS + SAMPLES || batches.len() < BATCH_SAMPLES {
            return Err(format!("{op} of 2^{log2_len}: the timestamps do not increase").into());
        }
        line(&json!({
            "program": "gridfold",
            "op": op,
            "type": element.to_string(),
            "mode": mode,
            "log2_len": log2_len,
            "us": microseconds(median(&mut single[WARM_UPS..])),
            "us_batch": microseconds(median(&mut batches) / BATCH),
            "value": value,
        }));
        Ok(())
    }

    /// Between timestamps before and after a pass.
    fn time(
        &self,
        record: impl FnOnce(&mut wgpu::ComputePass<'_>),
    ) -> Result<Option<Duration>, Box<dyn Error>> {
        let mut encoder = self.encoder();
        record(&mut encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("timed"),
            timestamp_writes: Some(self.timer.timestamp_writes()),
        }));
        let readback = self.timer.record_readback(&mut encoder)?;
        self.context.queue().submit([encoder.finish()]);
        Ok(readback.wait_blocking()?)
    }

    /// What it computes, for a comparison with what the others do.
    fn value<Out, R>(
        &self,
        element: ElementType,
        prepared: &Prepared<R>,
        output: &wgpu::Buffer,
    ) -> Result<f64, Box<dyn Error>> {
        let staging = self.buffer(wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST);
        let mut encoder = self.encoder();
        prepared.record(&mut encoder);
        encoder.copy_buffer_to_buffer(output, 0, &staging, 0, OUTPUT_BYTES);
        encoder.map_buffer_on_submit(&staging, wgpu::MapMode::Read, .., |_| ());
        self.context.queue().submit([encoder.finish()]);
        self.context.device().poll(wgpu::PollType::wait_indefinitely())?;
        let bytes = staging.get_mapped_range(..)?;
        let [low, high] = bytemuck::pod_read_unaligned::<[u32; 2]>(&bytes[..8]);
        let bits = u64::from(high) << 32 | u64::from(low);
        Ok(match (element, size_of::<Out>()) {
            (ElementType::F64, 8) => f64::from_bits(bits),
            (ElementType::F32 | ElementType::F16 | ElementType::BF16, 4) => {
                f32::from_bits(low).into()
            }
            (_, 4) => low.into(),
            _ => bits as f64,
        })
    }

    /// By the clock on the wall, from the call until the value is on the host.
    fn host_row(&self, log2_len: u32, sum: &Reducer<f32, Sum>) -> Result<(), Box<dyn Error>> {
        let samples = if self.is_gpu { 200 } else { 60 };
        keep_busy(self.context, &self.data)?;
        let mut times = Vec::new();
        for number in 0..HOST_WARM_UPS + samples {
            let input = input::<f32>(&self.data, 1 << log2_len, number as u64);
            let begin = Instant::now();
            std::hint::black_box(sum.reduce_blocking(input)?);
            times.push(begin.elapsed());
        }
        line(&json!({
            "program": "gridfold",
            "op": "sum",
            "type": "f32",
            "mode": "reproducible",
            "log2_len": log2_len,
            "us_host": microseconds(median(&mut times[HOST_WARM_UPS..])),
        }));
        Ok(())
    }

    fn encoder(&self) -> wgpu::CommandEncoder {
        self.context.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default())
    }

    fn buffer(&self, usage: wgpu::BufferUsages) -> wgpu::Buffer {
        self.context.device().create_buffer(&wgpu::BufferDescriptor {
            label: Some("nvidia"),
            size: OUTPUT_BYTES,
            usage,
            mapped_at_creation: false,
        })
    }
}

/// To the nanosecond.
fn microseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e9).round() / 1e3
}

fn line(object: &Value) {
    println!("{object}");
}
