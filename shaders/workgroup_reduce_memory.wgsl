// The tree of a workgroup's lanes through workgroup memory alone, for devices without subgroups: s[l] = s[l] + s[l ^ d],
// d = 1, 2, 4 ... 128.

var<workgroup> workgroup_accs: array<Acc, LANES>;
var<workgroup> block_accs: array<Acc, MAX_WORKGROUP_BLOCKS>;

// Combines the values of block i. All lanes come here.
//
// Lane l keeps its value where the reversed bits of l say. That turns the partner l ^ d into the
// value half an array away, and the lanes still at work into the first ones: no idle lanes between
// working ones, and neighbours in neighbouring memory banks.
fn workgroup_keep(
    i: u32,
    value: Acc,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) {
    let place = invocation.local_invocation_index;
    workgroup_accs[reverseBits(place) >> 24u] = value;
    for (var half = LANES / 2u; half > 0u; half >>= 1u) {
        workgroupBarrier();
        if place < half {
            workgroup_accs[place] = op_combine(workgroup_accs[place], workgroup_accs[place + half]);
        }
    }
    if place == 0u {
        block_accs[i] = workgroup_accs[0];
    }
    workgroupBarrier();
}

// After a barrier: lane i has the total of block i in `workgroup_total`, of as many blocks as there are.
fn workgroup_combine(
    count: u32,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) {
    let place = invocation.local_invocation_index;
    if place < count {
        workgroup_total = block_accs[place];
    }
}
