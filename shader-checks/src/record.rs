//! The record of what other compilers said, and the fingerprint that ties it to the shaders.

use crate::{
    modules::{Shader, pipelines},
    translate::Vulkan,
};
use sha2::{Digest, Sha256};
use std::slice;

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
        pipelines(slice::from_ref(shader), |_, constants, module| {
            add(format!("{:?}", constants.values()).as_bytes());
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
            Ok(())
        })?;
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The line of a record that has a fingerprint.
pub fn fingerprint_line(fingerprint: &str) -> String {
    format!("{FINGERPRINT}{fingerprint}")
}

/// Whether a record has a fingerprint.
pub fn is_of(record: &str, fingerprint: &str) -> bool {
    record.lines().any(|line| line == fingerprint_line(fingerprint))
}
