//! A reduction's plan with everything allocated.

use crate::{
    device::{buffer::AnySlice, context::Context, error_scope, pool::Memory},
    dispatch::recording::{Part, Recording, Resources},
    error::PrepareError,
    reduce::{inputs::AnyInput, plan::ReductionPlan},
};
use std::borrow::Cow;

/// A plan, and its recording.
#[derive(Debug)]
pub(crate) struct Work {
    pub(crate) plan: ReductionPlan,
    pub(crate) recording: Recording,
}

/// Where a result goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Destination<'a> {
    pub(crate) buffer: &'a wgpu::Buffer,
    pub(crate) offset_bytes: u64,
    pub(crate) size_bytes: u64,
}

impl<'a> Destination<'a> {
    /// The first item of a slice.
    pub(crate) fn first_of(output: &'a AnySlice) -> Self {
        Self {
            buffer: output.buffer(),
            offset_bytes: output.offset_bytes(),
            size_bytes: output.item_bytes(),
        }
    }
}

impl Work {
    /// Allocates everything that `plan`, of `inputs` and for `destination`, takes. With pooled memory it is found out later
    /// whether the device is lost.
    pub(crate) fn prepare(
        context: &Context,
        plan: ReductionPlan,
        label: Cow<'static, str>,
        inputs: &AnyInput,
        destination: Destination<'_>,
        memory: Memory,
    ) -> Result<Self, PrepareError> {
        plan.check_avoided(context.capabilities())?;
        let mut recording = Recording::empty(label);
        plan.add_to(context, &mut recording, inputs, destination, memory, None)?;
        if memory == Memory::Own {
            error_scope::ensure_not_lost(context.device(), "a reduction")?;
        }
        Ok(Self { plan, recording })
    }
}

impl ReductionPlan {
    /// Adds its dispatches to a recording. `told` is where their parameters and workgroups are, if something writes these before.
    pub(crate) fn add_to(
        &self,
        context: &Context,
        recording: &mut Recording,
        inputs: &AnyInput,
        destination: Destination<'_>,
        memory: Memory,
        told: Option<&wgpu::Buffer>,
    ) -> Result<(), PrepareError> {
        let (plan, label) = (self, recording.label().to_owned());
        let pool = context.pool();
        let scratch = match plan.scratch_bytes() {
            0 => None,
            size_bytes => Some(pool.scratch(memory, &label, size_bytes, plan.counts())?),
        };
        // The identity, as every reduction finds it and leaves it behind.
        let accumulator = plan
            .accumulator_identity()
            .map(|identity| pool.accumulator(memory, &label, identity))
            .transpose()?;
        // The output's binding begins at a multiple of the device's alignment, below the result.
        let alignment = context.capabilities().binding_alignment_bytes;
        let head_bytes = destination.offset_bytes % alignment;
        let buffers = |slices| <[AnySlice]>::iter(slices).map(AnySlice::buffer).collect::<Vec<_>>();
        let resources = Resources {
            left: &buffers(&inputs.left),
            right: &buffers(&inputs.right),
            third: &buffers(&inputs.third),
            scratch: scratch.as_ref().map(|buffer| Part {
                buffer,
                offset_bytes: 0,
                size_bytes: plan.scratch_bytes(),
            }),
            accumulator: accumulator.as_ref().map(Part::whole),
            result: Some(Part {
                buffer: destination.buffer,
                offset_bytes: destination.offset_bytes - head_bytes,
                size_bytes: head_bytes + destination.size_bytes,
            }),
        };
        match told {
            None => recording.add(context, &plan.dispatches, resources, memory),
            Some(told) => recording.add_told(context, &plan.dispatches, resources, told, 0),
        }
    }
}
