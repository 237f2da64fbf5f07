//! Segments of arrays, and of slices in host memory.

use crate::{
    algebra::{
        element::Element,
        operator::{Operator, OperatorSpec},
    },
    axes::{Axes, check_offsets, offsets_of},
    cpu,
    custom::any_operator::AnyOperator,
    device::context::Context,
    error::{Error, PrepareError},
    executor::{
        Executor,
        array::{Array, any_slices},
        axis_blocks::{outs_of_array, outs_of_host},
        segment_results::{outs_between, values_of},
    },
    segments::any_segmented::AnySegmentedReducer,
};
use std::iter;

impl Executor {
    /// Reduces each segment of `values`: segment i has the elements from `offsets[i]` on, and ends before `offsets[i + 1]`. Each result is what
    /// [`Executor::reduce`] gives for the segment alone, to the bit.
    ///
    /// ```
    /// let executor = gridfold::Executor::auto();
    /// let sums = executor.reduce_segments(&[3, 1, 4, 1, 5], &[0, 2, 2, 5], gridfold::Sum)?;
    /// assert_eq!(sums, [4, 0, 10]);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// Slices are reduced on the CPU, unless [`HostSlices::OnDevice`](crate::HostSlices::OnDevice) was chosen, or the operator is your own. Exact results of operators that round `f64`s,
    /// and exact products, come from the CPU in any case, and so do results of slices of [`Bits`](crate::Bits).
    ///
    /// # Errors
    ///
    /// [`SegmentError::Offset`](crate::SegmentError::Offset) if offsets fall, or lie behind the elements,
    /// [`PrepareError::Imprecise`] as of a reduction; on a GPU as of [`Executor::upload`] and
    /// [`Array::reduce_segments`].
    #[doc(alias("reduceat", "DeviceSegmentedReduce"))]
    pub fn reduce_segments<T: Element, Op: Operator<T>>(
        &self,
        values: &[T],
        offsets: &[u32],
        op: Op,
    ) -> Result<Vec<Op::Value>, Error> {
        let operator = AnyOperator::of::<T, Op>(&op)?;
        if self.takes_segments(operator.spec()) {
            // Before the values are copied.
            check_offsets(offsets, values.len() as u64).map_err(PrepareError::from)?;
            return self.upload(values)?.reduce_segments(offsets, op);
        }
        let fold = operator.fold(self.precision)?;
        Ok(cpu::reduce_segments::<T, Op>(fold, self.precision, values, offsets)?)
    }

    /// Reduces an array in row-major order along one of its axes, of which the last varies fastest: a result for each place of the other axes,
    /// in row-major order. `values` are as many as the product of `shape`.
    ///
    /// ```
    /// let executor = gridfold::Executor::auto();
    /// let matrix = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0];
    /// assert_eq!(executor.reduce_axis(&matrix, &[2, 3], 0, gridfold::Sum)?, [5.0, 7.0, 9.0]);
    /// assert_eq!(executor.reduce_axis(&matrix, &[2, 3], 1, gridfold::Sum)?, [6.0, 15.0]);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SegmentError::Axis`](crate::SegmentError::Axis), [`SegmentError::Shape`](crate::SegmentError::Shape) and
    /// [`SegmentError::Results`](crate::SegmentError::Results), and others as of [`Executor::reduce_segments`].
    pub fn reduce_axis<T: Element, Op: Operator<T>>(
        &self,
        values: &[T],
        shape: &[u64],
        axis: usize,
        op: Op,
    ) -> Result<Vec<Op::Value>, Error> {
        self.reduce_axes::<T, _>(values, shape, &[axis], op)
    }

