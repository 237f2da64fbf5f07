//! The fence keeps compilers from changing float operations.
//!
//! Each case runs once more without the fence, to see what the driver's compiler makes of it. That is no
//! test, as WGSL lets compilers do as they like: `RUST_LOG=gpu=info` prints it.

use crate::{
    BOTH, Case,
    device::Gpu,
    inputs::upload,
    recording::{download, output},
    support::{Element, data::mix, elements},
};
use gridfold::{
    Variant,
    shader::{PARAMS_BYTES, Sources},
    wgpu,
};
use std::array;

const LANES: usize = 256;

pub fn cases() -> Vec<Case> {
    let formulas =
        Case::tier1(BOTH, "behind a fence: formulas that compilers like to change", formulas);
    let tree = Case::tier1(BOTH, "behind a fence: a tree", tree);
    // The same in every variant.
    [formulas, tree].map(|case| case.only(Variant::WorkgroupMemory)).into()
}

/// What the shader computes of three floats.
struct Formula {
    name: &'static str,
    triple: fn(u32) -> [f32; 3],
    /// As it is written, operation by operation.
    kept: fn([f32; 3]) -> f32,
    /// As a compiler might simplify it.
    changed: fn([f32; 3]) -> f32,
}

/// In the shader's order.
const FORMULAS: [Formula; 6] = [
    Formula {
        name: "a * b + c",
        triple: factors,
        kept: |[a, b, c]| a * b + c,
        changed: |[a, b, c]| a.mul_add(b, c),
    },
    Formula {
        name: "c - a * b",
        triple: |bits| factors(bits).map(f32::abs),
        kept: |[a, b, c]| c - a * b,
        changed: |[a, b, c]| (-a).mul_add(b, c),
    },
    Formula {
        name: "a - ((a + large) - large)",
        triple: |bits| [between_1_and_2(bits) * 1000.0, 0.0, 0.0],
        kept: |[a, ..]| a - ((a + 12_582_912.0) - 12_582_912.0),
        changed: |_| 0.0,
    },
    Formula {
        name: "a - ((a + b) - b)",
        triple: |bits| [between_1_and_2(bits), between_1_and_2(mix(bits)) * 4096.0, 0.0],
        kept: |[a, b, _]| a - ((a + b) - b),
        changed: |_| 0.0,
    },
    Formula {
        name: "(a + b) - a",
        triple: |bits| [between_1_and_2(bits) * 1e6, between_1_and_2(mix(bits)), 0.0],
        kept: |[a, b, _]| (a + b) - a,
        changed: |[_, b, _]| b,
    },
    Formula {
        name: "(a * 3) * 0.33333334",
        triple: |bits| [between_1_and_2(bits), 0.0, 0.0],
        kept: |[a, ..]| (a * 3.0) * 0.333_333_34,
        changed: |[a, ..]| a * (3.0 * 0.333_333_34),
    },
];

/// Two factors, and what cancels the leading bits of their product: those that the rounding lost would show.
fn factors(bits: u32) -> [f32; 3] {
    [between_1_and_2(bits), between_1_and_2(mix(bits)), -1.0]
}

fn between_1_and_2(bits: u32) -> f32 {
    f32::from_bits(0x3f80_0000 | (bits >> 9))
}

fn formulas(gpu: &Gpu, _: Variant) {
    let triples: Vec<Vec<[f32; 3]>> = FORMULAS
        .iter()
        .zip(1u32..)
        .map(|(formula, seed)| {
            (0..256).map(|lane| (formula.triple)(mix(seed << 8 | lane))).collect()
        })
        .collect();
    let inputs = triples.concat().concat();
    let answers = |fence| {
        let size = FORMULAS.len() * LANES;
        run(gpu, fence, "formulas", u32::try_from(FORMULAS.len()).expect("few"), &inputs, size)
    };
    let (fenced, plain) = (answers(Fence::Kept), answers(Fence::Removed));
    let fenced = fenced.chunks_exact(LANES).zip(plain.chunks_exact(LANES));
    for ((formula, triples), (fenced, plain)) in FORMULAS.iter().zip(&triples).zip(fenced) {
        let kept: Vec<f32> = triples.iter().copied().map(formula.kept).collect();
        let changed: Vec<f32> = triples.iter().copied().map(formula.changed).collect();
        // Fewer would not tell the one from the other.
        assert!(differences(&kept, &changed) >= LANES / 4, "{}", formula.name);
        assert_eq!(differences(fenced, &kept), 0, "{}", formula.name);
        report(gpu, formula.name, differences(plain, &kept), LANES);
    }
}

