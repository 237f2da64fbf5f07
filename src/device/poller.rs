//! Polling the device while readbacks wait for it.

use crate::error::ReadError;
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    task::Waker,
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// How long the thread polls without a pause, from when the newest waiter came: about twice what a small reduction takes
/// on a GPU to the host: 35 to 93 µs on two machines with an H200 (benches/records/nvidia-h200-latency.txt). Sleeps would add to that.
/// What takes longer costs that much time of one core, once for each waiter.
const EAGER: Duration = Duration::from_micros(200);
/// How long a blocking call polls without a pause before it lets wgpu wait, which on a GPU is some 20 µs late. Not for a device
/// that has no cores of its own: there the driver needs this one.
const SPIN: Duration = EAGER;
/// A pause is this part of the time waited: what is awaited comes that much later at most.
const PAUSE_PART: u32 = 8;
/// And at most this long. To poll takes a few µs at most, to sleep before it up to 40 µs of a core: 4 %.
const LONGEST_PAUSE: Duration = Duration::from_millis(1);
/// How long the thread stays after the last waiter, because the next one often comes soon.
const LINGER: Duration = Duration::from_millis(20);

/// Polls the device while a readback is awaited, on a thread of its own. (On the web the browser does
/// this, and there is no poller.)
///
/// The thread is joined before the poller is gone: it holds a handle of the device, and a device that is
/// dropped while the process exits takes its driver down with it.
#[derive(Debug)]
pub(crate) struct Poller {
    device: wgpu::Device,
    /// Whether blocking calls poll without a pause at first: if the device is another than the CPU.
    spins: AtomicBool,
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
    waiters: Vec<Arc<Waiter>>,
    /// When the last of them came, also if it is gone.
    newest: Option<Instant>,
    /// Whether the thread will look at `waiters` again.
    running: bool,
    /// Whether the poller is being dropped.
    closing: bool,
}

#[derive(Debug, Default)]
struct Waiter {
    waker: Mutex<Option<Waker>>,
    failed: AtomicBool,
}

/// Keeps the device polled until it is dropped. A readback that is awaited has one.
#[derive(Debug)]
pub(crate) struct Waiting {
    poller: Arc<Poller>,
    waiter: Arc<Waiter>,
}

impl Waiting {
    /// Sets the task that is woken if polling fails. (What is awaited wakes it otherwise.)
    pub(crate) fn wake_on_failure(&self, waker: &Waker) {
        *self.waiter.waker.lock().unwrap_or_else(PoisonError::into_inner) = Some(waker.clone());
    }

    /// Whether polling failed meanwhile: nothing will come any more.
    pub(crate) fn has_failed(&self) -> bool {
        self.waiter.failed.load(Ordering::Acquire)
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.poller.shared.lock().waiters.retain(|waiter| !Arc::ptr_eq(waiter, &self.waiter));
    }
}

