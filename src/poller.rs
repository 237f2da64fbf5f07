//! Polling the device for those who await it.

use crate::error::ReadError;
use std::{
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle},
    time::Duration,
};

/// Polls the device while somebody awaits a readback, on a thread of its own. (On the web the browser does
/// this, and there is no poller.)
///
/// The thread ends when nobody waits any more, and is joined before the poller is gone: it holds a handle
/// of the device, and a device that is dropped while the process exits takes its driver down with it.
#[derive(Debug)]
pub(crate) struct Poller {
    device: wgpu::Device,
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    waiting: usize,
    /// Whether the thread will look at `waiting` again.
    running: bool,
}

/// Somebody awaits a readback.
pub(crate) struct Waiting(Arc<Poller>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.shared.lock().waiting -= 1;
        self.0.shared.changed.notify_one();
    }
}

impl Drop for Poller {
    fn drop(&mut self) {
        // Every `Waiting` holds the poller, so nobody waits, and the thread is on its way out.
        let thread = self.thread.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        join(thread);
    }
}

fn join(thread: Option<JoinHandle<()>>) {
    // A waker may drop the last handle on the poller's own thread.
    let other = thread.filter(|thread| thread.thread().id() != thread::current().id());
    if other.is_some_and(|thread| thread.join().is_err()) {
        log::error!("the thread that polls the device panicked");
    }
}

/// Pauses between polls while what is awaited is not submitted yet.
const SHORTEST_PAUSE: Duration = Duration::from_micros(50);
const LONGEST_PAUSE: Duration = Duration::from_millis(2);

impl Poller {
    pub(crate) fn new(device: &wgpu::Device) -> Self {
        Self { device: device.clone(), shared: Arc::default(), thread: Mutex::default() }
    }

    /// Waits for everything submitted so far.
    pub(crate) fn poll_device(&self) -> Result<(), ReadError> {
        self.poll(wgpu::PollType::wait_indefinitely())
    }

    /// Waits for a submission.
    pub(crate) fn poll_submission(
        &self,
        submission: wgpu::SubmissionIndex,
    ) -> Result<(), ReadError> {
        self.poll(wgpu::PollType::Wait { submission_index: Some(submission), timeout: None })
    }

    fn poll(&self, poll_type: wgpu::PollType) -> Result<(), ReadError> {
        let polled = self.device.poll(poll_type);
        polled.map(|_| ()).map_err(|error| ReadError::Map(error.to_string()))
    }

    /// Keeps the device polled until the result is dropped.
    pub(crate) fn wait(self: &Arc<Self>) -> Waiting {
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        let mut state = self.shared.lock();
        state.waiting += 1;
        if state.running {
            self.shared.changed.notify_one();
        } else {
            state.running = true;
            drop(state);
            join(thread.take());
            let (device, shared) = (self.device.clone(), Arc::clone(&self.shared));
            let builder = thread::Builder::new().name("gridfold poller".to_owned());
            match builder.spawn(move || shared.poll_until_nobody_waits(&device)) {
                Ok(handle) => *thread = Some(handle),
                Err(error) => {
                    // The caller's own polling still completes what is awaited.
                    log::error!("no thread to poll the device: {error}");
                    self.shared.lock().running = false;
                }
            }
        }
        drop(thread);
        Waiting(Arc::clone(self))
    }
}

impl Shared {
    fn poll_until_nobody_waits(&self, device: &wgpu::Device) {
        let mut pause = SHORTEST_PAUSE;
        loop {
            // Returns at once if what is awaited is not submitted yet; hence the pauses.
            if let Err(error) = device.poll(wgpu::PollType::wait_indefinitely()) {
                log::warn!("polling the device: {error}");
            }
            let mut state = self.lock();
            if state.waiting == 0 {
                state.running = false;
                return;
            }
            let timeout;
            (state, timeout) =
                self.changed.wait_timeout(state, pause).unwrap_or_else(PoisonError::into_inner);
            drop(state);
            let news = !timeout.timed_out();
            pause = if news { SHORTEST_PAUSE } else { (pause * 2).min(LONGEST_PAUSE) };
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
