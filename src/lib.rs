//! Reductions, scans, selections, segments and histograms of arrays on GPUs, through wgpu, with the same bits on every device and on the CPU. An
//! input has at most 2^40 elements.
//!
//! | elements | operators |
//! |---|---|
//! | floats (`f32`, `f64`, [`f16`](half::f16), [`bf16`](half::bf16)) and integers of 8 to 64 bits | [`struct@Sum`], [`Product`], [`struct@Min`], [`struct@Max`], [`MaxAbs`], [`Count`] |
//! | the same, and [`Bool`]s | [`struct@MinMax`], [`struct@ArgMin`], [`struct@ArgMax`], [`struct@ArgMinMax`], of several the first or the last; [`Any`], [`All`] |
//! | floats alone | [`struct@Mean`], [`SumOfSquares`], [`Norm`], [`struct@Variance`], [`L1Norm`], [`CountNan`]; of two inputs [`Dot`]; many of these in one read [`Moments`], [`BriefMoments`] |
//! | integers alone | [`SumWide`], [`ProductWide`], [`BitAnd`], [`BitOr`], [`BitXor`] |
//! | [`Bool`]s, and masks of [`Bits`] | [`Count`], [`struct@Min`], [`struct@Max`] |
//! | two to four components, such as `[f32; 3]`, of `f32`, `i32` or `u32` | [`struct@Sum`], [`struct@Min`], [`struct@Max`] of each component; of floats [`struct@Mean`], and all three in one read: [`Bounds`] |
//! | all of these but masks | a [`CustomOperator`] of yours |
//!
//! Some operators have options: [`Nan`]s may be ignored (`Min.nan(Nan::Ignore)`), places be the last ones (`ArgMax.last()`), and variances those of a sample
//! (`Variance.sample()`).
//!
//! No device needs 16-bit types or `f64`: kernels widen narrow elements as they load them, and compute `f64` by integers.
//!
//! The guide goes from a first sum to operators and kernels of your own. Its pages are the files in `docs/guide/src`, in the repository and in
//! the package. The first is `start.md`. In the repository `cargo xtask guide` makes a book of them.
//!
//! # Which type to take
//!
//! | to reduce | take | for example |
//! |---|---|---|
//! | a slice | an [`Executor`] | `executor.sum(&values)?` |
//! | an array, more than once | [`Executor::upload`], an [`Array`] | `array.max()?` |
//! | a buffer of yours | a [`Context`] and a [`Reducer`] | `reducer.reduce(&buffer).await?` |
//! | into running totals | a [`Scanner`], or [`Array::inclusive_scan`] | `scanner.scan(&buffer, &totals).await?` |
//! | into differences of neighbours | a [`Differencer`], or [`Array::adjacent_difference`] | `array.adjacent_difference()?` |
//! | each row, segment or column | a [`SegmentedReducer`], [`Array::reduce_segments`] or [`Array::reduce_axis`] | `array.reduce_axis(&[100, 64], 0, Sum)?` |
//! | into some of the elements | a [`Compactor`], or [`Array::select`] | `compactor.run(&Compaction::unique::<f32>(&buffer, &uniques)).await?` |
//! | into counts of bins | a [`Histogram`], or [`Array::histogram`] | `array.histogram(&Bins::even(256, 0.0..=1.0)?)?` |
//! | many inputs at once | a [`Batch`] | `batch.add(&reducer, &buffer)?` |
//! | in your own encoder | [`Reducer::prepare`], a [`Prepared`] | `prepared.record(&mut encoder)` |
//! | on several GPUs | a [`Group`] | `Group::of_all_gpus()?.sum(&values)?` |
//! | a part of a longer sequence | [`Executor::reduce_part`], a [`Partial`] | `part.merge(&next)?.finish()?` |
//! | pieces that come one by one | [`Executor::stream`], a [`PartStream`] | `stream.push(&piece)?` |
//! | elements of a type that the program learns as it runs | a [`DynOperator`] | `operator.reduce(&executor, &[bytes])?` |
//!
//! Programs that own no GPU device start with an [`Executor`]. It finds one, or uses the CPU:
//!
//! ```
//! let executor = gridfold::Executor::auto();
//! assert_eq!(executor.sum(&[1.5f32, 2.5, 3.0])?, 7.0);
//!
//! let array = executor.upload(&[3i32, -8, 0, 5])?;
//! assert_eq!(array.max()?, Some(5));
//! assert_eq!(array.max_abs()?, 8u32);
//! assert_eq!(array.count()?, 3u64);
//! # Ok::<(), gridfold::Error>(())
//! ```
//!
//! Programs that own a device make a [`Context`] of it, and record into their own encoder:
//!
//! ```no_run
//! # fn example(device: gridfold::wgpu::Device, queue: gridfold::wgpu::Queue,
//! #     samples: gridfold::wgpu::Buffer, brightest: gridfold::wgpu::Buffer)
//! #     -> Result<(), gridfold::Error> {
//! use gridfold::{Context, GpuSlice, Max, Reducer, wgpu};
//!
//! let context = Context::new_blocking(&device, &queue)?;
//! let max = Reducer::<f32, _>::new(&context, Max).prepare(&samples, &GpuSlice::whole(&brightest))?;
//!
//! let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
//! max.record(&mut encoder); // every frame; creates nothing
//! queue.submit([encoder.finish()]);
//! # Ok(())
//! # }
//! ```
//!
//! # What each call does
//!
//! Calls with `_blocking` behind their names do what the ones without do, and wait. All calls of executors and arrays wait, but uploads and writes.
//!
//! | call | allocates | records and submits | waits |
//! |---|---|---|---|
//! | options, `plan`; [`GpuSlice`], [`Segments`], [`Bins`], [`Compaction`]; [`Batch::add`], [`Results`] | | | |
//! | [`CustomOperator`], [`Map`], [`Map2`], [`Map3`], [`Predicate`], [`Partial`], [`DynPartial`], [`ExactSum`], [`ExactDot`], [`ExactMoments`], [`wgsl::Collectives`] | host memory | | |
//! | [`Context::new`], [`Context::with_pipeline_cache`] | small buffers, a pipeline, with subgroups or f64s more | submits once for each probe | async |
//! | [`Executor::auto`], [`Executor::with_adapter`], [`ListedAdapter::open`], [`Group::of_all_gpus`] | a device each, and what a context does | submits once for each probe | blocks |
//! | [`Executor::adapters`] | an instance | | blocks |
//! | [`Context::warm_up`], [`Reducer::warm_up`] | small buffers, pipelines | submits once | async |
//! | [`Context::self_test`], [`SelfTest::run`] | everything, and pipelines of all kinds | submits some hundred times | async |
//! | `prepare`, [`Scanner::prepare_after`], [`Batch::prepare_into`] | everything¹ | | |
//! | [`Prepared::record`], [`Prepared::record_in`], [`Prepared::record_timed`], and a [`PreparedBatch`]'s | | your encoder, or your pass | |
//! | [`Prepared::record_readback`], [`PreparedBatch::record_readback`], [`DeviceTimer::record_readback`] | a buffer, up to 4 KiB one of the context's³ | your encoder | |
//! | `record` of a [`Reducer`], [`Scanner`], [`SegmentedReducer`], [`Compactor`], [`Histogram`] or [`Differencer`], [`Reducer::record_readback`] | bind groups³; of a histogram, of a count, and of several slices between offsets a small buffer | your encoder | |
//! | [`Reducer::reduce`], [`Reducer::measure`], [`Scanner::scan`], [`SegmentedReducer::reduce`], [`Compactor::run`], [`Histogram::count`], [`Differencer::adjacent_difference`], [`Reducer::reduce_part`] | bind groups³; of a selection, of a histogram small buffers | submits once; some extrema with [`Map::only_where`] twice | async |
//! | [`Reducer::accumulate`], [`Batch::reduce`] | everything¹ | submits once | async |
//! | [`Segments::check_offsets`] | staging memory | submits once per 4 MiB of offsets | async |
//! | awaiting a [`Readback`] | | | async, after your submit |
//! | [`Executor::upload`], [`Group::upload`]; [`Array::write`] | the array; staging memory, for a write all of it | submits once per 64 MiB; a write once | |
//! | [`Array::download`] | staging memory | submits once per 64 MiB | blocks |
//! | an executor's reductions of slices and streams, [`Reducer::stream_blocking`] | two chunks², staging memory for them, everything¹ | submits once per chunk² | blocks |
//! | an executor's scans, selections, segments and histograms | on the CPU⁴ the results | as an array's⁴ | blocks |
//! | [`Executor::reduce_part`], a [`PartStream`] | an array of up to 64 MiB, everything¹ | submits some times per 64 MiB | blocks |
//! | an array's reductions | bind groups³ | submits once | blocks |
//! | an array's scans, differences and selections | the results, bind groups³ | submits once | blocks |
//! | an array's segments, groups and bins | arrays of offsets, of results, and of groups and blocks that no binding spans, bind groups³ | submits some times per 64 MiB of these | blocks |
//! | calls of a [`Group`], a [`ShardedArray`], a [`DynOperator`], a [`DynReducer`] | as those of its members, or as the typed ones | as often as those | blocks |
//!
//! ¹ Scratch memory, parameters and bind groups, and the pipelines on their first use in the context. An executor that reduces
//! on the CPU records and submits nothing. [`HostSlices`] says when an executor with a GPU does that.
//!
//! ² Chunks of a slice in host memory, or of all slices. A chunk has 8 MiB, and up to 64 MiB if a slice has more than 2 GiB. A shorter
//! slice is one chunk of its own size. The device reduces a chunk while the host copies the next, so it needs room for two.
//! [`Reduction::device_time`] is that of a single chunk. With more chunks it is `None`.
//!
//! ³ A context keeps the buffers that such calls need: scratch memory up to 1 MiB, parameters of 64 shapes of input, and up to
//! 64 buffers for readbacks. The first call of a kind or of a shape allocates them, and a pipeline. A call that measures allocates a
//! query set each time.
//!
//! ⁴ Such a call works on the CPU, and needs no device. With [`HostSlices::OnDevice`] it uploads the elements, does what an array's method of that name
//! does, but scans and selects in two passes, and downloads the results. So do calls with a [`CustomOperator`], unless [`HostSlices::OnCpu`] was chosen.
//! [`Executor::reduce_by_key`] first numbers the keys on the CPU.
//!
//! # Errors and panics
//!
//! Errors are typed by phase ([`CreateError`], [`PrepareError`], [`ReadError`]). The library does not panic on bad input. It installs no error
//! handler, and leaves the caller's error scopes alone. (On the web wgpu reports errors later. There they reach the caller's scopes and
//! handlers.)
//!
//! **All buffers of a reduction must be of the `wgpu::Instance` of the context's device.** The library can't check this. wgpu (30)
//! numbers its objects by instance. It takes a buffer of another instance for one of its own, or panics. Each [`Executor`] that finds its
//! own adapter has an instance of its own: don't give the slices of one executor's arrays to a reducer of another.
//!
//! **Callbacks of yours** (a buffer is mapped, work is done) may run within gridfold's calls: wgpu runs them within any submit and any
//! poll. If such a callback causes a wgpu error while a call of gridfold's submits, the call takes the error for its own. It returns
//! [`PrepareError::Refused`] with wgpu's message, although it has submitted. A callback that may cause errors needs an error scope of its own.
//!
//! # When the device is lost
//!
//! The driver may give up a device, and `wgpu::Device::destroy` ends one. From then on:
//!
//! * Every call that allocates, submits or waits returns `DeviceLost`, of the error type of its phase.
//! * A [`Context`] of the device can't be used again, nor a [`Reducer`], [`Prepared`], [`DeviceTimer`] or [`Array`] of that context. Drop them.
//! * An [`Executor`] still reduces what it reduces on the CPU ([`HostSlices`]).
//! * [`Prepared::record`] has no result. It records something that wgpu ignores.
//! * A [`Readback`] under way brings its value if the device was done, else [`ReadError::DeviceLost`].
//! * Other devices of the same adapter go on.
//!
//! wgpu tells the reason to the application's lost callback.
//!
//! # When memory runs out
//!
//! If there is no memory for a buffer, a call returns [`PrepareError::OutOfMemory`], and has changed nothing. If there is no memory for
//! something smaller, such as an encoder, wgpu (30) gives up the device. (On the web wgpu reports later, and a call returns neither.)
//!
//! # Is it right on my device?
//!
//! [`Context::self_test`] runs every kernel that the device can select, and compares the results with the CPU's, to the
//! bit. `gridfold check` prints its report. If a driver or a compiler gets a kernel wrong, [`Context::avoiding`] makes a
//! context that does without it.
//!
//! # Which bits
//!
//! Integer sums and products wrap. Minima, maxima, magnitudes, counts and bits are exact. All other results of floats are rounded.
//! [`Precision`] says what their bits depend on, in a table that is the whole contract:
//!
//! * [`Precision::Reproducible`], the default: on the elements and their order. Additions come in a fixed order
//!   ([`order`]), and each rounds as IEEE-754 says. So the bits are the same on every device and on the CPU. (An application may have its
//!   threads flush subnormals, or round in another direction. That changes the time on the CPU, and no bits.)
//! * [`Precision::Exact`]: on the elements, in any order. The true result, rounded once. [`Reducer::accumulate`] and
//!   [`exact`] give its accumulators, too.
//! * [`Precision::Unordered`]: on everything.
//!
//! ```
//! use gridfold::{Executor, Precision};
//!
//! let executor = Executor::auto();
//! let elements = [1e30f32, 1.0, -1e30];
//! assert_eq!(executor.sum(&elements)?, 0.0);
//! assert_eq!(executor.precision(Precision::Exact).sum(&elements)?, 1.0);
//! # Ok::<(), gridfold::Error>(())
//! ```
//!
//! `docs/float-sums.md` in the repository specifies the levels, to the bit, and says how devices get them.
//!
//! # Collectives
//!
//! [`wgsl::Collectives`] writes reductions, scans, shuffles and votes of a workgroup's lanes as WGSL text, for kernels of your own.
//!
//! # Features
//!
//! * `backends` (default): Vulkan, Metal, DX12 and OpenGL. Programs that choose wgpu's backends
//!   themselves turn it off. On Windows DX12 has subgroups, and scans in a single pass, only with the DXC compiler: ship
//!   `dxcompiler.dll`, or turn on wgpu's feature `static-dxc`.
//! * `parallel` (default): the CPU executor uses every core, through rayon.
//! * `serde`: [`Partial`], [`ExactSum`], [`ExactDot`] and [`ExactMoments`] implement serde's traits.
//! * `unstable`: what the tests need beyond the public interface. No promise of stability.

