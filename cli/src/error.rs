//! Why the program ends early. Every message is a sentence that says what to do.

mod library;

pub use library::sentence;

use crate::{args::ReduceArguments, npy::NpyError, npz::NpzError};
use gridfold::{
    AdapterName, OperatorType, Precision, PrepareError, SegmentError, SelectError, Strategy,
    Variant,
};
use library::of_expression;
use std::{fmt, io, process::ExitCode};

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(
        "{file} can't be opened ({source}): give the path of a readable .npy file, an array as FILE.npz:ARRAY, or - for standard input"
    )]
    Open { file: String, source: io::Error },
    #[error("{file} can't be used: {source}")]
    Npy { file: String, source: NpyError },
    #[error("{file} can't be used: {source}")]
    Npz { file: String, source: NpzError },
    #[error("{file}: {} is not defined for {dtype}: choose one of {}", .operator.name(), .defined.join(", "))]
    Undefined {
        file: String,
        operator: OperatorType,
        dtype: &'static str,
        defined: Vec<&'static str>,
    },
    #[error(
        "{file}: there is no scan by {} of {dtype}: choose one of {}, or convert the elements with array.astype",
        .operator.name(), .defined.join(", ")
    )]
    NotScanned {
        file: String,
        operator: OperatorType,
        dtype: &'static str,
        defined: Vec<&'static str>,
    },
    #[error(
        "{} takes two files: give a second one, of as many elements",
        .operator.name()
    )]
    OneFile { operator: OperatorType },
    #[error(
        "{} has no such rule for NaNs: leave --nan out{}",
        .operator.name(),
        if *.takes_where { ", or leave NaNs out by --where \"x == x\"" } else { "" }
    )]
    NanRule {
        operator: OperatorType,
        /// Whether --where does what was asked for.
        takes_where: bool,
    },
    #[error(
        "{file}: there is no scan by {} without NaNs, for these are exact results alone, which scans do not have: leave --nan out, and \
         take a file without NaNs, as `gridfold select --where \"x == x\"` writes it",
        .operator.name()
    )]
    ExactAlone { file: String, operator: OperatorType },
    #[error("{option} does not go with {many}, which makes many results: {advice}")]
    OfOneResult { option: &'static str, many: &'static str, advice: &'static str },
    #[error("--wide makes sums and products of integers wider, and there is none by {} of {dtype}: leave --wide out", .operator.name())]
    NotWide { operator: OperatorType, dtype: &'static str },
    #[error("{file}: {source}")]
    Segments { file: String, source: SegmentError },
    #[error("{} takes one file: leave {file} out, or choose dot, or say by --map what becomes of pairs", .operator.name())]
    TwoFiles { operator: OperatorType, file: String },
    #[error("{} takes two files: leave {file} out, or choose sum, with --map \"x * y * z\"", .operator.name())]
    ThreeFiles { operator: OperatorType, file: String },
    #[error("{option} can't be taken: {}", of_expression(.source))]
    Expression { option: &'static str, source: gridfold::WgslError },
    #[error(
        "{file} has numbers from {low:?} to {high:?}, which are further apart than float64s reach: give a --range"
    )]
    Spread { file: String, low: f64, high: f64 },
    #[error("the parameter `{name}` is in no expression: leave it out, or write it in one")]
    UnusedParameter { name: String },
    #[error(
        "{file}: there is no {} of expressions of {dtype}: {}",
        .operator.name(),
        match *.operator {
            OperatorType::Dot => "choose sum, with --map \"x * y\"",
            _ => "leave --map and --where out, or convert the elements with array.astype",
        }
    )]
    Unmapped { file: String, operator: OperatorType, dtype: &'static str },
    #[error("two files are standard input, which is one: give one of them by its path")]
    StandardInputTwice,
    #[error(
        "{file} has elements of {dtype} and {other_file} of {other_dtype}: convert one of the arrays with array.astype, \
         and write it again"
    )]
    DifferentTypes {
        file: String,
        dtype: &'static str,
        other_file: String,
        other_dtype: &'static str,
    },
    #[error(
        "{file} has the shape {shape} and {other_file} {other_shape}: give arrays of one shape, as array.reshape makes them"
    )]
    DifferentShapes { file: String, shape: String, other_file: String, other_shape: String },
    #[error(
        "{file} and {other_file} have their elements in different orders, for one is in Fortran's: write both arrays again, \
         as numpy.ascontiguousarray(array)"
    )]
    DifferentOrders { file: String, other_file: String },
    #[error(
        "{option} says how a GPU works, but this reduction would run on the CPU: leave it out, or choose a GPU by --adapter"
    )]
    NeedsGpu { option: &'static str },
    #[error(
        "{option} needs subgroups, which {adapter} can't offer: leave it out, or choose another GPU by --adapter"
    )]
    NeedsSubgroups { option: String, adapter: String },
    #[error(
        "--strategy {} needs coherent memory, which {adapter} can't offer: leave it out, or choose another GPU by --adapter",
        Strategy::SinglePass.name()
    )]
    NeedsCoherentMemory { adapter: String },
    #[error(
        "--strategy {} needs subgroups, which --variant {} goes without: leave one of them out",
        .strategy.name(), .variant.name()
    )]
    Contradiction { strategy: Strategy, variant: Variant },
    #[error(
        "{file}: there is no {precision} {} of {dtype}: leave --precision out, or choose another operator",
        .operator.name()
    )]
    Imprecise { file: String, operator: OperatorType, dtype: &'static str, precision: Precision },
    #[error("{0}")]
    StrategyUnfit(StrategyUnfit),
    #[error("{}", of_ladder(.0))]
    Ladder(#[from] gridfold_ladder::Error),
    #[error("{0}: leave --svg out, and report it")]
    Draw(#[from] charts::DrawError),
    #[error(
        "a chart takes a second read of the file, which standard input and pipes do not have: give the path of a file, or leave --svg out"
    )]
    ReadOnce,
    #[error(
        "there is no memory left for {what}, of {bytes} bytes: free some, or take a part of the array"
    )]
    Memory { what: &'static str, bytes: usize },
    #[error("{file} changed while it was read: run it again once it is written")]
    Changed { file: String },
    #[error("{file} can't be written ({source}): give {option} the path of a file that can be")]
    Write { file: String, source: io::Error, option: &'static str },
    #[error(
        "{file} can't be written, because its folder, {folder}, takes no new file ({source}): give {option} the path of a file in another folder"
    )]
    Folder { file: String, folder: String, source: io::Error, option: &'static str },
    #[error("{option} - names no file: give the path of one, as ./- for a file of that name")]
    Dash { option: &'static str },
    #[error(
        "{file} has the name of an archive, and an array is written: give {option} the path of an .npy file"
    )]
    ArchiveOut { file: String, option: &'static str },
    #[error("{file} has no offsets: n segments lie between n + 1 of them, so give one at least")]
    NoOffset { file: String },
    #[error("{what} would both be {file}: give {option} another path than --out")]
    OneOutput { what: &'static str, file: String, option: &'static str },
    #[error(
        "{file} has elements of {dtype}, which are no mask: give bools or integers, as mask.astype(\"bool\") makes them"
    )]
    NoMask { file: String, dtype: &'static str },
    #[error("{}", sentence(.0))]
    Library(#[from] gridfold::Error),
    #[error(
        "{wrong} of {all} results are missing or differ from the CPU's: see the table, and report it with the adapter's driver version"
    )]
    Disagreement { wrong: usize, all: usize },
    #[error("the check did not come to its end ({reason}): report what it printed")]
    Unfinished { reason: String },
    #[error(
        "nothing is wrong, but kernels that were not asked: {kernels}; report what was printed"
    )]
    NotAsked { kernels: usize },
    #[error(
        "check tests a GPU, and --adapter {adapter} finds none: try --adapter vulkan, which takes a driver in software, too; \
         `gridfold adapters` lists all"
    )]
    CheckNeedsGpu { adapter: String },
    #[error("{file}: {}", no_axis(*axis, *rank))]
    Axis { file: String, axis: i64, rank: usize },
    #[error("axis {axis} is given twice: give each axis once")]
    AxisTwice { axis: i64 },
    #[error("{file} has no {what}s, but {dtype}: give integers from 0 to below 2^32")]
    Offsets { file: String, what: &'static str, dtype: &'static str },
    #[error("{what} {index} of {file} is {number}: give numbers from 0 to below 2^32")]
    OffsetOutOfRange { file: String, what: &'static str, index: usize, number: i128 },
    #[error(
        "{file} has more {what} than segments can have, which is below 2^32: reduce parts of it"
    )]
    TooManyForSegments { file: String, what: &'static str },
    #[error(
        "{file}: there is no {} of {dtype} for each segment or along axes, though there may be one of the whole file: choose one of {}",
        .operator.name(), .defined.join(", ")
    )]
    NotOfSegments {
        file: String,
        operator: OperatorType,
        dtype: &'static str,
        defined: Vec<&'static str>,
    },
    #[error(
        "{file} has keys of {dtype}, which have no order here: give integers or bools, or --by-runs for runs of equal ones"
    )]
    Keys { file: String, dtype: &'static str },
    #[error("results and keys would both be {file}: give --keys-out another path than --out")]
    OneOutputOfKeys { file: String },
    #[error(
        "{file} has lengths of {sum} elements together, and {other_file} has {len}: give lengths that add up to {len}, or leave elements out by \
         --segments, which takes offsets"
    )]
    Lengths { file: String, sum: u64, other_file: String, len: u64 },
    #[error("there is no command {command}: choose one of {}", .commands.join(", "))]
    NoCommand { command: String, commands: Vec<String> },
    #[error("{0}")]
    Collectives(#[from] gridfold::wgsl::CollectivesError),
    #[error("the results can't be written ({0}): check where standard output goes")]
    Output(#[from] io::Error),
}

impl Error {
    /// 2 for a wrong call, 1 for a failed run.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::Undefined { .. }
            | Self::NotScanned { .. }
            | Self::UnusedParameter { .. }
            | Self::Dash { .. }
            | Self::ArchiveOut { .. }
            | Self::NoOffset { .. }
            | Self::OneFile { .. }
            | Self::NanRule { .. }
            | Self::ExactAlone { .. }
            | Self::OfOneResult { .. }
            | Self::NotWide { .. }
            | Self::Segments { .. }
            | Self::TwoFiles { .. }
            | Self::ThreeFiles { .. }
            | Self::Expression { .. }
            | Self::Unmapped { .. }
            | Self::Library(gridfold::Error::Wgsl(_))
            | Self::StandardInputTwice
            | Self::OneOutput { .. }
            | Self::NoMask { .. }
            | Self::ReadOnce
            | Self::Axis { .. }
            | Self::AxisTwice { .. }
            | Self::Offsets { .. }
            | Self::OffsetOutOfRange { .. }
            | Self::Lengths { .. }
            | Self::TooManyForSegments { .. }
            | Self::NotOfSegments { .. }
            | Self::Keys { .. }
            | Self::OneOutputOfKeys { .. }
            | Self::Spread { .. }
            | Self::Library(gridfold::Error::Prepare(
                PrepareError::Segments(_) | PrepareError::Histogram(_),
            ))
            | Self::DifferentTypes { .. }
            | Self::DifferentShapes { .. }
            | Self::DifferentOrders { .. }
            | Self::NeedsGpu { .. }
            | Self::NeedsSubgroups { .. }
            | Self::NeedsCoherentMemory { .. }
            | Self::Contradiction { .. }
            | Self::Imprecise { .. }
            | Self::StrategyUnfit(_)
            | Self::CheckNeedsGpu { .. }
            | Self::NoCommand { .. }
            | Self::Collectives(_)
            | Self::Npz {
                source: NpzError::NoMember { .. } | NpzError::Several { .. } | NpzError::Empty,
                ..
            }
            | Self::Ladder(
                gridfold_ladder::Error::NeedsGpu | gridfold_ladder::Error::TooLong { .. },
            ) => 2,
            Self::Library(gridfold::Error::Select(
                SelectError::NoMatch { .. } | SelectError::Ambiguous { .. },
            )) => 2,
            Self::Library(_)
            | Self::Open { .. }
            | Self::Npy { .. }
            | Self::Npz {
                source:
                    NpzError::Archive(_)
                    | NpzError::NoBytes
                    | NpzError::Member { .. }
                    | NpzError::Read(_)
                    | NpzError::Method { .. },
                ..
            }
            | Self::Ladder(_)
            | Self::Draw(_)
            | Self::Memory { .. }
            | Self::Changed { .. }
            | Self::Write { .. }
            | Self::Folder { .. }
            | Self::Disagreement { .. }
            | Self::Unfinished { .. }
            | Self::NotAsked { .. }
            | Self::Output(_) => 1,
        })
    }

    /// Whether an adapter was looked for, and not found.
    pub fn is_about_adapters(&self) -> bool {
        matches!(
            self,
            Self::CheckNeedsGpu { .. }
                | Self::Ladder(gridfold_ladder::Error::NeedsGpu)
                | Self::Library(gridfold::Error::Select(SelectError::NoMatch { .. }))
        )
    }

    /// Whether the reader of an output went away, as `head` does when it has enough.
    pub fn is_broken_pipe(&self) -> bool {
        let (Self::Output(source) | Self::Write { source, .. }) = self else {
            return false;
        };
        source.kind() == io::ErrorKind::BrokenPipe
    }
}

