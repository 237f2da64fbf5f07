// Which lanes of the subgroup have this lane's key, as a ballot. Keys are told apart by their lowest `bits` bits, at most 32, a number that
// all lanes agree on. Every lane of the workgroup passes a key; the result is valid in every lane.
fn subgroup_match(key: u32, bits: u32, workgroup: Workgroup, invocation: Invocation) -> vec4<u32> {
    var same = lanes_before(subgroup_lanes(workgroup, invocation));
    for (var bit = 0u; bit < min(bits, 32u); bit++) {
        let has_bit = ((key >> bit) & 1u) == 1u;
        let with_bit = ballot(has_bit, workgroup, invocation);
        same &= select(~with_bit, with_bit, has_bit);
    }
    return same;
}

// As subgroup_match, of tiles: of `width` neighbouring lanes, a power of two that all lanes agree on, and at most a subgroup. The tile's lane
// 0 is the lowest bit of the first word.
fn tile_match(key: u32, bits: u32, width: u32, workgroup: Workgroup, invocation: Invocation) -> vec4<u32> {
    let same = subgroup_match(key, bits, workgroup, invocation);
    return ballot_of_tile(same, width, workgroup, invocation);
}
