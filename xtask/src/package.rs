//! The package as it would be published, and the README's example as a crate that depends on nothing else, as a reader's copy
//! of it does.

use crate::{
    command::{Command, root},
    files::{copy, create_dir, read, remove_dir, write},
};
use std::path::Path;

/// Makes the package, and type-checks it and the example with the package's own features: a build would compile everything
/// below it once more, because the workspace's tests turn more features on.
///
/// # Errors
///
/// A sentence, if the README has no example, or one of the two is not right.
pub fn check(target_dir: &Path) -> Result<(), String> {
    let program = first_rust_block(&read(&root().join("README.md"))?)
        .ok_or("README.md has no block that begins with ```rust")?;
    let version = env!("CARGO_PKG_VERSION");
    // Whether everything is committed, and what the registry has by now, matters when a package is
    // published, not here.
    Command::cargo("package --package gridfold --allow-dirty --offline --no-verify")
        .env("CARGO_TARGET_DIR", target_dir)
        .run()?;

    let dir = target_dir.join("readme-example");
    remove_dir(&dir)?;
    create_dir(&dir.join("src"))?;
    Command::new("tar", "--extract --file")
        .arg(target_dir.join(format!("package/gridfold-{version}.crate")))
        .arg("--directory")
        .arg(&dir)
        .run()?;
    write(&dir.join("src/main.rs"), &program)?;
    write(&dir.join("Cargo.toml"), manifest(version))?;
    // The versions that everything else is tested with.
    copy(&root().join("Cargo.lock"), &dir.join("Cargo.lock"))?;
    Command::cargo("check --manifest-path")
        .arg(dir.join("Cargo.toml"))
        .env("CARGO_TARGET_DIR", target_dir)
        .run()
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

/// A workspace of its own, because it lies within another. The profile is the workspace's, so that dependencies are checked
/// once for both.
fn manifest(version: &str) -> String {
    format!(
        "\
[package]
name = \"readme-example\"
edition = \"2024\"

[dependencies]
gridfold = {{ path = \"gridfold-{version}\" }}

[profile.dev]
opt-level = 1
debug = \"line-tables-only\"
lto = \"off\"

[profile.dev.package.naga]
opt-level = 3

[workspace]
"
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
