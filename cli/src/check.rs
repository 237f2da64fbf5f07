//! `gridfold check`: the library's self-test of a device.

use crate::{Outcome, args::CheckArguments, error::Error, progress::Steps, stdout};
use gridfold::{
    Avoided, Executor, KernelReport, SelfTest, SelfTestProgress, SelfTestReport, WrongResult,
};
use serde::Serialize;
use std::io::{self, Write};

/// Wrong results in the JSON object at most: more can't be pasted.
const LISTED: usize = 100;

/// Devices of a driver in software beside the first one, at most.
const MOST_OTHERS: usize = 7;

/// The JSON object.
#[derive(Serialize)]
struct Report<'a> {
    passed: bool,
    gridfold: &'static str,
    adapter: Adapter<'a>,
    shader_model: Option<String>,
    compiler: Option<&'static str>,
    subgroup_sizes: Option<SubgroupSizes>,
    sound_floats: bool,
    sound_doubles: bool,
    float_atomics: bool,
    coherent_memory: bool,
    max_buffer_bytes: u64,
    max_binding_bytes: u64,
    binding_alignment_bytes: u64,
    os: &'static str,
    arch: &'static str,
    avoided: Vec<AvoidedKernel<'a>>,
    kernels: Vec<Kernel<'a>>,
    wrong: Vec<Wrong<'a>>,
    suspects: Vec<String>,
    results: usize,
    wrong_results: usize,
    left_out: usize,
    pipelines_not_asked: usize,
    unfinished: Option<&'a str>,
    total_ns: Option<u64>,
}

#[derive(Serialize)]
struct Adapter<'a> {
    backend: &'a str,
    name: &'a str,
    driver: &'a str,
}

#[derive(Serialize)]
struct SubgroupSizes {
    min: u32,
    max: u32,
}

#[derive(Serialize)]
struct AvoidedKernel<'a> {
    kernel: Option<&'a str>,
    mechanism: Option<String>,
    reason: &'a str,
}

#[derive(Serialize)]
struct Kernel<'a> {
    kernel: &'a str,
    mechanism: String,
    strategies: Vec<&'static str>,
    operators: Vec<String>,
    results: usize,
    wrong: usize,
    unused: Option<&'a str>,
}

#[derive(Serialize)]
struct Wrong<'a> {
    op: &'static str,
    element: &'static str,
    precision: &'static str,
    input: &'a str,
    plan: &'a str,
    kernels: Vec<String>,
    expected: Vec<String>,
    found: Option<Vec<String>>,
    problem: Option<&'a str>,
}

impl<'a> Report<'a> {
    fn of(report: &'a SelfTestReport) -> Self {
        let capabilities = &report.capabilities;
        let adapter = &report.adapter;
        Self {
            passed: report.passed(),
            gridfold: env!("CARGO_PKG_VERSION"),
            adapter: Adapter {
                backend: &adapter.backend,
                name: &adapter.name,
                driver: &adapter.driver,
            },
            shader_model: capabilities.shader_model.map(|model| model.to_string()),
            compiler: capabilities.shader_model.map(gridfold::ShaderModel::compiler),
            subgroup_sizes: capabilities
                .subgroups
                .map(|sizes| SubgroupSizes { min: sizes.min, max: sizes.max }),
            sound_floats: capabilities.sound_floats,
            sound_doubles: capabilities.sound_doubles,
            float_atomics: capabilities.float_atomics,
            coherent_memory: capabilities.coherent_memory,
            max_buffer_bytes: capabilities.max_buffer_bytes,
            max_binding_bytes: capabilities.max_binding_bytes,
            binding_alignment_bytes: capabilities.binding_alignment_bytes,
            os: std::env::consts::OS,
            arch: std::env::consts::ARCH,
            avoided: capabilities.avoided.iter().map(AvoidedKernel::of).collect(),
            kernels: report.kernels.iter().map(Kernel::of).collect(),
            wrong: report.wrong.iter().take(LISTED).map(Wrong::of).collect(),
            suspects: report
                .suspects()
                .iter()
                .map(|kernel| format!("{}, {}", kernel.kernel, kernel.mechanism))
                .collect(),
            results: report.results,
            wrong_results: report.wrong.len(),
            left_out: report.left_out,
            pipelines_not_asked: report.not_asked,
            unfinished: report.unfinished.as_deref(),
            total_ns: report.elapsed.and_then(|elapsed| elapsed.as_nanos().try_into().ok()),
        }
    }
}

