//! Subgroups are as large as the adapter says: a test asked for one size must not run at another.

use crate::{
    Case, VULKAN,
    device::Gpu,
    inputs::upload,
    recording::{download, output},
};
use gridfold::{Error, PrepareError, Reducer, Sum, Variant, shader::Sources, wgpu};

const SHADER: &str = "
@group(0) @binding(0) var<storage, read_write> sizes: array<f32>;

@compute @workgroup_size(256)
fn report(@builtin(local_invocation_index) index: u32, @builtin(subgroup_size) size: u32) {
    sizes[index] = f32(size);
}
";

pub fn cases() -> Vec<Case> {
    vec![
        Case::tier1(VULKAN, "subgroups have a size that the adapter reports", sizes)
            .only(Variant::Subgroup),
        Case::tier1(
            VULKAN,
            "a device that fails the start-up probe goes without subgroups",
            failed_probe,
        )
        .only(Variant::Subgroup),
    ]
}

fn failed_probe(gpu: &Gpu, _: Variant) {
    let failures = [
        // Lanes that are not numbered from 0.
        (
            "collective/subgroup_builtins.wgsl",
            "return subgroup_id_of(invocation) *",
            "return 1u + subgroup_id_of(invocation) *",
        ),
        (
            "probe/lanes.wgsl",
            "subgroupShuffleXor(lane_index, mask)",
            "subgroupShuffleXor(lane_index, 1u)",
        ),
        // A compiler that refuses it.
        (
            "probe/lanes.wgsl",
            "subgroupShuffleXor(lane_index, mask)",
            "no_such_built_in(lane_index)",
        ),
    ];
    for (file, from, to) in failures {
        let sources = Sources::default().replace(file, from, to).expect("it is there");
        let failed = gpu.with_shaders(sources).expect("a context");
        assert_eq!(failed.capabilities().subgroups, None, "{to}");
        let input = upload(&failed, &[1u32; 9000]);
        let sum = Reducer::<u32, _>::new(&failed.context, Sum);
        assert_eq!(sum.reduce_blocking(&input).expect("reduces"), 9000);
        let sum = sum.variant(Variant::Subgroup);
        let error = sum.reduce_blocking(&input).expect_err("it has none");
        assert!(matches!(error, Error::Prepare(PrepareError::NoSubgroups)), "{error}");
    }
}

fn sizes(gpu: &Gpu, _: Variant) {
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
