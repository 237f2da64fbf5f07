//! An example of every error, whose text says what to do.

use super::*;

fn text(words: &str) -> String {
    words.to_owned()
}

fn of_segments(error: SegmentError) -> Error {
    PrepareError::from(error).into()
}

/// An example of every variant, and the words of it that say what to do.
pub fn examples() -> Vec<(Error, &'static str)> {
    let (operator, element) = (OperatorType::BitXor, ElementType::F32);
    let limit = CreateError::Limit { limit: "max_bind_groups", needed: 4, found: 3 };
    let missing = wgpu::BufferUsages::STORAGE;
    let policy = Policy { min_rows: 0, max_workgroups: 0 };
    let (selector, names) = (text("x"), vec![text("vulkan/a/1"), text("gl/a/2")]);
    vec![
        (
            SelectError::NoMatch { selector: selector.clone(), adapters: names.clone() }.into(),
            "choose one of vulkan/a/1, gl/a/2",
        ),
        (
            SelectError::Ambiguous { selector, matches: names }.into(),
            "say more of one or give its index: vulkan/a/1, gl/a/2",
        ),
        (
            SelectError::Unusable { adapter: text("a"), message: text("old") }.into(),
            "choose another",
        ),
        (limit.clone().into(), "request the device with the limits of"),
        (
            CreateError::Refused { what: text("a"), message: text("b") }.into(),
            "try another variant, adapter or driver version",
        ),
        (CreateError::Probe(ReadError::Dropped).into(), "make the context again"),
        (CreateError::OutOfMemory { what: text("a") }.into(), "free some and make the context"),
        (CreateError::DeviceLost.into(), "make a new device and a new context"),
        (
            PrepareError::Usage { role: "input", label: text("a"), missing }.into(),
            "add it to the buffer's usage",
        ),
        (PrepareError::ShortOutput { len: 0, needed: 1 }.into(), "give it room for 1"),
        (PrepareError::OutputWithinInput { slice: 0 }.into(), "choose an element outside of it"),
        (PrepareError::TooLong { len: 1 << 41 }.into(), "reduce parts of them"),
        (PrepareError::NoSubgroups.into(), "use Variant::Auto or Variant::WorkgroupMemory"),
        (PrepareError::Unsupported { operator, element }.into(), "use another operator"),
        (PrepareError::Policy { policy }.into(), "give min_rows a power of two"),
        (
            PrepareError::BindingTooSmall { max_binding_bytes: 1, needed_bytes: 2 }.into(),
            "request the device with the limits of",
        ),
        (
            PrepareError::Contradiction {
                strategy: Strategy::SubgroupAtomic,
                variant: Variant::WorkgroupMemory,
            }
            .into(),
            "use Variant::Auto, or Strategy::WorkgroupAtomic",
        ),
        (
            PrepareError::Slice(SliceError::PastSlice { range: 0..2, len: 1 }).into(),
            "take a range that",
        ),
        (
            PrepareError::Capability { capability: "max_workgroups", found: 0 }.into(),
            "take gridfold::Capabilities::of(&device)",
        ),
        (PrepareError::OutOfMemory { what: text("a") }.into(), "free some and try again"),
        (
            PrepareError::Refused { what: text("a"), message: text("b") }.into(),
            "use buffers of the context's own device",
        ),
        (PrepareError::DeviceLost.into(), "make a new device and a new context"),
        (PrepareError::Create(limit).into(), "request the device with the limits of"),
        (ReadError::Dropped.into(), "submit it"),
        (ReadError::NotSubmitted.into(), "submit it before waiting"),
        (ReadError::Rejected.into(), "submit again"),
        (ReadError::DeviceLost.into(), "make a new device and a new context"),
        (ReadError::Map(text("a")).into(), "reduce again"),
        (
            SliceError::Misaligned { offset_bytes: 2, element_bytes: 4 }.into(),
            "begin at an element",
        ),
        (
            SliceError::PastBuffer { offset_bytes: 0, len: 2, buffer_bytes: 4 }.into(),
            "take fewer, or make the buffer larger",
        ),
        (SliceError::PastSlice { range: 0..2, len: 1 }.into(), "take a range that"),
        (
            PrepareError::Imprecise {
                operator: OperatorType::Product,
                element: ElementType::F32,
                precision: Precision::Exact,
            }
            .into(),
            "ask for Precision::Reproducible",
        ),
        (
            PrepareError::StrategyUnfit {
                strategy: Strategy::WorkgroupAtomic,
                precision: Precision::Reproducible,
                what: "reduction",
                operator: OperatorType::Sum,
                element: ElementType::F32,
                fitting: &[Strategy::Auto, Strategy::TwoPass],
                looser: Some(Precision::Unordered),
            }
            .into(),
            "use Strategy::Auto, Strategy::TwoPass or Precision::Unordered if",
        ),
        (
            PrepareError::StrategyUnfit {
                strategy: Strategy::TwoPass,
                precision: Precision::Exact,
                what: "counted reduction",
                operator: OperatorType::Sum,
                element: ElementType::F32,
                fitting: &[],
                looser: Some(Precision::Reproducible),
            }
            .into(),
            "use Precision::Reproducible",
        ),
        (
            PrepareError::LengthMismatch { left: 1, right: 2 }.into(),
            "give as many elements on the left as on the right",
        ),
        (
            PrepareError::DifferentExecutors { left: text("a"), right: text("b") }.into(),
            "upload both to the same executor",
        ),
        (PrepareError::NoCoherentMemory.into(), "use Strategy::Auto"),
        (ReadError::ForeignTicket.into(), "ask that batch's results"),
        (
            PrepareError::Avoided { kernel: "fold", reason: text("a") }.into(),
            "force neither variant nor strategy, or use the CPU executor",
        ),
        (
            CreateError::NoSuchKernel { kernel: text("a"), mechanism: None }.into(),
            "take the name and mechanism of a gridfold::KernelReport",
        ),
        (PrepareError::OutputBufferIsInput.into(), "give them another one"),
        (
            SliceError::Stride { stride_bytes: 2, item_bytes: 4, element_bytes: 4 }.into(),
            "give a multiple of 4",
        ),
        (
            PrepareError::NoScan {
                operator: OperatorType::Variance.nan(crate::algebra::options::NanRule::Ignore),
            }
            .into(),
            "or reduce parts",
        ),
        (
            PrepareError::NoExactScan { operator: OperatorType::Sum, element: ElementType::F32 }
                .into(),
            "ask for Precision::Reproducible",
        ),
        (PrepareError::NoTwin.into(), "give it a twin in Rust"),
        (
            WgslError::Invalid { line: 1, column: 2, message: text("a") }.into(),
            "line 1, column 2: a",
        ),
        (WgslError::Forbidden { line: 1, column: 2, what: "a barrier" }.into(), "leave that out"),
        (
            WgslError::Missing { function: "combine", signature: text("fn combine()") }.into(),
            "define `fn combine()`",
        ),
        (
            WgslError::Signature {
                line: 1,
                column: 2,
                function: "lift",
                signature: text("fn lift()"),
            }
            .into(),
            "declare it as `fn lift()`",
        ),
        (
            WgslError::Type { line: 1, column: 2, function: "finish", what: "result" }.into(),
            "is no number, bool, vector, or struct of these",
        ),
        (
            WgslError::TooLarge {
                line: 1,
                column: 2,
                function: "finish",
                what: "result",
                words: 17,
                max: 16,
            }
            .into(),
            "make it smaller",
        ),
        (WgslError::Copy { line: 1, column: 2 }.into(), "copy it member by member"),
        (
            WgslError::ResultSize { line: 1, column: 2, words: 1, bytes: 8 }.into(),
            "give both the same layout",
        ),
        (
            WgslError::Unsupported { line: 1, column: 2, what: text("sin(x)") }.into(),
            "write a function for gridfold::Map::wgsl",
        ),
        (
            WgslError::Value { line: 1, column: 2, found: "u32", wanted: "f32" }.into(),
            "make it `f32`",
        ),
        (WgslError::MappedTwice.into(), "write one expression"),
        (WgslError::NoNeutral { operator }.into(), "choose a sum"),
        (WgslError::Kernel { message: text("a") }.into(), "report it with this message"),
        (
            PrepareError::NoExactPart { operator: OperatorType::Sum, element: ElementType::F64 }
                .into(),
            "make it on the CPU",
        ),
        (PartialError::Gap { end: 1, first: 2 }.into(), "merge what is between them first"),
        (PartialError::Overlap { end: 2, first: 1 }.into(), "merge neighbours"),
        (PartialError::Precisions.into(), "reduce both with one precision"),
        (PartialError::None.into(), "is an empty part at 0"),
        (PartialError::NotFirst { first: 1 }.into(), "merge it with the parts before it"),
        (
            PrepareError::NoMappedPart { operator: OperatorType::Sum }.into(),
            "reduce the whole sequence",
        ),
        (PrepareError::ScanAliasing { slice: 0 }.into(), "write in place"),
        (PrepareError::StridedOutput.into(), "give them one without gaps"),
        (PrepareError::NoSelection { element: ElementType::Bits }.into(), "select on the CPU"),
        (PrepareError::MaskLength { flags: 2, len: 3 }.into(), "give it a flag for each"),
        (PrepareError::OutputAliasing { what: "output" }.into(), "a buffer of its own"),
        (of_segments(SegmentError::Rows { len: 3, row_len: 2 }), "give whole rows"),
        (of_segments(SegmentError::Shape { len: 3, shape: vec![2] }), "give a shape of as many"),
        (of_segments(SegmentError::Axis { axis: 1, rank: 1 }), "choose one below 1"),
        (
            of_segments(SegmentError::Offset { index: 0, offset: 3, least: 0, most: 2 }),
            "give offsets that never fall",
        ),
        (of_segments(SegmentError::Element { element }), "with Executor::cpu()"),
        (
            of_segments(SegmentError::Inexact { operator, element, most: 1024 }),
            "give up to 1024 of rows, along one axis, or between offsets in host memory, reduce them on the CPU",
        ),
        (of_segments(SegmentError::Input { slices: 2 }), "copy them to one"),
        (of_segments(SegmentError::Aliasing), "give them another one"),
        (WgslError::OfBits.into(), "reduce them as words"),
        (HistogramError::NoBins.into(), "give one at least"),
        (HistogramError::TooManyBins { bins: 2, most: 1 }.into(), "give fewer"),
        (HistogramError::Range { low: 1.0, high: 0.0 }.into(), "both finite"),
        (HistogramError::Edge { index: 1, edge: 0.0, before: 1.0 }.into(), "in ascending order"),
        (HistogramError::NarrowCounts { len: 1 << 32 }.into(), "give counts of u64"),
        (HistogramError::Aliasing.into(), "give them another one"),
        (of_segments(SegmentError::AxisTwice { axis: 1 }), "give each axis once"),
        (
            of_segments(SegmentError::Length { what: "keys", given: 2, len: 3 }),
            "give one for each element",
        ),
        (of_segments(SegmentError::Groups { groups: 5000, most: 4096 }), "reduce them on the CPU"),
        (
            WgslError::Parameter { name: text("x"), what: "is taken: choose another name" }.into(),
            "the parameter `x` is taken: choose another name",
        ),
        (WgslError::Counters { count: 6, bits: 6 }.into(), "that have 32 bits at most together"),
        (
            PrepareError::NoExactKernel { operator: OperatorType::Norm, element: ElementType::F64 }
                .into(),
            "as a slice of host memory",
        ),
        (
            of_segments(SegmentError::Split { segments: 2000, most: 1024 }),
            "cut the elements between segments",
        ),
        (
            WgslError::Vector { line: 1, column: 1, what: text("x") }.into(),
            "take its components one by one",
        ),
        (WgslError::OfComponents.into(), "write an expression of their components"),
        (PrepareError::NoInitialValue { operator: OperatorType::ArgMin }.into(), "or leave it out"),
        (PrepareError::NoCount.into(), "give it one, which is the count"),
        (
            of_segments(SegmentError::Lengths { segment: 1, length: 5, end: 7, most: 6 }),
            "give lengths that add up to 6 at most",
        ),
        (
            WgslError::Operands {
                line: 1,
                column: 3,
                operator: text(">"),
                takes: "numbers of one type",
                found: text("x is f32 and 1u is u32"),
                advice: text("write 1.0 or 1"),
            }
            .into(),
            "`>` takes numbers of one type, but x is f32 and 1u is u32: write 1.0 or 1",
        ),
        (
            PrepareError::LengthMismatchOfThree { x: 3, y: 2, z: 1 }.into(),
            "inputs of 3, 2 and 1 elements do not go together: give as many elements in each",
        ),
        (
            WgslError::NoInput { line: 1, column: 2, name: "z", call: "give it three" }.into(),
            "line 1, column 2: there is no input `z` here: give it three",
        ),
        (of_segments(SegmentError::Positions { len: 9, most: 8 }), "reduce parts of the elements"),
        (
            WgslError::UnknownName { line: 1, column: 2, name: text("w") }.into(),
            "line 1, column 2: there is no `w`: an expression has the element `x`",
        ),
        (
            WgslError::Foreign {
                line: 1,
                column: 2,
                found: "and".to_owned(),
                instead: "`&&`".to_owned(),
            }
            .into(),
            "line 1, column 2: expressions have no `and`: write `&&`",
        ),
        (
            WgslError::TooLong { most: 200, what: "signs" }.into(),
            "the expression has more than 200 signs: make it shorter",
        ),
        (PrepareError::LongNumbers { len: 1 << 33 }.into(), "lengths as u64s"),
        (of_segments(SegmentError::Results { shape: vec![0, 1 << 40] }), "reduce along more axes"),
        (
            HistogramError::NarrowBins { bins: 3, low: 0.0, high: 1e-300 }.into(),
            "3 bins from 0.0 to 1e-300 are so narrow that float64s can't tell their edges apart: give fewer bins",
        ),
        (
            PrepareError::Bytes { operator, element, inputs: 1, bytes: vec![7] }.into(),
            "give 1 of whole elements",
        ),
        (
            PartialError::Operators {
                operator,
                element,
                other: OperatorType::Max,
                other_element: ElementType::U8,
            }
            .into(),
            "reduce both by one operator",
        ),
        (PrepareError::OwnOperator.into(), "reduce the elements as a whole"),
    ]
}

