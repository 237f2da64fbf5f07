// Few bins: a workgroup has all of their edges in its memory, and a bin has several counts.

const LOCAL_COUNTS = 1536u;
const LOCAL_EDGES = 1024u;

var<workgroup> edge_keys: array<Key, LOCAL_EDGES>;

fn edges_fill(job: Params, lane_index: u32) {
    for (var i = lane_index; i < job.initial_low; i += WORKGROUP_SIZE) {
        edge_keys[i] = edge_load(i);
    }
}

fn edge_key(index: u32) -> Key {
    return edge_keys[index];
}
