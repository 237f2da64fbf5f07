//! What a device can do: a plain snapshot, which tests can also make up by hand.

use crate::{
    way::Mechanism,
    wgsl::{
        kernel::Kernel,
        shader::{BINDINGS, MAX_WORKGROUP_BYTES, ShaderKey},
    },
};
use std::{borrow::Cow, fmt};

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

impl SubgroupSizes {
    /// Powers of two from 4 to 128, as WGSL has it and the kernels rely on.
    pub(crate) fn are_sound(self) -> bool {
        let sound = |size: u32| size.is_power_of_two() && (4..=128).contains(&size);
        sound(self.min) && sound(self.max) && self.min <= self.max
    }
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

/// The kinds of devices that something was measured on, and all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DeviceClass {
    /// NVIDIA's GPUs.
    Nvidia,
    /// Software drivers.
    Cpu,
    /// Any other: there are no measurements.
    Other,
}

impl DeviceClass {
    fn of(info: &wgpu::AdapterInfo) -> Self {
        const NVIDIA: u32 = 0x10de;
        match (info.device_type, info.vendor) {
            (wgpu::DeviceType::Cpu, _) => Self::Cpu,
            (_, NVIDIA) => Self::Nvidia,
            _ => Self::Other,
        }
    }
}

/// The shader model that a DX12 device has, as far as its features tell: this one, or a later one.
///
/// From 6.0 on DXC compiles for it, and FXC below. wgpu (30) does not tell the name and version of the compiler's
/// library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ShaderModel {
    /// 5 or 6.
    pub major: u32,
    /// The number behind the point.
    pub minor: u32,
}

impl ShaderModel {
    /// `None` where there is none, on other backends.
    fn of(info: &wgpu::AdapterInfo, features: wgpu::Features) -> Option<Self> {
        // What wgpu-hal 30 asks of the shader model before it gives a feature.
        let least = [
            (wgpu::Features::SHADER_INT64_ATOMIC_ALL_OPS, (6, 6)),
            (wgpu::Features::SHADER_F16, (6, 2)),
            (wgpu::Features::SUBGROUP | wgpu::Features::SHADER_INT64, (6, 0)),
        ];
        let (_, (major, minor)) = least
            .into_iter()
            .find(|&(wanted, _)| features.intersects(wanted))
            .unwrap_or((features, (5, 1)));
        (info.backend == wgpu::Backend::Dx12).then_some(Self { major, minor })
    }

    /// The compiler for it.
    pub const fn compiler(self) -> &'static str {
        if self.major >= 6 { "DXC" } else { "FXC, or DXC" }
    }
}

impl fmt::Display for ShaderModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// A kernel that is not used on a device, because it is wrong there.
///
/// Plans take another kernel in its place:
///
/// | avoided | in its place |
/// |---|---|
/// | a single pass | a second pass |
/// | subgroups | workgroup memory |
/// | an atomic addition of floats | an exchange |
/// | the first of two passes | a single pass |
///
/// The bits of results do not change, except those of [`crate::Precision::Unordered`]. If there is no other kernel, or the caller forces what
/// needs the avoided one, preparing fails with [`crate::PrepareError::Avoided`].
///
/// Kernels have the names that [`crate::SelfTestReport::kernels`] lists, and `gridfold check` prints. They may change with a version.
///
/// ```
/// # let executor = gridfold::Executor::auto();
/// # let Some(context) = executor.context() else { return Ok(()) };
/// let no_single_pass = gridfold::Avoided {
///     kernel: Some("reduce and fold".into()),
///     mechanism: None, // in both
///     reason: "wrong on driver 1.2".into(),
/// };
/// let context = context.avoiding([no_single_pass])?;
/// # Ok::<(), gridfold::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Avoided {
    /// The kernel's name, as [`crate::SelfTestReport`] has it; `None` for all of them.
    pub kernel: Option<Cow<'static, str>>,
    /// In which mechanism; `None` for both.
    pub mechanism: Option<Mechanism>,
    /// Why: what is wrong, where, and since when.
    pub reason: Cow<'static, str>,
}

impl Avoided {
    /// Whether this is about a kernel in a mechanism.
    fn covers(&self, kernel: Kernel, mechanism: Mechanism) -> bool {
        self.kernel.as_ref().is_none_or(|name| *name == kernel.name())
            && self.mechanism.is_none_or(|only| only == mechanism)
    }

    /// Whether this is about any kernel that there is.
    pub(crate) fn is_about_something(&self) -> bool {
        let is_named = |kernel: Kernel| self.kernel.as_deref() == Some(kernel.name());
        ShaderKey::all().any(|key| self.covers(key.kernel, key.mechanism))
            // Programs alone have these.
            || is_named(Kernel::ReduceTriplesToPartials)
            || Kernel::ALL.into_iter().any(|kernel| kernel.is_by_predicate() && is_named(kernel))
    }
}

