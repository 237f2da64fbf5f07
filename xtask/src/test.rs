//! `cargo xtask test`.

use crate::{
    adapter,
    command::{Command, build_dir},
    consent::run_after_yes,
    readme,
};
use std::{
    env,
    time::{Duration, Instant},
};

/// gridfold's features: every combination must compile without warnings.
const FEATURES: [&str; 3] = ["backends", "parallel", "unstable"];

/// Runs every step, until one fails.
///
/// # Errors
///
/// A sentence that names the step and says how to repeat it.
pub fn run(yes: bool) -> Result<(), String> {
    let mut steps = Steps::default();
    let target_dir = build_dir()?.parent().expect("target/debug is in target").to_owned();

    steps.time("tools", || provide_tools(yes))?;
    steps.run("fmt", [Command::cargo("fmt --all --check")])?;

    // All that the test step needs, with the features that tests turn on, and so also the program
    // that lists the adapters. Not xtask itself: Windows can't replace a program that is running.
    steps.run("build", [Command::cargo("build --workspace --tests --bin gridfold")])?;
    let choice = steps.time("adapter", || choose_adapters(yes))?;
    let mut test = Command::cargo("test --workspace");
    if let Some(choice) = choice {
        test = test.env(adapter::CHOICE, choice);
    }
    steps.run("test", [test])?;

    let clippy = "clippy --workspace --all-targets --all-features -- -D warnings";
    steps.run("clippy", [Command::cargo(clippy)])?;
    steps.run("features", feature_combinations())?;

    // The programs have no documentation but their --help.
    let doc = Command::cargo("doc --no-deps --package gridfold");
    let doc = doc.env("RUSTDOCFLAGS", "-D warnings");
    steps.run("doc", [doc.clone(), doc.arg("--all-features")])?;

    steps.time("readme", || readme::write_example(&target_dir)?.run())?;

    // Whether everything is committed, and what the registry has by now, matters when a package is
    // published, not here.
    let package = Command::cargo("package --package gridfold --allow-dirty --offline");
    steps.run("package", [package.env("CARGO_TARGET_DIR", target_dir)])?;

    steps.summarize();
    Ok(())
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

/// What the tests must find in [`adapter::CHOICE`], if anything: the caller's choice stands.
fn choose_adapters(yes: bool) -> Result<Option<&'static str>, String> {
    match env::var_os(adapter::CHOICE) {
        Some(choice) => {
            println!("{} is {}", adapter::CHOICE, choice.display());
            Ok(None)
        }
        None => adapter::provide(yes),
    }
}

/// Clippy, because it alone denies warnings without building the dependencies anew.
fn feature_combinations() -> impl Iterator<Item = Command> {
    (0..1 << FEATURES.len()).map(|combination| {
        let chosen: Vec<&str> = (0..FEATURES.len())
            .filter(|index| combination >> index & 1 == 1)
            .map(|index| FEATURES[index])
            .collect();
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

    fn summarize(&self) {
        println!("\n== times");
        for (name, time) in &self.done {
            println!("{name:<10}{:>8.1} s", time.as_secs_f64());
        }
        let total: Duration = self.done.iter().map(|(_, time)| *time).sum();
        println!("{:<10}{:>8.1} s", "total", total.as_secs_f64());
    }
}
