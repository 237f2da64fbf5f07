//! A device, seen by gridfold.

use crate::{
    device::{
        buffer,
        capabilities::{AdapterName, Avoided, Capabilities, NEEDS, Need},
        error_scope::{self, Refusal},
        pool::{MARKERS, Pool},
        probe,
    },
    dispatch::{pipeline::Pipelines, shader::Sources},
    error::CreateError,
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
    pipelines: Arc<Pipelines>,
    #[cfg(not(target_arch = "wasm32"))]
    poller: Arc<crate::device::poller::Poller>,
    /// Copied before every readback: one of them.
    markers: wgpu::Buffer,
    /// Bound in place of input vectors where the input is too short for one.
    no_vectors: wgpu::Buffer,
    /// Bound in place of the parameters where each workgroup has its own: all zero.
    pool: Arc<Pool>,
}

impl Context {
    /// Makes a context for the caller's device, and probes how it adds floats and how it numbers the lanes of
    /// subgroups, if it has them: the only constructor here that submits (a small dispatch for each) and waits for
    /// the results.
    ///
    /// # Errors
    ///
    /// [`CreateError`], if the device was made with lower limits than the kernels need or the probe
    /// could not be run. A device that runs a probe and fails it is used without subgroups, or without its float arithmetic.
    pub async fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Result<Self, CreateError> {
        Self::with_sources(device, queue, Sources::default(), None).await
    }

    /// [`Context::new`], with a cache of the caller's for compiled pipelines, which can be kept on disk: the first reductions
    /// of the next process then compile little. `wgpu::PipelineCache::get_data` gives the bytes to keep, and
    /// `wgpu::Device::create_pipeline_cache` takes them. wgpu has such caches on Vulkan alone, for devices with
    /// `wgpu::Features::PIPELINE_CACHE`; many drivers keep compiled shaders anyway.
    ///
    /// # Errors
    ///
    /// As [`Context::new`].
    pub async fn with_pipeline_cache(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        cache: &wgpu::PipelineCache,
    ) -> Result<Self, CreateError> {
        Self::with_sources(device, queue, Sources::default(), Some(cache.clone())).await
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
        Self::with_sources(device, queue, sources, None).await
    }

    async fn with_sources(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        sources: Sources,
        cache: Option<wgpu::PipelineCache>,
    ) -> Result<Self, CreateError> {
        let limits = device.limits();
        for &Need { limit, needed, get, .. } in NEEDS {
            let found = get(&limits);
            if found < needed {
                return Err(CreateError::Limit { limit, needed, found });
            }
        }
        let pipelines = Arc::new(Pipelines::new(device, sources, cache));
        let context =
            Self::assemble(device, queue, Capabilities::of(device), Arc::clone(&pipelines))?;
        let mut capabilities = context.capabilities().clone();
        if capabilities.subgroups.is_some()
            && let Some(problem) = probe::problem_with_lanes(&context).await?
        {
            log::warn!("{}: {problem}; using workgroup memory instead", context.adapter());
            capabilities.subgroups = None;
        }
        if !probe::floats_are_sound(&context).await? {
            log::warn!(
                "{}: it does not add and multiply floats as IEEE-754 says; using integers instead",
                context.adapter()
            );
            capabilities.sound_floats = false;
        }
        if capabilities == *context.capabilities() {
            return Ok(context);
        }
        Self::assemble(device, queue, capabilities, pipelines)
    }

    /// A context of the same device that uses none of these kernels: what [`Context::self_test`] has found to be wrong there,
    /// until a driver, a compiler or gridfold is mended. It shares the pipelines that are there; submits nothing, waits for
    /// nothing.
    ///
    /// # Errors
    ///
    /// [`CreateError::NoSuchKernel`], [`CreateError::OutOfMemory`] or [`CreateError::DeviceLost`].
    pub fn avoiding(
        &self,
        avoided: impl IntoIterator<Item = Avoided>,
    ) -> Result<Self, CreateError> {
        let mut capabilities = self.capabilities().clone();
        for avoided in avoided {
            if !avoided.is_about_something() {
                let kernel = avoided.kernel.unwrap_or_default().into_owned();
                return Err(CreateError::NoSuchKernel { kernel, mechanism: avoided.mechanism });
            }
            capabilities.avoided.push(avoided);
        }
        self.with_capabilities(capabilities)
    }

    /// A context of the same device and pipelines, which plans as if it had these capabilities.
    pub(crate) fn with_capabilities(
        &self,
        capabilities: Capabilities,
    ) -> Result<Self, CreateError> {
        let pipelines = Arc::clone(&self.shared.pipelines);
        Self::assemble(self.device(), self.queue(), capabilities, pipelines)
    }

    fn assemble(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        capabilities: Capabilities,
        pipelines: Arc<Pipelines>,
    ) -> Result<Self, CreateError> {
        let no_vectors =
            buffer::create(device, "gridfold no vectors", 16, wgpu::BufferUsages::STORAGE)?;
        let markers = buffer::create_filled(
            device,
            "gridfold markers",
            size_of_val(&MARKERS) as u64,
            wgpu::BufferUsages::COPY_SRC,
            bytemuck::cast_slice(&MARKERS),
        )?;
        error_scope::ensure_not_lost(device, "a context")?;
        Ok(Self {
            shared: Arc::new(Shared {
                device: device.clone(),
                queue: queue.clone(),
                adapter: AdapterName::of(&device.adapter_info()),
                capabilities,
                pipelines,
                #[cfg(not(target_arch = "wasm32"))]
                poller: Arc::new(crate::device::poller::Poller::new(device)),
                markers,
                no_vectors,
                pool: Arc::new(Pool::new(device)),
            }),
        })
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

    /// Whether this is a clone of the other context.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    pub(crate) fn pipelines(&self) -> &Pipelines {
        &self.shared.pipelines
    }

    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn poller(&self) -> &Arc<crate::device::poller::Poller> {
        &self.shared.poller
    }

    pub(crate) fn markers(&self) -> &wgpu::Buffer {
        &self.shared.markers
    }

    /// Creates an encoder of our own, with wgpu's error as a value.
    pub(crate) fn create_encoder(&self, label: &str) -> Result<wgpu::CommandEncoder, Refusal> {
        buffer::create_with(self.device(), label, |label| {
            let label = Some(label);
            self.device().create_command_encoder(&wgpu::CommandEncoderDescriptor { label })
        })
    }

    /// Submits an encoder of our own, with wgpu's error as a value. The caller's callbacks that wgpu runs in
    /// `Queue::submit` run within our scopes, too.
    pub(crate) fn submit(
        &self,
        encoder: wgpu::CommandEncoder,
    ) -> Result<wgpu::SubmissionIndex, Refusal> {
        let device = self.device();
        let commands = error_scope::capture(device, "a command buffer", || encoder.finish())?;
        error_scope::capture(device, "a submission", || self.queue().submit([commands]))
    }

    pub(crate) fn pool(&self) -> &Arc<Pool> {
        &self.shared.pool
    }

    pub(crate) fn no_vectors(&self) -> &wgpu::Buffer {
        &self.shared.no_vectors
    }
}
