// What the first element of a run gives: itself, and the length of the run before it, which is from that one's first element to here.

@group(0) @binding(8) var<storage, read_write> lengths: array<u32>;

fn item_emit(job: Params, to: vec2<u32>, at: u32, last: vec2<u32>) {
    let index = window_index(job, to);
    if index < job.vec_end {
        for (var word = 0u; word < ITEM_WORDS; word++) {
            output[job.result_index + ITEM_WORDS * index + word] = item_word(job, at, word);
        }
    }
    run_end(job, to, position_of(job, at), last);
}

// The last run ends with the elements.
fn last_emit(job: Params, to: vec2<u32>, last: vec2<u32>) {
    run_end(job, to, position_of(job, job.end), last);
}

// A run ends before a position, and it is the one before `to`. Before the first one there is none, and no place for it.
fn run_end(job: Params, to: vec2<u32>, position: vec2<u32>, last: vec2<u32>) {
    let index = window_index(job, position_subtract(to, vec2<u32>(1u, 0u)));
    if index < job.vec_end {
        let length = position_subtract(position_add(position, vec2<u32>(1u, 0u)), last);
        lengths[job.right_base + 2u * index] = length.x;
        lengths[job.right_base + 2u * index + 1u] = length.y;
    }
}
