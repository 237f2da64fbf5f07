//! Is everything right on this device? Every kernel that it can select, on inputs that reach each of its paths, compared with
//! the CPU to the bit.

mod battery;
mod material;
mod questions;
mod run;

use crate::{
    capabilities::{AdapterName, Avoided, Capabilities},
    context::Context,
    element::ElementType,
    operator::OperatorType,
    plan::{Mechanism, Strategy},
    precision::Precision,
    shader::ShaderKey,
};
use run::Run;
use std::{borrow::Cow, collections::BTreeSet, fmt, time::Duration};

impl Context {
    /// Finds out whether everything is right on this device: runs each kernel, variant and strategy that the device can select, on
    /// inputs that reach each of their paths, and compares the results with the CPU's, to the bit.
    ///
    /// The start-up probes ask what the kernels stand on; this asks the kernels themselves, as this driver and this compiler
    /// have made them. Every operator and element type is in some of them; [`SelfTest::everything`] has each in all of them.
    /// It compiles some 150 pipelines and works in some 100 MiB of the device's memory: a second or two on a GPU, up to a minute
    /// on a driver in software.
    ///
    /// It is slow, but it may run beside other work of the device, and changes nothing of it.
    /// [`Context::avoiding`] makes a context without what is wrong.
    ///
    /// ```
    /// # let executor = gridfold::Executor::auto();
    /// if let Some(context) = executor.context() {
    /// # if false {
    ///     let report = context.self_test_blocking();
    ///     assert!(report.passed(), "{report}");
    /// # }
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
    context: Context,
    everything: bool,
    only_files: Option<Vec<String>>,
    stops_at_first_wrong: bool,
}

impl SelfTest {
    /// A self-test as [`Context::self_test`] has it.
    pub fn new(context: &Context) -> Self {
        Self {
            context: context.clone(),
            everything: false,
            only_files: None,
            stops_at_first_wrong: false,
        }
    }

    /// Every operator and element type in every kernel, mechanism and strategy that it can go through: minutes on a driver in
    /// software.
    #[must_use]
    pub fn everything(self) -> Self {
        Self { everything: true, ..self }
    }

    /// Only what one of these shader files has a part in. The report has not passed then, because it has not asked for all kernels.
    #[cfg(feature = "unstable")]
    #[must_use]
    pub fn only_files(self, files: &[&str]) -> Self {
        Self { only_files: Some(files.iter().copied().map(str::to_owned).collect()), ..self }
    }

    /// Not much more after the first wrong result.
    #[cfg(feature = "unstable")]
    #[must_use]
    pub fn stops_at_first_wrong(self) -> Self {
        Self { stops_at_first_wrong: true, ..self }
    }

    /// Runs the self-test. Submits, and completes when the device is done, under any executor. What goes wrong is in the
    /// report, also a lost device.
    pub async fn run(self) -> SelfTestReport {
        #[cfg(not(target_arch = "wasm32"))]
        let start = std::time::Instant::now();
        let mut report = Run::of(self).await;
        #[cfg(not(target_arch = "wasm32"))]
        {
            report.elapsed = Some(start.elapsed());
        }
        #[cfg(target_arch = "wasm32")]
        {
            report.elapsed = None;
        }
        report
    }

    /// [`SelfTest::run`], blocking.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn run_blocking(self) -> SelfTestReport {
        pollster::block_on(self.run())
    }
}

/// What a self-test has found. `{}` is a page of text, with a line for each kernel.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SelfTestReport {
    /// The names of the device's adapter.
    pub adapter: AdapterName,
    /// What the device can do, as probed, and what is avoided on it.
    pub capabilities: Capabilities,
    /// Every kernel there is, in each mechanism.
    pub kernels: Vec<KernelReport>,
    /// The results that are wrong, or missing.
    pub wrong: Vec<WrongResult>,
    /// How many results were compared. Most of them have several kernels' parts in them.
    pub results: usize,
    /// Why the self-test did not come to its end, if it did not: the device was lost, or has no memory left.
    pub unfinished: Option<String>,
    /// How long it took, with compiling. `None` on the web.
    pub elapsed: Option<Duration>,
    /// The shaders that had a part in results.
    #[cfg_attr(not(feature = "unstable"), expect(dead_code, reason = "for the tests"))]
    keys: BTreeSet<ShaderKey>,
}

/// What a self-test has found of a kernel.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct KernelReport {
    /// The kernel's name: what [`Avoided::kernel`] takes.
    pub kernel: &'static str,
    /// How the invocations of its workgroups combine.
    pub mechanism: Mechanism,
    /// The strategies that it was a part of.
    pub strategies: Vec<Strategy>,
    /// What it reduced.
    pub operators: Vec<(OperatorType, ElementType)>,
    /// Compared results that it had a part in.
    pub results: usize,
    /// How many of them were wrong, or missing.
    pub wrong: usize,
    /// Why the device does not use it, where it does not.
    pub unused: Option<Cow<'static, str>>,
}

impl KernelReport {
    /// Whether it was right, or is not used.
    pub fn passed(&self) -> bool {
        self.wrong == 0 && (self.results > 0 || self.unused.is_some())
    }

    /// What keeps a context from using this kernel: for [`Context::avoiding`].
    pub fn avoided(&self, reason: impl Into<Cow<'static, str>>) -> Avoided {
        Avoided {
            kernel: Some(Cow::Borrowed(self.kernel)),
            mechanism: Some(self.mechanism),
            reason: reason.into(),
        }
    }
}

