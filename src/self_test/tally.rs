//! What a self-test has found, kernel by kernel.

use super::{
    progress::Progress,
    questions::Question,
    report::{KernelReport, SelfTestReport, WrongResult},
};
use crate::{
    algebra::{element::ElementType, operator_type::OperatorType},
    device::{capabilities::Capabilities, context::Context},
    reduce::blocks::Groups,
    way::{Mechanism, Strategy},
    wgsl::{
        kernel::Kernel,
        shader::{Constants, ShaderKey},
    },
};
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, HashSet},
    sync::Arc,
};

/// What a result is compared with, and whose it is.
#[derive(Clone)]
pub(super) struct Claim {
    pub(super) question: Question,
    /// The input, in words.
    pub(super) input: String,
    /// The strategy that the plan settled on.
    pub(super) strategy: Strategy,
    pub(super) plan: String,
    /// The shaders of the dispatches, and the values of their constants.
    pub(super) pipelines: Vec<(ShaderKey, Constants)>,
    pub(super) expected: Vec<u32>,
}

impl Claim {
    pub(super) fn without_plan(question: Question, input: String) -> Self {
        Self {
            question,
            input,
            strategy: question.strategy,
            plan: String::new(),
            pipelines: Vec::new(),
            expected: Vec::new(),
        }
    }
}

/// A kernel in a mechanism.
#[derive(Default)]
struct Row {
    strategies: Vec<Strategy>,
    operators: Vec<(OperatorType, ElementType)>,
    results: usize,
    wrong: usize,
}

#[derive(Default)]
pub(super) struct Tally {
    progress: Arc<Progress>,
    rows: BTreeMap<(Kernel, Mechanism), Row>,
    pipelines: HashSet<(ShaderKey, Constants)>,
    /// Kernels that something would have been asked of, if nothing were avoided.
    excused: BTreeSet<(Kernel, Mechanism)>,
    pub(super) wrong: Vec<WrongResult>,
    results: usize,
    /// Questions that the device is too small for.
    pub(super) left_out: usize,
}

impl Tally {
    pub(super) fn new(progress: Arc<Progress>) -> Self {
        Self { progress, ..Self::default() }
    }

    /// These kernels were not asked, because what they are for is avoided.
    pub(super) fn excuse<'k>(&mut self, keys: impl Iterator<Item = &'k ShaderKey>) {
        self.excused.extend(keys.map(|key| (key.kernel, key.mechanism)));
    }

    /// Adds what was found on another device, which leaves out the same.
    #[cfg(all(feature = "parallel", not(target_arch = "wasm32")))]
    pub(super) fn merge(&mut self, other: Self) {
        for (kernel, row) in other.rows {
            let own = self.rows.entry(kernel).or_default();
            own.results += row.results;
            own.wrong += row.wrong;
            let new = |strategy: &Strategy| !own.strategies.contains(strategy);
            let strategies: Vec<_> = row.strategies.into_iter().filter(new).collect();
            own.strategies.extend(strategies);
            let new = |operator: &(OperatorType, ElementType)| !own.operators.contains(operator);
            let operators: Vec<_> = row.operators.into_iter().filter(new).collect();
            own.operators.extend(operators);
        }
        self.pipelines.extend(other.pipelines);
        self.excused.extend(other.excused);
        self.wrong.extend(other.wrong);
        self.results += other.results;
        self.left_out = self.left_out.max(other.left_out);
    }

    /// A result is there, or there is a reason why it is not.
    pub(super) fn compare(&mut self, claim: Claim, found: Result<Vec<u32>, String>) {
        let Claim { question, input, strategy, plan, pipelines, expected } = claim;
        let (operator, element) = (question.subject.operator, question.subject.element);
        let is_right = found.as_ref().is_ok_and(|found| *found == expected);
        self.results += 1;
        for pipeline in &pipelines {
            if self.pipelines.insert(pipeline.clone()) {
                self.progress.add_compared(pipeline);
            }
        }
        // Several launches have the same kernel.
        let kernels: BTreeSet<_> =
            pipelines.iter().map(|(key, _)| (key.kernel, key.mechanism)).collect();
        for &kernel in &kernels {
            let row = self.rows.entry(kernel).or_default();
            row.results += 1;
            row.wrong += usize::from(!is_right);
            if !row.strategies.contains(&strategy) {
                row.strategies.push(strategy);
            }
            if !row.operators.contains(&(operator, element)) {
                row.operators.push((operator, element));
            }
        }
        if !is_right {
            self.wrong.push(WrongResult {
                operator,
                element,
                precision: question.precision,
                input,
                plan,
                kernels: kernels.iter().map(|(kernel, place)| (kernel.name(), *place)).collect(),
                expected,
                found,
            });
        }
    }

    pub(super) fn report(
        self,
        context: &Context,
        is_partial: bool,
        unfinished: Option<String>,
    ) -> SelfTestReport {
        let capabilities = context.capabilities();
        let there_are: BTreeSet<_> =
            ShaderKey::all().map(|key| (key.kernel, key.mechanism)).collect();
        let kernels = there_are
            .into_iter()
            .map(|(kernel, mechanism)| {
                let row = self.rows.get(&(kernel, mechanism));
                let is_excused = row.is_none() && self.excused.contains(&(kernel, mechanism));
                let excuse = is_excused.then_some("what it is for needs a kernel that is avoided");
                KernelReport {
                    kernel: kernel.name(),
                    mechanism,
                    strategies: row.map_or(Vec::new(), |row| row.strategies.clone()),
                    operators: row.map_or(Vec::new(), |row| row.operators.clone()),
                    results: row.map_or(0, |row| row.results),
                    wrong: row.map_or(0, |row| row.wrong),
                    unused: why_unused(kernel, mechanism, capabilities)
                        .or(excuse.map(Cow::Borrowed)),
                }
            })
            .collect();
        SelfTestReport {
            adapter: context.adapter().clone(),
            capabilities: capabilities.clone(),
            kernels,
            wrong: self.wrong,
            results: self.results,
            left_out: self.left_out,
            not_asked: 0,
            unfinished,
            elapsed: None,
            is_partial,
            pipelines: self.pipelines,
        }
    }
}

