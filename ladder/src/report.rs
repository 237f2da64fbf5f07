//! What was measured, as text and as JSON.

use crate::{
    Error,
    device::Device,
    measure::{Copy, Measured, Measurement, Times},
    modules::FloatAtomics,
    studying::Studied,
    work::Work,
};
use charts::{Bar, BarChart};
use gridfold::{AdapterName, Context, SubgroupSizes};
use serde::Serialize;
use std::{
    io::{self, Write},
    time::Duration,
};

mod study;

use study::StudyLine;

/// What was measured. Serialized, it is what `gridfold ladder --json` prints.
#[derive(Debug, Serialize)]
pub struct Report {
    adapter: Adapter,
    len: u64,
    float_atomics: &'static str,
    subgroup_sizes: Option<Sizes>,
    copy_gb_per_s: f64,
    copy_ns: u64,
    copy_is_right: bool,
    rungs: Vec<Line>,
    studies: Vec<StudyLine>,
}

#[derive(Debug, Serialize)]
struct Adapter {
    backend: String,
    name: String,
    driver: String,
}

#[derive(Debug, Serialize)]
struct Sizes {
    min: u32,
    max: u32,
}

/// A rung. What was not run has no numbers.
#[derive(Debug, Serialize)]
struct Line {
    number: &'static str,
    name: &'static str,
    about: &'static str,
    not_run: Option<&'static str>,
    #[serde(flatten)]
    numbers: Option<Numbers>,
}

#[derive(Debug, Serialize)]
struct Numbers {
    len: u64,
    is_shortened: bool,
    work: u64,
    steps: u64,
    ns: u64,
    is_device_time: bool,
    rounds: usize,
    gb_per_s: f64,
    share_of_copy: f64,
    share_of_gridfold: f64,
    results: Vec<f64>,
    is_right: bool,
}

impl Report {
    pub(crate) fn new(
        context: &Context,
        device: &Device<'_>,
        len: u64,
        measurement: &Measurement,
        studies: &[Studied],
    ) -> Self {
        let AdapterName { backend, name, driver } = context.adapter().clone();
        let Copy { bytes, time, is_right } = measurement.copy;
        let copy = gb_per_s(bytes, time);
        let gridfold = measurement.rungs.iter().find(|rung| rung.name == "gridfold");
        let gridfold = gridfold.and_then(|rung| rung.outcome.as_ref().ok());
        let gridfold = gridfold.map_or(f64::NAN, |times| gb_per_s(times.bytes, times.time));
        let sizes = context.capabilities().subgroups;
        Self {
            adapter: Adapter { backend, name, driver },
            len,
            float_atomics: match device.float_atomics() {
                FloatAtomics::Native => "native",
                FloatAtomics::Exchange => "compare-exchange",
            },
            subgroup_sizes: sizes.map(|SubgroupSizes { min, max }| Sizes { min, max }),
            copy_gb_per_s: copy,
            copy_ns: nanoseconds(time),
            copy_is_right: is_right,
            rungs: measurement
                .rungs
                .iter()
                .map(|rung| Line::new(rung, len, copy, gridfold))
                .collect(),
            studies: studies.iter().map(|study| StudyLine::new(study, copy)).collect(),
        }
    }

    /// The table, and what is to be known of it.
    ///
    /// # Errors
    ///
    /// `out`'s.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let Adapter { backend, name, driver } = &self.adapter;
        writeln!(out, "{backend}/{name}/{driver}")?;
        match &self.subgroup_sizes {
            None => writeln!(out, "without subgroups")?,
            Some(Sizes { min, max }) if min == max => writeln!(out, "subgroups of {max}")?,
            Some(Sizes { min, max }) => {
                writeln!(
                    out,
                    "subgroups of {min} to {max}: work and steps are for those of {max}"
                )?;
            }
        }
        writeln!(
            out,
            "float32 sums of {} elements; atomic additions of floats: {}",
            length(self.len),
            self.float_atomics
        )?;
        writeln!(
            out,
            "a copy of as many bytes: {:.1} GB/s read and written, {}{}\n",
            self.copy_gb_per_s,
            time(Duration::from_nanos(self.copy_ns)),
            if self.copy_is_right { "" } else { ", WRONG" }
        )?;
        writeln!(
            out,
            "{:>2} {:<34} {:>8} {:>9} {:>9} {:>9} {:>11} {:>8} {:>8} {:>11}",
            "",
            "",
            "elements",
            "work W",
            "steps S",
            "W/S",
            "time",
            "GB/s",
            "of copy",
            "of gridfold"
        )?;
        for line in &self.rungs {
            if line.number == "A1" || line.number == "B1" {
                let companion = match line.number {
                    "A1" => "array of structs against struct of arrays",
                    _ => "one atomic per element against one per subgroup",
                };
                writeln!(out, "\n{companion}")?;
            }
            line.write(out)?;
        }
        let has_host_times = self.numbers().any(|numbers| !numbers.is_device_time);
        if has_host_times {
            writeln!(
                out,
                "\nTimes marked ~ were taken on the host, from the submission to its end: the device does not measure."
            )?;
        }
        let shortened: Vec<&str> = self
            .rungs
            .iter()
            .filter(|line| line.numbers.as_ref().is_some_and(|numbers| numbers.is_shortened))
            .map(|line| line.number)
            .collect();
        if !shortened.is_empty() {
            writeln!(
                out,
                "\nShortened, because a run would have taken too long: {}.",
                shortened.join(", ")
            )?;
        }
        let rounds = self.numbers().map(|numbers| numbers.rounds).max().unwrap_or(0);
        writeln!(
            out,
            "\nMedians of {rounds} interleaved rounds. Results that are not WRONG are the CPU's, to the bit."
        )?;
        study::write(&self.studies, out)
    }

    /// A chart: a bar for each rung, and the copy's bandwidth as a line.
    ///
    /// # Errors
    ///
    /// [`Error::Draw`].
    pub fn svg(&self) -> Result<String, Error> {
        let bar = |line: &Line| {
            let label = format!("{} {}", line.number, line.name);
            let Some(numbers) = &line.numbers else {
                return Bar { label, value: 0.0, note: "not run".to_owned() };
            };
            let shortened =
                numbers.is_shortened.then(|| format!("{} elements", length(numbers.len)));
            let on_host = (!numbers.is_device_time).then(|| "host's clock".to_owned());
            let wrong = (!numbers.is_right).then(|| "WRONG".to_owned());
            let notes: Vec<String> = [shortened, on_host, wrong].into_iter().flatten().collect();
            Bar { label, value: numbers.gb_per_s, note: notes.join(", ") }
        };
        let Adapter { backend, name, driver } = &self.adapter;
        let chart = BarChart {
            title: &format!("The ladder: float32 sums of {} elements", length(self.len)),
            subtitle: &format!("{backend}/{name}/{driver}"),
            unit: "GB/s",
            bars: self.rungs.iter().map(bar).collect(),
            reference: Some(("a copy", self.copy_gb_per_s)),
        };
        Ok(chart.svg()?)
    }

    fn numbers(&self) -> impl Iterator<Item = &Numbers> {
        self.rungs.iter().filter_map(|line| line.numbers.as_ref())
    }

    /// How many results there are, the copy's among them.
    pub fn results(&self) -> usize {
        self.numbers().count() + 1 + self.studies.iter().filter(|study| study.is_run()).count()
    }

    /// How many of them are not the CPU's.
    pub fn wrong(&self) -> usize {
        self.numbers().filter(|numbers| !numbers.is_right).count()
            + usize::from(!self.copy_is_right)
            + self.studies.iter().filter(|study| study.is_wrong()).count()
    }
}

