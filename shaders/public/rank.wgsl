// How many lanes of the subgroup before this one say yes. Every lane of the workgroup passes its flag; the result is valid in every
// lane.
fn subgroup_rank(flag: bool, workgroup: Workgroup, invocation: Invocation) -> u32 {
    return ballot_rank(ballot(flag, workgroup, invocation), subgroup_lane(workgroup, invocation));
}

// Of a ballot, how many lanes before a lane say yes. No other lane takes part.
fn ballot_rank(of_lanes: vec4<u32>, lane: u32) -> u32 {
    return ballot_count(of_lanes & lanes_before(lane));
}

// The bits of the lanes before a lane.
fn lanes_before(lane: u32) -> vec4<u32> {
    let below = min(vec4<u32>(lane) - min(vec4<u32>(lane), vec4<u32>(0u, 32u, 64u, 96u)), vec4<u32>(32u));
    return select((vec4<u32>(1u) << (below & vec4<u32>(31u))) - vec4<u32>(1u), vec4<u32>(0xffffffffu), below == vec4<u32>(32u));
}

// How many lanes of the workgroup before this one say yes.
fn workgroup_rank(flag: bool, workgroup: Workgroup, invocation: Invocation) -> u32 {
    votes_collect(flag, workgroup, invocation);
    return votes_before(invocation.local_invocation_index);
}

// How many lanes of the tile before this one say yes: of `width` neighbouring lanes, a power of two that all lanes agree on, and at most a
// subgroup. Every lane of the workgroup passes its flag; the result is valid in every lane.
fn tile_rank(flag: bool, width: u32, workgroup: Workgroup, invocation: Invocation) -> u32 {
    let of_tile = ballot_of_tile(ballot(flag, workgroup, invocation), width, workgroup, invocation);
    return ballot_rank(of_tile, group_lane(min(width, subgroup_size(workgroup)), invocation));
}

// Of a ballot: how many lanes say yes. No other lane takes part.
@if(bits) fn ballot_count(of_lanes: vec4<u32>) -> u32 {
    let bits = countOneBits(of_lanes);
    return bits.x + bits.y + bits.z + bits.w;
}

// Of a ballot: which lane is the n-th that says yes, counted from 0; 128 if there are not as many. No other lane takes part.
@if(bits) fn ballot_nth(of_lanes: vec4<u32>, n: u32) -> u32 {
    var rest = n;
    for (var word = 0u; word < 4u; word++) {
        let count = countOneBits(of_lanes[word]);
        if rest < count {
            return 32u * word + nth_set_bit(of_lanes[word], rest);
        }
        rest -= count;
    }
    return 128u;
}

// Where the n-th bit of a word is that is set, counted from 0 and from the lowest; 32 if there are not as many. No other lane takes
// part.
@if(bits) fn nth_set_bit(word: u32, n: u32) -> u32 {
    var rest = n;
    var at = 0u;
    for (var width = 16u; width > 0u; width >>= 1u) {
        let below = countOneBits((word >> at) & ((1u << width) - 1u));
        if rest >= below {
            rest -= below;
            at += width;
        }
    }
    return select(32u, at, n < countOneBits(word));
}

// The lowest `count` bits of a word, 1 to 32 of them, in reverse order; the others are 0. A lane's number so reversed is where it goes in a
// bit-reversal. No other lane takes part.
@if(bits) fn reversed_bits(word: u32, count: u32) -> u32 {
    return reverseBits(word) >> ((32u - count) & 31u);
}

// Which lanes of the subgroup have this lane's key, as a ballot. Keys are told apart by their lowest `bits` bits, at most 32, a number that
// all lanes agree on. Every lane of the workgroup passes a key; the result is valid in every lane.
@if(match) fn subgroup_match(key: u32, bits: u32, workgroup: Workgroup, invocation: Invocation) -> vec4<u32> {
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
@if(match) fn tile_match(key: u32, bits: u32, width: u32, workgroup: Workgroup, invocation: Invocation) -> vec4<u32> {
    let same = subgroup_match(key, bits, workgroup, invocation);
    return ballot_of_tile(same, width, workgroup, invocation);
}
