//! Why the program ends early. Every message is a sentence that says what to do.

use crate::{args::ReduceArguments, npy::NpyError, npz::NpzError};
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
    #[error("{file} can't be reduced, {source}")]
    Npz { file: String, source: NpzError },
    #[error(
        "the mean of {len} {dtype} is exact, which no GPU can add up here: leave --adapter, --variant and --strategy out, or \
         choose cpu"
    )]
    NeedsCpu { dtype: &'static str, len: u64 },
    #[error("{} is not defined for {dtype}: choose one of {}", .operator.name(), .defined.join(", "))]
    Undefined { operator: OperatorType, dtype: &'static str, defined: Vec<&'static str> },
    #[error(
        "{} takes two files: give a second one, of as many elements",
        .operator.name()
    )]
    OneFile { operator: OperatorType },
    #[error("{} has no such rule for NaNs: leave --nan out", .operator.name())]
    NanRule { operator: OperatorType },
    #[error("{} takes one file: leave {file} out, or choose dot, or say by --map what becomes of pairs", .operator.name())]
    TwoFiles { operator: OperatorType, file: String },
    #[error("{option} is no expression that can be reduced: {source}")]
    Expression { option: &'static str, source: gridfold::WgslError },
    #[error(
        "there is no {} of expressions of {dtype}: leave --map and --where out, or convert the elements to float32, int32 or uint32",
        .operator.name()
    )]
    Unmapped { operator: OperatorType, dtype: &'static str },
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
    #[error(
        "{file} can't be written ({source}): give --out, or --lengths, the path of a file that can be"
    )]
    Write { file: String, source: io::Error },
    #[error("values and lengths would both be {file}: give --lengths another path than --out")]
    OneOutput { file: String },
    #[error(
        "{file} has elements of {dtype}, which are no mask: make one with mask.astype(\"bool\")"
    )]
    NoMask { file: String, dtype: &'static str },
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
    #[error(
        "an array of {rank} axes has no axis {axis}: choose one below {rank}, or from -{rank} on"
    )]
    Axis { axis: i64, rank: usize },
    #[error("{file} has no offsets, but {dtype}: give integers from 0 to below 2^32")]
    Offsets { file: String, dtype: &'static str },
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
            | Self::OneFile { .. }
            | Self::NanRule { .. }
            | Self::TwoFiles { .. }
            | Self::Expression { .. }
            | Self::Unmapped { .. }
            | Self::Library(gridfold::Error::Wgsl(_))
            | Self::StandardInputTwice
            | Self::OneOutput { .. }
            | Self::NoMask { .. }
            | Self::Axis { .. }
            | Self::Offsets { .. }
            | Self::Library(gridfold::Error::Prepare(
                PrepareError::Segments(_) | PrepareError::Histogram(_),
            ))
            | Self::DifferentTypes { .. }
            | Self::DifferentLengths { .. }
            | Self::DifferentOrders { .. }
            | Self::NeedsGpu { .. }
            | Self::NeedsCpu { .. }
            | Self::NeedsSubgroups { .. }
            | Self::NeedsCoherentMemory { .. }
            | Self::Contradiction { .. }
            | Self::Imprecise { .. }
            | Self::StrategyUnfit { .. }
            | Self::CheckNeedsGpu
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
                source: NpzError::Archive(_) | NpzError::Read(_) | NpzError::Method { .. },
                ..
            }
            | Self::Ladder(_)
            | Self::Chart { .. }
            | Self::Write { .. }
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
    use zip::result::ZipError;

    fn io_error() -> io::Error {
        io::Error::other("the disk is gone")
    }

    fn npy(source: NpyError) -> Error {
        Error::Npy { file: "a.npy".to_owned(), source }
    }

    fn npz(source: NpzError) -> Error {
        Error::Npz { file: "a.npz".to_owned(), source }
    }

    /// An example of every variant, and the words of it that say what to do.
    fn examples() -> Vec<(Error, &'static str)> {
        let members = vec!["a".to_owned(), "b".to_owned()];
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
            (npy(NpyError::NotTwoBytes { found: "int32" }), "leave --dtype out"),
            (npy(NpyError::Opaque), "give --dtype bf16"),
            (npy(NpyError::Shape), "write the array again"),
            (npy(NpyError::DataEnds { found: 1, expected: 2 }), "copy or write it again"),
            (npy(NpyError::Shrunk { found: 1, expected: 2 }), "reduce it again once it is written"),
            (npz(ZipError::FileNotFound.into()), "write it with numpy.savez"),
            (npz(io_error().into()), "check the disk"),
            (
                npz(NpzError::NoMember { member: "c".to_owned(), members: members.clone() }),
                "no array \"c\": choose one of a, b",
            ),
            (npz(NpzError::Several { members }), "choose one of a, b, as FILE.npz:ARRAY"),
            (npz(NpzError::Empty), "write some with numpy.savez"),
            (
                npz(NpzError::Method { member: "a".to_owned(), method: "b".to_owned() }),
                "write it with numpy.savez",
            ),
            (Error::NeedsCpu { dtype: "int64", len: 1 }, "or choose cpu"),
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
            (
                Error::NoCommand { command: "fold".to_owned(), commands: vec!["demo".to_owned()] },
                "choose one of demo",
            ),
            (
                gridfold::wgsl::CollectivesError::SubgroupSize { size: 3 }.into(),
                "take a power of two",
            ),
            (Error::NanRule { operator: OperatorType::Mean }, "leave --nan out"),
            (
                Error::Expression {
                    option: "--where",
                    source: gridfold::WgslError::Value { found: "f32", wanted: "bool" },
                },
                "--where is no expression that can be reduced: the expression is of type `f32`",
            ),
            (
                Error::Unmapped { operator: OperatorType::Sum, dtype: "float64" },
                "leave --map and --where out, or convert",
            ),
            (Error::Write { file: "a.npy".to_owned(), source: io_error() }, "give --out"),
            (Error::OneOutput { file: "a.npy".to_owned() }, "another path than --out"),
            (Error::NoMask { file: "a.npy".to_owned(), dtype: "float32" }, "mask.astype"),
            (Error::Axis { axis: 3, rank: 2 }, "choose one below 2"),
            (Error::Offsets { file: "a.npy".to_owned(), dtype: "float32" }, "give integers"),
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
                NpyError::NotTwoBytes { .. } => 18,
                NpyError::Opaque => 19,
                NpyError::Shape => 20,
                NpyError::DataEnds { .. } => 21,
                NpyError::Shrunk { .. } => 22,
            },
            Error::Npz { source, .. } => match source {
                NpzError::Archive(_) => 23,
                NpzError::Read(_) => 24,
                NpzError::NoMember { .. } => 25,
                NpzError::Several { .. } => 26,
                NpzError::Empty => 27,
                NpzError::Method { .. } => 28,
            },
            Error::NeedsCpu { .. } => 29,
            Error::OneFile { .. } => 30,
            Error::TwoFiles { .. } => 31,
            Error::StandardInputTwice => 32,
            Error::DifferentTypes { .. } => 33,
            Error::DifferentLengths { .. } => 34,
            Error::DifferentOrders { .. } => 35,
            Error::NeedsCoherentMemory { .. } => 36,
            Error::Ladder(gridfold_ladder::Error::NeedsGpu) => 37,
            Error::Ladder(gridfold_ladder::Error::TooLong { .. }) => 38,
            Error::Ladder(gridfold_ladder::Error::Refused { .. }) => 39,
            Error::Chart { .. } => 40,
            Error::Unfinished { .. } => 41,
            Error::CheckNeedsGpu => 42,
            Error::NotAsked { .. } => 43,
            Error::NoCommand { .. } => 44,
            Error::Collectives(_) => 45,
            Error::NanRule { .. } => 46,
            Error::Expression { .. } => 47,
            Error::Unmapped { .. } => 48,
            Error::Write { .. } => 49,
            Error::OneOutput { .. } => 50,
            Error::NoMask { .. } => 51,
            Error::Axis { .. } => 52,
            Error::Offsets { .. } => 53,
            // The one can't be made here, the other is the library's.
            Error::Ladder(gridfold_ladder::Error::Draw(_) | gridfold_ladder::Error::Library(_)) => {
                54
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
