// Several words of each lane. Lanes have them one after another, as many as a lane has in a row: word i of a lane is number
// `ITEMS_PER_LANE * lane + i` of the workgroup.

const ITEMS_PER_LANE = 8u;

// Moves each word to a place among all of the workgroup.
fn words_moved(
    words: array<u32, ITEMS_PER_LANE>,
    places: array<u32, ITEMS_PER_LANE>,
    invocation: Invocation,
) -> array<u32, ITEMS_PER_LANE> {
    var moved = words;
    var to = places;
    workgroupBarrier();
    for (var i = 0u; i < ITEMS_PER_LANE; i++) {
        memory[to[i]] = moved[i];
    }
    workgroupBarrier();
    for (var i = 0u; i < ITEMS_PER_LANE; i++) {
        moved[i] = memory[ITEMS_PER_LANE * invocation.local_invocation_index + i];
    }
    return moved;
}
