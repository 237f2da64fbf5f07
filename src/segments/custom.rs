//! Reductions of segments by operators of the user's own.

use crate::{
    algebra::element::Element,
    custom::operator::{Custom, CustomOperator, CustomOut},
    device::context::Context,
    segments::segmented_reducer::SegmentedReducer,
};

impl<T: Element, Out: CustomOut> SegmentedReducer<T, Custom<Out>> {
    /// By an operator of the user's own, which keeps the order of each segment's elements unless it commutes. An empty segment has what
    /// `finish` makes of the identity. No results are [`Precision::Exact`](crate::Precision::Exact):
    /// [`PrepareError::Imprecise`](crate::PrepareError::Imprecise).
    ///
    /// ```
    /// use gridfold::{CustomOperator, Executor, SegmentedReducer, Segments};
    ///
    /// let executor = Executor::auto();
    /// let Some(context) = executor.context() else { return Ok(()) };
    /// // The hash of each word: 31 * hash + byte, over all bytes in order.
    /// let hash = CustomOperator::<u8, u32>::ordered(
    ///     "struct Hash { value: u32, factor: u32 }
    ///      fn identity() -> Hash { return Hash(0u, 1u); }
    ///      fn lift(byte: u32) -> Hash { return Hash(byte, 31u); }
    ///      fn combine(a: Hash, b: Hash) -> Hash {
    ///          return Hash(a.value * b.factor + b.value, a.factor * b.factor);
    ///      }
    ///      fn finish(hash: Hash) -> u32 { return hash.value; }",
    /// )?;
    /// let text = executor.upload(b"hello, world")?;
    /// let offsets = executor.upload(&[0u32, 5, 7, 12])?;
    /// let hashes = executor.upload(&[0u32; 3])?;
    /// let [offsets, written] = [&offsets, &hashes].map(|array| array.gpu_slices().expect("on a GPU"));
    /// let reducer = SegmentedReducer::custom(context, &hash);
    /// let text = text.gpu_slices().expect("on a GPU");
    /// reducer.reduce_blocking(text, &Segments::offsets(&offsets[0]), &written[0])?;
    /// assert_eq!(hashes.download()?, [99_162_322, 1396, 113_318_802]);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    pub fn custom(context: &Context, operator: &CustomOperator<T, Out>) -> Self {
        Self::new(context, Custom::new()).with_program(operator.program())
    }
}
