//! `cargo xtask guide`.

use crate::{
    command::{Command, root},
    consent::run_after_yes,
};

/// Builds the guide's pages into docs/guide/book.
///
/// # Errors
///
/// A sentence, if mdBook is not there or refuses a page.
pub fn run(yes: bool) -> Result<(), String> {
    if !Command::new("mdbook", "--version").works() {
        println!("mdBook is missing.");
        let install = Command::cargo("install mdbook --locked");
        run_after_yes(yes, &[install], "install mdBook")?;
    }
    Command::new("mdbook", "build").arg(root().join("docs/guide")).run()
}
