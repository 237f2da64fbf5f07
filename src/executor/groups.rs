//! Segments by keys, flags and groups: of arrays, and of slices in host memory.

use crate::{
    algebra::{
        acc_words::Words, element::Element, flag::Flag, offset::Offset, operator::Operator,
        precision::Precision,
    },
    axes::check_length,
    bins::Bins,
    cpu,
    custom::any_operator::AnyOperator,
    device::{buffer::AnySlice, context::Context},
    error::{Error, PrepareError, SegmentError},
    executor::{
        Executor,
        array::{Array, any_slices},
        group_parts::GroupParts,
        segment_results::{outs_by, outs_from, takes_groups, values_of},
    },
    segments::{any_segmented::AnySegmentedReducer, layout::Segments},
    select::compaction::Compaction,
    wgsl::kernel::OrderPass,
};
use std::{iter, ops::Range};

impl Executor {
    /// Reduces the values of each run of equal keys: the runs' keys, and a result for each run. A key that comes again later begins another
    /// run. Keys are equal if their bits are. For equal keys anywhere there is [`Executor::reduce_by_key`].
    ///
    /// ```
    /// let executor = gridfold::Executor::auto();
    /// let (keys, sums) = executor.reduce_by_runs(&[7, 7, 1, 7], &[1.0, 2.0, 4.0, 8.0], gridfold::Sum)?;
    /// assert_eq!((keys, sums), (vec![7, 1, 7], vec![3.0, 4.0, 8.0]));
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SegmentError::Length`] if keys and values are not as many; on a GPU as of [`Array::reduce_by_runs`], and others as of
    /// [`Executor::reduce_segments`].
    #[doc(alias("reduce_by_key", "itertools.groupby", "DeviceReduce::ReduceByKey"))]
    pub fn reduce_by_runs<T: Element, Op: Operator<T>, K: Element>(
        &self,
        keys: &[K],
        values: &[T],
        op: Op,
    ) -> Result<(Vec<K>, Vec<Op::Value>), Error> {
        check("keys", keys.len() as u64, values.len() as u64)?;
        let operator = AnyOperator::of::<T, Op>(&op)?;
        if self.takes_segments(operator.spec()) {
            let (keys, results) =
                self.upload(values)?.reduce_by_runs(&self.upload_once(keys)?, op)?;
            return Ok((keys.download()?, results));
        }
        let (keys, begins) = cpu::run_begins(keys)?;
        let fold = operator.fold(self.precision)?;
        Ok((keys, cpu::reduce_begins::<T, Op>(fold, self.precision, values, &begins)?))
    }

    /// Reduces segments that begin where flags are set: each ends before the next flag, and the last one with the elements. Elements before
    /// the first flag belong to none.
    ///
    /// ```
    /// let executor = gridfold::Executor::auto();
    /// let sums = executor.reduce_flagged(&[3, 1, 4, 1, 5], &[0, 1, 0, 1, 0], gridfold::Sum)?;
    /// assert_eq!(sums, [5, 6]);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`PrepareError::MaskLength`] if elements and flags are not as many, and others as of [`Executor::reduce_segments`].
    pub fn reduce_flagged<T: Element, Op: Operator<T>, M: Flag>(
        &self,
        values: &[T],
        flags: &[M],
        op: Op,
    ) -> Result<Vec<Op::Value>, Error> {
        let operator = AnyOperator::of::<T, Op>(&op)?;
        if self.takes_segments(operator.spec()) {
            return self.upload(values)?.reduce_flagged(&self.upload_once(flags)?, op);
        }
        let begins = cpu::flagged_begins(values.len(), flags)?;
        let fold = operator.fold(self.precision)?;
        Ok(cpu::reduce_begins::<T, Op>(fold, self.precision, values, &begins)?)
    }

