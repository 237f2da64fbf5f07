//! lampshade: sums, minima and maxima of u32, recorded into an encoder.
//!
//! This is its typed recorder, whose scratch memory is reserved beforehand. Creating its bind groups, which it does while
//! it records, is not timed.

use crate::{
    bench::{Bench, Record},
    own,
};
use gridfold::{Max, Min, Operator, Reducer, Sum, wgpu};
use lampshade::{
    U32Reduction,
    pipeline::{self, Primitives, WorkspaceRequirements},
};
use std::error::Error;

/// A table of device times.
pub fn table(bench: &Bench) -> Result<(), Box<dyn Error>> {
    println!("lampshade, of u32; us: medians of {}", bench.what_is_measured());
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
    for len in bench.lens() {
        let expected = bench.expected(len);
        row(bench, len, U32Reduction::Sum, Sum, &|index| expected[index].sum)?;
        row(bench, len, U32Reduction::Min, Min, &|index| expected[index].min)?;
        row(bench, len, U32Reduction::Max, Max, &|index| expected[index].max)?;
    }
    Ok(())
}

fn row<Op: Operator<u32>>(bench: &Bench, len: u32, operation: U32Reduction, op: Op, expected: &dyn Fn(usize) -> u32) -> Result<(), Box<dyn Error>> {
    let output = bench.output();
    let reducer = Reducer::<u32, _>::new(&bench.context, op);
    let (plan, gridfold) = own::record(bench, &reducer, len, &output)?;
    let mut contenders = [gridfold, record(bench, operation, len, &output)?];
    let times = bench.measure(len, &mut contenders, &output, expected)?;
    let [gridfold, lampshade] = &times[..] else { return Err("there are two".into()) };
    println!(
        "{:3} {:>8} {:>12.2} {:>12.2} {:>7.2} {:>8.2} {:>14.1} {:>14.1} {:>7}  {plan}",
        op.spec().operator.to_string(),
        format!("2^{}", len.ilog2()),
        gridfold.median() * 1e6,
        lampshade.median() * 1e6,
        lampshade.median() / gridfold.median(),
        lampshade.fastest() / gridfold.fastest(),
        gb_per_s(len, gridfold.median()),
        gb_per_s(len, lampshade.median()),
        gridfold.rounds(),
    );
    Ok(())
}

fn gb_per_s(len: u32, seconds: f64) -> f64 {
    f64::from(len) * 4.0 / seconds / 1e9
}

/// What records the reduction of an input's number.
pub fn record<'a>(
    bench: &'a Bench,
    operation: U32Reduction,
    len: u32,
    output: &'a wgpu::Buffer,
) -> Result<Record<'a>, Box<dyn Error>> {
    let (device, queue) = (bench.context.device(), bench.context.queue());
    let mut primitives = Primitives::new_for_adapter(device, queue, &bench.info);
    primitives.reserve_workspace(WorkspaceRequirements::new(len).fixed_reduce())?;
    Ok(Box::new(move |encoder, index| {
        let (buffer, range) = bench.input(len, index);
        let input = pipeline::GpuSlice::from_range(buffer, range)?;
        let output = pipeline::GpuSliceMut::from_range(output, 0..1)?;
        Ok(primitives.record(encoder).reduce(input, output, operation)?)
    }))
}
