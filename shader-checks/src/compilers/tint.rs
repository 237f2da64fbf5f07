//! Tint, the WGSL compiler of Chrome and of Dawn.

use super::{Accept, output};
use serde::Serialize;
use shader_checks::{modules::Shader, translate::Parsed};
use std::{collections::BTreeMap, fs, path::Path, process::Command};

/// Lanes that a workgroup of Dawn's null device has at most: it refuses pipelines of larger ones, and is asked about their modules alone.
/// Without pipeline constants that is all that Tint looks at.
const MAX_LANES: u32 = 256;

/// Modules that it is asked about in one go.
const AT_ONCE: usize = 256;

/// What tools/tint/check.mjs is asked.
#[derive(Serialize)]
struct Question {
    text: String,
    subgroups: bool,
    entry_point: &'static str,
    constants: Vec<BTreeMap<&'static str, f64>>,
}

/// Asks about modules and pipelines that a browser could be given, and returns the problems.
///
/// # Errors
///
/// A sentence, if Tint does not answer, or accepts what it must not.
pub fn ask(tools: &Path, shaders: &[Shader], accept: Accept<'_>) -> Result<Vec<String>, String> {
    let directory = tools.join("tint");
    let refused = answers_to(&directory, &wrong())?;
    if refused.iter().any(Vec::is_empty) {
        return Err(format!("Tint accepts what it must refuse: {refused:?}"));
    }

    let mut problems = Vec::new();
    for shaders in shaders.chunks(AT_ONCE) {
        let questions = shaders.iter().map(question).collect::<Result<Vec<_>, _>>()?;
        for (shader, found) in shaders.iter().zip(answers_to(&directory, &questions)?) {
            if found.is_empty() {
                shader.constants.iter().try_for_each(|&constants| accept(shader, constants))?;
            }
            let about = |problem: String| format!("Tint: {}: {problem}", shader.name);
            problems.extend(found.into_iter().map(about));
        }
    }
    Ok(problems)
}

fn question(shader: &Shader) -> Result<Question, String> {
    let parsed = Parsed::new(&shader.text)?;
    let mut entry_points = parsed.module.entry_points.iter();
    let fits =
        entry_points.all(|entry| entry.workgroup_size.into_iter().product::<u32>() <= MAX_LANES);
    let constants = shader.constants.iter().filter(|_| fits);
    Ok(Question {
        // Browsers have no coherent memory, but Tint's analysis of what is uniform is welcome there, too.
        text: shader.text.replace("@coherent ", ""),
        subgroups: parsed.needs_subgroups(),
        entry_point: shader.entry_point,
        constants: constants.map(|&values| parsed.values(values).into_iter().collect()).collect(),
    })
}

fn answers_to(directory: &Path, questions: &[Question]) -> Result<Vec<Vec<String>>, String> {
    let json = serde_json::to_string(questions).map_err(|error| error.to_string())?;
    let answer = output(Command::new("node").arg(directory.join("check.mjs")), json)?;
    let line = answer.lines().last().unwrap_or_default();
    let answers: Vec<Vec<String>> =
        serde_json::from_str(line).map_err(|error| format!("check.mjs answered: {error}"))?;
    if answers.len() != questions.len() {
        return Err(format!("{} answers to {} questions", answers.len(), questions.len()));
    }
    Ok(answers)
}

/// # Errors
///
/// A sentence, if it was not downloaded.
pub fn version(tools: &Path) -> Result<String, String> {
    let file = tools.join("tint/node_modules/webgpu/package.json");
    let about = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
    let text = fs::read_to_string(&file).map_err(|error| about(&error))?;
    let json: serde_json::Value = serde_json::from_str(&text).map_err(|error| about(&error))?;
    Ok(format!("of npm's webgpu {}", json["version"].as_str().unwrap_or("of no version")))
}

/// Modules and pipelines that are wrong: control flow by lane, a mere warning, a constant that is not
/// there, one that does not fit.
fn wrong() -> Vec<Question> {
    let question = |body: &str, constants: &[(&'static str, f64)]| Question {
        text: format!(
            "override SIZE: u32 = 1u;
             var<workgroup> words: array<u32, 256>;
             @compute @workgroup_size(SIZE)
             fn main(
                 @builtin(local_invocation_index) lane: u32,
                 @builtin(subgroup_size) size: u32
             ) {{ words[lane] = size; {body} }}"
        ),
        subgroups: true,
        entry_point: "main",
        constants: vec![constants.iter().copied().collect()],
    };
    vec![
        question("if lane < 7u { workgroupBarrier(); }", &[]),
        question("if lane < 7u { words[0] = subgroupAdd(lane); }", &[]),
        question("return; words[0] = 1u;", &[]),
        question("", &[("MISSING", 1.0)]),
        question("", &[("SIZE", 0.0)]),
    ]
}