fn no_axis(axis: i64, rank: usize) -> String {
    match rank {
        0 => "a single number has no axes: leave --axis out".to_owned(),
        _ => format!(
            "an array of {rank} axes has no axis {axis}: choose one below {rank}, or from -{rank} on"
        ),
    }
}

/// The ladder's error, and what to do.
fn of_ladder(error: &gridfold_ladder::Error) -> String {
    let advice = match error {
        gridfold_ladder::Error::NeedsGpu => {
            "choose one of `gridfold adapters`, also a driver in software, such as `apt install mesa-vulkan-drivers` brings"
        }
        gridfold_ladder::Error::TooLong { most, .. } => {
            return format!("{error}: give --len {most} or less");
        }
        gridfold_ladder::Error::Refused { .. } => {
            "give a smaller --len, or choose another GPU by --adapter"
        }
        gridfold_ladder::Error::Draw(_) => "leave --svg out, and report it",
        gridfold_ladder::Error::Library(error) => return sentence(error),
    };
    format!("{error}: {advice}")
}

/// A strategy by which there is no such result.
#[derive(Debug)]
pub struct StrategyUnfit {
    pub strategy: Strategy,
    /// What the result promises.
    pub precision: Precision,
    pub operator: OperatorType,
    pub dtype: &'static str,
    /// The strategies that would do.
    pub fitting: &'static [Strategy],
    /// A weaker promise, if with that the strategy would do.
    pub looser: Option<Precision>,
}