#![deny(unreachable_pub)]

mod algebra;
mod axes;
mod batches;
mod bins;
mod collectives;
mod custom;
mod error;
pub mod exact;
pub mod order;
mod partial;
mod plural;
mod room;
mod self_test;
mod way;

#[cfg_attr(
    not(feature = "unstable"),
    expect(unreachable_pub, reason = "public under the feature `unstable`")
)]
mod device;
mod difference;
mod dispatch;
mod histogram;
#[cfg_attr(
    not(feature = "unstable"),
    expect(unreachable_pub, reason = "public under the feature `unstable`")
)]
mod reduce;
mod scan;
mod segments;
mod select;
// It is declared here, because two folders are in it: `collectives`, which depends on `device`, and `wgsl`, on which `device` depends.
// The latter has the modules' texts: kernels, the shader files that each is joined from, and what it is told. No wgpu handle. It may depend
// on `algebra`, and on the names in `way`.
#[cfg_attr(
    not(feature = "unstable"),
    expect(dead_code, unreachable_pub, reason = "public under the feature `unstable`")
)]
pub mod wgsl {
    #![doc = include_str!("../docs/collectives.md")]
    //!
    //! [`order`]: crate::order
    //! [`Context`]: crate::Context
    //! [`CustomOperator`]: crate::CustomOperator
    //! [`Capabilities::lanes_in_order`]: crate::Capabilities::lanes_in_order

