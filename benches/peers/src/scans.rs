//! gridfold's inclusive scans and selections of u32s, and lampshade's, recorded into encoders.
//!
//! Masks have a `u32` for each element, as lampshade's have to: every second element is selected, in no pattern. lampshade scans whole buffers,
//! so inputs of scans begin where a buffer does, and there are as many as there are buffers. Creating its bind groups, which it does while it
//! records, is not timed.

use crate::{
    bench::{Bench, Record, Word},
    numbers::{self, Expected},
};
use gridfold::{Compaction, Compactor, GpuSlice, Scanner, Sum, wgpu};
use lampshade::pipeline::{self, GpuCount, Primitives, WorkspaceRequirements};
use std::{error::Error, ops::Range};

/// Results of more elements are not read as a whole.
const MAX_CHECKED_LEN: u32 = 1 << 22;

/// A table of device times.
pub fn table(bench: &Bench) -> Result<(), Box<dyn Error>> {
    println!(
        "scans and selections of u32, beside lampshade; us: medians of {}",
        bench.what_is_measured()
    );
    println!("ratio: lampshade's time to gridfold's");
    println!(
        "{:9} {:>8} {:>12} {:>12} {:>7}",
        "", "elements", "gridfold us", "lampshade us", "ratio"
    );
    let longest = bench.lens().max().ok_or("there are lengths")?;
    let mask = bench.upload(longest, numbers::keeps)?;
    let output = bench.words(longest);
    for len in bench.lens() {
        scan(bench, len, &output)?;
        select(bench, len, &mask, &output)?;
    }
    Ok(())
}

fn scan(bench: &Bench, len: u32, output: &wgpu::Buffer) -> Result<(), Box<dyn Error>> {
    let (device, queue) = (bench.context.device(), bench.context.queue());
    let scanner = Scanner::<u32, _>::new(&bench.context, Sum);
    let results = GpuSlice::<u32>::whole(output).slice(0..len.into())?;
    let prepared = bench
        .integers
        .iter()
        .map(|buffer| Ok(scanner.prepare(GpuSlice::whole(buffer).slice(0..len.into())?, &results)?))
        .collect::<Result<Vec<_>, Box<dyn Error>>>()?;
    let mut lampshades = lampshade::Scanner::new_for_adapter(device, queue, &bench.info);
    let contenders: [Record<'_>; 2] = [
        Box::new(|encoder, index| {
            prepared[index].record(encoder);
            Ok(())
        }),
        Box::new(|encoder, index| {
            Ok(lampshades.record_scan(encoder, &bench.integers[index], output, len)?)
        }),
    ];
    // Buffers follow one another through the elements.
    let numbers = |index| begin_of(bench, index)..begin_of(bench, index) + len;
    let totals: Vec<u32> =
        (0..bench.integers.len()).map(|index| Expected::of(numbers(index)).sum).collect();
    let wanted = || -> Vec<u32> {
        let elements = numbers(0).map(numbers::mix);
        let running = elements.scan(0u32, |total, element| {
            *total = total.wrapping_add(element);
            Some(*total)
        });
        running.collect()
    };
    let word = Word { buffer: output, offset: u64::from(len - 1) * 4 };
    let inputs = bench.integers.len();
    row(bench, "scan", len, (contenders, inputs), (output, word), &wanted, &|index| totals[index])
}

/// The number of a buffer's first element.
fn begin_of(bench: &Bench, index: usize) -> u32 {
    index as u32 * bench.buffer_items
}

fn select(
    bench: &Bench,
    len: u32,
    mask: &wgpu::Buffer,
    output: &wgpu::Buffer,
) -> Result<(), Box<dyn Error>> {
    let (device, queue) = (bench.context.device(), bench.context.queue());
    let count = bench.words(2);
    let compactor = Compactor::new(&bench.context);
    let results = GpuSlice::<u32>::whole(output).slice(0..len.into())?;
    let slice = |buffer, Range { start, end }: &Range<u32>| {
        GpuSlice::<u32>::whole(buffer).slice(u64::from(*start)..u64::from(*end))
    };
    let prepared = (0..bench.inputs(len))
        .map(|index| {
            let (buffer, range) = bench.input(len, index);
            let (values, flags) = (slice(buffer, &range)?, slice(mask, &range)?);
            let select = Compaction::select::<u32, u32>(values, flags, &results);
            Ok(compactor.prepare(&select, &GpuSlice::whole(&count))?)
        })
        .collect::<Result<Vec<_>, Box<dyn Error>>>()?;
    let mut primitives = Primitives::new_for_adapter(device, queue, &bench.info);
    primitives.reserve_workspace(WorkspaceRequirements::new(len).compact())?;
    let contenders: [Record<'_>; 2] = [
        Box::new(|encoder, index| {
            prepared[index].record(encoder);
            Ok(())
        }),
        Box::new(|encoder, index| {
            let (buffer, range) = bench.input(len, index);
            let values = pipeline::GpuSlice::from_range(buffer, range.clone())?;
            let flags = pipeline::GpuSlice::from_range(mask, range)?;
            let output = pipeline::GpuSliceMut::from_range(output, 0..len)?;
            let count = GpuCount::new(&count)?;
            primitives.record(encoder).compact(values, flags, output, count)?;
            Ok(())
        }),
    ];
    // Each buffer has the same mask.
    let counts: Vec<u32> = (0..bench.inputs(len))
        .map(|index| bench.input(len, index).1)
        .take_while({
            let mut is_first = true;
            move |range| std::mem::replace(&mut is_first, false) || range.start > 0
        })
        .map(numbers::kept)
        .collect();
    let wanted =
        || (0..len).filter(|&number| numbers::keeps(number) == 1).map(numbers::mix).collect();
    let word = Word { buffer: &count, offset: 0 };
    let inputs = bench.inputs(len);
    row(bench, "selection", len, (contenders, inputs), (output, word), &wanted, &|index| {
        counts[index % counts.len()]
    })
}

/// A row of the two, of so many inputs. `wanted` makes what they write of the first one.
fn row(
    bench: &Bench,
    name: &str,
    len: u32,
    (mut contenders, inputs): ([Record<'_>; 2], usize),
    (output, word): (&wgpu::Buffer, Word<'_>),
    wanted: &dyn Fn() -> Vec<u32>,
    expected: &dyn Fn(usize) -> u32,
) -> Result<(), Box<dyn Error>> {
    if len <= MAX_CHECKED_LEN {
        let wanted = wanted();
        for (contender, who) in contenders.iter_mut().zip(["gridfold", "lampshade"]) {
            // What the one before has left is no result.
            let mut encoder = bench.context.device().create_command_encoder(&Default::default());
            encoder.clear_buffer(output, 0, None);
            contender(&mut encoder, 0)?;
            bench.context.queue().submit([encoder.finish()]);
            if bench.read(output, u32::try_from(wanted.len())?)? != wanted {
                return Err(format!("the {name} of {len} elements by {who} is wrong").into());
            }
        }
    }
    let times = bench.measure_inputs(inputs, &mut contenders, word, expected)?;
    let [gridfold, lampshade] = [&times[0], &times[1]].map(|times| times.median());
    println!(
        "{name:9} {:>8} {:>12.2} {:>12.2} {:>7.2}",
        format!("2^{}", len.ilog2()),
        gridfold * 1e6,
        lampshade * 1e6,
        lampshade / gridfold
    );
    Ok(())
}
