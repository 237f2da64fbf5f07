//! The record of what other compilers said, and the fingerprint that ties it to the shaders.

use crate::modules::Shader;
use sha2::{Digest, Sha256};
use std::{collections::BTreeMap, fmt::Write as _};

/// The committed record, below the crate's root.
pub const FILE: &str = "record.txt";

/// What the line with the fingerprint begins with.
const FINGERPRINT: &str = "fingerprint: ";

/// A number that changes with any text, entry point, or set of pipeline constants.
pub fn fingerprint(shaders: &[Shader]) -> String {
    let mut hash = Sha256::new();
    // Lengths keep neighbours apart.
    let mut add = |part: &str| {
        hash.update(part.len().to_le_bytes());
        hash.update(part);
    };
    for shader in shaders {
        add(&shader.name);
        add(shader.entry_point);
        add(&shader.text);
        for constants in &shader.constants {
            add(&format!("{:?}", constants.values()));
        }
    }
    hash.finalize().iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// The line of a record that has the fingerprint.
pub fn fingerprint_line(shaders: &[Shader]) -> String {
    format!("{FINGERPRINT}{}", fingerprint(shaders))
}

/// Whether a record is of these shaders.
pub fn is_of(record: &str, shaders: &[Shader]) -> bool {
    record.lines().any(|line| line == fingerprint_line(shaders))
}

/// What one compiler was asked. It accepted everything: there is no record otherwise.
#[derive(Clone, Debug)]
pub struct Column {
    /// The compiler.
    pub name: String,
    /// Its version, and how it was asked.
    pub version: String,
    /// How many pipelines it was asked about, by kernel.
    pub asked: BTreeMap<String, usize>,
}

/// The record's text.
pub fn write(shaders: &[Shader], naga_version: &str, columns: &[Column]) -> String {
    let mut text = format!(
        "What other compilers said of every shader, in the languages that naga {naga_version} translates it \
         to:\nno error and no warning. Each refused shaders that are wrong on purpose. `cargo xtask \
         check-shaders` wrote\nthis.\n\n{}\n\n",
        fingerprint_line(shaders)
    );
    for column in columns {
        let _ = writeln!(text, "{:<22}{}", column.name, column.version);
    }
    text.push_str("\nModules; pipelines (modules by sets of constants); pipelines that each was asked about:\n\n");

    let mut kernels: Vec<&str> = Vec::new();
    for shader in shaders {
        if !kernels.contains(&shader.kernel.as_str()) {
            kernels.push(&shader.kernel);
        }
    }
    let longest = kernels.iter().map(|kernel| kernel.len()).max().unwrap_or_default();
    let _ = write!(text, "{:<longest$}{:>9}{:>11}", "", "modules", "pipelines");
    for column in columns {
        let _ = write!(text, "{:>width$}", column.name, width = column.name.len() + 3);
    }
    text.push('\n');
    let mut all_asked = true;
    for kernel in kernels {
        let these = || shaders.iter().filter(|shader| shader.kernel == kernel);
        let pipelines: usize = these().map(|shader| shader.constants.len()).sum();
        let _ = write!(text, "{kernel:<longest$}{:>9}{pipelines:>11}", these().count());
        for column in columns {
            let asked = column.asked.get(kernel).copied().unwrap_or_default();
            all_asked &= asked == pipelines;
            let _ = write!(text, "{asked:>width$}", width = column.name.len() + 3);
        }
        text.push('\n');
    }
    if !all_asked {
        text.push_str("\nThe others need what no device of that language has.\n");
    }
    text
}
