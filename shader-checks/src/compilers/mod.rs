//! Other compilers. Each is first asked about something that it must refuse.

mod dxc;
mod spirv_val;
mod tint;

use shader_checks::{accepted::Compiler, modules::Shader, translate::Values};
use std::{
    io::Write as _,
    path::Path,
    process::{Command, Stdio},
    thread,
};

/// Remembers that a compiler accepted a pipeline.
type Accept<'a> = &'a mut dyn FnMut(&Shader, Values) -> Result<(), String>;

/// The version of a compiler.
///
/// # Errors
///
/// A sentence, if it does not run.
pub fn version(tools: &Path, compiler: Compiler) -> Result<String, String> {
    match compiler {
        Compiler::Tint => tint::version(tools),
        Compiler::Dxc => dxc::version(tools),
        Compiler::SpirvVal(vulkan) => spirv_val::version(vulkan),
    }
}

/// Asks a compiler about pipelines, and returns the problems.
///
/// # Errors
///
/// A sentence, if it does not answer, or accepts what it must not.
pub fn ask(
    tools: &Path,
    compiler: Compiler,
    shaders: &[Shader],
    accept: Accept<'_>,
) -> Result<Vec<String>, String> {
    match compiler {
        Compiler::Tint => tint::ask(tools, shaders, accept),
        Compiler::Dxc => dxc::ask(tools, shaders, accept),
        Compiler::SpirvVal(vulkan) => spirv_val::ask(tools, shaders, vulkan, accept),
    }
}

/// Runs a program on `input`, and returns what it printed. Its errors go to the terminal.
fn output(command: &mut Command, input: String) -> Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let about = |error| format!("`{program}`: {error}");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(about)?;
    let mut stdin = child.stdin.take().expect("it is piped");
    // At the same time, because it may answer before it has read everything.
    let writer = thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().map_err(about)?;
    let written = writer.join().expect("writing does not panic");
    if !output.status.success() {
        return Err(format!("`{program}` failed: {}", output.status));
    }
    written.map_err(about)?;
    String::from_utf8(output.stdout).map_err(|_| format!("`{program}` printed no UTF-8"))
}
