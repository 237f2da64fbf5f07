//! spirv-val, the validator of SPIRV-Tools.

use super::{Answers, accepted::Accepted, output};
use shader_checks::{
    modules::{Shader, pipelines},
    translate::Vulkan,
};
use std::{fs, path::Path, process::Command};

/// Asks about every pipeline, in the SPIR-V that wgpu writes for a kind of device.
///
/// # Errors
///
/// A sentence, if spirv-val does not run, or accepts what it must not.
pub fn ask(tools: &Path, shaders: &[Shader], vulkan: Vulkan) -> Result<Answers, String> {
    let program = output(Command::new("spirv-val").arg("--version"), String::new())?;
    let program = program.lines().next().unwrap_or_default().trim();
    let program = program.split(" unknown").next().unwrap_or_default();
    let Vulkan { environment, spirv: (major, minor), checks_buffers } = vulkan;
    let name = format!("spirv-val, {environment}");
    let checker = if checks_buffers { "the device" } else { "the shader" };
    let version = format!("{program}, SPIR-V {major}.{minor}, {checker} checks places in buffers");
    let mut accepted = Accepted::new(tools, format!("{name} {version}"))?;
    let mut answers = Answers::new(&name, version);
    // Of each kind its own: all are asked at the same time.
    let file = tools.join(format!("{environment}-{major}.{minor}.spv"));
    pipelines(shaders, |shader, constants, module| {
        let mut words = module.spirv(vulkan)?;
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let hash = accepted.hash(&[&bytes]);
        if !accepted.has(&hash) {
            match problem(&file, &bytes, environment)? {
                None => accepted.add(hash)?,
                Some(problem) => {
                    let problem = format!("{name}: {}{constants}: {problem}", shader.name);
                    answers.problems.push(problem);
                }
            }
        }
        if answers.asked == 0 {
            // The bound on ids: all of them are beyond it now.
            words[3] = 1;
            let wrong: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            if problem(&file, &wrong, environment)?.is_none() {
                return Err("spirv-val accepts a module with a wrong bound".to_owned());
            }
        }
        answers.asked += 1;
        Ok(())
    })?;
    Ok(answers)
}

fn problem(file: &Path, bytes: &[u8], environment: &str) -> Result<Option<String>, String> {
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
