//! `gridfold ladder`: the arguments, the progress bar and the files of a climb.

use crate::{Outcome, args::LadderArguments, complain, error::Error, outputs::NewFile, stdout};
use gridfold::{Executor, ListedAdapter, wgpu::DeviceType};
use gridfold_ladder::{Options, Progress};
use indicatif::{ProgressBar, ProgressStyle};
use std::{
    cell::OnceCell,
    io::{self, Write},
    time::Duration,
};

/// Elements on a GPU, and on a driver in software, unless the call says how many.
const GPU_LEN: u64 = 1 << 25;
const SOFTWARE_LEN: u64 = 1 << 20;

pub fn run(arguments: LadderArguments) -> Outcome {
    let LadderArguments { len, adapter, rounds, json, svg, no_studies } = arguments;
    // Before anything is measured.
    if let Some(svg) = &svg {
        NewFile::check_chart(svg)?;
    }
    let executor = executor(&adapter)?;
    let len = len.unwrap_or_else(|| if is_software(&executor) { SOFTWARE_LEN } else { GPU_LEN });
    // A climb that is refused has no bar.
    let bar = OnceCell::new();
    let report = gridfold_ladder::run(
        Options { executor: &executor, len, rounds, with_studies: !no_studies },
        &|Progress { what, done, all }| {
            let bar = bar.get_or_init(progress_bar);
            bar.set_length(all as u64);
            bar.set_position(done as u64);
            bar.set_message(what);
        },
    )?;
    if let Some(bar) = bar.get() {
        bar.finish_and_clear();
    }

    if let Some(svg) = svg {
        NewFile::chart(&svg, &report.svg()?)?.name()?;
    }
    let mut stdout = stdout();
    if json {
        serde_json::to_writer_pretty(&mut stdout, &report).map_err(io::Error::from)?;
        writeln!(stdout)?;
    } else {
        report.write(&mut stdout)?;
    }
    stdout.flush()?;
    match report.wrong() {
        0 => Ok(()),
        wrong => Err(Error::Disagreement { wrong, all: report.results() }),
    }
}

/// Of `auto` the best GPU. If there is none, a driver in software.
fn executor(adapter: &str) -> Result<Executor, Error> {
    let executor = Executor::with_adapter(adapter)?;
    let is_auto = adapter.trim().eq_ignore_ascii_case("auto");
    if !is_auto || executor.context().is_some() {
        return Ok(executor);
    }
    let is_software =
        |listed: &ListedAdapter| listed.adapter().get_info().device_type == DeviceType::Cpu;
    let software = Executor::adapters().into_iter().filter(is_software);
    let Some(software) = software.filter_map(|listed| listed.open().ok()).next() else {
        return Ok(executor);
    };
    let name = software.name();
    complain(&format!("there is no GPU, so the ladder runs on a driver in software: {name}"));
    Ok(software)
}

fn is_software(executor: &Executor) -> bool {
    let context = executor.context();
    context.is_some_and(|it| it.device().adapter_info().device_type == DeviceType::Cpu)
}

fn progress_bar() -> ProgressBar {
    let bar = ProgressBar::new(0).with_style(
        ProgressStyle::with_template("{wide_bar} {pos}/{len} {msg}")
            .unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
