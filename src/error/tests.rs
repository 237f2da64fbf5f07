//! Every error's text says what to do.

use super::*;

fn text(words: &str) -> String {
    words.to_owned()
}

/// An example of every variant, and the words of it that say what to do.
fn examples() -> Vec<(Error, &'static str)> {
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
            }
            .into(),
            "use Strategy::Auto, or Precision::Unordered if",
        ),
        (
            PrepareError::StrategyUnfit {
                strategy: Strategy::TwoPass,
                precision: Precision::Exact,
            }
            .into(),
            "use Strategy::Auto or Strategy::WorkgroupAtomic",
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
    ]
}

/// A number for each variant, from 0. A new one does not compile until it is given the next number here
/// and an example above.
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
