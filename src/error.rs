//! Errors, one type per phase. Each carries its data and says what to do.

use crate::{
    element::ElementType,
    operator::OperatorType,
    plan::{Strategy, Variant},
    policy::Policy,
};
use std::ops::Range;

/// A [`crate::Context`] can't be made for this device, or a pipeline of it can't be created.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CreateError {
    /// The device was made with a limit lower than the kernels need.
    #[error(
        "the device allows {limit} = {found}, but gridfold needs {needed}: request the device with \
         the limits of gridfold::Requirements::of(&adapter)"
    )]
    Limit {
        /// The limit's name in `wgpu::Limits`.
        limit: &'static str,
        /// The least that works.
        needed: u64,
        /// What the device was made with.
        found: u64,
    },
    /// The driver or wgpu rejected a shader or a pipeline.
    #[error("the driver rejected the pipeline \"{label}\": {message}")]
    Pipeline {
        /// The pipeline's label: kernel, operator, element type and variant.
        label: String,
        /// What wgpu said.
        message: String,
    },
    /// The start-up probe could not be run.
    #[error("the start-up probe failed: {0}")]
    Probe(#[source] Box<ReadError>),
    /// A GPU resource could not be created for the start-up probe.
    #[error("the device refused a resource for the start-up probe: {0}")]
    Resource(String),
}

/// A range of a buffer is no slice of elements.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SliceError {
    /// The offset is not a multiple of the element's size.
    #[error(
        "offset {offset_bytes} bytes is not a multiple of the element size, {element_bytes} bytes"
    )]
    Misaligned {
        /// The offset asked for.
        offset_bytes: u64,
        /// Bytes of an element.
        element_bytes: u64,
    },
    /// The range ends past the buffer.
    #[error(
        "{len} elements from byte {offset_bytes} on do not fit the buffer of {buffer_bytes} bytes"
    )]
    PastBuffer {
        /// The offset asked for.
        offset_bytes: u64,
        /// The length asked for, in elements.
        len: u64,
        /// The buffer's size.
        buffer_bytes: u64,
    },
    /// The range ends past the slice or array that it is taken of, or begins after its own end.
    #[error("elements {range:?} are not within a slice of {len} elements")]
    PastSlice {
        /// The range asked for, in elements.
        range: Range<u64>,
        /// The length of what it was taken of, in elements.
        len: u64,
    },
}

/// A reduction can't be prepared. Nothing was recorded, and nothing of the caller's was changed.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PrepareError {
    /// A buffer lacks a usage.
    #[error(
        "the {role} buffer \"{label}\" was made without {missing:?}: add it to the buffer's usage"
    )]
    Usage {
        /// `input` or `output`.
        role: &'static str,
        /// A description of the buffer: its size and usages.
        label: String,
        /// What is missing.
        missing: wgpu::BufferUsages,
    },
    /// The output has no room for one element.
    #[error("the output slice is empty: it needs room for one element")]
    EmptyOutput,
    /// The output lies within the input.
    #[error("the output lies within input slice {slice}: choose elements outside of it")]
    OutputWithinInput {
        /// Which input slice, from 0.
        slice: usize,
    },
    /// More than 2^40 elements.
    #[error(
        "{len} elements are more than the 2^40 that a reduction can have: reduce parts of them"
    )]
    TooLong {
        /// Elements of all input slices together.
        len: u64,
    },
    /// The variant or the strategy needs subgroups, and the device has none or failed the start-up probe.
    #[error(
        "the variant or strategy needs wgpu::Features::SUBGROUP and usable subgroups, which this device \
         lacks: use Variant::Auto or Variant::WorkgroupMemory, and no Strategy::SubgroupAtomic"
    )]
    NoSubgroups,
    /// The strategy combines subgroups, and the variant goes without them.
    #[error(
        "the strategy {} needs subgroups, which the variant {} goes without: use Variant::Auto, or \
         Strategy::WorkgroupAtomic",
        .strategy.name(), .variant.name()
    )]
    Contradiction {
        /// The strategy asked for.
        strategy: Strategy,
        /// The variant asked for.
        variant: Variant,
    },
    /// The operator is not defined for the element type.
    #[error("{operator} is not defined for {element}")]
    Unsupported {
        /// The operator.
        operator: OperatorType,
        /// The element type.
        element: ElementType,
    },
    /// The policy is out of bounds.
    #[error(
        "{policy:?} is out of bounds: min_rows is a power of two from 4 to 65536, max_workgroups 1 \
         to 2048"
    )]
    Policy {
        /// The policy.
        policy: Policy,
    },
    /// The device can't bind enough of a buffer at once, or have one that is large enough.
    #[error(
        "the device can bind {max_binding_bytes} bytes of a storage buffer, but {needed_bytes} are \
         needed: request the device with the limits of \
         gridfold::Requirements::of(&adapter)"
    )]
    BindingTooSmall {
        /// The device's limit.
        max_binding_bytes: u64,
        /// The least that works.
        needed_bytes: u64,
    },
    /// The device is out of memory.
    #[error("the device has no memory left for {what}: free some and try again")]
    OutOfMemory {
        /// What was to be allocated.
        what: String,
    },
    /// wgpu refused something, such as a buffer of another device or a destroyed one.
    #[error("wgpu refused {what}: {message}")]
    Refused {
        /// What was to be created.
        what: String,
        /// What wgpu said.
        message: String,
    },
    /// A pipeline can't be created.
    #[error(transparent)]
    Create(#[from] CreateError),
}

