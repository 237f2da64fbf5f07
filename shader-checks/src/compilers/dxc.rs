//! DXC, which makes DXIL of HLSL on Windows.

use super::{Accept, output};
use shader_checks::modules::{Shader, pipelines};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    thread,
};

/// Questions that DXC is asked in one go.
const AT_ONCE: usize = 256;

/// # Errors
///
/// A sentence, if DXC does not answer, or gets wrong what every version got right.
pub fn version(tools: &Path) -> Result<String, String> {
    let program = tools.join("dxc/compile");
    let version = output(Command::new(program).arg("--version"), String::new())?;
    let copies = struct_copies(&tools.join("dxc"))?;
    Ok(format!("{} of PyPI's {}, cs_6_0; struct copies {copies}", version.trim(), package()))
}

/// Asks about pipelines that a DX12 device can select, and returns the problems.
///
/// # Errors
///
/// A sentence, if DXC does not answer, or accepts what it must not.
pub fn ask(tools: &Path, shaders: &[Shader], accept: Accept<'_>) -> Result<Vec<String>, String> {
    let directory = tools.join("dxc");
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

    let mut asked = Vec::new();
    let mut questions = Vec::new();
    pipelines(shaders, |shader, constants, module| {
        let (text, entry_point) = module.hlsl()?;
        questions.push((entry_point, text));
        asked.push((shader.clone(), constants));
        Ok(())
    })?;
    // Not all at once: the program remembers what DXC accepted also if somebody interrupts it.
    let mut problems = Vec::new();
    for (asked, questions) in asked.chunks(AT_ONCE).zip(questions.chunks(AT_ONCE)) {
        let answers = answers_to(&directory, questions)?;
        for ((shader, constants), problem) in asked.iter().zip(answers) {
            if problem.is_empty() {
                accept(shader, *constants)?;
            } else {
                problems.push(format!("DXC: {}{constants}: {problem}", shader.name));
            }
        }
    }
    Ok(problems)
}

/// What tools/dxc/compile.cpp says of entry points and texts.
fn answers_to(directory: &Path, questions: &[(String, String)]) -> Result<Vec<String>, String> {
    let hlsl = directory.join("hlsl");
    fs::create_dir_all(&hlsl).map_err(|error| format!("{}: {error}", hlsl.display()))?;
    let mut lines = Vec::new();
    for (index, (entry_point, text)) in questions.iter().enumerate() {
        let file: PathBuf = hlsl.join(format!("{index}.hlsl"));
        fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))?;
        lines.push(format!("{entry_point} {}\n", file.display()));
    }
    // A process for each core: it takes longest of all.
    let processes = thread::available_parallelism().map_or(1, usize::from);
    let answers: Result<Vec<String>, String> = thread::scope(|scope| {
        let parts = lines.chunks(lines.len().div_ceil(processes).max(1));
        let ask = |part: &[String]| {
            let input = part.concat();
            scope.spawn(move || output(&mut Command::new(directory.join("compile")), input))
        };
        let running: Vec<_> = parts.map(ask).collect();
        running.into_iter().map(|process| process.join().expect("asking does not panic")).collect()
    });
    let answers: Vec<String> =
        answers?.iter().flat_map(|part| part.lines()).map(str::to_owned).collect();
    if answers.len() != questions.len() {
        return Err(format!("{} answers to {} questions", answers.len(), questions.len()));
    }
    Ok(answers)
}

/// Whether DXC still has the error that the rule `copies` is about, and takes a copy of a struct for its source: then what
/// the shader stores is a constant, and nothing asks for the thread's place.
fn struct_copies(directory: &Path) -> Result<&'static str, String> {
    const WHOLE: &str = include_str!("../../tools/dxc/struct_copy.hlsl");
    // Which every DXC has compiled correctly so far.
    let by_members = WHOLE.replace("S old = next;", "S old; old.a = next.a; old.b = next.b;");
    let is_right = |text: &str| {
        let file = directory.join("disassembled.hlsl");
        fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))?;
        let mut disassemble = Command::new(directory.join("compile"));
        let question = format!("main {}\n", file.display());
        let dxil = output(disassemble.arg("--disassemble"), question)?;
        if !dxil.contains("call void @dx.op.bufferStore.i32(") {
            return Err(format!("DXC stores nothing: {dxil}"));
        }
        Ok(dxil.contains("call i32 @dx.op.threadId.i32("))
    };
    match (is_right(WHOLE)?, is_right(&by_members)?) {
        (true, true) => Ok("are compiled correctly"),
        (false, true) => Ok("are still miscompiled (a copy is taken for its source)"),
        (_, false) => Err("DXC forgets a struct that is copied member by member".to_owned()),
    }
}

/// Where the library is from.
fn package() -> &'static str {
    let requirements = include_str!("../../tools/dxc/requirements.txt");
    let line = requirements.lines().find(|line| line.contains("=="));
    line.and_then(|line| line.split(' ').next()).expect("the file names a version")
}
