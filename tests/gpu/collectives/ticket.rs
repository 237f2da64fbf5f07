//! The ticket: the last workgroup's total, and the other workgroups' own.

use super::{Special, collectives_of, device_uniform, kernels, pair_of, pipeline, sizes_of};
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

/// Lanes of a workgroup, and workgroups.
pub const FEW: [(u32, u32); 4] = [(64, 1), (64, 37), (33, 100), (256, 8)];

pub fn check<T: Special, Op: Operator<T> + Copy>(
    gpu: &Gpu,
    variant: Variant,
    sizes: &[(u32, u32)],
    op: Op,
) {
    let kernel = |collectives| kernels::ticket_kernel(collectives, op.spec().operator, T::TYPE);
    let reduce = |lanes: &[T]| pair_of(&twin::reduce_all::<T, _>(lanes, op));
    let total = |lanes: &[T], size| pair_of(&twin::device_reduce::<T, _>(lanes, size, op));
    check_by(gpu, variant, sizes, &kernel, &reduce, &total);
}

/// The same of a user's own operator, in which the order counts.
pub fn own(gpu: &Gpu, variant: Variant, sizes: &[(u32, u32)]) {
    let affine = kernels::affine();
    let kernel = |collectives| kernels::own_ticket_kernel(collectives);
    let reduce = |lanes: &[u32]| twin::reduce_all(lanes, affine.clone());
    let total = |lanes: &[u32], size| twin::device_reduce(lanes, size, affine.clone());
    check_by(gpu, variant, sizes, &kernel, &reduce, &total);
}

fn check_by<T: Special>(
    gpu: &Gpu,
    variant: Variant,
    sizes: &[(u32, u32)],
    kernel: &dyn Fn(Collectives) -> Result<String, CollectivesError>,
    reduce: &dyn Fn(&[T]) -> [u32; 2],
    total: &dyn Fn(&[T], usize) -> [u32; 2],
) {
    for &(size, workgroups) in sizes {
        if sizes_of(gpu, &[size]).is_empty() {
            continue;
        }
        let text = kernel(collectives_of(gpu).workgroup_size(size).variant(variant));
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
            let about =
                |group: usize| format!("{}, {group} of {groups} workgroups of {size}", T::TYPE);
            for (group, lanes) in lanes.chunks(size as usize).enumerate() {
                let own = reduce(lanes);
                if group != last[0] {
                    assert_eq!(found[group], [0, 0, own[0], own[1]], "{}", about(group));
                }
            }
            let total = total(&lanes, size as usize);
            assert_eq!(found[last[0]][2..], total, "{}", about(last[0]));
            if size.is_power_of_two() {
                assert_eq!(total, reduce(&lanes));
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
