//! Results on their way back from the device.

#[cfg(not(target_arch = "wasm32"))]
use crate::device::poller::{Poller, Waiting};
use crate::{
    device::{
        buffer,
        context::Context,
        error_scope::{self, Refusal},
        mapping::Mapping,
        pool::{MARKERS, Pool, PooledReadback, READBACK_BYTES},
    },
    error::ReadError,
};
use std::{
    fmt, iter,
    pin::Pin,
    sync::Arc,
    task::{self, Poll, ready},
};

/// How long [`Readback::wait_blocking`] believes that a submission may still show.
#[cfg(not(target_arch = "wasm32"))]
const NOT_SUBMITTED_MS: u32 = 50;

/// A value that the host gets once the device is done: a future.
///
/// It resolves after the encoder that it was recorded into is submitted, under any executor: nobody
/// else has to poll the device. While somebody awaits, a thread named `gridfold poller` does, and callbacks
/// of the caller's that wgpu has to run may run on it. Dropping a readback gives up the value and nothing
/// else.
#[must_use = "the value arrives by awaiting this, or by `wait_blocking`"]
pub struct Readback<V> {
    /// Gone when the value is made.
    staging: Option<wgpu::Buffer>,
    /// With the marker.
    size_bytes: u64,
    marker: usize,
    pool: Arc<Pool>,
    mapping: Mapping,
    decode: Option<Decode<V>>,
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

/// A staging buffer for a readback. Allocating it comes before anything is recorded, recording can't fail.
pub(crate) struct Staging {
    buffer: wgpu::Buffer,
    size_bytes: u64,
    /// Which of the [`MARKERS`].
    marker: usize,
}

const MARKER_BYTES: u64 = 4;

impl Staging {
    /// For `size_bytes` bytes of sources together.
    pub(crate) fn allocate(context: &Context, size_bytes: u64) -> Result<Self, Refusal> {
        error_scope::ensure_not_lost(context.device(), "gridfold readback")?;
        let size_with_marker = size_bytes + MARKER_BYTES;
        if size_with_marker <= READBACK_BYTES {
            let PooledReadback { buffer, marker } = context.pool().readback()?;
            return Ok(Self { buffer, size_bytes, marker });
        }
        let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
        let buffer =
            buffer::create(context.device(), "gridfold readback", size_with_marker, usage)?;
        Ok(Self { buffer, size_bytes, marker: 0 })
    }

    /// Records copies of `sources`, one after another, and the mapping once the encoder is submitted.
    pub(crate) fn record<V>(
        self,
        context: &Context,
        encoder: &mut wgpu::CommandEncoder,
        sources: &[Source<'_>],
        decode: impl FnOnce(&[u8]) -> V + Send + 'static,
    ) -> Readback<V> {
        let Self { buffer: staging, size_bytes, marker } = self;
        let marker_source = Source {
            buffer: context.markers(),
            offset_bytes: marker as u64 * MARKER_BYTES,
            size_bytes: MARKER_BYTES,
        };
        let mut end = 0;
        for source in iter::once(&marker_source).chain(sources) {
            let &Source { buffer, offset_bytes, size_bytes } = source;
            encoder.copy_buffer_to_buffer(buffer, offset_bytes, &staging, end, size_bytes);
            end += size_bytes;
        }
        debug_assert_eq!(end, size_bytes + MARKER_BYTES, "as much as was allocated");
        let mapping = Mapping::on_submit(encoder, &staging, wgpu::MapMode::Read, 0..end);
        Readback {
            staging: Some(staging),
            size_bytes: end,
            marker,
            pool: Arc::clone(context.pool()),
            mapping,
            decode: Some(Box::new(decode)),
            #[cfg(not(target_arch = "wasm32"))]
            poller: Arc::clone(context.poller()),
            #[cfg(not(target_arch = "wasm32"))]
            waiting: None,
        }
    }
}

impl<V> Readback<V> {
    fn decode(&mut self, mapped: Result<(), ReadError>) -> Result<V, ReadError> {
        mapped.and_then(|()| self.try_decode()).map_err(|error| self.explain(error))
    }

    fn try_decode(&mut self) -> Result<V, ReadError> {
        // Gone only if the future is polled after it is done.
        let staging = self.staging.take().ok_or(ReadError::Dropped)?;
        let decode = self.decode.take().ok_or(ReadError::Dropped)?;
        let bytes = staging
            .get_mapped_range(0..self.size_bytes)
            .map_err(|error| ReadError::Map(error.to_string()))?;
        let marker = bytemuck::bytes_of(&MARKERS[self.marker]);
        let Some(values) = bytes.strip_prefix(marker) else {
            return Err(ReadError::Rejected);
        };
        let value = decode(values);
        drop(bytes);
        staging.unmap();
        let marker = (self.marker + 1) % MARKERS.len();
        self.pool.put_back(PooledReadback { buffer: staging, marker });
        Ok(value)
    }

    /// What fails on a lost device fails for many reasons, of which this is the first.
    fn explain(&self, error: ReadError) -> ReadError {
        #[cfg(not(target_arch = "wasm32"))]
        if error_scope::is_lost(self.poller.device()) {
            return ReadError::DeviceLost;
        }
        error
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl<V> Readback<V> {
    /// Blocks until the value is there. Submit the encoder first.
    ///
    /// # Errors
    ///
    /// [`ReadError::NotSubmitted`] if the device has nothing left to do and the value is still not there
    /// after 50 ms, [`ReadError::Dropped`] if the encoder was dropped, [`ReadError::Rejected`] if wgpu
    /// rejected what was submitted, [`ReadError::DeviceLost`] if the device is lost.
    pub fn wait_blocking(mut self) -> Result<V, ReadError> {
        // Another thread that polls the device may be about to deliver what this one waits for.
        for _ in 0..NOT_SUBMITTED_MS {
            self.poller.poll_device().map_err(|error| self.explain(error))?;
            if let Poll::Ready(mapped) = self.mapping.now() {
                return self.decode(mapped);
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        Err(self.explain(ReadError::NotSubmitted))
    }

    /// Blocks until the value of a submission is there.
    pub(crate) fn wait_submitted(
        mut self,
        submission: wgpu::SubmissionIndex,
    ) -> Result<V, ReadError> {
        self.poller.poll_submission(submission).map_err(|error| self.explain(error))?;
        // Delivered by that poll, or by one of another thread at the same time.
        let mapped = pollster::block_on(&mut self.mapping);
        self.decode(mapped)
    }
}

impl<V> Future for Readback<V> {
    type Output = Result<V, ReadError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut task::Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let mapped = Pin::new(&mut this.mapping).poll(cx);
        #[cfg(not(target_arch = "wasm32"))]
        if mapped.is_pending() {
            let waiting = this.waiting.get_or_insert_with(|| this.poller.wait());
            waiting.wake_on_failure(cx.waker());
            if waiting.has_failed() {
                let failed = "the device could not be polled".to_owned();
                return Poll::Ready(Err(this.explain(ReadError::Map(failed))));
            }
        }
        let mapped = ready!(mapped);
        #[cfg(not(target_arch = "wasm32"))]
        {
            this.waiting = None;
        }
        Poll::Ready(this.decode(mapped))
    }
}

impl<V> fmt::Debug for Readback<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Readback").field("staging", &self.staging).finish_non_exhaustive()
    }
}
