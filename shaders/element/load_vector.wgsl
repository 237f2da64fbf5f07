// Elements of several components, which need not begin where so many elements would end: an index is that of the first word. SHIFT
// is 0 where every four elements are whole vectors, else it is ANY_SHIFT.
const INDEX_STEP = COMPONENTS;

// The word that an element begins at.
fn first_word(index: u32) -> u32 {
    if is_strided() {
        return byte_of(index / COMPONENTS) >> 2u;
    }
    return index;
}

// Four elements that do not follow one another.
fn pack_gather(index: u32) -> Pack {
    return Pack(
        elem_load(index),
        elem_load(index + COMPONENTS),
        elem_load(index + 2u * COMPONENTS),
        elem_load(index + 3u * COMPONENTS),
    );
}
