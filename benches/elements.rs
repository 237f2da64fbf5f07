//! What elements other than f32 and u32 cost, and what operators of users' own do: device time, each beside what it is compared with.
//!
//! `cargo bench --bench elements -- [ADAPTER [LOG2_BYTES]]`, where ADAPTER is as for `gridfold --adapter` (the default is the best GPU), and
//! LOG2_BYTES restricts it to inputs of so many bytes. It runs on drivers in software, too. Five tables:
//!
//! * sums and maxima of narrow types, beside those of f32s of as many bytes;
//! * reductions of f64s by integers, beside the same by the device's own f64s. A device that is made without
//!   `wgpu::Features::SHADER_F64` has the integers do it, so there are two devices of one adapter;
//! * the sum of i32s as a user writes it, with the counters of loops and the checks of bounds that users' modules keep, beside the library's;
//! * the largest element for which a predicate is true, with its place, beside the same without. Streams, and second reads, take the
//!   place to learn whether there is such an element;
//! * sums of elements that begin within a vector of 16 bytes, beside sums of elements that begin with one.
//!
//! Each number is the median of 31 passes after 3 to warm up. The two of a row take turns, and at being first. Inputs rotate, so that caches
//! serve no repeats. First results are compared with the CPU's, up to 2^24 bytes. Where a device has no timestamps, the clock on the wall
//! measures each submission, and the first line says so.

#[expect(dead_code, reason = "other benches use the rest")]
mod common;

use common::{
    SAMPLES, WARM_UPS, input, input_range, keep_busy, length, made, median, mix, results, upload,
};
use gridfold::{
    ArgMax, Context, CustomOperator, DeviceTimer, Element, Executor, GpuSlice, Map, Max, Operator,
    Product, Reducer, Requirements, Sum, Variance, WideElement,
    half::{bf16, f16},
    wgpu,
};
use std::{
    error::Error,
    fmt::Debug,
    time::{Duration, Instant},
};

type Outcome<R = ()> = Result<R, Box<dyn Error>>;

/// Results of more bytes are not compared with the CPU's.
const MAX_CHECKED_LOG2: u32 = 24;
const MAX_LOG2: u32 = 32;

/// Makes four bytes of data of their number.
type Make = fn(u32) -> f32;

/// An operator as a user would write it.
const SUM_OF_I32: &str = "fn identity() -> i32 { return 0i; }
    fn combine(a: i32, b: i32) -> i32 { return a + b; }";

fn main() -> Outcome {
    // cargo passes `--bench`.
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let executor = Executor::with_adapter(arguments.next().as_deref().unwrap_or("auto"))?;
    let only = arguments.next().map(|text| parse(&text)).transpose()?;
    let Some(context) = executor.context() else {
        return Err("no GPU found: name a software driver, for example vulkan/llvmpipe".into());
    };
    let clock = if context.capabilities().timestamps {
        "device time, between timestamps of the pass"
    } else {
        "wall clock, from the submit until it is done"
    };
    println!("{}; {clock}", context.adapter());
    let is_gpu = context.device().adapter_info().device_type != wgpu::DeviceType::Cpu;
    let logs = match only {
        Some(log2_bytes) => vec![log2_bytes],
        None if is_gpu => vec![16, 20, 24, 28],
        None => vec![16, 20, 24],
    };
    let longest = logs.iter().copied().max().unwrap_or(0);
    let bench = Bench {
        context,
        // Beyond any cache.
        data_words: 1 << (longest - 2).max(if is_gpu { 28 } else { 24 }),
        host_words: 1 << (longest.min(MAX_CHECKED_LOG2) - 2),
        logs,
    };
    bench.narrow_types()?;
    bench.doubles(&executor)?;
    bench.custom()?;
    bench.maxima_of_some()?;
    bench.alignments()
}