impl<'a> AvoidedKernel<'a> {
    fn of(avoided: &'a Avoided) -> Self {
        Self {
            kernel: avoided.kernel.as_deref(),
            mechanism: avoided.mechanism.map(|mechanism| mechanism.to_string()),
            reason: &avoided.reason,
        }
    }
}

impl<'a> Kernel<'a> {
    fn of(kernel: &'a KernelReport) -> Self {
        let operator = |&(operator, element)| format!("{} {element}", operator);
        Self {
            kernel: kernel.kernel,
            mechanism: kernel.mechanism.to_string(),
            strategies: kernel.strategies.iter().map(|strategy| strategy.name()).collect(),
            operators: kernel.operators.iter().map(operator).collect(),
            results: kernel.results,
            wrong: kernel.wrong,
            unused: kernel.unused.as_deref(),
        }
    }
}

impl<'a> Wrong<'a> {
    fn of(wrong: &'a WrongResult) -> Self {
        let words = |words: &[u32]| words.iter().map(|word| format!("{word:#010x}")).collect();
        Self {
            op: wrong.operator.name(),
            element: wrong.element.name(),
            precision: wrong.precision.name(),
            input: &wrong.input,
            plan: &wrong.plan,
            kernels: wrong
                .kernels
                .iter()
                .map(|(kernel, mechanism)| format!("{kernel}, {mechanism}"))
                .collect(),
            expected: words(&wrong.expected),
            found: wrong.found.as_deref().ok().map(words),
            problem: wrong.found.as_ref().err().map(String::as_str),
        }
    }
}

pub fn run(arguments: &CheckArguments) -> Outcome {
    let executor = Executor::with_adapter(&arguments.adapter)?;
    let Some(context) = executor.context() else {
        return Err(Error::CheckNeedsGpu { adapter: arguments.adapter.clone() });
    };
    let mut self_test = SelfTest::new(context);
    if arguments.all {
        self_test = self_test.everything();
    }
    // A driver in software compiles on one thread for each device, and its devices cost nothing.
    let others =
        match context.device().adapter_info().device_type == gridfold::wgpu::DeviceType::Cpu {
            true => rayon::current_num_threads() - 1,
            false => 0,
        };
    for _ in 0..others.min(MOST_OTHERS) {
        // Fewer do, too.
        let other = Executor::with_adapter(&arguments.adapter).ok();
        if let Some(other) = other.as_ref().and_then(Executor::context) {
            self_test = self_test.beside(other);
        }
    }
    let steps = Steps::new(&format!("checking {}", context.adapter()));
    let shown = steps.clone();
    let self_test = self_test.on_progress(move |progress| {
        let SelfTestProgress { kernel, mechanism, compiled, compared, all, .. } = progress;
        let doing = if compared == 0 { "compiled" } else { "compared" };
        shown.show(compiled + compared, 2 * all, &format!("{doing} {kernel}, {mechanism}"));
    });
    let report = self_test.run_blocking();
    steps.finish();
    let mut stdout = stdout();
    if arguments.json {
        let json = serde_json::to_string_pretty(&Report::of(&report)).map_err(io::Error::from)?;
        writeln!(stdout, "{json}")?;
    } else {
        writeln!(stdout, "{report}")?;
    }
    stdout.flush()?;
    let not_asked = report.kernels.iter().filter(|kernel| !kernel.passed()).count();
    conclude(report.unfinished, report.wrong.len(), not_asked, report.results)
}

/// The end of the program.
fn conclude(unfinished: Option<String>, wrong: usize, not_asked: usize, all: usize) -> Outcome {
    match unfinished {
        _ if wrong > 0 => Err(Error::Disagreement { wrong, all }),
        Some(reason) => Err(Error::Unfinished { reason }),
        None if not_asked > 0 || all == 0 => Err(Error::NotAsked { kernels: not_asked }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_not_passed_is_an_error() {
        assert!(conclude(None, 0, 0, 7).is_ok());
        let outcome = conclude(None, 2, 0, 7);
        assert!(matches!(outcome, Err(Error::Disagreement { wrong: 2, all: 7 })));
        assert!(matches!(conclude(None, 0, 1, 7), Err(Error::NotAsked { kernels: 1 })));
        assert!(matches!(conclude(None, 0, 0, 0), Err(Error::NotAsked { kernels: 0 })));
        let outcome = conclude(Some("lost".to_owned()), 0, 3, 7);
        assert!(matches!(outcome, Err(Error::Unfinished { reason }) if reason == "lost"));
    }
}
