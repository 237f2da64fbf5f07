//! The project's own commands: `cargo xtask --help`.

mod adapter;
mod command;
mod consent;
mod readme;
mod test;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// The commands for work on gridfold.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run every test and every check
    ///
    /// In this order: formatting, the tests, on the CPU and on GPU adapters, lints, each combination of
    /// features, documentation, the README's example, and the package. The first failure ends it.
    ///
    /// Where rustfmt or clippy is missing, rustup installs it, after a yes.
    ///
    /// Where there is no GPU adapter, Mesa's software Vulkan driver is installed first, on Debian or
    /// Ubuntu, as root or through sudo, after a yes. The tests run on every adapter there is, on
    /// Mesa's software driver alone where there is no other, or on those that the environment
    /// variable GRIDFOLD_TEST_ADAPTERS selects (`none` for no GPU tests).
    Test {
        /// Install what is missing without asking; CI=true in the environment does the same
        #[arg(long)]
        yes: bool,
    },
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().task {
        Task::Test { yes } => {
            test::run(yes || std::env::var_os("CI").is_some_and(|ci| ci == "true"))
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("\nxtask: {message}");
            ExitCode::FAILURE
        }
    }
}
