//! Modules and pipelines: created here and nowhere else, once per context.

use crate::{
    device::error_scope,
    error::CreateError,
    wgsl::{
        module::ModuleKey,
        shader::{Constants, PARAMS_BYTES, ShaderKey},
        sources::{Probe, Sources},
    },
};
use std::{
    collections::HashMap,
    hash::Hash,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

/// A shader and the values of its pipeline constants.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PipelineKey {
    pub(crate) shader: ShaderKey,
    pub(crate) constants: Constants,
}

/// The pipelines of a context, each created at its first use, also when several threads ask first.
#[derive(Debug)]
pub(crate) struct Pipelines {
    device: wgpu::Device,
    sources: Sources,
    /// The caller's, for all pipelines.
    cache: Option<wgpu::PipelineCache>,
    modules: Cache<ModuleKey, wgpu::ShaderModule>,
    pipelines: Cache<PipelineKey, wgpu::ComputePipeline>,
    /// Held while a pipeline or a module is created, where threads may not create several. On OpenGL a thread that waits for another one gives up
    /// after seconds, and panics. DXC serves one thread at a time, and wgpu has one DXC for all. On the web wgpu's objects stay in their thread.
    one_by_one: Option<Mutex<()>>,
}

/// Bytes of the uniform binding.
pub(crate) const PARAMS_BINDING_BYTES: u64 = PARAMS_BYTES as u64;

impl Pipelines {
    pub(crate) fn new(
        device: &wgpu::Device,
        sources: Sources,
        cache: Option<wgpu::PipelineCache>,
    ) -> Self {
        let backend = device.adapter_info().backend;
        let is_side_by_side = cfg!(not(target_arch = "wasm32"))
            && matches!(backend, wgpu::Backend::Vulkan | wgpu::Backend::Metal);
        Self {
            device: device.clone(),
            sources,
            cache,
            modules: Cache::default(),
            pipelines: Cache::default(),
            one_by_one: (!is_side_by_side).then(Mutex::default),
        }
    }

    /// The files that shaders are made of.
    pub(crate) fn sources(&self) -> &Sources {
        &self.sources
    }

    /// The pipeline for `key`. Its bind group layout is that of [`ShaderKey::storage_bindings`].
    pub(crate) fn get(&self, key: PipelineKey) -> Result<wgpu::ComputePipeline, CreateError> {
        let is_users = key.shader.program.is_some();
        self.pipelines.get_or_create(&key, is_users, || {
            let parts = key.shader.module();
            let module = self.modules.get_or_create(&parts, is_users, || {
                // The first to need it. Others may share it.
                let label = format!("gridfold {}", key.shader);
                let text = self.sources.text_of(&parts);
                let is_open = key.shader.exchanges() || key.shader.has_own_loops();
                let loops = if is_open { Loops::Open } else { Loops::Bounded };
                self.create(&label, || self.module(&label, text, loops))
            })?;
            let label = format!("gridfold {}{}", key.shader, key.constants);
            let own = self.sources.constants_of(&key.shader, &parts);
            let constants = [key.constants.values(), own].concat();
            self.create(&label, || {
                let layout = self.bind_group_layout(&label, &key.shader);
                self.pipeline(
                    &label,
                    &module,
                    key.shader.kernel.entry_point(),
                    Some(&layout),
                    &constants,
                )
            })
        })
    }

    /// The pipelines for some keys, in their order. Threads create the ones that are missing.
    pub(crate) fn get_all(
        &self,
        keys: Vec<PipelineKey>,
    ) -> Result<Vec<wgpu::ComputePipeline>, CreateError> {
        let missing: Vec<_> = keys.iter().filter(|key| !self.pipelines.has(key)).cloned().collect();
        if missing.len() > 1 {
            self.create_all(&missing, |_| {});
        }
        keys.into_iter().map(|key| self.get(key)).collect()
    }

    /// Creates pipelines, side by side where that is possible, because a driver may take a second for each. Then calls `created`. An error stays for
    /// [`Pipelines::get`] to meet again.
    pub(crate) fn create_all(&self, keys: &[PipelineKey], created: impl Fn(&PipelineKey) + Sync) {
        let create = |key: &PipelineKey| {
            let _ = self.get(key.clone());
            created(key);
        };
        // On the web wgpu's objects stay in one thread.
        #[cfg(target_arch = "wasm32")]
        keys.iter().for_each(create);
        #[cfg(not(target_arch = "wasm32"))]
        side_by_side(keys, self.one_by_one.as_ref().map_or_else(threads, |_| 1), create);
    }

