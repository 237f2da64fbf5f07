// What a flagged element gives: itself, or its position.

const TELLS_LENGTHS = false;

fn item_emit(job: Params, index: u32, at: u32, item: vec2<u32>, last: Last) {
    if index >= job.vec_end {
        return;
    }
    if ITEM_WORDS == 0u {
        position_store(job, index, position_of(job, at));
    } else {
        item_store(job, index, item);
    }
}

// Nothing comes behind the last one.
fn last_emit(job: Params, index: u32, last: Last) {}
