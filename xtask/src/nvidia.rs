//! `cargo xtask nvidia`: gridfold beside CUB, PyTorch and JAX.
//!
//! It also runs where there is no Rust: what it needs of the repository is then named by options.

mod chart;
mod line;
mod scans;
mod segments;
mod table;

use crate::{
    command::{Command, build_dir, root},
    files::{about, create_dir, read, write},
};
use clap::{Args, ValueEnum, builder::ArgPredicate};
use line::{Line, parse};
use std::{
    path::{Path, PathBuf},
    time::Instant,
};
use table::{GRIDFOLD, Results};

/// What to run, and where it is.
#[derive(Args)]
pub struct Options {
    /// How often each program runs, in turns
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..))]
    rounds: u64,
    /// The peers, with commas between them
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "cub,torch,jax")]
    peers: Vec<Peer>,
    /// The lengths: logarithms to base two with commas between them, such as 10,20
    #[arg(
        long,
        value_name = "LIST",
        default_value = "10,12,14,16,18,20,22,24,25,26,28,29,30",
        default_value_if("scans", ArgPredicate::IsPresent, "16,20,24,28")
    )]
    log2_lengths: String,
    /// gridfold's adapter, as for `gridfold --adapter`
    #[arg(long, value_name = "SELECTOR", default_value = "auto")]
    adapter: String,
    /// The headers of CCCL 3 or later, where those of the CUDA toolkit are older
    #[arg(long, value_name = "DIR")]
    cccl: Option<PathBuf>,
    /// The CUDA compiler
    #[arg(long, value_name = "PROGRAM", default_value = "nvcc")]
    nvcc: PathBuf,
    /// The Python that has torch and jax
    #[arg(long, value_name = "PROGRAM", default_value = "python3")]
    python: PathBuf,
    /// The bench `nvidia`, compiled: instead of `cargo bench --bench nvidia`
    #[arg(long, value_name = "PROGRAM")]
    gridfold: Option<PathBuf>,
    /// The bench `collectives`, compiled: instead of `cargo bench --bench collectives`. It sorts blocks, beside CUB
    #[arg(long, value_name = "PROGRAM")]
    collectives: Option<PathBuf>,
    /// Where the peers' programs lie: benches/nvidia, unless the repository is elsewhere
    #[arg(long, value_name = "DIR")]
    programs: Option<PathBuf>,
    /// Run nothing: make the tables of the lines in this file, which --record wrote
    #[arg(long, value_name = "FILE", conflicts_with_all = ["rounds", "peers", "log2_lengths", "adapter", "cccl", "nvcc", "python", "gridfold", "collectives", "programs"])]
    from: Option<PathBuf>,
    /// Write the tables and every line of every round to this file, too
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Draw the times of f32 sums by length, or those of --segments, as an SVG
    #[arg(long, value_name = "FILE")]
    chart: Option<PathBuf>,
    /// Run nothing: draw the times of sums of segments, by the segments' length. These files have what `cargo bench --bench segments` and
    /// benches/nvidia/cub_scans.cu printed
    #[arg(long, num_args = 2, value_names = ["GRIDFOLD", "CUB"], requires = "chart", conflicts_with_all = ["rounds", "peers", "log2_lengths", "adapter", "cccl", "nvcc", "python", "gridfold", "collectives", "programs", "from", "record"])]
    segments: Vec<PathBuf>,
    /// Run the bench `scan`, compiled, and benches/nvidia/cub_scans.cu instead of all else: print a table of scans, selections and
    /// histograms. The default lengths are 16,20,24,28 then
    #[arg(long, value_name = "PROGRAM", conflicts_with_all = ["rounds", "peers", "python", "gridfold", "collectives", "from", "chart", "segments"])]
    scans: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Peer {
    Cub,
    Torch,
    Jax,
}

/// A program that takes part.
struct Contender {
    name: &'static str,
    command: Command,
}

