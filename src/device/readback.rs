//! Results on their way back from the device.

#[cfg(not(target_arch = "wasm32"))]
use crate::device::poller::{Poller, Waiting};
use crate::{
    device::{
        buffer,
        context::Context,
        error_scope::{self, Refusal},
        extent::WORD_BYTES,
        mapping::Mapping,
        pool::{MARKERS, Mapped, Pool, PooledReadback, READBACK_BYTES},
    },
    error::{PrepareError, ReadError},
};
use std::{
    fmt,
    ops::Range,
    pin::Pin,
    sync::Arc,
    task::{self, Poll, ready},
};

/// How long [`Readback::wait_blocking`] believes that a submission may still show.
#[cfg(not(target_arch = "wasm32"))]
const NOT_SUBMITTED_MS: u32 = 50;

/// A value that the host gets once the device is done: a future.
///
/// It resolves after the encoder that it was recorded into is submitted, under any executor: the caller
/// need not poll the device. While a readback is awaited, a thread named `gridfold poller` polls, and callbacks
/// of the caller's that wgpu has to run may run on it. Dropping a readback gives up the value and nothing
/// else.
///
/// Awaiting polls the device without a pause for 200 µs at first, which is more than a small reduction takes, and then leaves the
/// core to others. Blocking calls do so on a GPU.
#[must_use = "the value arrives by awaiting this, or by `wait_blocking`"]
pub struct Readback<V> {
    arrival: Arrival,
    decode: Option<Decode<V>>,
}

/// A value's bytes on their way, without the value's type.
struct Arrival {
    /// Gone when the value is made.
    staging: Option<Staging>,
    pool: Arc<Pool>,
    mapping: Mapping,
    #[cfg(not(target_arch = "wasm32"))]
    poller: Arc<Poller>,
    /// From the first time the future is polled until it is done.
    #[cfg(not(target_arch = "wasm32"))]
    waiting: Option<Waiting>,
}

/// Makes the value of the bytes that arrive.
type Decode<V> = Box<dyn FnOnce(&[u8]) -> V + Send>;

/// A run of bytes to bring to the host.
pub(crate) struct Source<'a> {
    pub(crate) buffer: &'a wgpu::Buffer,
    pub(crate) offset_bytes: u64,
    pub(crate) size_bytes: u64,
}

/// A buffer that the host will map, for a readback. Allocating it comes before anything is recorded, recording can't fail.
pub(crate) struct Staging {
    buffer: wgpu::Buffer,
    /// Of the values together.
    size_bytes: u64,
    proof: Proof,
}

/// What tells that the values are those of this submission. wgpu maps the buffer also when it rejected the commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Proof {
    /// One of the [`MARKERS`], which comes before the values: the caller submits, and wgpu tells the caller alone what it rejects.
    Marker(usize),
    /// The submission is this library's, on a backend that tells of all that fails ([`Pool::hears_failures`]), and wgpu told of
    /// no error. The marker is left as it was, for the next time.
    Submission { next_marker: usize },
    /// The same, and the kernels write to this buffer themselves.
    Written,
}

const MARKER_BYTES: u64 = 4;

impl Staging {
    /// For `size_bytes` bytes of sources together, which the caller submits.
    pub(crate) fn allocate(context: &Context, size_bytes: u64) -> Result<Self, Refusal> {
        error_scope::ensure_not_lost(context.device(), "gridfold readback")?;
        let PooledReadback { buffer, marker } = Self::pooled(context, size_bytes)?;
        Ok(Self { buffer, size_bytes, proof: Proof::Marker(marker) })
    }

    /// The same for what is submitted by [`Context::submit`]. It is found out later whether the device is lost.
    pub(crate) fn allocate_own(context: &Context, size_bytes: u64) -> Result<Self, Refusal> {
        if !context.pool().hears_failures() {
            return Self::allocate(context, size_bytes);
        }
        let PooledReadback { buffer, marker } = Self::pooled(context, size_bytes)?;
        Ok(Self { buffer, size_bytes, proof: Proof::Submission { next_marker: marker } })
    }

    /// The same, where kernels can write to what the host maps: nothing is copied then.
    pub(crate) fn allocate_written(
        context: &Context,
        size_bytes: u64,
    ) -> Result<Option<Self>, Refusal> {
        if !context.pool().maps_results() || !(1..=READBACK_BYTES).contains(&size_bytes) {
            return Ok(None);
        }
        let PooledReadback { buffer, .. } = context.pool().readback(Mapped::Written)?;
        Ok(Some(Self { buffer, size_bytes, proof: Proof::Written }))
    }

    fn pooled(context: &Context, size_bytes: u64) -> Result<PooledReadback, Refusal> {
        let size_with_marker = size_bytes + MARKER_BYTES;
        if size_with_marker <= READBACK_BYTES {
            return context.pool().readback(Mapped::Copied);
        }
        let usage = Mapped::Copied.usage();
        let buffer =
            buffer::create(context.device(), "gridfold readback", size_with_marker, usage)?;
        Ok(PooledReadback { buffer, marker: 0 })
    }

