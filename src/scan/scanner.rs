//! Scans on a device: [`Scanner`].

use crate::{
    algebra::{element::Element, narrow::loaded_words, precision::Precision, scan::Scan},
    device::{
        buffer::{self, GpuSlice},
        context::Context,
        error_scope::{self, Refusal},
        pool::Memory,
        readback::Staging,
    },
    dispatch::recording::{Part, Resources},
    error::{Error, PrepareError},
    reduce::{
        counted::{CountSlice, recorded},
        inputs::{AnyOperator, Input, spec_of},
    },
    scan::{
        output,
        plan::{ScanPlan, ScanProblem},
        planner::kept_by_scans,
        prepared::PreparedScan,
    },
    way::{Strategy, Variant, policy::Policy},
    wgsl::program::Program,
};
use std::{borrow::Cow, marker::PhantomData};

/// Scans elements of type `T` by the operator `Op`, on the device of a [`Context`]: each result is of the elements before it, and, if
/// it is an inclusive scan, of its own one.
///
/// The output has a result for each element, of the type that a reduction by the operator gives: of `u32` by
/// [`Sum`](crate::Sum) a `u32`, by [`SumWide`](crate::SumWide) a `u64`. It may be the input itself, if these are as large; else it has
/// to be in other buffers. Both may have several slices, cut in any way.
///
/// Results have the same bits on every device and on the CPU. Those of floats are the pairwise order's, as [`Scan`] says: each is
/// what a [`Reducer`](crate::Reducer) gives for the same elements. Options are taken by value. A scanner holds no GPU object of its own.
///
/// ```no_run
/// # fn example(context: &gridfold::Context, lengths: gridfold::wgpu::Buffer, begins: gridfold::wgpu::Buffer)
/// #     -> Result<(), gridfold::Error> {
/// use gridfold::{Scanner, Sum};
///
/// let scanner = Scanner::<u32, Sum>::new(context).exclusive();
/// scanner.scan_blocking(&lengths, &begins)?; // n begins of n lengths: no offsets, of which there are n + 1
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[doc(alias("DeviceScan", "prefix_sum"))]
pub struct Scanner<T, Op> {
    context: Context,
    scan: Scan<T>,
    variant: Variant,
    strategy: Strategy,
    precision: Precision,
    policy: Option<Policy>,
    program: Option<Program>,
    label: Cow<'static, str>,
    algebra: PhantomData<fn(T) -> Op>,
}

