// Many bins: edges stay in memory that caches serve. Where bins are more than there are counts in workgroup memory, those in the middle have
// some, and the others are counted in the totals.

fn edge_key(index: u32) -> Key {
    return edge_load(index);
}
