//! Device time of scans by length, type, variant, strategy and policy, of selections, and of histograms, beside a copy of as many bytes.
//!
//! `cargo bench --bench scan -- [ADAPTER [LOG2_LENGTHS]]`, where ADAPTER is as for `gridfold --adapter` (the default is the best GPU), and
//! LOG2_LENGTHS are numbers with commas between them. Each row is the median of 31 passes after 3 to warm up; inputs rotate, so that
//! caches serve no repeats. Before it is measured, each scan is compared with the CPU's, up to 2^22 elements. Selections keep every second
//! element, in no pattern, by masks of a byte each; runs have seven elements. Their rows count the bytes read and written once. Those that begin with
//! `finds` are by default, and tell in how many passes; those of two passes and of a single one come behind them.
//!
//! `cargo xtask nvidia --scans` sets some rows beside CUB's.

#[expect(dead_code, reason = "other benches use the rest")]
mod common;

use common::{
    input, input_range, length, made, mix, read, recorded_time, results, timed_pass, uniform,
    upload,
};
use gridfold::{
    Bins, Bool, Compaction, Compactor, Context, DeviceTimer, Element, Executor, GpuSlice,
    Histogram, Operator, Policy, Scan, Scanner, Strategy, Sum, Variant, wgpu,
};
use std::{error::Error, time::Duration};

/// Of equal elements, which are selected once.
const RUN_LENGTH: u32 = 7;
/// Results of more elements are not compared with the CPU's.
const MAX_CHECKED_LOG2: u32 = 22;
const MAX_LOG2: u32 = 30;

fn main() -> Result<(), Box<dyn Error>> {
    // cargo passes `--bench`.
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let executor = Executor::with_adapter(arguments.next().as_deref().unwrap_or("auto"))?;
    let only = arguments.next().map(|list| parse(&list)).transpose()?;
    let Some(context) = executor.context() else {
        return Err("no GPU found: name a software driver, for example vulkan/llvmpipe".into());
    };
    println!("{}", context.adapter());
    let is_gpu = context.device().adapter_info().device_type != wgpu::DeviceType::Cpu;
    let logs: &[u32] =
        if is_gpu { &[10, 12, 14, 16, 18, 20, 22, 24, 26, 28] } else { &[10, 16, 20, 22] };
    let logs = only.as_deref().unwrap_or(logs);
    let longest = logs.iter().copied().max().unwrap_or(0);
    // Beyond any cache.
    let data_items: u64 = 1 << longest.max(if is_gpu { 28 } else { 24 });
    let bench = Bench {
        context,
        data: upload(context, data_items, uniform)?,
        // Four flags in a word.
        flags: upload(context, data_items / 4, |word| f32::from_bits(mix(word) & 0x0101_0101))?,
        runs: upload(context, data_items, |number| f32::from_bits(number / RUN_LENGTH))?,
        bytes: upload(context, data_items / 4, |word| f32::from_bits(mix(word)))?,
        equal: upload(context, data_items / 4, |_| f32::from_bits(0x3d3d_3d3d))?,
        results: results(context, 4 << longest),
        lengths: results(context, (8 << longest) / u64::from(RUN_LENGTH) + 16),
        host: made(1 << longest.min(MAX_CHECKED_LOG2), uniform),
    };
    println!("{:>6} {:>9} {:>10} {:>9}  how", "type", "elements", "us", "GB/s");
    for &log2_len in logs {
        bench.copy(log2_len)?;
        bench.rows(log2_len, Variant::Auto, Strategy::Auto, None)?;
        for variant in [Variant::Subgroup, Variant::WorkgroupMemory] {
            if variant == Variant::Subgroup && context.capabilities().subgroups.is_none() {
                continue;
            }
            bench.rows(log2_len, variant, Strategy::TwoPass, None)?;
            if context.capabilities().coherent_memory {
                bench.rows(log2_len, variant, Strategy::SinglePass, None)?;
            }
        }
        for (min_rows, max_workgroups) in [(4, 2048), (16, 2048), (16, 1024)] {
            let policy = Some(Policy { min_rows, max_workgroups });
            bench.rows(log2_len, Variant::Auto, Strategy::TwoPass, policy)?;
        }
        bench.selections(log2_len)?;
        bench.histogram(log2_len, 256)?;
        bench.histogram(log2_len, 4096)?;
        bench.histogram_of_bytes(log2_len, &bench.bytes, "random bytes")?;
        bench.histogram_of_bytes(log2_len, &bench.equal, "equal bytes")?;
    }
    Ok(())
}

fn parse(list: &str) -> Result<Vec<u32>, Box<dyn Error>> {
    let parse = |text: &str| text.parse().ok().filter(|&log2_len| log2_len <= MAX_LOG2);
    list.split(',').map(parse).collect::<Option<_>>().ok_or_else(|| {
        format!("{list}: lengths are powers of two up to 2^{MAX_LOG2}, as `20,28`").into()
    })
}