/// Where in a sequence a scan begins, and how far it goes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Start<'a> {
    /// At its beginning.
    First,
    /// There, as far as a number on the device says.
    Counted(&'a CountSlice),
    /// After so many elements, which have left this state: accumulators as the device has them.
    After { first: u64, state: &'a [u32] },
}

impl<T: Element, Op: AnyOperator<T, Inputs = Input<T>>> Scanner<T, Op> {
    /// An inclusive scan, without an initial value.
    pub fn new(context: &Context) -> Self {
        Self {
            context: context.clone(),
            scan: Scan::inclusive(),
            variant: Variant::default(),
            strategy: Strategy::default(),
            precision: Precision::default(),
            policy: None,
            program: None,
            label: Cow::Borrowed("gridfold scan"),
            algebra: PhantomData,
        }
    }

    /// The scanner with what the user has brought.
    pub(super) fn with_program(self, program: Program) -> Self {
        Self { program: Some(program), ..self }
    }

    /// Which scan it is: the default is an inclusive one.
    #[must_use]
    pub fn kind(self, scan: Scan<T>) -> Self {
        Self { scan, ..self }
    }

    /// An exclusive scan, with the same initial value.
    #[must_use]
    pub fn exclusive(self) -> Self {
        let scan = Scan::exclusive();
        let scan = self.scan.initial_value().map_or(scan, |initial| scan.initial(initial));
        Self { scan, ..self }
    }

    /// A value that comes before all elements, as [`Scan::initial`] says.
    #[must_use]
    pub fn initial(self, initial: T) -> Self {
        Self { scan: self.scan.initial(initial), ..self }
    }

    /// How invocations of a workgroup combine. The bits of results do not depend on it. Results that do not lie in whole groups of
    /// 16 bytes of the output's buffer, and sums and products of floats that integers make, go through workgroup memory in any variant.
    #[must_use]
    pub fn variant(self, variant: Variant) -> Self {
        Self { variant, ..self }
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
    /// * strided elements, and those of 64 bits that do not begin at a multiple of 8 bytes of their buffer;
    /// * outputs that do not begin at a multiple of 16 bytes of their buffer, or have no room there for the last write;
    /// * [`Product`](crate::Product), [`Mean`](crate::Mean), [`Norm`](crate::Norm) and [`SumOfSquares`](crate::SumOfSquares) of floats; floats that
    ///   integers add; several components;
    /// * operators, also [custom](Scanner::custom) ones, whose accumulator or result has more than two words, as that of places, of
    ///   [`NanMean`](crate::NanMean), of variances and of moments.
    #[must_use]
    pub fn strategy(self, strategy: Strategy) -> Self {
        Self { strategy, ..self }
    }

    /// Sets the promise of results: [`Precision::Reproducible`], the default, which [`Precision::Unordered`] ones keep, too. There are no
    /// exact scans of floats.
    #[must_use]
    pub fn precision(self, precision: Precision) -> Self {
        Self { precision, ..self }
    }

    /// How each of two passes is cut into workgroups; a single one always has the same blocks. The bits of results do not depend on it.
    #[must_use]
    pub fn policy(self, policy: Policy) -> Self {
        Self { policy: Some(policy), ..self }
    }

    /// The label of passes and buffers, for debuggers.
    #[must_use]
    pub fn label(self, label: impl Into<Cow<'static, str>>) -> Self {
        Self { label: label.into(), ..self }
    }

    pub(super) fn initial_value(&self) -> Option<T> {
        self.scan.initial_value()
    }

    /// The context that the scanner was made from.
    pub fn context(&self) -> &Context {
        &self.context
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
    ) -> Result<ScanPlan, PrepareError> {
        Ok(self.validate(0, &input.into(), &output.into())?.0)
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
        input: impl Into<Input<T>>,
        output: impl Into<Input<Op::Out>>,
    ) -> Result<PreparedScan<T, Op>, PrepareError> {
        self.prepare_in(&input.into(), &output.into(), Memory::Own)
    }

    /// [`Scanner::prepare`] for as many of the first elements of `input` as `count` says when the device comes there, such as a
    /// [`Compactor`](crate::Compactor) has written; all, if it says more than there are. `output` has room for all. The results are those of a scan of
    /// as many elements, to the bit, and the rest of the output stays as it is.
    ///
    /// # Errors
    ///
    /// As [`Scanner::prepare`]; [`PrepareError::StrategyUnfit`] of any strategy but `Auto` and `TwoPass`,
    /// [`PrepareError::NoCount`] if there is no number in `count`, [`PrepareError::OutputAliasing`] if the output
    /// would take its place.
    pub fn prepare_counted(
        &self,
        input: impl Into<Input<T>>,
        count: impl Into<CountSlice>,
        output: impl Into<Input<Op::Out>>,
    ) -> Result<PreparedScan<T, Op>, PrepareError> {
        let count = count.into();
        self.prepare_by(&input.into(), Start::Counted(&count), &output.into(), Memory::Own)
    }

    /// [`Scanner::prepare_counted`] and [`PreparedScan::record`] in one: allocates, and appends to the caller's encoder. Submits nothing, waits
    /// for nothing.
    ///
    /// # Errors
    ///
    /// As [`Scanner::prepare_counted`]; nothing was recorded then.
    pub fn record_counted(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        input: impl Into<Input<T>>,
        count: impl Into<CountSlice>,
        output: impl Into<Input<Op::Out>>,
    ) -> Result<(), PrepareError> {
        let (count, output) = (count.into(), output.into());
        let start = Start::Counted(&count);
        let prepared = self.prepare_by(&input.into(), start, &output, Memory::Pooled)?;
        error_scope::ensure_not_lost(self.context.device(), &self.label)?;
        prepared.record(encoder);
        Ok(())
    }

    fn prepare_in(
        &self,
        input: &Input<T>,
        output: &Input<Op::Out>,
        memory: Memory,
    ) -> Result<PreparedScan<T, Op>, PrepareError> {
        self.prepare_by(input, Start::First, output, memory)
    }

    pub(super) fn prepare_by(
        &self,
        input: &Input<T>,
        start: Start<'_>,
        output: &Input<Op::Out>,
        memory: Memory,
    ) -> Result<PreparedScan<T, Op>, PrepareError> {
        let (plan, output) = match start {
            Start::First => self.validate(0, input, output)?,
            Start::After { first, .. } => self.validate(first, input, output)?,
            // What is told how many blocks there are has two passes.
            Start::Counted(_) => {
                self.clone().strategy(self.counted_strategy()?).validate(0, input, output)?
            }
        };
        let count = match start {
            Start::Counted(count) => Some(count),
            Start::First | Start::After { .. } => None,
        };
        for slice in &output.0 {
            count.map_or(Ok(()), |count| count.check(slice))?;
        }
        let context = &self.context;
        let scratch = match plan.scratch_bytes() {
            0 => None,
            size_bytes => Some((self.scratch(start, memory, size_bytes)?, size_bytes)),
        };
        let progress = match plan.progress_bytes() {
            0 => None,
            size_bytes => {
                Some((context.pool().progress(memory, &self.label, size_bytes)?, size_bytes))
            }
        };
        let resources = Resources {
            left: &input.0.iter().map(GpuSlice::buffer).collect::<Vec<_>>(),
            right: &output.0.iter().map(GpuSlice::buffer).collect::<Vec<_>>(),
            third: &[],
            scratch: scratch.as_ref().map(|(buffer, size)| Part::first(buffer, *size)),
            accumulator: progress.as_ref().map(|(buffer, size)| Part::first(buffer, *size)),
            result: None,
            jobs: None,
        };
        let label = self.label.clone();
        let counted = (plan.len, count);
        let recording = recorded(context, label, &plan.dispatches, counted, resources, memory)?;
        if memory == Memory::Own {
            error_scope::ensure_not_lost(context.device(), "a scan")?;
        }
        Ok(PreparedScan { plan, recording, output, element: PhantomData })
    }

    fn scratch(
        &self,
        start: Start<'_>,
        memory: Memory,
        size_bytes: u64,
    ) -> Result<wgpu::Buffer, Refusal> {
        match start {
            Start::First | Start::Counted(_) => {
                self.context.pool().scratch(memory, &self.label, size_bytes, false)
            }
            // No other recording may write to it. It begins with a word that nothing counts in.
            Start::After { state, .. } => {
                let words = [&[0], state].concat();
                let (device, usage) = (self.context.device(), wgpu::BufferUsages::STORAGE);
                let bytes = bytemuck::cast_slice(&words);
                buffer::create_filled(device, &self.label, size_bytes, usage, bytes)
            }
        }
    }

    /// [`Scanner::prepare`] and [`PreparedScan::record`] in one: allocates, and appends to the caller's encoder. Submits nothing, waits
    /// for nothing.
    ///
    /// # Errors
    ///
    /// As [`Scanner::prepare`]; nothing was recorded then.
    pub fn record(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        input: impl Into<Input<T>>,
        output: impl Into<Input<Op::Out>>,
    ) -> Result<(), PrepareError> {
        let prepared = self.prepare_in(&input.into(), &output.into(), Memory::Pooled)?;
        error_scope::ensure_not_lost(self.context.device(), &self.label)?;
        prepared.record(encoder);
        Ok(())
    }

    /// Scans `input` to `output`: allocates, submits, and completes when the device is done, under any executor.
    ///
    /// # Errors
    ///
    /// [`Error::Prepare`] before anything is submitted, [`Error::Read`] after.
    pub async fn scan(
        &self,
        input: impl Into<Input<T>>,
        output: impl Into<Input<Op::Out>>,
    ) -> Result<(), Error> {
        let (readback, _) = self.submit(&input.into(), Start::First, &output.into())?;
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
        input: impl Into<Input<T>>,
        output: impl Into<Input<Op::Out>>,
    ) -> Result<(), Error> {
        let (readback, submission) = self.submit(&input.into(), Start::First, &output.into())?;
        Ok(readback.wait_submitted(submission)?)
    }

    pub(super) fn submit(
        &self,
        input: &Input<T>,
        start: Start<'_>,
        output: &Input<Op::Out>,
    ) -> Result<(crate::Readback<()>, wgpu::SubmissionIndex), PrepareError> {
        let prepared = self.prepare_by(input, start, output, Memory::Pooled)?;
        // Of nothing but the proof that the device is done.
        let staging = Staging::allocate(&self.context, 0)?;
        let mut encoder = self.context.create_encoder(&self.label)?;
        prepared.record(&mut encoder);
        let readback = staging.record(&self.context, &mut encoder, &[], |_| ());
        Ok((readback, self.context.submit(encoder)?))
    }

    fn counted_strategy(&self) -> Result<Strategy, PrepareError> {
        match self.strategy {
            Strategy::Auto | Strategy::TwoPass => Ok(Strategy::TwoPass),
            strategy => {
                let spec = spec_of::<T, Op>(self.program)?;
                Err(PrepareError::StrategyUnfit {
                    strategy,
                    precision: kept_by_scans(spec),
                    what: "counted scan",
                    operator: spec.operator,
                    element: T::TYPE,
                    fitting: &[Strategy::Auto, Strategy::TwoPass],
                    looser: None,
                })
            }
        }
    }

    /// The plan, and what is written of the output.
    fn validate(
        &self,
        first: u64,
        input: &Input<T>,
        output: &Input<Op::Out>,
    ) -> Result<(ScanPlan, Input<Op::Out>), PrepareError> {
        let spec = spec_of::<T, Op>(self.program)?;
        PrepareError::check_scan(spec, self.precision, self.scan)?;
        let (output, in_place) = output::check(input, output)?;
        let problem = ScanProblem {
            spec,
            program: self.program,
            slices: input.0.iter().map(GpuSlice::extent).collect(),
            output_slices: output.0.iter().map(GpuSlice::extent).collect(),
            in_place,
            first,
            is_inclusive: self.scan.is_inclusive(),
            initial: self.scan.initial_value().map(|initial| {
                let lifted = Op::lifted_words(initial).filter(|_| spec.takes_lifted_initial());
                lifted.unwrap_or_else(|| loaded_words(initial))
            }),
            variant: self.variant,
            strategy: self.strategy,
            policy: self.policy,
        };
        Ok((ScanPlan::new(&problem, self.context.capabilities())?, output))
    }
}
