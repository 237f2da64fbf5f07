//! Scans by operators of the user's own.

use crate::{
    algebra::element::Element,
    custom::operator::{Custom, CustomOperator, CustomOut},
    device::context::Context,
    scan::scanner::Scanner,
};

impl<T: Element, Out: CustomOut> Scanner<T, Custom<Out>> {
    /// An inclusive scan by an operator of the user's own, without an initial value.
    ///
    /// An operator that does not commute keeps the order of the elements. Results are of any number of words; an initial value is lifted, as
    /// an element is. [`Scanner::strategy`] says how such scans go. None is [`Precision::Exact`](crate::Precision::Exact):
    /// [`PrepareError::Imprecise`](crate::PrepareError::Imprecise).
    ///
    /// ```
    /// use gridfold::{CustomOperator, Executor, Scanner};
    ///
    /// let executor = Executor::auto();
    /// let Some(context) = executor.context() else { return Ok(()) };
    /// // The last element so far that is not 0.
    /// let last = CustomOperator::<u32, u32>::ordered(
    ///     "fn identity() -> u32 { return 0u; }
    ///      fn combine(a: u32, b: u32) -> u32 { return select(b, a, b == 0u); }",
    /// )?;
    /// let sparse = executor.upload(&[0u32, 7, 0, 0, 5, 0])?;
    /// let filled = executor.upload(&[0u32; 6])?;
    /// let scanner = Scanner::custom(context, &last);
    /// let [from, to] = [&sparse, &filled].map(|array| array.gpu_slices().expect("on a GPU"));
    /// scanner.scan_blocking(from, to)?;
    /// assert_eq!(filled.download()?, [0, 7, 7, 7, 5, 5]);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    pub fn custom(context: &Context, operator: &CustomOperator<T, Out>) -> Self {
        Self::new(context, Custom::new()).with_program(operator.program())
    }
}
