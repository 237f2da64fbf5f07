//! A plan's dispatches with everything that they bind. It makes GPU objects of a plan's numbers.

use crate::{
    device::{
        buffer,
        context::Context,
        pipeline::{PARAMS_BINDING_BYTES, PipelineKey},
        pool::{self, Memory, PARAMS_STRIDE_BYTES, SPARE_BYTES},
    },
    dispatch::{plan::Dispatch, windows::View},
    error::PrepareError,
    wgsl::kernel::Binding,
};
use std::{borrow::Cow, ops::Range};

/// Where in a slot of parameters on the device the number of workgroups is: behind the parameters.
pub(crate) const TOLD_GRID_BYTES: u64 = 128;

/// Dispatches, ready to be recorded as one compute pass.
#[derive(Debug)]
pub(crate) struct Recording {
    label: Cow<'static, str>,
    steps: Vec<Step>,
}

/// One dispatch.
#[derive(Debug)]
struct Step {
    pipeline: wgpu::ComputePipeline,
    bind_group: wgpu::BindGroup,
    workgroups: Workgroups,
}

/// How many workgroups a dispatch has.
#[derive(Debug)]
enum Workgroups {
    Planned(u32),
    /// The words at this byte of a buffer when the device reads them.
    Told(wgpu::Buffer, u64),
}

/// Part of a buffer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part<'a> {
    pub(crate) buffer: &'a wgpu::Buffer,
    pub(crate) offset_bytes: u64,
    pub(crate) size_bytes: u64,
}

impl<'a> Part<'a> {
    /// A whole buffer.
    pub(crate) fn whole(buffer: &'a wgpu::Buffer) -> Self {
        Self::first(buffer, buffer.size())
    }

    /// The first bytes of a buffer.
    pub(crate) fn first(buffer: &'a wgpu::Buffer, size_bytes: u64) -> Self {
        Self { buffer, offset_bytes: 0, size_bytes }
    }
}

/// The buffers that dispatches bind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resources<'a> {
    /// The buffers of the input's slices, or of the left one's.
    pub(crate) left: &'a [&'a wgpu::Buffer],
    /// The buffers of the right input's slices, or of a scan's output.
    pub(crate) right: &'a [&'a wgpu::Buffer],
    /// The buffers of the third input's slices.
    pub(crate) third: &'a [&'a wgpu::Buffer],
    pub(crate) scratch: Option<Part<'a>>,
    pub(crate) accumulator: Option<Part<'a>>,
    pub(crate) result: Option<Part<'a>>,
}

impl Recording {
    /// Makes the parameters, pipelines and bind groups that `dispatches` need beyond the resources.
    pub(crate) fn prepare(
        context: &Context,
        label: Cow<'static, str>,
        dispatches: &[Dispatch],
        resources: Resources<'_>,
        memory: Memory,
    ) -> Result<Self, PrepareError> {
        let mut recording = Self::empty(label);
        recording.add(context, dispatches, resources, memory)?;
        Ok(recording)
    }

    /// Without dispatches, so far.
    pub(crate) fn empty(label: Cow<'static, str>) -> Self {
        Self { label, steps: Vec::new() }
    }

    /// Adds more dispatches behind the ones that are there.
    pub(crate) fn add(
        &mut self,
        context: &Context,
        dispatches: &[Dispatch],
        resources: Resources<'_>,
        memory: Memory,
    ) -> Result<(), PrepareError> {
        let label = &self.label;
        let params: Vec<_> = dispatches.iter().map(|dispatch| dispatch.params.words()).collect();
        let params = context.pool().params(memory, label, &params)?;
        let steps = dispatches
            .iter()
            .zip(pipelines(context, dispatches)?)
            .enumerate()
            .map(|(index, (dispatch, pipeline))| {
                let params = Part {
                    buffer: &params,
                    offset_bytes: (index * PARAMS_STRIDE_BYTES) as u64,
                    size_bytes: PARAMS_BINDING_BYTES,
                };
                Step::prepare(context, label, dispatch, pipeline, params, &resources)
            })
            .collect::<Result<Vec<_>, _>>()?;
        self.steps.extend(steps);
        Ok(())
    }

    /// Adds more dispatches. When the device starts them, `told` has their parameters and workgroups, in slots of [`PARAMS_STRIDE_BYTES`] from
    /// `first` on.
    pub(crate) fn add_told(
        &mut self,
        context: &Context,
        dispatches: &[Dispatch],
        resources: Resources<'_>,
        told: &wgpu::Buffer,
        first: usize,
    ) -> Result<(), PrepareError> {
        let pipelines = pipelines(context, dispatches)?;
        for ((index, dispatch), pipeline) in (first..).zip(dispatches).zip(pipelines) {
            let offset_bytes = (index * PARAMS_STRIDE_BYTES) as u64;
            let params = Part { buffer: told, offset_bytes, size_bytes: PARAMS_BINDING_BYTES };
            let step = Step::prepare(context, &self.label, dispatch, pipeline, params, &resources)?;
            let workgroups = Workgroups::Told(told.clone(), offset_bytes + TOLD_GRID_BYTES);
            self.steps.push(Step { workgroups, ..step });
        }
        Ok(())
    }

