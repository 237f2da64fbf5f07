// The first pass of an exact reduction: workgroup w adds up block w of the launch, or the part of it
// that the launch has. The order does not matter.

@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) workgroup_id: vec3<u32>,
    @builtin(local_invocation_index) lane_index: u32,
) {
    let block_begin = workgroup_id.x * (1u << params.log2_block_items);
    let begin = max(params.begin, block_begin);
    let end = min(params.end, block_begin + (1u << params.log2_block_items));

    // The next group is on its way while one is added.
    let aligned_begin = begin & ~(ROUND_ITEMS - 1u);
    var next = group_load(group_place(lane_index, aligned_begin, begin, end));
    cells_clear(lane_index);
    workgroupBarrier();
    var window = window_start(next);
    for (var at = aligned_begin; at < end; at += ROUND_ITEMS) {
        // Member by member, as DXC takes a copy of a struct for its source, whatever is stored there meanwhile.
        let group = Group(
            quad_copy(next.load0),
            quad_copy(next.load1),
            quad_copy(next.load2),
            quad_copy(next.load3),
        );
        if at + ROUND_ITEMS < end {
            next = group_load(group_place(lane_index, at + ROUND_ITEMS, begin, end));
        }
        window = window_add(lane_index, window, group, group_place(lane_index, at, begin, end));
    }
    window_flush(lane_index, window);
    cells_deliver(workgroup_id.x, lane_index);
}
