// Many bins: edges stay in memory that caches serve. Where bins are more than there are counts in workgroup memory, those in the middle have
// some, and the others are counted in the totals.

// As many as fit the least memory of a workgroup that wgpu knows, 16 352 bytes.
const LOCAL_COUNTS = 4088u;

fn edges_fill(job: Params, lane_index: u32) {}

fn edge_key(index: u32) -> Key {
    return edge_load(index);
}
