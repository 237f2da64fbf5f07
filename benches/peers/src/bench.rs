//! The device, the data, and how times are measured.

use crate::numbers::{self, Expected, ExpectedFloats};
use gridfold::{Context, Executor, GpuSlice, Reducer, Requirements, Sum, wgpu};
use std::{
    error::Error,
    ops::Range,
    time::{Duration, Instant},
};

/// Of integers: for an input of the largest length there are two places, so that those alternate.
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
/// Of the two timestamps, before the result in the staging buffer.
const TIMESTAMPS_BYTES: u64 = 16;

/// Records the reduction of an input's number.
pub type Record<'a> =
    Box<dyn FnMut(&mut wgpu::CommandEncoder, usize) -> Result<(), Box<dyn Error>> + 'a>;

/// A word of a buffer, which tells whether a result is right.
#[derive(Clone, Copy)]
pub struct Word<'a> {
    pub buffer: &'a wgpu::Buffer,
    pub offset: u64,
}

/// Reduces the input of a number, and brings the value to the host.
pub type ToHost<'a> = Box<dyn FnMut(usize) -> Result<f64, Box<dyn Error>> + 'a>;

/// In order.
#[derive(Clone, Default)]
pub struct Times(Vec<Duration>);

impl Times {
    pub fn median(&self) -> f64 {
        self.0[self.0.len() / 2].as_secs_f64()
    }

    pub fn fastest(&self) -> f64 {
        self.0[0].as_secs_f64()
    }

    pub fn rounds(&self) -> usize {
        self.0.len()
    }
}

pub struct Bench {
    pub adapter: wgpu::Adapter,
    pub context: Context,
    pub info: wgpu::AdapterInfo,
    pub is_gpu: bool,
    pub integers: Vec<wgpu::Buffer>,
    pub floats: wgpu::Buffer,
    pub buffer_items: u32,
    timestamps: Option<Timestamps>,
    staging: wgpu::Buffer,
}

struct Timestamps {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
}

