// As in team_combine_subgroup.wgsl, through the nodes from MAX_NODES on, with barriers.
fn team_combine4(
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
