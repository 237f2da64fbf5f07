//! The gridfold program: a demonstration, a list of adapters, a check of a device, reductions of `.npy` files, and the ladder of
//! kernels.

mod adapters;
mod args;
mod check;
mod demo;
mod error;
mod ladder;
mod npy;
mod operators;
mod reduce;

use args::{Arguments, Command};
use clap::Parser;
use error::Error;
use std::{
    io::{self, Write},
    process::ExitCode,
};

/// wgpu tries every backend, and warns about each that is not there: on most machines, that is noise.
const LOG_FILTER: &str = "warn,wgpu_hal=error,wgpu_hal::gles=off,wgpu_hal::vulkan::instance=off";

fn main() -> ExitCode {
    let filter = env_logger::Env::default().default_filter_or(LOG_FILTER);
    env_logger::Builder::from_env(filter).init();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return explain_call(&error),
    };
    let outcome = match arguments.command {
        None | Some(Command::Demo) => demo::run(),
        Some(Command::Adapters { json }) => adapters::run(json),
        Some(Command::Check(arguments)) => check::run(&arguments),
        Some(Command::Reduce(arguments)) => reduce::run(arguments),
        Some(Command::Ladder(arguments)) => ladder::run(arguments),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.is_broken_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error.to_string());
            error.exit_code()
        }
    }
}

/// Prints the help that was asked for, or what is wrong with the call.
fn explain_call(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        // Without a reader of the help there is no one to tell.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    // The first paragraph says what is wrong; usage and hints follow.
    let text = error.render().to_string();
    let paragraph = text.split("\n\n").next().unwrap_or_default();
    let problem = paragraph.strip_prefix("error: ").unwrap_or(paragraph).trim_end_matches('.');
    let tip = text.split("\n\n").map(str::trim).find(|paragraph| paragraph.starts_with("tip: "));
    let tip = tip.map(|tip| format!("; {}", tip.lines().next().unwrap_or_default()));
    complain(&format!("{problem}{}; see {}", tip.unwrap_or_default(), help_for_call()));
    ExitCode::from(2)
}

/// The help that has the options of the call.
fn help_for_call() -> &'static str {
    match std::env::args_os().nth(1) {
        Some(command) if command == "check" => "gridfold check --help",
        Some(command) if command == "reduce" => "gridfold reduce --help",
        Some(command) if command == "ladder" => "gridfold ladder --help",
        _ => "gridfold --help",
    }
}

/// Prints a sentence to standard error, on one line whatever drivers put into it.
fn complain(sentence: &str) {
    let words: Vec<&str> = sentence.split_whitespace().collect();
    // Without a reader of standard error there is no one to tell.
    let _ = writeln!(io::stderr(), "gridfold: {}", words.join(" "));
}

/// What a subcommand ends with.
type Outcome = Result<(), Error>;