fn parse(text: &str) -> Outcome<u32> {
    text.parse().ok().filter(|log2_bytes| (4..=MAX_LOG2).contains(log2_bytes)).ok_or_else(|| {
        format!("{text}: inputs have a power of two of bytes, from 2^4 to 2^{MAX_LOG2}: `24`")
            .into()
    })
}

struct Bench<'a> {
    context: &'a Context,
    data_words: u64,
    /// What results are compared with is made of these, with which the data begins.
    host_words: u32,
    logs: Vec<u32>,
}

/// Data on a device, and its first part on the host.
struct Data {
    buffers: Vec<wgpu::Buffer>,
    host: Vec<f32>,
}

/// One of a row.
struct Contender<'a> {
    context: &'a Context,
    record: Box<Record<'a>>,
}

/// Records the reduction of an input's number.
type Record<'a> = dyn Fn(u64, &mut wgpu::CommandEncoder, Option<&DeviceTimer>) -> Outcome + 'a;

impl Bench<'_> {
    fn narrow_types(&self) -> Outcome {
        println!();
        println!("narrow types, beside f32s of as many bytes; ps: of each byte");
        println!("{:10} {:>8} {:>12} {:>12} {:>8}", "", "bytes", "ps", "f32's ps", "ratio");
        let floats = self.data(self.context, |word| f32::from_bits(near_one(word)))?;
        let words = self.data(self.context, |word| f32::from_bits(mix(word)))?;
        self.narrow_type::<u8>(&words, &floats)?;
        self.narrow_type::<i8>(&words, &floats)?;
        self.narrow_type::<u16>(&words, &floats)?;
        self.narrow_type::<i16>(&words, &floats)?;
        drop(words);
        // Two in a word, of either sign, from 1/2 to 1.
        let halves = self
            .data(self.context, |word| f32::from_bits((mix(word) & 0x83ff_83ff) | 0x3800_3800))?;
        self.narrow_type::<f16>(&halves, &floats)?;
        drop(halves);
        let halves = self
            .data(self.context, |word| f32::from_bits((mix(word) & 0x807f_807f) | 0x3f00_3f00))?;
        self.narrow_type::<bf16>(&halves, &floats)
    }

    fn narrow_type<T: Element>(&self, data: &Data, floats: &Data) -> Outcome
    where
        Sum: Operator<T>,
        Max: Operator<T>,
    {
        self.narrow::<T, _>(data, floats, Sum)?;
        self.narrow::<T, _>(data, floats, Max)
    }

    fn narrow<T: Element, Op: Operator<T> + Copy + Operator<f32>>(
        &self,
        data: &Data,
        floats: &Data,
        op: Op,
    ) -> Outcome {
        let ours = Reducer::<T, _>::new(self.context, op);
        let of_floats = Reducer::<f32, _>::new(self.context, op);
        for &log2_bytes in &self.logs {
            let (len, floats_len) = (self.len::<T>(log2_bytes), self.len::<f32>(log2_bytes));
            let [time, floats_time] = self.times(
                [
                    data.contender(&ours, len, data.expected::<T, _>(len, op)?)?,
                    floats.contender(
                        &of_floats,
                        floats_len,
                        floats.expected::<f32, _>(floats_len, op)?,
                    )?,
                ],
                floats,
            )?;
            let ps = |time: Duration| time.as_secs_f64() * 1e12 / (1u64 << log2_bytes) as f64;
            println!(
                "{:10} {:>8} {:>12.3} {:>12.3} {:>8.3}",
                format!("{} {}", T::TYPE, Operator::<T>::spec(&op).operator),
                length(1 << log2_bytes),
                ps(time),
                ps(floats_time),
                ratio(time, floats_time)
            );
        }
        Ok(())
    }

    fn doubles(&self, executor: &Executor) -> Outcome {
        println!();
        if !self.context.capabilities().sound_doubles {
            println!(
                "no table of f64s: this device has none, so integers make all of its f64 results"
            );
            return Ok(());
        }
        let without = without_doubles(executor)?;
        // From 1/2 to 1: each second word is an upper one.
        let make: Make = |word| {
            let bits = mix(word);
            f32::from_bits(if word % 2 == 0 { bits } else { (bits & 0x800f_ffff) | 0x3fe0_0000 })
        };
        let data = [self.data(self.context, make)?, self.data(&without, make)?];
        println!("f64s by integers, beside the device's own");
        println!("{:10} {:>8} {:>12} {:>12} {:>8}", "", "bytes", "integers us", "own us", "ratio");
        self.doubles_by(&without, &data, Sum)?;
        self.doubles_by(&without, &data, Product)?;
        self.doubles_by(&without, &data, Variance)
    }

    fn doubles_by<Op: Operator<f64> + Copy>(
        &self,
        without: &Context,
        [own, others]: &[Data; 2],
        op: Op,
    ) -> Outcome {
        let by_doubles = Reducer::<f64, _>::new(self.context, op);
        let by_integers = Reducer::<f64, _>::new(without, op);
        for &log2_bytes in &self.logs {
            let len = self.len::<f64>(log2_bytes);
            let times = self.times(
                [
                    others.contender(&by_integers, len, others.expected::<f64, _>(len, op)?)?,
                    own.contender(&by_doubles, len, own.expected::<f64, _>(len, op)?)?,
                ],
                own,
            )?;
            print_times(&format!("f64 {}", op.spec().operator), log2_bytes, times);
        }
        Ok(())
    }

    fn custom(&self) -> Outcome {
        println!();
        println!("the sum of i32s as a user's operator, beside the library's");
        println!(
            "{:10} {:>8} {:>12} {:>12} {:>8}",
            "", "bytes", "user's us", "library's us", "ratio"
        );
        let data = self.data(self.context, |word| f32::from_bits(mix(word)))?;
        let operator = CustomOperator::<i32, i32>::commutative(SUM_OF_I32)?;
        let users = Reducer::new(self.context, operator.clone());
        let librarys = Reducer::<i32, _>::new(self.context, Sum);
        for &log2_bytes in &self.logs {
            let len = self.len::<i32>(log2_bytes);
            let expected = data.expected::<i32, _>(len, Sum)?;
            let times = self.times(
                [data.contender(&users, len, expected)?, data.contender(&librarys, len, expected)?],
                &data,
            )?;
            print_times("i32 sum", log2_bytes, times);
        }
        Ok(())
    }

    fn maxima_of_some(&self) -> Outcome {
        println!();
        println!("the largest element that a predicate lets count, with its place, beside without");
        println!("{:10} {:>8} {:>12} {:>12} {:>8}", "", "bytes", "with us", "without us", "ratio");
        let data = self.data(self.context, |word| f32::from_bits(near_one(word)))?;
        self.maximum_of_some::<f32>(&data, "x > 1.0")?;
        self.maximum_of_some::<u32>(&data, "x > 0x3f800000u")?;
        self.maximum_of_some::<f64>(&data, "x > 1.0")
    }

    fn maximum_of_some<T: WideElement>(&self, data: &Data, predicate: &str) -> Outcome
    where
        Max: Operator<T>,
        ArgMax: Operator<T>,
    {
        let map = Map::<T>::new("x")?.only_where(predicate)?;
        let with = Reducer::<T, _>::new(self.context, ArgMax).map(&map)?;
        let without = Reducer::<T, _>::new(self.context, Max).map(&map)?;
        for &log2_bytes in &self.logs {
            let len = self.len::<T>(log2_bytes);
            let contenders =
                [data.contender(&with, len, None)?, data.contender(&without, len, None)?];
            print_times(&format!("{} max", T::TYPE), log2_bytes, self.times(contenders, data)?);
        }
        Ok(())
    }

    fn alignments(&self) -> Outcome {
        println!();
        println!("sums of elements that begin within a vector, beside others");
        println!("{:10} {:>8} {:>12} {:>12} {:>8}", "", "bytes", "within us", "others us", "ratio");
        let data = self.data(self.context, |word| f32::from_bits(near_one(word)))?;
        for offset_bytes in [4, 8, 12] {
            self.alignment::<f32>(&data, offset_bytes)?;
        }
        for offset_bytes in [4, 8, 12] {
            self.alignment::<f64>(&data, offset_bytes)?;
        }
        self.alignment::<u8>(&data, 3)
    }

    fn alignment<T: Element>(&self, data: &Data, offset_bytes: u64) -> Outcome
    where
        Sum: Operator<T>,
    {
        let reducer = &Reducer::<T, _>::new(self.context, Sum);
        let output = GpuSlice::new(&results(self.context, RESULT_BYTES), 0, 1)?;
        for &log2_bytes in &self.logs {
            let len = self.len::<T>(log2_bytes);
            let contenders = [offset_bytes, 0].map(|offset_bytes| {
                let output = &output;
                let record = move |index,
                                   encoder: &mut wgpu::CommandEncoder,
                                   timer: Option<&DeviceTimer>| {
                    let within = |slice: GpuSlice<T>| {
                        let first_byte = slice.offset_bytes() + offset_bytes;
                        GpuSlice::<T>::new(slice.buffer(), first_byte, slice.len() - 4)
                    };
                    let slices = input::<T>(&data.buffers, len, index).into_iter().map(within);
                    let slices: Vec<_> = slices.collect::<Result<_, _>>()?;
                    let prepared = reducer.prepare(slices, output)?;
                    match timer {
                        Some(timer) => prepared.record_timed(encoder, timer.timestamp_writes()),
                        None => prepared.record(encoder),
                    }
                    Ok(())
                };
                Contender { context: self.context, record: Box::new(record) }
            });
            let name = format!("{} +{offset_bytes}", T::TYPE);
            print_times(&name, log2_bytes, self.times(contenders, data)?);
        }
        Ok(())
    }

    fn len<T: Element>(&self, log2_bytes: u32) -> u64 {
        (1 << log2_bytes) / T::TYPE.size_bytes()
    }

    fn data(&self, context: &Context, make: Make) -> Outcome<Data> {
        Ok(Data {
            buffers: upload(context, self.data_words, make)?,
            host: made(self.host_words, make),
        })
    }

    /// The median of each. `busy` is data of the first context that the device reduces before, so that its clocks go up.
    fn times<const N: usize>(
        &self,
        contenders: [Contender<'_>; N],
        busy: &Data,
    ) -> Outcome<[Duration; N]> {
        let mut times = [const { Vec::new() }; N];
        let timers = contenders
            .iter()
            .map(|contender| DeviceTimer::new(contender.context))
            .collect::<Result<Vec<_>, _>>()?;
        // What these compile comes before: the GPU waits for it.
        for (contender, timer) in contenders.iter().zip(&timers) {
            sample(contender, timer.as_ref(), 0)?;
        }
        keep_busy(self.context, &busy.buffers)?;
        for round in 0..WARM_UPS + SAMPLES {
            for turn in 0..N {
                let place = (turn + round) % N;
                let index = (round * N + turn) as u64;
                if let Some(time) = sample(&contenders[place], timers[place].as_ref(), index)?
                    && round >= WARM_UPS
                {
                    times[place].push(time);
                }
            }
        }
        if times.iter().any(Vec::is_empty) {
            return Err("the device's timestamps do not increase".into());
        }
        Ok(times.map(|mut times| median(&mut times)))
    }
}

