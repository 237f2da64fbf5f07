// What is before a block and behind it: the pass before this one has found it.

// A single block needs no other dispatch.
fn is_alone(job: Params) -> bool {
    return (job.flags & FLAG_ALONE) != 0u;
}

fn block_before(job: Params) -> Acc {
    if is_alone(job) {
        return initial_acc(job);
    }
    return scratch_load(job.partials + job.blocks + job.block);
}

// Behind the block, which may merge there with those before it: so this is no matter of the block's own total.
fn block_after(job: Params, own: Acc) -> Acc {
    if is_alone(job) {
        return own;
    }
    return scratch_load(job.partials + job.blocks + job.block + 1u);
}
