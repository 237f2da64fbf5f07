//! Tint, the WGSL compiler of Chrome and of Dawn.

use super::{Answers, accepted::Accepted, output};
use serde::Serialize;
use shader_checks::{modules::Shader, translate::Parsed};
use std::{collections::BTreeMap, fs, path::Path, process::Command};

/// Lanes that a workgroup of Dawn's null device has at most: it refuses pipelines of larger ones, and is asked about their modules alone.
/// Without pipeline constants that is all that Tint looks at.
const MAX_LANES: u32 = 256;

/// What tools/tint/check.mjs is asked.
#[derive(Serialize)]
struct Question {
    text: String,
    subgroups: bool,
    entry_point: &'static str,
    constants: Vec<BTreeMap<&'static str, f64>>,
}

/// Asks about every module and pipeline that a browser could be given.
///
/// # Errors
///
/// A sentence, if Tint does not answer, or accepts what it must not.
pub fn ask(tools: &Path, shaders: &[Shader]) -> Result<Answers, String> {
    let directory = tools.join("tint");
    let version = format!("of npm's webgpu {}", version(&directory)?);
    let how = include_str!("../../tools/tint/check.mjs");
    let mut accepted = Accepted::new(tools, format!("Tint {version} by {how}"))?;
    let mut answers = Answers::new("Tint", version);

    let refused = answers_to(&directory, &wrong())?;
    if refused.iter().any(Vec::is_empty) {
        return Err(format!("Tint accepts what it must refuse: {refused:?}"));
    }

    let mut asked = Vec::new();
    let mut questions = Vec::new();
    for shader in shaders {
        let parsed = Parsed::new(&shader.text)?;
        if parsed.is_for_browsers() {
            answers.asked += shader.constants.len();
            let mut entry_points = parsed.module.entry_points.iter();
            let fits = entry_points
                .all(|entry| entry.workgroup_size.into_iter().product::<u32>() <= MAX_LANES);
            let constants = shader.constants.iter().filter(|_| fits);
            let question = Question {
                // Browsers have no coherent memory, but Tint's analysis of what is uniform is welcome there, too.
                text: shader.text.replace("@coherent ", ""),
                subgroups: parsed.needs_subgroups(),
                entry_point: shader.entry_point,
                constants: constants
                    .map(|constants| constants.values().into_iter().collect())
                    .collect(),
            };
            let json = serde_json::to_vec(&question).map_err(|error| error.to_string())?;
            let hash = accepted.hash(&[&json]);
            if !accepted.has(&hash) {
                questions.push(question);
                asked.push((shader, hash));
            }
        }
    }
    for ((shader, hash), problems) in asked.into_iter().zip(answers_to(&directory, &questions)?) {
        if problems.is_empty() {
            accepted.add(hash)?;
        }
        answers
            .problems
            .extend(problems.iter().map(|problem| format!("Tint: {}: {problem}", shader.name)));
    }
    Ok(answers)
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

fn version(directory: &Path) -> Result<String, String> {
    let file = directory.join("node_modules/webgpu/package.json");
    let about = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
    let text = fs::read_to_string(&file).map_err(|error| about(&error))?;
    let json: serde_json::Value = serde_json::from_str(&text).map_err(|error| about(&error))?;
    Ok(json["version"].as_str().unwrap_or("of no version").to_owned())
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
