// The tree once more, for what `op_combine` is not for: slow, and right for any accumulators.

fn acc4_combine_any(a: Acc4, b: Acc4) -> Acc4 {
    return Acc4(
        op_combine_any(a.x, b.x),
        op_combine_any(a.y, b.y),
        op_combine_any(a.z, b.z),
        op_combine_any(a.w, b.w),
    );
}

// In loops, because an operator that is right for anything is long: the rows move up, and each result goes
// behind them.
fn lane_combine_any(a: Lane, b: Lane) -> Lane {
    var lane = a;
    var other = b;
    for (var i = 0u; i < 4u; i++) {
        let combined = acc4_combine_any(lane.row0, other.row0);
        lane = Lane(lane.row1, lane.row2, lane.row3, combined);
        other = Lane(other.row1, other.row2, other.row3, other.row0);
    }
    return lane;
}

fn lane_reduce_any(lane: Lane) -> Acc {
    // Rows 0 and 2, then 1 and 3.
    var rows = lane;
    for (var i = 0u; i < 2u; i++) {
        let combined = acc4_combine_any(rows.row0, rows.row2);
        rows = Lane(rows.row1, rows.row2, rows.row3, combined);
    }
    let total = acc4_combine_any(rows.row2, rows.row3);
    return op_combine_any(op_combine_any(total.x, total.y), op_combine_any(total.z, total.w));
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

fn deliver_carefully(block: u32, lane: Lane, lane_index: u32) {
    let total = workgroup_reduce_any(lane_reduce_any(lane), lane_index);
    if lane_index == 0u {
        total_store(block, total);
    }
}
