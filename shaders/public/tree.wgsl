// Trees of lanes' values, through workgroup memory alone.
//
// Node j of a tree is the total of the run that ends with value j, and is as long as j + 1 can be divided by a power of two. So the
// total of any number of first values is that of a few nodes.

// Makes a tree of each group of `width` lanes, a power of two.
@if(memory) fn group_tree(value: Acc, width: u32, workgroup: Workgroup, invocation: Invocation) -> Acc {
    return tree_from(value, group_lane(width, invocation), width, workgroup, invocation);
}

// Makes a tree of each of some sequences of neighbouring lanes, none of which is longer than `longest`. `position` is the lane's in its
// sequence.
@if(memory) fn tree_from(
    value: Acc,
    position: u32,
    longest: u32,
    workgroup: Workgroup,
    invocation: Invocation,
) -> Acc {
    let index = invocation.local_invocation_index;
    workgroupBarrier();
    acc_store(index, value);
    for (var distance = 1u; distance <= (longest >> 1u); distance <<= 1u) {
        workgroupBarrier();
        if ((position + 1u) & (2u * distance - 1u)) == 0u {
            acc_store(index, op_combine_any(acc_load(index - distance), acc_load(index)));
        }
    }
    workgroupBarrier();
    return value;
}

// Combines the first `count` values of the group that begins at `begin`. After `group_tree`, which made its nodes.
@if(memory) fn group_prefix(
    node: Acc,
    begin: u32,
    count: u32,
    width: u32,
    workgroup: Workgroup,
    invocation: Invocation,
) -> Acc {
    return memory_prefix(begin, count, width);
}

// Makes a tree of all lanes.
@if(memory) fn workgroup_tree(value: Acc, workgroup: Workgroup, invocation: Invocation) {
    tree_from(value, invocation.local_invocation_index, WORKGROUP_SIZE, workgroup, invocation);
}

// Trees of lanes' values, by shuffles in subgroups, and through workgroup memory between them.
//
// Node j of a tree is the total of the run that ends with value j, and is as long as j + 1 can be divided by a power of two. So the
// total of any number of first values is that of a few nodes.

// The lane's node of the tree of its group of `width` lanes, a power of two and at most a subgroup.
@if(subgroups) fn group_tree(value: Acc, width: u32, workgroup: Workgroup, invocation: Invocation) -> Acc {
    return tree_from(value, group_lane(width, invocation), width, workgroup, invocation);
}

// The same of sequences of neighbouring lanes, none of which is longer than `longest`, or leaves the subgroup. `position` is the lane's
// in its sequence.
@if(subgroups) fn tree_from(
    value: Acc,
    position: u32,
    longest: u32,
    workgroup: Workgroup,
    invocation: Invocation,
) -> Acc {
    let lane = subgroup_lane(workgroup, invocation);
    var node = value;
    for (var distance = 1u; distance <= (longest >> 1u); distance <<= 1u) {
        let left = acc_of_lane(node, lane - min(lane, distance));
        if ((position + 1u) & (2u * distance - 1u)) == 0u {
            node = op_combine_any(left, node);
        }
    }
    return node;
}

// Combines the first `count` values of the group that begins at the subgroup's lane `begin`, of which each lane has its node.
@if(subgroups) fn group_prefix(
    node: Acc,
    begin: u32,
    count: u32,
    width: u32,
    workgroup: Workgroup,
    invocation: Invocation,
) -> Acc {
    var total = op_identity();
    var done = 0u;
    for (var run = width; run > 0u; run >>= 1u) {
        let takes = (count & run) != 0u;
        let next = acc_of_lane(node, select(begin, begin + done + run - 1u, takes));
        if takes {
            if done == 0u {
                total = next;
            } else {
                total = op_combine_any(total, next);
            }
            done += run;
        }
    }
    return total;
}

// Makes a tree of all lanes in workgroup memory.
@if(subgroups) fn workgroup_tree(value: Acc, workgroup: Workgroup, invocation: Invocation) {
    let size = subgroup_size(workgroup);
    let log2_size = firstLeadingBit(size);
    let index = invocation.local_invocation_index;
    let node = group_tree(value, size, workgroup, invocation);
    workgroupBarrier();
    acc_store(index, node);
    // Nodes that are whole units long are the values of a tree of their own.
    var unit = size;
    for (var left = (WORKGROUP_SIZE - 1u) >> log2_size; left > 0u; left >>= log2_size) {
        workgroupBarrier();
        let at = min((index + 1u) * unit - 1u, WORKGROUP_SIZE);
        var part = op_identity();
        if at < WORKGROUP_SIZE {
            part = acc_load(at);
        }
        let longer = group_tree(part, size, workgroup, invocation);
        if at < WORKGROUP_SIZE {
            acc_store(at, longer);
        }
        unit <<= log2_size;
    }
    workgroupBarrier();
}
