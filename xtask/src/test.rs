//! `cargo xtask test`.

use crate::{
    adapter,
    command::{Command, build_dir, is_ci},
    consent::run_after_yes,
    drivers::{DRIVERS, Driver, named},
    matrix::{self, Ready},
    mpi, package,
    packages::Distribution,
    plan::{Plan, Times},
    spelling,
};
use std::{
    env,
    time::{Duration, Instant},
};

/// gridfold's features: none, and all but each must compile without warnings. So any two are there together, each without the
/// other, and neither.
const FEATURES: [&str; 4] = ["backends", "parallel", "serde", "unstable"];

/// Runs every step, until one fails.
///
/// # Errors
///
/// A sentence that names the step and says how to repeat it.
pub fn run(yes: bool, drivers: &[String], long: bool) -> Result<(), String> {
    let ci = is_ci();
    let yes = yes || ci;
    let drivers = choose_drivers(drivers, ci, long);
    let mut steps = Steps::default();
    let target_dir = build_dir()?.parent().expect("target/debug is in target").to_owned();

    steps.time("tools", || provide_tools(yes))?;
    steps.run("fmt", [Command::cargo("fmt --all --check")])?;
    steps.time("spelling", || spelling::check(yes))?;
    steps.time("mpi", || mpi::provide(yes))?;

    // All that the tests and the bench need, with the features that the whole workspace turns on: with those of one package
    // alone everything below it is built anew. And so also the program that lists the adapters. Not xtask itself: Windows
    // can't replace a program that is running.
    steps.run("build", [mpi::workspace("build", "--tests --bin gridfold --bench reduce")])?;
    let (choice, ready) = steps.time("adapter", || provide_adapters(&drivers, yes))?;
    if !ready.is_empty() {
        steps.time("plan", || Plan::of(&ready)?.print(&Times::read()?))?;
    }
    let mut test = mpi::workspace("test", "");
    if let Some(choice) = choice {
        test = test.env(adapter::CHOICE, choice);
    }
    if long {
        test = test.env("GRIDFOLD_TEST_SHADERS", "all");
    }
    steps.run("test", [test])?;
    steps.time("ranks", || mpi::check(&target_dir))?;

    // Once each: what it measures is right, and names no measurement twice.
    let caller_chose = env::var(adapter::CHOICE).ok();
    steps.time("bench", || match caller_chose.as_deref() {
        Some("none") => {
            println!("{} is none: nothing to measure on.", adapter::CHOICE);
            Ok(())
        }
        chosen => {
            let bench = mpi::workspace("test", "--bench reduce -- --quiet");
            // One of them is enough: it is about the bench.
            let first = chosen.and_then(|list| list.split(',').next());
            first.map_or(bench.clone(), |first| bench.env("GRIDFOLD_BENCH_ADAPTER", first)).run()
        }
    })?;

    // Not with --all-targets: that leaves out the benches that `cargo bench` leaves out.
    let targets = "--lib --bins --tests --examples --bench * --all-features -- -D warnings";
    steps.run("clippy", [mpi::workspace("clippy", targets)])?;
    steps.run("features", feature_combinations())?;
    // As `cargo run` builds the program: without what only tests turn on.
    steps.run("program", [Command::cargo("clippy --package gridfold-cli -- -D warnings")])?;

    // The programs have no documentation but their --help.
    let doc = Command::cargo("doc --no-deps --package gridfold");
    let doc = doc.env("RUSTDOCFLAGS", "-D warnings");
    steps.run("doc", [doc.clone(), doc.arg("--all-features")])?;

    steps.time("package", || package::check(&target_dir))?;

    // Last, because it takes longest.
    if !ready.is_empty() {
        steps.time("drivers", || matrix::run(&ready, long))?;
    }

    steps.summarize();
    steps.keep()
}

/// Prints what each tier runs on which driver: on those that were asked for, else on all that are there.
///
/// # Errors
///
/// As [`Plan::print`] and [`matrix::found`].
pub fn plan(drivers: &[String]) -> Result<(), String> {
    let drivers = if drivers.is_empty() { DRIVERS.iter().collect() } else { named(drivers) };
    mpi::workspace("build", "--bin gridfold").run()?;
    Plan::of(&matrix::found(&drivers)?)?.print(&Times::read()?)
}

