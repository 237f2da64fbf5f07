//! Device time of reductions of segments by their length, beside one reduction of all elements.
//!
//! `cargo bench --bench segments -- [ADAPTER [LOG2_LENGTH]]`, where ADAPTER is as for `gridfold --adapter` (the default is the best GPU), and
//! LOG2_LENGTH is of the elements (the default is 28 on GPUs, 22 on drivers in software). Each row is the median of 31 passes after 3 to
//! warm up. Its bytes are those of elements, offsets and results, each once. Up to 2^24 elements results are compared with the CPU's.

#[expect(dead_code, reason = "other benches use the rest")]
mod common;

use common::{
    device_time, input, length, made, mix, read, recorded_time, results, timed_pass, uniform,
    upload,
};
use gridfold::{
    ArgMax, Compaction, Compactor, Context, Executor, GpuSlice, Max, Mean, Norm, Operator, Reducer,
    SegmentedReducer, Segments, Sum, Variance, wgpu,
};
use std::{error::Error, time::Duration};

/// Results of more elements are not compared with the CPU's.
const MAX_CHECKED_LOG2: u32 = 24;
/// Of segments of mixed lengths: all are shorter, but for the first.
const MAX_MIXED_LENGTH: u128 = 350;
/// Of equal keys.
const RUN_LENGTH: u32 = 7;
/// Rows as of a table that is not large, and tensors as of a model.
const FEW_ROWS: u64 = 100_000;
const TENSORS: u32 = 300;

fn main() -> Result<(), Box<dyn Error>> {
    // cargo passes `--bench`.
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let executor = Executor::with_adapter(arguments.next().as_deref().unwrap_or("auto"))?;
    let log2_len: Option<u32> = arguments.next().map(|text| text.parse()).transpose()?;
    let Some(context) = executor.context() else {
        return Err("no GPU found: name a software driver, for example vulkan/llvmpipe".into());
    };
    println!("{}", context.adapter());
    let is_gpu = context.device().adapter_info().device_type != wgpu::DeviceType::Cpu;
    let log2_len = log2_len.unwrap_or(if is_gpu { 28 } else { 22 });
    let len = 1u64 << log2_len;
    let bench = Bench {
        context,
        len,
        data: upload(context, len, uniform)?,
        results: results(context, 8 << log2_len),
        host: if log2_len <= MAX_CHECKED_LOG2 { made(1 << log2_len, uniform) } else { Vec::new() },
    };
    println!("{} f32", length(len));
    println!("{:>9} {:>16} {:>10} {:>9} {:>10}", "operator", "what", "us", "GB/s", "segments");
    bench.whole()?;
    for log2_row in [1, 2, 4, 6, 8, 10, 13, 16, 20].into_iter().filter(|log2| *log2 <= log2_len) {
        bench.rows(1 << log2_row)?;
    }
    for log2_count in [4, 10, 14].into_iter().filter(|log2| *log2 <= log2_len) {
        bench.columns(1 << log2_count)?;
    }
    let (rows, count) = (Segments::rows(1 << 10), len >> 10);
    bench.row("rows of 2^10", &rows, count, 0, Max)?;
    bench.row("rows of 2^10", &rows, count, 0, ArgMax)?;
    bench.row("rows of 2^10", &rows, count, 0, Mean)?;
    bench.row("rows of 2^10", &rows, count, 0, Variance)?;
    for segment in [1, 16, 64, 1024] {
        let offsets: Vec<u32> = (0..=u32::try_from(len)? / segment).map(|n| n * segment).collect();
        bench.between(&format!("offsets by {segment}"), &offsets)?;
    }
    bench.between("offsets, mixed", &mixed_offsets(len))?;
    bench.few_rows()?;
    bench.norms()?;
    bench.axes_apart()?;
    for groups in [16, 256, 4096] {
        bench.groups(groups)?;
    }
    bench.by_key()
}

/// As many segments as a model has tensors, whose lengths differ: each of 12 is twice as long as the one before, and then they begin again.
fn tensor_offsets(len: u64) -> Vec<u32> {
    let parts = |tensor: u32| 1u64 << (tensor % 12);
    let all: u64 = (0..TENSORS).map(parts).sum();
    let ends = (0..TENSORS).scan(0, |before, tensor| {
        *before += parts(tensor);
        Some(u32::try_from(u128::from(*before) * u128::from(len) / u128::from(all)))
    });
    [0].into_iter().chain(ends.map(|end| end.unwrap_or(u32::MAX))).collect()
}

