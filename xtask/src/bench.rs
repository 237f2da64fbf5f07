//! `cargo xtask bench`: runs `cargo bench` some times, keeps a record, draws charts, and compares records.

mod charts;
mod compare;
mod record;

use crate::{
    command::{Command, build_dir, root},
    files::{entries, remove_dir, write},
};
use record::Record;
pub use record::median;
use std::path::{Path, PathBuf};

/// Where records are kept.
const RECORDS: &str = "benches/records";

/// What stands above the rows of [`write_index`].
const INDEX: &str = "\
# Records

`cargo xtask bench` measures everything on your device, and adds a row here, with its record and charts. Times are medians
of some runs, on the device, of sums in µs; shares are of the bandwidth of a copy in the same runs. The `.txt` files beside
them are what single benches and `cargo xtask nvidia` printed, with the command at the top or in the name.

| device | driver | date | commit | subgroups | copy, GB/s | f32, 2^10 | 2^20 | longest | of copy | exact | u32 | charts |
|---|---|---|---|---|---|---|---|---|---|---|---|---|
";

/// What to do; see `cargo xtask bench --help`.
#[derive(clap::Args)]
pub struct Bench {
    /// The adapter, as for `gridfold --adapter`; the default is the best GPU, else a driver in software
    #[arg(long)]
    adapter: Option<String>,
    /// How often to run everything: two records that know noise from change have three runs each, or more
    #[arg(long, default_value_t = 3)]
    runs: u32,
    /// Measure only what has this in its name (a regular expression); the record is then named by --record
    #[arg(long, requires = "record")]
    filter: Option<String>,
    /// The record to write, `.json`; the default is named after the device, in benches/records
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Run nothing: make the record of what the bench program left in these folders (its CRITERION_HOME), one
    /// for each run, such as runs on a machine without Rust. The folders must be of this alone: what an earlier run left there
    /// counts, too. The record names this repository's commit
    #[arg(long, num_args = 1.., value_name = "DIR", conflicts_with_all = ["adapter", "filter"])]
    from: Vec<PathBuf>,
    /// Run nothing: compare two records, and fail if the second one is slower beyond the budget
    #[arg(long, num_args = 2, value_names = ["OLD", "NEW"], conflicts_with_all = ["adapter", "filter", "from", "record"])]
    compare: Vec<PathBuf>,
    /// How much slower anything may be, in per cent
    #[arg(long, default_value_t = 5.0, value_name = "PERCENT")]
    budget: f64,
    /// Run nothing: draw the charts of this record once more
    #[arg(long, value_name = "RECORD", conflicts_with_all = ["adapter", "filter", "from", "record", "compare"])]
    charts: Option<PathBuf>,
}

/// Does what the arguments say.
///
/// # Errors
///
/// A sentence; of a comparison, also if something is slower beyond the budget.
pub fn run(arguments: &Bench) -> Result<(), String> {
    if let [old, new] = &arguments.compare[..] {
        let (old, new) = (Record::read(old)?, Record::read(new)?);
        return compare::print(&old, &new, arguments.budget);
    }
    if let Some(path) = &arguments.charts {
        return draw(&Record::read(path)?, path);
    }
    let record = if arguments.from.is_empty() {
        Record::of_runs(&run_benches(arguments)?)?
    } else {
        Record::of_runs(&arguments.from)?
    };
    let path = match &arguments.record {
        Some(path) => path.clone(),
        None => record.default_path(&root().join(RECORDS))?,
    };
    record.write(&path)?;
    println!("\n{}", record.summary());
    println!("The record is {}.", path.display());
    draw(&record, &path)?;
    if arguments.record.is_none() { write_index(&root().join(RECORDS)) } else { Ok(()) }
}

/// A page with all records of a folder.
fn write_index(folder: &Path) -> Result<(), String> {
    let mut paths = entries(folder)?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    let mut page = String::from(INDEX);
    for path in &paths {
        page += &Record::read(path)?.row(path);
    }
    let path = folder.join("README.md");
    write(&path, &page)?;
    println!("{} lists it.", path.display());
    Ok(())
}

/// Runs the bench program, and returns where criterion left its files, for each run.
fn run_benches(arguments: &Bench) -> Result<Vec<PathBuf>, String> {
    if arguments.runs == 0 {
        return Err("--runs 0: one run at least".into());
    }
    let target = build_dir()?.parent().expect("target/debug is in target").join("bench-runs");
    let mut homes = Vec::new();
    for number in 1..=arguments.runs {
        let home = target.join(number.to_string());
        remove_dir(&home)?;
        println!("\n== run {number} of {}", arguments.runs);
        let mut bench = Command::cargo("bench --bench reduce -- --quiet --noplot");
        if let Some(filter) = &arguments.filter {
            bench = bench.arg(filter);
        }
        bench = bench.env("CRITERION_HOME", &home);
        if let Some(adapter) = &arguments.adapter {
            bench = bench.env("GRIDFOLD_BENCH_ADAPTER", adapter);
        }
        bench.run()?;
        homes.push(home);
    }
    Ok(homes)
}

/// The charts of a record, in files beside it.
fn draw(record: &Record, path: &Path) -> Result<(), String> {
    for (name, svg) in charts::of(record)? {
        let path = path.with_extension(format!("{name}.svg"));
        write(&path, &svg)?;
        println!("A chart is {}.", path.display());
    }
    Ok(())
}