    /// The buffer, where kernels write to it themselves.
    pub(crate) fn buffer(&self) -> &wgpu::Buffer {
        &self.buffer
    }

    fn values_begin(&self) -> u64 {
        if self.proof == Proof::Written { 0 } else { MARKER_BYTES }
    }

    /// Records copies of `sources`, one after another, and the mapping once the encoder is submitted.
    pub(crate) fn record<V>(
        self,
        context: &Context,
        encoder: &mut wgpu::CommandEncoder,
        sources: &[Source<'_>],
        decode: impl FnOnce(&[u8]) -> V + Send + 'static,
    ) -> Readback<V> {
        if let Proof::Marker(marker) = self.proof {
            let begin = marker as u64 * MARKER_BYTES;
            encoder.copy_buffer_to_buffer(context.markers(), begin, &self.buffer, 0, MARKER_BYTES);
        }
        let mut end = self.values_begin();
        for &Source { buffer, offset_bytes, size_bytes } in sources {
            if self.proof != Proof::Written {
                encoder.copy_buffer_to_buffer(buffer, offset_bytes, &self.buffer, end, size_bytes);
            }
            end += size_bytes;
        }
        debug_assert_eq!(end, self.values_begin() + self.size_bytes, "as much as was allocated");
        let mapping = Mapping::on_submit(encoder, &self.buffer, wgpu::MapMode::Read, 0..end);
        let arrival = Arrival {
            staging: Some(self),
            pool: Arc::clone(context.pool()),
            mapping,
            #[cfg(not(target_arch = "wasm32"))]
            poller: Arc::clone(context.poller()),
            #[cfg(not(target_arch = "wasm32"))]
            waiting: None,
        };
        Readback { arrival, decode: Some(Box::new(decode)) }
    }
}

/// Submits what is recorded. Nothing comes to the host but the proof that the device is done.
pub(crate) fn submit_alone(
    context: &Context,
    label: &str,
    record: impl FnOnce(&mut wgpu::CommandEncoder) -> Result<(), PrepareError>,
) -> Result<(Readback<()>, wgpu::SubmissionIndex), PrepareError> {
    let staging = Staging::allocate(context, 0)?;
    let mut encoder = context.create_encoder(label)?;
    record(&mut encoder)?;
    let readback = staging.record(context, &mut encoder, &[], |_| ());
    Ok((readback, context.submit(encoder)?))
}

/// Copies a range of a buffer to the host, in a submission of its own. Whole words are copied, and `decode` gets the bytes asked for.
pub(crate) fn submit_copy<V>(
    context: &Context,
    label: &str,
    buffer: &wgpu::Buffer,
    bytes: Range<u64>,
    decode: impl FnOnce(&[u8]) -> V + Send + 'static,
) -> Result<(Readback<V>, wgpu::SubmissionIndex), Refusal> {
    let offset_bytes = bytes.start / WORD_BYTES * WORD_BYTES;
    let size_bytes = (bytes.end - offset_bytes).next_multiple_of(WORD_BYTES);
    let place = |byte: u64| usize::try_from(byte - offset_bytes).expect("it is mapped at once");
    let wanted = place(bytes.start)..place(bytes.end);
    let mut encoder = context.create_encoder(label)?;
    let staging = Staging::allocate(context, size_bytes)?;
    let source = Source { buffer, offset_bytes, size_bytes };
    let readback = staging.record(context, &mut encoder, &[source], |words| decode(&words[wanted]));
    Ok((readback, context.submit(encoder)?))
}

impl<V> Readback<V> {
    fn decode(&mut self, mapped: Result<(), ReadError>) -> Result<V, ReadError> {
        let mut value = None;
        self.arrival.read(mapped, &mut |bytes| {
            value = self.decode.take().map(|decode| decode(bytes));
        })?;
        // Gone only if the future is polled after it is done.
        value.ok_or(ReadError::Dropped)
    }
}

impl Arrival {
    fn read(
        &mut self,
        mapped: Result<(), ReadError>,
        take: &mut dyn FnMut(&[u8]),
    ) -> Result<(), ReadError> {
        mapped.and_then(|()| self.try_read(take)).map_err(|error| self.explain(error))
    }