    /// Reduces groups: value i belongs to group `numbers[i]`, and to none if that is not less than `groups`. There is a result for each group, of
    /// its values in their order. Of more than 2^20 groups the host sorts the values first.
    ///
    /// ```
    /// let executor = gridfold::Executor::auto();
    /// let sums = executor.reduce_groups(&[1.0, 2.0, 4.0, 8.0], &[2, 0, 2, 9], 3, gridfold::Sum)?;
    /// assert_eq!(sums, [2.0, 0.0, 5.0]);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SegmentError::Length`] if numbers and values are not as many; on a GPU as of [`Array::reduce_groups`], and others as of
    /// [`Executor::reduce_segments`].
    #[doc(alias("bincount", "unsorted_segment_sum", "scatter_add"))]
    pub fn reduce_groups<T: Element, Op: Operator<T>>(
        &self,
        values: &[T],
        numbers: &[u32],
        groups: u32,
        op: Op,
    ) -> Result<Vec<Op::Value>, Error> {
        check("numbers of groups", numbers.len() as u64, values.len() as u64)?;
        let operator = AnyOperator::of::<T, Op>(&op)?;
        if self.takes_segments(operator.spec()) {
            if groups > MAX_GROUPS {
                let (sorted, ends) = cpu::in_groups(values, numbers, groups)?;
                let offsets: Vec<u64> = ends.into_iter().map(|end| end as u64).collect();
                return self.upload(&sorted)?.between_on_gpu::<Op, _>(&offsets, &operator);
            }
            return self.upload(values)?.reduce_groups(&self.upload(numbers)?, groups, op);
        }
        let fold = operator.fold(self.precision)?;
        Ok(cpu::reduce_groups::<T, Op>(fold, self.precision, values, numbers, groups)?)
    }