/// A number for each variant, from 0. A new one does not compile until it is given the next number here
/// and an example above.
#[cfg(test)]
fn number(error: &Error) -> usize {
    match error {
        Error::Select(SelectError::NoMatch { .. }) => 0,
        Error::Select(SelectError::Ambiguous { .. }) => 1,
        Error::Select(SelectError::Unusable { .. }) => 2,
        Error::Create(CreateError::Limit { .. }) => 3,
        Error::Create(CreateError::Refused { .. }) => 4,
        Error::Create(CreateError::Probe(_)) => 5,
        Error::Create(CreateError::OutOfMemory { .. }) => 6,
        Error::Create(CreateError::DeviceLost) => 7,
        Error::Prepare(PrepareError::Usage { .. }) => 8,
        Error::Prepare(PrepareError::ShortOutput { .. }) => 9,
        Error::Prepare(PrepareError::OutputWithinInput { .. }) => 10,
        Error::Prepare(PrepareError::TooLong { .. }) => 11,
        Error::Prepare(PrepareError::NoSubgroups) => 12,
        Error::Prepare(PrepareError::Unsupported { .. }) => 13,
        Error::Prepare(PrepareError::Policy { .. }) => 14,
        Error::Prepare(PrepareError::BindingTooSmall { .. }) => 15,
        Error::Prepare(PrepareError::Contradiction { .. }) => 16,
        Error::Prepare(PrepareError::Slice(_)) => 17,
        Error::Prepare(PrepareError::Capability { .. }) => 18,
        Error::Prepare(PrepareError::OutOfMemory { .. }) => 19,
        Error::Prepare(PrepareError::Refused { .. }) => 20,
        Error::Prepare(PrepareError::DeviceLost) => 21,
        Error::Prepare(PrepareError::Create(_)) => 22,
        Error::Read(ReadError::Dropped) => 23,
        Error::Read(ReadError::NotSubmitted) => 24,
        Error::Read(ReadError::Rejected) => 25,
        Error::Read(ReadError::DeviceLost) => 26,
        Error::Read(ReadError::Map(_)) => 27,
        Error::Slice(SliceError::Misaligned { .. }) => 28,
        Error::Slice(SliceError::PastBuffer { .. }) => 29,
        Error::Slice(SliceError::PastSlice { .. }) => 30,
        Error::Prepare(PrepareError::Imprecise { .. }) => 31,
        Error::Prepare(PrepareError::StrategyUnfit {
            precision: Precision::Unordered | Precision::Reproducible,
            ..
        }) => 32,
        Error::Prepare(PrepareError::StrategyUnfit { precision: Precision::Exact, .. }) => 33,
        Error::Prepare(PrepareError::LengthMismatch { .. }) => 34,
        Error::Prepare(PrepareError::DifferentExecutors { .. }) => 35,
        Error::Prepare(PrepareError::NoCoherentMemory) => 36,
        Error::Read(ReadError::ForeignTicket) => 37,
        Error::Prepare(PrepareError::Avoided { .. }) => 38,
        Error::Create(CreateError::NoSuchKernel { .. }) => 39,
        Error::Prepare(PrepareError::OutputBufferIsInput) => 40,
        Error::Slice(SliceError::Stride { .. }) => 41,
        Error::Prepare(PrepareError::NoScan { .. }) => 42,
        Error::Prepare(PrepareError::NoExactScan { .. }) => 43,
        Error::Prepare(PrepareError::NoTwin) => 44,
        Error::Wgsl(WgslError::Invalid { .. }) => 45,
        Error::Wgsl(WgslError::Forbidden { .. }) => 46,
        Error::Wgsl(WgslError::Missing { .. }) => 47,
        Error::Wgsl(WgslError::Signature { .. }) => 48,
        Error::Wgsl(WgslError::Type { .. }) => 49,
        Error::Wgsl(WgslError::TooLarge { .. }) => 50,
        Error::Wgsl(WgslError::Copy { .. }) => 51,
        Error::Wgsl(WgslError::ResultSize { .. }) => 52,
        Error::Wgsl(WgslError::Unsupported { .. }) => 53,
        Error::Wgsl(WgslError::Value { .. }) => 54,
        Error::Wgsl(WgslError::MappedTwice) => 55,
        Error::Wgsl(WgslError::NoNeutral { .. }) => 56,
        Error::Wgsl(WgslError::Kernel { .. }) => 57,
        Error::Prepare(PrepareError::NoExactPart { .. }) => 58,
        Error::Partial(PartialError::Gap { .. }) => 59,
        Error::Partial(PartialError::Overlap { .. }) => 60,
        Error::Partial(PartialError::Precisions) => 61,
        Error::Partial(PartialError::None) => 62,
        Error::Partial(PartialError::NotFirst { .. }) => 63,
        Error::Prepare(PrepareError::NoMappedPart { .. }) => 64,
        Error::Prepare(PrepareError::ScanAliasing { .. }) => 65,
        Error::Prepare(PrepareError::StridedOutput) => 66,
        Error::Prepare(PrepareError::NoSelection { .. }) => 67,
        Error::Prepare(PrepareError::MaskLength { .. }) => 68,
        Error::Prepare(PrepareError::OutputAliasing { .. }) => 69,
        Error::Prepare(PrepareError::Segments(SegmentError::Rows { .. })) => 70,
        Error::Prepare(PrepareError::Segments(SegmentError::Shape { .. })) => 71,
        Error::Prepare(PrepareError::Segments(SegmentError::Axis { .. })) => 72,
        Error::Prepare(PrepareError::Segments(SegmentError::Offset { .. })) => 73,
        Error::Prepare(PrepareError::Segments(SegmentError::Element { .. })) => 74,
        Error::Prepare(PrepareError::Segments(SegmentError::Inexact { .. })) => 75,
        Error::Prepare(PrepareError::Segments(SegmentError::Input { .. })) => 76,
        Error::Prepare(PrepareError::Segments(SegmentError::Aliasing)) => 77,
        Error::Wgsl(WgslError::OfBits) => 78,
        Error::Prepare(PrepareError::Histogram(HistogramError::NoBins)) => 79,
        Error::Prepare(PrepareError::Histogram(HistogramError::TooManyBins { .. })) => 80,
        Error::Prepare(PrepareError::Histogram(HistogramError::Range { .. })) => 81,
        Error::Prepare(PrepareError::Histogram(HistogramError::Edge { .. })) => 82,
        Error::Prepare(PrepareError::Histogram(HistogramError::NarrowCounts { .. })) => 83,
        Error::Prepare(PrepareError::Histogram(HistogramError::Aliasing)) => 84,
        Error::Prepare(PrepareError::Segments(SegmentError::AxisTwice { .. })) => 85,
        Error::Prepare(PrepareError::Segments(SegmentError::Length { .. })) => 86,
        Error::Prepare(PrepareError::Segments(SegmentError::Groups { .. })) => 87,
        Error::Wgsl(WgslError::Parameter { .. }) => 88,
        Error::Wgsl(WgslError::Counters { .. }) => 89,
        Error::Prepare(PrepareError::NoExactKernel { .. }) => 90,
        Error::Prepare(PrepareError::Segments(SegmentError::Split { .. })) => 91,
        Error::Wgsl(WgslError::Vector { .. }) => 92,
        Error::Wgsl(WgslError::OfComponents) => 93,
        Error::Prepare(PrepareError::NoInitialValue { .. }) => 94,
        Error::Prepare(PrepareError::NoCount) => 95,
        Error::Prepare(PrepareError::Segments(SegmentError::Lengths { .. })) => 96,
        Error::Wgsl(WgslError::Operands { .. }) => 97,
        Error::Prepare(PrepareError::LengthMismatchOfThree { .. }) => 98,
        Error::Wgsl(WgslError::NoInput { .. }) => 99,
        Error::Prepare(PrepareError::Segments(SegmentError::Positions { .. })) => 100,
        Error::Wgsl(WgslError::UnknownName { .. }) => 101,
        Error::Wgsl(WgslError::Foreign { .. }) => 102,
        Error::Wgsl(WgslError::TooLong { .. }) => 103,
        Error::Prepare(PrepareError::LongNumbers { .. }) => 104,
        Error::Prepare(PrepareError::Segments(SegmentError::Results { .. })) => 105,
        Error::Prepare(PrepareError::Histogram(HistogramError::NarrowBins { .. })) => 106,
        Error::Prepare(PrepareError::Bytes { .. }) => 107,
        Error::Partial(PartialError::Operators { .. }) => 108,
        Error::Prepare(PrepareError::OwnOperator) => 109,
    }
}

#[test]
fn every_text_says_what_to_do() {
    for (index, (error, advice)) in examples().into_iter().enumerate() {
        assert_eq!(number(&error), index, "{error:?}");
        let text = error.to_string();
        assert!(text.contains(advice), "{text}");
        assert!(!text.ends_with('.') && !text.contains('\n'), "{text}");
    }
}
