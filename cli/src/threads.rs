//! The library's threads: as many as there is memory for. It would start all by itself, or panic.

use crate::memory::{SPARE_BYTES, is_room};
use rayon::{ThreadBuilder, ThreadPoolBuilder};
use std::{
    env, io,
    num::NonZero,
    sync::mpsc::{self, Sender},
    thread,
};

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

/// What takes the part of a new thread in the pool, if there is memory for one more.
fn waiting() -> Option<Sender<ThreadBuilder>> {
    // For its stack, and for what Rust puts beside it: without that the program would end.
    is_room(SPARE_BYTES).then_some(())?;
    let ((start, started), (sender, parts)) = (mpsc::channel(), mpsc::channel::<ThreadBuilder>());
    let work = move || {
        // Without the other end there is no pool, and no part.
        let _ = start.send(());
        if let Ok(part) = parts.recv() {
            part.run();
        }
    };
    thread::Builder::new().spawn(work).ok()?;
    started.recv().ok().map(|()| sender)
}
