//! Scans of arrays, and of slices in host memory.

use crate::{
    algebra::{element::Element, operator::Operator, precision::Precision, scan::Scan},
    cpu::{self, OutWords, fold::Fold},
    custom::any_operator::AnyOperator,
    device::{buffer::GpuSlice, context::Context, extent::WORD_BYTES},
    error::{Error, PrepareError},
    executor::{
        Executor,
        array::{self, Array},
        host::{HostSlices, for_one_call},
        segment_results::values_of,
    },
    partial::{AnyPartial, Partial, end_of},
    scan::{any_scanner::AnyScanner, scanner::Scanner},
};

impl Executor {
    /// The inclusive scan of `values` by the operator: each result is of its own element and those before.
    ///
    /// ```
    /// let executor = gridfold::Executor::auto();
    /// assert_eq!(executor.inclusive_scan(&[3, -1, 2], gridfold::Sum)?, [3, 2, 4]);
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
        op: Op,
    ) -> Result<Vec<Op::Out>, Error> {
        self.scan(Scan::inclusive(), values, op)
    }

    /// The exclusive scan of `values` by the operator: each result is of the elements before its own one ([`Scan::exclusive`]).
    ///
    /// # Errors
    ///
    /// As [`Executor::scan`].
    #[doc(alias("prefix_sum", "DeviceScan"))]
    pub fn exclusive_scan<T: Element, Op: Operator<T>>(
        &self,
        values: &[T],
        op: Op,
    ) -> Result<Vec<Op::Out>, Error> {
        self.scan(Scan::exclusive(), values, op)
    }

    /// A scan of `values` by the operator: as many results as elements. On the CPU, unless [`HostSlices::OnDevice`] says otherwise, or the
    /// operator is your own: then the elements, and as many results, have room on the device.
    ///
    /// # Errors
    ///
    /// [`PrepareError::NoScan`](crate::PrepareError::NoScan) where there are no scans by the operator,
    /// [`PrepareError::NoInitialValue`](crate::PrepareError::NoInitialValue) of an initial value where places are told or runs are merged, as in variances and moments,
    /// [`PrepareError::NoExactScan`](crate::PrepareError::NoExactScan) of what rounds floats and shall be exact,
    /// [`PrepareError::OutOfMemory`](crate::PrepareError::OutOfMemory) if there is no room for the results; on a GPU as of [`Executor::upload`],
    /// [`Scanner::scan_blocking`] and [`Array::download`].
    pub fn scan<T: Element, Op: Operator<T>>(
        &self,
        scan: Scan<T>,
        values: &[T],
        op: Op,
    ) -> Result<Vec<Op::Out>, Error> {
        let operator = AnyOperator::of::<T, Op>(&op)?;
        match self.device_if_asked(operator.spec()) {
            Some(_) => self.upload_once(values)?.outs(scan, op),
            None => Ok(cpu::scan(operator.fold(self.precision)?, self.precision, scan, values)?),
        }
    }

    /// [`Executor::scan`], with results as calls that return a value report them: places, statistics, and `None` for an extremum of nothing.
    ///
    /// ```
    /// use gridfold::{Executor, Moments, Scan};
    ///
    /// let executor = Executor::auto();
    /// let so_far = executor.scan_values(Scan::inclusive(), &[1.0f32, 3.0, 5.0], Moments)?;
    /// assert_eq!((so_far[1].mean(), so_far[2].variance()), (2.0, 8.0 / 3.0));
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Executor::scan`].
    #[doc(alias("expanding", "cummax"))]
    pub fn scan_values<T: Element, Op: Operator<T>>(
        &self,
        scan: Scan<T>,
        values: &[T],
        op: Op,
    ) -> Result<Vec<Op::Value>, Error> {
        self::values::<T, Op>(scan, self.scan(scan, values, op)?)
    }

    /// [`Executor::scan`] of values that go on where a part of the sequence ends: `before` is what all elements before them come to, made by
    /// any executor. Results are those of a scan of the whole sequence in one piece, to the bit, wherever it is cut. So is `scan`: an initial
    /// value comes before the whole sequence.
    ///
    /// What comes next goes on from `before` merged with the values' own part.
    ///
    /// ```
    /// use gridfold::{Executor, Scan, Sum};
    ///
    /// let executor = Executor::auto();
    /// let values = [0.1f32, 0.2, 0.3, 0.4, 0.5];
    /// let (here, there) = values.split_at(3);
    /// let whole = executor.inclusive_scan(&values, Sum)?;
    ///
    /// let before = executor.reduce_part(here, 0, Sum)?;
    /// assert_eq!(executor.scan_after(Scan::inclusive(), &before, there)?, whole[3..]);
    /// let before = before.merge(&executor.reduce_part(there, 3, Sum)?)?; // for what comes next
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Executor::scan`]; [`PrepareError::TooLong`](crate::PrepareError::TooLong) of positions beyond 2^40;
    /// [`Error::Partial`] if `before` does not begin the sequence, or is exact and the scan rounds. The scan has the options of its operator.
    pub fn scan_after<T: Element, Op: Operator<T>>(
        &self,
        scan: Scan<T>,
        before: &Partial<T, Op>,
        values: &[T],
    ) -> Result<Vec<Op::Out>, Error> {
        let spec = before.any().fold().spec();
        PrepareError::check_scan(spec, self.precision, scan.initial_value().is_some())?;
        match self.host_slices {
            HostSlices::OnDevice if self.context().is_some() => {
                let (array, precision) = (self.upload_once(values)?, self.precision);
                let Some((context, slices)) = array.on_gpu() else { unreachable!("uploaded") };
                let results = array::unwritten(context, array.len())?;
                let scanner = after(context, scan, precision, before).strategy(array.strategy);
                scanner.scan_after_blocking(before, slices, &results[..])?;
                array::download(context, &results)
            }
            _ => on_cpu_after(self.precision, scan, before, values),
        }
    }
}

/// Each as calls that return a value report it.
fn values<T: Element, Op: Operator<T>>(
    scan: Scan<T>,
    outs: Vec<Op::Out>,
) -> Result<Vec<Op::Value>, Error> {
    let first = u64::from(scan.initial_value().is_some()) + u64::from(scan.is_inclusive());
    values_of::<T, Op>(bytemuck::cast_slice(&outs), first..)
}

fn on_cpu_after<T: Element, Op: Operator<T>>(
    precision: Precision,
    scan: Scan<T>,
    before: &Partial<T, Op>,
    values: &[T],
) -> Result<Vec<Op::Out>, Error> {
    end_of(before.range().end, values.len() as u64)?;
    let before = before.any();
    Ok(cpu::scan_after(before.fold(), precision, scan, before.before()?, values)?)
}

/// The scanner of a part's operator.
fn after<T: Element, Op: Operator<T>>(
    context: &Context,
    scan: Scan<T>,
    precision: Precision,
    before: &Partial<T, Op>,
) -> Scanner<T, Op> {
    let any = AnyScanner::new(context, *before.any().fold().spec());
    Scanner::of(any).kind(scan).precision(precision)
}

impl Executor {
    /// A scan of elements by an operator without its types, after a part of the sequence, if there is one: the words of results.
    pub(super) fn scan_words(
        &self,
        fold: &dyn Fold,
        is_inclusive: bool,
        before: Option<&AnyPartial>,
        elements: &[u8],
    ) -> Result<OutWords, Error> {
        let spec = fold.spec();
        PrepareError::check_scan(spec, self.precision, false)?;
        let item_bytes = spec.element.size_bytes();
        let len = elements.len() as u64 / item_bytes;
        let device = self.context().filter(|_| self.host_slices == HostSlices::OnDevice);
        let Some(context) = device else {
            let end = before.map_or(0, |before| before.range().end);
            end_of(end, len)?;
            let before = before.map(AnyPartial::before).transpose()?;
            let mut copy = Vec::new();
            let elements = cpu::aligned(spec.element, elements, &mut copy)?;
            return Ok(cpu::scan_words(
                fold,
                self.precision,
                is_inclusive,
                None,
                before,
                elements,
            )?);
        };
        let slices = array::upload_items(context, elements, item_bytes)?;
        let out_bytes = u64::from(spec.out_words) * WORD_BYTES;
        let results = array::unwritten_items(context, len, out_bytes)?;
        let (precision, strategy) = (self.precision, for_one_call(context));
        let scanner = AnyScanner { precision, strategy, ..AnyScanner::new(context, *spec) };
        let scanner = scanner.kind(is_inclusive, None);
        scanner.scan_blocking(before, &slices, &results)?;
        let words = results.iter().map(|slice| {
            GpuSlice::<u32>::new(slice.buffer(), 0, slice.len() * u64::from(spec.out_words))
        });
        Ok(OutWords::Words(array::download(context, &words.collect::<Result<Vec<_>, _>>()?)?))
    }
}

impl<T: Element> Array<T> {
    /// The inclusive scan by the operator, as an array of the same executor: each result is of its own element and those before.
    ///
    /// ```
    /// use gridfold::Sum;
    ///
    /// let array = gridfold::Executor::auto().upload(&[3u32, 1, 4])?;
    /// assert_eq!(array.inclusive_scan(Sum)?.download()?, [3, 4, 8]);
    /// assert_eq!(array.exclusive_scan(Sum)?.download()?, [0, 3, 4]);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Array::scan`].
    #[doc(alias("cumsum", "cumprod", "prefix_sum", "DeviceScan"))]
    pub fn inclusive_scan<Op: Operator<T>>(&self, op: Op) -> Result<Array<Op::Out>, Error>
    where
        Op::Out: Element,
    {
        self.scan(Scan::inclusive(), op)
    }

    /// The exclusive scan by the operator: each result is of the elements before its own one.
    ///
    /// # Errors
    ///
    /// As [`Array::scan`].
    #[doc(alias("prefix_sum", "DeviceScan"))]
    pub fn exclusive_scan<Op: Operator<T>>(&self, op: Op) -> Result<Array<Op::Out>, Error>
    where
        Op::Out: Element,
    {
        self.scan(Scan::exclusive(), op)
    }

    /// A scan by the operator, as an array of the same executor, with as many results as there are elements. Submits, and waits until
    /// the device is done.
    ///
    /// # Errors
    ///
    /// [`PrepareError::NoScan`](crate::PrepareError::NoScan) where there are no scans by the operator,
    /// [`PrepareError::NoInitialValue`](crate::PrepareError::NoInitialValue) of an initial value where places are told or runs are merged, as in variances and moments,
    /// [`PrepareError::NoExactScan`](crate::PrepareError::NoExactScan) of what rounds floats, of an array whose results shall be exact,
    /// [`PrepareError::OutOfMemory`](crate::PrepareError::OutOfMemory) if there is no room for the results; on a GPU as of
    /// [`Scanner::scan_blocking`].
    pub fn scan<Op: Operator<T>>(&self, scan: Scan<T>, op: Op) -> Result<Array<Op::Out>, Error>
    where
        Op::Out: Element,
    {
        let precision = self.result_precision();
        let Some((context, slices)) = self.on_gpu() else {
            let operator = AnyOperator::of::<T, Op>(&op)?;
            let fold = operator.fold(precision)?;
            let results = self.on_cpu(|elements| cpu::scan(fold, precision, scan, elements));
            return Ok(Array::on_host(results?, precision));
        };
        let results = Array::unwritten(context, self.len(), precision)?;
        let written = results.gpu_slices().unwrap_or_default();
        let scanner = Scanner::<T, _>::new(context, op).kind(scan).precision(precision);
        let scanner = scanner.strategy(self.strategy);
        scanner.scan_blocking(slices, written)?;
        Ok(results)
    }

    /// [`Array::scan`], with results on the host, as calls that return a value report them ([`Executor::scan_values`]).
    ///
    /// # Errors
    ///
    /// As [`Array::scan`] and [`Array::download`].
    pub fn scan_values<Op: Operator<T>>(
        &self,
        scan: Scan<T>,
        op: Op,
    ) -> Result<Vec<Op::Value>, Error> {
        values::<T, Op>(scan, self.outs(scan, op)?)
    }

    /// The results on the host, of any operator.
    fn outs<Op: Operator<T>>(&self, scan: Scan<T>, op: Op) -> Result<Vec<Op::Out>, Error> {
        let precision = self.result_precision();
        PrepareError::check_scan(&op.spec(), precision, scan.initial_value().is_some())?;
        let Some((context, slices)) = self.on_gpu() else {
            let operator = AnyOperator::of::<T, Op>(&op)?;
            let fold = operator.fold(precision)?;
            return Ok(self.on_cpu(|elements| cpu::scan(fold, precision, scan, elements))?);
        };
        let results = array::unwritten(context, self.len())?;
        let scanner = Scanner::<T, _>::new(context, op).kind(scan).precision(precision);
        let scanner = scanner.strategy(self.strategy);
        scanner.scan_blocking(slices, &results[..])?;
        array::download(context, &results)
    }

    /// [`Array::scan`] of elements that go on where a part of the sequence ends, as [`Executor::scan_after`] says.
    ///
    /// # Errors
    ///
    /// As [`Array::scan`] and [`Executor::scan_after`].
    pub fn scan_after<Op: Operator<T>>(
        &self,
        scan: Scan<T>,
        before: &Partial<T, Op>,
    ) -> Result<Array<Op::Out>, Error>
    where
        Op::Out: Element,
    {
        let precision = self.result_precision();
        let spec = before.any().fold().spec();
        PrepareError::check_scan(spec, precision, scan.initial_value().is_some())?;
        let Some((context, slices)) = self.on_gpu() else {
            let results = self.on_cpu(|elements| on_cpu_after(precision, scan, before, elements));
            return Ok(Array::on_host(results?, precision));
        };
        let results = Array::unwritten(context, self.len(), precision)?;
        let written = results.gpu_slices().unwrap_or_default();
        let scanner = after(context, scan, precision, before).strategy(self.strategy);
        scanner.scan_after_blocking(before, slices, written)?;
        Ok(results)
    }
}
