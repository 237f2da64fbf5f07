//! Why the program ends early. Every message is a sentence that says what to do.

use crate::{args::ReduceArguments, npy::NpyError};
use gridfold::{
    AdapterName, OperatorType, Precision, PrepareError, SelectError, Strategy, Variant,
};
use std::{io, process::ExitCode};

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(
        "{file} can't be opened ({source}): give the path of a readable .npy file, or - for standard input"
    )]
    Open { file: String, source: io::Error },
    #[error("{file} can't be reduced, {source}")]
    Npy { file: String, source: NpyError },
    #[error("{} is not defined for {dtype}: choose one of {}", .operator.name(), .defined.join(", "))]
    Undefined { operator: OperatorType, dtype: &'static str, defined: Vec<&'static str> },
    #[error(
        "{} takes two files: give a second one, of as many elements",
        .operator.name()
    )]
    OneFile { operator: OperatorType },
    #[error("{} takes one file: leave {file} out, or choose dot", .operator.name())]
    TwoFiles { operator: OperatorType, file: String },
    #[error("both files are standard input, which is one: give one of them by its path")]
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
        "{file} has {len} elements and {other_file} {other_len}: give files of the same length"
    )]
    DifferentLengths { file: String, len: u64, other_file: String, other_len: u64 },
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
        "there is no {precision} {} of {dtype}: leave --precision out, or choose another operator",
        .operator.name()
    )]
    Imprecise { operator: OperatorType, dtype: &'static str, precision: Precision },
    #[error(
        "--strategy {} can't give {precision} results: leave it out{}",
        .strategy.name(),
        match (.precision, .strategy) {
            (Precision::Reproducible, _) => {
                ", or add --precision unordered if the bits may change from run to run"
            }
            (_, Strategy::TwoPass | Strategy::SinglePass) => ", or choose workgroup-atomic",
            _ => "",
        }
    )]
    StrategyUnfit { strategy: Strategy, precision: Precision },
    #[error("{0}{advice}", advice = after_climbing(.0))]
    Ladder(#[from] gridfold_ladder::Error),
    #[error("{file} can't be written ({source}): give --svg the path of a file that can be")]
    Chart { file: String, source: io::Error },
    #[error("{0}")]
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
        "the check is of a GPU, and there is none, or --adapter says cpu: choose one of `gridfold adapters`, also a driver in \
         software"
    )]
    CheckNeedsGpu,
    #[error("the results can't be written ({0}): check where standard output goes")]
    Output(#[from] io::Error),
}

impl Error {
    /// 2 for a wrong call, 1 for a failed run.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::Undefined { .. }
            | Self::OneFile { .. }
            | Self::TwoFiles { .. }
            | Self::StandardInputTwice
            | Self::DifferentTypes { .. }
            | Self::DifferentLengths { .. }
            | Self::DifferentOrders { .. }
            | Self::NeedsGpu { .. }
            | Self::NeedsSubgroups { .. }
            | Self::NeedsCoherentMemory { .. }
            | Self::Contradiction { .. }
            | Self::Imprecise { .. }
            | Self::StrategyUnfit { .. }
            | Self::CheckNeedsGpu
            | Self::Ladder(
                gridfold_ladder::Error::NeedsGpu | gridfold_ladder::Error::TooLong { .. },
            ) => 2,
            Self::Library(gridfold::Error::Select(
                SelectError::NoMatch { .. } | SelectError::Ambiguous { .. },
            )) => 2,
            Self::Library(_)
            | Self::Open { .. }
            | Self::Npy { .. }
            | Self::Ladder(_)
            | Self::Chart { .. }
            | Self::Disagreement { .. }
            | Self::Unfinished { .. }
            | Self::NotAsked { .. }
            | Self::Output(_) => 1,
        })
    }

    /// Whether the reader of standard output went away, as `head` does when it has enough.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// What to do about the ladder's error. The library's own say it themselves.
