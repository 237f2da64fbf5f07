//! DXC, which makes DXIL of HLSL on Windows.

use super::{Answers, output};
use shader_checks::{
    modules::{Shader, pipelines},
    struct_copies,
};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Asks about every pipeline that a DX12 device can select.
///
/// # Errors
///
/// A sentence, if DXC does not answer, or accepts what it must not.
pub fn ask(tools: &Path, shaders: &[Shader]) -> Result<Answers, String> {
    let directory = tools.join("dxc");
    let version = output(Command::new(directory.join("compile")).arg("--version"), String::new())?;
    let version = version.trim();
    let mut answers = Answers::new("DXC", format!("{version} of PyPI's {}, cs_6_0", package()));

    let wrong = [
        ("main", "[numthreads(1, 1, 1)] void main() { nonsense(); }"),
        ("main", "[numthreads(1, 1, 1)] void other() {}"),
        ("main", "[numthreads(9999, 1, 1)] void main() {}"),
    ];
    let wrong = wrong.map(|(entry_point, text)| (entry_point.to_owned(), text.to_owned()));
    let refused = answers_to(&directory, &wrong)?;
    if refused.iter().any(String::is_empty) {
        return Err(format!("DXC accepts what it must refuse: {refused:?}"));
    }

    let [whole, members] = [struct_copies::WHOLE, &struct_copies::by_members()]
        .map(|text| dxil(&directory, "main", text));
    let verdict = struct_copies::verdict(&whole?, &members?)?;
    answers.remark = Some(format!("DXC {version}: {verdict}"));

    let mut names = Vec::new();
    let mut questions = Vec::new();
    pipelines(shaders, |shader, constants, module| {
        if module.is_for_dx12() {
            let (text, entry_point) = module.hlsl()?;
            questions.push((entry_point, text));
            names.push(format!("{}{constants}", shader.name));
        }
        Ok(())
    })?;
    answers.asked = names.len();
    for (name, problem) in names.iter().zip(answers_to(&directory, &questions)?) {
        if !problem.is_empty() {
            answers.problems.push(format!("DXC: {name}: {problem}"));
        }
    }
    Ok(answers)
}

/// What tools/dxc/compile.cpp says of entry points and texts.
fn answers_to(directory: &Path, questions: &[(String, String)]) -> Result<Vec<String>, String> {
    let hlsl = directory.join("hlsl");
    fs::create_dir_all(&hlsl).map_err(|error| format!("{}: {error}", hlsl.display()))?;
    let mut lines = String::new();
    for (index, (entry_point, text)) in questions.iter().enumerate() {
        let file: PathBuf = hlsl.join(format!("{index}.hlsl"));
        fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))?;
        lines.push_str(&format!("{entry_point} {}\n", file.display()));
    }
    let answer = output(&mut Command::new(directory.join("compile")), lines)?;
    let answers: Vec<String> = answer.lines().map(str::to_owned).collect();
    if answers.len() != questions.len() {
        return Err(format!("{} answers to {} questions", answers.len(), questions.len()));
    }
    Ok(answers)
}

/// The DXIL that DXC makes of a text, as text.
fn dxil(directory: &Path, entry_point: &str, text: &str) -> Result<String, String> {
    let file = directory.join("disassembled.hlsl");
    fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))?;
    let question = format!("{entry_point} {}\n", file.display());
    output(Command::new(directory.join("compile")).arg("--disassemble"), question)
}

/// Where the library is from.
fn package() -> &'static str {
    let requirements = include_str!("../../tools/dxc/requirements.txt");
    let line = requirements.lines().find(|line| line.contains("=="));
    line.and_then(|line| line.split(' ').next()).expect("the file names a version")
}
