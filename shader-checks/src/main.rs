//! Asks other compilers about every shader, and writes the record: `cargo xtask check-shaders` provides
//! them and runs this. The one argument is the directory that it has put them into.

mod compilers;

use compilers::{Answers, dxc, spirv_val, tint};
use shader_checks::{
    modules, record,
    translate::{Parsed, Vulkan},
};
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let tools = env::args_os().nth(1).map(PathBuf::from);
    let tools = tools.ok_or("run `cargo xtask check-shaders`, which provides the compilers")?;
    let shaders = modules::all();
    let mut answers = vec![tint::ask(&tools, &shaders)?, dxc::ask(&tools, &shaders)?];
    for vulkan in Vulkan::ALL {
        answers.push(spirv_val::ask(&tools, &shaders, vulkan)?);
    }
    answers.push(translate_to_msl(&shaders)?);
    let problems: Vec<&str> =
        answers.iter().flat_map(|answers| &answers.problems).map(String::as_str).collect();
    if !problems.is_empty() {
        return Err(format!(
            "{}\n{} problems; no record written",
            problems.join("\n"),
            problems.len()
        ));
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = root.join(record::FILE);
    let columns: Vec<_> = answers.into_iter().map(Answers::into_column).collect();
    let text = record::write(&shaders, &naga_version(root)?, &columns)?;
    fs::write(&file, &text).map_err(|error| format!("{}: {error}", file.display()))?;
    println!("{text}\nwritten to {}", file.display());
    Ok(())
}

/// Metal's compiler runs on macOS only.
fn translate_to_msl(shaders: &[modules::Shader]) -> Result<Answers, String> {
    let mut answers = Answers::new("MSL", "translated only: Metal's compiler is for macOS");
    for shader in shaders {
        let parsed = Parsed::new(&shader.text)?;
        for &constants in &shader.constants {
            let module = parsed.specialize(shader.entry_point, constants, shader.loop_counters)?;
            if module.is_for_metal() {
                answers.asked(shader);
                module.msl()?;
            }
        }
    }
    Ok(answers)
}

/// The version that the workspace is locked to.
fn naga_version(root: &Path) -> Result<String, String> {
    let file = root.join("../Cargo.lock");
    let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    text.split_once("name = \"naga\"\nversion = \"")
        .and_then(|(_, rest)| rest.split_once('"'))
        .map(|(version, _)| version.to_owned())
        .ok_or_else(|| "Cargo.lock has no naga".to_owned())
}
