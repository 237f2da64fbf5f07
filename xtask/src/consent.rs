//! Nothing is installed on a machine without its user's yes.

use crate::command::Command;
use std::io::{self, IsTerminal, Write};

/// Shows the commands and runs them, after a yes on the terminal unless `yes` is it.
///
/// # Errors
///
/// A sentence, if the answer is no, there is no terminal to ask on, or a command fails. It says that one
/// can do `instead`, such as "install this or that".
pub fn run_after_yes(yes: bool, commands: &[Command], instead: &str) -> Result<(), String> {
    if !yes {
        let hint = format!("repeat the command with `--yes`, or {instead} yourself");
        if !io::stdin().is_terminal() {
            return Err(format!("something must be installed, with no terminal to ask on: {hint}"));
        }
        for command in commands {
            println!("  {command}");
        }
        print!("Run this? [y/N] ");
        io::stdout().flush().map_err(|error| error.to_string())?;
        let mut answer = String::new();
        io::stdin().read_line(&mut answer).map_err(|error| error.to_string())?;
        if !matches!(answer.trim().to_lowercase().as_str(), "y" | "yes") {
            return Err(format!("the answer was no: {hint}"));
        }
    }
    commands.iter().try_for_each(Command::run)
}