/// None if the device's timestamps made no sense.
fn sample(
    Contender { context, record }: &Contender<'_>,
    timer: Option<&DeviceTimer>,
    index: u64,
) -> Outcome<Option<Duration>> {
    let mut encoder =
        context.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    record(index, &mut encoder, timer)?;
    let Some(timer) = timer else {
        let commands = encoder.finish();
        let begin = Instant::now();
        context.queue().submit([commands]);
        context.device().poll(wgpu::PollType::wait_indefinitely())?;
        return Ok(Some(begin.elapsed()));
    };
    let readback = timer.record_readback(&mut encoder)?;
    context.queue().submit([encoder.finish()]);
    Ok(readback.wait_blocking()?)
}

impl Data {
    /// What the CPU makes of the first input, if it is short enough.
    fn expected<T: Element, Op: Operator<T>>(
        &self,
        len: u64,
        op: Op,
    ) -> Outcome<Option<Op::Value>> {
        let range = input_range::<T>(&self.buffers, len, 0);
        // A vector of f32s may lie where no f64 can.
        let elements: Vec<T> = bytemuck::pod_collect_to_vec(&self.host);
        match elements.get(range) {
            Some(elements) => Ok(Some(Executor::cpu().reduce(elements, op)?.value)),
            None => Ok(None),
        }
    }

