//! Other programs: run in the repository's root, unless told otherwise, and shown as one would type them.

use std::{
    env,
    ffi::OsString,
    fmt,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process,
    time::Duration,
};

/// The repository's root.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a directory in the root")
}

/// Where cargo puts what it builds for `cargo xtask`: `target/debug`, unless the user has set another
/// target directory.
///
/// # Errors
///
/// A sentence, if the operating system does not tell.
pub fn build_dir() -> Result<PathBuf, String> {
    let this = env::current_exe().map_err(|error| format!("where am I? {error}"))?;
    Ok(this.parent().expect("a program is in a directory").to_owned())
}

/// A program, its arguments and its environment.
#[derive(Clone)]
pub struct Command {
    program: OsString,
    arguments: Vec<OsString>,
    environment: Vec<(&'static str, OsString)>,
    directory: Option<PathBuf>,
}

/// Whether this machine builds everything once, and asks nobody.
pub fn is_ci() -> bool {
    env::var_os("CI").is_some_and(|ci| ci == "true")
}

impl Command {
    /// `arguments` are split at spaces.
    pub fn new(program: impl Into<OsString>, arguments: &str) -> Self {
        let program = program.into();
        let directory = Some(root().to_owned());
        Self { program, arguments: Vec::new(), environment: Vec::new(), directory }.args(arguments)
    }

    pub fn cargo(arguments: &str) -> Self {
        let cargo = Self::new("cargo", arguments);
        // What a later build would begin with takes time to make, and there is no later one.
        match is_ci() {
            true => cargo.env("CARGO_INCREMENTAL", "0"),
            false => cargo,
        }
    }

    pub fn arg(mut self, argument: impl Into<OsString>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// `arguments` are split at spaces.
    pub fn args(mut self, arguments: &str) -> Self {
        self.arguments.extend(arguments.split_whitespace().map(OsString::from));
        self
    }

    pub fn env(mut self, name: &'static str, value: impl Into<OsString>) -> Self {
        self.environment.push((name, value.into()));
        self
    }

    pub fn envs(mut self, environment: Vec<(&'static str, OsString)>) -> Self {
        self.environment.extend(environment);
        self
    }

    /// Ends it, and all that it has started, after this time. It fails then, with the exit status 124. Needs GNU's `timeout`.
    pub fn within(self, time: Duration) -> Self {
        let time = format!("{}s", time.as_secs_f64());
        let mut arguments = vec!["--kill-after=10s".into(), time.into(), self.program];
        arguments.extend(self.arguments);
        Self { program: "timeout".into(), arguments, ..self }
    }

    /// Runs where this program was called, rather than in the repository's root.
    pub fn here(self) -> Self {
        Self { directory: None, ..self }
    }

    /// Shows it and runs it, its output going where this program's goes.
    ///
    /// # Errors
    ///
    /// A part of a sentence, if it did not start or did not succeed.
    pub fn run(&self) -> Result<(), String> {
        println!("$ {self}");
        let status = self.to_process().status().map_err(|error| self.did_not_start(&error))?;
        self.judge(status)
    }

    /// Runs it and returns what it printed to its standard output.
    ///
    /// # Errors
    ///
    /// As [`Command::run`].
    pub fn output(&self) -> Result<String, String> {
        let (status, stdout) = self.end()?;
        self.judge(status).inspect_err(|_| print!("{stdout}"))?;
        Ok(stdout)
    }

    /// Runs it. Returns how it ended, and what it printed to its standard output.
    ///
    /// # Errors
    ///
    /// A part of a sentence, if it did not start.
    pub fn end(&self) -> Result<(process::ExitStatus, String), String> {
        let mut process = self.to_process();
        process.stderr(process::Stdio::inherit());
        let output = process.output().map_err(|error| self.did_not_start(&error))?;
        let stdout =
            String::from_utf8(output.stdout).map_err(|_| format!("no text came from: {self}"))?;
        Ok((output.status, stdout))
    }

    /// Shows it and runs it, as [`Command::run`], and has `see` look at each line of its standard output.
    ///
    /// # Errors
    ///
    /// As [`Command::run`].
    pub fn run_seen(&self, mut see: impl FnMut(&str)) -> Result<(), String> {
        println!("$ {self}");
        let mut process = self.to_process();
        process.stdout(process::Stdio::piped());
        let mut child = process.spawn().map_err(|error| self.did_not_start(&error))?;
        let stdout = child.stdout.take().expect("standard output is a pipe");
        for line in BufReader::new(stdout).split(b'\n') {
            let line = line.map_err(|error| format!("no output came from {self}: {error}"))?;
            let line = String::from_utf8_lossy(&line);
            println!("{line}");
            see(&line);
        }
        let status = child.wait().map_err(|error| format!("{self} does not end: {error}"))?;
        self.judge(status)
    }

    fn judge(&self, status: process::ExitStatus) -> Result<(), String> {
        if status.success() { Ok(()) } else { Err(format!("{status}; to repeat it, run: {self}")) }
    }

    /// Whether it starts and succeeds; what it prints is lost.
    pub fn works(&self) -> bool {
        self.to_process().output().is_ok_and(|output| output.status.success())
    }

    fn did_not_start(&self, error: &std::io::Error) -> String {
        format!("`{}` did not start: {error}", self.program.display())
    }

    fn to_process(&self) -> process::Command {
        let mut process = process::Command::new(&self.program);
        process
            .args(&self.arguments)
            .envs(self.environment.iter().map(|(name, value)| (name, value)));
        if let Some(directory) = &self.directory {
            process.current_dir(directory);
        }
        process
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.environment {
            write!(f, "{name}={} ", quoted(&value.to_string_lossy()))?;
        }
        f.write_str(&quoted(&self.program.to_string_lossy()))?;
        self.arguments
            .iter()
            .try_for_each(|argument| write!(f, " {}", quoted(&argument.to_string_lossy())))
    }
}

/// A word as a shell wants it.
fn quoted(word: &str) -> String {
    if word.is_empty()
        || word.contains(|c: char| c.is_whitespace() || "\"'$&|;()<>*`\\".contains(c))
    {
        format!("'{}'", word.replace('\'', "'\\''"))
    } else {
        word.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_os = "linux")]
    use std::time::Instant;

    #[test]
    fn shown_as_typed() {
        let command =
            Command::new("cargo", "doc --no-deps").arg("it's").env("RUSTDOCFLAGS", "-D warnings");
        assert_eq!(
            command.to_string(),
            r"RUSTDOCFLAGS='-D warnings' cargo doc --no-deps 'it'\''s'"
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn ended_with_all_that_it_started() {
        let in_time = Command::new("true", "").within(Duration::from_secs(60));
        assert_eq!(in_time.run(), Ok(()));
        // `sleep` writes to the pipe, too: if it went on, this would take ten minutes.
        let hangs = Command::new("sh", "-c").arg("sleep 600; true").env("A", "b");
        let start = Instant::now();
        let outcome = hangs.within(Duration::from_millis(50)).run_seen(|_| {});
        assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
        let again = "A=b timeout --kill-after=10s 0.05s sh -c 'sleep 600; true'";
        assert_eq!(outcome, Err(format!("exit status: 124; to repeat it, run: {again}")));
    }
}
