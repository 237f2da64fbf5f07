//! Scans that go on after a part of the sequence.

use crate::{
    algebra::{element::Element, operator::Operator},
    cpu::{Before, runs},
    device::{buffer::AnySlice, pool::Memory},
    dispatch::prepared::Prepared,
    error::Error,
    partial::{AnyPartial, Partial},
    reduce::{inputs::Input, plan::LEVELS},
    scan::{
        any_scanner::{AnyScanner, Start},
        scanner::Scanner,
    },
};

/// What a part leaves to the scan that goes on after it.
struct State {
    first: u64,
    words: Vec<u32>,
}

impl State {
    fn start(&self) -> Start<'_> {
        match self.first {
            0 => Start::First,
            first => Start::After { first, state: &self.words },
        }
    }
}

impl<T: Element, Op: Operator<T>> Scanner<T, Op> {
    /// [`Scanner::prepare`] of a scan that goes on after a part of the sequence: `before` is what all elements before the input come to, on
    /// whatever device. So results are those of a scan of the whole sequence in one piece, to the bit, wherever it is cut.
    ///
    /// What the next piece goes on from is `before` merged with the input's own part ([`Partial::merge`],
    /// [`Reducer::reduce_part`](crate::Reducer::reduce_part)). An initial value comes before the whole sequence: all pieces have the same. Such
    /// scans go in two passes, under any [`Scanner::strategy`].
    ///
    /// ```no_run
    /// # fn example(context: &gridfold::Context, input: gridfold::wgpu::Buffer, output: gridfold::wgpu::Buffer)
    /// #     -> Result<(), gridfold::Error> {
    /// use gridfold::{Executor, GpuSlice, Partial, Reducer, Scanner, Sum};
    ///
    /// // A part that came from elsewhere, perhaps as bytes.
    /// let before: Partial<f32, Sum> = Executor::cpu().reduce_part(&[0.1; 1000], 0, Sum)?;
    /// Scanner::<f32, _>::new(context, Sum).scan_after_blocking(&before, &input, &output)?;
    /// let own = Reducer::<f32, _>::new(context, Sum).reduce_part_blocking(&input, 1000)?;
    /// let for_the_next = before.merge(&own)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::Partial`] if `before` does not begin the sequence, is exact and a scan rounds, or is of other options than the scanner.
    /// [`Error::Prepare`] as of [`Scanner::prepare`], and [`PrepareError::TooLong`](crate::PrepareError::TooLong) of positions beyond 2^40.
    pub fn prepare_after(
        &self,
        before: &Partial<T, Op>,
        input: impl Into<Input<T>>,
        output: impl Into<Input<Op::Out>>,
    ) -> Result<Prepared<Vec<Op::Out>>, Error> {
        let state = self.state_of(before)?;
        let (input, output) = (input.into().into_slices(), output.into().into_slices());
        Ok(self.prepare_by(&input, state.start(), &output, Memory::Own)?)
    }

    /// Scans `input` to `output` after a part of the sequence, as [`Scanner::prepare_after`] says: allocates, submits, and completes when
    /// the device is done, under any executor.
    ///
    /// # Errors
    ///
    /// As [`Scanner::prepare_after`] before anything is submitted, [`Error::Read`] after.
    pub async fn scan_after(
        &self,
        before: &Partial<T, Op>,
        input: impl Into<Input<T>>,
        output: impl Into<Input<Op::Out>>,
    ) -> Result<(), Error> {
        let state = self.state_of(before)?;
        let (readback, _) = self.submit(input.into(), state.start(), output.into())?;
        Ok(readback.await?)
    }

    /// [`Scanner::scan_after`], blocking.
    ///
    /// # Errors
    ///
    /// As [`Scanner::scan_after`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn scan_after_blocking(
        &self,
        before: &Partial<T, Op>,
        input: impl Into<Input<T>>,
        output: impl Into<Input<Op::Out>>,
    ) -> Result<(), Error> {
        let state = self.state_of(before)?;
        let (readback, submission) = self.submit(input.into(), state.start(), output.into())?;
        Ok(readback.wait_submitted(submission)?)
    }

    fn state_of(&self, before: &Partial<T, Op>) -> Result<State, Error> {
        before.any().check_operator(&self.any.of_type)?;
        let initial = self.initial_value();
        State::of(initial.as_ref().map(bytemuck::bytes_of), before.any())
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl AnyScanner {
    /// Scans elements after a part of the sequence, or from its beginning on, and waits.
    pub(crate) fn scan_blocking(
        &self,
        before: Option<&AnyPartial>,
        input: &[AnySlice],
        output: &[AnySlice],
    ) -> Result<(), Error> {
        let state = before.map(|before| State::of(None, before)).transpose()?;
        let start = state.as_ref().map_or(Start::First, State::start);
        let (readback, submission) = self.submit(input, start, output)?;
        Ok(readback.wait_submitted(submission)?)
    }
}

impl State {
    /// As a launch before would have left it: the total so far, or the run of each level.
    fn of(initial: Option<&[u8]>, before: &AnyPartial) -> Result<Self, Error> {
        let (fold, first) = (before.fold(), before.range().end);
        let totals = match before.before()? {
            // A launch that goes on asks for no initial value.
            Before::Total { total, .. } => vec![match initial {
                Some(initial) => fold.combine(&fold.lift(initial), &total, false),
                None => total,
            }],
            Before::Runs(runs) => {
                let mut levels = vec![fold.identity(); LEVELS as usize];
                for (run, total) in runs::positions(0, first).zip(runs.totals()) {
                    levels[(run.end - run.start).ilog2() as usize] = total.clone();
                }
                levels
            }
        };
        let words = totals.iter().flat_map(|total| fold.write(total).to_vec()).collect();
        Ok(Self { first, words })
    }
}
