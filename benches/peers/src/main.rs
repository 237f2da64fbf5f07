//! Device time of gridfold beside other crates that reduce on GPUs: so far lampshade, whose reductions are sums, minima
//! and maxima of u32.
//!
//! `cargo run --release --manifest-path benches/peers/Cargo.toml -- [ADAPTER]`, where ADAPTER is as for
//! `gridfold --adapter` (the default is the best GPU).
//!
//! Both reduce slices of the same buffers on one device. In each round both do so once, each in a submit of its own, and
//! they take turns at being first. Inputs rotate through the data, so that caches serve few repeats. Both are recorded
//! into an encoder that writes a timestamp before and after: lampshade opens a pass for each of its steps. A device
//! that can't do that is timed by the clock on the wall, from the submit until it is done. Each result is compared with
//! the CPU's.
//!
//! Of lampshade this is the typed recorder, whose scratch memory is reserved beforehand. Creating its bind groups, which it
//! does while it records, is not timed.

mod numbers;

use gridfold::{Context, Executor, GpuSlice, Max, Min, Operator, Reducer, Requirements, Sum, wgpu};
use lampshade::{
    U32Reduction,
    pipeline::{self, Primitives, WorkspaceRequirements},
};
use numbers::Expected;
use std::{
    error::Error,
    ops::Range,
    time::{Duration, Instant},
};

/// The data: for an input of the largest length there are two places, so that those alternate.
const BUFFERS: u32 = 2;
/// Before each row: a GPU lowers its clocks when it has little to do.
const BUSY: Duration = Duration::from_millis(300);
const WARM_UP_ROUNDS: u64 = 3;
/// As many rounds as there is time for, within limits: medians of few are noise.
const ROUNDS: Range<u64> = 31..201;
const ROW_TIME: Duration = Duration::from_secs(2);
/// After this, fewer rounds have to do.
const LONG_ROW_TIME: Duration = Duration::from_secs(6);
const FEWEST_ROUNDS: u64 = 7;

fn main() -> Result<(), Box<dyn Error>> {
    let selector = std::env::args().nth(1);
    let bench = Bench::new(selector.as_deref().unwrap_or("auto"))?;
    println!("{}", bench.context.adapter());
    println!(
        "ratio: lampshade's time to gridfold's, of medians and of the fastest; us: {}",
        match bench.timestamps {
            Some(_) => "device time, between timestamps of the encoder",
            None => "wall clock, from submit until done",
        }
    );
    println!(
        "{:3} {:>8} {:>12} {:>12} {:>7} {:>8} {:>14} {:>14} {:>7}  gridfold's plan",
        "op",
        "elements",
        "gridfold us",
        "lampshade us",
        "ratio",
        "fastest",
        "gridfold GB/s",
        "lampshade GB/s",
        "rounds"
    );
    let logs: &[u32] = if bench.is_gpu {
        &[10, 12, 14, 16, 18, 20, 22, 24, 25, 26, 27, 28]
    } else {
        &[10, 12, 14, 16, 18, 20, 22, 24, 25]
    };
    for &log2_len in logs.iter().filter(|&&log2_len| 1 << log2_len <= bench.buffer_items) {
        let len = 1 << log2_len;
        let expected = bench.expected(len);
        bench.row::<Sum>(len, U32Reduction::Sum, &|index| expected[index].sum)?;
        bench.row::<Min>(len, U32Reduction::Min, &|index| expected[index].min)?;
        bench.row::<Max>(len, U32Reduction::Max, &|index| expected[index].max)?;
    }
    Ok(())
}

struct Bench {
    context: Context,
    info: wgpu::AdapterInfo,
    is_gpu: bool,
    data: Vec<wgpu::Buffer>,
    buffer_items: u32,
    timestamps: Option<Timestamps>,
    staging: wgpu::Buffer,
}

struct Timestamps {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
}

/// Of the two timestamps, before the result in the staging buffer.
const TIMESTAMPS_BYTES: u64 = 16;

