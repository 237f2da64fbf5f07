//! Reductions on any GPU through wgpu, of none to 2^40 elements, with the same bits on every device and on the CPU: [`Sum`],
//! [`Product`], [`Min`], [`Max`], [`MaxAbs`] and [`Count`] of `f32`, `i32`, `u32`, `i64` and `u64`, [`BitAnd`], [`BitOr`] and
//! [`BitXor`] of the integers, and of `f32` [`Mean`], [`SumOfSquares`], [`Norm`], [`Variance`], [`SampleVariance`] and the [`Dot`] product of two
//! inputs.
//!
//! # Which type to take
//!
//! | to reduce | take | for example |
//! |---|---|---|
//! | a slice | an [`Executor`] | `executor.sum(&values)?` |
//! | an array, more than once | [`Executor::upload`], an [`Array`] | `array.max()?` |
//! | a buffer of yours | a [`Context`] and a [`Reducer`] | `reducer.reduce(&buffer).await?` |
//! | many at once | a [`Batch`] | `batch.add(&reducer, &buffer)?` |
//! | in your own encoder | [`Reducer::prepare`], a [`Prepared`] | `prepared.record(&mut encoder)` |
//!
//! Programs that own no GPU device start with an [`Executor`], which finds one or uses the CPU:
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
//! Programs that do own one make a [`Context`] of it, and record into their own encoder:
//!
//! ```no_run
//! # fn example(device: gridfold::wgpu::Device, queue: gridfold::wgpu::Queue,
//! #     samples: gridfold::wgpu::Buffer, brightest: gridfold::wgpu::Buffer)
//! #     -> Result<(), gridfold::Error> {
//! use gridfold::{Context, GpuSlice, Max, Reducer, wgpu};
//!
//! let context = Context::new_blocking(&device, &queue)?;
//! let max = Reducer::<f32, Max>::new(&context).prepare(&samples, &GpuSlice::whole(&brightest))?;
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
//! | call | allocates | records | submits | waits |
//! |---|---|---|---|---|
//! | [`Context::new`], [`Context::with_pipeline_cache`] | small buffers, a pipeline, with subgroups two | its own | once, with subgroups twice | async |
//! | [`Context::new_blocking`] | small buffers, a pipeline, with subgroups two | its own | once, with subgroups twice | blocks |
//! | [`Requirements::of`], [`Capabilities::of`] | | | | |
//! | [`Context::avoiding`] | small buffers | | | |
//! | [`Context::self_test`], [`SelfTest::run`] | everything, and pipelines of all kinds | its own | some hundred times | async |
//! | [`Context::self_test_blocking`], [`SelfTest::run_blocking`] | everything, and pipelines of all kinds | its own | some hundred times | blocks |
//! | [`Reducer::new`] and its options, [`Reducer::plan`] | | | | |
//! | [`Reducer::warm_up`] | small buffers, pipelines | its own | once | async |
//! | [`Reducer::warm_up_blocking`] | small buffers, pipelines | its own | once | blocks |
//! | [`Reducer::prepare`] | everything¹ | | | |
//! | [`Prepared::record`], [`Prepared::record_timed`], [`Prepared::record_in`] | | your encoder, or your pass | | |
//! | [`Prepared::record_readback`] | a small buffer³ | your encoder | | |
//! | [`Reducer::record`], [`Reducer::record_readback`] | bind groups³ | your encoder | | |
//! | [`Reducer::reduce`], [`Reducer::measure`] | bind groups³ | its own | once | async |
//! | [`Reducer::reduce_blocking`], [`Reducer::measure_blocking`] | bind groups³ | its own | once | blocks |
//! | [`Batch::new`], [`Batch::add`] | | | | |
//! | [`Batch::prepare`], [`Batch::prepare_into`] | everything¹ | | | |
//! | [`PreparedBatch::record`], [`PreparedBatch::record_timed`], [`PreparedBatch::record_in`] | | your encoder, or your pass | | |
//! | [`PreparedBatch::record_readback`] | a buffer³ | your encoder | | |
//! | [`Batch::reduce`] | everything¹ | its own | once | async |
//! | [`Batch::reduce_blocking`] | everything¹ | its own | once | blocks |
//! | [`Reducer::prepare_accumulator`] | everything¹ | | | |
//! | [`PreparedAccumulator::record`], [`PreparedAccumulator::record_timed`] | | your encoder | | |
//! | [`PreparedAccumulator::record_readback`] | a small buffer | your encoder | | |
//! | [`Reducer::accumulate`] | everything¹ | its own | once | async |
//! | [`Reducer::accumulate_blocking`] | everything¹ | its own | once | blocks |
//! | [`DeviceTimer::new`] | a query set, a small buffer | | | |
//! | [`DeviceTimer::record_readback`] | a small buffer | your encoder | | |
//! | awaiting a [`Readback`] | | | | async, after your submit |
//! | [`Readback::wait_blocking`] | | | | blocks, after your submit |
//! | [`Executor::cpu`], [`Executor::from_context`] and options, [`Array::precision`] | | | | |
//! | [`Executor::auto`], [`Executor::with_adapter`], [`ListedAdapter::open`] | a device | its own | once, with subgroups twice | blocks |
//! | [`Executor::adapters`] | an instance | | | blocks |
//! | [`Executor::upload`] | the array, staging memory | its own | once per 64 MiB | |
//! | [`Executor::sum`] and so on, [`Executor::reduce`], [`Executor::dot`], [`Executor::measure_dot`] | two chunks², staging memory for them, everything¹ | its own | once per chunk² | blocks |
//! | [`Array::slice`] | | | | |
//! | [`Array::write`] | staging memory for all of it | its own | once | |
//! | [`Array::sum`] and so on, [`Array::reduce`], [`Array::dot`], [`Array::measure_dot`] | bind groups³ | its own | once | blocks |
//! | [`Array::download`] | staging memory | its own | once per 64 MiB | blocks |
//!
//! ¹ Scratch memory, parameters and bind groups, and the pipelines on their first use in the context.
//! On the CPU, which is where [`HostSlices`] has an executor with a GPU reduce slices of host memory, too, nothing is
//! recorded or submitted.
//!
//! ² Chunks of a slice in host memory, or of both: 8 MiB each, and more only of slices of more than 2 GiB, up to 64 MiB. Less
//! is one chunk, which takes as much as it is. The device reduces a chunk while the host copies the next, and needs no room
//! for more than two. [`Reduction::device_time`] is that of a single chunk, and `None` if there are more.
//!
//! ³ A context keeps the buffers that such calls need: scratch memory up to 1 MiB, parameters of 64 shapes of input, and up to
//! 64 buffers for readbacks. The first call of a kind, or of a shape, allocates them, and a pipeline; what measures also a
//! query set, each time.
//!
//! The library installs no error handler, leaves the caller's error scopes alone, and does not panic on
//! bad input: errors are typed by phase ([`CreateError`], [`PrepareError`], [`ReadError`]). (On the web,
//! where wgpu reports errors later, they do reach the caller's scopes and handlers.)
//!
//! One thing can't be told from here: all buffers of a reduction must be of the `wgpu::Instance` of the context's
//! device. wgpu (30) numbers its objects by instance, and takes a buffer of another instance for one of its
//! own, or panics. Each [`Executor`] that finds its own adapter has an instance of its own: don't give the slices of one
//! executor's arrays to a reducer of another.
//!
//! wgpu runs callbacks of yours (a buffer is mapped, work is done) within any submit and any poll, so also
//! within calls of gridfold's. A wgpu error that such a callback causes within a call that submits is taken for
//! that call's: it returns [`PrepareError::Refused`] with wgpu's message, although it has submitted. A callback
//! that may cause errors keeps them to itself by an error scope of its own.
//!
//! # When the device is lost
//!
//! After `wgpu::Device::destroy`, or when the driver gives up, every call that allocates, submits or waits
//! returns `DeviceLost`, of the error type of its phase. Neither a [`Context`] of the device nor a
//! [`Reducer`], [`Prepared`], [`DeviceTimer`] or [`Array`] of that context can be used again; dropping them is
//! all that is left; but what an [`Executor`] reduces on the CPU ([`HostSlices`]) it goes on to reduce. [`Prepared::record`], which has no result, records something that wgpu ignores. A
//! [`Readback`] under way brings its value if the device was done, else [`ReadError::DeviceLost`]. Other
//! devices of the same adapter go on. Why the device was lost the application's lost callback learns.
//!
//! Out of memory is [`PrepareError::OutOfMemory`] for buffers of every size, and everything is as it was. But
//! where there is no memory for something small that is no buffer, such as an encoder, wgpu (30) gives up
//! the device. (On the web, where wgpu reports later, neither is told.)
//!
//! # Is it right on my device?
//!
//! [`Context::self_test`] finds out: it runs every kernel that the device can select, and compares the results with the CPU's, to the
//! bit. `gridfold check` prints its report. Where a driver or a compiler gets a kernel wrong, [`Context::avoiding`] makes a
//! context that does without.
//!
//! # Which bits
//!
//! Integer sums and products wrap; minima, maxima, magnitudes, counts and bits are exact. f32 sums and products are rounded, as are means,
//! sums of squares, norms and dot products, and rounding
//! makes their bits depend on more than the elements. On what, [`Precision`] says, level by level, in a table that is
//! the whole contract:
//!
//! * [`Precision::Reproducible`], the default: on the elements and their order alone. Additions come in a fixed order
//!   ([`order`]), each rounded as IEEE-754 says, so the bits are the same on every device and on the CPU. (On the CPU only
//!   the time changes if an application has its threads flush subnormals, or round in another direction.)
//! * [`Precision::Exact`]: on the elements alone, in any order. The true sum, rounded once. [`Reducer::accumulate`] and
//!   [`exact`] give its accumulators, too. Variances have no other level.
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
//! `docs/float-sums.md` in the repository specifies the levels, to the bit, and tells how devices come by them.
//!
//! # Features
//!
//! * `backends` (default): Vulkan, Metal, DX12 and OpenGL. Programs that choose wgpu's backends
//!   themselves turn it off. On Windows DX12 has subgroups only with the DXC compiler: ship
//!   `dxcompiler.dll`, or turn on wgpu's feature `static-dxc`.
//! * `parallel` (default): the CPU executor uses every core, through rayon.
//! * `serde`: [`ExactSum`], [`ExactDot`] and [`ExactMoments`] implement serde's traits.
//! * `unstable`: what the tests need beyond the public interface. No promise of stability.

