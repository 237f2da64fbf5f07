//! A bar on a terminal, for work that takes longer than a second.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::{
    io::{self, IsTerminal},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

/// No bar before that.
const PATIENCE: Duration = Duration::from_secs(1);

/// How many bytes of all were read.
pub struct Progress {
    begin: Instant,
    bytes: u64,
    read: u64,
    bar: Option<ProgressBar>,
}

impl Progress {
    pub fn new(bytes: u64) -> Self {
        Self { begin: Instant::now(), bytes, read: 0, bar: None }
    }

    pub fn add(&mut self, bytes: u64) {
        self.read += bytes;
        if self.bar.is_none() && self.begin.elapsed() > PATIENCE && io::stderr().is_terminal() {
            let bar = ProgressBar::with_draw_target(Some(self.bytes), ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template(
                "{bar:40} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left",
            );
            let style = style.expect("the template is right");
            self.bar = Some(bar.with_style(style).with_elapsed(self.begin.elapsed()));
        }
        if let Some(bar) = &self.bar {
            bar.set_position(self.read);
        }
    }
}

impl Drop for Progress {
    /// Also before a sentence about what went wrong.
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// How often a sign of life moves.
const TICK: Duration = Duration::from_millis(100);

/// Does some work of which nothing is known until it is done. If it takes long, a terminal shows what it is and for how long it has run.
pub fn during<R>(what: &str, work: impl FnOnce() -> R) -> R {
    if !io::stderr().is_terminal() {
        return work();
    }
    thread::scope(|scope| {
        let (sender, done) = mpsc::channel::<()>();
        scope.spawn(move || tell(what, &done, PATIENCE, ProgressDrawTarget::stderr()));
        let result = work();
        // It ends the other thread, which clears the line, before anything else is printed.
        drop(sender);
        result
    })
}

/// Shows that there is work until the other end of `done` is gone. Returns whether something was shown.
fn tell(what: &str, done: &Receiver<()>, patience: Duration, target: ProgressDrawTarget) -> bool {
    let begin = Instant::now();
    if done.recv_timeout(patience) != Err(RecvTimeoutError::Timeout) {
        return false;
    }
    let style = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}");
    let bar = ProgressBar::with_draw_target(None, target)
        .with_style(style.expect("the template is right"))
        .with_message(what.to_owned())
        .with_elapsed(begin.elapsed());
    while done.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
        bar.tick();
    }
    bar.finish_and_clear();
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_work_is_shown() {
        let hidden = ProgressDrawTarget::hidden;
        let (sender, done) = mpsc::channel();
        drop(sender);
        assert!(!tell("nothing", &done, Duration::from_secs(3600), hidden()));
        let (sender, done) = mpsc::channel::<()>();
        let shown = thread::spawn(move || tell("work", &done, Duration::ZERO, hidden()));
        // It lasts longer than the patience.
        thread::sleep(TICK);
        drop(sender);
        assert!(shown.join().expect("no panic"));
        assert_eq!(during("a sum", || 1 + 1), 2);
    }
}
