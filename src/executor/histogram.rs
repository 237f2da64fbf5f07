//! Histograms of arrays, and of slices in host memory, and values by bin.

use crate::{
    algebra::{element::Element, operator::Operator},
    axes::check_length,
    bins::{Binned, Bins},
    cpu,
    device::{capabilities::BINDING_BYTES_CAP, context::Context, extent::WORD_BYTES},
    error::{Error, PrepareError},
    executor::{Executor, array::Array, groups::check_groups, host::HostSlices},
    histogram::counter::Histogram,
};

impl Executor {
    /// How many elements each bin has: NumPy's `histogram`, as [`Bins`] say.
    ///
    /// ```
    /// use gridfold::Bins;
    ///
    /// let executor = gridfold::Executor::auto();
    /// let bins = Bins::even(2, 0.0..=10.0)?;
    /// assert_eq!(executor.histogram(&[1u8, 4, 5, 10, 11], &bins)?, [2, 2]);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// Slices are counted on the CPU, unless [`HostSlices::OnDevice`] was chosen. Then they have room on the device.
    ///
    /// # Errors
    ///
    /// [`PrepareError::OutOfMemory`]; on a GPU as of [`Executor::upload`] and [`Array::histogram`].
    #[doc(alias("numpy.histogram", "DeviceHistogram"))]
    pub fn histogram<T: Binned>(&self, values: &[T], bins: &Bins) -> Result<Vec<u64>, Error> {
        match self.host_slices == HostSlices::OnDevice && self.context().is_some() {
            true => self.upload(values)?.histogram(bins),
            false => Ok(cpu::histogram(values, bins)?),
        }
    }
}

impl Executor {
    /// Which bin each element is in: its number, from 0, and `u32::MAX` where it is in none. On the CPU, or as [`Executor::histogram`].
    ///
    /// ```
    /// use gridfold::Bins;
    ///
    /// let numbers = gridfold::Executor::auto().bin_numbers(&[1.5f32, 7.0, 0.0], &Bins::even(4, 0.0..=4.0)?)?;
    /// assert_eq!(numbers, [1, u32::MAX, 0]);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Executor::histogram`], and as [`Array::bin_numbers`].
    #[doc(alias("numpy.digitize"))]
    pub fn bin_numbers<K: Binned>(&self, keys: &[K], bins: &Bins) -> Result<Vec<u32>, Error> {
        match self.host_slices == HostSlices::OnDevice && self.context().is_some() {
            true => self.upload(keys)?.bin_numbers(bins)?.download(),
            false => Ok(cpu::bin_numbers(keys, bins)?),
        }
    }

    /// Reduces the values of each bin, where value i is in the bin that `keys[i]` is in: a result for each bin, of its values in their order. Sums make a
    /// weighted histogram; means, extrema and any others go as well.
    ///
    /// ```
    /// use gridfold::{Bins, Mean, Sum};
    ///
    /// let (ages, weights) = ([3.0f32, 17.5, 4.0, 60.0], [1u32, 2, 4, 8]);
    /// let (executor, bins) = (gridfold::Executor::auto(), Bins::even(2, 0.0..=40.0)?);
    /// assert_eq!(executor.reduce_bins(&weights, &ages, &bins, Sum)?, [7, 0]);
    /// assert_eq!(executor.reduce_bins(&ages, &ages, &bins, Mean)?[0], 24.5 / 3.0);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Executor::reduce_groups`], with keys in place of numbers, and as [`Executor::bin_numbers`].
    #[doc(alias("weights", "weighted histogram", "binned_statistic"))]
    pub fn reduce_bins<T: Element, Op: Operator<T>, K: Binned>(
        &self,
        values: &[T],
        keys: &[K],
        bins: &Bins,
        op: Op,
    ) -> Result<Vec<Op::Value>, Error> {
        check_length("keys", keys.len() as u64, values.len() as u64).map_err(PrepareError::from)?;
        if self.takes_segments(&op.spec()) {
            // Before the values are copied.
            check_groups(groups_of(bins))?;
            return self.upload(values)?.reduce_bins(&self.upload(keys)?, bins, op);
        }
        let numbers = cpu::bin_numbers(keys, bins)?;
        self.reduce_groups(values, &numbers, groups_of(bins), op)
    }
}

