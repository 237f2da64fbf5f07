//! Writes which pipelines the checks cover, asks other compilers about them, and writes what these accepted.
//! `cargo xtask check-shaders` provides the compilers and runs this. The first argument is the directory that it has put them into: without it
//! nobody is asked. With `--all` behind it they are asked about every pipeline.

mod compilers;

use atomic_write_file::AtomicWriteFile;
use shader_checks::{
    accepted::{self, Accepted, Compiler, Module, Questions},
    cover,
    modules::{self, Shader},
    record,
};
use std::{
    collections::{BTreeSet, HashSet},
    env,
    fs::{self, OpenOptions},
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
    let mut arguments = env::args_os().skip(1);
    let tools = arguments.next().map(PathBuf::from);
    let asks_all = arguments.any(|argument| argument == "--all");
    let candidates = modules::with_seams();
    let cover = cover::cover(&candidates);
    write(cover::FILE, &cover.table(&candidates))?;
    let Some(tools) = tools else { return Ok(()) };

    let mut known = Accepted::read(&read(accepted::FILE)?);
    let answers = ask_all(&tools, &cover.shaders, &known)?;
    known = Accepted::default();
    for answer in answers {
        println!("{}: {} pipelines are accepted", answer.compiler.name(), answer.seen);
        known.set(answer.compiler, &answer.version, answer.hashes);
    }
    write(accepted::FILE, &known.text())?;
    if asks_all {
        let shaders = modules::all();
        let answers = ask_all(&tools, &shaders, &known)?;
        let lines = answers.iter().map(|it| {
            let name = it.compiler.name();
            format!("{name:<22}{:>6}  {}\n", it.seen, it.version)
        });
        write(record::FILE, &record::text(&shaders, &lines.collect::<String>())?)?;
    }
    Ok(())
}

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn read(name: &str) -> Result<String, String> {
    fs::read_to_string(path(name)).map_err(|error| format!("{name}: {error}"))
}

/// A file is whole, or it is the one before.
fn write(name: &str, text: &str) -> Result<(), String> {
    let path = path(name);
    let written = AtomicWriteFile::open(&path).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.commit()
    });
    written.map_err(|error| format!("{}: {error}", path.display()))?;
    println!("written to {}", path.display());
    Ok(())
}

/// What a compiler accepted.
struct Answer {
    compiler: Compiler,
    version: String,
    /// How many of the pipelines are for its devices.
    seen: usize,
    hashes: BTreeSet<String>,
}

/// Asks all compilers at the same time about what they did not accept before.
///
/// # Errors
///
/// All problems that they have.
fn ask_all(tools: &Path, shaders: &[Shader], known: &Accepted) -> Result<Vec<Answer>, String> {
    let modules: Vec<Module> = shaders.iter().map(Module::of).collect();
    let answers: Vec<Result<Answer, String>> = thread::scope(|scope| {
        let asking = Compiler::ALL.map(|compiler| {
            let modules = &modules;
            scope.spawn(move || ask(tools, compiler, shaders, modules, known))
        });
        asking.map(|thread| thread.join().expect("asking does not panic")).into()
    });
    let (answers, problems): (Vec<_>, Vec<_>) = answers.into_iter().partition(Result::is_ok);
    match problems.is_empty() {
        true => answers.into_iter().collect(),
        false => {
            let problems: Vec<String> = problems.into_iter().filter_map(Result::err).collect();
            Err(problems.join("\n"))
        }
    }
}

fn ask(
    tools: &Path,
    compiler: Compiler,
    shaders: &[Shader],
    modules: &[Module],
    known: &Accepted,
) -> Result<Answer, String> {
    let version = compilers::version(tools, compiler)?;
    let questions = Questions::new(compiler, &version);
    // What it accepted is remembered also if somebody interrupts this.
    let path = tools.join("accepted");
    let about = |error| format!("{}: {error}", path.display());
    let mut log = OpenOptions::new().append(true).create(true).open(&path).map_err(about)?;
    let text = fs::read_to_string(&path).map_err(about)?;
    let logged: HashSet<&str> = text.lines().collect();

    let mut hashes = BTreeSet::new();
    let mut seen = 0;
    let mut missing = Vec::new();
    for (shader, module) in shaders.iter().zip(modules) {
        if !compiler.sees(module.languages) {
            continue;
        }
        seen += shader.constants.len();
        let hash = |constants: &_| questions.about(module, *constants);
        let (accepted, others): (Vec<_>, Vec<_>) = shader.constants.iter().partition(|constants| {
            let hash = hash(*constants);
            known.has(compiler, &hash) || logged.contains(hash.as_str())
        });
        hashes.extend(accepted.iter().map(hash));
        if !others.is_empty() {
            missing.push(Shader { constants: others, ..shader.clone() });
        }
    }
    let count: usize = missing.iter().map(|shader| shader.constants.len()).sum();
    println!("{} ({version}) is asked about {count} pipelines of {seen}", compiler.name());
    let problems = compilers::ask(tools, compiler, &missing, &mut |shader, constants| {
        let hash = questions.about(&Module::of(shader), constants);
        writeln!(log, "{hash}").map_err(about)?;
        hashes.insert(hash);
        Ok(())
    })?;
    match problems.is_empty() {
        true => Ok(Answer { compiler, version, seen, hashes }),
        false => Err(format!("{}\n{} problems", problems.join("\n"), problems.len())),
    }
}
