// As in scan_tile_subgroup.wgsl, for lanes whose four values are neighbours: each lane's are a node.

const SCAN_NODES = WORKGROUP_SIZE;

struct TileUp {
    values: Acc4,
}

fn scan_node_count(workgroup: WorkgroupBuiltins) -> u32 {
    return SCAN_NODES;
}

fn scan_node_of(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> u32 {
    return invocation.local_invocation_index;
}

fn scan_node_is_mine(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> bool {
    return true;
}

fn tile_up(values: Acc4, workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> TileUp {
    return TileUp(values);
}

fn tile_total(up: TileUp) -> Acc {
    return acc4_reduce(up.values);
}

struct TileDown {
    before: Acc4,
    after: Acc4,
}

fn tile_down(
    up: TileUp,
    before: Acc,
    after: Acc,
    is_inclusive: bool,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> TileDown {
    let second = op_combine(before, up.values.x);
    let third = op_combine(before, op_combine(up.values.x, up.values.y));
    let fourth = op_combine(third, up.values.z);
    return TileDown(Acc4(before, second, third, fourth), Acc4(second, third, fourth, after));
}
