//! A bar on a terminal, for what takes longer than people like to wait without a word.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::{
    io::{self, IsTerminal},
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
