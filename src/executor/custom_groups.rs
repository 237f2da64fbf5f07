//! Segments of lengths, by keys, flags, groups and several axes, by operators of the user's own: of arrays, and of slices in host memory.

use crate::{
    algebra::{element::Element, flag::Flag},
    axes::{Axes, offsets_of},
    cpu,
    custom::operator::{CustomOperator, CustomOut},
    error::{Error, PrepareError},
    executor::{
        Executor,
        array::{Array, any_slices},
        axis_blocks::{outs_of_array, outs_of_host},
        custom::twin_of,
        custom_segments::along,
        groups::{check, check_flags, check_groups, flagged_begins, outs_of_runs, too_many},
        segment_results::outs_from,
    },
    segments::segmented_reducer::SegmentedReducer,
};

impl Executor {
    /// Reduces segments of these lengths, one after another from the first element on, by an operator of the user's own. Otherwise as
    /// [`Executor::reduce_segments_custom`].
    ///
    /// ```
    /// use gridfold::{CustomOperator, Executor};
    ///
    /// // The hash of each word: 31 * hash + byte.
    /// let hash = CustomOperator::<u8, u32>::ordered(
    ///     "struct Hash { value: u32, factor: u32 }
    ///      fn identity() -> Hash { return Hash(0u, 1u); }
    ///      fn lift(byte: u32) -> Hash { return Hash(byte, 31u); }
    ///      fn combine(a: Hash, b: Hash) -> Hash {
    ///          return Hash(a.value * b.factor + b.value, a.factor * b.factor);
    ///      }
    ///      fn finish(hash: Hash) -> u32 { return hash.value; }",
    /// )?
    /// .with_twin(
    ///     [0u32, 1],
    ///     |byte| [u32::from(byte), 31],
    ///     |a: [u32; 2], b| [a[0].wrapping_mul(b[1]).wrapping_add(b[0]), a[1].wrapping_mul(b[1])],
    ///     |hash| hash[0],
    /// );
    /// let executor = Executor::auto();
    /// let hashes = executor.reduce_lengths_custom(&hash, b"hello, world", &[5, 2, 5])?;
    /// assert_eq!(hashes, [99_162_322, 1396, 113_318_802]);
    /// let heads = [1u32, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0];
    /// assert_eq!(executor.reduce_flagged_custom(&hash, b"hello, world", &heads)?[1], 113_318_802);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SegmentError::Lengths`](crate::SegmentError::Lengths) if a segment ends behind the elements, and others as of
    /// [`Executor::reduce_segments_custom`].
    pub fn reduce_lengths_custom<T: Element, Out: CustomOut>(
        &self,
        operator: &CustomOperator<T, Out>,
        values: &[T],
        lengths: &[u32],
    ) -> Result<Vec<Out>, Error> {
        let offsets = offsets_of(lengths, values.len() as u64).map_err(PrepareError::from)?;
        self.between_custom(operator, values, &offsets)
    }

    /// Reduces an array in row-major order along some of its axes by an operator of the user's own, as [`Executor::reduce_axes`] has it, where
    /// [`Executor::reduce_segments_custom`] would.
    ///
    /// # Errors
    ///
    /// [`SegmentError::AxisTwice`](crate::SegmentError::AxisTwice), and others as of [`Executor::reduce_axis_custom`].
    pub fn reduce_axes_custom<T: Element, Out: CustomOut>(
        &self,
        operator: &CustomOperator<T, Out>,
        values: &[T],
        shape: &[u64],
        axes: &[usize],
    ) -> Result<Vec<Out>, Error> {
        let own = Axes::of(values.len() as u64, shape, axes).map_err(PrepareError::from)?;
        let Some(context) = self.context().filter(|_| !self.takes_twin()) else {
            return Ok(along_axes(twin_of(self.precision, operator)?, values, &own)?);
        };
        let reducer = SegmentedReducer::custom(context, operator).precision(self.precision);
        Ok(bytemuck::pod_collect_to_vec(&outs_of_host(reducer.any(), values, shape, axes)?))
    }

    /// Reduces segments that begin where flags are set by an operator of the user's own, as [`Executor::reduce_flagged`] has it, where
    /// [`Executor::reduce_segments_custom`] would. The host reads the flags.
    ///
    /// # Errors
    ///
    /// [`PrepareError::MaskLength`] if elements and flags are not as many, and others as of [`Executor::reduce_segments_custom`].
    pub fn reduce_flagged_custom<T: Element, Out: CustomOut, M: Flag>(
        &self,
        operator: &CustomOperator<T, Out>,
        values: &[T],
        flags: &[M],
    ) -> Result<Vec<Out>, Error> {
        let mut offsets = cpu::flagged_begins(values.len(), flags)?;
        offsets.push(values.len() as u64);
        self.between_custom(operator, values, &offsets)
    }