impl Bench {
    fn new(selector: &str) -> Result<Self, Box<dyn Error>> {
        // The executor knows what selectors mean, but its device writes no timestamps in encoders.
        let name = Executor::with_adapter(selector)?.name();
        let adapters = Executor::adapters();
        let Some(listed) = adapters.iter().find(|listed| *listed.name() == name) else {
            return Err("no GPU found: name a software driver, for example vulkan/llvmpipe".into());
        };
        let adapter = listed.adapter();
        let timing =
            wgpu::Features::TIMESTAMP_QUERY | wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS;
        let can_time = adapter.features().contains(timing);
        let requirements = Requirements::of(adapter);
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("peers"),
            required_features: requirements.features(if can_time {
                timing
            } else {
                wgpu::Features::empty()
            }),
            required_limits: requirements.limits(wgpu::Limits::downlevel_defaults()),
            ..Default::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))?;
        let context = Context::new_blocking(&device, &queue)?;

        let info = adapter.get_info();
        let is_gpu = info.device_type != wgpu::DeviceType::Cpu;
        let limits = device.limits();
        let most_items = limits.max_buffer_size.min(limits.max_storage_buffer_binding_size) / 4;
        let buffer_items = 1 << most_items.ilog2().min(if is_gpu { 28 } else { 25 });
        let data = (0..BUFFERS)
            .map(|index| upload(&context, buffer_items, index * buffer_items))
            .collect::<Result<_, _>>()?;
        let timestamps = can_time.then(|| Timestamps {
            queries: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("timestamps"),
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            }),
            resolved: buffer(
                &device,
                TIMESTAMPS_BYTES,
                wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
            ),
        });
        let usage = wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ;
        let staging = buffer(&device, TIMESTAMPS_BYTES + 4, usage);
        Ok(Self { context, info, is_gpu, data, buffer_items, timestamps, staging })
    }

    /// The buffer of input number `index`, and the elements in it. Inputs follow one another through the data, and
    /// start again.
    fn input(&self, len: u32, index: usize) -> (&wgpu::Buffer, Range<u32>) {
        let per_buffer = (self.buffer_items / len) as usize;
        let begin = (index % per_buffer) as u32 * len;
        (&self.data[index / per_buffer % self.data.len()], begin..begin + len)
    }

    /// How many inputs a row uses.
    fn inputs(&self, len: u32) -> usize {
        let places = self.buffer_items / len * BUFFERS;
        places.min(2 * (WARM_UP_ROUNDS + ROUNDS.end) as u32) as usize
    }

    /// What the CPU makes of these.
    fn expected(&self, len: u32) -> Vec<Expected> {
        let number = |index| index as u32 * len;
        (0..self.inputs(len))
            .map(|index| Expected::of(number(index)..number(index) + len))
            .collect()
    }

    fn row<Op: Operator<u32>>(
        &self,
        len: u32,
        operation: U32Reduction,
        expected: &dyn Fn(usize) -> u32,
    ) -> Result<(), Box<dyn Error>> {
        let device = self.context.device();
        // lampshade clears outputs of empty inputs.
        let usage = wgpu::BufferUsages::STORAGE
            | wgpu::BufferUsages::COPY_DST
            | wgpu::BufferUsages::COPY_SRC;
        let output = buffer(device, 4, usage);
        let view = GpuSlice::whole(&output);
        let reducer = Reducer::<u32, Op>::new(&self.context);
        let prepared = (0..self.inputs(len))
            .map(|index| {
                let (buffer, Range { start, end }) = self.input(len, index);
                let input = GpuSlice::whole(buffer).slice(start.into()..end.into());
                Ok(reducer.prepare(input?, &view)?)
            })
            .collect::<Result<Vec<_>, Box<dyn Error>>>()?;
        let mut primitives = Primitives::new_for_adapter(device, self.context.queue(), &self.info);
        primitives.reserve_workspace(WorkspaceRequirements::new(len).fixed_reduce())?;

        let by_gridfold = |index: usize| {
            let record = |encoder: &mut wgpu::CommandEncoder| {
                prepared[index].record(encoder);
                Ok(())
            };
            self.sample(record, &output, expected(index))
        };
        let mut by_lampshade = |index: usize| {
            let record = |encoder: &mut wgpu::CommandEncoder| {
                let (buffer, range) = self.input(len, index);
                let input = pipeline::GpuSlice::from_range(buffer, range)?;
                let output = pipeline::GpuSliceMut::from_range(&output, 0..1)?;
                Ok(primitives.record(encoder).reduce(input, output, operation)?)
            };
            self.sample(record, &output, expected(index))
        };
        if self.is_gpu {
            self.keep_busy()?;
        }
        let mut times = [Vec::new(), Vec::new()];
        let mut begin = Instant::now();
        for round in 0..WARM_UP_ROUNDS + ROUNDS.end {
            let first = 2 * round as usize % prepared.len();
            let second = (first + 1) % prepared.len();
            let (gridfold, lampshade) = if round % 2 == 0 {
                let gridfold = by_gridfold(first)?;
                (gridfold, by_lampshade(second)?)
            } else {
                let lampshade = by_lampshade(first)?;
                (by_gridfold(second)?, lampshade)
            };
            if round < WARM_UP_ROUNDS {
                begin = Instant::now();
                continue;
            }
            times[0].push(gridfold);
            times[1].push(lampshade);
            let rounds = times[0].len() as u64;
            let is_long = |rounds_needed, time| rounds >= rounds_needed && begin.elapsed() > time;
            if is_long(ROUNDS.start, ROW_TIME) || is_long(FEWEST_ROUNDS, LONG_ROW_TIME) {
                break;
            }
        }
        let [gridfold, lampshade] = &mut times;
        gridfold.sort_unstable();
        lampshade.sort_unstable();
        let median = |times: &[Duration]| times[times.len() / 2].as_secs_f64();
        let fastest = |times: &[Duration]| times[0].as_secs_f64();
        let gb_per_s = |seconds: f64| f64::from(len) * 4.0 / seconds / 1e9;
        println!(
            "{:3} {:>8} {:>12.2} {:>12.2} {:>7.2} {:>8.2} {:>14.1} {:>14.1} {:>7}  {}",
            Op::TYPE.to_string(),
            format!("2^{}", len.ilog2()),
            median(gridfold) * 1e6,
            median(lampshade) * 1e6,
            median(lampshade) / median(gridfold),
            fastest(lampshade) / fastest(gridfold),
            gb_per_s(median(gridfold)),
            gb_per_s(median(lampshade)),
            gridfold.len(),
            prepared[0].plan(),
        );
        Ok(())
    }

    /// The time of one reduction into `output`, whose result has to be `expected`.
    fn sample(
        &self,
        record: impl FnOnce(&mut wgpu::CommandEncoder) -> Result<(), Box<dyn Error>>,
        output: &wgpu::Buffer,
        expected: u32,
    ) -> Result<Duration, Box<dyn Error>> {
        let (device, queue) = (self.context.device(), self.context.queue());
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        if let Some(Timestamps { queries, resolved }) = &self.timestamps {
            encoder.write_timestamp(queries, 0);
            record(&mut encoder)?;
            encoder.write_timestamp(queries, 1);
            encoder.resolve_query_set(queries, 0..2, resolved, 0);
            encoder.copy_buffer_to_buffer(resolved, 0, &self.staging, 0, TIMESTAMPS_BYTES);
        } else {
            record(&mut encoder)?;
        }
        encoder.copy_buffer_to_buffer(output, 0, &self.staging, TIMESTAMPS_BYTES, 4);
        let commands = encoder.finish();
        let begin = Instant::now();
        queue.submit([commands]);
        device.poll(wgpu::PollType::wait_indefinitely())?;
        let wall = begin.elapsed();

        let (sender, receiver) = std::sync::mpsc::channel();
        self.staging.map_async(wgpu::MapMode::Read, .., move |result| {
            // Nobody listens if the poll failed.
            _ = sender.send(result);
        });
        device.poll(wgpu::PollType::wait_indefinitely())?;
        receiver.recv()??;
        let words: Vec<u32> = bytemuck::pod_collect_to_vec(&self.staging.get_mapped_range(..)?[..]);
        self.staging.unmap();
        let [begin_low, begin_high, end_low, end_high, result] = words[..] else {
            return Err("the staging buffer has five words".into());
        };
        if result != expected {
            return Err(format!("the result is {result}, not {expected}").into());
        }
        if self.timestamps.is_none() {
            return Ok(wall);
        }
        let ticks = |low: u32, high: u32| u64::from(high) << 32 | u64::from(low);
        match ticks(end_low, end_high).checked_sub(ticks(begin_low, begin_high)) {
            None | Some(0) => Err("the timestamps do not increase".into()),
            Some(ticks) => {
                let ns = ticks as f64 * f64::from(queue.get_timestamp_period());
                Ok(Duration::from_secs_f64(ns * 1e-9))
            }
        }
    }

    fn keep_busy(&self) -> Result<(), Box<dyn Error>> {
        let device = self.context.device();
        let output = GpuSlice::whole(&buffer(device, 4, wgpu::BufferUsages::STORAGE));
        let input = GpuSlice::whole(&self.data[0]);
        let prepared = Reducer::<u32, Sum>::new(&self.context).prepare(input, &output)?;
        let begin = Instant::now();
        while begin.elapsed() < BUSY {
            let mut encoder =
                device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            for _ in 0..20 {
                prepared.record(&mut encoder);
            }
            self.context.queue().submit([encoder.finish()]);
            device.poll(wgpu::PollType::wait_indefinitely())?;
        }
        Ok(())
    }
}

fn buffer(device: &wgpu::Device, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("peers"),
        size,
        usage,
        mapped_at_creation: false,
    })
}

/// A buffer of `items` elements from number `first` on.
fn upload(context: &Context, items: u32, first: u32) -> Result<wgpu::Buffer, Box<dyn Error>> {
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST;
    let buffer = buffer(context.device(), u64::from(items) * 4, usage);
    // In parts: wgpu holds a copy of each until it is done.
    let mut part = vec![0; items.min(1 << 24) as usize];
    for begin in (0..items).step_by(part.len()) {
        numbers::fill(&mut part, first + begin);
        let offset = u64::from(begin) * 4;
        context.queue().write_buffer(&buffer, offset, bytemuck::cast_slice(&part));
        context.queue().submit([]);
        context.device().poll(wgpu::PollType::wait_indefinitely())?;
    }
    Ok(buffer)
}
