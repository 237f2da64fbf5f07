// How a block of a single pass writes, through subgroups: lanes write their elements as soon as they know how many are flagged before them.

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
    // Positions are those of the whole sequence. Nothing asks for the one before.
    let to = Target(Begins(acc_count(before), 0u), block_begin_of(job), block_end_of(job), vec2<u32>());
    let flagged = totals_take(workgroup, invocation);
    let first_ranks = ranks_of(first.flags, size);
    round_emit(
        job,
        to,
        first.places,
        items_again(job, first.places),
        first.flags,
        first_ranks,
        flagged.before.x,
        0u,
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
        flagged.all.x + flagged.before.y,
        0u,
        size,
        lane,
    );
}
