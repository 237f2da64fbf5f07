// One word written by one invocation.
@group(0) @binding(0) var<storage, read_write> output: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) invocation: vec3<u32>) {
    if invocation.x == 0u {
        output[0] = 1u;
    }
}
