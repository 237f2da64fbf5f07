//! Device time of collectives in kernels: sums of a workgroup beside shuffles written by hand, a reduction that ends in a collective and an
//! atomic beside a copy, sorts of a workgroup's keys, and a packed scan beside ballots.
//!
//! `cargo bench --bench collectives -- [ADAPTER [LOG2_LENGTH [lines]]]`, where ADAPTER is as for `gridfold --adapter` (the default is the
//! best GPU), and LOG2_LENGTH is of the words that are read (the default is 28 on GPUs, 20 on drivers in software). Each time is the median
//! of 31 passes after 3 to warm up. All results are compared with the CPU's, or with gridfold's own. CUB's sorts of the same blocks are in
//! benches/nvidia/block_sort.cu. `cargo xtask nvidia` runs these, and beside them the sorts of this bench, as lines of JSON.

#[expect(dead_code, reason = "other benches use the rest")]
#[path = "../common/mod.rs"]
mod common;

use common::{mix, recorded_time, timed_pass, uniform, upload};
use gridfold::{
    Context, Executor, GpuSlice, Reducer, Sum, Variant, wgpu,
    wgsl::{Collective, Collectives},
};
use std::{error::Error, time::Duration};

/// Lanes of all workgroups.
const LANES: u32 = 256;
/// Keys of a lane.
const KEYS: u32 = 16;
/// A workgroup of benches/copy.wgsl copies so many words.
const COPY_WORDS: u64 = 256 * 8 * 4;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

macro_rules! text {
    ($name:literal) => {
        include_str!(concat!($name, ".wgsl"))
    };
}

fn main() -> Result<()> {
    // cargo passes `--bench`.
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let executor = Executor::with_adapter(arguments.next().as_deref().unwrap_or("auto"))?;
    let log2_len: Option<u32> = arguments.next().map(|text| text.parse()).transpose()?;
    let Some(context) = executor.context() else {
        return Err("no GPU found: name a software driver, for example vulkan/llvmpipe".into());
    };
    let as_lines = match arguments.next().as_deref() {
        None => false,
        Some("lines") => true,
        Some(other) => return Err(format!("{other}: the third word can be `lines`").into()),
    };
    let is_gpu = context.device().adapter_info().device_type != wgpu::DeviceType::Cpu;
    let log2_len = log2_len.unwrap_or(if is_gpu { 28 } else { 20 });
    if !(13..=28).contains(&log2_len) {
        return Err("LOG2_LENGTH is 13 to 28".into());
    }
    // The first buffer is what is read: one binding spans it.
    let data = upload(context, 1 << log2_len, uniform)?;
    let bench = Bench { context, data, is_gpu, as_lines };
    if as_lines {
        bench.about();
        return bench.sorts();
    }
    println!("{}", context.adapter());
    println!("{:<58} {:>12}", "what", "us");
    bench.sums()?;
    bench.grid_stride()?;
    bench.sorts()?;
    bench.categories()
}

struct Bench<'a> {
    context: &'a Context,
    data: Vec<wgpu::Buffer>,
    is_gpu: bool,
    as_lines: bool,
}

/// What a dispatch leaves, and how long it takes.
struct Outcome {
    words: Vec<u32>,
    time: Duration,
}

impl Outcome {
    /// Prints a line of the table.
    fn print(&self, what: &str, note: &str) {
        println!("{what:<58} {:>12.2}  {note}", self.time.as_secs_f64() * 1e6);
    }
}

