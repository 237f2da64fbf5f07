// The word of a lane of the subgroup, for all its lanes.
fn subgroup_word(word: u32, lane: u32, workgroup: Workgroup, invocation: Invocation) -> u32 {
    return word_of_lane(word, lane);
}
