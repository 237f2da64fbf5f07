//! What the examples share: buffers, and a kernel that is run once.

use gridfold::{
    Context, Executor, Mechanism, wgpu,
    wgsl::{Collectives, CollectivesError},
};
use std::error::Error;

/// What an example ends with: a sentence about what it has checked.
pub type Outcome = Result<String, Box<dyn Error>>;

/// A buffer that kernels can use, filled with numbers.
pub fn buffer<T: bytemuck::NoUninit>(context: &Context, values: &[T]) -> wgpu::Buffer {
    let bytes: &[u8] = bytemuck::cast_slice(values);
    let buffer = context.device().create_buffer(&wgpu::BufferDescriptor {
        label: None,
        // As large as it says, for kernels ask; but uniforms have 16 bytes at least.
        size: bytes.len().max(16) as u64,
        usage: wgpu::BufferUsages::STORAGE
            | wgpu::BufferUsages::UNIFORM
            | wgpu::BufferUsages::COPY_SRC
            | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    context.queue().write_buffer(&buffer, 0, bytes);
    buffer
}

/// The first numbers in a buffer.
pub fn read<T: bytemuck::Pod>(
    context: &Context,
    buffer: &wgpu::Buffer,
    count: usize,
) -> Result<Vec<T>, Box<dyn Error>> {
    let size = (count * size_of::<T>()) as u64;
    let staging = context.device().create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size,
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let mut encoder = context.device().create_command_encoder(&Default::default());
    encoder.copy_buffer_to_buffer(buffer, 0, &staging, 0, size);
    context.queue().submit([encoder.finish()]);
    staging.map_async(wgpu::MapMode::Read, .., |_| ());
    context.device().poll(wgpu::PollType::wait_indefinitely())?;
    let bytes = staging.get_mapped_range(..)?;
    Ok(bytemuck::pod_collect_to_vec(&bytes))
}

/// What kernels with subgroups take for DX12, as the documentation of collectives says.
const FOR_DX12: &str = ", @builtin(num_subgroups) num_subgroups: u32";

/// A kernel, and before it the collectives' text. Where workgroup memory does the work there is no such builtin.
pub fn text(collectives: &Collectives, kernel: &str) -> Result<String, CollectivesError> {
    let has_subgroups = collectives.mechanism()? == Mechanism::Subgroup;
    let kernel = kernel.replace(FOR_DX12, if has_subgroups { FOR_DX12 } else { "" });
    Ok([collectives.source()?, kernel].join("\n"))
}

/// A module of that text.
pub fn module(context: &Context, text: &str) -> wgpu::ShaderModule {
    context.device().create_shader_module(wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Wgsl(text.into()),
    })
}

/// Runs an entry point with these buffers, at the bindings 0, 1 and so on: those that it uses, by number.
pub fn run(
    context: &Context,
    module: &wgpu::ShaderModule,
    entry_point: &str,
    buffers: &[(u32, &wgpu::Buffer)],
    workgroups: u32,
) {
    let mut encoder = context.device().create_command_encoder(&Default::default());
    record(context, &mut encoder, module, entry_point, buffers, workgroups);
    context.queue().submit([encoder.finish()]);
}

/// Records the same into an encoder, as a pass.
pub fn record(
    context: &Context,
    encoder: &mut wgpu::CommandEncoder,
    module: &wgpu::ShaderModule,
    entry_point: &str,
    buffers: &[(u32, &wgpu::Buffer)],
    workgroups: u32,
) {
    let device = context.device();
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(entry_point),
        layout: None,
        module,
        entry_point: Some(entry_point),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    let entries: Vec<_> = buffers
        .iter()
        .map(|&(binding, buffer)| wgpu::BindGroupEntry {
            binding,
            resource: buffer.as_entire_binding(),
        })
        .collect();
    let bind_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &pipeline.get_bind_group_layout(0),
        entries: &entries,
    });
    let mut pass = encoder.begin_compute_pass(&Default::default());
    pass.set_pipeline(&pipeline);
    pass.set_bind_group(0, &bind_group, &[]);
    pass.dispatch_workgroups(workgroups, 1, 1);
}

/// Runs an example on the adapter that the program's argument names, as for `gridfold --adapter`, and prints what it says. Without an argument it
/// is the first adapter, which may be a driver in software.
pub fn on_a_device(
    example: fn(&Context, gridfold::Variant) -> Outcome,
) -> Result<(), Box<dyn Error>> {
    let first = || Executor::adapters().into_iter().find_map(|adapter| adapter.open().ok());
    let executor = match std::env::args().nth(1).as_deref() {
        None | Some("auto") => first(),
        Some(selector) => Some(Executor::with_adapter(selector)?),
    };
    let Some(executor) = executor else {
        println!("There is no GPU and no driver in software: nothing was run.");
        return Ok(());
    };
    let context = executor.context().ok_or("an example takes a GPU, or a driver in software")?;
    println!("{}", example(context, gridfold::Variant::Auto)?);
    Ok(())
}
