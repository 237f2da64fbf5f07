// How a block finds what is before it, while the blocks before it may still be at work.
//
// Blocks are leaves of a tree in which each node has 64 children. A block looks at its siblings on the left, at those of its parent, and at
// those of its grandparent: what is before it is the fold of all of these, in the pairwise order, whenever which of them came. The
// last child of a node leaves the node's total. It does that before it looks for anything else, so that no level is a chain. The sibling just before the
// parent is made of its children, because blocks that are at work at the same time would wait for its last child.
//
// Nothing here waits without a bound. If a sibling's total does not come, the workgroup makes it itself, of the input, and goes on.

const LOOK_LEVELS = 3u;
const LOG2_SIBLINGS = 6u;
const SIBLINGS = 64u;
// A level's siblings, and the totals of eights of them.
const LEVEL_NODES = 72u;
const LOOK_NODES = 2u * SCAN_SET_NODES;
// Behind the levels: the children of the sibling just before the parent.
const NEAR = LOOK_LEVELS;
const KERNEL_NODES = (LOOK_LEVELS + 1u) * LEVEL_NODES;

// How often a lane looks for a sibling's total, the first time, and after another one did not come.
const FIRST_POLLS = 1024u;
const LATER_POLLS = 16u;

const NOTHING = 0xffffffffu;

// The first node whose total has not come, as `missing_take` says it.
var<workgroup> missing: atomic<u32>;

// The block that the workgroup has drawn, if FLAG_DRAWS_BLOCKS says so. Mesa's llvmpipe deals out parts of a dispatch to its threads, so the first workgroup
// of a later part would make the totals of all blocks before it. And llvmpipe ends a workgroup's loops, all of them, after 65 535 turns together.
var<workgroup> drawn: u32;

// The block of a workgroup. One answer for all lanes, with barriers where blocks are drawn.
fn block_take(job: Params, workgroup: WorkgroupBuiltins, lane_index: u32) -> u32 {
    let last = max(job.blocks, 1u) - 1u;
    // Devices begin with the first workgroups, as far as is known. Where they do not, workgroups make what they lack: slowly, but right.
    // Where there are no blocks none is drawn: nothing would put that right for the next pass.
    if ((job.flags & FLAG_DRAWS_BLOCKS) == 0u) | (job.blocks == 0u) {
        return min(workgroup.workgroup_id.x, last);
    }
    if lane_index == 0u {
        drawn = pass_draw();
    }
    return min(workgroupUniformLoad(&drawn), last);
}

// Where in `progress` the totals of a level are.
fn level_begin(job: Params, level: u32) -> u32 {
    var begin = 0u;
    if level > 0u {
        begin += job.blocks;
    }
    if level > 1u {
        begin += job.blocks >> LOG2_SIBLINGS;
    }
    return begin;
}

fn total_publish(job: Params, level: u32, place: u32, key: u32, total: Acc) {
    progress_store(level_begin(job, level) + place, key, total);
}

// A lane looks for the total of a node of a level, or of a block that is `NEAR`. If it does not come, all lanes will hear of it.
fn total_await(job: Params, group: u32, place: u32, key: u32, polls: u32) -> Acc {
    let index = level_begin(job, select(group, 0u, group == NEAR)) + place;
    for (var i = 0u; i < polls; i++) {
        let found = progress_load(index, key);
        if found.is_there {
            return found.acc;
        }
    }
    atomicMin(&missing, (group << LOG2_SIBLINGS) | (place & (SIBLINGS - 1u)));
    return op_identity();
}

fn sibling_store(group: u32, index: u32, total: Acc) {
    nodes[LOOK_NODES + group * LEVEL_NODES + index] = total;
    if CHECKS_RANGE & !range_is_safe_in_tile(range_include_acc(range_start(), total)) {
        atomicStore(&unsafe_flag, 1u);
    }
}

// On each level the total of the node that ends with the workgroup's block, if there is one.
var<workgroup> own_totals: array<Acc, LOOK_LEVELS>;

// Which node's total has not come: its level, or `NEAR`, and behind it in 6 bits its place among its siblings. `NOTHING` if all are there. One answer for
// all lanes, with barriers.
fn missing_take(lane_index: u32) -> u32 {
    let found = workgroupUniformLoad(&missing);
    if found != NOTHING {
        if lane_index == 0u {
            atomicStore(&missing, NOTHING);
        }
        workgroupBarrier();
    }
    return found;
}

