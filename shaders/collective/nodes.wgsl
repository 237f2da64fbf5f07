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

// Scans over nodes: the totals before each of them, in the pairwise order. Groups of eight, and of eight of these, are nodes of
// their own, so that a lane finds what is before a node by few combinations.

// There are two sets of nodes: while lanes still look at one, the others may fill the other one. Or each is a round's. The kernel says how
// many nodes it has behind them, for itself.
@if(scan) const SCAN_SET_NODES = SCAN_NODES + SCAN_NODES / 8u + SCAN_NODES / 64u;
@if(scan) const NODES = 2u * SCAN_SET_NODES + KERNEL_NODES;
// For the collectives that go with these.
@if(scan) const SPARE_NODES = 0u;

// 2, 4 or 8 neighbours.
@if(scan) fn group_reduce(first: u32, count: u32) -> Acc {
    if count == 2u {
        return op_combine(nodes[first], nodes[first + 1u]);
    }
    let low = nodes_reduce4(first);
    if count == 4u {
        return low;
    }
    return op_combine(low, nodes_reduce4(first + 4u));
}

// What is before one of eight neighbours, if `before` is before them all.
@if(scan) fn group_before(first: u32, index: u32, before: Acc) -> Acc {
    var total = before;
    if (index & 4u) != 0u {
        total = op_combine(total, nodes_reduce4(first));
    }
    if (index & 2u) != 0u {
        let at = first + (index & 4u);
        total = op_combine(total, op_combine(nodes[at], nodes[at + 1u]));
    }
    if (index & 1u) != 0u {
        total = op_combine(total, nodes[first + (index & 6u)]);
    }
    return total;
}

// Makes the groups of a set of `count` nodes, a power of two from 2 on. After a barrier; it has others where there are more than eight.
@if(scan) fn scan_groups(base: u32, count: u32, lane_index: u32) {
    if count > 8u {
        if lane_index < count / 8u {
            nodes[base + SCAN_NODES + lane_index] = group_reduce(base + 8u * lane_index, 8u);
        }
        workgroupBarrier();
    }
    if count > 64u {
        if lane_index < count / 64u {
            let first = base + SCAN_NODES + 8u * lane_index;
            nodes[base + SCAN_NODES + SCAN_NODES / 8u + lane_index] = group_reduce(first, 8u);
        }
        workgroupBarrier();
    }
}

// What is before a node.
@if(scan) fn scan_before(base: u32, count: u32, index: u32, before: Acc) -> Acc {
    var total = before;
    let groups = base + SCAN_NODES;
    if count > 64u {
        total = group_before(groups + SCAN_NODES / 8u, index >> 6u, total);
    }
    if count > 8u {
        total = group_before(groups + ((index >> 6u) << 3u), (index >> 3u) & 7u, total);
    }
    return group_before(base + (index & ~7u), index & 7u, total);
}

// Of all nodes.
@if(scan) fn scan_total(base: u32, count: u32) -> Acc {
    if count > 64u {
        return group_reduce(base + SCAN_NODES + SCAN_NODES / 8u, count / 64u);
    }
    if count > 8u {
        return group_reduce(base + SCAN_NODES, count / 8u);
    }
    return group_reduce(base, count);
}