    /// Reduces an array in row-major order along some of its axes, given in any order: a result for each place of the other axes. Each is of its
    /// elements in row-major order. Where axes that remain lie between these, the CPU takes a copy of the elements.
    ///
    /// ```
    /// let executor = gridfold::Executor::auto();
    /// let values = [1u32, 2, 3, 4, 5, 6, 7, 8];
    /// assert_eq!(executor.reduce_axes(&values, &[2, 2, 2], &[0, 2], gridfold::Sum)?, [14, 22]);
    /// assert_eq!(executor.reduce_axes(&values, &[2, 4], &[0, 1], gridfold::Max)?, [Some(8)]);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SegmentError::AxisTwice`](crate::SegmentError::AxisTwice), and others as of [`Executor::reduce_axis`].
    pub fn reduce_axes<T: Element, Op: Operator<T>>(
        &self,
        values: &[T],
        shape: &[u64],
        axes: &[usize],
        op: Op,
    ) -> Result<Vec<Op::Value>, Error> {
        let operator = AnyOperator::of::<T, Op>(&op)?;
        let Some(context) = self.context().filter(|_| self.takes_segments(operator.spec())) else {
            let fold = operator.fold(self.precision)?;
            return Ok(cpu::reduce_axes::<T, Op>(fold, self.precision, values, shape, axes)?);
        };
        let own = Axes::of(values.len() as u64, shape, axes).map_err(PrepareError::from)?;
        let reducer = AnySegmentedReducer::by(context, &operator).precision(self.precision);
        let outs = outs_of_host(&reducer, values, shape, axes)?;
        values_of::<T, Op>(&outs, iter::repeat(own.grid().items))
    }

    /// Reduces segments of these lengths, one after another from the first element on. Otherwise as [`Executor::reduce_segments`].
    ///
    /// ```
    /// let executor = gridfold::Executor::auto();
    /// let sums = executor.reduce_lengths(&[3, 1, 4, 1, 5], &[2, 0, 3], gridfold::Sum)?;
    /// assert_eq!(sums, [4, 0, 10]);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SegmentError::Lengths`](crate::SegmentError::Lengths) if a segment ends behind the elements, and others as of
    /// [`Executor::reduce_segments`].
    pub fn reduce_lengths<T: Element, Op: Operator<T>>(
        &self,
        values: &[T],
        lengths: &[u32],
        op: Op,
    ) -> Result<Vec<Op::Value>, Error> {
        let offsets = offsets_of(lengths, values.len() as u64).map_err(PrepareError::from)?;
        self.reduce_segments(values, &offsets, op)
    }

    /// Whether slices go to the device.
    pub(super) fn takes_segments(&self, spec: &OperatorSpec) -> bool {
        // Before anything is copied.
        let is_refused = self.precision.kept_of(spec).is_none();
        let has_segments = spec.has_segments_at(self.precision) && !is_refused;
        self.device_if_asked(spec).is_some() && has_segments
    }
}

impl<T: Element> Array<T> {
    /// Reduces each segment: segment i has the elements from `offsets[i]` on, and ends before `offsets[i + 1]`. Each result is what
    /// [`Array::reduce`] gives for the segment alone, to the bit. Submits, and waits for the results. (Where offsets and results stay on the
    /// device, a [`SegmentedReducer`](crate::SegmentedReducer) takes [`Array::gpu_slices`].)
    ///
    /// ```
    /// use gridfold::Max;
    ///
    /// let array = gridfold::Executor::auto().upload(&[3u32, 1, 4])?;
    /// assert_eq!(array.reduce_segments(&[0, 2, 2, 3], Max)?, [Some(3), None, Some(4)]);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SegmentError::Offset`](crate::SegmentError::Offset) if offsets fall, or lie behind the elements; on a GPU as of
    /// [`SegmentedReducer::reduce_blocking`](crate::SegmentedReducer::reduce_blocking), on the CPU [`PrepareError::Imprecise`] as of a reduction.
    #[doc(alias("reduceat", "DeviceSegmentedReduce"))]
    pub fn reduce_segments<Op: Operator<T>>(
        &self,
        offsets: &[u32],
        op: Op,
    ) -> Result<Vec<Op::Value>, Error> {
        let (operator, precision) = (AnyOperator::of::<T, Op>(&op)?, self.result_precision());
        if self.on_gpu().is_none() {
            let fold = operator.fold(precision)?;
            let reduce = |all: &[T]| cpu::reduce_segments::<T, Op>(fold, precision, all, offsets);
            return Ok(self.on_cpu(reduce)?);
        }
        check_offsets(offsets, self.len()).map_err(PrepareError::from)?;
        self.between_on_gpu::<Op, _>(offsets, &operator)
    }

