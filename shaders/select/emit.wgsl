// What a flagged element gives.

// What the first element of a run gives: itself, and its position.

@if(begins) const TELLS_LENGTHS = false;

@if(begins) fn item_emit(job: Params, index: u32, at: u32, item: vec2<u32>, last: Last) {
    if index >= job.output_items {
        return;
    }
    item_store(job, index, item);
    number_store(job, index, position_of(job, at));
}

// Nothing comes behind the last one.
@if(begins) fn last_emit(job: Params, index: u32, last: Last) {}

// What a flagged element gives: itself, or its position.

@if(items) const TELLS_LENGTHS = false;

@if(items) fn item_emit(job: Params, index: u32, at: u32, item: vec2<u32>, last: Last) {
    if index >= job.output_items {
        return;
    }
    if ITEM_WORDS == 0u {
        position_store(job, index, position_of(job, at));
    } else {
        item_store(job, index, item);
    }
}

// Nothing comes behind the last one.
@if(items) fn last_emit(job: Params, index: u32, last: Last) {}

// What the first element of a run gives: itself, and the length of the run before it, which is from that one's first element to here.

@if(runs) const TELLS_LENGTHS = true;

@if(runs) fn item_emit(job: Params, index: u32, at: u32, item: vec2<u32>, last: Last) {
    if index < job.output_items {
        item_store(job, index, item);
    }
    run_end(job, index, at, last);
}

// The last run ends with the elements.
@if(runs) fn last_emit(job: Params, index: u32, last: Last) {
    run_end(job, index, job.end, last);
}

// A run ends before a position, and it is the one before `index`. Before the first one there is none, and no place for it.
@if(runs) fn run_end(job: Params, index: u32, at: u32, last: Last) {
    let before = index - 1u;
    if before < job.output_items {
        var length = vec2<u32>(at + 1u - last.of_block, 0u);
        if last.of_block == 0u {
            let next = position_add(position_of(job, at), vec2<u32>(1u, 0u));
            length = position_subtract(next, last.of_all);
        }
        number_store(job, before, length);
    }
}
