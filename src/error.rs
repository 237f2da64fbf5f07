//! Errors, one type per phase. Each carries its data and says what to do.
//!
//! It may depend on `algebra`, `exact` and `way`, whose names errors mention: not on the modules that return them.

#[cfg(any(test, feature = "unstable"))]
mod examples;
mod histogram;
mod partial;
mod read;
mod scan;
mod segments;
mod select;
mod slice;
mod unfit;
mod wgsl;

#[cfg(any(test, feature = "unstable"))]
pub use examples::examples;
pub use histogram::HistogramError;
pub use partial::PartialError;
pub use read::ReadError;
pub use segments::SegmentError;
pub use select::SelectError;
pub use slice::SliceError;
pub use wgsl::WgslError;

use crate::{
    algebra::{element::ElementType, operator_type::OperatorType, precision::Precision},
    error::read::RECOVERY,
    exact::LengthMismatch,
    way::{Mechanism, Strategy, Variant, policy::Policy},
};

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
    /// The start-up probe's answer could not be read back.
    #[error("the start-up probe was run, but not read back: make the context again ({0})")]
    Probe(#[source] ReadError),
    /// [`crate::Context::avoiding`] was given something that is no kernel's name, or not in that mechanism.
    #[error(
        "there is no kernel \"{kernel}\"{}: take the name and mechanism of a gridfold::KernelReport",
        .mechanism.map_or(String::new(), |mechanism| format!(" in the mechanism {mechanism}"))
    )]
    NoSuchKernel {
        /// The name.
        kernel: String,
        /// The mechanism, if one was named.
        mechanism: Option<Mechanism>,
    },
    /// The device has no memory for the context's small buffers.
    #[error("there is no memory left for {what}: free some and make the context again")]
    OutOfMemory {
        /// What was to be allocated.
        what: String,
    },
    /// wgpu or the driver refused something of gridfold's own, such as a shader.
    #[error(
        "the driver refused {what}: try another variant, adapter or driver version, and report it with \
         this message: {message}"
    )]
    Refused {
        /// What was to be created. For a pipeline: kernel, operator, element type and variant.
        what: String,
        /// What wgpu said.
        message: String,
    },
    /// The device is lost.
    #[error("the device is lost: {RECOVERY}")]
    DeviceLost,
}