/// rustup's minimal profile has neither rustfmt nor clippy.
fn provide_tools(yes: bool) -> Result<(), String> {
    if Command::cargo("fmt --version").works() && Command::cargo("clippy --version").works() {
        return Ok(());
    }
    println!("rustfmt or clippy is missing.");
    let add = Command::new("rustup", "component add rustfmt clippy");
    run_after_yes(yes, &[add], "install rustfmt and clippy for this toolchain")
}

/// The drivers that were asked for. Else all that can be installed: in CI of tier 1, and with `long` of both tiers.
fn choose_drivers(asked_for: &[String], ci: bool, long: bool) -> Vec<&'static Driver> {
    let distribution = Distribution::here();
    if !asked_for.is_empty() {
        return named(asked_for);
    }
    if !(ci || long) || !distribution.has_apt() || env::var_os(adapter::CHOICE).is_some() {
        return Vec::new();
    }
    let (packaged, lacking): (Vec<_>, Vec<_>) = DRIVERS
        .iter()
        .filter(|driver| long || driver.is_in_tier_1)
        .partition(|driver| driver.is_packaged(distribution));
    for driver in lacking {
        println!("{distribution:?} has no package of the driver {}: left out.", driver.name);
    }
    packaged
}

/// Returns what the tests must find in [`adapter::CHOICE`], if anything, and the drivers on which tests
/// run once more. The caller's choice of adapters stands.
fn provide_adapters(
    drivers: &[&'static Driver],
    yes: bool,
) -> Result<(Option<String>, Vec<Ready>), String> {
    let ready = matrix::provide(drivers, yes)?;
    let choice = match env::var_os(adapter::CHOICE) {
        Some(choice) => {
            println!("{} is {}", adapter::CHOICE, choice.display());
            None
        }
        None if ready.is_empty() => adapter::provide(yes)?.map(str::to_owned),
        None => Some(adapter::gpus()?),
    };
    Ok((choice, ready))
}

/// Clippy, because it alone denies warnings without building the dependencies anew.
fn feature_combinations() -> impl Iterator<Item = Command> {
    let all_but = FEATURES
        .iter()
        .map(|feature| FEATURES.into_iter().filter(|other| other != feature).collect::<Vec<_>>());
    [Vec::new()].into_iter().chain(all_but).map(|chosen| {
        let features = match chosen.join(",") {
            none if none.is_empty() => String::new(),
            some => format!("--features {some}"),
        };
        let arguments = "clippy --package gridfold --no-default-features";
        Command::cargo(&format!("{arguments} {features} -- -D warnings"))
    })
}

/// The steps that were run, and how long each took.
#[derive(Default)]
struct Steps {
    done: Vec<(&'static str, Duration)>,
}

impl Steps {
    /// A step that runs commands.
    fn run(
        &mut self,
        name: &'static str,
        commands: impl IntoIterator<Item = Command>,
    ) -> Result<(), String> {
        self.time(name, || commands.into_iter().try_for_each(|command| command.run()))
    }

    fn time<R>(
        &mut self,
        name: &'static str,
        step: impl FnOnce() -> Result<R, String>,
    ) -> Result<R, String> {
        println!("\n== {name}");
        let start = Instant::now();
        let result = step();
        self.done.push((name, start.elapsed()));
        result.map_err(|problem| {
            self.summarize();
            format!("step `{name}` failed: {problem}")
        })
    }

    /// For `--plan`.
    fn keep(&self) -> Result<(), String> {
        let mut times = Times::read()?;
        self.done.iter().for_each(|(name, time)| times.set(name, *time));
        times.save()
    }

    fn summarize(&self) {
        println!("\n== times");
        for (name, time) in &self.done {
            println!("{name:<10}{:>8.1} s", time.as_secs_f64());
        }
        let total: Duration = self.done.iter().map(|(_, time)| *time).sum();
        println!("{:<10}{:>8.1} s", "total", total.as_secs_f64());
    }
}
