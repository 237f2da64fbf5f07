//! A text of the user's own as naga reads it: where in it is what is wrong.

use crate::error::WgslError;
use naga::{
    Module, Span,
    front::wgsl,
    valid::{Capabilities, ModuleInfo, ValidationFlags, Validator},
};

/// Numbers of 64 bits: of expressions, which no device gets as they are, and of the library's own kernels of `f64`s.
pub(super) const WIDE_NUMBERS: Capabilities =
    Capabilities::FLOAT64.union(Capabilities::SHADER_INT64);

/// A line and a column of a text, from 1 on, in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) line: u32,
    pub(super) column: u32,
}

impl Place {
    /// Of a byte of the text.
    pub(super) fn of(text: &str, byte: usize) -> Self {
        let before = text.get(..byte).unwrap_or(text);
        let count = |of: usize| u32::try_from(of).unwrap_or(u32::MAX - 1) + 1;
        let line_begin = before.rfind('\n').map_or(0, |end| end + 1);
        Self {
            line: count(before.matches('\n').count()),
            column: count(before[line_begin..].chars().count()),
        }
    }
}

/// A text, alone or within another.
#[derive(Clone, Copy)]
pub(super) struct Source<'t> {
    pub(super) text: &'t str,
    /// The bytes before it in what naga reads.
    pub(super) begin: usize,
}

impl Source<'_> {
    /// Reads a whole text, which has this one.
    pub(super) fn parse(self, whole: &str) -> Result<Module, WgslError> {
        wgsl::parse_str(whole).map_err(|error| {
            let span = error.labels().next().map(|(span, _)| span);
            // What comes after the text is not the user's.
            let ends = span.and_then(Span::to_range);
            match ends.is_some_and(|range| range.start >= self.begin + self.text.len()) {
                true if self.text.trim().is_empty() => {
                    self.invalid(span, "the text is empty".to_owned())
                }
                true => self.invalid(span, "the text ends too early".to_owned()),
                false => self.invalid(span, with_hint(error.message())),
            }
        })
    }

    /// Finds what else is wrong in a module that it is part of.
    pub(super) fn validate(
        self,
        module: &Module,
        capabilities: Capabilities,
    ) -> Result<ModuleInfo, WgslError> {
        validate(module, capabilities).map_err(|(span, message)| self.invalid(span, message))
    }

    /// Where naga found something: else the beginning.
    pub(super) fn place(self, span: Option<Span>) -> Place {
        let byte = span.and_then(Span::to_range).map_or(0, |range| range.start);
        Place::of(self.text, byte.saturating_sub(self.begin).min(self.text.len()))
    }

    pub(super) fn forbidden(self, span: Option<Span>, what: &'static str) -> WgslError {
        let Place { line, column } = self.place(span);
        WgslError::Forbidden { line, column, what }
    }

    fn invalid(self, span: Option<Span>, message: String) -> WgslError {
        let Place { line, column } = self.place(span);
        WgslError::Invalid { line, column, message }
    }
}

/// What naga says, and what to do if it does not say so.
fn with_hint(message: &str) -> String {
    match message {
        "failed to convert expression to a concrete type" => {
            format!("{message}: convert numbers to one type, as f32(x) does")
        }
        _ if message.starts_with("invalid field accessor") => {
            format!(
                "{message}: a vector has x, y, z and w, as many as its components are, and a number has none"
            )
        }
        _ => message.to_owned(),
    }
}

/// Whether a whole module, of the library's files and the user's text, is valid.
pub(super) fn check_kernel(text: &str) -> Result<(), WgslError> {
    let of_kernel = |message: String| WgslError::Kernel { message };
    let module = wgsl::parse_str(text).map_err(|error| of_kernel(error.emit_to_string(text)))?;
    let of_kernels = Capabilities::SUBGROUP | Capabilities::MEMORY_DECORATION_COHERENT;
    validate(&module, of_kernels | WIDE_NUMBERS).map_err(|(_, message)| of_kernel(message))?;
    Ok(())
}

/// Validates a module: else where it is wrong, and how.
fn validate(
    module: &Module,
    capabilities: Capabilities,
) -> Result<ModuleInfo, (Option<Span>, String)> {
    let validated = Validator::new(ValidationFlags::all(), capabilities).validate(module);
    validated.map_err(|error| {
        // The last one is the innermost.
        let span = error.spans().last().map(|&(span, _)| span);
        (span, reasons(error.as_inner()))
    })
}

/// An error and what caused it, in a line.
fn reasons(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text += ": ";
        text += &error.to_string();
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_characters() {
        let text = "äb\ncd€f";
        assert_eq!(Place::of(text, 0), Place { line: 1, column: 1 });
        assert_eq!(Place::of(text, text.find('b').expect("b")), Place { line: 1, column: 2 });
        assert_eq!(Place::of(text, text.find('f').expect("f")), Place { line: 2, column: 4 });
        assert_eq!(Place::of(text, 1000), Place { line: 2, column: 5 });
    }
}
