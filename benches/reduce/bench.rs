//! The device with its data, and the clock.

use crate::{
    about::{About, Measurement},
    common,
};
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput, measurement::WallTime};
use gridfold::{Context, DeviceTimer, Element, GpuSlice, Prepared, Reducer, SliceError, Sum, wgpu};
use std::{
    cell::{RefCell, RefMut},
    error::Error,
    ops::Range,
    time::{Duration, Instant},
};

/// Passes of a submission.
const BATCH: usize = 16;
/// What others read and write between two of them does not matter: one result for each, of eight words at most.
const RESULT_WORDS: usize = 8;
const RESULTS_BYTES: u64 = (BATCH * RESULT_WORDS) as u64 * 4;
/// Before everything.
const FIRST_WARM_UP: Duration = Duration::from_secs(2);
/// Before each sample: a GPU lowers its clocks when it has little to do.
const WARM_UP: Duration = Duration::from_millis(10);

/// Appends a pass, which writes timestamps if it is given some.
pub type Record = Box<dyn Fn(&mut wgpu::CommandEncoder, Option<wgpu::ComputePassTimestampWrites>)>;

/// Where a result comes to.
pub struct Place<'a> {
    results: &'a wgpu::Buffer,
    number: u64,
}

impl Place<'_> {
    pub fn of<Out: bytemuck::Pod>(&self) -> Result<GpuSlice<Out>, SliceError> {
        GpuSlice::new(self.results, self.number * RESULT_WORDS as u64 * 4, 1)
    }
}

/// Prepares the reduction of an input's number.
pub type Prepare<'a> = dyn Fn(u64, &Place<'_>) -> Result<Record, Box<dyn Error>> + 'a;
/// Looks at the result for an input's number.
pub type Check<'a> = dyn Fn(u64, &[u32]) -> Result<(), Box<dyn Error>> + 'a;

/// Something to measure.
pub struct Subject<'a> {
    /// Prepares the reduction of an input's number.
    pub prepare: Box<Prepare<'a>>,
    /// Whether words begin with the result for an input's number.
    pub check: Box<Check<'a>>,
}

pub struct Bench<'a> {
    context: &'a Context,
    is_gpu: bool,
    data: Vec<wgpu::Buffer>,
    /// The same elements.
    host: Vec<f32>,
    /// One for each pass of a submission; none if the device has no timestamps.
    timers: Vec<DeviceTimer>,
    /// A sum of all data, on a GPU: not measured, it comes first in each submission that is. It keeps the clocks up while the host
    /// prepares the next one, and caches free of what comes.
    busy: Option<Prepared<u32>>,
    results: wgpu::Buffer,
    staging: wgpu::Buffer,
    about: RefCell<About>,
}

impl<'a> Bench<'a> {
    pub fn new(context: &'a Context) -> Result<Self, Box<dyn Error>> {
        let is_gpu = context.device().adapter_info().device_type != wgpu::DeviceType::Cpu;
        let items: u32 = if is_gpu { 1 << 28 } else { 1 << 25 };
        let host = common::made(items, element);
        let data = common::upload(context, items.into(), element)?;
        let timers = (0..BATCH).filter_map(|_| DeviceTimer::new(context).transpose());
        let buffer = |usage| {
            context.device().create_buffer(&wgpu::BufferDescriptor {
                label: Some("results"),
                size: RESULTS_BYTES,
                usage,
                mapped_at_creation: false,
            })
        };
        let busy = if is_gpu {
            let whole: Vec<GpuSlice<u32>> = data.iter().map(GpuSlice::whole).collect();
            let output = GpuSlice::whole(&buffer(wgpu::BufferUsages::STORAGE)).slice(0..1)?;
            Some(Reducer::<u32, _>::new(context, Sum).prepare(whole, &output)?)
        } else {
            None
        };
        if is_gpu {
            common::warm_up(context, &data, FIRST_WARM_UP)?;
        }
        Ok(Self {
            context,
            is_gpu,
            data,
            busy,
            host,
            timers: timers.collect::<Result<_, _>>()?,
            results: buffer(
                wgpu::BufferUsages::STORAGE
                    | wgpu::BufferUsages::COPY_SRC
                    | wgpu::BufferUsages::COPY_DST,
            ),
            staging: buffer(wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST),
            about: RefCell::new(About::new(context)),
        })
    }

    pub fn context(&self) -> &Context {
        self.context
    }

    pub fn is_gpu(&self) -> bool {
        self.is_gpu
    }

