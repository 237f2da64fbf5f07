// Asks a device whether its lanes are what the tree needs: numbered 0 .. 255 without gaps, and
// shuffled by those numbers. Each invocation writes its lane, then the lane that each shuffle
// brought it; the host checks both.

@group(0) @binding(0) var<storage, read_write> lanes: array<u32>;

const PROBE_LANES = 256u;
// Shuffle distances 1, 2, 4 ... 64.
const PROBE_SHUFFLES = 7u;

@compute @workgroup_size(256)
fn probe_lanes(
    @builtin(local_invocation_index) local_invocation_index: u32,
    @builtin(subgroup_size) subgroup_size: u32,
    @builtin(subgroup_id) subgroup_id: u32,
    @builtin(subgroup_invocation_id) subgroup_invocation_id: u32,
) {
    let lane_index = subgroup_id * subgroup_size + subgroup_invocation_id;
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
