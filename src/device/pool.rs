//! What calls leave for the next ones: buffers of a context's own.
//!
//! Scratch memory, accumulators and small outputs may be any number of recordings' at once: each recording writes what it
//! reads, the device runs them one after another, and an accumulator and the count of workgroups are left as they were found. What a single pass of
//! a scan or a selection leaves has a key that no later pass takes for its own.

use crate::device::{buffer, error_scope::Refusal};
use std::{
    collections::HashMap,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

/// Bytes of a pooled readback buffer: a result, timestamps and the marker, or the results of a batch.
pub(crate) const READBACK_BYTES: u64 = 4096;
/// Readback buffers of a kind that are kept at most.
const MAX_READBACKS: usize = 64;
/// Parameter buffers that are kept at most, and bytes of one.
const MAX_PARAMS: usize = 64;
const MAX_PARAMS_BYTES: usize = 4096;
/// Every device allows a uniform binding to begin at a multiple of this.
pub(crate) const PARAMS_STRIDE_BYTES: usize = 256;
/// Bytes behind scratch memory that a dispatch may bind in place of a result.
pub(crate) const SPARE_BYTES: u64 = 16;
/// Scratch memory that is kept at most: more than any plan takes so far.
const MAX_SCRATCH_BYTES: u64 = 1 << 20;
/// Bytes of an output that is kept, at most: there is one of each power of two.
const MAX_OUTPUT_BYTES: u64 = 1 << 16;

/// One of the context's markers is copied before what is read: in a submission that wgpu rejected, nothing is. A buffer that is
/// used again has the next one next time.
pub(crate) const MARKERS: [u32; 64] = {
    let mut markers = [0x6772_6964u32; 64];
    let mut i = 1;
    while i < markers.len() {
        markers[i] = markers[i - 1].wrapping_mul(0x9e37_79b1).wrapping_add(1);
        i += 1;
    }
    markers
};

/// The pooled buffers of a context.
#[derive(Debug)]
pub(crate) struct Pool {
    device: wgpu::Device,
    shelves: Mutex<Shelves>,
    /// Of a new readback buffer: its memory may have been another's.
    next_marker: AtomicUsize,
    /// Whether kernels write results to what the host maps.
    maps_results: AtomicBool,
    hears_failures: bool,
}

#[derive(Debug, Default)]
struct Shelves {
    scratch: Option<wgpu::Buffer>,
    /// By size.
    outputs: HashMap<u64, wgpu::Buffer>,
    accumulators: HashMap<Vec<u32>, wgpu::Buffer>,
    /// Only for single passes of scans and selections: shaders/memory/progress.wgsl says why.
    progress: Option<wgpu::Buffer>,
    params: HashMap<Vec<u8>, wgpu::Buffer>,
    readbacks: [Vec<PooledReadback>; 2],
}

/// How values come into a buffer that the host maps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mapped {
    /// By a copy.
    Copied,
    /// A kernel writes them, on devices with `wgpu::Features::MAPPABLE_PRIMARY_BUFFERS`.
    Written,
}

impl Mapped {
    pub(crate) fn usage(self) -> wgpu::BufferUsages {
        match self {
            Self::Copied => wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            Self::Written => wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::STORAGE,
        }
    }
}

/// A readback buffer, unmapped.
#[derive(Debug)]
pub(crate) struct PooledReadback {
    pub(crate) buffer: wgpu::Buffer,
    /// Which of the markers it must have next time: not the one that is there from the last time.
    pub(crate) marker: usize,
}

/// Whose buffers a pass works with. On the web all are its own, because there errors come later than buffers: one that there
/// was no memory for would be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Memory {
    /// Its own: passes that share nothing need not wait for each other.
    Own,
    /// The pool's.
    Pooled,
}

impl Memory {
    fn is_own(self) -> bool {
        self == Self::Own || cfg!(target_arch = "wasm32")
    }
}

/// Bytes of scratch memory with the spare ones, which begin where a binding can, on every device.
pub(crate) fn with_spare(scratch_bytes: u64) -> u64 {
    scratch_bytes.next_multiple_of(256) + SPARE_BYTES
}

