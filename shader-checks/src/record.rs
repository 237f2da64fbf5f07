//! The record of what other compilers said, and the fingerprint that ties it to the shaders.

use crate::{
    modules::{Shader, pipelines},
    translate::{Specialized, Vulkan},
};
use sha2::{Digest, Sha256};
use std::slice;

/// The committed record, below the crate's root.
pub const FILE: &str = "record.txt";

/// What the line with the fingerprint begins with.
const FINGERPRINT: &str = "fingerprint: ";

/// What naga makes of a pipeline, in the languages that other compilers are asked in.
pub struct Translated {
    /// As [`Vulkan::ALL`].
    pub spirv: [Vec<u32>; 2],
    /// If Metal devices can select it.
    pub msl: Option<String>,
    /// With the entry point's name, if DX12 devices can select it.
    pub hlsl: Option<(String, String)>,
}

impl Translated {
    /// Translates it.
    ///
    /// # Errors
    ///
    /// What naga says.
    pub fn of(module: &Specialized<'_>) -> Result<Self, String> {
        let [older, newer] = Vulkan::ALL;
        Ok(Self {
            spirv: [module.spirv(older)?, module.spirv(newer)?],
            msl: module.is_for_metal().then(|| module.msl()).transpose()?,
            hlsl: module.is_for_dx12().then(|| module.hlsl()).transpose()?,
        })
    }
}

/// A number that changes with whatever a compiler is asked: WGSL, entry points and pipeline constants,
/// and what naga makes of them in the other languages.
///
/// # Errors
///
/// What naga says.
pub fn fingerprint(shaders: &[Shader]) -> Result<String, String> {
    fingerprint_and(shaders, |_, _, _| Ok(()))
}

/// The same, and a look at every translation on the way: to translate takes longer than anything else.
///
/// # Errors
///
/// What naga says, or `look`.
pub fn fingerprint_and(
    shaders: &[Shader],
    mut look: impl FnMut(&Shader, &Specialized<'_>, &Translated) -> Result<(), String>,
) -> Result<String, String> {
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
            let translated = Translated::of(module)?;
            for words in &translated.spirv {
                add(&words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>());
            }
            let hlsl = translated.hlsl.as_ref().map(|(text, _)| text);
            for text in translated.msl.iter().chain(hlsl) {
                add(text.as_bytes());
            }
            look(shader, module, &translated)
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
