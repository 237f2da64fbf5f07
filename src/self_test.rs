//! Is everything right on this device? Every kernel that it can select, on inputs that reach each of its paths, compared with
//! the CPU to the bit.
//!
//! It may depend on all else but `executor`.

mod batched;
mod battery;
mod buffers;
mod counted;
mod cover;
mod differences;
mod doubles;
mod exact_doubles;
mod extrema;
mod histograms;
mod input;
mod masks;
mod material;
mod outputs;
mod progress;
mod questions;
mod report;
mod run;
mod scans;
mod segments;
mod selections;
mod slot;
mod subjects;
mod tally;
mod usual;

use crate::{
    device::{context::Context, pipeline::PipelineKey},
    error::CreateError,
};
use cover::{Cover, Extent, Pipeline, Selection, Survey};
pub use progress::SelfTestProgress;
use progress::{Listener, Progress};
pub use report::{KernelReport, SelfTestReport, WrongResult};
use run::{Options, Run};
use std::sync::Arc;
use tally::Tally;

impl Context {
    /// Tests this device: runs each kernel, variant and strategy that the device can select, on inputs that reach each of their
    /// paths, and compares the results with the CPU's, to the bit.
    ///
    /// The start-up probes test what the kernels rely on. This tests the kernels themselves, as this driver and this compiler
    /// have made them: the pipelines of usual calls, and of the others so many that each kernel, operator, element type and value of
    /// a constant is in one. The report counts the pipelines that it did not ask. [`SelfTest::everything`] asks them.
    ///
    /// It compiles some 200 pipelines, on every core (on an NVIDIA H200 with 16 cores that takes 9 s). A second run is faster if the driver keeps what it
    /// compiled. It works in up to 400 MiB of the device's memory, and as much of the host's.
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

    /// Every pipeline, and every operator and element type in every kernel, mechanism and strategy that it can go through: 110 s on an
    /// NVIDIA H200 with 16 cores, and far longer on a driver in software.
    #[must_use]
    pub fn everything(self) -> Self {
        Self { options: Options { extent: Extent::Everything, ..self.options } }
    }

    /// Every kernel with each value of its constants, and every operator in some kernel.
    #[cfg(feature = "unstable")]
    #[must_use]
    pub fn thorough(self) -> Self {
        Self { options: Options { extent: Extent::Thorough, ..self.options } }
    }

    /// Calls `tell` after each pipeline, from the threads that compile and from the one that runs the self-test.
    #[must_use]
    pub fn on_progress(self, tell: impl Fn(SelfTestProgress) + Send + Sync + 'static) -> Self {
        let listener = Some(Listener(Arc::new(tell)));
        Self { options: Options { listener, ..self.options } }
    }

    /// Shares the work with another device of the same adapter, which plans as the first one does. That is for drivers in software: they
    /// compile on one thread for each device. Without the feature `parallel` it does nothing.
    #[must_use]
    pub fn beside(mut self, context: &Context) -> Self {
        self.options.beside.push(context.clone());
        self
    }

    /// Only what one of these shader files has a part in, as [`SelfTest::thorough`] asks it. The report has not passed then, because it
    /// has not asked for all kernels.
    #[cfg(feature = "unstable")]
    #[must_use]
    pub fn only_files(self, files: &[&str]) -> Self {
        let only_files = Some(files.iter().copied().map(str::to_owned).collect());
        Self { options: Options { only_files, extent: Extent::Thorough, ..self.options } }
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
        // The first wrong result often comes before all pipelines would be there.
        if self.options.stops_at_first_wrong {
            let (tally, unfinished) = self.found(Selection::All, Arc::default()).await;
            return tally.report(&context, is_partial, unfinished);
        }
        let survey = Selection::Survey(Survey::default());
        let survey = self.clone().asked(survey, Arc::default()).await;
        let survey = match survey.map_err(|error| error.to_string()).and_then(Run::surveyed) {
            Ok(survey) => survey,
            Err(reason) => return Tally::default().report(&context, is_partial, Some(reason)),
        };
        let (sources, devices) = (context.pipelines().sources(), self.contexts().len());
        let all = survey.all(sources, devices);
        let number_of_all = all.pipelines.len();
        let chosen = match self.options.extent {
            Extent::Brief => survey.cover(sources, devices),
            Extent::Thorough | Extent::Everything => all,
        };
        let listener = self.options.listener.clone();
        let progress = Arc::new(Progress::new(listener, chosen.pipelines.len()));
        let (tally, unfinished) = self.found_beside(chosen, &progress).await;
        let report = tally.report(&context, is_partial, unfinished);
        let not_asked = number_of_all.saturating_sub(report.pipelines.len());
        SelfTestReport { not_asked, ..report }
    }

