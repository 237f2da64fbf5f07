//! A copy: what reductions are measured against.

use crate::{
    about::Measurement,
    bench::{Bench, Record, Subject},
};
use criterion::Criterion;
use gridfold::{Context, GpuSlice, wgpu};
use std::error::Error;

/// As in `copy.wgsl`.
const WORKGROUP_BYTES: u64 = 256 * 8 * 16;

pub fn run(bench: &Bench<'_>, criterion: &mut Criterion) -> Result<(), Box<dyn Error>> {
    let source = &bench.data()[0];
    // As much as one binding spans.
    let most = bench.context().capabilities().max_binding_bytes;
    let most = most.min(u64::from(bench.context().capabilities().max_workgroups) * WORKGROUP_BYTES);
    let half = (source.size() / 2).min(most);
    let log2_bytes = half.ilog2();
    let copy = Copy::new(bench.context(), 1 << log2_bytes)?;
    let of = Measurement {
        operator: "copy",
        element: "u32",
        precision: "exact",
        strategy: "copy",
        variant: "copy".into(),
        log2_len: log2_bytes - 2,
        bytes: 2 << log2_bytes,
        clock: bench.clock(),
    };
    let subject = Subject {
        // What was written last is read next: twice what is copied goes through the caches in between.
        prepare: Box::new(|index, _| Ok(copy.record(source, index))),
        check: Box::new(|_, _| Ok(())),
    };
    let mut group = bench.group(criterion, "copy");
    bench.device_time(&mut group, "copy", "16 bytes at a time", &of, &subject);
    group.finish();
    copy.check(bench, source)
}

struct Copy {
    context: Context,
    pipeline: wgpu::ComputePipeline,
    copied: wgpu::Buffer,
}

impl Copy {
    fn new(context: &Context, size: u64) -> Result<Self, Box<dyn Error>> {
        let device = context.device();
        let module = device.create_shader_module(wgpu::include_wgsl!("../copy.wgsl"));
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some("copy"),
            layout: None,
            module: &module,
            entry_point: None,
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        let copied = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("copied"),
            size,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        Ok(Self { context: context.clone(), pipeline, copied })
    }

    /// Of the first or second part of the data.
    fn record(&self, source: &wgpu::Buffer, index: u64) -> Record {
        let size = self.copied.size();
        let parts = source.size() / size;
        let group = self.context.device().create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("copy"),
            layout: &self.pipeline.get_bind_group_layout(0),
            entries: &[
                wgpu::BindGroupEntry {
                    binding: 0,
                    resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                        buffer: source,
                        offset: index % parts * size,
                        size: size.try_into().ok(),
                    }),
                },
                wgpu::BindGroupEntry { binding: 1, resource: self.copied.as_entire_binding() },
            ],
        });
        let pipeline = self.pipeline.clone();
        let workgroups = u32::try_from(size / WORKGROUP_BYTES).expect("within the device's limits");
        Box::new(move |encoder, timestamp_writes| {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: Some("copy"),
                timestamp_writes,
            });
            pass.set_pipeline(&pipeline);
            pass.set_bind_group(0, &group, &[]);
            pass.dispatch_workgroups(workgroups, 1, 1);
        })
    }

    /// That it copies: by sums of what it copied.
    fn check(&self, bench: &Bench<'_>, source: &wgpu::Buffer) -> Result<(), Box<dyn Error>> {
        let mut encoder = self.context.device().create_command_encoder(&<_>::default());
        self.record(source, 0)(&mut encoder, None);
        self.context.queue().submit([encoder.finish()]);
        let sum = gridfold::Reducer::<u32, _>::new(&self.context, gridfold::Sum);
        let copied = sum.reduce_blocking(GpuSlice::whole(&self.copied))?;
        let expected = bench.host_input::<u32>(self.copied.size() / 4, 0);
        let expected = expected.iter().fold(0u32, |sum, &word| sum.wrapping_add(word));
        if copied == expected { Ok(()) } else { Err("the copy is none".into()) }
    }
}
