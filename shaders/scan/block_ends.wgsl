// What is before a block and behind it: the pass before this one has found it.

// A single block needs no other dispatch.
fn is_alone(job: Params) -> bool {
    return (job.flags & FLAG_ALONE) != 0u;
}

fn block_before(job: Params) -> Before {
    if is_alone(job) {
        return before_first(job);
    }
    return before_load(job, job.block);
}

// Behind the block, which may merge there with those before it: so this is no matter of the block's own total.
fn block_after(job: Params, own: Before) -> Before {
    if is_alone(job) {
        return own;
    }
    return before_load(job, job.block + 1u);
}

fn before_load(job: Params, block: u32) -> Before {
    let index = job.partials + job.blocks + BEFORE_ACCS * block;
    return before_of(scratch_load(index), scratch_load(index + BEFORE_ACCS - 1u));
}
