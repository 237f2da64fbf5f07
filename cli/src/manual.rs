//! `gridfold completions` and `gridfold man`: what shells and `man` read.

use crate::{Outcome, args::Arguments, error::Error};
use clap::CommandFactory;
use clap_complete::Shell;
use std::io::{self, Write};

/// Prints a shell's script.
///
/// # Errors
///
/// If standard output takes no more.
pub fn completions(shell: Shell) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "gridfold", &mut script);
    print(&script)
}

/// Prints the page of the program, or of a command.
///
/// # Errors
///
/// If there is no such command, or standard output takes no more.
pub fn page(command: Option<&str>) -> Outcome {
    let mut program = Arguments::command();
    program.build();
    let page_of = match command {
        None => program,
        Some(name) => program.find_subcommand(name).cloned().ok_or_else(|| Error::NoCommand {
            command: name.to_owned(),
            commands: program.get_subcommands().map(|it| it.get_name().to_owned()).collect(),
        })?,
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(page_of).render(&mut page)?;
    print(&page)
}

fn print(text: &[u8]) -> Outcome {
    Ok(io::stdout().lock().write_all(text)?)
}