    /// The label of its passes.
    pub(crate) fn label(&self) -> &str {
        &self.label
    }

    /// Appends all dispatches to `encoder`. Creates no GPU object.
    pub(crate) fn record(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        timestamp_writes: Option<wgpu::ComputePassTimestampWrites<'_>>,
    ) {
        self.record_steps(encoder, 0..self.steps.len(), timestamp_writes);
    }

    /// Appends some of the dispatches to `encoder`, as a pass of their own. Submit all dispatches, in order.
    pub(crate) fn record_steps(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        steps: Range<usize>,
        timestamp_writes: Option<wgpu::ComputePassTimestampWrites<'_>>,
    ) {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some(&self.label),
            timestamp_writes,
        });
        self.dispatch(&mut pass, steps);
    }

    /// Appends the dispatches to a pass. Creates no GPU object.
    pub(crate) fn record_in(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.dispatch(pass, 0..self.steps.len());
    }

    fn dispatch(&self, pass: &mut wgpu::ComputePass<'_>, steps: Range<usize>) {
        for step in &self.steps[steps] {
            pass.set_pipeline(&step.pipeline);
            pass.set_bind_group(0, &step.bind_group, &[]);
            match &step.workgroups {
                Workgroups::Planned(count) => pass.dispatch_workgroups(*count, 1, 1),
                Workgroups::Told(buffer, byte) => pass.dispatch_workgroups_indirect(buffer, *byte),
            }
        }
    }

    /// How many there are.
    pub(crate) fn dispatches(&self) -> usize {
        self.steps.len()
    }
}

/// The pipeline of each dispatch.
fn pipelines(
    context: &Context,
    dispatches: &[Dispatch],
) -> Result<Vec<wgpu::ComputePipeline>, PrepareError> {
    let key = |dispatch: &Dispatch| PipelineKey {
        shader: dispatch.shader.clone(),
        constants: dispatch.constants,
    };
    Ok(context.pipelines().get_all(dispatches.iter().map(key).collect())?)
}

impl Step {
    fn prepare(
        context: &Context,
        label: &str,
        dispatch: &Dispatch,
        pipeline: wgpu::ComputePipeline,
        params: Part<'_>,
        resources: &Resources<'_>,
    ) -> Result<Self, PrepareError> {
        const BOUND: &str = "a plan has what its kernels bind";
        let resource = |binding| {
            wgpu::BindingResource::Buffer(match binding {
                Binding::Vectors | Binding::Words => match dispatch.left {
                    Some(view) if binding == Binding::Words || view.size_bytes >= 16 => {
                        view.of(resources.left)
                    }
                    // Scans in place read no input of their own.
                    Some(_) => context.no_vectors().as_entire_buffer_binding(),
                    None if dispatch.right.is_some() => {
                        context.no_vectors().as_entire_buffer_binding()
                    }
                    None => panic!("{BOUND}"),
                },
                Binding::RightWords | Binding::Output => {
                    dispatch.right.expect(BOUND).of(resources.right)
                }
                Binding::ThirdWords => dispatch.third.expect(BOUND).of(resources.third),
                Binding::Scratch => resources.scratch.expect(BOUND).binding(),
                Binding::Accumulator => resources.accumulator.expect(BOUND).binding(),
                Binding::Result if !dispatch.writes_result() => {
                    resources.scratch.expect(BOUND).spare().binding()
                }
                Binding::Result => resources.result.expect(BOUND).binding(),
            })
        };
        let mut entries = vec![wgpu::BindGroupEntry {
            binding: 0,
            resource: wgpu::BindingResource::Buffer(params.binding()),
        }];
        entries.extend(dispatch.shader.storage_bindings().map(|(binding, _)| {
            wgpu::BindGroupEntry { binding: binding as u32, resource: resource(binding) }
        }));
        let bind_group = buffer::create_with(context.device(), label, |label| {
            context.device().create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some(label),
                layout: &pipeline.get_bind_group_layout(0),
                entries: &entries,
            })
        })?;
        Ok(Self { pipeline, bind_group, workgroups: Workgroups::Planned(dispatch.workgroups) })
    }
}

impl<'a> Part<'a> {
    /// The bytes behind scratch memory, for the binding of a result that a dispatch does not write.
    fn spare(self) -> Self {
        let end_bytes = pool::with_spare(self.offset_bytes + self.size_bytes);
        Self { offset_bytes: end_bytes - SPARE_BYTES, size_bytes: SPARE_BYTES, ..self }
    }

    fn binding(self) -> wgpu::BufferBinding<'a> {
        range(self.buffer, self.offset_bytes, self.size_bytes)
    }
}

impl View {
    fn of<'a>(self, buffers: &[&'a wgpu::Buffer]) -> wgpu::BufferBinding<'a> {
        range(buffers[self.slice], self.offset_bytes, self.size_bytes)
    }
}

fn range(buffer: &wgpu::Buffer, offset: u64, size_bytes: u64) -> wgpu::BufferBinding<'_> {
    wgpu::BufferBinding { buffer, offset, size: wgpu::BufferSize::new(size_bytes) }
}