impl Pool {
    pub(crate) fn new(device: &wgpu::Device) -> Self {
        let mappable = wgpu::Features::MAPPABLE_PRIMARY_BUFFERS;
        let hears_failures = device.adapter_info().backend == wgpu::Backend::Vulkan;
        let maps_results = hears_failures && device.features().contains(mappable);
        Self {
            device: device.clone(),
            shelves: Mutex::default(),
            next_marker: AtomicUsize::new(0),
            maps_results: AtomicBool::new(maps_results),
            hears_failures,
        }
    }

    /// Whether wgpu tells of everything that keeps the device from doing what was submitted, before it maps what that wrote.
    ///
    /// On Vulkan it does. On Metal a command buffer that failed counts as done, on DX12 all counts as done once the device is
    /// gone, for OpenGL it is not known; and on the web errors come later.
    pub(crate) fn hears_failures(&self) -> bool {
        self.hears_failures
    }

    /// Whether kernels can write results to what the host maps, and do.
    pub(crate) fn maps_results(&self) -> bool {
        self.maps_results.load(Ordering::Relaxed)
    }

    #[cfg(feature = "unstable")]
    pub(crate) fn set_maps_results(&self, maps: bool) {
        let mappable = wgpu::Features::MAPPABLE_PRIMARY_BUFFERS;
        let can = self.device.features().contains(mappable);
        self.maps_results.store(maps && can && self.hears_failures, Ordering::Relaxed);
    }

    pub(crate) fn device(&self) -> &wgpu::Device {
        &self.device
    }

    fn shelves(&self) -> MutexGuard<'_, Shelves> {
        // Nothing that could panic leaves a shelf half changed.
        self.shelves.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Scratch memory of at least `size_bytes`, with spare bytes behind them, for a pass that counts workgroups or not.
    pub(crate) fn scratch(
        &self,
        memory: Memory,
        label: &str,
        size_bytes: u64,
        counts: bool,
    ) -> Result<wgpu::Buffer, Refusal> {
        // The count of workgroups begins at 0: written, because what wgpu would clear at first use it does not clear any
        // more if that submission is rejected. Only where a kernel counts, or may: to write takes wgpu's staging memory.
        let create = |label, size_bytes| {
            let usage = wgpu::BufferUsages::STORAGE;
            if counts || !memory.is_own() {
                buffer::create_filled(&self.device, label, size_bytes, usage, &[0; 4])
            } else {
                buffer::create(&self.device, label, size_bytes, usage)
            }
        };
        let size_bytes = with_spare(size_bytes);
        if memory.is_own() || size_bytes > MAX_SCRATCH_BYTES {
            return create(label, size_bytes);
        }
        let mut shelves = self.shelves();
        if let Some(scratch) = shelves.scratch.as_ref().filter(|buffer| buffer.size() >= size_bytes)
        {
            return Ok(scratch.clone());
        }
        let max_buffer_bytes = self.device.limits().max_buffer_size;
        let size_bytes = size_bytes.max(size_bytes.next_power_of_two().min(max_buffer_bytes));
        let scratch = create("gridfold scratch", size_bytes)?;
        shelves.scratch = Some(scratch.clone());
        Ok(scratch)
    }

    /// An output of at least so many bytes, which can be copied from.
    pub(crate) fn output(&self, size_bytes: u64) -> Result<wgpu::Buffer, Refusal> {
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
        let create =
            |size_bytes| buffer::create(&self.device, "gridfold result", size_bytes, usage);
        if Memory::Pooled.is_own() || size_bytes > MAX_OUTPUT_BYTES {
            return create(size_bytes);
        }
        let size_bytes = size_bytes.next_power_of_two();
        let mut shelves = self.shelves();
        if let Some(output) = shelves.outputs.get(&size_bytes) {
            return Ok(output.clone());
        }
        let output = create(size_bytes)?;
        shelves.outputs.insert(size_bytes, output.clone());
        Ok(output)
    }