    fn try_read(&mut self, take: &mut dyn FnMut(&[u8])) -> Result<(), ReadError> {
        // Gone only if the future is polled after it is done.
        let staging = self.staging.take().ok_or(ReadError::Dropped)?;
        let Staging { buffer, size_bytes, proof } = &staging;
        let begin = staging.values_begin();
        let bytes = buffer
            .get_mapped_range(0..begin + size_bytes)
            .map_err(|error| ReadError::Map(error.to_string()))?;
        let (marker, values) = bytes.split_at(usize::try_from(begin).unwrap_or_default());
        let (kind, next_marker) = match *proof {
            Proof::Marker(index) if marker != bytemuck::bytes_of(&MARKERS[index]) => {
                return Err(ReadError::Rejected);
            }
            Proof::Marker(index) => (Mapped::Copied, (index + 1) % MARKERS.len()),
            Proof::Submission { next_marker } => (Mapped::Copied, next_marker),
            Proof::Written => (Mapped::Written, 0),
        };
        take(values);
        drop(bytes);
        // Refused if another thread has destroyed the device meanwhile, which is no harm to the value.
        let device = self.pool.device();
        if error_scope::capture(device, "gridfold readback", || buffer.unmap()).is_ok() {
            let buffer = staging.buffer;
            self.pool.put_back(kind, PooledReadback { buffer, marker: next_marker });
        }
        Ok(())
    }

    /// What fails on a lost device fails for many reasons, of which this is the first.
    fn explain(&self, error: ReadError) -> ReadError {
        #[cfg(not(target_arch = "wasm32"))]
        if error_scope::is_lost(self.poller.device()) {
            return ReadError::DeviceLost;
        }
        error
    }

    /// `Ok` with the news of the mapping; an error if there will be none.
    fn poll(
        &mut self,
        cx: &mut task::Context<'_>,
    ) -> Poll<Result<Result<(), ReadError>, ReadError>> {
        let mapped = Pin::new(&mut self.mapping).poll(cx);
        #[cfg(not(target_arch = "wasm32"))]
        if mapped.is_pending() {
            let waiting = self.waiting.get_or_insert_with(|| self.poller.wait());
            waiting.wake_on_failure(cx.waker());
            if waiting.has_failed() {
                let failed = "the device could not be polled".to_owned();
                return Poll::Ready(Err(self.explain(ReadError::Map(failed))));
            }
        }
        let mapped = ready!(mapped);
        #[cfg(not(target_arch = "wasm32"))]
        {
            self.waiting = None;
        }
        Poll::Ready(Ok(mapped))
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl<V> Readback<V> {
    /// Blocks until the value is there. Submit the encoder first.
    ///
    /// Polls a GPU for up to 200 µs without a pause, and then has wgpu wait, as long as the device takes. A caller that needs a bound
    /// awaits the readback beside a timer.
    ///
    /// # Errors
    ///
    /// [`ReadError::NotSubmitted`] if the device has nothing left to do and the value is still not there
    /// after 50 ms, [`ReadError::Dropped`] if the encoder was dropped, [`ReadError::Rejected`] if wgpu
    /// rejected what was submitted, [`ReadError::DeviceLost`] if the device is lost.
    pub fn wait_blocking(mut self) -> Result<V, ReadError> {
        let mapped = self.arrival.wait()?;
        self.decode(mapped)
    }

    /// Blocks until the value of a submission is there.
    pub(crate) fn wait_submitted(
        mut self,
        submission: wgpu::SubmissionIndex,
    ) -> Result<V, ReadError> {
        let mapped = self.arrival.wait_submitted(submission)?;
        self.decode(mapped)
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl Arrival {
    /// As [`Readback::wait_blocking`], for the news of the mapping.
    fn wait(&mut self) -> Result<Result<(), ReadError>, ReadError> {
        if let Some(mapped) = self.spin()? {
            return Ok(mapped);
        }
        // Another thread that polls the device may be about to deliver what this one waits for.
        for _ in 0..NOT_SUBMITTED_MS {
            self.poller.poll_device().map_err(|error| self.explain(error))?;
            if let Poll::Ready(mapped) = self.mapping.now() {
                return Ok(mapped);
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        Err(self.explain(ReadError::NotSubmitted))
    }

    fn wait_submitted(
        &mut self,
        submission: wgpu::SubmissionIndex,
    ) -> Result<Result<(), ReadError>, ReadError> {
        if let Some(mapped) = self.spin()? {
            return Ok(mapped);
        }
        self.poller.poll_submission(submission).map_err(|error| self.explain(error))?;
        // Delivered by that poll, or by one of another thread at the same time.
        Ok(pollster::block_on(&mut self.mapping))
    }

    /// The news, if it comes while polling without a pause is worth it.
    fn spin(&mut self) -> Result<Option<Result<(), ReadError>>, ReadError> {
        let poller = Arc::clone(&self.poller);
        let news = poller.spin(|| match self.mapping.now() {
            Poll::Ready(mapped) => Some(mapped),
            Poll::Pending => None,
        });
        news.map_err(|error| self.explain(error))
    }
}

impl<V> Future for Readback<V> {
    type Output = Result<V, ReadError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut task::Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let mapped = ready!(this.arrival.poll(cx))?;
        Poll::Ready(this.decode(mapped))
    }
}

impl<V> fmt::Debug for Readback<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Readback")
            .field("staging", &self.arrival.staging.as_ref().map(Staging::buffer))
            .finish_non_exhaustive()
    }
}
