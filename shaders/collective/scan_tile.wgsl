// As section subgroups, for lanes whose four values are neighbours: each lane's are a node.

@if(memory) const SCAN_NODES = WORKGROUP_SIZE;

@if(memory) struct TileUp {
    values: Acc4,
}

@if(memory) fn scan_node_count(workgroup: WorkgroupBuiltins) -> u32 {
    return SCAN_NODES;
}

@if(memory) fn scan_node_of(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> u32 {
    return invocation.local_invocation_index;
}

@if(memory) fn scan_node_is_mine(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> bool {
    return true;
}

@if(memory) fn tile_up(values: Acc4, workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> TileUp {
    return TileUp(values);
}

@if(memory) fn tile_total(up: TileUp) -> Acc {
    return acc4_reduce(up.values);
}

@if(memory) fn scan_node_total(values: Acc4, workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> Acc {
    return acc4_reduce(values);
}

@if(memory) struct TileDown {
    before: Acc4,
    after: Acc4,
}

@if(memory) fn tile_down(
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

// Scans over what a team has of a round: four values of each lane, in four rows of the team, as `tile_index` has them. The tile is a
// node.

// The smallest subgroups are the most.
@if(subgroups) const SCAN_NODES = WORKGROUP_SIZE / MIN_SUBGROUP_SIZE;

@if(subgroups) fn scan_node_count(workgroup: WorkgroupBuiltins) -> u32 {
    return WORKGROUP_SIZE / subgroup_size_of(workgroup);
}

@if(subgroups) fn scan_node_of(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> u32 {
    return subgroup_id_of(invocation);
}

@if(subgroups) fn scan_node_is_mine(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> bool {
    return subgroup_invocation_id_of(invocation) == 0u;
}

// A row's total, and the siblings of what a lane is in: of 1, 2, 4 ... lanes.
@if(subgroups) struct RowUp {
    total: Acc,
    of1: Acc,
    of2: Acc,
    of4: Acc,
    of8: Acc,
    of16: Acc,
    of32: Acc,
    of64: Acc,
}

@if(subgroups) fn row_up(value: Acc, size: u32, lane: u32) -> RowUp {
    let of1 = acc_shuffle_xor(value, 1u);
    var total = siblings_join(value, of1, 1u, lane);
    let of2 = acc_shuffle_xor(total, 2u);
    total = siblings_join(total, of2, 2u, lane);
    var of4 = of2;
    var of8 = of2;
    var of16 = of2;
    var of32 = of2;
    var of64 = of2;
    if size > 4u {
        of4 = acc_shuffle_xor(total, 4u);
        total = siblings_join(total, of4, 4u, lane);
    }
    if size > 8u {
        of8 = acc_shuffle_xor(total, 8u);
        total = siblings_join(total, of8, 8u, lane);
    }
    if size > 16u {
        of16 = acc_shuffle_xor(total, 16u);
        total = siblings_join(total, of16, 16u, lane);
    }
    if size > 32u {
        of32 = acc_shuffle_xor(total, 32u);
        total = siblings_join(total, of32, 32u, lane);
    }
    if size > 64u {
        of64 = acc_shuffle_xor(total, 64u);
        total = siblings_join(total, of64, 64u, lane);
    }
    return RowUp(total, of1, of2, of4, of8, of16, of32, of64);
}

// The total before a lane's value of a row. Lanes of smaller subgroups have none of the higher bits.
@if(subgroups) fn row_down(up: RowUp, before: Acc, lane: u32) -> Acc {
    var total = before;
    if (lane & 64u) != 0u {
        total = op_combine(total, up.of64);
    }
    if (lane & 32u) != 0u {
        total = op_combine(total, up.of32);
    }
    if (lane & 16u) != 0u {
        total = op_combine(total, up.of16);
    }
    if (lane & 8u) != 0u {
        total = op_combine(total, up.of8);
    }
    if (lane & 4u) != 0u {
        total = op_combine(total, up.of4);
    }
    if (lane & 2u) != 0u {
        total = op_combine(total, up.of2);
    }
    if (lane & 1u) != 0u {
        total = op_combine(total, up.of1);
    }
    return total;
}

@if(subgroups) struct TileUp {
    row0: RowUp,
    row1: RowUp,
    row2: RowUp,
    row3: RowUp,
}

// On the way up: the totals of values.
@if(subgroups) fn tile_up(values: Acc4, workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> TileUp {
    let size = subgroup_size_of(workgroup);
    let lane = subgroup_invocation_id_of(invocation);
    return TileUp(
        row_up(values.x, size, lane),
        row_up(values.y, size, lane),
        row_up(values.z, size, lane),
        row_up(values.w, size, lane),
    );
}

@if(subgroups) fn tile_total(up: TileUp) -> Acc {
    return op_combine(
        op_combine(up.row0.total, up.row1.total),
        op_combine(up.row2.total, up.row3.total),
    );
}

// The total alone, by fewer shuffles than on the way up.
@if(subgroups) fn scan_node_total(values: Acc4, workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> Acc {
    return team_reduce4(values, workgroup, invocation);
}

// The totals before each of a lane's values, and after it.
@if(subgroups) struct TileDown {
    before: Acc4,
    after: Acc4,
}

// On the way down: `before` is what is before the tile, and `after` what is behind it, which is not always their sum. Without
// `is_inclusive` what is after values means nothing.
@if(subgroups) fn tile_down(
    up: TileUp,
    before: Acc,
    after: Acc,
    is_inclusive: bool,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> TileDown {
    let lane = subgroup_invocation_id_of(invocation);
    let second = op_combine(before, up.row0.total);
    let third = op_combine(before, op_combine(up.row0.total, up.row1.total));
    let fourth = op_combine(third, up.row2.total);
    let befores = Acc4(
        row_down(up.row0, before, lane),
        row_down(up.row1, second, lane),
        row_down(up.row2, third, lane),
        row_down(up.row3, fourth, lane),
    );
    var afters = befores;
    if is_inclusive {
        // Before the next lane's value. The last lane of a row is followed by the next row.
        let size = subgroup_size_of(workgroup);
        let next = (lane + 1u) & (size - 1u);
        let is_last = next == 0u;
        afters = Acc4(
            acc_select(acc_shuffle(befores.x, next), second, is_last),
            acc_select(acc_shuffle(befores.y, next), third, is_last),
            acc_select(acc_shuffle(befores.z, next), fourth, is_last),
            acc_select(acc_shuffle(befores.w, next), after, is_last),
        );
    }
    return TileDown(befores, afters);
}

// Word by word, from any lane.
@if(subgroups) fn acc_shuffle(acc: Acc, lane: u32) -> Acc {
    var words = op_pack(acc);
    for (var i = 0u; i < SHUFFLED_WORDS; i++) {
        words[i] = subgroupShuffle(words[i], lane);
    }
    return op_unpack(words);
}