impl Line {
    fn new(rung: &Measured, wanted_len: u64, copy: f64, gridfold: f64) -> Self {
        let Measured { number, name, about, ref outcome } = *rung;
        let numbers = outcome.as_ref().ok().map(|times| {
            let Times { len, bytes, work, time, is_device_time, rounds, is_right, .. } = *times;
            let Work { work, steps } = work;
            let speed = gb_per_s(bytes, time);
            let result = |&word: &u32| {
                if times.are_integers { word.into() } else { f32::from_bits(word).into() }
            };
            Numbers {
                len,
                is_shortened: len < wanted_len,
                work,
                steps,
                ns: nanoseconds(time),
                is_device_time,
                rounds,
                gb_per_s: speed,
                share_of_copy: speed / copy,
                share_of_gridfold: speed / gridfold,
                results: times.words.iter().map(result).collect(),
                is_right,
            }
        });
        Self { number, name, about, not_run: outcome.as_ref().err().copied(), numbers }
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let Self { number, name, about, not_run, numbers } = self;
        write!(out, "{number:>2} {name:<34}")?;
        match numbers {
            None => writeln!(out, " not run: {}", not_run.unwrap_or_default())?,
            Some(numbers) => {
                let mark = if numbers.is_device_time { "" } else { "~" };
                writeln!(
                    out,
                    " {:>8} {:>9} {:>9} {:>9} {:>11} {:>8} {:>7.1}% {:>10.1}%{}",
                    length(numbers.len),
                    count(numbers.work as f64),
                    count(numbers.steps as f64),
                    count(numbers.work as f64 / numbers.steps as f64),
                    format!("{mark}{}", time(Duration::from_nanos(numbers.ns))),
                    format!("{mark}{}", significant(numbers.gb_per_s)),
                    numbers.share_of_copy * 100.0,
                    numbers.share_of_gridfold * 100.0,
                    if numbers.is_right { "" } else { "  WRONG" }
                )?;
            }
        }
        writeln!(out, "   {about}")
    }
}

fn gb_per_s(bytes: u64, time: Duration) -> f64 {
    bytes as f64 / time.as_secs_f64() / 1e9
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// A length as people read it.
fn length(len: u64) -> String {
    if len.is_power_of_two() { format!("2^{}", len.ilog2()) } else { len.to_string() }
}

fn time(time: Duration) -> String {
    let us = time.as_secs_f64() * 1e6;
    if us < 10_000.0 {
        format!("{} us", significant(us))
    } else {
        format!("{} ms", significant(us / 1e3))
    }
}

/// A number of things, in few characters.
fn count(number: f64) -> String {
    match number {
        _ if number < 10.0 => format!("{number:.1}").trim_end_matches(".0").to_owned(),
        _ if number < 1e4 => format!("{number:.0}"),
        _ if number < 1e6 => format!("{}k", significant(number / 1e3)),
        _ if number < 1e9 => format!("{}M", significant(number / 1e6)),
        _ => format!("{}G", significant(number / 1e9)),
    }
}

/// Three significant digits.
fn significant(number: f64) -> String {
    let decimals = match number {
        _ if number >= 100.0 => 0,
        _ if number >= 10.0 => 1,
        _ => 2,
    };
    format!("{number:.decimals$}")
}
