// A block of a single pass, through subgroups. Each has a part of a round for itself.

// A lane's places of a round that begins here.
fn round_places(begin: u32, end: u32, workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> Places {
    let size = subgroup_size_of(workgroup);
    let part = begin + 16u * size * subgroup_id_of(invocation);
    return places_of(part, end, size, subgroup_invocation_id_of(invocation));
}

// Leaves what the subgroups have flagged of a round. All lanes come here, before a barrier.
fn totals_leave(base: u32, round: Round, workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let size = subgroup_size_of(workgroup);
    let subgroup = subgroup_id_of(invocation);
    let lane = subgroup_invocation_id_of(invocation);
    let up = subgroupInclusiveAdd(countOneBits(round.flags));
    if lane == size - 1u {
        totals[base + subgroup] = up;
    }
    if TELLS_LENGTHS {
        let end = lanes_max(round_end(round), size);
        if lane == 0u {
            ends[base + subgroup] = end;
        }
    }
}

// How many elements of a round are flagged in the subgroups before the lane's, and in all; and the positions behind the last ones.
struct Totals {
    before: u32,
    all: u32,
    end_before: u32,
    end: u32,
}

// `end` is the position behind the last flagged element before the round. After a barrier.
fn totals_take(base: u32, end: u32, workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> Totals {
    let subgroup = subgroup_id_of(invocation);
    let subgroups = WORKGROUP_SIZE / subgroup_size_of(workgroup);
    var before = 0u;
    var all = 0u;
    var end_before = end;
    var end_of_all = end;
    for (var i = 0u; i < subgroups; i++) {
        let total = totals[base + i];
        all += total;
        before += select(0u, total, i < subgroup);
        if TELLS_LENGTHS {
            let other_end = ends[base + i];
            end_of_all = max(end_of_all, other_end);
            end_before = max(end_before, select(0u, other_end, i < subgroup));
        }
    }
    return Totals(before, all, end_before, end_of_all);
}

// The block's total. One answer for all lanes, with a barrier.
fn block_total(first: Round, second: Round, workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> Acc {
    totals_leave(0u, first, workgroup, invocation);
    totals_leave(MAX_SUBGROUPS, second, workgroup, invocation);
    workgroupBarrier();
    let of_first = totals_take(0u, 0u, workgroup, invocation);
    let of_second = totals_take(MAX_SUBGROUPS, of_first.end, workgroup, invocation);
    return acc_of(of_first.all + of_second.all, of_second.end);
}

// Writes the block's flagged elements, before which there are these. All lanes come here, after `block_total`.
fn block_emit(
    job: Params,
    first: Round,
    second: Round,
    before: Acc,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) {
    let size = subgroup_size_of(workgroup);
    let lane = subgroup_invocation_id_of(invocation);
    // Positions are those of the whole sequence.
    let to = Target(Begins(acc_count(before), 0u), block_begin_of(job), block_end_of(job), vec2<u32>());
    let of_first = totals_take(0u, acc_end(before), workgroup, invocation);
    let of_second = totals_take(MAX_SUBGROUPS, of_first.end, workgroup, invocation);
    let first_ranks = ranks_of(first.flags, size);
    round_emit(
        job,
        to,
        first.places,
        items_again(job, first.places),
        first.flags,
        first_ranks,
        of_first.before,
        of_first.end_before,
        size,
        lane,
    );
    let second_ranks = ranks_of(second.flags, size);
    round_emit(
        job,
        to,
        second.places,
        items_again(job, second.places),
        second.flags,
        second_ranks,
        of_first.all + of_second.before,
        of_second.end_before,
        size,
        lane,
    );
}