    /// An accumulator that holds `identity`, and does so again after each pass.
    pub(crate) fn accumulator(
        &self,
        memory: Memory,
        label: &str,
        identity: Vec<u32>,
    ) -> Result<wgpu::Buffer, Refusal> {
        let create = |identity: &[u32]| {
            let bytes: &[u8] = bytemuck::cast_slice(identity);
            let usage = wgpu::BufferUsages::STORAGE;
            buffer::create_filled(&self.device, label, bytes.len() as u64, usage, bytes)
        };
        if memory.is_own() {
            return create(&identity);
        }
        let mut shelves = self.shelves();
        if let Some(accumulator) = shelves.accumulators.get(&identity) {
            return Ok(accumulator.clone());
        }
        let accumulator = create(&identity)?;
        shelves.accumulators.insert(identity, accumulator.clone());
        Ok(accumulator)
    }

    /// Memory of at least `size_bytes` in which workgroups of a single pass tell each other how far they are, zeros at first.
    pub(crate) fn progress(
        &self,
        memory: Memory,
        label: &str,
        size_bytes: u64,
    ) -> Result<wgpu::Buffer, Refusal> {
        // The first words are written, because what wgpu would clear at first use it does not clear any more if that submission is rejected. The rest of what is
        // mapped at creation is zeros, too.
        let create = |label, size_bytes| {
            let usage = wgpu::BufferUsages::STORAGE;
            buffer::create_filled(&self.device, label, size_bytes, usage, &[0; 8])
        };
        if memory.is_own() || size_bytes > MAX_SCRATCH_BYTES {
            return create(label, size_bytes);
        }
        let mut shelves = self.shelves();
        if let Some(progress) =
            shelves.progress.as_ref().filter(|buffer| buffer.size() >= size_bytes)
        {
            return Ok(progress.clone());
        }
        let max_buffer_bytes = self.device.limits().max_buffer_size;
        let size_bytes = size_bytes.max(size_bytes.next_power_of_two().min(max_buffer_bytes));
        let progress = create("gridfold progress", size_bytes)?;
        shelves.progress = Some(progress.clone());
        Ok(progress)
    }

    /// Parameters, at multiples of [`PARAMS_STRIDE_BYTES`]. They are not written again, so equal ones are the same.
    pub(crate) fn params<P: bytemuck::NoUninit>(
        &self,
        memory: Memory,
        label: &str,
        params: &[P],
    ) -> Result<wgpu::Buffer, Refusal> {
        let mut bytes = Vec::new();
        for params in params {
            bytes.extend_from_slice(bytemuck::bytes_of(params));
            bytes.resize(bytes.len().next_multiple_of(PARAMS_STRIDE_BYTES), 0);
        }
        let usage = wgpu::BufferUsages::UNIFORM;
        let create = |bytes: &[u8]| {
            buffer::create_filled(&self.device, label, bytes.len() as u64, usage, bytes)
        };
        if memory.is_own() || bytes.len() > MAX_PARAMS_BYTES {
            return create(&bytes);
        }
        let mut shelves = self.shelves();
        if let Some(params) = shelves.params.get(&bytes) {
            return Ok(params.clone());
        }
        let params = create(&bytes)?;
        if shelves.params.len() >= MAX_PARAMS {
            shelves.params.clear();
        }
        shelves.params.insert(bytes, params.clone());
        Ok(params)
    }

    /// A buffer of [`READBACK_BYTES`] that no other call has, until it is put back.
    pub(crate) fn readback(&self, mapped: Mapped) -> Result<PooledReadback, Refusal> {
        if let Some(readback) = self.shelves().readbacks[mapped as usize].pop() {
            return Ok(readback);
        }
        let usage = mapped.usage();
        let buffer = buffer::create(&self.device, "gridfold readback", READBACK_BYTES, usage)?;
        let first = self.next_marker.fetch_add(1, Ordering::Relaxed);
        Ok(PooledReadback { buffer, marker: first % MARKERS.len() })
    }

    /// Puts a readback buffer back, after all went well. Others than the pool's are let go.
    pub(crate) fn put_back(&self, mapped: Mapped, readback: PooledReadback) {
        let is_ours = readback.buffer.size() == READBACK_BYTES && !Memory::Pooled.is_own();
        let shelf = &mut self.shelves().readbacks[mapped as usize];
        if is_ours && shelf.len() < MAX_READBACKS {
            shelf.push(readback);
        }
    }
}
