//! The news that wgpu has mapped a buffer for the host.

use crate::error::ReadError;
use futures_intrusive::channel::shared::{Sender, channel};
use std::{
    ops::RangeBounds,
    pin::Pin,
    task::{Context, Poll, ready},
};

type Outcome = Result<(), ReadError>;

/// A mapping on its way: a future. It resolves while the device is polled. Dropping it gives up the news alone.
pub(crate) struct Mapping {
    /// Gone when the news is there.
    receive: Option<Pin<Box<dyn Future<Output = Outcome> + Send>>>,
}

/// A channel of one place, because those that are called oneshot wake with their lock held, and a waker may drop what
/// it wakes. (Closing a channel wakes like that, too, so dropping this sends something first.)
struct Callback(Sender<Outcome>);

impl Callback {
    fn send(&self, outcome: Outcome) {
        // The receiver may be gone, or may have the news already: neither is an error.
        let _ = self.0.try_send(outcome);
    }
}

impl Drop for Callback {
    fn drop(&mut self) {
        self.send(Err(ReadError::Dropped));
    }
}

impl Mapping {
    /// Has the buffer mapped once the encoder is submitted and the device is done with it.
    pub(crate) fn on_submit(
        encoder: &wgpu::CommandEncoder,
        buffer: &wgpu::Buffer,
        mode: wgpu::MapMode,
        range: impl RangeBounds<wgpu::BufferAddress>,
    ) -> Self {
        let (sender, receiver) = channel(1);
        let callback = Callback(sender);
        encoder.map_buffer_on_submit(buffer, mode, range, move |mapped| {
            callback.send(mapped.map_err(|error| ReadError::Map(error.to_string())));
        });
        let receive = async move { receiver.receive().await.unwrap_or(Err(ReadError::Dropped)) };
        Self { receive: Some(Box::pin(receive)) }
    }

    /// The news, if it is there.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn now(&mut self) -> Poll<Outcome> {
        Pin::new(self).poll(&mut Context::from_waker(std::task::Waker::noop()))
    }
}

impl Future for Mapping {
    type Output = Outcome;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Outcome> {
        let Some(receive) = &mut self.receive else {
            return Poll::Ready(Err(ReadError::Dropped));
        };
        let outcome = ready!(receive.as_mut().poll(cx));
        self.receive = None;
        Poll::Ready(outcome)
    }
}
