//! Device time of gridfold beside other crates that reduce on GPUs: so far lampshade, whose reductions are sums, minima
//! and maxima of u32.
//!
//! `cargo run --release --manifest-path benches/peers/Cargo.toml -- [ADAPTER [policies]]`, where ADAPTER is as for
//! `gridfold --adapter` (the default is the best GPU), and `policies` measures gridfold's sums by policy instead.
//!
//! All reduce slices of the same buffers on one device. In each round each does so once, in a submit of its own, and
//! they take turns at being first. Inputs rotate through the data, so that caches serve few repeats. All are recorded
//! into an encoder that writes a timestamp before and after: lampshade opens a pass for each of its steps. A device
//! that can't do that is timed by the clock on the wall, from the submit until it is done. Each result is compared with
//! the CPU's.
//!
//! Of lampshade this is the typed recorder, whose scratch memory is reserved beforehand. Creating its bind groups, which it
//! does while it records, is not timed.

mod numbers;

use gridfold::{
    Context, Executor, GpuSlice, Max, Min, Operator, Policy, Reducer, Requirements, Strategy, Sum,
    wgpu,
};
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
const WARM_UP_ROUNDS: usize = 3;
/// As many rounds as there is time for, within limits: medians of few are noise.
const ROUNDS: Range<usize> = 31..201;
const ROW_TIME: Duration = Duration::from_secs(2);
/// After this, fewer rounds have to do.
const LONG_ROW_TIME: Duration = Duration::from_secs(6);
const FEWEST_ROUNDS: usize = 7;
/// Each of them is prepared, and reduced by the CPU.
const MOST_INPUTS: usize = 400;
const POLICIES: [Policy; 5] = [
    Policy { min_rows: 4, max_workgroups: 2048 },
    Policy { min_rows: 8, max_workgroups: 2048 },
    Policy { min_rows: 16, max_workgroups: 2048 },
    Policy { min_rows: 32, max_workgroups: 2048 },
    Policy { min_rows: 16, max_workgroups: 256 },
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let bench = Bench::new(arguments.next().as_deref().unwrap_or("auto"))?;
    let is_of_policies = match arguments.next().as_deref() {
        None => false,
        Some("policies") => true,
        Some(other) => {
            return Err(format!("{other}: the second argument is `policies`, if any").into());
        }
    };
    println!("{}", bench.context.adapter());
    println!(
        "us: medians of {}",
        match bench.timestamps {
            Some(_) => "device time, between timestamps of the encoder",
            None => "wall clock, from the submit until it is done",
        }
    );
    let logs: &[u32] = if bench.is_gpu {
        &[10, 12, 14, 16, 18, 20, 22, 24, 25, 26, 27, 28]
    } else {
        &[10, 12, 14, 16, 18, 20, 22, 24, 25]
    };
    let lens =
        logs.iter().map(|&log2_len| 1 << log2_len).filter(|&len: &u32| len <= bench.buffer_items);
    if is_of_policies { policies(&bench, lens) } else { peers(&bench, lens) }
}

/// gridfold beside lampshade.
fn peers(bench: &Bench, lens: impl Iterator<Item = u32>) -> Result<(), Box<dyn Error>> {
    println!("ratio: lampshade's time to gridfold's; fastest: that of the fastest of each");
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
    for len in lens {
        let expected = bench.expected(len);
        bench.row::<Sum>(len, U32Reduction::Sum, &|index| expected[index].sum)?;
        bench.row::<Min>(len, U32Reduction::Min, &|index| expected[index].min)?;
        bench.row::<Max>(len, U32Reduction::Max, &|index| expected[index].max)?;
    }
    Ok(())
}

/// Sums of u32 by strategy and policy, and lampshade in the same rounds.
fn policies(bench: &Bench, lens: impl Iterator<Item = u32>) -> Result<(), Box<dyn Error>> {
    print!("{:11} {:>8} {:>10}", "strategy", "elements", "lampshade");
    for Policy { min_rows, max_workgroups } in POLICIES {
        print!(" {:>10}", format!("{min_rows}, {max_workgroups}"));
    }
    println!(" {:>7}", "rounds");
    for len in lens {
        let expected = bench.expected(len);
        bench.policies_row(Strategy::TwoPass, len, &expected)?;
        if bench.context.capabilities().coherent_memory {
            bench.policies_row(Strategy::SinglePass, len, &expected)?;
        }
    }
    Ok(())
}

/// Records the reduction of an input's number.
type Record<'a> =
    Box<dyn FnMut(&mut wgpu::CommandEncoder, usize) -> Result<(), Box<dyn Error>> + 'a>;

/// In order.
#[derive(Clone, Default)]
struct Times(Vec<Duration>);

impl Times {
    fn median(&self) -> f64 {
        self.0[self.0.len() / 2].as_secs_f64()
    }

    fn fastest(&self) -> f64 {
        self.0[0].as_secs_f64()
    }
}

