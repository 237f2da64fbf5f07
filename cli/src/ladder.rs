//! `gridfold ladder`: the arguments, the progress bar and the files of a climb.

use crate::{Outcome, args::LadderArguments, error::Error};
use gridfold::Executor;
use gridfold_ladder::{Options, Progress, Report};
use indicatif::{ProgressBar, ProgressStyle};
use std::{
    cell::OnceCell,
    fs::File,
    io::{self, Write},
    path::PathBuf,
    time::Duration,
};

/// A file for a chart.
struct Chart {
    path: PathBuf,
    file: File,
}

impl Chart {
    /// Before anything is measured: if the file can't be made, the error comes soon.
    fn create(path: PathBuf) -> Result<Self, Error> {
        // What it holds stays until there is a new chart.
        match File::options().write(true).create(true).truncate(false).open(&path) {
            Ok(file) => Ok(Self { path, file }),
            Err(source) => Err(Error::Chart { file: path.display().to_string(), source }),
        }
    }

    fn write(mut self, report: &Report) -> Result<(), Error> {
        let svg = report.svg()?;
        let written = self.file.set_len(0).and_then(|()| self.file.write_all(svg.as_bytes()));
        written.map_err(|source| Error::Chart { file: self.path.display().to_string(), source })
    }
}

pub fn run(arguments: LadderArguments) -> Outcome {
    let LadderArguments { len, adapter, rounds, json, svg, no_studies } = arguments;
    let chart = svg.map(Chart::create).transpose()?;
    let executor = Executor::with_adapter(&adapter)?;
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
    match report.wrong() {
        0 => Ok(()),
        wrong => Err(Error::Disagreement { wrong, all: report.results() }),
    }
}

fn progress_bar() -> ProgressBar {
    let bar = ProgressBar::new(0).with_style(
        ProgressStyle::with_template("{wide_bar} {pos}/{len} {msg}")
            .unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
