//! A device, seen by gridfold.

use crate::{
    device::{
        buffer,
        capabilities::{AdapterName, Avoided, Capabilities},
        error_scope::{self, Refusal},
        pipeline::Pipelines,
        pool::{MARKERS, Pool},
    },
    error::CreateError,
};
use std::{fmt, sync::Arc};

/// A device and queue borrowed from the caller, what the device can do, and the pipelines made for it
/// so far. A cheap clone, `Send + Sync`.
///
/// The device's error handlers, its lost callback and everything else of it stay the caller's.
#[derive(Clone)]
pub struct Context {
    shared: Arc<Shared>,
}

impl fmt::Debug for Context {
    /// The adapter alone: what there is for it would fill pages.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let adapter = format_args!("{}", self.shared.adapter);
        f.debug_struct("Context").field("adapter", &adapter).finish_non_exhaustive()
    }
}

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
    /// Buffers that calls without a prepared reduction share.
    pool: Arc<Pool>,
}

impl Context {
    /// A context of the same device that uses none of these kernels. They are those that [`Context::self_test`] has found to be wrong
    /// there, until a driver, a compiler or gridfold is mended. The new context shares the pipelines of this one. This call submits
    /// nothing, and waits for nothing.
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

    pub(super) fn assemble(
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

    /// The abilities of the device, as probed.
    pub fn capabilities(&self) -> &Capabilities {
        &self.shared.capabilities
    }

    /// Whether blocking calls poll the device without a pause at first. For tests: they do on a GPU, and not on a CPU.
    #[cfg(all(feature = "unstable", not(target_arch = "wasm32")))]
    pub fn set_spins(&self, spins: bool) {
        self.shared.poller.set_spins(spins);
    }

    /// Whether results are copied to what the host maps also where kernels could write them there. For tests and measurements.
    #[cfg(feature = "unstable")]
    pub fn set_copies(&self, copies: bool) {
        self.shared.pool.set_maps_results(!copies);
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
