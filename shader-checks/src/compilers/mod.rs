//! Other compilers. Each is first asked about something that it must refuse.

pub mod dxc;
pub mod spirv_val;
pub mod tint;

use shader_checks::{modules::Shader, record::Column};
use std::{
    collections::BTreeMap,
    io::Write as _,
    process::{Command, Stdio},
    thread,
};

/// What a compiler said.
pub struct Answers {
    column: Column,
    /// What it found wrong, with the shader's name.
    pub problems: Vec<String>,
}

impl Answers {
    /// Of a compiler that has not been asked.
    pub fn new(name: &str, version: &str) -> Self {
        println!("{name} ({version})");
        let column = Column {
            name: name.to_owned(),
            version: version.to_owned(),
            asked: BTreeMap::new(),
            remark: None,
        };
        Self { column, problems: Vec::new() }
    }

    /// Something to know about it, which is no problem of the shaders.
    pub fn remark(&mut self, remark: String) {
        println!("{remark}");
        self.column.remark = Some(remark);
    }

    /// It was asked about a pipeline.
    pub fn asked(&mut self, shader: &Shader) {
        *self.column.asked.entry(shader.kernel.clone()).or_default() += 1;
    }

    /// For the record.
    pub fn into_column(self) -> Column {
        self.column
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
