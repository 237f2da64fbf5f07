//! A record: what was measured on what, in some runs of the bench program.

use crate::{
    columns::aligned,
    command::Command,
    files::{about, entries, read_json, write},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// The version of the file's format.
const FORMAT: u32 = 1;

/// Everything that some runs of the bench program measured on one device.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Record {
    pub format: u32,
    /// The library's version.
    pub gridfold: String,
    /// Of the repository when the record was made, with `, changed` if files were.
    pub commit: String,
    /// Of the last run, UTC.
    pub date: String,
    /// As the bench program says: adapter, driver, subgroup sizes, limits and so on.
    pub device: Value,
    /// By criterion's names.
    pub measurements: BTreeMap<String, Measurement>,
}

/// One thing that was measured.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Measurement {
    #[serde(flatten)]
    pub of: Of,
    /// The median of the runs' medians.
    pub median_ns: f64,
    /// The standard deviation of the runs' medians, in per cent of their mean; of a single run, that of its samples.
    pub spread_percent: f64,
    /// The samples of each run, rounded to a tenth of a nanosecond.
    pub runs_ns: Vec<Vec<f64>>,
}

/// What was measured.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Of {
    pub operator: String,
    pub element: String,
    pub precision: String,
    pub strategy: String,
    pub variant: String,
    pub log2_len: u32,
    pub bytes: u64,
    /// `device` or `wall`.
    pub clock: String,
}

/// `about.json`, of a run.
#[derive(Deserialize)]
struct About {
    gridfold: String,
    unix_seconds: i64,
    device: Value,
    measurements: BTreeMap<String, Of>,
}

/// Criterion's `benchmark.json`.
#[derive(Deserialize)]
struct Benchmark {
    full_id: String,
}

/// Criterion's `sample.json`.
#[derive(Deserialize)]
struct Sample {
    iters: Vec<f64>,
    times: Vec<f64>,
}

impl Record {
    /// Reads a record.
    ///
    /// # Errors
    ///
    /// A sentence, if it can't be read or is none.
    pub fn read(path: &Path) -> Result<Self, String> {
        let record: Self = read_json(path)?;
        if record.format != FORMAT {
            return Err(about(path)(&format!("format {}, not {FORMAT}", record.format)));
        }
        Ok(record)
    }

