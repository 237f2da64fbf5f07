// The tree once more, for what `op_combine` is not for: slow, and right for any accumulators.
//
// Written out row by row. In loops, and with an `f32_add` without branches, it compiled four times as fast on SwiftShader,
// but the kernel's other path, which has all the speed, lost 4 % on an NVIDIA H200.

fn acc4_combine_any(a: Acc4, b: Acc4) -> Acc4 {
    return Acc4(
        op_combine_any(a.x, b.x),
        op_combine_any(a.y, b.y),
        op_combine_any(a.z, b.z),
        op_combine_any(a.w, b.w),
    );
}

fn lane_combine_any(a: Lane, b: Lane) -> Lane {
    return Lane(
        acc4_combine_any(a.row0, b.row0),
        acc4_combine_any(a.row1, b.row1),
        acc4_combine_any(a.row2, b.row2),
        acc4_combine_any(a.row3, b.row3),
    );
}

fn lane_reduce_any(lane: Lane) -> Acc {
    let even = acc4_combine_any(lane.row0, lane.row2);
    let odd = acc4_combine_any(lane.row1, lane.row3);
    let total = acc4_combine_any(even, odd);
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
