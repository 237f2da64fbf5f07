// Several words of each lane. Lanes have them one after another, as many as a lane has in a row: word i of a lane is number
// `ITEMS_PER_LANE * lane + i` of the workgroup.

const ITEMS_PER_LANE = 8u;

// Where word `number` of the workgroup is in memory. Lanes that each go through words of their own would meet in few of memory's 32 banks, if
// words lay in order: so those of each 32 have an order of their own.
fn bank_place(number: u32) -> u32 {
    let is_whole = (WORKGROUP_SIZE * ITEMS_PER_LANE) % 32u == 0u;
    // Other numbers of words are in different banks as they are, or nearly.
    let meets = (ITEMS_PER_LANE == 2u) | (ITEMS_PER_LANE % 4u == 0u);
    return number ^ select(0u, (number >> 5u) & 31u, is_whole & meets);
}

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
        memory[bank_place(to[i])] = moved[i];
    }
    workgroupBarrier();
    for (var i = 0u; i < ITEMS_PER_LANE; i++) {
        moved[i] = memory[bank_place(ITEMS_PER_LANE * invocation.local_invocation_index + i)];
    }
    return moved;
}