    /// Reduces the values of each run of equal keys by an operator of the user's own, as [`Executor::reduce_by_runs`] has it, where
    /// [`Executor::reduce_segments_custom`] would. The host reads the keys, which are of any type.
    ///
    /// # Errors
    ///
    /// [`SegmentError::Length`](crate::SegmentError::Length) if keys and values are not as many, and others as of
    /// [`Executor::reduce_segments_custom`].
    pub fn reduce_by_runs_custom<T: Element, Out: CustomOut, K: Element>(
        &self,
        operator: &CustomOperator<T, Out>,
        keys: &[K],
        values: &[T],
    ) -> Result<(Vec<K>, Vec<Out>), Error> {
        check("keys", keys.len() as u64, values.len() as u64)?;
        let (unique, mut offsets) = cpu::run_begins(keys)?;
        offsets.push(values.len() as u64);
        Ok((unique, self.between_custom(operator, values, &offsets)?))
    }

    /// Reduces groups by an operator of the user's own, as [`Executor::reduce_groups`] has it, where [`Executor::reduce_segments_custom`] would. The host
    /// puts the values of a group side by side, in their order, so there may be as many groups as memory has room for.
    ///
    /// # Errors
    ///
    /// [`SegmentError::Length`](crate::SegmentError::Length) if numbers and values are not as many, [`PrepareError::OutOfMemory`] if there is no room for
    /// a copy of the values, and others as of [`Executor::reduce_segments_custom`].
    pub fn reduce_groups_custom<T: Element, Out: CustomOut>(
        &self,
        operator: &CustomOperator<T, Out>,
        values: &[T],
        numbers: &[u32],
        groups: u32,
    ) -> Result<Vec<Out>, Error> {
        check("numbers of groups", numbers.len() as u64, values.len() as u64)?;
        let (sorted, ends) = cpu::in_groups(values, numbers, groups)?;
        let offsets: Vec<u64> = ends.into_iter().map(|end| end as u64).collect();
        self.between_custom(operator, &sorted, &offsets)
    }

    /// Reduces the values of equal keys, wherever they are, by an operator of the user's own, as [`Executor::reduce_by_key`] has it: the different keys, the
    /// least one first, and a result for each, of its values in their order.
    ///
    /// # Errors
    ///
    /// As [`Executor::reduce_groups_custom`].
    #[doc(alias("groupby", "group_by"))]
    pub fn reduce_by_key_custom<T: Element, Out: CustomOut, K: Element + Ord>(
        &self,
        operator: &CustomOperator<T, Out>,
        keys: &[K],
        values: &[T],
    ) -> Result<(Vec<K>, Vec<Out>), Error> {
        check("keys", keys.len() as u64, values.len() as u64)?;
        let (unique, numbers) = cpu::group_numbers(keys)?;
        let groups = u32::try_from(unique.len()).map_err(|_| too_many(unique.len() as u64))?;
        let results = self.reduce_groups_custom(operator, values, &numbers, groups)?;
        Ok((unique, results))
    }
}

impl<T: Element> Array<T> {
    /// Reduces segments of these lengths by an operator of the user's own, as [`Executor::reduce_lengths_custom`] says. Submits, and waits for the
    /// results.
    ///
    /// # Errors
    ///
    /// [`SegmentError::Lengths`](crate::SegmentError::Lengths) if a segment ends behind the elements, and others as of
    /// [`Array::reduce_segments_custom`].
    pub fn reduce_lengths_custom<Out: CustomOut>(
        &self,
        operator: &CustomOperator<T, Out>,
        lengths: &[u32],
    ) -> Result<Vec<Out>, Error> {
        let offsets = offsets_of(lengths, self.len()).map_err(PrepareError::from)?;
        self.between_custom(operator, &offsets)
    }

    /// Reduces the elements, as an array in row-major order, along some of its axes by an operator of the user's own. Submits, and waits for the
    /// results.
    ///
    /// # Errors
    ///
    /// As [`Executor::reduce_axes_custom`] and [`Array::reduce_segments_custom`].
    pub fn reduce_axes_custom<Out: CustomOut>(
        &self,
        operator: &CustomOperator<T, Out>,
        shape: &[u64],
        axes: &[usize],
    ) -> Result<Vec<Out>, Error> {
        let own = Axes::of(self.len(), shape, axes).map_err(PrepareError::from)?;
        let precision = self.result_precision();
        let Some((context, _)) = self.on_gpu() else {
            let twin = twin_of(precision, operator)?;
            return Ok(self.on_cpu(|elements| along_axes(twin, elements, &own))?);
        };
        let reducer = SegmentedReducer::custom(context, operator).precision(precision);
        Ok(bytemuck::pod_collect_to_vec(&outs_of_array(reducer.any(), self, shape, axes)?))
    }