    /// Between offsets of any width, which were looked at. There are no results on the CPU.
    pub(super) fn between_on_gpu<Op: Operator<T>, O: Copy + Into<u64>>(
        &self,
        offsets: &[O],
        operator: &AnyOperator,
    ) -> Result<Vec<Op::Value>, Error> {
        let Some((context, slices)) = self.on_gpu() else { return Ok(Vec::new()) };
        let reducer = self.segmented(context, operator);
        let outs = outs_between(&reducer, &any_slices(slices), offsets)?;
        values_of::<T, Op>(&outs, offsets.windows(2).map(|ends| ends[1].into() - ends[0].into()))
    }

    /// A reducer of segments to results of the array's precision.
    pub(super) fn segmented(
        &self,
        context: &Context,
        operator: &AnyOperator,
    ) -> AnySegmentedReducer {
        AnySegmentedReducer::by(context, operator).precision(self.result_precision())
    }

    /// Reduces the elements, as an array in row-major order, along one of its axes, as [`Executor::reduce_axis`] says. Submits, and waits for
    /// the results.
    ///
    /// # Errors
    ///
    /// [`SegmentError::Axis`](crate::SegmentError::Axis) and [`SegmentError::Shape`](crate::SegmentError::Shape), and others as of
    /// [`Array::reduce_segments`].
    pub fn reduce_axis<Op: Operator<T>>(
        &self,
        shape: &[u64],
        axis: usize,
        op: Op,
    ) -> Result<Vec<Op::Value>, Error> {
        self.reduce_axes(shape, &[axis], op)
    }
}

impl<T: Element> Array<T> {
    /// Reduces the elements, as an array in row-major order, along some of its axes, as [`Executor::reduce_axes`] says. Submits, and waits for
    /// the results. Where a device has no binding for all elements that it takes at once, or for all results, blocks of the array take turns. Blocks that
    /// are no part of a buffer go through the host.
    ///
    /// # Errors
    ///
    /// As [`Executor::reduce_axes`] and [`Array::reduce_segments`].
    pub fn reduce_axes<Op: Operator<T>>(
        &self,
        shape: &[u64],
        axes: &[usize],
        op: Op,
    ) -> Result<Vec<Op::Value>, Error> {
        let (operator, precision) = (AnyOperator::of::<T, Op>(&op)?, self.result_precision());
        let Some((context, _)) = self.on_gpu() else {
            let fold = operator.fold(precision)?;
            let reduce = |all: &[T]| cpu::reduce_axes::<T, Op>(fold, precision, all, shape, axes);
            return Ok(self.on_cpu(reduce)?);
        };
        let own = Axes::of(self.len(), shape, axes).map_err(PrepareError::from)?;
        let reducer = self.segmented(context, &operator);
        let outs = outs_of_array(&reducer, self, shape, axes)?;
        values_of::<T, Op>(&outs, iter::repeat(own.grid().items))
    }

    /// Reduces segments of these lengths, as [`Executor::reduce_lengths`] says. Submits, and waits for the results. (Lengths that are on the device
    /// stay there, if [`Segments::lengths`](crate::Segments::lengths) takes them.)
    ///
    /// # Errors
    ///
    /// As [`Executor::reduce_lengths`] and [`Array::reduce_segments`].
    pub fn reduce_lengths<Op: Operator<T>>(
        &self,
        lengths: &[u32],
        op: Op,
    ) -> Result<Vec<Op::Value>, Error> {
        let offsets = offsets_of(lengths, self.len()).map_err(PrepareError::from)?;
        self.reduce_segments(&offsets, op)
    }
}