/// A result that is not the CPU's, or that there is none of.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WrongResult {
    /// The operator.
    pub operator: OperatorType,
    /// The element type.
    pub element: ElementType,
    /// The precision that was asked for.
    pub precision: Precision,
    /// What was reduced: the kind of elements, how many, and how they lie in their buffer.
    pub input: String,
    /// The plan, in a line; empty if there was none.
    pub plan: String,
    /// The kernels that had a part in it.
    pub kernels: Vec<&'static str>,
    /// What the CPU has: a word, or those of an accumulator.
    pub expected: Vec<u32>,
    /// What the device has, or why it has nothing.
    pub found: Result<Vec<u32>, String>,
}

impl SelfTestReport {
    /// Whether every kernel that the device can select was asked, and every result is the CPU's.
    pub fn passed(&self) -> bool {
        self.wrong.is_empty()
            && self.unfinished.is_none()
            && self.results > 0
            && self.kernels.iter().all(KernelReport::passed)
    }

    /// The kernels that had a part in wrong results, the likely culprits first: those of whose results most are wrong.
    pub fn suspects(&self) -> Vec<&KernelReport> {
        let mut suspects: Vec<_> = self.kernels.iter().filter(|kernel| kernel.wrong > 0).collect();
        // By the share of wrong results, without rounding.
        suspects.sort_by(|a, b| {
            let share = |x: &KernelReport, y: &KernelReport| x.wrong as u128 * y.results as u128;
            share(b, a).cmp(&share(a, b))
        });
        suspects
    }

    /// The shaders that had a part in results.
    #[cfg(feature = "unstable")]
    pub fn shader_keys(&self) -> impl Iterator<Item = ShaderKey> + '_ {
        self.keys.iter().copied()
    }

    /// Facts about the device, as names and values: what a reader of the report wants to know first.
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        let Capabilities {
            subgroups,
            sound_floats,
            float_atomics,
            coherent_memory,
            shader_model,
            avoided,
            ..
        } = &self.capabilities;
        let AdapterName { backend, name, driver } = &self.adapter;
        let mut facts = vec![
            ("gridfold", env!("CARGO_PKG_VERSION").to_owned()),
            ("adapter", name.clone()),
            ("backend", backend.clone()),
            ("driver", driver.clone()),
        ];
        if let Some(model) = shader_model {
            facts.push((
                "shader model",
                format!("{model} or later, compiled by {}", model.compiler()),
            ));
        }
        let yes = |is: bool, yes: &str, no: &str| if is { yes } else { no }.to_owned();
        facts.extend([
            (
                "subgroups",
                subgroups.map_or("none that can be used".to_owned(), |sizes| sizes.to_string()),
            ),
            (
                "floats",
                yes(*sound_floats, "added as IEEE-754 says", "not IEEE-754's: integers add them"),
            ),
            ("float atomics", yes(*float_atomics, "yes", "no")),
            ("coherent memory", yes(*coherent_memory, "yes", "no: two passes")),
        ]);
        for Avoided { kernel, mechanism, reason } in avoided {
            let kernel = kernel.as_deref().unwrap_or("every kernel");
            let mechanism = mechanism.map_or(String::new(), |mechanism| format!(", {mechanism}"));
            facts.push(("avoided", format!("{kernel}{mechanism}: {reason}")));
        }
        facts
    }
}

/// Wrong results that a report's text spells out.
const SPELT_OUT: usize = 8;

impl fmt::Display for SelfTestReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in self.facts() {
            writeln!(f, "{name:16} {value}")?;
        }
        writeln!(f, "\n{:52} {:16} {:>7}  verdict", "kernel", "mechanism", "results")?;
        for kernel in &self.kernels {
            let KernelReport { kernel: name, mechanism, results, wrong, unused, .. } = kernel;
            let verdict = match (unused, wrong, results) {
                (Some(reason), _, 0) => format!("not used: {reason}"),
                (_, 0, 0) => "NOT ASKED".to_owned(),
                (_, 0, _) => "right".to_owned(),
                (_, wrong, _) => format!("{wrong} WRONG"),
            };
            writeln!(f, "{name:52} {:16} {results:7}  {verdict}", mechanism.to_string())?;
        }
        writeln!(f)?;
        for wrong in self.wrong.iter().take(SPELT_OUT) {
            writeln!(f, "{wrong}")?;
        }
        if let Some(more) = self.wrong.len().checked_sub(SPELT_OUT).filter(|&more| more > 0) {
            writeln!(f, "… and {more} more")?;
        }
        if let Some(reason) = &self.unfinished {
            writeln!(f, "Not finished: {reason}")?;
        }
        let seconds = self
            .elapsed
            .map_or(String::new(), |elapsed| format!(", in {:.1} s", elapsed.as_secs_f64()));
        if self.passed() {
            write!(f, "All {} results are the CPU's, to the bit{seconds}.", self.results)
        } else {
            write!(
                f,
                "{} of {} results are WRONG or missing{seconds}.",
                self.wrong.len(),
                self.results
            )
        }
    }
}

impl fmt::Display for WrongResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { operator, element, precision, input, plan, kernels, expected, found } = self;
        write!(f, "WRONG: {precision} {operator} of {input}, {element}: ")?;
        match found {
            Ok(found) => write!(f, "{}, expected {}", Words(found), Words(expected))?,
            Err(problem) => write!(f, "{problem}")?,
        }
        if !plan.is_empty() {
            write!(f, "; {plan}")?;
        }
        if !kernels.is_empty() {
            write!(f, "; {}", kernels.join(" → "))?;
        }
        Ok(())
    }
}

/// Bits, in hexadecimal digits.
struct Words<'a>(&'a [u32]);

impl fmt::Display for Words<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, word) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { " " };
            write!(f, "{separator}{word:#010x}")?;
        }
        Ok(())
    }
}
