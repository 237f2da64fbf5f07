// A workgroup has no edges in its memory, which counts have for themselves.

// As many as fit the least memory of a workgroup that wgpu knows, 16 352 bytes.
const LOCAL_COUNTS = 4088u;

fn edges_fill(job: Params, lane_index: u32) {}
