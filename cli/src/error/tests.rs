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
                file: "a.npy".to_owned(),
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
                file: "a.npy".to_owned(),
                operator: OperatorType::Product,
                dtype: "float32",
                precision: Precision::Exact,
            },
            "leave --precision out, or choose another operator",
        ),
        (
            Error::StrategyUnfit(StrategyUnfit {
                strategy,
                precision: Precision::Reproducible,
                operator: OperatorType::Sum,
                dtype: "float32",
                fitting: &[Strategy::Auto, Strategy::TwoPass],
                looser: Some(Precision::Unordered),
            }),
            "can't give reproducible results: leave it out, or add --precision unordered if",
        ),
        (
            Error::StrategyUnfit(StrategyUnfit {
                strategy: Strategy::TwoPass,
                precision: Precision::Exact,
                operator: OperatorType::Mean,
                dtype: "float32",
                fitting: &[Strategy::Auto, Strategy::WorkgroupAtomic],
                looser: None,
            }),
            "leave it out, or choose workgroup-atomic for the exact mean of float32",
        ),
        (
            gridfold::Error::from(PrepareError::ShortOutput { len: 0, needed: 1 }).into(),
            "the output slice has 0 elements: choose the CPU by --adapter cpu, and report it",
        ),
        (Error::Disagreement { wrong: 1, all: 2 }, "report it with the adapter's driver"),
        (io_error().into(), "check where standard output goes"),
        (npy(io_error().into()), "check the disk or the pipe"),
        (
            npy(io::Error::new(io::ErrorKind::InvalidData, "odd").into()),
            "it is damaged in the archive (odd): copy or write the archive again",
        ),
        (npy(NpyError::Empty), "it is empty: write it with numpy.save"),
        (npy(NpyError::Archive), "give the path of a file"),
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
        (npy(NpyError::OpaqueBeside), "make numbers of them"),
        (npy(NpyError::Shape), "write the array again"),
        (npy(NpyError::DataEnds { found: 1, expected: 2 }), "copy or write it again"),
        (npy(NpyError::Shrunk { found: 1, expected: 2 }), "reduce it again once it is written"),
        (npz(ZipError::FileNotFound.into()), "write it with numpy.savez"),
        (npz(NpzError::NoBytes), "it is empty: copy it again"),
        (
            npz(NpzError::Member { member: "a".to_owned(), source: ZipError::FileNotFound }),
            "its array \"a\" is not where it should be",
        ),
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
            Error::DifferentShapes {
                file: "a.npy".to_owned(),
                shape: "(2, 3)".to_owned(),
                other_file: "b.npy".to_owned(),
                other_shape: "(3, 2)".to_owned(),
            },
            "give arrays of one shape",
        ),
        (
            Error::DifferentOrders { file: "a.npy".to_owned(), other_file: "b.npy".to_owned() },
            "write both arrays again",
        ),
        (
            Error::NeedsCoherentMemory { adapter: "a".to_owned() },
            "leave it out, or choose another GPU",
        ),
        (gridfold_ladder::Error::NeedsGpu.into(), "choose one of `gridfold adapters`"),
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
            Error::OfOneResult { option: "--json", many: "--axis", advice: "leave it out" },
            "--json does not go with --axis, which makes many results: leave it out",
        ),
        (Error::Unfinished { reason: "the device is lost".to_owned() }, "report what it printed"),
        (Error::CheckNeedsGpu { adapter: "cpu".to_owned() }, "`gridfold adapters` lists all"),
        (Error::NotAsked { kernels: 2 }, "report what was printed"),
        (
            Error::NoCommand { command: "fold".to_owned(), commands: vec!["demo".to_owned()] },
            "choose one of demo",
        ),
        (gridfold::wgsl::CollectivesError::SubgroupSize { size: 3 }.into(), "take a power of two"),
        (
            Error::NanRule { operator: OperatorType::Norm, takes_where: true },
            "leave --nan out, or leave NaNs out by --where \"x == x\"",
        ),
        (
            Error::ExactAlone { file: "a.npy".to_owned(), operator: OperatorType::Variance },
            "take a file without NaNs, as `gridfold select --where \"x == x\"` writes it",
        ),
        (
            Error::Expression {
                option: "--where",
                source: gridfold::WgslError::Value {
                    line: 1,
                    column: 1,
                    found: "f32",
                    wanted: "bool",
                },
            },
            "--where can't be taken: line 1, column 1: the expression is of type `f32`",
        ),
        (
            Error::Unmapped {
                file: "a.npy".to_owned(),
                operator: OperatorType::Sum,
                dtype: "float64",
            },
            "leave --map and --where out, or convert",
        ),
        (
            Error::Write { file: "a.npy".to_owned(), source: io_error(), option: "--rest" },
            "give --rest the path of a file that can be",
        ),
        (
            Error::OneOutput {
                what: "values and lengths",
                file: "a.npy".to_owned(),
                option: "--lengths",
            },
            "another path than --out",
        ),
        (Error::NoMask { file: "a.npy".to_owned(), dtype: "float32" }, "mask.astype"),
        (Error::Axis { file: "a.npy".to_owned(), axis: 3, rank: 2 }, "choose one below 2"),
        (
            Error::Offsets { file: "a.npy".to_owned(), what: "offset", dtype: "float32" },
            "a.npy has no offsets, but float32: give integers",
        ),
        (Error::ReadOnce, "give the path of a file"),
        (Error::Changed { file: "a.npy".to_owned() }, "run it again"),
        (Error::AxisTwice { axis: -1 }, "give each axis once"),
        (Error::Keys { file: "a.npy".to_owned(), dtype: "float32" }, "or --by-runs"),
        (Error::OneOutputOfKeys { file: "a.npy".to_owned() }, "another path than --out"),
        (
            Error::Lengths {
                file: "a.npy".to_owned(),
                sum: 5,
                other_file: "b.npy".to_owned(),
                len: 6,
            },
            "a.npy has lengths of 5 elements together, and b.npy has 6: give lengths that add up to 6",
        ),
        (
            Error::OffsetOutOfRange {
                file: "a.npy".to_owned(),
                what: "offset",
                index: 2,
                number: -1,
            },
            "offset 2 of a.npy is -1: give numbers from 0",
        ),
        (
            Error::TooManyForSegments { file: "a.npy".to_owned(), what: "keys" },
            "reduce parts of it",
        ),
        (
            Error::NotOfSegments {
                file: "a.npy".to_owned(),
                operator: OperatorType::Dot,
                dtype: "float32",
                defined: vec!["sum", "min"],
            },
            "choose one of sum, min",
        ),
        (
            Error::NotWide { operator: OperatorType::Sum, dtype: "float32" },
            "there is none by sum of float32: leave --wide out",
        ),
        (
            Error::Segments {
                file: "a.npy".to_owned(),
                source: SegmentError::Offset { index: 1, offset: 7, least: 2, most: 6 },
            },
            "a.npy: offset 1 is 7, where 2 to 6 would do: give offsets that",
        ),
        (
            Error::ThreeFiles { operator: OperatorType::Dot, file: "c.npy".to_owned() },
            "leave c.npy out, or choose sum",
        ),
        (
            Error::NotScanned {
                file: "a.npy".to_owned(),
                operator: OperatorType::Mean,
                dtype: "int8",
                defined: vec!["sum", "min"],
            },
            "choose one of sum, min, or convert the elements with array.astype",
        ),
        (Error::UnusedParameter { name: "limit".to_owned() }, "leave it out, or write it in"),
        (Error::Dash { option: "--out" }, "give the path of one"),
        (
            Error::ArchiveOut { file: "a.npz".to_owned(), option: "--out" },
            "give --out the path of an .npy file",
        ),
        (Error::NoOffset { file: "a.npy".to_owned() }, "so give one at least"),
        (
            Error::Folder {
                file: "ro/a.npy".to_owned(),
                folder: "ro".to_owned(),
                source: io_error(),
                option: "--out",
            },
            "give --out the path of a file in another folder",
        ),
        (
            Error::Spread { file: "a.npy".to_owned(), low: -1.7e308, high: 1.7e308 },
            "from -1.7e308 to 1.7e308, which are further apart than float64s reach: give a --range",
        ),
        (
            npy(NpyError::Memory { bytes: 8 }),
            "no memory left for its 8 bytes of elements: free some",
        ),
        (Error::Memory { what: "keys", bytes: 8 }, "left for keys, of 8 bytes: free some"),
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
        Error::StrategyUnfit(StrategyUnfit { precision: Precision::Reproducible, .. }) => 6,
        Error::StrategyUnfit(_) => 7,
        Error::Library(_) => 8,
        Error::Disagreement { .. } => 9,
        Error::Output(_) => 10,
        Error::Npy { source, .. } => match source {
            NpyError::Read(_) => 11,
            NpyError::Damaged(_) => 12,
            NpyError::Empty => 13,
            NpyError::Archive => 14,
            NpyError::NoMagic => 15,
            NpyError::Version(..) => 16,
            NpyError::HeaderEnds => 17,
            NpyError::HeaderLength { .. } => 18,
            NpyError::Header(_) => 19,
            NpyError::Elements { .. } => 20,
            NpyError::NotTwoBytes { .. } => 21,
            NpyError::Opaque => 22,
            NpyError::OpaqueBeside => 23,
            NpyError::Shape => 24,
            NpyError::DataEnds { .. } => 25,
            NpyError::Shrunk { .. } => 26,
            NpyError::Memory { .. } => 79,
        },
        Error::Npz { source, .. } => match source {
            NpzError::Archive(_) => 27,
            NpzError::NoBytes => 28,
            NpzError::Member { .. } => 29,
            NpzError::Read(_) => 30,
            NpzError::NoMember { .. } => 31,
            NpzError::Several { .. } => 32,
            NpzError::Empty => 33,
            NpzError::Method { .. } => 34,
        },
        Error::OneFile { .. } => 35,
        Error::TwoFiles { .. } => 36,
        Error::StandardInputTwice => 37,
        Error::DifferentTypes { .. } => 38,
        Error::DifferentShapes { .. } => 39,
        Error::DifferentOrders { .. } => 40,
        Error::NeedsCoherentMemory { .. } => 41,
        Error::Ladder(gridfold_ladder::Error::NeedsGpu) => 42,
        Error::Ladder(gridfold_ladder::Error::TooLong { .. }) => 43,
        Error::Ladder(gridfold_ladder::Error::Refused { .. }) => 44,
        Error::OfOneResult { .. } => 45,
        Error::Unfinished { .. } => 46,
        Error::CheckNeedsGpu { .. } => 47,
        Error::NotAsked { .. } => 48,
        Error::NoCommand { .. } => 49,
        Error::Collectives(_) => 50,
        Error::NanRule { .. } => 51,
        Error::ExactAlone { .. } => 52,
        Error::Expression { .. } => 53,
        Error::Unmapped { .. } => 54,
        Error::Write { .. } => 55,
        Error::OneOutput { .. } => 56,
        Error::NoMask { .. } => 57,
        Error::Axis { .. } => 58,
        Error::Offsets { .. } => 59,
        Error::ReadOnce => 60,
        Error::Changed { .. } => 61,
        Error::AxisTwice { .. } => 62,
        Error::Keys { .. } => 63,
        Error::OneOutputOfKeys { .. } => 64,
        Error::Lengths { .. } => 65,
        Error::OffsetOutOfRange { .. } => 66,
        Error::TooManyForSegments { .. } => 67,
        Error::NotOfSegments { .. } => 68,
        Error::NotWide { .. } => 69,
        Error::Segments { .. } => 70,
        Error::ThreeFiles { .. } => 71,
        Error::NotScanned { .. } => 72,
        Error::UnusedParameter { .. } => 73,
        Error::Dash { .. } => 74,
        Error::ArchiveOut { .. } => 75,
        Error::NoOffset { .. } => 76,
        Error::Folder { .. } => 77,
        Error::Spread { .. } => 78,
        Error::Memory { .. } => 80,
        // The one can't be made here, the other is the library's.
        Error::Draw(_)
        | Error::Ladder(gridfold_ladder::Error::Draw(_) | gridfold_ladder::Error::Library(_)) => 81,
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

