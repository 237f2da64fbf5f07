// Of a ballot: how many lanes say yes. No other lane takes part.
fn ballot_count(of_lanes: vec4<u32>) -> u32 {
    let bits = countOneBits(of_lanes);
    return bits.x + bits.y + bits.z + bits.w;
}

// Of a ballot: which lane is the n-th that says yes, counted from 0; 128 if there are not as many. No other lane takes part.
fn ballot_nth(of_lanes: vec4<u32>, n: u32) -> u32 {
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
fn nth_set_bit(word: u32, n: u32) -> u32 {
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
fn reversed_bits(word: u32, count: u32) -> u32 {
    return reverseBits(word) >> ((32u - count) & 31u);
}