    /// Reduces the values of equal keys, wherever they are: the different keys, the least one first, and a result for each, of its values in their
    /// order. It is `GROUP BY`, and pandas' `groupby`. The host sorts the keys, whatever reduces the values.
    ///
    /// ```
    /// let executor = gridfold::Executor::auto();
    /// let (keys, sums) = executor.reduce_by_key(&[7, -7, 1, 7], &[1.0, 2.0, 4.0, 8.0], gridfold::Sum)?;
    /// assert_eq!((keys, sums), (vec![-7, 1, 7], vec![2.0, 4.0, 9.0]));
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Executor::reduce_groups`].
    #[doc(alias("groupby", "group_by"))]
    pub fn reduce_by_key<T: Element, Op: Operator<T>, K: Element + Ord>(
        &self,
        keys: &[K],
        values: &[T],
        op: Op,
    ) -> Result<(Vec<K>, Vec<Op::Value>), Error> {
        check("keys", keys.len() as u64, values.len() as u64)?;
        let (unique, numbers) = cpu::group_numbers(keys)?;
        let groups = u32::try_from(unique.len()).map_err(|_| too_many(unique.len() as u64))?;
        let results = self.reduce_groups(values, &numbers, groups, op)?;
        Ok((unique, results))
    }
}

impl<T: Element> Array<T> {
    /// Reduces the elements of each run of equal keys, as [`Executor::reduce_by_runs`] says. Submits, and waits for the results. The keys of runs are
    /// an array of the same executor. (Where nothing is to go to the host, [`Compaction::run_begins`] and [`Segments::begins`] do the same.)
    ///
    /// # Errors
    ///
    /// [`SegmentError::Length`] if keys and elements are not as many, [`PrepareError::DifferentExecutors`] if the keys are of another executor;
    /// on a GPU [`PrepareError::NoSelection`] of [`Bits`](crate::Bits) as keys, and as of [`Array::reduce_segments`].
    #[doc(alias("reduce_by_key", "DeviceReduce::ReduceByKey"))]
    pub fn reduce_by_runs<Op: Operator<T>, K: Element>(
        &self,
        keys: &Array<K>,
        op: Op,
    ) -> Result<(Array<K>, Vec<Op::Value>), Error> {
        check("keys", keys.len(), self.len())?;
        let (operator, precision) = (AnyOperator::of::<T, Op>(&op)?, self.result_precision());
        let Some((context, elements, _)) = self.with_mask(keys)? else {
            let fold = operator.fold(precision)?;
            let (keys, begins) = keys.on_cpu(cpu::run_begins)?;
            let reduce = |all: &[T]| cpu::reduce_begins::<T, Op>(fold, precision, all, &begins);
            return Ok((Array::on_host(keys, precision), self.on_cpu(reduce)?));
        };
        let reducer = self.segmented(context, &operator);
        let (unique, outs) = outs_of_runs(&reducer, &any_slices(elements), keys)?;
        Ok((unique, values_of::<T, Op>(&outs, iter::repeat(1))?))
    }

    /// Reduces segments that begin where flags are set, as [`Executor::reduce_flagged`] says. Submits, and waits for the results.
    ///
    /// # Errors
    ///
    /// [`PrepareError::MaskLength`] if elements and flags are not as many, [`PrepareError::DifferentExecutors`] if the flags are of another
    /// executor; on a GPU as of [`Array::reduce_segments`].
    pub fn reduce_flagged<Op: Operator<T>, M: Flag>(
        &self,
        flags: &Array<M>,
        op: Op,
    ) -> Result<Vec<Op::Value>, Error> {
        check_flags(flags, self.len())?;
        let (operator, precision) = (AnyOperator::of::<T, Op>(&op)?, self.result_precision());
        let Some((context, elements, _)) = self.with_mask(flags)? else {
            let fold = operator.fold(precision)?;
            let reduce = |all: &[T]| {
                let begins = flags.on_cpu(|flags| cpu::flagged_begins(all.len(), flags))?;
                cpu::reduce_begins::<T, Op>(fold, precision, all, &begins)
            };
            return Ok(self.on_cpu(reduce)?);
        };
        let reducer = self.segmented(context, &operator);
        let begins = flagged_begins(flags, self.len())?;
        let outs = outs_from(&reducer, &any_slices(elements), &begins)?;
        values_of::<T, Op>(&outs, iter::repeat(1))
    }

    /// Reduces groups, as [`Executor::reduce_groups`] says. Submits, and waits for the results. A GPU takes 4096 groups at a time: of more it reads the
    /// elements again for each 4096, and has memory for their numbers twice. If they are more than a binding spans, and not read once as
    /// [`Segments::groups`] says, the elements of half of the groups are copied, and then those of the others, and so on, until a binding has the
    /// elements of each part, or a group is alone.
    ///
    /// # Errors
    ///
    /// [`SegmentError::Length`] if numbers and elements are not as many, [`PrepareError::DifferentExecutors`] if the numbers are of another executor;
    /// on a GPU [`SegmentError::Groups`] of more than 2^20, and as of
    /// [`Array::reduce_segments`].
    #[doc(alias("bincount", "unsorted_segment_sum", "scatter_add"))]
    pub fn reduce_groups<Op: Operator<T>>(
        &self,
        numbers: &Array<u32>,
        groups: u32,
        op: Op,
    ) -> Result<Vec<Op::Value>, Error> {
        check("numbers of groups", numbers.len(), self.len())?;
        let (operator, precision) = (AnyOperator::of::<T, Op>(&op)?, self.result_precision());
        let Some((context, ..)) = self.with_mask(numbers)? else {
            let fold = operator.fold(precision)?;
            let reduce = |all: &[T]| {
                numbers.on_cpu(|own| cpu::reduce_groups::<T, Op>(fold, precision, all, own, groups))
            };
            return Ok(self.on_cpu(reduce)?);
        };
        check_groups(groups)?;
        let reducer = self.segmented(context, &operator);
        let parts = self.outs_of_groups(&reducer, numbers, groups, &|elements| {
            let at_least = precision.max(Precision::Reproducible);
            Ok(elements.clone().precision(at_least).raw(&operator)?.words)
        })?;
        let mut values = Vec::new();
        for (outs, lens) in parts {
            values.extend(values_of::<T, Op>(&outs, lens)?);
        }
        Ok(values)
    }

    /// A device's results of groups, part by part. `alone` makes the words of a group's elements.
    fn outs_of_groups(
        &self,
        reducer: &AnySegmentedReducer,
        numbers: &Array<u32>,
        groups: u32,
        alone: &dyn Fn(&Self) -> Result<Words, Error>,
    ) -> Result<Vec<OutsAndLens>, Error> {
        let any = |elements: &Self| any_slices(elements.gpu_slices().unwrap_or_default());
        let parts = GroupParts {
            groups,
            fits: &|elements, numbers, range| {
                let groups = range.end - range.start;
                Ok(takes_groups(reducer, &any(elements), numbers, groups)?)
            },
            together: &|elements, numbers, range| {
                let elements = any(elements);
                let mut passes = Vec::new();
                for pass in group_passes(numbers, range) {
                    let (numbers, groups) = pass?;
                    let slices = numbers.gpu_slices().unwrap_or_default();
                    let segments = Segments::groups(slices, groups);
                    let outs = outs_by(reducer, &elements, &segments, groups.into())?;
                    // The last bin has its end, too, and takes what is of no group.
                    let bins = Bins::even(u64::from(groups) + 1, 0.0..=f64::from(groups) + 1.0);
                    let bins = bins.map_err(PrepareError::from)?;
                    passes.push((outs, numbers.histogram(&bins)?));
                }
                Ok(passes)
            },
            alone: &|elements| Ok((alone(elements)?.to_vec(), vec![elements.len()])),
        };
        parts.results(self, numbers)
    }
}

/// Some groups' results, in words, and their numbers of elements.
type OutsAndLens = (Vec<u32>, Vec<u64>);

/// Keys of runs, and the runs' results. Where these begin takes half as much memory, if 32 bits tell it.
fn outs_of_runs<K: Element>(
    reducer: &AnySegmentedReducer,
    elements: &[AnySlice],
    keys: &Array<K>,
) -> Result<(Array<K>, Vec<u32>), Error> {
    let (context, precision) = (reducer.context(), reducer.result_precision());
    if u32::try_from(keys.len()).is_ok() {
        let (unique, begins) = run_begins::<K, u32>(context, keys, precision)?;
        return Ok((unique, outs_from(reducer, elements, &begins)?));
    }
    let (unique, begins) = run_begins::<K, u64>(context, keys, precision)?;
    Ok((unique, outs_from(reducer, elements, &begins)?))
}

/// Keys of runs, and where these begin, in the order of elements.
fn run_begins<K: Element, O: Offset>(
    context: &Context,
    keys: &Array<K>,
    precision: Precision,
) -> Result<(Array<K>, Array<O>), Error> {
    let unique = Array::<K>::unwritten(context, keys.len(), precision)?;
    let begins = Array::<O>::unwritten(context, keys.len(), precision)?;
    let from = keys.gpu_slices().unwrap_or_default();
    let unique_to = unique.gpu_slices().unwrap_or_default();
    let begins_to = begins.gpu_slices().unwrap_or_default();
    let runs = Compaction::run_begins::<K, O>(from, unique_to, begins_to);
    let count = keys.compactor(context).run_blocking(&runs)?;
    Ok((unique.slice(0..count)?, begins.slice(0..count)?))
}

/// Flags of an item of a mask.
const fn flags_per_item<M: Flag>() -> u64 {
    if M::BYTES == 0 { 32 } else { 1 }
}

/// Refuses flags that are not one for each element.
fn check_flags<M: Flag>(flags: &Array<M>, len: u64) -> Result<(), PrepareError> {
    let per_item = flags_per_item::<M>();
    let most = flags.len().saturating_mul(per_item);
    match len > most || most - len >= per_item {
        true => Err(PrepareError::MaskLength { flags: most, len }),
        false => Ok(()),
    }
}

/// Where flags are set, of as many as there are elements.
fn flagged_begins<M: Flag>(flags: &Array<M>, len: u64) -> Result<Array<u64>, Error> {
    let positions = flags.positions()?;
    // The last word of bits may have some behind the elements.
    let first = positions.len().saturating_sub(flags_per_item::<M>() - 1);
    let last = positions.slice(first..positions.len())?.download()?;
    let behind = last.iter().filter(|&&position| position >= len).count() as u64;
    Ok(positions.slice(0..positions.len() - behind)?)
}

pub(super) fn check(what: &'static str, given: u64, len: u64) -> Result<(), PrepareError> {
    Ok(check_length(what, given, len)?)
}

/// Groups of which a device reduces arrays, in passes of 4096, at most.
const MAX_GROUPS: u32 = 1 << 20;

/// As many groups as a device takes at once, one after another: the numbers of elements among them, and how many groups they are. Elements of others
/// have no number among them.
pub(super) fn group_passes(
    numbers: &Array<u32>,
    groups: Range<u32>,
) -> impl Iterator<Item = Result<(Array<u32>, u32), Error>> {
    let end = groups.end;
    groups.step_by(OrderPass::MAX_GROUPS as usize).map(move |first| {
        let own = (end - first).min(OrderPass::MAX_GROUPS);
        if first == 0 {
            return Ok((numbers.clone(), own));
        }
        // Each number is a bin, and behind them is one of what is of no group.
        let edges: Vec<u64> = (0..own + 2).map(|bin| u64::from(first) + u64::from(bin)).collect();
        let bins = Bins::edges(&edges).map_err(PrepareError::from)?;
        Ok((numbers.bin_numbers(&bins)?, own))
    })
}

fn too_many(groups: u64) -> PrepareError {
    SegmentError::Groups { groups, most: MAX_GROUPS.into() }.into()
}

pub(super) fn check_groups(groups: u32) -> Result<(), PrepareError> {
    match groups > MAX_GROUPS {
        true => Err(too_many(groups.into())),
        false => Ok(()),
    }
}
