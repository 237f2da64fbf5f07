//! Finding adapters, without opening backends that were not asked for.

use crate::{
    device::{
        capabilities::{AdapterName, Capabilities, Requirements},
        context::Context,
        selector,
    },
    error::{CreateError, Error, SelectError},
    executor::Executor,
};

/// An adapter that an executor can be made of.
#[derive(Clone, Debug)]
pub struct ListedAdapter {
    adapter: wgpu::Adapter,
    name: AdapterName,
}

impl ListedAdapter {
    /// Its names.
    pub fn name(&self) -> &AdapterName {
        &self.name
    }

    /// The wgpu adapter.
    pub fn adapter(&self) -> &wgpu::Adapter {
        &self.adapter
    }

    /// The abilities that a device made of it would have.
    pub fn capabilities(&self) -> Capabilities {
        let info = self.adapter.get_info();
        Capabilities::from_parts(&info, self.adapter.features(), &self.adapter.limits())
    }

    /// Makes a device of it, and an executor on that.
    ///
    /// # Errors
    ///
    /// [`SelectError::Unusable`] if the adapter has no usable compute shaders or makes no device,
    /// [`Error::Create`] if the context can't be made.
    pub fn open(&self) -> Result<Executor, Error> {
        let unusable =
            |message: String| SelectError::Unusable { adapter: self.name.to_string(), message };
        let requirements = Requirements::of(&self.adapter);
        // Whatever is lower than the kernels need shows when the context is made.
        let limits =
            wgpu::Limits::downlevel_defaults().or_worse_values_from(&self.adapter.limits());
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("gridfold executor"),
            required_features: requirements.features(wgpu::Features::empty()),
            required_limits: requirements.limits(limits),
            ..Default::default()
        };
        let (device, queue) = pollster::block_on(self.adapter.request_device(&descriptor))
            .map_err(|error| unusable(error.to_string()))?;
        match Context::new_blocking(&device, &queue) {
            Ok(context) => Ok(Executor::from_context(context)),
            Err(CreateError::Limit { limit, needed, found }) => {
                Err(unusable(format!("it allows {limit} = {found}, {needed} are needed")).into())
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// The adapters of all backends but OpenGL; and then, once they are asked for, OpenGL's, for a second: most of its devices
/// another backend offers too, with subgroups.
pub(super) fn by_stages() -> impl Iterator<Item = Vec<ListedAdapter>> {
    [!wgpu::Backends::GL, wgpu::Backends::GL].into_iter().map(of_backends)
}

/// The adapters of some backends. Environment variables of wgpu limit them.
fn of_backends(backends: wgpu::Backends) -> Vec<ListedAdapter> {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
    descriptor.backends &= backends & wgpu::Instance::enabled_backend_features();
    if descriptor.backends.is_empty() {
        return Vec::new();
    }
    let backends = descriptor.backends;
    let instance = wgpu::Instance::new(descriptor);
    pollster::block_on(instance.enumerate_adapters(backends))
        .into_iter()
        .map(|adapter| ListedAdapter { name: AdapterName::of(&adapter.get_info()), adapter })
        .collect()
}

/// An executor on the best GPU that can be used.
pub(super) fn best(adapters: Vec<ListedAdapter>) -> Option<Executor> {
    usable(&best_first(adapters)).next()
}

/// An executor on each GPU that can be used, the best one first. One that several backends offer is taken once.
pub(super) fn gpus(adapters: Vec<ListedAdapter>) -> Vec<Executor> {
    let mut names: Vec<AdapterName> = Vec::new();
    let mut adapters = best_first(adapters);
    adapters.retain(|ListedAdapter { name, .. }| {
        // Of one backend several of a name are several GPUs.
        let is_known =
            names.iter().any(|known| known.name == name.name && known.backend != name.backend);
        names.push(name.clone());
        !is_known
    });
    usable(&adapters).collect()
}

/// The GPUs, the best one first. Software drivers are no GPUs.
fn best_first(mut adapters: Vec<ListedAdapter>) -> Vec<ListedAdapter> {
    adapters.retain(|listed| listed.adapter.get_info().device_type != wgpu::DeviceType::Cpu);
    adapters.sort_by_key(|listed| match listed.adapter.get_info().device_type {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Other | wgpu::DeviceType::Cpu => 3,
    });
    adapters
}

/// Executors on those that can be used.
fn usable(adapters: &[ListedAdapter]) -> impl Iterator<Item = Executor> {
    adapters.iter().filter_map(|listed| match listed.open() {
        Ok(executor) => Some(executor),
        Err(error) => {
            log::warn!("{}: {error}", listed.name);
            None
        }
    })
}

/// The adapter that `selector` means.
///
/// # Errors
///
/// [`SelectError::NoMatch`], with all adapters, or [`SelectError::Ambiguous`].
pub(super) fn select(selector: &str) -> Result<ListedAdapter, SelectError> {
    let choose = |mut adapters: Vec<ListedAdapter>| {
        let names: Vec<_> = adapters.iter().map(|listed| listed.name.clone()).collect();
        let index = selector::select(&names, selector)?;
        Ok(adapters.swap_remove(index))
    };
    if let Some(backend) = selector::backend(selector) {
        let backends = wgpu::Backends::from_comma_list(backend);
        if let Ok(adapter) = choose(of_backends(backends)) {
            return Ok(adapter);
        }
    }
    let mut adapters = Vec::new();
    for more in by_stages() {
        adapters.extend(more);
        match choose(adapters.clone()) {
            Err(SelectError::NoMatch { .. }) => {}
            outcome => return outcome,
        }
    }
    choose(adapters)
}
