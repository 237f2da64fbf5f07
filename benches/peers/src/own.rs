//! gridfold itself.

use crate::bench::{Bench, Record, ToHost};
use gridfold::{Element, GpuSlice, Operator, Reducer, wgpu};
use std::{error::Error, ops::Range};

/// The plan, and what records the reduction of an input's number.
pub fn record<'a, Op: Operator<u32> + 'a>(bench: &Bench, reducer: &Reducer<u32, Op>, len: u32, output: &wgpu::Buffer) -> Result<(String, Record<'a>), Box<dyn Error>> {
    let output = GpuSlice::whole(output);
    let prepared = (0..bench.inputs(len))
        .map(|index| {
            let (buffer, Range { start, end }) = bench.input(len, index);
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

/// Reduces inputs of `buffer`; `value` makes a number of a result.
pub fn to_host<'a, T: Element, Op: Operator<T> + 'a>(reducer: Reducer<T, Op>, buffer: &'a wgpu::Buffer, len: u32, value: impl Fn(Op::Value) -> Option<f64> + 'a) -> ToHost<'a> {
    Box::new(move |index| {
        let begin = index as u64 * u64::from(len);
        let input = GpuSlice::whole(buffer).slice(begin..begin + u64::from(len))?;
        value(reducer.reduce_blocking(input)?).ok_or_else(|| "there are elements".into())
    })
}
