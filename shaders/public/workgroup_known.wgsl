// The total of a workgroup of a power of two of lanes, where all subgroups of the device have one size, which the text tells. Then every loop has
// turns of a number that the text tells, and none is left.

// Lanes of a subgroup, the binary logarithm of that, how many subgroups there are, and how many rounds come after the first one until one value
// is left.
const KNOWN_SUBGROUP_SIZE = 32u;
const KNOWN_LEVELS = 5u;
const KNOWN_SUBGROUPS = 8u;
const KNOWN_ROUNDS = 1u;

// Whether the device is as it was said to be.
fn size_is_known(workgroup: Workgroup) -> bool {
    return subgroup_size(workgroup) == KNOWN_SUBGROUP_SIZE;
}

// As group_total, of values that `op_combine` is right for.
fn known_total(value: Acc, width: u32) -> Acc {
    var total = value;
    for (var level = 0u; level < KNOWN_LEVELS; level++) {
        if width > (1u << level) {
            total = op_combine(total, acc_across(total, 1u << level));
        }
    }
    return total;
}

// The accumulator of the lane whose number differs in the bits of `mask`.
fn acc_across(acc: Acc, mask: u32) -> Acc {
    var packed = op_pack(acc);
    for (var i = 0u; i < ACC_WORDS; i++) {
        packed[i] = subgroupShuffleXor(packed[i], mask);
    }
    return op_unpack(packed);
}

// The first lane of each subgroup shows its total.
fn known_show(total: Acc, invocation: Invocation) {
    let index = invocation.local_invocation_index;
    if (index & (KNOWN_SUBGROUP_SIZE - 1u)) == 0u {
        acc_store(index >> KNOWN_LEVELS, total);
    }
}

// The total of the subgroups' totals, of which each lane has one, as often as it takes for all subgroups to go on. If there is one subgroup, it
// is that one's.
fn known_rounds(first: Acc, invocation: Invocation) -> Acc {
    var total = first;
    for (var round = 0u; round < KNOWN_ROUNDS; round++) {
        // So many values are there.
        let left = WORKGROUP_SIZE >> (KNOWN_LEVELS * (round + 1u));
        if left > 1u {
            if round > 0u {
                workgroupBarrier();
                if (invocation.local_invocation_index >> KNOWN_LEVELS) < left {
                    known_show(total, invocation);
                }
                workgroupBarrier();
                total = acc_load(invocation.local_invocation_index & (left - 1u));
            }
            total = known_total(total, left);
        }
    }
    return total;
}

// As in workgroup.wgsl@whole_any, of a known size of subgroups.

@if(any) fn workgroup_total(value: Acc, workgroup: Workgroup, invocation: Invocation) -> Acc {
    if !size_is_known(workgroup) {
        return any_total(value, workgroup, invocation);
    }
    var total = known_total(value, WORKGROUP_SIZE);
    if KNOWN_ROUNDS > 0u {
        workgroupBarrier();
        known_show(total, invocation);
        workgroupBarrier();
        total = acc_load(invocation.local_invocation_index & (KNOWN_SUBGROUPS - 1u));
    }
    return known_rounds(total, invocation);
}

// As in workgroup.wgsl@whole_quick, of a known size of subgroups.

@if(quick) fn workgroup_total(value: Acc, workgroup: Workgroup, invocation: Invocation) -> Acc {
    let index = invocation.local_invocation_index;
    // In subgroups of another size this means nothing.
    var total = known_total(value, WORKGROUP_SIZE);
    // That range is of more values than a workgroup has lanes.
    if !(acc_is_safe_in_tile(value) & size_is_known(workgroup)) {
        atomicStore(&out_of_range, OUT_OF_RANGE);
    }
    let begin = quick_begin;
    quick_begin = KNOWN_SUBGROUPS - begin;
    if (index & (KNOWN_SUBGROUP_SIZE - 1u)) == 0u {
        quick_totals[begin + (index >> KNOWN_LEVELS)] = total;
    }
    if any_is_out_of_range() {
        range_forget(invocation);
        return op_canonical(any_total(value, workgroup, invocation));
    }
    if KNOWN_ROUNDS > 0u {
        total = quick_totals[begin + (index & (KNOWN_SUBGROUPS - 1u))];
    }
    return known_rounds(total, invocation);
}
