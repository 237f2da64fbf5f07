//! `gridfold adapters`.

use crate::{Outcome, error::sentence, stdout};
use gridfold::{Capabilities, Executor, ListedAdapter, wgpu::DeviceType};
use serde::Serialize;
use std::io::{self, Write};

/// How to get an adapter, where there is none.
pub fn no_adapter() -> String {
    match limited_backends() {
        Some(advice) => format!("{NO_ADAPTER}\n{advice}."),
        None => NO_ADAPTER.to_owned(),
    }
}

const NO_ADAPTER: &str = "\
No adapter can be used, so everything runs on the CPU. For a GPU, install its vendor's driver.
On Debian or Ubuntu `apt install mesa-vulkan-drivers` brings drivers for AMD and Intel GPUs and one in
software.";

/// What to do if adapters may be missing because a variable hides them.
pub fn limited_backends() -> Option<String> {
    const NAME: &str = "WGPU_BACKEND";
    let value = std::env::var_os(NAME)?;
    Some(format!(
        "{NAME} is {value:?}, and no other backend is searched: unset it, or name vulkan, metal, dx12 or gl"
    ))
}

/// An adapter, as JSON has it.
#[derive(Serialize)]
struct Report {
    index: usize,
    backend: String,
    name: String,
    driver: String,
    device_type: &'static str,
    usable: bool,
    /// Why it is not usable.
    problem: Option<String>,
    /// The sizes of subgroups that are used; null where they are not.
    subgroup_sizes: Option<SubgroupSizes>,
    timestamps: bool,
    max_binding_bytes: u64,
    max_buffer_bytes: u64,
    binding_alignment_bytes: u64,
    max_workgroups: u32,
}

#[derive(Serialize)]
struct SubgroupSizes {
    min: u32,
    max: u32,
}

impl Report {
    fn of(index: usize, listed: &ListedAdapter) -> Self {
        let opened = listed.open();
        // A device that was made has passed the probe of its subgroups, or shows none.
        let context = opened.as_ref().ok().and_then(Executor::context);
        let Capabilities {
            subgroups,
            timestamps,
            max_binding_bytes,
            max_buffer_bytes,
            binding_alignment_bytes,
            max_workgroups,
            ..
        } = context.map_or_else(|| listed.capabilities(), |context| context.capabilities().clone());
        let name = listed.name().clone();
        Self {
            index,
            backend: name.backend,
            name: name.name,
            driver: name.driver,
            device_type: device_type(listed),
            usable: opened.is_ok(),
            problem: opened.err().map(|error| sentence(&error)),
            subgroup_sizes: subgroups.map(|sizes| SubgroupSizes { min: sizes.min, max: sizes.max }),
            timestamps,
            max_binding_bytes,
            max_buffer_bytes,
            binding_alignment_bytes,
            max_workgroups,
        }
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let Self { index, backend, name, driver, device_type, .. } = self;
        writeln!(out, "{index}: {backend}/{name}/{driver}")?;
        match &self.problem {
            Some(problem) => writeln!(out, "    {device_type}, not usable: {problem}")?,
            None => writeln!(out, "    {device_type}, usable")?,
        }
        match &self.subgroup_sizes {
            Some(SubgroupSizes { min, max }) if min == max => {
                writeln!(out, "    subgroups of {min} invocations")?;
            }
            Some(SubgroupSizes { min, max }) => {
                writeln!(out, "    subgroups of {min} to {max} invocations")?;
            }
            None => writeln!(out, "    no subgroups: workgroup memory is used")?,
        }
        let timestamps = if self.timestamps { "measures" } else { "does not measure" };
        writeln!(out, "    {timestamps} device time")?;
        writeln!(
            out,
            "    bindings up to {} bytes at multiples of {}, buffers up to {} bytes",
            self.max_binding_bytes, self.binding_alignment_bytes, self.max_buffer_bytes,
        )?;
        writeln!(out, "    dispatches up to {} workgroups", self.max_workgroups)
    }
}

/// The kind of a device, in words.
pub fn device_type(listed: &ListedAdapter) -> &'static str {
    match listed.adapter().get_info().device_type {
        DeviceType::DiscreteGpu => "discrete GPU",
        DeviceType::IntegratedGpu => "integrated GPU",
        DeviceType::VirtualGpu => "virtual GPU",
        DeviceType::Cpu => "software",
        DeviceType::Other => "other",
    }
}

pub fn run(json: bool) -> Outcome {
    let adapters = Executor::adapters();
    let reports: Vec<Report> =
        adapters.iter().enumerate().map(|(index, listed)| Report::of(index, listed)).collect();
    let mut stdout = stdout();
    if json {
        serde_json::to_writer_pretty(&mut stdout, &reports).map_err(io::Error::from)?;
        writeln!(stdout)?;
    } else {
        for report in &reports {
            report.write(&mut stdout)?;
        }
        if !reports.iter().any(|report| report.usable) {
            writeln!(stdout, "{}", no_adapter())?;
        }
    }
    Ok(stdout.flush()?)
}