struct Bench<'a> {
    context: &'a Context,
    data: Vec<wgpu::Buffer>,
    flags: Vec<wgpu::Buffer>,
    runs: Vec<wgpu::Buffer>,
    /// Random bytes, and equal ones.
    bytes: Vec<wgpu::Buffer>,
    equal: Vec<wgpu::Buffer>,
    results: wgpu::Buffer,
    lengths: wgpu::Buffer,
    /// What the data begins with.
    host: Vec<f32>,
}

impl Bench<'_> {
    fn rows(
        &self,
        log2_len: u32,
        variant: Variant,
        strategy: Strategy,
        policy: Option<Policy>,
    ) -> Result<(), Box<dyn Error>> {
        self.row::<u32, _>(log2_len, variant, strategy, policy, Sum)?;
        self.row::<f32, _>(log2_len, variant, strategy, policy, Sum)
    }

    /// Exclusive scans of a length.
    fn row<T: Element, Op: Operator<T, Out = T> + Copy>(
        &self,
        log2_len: u32,
        variant: Variant,
        strategy: Strategy,
        policy: Option<Policy>,
        op: Op,
    ) -> Result<(), Box<dyn Error>> {
        let len = 1 << log2_len;
        let scanner = Scanner::<T, _>::new(self.context, op).exclusive();
        let mut scanner = scanner.variant(variant).strategy(strategy);
        if let Some(policy) = policy {
            scanner = scanner.policy(policy);
        }
        let output = GpuSlice::<T>::whole(&self.results).slice(0..len)?;
        if log2_len <= MAX_CHECKED_LOG2 {
            let range = input_range::<T>(&self.data, len, 0);
            let elements: &[T] = bytemuck::cast_slice(&self.host[range]);
            scanner.scan_blocking(input::<T>(&self.data, len, 0), &output)?;
            let found: Vec<T> = read(self.context, &output)?;
            let wanted = Executor::cpu().scan(Scan::exclusive(), elements, op)?;
            if bytemuck::cast_slice::<T, u8>(&found) != bytemuck::cast_slice::<T, u8>(&wanted) {
                return Err(format!("a scan of {len} {} is wrong", T::TYPE).into());
            }
        }
        let time = self.time(|index, encoder, timer| {
            let prepared = scanner.prepare(input::<T>(&self.data, len, index), &output)?;
            prepared.record_timed(encoder, timer.timestamp_writes());
            Ok(())
        })?;
        let plan = scanner.plan(input::<T>(&self.data, len, 0), &output)?;
        let is_default =
            matches!((variant, strategy, policy), (Variant::Auto, Strategy::Auto, None));
        let how = format!("{}{plan}", if is_default { "by default: " } else { "" });
        print_row(T::TYPE.name(), len, 2 * len * T::TYPE.size_bytes(), time, &how);
        Ok(())
    }

    /// Selections of a length.
    fn selections(&self, log2_len: u32) -> Result<(), Box<dyn Error>> {
        let len = 1u64 << log2_len;
        let values = |index| input::<u32>(&self.data, len, index);
        let runs = |index| input::<u32>(&self.runs, len, index);
        let mask = |index| input::<Bool>(&self.flags, len, index);
        let output = GpuSlice::<u32>::whole(&self.results).slice(0..len)?;
        let found = len.div_ceil(u64::from(RUN_LENGTH)) + 1;
        let firsts = output.slice(0..found)?;
        let lengths = GpuSlice::<u64>::whole(&self.lengths).slice(0..found)?;
        let short_lengths = GpuSlice::<u32>::whole(&self.lengths).slice(0..found)?;
        let (read, kept) = (5 * len, 2 * len);
        let has_single_passes = self.context.capabilities().coherent_memory;
        let single_pass = has_single_passes.then_some(Strategy::SinglePass);
        let strategies = [Some(Strategy::Auto), Some(Strategy::TwoPass), single_pass];
        for strategy in strategies.into_iter().flatten() {
            self.selection("select", len, strategy, read + kept, |index| {
                Compaction::select(values(index), mask(index), &output)
            })?;
            self.selection("uniq", len, strategy, 4 * (len + found), |index| {
                Compaction::unique(runs(index), &firsts)
            })?;
            self.selection("rle", len, strategy, 4 * (len + found) + 4 * found, |index| {
                Compaction::run_lengths(runs(index), &firsts, &short_lengths)
            })?;
            self.selection("rle64", len, strategy, 4 * (len + found) + 8 * found, |index| {
                Compaction::run_lengths(runs(index), &firsts, &lengths)
            })?;
        }
        // It has no single pass.
        self.selection("part", len, Strategy::Auto, read + 4 * len, |index| {
            Compaction::partition(values(index), mask(index), &output)
        })
    }

    fn selection(
        &self,
        name: &str,
        len: u64,
        strategy: Strategy,
        bytes: u64,
        make: impl Fn(u64) -> Compaction,
    ) -> Result<(), Box<dyn Error>> {
        let compactor = Compactor::new(self.context).strategy(strategy);
        let count = GpuSlice::<u64>::whole(&results(self.context, 8));
        let time = self.time(|index, encoder, timer| {
            let prepared = compactor.prepare(&make(index), &count)?;
            prepared.record_in(&mut timed_pass(encoder, name, timer));
            Ok(())
        })?;
        let found = read::<u64>(self.context, &count)?[0];
        let plan = compactor.plan(&make(0), &count)?;
        let how = match strategy {
            Strategy::Auto => format!("finds {found}, by default: {}", plan.strategy.name()),
            _ => format!("{}: finds {found}", plan.strategy.name()),
        };
        print_row(name, len, bytes, time, &how);
        Ok(())
    }

    /// Of f32s in bins of equal width.
    fn histogram(&self, log2_len: u32, bins: u64) -> Result<(), Box<dyn Error>> {
        let len = 1u64 << log2_len;
        let histogram = Histogram::<f32>::new(self.context);
        let counts = GpuSlice::<u32>::whole(&results(self.context, 4 * bins));
        let bins = Bins::even(bins, 0.0..=1.0)?;
        let time = self.time(|index, encoder, timer| {
            let prepared =
                histogram.prepare(input::<f32>(&self.data, len, index), &bins, &counts)?;
            prepared.record_in(&mut timed_pass(encoder, "histogram", timer));
            Ok(())
        })?;
        let first = read::<u32>(self.context, &counts)?[0];
        let found = format!("{} bins, {first} in the first", counts.len());
        print_row("hist", len, 4 * len, time, &found);
        Ok(())
    }

    /// Of bytes, in a bin for each.
    fn histogram_of_bytes(
        &self,
        log2_len: u32,
        data: &[wgpu::Buffer],
        what: &str,
    ) -> Result<(), Box<dyn Error>> {
        let len = 1u64 << log2_len;
        let histogram = Histogram::<u8>::new(self.context);
        let counts = GpuSlice::<u32>::whole(&results(self.context, 4 * 256));
        let bins = Bins::even(256, 0.0..=256.0)?;
        let time = self.time(|index, encoder, timer| {
            let prepared = histogram.prepare(input::<u8>(data, len, index), &bins, &counts)?;
            prepared.record_in(&mut timed_pass(encoder, "histogram", timer));
            Ok(())
        })?;
        let found = read::<u32>(self.context, &counts)?;
        print_row("hist", len, len, time, &format!("{what}, 256 bins, {} of 61", found[61]));
        Ok(())
    }

    /// As many bytes, copied as fast as the memory.
    fn copy(&self, log2_len: u32) -> Result<(), Box<dyn Error>> {
        // As in `copy.wgsl`.
        const WORKGROUP_WORDS: u64 = 256 * 8 * 4;
        let len = 1u64 << log2_len;
        let workgroups = len / WORKGROUP_WORDS;
        if workgroups == 0 {
            return Ok(());
        }
        let device = self.context.device();
        let module = device.create_shader_module(wgpu::include_wgsl!("copy.wgsl"));
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some("copy"),
            layout: None,
            module: &module,
            entry_point: None,
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        let time = self.time(|index, encoder, timer| {
            let source = &input::<u32>(&self.data, len, index)[0];
            let binding = |buffer, offset| {
                let size = wgpu::BufferSize::new(4 * len);
                wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer, offset, size })
            };
            let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("copy"),
                layout: &pipeline.get_bind_group_layout(0),
                entries: &[
                    wgpu::BindGroupEntry {
                        binding: 0,
                        resource: binding(source.buffer(), source.offset_bytes()),
                    },
                    wgpu::BindGroupEntry { binding: 1, resource: binding(&self.results, 0) },
                ],
            });
            let mut pass = timed_pass(encoder, "copy", timer);
            pass.set_pipeline(&pipeline);
            pass.set_bind_group(0, &group, &[]);
            pass.dispatch_workgroups(u32::try_from(workgroups)?, 1, 1);
            Ok(())
        })?;
        print_row("copy", len, 8 * len, time, "16 bytes at a time");
        Ok(())
    }

    fn time(
        &self,
        record: impl Fn(u64, &mut wgpu::CommandEncoder, &DeviceTimer) -> Result<(), Box<dyn Error>>,
    ) -> Result<Duration, Box<dyn Error>> {
        recorded_time(self.context, &self.data, record)
    }
}

fn print_row(name: &str, len: u64, bytes: u64, time: Duration, how: &str) {
    let us = time.as_secs_f64() * 1e6;
    let gb_per_s = bytes as f64 / time.as_secs_f64() / 1e9;
    println!("{name:>6} {:>9} {us:>10.2} {gb_per_s:>9.1}  {how}", length(len));
}
