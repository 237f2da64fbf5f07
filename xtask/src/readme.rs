//! The README's example, as a crate of its own that depends on gridfold alone: what a reader who
//! copies it has.

use crate::{
    command::{Command, root},
    files::{copy, create_dir, read, write},
};
use std::path::Path;

/// Writes the crate, and returns the command that runs it.
///
/// # Errors
///
/// A sentence, if the README has no example or a file can't be read or written.
pub fn write_example(target_dir: &Path) -> Result<Command, String> {
    let readme = root().join("README.md");
    let program = first_rust_block(&read(&readme)?)
        .ok_or("README.md has no block that begins with ```rust")?;

    let dir = target_dir.join("readme-example");
    create_dir(&dir.join("src"))?;
    write(&dir.join("src/main.rs"), &program)?;
    write(&dir.join("Cargo.toml"), &manifest())?;
    // The versions that everything else is tested with.
    copy(&root().join("Cargo.lock"), &dir.join("Cargo.lock"))?;

    Ok(Command::cargo("run --manifest-path")
        .arg(dir.join("Cargo.toml"))
        .env("CARGO_TARGET_DIR", target_dir))
}

/// The lines of the first fenced block whose language is Rust.
fn first_rust_block(markdown: &str) -> Option<String> {
    let mut lines = markdown.lines();
    lines.find(|line| {
        line.strip_prefix("```").is_some_and(|info| info.split(',').next() == Some("rust"))
    })?;
    let block: Vec<&str> = lines.take_while(|line| *line != "```").collect();
    Some(block.join("\n") + "\n")
}

fn manifest() -> String {
    // A literal string, because Windows' paths have backslashes. A workspace of its own, because it
    // lies within another. The profile is the package's own, so that dependencies are built once for
    // both.
    format!(
        "\
[package]
name = \"readme-example\"
edition = \"2024\"

[dependencies]
gridfold = {{ path = '{}' }}

[profile.dev]
opt-level = 1
debug = \"line-tables-only\"

[workspace]
",
        root().display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_block_in_rust() {
        let markdown = "# Title\n```sh\nls\n```\n```rust\nfn main() {}\n```\n```rust\nno\n```\n";
        assert_eq!(first_rust_block(markdown), Some("fn main() {}\n".to_owned()));
        assert_eq!(first_rust_block("```rust,no_run\na\n```"), Some("a\n".to_owned()));
        assert_eq!(first_rust_block("```toml\na = 1\n```\n"), None);
    }
}
