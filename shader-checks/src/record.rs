//! The record of what other compilers said of every pipeline.

use crate::modules::Shader;
use std::process::Command;

/// The committed record, below the crate's root.
pub const FILE: &str = "record.txt";

/// What the line begins with that says for which version and commit it was made.
const MADE_FOR: &str = "Made for gridfold ";

/// The text of a record, with a line for each compiler.
///
/// # Errors
///
/// A sentence, if git does not know the commit.
pub fn text(shaders: &[Shader], lines: &str) -> Result<String, String> {
    let pipelines: usize = shaders.iter().map(|shader| shader.constants.len()).sum();
    let commit = git(&["show", "--no-patch", "--format=commit %H of %cs", "HEAD"])?;
    Ok(format!(
        "\
Other compilers accepted every shader, in the languages that naga translates it to, without an error or a
warning. Each refused shaders that are wrong on purpose. `cargo xtask check-shaders --all` wrote this.

{MADE_FOR}{}, {commit}

There are {} modules, and with their sets of constants {pipelines} pipelines. A compiler was asked about as many as
devices of its language can select:

{lines}",
        env!("CARGO_PKG_VERSION"),
        shaders.len(),
    ))
}

/// The version and the commit for which a record was made.
pub fn made_for(record: &str) -> Option<(&str, &str)> {
    let line = record.lines().find_map(|line| line.strip_prefix(MADE_FOR))?;
    let (version, commit) = line.split_once(", commit ")?;
    Some((version, commit.split(' ').next()?))
}

/// How many commits behind one changed what the shaders are made of. None where git does not know it: in a package, or a clone without history.
pub fn commits_behind(commit: &str) -> Option<u32> {
    let range = format!("{commit}..HEAD");
    let paths =
        ["../shaders", "../src/wgsl", "../src/custom", "../ladder/shaders", "src/translate.rs"];
    git(&[&["rev-list", "--count", &range, "--"], &paths[..]].concat()).ok()?.parse().ok()
}

fn git(arguments: &[&str]) -> Result<String, String> {
    let output = Command::new("git")
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .map_err(|error| format!("`git`: {error}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned()),
        false => Err(format!("`git {}`: {}", arguments.join(" "), output.status)),
    }
}
