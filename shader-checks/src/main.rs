//! Asks other compilers about every shader, and writes the record: `cargo xtask check-shaders` provides
//! them and runs this. The one argument is the directory that it has put them into.

mod compilers;

use atomic_write_file::AtomicWriteFile;
use compilers::{Answers, dxc, spirv_val, tint};
use shader_checks::{
    modules::{self, Shader},
    record,
    translate::Vulkan,
};
use std::{
    env,
    io::Write,
    path::{Path, PathBuf},
    process::ExitCode,
    thread,
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
    let answers = ask_all(&tools, &shaders)?;
    let problems: Vec<&str> =
        answers.iter().flat_map(|answers| &answers.problems).map(String::as_str).collect();
    if !problems.is_empty() {
        return Err(format!(
            "{}\n{} problems; no record written",
            problems.join("\n"),
            problems.len()
        ));
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(record::FILE);
    let text = record(&shaders, &answers)?;
    // A record is whole, or it is the one before.
    let written = AtomicWriteFile::open(&file).and_then(|mut record| {
        record.write_all(text.as_bytes())?;
        record.commit()
    });
    written.map_err(|error| format!("{}: {error}", file.display()))?;
    println!("{text}\nwritten to {}", file.display());
    Ok(())
}

/// Asks all compilers at the same time.
fn ask_all(tools: &Path, shaders: &[Shader]) -> Result<Vec<Answers>, String> {
    thread::scope(|scope| {
        let mut asking = vec![
            scope.spawn(|| tint::ask(tools, shaders)),
            scope.spawn(|| dxc::ask(tools, shaders)),
        ];
        asking.extend(
            Vulkan::ALL.map(|vulkan| scope.spawn(move || spirv_val::ask(tools, shaders, vulkan))),
        );
        asking.push(scope.spawn(|| translate_to_msl(shaders)));
        asking.into_iter().map(|thread| thread.join().expect("asking does not panic")).collect()
    })
}

/// The record's text: every compiler accepted everything, or there is none.
fn record(shaders: &[Shader], answers: &[Answers]) -> Result<String, String> {
    let pipelines: usize = shaders.iter().map(|shader| shader.constants.len()).sum();
    let fingerprint = record::fingerprint_line(&record::fingerprint(shaders)?);
    let lines: Vec<String> = answers.iter().map(Answers::to_string).collect();
    let remarks: Vec<&str> = answers.iter().filter_map(|it| it.remark.as_deref()).collect();
    Ok(format!(
        "What other compilers said of every shader, in the languages that naga translates it to: no error and no\n\
         warning. Each refused shaders that are wrong on purpose. `cargo xtask check-shaders` wrote this.\n\n\
         {fingerprint}\n\n\
         There are {} modules, and with their sets of constants {pipelines} pipelines. So many each was asked about, the\n\
         others need what no device of that language has:\n\n{}\n\n{}\n",
        shaders.len(),
        lines.join("\n"),
        remarks.join("\n"),
    ))
}

/// Metal's compiler runs on macOS only.
fn translate_to_msl(shaders: &[Shader]) -> Result<Answers, String> {
    let version = "translated only: Metal's compiler is for macOS".to_owned();
    let mut answers = Answers::new("MSL", version);
    modules::pipelines(shaders, |_, _, module| {
        if module.is_for_metal() {
            answers.asked += 1;
            module.msl()?;
        }
        Ok(())
    })?;
    Ok(answers)
}
