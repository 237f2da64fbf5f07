// As section subgroups, for operators that do not commute: what the lower lane has stands on the left.
@if(in_order) fn team_combine4(
    values: Acc4,
    nothing: u32,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> Acc {
    let lane = subgroup_invocation_id_of(invocation);
    let log2_size = firstLeadingBit(subgroup_size_of(workgroup));
    var total = values.x;
    var even = values.x;
    for (var i = 0u; i < log2_size + 3u + nothing; i++) {
        // Lanes exchange halves three times; then the other lanes follow, and the rows.
        var mask = max(i, 1u);
        var lower = total;
        var upper = total;
        if i == 0u {
            upper = values.z;
        }
        if i == 1u {
            lower = values.y;
            upper = values.w;
        }
        if i == 2u {
            lower = even;
        }
        if i >= 3u {
            mask = select(1u << (i - 1u), log2_size + 3u - i, i > log2_size);
        }
        let takes_upper = (lane & mask) != 0u;
        let kept = acc_select(lower, upper, takes_upper);
        let given = acc_select(upper, lower, takes_upper);
        let other = acc_shuffle_xor(given, mask);
        let left = acc_select(kept, other, takes_upper);
        let right = acc_select(other, kept, takes_upper);
        let combined = op_combine_any(left, right);
        total = combined;
        if i == 0u {
            even = combined;
        }
    }
    return total;
}

// As section subgroups, through the nodes from MAX_NODES on, with barriers.
@if(memory) fn team_combine4(
    values: Acc4,
    nothing: u32,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> Acc {
    let lane_index = invocation.local_invocation_index;
    var left = values.x;
    var right = values.y;
    var first_half = op_identity();
    // First a lane's own four, then two neighbours each time.
    for (var i = 0u; i < 3u + firstLeadingBit(WORKGROUP_SIZE) + nothing; i++) {
        let combined = op_combine_any(left, right);
        if i == 0u {
            first_half = combined;
            left = values.z;
            right = values.w;
        } else if i == 1u {
            left = first_half;
            right = combined;
        } else {
            workgroupBarrier();
            nodes[MAX_NODES + lane_index] = combined;
            workgroupBarrier();
            let pair = (2u * lane_index) & (WORKGROUP_SIZE - 1u);
            left = nodes[MAX_NODES + pair];
            right = nodes[MAX_NODES + pair + 1u];
        }
    }
    workgroupBarrier();
    return nodes[MAX_NODES];
}

// As team_reduce.wgsl@subgroups, of any values: one combination after another, because a combination of any values is long.
//
// `nothing` is 0, which compilers do not know: so they make one combination of all.
@if(subgroups) fn team_combine4(
    values: Acc4,
    nothing: u32,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> Acc {
    let lane = subgroup_invocation_id_of(invocation);
    let log2_size = firstLeadingBit(subgroup_size_of(workgroup));
    var total = values.x;
    var even = values.x;
    for (var i = 0u; i < log2_size + 3u + nothing; i++) {
        // Lanes exchange halves three times; then the other lanes follow, and the rows.
        var mask = max(i, 1u);
        var lower = total;
        var upper = total;
        if i == 0u {
            upper = values.z;
        }
        if i == 1u {
            lower = values.y;
            upper = values.w;
        }
        if i == 2u {
            lower = even;
        }
        if i >= 3u {
            mask = select(1u << (i - 1u), log2_size + 3u - i, i > log2_size);
        }
        let takes_upper = (lane & mask) != 0u;
        let kept = acc_select(lower, upper, takes_upper);
        let given = acc_select(upper, lower, takes_upper);
        let combined = op_combine_any(kept, acc_shuffle_xor(given, mask));
        total = combined;
        if i == 0u {
            even = combined;
        }
    }
    return total;
}