/// A result can't be read back.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The encoder that the readback was recorded into was dropped.
    #[error("the encoder with this readback was dropped without being submitted: submit it")]
    Dropped,
    /// The encoder that the readback was recorded into is not submitted yet.
    #[error("the encoder with this readback is not submitted yet: submit it before waiting")]
    NotSubmitted,
    /// wgpu rejected the submission: its error went to the caller's error scope or handler.
    #[error(
        "wgpu rejected the submission with this readback, so there is no result: its error says why (a \
         buffer that is mapped or destroyed, for example)"
    )]
    Rejected,
    /// The device was lost, or mapping the result failed for another reason.
    #[error("the result can't be mapped ({0}): the device may be lost; make a new one")]
    Map(String),
}

/// No adapter fits a selector, or it can't be opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SelectError {
    /// No adapter's `backend/name/driver` contains the selector.
    #[error("no adapter matches \"{selector}\"; there are: {}", list(.adapters))]
    NoMatch {
        /// What was asked for.
        selector: String,
        /// The adapters there are, as `backend/name/driver`.
        adapters: Vec<String>,
    },
    /// Several adapters contain the selector.
    #[error(
        "\"{selector}\" matches several adapters, say more of one or give its index: {}",
        list(.matches)
    )]
    Ambiguous {
        /// What was asked for.
        selector: String,
        /// The adapters that match, as `backend/name/driver`.
        matches: Vec<String>,
    },
    /// The adapter has no compute shaders or can't be opened.
    #[error("the adapter {adapter} can't be used: {message}")]
    Unusable {
        /// The adapter, as `backend/name/driver`.
        adapter: String,
        /// What it lacks, or what wgpu said.
        message: String,
    },
}

fn list(names: &[String]) -> String {
    if names.is_empty() {
        "none (install a Vulkan, Metal or DX12 driver, or use \"cpu\")".to_owned()
    } else {
        names.join(", ")
    }
}

/// Any of the errors, for calls that go through several phases.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Choosing an adapter.
    #[error(transparent)]
    Select(#[from] SelectError),
    /// Making a context.
    #[error(transparent)]
    Create(#[from] CreateError),
    /// Preparing a reduction, or allocating memory on the device.
    #[error(transparent)]
    Prepare(#[from] PrepareError),
    /// Reading a result.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Taking a part of an array.
    #[error(transparent)]
    Slice(#[from] SliceError),
}
