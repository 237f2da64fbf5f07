// As team_combine_subgroup.wgsl, for operators that do not commute: what the lower lane has stands on the left.
fn team_combine4(
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
