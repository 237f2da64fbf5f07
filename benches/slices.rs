//! Device time of sums of inputs in one buffer and in several, by how many elements of which buffer come one after another.
//!
//! `cargo bench --bench slices -- [ADAPTER [LOG2_LENGTH]]`, where ADAPTER is as for `gridfold --adapter` (the default is the best GPU), and
//! LOG2_LENGTH is of all elements (the default is 30). Each row is the median of 31 passes after 3 to warm up.

#[expect(dead_code, reason = "other benches use the rest")]
mod common;

use common::{device_time, results, uniform, upload};
use gridfold::{Context, Element, Executor, GpuSlice, Operator, Policy, Reducer, Sum, wgpu};
use std::{error::Error, ops::Range};

fn main() -> Result<(), Box<dyn Error>> {
    // cargo passes `--bench`.
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let executor = Executor::with_adapter(arguments.next().as_deref().unwrap_or("auto"))?;
    let log2_len: Option<u32> = arguments.next().map(|text| text.parse()).transpose()?;
    let Some(context) = executor.context() else {
        return Err("no GPU found: name a software driver, for example vulkan/llvmpipe".into());
    };
    println!("{}", context.adapter());
    let len = 1u64 << log2_len.unwrap_or(30);
    let data = upload(context, len, uniform)?;
    println!("{:>4} {:>10} {:>9} {:>9}  slices, and the plan", "type", "elements", "us", "GB/s");
    let whole = data[0].size() / 4;
    let quarter = len / 4;
    // Of each slice the buffer, and which elements.
    let mut rows: Vec<Vec<(usize, Range<u64>)>> = vec![
        vec![(0, 0..quarter)],
        vec![(0, 0..quarter), (0, quarter..2 * quarter - 4096)],
        vec![(0, 0..quarter), (0, quarter..quarter + (1 << 12))],
        vec![(0, 0..quarter), (0, quarter..quarter + (1 << 16))],
        vec![(0, 0..quarter), (0, quarter..quarter + (1 << 19))],
        vec![(0, 0..whole)],
    ];
    if data.len() > 1 {
        let all = data.iter().enumerate().map(|(index, buffer)| (index, 0..buffer.size() / 4));
        rows.push(all.collect());
    }
    rows.retain(|row| row.iter().all(|(_, range)| range.end <= whole));
    let policies = [512, 2048].map(|max_workgroups| Policy { min_rows: 4, max_workgroups });
    for slices in &rows {
        let reducer = Reducer::<u32, _>::new(context, Sum);
        row(&reducer, &data, slices)?;
        row(&Reducer::<f32, _>::new(context, Sum), &data, slices)?;
        for policy in policies {
            row(&Reducer::<u32, _>::new(context, Sum).policy(policy), &data, slices)?;
        }
    }
    Ok(())
}

fn row<T: Element, Op: Operator<T>>(
    reducer: &Reducer<T, Op>,
    data: &[wgpu::Buffer],
    slices: &[(usize, Range<u64>)],
) -> Result<(), Box<dyn Error>> {
    let context: &Context = reducer.context();
    let parts = slices.iter().map(|(buffer, range)| {
        GpuSlice::<T>::whole(&data[*buffer]).slice(range.clone()).expect("within")
    });
    let input: Vec<GpuSlice<T>> = parts.collect();
    let output = GpuSlice::whole(&results(context, 4));
    let plan = reducer.prepare(&input, &output)?.plan().to_string();
    let time = device_time(context, data, |_| Ok(reducer.prepare(&input, &output)?))?;
    let len: u64 = slices.iter().map(|(_, range)| range.end - range.start).sum();
    println!(
        "{:>4} {len:>10} {:>9.2} {:>9.1}  {slices:?}: {plan}",
        T::TYPE,
        time.as_secs_f64() * 1e6,
        (4 * len) as f64 / time.as_secs_f64() / 1e9,
    );
    Ok(())
}