fn after_climbing(error: &gridfold_ladder::Error) -> String {
    match error {
        gridfold_ladder::Error::NeedsGpu => {
            ": choose one by --adapter, also a driver in software such as vulkan/llvmpipe"
                .to_owned()
        }
        gridfold_ladder::Error::TooLong { most, .. } => format!(": give --len {most} or less"),
        gridfold_ladder::Error::Refused { .. } => {
            ": give a smaller --len, or choose another GPU by --adapter".to_owned()
        }
        gridfold_ladder::Error::Draw(_) => ": leave --svg out, and report it".to_owned(),
        gridfold_ladder::Error::Library(_) => String::new(),
    }
}

/// The library's error from a reduction on `adapter`, in the program's words.
pub fn from_reduction(
    error: gridfold::Error,
    arguments: &ReduceArguments,
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
        gridfold::Error::Prepare(PrepareError::StrategyUnfit { strategy, precision }) => {
            Error::StrategyUnfit { strategy, precision }
        }
        error => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn io_error() -> io::Error {
        io::Error::other("the disk is gone")
    }

    fn npy(source: NpyError) -> Error {
        Error::Npy { file: "a.npy".to_owned(), source }
    }

    /// An example of every variant, and the words of it that say what to do.
    fn examples() -> Vec<(Error, &'static str)> {
        let no_memory = Vec::<u8>::new().try_reserve(usize::MAX).expect_err("too many");
        let (option, adapter) = ("--variant subgroup".to_owned(), "a".to_owned());
        let (strategy, variant) = (Strategy::SubgroupAtomic, Variant::WorkgroupMemory);
        vec![
            (
                Error::Open { file: "a.npy".to_owned(), source: io_error() },
                "give the path of a readable .npy file",
            ),
            (
                Error::Undefined {
                    operator: OperatorType::BitXor,
                    dtype: "float32",
                    defined: vec!["sum", "min"],
                },
                "choose one of sum, min",
            ),
            (Error::NeedsGpu { option: "--variant" }, "leave it out, or choose a GPU"),
            (Error::NeedsSubgroups { option, adapter }, "leave it out, or choose another GPU"),
            (Error::Contradiction { strategy, variant }, "leave one of them out"),
            (
                Error::Imprecise {
                    operator: OperatorType::Product,
                    dtype: "float32",
                    precision: Precision::Exact,
                },
                "leave --precision out, or choose another operator",
            ),
            (
                Error::StrategyUnfit { strategy, precision: Precision::Reproducible },
                "leave it out, or add --precision unordered",
            ),
            (
                Error::StrategyUnfit { strategy: Strategy::TwoPass, precision: Precision::Exact },
                "leave it out, or choose workgroup-atomic",
            ),
            (
                gridfold::Error::from(PrepareError::ShortOutput { len: 0, needed: 1 }).into(),
                "give it room",
            ),
            (Error::Disagreement { wrong: 1, all: 2 }, "report it with the adapter's driver"),
            (io_error().into(), "check where standard output goes"),
            (npy(io_error().into()), "check the disk or the pipe"),
            (npy(NpyError::NoMagic), "write it with numpy.save"),
            (npy(NpyError::Version(9, 9)), "write it with numpy.save"),
            (npy(NpyError::HeaderEnds), "copy or write it again"),
            (npy(NpyError::HeaderLength { bytes: 1 << 30 }), "write it with numpy.save"),
            (npy(NpyError::Header("a".to_owned())), "write it with numpy.save"),
            (
                npy(NpyError::Elements { found: "odd".to_owned(), advice: "convert them" }),
                "convert them, and write it again",
            ),
            (npy(NpyError::Shape), "write the array again"),
            (npy(NpyError::DataEnds { found: 1, expected: 2 }), "copy or write it again"),
            (npy(NpyError::Memory { bytes: 1, source: no_memory }), "reduce parts of the array"),
            (Error::OneFile { operator: OperatorType::Dot }, "give a second one"),
            (
                Error::TwoFiles { operator: OperatorType::Sum, file: "b.npy".to_owned() },
                "leave b.npy out, or choose dot",
            ),
            (Error::StandardInputTwice, "give one of them by its path"),
            (
                Error::DifferentTypes {
                    file: "a.npy".to_owned(),
                    dtype: "float32",
                    other_file: "b.npy".to_owned(),
                    other_dtype: "int32",
                },
                "convert one of the arrays",
            ),
            (
                Error::DifferentLengths {
                    file: "a.npy".to_owned(),
                    len: 1,
                    other_file: "b.npy".to_owned(),
                    other_len: 2,
                },
                "give files of the same length",
            ),
            (
                Error::DifferentOrders { file: "a.npy".to_owned(), other_file: "b.npy".to_owned() },
                "write both arrays again",
            ),
            (
                Error::NeedsCoherentMemory { adapter: "a".to_owned() },
                "leave it out, or choose another GPU",
            ),
            (gridfold_ladder::Error::NeedsGpu.into(), "choose one by --adapter"),
            (
                gridfold_ladder::Error::TooLong { len: 2, most: 1, adapter: "a".to_owned() }.into(),
                "give --len 1 or less",
            ),
            (
                gridfold_ladder::Error::Refused {
                    adapter: "a".to_owned(),
                    what: "b",
                    message: "c".to_owned(),
                }
                .into(),
                "give a smaller --len, or choose another GPU",
            ),
            (
                Error::Chart { file: "a.svg".to_owned(), source: io_error() },
                "give --svg the path of a file that can be",
            ),
            (
                Error::Unfinished { reason: "the device is lost".to_owned() },
                "report what it printed",
            ),
            (Error::CheckNeedsGpu, "choose one of `gridfold adapters`"),
            (Error::NotAsked { kernels: 2 }, "report what was printed"),
        ]
    }

    /// A number for each variant, from 0. A new one does not compile until it is given the next number here
    /// and an example above.
    fn number(error: &Error) -> usize {
        match error {
            Error::Open { .. } => 0,
            Error::Undefined { .. } => 1,
            Error::NeedsGpu { .. } => 2,
            Error::NeedsSubgroups { .. } => 3,
            Error::Contradiction { .. } => 4,
            Error::Imprecise { .. } => 5,
            Error::StrategyUnfit {
                precision: Precision::Unordered | Precision::Reproducible,
                ..
            } => 6,
            Error::StrategyUnfit { .. } => 7,
            Error::Library(_) => 8,
            Error::Disagreement { .. } => 9,
            Error::Output(_) => 10,
            Error::Npy { source, .. } => match source {
                NpyError::Read(_) => 11,
                NpyError::NoMagic => 12,
                NpyError::Version(..) => 13,
                NpyError::HeaderEnds => 14,
                NpyError::HeaderLength { .. } => 15,
                NpyError::Header(_) => 16,
                NpyError::Elements { .. } => 17,
                NpyError::Shape => 18,
                NpyError::DataEnds { .. } => 19,
                NpyError::Memory { .. } => 20,
            },
            Error::OneFile { .. } => 21,
            Error::TwoFiles { .. } => 22,
            Error::StandardInputTwice => 23,
            Error::DifferentTypes { .. } => 24,
            Error::DifferentLengths { .. } => 25,
            Error::DifferentOrders { .. } => 26,
            Error::NeedsCoherentMemory { .. } => 27,
            Error::Ladder(gridfold_ladder::Error::NeedsGpu) => 28,
            Error::Ladder(gridfold_ladder::Error::TooLong { .. }) => 29,
            Error::Ladder(gridfold_ladder::Error::Refused { .. }) => 30,
            Error::Chart { .. } => 31,
            Error::Unfinished { .. } => 32,
            Error::CheckNeedsGpu => 33,
            Error::NotAsked { .. } => 34,
            // The one can't be made here, the other is the library's.
            Error::Ladder(gridfold_ladder::Error::Draw(_) | gridfold_ladder::Error::Library(_)) => {
                35
            }
        }
    }

    #[test]
    fn every_text_says_what_to_do() {
        for (index, (error, advice)) in examples().into_iter().enumerate() {
            assert_eq!(number(&error), index, "{error:?}");
            let text = error.to_string();
            assert!(text.contains(advice), "{text}");
        }
    }
}
