//! Executors and arrays, by operators of the user's own.

use crate::{
    algebra::{element::Element, operator_type::OperatorType, precision::Precision, scan::Scan},
    cpu::{self, Twin},
    custom::operator::{Custom, CustomOperator, CustomOut},
    device::capabilities::AdapterName,
    error::{Error, PrepareError},
    executor::{Executor, array::Array, host::HostSlices},
    reduce::{reducer::Reducer, reduction::Reduction},
    scan::scanner::Scanner,
};

impl Executor {
    /// Reduces `values` by an operator of the user's own, and tells how, and where: on the GPU, if the executor has one, unless
    /// [`HostSlices::OnCpu`] is asked for.
    ///
    /// # Errors
    ///
    /// [`PrepareError::NoTwin`] on the CPU, if the operator has none; [`PrepareError::Imprecise`] where
    /// [`Precision::Exact`](crate::Precision::Exact) is asked for; on a GPU as [`Executor::reduce`].
    pub fn reduce_custom<T: Element, Out: CustomOut>(
        &self,
        operator: &CustomOperator<T, Out>,
        values: &[T],
    ) -> Result<Reduction<Out>, Error> {
        match self.context().filter(|_| self.host_slices != HostSlices::OnCpu) {
            None => reduce_on_cpu(self.precision, operator, values),
            Some(context) => {
                let reducer = Reducer::custom(context, operator).precision(self.precision);
                let slices = [bytemuck::cast_slice(values)];
                let reduction = reducer.any().measure_stream(&slices, self.chunk_bytes)?;
                Ok(reduction.of_types::<T, Custom<Out>>())
            }
        }
    }

    /// A scan of `values` by an operator of the user's own: as many results as elements. On the GPU, if the executor has one, unless
    /// [`HostSlices::OnCpu`] is asked for.
    ///
    /// ```
    /// use gridfold::{CustomOperator, Executor, Scan};
    ///
    /// // Maps x -> factor * x + offset, one after the other.
    /// let composition = CustomOperator::<[u32; 2], [u32; 2]>::ordered(
    ///     "fn identity() -> vec2<u32> { return vec2<u32>(1u, 0u); }
    ///      fn combine(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    ///          return vec2<u32>(a.x * b.x, a.y * b.x + b.y);
    ///      }",
    /// )?
    /// .with_twin([1, 0], |map| map, |a, b| [a[0] * b[0], a[1] * b[0] + b[1]], |map| map);
    /// let maps = [[2, 1], [3, 0], [5, 7]];
    /// let composed = Executor::auto().scan_custom(&composition, Scan::inclusive(), &maps)?;
    /// assert_eq!(composed, [[2, 1], [6, 3], [30, 22]]);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Executor::reduce_custom`], and [`PrepareError::OutOfMemory`] if there is no room for the results; on a GPU as of
    /// [`Executor::upload`], [`Scanner::scan_blocking`] and [`Array::download`].
    pub fn scan_custom<T: Element, Out: Element>(
        &self,
        operator: &CustomOperator<T, Out>,
        scan: Scan<T>,
        values: &[T],
    ) -> Result<Vec<Out>, Error> {
        match self.context().filter(|_| self.host_slices != HostSlices::OnCpu) {
            None => Ok(scan_on_cpu(self.precision, operator, scan, values)?),
            Some(_) => self.upload_once(values)?.scan_custom(operator, scan)?.download(),
        }
    }
}

impl<T: Element> Array<T> {
    /// Reduces the elements by an operator of the user's own, and tells how.
    ///
    /// # Errors
    ///
    /// [`PrepareError::NoTwin`] on the CPU, if the operator has none; [`PrepareError::Imprecise`] where
    /// [`Precision::Exact`](crate::Precision::Exact) is asked for; on a GPU as [`Array::reduce`].
    pub fn reduce_custom<Out>(
        &self,
        operator: &CustomOperator<T, Out>,
    ) -> Result<Reduction<Out>, Error>
    where
        Out: CustomOut,
    {
        match self.on_gpu() {
            None => self.on_cpu(|values| reduce_on_cpu(self.result_precision(), operator, values)),
            Some((context, slices)) => Reducer::custom(context, operator)
                .precision(self.result_precision())
                .measure_blocking(slices),
        }
    }

    /// A scan by an operator of the user's own, as an array of the same executor, with as many results as there are elements. Submits, and
    /// waits until the device is done.
    ///
    /// # Errors
    ///
    /// As [`Array::reduce_custom`], and [`PrepareError::OutOfMemory`] if there is no room for the results; on a GPU as of
    /// [`Scanner::scan_blocking`].
    pub fn scan_custom<Out: Element>(
        &self,
        operator: &CustomOperator<T, Out>,
        scan: Scan<T>,
    ) -> Result<Array<Out>, Error> {
        let precision = self.result_precision();
        let Some((context, slices)) = self.on_gpu() else {
            let results = self.on_cpu(|values| scan_on_cpu(precision, operator, scan, values));
            return Ok(Array::on_host(results?, precision));
        };
        let results = Array::unwritten(context, self.len(), precision)?;
        let written = results.gpu_slices().unwrap_or_default();
        let scanner = Scanner::custom(context, operator).kind(scan).precision(precision);
        let scanner = scanner.strategy(self.strategy);
        scanner.scan_blocking(slices, written)?;
        Ok(results)
    }
}

fn reduce_on_cpu<T: Element, Out: CustomOut>(
    precision: Precision,
    operator: &CustomOperator<T, Out>,
    values: &[T],
) -> Result<Reduction<Out>, Error> {
    let value = twin_of(precision, operator)?.reduce(&[values]);
    let (plan, explanation) = cpu::describe_by_twin(values.len() as u64);
    Ok(Reduction { value, adapter: AdapterName::cpu(), plan, explanation, device_time: None })
}

fn scan_on_cpu<T: Element, Out: CustomOut>(
    precision: Precision,
    operator: &CustomOperator<T, Out>,
    scan: Scan<T>,
    values: &[T],
) -> Result<Vec<Out>, PrepareError> {
    twin_of(precision, operator)?.scan(scan, values)
}

/// What computes on the CPU, if it keeps what results shall promise.
pub(super) fn twin_of<T: Element, Out: CustomOut>(
    precision: Precision,
    operator: &CustomOperator<T, Out>,
) -> Result<&dyn Twin<T, Out>, PrepareError> {
    if precision == Precision::Exact {
        let (operator, element) = (OperatorType::Custom, T::TYPE);
        return Err(PrepareError::Imprecise { operator, element, precision });
    }
    operator.twin().ok_or(PrepareError::NoTwin)
}