/// The abilities of a device, as far as planning depends on them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Capabilities {
    /// The kind of device: tuned numbers depend on it, results don't.
    pub device_class: DeviceClass,
    /// Subgroups, if the device was made with them and passed the start-up probe.
    pub subgroups: Option<SubgroupSizes>,
    /// Whether the lanes of subgroups lie in the workgroup in the order of `local_invocation_index`, subgroup after subgroup. A context
    /// probes it; only [`Collectives`](crate::wgsl::Collectives) rely on it.
    pub lanes_in_order: bool,
    /// Whether floats are added and multiplied as IEEE-754 says, as far as the kernels rely on it. A context
    /// probes it; where it is not so, integers do the work.
    pub sound_floats: bool,
    /// Whether the device has f64s, and adds and multiplies them so. Where it is not so, integers do, to the same bits.
    pub sound_doubles: bool,
    /// Whether atomics can add floats.
    pub float_atomics: bool,
    /// Whether a workgroup can read what others of the same dispatch have written: memory is coherent if a shader says
    /// so, and its barriers are fences for all workgroups.
    pub coherent_memory: bool,
    /// Whether passes can be timed.
    pub timestamps: bool,
    /// Bytes that one storage binding can span.
    pub max_binding_bytes: u64,
    /// Bytes of the largest buffer.
    pub max_buffer_bytes: u64,
    /// The alignment of a storage binding's offset, in bytes.
    pub binding_alignment_bytes: u64,
    /// Workgroups of a dispatch in one dimension.
    pub max_workgroups: u32,
    /// Storage buffers that a kernel can bind. All but some single passes and reductions of three inputs bind four or less.
    pub max_storage_buffers: u32,
    /// The shader model, on DX12.
    pub shader_model: Option<ShaderModel>,
    /// The kernels that are wrong on this device, and so not used.
    pub avoided: Vec<Avoided>,
}

/// What it takes to add f64s on a device: their bits are integers of 64 bits.
const DOUBLES: wgpu::Features = wgpu::Features::SHADER_F64.union(wgpu::Features::SHADER_INT64);

/// Bindings are never larger, whatever the device says: beyond it, indices of 32-bit bytes in
/// generated Metal code overflow silently (gfx-rs/wgpu#10305).
pub(crate) const BINDING_BYTES_CAP: u64 = (1 << 31) - 4;

impl Default for Capabilities {
    /// The least that WebGPU promises: no subgroups, no timestamps, the default limits.
    fn default() -> Self {
        let info = wgpu::AdapterInfo::new(wgpu::DeviceType::Other, wgpu::Backend::Noop);
        Self::from_parts(&info, wgpu::Features::empty(), &wgpu::Limits::defaults())
    }
}

impl Capabilities {
    /// The capabilities of `device`, as it was made. Subgroups are taken at the driver's word here; a
    /// [`crate::Context`] also probes them.
    pub fn of(device: &wgpu::Device) -> Self {
        Self::from_parts(&device.adapter_info(), device.features(), &device.limits())
    }

    /// The capabilities from wgpu's own descriptions.
    pub fn from_parts(
        info: &wgpu::AdapterInfo,
        features: wgpu::Features,
        limits: &wgpu::Limits,
    ) -> Self {
        let mut capabilities = Self {
            device_class: DeviceClass::of(info),
            subgroups: Some(SubgroupSizes {
                min: info.subgroup_min_size,
                max: info.subgroup_max_size,
            })
            .filter(|sizes| features.contains(wgpu::Features::SUBGROUP) && sizes.are_sound()),
            lanes_in_order: true,
            sound_floats: true,
            sound_doubles: features.contains(DOUBLES),
            float_atomics: features.contains(wgpu::Features::SHADER_FLOAT32_ATOMIC),
            coherent_memory: features.contains(wgpu::Features::MEMORY_DECORATION_COHERENT),
            timestamps: features.contains(wgpu::Features::TIMESTAMP_QUERY),
            max_binding_bytes: limits.max_storage_buffer_binding_size.min(BINDING_BYTES_CAP),
            max_buffer_bytes: limits.max_buffer_size,
            binding_alignment_bytes: u64::from(limits.min_storage_buffer_offset_alignment),
            max_workgroups: limits.max_compute_workgroups_per_dimension,
            max_storage_buffers: limits.max_storage_buffers_per_shader_stage,
            shader_model: ShaderModel::of(info, features),
            avoided: Vec::new(),
        };
        capabilities.mend(QUIRKS, info);
        capabilities
    }