const ROWS: usize = 64;

fn tree(gpu: &Gpu, _: Variant) {
    let inputs = elements::<f32>(ROWS * LANES);
    let mut kept: Vec<f32> = (0..LANES).map(|lane| lane_sum(&inputs, lane)).collect();
    let mut sums = kept.clone();
    while sums.len() > 1 {
        let (low, high) = sums.split_at(sums.len() / 2);
        sums = low.iter().zip(high).map(|(a, b)| a + b).collect();
    }
    kept.extend(sums);
    // Another order gives other sums.
    let in_order = |lane| inputs.iter().skip(lane).step_by(LANES).fold(0.0, |sum, x| sum + x);
    assert!(differences(&kept, &(0..LANES).map(in_order).collect::<Vec<f32>>()) >= LANES / 4);

    let answers = |fence| run(gpu, fence, "tree", 1, &inputs, LANES + 1);
    assert_eq!(differences(&answers(Fence::Kept), &kept), 0);
    report(gpu, "a tree", differences(&answers(Fence::Removed), &kept), LANES + 1);
}

/// As the shader adds a lane's elements.
fn lane_sum(inputs: &[f32], lane: usize) -> f32 {
    let [a, b, c, d] = array::from_fn(|sum| {
        let rows = inputs.chunks_exact(LANES).skip(sum).step_by(4);
        rows.fold(0.0, |total: f32, row| total + row[lane])
    });
    (a + c) + (b + d)
}

/// How many are not the same to the bit. A zero may have either sign: no result of a reduction has one.
fn differences(found: &[f32], expected: &[f32]) -> usize {
    let differ = |(a, b): &(&f32, &f32)| a.to_bits() != b.to_bits() && (**a != 0.0 || **b != 0.0);
    found.iter().zip(expected).filter(differ).count()
}

fn report(gpu: &Gpu, name: &str, changed: usize, of: usize) {
    let info = gpu.adapter.get_info();
    let adapter = format!("{}/{}", info.backend, info.name);
    match changed {
        0 => log::info!("[{adapter}] {name}: kept also without a fence"),
        _ => log::info!("[{adapter}] {name}: {changed} of {of} results change without a fence"),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fence {
    Kept,
    Removed,
}

/// The answers of an entry point of fences.wgsl.
fn run(
    gpu: &Gpu,
    fence: Fence,
    entry_point: &str,
    workgroups: u32,
    inputs: &[f32],
    answers: usize,
) -> Vec<f32> {
    let mut sources = Sources::default();
    if fence == Fence::Removed {
        let removed =
            sources.replace("params.wgsl", "bitcast<u32>(x) + params.zero", "bitcast<u32>(x)");
        sources = removed.expect("it is there");
    }
    let text = |file| sources.text(file).expect("it is there");
    let (params, lanes) = (text("params.wgsl"), text("lanes.wgsl@of_256"));
    let common = text("params.wgsl@common");
    let device = gpu.device();
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("fences"),
        source: wgpu::ShaderSource::Wgsl(
            [params, common, lanes, include_str!("fences.wgsl")].concat().into(),
        ),
    });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some("fences"),
        layout: None,
        module: &module,
        entry_point: Some(entry_point),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    // wgpu fills it with zeros.
    let params = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("params"),
        size: PARAMS_BYTES.next_multiple_of(16) as u64,
        usage: wgpu::BufferUsages::UNIFORM,
        mapped_at_creation: false,
    });
    let inputs = upload(gpu, inputs);
    let answers = output(gpu, &vec![f32::filler(); answers]);
    let buffers = [&params, inputs.buffer(), answers.buffer()];
    let entries: Vec<wgpu::BindGroupEntry<'_>> = buffers
        .into_iter()
        .zip(0..)
        .map(|(buffer, binding)| wgpu::BindGroupEntry {
            binding,
            resource: buffer.as_entire_binding(),
        })
        .collect();
    let bind_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("fences"),
        layout: &pipeline.get_bind_group_layout(0),
        entries: &entries,
    });
    let mut encoder = gpu.encoder();
    {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &bind_group, &[]);
        pass.dispatch_workgroups(workgroups, 1, 1);
    }
    gpu.submit(encoder);
    download(gpu, &answers)
}
