// Scans of rows: four items for each lane, of any operator and any values, in the pairwise order. Slow, and right for all.
//
// What is before a place is the left fold of the runs before it, the longest first. Within a row they are siblings on the left, in
// the tree of all lanes. Before the row they are a binary counter of rows: where two siblings merge, what is before both is known.

// The totals of lanes, then those of two, of four, and so on: the total of all is the last but one.
const TREE_LEVELS = LOG2_ROW_ITEMS - 2u;
const TREE_NODES = 2u * WORKGROUP_SIZE;
var<workgroup> tree: array<Acc, TREE_NODES>;

fn tree_level(level: u32) -> u32 {
    return TREE_NODES - (TREE_NODES >> level);
}

// By level, from a row on: the total of the run of rows that waits for its sibling, and what is before it. Only the last lane
// looks at them; but for what a launch leaves.
const RUN_LEVELS = 31u;
var<workgroup> run_totals: array<Acc, RUN_LEVELS>;
var<workgroup> run_befores: array<Before, RUN_LEVELS>;

// What is before the next rows. Whoever goes on without a barrier in between writes the other one of the two.
var<workgroup> carries: array<Before, 2>;

const LAST_LANE = WORKGROUP_SIZE - 1u;

// Begins with a row, before which is `before`, and the launch's runs of rows. Those have this level. All lanes come here, before a
// barrier.
fn rows_begin(job: Params, level: u32, place: u32, before: Before, slot: u32, lane_index: u32) {
    if lane_index == LAST_LANE {
        var total = before;
        for (var i = 0u; i < RUN_LEVELS; i++) {
            let at = RUN_LEVELS - 1u - i;
            if ((place >> at) & 1u) == 1u {
                let run = run_before_load(job, level + at);
                run_totals[at] = run;
                run_befores[at] = total;
                total = before_join(total, run);
            }
        }
        carries[slot] = total;
    }
}

// The run of 2^level rows from `place` on joins those before it. By the last lane. Returns what is behind the run.
fn run_push(place: u32, level: u32, total: Acc, before: Before) -> Before {
    var run = total;
    var run_before = before;
    var after = before;
    // Siblings on each level whose bit is set, and then what is before them.
    let merges = countTrailingZeros(~(place >> level));
    for (var i = 0u; i < RUN_LEVELS; i++) {
        let at = min(level + i, RUN_LEVELS - 1u);
        var left = run;
        if i < merges {
            left = run_totals[at];
            run_before = run_befores[at];
        } else {
            run_totals[at] = run;
            run_befores[at] = run_before;
        }
        let combined = before_step(run_before, left, run, i < merges);
        after = combined;
        run = before_run(combined);
        if i >= merges {
            break;
        }
    }
    return after;
}

// What is before a lane's four items, and behind them.
struct Prefixes {
    x: Before,
    y: Before,
    z: Before,
    w: Before,
    next: Before,
}

// Scans a row, which is at a place among the rows. What is before it is in one slot, and what is before the next one then in the other
// one that is named. It has barriers, also at its begin and its end.
fn row_scan(
    job: Params,
    place: u32,
    items: Acc4,
    slot: u32,
    next_slot: u32,
    end: u32,
    lane_index: u32,
) -> Prefixes {
    // A bound that compilers do not know, so that they make one combination of all.
    let nothing = nothing_of(job) & place;
    var left = items.x;
    var right = items.y;
    var first_half = items.x;
    for (var i = 0u; i < 3u + nothing; i++) {
        let combined = runs_merge(left, right);
        if i == 0u {
            first_half = combined;
            left = items.z;
            right = items.w;
        } else {
            left = first_half;
            right = combined;
        }
    }
    workgroupBarrier();
    tree[lane_index] = right;
    for (var level = 0u; level < TREE_LEVELS; level++) {
        workgroupBarrier();
        if lane_index < (LAST_LANE >> (level + 1u)) + 1u {
            let node = tree_level(level) + 2u * lane_index;
            tree[tree_level(level + 1u) + lane_index] = runs_merge(tree[node], tree[node + 1u]);
        }
    }
    workgroupBarrier();
    row_runs_leave(job, items, first_half, place, end, lane_index);
    // From the highest level down to the lane's own items.
    var first = carries[slot];
    var second = carries[slot];
    var third = carries[slot];
    var fourth = carries[slot];
    for (var i = 0u; i < TREE_LEVELS + 3u + nothing; i++) {
        var total = first;
        var addend = items.x;
        var is_on_the_left = false;
        if i < TREE_LEVELS {
            let level = TREE_LEVELS - 1u - i;
            is_on_the_left = ((lane_index >> level) & 1u) == 1u;
            addend = tree[tree_level(level) + max(lane_index >> level, 1u) - 1u];
        }
        if i == TREE_LEVELS + 1u {
            addend = first_half;
        }
        if i == TREE_LEVELS + 2u {
            total = third;
            addend = items.z;
        }
        let combined = before_join(total, addend);
        if is_on_the_left {
            first = combined;
        }
        if i == TREE_LEVELS {
            second = combined;
        }
        if i == TREE_LEVELS + 1u {
            third = combined;
        }
        if i == TREE_LEVELS + 2u {
            fourth = combined;
        }
    }
    let all = tree[tree_level(TREE_LEVELS)];
    // What is behind a lane's items is before those of the next lane.
    workgroupBarrier();
    for (var i = 0u; i < BEFORE_ACCS; i++) {
        tree[WORKGROUP_SIZE * i + lane_index] = before_part(first, i);
    }
    if lane_index == LAST_LANE {
        carries[next_slot] = run_push(place, 0u, all, carries[slot]);
    }
    workgroupBarrier();
    var next = carries[next_slot];
    if lane_index != LAST_LANE {
        let behind = lane_index + 1u;
        next = before_of(tree[behind], tree[WORKGROUP_SIZE * (BEFORE_ACCS - 1u) + behind]);
    }
    return Prefixes(first, second, third, fourth, next);
}
