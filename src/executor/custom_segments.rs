//! Segments of arrays, and of slices in host memory, by operators of the user's own.

use crate::{
    algebra::element::Element,
    axes::{Grid, check_offsets},
    cpu::Twin,
    custom::operator::{CustomOperator, CustomOut},
    error::{Error, PrepareError},
    executor::{
        Executor,
        array::{Array, any_slices},
        custom::twin_of,
        host::HostSlices,
        segment_results::outs_between,
    },
    room::reserve,
    segments::segmented_reducer::SegmentedReducer,
};

impl Executor {
    /// Reduces each segment of `values` by an operator of the user's own: segment i has the elements from `offsets[i]` on, and ends before
    /// `offsets[i + 1]`. Each result is what [`Executor::reduce_custom`] gives for the segment alone. On the GPU, if the executor has one,
    /// unless [`HostSlices::OnCpu`] is asked for.
    ///
    /// ```
    /// use gridfold::{CustomOperator, Executor};
    ///
    /// // The greatest common divisor.
    /// let gcd = CustomOperator::<u32, u32>::commutative(
    ///     "fn identity() -> u32 { return 0u; }
    ///      fn combine(a: u32, b: u32) -> u32 {
    ///          var x = a;
    ///          var y = b;
    ///          while y != 0u {
    ///              let rest = x % y;
    ///              x = y;
    ///              y = rest;
    ///          }
    ///          return x;
    ///      }",
    /// )?;
    /// let gcd = gcd.with_twin(
    ///     0u32,
    ///     |x| x,
    ///     |mut x, mut y| {
    ///         while y != 0 {
    ///             (x, y) = (y, x % y);
    ///         }
    ///         x
    ///     },
    ///     |total| total,
    /// );
    /// let divisors = Executor::auto().reduce_segments_custom(&gcd, &[12u32, 18, 35, 49, 21], &[0, 2, 2, 5])?;
    /// assert_eq!(divisors, [6, 0, 7]);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SegmentError::Offset`](crate::SegmentError::Offset) if offsets fall, or lie behind the elements; as [`Executor::reduce_custom`]; on a
    /// GPU as of [`Executor::upload`] and [`Array::reduce_segments_custom`].
    pub fn reduce_segments_custom<T: Element, Out: CustomOut>(
        &self,
        operator: &CustomOperator<T, Out>,
        values: &[T],
        offsets: &[u32],
    ) -> Result<Vec<Out>, Error> {
        check_offsets(offsets, values.len() as u64).map_err(PrepareError::from)?;
        self.between_custom(operator, values, offsets)
    }

    /// Between offsets of any width, which were looked at.
    pub(super) fn between_custom<T: Element, Out: CustomOut, O: Copy + Into<u64>>(
        &self,
        operator: &CustomOperator<T, Out>,
        values: &[T],
        offsets: &[O],
    ) -> Result<Vec<Out>, Error> {
        match self.takes_twin() {
            true => Ok(between(twin_of(self.precision, operator)?, values, offsets)),
            false => self.upload(values)?.between_custom(operator, offsets),
        }
    }

    /// Whether slices stay on the CPU.
    pub(super) fn takes_twin(&self) -> bool {
        self.context().is_none() || self.host_slices == HostSlices::OnCpu
    }

    /// Reduces an array in row-major order along one of its axes by an operator of the user's own, as [`Executor::reduce_axis`] has it, where
    /// [`Executor::reduce_segments_custom`] would.
    ///
    /// # Errors
    ///
    /// [`SegmentError::Axis`](crate::SegmentError::Axis) and [`SegmentError::Shape`](crate::SegmentError::Shape), and others as of
    /// [`Executor::reduce_segments_custom`].
    pub fn reduce_axis_custom<T: Element, Out: CustomOut>(
        &self,
        operator: &CustomOperator<T, Out>,
        values: &[T],
        shape: &[u64],
        axis: usize,
    ) -> Result<Vec<Out>, Error> {
        self.reduce_axes_custom(operator, values, shape, &[axis])
    }
}

impl<T: Element> Array<T> {
    /// Reduces each segment by an operator of the user's own, as [`Executor::reduce_segments_custom`] says. Submits, and waits for the results.
    ///
    /// # Errors
    ///
    /// [`SegmentError::Offset`](crate::SegmentError::Offset) if offsets fall, or lie behind the elements; on a GPU as of
    /// [`SegmentedReducer::reduce_blocking`], on the CPU as [`Array::reduce_custom`].
    pub fn reduce_segments_custom<Out: CustomOut>(
        &self,
        operator: &CustomOperator<T, Out>,
        offsets: &[u32],
    ) -> Result<Vec<Out>, Error> {
        check_offsets(offsets, self.len()).map_err(PrepareError::from)?;
        self.between_custom(operator, offsets)
    }

    /// Between offsets of any width, which were looked at.
    pub(super) fn between_custom<Out: CustomOut, O: Copy + Into<u64>>(
        &self,
        operator: &CustomOperator<T, Out>,
        offsets: &[O],
    ) -> Result<Vec<Out>, Error> {
        let precision = self.result_precision();
        let Some((context, slices)) = self.on_gpu() else {
            let twin = twin_of(precision, operator)?;
            return Ok(self.on_cpu(|elements| between(twin, elements, offsets)));
        };
        let reducer = SegmentedReducer::custom(context, operator).precision(precision);
        let outs = outs_between(reducer.any(), &any_slices(slices), offsets)?;
        Ok(bytemuck::pod_collect_to_vec(&outs))
    }

    /// Reduces the elements, as an array in row-major order, along one of its axes by an operator of the user's own. Submits, and waits for the
    /// results.
    ///
    /// # Errors
    ///
    /// [`SegmentError::Axis`](crate::SegmentError::Axis) and [`SegmentError::Shape`](crate::SegmentError::Shape), and others as of
    /// [`Array::reduce_segments_custom`].
    pub fn reduce_axis_custom<Out: CustomOut>(
        &self,
        operator: &CustomOperator<T, Out>,
        shape: &[u64],
        axis: usize,
    ) -> Result<Vec<Out>, Error> {
        self.reduce_axes_custom(operator, shape, &[axis])
    }
}

/// A result for each pair of neighbouring offsets, which lie among the elements.
fn between<T: Element, Out, O: Copy + Into<u64>>(
    twin: &dyn Twin<T, Out>,
    elements: &[T],
    offsets: &[O],
) -> Vec<Out> {
    let place = |offset: O| usize::try_from(offset.into()).expect("it is among the elements");
    let own = |pair: &[O]| &elements[place(pair[0])..place(pair[1])];
    offsets.windows(2).map(|pair| twin.reduce(&[own(pair)])).collect()
}

/// A result for each segment of a grid.
pub(super) fn along<T: Element, Out>(
    twin: &dyn Twin<T, Out>,
    elements: &[T],
    grid: &Grid,
) -> Result<Vec<Out>, PrepareError> {
    let number = |of: u64| usize::try_from(of).map_err(|_| PrepareError::TooLong { len: of });
    let (groups, items, step) = (number(grid.groups)?, number(grid.items)?, number(grid.step)?);
    let count = number(grid.segments().unwrap_or(u64::MAX))?;
    let mut results = Vec::new();
    reserve(&mut results, count, "the results of segments")?;
    let mut own = Vec::new();
    for group in 0..groups {
        for place in 0..step {
            own.clear();
            let first = group * items * step + place;
            own.extend((0..items).map(|item| elements[first + item * step]));
            results.push(twin.reduce(&[&own]));
        }
    }
    Ok(results)
}
