// What the first element of a run gives: itself, and its position.

const TELLS_LENGTHS = false;

@group(0) @binding(8) var<storage, read_write> lengths: array<u32>;

fn item_emit(job: Params, index: u32, at: u32, item: vec2<u32>, last: Last) {
    if index >= job.vec_end {
        return;
    }
    item_store(job, index, item);
    let position = position_of(job, at);
    lengths[job.right_base + 2u * index] = position.x;
    lengths[job.right_base + 2u * index + 1u] = position.y;
}

// Nothing comes behind the last one.
fn last_emit(job: Params, index: u32, last: Last) {}