// Loads the siblings on the left of a block and of its ancestors: those on a `level` that it `leaves`, or all levels'. Each level has 64 lanes. `own_totals`
// take the places of the block and its ancestors themselves. Where it loads all levels, it also loads the children of the parent's sibling just before:
// `near_join` makes that one's total. Returns what is missing, as `missing_take`.
fn siblings_load(
    job: Params,
    own: u32,
    level: u32,
    leaves: bool,
    key: u32,
    polls: u32,
    lane_index: u32,
) -> u32 {
    let above = lane_index >> LOG2_SIBLINGS;
    let index = lane_index & (SIBLINGS - 1u);
    let takes_near = !leaves & has_near(own);
    let is_near = takes_near & (above == NEAR);
    if (above < select(LOOK_LEVELS, 1u, leaves)) | is_near {
        // The group behind the levels is `NEAR`. It has 64 children, so no lane of it has a total of its own.
        let group = select(above, level, leaves);
        let place = own >> (LOG2_SIBLINGS * group);
        let count = select(place & (SIBLINGS - 1u), SIBLINGS, is_near);
        let first = select(place - count, near_begin(own), is_near);
        let is_joined = takes_near & (group == 1u) & (index + 1u == count);
        var total = op_identity();
        if (index < count) & !is_joined {
            total = total_await(job, group, first + index, key, polls);
        } else if index == count {
            total = own_totals[group];
        }
        sibling_store(group, index, total);
    }
    return missing_take(lane_index);
}

// Whether a block's parent has a sibling just before.
fn has_near(own: u32) -> bool {
    return near_count(own) != 0u;
}

// How many siblings the parent has on the left: that one is the last of them.
fn near_count(own: u32) -> u32 {
    return (own >> LOG2_SIBLINGS) & (SIBLINGS - 1u);
}

// Its first child.
fn near_begin(own: u32) -> u32 {
    return ((own >> LOG2_SIBLINGS) - 1u) << LOG2_SIBLINGS;
}

// Its total takes its place. All lanes come here, after a barrier, and there are others.
fn near_join(own: u32, lane_index: u32) {
    let base = LOOK_NODES + NEAR * LEVEL_NODES;
    if lane_index < 8u {
        nodes[base + SIBLINGS + lane_index] = group_reduce(base + 8u * lane_index, 8u);
    }
    workgroupBarrier();
    if lane_index == 0u {
        sibling_store(1u, near_count(own) - 1u, group_reduce(base + SIBLINGS, 8u));
    }
    workgroupBarrier();
}

// The same, whatever its children are.
fn near_join_any(own: u32, lane_index: u32) {
    let total = siblings_total(NEAR, lane_index);
    if lane_index == 0u {
        sibling_store(1u, near_count(own) - 1u, total);
    }
    workgroupBarrier();
}

// The total of 64 siblings, whatever they are. One answer for all lanes, with barriers.
fn siblings_total(group: u32, lane_index: u32) -> Acc {
    var total = nodes[LOOK_NODES + group * LEVEL_NODES + (lane_index & (SIBLINGS - 1u))];
    for (var width = SIBLINGS / 2u; width > 0u; width >>= 1u) {
        if lane_index < 2u * width {
            tree[lane_index] = total;
        }
        workgroupBarrier();
        if lane_index < width {
            total = op_combine_any(tree[2u * lane_index], tree[2u * lane_index + 1u]);
        }
        workgroupBarrier();
    }
    if lane_index == 0u {
        tree[0] = total;
    }
    workgroupBarrier();
    return tree[0];
}

fn is_last_child(place: u32) -> bool {
    return (place & (SIBLINGS - 1u)) == SIBLINGS - 1u;
}

// Finds the totals of all ancestors' siblings, of the block `own` with this total: then it returns `own`. Else the block that has to be
// made first, or `NOTHING` if there is one total more now, and `own` may look again. One answer for all lanes, with barriers.
fn look_back(job: Params, own: u32, own_total: Acc, key: u32, polls: u32, lane_index: u32) -> u32 {
    if lane_index == 0u {
        own_totals[0] = own_total;
    } else if lane_index < LOOK_LEVELS {
        own_totals[lane_index] = op_identity();
    }
    workgroupBarrier();
    // The workgroup first leaves the totals of the nodes that end with the block, level by level. At the first level where none ends, which is the last
    // one at the latest, it looks at all levels at once.
    for (var level = 0u; level < LOOK_LEVELS; level++) {
        let place = own >> (LOG2_SIBLINGS * level);
        let leaves = (level + 1u < LOOK_LEVELS) & is_last_child(place);
        let without = siblings_load(job, own, level, leaves, key, polls, lane_index);
        if without != NOTHING {
            return missing_find(job, own, without, key, lane_index);
        }
        if !leaves {
            break;
        }
        let total = siblings_total(level, lane_index);
        if lane_index == 0u {
            own_totals[level + 1u] = total;
            total_publish(job, level + 1u, place >> LOG2_SIBLINGS, key, total);
        }
        // Lanes may still look at nodes.
        storageBarrier();
        workgroupBarrier();
    }
    if has_near(own) {
        near_join(own, lane_index);
    }
    // Eights of siblings: eight on each level.
    if lane_index < 8u * LOOK_LEVELS {
        let base = LOOK_NODES + (lane_index >> 3u) * LEVEL_NODES;
        let eight = lane_index & 7u;
        nodes[base + SIBLINGS + eight] = group_reduce(base + 8u * eight, 8u);
    }
    workgroupBarrier();
    return own;
}