    mod binding;
    pub(crate) mod constants;
    mod difference;
    mod exact;
    mod existing;
    mod free_blocks;
    pub(crate) mod histogram;
    pub(crate) mod kernel;
    mod kernel_files;
    pub(crate) mod lanes;
    mod load;
    pub(crate) mod module;
    mod orders;
    pub(crate) mod params;
    pub(crate) mod program;
    mod related;
    mod scan;
    mod sections;
    mod segments;
    mod selected;
    mod selection;
    pub(crate) mod shader;
    pub(crate) mod sources;
    pub(crate) mod text;
    mod unroll;
    pub(crate) mod used;

    pub use crate::collectives::{
        Collective, CollectiveFunction, Collectives, CollectivesError, CollectivesRequirements,
        CollectivesTicket, twin,
    };
}

#[cfg(all(feature = "unstable", not(target_arch = "wasm32")))]
pub use device::selector;
#[cfg(feature = "unstable")]
pub use error::examples as error_examples;
/// Plans, from numbers alone.
#[cfg(feature = "unstable")]
pub mod plan {
    pub use crate::{
        device::extent::Extent,
        reduce::{plan::*, problem::Problem},
        scan::plan::{ScanPlan, ScanProblem},
        way::AtomicScope,
    };
}
/// The kernels and their modules' texts.
#[cfg(feature = "unstable")]
pub mod shader {
    pub use crate::wgsl::{
        kernel::*, module::constants_of, params::*, program::Program, shader::*, sources::*,
    };
}

