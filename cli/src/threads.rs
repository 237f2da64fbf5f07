//! The library's threads: as many as there is memory for. It would start all by itself, or panic.

use rayon::{ThreadBuilder, ThreadPoolBuilder};
use std::{env, io, num::NonZero, sync::mpsc, thread};

/// What says how many there are, as rayon reads it.
const THREADS: &str = "RAYON_NUM_THREADS";

/// Starts them. This thread is one of them.
pub fn start() {
    let given = env::var(THREADS).ok().and_then(|text| text.parse().ok());
    let cores = || thread::available_parallelism().map_or(1, NonZero::get);
    let threads = given.filter(|&given| given > 0).unwrap_or_else(cores);
    // A pool that misses one of its threads can't be made: so they start before it.
    let mut started: Vec<_> = (1..threads).map_while(|_| waiting()).collect();
    let pool = ThreadPoolBuilder::new().num_threads(1 + started.len()).use_current_thread();
    let pool = pool.spawn_handler(|worker| {
        let thread = started.pop().ok_or(io::ErrorKind::OutOfMemory)?;
        thread.send(worker).map_err(|_| io::ErrorKind::OutOfMemory.into())
    });
    // Nobody has made it before.
    let _ = pool.build_global();
}

/// A thread that waits for its part in the pool, if there is memory for one more.
fn waiting() -> Option<mpsc::Sender<ThreadBuilder>> {
    let (sender, receiver) = mpsc::channel::<ThreadBuilder>();
    let work = move || receiver.recv().map_or((), ThreadBuilder::run);
    thread::Builder::new().spawn(work).ok().map(|_| sender)
}
