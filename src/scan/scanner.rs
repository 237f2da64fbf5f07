//! Scans on a device: [`Scanner`].

use crate::{
    algebra::{element::Element, operator::Operator, precision::Precision, scan::Scan},
    custom::any_operator::program_of,
    device::{buffer::AnySlice, context::Context, pool::Memory, readback::Readback},
    dispatch::{
        plan::Plan,
        prepared::{Output, Prepared},
    },
    error::{Error, PrepareError},
    reduce::{
        counted::Counted,
        inputs::{Input, spec_of_types},
    },
    scan::any_scanner::{AnyPrepared, AnyScanner, Start},
    way::{Strategy, Variant, policy::Policy},
};
use std::{borrow::Cow, marker::PhantomData};

/// Scans elements of type `T` by the operator `Op`, on the device of a [`Context`]: each result is of the elements before it, and, if
/// it is an inclusive scan, of its own one.
///
/// The output has a result for each element, of the type that a reduction by the operator gives: of `u32` by
/// [`Sum`](struct@crate::Sum) a `u32`, by [`SumWide`](crate::SumWide) a `u64`. It may be the input itself, if these are as large; else it has
/// to be in other buffers. Both may have several slices, cut in any way. Of a mask of [`Bits`](crate::Bits) each word has a result, which is of all flags up to
/// its last one: an exclusive scan by [`Count`](crate::Count) says how many flags are set before each word. Over a mask
/// that begins or ends within a word whole words are written, with the bits around it.
///
/// Results have the same bits on every device and on the CPU. Those of floats are the pairwise order's, as [`Scan`] says: each is
/// what a [`Reducer`](crate::Reducer) gives for the same elements. Options are taken by value. A scanner holds no GPU object of its own.
///
/// ```no_run
/// # fn example(context: &gridfold::Context, lengths: gridfold::wgpu::Buffer, begins: gridfold::wgpu::Buffer)
/// #     -> Result<(), gridfold::Error> {
/// use gridfold::{Scanner, Sum};
///
/// let scanner = Scanner::<u32, _>::new(context, Sum).exclusive();
/// scanner.scan_blocking(&lengths, &begins)?; // n begins of n lengths: no offsets, of which there are n + 1
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[doc(alias("DeviceScan", "prefix_sum"))]
pub struct Scanner<T, Op> {
    pub(super) any: AnyScanner,
    scan: Scan<T>,
    types: PhantomData<fn(T) -> Op>,
}

impl<T: Element, Op: Operator<T>> Scanner<T, Op> {
    /// An inclusive scan, without an initial value.
    pub fn new(context: &Context, op: Op) -> Self {
        let any = AnyScanner::new(context, spec_of_types::<T, Op>(&op));
        Self::of(AnyScanner { program: program_of::<T, Op>(&op), ..any })
    }

    /// The scanner that does this. It is of these types.
    pub(crate) fn of(any: AnyScanner) -> Self {
        Self { any, scan: Scan::inclusive(), types: PhantomData }
    }

    /// Which scan it is: the default is an inclusive one.
    #[must_use]
    pub fn kind(self, scan: Scan<T>) -> Self {
        let initial = scan.initial_value();
        let initial = initial.as_ref().map(bytemuck::bytes_of);
        let any = self.any.kind(scan.is_inclusive(), initial);
        Self { any, scan, ..self }
    }

    /// An exclusive scan, with the same initial value.
    #[must_use]
    pub fn exclusive(self) -> Self {
        let scan = Scan::exclusive();
        let scan = self.scan.initial_value().map_or(scan, |initial| scan.initial(initial));
        self.kind(scan)
    }

    /// A value that comes before all elements, as [`Scan::initial`] says.
    #[must_use]
    pub fn initial(self, initial: T) -> Self {
        let scan = self.scan.initial(initial);
        self.kind(scan)
    }

    /// How invocations of a workgroup combine. The bits of results do not depend on it. Results that do not lie in whole groups of
    /// 16 bytes of the output's buffer, and sums and products of floats that integers make, go through workgroup memory in any variant.
    #[must_use]
    pub fn variant(self, variant: Variant) -> Self {
        Self { any: AnyScanner { variant, ..self.any }, ..self }
    }

    /// How often the input is read. The bits of results do not depend on it.
    ///
    /// * [`Strategy::TwoPass`] reduces, then scans: two passes over the input, and one over blocks' totals in between.
    /// * [`Strategy::SinglePass`]: each workgroup looks back for what is before its block. It takes coherent memory, and no promise of progress: a
    ///   workgroup that another one lets wait does the other one's part itself.
    /// * [`Strategy::Auto`], the default, is the faster of them, as far as the device was measured.
    ///
    /// **Give the output's buffer a size that is a multiple of 16 bytes.** Kernels write 16 bytes at a time. Without room for the last write a scan of
    /// more than 8192 elements goes in two passes, and takes three dispatches more.
    ///
    /// These go in two passes under any strategy, without an error:
    ///
    /// * scans in place, and those that go on after a part;
    /// * inputs or outputs of several slices, or longer than a binding; more elements than 8192 for each workgroup of a dispatch;
    /// * strided elements of less than 32 bits;
    /// * outputs that do not begin at a multiple of 16 bytes of their buffer, or have no room there for the last write;
    /// * [`Product`](crate::Product), [`Mean`](struct@crate::Mean), [`Norm`](crate::Norm) and [`SumOfSquares`](crate::SumOfSquares) of floats; floats that
    ///   integers add; several components;
    /// * operators, also [users' own](crate::CustomOperator), whose accumulator or result has more than two words, as that of places, of
    ///   [`Mean.nan(Nan::Ignore)`](struct@crate::Mean), of variances and of moments.
    #[must_use]
    pub fn strategy(self, strategy: Strategy) -> Self {
        Self { any: AnyScanner { strategy, ..self.any }, ..self }
    }

