//! Differences of neighbours, of arrays and of slices in host memory.

use crate::{
    algebra::difference::DifferenceElement,
    cpu,
    difference::differencer::Differencer,
    error::Error,
    executor::{Executor, array::Array, host::HostSlices},
};

impl Executor {
    /// The first of `values`, and the difference of each other one and that before it: as many as there are elements. Integers wrap, floats are rounded,
    /// as [`Differencer`] says.
    ///
    /// ```
    /// let executor = gridfold::Executor::auto();
    /// assert_eq!(executor.adjacent_difference(&[3i32, 1, 6])?, [3, -2, 5]);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// On the CPU, unless [`HostSlices::OnDevice`] says otherwise: then the elements, and as many results, have room on the device.
    ///
    /// # Errors
    ///
    /// [`PrepareError::OutOfMemory`](crate::PrepareError::OutOfMemory) if there is no room for the results; on a GPU as of [`Executor::upload`],
    /// [`Differencer::adjacent_difference_blocking`] and [`Array::download`].
    #[doc(alias("diff", "DeviceAdjacentDifference"))]
    pub fn adjacent_difference<T: DifferenceElement>(&self, values: &[T]) -> Result<Vec<T>, Error> {
        match self.host_slices {
            HostSlices::OnDevice if self.context().is_some() => {
                self.upload(values)?.adjacent_difference()?.download()
            }
            _ => Ok(cpu::adjacent_difference(values)?),
        }
    }
}

impl<T: DifferenceElement> Array<T> {
    /// The first element, and the difference of each other one and that before it, as an array of the same executor. Submits, and waits until
    /// the device is done.
    ///
    /// ```
    /// let array = gridfold::Executor::auto().upload(&[0.5f32, 2.0, 2.0])?;
    /// assert_eq!(array.adjacent_difference()?.download()?, [0.5, 1.5, 0.0]);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`PrepareError::OutOfMemory`](crate::PrepareError::OutOfMemory) if there is no room for the results; on a GPU as of
    /// [`Differencer::adjacent_difference_blocking`].
    #[doc(alias("diff", "DeviceAdjacentDifference"))]
    pub fn adjacent_difference(&self) -> Result<Self, Error> {
        let precision = self.result_precision();
        let Some((context, slices)) = self.on_gpu() else {
            return Ok(Self::on_host(self.on_cpu(cpu::adjacent_difference)?, precision));
        };
        let results = Self::unwritten(context, self.len(), precision)?;
        let written = results.gpu_slices().unwrap_or_default();
        Differencer::new(context).adjacent_difference_blocking(slices, written)?;
        Ok(results)
    }
}