/// The first has an eighth of all elements. Half of the others have at most five; the longest have 350, and the mean is 50.
fn mixed_offsets(len: u64) -> Vec<u32> {
    let len = u32::try_from(len).unwrap_or(u32::MAX);
    let mut end = len / 8;
    let mut offsets = vec![0, end];
    while end < len {
        // The sixth power of a fraction of 16 bits.
        let random = u128::from(mix(u32::try_from(offsets.len()).unwrap_or(0)) >> 16);
        let segment = (MAX_MIXED_LENGTH * random.pow(6)) >> 96;
        end = end.saturating_add(u32::try_from(segment).expect("it is short")).min(len);
        offsets.push(end);
    }
    offsets
}

struct Bench<'a> {
    context: &'a Context,
    len: u64,
    data: Vec<wgpu::Buffer>,
    results: wgpu::Buffer,
    /// The same as the data, if results are compared.
    host: Vec<f32>,
}

impl Bench<'_> {
    /// All elements as one sequence.
    fn whole(&self) -> Result<(), Box<dyn Error>> {
        let reducer = Reducer::<f32, _>::new(self.context, Sum);
        let output = GpuSlice::whole(&self.results).slice(0..1)?;
        let time = device_time(self.context, &self.data, |_| {
            Ok(reducer.prepare(input::<f32>(&self.data, self.len, 0), &output)?)
        })?;
        print_row("sum", "all", 4 * self.len, time, 1);
        Ok(())
    }

    fn rows(&self, row_len: u64) -> Result<(), Box<dyn Error>> {
        let name = format!("rows of {}", length(row_len));
        let count = self.len / row_len;
        let found = self.row(&name, &Segments::rows(row_len), count, 0, Sum)?;
        let host =
            |host: &[f32]| Executor::cpu().reduce_axis::<f32, _>(host, &[count, row_len], 1, Sum);
        self.compare(&name, &found, host)
    }

    fn columns(&self, count: u64) -> Result<(), Box<dyn Error>> {
        let name = format!("{} columns", length(count));
        let shape = [self.len / count, count];
        let found = self.row(&name, &Segments::axis(&shape, 0), count, 0, Sum)?;
        self.compare(&name, &found, |host| Executor::cpu().reduce_axis(host, &shape, 0, Sum))
    }

    fn between(&self, name: &str, offsets: &[u32]) -> Result<(), Box<dyn Error>> {
        let buffer = self.words(offsets);
        let segments = Segments::offsets(&GpuSlice::<u32>::whole(&buffer));
        let count = offsets.len() as u64 - 1;
        let found = self.row(name, &segments, count, 4 * offsets.len() as u64, Sum)?;
        self.compare(name, &found, |host| Executor::cpu().reduce_segments(host, offsets, Sum))
    }

    /// Rows of four, so few that most of the time goes to dispatches.
    fn few_rows(&self) -> Result<(), Box<dyn Error>> {
        let reducer = SegmentedReducer::<f32, _>::new(self.context, Sum);
        let output = GpuSlice::<f32>::whole(&self.results).slice(0..FEW_ROWS)?;
        let elements = input::<f32>(&self.data, self.len, 0)[0].slice(0..4 * FEW_ROWS)?;
        let prepared = reducer.prepare(elements, &Segments::rows(4), &output)?;
        self.time("sum", "100000 rows of 4", 20 * FEW_ROWS, FEW_ROWS, |pass| {
            prepared.record_in(pass);
        })
    }

    fn norms(&self) -> Result<(), Box<dyn Error>> {
        let offsets = tensor_offsets(self.len);
        let buffer = self.words(&offsets);
        let segments = Segments::offsets(&GpuSlice::<u32>::whole(&buffer));
        self.row("300 tensors", &segments, u64::from(TENSORS), 4 * offsets.len() as u64, Norm)?;
        Ok(())
    }

    /// The first axis and the third one, which others lie between: of neighbours that are whole chunks, of fewer, and of none.
    fn axes_apart(&self) -> Result<(), Box<dyn Error>> {
        for (name, shape) in [
            ("axes 0, 2 of 3", &[self.len >> 12, 1 << 6, 1 << 6][..]),
            ("the same, by 4", &[self.len >> 8, 1 << 6, 1 << 2]),
            ("axes 0, 2 of 4", &[self.len >> 18, 1 << 6, 1 << 6, 1 << 6]),
        ] {
            if shape[0] == 0 {
                continue;
            }
            let count = shape.iter().product::<u64>() / (shape[0] * shape[2]);
            let found = self.row(name, &Segments::axes(shape, &[0, 2]), count, 0, Sum)?;
            self.compare(name, &found, |host| {
                Executor::cpu().reduce_axes::<f32, _>(host, shape, &[0, 2], Sum)
            })?;
        }
        Ok(())
    }

    /// In any order.
    fn groups(&self, groups: u32) -> Result<(), Box<dyn Error>> {
        let numbers =
            upload(self.context, self.len, |number| f32::from_bits(mix(number) % groups))?;
        let segments = Segments::groups(&input::<u32>(&numbers, self.len, 0)[0], groups);
        self.row(&format!("{groups} groups"), &segments, u64::from(groups), 4 * self.len, Sum)?;
        Ok(())
    }

    /// Runs of equal keys, with the runs' keys and where they begin.
    fn by_key(&self) -> Result<(), Box<dyn Error>> {
        let keys = upload(self.context, self.len, |number| f32::from_bits(number / RUN_LENGTH))?;
        let runs = self.len.div_ceil(u64::from(RUN_LENGTH));
        let [unique, begins, count] =
            [4 * runs + 4, 4 * runs + 4, 8].map(|size| results(self.context, size));
        let begins = GpuSlice::<u32>::whole(&begins).slice(0..runs)?;
        let count = GpuSlice::<u64>::whole(&count);
        let compaction = Compaction::run_begins::<u32, u32>(
            input::<u32>(&keys, self.len, 0),
            GpuSlice::<u32>::whole(&unique).slice(0..runs)?,
            &begins,
        );
        let compaction = Compactor::new(self.context).prepare(&compaction, &count)?;
        let reducer = SegmentedReducer::<f32, _>::new(self.context, Sum);
        let output = GpuSlice::<f32>::whole(&self.results).slice(0..runs)?;
        let elements = input::<f32>(&self.data, self.len, 0);
        let sums = reducer.prepare(elements, &Segments::begins(&begins, &count), &output)?;
        self.time("sum", "keys, runs of 7", 8 * self.len + 12 * runs, runs, |pass| {
            compaction.record_in(pass);
            sums.record_in(pass);
        })
    }

    fn words(&self, words: &[u32]) -> wgpu::Buffer {
        let buffer = self.context.device().create_buffer(&wgpu::BufferDescriptor {
            label: Some("words"),
            size: 4 * words.len() as u64,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        self.context.queue().write_buffer(&buffer, 0, bytemuck::cast_slice(words));
        buffer
    }

    fn time(
        &self,
        operator: &str,
        name: &str,
        bytes: u64,
        segments: u64,
        record: impl Fn(&mut wgpu::ComputePass<'_>),
    ) -> Result<(), Box<dyn Error>> {
        let time = recorded_time(self.context, &self.data, |_, encoder, timer| {
            record(&mut timed_pass(encoder, name, timer));
            Ok(())
        })?;
        print_row(operator, name, bytes, time, segments);
        Ok(())
    }

    /// Measures, and returns the results if they are to be compared.
    fn row<Op: Operator<f32> + Copy>(
        &self,
        name: &str,
        segments: &Segments,
        count: u64,
        offsets_bytes: u64,
        op: Op,
    ) -> Result<Vec<u32>, Box<dyn Error>> {
        let reducer = SegmentedReducer::<f32, _>::new(self.context, op);
        let output = GpuSlice::<Op::Out>::whole(&self.results).slice(0..count)?;
        let elements = input::<f32>(&self.data, self.len, 0);
        let prepared = reducer.prepare(elements, segments, &output)?;
        let results_bytes = count * 4 * u64::from(op.spec().out_words);
        let bytes = 4 * self.len + offsets_bytes + results_bytes;
        self.time(op.spec().name(), name, bytes, count, |pass| prepared.record_in(pass))?;
        if self.host.is_empty() {
            return Ok(Vec::new());
        }
        read(self.context, &GpuSlice::whole(&self.results).slice(0..results_bytes / 4)?)
    }

    fn compare(
        &self,
        name: &str,
        found: &[u32],
        on_the_cpu: impl Fn(&[f32]) -> Result<Vec<f32>, gridfold::Error>,
    ) -> Result<(), Box<dyn Error>> {
        if self.host.is_empty()
            || bytemuck::cast_slice::<f32, u32>(&on_the_cpu(&self.host)?) == found
        {
            return Ok(());
        }
        Err(format!("{name}: the device's sums are wrong").into())
    }
}

fn print_row(operator: &str, name: &str, bytes: u64, time: Duration, segments: u64) {
    let us = time.as_secs_f64() * 1e6;
    let gb_per_s = bytes as f64 / time.as_secs_f64() / 1e9;
    println!("{operator:>9} {name:>16} {us:>10.2} {gb_per_s:>9.1} {segments:>10}");
}
