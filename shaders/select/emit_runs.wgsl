// What the first element of a run gives: itself, and the length of the run before it, which is from that one's first element to here.

const TELLS_LENGTHS = true;

fn item_emit(job: Params, index: u32, at: u32, item: vec2<u32>, last: Last) {
    if index < job.vec_end {
        item_store(job, index, item);
    }
    run_end(job, index, at, last);
}

// The last run ends with the elements.
fn last_emit(job: Params, index: u32, last: Last) {
    run_end(job, index, job.end, last);
}

// A run ends before a position, and it is the one before `index`. Before the first one there is none, and no place for it.
fn run_end(job: Params, index: u32, at: u32, last: Last) {
    let before = index - 1u;
    if before < job.vec_end {
        var length = vec2<u32>(at + 1u - last.of_block, 0u);
        if last.of_block == 0u {
            let next = position_add(position_of(job, at), vec2<u32>(1u, 0u));
            length = position_subtract(next, last.of_all);
        }
        number_store(job, before, length);
    }
}