    /// Writes the record, a line for each measurement.
    ///
    /// # Errors
    ///
    /// A sentence, if it can't be written.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        // A line each: so that version control shows which measurements are others.
        let mut text = format!(
            "{{\n\"format\": {},\n\"gridfold\": {},\n\"commit\": {},\n\"date\": {},\n\"device\": {},\n\"measurements\": {{\n",
            self.format,
            json(&self.gridfold),
            json(&self.commit),
            json(&self.date),
            json(&self.device),
        );
        let lines: Vec<String> = self
            .measurements
            .iter()
            .map(|(id, measurement)| format!("{}: {}", json(id), json(measurement)))
            .collect();
        text.push_str(&lines.join(",\n"));
        text.push_str("\n}\n}\n");
        write(path, &text)
    }

    /// Joins what the bench program left in these folders.
    ///
    /// # Errors
    ///
    /// A sentence, if files are missing or make no sense, or the runs are of different devices.
    pub fn of_runs(homes: &[PathBuf]) -> Result<Self, String> {
        let mut record: Option<Self> = None;
        for home in homes {
            let About { gridfold, unix_seconds, device, measurements } =
                read_json(&home.join("about.json"))?;
            let date =
                jiff::Timestamp::from_second(unix_seconds).map_err(|error| about(home)(&error))?;
            let record = record.get_or_insert_with(|| Self {
                format: FORMAT,
                gridfold,
                commit: commit(),
                date: String::new(),
                device: device.clone(),
                measurements: BTreeMap::new(),
            });
            if record.device != device {
                return Err(format!("{} is of another device than the first", home.display()));
            }
            record.date = date.to_string();
            let samples = samples(home)?;
            for (id, of) in measurements {
                // What a filter left out has no samples.
                let Some(samples) = samples.get(&id) else { continue };
                let measurement = record.measurements.entry(id).or_insert_with(|| Measurement {
                    of,
                    median_ns: 0.0,
                    spread_percent: 0.0,
                    runs_ns: Vec::new(),
                });
                measurement.runs_ns.push(samples.clone());
            }
        }
        let mut record = record.ok_or("there are no runs")?;
        if record.measurements.is_empty() {
            return Err("nothing was measured: does the filter fit?".into());
        }
        for (id, measurement) in &mut record.measurements {
            if measurement.runs_ns.len() != homes.len() {
                return Err(format!("{id} is missing in a run"));
            }
            measurement.summarize();
        }
        Ok(record)
    }

    /// Of the adapter, as far as the name says: `nvidia-h200.json`.
    pub fn file_name(&self) -> String {
        let text = |key: &str| self.device[key].as_str().unwrap_or("device").to_lowercase();
        let name = text("name");
        // What stands in parentheses are versions.
        let name = name.split('(').next().unwrap_or_default().trim();
        let words = name.split(|character: char| !character.is_ascii_alphanumeric());
        let mut words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let backend = text("backend");
        if backend != "vulkan" {
            words.push(&backend);
        }
        format!("{}.json", words.join("-"))
    }

    /// Where the record belongs: it takes the place of one of the same device, driver and host, and of no other.
    ///
    /// # Errors
    ///
    /// A sentence, if a record that is there can't be read.
    pub fn default_path(&self, folder: &Path) -> Result<PathBuf, String> {
        let name = self.file_name();
        let stem = name.trim_end_matches(".json");
        for number in 1u32.. {
            let path = match number {
                1 => folder.join(&name),
                _ => folder.join(format!("{stem}-{number}.json")),
            };
            if !path.exists() || Self::read(&path)?.device == self.device {
                return Ok(path);
            }
        }
        unreachable!("one of four billion names is free")
    }

    /// The device, as a chart's subtitle.
    pub fn title(&self) -> String {
        let text = |key: &str| self.device[key].as_str().unwrap_or_default();
        let date = self.date.split('T').next().unwrap_or_default();
        format!("{}, {} ({}), {date}", text("name"), text("driver_info"), text("backend"))
    }

    /// Bytes per second that a copy reads and writes, divided by 10^9.
    pub fn copy_gb_per_s(&self) -> Option<f64> {
        let copy = self.measurements.values().find(|measurement| measurement.of.operator == "copy");
        copy.map(Measurement::gb_per_s)
    }

    /// The record as a row of a table in Markdown, with links to the charts beside its file.
    pub fn row(&self, path: &Path) -> String {
        let text = |key: &str| self.device[key].as_str().unwrap_or_default();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let sizes: Vec<u64> = ["0", "1"]
            .iter()
            .filter_map(|index| {
                self.device["subgroup_sizes"].pointer(&format!("/{index}"))?.as_u64()
            })
            .collect();
        let subgroups = match sizes[..] {
            [least, most] if least == most => least.to_string(),
            [least, most] => format!("{least} to {most}"),
            _ => "none".into(),
        };
        let sum = |name: &str, log2_len| {
            let find = |clock| self.measurements.get(&format!("{name}{clock}/2^{log2_len}"));
            find("").or_else(|| find(", by the wall clock"))
        };
        let time = |measurement: Option<&Measurement>| {
            measurement.map_or("–".into(), |it| format!("{:.1}", it.median_ns / 1e3))
        };
        let lens = self.measurements.keys().filter_map(|id| {
            let (name, len) = id.rsplit_once("/2^")?;
            name.starts_with("f32 sum/").then(|| len.parse::<u32>().ok())?
        });
        let longest = lens.max().unwrap_or_default();
        let speed = |name: &str| {
            sum(name, longest).map_or("–".into(), |it| format!("{} GB/s", digits(it.gb_per_s())))
        };
        let share = sum("f32 sum/reproducible", longest)
            .zip(self.copy_gb_per_s())
            .map_or("–".into(), |(sum, copy)| format!("{:.0} %", sum.gb_per_s() / copy * 100.0));
        let charts: Vec<String> = ["f32", "u32", "host"]
            .into_iter()
            .filter(|name| path.with_extension(format!("{name}.svg")).exists())
            .map(|name| format!("[{name}]({stem}.{name}.svg)"))
            .collect();
        format!(
            "| [{}]({stem}.json) | {} ({}) | {} | {} | {subgroups} | {} | {} | {} | 2^{longest}: {} | {share} | {} | {} | {} |\n",
            text("name"),
            text("driver_info"),
            text("backend"),
            self.date.split('T').next().unwrap_or_default(),
            self.commit,
            digits(self.copy_gb_per_s().unwrap_or_default()),
            time(sum("f32 sum/reproducible", 10)),
            time(sum("f32 sum/reproducible", 20)),
            speed("f32 sum/reproducible"),
            speed("f32 sum/exact"),
            speed("u32 sum/auto"),
            charts.join(", "),
        )
    }

    /// A table of sums at the greatest lengths, and of the rest how many.
    pub fn summary(&self) -> String {
        let mut text = format!("{}\n", self.title());
        let copy = self.copy_gb_per_s();
        if let Some(copy) = copy {
            text += &format!("a copy: {copy:.1} GB/s, read and written\n");
        }
        let mut rows = vec![["", "elements", "us", "spread", "GB/s", "of copy"].map(str::to_owned)];
        for (id, measurement) in &self.measurements {
            let name = id.rsplit_once('/').map_or(id.as_str(), |(name, _)| name);
            if matches!(measurement.of.log2_len, 10 | 20 | 22 | 25 | 28) && !name.contains(", all")
            {
                let speed = measurement.gb_per_s();
                rows.push([
                    name.to_owned(),
                    format!("2^{}", measurement.of.log2_len),
                    format!("{:.2}", measurement.median_ns / 1e3),
                    format!("{:.1} %", measurement.spread_percent),
                    format!("{speed:.1}"),
                    copy.map_or("?".into(), |copy| format!("{:.0} %", speed / copy * 100.0)),
                ]);
            }
        }
        text += &aligned(&rows, 1).join("\n");
        text += &format!("\n{} measurements in all\n", self.measurements.len());
        text
    }
}

