//! Devices under test.

use gridfold::{
    Capabilities, Context, Executor, ListedAdapter, Requirements, SubgroupSizes, Variant, wgpu,
};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

/// The adapters to test.
pub struct Adapters {
    pub listed: Vec<ListedAdapter>,
    /// Whether somebody asked for these: then each must work. Else what can't be used is left out, and the
    /// report says so.
    pub asked_for: bool,
}

/// The adapters that `GRIDFOLD_TEST_ADAPTERS` asks for (selectors, separated by commas; `none` for no
/// GPU), or without it all there are.
///
/// # Errors
///
/// A sentence, if an adapter that was asked for is missing or there is none at all.
pub fn adapters_under_test() -> Result<Adapters, String> {
    let adapters = Executor::adapters();
    let Ok(selectors) = std::env::var("GRIDFOLD_TEST_ADAPTERS") else {
        return if adapters.is_empty() {
            Err("no adapter: run `cargo xtask test`, which installs a software driver, or set \
                 GRIDFOLD_TEST_ADAPTERS=none to test without GPU"
                .to_owned())
        } else {
            Ok(Adapters { listed: adapters, asked_for: false })
        };
    };
    if selectors == "none" {
        return Ok(Adapters { listed: Vec::new(), asked_for: true });
    }
    let names: Vec<_> = adapters.iter().map(|adapter| adapter.name().clone()).collect();
    let listed = selectors
        .split(',')
        .map(|selector| {
            gridfold::selector::select(&names, selector)
                .map(|index| adapters[index].clone())
                .map_err(|error| format!("GRIDFOLD_TEST_ADAPTERS: {error}"))
        })
        .collect::<Result<_, _>>()?;
    Ok(Adapters { listed, asked_for: true })
}

/// A device of an adapter, that must get through each test without an error of wgpu's.
#[derive(Clone)]
pub struct Gpu {
    pub adapter: wgpu::Adapter,
    pub context: Context,
    /// What collectives are told of subgroups, in place of what is known.
    pub told_subgroups: Option<SubgroupSizes>,
    uncaptured: Arc<Mutex<Vec<String>>>,
    siblings: Arc<Mutex<HashMap<String, Self>>>,
}

impl Gpu {
    /// A device with all that gridfold can use.
    pub fn open(adapter: &wgpu::Adapter) -> Result<Self, String> {
        let requirements = Requirements::of(adapter);
        let limits = wgpu::Limits::downlevel_defaults().or_worse_values_from(&adapter.limits());
        Self::with(
            adapter,
            requirements.features(wgpu::Features::empty()),
            requirements.limits(limits),
        )
    }

    /// Another device with the same features, and these limits. All cases that share this one share that, too.
    pub fn with_limits(&self, change: impl FnOnce(&mut wgpu::Limits)) -> Result<Self, String> {
        let device = self.context.device();
        let mut limits = device.limits();
        change(&mut limits);
        self.sibling(&format!("{limits:?}"), || {
            Self::with(&self.adapter, device.features(), limits.clone())
        })
    }

    /// A device or a context like this one, but for one thing, which all cases share that name it: each compiles the shaders
    /// anew, which takes most of the time of many a case.
    pub fn sibling(
        &self,
        name: &str,
        make: impl FnOnce() -> Result<Self, String>,
    ) -> Result<Self, String> {
        let mut siblings = self.siblings.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sibling) = siblings.get(name) {
            return Ok(sibling.clone());
        }
        let sibling = make()?;
        siblings.insert(name.to_owned(), sibling.clone());
        Ok(sibling)
    }

    /// A device with exactly these features and limits.
    pub fn with(
        adapter: &wgpu::Adapter,
        features: wgpu::Features,
        limits: wgpu::Limits,
    ) -> Result<Self, String> {
        let (device, queue, uncaptured) = create_device(adapter, features, limits)?;
        let context = Context::new_blocking(&device, &queue).map_err(|e| e.to_string())?;
        let siblings = Arc::default();
        Ok(Self { adapter: adapter.clone(), context, told_subgroups: None, uncaptured, siblings })
    }

    /// The same device with other shaders.
    pub fn with_shaders(&self, sources: gridfold::shader::Sources) -> Result<Self, String> {
        let (device, queue) = (self.context.device(), self.context.queue());
        let context = pollster::block_on(Context::with_shaders(device, queue, sources))
            .map_err(|error| error.to_string())?;
        Ok(Self { context, siblings: Arc::default(), ..self.clone() })
    }

    /// The same device, of whose subgroups collectives are told these sizes.
    pub fn with_told_subgroups(&self, min: u32, max: u32) -> Self {
        Self { told_subgroups: Some(SubgroupSizes { min, max }), ..self.clone() }
    }

    pub fn device(&self) -> &wgpu::Device {
        self.context.device()
    }

    pub fn capabilities(&self) -> &Capabilities {
        self.context.capabilities()
    }

    /// Whether a CPU does the work.
    pub fn is_software(&self) -> bool {
        self.capabilities().device_class == gridfold::DeviceClass::Cpu
    }

    /// The variants that the device has.
    pub fn variants(&self) -> Vec<Variant> {
        let mut variants = vec![Variant::WorkgroupMemory];
        if self.capabilities().subgroups.is_some() {
            variants.push(Variant::Subgroup);
        }
        variants
    }

    pub fn encoder(&self) -> wgpu::CommandEncoder {
        self.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default())
    }

    pub fn submit(&self, encoder: wgpu::CommandEncoder) {
        self.context.queue().submit([encoder.finish()]);
    }

    /// Runs a test between error scopes, and fails it if one of them, or the device, caught an error.
    pub fn check(&self, test: impl FnOnce(&Self)) -> Result<(), String> {
        let filters = [
            wgpu::ErrorFilter::Internal,
            wgpu::ErrorFilter::OutOfMemory,
            wgpu::ErrorFilter::Validation,
        ];
        let scopes = filters.map(|filter| self.device().push_error_scope(filter));
        test(self);
        for scope in scopes.into_iter().rev() {
            if let Some(error) = pollster::block_on(scope.pop()) {
                return Err(format!("left in the caller's error scope: {error}"));
            }
        }
        // Tests of an adapter share its device: whoever comes first reports.
        let uncaptured =
            std::mem::take(&mut *self.uncaptured.lock().unwrap_or_else(PoisonError::into_inner));
        if uncaptured.is_empty() {
            Ok(())
        } else {
            Err(format!("uncaptured: {}", uncaptured.join("; ")))
        }
    }
}

type Uncaptured = Arc<Mutex<Vec<String>>>;

fn create_device(
    adapter: &wgpu::Adapter,
    features: wgpu::Features,
    limits: wgpu::Limits,
) -> Result<(wgpu::Device, wgpu::Queue, Uncaptured), String> {
    let descriptor = wgpu::DeviceDescriptor {
        label: Some("test"),
        required_features: features,
        required_limits: limits,
        ..Default::default()
    };
    let (device, queue) =
        pollster::block_on(adapter.request_device(&descriptor)).map_err(|e| e.to_string())?;
    let uncaptured = Uncaptured::default();
    let errors = Arc::clone(&uncaptured);
    device.on_uncaptured_error(Arc::new(move |error| {
        errors.lock().unwrap_or_else(PoisonError::into_inner).push(error.to_string());
    }));
    Ok((device, queue, uncaptured))
}
