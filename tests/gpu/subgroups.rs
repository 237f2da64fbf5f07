//! Subgroups are as large as the adapter says: a test asked for one size must not run at another.

use crate::{
    Case,
    device::Gpu,
    recording::{download, output},
};
use gridfold::{Variant, wgpu};

const SHADER: &str = "
@group(0) @binding(0) var<storage, read_write> sizes: array<f32>;

@compute @workgroup_size(256)
fn report(@builtin(local_invocation_index) index: u32, @builtin(subgroup_size) size: u32) {
    sizes[index] = f32(size);
}
";

pub fn cases() -> Vec<Case> {
    vec![Case::new("subgroups have a size that the adapter reports", sizes)]
}

fn sizes(gpu: &Gpu, variant: Variant) {
    if variant == Variant::WorkgroupMemory {
        return; // Without subgroups.
    }
    let reported = gpu.capabilities().subgroups.expect("the variant needs subgroups");
    let device = gpu.device();
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("subgroup sizes"),
        source: wgpu::ShaderSource::Wgsl(SHADER.into()),
    });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some("subgroup sizes"),
        layout: None,
        module: &module,
        entry_point: None,
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    let sizes = output(gpu, &[0.0; 256]);
    let bind_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("subgroup sizes"),
        layout: &pipeline.get_bind_group_layout(0),
        entries: &[wgpu::BindGroupEntry {
            binding: 0,
            resource: sizes.buffer().as_entire_binding(),
        }],
    });
    let mut encoder = gpu.encoder();
    {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &bind_group, &[]);
        pass.dispatch_workgroups(1, 1, 1);
    }
    gpu.submit(encoder);
    for size in download(gpu, &sizes) {
        assert!(
            (reported.min as f32..=reported.max as f32).contains(&size),
            "{size}, not from {} to {}",
            reported.min,
            reported.max,
        );
    }
}
