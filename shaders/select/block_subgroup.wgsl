// A block of a single pass, through subgroups. Each has a part of a round for itself.

// A lane's places of a round that begins here.
fn round_places(begin: u32, end: u32, workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> Places {
    let size = subgroup_size_of(workgroup);
    let part = begin + 16u * size * subgroup_id_of(invocation);
    return places_of(part, end, size, subgroup_invocation_id_of(invocation));
}

// How many elements of each of two rounds are flagged in the subgroups before the lane's, and in all.
struct Totals {
    before: vec2<u32>,
    all: vec2<u32>,
}

// After a barrier.
fn totals_take(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> Totals {
    let subgroup = subgroup_id_of(invocation);
    let subgroups = WORKGROUP_SIZE / subgroup_size_of(workgroup);
    var before = 0u;
    var all = 0u;
    for (var i = 0u; i < subgroups; i++) {
        let total = totals[i];
        all += total;
        before += select(0u, total, i < subgroup);
    }
    return Totals(vec2<u32>(before & 0xffffu, before >> 16u), vec2<u32>(all & 0xffffu, all >> 16u));
}

// The block's total. One answer for all lanes, with a barrier.
fn block_total(first: Round, second: Round, workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> Acc {
    let size = subgroup_size_of(workgroup);
    let subgroup = subgroup_id_of(invocation);
    let lane = subgroup_invocation_id_of(invocation);
    // Of both rounds, 16 bits each.
    let up = subgroupInclusiveAdd(countOneBits(first.flags) | (countOneBits(second.flags) << 16u));
    if lane == size - 1u {
        totals[subgroup] = up;
    }
    if TELLS_LENGTHS {
        let own_end = lanes_max(max(round_end(first), round_end(second)), size);
        if lane == 0u {
            ends[subgroup] = own_end;
        }
    }
    workgroupBarrier();
    let all = totals_take(workgroup, invocation).all;
    var end = 0u;
    if TELLS_LENGTHS {
        for (var i = 0u; i < WORKGROUP_SIZE / size; i++) {
            end = max(end, ends[i]);
        }
    }
    return acc_of(all.x + all.y, end);
}