    /// A start-up probe's pipeline.
    pub(crate) fn probe(&self, probe: Probe) -> Result<wgpu::ComputePipeline, CreateError> {
        let label = format!("gridfold {}", probe.entry_point());
        self.create(&label, || {
            let module = self.module(&label, self.sources.probe(probe), Loops::Bounded);
            self.pipeline(&label, &module, probe.entry_point(), None, &[])
        })
    }

    fn create<R>(&self, label: &str, create: impl FnOnce() -> R) -> Result<R, CreateError> {
        let turn = self.one_by_one.as_ref();
        let _turn = turn.map(|turn| turn.lock().unwrap_or_else(PoisonError::into_inner));
        log::debug!("creating {label}");
        let created = error_scope::capture(&self.device, label, create)?;
        log::debug!("created {label}");
        Ok(created)
    }

    fn module(&self, label: &str, text: String, loops: Loops) -> wgpu::ShaderModule {
        let descriptor = wgpu::ShaderModuleDescriptor {
            label: Some(label),
            source: wgpu::ShaderSource::Wgsl(text.into()),
        };
        if loops == Loops::Open || !self.sources.are_original() {
            return self.device.create_shader_module(descriptor);
        }
        // By default wgpu gives every loop a counter that ends it after 2^64 rounds, because compilers
        // may assume that loops end, and do harm where one does not. The counter also keeps compilers
        // from overlapping rounds: on an NVIDIA H200 an f32 sum of 2^20, 2^24, 2^25, 2^28 elements took
        // 11.1, 29.3, 43.3, 242.6 us with it and 9.8, 26.3, 39.6, 241.2 us without (`cargo bench --bench
        // lengths`, both records are in benches/records/). All other checks stay.
        let checks = wgpu::ShaderRuntimeChecks {
            force_loop_bounding: false,
            ..wgpu::ShaderRuntimeChecks::checked()
        };
        #[expect(unsafe_code, reason = "measured above, and reviewed as follows")]
        // SAFETY: without this check the caller must know that every loop ends. These are the files in
        // `shaders/`, not text from elsewhere: modules with a user's are open. Their loops, but for the open ones, which keep the counter:
        // - count up by one while the count is less than a number, to which it comes (or, in `careful_block.wgsl`, at
        //   most a number, which is far below 2^32: there are 2^17 rounds in a block at most);
        // - count up by 2, 256 or 1024 while the count is less than a number of at most 2^31, so that it can't wrap around
        //   (partials, nodes and their pairs, rows; in `segments/`, chunks, segments, elements and groups; in `exact/`, digits, cells and their digits);
        // - halve or double a number of at most 9 bits (in `histogram/`, halve one of at most 20) until it leaves its range, or shift it right by
        //   at least two bits (in `collective/`): `subgroup_size_of` is 4 to 128 whatever a driver says;
        // - go up by 4096 to the end of a launch (in `exact/`, `reduce.wgsl` and `reduce_pairs.wgsl`; in `histogram/` and `select/`, to that of a block), which planning
        //   keeps below 2^31, so that the position can't wrap around.
        unsafe {
            self.device.create_shader_module_trusted(descriptor, checks)
        }
    }

    fn bind_group_layout(&self, label: &str, shader: &ShaderKey) -> wgpu::BindGroupLayout {
        let entry = |binding, ty| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None },
            count: None,
        };
        let mut entries = vec![entry(0, wgpu::BufferBindingType::Uniform)];
        entries.extend(shader.storage_bindings().map(|(binding, read_only)| {
            entry(binding as u32, wgpu::BufferBindingType::Storage { read_only })
        }));
        self.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some(label),
            entries: &entries,
        })
    }

    fn pipeline(
        &self,
        label: &str,
        module: &wgpu::ShaderModule,
        entry_point: &str,
        layout: Option<&wgpu::BindGroupLayout>,
        constants: &[(&str, f64)],
    ) -> wgpu::ComputePipeline {
        let layout = layout.map(|layout| {
            self.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(label),
                bind_group_layouts: &[Some(layout)],
                immediate_size: 0,
            })
        });
        self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(label),
            layout: layout.as_ref(),
            module,
            entry_point: Some(entry_point),
            compilation_options: wgpu::PipelineCompilationOptions {
                constants,
                // The kernels read no workgroup memory that they have not written, and most backends
                // would let a single invocation clear it.
                zero_initialize_workgroup_memory: false,
            },
            cache: self.cache.as_ref(),
        })
    }
}

/// The bound of a module's loops.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Loops {
    /// Counts that are known not to go on for ever.
    Bounded,
    /// Some end when an exchange succeeds, or are a user's own.
    Open,
}

/// As many as rayon has, which its environment variables set.
#[cfg(not(target_arch = "wasm32"))]
fn threads() -> usize {
    #[cfg(feature = "parallel")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "parallel"))]
    return thread::available_parallelism().map_or(1, usize::from);
}

