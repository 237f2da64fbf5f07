//! What a check has to complain of.

use naga::Span;
use std::fmt;

/// A place in a shader, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// The function's name.
    pub function: String,
    /// The line, counted from 1.
    pub line: u32,
    /// That line.
    pub text: String,
    /// What is wrong, and what to do.
    pub problem: String,
}

impl Finding {
    /// A finding at `span` of `source`.
    pub fn new(source: &str, function: &str, span: Span, problem: impl Into<String>) -> Self {
        let line = span.location(source).line_number;
        let text = source.lines().nth(line as usize - 1).unwrap_or_default().trim().to_owned();
        Self { function: function.to_owned(), line, text, problem: problem.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, line {}: {}: `{}`", self.function, self.line, self.problem, self.text)
    }
}
