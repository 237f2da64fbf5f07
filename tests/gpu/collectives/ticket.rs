//! The ticket: the last workgroup's total, and the other workgroups' own.

use super::{Special, device_uniform, kernels, pair_of, pipeline, sizes_of};
use crate::{
    device::Gpu,
    inputs::upload,
    recording::{download, output},
    support::data::mix,
};
use gridfold::{
    GpuSlice, Operator, Variant, wgpu,
    wgsl::{Collectives, CollectivesError, twin},
};

pub fn check<T: Special, Op: Operator<T>>(gpu: &Gpu, variant: Variant) {
    for (size, workgroups) in [(64, 1), (64, 37), (33, 100), (256, 8)] {
        if sizes_of(gpu, &[size]).is_empty() {
            continue;
        }
        let collectives = Collectives::new(&gpu.context).workgroup_size(size).variant(variant);
        let text = kernels::ticket_kernel(collectives, Op::SPEC.operator, T::TYPE);
        if !gpu.capabilities().coherent_memory {
            assert_eq!(text, Err(CollectivesError::NoFences));
            continue;
        }
        let pipeline = pipeline(gpu, &text.expect("there are such collectives"));
        let lanes: Vec<T> =
            (0..size * workgroups).map(|lane| T::value(mix(lane), lane % 99 == 7)).collect();
        let input: Vec<u32> = lanes.iter().flat_map(pair_of).collect();
        let params = device_uniform(gpu, [0, workgroups, 0]);
        let input: GpuSlice<u32> = upload(gpu, &input);
        let groups = workgroups as usize;
        let found: GpuSlice<u32> = output(gpu, &vec![0xdead_beef_u32; 4 * groups]);
        let ticket: GpuSlice<u32> = output(gpu, &vec![0u32; 1 + 2 * groups]);
        // The second dispatch finds the ticket as the first one left it.
        for _ in 0..2 {
            let bound = [&params, input.buffer(), found.buffer(), ticket.buffer()];
            dispatch(gpu, &pipeline, &bound, workgroups);
            let found: Vec<u32> = download(gpu, &found);
            let found = found.as_chunks::<4>().0;
            let last: Vec<usize> = (0..groups).filter(|&group| found[group][0] == 1).collect();
            assert_eq!(last.len(), 1, "{last:?} of {groups} workgroups say that they are the last");
            let about = |group: usize| {
                format!(
                    "{} {}, {group} of {groups} workgroups of {size}",
                    Op::SPEC.operator,
                    T::TYPE
                )
            };
            for (group, lanes) in lanes.chunks(size as usize).enumerate() {
                let own = pair_of(&twin::reduce_all::<T, Op>(lanes));
                if group != last[0] {
                    assert_eq!(found[group], [0, 0, own[0], own[1]], "{}", about(group));
                }
            }
            let total = twin::device_reduce::<T, Op>(&lanes, size as usize);
            assert_eq!(found[last[0]][2..], pair_of(&total), "{}", about(last[0]));
            if size.is_power_of_two() {
                assert_eq!(pair_of(&total), pair_of(&twin::reduce_all::<T, Op>(&lanes)));
            }
        }
    }
}

fn dispatch(
    gpu: &Gpu,
    pipeline: &wgpu::ComputePipeline,
    buffers: &[&wgpu::Buffer],
    workgroups: u32,
) {
    let entries: Vec<_> = (0..)
        .zip(buffers)
        .map(|(binding, buffer)| wgpu::BindGroupEntry {
            binding,
            resource: buffer.as_entire_binding(),
        })
        .collect();
    let bind_group = gpu.device().create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &pipeline.get_bind_group_layout(0),
        entries: &entries,
    });
    let mut encoder = gpu.encoder();
    {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, &bind_group, &[]);
        pass.dispatch_workgroups(workgroups, 1, 1);
    }
    gpu.submit(encoder);
}