impl Bench {
    /// A device with all that its adapter can do: some peers ask the adapter what they may use.
    pub fn new(selector: &str) -> Result<Self, Box<dyn Error>> {
        // The executor knows what selectors mean.
        let name = Executor::with_adapter(selector)?.name();
        let adapters = Executor::adapters();
        let Some(listed) = adapters.iter().find(|listed| *listed.name() == name) else {
            return Err("no GPU found: name a software driver, for example vulkan/llvmpipe".into());
        };
        let adapter = listed.adapter().clone();
        // Memory of the host for all buffers would be slow memory; experimental features are promises of the caller's.
        let unwanted =
            wgpu::Features::MAPPABLE_PRIMARY_BUFFERS | wgpu::Features::all_experimental_mask();
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("peers"),
            required_features: Requirements::of(&adapter)
                .features(adapter.features().difference(unwanted)),
            required_limits: adapter.limits(),
            ..Default::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))?;
        let context = Context::new_blocking(&device, &queue)?;

        let info = adapter.get_info();
        let is_gpu = info.device_type != wgpu::DeviceType::Cpu;
        let limits = device.limits();
        let most_items = limits.max_buffer_size.min(limits.max_storage_buffer_binding_size) / 4;
        let buffer_items = 1 << most_items.ilog2().min(if is_gpu { 28 } else { 25 });
        let integers = (0..BUFFERS)
            .map(|index| upload(&context, buffer_items, index * buffer_items, numbers::mix))
            .collect::<Result<_, _>>()?;
        let floats = upload(&context, buffer_items, 0, numbers::uniform)?;
        let timing =
            wgpu::Features::TIMESTAMP_QUERY | wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS;
        let timestamps = device.features().contains(timing).then(|| Timestamps {
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
        Ok(Self {
            adapter,
            context,
            info,
            is_gpu,
            integers,
            floats,
            buffer_items,
            timestamps,
            staging,
        })
    }

    /// What [`Bench::measure`] measures.
    pub fn what_is_measured(&self) -> &'static str {
        match self.timestamps {
            Some(_) => "device time, between timestamps of the encoder",
            None => "wall clock, from the submit until it is done",
        }
    }

    pub fn lens(&self) -> impl Iterator<Item = u32> {
        let logs: &[u32] = if self.is_gpu {
            &[10, 12, 14, 16, 18, 20, 22, 24, 25, 26, 27, 28]
        } else {
            &[10, 12, 14, 16, 18, 20, 22, 24, 25]
        };
        logs.iter().map(|&log2_len| 1 << log2_len).filter(|&len| len <= self.buffer_items)
    }

    /// The buffer of input number `index`, and the elements in it. Inputs follow one another through the data, and
    /// start again.
    pub fn input(&self, len: u32, index: usize) -> (&wgpu::Buffer, Range<u32>) {
        let per_buffer = (self.buffer_items / len) as usize;
        let begin = (index % per_buffer) as u32 * len;
        (&self.integers[index / per_buffer % self.integers.len()], begin..begin + len)
    }

    /// How many inputs a row uses.
    pub fn inputs(&self, len: u32) -> usize {
        ((self.buffer_items / len * BUFFERS) as usize).min(MOST_INPUTS)
    }

    /// How many inputs a row to the host uses: those peers have copies of one buffer.
    pub fn inputs_of_one_buffer(&self, len: u32) -> usize {
        ((self.buffer_items / len) as usize).min(MOST_INPUTS)
    }

    /// What the CPU makes of these.
    pub fn expected(&self, len: u32) -> Vec<Expected> {
        (0..self.inputs(len)).map(|index| Expected::of(numbers_of(len, index))).collect()
    }

    pub fn expected_floats(&self, len: u32) -> Vec<ExpectedFloats> {
        let inputs = 0..self.inputs_of_one_buffer(len);
        inputs.map(|index| ExpectedFloats::of(numbers_of(len, index))).collect()
    }

    /// Where results go.
    pub fn output(&self) -> wgpu::Buffer {
        // lampshade clears outputs of empty inputs.
        self.words(1)
    }

    /// The times of each contender, interleaved: each takes its turn at being first.
    pub fn measure(
        &self,
        len: u32,
        contenders: &mut [Record<'_>],
        output: &wgpu::Buffer,
        expected: &dyn Fn(usize) -> u32,
    ) -> Result<Vec<Times>, Box<dyn Error>> {
        let word = Word { buffer: output, offset: 0 };
        self.measure_inputs(self.inputs(len), contenders, word, expected)
    }

    /// The same, of so many inputs. Of longer results than a word one has to be what is expected.
    pub fn measure_inputs(
        &self,
        inputs: usize,
        contenders: &mut [Record<'_>],
        word: Word<'_>,
        expected: &dyn Fn(usize) -> u32,
    ) -> Result<Vec<Times>, Box<dyn Error>> {
        self.interleave(contenders.len(), inputs, |contender, index| {
            let record = |encoder: &mut _| contenders[contender](encoder, index);
            self.sample(record, word, expected(index))
        })
    }

    /// The same, of contenders that are timed by the clock on the wall until the value is on the host.
    pub fn measure_to_host(
        &self,
        len: u32,
        contenders: &mut [ToHost<'_>],
        is_expected: &dyn Fn(usize, f64) -> bool,
    ) -> Result<Vec<Times>, Box<dyn Error>> {
        self.interleave(contenders.len(), self.inputs_of_one_buffer(len), |contender, index| {
            let begin = Instant::now();
            let value = contenders[contender](index)?;
            let time = begin.elapsed();
            if is_expected(index, value) {
                Ok(time)
            } else {
                Err(format!("contender {contender} has {value}, which is wrong").into())
            }
        })
    }

    fn interleave(
        &self,
        contenders: usize,
        inputs: usize,
        mut sample: impl FnMut(usize, usize) -> Result<Duration, Box<dyn Error>>,
    ) -> Result<Vec<Times>, Box<dyn Error>> {
        if self.is_gpu {
            self.keep_busy()?;
        }
        let mut times = vec![Times::default(); contenders];
        let mut inputs = (0..inputs).cycle();
        let mut begin = Instant::now();
        for round in 0..WARM_UP_ROUNDS + ROUNDS.end {
            for turn in 0..contenders {
                let contender = (turn + round) % contenders;
                let index = inputs.next().ok_or("there are inputs")?;
                times[contender].0.push(sample(contender, index)?);
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

    /// The time of one call, after which a word has to be `expected`.
    fn sample(
        &self,
        record: impl FnOnce(&mut wgpu::CommandEncoder) -> Result<(), Box<dyn Error>>,
        word: Word<'_>,
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
        encoder.copy_buffer_to_buffer(word.buffer, word.offset, &self.staging, TIMESTAMPS_BYTES, 4);
        let commands = encoder.finish();
        let begin = Instant::now();
        queue.submit([commands]);
        device.poll(wgpu::PollType::wait_indefinitely())?;
        let wall = begin.elapsed();

        let (sender, receiver) = std::sync::mpsc::channel();
        self.staging.map_async(wgpu::MapMode::Read, .., move |result| {
            // If the poll failed, the receiver is gone.
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

    /// The first `items` words of a buffer.
    pub fn read(&self, source: &wgpu::Buffer, items: u32) -> Result<Vec<u32>, Box<dyn Error>> {
        let device = self.context.device();
        let size = u64::from(items) * 4;
        let usage = wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ;
        let staging = buffer(device, size, usage);
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_buffer_to_buffer(source, 0, &staging, 0, size);
        self.context.queue().submit([encoder.finish()]);
        let (sender, receiver) = std::sync::mpsc::channel();
        staging.map_async(wgpu::MapMode::Read, .., move |result| {
            // If the poll failed, the receiver is gone.
            _ = sender.send(result);
        });
        device.poll(wgpu::PollType::wait_indefinitely())?;
        receiver.recv()??;
        Ok(bytemuck::pod_collect_to_vec(&staging.get_mapped_range(..)?[..]))
    }

    /// A buffer that kernels write, and that is read.
    pub fn words(&self, items: u32) -> wgpu::Buffer {
        let usage = wgpu::BufferUsages::STORAGE
            | wgpu::BufferUsages::COPY_DST
            | wgpu::BufferUsages::COPY_SRC;
        buffer(self.context.device(), u64::from(items) * 4, usage)
    }

    /// A buffer of so many elements.
    pub fn upload(
        &self,
        items: u32,
        element: fn(u32) -> u32,
    ) -> Result<wgpu::Buffer, Box<dyn Error>> {
        upload(&self.context, items, 0, element)
    }

    fn keep_busy(&self) -> Result<(), Box<dyn Error>> {
        let device = self.context.device();
        let output = GpuSlice::whole(&buffer(device, 4, wgpu::BufferUsages::STORAGE));
        let input = GpuSlice::whole(&self.integers[0]);
        let prepared = Reducer::<u32, _>::new(&self.context, Sum).prepare(input, &output)?;
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

/// Of the elements of an input.
fn numbers_of(len: u32, index: usize) -> Range<u32> {
    let begin = index as u32 * len;
    begin..begin + len
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
fn upload(
    context: &Context,
    items: u32,
    first: u32,
    element: fn(u32) -> u32,
) -> Result<wgpu::Buffer, Box<dyn Error>> {
    // lampshade wants to copy from a mask.
    let usage =
        wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC;
    let buffer = buffer(context.device(), u64::from(items) * 4, usage);
    // In parts: wgpu holds a copy of each until it is done.
    let mut part = vec![0; items.min(1 << 24) as usize];
    for begin in (0..items).step_by(part.len()) {
        numbers::fill(&mut part, first + begin, element);
        let offset = u64::from(begin) * 4;
        context.queue().write_buffer(&buffer, offset, bytemuck::cast_slice(&part));
        context.queue().submit([]);
        context.device().poll(wgpu::PollType::wait_indefinitely())?;
    }
    Ok(buffer)
}