/// Runs gridfold and the peers in turns, and prints tables of what they measured.
///
/// # Errors
///
/// A sentence, if gridfold fails, or there is nothing to draw or to compare; and, after the tables, if a peer fails or two disagree about
/// a result.
pub fn run(options: &Options) -> Result<(), String> {
    if let ([gridfold, cub], Some(path)) = (&options.segments[..], &options.chart) {
        return draw(path, &segments::svg(&read(gridfold)?, &read(cub)?)?);
    }
    if let Some(bench) = &options.scans {
        return run_scans(options, bench);
    }
    let mut report = Report::default();
    let mut failures = Vec::new();
    let mut contenders = match &options.from {
        Some(path) => {
            report.read(path)?;
            Vec::new()
        }
        None => contenders(options, &mut report)?,
    };
    let rounds = if contenders.is_empty() { 0 } else { options.rounds };
    for round in 1..=rounds {
        let mut rest = Vec::new();
        for contender in contenders {
            println!("round {round} of {}: {}", options.rounds, contender.name);
            match contender.measure(round, &mut report) {
                Ok(0) if contender.name == GRIDFOLD => {
                    return Err("gridfold measured nothing".to_owned());
                }
                // It has said why.
                Ok(0) => {}
                Ok(_) => rest.push(contender),
                Err(problem) if contender.name == GRIDFOLD => return Err(problem),
                // The others have measured something, which is kept.
                Err(problem) => {
                    report.leave_out(contender.name, &problem);
                    failures.push(problem);
                }
            }
        }
        contenders = rest;
    }
    failures.extend(report.results.check_values().err());

    let lines = report.lines();
    println!();
    lines.iter().for_each(|line| println!("{line}"));
    if let Some(path) = &options.record {
        let text = format!("{}\n\n{}\n", lines.join("\n"), report.objects.join("\n"));
        write(path, &text)?;
        println!("\nwritten to {}", path.display());
    }
    if let Some(path) = &options.chart {
        draw(path, &chart::svg(&report.results, &report.devices.join(", "))?)?;
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
}

/// Writes a chart, and says where it is.
fn draw(path: &Path, svg: &str) -> Result<(), String> {
    write(path, svg)?;
    println!("\ndrawn to {}", path.display());
    Ok(())
}

/// Runs the bench `scan` and CUB's program, and prints a table of what both measured.
fn run_scans(options: &Options, bench: &Path) -> Result<(), String> {
    let source = peer_file(options, "cub_scans.cu")?;
    let Some(cub) = compile(options, &source, "cub_scans", &mut Report::default())? else {
        return Err("there is nothing to compare gridfold's scans with".to_owned());
    };
    let bench = Command::new(bench, "").here().arg(&options.adapter);
    let gridfold = seen(&bench.arg(&options.log2_lengths))?;
    let cub = seen(&cub.arg(&options.log2_lengths))?;
    let table = scans::table(&gridfold, &cub)?;
    println!();
    table.iter().for_each(|line| println!("{line}"));
    if let Some(path) = &options.record {
        write(path, format!("{}\n\n{gridfold}\n{cub}", table.join("\n")))?;
        println!("\nwritten to {}", path.display());
    }
    Ok(())
}

/// What a program prints, which is shown as it comes.
fn seen(command: &Command) -> Result<String, String> {
    let mut text = String::new();
    command.run_seen(|line| {
        text.push_str(line);
        text.push('\n');
    })?;
    Ok(text)
}

impl Contender {
    /// Returns how many measurements there are.
    fn measure(&self, round: u64, report: &mut Report) -> Result<usize, String> {
        println!("$ {}", self.command);
        let begin = Instant::now();
        let (status, output) = self.command.end()?;
        if !status.success() {
            return Err(format!("{}: {status}; to repeat it, run: {}", self.name, self.command));
        }
        let rows = report.add(self.name, round, &output)?;
        println!("{rows} measurements in {:.0} s", begin.elapsed().as_secs_f64());
        Ok(rows)
    }
}

/// gridfold, and those peers whose tools are there.
fn contenders(options: &Options, report: &mut Report) -> Result<Vec<Contender>, String> {
    let gridfold = match &options.gridfold {
        Some(program) => Command::new(program, "").here(),
        None => Command::cargo("bench --bench nvidia --"),
    };
    let command = gridfold.arg(&options.adapter).arg(&options.log2_lengths);
    let mut contenders = vec![Contender { name: GRIDFOLD, command }];
    let collectives = match (&options.collectives, &options.gridfold) {
        (Some(program), _) => Some(Command::new(program, "").here()),
        (None, None) => Some(Command::cargo("bench --bench collectives --")),
        // Where the one is named, there may be no cargo for the other.
        (None, Some(_)) => {
            let reason = "sorts of blocks: name the bench collectives by --collectives";
            report.leave_out(GRIDFOLD, reason);
            None
        }
    };
    let sorts_blocks = collectives.is_some();
    contenders.extend(collectives.map(|program| {
        // 2^24 words, and lines for this program.
        let command = program.arg(&options.adapter).arg("24").arg("lines");
        Contender { name: GRIDFOLD, command }
    }));

    let has_python = Command::new(&options.python, "--version").here().works();
    for (peer, name, file) in [
        (Peer::Cub, "cub", "cub.cu"),
        (Peer::Torch, "torch", "with_torch.py"),
        (Peer::Jax, "jax", "with_jax.py"),
    ] {
        if !options.peers.contains(&peer) {
            continue;
        }
        let path = peer_file(options, file)?;
        let command = if peer == Peer::Cub {
            if sorts_blocks {
                let source = peer_file(options, "block_sort.cu")?;
                let command = compile(options, &source, "block_sort", report)?;
                contenders.extend(command.map(|command| Contender { name, command }));
            }
            compile(options, &path, name, report)?
        } else if has_python {
            // Nothing is left beside the programs.
            let python = Command::new(&options.python, "").here();
            Some(python.env("PYTHONDONTWRITEBYTECODE", "1").arg(path))
        } else {
            report.leave_out(name, &missing(&options.python, "Python", "--python"));
            None
        };
        if let Some(command) = command {
            let command = command.arg(&options.log2_lengths);
            contenders.push(Contender { name, command });
        }
    }
    Ok(contenders)
}

/// Where a peer's program lies.
fn peer_file(options: &Options, file: &str) -> Result<PathBuf, String> {
    let programs = match &options.programs {
        Some(programs) => programs.clone(),
        None => root().join("benches/nvidia"),
    };
    let path = programs.join(file);
    if path.is_file() {
        Ok(path)
    } else {
        Err(format!(
            "{} is not there: name the directory that it is in by --programs",
            path.display()
        ))
    }
}

fn missing(program: &Path, what: &str, option: &str) -> String {
    format!("`{}` does not run: install {what}, or name it by {option}", program.display())
}

/// The compiled program, unless there is no compiler.
fn compile(
    options: &Options,
    source: &Path,
    name: &str,
    report: &mut Report,
) -> Result<Option<Command>, String> {
    if !Command::new(&options.nvcc, "--version").here().works() {
        report.leave_out("cub", &missing(&options.nvcc, "the CUDA toolkit", "--nvcc"));
        return Ok(None);
    }
    let directory = build_dir()?.with_file_name("nvidia");
    create_dir(&directory)?;
    let program = directory.join(name);
    let mut nvcc = Command::new(&options.nvcc, "-arch=native -O3 -std=c++17").here();
    if let Some(cccl) = &options.cccl {
        nvcc = nvcc.arg("-I").arg(cccl);
    }
    nvcc.arg(source).arg("-o").arg(&program).run().map_err(|problem| {
        format!(
            "CUB's program did not compile, which needs CUDA 12 or later (--cccl names newer headers of CCCL): \
             {problem}"
        )
    })?;
    Ok(Some(Command::new(program, "").here()))
}

/// What came out.
#[derive(Default)]
struct Report {
    results: Results,
    /// Programs, versions, devices; what was left out; copies.
    notes: Vec<String>,
    devices: Vec<String>,
    /// The programs' lines, with their rounds.
    objects: Vec<String>,
}

impl Report {
    fn leave_out(&mut self, program: &str, reason: &str) {
        self.note(format!("LEFT OUT of {program}: {reason}"));
    }

    /// Says it at once, and again in the report.
    fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            println!("{note}");
            self.notes.push(note);
        }
    }

    /// Returns how many measurements there are.
    fn add(&mut self, program: &str, round: u64, output: &str) -> Result<usize, String> {
        let mut rows = 0;
        for (text, number) in output.lines().zip(1..) {
            if !text.trim().is_empty() {
                let (by, _, line) = parse(text)
                    .map_err(|problem| format!("{program}, line {number}: {problem}: {text}"))?;
                if by != program {
                    return Err(format!("{program}, line {number}: it is by {by}: {text}"));
                }
                rows += self.see(program, round, line);
                self.objects.push(text.replacen('{', &format!("{{\"round\":{round},"), 1));
            }
        }
        Ok(rows)
    }

    /// Adds the lines of a record, with their rounds.
    fn read(&mut self, path: &Path) -> Result<(), String> {
        let text = read(path)?;
        let mut rows = 0;
        for text in text.lines().filter(|line| line.starts_with('{')) {
            let (program, round, line) =
                parse(text).map_err(|problem| about(path)(&format!("{problem}: {text}")))?;
            rows += self.see(&program, round.unwrap_or_default(), line);
            self.objects.push(text.to_owned());
        }
        if rows == 0 { Err(about(path)(&"no measurements")) } else { Ok(()) }
    }

    /// Returns how many measurements there are.
    fn see(&mut self, program: &str, round: u64, line: Line) -> usize {
        match line {
            Line::About { version, device } => {
                self.note(format!("{program}: {version}, on {device}"));
                if !self.devices.contains(&device) {
                    self.devices.push(device);
                }
            }
            Line::Skipped { skipped } => self.leave_out(program, &skipped),
            Line::Copy { copy_gb_per_s } => self.note(format!(
                "{program}, round {round}: a copy reads and writes {copy_gb_per_s:.1} GB/s"
            )),
            Line::Measured(measured) => {
                self.results.add(program, measured);
                return 1;
            }
        }
        0
    }

    fn lines(&self) -> Vec<String> {
        let mut lines = self.notes.clone();
        if self.devices.len() > 1 {
            lines.push(format!(
                "NOT ON ONE DEVICE, so this compares nothing: {}",
                self.devices.join(", ")
            ));
        }
        lines.extend(["cub", "torch", "jax"].iter().filter_map(|peer| self.results.beside(peer)));
        lines.push(
            "In parentheses: the time as a multiple of the first column's. spread: between the fastest and the \
             slowest round, as a share of the median, for the median length and the worst."
                .to_owned(),
        );
        lines.extend(self.results.tables());
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(clap::Parser)]
    struct Arguments {
        #[command(flatten)]
        options: Options,
    }

    fn options(arguments: &str) -> Option<Options> {
        let words = std::iter::once("nvidia").chain(arguments.split_whitespace());
        <Arguments as clap::Parser>::try_parse_from(words).ok().map(|parsed| parsed.options)
    }

    #[test]
    fn scans_have_options_of_their_own() {
        let lengths = |arguments: &str| options(arguments).expect("parsed").log2_lengths;
        assert_eq!(lengths(""), "10,12,14,16,18,20,22,24,25,26,28,29,30");
        assert_eq!(lengths("--scans scan --nvcc nvcc-13 --record FILE"), "16,20,24,28");
        assert_eq!(lengths("--scans scan --log2-lengths 24"), "24");
        let scans = options("--scans ./scan").expect("parsed").scans;
        assert_eq!(scans.as_deref(), Some(Path::new("./scan")));
        for other in ["--rounds 1", "--gridfold nvidia", "--from FILE", "--chart SVG", "--scans"] {
            assert!(options(&format!("--scans scan {other}")).is_none(), "{other}");
        }
    }

    const GRIDFOLD_LINES: &str = r#"{"program":"gridfold","version":"gridfold 0.1.0","device":"NVIDIA H200"}
{"program":"gridfold","op":"max","type":"f32","mode":"","log2_len":10,"us":6,"us_batch":2.5,"value":1}
"#;

    #[test]
    fn what_is_missing_is_said() {
        let mut report = Report::default();
        report.leave_out("cub", &missing(Path::new("nvcc"), "the CUDA toolkit", "--nvcc"));
        assert_eq!(report.add("gridfold", 1, GRIDFOLD_LINES), Ok(1));
        let skipped = r#"{"program":"torch","skipped":"it finds no CUDA device"}"#;
        assert_eq!(report.add("torch", 1, skipped), Ok(0));
        assert_eq!(report.add("torch", 2, skipped), Ok(0));
        assert_eq!(
            report.lines()[..3],
            [
                "LEFT OUT of cub: `nvcc` does not run: install the CUDA toolkit, or name it by --nvcc",
                "gridfold: gridfold 0.1.0, on NVIDIA H200",
                "LEFT OUT of torch: it finds no CUDA device",
            ]
        );
        assert_eq!(report.lines().iter().filter(|line| line.contains("LEFT OUT")).count(), 2);
    }

    #[test]
    fn the_record_has_rounds() {
        let mut report = Report::default();
        assert_eq!(report.add("gridfold", 2, GRIDFOLD_LINES), Ok(1));
        assert_eq!(
            report.objects[0],
            r#"{"round":2,"program":"gridfold","version":"gridfold 0.1.0","device":"NVIDIA H200"}"#
        );
        assert_eq!(report.objects.len(), 2);
    }

    #[test]
    fn a_record_is_read_again() {
        let mut report = Report::default();
        for round in 1..=2 {
            assert_eq!(report.add("gridfold", round, GRIDFOLD_LINES), Ok(1));
        }
        let path = std::env::temp_dir().join(format!("gridfold-{}.txt", std::process::id()));
        write(&path, format!("tables\n\n{}\n", report.objects.join("\n"))).expect("written");
        let mut again = Report::default();
        assert_eq!(again.read(&path), Ok(()));
        write(&path, "nothing").expect("written");
        assert!(Report::default().read(&path).is_err());
        std::fs::remove_file(path).expect("removed");
        assert_eq!(again.objects, report.objects);
        assert_eq!(again.lines(), report.lines());
    }

    #[test]
    fn two_devices_are_no_comparison() {
        let other =
            |device: &str| format!(r#"{{"program":"cub","version":"3","device":"{device}"}}"#);
        let warns = |device: &str| {
            let mut report = Report::default();
            assert_eq!(report.add("gridfold", 1, GRIDFOLD_LINES), Ok(1));
            assert_eq!(report.add("cub", 1, &other(device)), Ok(0));
            report.lines().iter().any(|line| line.starts_with("NOT ON ONE DEVICE"))
        };
        assert!(!warns("NVIDIA H200"));
        assert!(warns("NVIDIA H100"));
    }

    #[test]
    fn a_line_that_is_not_as_it_must_be_is_named() {
        let output = format!("{GRIDFOLD_LINES}Segmentation fault\n");
        let problem = Report::default().add("gridfold", 1, &output);
        let expected = "gridfold, line 3: not an object of JSON: Segmentation fault";
        assert_eq!(problem, Err(expected.to_owned()));
    }
}