/// What the library's callers alone can do helps no user of the program.
#[test]
fn no_text_names_the_library() {
    let library = gridfold::error_examples().into_iter().flat_map(|(error, _)| {
        let file = || "a.npy".to_owned();
        let own = match error.clone() {
            gridfold::Error::Wgsl(source) => Some(Error::Expression { option: "--map", source }),
            gridfold::Error::Prepare(PrepareError::Segments(
                source @ SegmentError::Offset { .. },
            )) => Some(Error::Segments { file: file(), source }),
            _ => None,
        };
        [Some(Error::Library(error.clone())), Some(gridfold_ladder::Error::from(error).into()), own]
    });
    let own = examples().into_iter().map(|(error, _)| error);
    let names =
        ["::", "Executor", "Array", "Context", "context", "Requirements", "with_", "map2", "map3"];
    for error in library.flatten().chain(own) {
        let text = error.to_string();
        assert!(!names.iter().any(|name| text.contains(name)), "{error:?}: {text}");
    }
}

/// The library's words of what happened are there, and the program's of what to do.
#[test]
fn what_to_do_instead() {
    let text = |error: PrepareError| Error::from(gridfold::Error::from(error)).to_string();
    assert_eq!(
        text(PrepareError::BindingTooSmall { max_binding_bytes: 4, needed_bytes: 8 }),
        "the device can bind 4 bytes of a storage buffer, but 8 are needed: choose the CPU by --adapter cpu"
    );
    assert_eq!(
        text(SegmentError::Split { segments: 1025, most: 1024 }.into()),
        "1025 segments lie in several bindings each, and at most 1024 are reduced alone: choose the CPU by --adapter cpu"
    );
    assert_eq!(
        text(PrepareError::Refused { what: "a buffer".to_owned(), message: "a: b".to_owned() }),
        "the driver refused a buffer: choose the CPU by --adapter cpu, or another GPU, and report it with this message: a: b"
    );
}

/// Only what is true of the operator, and only what would help.
#[test]
fn strategies_that_do_not_fit() {
    let text = |operator, dtype, precision| {
        let fitting = &[Strategy::Auto, Strategy::TwoPass, Strategy::SinglePass];
        let strategy = Strategy::WorkgroupAtomic;
        StrategyUnfit { strategy, precision, operator, dtype, fitting, looser: None }.to_string()
    };
    let others = "leave it out, or choose two-pass, or choose single-pass";
    for (operator, dtype) in [
        (OperatorType::Max, "float64"),
        (OperatorType::Product, "uint8"),
        (OperatorType::ArgMax, "uint8"),
    ] {
        let expected = format!(
            "--strategy workgroup-atomic can't give the {operator} of {dtype}, which no atomic combines: {others}"
        );
        assert_eq!(text(operator, dtype, Precision::Exact), expected);
    }
    let variance = text(OperatorType::Variance, "float32", Precision::Reproducible);
    let expected = format!(
        "--strategy workgroup-atomic can't give the variance of float32, which is never unordered: {others}"
    );
    assert_eq!(variance, expected);
}
