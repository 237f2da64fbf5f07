//! `gridfold ladder`: the classic sequence of reduction kernels, each checked against the CPU and measured beside the
//! library.

mod chart;
mod data;
mod device;
mod measure;
mod modules;
mod report;
mod rungs;
mod work;

use crate::{Outcome, args::LadderArguments, error::Error};
use chart::Chart;
use data::Input;
use device::Device;
use gridfold::{Executor, wgpu};
use indicatif::{ProgressBar, ProgressStyle};
use measure::Bench;
use report::Report;
use std::{
    io::{self, Write},
    time::Duration,
};

/// Elements of all inputs together, where there is a GPU with a cache to be got past, and where there is none.
const GPU_ELEMENTS: u64 = 1 << 26;
const CPU_ELEMENTS: u64 = 1 << 22;
/// Inputs that are there in any case.
const FEWEST_INPUTS: u64 = 2;
const MOST_INPUTS: u64 = 8;

pub fn run(arguments: LadderArguments) -> Outcome {
    let LadderArguments { len, adapter, rounds, json, svg } = arguments;
    let chart = svg.map(Chart::create).transpose()?;
    let executor = Executor::with_adapter(&adapter)?;
    let context = executor.context().ok_or(Error::LadderNeedsGpu)?;
    let capabilities = context.capabilities();
    // Of a binding, and of a buffer that an upload makes.
    let most_bytes = capabilities.max_binding_bytes.min(capabilities.max_buffer_bytes).min(1 << 30);
    let most = most_bytes / 4;
    if len > most {
        return Err(Error::LadderTooLong { len, most, adapter: context.adapter().to_string() });
    }
    let is_gpu = context.device().adapter_info().device_type != wgpu::DeviceType::Cpu;
    let bar = ProgressBar::new(0).with_style(
        ProgressStyle::with_template("{wide_bar} {pos}/{len} {msg}")
            .unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    bar.enable_steady_tick(Duration::from_millis(200));
    bar.set_message("making elements");

    let elements = if is_gpu { GPU_ELEMENTS } else { CPU_ELEMENTS };
    let count = (elements / len).clamp(FEWEST_INPUTS, MOST_INPUTS);
    let inputs = (0..count)
        .map(|index| Input::new(&executor, len, most, index))
        .collect::<Result<Vec<_>, _>>()?;
    let copied = measure::copied(&executor, len)?;
    let device = Device::new(context, len)?;
    let bench = Bench {
        device: &device,
        inputs: &inputs,
        copied: &copied,
        len,
        subgroup_size: capabilities.subgroups.map_or(1, |sizes| sizes.max.into()),
        most_rounds: rounds,
        is_gpu,
    };
    let measurement = bench.measure(&bar)?;
    bar.finish_and_clear();

    let report = Report::new(context, &device, len, &measurement);
    if let Some(chart) = chart {
        chart.write(&report)?;
    }
    let mut stdout = io::stdout().lock();
    if json {
        serde_json::to_writer_pretty(&mut stdout, &report).map_err(io::Error::from)?;
        writeln!(stdout)?;
    } else {
        report.write(&mut stdout)?;
    }
    stdout.flush()?;
    report.conclude()
}
