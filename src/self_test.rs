//! Is everything right on this device? Every kernel that it can select, on inputs that reach each of its paths, compared with
//! the CPU to the bit.
//!
//! It may depend on all else but `executor`.

mod battery;
mod buffers;
mod counted;
mod differences;
mod doubles;
mod exact_doubles;
mod extrema;
mod histograms;
mod input;
mod masks;
mod material;
mod questions;
mod report;
mod run;
mod scans;
mod segments;
mod selections;
mod slot;
mod subjects;
mod tally;

use crate::device::context::Context;
pub use report::{KernelReport, SelfTestReport, WrongResult};
use run::{Options, Run};
use tally::Tally;

impl Context {
    /// Tests this device: runs each kernel, variant and strategy that the device can select, on inputs that reach each of their
    /// paths, and compares the results with the CPU's, to the bit.
    ///
    /// The start-up probes test what the kernels rely on. This tests the kernels themselves, as this driver and this compiler
    /// have made them. Every operator and element type is in some of them. [`SelfTest::everything`] has each in all of them.
    ///
    /// It compiles some hundred pipelines. So it takes seconds on a GPU (an NVIDIA H200 took 12.8 s in an earlier version), and minutes on a
    /// driver in software. A second run is faster if the driver keeps what it compiled. It works in up to 400 MiB of the device's memory, and
    /// as much of the host's.
    ///
    /// It may run beside other work of the device, and changes nothing of it. It compiles and computes on the thread that polls it
    /// and on rayon's. So give it a thread of its own if others wait. [`Context::avoiding`] makes a context without what is wrong.
    ///
    /// ```no_run
    /// # let executor = gridfold::Executor::auto();
    /// if let Some(context) = executor.context() {
    ///     let report = context.self_test_blocking();
    ///     assert!(report.passed(), "{report}");
    /// }
    /// ```
    pub async fn self_test(&self) -> SelfTestReport {
        SelfTest::new(self).run().await
    }

    /// [`Context::self_test`], blocking.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn self_test_blocking(&self) -> SelfTestReport {
        SelfTest::new(self).run_blocking()
    }
}

/// [`Context::self_test`] with options, which are taken by value.
#[derive(Clone, Debug)]
pub struct SelfTest {
    options: Options,
}

impl SelfTest {
    /// A self-test as [`Context::self_test`] has it.
    pub fn new(context: &Context) -> Self {
        Self { options: Options::new(context) }
    }

    /// Every operator and element type in every kernel, mechanism and strategy that it can go through: several minutes on a driver
    /// in software.
    #[must_use]
    pub fn everything(self) -> Self {
        Self { options: Options { everything: true, ..self.options } }
    }

    /// Only what one of these shader files has a part in. The report has not passed then, because it has not asked for all kernels.
    #[cfg(feature = "unstable")]
    #[must_use]
    pub fn only_files(self, files: &[&str]) -> Self {
        let only_files = Some(files.iter().copied().map(str::to_owned).collect());
        Self { options: Options { only_files, ..self.options } }
    }

    /// Not much more after the first wrong result.
    #[cfg(feature = "unstable")]
    #[must_use]
    pub fn stops_at_first_wrong(self) -> Self {
        Self { options: Options { stops_at_first_wrong: true, ..self.options } }
    }

    /// Runs the self-test. Submits, and completes when the device is done, under any executor. What goes wrong is in the
    /// report, also a lost device.
    pub async fn run(self) -> SelfTestReport {
        #[cfg(not(target_arch = "wasm32"))]
        {
            let start = std::time::Instant::now();
            let report = self.ask().await;
            SelfTestReport { elapsed: Some(start.elapsed()), ..report }
        }
        #[cfg(target_arch = "wasm32")]
        self.ask().await
    }

    async fn ask(self) -> SelfTestReport {
        let context = self.options.context.clone();
        let is_partial = self.options.only_files.is_some();
        match Run::of(self.options) {
            Ok(mut run) => {
                battery::run(&mut run).await;
                doubles::run(&mut run).await;
                exact_doubles::run(&mut run).await;
                extrema::run(&mut run).await;
                scans::run(&mut run).await;
                selections::run(&mut run).await;
                segments::run(&mut run).await;
                differences::run(&mut run).await;
                counted::run(&mut run).await;
                histograms::run(&mut run).await;
                run.report().await
            }
            Err(error) => Tally::default().report(&context, is_partial, Some(error.to_string())),
        }
    }

    /// [`SelfTest::run`], blocking.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn run_blocking(self) -> SelfTestReport {
        pollster::block_on(self.run())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Executors of several threads can run it.
    #[cfg(not(target_arch = "wasm32"))]
    #[test]
    fn it_can_be_sent() {
        fn sends<T: Send>(_: impl Fn(&'static Context) -> T) {}
        sends(Context::self_test);
    }
}