#[cfg(not(target_arch = "wasm32"))]
mod executor;

#[cfg(not(feature = "unstable"))]
#[expect(unreachable_pub, reason = "public under the feature `unstable`")]
mod cpu;
#[cfg(feature = "unstable")]
pub mod cpu;

pub use device::extent::BitMasks;
pub use dispatch::{
    plan::{Dispatch, Plan},
    prepared::Prepared,
    windows::View,
};
pub use half;
pub use wgpu;

pub use batches::batch::Batch;
pub use batches::prepared_batch::PreparedBatch;
pub use batches::ticket::{Results, Ticket};

pub use algebra::accumulator::{ExactAccumulator, ExactOperator};
pub use algebra::difference::DifferenceElement;
pub use algebra::element::{Bits, Bool, Element, ElementType};
pub use algebra::flag::Flag;
pub use algebra::offset::Offset;
pub use algebra::operator::{Arithmetic, Items, Operator, OperatorSpec};
pub use algebra::operator_type::OperatorType;
pub use algebra::operators::*;
pub use algebra::options::{Nan, NanRule, TotalOrder};
pub use algebra::precision::Precision;
pub use algebra::result_type::{Found, Number, ResultType};
pub use algebra::scan::Scan;
pub use bins::{BinCount, Binned, Bins};
pub use custom::expression::{IntoPredicate, Map, Map2, Map3, MapElement, Predicate, WideElement};
pub use custom::operator::{CustomOperator, CustomOut};
pub use device::buffer::GpuSlice;
pub use device::capabilities::{
    AdapterName, Avoided, Capabilities, DeviceClass, Requirements, ShaderModel, SubgroupSizes,
};
pub use device::context::Context;
pub use device::readback::Readback;
pub use device::timer::DeviceTimer;
pub use difference::differencer::Differencer;
pub use error::{
    CreateError, Error, HistogramError, PartialError, PrepareError, ReadError, SegmentError,
    SelectError, SliceError, WgslError,
};
pub use exact::{ExactDot, ExactMoments, ExactSum};
pub use histogram::counter::Histogram;
pub use partial::{DecodePartialError, Partial};
pub use reduce::counted::{CountSlice, Counted};
pub use reduce::inputs::Input;
pub use reduce::mapped::Mapped;
pub use reduce::{reducer::Reducer, reduction::Reduction};
pub use scan::scanner::Scanner;
pub use segments::layout::Segments;
pub use segments::segmented_reducer::SegmentedReducer;
pub use select::compaction::Compaction;
pub use select::compactor::Compactor;
pub use self_test::{KernelReport, SelfTest, SelfTestProgress, SelfTestReport, WrongResult};
pub use way::{Mechanism, Strategy, Variant, policy::Policy};