// Finds the block that a node lacks, whose total is not there, as `missing_take` says it. If it lacks none, makes the node's total.
fn missing_find(job: Params, own: u32, without: u32, key: u32, lane_index: u32) -> u32 {
    if (without >> LOG2_SIBLINGS) == NEAR {
        return near_begin(own) + (without & (SIBLINGS - 1u));
    }
    let level_of_node = without >> LOG2_SIBLINGS;
    let own_place = own >> (LOG2_SIBLINGS * level_of_node);
    var place = (own_place & ~(SIBLINGS - 1u)) + (without & (SIBLINGS - 1u));
    for (var i = 0u; i < level_of_node; i++) {
        let level = level_of_node - 1u - i;
        let first = place << LOG2_SIBLINGS;
        if lane_index < SIBLINGS {
            sibling_store(level, lane_index, total_await(job, level, first + lane_index, key, 1u));
        }
        let missing_child = missing_take(lane_index);
        if missing_child == NOTHING {
            let total = siblings_total(level, lane_index);
            if lane_index == 0u {
                total_publish(job, level + 1u, place, key, total);
            }
            return NOTHING;
        }
        place = first + (missing_child & (SIBLINGS - 1u));
    }
    return place;
}

// The total before a number of siblings, if `before` is before them all.
fn siblings_before(level: u32, index: u32, before: Acc) -> Acc {
    let base = LOOK_NODES + level * LEVEL_NODES;
    return group_before(base + (index & ~7u), index & 7u, group_before(base + SIBLINGS, index >> 3u, before));
}

// The total before a block, up to the one behind `own`.
fn blocks_before(job: Params, block: u32) -> Acc {
    var total = initial_acc(job);
    for (var i = 0u; i < LOOK_LEVELS; i++) {
        let level = LOOK_LEVELS - 1u - i;
        total = siblings_before(level, (block >> (LOG2_SIBLINGS * level)) & (SIBLINGS - 1u), total);
    }
    return total;
}

// rows.wgsl asks for these: rows are counted from the first one of all, and runs of rows that are blocks are found among the siblings.

fn place_of(row: u32, rows_before: u32) -> u32 {
    return rows_before + row;
}

// The run of blocks of this level that is the left sibling of the one with the block. By one lane, of any values.
fn run_before_load(job: Params, level: u32) -> Acc {
    let log2_blocks = level - job.log2_block_items;
    let look_level = min(log2_blocks / LOG2_SIBLINGS, LOOK_LEVELS - 1u);
    let log2_run = log2_blocks - look_level * LOG2_SIBLINGS;
    let index = (job.block >> (LOG2_SIBLINGS * look_level)) & (SIBLINGS - 1u);
    let first = LOOK_NODES + look_level * LEVEL_NODES + ((index >> (log2_run + 1u)) << (log2_run + 1u));
    // A binary counter of what waits for its sibling.
    var waiting: array<Acc, LOG2_SIBLINGS>;
    var run = op_identity();
    for (var i = 0u; i < SIBLINGS; i++) {
        if i >> log2_run != 0u {
            break;
        }
        run = nodes[first + i];
        for (var up = 0u; up < LOG2_SIBLINGS; up++) {
            if ((i >> up) & 1u) == 0u {
                // Word by word, as DXC takes a copy of a struct for its source, whatever is stored there meanwhile.
                waiting[up] = op_unpack(op_pack(run));
                break;
            }
            run = op_combine_any(waiting[up], run);
        }
    }
    return run;
}

// A single pass has no launch before it or behind it.

fn missing_load(job: Params, level: u32, place: u32, begin: u32) -> Acc {
    return op_identity();
}

fn row_runs_leave(job: Params, items: Acc4, first_half: Acc, row: u32, end: u32, lane_index: u32) {}

// The counter of rows has merged what ends there.
fn block_after(job: Params, own: Acc) -> Acc {
    return own;
}