/// Does some work for each item, in so many threads. Each takes the next item, as some may take a hundred times as long as others.
#[cfg(not(target_arch = "wasm32"))]
fn side_by_side<T: Sync>(items: &[T], threads: usize, work: impl Fn(&T) + Sync) {
    if threads.min(items.len()) <= 1 {
        return items.iter().for_each(work);
    }
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..threads.min(items.len()) {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    work(item);
                }
            });
        }
    });
}

type Slot<V> = Arc<Mutex<Option<V>>>;

/// Values created once per key. Threads that want different keys do not wait for each other. After a
/// failure the next call tries again: there may be memory then.
#[derive(Debug)]
struct Cache<K, V>(Mutex<Slots<K, V>>);

#[derive(Debug)]
struct Slots<K, V> {
    /// Values of the library's shaders, whose number is limited.
    fixed: HashMap<K, Slot<V>>,
    /// Values of users' texts, whose number is not: each with the turn of its last use.
    users: HashMap<K, (u64, Slot<V>)>,
    turn: u64,
}

/// So many pipelines of users' texts, and as many modules, a context keeps.
const MAX_USERS: usize = 128;

impl<K, V> Default for Cache<K, V> {
    fn default() -> Self {
        let (fixed, users) = (HashMap::new(), HashMap::new());
        Self(Mutex::new(Slots { fixed, users, turn: 0 }))
    }
}

impl<K: Clone + Eq + Hash, V: Clone> Cache<K, V> {
    /// Whether the value is there.
    fn has(&self, key: &K) -> bool {
        let slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = slots.fixed.get(key).or_else(|| slots.users.get(key).map(|(_, slot)| slot));
        // A slot that another thread holds is being filled.
        slot.is_some_and(|slot| slot.try_lock().is_ok_and(|value| value.is_some()))
    }

    /// Keeps every value of the library's, and of users' texts the [`MAX_USERS`] values that it used last.
    fn get_or_create(
        &self,
        key: &K,
        is_users: bool,
        create: impl FnOnce() -> Result<V, CreateError>,
    ) -> Result<V, CreateError> {
        // A panic while the map was locked can't have left it half changed.
        let slots = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = match is_users {
            true => slots().of_users(key),
            false => slots().fixed.entry(key.clone()).or_default().clone(),
        };
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(value) = &*slot {
            return Ok(value.clone());
        }
        let value = create()?;
        *slot = Some(value.clone());
        Ok(value)
    }
}

impl<K: Clone + Eq + Hash, V> Slots<K, V> {
    fn of_users(&mut self, key: &K) -> Slot<V> {
        self.turn += 1;
        if let Some((turn, slot)) = self.users.get_mut(key) {
            *turn = self.turn;
            return slot.clone();
        }
        if self.users.len() >= MAX_USERS
            && let Some(oldest) = self.users.values().map(|(turn, _)| *turn).min()
        {
            self.users.retain(|_, (turn, _)| *turn != oldest);
        }
        let slot = Slot::default();
        self.users.insert(key.clone(), (self.turn, slot.clone()));
        slot
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_failed_is_tried_again_and_what_succeeded_is_kept() {
        let cache = Cache::<u32, u32>::default();
        let refused = cache.get_or_create(&1, false, || {
            Err(CreateError::OutOfMemory { what: "a pipeline".to_owned() })
        });
        assert!(refused.is_err());
        assert_eq!(cache.get_or_create(&1, false, || Ok(7)).expect("there is memory again"), 7);
        assert_eq!(cache.get_or_create(&1, false, || panic!("it was created")).expect("kept"), 7);
    }

    #[test]
    fn threads_work_side_by_side() {
        // Each waits for the other one: a thread alone would never end.
        let barrier = std::sync::Barrier::new(2);
        side_by_side(&[0, 1], 2, |_| {
            barrier.wait();
        });
        let order = Mutex::new(Vec::new());
        side_by_side(&[1, 2, 3], 1, |&item| order.lock().expect("alone").push(item));
        assert_eq!(order.into_inner().expect("alone"), [1, 2, 3]);
    }

    #[test]
    fn of_users_texts_the_oldest_goes() {
        let cache = Cache::<u32, u32>::default();
        let get = |key: u32| cache.get_or_create(&key, true, || Ok(key)).expect("there is memory");
        let kept = |key: u32| {
            let refused = || Err(CreateError::OutOfMemory { what: "a pipeline".to_owned() });
            cache.get_or_create(&key, true, refused).is_ok()
        };
        let count = u32::try_from(MAX_USERS).expect("few");
        for key in 0..count {
            get(key);
        }
        // Wanted again, so that the next one is the oldest.
        get(0);
        get(count);
        assert!(kept(0) && kept(count) && !kept(1));
    }
}
