//! Misspelt words, by codespell. `.codespellrc` says where it looks.

use crate::{
    command::{Command, root},
    packages::{Distribution, install_with_apt},
};

/// Looks for misspelt words in every text of the repository.
///
/// Where codespell is missing it is installed, if `yes` and Debian's packages are there; else it says that nothing was checked.
///
/// # Errors
///
/// A sentence, if a word is misspelt, or installing failed.
pub fn check(yes: bool) -> Result<(), String> {
    if !Command::new("codespell", "--version").works() {
        if !yes || !Distribution::here().has_apt() {
            println!(
                "LEFT OUT: codespell is missing. `pip install codespell` or a package has it."
            );
            return Ok(());
        }
        install_with_apt("codespell", yes)?;
    }
    let config = root().join(".codespellrc");
    Command::new("codespell", "--config").arg(config).arg(root()).run()
}
