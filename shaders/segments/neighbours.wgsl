// Chunks of elements that are on their way all at once: neighbours in four vectors, or, where `GATHERS` says so, elements anywhere.

// A chunk's elements, four by four.
struct Sixteen {
    row0: Items,
    row1: Items,
    row2: Items,
    row3: Items,
}

// Whether vectors have the chunk that begins there.
fn are_neighbours(job: Params, own: Segment, walk: Walk) -> bool {
    let are_together = !APART | ((own.step == 1u) & !has_order(job) & (walk.y >= CHUNK_ITEMS));
    return are_together & (walk.x + CHUNK_ITEMS <= job.vec_end);
}

fn is_loaded_at_once(job: Params, own: Segment, walk: Walk) -> bool {
    return (job.level == 0u) & ((APART & GATHERS) | are_neighbours(job, own, walk));
}

// Sixteen neighbours, by their vectors.

@if(any) const GATHERS = false;

@if(any) fn sixteen_at(job: Params, own: Segment, walk: Walk, at: u32) -> Sixteen {
    let elements = elements_of(job, own, walk.x, at);
    return Sixteen(
        items_at(elements, at),
        items_at(elements, at + 4u),
        items_at(elements, at + 8u),
        items_at(elements, at + 12u),
    );
}

// Sixteen elements of a word each. Of neighbours four vectors of memory have them, or five. Others are loaded one by one, which in a loop of four rounds
// would wait for each four before the next.

@if(words) const GATHERS = true;

@if(words) fn sixteen_at(job: Params, own: Segment, walk: Walk, at: u32) -> Sixteen {
    if !APART | are_neighbours(job, own, walk) {
        return neighbours_at(job.base + walk.x);
    }
    let places = chunk_places(job, own, walk, at);
    return Sixteen(
        elems_gather(job, places.row0),
        elems_gather(job, places.row1),
        elems_gather(job, places.row2),
        elems_gather(job, places.row3),
    );
}

@if(words) fn neighbours_at(index: u32) -> Sixteen {
    let first = index >> 2u;
    let vector0 = vector_at(first);
    let vector1 = vector_at(first + 1u);
    let vector2 = vector_at(first + 2u);
    let vector3 = vector_at(first + 3u);
    if SHIFT == 0u {
        return Sixteen(
            pack_of_words(vector0),
            pack_of_words(vector1),
            pack_of_words(vector2),
            pack_of_words(vector3),
        );
    }
    // The last one again, where four have all.
    let vector4 = vector_at((index + 15u) >> 2u);
    return Sixteen(
        pack_of_words(words_from(vector0, vector1, index)),
        pack_of_words(words_from(vector1, vector2, index)),
        pack_of_words(words_from(vector2, vector3, index)),
        pack_of_words(words_from(vector3, vector4, index)),
    );
}

@if(words) fn elems_gather(job: Params, places: vec4<u32>) -> Pack {
    let indices = job.base + places;
    return Pack(
        elem_load(indices.x),
        elem_load(indices.y),
        elem_load(indices.z),
        elem_load(indices.w),
    );
}

// Where a chunk's elements are, four by four.
@if(words) struct Places {
    row0: vec4<u32>,
    row1: vec4<u32>,
    row2: vec4<u32>,
    row3: vec4<u32>,
}

@if(words) fn chunk_places(job: Params, own: Segment, walk: Walk, at: u32) -> Places {
    if APART & (walk.y < CHUNK_ITEMS) {
        return chunk_places_apart(job, own, walk, at);
    }
    let row0 = walk.x + own.step * vec4<u32>(0u, 1u, 2u, 3u);
    let row1 = row0 + 4u * own.step;
    let row2 = row1 + 4u * own.step;
    let row3 = row2 + 4u * own.step;
    if !has_order(job) {
        return Places(row0, row1, row2, row3);
    }
    return Places(
        listed4(job, 0u, row0),
        listed4(job, 0u, row1),
        listed4(job, 0u, row2),
        listed4(job, 0u, row3),
    );
}

// The same where the innermost axis ends within the chunk.
@if(words) fn chunk_places_apart(job: Params, own: Segment, walk: Walk, at: u32) -> Places {
    let nothing = nothing_of(job) & job.block;
    var row0 = vec4<u32>();
    var row1 = vec4<u32>();
    var row2 = vec4<u32>();
    var row3 = vec4<u32>();
    var next = walk;
    for (var i = 0u; i < 4u + nothing; i++) {
        let first = at + 4u * i;
        let row = walk4(job, own, next, first, own.count - 1u);
        row0 = select(row0, row, i == 0u);
        row1 = select(row1, row, i == 1u);
        row2 = select(row2, row, i == 2u);
        row3 = select(row3, row, i == 3u);
        next = walk_on(job, own, next, first, 4u);
    }
    return Places(row0, row1, row2, row3);
}
