//! Executors and arrays, by operators of the user's own.

use crate::{
    algebra::{element::Element, operator_type::OperatorType, precision::Precision},
    cpu,
    custom::operator::{Custom, CustomOperator},
    device::capabilities::AdapterName,
    error::{Error, PrepareError},
    executor::{Executor, array::Array, host::HostSlices},
    reduce::{
        custom::OfCustom,
        reducer::{Reducer, Reduction},
    },
};

impl Executor {
    /// Reduces `values` by an operator of the user's own, and tells how, and where: on the GPU, if the executor has one, unless
    /// [`HostSlices::OnCpu`] is asked for.
    ///
    /// # Errors
    ///
    /// [`PrepareError::NoTwin`] on the CPU, if the operator has none; [`PrepareError::Imprecise`] where
    /// [`Precision::Exact`](crate::Precision::Exact) is asked for; on a GPU as [`Executor::reduce`].
    pub fn reduce_custom<T: Element, Out>(
        &self,
        operator: &CustomOperator<T, Out>,
        values: &[T],
    ) -> Result<Reduction<Out>, Error>
    where
        Out: bytemuck::Pod,
        Custom<Out>: OfCustom<T, Out>,
    {
        match self.context().filter(|_| self.host_slices != HostSlices::OnCpu) {
            None => reduce_on_cpu(self.precision, operator, values),
            Some(context) => Reducer::custom(context, operator)
                .precision(self.precision)
                .measure_stream(&[values], self.chunk_bytes),
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
        Out: bytemuck::Pod,
        Custom<Out>: OfCustom<T, Out>,
    {
        match self.on_gpu() {
            None => self.on_cpu(|values| reduce_on_cpu(self.result_precision(), operator, values)),
            Some((context, slices)) => Reducer::custom(context, operator)
                .precision(self.result_precision())
                .measure_blocking(slices),
        }
    }
}

fn reduce_on_cpu<T: Element, Out: bytemuck::Pod>(
    precision: Precision,
    operator: &CustomOperator<T, Out>,
    values: &[T],
) -> Result<Reduction<Out>, Error> {
    if precision == Precision::Exact {
        let (operator, element) = (OperatorType::Custom, T::TYPE);
        return Err(PrepareError::Imprecise { operator, element, precision }.into());
    }
    let value = operator.on_cpu(&[values]).ok_or(PrepareError::NoTwin)?;
    let (plan, explanation) = cpu::describe_by_twin(values.len() as u64);
    Ok(Reduction { value, adapter: AdapterName::cpu(), plan, explanation, device_time: None })
}
