//! Results on their way back from the device.

#[cfg(not(target_arch = "wasm32"))]
use crate::poller::{Poller, Waiting};
use crate::{
    buffer,
    context::Context,
    error::{PrepareError, ReadError},
};
use futures_channel::oneshot;
use std::{
    fmt,
    pin::Pin,
    task::{self, Poll},
};

/// A value that the host gets once the device is done: a future.
///
/// It resolves after the encoder that it was recorded into is submitted, under any executor: nobody
/// else has to poll the device. Dropping it gives up the value and nothing else.
#[must_use = "the value arrives by awaiting this, or by `wait_blocking`"]
pub struct Readback<V> {
    staging: wgpu::Buffer,
    mapped: oneshot::Receiver<Result<(), wgpu::BufferAsyncError>>,
    decode: Option<Decode<V>>,
    #[cfg(not(target_arch = "wasm32"))]
    poller: std::sync::Arc<Poller>,
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

impl<V> Readback<V> {
    /// Records copies of `sources` into a staging buffer, one after another, and its mapping once the
    /// encoder is submitted.
    pub(crate) fn record(
        context: &Context,
        encoder: &mut wgpu::CommandEncoder,
        sources: &[Source<'_>],
        decode: impl FnOnce(&[u8]) -> V + Send + 'static,
    ) -> Result<Self, PrepareError> {
        let size_bytes = sources.iter().map(|source| source.size_bytes).sum();
        let staging = buffer::create(
            context.device(),
            "gridfold readback",
            size_bytes,
            wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        )?;
        let mut end = 0;
        for source in sources {
            encoder.copy_buffer_to_buffer(
                source.buffer,
                source.offset_bytes,
                &staging,
                end,
                source.size_bytes,
            );
            end += source.size_bytes;
        }
        let (sender, mapped) = oneshot::channel();
        encoder.map_buffer_on_submit(&staging, wgpu::MapMode::Read, .., move |result| {
            // Nobody may be listening any more.
            let _ = sender.send(result);
        });
        Ok(Self {
            staging,
            mapped,
            decode: Some(Box::new(decode)),
            #[cfg(not(target_arch = "wasm32"))]
            poller: std::sync::Arc::clone(context.poller()),
            #[cfg(not(target_arch = "wasm32"))]
            waiting: None,
        })
    }

    fn decode(
        &mut self,
        mapped: Result<Result<(), wgpu::BufferAsyncError>, oneshot::Canceled>,
    ) -> Result<V, ReadError> {
        mapped
            .map_err(|oneshot::Canceled| ReadError::Dropped)?
            .map_err(|error| ReadError::Map(error.to_string()))?;
        let bytes =
            self.staging.get_mapped_range(..).map_err(|error| ReadError::Map(error.to_string()))?;
        // Gone only if the future is polled after it is done.
        let decode = self.decode.take().ok_or(ReadError::Dropped)?;
        Ok(decode(&bytes))
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl<V> Readback<V> {
    /// Blocks until the value is there. Submit the encoder first.
    ///
    /// # Errors
    ///
    /// [`ReadError::NotSubmitted`] if the device has nothing left to do and the value is still not
    /// there, [`ReadError::Dropped`] if the encoder was dropped, [`ReadError::Map`] if the device was
    /// lost.
    pub fn wait_blocking(mut self) -> Result<V, ReadError> {
        // Another thread that polls the device may be about to deliver what this one waits for.
        for _ in 0..50 {
            self.poller.poll_device()?;
            if let Some(mapped) = self.try_mapped() {
                return self.decode(mapped);
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        Err(ReadError::NotSubmitted)
    }

    /// Blocks until the value of a submission is there.
    pub(crate) fn wait_submitted(
        mut self,
        submission: wgpu::SubmissionIndex,
    ) -> Result<V, ReadError> {
        self.poller.poll_submission(submission)?;
        // Delivered by that poll, or by one of another thread at the same time.
        let mapped = pollster::block_on(&mut self.mapped);
        self.decode(mapped)
    }

    fn try_mapped(
        &mut self,
    ) -> Option<Result<Result<(), wgpu::BufferAsyncError>, oneshot::Canceled>> {
        self.mapped.try_recv().transpose()
    }
}

impl<V> Future for Readback<V> {
    type Output = Result<V, ReadError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut task::Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let mapped = match Pin::new(&mut this.mapped).poll(cx) {
            Poll::Ready(mapped) => mapped,
            Poll::Pending => {
                #[cfg(not(target_arch = "wasm32"))]
                if this.waiting.is_none() {
                    this.waiting = Some(this.poller.wait());
                }
                return Poll::Pending;
            }
        };
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