#[cfg(not(target_arch = "wasm32"))]
pub use executor::array::Array;
#[cfg(not(target_arch = "wasm32"))]
pub use executor::host::HostSlices;
#[cfg(not(target_arch = "wasm32"))]
pub use executor::{
    DynMap, DynOperator, DynPartial, DynReducer, DynValue, DynValues, Executor, Group,
    GroupReduction, ListedAdapter, PartStream, ShardedArray, ShardsLost, Share, StreamError,
};

// What the documentation says of threads. On the web wgpu's own types stay in theirs.
#[cfg(not(target_arch = "wasm32"))]
const _: () = {
    const fn send_and_sync<T: Send + Sync>() {}
    const fn send<T: Send>() {}
    send_and_sync::<Context>();
    send_and_sync::<Reducer<f32, Sum>>();
    send_and_sync::<Prepared<f32>>();
    send_and_sync::<PreparedBatch>();
    send_and_sync::<Scanner<f32, Sum>>();
    send_and_sync::<SegmentedReducer<f32, Sum>>();
    send_and_sync::<Histogram<f32>>();
    send_and_sync::<Ticket<f32, f32>>();
    send::<Batch>();
    send_and_sync::<GpuSlice<f32>>();
    send_and_sync::<DeviceTimer>();
    send_and_sync::<Executor>();
    send_and_sync::<Array<f32>>();
    send_and_sync::<Error>();
    send::<Readback<f32>>();
};

