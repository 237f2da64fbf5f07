//! The start-up probe: does the device do what the kernels stand on?

use crate::{
    buffer,
    context::Context,
    error::{CreateError, ReadError},
    readback::{Readback, Source, Staging},
    tree::LANES,
};

/// Shuffle distances that the shader tries: 1, 2, 4 … 64.
const SHUFFLES: u32 = 7;

/// Whether `subgroup_id * subgroup_size + subgroup_invocation_id` numbers the invocations of a
/// workgroup from 0 to 255, and shuffles go by those numbers. WGSL promises the second, and the first
/// only where all subgroups are full.
pub(crate) async fn lanes_are_sound(context: &Context) -> Result<bool, CreateError> {
    let device = context.device();
    let size_bytes = u64::from((1 + SHUFFLES) * LANES) * 4;
    let pipeline = context.pipelines().probe_lanes()?;
    let output = buffer::create(
        device,
        "gridfold probe",
        size_bytes,
        wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC,
    )?;
    let bind_group = buffer::create_with(device, "gridfold probe", |label| {
        device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(label),
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: output.as_entire_binding() }],
        })
    })?;
    let mut encoder = context.create_encoder("gridfold probe")?;
    {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("gridfold probe"),
            timestamp_writes: None,
        });
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &bind_group, &[]);
        pass.dispatch_workgroups(1, 1, 1);
    }
    let source = Source { buffer: &output, offset_bytes: 0, size_bytes };
    let staging = Staging::allocate(context, size_bytes)?;
    let readback: Readback<Vec<u32>> =
        staging.record(context, &mut encoder, &[source], bytemuck::pod_collect_to_vec);
    context.submit(encoder)?;
    let words = readback.await.map_err(|error| match error {
        ReadError::DeviceLost => CreateError::DeviceLost,
        error => CreateError::Probe(error),
    })?;
    Ok(are_sound(&words))
}

/// `words`: each invocation's lane, then for each shuffle the lane that it brought.
fn are_sound(words: &[u32]) -> bool {
    let (lanes, brought) = words.split_at(LANES as usize);
    let mut sorted = lanes.to_vec();
    sorted.sort_unstable();
    sorted.iter().copied().eq(0..LANES)
        && brought.chunks_exact(lanes.len()).enumerate().all(|(shuffle, brought)| {
            lanes.iter().zip(brought).all(|(lane, brought)| lane ^ (1 << shuffle) == *brought)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(lanes: impl Fn(u32) -> u32, shuffled: impl Fn(u32, u32) -> u32) -> Vec<u32> {
        let masks = (0..SHUFFLES).map(|i| 1 << i);
        let lane_of = (0..LANES).map(&lanes);
        let brought = masks.flat_map(|mask| (0..LANES).map(move |i| (i, mask)));
        lane_of.chain(brought.map(|(i, mask)| shuffled(lanes(i), mask))).collect()
    }

    #[test]
    fn any_layout_of_lanes_is_sound() {
        assert!(are_sound(&answers(|i| i, |lane, mask| lane ^ mask)));
        assert!(are_sound(&answers(|i| i.reverse_bits() >> 24, |lane, mask| lane ^ mask)));
    }

    #[test]
    fn partly_full_subgroups_are_not() {
        // 16 subgroups of 32 lanes, half full.
        let lanes = |i: u32| i / 16 * 32 + i % 16;
        assert!(!are_sound(&answers(lanes, |lane, mask| lane ^ mask)));
    }

    #[test]
    fn shuffles_by_other_numbers_are_not() {
        assert!(!are_sound(&answers(
            |i| i,
            |lane, mask| if mask == 8 { lane } else { lane ^ mask }
        )));
    }
}