    /// Sets the promise of results. [`Precision::Reproducible`] is the default, and [`Precision::Unordered`] gives the same bits. There are
    /// no exact scans of floats.
    #[must_use]
    pub fn precision(self, precision: Precision) -> Self {
        Self { any: AnyScanner { precision, ..self.any }, ..self }
    }

    /// How each of two passes is cut into workgroups; a single one always has the same blocks. The bits of results do not depend on it.
    #[must_use]
    pub fn policy(self, policy: Policy) -> Self {
        Self { any: AnyScanner { policy: Some(policy), ..self.any }, ..self }
    }

    /// The label of passes and buffers, for debuggers.
    #[must_use]
    pub fn label(self, label: impl Into<Cow<'static, str>>) -> Self {
        Self { any: AnyScanner { label: label.into(), ..self.any }, ..self }
    }

    pub(super) fn initial_value(&self) -> Option<T> {
        self.scan.initial_value()
    }

    /// The context that the scanner was made from.
    pub fn context(&self) -> &Context {
        &self.any.context
    }

    /// The plan for an input and an output, without allocating anything.
    ///
    /// # Errors
    ///
    /// As [`Scanner::prepare`].
    pub fn plan(
        &self,
        input: impl Into<Input<T>>,
        output: impl Into<Input<Op::Out>>,
    ) -> Result<Plan, PrepareError> {
        let (input, output) = (input.into().into_slices(), output.into().into_slices());
        Ok(self.any.validate(0, &input, &output)?.0.into())
    }

    /// Allocates everything that scanning `input` to `output` takes. Submits nothing, waits for nothing.
    ///
    /// All need `wgpu::BufferUsages::STORAGE`. Of an output that is longer than the input the rest stays as it is. The output's buffer has best a size
    /// that is a multiple of 16 bytes ([`Scanner::strategy`]).
    ///
    /// # Errors
    ///
    /// [`PrepareError::ShortOutput`] if there is no room for all results. [`PrepareError::ScanAliasing`] if an output slice lies in a buffer
    /// of the input, and the output is not the input itself; or if two output slices overlap. [`PrepareError::NoScan`], [`PrepareError::NoInitialValue`] and
    /// [`PrepareError::NoExactScan`] where there are no such scans, and others as of a reduction. Nothing of the caller's is changed then.
    pub fn prepare(
        &self,
        input: impl Into<Counted<T>>,
        output: impl Into<Input<Op::Out>>,
    ) -> Result<Prepared<Vec<Op::Out>>, PrepareError> {
        let Counted { input, count } = input.into();
        let (input, output) = (input.into_slices(), output.into().into_slices());
        self.prepare_by(&input, Start::of(count.as_ref()), &output, Memory::Own)
    }

    pub(super) fn prepare_by(
        &self,
        input: &[AnySlice],
        start: Start<'_>,
        output: &[AnySlice],
        memory: Memory,
    ) -> Result<Prepared<Vec<Op::Out>>, PrepareError> {
        let AnyPrepared { plan, recording, output } =
            self.any.prepare(input, start, output, memory)?;
        let output = Output::new(self.context(), output, bytemuck::pod_collect_to_vec);
        Ok(Prepared { plan: plan.into(), recording, output })
    }

    /// [`Scanner::prepare`] and [`Prepared::record`] in one: allocates, and appends to the caller's encoder. Submits nothing, waits
    /// for nothing.
    ///
    /// # Errors
    ///
    /// As [`Scanner::prepare`]; nothing was recorded then.
    pub fn record(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        input: impl Into<Counted<T>>,
        output: impl Into<Input<Op::Out>>,
    ) -> Result<(), PrepareError> {
        let Counted { input, count } = input.into();
        let (input, output) = (input.into_slices(), output.into().into_slices());
        self.any.record(encoder, &input, Start::of(count.as_ref()), &output)
    }

    /// Scans `input` to `output`: allocates, submits, and completes when the device is done, under any executor.
    ///
    /// # Errors
    ///
    /// [`Error::Prepare`] before anything is submitted, [`Error::Read`] after.
    pub async fn scan(
        &self,
        input: impl Into<Counted<T>>,
        output: impl Into<Input<Op::Out>>,
    ) -> Result<(), Error> {
        let Counted { input, count } = input.into();
        let (readback, _) = self.submit(input, Start::of(count.as_ref()), output.into())?;
        Ok(readback.await?)
    }

    /// [`Scanner::scan`], blocking.
    ///
    /// # Errors
    ///
    /// As [`Scanner::scan`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn scan_blocking(
        &self,
        input: impl Into<Counted<T>>,
        output: impl Into<Input<Op::Out>>,
    ) -> Result<(), Error> {
        let Counted { input, count } = input.into();
        let start = Start::of(count.as_ref());
        let (readback, submission) = self.submit(input, start, output.into())?;
        Ok(readback.wait_submitted(submission)?)
    }

    pub(super) fn submit(
        &self,
        input: Input<T>,
        start: Start<'_>,
        output: Input<Op::Out>,
    ) -> Result<(Readback<()>, wgpu::SubmissionIndex), PrepareError> {
        self.any.submit(&input.into_slices(), start, &output.into_slices())
    }
}
