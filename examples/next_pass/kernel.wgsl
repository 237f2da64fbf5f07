// Two passes of a frame: the first finds the brightest pixel, and the second, which reads that, scales all of them.

struct Params {
    len: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> pixels: array<f32>;
// Of floats that are not negative the bits are in order, too.
@group(0) @binding(2) var<storage, read_write> brightest: atomic<u32>;

fn pixel_of(workgroup: gridfold_Workgroup, invocation: gridfold_Invocation) -> u32 {
    return workgroup.workgroup_id.x * gridfold_WORKGROUP_SIZE + invocation.local_invocation_index;
}

@compute @workgroup_size(gridfold_WORKGROUP_SIZE)
fn measure(workgroup: gridfold_Workgroup, invocation: gridfold_Invocation, @builtin(num_subgroups) num_subgroups: u32) {
    let pixel = pixel_of(workgroup, invocation);
    var mine = 0.0;
    if pixel < params.len {
        mine = pixels[pixel];
    }
    let top = top_workgroup_reduce_all(mine, workgroup, invocation);
    // One atomic operation for a workgroup.
    if invocation.local_invocation_index == 0u {
        atomicMax(&brightest, bitcast<u32>(top));
    }
}

@compute @workgroup_size(gridfold_WORKGROUP_SIZE)
fn scale(workgroup: gridfold_Workgroup, invocation: gridfold_Invocation, @builtin(num_subgroups) num_subgroups: u32) {
    let pixel = pixel_of(workgroup, invocation);
    if pixel < params.len {
        pixels[pixel] /= bitcast<f32>(atomicLoad(&brightest));
    }
}
