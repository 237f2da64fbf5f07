//! For programs that own no device yet: an executor finds one, or uses the CPU.

use crate::{
    array::{Array, reduce_on_cpu},
    capabilities::{AdapterName, Capabilities, Requirements},
    context::Context,
    cpu,
    element::Element,
    error::{CreateError, Error, SelectError},
    operator::{BitAnd, BitOr, BitXor, Max, Min, Operator, Product, Sum},
    reduce::Reduction,
    selector,
};

/// Runs reductions on a GPU of its own choice, on one that the caller chose, or on the CPU, with the
/// same bits. Its calls block. A cheap clone, `Send + Sync`.
///
/// ```
/// let executor = gridfold::Executor::auto();
/// let samples: Vec<f32> = (0..1000).map(|i| i as f32).collect();
/// assert_eq!(executor.sum(&samples)?, 499_500.0);
/// # Ok::<(), gridfold::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Executor {
    place: Place,
}

#[derive(Clone, Debug)]
enum Place {
    Cpu,
    Gpu(Context),
}

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

    /// What a device made of it could do.
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

impl Executor {
    /// The best GPU, or the CPU where there is none. Makes a device: keep the executor (or a clone) rather than
    /// asking again. Discrete GPUs come before integrated and virtual
    /// ones; software drivers are no GPUs. Environment variables of wgpu such as `WGPU_BACKEND` limit the
    /// choice.
    pub fn auto() -> Self {
        let mut adapters = Self::adapters();
        adapters.retain(|listed| listed.adapter.get_info().device_type != wgpu::DeviceType::Cpu);
        adapters.sort_by_key(|listed| {
            let info = listed.adapter.get_info();
            let kind = match info.device_type {
                wgpu::DeviceType::DiscreteGpu => 0,
                wgpu::DeviceType::IntegratedGpu => 1,
                wgpu::DeviceType::VirtualGpu => 2,
                wgpu::DeviceType::Other | wgpu::DeviceType::Cpu => 3,
            };
            // OpenGL last: most of its devices another backend offers too, with subgroups.
            (info.backend == wgpu::Backend::Gl, kind)
        });
        for listed in &adapters {
            match listed.open() {
                Ok(executor) => return executor,
                Err(error) => log::warn!("{}: {error}", listed.name),
            }
        }
        log::info!("no GPU adapter can be used: using the CPU");
        Self::cpu()
    }

    /// The CPU: every core, if the feature `parallel` is on.
    pub fn cpu() -> Self {
        Self { place: Place::Cpu }
    }

    /// The adapter that `selector` means, and no other:
    ///
    /// * `auto`: as [`Executor::auto`];
    /// * `cpu`: as [`Executor::cpu`];
    /// * an index in [`Executor::adapters`];
    /// * a part of `backend/name/driver` that occurs in one of them only, in any case of letters. An
    ///   OpenGL adapter whose device another backend offers too must be asked for as `gl/…`.
    ///
    /// # Errors
    ///
    /// [`Error::Select`], or [`Error::Create`] if the context can't be made.
    pub fn with_adapter(selector: &str) -> Result<Self, Error> {
        match selector.trim().to_lowercase().as_str() {
            "auto" => Ok(Self::auto()),
            "cpu" => Ok(Self::cpu()),
            _ => {
                let mut adapters = Self::adapters();
                let names: Vec<_> = adapters.iter().map(|listed| listed.name.clone()).collect();
                let index = selector::select(&names, selector)?;
                adapters.swap_remove(index).open()
            }
        }
    }

    /// On a context of the caller's.
    pub fn from_context(context: Context) -> Self {
        Self { place: Place::Gpu(context) }
    }

    /// The adapters there are, in wgpu's order. Environment variables of wgpu such as `WGPU_BACKEND` limit
    /// them. Without any backend of wgpu, as without the feature `backends`, there are none.
    pub fn adapters() -> Vec<ListedAdapter> {
        if wgpu::Instance::enabled_backend_features().is_empty() {
            return Vec::new();
        }
        let descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
        let backends = descriptor.backends;
        let instance = wgpu::Instance::new(descriptor);
        pollster::block_on(instance.enumerate_adapters(backends))
            .into_iter()
            .map(|adapter| ListedAdapter { name: AdapterName::of(&adapter.get_info()), adapter })
            .collect()
    }

    /// The adapter's names; for the CPU, `cpu`.
    pub fn name(&self) -> AdapterName {
        match &self.place {
            Place::Cpu => AdapterName::cpu(),
            Place::Gpu(context) => context.adapter().clone(),
        }
    }

    /// The context, if this executor runs on a GPU.
    pub fn context(&self) -> Option<&Context> {
        match &self.place {
            Place::Cpu => None,
            Place::Gpu(context) => Some(context),
        }
    }

    /// Copies `values` to the device, into as many buffers as it takes.
    ///
    /// # Errors
    ///
    /// [`Error::Prepare`], if the device has no room.
    pub fn upload<T: Element>(&self, values: &[T]) -> Result<Array<T>, Error> {
        Array::upload(self.context(), values)
    }

    /// Reduces `values`, and tells how.
    ///
    /// # Errors
    ///
    /// [`Error::Prepare`] or [`Error::Read`]. Never on the CPU.
    pub fn reduce<T: Element, Op: Operator<T>>(
        &self,
        values: &[T],
    ) -> Result<Reduction<Op::Value>, Error> {
        match &self.place {
            Place::Cpu => Ok(reduce_on_cpu::<T, Op>(&[values])),
            Place::Gpu(_) => self.upload(values)?.reduce::<Op>(),
        }
    }

    fn value<T: Element, Op: Operator<T>>(&self, values: &[T]) -> Result<Op::Value, Error> {
        match &self.place {
            Place::Cpu => Ok(cpu::reduce::<T, Op>(&[values])),
            Place::Gpu(_) => self.upload(values)?.value::<Op>(),
        }
    }
}

macro_rules! one_liners {
    ($($(#[$doc:meta])* $name:ident $operator:ident)*) => {
        /// One call per operator. On a GPU each uploads `values`, reduces them and waits for the result;
        /// with [`Executor::upload`] they are uploaded once.
        ///
        /// # Errors
        ///
        /// [`Error::Prepare`] or [`Error::Read`]. Never on the CPU.
        impl Executor {$(
            $(#[$doc])*
            pub fn $name<T: Element>(
                &self,
                values: &[T],
            ) -> Result<<$operator as Operator<T>>::Value, Error>
            where
                $operator: Operator<T>,
            {
                self.value::<T, $operator>(values)
            }
        )*}

        /// One call per operator. Each submits and waits for the result.
        ///
        /// # Errors
        ///
        /// [`Error::Prepare`] or [`Error::Read`]. Never on the CPU.
        impl<T: Element> Array<T> {$(
            $(#[$doc])*
            pub fn $name(&self) -> Result<<$operator as Operator<T>>::Value, Error>
            where
                $operator: Operator<T>,
            {
                self.value::<$operator>()
            }
        )*}
    };
}

one_liners! {
    /// The [`Sum`].
    sum Sum
    /// The [`Product`].
    product Product
    /// The smallest element ([`Min`]), or `None` if there are no elements.
    min Min
    /// The largest element ([`Max`]), or `None` if there are no elements.
    max Max
    /// The bits that every element has ([`BitAnd`]).
    bit_and BitAnd
    /// The bits that some element has ([`BitOr`]).
    bit_or BitOr
    /// The bits that an odd number of elements have ([`BitXor`]).
    bit_xor BitXor
}
