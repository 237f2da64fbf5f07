// What the first element of a run gives: itself, and its position.

@group(0) @binding(8) var<storage, read_write> lengths: array<u32>;

fn item_emit(job: Params, to: vec2<u32>, at: u32, last: vec2<u32>) {
    let index = window_index(job, to);
    if index < job.vec_end {
        for (var word = 0u; word < ITEM_WORDS; word++) {
            output[job.result_index + ITEM_WORDS * index + word] = item_word(job, at, word);
        }
        let position = position_of(job, at);
        lengths[job.right_base + 2u * index] = position.x;
        lengths[job.right_base + 2u * index + 1u] = position.y;
    }
}

// Nothing comes behind the last one.
fn last_emit(job: Params, to: vec2<u32>, last: vec2<u32>) {}
