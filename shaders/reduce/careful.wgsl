// For operators that the device's arithmetic may not be right for.

// Behind a block's nodes: the elements of a row, and the rows' totals.
const EXTRA_NODES = ROW_ITEMS + 4u;

// As `nodes_combine`, of any values.
fn nodes_combine_any(
    first: u32,
    log2_stride: u32,
    levels: u32,
    level: u32,
    span: Span,
    lane_index: u32,
) {
    workgroupBarrier();
    if lane_index < levels && ((span.begin >> lane_index) & 1u) == 1u {
        let node = first + (run_before(span.begin, lane_index) << log2_stride);
        nodes[node] = runs_before[level + lane_index];
    }
    // No two whole runs are siblings above.
    let last = min(levels, firstLeadingBit(max(span.end, 1u)));
    for (var up = 0u; up < last; up++) {
        workgroupBarrier();
        let pairs = span.end >> (up + 1u);
        for (var i = lane_index; i < pairs; i += WORKGROUP_SIZE) {
            let end = (i + 1u) << (up + 1u);
            if span.begin < end {
                let left = first + (i << (up + 1u + log2_stride));
                let right = left + (1u << (up + log2_stride));
                nodes[left] = op_combine_any(nodes[left], nodes[right]);
            }
        }
    }
    workgroupBarrier();
    if lane_index < levels && ((span.end >> lane_index) & 1u) == 1u {
        let node = first + (run_before(span.end, lane_index) << log2_stride);
        runs_after[level + lane_index] = nodes[node];
    }
}
