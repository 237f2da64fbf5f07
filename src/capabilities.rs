//! What a device can do: a plain snapshot, which tests can also make up by hand.

use std::fmt;

/// The names by which an adapter is known, and selected.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AdapterName {
    /// `vulkan`, `metal`, `dx12`, `gl`, `webgpu`; `cpu` for the CPU executor.
    pub backend: String,
    /// The device's name; `cpu` for the CPU executor.
    pub name: String,
    /// The driver and its version, as far as it says.
    pub driver: String,
}

impl AdapterName {
    /// The names in a `wgpu::AdapterInfo`.
    pub fn of(info: &wgpu::AdapterInfo) -> Self {
        let driver = [info.driver.trim(), info.driver_info.trim()]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(" ");
        Self { backend: info.backend.to_str().to_owned(), name: info.name.clone(), driver }
    }

    /// The CPU executor.
    pub fn cpu() -> Self {
        Self {
            backend: "cpu".to_owned(),
            name: "cpu".to_owned(),
            driver: concat!("gridfold ", env!("CARGO_PKG_VERSION")).to_owned(),
        }
    }
}

impl fmt::Display for AdapterName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.backend, self.name, self.driver)
    }
}

/// The sizes that a device's subgroups can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SubgroupSizes {
    /// The smallest, 4 or more.
    pub min: u32,
    /// The largest, 128 or less.
    pub max: u32,
}

impl fmt::Display for SubgroupSizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.min == self.max {
            write!(f, "{}", self.min)
        } else {
            write!(f, "{} to {}", self.min, self.max)
        }
    }
}

/// What a device can do, as far as planning depends on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// Subgroups, if the device was made with them and passed the start-up probe.
    pub subgroups: Option<SubgroupSizes>,
    /// Whether passes can be timed.
    pub timestamps: bool,
    /// Bytes that one storage binding can span.
    pub max_binding_bytes: u64,
    /// Bytes of the largest buffer.
    pub max_buffer_bytes: u64,
    /// What the offset of a storage binding must be a multiple of, in bytes.
    pub binding_alignment_bytes: u64,
    /// Workgroups of a dispatch in one dimension.
    pub max_workgroups: u32,
}

/// Bindings are never larger, whatever the device says: beyond it, indices of 32-bit bytes in
/// generated Metal code overflow silently (gfx-rs/wgpu#10305).
const BINDING_BYTES_CAP: u64 = (1 << 31) - 4;

impl Capabilities {
    /// What `device` was made with. Subgroups are taken at the driver's word here; a
    /// [`crate::Context`] also probes them.
    pub fn of(device: &wgpu::Device) -> Self {
        Self::from_parts(&device.adapter_info(), device.features(), &device.limits())
    }

    /// The same from wgpu's own descriptions.
    pub fn from_parts(
        info: &wgpu::AdapterInfo,
        features: wgpu::Features,
        limits: &wgpu::Limits,
    ) -> Self {
        let mut capabilities = Self {
            subgroups: features.contains(wgpu::Features::SUBGROUP).then_some(SubgroupSizes {
                min: info.subgroup_min_size,
                max: info.subgroup_max_size,
            }),
            timestamps: features.contains(wgpu::Features::TIMESTAMP_QUERY),
            max_binding_bytes: limits.max_storage_buffer_binding_size.min(BINDING_BYTES_CAP),
            max_buffer_bytes: limits.max_buffer_size,
            binding_alignment_bytes: u64::from(limits.min_storage_buffer_offset_alignment),
            max_workgroups: limits.max_compute_workgroups_per_dimension,
        };
        for quirk in QUIRKS {
            if (quirk.applies)(info) {
                log::info!("{}: {}", AdapterName::of(info), quirk.reason);
                (quirk.mend)(&mut capabilities);
            }
        }
        capabilities
    }
}

/// A device that does not do what it says, and what is done about it.
struct Quirk {
    /// Why, with a source.
    reason: &'static str,
    /// Which adapters have it.
    applies: fn(&wgpu::AdapterInfo) -> bool,
    /// What the planner must believe instead.
    mend: fn(&mut Capabilities),
}

/// The one place where vendors and backends are named.
const QUIRKS: &[Quirk] = &[Quirk {
    reason: "wgpu 30 cannot ask a browser for subgroups (gfx-rs/wgpu#10146), and browsers want \
             `enable subgroups;`, which naga rejects: workgroup memory is used instead",
    applies: |info| matches!(info.backend, wgpu::Backend::BrowserWebGpu),
    mend: |capabilities| capabilities.subgroups = None,
}];

/// What is worth requesting of an adapter, to merge into the caller's own device request.
///
/// ```no_run
/// # async fn example(adapter: gridfold::wgpu::Adapter) -> Result<(), Box<dyn std::error::Error>> {
/// use gridfold::{Requirements, wgpu};
///
/// let requirements = Requirements::of(&adapter);
/// let descriptor = wgpu::DeviceDescriptor {
///     required_features: requirements.features(wgpu::Features::empty()),
///     required_limits: requirements.limits(wgpu::Limits::downlevel_defaults()),
///     ..Default::default()
/// };
/// let (device, queue) = adapter.request_device(&descriptor).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Requirements {
    features: wgpu::Features,
    limits: wgpu::Limits,
}

impl Requirements {
    /// The features and limits of `adapter` that gridfold can use: subgroups, timestamps, and the
    /// largest buffers and bindings. None of them is needed: a device made with
    /// `wgpu::Limits::downlevel_defaults()` and no features works too.
    pub fn of(adapter: &wgpu::Adapter) -> Self {
        let useful = wgpu::Features::SUBGROUP | wgpu::Features::TIMESTAMP_QUERY;
        Self { features: adapter.features() & useful, limits: adapter.limits() }
    }

    /// The caller's features and gridfold's.
    pub fn features(&self, callers: wgpu::Features) -> wgpu::Features {
        callers | self.features
    }

    /// The caller's limits, raised where gridfold can use more.
    pub fn limits(&self, callers: wgpu::Limits) -> wgpu::Limits {
        let own = &self.limits;
        wgpu::Limits {
            max_storage_buffer_binding_size: callers
                .max_storage_buffer_binding_size
                .max(own.max_storage_buffer_binding_size),
            max_buffer_size: callers.max_buffer_size.max(own.max_buffer_size),
            min_storage_buffer_offset_alignment: callers
                .min_storage_buffer_offset_alignment
                .min(own.min_storage_buffer_offset_alignment),
            ..callers
        }
    }
}