    /// The devices, which plan as the first one does. Without threads it answers all.
    fn contexts(&self) -> Vec<Context> {
        let first = &self.options.context;
        let has_threads = cfg!(all(feature = "parallel", not(target_arch = "wasm32")));
        let others = if has_threads { &self.options.beside[..] } else { &[] };
        let like_first =
            |other: &Context| other.with_capabilities(first.capabilities().clone()).ok();
        [first.clone()].into_iter().chain(others.iter().filter_map(like_first)).collect()
    }

    /// The answers of all devices, each to its part of the questions.
    async fn found_beside(
        self,
        Cover { pipelines, devices: device_of, .. }: Cover,
        progress: &Arc<Progress>,
    ) -> (Tally, Option<String>) {
        let mut contexts = self.contexts();
        let device_of = Arc::new(device_of);
        let part = |device: usize, context: Context| {
            let own = pipelines.iter().filter(|pipeline| device_of[*pipeline] == device);
            compile(&context, &own.cloned().collect::<Vec<_>>(), progress);
            let options = Options { context, ..self.options.clone() };
            let selection = Selection::Chosen { device_of: Arc::clone(&device_of), device };
            Self { options }.found(selection, Arc::clone(progress))
        };
        #[cfg(all(feature = "parallel", not(target_arch = "wasm32")))]
        if contexts.len() > 1 {
            use rayon::prelude::*;
            let numbered = contexts.into_par_iter().enumerate().with_max_len(1);
            let parts = numbered.map(|(device, context)| pollster::block_on(part(device, context)));
            return parts.collect::<Vec<_>>().into_iter().fold(
                (Tally::default(), None),
                |(mut all, unfinished), (tally, why)| {
                    all.merge(tally);
                    (all, unfinished.or(why))
                },
            );
        }
        part(0, contexts.remove(0)).await
    }

    async fn found(self, selection: Selection, progress: Arc<Progress>) -> (Tally, Option<String>) {
        match self.asked(selection, progress).await {
            Ok(run) => run.found().await,
            Err(error) => (Tally::default(), Some(error.to_string())),
        }
    }

    /// All questions, of which the selection takes some.
    async fn asked(
        self,
        selection: Selection,
        progress: Arc<Progress>,
    ) -> Result<Run, CreateError> {
        let mut run = Run::of(self.options, selection, progress)?;
        usual::run(&mut run).await;
        run.ends_usual();
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
        Ok(run)
    }

    /// [`SelfTest::run`], blocking.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn run_blocking(self) -> SelfTestReport {
        pollster::block_on(self.run())
    }
}

/// Compiles these pipelines. A question tries again to compile one that fails, and reports why.
fn compile(context: &Context, pipelines: &[Pipeline], progress: &Progress) {
    let key = |(shader, constants): &Pipeline| PipelineKey {
        shader: shader.clone(),
        constants: *constants,
    };
    let keys: Vec<_> = pipelines.iter().map(key).collect();
    context.pipelines().create_all(&keys, |key| progress.add_compiled(&key.shader));
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
