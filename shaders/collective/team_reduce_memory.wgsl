// As in team_reduce_subgroup.wgsl, through the nodes from MAX_NODES on, with barriers.
//
// Each step has memory of its own, so that none waits for what another lane still reads.
fn team_reduce4(
    values: Acc4,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> Acc {
    nodes[MAX_NODES + invocation.local_invocation_index] = acc4_reduce(values);
    var read_at = MAX_NODES;
    for (var count = WORKGROUP_SIZE / 4u; count > 1u; count >>= 2u) {
        workgroupBarrier();
        let write_at = read_at + 4u * count;
        if invocation.local_invocation_index < count {
            nodes[write_at + invocation.local_invocation_index] =
                nodes_reduce4(read_at + 4u * invocation.local_invocation_index);
        }
        read_at = write_at;
    }
    workgroupBarrier();
    return nodes_reduce4(read_at);
}
