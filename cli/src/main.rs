//! The gridfold program: a demonstration, a list of adapters, a check of a device, reductions, statistics, scans, selections and histograms of `.npy`
//! files, the ladder of kernels, and collectives as text.

mod adapters;
mod args;
mod arrays;
mod check;
mod chunks;
mod demo;
mod difference;
mod dtype;
mod error;
mod files;
mod histogram;
mod ladder;
mod manual;
mod mapped;
mod mean;
mod memory;
mod npy;
mod npz;
mod operators;
mod order;
mod outputs;
mod progress;
mod reduce;
#[cfg(target_os = "linux")]
mod runtime_directory;
mod scan;
mod segments;
mod select;
mod small_float;
mod stats;
mod threads;
mod wgsl;

use args::{Arguments, Command};
use clap::{
    Parser,
    error::{ContextKind, ContextValue},
};
use error::Error;
use std::{
    io::{self, BufWriter, Write},
    path::Path,
    process::ExitCode,
    sync::atomic::Ordering,
};

/// What wgpu and drivers' loaders say while they look around is noise, unless RUST_LOG asks for it: what matters is an
/// error, or part of the result.
const LOG_FILTER: &str = "off";

fn main() -> ExitCode {
    let filter = env_logger::Env::default().default_filter_or(LOG_FILTER);
    env_logger::Builder::from_env(filter).init();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return explain_call(&error),
    };
    threads::start();
    #[cfg(target_os = "linux")]
    if arguments.opens_adapters() {
        runtime_directory::name_one();
    }
    let outcome = match arguments.command {
        None => demo::run(None, false),
        Some(Command::Demo { adapter, all }) => demo::run(adapter.as_deref(), all),
        Some(Command::Adapters { json }) => adapters::run(json),
        Some(Command::Check(arguments)) => check::run(&arguments),
        Some(Command::Reduce(arguments)) => reduce::run(arguments),
        Some(Command::Stats(arguments)) => stats::run(arguments),
        Some(Command::Scan(arguments)) => scan::run(&arguments),
        Some(Command::Difference(arguments)) => difference::run(&arguments),
        Some(Command::Select(arguments)) => select::select(&arguments),
        Some(Command::Partition(arguments)) => select::partition(&arguments),
        Some(Command::Unique(arguments)) => select::unique(&arguments),
        Some(Command::RunLengths(arguments)) => select::run_lengths(&arguments),
        Some(Command::Histogram(arguments)) => histogram::run(&arguments),
        Some(Command::Ladder(arguments)) => ladder::run(arguments),
        Some(Command::Wgsl(arguments)) => wgsl::run(&arguments),
        Some(Command::Completions { shell }) => manual::completions(shell),
        Some(Command::Man { command }) => manual::page(command.as_deref()),
    };
    ended(outcome)
}

/// Says why the program ends early, if it does.
fn ended(outcome: Outcome) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.is_broken_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            let advice = adapters::limited_backends().filter(|_| error.is_about_adapters());
            let advice = advice.map(|advice| format!("; {advice}")).unwrap_or_default();
            complain(&format!("{error}{advice}"));
            error.exit_code()
        }
    }
}

/// Prints the help that was asked for, or what is wrong with the call.
fn explain_call(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        return ended(error.print().map_err(Error::from));
    }
    // The first paragraph says what is wrong; usage and hints follow.
    let text = error.render().to_string();
    let paragraph = text.split("\n\n").next().unwrap_or_default();
    let problem = paragraph.strip_prefix("error: ").unwrap_or(paragraph).trim_end_matches('.');
    // How to write a file's name that begins like an option is no help unless there is such a file.
    let is_file = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(name)) => std::env::args_os().skip(1).any(|argument| {
            argument.to_string_lossy().starts_with(name) && Path::new(&argument).exists()
        }),
        _ => false,
    };
    let is_tip = |paragraph: &&str| {
        paragraph.starts_with("tip: ") && (is_file || !paragraph.contains("as a value"))
    };
    let tip = text.split("\n\n").map(str::trim).find(is_tip);
    let tip = tip.map(|tip| format!("; {}", tip.lines().next().unwrap_or_default()));
    complain(&format!("{problem}{}; see {}", tip.unwrap_or_default(), help_for_call()));
    ExitCode::from(2)
}

/// The help that has the options of the call.
fn help_for_call() -> &'static str {
    match std::env::args_os().nth(1) {
        Some(command) if command == "check" => "gridfold check --help",
        Some(command) if command == "reduce" => "gridfold reduce --help",
        Some(command) if command == "stats" => "gridfold stats --help",
        Some(command) if command == "scan" => "gridfold scan --help",
        Some(command) if command == "difference" => "gridfold difference --help",
        Some(command) if command == "select" => "gridfold select --help",
        Some(command) if command == "partition" => "gridfold partition --help",
        Some(command) if command == "unique" => "gridfold unique --help",
        Some(command) if command == "run-lengths" => "gridfold run-lengths --help",
        Some(command) if command == "histogram" => "gridfold histogram --help",
        Some(command) if command == "ladder" => "gridfold ladder --help",
        Some(command) if command == "wgsl" => "gridfold wgsl --help",
        _ => "gridfold --help",
    }
}

/// Prints a sentence to standard error, on one line whatever drivers put into it.
fn complain(sentence: &str) {
    let words: Vec<&str> = sentence.split_whitespace().collect();
    // Without a reader of standard error there is no one to tell.
    let _ = writeln!(io::stderr(), "gridfold: {}", words.join(" "));
}

/// Standard output for many lines: by itself it would write each of them at once. What writes there flushes it, for an error is lost otherwise.
/// It is standard error where an output takes standard output.
fn stdout() -> BufWriter<Box<dyn Write>> {
    let is_taken = outputs::IS_STANDARD_OUTPUT_TAKEN.load(Ordering::Relaxed);
    BufWriter::new(match is_taken {
        true => Box::new(io::stderr().lock()),
        false => Box::new(io::stdout().lock()),
    })
}

/// What a subcommand ends with.
type Outcome = Result<(), Error>;
