// The first pass of an exact reduction: workgroup w adds up block w of the launch, or the part of it
// that the launch has. The order does not matter.

// How many groups are added before the lanes ask whether their buckets must be emptied: 128 elements of a lane,
// and as much room as its window takes, that of 96 at most.
const PART_GROUPS = 8u;
const PART_ITEMS = PART_GROUPS * GROUP_ITEMS;

@compute @workgroup_size(128)
fn main(
    @builtin(workgroup_id) workgroup_id: vec3<u32>,
    @builtin(local_invocation_index) lane_index: u32,
) {
    let block_begin = workgroup_id.x * params.block_items;
    let begin = max(params.begin, block_begin);
    let end = min(params.end, block_begin + params.block_items);
    let first = 4u * lane_index;

    // The next group is on its way while one is added.
    let aligned_begin = begin & ~(GROUP_ITEMS - 1u);
    var next = group_load(aligned_begin, first, begin, end);
    deposits_clear(lane_index);
    digits_clear(lane_index);
    workgroupBarrier();
    var window = window_start(next);
    for (var part = aligned_begin; part < end; part += PART_ITEMS) {
        let part_end = min(part + PART_ITEMS, end);
        for (var at = part; at < part_end; at += GROUP_ITEMS) {
            let group = next;
            if at + GROUP_ITEMS < end {
                next = group_load(at + GROUP_ITEMS, first, begin, end);
            }
            window = window_add(lane_index, window, group);
        }
        let is_last = part_end == end;
        window = window_end_part(lane_index, window, is_last);
        if is_last || workgroupUniformLoad(&has_deposits) != 0u {
            deposits_deliver(lane_index);
            if !is_last {
                deposits_clear(lane_index);
                workgroupBarrier();
            }
        }
    }
    digits_deliver(lane_index);
}
