//! spirv-val, the validator of SPIRV-Tools.

use super::{Accept, output};
use shader_checks::{
    modules::{Shader, pipelines},
    translate::Vulkan,
};
use std::{fs, path::Path, process::Command};

/// # Errors
///
/// A sentence, if spirv-val does not run.
pub fn version(vulkan: Vulkan) -> Result<String, String> {
    let program = output(Command::new("spirv-val").arg("--version"), String::new())?;
    let program = program.lines().next().unwrap_or_default().trim();
    let program = program.split(" unknown").next().unwrap_or_default();
    let Vulkan { spirv: (major, minor), checks_buffers, .. } = vulkan;
    let checker = if checks_buffers { "the device" } else { "the shader" };
    Ok(format!("{program}, SPIR-V {major}.{minor}, {checker} checks places in buffers"))
}

/// Asks about pipelines, in the SPIR-V that wgpu writes for a kind of device, and returns the problems.
///
/// # Errors
///
/// A sentence, if spirv-val does not run, or accepts what it must not.
pub fn ask(
    tools: &Path,
    shaders: &[Shader],
    vulkan: Vulkan,
    accept: Accept<'_>,
) -> Result<Vec<String>, String> {
    let Vulkan { environment, spirv: (major, minor), .. } = vulkan;
    // Of each kind its own: all are asked at the same time.
    let file = tools.join(format!("{environment}-{major}.{minor}.spv"));
    let mut problems = Vec::new();
    let mut is_first = true;
    pipelines(shaders, |shader, constants, module| {
        let mut words = module.spirv(vulkan)?;
        match problem(&file, &words, environment)? {
            None => accept(shader, constants)?,
            Some(problem) => {
                problems.push(format!("{environment}: {}{constants}: {problem}", shader.name));
            }
        }
        if std::mem::take(&mut is_first) {
            // The bound on ids: all of them are beyond it now.
            words[3] = 1;
            if problem(&file, &words, environment)?.is_none() {
                return Err("spirv-val accepts a module with a wrong bound".to_owned());
            }
        }
        Ok(())
    })?;
    Ok(problems)
}

fn problem(file: &Path, words: &[u32], environment: &str) -> Result<Option<String>, String> {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    fs::write(file, bytes).map_err(|error| format!("{}: {error}", file.display()))?;
    let output = Command::new("spirv-val")
        .args(["--target-env", environment])
        .arg(file)
        .output()
        .map_err(|error| format!("`spirv-val`: {error}"))?;
    if output.status.success() && output.stderr.is_empty() {
        return Ok(None);
    }
    Ok(Some(format!("{} {}", output.status, String::from_utf8_lossy(&output.stderr).trim())))
}
