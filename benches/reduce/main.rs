//! How fast everything is: each operator, type, precision, strategy and variant, by device time, and values until they are on
//! the host, by the wall clock.
//!
//! `cargo bench [-- FILTER]`, where FILTER is a part of what it prints, such as `"f32 sum/reproducible"`; criterion has more
//! options (`-- --help`). `cargo xtask bench` repeats it, keeps a record, compares records and draws charts.
//!
//! In the environment GRIDFOLD_BENCH_ADAPTER is as for `gridfold --adapter`; the default is the best GPU, else the first driver in
//! software. Criterion's files come to `target/criterion/ADAPTER`, or `CRITERION_HOME`, with a file `about.json` that tells what
//! was measured on what.
//!
//! A sample is the mean of some reductions, each between two timestamps of its own pass, in submissions of several passes.
//! Where a device has no timestamps, one submission after the other is timed by the wall clock, and the names say so. Inputs
//! rotate through a gigabyte (128 MiB on drivers in software), so that caches serve few repeats, and on a GPU each submission begins with a
//! sum of all of it, and a pass that is not timed. The first result of everything is
//! compared with the CPU's, and later ones where the CPU has the time: one that is wrong ends the program.

mod about;
mod bench;
#[expect(dead_code, reason = "other benches use the rest")]
#[path = "../common/mod.rs"]
mod common;
mod copy;
mod subjects;

use bench::Bench;
use criterion::Criterion;
use gridfold::{Executor, ListedAdapter};
use std::{
    env,
    error::Error,
    path::{Path, PathBuf},
    time::Duration,
};

fn main() -> Result<(), Box<dyn Error>> {
    let executor = executor()?;
    let context = executor.context().ok_or("an adapter has a context")?;
    println!("{}", context.adapter());
    let home = home(&context.adapter().to_string());
    let bench = Bench::new(context)?;
    let mut criterion = Criterion::default()
        .output_directory(&home)
        .sample_size(10)
        .warm_up_time(Duration::from_millis(30))
        .measurement_time(Duration::from_millis(100))
        .nresamples(2000)
        .configure_from_args();

    copy::run(&bench, &mut criterion)?;
    subjects::lengths(&bench, &mut criterion)?;
    subjects::operators(&bench, &mut criterion)?;
    subjects::values(&bench, &mut criterion)?;

    criterion.final_summary();
    bench.about().write(&home)
}

fn executor() -> Result<Executor, Box<dyn Error>> {
    match env::var("GRIDFOLD_BENCH_ADAPTER") {
        Ok(selector) if selector != "auto" => return Ok(Executor::with_adapter(&selector)?),
        Err(env::VarError::NotUnicode(_)) => return Err("GRIDFOLD_BENCH_ADAPTER is no text".into()),
        _ => (),
    }
    let auto = Executor::auto();
    if auto.context().is_some() {
        return Ok(auto);
    }
    let adapters = Executor::adapters();
    let first = adapters.iter().find_map(|listed: &ListedAdapter| listed.open().ok());
    Ok(first.ok_or("no adapter found: `cargo xtask test` installs a driver in software")?)
}

/// Where criterion keeps what it measures: apart for each adapter, so that it compares only what is comparable.
fn home(adapter: &str) -> PathBuf {
    if let Some(home) = env::var_os("CRITERION_HOME") {
        return home.into();
    }
    let slug: String = adapter
        .chars()
        .map(|character| if character.is_ascii_alphanumeric() { character } else { '-' })
        .collect();
    let target = env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("target"), PathBuf::from);
    target.join("criterion").join(slug)
}
