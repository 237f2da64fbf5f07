//! The record of what other compilers said, and the fingerprint that ties it to the shaders.

use crate::{
    modules::Shader,
    translate::{Parsed, Vulkan},
};
use sha2::{Digest, Sha256};
use std::{collections::BTreeMap, fmt::Write as _};

/// The committed record, below the crate's root.
pub const FILE: &str = "record.txt";

/// What the line with the fingerprint begins with.
const FINGERPRINT: &str = "fingerprint: ";

/// A number that changes with whatever a compiler is asked: WGSL, entry points and pipeline constants,
/// and what naga makes of them in the other languages.
///
/// # Errors
///
/// What naga says.
pub fn fingerprint(shaders: &[Shader]) -> Result<String, String> {
    let mut hash = Sha256::new();
    // Lengths keep neighbours apart.
    let mut add = |part: &[u8]| {
        hash.update(part.len().to_le_bytes());
        hash.update(part);
    };
    for shader in shaders {
        add(shader.name.as_bytes());
        add(shader.entry_point.as_bytes());
        add(shader.text.as_bytes());
        let parsed = Parsed::new(&shader.text)?;
        for &constants in &shader.constants {
            add(format!("{:?}", constants.values()).as_bytes());
            let module = parsed.specialize(shader.entry_point, constants, shader.loop_counters)?;
            for vulkan in Vulkan::ALL {
                let words = module.spirv(vulkan)?;
                add(&words.into_iter().flat_map(u32::to_le_bytes).collect::<Vec<u8>>());
            }
            if module.is_for_metal() {
                add(module.msl()?.as_bytes());
            }
            if module.is_for_dx12() {
                add(module.hlsl()?.0.as_bytes());
            }
        }
    }
    Ok(hash.finalize().iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    }))
}

/// The line of a record that has a fingerprint.
pub fn fingerprint_line(fingerprint: &str) -> String {
    format!("{FINGERPRINT}{fingerprint}")
}

/// Whether a record has a fingerprint.
pub fn is_of(record: &str, fingerprint: &str) -> bool {
    record.lines().any(|line| line == fingerprint_line(fingerprint))
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
    /// What else there is to know about it.
    pub remark: Option<String>,
}

/// The record's text.
///
/// # Errors
///
/// What naga says.
pub fn write(shaders: &[Shader], naga_version: &str, columns: &[Column]) -> Result<String, String> {
    let mut text = format!(
        "What other compilers said of every shader, in the languages that naga {naga_version} translates it \
         to:\nno error and no warning. Each refused shaders that are wrong on purpose. `cargo xtask \
         check-shaders` wrote\nthis.\n\n{}\n\n",
        fingerprint_line(&fingerprint(shaders)?)
    );
    for column in columns {
        let _ = writeln!(text, "{:<22}{}", column.name, column.version);
    }
    for remark in columns.iter().filter_map(|column| column.remark.as_ref()) {
        let _ = writeln!(text, "\n{remark}");
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
    Ok(text)
}
