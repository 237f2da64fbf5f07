// What the first element of a run gives: itself, and its position.

const TELLS_LENGTHS = false;

fn item_emit(job: Params, index: u32, at: u32, item: vec2<u32>, last: Last) {
    if index >= job.vec_end {
        return;
    }
    item_store(job, index, item);
    number_store(job, index, position_of(job, at));
}

// Nothing comes behind the last one.
fn last_emit(job: Params, index: u32, last: Last) {}
