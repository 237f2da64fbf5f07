//! The ladder: the classic sequence of reduction kernels, each checked against the CPU and measured beside the library.
//!
//! A rung is a file in `ladder/shaders`, whose head tells what it is about. [`run`] climbs them all, and its [`Report`] has
//! them as a table, as JSON and as a chart.

mod data;
mod device;
mod error;
mod measure;
pub mod modules;
mod report;
mod rungs;
pub mod studies;
mod studying;
mod work;

pub use error::Error;
pub use report::Report;

use data::Input;
use device::Device;
use gridfold::{Executor, wgpu};
use measure::Bench;
use studying::Studies;

/// Elements of all inputs together, where there is a GPU with a cache to be got past, and where there is none.
const GPU_ELEMENTS: u64 = 1 << 26;
const CPU_ELEMENTS: u64 = 1 << 22;
/// Inputs that are there in any case.
const FEWEST_INPUTS: u64 = 2;
const MOST_INPUTS: u64 = 8;

/// What is to be run.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Whose device runs it.
    pub executor: &'a Executor,
    /// How many elements.
    pub len: u64,
    /// Rounds in which everything is timed once, at most.
    pub rounds: usize,
    /// Whether there are studies, too: of costs of collectives, of occupancy, and of products of matrices.
    pub with_studies: bool,
}

/// How far a part of a run has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// What is being done.
    pub what: &'static str,
    /// Rungs or rounds that are done.
    pub done: usize,
    /// All of them.
    pub all: usize,
}

/// Climbs the ladder, and tells `progress` how far it is.
///
/// # Errors
///
/// [`Error`] says which. Wrong results are none: the report has them.
pub fn run(options: Options<'_>, progress: &dyn Fn(Progress)) -> Result<Report, Error> {
    let Options { executor, len, rounds, with_studies } = options;
    let context = executor.context().ok_or(Error::NeedsGpu)?;
    let capabilities = context.capabilities();
    // Of a binding, and of a buffer that an upload makes.
    let most_bytes = capabilities.max_binding_bytes.min(capabilities.max_buffer_bytes).min(1 << 30);
    let most = most_bytes / 4;
    if len > most {
        return Err(Error::TooLong { len, most, adapter: context.adapter().to_string() });
    }
    let is_gpu = context.device().adapter_info().device_type != wgpu::DeviceType::Cpu;

    progress(Progress { what: "making elements", done: 0, all: 0 });
    let elements = if is_gpu { GPU_ELEMENTS } else { CPU_ELEMENTS };
    let count = (elements / len).clamp(FEWEST_INPUTS, MOST_INPUTS);
    let inputs = (0..count)
        .map(|index| Input::new(executor, len, most, index))
        .collect::<Result<Vec<_>, _>>()?;
    let copied = measure::copied(executor, len)?;
    let device = Device::new(context, len)?;
    let bench = Bench {
        device: &device,
        inputs: &inputs,
        copied: &copied,
        len,
        subgroup_size: capabilities.subgroups.map_or(1, |sizes| sizes.max.into()),
        most_rounds: rounds,
        is_gpu,
    };
    let measurement = bench.measure(progress)?;
    let studies =
        Studies { device: &device, context, input: &inputs[0], len, most_runs: rounds, is_gpu };
    let studied = match with_studies {
        true => studies.all(&|what, done, all| progress(Progress { what, done, all }))?,
        false => Vec::new(),
    };
    Ok(Report::new(context, &device, len, &measurement, &studied))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_no_ladder_for_the_cpu() {
        let executor = Executor::cpu();
        let options = Options { executor: &executor, len: 1, rounds: 1, with_studies: true };
        let outcome = run(options, &|progress| panic!("{progress:?}"));
        assert!(matches!(outcome, Err(Error::NeedsGpu)));
    }
}
