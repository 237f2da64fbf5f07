//! What a self-test has found.

use crate::{
    algebra::{element::ElementType, operator_type::OperatorType, precision::Precision},
    device::capabilities::{AdapterName, Avoided, Capabilities},
    plural::count,
    way::{Mechanism, Strategy},
    wgsl::shader::{Constants, ShaderKey},
};
use std::{borrow::Cow, collections::HashSet, fmt, time::Duration};

/// The report of a self-test. `{}` is a page of text, with a line for each kernel.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SelfTestReport {
    /// The names of the device's adapter.
    pub adapter: AdapterName,
    /// The abilities of the device, as probed, and the kernels that are avoided on it.
    pub capabilities: Capabilities,
    /// Every kernel there is, in each mechanism.
    pub kernels: Vec<KernelReport>,
    /// The results that are wrong, or missing.
    pub wrong: Vec<WrongResult>,
    /// How many results were compared. Most of them have several kernels' parts in them.
    pub results: usize,
    /// Questions that were not asked, because the device's buffers or bindings are too small for their inputs.
    pub left_out: usize,
    /// Pipelines that a thorough self-test asks and this did not, because others like them were asked.
    pub not_asked: usize,
    /// Why the self-test did not come to its end, if it did not: the device was lost, has no memory left, or refused a buffer.
    pub unfinished: Option<String>,
    /// How long it took, with compiling. `None` on the web.
    pub elapsed: Option<Duration>,
    /// Whether only a part was to be asked.
    pub(super) is_partial: bool,
    /// The shaders that had a part in results.
    pub(super) pipelines: HashSet<(ShaderKey, Constants)>,
}

/// The report of a kernel.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct KernelReport {
    /// The kernel's name: what [`Avoided::kernel`] takes.
    pub kernel: &'static str,
    /// How the invocations of its workgroups combine.
    pub mechanism: Mechanism,
    /// The strategies of the plans that it was a part of.
    pub strategies: Vec<Strategy>,
    /// The operators and types that it reduced.
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

    /// The entry that keeps a context from using this kernel: for [`crate::Context::avoiding`].
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
    /// The input: the kind of elements, how many, and how they lie in their buffer.
    pub input: String,
    /// The plan, in a line; empty if there was none.
    pub plan: String,
    /// The kernels that had a part in it, and their mechanisms.
    pub kernels: Vec<(&'static str, Mechanism)>,
    /// The CPU's result: a word, or those of an accumulator.
    pub expected: Vec<u32>,
    /// The device's result, or why there is none.
    pub found: Result<Vec<u32>, String>,
}

impl SelfTestReport {
    /// Whether every kernel that the device can select was asked, and every result is the CPU's.
    pub fn passed(&self) -> bool {
        self.wrong.is_empty()
            && self.unfinished.is_none()
            && !self.is_partial
            && self.results > 0
            && self.kernels.iter().all(KernelReport::passed)
    }

    /// The fewest kernels, or nearly so, that explain all wrong results: the one of whose results most are wrong; then the same of
    /// the wrong results that it had no part in; and so on. Another fault can hide behind these: run the self-test again on a context
    /// that avoids them.
    pub fn suspects(&self) -> Vec<&KernelReport> {
        let mut unexplained: Vec<&WrongResult> = self.wrong.iter().collect();
        let mut suspects: Vec<&KernelReport> = Vec::new();
        loop {
            let share = |kernel: &KernelReport| {
                let wrong = unexplained.iter().filter(|wrong| wrong.involves(kernel)).count();
                (wrong, kernel.results)
            };
            // By shares, without rounding; of equal ones, that of more wrong results.
            let worst = self.kernels.iter().filter(|kernel| share(kernel).0 > 0).max_by(|a, b| {
                let ((wrong_a, all_a), (wrong_b, all_b)) = (share(a), share(b));
                (wrong_a * all_b).cmp(&(wrong_b * all_a)).then(wrong_a.cmp(&wrong_b))
            });
            let Some(worst) = worst else { return suspects };
            unexplained.retain(|wrong| !wrong.involves(worst));
            suspects.push(worst);
        }
    }

