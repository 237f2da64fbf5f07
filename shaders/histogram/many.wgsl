// Many bins: edges stay in memory that caches serve. Where bins are more than there are counts in workgroup memory, those in the middle have
// some, and the others are counted in the totals.

const LOCAL_COUNTS = 4096u;

fn edges_fill(job: Params, lane_index: u32) {}

fn edge_key(index: u32) -> Key {
    return edge_load(index);
}