impl<T: Element> Array<T> {
    /// Reduces the elements of each bin, as [`Executor::reduce_bins`] says. Submits, and waits for the results.
    ///
    /// # Errors
    ///
    /// [`SegmentError::Length`](crate::SegmentError::Length) if keys and elements are not as many,
    /// [`PrepareError::DifferentExecutors`] if the keys are of another executor, others as of [`Array::bin_numbers`] and of
    /// [`Array::reduce_groups`].
    #[doc(alias("weights", "weighted histogram", "binned_statistic"))]
    pub fn reduce_bins<Op: Operator<T>, K: Binned>(
        &self,
        keys: &Array<K>,
        bins: &Bins,
        op: Op,
    ) -> Result<Vec<Op::Value>, Error> {
        check_length("keys", keys.len(), self.len()).map_err(PrepareError::from)?;
        if self.with_mask(keys)?.is_some() {
            check_groups(groups_of(bins))?;
        }
        self.reduce_groups(&keys.bin_numbers(bins)?, groups_of(bins), op)
    }
}

/// Numbers that one binding spans, so many that the next ones begin where a binding may.
fn numbers_of_binding(context: &Context) -> u64 {
    let capabilities = context.capabilities();
    let max_bytes = capabilities.max_binding_bytes.min(BINDING_BYTES_CAP);
    let piece_bytes = capabilities.binding_alignment_bytes.max(16);
    (max_bytes / piece_bytes).max(1) * piece_bytes / WORD_BYTES
}

/// As many groups as bins.
fn groups_of(bins: &Bins) -> u32 {
    u32::try_from(bins.len()).expect("bins are few")
}

impl<T: Binned> Array<T> {
    /// Which bin each element is in, as [`Executor::bin_numbers`] says, as an array of the same executor. Submits, and waits until they are written.
    ///
    /// # Errors
    ///
    /// On a GPU as of [`Histogram::record_numbers`], for as many numbers at a time as one binding spans; on the CPU [`PrepareError::OutOfMemory`].
    #[doc(alias("numpy.digitize"))]
    pub fn bin_numbers(&self, bins: &Bins) -> Result<Array<u32>, Error> {
        let precision = self.result_precision();
        let Some((context, _)) = self.on_gpu() else {
            let numbers = self.on_cpu(|all| cpu::bin_numbers(all, bins))?;
            return Ok(Array::on_host(numbers, precision));
        };
        let numbers = Array::<u32>::unwritten(context, self.len(), precision)?;
        let histogram = Histogram::new(context);
        let most = numbers_of_binding(context);
        let mut begin = 0;
        for slice in numbers.gpu_slices().unwrap_or_default() {
            for first in (0..slice.len().div_ceil(most)).map(|piece| piece * most) {
                let output = slice.slice(first..slice.len().min(first + most))?;
                let end = begin + output.len();
                let keys = self.slice(begin..end)?;
                let keys = keys.gpu_slices().unwrap_or_default();
                let (readback, submission) = histogram.submit_numbers(keys, bins, &output)?;
                readback.wait_submitted(submission)?;
                begin = end;
            }
        }
        Ok(numbers)
    }
}

impl<T: Binned> Array<T> {
    /// How many elements each bin has: NumPy's `histogram`, as [`Bins`] say. Submits, and waits for the counts. (Where these stay on the
    /// device, a [`Histogram`] takes [`Array::gpu_slices`].)
    ///
    /// ```
    /// use gridfold::Bins;
    ///
    /// let array = gridfold::Executor::auto().upload(&[0.5f32, 1.5, 2.5, 9.0])?;
    /// assert_eq!(array.histogram(&Bins::edges(&[0, 1, 3])?)?, [1, 2]);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// On a GPU as of [`Histogram::count_blocking`], on the CPU [`PrepareError::OutOfMemory`].
    #[doc(alias("numpy.histogram", "DeviceHistogram"))]
    pub fn histogram(&self, bins: &Bins) -> Result<Vec<u64>, Error> {
        match self.on_gpu() {
            Some((context, slices)) => Histogram::new(context).count_blocking(slices, bins),
            None => Ok(self.on_cpu(|all| cpu::histogram(all, bins))?),
        }
    }
}
