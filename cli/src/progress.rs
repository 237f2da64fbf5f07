//! A bar on a terminal, for work that takes longer than a second.

use indicatif::{HumanBytes, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::{
    collections::HashSet,
    io::{self, IsTerminal, Write},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

/// No bar before that.
const PATIENCE: Duration = Duration::from_secs(1);

/// The terminal, if people see it.
fn screen() -> Option<ProgressDrawTarget> {
    io::stderr().is_terminal().then(ProgressDrawTarget::stderr)
}

/// How many bytes of all were read.
pub struct Progress {
    begin: Instant,
    patience: Duration,
    bytes: u64,
    read: u64,
    /// Until there is a bar.
    screen: Option<ProgressDrawTarget>,
    bar: Option<ProgressBar>,
}

impl Progress {
    pub fn new(bytes: u64) -> Self {
        Self::on(screen(), PATIENCE, bytes)
    }

    fn on(screen: Option<ProgressDrawTarget>, patience: Duration, bytes: u64) -> Self {
        Self { begin: Instant::now(), patience, bytes, read: 0, screen, bar: None }
    }

    pub fn add(&mut self, bytes: u64) {
        self.read += bytes;
        let elapsed = self.begin.elapsed();
        if elapsed < self.patience {
            return;
        }
        if let Some(screen) = self.screen.take() {
            let bar = ProgressBar::with_draw_target(Some(self.bytes), screen);
            let style = ProgressStyle::with_template("{wide_bar} {bytes} of {total_bytes}, {msg}");
            let bar = bar.with_style(style.expect("the template is right"));
            self.bar = Some(bar.with_position(self.read));
        }
        if let Some(bar) = &self.bar {
            bar.set_message(pace(self.read, self.bytes, elapsed));
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

/// How fast bytes were read since the beginning, and how long the others take at that pace.
fn pace(read: u64, bytes: u64, elapsed: Duration) -> String {
    let milliseconds = elapsed.as_millis().max(1);
    let rate = u128::from(read) * 1000 / milliseconds;
    let left = u128::from(bytes.saturating_sub(read)) * milliseconds / u128::from(read.max(1));
    let [rate, left] = [rate, left].map(|number| u64::try_from(number).unwrap_or(u64::MAX));
    format!("{}/s, {:#} left", HumanBytes(rate), HumanDuration(Duration::from_millis(left)))
}

/// How often a sign of life moves.
const TICK: Duration = Duration::from_millis(100);

/// Does some work of which nothing is known until it is done. If it takes long, a terminal shows what it is and for how long it has run.
pub fn during<R>(what: &str, work: impl FnOnce() -> R) -> R {
    during_on(screen(), PATIENCE, what, work)
}

fn during_on<R>(
    screen: Option<ProgressDrawTarget>,
    patience: Duration,
    what: &str,
    work: impl FnOnce() -> R,
) -> R {
    let Some(screen) = screen else { return work() };
    thread::scope(|scope| {
        let (sender, done) = mpsc::channel::<()>();
        scope.spawn(move || tell(what, &done, patience, screen));
        let result = work();
        // It ends the other thread, which clears the line, before anything else is printed.
        drop(sender);
        result
    })
}

/// Shows that there is work until the other end of `done` is gone. Returns whether something was shown.
fn tell(what: &str, done: &Receiver<()>, patience: Duration, screen: ProgressDrawTarget) -> bool {
    let begin = Instant::now();
    if done.recv_timeout(patience) != Err(RecvTimeoutError::Timeout) {
        return false;
    }
    let style = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}");
    let bar = ProgressBar::with_draw_target(None, screen)
        .with_style(style.expect("the template is right"))
        .with_message(what.to_owned())
        .with_elapsed(begin.elapsed());
    while done.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
        bar.tick();
    }
    bar.finish_and_clear();
    true
}

/// A long row of steps: a bar on a terminal, and elsewhere a line for each kind of step, when it comes first.
#[derive(Clone)]
pub struct Steps(Arc<Mutex<Shown>>);

struct Shown {
    bar: Option<ProgressBar>,
    seen: HashSet<String>,
}

impl Steps {
    /// Says at once what is done.
    pub fn new(what: &str) -> Self {
        Self::on(screen(), what)
    }

    fn on(screen: Option<ProgressDrawTarget>, what: &str) -> Self {
        let bar = screen.map(|screen| {
            let style =
                ProgressStyle::with_template("{elapsed} {bar:30} {percent:>3} % {wide_msg}");
            ProgressBar::with_draw_target(None, screen)
                .with_style(style.expect("the template is right"))
                .with_message(what.to_owned())
        });
        match &bar {
            Some(bar) => {
                bar.tick();
                // Also while one step takes long.
                bar.enable_steady_tick(TICK);
            }
            None => tell_line(what),
        }
        Self(Arc::new(Mutex::new(Shown { bar, seen: HashSet::new() })))
    }

    /// So many of all steps are done, the last one of this kind.
    pub fn show(&self, done: usize, all: usize, kind: &str) {
        let mut shown = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Shown { bar, seen } = &mut *shown;
        if let Some(bar) = bar {
            bar.set_length(all as u64);
            bar.set_message(kind.to_owned());
            bar.set_position(done as u64);
        } else if seen.insert(kind.to_owned()) {
            tell_line(&format!("{done} of {all}: {kind}"));
        }
    }

    /// Clears the bar.
    pub fn finish(&self) {
        let shown = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bar) = &shown.bar {
            bar.finish_and_clear();
        }
    }
}

/// A line of progress is no result: if nobody can read it, the work goes on.
fn tell_line(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use indicatif::TermLike;

    const FOREVER: Duration = Duration::from_secs(3600);
    /// Where a line is cleared.
    const CLEARED: &str = "<cleared>";

    /// A terminal that keeps what it is given.
    #[derive(Clone, Debug, Default)]
    struct Terminal(Arc<Mutex<String>>);

    impl Terminal {
        fn screen(&self) -> Option<ProgressDrawTarget> {
            Some(ProgressDrawTarget::term_like(Box::new(self.clone())))
        }

        fn text(&self) -> String {
            self.0.lock().expect("no panic").clone()
        }

        fn add(&self, text: &str) -> io::Result<()> {
            self.0.lock().expect("no panic").push_str(text);
            Ok(())
        }
    }

    impl TermLike for Terminal {
        fn width(&self) -> u16 {
            100
        }
        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, text: &str) -> io::Result<()> {
            self.add(text)
        }
        fn write_str(&self, text: &str) -> io::Result<()> {
            self.add(text)
        }
        fn clear_line(&self) -> io::Result<()> {
            self.add(CLEARED)
        }
        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn long_work_has_a_bar() {
        let terminal = Terminal::default();
        let mut progress = Progress::on(terminal.screen(), Duration::ZERO, 4 << 20);
        assert_eq!(terminal.text(), "");
        progress.add(1 << 20);
        let text = terminal.text();
        assert!(text.contains(" 1.00 MiB of 4.00 MiB, "), "{text}");
        assert!(text.contains("/s, ") && text.contains(" left"), "{text}");
        progress.add(3 << 20);
        let text = terminal.text();
        assert!(text.contains(" 4.00 MiB of 4.00 MiB, "), "{text}");
        assert!(text.contains("/s, 0s left"), "{text}");
        drop(progress);
        let text = terminal.text();
        assert!(text.ends_with(CLEARED), "{text}");
    }

    #[test]
    fn steps_show_from_the_first_moment() {
        let terminal = Terminal::default();
        let steps = Steps::on(terminal.screen(), "checking a GPU");
        assert!(terminal.text().contains("checking a GPU"), "{}", terminal.text());
        steps.show(1, 4, "compiled fold");
        steps.show(4, 4, "compared fold");
        // A thread draws it.
        let is_seen = (0..10_000).any(|_| {
            thread::sleep(Duration::from_millis(1));
            terminal.text().contains("100 %") && terminal.text().contains("compared fold")
        });
        steps.finish();
        let text = terminal.text();
        assert!(is_seen && text.ends_with(CLEARED), "{text}");
    }

    #[test]
    fn short_work_has_none() {
        let terminal = Terminal::default();
        let mut progress = Progress::on(terminal.screen(), FOREVER, 4);
        progress.add(1);
        progress.add(3);
        drop(progress);
        assert_eq!(during_on(terminal.screen(), FOREVER, "a sum", || 1 + 1), 2);
        assert_eq!(terminal.text(), "");
    }

    #[test]
    fn without_a_terminal_there_is_none() {
        let mut progress = Progress::on(None, Duration::ZERO, 4);
        progress.add(4);
        assert!(progress.bar.is_none());
        // No other thread is there to draw.
        let this = thread::current().id();
        let found = during_on(None, Duration::ZERO, "a sum", || thread::current().id());
        assert_eq!(found, this);
        assert_eq!(during("a sum", || 1 + 1), 2);
    }

    #[test]
    fn only_long_work_is_shown() {
        let terminal = Terminal::default();
        let screen = || terminal.screen().expect("there is one");
        let (sender, done) = mpsc::channel();
        drop(sender);
        assert!(!tell("nothing", &done, FOREVER, screen()));
        assert_eq!(terminal.text(), "");
        // It lasts longer than the patience, until it is seen.
        let is_seen = during_on(terminal.screen(), Duration::ZERO, "counting", || {
            (0..10_000).any(|_| {
                thread::sleep(Duration::from_millis(1));
                terminal.text().contains("counting")
            })
        });
        let text = terminal.text();
        assert!(is_seen && text.ends_with(CLEARED), "{text}");
    }

    #[test]
    fn the_pace_is_that_since_the_beginning() {
        for (read, bytes, seconds, expected) in [
            (1 << 20, 3 << 20, 2, "512.00 KiB/s, 4s left"),
            (5 << 30, 5 << 30, 1, "5.00 GiB/s, 0s left"),
            (0, 7, 5, "0 B/s, 35s left"),
            (1, u64::MAX, 1, "1 B/s, 584942417y left"),
        ] {
            assert_eq!(pace(read, bytes, Duration::from_secs(seconds)), expected);
        }
    }
}
