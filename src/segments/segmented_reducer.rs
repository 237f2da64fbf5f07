//! Reductions of segments on a device: [`SegmentedReducer`].

use crate::{
    algebra::{element::Element, operator::Operator, precision::Precision},
    custom::any_operator::program_of,
    device::{buffer::GpuSlice, context::Context, pool::Memory},
    dispatch::{
        plan::Plan,
        prepared::{Output, Prepared},
    },
    error::{Error, PrepareError},
    reduce::inputs::{Input, spec_of_types},
    segments::{
        any_segmented::{AnyPrepared, AnySegmentedReducer},
        layout::Segments,
    },
};
use std::{borrow::Cow, marker::PhantomData};

/// Reduces each segment of a sequence of elements of type `T` by the operator `Op`, on the device of a [`Context`]: rows, what lies along axes,
/// what is between offsets, or what belongs to a group, as [`Segments`] say.
///
/// **Each result has the bits of a reduction of its segment alone**, as a [`Reducer`](crate::Reducer) gives them, on every device and on the
/// CPU, whatever lies around the segment. Places are counted from the segment's first element. An empty segment has the result of nothing
/// ([`Operator::Out`](crate::Operator::Out)). The time follows elements and segments, however long segments
/// are.
///
/// Elements are of all types but masks of bits, and may have a stride. Rows, and segments along an axis, may lie in any slices, of any length:
/// what one binding has is reduced at once, and a segment that lies in several is reduced alone, up to 1024 of them. So may groups in one pass, and
/// their numbers, as [`Segments::groups`] says, and elements between offsets on the device, as [`Segments::offsets`] says. For other segments the elements
/// lie in one slice, which one binding spans, and one spans the copy of groups' elements. ([`Array::reduce_segments`](crate::Array::reduce_segments), whose offsets are in host memory, takes any slices, too.) Options are taken by value. A segmented reducer holds no GPU object of its own.
#[derive(Clone, Debug)]
#[doc(alias("DeviceSegmentedReduce", "reduceat"))]
pub struct SegmentedReducer<T, Op> {
    any: AnySegmentedReducer,
    types: PhantomData<fn(T) -> Op>,
}

impl<T: Element, Op: Operator<T>> SegmentedReducer<T, Op> {
    /// For the device of `context`.
    pub fn new(context: &Context, op: Op) -> Self {
        let any = AnySegmentedReducer::new(context, spec_of_types::<T, Op>(&op));
        Self { any: any.program(program_of::<T, Op>(&op)), types: PhantomData }
    }

    /// Sets the promise of results. [`Precision::Reproducible`] is the default, and [`Precision::Unordered`] gives the same bits. Devices
    /// make [`Precision::Exact`] sums and means of all floats, and such sums of squares, norms and variances of `f32` and of narrower floats.
    #[must_use]
    pub fn precision(self, precision: Precision) -> Self {
        Self { any: self.any.precision(precision), ..self }
    }

    /// The label of passes and buffers, for debuggers.
    #[must_use]
    pub fn label(self, label: impl Into<Cow<'static, str>>) -> Self {
        Self { any: AnySegmentedReducer { label: label.into(), ..self.any }, ..self }
    }

    /// The context that the segmented reducer was made from.
    pub fn context(&self) -> &Context {
        &self.any.context
    }

    /// The plan for an input, its segments and an output, without allocating anything.
    ///
    /// # Errors
    ///
    /// As [`SegmentedReducer::prepare`].
    pub fn plan(
        &self,
        input: impl Into<Input<T>>,
        segments: &Segments,
        output: &GpuSlice<Op::Out>,
    ) -> Result<Plan, PrepareError> {
        Ok(self.any.validate(&input.into().into_slices(), segments, output.any())?.plan.into())
    }

    /// Allocates everything that reducing the segments of `input` to the first items of `output` takes: scratch memory of a fifteenth of as many
    /// accumulators as there are elements, at most, and of groups what [`Segments::groups`] says. Submits nothing, waits for nothing.
    ///
    /// All need `wgpu::BufferUsages::STORAGE`. Of an output that is longer the rest stays as it is.
    ///
    /// # Errors
    ///
    /// [`PrepareError::Segments`] if there are no such segments, if they can't be reduced where the elements lie, or if the output shares a buffer
    /// with the elements or the offsets;
    /// [`PrepareError::ShortOutput`] if there is no room for a result of each, [`PrepareError::BindingTooSmall`] if results, scratch memory, what the device
    /// makes of groups, or elements that have to lie in one, take more than a binding, and others as of a reduction. Nothing of the caller's is changed then.
    pub fn prepare(
        &self,
        input: impl Into<Input<T>>,
        segments: &Segments,
        output: &GpuSlice<Op::Out>,
    ) -> Result<Prepared<Vec<Op::Out>>, PrepareError> {
        let input = input.into().into_slices();
        let AnyPrepared { plan, recording, segments } =
            self.any.prepare(&input, segments, output.any(), Memory::Own)?;
        let output = output.any().slice(0..segments)?;
        let output = Output::new(self.context(), vec![output], bytemuck::pod_collect_to_vec);
        Ok(Prepared { plan: plan.into(), recording, output })
    }

    /// [`SegmentedReducer::prepare`] and [`Prepared::record`] in one: allocates, and appends to the caller's encoder. Submits
    /// nothing, waits for nothing.
    ///
    /// # Errors
    ///
    /// As [`SegmentedReducer::prepare`]; nothing was recorded then.
    pub fn record(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        input: impl Into<Input<T>>,
        segments: &Segments,
        output: &GpuSlice<Op::Out>,
    ) -> Result<(), PrepareError> {
        self.any.record(encoder, &input.into().into_slices(), segments, output.any())
    }

    /// Reduces the segments of `input` to `output`: allocates, submits, and completes when the device is done, under any executor.
    ///
    /// # Errors
    ///
    /// [`Error::Prepare`] before anything is submitted, [`Error::Read`] after.
    pub async fn reduce(
        &self,
        input: impl Into<Input<T>>,
        segments: &Segments,
        output: &GpuSlice<Op::Out>,
    ) -> Result<(), Error> {
        let (readback, _) = self.any.submit(&input.into().into_slices(), segments, output.any())?;
        Ok(readback.await?)
    }

    /// [`SegmentedReducer::reduce`], blocking.
    ///
    /// # Errors
    ///
    /// As [`SegmentedReducer::reduce`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn reduce_blocking(
        &self,
        input: impl Into<Input<T>>,
        segments: &Segments,
        output: &GpuSlice<Op::Out>,
    ) -> Result<(), Error> {
        self.any.reduce_blocking(&input.into().into_slices(), segments, output.any())
    }
}
