// `workgroup_reduce` through workgroup memory alone, for devices without subgroups.

var<workgroup> workgroup_accs: array<Acc, LANES>;

// Combines the lanes' values by s[l] = s[l] + s[l ^ d], d = 1, 2, 4 ... 128, into `workgroup_total` of every
// lane. Whether all of them are in range: else the total means nothing.
//
// Lane l keeps its value where the reversed bits of l say. That turns the partner l ^ d into the
// value half an array away, and the lanes still at work into the first ones: no idle lanes between
// working ones, and neighbours in neighbouring memory banks.
fn workgroup_reduce(
    value: Acc,
    is_safe: bool,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> bool {
    let place = invocation.local_invocation_index;
    workgroupBarrier();
    workgroup_accs[reverseBits(place) >> 24u] = value;
    range_flag_note(is_safe);
    for (var half = LANES / 2u; half > 0u; half >>= 1u) {
        workgroupBarrier();
        if place < half {
            workgroup_accs[place] = op_combine(workgroup_accs[place], workgroup_accs[place + half]);
        }
    }
    let in_range = range_flag_barrier();
    workgroup_total = workgroup_accs[0];
    return in_range;
}