/// The examples in README.md. rustdoc compiles them with those of the documentation, and runs those that need no caller's device.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Those in the guide's pages, likewise.
#[cfg(doctest)]
mod guide {
    #[doc = include_str!("../docs/guide/src/coming-from.md")]
    struct ComingFrom;
    #[doc = include_str!("../docs/guide/src/devices.md")]
    struct Devices;
    #[doc = include_str!("../docs/guide/src/expressions.md")]
    struct Expressions;
    #[doc = include_str!("../docs/guide/src/histograms.md")]
    struct Histograms;
    #[doc = include_str!("../docs/guide/src/operators.md")]
    struct Operators;
    #[doc = include_str!("../docs/guide/src/own-kernels.md")]
    struct OwnKernels;
    #[doc = include_str!("../docs/guide/src/own-operators.md")]
    struct OwnOperators;
    #[doc = include_str!("../docs/guide/src/parts.md")]
    struct Parts;
    #[doc = include_str!("../docs/guide/src/performance.md")]
    struct Performance;
    #[doc = include_str!("../docs/guide/src/precision.md")]
    struct Precision;
    #[doc = include_str!("../docs/guide/src/program.md")]
    struct Program;
    #[doc = include_str!("../docs/guide/src/render-loops.md")]
    struct RenderLoops;
    #[doc = include_str!("../docs/guide/src/scale.md")]
    struct Scale;
    #[doc = include_str!("../docs/guide/src/scans.md")]
    struct Scans;
    #[doc = include_str!("../docs/guide/src/segments.md")]
    struct Segments;
    #[doc = include_str!("../docs/guide/src/start.md")]
    struct Start;
    #[doc = include_str!("../docs/guide/src/training-steps.md")]
    struct TrainingSteps;
    #[doc = include_str!("../docs/guide/src/when-not.md")]
    struct WhenNot;
}
