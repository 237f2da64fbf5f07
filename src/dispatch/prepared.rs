//! Calls with everything allocated: [`Prepared`].

use crate::{
    device::{
        buffer::AnySlice,
        context::Context,
        extent::WORD_BYTES,
        readback::{Readback, Source, Staging},
    },
    dispatch::{plan::Plan, recording::Recording},
    error::PrepareError,
};
use std::{fmt, ops::Range, sync::Arc};

/// A call with everything allocated: record it as often as you like. `R` is what a readback brings: a reduction's value, an accumulator, the number of selected
/// elements, or all results.
///
/// Recordings share scratch memory. That is sound in any number of encoders, because the device runs them one after another.
pub struct Prepared<R> {
    pub(crate) plan: Plan,
    pub(crate) recording: Recording,
    pub(crate) output: Output<R>,
}

/// Where results are, and what they are on the host.
pub(crate) struct Output<R> {
    pub(crate) context: Context,
    /// With what errors call them.
    pub(crate) slices: Vec<(&'static str, AnySlice)>,
    pub(crate) decode: Decode<R>,
}

type Decode<R> = Arc<dyn Fn(&[u8]) -> R + Send + Sync>;

impl<R> Prepared<R> {
    /// Appends the dispatches to `encoder`, as one compute pass. Creates no GPU object.
    pub fn record(&self, encoder: &mut wgpu::CommandEncoder) {
        self.recording.record(encoder, None);
    }

    /// Appends the dispatches to a compute pass of the caller's. Creates no GPU object.
    ///
    /// A pass costs a GPU several microseconds, which is more than a small reduction does: many reductions are best
    /// recorded in one. Pipeline and bind group 0 of the pass are others afterwards.
    pub fn record_in(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.recording.record_in(pass);
    }

    /// [`Prepared::record`], with timestamps around the pass: those of a [`DeviceTimer`](crate::DeviceTimer), or of a query set
    /// of the caller's.
    pub fn record_timed(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        timestamp_writes: wgpu::ComputePassTimestampWrites<'_>,
    ) {
        self.recording.record(encoder, Some(timestamp_writes));
    }

    /// The plan. Of as many elements as a number on the device says it is for the most that there can be, without the dispatch that reads the number.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }
}

impl<R: 'static> Prepared<R> {
    /// [`Prepared::record`], and the way of all that the call writes to the host. Allocates a buffer. The output needs
    /// `wgpu::BufferUsages::COPY_SRC`. The readback resolves after the caller's submit.
    ///
    /// The value is what the output holds. Where a map's predicate leaves out every element, the output holds an extremum's neutral element
    /// ([`Reducer::map`](crate::Reducer::map)). Behind as many results as a number on the device says is what was there before.
    ///
    /// # Errors
    ///
    /// [`PrepareError`]; nothing was recorded then.
    pub fn record_readback(
        &self,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<Readback<R>, PrepareError> {
        let staging = self.output.staging()?;
        self.record(encoder);
        Ok(self.output.record(staging, encoder))
    }
}

impl<R: 'static> Output<R> {
    pub(crate) fn new(
        context: &Context,
        slices: Vec<AnySlice>,
        decode: impl Fn(&[u8]) -> R + Send + Sync + 'static,
    ) -> Self {
        let slices = slices.into_iter().map(|slice| ("output", slice)).collect();
        Self { context: context.clone(), slices, decode: Arc::new(decode) }
    }

    /// The bytes of each slice that has some.
    fn bytes(&self) -> impl Iterator<Item = (&wgpu::Buffer, Range<u64>)> {
        let filled = self.slices.iter().filter(|(_, slice)| !slice.is_empty());
        filled.map(|(_, slice)| (slice.buffer(), slice.bytes()))
    }

    /// Whole words around them, as copies have.
    fn sources(&self) -> Vec<Source<'_>> {
        let words = |(buffer, bytes): (_, Range<u64>)| {
            let offset_bytes = bytes.start / WORD_BYTES * WORD_BYTES;
            let size_bytes = (bytes.end - offset_bytes).next_multiple_of(WORD_BYTES);
            Source { buffer, offset_bytes, size_bytes }
        };
        self.bytes().map(words).collect()
    }

    fn staging(&self) -> Result<Staging, PrepareError> {
        let usage = wgpu::BufferUsages::COPY_SRC;
        self.slices.iter().try_for_each(|(name, slice)| slice.require_usage(name, usage))?;
        let size_bytes = self.sources().iter().map(|source| source.size_bytes).sum();
        Ok(Staging::allocate(&self.context, size_bytes)?)
    }

    /// Copies the results, and reads them when they are there.
    fn record(&self, staging: Staging, encoder: &mut wgpu::CommandEncoder) -> Readback<R> {
        let sources = self.sources();
        let mut begin = 0;
        let places = self.bytes().zip(&sources).map(|((_, bytes), source)| {
            let place = |byte: u64| usize::try_from(byte).expect("a readback is in memory");
            let first = begin + bytes.start - source.offset_bytes;
            begin += source.size_bytes;
            place(first)..place(first + bytes.end - bytes.start)
        });
        let places: Vec<Range<usize>> = places.collect();
        let decode = Arc::clone(&self.decode);
        staging.record(&self.context, encoder, &sources, move |words| match &places[..] {
            [place] => decode(&words[place.clone()]),
            places => {
                let results: Vec<&[u8]> = places.iter().map(|it| &words[it.clone()]).collect();
                decode(&results.concat())
            }
        })
    }
}

impl<R> fmt::Debug for Prepared<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { plan, output, .. } = self;
        f.debug_struct("Prepared")
            .field("plan", plan)
            .field("output", &output.slices)
            .finish_non_exhaustive()
    }
}
