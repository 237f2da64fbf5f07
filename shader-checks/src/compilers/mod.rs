//! Other compilers. Each is first asked about something that it must refuse.

mod accepted;
pub mod dxc;
pub mod spirv_val;
pub mod tint;

use std::{
    fmt,
    io::Write as _,
    process::{Command, Stdio},
    thread,
};

/// What a compiler said.
pub struct Answers {
    name: String,
    /// Its version, and how it was asked.
    version: String,
    /// About how many pipelines it was asked.
    pub asked: usize,
    /// What it found wrong, with the shader's name.
    pub problems: Vec<String>,
    /// Something to know about it, which is no problem of the shaders.
    pub remark: Option<String>,
}

impl Answers {
    /// Of a compiler that has not been asked.
    pub fn new(name: &str, version: String) -> Self {
        println!("{name} ({version})");
        let name = name.to_owned();
        Self { name, version, asked: 0, problems: Vec::new(), remark: None }
    }
}

/// A line of the record.
impl fmt::Display for Answers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<22}{:>5}  {}", self.name, self.asked, self.version)
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
