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

/// The adapters of all backends but OpenGL; and then, once they are asked for, OpenGL's.
pub(super) fn by_stages() -> impl Iterator<Item = Vec<ListedAdapter>> {
    staged(of_backends)
}

/// What `open` makes of all backends but OpenGL; and then, once more is asked for, of OpenGL, for a second: most of its devices another
/// backend offers too, with subgroups.
fn staged<Found>(open: impl FnMut(wgpu::Backends) -> Found) -> impl Iterator<Item = Found> {
    [!wgpu::Backends::GL, wgpu::Backends::GL].into_iter().map(open)
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
    select_of(selector, ListedAdapter::name, of_backends)
}

/// The same of what `open` finds in backends. It is asked first for the one that the selector begins with, if it does, and then for all but OpenGL,
/// and for OpenGL, until something matches.
fn select_of<Found>(
    selector: &str,
    name: impl Fn(&Found) -> &AdapterName,
    mut open: impl FnMut(wgpu::Backends) -> Vec<Found>,
) -> Result<Found, SelectError> {
    let choose = |found: &[Found]| {
        let names: Vec<AdapterName> = found.iter().map(|one| name(one).clone()).collect();
        selector::select(&names, selector)
    };
    if let Some(backend) = selector::backend(selector) {
        let mut found = open(wgpu::Backends::from_comma_list(backend));
        match choose(&found) {
            Ok(index) => return Ok(found.swap_remove(index)),
            // More of others would match no less.
            Err(error @ SelectError::Ambiguous { .. }) => return Err(error),
            Err(_) => {}
        }
    }
    let mut found = Vec::new();
    for more in staged(open) {
        found.extend(more);
        match choose(&found) {
            Ok(index) => return Ok(found.swap_remove(index)),
            Err(SelectError::NoMatch { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    choose(&found).map(|index| found.swap_remove(index))
}

#[cfg(test)]
mod tests {
    use super::*;
    use wgpu::Backends;

    /// What a machine has: of each adapter the backend, and `backend/name/driver`.
    type Machine<'a> = &'a [(Backends, &'a str)];

    const MANY: Machine<'static> = &[
        (Backends::VULKAN, "vulkan/NVIDIA H200/580.95"),
        (Backends::VULKAN, "vulkan/llvmpipe/Mesa 22.3.6"),
        (Backends::GL, "gl/llvmpipe/4.5 Mesa 22.3.6"),
        (Backends::GL, "gl/Old Card/3.3"),
        (Backends::METAL, "metal/Apple M4/"),
    ];
    const OLD: Machine<'static> = &[(Backends::GL, "gl/Old Card/3.3")];

    /// All but OpenGL, and OpenGL.
    const STAGES: [Backends; 2] = [Backends::GL.complement(), Backends::GL];

    fn of_machine(machine: Machine<'_>, backends: Backends) -> Vec<AdapterName> {
        let is_open = |(backend, _): &&(Backends, &str)| backends.contains(*backend);
        let name = |(_, names): &(Backends, &str)| {
            let mut names = names.split('/').map(str::to_owned);
            let mut next = || names.next().expect("three names");
            AdapterName { backend: next(), name: next(), driver: next() }
        };
        machine.iter().filter(is_open).map(name).collect()
    }

    fn own_name(name: &AdapterName) -> &AdapterName {
        name
    }

    /// What a selector finds on a machine, and which backends are opened for that.
    fn found(
        machine: Machine<'_>,
        selector: &str,
    ) -> (Result<AdapterName, SelectError>, Vec<Backends>) {
        let mut opened = Vec::new();
        let found = select_of(selector, own_name, |backends| {
            opened.push(backends);
            of_machine(machine, backends)
        });
        (found, opened)
    }

    #[test]
    fn opengl_is_opened_last_and_only_if_nothing_else_was_found() {
        for (machine, stages) in [(MANY, &STAGES[..1]), (OLD, &STAGES), (&[], &STAGES)] {
            let mut opened = Vec::new();
            let found = staged(|backends| {
                opened.push(backends);
                of_machine(machine, backends)
            })
            .find(|found| !found.is_empty());
            assert_eq!(found.is_some(), !machine.is_empty());
            assert_eq!(opened, stages, "{machine:?}");
        }
        // A list of all has OpenGL's last.
        let all: Vec<_> = staged(|backends| of_machine(MANY, backends)).flatten().collect();
        let backends: Vec<&str> = all.iter().map(|name| &*name.backend).collect();
        assert_eq!(backends, ["vulkan", "vulkan", "metal", "gl", "gl"]);
        // Nothing is opened before it is asked for.
        drop(staged(|backends| -> Vec<AdapterName> { panic!("{backends:?} was opened") }));
    }

    #[test]
    fn only_backends_that_a_selector_can_mean_are_opened() {
        for (selector, expected, opened) in [
            // Of one backend, by its name.
            ("vulkan/nvidia", "vulkan/NVIDIA H200/580.95", &[Backends::VULKAN][..]),
            (" Metal ", "metal/Apple M4/", &[Backends::METAL]),
            ("gl/llvmpipe", "gl/llvmpipe/4.5 Mesa 22.3.6", &[Backends::GL]),
            // Of any, but of OpenGL only where no other matches.
            ("llvmpipe", "vulkan/llvmpipe/Mesa 22.3.6", &STAGES[..1]),
            ("apple", "metal/Apple M4/", &STAGES[..1]),
            ("0", "vulkan/NVIDIA H200/580.95", &STAGES[..1]),
            ("old card", "gl/Old Card/3.3", &STAGES),
            ("4", "gl/Old Card/3.3", &STAGES),
        ] {
            let (found, now) = found(MANY, selector);
            assert_eq!(found.map(|name| name.to_string()).as_deref(), Ok(expected), "{selector}");
            assert_eq!(now, opened, "{selector}");
        }
        // What is meant twice is an error at once, whatever there may be elsewhere.
        for (selector, opened) in [("vulkan", &[Backends::VULKAN][..]), ("a", &STAGES[..1])] {
            let (found, now) = found(MANY, selector);
            assert!(matches!(found, Err(SelectError::Ambiguous { .. })), "{selector}: {found:?}");
            assert_eq!(now, opened, "{selector}");
        }
        // What is not there is looked for everywhere, as the error lists all that there is.
        let everywhere = [&[Backends::DX12][..], &STAGES].concat();
        for (selector, expected) in [("radeon", &STAGES[..]), ("dx12/radeon", &everywhere[..])] {
            let (found, now) = found(MANY, selector);
            let Err(SelectError::NoMatch { adapters, .. }) = &found else {
                panic!("{selector}: {found:?}")
            };
            assert_eq!((adapters.len(), &now[..]), (5, expected), "{selector}");
        }
    }
}