impl Bench<'_> {
    /// A line of JSON, as benches/nvidia/README.md says.
    fn about(&self) {
        let line = serde_json::json!({
            "program": "gridfold",
            "version": format!("gridfold {}, {}", env!("CARGO_PKG_VERSION"), self.context.adapter()),
            "device": self.context.device().adapter_info().name,
        });
        println!("{line}");
    }

    /// The ways of collectives that the device has.
    fn variants(&self) -> Vec<Variant> {
        let has_subgroups = self.collectives(Variant::Subgroup).mechanism().is_ok();
        let subgroup = has_subgroups.then_some(Variant::Subgroup);
        subgroup.into_iter().chain([Variant::WorkgroupMemory]).collect()
    }

    fn collectives(&self, variant: Variant) -> Collectives {
        Collectives::new(self.context).workgroup_size(LANES).variant(variant)
    }

    fn buffer(&self, words: &[u32]) -> wgpu::Buffer {
        let buffer = self.context.device().create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: (4 * words.len() as u64).max(16),
            usage: wgpu::BufferUsages::STORAGE
                | wgpu::BufferUsages::UNIFORM
                | wgpu::BufferUsages::COPY_SRC
                | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        self.context.queue().write_buffer(&buffer, 0, bytemuck::cast_slice(words));
        buffer
    }

    fn pipeline(
        &self,
        text: &str,
        entry_point: &str,
        subgroup_size: Option<u32>,
    ) -> wgpu::ComputePipeline {
        let device = self.context.device();
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("collectives"),
            source: wgpu::ShaderSource::Wgsl(text.into()),
        });
        let constant = subgroup_size.map(|size| ("SUBGROUP_SIZE", f64::from(size)));
        device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some("collectives"),
            layout: None,
            module: &module,
            entry_point: Some(entry_point),
            compilation_options: wgpu::PipelineCompilationOptions {
                constants: constant.as_slice(),
                // Nothing reads workgroup memory that it has not written.
                zero_initialize_workgroup_memory: false,
            },
            cache: None,
        })
    }

    /// Measures dispatches with these buffers, after one whose output, the buffer at binding 1, is read.
    fn measure(
        &self,
        pipeline: &wgpu::ComputePipeline,
        buffers: &[(u32, &wgpu::Buffer)],
        workgroups: u32,
        output_words: u64,
    ) -> Result<Outcome> {
        let entries: Vec<_> = buffers
            .iter()
            .map(|&(binding, buffer)| wgpu::BindGroupEntry {
                binding,
                resource: buffer.as_entire_binding(),
            })
            .collect();
        let bind_group = self.context.device().create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &entries,
        });
        let record = |pass: &mut wgpu::ComputePass<'_>| {
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, &bind_group, &[]);
            pass.dispatch_workgroups(workgroups, 1, 1);
        };
        let mut encoder = self.context.device().create_command_encoder(&Default::default());
        record(&mut encoder.begin_compute_pass(&Default::default()));
        self.context.queue().submit([encoder.finish()]);
        let output = buffers.iter().find(|(binding, _)| *binding == 1).ok_or("an output")?.1;
        let words = common::read(self.context, &GpuSlice::whole(output).slice(0..output_words)?)?;
        let time = recorded_time(self.context, &self.data, |_, encoder, timer| {
            record(&mut timed_pass(encoder, "collectives", timer));
            Ok(())
        })?;
        Ok(Outcome { words, time })
    }

    /// `workgroup_reduce_all` of 256 lanes, again and again, beside shuffles written by hand.
    fn sums(&self) -> Result<()> {
        let (workgroups, rounds) = if self.is_gpu { (1024, 1024) } else { (16, 64) };
        let lanes = workgroups * LANES;
        let output = self.buffer(&vec![0; lanes as usize]);
        let sizes = self.context.capabilities().subgroups;
        let by_hand = sizes.filter(|sizes| sizes.min == sizes.max).map(|sizes| sizes.max);
        for element in ["u32", "f32", "f32, one of them subnormal"] {
            let (value, lane_0) = match element {
                "u32" => (text!("value_u32"), 0),
                "f32" => (text!("value_f32"), 0),
                // The least subnormal number is out of the range that devices add quickly.
                _ => (text!("value_f32"), 1),
            };
            let params = self.buffer(&[0, rounds, lane_0, 0]);
            let buffers = [(0, &params), (1, &output)];
            let expected: Vec<u32> =
                (0..workgroups).map(|number| last_total(number * LANES, rounds, element)).collect();
            let measure = |what: &str, pipeline: &wgpu::ComputePipeline| -> Result<Outcome> {
                let outcome = self.measure(pipeline, &buffers, workgroups, lanes.into())?;
                let mut sums = outcome.words.chunks(LANES as usize).zip(&expected);
                match sums.all(|(found, expected)| found.iter().all(|found| found == expected)) {
                    true => Ok(outcome),
                    false => Err(format!("sums of {element}, {what}, are wrong").into()),
                }
            };
            let what = format!("{element}: {rounds} sums of {workgroups} workgroups, ");
            let mut hand = None;
            // A device's own adder may flush a subnormal number.
            for (by, loops) in [
                ("by hand, in loops", text!("by_hand_loops")),
                ("by hand, turn by turn", text!("by_hand_turns")),
            ] {
                let Some(size) = by_hand.filter(|_| ["u32", "f32"].contains(&element)) else {
                    continue;
                };
                let text = [text!("repeated"), value, text!("by_hand"), loops].join("\n");
                let outcome = measure(by, &self.pipeline(&text, "main", Some(size)))?;
                outcome.print(&[&what, by].concat(), "");
                hand = Some(outcome.time);
            }
            for variant in self.variants() {
                let collectives = self.collectives(variant).with([Collective::Reduce]);
                let collectives = match element {
                    "u32" => collectives.operator::<u32, _>("sum", Sum),
                    _ => collectives.operator::<f32, _>("sum", Sum),
                };
                let source = collectives.source()?;
                let text = [&source, text!("repeated"), value, text!("by_collectives")].join("\n");
                let outcome = measure(variant.name(), &self.pipeline(&text, "main", None))?;
                let ratio = hand.map(|hand| outcome.time.as_secs_f64() / hand.as_secs_f64());
                let note =
                    ratio.map(|ratio| format!("{ratio:.2} of the row above")).unwrap_or_default();
                outcome.print(&[&what, variant.name()].concat(), &note);
            }
        }
        Ok(())
    }

    /// A kernel that reads everything, and ends in a collective and an atomic.
    fn grid_stride(&self) -> Result<()> {
        let data = &self.data[0];
        let len = data.size() / 4;
        let copied = common::results(self.context, data.size());
        let pipeline = self.pipeline(include_str!("../copy.wgsl"), "copy", None);
        let workgroups = u32::try_from(len / COPY_WORDS)?;
        let copy = self.measure(&pipeline, &[(0, data), (1, &copied)], workgroups, 16)?;
        let gb_per_s = |bytes: u64, time: Duration| bytes as f64 / time.as_secs_f64() / 1e9;
        let copy_speed = gb_per_s(2 * data.size(), copy.time);
        copy.print("a copy", &format!("{copy_speed:.0} GB/s read and written"));

        // gridfold's own sum.
        let expected: u32 = {
            let output = common::results(self.context, 16);
            let output = GpuSlice::<u32>::whole(&output).slice(0..1)?;
            let input = GpuSlice::<u32>::whole(data);
            let prepared = Reducer::<u32, _>::new(self.context, Sum).prepare(input, &output)?;
            let mut encoder = self.context.device().create_command_encoder(&Default::default());
            prepared.record(&mut encoder);
            self.context.queue().submit([encoder.finish()]);
            common::read(self.context, &output)?[0]
        };
        for variant in self.variants() {
            let collectives =
                self.collectives(variant).operator::<u32, _>("sum", Sum).with([Collective::Reduce]);
            let text = [collectives.source()?.as_str(), text!("grid_stride")].join("\n");
            let pipeline = self.pipeline(&text, "main", None);
            let vectors = u32::try_from(len / 4)?;
            let workgroups = vectors.div_ceil(16 * LANES).min(2048);
            // Of four loads each, as in the kernel.
            let rounds = vectors.div_ceil(4 * LANES * workgroups);
            let params = self.buffer(&[vectors, workgroups, rounds]);
            let total = self.buffer(&[0]);
            let buffers = [(0, &params), (1, &total), (2, data)];
            let outcome = self.measure(&pipeline, &buffers, workgroups, 1)?;
            if outcome.words != [expected] {
                let found = &outcome.words;
                return Err(format!("the sum is {found:?}, and should be {expected}").into());
            }
            let speed = gb_per_s(data.size(), outcome.time);
            let what = format!("u32 sum by strides, {}", variant.name());
            let of_copy = speed / copy_speed;
            outcome.print(&what, &format!("{speed:.0} GB/s read, {of_copy:.2} of the copy"));
        }
        Ok(())
    }

    /// Blocks of 4096 keys, each sorted by a workgroup.
    fn sorts(&self) -> Result<()> {
        let block = u64::from(LANES * KEYS);
        let most = u32::try_from(self.data[0].size() / 4 / block)?;
        let all = if self.is_gpu { 4096 } else { 16 };
        let sorted = common::results(self.context, 4 * block * u64::from(most.min(all)));
        for variant in self.variants() {
            let collectives = self
                .collectives(variant)
                .items_per_lane(KEYS)
                .with([Collective::Sort, Collective::Exchange]);
            let text = [collectives.source()?.as_str(), text!("block_sort")].join("\n");
            let pipeline = self.pipeline(&text, "main", None);
            for blocks in [1, most.min(all)] {
                let buffers = [(1, &sorted), (2, &self.data[0])];
                let len = block * u64::from(blocks);
                let outcome = self.measure(&pipeline, &buffers, blocks, len)?;
                let mut expected: Vec<u32> =
                    (0..u32::try_from(len)?).map(|number| uniform(number).to_bits()).collect();
                let size = usize::try_from(block)?;
                expected.chunks_mut(size).for_each(<[u32]>::sort_unstable);
                if outcome.words != expected {
                    return Err(format!("keys are not in order, {}", variant.name()).into());
                }
                if self.as_lines {
                    let line = serde_json::json!({
                        "program": "gridfold",
                        "op": format!("sort of blocks of {block}"),
                        "type": "u32",
                        "mode": variant.name(),
                        "log2_len": len.ilog2(),
                        "us": outcome.time.as_secs_f64() * 1e6,
                    });
                    println!("{line}");
                    continue;
                }
                let per_s = len as f64 / outcome.time.as_secs_f64() / 1e9;
                let each = outcome.time.as_secs_f64() * 1e6 / f64::from(blocks);
                let what = format!("sorts of {block} u32, blocks: {blocks}, {}", variant.name());
                outcome.print(&what, &format!("{each:.3} us for each, {per_s:.2} G keys/s"));
            }
        }
        Ok(())
    }

    /// Numbers within five categories, by the kernels of an example.
    fn categories(&self) -> Result<()> {
        const DX12: &str = ", @builtin(num_subgroups) num_subgroups: u32";
        let len: u32 = if self.is_gpu { 1 << 24 } else { 1 << 14 };
        let workgroups = len / LANES;
        let values: Vec<u32> = (0..len).map(|number| mix(number) >> 23).collect();
        let mut counts = [0; 5];
        let mut expected = Vec::new();
        for (number, &value) in (0u32..).zip(&values) {
            if number.is_multiple_of(LANES) {
                counts = [0u32; 5];
            }
            let count = &mut counts[(value as usize / 100).min(4)];
            expected.push(*count);
            *count += 1;
        }
        let params = self.buffer(&[len]);
        let [input, ranks] = [&values, &vec![0; values.len()]].map(|words| self.buffer(words));
        let counts = self.buffer(&vec![0; 5 * workgroups as usize]);
        for variant in self.variants() {
            let collectives = self.collectives(variant).operator::<u64, _>("packed", Sum).with([
                Collective::Reduce,
                Collective::Scan,
                Collective::Vote,
                Collective::Rank,
            ]);
            let kernel =
                include_str!("../../examples/category_ranks/kernel.wgsl").replace(DX12, "");
            let text = [collectives.source()?, kernel].join("\n");
            for way in ["by_packed_scan", "by_ballots"] {
                let pipeline = self.pipeline(&text, way, None);
                let buffers = [(0, &params), (1, &ranks), (2, &input), (3, &counts)];
                let outcome =
                    self.measure(&pipeline, &buffers, workgroups.min(65_535), len.into())?;
                let whole = (workgroups.min(65_535) * LANES) as usize;
                if outcome.words[..whole] != expected[..whole] {
                    return Err(format!("numbers in categories, {way}, are wrong").into());
                }
                let what = format!("five categories, {way}, {}", variant.name());
                let each = outcome.time.as_secs_f64() * 1e9 / f64::from(workgroups.min(65_535));
                outcome.print(&what, &format!("{each:.2} ns for each workgroup"));
            }
        }
        Ok(())
    }
}

/// The last of a workgroup's sums, as the kernels make them.
fn last_total(begin: u32, rounds: u32, element: &str) -> u32 {
    let numbers = begin..begin + LANES;
    if element == "u32" {
        let firsts: Vec<u32> = numbers.map(|number| number.wrapping_mul(2_654_435_761)).collect();
        let total =
            |last: u32| firsts.iter().fold(0u32, |sum, first| sum.wrapping_add(first ^ last));
        return (0..rounds).fold(0, |last, _| total(last));
    }
    // Small whole numbers, whose sums are exact; a subnormal one in the first lane leaves no trace.
    let skipped = usize::from(element != "f32");
    let sum: u32 = numbers.skip(skipped).map(|number| 1 + (number & 15)).sum();
    let sum = f64::from(sum);
    let total = |last: f64| if last.abs() % 2.0 == 1.0 { -sum } else { sum };
    #[expect(clippy::cast_possible_truncation, reason = "a small whole number")]
    let total = (0..rounds).fold(0.0, |last, _| total(last)) as f32;
    total.to_bits()
}
