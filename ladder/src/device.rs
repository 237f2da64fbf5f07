//! Pipelines, dispatches and times on a device.

use crate::{
    Error,
    data::Input,
    modules::{FloatAtomics, Module},
    rungs::{Layout, Passes, Rung, Size},
    work,
};
use gridfold::{Array, Context, DeviceTimer, GpuSlice, Prepared, Reducer, Sum, wgpu};
use std::{
    sync::mpsc,
    time::{Duration, Instant},
};

/// A device, and what all rungs share on it.
pub struct Device<'a> {
    context: &'a Context,
    float_atomics: FloatAtomics,
    bind_group_layout: wgpu::BindGroupLayout,
    pipeline_layout: wgpu::PipelineLayout,
    /// Where dispatches leave partials, in turns.
    partials: [wgpu::Buffer; 2],
    totals: wgpu::Buffer,
    copied: wgpu::Buffer,
    staging: wgpu::Buffer,
    timer: Option<DeviceTimer>,
}

/// A rung's pipelines.
pub struct Pipelines {
    main: wgpu::ComputePipeline,
    fold: Option<wgpu::ComputePipeline>,
}

/// Something to time, with everything allocated.
pub struct Job<'a> {
    commands: Commands,
    /// Where the result is.
    result: (&'a wgpu::Buffer, u64),
    /// The words that must be there.
    expected: Vec<u32>,
}

enum Commands {
    Dispatches(Vec<Dispatch>),
    Library(Box<Prepared<f32>>),
}

struct Dispatch {
    pipeline: wgpu::ComputePipeline,
    bind_group: wgpu::BindGroup,
    workgroups: [u32; 2],
}

/// A study's kernel.
pub struct Kernel<'a> {
    /// In a few words.
    pub name: &'static str,
    /// WGSL.
    pub text: &'a str,
    /// The entry point.
    pub entry_point: &'static str,
    /// A pipeline constant.
    pub constant: Option<(&'static str, u32)>,
    /// Workgroups of a dispatch, in one dimension.
    pub workgroups: u32,
}

/// What a run took, and left.
#[derive(Clone, Debug)]
pub struct Sample {
    /// On the device, if it measures.
    pub on_device: Option<Duration>,
    /// From the submission to its end.
    pub on_host: Duration,
    /// The result.
    pub words: Vec<u32>,
    /// Whether that is as expected.
    pub is_right: bool,
}

/// As many words as any result has.
const RESULT_BYTES: u64 = 16;
/// Words that a workgroup of benches/copy.wgsl copies.
const COPY_WORDS: u64 = 256 * 8 * 4;

/// Workgroups of a row. A dispatch could have more in a dimension, but not so many that no rung needed rows; and with rows this
/// short also short inputs have some.
const ROW_WORKGROUPS: u64 = 1024;

/// How many words are copied to move as many bytes as `len` elements have.
pub fn copied_words(len: u64) -> u64 {
    (len / 2).next_multiple_of(COPY_WORDS).max(COPY_WORDS)
}