/// A reduction can't be prepared. Nothing was recorded, and nothing of the caller's was changed.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PrepareError {
    /// A buffer lacks a usage.
    #[error(
        "the {role} buffer ({label}) was made without {missing:?}: add it to the buffer's usage"
    )]
    Usage {
        /// `input` or `output`.
        role: &'static str,
        /// A description of the buffer: its size and usages.
        label: String,
        /// What is missing.
        missing: wgpu::BufferUsages,
    },
    /// The output has no room for the result.
    #[error("the output slice has {len} elements: give it room for {needed}")]
    ShortOutput {
        /// Its elements.
        len: u64,
        /// Those of the result: one, or the words of an accumulator.
        needed: u64,
    },
    /// A slice without elements in place of a number on the device: how many elements there are, or were selected.
    #[error("the slice of the count has no elements: give it one, which is the count")]
    NoCount,
    /// The output lies within the input.
    #[error("the output lies within input slice {slice}: choose an element outside of it")]
    OutputWithinInput {
        /// Which input slice, from 0. Of two inputs, the left one's slices come first.
        slice: usize,
    },
    /// A batch writes its results to a buffer that it reads.
    #[error("a reduction of the batch reads the buffer of the results: give them another one")]
    OutputBufferIsInput,
    /// Two inputs, whose elements can't be paired.
    #[error(
        "inputs of {left} and {right} elements have no dot product: give as many elements on the left as on \
         the right"
    )]
    LengthMismatch {
        /// Elements of the left input.
        left: u64,
        /// Elements of the right input.
        right: u64,
    },
    /// Three inputs, whose elements do not go together.
    #[error(
        "inputs of {x}, {y} and {z} elements do not go together: give as many elements in each of the three"
    )]
    LengthMismatchOfThree {
        /// Elements of the first input.
        x: u64,
        /// Elements of the second.
        y: u64,
        /// Elements of the third.
        z: u64,
    },
    /// Two arrays of different executors.
    #[error(
        "the arrays are of different executors, on {left} and on {right}: upload both to the same executor"
    )]
    DifferentExecutors {
        /// Where the left array is, as `backend/name/driver`.
        left: String,
        /// Where the right array is.
        right: String,
    },
    /// Bytes are not the inputs of an operator.
    #[error(
        "{operator} takes {inputs} slice(s) of {element}, whose elements have {} bytes, but it was given slices of {bytes:?} bytes: give \
         {inputs} of whole elements",
        .element.size_bytes()
    )]
    Bytes {
        /// The operator.
        operator: OperatorType,
        /// The element type.
        element: ElementType,
        /// How many inputs there have to be.
        inputs: u32,
        /// Bytes of each slice that was given.
        bytes: Vec<u64>,
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
    /// The operator has no results of this precision.
    #[error(
        "there is no {precision} {operator} of {element}: ask for Precision::Reproducible, the default"
    )]
    Imprecise {
        /// The operator.
        operator: OperatorType,
        /// The element type.
        element: ElementType,
        /// The precision asked for.
        precision: Precision,
    },
    /// A strategy by which there is no such result: atomics of what depends on the order, or of what no atomic of 32 bits combines; others than workgroups'
    /// atomics of what is true and rounded once; atomics of scans and selections; and of reductions and scans of lengths on the
    /// device all but two passes.
    #[error(
        "there is no {precision} {what} by {operator} of {element} with the strategy {}: use {}",
        .strategy.name(),
        unfit::instead(.fitting, .looser.as_ref())
    )]
    StrategyUnfit {
        /// The strategy asked for.
        strategy: Strategy,
        /// What the result promises.
        precision: Precision,
        /// `reduction`, `scan` or `selection`, or `counted reduction` or `counted scan` of a length on the device.
        what: &'static str,
        /// The operator.
        operator: OperatorType,
        /// The element type.
        element: ElementType,
        /// The strategies that would do on this device.
        fitting: &'static [Strategy],
        /// A weaker promise, if with that the strategy would do.
        looser: Option<Precision>,
    },
    /// [`crate::Strategy::SinglePass`] on a device without coherent memory.
    #[error(
        "a single pass needs coherent memory, which the device has not, or was not requested with: use Strategy::Auto, or \
         request it as Requirements say"
    )]
    NoCoherentMemory,
    /// A kernel that is wrong on this device, and nothing in its place: see [`crate::Avoided`].
    #[error(
        "this needs the kernel \"{kernel}\", which this context goes without ({reason}), and nothing can take its place: force \
         neither variant nor strategy, or use the CPU executor"
    )]
    Avoided {
        /// The kernel's name.
        kernel: &'static str,
        /// Why it is not used.
        reason: String,
    },
    /// An operator of the user's own, on the CPU, that has no form for it.
    #[error(
        "the operator is there in WGSL alone, and this executor reduces on the CPU: give it a twin in Rust, with CustomOperator::with_twin, \
         or reduce on a GPU"
    )]
    NoTwin,
    /// An operator of the user's own where the library's alone can be taken: for parts of a sequence, by groups of executors, and with expressions.
    #[error(
        "parts of a sequence, groups of executors and expressions take the library's operators alone, and this is one of your own: reduce the elements \
         as a whole, without an expression"
    )]
    OwnOperator,
    /// The operator is not defined for the element type.
    #[error(
        "{operator} is not defined for {element}: use another operator, or integers for operators on bits, and floats for \
             means, sums of squares, norms, variances and dot products"
    )]
    Unsupported {
        /// The operator.
        operator: OperatorType,
        /// The element type.
        element: ElementType,
    },
    /// There are no scans by the operator: by variances without NaNs, which are exact alone, and of pairs.
    #[error(
        "there is no scan by {operator}, because it is exact alone, or takes pairs: scan by another operator, or reduce parts"
    )]
    NoScan {
        /// The operator.
        operator: OperatorType,
    },
    /// What comes before all elements of a scan, by an operator that tells where elements are, or merges runs of them.
    #[error(
        "a scan by {operator} takes no initial value, because that has no place: make it the first element, or leave it out"
    )]
    NoInitialValue {
        /// The operator.
        operator: OperatorType,
    },
    /// Exact results of an operator that rounds, one for each element.
    #[error(
        "there is no exact scan by {operator} of {element}, because each result would be rounded by itself: ask for \
         Precision::Reproducible, the default"
    )]
    NoExactScan {
        /// The operator.
        operator: OperatorType,
        /// The element type.
        element: ElementType,
    },
    /// The output of a scan, or of differences, lies in a buffer of the input, and is not the input itself; or two of its slices overlap.
    #[error(
        "output slice {slice} shares a buffer with the input, or elements with another one: write in place, from slices to the \
         same slices, or to buffers of their own"
    )]
    ScanAliasing {
        /// Which output slice, from 0.
        slice: usize,
    },
    /// Elements that are not selected by devices.
    #[error(
        "elements of {element} can't be selected on a device, as they have no bytes of their own: give it elements of another type, or select on the CPU"
    )]
    NoSelection {
        /// The element type.
        element: ElementType,
    },
    /// More elements than positions or lengths of 32 bits can tell.
    #[error("u32s can't say where {len} elements are: write positions and lengths as u64s")]
    LongNumbers {
        /// Elements.
        len: u64,
    },
    /// A mask of another length than the elements.
    #[error("a mask of {flags} flags does not fit {len} elements: give it a flag for each")]
    MaskLength {
        /// Flags of the mask, at most.
        flags: u64,
        /// Elements.
        len: u64,
    },
    /// An output of a selection that lies where something else does.
    #[error(
        "the {what} of the selection shares a buffer with an input or an output: give it a buffer of its own"
    )]
    OutputAliasing {
        /// Which output.
        what: &'static str,
    },
    /// A strided slice as an output.
    #[error("results can't go to a strided slice: give them one without gaps")]
    StridedOutput,
    /// An exact part of a sequence, which devices do not make of these elements.
    #[error(
        "there is no exact part of {operator} of {element} on a GPU: make it on the CPU, with Executor::cpu()"
    )]
    NoExactPart {
        /// The operator.
        operator: OperatorType,
        /// The element type.
        element: ElementType,
    },
    /// A true result that the CPU alone gives, of elements on a device.
    #[error(
        "there is no exact {operator} of {element} on a GPU: give an executor the elements as a slice of host memory, which the CPU \
         reduces, or ask for Precision::Reproducible, if the operator has such results"
    )]
    NoExactKernel {
        /// The operator.
        operator: OperatorType,
        /// The element type.
        element: ElementType,
    },
    /// A part of a sequence has its own first element, from which an expression would count.
    #[error(
        "there are no parts of what expressions make of elements, as of {operator}: reduce the whole sequence, in slices or chunk by chunk"
    )]
    NoMappedPart {
        /// The operator.
        operator: OperatorType,
    },
    /// Elements that can't be reduced in segments.
    #[error(transparent)]
    Segments(#[from] SegmentError),
    /// Elements that can't be counted in bins.
    #[error(transparent)]
    Histogram(#[from] HistogramError),
    /// The policy is out of bounds.
    #[error(
        "{policy:?} is out of bounds: give min_rows a power of two from 4 to 65536, max_workgroups 1 \
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
    /// A slice that was made up by hand is no slice of its buffer.
    #[error(transparent)]
    Slice(#[from] SliceError),
    /// Capabilities that were made up by hand are no device's.
    #[error(
        "no device has {capability} = {found}: take gridfold::Capabilities::of(&device), or change it to \
         what a device could have"
    )]
    Capability {
        /// The field of [`crate::Capabilities`].
        capability: &'static str,
        /// Its value.
        found: u64,
    },
    /// The device, or the host, is out of memory. What was there before is as it was.
    #[error("there is no memory left for {what}: free some and try again")]
    OutOfMemory {
        /// What was to be allocated.
        what: String,
    },
    /// wgpu refused something, such as a buffer of another device, a destroyed or a mapped one.
    #[error(
        "wgpu refused {what}: use buffers of the context's own device that are neither mapped nor \
         destroyed ({message})"
    )]
    Refused {
        /// What was to be created.
        what: String,
        /// What wgpu said.
        message: String,
    },
    /// The device is lost. Nothing that was made of it can be used again.
    #[error("the device is lost: {RECOVERY}")]
    DeviceLost,
    /// A pipeline can't be created.
    #[error(transparent)]
    Create(CreateError),
}

impl From<LengthMismatch> for PrepareError {
    fn from(LengthMismatch { left, right }: LengthMismatch) -> Self {
        Self::LengthMismatch { left: left as u64, right: right as u64 }
    }
}

impl From<CreateError> for PrepareError {
    fn from(error: CreateError) -> Self {
        match error {
            CreateError::DeviceLost => Self::DeviceLost,
            CreateError::OutOfMemory { what } => Self::OutOfMemory { what },
            error => Self::Create(error),
        }
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
    /// WGSL of the user's own.
    #[error(transparent)]
    Wgsl(#[from] WgslError),
    /// Merging parts of a sequence.
    #[error(transparent)]
    Partial(#[from] PartialError),
}
