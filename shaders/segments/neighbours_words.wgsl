// Sixteen neighbours of a word each: four vectors of memory have them, or five.
fn sixteen_at(job: Params, own: Segment, walk: Walk, at: u32) -> Sixteen {
    let index = job.base + walk.x;
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
