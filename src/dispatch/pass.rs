//! A plan with everything allocated: the dispatches of a reduction, as one compute pass.

use crate::{
    algebra::element::Element,
    device::{
        buffer::{self, Inputs},
        context::Context,
        error_scope,
        pool::{Memory, PARAMS_STRIDE_BYTES},
    },
    dispatch::{
        pipeline::{PARAMS_BINDING_BYTES, PipelineKey},
        shader::{Binding, Constants, ExactOutput, Kernel, Params, ShaderKey},
    },
    error::PrepareError,
    reduce::plan::{Ending, Launch, Plan},
};
use std::{borrow::Cow, ops::Range};

/// The dispatches of a plan, with all that they bind.
#[derive(Debug)]
pub(crate) struct Pass {
    pub(crate) plan: Plan,
    label: Cow<'static, str>,
    steps: Vec<Step>,
}

/// One dispatch.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) pipeline: wgpu::ComputePipeline,
    pub(crate) bind_group: wgpu::BindGroup,
    pub(crate) workgroups: u32,
}

impl Step {
    /// Appends the dispatch to a pass. Creates no GPU object.
    pub(crate) fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.bind_group, &[]);
        pass.dispatch_workgroups(self.workgroups, 1, 1);
    }
}

/// Where a result goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Destination<'a> {
    pub(crate) buffer: &'a wgpu::Buffer,
    pub(crate) offset_bytes: u64,
    /// Words of 32 bits.
    pub(crate) words: u64,
    /// What it is, where the plan is an exact one.
    pub(crate) exact_output: ExactOutput,
}

impl Pass {
    /// Allocates everything that `plan`, of `inputs`, takes.
    pub(crate) fn prepare<T: Element>(
        context: &Context,
        plan: Plan,
        label: Cow<'static, str>,
        inputs: &Inputs<T>,
        destination: Destination<'_>,
        memory: Memory,
    ) -> Result<Self, PrepareError> {
        plan.check_avoided(context.capabilities(), destination.exact_output)?;
        let device = context.device();
        let pool = context.pool();
        let counts = plan.ending == Ending::LastWorkgroup;
        let scratch = pool.scratch(memory, &label, plan.scratch_bytes(), counts)?;
        let accumulator = match plan.ending {
            Ending::SingleBlock | Ending::Fold | Ending::LastWorkgroup => None,
            // The identity, as every reduction finds it and leaves it behind.
            Ending::Atomic { .. } | Ending::Exact => {
                Some(pool.accumulator(memory, &label, plan.accumulator_identity())?)
            }
        };
        // The output's binding begins at a multiple of the device's alignment, below the element.
        let alignment = context.capabilities().binding_alignment_bytes;
        let output_offset_bytes = destination.offset_bytes / alignment * alignment;
        let result_index = u32::try_from((destination.offset_bytes - output_offset_bytes) / 4)
            .expect("alignments are small");
        let mut dispatches: Vec<(Kernel, Option<&Launch>, Params)> = plan
            .launches
            .iter()
            .enumerate()
            .map(|(index, launch)| {
                let kernel = Kernel::of_launch(&plan, index);
                (kernel, Some(launch), Params::launch(&plan, index, result_index))
            })
            .collect();
        if let Some(kernel) = Kernel::of_second_pass(&plan, destination.exact_output) {
            dispatches.push((kernel, None, Params::second_pass(&plan, result_index)));
        }
        let params = pool.params(memory, &label, dispatches.iter().map(|(_, _, params)| params))?;

        let steps = dispatches
            .iter()
            .enumerate()
            .map(|(index, &(kernel, launch, _))| {
                let shader = ShaderKey::of_kernel(&plan, kernel);
                let constants =
                    launch.map_or(Constants::None, |launch| Constants::of(kernel, launch));
                let pipeline = context.pipelines().get(PipelineKey { shader, constants })?;
                let range = |buffer, offset, size| wgpu::BufferBinding {
                    buffer,
                    offset,
                    size: wgpu::BufferSize::new(size),
                };
                let resource = |binding| {
                    wgpu::BindingResource::Buffer(match (binding, launch) {
                        (Binding::Vectors, Some(launch)) if launch.binding_bytes < 16 => {
                            context.no_vectors().as_entire_buffer_binding()
                        }
                        (Binding::Vectors | Binding::Words, Some(launch)) => range(
                            inputs.left.0[launch.slice].buffer(),
                            launch.binding_offset_bytes,
                            launch.binding_bytes,
                        ),
                        (Binding::RightWords, _) => {
                            let right = launch
                                .and_then(|launch| launch.right)
                                .expect("only kernels of two inputs bind it");
                            range(
                                inputs.right.0[right.slice].buffer(),
                                right.binding_offset_bytes,
                                right.binding_bytes,
                            )
                        }
                        (Binding::Result, _) => range(
                            destination.buffer,
                            output_offset_bytes,
                            (u64::from(result_index) + destination.words) * 4,
                        ),
                        (Binding::Accumulator, _) => accumulator
                            .as_ref()
                            .expect("only kernels with atomics bind it")
                            .as_entire_buffer_binding(),
                        (Binding::Scratch, _) => range(&scratch, 0, plan.scratch_bytes()),
                        (Binding::Vectors | Binding::Words | Binding::Jobs, _) => {
                            unreachable!("only launches have inputs, and batches jobs")
                        }
                    })
                };
                let mut entries = vec![wgpu::BindGroupEntry {
                    binding: 0,
                    resource: wgpu::BindingResource::Buffer(range(
                        &params,
                        (index * PARAMS_STRIDE_BYTES) as u64,
                        PARAMS_BINDING_BYTES,
                    )),
                }];
                entries.extend(kernel.storage_bindings().iter().map(|&(binding, _)| {
                    wgpu::BindGroupEntry { binding: binding as u32, resource: resource(binding) }
                }));
                let bind_group = buffer::create_with(device, &label, |label| {
                    device.create_bind_group(&wgpu::BindGroupDescriptor {
                        label: Some(label),
                        layout: &pipeline.get_bind_group_layout(0),
                        entries: &entries,
                    })
                })?;
                Ok(Step { pipeline, bind_group, workgroups: launch.map_or(1, |l| l.workgroups) })
            })
            .collect::<Result<_, PrepareError>>()?;
        error_scope::ensure_not_lost(device, &label)?;
        Ok(Self { plan, label, steps })
    }

    /// Appends the pass to `encoder`. Creates no GPU object.
    pub(crate) fn record(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        timestamp_writes: Option<wgpu::ComputePassTimestampWrites<'_>>,
    ) {
        self.record_steps(encoder, 0..self.steps.len(), timestamp_writes);
    }

    /// Appends some of the dispatches to `encoder`, as a pass of their own: those of the plan's launches, in order, and
    /// then that of the second pass, if there is one. All of them have to be submitted, in this order.
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
            step.record(pass);
        }
    }
}
