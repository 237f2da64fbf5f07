// How a block of a single pass writes, through subgroups: lanes write their elements as soon as they know how many are flagged before them.

// A single pass never keeps the rest. The second branch stays all the same: without it an NVIDIA compiler (580.159) loads elements one by one, each where it is
// stored, and a selection took a sixth longer.
fn place_emit(job: Params, to: Target, at: u32, slot: u32, is_flagged: bool, item: vec2<u32>, last: u32) {
    if is_flagged {
        item_emit(job, to.begins.flagged + slot, at, item, Last(last, to.before));
    } else if ((job.flags & FLAG_KEEPS_REST) != 0u) & (at < to.end) {
        item_emit(job, to.begins.others + at - to.begin - slot, at, item, Last(last, to.before));
    }
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
