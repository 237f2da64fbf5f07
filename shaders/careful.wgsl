// The tree once more, for what `op_combine` is not for: slow, short, and right for any accumulators.

// A lane's accumulators by number. The components lie in the order x, z, y, w, so that halving brings
// together what belongs together.
const LANE_ACCS = 16u;

alias Slots = array<Acc, LANE_ACCS>;

fn slot_of(row: u32, component: u32) -> u32 {
    return 4u * (row & 3u) + (((component & 1u) << 1u) | (component >> 1u));
}

fn lane_to_slots(lane: Lane) -> Slots {
    return Slots(
        lane.row0.x, lane.row0.z, lane.row0.y, lane.row0.w,
        lane.row1.x, lane.row1.z, lane.row1.y, lane.row1.w,
        lane.row2.x, lane.row2.z, lane.row2.y, lane.row2.w,
        lane.row3.x, lane.row3.z, lane.row3.y, lane.row3.w,
    );
}

fn lane_from_slots(slots: Slots) -> Lane {
    return Lane(
        Acc4(slots[0], slots[2], slots[1], slots[3]),
        Acc4(slots[4], slots[6], slots[5], slots[7]),
        Acc4(slots[8], slots[10], slots[9], slots[11]),
        Acc4(slots[12], slots[14], slots[13], slots[15]),
    );
}

fn slots_reduce(all: Slots) -> Acc {
    var slots = all;
    for (var half = LANE_ACCS / 2u; half > 0u; half >>= 1u) {
        for (var i = 0u; i < LANE_ACCS / 2u; i++) {
            if i < half {
                slots[i] = op_combine_any(slots[i], slots[i + half]);
            }
        }
    }
    return slots[0];
}

var<workgroup> careful_accs: array<Acc, LANES>;

// As `workgroup_reduce`, through workgroup memory, whatever the mechanism.
fn workgroup_reduce_any(value: Acc, lane_index: u32) -> Acc {
    workgroupBarrier();
    careful_accs[reverseBits(lane_index) >> 24u] = value;
    for (var half = LANES / 2u; half > 0u; half >>= 1u) {
        workgroupBarrier();
        if lane_index < half {
            careful_accs[lane_index] =
                op_combine_any(careful_accs[lane_index], careful_accs[lane_index + half]);
        }
    }
    workgroupBarrier();
    return careful_accs[0];
}

fn deliver_carefully(block: u32, slots: Slots, lane_index: u32) {
    let total = workgroup_reduce_any(slots_reduce(slots), lane_index);
    if lane_index == 0u {
        total_store(block, total);
    }
}

var<workgroup> lanes_out_of_range: atomic<u32>;

// Before any lane calls `all_in_range`.
fn range_begin(lane_index: u32) {
    if CHECKS_RANGE && lane_index == 0u {
        atomicStore(&lanes_out_of_range, 0u);
    }
}

// Whether the ranges of all lanes of the workgroup are safe: the same answer for each.
fn all_in_range(range: Range) -> bool {
    if !CHECKS_RANGE {
        return true;
    }
    workgroupBarrier();
    if !range_is_safe(range) {
        atomicStore(&lanes_out_of_range, 1u);
    }
    return workgroupUniformLoad(&lanes_out_of_range) == 0u;
}