impl Drop for Poller {
    fn drop(&mut self) {
        // Every `Waiting` holds the poller, so there is none.
        self.shared.lock().closing = true;
        self.shared.changed.notify_one();
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

impl Poller {
    pub(crate) fn new(device: &wgpu::Device) -> Self {
        Self {
            device: device.clone(),
            spins: AtomicBool::new(device.adapter_info().device_type != wgpu::DeviceType::Cpu),
            shared: Arc::default(),
            thread: Mutex::default(),
        }
    }

    pub(crate) fn device(&self) -> &wgpu::Device {
        &self.device
    }

    /// Polls without a pause until there is `news`, for [`SPIN`] at most, and on a CPU not at all.
    pub(crate) fn spin<R>(
        &self,
        mut news: impl FnMut() -> Option<R>,
    ) -> Result<Option<R>, ReadError> {
        if !self.spins.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let begin = Instant::now();
        while begin.elapsed() < SPIN {
            poll(&self.device, wgpu::PollType::Poll)?;
            // Also what another thread's poll has brought.
            if let Some(news) = news() {
                return Ok(Some(news));
            }
            std::hint::spin_loop();
        }
        Ok(None)
    }

    /// For tests, of either way to wait on any device.
    #[cfg(feature = "unstable")]
    pub(crate) fn set_spins(&self, spins: bool) {
        self.spins.store(spins, Ordering::Relaxed);
    }

    /// Waits for everything submitted so far, as long as the device takes.
    pub(crate) fn poll_device(&self) -> Result<(), ReadError> {
        log::debug!("waiting for the device");
        poll(&self.device, wgpu::PollType::wait_indefinitely())
    }

    /// Waits for a submission, as long as the device takes.
    pub(crate) fn poll_submission(
        &self,
        submission: wgpu::SubmissionIndex,
    ) -> Result<(), ReadError> {
        log::debug!("waiting for the device");
        let submission_index = Some(submission);
        poll(&self.device, wgpu::PollType::Wait { submission_index, timeout: None })
    }

    /// Keeps the device polled until the result is dropped.
    pub(crate) fn wait(self: &Arc<Self>) -> Waiting {
        let waiter = Arc::new(Waiter::default());
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        let mut state = self.shared.lock();
        state.add(Arc::clone(&waiter), Instant::now());
        if state.running {
            self.shared.changed.notify_one();
        } else {
            state.running = true;
            drop(state);
            join(thread.take());
            let (device, shared) = (self.device.clone(), Arc::clone(&self.shared));
            let builder = thread::Builder::new().name("gridfold poller".to_owned());
            match builder.spawn(move || shared.serve(&device)) {
                Ok(handle) => *thread = Some(handle),
                Err(error) => {
                    log::error!("no thread to poll the device: {error}");
                    self.shared.fail();
                }
            }
        }
        drop(thread);
        Waiting { poller: Arc::clone(self), waiter }
    }
}

impl State {
    fn add(&mut self, waiter: Arc<Waiter>, now: Instant) {
        self.waiters.push(waiter);
        self.newest = Some(now);
    }

    /// How long the thread sleeps before it polls again, or, if there is no waiter, ends. It does not let wgpu wait: wgpu
    /// would hold a lock of the device meanwhile, which others need to destroy or present something. (And waits with a
    /// timeout trip over an assertion of wgpu 30 when several threads poll at the same time.)
    fn pause(&self, now: Instant) -> Duration {
        if self.waiters.is_empty() {
            return LINGER;
        }
        let waited = self.newest.map_or(Duration::ZERO, |newest| now - newest);
        if waited < EAGER { Duration::ZERO } else { (waited / PAUSE_PART).min(LONGEST_PAUSE) }
    }
}

impl Shared {
    /// Polls while there are waiters, and then lingers.
    fn serve(&self, device: &wgpu::Device) {
        loop {
            if let Err(error) = poll(device, wgpu::PollType::Poll) {
                log::debug!("polling the device: {error}");
                self.fail();
                return;
            }
            let state = self.lock();
            let pause = state.pause(Instant::now());
            if pause.is_zero() {
                drop(state);
                // Others may need the core, such as a device in software.
                thread::yield_now();
                continue;
            }
            let (idles, newest) = (state.waiters.is_empty(), state.newest);
            // Ends early when the poller closes, and at a new waiter.
            let paused = self
                .changed
                .wait_timeout_while(state, pause, |state| !state.closing && state.newest == newest);
            let (mut state, timeout) = paused.unwrap_or_else(PoisonError::into_inner);
            if state.closing || (idles && timeout.timed_out() && state.waiters.is_empty()) {
                state.running = false;
                return;
            }
        }
    }

    /// Tells all waiters that nothing will come.
    fn fail(&self) {
        let waiters = {
            let mut state = self.lock();
            state.running = false;
            std::mem::take(&mut state.waiters)
        };
        for waiter in waiters {
            waiter.failed.store(true, Ordering::Release);
            let waker = waiter.waker.lock().unwrap_or_else(PoisonError::into_inner).take();
            waker.into_iter().for_each(Waker::wake);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn poll(device: &wgpu::Device, poll_type: wgpu::PollType) -> Result<(), ReadError> {
    // wgpu panics when a device is lost while it is polled, and so may the caller's own callbacks, which
    // polling runs. Neither may leave others waiting for ever.
    match catch_unwind(AssertUnwindSafe(|| device.poll(poll_type))) {
        Ok(polled) => polled.map(|_| ()).map_err(|error| ReadError::Map(error.to_string())),
        Err(_) => Err(ReadError::Map("polling the device panicked".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    /// The pause when the only waiter has waited that long.
    fn pause_after(waited: Duration) -> Duration {
        let (mut state, begin) = (State::default(), Instant::now());
        state.add(Arc::default(), begin);
        state.pause(begin + waited)
    }

    #[test]
    fn a_waiter_in_place_of_another_is_polled_for_at_once() {
        let (mut state, begin) = (State::default(), Instant::now());
        for wait in 0..10 {
            let begin = begin + wait * 100 * MS;
            state.add(Arc::default(), begin);
            assert_eq!(state.pause(begin), Duration::ZERO);
            assert_eq!(state.pause(begin + 99 * MS), LONGEST_PAUSE);
            // As long as there are waiters, a new one counts, whether or not an old one goes.
            if wait % 2 == 0 {
                state.waiters.remove(0);
            }
        }
    }

    #[test]
    fn nobody_waits_much_longer_than_it_takes() {
        for micros in 0..100_000 {
            let waited = Duration::from_micros(micros);
            assert!(pause_after(waited) <= (waited / PAUSE_PART).min(LONGEST_PAUSE));
        }
    }

    #[test]
    fn who_waits_long_is_seldom_polled_for() {
        // As if a poll took no time. Those without a pause are not counted: all of them together take `EAGER`.
        let (mut waited, mut polls) = (EAGER, 0);
        while waited < 1000 * MS {
            waited += pause_after(waited);
            polls += 1;
        }
        assert!(polls < 1050, "{polls}");
    }
}