#![deny(unreachable_pub)]

mod algebra;
mod error;
pub mod exact;
pub mod order;
mod plural;
mod self_test;
mod way;

#[cfg_attr(
    not(feature = "unstable"),
    expect(unreachable_pub, reason = "public under the feature `unstable`")
)]
mod device;
mod dispatch;
#[cfg_attr(
    not(feature = "unstable"),
    expect(unreachable_pub, reason = "public under the feature `unstable`")
)]
mod reduce;
#[cfg_attr(
    not(feature = "unstable"),
    expect(dead_code, unreachable_pub, reason = "public under the feature `unstable`")
)]
mod wgsl;

#[cfg(all(feature = "unstable", not(target_arch = "wasm32")))]
pub use device::selector;
/// Plans, from numbers alone.
#[cfg(feature = "unstable")]
pub mod plan {
    pub use crate::{
        device::extent::Extent,
        reduce::{plan::*, problem::Problem},
    };
}
/// The kernels and their modules' texts.
#[cfg(feature = "unstable")]
pub mod shader {
    pub use crate::wgsl::{kernel::*, params::Params, shader::*, sources::*};
}

#[cfg(not(target_arch = "wasm32"))]
mod executor;

#[cfg(not(feature = "unstable"))]
#[expect(unreachable_pub, reason = "public under the feature `unstable`")]
mod cpu;
#[cfg(feature = "unstable")]
pub mod cpu;