/// Why no plan for the device has a kernel in a mechanism, if none has.
fn why_unused(
    kernel: Kernel,
    mechanism: Mechanism,
    capabilities: &Capabilities,
) -> Option<Cow<'static, str>> {
    if mechanism == Mechanism::Subgroup && capabilities.subgroups.is_none() {
        return Some(Cow::Borrowed("there are no subgroups that can be used"));
    }
    if kernel.needs_coherent_memory() && !capabilities.coherent_memory {
        return Some(Cow::Borrowed("memory is not coherent"));
    }
    let are_too_many =
        |bindings: usize| bindings as u64 > u64::from(capabilities.max_storage_buffers);
    // Some modules have fewer than the kernel. Few kernels have too many, so few look at all modules.
    let is_its = |key: &ShaderKey| (key.kernel, key.mechanism) == (kernel, mechanism);
    if are_too_many(kernel.storage_bindings().len())
        && ShaderKey::all().filter(is_its).all(|key| are_too_many(key.storage_bindings().count()))
    {
        return Some(Cow::Borrowed("kernels can't bind so many buffers"));
    }
    if matches!(kernel, Kernel::ReduceToAccumulator { float_add: true, .. })
        && !capabilities.float_atomics
    {
        return Some(Cow::Borrowed("atomics can't add floats"));
    }
    if kernel == Kernel::FoldToPartials {
        let keys = ShaderKey::all().filter(|key| key.kernel == kernel);
        let mut specs = keys.filter_map(|key| key.operator.spec(key.element));
        if !specs.any(|spec| Groups::fit(spec, capabilities)) {
            return Some(Cow::Borrowed("no launch has so many blocks"));
        }
    }
    capabilities.avoids(kernel, mechanism).map(|avoided| avoided.reason.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        way::AtomicScope,
        wgsl::{kernel::Selected, sources::Sources},
    };

    /// The text says what kept a kernel from being asked.
    #[test]
    fn reasons() {
        let none = Capabilities::default();
        let kernel = Kernel::ReduceToAccumulator { scope: AtomicScope::Workgroup, float_add: true };
        let of_one_pass = [
            Kernel::ReduceAndFold,
            Kernel::ReducePairsAndFold,
            Kernel::ScanSinglePass,
            Kernel::SelectSinglePass { what: Selected::Runs },
        ];
        for kernel in of_one_pass.into_iter().chain([kernel]) {
            assert!(why_unused(kernel, Mechanism::WorkgroupMemory, &none).is_some());
        }
        assert!(why_unused(Kernel::Fold, Mechanism::Subgroup, &none).is_some());
        assert!(why_unused(Kernel::Fold, Mechanism::WorkgroupMemory, &none).is_none());
        // The shortest launch that it is for reads 2^20 bytes, by 256 workgroups.
        for (max_binding_bytes, max_workgroups, is_unused) in
            [(1 << 20, 256, false), ((1 << 20) - 1, 256, true), (1 << 20, 255, true)]
        {
            let least = Capabilities { max_binding_bytes, max_workgroups, ..none.clone() };
            let reason = why_unused(Kernel::FoldToPartials, Mechanism::WorkgroupMemory, &least);
            assert_eq!(reason.is_some(), is_unused, "{max_binding_bytes}, {max_workgroups}");
        }
    }

    /// Every kernel with a coherent binding is known as one, so that no device without coherent memory is blamed for it.
    #[test]
    fn kernels_of_coherent_memory() {
        let sources = Sources::default();
        for key in ShaderKey::all() {
            let mut texts = key.files().into_iter().filter_map(|file| sources.text(file));
            let is_coherent = texts.any(|text| text.contains("@coherent"));
            assert_eq!(is_coherent, key.kernel.needs_coherent_memory(), "{key}");
        }
    }
}