impl fmt::Display for StrategyUnfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { strategy, precision, operator, dtype, fitting, looser } = self;
        let (strategy, operator) = (strategy.name(), operator.name());
        write!(f, "--strategy {strategy} can't give ")?;
        if looser.is_some() {
            return write!(
                f,
                "{precision} results: leave it out, or add --precision unordered if the bits of the {operator} of {dtype} may change from run \
                 to run"
            );
        }
        if fitting.contains(&Strategy::WorkgroupAtomic) {
            let other = Strategy::WorkgroupAtomic.name();
            return write!(
                f,
                "{precision} results: leave it out, or choose {other} for the {precision} {operator} of {dtype}"
            );
        }
        let reason = match precision {
            Precision::Exact => "which no atomic combines",
            _ => "which is never unordered",
        };
        write!(f, "the {operator} of {dtype}, {reason}: leave it out")?;
        for other in fitting.iter().filter(|&&other| other != Strategy::Auto) {
            write!(f, ", or choose {}", other.name())?;
        }
        Ok(())
    }
}

/// The library's error from a reduction on `adapter`, in the program's words.
pub fn from_reduction(
    error: gridfold::Error,
    arguments: &ReduceArguments,
    dtype: &'static str,
    adapter: &AdapterName,
) -> Error {
    match error {
        gridfold::Error::Prepare(PrepareError::NoSubgroups) => {
            // If both need subgroups, the other is next.
            let option = match arguments.variant {
                Variant::Subgroup => format!("--variant {}", arguments.variant.name()),
                _ => format!("--strategy {}", arguments.strategy.name()),
            };
            Error::NeedsSubgroups { option, adapter: adapter.to_string() }
        }
        gridfold::Error::Prepare(PrepareError::NoCoherentMemory) => {
            Error::NeedsCoherentMemory { adapter: adapter.to_string() }
        }
        gridfold::Error::Prepare(PrepareError::Contradiction { strategy, variant }) => {
            Error::Contradiction { strategy, variant }
        }
        gridfold::Error::Prepare(PrepareError::StrategyUnfit {
            strategy,
            precision,
            fitting,
            looser,
            ..
        }) => Error::StrategyUnfit(StrategyUnfit {
            strategy,
            precision,
            operator: arguments.op,
            dtype,
            fitting,
            looser,
        }),
        error => error.into(),
    }
}

#[cfg(test)]
mod tests;