pub use dispatch::{plan::Dispatch, windows::View};
pub use wgpu;

pub use reduce::accumulate::PreparedAccumulator;
pub use reduce::batch::Batch;
pub use reduce::prepared_batch::PreparedBatch;
pub use reduce::ticket::{Results, Ticket};

pub use algebra::accumulator::{ExactAccumulator, ExactOperator};
pub use algebra::element::{Element, ElementType};
pub use algebra::operator::{Arithmetic, Operator, OperatorSpec};
pub use algebra::operator_type::OperatorType;
pub use algebra::operators::*;
pub use algebra::precision::Precision;
pub use device::buffer::GpuSlice;
pub use device::capabilities::{
    AdapterName, Avoided, Capabilities, DeviceClass, Requirements, ShaderModel, SubgroupSizes,
};
pub use device::context::Context;
pub use device::readback::Readback;
pub use device::timer::DeviceTimer;
pub use error::{CreateError, Error, PrepareError, ReadError, SelectError, SliceError};
pub use exact::{ExactDot, ExactMoments, ExactSum};
pub use reduce::inputs::{AnyOperator, Input, Inputs, Pairs};
pub use reduce::plan::{Ending, Plan};
pub use reduce::prepared::Prepared;
pub use reduce::reducer::{Reducer, Reduction};
pub use self_test::{KernelReport, SelfTest, SelfTestReport, WrongResult};
pub use way::{AtomicScope, Mechanism, Strategy, Variant, policy::Policy};

#[cfg(not(target_arch = "wasm32"))]
pub use executor::array::Array;
#[cfg(not(target_arch = "wasm32"))]
pub use executor::host::HostSlices;
#[cfg(not(target_arch = "wasm32"))]
pub use executor::{Executor, ListedAdapter};

// What the documentation says of threads. On the web wgpu's own types stay in theirs.
#[cfg(not(target_arch = "wasm32"))]
const _: () = {
    const fn send_and_sync<T: Send + Sync>() {}
    const fn send<T: Send>() {}
    send_and_sync::<Context>();
    send_and_sync::<Reducer<f32, Sum>>();
    send_and_sync::<Prepared<f32, Sum>>();
    send_and_sync::<PreparedBatch>();
    send_and_sync::<Ticket<f32, f32>>();
    send::<Batch>();
    send_and_sync::<GpuSlice<f32>>();
    send_and_sync::<DeviceTimer>();
    send_and_sync::<Executor>();
    send_and_sync::<Array<f32>>();
    send_and_sync::<Error>();
    send::<Readback<f32>>();
};

/// The examples in README.md: rustdoc compiles them with those of the documentation, and runs all but such as need a caller's device.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
