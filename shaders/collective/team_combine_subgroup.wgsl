// As in team_reduce_subgroup.wgsl, of any values: one combination after another, because a combination of any values is long.
//
// `nothing` is 0, which compilers do not know: so they make one combination of all.
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
        let combined = op_combine_any(kept, acc_shuffle_xor(given, mask));
        total = combined;
        if i == 0u {
            even = combined;
        }
    }
    return total;
}
