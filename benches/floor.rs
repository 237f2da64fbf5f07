//! What passes and dispatches cost at least, on this device through wgpu: kernels that do next to nothing, in µs.
//!
//! `cargo bench --bench floor -- [ADAPTER]`, where ADAPTER is as for `gridfold --adapter` (the default is the best GPU).
//! Each number is the median of 31 submissions after 3 to warm up.

#[expect(dead_code, reason = "other benches use the rest")]
mod common;

use common::{SAMPLES, WARM_UPS, median, uniform, upload, warm_up};
use gridfold::{Context, DeviceTimer, Executor, wgpu};
use std::{error::Error, time::Duration};

const WARM_UP: Duration = Duration::from_secs(2);
const TIMES: usize = 20;
const SHADER: &str = include_str!("floor.wgsl");

/// Which dispatches, in which passes.
struct Row {
    what: &'static str,
    passes: usize,
    dispatches: usize,
    /// Whether all write to one buffer.
    shares_output: bool,
    workgroups: u32,
}

fn main() -> Result<(), Box<dyn Error>> {
    // cargo passes `--bench`.
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let executor = Executor::with_adapter(arguments.next().as_deref().unwrap_or("auto"))?;
    let Some(context) = executor.context() else {
        return Err("no GPU found: name a software driver, for example vulkan/llvmpipe".into());
    };
    println!("{}", context.adapter());
    let row = |what, passes, dispatches, shares_output, workgroups| Row {
        what,
        passes,
        dispatches,
        shares_output,
        workgroups,
    };
    let data = upload(context, 1 << 20, uniform)?;
    println!("{:44} {:>10} {:>14}", "", "us", "per dispatch");
    for Row { what, passes, dispatches, shares_output, workgroups } in [
        row("1 pass of 1 dispatch", 1, 1, true, 1),
        row("1 pass of 1 dispatch, 2048 workgroups", 1, 1, true, 2048),
        row("1 pass of 2 dispatches, one output", 1, 2, true, 1),
        row("1 pass of 2 dispatches, own outputs", 1, 2, false, 1),
        row("1 pass of 20 dispatches, one output", 1, TIMES, true, 1),
        row("1 pass of 20 dispatches, own outputs", 1, TIMES, false, 1),
        row("20 passes of 1 dispatch, one output", TIMES, 1, true, 1),
        row("20 passes of 1 dispatch, own outputs", TIMES, 1, false, 1),
        row("20 passes of 2 dispatches, one output", TIMES, 2, true, 1),
    ] {
        warm_up(context, &data, WARM_UP)?;
        let time = time(context, passes, dispatches, shares_output, workgroups)?;
        let microseconds = time.as_secs_f64() * 1e6;
        println!(
            "{what:44} {microseconds:>10.2} {:>14.2}",
            microseconds / (passes * dispatches) as f64
        );
    }
    Ok(())
}

fn time(
    context: &Context,
    passes: usize,
    dispatches: usize,
    shares_output: bool,
    workgroups: u32,
) -> Result<Duration, Box<dyn Error>> {
    let device = context.device();
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("floor"),
        source: wgpu::ShaderSource::Wgsl(SHADER.into()),
    });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some("floor"),
        layout: None,
        module: &module,
        entry_point: None,
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    let bind_group = || {
        let output = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("floor"),
            size: 4,
            usage: wgpu::BufferUsages::STORAGE,
            mapped_at_creation: false,
        });
        device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("floor"),
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: output.as_entire_binding() }],
        })
    };
    let count = if shares_output { 1 } else { passes * dispatches };
    let bind_groups: Vec<_> = (0..count).map(|_| bind_group()).collect();
    let timer = DeviceTimer::new(context)?.ok_or("the device has no timestamps")?;
    let mut times = Vec::new();
    for _ in 0..WARM_UPS + SAMPLES {
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut bind_groups = bind_groups.iter().cycle();
        for index in 0..passes {
            let mut writes = timer.timestamp_writes();
            if index > 0 {
                writes.beginning_of_pass_write_index = None;
            }
            if index + 1 < passes {
                writes.end_of_pass_write_index = None;
            }
            let timed = index == 0 || index + 1 == passes;
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: Some("floor"),
                timestamp_writes: timed.then_some(writes),
            });
            for _ in 0..dispatches {
                pass.set_pipeline(&pipeline);
                pass.set_bind_group(0, bind_groups.next(), &[]);
                pass.dispatch_workgroups(workgroups, 1, 1);
            }
        }
        let readback = timer.record_readback(&mut encoder)?;
        context.queue().submit([encoder.finish()]);
        times.extend(readback.wait_blocking()?);
    }
    Ok(median(&mut times[WARM_UPS..]))
}
