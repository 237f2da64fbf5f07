// What a flagged element gives: itself, or its position.

fn item_emit(job: Params, to: vec2<u32>, at: u32, last: vec2<u32>) {
    let index = window_index(job, to);
    if index < job.vec_end {
        if ITEM_WORDS == 0u {
            let position = position_of(job, at);
            output[job.result_index + 2u * index] = position.x;
            output[job.result_index + 2u * index + 1u] = position.y;
        }
        for (var word = 0u; word < ITEM_WORDS; word++) {
            output[job.result_index + ITEM_WORDS * index + word] = item_word(job, at, word);
        }
    }
}

// Nothing comes behind the last one.
fn last_emit(job: Params, to: vec2<u32>, last: vec2<u32>) {}
