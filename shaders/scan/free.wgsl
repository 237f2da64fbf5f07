// Scans by operators that have the same result in every order: the state between launches is the total of all before.

// The launch's blocks are counted from its first one, and each has a total, also of a part.
fn first_block_of(job: Params) -> u32 {
    return 0u;
}

fn end_block_of(job: Params) -> u32 {
    return job.blocks;
}

// What is before the launch's first block.
fn launch_before(job: Params) -> Before {
    if (job.flags & FLAG_RESUMES) != 0u {
        return scratch_load(job.state_before);
    }
    return before_first(job);
}

// What stands at a place before the launch.
fn missing_load(job: Params, level: u32, place: u32, begin: u32) -> Acc {
    return op_identity();
}

// There are no runs to go on from: rows are counted from the first one.
fn place_of(row: u32, first_row: u32) -> u32 {
    return row - first_row;
}

fn run_before_load(job: Params, level: u32) -> Acc {
    return op_identity();
}

fn row_runs_leave(job: Params, items: Acc4, first_half: Acc, row: u32, end: u32, lane_index: u32) {}

fn runs_leave(job: Params, end: u32, lane_index: u32) {}

// Of all that the launch has.
fn total_leave(job: Params, total: Before) {
    scratch_store(job.state_after, before_part(total, 0u));
}
