// The part of the tree inside one lane: four accumulators of four components each.

struct Acc4 {
    x: Acc,
    y: Acc,
    z: Acc,
    w: Acc,
}

// Row r of a block goes to accumulator r % 4.
struct Lane {
    row0: Acc4,
    row1: Acc4,
    row2: Acc4,
    row3: Acc4,
}

fn acc4_identity() -> Acc4 {
    return Acc4(op_identity(), op_identity(), op_identity(), op_identity());
}

fn acc4_combine(a: Acc4, b: Acc4) -> Acc4 {
    return Acc4(
        op_combine(a.x, b.x),
        op_combine(a.y, b.y),
        op_combine(a.z, b.z),
        op_combine(a.w, b.w),
    );
}

fn lane_identity() -> Lane {
    return Lane(acc4_identity(), acc4_identity(), acc4_identity(), acc4_identity());
}

fn range_include_acc4(range: Range, accs: Acc4) -> Range {
    return range_include_acc(
        range_include_acc(range_include_acc(range_include_acc(range, accs.x), accs.y), accs.z),
        accs.w,
    );
}

fn range_include_lane(range: Range, lane: Lane) -> Range {
    let even = range_include_acc4(range_include_acc4(range, lane.row0), lane.row2);
    return range_include_acc4(range_include_acc4(even, lane.row1), lane.row3);
}

fn lane_reduce(lane: Lane) -> Acc {
    let even = acc4_combine(lane.row0, lane.row2);
    let odd = acc4_combine(lane.row1, lane.row3);
    let total = acc4_combine(even, odd);
    return op_combine(op_combine(total.x, total.y), op_combine(total.z, total.w));
}