    /// The shaders that had a part in results, each with the values of its constants.
    #[cfg(feature = "unstable")]
    pub fn pipelines(&self) -> impl Iterator<Item = (ShaderKey, Constants)> + '_ {
        self.pipelines.iter().cloned()
    }

    /// The shaders that had a part in results, once for each value of their constants.
    #[cfg(feature = "unstable")]
    pub fn shader_keys(&self) -> impl Iterator<Item = ShaderKey> + '_ {
        self.pipelines.iter().map(|(key, _)| key.clone())
    }

    /// Facts about the device, as names and values: what a reader of the report wants to know first.
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        let Capabilities {
            max_binding_bytes,
            max_buffer_bytes,
            binding_alignment_bytes,
            subgroups,
            sound_floats,
            sound_doubles,
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
            (
                "doubles",
                yes(*sound_doubles, "added as IEEE-754 says", "none, or not IEEE-754's: integers add them"),
            ),
            ("float atomics", yes(*float_atomics, "yes", "no")),
            ("coherent memory", yes(*coherent_memory, "yes", "no: two passes")),
            (
                "buffers",
                format!(
                    "up to {max_buffer_bytes} bytes, bound up to {max_binding_bytes} at multiples of \
                     {binding_alignment_bytes}"
                ),
            ),
            ("system", format!("{}, {}", std::env::consts::OS, std::env::consts::ARCH)),
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
        // One of each suspect's, then any.
        let suspects = self.suspects();
        let first_of =
            |kernel: &&KernelReport| self.wrong.iter().find(|wrong| wrong.involves(kernel));
        let firsts: Vec<&WrongResult> = suspects.iter().filter_map(first_of).collect();
        let others = self
            .wrong
            .iter()
            .filter(|wrong| !firsts.iter().any(|first| std::ptr::eq(*first, *wrong)));
        for wrong in firsts.iter().copied().chain(others).take(SPELT_OUT) {
            writeln!(f, "{wrong}")?;
        }
        if let Some(more) = self.wrong.len().checked_sub(SPELT_OUT).filter(|&more| more > 0) {
            writeln!(f, "and {more} more")?;
        }
        for kernel in suspects {
            writeln!(f, "Suspect: {}, {}", kernel.kernel, kernel.mechanism)?;
        }
        if self.left_out > 0 {
            let questions = count(self.left_out as u64, "question");
            writeln!(f, "{questions} left out: this device's buffers or bindings are too small.")?;
        }
        if self.not_asked > 0 {
            let pipelines = count(self.not_asked as u64, "pipeline");
            writeln!(
                f,
                "{} pipelines were asked, {pipelines} like them were not. Everything (--all) has these and more.",
                self.pipelines.len()
            )?;
        }
        if let Some(reason) = &self.unfinished {
            writeln!(f, "Not finished: {reason}")?;
        }
        let seconds = self
            .elapsed
            .map_or(String::new(), |elapsed| format!(", in {:.1} s", elapsed.as_secs_f64()));
        let Self { results, wrong, .. } = self;
        let not_asked = self.kernels.iter().filter(|kernel| !kernel.passed()).count();
        if self.passed() {
            write!(f, "All {results} results equal the CPU's, bit for bit{seconds}.")
        } else if !wrong.is_empty() {
            write!(f, "{} of {results} results are WRONG or missing{seconds}.", wrong.len())
        } else if self.unfinished.is_some() {
            write!(
                f,
                "NOT FINISHED: the {results} results before equal the CPU's, bit for bit{seconds}."
            )
        } else if *results == 0 {
            write!(f, "NOTHING was asked: no kernel can be used{seconds}.")
        } else {
            let kernels = count(not_asked as u64, "kernel");
            write!(f, "All {results} results equal the CPU's, but {kernels} NOT ASKED{seconds}.")
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
        for (index, (kernel, mechanism)) in kernels.iter().enumerate() {
            write!(f, "{}{kernel} ({mechanism})", if index == 0 { "; by " } else { " and " })?;
        }
        Ok(())
    }
}

impl WrongResult {
    fn involves(&self, kernel: &KernelReport) -> bool {
        self.kernels.contains(&(kernel.kernel, kernel.mechanism))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn kernel(kernel: &'static str, results: usize, wrong: usize) -> KernelReport {
        KernelReport {
            kernel,
            mechanism: Mechanism::Subgroup,
            strategies: Vec::new(),
            operators: Vec::new(),
            results,
            wrong,
            unused: None,
        }
    }

    fn wrong(kernels: &[&'static str]) -> WrongResult {
        WrongResult {
            operator: OperatorType::Sum,
            element: ElementType::U32,
            precision: Precision::Exact,
            input: "7 elements".to_owned(),
            plan: String::new(),
            kernels: kernels.iter().map(|&kernel| (kernel, Mechanism::Subgroup)).collect(),
            expected: vec![7],
            found: Ok(vec![8]),
        }
    }

    fn report(kernels: Vec<KernelReport>, wrong: Vec<WrongResult>) -> SelfTestReport {
        SelfTestReport {
            adapter: AdapterName::cpu(),
            capabilities: Capabilities::default(),
            results: 10,
            kernels,
            wrong,
            left_out: 0,
            not_asked: 0,
            unfinished: None,
            elapsed: None,
            is_partial: false,
            pipelines: HashSet::new(),
        }
    }

    #[test]
    fn suspects_are_few() {
        let kernels =
            vec![kernel("a", 8, 2), kernel("b", 2, 2), kernel("c", 4, 1), kernel("d", 9, 0)];
        let all_wrong = vec![wrong(&["a", "b"]), wrong(&["a", "b"]), wrong(&["c"])];
        let report = report(kernels, all_wrong);
        let suspects: Vec<_> = report.suspects().iter().map(|kernel| kernel.kernel).collect();
        assert_eq!(suspects, ["b", "c"]);
        assert!(!report.passed());
        let text = report.to_string();
        for words in
            ["2 WRONG", "0x00000008, expected 0x00000007", "Suspect: b, subgroup", "3 of 10"]
        {
            assert!(text.contains(words), "{words}: {text}");
        }
    }

    #[test]
    fn endings() {
        let ending = |report: &SelfTestReport| {
            report.to_string().lines().last().unwrap_or_default().to_owned()
        };
        let right = report(vec![kernel("a", 10, 0)], Vec::new());
        assert!(right.passed());
        assert_eq!(ending(&right), "All 10 results equal the CPU's, bit for bit.");
        let not_asked = report(vec![kernel("a", 10, 0), kernel("b", 0, 0)], Vec::new());
        assert!(!not_asked.passed());
        assert_eq!(ending(&not_asked), "All 10 results equal the CPU's, but 1 kernel NOT ASKED.");
        let lost = SelfTestReport { unfinished: Some("lost".to_owned()), ..right.clone() };
        assert!(!lost.passed() && lost.to_string().contains("Not finished: lost"));
        assert!(ending(&lost).starts_with("NOT FINISHED"), "{lost}");
        let nothing = SelfTestReport { results: 0, kernels: Vec::new(), ..right.clone() };
        assert!(!nothing.passed());
        assert_eq!(ending(&nothing), "NOTHING was asked: no kernel can be used.");
        let partial = SelfTestReport { is_partial: true, ..right };
        assert!(!partial.passed());
    }
}
