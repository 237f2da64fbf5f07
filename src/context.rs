//! A device, seen by gridfold.

use crate::{
    buffer,
    capabilities::{AdapterName, Capabilities},
    error::CreateError,
    pipeline::Pipelines,
    probe,
    shader::Sources,
};
use std::sync::Arc;

/// A device and queue borrowed from the caller, what the device can do, and the pipelines made for it
/// so far. A cheap clone, `Send + Sync`.
///
/// The device's error handlers, its lost callback and everything else of it stay the caller's.
#[derive(Clone, Debug)]
pub struct Context {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    device: wgpu::Device,
    queue: wgpu::Queue,
    adapter: AdapterName,
    capabilities: Capabilities,
    pipelines: Pipelines,
    #[cfg(not(target_arch = "wasm32"))]
    poller: Arc<crate::poller::Poller>,
    /// Bound in place of input vectors where the input is too short for one.
    no_vectors: wgpu::Buffer,
}

/// The least that kernels need: a limit's name, its value, and what a device has.
type Need = (&'static str, u64, fn(&wgpu::Limits) -> u64);

/// All within `wgpu::Limits::downlevel_defaults()`.
const NEEDS: &[Need] = &[
    ("max_storage_buffers_per_shader_stage", 4, |l| l.max_storage_buffers_per_shader_stage.into()),
    ("max_uniform_buffers_per_shader_stage", 1, |l| l.max_uniform_buffers_per_shader_stage.into()),
    ("max_bindings_per_bind_group", 5, |l| l.max_bindings_per_bind_group.into()),
    ("max_compute_invocations_per_workgroup", 256, |l| {
        l.max_compute_invocations_per_workgroup.into()
    }),
    ("max_compute_workgroup_size_x", 256, |l| l.max_compute_workgroup_size_x.into()),
    ("max_compute_workgroups_per_dimension", 1, |l| l.max_compute_workgroups_per_dimension.into()),
    // For the start-up probe and the partials of 2048 blocks. Inputs of several slices or windows need
    // up to 160 KiB, which planning checks.
    ("max_storage_buffer_binding_size", 1 << 15, |l| l.max_storage_buffer_binding_size),
    ("max_buffer_size", 1 << 15, |l| l.max_buffer_size),
    // 256 accumulators of the widest operator.
    ("max_compute_workgroup_storage_size", 4096, |l| l.max_compute_workgroup_storage_size.into()),
];

impl Context {
    /// Makes a context for the caller's device, and probes it: the only constructor here that submits
    /// (one small dispatch, if the device has subgroups) and waits for the result.
    ///
    /// # Errors
    ///
    /// [`CreateError`], if the device was made with lower limits than the kernels need or the probe
    /// could not be run. A device that runs the probe and fails it is used without subgroups.
    pub async fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Result<Self, CreateError> {
        Self::with_sources(device, queue, Sources::default()).await
    }

    /// [`Context::new`], blocking.
    ///
    /// # Errors
    ///
    /// As [`Context::new`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn new_blocking(device: &wgpu::Device, queue: &wgpu::Queue) -> Result<Self, CreateError> {
        pollster::block_on(Self::new(device, queue))
    }

    /// A context with other shaders: for tests that must see a broken shader found out.
    ///
    /// # Errors
    ///
    /// As [`Context::new`].
    #[cfg(feature = "unstable")]
    pub async fn with_shaders(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        sources: Sources,
    ) -> Result<Self, CreateError> {
        Self::with_sources(device, queue, sources).await
    }

    async fn with_sources(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        sources: Sources,
    ) -> Result<Self, CreateError> {
        let limits = device.limits();
        for &(limit, needed, found) in NEEDS {
            let found = found(&limits);
            if found < needed {
                return Err(CreateError::Limit { limit, needed, found });
            }
        }
        let no_vectors =
            buffer::create(device, "gridfold no vectors", 16, wgpu::BufferUsages::STORAGE)
                .map_err(|error| CreateError::Resource(error.to_string()))?;
        let capabilities = Capabilities::of(device);
        let mut context = Self {
            shared: Arc::new(Shared {
                device: device.clone(),
                queue: queue.clone(),
                adapter: AdapterName::of(&device.adapter_info()),
                capabilities,
                pipelines: Pipelines::new(device, sources),
                #[cfg(not(target_arch = "wasm32"))]
                poller: Arc::new(crate::poller::Poller::new(device)),
                no_vectors,
            }),
        };
        if context.capabilities().subgroups.is_some() && !probe::lanes_are_sound(&context).await? {
            log::warn!(
                "{}: the lanes of its subgroups are not numbered as they are shuffled; using workgroup \
                 memory instead",
                context.adapter()
            );
            if let Some(shared) = Arc::get_mut(&mut context.shared) {
                shared.capabilities.subgroups = None;
            }
        }
        Ok(context)
    }

    /// The device.
    pub fn device(&self) -> &wgpu::Device {
        &self.shared.device
    }

    /// The queue.
    pub fn queue(&self) -> &wgpu::Queue {
        &self.shared.queue
    }

    /// The names of the device's adapter.
    pub fn adapter(&self) -> &AdapterName {
        &self.shared.adapter
    }

    /// What the device can do, as probed.
    pub fn capabilities(&self) -> &Capabilities {
        &self.shared.capabilities
    }

    pub(crate) fn pipelines(&self) -> &Pipelines {
        &self.shared.pipelines
    }

    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn poller(&self) -> &Arc<crate::poller::Poller> {
        &self.shared.poller
    }

    pub(crate) fn no_vectors(&self) -> &wgpu::Buffer {
        &self.shared.no_vectors
    }
}
