// Asks a device whether its lanes are what the kernels need: numbered 0 .. 255 without gaps, and
// shuffled by those numbers. Each invocation writes its lane, then the lane that each shuffle
// brought it; the host checks both.

@group(0) @binding(0) var<storage, read_write> lanes: array<u32>;

const PROBE_LANES = 256u;
// Shuffle distances 1, 2, 4 ... 64.
const PROBE_SHUFFLES = 7u;

@compute @workgroup_size(256)
fn probe_lanes(
    @builtin(local_invocation_index) local_invocation_index: u32,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
    // See entry.wgsl@subgroups.
    @builtin(num_subgroups) num_subgroups: u32,
) {
    let lane_index = lane_index_of(workgroup, invocation);
    let subgroup_size = subgroup_size_of(workgroup);
    lanes[local_invocation_index] = lane_index;
    for (var i = 0u; i < PROBE_SHUFFLES; i++) {
        let mask = 1u << i;
        var brought = lane_index ^ mask;
        if mask < subgroup_size {
            brought = subgroupShuffleXor(lane_index, mask);
        }
        lanes[(i + 1u) * PROBE_LANES + local_invocation_index] = brought;
    }
}
