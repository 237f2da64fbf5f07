// Trees of lanes' values, through workgroup memory alone.
//
// Node j of a tree is the total of the run that ends with value j, and is as long as j + 1 can be divided by a power of two. So the
// total of any number of first values is that of a few nodes.

// Makes a tree of each group of `width` lanes, a power of two.
fn group_tree(value: Acc, width: u32, workgroup: Workgroup, invocation: Invocation) -> Acc {
    return tree_from(value, group_lane(width, invocation), width, workgroup, invocation);
}

// Makes a tree of each of some sequences of neighbouring lanes, none of which is longer than `longest`. `position` is the lane's in its
// sequence.
fn tree_from(
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
fn group_prefix(
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
fn workgroup_tree(value: Acc, workgroup: Workgroup, invocation: Invocation) {
    tree_from(value, invocation.local_invocation_index, WORKGROUP_SIZE, workgroup, invocation);
}