impl<'a> Device<'a> {
    /// For inputs of length `len`.
    pub fn new(context: &'a Context, len: u64) -> Result<Self, Error> {
        let device = context.device();
        let buffer = |what, bytes, usage| buffer(context, what, bytes, usage);
        let timer = DeviceTimer::new(context).map_err(gridfold::Error::from)?;
        let float_atomics = if context.capabilities().float_atomics {
            FloatAtomics::Native
        } else {
            FloatAtomics::Exchange
        };
        let stored = wgpu::BufferUsages::STORAGE
            | wgpu::BufferUsages::COPY_SRC
            | wgpu::BufferUsages::COPY_DST;
        // Of the rungs with the most workgroups.
        let partials_bytes = 4 * len.div_ceil(work::LANES);
        let bind_group_layout = create(context, "a layout", || {
            let entry = |binding, ty| wgpu::BindGroupLayoutEntry {
                binding,
                visibility: wgpu::ShaderStages::COMPUTE,
                ty: wgpu::BindingType::Buffer {
                    ty,
                    has_dynamic_offset: false,
                    min_binding_size: None,
                },
                count: None,
            };
            let storage = |read_only| wgpu::BufferBindingType::Storage { read_only };
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
                label: Some("ladder"),
                entries: &[
                    entry(0, wgpu::BufferBindingType::Uniform),
                    entry(1, storage(true)),
                    entry(2, storage(false)),
                ],
            })
        })?;
        let pipeline_layout = create(context, "a layout", || {
            device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some("ladder"),
                bind_group_layouts: &[Some(&bind_group_layout)],
                immediate_size: 0,
            })
        })?;
        Ok(Self {
            context,
            float_atomics,
            bind_group_layout,
            pipeline_layout,
            partials: [
                buffer("partials", partials_bytes, stored)?,
                buffer("partials", partials_bytes, stored)?,
            ],
            totals: buffer("totals", RESULT_BYTES, stored)?,
            copied: buffer("a copy", 4 * copied_words(len), stored)?,
            staging: buffer(
                "a readback buffer",
                RESULT_BYTES,
                wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            )?,
            timer,
        })
    }

    /// Whether it adds floats atomically by itself.
    pub fn float_atomics(&self) -> FloatAtomics {
        self.float_atomics
    }

    /// Why a rung can't run here, if so.
    pub fn obstacle(&self, rung: &Rung) -> Option<&'static str> {
        let has_subgroups = self.context.capabilities().subgroups.is_some();
        (rung.module.needs_subgroups() && !has_subgroups).then_some("the device has no subgroups")
    }

    /// Compiles a rung.
    pub fn pipelines(&self, rung: &Module) -> Result<Pipelines, Error> {
        let text = rung.compose(self.float_atomics);
        let pipeline = |entry_point| {
            self.pipeline(rung.name, &text, entry_point, None, Some(&self.pipeline_layout))
        };
        let fold = rung.has_fold().then(|| pipeline(Module::FOLD)).transpose()?;
        Ok(Pipelines { main: pipeline(Module::MAIN)?, fold })
    }

    fn pipeline(
        &self,
        name: &'static str,
        text: &str,
        entry_point: &str,
        constant: Option<(&'static str, u32)>,
        layout: Option<&wgpu::PipelineLayout>,
    ) -> Result<wgpu::ComputePipeline, Error> {
        let device = self.context.device();
        let constants = constant.map(|(name, value)| (name, f64::from(value)));
        create(self.context, name, || {
            let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(name),
                source: wgpu::ShaderSource::Wgsl(text.into()),
            });
            device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(name),
                layout,
                module: &module,
                entry_point: Some(entry_point),
                compilation_options: wgpu::PipelineCompilationOptions {
                    constants: constants.as_slice(),
                    // No rung reads workgroup memory that it has not written.
                    zero_initialize_workgroup_memory: false,
                },
                cache: None,
            })
        })
    }

    /// A rung with the first `len` elements of an input.
    pub fn job(
        &'a self,
        rung: &Rung,
        pipelines: &Pipelines,
        input: &Input,
        len: u64,
    ) -> Result<Job<'a>, Error> {
        let size = rung.size(len, 1);
        let elements = self.elements(input)?;
        let main = |count, workgroups, source, destination| {
            let size = Size { count, workgroups, ..size };
            self.dispatch(&pipelines.main, size, source, destination)
        };
        let [first, second] = &self.partials;
        let mut dispatches = Vec::new();
        let mut result = &self.totals;
        match rung.passes {
            Passes::One(_) | Passes::Strides(_) => {
                dispatches.push(main(size.count, size.workgroups, elements, &self.totals)?);
            }
            Passes::Levels(items) => {
                let mut source = elements;
                let mut destinations = [first, second].into_iter().cycle();
                for (count, workgroups) in work::levels(size.count, items) {
                    result = destinations.next().unwrap_or(first);
                    dispatches.push(main(count, workgroups, source, result)?);
                    source = result.as_entire_binding();
                }
            }
            Passes::Two(_) => {
                dispatches.push(main(size.count, size.workgroups, elements, first)?);
                let fold = pipelines.fold.as_ref().unwrap_or(&pipelines.main);
                let rounds = size.workgroups.div_ceil(work::LANES);
                let folded = Size { count: size.workgroups, workgroups: 1, rounds, ..size };
                dispatches.push(self.dispatch(fold, folded, first.as_entire_binding(), second)?);
                result = second;
            }
        }
        Ok(Job {
            commands: Commands::Dispatches(dispatches),
            result: (result, 0),
            expected: input.expected(rung.layout, len),
        })
    }

    /// An input's elements, as a binding.
    pub fn elements<'b>(&self, input: &'b Input) -> Result<wgpu::BindingResource<'b>, Error> {
        let elements = self.slice(input.array())?;
        Ok(wgpu::BindingResource::Buffer(wgpu::BufferBinding {
            buffer: elements.buffer(),
            offset: elements.offset_bytes(),
            size: None,
        }))
    }

    /// Words that a kernel can read or write, or take for its parameters.
    pub fn words(&self, words: &[u32]) -> Result<wgpu::Buffer, Error> {
        use wgpu::BufferUsages as Usages;
        let usage = Usages::STORAGE | Usages::UNIFORM | Usages::COPY_SRC | Usages::COPY_DST;
        let buffer = buffer(self.context, "words", 4 * words.len() as u64, usage)?;
        self.context.queue().write_buffer(&buffer, 0, bytemuck::cast_slice(words));
        Ok(buffer)
    }

    /// Where totals are: 0 before each run.
    pub fn totals(&self) -> &wgpu::Buffer {
        &self.totals
    }

    /// A study's kernel with these at bindings 0, 1 and so on, and the words that it must leave at a place of a buffer.
    pub fn study_job<'b>(
        &self,
        kernel: &Kernel<'_>,
        resources: &[wgpu::BindingResource<'_>],
        result: (&'b wgpu::Buffer, u64),
        expected: Vec<u32>,
    ) -> Result<Job<'b>, Error> {
        let Kernel { name, text, entry_point, constant, workgroups } = *kernel;
        let pipeline = self.pipeline(name, text, entry_point, constant, None)?;
        let layout = pipeline.get_bind_group_layout(0);
        let bind_group = self.bind_group(name, &layout, resources)?;
        let workgroups = [workgroups, 1];
        let dispatch = Dispatch { pipeline, bind_group, workgroups };
        Ok(Job { commands: Commands::Dispatches(vec![dispatch]), result, expected })
    }

    fn dispatch(
        &self,
        pipeline: &wgpu::ComputePipeline,
        size: Size,
        source: wgpu::BindingResource<'_>,
        destination: &wgpu::Buffer,
    ) -> Result<Dispatch, Error> {
        let rows = size.workgroups.div_ceil(ROW_WORKGROUPS);
        let row_workgroups = size.workgroups.div_ceil(rows);
        let words = [size.count, size.workgroups, row_workgroups, size.rounds].map(word);
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let params = buffer(self.context, "parameters", 16, usage)?;
        self.context.queue().write_buffer(&params, 0, bytemuck::bytes_of(&words));
        let resources = [params.as_entire_binding(), source, destination.as_entire_binding()];
        let bind_group = self.bind_group("ladder", &self.bind_group_layout, &resources)?;
        Ok(Dispatch {
            pipeline: pipeline.clone(),
            bind_group,
            workgroups: [word(row_workgroups), word(rows)],
        })
    }

    /// A bind group with these at bindings 0, 1 and so on.
    fn bind_group(
        &self,
        label: &str,
        layout: &wgpu::BindGroupLayout,
        resources: &[wgpu::BindingResource<'_>],
    ) -> Result<wgpu::BindGroup, Error> {
        let entries: Vec<wgpu::BindGroupEntry<'_>> = (0..)
            .zip(resources.iter().cloned())
            .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource })
            .collect();
        let descriptor =
            wgpu::BindGroupDescriptor { label: Some(label), layout, entries: &entries };
        create(self.context, "a bind group", || {
            self.context.device().create_bind_group(&descriptor)
        })
    }

    /// The library's sum of the first `len` elements of an input.
    pub fn gridfold_job(&'a self, input: &Input, len: u64) -> Result<Job<'a>, Error> {
        let elements = self.slice(input.array())?.slice(0..len).map_err(gridfold::Error::from)?;
        let output = GpuSlice::whole(&self.totals);
        let prepared = Reducer::<f32, _>::new(self.context, Sum)
            .prepare(elements, &output)
            .map_err(gridfold::Error::from)?;
        Ok(Job {
            commands: Commands::Library(Box::new(prepared)),
            result: (&self.totals, 0),
            expected: input.expected(Layout::Elements, len),
        })
    }

    /// A copy of [`copied_words`] elements, of which `last` are the last, as fast as the memory.
    pub fn copy_job(&'a self, elements: &Array<f32>, last: &[f32]) -> Result<Job<'a>, Error> {
        let source = self.slice(elements)?;
        let text = include_str!("../../benches/copy.wgsl");
        let pipeline = self.pipeline("a copy", text, "copy", None, None)?;
        let workgroups = word(source.len() / COPY_WORDS);
        let layout = pipeline.get_bind_group_layout(0);
        let resources = [source.buffer().as_entire_binding(), self.copied.as_entire_binding()];
        let bind_group = self.bind_group("copy", &layout, &resources)?;
        Ok(Job {
            commands: Commands::Dispatches(vec![Dispatch {
                pipeline,
                bind_group,
                workgroups: [workgroups, 1],
            }]),
            result: (&self.copied, 4 * source.len() - RESULT_BYTES),
            expected: last.iter().map(|value| value.to_bits()).collect(),
        })
    }

    /// What was uploaded is one buffer: the length was checked against what a binding can span.
    fn slice<'b>(&self, array: &'b Array<f32>) -> Result<&'b GpuSlice<f32>, Error> {
        match array.gpu_slices() {
            Some([slice]) => Ok(slice),
            _ => Err(refusal(self.context, "elements", "they are in several buffers".to_owned())),
        }
    }

    /// Runs a job once.
    pub fn run(&self, job: &Job<'_>) -> Result<Sample, Error> {
        let (device, queue) = (self.context.device(), self.context.queue());
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let (result, offset) = job.result;
        // Totals begin at 0. And nothing is left of the run before, which could pass for a result.
        encoder.clear_buffer(result, offset, Some(RESULT_BYTES));
        let timestamp_writes = self.timer.as_ref().map(DeviceTimer::timestamp_writes);
        match (&job.commands, timestamp_writes) {
            (Commands::Library(prepared), None) => prepared.record(&mut encoder),
            (Commands::Library(prepared), Some(writes)) => {
                prepared.record_timed(&mut encoder, writes);
            }
            (Commands::Dispatches(dispatches), timestamp_writes) => {
                let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                    label: Some("ladder"),
                    timestamp_writes,
                });
                for Dispatch { pipeline, bind_group, workgroups: [x, y] } in dispatches {
                    pass.set_pipeline(pipeline);
                    pass.set_bind_group(0, bind_group, &[]);
                    pass.dispatch_workgroups(*x, *y, 1);
                }
            }
        }
        encoder.copy_buffer_to_buffer(result, offset, &self.staging, 0, RESULT_BYTES);
        let readback = self
            .timer
            .as_ref()
            .map(|timer| timer.record_readback(&mut encoder))
            .transpose()
            .map_err(gridfold::Error::from)?;
        let begin = create(self.context, "a submission", || {
            let commands = encoder.finish();
            let begin = Instant::now();
            queue.submit([commands]);
            begin
        })?;
        self.wait()?;
        let on_host = begin.elapsed();
        let on_device = match readback {
            None => None,
            Some(readback) => readback.wait_blocking().map_err(gridfold::Error::from)?,
        };
        let mut words = self.read()?;
        words.truncate(job.expected.len());
        let is_right = words == job.expected;
        Ok(Sample { on_device, on_host, words, is_right })
    }

    /// The words in the staging buffer.
    fn read(&self) -> Result<Vec<u32>, Error> {
        let refused = |message: String| refusal(self.context, "a readback", message);
        let (sender, receiver) = mpsc::channel();
        self.staging.map_async(wgpu::MapMode::Read, .., move |result| {
            // The receiver is gone if the wait failed.
            let _ = sender.send(result);
        });
        self.wait()?;
        receiver
            .recv()
            .map_err(|error| refused(error.to_string()))?
            .map_err(|error| refused(error.to_string()))?;
        let bytes =
            self.staging.get_mapped_range(..).map_err(|error| refused(error.to_string()))?;
        let words = bytemuck::pod_collect_to_vec(&bytes[..]);
        drop(bytes);
        self.staging.unmap();
        Ok(words)
    }

    fn wait(&self) -> Result<(), Error> {
        self.context
            .device()
            .poll(wgpu::PollType::wait_indefinitely())
            .map(drop)
            .map_err(|error| refusal(self.context, "to wait for a submission", error.to_string()))
    }
}

