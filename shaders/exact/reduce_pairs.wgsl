// The first pass of an exact dot product: workgroup w adds up the products of the pairs in block w of the launch, or
// in the part of it that the launch has. The order does not matter: so neighbours load neighbouring words, of inputs
// that need not begin at the same place in a vector.

// What a lane loads at once.
struct Pairs {
    left0: vec4<Elem>,
    left1: vec4<Elem>,
    left2: vec4<Elem>,
    left3: vec4<Elem>,
    right0: vec4<Elem>,
    right1: vec4<Elem>,
    right2: vec4<Elem>,
    right3: vec4<Elem>,
}

// An element of an input, zero from `end` on.
fn left_load(index: u32, end: u32) -> Elem {
    return select(elem_from_word(0u), left_elem(min(index, end - 1u)), index < end);
}

fn right_load(index: u32, end: u32) -> Elem {
    return select(elem_from_word(0u), right_elem(min(index, end - 1u)), index < end);
}

fn left_load4(index: u32, end: u32) -> vec4<Elem> {
    return vec4<Elem>(
        left_load(index, end),
        left_load(index + WORKGROUP_SIZE, end),
        left_load(index + 2u * WORKGROUP_SIZE, end),
        left_load(index + 3u * WORKGROUP_SIZE, end),
    );
}

fn right_load4(index: u32, end: u32) -> vec4<Elem> {
    return vec4<Elem>(
        right_load(index, end),
        right_load(index + WORKGROUP_SIZE, end),
        right_load(index + 2u * WORKGROUP_SIZE, end),
        right_load(index + 3u * WORKGROUP_SIZE, end),
    );
}

// The same, where all are there.
fn left_load4_whole(index: u32) -> vec4<Elem> {
    return vec4<Elem>(
        left_elem(index),
        left_elem(index + WORKGROUP_SIZE),
        left_elem(index + 2u * WORKGROUP_SIZE),
        left_elem(index + 3u * WORKGROUP_SIZE),
    );
}

fn right_load4_whole(index: u32) -> vec4<Elem> {
    return vec4<Elem>(
        right_elem(index),
        right_elem(index + WORKGROUP_SIZE),
        right_elem(index + 2u * WORKGROUP_SIZE),
        right_elem(index + 3u * WORKGROUP_SIZE),
    );
}

// A lane's pairs of the group at `at`, of those before `end`.
fn pairs_load(lane_index: u32, at: u32, end: u32) -> Pairs {
    let left = at + lane_index + params.base;
    let right = at + lane_index + params.right_base;
    if at + ROUND_ITEMS <= end {
        return Pairs(
            left_load4_whole(left),
            left_load4_whole(left + ROW_ITEMS),
            left_load4_whole(left + 2u * ROW_ITEMS),
            left_load4_whole(left + 3u * ROW_ITEMS),
            right_load4_whole(right),
            right_load4_whole(right + ROW_ITEMS),
            right_load4_whole(right + 2u * ROW_ITEMS),
            right_load4_whole(right + 3u * ROW_ITEMS),
        );
    }
    let left_end = end + params.base;
    let right_end = end + params.right_base;
    return Pairs(
        left_load4(left, left_end),
        left_load4(left + ROW_ITEMS, left_end),
        left_load4(left + 2u * ROW_ITEMS, left_end),
        left_load4(left + 3u * ROW_ITEMS, left_end),
        right_load4(right, right_end),
        right_load4(right + ROW_ITEMS, right_end),
        right_load4(right + 2u * ROW_ITEMS, right_end),
        right_load4(right + 3u * ROW_ITEMS, right_end),
    );
}

@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) workgroup_id: vec3<u32>,
    @builtin(local_invocation_index) lane_index: u32,
) {
    let block_begin = workgroup_id.x * (1u << params.log2_block_items);
    let begin = max(params.begin, block_begin);
    let end = min(params.end, block_begin + (1u << params.log2_block_items));
    // The next pairs are on their way while others are added.
    var next = pairs_load(lane_index, begin, end);
    cells_clear(lane_index);
    workgroupBarrier();
    var window = pairs_window_start(next);
    for (var at = begin; at < end; at += ROUND_ITEMS) {
        // Member by member, as DXC takes a copy of a struct for its source, whatever is stored there meanwhile.
        let pairs = Pairs(
            next.left0,
            next.left1,
            next.left2,
            next.left3,
            next.right0,
            next.right1,
            next.right2,
            next.right3,
        );
        if at + ROUND_ITEMS < end {
            next = pairs_load(lane_index, at + ROUND_ITEMS, end);
        }
        window = pairs_window_add(lane_index, window, pairs);
    }
    pairs_window_flush(lane_index, window);
    cells_deliver(workgroup_id.x, lane_index);
}
