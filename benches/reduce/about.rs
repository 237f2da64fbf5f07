//! What was measured, and on what: `about.json`, which `cargo xtask bench` joins with criterion's files.

use gridfold::{Capabilities, Context, DeviceClass, wgpu};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    error::Error,
    fs,
    path::Path,
    thread,
    time::{SystemTime, UNIX_EPOCH},
};

/// What criterion calls a measurement, and what it is of.
#[derive(Default)]
pub struct About {
    device: Value,
    measurements: BTreeMap<String, Value>,
}

/// What was measured.
pub struct Measurement {
    pub operator: &'static str,
    pub element: &'static str,
    pub precision: &'static str,
    pub strategy: &'static str,
    pub variant: String,
    pub log2_len: u32,
    /// That have to be read, and with copies written.
    pub bytes: u64,
    /// `device`, or `wall` from the submission or call until it is done.
    pub clock: &'static str,
}

impl About {
    pub fn new(context: &Context) -> Self {
        Self { device: device(context), measurements: BTreeMap::new() }
    }

    pub fn add(&mut self, group: &str, function: &str, of: &Measurement) {
        let id = format!("{group}/{function}/2^{}", of.log2_len);
        let value = json!({
            "operator": of.operator,
            "element": of.element,
            "precision": of.precision,
            "strategy": of.strategy,
            "variant": of.variant,
            "log2_len": of.log2_len,
            "bytes": of.bytes,
            "clock": of.clock,
        });
        let before = self.measurements.insert(id.clone(), value);
        assert!(before.is_none(), "{id} is measured twice");
    }

    pub fn write(&self, home: &Path) -> Result<(), Box<dyn Error>> {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
        let about = json!({
            "gridfold": env!("CARGO_PKG_VERSION"),
            "unix_seconds": seconds,
            "device": self.device,
            "measurements": self.measurements,
        });
        fs::create_dir_all(home)?;
        Ok(fs::write(home.join("about.json"), serde_json::to_string_pretty(&about)?)?)
    }
}

fn device(context: &Context) -> Value {
    let info = context.device().adapter_info();
    let Capabilities { device_class, subgroups, float_atomics, coherent_memory, .. } =
        context.capabilities();
    let wgpu::Limits {
        max_buffer_size,
        max_storage_buffer_binding_size,
        max_compute_workgroup_storage_size,
        max_compute_invocations_per_workgroup,
        max_compute_workgroups_per_dimension,
        ..
    } = context.device().limits();
    json!({
        "adapter": context.adapter().to_string(),
        "name": info.name,
        "backend": info.backend.to_str(),
        "driver": info.driver,
        "driver_info": info.driver_info,
        "is_software": info.device_type == wgpu::DeviceType::Cpu,
        "class": match device_class {
            DeviceClass::Nvidia => "nvidia",
            DeviceClass::Cpu => "cpu",
            _ => "other",
        },
        "subgroup_sizes": subgroups.as_ref().map(|sizes| [sizes.min, sizes.max]),
        "float_atomics": float_atomics,
        "coherent_memory": coherent_memory,
        "timestamps": context.capabilities().timestamps,
        "timestamp_period_ns": context.queue().get_timestamp_period(),
        "limits": {
            "max_buffer_size": max_buffer_size,
            "max_storage_buffer_binding_size": max_storage_buffer_binding_size,
            "max_compute_workgroup_storage_size": max_compute_workgroup_storage_size,
            "max_compute_invocations_per_workgroup": max_compute_invocations_per_workgroup,
            "max_compute_workgroups_per_dimension": max_compute_workgroups_per_dimension,
        },
        "host": {
            "os": std::env::consts::OS,
            "architecture": std::env::consts::ARCH,
            "threads": thread::available_parallelism().map_or(1, usize::from),
        },
    })
}