fn gb_per_s(len: u32, seconds: f64) -> f64 {
    f64::from(len) * 4.0 / seconds / 1e9
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
        ((self.buffer_items / len * BUFFERS) as usize).min(MOST_INPUTS)
    }

    /// What the CPU makes of these.
    fn expected(&self, len: u32) -> Vec<Expected> {
        let number = |index| index as u32 * len;
        (0..self.inputs(len))
            .map(|index| Expected::of(number(index)..number(index) + len))
            .collect()
    }

    /// One line of the table: an operator and a length.
    fn row<Op: Operator<u32>>(
        &self,
        len: u32,
        operation: U32Reduction,
        expected: &dyn Fn(usize) -> u32,
    ) -> Result<(), Box<dyn Error>> {
        let output = self.output();
        let reducer = Reducer::<u32, Op>::new(&self.context);
        let (plan, gridfold) = self.gridfold(&reducer, len, &output)?;
        let mut contenders = [gridfold, self.lampshade(operation, len, &output)?];
        let times = self.measure(len, &mut contenders, &output, expected)?;
        let [gridfold, lampshade] = &times[..] else { return Err("there are two".into()) };
        println!(
            "{:3} {:>8} {:>12.2} {:>12.2} {:>7.2} {:>8.2} {:>14.1} {:>14.1} {:>7}  {plan}",
            Op::TYPE.to_string(),
            format!("2^{}", len.ilog2()),
            gridfold.median() * 1e6,
            lampshade.median() * 1e6,
            lampshade.median() / gridfold.median(),
            lampshade.fastest() / gridfold.fastest(),
            gb_per_s(len, gridfold.median()),
            gb_per_s(len, lampshade.median()),
            gridfold.0.len(),
        );
        Ok(())
    }

    /// One line of the table of policies.
    fn policies_row(
        &self,
        strategy: Strategy,
        len: u32,
        expected: &[Expected],
    ) -> Result<(), Box<dyn Error>> {
        let output = self.output();
        let mut contenders = vec![self.lampshade(U32Reduction::Sum, len, &output)?];
        for policy in POLICIES {
            let reducer = Reducer::<u32, Sum>::new(&self.context).strategy(strategy).policy(policy);
            contenders.push(self.gridfold(&reducer, len, &output)?.1);
        }
        let times = self.measure(len, &mut contenders, &output, &|index| expected[index].sum)?;
        print!("{:11} {:>8}", strategy.name(), format!("2^{}", len.ilog2()));
        for times in &times {
            print!(" {:>10.1}", times.median() * 1e6);
        }
        println!(" {:>7}", times[0].0.len());
        Ok(())
    }

    /// The plan, and what records the reduction of an input's number.
    fn gridfold<'a, Op: Operator<u32> + 'a>(
        &self,
        reducer: &Reducer<u32, Op>,
        len: u32,
        output: &wgpu::Buffer,
    ) -> Result<(String, Record<'a>), Box<dyn Error>> {
        let output = GpuSlice::whole(output);
        let prepared = (0..self.inputs(len))
            .map(|index| {
                let (buffer, Range { start, end }) = self.input(len, index);
                let input = GpuSlice::whole(buffer).slice(start.into()..end.into())?;
                Ok(reducer.prepare(input, &output)?)
            })
            .collect::<Result<Vec<_>, Box<dyn Error>>>()?;
        let plan = prepared[0].plan().to_string();
        let record = move |encoder: &mut wgpu::CommandEncoder, index: usize| {
            prepared[index].record(encoder);
            Ok(())
        };
        Ok((plan, Box::new(record)))
    }

    fn lampshade<'a>(
        &'a self,
        operation: U32Reduction,
        len: u32,
        output: &'a wgpu::Buffer,
    ) -> Result<Record<'a>, Box<dyn Error>> {
        let (device, queue) = (self.context.device(), self.context.queue());
        let mut primitives = Primitives::new_for_adapter(device, queue, &self.info);
        primitives.reserve_workspace(WorkspaceRequirements::new(len).fixed_reduce())?;
        Ok(Box::new(move |encoder, index| {
            let (buffer, range) = self.input(len, index);
            let input = pipeline::GpuSlice::from_range(buffer, range)?;
            let output = pipeline::GpuSliceMut::from_range(output, 0..1)?;
            Ok(primitives.record(encoder).reduce(input, output, operation)?)
        }))
    }

    fn output(&self) -> wgpu::Buffer {
        // lampshade clears outputs of empty inputs.
        let usage = wgpu::BufferUsages::STORAGE
            | wgpu::BufferUsages::COPY_DST
            | wgpu::BufferUsages::COPY_SRC;
        buffer(self.context.device(), 4, usage)
    }

    /// The times of each contender, interleaved.
    fn measure(
        &self,
        len: u32,
        contenders: &mut [Record<'_>],
        output: &wgpu::Buffer,
        expected: &dyn Fn(usize) -> u32,
    ) -> Result<Vec<Times>, Box<dyn Error>> {
        if self.is_gpu {
            self.keep_busy()?;
        }
        let count = contenders.len();
        let mut times = vec![Times::default(); count];
        let mut inputs = (0..self.inputs(len)).cycle();
        let mut begin = Instant::now();
        for round in 0..WARM_UP_ROUNDS + ROUNDS.end {
            for turn in 0..count {
                let contender = (turn + round) % count;
                let index = inputs.next().ok_or("there are inputs")?;
                let record = |encoder: &mut _| contenders[contender](encoder, index);
                times[contender].0.push(self.sample(record, output, expected(index))?);
            }
            if round < WARM_UP_ROUNDS {
                times.iter_mut().for_each(|times| times.0.clear());
                begin = Instant::now();
                continue;
            }
            let rounds = times[0].0.len();
            let is_enough = |needed, time| rounds >= needed && begin.elapsed() > time;
            if is_enough(ROUNDS.start, ROW_TIME) || is_enough(FEWEST_ROUNDS, LONG_ROW_TIME) {
                break;
            }
        }
        times.iter_mut().for_each(|times| times.0.sort_unstable());
        Ok(times)
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
