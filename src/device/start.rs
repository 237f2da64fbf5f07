//! How a context begins: what of the device it needs, and what it probes.

use crate::{
    device::{
        capabilities::{Capabilities, NEEDS, Need},
        context::Context,
        pipeline::Pipelines,
        probe, probe_doubles,
    },
    error::CreateError,
    wgsl::sources::Sources,
};
use std::sync::Arc;

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
        if capabilities.subgroups.is_some() {
            match probe::lanes(&context).await? {
                probe::Lanes::Sound { in_order } => capabilities.lanes_in_order = in_order,
                probe::Lanes::Unsound(problem) => {
                    log::warn!("{}: {problem}; using workgroup memory instead", context.adapter());
                    capabilities.subgroups = None;
                }
            }
        }
        if !probe::floats_are_sound(&context).await? {
            log::warn!(
                "{}: it does not add and multiply floats as IEEE-754 says; using integers instead",
                context.adapter()
            );
            capabilities.sound_floats = false;
        }
        if capabilities.sound_doubles && !probe_doubles::doubles_are_sound(&context).await? {
            log::warn!(
                "{}: it does not add and multiply f64s as IEEE-754 says; using integers instead",
                context.adapter()
            );
            capabilities.sound_doubles = false;
        }
        if capabilities == *context.capabilities() {
            return Ok(context);
        }
        Self::assemble(device, queue, capabilities, pipelines)
    }
}