    /// Reduces segments that begin where flags are set by an operator of the user's own, as [`Array::reduce_flagged`] has it. Submits, and waits for
    /// the results.
    ///
    /// # Errors
    ///
    /// As [`Array::reduce_flagged`] of flags, and as [`Array::reduce_segments_custom`].
    pub fn reduce_flagged_custom<Out: CustomOut, M: Flag>(
        &self,
        operator: &CustomOperator<T, Out>,
        flags: &Array<M>,
    ) -> Result<Vec<Out>, Error> {
        check_flags(flags, self.len())?;
        let precision = self.result_precision();
        let Some((context, elements, _)) = self.with_mask(flags)? else {
            let begins = |len| flags.on_cpu(|flags| cpu::flagged_begins(len, flags));
            let mut offsets = self.on_cpu(|elements| begins(elements.len()))?;
            offsets.push(self.len());
            return self.between_custom(operator, &offsets);
        };
        let reducer = SegmentedReducer::custom(context, operator).precision(precision);
        let begins = flagged_begins(flags, self.len())?;
        let outs = outs_from(reducer.any(), &any_slices(elements), &begins)?;
        Ok(bytemuck::pod_collect_to_vec(&outs))
    }

    /// Reduces the elements of each run of equal keys by an operator of the user's own, as [`Array::reduce_by_runs`] has it. Submits, and waits for the
    /// results. The keys of runs are an array of the same executor.
    ///
    /// # Errors
    ///
    /// As [`Array::reduce_by_runs`] of keys, and as [`Array::reduce_segments_custom`].
    pub fn reduce_by_runs_custom<Out: CustomOut, K: Element>(
        &self,
        operator: &CustomOperator<T, Out>,
        keys: &Array<K>,
    ) -> Result<(Array<K>, Vec<Out>), Error> {
        check("keys", keys.len(), self.len())?;
        let precision = self.result_precision();
        let Some((context, elements, _)) = self.with_mask(keys)? else {
            let (unique, mut offsets) = keys.on_cpu(cpu::run_begins)?;
            offsets.push(self.len());
            let results = self.between_custom(operator, &offsets)?;
            return Ok((Array::on_host(unique, precision), results));
        };
        let reducer = SegmentedReducer::custom(context, operator).precision(precision);
        let (unique, outs) = outs_of_runs(reducer.any(), &any_slices(elements), keys)?;
        Ok((unique, bytemuck::pod_collect_to_vec(&outs)))
    }

    /// Reduces groups by an operator of the user's own, as [`Array::reduce_groups`] has it: each keeps the order of its elements. Submits, and waits for
    /// the results.
    ///
    /// # Errors
    ///
    /// As [`Array::reduce_groups`] of numbers, and as [`Array::reduce_segments_custom`].
    #[doc(alias("unsorted_segment_sum", "scatter_add"))]
    pub fn reduce_groups_custom<Out: CustomOut>(
        &self,
        operator: &CustomOperator<T, Out>,
        numbers: &Array<u32>,
        groups: u32,
    ) -> Result<Vec<Out>, Error> {
        check("numbers of groups", numbers.len(), self.len())?;
        let precision = self.result_precision();
        let Some((context, ..)) = self.with_mask(numbers)? else {
            let (sorted, ends) =
                self.on_cpu(|all| numbers.on_cpu(|own| cpu::in_groups(all, own, groups)))?;
            let offsets: Vec<u64> = ends.into_iter().map(|end| end as u64).collect();
            return Array::on_host(sorted, precision).between_custom(operator, &offsets);
        };
        check_groups(groups)?;
        let reducer = SegmentedReducer::custom(context, operator).precision(precision);
        let parts = self.outs_of_groups(reducer.any(), numbers, groups, false, &|elements| {
            let out = elements.reduce_custom(operator)?.value;
            Ok(bytemuck::pod_collect_to_vec::<Out, u32>(&[out])[..].into())
        })?;
        let outs: Vec<u32> = parts.into_iter().flat_map(|(outs, _)| outs).collect();
        Ok(bytemuck::pod_collect_to_vec(&outs))
    }
}

fn along_axes<T: Element, Out>(
    twin: &dyn cpu::Twin<T, Out>,
    elements: &[T],
    axes: &Axes,
) -> Result<Vec<Out>, PrepareError> {
    match axes {
        Axes::Grid(grid) => along(twin, elements, grid),
        Axes::Apart { rows, sides } => along(twin, &cpu::in_order_of(elements, sides)?, rows),
    }
}
