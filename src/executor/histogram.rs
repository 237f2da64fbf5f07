//! Histograms of arrays, and of slices in host memory.

use crate::{
    bins::{Binned, Bins},
    cpu,
    error::Error,
    executor::{Executor, array::Array, host::HostSlices},
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
    /// [`PrepareError::OutOfMemory`](crate::PrepareError::OutOfMemory); on a GPU as of [`Executor::upload`] and [`Array::histogram`].
    #[doc(alias("numpy.histogram", "DeviceHistogram"))]
    pub fn histogram<T: Binned>(&self, values: &[T], bins: &Bins) -> Result<Vec<u64>, Error> {
        match self.host_slices == HostSlices::OnDevice && self.context().is_some() {
            true => self.upload(values)?.histogram(bins),
            false => Ok(cpu::histogram(values, bins)?),
        }
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
    /// On a GPU as of [`Histogram::count_blocking`], on the CPU [`PrepareError::OutOfMemory`](crate::PrepareError::OutOfMemory).
    #[doc(alias("numpy.histogram", "DeviceHistogram"))]
    pub fn histogram(&self, bins: &Bins) -> Result<Vec<u64>, Error> {
        match self.on_gpu() {
            Some((context, slices)) => Histogram::new(context).count_blocking(slices, bins),
            None => Ok(self.on_cpu(|all| cpu::histogram(all, bins))?),
        }
    }
}
