// The terms of a sum are f64s, of two parts each: the lower 26 bits of the significand, and the other 27.

// For magnitude * 2^position, with a sign of 0, or 1 below zero.
fn deposit_of_part(lane_index: u32, sign: u32, position: u32, magnitude: u32) -> Deposit {
    let cell = sign * CELLS_OF_SIGN + (position >> 5u);
    return deposit_of(lane_index, cell, position & 31u, magnitude);
}

fn deposit_element(lane_index: u32, bits: Elem) {
    // What infinities and NaNs add does not matter: their flags do.
    let field = extractBits(bits.y, 20u, 11u);
    let high = (bits.y & 0x000fffffu) | (min(field, 1u) << 20u);
    let sign = bits.y >> 31u;
    // Subnormal numbers have the position of the smallest normal ones.
    let position = max(field, 1u);
    make_two_deposits(
        deposit_of_part(lane_index, sign, position, bits.x & 0x03ffffffu),
        deposit_of_part(lane_index, sign, position + 26u, (bits.x >> 26u) | (high << 6u)),
    );
}

// Adds elements of any kind.
fn deposit_elements(lane_index: u32, elements: Quad) {
    deposit_element(lane_index, elements.x);
    deposit_element(lane_index, elements.y);
    deposit_element(lane_index, elements.z);
    deposit_element(lane_index, elements.w);
    let specials = special_of(elements.x) | special_of(elements.y)
        | special_of(elements.z) | special_of(elements.w);
    if specials != 0u {
        deposit_specials(specials);
    }
}
