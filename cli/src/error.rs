//! Why the program ends early. Every message is a sentence that says what to do.

use crate::npy::NpyError;
use gridfold::{OperatorType, PrepareError, SelectError};
use std::{io, process::ExitCode};

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(
        "{file} can't be opened ({source}): give the path of a readable .npy file, or - for standard input"
    )]
    Open { file: String, source: io::Error },
    #[error("{file} can't be reduced, {source}")]
    Npy { file: String, source: NpyError },
    #[error("{} is not defined for {dtype}: choose one of {}", crate::operators::name(*.operator), .defined.join(", "))]
    Undefined { operator: OperatorType, dtype: &'static str, defined: Vec<&'static str> },
    #[error(
        "{option} says how a GPU works, but this reduction would run on the CPU: leave it out, or choose a GPU by --adapter"
    )]
    NeedsGpu { option: &'static str },
    #[error(
        "--variant subgroup needs subgroups, which {adapter} can't offer: choose --variant auto or workgroup-memory"
    )]
    NeedsSubgroups { adapter: String },
    #[error("{0}")]
    Library(#[from] gridfold::Error),
    #[error(
        "{wrong} of {all} results are missing or differ from the CPU's: see the table, and report it with the adapter's driver version"
    )]
    Disagreement { wrong: usize, all: usize },
    #[error("the results can't be written ({0}): check where standard output goes")]
    Output(#[from] io::Error),
}

impl Error {
    /// 2 for a wrong call, 1 for a failed run.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::Undefined { .. } | Self::NeedsGpu { .. } | Self::NeedsSubgroups { .. } => 2,
            Self::Library(gridfold::Error::Select(
                SelectError::NoMatch { .. } | SelectError::Ambiguous { .. },
            )) => 2,
            Self::Library(_)
            | Self::Open { .. }
            | Self::Npy { .. }
            | Self::Disagreement { .. }
            | Self::Output(_) => 1,
        })
    }

    /// Whether the reader of standard output went away, as `head` does when it has enough.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// The library's error from a reduction on `adapter`, in the program's words.
pub fn from_reduction(error: gridfold::Error, adapter: &gridfold::AdapterName) -> Error {
    match error {
        gridfold::Error::Prepare(PrepareError::NoSubgroups) => {
            Error::NeedsSubgroups { adapter: adapter.to_string() }
        }
        error => error.into(),
    }
}
