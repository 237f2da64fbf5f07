// Accumulators that a workgroup shares: as many as the kernel needs, and a lane each at least.
var<workgroup> nodes: array<Acc, NODES>;

// Four neighbours.
fn nodes_reduce4(first: u32) -> Acc {
    return op_combine(
        op_combine(nodes[first], nodes[first + 1u]),
        op_combine(nodes[first + 2u], nodes[first + 3u]),
    );
}

// As many neighbours of `count` nodes as a lane has to take: 1, 2 or 4.
fn nodes_of_lane(count: u32, lane_index: u32) -> Acc {
    if count <= WORKGROUP_SIZE {
        return nodes[lane_index & (count - 1u)];
    }
    if count == 2u * WORKGROUP_SIZE {
        return op_combine(nodes[2u * lane_index], nodes[2u * lane_index + 1u]);
    }
    return nodes_reduce4(4u * lane_index);
}
