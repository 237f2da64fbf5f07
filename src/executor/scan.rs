//! Scans of arrays, and of slices in host memory.

use crate::{
    algebra::{element::Element, operator::Operator, scan::Scan},
    cpu,
    error::Error,
    executor::{Executor, array::Array, host::HostSlices},
    scan::scanner::Scanner,
};

impl Executor {
    /// The inclusive scan of `values` by the operator: each result is of its own element and those before.
    ///
    /// ```
    /// let executor = gridfold::Executor::auto();
    /// assert_eq!(executor.inclusive_scan::<i32, gridfold::Sum>(&[3, -1, 2])?, [3, 2, 4]);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Executor::scan`].
    #[doc(alias("cumsum", "cumprod", "prefix_sum", "DeviceScan"))]
    pub fn inclusive_scan<T: Element, Op: Operator<T>>(
        &self,
        values: &[T],
    ) -> Result<Vec<Op::Out>, Error>
    where
        Op::Out: Element,
    {
        self.scan::<T, Op>(Scan::inclusive(), values)
    }

    /// The exclusive scan of `values` by the operator: each result is of the elements before its own one.
    ///
    /// # Errors
    ///
    /// As [`Executor::scan`].
    #[doc(alias("prefix_sum", "DeviceScan"))]
    pub fn exclusive_scan<T: Element, Op: Operator<T>>(
        &self,
        values: &[T],
    ) -> Result<Vec<Op::Out>, Error>
    where
        Op::Out: Element,
    {
        self.scan::<T, Op>(Scan::exclusive(), values)
    }

    /// A scan of `values` by the operator: as many results as elements. On the CPU, unless [`HostSlices::OnDevice`] says otherwise:
    /// then the elements, and as many results, have room on the device.
    ///
    /// # Errors
    ///
    /// [`PrepareError::NoScan`](crate::PrepareError::NoScan) where there are no scans by the operator,
    /// [`PrepareError::NoExactScan`](crate::PrepareError::NoExactScan) of float sums and products that shall be exact,
    /// [`PrepareError::OutOfMemory`](crate::PrepareError::OutOfMemory) if there is no room for the results; on a GPU as of [`Executor::upload`],
    /// [`Scanner::scan_blocking`] and [`Array::download`].
    pub fn scan<T: Element, Op: Operator<T>>(
        &self,
        scan: Scan<T>,
        values: &[T],
    ) -> Result<Vec<Op::Out>, Error>
    where
        Op::Out: Element,
    {
        match self.host_slices {
            HostSlices::OnDevice if self.context().is_some() => {
                self.upload(values)?.scan::<Op>(scan)?.download()
            }
            _ => Ok(cpu::scan::<T, Op>(self.precision, scan, values)?),
        }
    }
}

impl<T: Element> Array<T> {
    /// The inclusive scan by the operator, as an array of the same executor: each result is of its own element and those before.
    ///
    /// ```
    /// use gridfold::Sum;
    ///
    /// let array = gridfold::Executor::auto().upload(&[3u32, 1, 4])?;
    /// assert_eq!(array.inclusive_scan::<Sum>()?.download()?, [3, 4, 8]);
    /// assert_eq!(array.exclusive_scan::<Sum>()?.download()?, [0, 3, 4]);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Array::scan`].
    #[doc(alias("cumsum", "cumprod", "prefix_sum", "DeviceScan"))]
    pub fn inclusive_scan<Op: Operator<T>>(&self) -> Result<Array<Op::Out>, Error>
    where
        Op::Out: Element,
    {
        self.scan::<Op>(Scan::inclusive())
    }

    /// The exclusive scan by the operator: each result is of the elements before its own one.
    ///
    /// # Errors
    ///
    /// As [`Array::scan`].
    #[doc(alias("prefix_sum", "DeviceScan"))]
    pub fn exclusive_scan<Op: Operator<T>>(&self) -> Result<Array<Op::Out>, Error>
    where
        Op::Out: Element,
    {
        self.scan::<Op>(Scan::exclusive())
    }

    /// A scan by the operator, as an array of the same executor, with as many results as there are elements. Submits, and waits until
    /// the device is done.
    ///
    /// # Errors
    ///
    /// [`PrepareError::NoScan`](crate::PrepareError::NoScan) where there are no scans by the operator,
    /// [`PrepareError::NoExactScan`](crate::PrepareError::NoExactScan) of float sums and products of an array whose results shall be exact,
    /// [`PrepareError::OutOfMemory`](crate::PrepareError::OutOfMemory) if there is no room for the results; on a GPU as of
    /// [`Scanner::scan_blocking`].
    pub fn scan<Op: Operator<T>>(&self, scan: Scan<T>) -> Result<Array<Op::Out>, Error>
    where
        Op::Out: Element,
    {
        let precision = self.result_precision();
        let Some((context, slices)) = self.on_gpu() else {
            let results = self.on_cpu(|elements| cpu::scan::<T, Op>(precision, scan, elements));
            return Ok(Array::on_host(results?, precision));
        };
        let results = Array::unwritten(context, self.len(), precision)?;
        let written = results.gpu_slices().unwrap_or_default();
        let scanner = Scanner::<T, Op>::new(context).kind(scan).precision(precision);
        scanner.scan_blocking(slices, written)?;
        Ok(results)
    }
}