impl Sample {
    /// On the device, or on the host where the device does not measure.
    pub fn time(&self) -> Duration {
        self.on_device.unwrap_or(self.on_host)
    }
}

/// Lengths are of one binding, so 32 bits hold them.
fn word(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// A buffer that a result fits into.
fn buffer(
    context: &Context,
    what: &'static str,
    bytes: u64,
    usage: wgpu::BufferUsages,
) -> Result<wgpu::Buffer, Error> {
    let descriptor = wgpu::BufferDescriptor {
        label: Some(what),
        size: bytes.max(RESULT_BYTES).next_multiple_of(16),
        usage,
        mapped_at_creation: false,
    };
    create(context, what, || context.device().create_buffer(&descriptor))
}

/// Makes something, with wgpu's error as a value.
fn create<R>(
    context: &Context,
    what: &'static str,
    create: impl FnOnce() -> R,
) -> Result<R, Error> {
    use wgpu::ErrorFilter::{Internal, OutOfMemory, Validation};
    let device = context.device();
    let scopes = [Validation, OutOfMemory, Internal].map(|filter| device.push_error_scope(filter));
    let created = create();
    // The innermost is the last.
    let errors = scopes.into_iter().rev().map(|scope| pollster::block_on(scope.pop()));
    match errors.fold(None, |first: Option<wgpu::Error>, error| first.or(error)) {
        None => Ok(created),
        Some(error) => Err(refusal(context, what, error.to_string())),
    }
}

fn refusal(context: &Context, what: &'static str, message: String) -> Error {
    Error::Refused { adapter: context.adapter().to_string(), what, message }
}