    fn mend(&mut self, quirks: &[Quirk], info: &wgpu::AdapterInfo) {
        for quirk in quirks {
            if (quirk.applies)(info, self.shader_model) {
                log::info!("{}: {}", AdapterName::of(info), quirk.reason);
                (quirk.mend)(self, quirk.reason);
            }
        }
    }

    /// Whether a kernel is avoided, and why.
    pub(crate) fn avoids(&self, kernel: Kernel, mechanism: Mechanism) -> Option<&Avoided> {
        self.avoided.iter().find(|avoided| avoided.covers(kernel, mechanism))
    }
}

/// A device that does not do what it says, and what is done about it.
struct Quirk {
    /// Why, with a source.
    reason: &'static str,
    /// Which adapters have it: their backend, driver and shader model tell.
    applies: fn(&wgpu::AdapterInfo, Option<ShaderModel>) -> bool,
    /// What the planner must believe instead, or avoid for this reason.
    mend: fn(&mut Capabilities, reason: &'static str),
}

/// The one place where what is planned depends on a vendor or a backend. What [`crate::Context::self_test`] finds wrong somewhere
/// gets a row here, whose `mend` adds to [`Capabilities::avoided`].
const QUIRKS: &[Quirk] = &[
    Quirk {
        reason: "naga 30's storage barriers are fences of the device's scope in SPIR-V and HLSL alone: in Metal's language \
                 that takes an `atomic_thread_fence`, and OpenGL ES promises no more than it says",
        applies: |info, _| !matches!(info.backend, wgpu::Backend::Vulkan | wgpu::Backend::Dx12),
        mend: |capabilities, _| capabilities.coherent_memory = false,
    },
    Quirk {
        reason: "wgpu 30 cannot ask a browser for subgroups (gfx-rs/wgpu#10146), and browsers want \
             `enable subgroups;`, which naga rejects: workgroup memory is used instead",
        applies: |info, _| matches!(info.backend, wgpu::Backend::BrowserWebGpu),
        mend: |capabilities, _| capabilities.subgroups = None,
    },
    // FXC takes the result of a function that returns early for one that differs between lanes. With a single `return` each it
    // compiled the f32 scan, in 57 s.
    Quirk {
        reason: "FXC, which compiles for DX12 below shader model 6.0, refuses it (error X3663)",
        applies: |_, model| model.is_some_and(|model| model.major < 6),
        mend: |capabilities, reason| {
            let kernels = Kernel::ALL.into_iter().filter(|kernel| kernel.looks_back());
            capabilities.avoided.extend(kernels.map(|kernel| Avoided {
                kernel: Some(Cow::Borrowed(kernel.name())),
                mechanism: None,
                reason: Cow::Borrowed(reason),
            }));
        },
    },
];

/// A limit that the kernels need at least.
pub(crate) struct Need {
    /// The limit's name in `wgpu::Limits`.
    pub(crate) limit: &'static str,
    pub(crate) needed: u64,
    pub(crate) get: fn(&wgpu::Limits) -> u64,
    /// Sets the limit to the larger of two devices' limits.
    raise: fn(&mut wgpu::Limits, &wgpu::Limits),
}

macro_rules! needs {
    ($($limit:ident: $needed:expr,)*) => {
        &[$(Need {
            limit: stringify!($limit),
            needed: $needed,
            get: |limits| u64::from(limits.$limit),
            raise: |limits, other| limits.$limit = limits.$limit.max(other.$limit),
        }),*]
    };
}

/// All within `wgpu::Limits::downlevel_defaults()`.
pub(crate) const NEEDS: &[Need] = needs! {
    max_storage_buffers_per_shader_stage: 4,
    max_uniform_buffers_per_shader_stage: 1,
    max_bindings_per_bind_group: BINDINGS as u64,
    max_compute_invocations_per_workgroup: 256,
    max_compute_workgroup_size_x: 256,
    max_compute_workgroup_size_y: 1,
    max_compute_workgroup_size_z: 1,
    max_bind_groups: 1,
    max_compute_workgroups_per_dimension: 1,
    max_compute_workgroup_storage_size: MAX_WORKGROUP_BYTES as u64,
    // The start-up probes and the scratch memory of plans take less so far; planning checks it.
    max_storage_buffer_binding_size: (1 << 15) + 16,
    max_buffer_size: (1 << 15) + 16,
};

/// The features and limits that are worth a request, to merge into the caller's own device request.
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
    /// The features and limits of `adapter` that gridfold can use: subgroups, atomic additions
    /// of floats, f64s, coherent memory, results that the host maps without a copy, timestamps, and the largest buffers and
    /// bindings. None of them is needed: a device made with
    /// `wgpu::Limits::downlevel_defaults()` and no features works too.
    pub fn of(adapter: &wgpu::Adapter) -> Self {
        let useful = wgpu::Features::SUBGROUP
            | wgpu::Features::SHADER_FLOAT32_ATOMIC
            | wgpu::Features::MEMORY_DECORATION_COHERENT
            | wgpu::Features::MAPPABLE_PRIMARY_BUFFERS
            | wgpu::Features::TIMESTAMP_QUERY;
        let all = adapter.features();
        let doubles = if all.contains(DOUBLES) { DOUBLES } else { wgpu::Features::empty() };
        Self { features: all & useful | doubles, limits: adapter.limits() }
    }