    fn contender<'a, T: Element, Op: Operator<T>>(
        &'a self,
        reducer: &'a Reducer<T, Op>,
        len: u64,
        expected: Option<Op::Value>,
    ) -> Outcome<Contender<'a>>
    where
        Op::Value: PartialEq + Debug,
    {
        if let Some(expected) = expected {
            let found = reducer.reduce_blocking(input::<T>(&self.buffers, len, 0))?;
            if found != expected {
                let what = format!("{len} elements of {}", T::TYPE);
                return Err(format!("{what}: the result is {found:?}, not {expected:?}").into());
            }
        }
        let output = GpuSlice::new(&results(reducer.context(), RESULT_BYTES), 0, 1)?;
        let record =
            move |index, encoder: &mut wgpu::CommandEncoder, timer: Option<&DeviceTimer>| {
                let prepared = reducer.prepare(input::<T>(&self.buffers, len, index), &output)?;
                match timer {
                    Some(timer) => prepared.record_timed(encoder, timer.timestamp_writes()),
                    None => prepared.record(encoder),
                }
                Ok(())
            };
        Ok(Contender { context: reducer.context(), record: Box::new(record) })
    }
}

/// Of a result, at most.
const RESULT_BYTES: u64 = 16;

/// A device of the executor's adapter that can do what the executor's can, but for f64s.
fn without_doubles(executor: &Executor) -> Outcome<Context> {
    let name = executor.name();
    let adapters = Executor::adapters();
    let listed = adapters.iter().find(|listed| *listed.name() == name);
    let adapter = listed.ok_or("the adapter is not listed any more")?.adapter();
    let requirements = Requirements::of(adapter);
    let descriptor = wgpu::DeviceDescriptor {
        label: Some("without f64s"),
        required_features: requirements
            .features(wgpu::Features::empty())
            .difference(wgpu::Features::SHADER_F64),
        required_limits: requirements.limits(wgpu::Limits::downlevel_defaults()),
        ..Default::default()
    };
    let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))?;
    let context = Context::new_blocking(&device, &queue)?;
    if context.capabilities().sound_doubles {
        return Err("a device without f64s has f64s".into());
    }
    Ok(context)
}

/// A row of two times in µs, and their ratio.
fn print_times(name: &str, log2_bytes: u32, [time, other]: [Duration; 2]) {
    println!(
        "{name:10} {:>8} {:>12.2} {:>12.2} {:>8.3}",
        length(1 << log2_bytes),
        time.as_secs_f64() * 1e6,
        other.as_secs_f64() * 1e6,
        ratio(time, other)
    );
}

fn ratio(time: Duration, other: Duration) -> f64 {
    time.as_secs_f64() / other.as_secs_f64()
}

/// The bits of a random f32 of either sign, from 1/2 to 1.
fn near_one(number: u32) -> u32 {
    (mix(number) & 0x807f_ffff) | 0x3f00_0000
}