impl Measurement {
    pub fn gb_per_s(&self) -> f64 {
        self.of.bytes as f64 / self.median_ns
    }

    /// The median of each run.
    pub fn run_medians(&self) -> Vec<f64> {
        self.runs_ns.iter().map(|run| median(run)).collect()
    }

    fn summarize(&mut self) {
        for sample in self.runs_ns.iter_mut().flatten() {
            *sample = (*sample * 10.0).round() / 10.0;
        }
        let medians = self.run_medians();
        self.median_ns = median(&medians);
        let spread = match &self.runs_ns[..] {
            [only] => relative_deviation(only),
            _ => relative_deviation(&medians),
        };
        self.spread_percent = (spread * 1e4).round() / 1e2;
    }
}

/// A speed, with as many digits as are of interest.
fn digits(speed: f64) -> String {
    if speed < 100.0 { format!("{speed:.1}") } else { format!("{speed:.0}") }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("text, numbers and no maps but of texts")
}

/// 0 of none.
pub fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_unstable_by(f64::total_cmp);
    match values.len() {
        0 => 0.0,
        len if len % 2 == 1 => values[len / 2],
        len => f64::midpoint(values[len / 2 - 1], values[len / 2]),
    }
}

/// The standard deviation as a share of the mean.
fn relative_deviation(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    if values.len() < 2 {
        return 0.0;
    }
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (squares / (count - 1.0)).sqrt() / mean
}

/// The mean times of each sample in nanoseconds, by criterion's names.
fn samples(home: &Path) -> Result<BTreeMap<String, Vec<f64>>, String> {
    let mut samples = BTreeMap::new();
    let mut folders = vec![home.to_owned()];
    while let Some(folder) = folders.pop() {
        if folder.ends_with("new") {
            let Benchmark { full_id } = read_json(&folder.join("benchmark.json"))?;
            let Sample { iters, times } = read_json(&folder.join("sample.json"))?;
            let means = times.iter().zip(&iters).map(|(time, count)| time / count).collect();
            samples.insert(full_id, means);
            continue;
        }
        folders.extend(entries(&folder)?.into_iter().filter(|path| path.is_dir()));
    }
    Ok(samples)
}

fn commit() -> String {
    let git = |arguments: &str| Command::new("git", arguments).end();
    let Ok((status, commit)) = git("rev-parse --short=12 HEAD") else { return "unknown".into() };
    if !status.success() {
        return "unknown".into();
    }
    // Records themselves may be new.
    let sources =
        "src shaders benches/reduce benches/common benches/copy.wgsl Cargo.toml Cargo.lock";
    match git(&format!("status --porcelain -- {sources}")) {
        Ok((status, changes)) if status.success() && changes.trim().is_empty() => {
            commit.trim().into()
        }
        _ => format!("{}, changed", commit.trim()),
    }
}
