//! The project's own commands: `cargo xtask --help`.

mod adapter;
mod bench;
mod check_shaders;
mod check_targets;
mod columns;
mod command;
mod consent;
mod drivers;
mod files;
mod guide;
mod matrix;
mod mpi;
mod nvidia;
mod package;
mod packages;
mod plan;
mod spelling;
mod test;
mod tokens;

use clap::{Parser, Subcommand, builder::PossibleValuesParser};
use std::{path::PathBuf, process::ExitCode};

/// The commands for work on gridfold.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Measure everything, keep a record, draw charts; or compare two records
    ///
    /// It runs `cargo bench` three times, writes what was measured to a record in benches/records, and draws
    /// charts beside it: bandwidth by length, and the time until a value is on the host. Commit these files to
    /// add the record of your device.
    ///
    /// With --compare it tells noise from change between two records, and fails if something is slower
    /// beyond a budget.
    Bench(Box<bench::Bench>),
    /// Run every test and every check
    ///
    /// In this order: formatting, spelling, the tests, on the CPU and on GPU adapters, the benchmarks, each once, lints, combinations of
    /// features, documentation, the package with the README's example, and the tests on further drivers. The first failure
    /// ends it.
    ///
    /// Where rustfmt or clippy is missing, rustup installs it, after a yes.
    ///
    /// gridfold-mpi is built and tested where there is an MPI: `mpicc` and `mpirun`, or what the environment variables MPICC and MPIRUN
    /// name. On Debian or Ubuntu, --yes and CI=true install Open MPI where there is none. Without them the tests go on without it.
    ///
    /// Where there is no GPU adapter, Mesa's software Vulkan driver is installed first, on Debian or
    /// Ubuntu, as root or through sudo, after a yes. The tests run on every adapter there is, on
    /// Mesa's software driver alone where there is no other, or on those that the environment
    /// variable GRIDFOLD_TEST_ADAPTERS selects (`none` for no GPU tests).
    ///
    /// With --drivers the tests run on this machine's GPUs, if it has any, and then those that need an
    /// adapter run once more on each of the drivers: in software, with the settings that
    /// xtask/src/drivers.rs has, and after a look whether the driver is what it must be. Missing ones are
    /// installed in the same way. Each runs tier 1 of tests/gpu. On Debian and Ubuntu, CI=true chooses the
    /// two drivers of tier 1, unless GRIDFOLD_TEST_ADAPTERS is set.
    Test {
        /// Install what is missing without asking; CI=true in the environment does the same
        #[arg(long)]
        yes: bool,
        /// Run the tests on these drivers, too; names with commas between them
        #[arg(
            long,
            value_name = "LIST",
            value_delimiter = ',',
            value_parser = PossibleValuesParser::new(drivers::names())
        )]
        drivers: Vec<String>,
        /// Run tier 2 of tests/gpu on each of them, too, and check every permutation of the shaders
        #[arg(long)]
        long: bool,
        /// Only print how many cases of tests/gpu each tier runs on which driver, and how long that took when it was run last. A case of tier 1 that
        /// none of its drivers runs is an error
        #[arg(long, conflicts_with = "long")]
        plan: bool,
    },
    /// Ask other compilers about the shaders, and write shader-checks/accepted.txt
    ///
    /// They are asked about a cover, which has every seam between the parts of shaders, and about what they did
    /// not accept before. They are Tint (of Dawn, for Node.js), DXC, and spirv-val. Each is first asked about a shader that it
    /// must refuse. The versions are fixed; Dawn and DXC are downloaded into target/check-shaders. Node.js,
    /// Python, a C++ compiler and spirv-val are installed with apt-get where they are missing. All of this
    /// after a yes. Linux on x86-64 only, where DXC's library is for.
    CheckShaders {
        /// Install and download what is missing without asking; CI=true does the same
        #[arg(long)]
        yes: bool,
        /// Then ask about every pipeline, for an hour, and write shader-checks/record.txt
        #[arg(long)]
        all: bool,
    },
    /// Type-check the library for browsers, the library and the program for Windows, and the fuzz targets
    ///
    /// With this toolchain's standard libraries for wasm32-unknown-unknown and x86_64-pc-windows-gnu
    /// where rustup has installed them; otherwise with Debian's packages, which build their own. They are
    /// installed after a yes.
    CheckTargets {
        /// Install what is missing without asking; CI=true does the same
        #[arg(long)]
        yes: bool,
    },
    /// Build the guide in docs/guide, as pages for a browser
    ///
    /// By mdBook, which is installed after a yes where it is missing. The pages come to docs/guide/book.
    Guide {
        /// Install what is missing without asking; CI=true does the same
        #[arg(long)]
        yes: bool,
    },
    /// Measure gridfold beside CUB, PyTorch and JAX, on an NVIDIA GPU
    ///
    /// benches/nvidia/README.md says what they need and how they measure. They run in turns, for some rounds; what is
    /// printed is medians of the rounds, in a table for each operator. What is missing is left out, which is said.
    Nvidia(Box<nvidia::Options>),
    /// Count how much Rust there is to read: tokens, without comments, documentation and tests
    Tokens {
        /// Folders of the repository
        #[arg(default_values = ["src", "cli/src"])]
        folders: Vec<PathBuf>,
    },
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().task {
        Task::Bench(arguments) => bench::run(&arguments),
        Task::Test { drivers, plan: true, .. } => test::plan(&drivers),
        Task::Test { yes, drivers, long, .. } => test::run(yes, &drivers, long),
        Task::CheckShaders { yes, all } => check_shaders::run(yes || command::is_ci(), all),
        Task::CheckTargets { yes } => check_targets::run(yes || command::is_ci()),
        Task::Guide { yes } => guide::run(yes || command::is_ci()),
        Task::Nvidia(options) => nvidia::run(&options),
        Task::Tokens { folders } => tokens::run(&folders),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("\nxtask: {message}");
            ExitCode::FAILURE
        }
    }
}