    pub fn about(&self) -> RefMut<'_, About> {
        self.about.borrow_mut()
    }

    pub fn data(&self) -> &[wgpu::Buffer] {
        &self.data
    }

    /// Input number `index` of a length, on the device.
    pub fn input<T: Element>(&self, len: u64, index: u64) -> Vec<GpuSlice<T>> {
        common::input(&self.data, len, index)
    }

    /// The same on the host.
    pub fn host_input<T: Element>(&self, len: u64, index: u64) -> &[T] {
        let Range { start, end } = common::input_range::<T>(&self.data, len, index);
        &bytemuck::cast_slice(&self.host)[start..end]
    }

    /// How names say which clock it was.
    pub fn clock(&self) -> &'static str {
        if self.timers.is_empty() { "wall" } else { "device" }
    }

    pub fn group<'c>(
        &self,
        criterion: &'c mut Criterion,
        name: &str,
    ) -> BenchmarkGroup<'c, WallTime> {
        let mut group = criterion.benchmark_group(name);
        group.sampling_mode(criterion::SamplingMode::Flat);
        group
    }

    /// Has criterion measure a subject by the device's clock, or if it has none by that on the wall, which the name then says.
    pub fn device_time(
        &self,
        group: &mut BenchmarkGroup<'_, WallTime>,
        group_name: &str,
        name: &str,
        of: &Measurement,
        subject: &Subject<'_>,
    ) {
        let name = &match of.clock {
            "device" => name.to_owned(),
            clock => format!("{name}, by the {clock} clock"),
        };
        self.about().add(group_name, name, of);
        group.throughput(Throughput::Bytes(of.bytes));
        let mut next = 0;
        group.bench_function(BenchmarkId::new(name, format!("2^{}", of.log2_len)), |bencher| {
            let fail = |error| panic!("{group_name}/{name}: {error}");
            if next == 0 {
                // It compiles, and the CPU has to make what it is compared with: criterion would take that for the time of a run.
                self.measure(subject, BATCH as u64, &mut next).unwrap_or_else(fail);
            }
            self.keep_busy();
            bencher.iter_custom(|count| {
                let outcome = self.measure(subject, count, &mut next);
                outcome.unwrap_or_else(fail)
            });
        });
    }

    /// The time of `count` runs with the inputs from number `next` on.
    fn measure(
        &self,
        subject: &Subject<'_>,
        count: u64,
        next: &mut u64,
    ) -> Result<Duration, Box<dyn Error>> {
        let mut time = Duration::ZERO;
        let mut left = usize::try_from(count)?;
        while left > 0 {
            let passes = left.min(if self.timers.is_empty() { 1 } else { BATCH });
            left -= passes;
            let first = *next;
            *next += passes as u64;
            // Behind the sum of all data the first pass takes longer: so that it is not a sample's only one, it is not timed.
            let untimed = (subject.prepare)(first, &Place { results: &self.results, number: 0 })?;
            let records = (first..*next)
                .zip(0..)
                .map(|(index, number)| {
                    (subject.prepare)(index, &Place { results: &self.results, number })
                })
                .collect::<Result<Vec<_>, _>>()?;
            time += self.submit(&untimed, &records)?;
            let words = self.words()?;
            for (index, words) in (first..).zip(words.chunks(RESULT_WORDS).take(passes)) {
                (subject.check)(index, words)?;
            }
        }
        Ok(time)
    }

    /// The time of these passes, one after another, but for the first.
    fn submit(&self, untimed: &Record, records: &[Record]) -> Result<Duration, Box<dyn Error>> {
        let (device, queue) = (self.context.device(), self.context.queue());
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        // Without timestamps it would be measured, too.
        if let (Some(busy), false) = (&self.busy, self.timers.is_empty()) {
            busy.record(&mut encoder);
            untimed(&mut encoder, None);
        }
        // What others have left there may be right.
        encoder.clear_buffer(&self.results, 0, None);
        for (number, record) in records.iter().enumerate() {
            record(&mut encoder, self.timers.get(number).map(DeviceTimer::timestamp_writes));
        }
        if self.timers.is_empty() {
            let commands = encoder.finish();
            let begin = Instant::now();
            queue.submit([commands]);
            device.poll(wgpu::PollType::wait_indefinitely())?;
            let time = begin.elapsed();
            self.copy_results(device.create_command_encoder(&<_>::default()));
            return Ok(time);
        }
        let readbacks = self.timers[..records.len()]
            .iter()
            .map(|timer| timer.record_readback(&mut encoder))
            .collect::<Result<Vec<_>, _>>()?;
        self.copy_results(encoder);
        let mut time = Duration::ZERO;
        for readback in readbacks {
            time += readback.wait_blocking()?.ok_or("the timestamps make no sense")?;
        }
        Ok(time)
    }

    fn copy_results(&self, mut encoder: wgpu::CommandEncoder) {
        encoder.copy_buffer_to_buffer(&self.results, 0, &self.staging, 0, RESULTS_BYTES);
        self.context.queue().submit([encoder.finish()]);
    }

    fn words(&self) -> Result<Vec<u32>, Box<dyn Error>> {
        let (sender, receiver) = std::sync::mpsc::channel();
        self.staging.map_async(wgpu::MapMode::Read, .., move |result| {
            // If the poll failed, the receiver is gone.
            _ = sender.send(result);
        });
        self.context.device().poll(wgpu::PollType::wait_indefinitely())?;
        receiver.recv()??;
        let words = bytemuck::pod_collect_to_vec(&self.staging.get_mapped_range(..)?[..]);
        self.staging.unmap();
        Ok(words)
    }

    /// For a moment.
    pub fn keep_busy(&self) {
        if self.is_gpu {
            common::warm_up(self.context, &self.data, WARM_UP).expect("it was possible before");
        }
    }
}

/// Between 2/3 and 3/2, half of them about the inverses of others: products stay near 1. As integers they are odd, and so are their
/// products. As pairs of 16-bit floats they are below 2.
pub fn element(number: u32) -> f32 {
    // At a distance at which no order combines: a number times its inverse always rounds in the same direction.
    let value = 1.0 + common::uniform(number / 6 * 3 + number % 3) / 2.0;
    let value = if number % 6 < 3 { value } else { 1.0 / value };
    f32::from_bits(value.to_bits() & !(1 << 14) | 1)
}