    /// The caller's features and gridfold's.
    pub fn features(&self, callers: wgpu::Features) -> wgpu::Features {
        callers | self.features
    }

    /// The caller's limits, raised where gridfold needs or can use more.
    pub fn limits(&self, callers: wgpu::Limits) -> wgpu::Limits {
        let mut limits = callers;
        for need in NEEDS {
            (need.raise)(&mut limits, &self.limits);
        }
        limits.min_storage_buffer_offset_alignment = limits
            .min_storage_buffer_offset_alignment
            .min(self.limits.min_storage_buffer_offset_alignment);
        limits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(backend: wgpu::Backend, driver: &str) -> wgpu::AdapterInfo {
        wgpu::AdapterInfo {
            driver: driver.to_owned(),
            ..wgpu::AdapterInfo::new(wgpu::DeviceType::Other, backend)
        }
    }

    fn model(major: u32, minor: u32) -> Option<ShaderModel> {
        Some(ShaderModel { major, minor })
    }

    #[test]
    fn features_tell_the_shader_model() {
        let dx12 = info(wgpu::Backend::Dx12, "");
        let of = |features| ShaderModel::of(&dx12, features);
        assert_eq!(of(wgpu::Features::empty()), model(5, 1));
        assert_eq!(of(wgpu::Features::SUBGROUP), model(6, 0));
        assert_eq!(of(wgpu::Features::SUBGROUP | wgpu::Features::SHADER_F16), model(6, 2));
        assert_eq!(of(wgpu::Features::all()), model(6, 6));
        assert_eq!(ShaderModel::of(&info(wgpu::Backend::Vulkan, ""), wgpu::Features::all()), None);
        assert_eq!(ShaderModel { major: 6, minor: 0 }.compiler(), "DXC");
    }

    /// What a row of the quirk table avoids there is, or nothing would be avoided.
    #[test]
    fn quirks_name_kernels() {
        for quirk in QUIRKS {
            let mut capabilities = Capabilities::default();
            (quirk.mend)(&mut capabilities, quirk.reason);
            assert!(
                capabilities.avoided.iter().all(Avoided::is_about_something),
                "{}",
                quirk.reason
            );
        }
        let of_no_kernel =
            Avoided { kernel: Some("no such".into()), mechanism: None, reason: "".into() };
        assert!(!of_no_kernel.is_about_something());
    }

    /// A row of the quirk table that avoids a kernel reaches the device that it is about, and no other.
    #[test]
    fn a_quirk_avoids_a_kernel() {
        let quirks = [Quirk {
            reason: "made up",
            applies: |info, model| {
                info.backend == wgpu::Backend::Dx12
                    && info.driver == "1.2"
                    && model.is_some_and(|model| model >= ShaderModel { major: 6, minor: 0 })
            },
            mend: |capabilities, reason| {
                capabilities.avoided.push(Avoided {
                    kernel: Some(Cow::Borrowed("reduce and fold")),
                    mechanism: Some(Mechanism::Subgroup),
                    reason: Cow::Borrowed(reason),
                });
            },
        }];
        let avoided = |info: &wgpu::AdapterInfo, features| {
            let limits = wgpu::Limits::defaults();
            let mut capabilities = Capabilities::from_parts(info, features, &limits);
            capabilities.mend(&quirks, info);
            capabilities.avoided.iter().filter(|avoided| avoided.reason == "made up").count()
        };
        let (dx12, subgroup) = (wgpu::Backend::Dx12, wgpu::Features::SUBGROUP);
        assert_eq!(avoided(&info(dx12, "1.2"), subgroup), 1);
        assert_eq!(avoided(&info(dx12, "1.3"), subgroup), 0);
        assert_eq!(avoided(&info(dx12, "1.2"), wgpu::Features::empty()), 0);
        assert_eq!(avoided(&info(wgpu::Backend::Vulkan, "1.2"), subgroup), 0);
    }
}
