//! Device time of sums by length, variant, strategy and policy.
//!
//! `cargo bench --bench lengths -- [ADAPTER [LOG2_LENGTH]]`, where ADAPTER is as for `gridfold --adapter` (the
//! default is the best GPU), and LOG2_LENGTH restricts it to one length. Each row is the median of 31 passes
//! after 3 to warm up; inputs rotate, so that caches serve no repeats. Then 20 in one submit, for each: as passes with one
//! output, in one pass with one output, and in one pass with an output each, where nothing waits for another.

#[expect(dead_code, reason = "other benches use the rest")]
mod common;

use common::{Batch, device_time, device_time_in_a_batch, input, length, uniform, upload};
use gridfold::{
    Element, Executor, GpuSlice, Operator, Policy, Precision, Product, Reducer, Strategy, Sum,
    Variant, wgpu,
};

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
    // Beyond any cache; less where a CPU does the work.
    let data_items: u64 = 1 << only_log2_len.unwrap_or(0).max(if is_gpu { 29 } else { 25 });
    let data = upload(context, data_items, uniform)?;

    println!(
        "{:>4} {:7} {:>12} {:>6} {:>9} {:>9} {:>9} {:>9} {:>9}  plan",
        "type", "op", "elements", "offset", "us", "passes", "one pass", "apart", "GB/s"
    );
    let logs: &[u32] =
        if is_gpu { &[10, 16, 20, 22, 24, 25, 26, 28, 29] } else { &[10, 16, 20, 22, 25] };
    let only: Vec<u32> = only_log2_len.into_iter().collect();
    let logs = if only.is_empty() { logs } else { &only };
    for variant in [Variant::Subgroup, Variant::WorkgroupMemory] {
        if variant == Variant::Subgroup && context.capabilities().subgroups.is_none() {
            continue;
        }
        for &log2_len in logs {
            row(&Reducer::<f32, _>::new(context, Sum).variant(variant), &data, 1 << log2_len, 0)?;
            row(&Reducer::<u32, _>::new(context, Sum).variant(variant), &data, 1 << log2_len, 0)?;
        }
    }
    println!("strategies and policies");
    for strategy in [Strategy::TwoPass, Strategy::SinglePass] {
        if strategy == Strategy::SinglePass && !context.capabilities().coherent_memory {
            continue;
        }
        for max_workgroups in [256, 512, 1024, 2048] {
            let policy = Policy { min_rows: 4, max_workgroups };
            for &log2_len in logs {
                let reducer =
                    Reducer::<f32, _>::new(context, Sum).strategy(strategy).policy(policy);
                row(&reducer, &data, 1 << log2_len, 0)?;
                let reducer =
                    Reducer::<u32, _>::new(context, Sum).strategy(strategy).policy(policy);
                row(&reducer, &data, 1 << log2_len, 0)?;
                if 2 << log2_len > data_items {
                    continue;
                }
                let reducer =
                    Reducer::<f64, _>::new(context, Sum).strategy(strategy).policy(policy);
                row(&reducer, &data, 1 << log2_len, 0)?;
                let reducer =
                    Reducer::<u64, _>::new(context, Sum).strategy(strategy).policy(policy);
                row(&reducer, &data, 1 << log2_len, 0)?;
            }
        }
    }
    if !only.is_empty() {
        return Ok(());
    }
    println!("lengths and offsets that are no multiples of anything, and products");
    for &log2_len in &logs[logs.len() - 3..logs.len() - 1] {
        let len = (1 << log2_len) + 1;
        for offset in [0, 1] {
            row(&Reducer::<f32, _>::new(context, Sum), &data, len, offset)?;
            row(&Reducer::<u32, _>::new(context, Sum), &data, len, offset)?;
        }
        row(&Reducer::<f32, _>::new(context, Product), &data, len - 1, 0)?;
    }
    println!("strategies with atomics");
    let floats = Reducer::<f32, _>::new(context, Sum).precision(Precision::Unordered);
    for strategy in [Strategy::WorkgroupAtomic, Strategy::SubgroupAtomic] {
        if strategy == Strategy::SubgroupAtomic && context.capabilities().subgroups.is_none() {
            continue;
        }
        for &log2_len in logs {
            let len = 1 << log2_len;
            row(&floats.clone().strategy(strategy), &data, len, 0)?;
            row(&Reducer::<u32, _>::new(context, Sum).strategy(strategy), &data, len, 0)?;
        }
    }
    Ok(())
}

fn row<T: Element, Op: Operator<T>>(
    reducer: &Reducer<T, Op>,
    data: &[wgpu::Buffer],
    len: u64,
    offset: u64,
) -> Result<(), Box<dyn std::error::Error>> {
    let context = reducer.context();
    let new_output = || {
        GpuSlice::whole(&context.device().create_buffer(&wgpu::BufferDescriptor {
            label: Some("results"),
            size: size_of::<Op::Out>() as u64,
            usage: wgpu::BufferUsages::STORAGE,
            mapped_at_creation: false,
        }))
    };
    let prepare_into = |index, output: &GpuSlice<Op::Out>| {
        let mut input = input::<T>(data, len + offset, index);
        input[0] = input[0].slice(offset..input[0].len()).expect("within");
        Ok(reducer.prepare(input, output)?)
    };
    let output = new_output();
    let prepare = |index| prepare_into(index, &output);
    let plan = prepare(0)?.plan().to_string();
    let single = device_time(context, data, prepare)?;
    let passes = device_time_in_a_batch(context, Batch::Passes, prepare)?;
    let one_pass = device_time_in_a_batch(context, Batch::OnePass, prepare)?;
    let apart = device_time_in_a_batch(context, Batch::OnePass, |index| {
        prepare_into(index, &new_output())
    })?;
    println!(
        "{:>4} {:7} {:>12} {offset:>6} {:>9.2} {:>9.2} {:>9.2} {:>9.2} {:>9.1}  {plan}",
        T::TYPE,
        Op::SPEC.operator,
        length(len),
        single.as_secs_f64() * 1e6,
        passes.as_secs_f64() * 1e6,
        one_pass.as_secs_f64() * 1e6,
        apart.as_secs_f64() * 1e6,
        (len * T::TYPE.size_bytes()) as f64 / single.as_secs_f64() / 1e9,
    );
    Ok(())
}
